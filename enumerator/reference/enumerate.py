"""The reference engine: it makes every candidate execution of a test, and evaluates the model on each.

The other engines are compared with it. It discards only candidates whose values contradict the paths taken.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from itertools import permutations, product

from enumerator.cat.interpreter import Evaluation
from enumerator.cat.reuse import Kept
from enumerator.clock import check_time, time_limit
from enumerator.conditions import passes_filter
from enumerator.errors import LimitReached
from enumerator.frozen import dataclass
from enumerator.program.bytes import has_part_of_pointer
from enumerator.program.values import Value, sort_key
from enumerator.reference.axioms import (
    Choices,
    choices_of,
    chosen_names,
    evaluations,
    is_consistent,
    knows_returns,
    knows_undef,
    raised_flags,
)
from enumerator.reference.base import Combination, combine_paths
from enumerator.reference.outcome import (
    contradict_at_barriers,
    early_ends,
    final_registers,
    final_state,
    is_cut,
    shows_race,
    waits_for_last,
)
from enumerator.reference.values import Equations, path_conditions_hold
from enumerator.request import ONE_AS_FENCE, Candidate, Outcomes, Request
from enumerator.unfold import unfold
from enumerator.unfold.named import refuse_parts

__all__ = ["THIN_AIR_NOTE", "candidates", "enumerate_test"]

THIN_AIR_NOTE = "values out of thin air range over the constants of the test"


@dataclass(frozen=True, slots=True)
class _Leaf:
    """A candidate execution: all choices, and the values that follow from them."""

    combination: Combination
    choices: Choices
    reads_from: tuple[tuple[int, int], ...]
    undef: frozenset[int]
    orders: tuple[tuple[int, ...], ...]
    values: tuple[Value, ...]
    cyclic: bool
    kept: Kept


@dataclass(slots=True)
class _Tally:
    """The results so far."""

    states: Counter[tuple[Value, ...]] = field(default_factory=Counter)
    flags: set[str] = field(default_factory=set)
    undefined: bool = False
    explored: int = 0
    consistent: int = 0
    cut: int = 0
    notes: set[str] = field(default_factory=set)
    executions: list[Candidate] = field(default_factory=list)


def enumerate_test(request: Request) -> Outcomes:
    """Enumerate the consistent executions of a test with the reference engine.

    A candidate execution chooses a path for each thread, a write for each read (or undef, if the model has a rule for
    that), and an order of the writes to each location. Its values follow from these choices; if they depend on
    themselves, each solution is a candidate of its own.

    Parameters
    ----------
    request : Request

    Returns
    -------
    Outcomes

    Raises
    ------
    InputError
        If a thread reaches an instruction that is not supported, or a name of the request is unknown.

    See Also
    --------
    enumerator.search : The fast engine.

    References
    ----------
    J. Alglave, L. Maranget, M. Tautschnig, *Herding Cats*, 2014, section 3: candidate executions.
    """
    tally = _Tally()
    status, stopped = "complete", False
    try:
        with time_limit(request.timeout):
            for leaf in _leaves(request):
                if request.max_executions is not None and tally.explored >= request.max_executions:
                    status = "limit"
                    break
                check_time()
                tally.explored += 1
                if leaf is not None and _decide(request, leaf, tally):
                    stopped = True
                    break
    except LimitReached as limit:
        status = limit.status
        if status == "limit":
            tally.notes.add(str(limit))
    return Outcomes(
        states={
            state: 0 if request.outcomes_only else tally.states[state]
            for state in sorted(tally.states, key=lambda state: tuple(map(sort_key, state)))
        },
        flags=frozenset(tally.flags),
        undefined=tally.undefined,
        explored=tally.explored,
        consistent=tally.consistent,
        cut=tally.cut,
        status=status,
        stopped=stopped,
        notes=tuple(sorted(tally.notes)),
        executions=tuple(tally.executions),
    )


def candidates(request: Request) -> Iterator[Candidate]:
    """Give every candidate execution of a test, one at a time, without asking the model whether it is consistent.

    Where the model chooses from sets that it computes, there is one for each such choice.

    Parameters
    ----------
    request : Request

    Yields
    ------
    Candidate
        Marked as not consistent.

    Raises
    ------
    LimitReached
        If the time that holds (:func:`enumerator.clock.time_limit`) is up.
    """
    chooses = bool(chosen_names(request.model))
    for leaf in _leaves(request):
        check_time()
        if leaf is None:
            continue
        candidate = Candidate(leaf.combination.numbers, leaf.reads_from, leaf.orders, leaf.values, consistent=False)
        if chooses:
            for evaluation in _choices(request, leaf):
                yield replace(candidate, chosen=evaluation.chosen)
        else:
            yield candidate


# Candidates -------------------------------------------------------------------------------------------------


def _leaves(request: Request) -> Iterator[_Leaf | None]:
    """Give every candidate; None for a choice of reads-from with which no values agree with the paths."""
    unfolded = unfold(
        request.test,
        undef=knows_undef(request.model),
        unroll=request.unroll,
        returns=knows_returns(request.model),
        asked=request.registers,
    )
    for numbers in product(*(range(len(paths)) for paths in unfolded.paths)):
        chosen = [paths[number] for paths, number in zip(unfolded.paths, numbers, strict=True)]
        if contradict_at_barriers(request.test, chosen):
            continue
        combination = combine_paths(unfolded, numbers, request.profile)
        yield from _candidates(combination, choices_of(request.model, combination), unfolded.constants)


def _candidates(combination: Combination, choices: Choices, free: tuple[Value, ...]) -> Iterator[_Leaf | None]:
    equations, kept = Equations(combination, free), Kept()
    for sources, undef in _reads_from(combination, choices):
        solutions, cyclic = equations.solutions(sources, undef)
        possible = [values for values in solutions if path_conditions_hold(combination, values)]
        if not possible:
            yield None
        pairs = tuple(sorted((write, read) for read, write in sources.items()))
        kept = kept.with_other_reads()
        for values in possible:
            for orders in _orders(combination, choices):
                yield _Leaf(combination, choices, pairs, undef, orders, values, cyclic, kept)


def _reads_from(combination: Combination, choices: Choices) -> Iterator[tuple[dict[int, int], frozenset[int]]]:
    """Give every choice of a write for each read (to its location, by another instruction), or undef."""
    reads = [event for event in combination.events if event.reads]
    options: list[list[int | None]] = []
    for read in reads:
        assert read.location is not None
        own = set(combination.relations["rmw"].successors(read.number))
        writes: list[int | None] = [write for write in combination.writes_to(read.location) if write not in own]
        if choices.undef is not None and read.number in choices.undef:
            writes.append(None)
        options.append(writes)
    for chosen in product(*options):
        sources = {read.number: write for read, write in zip(reads, chosen, strict=True) if write is not None}
        yield sources, frozenset(read.number for read in reads) - sources.keys()


def _orders(combination: Combination, choices: Choices) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Give every order of the writes to each location that the model orders; the initial write comes first."""
    columns = []
    for location in combination.locations:
        ordered = [write for write in combination.writes_to(location) if write in choices.ordered]
        initial = tuple(write for write in ordered if write in combination.sets["IW"])
        columns.append((initial, tuple(ordered[len(initial) :])))
    yield from _permuted(columns)


