"""What the scanners of litmus tests share: tokens and their places, blanks, and comments, which hold directives."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field

from enumerator.errors import InputError
from enumerator.frontend.directives import Comment

__all__ = ["Scanner", "Source", "Token"]

_BLANK = re.compile(r"\s+")
_NESTED = re.compile(r"\(\*|\*\)")


def _without_end(content: str) -> str:
    """Take the end mark from the last line of a comment, and the margin from any."""
    content = content.rstrip()
    if content.endswith(("*)", "*/")):
        content = content[:-2]
    return content.rstrip("* \t\r\f\v").rstrip()


@dataclass(frozen=True, slots=True)
class Token:
    """A token: its kind (``word``, ``number``, ``mark`` or ``end``), text, place, and offset in the source."""

    kind: str
    text: str
    line: int
    column: int
    offset: int = 0


@dataclass
class Source:
    """A scanned test.

    Parameters
    ----------
    name : str
        The header's.
    title : str
        The quoted text behind the header, if there is one.
    tokens : list of Token
        All that follows the header; the last is of kind ``end``.
    comments : list of Comment
        The lines of the comments that stand at the start of a line.
    """

    name: str
    title: str = ""
    tokens: list[Token] = field(default_factory=list)
    comments: list[Comment] = field(default_factory=list)


class Scanner:
    """A walk over a text; what it finds is kept in a source.

    Comments are ``//``, ``/* */`` and, where they may nest, ``(* *)``.

    Parameters
    ----------
    text, path : str
    """

    def __init__(self, text: str, path: str) -> None:
        self._text = text
        self._path = path
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]
        self._position = 0
        self._source = Source("")

    def _token(self, pattern: re.Pattern[str]) -> str:
        """Keep the token at hand, whose kind is the group of the pattern that it is in, and give its text."""
        match = pattern.match(self._text, self._position)
        if match is None:
            raise self._error(f"unexpected {self._text[self._position]!r}", self._position)
        kind, word = match.lastgroup or "", match[0]
        if kind == "number" and re.match(r"\w", self._text[match.end() : match.end() + 1]):
            raise self._error("this number is malformed", match.start())
        self._source.tokens.append(Token(kind, word, *self._place(match.start()), match.start()))
        self._position = match.end()
        return word

    def _finish(self) -> Source:
        """Keep the token of the end."""
        end = len(self._text.rstrip())
        self._source.tokens.append(Token("end", "", *self._place(end), end))
        return self._source

    def _skip(self, nested: bool = True) -> None:
        """Skip blanks and comments, keeping the comments."""
        while True:
            if match := _BLANK.match(self._text, self._position):
                self._position = match.end()
            mark = self._text[self._position : self._position + 2]
            start = self._position
            if mark == "//":
                end = self._text.find("\n", start)
                self._position = end if end >= 0 else len(self._text)
            elif mark == "/*":
                end = self._text.find("*/", start + 2)
                if end < 0:
                    raise self._error("this comment is not closed", start)
                self._position = end + 2
            elif mark == "(*" and nested:
                self._position = self._end_of_nested(start)
            else:
                return
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
            content = _without_end(content)
            if content:
                place = before + 1 if number else before + column
                self._source.comments.append(Comment(content, line + number, place))

    def _place(self, position: int) -> tuple[int, int]:
        line = bisect_right(self._starts, position)
        return line, position - self._starts[line - 1] + 1

    def _error(self, message: str, position: int) -> InputError:
        return InputError(message, self._path, *self._place(position))
