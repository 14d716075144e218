"""The numbers that the search decides by. None of them changes what is found."""

from __future__ import annotations

from enumerator.frozen import dataclass

__all__ = ["Tuning"]


@dataclass(frozen=True)
class Tuning:
    """How the search goes about it; with each number what it was chosen by (``benchmarks/README.md``).

    Parameters
    ----------
    long : int
        Steps in one combination of paths after which it goes on otherwise: bit-parallel, or memoized. Laying a circuit
        out takes about as long (``python -m benchmarks run``, the small sizes). -1: never.
    most_pruned : int
        Complete candidates for each branch that forward checking refuses, below which a combination stays with
        backtracking, as the bit-parallel search does not look ahead (``python -m benchmarks.locks``).
    symmetry : bool
        Whether of symmetric threads one arrangement is searched (``python -m benchmarks run``: fetch_add, writers).
    bounds : bool
        Whether monotone axioms are tested on what relations must and may still become (``casc``: 44.7 million explored
        for 262,143 without).
    undef_worth : int
        The analysis of reads that may be undef takes this many times longer, for a path of each thread, than a
        combination of paths, if that takes as long as the cube of its events (compare-and-swap under ``amdgpu``).
    facts_worth : int
        With less work, estimated in the same way, a test takes a model for its shape alone, not one for all that is
        empty or full in it: that takes 3 milliseconds to make (``python -m benchmarks throughput --model amdgpu``).
    turn : int
        Word operations of the first turns, where two strategies search for outcomes alone: some 50 milliseconds
        (twelve writers).
    favour : float
        How much more work than the other strategy the memoized one may do to begin with, where no path has conditions:
        there futures are mostly alike (twelve different fetch_adds).
    most_favour : float
        The most that this becomes, and one by it the least, as either ends combinations before the other.
    grow_from : int
        Executions are grown (:mod:`enumerator.search.growing`) where there are at least so many combinations of paths,
        but for the order of threads, and the model forbids cycles of dependencies and reads-from; -1: never
        (``python -m benchmarks programs``).
    grow_from_waits : int
        The same where threads wait in loops and no read may be undef: there few of the executions that waiting threads
        seem to have are any (``barr``, ``caslock`` of ``python -m benchmarks programs``).
    grow_asks : int
        Where there are loops, executions are grown to begin with, and combinations of paths are counted when so many
        ends are explored or choices refused: to unfold all paths of a loop takes as long as to grow some hundreds (the
        Fibonacci programs of ``python -m benchmarks programs``: 2,258 executions in 15 ms, and in 25 where paths are
        listed; but 34,205 in 0.13 s and 0.06). -1: to begin with.
    grow_asks_early : int
        The same where such combinations have been listed, and one takes long: before circuits are laid out for each, as
        many ends are explored as take about that time (``dekker-2`` of ``python -m benchmarks programs``: 263
        executions, ten combinations). -1: it is listed on.
    grow_from_events : int
        The same where a combination of paths has so many events, whatever their number: relations are brought up to
        date there, and not computed anew (two threads of 802 events each).
    grow_dead_ends, grow_from_dead_ends : int
        Such a search gives way to the others where it has met so many ends that are no execution, beyond eight for each
        that is one; not where there are that many combinations of paths (``python -m benchmarks.locks``).
    list_dead_ends : int
        The same of a search of few combinations of paths in which threads wait, which gives way to growing; -1: it does
        not (a loop that reads twice, beside 42 stores: 1,766 explored for 2 executions).
    list_at_ease, list_costs : int
        A search of several combinations of paths gives way to growing where, after the first work, it has taken the
        second one for each execution, as it does where a location has very many writes that others read (a
        chain of threads that add and take back: 1,000,000, where lists at their best take 100 to 190,000). Where many
        executions have grown since, it is tried again and may take eight times as much: the combinations that come
        first may be those with few executions (``fib_bench`` of GenMC's tests: a branch that no execution takes).
    list_work : int
        Or where it has taken so many word operations and has not met many ends (a loop of two compare-exchanges, beside
        84 stores: 14 ms for each end).
    most_values : int
        Combinations of values that reads may return: with more, paths are not counted any further, and executions are
        grown if that is possible at all.
    slice : float
        Seconds between looks at the clock and for Ctrl-C.
    first_steps : int
        Steps of the first slice, at most.
    share_after : float
        Seconds that a search runs before processes share it: most are done by then, and a fork takes some milliseconds
        (``python -m benchmarks run --jobs 2``).
    help_after : float
        The same where only other machines share it: to reach them takes longer.
    give_after : float
        Seconds that a subproblem runs before any of it is given away: what takes less is not worth a process.

    Examples
    --------
    >>> Tuning(symmetry=False).long
    400
    """

    long: int = 400
    most_pruned: int = 100
    symmetry: bool = True
    bounds: bool = True
    undef_worth: int = 120_000
    facts_worth: int = 20_000
    turn: int = 50_000_000
    favour: float = 8.0
    most_favour: float = 32.0
    grow_from: int = 20
    grow_from_waits: int = 4
    grow_asks: int = 4000
    grow_asks_early: int = 500
    grow_from_events: int = 300
    grow_dead_ends: int = 5000
    grow_from_dead_ends: int = 500
    list_dead_ends: int = 100
    list_at_ease: int = 60_000_000
    list_costs: int = 250_000
    list_work: int = 100_000_000
    most_values: int = 100_000
    slice: float = 0.05
    first_steps: int = 500
    share_after: float = 0.5
    help_after: float = 3.0
    give_after: float = 0.25
