"""Exchanging and merging adjacent operations: what the rule allows is never contradicted; examples of the documents."""

from __future__ import annotations

import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st

from enumerator.frontend import load_text
from enumerator.program.instructions import Ordering, Scope
from enumerator.program.test import Test
from enumerator.refinement import neighbours
from enumerator.refinement.neighbours import merge, pairs, reorder
from enumerator.refinement.refine import refines
from tests.generated.programs import Program, programs

FEATURES = frozenset({"fences", "rmw", "cmpxchg", "tags", "private", "scopes", "unordered", "dependencies"})
UNDER = [
    ("llvm", "closure", "generic", "dep"),
    ("llvm", "direct", "vulkan", "dep"),
    ("llvm", "closure", "vulkan", "rc11"),
    ("amdgpu", "closure", "amdgpu", "dep"),
    ("amdgpu", "direct", "generic", "dep"),
]


@settings(max_examples=60)
@given(programs(FEATURES, reads=4, writes=4), st.sampled_from(UNDER))
def test_the_rule_is_never_contradicted(program: Program, under: tuple[str, str, str, str]) -> None:
    note(program.text)
    model, hb, profile, thin_air = under
    found = reorder(load_text(program.text, "t.ll"), model, hb=hb, profile=profile, thin_air=thin_air)
    for each in found:
        note(str(each.pair))
        assert not each.contradiction


@settings(max_examples=60)
@given(programs(frozenset({"fences", "tags", "scopes"}), reads=4, writes=5), st.sampled_from(UNDER))
def test_a_merged_operation_refines_the_two(program: Program, under: tuple[str, str, str, str]) -> None:
    note(program.text)
    model, hb, profile, thin_air = under
    for each in merge(load_text(program.text, "t.ll"), model, hb=hb, profile=profile, thin_air=thin_air):
        note(str(each.pair))
        assert each.here is None or each.here.refines is not False
        for strong, kept in each.keeping:
            assert not strong or (kept is not None and kept.refines is not False)


def test_each_pair_is_exchanged_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def counted(test: Test, pair: neighbours.Pair) -> Test | None:
        asked.append(pair)
        return exchanged(test, pair)

    exchanged = neighbours.exchanged
    monkeypatch.setattr(neighbours, "exchanged", counted)
    text = "@x = global i32 0\ndefine void @t() {\n fence acquire\n store i32 1, ptr @x\n fence release\n ret void }"
    test = load_text(text, "t.ll")
    assert len(reorder(test)) == 2 and asked == list(pairs(test))


RFC = """; PROFILE: vulkan
@p = global i32 0
@f = global i32 0
define void @t0() {{
  store i32 1, ptr @p
  store atomic i32 1, ptr @f release, align 4
  ret void
}}
define void @t1() {{
  %f = load atomic i32, ptr @f monotonic, align 4
  fence acq_rel, !mmra !0
  %p = load i32, ptr @p, !mmra !{}
  ret void
}}
!0 = !{{!"vulkan", !"nonprivate"}}
!1 = !{{!"vulkan", !"private"}}
"""


@pytest.mark.parametrize(("tag", "allowed"), [(1, True), (0, False)])
def test_a_private_load_moves_above_a_fence(tag: int, allowed: bool) -> None:
    """The example of the RFC: the fence is nonprivate, so a private load may move above it."""
    found = reorder(load_text(RFC.format(tag), "rfc.ll"))[-1]
    assert found.rule.may is allowed
    assert found.here is not None and found.here.refines is (True if allowed else False)
    if allowed:
        assert found.rule.why == "tags vulkan:nonprivate vs :private incompatible"


PRIVATE = """@own = global i32 0
@f = global i32 0
define void @t0() {{
  store atomic i32 1, ptr @f release, align 4
  store i32 2, ptr @own{0}
  ret void
}}
define void @t1() {{
  store i32 1, ptr @own{0}
  store atomic i32 1, ptr @f release, align 4
  ret void
}}
!0 = !{{}}
"""


@pytest.mark.parametrize("private", [True, False])
def test_store_promotion(private: bool) -> None:
    """Scalar promotion sinks a store below a release: only where nobody else looks, and says so."""
    text = PRIVATE.format(", !thread.private !0" if private else "")
    text = text[: text.index("define void @t0")] + text[text.index("define void @t1") :]
    found = reorder(load_text(text, "t.ll"), contexts=2)[0]
    assert found.rule.may is private
    assert found.here is not None
    assert found.here.refines is private  # a context that looks at @own breaks the claim: undefined


CALLED = """@x = global i32 0
@y = global i32 0
define void @t() {
  %r = load i32, ptr @x
  call void @set()
  store i32 1, ptr @y
  ret void
}
define void @set() {
  store i32 2, ptr @x
  ret void
}
"""


