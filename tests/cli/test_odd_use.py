"""What users meet: outputs that take nothing, names that are odd, misspelt or missing."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., "subprocess.CompletedProcess[str]"]

ONE_STORE = """; EXISTS: @x = 1
@x = global i32 0
define void @t() {
  store i32 1, ptr @x
  ret void
}
"""


TOKENS = """@x = global i32 0
declare i1 @llvm.csa.mementry()
declare void @llvm.csa.inord(i1)
declare i1 @llvm.csa.outord()
define void @t() {
  %e = call i1 @llvm.csa.mementry()
  call void @llvm.csa.inord(i1 %e)
  store i32 1, ptr @x
  %s = call i1 @llvm.csa.outord()
  call void @llvm.csa.inord(i1 %s)
  ret void
}
"""


def execute(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300, check=False
    )


@pytest.fixture
def enumerator(tmp_path: Path) -> Run:
    return lambda *arguments: execute([sys.executable, "-m", "enumerator", *arguments], tmp_path)


def lines_of(text: str) -> list[str]:
    return text.splitlines()


# Where output goes


def test_an_output_that_takes_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.ll").write_text(ONE_STORE)
    for arguments in ("run a.ll", "--help"):
        for target, message in (("/dev/full", "No space left"), ("&-", "closed")):
            if (arguments, target) == ("--help", "&-"):
                continue  # typer says nothing then
            done = execute(["sh", "-c", f"{sys.executable} -m enumerator {arguments} >{target}"], tmp_path)
            assert (done.returncode, len(lines_of(done.stderr))) == (2, 1) and message in done.stderr
    assert execute(["sh", "-c", f"{sys.executable} -m enumerator run nope.ll 2>&-"], tmp_path).returncode == 2


def test_a_name_with_a_line_end_is_a_name(enumerator: Run, tmp_path: Path) -> None:
    folder = tmp_path / "more"
    folder.mkdir()
    (folder / "new\nline.ll").write_text(ONE_STORE)
    assert enumerator("run", "more/new\nline.ll").returncode == 0
    done = enumerator("check", "more")
    assert done.returncode == 0 and "1 test, 1 result" in done.stdout


def test_a_file_that_is_missing_is_an_error_of_that_file(enumerator: Run, tmp_path: Path) -> None:
    (tmp_path / "a.ll").write_text(ONE_STORE)
    done = enumerator("run", "nope.ll", "a.ll")
    assert done.returncode == 2 and "Test a " in done.stdout
    assert done.stderr == "enumerator: nope.ll: cannot read it: No such file or directory\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["draw", "a.ll", "--show", "lo,nope"], "--show: there is no relation 'nope' in the model llvm"),
        (["draw", "a.ll", "-o", "a.png"], "a.png: expected a name that ends with .svg, .dot"),
        (["inspect", "a.ll", "--cpu", "gfx9000"], "a.ll: LLVM: there is no processor 'gfx9000'"),
    ],
)
def test_names_that_are_not_known(enumerator: Run, tmp_path: Path, arguments: list[str], message: str) -> None:
    (tmp_path / "a.ll").write_text(ONE_STORE)
    done = enumerator(*arguments)
    assert done.returncode == 2 and message in done.stderr and len(lines_of(done.stderr)) == 1
    assert not (tmp_path / "a.png").exists()


def test_options_that_nothing_here_uses_are_refused_all_the_same(enumerator: Run, tmp_path: Path) -> None:
    (tmp_path / "a.ll").write_text(ONE_STORE)
    for arguments, message in (
        ("run a.ll -O 9", "-O: no level of optimization: 9"),
        ("check a.ll -O9", "-O: no level of optimization: 9"),
        ("run a.ll --clang nosuch", "--clang: no such compiler: nosuch"),
        ("relax a.ll --cpu nosuch", "--cpu: expected an AMDGPU processor"),
        ("repair a.ll --cpu gfx9000", "--cpu: LLVM: there is no processor 'gfx9000'"),
        ("refines a.ll nothing.ll --cpu nosuch", "--cpu: expected an AMDGPU processor"),
    ):
        done = enumerator(*arguments.split())
        assert (done.returncode, done.stdout) == (2, "") and done.stderr.startswith(f"enumerator: {message}")


@pytest.mark.parametrize(
    "arguments",
    [
        "run a.ll --format json",
        "check a.ll",
        "run b.ll --model a.ll",
        "explain a.ll",
        "draw a.ll --format svg",
        "optimize a.ll",
        "inspect a.ll",
        "tokens a.ll",
        "report a.ll",
    ],
)
def test_an_output_is_no_input(enumerator: Run, tmp_path: Path, arguments: str) -> None:
    text = TOKENS if arguments.startswith("tokens") else '"m"\nacyclic po\n' if "--model" in arguments else ONE_STORE
    (tmp_path / "b.ll").write_text(ONE_STORE)
    if arguments.startswith("report"):
        text = enumerator("run", "b.ll", "--format", "jsonl").stdout
    (tmp_path / "a.ll").write_text(text)
    (tmp_path / "link.ll").symlink_to("a.ll")
    for name in ("a.ll", "./a.ll", "link.ll"):
        done = enumerator(*arguments.split(), "--output", name)
        assert done.returncode == 2 and (tmp_path / "a.ll").read_text() == text
        assert done.stderr == "enumerator: --output: the output would replace the input a.ll: expected another file\n"


def test_an_output_is_not_what_is_piped(tmp_path: Path) -> None:
    (tmp_path / "a.ll").write_text(ONE_STORE)
    done = execute(["sh", "-c", f"{sys.executable} -m enumerator run - -o a.ll <a.ll"], tmp_path)
    assert done.returncode == 2 and "would replace the input -" in done.stderr
    assert (tmp_path / "a.ll").read_text() == ONE_STORE


def test_a_counterexample_is_not_written_over_its_programs(enumerator: Run, tmp_path: Path) -> None:
    (tmp_path / "source.ll").write_text(ONE_STORE)
    (tmp_path / "after.ll").write_text(ONE_STORE.replace("store i32 1", "store i32 2"))
    done = enumerator("refines", "source.ll", "after.ll", "-o", ".")
    assert done.returncode == 2 and "would replace the input source.ll" in done.stderr
    assert enumerator("refines", "source.ll", "after.ll", "-o", "out").returncode == 1
    assert {path.name for path in (tmp_path / "out").iterdir()} >= {"source.ll", "target.ll"}
