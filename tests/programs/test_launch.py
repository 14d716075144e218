"""Grids: the directive LAUNCH, and where a thread runs."""

from __future__ import annotations

import pytest

from enumerator import check
from enumerator.errors import InputError
from enumerator.frontend import load_text
from enumerator.program.instructions import Scope
from enumerator.program.test import Test

KERNEL = """
@a = global i32 0
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.laneid()
declare i32 @llvm.amdgcn.workgroup.id.y()
declare i32 @llvm.amdgcn.wavefrontsize()
declare i32 @llvm.amdgcn.mbcnt.lo(i32, i32)
declare ptr addrspace(4) @llvm.amdgcn.dispatch.ptr()
declare ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
define void @kernel(ptr %p, i32 %n) {
  %item = call i32 @llvm.amdgcn.workitem.id.x()
  %group = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %groups = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %y = call i32 @llvm.amdgcn.workgroup.id.y()
  %wave = call i32 @llvm.amdgcn.wavefrontsize()
  %below = call i32 @llvm.amdgcn.mbcnt.lo(i32 -1, i32 0)
  %dispatch = call ptr addrspace(4) @llvm.amdgcn.dispatch.ptr()
  %at = getelementptr i8, ptr addrspace(4) %dispatch, i64 12
  %grid = load i32, ptr addrspace(4) %at
  %implicit = call ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
  %there = getelementptr i8, ptr addrspace(4) %implicit, i64 12
  %size.again = load i16, ptr addrspace(4) %there
  %old = atomicrmw add ptr %p, i32 1 monotonic
  ret void
}
"""


def launch(written: str, more: str = "") -> Test:
    return load_text(f"; LAUNCH: {written}\n{more}; FORALL: @a = 4\n{KERNEL}", "grid.ll")


def test_a_grid_of_threads() -> None:
    test = launch("@kernel(ptr @a, i32 4) workgroups=2 waves=1 lanes=2 agents=2")
    assert [thread.name for thread in test.threads] == ["w0.0.0", "w0.0.1", "w1.0.0", "w1.0.1"]
    first, second, third, _ = (test.placements[thread.name] for thread in test.threads)
    assert first.instance(Scope.WAVEFRONT) == second.instance(Scope.WAVEFRONT)
    assert first.instance(Scope.AGENT) != third.instance(Scope.AGENT)
    result = check(test, all_values=True)
    assert result.observation == "Always"
    values = result.states[0].values
    for name, (group, item) in {"w0.0.1": (0, 1), "w1.0.0": (1, 0)}.items():
        found = {key: values[f"{name}:%{key}"] for key in ("item", "group", "lane", "below")}
        assert found == {"item": item, "group": group, "lane": item, "below": item}
        assert [values[f"{name}:%{key}"] for key in ("size", "groups", "y", "wave")] == [2, 2, 0, 2]
        assert [values[f"{name}:%{key}"] for key in ("grid", "size.again", "n")] == [4, 2, 4]
    assert not any("dispatch.packet" in name for name in values)


