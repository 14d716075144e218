"""What becomes of the atomic functions, and how accesses are annotated."""

from __future__ import annotations

from pathlib import Path

import pytest

from enumerator import check
from enumerator.program.instructions import (
    CompareExchange,
    Fence,
    Load,
    Ordering,
    ReadModifyWrite,
    Store,
)
from tests.frontend_c.source import body, final, instructions, load, states

ORDERS = {
    "relaxed": Ordering.MONOTONIC,
    "consume": Ordering.MONOTONIC,
    "acquire": Ordering.ACQUIRE,
    "release": Ordering.RELEASE,
    "acq_rel": Ordering.ACQ_REL,
    "seq_cst": Ordering.SEQ_CST,
}


def accesses(code: str, parameters: str = "atomic_int *x, int *y") -> list[object]:
    kinds = (Load, Store, ReadModifyWrite, CompareExchange, Fence)
    return [each for each in instructions(body(code, "", parameters)) if isinstance(each, kinds)]


@pytest.mark.parametrize("order", ORDERS)
def test_orders(order: str) -> None:
    wanted = ORDERS[order]
    (load_,) = accesses(f"int r = atomic_load_explicit(x, memory_order_{order});")
    (store,) = accesses(f"atomic_store_explicit(x, 1, memory_order_{order});")
    (change,) = accesses(f"atomic_fetch_xor_explicit(x, 1, memory_order_{order});")
    for access in (load_, store, change):
        assert access.annotation.ordering == wanted  # type: ignore[attr-defined]
        assert ("CON" in access.annotation.labels) == (order == "consume")  # type: ignore[attr-defined]


def test_without_an_order_functions_are_seq_cst() -> None:
    code = "atomic_load(x); atomic_store(x, 1); atomic_exchange(x, 1); atomic_fetch_and(x, 1); atomic_flag_clear(x);"
    found = accesses(code)
    assert len(found) == 5
    assert {access.annotation.ordering for access in found} == {Ordering.SEQ_CST}  # type: ignore[attr-defined]


@pytest.mark.parametrize("parameter", ["int *x", "atomic_int *x", "_Atomic int *x", "_Atomic(int) *x"])
def test_plain_accesses_are_not_atomic_whatever_the_type(parameter: str) -> None:
    found = accesses("*x = 1; int r = *x;", parameter)
    assert [access.annotation.ordering for access in found] == [Ordering.NA] * 2  # type: ignore[attr-defined]


@pytest.mark.parametrize("parameter", ["volatile int *x", "int volatile *x", "const volatile int x[2]"])
def test_volatile_accesses_are_not_atomic(parameter: str) -> None:
    found = accesses("*x = 1; int r = *x;", parameter)
    assert all(access.annotation.volatile for access in found)  # type: ignore[attr-defined]
    assert {access.annotation.ordering for access in found} == {Ordering.NA}  # type: ignore[attr-defined]


def test_a_volatile_pointer_is_not_a_pointer_to_volatile() -> None:
    (read,) = accesses("int r = *x;", "int *volatile x")
    assert not read.annotation.volatile  # type: ignore[attr-defined]


def test_a_relaxed_fence_does_nothing() -> None:
    assert accesses("atomic_thread_fence(memory_order_relaxed);") == []
    (fence,) = accesses("atomic_thread_fence(memory_order_acq_rel);")
    assert isinstance(fence, Fence) and fence.annotation.ordering == Ordering.ACQ_REL


@pytest.mark.parametrize(
    ("function", "new"), [("add", 13), ("sub", 3), ("or", 13), ("xor", 13), ("and", 0), ("exchange", 5)]
)
def test_read_modify_writes(function: str, new: int) -> None:
    name = "atomic_exchange" if function == "exchange" else f"atomic_fetch_{function}"
    found = final(f"int r = {name}(x, 5);", "int x = 8;")
    assert (found["0:r"], found["[x]"]) == (8, new)


