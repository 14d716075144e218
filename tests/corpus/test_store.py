"""Stores: nothing is lost, doubled or checked twice, whatever ends a batch; what is no store is told in one message."""

from __future__ import annotations

import json
import os
import random
import re
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from enumerator.corpus import keys, stored
from enumerator.corpus.batch import run_batch
from enumerator.corpus.compare import by_test, compare_records, compare_sorted
from enumerator.corpus.encoding import decode, encode
from enumerator.corpus.history import history
from enumerator.corpus.records import read_records, sorted_records
from enumerator.corpus.runs import Runs
from enumerator.corpus.store import Store
from enumerator.corpus.stored import Recorder
from enumerator.errors import InputError
from enumerator.options import BatchOptions
from enumerator.report import FORMATS, writer
from enumerator.results.result import Result

LITMUS = Path(__file__).resolve().parents[2] / "litmus_tests"
PAIR = """; {title}
; EXISTS: t0:%a = {value} /\\ t1:%b = 0
; EXPECT: {expect}
@x = global i32 0
@y = global i32 0
define void @t0() {{
  store atomic i32 1, ptr @x monotonic, align 4
  %a = load atomic i32, ptr @y monotonic, align 4
  ret void
}}
define void @t1() {{
  store atomic i32 1, ptr @y monotonic, align 4
  %b = load atomic i32, ptr @x monotonic, align 4
  ret void
}}
"""
MODEL = '"own"\ninclude "part.cat"\nacyclic order as own\n'
PART = "let order = po | rf | co | fr\n"


def pair(expect: str = "llvm=Sometimes sc=Never", value: int = 0, title: str = "Store buffering") -> str:
    return PAIR.format(expect=expect, value=value, title=title)


def checked(
    store: Path, paths: list[str], *, resume: bool = True, jobs: int = 1, **options: object
) -> tuple[list[Result], int]:
    """Check tests with a store; give the results, and how many were written that were not there."""
    asked = BatchOptions(by_expectations=True, **options)  # type: ignore[arg-type]
    with Store(str(store)) as opened:
        before = count(store)
        recorder = Recorder(opened, paths, asked, resume, len(paths))
        found = list(run_batch(paths, asked, jobs, recorder=recorder))
        return found, count(store) - before


def count(store: Path, what: str = "results") -> int:
    with sqlite3.connect(store) as database:
        return int(database.execute(f"SELECT COUNT(*) FROM {what}").fetchone()[0])


def said(results: list[Result]) -> list[tuple[object, ...]]:
    return [(each.path, each.model, each.outcome, each.as_expected, each.error, each.states) for each in results]


def start(folder: Path, *arguments: str, **settings: object) -> subprocess.Popen[str]:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-m", "enumerator", *arguments]
    pipe = subprocess.PIPE
    return subprocess.Popen(  # type: ignore[call-overload, no-any-return]
        command, cwd=folder, env=environment, stdout=pipe, stderr=pipe, text=True, **settings
    )


def run(folder: Path, *arguments: str, **settings: object) -> tuple[int, str, str]:
    process = start(folder, *arguments, **settings)
    out, err = process.communicate(timeout=300)
    assert "Traceback" not in err
    return process.returncode, out, err


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for number in range(6):
        name = tmp_path / "tests" / f"{number}.ll"
        name.parent.mkdir(exist_ok=True)
        name.write_text(pair(value=number % 2, title=f"number {number}"))
    (tmp_path / "tests" / "wrong.ll").write_text(pair("llvm=Never nosuch=Never"))
    (tmp_path / "tests" / "broken.ll").write_text(pair().replace("ret void", "ret vold"))
    return tmp_path


# What is written is what was found -----------------------------------------------------------------------------


@pytest.mark.parametrize("pictures, verbose", [(0, False), (4, True)])
def test_a_result_that_was_written_is_reported_alike(tmp_path: Path, pictures: int, verbose: bool) -> None:
    names = ("undef/undef+branch-every-execution.ll", "profiles/amdgpu/profile-amdgpu-strict-barrier.ll")
    found = []
    for path in (*(str(LITMUS / name) for name in names), str(tmp_path / "missing.ll")):
        options = BatchOptions(pictures=pictures, verbose=verbose, all_values=True)
        found += run_batch([path], options, 1)
    again = [decode(*encode(result)) for result in found]
    assert any(result.readings for result in found) and any(result.states for result in found)
    for name in FORMATS:
        reports = []
        for results in (found, again):
            file = tmp_path / name
            with open(file, "w", encoding="utf-8") as stream:
                writer(name)(results, stream)
            reports.append(file.read_text())
        assert reports[0] == reports[1]


