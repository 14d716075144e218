"""Concurrent algorithms, compiled by clang: as many complete executions as GenMC finds."""

from __future__ import annotations

import pytest

from enumerator import check, load
from tests.reference.answers import DATA, table

EXPECTED = {name: answer["executions"] for name, answer in table("programs").items()}

QUICK = (
    "casctr2-3", "casctr2-4", "dekker-2", "dispatcher-3", "dispatcher-4", "dispatcher-5", "fib-3", "fib-4", "msq-1",
    "peterson-1",
)  # fmt: skip
"""Those that end soon, without a loop that is cut; the others have loops that wait, or take too long yet."""


def test_the_programs_are_there() -> None:
    assert len(EXPECTED) == 43
    for name in EXPECTED:
        assert load(DATA / "programs" / f"{name}.ll").threads and (DATA / "programs" / f"{name}.c").is_file()


@pytest.mark.parametrize("name", QUICK)
def test_complete_executions(name: str) -> None:
    result = check(load(DATA / "programs" / f"{name}.ll"), "rc11")
    assert (result.status, result.consistent) == ("complete", EXPECTED[name])


def test_a_limit_leaves_fewer_and_says_so() -> None:
    result = check(load(DATA / "programs" / "fib-5.ll"), "rc11", max_executions=1000)
    assert result.status == "limit" and result.consistent is not None and 0 < result.consistent < EXPECTED["fib-5"]
