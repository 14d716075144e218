"""Which threads are symmetric while executions grow: if they change places, only names change in any execution.

See :mod:`enumerator.search.kernels.symmetric` for what follows from it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable
from dataclasses import replace
from math import factorial

from enumerator.frozen import dataclass
from enumerator.program.instructions import Function, Scope
from enumerator.program.test import Test, Thread
from enumerator.program.values import Pointer, Value
from enumerator.search import opcodes as op
from enumerator.search.symmetry import MOST_ARRANGEMENTS
from enumerator.unfold.members import members_of, registers_in
from enumerator.unfold.paths import Location

__all__ = ["Groups", "find_groups"]

_MOST_THREADS = 64
"""A bit of a word stands for each."""

_OWN = "own:"
"""Stands for the name of a thread in those of its objects."""

_FIELDS = {0: op.CREATED_FIELD, 4: op.ENDED_FIELD}
"""What is said in the object that stands for a thread (:data:`enumerator.unfold.creation.HANDLE`), by offset."""


@dataclass(frozen=True)
class Groups:
    """Groups of symmetric threads.

    Parameters
    ----------
    test : Test
    group : tuple of int
        For each thread the number of its group, -1 for none.
    """

    test: Test
    group: tuple[int, ...]

    @property
    def creators(self) -> list[int]:
        """For each thread that is in a group the number of the thread that creates it; -1 for others."""
        number = {thread.name: place for place, thread in enumerate(self.test.threads)}
        return [
            -1 if group < 0 or thread.creation is None else number[thread.creation.creator]
            for thread, group in zip(self.test.threads, self.group, strict=True)
        ]

    def belongs(self, location: Location) -> int:
        """Tell whose a location is (:class:`~enumerator.search.layout.Tries`).

        Parameters
        ----------
        location : Location

        Returns
        -------
        int
        """
        for number, (thread, group) in enumerate(zip(self.test.threads, self.group, strict=True)):
            if group >= 0 and self._is_of(location.object, thread):
                is_handle = location.object == thread.handle
                return 4 * number + (_FIELDS.get(location.offset, op.OTHER_FIELD) if is_handle else op.OWN_OBJECT)
        return -1

    def _is_of(self, name: str, thread: Thread) -> bool:
        """Tell whether an object is one of a thread's own: what stands for it, its stack and heap, its variables."""
        own = (f"{each.name}.{thread.name}" for each in self.test.thread_locals)
        return name.startswith(f"{thread.name}:") or name in own

    def any_own(self, values: Collection[Value]) -> bool:
        """Tell whether a value is an address of an object of a symmetric thread: so it tells this thread from others.

        Parameters
        ----------
        values : collection of Value

        Returns
        -------
        bool
        """
        return any(isinstance(each, Pointer) and self.belongs(Location(each.object, 0, 1)) >= 0 for each in values)


def find_groups(test: Test, names: Collection[str], *, wanted: bool = True) -> Groups:
    """Find the symmetric threads of a test: they run the same code with the same arguments, in places alike.

    Of threads that are created it is taken that their creator does nothing between creating them, and between joining
    them; the search looks whether that holds.

    Parameters
    ----------
    test : Test
    names : collection of str
        The registers and locations whose final values are wanted: these tell a thread from others.
    wanted : bool
        False for no groups.

    Returns
    -------
    Groups
        As many as counts leave room for.
    """
    if not wanted or len(test.threads) > _MOST_THREADS:
        return Groups(test, (-1,) * len(test.threads))
    used = _used(test) if any(thread.properties for thread in test.threads) else frozenset()
    codes = _codes(test)
    crowds = [Counter(place.instances[scope] for place in test.placements.values()) for scope in Scope]
    told = {thread.creation.creator for thread in test.threads if thread.creation is not None}.union(*test.synchronized)
    found: dict[Hashable, list[int]] = {}
    for number, thread in enumerate(test.threads):
        shown = any(name.startswith(f"{thread.name}:") for name in names)
        if not shown and thread.name not in told and not thread.alternatives:
            found.setdefault(_outline(test, thread, codes[thread.name], used, crowds), []).append(number)
    group, groups, arrangements = [-1] * len(test.threads), 0, 1
    for members in found.values():
        while len(members) > 1 and arrangements * factorial(len(members)) > MOST_ARRANGEMENTS:
            members.pop()
        if len(members) > 1:
            arrangements *= factorial(len(members))
            for number in members:
                group[number] = groups
            groups += 1
    return Groups(test, tuple(group))


def _used(test: Test) -> frozenset[str]:
    """Name the registers that functions use; not those for variables of which each thread has its own."""
    blocks = (block for function in test.functions.values() for block in function.blocks)
    parts = (part for block in blocks for part in (*block.phis, *block.body, block.terminator))
    own = {f"%{each.name}" for each in test.thread_locals}
    return frozenset(register for part in parts for register in registers_in(part)) - own


def _codes(test: Test) -> dict[str, int]:
    """Give for each thread a number of what its function does: equal where only names and lines differ.

    Functions that have begun alike are compared on, part by part.
    """
    if len({thread.function for thread in test.threads}) == 1:
        return {thread.name: 0 for thread in test.threads}
    functions = {thread.name: test.functions[thread.function] for thread in test.threads}
    numbers: dict[Hashable, int] = {}
    codes = {name: numbers.setdefault(_head(test, name, each), len(numbers)) for name, each in functions.items()}
    parts = {name: [part for block in each.blocks for part in block.parts] for name, each in functions.items()}
    for place in range(max(map(len, parts.values()))):
        many = Counter(codes.values())
        alike = [name for name, code in codes.items() if many[code] > 1 and place < len(parts[name])]
        if not alike:
            break
        for name in alike:
            key = codes[name], _renamed(parts[name][place], f"{name}:")
            codes[name] = numbers.setdefault(key, len(numbers))
    return codes


def _head(test: Test, name: str, function: Function) -> Hashable:
    """Give what a function has beside the text of its blocks."""
    blocks, own = tuple((block.name, len(block.phis), len(block.body)) for block in function.blocks), f"{name}:"
    objects = tuple(replace(each, name=_OWN) for each in test.objects if each.name.startswith(own))
    return function.parameters, function.tokens, objects, blocks


def _renamed(part: object, own: str) -> Hashable:
    """Give a part of a function without lines, with other names for the objects of its thread."""
    if isinstance(part, tuple):
        return tuple(_renamed(each, own) for each in part)
    if isinstance(part, Pointer) and part.object.startswith(own):
        return replace(part, object=_OWN + part.object.removeprefix(own))
    names = members_of(type(part))
    if not names:
        assert isinstance(part, Hashable)
        return part
    return type(part), *(_renamed(getattr(part, name), own) for name in names if name != "line")


def _outline(test: Test, thread: Thread, code: Hashable, used: frozenset[str], crowds: list[Counter[int]]) -> Hashable:
    """Give what symmetric threads have in common; places count if somebody else is there."""
    instances = test.placements[thread.name].instances
    places = tuple(n if crowd[n] > 1 else -1 for n, crowd in zip(instances, crowds, strict=True))
    properties = tuple(each for each in thread.properties if each[0] in used)
    creation = thread.creation
    created = None if creation is None else (creation.creator, creation.argument, creation.at_once, creation.code)
    if creation is not None and (creation.argument is None or not creation.certain):
        return thread.name
    return code, thread.arguments, properties, places, created
