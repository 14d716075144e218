"""Mutexes and barriers of POSIX and C threads."""

from __future__ import annotations

import pytest

from enumerator import check, engines
from enumerator.program.test import Test
from enumerator.unfold import control, unfold
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
    assert result.consistent == 1  # nobody sees who is the last


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


WAITS = """
declare i32 @pthread_cond_wait(ptr, ptr)
declare i32 @pthread_cond_signal(ptr)
declare i32 @pthread_rwlock_rdlock(ptr)
declare i32 @pthread_rwlock_tryrdlock(ptr)
declare i32 @pthread_rwlock_wrlock(ptr)
declare i32 @pthread_rwlock_trywrlock(ptr)
declare i32 @pthread_rwlock_unlock(ptr)
declare i32 @pthread_once(ptr, ptr)
declare i32 @sem_init(ptr, i32, i32)
declare i32 @sem_wait(ptr)
declare i32 @sem_trywait(ptr)
declare i32 @sem_post(ptr)
declare i32 @pthread_spin_init(ptr, i32)
declare i32 @pthread_spin_lock(ptr)
declare i32 @pthread_spin_unlock(ptr)
%large = type { [7 x i64] }
@c = global %large zeroinitializer
@l = global %large zeroinitializer
"""


@pytest.mark.parametrize(("signals", "flags"), [("  call i32 @pthread_cond_signal(ptr @c)", ()), ("", ("stuck",))])
def test_a_condition_variable_wakes_who_waits(signals: str, flags: tuple[str, ...]) -> None:
    test = program(
        MUTEX
        + WAITS
        + f"""; EXISTS: main:v = 0 \\/ main:v = undef
define ptr @work(ptr %p) {{
  store i32 1, ptr @x
  call i32 @pthread_mutex_lock(ptr @m)
  store i32 1, ptr @y
  call i32 @pthread_mutex_unlock(ptr @m)
{signals}
  ret ptr null
}}
define i32 @main() {{
create t @work()
  call i32 @pthread_mutex_lock(ptr @m)
  br label %look
look:
  %ready = load i32, ptr @y
  %not.yet = icmp eq i32 %ready, 0
  br i1 %not.yet, label %sleep, label %awake
sleep:
  call i32 @pthread_cond_wait(ptr @c, ptr @m)
  br label %look
awake:
  call i32 @pthread_mutex_unlock(ptr @m)
  %v = load i32, ptr @x
  ret i32 0
}}
"""
    )
    for model in ("llvm", "amdgpu", "rc11"):
        result = check(test, model)
        assert (result.observation, result.flags, result.cut) == ("Never", flags, 0)
        assert any("wakes all threads that wait" in note for note in result.notes) is bool(signals)


@pytest.mark.parametrize(("lock", "observation"), [("wrlock", "Never"), ("rdlock", "Always")])
def test_readers_exclude_writers_only(lock: str, observation: str) -> None:
    test = program(
        WAITS
        + f"""; EXISTS: main:busy = 0
define ptr @work(ptr %p) {{
  call i32 @pthread_rwlock_{lock}(ptr @l)
  store atomic i32 1, ptr @x monotonic, align 4
  store atomic i32 2, ptr @x monotonic, align 4
  call i32 @pthread_rwlock_unlock(ptr @l)
  ret ptr null
}}
define i32 @main() {{
create t @work()
  %busy = call i32 @pthread_rwlock_tryrdlock(ptr @l)
  %held = icmp eq i32 %busy, 0
  br i1 %held, label %read, label %done
read:
  %v = load atomic i32, ptr @x monotonic, align 4
  call void @__VERIFIER_assume(i32 %v)
  %one = icmp eq i32 %v, 1
  %is = zext i1 %one to i32
  call void @__VERIFIER_assume(i32 %is)
  ret i32 0
done:
  ret i32 0
}}
"""
    )
    assert check(test, "rc11").observation == observation


