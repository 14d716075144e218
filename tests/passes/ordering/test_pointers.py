"""Alias analysis: what is told apart, and what must not be."""

from __future__ import annotations

import pytest

from tests.passes.ordering.written import run, waits

TYPES = "%S = type { i32, [2 x i32] }\n@s = global %S zeroinitializer\n@same = alias i32, ptr @x\n"


def conflict(first: str, second: str, parameters: str = "", before: str = "") -> bool:
    """Whether the pass orders a store to one address before a store to another."""
    body = f"{before}\nstore i32 1, ptr {first}\nstore i32 2, ptr {second}\nret void"
    return "=1" in waits(run("alias", body, parameters, TYPES))["=2"]


@pytest.mark.parametrize(
    ("first", "second", "parameters", "expected"),
    [
        ("@x", "@x", "", True),
        ("@x", "@y", "", False),
        ("@x", "@same", "", True),
        ("@x", "%p", "ptr %p", True),
        ("%p", "%q", "ptr %p, ptr %q", True),
        ("%p", "%q", "ptr noalias %p, ptr %q", False),
        ("@x", "%p", "ptr noalias %p", False),
        ("%p", "%p", "ptr noalias %p", True),
        ("@a", "getelementptr (i8, ptr @a, i64 4)", "", False),
        ("@a", "getelementptr (i8, ptr @a, i64 3)", "", True),
        ("getelementptr (%S, ptr @s, i64 0, i32 1)", "@s", "", False),
        ("inttoptr (i64 8 to ptr)", "@x", "", True),
        ("null", "@x", "", True),
    ],
)
def test_addresses(first: str, second: str, parameters: str, expected: bool) -> None:
    assert conflict(first, second, parameters) is expected
    assert conflict(second, first, parameters) is expected


@pytest.mark.parametrize(
    ("before", "first", "second", "expected"),
    [
        ("%l = alloca i32\n%m = alloca i32", "%l", "%m", False),
        ("%l = alloca i32", "%l", "@x", False),
        ("%l = alloca i32", "%l", "%p", False),  # a caller cannot know it
        ("%l = alloca i32\nstore ptr %l, ptr @x\n%k = load ptr, ptr @x", "%l", "%k", True),
        ("%k = load ptr, ptr %p", "%k", "@x", True),
        ("%k = load ptr, ptr %q", "%k", "%q", True),
        ("%k = select i1 %c, ptr @x, ptr @y", "%k", "@x", True),
        ("%k = select i1 %c, ptr @x, ptr @y", "%k", "@a", False),
        ("%k = select i1 %c, ptr @x, ptr %p", "%k", "@a", True),
        ("%k = getelementptr i32, ptr %p, i64 1", "%k", "%p", False),
        ("%k = getelementptr i32, ptr %p, i64 %n", "%k", "%p", True),
        ("%k = getelementptr i32, ptr @a, i64 %n", "%k", "@x", False),
        ("%k = getelementptr %S, ptr @s, i64 0, i32 1, i64 1", "%k", "getelementptr (i8, ptr @s, i64 4)", False),
        ("%k = getelementptr %S, ptr @s, i64 0, i32 1, i64 1", "%k", "getelementptr (i8, ptr @s, i64 8)", True),
        ("%k = load ptr, ptr %p\n%n1 = getelementptr i32, ptr %k, i64 1", "%k", "%n1", False),
        ("%i = ptrtoint ptr @x to i64\n%k = inttoptr i64 %i to ptr", "%k", "@x", True),
    ],
)
def test_registers(before: str, first: str, second: str, expected: bool) -> None:
    parameters = "ptr %p, ptr noalias %q, i1 %c, i64 %n"
    assert conflict(first, second, parameters, before) is expected
    assert conflict(second, first, parameters, before) is expected


def test_a_pointer_that_moves_around_a_loop_meets_its_neighbours() -> None:
    """``%p`` and ``%p + 4`` are apart in each round, but the next round's ``%p`` is this round's ``%p + 4``."""
    body = """
    entry:
      %start = load ptr, ptr @a
      br label %loop
    loop:
      %p = phi ptr [ %start, %entry ], [ %next, %loop ]
      %next = getelementptr i32, ptr %p, i64 1
      store i32 1, ptr %p
      store i32 2, ptr %next
      br i1 %c, label %loop, label %done
    done:
      ret void
    """
    found = waits(run("alias", body, "i1 %c"))
    assert "=1" in found["=2"] and "=2" in found["=1"]


def test_a_value_that_is_loaded_again_in_each_round_is_another() -> None:
    body = """
    entry:
      br label %loop
    loop:
      %p = load ptr, ptr %q
      %next = getelementptr i32, ptr %p, i64 1
      store i32 1, ptr %p
      store i32 2, ptr %next
      br i1 %c, label %loop, label %done
    done:
      ret void
    """
    found = waits(run("alias", body, "i1 %c, ptr %q"))
    assert "=1" in found["=2"] and "=2" in found["p"] and "p" in found["=1"]


@pytest.mark.parametrize(
    ("pointer", "ordered"),
    [
        ("@table", False),
        ("getelementptr (i8, ptr @table, i64 4)", False),
        ("%t", False),
        ("%k", False),
        ("%m", True),
        ("@x", True),
    ],
)
def test_loads_of_constant_memory_are_not_ordered(pointer: str, ordered: bool) -> None:
    body = f"""
      %t = getelementptr i32, ptr @table, i32 %n
      %k = select i1 %c, ptr %t, ptr @table
      %m = select i1 %c, ptr %t, ptr @x
      %v = load i32, ptr {pointer}
      ret void
    """
    assert ("v" in waits(run("alias", body, "i1 %c, i32 %n"))) is ordered
