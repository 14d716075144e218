"""Programs that are grown without undef first: when that tells, and that nothing else is found then."""

from __future__ import annotations

from pathlib import Path

import pytest

from enumerator import check, load
from enumerator.cat.typing import select
from enumerator.frontend import load_text
from enumerator.mmra import load_profile
from enumerator.request import Outcomes, Request
from enumerator.search import growing
from enumerator.search.bitset import enumerate_test
from enumerator.search.races import race_free, with_values
from enumerator.search.session import Session
from enumerator.search.tuning import Tuning
from tests.programs.source import program
from tests.search.generated import Tune

TESTS = Path(__file__).parents[2] / "litmus_tests"
LLVM = ["llvm", "amdgpu"]


@pytest.mark.parametrize("model", LLVM)
@pytest.mark.parametrize(
    ("name", "executions"),
    [
        ("algorithms/program-mutex.ll", 6),
        ("algorithms/program-condition.ll", 2),
        ("algorithms/program-ticket-lock.ll", 2),
        ("algorithms/program-double-checked.ll", 4),
        ("waiting/spin-lock+exchange.ll", 2),
    ],
)
def test_plain_data_in_locks(name: str, executions: int, model: str, tune: Tune) -> None:
    """Of programs without races nothing is explored but what there is."""
    tune(symmetry=False)
    found = check(load(TESTS / name), model)
    assert (found.consistent, found.explored) == (executions, executions)


FLAG = """; EXISTS: true
@data = global i32 0
@flag = global i32 0
define void @writer() {{
  store i32 1, ptr @data
  store atomic i32 1, ptr @flag {release}, align 4
  ret void
}}
define void @reader() {{
entry:
  br label %wait
wait:
  %f = load atomic i32, ptr @flag acquire, align 4
  %set = icmp eq i32 %f, 1
  br i1 %set, label %go, label %wait
go:
  {read}
  ret void
}}
declare void @llvm.assume(i1)
"""
READ = "%r = load i32, ptr @data"
EXCHANGE = "%r = load i32, ptr @data\n  %p = cmpxchg ptr @flag, i32 %r, i32 2 monotonic monotonic"
READS = {
    "read": READ,
    "freeze": f"{READ}\n  %z = freeze i32 %r",
    "exchange": EXCHANGE,
    "branch": f"{READ}\n  %c = icmp eq i32 %r, 1\n  br i1 %c, label %end, label %wait\nend:",
    "stuck": f"{READ}\n  br label %forever\nforever:\n  %g = load atomic i32, ptr @flag monotonic, align 4\n"
    "  %c = icmp eq i32 %g, 2\n  br i1 %c, label %end, label %forever\nend:",
}


def asked(read: str, release: str, model: str) -> Request:
    test = load_text(FLAG.format(read=READS[read], release=release), "flag.ll")
    return Request(test, select(model, (), {}), load_profile("generic"), ("@data", "@flag"), unroll=1)


def told(request: Request, monkeypatch: pytest.MonkeyPatch) -> tuple[Outcomes, list[bool]]:
    """Grow a request; give also whether the search without undef told."""
    by_values: list[bool] = []

    def watched(request: Request, outcomes: Outcomes) -> Outcomes | None:
        found = race_free(request, outcomes)
        by_values.append(found is not None)
        return found

    monkeypatch.setattr(growing, "race_free", watched)
    return enumerate_test(request, Session(Tuning(grow_from=0))), by_values


