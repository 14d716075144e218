"""Warnings and notes: each where it belongs, and not where it does not."""

from __future__ import annotations

import pytest

from enumerator.inspection.findings import Remark, Severity

from .ir import barriers, inspect, kernel, names, remarks

BARRIER = """
  store i32 1, ptr addrspace(3) @lds
  fence syncscope("workgroup") release, !mmra !0
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire, !mmra !0
  %x = load i32, ptr addrspace(3) @lds
"""


def only(text: str, name: str, profile: str | None = "amdgpu") -> Remark:
    (remark,) = (each for each in remarks(text, profile) if each.name == name)
    return remark


def test_nothing_to_say() -> None:
    assert names(kernel(BARRIER)) == []


# Tags


@pytest.mark.parametrize(
    ("tag", "message"),
    [
        ("amdgpu-synchronize-as:lds", "did you mean amdgpu-synchronize-as:local? (known: global, local)"),
        ("amdgpu-synchronize-as:shared", "did you mean amdgpu-synchronize-as:local?"),
        ("amdgpu-synchronize-as:Global", "did you mean amdgpu-synchronize-as:global?"),
        ("amdgpu-synchronize-as:glboal", "did you mean amdgpu-synchronize-as:global?"),
        ("amdgpu-synchronize-as:xyz", "unknown tag amdgpu-synchronize-as:xyz (known: global, local)"),
        ("amdgpu-as:lds", "unknown tag amdgpu-as:lds: did you mean amdgpu-synchronize-as:local?"),
        ("amdgpu-synchronise-as:local", "did you mean amdgpu-synchronize-as:local?"),
        ("amdgpu_synchronize_as:local", "did you mean amdgpu-synchronize-as:local?"),
        ("amdgcn-av:nothing", "unknown tag amdgcn-av:nothing: did you mean amdgcn-av:none?"),
    ],
)
@pytest.mark.parametrize("profile", ["amdgpu", "generic"])
def test_misspelt_tags(tag: str, message: str, profile: str) -> None:
    prefix, _, suffix = tag.partition(":")
    more = f'!9 = !{{!"{prefix}", !"{suffix}"}}\n'
    remark = only(kernel("  store i32 1, ptr %f, !mmra !9", more=more), "unknown-tag", profile)
    assert message in remark.message
    assert remark.place.line == 2 and remark.severity is Severity.WARNING


@pytest.mark.parametrize("tag", ["foo:x", "sync-as:local", "amdgpu-synchronize-as:local", "amdgcn-av:none"])
def test_other_tags_are_nobodys_business(tag: str) -> None:
    prefix, _, suffix = tag.partition(":")
    assert names(kernel("  store i32 1, ptr %f, !mmra !9", more=f'!9 = !{{!"{prefix}", !"{suffix}"}}\n')) == []


def test_vulkan_tags_are_unknown_to_another_profile_only() -> None:
    text = kernel("  store i32 1, ptr %f, !mmra !9", more='!9 = !{!"vulkan", !"privat"}\n')
    assert "did you mean vulkan:private?" in only(text, "unknown-tag", "vulkan").message
    assert names(text, "amdgpu") == []


def test_a_tag_is_remarked_on_once() -> None:
    body = "  store i32 1, ptr %f, !mmra !9\n" * 3
    remark = only(kernel(body, more='!9 = !{!"amdgpu-synchronize-as", !"lds"}\n'), "unknown-tag")
    assert [place.line for place in remark.related] == [3, 4]


def test_older_spelling() -> None:
    for prefix in ("amdgpu-as", "opencl-fence-mem"):
        text = kernel(BARRIER.replace("!0", "!9"), more=f'!9 = !{{!"{prefix}", !"local"}}\n')
        remark = only(text, "older-tag")
        assert remark.message == f"{prefix} is an older spelling of amdgpu-synchronize-as"
        assert remark.severity is Severity.NOTE and names(text) == ["older-tag"]


