"""The command ``inspect`` as a process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from .ir import kernel

KERNELS = Path(__file__).parent / "kernels"
UNPAIRED = """
  store i32 1, ptr addrspace(3) @lds
  fence syncscope("workgroup") release, !mmra !0
  call void @llvm.amdgcn.s.barrier()
  %x = load i32, ptr addrspace(3) @lds
"""


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "COLUMNS": "100"}
    return subprocess.run(
        [sys.executable, "-m", "enumerator", "inspect", *arguments],
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def test_text(tmp_path: Path) -> None:
    file = tmp_path / "k.ll"
    file.write_text(kernel(UNPAIRED))
    done = run(str(file), "--profile", "amdgpu")
    assert done.returncode == 0 and done.stderr == ""
    lines = done.stdout.splitlines()
    assert lines[0] == f"{file}: profile amdgpu"
    (warning,) = (line for line in lines if "[unpaired-fence]" in line)
    assert warning.startswith(f"{file}:3: warning: release fence before a barrier, but no acquire fence is after it")
    assert lines[-1] == "1 function, 1 synchronizing operation, 1 barrier, 2 warnings, 0 notes"


def test_alike_operations_are_described_once_unless_verbose(tmp_path: Path) -> None:
    file = tmp_path / "k.ll"
    file.write_text(kernel("  store i32 1, ptr %f\n" + "  fence seq_cst\n" * 3 + "  store i32 2, ptr %f"))
    brief, verbose = run(str(file)).stdout, run(str(file), "--verbose").stdout
    assert brief.count("before: orders") == 1 and "alike, but for numbers: 2 more, line 4, line 5" in brief
    assert verbose.count("before: orders") == 3


def test_json() -> None:
    done = run(str(KERNELS / "tile_sum.ll"), "--format", "json")
    (record,) = json.loads(done.stdout)
    assert record["status"] == "complete" and record["profile"] == "amdgpu" and record["hb"] == "closure"
    assert record["target"] == "amdgcn-amd-amdhsa" and record["warnings"] == []
    (function,) = record["functions"]
    assert function["name"] == "tile_sum" and function["kernel"] and function["workgroup_size"] == [1, 256]
    assert function["source"] == "tile_sum.hip:4"
    release, barrier, acquire = function["operations"]
    assert {
        "kind": "fence",
        "operation": "fence",
        "line": 15,
        "source": "amd_device_functions.h:742",
        "inlined_at": ["tile_sum.hip:8"],
        "ordering": "release",
        "scope": "workgroup",
        "tags": ["amdgpu-synchronize-as:local"],
        "effective_tags": ["amdgpu-synchronize-as:local"],
        "releases": True,
        "acquires": False,
    }.items() <= release.items()
    assert release["after"] == {"count": 2, "orders_nothing": "release does not order what follows", "groups": []}
    ordered, not_ordered = sorted(release["before"]["groups"], key=lambda group: group["status"])
    assert (ordered["operation"], ordered["space"], ordered["count"]) == ("store", "local", 1)
    assert ordered["places"] == [{"line": 14, "source": "tile_sum.hip:7"}] and ordered["reason"] is None
    assert not_ordered["status"] == "unordered" and not_ordered["effective_tags"] == ["amdgpu-synchronize-as:global"]
    assert barrier["kind"] == "barrier" and barrier["arrives"] and barrier["waits"]
    assert [place["line"] for place in barrier["acquire_fences"]] == [acquire["line"]]


def test_json_of_warnings(tmp_path: Path) -> None:
    file = tmp_path / "k.ll"
    file.write_text(kernel(UNPAIRED))
    (record,) = json.loads(run(str(file), "--format", "json", "--profile", "amdgpu").stdout)
    unpaired = next(each for each in record["warnings"] if each["name"] == "unpaired-fence")
    assert unpaired["severity"] == "warning" and unpaired["function"] == "k" and unpaired["line"] == 3
    assert [place["line"] for place in unpaired["related"]] == [4]


def test_bad_files_do_not_stop_the_others(tmp_path: Path) -> None:
    bad = tmp_path / "bad.ll"
    bad.write_text("define void @f() {\n  nonsense\n}\n")
    empty = tmp_path / "empty.ll"
    empty.write_text("")
    good = str(KERNELS / "reduce.ll")
    done = run(str(bad), str(empty), good, str(tmp_path / "none.ll"), str(tmp_path))
    assert done.returncode == 2 and "@reduce  kernel" in done.stdout
    assert done.stderr.splitlines() == [
        f"enumerator: {bad}:2:3: expected instruction opcode",
        f"enumerator: {empty}: the file is empty",
        f"enumerator: {tmp_path / 'none.ll'}: cannot read it: No such file or directory",
        f"enumerator: {tmp_path}: cannot read it: this is a folder, not a file",
    ]
    records = json.loads(run(str(bad), good, "--format", "json").stdout)
    assert [record["status"] for record in records] == ["error", "complete"]
    assert records[0]["error"] == f"{bad}:2:3: expected instruction opcode"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("; PROFILE: nope\ndefine void @f() { ret void }\n", ":1:12: no such profile beside the test: 'nope'"),
        ("define void @f() { ret void }\0\n", ":1:30: the text contains a NUL character"),
        ("define void @f() { fence acquire, !mmra !0 ret void }\n!0 = !{i32 1}\n", "!mmra"),
        ("C mp\n{}\nP0 () {}\n", "expected top-level entity"),
    ],
)
def test_bad_input(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "k.ll"
    file.write_text(text)
    done = run(str(file))
    assert done.returncode == 2 and done.stdout == "" and len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith(f"enumerator: {file}") and message in done.stderr


def test_comments_of_compilers_are_no_directives(tmp_path: Path) -> None:
    file = tmp_path / "k.ll"
    file.write_text("; RUN: llc < %s\n; SCOPE: x\n; EXPECTED: y\n; CHECK: ret\ndefine void @f() { ret void }\n")
    assert run(str(file)).returncode == 0


def test_output_and_options(tmp_path: Path) -> None:
    report = tmp_path / "report.txt"
    done = run(str(KERNELS / "matmul.ll"), "--output", str(report), "--hb", "direct")
    assert done.returncode == 0 and done.stdout == ""
    assert "so unordered: 1 load buffer (line 19) before it" in report.read_text()
    assert run(str(KERNELS / "matmul.ll"), "--output", str(tmp_path / "no" / "x")).returncode == 2
    assert "no such profile" in run(str(KERNELS / "matmul.ll"), "--profile", "nope").stderr
    assert run().returncode == 2
    text = run("--help").stdout
    for option in ("--error", "--wide", "--profile", "--hb", "--format", "--output", "--verbose"):
        assert option in text


def test_warnings_as_errors(tmp_path: Path) -> None:
    file = tmp_path / "k.ll"
    file.write_text(kernel(UNPAIRED))
    assert run(str(file), "--profile", "amdgpu", "--error").returncode == 1
    assert run(str(file), "--profile", "amdgpu").returncode == 0
    assert run(str(KERNELS / "tile_sum.ll"), "--error").returncode == 0
    assert run(str(file), str(tmp_path / "none.ll"), "--error").returncode == 2


def test_sarif(tmp_path: Path) -> None:
    file = tmp_path / "a kernel.ll"
    file.write_text(kernel(UNPAIRED))
    log = json.loads(run(str(file), "--profile", "amdgpu", "--format", "sarif").stdout)
    assert log["version"] == "2.1.0"
    (only,) = log["runs"]
    names = [rule["id"] for rule in only["tool"]["driver"]["rules"]]
    assert "unpaired-fence" in names
    result = next(each for each in only["results"] if each["ruleId"] == "unpaired-fence")
    assert names[result["ruleIndex"]] == "unpaired-fence" and result["level"] == "warning"
    place = result["locations"][0]
    assert place["physicalLocation"]["region"] == {"startLine": 3}
    assert place["physicalLocation"]["artifactLocation"]["uri"].endswith("a%20kernel.ll")
    assert place["logicalLocations"] == [{"name": "k", "kind": "function"}]
    assert json.loads(run(str(KERNELS / "tile_sum.ll"), "--format", "sarif").stdout)["runs"][0]["results"] == []


def test_scopes_that_are_wide_are_named_on_request(tmp_path: Path) -> None:
    file = tmp_path / "k.ll"
    file.write_text(kernel(UNPAIRED.replace("workgroup", "agent")))
    assert "[scope-too-wide]" not in run(str(file), "--profile", "amdgpu").stdout
    assert "[scope-too-wide]" in run(str(file), "--profile", "amdgpu", "--wide").stdout
