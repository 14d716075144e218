"""Changes to text that need not leave it valid: what a typing error, a broken tool or an attacker might give."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random

__all__ = ["mutate", "tokens"]

_TOKEN = re.compile(r"\s+|[A-Za-z_%@!$][\w.%@!$-]*|\d+|.", re.DOTALL)

_NUMBERS = (
    "0", "1", "-1", "2", "3", "7", "8", "31", "32", "63", "64", "127", "128", "255", "256", "65535", "2147483647",
    "2147483648", "-2147483648", "4294967296", "9223372036854775807", "9223372036854775808", "18446744073709551616",
    "340282366920938463463374607431768211456", "1" + "0" * 40, "9" * 5000, "0x10", "0x", "1e9", "1e999", "nan", "inf",
    "1.5", "-0", "00", "1_000", "٣",
)  # fmt: skip

_ODD = (
    "\0", "\x01", "\x1b[31m", "\x7f", "\x85", "\u202e", "\u2028", "\ufeff", "\U0001f600", "é", "\\", '"', "'", "`", "%",
    "%%", "%0", "@", "!", "{", "}", "(", ")", "[", "]", "<", ">", ",", ";", ":", "=", "|", "&", "~", "*", "/*", "(*",
    "*)", "//", "#", "\n", "\r", "\r\n", "\t", "\v", "\f", " ", "", "true", "false", "undef", "poison", "null", "None",
)  # fmt: skip

_MOST = 200_000
"""Characters of an input: what grows without end shows itself earlier."""


def tokens(text: str) -> list[str]:
    """Cut a text into words, numbers, blanks and single characters, which joined give the text.

    >>> tokens("%r0 = load i32")
    ['%r0', ' ', '=', ' ', 'load', ' ', 'i32']
    """
    return _TOKEN.findall(text)


def mutate(text: str, words: Sequence[str], other: str, choose: Random) -> bytes:
    """Change a text in one to a few places.

    Parameters
    ----------
    text : str
    words : sequence of str
        Tokens of texts of its kind.
    other : str
        Another text of its kind, to take pieces from.
    choose : Random

    Returns
    -------
    bytes
        What the file holds; now and then no UTF-8.
    """
    for _ in range(choose.choice((1, 1, 1, 2, 2, 3, 5))):
        text = choose.choices(_CHANGES, _WEIGHTS)[0](text, words, other, choose)[:_MOST]
    data = text.encode("utf-8", "surrogatepass")
    return _bytes(data, choose) if choose.random() < 0.03 else data


def _bytes(data: bytes, choose: Random) -> bytes:
    changed = bytearray(data or b"?")
    for _ in range(choose.randint(1, 4)):
        changed[choose.randrange(len(changed))] = choose.randrange(256)
    return bytes(changed)


Change = Callable[[str, Sequence[str], str, Random], str]


def _lines(change: Callable[[list[str], str, Random], None]) -> Change:
    def changed(text: str, words: Sequence[str], other: str, choose: Random) -> str:
        lines = text.splitlines(keepends=True) or [""]
        change(lines, other, choose)
        return "".join(lines)

    return changed


def _pieces(change: Callable[[list[str], int, Sequence[str], Random], None]) -> Change:
    def changed(text: str, words: Sequence[str], other: str, choose: Random) -> str:
        pieces = tokens(text) or [""]
        solid = [place for place, piece in enumerate(pieces) if not piece.isspace()] or [0]
        change(pieces, choose.choice(solid), words, choose)
        return "".join(pieces)

    return changed


def _drop_lines(lines: list[str], other: str, choose: Random) -> None:
    first = choose.randrange(len(lines))
    del lines[first : first + choose.choice((1, 1, 1, 2, 5))]


def _repeat_line(lines: list[str], other: str, choose: Random) -> None:
    line = choose.choice(lines)
    lines[choose.randrange(len(lines)) : 0] = [line] * choose.choice((1, 1, 2, 20))


def _swap_lines(lines: list[str], other: str, choose: Random) -> None:
    a, b = choose.randrange(len(lines)), choose.randrange(len(lines))
    lines[a], lines[b] = lines[b], lines[a]


def _take_line(lines: list[str], other: str, choose: Random) -> None:
    theirs = other.splitlines(keepends=True) or [""]
    first = choose.randrange(len(theirs))
    place = choose.randrange(len(lines) + 1)
    lines[place:place] = theirs[first : first + choose.choice((1, 1, 2, 4))]


def _drop(pieces: list[str], place: int, words: Sequence[str], choose: Random) -> None:
    del pieces[place : place + choose.choice((1, 1, 1, 2, 3, 10))]


def _replace(pieces: list[str], place: int, words: Sequence[str], choose: Random) -> None:
    pieces[place] = choose.choice(words)


def _replace_by_own(pieces: list[str], place: int, words: Sequence[str], choose: Random) -> None:
    pieces[place] = choose.choice(pieces)


def _insert(pieces: list[str], place: int, words: Sequence[str], choose: Random) -> None:
    pieces.insert(place, choose.choice((choose.choice(words), choose.choice(_ODD))))


def _odd(pieces: list[str], place: int, words: Sequence[str], choose: Random) -> None:
    pieces[place] = choose.choice(_ODD)


def _number(pieces: list[str], place: int, words: Sequence[str], choose: Random) -> None:
    numbers = [place for place, piece in enumerate(pieces) if piece.isdigit()]
    pieces[choose.choice(numbers) if numbers else place] = choose.choice(_NUMBERS)


def _rename(pieces: list[str], place: int, words: Sequence[str], choose: Random) -> None:
    """One name becomes another of the text's, wherever it stands."""
    names = [piece for piece in pieces if piece[0:1].isalpha() or piece[0:1] in ("%", "@", "!")]
    if names:
        old, new = choose.choice(names), choose.choice((choose.choice(names), choose.choice(words)))
        pieces[:] = [new if piece == old else piece for piece in pieces]


