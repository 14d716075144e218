"""What the text of a test says, whatever its threads come to: asked once for all that is unfolded of it."""

from __future__ import annotations

from collections.abc import Mapping, Set
from functools import cached_property
from typing import Any

from enumerator.program.instructions import Exit, Function
from enumerator.program.test import Test, Thread
from enumerator.program.values import Value
from enumerator.scopes import thread_properties
from enumerator.unfold.constants import constants, fixed_objects, named_functions
from enumerator.unfold.inert import Inert, inert_of
from enumerator.unfold.live_slots import slots_of
from enumerator.unfold.liveness import Liveness, shown_registers, unused_reads
from enumerator.unfold.loops import Flow, flow_of
from enumerator.unfold.mixed import Mixed
from enumerator.unfold.paths import Location
from enumerator.unfold.places import Place, Places
from enumerator.unfold.pointing import Origin, origins_of
from enumerator.unfold.serial import tells_apart
from enumerator.unfold.stored import Stored, handles_of, may_reach, stored_in

__all__ = ["Text"]


class Text:
    """The functions of a test, and what is known of them.

    Parameters
    ----------
    test : Test
    asked : set of str or None
        The registers whose last values are asked for, by names in results; None: all.

    Attributes
    ----------
    asked : set of str or None
    code : dict
        What was asked about the code (:mod:`enumerator.unfold.independent`).
    returns : dict
        From which places of the code a loop may begin an iteration as it was (:mod:`enumerator.unfold.unchanged`).
    given : dict of str to tuple of str
        By function, the registers that what it writes depends on (:mod:`enumerator.unfold.later`).
    """

    def __init__(self, test: Test, asked: Set[str] | None) -> None:
        self._test, self.asked = test, asked
        self._flows: dict[str, Flow] = {}
        self._inert: dict[str, Inert] = {}
        self._liveness: dict[str, Liveness] = {}
        self._live: dict[str, tuple[Mapping[str, frozenset[str]], Mapping[str, frozenset[str]]]] = {}
        self._slots: dict[str, frozenset[str]] = {}
        self._origins: dict[str, Mapping[str, list[Origin]]] = {}
        self.code: dict[int, Any] = {}
        self.returns: dict[Any, bool] = {}
        self.given: dict[str, tuple[str, ...]] = {}
        self._reached: dict[tuple[Places, int | None, Location, bool], bool] = {}

    @cached_property
    def constants(self) -> tuple[Value, ...]:
        """The constants of the test (:func:`enumerator.unfold.constants.constants`)."""
        return constants(self._test)

    @cached_property
    def fixed(self) -> frozenset[str]:
        """The objects that nobody writes (:func:`enumerator.unfold.constants.fixed_objects`)."""
        return fixed_objects(self._test)

    @cached_property
    def identities(self) -> Mapping[str, Mapping[str, Value]]:
        """By thread, the registers that hold its place in the grid, such as its workgroup."""
        return thread_properties(self._test)

    @cached_property
    def stored(self) -> Stored:
        """The addresses that memory may hold."""
        return stored_in(self._test.functions.values(), self._test.objects, self._test.threads)

    @cached_property
    def handles(self) -> frozenset[str]:
        """The objects that stand for threads."""
        return handles_of(self._test.threads)

    def may_be(self, place: Place, size: int | None, location: Location) -> bool:
        """Tell whether an access at what a marker stands for may be one of a location: few programs have any such."""
        return self.stored.may_be(place, size, location)

    def may_reach(self, places: Places, size: int | None, location: Location, *, of_handle: bool) -> bool:
        """Tell it as :func:`enumerator.unfold.stored.may_reach` does: once, though a search may begin anew."""
        key = places, size, location, of_handle
        found = self._reached.get(key)
        if found is None:
            found = self._reached[key] = may_reach(places, size, location, self, of_handle=of_handle)
        return found

    @cached_property
    def named(self) -> frozenset[str]:
        """The functions that calls through pointers may be of (:func:`enumerator.unfold.constants.named_functions`)."""
        return named_functions(self._test)

    @cached_property
    def unused(self) -> frozenset[int]:
        """The loads and read-modify-writes of which nothing uses what they read, by identity."""
        return frozenset(map(id, unused_reads(self._test.functions.values())))

    @cached_property
    def mixed(self) -> Mixed:
        """Where memory is accessed as several types."""
        return Mixed(self._test.functions.values())

    @property
    def threads(self) -> tuple[Thread, ...]:
        """Those of the test."""
        return self._test.threads

    def begins_alone(self, thread: Thread) -> bool:
        """Tell whether a thread is there from the beginning, and no other one is."""
        return thread.creation is None and sum(each.creation is None for each in self.threads) == 1

    @cached_property
    def tells_apart(self) -> bool:
        """Whether it matters to which thread a barrier says that it is the one (:mod:`enumerator.unfold.serial`)."""
        return tells_apart(self._test, self.asked)

    @cached_property
    def exits(self) -> bool:
        """Whether a thread may end before its function returns."""
        every = (part for each in self._test.functions.values() for part in each.instructions)
        return any(isinstance(part, Exit) and part.value is not None for part in every)

    def flow(self, function: Function) -> Flow:
        """Give the loops of a function."""
        found = self._flows.get(function.name)
        if found is None:
            found = self._flows[function.name] = flow_of(function)
        return found

    def origins(self, function: Function) -> Mapping[str, list[Origin]]:
        """Give what sets each register of a function; see :func:`enumerator.unfold.pointing.origins_of`."""
        found = self._origins.get(function.name)
        if found is None:
            found = self._origins[function.name] = origins_of(function)
        return found

    def inert(self, function: Function) -> Inert:
        """Give what a function computes in vain."""
        found = self._inert.get(function.name)
        if found is None:
            shown = shown_registers(function, self.asked)
            found = self._inert[function.name] = inert_of(function, shown, self._test.functions)
        return found

    def liveness(self, function: Function) -> Liveness:
        """Give what a function may still read, from any place in its code."""
        found = self._liveness.get(function.name)
        if found is None:
            found = self._liveness[function.name] = Liveness(function, self.asked, self.flow(function))
        return found

    def slots(self, function: Function) -> frozenset[str]:
        """Name the registers of a function that hold the addresses of its stack slots."""
        found = self._slots.get(function.name)
        if found is None:
            found = self._slots[function.name] = frozenset(slots_of(function))
        return found

    def live(self, function: Function) -> tuple[Mapping[str, frozenset[str]], Mapping[str, frozenset[str]]]:
        """Give the registers and the stack slots that a function may still read, each by block, but not in vain."""
        found = self._live.get(function.name)
        if found is None:
            inert, liveness = self.inert(function), self.liveness(function)
            found = self._live[function.name] = (
                {block: held - inert.registers for block, held in liveness.registers.items()},
                {block: held - inert.slots for block, held in liveness.slots.items()},
            )
        return found

    def carried(self, function: Function, block: str) -> frozenset[str]:
        """Give the phis of a block that may be read, and not in vain."""
        return self.liveness(function).phis[block] - self.inert(function).registers
