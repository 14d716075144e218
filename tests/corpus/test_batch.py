"""Batches in several processes: order, processes that die, interruption."""

from __future__ import annotations

import multiprocessing
import multiprocessing.connection
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from enumerator.corpus import pool
from enumerator.corpus.batch import default_jobs, run_batch
from enumerator.options import BatchOptions
from enumerator.results.result import Result


@pytest.fixture(autouse=True)
def _importable_stand_ins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parent))


def run(
    folder: Path,
    orders: list[str],
    jobs: int,
    options: BatchOptions = BatchOptions(),  # noqa: B008
    progress: Callable[[], None] | None = None,
) -> Iterator[Result]:
    import stand_ins

    return run_batch(written(folder, orders), options, jobs, progress, stand_ins.work)


def written(folder: Path, orders: list[str]) -> list[str]:
    """Write files that say what is to be done."""
    paths = [folder / f"t{number}" for number in range(len(orders))]
    for path, order in zip(paths, orders, strict=True):
        path.write_text(order)
    return list(map(str, paths))


def test_results_do_not_depend_on_jobs(tmp_path: Path) -> None:
    orders = [str(number * 7 % 5) for number in range(30)]
    expected = [f"t{index}.{number}" for index, order in enumerate(orders) for number in range(int(order))]
    for jobs in (1, 2, 5):
        assert [result.name for result in run(tmp_path, orders, jobs)] == expected
    assert not multiprocessing.active_children()


@pytest.mark.parametrize("jobs", [1, 3])
def test_a_process_that_dies_costs_its_test_only(tmp_path: Path, jobs: int) -> None:
    results = list(run(tmp_path, ["1", "die", "2", "die later", "1", "die", "die", "1"], jobs))
    assert [(result.name, result.status) for result in results] == [
        ("t0.0", "complete"),
        ("t1", "error"),
        ("t2.0", "complete"),
        ("t2.1", "complete"),
        ("t3.0", "complete"),
        ("t3", "error"),
        ("t4.0", "complete"),
        ("t5", "error"),
        ("t6", "error"),
        ("t7.0", "complete"),
    ]
    assert "exit code 7" in str(results[1].error)
    assert "SIGSEGV" in str(results[5].error)


def test_a_process_that_hangs_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "_GRACE", 0.5)
    results = list(run(tmp_path, ["1", "sleep", "1"], 2, BatchOptions(timeout=0.5)))
    assert [(result.name, result.status) for result in results] == [
        ("t0.0", "complete"),
        ("t1", "timeout"),
        ("t2.0", "complete"),
    ]
    assert results[1].unknown


def test_an_abandoned_batch_leaves_no_process(tmp_path: Path) -> None:
    results = run(tmp_path, ["1", "sleep", "sleep", "sleep"], 3)
    assert next(results).name == "t0.0"
    results.close()  # type: ignore[attr-defined]
    assert not multiprocessing.active_children()


def test_interruption_gives_what_there_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also of files that were not due yet; those that were being checked are marked."""
    waited, finished = multiprocessing.connection.wait, []

    def interrupted(*arguments: object) -> object:
        if len(finished) == 2:
            finished.append(None)  # once
            raise KeyboardInterrupt
        return waited(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(multiprocessing.connection, "wait", interrupted)
    found = []
    results = run(tmp_path, ["sleep", "1", "sleep", "2", "sleep", "sleep"], 3, progress=lambda _: finished.append(None))
    with pytest.raises(KeyboardInterrupt):
        for result in results:
            found.append((result.name, result.status, result.notes))
    assert found == [
        ("t0", "limit", ("interrupted",)),
        ("t1.0", "complete", ()),
        ("t2", "limit", ("interrupted",)),
        ("t3.0", "complete", ()),
        ("t3.1", "complete", ()),
        ("t4", "limit", ("interrupted",)),
    ]
    assert not multiprocessing.active_children()


def test_progress_is_called_for_each_file(tmp_path: Path) -> None:
    import stand_ins

    paths = [str(tmp_path / name) for name in ("a", "b", "c")]
    for path in paths:
        Path(path).write_text("die" if path.endswith("b") else "2")
    calls: list[str] = []
    assert len(list(run_batch(paths, BatchOptions(), 2, calls.append, stand_ins.work))) == 5
    assert len(calls) == 3 and calls[-1] == "" and set(calls) <= {"", *paths}


def test_errors_of_files_are_results(tmp_path: Path) -> None:
    paths = []
    for name, data in (("a.ll", b"define void @f( {"), ("b.ll", b"\0\xff"), ("c.litmus", b""), ("d.xyz", b"??")):
        (tmp_path / name).write_bytes(data)
        paths.append(str(tmp_path / name))
    paths.append(str(tmp_path / "missing.ll"))
    results = list(run_batch(paths, BatchOptions(), 2))
    assert [result.status for result in results] == ["error"] * 5
    for path, result in zip(paths, results, strict=True):
        assert str(result.error).startswith(path)
        assert "internal error" not in str(result.error)
        assert result.name == Path(path).stem and result.verdict == "unknown" and not result.unknown


def test_default_jobs() -> None:
    assert default_jobs(8) == 1
    assert default_jobs(1) >= 1  # those may share one search
    assert 1 <= default_jobs(10_000) <= 10_000


FORKED = """
import os, sys
sys.path[:0] = {paths!r}
import stand_ins
from enumerator.corpus import pool
from enumerator.corpus.batch import run_batch
from enumerator.options import BatchOptions
assert pool._may_fork()
print(os.getpid(), flush=True)
for result in run_batch(sys.argv[1:], BatchOptions(), 2, None, stand_ins.work):
    print(result.name, result.status, flush=True)
"""


def forked(files: list[str]) -> subprocess.Popen[str]:
    """Run a batch in a process without threads, which forks; its own number comes first."""
    script = FORKED.format(paths=[str(Path(__file__).parent), str(Path(__file__).parents[2])])
    alone = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    return subprocess.Popen([sys.executable, "-c", script, *files], stdout=subprocess.PIPE, text=True, env=alone)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have a server that forks")
def test_a_fork_that_dies_costs_its_test_only(tmp_path: Path) -> None:
    files = written(tmp_path, ["1", "die", "2", "die later", "1", "1"])
    with forked(files) as batch:
        out, _ = batch.communicate(timeout=60)
    found = [line.split() for line in out.splitlines()[1:]]
    assert [name.split(".")[0] for name, _ in found] == ["t0", "t1", "t2", "t2", "t3", "t3", "t4", "t5"]
    assert [status for _, status in found].count("error") == 2
    assert batch.returncode == 0


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have a server that forks")
def test_forks_end_with_a_process_that_is_killed(tmp_path: Path) -> None:
    with forked(written(tmp_path, ["200000"] * 4)) as batch:
        assert batch.stdout is not None
        batch.stdout.readline()
        batch.stdout.readline()  # they work
        children = Path(f"/proc/{batch.pid}/task/{batch.pid}/children").read_text().split()
        batch.kill()
    assert children
    until = time.monotonic() + 30
    while any(map(runs, children)) and time.monotonic() < until:
        time.sleep(0.05)
    assert not any(map(runs, children))


def runs(process: str) -> bool:
    """Tell whether a process has not ended, whoever has taken note of that."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2][0] not in "ZX"
    except OSError:
        return False