def _nest(pieces: list[str], place: int, words: Sequence[str], choose: Random) -> None:
    opening, closing = choose.choice(
        (("(", ")"), ("[", "]"), ("{", "}"), ("~", ""), ("(*", "*)"), ("-", ""), ("<", ">"))
    )
    depth = choose.choice((1, 2, 50, 3000))
    pieces[place] = opening * depth + pieces[place] + closing * choose.choice((depth, depth, depth - 1))


def _repeat(pieces: list[str], place: int, words: Sequence[str], choose: Random) -> None:
    length = choose.choice((1, 2, 3, 8))
    chunk = pieces[place : place + length]
    pieces[place:place] = chunk * choose.choice((1, 2, 10, 300))


def _cut(text: str, words: Sequence[str], other: str, choose: Random) -> str:
    return text[: choose.randrange(len(text) + 1)]


def _cross(text: str, words: Sequence[str], other: str, choose: Random) -> str:
    return text[: choose.randrange(len(text) + 1)] + other[choose.randrange(len(other) + 1) :]


def _character(text: str, words: Sequence[str], other: str, choose: Random) -> str:
    place = choose.randrange(len(text) + 1)
    new = choose.choice(("", chr(choose.randrange(32, 127)), choose.choice(_ODD)))
    return text[:place] + new + text[place + choose.randrange(2) :]


_CHANGES, _WEIGHTS = zip(
    (_lines(_drop_lines), 4),
    (_lines(_repeat_line), 3),
    (_lines(_swap_lines), 3),
    (_lines(_take_line), 4),
    (_pieces(_drop), 6),
    (_pieces(_replace), 8),
    (_pieces(_replace_by_own), 6),
    (_pieces(_insert), 5),
    (_pieces(_odd), 4),
    (_pieces(_number), 6),
    (_pieces(_rename), 3),
    (_pieces(_nest), 1),
    (_pieces(_repeat), 2),
    (_cut, 1),
    (_cross, 1),
    (_character, 5),
    strict=True,
)
