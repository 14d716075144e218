"""Translation of Vulkan tests to LLVM IR: what it writes, what it refuses, and which verdicts it keeps."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import enumerator
from enumerator import check
from enumerator.errors import InputError
from enumerator.frontend import load, load_text
from enumerator.passes.translate import to_llvm
from enumerator.program.condition import And, Condition, Equal, Formula, Name, Not, Or
from enumerator.program.test import Test
from enumerator.program.types import ArrayType
from enumerator.results.result import Result
from tests.frontend_vulkan.source import asked
from tests.frontend_vulkan.source import load as vulkan

LITMUS = Path(__file__).resolve().parents[2] / "litmus_tests" / "vulkan"

HEAD = "P0@sg 0, wg 0, qf 0 | P1@sg 0, wg 1, qf 0"

# Verdicts --------------------------------------------------------------------------------------------------

DIFFERENT = {
    "Data-Race__noncohmp3-filter": "an availability operation of a Vulkan store includes earlier stores through its "
    "reference, LLVM's store-available only itself: a race",
    "V-LB+data": "amdgpu has an axiom against values out of thin air",
}
"""Race-free tests that come out differently under amdgpu, and why."""


def renamed(formula: Formula, wide: frozenset[str]) -> Formula:
    """A condition in the names of the translation, in which some locations are arrays."""
    match formula:
        case Equal(left, right):
            return Equal(name_of(left, wide), name_of(right, wide) if isinstance(right, Name) else right)
        case Not(inner):
            return Not(renamed(inner, wide))
        case And(parts):
            return And(tuple(renamed(part, wide) for part in parts))
        case Or(parts):
            return Or(tuple(renamed(part, wide) for part in parts))
    return formula


def name_of(name: Name, wide: frozenset[str]) -> Name:
    if name.text.startswith("["):
        location = f"@{name.text[1:-1]}"
        return Name(f"{location}[0]" if location in wide else location)
    thread, _, register = name.text.partition(":")
    return Name(f"{thread}:%{register}")


def translated(test: Test) -> Test:
    """The translation, which asks the same, its filter apart: races count in executions that satisfy it."""
    native = load_text(to_llvm(test), f"{test.name}.ll")
    if test.condition.filter is None:
        return native
    condition = test.condition
    wide = frozenset(each.name for each in native.objects if isinstance(each.type, ArrayType))
    asks = Condition(condition.quantifier, renamed(condition.formula, wide), "", renamed(condition.filter, wide))
    return replace(native, condition=asks)


def verdicts(paths: list[Path]) -> Iterator[tuple[str, Result, Result]]:
    for path in paths:
        test = load(path)
        try:
            native = translated(test)
        except InputError as error:
            reasons = ("counterpart", "128 bits", "control barrier in code with branches")
            assert any(reason in error.message for reason in reasons), error
            continue
        yield path.stem, asked(test), check(native, model="amdgpu")


def compare(paths: list[Path]) -> tuple[set[str], set[str]]:
    """The names of the race-free tests that are translated, and of those that come out differently."""
    compared, different = set(), set()
    for name, before, after in verdicts(paths):
        if before.flags:
            continue
        compared.add(name)
        if (before.observation, before.verdict, before.flags) != (after.observation, after.verdict, after.flags):
            different.add(name)
    return compared, different


def test_race_free_tests_of_the_corpus_keep_their_verdicts(corpora: Path) -> None:
    compared, different = compare(sorted((corpora / "vulkan").glob("*.litmus")))
    assert len(compared) == 46
    assert different == {name for name in DIFFERENT if name in compared}


def test_race_free_tests_of_ours_keep_their_verdicts() -> None:
    compared, different = compare(sorted(LITMUS.glob("[AV]-*")))
    assert len(compared) >= 15
    assert different == {name for name in DIFFERENT if name in compared}


def test_racy_tests_of_ours_stay_racy() -> None:
    found = {name for name, before, after in verdicts(sorted(LITMUS.glob("V-*"))) if before.flags and not after.flags}
    assert found == {
        # in LLVM, tags do not keep a fence from synchronizing
        "V-MP+membar+other-class",
        "V-MP+membar+atomic-sc2+other-class",
        "V-MP+membar+atomic-sc3+other-class",
        "V-MP+membar-rel+other-class+acq",
        # an acquire without classes, or of others than the release, orders all memory in LLVM
        "V-MP+acq+membar-wg+two-workgroups",
        "V-classes+sc0-to-sc1+each-one",
    }


# What is written --------------------------------------------------------------------------------------------


def lines(cell: str, question: str = "", initial: str = "", others: str = "") -> list[str]:
    """The instructions that an operation becomes."""
    text = to_llvm(vulkan(f"VULKAN t\n{{ {initial} }}\nP0@sg 0, wg 0, qf 0 ;\n{cell} ;\n{others}{question}"))
    body = text.partition("define void @P0() {\n")[2].partition("\n}")[0]
    return [line.strip() for line in body.split("\n")][:-1]


NONE = ', !mmra !{!"amdgcn-av", !"none"}'


@pytest.mark.parametrize(
    ("operation", "written"),
    [
        ("ld.nonpriv.sc0 r0, x", ["%r0 = load i32, ptr addrspace(1) @x"]),
        ("st.nonpriv.sc0 x, 1", ["store i32 1, ptr addrspace(1) @x"]),
        ("ld.sc0 r0, x", ['%r0 = load i32, ptr addrspace(1) @x, !mmra !{!"vulkan", !"private"}']),
        (
            "ld.vis.wg.sc0 r0, x",
            [
                "%value.1 = call <4 x i32> @llvm.amdgcn.av.global.load.b128(ptr addrspace(1) @x, "
                'metadata !"workgroup")',
                "%r0 = extractelement <4 x i32> %value.1, i32 0",
            ],
        ),
        (
            "st.av.dv.sc0 x, 7",
            [
                "call void @llvm.amdgcn.av.global.store.b128(ptr addrspace(1) @x, "
                '<4 x i32> <i32 7, i32 0, i32 0, i32 0>, metadata !"agent")'
            ],
        ),
        (
            "ld.atom.sg.sc0 r0, x",
            ['%r0 = load atomic i32, ptr addrspace(1) @x syncscope("wavefront") monotonic, align 4'],
        ),
        (
            "ld.atom.acq.qf.sc0.semsc0 r0, x",
            [f'%r0 = load atomic i32, ptr addrspace(1) @x syncscope("agent") acquire, align 4{NONE}'],
        ),
        (
            "st.atom.rel.dv.sc0.semsc0.semav x, 1",
            ['store atomic i32 1, ptr addrspace(1) @x syncscope("agent") release, align 4'],
        ),
        (
            "rmw.atom.acq_rel.dv.sc0.semsc0.xor r0, x, 3",
            [f'%r0 = atomicrmw xor ptr addrspace(1) @x, i32 3 syncscope("agent") acq_rel, align 4{NONE}'],
        ),
        (
            "rmw.atom.acq_rel.dv.sc0.semsc0.semav r0, x, 3",
            [
                'fence syncscope("agent") release',
                '%r0 = atomicrmw xchg ptr addrspace(1) @x, i32 3 syncscope("agent") monotonic, align 4',
                f'fence syncscope("agent") acquire{NONE}',
            ],
        ),
        ("membar.rel.dv.semsc0.semav", ['fence syncscope("agent") release']),
        ("membar.acq_rel.dv.semsc0", [f'fence syncscope("agent") acq_rel{NONE}']),
        (
            "membar.acq_rel.dv.semsc0.semvis",
            ['fence syncscope("agent") acquire', f'fence syncscope("agent") release{NONE}'],
        ),
        ("cbar.wg 0", ["call void @llvm.amdgcn.s.barrier()"]),
        (
            "cbar.acq_rel.wg.semsc0 0",
            [
                f'fence syncscope("workgroup") release{NONE}',
                "call void @llvm.amdgcn.s.barrier()",
                f'fence syncscope("workgroup") acquire{NONE}',
            ],
        ),
    ],
)
def test_operations(operation: str, written: list[str]) -> None:
    assert lines(operation) == written


def test_storage_classes_are_tags_where_they_matter() -> None:
    first, second = lines("st.atom.rel.dv.sc1.semsc1 x, 1", others="st.nonpriv.sc0 y, 1 ;\n")
    assert first.endswith('!{!{!"amdgcn-av", !"none"}, !{!"vulkan-storage-class", !"sc1"}}')
    assert second == 'store i32 1, ptr addrspace(1) @y, !mmra !{!"vulkan-storage-class", !"sc0"}'


def test_an_atomic_that_does_not_order_its_own_class_stands_between_fences() -> None:
    fence, store = lines("st.atom.rel.dv.sc1.semsc0.semav x, 1")
    assert fence == 'fence syncscope("agent") release, !mmra !{!"vulkan-storage-class", !"sc0"}'
    assert store.endswith('monotonic, align 4, !mmra !{!"vulkan-storage-class", !"sc1"}')


def test_values_and_registers() -> None:
    rows = "add r0, r0, 2 ;\nst.nonpriv.sc0 x, r0 ;\nld.nonpriv.sc0 r0, x ;\nld.sc0 r1, r0 ;\n"
    written = lines("ld.nonpriv.sc0 r2, 9", "exists (P0:r0 == 2 /\\ P0:r2 == 9 /\\ P0:r3 == 0)", "P0:r3 = 0;", rows)
    assert written == [
        "%r0.1 = add i32 0, 2",
        "store i32 %r0.1, ptr addrspace(1) @x",
        "%r0 = load i32, ptr addrspace(1) @x",
        "%r1 = add i32 %r0, 0",
        "%r2 = add i32 9, 0",
        "%r3 = add i32 0, 0",
    ]


def test_loops_and_branches() -> None:
    test = load(LITMUS / "V-loop.litmus")
    native = load_text(to_llvm(test), "loop.ll")
    result = check(native, model="amdgpu")
    assert (result.observation, result.status, result.flags) == ("Always", "complete", ())


def test_conditions() -> None:
    text = f"VULKAN t\n{{}}\n{HEAD} ;\nst.nonpriv.sc0 x, 1 | ld.nonpriv.sc0 r0, x ;\n"
    native = to_llvm(vulkan(text + "filter (P1:r0 == 1)\nforall (x == 1 /\\ (P1:r0 != 0 \\/ x == P1:r0))"))
    assert "; FORALL: ~(P1:%r0 = 1) \\/ (@x = 1 /\\ (~(P1:%r0 = 0) \\/ @x = P1:%r0))" in native.split("\n")
    never = to_llvm(vulkan(text + "filter (P1:r0 == 1)\n~exists (x == 0)"))
    assert "; NEVER: P1:%r0 = 1 /\\ @x = 0" in never.split("\n")


def test_scopes_and_directives() -> None:
    text = to_llvm(load(LITMUS / "V-chain+availability.litmus"))
    head = text.partition("\n@")[0].split("\n")
    assert head[0] == "; From Vulkan: Availability chain: the workgroup first, then the device"
    assert "; SCOPES: (agent (workgroup (wavefront P0) (wavefront P1)) (workgroup (wavefront P2)))" in head
    assert "; PROFILE: amdgpu" in head


def test_a_title_is_no_directive() -> None:
    test = vulkan('VULKAN t\n"EXPECT: amdgpu=Never"\n{}\nP0@sg 0, wg 0, qf 0 ;\nst.sc0 x, 1 ;\n')
    assert load_text(to_llvm(test), "t.ll").expectations == ()


# What is refused --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("initial", "rows", "line", "message"),
    [
        ("}\n{ ssw 0 1;", "st.sc0 x, 1 | ;", 3, "ssw has no counterpart in LLVM"),
        ("", "avdevice | ;", 4, "avdevice has no counterpart in LLVM"),
        ("", "| visdevice ;", 4, "visdevice has no counterpart in LLVM"),
        ("y aliases x;", "st.sc0 x, 1 | ld.sc0 r0, y ;", 4, "y is another reference to x"),
        ("", "cbar.dv 0 | cbar.dv 0 ;", 4, "no counterpart in LLVM but for the scope wg"),
        ("", "st.av.dv.sc0 x, 1 | ;\n| ld.atom.dv.sc0 r0, x ;", 5, "x is accessed with av or vis"),
        ("", "LC00: | ;\ncbar.wg 0 | ;\nld.sc0 r0, x | ;\nbeq r0, 0, LC00 | ;", 5, "in code with branches"),
    ],
)
def test_what_has_no_counterpart(initial: str, rows: str, line: int, message: str) -> None:
    test = vulkan(f"VULKAN t\n{{ {initial} }}\n{HEAD} ;\n{rows}\n")
    with pytest.raises(InputError) as caught:
        to_llvm(test)
    assert message in caught.value.message
    assert (caught.value.path, caught.value.line) == ("t.litmus", line)


def test_queue_families() -> None:
    text = "VULKAN t\n{}\nP0@sg 0, wg 0, qf 0 | P1@sg 0, wg 0, qf 1 ;\nst.atom.qf.sc0 x, 1 | ;\n"
    with pytest.raises(InputError, match="the scope qf has no counterpart in LLVM where there are several"):
        to_llvm(vulkan(text))
    assert 'syncscope("agent")' in to_llvm(vulkan(text.replace("st.atom.qf", "st.atom.dv")))


def test_barriers_of_a_workgroup_run_in_one_order() -> None:
    text = "VULKAN t\n{}\nP0@sg 0, wg 0, qf 0 | P1@sg 1, wg 0, qf 0 ;\ncbar.wg 0 | cbar.wg 1 ;\n"
    with pytest.raises(InputError, match="P1 and P0 of one workgroup do not run the same control barriers"):
        to_llvm(vulkan(text))


def test_final_values_of_wide_locations() -> None:
    text = f"VULKAN t\n{{}}\n{HEAD} ;\nst.av.dv.sc0 x, 1 | ;\nexists (x == 1)"
    native = to_llvm(vulkan(text))
    assert "@x = addrspace(1) global [4 x i32] zeroinitializer" in native
    assert check(load_text(native, "t.ll"), model="amdgpu").observation == "Always"


def test_other_languages() -> None:
    test = load_text("C t\n{}\nP0 (int *x) { *x = 1; }", "t.litmus")
    with pytest.raises(InputError, match="only Vulkan tests are translated"):
        to_llvm(test)


# The command -----------------------------------------------------------------------------------------------


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "enumerator", "translate", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


def test_the_command(tmp_path: Path) -> None:
    source, target = str(LITMUS / "V-MP+semav+semvis.litmus"), tmp_path / "mp.ll"
    shown = run(source, "--to", "llvm")
    assert shown.returncode == 0 and shown.stdout == to_llvm(load(source))
    written = run(source, "--to", "llvm", "--output", str(target))
    assert (written.returncode, written.stdout, target.read_text()) == (0, "", shown.stdout)
    assert load(target).format == "llvm"


def test_the_command_refuses() -> None:
    source = str(LITMUS / "V-ssw+device.litmus")
    done = run(source, "--to", "llvm")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"enumerator: {source}:7: ssw has no counterpart") and done.stderr.count("\n") == 1
    assert run(source, "--to", "spirv").returncode == 2


def test_exceptions_are_documented() -> None:
    text = (Path(enumerator.__file__).parent / "passes" / "translate" / "README.md").read_text(encoding="utf-8")
    assert all(name in text for name in ("noncohmp3", "V-LB+data", "OOTA", "PC-bar-atom")) and len(DIFFERENT) == 2
