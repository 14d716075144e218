"""The ends of paths in executions that grow, as arrays: how they end, what they show, and the barriers they meet at."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from enumerator.search import opcodes as op
from enumerator.search.flat import BARRIER_FLAG, STUCK_FLAG, end_of, source_of
from enumerator.search.grown_events import Columns, GrownEvents
from enumerator.unfold.missed import barriers_of
from enumerator.unfold.paths import Path
from enumerator.unfold.state import TRIED

__all__ = ["GrownEnds"]

_PATH = ("p_end", "p_arrive", "p_wait", "p_tried")


class GrownEnds:
    """The paths that threads have come to the end of.

    Parameters
    ----------
    events : GrownEvents
        Those of the test.

    Attributes
    ----------
    flags : dict of str to int
        The bit of each early end.
    """

    def __init__(self, events: GrownEvents) -> None:
        self.flags: dict[str, int] = {BARRIER_FLAG: 0, STUCK_FLAG: 1}
        self._events, self._asked = events, len(events.observed.owners)
        self._paths = Columns(_PATH)
        self._stuck_first, self._stuck = np.zeros(65, dtype=np.int64), Columns(("read",))
        self._shown = np.zeros((2, 64, self._asked), dtype=np.int64)
        self._meetings: dict[tuple[int, int], int] = {}
        self._met = np.zeros((2, 64, 0), dtype=np.int64)

    @property
    def arrays(self) -> dict[str, NDArray[np.int64]]:
        """What the kernels ask of the ends of paths."""
        return {
            **self._paths.arrays,
            "stuck_first": self._stuck_first,
            "stuck_reads": self._stuck.arrays["read"],
            "p_needed": self._met[0],
            "p_completes": self._met[1],
            "obs_kind": self._shown[0],
            "obs_data": self._shown[1],
        }

    @property
    def parts(self) -> tuple[object, ...]:
        """The arrays, in whose places others come where there is too little room."""
        return self._paths.arrays, self._stuck.arrays, self._stuck_first, self._shown, self._met

    @staticmethod
    def waits_with(path: Path) -> list[int]:
        """Give the reads that a thread waits with for ever at the end of a path, by index."""
        return [] if path.end == TRIED else sorted(path.waiting)

    def add(self, thread: int, path: Path) -> int:
        """Add the end of a path of a thread; give its number."""
        number = self._paths.length
        self._paths.append(
            end_of(path.end, self.flags),
            *barriers_of(path),
            int(path.tried),
        )
        for read in self.waits_with(path):
            self._stuck.append(read)
        if number + 1 == len(self._stuck_first):
            self._stuck_first = np.concatenate([self._stuck_first, np.zeros_like(self._stuck_first)])
        if number == self._shown.shape[1]:
            self._shown = np.concatenate([self._shown, np.zeros_like(self._shown)], axis=1)
            self._met = np.concatenate([self._met, np.zeros_like(self._met)], axis=1)
        self._stuck_first[number + 1] = self._stuck.length
        for column in range(self._asked):
            owner, register = self._events.observed.registers[column]
            kind, what = op.V_KNOWN, op.UNDEF_ID
            if owner == thread and (value := path.registers.get(register)) is not None:
                kind, what = source_of(value, self._events.values, self._events.functions)
            self._shown[:, number, column] = kind, what
        for event in path.events:
            if event.barrier is not None and event.needed:
                place = self._meetings.setdefault(event.barrier, len(self._meetings))
                if place == self._met.shape[2]:
                    self._met = np.pad(self._met, ((0, 0), (0, 0), (0, 1)))
                self._met[:, number, place] = event.needed, event.completes
        return number