def test_a_writer_is_kept_out_while_others_read() -> None:
    test = program(
        WAITS
        + """; EXISTS: main:a = 0 /\\ main:b = 0 /\\ main:c = 16 /\\ main:d = 0 /\\ main:e = 16
define i32 @main() {
  %a = call i32 @pthread_rwlock_tryrdlock(ptr @l)
  %b = call i32 @pthread_rwlock_tryrdlock(ptr @l)
  %c = call i32 @pthread_rwlock_trywrlock(ptr @l)
  call i32 @pthread_rwlock_unlock(ptr @l)
  call i32 @pthread_rwlock_unlock(ptr @l)
  %d = call i32 @pthread_rwlock_trywrlock(ptr @l)
  %e = call i32 @pthread_rwlock_tryrdlock(ptr @l)
  call i32 @pthread_rwlock_unlock(ptr @l)
  call i32 @pthread_rwlock_wrlock(ptr @l)
  ret i32 0
}
"""
    )
    result = check(test)
    assert (result.observation, result.flags) == ("Always", ())


def test_a_semaphore_orders_and_counts() -> None:
    test = program(
        WAITS
        + """; FORALL: main:v = 1 /\\ main:none = -1
define ptr @work(ptr %p) {
  store i32 1, ptr @x
  call i32 @sem_post(ptr @c)
  ret ptr null
}
define i32 @main() {
  call i32 @sem_init(ptr @c, i32 0, i32 0)
create t @work()
  call i32 @sem_wait(ptr @c)
  %v = load i32, ptr @x
  %none = call i32 @sem_trywait(ptr @c)
  ret i32 0
}
"""
    )
    for model in ("llvm", "amdgpu", "rc11"):
        assert (check(test, model).observation, check(test, model).flags) == ("Always", ())


def test_what_is_done_once() -> None:
    test = program(
        WAITS
        + """; FORALL: @x = 1 /\\ main:v = 1
define void @begin() {
  %v = load i32, ptr @x
  %w = add i32 %v, 1
  store i32 %w, ptr @x
  ret void
}
define ptr @work(ptr %p) {
  call i32 @pthread_once(ptr @c, ptr @begin)
  ret ptr null
}
define i32 @main() {
create t @work()
  call i32 @pthread_once(ptr @c, ptr @begin)
  %v = load i32, ptr @x
  ret i32 0
}
"""
    )
    for model in ("llvm", "amdgpu", "rc11"):
        assert (check(test, model).observation, check(test, model).flags) == ("Always", ())


SPINS = {
    "exchange": """
  br label %l
l:
  %old = atomicrmw xchg ptr @l, i32 1 acquire
  %held = icmp ne i32 %old, 0
  br i1 %held, label %l, label %in
""",
    "or": """
  br label %l
l:
  %old = atomicrmw or ptr @l, i32 1 acquire
  %bit = and i32 %old, 1
  %held = icmp ne i32 %bit, 0
  br i1 %held, label %l, label %in
""",
    "test, then exchange": """
  br label %l
l:
  %seen = load atomic i32, ptr @l monotonic, align 4
  %busy = icmp ne i32 %seen, 0
  br i1 %busy, label %l, label %t
t:
  %old = atomicrmw xchg ptr @l, i32 1 acquire
  %held = icmp ne i32 %old, 0
  br i1 %held, label %l, label %in
""",
    "exchange, then test": """
  br label %l
l:
  %old = atomicrmw xchg ptr @l, i32 1 acquire
  %held = icmp ne i32 %old, 0
  br i1 %held, label %spin, label %in
spin:
  %seen = load atomic i32, ptr @l monotonic, align 4
  %busy = icmp ne i32 %seen, 0
  br i1 %busy, label %spin, label %l
""",
    "a function": """
  br label %l
l:
  %got = call i1 @try()
  br i1 %got, label %in, label %l
""",
}
SPUN = """; FORALL: @x = 2
@l = global i32 0
define i1 @try() {{
  %old = atomicrmw xchg ptr @l, i32 1 acquire
  %free = icmp eq i32 %old, 0
  ret i1 %free
}}
define ptr @work(ptr %p) {{{spin}
in:
  %v = load i32, ptr @x
  %w = add i32 %v, 1
  store i32 %w, ptr @x
  store atomic i32 {left}, ptr @l release, align 4
  ret ptr null
}}
define i32 @main() {{
create t @work()
create u @work()
join t
join u
ret i32 0
}}
"""