@pytest.mark.parametrize(
    ("written", "message"),
    [
        (
            "@kernel(ptr @a) workgroups=2",
            r"grid.ll:1:18: LAUNCH: the arguments do not fit the 2 .* \(ptr, i32\)",
        ),
        ("@none() lanes=2", r"LAUNCH: no function @none with a body$"),
        ("@kernal(ptr @a, i32 4) lanes=2", r"LAUNCH: no function @kernal with a body: did you mean @kernel\?"),
        ("@kernel(ptr @b, i32 4) lanes=2", r"LAUNCH: there is no global @b"),
        ("@kernel(ptr addrspace(3) @b, i32 4) lanes=2", r"LAUNCH: the arguments do not fit"),
        ("@kernel(i32 4 ptr @a) lanes=2", r"LAUNCH: .* are no LLVM constants with their types"),
        ("kernel() lanes=2", r"LAUNCH: expected @kernel"),
        ("@kernel(ptr @a, i32 4", r"LAUNCH: '\)' is missing"),
        ("@kernel(ptr @a, i32 4) wave=2", r"LAUNCH: expected one of workgroups=N"),
        ("@kernel(ptr @a, i32 4) waves=0", r"LAUNCH: waves: expected a whole number from 1 to 9999"),
        ("@kernel(ptr @a, i32 4) waves=2 waves=2", r"LAUNCH: waves is given twice"),
        ("@kernel(ptr @a, i32 4) workgroups=100", r"LAUNCH: 100 threads are more than the 64"),
        ("@kernel(ptr @a, i32 4) workgroups=3 agents=2", r"LAUNCH: 3 workgroups cannot be shared out evenly"),
    ],
)
def test_what_is_wrong_with_a_launch(written: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        launch(written)


@pytest.mark.parametrize("more", ("; THREADS: t=@kernel(ptr @a, i32 4)\n", "; SCOPES: (agent w0.0.0)\n"))
def test_a_launch_says_threads_and_scopes(more: str) -> None:
    with pytest.raises(InputError, match="stands next to LAUNCH:"):
        launch("@kernel(ptr @a, i32 4)", more)


def test_what_only_a_launch_says() -> None:
    text = f"; THREADS: t=@kernel(ptr @a, i32 4)\n; SCOPES: (agent t)\n{KERNEL}"
    with pytest.raises(InputError, match=r"of a grid is asked for, which only LAUNCH: says"):
        load_text(text, "grid.ll")
    with pytest.raises(InputError, match="LAUNCH needs a colon"):
        load_text(f"; LAUNCH @kernel(ptr @a, i32 4)\n{KERNEL}", "grid.ll")


LOCAL = """
@tile = addrspace(3) global [2 x i32] undef
@seen = addrspace(1) global [2 x i32] zeroinitializer
declare i32 @llvm.amdgcn.workgroup.id.x()
define void @kernel(ptr addrspace(3) %tile) {
  %group = call i32 @llvm.amdgcn.workgroup.id.x()
  store i32 %group, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @tile, i32 4)
  %flat = getelementptr i8, ptr addrspacecast (ptr addrspace(3) @tile to ptr), i64 4
  %mine = load i32, ptr %flat
  store i32 7, ptr addrspace(3) %tile
  %to = getelementptr i32, ptr addrspace(1) @seen, i32 %group
  store i32 %mine, ptr addrspace(1) %to
  ret void
}
"""


def test_each_workgroup_has_its_local_memory() -> None:
    head = "; LAUNCH: @kernel(ptr addrspace(3) @tile) workgroups=2 lanes=1\n; FORALL: "
    asked = r"@seen[0] = 0 /\ @seen[1] = 1 /\ @tile.w0[1] = 0 /\ @tile.w1[1] = 1 /\ @tile.w1[0] = 7"
    for engine in ("bitset", "networkx"):
        found = check(load_text(f"{head}{asked}\n{LOCAL}", "local.ll"), "amdgpu", engine=engine)
        assert (found.verdict, found.flags) == ("Ok", ())
    with pytest.raises(InputError, match=r"each workgroup has its own @tile: @tile\.w0, @tile\.w1"):
        load_text(f"{head}@tile[1] = 0\n{LOCAL}", "local.ll")
    one = load_text(f"{head.replace('=2', '=1')}@tile[1] = 0\n{LOCAL}", "local.ll")
    assert check(one, "amdgpu").verdict == "Ok"


@pytest.mark.parametrize("names", [("_Z2mpv",), ("_Z2mpPi", "_Z2mpPf")])
def test_a_mangled_name_is_suggested(names: tuple[str, ...]) -> None:
    functions = "".join(f"define void @{name}() {{\n  ret void\n}}\n" for name in names)
    meant = " or ".join(f"@{name}" for name in names)
    for directive in ("LAUNCH: @mp()", "THREADS: t=@mp()"):
        with pytest.raises(InputError, match=f"no function @mp with a body: did you mean {meant}\\?"):
            load_text(f"; {directive}\n{functions}", "mangled.ll")


GIVEN = """; LAUNCH: @sum(ptr addrspace(3) @tile) workgroups=2 waves=2 lanes=1
; FORALL: @total[0] = 3 /\\ @total[1] = 3
@total = addrspace(1) global [2 x i32] zeroinitializer
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.workgroup.id.x()
declare void @llvm.amdgcn.s.barrier()
define amdgpu_kernel void @sum(ptr addrspace(3) %tile) {
  %i = call i32 @llvm.amdgcn.workitem.id.x()
  %g = call i32 @llvm.amdgcn.workgroup.id.x()
  %at = getelementptr i32, ptr addrspace(3) %tile, i32 %i
  %n = add i32 %i, 1
  store i32 %n, ptr addrspace(3) %at
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  %first = icmp eq i32 %i, 0
  br i1 %first, label %add, label %done
add:
  %a = load i32, ptr addrspace(3) %tile
  %next = getelementptr i32, ptr addrspace(3) %tile, i32 1
  %b = load i32, ptr addrspace(3) %next
  %s = add i32 %a, %b
  %to = getelementptr i32, ptr addrspace(1) @total, i32 %g
  store i32 %s, ptr addrspace(1) %to
  br label %done
done:
  ret void
}
"""


def test_a_launch_gives_local_memory() -> None:
    for model in ("llvm", "amdgpu"):
        result = check(load_text(GIVEN, "local.ll"), model)
        assert (result.verdict, result.flags) == ("Ok", ())
        assert "@tile is not in the program: it is local memory of 64 KiB, as a launch gives" in result.notes
        wrong = check(load_text(GIVEN.replace("  fence", "  ;"), "local.ll"), model)
        assert (wrong.verdict, wrong.flags) == ("No", ("race",))
    with pytest.raises(InputError, match="THREADS: there is no global @tile"):
        load_text(GIVEN.replace("LAUNCH: ", "THREADS: t=").replace(" workgroups=2 waves=2 lanes=1", ""), "local.ll")
