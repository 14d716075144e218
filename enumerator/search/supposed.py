"""Writes that no thread has come to, but may where a read returns undef: others may return undef beside them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Set
from functools import cached_property

from enumerator.program.instructions import Annotation, CompareExchange, Free, Freeze, Store
from enumerator.program.test import Test
from enumerator.search import opcodes as op
from enumerator.search.grown_events import GrownEvents
from enumerator.unfold.independent import made_at_one_place, with_read_addresses
from enumerator.unfold.later import Later, writes_in, writes_to_come
from enumerator.unfold.paths import PathEvent
from enumerator.unfold.thread import ThreadState

__all__ = ["SupposedWrites"]

_Told = tuple[int, Annotation, int | None, str]
"""A thread, and the annotation, line and object of a write."""


class SupposedWrites:
    """The writes that threads of a test may come to.

    Parameters
    ----------
    test : Test
    """

    def __init__(self, test: Test) -> None:
        self._test = test

    @cached_property
    def _made_at_one_place(self) -> frozenset[int]:
        return made_at_one_place(self._test.functions, {thread.function for thread in self._test.threads})

    @cached_property
    def _read_addresses(self) -> frozenset[int]:
        return with_read_addresses(self._test.functions.values())

    def enter(
        self,
        events: GrownEvents,
        starts: Iterable[tuple[int, ThreadState]],
        written: Set[_Told],
    ) -> None:
        """Add events for writes that no thread has come to, so that it is asked which reads may be undef beside them.

        Reads that are undef may depend on each other: each races with a write that is there because the other one is
        undef, which only a compare-exchange and a ``freeze`` go on from. And where an assumption refuses each value
        that a read may have so far, nobody comes to the write beside which it is undef. Of an instruction whose address
        is read, or by its text the same each time, and that has written somewhere, it is taken that it writes nowhere
        else; and where an address is read, that it is one of what is accessed as there.

        Parameters
        ----------
        events : GrownEvents
        starts : iterable of (int, ThreadState)
            Where threads begin, each with its number.
        written : set of (int, Annotation, int or None, str)
            The writes that there are, by thread, annotation, line and object.
        """
        if not (self._test.has(CompareExchange, Freeze) or self._test.may_refuse_all):
            return
        columns = events.columns.arrays
        writes = (each for each in range(events.count) if columns["e_kind"][each] == "RWFB".index("W"))
        known = {(events.kind_of(each), int(columns["e_loc"][each])) for each in writes}
        somewhere = {told[:3] for told in written}
        for thread, state in starts:
            later = writes_to_come(state)
            alike = Counter(told for write in later or () for told in _places(thread, write))
            for write in writes_in(self._test) if later is None else later:
                note, half = write.instruction.annotation, not isinstance(write.instruction, Store | Free)
                is_read = write.objects is None or id(write.instruction) in self._read_addresses
                if is_read:
                    if (thread, note, write.instruction.line) in somewhere:
                        continue
                elif id(write.instruction) in self._made_at_one_place and all(
                    told in written and alike[told] == 1 for told in _places(thread, write)
                ):
                    continue
                for place, location in enumerate(events.locations):
                    if not write.may_access(location):
                        continue
                    if is_read and not (write.fits(location) or isinstance(write.instruction, Free)):
                        continue
                    event = PathEvent("W", write.annotation(location), 0, location, rmw=0 if half else None)
                    kind = events.kinds.of_events(thread, (event,))[0]
                    if (kind, place) not in known:
                        known.add((kind, place))
                        events.add(thread, event, kind, op.NO_HALF, (), supposed=True)


def _places(thread: int, write: Later) -> list[_Told]:
    """Tell of a write in the code of a thread what is told of those that it has made, for each object it may be to."""
    instruction = write.instruction
    return [(thread, instruction.annotation, instruction.line, each) for each in write.objects or ()]
