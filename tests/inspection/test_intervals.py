"""Accesses of LDS that nothing separates: what is reported, and what is not."""

from __future__ import annotations

import pytest

from enumerator.inspection.findings import Severity

from .ir import remarks

KERNEL = """target triple = "amdgcn-amd-amdhsa"
@tile = internal addrspace(3) global [512 x i32] poison
define amdgpu_kernel void @k(ptr addrspace(1) %p, i32 %n, i1 %same) "amdgpu-flat-work-group-size"="SIZE" {
entry:
  %t = call i32 @llvm.amdgcn.workitem.id.x()
BODY
  ret void
}
declare i32 @llvm.amdgcn.workitem.id.x()
declare void @llvm.amdgcn.wave.barrier()
declare void @llvm.amdgcn.s.barrier()
declare void @elsewhere()
"""
FENCE = '  fence syncscope("workgroup") acq_rel\n'
STORE = "  %a = getelementptr i32, ptr addrspace(3) @tile, i32 %t\n  store i32 %n, ptr addrspace(3) %a\n"


def load(index: str, name: str = "b") -> str:
    return (
        f"{index}  %{name} = getelementptr i32, ptr addrspace(3) @tile, i32 %i{name}\n"
        f"  %v{name} = load i32, ptr addrspace(3) %{name}\n"
    )


def races(body: str, size: str = "256,256") -> list[tuple[int | None, int | None]]:
    text = KERNEL.replace("BODY", body).replace("SIZE", size)
    return [(each.related[0].line, each.place.line) for each in remarks(text) if each.name == "local-memory-race"]


@pytest.mark.parametrize(
    "index",
    [
        "  %ib = add i32 %t, 1\n",
        "  %ib = sub i32 255, %t\n",
        "  %ib = xor i32 %t, 128\n",
        "  %ib = add i32 0, 7\n",
        "  %m = and i32 %t, 3\n  %ib = mul i32 %m, 64\n",
    ],
)
def test_another_wave_reads_what_is_written(index: str) -> None:
    assert races(STORE + load(index)) == [(7, 9 + index.count("\n"))]


@pytest.mark.parametrize(
    "index",
    [
        "  %ib = add i32 %t, 0\n",  # its own
        "  %ib = xor i32 %t, 1\n",  # of a thread of its wave
        "  %ib = add i32 %t, 256\n",  # beyond what is written
        "  %ib = add i32 %t, %n\n",  # not known
        "  %w = lshr i32 %t, 6\n  %o = shl i32 %w, 6\n  %x = sub i32 63, %t\n  %l = and i32 %x, 63\n"
        "  %ib = or i32 %o, %l\n",  # of its wave, in the reverse order
    ],
)
def test_no_other_wave_is_known_to(index: str) -> None:
    assert races(STORE + load(index)) == []


@pytest.mark.parametrize(
    "between",
    [
        "  call void @llvm.amdgcn.s.barrier()\n",
        "  call void @elsewhere()\n",
        FENCE + '  %f = load atomic i32, ptr addrspace(1) %p syncscope("workgroup") monotonic, align 4\n',
        '  store atomic i32 1, ptr addrspace(1) %p syncscope("workgroup") monotonic, align 4\n' + FENCE,
        FENCE + "  %f = load volatile i32, ptr addrspace(1) %p\n",
    ],
)
def test_something_is_between(between: str) -> None:
    assert races(STORE + between + load("  %ib = add i32 %t, 1\n")) == []


@pytest.mark.parametrize(
    "between",
    [
        FENCE,
        "  call void @llvm.amdgcn.wave.barrier()\n",
        '  fence syncscope("workgroup") release\n  call void @llvm.amdgcn.wave.barrier()\n'
        '  fence syncscope("workgroup") acquire\n',
        "  store i32 1, ptr addrspace(1) %p\n" + FENCE,
    ],
)
def test_what_is_between_orders_nothing_between_waves(between: str) -> None:
    assert len(races(STORE + between + load("  %ib = add i32 %t, 1\n"))) == 1


def test_a_fence_in_a_loop_is_no_barrier() -> None:
    """The next round writes what another wave may still read, and only fences come between."""
    body = (
        "  %ib = xor i32 %t, 64\n  br label %loop\nloop:\n" + STORE + "  call void @llvm.amdgcn.s.barrier()\n"
        "  %b = getelementptr i32, ptr addrspace(3) @tile, i32 %ib\n  %vb = load i32, ptr addrspace(3) %b\n" + FENCE
    )
    ends = "  %c = icmp eq i32 %vb, %n\n  br i1 %same, label %end, label %loop\nend:\n"
    assert races(body + ends) == [(13, 10)]
    assert races(body + "  call void @llvm.amdgcn.s.barrier()\n" + ends) == []


def test_what_some_threads_skip() -> None:
    """A branch on the thread may choose one thread; one on what is the same in all does not. Behind both all go on."""
    branch = "  br i1 %c, label %then, label %end\nthen:\n"
    inside = STORE + branch + load("  %ib = add i32 %t, 1\n") + "  br label %end\nend:\n"
    assert races("  %c = icmp eq i32 %t, 0\n" + inside) == []
    assert races("  %c = icmp eq i32 %n, 0\n" + inside) == [(8, 13)]
    behind = STORE + branch + "  br label %end\nend:\n" + load("  %ib = add i32 %t, 1\n")
    assert races("  %c = icmp eq i32 %t, 0\n" + behind) == [(8, 15)]


