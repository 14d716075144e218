"""Whether a wait may be taken as one evaluation: what threads that are unfolded step by step wait for and store."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Set

from enumerator.program.instructions import Call, Constant, IndirectCall, Ordering, Store
from enumerator.program.test import Test
from enumerator.program.types import store_size
from enumerator.program.values import Pointer
from enumerator.unfold.layout import site_of
from enumerator.unfold.paths import Location
from enumerator.unfold.rewritten import WaitsRace
from enumerator.unfold.waiting import PlainStore

__all__ = ["Waits"]


class Waits:
    """What threads wait for, and what they store.

    Parameters
    ----------
    test : Test
    raced : set of str
        The objects of which this is known, by where they are made.
    """

    def __init__(self, test: Test, raced: Set[str]) -> None:
        self._raced = raced
        self._threads = {thread.name: thread for thread in test.threads}
        self._waited = defaultdict[str, set[tuple[Location, str]]](set)  # by object
        self._stored = defaultdict[str, set[PlainStore]](set)
        if all(thread.creation is None for thread in test.threads):  # where they stand does not matter
            for each in _plain_stores(test):
                self._stored[each.location.object].add(each)

    def store(self, stores: Iterable[PlainStore]) -> None:
        """Note plain stores.

        Raises
        ------
        WaitsRace
        """
        for each in stores:
            known = self._stored[each.location.object]
            if each not in known:
                known.add(each)
                self._compare(self._waited[each.location.object], [each])

    def wait(self, location: Location, thread: str, part: bool) -> None:
        """Note that a thread waits for a location, or for one of several that an access has for its parts.

        Raises
        ------
        WaitsRace
        """
        self._waited[location.object].add((location, thread))
        if part and site_of(location.object) not in self._raced:
            raise WaitsRace(location)
        self._compare([(location, thread)], self._stored[location.object])

    def _compare(self, waited: Iterable[tuple[Location, str]], stored: Iterable[PlainStore]) -> None:
        for location, thread in waited:
            if site_of(location.object) in self._raced:
                continue
            for store in stored:
                if location.overlaps(store.location) and store.may_race(self._threads[thread], self._threads):
                    raise WaitsRace(location)


def _plain_stores(test: Test) -> Iterator[PlainStore]:
    """Give the plain stores of threads at known addresses, on whatever path."""
    for thread in test.threads:
        reached, stack = {thread.function}, [thread.function]
        while stack:
            for each in (part for block in test.functions[stack.pop()].blocks for part in block.body):
                if isinstance(each, Store) and each.annotation.ordering < Ordering.MONOTONIC:
                    if isinstance(each.address, Constant) and isinstance(each.address.value, Pointer):
                        pointer = each.address.value
                        yield PlainStore(Location(pointer.object, pointer.offset, store_size(each.type)), thread.name)
                called = {each.function} if isinstance(each, Call) else set[str]()
                called = set(test.functions) if isinstance(each, IndirectCall) else called & set(test.functions)
                stack += called - reached
                reached |= called