@pytest.mark.parametrize("model", LLVM)
@pytest.mark.parametrize("read", sorted(READS))
@pytest.mark.parametrize("release", ["release", "monotonic"])
def test_when_values_tell(read: str, release: str, model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """They do if nothing races; in each case the outcomes are those of paths that are listed with undef."""
    request = asked(read, release, model)
    found, by_values = told(request, monkeypatch)
    assert by_values == [release == "release"]
    listed = enumerate_test(request, Session(Tuning(grow_from=-1)))
    assert (found.states, found.flags, found.consistent) == (listed.states, listed.flags, listed.consistent)


ASSUMED = (
    READ
    + """
  %e = icmp eq i32 %r, 1
  call void @llvm.assume(i1 %{held})"""
)
REFUSED = """; EXISTS: true
@data = global i32 0
@flag = global i32 0
define void @writer() {
  store i32 1, ptr @data
  store atomic i32 1, ptr @flag release, align 4
  ret void
}
define void @reader() {
  %f = load atomic i32, ptr @flag ORDER, align 4
  %set = icmp eq i32 %f, 1
  %r = load i32, ptr @data
  %z = freeze i32 %r
  call void @llvm.assume(i1 %set)
  ret void
}
declare void @llvm.assume(i1)
"""


@pytest.mark.parametrize("model", LLVM)
@pytest.mark.parametrize("held", ["e", "set"])
@pytest.mark.parametrize("release", ["release", "monotonic"])
def test_assumptions(release: str, held: str, model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of what is read, or before it: the values tell as much."""
    monkeypatch.setitem(READS, "assumed", ASSUMED.format(held=held))
    request = asked("assumed", release, model)
    found, by_values = told(request, monkeypatch)
    assert by_values == [release == "release"]
    listed = enumerate_test(request, Session(Tuning(grow_from=-1)))
    assert (found.states, found.flags, found.consistent) == (listed.states, listed.flags, listed.consistent)


WRITES_AFTER_A_READ = """; EXISTS: true
@x = global i32 0
@y = global i32 0
define void @writer() {
  br label %loop
loop:
  %h = load atomic i32, ptr @y monotonic, align 4
  %again = icmp eq i32 %h, 1
  br i1 %again, label %loop, label %on
on:
  store i32 1, ptr @x
  ret void
}
define void @reader() {
  %v = load i32, ptr @x
  %c = icmp eq i32 %v, VALUE
  call void @llvm.assume(i1 %c)
  ret void
}
declare void @llvm.assume(i1)
"""


@pytest.mark.parametrize("model", LLVM)
@pytest.mark.parametrize("value", [0, 1, 2])
def test_assumptions_that_refuse_what_is_there_before_a_write(value: int, model: str) -> None:
    """The read is undef in all executions, although none is left when the other thread comes to its write."""
    found = check(load_text(WRITES_AFTER_A_READ.replace("VALUE", str(value)), "after.ll"), model)
    assert (found.states, set(found.flags)) == ((), {"ub", "ub-undef"})


@pytest.mark.parametrize("model", LLVM)
@pytest.mark.parametrize(("order", "by_values"), [("acquire", []), ("monotonic", [False])])
def test_races_that_assumptions_refuse(
    order: str, by_values: list[bool], model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An execution that does not count may have the only race: then undef is searched for."""
    test = load_text(REFUSED.replace("ORDER", order), "refused.ll")
    request = Request(test, select(model, (), {}), load_profile("generic"), ("@data", "@flag"))
    found, told_by_values = told(request, monkeypatch)
    assert told_by_values == by_values
    listed = enumerate_test(request, Session(Tuning(grow_from=-1)))
    assert (found.states, found.flags, found.consistent) == (listed.states, listed.flags, listed.consistent)


TRIED_ONCE = """; EXISTS: @data = 3
@lock = global i32 0
@data = global i32 0
declare void @llvm.assume(i1)
define void @add() {
  %p = cmpxchg ptr @lock, i32 0, i32 1 acquire monotonic
  %taken = extractvalue { i32, i1 } %p, 1
  call void @llvm.assume(i1 %taken)
  %old = load i32, ptr @data
  %new = add i32 %old, 1
  store i32 %new, ptr @data
  store atomic i32 0, ptr @lock release, align 4
  ret void
}
; THREADS: a=@add() b=@add() c=@add()
"""


@pytest.mark.parametrize("model", LLVM)
def test_a_lock_that_each_is_assumed_to_take(model: str, tune: Tune) -> None:
    """What is refused is grown, too, as it may race; each of six orders counts."""
    tune(symmetry=False, grow_from=0)
    found = check(load_text(TRIED_ONCE, "tried-once.ll"), model)
    assert (found.consistent, found.flags, found.verdict) == (6, (), "Ok")
    assert found.explored == 24


def test_not_where_a_model_has_no_undef() -> None:
    request = asked("read", "release", "llvm")
    assert with_values(request) is not None
    assert with_values(Request(request.test, select("rc11", (), {}), request.profile, request.names)) is None


INDIRECT = """; EXISTS: true
; THREADS: a=@t() b=@t() c=@t()
@once = global i32 0
@data = global i32 0
define void @fill() {
  store i32 42, ptr @data
  ret void
}
define void @call(ptr %f) {
  %p = cmpxchg ptr @once, i32 0, i32 1 acq_rel acquire
  %first = extractvalue { i32, i1 } %p, 1
  br i1 %first, label %do, label %wait
do:
  call void %f()
  store atomic i32 2, ptr @once release, align 4
  ret void
wait:
  %s = load atomic i32, ptr @once acquire, align 4
  %done = icmp eq i32 %s, 2
  br i1 %done, label %end, label %wait
end:
  ret void
}
define void @t() {
  call void @call(ptr @fill)
  %r = load i32, ptr @data
  ret void
}
"""


@pytest.mark.parametrize("model", LLVM)
def test_a_function_that_is_called_once(model: str, tune: Tune) -> None:
    """What a call through a pointer may write is what the function writes that the pointer is of."""
    tune(symmetry=False)
    found = check(load_text(INDIRECT, "once.ll"), model)
    assert (found.consistent, found.explored, found.cut, found.flags) == (12, 12, 0, ())


AGAIN = """; EXISTS: true
@l = global i32 0
@c = global i32 0
define void @count() {
  br label %begin
begin:
  %i = phi i32 [ 0, %0 ], [ %next, %inside ]
  br label %wait
wait:
  %taken = atomicrmw xchg ptr @l, i32 1 acquire
  %free = icmp eq i32 %taken, 0
  br i1 %free, label %inside, label %wait
inside:
  %r = load i32, ptr @c
  %s = add i32 %r, 1
  store i32 %s, ptr @c
  store atomic i32 0, ptr @l release, align 4
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, ROUNDS
  br i1 %more, label %begin, label %end
end:
  ret void
}
; THREADS: a=@count() b=@count()
"""


@pytest.mark.parametrize(("rounds", "executions"), [(2, 6), (3, 20)])
@pytest.mark.parametrize("model", LLVM)
def test_a_lock_that_is_taken_again(model: str, rounds: int, executions: int, tune: Tune) -> None:
    """Only the last read before an attempt to take the lock is half of that; those of the plain data are of none."""
    tune(symmetry=False)
    found = check(load_text(AGAIN.replace("ROUNDS", str(rounds)), "again.ll"), model)
    assert (found.consistent, found.explored, found.cut, found.flags) == (executions, executions, 0, ())


def test_undefined_behaviour_decides(tune: Tune) -> None:
    """The search ends soon after the first branch on undef where only the verdict is asked for, and soon without that.

    A read that has taken a value is refused as soon as it certainly returns undef, whatever is written later.
    """
    text = AGAIN.replace("ROUNDS", "3").replace("i32 0, ptr @l release", "i32 0, ptr @l monotonic")
    text = text.replace("[ %next, %inside ]", "[ %next, %leave ]").replace(
        "  %s = add", "  %big = icmp ugt i32 %r, 9\n  br i1 %big, label %end, label %leave\nleave:\n  %s = add"
    )
    tune(symmetry=False)
    whole, first = (check(load_text(text, "weak.ll"), "llvm", first=first) for first in (False, True))
    assert (whole.verdict, first.verdict) == ("Undef", "Undef")
    assert first.explored is not None and whole.explored is not None
    assert first.explored <= whole.explored == 12 and whole.consistent == 6


LISTS = """; EXISTS: true
@nodes = global [4 x i64] zeroinitializer
@locks = global [2 x i32] zeroinitializer
@heads = global [2 x ptr] zeroinitializer
@count = global [2 x i32] zeroinitializer
@next = global [2 x i64] [i64 1, i64 0]
define void @insert(i64 %list) {
  %lock = getelementptr i32, ptr @locks, i64 %list
  br label %wait
wait:
  %taken = atomicrmw xchg ptr %lock, i32 1 acquire
  %free = icmp eq i32 %taken, 0
  br i1 %free, label %inside, label %wait
inside:
  %counted = getelementptr i32, ptr @count, i64 %list
  %number = load i32, ptr %counted
  %more = add i32 %number, 1
  store i32 %more, ptr %counted
  %head = getelementptr ptr, ptr @heads, i64 %list
  %first = load ptr, ptr %head
  %empty = icmp eq ptr %first, null
  br i1 %empty, label %put, label %link
link:
  store i64 7, ptr %first
  br label %put
put:
  %index = sext i32 %number to i64
  %half = mul i64 %list, 2
  %place = add i64 %half, %index
  %node = getelementptr i64, ptr @nodes, i64 %place
  store ptr %node, ptr %head
  store atomic i32 0, ptr %lock release, align 4
  ret void
}
define void @t0() {
  call void @insert(i64 0)
  %next = load i64, ptr @next
  call void @insert(i64 %next)
  ret void
}
define void @t1() {
  call void @insert(i64 1)
  %next = load i64, ptr getelementptr (i64, ptr @next, i64 1)
  call void @insert(i64 %next)
  ret void
}
"""


@pytest.mark.parametrize("model", LLVM)
def test_lists_in_locks(model: str) -> None:
    """No plain read waits for what comes after it: it would race with that, as nothing is open before it."""
    found = check(load_text(LISTS, "lists.ll"), model)
    assert (found.status, found.consistent, found.explored, found.flags) == ("complete", 3, 4, ())


COUNTED = """; EXISTS: true
@n = global i32 5
@x = global i32 0
@lock = global i32 0
define void @count() {
  br label %wait
wait:
  %taken = atomicrmw xchg ptr @lock, i32 1 acquire
  %free = icmp eq i32 %taken, 0
  br i1 %free, label %inside, label %wait
inside:
  store i32 5, ptr @n
  br label %loop
loop:
  %i = phi i32 [ 0, %inside ], [ %next, %loop ]
  %a = load i32, ptr @x
  %b = add i32 %a, 1
  store i32 %b, ptr @x
  %next = add i32 %i, 1
  %most = load i32, ptr @n
  %more = icmp ult i32 %next, %most
  br i1 %more, label %loop, label %leave
leave:
  store atomic i32 0, ptr @lock release, align 4
  ret void
}
define void @t0() {
  call void @count()
  ret void
}
define void @t1() {
  call void @count()
  ret void
}
"""


@pytest.mark.parametrize("model", LLVM)
def test_a_higher_bound_comes_before_undef(model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Executions that are cut, none of which has a race, are grown on before any read may return undef."""
    searches, search = [], growing._Search._search

    def noted(self: growing._Search) -> Outcomes:
        searches.append(self._values)
        return search(self)

    monkeypatch.setattr(growing._Search, "_search", noted)
    found = check(load_text(COUNTED, "counted.ll"), model)
    assert (found.status, found.consistent, found.explored, found.cut, found.flags) == ("complete", 2, 1, 0, ())
    assert searches == [True, True]


LIST = """; EXISTS: true
define ptr @look(ptr %key) {
entry:
  call i32 @pthread_mutex_lock(ptr @lock)
  br label %next
next:
  %place = phi ptr [ @head, %entry ], [ %node, %next ]
  %node = load ptr, ptr %place
  %last = icmp eq ptr %node, null
  br i1 %last, label %done, label %next
done:
  call i32 @pthread_mutex_unlock(ptr @lock)
  ret ptr null
}
define i32 @main() {
  store ptr @one, ptr @head
  %first = load ptr, ptr @head
  store ptr @two, ptr %first
create a @look()
create b @look()
create c @look()
WRITES
  ret i32 0
}
@lock = global [40 x i8] zeroinitializer
@head = global ptr null
@one = global ptr null
@two = global ptr null
"""


UNDER_LOCK = """
  call i32 @pthread_mutex_lock(ptr @lock)
  store ptr null, ptr %first
  call i32 @pthread_mutex_unlock(ptr @lock)"""


@pytest.mark.parametrize("model", LLVM)
@pytest.mark.parametrize("writes", ["", UNDER_LOCK], ids=["before", "after"])
def test_a_list_that_is_filled_before_threads_are_created(model: str, writes: str, tune: Tune) -> None:
    """What `main` writes through a pointer before is known, and may not have been to the lock."""
    tune(symmetry=False)
    found = check(program(LIST.replace("WRITES", writes)), model)
    assert (found.status, found.flags) == ("complete", ())
    assert found.explored == found.consistent == (24 if writes else 6)


BITS = """; EXISTS: @x = 1
; SCOPES: (system (agent (workgroup (wavefront t0)) (workgroup (wavefront t1)) (workgroup (wavefront t2))))
@x = global i32 0
"""
TAKES_A_BIT = """define void @t{number}() {{
  br label %one
one:
  %first = atomicrmw or ptr @x, i32 1 syncscope("workgroup") monotonic, align 4
  %first.bit = and i32 %first, 1
  %first.free = icmp eq i32 %first.bit, 0
  br i1 %first.free, label %done, label %other
other:
  %second = atomicrmw or ptr @x, i32 2 syncscope("workgroup") monotonic, align 4
  %second.bit = and i32 %second, 2
  %second.free = icmp eq i32 %second.bit, 0
  br i1 %second.free, label %done, label %one
done:
  ret void
}}
"""


@pytest.mark.parametrize("model", LLVM)
def test_where_no_execution_has_values(model: str) -> None:
    """Three workgroups take bits by updates of a scope too small: each reads undef, and no part of them has values."""
    text = BITS + "".join(TAKES_A_BIT.format(number=number) for number in range(3))
    found = check(load_text(text, "bits.ll"), model)
    assert (found.status, found.verdict, found.flags) == ("complete", "Undef", ("ub", "ub-undef"))
