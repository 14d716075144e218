"""The tools that measure: what they write, what they run, what they draw."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))

from benchmarks.families import FAMILIES  # noqa: E402
from benchmarks.generate import SHAPES, litmus_test, write_corpus  # noqa: E402
from benchmarks.others import genmc_program  # noqa: E402
from benchmarks.phases import Phases  # noqa: E402
from benchmarks.plot import plot  # noqa: E402
from benchmarks.scaling import SCALING  # noqa: E402
from enumerator import check, frontend  # noqa: E402
from enumerator.frontend import load_text  # noqa: E402

ROOT = Path(__file__).parents[2]


def benchmarks(*arguments: str | Path, path: str | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "benchmarks", *map(str, arguments)]
    environment = {**os.environ, "PATH": path or os.environ["PATH"]}
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


def test_runner_times_what_is_on_the_path(tmp_path: Path) -> None:
    for name in ("herd7", "genmc"):
        stand_in = tmp_path / name
        stand_in.write_text(f"#!/bin/sh\nfor last; do :; done\ncp $last {tmp_path}/{name}.input\n")
        stand_in.chmod(0o755)
    output = tmp_path / "measured.jsonl"
    sizes = ["--size", "3", "--size", "4"]
    path = f"{tmp_path}:{os.environ['PATH']}"
    done = benchmarks("run", "--family", "SB", *sizes, "--output", output, path=path)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()[1:]
    assert [line.split()[:2] for line in lines] == [["SB_3_rlx", "8"], ["SB_4_rlx", "16"]]
    assert all("-" not in line.split()[-2:] for line in lines)  # both were timed
    assert (tmp_path / "herd7.input").read_text().startswith("C SB4")
    assert "pthread_create(&t3, 0, P3, 0);" in (tmp_path / "genmc.input").read_text()
    assert [json.loads(line)["explored"] for line in output.read_text().splitlines()] == [8, 16]
    drawn = tmp_path / "plot.svg"
    assert benchmarks("plot", output, "--output", drawn).returncode == 0
    assert "SB rlx rc11" in drawn.read_text()
    beside = benchmarks("compare", output, output)
    assert "8 -> 8" in beside.stdout


def test_programs_for_genmc_have_all_threads() -> None:
    for family in SCALING.values():
        text = family.make(3, "rlx")
        assert genmc_program(text).count("pthread_create") == text.count("\nP")


def test_plots_are_well_formed() -> None:
    drawing = plot("a < b", "size", "seconds", {"one & two": [(2, 0.001), (5, 10.0)], "point": [(3, 1.0)]})
    root = ElementTree.fromstring(drawing)
    assert len(root.findall("{http://www.w3.org/2000/svg}polyline")) == 2
    with pytest.raises(ValueError, match="nothing"):
        plot("", "", "", {})


@pytest.mark.parametrize("shape", sorted(SHAPES))
def test_generated_tests_can_be_checked(shape: str) -> None:
    for seed in range(3):
        result = check(load_text(litmus_test(shape, random.Random(seed)), f"{shape}.ll"), "amdgpu")
        assert result.status == "complete"
        assert result.states


def test_the_same_seed_gives_the_same_corpus(tmp_path: Path) -> None:
    first, second = (write_corpus(tmp_path / name, 20) for name in ("a", "b"))
    assert [file.name for file in first] == [file.name for file in second]
    assert [file.read_text() for file in first] == [file.read_text() for file in second]


def test_phases_are_of_functions_that_exist() -> None:
    phases = Phases()
    with phases.timed():
        assert check(frontend.load_text(FAMILIES["SB"][0](2), "SB.ll"), "amdgpu").status == "complete"
    assert all(phases.seconds[name] > 0 for name in ("parse", "unfold", "lower", "search", "states"))
    assert len(list(phases.lines(1))) == len(phases.seconds) + 1
