"""Diagnosis: why a read is undef or stale, why accesses race, why final memory is undef.

:mod:`enumerator.analysis.classify` says which clause of the value rule applies. A diagnosis says what is missing in
the program: a release, a larger scope, a compatible tag.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from enumerator.analysis.classify import Classification, UndefRead
from enumerator.analysis.execution import Execution
from enumerator.analysis.gaps import Gap, gaps_between
from enumerator.analysis.graph import name_of_location
from enumerator.events import Event
from enumerator.frozen import dataclass
from enumerator.program.instructions import Ordering, Scope
from enumerator.program.lines import line_text
from enumerator.program.values import format_value
from enumerator.unfold.paths import Location

__all__ = ["Diagnosis", "diagnose", "diagnose_undef"]


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The reason for a result that the programmer may not have expected.

    Parameters
    ----------
    symptom : {'undef', 'stale', 'race', 'final'}
        A read returns undef; a read returns the value of a write that is not the latest; two accesses race; final
        memory is undef.
    events : tuple of int
        The two events that are not ordered: the read and a write; the two accesses that race; two final writes.
    gaps : tuple of Gap
        Why they are not ordered.
    sentence : str
        The diagnosis in words, with source lines.
    """

    symptom: str
    events: tuple[int, int]
    gaps: tuple[Gap, ...]
    sentence: str


def diagnose(classification: Classification) -> tuple[Diagnosis, ...]:
    """Diagnose a consistent execution.

    Parameters
    ----------
    classification : Classification

    Returns
    -------
    tuple of Diagnosis
        Undef reads first, then stale reads, then races and undef final memory that these do not explain. Empty if the
        execution is not consistent.

    See Also
    --------
    enumerator.analysis.gaps.gaps_between
    diagnose_undef : The undef reads only.
    """
    if not classification.consistent:
        return ()
    found: list[Diagnosis] = []
    explained: set[frozenset[int]] = set()
    for part in (_undef, _stale, _races, _final):
        for diagnosis in part(classification, explained):
            found.append(diagnosis)
            explained.add(frozenset(diagnosis.events))
    return tuple(found)


def diagnose_undef(classification: Classification) -> tuple[Diagnosis, ...]:
    """Diagnose the undef reads of a consistent execution: the first part of what :func:`diagnose` gives.

    Parameters
    ----------
    classification : Classification

    Returns
    -------
    tuple of Diagnosis
    """
    return tuple(_undef(classification, set())) if classification.consistent else ()


# Symptoms -------------------------------------------------------------------------------------------------------


def _undef(classification: Classification, explained: set[frozenset[int]]) -> Iterator[Diagnosis]:
    execution = classification.execution
    words = _Words(execution)
    for read in classification.undef_reads:
        subject = f"{words.the(read.read)} returns undef"
        plain = _plain_beside_atomic(execution, read)
        if plain is not None:
            beside = next(write for write in read.sees if write != plain)
            seen = (Gap("plain-beside-atomic", plain, beside),)
            yield Diagnosis("undef", (plain, read.read), seen, f"{subject}: {words.reasons(seen)}")
            continue
        several = _plain_load(execution, read)
        if several is not None:
            one, other = several
            seen = (Gap("plain-load", read.read, one, other),)
            yield Diagnosis("undef", (one, read.read), seen, f"{subject}: {words.reasons(seen)}")
            continue
        for first, second, gaps in _unordered(execution, read):
            order = f"not ordered before {words.the(second)}: " if first == read.read else ""
            yield Diagnosis("undef", (first, second), gaps, f"{subject}: {order}{words.reasons(gaps)}")
        if read.clause == "not-inclusive":
            for gaps, pair in _not_inclusive(execution, read):
                yield Diagnosis("undef", pair, gaps, f"{subject}: {words.reasons(gaps)}")


def _plain_beside_atomic(execution: Execution, read: UndefRead) -> int | None:
    """Give the only access that is not atomic, where that is a write which happens before the read: to initialize."""
    if read.clause != "not-atomic" or len(read.culprits) != 1:
        return None
    (plain,) = read.culprits
    return plain if plain in read.sees and execution.related("lo", plain, read.read) else None


def _plain_load(execution: Execution, read: UndefRead) -> tuple[int, int] | None:
    """Give two atomic writes that a read may see which alone is not atomic, though all happen before it."""
    if read.clause != "not-atomic" or read.culprits != (read.read,) or len(read.sees) < 2:
        return None
    if not all(execution.related("lo", write, read.read) for write in read.sees):
        return None
    return read.sees[0], read.sees[1]


