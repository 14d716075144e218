"""Who has looked at what, and is to look again where that has changed since."""

from __future__ import annotations

from collections.abc import Hashable

__all__ = ["Watched"]

_NOBODY: frozenset[str] = frozenset()


class Watched:
    """Facts that grow, each with those that have looked at it.

    Attributes
    ----------
    reader : str
        Who looks now; empty: nobody who would look again.
    due : set of str
        Those that have looked at what has changed since.
    """

    def __init__(self) -> None:
        self.reader, self.due = "", set[str]()
        self._readers: dict[Hashable, set[str]] = {}

    def look(self, fact: Hashable) -> None:
        """Note that a fact is looked at."""
        if self.reader:
            self._readers.setdefault(fact, set()).add(self.reader)

    def change(self, fact: Hashable) -> None:
        """Note that a fact has changed."""
        self.due |= self._readers.get(fact, _NOBODY)
