"""Tests on the machines of a Dask scheduler: a real one on this machine, with workers that are processes."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from enumerator import check
from enumerator.corpus import cluster, remote
from enumerator.corpus.batch import run_batch
from enumerator.corpus.cluster import Cluster, chunk_seconds
from enumerator.corpus.store import Store
from enumerator.corpus.stored import Recorder
from enumerator.corpus.tasks import Task, check_keyed
from enumerator.errors import InputError
from enumerator.frontend import load_text
from enumerator.options import BatchOptions
from enumerator.report.structured import write_jsonl
from enumerator.results.result import Result
from tests.corpus.test_store import MODEL, PART, count, pair

distributed = pytest.importorskip("distributed")


@pytest.fixture(scope="module")
def scheduler() -> Iterator[Any]:
    """Start two workers, which import what stands beside this file."""
    here = str(Path(__file__).parent)
    sys.path.insert(0, here)
    try:
        with cluster._local_cluster(distributed, 2) as found:
            yield found
    finally:
        sys.path.remove(here)


def far(scheduler: Any, paths: list[str], options: BatchOptions, **more: Any) -> list[Result]:
    place = Cluster(scheduler.scheduler_address, options, **{name: more.pop(name) for name in ["work"] if name in more})
    return list(run_batch(paths, options, 1, place=place, **more))


def written(results: list[Result], folder: Path) -> str:
    with open(folder / "report", "w") as stream:
        write_jsonl(results, stream)
    return re.sub(r'"seconds": [\d.e-]+', "", (folder / "report").read_text())


def test_results_are_those_of_this_machine(scheduler: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also of files that workers do not have: models with what they include, profiles beside a test, wrong ones."""
    monkeypatch.chdir(tmp_path)
    Path("models").mkdir()
    Path("models/own.cat").write_text(MODEL)
    Path("models/part.cat").write_text(PART)
    Path("models/bad.cat").write_text('"bad"\ninclude "wrong.cat"\n')
    Path("models/wrong.cat").write_text("acyclic nothing as x\n")
    Path("own.toml").write_text('extends = "strict"\n')
    for number in range(12):
        Path(f"{number:02d}.ll").write_text(pair(value=number % 2, title=f"number {number}"))
    Path("12.ll").write_text(pair("models/own.cat=Never llvm@own.toml=Sometimes own.cat=Never"))
    Path("13.ll").write_text(pair("models/bad.cat=Never models/none.cat=Never llvm@../own.toml=Never"))
    Path("14.ll").write_text(pair().replace("ret void", "ret vold"))
    Path("15.ll").symlink_to("nowhere")
    paths = [f"{number:02d}.ll" for number in range(16)]
    options = BatchOptions(by_expectations=True, include_dirs=("models",))
    here = list(run_batch(paths, options, 1))
    assert {each.status for each in here} == {"complete", "error"} and len(here) == 32
    assert written(far(scheduler, paths, options), tmp_path) == written(here, tmp_path)
    with Store("results.db") as store:
        recorder = Recorder(store, paths, options, True, len(paths))
        assert written(far(scheduler, paths, options, recorder=recorder), tmp_path) == written(here, tmp_path)
        assert count(tmp_path / "results.db") == 32
        recorder = Recorder(store, paths, options, True, len(paths))
        assert written(list(run_batch(paths, options, 2, recorder=recorder)), tmp_path) == written(here, tmp_path)
        assert count(tmp_path / "results.db") == 33  # a file that cannot be read may be there the next time


def test_a_test_that_kills_its_process_is_an_error(scheduler: Any, tmp_path: Path) -> None:
    """After two processes; the results that it gave before are there once, and the others have theirs."""
    paths = []
    for number, order in enumerate(["1", "die", "2", "die later", "die once", "1"]):
        path = tmp_path / f"t{number}"
        path.write_text(order)
        paths.append(str(path))
    found = far(scheduler, paths, BatchOptions(), work="cluster_work:work")
    assert [(each.name, each.status) for each in found] == [
        ("t0.0", "complete"),
        ("t1", "error"),
        ("t2.0", "complete"),
        ("t2.1", "complete"),
        ("t3.0", "complete"),
        ("t3", "error"),
        ("t4.0", "complete"),
        ("t5.0", "complete"),
    ]
    assert "the process that checked this test died (exit code 7)" in str(found[1].error)
    assert [(tmp_path / f"t{n}.tries").read_text() for n in (1, 3, 4)] == ["..", "..", ".."]


def test_a_worker_that_dies_costs_a_retry(scheduler: Any, tmp_path: Path) -> None:
    paths = []
    for number in range(6):
        path = tmp_path / f"t{number}"
        path.write_text("kill the worker once" if number == 2 else "1")
        paths.append(str(path))
    found = far(scheduler, paths, BatchOptions(), work="cluster_work:work")
    assert [(each.name, each.status) for each in found] == [(f"t{number}.0", "complete") for number in range(6)]


