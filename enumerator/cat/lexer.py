"""Tokens of cat.

The type of some tokens depends on their context. It is decided here, so that the grammar is LALR(1): ``*`` is a product
where an operand follows, and a closure elsewhere; ``final`` and ``variants`` are keywords only where a statement
starts; ``not`` is one only in the condition of an ``if``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from enumerator.scanning import Scanner

__all__ = ["KEYWORDS", "SYMBOLS", "Lexeme", "tokenize"]

KEYWORDS = frozenset(
    "let rec and in fun acyclic irreflexive empty flag undefined_unless as show unshow include begin end procedure"
    " call try with from if then else match when assert".split()
)
"""Words that are never names."""

_UNSUPPORTED = {
    "enum": "enumerations are not supported",
    "debug": "'debug' is not supported",
    "forall": "'forall … do' is not supported",
    "do": "'forall … do' is not supported",
    "instructions": "Bell declarations ('instructions') are not supported",
    "default": "Bell declarations ('default') are not supported",
    "yield": "'yield' is not supported",
    "subset": "'subset' is not supported",
}

SYMBOLS = {
    "(": "LPAR",
    ")": "RPAR",
    "{": "LBRACE",
    "}": "RBRACE",
    "[": "LSQB",
    "]": "RSQB",
    "|": "UNION",
    ";": "SEQUENCE",
    "\\": "DIFFERENCE",
    "&": "INTERSECTION",
    "*": "STAR",
    "~": "COMPLEMENT",
    "+": "PLUS",
    "?": "OPTION",
    "^-1": "INVERSE",
    "=": "EQUAL",
    ",": "COMMA",
    "->": "ARROW",
    "||": "CASE",
    "++": "ADD",
    "&&": "BOTH",
    "0": "ZERO",
    "_": "UNDERSCORE",
}
"""Token types of the symbols; a keyword's type is the keyword in capitals."""

_PATTERN = re.compile(
    r"""
      (?P<blank>[ \t\r\n\f]+ | (?://|\#)[^\n]* | (?s:/\*.*?\*/))
    | (?P<comment>\(\*)
    | (?P<name>_?[A-Za-z](?:[A-Za-z0-9_.]|-(?!>))*'?)
    | (?P<string>"[^"\n]*")
    | (?P<tag>'_?[A-Za-z][A-Za-z0-9_.-]*)
    | (?P<symbol>\^[ \t]*-1|->|\|\||\+\+|&&|[(){}\[\]|;\\&*~+?=,_]|0(?![0-9]))
    """,
    re.VERBOSE,
)

_TESTS = ("ACYCLIC", "IRREFLEXIVE", "EMPTY")
_OPERAND_STARTS = frozenset(("NAME", "ZERO", "UNDERSCORE", "LPAR", "LSQB", "LBRACE", "COMPLEMENT", "BEGIN"))
_OPERAND_ENDS = frozenset(
    ("NAME", "ZERO", "UNDERSCORE", "RPAR", "RSQB", "RBRACE", "END", "STAR", "PLUS", "OPTION", "INVERSE", "STRING",
     "IN", "ELSE")
)  # fmt: skip


class Lexeme(NamedTuple):
    """A token: its type (a terminal of the grammar), text, and place (from 1)."""

    type: str
    text: str
    line: int
    column: int


def tokenize(text: str, path: str, statements: bool = True) -> list[Lexeme]:
    """Split the text of a model into tokens.

    Parameters
    ----------
    text : str
        The model. Comments are ``(* … *)``, nested, ``/* … */``, and ``//`` or ``#`` to the end of the line.
    path : str
        Named in errors.
    statements : bool
        Whether the text is made of statements; in an expression alone, ``final`` and ``variants`` are names.

    Returns
    -------
    list of Lexeme

    Raises
    ------
    InputError
        For a character that starts no token, a comment without end, and words of cat that are not supported.

    Examples
    --------
    >>> [token.type for token in tokenize("let x = po* ; W*R", "m.cat")]
    ['LET', 'NAME', 'EQUAL', 'NAME', 'STAR', 'SEQUENCE', 'NAME', 'PRODUCT', 'NAME']
    """
    tokens: list[Lexeme] = []
    scanner = Scanner(text, path)
    while not scanner.at_end:
        start = scanner.position
        match = scanner.take(_PATTERN)
        if match is None:
            raise scanner.error(_unknown(text[start]), start)
        if match.lastgroup == "comment":
            scanner.position = _end_of_comment(scanner, start)
        elif match.lastgroup != "blank":
            tokens.append(_token(str(match.lastgroup), match[0], scanner, start))
    return _settle(tokens, statements)


