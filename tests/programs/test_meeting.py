"""Barriers at which all threads meet that may come to them: no execution for each order in which they arrive."""

from __future__ import annotations

import pytest

from enumerator import check
from enumerator.program.test import Test
from tests.programs.source import outcomes, program

HEAD = """@b = global { i64, [24 x i8] } zeroinitializer
declare i32 @pthread_barrier_destroy(ptr)
"""
THERE = HEAD.replace("zeroinitializer", "{ i64 2, [24 x i8] zeroinitializer }")
WAIT = "  call i32 @pthread_barrier_wait(ptr @b)\n"
ONE_OF_BOTH = """  %r{n} = call i32 @pthread_barrier_wait(ptr @b)
  %p{n} = add i32 %r{n}, 1
  %w{n} = icmp ugt i32 %p{n}, 1
  br i1 %w{n}, label %wrong, label %right{n}
right{n}:
"""


def threads(count: int, body: str, *, members: int | None = None, after: str = "") -> Test:
    """Threads that all run `body`, created by main, which initializes the barrier and joins them."""
    members = count if members is None else members
    made = "".join(f"create t{n} @work()\n" for n in range(count)) + "".join(f"join t{n}\n" for n in range(count))
    return program(
        f"; EXISTS: true\n{HEAD}define ptr @work(ptr %p) {{\n{body}  ret ptr null\nwrong:\n  unreachable\n}}\n"
        f"define i32 @main() {{\n  call i32 @pthread_barrier_init(ptr @b, ptr null, i32 {members})\n"
        f"{made}{after}  ret i32 0\n}}\n"
    )


@pytest.mark.parametrize("model", ("rc11", "sc", "llvm"))
@pytest.mark.parametrize("rounds", (1, 2, 3))
def test_one_execution(rounds: int, model: str) -> None:
    result = check(threads(3, rounds * WAIT, after="  call i32 @pthread_barrier_destroy(ptr @b)\n"), model)
    assert (result.status, result.flags, result.consistent) == ("complete", (), 1)
    assert result.explored <= 4 ** (rounds + 1)  # that a barrier is destroyed is waited for in vain


def test_to_ask_whether_it_is_one_of_both_is_not_to_ask_which() -> None:
    body = ONE_OF_BOTH.format(n=0) + ONE_OF_BOTH.format(n=1)
    result = check(threads(3, body), "rc11")
    assert (result.flags, result.consistent) == ((), 1)


def test_who_is_the_last_counts_where_one_asks() -> None:
    body = """  %r = call i32 @pthread_barrier_wait(ptr @b)
  %last = icmp eq i32 %r, -1
  br i1 %last, label %tidy, label %done
tidy:
  %before = atomicrmw add ptr @x, i32 1 monotonic
  br label %done
done:
"""
    result = check(threads(3, body), "rc11")
    assert (result.flags, result.consistent) == ((), 6)


def test_more_threads_than_meet() -> None:
    """Of three at a barrier for two, one waits for ever: which one, and in which order the others came."""
    result = check(threads(3, WAIT, members=2), "rc11")
    assert result.flags == ("stuck",)
    assert result.consistent == 6


def test_fewer_threads_than_meet_wait_for_ever() -> None:
    result = check(threads(2, WAIT, members=3), "rc11")
    assert result.flags == ("stuck",)


def test_one_that_does_not_come_is_waited_for() -> None:
    body = (
        """  %v = atomicrmw xchg ptr @x, i32 1 monotonic
  %no = icmp eq i32 %v, 1
  br i1 %no, label %done, label %come
come:
"""
        + f"{WAIT}  br label %done\ndone:\n"
    )
    result = check(threads(2, body), "rc11")
    assert (result.status, result.flags) == ("complete", ("stuck",))


@pytest.mark.parametrize("model", ("rc11", "llvm"))
def test_a_round_orders_what_comes_before_it(model: str) -> None:
    """Message passing through a barrier, twice: the second round is not taken for the first one."""
    test = program(
        f"""; FORALL: work:a = 1 /\\ main:c = 2
{HEAD}define ptr @work(ptr %p) {{
{WAIT}  %a = load i32, ptr @x
{WAIT}  store i32 2, ptr @x
{WAIT}  ret ptr null
}}
define i32 @main() {{
  call i32 @pthread_barrier_init(ptr @b, ptr null, i32 2)
create t @work()
  store i32 1, ptr @x
{WAIT}{WAIT}{WAIT}  %c = load i32, ptr @x
  ret i32 0
}}
"""
    )
    result = check(test, model)
    assert (result.observation, result.flags, result.consistent) == ("Always", (), 1)


def test_all_engines_agree() -> None:
    test = program(
        f"""; EXISTS: one:a = 1
{THERE}
define void @one() {{
{WAIT}  %a = load i32, ptr @x
  ret void
}}
define void @two() {{
  store i32 1, ptr @x
{WAIT}  ret void
}}
"""
    )
    for model in ("rc11", "sc"):
        assert outcomes(test, model)[1] == ()