def test_a_test_that_kills_workers_is_an_error(scheduler: Any, tmp_path: Path) -> None:
    paths = []
    for number in range(3):
        path = tmp_path / f"t{number}"
        path.write_text("kill the worker" if number == 1 else "1")
        paths.append(str(path))
    found = far(scheduler, paths, BatchOptions(), work="cluster_work:work")
    assert [(each.name, each.status) for each in found if each.name == "t1"] == [("t1", "error")]
    assert len(found) == 3 and "the machine that checked this test died" in str(found[1].error)


def test_a_long_search_is_shared(scheduler: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its parts are searched by workers, and it counts what one process counts."""
    from benchmarks.scaling import SCALING
    from enumerator.corpus import helpers
    from enumerator.search import bitset, stealing
    from enumerator.search.forks import run_parts
    from enumerator.search.helping import helped_by
    from enumerator.search.tuning import Tuning

    text = SCALING["WRITERS"].make(11, "rlx")
    alone = check(load_text(text, "w.litmus"), "rc11")
    answers: list[object] = []
    receive = helpers.Helper.receive

    def received(self: Any) -> Any:
        answer = receive(self)
        answers.append(answer[1])
        return answer

    def when_there_is_room(tasks: Any, jobs: int, deadline: Any, more: Any, helper: Any) -> Any:
        """Run parts once a worker is known to be free: a search this short is over before, else."""
        while helper.room <= 0:
            helper.receive()
        return run_parts(tasks, jobs, deadline, more, helper)

    monkeypatch.setattr(helpers.Helper, "receive", received)
    monkeypatch.setattr(stealing, "run_parts", when_there_is_room)
    tuning = Tuning(help_after=0.0, give_after=0.0, slice=0.001, symmetry=False)
    monkeypatch.setattr(bitset.SESSION, "tuning", tuning)
    address = scheduler.scheduler_address
    with helped_by(lambda request: helpers.helper(address, request)):
        shared = check(load_text(text, "w.litmus"), "rc11")
    assert (shared.explored, shared.consistent, shared.states) == (alone.explored, alone.consistent, alone.states)
    assert any(each is not None for each in answers), "no part was searched elsewhere"


def test_another_version_is_refused(scheduler: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.ll").write_text(pair())
    monkeypatch.setattr(cluster, "program_version", lambda: "0.0+other")
    with pytest.raises(InputError, match="a worker has another version of the program: .*, here it is 0.0.other"):
        far(scheduler, [str(tmp_path / "a.ll")] * 1, BatchOptions())


def test_nobody_answers() -> None:
    with pytest.raises(InputError, match="--dask: .*no address of a scheduler"):
        Cluster("what is this", BatchOptions())


def test_without_dask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(InputError, match=r"pip install 'enumerator\[dask\]'"):
        Cluster("local", BatchOptions())


def test_messages_are_plain_text(tmp_path: Path) -> None:
    """What is sent is JSON, and what comes back."""
    (tmp_path / "a.ll").write_text(pair())
    task = {"path": "a.ll", "number": 3, "key": "k", "known": [], "text": pair()}
    message = {
        "version": remote.program_version(),
        "batch": "b",
        "options": remote.written_options(BatchOptions(models=("sc",))),
        "folder": "/no/such/folder",
        "answers": [],
        "tests": [task],
        "work": "enumerator.corpus.remote:check_given",
    }
    answer = json.loads(remote.check_chunk(json.dumps(message)))
    ((number, answers),) = [(each["number"], each["answers"]) for each in answer["tests"]]
    here = next(check_keyed(Task(str(tmp_path / "a.ll"), 3, "k"), BatchOptions(models=("sc",)), remote.Models(())))
    assert number == 3 and answers[0]["key"] == here.key
    for _, pool in remote._waiting._idle:
        pool.close()
    remote._waiting._idle.clear()


def test_chunks_grow_with_the_number_of_workers() -> None:
    assert [chunk_seconds(slots) for slots in (1, 100, 500, 10_000)] == [1.0, 1.0, 5.0, 10.0]


def test_the_command_line(scheduler: Any, tmp_path: Path) -> None:
    from tests.corpus.test_store import run

    for number in range(4):
        (tmp_path / f"{number}.ll").write_text(pair(value=number % 2))
    plain = run(tmp_path, "check", ".", "--format", "csv")
    far_away = run(tmp_path, "check", ".", "--format", "csv", "--dask", scheduler.scheduler_address, "--store", "r.db")
    without = [[line.split(",")[:-2] for line in out.splitlines()] for _, out, _ in (plain, far_away)]
    assert plain[0] == far_away[0] == 1 and without[0] == without[1] and far_away[2] == ""
    code, out, err = run(tmp_path, "check", ".", "--dask", "127.0.0.1:1")
    assert (code, out) == (2, "") and "no scheduler answers there" in err
