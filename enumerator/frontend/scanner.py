"""What scanners of litmus tests share, in C as in columns: the header, tokens with their places, comments."""

from __future__ import annotations

import re
from dataclasses import field
from typing import ClassVar

from enumerator.frontend.directives import Comment
from enumerator.frozen import dataclass
from enumerator.scanning import Scanner

__all__ = ["Source", "LitmusScanner", "Token"]

_BLANK = re.compile(r"\s*(?=(//|/\*|\(\*)?)")
"""Blanks, and the mark of the comment that follows them, if one does."""


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


@dataclass()
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


class LitmusScanner(Scanner):
    """Reads the header, the tokens and the comments of a test; subclasses say what they look like.

    Comments are ``//``, ``/* */`` and, where they may nest, ``(* *)``.

    Attributes
    ----------
    token : re.Pattern
        Has a group for each kind of token.
    any_case : bool
        Whether the first word of the header, the language, may be in small letters or capitals.
    """

    token: ClassVar[re.Pattern[str]]
    any_case: ClassVar[bool] = False

    def __init__(self, text: str, path: str, language: str = "") -> None:
        super().__init__(text, path)
        self.language = language
        self.source = Source("")

    @classmethod
    def tokens(cls, text: str, path: str, line: int, column: int) -> list[Token]:
        """Give the tokens of a text that stands at a place in a test."""
        padding = "\n" * (line - 1) + " " * (column - 1)
        return cls(padding + text, path).rest().tokens

    def scan(self) -> Source:
        """Read a test."""
        word = f"(?i:{self.language})" if self.any_case else self.language
        match = self.take(re.compile(rf"\ufeff?\s*{word}(?:[ \t]+(?P<name>[^\s\"]+))?"))
        assert match is not None  # the first word is how the format was recognised
        if match["name"] is None:
            message = f"the test has no name: expected {self.language} and a name in the first line"
            raise self.error(message, match.end())
        self.source.name = match["name"]
        self.introduction()
        return self.rest()

    def introduction(self) -> None:
        """Read what may stand between the header and the initial state."""
        raise NotImplementedError

    def code_follows(self) -> bool:
        """Tell whether the code of threads follows, in which ``(*`` starts no comment."""
        return False

    def rest(self) -> Source:
        """Read the tokens that follow."""
        self.skip()
        tokens, starts, line = self.source.tokens, self.starts, 0
        while not self.at_end:
            start = self.position
            match = self.take(self.token)
            if match is None:
                raise self.error(f"unexpected {self.text[start]!r}", start)
            kind = match.lastgroup or ""
            if kind == "number" and re.match(r"\w", self.text[self.position : self.position + 1]):
                raise self.error("this number is malformed", start)
            while line < len(starts) and starts[line] <= start:
                line += 1
            tokens.append(Token(kind, match[0], line, start - starts[line - 1] + 1, start))
            self.skip(nested=not self.code_follows())
        end = len(self.text.rstrip())
        self.source.tokens.append(Token("end", "", *self.place(end), end))
        return self.source

    def skip(self, nested: bool = True) -> None:
        """Skip blanks and comments, and keep the comments."""
        while True:
            match = _BLANK.match(self.text, self.position)
            assert match is not None
            start = self.position = match.end()
            mark = match[1]
            if mark is None:
                return
            end: int | None
            if mark == "//":
                end = self.text.find("\n", start)
                end = end if end >= 0 else len(self.text)
            elif mark == "/*":
                end = self.text.find("*/", start + 2) + 2
                end = end if end >= 2 else None
            elif mark == "(*" and nested:
                end = self.end_of_nested(start)
            else:
                return
            if end is None:
                raise self.error("this comment is not closed", start)
            self.position = end
            self._keep(start, end)

    def _keep(self, start: int, end: int) -> None:
        """Keep the lines of a comment that stands at the start of a line, without marks and margins."""
        line, column = self.place(start)
        if self.text[start - column + 1 : start].strip("\ufeff \t"):
            return
        for number, row in enumerate(self.text[start:end].split("\n")):
            content = row.lstrip("/* \t\r") if number else row[2:].lstrip("/* \t\r")
            before = len(row) - len(content)
            content = _without_end(content)
            if content:
                place = before + 1 if number else before + column
                self.source.comments.append(Comment(content, line + number, place))
