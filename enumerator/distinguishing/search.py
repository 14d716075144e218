"""All smallest tests on which two models differ."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import product

import numpy as np

from enumerator.api import check
from enumerator.clock import time_limit
from enumerator.distinguishing.alphabet import Alphabet, places
from enumerator.distinguishing.executions import UNDEF, Outcome, Outcomes, Prepared, outcomes, prepare_side
from enumerator.distinguishing.programs import Program, programs
from enumerator.distinguishing.shapes import shapes
from enumerator.distinguishing.sides import Side
from enumerator.distinguishing.slices import Bits
from enumerator.errors import LimitReached, Timeout
from enumerator.generation.building import location_names, to_test
from enumerator.generation.canonical import canonical
from enumerator.generation.skeleton import Skeleton, register_names
from enumerator.program.condition import And, Condition, Equal, Formula, Literal, Name, Quantifier, TrueFormula
from enumerator.program.test import Test
from enumerator.program.values import UNDEF as UNDEF_VALUE
from enumerator.program.values import Value, format_value
from enumerator.results.result import Result

__all__ = ["Difference", "Found", "distinguish", "as_test"]


@dataclass(frozen=True)
class Difference:
    """A test on which two sides differ.

    Parameters
    ----------
    test : Test
        Its condition asks for the outcome.
    outcome : mapping of str to Value
        What one side allows and the other does not, no more than is needed to tell them apart; empty where the
        program is undefined under one side.
    a, b : str
        What each side says: the observation and the flags, or that the program is undefined.
    """

    test: Test
    outcome: Mapping[str, Value]
    a: str
    b: str


@dataclass
class Found:
    """What a search came to.

    Parameters
    ----------
    differences : list of Difference
        Smallest first.
    complete : int
        Tests of up to so many events have been looked at, all of the alphabet.
    status : {'complete', 'timeout', 'limit'}
    shapes, tests : int
        How many were looked at: shapes, and shapes with annotations and places (some are the same but for names).
    """

    differences: list[Difference] = field(default_factory=list)
    complete: int = 0
    status: str = "complete"
    shapes: int = 0
    tests: int = 0


def distinguish(
    a: Side,
    b: Side,
    alphabet: Alphabet,
    bound: int,
    *,
    every_size: bool = False,
    most: int | None = None,
    timeout: float | None = None,
    progress: Callable[[int], None] = lambda _: None,
) -> Found:
    """Find the smallest tests on which two models differ.

    Tests differ where an outcome of one is covered by none of the other: name by name the same value, or undef there
    (semantics, section 7); or where the program is undefined under one of them only.

    Parameters
    ----------
    a, b : Side
    alphabet : Alphabet
        What tests are made of (:func:`enumerator.distinguishing.alphabet.make_alphabet`).
    bound : int
        Tests have at most so many events; a read-modify-write is one.
    every_size : bool
        Go on to the bound. Without it the search ends with the first size at which there is a difference.
    most : int, optional
        Stop after so many differences.
    timeout : float, optional
        Seconds.
    progress : callable
        Called with the number of shapes so far.

    Returns
    -------
    Found
        All tests, each once, however its threads, locations and values are named.

    Raises
    ------
    InputError
        If a model cannot be evaluated here.

    References
    ----------
    Wickerson, Batty, Sorensen, Constantinides: Automatically Comparing Memory Consistency Models, POPL 2017.

    Examples
    --------
    >>> from enumerator.distinguishing.alphabet import make_alphabet
    >>> from enumerator.distinguishing.sides import parse_side
    >>> from enumerator.generation.skeleton import Kind
    >>> tso, sc = parse_side("tso"), parse_side("sc")
    >>> found = distinguish(tso, sc, make_alphabet([tso, sc], kinds=(Kind.READ, Kind.WRITE)), 4)
    >>> [(dict(each.outcome), each.a, each.b) for each in found.differences]
    [({'t0:%r0': 0, 't1:%r0': 0}, 'Sometimes', 'Never'), ({'t0:%r0': 0, '@x': 1}, 'Sometimes', 'Never')]
    """
    found, seen = Found(), set[Skeleton]()
    one, other = prepare_side(a, alphabet), prepare_side(b, alphabet)
    try:
        with time_limit(timeout):
            for size in range(1, bound + 1):
                for program in _programs(size, alphabet, found, progress):
                    for skeleton, outcome in _differing(program, one, other):
                        key = canonical(skeleton)
                        if key in seen:
                            continue
                        seen.add(key)
                        found.differences.append(_confirmed(skeleton, outcome, len(seen), a, b))
                        if most is not None and len(found.differences) >= most:
                            found.status = "limit"
                            return found
                found.complete = size
                if found.differences and not every_size:
                    break
    except LimitReached as limit:
        found.status = limit.status
    return found


def _programs(size: int, alphabet: Alphabet, found: Found, progress: Callable[[int], None]) -> Iterator[Program]:
    for shape in shapes(size, tuple(alphabet.marks), alphabet.threads, alphabet.locations):
        found.shapes += 1
        progress(found.shapes)
        count = 1 + max((location for thread in shape for _, location in thread), default=-1)
        for where in places(len(shape), alphabet.levels):
            for spaces in product(alphabet.spaces, repeat=count):
                for program in programs(shape, alphabet, where, spaces):
                    found.tests += program.count
                    yield program


# Outcomes of both sides ---------------------------------------------------------------------------------------


def _differing(program: Program, a: Prepared, b: Prepared) -> Iterator[tuple[Skeleton, dict[str, Value]]]:
    """Give the choices of annotations with which the sides differ, each with what tells them apart."""
    sides = outcomes(program, a), outcomes(program, b)
    new = [_uncovered(*sides), _uncovered(*reversed(sides))]
    for number in _numbers(new, sides, program.count):
        skeleton = program.skeleton(number)
        names = _names(program, skeleton)
        tables = [[outcome for outcome, bits in side.allowed.items() if _has(bits, number)] for side in sides]
        told: dict[str, Value] = {}
        for mine, theirs, uncovered in ((tables[0], tables[1], new[0]), (tables[1], tables[0], new[1])):
            here = sorted(outcome for outcome, bits in uncovered.items() if _has(bits, number))
            if here:
                told = _least(here[0], mine, theirs, names)
                break
        yield skeleton, told


def _uncovered(mine: Outcomes, theirs: Outcomes) -> dict[Outcome, Bits]:
    """Give the outcomes of one side that the other does not cover, and where."""
    found = {}
    everything = theirs.undefined | mine.undefined
    for outcome, bits in mine.allowed.items():
        left = bits & ~everything
        for other, covering in theirs.allowed.items():
            if _covers(other, outcome):
                left = left & ~covering
        if left.any():
            found[outcome] = left
    return found


def _covers(other: Outcome, outcome: Outcome) -> bool:
    return all(
        one in (UNDEF, value)
        for others, values in zip(other, outcome, strict=True)
        for one, value in zip(others, values, strict=True)
    )


def _numbers(new: list[dict[Outcome, Bits]], sides: tuple[Outcomes, Outcomes], count: int) -> list[int]:
    words = -(-count // 64)
    different = np.zeros(words, dtype=np.uint64)
    for bits in (*new[0].values(), *new[1].values(), sides[0].undefined ^ sides[1].undefined):
        different |= bits
    found: list[int] = np.flatnonzero(np.unpackbits(different.view(np.uint8), bitorder="little")).tolist()
    return found


def _has(bits: Bits, number: int) -> bool:
    word = int(bits[number // 64 if len(bits) > 1 else 0])
    return bool(word >> number % 64 & 1)


def _names(program: Program, skeleton: Skeleton) -> list[str]:
    """Name what an outcome gives values: registers, then locations."""
    registers = [register_names(thread) for thread in skeleton.threads]
    reads = [f"t{node.thread}:%{registers[node.thread][node.index]}" for node in program.nodes if node.letter == "R"]
    return [*reads, *(f"@{name}" for name in location_names(len(skeleton.locations)))]


def _least(outcome: Outcome, mine: list[Outcome], theirs: list[Outcome], names: list[str]) -> dict[str, Value]:
    """Drop what is not needed of an outcome, what memory holds at the end first."""
    values = (*outcome[0], *outcome[1])
    others = [(*each[0], *each[1]) for each in theirs]
    kept = list(range(len(values)))
    for place in reversed(range(len(values))):
        fewer = [each for each in kept if each != place]
        if not any(all(other[each] in (UNDEF, values[each]) for each in fewer) for other in others):
            kept = fewer
    return {names[place]: UNDEF_VALUE if values[place] == UNDEF else values[place] for place in kept}


# Tests --------------------------------------------------------------------------------------------------------


def as_test(skeleton: Skeleton, outcome: Mapping[str, Value], name: str, title: str, profile: str = "generic") -> Test:
    """Make a test that asks for an outcome, which may have undef in it.

    Parameters
    ----------
    skeleton : Skeleton
    outcome : mapping of str to Value
    name, title, profile : str

    Returns
    -------
    Test
    """
    atoms = tuple(Equal(Name(each), Literal(value)) for each, value in outcome.items())
    formula: Formula = And(atoms) if len(atoms) > 1 else atoms[0] if atoms else TrueFormula()
    text = " /\\ ".join(f"{each} = {format_value(value)}" for each, value in outcome.items()) or "true"
    condition = Condition(Quantifier.EXISTS, formula, text)
    return replace(to_test(skeleton, name, title, profile), condition=condition)


def _confirmed(skeleton: Skeleton, outcome: Mapping[str, Value], number: int, a: Side, b: Side) -> Difference:
    """Make a test, and check it under both sides."""
    profile = a.profile.name if a.profile.name == b.profile.name else "generic"
    test = as_test(skeleton, outcome, f"difference-{number}", f"{a.text} and {b.text} differ", profile)
    said = [check(test, side.model, profile=side.profile, outcomes_only=True) for side in (a, b)]
    if any(result.status != "complete" for result in said):  # the limit of the search holds for checks, too
        raise Timeout
    first, second = map(_said, said)
    assert first != second, f"a search finds no difference in {skeleton}; please report this"
    return Difference(test, outcome, first, second)


def _said(result: Result) -> str:
    if result.verdict == "Undef":
        return "+".join(("Undef", *result.undefined_by))
    return result.observation
