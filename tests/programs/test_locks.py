"""Mutexes and barriers of POSIX and C threads."""

from __future__ import annotations

import pytest

from enumerator import check
from tests.programs.source import outcomes, program

LOCKED = """
define ptr @work(ptr %p) {
  call i32 @pthread_mutex_lock(ptr @m)
  %v = load i32, ptr @x
  %w = add i32 %v, 1
  store i32 %w, ptr @x
  call i32 @pthread_mutex_unlock(ptr @m)
  ret ptr null
}
"""
MUTEX = "%mutex = type { i32, i32, i32, i32, i64 }\n@m = global %mutex zeroinitializer\n"


@pytest.mark.parametrize("model", ("llvm", "amdgpu", "rc11", "sc", "tso"))
def test_a_mutex_excludes(model: str) -> None:
    test = program(
        MUTEX
        + """; FORALL: @x = 2
define i32 @main() {
create t @work()
create u @work()
  ret i32 0
}
"""
        + LOCKED
    )
    result = check(test, model)
    assert (result.observation, result.flags, result.positive) == ("Always", (), 2)


def test_a_mutex_agrees_in_all_engines() -> None:
    test = program(
        MUTEX
        + """; EXISTS: main:%r = 16
define ptr @work(ptr %p) {
  call i32 @pthread_mutex_lock(ptr @m)
  store i32 1, ptr @x
  call i32 @pthread_mutex_unlock(ptr @m)
  ret ptr null
}
define i32 @main() {
create t @work()
  %r = call i32 @pthread_mutex_trylock(ptr @m)
  ret i32 0
}
"""
    )
    assert outcomes(test)[0] == ["main:%r=0;", "main:%r=16;"]


def test_a_mutex_that_is_held_for_ever() -> None:
    test = program(
        MUTEX
        + """; EXISTS: stuck
define i32 @main() {
create t @work()
  call i32 @pthread_mutex_lock(ptr @m)
  ret i32 0
}
"""
        + LOCKED
    )
    assert check(test).observation == "Sometimes"


def test_a_mutex_that_has_been_destroyed() -> None:
    test = program(
        MUTEX
        + """; EXISTS: true
define i32 @main() {
create t @work()
join t
  call i32 @pthread_mutex_destroy(ptr @m)
  call i32 @pthread_mutex_lock(ptr @m)
  ret i32 0
}
"""
        + LOCKED
    )
    assert "ub-undef" in check(test).flags
    again = program(
        MUTEX
        + """; EXISTS: true
define i32 @main() {
  call i32 @pthread_mutex_destroy(ptr @m)
  call i32 @pthread_mutex_init(ptr @m, ptr null)
create t @work()
join t
  ret i32 0
}
"""
        + LOCKED
    )
    assert check(again).flags == ()


@pytest.mark.parametrize("model", ("llvm", "rc11", "sc"))
def test_a_barrier_orders_its_rounds(model: str) -> None:
    test = program(
        """; FORALL: one:a = 1 /\\ main:b = 2
@b = global { i64, [24 x i8] } zeroinitializer
define ptr @one(ptr %p) {
  call i32 @pthread_barrier_wait(ptr @b)
  %a = load i32, ptr @x
  call i32 @pthread_barrier_wait(ptr @b)
  store i32 2, ptr @x
  call i32 @pthread_barrier_wait(ptr @b)
  ret ptr null
}
define i32 @main() {
  call i32 @pthread_barrier_init(ptr @b, ptr null, i32 2)
create t @one()
  store i32 1, ptr @x
  call i32 @pthread_barrier_wait(ptr @b)
  call i32 @pthread_barrier_wait(ptr @b)
  call i32 @pthread_barrier_wait(ptr @b)
  %b = load i32, ptr @x
  ret i32 0
}
"""
    )
    result = check(test, model)
    assert (result.observation, result.flags) == ("Always", ())


def test_one_thread_of_a_barrier_is_told_so() -> None:
    test = program(
        """; FORALL: one:a = -1 /\\ main:b = 0 \\/ one:a = 0 /\\ main:b = -1
@b = global { i64, [24 x i8] } zeroinitializer
define ptr @one(ptr %p) {
  %a = call i32 @pthread_barrier_wait(ptr @b)
  ret ptr null
}
define i32 @main() {
  call i32 @pthread_barrier_init(ptr @b, ptr null, i32 2)
create t @one()
  %b = call i32 @pthread_barrier_wait(ptr @b)
  ret i32 0
}
"""
    )
    result = check(test)
    assert (result.observation, len(result.states)) == ("Always", 2)
