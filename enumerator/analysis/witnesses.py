"""Executions that end in a certain way: the smallest ones that are consistent, and the ways that a model refuses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property, lru_cache

from enumerator.analysis.classify import Classification, Violation, classify
from enumerator.analysis.execution import Execution, Rebuilding
from enumerator.clock import check_time
from enumerator.conditions import passes_filter
from enumerator.engines import engine
from enumerator.errors import ReferenceEngineNeeded
from enumerator.frozen import dataclass
from enumerator.program.condition import Formula
from enumerator.program.formulas import evaluate, flag_names, names
from enumerator.program.values import UNDEF, Undef, Value
from enumerator.reference.base import Combination, combine_paths
from enumerator.reference.enumerate import candidates
from enumerator.reference.outcome import early_ends, final_state, is_cut
from enumerator.request import Candidate, Outcomes, Recorded, Request
from enumerator.unfold.paths import ENDS

__all__ = [
    "Ending",
    "Way",
    "consistent_endings",
    "ending_in",
    "ending_that_decides",
    "group_ways",
    "is_register",
    "refused_ways",
]

_OF_PATHS = frozenset((*ENDS, "ub"))
"""Flags that the paths of an execution raise, whatever the model says."""

MOST_RECORDED = 20_000
"""Consistent executions that are kept to find the smallest."""


class Ending:
    """An execution and how it ends; what takes long is found when it is asked for.

    Parameters
    ----------
    request : Request
    candidate : Candidate
    combination : Combination
        Its paths.
    classification : Classification, optional
        If it is known already.
    rebuilding : Rebuilding, optional
        For all endings of the request.
    """

    def __init__(
        self,
        request: Request,
        candidate: Candidate,
        combination: Combination,
        classification: Classification | None = None,
        rebuilding: Rebuilding | None = None,
    ) -> None:
        self.request, self.candidate, self.combination = request, candidate, combination
        self._known, self._rebuilding = classification, rebuilding or Rebuilding(request)

    @property
    def size(self) -> tuple[int, int, int]:
        """How much there is to read: events, undefined values, values from other threads."""
        events, values = self.combination.events, self.candidate.values
        across = sum(events[a].thread != events[b].thread for a, b in self.candidate.reads_from)
        undef = sum(isinstance(values[event.number], Undef) for event in events if event.reads)
        return len(events), undef, across

    @cached_property
    def execution(self) -> Execution:
        """The execution with all that the model defines."""
        if self._known is not None:
            return self._known.execution
        execution = self._rebuilding.execution(self.candidate)
        assert execution is not None
        return execution

    @cached_property
    def classification(self) -> Classification:
        """The execution, classified."""
        return self._known or classify(self.execution)

    def has_state(self, flags: Iterable[str] = ()) -> bool:
        """Tell whether it has a final state: it ran to its end, or ended early with one of these flags."""
        ended = early_ends(self.request.test, self.combination.paths)
        if ended.isdisjoint(flags):
            return not ended and not is_cut(self.combination.paths)
        return True

    def value(self, name: str) -> Value:
        """Give the final value of a register or location; of a flag, 1 if it is raised."""
        if is_register(name):
            return final_state(self.combination, (name,), self.candidate.values, frozenset())[0]
        if name[:1] in ("@", "[") or self._is_location(name):
            return final_state(self.combination, (name,), self.candidate.values, self.execution.evaluation.final)[0]
        if name in _OF_PATHS:
            return int(name in early_ends(self.request.test, self.combination.paths))
        return int(name in self.classification.flags)

    def _is_location(self, name: str) -> bool:
        return any(name == item.name or name.startswith(f"{item.name}[") for item in self.combination.test.objects)

    def holds(self, formula: Formula) -> bool | None:
        """Evaluate a formula at its end; None if that is undetermined."""
        flags = flag_names(formula)
        if not self.has_state(flags):
            return False
        if _OF_PATHS.issuperset(flags):  # registers are known before the model is asked
            known = {name: self.value(name) if is_register(name) else UNDEF for name in names(formula)}
            known |= {flag: self.value(flag) for flag in flags}
            if evaluate(formula, known.__getitem__) is False:
                return False
        passes = self.request.test.condition.filter
        if passes is not None:
            columns = (*names(passes), *flag_names(passes))
            if not passes_filter(self.request.test, columns, tuple(map(self.value, columns))):
                return False
        return evaluate(formula, self.value)


def is_register(name: str) -> bool:
    """Tell whether a name is a register's, and no location's or flag's.

    Examples
    --------
    >>> is_register("t0:%r"), is_register("[0:e]"), is_register("race")
    (True, False, False)
    """
    return ":" in name and not name.startswith(("@", "["))


def consistent_endings(
    request: Request, engine_name: str = "auto", most: int = MOST_RECORDED
) -> tuple[Iterator[Ending], bool]:
    """Give the consistent executions of a test, the smallest first.

    Parameters
    ----------
    request : Request
    engine_name : str
    most : int
        How many are looked at.

    Returns
    -------
    endings : iterator of Ending
    whole : bool
        Whether these are all.
    """
    found = _search(replace(request, record=most, decided=None), engine_name)
    whole = found.status == "complete" and len(found.executions) < most
    if isinstance(found.executions, Recorded):  # then few of them have to be made
        return _endings(request, found.executions.smallest_first()), whole
    return iter(sorted(_endings(request, found.executions), key=lambda ending: ending.size)), whole


def ending_that_decides(request: Request, formula: Formula, engine_name: str = "auto") -> Iterator[Ending]:
    """Give an execution at whose end a formula holds, the first that a search comes to, if there is one.

    Parameters
    ----------
    request : Request
    formula : Formula
    engine_name : str

    Yields
    ------
    Ending
    """
    places = {name: place for place, name in enumerate((*names(formula), *flag_names(formula)))}

    def decides(values: tuple[Value, ...]) -> bool:
        return evaluate(formula, lambda name: values[places[name]]) is True

    asked = replace(request, names=tuple(names(formula)), flags=tuple(flag_names(formula)), record=-1, decided=decides)
    found = _search(asked, engine_name)
    yield from ending_in(_endings(request, reversed(found.executions)), formula)  # the last one decides


def _search(request: Request, engine_name: str) -> Outcomes:
    asked = replace(request, outcomes_only=False, forbidden=False, jobs=1)
    # the interleaving engine finds states, not executions
    name = "bitset" if engine_name in ("auto", "interleaving") else engine_name
    try:
        return engine(name)(asked)
    except ReferenceEngineNeeded:
        return engine("networkx")(asked)


def _endings(request: Request, found: Iterable[Candidate]) -> Iterator[Ending]:
    rebuilding = Rebuilding(request)

    @lru_cache(maxsize=4096)
    def combined(numbers: tuple[int, ...]) -> Combination:
        return combine_paths(rebuilding.unfolded, numbers, request.profile)

    for candidate in found:
        check_time()
        if candidate.unfolded is not None:
            combination = combine_paths(candidate.unfolded, candidate.paths, request.profile)
            yield Ending(request, candidate, combination, rebuilding=rebuilding)
            continue
        itself = replace(candidate, unfolded=rebuilding.unfolded)
        yield Ending(request, itself, combined(candidate.paths), rebuilding=rebuilding)


def ending_in(endings: Iterable[Ending], formula: Formula) -> Iterator[Ending]:
    """Give those of some executions at whose end a formula holds; before these, none that only may.

    Parameters
    ----------
    endings : iterable of Ending
    formula : Formula

    Yields
    ------
    Ending
        Those for which it is undetermined come last.
    """
    undetermined = []
    for ending in endings:
        check_time()
        held = ending.holds(formula)
        if held:
            yield ending
        elif held is None:
            undetermined.append(ending)
    yield from undetermined


# Ways that are refused ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Way:
    """A way to reach an outcome that a model refuses.

    Parameters
    ----------
    classification : Classification
        The candidate execution that shows it.
    violation : Violation or None
        The axiom that refuses it in the fewest steps; None where a thread would have to go on.
    others : tuple of str
        Further axioms that refuse this candidate.
    certain : bool
        Whether it ends in the outcome; else it only may, as a value is undef.
    count : int
        Candidates that are refused for the same reason.
    """

    classification: Classification
    violation: Violation | None
    others: tuple[str, ...] = ()
    certain: bool = True
    count: int = 1

    @property
    def length(self) -> int:
        """How much there is to say of why it is refused."""
        return 0 if self.violation is None else self.violation.length


def refused_ways(request: Request, formula: Formula) -> Iterator[Ending]:
    """Give the candidate executions that would end in an outcome but that the model refuses.

    Parameters
    ----------
    request : Request
    formula : Formula

    Yields
    ------
    Ending
        As they are found.

    Raises
    ------
    LimitReached
        If the time that holds is up.
    """
    if not set(flag_names(formula)) <= _OF_PATHS:
        return  # a model's flags are raised by consistent executions only
    for ending in _endings(request, candidates(request)):
        if ending.holds(formula) is not False and not ending.classification.consistent:
            yield ending


def group_ways(endings: Iterable[Ending], formula: Formula) -> tuple[Way, ...]:
    """Put candidates together that differ in nothing that matters: the shortest reasons come first.

    Parameters
    ----------
    endings : iterable of Ending
    formula : Formula
        The outcome; ways that certainly end in it come before all others.

    Returns
    -------
    tuple of Way
        One for each choice of what is read: of the orders of writes that go with it, the one with the fewest things
        wrong. Ways with the same reason are one.
    """
    best: dict[object, Way] = {}
    counts: dict[object, int] = {}
    for ending in endings:
        key = ending.candidate.paths, ending.candidate.reads_from, ending.candidate.values
        way = _way(ending.classification, ending.holds(formula) is True)
        counts[key] = counts.get(key, 0) + 1
        if key not in best or (len(way.others), way.length) < (len(best[key].others), best[key].length):
            best[key] = way
    same: dict[object, Way] = {}
    for choice, way in best.items():
        reason = _reason(way)
        known = same.get(reason)
        if known is None:
            same[reason] = replace(way, count=counts[choice])
        else:
            smaller = min(known, way, key=lambda each: len(each.others))
            same[reason] = replace(smaller, count=known.count + counts[choice])
    return tuple(sorted(same.values(), key=lambda way: (not way.certain, way.length, len(way.others))))


def _way(classification: Classification, certain: bool) -> Way:
    violations = sorted(classification.violations, key=lambda each: each.length)
    if not violations:
        return Way(classification, None, certain=certain)
    return Way(classification, violations[0], tuple(each.axiom for each in violations[1:]), certain)


def _reason(way: Way) -> object:
    """Say why a candidate is refused, in terms of the program, so that candidates can be compared."""
    violation = way.violation
    if violation is None:
        return None
    events = way.classification.execution.events

    def place(number: int) -> tuple[object, ...]:
        event = events[number]
        return event.thread, event.made.instruction if event.thread is not None else event.location, event.kind

    return (
        violation.axiom,
        frozenset((place(step.source), step.relation, place(step.target)) for step in violation.cycle),
        tuple((place(a), place(b)) for a, b in violation.pairs),
        tuple(map(place, violation.events)),
    )
