"""Diagnoses name what a program lacks: tests of the corpus, each with the sentence that a user is to read."""

from __future__ import annotations

from pathlib import Path

import pytest

from enumerator import check, load
from enumerator.analysis.classify import classify
from enumerator.analysis.diagnose import diagnose
from enumerator.analysis.execution import rebuild
from enumerator.analysis.gaps import CAUSES
from enumerator.frontend import load_text

CORPUS = Path(__file__).parents[2] / "litmus_tests"

SENTENCES = [
    # a release or an acquire that is missing, or of the wrong kind
    (
        "message-passing/MP+rlx+acq.ll",
        "llvm",
        "the load at line 23 returns undef: "
        "the store at line 14 is monotonic, not a release, and no release fence stands before it",
    ),
    (
        "message-passing/MP+rel+rlx.ll",
        "llvm",
        "the load at line 23 returns undef: "
        "the load at line 19 is monotonic, not an acquire, and no acquire fence stands after it",
    ),
    (
        "fences/MP+fence-acq+fence-acq.ll",
        "llvm",
        "the load at line 24 returns undef: "
        "the acquire fence at line 13 is not a release, as it would have to be before the store at line 14",
    ),
    (
        "fences/MP+fence-rel+fence-acq+unordered-flag.ll",
        "llvm",
        "the load at line 25 returns undef: the store at line 15 is unordered; "
        "what synchronizes is at least monotonic; "
        "the load at line 20 is unordered; what synchronizes is at least monotonic",
    ),
    (
        "message-passing/MP+rlx+rlx.ll",
        "llvm",
        "the load at line 20 returns 0 and not what the store at line 13 wrote: "
        "the store at line 14 is monotonic, not a release, and no release fence stands before it; "
        "the load at line 19 is monotonic, not an acquire, and no acquire fence stands after it",
    ),
    (
        "rmw/CAS+success-monotonic.ll",
        "llvm",
        "the load at line 23 returns undef: "
        "the read-modify-write's load at line 18 is monotonic, not an acquire, and no acquire fence stands after it",
    ),
    (
        "undef/undef+race.ll",
        "llvm",
        "the load at line 18 returns undef: in this execution nothing leads from the store at line 13 to the load "
        "at line 18",
    ),
    # what should come after a read
    (
        "message-passing/MP+reuse+rlx.ll",
        "llvm",
        "the load at line 32 returns undef: not ordered before the store at line 21: "
        "the store at line 33 is monotonic, not a release, and no release fence stands before it; "
        "the load at line 17 is monotonic, not an acquire, and no acquire fence stands after it",
    ),
    (
        "rmw/lock+acq+rlx.ll",
        "llvm",
        "the store at line 18 and the store at line 32 race: "
        "the store at line 19 is monotonic, not a release, and no release fence stands before it",
    ),
    # barriers
    (
        "amdgpu/lds-barrier/LDS-bare-barrier.ll",
        "amdgpu",
        "the load at line 20 returns undef: no release fence stands before the barrier at line 14; "
        "no acquire fence stands after the barrier at line 19",
    ),
    (
        "amdgpu/lds-barrier/LDS-release-missing.ll",
        "amdgpu",
        "the load at line 20 returns undef: no release fence stands before the barrier at line 13",
    ),
    (
        "amdgpu/lds-barrier/LDS-write-then-write-bare.ll",
        "amdgpu",
        "the store at line 13 and the store at line 20 race: no release fence stands before the barrier at line 14; "
        "no acquire fence stands after the barrier at line 19",
    ),
    (
        "amdgpu/lds-barrier/LDS-read-then-write-bare.ll",
        "amdgpu",
        "the load at line 19 returns undef: not ordered before the store at line 14: "
        "no release fence stands before the barrier at line 20; no acquire fence stands after the barrier at line 13",
    ),
    # scopes
    (
        "scopes/MP+fence-wg+cross-wg.ll",
        "llvm",
        "the load at line 25 returns undef: "
        "the release fence at line 14 has scope workgroup, and "
        "the acquire fence at line 21 is in another workgroup (t1)",
    ),
    (
        "scopes/MP+fence-agent+fence-wg+cross-wg.ll",
        "llvm",
        "the load at line 25 returns undef: "
        "the acquire fence at line 21 has scope workgroup, and "
        "the release fence at line 14 is in another workgroup (t0)",
    ),
    (
        "scopes/MP+wg+cross-wg.ll",
        "llvm",
        "the load at line 19 returns undef: "
        "the store at line 14 has scope workgroup, and the load at line 19 is in another workgroup (t1)",
    ),
    (
        "fences/MP+fence-singlethread.ll",
        "llvm",
        "the load at line 26 returns undef: "
        "the release fence at line 15 has scope singlethread, and "
        "the acquire fence at line 22 is in another thread (t1)",
    ),
    (
        "scopes/SB+fence-wg+cross-wg.ll",
        "llvm",
        "the load at line 16 returns 0 and not what the store at line 21 wrote: "
        "the seq_cst fence at line 22 has scope workgroup, and "
        "the seq_cst fence at line 15 is in another workgroup (t0)",
    ),
    (
        "amdgpu/lds-barrier/LDS-wavefront-fences.ll",
        "amdgpu",
        "the load at line 23 returns undef: "
        "the release fence at line 13 has scope wavefront, and "
        "the acquire fence at line 22 is in another wavefront (t1)",
    ),
    # tags
    (
        "amdgpu/lds-barrier/LDS-release-local-acquire-global.ll",
        "amdgpu",
        "the load at line 24 returns undef: the acquire fence at line 23 orders amdgpu-synchronize-as:global only; "
        "the load at line 24 is in addrspace(3), hence amdgpu-synchronize-as:local",
    ),
    (
        "amdgpu/barrier-then-release/grid-lds-barrier.ll",
        "amdgpu",
        "the load at line 37 returns undef: the release fence at line 17 orders amdgpu-synchronize-as:local only; "
        "the store at line 16 is in addrspace(1), hence amdgpu-synchronize-as:global",
    ),
    (
        "private/TP-bridge-fence.ll",
        "llvm",
        "the load at line 24 returns undef: the seq_cst fence at line 13 orders foo:y only; "
        "the store at line 11 is foo:x",
    ),
    # thread-private accesses and one address space
    (
        "private/TP-broken-writer.ll",
        "llvm",
        "the load at line 22 returns undef: "
        "the store at line 11 is marked thread.private, so the store at line 12 does not order it",
    ),
    (
        "private/TP-broken-fence.ll",
        "llvm",
        "the load at line 24 returns undef: "
        "the load at line 24 is marked thread.private, so the acquire fence at line 23 does not order it",
    ),
    (
        "amdgpu/one-as/one-as-release.ll",
        "amdgpu",
        "the load at line 23 returns undef: "
        "the store at line 13 has a -one-as scope, and the store at line 12 goes to another address space",
    ),
    # availability
    (
        "amdgpu/availability/avail-scope-gap.ll",
        "amdgpu",
        "the load at line 39 returns undef: the store at line 14 is never made available beyond its workgroup: "
        "the release fence at line 15 has scope workgroup",
    ),
    (
        "amdgpu/availability/avail-from-av-store-wavefront.ll",
        "amdgpu",
        "the load at line 38 returns undef: the store at line 14 is never made available beyond its wavefront: "
        "that is its own scope, and no wider release follows",
    ),
    (
        "amdgpu/make-available/MA-fence-none.ll",
        "amdgpu",
        "the load at line 24 returns undef: "
        "the release fence at line 13 is marked amdgcn-av:none, so it does not make the store at line 12 available",
    ),
    # visibility
    (
        "amdgpu/make-visible/MV-fence-none.ll",
        "amdgpu",
        "the load at line 24 returns undef: "
        "the acquire fence at line 19 is marked amdgcn-av:none, so it makes nothing visible to the load at line 24",
    ),
    (
        "amdgpu/visibility/vis-step-missing.ll",
        "amdgpu",
        "the load at line 52 returns undef: "
        "the load at line 47 makes visible within its workgroup only, which leaves out the store at line 16",
    ),
    # memory at the end, and a model without undef
    (
        "undef/undef+final-unordered.ll",
        "llvm",
        "@x is undef at the end, as the store at line 11 and the store at line 16 are not ordered: "
        "in this execution nothing leads from the store at line 11 to the store at line 16",
    ),
    (
        "c11/C-MP+rlx+acq.litmus",
        "rc11",
        "the load at line 18 returns 0 and not what the store at line 10 wrote: "
        "the store at line 11 is monotonic, not a release, and no release fence stands before it",
    ),
]


