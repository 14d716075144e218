"""On which programs two sides may differ, and with which annotations: a sieve before outcomes are compared.

Where both sides allow the same executions, and say the same of them, they have the same outcomes. A kernel
(:mod:`enumerator.search.kernels.agreeing`) goes through the executions of a program for all choices of annotations
together, and leaves those where the sides certainly agree.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import replace
from itertools import permutations, product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from enumerator.clock import check_time
from enumerator.distinguishing.alphabet import Alphabet
from enumerator.distinguishing.events import becomes, event_kind, letters
from enumerator.distinguishing.executions import Prepared
from enumerator.distinguishing.joint import joint
from enumerator.distinguishing.paths import ways
from enumerator.distinguishing.programs import Program
from enumerator.distinguishing.shapes import NO_COMPARISON, Shape
from enumerator.distinguishing.sides import Language, Side
from enumerator.distinguishing.slices import Bits, packed
from enumerator.events import RELATIONS
from enumerator.events.kind import Kind as EventKind
from enumerator.events.relations import BaseRelation
from enumerator.events.sets import names_of
from enumerator.generation.skeleton import DependencyKind, Kind, Place
from enumerator.jit.arguments import packed as with_table
from enumerator.program.instructions import Scope
from enumerator.search import entries as kernels
from enumerator.search import opcodes as op

__all__ = ["Sieve"]

_MOST_WORDS = 64
_MOST_ROOM = 1 << 23
"""Words for all relations of a program: 64 MB."""

_SAME_THREAD: tuple[bool, ...] = ()
_LISTED = ("rmw", "addr", "data", "ctrl")

_Part = tuple[Kind | None, str, bool, int, int]
"""What an event is of: its kind of operation (None: an initial write), its letter, whether that is a
compare-and-exchange that fails, the address space and the location; those of fences and barriers are 0 and -1."""


@with_table
class _Model(NamedTuple):
    """Both models."""

    code: Any  # as `Joint`, as the next two
    begin: Any
    members: Any
    sets: Any  # bool, (names, kinds)
    stand: Any  # (names, 4): the first comes before; what is the same; which list, or -1; whether threads alone decide
    itself: Any  # bool, (names, kinds)
    pairs: Any  # bool, (names, ways to be near, kinds, kinds)


@with_table
class _Events(NamedTuple):
    """A program. Arrays without a unit of their own are per event, initial writes first."""

    thread: Any  # -1 of initial writes
    location: Any  # -1 of fences and barriers
    item: Any  # number in the shape, -1 of initial writes
    phase: Any  # barriers before it in its thread; -1 of what is no barrier
    writes: Any
    sources: Any  # of a read, a bit for each write that it may take
    may_undef: Any
    decisions: Any  # the events in the order in which they are decided
    exact: Any  # (1,): whether all executions that there seem to be are some
    listed: Any  # bits, (lists, events)
    near: Any  # (threads and -1, threads and -1)
    options: Any  # per item: its annotations
    kinds: Any  # (sides, events, annotations)


@with_table
class _Work(NamedTuple):
    """What the kernel changes."""

    least: Any  # (registers, events)
    most: Any
    chosen: Any  # (6, events): bounds of reads-from, of orders of writes, of undef
    linear: Any  # (2 * orders, events)
    permutation: Any  # (orders, events and one)
    source: Any
    rank: Any
    way: Any
    ways: Any
    certain: Any  # per group of checks
    possible: Any
    at: Any
    count: Any
    words: Any
    places: Any  # per register: its words, in units of all words of a pair
    mask: Any
    some: Any
    failed: Any  # (groups, words)
    kept: Any
    told: Any  # (4, words)
    differ: Any  # (3, words)


class Sieve:
    """Two sides, and what tells that they agree.

    Parameters
    ----------
    a, b : Prepared
    alphabet : Alphabet
    """

    def __init__(self, a: Prepared, b: Prepared, alphabet: Alphabet) -> None:
        self._undef = any(each.model.undef_set is not None for each in (a, b))
        alike = a.side.language is b.side.language and a.side.language is not Language.TRANSLATED
        self._joint = joint(a, b) if alike else None  # the events are the same for both
        self.count = np.zeros(3, dtype=np.int64)
        if self._joint is None:
            return
        self._by_location = alphabet.one_device  # names of locations matter in Vulkan's language alone
        self._places = {_SAME_THREAD: 0}
        self._kinds: list[EventKind] = []
        self._options: list[dict[_Part, list[int]]] = []
        self._every = alphabet.marks
        self._most = max(map(len, alphabet.marks.values()))
        self._nearness: dict[tuple[Place, ...], NDArray[np.int64]] = {}
        for side in (a.side, b.side) if a.side.profile is not b.side.profile else (a.side,):
            self._options.append(self._of_side(side, alphabet))
        for threads in range(2, alphabet.threads + 1):
            for places in alphabet.places(threads):
                for one, other in product(places, repeat=2):
                    self._places.setdefault(_shared(one, other), len(self._places))
        self._model = self._tables()
        self._works: dict[tuple[int, int, int], _Work] = {}
        self._room = np.empty(0, dtype=np.uint64)
        self._outlines: dict[Shape, list[_Outline]] = {}

    def _of_side(self, side: Side, alphabet: Alphabet) -> dict[_Part, list[int]]:
        """Number the kinds of events."""
        found: dict[_Part, list[int]] = {}

        def add(kind: EventKind) -> int:
            self._kinds.append(kind)
            return len(self._kinds) - 1

        locations = range(alphabet.locations if self._by_location else 1)
        for space, location in product(alphabet.spaces, locations):
            found[None, "W", False, space, location] = [add(EventKind("IW", address_space=space, observed=True))]
            for (kind, marks), failed in product(alphabet.marks.items(), (False, True)):
                if failed and not (kind == Kind.UPDATE and "cmpxchg" in alphabet.operators):
                    continue
                where = (0, -1) if kind in (Kind.FENCE, Kind.BARRIER) else (space, location)
                own = letters(kind, failed=failed)
                for letter in own:
                    if (kind, letter, failed, *where) in found:
                        continue
                    numbers = found[(kind, letter, failed, *where)] = []
                    for mark in marks:
                        note = becomes(side.language, kind, mark, *where, 0, failed).own
                        assert note is not None, "only translations leave operations out"
                        numbers.append(add(event_kind(side.profile, letter, note, half=len(own) > 1)))
        return found

    def _tables(self) -> _Model:
        assert self._joint is not None
        count = len(self._kinds)
        sets = np.array([[name in names_of(kind) for kind in self._kinds] for name in self._joint.sets], dtype=np.bool_)
        relations = [RELATIONS[name] for name in self._joint.relations]
        itself = [[bool(each.of_pair(kind, kind, True)) for kind in self._kinds] for each in relations]
        pairs = [[self._pairs(each, near) for near in self._places] for each in relations]
        return _Model(
            self._joint.code,
            self._joint.begin,
            self._joint.members,
            sets.reshape(-1, count),
            np.array([_stand(each) for each in relations], dtype=np.int64).reshape(-1, 4),
            np.array(itself, dtype=np.bool_).reshape(-1, count),
            np.array(pairs, dtype=np.bool_).reshape(-1, len(self._places), count, count),
        )

    def _pairs(self, relation: BaseRelation, near: tuple[bool, ...]) -> NDArray[np.bool_]:
        shared = near or (True,) * len(Scope)
        ones, others = (
            [
                each
                if each.letter == "IW"
                else _in_thread(each, thread, tuple(0 if same else thread for same in shared))
                for each in self._kinds
            ]
            for thread in (0, 1 if near else 0)
        )
        return np.array([[bool(relation.of_pair(one, other, False)) for other in others] for one in ones])

    def left(self, program: Program) -> Iterator[tuple[Program, Bits | None]]:
        """Give what is left of a program.

        Parameters
        ----------
        program : Program

        Yields
        ------
        program, where : Program, array or None
            A program with some of the annotations; where the sides may differ, or None for all choices.
        """
        check_time()
        if self._joint is None:
            yield program, None
            return
        words = -(-program.count // 64)
        if words > min(_MOST_WORDS, max(1, _MOST_ROOM // self._size(program))):
            if self._agree(program, 0) is not None:
                place = next(number for number, marks in enumerate(program.options) if len(marks) > 1)
                for mark in program.options[place]:
                    options = (*program.options[:place], (mark,), *program.options[place + 1 :])
                    yield from self.left(Program(program.shape, program.places, program.spaces, options))
            return
        differ = self._agree(program, words)
        if differ is not None:
            yield _narrowed(program, differ)

    def _agree(self, program: Program, words: int) -> Bits | None:
        """Give the annotations with which sides may differ, None for none; of no words, whether there may be some."""
        outlines = self._outlines.get(program.shape)
        if outlines is None:
            outlines = _outlines(program.shape, undef=self._undef)
            self._outlines = {program.shape: outlines}
        found: Bits | None = None
        for outline in outlines:
            events = self._events(program, outline)
            n = len(outline.item)
            work = self._work(n, len(program.options), words)
            if words:
                work.mask[:] = np.uint64(0xFFFFFFFFFFFFFFFF)
                if program.count % 64:
                    work.mask[-1] = np.uint64((1 << program.count % 64) - 1)
            if kernels.agree(self._model, events, work, n, words):
                found = work.differ[0].copy() if found is None else found | work.differ[0]
                if not words:
                    break
        return found

    def _events(self, program: Program, outline: _Outline) -> _Events:
        kinds = np.zeros((2, len(outline.parts), self._most), dtype=np.int64)
        numbers = [
            None if marks is self._every[kind] else [self._every[kind].index(mark) for mark in marks]
            for kind, marks in zip(outline.items, program.options, strict=True)
        ]
        for side, of_side in enumerate(self._options):
            for event, ((kind, letter, failed, location), item) in enumerate(
                zip(outline.parts, outline.of, strict=True)
            ):
                where = (0, -1)
                if location >= 0:
                    where = program.spaces[location], location if self._by_location else 0
                every, chosen = of_side[(kind, letter, failed, *where)], numbers[item] if item >= 0 else None
                kinds[side, event, : len(every if chosen is None else chosen)] = (
                    every if chosen is None else [every[each] for each in chosen]
                )
        return _Events(
            outline.thread,
            outline.location,
            outline.item,
            outline.phase,
            outline.writes,
            outline.sources,
            outline.may_undef,
            outline.decisions,
            outline.exact,
            outline.listed,
            self._near(program.places),
            np.array([len(marks) for marks in program.options], dtype=np.int64),
            kinds,
        )

    def _near(self, places: tuple[Place, ...]) -> NDArray[np.int64]:
        """Number how near threads are to each other; for initial writes that does not matter."""
        if places not in self._nearness:
            near = np.zeros((len(places) + 1,) * 2, dtype=np.int64)
            for (i, one), (j, other) in permutations(enumerate(places, 1), 2):
                near[i, j] = self._places[_shared(one, other)]
            self._nearness[places] = near
        return self._nearness[places]

    def _size(self, program: Program) -> int:
        """Say how many words all relations of a program have for each word of choices, about."""
        assert self._joint is not None
        n = len(program.spaces) + 2 * sum(map(len, program.shape))
        return len(self._joint.is_set) * n * n

    def _work(self, n: int, items: int, words: int) -> _Work:
        key = n, items, words
        if key in self._works:
            return self._works[key]
        assert self._joint is not None
        registers, orders = len(self._joint.is_set), len(self._joint.members)
        sizes = np.where(self._joint.is_set, n, n * n)
        places = 2 + items * self._most + np.cumsum(sizes) - sizes
        total = (2 + items * self._most + int(sizes.sum())) * words
        if total > len(self._room):
            self._room = np.empty(total, dtype=np.uint64)
            self._works.clear()
        arrays: list[NDArray[Any]] = [
            np.zeros((rows, n), dtype=np.uint64) for rows in (registers, registers, 6, 2 * orders)
        ]
        arrays.append(np.zeros((orders, n + 1), dtype=np.int64))
        arrays += [np.zeros(2 * n, dtype=np.int64) for _ in range(4)]
        arrays += [np.zeros(size, dtype=np.int64) for size in (op.J_GROUPS, op.J_GROUPS, 1)]
        arrays += [self.count, self._room, places.astype(np.int64)]
        arrays += [np.zeros(words, dtype=np.uint64) for _ in range(2)]
        arrays += [np.zeros((rows, words), dtype=np.uint64) for rows in (op.J_GROUPS, op.J_GROUPS, 4, 3)]
        self._works[key] = _Work(*arrays)
        return self._works[key]


class _Outline:
    """What all programs of a shape have in common, where each thread takes some path.

    Where a value that is undef matters, there may be executions here that threads do not take: of those that seem to be
    none is left out.
    """

    def __init__(
        self, shape: Shape, lengths: Sequence[int], failed: Container[tuple[int, int]], *, undef: bool, exact: bool
    ) -> None:
        every = [(number, index, item) for number, thread in enumerate(shape) for index, item in enumerate(thread)]
        self.items = [item.kind for _, _, item in every]
        locations = 1 + max(item.location for _, _, item in every)
        rows: list[tuple[int, int, int, int]] = [(-1, location, -1, -1) for location in range(locations)]
        self.parts: list[tuple[Kind | None, str, bool, int]] = [(None, "W", False, at) for at in range(locations)]
        written = [0] * locations
        values: list[int | None] = [0] * locations  # None: not known
        for place, (number, index, item) in enumerate(every):
            written[item.location] += item.kind in (Kind.WRITE, Kind.UPDATE)
            if index >= lengths[number]:
                continue
            phase = sum(each.kind == Kind.BARRIER for each in shape[number][:index])
            fails = (number, index) in failed
            known = not (undef and any(each.kind == DependencyKind.DATA for each in item.depends))
            for letter in letters(item.kind, failed=fails):
                rows.append((number, item.location, place, phase if item.kind == Kind.BARRIER else -1))
                self.parts.append((item.kind, letter, fails, item.location))
                values.append(written[item.location] if known else None)
        self.thread, self.location, self.item, self.phase = np.array(rows, dtype=np.int64).T.copy()
        self.of = [row[2] for row in rows]
        self.writes = np.array([int(part[1] == "W") for part in self.parts], dtype=np.int64)
        self.exact = np.array([exact], dtype=np.int64)
        reads = [event for event, part in enumerate(self.parts) if part[1] == "R"]
        ran = [(number, each) for number, index, item in every if index < lengths[number] for each in item.depends]
        defined = {(number, each.source) for number, each in ran if each.kind != DependencyKind.DATA}
        self.sources = np.zeros(len(rows), dtype=np.uint64)
        self.may_undef = np.zeros(len(rows), dtype=np.int64)
        for read in reads:
            number, index, item = every[rows[read][2]]
            self.may_undef[read] = undef and (number, index) not in defined
            fits = [
                event
                for event in range(len(rows))
                if self.writes[event] and rows[event][1] == rows[read][1] and rows[event][2] != rows[read][2]
            ]
            if item.expected != NO_COMPARISON:
                fails = (number, index) in failed
                fits = [each for each in fits if values[each] is None or (values[each] != item.expected) == fails]
            self.sources[read] = sum(1 << event for event in fits)
        own = [event for event in range(len(rows)) if self.writes[event] and rows[event][2] >= 0]
        order = [event for at in range(locations) for each in (own, reads) for event in each if rows[event][1] == at]
        self.decisions = np.array(order, dtype=np.int64)
        self.listed = self._lists(every, reads)

    def _lists(self, items: list[Any], reads: list[int]) -> NDArray[np.uint64]:
        found = np.zeros((len(_LISTED) + 1, len(self.item)), dtype=np.uint64)
        first = {int(self.item[read]): read for read in reads}
        place_of = {(number, index): place for place, (number, index, _) in enumerate(items)}

        def add(name: str, read: int, event: int) -> None:
            found[_LISTED.index(name), read] |= np.uint64(1 << event)

        for event, (kind, letter, _, _) in enumerate(self.parts):
            if kind is None:
                continue
            number, index, item = items[self.item[event]]
            if letter == "W" and kind == Kind.UPDATE:
                add("rmw", first[int(self.item[event])], event)
            for earlier in range(index + 1):
                for each in items[place_of[number, earlier]][2].depends:
                    read = first[place_of[number, each.source]]
                    if each.kind == DependencyKind.CTRL:
                        add("ctrl", read, event)
                    elif earlier == index and (letter == "W" or (each.kind == DependencyKind.ADDR and letter == "R")):
                        add(each.kind.name.lower(), read, event)
        return found


def _outlines(shape: Shape, *, undef: bool) -> list[_Outline]:
    every = list(ways(shape, undef))
    return [_Outline(shape, lengths, failed, undef=undef, exact=len(every) == 1) for lengths, failed in every]


def _stand(relation: BaseRelation) -> tuple[int, int, int, int]:
    """Say where events stand for a relation, as ``paths`` does."""
    same = {None: 0, ("location", "location"): 1, ("instruction", "instruction"): 2}.get(relation.same, 4)
    if relation.same in (("arrival", "wait"), ("completing", "barrier")):
        same = 3
    listed = -1
    if relation.listed:
        listed = _LISTED.index(relation.name) if relation.name in _LISTED else len(_LISTED)
    return int(relation.before), same, listed, int(relation.name in ("po", "int", "ext", *_LISTED))


def _shared(one: Place, other: Place) -> tuple[bool, ...]:
    return tuple(one[scope] == other[scope] for scope in Scope)


def _in_thread(kind: EventKind, thread: int, instances: tuple[int, ...]) -> EventKind:
    return replace(kind, thread=thread, instances=instances)


def _narrowed(program: Program, where: Bits) -> tuple[Program, Bits]:
    """Leave out the annotations that none of some choices has."""
    numbers = np.flatnonzero(np.unpackbits(where.view(np.uint8), bitorder="little")[: program.count])
    used = [np.unique(chosen[numbers]) for chosen in program.choices]
    options = tuple(
        tuple(marks[place] for place in places) for marks, places in zip(program.options, used, strict=True)
    )
    narrow = Program(program.shape, program.places, program.spaces, options)
    wide = program.number_of([places[chosen] for places, chosen in zip(used, narrow.choices, strict=True)])
    kept = np.zeros(program.count, dtype=np.bool_)
    kept[numbers] = True
    return narrow, packed(kept[wide])
