"""The fuzzer finds what it is for, in a checker that does it; and nothing in a short campaign on this one."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

import enumerator.cli
from enumerator.errors import InputError
from enumerator.frontend import load_text
from tests.fuzz import campaign as campaign_module
from tests.fuzz.campaign import Campaign
from tests.fuzz.cases import Case, Finding
from tests.fuzz.comparing import compare_engines
from tests.fuzz.inputs import KINDS, ROOT, Inputs
from tests.fuzz.judging import Ending, judge
from tests.fuzz.minimizing import minimize
from tests.fuzz.running import Limits, Server, run_alone
from tests.fuzz.semantic import CHANGED, change_test

TIGHT = Limits(cpu=0.2, wall=15.0, memory=256 << 20)


@pytest.fixture(scope="module")
def inputs() -> Inputs:
    return Inputs(7)


def test_a_seed_gives_the_same_inputs(inputs: Inputs) -> None:
    again, other = Inputs(7), Inputs(8)
    assert [inputs.case(number) for number in range(50)] == [again.case(number) for number in range(50)]
    assert [inputs.case(number) for number in range(50)] != [other.case(number) for number in range(50)]


def test_every_kind_and_every_command_comes_up(inputs: Inputs) -> None:
    cases = [inputs.case(number) for number in range(3000)]
    assert {case.kind for case in cases if not case.engines} >= set(KINDS) - {"engines"}
    commands = {
        "run",
        "check",
        "compare",
        "inspect",
        "infer",
        "order",
        "tokens",
        "translate",
        "tags",
        "models",
        "profiles",
    }
    assert {case.command for case in cases} == {*commands, "engines"}


@pytest.mark.parametrize("kind", CHANGED)
def test_changes_of_meaning_mostly_leave_a_test(kind: str, inputs: Inputs) -> None:
    choose, valid, changed = Random(1), 0, 0
    name = "changed.ll" if kind == "llvm" else "changed.litmus"
    for _ in range(240):
        text = choose.choice(inputs.small[kind])
        new = change_test(text, kind, choose)
        changed += new != text
        try:
            load_text(new, name)
            valid += 1
        except InputError:
            pass
    assert changed >= 200 and valid >= 100


# What is a finding ------------------------------------------------------------------------------------------------


def found(code: int | None, out: str = "", err: str = "", how: str = "", arguments: tuple[str, ...] = ("run",)) -> str:
    (finding,) = judge(Case(0, "llvm", arguments), Ending(code, out, err, how))
    return finding.signature


def test_what_is_wrong_with_how_a_command_ends() -> None:
    stack = 'Traceback (most recent call last):\n  File "/x/enumerator/cat/parser.py", line 3, in f\nValueError: no\n'
    assert found(1, err=stack) == "traceback: ValueError in cat/parser.py:f"
    assert found(7) == "exit code 7: run"
    assert found(2) == "exit code 2 without a message: run"
    assert found(None, how="SIGSEGV").startswith("SIGSEGV: run")
    assert found(2, err="enumerator: no \x1b[31mred\n") == "raw control characters in a message: run"
    assert found(0, out="\x07") == "raw control characters in the output: run"
    assert found(2, err="enumerator: out of memory\n") == "out of memory: run"
    assert found(2, err="numba is cross\n").startswith("a message that is not the command's")
    assert found(0, out="{", arguments=("run", "--format", "json")) == "output is no json: run"
    assert found(0, out="[NaN]", arguments=("run", "--format", "json")) == "output is no json: run"
    assert found(0, out="<a>", arguments=("run", "--format", "junit")) == "output is no junit: run"
    assert found(0, out="a,b\n1\n", arguments=("run", "--format", "csv")) == "output is no csv: run"


def test_what_is_right() -> None:
    for code, err in ((0, ""), (1, ""), (2, "enumerator: a.ll:1:1: expected a type\n"), (3, "")):
        assert judge(Case(0, "llvm", ("run",)), Ending(code, "é\n", err)) == []


# Limits -----------------------------------------------------------------------------------------------------------


def spin() -> None:
    while True:
        pass


def devour() -> None:
    raise SystemExit(len(bytearray(1 << 30)))


WRONG: dict[str, tuple[Callable[[], object], str]] = {
    "raises": (lambda: 1 // 0, "traceback: ZeroDivisionError in ?"),
    "ends oddly": (lambda: sys.exit(9), "exit code 9: tags"),
    "dies": (lambda: os.kill(os.getpid(), signal.SIGSEGV), "SIGSEGV: tags: ?"),
    "leaves": (lambda: os._exit(0), "the process ended itself: tags"),
    "spins": (spin, "more than 0.2 s: tags: ?"),
    "sleeps": (lambda: time.sleep(600), "silent for 15 s: tags: ?"),
    "devours": (devour, "traceback: MemoryError in ?"),
}


def test_one_bad_case_costs_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def main(arguments: list[str]) -> None:
        print("ok")
        if arguments[1] in WRONG:
            WRONG[arguments[1]][0]()
        sys.exit(0)

    monkeypatch.setattr(enumerator.cli, "main", main)
    names = ["fine", *(name for wrong in WRONG for name in (wrong, "fine"))]
    done = list(Server(tmp_path, limits=TIGHT).run([Case(0, "tags", ("tags", name)) for name in names]))
    assert [each.case.arguments[1] for each in done] == names
    for each in done:
        name = each.case.arguments[1]
        assert [finding.signature for finding in each.findings] == ([WRONG[name][1]] if name in WRONG else [])


def test_a_process_of_its_own() -> None:
    assert run_alone(Case(0, "tags", ("tags", "a:b", "a:c"))) == ()
    slow = Case(0, "llvm", ("tags", "a:b", "a:c"))
    assert run_alone(slow, Limits(memory=-(1 << 30) + (16 << 20))) != ()  # not enough to start with


# Engines ----------------------------------------------------------------------------------------------------------

STORES = b"@x = global i32 0\ndefine void @a() {\n  store atomic i32 1, ptr @x monotonic, align 4\n  ret void\n}\n"


@pytest.mark.parametrize("model", ["llvm", "amdgpu", "sc"])
def test_engines_are_compared(model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.fuzz import comparing

    monkeypatch.setattr(comparing, "PATIENCE", 60)
    (tmp_path / "a.ll").write_bytes(STORES)
    monkeypatch.chdir(tmp_path)
    case = Case(0, "engines", ("engines", model, "generic", "", ""), (("a.ll", STORES),), engines=True)
    assert compare_engines(case) == ("equal", [])
    ask = comparing._ask
    asked = []

    def lies(case, test, engine, fast=None):  # type: ignore[no-untyped-def]
        asked.append(engine)
        answer = ask(case, test, engine, fast)
        return answer if engine == "bitset" else {**answer, "flags": ("race",)}

    monkeypatch.setattr(comparing, "_ask", lies)
    said, findings = compare_engines(case)
    assert said == "different" and len(findings) == len(asked) - 1
    assert asked == ["bitset", "networkx", "interleaving" if model == "sc" else "literal"]


# Campaigns --------------------------------------------------------------------------------------------------------


def test_smaller_inputs() -> None:
    def first(candidates: list[bytes]) -> int | None:
        return next((n for n, data in enumerate(candidates) if b"%r0" in data and data.count(b"store") >= 2), None)

    text = "".join(f"  store i32 {n}, ptr @x\n  %r{n} = load i32, ptr @y\n" for n in range(40)).encode()
    small = minimize(text, first)
    assert len(small) <= len(b"storestore%r0") + 2 and first([small]) == 0


def test_what_a_campaign_finds_is_small_and_can_be_run_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def main(arguments: list[str]) -> None:
        if b"seq_cst" in Path(arguments[-1]).read_bytes():
            raise ValueError("the end of the world")
        sys.exit(130)  # nothing is expected of what was interrupted

    monkeypatch.setattr(enumerator.cli, "main", main)
    monkeypatch.setattr(campaign_module, "prepare", lambda: None)
    monkeypatch.setattr(Inputs, "examples", lambda self: [])
    signature = "traceback: ValueError in ?"
    monkeypatch.setattr(campaign_module, "run_alone", lambda case, limits: (Finding(signature),))
    summary = Campaign(1, tmp_path / "found", ["llvm"]).run(60)
    assert summary.cases == 60 and summary.unconfirmed == {} and set(summary.findings) == {signature}
    assert summary.findings[signature] == summary.said["run", "1"] + sum(
        count for (command, said), count in summary.said.items() if said == "1" and command != "run"
    )
    (folder,) = (tmp_path / "found").iterdir()
    record = json.loads((folder / "finding.json").read_text())
    (small,) = folder.glob("input*")
    assert small.read_bytes() == b"seq_cst" and record["command"].split()[-1] == small.name
    assert b"seq_cst" in (folder / f"whole-{small.name}").read_bytes()


def test_a_short_campaign_finds_nothing(tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "tests.fuzz",
        "--seed",
        "3",
        "--count",
        "300",
        "--findings",
        str(tmp_path / "found"),
    ]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=900, check=False)
    assert ended.returncode == 0 and ended.stdout.startswith("300 inputs"), ended.stdout + ended.stderr
