"""What an engine is asked, and what it answers: every engine takes a request and gives outcomes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, overload

from enumerator.cat.selected import SelectedModel
from enumerator.frozen import dataclass
from enumerator.mmra import Profile
from enumerator.program.test import Test
from enumerator.program.values import Value

if TYPE_CHECKING:
    from enumerator.unfold import Unfolded

__all__ = ["ONE_AS_FENCE", "Candidate", "Outcomes", "Record", "Recorded", "Request", "Size"]

ONE_AS_FENCE = "a fence with a -one-as scope counts as one of the scope without the suffix"
"""A note: no document defines such a fence (semantics, section 1)."""


@dataclass(frozen=True)
class Request:
    """One test under one model.

    Parameters
    ----------
    test : Test
    model : SelectedModel
    profile : Profile
    names : tuple of str
        Registers (``t0:%r``) and locations (``@x``) whose final values make a state, in order.
    flags : tuple of str
        Flags of which a state tells, behind the values of `names`, whether its executions raise them: 1 or 0. An
        execution that ends early (with ``assert`` or ``ub-…``) has a state only if one of its flags is among these.
    unroll : int
        Bound on loops whose trip count is not constant.
    unroll_more : bool
        Nobody has given that bound: a higher one may be taken where then no execution is cut.
    timeout : float or None
        Seconds.
    max_executions : int or None
        Bound on the leaves of the search.
    outcomes_only : bool
        Counts of executions are not needed.
    decided : callable or None
        Called with each new state (values in the order of `columns`); the search may stop once it gives True.
    undefined_decides : bool
        The search may also stop once some execution is undefined behaviour, whatever its state.
    record : int
        How many consistent executions to keep as :class:`Candidate` (0: none, -1: all).
    forbidden : bool
        Keep candidates that are not consistent, too. Only the reference engine (networkx) can: the bitset engine never
        completes most of them.
    jobs : int
        How many processes may search. The result does not depend on it.
    """

    test: Test
    model: SelectedModel
    profile: Profile
    names: tuple[str, ...]
    flags: tuple[str, ...] = ()
    unroll: int = 2
    unroll_more: bool = False
    timeout: float | None = None
    max_executions: int | None = None
    outcomes_only: bool = False
    decided: Callable[[tuple[Value, ...]], bool] | None = None
    undefined_decides: bool = False
    record: int = 0
    forbidden: bool = False
    jobs: int = 1

    def whole(self, **changes: Any) -> Request:
        """Give the request, with some changes, that no state and no undefined behaviour ends.

        Parameters
        ----------
        **changes
            Other parameters, by name.

        Returns
        -------
        Request
        """
        return replace(self, decided=None, undefined_decides=False, **changes)

    @property
    def registers(self) -> frozenset[str]:
        """The registers among the names, without their threads: what others hold at the end makes no difference."""
        return frozenset(name.partition(":")[2] for name in self.names if ":" in name)

    @property
    def columns(self) -> tuple[str, ...]:
        """What the values of a state belong to."""
        return (*self.names, *self.flags)


@dataclass(frozen=True)
class Candidate:
    """The choices that make one candidate execution of a test.

    Parameters
    ----------
    paths : tuple of int
        For each thread in order, the number of its path (in the order in which unfolding gives them).
    reads_from : tuple of (int, int)
        (write, read) pairs over the candidate's events. Events are numbered: first the initial writes, one for
        each location that the paths access, sorted by :class:`~enumerator.unfold.paths.Location`; then the
        events of each thread in order.
    orders : tuple of tuple of int
        For each location, sorted, the writes that the model orders, first to last (the initial write included).
    values : tuple of Value
        The value of each event (UNDEF for fences and barriers).
    consistent : bool
    unfolded : Unfolded or None
        The paths that `paths` counts, where they are not those that unfolding the test gives.
    chosen : tuple of frozenset
        For each ``with`` of the model that chooses from a set that it computes, in order, what is chosen: of a relation
        its pairs, of a set its members. An empty relation may be missing at the end.
    """

    paths: tuple[int, ...]
    reads_from: tuple[tuple[int, int], ...]
    orders: tuple[tuple[int, ...], ...]
    values: tuple[Value, ...]
    consistent: bool = True
    unfolded: Unfolded | None = None
    chosen: tuple[frozenset[object], ...] = ()


Record = tuple[Any, ...]
"""What a search writes down of an execution."""

Size = tuple[int, int, int]
"""How much there is to read in an execution: events, undefined values, values from other threads."""


class Recorded(Sequence[Candidate]):
    """Executions that a search has kept, of which few may be looked at: each is a candidate once somebody asks for it.

    Parameters
    ----------
    records : sequence of Record
    make : callable
        Gives the candidate of a record.
    measure : callable
        Gives its size.
    """

    def __init__(
        self, records: Sequence[Record], make: Callable[[Record], Candidate], measure: Callable[[Record], Size]
    ) -> None:
        self._records, self._make, self._measure = records, make, measure
        self._made: dict[int, Candidate] = {}

    def __len__(self) -> int:
        return len(self._records)

    @overload
    def __getitem__(self, index: int) -> Candidate: ...

    @overload
    def __getitem__(self, index: slice) -> Recorded: ...

    def __getitem__(self, index: int | slice) -> Candidate | Recorded:
        if isinstance(index, slice):
            return Recorded(self._records[index], self._make, self._measure)
        number = range(len(self))[index]
        if number not in self._made:
            self._made[number] = self._make(self._records[number])
        return self._made[number]

    def smallest_first(self) -> Sequence[Candidate]:
        """Give them by size."""
        order = sorted(range(len(self)), key=lambda number: self._measure(self._records[number]))
        return Recorded([self._records[number] for number in order], self._make, self._measure)


@dataclass(frozen=True)
class Outcomes:
    """What an engine found.

    Parameters
    ----------
    states : mapping of tuple of Value to int
        Each distinct final state (values in the order of the request's columns) and the number of consistent
        executions that end in it (0 where counts were not asked for). Sorted, so that output is deterministic.
    flags : frozenset of str
        Over all consistent executions; ``ub`` is added with any ``ub-*``.
    undefined : bool
        Some consistent execution fails an ``undefined_unless``.
    explored, consistent : int
    cut : int
        Consistent executions that reached the bound on loops: they have no state, so a verdict that more states could
        change is unknown.
    status : {'complete', 'timeout', 'limit'}
    stopped : bool
        `decided` gave True and ended the search early.
    notes : tuple of str
        Remarks for the report, e.g. that values out of thin air range over the constants of the test.
    executions : sequence of Candidate
    counted : bool
        The numbers of executions mean something. The interleaving engine finds states and not executions: `explored`
        are the states visited, `consistent` those of them in which a run ends, and the counts of `states` are 0.
    met_parts : bool
        What a path does depends on a number that some candidate, consistent or not, makes of some bytes of a pointer.
    undef_may_decide : bool
        False where it is known that no read which the model gives undef decides how a thread goes on, in any execution
        in which reads return what writes wrote, whatever a thread went on with.
    """

    states: Mapping[tuple[Value, ...], int]
    flags: frozenset[str] = frozenset()
    undefined: bool = False
    explored: int = 0
    consistent: int = 0
    cut: int = 0
    status: str = "complete"
    stopped: bool = False
    notes: tuple[str, ...] = ()
    executions: Sequence[Candidate] = ()
    counted: bool = True
    met_parts: bool = False
    undef_may_decide: bool = True
