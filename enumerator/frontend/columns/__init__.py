"""Tests whose threads stand in columns, as Vulkan's and PTX's do: what the two languages have in common.

`lexer` gives the tokens, `initial` reads the initial state, `code` rows of instructions, `barriers` tells which
barriers with a number are the same, and `test` reads the condition and puts the test together.
"""
