"""Tokens of a Vulkan litmus test, and its header and comments."""

from __future__ import annotations

import re
from bisect import bisect_right

from enumerator.errors import InputError
from enumerator.frontend.c.lexer import Source, Token
from enumerator.frontend.directives import Comment

__all__ = ["scan", "tokenize"]

_TOKEN = re.compile(
    r"""(?P<word>[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z0-9_]+)*)
    |(?P<number>0[xX][0-9a-fA-F]+|[0-9]+)
    |(?P<mark>/\\|\\/|=>|==|!=|&&|\|\||[-&|~!=;:,@()\[\]{}*])
    """,
    re.VERBOSE | re.ASCII,
)
_HEADER = re.compile(r"\ufeff?\s*(?:VULKAN|Vulkan)(?:[ \t]+(?P<name>[^\s\"]+))?")
_BLANK = re.compile(r"\s+")
_COMMENT = re.compile(r"//|/\*|\(\*")
_NESTED = re.compile(r"\(\*|\*\)")


def scan(text: str, path: str) -> Source:
    """Scan the text of a test.

    Parameters
    ----------
    text, path : str

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
    >>> source = scan('Vulkan MP' + chr(10) + '"message passing"' + chr(10) + "{ x = 1; }  (* no more *)", "MP.litmus")
    >>> source.name, source.title, [token.text for token in source.tokens]
    ('MP', 'message passing', ['{', 'x', '=', '1', ';', '}', ''])
    """
    return _Scanner(text, path).run()


def tokenize(text: str, path: str, line: int, column: int) -> list[Token]:
    """Give the tokens of a text that stands at a place in a test.

    Examples
    --------
    >>> [(token.text, token.column) for token in tokenize("P0:r0 == 1", "one.litmus", 2, 9)]
    [('P0', 9), (':', 11), ('r0', 12), ('==', 15), ('1', 18), ('', 19)]
    """
    padding = "\n" * (line - 1) + " " * (column - 1)
    return _Scanner(padding + text, path).rest().tokens


class _Scanner:
    def __init__(self, text: str, path: str) -> None:
        self._text = text
        self._path = path
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]
        self._position = 0
        self._source = Source("")

    def run(self) -> Source:
        """Scan a test."""
        match = _HEADER.match(self._text)
        assert match is not None  # the first word is how the format was recognised
        if match["name"] is None:
            message = "the test has no name: expected VULKAN and a name in the first line"
            raise self._error(message, match.end())
        self._source.name = match["name"]
        self._position = match.end()
        self._description()
        return self.rest()

    def rest(self) -> Source:
        """Scan what follows the header."""
        while True:
            self._skip()
            if self._position >= len(self._text):
                break
            match = _TOKEN.match(self._text, self._position)
            if match is None:
                raise self._error(f"unexpected {self._text[self._position]!r}", self._position)
            if match.lastgroup == "number" and re.match(r"\w", self._text[match.end() : match.end() + 1]):
                raise self._error("this number is malformed", match.start())
            place = self._place(match.start())
            self._source.tokens.append(Token(match.lastgroup or "", match[0], *place, match.start()))
            self._position = match.end()
        end = len(self._text.rstrip())
        self._source.tokens.append(Token("end", "", *self._place(end), end))
        return self._source

    def _description(self) -> None:
        """Skip the lines before the initial state; they may quote what they like."""
        rest = self._text[self._position :].partition("\n")[0]
        if rest.strip().startswith("{"):
            return
        self._describe(rest)
        self._position += len(rest)
        while True:
            self._skip()
            if self._position >= len(self._text) or self._text[self._position] == "{":
                return
            line = self._text[self._position :].partition("\n")[0]
            self._describe(line)
            self._position += len(line)

    def _describe(self, line: str) -> None:
        text = " ".join(line.strip().strip('"').split())
        if text and not self._source.title and not _COMMENT.match(text):
            self._source.title = text

    def _skip(self) -> None:
        """Skip blanks and comments, keeping the comments."""
        while True:
            if match := _BLANK.match(self._text, self._position):
                self._position = match.end()
            start = self._position
            mark = _COMMENT.match(self._text, start)
            if mark is None:
                return
            if mark[0] == "//":
                end = self._text.find("\n", start)
                self._position = end if end >= 0 else len(self._text)
            elif mark[0] == "/*":
                end = self._text.find("*/", start + 2)
                if end < 0:
                    raise self._error("this comment is not closed", start)
                self._position = end + 2
            else:
                self._position = self._end_of_nested(start)
            self._keep(start, self._position)

    def _end_of_nested(self, start: int) -> int:
        depth = 0
        for match in _NESTED.finditer(self._text, start):
            depth += 1 if match[0] == "(*" else -1
            if depth == 0:
                return match.end()
        raise self._error("this comment is not closed", start)

    def _keep(self, start: int, end: int) -> None:
        """Keep the lines of a comment that stands at the start of a line, without marks and margins."""
        line, column = self._place(start)
        if self._text[start - column + 1 : start].strip("\ufeff \t"):
            return
        for number, row in enumerate(self._text[start:end].split("\n")):
            content = row.lstrip("/* \t\r") if number else row[2:].lstrip("/* \t\r")
            before = len(row) - len(content)
            content = re.sub(r"[\s*]*(?:\*\)|\*/)?\s*\Z", "", content)
            if content:
                place = before + 1 if number else before + column
                self._source.comments.append(Comment(content, line + number, place))

    def _place(self, position: int) -> tuple[int, int]:
        line = bisect_right(self._starts, position)
        return line, position - self._starts[line - 1] + 1

    def _error(self, message: str, position: int) -> InputError:
        return InputError(message, self._path, *self._place(position))
