"""All smallest tests on which two models differ."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from itertools import product

import numpy as np

from enumerator.api import check
from enumerator.clock import time_limit
from enumerator.distinguishing.alphabet import Alphabet
from enumerator.distinguishing.executions import Outcome, Outcomes, Prepared, outcomes, prepare_side
from enumerator.distinguishing.paths import UNDEF
from enumerator.distinguishing.programs import Program, programs
from enumerator.distinguishing.sides import Language, Side
from enumerator.distinguishing.sieve import Sieve
from enumerator.distinguishing.slices import Bits
from enumerator.distinguishing.written import Told, Written, write
from enumerator.errors import LimitReached, Timeout
from enumerator.frozen import dataclass
from enumerator.generation.canonical import canonical
from enumerator.generation.skeleton import Skeleton
from enumerator.results.result import Result

__all__ = ["Difference", "Found", "distinguish"]


@dataclass(frozen=True)
class Difference:
    """A test on which two sides differ.

    Parameters
    ----------
    written : Written
        Its condition asks for what one side allows and the other does not, no more than is needed to tell them apart;
        for nothing where the program is undefined under one side.
    a, b : str
        What each side says: the observation, or that the program is undefined.
    """

    written: Written
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
    >>> [(dict(each.written.outcome), each.a, each.b) for each in found.differences]
    [({'t0:%r0': 0, 't1:%r0': 0}, 'Sometimes', 'Never'), ({'t0:%r0': 0, '@x': 1}, 'Sometimes', 'Never')]
    """
    found, seen = Found(), set[Skeleton]()
    try:
        with time_limit(timeout):
            one, other = prepare_side(a, alphabet), prepare_side(b, alphabet)
            sieve = Sieve(one, other, alphabet)
            for size in range(1, bound + 1):
                for program, where in _programs(size, alphabet, found, progress, sieve):
                    for skeleton, told in _differing(program, where, one, other):
                        key = canonical(skeleton)
                        if key in seen:
                            continue
                        seen.add(key)
                        found.differences.append(_confirmed(skeleton, told, len(seen), a, b))
                        if most is not None and len(found.differences) >= most:
                            found.status = "limit"
                            return found
                found.complete = size
                if found.differences and not every_size:
                    break
    except LimitReached as limit:
        found.status = limit.status
    return found


def _programs(
    size: int, alphabet: Alphabet, found: Found, progress: Callable[[int], None], sieve: Sieve
) -> Iterator[tuple[Program, Bits | None]]:
    for shape in alphabet.shapes(size):
        found.shapes += 1
        progress(found.shapes)
        count = 1 + max((item.location for thread in shape for item in thread), default=-1)
        for where in alphabet.places(len(shape)):
            for spaces in product(alphabet.spaces, repeat=count):
                for program in programs(shape, alphabet, where, spaces):
                    found.tests += program.count
                    yield from sieve.left(program)


# Outcomes of both sides ---------------------------------------------------------------------------------------


def _differing(program: Program, where: Bits | None, a: Prepared, b: Prepared) -> Iterator[tuple[Skeleton, Told]]:
    """Give the choices of annotations with which the sides differ, each with what tells them apart.

    A translation differs where it allows more.
    """
    sides = outcomes(program, a, where), outcomes(program, b, where)
    if b.side.language is Language.TRANSLATED:
        left = ~(sides[0].undefined | program.untranslatable)
        new = [{}, {outcome: bits & left for outcome, bits in _uncovered(*reversed(sides)).items()}]
        undefined = sides[1].undefined & left
    else:
        new = [_uncovered(*sides), _uncovered(*reversed(sides))]
        undefined = sides[0].undefined ^ sides[1].undefined
    for number in _numbers([undefined, *new[0].values(), *new[1].values()], program.count):
        tables = [[outcome for outcome, bits in side.allowed.items() if _has(bits, number)] for side in sides]
        told: Told = ()
        for mine, theirs, uncovered in ((tables[0], tables[1], new[0]), (tables[1], tables[0], new[1])):
            here = sorted(outcome for outcome, bits in uncovered.items() if _has(bits, number))
            if here:
                told = _least(here[0], mine, theirs)
                break
        yield program.skeleton(number), told


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


def _numbers(different: Sequence[Bits], count: int) -> list[int]:
    some = np.zeros(-(-count // 64), dtype=np.uint64)
    for bits in different:
        some |= bits
    found: list[int] = np.flatnonzero(np.unpackbits(some.view(np.uint8), bitorder="little")[:count]).tolist()
    return found


def _has(bits: Bits, number: int) -> bool:
    word = int(bits[number // 64 if len(bits) > 1 else 0])
    return bool(word >> number % 64 & 1)


def _least(outcome: Outcome, mine: list[Outcome], theirs: list[Outcome]) -> Told:
    """Drop what is not needed of an outcome, what memory holds at the end first."""
    values = (*outcome[0], *outcome[1])
    others = [(*each[0], *each[1]) for each in theirs]
    kept = list(range(len(values)))
    for place in reversed(range(len(values))):
        fewer = [each for each in kept if each != place]
        if not any(all(other[each] in (UNDEF, values[each]) for each in fewer) for other in others):
            kept = fewer
    return tuple((place, values[place]) for place in kept)


def _confirmed(skeleton: Skeleton, told: Told, number: int, a: Side, b: Side) -> Difference:
    """Make a test, and check it under both sides."""
    profile = a.profile.name if a.profile.name == b.profile.name else "generic"
    written = write(skeleton, told, f"difference-{number}", f"{a.text} and {b.text} differ", profile, b.language)
    tests = written.test, written.translated or written.test
    said = [
        check(test, side.model, profile=side.profile, outcomes_only=True)
        for test, side in zip(tests, (a, b), strict=True)
    ]
    if any(result.status != "complete" for result in said):  # the limit of the search holds for checks, too
        raise Timeout
    first, second = (_said(result, side) for result, side in zip(said, (a, b), strict=True))
    assert first != second, f"a search finds no difference in {skeleton}; please report this"
    return Difference(written, first, second)


def _said(result: Result, side: Side) -> str:
    if result.verdict == "Undef":
        return "+".join(("Undef", *result.undefined_by))
    if side.language is Language.VULKAN and "race" in result.flags:
        return "Undef+race"
    return result.observation
