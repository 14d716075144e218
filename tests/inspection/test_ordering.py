"""What synchronizing operations order."""

from __future__ import annotations

import pytest

from enumerator.inspection.findings import AccessClass, Status
from enumerator.inspection.flow import Numbering, around
from enumerator.inspection.links import Between, LinkKey, linked
from enumerator.inspection.operations import Kind, Operation, Place
from enumerator.mmra import parse_tags

from .generated import generated, program_order
from .ir import findings, kernel, lines

AROUND = """
  store i32 1, ptr addrspace(1) %g
  store i32 2, ptr addrspace(3) %l
  {}
  %a = load i32, ptr addrspace(1) %g
  %b = load i32, ptr addrspace(3) %l
  %d = load i32, ptr %f
"""


@pytest.mark.parametrize(
    ("operation", "before", "after"),
    [
        ("fence release", {2, 3}, None),
        ("fence acquire", None, {5, 6, 7}),
        ("fence acq_rel", {2, 3}, {5, 6, 7}),
        ("fence seq_cst", {2, 3}, {5, 6, 7}),
        ('fence syncscope("agent") release, !mmra !0', {3}, None),
        ("fence acquire, !mmra !0", None, {6, 7}),
        ("fence acquire, !mmra !1", None, {5, 7}),
        ("fence acq_rel, !mmra !2", {2, 3}, {5, 6, 7}),
        ("store atomic i32 1, ptr %f release, align 4", {2, 3}, None),
        ("store atomic i32 1, ptr %f seq_cst, align 4", {2, 3}, None),
        ("%x = load atomic i32, ptr %f acquire, align 4", None, {5, 6, 7}),
        ("%x = load atomic i32, ptr %f seq_cst, align 4", None, {5, 6, 7}),
        ("%x = atomicrmw add ptr %f, i32 1 acq_rel", {2, 3}, {5, 6, 7}),
        ("%x = atomicrmw add ptr %f, i32 1 release", {2, 3}, None),
        ("%x = cmpxchg ptr %f, i32 1, i32 2 release acquire", {2, 3}, {5, 6, 7}),
        ("%x = cmpxchg ptr %f, i32 1, i32 2 monotonic acquire", None, {5, 6, 7}),
    ],
)
def test_directions_and_tags(operation: str, before: set[int] | None, after: set[int] | None) -> None:
    (found,) = findings(kernel(AROUND.format(operation)), reading="direct")
    assert (found.before.reason == "") == (before is not None)
    assert (found.after.reason == "") == (after is not None)
    assert lines(found.before.with_status(Status.ORDERED)) == (before or set())
    assert lines(found.after.with_status(Status.ORDERED)) == (after or set())
    assert found.before.count == 2 and found.after.count == 3


def test_the_profile_implies_tags() -> None:
    text = kernel(AROUND.format("fence acq_rel, !mmra !0"))
    (generic,) = findings(text, "generic")
    assert lines(generic.before.with_status(Status.ORDERED)) == {2, 3}
    (amdgpu,) = findings(text)
    (left,) = amdgpu.before.with_status(Status.UNORDERED)
    assert lines((left,)) == {2} and not left.access.tags
    assert amdgpu.operation.effective == parse_tags("amdgpu-synchronize-as:local")


def test_monotonic_atomics_do_not_synchronize() -> None:
    assert findings(kernel("  %x = atomicrmw add ptr %f, i32 1 monotonic")) == []


def test_thread_private() -> None:
    body = """
  store i32 1, ptr addrspace(1) %g, !thread.private !3
  store i32 2, ptr addrspace(1) %g
  fence syncscope("SCOPE") release
"""
    (cut,) = findings(kernel(body.replace("SCOPE", "agent")), reading="direct")
    (group,) = cut.before.with_status(Status.UNORDERED)
    assert lines((group,)) == {2}
    assert group.reason == "thread-private accesses are not ordered with synchronizing operations of their thread"
    assert lines(cut.before.with_status(Status.ORDERED)) == {3}
    # In the closure, the store in between undoes the cut.
    (chained,) = findings(kernel(body.replace("SCOPE", "agent")))
    assert lines(chained.before.with_status(Status.THROUGH)) == {2}
    (alone,) = findings(kernel(body.replace("SCOPE", "singlethread")))
    assert alone.before.reason == "scope singlethread orders nothing between threads"