@pytest.mark.parametrize(
    ("command", "form"), [("run", "text"), ("run", "csv"), ("check", "text"), ("check", "jsonl"), ("check", "junit")]
)
def test_reports_do_not_depend_on_the_store(folder: Path, command: str, form: str) -> None:
    plain = run(folder, command, "tests", "--format", form)
    store = ("--store", "results.db")
    for more in (store, (*store, "--resume"), (*store, "--resume", "--jobs", "2")):
        assert [untimed(text) for text in run(folder, command, "tests", "--format", form, *more)[1:]] == [
            untimed(text) for text in plain[1:]
        ]


def untimed(text: str) -> str:
    return re.sub(r'"seconds": [\d.e-]+|time="[\d.]+"|Time .*|in [\d.]+ s|\b\d\.[\de.-]+\b', "", text)


# What is there is not checked again ----------------------------------------------------------------------------


def test_nothing_is_checked_twice(folder: Path) -> None:
    store, paths = folder / "results.db", sorted(map(str, (folder / "tests").glob("*.ll")))
    first, new = checked(store, paths)
    assert new == len(first) == 15
    for jobs in (1, 2):
        again, new = checked(store, paths, jobs=jobs)
        assert (said(again), new) == (said(first), 0)
    assert checked(store, paths, resume=False)[1] == 15  # asked for: history
    assert count(store, "runs") == 4 and count(store, "listed") == 60


def test_a_test_that_was_moved_is_the_same_test(folder: Path) -> None:
    store, old, new = folder / "results.db", folder / "tests" / "0.ll", folder / "0.ll"
    checked(store, [str(old)])
    old.rename(new)
    found, written = checked(store, [str(new)])
    assert written == 0 and {each.path for each in found} == {str(new)}
    broken = folder / "tests" / "broken.ll"
    checked(store, [str(broken)])
    found, written = checked(store, [str(broken.rename(folder / "broken.ll"))])
    assert written == 1 and str(found[0].error).startswith(str(folder / "broken.ll"))


def test_what_a_result_rests_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    files = {"own.cat": MODEL, "part.cat": PART, "own.toml": 'extends = "generic"\n'}
    files["a.ll"] = pair("own.cat=Never llvm@own.toml=Sometimes")
    for name, text in files.items():
        Path(name).write_text(text)
    store = tmp_path / "results.db"
    found, written = checked(store, ["a.ll"])
    assert [each.outcome for each in found] == ["Never", "Sometimes"] and written == 2
    assert checked(store, ["a.ll"])[1] == 0
    Path("part.cat").write_text(PART.replace("po |", "po & (R * R | W * W) |"))  # an included file
    found, written = checked(store, ["a.ll"])
    assert [each.outcome for each in found] == ["Sometimes", "Sometimes"] and written == 1
    Path("own.toml").write_text('extends = "strict"\n')
    assert checked(store, ["a.ll"])[1] == 1
    Path("a.ll").write_text(files["a.ll"].replace("Store buffering", "SB"))
    assert checked(store, ["a.ll"])[1] == 2
    assert checked(store, ["a.ll"], all_values=True)[1] == 2
    assert checked(store, ["a.ll"], timeout=50.0, jobs=2)[1] == 0
    monkeypatch.setattr(keys, "program_version", lambda: "another one")
    monkeypatch.setattr(stored, "program_version", lambda: "another one")
    assert checked(store, ["a.ll"])[1] == 2


def test_what_a_limit_ended_is_checked_again_under_a_larger_one(folder: Path) -> None:
    store, path = folder / "results.db", str(folder / "tests" / "1.ll")

    def unknown(most: int | None) -> tuple[int, int]:
        found, written = checked(store, [path], max_executions=most, outcomes_only=False, models=("llvm",))
        return sum(each.unknown for each in found), written

    assert unknown(1) == (1, 1)
    assert unknown(1) == (1, 0)
    assert unknown(2) == (1, 1)
    assert unknown(None) == (0, 1)
    assert unknown(1) == (0, 0)  # what is decided stays so