def test_what_a_call_stands_between_is_not_adjacent() -> None:
    assert list(pairs(load_text("; THREADS: t=@t()\n" + CALLED, "t.ll"))) == []
    (found,) = pairs(load_text("; THREADS: t=@t()\n" + CALLED.replace("  call void @set()\n", ""), "t.ll"))
    assert str(found) == "t: line 5: load not atomic; line 6: store not atomic"


BUFFER = """; SCOPES: (agent (workgroup t))
; PROFILE: amdgpu
; EXISTS: true
@d = addrspace(1) global [4 x i32] zeroinitializer
define void @t() {
  %p = call ptr addrspace(NUMBER) @llvm.amdgcn.make.buffer.rsrc.pNUMBER.p1(ptr addrspace(1) @d, i16 0, i64 16, i32 0)
  STORE
  fence syncscope("agent") release, !mmra !{!"amdgpu-synchronize-as", !"local"}
  ret void
}
declare ptr addrspace(NUMBER) @llvm.amdgcn.make.buffer.rsrc.pNUMBER.p1(ptr addrspace(1), i16, i64, i32)
declare void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32, ptr addrspace(8), i32, i32, i32)
"""


@pytest.mark.parametrize(
    ("number", "store"),
    [
        ("7", "store i32 1, ptr addrspace(7) %p"),
        ("8", "call void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32 1, ptr addrspace(8) %p, i32 0, i32 0, i32 0)"),
    ],
)
def test_buffers_are_global_memory(number: str, store: str) -> None:
    text = BUFFER.replace("NUMBER", number).replace("STORE", store)
    (found,) = reorder(load_text(text, "t.ll"))
    assert found.rule.may
    assert found.rule.why == "tags amdgpu-synchronize-as:global vs :local incompatible"


def test_atomic_reads_of_a_location_keep_their_order() -> None:
    text = """@x = global i32 0
define void @t0() {
  %a = load atomic i32, ptr @x monotonic, align 4
  %b = load atomic i32, ptr @x monotonic, align 4
  ret void
}
define void @t1() {
  store atomic i32 1, ptr @x monotonic, align 4
  ret void
}
"""
    found = reorder(load_text(text, "t.ll"))[0]
    assert not found.rule.may and found.here is not None and found.here.refines is False
    plain = text.replace("atomic ", "").replace(" monotonic", "")
    found = reorder(load_text(plain, "t.ll"))[0]
    assert found.rule.may and found.here is not None and found.here.refines


def test_a_dependency_is_never_exchanged() -> None:
    text = """@x = global i32 0
@y = global i32 0
define void @t0() {
  %a = load atomic i32, ptr @x monotonic, align 4
  %b = add i32 %a, 1
  %c = add i32 0, 1
  store atomic i32 %b, ptr @y monotonic, align 4
  store atomic i32 %c, ptr @x monotonic, align 4
  ret void
}
"""
    first, second = reorder(load_text(text, "t.ll"))
    assert (first.rule.why, first.here) == ("the second depends on the first", None)
    assert second.rule.may


FENCES = """; SCOPES: (agent (workgroup t0) (workgroup t1))
@p = global i32 0
@f = global i32 0
define void @t0() {{
  store i32 1, ptr @p{tag}
  fence {one}
  fence {other}
  store atomic i32 1, ptr @f monotonic, align 4
  ret void
}}
define void @t1() {{
  %f = load atomic i32, ptr @f acquire, align 4
  %p = load i32, ptr @p
  ret void
}}
!0 = !{{!"foo", !"x"}}
!1 = !{{!"foo", !"y"}}
"""


def test_fences_with_other_orders_scopes_and_tags_are_joined() -> None:
    text = FENCES.format(
        tag=", !mmra !0",
        one='syncscope("workgroup") acquire, !mmra !1',
        other='syncscope("agent") release, !mmra !0',
    )
    found = merge(load_text(text, "t.ll"))[1]
    assert found.merged is not None and found.here is not None and found.here.refines
    note_ = found.merged.annotation
    assert (note_.ordering, note_.scope) == (Ordering.ACQ_REL, Scope.AGENT)
    assert sorted(map(str, note_.tags)) == ["foo:x", "foo:y"]
    (first, kept), (second, also) = found.keeping
    assert not first and not second
    assert kept is not None and kept.refines is False  # the acquire alone orders no store before the flag
    assert also is not None and also.refines is True  # the release alone does, here


