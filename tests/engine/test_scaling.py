"""The families of the benchmarks: how many executions they have, and how many the search explores for them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))

from benchmarks.scaling import SCALING  # noqa: E402
from enumerator import check  # noqa: E402
from enumerator.frontend import load_text  # noqa: E402

SIZES = {
    "SB": (2, 5, 13),
    "IRIW": (1, 2, 6),
    "ISA2": (1, 3, 12),
    "FADD": (2, 4, 7),
    "WRITERS": (2, 4, 8),
    "LB": (2, 12),
}


@pytest.mark.parametrize("orders", ["rlx", "ra", "sc"])
@pytest.mark.parametrize("name", sorted(SCALING))
def test_counts(name: str, orders: str) -> None:
    for size in SIZES.get(name, (2, 3, 6)):
        result = check(load_text(SCALING[name].make(size, orders), "scaling.litmus"), "rc11")
        wanted = SCALING[name].count(size, orders)
        assert result.status == "complete" and result.consistent is not None and result.explored is not None
        assert wanted in (None, result.consistent), f"{name} {size}"
        assert result.explored <= 1.2 * result.consistent, f"{name} {size}"


def test_the_order_of_writers_is_not_enumerated_for_their_outcomes() -> None:
    """Twelve writers have 12! executions, and twelve final values."""
    text = SCALING["WRITERS"].make(12, "rlx").replace("exists (true)", "exists (x=3)")
    result = check(load_text(text, "writers.litmus"), "rc11", outcomes_only=True)
    assert (len(result.states), result.observation, result.status) == (12, "Sometimes", "complete")