def test_part_of_a_test_is_there(folder: Path) -> None:
    """A batch that was ended within a test goes on with the next model."""
    store, path = folder / "results.db", str(folder / "tests" / "0.ll")
    first, _ = checked(store, [path])
    with sqlite3.connect(store) as database:
        database.execute("DELETE FROM finished")
        database.execute("DELETE FROM listed WHERE place = 1")
        database.execute("DELETE FROM results WHERE id = 2")
    again, written = checked(store, [path])
    assert (said(again), written) == (said(first), 1)


# Whatever ends a batch -----------------------------------------------------------------------------------------


def test_killed_at_any_moment(folder: Path) -> None:
    """Also while the store is made: what a process wrote is there, and what it did not write is checked later."""
    for number in range(40):
        (folder / "tests" / f"more{number}.ll").write_text(pair(title=f"more {number}"))
    arguments = ("check", "tests", "--format", "jsonl", "--store", "results.db", "--resume", "--jobs", "2")
    chance, killed, seen = random.Random(7), 0, 0
    store = folder / "results.db"
    while killed < 6:
        process = start(folder, *arguments)
        assert process.stdout is not None
        if killed:
            for _ in range(seen + chance.randrange(20)):
                process.stdout.readline()
        time.sleep(chance.uniform(0, 0.3))
        process.kill()
        process.communicate()
        killed += 1
        if store.exists() and store.stat().st_size and count(store, "sqlite_master WHERE name = 'results'"):
            with sqlite3.connect(store) as database:
                assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            assert count(store) >= seen
            seen = count(store)
    code, out, err = run(folder, *arguments)
    assert (code, untimed(out)) == (2, untimed(run(folder, "check", "tests", "--format", "jsonl")[1]))
    with sqlite3.connect(store) as database:
        twice = "SELECT test, key FROM results WHERE key != '' GROUP BY test, key HAVING COUNT(*) > 1"
        assert database.execute(twice).fetchall() == []
    assert 0 < seen <= count(store) == len(out.splitlines())
    with Runs(str(store)) as runs:
        chapters = list(history(runs))  # runs that were killed are part of those that went on with them
        assert all(chapter.run.ended is not None for chapter in chapters)
        assert chapters[-1].run.results == len(out.splitlines())


def test_a_full_disk(folder: Path) -> None:
    def small() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))

    for number in range(60):
        (folder / "tests" / f"more{number}.ll").write_text(pair(title=f"more {number}"))
    arguments = ("check", "tests", "--store", "results.db")
    code, out, err = run(folder, *arguments, preexec_fn=small)
    assert code == 2
    assert re.fullmatch(r"enumerator: results.db: the store cannot be .*(space|disk).*\n", err), err
    there = count(folder / "results.db")
    assert 0 < there < 135
    assert run(folder, *arguments, "--resume")[1].splitlines()[-1].startswith("68 tests, 135 results: ")
    assert count(folder / "results.db") == 135


def test_two_processes_write_one_store(folder: Path) -> None:
    (folder / "tests" / "broken.ll").unlink()
    (folder / "tests" / "wrong.ll").unlink()
    for number in range(20):
        (folder / "tests" / f"more{number}.ll").write_text(pair(title=f"more {number}"))
    both = [start(folder, "check", "tests", "--store", "results.db", "--jobs", "2") for _ in range(2)]
    ends = [process.communicate(timeout=300)[0].splitlines()[-1] for process in both]
    wanted = "26 tests, 52 results: 49 as expected, 3 different, 0 unknown, 0 errors"
    assert [end.split(" in ")[0] for end in ends] == [wanted] * 2
    assert count(folder / "results.db") == 104
    assert run(folder, "compare", "results.db:1", "results.db:2")[0] == 0