@pytest.mark.parametrize(("path", "model", "sentence"), SENTENCES, ids=[row[0] for row in SENTENCES])
def test_sentence(path: str, model: str, sentence: str) -> None:
    assert sentence in check(load(CORPUS / path), model=model).diagnoses


@pytest.mark.parametrize(
    "path",
    [
        "message-passing/MP+rel+acq.ll",
        "fences/MP+fence-rel+fence-acq.ll",
        "amdgpu/lds-barrier/LDS-barrier.ll",
        "amdgpu/availability/avail-step-by-step.ll",
        "store-buffering/SB+fence+fence.ll",
        "store-buffering/SB+rlx+rlx.ll",
    ],
)
def test_nothing_to_say(path: str) -> None:
    """Of what is ordered, and of stores that nothing in the program means to order."""
    assert check(load(CORPUS / path), model="amdgpu").diagnoses == ()


@pytest.mark.parametrize("model", ["llvm", "amdgpu", "amdgpu-2026"])
@pytest.mark.parametrize("folder", ["amdgpu/visibility", "readings", "undef", "private"])
def test_every_undef_read_has_a_cause(folder: str, model: str) -> None:
    """Wherever the value rule gives undef for lack of order, something is named, and with a known cause."""
    for path in sorted((CORPUS / folder).glob("*.ll"))[::5]:
        result = check(load(path), model=model)
        assert result.question is not None
        request = result.question.request
        for candidate in result.question.candidates(20):
            found = classify(rebuild(request, candidate))
            diagnoses = diagnose(found)
            assert all(gap.cause in CAUSES for diagnosis in diagnoses for gap in diagnosis.gaps)
            assert all(diagnosis.gaps for diagnosis in diagnoses), path
            named = {event for diagnosis in diagnoses if diagnosis.symptom == "undef" for event in diagnosis.events}
            by_rule = {read.read for read in found.undef_reads if read.clause in ("not-ordered", "not-atomic")}
            assert by_rule <= named, path


