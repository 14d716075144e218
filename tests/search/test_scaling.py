"""The families of the benchmarks: how many executions they have, and how many the search explores for them."""

from __future__ import annotations

import sys
from math import factorial
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))

from benchmarks.families import COUNTS, FAMILIES  # noqa: E402
from benchmarks.locks import LOCKS, spin_lock
from benchmarks.scaling import SCALING  # noqa: E402
from enumerator import check  # noqa: E402
from enumerator.frontend import load_text  # noqa: E402
from enumerator.program.test import Test  # noqa: E402
from tests.search.generated import Tune

SIZES = {
    "SB": (2, 5, 13),
    "IRIW": (1, 2, 6),
    "ISA2": (1, 3, 12),
    "FADD": (2, 4, 7),
    "WRITERS": (2, 4, 8),
    "LB": (2, 12),
    "CASCNT": (1, 2, 3, 4),
    "COH": (1, 2, 4),
}


@pytest.mark.parametrize("orders", ["rlx", "ra", "sc"])
@pytest.mark.parametrize("name", sorted(SCALING))
def test_counts(name: str, orders: str) -> None:
    for size in SIZES.get(name, (2, 3, 6)):
        result = check(load_text(SCALING[name].make(size, orders), "scaling.litmus"), "rc11")
        wanted = SCALING[name].count(size, orders)
        assert result.status == "complete" and result.consistent is not None and result.explored is not None
        assert wanted == result.consistent, f"{name} {size}"
        assert result.explored <= 1.2 * result.consistent, f"{name} {size}"


@pytest.mark.parametrize("model", ["llvm", "amdgpu"])
@pytest.mark.parametrize("name", sorted(FAMILIES))
def test_counts_of_ir(name: str, model: str) -> None:
    """Every final state is listed: as many as the threads that read can tell apart."""
    for size in {"SB": (2, 3, 12), "FADD": (2, 4, 8)}.get(name, (2, 3, 7)):
        result = check(load_text(FAMILIES[name][0](size), "scaling.ll"), model)
        assert (result.status, result.consistent) == ("complete", COUNTS[name](size)), size
        assert (result.explored or 0) <= 1.2 * COUNTS[name](size), size
        wanted = {"SB": 2**size - 1, "IRIW": 2**size, "CHAIN": 2, "FADD": factorial(size), "WRITERS": size}[name]
        assert len(result.states) == wanted
        assert sum(state.executions or 0 for state in result.states) == COUNTS[name](size)


def test_the_order_of_writers_is_not_enumerated_for_their_outcomes() -> None:
    """Twelve writers have 12! executions, and twelve final values."""
    text = SCALING["WRITERS"].make(12, "rlx").replace("exists (true)", "exists (x=3)")
    result = check(load_text(text, "writers.litmus"), "rc11", outcomes_only=True)
    assert (len(result.states), result.observation, result.status) == (12, "Sometimes", "complete")


@pytest.mark.parametrize("model", ["llvm", "amdgpu"])
@pytest.mark.parametrize("orders", ["rlx", "ra", "sc"])
def test_counters_by_compare_and_swap(orders: str, model: str) -> None:
    """Whether a path is taken rests on values: a choice after which some read has no source left is no leaf."""
    for n in (2, 3, 4):
        result = check(load_text(SCALING["CASCNT"].make(n, orders), "counter.litmus"), model)
        assert result.consistent == SCALING["CASCNT"].count(n, orders) and result.explored is not None
        assert result.explored <= 1.1 * result.consistent


def lock(kind: str, n: int) -> Test:
    """Threads that take a lock; with ``add`` each attempt changes it, so that loops are cut."""
    text = spin_lock("exchange" if kind == "add" else kind, n)
    adds = "while (atomic_fetch_add_explicit(l, 1, memory_order_acquire) > 0) {}"
    return load_text(text.replace(LOCKS["exchange"], adds) if kind == "add" else text, "lock.litmus")


@pytest.mark.parametrize("kind", ["add", "compare", "test", "ticket"])
def test_locks_without_looking_ahead(kind: str, tune: Tune) -> None:
    """Another search, which is too slow for more than two threads, finds the same executions.

    The bound on loops holds for each entry of a loop, and the wait inside of ``test`` is entered anew in each round, so
    that paths multiply: there no iteration repeats.
    """
    test = lock(kind, 2)
    unroll = 0 if kind == "test" else 2
    tune(grow_from=-1)
    result = check(test, "rc11", unroll=unroll)
    assert result.explored is not None and result.consistent is not None
    assert result.explored <= 1.6 * result.consistent
    tune(long=1)
    tune(most_pruned=0)
    tune(symmetry=False)
    other = check(test, "rc11", unroll=unroll)
    assert (other.states, other.consistent, other.flags) == (result.states, result.consistent, result.flags)
    assert other.explored is not None and other.explored > result.explored


@pytest.mark.parametrize("model", ["rc11", "llvm", "amdgpu"])
@pytest.mark.parametrize("kind, executions", [("compare", 303), ("add", 1350), ("ticket", 6)])
def test_locks_of_three_threads(kind: str, executions: int, model: str, tune: Tune) -> None:
    tune(grow_from=-1)
    result = check(lock(kind, 3), model)
    status = "complete" if kind == "ticket" else "limit"  # the others write in their loops, which are cut
    assert (result.status, result.consistent, result.verdict) == (status, executions, "Ok")
    most = {"ticket": 8, "compare": 333, "add": 1_620 if model == "rc11" else 2_160}
    assert result.explored is not None and result.explored <= most[kind]


@pytest.mark.parametrize("model", ["rc11", "llvm", "amdgpu"])
@pytest.mark.parametrize(
    ("condition", "verdict"), [("exists (0:r0=0)", "Ok"), ("~exists (0:r0=0)", "No"), ("forall (0:r0=1)", "No")]
)
def test_the_first_execution_that_decides_is_the_last(condition: str, verdict: str, model: str) -> None:
    """Twelve threads have 4,096 executions; half of them decide."""
    text = SCALING["SB"].make(12, "rlx").replace("exists (true)", condition)
    result = check(load_text(text, "first.litmus"), model, first=True)
    assert result.verdict == verdict and result.explored is not None
    assert result.explored <= 2