def _token(kind: str, text: str, scanner: Scanner, start: int) -> Lexeme:
    if text in _UNSUPPORTED:
        raise scanner.error(_UNSUPPORTED[text], start)
    if kind == "tag":
        raise scanner.error(f"tags ({text}) are not supported", start)
    place = scanner.place(start)
    if kind == "name":
        return Lexeme(text.upper() if text in KEYWORDS else "NAME", text, *place)
    if kind == "string":
        return Lexeme("STRING", text[1:-1], *place)
    symbol = "^-1" if text.startswith("^") else text
    return Lexeme(SYMBOLS[symbol], symbol, *place)


def _unknown(character: str) -> str:
    if character == '"':
        return "this text in quotes has no end on its line"
    if character.isdigit():
        return "numbers are not part of the language (only 0, the empty relation)"
    if character == "^":
        return "expected '^-1'"
    if character == "!":
        return "'!' is not supported; the complement is '~'"
    return f"unexpected character {character!r}"


def _end_of_comment(scanner: Scanner, start: int) -> int:
    end = scanner.end_of_nested(start)
    if end is None:  # in Dat3M, comments do not nest, and some of its models have "(*" in one
        end = scanner.text.find("*)", start + 2) + 2
        if end < 2:
            raise scanner.error("this comment is not closed", start)
    return end


def _settle(tokens: Sequence[Lexeme], statements: bool) -> list[Lexeme]:
    """Decide which stars are products and which names are contextual keywords.

    The keywords come first: a star before ``final`` at the start of a line is a closure.
    """
    settled = list(tokens)
    condition = False  # whether what follows is "not" and parentheses up to a text in quotes: such are in no expression
    for index in range(len(settled) - 1, -1, -1):
        token = settled[index]
        if token.type == "NAME" and token.text == "not":
            if condition and index:
                settled[index] = token._replace(type="NOT")
        elif token.type != "LPAR":
            condition = token.type == "STRING"
    depth = 0
    for index, token in enumerate(settled):
        if token.type in ("LPAR", "LSQB", "LBRACE"):
            depth += 1
        elif token.type in ("RPAR", "RSQB", "RBRACE"):
            depth -= 1
        elif statements and token.type == "NAME" and not depth and _is_keyword(settled, index):
            settled[index] = token._replace(type=token.text.upper())
    for index, token in enumerate(settled):
        if token.type == "STAR" and _starts_operand(settled, index + 1):
            settled[index] = token._replace(type="PRODUCT")
    return settled


def _is_keyword(tokens: Sequence[Lexeme], index: int) -> bool:
    """Tell whether ``final`` or ``variants``, outside of brackets, starts a statement."""
    token = tokens[index]
    before = tokens[index - 1] if index else None
    if token.text not in ("final", "variants") or (before is not None and before.type not in _OPERAND_ENDS):
        return False
    if token.text == "variants":
        return _type(tokens, index + 1) == "NAME" and _type(tokens, index + 2) == "EQUAL"
    if before is not None and before.line == token.line and before.type not in ("STRING", "ELSE", "END"):
        return False
    return _starts_operand(tokens, index + 1) or _type(tokens, index + 1) in ("LET", "TRY", "IF")


def _starts_operand(tokens: Sequence[Lexeme], index: int) -> bool:
    kind = _type(tokens, index)
    if kind == "COMPLEMENT":  # ``~empty`` starts the next statement
        return _type(tokens, index + 1) not in _TESTS
    return kind in _OPERAND_STARTS


def _type(tokens: Sequence[Lexeme], index: int) -> str:
    return tokens[index].type if index < len(tokens) else "END OF FILE"