def test_annotations_that_mean_nothing() -> None:
    tagged = BARRIER.replace("s.barrier()", "s.barrier(), !mmra !0")
    assert only(kernel(tagged), "ignored-tag").message.startswith("tags on a barrier mean nothing")
    own = "  %a = alloca i32, addrspace(5)\n  store i32 1, ptr addrspace(5) %a, !mmra !0"
    assert "private memory" in only(kernel(own), "ignored-tag").message
    fence = BARRIER.replace("release, !mmra !0", "release, !mmra !0, !thread.private !3")
    assert names(kernel(fence)) == ["ignored-thread-private"]
    flag = "  store atomic i32 1, ptr %f release, align 4, !thread.private !3"
    assert names(kernel(flag)) == ["thread-private-synchronizes"]
    relaxed = "  store atomic i32 1, ptr %f monotonic, align 4, !thread.private !3"
    assert names(kernel(relaxed)) == []


# Fences


def test_a_fence_that_orders_nothing() -> None:
    early = "  fence release\n  store atomic i32 1, ptr %f monotonic, align 4"
    remark = only(kernel(early), "fence-orders-nothing")
    assert remark.message == "a release fence that orders nothing: no access of shared memory is before it"
    other = """
  store i32 1, ptr addrspace(1) %g
  fence release, !mmra !0
  store atomic i32 1, ptr %f monotonic, align 4
"""
    assert only(kernel(other), "fence-orders-nothing").message.endswith(
        "no access before it is ordered with it (tags amdgpu-synchronize-as:global vs :local incompatible)"
    )
    assert "fence-orders-nothing" not in names(kernel(other), "generic")  # there, accesses have no tags
    assert names(kernel(other.replace("!0", "!1"))) == []
    both = "  fence acq_rel"
    assert "is before it, and no access" in only(kernel(both), "fence-orders-nothing").message


def test_callers_may_have_what_a_fence_orders() -> None:
    text = kernel("  fence release", cc="")
    assert names(text) == []
    assert names(f"; EXISTS: true\n{text}") == ["fence-orders-nothing"]  # a litmus test: nothing calls its threads
    assert names(text.replace("fence release", 'fence syncscope("singlethread") release')) == ["fence-orders-nothing"]


def test_a_fence_that_nothing_carries() -> None:
    text = kernel("  store i32 1, ptr %f\n  fence release\n  store i32 1, ptr addrspace(1) %g")
    remark = only(text, "fence-without-partner")
    assert "no atomic write, barrier or call follows" in remark.message
    for carrier in (
        "store atomic i32 1, ptr addrspace(1) %g monotonic, align 4",
        "store volatile i32 1, ptr addrspace(1) %g",
        "call void @unknown()",
        "%o = atomicrmw add ptr addrspace(1) %g, i32 1 monotonic",
    ):
        assert names(text.replace("store i32 1, ptr addrspace(1) %g", carrier)) == [], carrier
    acquire = kernel("  %x = load i32, ptr addrspace(1) %g\n  fence acquire\n  store i32 1, ptr %f")
    assert "no atomic read, barrier or call precedes" in only(acquire, "fence-without-partner").message
    assert names(acquire.replace("load i32, ptr addrspace(1) %g", "load atomic i32, ptr %f monotonic, align 4")) == []


def test_seq_cst_fences_order_with_one_another() -> None:
    text = kernel("""
  store atomic i32 1, ptr addrspace(1) %g monotonic, align 4
  fence ORDERING
  %x = load atomic i32, ptr %f monotonic, align 4
""")
    assert names(text.replace("ORDERING", "seq_cst")) == []
    assert names(text.replace("ORDERING", "acq_rel")) == ["fence-without-partner"]


@pytest.mark.parametrize(("scope", "expected"), [("wavefront", []), ("workgroup", ["fence-without-partner"] * 2)])
def test_a_wave_barrier_is_for_the_lanes_of_a_wave(scope: str, expected: list[str]) -> None:
    text = kernel(
        BARRIER.replace("s.barrier", "wave.barrier").replace("workgroup", scope).replace(", !mmra !0", ""),
        more="declare void @llvm.amdgcn.wave.barrier()\n",
    )
    assert names(text) == expected


