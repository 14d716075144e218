"""The command ``generate``."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from enumerator import check, load


def run(*arguments: str, text: str | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "enumerator", *arguments]
    return subprocess.run(command, input=text, capture_output=True, text=True, timeout=120, check=False)


def test_a_cycle_to_the_standard_output_is_a_test() -> None:
    made = run("generate", "--cycle", "PodWWPRel Rfe Acq PodRR Fre", "--expect", "llvm", "--expect", "rc11")
    assert made.returncode == 0, made.stderr
    assert "; EXPECT: llvm=Never+race\n; EXPECT: rc11=Never+race\n" in made.stdout
    found = run("check", "-", text=made.stdout)
    assert found.returncode == 0, found.stdout + found.stderr


def test_a_folder_of_tests_that_are_as_expected(tmp_path: Path) -> None:
    folder = tmp_path / "made"
    arguments = ("--size", "4", "--annotate", "Rlx,Rel,Acq", "--expect", "rc11", "--count", "20", "--format", "c")
    made = run("generate", *arguments, "--output", str(folder))
    assert (made.returncode, made.stdout) == (0, f"20 tests in {folder}\n"), made.stderr
    files = sorted(folder.iterdir())
    assert len(files) == 20
    assert all(file.suffix == ".litmus" for file in files)
    assert run("check", str(folder)).returncode == 0


def test_json_lines() -> None:
    made = run("generate", "--family", "SB", "--annotate", "Rlx,Sc", "--jsonl", "--expect", "llvm")
    rows = [json.loads(line) for line in made.stdout.splitlines()]
    assert len(rows) == 10
    assert {key for row in rows for key in row} == {"name", "cycle", "expect", "text"}
    for row in rows:
        assert row["expect"] == [f"llvm={check(load(row['text'])).outcome}"]


def test_what_a_format_does_not_have() -> None:
    one = run("generate", "--family", "SB", "--default", "Sc", "--format", "vulkan")
    assert one.returncode == 2
    assert one.stderr.count("\n") == 1
    assert "the Vulkan language has no ordering seq_cst" in one.stderr
    many = run("generate", "--family", "SB", "--annotate", "Rlx,Sc", "--format", "vulkan")
    assert many.returncode == 0
    assert many.stdout.startswith("VULKAN SB+porlxrlxs\n")
    assert "left out 9 that vulkan does not have" in many.stderr


def test_mistakes(tmp_path: Path) -> None:
    for arguments, message in (
        ((), "nothing to generate: give --cycle, --family or --size"),
        (("--cycle", "PodWW Fre"), "--cycle:1:7: PodWW ends in a write, Fre begins at a read"),
        (("--family", "MP", "--expect", "nothing"), "nothing"),
        (("--family", "MP", "--expect", "llvm=Never"), "--expect: expected MODEL[@PROFILE][/VARIANT...]"),
        (("--family", "MP", "--jsonl", "--output", "x"), "--jsonl is for the standard output"),
        (("--family", "MP", "--output", str(Path(__file__))), "xists"),
    ):
        found = run("generate", *arguments)
        assert found.returncode == 2, arguments
        assert message in found.stderr
        assert "Traceback" not in found.stderr
        assert found.stdout == ""


def test_names_are_listed() -> None:
    found = run("generate", "--list")
    assert found.returncode == 0
    assert "Z6.3     PodWW Coe PodWW Rfe PodRR Fre" in found.stdout
    assert "DpAddrdR" in found.stdout