def test_interrupted(folder: Path) -> None:
    """What there is stays, and a search that was cut short is no result."""
    from benchmarks.scaling import SCALING

    (folder / "long.litmus").write_text(SCALING["LB"].make(34, "rlx"))
    arguments = ("run", "tests/0.ll", "long.litmus", "--store", "results.db", "--format", "jsonl")
    process = start(folder, *arguments, start_new_session=True)
    assert process.stdout is not None
    process.stdout.readline()
    os.killpg(process.pid, signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode == 130
    assert count(folder / "results.db") == 1
    with Runs(str(folder / "results.db")) as runs:
        assert [run.ended for run in runs.runs()] == [None]


# What is no store ----------------------------------------------------------------------------------------------


def told(arguments: tuple[str, ...], folder: Path) -> str:
    code, out, err = run(folder, *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    return err.removeprefix("enumerator: ")


def test_what_is_no_store(folder: Path) -> None:
    (folder / "text.db").write_text("no database")
    with sqlite3.connect(folder / "other.db") as database:
        database.execute("CREATE TABLE songs (name)")
    Store(str(folder / "newer.db")).close()
    with sqlite3.connect(folder / "newer.db") as database:
        database.execute("PRAGMA user_version = 99")
    Store(str(folder / "empty.db")).close()
    (folder / "cut.db").write_bytes((folder / "empty.db").read_bytes()[:5000])
    check = ("check", "tests", "--store")
    assert "another kind of file" in told((*check, "text.db"), folder)
    assert "a database of something else" in told((*check, "other.db"), folder)
    assert "newer version of the program (schema 99" in told((*check, "newer.db"), folder)
    assert "folder" in told((*check, "nowhere/a.db"), folder)
    assert "this is a folder" in told((*check, "tests"), folder)
    assert "damaged" in told((*check, "cut.db"), folder)
    assert "no results yet" in told(("report", "empty.db"), folder)
    assert "newer version" in told(("report", "newer.db"), folder)
    assert "no results yet" in told(("compare", "empty.db", "empty.db"), folder)
    assert "--store FILE" in told(("check", "tests", "--resume"), folder)
    with sqlite3.connect(folder / "other.db") as database:
        assert database.execute("PRAGMA journal_mode").fetchone() == ("delete",)  # it is as it was


def test_locked_by_another_process(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("enumerator.corpus.database._PATIENCE", 0.2)
    path = str(folder / "results.db")
    Store(path).close()
    with sqlite3.connect(path, isolation_level=None) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(InputError, match="another process keeps the store to itself"):
            Store(path)
        other.execute("ROLLBACK")
    other.close()
    Store(path).close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="takes the rights away from a process")
def test_read_only() -> None:
    """A store that nobody may write is read all the same."""
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        (place / "a.ll").write_text(pair())
        assert len(checked(place / "results.db", [str(place / "a.ll")])[0]) == 2
        (place / "results.db").chmod(0o444)
        place.chmod(0o555)
        says, writes = os.pipe()
        child = os.fork()
        if child == 0:
            if os.geteuid() == 0:
                os.setuid(65534)
            try:
                with Runs(str(place / "results.db")) as runs:
                    os.write(writes, f"{len(list(runs.listed([1])))} ".encode())
                Store(str(place / "results.db"))
            except InputError as error:
                os.write(writes, error.message.encode())
            finally:
                os._exit(0)
        os.waitpid(child, 0)
        message = os.read(says, 1000).decode()
        place.chmod(0o755)
    assert message == "2 the store cannot be written: the file, or its folder, is read-only"


# Reading stores ------------------------------------------------------------------------------------------------


@pytest.fixture
def runs_of(folder: Path) -> Path:
    """Give a store of two runs, and files of the same results."""
    for number in (1, 2):
        if number == 2:
            (folder / "tests" / "3.ll").write_text(pair("llvm=Never", title="another one"))
            (folder / "tests" / "4.ll").unlink()
        arguments = ("check", "tests", "--format", "jsonl", "--store", "results.db", "--resume")
        (folder / f"{number}.jsonl").write_text(run(folder, *arguments)[1])
    return folder


def test_a_store_is_compared_as_files_are(runs_of: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(runs_of)
    sides = by_test(read_records("1.jsonl"), read_records("2.jsonl"))
    wanted = compare_records(*sides)
    assert wanted.differences and wanted.only_first == 3
    for one, other in (("1.jsonl", "2.jsonl"), ("results.db:1", "results.db"), ("1.jsonl", "results.db:2")):
        assert compare_sorted(sorted_records(one), sorted_records(other)) == wanted
    code, out, _ = run(runs_of, "compare", "results.db:1", "results.db:2", "--format", "json")
    assert code == 1 and len(json.loads(out)["differences"]) == len(wanted.differences)


def test_a_store_is_reported(runs_of: Path) -> None:
    assert run(runs_of, "report", "results.db", "--format", "jsonl")[1] == (runs_of / "2.jsonl").read_text()
    assert run(runs_of, "report", "results.db:1", "--format", "jsonl")[1] == (runs_of / "1.jsonl").read_text()
    for form in ("csv",):
        stored_report = run(runs_of, "report", "results.db", "--format", form)[1]
        assert stored_report == run(runs_of, "report", "2.jsonl", "--format", form)[1]
    page = run(runs_of, "report", "results.db")[1]
    assert "<h2>Runs</h2>" in page and "Sometimes (run 1, " in page
    assert "<h2>Runs</h2>" not in run(runs_of, "report", "2.jsonl")[1]


def test_the_history_of_a_store(runs_of: Path) -> None:
    code, out, _ = run(runs_of, "history", "results.db")
    rows = [line.split() for line in out.splitlines()]
    assert code == 0 and not any(row[:2] == ["tests/3.ll", "llvm@generic/closure/dep"] for row in rows)
    assert ["tests/3.ll", "sc@generic", "Sometimes", "-"] in rows
    assert ["tests/4.ll", "llvm@generic/closure/dep", "Sometimes", "-"] in rows
    _, out, _ = run(runs_of, "history", "results.db", "--format", "json")
    chapters = json.loads(out)
    assert [(each["run"]["id"], each["before"], len(each["changes"])) for each in chapters][0] == (1, None, 0)
    assert chapters[1]["before"] == 1


def test_runs_of_several_folders_are_one_report(folder: Path) -> None:
    for name in ("0", "1", "0"):
        run(folder, "check", f"tests/{name}.ll", "--store", "results.db")
    _, out, _ = run(folder, "report", "results.db", "--format", "jsonl")
    assert [json.loads(line)["path"] for line in out.splitlines()] == ["tests/1.ll"] * 2 + ["tests/0.ll"] * 2


def test_tables(runs_of: Path) -> None:
    code, out, _ = run(runs_of, "export", "results.db", "--format", "csv")
    header, first = out.splitlines()[:2]
    assert code == 0 and header.startswith("run,begun,name,path,") and first.startswith("2,")
    code, out, _ = run(runs_of, "export", "results.db", "--format", "csv", "--every-run")
    assert len(out.splitlines()) == 1 + sum(len((runs_of / f"{n}.jsonl").read_text().splitlines()) for n in (1, 2))
    assert "expected a file for Parquet" in told(("export", "results.db"), runs_of)
    assert "no store" in told(("export", "1.jsonl", "-o", "a.parquet"), runs_of)
    parquet = pytest.importorskip("pyarrow.parquet")
    assert run(runs_of, "export", "results.db", "--output", "a.parquet") == (0, "", "")
    table = parquet.read_table(runs_of / "a.parquet").to_pylist()
    records = [json.loads(line) for line in (runs_of / "2.jsonl").read_text().splitlines()]
    assert [json.loads(row["record"]) for row in table] == records
    assert [(row["name"], row["positive"], row["flags"], row["states"]) for row in table] == [
        (record["name"], record["positive"], record["flags"], len(record["states"])) for record in records
    ]


def test_a_count_that_no_column_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyarrow")
    from enumerator.corpus.export import export_parquet
    from enumerator.corpus.keys import Needs
    from enumerator.corpus.tasks import Answer

    result = Result("big", "big.ll", "llvm", verdict="Ok", positive=1 << 70, negative=0)
    with Store(str(tmp_path / "results.db")) as store:
        number = store.begin(["big.ll"], BatchOptions(), "0", 1, False)
        store.add(number, "", Answer("", Needs(), result, *encode(result)), result, BatchOptions(), 0, 0)
    with Runs(str(tmp_path / "results.db")) as runs:
        assert export_parquet(runs, runs.chosen(), str(tmp_path / "a.parquet")) == 1
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with Runs(str(tmp_path / "results.db")) as runs, pytest.raises(InputError, match="pip install"):
        export_parquet(runs, runs.chosen(), str(tmp_path / "a.parquet"))