def test_a_partner_on_some_path_is_enough() -> None:
    body = """
  br label %loop
loop:
  fence acquire
  %x = load i32, ptr addrspace(1) %g
  %y = load atomic i32, ptr %f monotonic, align 4
  br i1 %c, label %loop, label %exit
exit:
"""
    assert names(kernel(body)) == []


# Barriers


@pytest.mark.parametrize("side", ["release", "acquire"])
def test_an_unpaired_fence(side: str) -> None:
    fence = f'  fence syncscope("workgroup") {side}, !mmra !0\n'
    text = kernel(BARRIER.replace(fence, ""))
    assert sorted(names(text)) == ["local-memory-unordered", "unpaired-fence"]
    other = "acquire" if side == "release" else "release"
    remark = only(text, "unpaired-fence")
    assert remark.message.startswith(
        f"{other} fence {'after' if side == 'release' else 'before'} a barrier, but no {side}"
    )
    assert [place.line for place in remark.related] == ([3] if side == "release" else [4])


def test_fences_with_other_tags_are_no_pair() -> None:
    body = """
  store i32 1, ptr %f
  store i32 1, ptr addrspace(3) @lds
  fence syncscope("workgroup") release, !mmra !0
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire, !mmra !1
  %x = load i32, ptr %f
  %y = load i32, ptr addrspace(3) @lds
"""
    messages = [remark.message for remark in remarks(kernel(body)) if remark.name == "unpaired-fence"]
    assert len(messages) == 2
    assert "(amdgpu-synchronize-as:local here, amdgpu-synchronize-as:global there)" in messages[0]


def test_no_pair_is_needed() -> None:
    atomic = BARRIER.replace(
        "  call void @llvm.amdgcn.s", "  store atomic i32 1, ptr %f monotonic, align 4\n  call void @llvm.amdgcn.s"
    )
    acquire = '  fence syncscope("workgroup") acquire, !mmra !0\n'
    load = "  %x = load i32, ptr addrspace(3) @lds\n"
    assert "unpaired-fence" not in names(kernel(atomic.replace(acquire, "")))  # it is for the store
    assert names(kernel(BARRIER.replace(acquire, "").replace(load, ""))) == ["redundant"]  # nothing is after it
    assert names(kernel(BARRIER.replace(acquire, "").replace(load, "  call void @unknown()\n"))) == []
    assert names(kernel(BARRIER.replace(acquire, "").replace(load, ""), cc="")) == []  # but for the caller
    wider = BARRIER.replace('syncscope("workgroup") acquire', 'syncscope("agent") acquire').replace(
        "!mmra !0", "!mmra !2"
    )
    assert names(kernel(wider)) == []  # scopes that include each other


def test_narrow_fences_do_not_reach_across() -> None:
    text = kernel(BARRIER.replace("workgroup", "wavefront"))
    assert names(text) == ["local-memory-unordered"]


def test_local_memory_across_a_barrier() -> None:
    bare = "\n".join(line for line in BARRIER.splitlines() if "fence" not in line)
    remark = only(kernel(bare), "local-memory-unordered")
    assert "(a write of @lds before it, a read of @lds after it)" in remark.message
    assert "no release fence" in remark.message and "no acquire fence" in remark.message
    assert remark.place.line == 3 and [place.line for place in remark.related] == [2, 4]
    assert (
        names(kernel(bare.replace("%x = load i32, ptr addrspace(3) @lds", "%x = load i32, ptr addrspace(3) @other")))
        == []
    )
    assert names(kernel(bare.replace("addrspace(3) @lds", "addrspace(1) %g"))) == []
    reads = bare.replace("store i32 1, ptr addrspace(3) @lds", "%y = load i32, ptr addrspace(3) @lds")
    assert names(kernel(reads)) == []
    updates = bare.replace(
        "store i32 1, ptr addrspace(3) @lds", "%y = atomicrmw add ptr addrspace(3) @lds, i32 1 monotonic"
    )
    assert names(kernel(updates)) == ["local-memory-unordered"]
    assert (
        names(
            kernel(
                updates.replace(
                    "load i32, ptr addrspace(3) @lds", "load atomic i32, ptr addrspace(3) @lds monotonic, align 4"
                )
            )
        )
        == []
    )
    assert names(kernel(bare, '"amdgpu-flat-work-group-size"="1,1"')) == ["barrier-of-one"]