def test_av_none_stays_only_if_both_had_it() -> None:
    none = '!{!"amdgcn-av", !"none"}'
    for one, other, kept in ((none, none, True), (none, "", False), ("", none, False)):
        text = FENCES.format(
            tag="",
            one="release" + (f", !mmra {one}" if one else ""),
            other="release" + (f", !mmra {other}" if other else ""),
        )
        found = merge(load_text(text, "t.ll"), "amdgpu", profile="amdgpu")[1]
        assert found.merged is not None and found.here is not None and found.here.refines
        assert ("amdgcn-av:none" in map(str, found.merged.annotation.tags)) is kept


def test_pairs_are_of_one_block() -> None:
    test = load_text(FENCES.format(tag="", one="acquire", other="release"), "t.ll")
    assert [(pair.operations[0].line, pair.operations[1].line) for pair in pairs(test)] == [
        (5, 6),
        (6, 7),
        (7, 8),
        (12, 13),
    ]


def refined(source: str, target: str, profile: str = "generic") -> bool | None:
    pair = (load_text(text, "t.ll") for text in (source, target))
    return refines(*pair, contexts=2, profile=profile, explain=False).refines


TAGGED = """@x = global i32 0
@y = global i32 0
define void @t() {{
  store i32 1, ptr @x, !mmra !1
  fence release{0}
  store atomic i32 1, ptr @y monotonic, align 4
  ret void
}}
!0 = !{{!2, !3}}
!1 = !{{!"foo", !"x"}}
!2 = !{{!"foo", !"x"}}
!3 = !{{!"bar", !"z"}}
!4 = !{{!5, !1}}
!5 = !{{!"foo", !"y"}}
!6 = !{{!"vulkan", !"private"}}
!7 = !{{!"foo", !"y"}}
"""


def test_dropping_all_tags_or_all_of_a_prefix_is_safe() -> None:
    """Semantics, section 2, drop-safety, under a profile that implies no tags."""
    tagged = TAGGED.format(", !mmra !0")
    for dropped in ("", ", !mmra !2", ", !mmra !3"):
        assert refined(tagged, TAGGED.format(dropped)) is True


def test_dropping_one_tag_of_several_with_a_prefix_is_not_safe() -> None:
    both, other = TAGGED.format(", !mmra !4"), TAGGED.format(", !mmra !7")
    assert refined(both, other) is False  # foo:x orders the store, foo:y alone does not
    assert refined(other, both) is True


def test_dropping_is_not_safe_where_the_profile_implies_another_tag() -> None:
    private, plain = (
        TAGGED.format(tag).replace("store i32 1, ptr @x, !mmra !1", "store i32 1, ptr @x, !mmra !6")
        for tag in (", !mmra !6", "")
    )
    assert refined(private, plain) is True  # generic: nothing is implied
    assert refined(private, plain, "vulkan") is False  # the fence is nonprivate then, and does not order the store


def test_combined_tags_keep_what_either_ordered() -> None:
    """Merging two fences into one with the union of their tags refines them; keeping the tags of one does not."""
    two = TAGGED.format(", !mmra !2\n  fence release, !mmra !7")
    assert refined(two, TAGGED.format(", !mmra !4")) is True
    assert refined(two, TAGGED.format("")) is True
    assert refined(two, TAGGED.format(", !mmra !7")) is False


def test_the_rule_is_for_models_of_llvms_family() -> None:
    text = """C lb
{}
P0 (atomic_int *x, atomic_int *y) {
  int r0 = atomic_load_explicit(x, memory_order_relaxed);
  atomic_store_explicit(y, 1, memory_order_relaxed);
}
P1 (atomic_int *x, atomic_int *y) {
  int r0 = atomic_load_explicit(y, memory_order_relaxed);
  atomic_store_explicit(x, 1, memory_order_relaxed);
}
exists (0:r0=1 /\\ 1:r0=1)
"""
    first, _ = reorder(load_text(text, "lb.litmus"))
    assert not first.rule.may and first.rule.why == "the rule is for the models of LLVM's family"
    assert first.here is not None and first.here.refines is False


SLOT = """; EXISTS: true
@x = global i32 0
define void @t0() {{
  %p = alloca [2 x i32]
  %q = getelementptr i32, ptr %p, i64 1
  store i32 1, ptr {}
  %r = load i32, ptr {}
  store i32 %r, ptr @x
  ret void
}}
"""


@pytest.mark.parametrize(("stored", "loaded"), [("%p", "%p"), ("%q", "%q"), ("%p", "@x")])
def test_what_a_stack_slot_holds_keeps_its_order(stored: str, loaded: str) -> None:
    """Accesses of a slot of the stack are no events, but of one place all the same."""
    first = reorder(load_text(SLOT.format(stored, loaded), "slot.ll"), "llvm")[0]
    assert not first.contradiction and first.rule.may is (loaded == "@x")
