"""Tokens of a test in columns, and its header and comments."""

from __future__ import annotations

import re

from enumerator.frontend.c.lexer import Cursor
from enumerator.frontend.scanner import LitmusScanner, Source, Token
from enumerator.program.values import signed

__all__ = ["is_register", "parse_constant", "scan", "tokenize"]

_TOKEN = re.compile(
    r"""(?P<word>[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z0-9_]+)*)
    |(?P<number>0[xX][0-9a-fA-F]+|[0-9]+)
    |(?P<mark>/\\|\\/|=>|==|!=|&&|\|\||[-&|~!=;:,@()\[\]{}*])
    """,
    re.VERBOSE | re.ASCII,
)
_REGISTER = re.compile(r"r[0-9]{1,6}")
_COMMENT = re.compile(r"//|/\*|\(\*")


def scan(text: str, path: str, language: str) -> Source:
    """Scan the text of a test.

    Parameters
    ----------
    text, path : str
    language : str
        The first word, in any case.

    Returns
    -------
    Source
        The title is the first line of text behind the header; all up to the first ``{`` that begins a line is taken
        for text, as in Dat3M.

    Raises
    ------
    InputError
        Where the header is wrong, a comment does not end, or a character is in no token.

    Examples
    --------
    >>> text = 'Vulkan MP' + chr(10) + '"message passing"' + chr(10) + "{ x = 1; }  (* no more *)"
    >>> source = scan(text, "MP.litmus", "VULKAN")
    >>> source.name, source.title, [token.text for token in source.tokens]
    ('MP', 'message passing', ['{', 'x', '=', '1', ';', '}', ''])
    """
    return _Scanner(text, path, language).scan()


def tokenize(text: str, path: str, line: int, column: int) -> list[Token]:
    """Give the tokens of a text that stands at a place in a test.

    Examples
    --------
    >>> [(token.text, token.column) for token in tokenize("P0:r0 == 1", "one.litmus", 2, 9)]
    [('P0', 9), (':', 11), ('r0', 12), ('==', 15), ('1', 18), ('', 19)]
    """
    return _Scanner.tokens(text, path, line, column)


def is_register(text: str) -> bool:
    """Tell whether a word names a register."""
    return _REGISTER.fullmatch(text) is not None


def parse_constant(cursor: Cursor, wanted: str) -> int:
    """Take a number that fits into 32 bits, signed or not: give it signed."""
    start = cursor.token
    negative = cursor.accept("-") is not None
    if cursor.token.kind != "number":
        cursor.unexpected(wanted)
    text = cursor.next().text
    if len(text) > 40:
        raise cursor.error("this number does not fit into 32 bits", start)
    value = int(text, 16) if text[:2] in ("0x", "0X") else int(text)
    value = -value if negative else value
    if not -(1 << 31) <= value < 1 << 32:
        raise cursor.error("this number does not fit into 32 bits", start)
    return signed(value, 32)


class _Scanner(LitmusScanner):
    token = _TOKEN
    any_case = True

    def introduction(self) -> None:
        """Skip the lines before the initial state; they may quote what they like."""
        rest = self._line()
        if rest.strip().startswith("{"):
            return
        self._describe(rest)
        self.skip()
        while not self.at_end and self.text[self.position] != "{":
            self._describe(self._line())
            self.skip()

    def _line(self) -> str:
        """Give the rest of the line at hand, without a copy of what follows it."""
        end = self.text.find("\n", self.position)
        return self.text[self.position : end if end >= 0 else len(self.text)]

    def _describe(self, line: str) -> None:
        """Read a line, which is the title if there is none yet."""
        text = " ".join(line.strip().strip('"').split())
        if text and not self.source.title and not _COMMENT.match(text):
            self.source.title = text
        self.position += len(line)
