"""Minimal tests of a model: each forbids an outcome, and whatever is weakened lets it through.

What is weakened, one thing at a time (*instruction relaxations*): an event is left out; an annotation is one step
weaker, or its scope narrower; a read-modify-write becomes a read and a write.

References
----------
Lustig, Wright, Papakonstantinou, Giroux: Automated Synthesis of Comprehensive Memory Model Litmus Test Suites,
ASPLOS 2017.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from math import prod

import numpy as np
from numpy.typing import NDArray

from enumerator.cat.syntax import Check
from enumerator.clock import time_limit
from enumerator.distinguishing.alphabet import Alphabet
from enumerator.distinguishing.executions import Prepared, outcomes, prepare_side
from enumerator.distinguishing.programs import Program
from enumerator.distinguishing.shapes import Item, Shape
from enumerator.distinguishing.sides import Language, Side
from enumerator.distinguishing.written import Told, write
from enumerator.errors import InputError, LimitReached
from enumerator.frozen import dataclass
from enumerator.generation.canonical import canonical
from enumerator.generation.skeleton import DependencyKind, Kind, Mark, Place, Skeleton
from enumerator.mmra.profile import at_least
from enumerator.program.instructions import Ordering
from enumerator.program.test import Test

__all__ = ["Suite", "minimal_tests", "with_axiom"]

_MOST_CHOICES = 1 << 18
Truth = NDArray[np.bool_]
Pattern = tuple[tuple[int | None, ...], tuple[int | None, ...]]
"""What reads take and locations hold at the end, None where nothing is asked."""


@dataclass
class Suite:
    """What a search for minimal tests came to.

    Parameters
    ----------
    tests : list of Test
        Smallest first; the condition of each is the outcome that is forbidden.
    complete : int
        All tests of up to so many events have been looked at.
    status : {'complete', 'timeout', 'limit'}
    """

    tests: list[Test]
    complete: int = 0
    status: str = "complete"


def with_axiom(side: Side, name: str) -> Side:
    """Keep one axiom of a model, and leave out the others.

    Parameters
    ----------
    side : Side
    name : str

    Returns
    -------
    Side

    Raises
    ------
    InputError
        If the model has no axiom of this name.

    Examples
    --------
    >>> from enumerator.distinguishing.sides import parse_side
    >>> with_axiom(parse_side("sc"), "causality")
    Traceback (most recent call last):
    ...
    enumerator.errors.InputError: the model sc has no axiom 'causality': there are sc, atomicity
    """
    model = side.model.model
    axioms = [each.name or "" for each in model.statements if isinstance(each, Check) and each.kind == "axiom"]
    if name not in axioms:
        raise InputError(f"the model {side.model.name} has no axiom '{name}': there are {', '.join(axioms)}")
    left = tuple(
        each
        for each in model.statements
        if not (isinstance(each, Check) and each.kind == "axiom" and each.name != name)
    )
    return replace(side, model=replace(side.model, model=replace(model, statements=left)))


def minimal_tests(side: Side, alphabet: Alphabet, bound: int, *, timeout: float | None = None) -> Suite:
    """Find the minimal tests of a model.

    Parameters
    ----------
    side : Side
    alphabet : Alphabet
        What tests are made of; an annotation is weakened to others of it.
    bound : int
        Tests have at most so many events; a read-modify-write is one.
    timeout : float, optional
        Seconds.

    Returns
    -------
    Suite
        Each test once, however its threads, locations and values are named.

    Raises
    ------
    InputError
        For an alphabet with compare-and-exchanges or barriers.

    Examples
    --------
    >>> from enumerator.distinguishing.alphabet import make_alphabet
    >>> from enumerator.distinguishing.sides import parse_side
    >>> sc = parse_side("sc")
    >>> [test.condition.text for test in minimal_tests(sc, make_alphabet([sc], kinds=[Kind.READ, Kind.WRITE]), 2).tests]
    ['t0:%r0 = 1', 't0:%r0 = 0', '@x = 1']
    """
    if "cmpxchg" in alphabet.operators or Kind.BARRIER in alphabet.marks:
        raise InputError("minimal tests are made of reads, writes, exchanges and fences")
    suite, seen = Suite([]), set[Skeleton]()
    try:
        with time_limit(timeout):
            tables = _Tables(prepare_side(side, alphabet), alphabet)
            for size in range(1, bound + 1):
                for shape in alphabet.shapes(size):
                    for where in alphabet.places(len(shape)):
                        for skeleton, told in _minimal(tables, shape, where):
                            key = canonical(skeleton)
                            if key not in seen:
                                seen.add(key)
                                title = f"{side.text} forbids this, and no less would"
                                name, profile = f"minimal-{len(seen)}", side.profile.name
                                suite.tests.append(write(skeleton, told, name, title, profile, Language.LLVM).test)
                suite.complete = size
    except LimitReached as limit:
        suite.status = limit.status
    return suite


class _Tables:
    """What is possible in programs, each looked at once."""

    def __init__(self, prepared: Prepared, alphabet: Alphabet) -> None:
        self.prepared, self.alphabet = prepared, alphabet
        self._known: dict[tuple[Shape, tuple[Place, ...], int], tuple[Program, dict[Pattern, Truth], Truth]] = {}

    def of(
        self, shape: Shape, where: tuple[Place, ...], locations: int
    ) -> tuple[Program, Mapping[Pattern, Truth], Truth]:
        """Give a program with all annotations; where each outcome is possible, and where it is undefined."""
        key = shape, where, locations
        if key not in self._known:
            options = tuple(self.alphabet.marks[kind] for thread in shape for kind, *_ in thread)
            if prod(map(len, options)) > _MOST_CHOICES:
                raise LimitReached("too many choices of annotations")
            program = Program(shape, where, (self.alphabet.spaces[0],) * locations, options)
            found = outcomes(program, self.prepared)
            allowed: dict[Pattern, Truth] = {
                outcome: _unpacked(bits, program.count) for outcome, bits in found.allowed.items()
            }
            self._known[key] = program, allowed, _unpacked(found.undefined, program.count)
        return self._known[key]

    def reachable(self, shape: Shape, where: tuple[Place, ...], locations: int, asked: Pattern) -> Truth:
        """Tell for which annotations an outcome is possible, or anything, as the program is undefined."""
        program, allowed, undefined = self.of(shape, where, locations)
        found = undefined.copy() if program.count else undefined
        for outcome, truth in allowed.items():
            if _agrees(outcome, asked):
                found |= truth
        return found


def _unpacked(bits: NDArray[np.uint64], count: int) -> Truth:
    words = np.broadcast_to(bits, (-(-count // 64),)) if len(bits) == 1 else bits
    found: Truth = np.unpackbits(np.ascontiguousarray(words).view(np.uint8), bitorder="little")[:count].astype(np.bool_)
    return found


def _agrees(outcome: Pattern, asked: Pattern) -> bool:
    return all(
        want is None or have in (want, -1)
        for haves, wants in zip(outcome, asked, strict=True)
        for have, want in zip(haves, wants, strict=True)
    )


# One shape ----------------------------------------------------------------------------------------------------


def _minimal(tables: _Tables, shape: Shape, where: tuple[Place, ...]) -> Iterator[tuple[Skeleton, Told]]:
    locations = 1 + max((location for thread in shape for _, location, *_ in thread), default=-1)
    program, _, undefined = tables.of(shape, where, locations)
    relaxations = None
    for asked in _patterns(program):
        left = ~tables.reachable(shape, where, locations, asked) & ~undefined
        if not left.any():
            continue
        if relaxations is None:
            relaxations = list(_relaxations(tables, program))
        for relaxation in relaxations:
            left &= relaxation(asked, left)
            if not left.any():
                break
        for number in np.flatnonzero(left).tolist():
            yield _with_condition(program.skeleton(number), program, asked), _told(program, asked)


def _patterns(program: Program) -> Iterator[Pattern]:
    """Give every outcome that a program could have: the last write is asked for where there are several."""
    reads, finals = [], []
    for node in program.accesses:
        if node.letter == "R":
            others = [
                each.value
                for each in program.accesses
                if each.letter == "W"
                and each.location == node.location
                and (each.thread, each.index) != (node.thread, node.index)
            ]
            reads.append(others)
    for location in range(len(program.spaces)):
        written = [each.value for each in program.accesses if each.letter == "W" and each.location == location][1:]
        finals.append(written if len(written) > 1 else [None])
    for chosen in product(*reads):
        for last in product(*finals):
            yield chosen, last


Relaxation = Callable[[Pattern, Truth], Truth]


def _relaxations(tables: _Tables, program: Program) -> Iterator[Relaxation]:
    """Give what may be weakened, as functions: for which annotations a weakened program reaches an outcome."""
    for thread, events in enumerate(program.shape):
        for index, (kind, *_) in enumerate(events):
            yield from _independent(tables, program, thread, index)
            yield _without(tables, program, thread, index)
            if kind == Kind.UPDATE:
                yield _split(tables, program, thread, index)
            if len(tables.alphabet.marks[kind]) > 1:
                yield from _weaker(tables, program, thread, index)


def _independent(tables: _Tables, program: Program, thread: int, index: int) -> Iterator[Relaxation]:
    """Leave out one dependency of an event."""
    item = program.shape[thread][index]
    for gone in item.depends:
        left_over = item._replace(depends=tuple(each for each in item.depends if each != gone))
        shape = _with_thread(program.shape, thread, _replaced(program.shape[thread], index, (left_over,)))

        def reached(asked: Pattern, left: Truth, shape: Shape = shape) -> Truth:
            return tables.reachable(shape, program.places, len(program.spaces), asked)

        yield reached


def _with_thread(shape: Shape, thread: int, items: tuple[Item, ...]) -> Shape:
    return (*shape[:thread], items, *shape[thread + 1 :])


def _replaced(items: Sequence[Item], index: int, by: tuple[Item, ...]) -> tuple[Item, ...]:
    """Put other events in the place of one, of which the first takes its number in dependencies."""

    def moved(item: Item) -> Item:
        kept = (each for each in item.depends if by or each.source != index)
        shifted = (each._replace(source=each.source + (len(by) - 1 if each.source > index else 0)) for each in kept)
        return item._replace(depends=tuple(sorted(shifted)))

    return (*items[:index], *by, *map(moved, items[index + 1 :]))


def _weaker(tables: _Tables, program: Program, thread: int, index: int) -> Iterator[Relaxation]:
    """Weaken the annotation of an event by a step, in each way."""
    kind, *_ = program.shape[thread][index]
    marks = tables.alphabet.marks[kind]
    below = [_steps(mark, marks) for mark in marks]
    place = program.event_number(thread, index)
    for way in range(max(map(len, below))):
        target = np.array([each[way] if way < len(each) else -1 for each in below])

        def reached(asked: Pattern, left: Truth, target: NDArray[np.int64] = target) -> Truth:
            whole = tables.reachable(program.shape, program.places, len(program.spaces), asked)
            goes = target[program.choices[place]]
            numbers = program.number_of(
                [np.where(goes >= 0, goes, each) if at == place else each for at, each in enumerate(program.choices)]
            )
            return (goes < 0) | whole[numbers]

        yield reached


def _steps(mark: Mark, marks: Sequence[Mark]) -> list[int]:
    """Give the greatest annotations below one, by number."""
    below = [other for other in marks if other != mark and _is_below(other, mark)]
    greatest = [each for each in below if not any(each != other and _is_below(each, other) for other in below)]
    return [marks.index(each) for each in greatest]


def _is_below(one: Mark, other: Mark) -> bool:
    words = set(one.words) <= set(other.words)
    return words and one.tags == other.tags and one.scope <= other.scope and at_least(other.ordering, one.ordering)


def _behind_branch(items: Sequence[Item], index: int) -> tuple[Item, ...]:
    """Leave an event out; what stands behind a branch before it still does."""
    kept = list(_replaced(items, index, ()))
    branches = tuple(each for each in items[index].depends if each.kind == DependencyKind.CTRL)
    if index < len(kept):
        kept[index] = kept[index]._replace(depends=tuple(sorted((*branches, *kept[index].depends))))
    return tuple(kept)


def _without(tables: _Tables, program: Program, thread: int, index: int) -> Relaxation:
    """Leave an event out: what it would read or write is asked for no more."""
    events = program.shape[thread]
    kept = _behind_branch(events, index)
    shape = tuple(
        kept if number == thread else each for number, each in enumerate(program.shape) if number != thread or kept
    )
    where = tuple(place for number, place in enumerate(program.places) if number != thread or kept)
    gone = next(
        (node for node in program.accesses if (node.thread, node.index, node.letter) == (thread, index, "W")), None
    )
    position = program.event_number(thread, index)

    def value(location: int, asked: int | None) -> int | None:
        if gone is None or asked is None or location != gone.location or asked < gone.value:
            return asked
        return None if asked == gone.value else asked - 1

    def reached(asked: Pattern, left: Truth) -> Truth:
        reads = [
            value(node.location, want)
            for node, want in zip((node for node in program.accesses if node.letter == "R"), asked[0], strict=True)
            if (node.thread, node.index) != (thread, index)
        ]
        finals = tuple(value(location, want) for location, want in enumerate(asked[1]))
        if not shape:
            return np.ones_like(left)
        whole = tables.reachable(shape, where, len(program.spaces), (tuple(reads), finals))
        smaller, _, _ = tables.of(shape, where, len(program.spaces))
        choices = [each for at, each in enumerate(program.choices) if at != position]
        return whole[smaller.number_of(choices)]

    return reached


_HALVES = {
    Ordering.ACQUIRE: (Ordering.ACQUIRE, Ordering.MONOTONIC),
    Ordering.RELEASE: (Ordering.MONOTONIC, Ordering.RELEASE),
    Ordering.ACQ_REL: (Ordering.ACQUIRE, Ordering.RELEASE),
}


def _split(tables: _Tables, program: Program, thread: int, index: int) -> Relaxation:
    """Make a read-modify-write a read and a write, with nothing between them."""
    events = program.shape[thread]
    location = events[index].location
    first = tuple(each for each in events[index].depends if each.kind != DependencyKind.DATA)
    then = tuple(each for each in events[index].depends if each.kind != DependencyKind.CTRL)
    halves_of = Item(Kind.READ, location, depends=first), Item(Kind.WRITE, location, depends=then)
    shape = _with_thread(program.shape, thread, _replaced(events, index, halves_of))
    position = program.event_number(thread, index)
    marks = tables.alphabet.marks
    halves = [
        np.array(
            [
                _nearest(mark, _HALVES.get(mark.ordering, (mark.ordering,) * 2)[half], marks.get(kind, ()))
                for mark in marks[Kind.UPDATE]
            ]
        )
        for half, kind in enumerate((Kind.READ, Kind.WRITE))
    ]

    def reached(asked: Pattern, left: Truth) -> Truth:
        whole = tables.reachable(shape, program.places, len(program.spaces), asked)
        broken, _, _ = tables.of(shape, program.places, len(program.spaces))
        choices = list(program.choices)
        choices[position : position + 1] = [half[program.choices[position]] for half in halves]
        return whole[broken.number_of(choices)]

    return reached


def _nearest(mark: Mark, ordering: Ordering, marks: Sequence[Mark]) -> int:
    """Find an annotation of an access for half of a read-modify-write: the strongest that is no stronger."""
    wanted = mark._replace(ordering=ordering)
    below = [number for number, each in enumerate(marks) if _is_below(each, wanted)]
    if not below:
        raise InputError("read-modify-writes can be weakened to reads and writes only, and the alphabet has none")
    return max(below, key=lambda number: (marks[number].scope, marks[number].ordering))


# Tests --------------------------------------------------------------------------------------------------------


def _told(program: Program, asked: Pattern) -> Told:
    return tuple((place, want) for place, want in enumerate((*asked[0], *asked[1])) if want is not None)


def _with_condition(skeleton: Skeleton, program: Program, asked: Pattern) -> Skeleton:
    nodes = [node for node in program.accesses if node.letter == "R"]
    reads = tuple(
        (node.thread, node.index, want) for node, want in zip(nodes, asked[0], strict=True) if want is not None
    )
    finals = tuple((location, want) for location, want in enumerate(asked[1]) if want is not None)
    return skeleton._replace(reads=reads, finals=finals)
