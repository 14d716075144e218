"""What commands import, and convert: the shorter, the sooner they begin."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import import_module
from inspect import cleandoc
from pathlib import Path

import pytest

from enumerator.cli.app import _COMMANDS

TEST = """; EXISTS: t0:%r = 0
@x = global i32 0
define void @t0() {
  %r = load i32, ptr @x
  ret void
}
"""
CODE = """
import os, sys
from enumerator.cli import main
try:
    main(sys.argv[1:])
except SystemExit as end:
    assert not end.code, end.code
print("IMPORTED", *sys.modules, "THREADS", os.environ.get("OPENBLAS_NUM_THREADS"))
"""


def imported(*arguments: str, threads: str | None = None) -> tuple[set[str], str]:
    """Give the modules that a command imports, and how many threads linear algebra may have."""
    environment = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    environment |= {"PYTHONPATH": os.pathsep.join(sys.path)}
    if threads is not None:
        environment["OPENBLAS_NUM_THREADS"] = threads
    done = subprocess.run(
        [sys.executable, "-c", CODE, *arguments], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    modules, _, told = done.stdout.rpartition("IMPORTED")[2].partition("THREADS")
    return set(modules.split()), told.strip()


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> str:
    file: Path = tmp_path_factory.mktemp("start") / "load.ll"
    file.write_text(TEST)
    imported("run", str(file))  # keeps kernels and the model
    return str(file)


def test_help_imports_no_command() -> None:
    modules, _ = imported("--help")
    ours = {name for name in modules if name.startswith("enumerator")}
    assert ours == {"enumerator", "enumerator.cli", "enumerator.cli.app", "enumerator.cli.quick"}
    assert not modules & {"pydantic", "rich", "numpy", "lark", "llvmlite"}


@pytest.mark.parametrize("command", ["run", "check"])
def test_help_of_a_command_imports_what_its_options_need(command: str) -> None:
    modules, _ = imported(command, "--help")
    assert not modules & {"pydantic", "rich", "numpy", "lark", "llvmlite", "enumerator.mmra"}


@pytest.mark.parametrize("options", [(), ("--model", "llvm", "--engine", "bitset", "--format", "text")])
def test_one_test_imports_what_it_uses(file: str, options: tuple[str, ...]) -> None:
    modules, _ = imported("run", file, *options)
    assert {"numpy", "llvmlite", "enumerator.search.bitset"} <= modules
    unused = {
        *("numba", "networkx", "rich", "pydantic", "multiprocessing", "xml", "csv"),
        *("enumerator.frontend.c", "enumerator.frontend.vulkan", "enumerator.frontend.alloy"),
        *("enumerator.cat.builder", "enumerator.cat.checker", "enumerator.cat.inference", "enumerator.cat.translator"),
        *("enumerator.cat.interpreter", "enumerator.reference", "enumerator.analysis", "enumerator.inspection"),
        *(
            "enumerator.search.growing",
            "enumerator.search.tries",
            "enumerator.unfold.growing",
            "enumerator.search.undef",
        ),
        *("enumerator.passes", "enumerator.report.structured", "enumerator.search.warm", "enumerator.cli.listing"),
    }
    assert not modules & unused


def test_linear_algebra_gets_one_thread_unless_told_otherwise(file: str) -> None:
    assert imported("run", file)[1] == "1"
    assert imported("run", file, threads="3")[1] == "3"


@pytest.mark.parametrize("home", _COMMANDS, ids=lambda home: home.name)
def test_the_list_of_commands_says_what_their_help_says(home: object) -> None:
    from typer import Typer

    name, module, summary = home  # type: ignore[misc]
    found = getattr(import_module(f"enumerator.cli.{module}"), name)
    told = found.info.help if isinstance(found, Typer) else cleandoc(found.__doc__)
    assert told.split("\n\n")[0].replace("\n", " ").startswith(summary)
