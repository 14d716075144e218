"""Smaller inputs that still do the same: pieces are taken away as long as they can be."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tests.fuzz.mutations import tokens

__all__ = ["minimize", "smallest"]

First = Callable[[list[bytes]], int | None]
"""Gives the place of the first input of a list that still does it."""


def minimize(data: bytes, first: First, runs: int = 400) -> bytes:
    """Take away lines, then tokens, then characters of what is left.

    Parameters
    ----------
    data : bytes
    first : callable
        Gives the place of the first one of several inputs that does what the first input did, or None.
    runs : int
        About how many inputs it may be given.

    Returns
    -------
    bytes

    Examples
    --------
    >>> def first(candidates):
    ...     return next((place for place, data in enumerate(candidates) if b"three" in data), None)
    >>> minimize(b"one\\ntwo three\\nfour\\n", first)
    b'three'
    """
    budget = [runs]

    def asked(candidates: list[bytes]) -> int | None:
        candidates = candidates[: max(budget[0], 0)]
        place = first(candidates) if candidates else None
        budget[0] -= len(candidates) if place is None else place + 1
        return place

    data = b"".join(smallest(data.splitlines(keepends=True), asked))
    try:
        pieces = [piece.encode() for piece in tokens(data.decode("utf-8"))]
    except UnicodeDecodeError:
        pieces = [bytes([each]) for each in data]
    pieces = smallest(pieces, asked)
    if len(pieces) <= 20:
        pieces = smallest([bytes([each]) for piece in pieces for each in piece], asked)
    return b"".join(pieces)


def smallest(pieces: Sequence[bytes], first: First) -> list[bytes]:
    """Delta debugging: a list from which no single piece can be taken (or as far as ``first`` lets it go)."""
    kept = list(pieces)
    size = max(len(kept) // 2, 1)
    while True:
        place, shrunk = 0, False
        while place < len(kept):
            starts = range(place, len(kept), size)
            found = first([b"".join(kept[:start] + kept[start + size :]) for start in starts])
            if found is None:
                break
            place = starts[found]
            kept, shrunk = kept[:place] + kept[place + size :], True
        if size > 1:
            size = max(size // 2, 1)
        elif not shrunk:
            return kept
