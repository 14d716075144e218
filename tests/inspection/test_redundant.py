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


def outcomes(lines: list[str]) -> tuple[object, ...]:
    test = load_text("\n".join(lines), "k.ll")
    result = check(test, model="llvm", all_values=True)
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
