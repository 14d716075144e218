"""The command line as a process."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
Run = Callable[..., "subprocess.CompletedProcess[str]"]


def execute(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "COLUMNS": "100"}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300, check=False
    )


@pytest.fixture
def enumerator(tmp_path: Path) -> Run:
    return lambda *arguments: execute([sys.executable, "-m", "enumerator", *arguments], tmp_path)


@pytest.fixture
def stand_in(tmp_path: Path) -> Run:
    """The command line over hand-made tests, given by keyword as JSON."""

    def run(*arguments: str, **tests: dict[str, Any]) -> subprocess.CompletedProcess[str]:
        for name, test in tests.items():
            (tmp_path / f"{name}.ll").write_text(json.dumps(test))
        return execute([sys.executable, str(HERE / "stand_in.py"), *arguments], tmp_path)

    return run


def lines_of(text: str) -> list[str]:
    return text.splitlines()


# Usage


def test_help_names_the_commands(enumerator: Run) -> None:
    done = enumerator("--help")
    assert done.returncode == 0
    for command in ("run", "check", "inspect", "tags", "models", "profiles"):
        assert f"  {command} " in done.stdout


@pytest.mark.parametrize("command", ["run", "check"])
def test_help_names_the_options(enumerator: Run, command: str) -> None:
    done = enumerator(command, "--help")
    assert done.returncode == 0
    for option in (
        *("--model", "-I", "--profile", "--hb", "--thin-air", "--unroll", "--jobs", "--timeout", "--max-executions"),
        *("--format", "--output", "--engine", "--show", "--verbose", "--all-values", "--outcomes-only", "--first"),
    ):
        assert option in done.stdout


def test_version(enumerator: Run) -> None:
    from enumerator import __version__

    assert enumerator("--version").stdout == f"enumerator {__version__}\n"


def test_nothing_heavy_is_imported_for_help() -> None:
    code = (
        "import sys, enumerator, enumerator.program.test, enumerator.errors, enumerator.cli\n"
        "heavy = {'numba', 'numpy', 'networkx', 'llvmlite', 'lark', 'rich', 'multiprocessing'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
        "try: enumerator.cli.main(['--help'])\n"
        "except SystemExit: pass\n"
        "heavy = {'numba', 'numpy', 'networkx', 'llvmlite', 'lark', 'rich'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    done = execute([sys.executable, "-c", code], HERE)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run"], "Missing argument"),
        (["nope"], "No such command"),
        (["run", "x.ll"], "enumerator: x.ll: no such file or folder"),
        (["check", "."], "no tests in this folder"),
        (["run", "--hb", "x", "a.ll"], "--hb"),
        (["run", "--thin-air", "x", "a.ll"], "--thin-air"),
        (["run", "--engine", "x", "a.ll"], "--engine"),
        (["run", "--format", "x", "a.ll"], "--format"),
        (["run", "--jobs", "0", "a.ll"], "--jobs"),
        (["run", "--unroll", "-1", "a.ll"], "--unroll"),
        (["run", "--timeout", "-1", "a.ll"], "--timeout"),
        (["run", "--timeout", "nan", "a.ll"], "--timeout"),
        (["run", "--max-executions", "0", "a.ll"], "--max-executions"),
        (["run", "-I", "nowhere", "a.ll"], "no such folder: nowhere"),
        (["run", "--nope", "a.ll"], "No such option"),
        (["tags", "foo:x"], "Missing argument"),
        (["tags", "foo", "bar"], "expected a tag of the form prefix:suffix, got 'foo'"),
        (["profiles", "nope"], "no such profile"),
        (["models", "nope"], "no model 'nope'"),
        (["models", "."], "."),
    ],
)
def test_bad_usage_is_one_message(enumerator: Run, arguments: list[str], message: str) -> None:
    done = enumerator(*arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr and done.stdout == ""


def test_bad_options_are_reported_once(stand_in: Run) -> None:
    tests = {name: {"condition": "true"} for name in "ab"}
    for option, message in (
        (("--model", "nope"), "no model 'nope'"),
        (("--profile", "nope"), "no such profile: 'nope'"),
        (("--model", "sc", "--hb", "direct"), "no option 'hb'"),
        (("--output", "no/where"), "no/where: No such file or directory"),
    ):
        done = stand_in("run", *option, ".", **tests)
        assert done.returncode == 2 and len(lines_of(done.stderr)) == 1
        assert message in done.stderr and done.stdout == ""


# Tags, models, profiles


@pytest.mark.parametrize(
    ("a", "b", "lines"),
    [
        (
            "foo:x,bar:a",
            "foo:y,bar:a",
            ["not compatible: foo is x in one and y in the other, with no tag in both", "combined: bar:a,foo:x,foo:y"],
        ),
        (
            "foo:x,foo:y",
            "foo:x",
            ["compatible: each prefix of both has a tag in both (foo:x)", "combined: foo:x,foo:y"],
        ),
        ("", "foo:x", ["compatible: no prefix is in both", "combined: no tags"]),
    ],
)
def test_tags(enumerator: Run, a: str, b: str, lines: list[str]) -> None:
    done = enumerator("tags", a, b)
    assert done.returncode == 0 and lines_of(done.stdout) == lines


def test_tags_json(enumerator: Run) -> None:
    done = enumerator("tags", "foo:x", "foo:y,bar:a", "--format", "json")
    assert json.loads(done.stdout) == {
        "a": ["foo:x"],
        "b": ["bar:a", "foo:y"],
        "compatible": False,
        "conflicts": ["foo"],
        "shared_prefixes": ["foo"],
        "combined": ["foo:x", "foo:y"],
    }


def test_profiles(enumerator: Run) -> None:
    assert [line.split()[0] for line in lines_of(enumerator("profiles").stdout)] == [
        "amdgpu",
        "amdgpu-strict",
        "generic",
        "strict",
        "vulkan",
    ]
    assert "opencl-fence-mem is read as amdgpu-synchronize-as" in enumerator("profiles", "amdgpu").stdout
    assert json.loads(enumerator("profiles", "vulkan", "--format", "json").stdout)["synchronize"] == "always"


def test_models(enumerator: Run) -> None:
    names = [line.split()[0] for line in lines_of(enumerator("models").stdout)]
    assert {"llvm", "rc11", "sc", "tso"} <= set(names) and names == sorted(names)
    assert "option hb: closure, direct, filtered (default closure)" in enumerator("models", "llvm").stdout
    assert json.loads(enumerator("models", "llvm", "--format", "json").stdout)["options"]["thin-air"][0] == "dep"


# run and check, over hand-made outcomes

YES_AND_NO = {"condition": "t:%a = 1", "states": [[1, 2], [0, 3]]}


def test_run(stand_in: Run) -> None:
    done = stand_in("run", "mp.ll", mp=YES_AND_NO)
    assert done.returncode == 0 and done.stderr == ""
    assert re.fullmatch(r"Time mp \d+\.\d\d", lines_of(done.stdout)[9])
    assert lines_of(done.stdout)[:9] == [
        "Test mp Allowed",
        "States 2",
        "t:%a=0;",
        "t:%a=1;",
        "Ok",
        "Witnesses",
        "Positive: 2 Negative: 3",
        "Condition exists (t:%a=1)",
        "Observation mp Sometimes 2 3",
    ]
    assert "# Model llvm@generic/closure/dep" in lines_of(done.stdout)


@pytest.mark.parametrize(
    ("test", "code"),
    [
        (YES_AND_NO, 0),
        (YES_AND_NO | {"quantifier": "never"}, 1),
        (YES_AND_NO | {"undefined": True}, 1),
        (YES_AND_NO | {"status": "timeout"}, 0),  # the witness was found
        (YES_AND_NO | {"status": "timeout", "states": [[0, 1]]}, 3),
        (YES_AND_NO | {"cut": 1, "states": [[0, 1]]}, 3),
        (YES_AND_NO | {"raise": "limit"}, 3),
        (YES_AND_NO | {"raise": "input"}, 2),
        (YES_AND_NO | {"raise": "internal"}, 2),
        (YES_AND_NO | {"load": "internal"}, 2),
        (YES_AND_NO | {"raise": "interrupt"}, 130),
        (YES_AND_NO | {"expect": [["llvm", None, [], "Sometimes", []]]}, 0),
        (YES_AND_NO | {"expect": [["llvm", None, [], "Sometimes", ["race"]]]}, 1),
        (YES_AND_NO | {"expect": [["llvm", None, ["direct"], "Never", []]]}, 0),  # says nothing of the default
        (YES_AND_NO | {"expect": [["llvm", None, [], "Sometimes", []]], "status": "limit"}, 3),  # the flags
    ],
)
def test_exit_codes_of_run(stand_in: Run, test: dict[str, Any], code: int) -> None:
    done = stand_in("run", "t.ll", t=test)
    assert done.returncode == code
    assert "Traceback" not in done.stderr


def test_errors_have_their_place(stand_in: Run) -> None:
    done = stand_in("run", "t.ll", t=YES_AND_NO | {"raise": "input"})
    assert done.stderr == "enumerator: t.ll:3:7: made by hand\n"
    done = stand_in("run", "t.ll", t=YES_AND_NO | {"raise": "internal"})
    assert "t.ll: internal error: KeyError: 'by hand' (stand_in.py:" in done.stderr


def test_check_runs_what_is_expected(stand_in: Run) -> None:
    expect = [
        ["llvm", None, [], "Sometimes", []],
        ["llvm", "vulkan", ["direct", "none"], "Never", ["race"]],
        ["sc", None, [], "Sometimes", []],
        ["nope", None, [], "Never", []],
        ["sc", None, ["direct"], "Never", []],
        ["llvm", "nope", [], "Never", []],
        ["llvm", None, ["dep", "closure"], "Sometimes", []],  # the first one again
    ]
    done = stand_in("check", "t.ll", t=YES_AND_NO | {"expect": expect})
    assert done.returncode == 2
    out = lines_of(done.stdout)
    assert out[-1].startswith("1 test, 6 results: 2 as expected, 1 different, 0 unknown, 3 errors in ")
    assert "  t.ll  llvm@vulkan/direct/none  Never+race  Sometimes" in out
    errors = [line for line in out if line.startswith("  t.ll:")]
    assert [line.split(":")[1] for line in errors] == ["4", "5", "6"]


def test_check_with_options_compares_with_the_expectation_that_matches(stand_in: Run) -> None:
    expect = [["llvm", None, [], "Sometimes", []], ["llvm", "vulkan", ["direct"], "Never", []]]
    test = YES_AND_NO | {"expect": expect}

    def found(*options: str) -> list[tuple[str, str, str, str | None]]:
        done = stand_in("check", "t.ll", "--format", "jsonl", *options, t=test)
        records = map(json.loads, lines_of(done.stdout))
        return [(r["model"], r["profile"], r["hb"], r["expected"]) for r in records]

    assert found() == [("llvm", "generic", "closure", "Sometimes"), ("llvm", "vulkan", "direct", "Never")]
    assert found("--model", "llvm") == [("llvm", "generic", "closure", "Sometimes")]
    assert found("--model", "llvm", "--profile", "vulkan", "--hb", "direct") == [("llvm", "vulkan", "direct", "Never")]
    assert found("--model", "llvm", "--model", "sc") == [
        ("llvm", "generic", "closure", "Sometimes"),
        ("sc", "generic", None, None),
    ]
    assert found("--hb", "direct") == [("llvm", "generic", "direct", None), ("llvm", "vulkan", "direct", "Never")]
    assert found("--profile", "strict") == [("llvm", "strict", "closure", None), ("llvm", "strict", "direct", None)]


@pytest.mark.parametrize("format_", ["text", "json", "jsonl", "csv", "junit"])
def test_output_goes_to_a_file(stand_in: Run, tmp_path: Path, format_: str) -> None:
    done = stand_in("run", "t.ll", "--format", format_, "--output", "report", t=YES_AND_NO)
    assert done.returncode == 0 and done.stdout == ""
    assert (tmp_path / "report").read_text()
    done = stand_in("check", "t.ll", "--format", format_, "--output", "report", t=YES_AND_NO)
    assert done.returncode == 0
    assert lines_of(done.stdout)[-1].startswith("1 test, 1 result: 1 as expected, 0 different, 0 unknown, 0 errors in")
    assert (tmp_path / "report").read_text()


def test_first_and_outcomes_only(stand_in: Run) -> None:
    done = stand_in("run", "t.ll", "--format", "json", "--outcomes-only", t=YES_AND_NO)
    (record,) = json.loads(done.stdout)
    assert record["positive"] is record["negative"] is record["executions"] is None
    assert record["verdict"] == "Ok" and record["observation"] == "Sometimes"
    assert stand_in("run", "t.ll", "--first", t=YES_AND_NO).returncode == 0


def test_a_reader_that_goes_away(stand_in: Run, tmp_path: Path) -> None:
    states = [[number, 1] for number in range(2_000)]
    profiles, readings = ("generic", "strict", "vulkan", "amdgpu"), ("closure", "direct", "filtered")
    expect = [["llvm", profile, [reading], "Never", []] for profile in profiles for reading in readings]
    (tmp_path / "t.ll").write_text(json.dumps(YES_AND_NO | {"states": states, "expect": expect}))
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    process = subprocess.Popen(
        [sys.executable, str(HERE / "stand_in.py"), "check", "t.ll", "--format", "jsonl"],
        cwd=tmp_path,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None and process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.wait(60) == 141
    assert process.stderr.read() == b""
    process.stderr.close()