def test_flags() -> None:
    found = final("int a = atomic_flag_test_and_set(f); int b = atomic_flag_test_and_set(f); "
                  "atomic_flag_clear(f); int c = atomic_flag_test_and_set(f);", "", "atomic_flag *f")  # fmt: skip
    assert (found["0:a"], found["0:b"], found["0:c"], found["[f]"]) == (0, 1, 0, 1)


@pytest.mark.parametrize("function", ["atomic_compare_exchange_strong", "SCAS"])
def test_a_strong_exchange_writes_what_it_read_where_it_fails(function: str) -> None:
    found = final(f"int r = {function}(x, y, 7);", "int x = 4; int y = 3;")
    assert (found["0:r"], found["[x]"], found["[y]"]) == (0, 4, 4)
    found = final(f"int r = {function}(x, y, 7);", "int x = 3; int y = 3;")
    assert (found["0:r"], found["[x]"], found["[y]"]) == (1, 7, 3)


@pytest.mark.parametrize("function", ["atomic_compare_exchange_weak", "WCAS"])
def test_a_weak_exchange_may_also_fail_where_the_values_are_equal(function: str) -> None:
    found = states(body(f"int r = {function}(x, y, 7);", "int x = 3; int y = 3;"))
    assert [(state["0:r"], state["[x]"]) for state in found] == [(0, 3), (1, 7)]


def test_accesses_of_a_compare_exchange() -> None:
    read, exchange, write = accesses(
        "atomic_compare_exchange_strong_explicit(x, y, 7, memory_order_acq_rel, memory_order_acquire);"
    )
    assert isinstance(read, Load) and read.annotation.ordering == Ordering.NA
    assert isinstance(write, Store) and write.annotation.ordering == Ordering.NA
    assert isinstance(exchange, CompareExchange)
    assert (exchange.annotation.ordering, exchange.failure) == (Ordering.ACQ_REL, Ordering.ACQUIRE)
    assert read.address == write.address != exchange.address


@pytest.mark.parametrize(("order", "flags"), [("relaxed", ("race",)), ("seq_cst", ())])
def test_what_is_expected_races_as_any_plain_access_does(order: str, flags: tuple[str, ...]) -> None:
    """The exchange that fails writes what the other one read before; seq_cst puts the read first."""
    exchange = f"atomic_compare_exchange_strong_explicit(x, e, 1, memory_order_{order}, memory_order_{order})"
    threads = "".join(f"P{number} (atomic_int *x, int *e) {{ int r0 = {exchange}; }}\n" for number in (0, 1))
    assert check(load(f"C t\n{{}}\n{threads}")).flags == flags


def test_a_pointer_is_exchanged() -> None:
    found = final("int *q = y; int *r = atomic_exchange(p, q); *r = 2;", "int *p = &z;", "int *y, int **p, int *z")
    assert (found["[p]"], found["0:r"], found["[z]"]) == ("y", "z", 2)


def test_consume_is_a_set_of_its_own(tmp_path: Path) -> None:
    model = tmp_path / "sets.cat"
    model.write_text(
        '"sets"\nflag ~empty CON & R & A as consumed\nflag ~empty CON & RLX as relaxed\nflag ~empty RLX & W as other\n'
        "flag ~empty LS | LK | UL as locks\nflag ~empty (I \\ IW) | (IW \\ I) as initial\n"
    )
    code = "int r = atomic_load_explicit(x, memory_order_consume); atomic_store_explicit(x, 1, memory_order_relaxed);"
    test = body(code)
    for engine in ("bitset", "networkx"):
        assert check(test, model=str(model), engine=engine).flags == ("consumed", "other")


@pytest.mark.parametrize(
    ("expression", "open_order"),
    [
        ("atomic_exchange_explicit(x, 1, memory_order_acquire) == 1", [False]),
        ("*y + atomic_load_explicit(x, memory_order_relaxed)", [True, True]),
        ("(*y == 1) + 2", [False]),
    ],
)
def test_operands_that_access_memory(expression: str, open_order: list[bool]) -> None:
    """An access is unsequenced with those of another operand only: one operator alone leaves nothing open."""
    found = accesses(f"int r = {expression};")
    assert [bool(each.annotation.operands) for each in found] == open_order  # type: ignore[attr-defined]
