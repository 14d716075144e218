"""Flags that hand over less than what threads access on both sides: what is reported, and what is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from enumerator import check, load
from enumerator.discovery import find_tests
from enumerator.files import read_text
from enumerator.frontend import load_text
from enumerator.inspection import inspect_text
from enumerator.inspection.findings import Severity

LITMUS = Path(__file__).resolve().parent.parent.parent / "litmus_tests"

HEAD = """target triple = "amdgcn-amd-amdhsa"
@data = internal addrspace(3) global [256 x i32] poison
@flag = internal addrspace(3) global i32 poison
@next = internal addrspace(3) global i32 poison
define amdgpu_kernel void @k(ptr addrspace(1) %p, ptr addrspace(1) %f, i1 %role, i1 %third, i32 %n) {
entry:
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %own = getelementptr i32, ptr addrspace(3) @data, i32 %t
  br i1 %role, label %send, label %else
else:
  br i1 %third, label %take, label %pass
"""
TAIL = """
declare i32 @llvm.amdgcn.workitem.id.x()
declare void @llvm.amdgcn.s.barrier()
declare void @elsewhere()
!0 = !{!"amdgpu-synchronize-as", !"local"}
!1 = !{!"amdgpu-synchronize-as", !"global"}
"""
WRITE, READ = "store i32 %n, ptr addrspace(3) @data", "%v = load i32, ptr addrspace(3) @data"
RAISE = 'store atomic i32 1, ptr addrspace(3) @flag syncscope("workgroup") monotonic, align 4'
LOOK = '%s = load atomic i32, ptr addrspace(3) @flag syncscope("workgroup") monotonic, align 4'
RELEASE, ACQUIRE = 'fence syncscope("workgroup") release', 'fence syncscope("workgroup") acquire'
BARRIER = (RELEASE, "call void @llvm.amdgcn.s.barrier()", ACQUIRE)


def found(send: list[str], take: list[str], through: list[str] | None = None) -> list[tuple[str, str]]:
    """The remarks, each with the instruction in its line and the message."""
    text = HEAD
    for label, body in (("send", send), ("take", take), ("pass", through or [])):
        text += f"{label}:\n" + "".join(f"  {each}\n" for each in body) + "  ret void\n"
    text += "}" + TAIL
    remarks = [each for each in inspect_text(text, "k.ll").remarks if each.name == "flag-hands-over-less"]
    assert all(each.place.line is not None for each in remarks)
    return [(text.split("\n")[(each.place.line or 1) - 1].strip(), each.message) for each in remarks]


def test_both_sides_are_there() -> None:
    assert found([WRITE, RELEASE, RAISE], [LOOK, ACQUIRE, READ]) == []
    strong = RAISE.replace("monotonic", "release")
    assert found([WRITE, strong], [LOOK.replace("monotonic", "acquire"), READ]) == []


def test_one_side_is_missing() -> None:
    ((place, message),) = found([WRITE, RAISE], [LOOK, ACQUIRE, READ])
    assert place == RAISE
    assert message == (
        "@flag is written by store monotonic without release: the write of @data in line 13, which is before it, is not"
        " ordered with the read of @data in line 19 of a thread by which @flag is read"
    )
    ((place, message),) = found([WRITE, RELEASE, RAISE], [LOOK, READ])
    assert place == LOOK and "without acquire: the read of @data in line 19, which is after it" in message
    ((place, _),) = found([RELEASE, WRITE, RAISE], [LOOK, ACQUIRE, READ])
    assert place == RAISE, "a fence ahead of the data releases nothing of it"
    ((place, _),) = found([WRITE, RELEASE, RAISE], [ACQUIRE, LOOK, READ])
    assert place == LOOK


def test_tags_exclude_the_data() -> None:
    ((place, message),) = found([WRITE, RELEASE + ", !mmra !1", RAISE], [LOOK, ACQUIRE, READ])
    assert place == RELEASE + ", !mmra !1"
    assert "does not cover the write of @data in line 13 (tags amdgpu-synchronize-as:local vs :global" in message
    ((place, _),) = found([WRITE, RELEASE, RAISE], [LOOK, ACQUIRE + ", !mmra !1", READ])
    assert place == ACQUIRE + ", !mmra !1"
    assert found([WRITE, RELEASE + ", !mmra !0", RAISE], [LOOK, ACQUIRE + ", !mmra !0", READ]) == []
    assert found([WRITE, RELEASE + ", !mmra !1", RELEASE, RAISE], [LOOK, ACQUIRE, READ]) == []


def test_what_is_read_before_is_handed_over_too() -> None:
    """A reader lets go of data that is written next."""
    ((place, _),) = found([READ, RAISE], [LOOK, ACQUIRE, WRITE])
    assert place == RAISE
    assert found([READ, RAISE], [LOOK, ACQUIRE, READ.replace("%v", "%w")]) == []


DONATED = """; SCOPES: (agent (workgroup give) (workgroup take))
; NEVER: race
@idle = addrspace(1) global i32 1
@box = addrspace(1) global i32 0
@full = addrspace(1) global i32 0
define void @give() {
entry:
  br label %look
look:
  %i = load atomic i32, ptr addrspace(1) @idle syncscope("agent") monotonic, align 4
  %c = icmp eq i32 %i, 1
  br i1 %c, label %fill, label %END
fill:
  store i32 3, ptr addrspace(1) @box
  store atomic i32 1, ptr addrspace(1) @full syncscope("agent") release, align 4
  br label %NEXT
done:
  ret void
}
define void @take() {
entry:
  br label %wait
wait:
  %f = load atomic i32, ptr addrspace(1) @full syncscope("agent") acquire, align 4
  %c = icmp eq i32 %f, 1
  br i1 %c, label %get, label %wait
get:
  %v = load i32, ptr addrspace(1) @box
  store atomic i32 0, ptr addrspace(1) @idle syncscope("agent") release, align 4
  br label %NEXTBACK
done:
  ret void
}
"""


def test_what_runs_once_is_ordered_either_way() -> None:
    """Who fills the box hands it on, and nobody fills it again: what gives it back need not be acquired."""
    once = DONATED.replace("END", "done").replace("NEXTBACK", "done").replace("NEXT", "done")
    assert [each.name for each in inspect_text(once, "t.ll").remarks] == []
    assert "race" not in check(load_text(once, "t.ll")).flags
    again = DONATED.replace("END", "look").replace("NEXTBACK", "wait").replace("NEXT", "look")
    names = [each.name for each in inspect_text(again, "t.ll").remarks]
    assert names == ["flag-hands-over-less"]


def test_arguments_of_kernels() -> None:
    data, flag = "ptr addrspace(1) %p", "ptr addrspace(1) %f"
    send = [WRITE.replace("ptr addrspace(3) @data", data), RAISE.replace("ptr addrspace(3) @flag", flag)]
    take = [LOOK.replace("ptr addrspace(3) @flag", flag), ACQUIRE, READ.replace("ptr addrspace(3) @data", data)]
    ((_, message),) = found(send, take)
    assert message.startswith("argument %f is written by store monotonic without release: the write of argument %p")


@pytest.mark.parametrize(
    ("send", "take", "through"),
    [
        ([WRITE, RAISE], [LOOK, READ], []),  # nothing is ordered: a counter, perhaps
        ([WRITE, *BARRIER, RAISE], [*BARRIER, LOOK, ACQUIRE, READ], []),
        ([WRITE.replace("@data", "%own"), RAISE], [LOOK, ACQUIRE, READ.replace("@data", "%own")], []),
        ([WRITE, RAISE], [LOOK, ACQUIRE, READ.replace("@data", "@next")], []),
        ([WRITE, RAISE], [LOOK, ACQUIRE, "call void @elsewhere()", READ], []),
        ([WRITE.replace("store", "store volatile"), RAISE], [LOOK, ACQUIRE, READ], []),
        (
            [WRITE, RELEASE, RAISE.replace("@flag", "@next")],
            [LOOK, ACQUIRE, READ],
            [LOOK.replace("@flag", "@next").replace("%s", "%q"), ACQUIRE, RELEASE, RAISE],
        ),  # handed on
    ],
    ids=["counter", "barrier", "own", "other", "call", "volatile", "third"],
)
def test_nothing_is_said(send: list[str], take: list[str], through: list[str]) -> None:
    assert found(send, take, through) == []


def test_a_third_thread_that_does_not_hand_on() -> None:
    third = [RELEASE, RAISE, LOOK.replace("@flag", "@next").replace("%s", "%q"), ACQUIRE]
    assert found([WRITE, RELEASE, RAISE.replace("@flag", "@next")], [LOOK, READ], third) == []
    places = [
        place for place, _ in found([WRITE, RELEASE, RAISE, RAISE.replace("@flag", "@next")], [LOOK, READ], third)
    ]
    assert places == [LOOK]


def test_each_that_is_reported_is_a_mistake() -> None:
    """Of litmus tests with such a remark, the models find an execution that races or is undefined."""
    reported = []
    for file in find_tests([str(LITMUS)]):
        if file.endswith(".ll"):
            found = inspect_text(read_text(file), file)
            if any(each.name == "flag-hands-over-less" for each in found.remarks):
                flags = check(load(file), "amdgpu" if found.target.amdgpu else "llvm").flags
                assert {"race", "ub"} & set(flags), file
                reported.append(file)
    assert len(reported) > 100


TAGGED = """target triple = "amdgcn-amd-amdhsa"
@f = addrspace(1) global i32 0
@d = global i32 0
define amdgpu_kernel void @k() {
  store i32 1, ptr @d
  fence syncscope("agent") release, !mmra !0
  store atomic i32 1, ptr addrspace(1) @f syncscope("agent") monotonic, align 4
  %v = load atomic i32, ptr addrspace(1) @f syncscope("agent") monotonic, align 4
  fence syncscope("agent") acquire, !mmra !1
  %d = load i32, ptr @d
  ret void
}
!0 = !{!"amdgpu-synchronize-as", !"global"}
!1 = !{!"amdgpu-synchronize-as", !"ACQUIRE"}
"""


@pytest.mark.parametrize(("acquire", "expected"), [("local", [("unpaired-fence", 6)]), ("global", [])])
def test_fences_at_a_flag_under_the_strict_profile(acquire: str, expected: list[tuple[str, int]]) -> None:
    """Flat accesses have no tags: both fences cover them."""
    found = inspect_text(TAGGED.replace("ACQUIRE", acquire), "k.ll").remarks
    assert [(each.name, each.place.line) for each in found] == expected
    assert all("(profile amdgpu-strict; under amdgpu they do)" in each.message for each in found)


@pytest.mark.parametrize(
    ("filler", "times", "why"),
    [
        ("  store i32 1, ptr @d\n", 2100, "it has more than 2000 accesses, fences and barriers"),
        ("  store i32 1, ptr @d\n", 350, "@d has more than 100000 pairs of accesses"),
        ('  fence syncscope("agent") release\n', 210, "it has more than 200 operations that release, or that acquire"),
    ],
)
def test_what_is_too_large_is_said(filler: str, times: int, why: str) -> None:
    text = TAGGED.replace("ACQUIRE", "global").replace("  %v = ", filler * times + "  %v = ")
    notes = [each for each in inspect_text(text, "k.ll").remarks if each.name == "flags-not-followed"]
    assert [(each.message, each.place.line, each.severity) for each in notes] == [
        (f"what flags hand over is not followed here: {why}", 4, Severity.NOTE)
    ]


CLAIM = """@key = internal addrspace(1) global [64 x i32] zeroinitializer
@val = internal addrspace(1) global [64 x i32] zeroinitializer
define amdgpu_kernel void @insert(i32 %i, i32 %x) {
  %k = getelementptr [64 x i32], ptr addrspace(1) @key, i32 0, i32 %i
  %p = getelementptr [64 x i32], ptr addrspace(1) @val, i32 0, i32 %i
  %r = cmpxchg ptr addrspace(1) %k, i32 0, i32 -1 syncscope("agent") monotonic monotonic
  %ok = extractvalue { i32, i1 } %r, 1
  br i1 %ok, label %won, label %lost
won:
  store i32 %x, ptr addrspace(1) %p
  store atomic i32 1, ptr addrspace(1) %k syncscope("agent") release, align 4
  ret void
lost:
  ret void
}
"""


def claimed(*changes: tuple[str, str]) -> list[str]:
    text = CLAIM
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    return [each.message for each in inspect_text(text, "k.ll").remarks if each.name == "flag-hands-over-less"]


def test_a_slot_is_claimed_by_one_thread() -> None:
    assert claimed() == []
    assert claimed(("store atomic i32 1", "store atomic i32 %x")) == []
    compared = "%a = extractvalue { i32, i1 } %r, 0\n  %ok = icmp eq i32 %a, 0"
    assert claimed(("%ok = extractvalue { i32, i1 } %r, 1", compared)) == []


@pytest.mark.parametrize(
    "changes",
    [
        (("store atomic i32 1", "store atomic i32 0"),),  # it is a lock: others claim it again
        (("br i1 %ok, label %won", "br i1 undef, label %won"),),  # whoever does not win goes there, too
        (("lost:\n", "lost:\n  store i32 %x, ptr addrspace(1) %p\n"),),
        (("i32 0, i32 -1 syncscope", "i32 %x, i32 -1 syncscope"),),  # nobody knows what is expected
    ],
)
def test_what_several_threads_may_claim(changes: tuple[tuple[str, str], ...]) -> None:
    (told, *_) = claimed(*changes)
    assert told.startswith("@key is read by cmpxchg monotonic without acquire: the write of @val in line")
