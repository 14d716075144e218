"""Tokens of LLVM IR as LLVM prints it."""

from __future__ import annotations

import re

__all__ = ["Cursor", "NotCovered", "decode_bytes", "decode_name", "decode_string", "tokenize"]

_TOKEN = re.compile(
    r"""(?:[@%!$]|c)?"[^"]*"            # strings, quoted names, metadata strings, character arrays
    |[@%!$#][-\w.$\\]+                  # names
    |-?\d[\w.]*(?:(?<=[eE])[-+]\d+)?    # numbers
    |[a-zA-Z_.][\w.]*                   # words
    |;[^\n]*                            # comments
    |\S""",
    re.VERBOSE | re.ASCII,
)

_ESCAPE = re.compile(rb"\\([0-9a-fA-F]{2}|\\)")


class NotCovered(Exception):
    """The text uses a part of LLVM IR that the checker does not cover."""


class Cursor:
    """A place in a list of tokens. At the end the token is the empty string."""

    __slots__ = ("_tokens", "index")

    def __init__(self, tokens: list[str], index: int = 0) -> None:
        self._tokens = tokens
        self.index = index

    @property
    def token(self) -> str:
        """The current token."""
        try:
            return self._tokens[self.index]
        except IndexError:
            return ""

    def ahead(self, distance: int) -> str:
        """Give the token that comes `distance` after the current one."""
        try:
            return self._tokens[self.index + distance]
        except IndexError:
            return ""

    def next(self) -> str:
        """Take the current token."""
        index = self.index
        self.index = index + 1
        try:
            return self._tokens[index]
        except IndexError:
            return ""

    def accept(self, *tokens: str) -> bool:
        """Take the current token if it is one of these."""
        try:
            found = self._tokens[self.index] in tokens
        except IndexError:
            found = "" in tokens
        self.index += found
        return found

    def expect(self, token: str) -> None:
        """Take the current token, which has to be this one."""
        if self.next() != token:
            raise NotCovered(f"expected {token!r}")

    def skip_group(self) -> None:
        """Pass over a bracketed group that starts here."""
        depth = 0
        while self.token:
            token = self.next()
            if token in ("(", "[", "{"):
                depth += 1
            elif token in (")", "]", "}"):
                depth -= 1
            if depth <= 0:
                return


def tokenize(text: str) -> list[str]:
    """Split text into tokens, without comments.

    Examples
    --------
    >>> tokenize('store i32 -1, ptr @"a b", !mmra !0 ; why')
    ['store', 'i32', '-1', ',', 'ptr', '@"a b"', ',', '!mmra', '!0']
    """
    tokens = _TOKEN.findall(text)
    return [token for token in tokens if token[0] != ";"] if ";" in text else tokens


def decode_name(token: str) -> str:
    r"""Give the name that a token such as ``%x`` or ``@"a b"`` stands for, without its sigil.

    A quoted name of digits keeps its quotes: it is not the unnamed value of that number.

    Examples
    --------
    >>> decode_name('@"a b"'), decode_name("%x.1"), decode_name(r'%"\22"'), decode_name('%"1"')
    ('a b', 'x.1', '"', '"1"')
    """
    name = token[1:]
    if name.startswith('"'):
        return name if name[1:-1].isdigit() else decode_string(name)
    return name


def decode_string(quoted: str) -> str:
    """Give the text of a quoted string with LLVM's escapes; bytes that are no UTF-8 stay escaped."""
    return decode_bytes(quoted).decode("utf-8", "backslashreplace")


def decode_bytes(quoted: str) -> bytes:
    r"""Give the bytes of a quoted string with LLVM's escapes.

    Examples
    --------
    >>> decode_bytes(r'"a\00\\"')
    b'a\x00\\'
    """
    raw = quoted[1:-1].encode("utf-8", "surrogateescape")
    return _ESCAPE.sub(lambda match: b"\\" if match[1] == b"\\" else bytes((int(match[1], 16),)), raw)
