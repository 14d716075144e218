"""What is called redundant may go: without it, a small grid has the same outcomes."""

from __future__ import annotations

from random import Random

import pytest

from enumerator import check
from enumerator.frontend import load_text
from enumerator.inspection import inspect_text

STATEMENTS = [
    "store i32 {n}, ptr addrspace(3) @x, align 4",
    "store i32 {n}, ptr addrspace(3) @y, align 4",
    "%r{n} = load i32, ptr addrspace(3) @x, align 4",
    "%r{n} = load i32, ptr addrspace(3) @y, align 4",
    "store atomic i32 {n}, ptr addrspace(3) @x monotonic, align 4",
    "%r{n} = load atomic i32, ptr addrspace(3) @x monotonic, align 4",
]
FENCES = [
    'fence syncscope("workgroup") release',
    'fence syncscope("workgroup") acquire',
    'fence syncscope("workgroup") acq_rel',
    'fence syncscope("agent") release',
    "fence seq_cst",
    'fence syncscope("workgroup") release, !mmra !0',
    'fence syncscope("workgroup") acquire, !mmra !1',
    'fence syncscope("workgroup") acq_rel, !mmra !0',
]
BARRIER = "call void @llvm.amdgcn.s.barrier()"
# What else threads do at barriers, and what happens beside them: several lines each.
OTHERS = [
    ["call void @llvm.amdgcn.s.barrier.signal(i32 -1)", "call void @llvm.amdgcn.s.barrier.wait(i16 -1)"],
    ["call void @llvm.amdgcn.s.barrier.signal(i32 -1)", BARRIER, "call void @llvm.amdgcn.s.barrier.wait(i16 -1)"],
    ["call void @llvm.amdgcn.s.cluster.barrier()"],
    [
        "call void @llvm.amdgcn.s.barrier.signal.var(ptr addrspace(3) @n, i32 0)",
        "call void @llvm.amdgcn.s.barrier.wait(i16 1)",
    ],
    [
        "call void @llvm.amdgcn.global.load.async.to.lds.b32(ptr addrspace(1) @g, ptr addrspace(3) @x, i32 0, i32 0)",
        "call void @llvm.amdgcn.asyncmark()",
    ],
    ["call void @llvm.amdgcn.wait.asyncmark(i16 0)"],
]
START = [
    "call void @llvm.amdgcn.s.barrier.init(ptr addrspace(3) @n, i32 2)",
    "call void @llvm.amdgcn.s.barrier.join(ptr addrspace(3) @n)",
    BARRIER,
]
MORE = """@g = addrspace(1) global i32 7
@n = internal addrspace(3) global target("amdgcn.named.barrier", 0) poison
declare void @llvm.amdgcn.s.barrier.signal(i32)
declare void @llvm.amdgcn.s.barrier.wait(i16)
declare void @llvm.amdgcn.s.cluster.barrier()
declare void @llvm.amdgcn.s.barrier.init(ptr addrspace(3), i32)
declare void @llvm.amdgcn.s.barrier.join(ptr addrspace(3))
declare void @llvm.amdgcn.s.barrier.signal.var(ptr addrspace(3), i32)
declare void @llvm.amdgcn.asyncmark()
declare void @llvm.amdgcn.wait.asyncmark(i16)
declare void @llvm.amdgcn.global.load.async.to.lds.b32(ptr addrspace(1), ptr addrspace(3), i32, i32)"""
HEAD = """; LAUNCH: @k() workgroups=1 waves=2 lanes=1
; PROFILE: {profile}
; EXISTS: true
target triple = "amdgcn-amd-amdhsa"
@x = addrspace(3) global i32 0
@y = addrspace(3) global i32 0
declare void @llvm.amdgcn.s.barrier()
!0 = !{{!"amdgpu-synchronize-as", !"local"}}
!1 = !{{!"amdgpu-synchronize-as", !"global"}}
define amdgpu_kernel void @k() {{
"""


def outcomes(lines: list[str], model: str = "llvm") -> tuple[list[str], list[str]]:
    test = load_text("\n".join(lines), "k.ll")
    result = check(test, model=model, all_values=True)
    states = sorted(str(sorted(state.values.items(), key=str)) for state in result.states)
    return states, sorted(result.flags)


def program(seed: int) -> list[str]:
    random = Random(seed)
    body = []
    for number in range(1, 9):
        kind = random.choice([STATEMENTS, FENCES, FENCES, [BARRIER], [BARRIER]])
        body.append("  " + random.choice(kind).format(n=number))
        if kind is FENCES and random.random() < 0.4:
            body.append("  " + random.choice(FENCES))
    profile = random.choice(["amdgpu", "generic", "amdgpu-strict"])
    return [*HEAD.format(profile=profile).splitlines(), *body, "  ret void", "}"]


def program_with_more(seed: int) -> list[str]:
    """Other barriers and copies are beside the barrier of the workgroup."""
    random = Random(seed)
    body = []
    named = random.random() < 0.5
    if named:
        body += START
    for number in range(1, 8):
        kind = random.choice([STATEMENTS, FENCES, [BARRIER], [BARRIER], OTHERS])
        if kind is not OTHERS:
            body.append(random.choice(kind).format(n=number))
            continue
        some = random.choice(OTHERS)
        if named or "signal.var" not in some[0]:
            body += some
    head = HEAD.format(profile=random.choice(["amdgpu", "generic"])).splitlines()
    return [*head[:-1], *MORE.splitlines(), head[-1], *(f"  {line}" for line in body), "  ret void", "}"]


@pytest.mark.parametrize("seed", range(40))
def test_outcomes_stay_beside_other_barriers(seed: int) -> None:
    lines = program_with_more(seed)
    remarks = [each for each in inspect_text("\n".join(lines), "k.ll").remarks if each.name == "redundant"]
    if not remarks:
        pytest.skip("nothing is redundant")
    before = outcomes(lines, "amdgpu-2026")
    for remark in remarks:
        line = remark.place.line
        assert line is not None and ("fence" in lines[line - 1] or "barrier" in lines[line - 1])
        found = outcomes([*lines[: line - 1], *lines[line:]], "amdgpu-2026")
        # What was undefined may be defined without it; what was not remains as it was.
        assert found == before or "ub" in before[1], "\n".join(lines) + f"\n{line}"


@pytest.mark.parametrize("seed", range(60))
def test_outcomes_stay(seed: int) -> None:
    lines = program(seed)
    remarks = [each for each in inspect_text("\n".join(lines), "k.ll").remarks if each.name == "redundant"]
    if not remarks:
        pytest.skip("nothing is redundant")
    before = outcomes(lines)
    for remark in remarks:
        line = remark.place.line
        assert line is not None and ("fence" in lines[line - 1] or "barrier" in lines[line - 1])
        assert outcomes([*lines[: line - 1], *lines[line:]]) == before, "\n".join(lines) + f"\n{line}"


def test_some_are_redundant() -> None:
    found = sum(
        remark.name == "redundant"
        for seed in range(60)
        for remark in inspect_text("\n".join(program(seed)), "k.ll").remarks
    )
    assert found >= 30