@pytest.mark.parametrize("model", ("llvm", "amdgpu", "rc11", "sc", "tso"))
@pytest.mark.parametrize("spin", sorted(SPINS))
def test_a_lock_that_is_taken_by_an_exchange(spin: str, model: str) -> None:
    """An attempt that writes what it has read is left out as one that only reads; nothing is cut."""
    result = check(program(SPUN.format(spin=SPINS[spin], left=0)), model)
    assert (result.observation, result.status, result.cut, result.flags) == ("Always", "complete", 0, ())
    held = check(program(SPUN.format(spin=SPINS[spin], left=1)), model)
    assert (held.status, held.cut, held.flags) == ("complete", 0, ("stuck",))


LEFT_TOO_EARLY = """; FORALL: @x = 2
@l = global i32 0
define ptr @work(ptr %p) {
  br label %again
again:
  %pair = cmpxchg ptr @l, i32 0, i32 1 acquire monotonic
  %got = extractvalue { i32, i1 } %pair, 1
  br i1 %got, label %in, label %again
in:
  %v = load i32, ptr @x
  %next = add i32 %v, 1
  store i32 %next, ptr @x
  %new = icmp sgt i32 %v, -1
  br i1 %new, label %good, label %bad
good:
  store atomic i32 0, ptr @l monotonic, align 4
  ret ptr null
bad:
  call void @abort()
  unreachable
}
define i32 @main() {
create t @work()
create u @work()
join t
join u
ret i32 0
}
"""


