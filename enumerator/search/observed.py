"""What a state shows: registers of threads, and what cells of memory hold at the end, in columns."""

from __future__ import annotations

from collections.abc import Callable

from enumerator.program.test import Test
from enumerator.program.values import UNDEF, Value
from enumerator.unfold.named import Named
from enumerator.unfold.paths import Location

__all__ = ["Observed"]


class Observed:
    """Which observed names are registers of which thread, and which are locations: a column each.

    A location that is accessed by parts, or as several types, has a column for each cell (`joined`). `find` tells the
    cells of a name.
    """

    def __init__(self, test: Test, names: tuple[str, ...], find: Callable[[str], Named]) -> None:
        numbers = {thread.name: number for number, thread in enumerate(test.threads)}
        self.owners: list[int] = []
        self.registers: list[tuple[int, str]] = []
        self.locations: list[tuple[Location, Value]] = []
        self.joined: list[tuple[int, Named]] = []
        self.named: list[Named] = []
        for name in names:
            thread, colon, register = name.partition(":")
            if colon and thread in numbers and not name.startswith("@"):
                self.owners.append(numbers[thread])
                self.registers.append((numbers[thread], register))
                self.locations.append((Location("", 0, 0), UNDEF))
            else:
                named = find(name)
                self.named.append(named)
                if named.plain or not named.cells:
                    self.locations.append((named.location, UNDEF if named.cells else named.initial()))
                else:
                    self.joined.append((len(self.owners), named))
                    self.locations += [(cell, UNDEF) for cell in named.cells]
                columns = max(len(named.cells), 1)
                self.owners += [-1] * columns
                self.registers += [(-1, "")] * columns
        self.threads = set(self.owners)