def test_global_fences_do_not_cover_local_memory() -> None:
    assert "local-memory-unordered" in names(kernel(BARRIER.replace("!0", "!1")))
    assert names(kernel(BARRIER.replace(", !mmra !0", ""))) == []


def test_local_memory_through_flat_pointers_and_phis() -> None:
    body = """
  %flat = addrspacecast ptr addrspace(3) @lds to ptr
  br label %loop
loop:
  %p = phi ptr [ %flat, %0 ], [ %q, %loop ]
  store i32 1, ptr %p
  call void @llvm.amdgcn.s.barrier()
  %q = getelementptr i32, ptr %p, i32 1
  br i1 %c, label %loop, label %exit
exit:
"""
    assert (
        "(a write of @lds before it, a write of @lds after it)" in only(kernel(body), "local-memory-unordered").message
    )


def test_a_fence_on_one_path_only() -> None:
    body = """
  store i32 1, ptr addrspace(3) @lds
  br i1 %c, label %then, label %join
then:
  FIRST
  fence syncscope("workgroup") release
  br label %join
join:
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  %x = load i32, ptr addrspace(3) @lds
"""
    assert names(kernel(body.replace("FIRST", ""))) == ["local-memory-unordered"]
    inside = body.replace("  store i32 1, ptr addrspace(3) @lds\n", "").replace(
        "FIRST", "store i32 1, ptr addrspace(3) @lds"
    )
    assert names(kernel(inside)) == []


def test_a_fence_for_one_of_two_barriers() -> None:
    body = """
  store i32 1, ptr addrspace(3) @lds
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acq_rel
  call void @llvm.amdgcn.s.barrier()
  %x = load i32, ptr addrspace(3) @other
"""
    assert names(kernel(body)) == ["unpaired-fence"]


def test_a_barrier_ends_the_window_of_the_one_before() -> None:
    body = """
  store i32 1, ptr addrspace(3) @lds
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acq_rel
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acq_rel
  %x = load i32, ptr addrspace(3) @lds
"""
    assert names(kernel(body)) == []


def test_split_barriers() -> None:
    split = """
  call void @llvm.amdgcn.s.barrier.signal(i32 -1)
  BETWEEN
  call void @llvm.amdgcn.s.barrier.wait(i16 -1)
"""
    text = BARRIER.replace("  call void @llvm.amdgcn.s.barrier()\n", split.strip("\n") + "\n")
    assert names(kernel(text.replace("BETWEEN", ""))) == []
    # What is done between the halves is not ordered by this barrier, and does not have to be.
    assert names(kernel(text.replace("BETWEEN", "store i32 2, ptr addrspace(3) @other"))) == []
    late = text.replace('  fence syncscope("workgroup") release, !mmra !0\n', "").replace(
        "BETWEEN", 'fence syncscope("workgroup") release, !mmra !0'
    )
    assert "local-memory-unordered" in names(kernel(late))
    signal, wait = barriers(kernel(text.replace("BETWEEN", "")))
    assert len(signal.releases) == len(wait.acquires) == 1


def test_other_barriers_are_not_judged() -> None:
    bare = "\n".join(line for line in BARRIER.splitlines() if "fence" not in line)
    named = bare.replace("s.barrier()", "s.barrier.signal.var(ptr addrspace(3) @lds, i32 1)")
    more = "declare void @llvm.amdgcn.s.barrier.signal.var(ptr addrspace(3), i32)\n"
    assert names(kernel(named, more=more)) == []
    waits = bare.replace(
        "call void @llvm.amdgcn.s.barrier()", 'call void asm sideeffect "s_waitcnt lgkmcnt(0)\\0As_barrier", ""()'
    )
    text = kernel(waits)
    assert [each.operation.what for each in barriers(text)] == ["inline assembly s_barrier"]
    assert names(text) == []  # the assembly waits, which is not judged
    fenced = BARRIER.replace("call void @llvm.amdgcn.s.barrier()", 'call void asm sideeffect "s_barrier", ""()')
    (barrier,) = barriers(kernel(fenced))
    assert len(barrier.releases) == len(barrier.acquires) == 1 and names(kernel(fenced)) == []
    waiting = BARRIER.replace("  call", '  call void asm sideeffect "s_waitcnt lgkmcnt(0)", ""()\n  call')
    (barrier,) = barriers(kernel(waiting))
    assert len(barrier.releases) == len(barrier.acquires) == 1 and names(kernel(waiting)) == []