def test_workgroups_of_one_wave() -> None:
    assert races(STORE + load("  %ib = sub i32 63, %t\n"), "64,64") == []
    assert races(STORE + load("  %ib = sub i32 63, %t\n"), "1,1024") == []


LOCK = """  br label %spin
spin:
  %o = atomicrmw xchg ptr addrspace(3) @lock, i32 1 syncscope("workgroup") acquire
  %b = icmp eq i32 %o, 0
  br i1 %b, label %in, label %spin
in:
  %v = load i32, ptr addrspace(3) @tile
  %w = add i32 %v, 1
  store i32 %w, ptr addrspace(3) @tile
  store atomic i32 0, ptr addrspace(3) @lock syncscope("workgroup") release, align 4
"""


def locked(body: str) -> list[tuple[int | None, int | None]]:
    text = KERNEL.replace("BODY", body).replace("SIZE", "256,256")
    text = text.replace("@tile =", "@lock = internal addrspace(3) global i32 poison\n@tile =")
    return [(each.related[0].line, each.place.line) for each in remarks(text) if each.name == "local-memory-race"]


def test_threads_take_turns_under_a_lock() -> None:
    acquire, release = '  fence syncscope("workgroup") acquire\n', '  fence syncscope("workgroup") release\n'
    by_fences = LOCK.replace(" acquire\n", " monotonic\n").replace(" release,", " monotonic,")
    by_fences = by_fences.replace("in:\n", f"in:\n{acquire}").replace("  store atomic", f"{release}  store atomic")
    compared = LOCK.replace('xchg ptr addrspace(3) @lock, i32 1 syncscope("workgroup") acquire', "")
    compared = LOCK.replace("atomicrmw xchg", "cmpxchg").replace("i32 1 sync", "i32 0, i32 1 sync")
    compared = compared.replace(" acquire\n", " acquire monotonic\n").replace(
        "icmp eq i32 %o, 0", "extractvalue {i32, i1} %o, 1"
    )
    assert [locked(each) for each in (LOCK, by_fences, compared)] == [[], [], []]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (" acquire\n", " monotonic\n"),  # nothing acquires
        (" release,", " monotonic,"),  # nothing releases
        ("xchg", "add"),  # nobody waits for that
        ("label %in, label %spin", "label %in, label %in"),  # nobody waits
        ('  store atomic i32 0, ptr addrspace(3) @lock syncscope("workgroup") release, align 4\n', ""),
    ],
)
def test_what_is_no_lock_keeps_nobody_out(before: str, after: str) -> None:
    assert len(locked(LOCK.replace(before, after))) == 1


def updated(set_: str, between: str, update: str, size: str = "256,256") -> list[tuple[int | None, int | None]]:
    barrier = f"{FENCE}  call void @llvm.amdgcn.s.barrier()\n{FENCE}"
    text = KERNEL.replace("BODY", f"{set_}{barrier}{between}{update}").replace("SIZE", size)
    return [
        (each.related[0].line, each.place.line)
        for each in remarks(text)
        if (each.name, each.severity) == ("plain-write-before-atomics", Severity.NOTE)
    ]


ZERO = "  store i32 0, ptr addrspace(3) @tile\n"
BY_ONE = f"  %z = icmp eq i32 %t, 0\n  br i1 %z, label %one, label %all\none:\n{ZERO}  br label %all\nall:\n"
ATOMIC = ZERO.replace("store", "store atomic").rstrip() + ' syncscope("workgroup") monotonic, align 4\n'
ADD = '  %u = atomicrmw add ptr addrspace(3) @tile, i32 1 syncscope("workgroup") ORDER\n'


@pytest.mark.parametrize("order", ["monotonic", "acq_rel", "seq_cst"])
def test_atomic_updates_of_what_a_plain_write_has_set(order: str) -> None:
    update = ADD.replace("ORDER", order)
    assert updated(ZERO, "", update) == [(6, 10)]
    assert updated(BY_ONE, "", update) == [(9, 15)]
    assert updated(ZERO.replace("0", "%n"), "", update) == [(6, 10)]


@pytest.mark.parametrize(
    ("set_", "between", "update", "size"),
    [
        (ATOMIC, "", ADD, "256,256"),
        (ZERO.replace("store", "store volatile"), "", ADD, "256,256"),
        (ZERO, ATOMIC, ADD, "256,256"),  # it is no longer what they see
        (ZERO, "", ADD, "64,64"),
        (ZERO, "", ADD, "1,1024"),
        (ZERO, "", ADD.replace("@tile", "getelementptr (i32, ptr addrspace(3) @tile, i32 1)"), "256,256"),
        (
            ZERO,
            "",
            STORE.replace("%a\n", "%a, align 4\n") + ADD.replace("ptr addrspace(3) @tile", "ptr addrspace(3) %a"),
            "256,256",
        ),
        (ZERO, "  call void @elsewhere()\n", ADD, "256,256"),
        (
            ZERO,
            "  %y = icmp eq i32 %t, 0\n  br i1 %y, label %u1, label %end\nu1:\n",
            f"{ADD}  br label %end\nend:\n",
            "256,256",
        ),
    ],
)
def test_atomic_updates_that_see_no_plain_write(set_: str, between: str, update: str, size: str) -> None:
    assert updated(set_, between, update.replace("ORDER", "monotonic"), size) == []