def test_untagged_operations_in_between() -> None:
    body = """
  store i32 1, ptr addrspace(1) %g
  BETWEEN
  fence release, !mmra !0
"""
    for between, status in (
        ("store i32 1, ptr %f", Status.THROUGH),  # flat: no tags
        ("store i32 1, ptr addrspace(3) %l", Status.UNORDERED),
        ("fence acq_rel", Status.THROUGH),
        ("call void @unknown()", Status.UNORDERED),  # nothing is known of it
    ):
        found = findings(kernel(body.replace("BETWEEN", between)))[-1]
        assert lines(found.before.with_status(status)) == {2}, between
        direct = findings(kernel(body.replace("BETWEEN", between)), reading="filtered")[-1]
        assert lines(direct.before.with_status(Status.UNORDERED)) == {2}, between


def test_branches_and_loops() -> None:
    body = """
  store i32 0, ptr addrspace(3) %l
  br i1 %c, label %then, label %else
then:
  store i32 1, ptr addrspace(3) %l
  br label %loop
else:
  fence release
  store i32 2, ptr addrspace(3) %l
  br label %loop
loop:
  store i32 3, ptr addrspace(3) %l
  %x = atomicrmw add ptr addrspace(3) %l, i32 1 acq_rel
  store i32 4, ptr addrspace(3) %l
  br i1 %c, label %loop, label %exit
exit:
  store i32 5, ptr addrspace(3) %l
"""
    fence, update = findings(kernel(body))
    assert lines(fence.before.groups) == {2} and fence.after.count == 5
    assert lines(update.before.groups) == {2, 5, 9, 12, 14}
    assert lines(update.after.groups) == {12, 14, 17}


def test_calls() -> None:
    more = """
define void @nothing(i32 %x) { ret void }
define void @stores(ptr addrspace(1) %g) { store i32 1, ptr addrspace(1) %g ret void }
define void @twice(ptr addrspace(1) %g) { call void @stores(ptr addrspace(1) %g) ret void }
define void @own() { %x = alloca i32, addrspace(5) store i32 1, ptr addrspace(5) %x ret void }
"""
    body = """
  call void @nothing(i32 1)
  call void @twice(ptr addrspace(1) %g)
  call void @unknown()
  %p = call i32 @pure(i32 1)
  call void %f()
  call void @own()
  fence release, !mmra !0
"""
    (found,) = findings(kernel(body, more=more))
    unknown = found.before.with_status(Status.UNKNOWN)
    assert {group.access.what for group in unknown} == {"call @unknown", "indirect call"}
    (store,) = found.before.with_status(Status.UNORDERED)  # what a call of the module does is followed
    assert store.access.what == "store" and found.before.count == 3
    (function,) = findings(kernel(body, more=more, cc=""))  # of a function with callers, calls are as they are
    assert {group.access.what for group in function.before.groups} == {"call @twice", "call @unknown", "indirect call"}


def test_calls_of_very_many_functions_are_put_together() -> None:
    count = 150
    more = "".join(f"declare void @f{n}()\n" for n in range(count))
    body = "".join(f"  call void @f{n}()\n" for n in range(count)) + "  fence release"
    (found,) = findings(kernel(body, more=more))
    assert [(group.access.what, group.count) for group in found.before.groups] == [("call", count)]