def _unordered(execution: Execution, read: UndefRead) -> Iterator[tuple[int, int, tuple[Gap, ...]]]:
    """Give the pairs of accesses that have to be ordered for the read to have a value, each with what is missing."""
    if read.clause not in ("not-ordered", "not-atomic", "not-inclusive"):
        return
    loose = [write for write in read.sees if not execution.related("lo", write, read.read)]
    if read.clause == "not-inclusive":
        loose = [write for write in loose if not _told_by_scopes(execution, write, read.read)]
    for write in loose:
        yield _either_way(execution, write, read.read)
    if not loose and read.clause != "not-inclusive":
        yield from _unordered_writes(execution, read.sees)


def _unordered_writes(execution: Execution, writes: Iterable[int]) -> Iterator[tuple[int, int, tuple[Gap, ...]]]:
    numbers = sorted(writes)
    for place, a in enumerate(numbers):
        for b in numbers[place + 1 :]:
            if not (execution.related("lo", a, b) or execution.related("lo", b, a)):
                yield _either_way(execution, a, b)


def _either_way(execution: Execution, a: int, b: int) -> tuple[int, int, tuple[Gap, ...]]:
    """Give what is missing to order two accesses, in the direction in which less is missing."""
    found = [(first, second, gaps_between(execution, first, second)) for first, second in ((a, b), (b, a))]
    return min(found, key=lambda way: (way[2][0].cause == "no-communication" if way[2] else True, len(way[2])))


def _told_by_scopes(execution: Execution, write: int, read: int) -> bool:
    """Tell whether the scopes of the two accesses explain all: no other operation could order them."""
    gaps = gaps_between(execution, write, read)
    return not gaps or gaps[0].cause in ("no-communication", "not-a-release", "not-an-acquire", "undef-read", "scope")


def _not_inclusive(execution: Execution, read: UndefRead) -> Iterator[tuple[tuple[Gap, ...], tuple[int, int]]]:
    inscope = execution.world.relations["inscope"]
    concerned = (*read.sees, read.read)
    for place, a in enumerate(concerned):
        for b in concerned[place + 1 :]:
            if not inscope.has_edge(a, b):
                yield (Gap("scope", a, b),), (a, b)
            elif not inscope.has_edge(b, a):
                yield (Gap("scope", b, a),), (a, b)


def _stale(classification: Classification, explained: set[frozenset[int]]) -> Iterator[Diagnosis]:
    execution = classification.execution
    words = _Words(execution)
    order = execution.choices.order_name
    sources = {read: write for write, read in execution.candidate.reads_from}
    for read, source in sorted(sources.items()):
        for later in execution.combination.writes_to(_location(execution.events[read])):
            newer = execution.related(order, source, later) or execution.related("lo", source, later)
            if not newer or not _elsewhere(execution, later, read) or execution.related("lo", later, read):
                continue
            gaps = gaps_between(execution, later, read) + _sequential(execution, later, read)
            told = tuple(gap for gap in gaps if gap.cause != "no-communication") or gaps
            if not told or not _meant_to_order(told):
                continue
            value = format_value(execution.candidate.values[read])
            subject = f"{words.the(read)} returns {value} and not what {words.the(later)} wrote"
            yield Diagnosis("stale", (later, read), told, f"{subject}: {words.reasons(told)}")


def _meant_to_order(gaps: tuple[Gap, ...]) -> bool:
    """Tell whether the program seems to try to order the two; otherwise nothing is wrong."""
    return gaps[0].cause != "no-communication"


def _sequential(execution: Execution, write: int, read: int) -> tuple[Gap, ...]:
    """Give why the first seq_cst operation from the write on and the last up to the read do not order the two.

    References
    ----------
    Semantics, section 3, axiom 5.
    """
    sequential, po = execution.members("SC"), execution.world.relations["po"]
    after = [n for n in sequential if n == write or po.has_edge(write, n)]
    before = [n for n in sequential if n == read or po.has_edge(n, read)]
    inscope = execution.world.relations["inscope"]
    if not after or not before or "incl" not in execution.world.relations:
        return ()
    a, b = min(after), max(before)
    if not inscope.has_edge(a, b):
        return (Gap("scope", a, b),)
    return () if inscope.has_edge(b, a) else (Gap("scope", b, a),)