# Scopes


def test_one_as_with_tags() -> None:
    text = kernel(BARRIER.replace('"workgroup"', '"workgroup-one-as"'))
    assert names(text) == ["one-as-with-tags"] * 2
    assert "use scope workgroup with the tag" in remarks(text)[0].message
    assert names(kernel(BARRIER.replace('"workgroup"', '"workgroup-one-as"').replace(", !mmra !0", ""))) == []


@pytest.mark.parametrize(
    ("attributes", "more", "message"),
    [
        ('"amdgpu-flat-work-group-size"="1,1"', "", "one thread only"),
        ("!reqd_work_group_size !8", "!8 = !{i32 1, i32 1, i32 1}\n", "one thread only"),
        ('"amdgpu-flat-work-group-size"="1,32"', "", "one wavefront (of 32)"),
        ("!reqd_work_group_size !8", "!8 = !{i32 8, i32 4, i32 1}\n", "at most 32 threads"),
        ('"amdgpu-flat-work-group-size"="64,64" "target-cpu"="gfx90a"', "", "one wavefront (of 64)"),
        ('"amdgpu-flat-work-group-size"="64,64" "target-features"="+wavefrontsize64"', "", "one wavefront (of 64)"),
        ('"amdgpu-flat-work-group-size"="64,64" "target-cpu"="gfx1100"', "", None),
        ('"amdgpu-flat-work-group-size"="1,256" "target-cpu"="gfx942"', "", None),
        ("", "", None),
    ],
)
def test_workgroups_that_are_small(attributes: str, more: str, message: str | None) -> None:
    text = kernel(BARRIER, attributes, more=more)
    found = [each for each in remarks(text, wide=True) if each.name == "scope-too-wide"]
    assert len(found) == (2 if message else 0)
    assert all(message is not None and message in each.message for each in found)


def test_local_memory_beyond_a_workgroup() -> None:
    for scope in ('syncscope("agent") ', "", 'syncscope("cluster") '):
        text = kernel(BARRIER.replace('syncscope("workgroup") ', scope))
        assert names(text, wide=True) == ["scope-too-wide"] * 2 and names(text) == []
        assert "threads of a workgroup share and no others" in remarks(text, wide=True)[0].message
        assert names(text.replace(", !mmra !0", "")) == []
    lock = '  %x = atomicrmw add ptr addrspace(3) @lds, i32 1 syncscope("agent") acq_rel'
    found = remarks(kernel(lock), wide=True)
    assert [(each.name, each.severity) for each in found] == [("scope-too-wide", Severity.NOTE)]


def test_targets_with_a_profile() -> None:
    text = f'target triple = "amdgcn-amd-amdhsa"\n{kernel(BARRIER)}'
    assert names(text, "generic") == ["target-profile"] and names(text) == []
    assert inspect(text, None).profile == "amdgpu" and inspect(kernel(BARRIER), None).profile == "generic"
    assert inspect(f"; PROFILE: generic\n{text}", None).profile == "generic"


def test_unknown_scopes() -> None:
    text = kernel('  fence syncscope("workgrup") release\n  fence syncscope("block") acquire\n')
    found = {each.name: each.message for each in remarks(text)}
    assert found["unknown-scope"].startswith("unknown sync scope workgrup: did you mean workgroup?")
    assert found["foreign-scope"] == "scope block is of another target: how far it reaches is not known"
