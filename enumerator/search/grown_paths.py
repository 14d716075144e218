"""The paths of executions that were grown: they are unfolded again, as a trie does not have all of them."""

from __future__ import annotations

from collections.abc import Sequence

from enumerator.clock import unlimited
from enumerator.program.values import Value
from enumerator.search.tries import GrownTries
from enumerator.unfold.arithmetic import evaluate
from enumerator.unfold.growing import Segment, expand
from enumerator.unfold.missed import MISSED
from enumerator.unfold.paths import Path

__all__ = ["GrownPaths"]


class GrownPaths:
    """The paths of the threads of a test that some execution has taken.

    Where two ways of a thread come to the same, a trie has what follows once, behind one of them
    (:mod:`enumerator.unfold.alike`).

    Parameters
    ----------
    tries : GrownTries

    Attributes
    ----------
    of_thread : list of list of Path
        By thread, in the order in which they were asked for.
    """

    def __init__(self, tries: GrownTries) -> None:
        self._tries = tries
        self.of_thread: list[list[Path]] = [[] for _ in tries.test.threads]
        self._numbers: dict[int, int] = {}
        self._unfolded: dict[tuple[int, int], list[Segment]] = {}

    def find(self, thread: int, ended: int, events: Sequence[int], values: Sequence[Value]) -> int:
        """Give the number of a path among those of its thread.

        Parameters
        ----------
        thread : int
        ended : int
            The number of its end in the trie.
        events : sequence of int
            The numbers of its events.
        values : sequence of Value
            What these read and write.

        Returns
        -------
        int
        """
        with unlimited():
            path = self._path(thread, ended, events, values)
        if id(path) not in self._numbers:
            self._numbers[id(path)] = len(self.of_thread[thread])
            self.of_thread[thread].append(path)
        return self._numbers[id(path)]

    def _path(self, thread: int, ended: int, events: Sequence[int], values: Sequence[Value]) -> Path:
        """Follow the values from node to node; where one leads on in several ways, events or the end tell which it was.

        What stands beside a node is the segment that is its own in this path, and how many events come before it.
        """
        tries = self._tries
        stack = [(node, segment, 0) for node, segment in tries.starts(thread)]
        while stack:
            node, segment, before = stack.pop()
            count = tries.arrays.count(node)
            if not tries.arrays.follows(node, events, before):
                continue
            if segment.path is not None:
                if tries.arrays.end(node) == ended and before + count == len(events):
                    return segment.path
                continue
            assert segment.fork is not None
            # Who stays at a barrier has another end there than who leaves it.
            decided = (0, 1) if segment.fork is MISSED else (evaluate(segment.fork, values.__getitem__),)
            for value in map(tries.values.number, decided):
                if children := tries.arrays.children(node, value):
                    below = self._below(node, segment, value)
                    stack += [(each, own, before + count) for each, own in zip(children, below, strict=True)]
        raise AssertionError("the search has taken a path that is in no trie")

    def _below(self, node: int, segment: Segment, value: int) -> list[Segment]:
        """Give the segments that follow one after a value, those of a node's children if it is that of their node."""
        key = id(segment), value
        if key not in self._unfolded:
            known = self._tries.segments_below(node, segment, value)
            self._unfolded[key] = expand(segment, self._tries.values.value(value)) if known is None else known
        return self._unfolded[key]
