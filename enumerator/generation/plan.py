"""What is to be generated, and the tests: from cycles, from families, and all up to a size, each once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import field
from difflib import get_close_matches
from itertools import product

from enumerator.errors import InputError
from enumerator.frozen import dataclass
from enumerator.generation.building import to_test
from enumerator.generation.c import c_text
from enumerator.generation.canonical import canonical
from enumerator.generation.cycles import rotated, skeleton_of
from enumerator.generation.enumeration import annotated, critical_cycles
from enumerator.generation.grammar import Chain, parse_cycle, parse_mark, parse_relaxations
from enumerator.generation.llvm import llvm_text
from enumerator.generation.naming import FAMILIES, family_cycle, family_key, test_name
from enumerator.generation.placing import places_of
from enumerator.generation.relaxations import SCOPES, Edge, NoCycle, Relation, Step, steps_text
from enumerator.generation.skeleton import Mark, Place, Skeleton, refused_ordering
from enumerator.generation.vulkan import vulkan_text
from enumerator.mmra import load_profile
from enumerator.program.instructions import Scope
from enumerator.program.test import Test

__all__ = ["DEFAULT_RELAXATIONS", "EXTENSIONS", "Generated", "Plan", "generate"]

DEFAULT_RELAXATIONS = ("Rfe Fre Coe Pod**",)
"""What cycles up to a size are made of, if nothing else is said."""

_LARGEST = 64

EXTENSIONS = {"llvm": ".ll", "c": ".litmus", "vulkan": ".litmus"}
"""The formats that tests are written in, and what the names of their files end in."""


@dataclass(frozen=True)
class Plan:
    """What is to be generated.

    Parameters
    ----------
    cycles : tuple of str
        As :mod:`~enumerator.generation.grammar` reads them.
    families : tuple of str
        Names of :data:`~enumerator.generation.naming.FAMILIES`, or such as ``WW+RW+RR``.
    size : int
        All critical cycles with so many relaxations, or fewer; 0 for none.
    relax : tuple of str
        What those are made of. In cycles and families, what may stand in the place of plain program order.
    annotate : tuple of str
        Annotations for events of which nothing is said: all of them, in all combinations.
    default : str
        The annotation of those events without it.
    place : tuple of str
        Levels at which threads may meet: all ways to place them. Without it, threads are as relaxations say.
    threads : int
        The most threads of cycles up to a size; 0 for any number.
    internal : int
        The most relaxations within a thread of those (see :mod:`~enumerator.generation.enumeration`).
    profile : str
        The target profile of the tests.
    """

    cycles: tuple[str, ...] = ()
    families: tuple[str, ...] = ()
    size: int = 0
    relax: tuple[str, ...] = ()
    annotate: tuple[str, ...] = ()
    default: str = "P"
    place: tuple[str, ...] = ()
    threads: int = 0
    internal: int = 1
    profile: str = "generic"


@dataclass(frozen=True)
class Generated:
    """A generated test, in the form in which it can be written in any format.

    Parameters
    ----------
    name : str
    steps : tuple of Step
        Its cycle, turned to where a thread begins.
    skeleton : Skeleton
    profile : str
    """

    name: str
    steps: tuple[Step, ...] = field(repr=False)
    skeleton: Skeleton = field(repr=False)
    profile: str = "generic"

    @property
    def cycle(self) -> str:
        """The cycle as text."""
        return steps_text(self.steps)

    def test(self) -> Test:
        """Make the test in LLVM IR."""
        return to_test(self.skeleton, self.name, f"{self.name}: {self.cycle}", self.profile)

    def text(self, format: str = "llvm", expectations: Iterable[str] = ()) -> str:
        """Write the test.

        Parameters
        ----------
        format : {'llvm', 'c', 'vulkan'}
        expectations : iterable of str
            As ``llvm=Never``.

        Raises
        ------
        InputError
            For what the format does not have.
        """
        remarks: tuple[str, ...] = (f"Cycle={self.cycle}",)
        if format == "llvm":
            test = to_test(self.skeleton, self.name, self.name, self.profile)
            return llvm_text(test, remarks, expectations)
        if self.profile != "generic":
            remarks += (f"PROFILE: {self.profile}",)
        write = c_text if format == "c" else vulkan_text
        try:
            return write(self.skeleton, self.name, self.name, remarks, expectations)
        except InputError as error:
            raise InputError(f"{self.name} ({self.cycle}): {error.message}") from None


def generate(plan: Plan) -> Iterator[Generated]:
    """Generate tests: those of the cycles, then those of the families, then those up to the size, each once.

    Parameters
    ----------
    plan : Plan

    Yields
    ------
    Generated

    Raises
    ------
    InputError
        For a cycle, family, relaxation, annotation or level that is none.

    Examples
    --------
    >>> [made.name for made in generate(Plan(families=("MP", "CoRR")))]
    ['MP', 'CoRR']
    >>> sum(1 for made in generate(Plan(size=4, annotate=("Rlx", "Rel", "Acq"))))
    78
    >>> next(generate(Plan(cycles=("PodWWPRel Rfe Acq PodRR Fre",)))).test().condition.text
    't1:%r0 = 1 /\\\\ t1:%r1 = 0'
    """
    if plan.size > _LARGEST:
        raise InputError(f"cycles of more than {_LARGEST} relaxations are too many", "--size")
    load_profile(plan.profile)
    marks = [parse_mark(mark, "--annotate") for text in plan.annotate for mark in _split(text)]
    if any(access.mark is None for access in marks):
        raise InputError("Any says no ordering, which is what is to be tried out", "--annotate")
    default = _default(plan.default)
    levels = [_level(level) for text in plan.place for level in _split(text)]
    chains = parse_relaxations(plan.relax or DEFAULT_RELAXATIONS, "--relax")
    varying = chains if plan.relax else ()
    given = [("--cycle", cycle) for text in plan.cycles for cycle in parse_cycle(text, "--cycle")]
    for family in plan.families:
        given += [("--family", cycle) for cycle in parse_cycle(_family(family), "--family")]
    placed = any(step.edge.level is not None for chain in chains for step in chain.steps)  # in more than one way
    seen: set[Skeleton] | None = set() if len(given) + bool(plan.size) + placed > 1 else None

    def made(steps: tuple[Step, ...], path: str) -> Iterator[Generated]:
        if levels and any(step.edge.level is not None for step in steps):
            raise InputError("places are asked for in all ways, and this cycle has its own", path)
        for places in places_of(steps, levels) if levels else (None,):
            skeleton = skeleton_of(steps, default, places, path)
            if seen is not None and (placed or path != "--size"):
                key = canonical(skeleton)
                if key in seen:
                    continue
                seen.add(key)
            elif seen and canonical(skeleton) in seen:
                continue
            yield Generated(test_name(steps, _where(places, levels)), _said(steps, default), skeleton, plan.profile)

    for path, cycle in given:
        none: NoCycle | None = None
        some = False
        for varied in _varied(rotated(cycle, path), varying):
            for steps in annotated(varied, marks):
                try:
                    yield from made(steps, path)
                    some = True
                except NoCycle as error:
                    none = none or error
        if none is not None and not some:
            raise none
    if plan.size:
        for steps in critical_cycles(chains, plan.size, marks, threads=plan.threads, internal=plan.internal):
            turned = rotated(steps, "--size")
            _, begin = family_key(turned)
            with suppress(NoCycle):
                yield from made((*turned[begin:], *turned[:begin]), "--size")


def _split(text: str) -> list[str]:
    """Split a list at blanks and at commas outside of parentheses."""
    parts, depth, start = [], 0, 0
    for place, letter in enumerate(f"{text} "):
        depth += (letter == "(") - (letter == ")")
        if depth == 0 and (letter.isspace() or letter == ","):
            parts.append(text[start:place])
            start = place + 1
    return [part for part in (*parts, text[start:]) if part]


def _default(text: str) -> Mark:
    mark = parse_mark(text, "--default").mark
    if mark is None:
        raise InputError("Any is no annotation for events of which nothing is said", "--default")
    return mark


def _level(name: str) -> Scope:
    level = SCOPES.get(name)
    if level is None or level in (Scope.SYSTEM, Scope.SINGLETHREAD):
        known = [name for name, scope in SCOPES.items() if scope not in (Scope.SYSTEM, Scope.SINGLETHREAD)]
        raise InputError(f"expected levels of the scope tree ({', '.join(known)}), not {name}", "--place")
    return level


def _family(name: str) -> str:
    try:
        return family_cycle(name)
    except KeyError:
        close = get_close_matches(name, FAMILIES, 1)
        hint = f"did you mean {close[0]}?" if close else f"expected one of {', '.join(FAMILIES)}, or as WW+RW+RR"
        raise InputError(f"unknown family {name}: {hint}", "--family") from None


def _said(steps: tuple[Step, ...], default: Mark) -> tuple[Step, ...]:
    """Say of each event what it is by default, so that the cycle can be read without knowing it."""
    if default == Mark():
        return steps
    found = []
    for place, (access, edge) in enumerate(steps):
        half = steps[place - 1].edge.relation == Relation.RMW
        if access.mark is None and not half and refused_ordering(edge.source, default.ordering) is None:
            access = access._replace(mark=default)
        found.append(Step(access, edge))
    return tuple(found)


def _varied(cycle: tuple[Step, ...], chains: Sequence[Chain]) -> Iterator[tuple[Step, ...]]:
    """Give a cycle with each relaxation of those given in the place of plain program order, each once."""
    ordering = {chain.steps[0].edge for chain in chains if len(chain.steps) == 1}
    choices = []
    for _, edge in cycle:
        fitting = [each for each in ordering if _replaces(each, edge)]
        choices.append(sorted(fitting, key=str) or [edge])
    turns = [turn for turn in range(1, len(cycle)) if cycle[turn:] + cycle[:turn] == cycle]
    for edges in product(*choices):
        words = tuple(map(str, edges))
        if all(words <= words[turn:] + words[:turn] for turn in turns):
            yield tuple(step._replace(edge=edge) for step, edge in zip(cycle, edges, strict=True))


def _replaces(edge: Edge, other: Edge) -> bool:
    plain = other.relation == edge.relation == Relation.PO and not other.between and other.depends is None
    return plain and edge._replace(between=(), depends=None) == other


def _where(places: Sequence[Place] | None, levels: Sequence[Scope]) -> list[tuple[str, tuple[int, ...]]]:
    """Give the name of each level with the instance of each thread."""
    if places is None:
        return []
    return [(name, tuple(place[level] for place in places)) for name, level in SCOPES.items() if level in levels]
