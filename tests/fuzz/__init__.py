"""Mutated inputs through every command, and mutated tests through every engine; ``python -m tests.fuzz``."""