def _races(classification: Classification, explained: set[frozenset[int]]) -> Iterator[Diagnosis]:
    execution = classification.execution
    words = _Words(execution)
    for a, b in classification.races:
        if frozenset((a, b)) in explained or not _elsewhere(execution, a, b):
            continue
        first, second, gaps = _either_way(execution, a, b)
        inscope = execution.world.relations["inscope"]
        if execution.events[a].of.atomic and execution.events[b].of.atomic:
            gaps = (Gap("scope", *((a, b) if not inscope.has_edge(a, b) else (b, a))),)
        yield Diagnosis(
            "race", (first, second), gaps, f"{words.the(first)} and {words.the(second)} race: {words.reasons(gaps)}"
        )


def _final(classification: Classification, explained: set[frozenset[int]]) -> Iterator[Diagnosis]:
    execution = classification.execution
    words = _Words(execution)
    unsettled, last = execution.relation("unsettled"), execution.members("last")
    if unsettled is None:
        return
    for a, b in sorted((a, b) for a, b in unsettled.edges if a < b and {a, b} <= last):
        if frozenset((a, b)) in explained or not _elsewhere(execution, a, b):
            continue
        first, second, gaps = _either_way(execution, a, b)
        place = name_of_location(execution.combination.test, _location(execution.events[a]))
        subject = f"{place} is undef at the end, as {words.the(first)} and {words.the(second)} are not ordered"
        yield Diagnosis("final", (first, second), gaps, f"{subject}: {words.reasons(gaps)}")


def _elsewhere(execution: Execution, a: int, b: int) -> bool:
    first, second = execution.events[a].thread, execution.events[b].thread
    return first is not None and second is not None and first != second


def _location(event: Event) -> Location:
    assert event.location is not None
    return event.location


# Words ----------------------------------------------------------------------------------------------------------


def _ordinal(number: int) -> str:
    """Give a number as an adjective.

    Examples
    --------
    >>> [_ordinal(number) for number in (1, 2, 3, 4, 11, 12, 21)]
    ['1st', '2nd', '3rd', '4th', '11th', '12th', '21st']
    """
    last = number % 10 if number // 10 % 10 != 1 else 0
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(last, 'th') }"