@pytest.mark.parametrize("model", ("llvm", "amdgpu"))
def test_no_execution_is_no_verdict(model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who is first races with who comes after a lock left too early: it stops at its branch, and then nobody comes."""
    result = check(program(LEFT_TOO_EARLY), model)
    assert (result.consistent, result.flags, result.verdict) == (0, ("ub", "ub-undef"), "Undef")
    monkeypatch.setattr(engines, "undefined_past_branches", lambda request, engine: ({}, "complete"))
    result = check(program(LEFT_TOO_EARLY), model)
    assert (result.consistent, result.observation, result.verdict, result.as_expected) == (
        0,
        "unknown",
        "unknown",
        None,
    )
    assert result.notes[0].startswith("no execution is consistent")


LOCAL = """
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
define ptr @work(ptr %a) {{
  {lock}
  %place = getelementptr i8, ptr %a, i64 40
  %v = load i32, ptr %place
  %next = add i32 %v, 1
  store i32 %next, ptr %place
  {unlock}
  ret ptr null
}}
define i32 @main() {{
  %a = alloca [48 x i8], align 8
  {initial}
create t @work(ptr %a)
create u @work(ptr %a)
join t
join u
  %place = getelementptr i8, ptr %a, i64 40
  %v = load i32, ptr %place
  %right = icmp eq i32 %v, 2
  br i1 %right, label %done, label %wrong
wrong:
  call void @abort()
  unreachable
done:
  ret i32 0
}}
"""

LOCK, UNLOCK = (f"call i32 @pthread_mutex_{what}(ptr %a)" for what in ("lock", "unlock"))
AT_ONCE = "call void @llvm.memset.p0.i64(ptr %a, i8 0, i64 48, i1 false)"


@pytest.mark.parametrize("model", ("llvm", "amdgpu", "rc11"))
@pytest.mark.parametrize(
    ("initial", "lock", "unlock", "flags", "executions"),
    [
        (AT_ONCE, LOCK, UNLOCK, (), 2),
        ("%m = call i32 @pthread_mutex_init(ptr %a, ptr null)\n  %p = getelementptr i8, ptr %a, i64 40\n"
         "  store i32 0, ptr %p", LOCK, UNLOCK, (), 2),
        (AT_ONCE, "", "", ("ub", "ub-undef"), None),
        ("", LOCK, UNLOCK, ("ub", "ub-undef"), None),
    ],
    ids=["by assignment", "by a call", "without the lock", "never"],
)  # fmt: skip
def test_a_lock_that_is_initialized_by_assignment(
    initial: str, lock: str, unlock: str, flags: tuple[str, ...], executions: int | None, model: str
) -> None:
    """The store to the whole object is atomic where the lock keeps its state, and nowhere else."""
    found = check(program(LOCAL.format(initial=initial, lock=lock, unlock=unlock)), model)
    if executions is None and model == "rc11" and not lock:
        assert "race" in found.flags
    else:
        assert found.flags == flags
    if executions is not None:
        assert (found.status, found.consistent) == ("complete", executions)


MUTEXES = ("call i32 @pthread_mutex_lock(ptr @m)", "call i32 @pthread_mutex_unlock(ptr @m)")
READERS = ("call i32 @pthread_rwlock_rdlock(ptr @m)", "call i32 @pthread_rwlock_unlock(ptr @m)")
WRITERS = ("call i32 @pthread_rwlock_wrlock(ptr @m)", "call i32 @pthread_rwlock_unlock(ptr @m)")
LOOKS = """; EXISTS: @seen = 0 /\\ @data = 0
declare i32 @pthread_rwlock_rdlock(ptr)
declare i32 @pthread_rwlock_wrlock(ptr)
declare i32 @pthread_rwlock_unlock(ptr)
@seen = global i32 0
@data = global i32 0
@ready = global i32 0
define ptr @look(ptr %p) {{
  br label %loop
loop:
  {lock}
  %r = load i32, ptr @ready
  {more}
  %unset = icmp eq i32 %r, 0
  br i1 %unset, label %again, label %found
again:
  {unlock}
  br label %loop
found:
  %v = load i32, ptr @data
  store i32 %v, ptr @seen
  {unlock}
  ret ptr null
}}
define ptr @work(ptr %p) {{
  {first}
  {takes}
  store i32 1, ptr @data
  {sets}
  {gives}
  ret ptr null
}}
define i32 @main() {{
create t @look()
create u @work()
  ret i32 0
}}
"""
SETS = "store i32 1, ptr @ready"


def looks(look: tuple[str, str], work: tuple[str, str], more: str = "", first: str = "", sets: str = SETS) -> Test:
    (lock, unlock), (takes, gives) = look, work
    text = LOOKS.format(lock=lock, unlock=unlock, takes=takes, gives=gives, more=more, first=first, sets=sets)
    return program(MUTEX + text)


@pytest.mark.parametrize("model", ("llvm", "amdgpu", "rc11", "sc", "tso"))
@pytest.mark.parametrize(
    ("look", "work"), [(MUTEXES, MUTEXES), (READERS, WRITERS), (WRITERS, WRITERS)], ids=["mutex", "reads", "writes"]
)
def test_who_looks_under_a_lock_waits(look: tuple[str, str], work: tuple[str, str], model: str) -> None:
    """An iteration that takes the lock, looks, and gives it back is as if it had not been."""
    found = check(looks(look, work), model)
    assert (found.status, found.observation, found.flags) == ("complete", "Never", ())
    assert [dict(state.values) for state in found.states] == [{"@seen": 1, "@data": 1}]


@pytest.mark.parametrize("model", ("llvm", "rc11"))
def test_who_looks_under_a_lock_may_do_so_for_ever(model: str) -> None:
    found = check(looks(MUTEXES, MUTEXES, sets=""), model)
    assert (found.status, found.flags, found.states) == ("complete", ("stuck",), ())


@pytest.mark.parametrize("model", ("llvm", "rc11"))
def test_what_is_seen_in_vain_under_a_lock_may_race(model: str) -> None:
    """The data is written before the lock is taken: who has found nothing, but looked at it, races."""
    early = looks(MUTEXES, MUTEXES, more="%early = load i32, ptr @data", first="store i32 1, ptr @data")
    found = check(early, model)
    assert found.status == "complete" and "race" in found.flags
    assert "race" not in check(looks(MUTEXES, MUTEXES, first="store i32 1, ptr @seen"), model).flags


def test_a_lock_that_is_tried_shows_who_looks() -> None:
    """Whether the lock is taken while another thread looks in vain is seen by a try: nothing is left out."""
    tries = "%b = call i32 @pthread_mutex_trylock(ptr @m)\n  store i32 %b, ptr @seen\n"
    tries += "%busy = icmp eq i32 %b, 16\n  br i1 %busy, label %end, label %go\ngo:"
    gives = "call i32 @pthread_mutex_unlock(ptr @m)\n  br label %end\nend:"
    found = check(looks(MUTEXES, (tries, gives)), "rc11")
    assert found.status == "limit" and found.cut > 0


@pytest.mark.parametrize("model", ("llvm", "rc11"))
@pytest.mark.parametrize("more", ["", "%early = load i32, ptr @data"])
def test_looks_in_vain_add_no_outcome(more: str, model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    waits = check(looks(MUTEXES, MUTEXES, more=more), model)
    monkeypatch.setattr(control, "of_rounds", lambda *given: frozenset())
    bounded = check(looks(MUTEXES, MUTEXES, more=more), model, unroll=2)
    assert bounded.cut > 0 and set(bounded.flags) == set(waits.flags)
    mine, theirs = ({tuple(each.values.items()) for each in result.states} for result in (waits, bounded))
    assert mine == theirs


def test_looks_under_a_lock_agree_in_all_engines() -> None:
    lock, unlock = MUTEXES
    test = program(
        MUTEX
        + f"""; EXISTS: @x = 1
define void @t0() {{
  br label %loop
loop:
  {lock}
  %r = load atomic i32, ptr @x monotonic, align 4
  {unlock}
  %unset = icmp eq i32 %r, 0
  br i1 %unset, label %loop, label %done
done:
  ret void
}}
define void @t1() {{
  store atomic i32 1, ptr @x monotonic, align 4
  ret void
}}
"""
    )
    states, flags = outcomes(test, literally=False)
    assert (states, flags) == (["@x=1;"], ())


def test_another_lock_that_is_tried_does_not_matter() -> None:
    tries = "%b = call i32 @pthread_mutex_trylock(ptr @n)\n  %busy = icmp eq i32 %b, 16\n"
    tries += (
        "  br i1 %busy, label %end, label %go\ngo:\n  call i32 @pthread_mutex_unlock(ptr @n)\n  br label %end\nend:"
    )
    (lock, unlock), other = MUTEXES, "@n = global %mutex zeroinitializer\n"
    text = LOOKS.format(lock=lock, unlock=unlock, takes=lock, gives=unlock, more="", first=tries, sets=SETS)
    found = check(program(MUTEX + other + text), "rc11")
    assert (found.status, found.observation, found.flags) == ("complete", "Never", ())


BACKS_OFF = """define void @{name}() {{
  br label %loop
loop:
  %l = call i32 @pthread_mutex_lock(ptr @{first})
  %t = call i32 @pthread_mutex_trylock(ptr @{second})
  %busy = icmp ne i32 %t, 0
  br i1 %busy, label %back, label %both
back:
  {fails}
  %u = call i32 @pthread_mutex_unlock(ptr @{first})
  br label %loop
both:
  %old = load i32, ptr @data
  %new = add i32 %old, 1
  store i32 %new, ptr @data
  %v = call i32 @pthread_mutex_unlock(ptr @{second})
  %w = call i32 @pthread_mutex_unlock(ptr @{first})
  ret void
}}
"""


@pytest.mark.parametrize("model", ("llvm", "rc11"))
@pytest.mark.parametrize("fails", ["", "store atomic i32 1, ptr @failed monotonic, align 4"])
def test_who_tries_a_second_lock_and_backs_off_waits(fails: str, model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who finds that a lock is held gives the other one back, and nobody acts on it; unless that is noted."""
    globals_ = "@n = global %mutex zeroinitializer\n@data = global i32 0\n@failed = global i32 0\n"
    orders = [("t0", "m", "n"), ("t1", "n", "m")]
    threads = [BACKS_OFF.format(name=name, first=one, second=two, fails=fails) for name, one, two in orders]
    test = program(MUTEX + globals_ + "; EXISTS: @data = 2 && (@failed = 0 || @failed = 1)\n" + "".join(threads))
    found = check(test, model)
    assert found.flags == ()
    if fails:
        assert found.status == "limit" and {state.values["@failed"] for state in found.states} == {0, 1}
        return
    assert (found.status, found.observation, found.consistent) == ("complete", "Always", 2)
    monkeypatch.setattr(control, "of_rounds", lambda *given: frozenset())
    bounded = check(test, "rc11", unroll=1)
    assert bounded.cut > 0 and [state.values for state in bounded.states] == [state.values for state in found.states]


@pytest.mark.parametrize("model", ("llvm", "rc11"))
def test_who_tries_again_and_again_waits(model: str) -> None:
    tries = "br label %try\ntry:\n  %b = call i32 @pthread_mutex_trylock(ptr @m)\n"
    tries += "  %busy = icmp ne i32 %b, 0\n  br i1 %busy, label %try, label %got\ngot:\n"
    found = check(looks(MUTEXES, (tries, MUTEXES[1])), model)
    assert (found.status, found.observation, found.flags) == ("complete", "Never", ())


def test_an_attempt_in_a_loop_that_is_not_left_out() -> None:
    """Where no iteration is left out, an attempt at a lock that has failed is one as others are."""
    thread = BACKS_OFF.format(name="t0", first="m", second="n", fails="")
    test = program(MUTEX + "@n = global %mutex zeroinitializer\n@data = global i32 0\n; EXISTS: @data = 1\n" + thread)
    found = unfold(test, undef=False, unroll=1, waits=False).paths[0]
    assert {path.end for path in found} >= {"return", "cut"}


TAKES_SEVERAL = """define void @_ZSt4lockISt5mutexS0_JEEvRT_RT0_DpRT1_(ptr %a, ptr %b) {
  br label %loop
loop:
  %first = phi ptr [ %a, %0 ], [ %second, %back ]
  %second = phi ptr [ %b, %0 ], [ %first, %back ]
  %l = call i32 @pthread_mutex_lock(ptr %first)
  %t = call i32 @pthread_mutex_trylock(ptr %second)
  %busy = icmp ne i32 %t, 0
  br i1 %busy, label %back, label %both
back:
  FAILS
  %u = call i32 @pthread_mutex_unlock(ptr %first)
  br label %loop
both:
  ret void
}
"""
TAKES = """define void @t{number}() {{
  call void @_ZSt4lockISt5mutexS0_JEEvRT_RT0_DpRT1_(ptr @{one}, ptr @{other})
  %old = load i32, ptr @data
  %new = add i32 %old, 1
  store i32 %new, ptr @data
  %v = call i32 @pthread_mutex_unlock(ptr @{other})
  %w = call i32 @pthread_mutex_unlock(ptr @{one})
  ret void
}}
"""


def takes_several(fails: str = "", *more: str) -> Test:
    globals_ = "@n = global %mutex zeroinitializer\n@data = global i32 0\n@failed = global i32 0\n"
    globals_ += "; EXISTS: @data = 2 && (@failed = 0 || @failed = 1)\n"
    threads = [TAKES.format(number=number, one=one, other=other) for number, (one, other) in enumerate(["mn", "nm"])]
    return program(MUTEX + globals_ + TAKES_SEVERAL.replace("FAILS", fails) + "".join([*threads, *more]))


@pytest.mark.parametrize("model", ("llvm", "rc11"))
def test_a_call_that_takes_several_locks_waits_whichever_it_begins_with(model: str) -> None:
    """``std::lock`` of C++ begins with the lock that it has found held; nobody knows that it does."""
    found = check(takes_several(), model)
    assert (found.status, found.observation, found.consistent, found.flags) == ("complete", "Always", 2, ())


def test_a_call_that_takes_several_locks_and_writes_does_not_wait() -> None:
    found = check(takes_several("store atomic i32 1, ptr @failed monotonic, align 4"), "rc11")
    assert found.status == "limit" and {state.values["@failed"] for state in found.states} == {0, 1}


def test_a_call_that_takes_several_locks_is_seen_by_who_acts_on_a_lock_that_is_held() -> None:
    """A try elsewhere that fails says that the call has held the lock for a while: then each attempt is there."""
    tries = "define void @t2() {\n  %t = call i32 @pthread_mutex_trylock(ptr @n)\n  %busy = icmp ne i32 %t, 0\n"
    tries += "  br i1 %busy, label %no, label %yes\nno:\n  store atomic i32 1, ptr @failed monotonic, align 4\n"
    tries += "  ret void\nyes:\n  %u = call i32 @pthread_mutex_unlock(ptr @n)\n  ret void\n}\n"
    found = check(takes_several("", tries), "rc11")
    assert found.status == "limit" and {state.values["@failed"] for state in found.states} == {0, 1}


def test_a_call_that_takes_several_locks_waits_for_ever_for_one_that_is_kept() -> None:
    keeps = "define void @t2() {\n  %l = call i32 @pthread_mutex_lock(ptr @n)\n  ret void\n}\n"
    found = check(takes_several("", keeps), "rc11")
    assert (found.status, found.observation, found.flags) == ("complete", "Always", ("stuck",))
