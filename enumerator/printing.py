"""What people read on a terminal: text in which control characters are escaped.

Names come from files of strangers. An escape sequence in one could move the cursor, recolour or rename the terminal;
a mark of direction could show one name for another.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from typing import Any, TextIO, cast

__all__ = ["counted", "escaped", "escaping", "html_text", "one_line", "printable"]

# C0, DEL, C1, line and paragraph separators, marks of direction, halves of characters, marks of no width.
_CONTROL = "\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff\ufff9-\ufffb"
_IN_TEXT = re.compile(f"[{_CONTROL}]")
_IN_NAME = re.compile(f"[\t\n{_CONTROL}]")
_IN_ASCII = bytes((*range(0x09), *range(0x0B, 0x20), 0x7F))


def printable(text: str) -> str:
    r"""Escape the control characters of a text, but for line breaks and tabs.

    Parameters
    ----------
    text : str

    Returns
    -------
    str

    Examples
    --------
    >>> print(printable("x\x1b[2J and \u202ey"))
    x\x1b[2J and \u202ey
    """
    if text.isascii():  # reports are long, and nearly always free of all this, which is fast to see
        data = text.encode()
        if len(data.translate(None, _IN_ASCII)) == len(data):
            return text
    return _IN_TEXT.sub(_escape, text)


def escaped(name: str) -> str:
    r"""Escape all control characters of a name, line breaks and tabs included.

    Parameters
    ----------
    name : str

    Returns
    -------
    str

    Examples
    --------
    >>> print(escaped("a\nOk"))
    a\nOk
    """
    return _IN_NAME.sub(_escape, name)


def counted(number: int, what: str) -> str:
    """Give a number with what it counts.

    Examples
    --------
    >>> counted(1, "test"), counted(2, "test")
    ('1 test', '2 tests')
    """
    return f"{number} {what}{'s' * (number != 1)}"


def one_line(text: str) -> str:
    r"""Make one line of a text, with each run of blanks as one, and escape its control characters.

    Parameters
    ----------
    text : str

    Returns
    -------
    str

    Examples
    --------
    >>> print(one_line("a\n  b\x07"))
    a b\x07
    """
    return printable(" ".join(text.split()))


def escaping(stream: TextIO) -> TextIO:
    r"""Give a stream that is written to as this one, with control characters escaped.

    Parameters
    ----------
    stream : text stream

    Returns
    -------
    text stream

    Examples
    --------
    >>> import sys
    >>> print("\x07", file=escaping(sys.stdout))
    \x07
    """
    return cast("TextIO", _Escaping(stream))


def html_text(value: object) -> str:
    """Escape a text for a page: its control characters are written out, as on a terminal.

    Examples
    --------
    >>> html_text("<b> & \\x07")
    '&lt;b&gt; &amp; \\\\x07'
    """
    return html.escape(printable(str(value)))


class _Escaping:
    """A stream that escapes; whatever else is asked of it, the one below answers."""

    def __init__(self, below: TextIO) -> None:
        self._below = below

    def write(self, text: str) -> int:
        return self._below.write(printable(text))

    def writelines(self, lines: Iterable[str]) -> None:
        self._below.writelines(map(printable, lines))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._below, name)


def _escape(match: re.Match[str]) -> str:
    return match[0].encode("unicode_escape").decode("ascii")
