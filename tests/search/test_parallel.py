"""A search over several processes finds what one process finds, and counts the same."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).parents[2]))

from benchmarks.families import FAMILIES, store_buffering  # noqa: E402
from benchmarks.scaling import SCALING  # noqa: E402
from enumerator import check  # noqa: E402
from enumerator.frontend import load_text  # noqa: E402
from enumerator.program.test import Test  # noqa: E402
from enumerator.program.values import UNDEF  # noqa: E402
from enumerator.results.result import Result  # noqa: E402
from enumerator.search import opcodes as op  # noqa: E402
from enumerator.search import stealing  # noqa: E402
from enumerator.search.forks import Link, Task, can_fork, run_parts  # noqa: E402
from enumerator.search.layout import Batch  # noqa: E402
from enumerator.search.subproblems import (  # noqa: E402
    Found,
    Stolen,
    Subproblem,
    halve,
    left_over,
    merge,
    split,
)
from tests.generated.amounts import examples  # noqa: E402
from tests.generated.programs import random_program  # noqa: E402
from tests.generated.test_agreement import FEATURES  # noqa: E402
from tests.search.generated import Tune  # noqa: E402

pytestmark = pytest.mark.skipif(not can_fork(), reason="processes cannot be forked here")

C_TESTS = [("SB", 12, "rlx"), ("IRIW", 6, "sc"), ("FADD", 7, "rlx"), ("WRITERS", 8, "rlx"), ("LB", 11, "rlx")]


def facts(result: Result) -> tuple[object, ...]:
    states = [(state.values, state.executions) for state in result.states]
    counts = (result.explored, result.consistent, result.positive, result.negative, result.cut)
    return states, counts, result.flags, result.observation, result.status


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch, tune: Tune) -> list[int]:
    """Found searches after their first slice, which is short; and note how many were shared."""
    shared: list[int] = []

    def counted(tasks, jobs, deadline, more, helper):  # type: ignore[no-untyped-def]
        shared.append(len(tasks))
        return run_parts(tasks, jobs, deadline, more, helper)

    tune(share_after=0.0)
    tune(symmetry=False)  # one arrangement of symmetric threads takes one process
    monkeypatch.setattr(stealing, "run_parts", counted)
    return shared


@pytest.mark.parametrize("family, size, orders", C_TESTS)
def test_large_combinations(at_once: list[int], family: str, size: int, orders: str) -> None:
    test = load_text(SCALING[family].make(size, orders), "test.litmus")
    alone = facts(check(test, "rc11"))
    assert facts(check(test, "rc11", jobs=2)) == alone
    assert at_once


@pytest.mark.parametrize("model", ["llvm", "amdgpu"])
@pytest.mark.parametrize("family, size", [("SB", 9), ("IRIW", 5), ("CHAIN", 7)])
def test_states(at_once: list[int], model: str, family: str, size: int) -> None:
    test = load_text(FAMILIES[family][0](size), "test.ll")
    assert facts(check(test, model, jobs=3)) == facts(check(test, model))
    assert facts(check(test, model, jobs=3, outcomes_only=True)) == facts(check(test, model, outcomes_only=True))


def test_many_combinations_of_paths(at_once: list[int]) -> None:
    for seed in range(examples(20)):
        test = load_text(random_program(FEATURES["everything"], seed).text, "generated.ll")
        assert facts(check(test, jobs=2)) == facts(check(test))
    branches = load_text(branching(5), "branches.ll")
    assert facts(check(branches, jobs=2)) == facts(check(branches))
    assert at_once


@pytest.fixture
def given(at_once: list[int], monkeypatch: pytest.MonkeyPatch) -> list[Stolen]:
    """Let parts give things away at each pause, and note what they give."""
    noted: list[Stolen] = []

    def generous(tasks, jobs, deadline, more, helper):  # type: ignore[no-untyped-def]
        def note(left: Stolen) -> list[Task]:
            noted.append(left)
            return more(left)  # type: ignore[no-any-return]

        return run_parts(tasks, jobs, deadline, note, helper)

    monkeypatch.setattr(Link, "asked", lambda self, after: True)
    monkeypatch.setattr(stealing, "run_parts", generous)
    return noted


@pytest.mark.parametrize(
    "family, size, orders", [("FADD", 7, "rlx"), ("WRITERS", 8, "rlx"), ("LB", 13, "rlx"), ("IRIW", 7, "sc")]
)
def test_candidates_are_given_away(given: list[Stolen], family: str, size: int, orders: str) -> None:
    test = load_text(SCALING[family].make(size, orders), "test.litmus")
    assert facts(check(test, "rc11", jobs=2)) == facts(check(test, "rc11"))
    assert any(left.waiting is not None for left in given)


def test_combinations_are_given_away(given: list[Stolen], tune: Tune) -> None:
    """Those with candidates bit-parallel, too, whose operations the process that takes them has to make."""
    for steps in (1000, 30):
        tune(long=steps)
        test = load_text(branching(6), "branches.ll")
        assert facts(check(test, jobs=2)) == facts(check(test))
    assert any(left.waiting is None for left in given)


def test_candidates_of_another_combination_are_given_away(given: list[Stolen]) -> None:
    """The process that takes them makes the operations of that combination before it goes on with them."""
    lines = ["; two paths and many orders", "; EXISTS: true", "@x = global i32 0"]
    lines.append("""define void @t() {
  %a = load atomic i32, ptr @x monotonic, align 4
  %c = icmp ugt i32 %a, 3
  br i1 %c, label %yes, label %no
yes:
  store atomic i32 9, ptr @x monotonic, align 4
  ret void
no:
  ret void
}""")
    for number in range(6):
        lines.append(f"define void @w{number}() {{ store atomic i32 {number}, ptr @x monotonic, align 4 ret void }}")
    test = load_text("\n".join(lines).replace("align 4 ret", "align 4\n ret") + "\n", "two.ll")
    assert facts(check(test, jobs=2)) == facts(check(test))
    assert len({left.subproblems for left in given if left.waiting is not None}) == 2


def test_half_of_the_candidates_that_wait() -> None:
    """Those of the block at hand stay, those before it go; of what has not been begun every second one goes."""
    waiting = np.array([1, 1300, 700, 0], dtype=np.int64)
    batch = blank(waiting, at_hand=1, start=1024)
    other = halve(batch)
    assert other is not None
    assert batch.waiting.tolist() == [1, 276, 350, 0]
    assert other.numbers["waiting"].tolist() == [0, 1024, 350, 0]
    assert other.numbers["start"].tolist() == [0, 512, 0, 0]
    for d, columns in enumerate(other.columns):
        mine = batch.columns[d, 0, : batch.waiting[d]]
        assert sorted([*mine.tolist(), *columns[0].tolist()]) == sorted(np.arange(waiting[d]).astype(np.uint8).tolist())


def blank(waiting: NDArray[np.int64], at_hand: int, start: int) -> Batch:
    """Batch in which candidates wait, each with its number in its first column."""
    decisions = len(waiting)
    fields = {name: np.zeros(decisions, dtype=np.int64) for name in Batch._fields}
    columns = np.zeros((decisions, decisions, 2048), dtype=np.uint8)
    columns[:, 0] = np.arange(2048).astype(np.uint8)
    state = np.zeros(op.L_STATE_SIZE, dtype=np.int64)
    state[op.L_DEPTH] = at_hand
    fields["start"][at_hand] = start
    accepted = np.zeros((decisions, 8), dtype=np.uint64)
    return Batch(**{**fields, "waiting": waiting.copy(), "columns": columns, "state": state, "accepted": accepted})


def test_one_witness_is_enough(at_once: list[int]) -> None:
    result = check(load_text(store_buffering(10, "monotonic"), "SB.ll"), first=True, jobs=2)
    assert result.verdict == "Ok"


def test_time_limit(at_once: list[int]) -> None:
    result = check(load_text(SCALING["FADD"].make(12, "rlx"), "FADD.litmus"), "rc11", jobs=2, timeout=1.0)
    assert result.status == "timeout"


def test_limit_on_executions_is_exact() -> None:
    result = check(large(), "rc11", jobs=2, max_executions=1000)
    assert (result.status, result.explored) == ("limit", 1000)


def test_interrupted_search_leaves_no_process(tmp_path: Path) -> None:
    file = tmp_path / "WRITERS.litmus"
    file.write_text(SCALING["WRITERS"].make(15, "rlx"))
    command = [sys.executable, "-m", "enumerator", "run", "--jobs", "2", str(file)]
    with subprocess.Popen(command, start_new_session=True, stderr=subprocess.PIPE) as process:
        deadline = time.monotonic() + 120
        while not forks(process.pid) and time.monotonic() < deadline:
            time.sleep(0.1)
        children = forks(process.pid)
        os.killpg(process.pid, signal.SIGINT)
        assert process.wait(60) == 130
    assert children
    assert not [child for child in children if Path(f"/proc/{child}").exists()]


def test_interrupted_while_a_part_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    reaped, ended = os.waitpid, []

    def interrupted(process: int, options: int) -> tuple[int, int]:
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0)  # where Python would attend to it
        ended.append(process)
        return reaped(process, options)

    nothing = Found(
        "complete", False, (), *(np.zeros((0, 0), np.int64),) * 2, np.zeros(0, np.uint64), np.zeros(3), 0, 0
    )
    monkeypatch.setattr(os, "waitpid", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run_parts([lambda link: nothing] * 4, 2, None)
    assert ended
    assert not [child for child in ended if Path(f"/proc/{child}").exists()]


def forks(process: int) -> list[int]:
    listed = Path(f"/proc/{process}/task/{process}/children")
    return [int(child) for child in listed.read_text().split()] if listed.exists() else []


def large() -> Test:
    return load_text(SCALING["WRITERS"].make(8, "rlx"), "WRITERS.litmus")


def branching(threads: int) -> str:
    """Threads in a ring that each take a branch by what they read: combinations of paths, each small."""
    lines = ["; branches", "; EXISTS: true"] + [f"@x{number} = global i32 0" for number in range(threads)]
    for number in range(threads):
        lines.append(
            f"""define void @t{number}() {{
  %a = load atomic i32, ptr @x{number} monotonic, align 4
  %c = icmp eq i32 %a, 1
  br i1 %c, label %yes, label %no
yes:
  store atomic i32 2, ptr @x{(number + 1) % threads} monotonic, align 4
  ret void
no:
  store atomic i32 1, ptr @x{(number + 1) % threads} monotonic, align 4
  ret void
}}"""
        )
    return "\n".join(lines) + "\n"


def test_what_is_left_over_is_every_later_combination_once() -> None:
    counts = [2, 3, 2]
    listed = [(a, b, c) for a in range(2) for b in range(3) for c in range(2)]
    for place, combo in enumerate(listed):
        for parts in (1, 2, 5):
            subproblems = split(left_over(combo, counts), parts)
            covered = [one for subproblem in subproblems for one in members(subproblem)]
            assert sorted(covered) == listed[place + 1 :]


def members(subproblem: Subproblem) -> list[tuple[int, ...]]:
    found: list[tuple[int, ...]] = [()]
    for first, count in subproblem.ranges:
        found = [(*one, number) for one in found for number in range(first, first + count)]
    return found


def test_a_task_that_dies_is_noticed() -> None:
    def die(link: Link) -> Found:
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError

    assert run_parts([die, lambda link: part([[0]], [3], (7,))], 2, None)[1] is False


def test_states_of_parts_are_joined_by_value() -> None:
    numbers = {UNDEF: 0, 5: 1, 7: 2}
    first, second = part([[0, 1], [1, 1]], [2, 3], (5, 7)), part([[0, 0]], [4], (7,))
    rows, counts, flags = merge([first, second], numbers.__getitem__)
    assert rows.tolist() == [[1, 2], [2, 2]]
    assert counts.tolist() == [2, 7]
    assert flags.tolist() == [1, 1]


def part(rows: list[list[int]], counts: list[int], values: tuple[int, ...]) -> Found:
    flags = np.ones(len(rows), dtype=np.uint64)
    table = np.array(rows, dtype=np.int64)
    return Found("complete", False, values, table, np.array(counts), flags, np.zeros(40, dtype=np.int64), 0, 0)
