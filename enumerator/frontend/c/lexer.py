"""Tokens of a C litmus test, and its header and comments."""

from __future__ import annotations

import re
from typing import NoReturn

from enumerator.errors import InputError
from enumerator.frontend.scanner import LitmusScanner, Source, Token

__all__ = ["Cursor", "Source", "Token", "scan", "tokenize"]

_TOKEN = re.compile(
    r"""(?P<word>[A-Za-z_]\w*)
    |(?P<number>0[xX][0-9a-fA-F]+[uUlL]*|[0-9]+[uUlL]*)
    |(?P<mark>/\\|\\/|<<=|>>=|=>|==|!=|<=|>=|&&|\|\||<<|>>|\+=|-=|\*=|/=|%=|&=|\|=|\^=|\+\+|--|->|[-+*/%&|^~!<>=?:;,.()\[\]{}@])
    """,
    re.VERBOSE | re.ASCII,
)
_INFORMATION = re.compile(r"[A-Za-z][\w-]*[ \t]*=[^\n]*", re.ASCII)


def scan(text: str, path: str, language: str = "C") -> Source:
    """Scan the text of a test.

    Comments are ``//``, ``/* */`` and ``(* *)``; the last nest, and are none in the code of threads, where ``(*p)``
    reads memory.

    Parameters
    ----------
    text, path : str
    language : str
        The first word.

    Returns
    -------
    Source

    Raises
    ------
    InputError
        Where the header is wrong, a comment does not end, or a character is in no token.

    Examples
    --------
    >>> source = scan('C SB "store buffering"' + chr(10) + "{ x = 1; }  (* nothing else *)", "SB.litmus")
    >>> source.name, source.title, [token.text for token in source.tokens]
    ('SB', 'store buffering', ['{', 'x', '=', '1', ';', '}', ''])
    """
    return _Scanner(text, path, language).scan()


def tokenize(text: str, path: str, line: int, column: int) -> list[Token]:
    """Give the tokens of a text that stands at a place in a test.

    Examples
    --------
    >>> [(token.text, token.column) for token in tokenize("0:r0 = 1", "one.litmus", 2, 9)]
    [('0', 9), (':', 10), ('r0', 11), ('=', 14), ('1', 16), ('', 17)]
    """
    return _Scanner.tokens(text, path, line, column)


class _Scanner(LitmusScanner):
    token = _TOKEN

    def __init__(self, text: str, path: str, language: str = "C") -> None:
        super().__init__(text, path, language)
        self._depth = self._blocks = 0

    def introduction(self) -> None:
        """Read texts, ``key=value`` and comments."""
        rest = self.text[self.position :].partition("\n")[0].strip()
        if rest and not rest.startswith(('"', "(*", "//", "/*", "{")):
            raise self.error(f"unexpected {rest.split()[0]!r} behind the test's name", self.text.find(rest))
        while True:
            self.skip()
            if self.text.startswith('"', self.position):
                self._quoted()
            elif not self.take(_INFORMATION):
                return

    def _quoted(self) -> None:
        end = self.text.find('"', self.position + 1)
        if end < 0:
            raise self.error("this text is not closed", self.position)
        if not self.source.title:
            self.source.title = " ".join(self.text[self.position + 1 : end].split())
        self.position = end + 1

    def code_follows(self) -> bool:
        """Tell whether a block in braces is open that is not the first, the initial state."""
        mark = self.source.tokens[-1].text
        if mark == "{":
            self._depth += 1
        elif mark == "}":
            self._depth -= 1
            self._blocks += self._depth == 0
        return self._depth != 0 and self._blocks != 0


class Cursor:
    """A place in the tokens of a test.

    Parameters
    ----------
    tokens : list of Token
        The last of kind ``end``.
    path : str
        For error messages.
    source : str
        The text that the tokens come from.

    Attributes
    ----------
    token : Token
        The current token.
    text : str
        Its text.
    """

    __slots__ = ("_index", "_source", "_tokens", "path", "text", "token")

    def __init__(self, tokens: list[Token], path: str, source: str) -> None:
        self._tokens = tokens
        self._source = source
        self._index = 0
        self.path = path
        self.token = tokens[0]
        self.text = self.token.text

    def ahead(self, distance: int) -> Token:
        """Give the token that comes `distance` after the current one."""
        return self._tokens[min(self._index + distance, len(self._tokens) - 1)]

    def next(self) -> Token:
        """Take the current token."""
        token = self.token
        if token.kind != "end":
            self._index += 1
            self.token = self._tokens[self._index]
            self.text = self.token.text
        return token

    def accept(self, *texts: str) -> Token | None:
        """Take the current token if it is one of these."""
        return self.next() if self.text in texts else None

    def expect(self, text: str) -> Token:
        """Take the current token, which has to be this one."""
        if self.text != text:
            self.unexpected(f"{text!r}")
        return self.next()

    def name(self, what: str) -> Token:
        """Take the current token, which has to be a word."""
        if self.token.kind != "word":
            self.unexpected(what)
        return self.next()

    def source_since(self, start: Token) -> str:
        """Give the text from `start` up to the current token, in one line."""
        last = self._tokens[self._index - 1]
        return " ".join(self._source[start.offset : last.offset + len(last.text)].split())

    def error(self, message: str, token: Token | None = None) -> InputError:
        """Make an error at a token, or at the current one."""
        at = token if token is not None else self.token
        return InputError(message, self.path, at.line, at.column)

    def unexpected(self, wanted: str) -> NoReturn:
        """Raise: the current token is not what is wanted."""
        found = "the file ends here" if self.token.kind == "end" else f"unexpected {self.text!r}"
        raise self.error(f"{found}: expected {wanted}")