class _Words:
    """Describes events and gaps in the terms of the source program."""

    def __init__(self, execution: Execution) -> None:
        self._execution = execution
        test = execution.combination.test
        functions = [thread.function for thread in test.threads]
        self._names = [thread.name for thread in test.threads]
        self._shared = len(set(functions)) < len(functions)  # then a line does not identify the thread

    def reasons(self, gaps: tuple[Gap, ...]) -> str:
        return "; ".join(dict.fromkeys(map(self._reason, gaps))) or "the model does not say more"

    def the(self, number: int) -> str:
        """Name an event: ``the release fence at line 9``."""
        event = self._execution.events[number]
        if event.kind == "IW":
            return f"the initial write of {self._place(event)}"
        noun = {"R": "load", "W": "store", "F": "fence", "B": "barrier"}[event.kind]
        if number in self._execution.world.sets["RMW"]:
            noun = f"read-modify-write's {noun}"
        if event.kind == "F":
            noun = f"{_ordering(event)} fence"
        name = (
            f"the {noun}" if event.line is not None or event.location is None else f"the {noun} of {self._place(event)}"
        )
        at = f" at line {line_text(event.line)}" if event.line is not None else ""
        thread = f" of {self._thread(event)}" if event.line is None or self._shared else ""
        time = self._times.get(number)
        return name + at + thread + (f" (the {_ordinal(time)} time)" if time is not None else "")

    @cached_property
    def _times(self) -> dict[int, int]:
        """Number the events of a line that one thread comes to several times, as in the rounds of a loop."""
        runs: dict[tuple[int, str, str], list[list[Event]]] = {}
        before: Event | None = None
        for event in self._execution.events:
            if event.thread is None or event.line is None:
                continue
            noun = f"{_ordering(event)} fence" if event.kind == "F" else event.kind
            found = runs.setdefault((event.thread, line_text(event.line), noun), [])
            follows = before is not None and (before.thread, before.line) == (event.thread, event.line)
            if not (found and follows) or any(event.location == each.location for each in found[-1]):
                found.append([])
            found[-1].append(event)
            before = event
        several = (each for each in runs.values() if len(each) > 1)
        return {event.number: time for run in several for time, part in enumerate(run, 1) for event in part}

    def _reason(self, gap: Gap) -> str:
        culprit = self._execution.events[gap.culprit]
        the = self.the(gap.culprit)
        other = "" if gap.other is None else self.the(gap.other)
        match gap.cause:
            case "no-communication":
                return f"in this execution nothing leads from {the} to {other}"
            case "not-a-release" | "not-an-acquire":
                return self._one_sided(gap)
            case "not-atomic":
                return f"{the} is {_ordering(culprit)}; what synchronizes is at least monotonic"
            case "plain-beside-atomic":
                return f"it may see {the}, which is not atomic, beside {other}, which is"
            case "plain-load":
                assert gap.through is not None
                return (
                    f"it is not atomic, and may see {other} and {self.the(gap.through)}, of which neither is ordered"
                    " before the other"
                )
            case "undef-read":
                return f"{the} returns undef, so it does not synchronize with {other}"
            case "scope":
                return f"{the} has scope {_scope(culprit)}, and {self._outside(gap)}"
            case "tags":
                return self._tags(gap)
            case "thread-private":
                return f"{the} is marked thread.private, so {other} does not order it"
            case "address-space":
                return f"{the} has a -one-as scope, and {other} goes to another address space"
            case "not-transitive":
                return (
                    f"each step from {the} to {other} is ordered, but this reading of happens-before is not transitive"
                )
            case "made-unavailable":
                return f"{the} is marked amdgcn-av:none, so it does not make {other} available"
            case "never-available":
                return f"{the} is never made available: no release of its thread follows it"
            case "available-within":
                return self._within(gap)
            case "made-invisible":
                return f"{the} is marked amdgcn-av:none, so it makes nothing visible to {other}"
            case "never-visible":
                return f"{other} is available to {the}, but no acquire before that makes it visible there"
            case "visible-within":
                return f"{the} makes visible within its {_scope(culprit)} only, which leaves out {other}"
        return f"{the} and {other} do not synchronize"

    def _one_sided(self, gap: Gap) -> str:
        culprit = self._execution.events[gap.culprit]
        wanted, side = ("a release", "before") if gap.cause == "not-a-release" else ("an acquire", "after")
        if culprit.kind == "B":
            return f"no {wanted.split()[1]} fence stands {side} {self.the(gap.culprit)}"
        if culprit.kind == "F":
            assert gap.through is not None
            return f"{self.the(gap.culprit)} is not {wanted}, as it would have to be {side} {self.the(gap.through)}"
        fence = f"no {wanted.split()[1]} fence stands {side} it"
        return f"{self.the(gap.culprit)} is {_ordering(culprit)}, not {wanted}, and {fence}"

    def _outside(self, gap: Gap) -> str:
        assert gap.other is not None
        other = self._execution.events[gap.other]
        scope = self._execution.events[gap.culprit].annotation.scope
        instance = "thread" if scope == Scope.SINGLETHREAD else scope.name.lower()
        return f"{self.the(gap.other)} is in another {instance} ({self._thread(other)})"

    def _tags(self, gap: Gap) -> str:
        assert gap.other is not None
        culprit, other = self._execution.events[gap.culprit], self._execution.events[gap.other]
        return (
            f"{self.the(gap.culprit)} orders {self._tagged(culprit, gap.prefixes)} only; "
            f"{self.the(gap.other)} is {self._tagged(other, gap.prefixes)}"
        )

    def _tagged(self, event: Event, prefixes: tuple[str, ...]) -> str:
        tags = sorted(tag for tag in event.tags if tag.prefix in prefixes)
        explicit = self._execution.profile.canonical(event.annotation.tags)
        listed = " and ".join(map(str, tags))
        if all(tag in explicit for tag in tags):
            return listed
        if event.location is not None and event.annotation.address_space:
            return f"in addrspace({event.annotation.address_space}), hence {listed}"
        return f"{listed} by default"

    def _within(self, gap: Gap) -> str:
        assert gap.other is not None
        culprit = self._execution.events[gap.culprit]
        reach = _scope(culprit)
        beyond = "its thread" if culprit.annotation.scope == Scope.SINGLETHREAD else f"its {reach}"
        never = f"{self.the(gap.other)} is never made available beyond {beyond}"
        if gap.culprit == gap.other:
            return f"{never}: that is its own scope, and no wider release follows"
        return f"{never}: {self.the(gap.culprit)} has scope {reach}"

    def _place(self, event: Event) -> str:
        return name_of_location(self._execution.combination.test, _location(event))

    def _thread(self, event: Event) -> str:
        return "the initial state" if event.thread is None else self._names[event.thread]


def _scope(event: Event) -> str:
    return event.annotation.scope.name.lower()


def _ordering(event: Event) -> str:
    return "not atomic" if event.annotation.ordering == Ordering.NA else event.annotation.ordering.name.lower()
