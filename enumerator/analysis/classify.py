"""Classification of an execution: which axioms fail, which accesses race, which reads are undef, what synchronizes.

It uses relations of the model by their names (``hb``, ``sw``, ``po-hb``, ``lo``, ``may-see``, ``race``). If a model
does not define one of them, the classification leaves out what depends on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath

from enumerator.analysis.execution import Execution
from enumerator.analysis.explain import Step, explain_cycle, explain_hiding
from enumerator.cat.algebra import Relation
from enumerator.cat.syntax import Check, Position
from enumerator.events import Event
from enumerator.frozen import dataclass
from enumerator.mmra import compatible, conflicting_prefixes
from enumerator.program.values import Undef
from enumerator.reference.axioms import is_consistent, raised_flags
from enumerator.reference.outcome import early_ends, shows_race, waits_for_last

__all__ = [
    "Classification",
    "RemovedOrder",
    "Synchronization",
    "UndefRead",
    "Violation",
    "axiom_name",
    "classify",
    "why_removed",
]


@dataclass(frozen=True)
class Violation:
    """An axiom that fails.

    Parameters
    ----------
    axiom : str
        Its name (or the text of the check, if it has none).
    test : str
        ``acyclic``, ``irreflexive`` or ``empty``; after ``~`` if it is negated.
    position : Position
        Where the check is in the model.
    cycle : tuple of Step
        For ``acyclic`` and ``irreflexive``: a cycle, as steps of named relations.
    pairs : tuple of (int, int)
        For ``empty`` of a relation: the pairs in it.
    events : tuple of int
        For ``empty`` of a set: the events in it.
    because : tuple of Step
        For ``empty``, of reads and what they would return: what is ordered so that they do not.
    """

    axiom: str
    test: str
    position: Position
    cycle: tuple[Step, ...] = ()
    pairs: tuple[tuple[int, int], ...] = ()
    events: tuple[int, ...] = ()
    because: tuple[Step, ...] = ()

    @property
    def length(self) -> int:
        """How much there is to say of why it fails."""
        return len(self.cycle) or 1 + len(self.pairs) + len(self.events)

    def __str__(self) -> str:
        return f"{self.axiom} ({self.test}, {PurePath(self.position.path).name}:{self.position.line})"


@dataclass(frozen=True)
class UndefRead:
    """A read that returns undef.

    Parameters
    ----------
    read : int
    clause : {'reads-undef', 'no-earlier-write', 'not-atomic', 'not-inclusive', 'not-ordered', 'sees-none', 'allowed'}
        The clause of the value rule by which it is undef (semantics, section 3). ``reads-undef``: it reads from a write
        of undef. ``allowed``: the model does not define the relations that would tell more.
    sees : tuple of int
        The writes that it may see; for ``reads-undef``, the write that it reads from.
    culprits : tuple of int
        The events that are not atomic, or whose scopes are not inclusive with those of another event.
    """

    read: int
    clause: str
    sees: tuple[int, ...] = ()
    culprits: tuple[int, ...] = ()


@dataclass(frozen=True)
class Synchronization:
    """An edge of synchronizes-with, and the conflicting accesses that it orders.

    Parameters
    ----------
    source, target : int
    orders : tuple of (int, int)
        Pairs of accesses to the same location by different threads, at least one a write.
    """

    source: int
    target: int
    orders: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class RemovedOrder:
    """A pair in program order that is not in happens-before, because of annotations.

    Parameters
    ----------
    first, second : int
    reason : {'tags', 'thread-private', 'address-space', 'model'}
        Incompatible tags; a thread-private access and a synchronizing operation; an access with a ``-one-as`` scope and
        one to another address space; another reason in the model.
    prefixes : tuple of str
        The prefixes of the incompatible tags.
    ordered_anyway : bool
        Whether happens-before relates the two through other events.
    """

    first: int
    second: int
    reason: str
    prefixes: tuple[str, ...] = ()
    ordered_anyway: bool = False


@dataclass(frozen=True)
class Classification:
    """The result of classifying an execution.

    Parameters
    ----------
    execution : Execution
    consistent : bool
    flags : frozenset of str
        The flags that it raises, if it is consistent.
    violations : tuple of Violation
        The axioms that fail, in the order of the model.
    races : tuple of (int, int)
        Each pair once, the lower event first.
    undef_reads : tuple of UndefRead
    synchronizations : tuple of Synchronization
    removed : tuple of RemovedOrder
    """

    execution: Execution
    consistent: bool
    flags: frozenset[str]
    violations: tuple[Violation, ...]
    races: tuple[tuple[int, int], ...]
    undef_reads: tuple[UndefRead, ...]
    synchronizations: tuple[Synchronization, ...]
    removed: tuple[RemovedOrder, ...]


def classify(execution: Execution) -> Classification:
    """Classify an execution.

    Parameters
    ----------
    execution : Execution

    Returns
    -------
    Classification

    See Also
    --------
    enumerator.analysis.describe.describe : The same in words.
    """
    combination, evaluation = execution.combination, execution.evaluation
    consistent = (
        is_consistent(evaluation)
        and waits_for_last(combination, execution.candidate.reads_from, evaluation.final)
        and shows_race(combination.test, combination.paths, evaluation)
    )
    flags: frozenset[str] = frozenset()
    if consistent:
        flags = early_ends(execution.combination.test, execution.combination.paths)
        if "ub" not in flags:
            flags |= raised_flags(execution.evaluation)[0]
    return Classification(
        execution,
        consistent,
        flags,
        _violations(execution),
        _races(execution),
        _undef_reads(execution),
        _synchronizations(execution),
        _removed(execution),
    )


# Axioms and races -------------------------------------------------------------------------------------------


def _violations(execution: Execution) -> tuple[Violation, ...]:
    found = []
    for result in execution.evaluation.checks:
        if result.check.kind != "axiom" or result.holds:
            continue
        pairs = tuple(sorted(element for element in result.elements if isinstance(element, tuple)))
        events = tuple(sorted(element for element in result.elements if isinstance(element, int)))
        found.append(
            Violation(
                axiom_name(result.check),
                ("~" if result.check.negated else "") + result.check.test,
                result.check.position,
                explain_cycle(execution, result.check.body, result.cycle),
                pairs,
                events,
                _because(execution, pairs, events) if result.check.test == "empty" else (),
            )
        )
    return tuple(found)


def _because(execution: Execution, pairs: Sequence[tuple[int, int]], events: Sequence[int]) -> tuple[Step, ...]:
    """Say by what order a read cannot return what it would, for the first of the reads concerned."""
    sources = set(execution.candidate.reads_from)
    for write, read in pairs:
        if (write, read) in sources:
            return explain_hiding(execution, read, write)
    for read in events:
        if read in execution.undef:
            return explain_hiding(execution, read)
    return ()


def axiom_name(check: Check) -> str:
    """Give the name of a check, or its text if it has none."""
    return check.name or check.text or f"{check.test} at line {check.position.line}"


def _races(execution: Execution) -> tuple[tuple[int, int], ...]:
    race = execution.relation("race")
    return () if race is None else tuple(sorted({(min(pair), max(pair)) for pair in race.edges}))


# Undef reads ------------------------------------------------------------------------------------------------


def _undef_reads(execution: Execution) -> tuple[UndefRead, ...]:
    sources = {read: write for write, read in execution.candidate.reads_from}
    found = []
    for event in execution.events:
        if event.number in execution.undef and execution.choices.undef is not None:
            found.append(_by_rule(execution, event))
        elif event.number in sources and isinstance(execution.candidate.values[event.number], Undef):
            found.append(UndefRead(event.number, "reads-undef", (sources[event.number],)))
    return tuple(found)


def _by_rule(execution: Execution, read: Event) -> UndefRead:
    """Find the clause of the value rule by which a read returns undef (semantics, sections 3 and 4)."""
    lo, may_see = execution.relation("lo"), execution.relation("may-see")
    if lo is None or may_see is None:
        return UndefRead(read.number, "allowed")
    events = execution.events
    sees = tuple(sorted(write for write in may_see.predecessors(read.number) if events[write].writes))
    if not any(events[write].writes for write in lo.predecessors(read.number)):
        return UndefRead(read.number, "no-earlier-write", sees)
    if not sees:
        return UndefRead(read.number, "sees-none")
    if len(sees) == 1:
        clause = "allowed" if lo.has_edge(sees[0], read.number) else "not-ordered"
        return UndefRead(read.number, clause, sees)
    concerned = (*sees, read.number)
    if plain := tuple(number for number in concerned if not events[number].of.atomic):
        return UndefRead(read.number, "not-atomic", sees, plain)
    incl = execution.world.relations["incl"]
    apart = tuple(a for a in concerned if not all(incl.has_edge(a, b) for b in concerned))
    return UndefRead(read.number, "not-inclusive" if apart else "allowed", sees, apart)


# Synchronization and program order --------------------------------------------------------------------------


def _synchronizations(execution: Execution) -> tuple[Synchronization, ...]:
    sw, hb = execution.relation("sw"), execution.relation("hb")
    if sw is None:
        return ()
    return tuple(
        Synchronization(source, target, () if hb is None else _ordered_by(execution, hb, source, target))
        for source, target in sorted(sw.edges)
    )


def _ordered_by(execution: Execution, hb: Relation, source: int, target: int) -> tuple[tuple[int, int], ...]:
    """Give the conflicting accesses of different threads that happens-before orders through an edge."""
    events = execution.events
    before = sorted({source, *hb.predecessors(source)})
    after = sorted({target, *hb.successors(target)})
    return tuple((a, b) for a in before for b in after if hb.has_edge(a, b) and _conflict_across(events[a], events[b]))


def _conflict_across(a: Event, b: Event) -> bool:
    if a.location is None or a.location != b.location or a.thread is None or b.thread is None:
        return False
    return a.thread != b.thread and (a.writes or b.writes)


def _removed(execution: Execution) -> tuple[RemovedOrder, ...]:
    kept = execution.relation("po-hb")
    if kept is None:
        return ()
    events = execution.events
    return tuple(
        why_removed(execution, events[a], events[b])
        for a, b in sorted(execution.world.relations["po"].edges)
        if not kept.has_edge(a, b) and "B" not in (events[a].kind, events[b].kind)  # a barrier is never in it
    )


def why_removed(execution: Execution, a: Event, b: Event) -> RemovedOrder:
    """Tell why two events in program order are not in happens-before.

    Parameters
    ----------
    execution : Execution
    a, b : Event
        In program order, but not related by ``po-hb`` of the model.

    Returns
    -------
    RemovedOrder
    """
    anyway = execution.related("hb", a.number, b.number)
    if not compatible(a.tags, b.tags):
        return RemovedOrder(a.number, b.number, "tags", conflicting_prefixes(a.tags, b.tags), anyway)
    sets, pair = execution.world.sets, {a.number, b.number}
    accesses = a.location is not None and b.location is not None
    apart = accesses and sets["ONE_AS"] & pair and not execution.related("same-as", a.number, b.number)
    reason = "thread-private" if sets["TP"] & pair else "address-space" if apart else "model"
    return RemovedOrder(a.number, b.number, reason, (), anyway)