def _permuted(columns: Sequence[tuple[tuple[int, ...], tuple[int, ...]]]) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Permute the second part of each column; the orders are generated one at a time, as there may be very many."""
    if not columns:
        yield ()
        return
    (initial, others), *rest = columns
    for order in permutations(others):
        for orders in _permuted(rest):
            yield (initial + order, *orders)


# Verdicts ---------------------------------------------------------------------------------------------------


def _decide(request: Request, leaf: _Leaf, tally: _Tally) -> bool:
    """Decide on a candidate, for each choice that the model itself makes; tell whether the enumeration may stop."""
    return any(_decide_choice(request, leaf, evaluation, tally) for evaluation in _choices(request, leaf))


def _choices(request: Request, leaf: _Leaf) -> Iterator[Evaluation]:
    return evaluations(
        request.model,
        leaf.combination,
        leaf.choices,
        leaf.reads_from,
        leaf.orders,
        leaf.undef,
        leaf.kept,
        whole=request.forbidden,
    )


def _decide_choice(request: Request, leaf: _Leaf, evaluation: Evaluation, tally: _Tally) -> bool:
    consistent = (
        is_consistent(evaluation)
        and waits_for_last(leaf.combination, leaf.reads_from, evaluation.final)
        and shows_race(request.test, leaf.combination.paths, evaluation)
    )
    if (consistent or request.forbidden) and (request.record < 0 or len(tally.executions) < request.record):
        choices = (leaf.combination.numbers, leaf.reads_from, leaf.orders, leaf.values)
        tally.executions.append(Candidate(*choices, consistent, chosen=evaluation.chosen))
    if not consistent:
        return False
    tally.consistent += 1
    if leaf.cyclic:
        tally.notes.add(THIN_AIR_NOTE)
    if any(event.kind == "F" and event.annotation.one_as for event in leaf.combination.events):
        tally.notes.add(ONE_AS_FENCE)
    return _outcome(request, leaf, evaluation, tally)


def _outcome(request: Request, leaf: _Leaf, evaluation: Evaluation, tally: _Tally) -> bool:
    combination = leaf.combination
    ended = early_ends(request.test, combination.paths)
    tally.flags |= ended
    # The flags of the model do not count in an execution with undefined behaviour, but they do if an assertion fails.
    flags, fails = (frozenset[str](), False) if "ub" in ended else raised_flags(evaluation)
    if ended.isdisjoint(request.flags):
        if ended:
            tally.flags |= flags
            tally.undefined |= fails
            return False
        if is_cut(combination.paths):
            tally.cut += 1
            return False
    values = final_state(combination, request.names, leaf.values, evaluation.final)
    refuse_parts(request.test, request.names, values)
    if any(map(has_part_of_pointer, leaf.values)):
        for name, value in final_registers(combination, leaf.values):
            refuse_parts(request.test, (name,), (value,))
    state = (*values, *(int(flag in flags | ended) for flag in request.flags))
    if passes_filter(request.test, request.columns, state):
        tally.flags |= flags
        tally.undefined |= fails
    tally.states[state] += 1
    return tally.states[state] == 1 and request.decided is not None and request.decided(state)
