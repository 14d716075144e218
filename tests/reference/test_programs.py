"""Concurrent algorithms, compiled by clang: as many complete executions as GenMC finds, and about as few in vain."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from enumerator import check, load
from enumerator.results.result import Result
from tests.reference.answers import DATA, table

EXPECTED = {name: answer["executions"] for name, answer in table("programs").items()}

LONG = {"fib-5", "indexer-15", "lastzero-15", "szymanski_r-2"}
"""Those that take more than a second."""

OTHERWISE = {"chaselev-2": 18, "chaselev-3": 32}
"""In the release sequences of RC11 (PLDI 2017) a store of the same thread goes on with one; in those of C++20, which
GenMC has, it does not: there these have 22 and 37."""

EXPLORED = {
    "chaselev-1": 11,
    "chaselev-2": 23,
    "chaselev-3": 39,
    "dekker-3": 7349,
    "indexer-5": 1,
    "indexer-12": 15,
    "msq-2": 59,
    "msq-3": 1180,
    "peterson-2": 174,
    "peterson-3": 2276,
    "peterson_ra-2": 3099,
    "szymanski-1": 134,
    "treiber-2": 29,
    "treiber-3": 1249,
}
"""What is explored at most, where executions are grown."""

LOOSELY = {"caslock-4": 24, "msq-2": 66, "msq-3": 1657}
"""The same under LLVM's model, where threads run past reads."""


def test_the_programs_are_there() -> None:
    assert len(EXPECTED) == 43
    for name in EXPECTED:
        assert load(DATA / "programs" / f"{name}.ll").threads and (DATA / "programs" / f"{name}.c").is_file()


def ask(name: str, model: str = "rc11") -> Result:
    return check(load(DATA / "programs" / f"{name}.ll"), model)


@pytest.mark.parametrize("name", sorted(set(EXPECTED) - LONG))
def test_complete_executions(name: str) -> None:
    result = ask(name)
    expected = OTHERWISE.get(name, EXPECTED[name])
    assert sum(state.executions for state in result.states) == expected
    assert (result.status, result.consistent) == ("complete", expected)
    if name in EXPLORED:
        assert result.explored is not None and result.explored <= EXPLORED[name]


@pytest.mark.parametrize("model", ["llvm", "amdgpu"])
@pytest.mark.parametrize("name, executions", [("chaselev-3", 38), ("msq-2", 58), ("indexer-12", 8), ("treiber-2", 22)])
def test_load_buffering(name: str, executions: int, model: str) -> None:
    """Models that forbid cycles of dependencies and reads-from only: the deque then has one execution more."""
    result = ask(name, model)
    assert (result.status, result.consistent) == ("complete", executions)


@pytest.mark.parametrize("name", sorted(LOOSELY))
def test_few_dead_ends_where_threads_run_past_reads(name: str) -> None:
    result = ask(name, "llvm")
    assert (result.status, result.consistent) == ("complete", EXPECTED[name])
    assert result.explored is not None and result.explored <= LOOSELY[name]


@pytest.mark.skipif(shutil.which("clang") is None and shutil.which("clang-16") is None, reason="needs clang")
@pytest.mark.parametrize("level", ["-O0", "-O2"])
@pytest.mark.parametrize("name", ["chaselev-2", "indexer-4", "msq-2", "peterson-2", "ticket-3", "treiber-2"])
def test_as_clang_prints_them(name: str, level: str, tmp_path: Path) -> None:
    """At any level of optimization the same executions."""
    clang = shutil.which("clang") or shutil.which("clang-16")
    assert clang is not None
    command = [clang, level, "-S", "-emit-llvm", "-o", "-", str(DATA / "programs" / f"{name}.c")]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    lines = (DATA / "programs" / f"{name}.ll").read_text().splitlines()
    directives = [line for line in lines if line.startswith(("; THREADS:", "; EXISTS:"))]
    file = tmp_path / f"{name}.ll"
    file.write_text("\n".join([*directives, printed]))
    result = check(load(file), "rc11")
    assert (result.status, result.consistent) == ("complete", OTHERWISE.get(name, EXPECTED[name]))


def test_a_limit_leaves_fewer_and_says_so() -> None:
    result = check(load(DATA / "programs" / "fib-5.ll"), "rc11", max_executions=1000)
    assert result.status == "limit" and result.consistent is not None and 0 < result.consistent < EXPECTED["fib-5"]
