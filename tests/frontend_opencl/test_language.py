"""What OpenCL tests mean beyond C, and what is wrong with those that are refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from enumerator import check
from enumerator.errors import InputError
from enumerator.frontend import load_text
from enumerator.program.instructions import Barrier, Fence, Instruction, Load, Ordering, Scope, Store
from enumerator.program.test import Test
from tests.refused import assert_cuts_are_told, assert_refused

LITMUS = Path(__file__).resolve().parents[2] / "litmus_tests" / "opencl"
DEVICE = "memory_scope_device"


def written(*code: str, parameters: str = "global atomic_int *x") -> str:
    body = "\n".join(code)
    return f"OPENCL t\n{{ }}\nP0@wg 0, dev 0 ({parameters}) {{\n{body}\n}}\n"


def opencl(*code: str, parameters: str = "global atomic_int *x") -> Test:
    return load_text(written(*code, parameters=parameters), "t.litmus")


def body(*code: str, parameters: str = "global atomic_int *x") -> list[Instruction]:
    blocks = opencl(*code, parameters=parameters).functions["P0"].blocks
    return [each for block in blocks for each in block.body if isinstance(each, Load | Store | Fence | Barrier)]


@pytest.mark.parametrize(
    ("code", "ordering", "scope"),
    [
        ("int r0 = *x;", Ordering.NA, Scope.SINGLETHREAD),
        ("int r0 = atomic_load(x);", Ordering.SEQ_CST, Scope.AGENT),
        ("int r0 = atomic_load_explicit(x, memory_order_acquire);", Ordering.ACQUIRE, Scope.AGENT),
        (
            "int r0 = atomic_load_explicit(x, memory_order_relaxed, memory_scope_work_item);",
            Ordering.MONOTONIC,
            Scope.SINGLETHREAD,
        ),
        (
            "atomic_store_explicit(x, 1, memory_order_release, memory_scope_sub_group);",
            Ordering.RELEASE,
            Scope.WAVEFRONT,
        ),
        (
            "atomic_store_explicit(x, 1, memory_order_seq_cst, memory_scope_all_svm_devices);",
            Ordering.SEQ_CST,
            Scope.SYSTEM,
        ),
    ],
)
def test_scopes(code: str, ordering: Ordering, scope: Scope) -> None:
    (found,) = body(code)
    assert (found.annotation.ordering, found.annotation.scope) == (ordering, scope)  # type: ignore[union-attr]
    assert found.annotation.address_space == 1  # type: ignore[union-attr]


def test_fences_and_barriers() -> None:
    fence, barrier, both = body(
        f"atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_acquire, {DEVICE});",
        "B1: barrier(CLK_GLOBAL_MEM_FENCE);",
        f"B2: work_group_barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE, {DEVICE});",
        f"atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_relaxed, {DEVICE});",
    )
    assert isinstance(fence, Fence) and fence.annotation.labels == {"LOCAL"}
    assert isinstance(barrier, Barrier) and barrier.annotation.labels == {"GLOBAL"}
    assert (barrier.annotation.ordering, barrier.annotation.scope) == (Ordering.ACQ_REL, Scope.WORKGROUP)
    assert isinstance(both, Barrier) and both.annotation.labels == {"GLOBAL", "LOCAL"}
    assert both.annotation.scope == Scope.AGENT and both.instance != barrier.instance


def test_places() -> None:
    text = "OPENCL t\n{ }\n" + "\n".join(
        f"P{number}@{place} () {{ }}"
        for number, place in enumerate(("wg 0, dev 0", "wg 0, dev 1", "sg 0, wg 0, dev 0", "sg 0, wg 0, dev 0"))
    )
    first, second, third, fourth = (load_text(text, "t.litmus").placements[str(n)] for n in range(4))
    assert first.instance(Scope.WORKGROUP) == third.instance(Scope.WORKGROUP) != second.instance(Scope.WORKGROUP)
    assert third.instance(Scope.WAVEFRONT) == fourth.instance(Scope.WAVEFRONT) != first.instance(Scope.WAVEFRONT)
    assert first.instance(Scope.AGENT) != second.instance(Scope.AGENT)


@pytest.mark.parametrize(
    ("parameters", "space", "labels"),
    [
        ("global int *x", 1, {"DECLARED", "NONATOMIC"}),
        ("volatile __local atomic_int *x", 3, {"DECLARED"}),
        ("atomic_int *x", 4, {"DECLARED"}),
        ("local _Atomic int *x", 3, {"DECLARED"}),
    ],
)
def test_declarations(parameters: str, space: int, labels: set[str]) -> None:
    (memory,) = opencl(parameters=parameters).objects
    assert (memory.address_space, memory.labels) == (space, labels)


def test_a_location_is_atomic_where_all_declare_it_so() -> None:
    text = "OPENCL t\n{ }\nP0@wg 0, dev 0 (global int *x) { }\nP1@wg 0, dev 0 (local atomic_int *x) { }\n"
    (memory,) = load_text(text, "t.litmus").objects
    assert memory.labels == {"DECLARED", "NONATOMIC", "GLOBAL", "LOCAL"}


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("OPENCL", 1, 7, "the test has no name: expected OPENCL"),
        ("OPENCL t\n{ }\nP0 (global int *x) { }", 3, 4, "expected '@' and where the work-item runs"),
        ("OPENCL t\n{ }\nP0@dev 0, wg 0 () { }", 3, 4, "expected 'wg'"),
        ("OPENCL t\n{ }\nP0@wg 0 () { }", 3, 9, "expected ','"),
        ("OPENCL t\n{ }\nP0@wg x, dev 0 () { }", 3, 7, "expected the number of the work-group"),
        ("OPENCL t\n(* SCOPES: (agent P0) *)\n{ }\nP0@wg 0, dev 0 () { }", 2, 12, "SCOPES: in OpenCL tests"),
    ],
)
def test_heads_that_are_refused(text: str, line: int, column: int, message: str) -> None:
    assert_refused(text, line, column, message)


@pytest.mark.parametrize(
    ("code", "column", "message"),
    [
        ("barrier(CLK_GLOBAL_MEM_FENCE);", 1, "a barrier has a label"),
        ("L: barrier(CLK_GLOBAL_MEM_FENCE);", 1, "labels are not covered"),
        ("B1: *x = 1;", 5, "expected a call of a barrier behind its label"),
        ("B1: atomic_store(x, 1);", 5, "only a barrier has a label"),
        ("B1: barrier(3);", 13, "expected CLK_GLOBAL_MEM_FENCE or CLK_LOCAL_MEM_FENCE"),
        ("atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_acquire);", 1, "takes a scope"),
        (f"atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, {DEVICE});", 1, "takes 2 arguments"),
        (f"int r0 = atomic_load(x, {DEVICE});", 10, "atomic_load takes no scope"),
        ("int r0 = atomic_load_explicit(x, memory_order_acquire, memory_scope_planet);", 10, "takes 2 arguments"),
        (f"int r0 = {DEVICE};", 10, "a scope"),
    ],
)
def test_code_that_is_refused(code: str, column: int, message: str) -> None:
    assert_refused(written(code), 4, column, message)


def test_c_has_no_labels_scopes_or_places() -> None:
    for code in ("B1: barrier(CLK_GLOBAL_MEM_FENCE);", f"atomic_store_explicit(x, 1, memory_order_release, {DEVICE});"):
        with pytest.raises(InputError):
            load_text(f"C t\n{{ }}\nP0 (atomic_int *x) {{ {code} }}\n", "t.litmus")
    with pytest.raises(InputError, match="expected '\\('"):
        load_text("C t\n{ }\nP0@wg 0, dev 0 (atomic_int *x) { }\n", "t.litmus")


def test_undefined_programs_are_undefined() -> None:
    found = check(load_text((LITMUS / "CL-MP+rlx.litmus").read_text(encoding="utf-8"), "t.litmus"))
    assert str(found.verdict) == "Undef" and "race" in found.flags


def test_any_cut_gives_a_test_or_a_message() -> None:
    assert_cuts_are_told(LITMUS, 7, 5)