COUNTED = """; EXISTS: true
declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @pthread_join(i64, ptr)
declare void @abort()
@count = global i32 7
define ptr @work(ptr %unused) {{
  %before = atomicrmw add ptr @count, i32 1 seq_cst
  ret ptr null
}}
define i32 @main() {{
  %t = alloca i64
  %u = alloca i64
  store {atomic} ptr @count{order}, align 4
  call i32 @pthread_create(ptr %t, ptr null, ptr @work, ptr null)
  call i32 @pthread_create(ptr %u, ptr null, ptr @work, ptr null)
  %one = load i64, ptr %t
  call i32 @pthread_join(i64 %one, ptr null)
  %other = load i64, ptr %u
  call i32 @pthread_join(i64 %other, ptr null)
  %count = load atomic i32, ptr @count seq_cst, align 4
  %right = icmp eq i32 %count, 2
  br i1 %right, label %done, label %wrong
wrong:
  call void @abort()
  unreachable
done:
  ret i32 0
}}
"""


@pytest.mark.parametrize("model", ["llvm", "amdgpu"])
def test_an_initial_store_that_is_seen_beside_updates(model: str) -> None:
    plain = check(load_text(COUNTED.format(atomic="i32 0,", order=""), "count.ll"), model)
    assert plain.flags == ("ub", "ub-undef")
    reason = (
        "it may see the store at line 13 of main, which is not atomic, beside the read-modify-write's store at line 7"
    )
    assert any(reason in sentence for sentence in plain.diagnoses)
    atomic = check(load_text(COUNTED.format(atomic="atomic i32 0,", order=" monotonic"), "count.ll"), model)
    assert atomic.flags == ()


SUMMED = """; SCOPES: (agent (workgroup a) (workgroup b) (workgroup r))
; NEVER: r:%n = 2 /\\ ~(r:%v = 2)
@acc = global i32 0
@cnt = global i32 0
define void @a() {
  %o = atomicrmw add ptr @acc, i32 1 syncscope("agent") monotonic, align 4
  %n = atomicrmw add ptr @cnt, i32 1 syncscope("agent") release, align 4
  ret void
}
define void @b() {
  %o = atomicrmw add ptr @acc, i32 1 syncscope("agent") monotonic, align 4
  %n = atomicrmw add ptr @cnt, i32 1 syncscope("agent") release, align 4
  ret void
}
define void @r() {
  %n = load atomic i32, ptr @cnt syncscope("agent") acquire, align 4
  %c = icmp eq i32 %n, 2
  br i1 %c, label %go, label %e
go:
  %v = load i32, ptr @acc, align 4
  br label %e
e:
  ret void
}
"""


def test_a_plain_load_behind_several_updates() -> None:
    """The updates happen before the load; what it lacks is that it is atomic."""
    assert check(load_text(SUMMED, "t.ll"), "llvm").diagnoses == (
        "the load at line 20 returns undef: it is not atomic, and may see the read-modify-write's store at line 6 and"
        " the read-modify-write's store at line 11, of which neither is ordered before the other",
    )


TAKEN = """; SCOPES: (agent (workgroup a) (workgroup b))
; EXISTS: b:%v = undef
@x = global i32 0
@f = global i32 0
define void @a() {
  br label %loop
loop:
  %i = phi i32 [ 1, %0 ], [ %j, %loop ]
  store i32 %i, ptr @x
  store atomic i32 %i, ptr @f syncscope("agent") release, align 4
  %j = add i32 %i, 1
  %c = icmp ult i32 %j, 3
  br i1 %c, label %loop, label %end
end:
  ret void
}
define void @b() {
  %f = load atomic i32, ptr @f syncscope("agent") acquire, align 4
  %is = icmp eq i32 %f, 1
  br i1 %is, label %read, label %end
read:
  %v = load i32, ptr @x
  br label %end
end:
  ret void
}
"""


def test_what_a_loop_does_again_is_numbered() -> None:
    """The store of the first round is ordered, and that of the second is not."""
    told = check(load_text(TAKEN, "t.ll"), "llvm").diagnoses
    assert (
        "the load at line 22 returns undef: in this execution nothing leads from the store at line 9 (the 2nd time) to"
        " the load at line 22"
    ) in told