def test_private_and_constant_memory_need_no_order() -> None:
    body = """
  %a = alloca i32, addrspace(5)
  store i32 1, ptr addrspace(5) %a
  %flat = addrspacecast ptr addrspace(5) %a to ptr
  store i32 1, ptr %flat
  %c4 = addrspacecast ptr %f to ptr addrspace(4)
  %x = load i32, ptr addrspace(4) %c4
  %y = load i32, ptr addrspace(1) %g, !invariant.load !3
  store i32 1, ptr addrspace(1) %g
  fence release
"""
    (found,) = findings(kernel(body))
    assert found.before.count == 1


# Against the plainest definitions, on generated functions ------------------------------------------------------


@pytest.mark.parametrize("seed", range(150))
def test_around_is_program_order(seed: int) -> None:
    function = generated(seed)
    operations = function.operations
    order = program_order(function)
    numbering = Numbering.of(function)
    shared = [number for number, operation in enumerate(operations) if operation.shared]
    synchronizing = [number for number, operation in enumerate(operations) if operation.synchronizing]
    for number, found in zip(synchronizing, around(function, numbering), strict=True):
        before = {each for bit, each in enumerate(shared) if found.before >> bit & 1}
        after = {each for bit, each in enumerate(shared) if found.after >> bit & 1}
        assert before == {each for each in shared if (each, number) in order and each != number}
        assert after == {each for each in shared if (number, each) in order and each != number}


@pytest.mark.parametrize("seed", range(150))
def test_chains_are_the_closure(seed: int) -> None:
    function = generated(seed)
    operations = function.operations
    shared = [number for number, operation in enumerate(operations) if operation.shared]
    direct = {
        (one, other)
        for one, other in program_order(function)
        if Kind.CALL not in (operations[one].kind, operations[other].kind)
        and linked(LinkKey.of(operations[one]), LinkKey.of(operations[other]))
    }
    closure = set(direct)
    for middle in range(len(operations)):
        closure |= {(a, d) for a, b in closure if b == middle for c, d in closure if c == middle}
    between = Between.of(function)
    synchronizing = [number for number, operation in enumerate(operations) if operation.synchronizing]
    known = [each for each in shared if operations[each].kind is Kind.ACCESS]
    if between is None:
        keys = {number: LinkKey.of(operations[number]) for number in [*synchronizing, *known]}
        assert all(linked(keys[one], keys[other]) for one, other in closure if one in keys and other in keys)
        return
    for number in synchronizing:
        key = LinkKey.of(operations[number])
        before, after = between.before[number].to(key), between.after[number].to(key)
        for bit, each in enumerate(shared):
            if each in known:
                assert bool(before >> bit & 1) == ((each, number) in closure)
                assert bool(after >> bit & 1) == ((number, each) in closure)


def test_classes_tell_apart_what_is_ordered_differently() -> None:
    one = Operation(Kind.ACCESS, "store", Place(1), writes=True)
    assert AccessClass.of(one) == AccessClass.of(Operation(Kind.ACCESS, "store", Place(2), writes=True))
    assert AccessClass.of(one) != AccessClass.of(
        Operation(Kind.ACCESS, "store", Place(1), writes=True, thread_private=True)
    )


ONE_AS = """
@x = addrspace(1) global i32 0
@l = addrspace(3) global i32 0
define void @t0() {
  store i32 1, ptr addrspace(1) @x
  store i32 1, ptr addrspace(3) @l
  store atomic i32 1, ptr addrspace(3) @l syncscope("workgroup-one-as") release, align 4
  ret void
}
"""


@pytest.mark.parametrize("profile", ["generic", "strict"])
def test_one_as_scopes_order_one_address_space(profile: str) -> None:
    (found,) = findings(ONE_AS, profile, reading="direct")
    (other,) = found.before.with_status(Status.UNORDERED)
    assert lines((other,)) == {5} and lines(found.before.with_status(Status.ORDERED)) == {6}
    assert other.reason == "an atomic access with a -one-as scope is not ordered with accesses of other address spaces"
