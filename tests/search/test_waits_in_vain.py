"""Waits that nobody serves: a read waits only if somebody may write what it waits for."""

from __future__ import annotations

import random

import pytest

from enumerator import check
from enumerator.frontend import load_text
from tests.generated.amounts import examples
from tests.search.generated import Tune

LOCKS = """@mutexes = global [3 x [40 x i8]] zeroinitializer
@ids = global [3 x i32] [i32 0, i32 1, i32 2]
@x = global i32 0
@y = global i32 0
declare i32 @pthread_mutex_lock(ptr)
declare i32 @pthread_mutex_unlock(ptr)
"""


def locking_thread(chance: random.Random, name: str) -> str:
    """A thread that takes one or two of three mutexes, by constant or by what it has read, and counts in between."""
    lines, held = list[str](), list[str]()
    for number in sorted(chance.sample(range(3), chance.choice([1, 1, 2]))):
        index = f"{number}"
        if chance.random() < 0.4:
            lines += [f"%id{number} = getelementptr [3 x i32], ptr @ids, i64 0, i64 {number}"]
            lines += [f"%n{number} = load i32, ptr %id{number}"]
            index = f"%n{number}"
        lines.append(f"%m{number} = getelementptr [3 x [40 x i8]], ptr @mutexes, i64 0, i32 {index}")
        lines.append(f"call i32 @pthread_mutex_lock(ptr %m{number})")
        held.append(f"%m{number}")
        if len(held) == 1 or chance.random() < 0.5:
            place = chance.choice("xy")
            if chance.random() < 0.5:
                lines.append(f"%r{number} = load atomic i32, ptr @{place} monotonic, align 4")
            else:
                lines.append(
                    f"%r{number} = atomicrmw add ptr @{place}, i32 1 {chance.choice(['monotonic', 'acq_rel'])}"
                )
        if chance.random() < 0.5:
            lines.append(f"call i32 @pthread_mutex_unlock(ptr {held.pop()})")
    lines += [f"call i32 @pthread_mutex_unlock(ptr {mutex})" for mutex in reversed(held)]
    body = "\n".join(f"  {line}" for line in lines)
    return f"define void @{name}() {{\n{body}\n  ret void\n}}\n"


@pytest.mark.parametrize("model", ["rc11", "sc", "llvm"])
def test_generated_programs_with_locks(model: str, tune: Tune) -> None:
    several = 0
    for seed in range(examples(9)):
        chance = random.Random(seed)
        threads = "".join(locking_thread(chance, f"t{n}") for n in range(3))
        text = f"; EXISTS: @x = 1 /\\ @y = 1\n{LOCKS}{threads}"
        tune(grow_from=0, grow_dead_ends=1 << 40)
        grown = check(load_text(text, "locks.ll"), model)
        tune(grow_from=-1)
        listed = check(load_text(text, "locks.ll"), model)
        assert grown.states == listed.states, text
        assert (grown.flags, grown.consistent) == (listed.flags, listed.consistent), text
        several += (grown.consistent or 0) > 3
    assert several > examples(9) // 3


READERS = """; EXISTS: true
@a = global [40 x i8] zeroinitializer
@b = global [40 x i8] zeroinitializer
@x = global i32 0
declare i32 @pthread_mutex_init(ptr, ptr)
declare i32 @pthread_mutex_lock(ptr)
declare i32 @pthread_mutex_unlock(ptr)
declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @pthread_join(i64, ptr)
define ptr @reader(ptr %mutex) {
  call i32 @pthread_mutex_lock(ptr %mutex)
  %r = load i32, ptr @x
  call i32 @pthread_mutex_unlock(ptr %mutex)
  ret ptr null
}
define ptr @writer(ptr %none) {
  call i32 @pthread_mutex_lock(ptr @a)
  call i32 @pthread_mutex_lock(ptr @b)
  store i32 1, ptr @x
  call i32 @pthread_mutex_unlock(ptr @b)
  call i32 @pthread_mutex_unlock(ptr @a)
  ret ptr null
}
define i32 @main() {
  %t = alloca i64
  %u = alloca i64
  %v = alloca i64
  call i32 @pthread_mutex_init(ptr @a, ptr null)
  call i32 @pthread_mutex_init(ptr @b, ptr null)
  call i32 @pthread_create(ptr %t, ptr null, ptr @reader, ptr @a)
  call i32 @pthread_create(ptr %u, ptr null, ptr @reader, ptr @b)
  call i32 @pthread_create(ptr %v, ptr null, ptr @writer, ptr null)
  %one = load i64, ptr %t
  call i32 @pthread_join(i64 %one, ptr null)
  %other = load i64, ptr %u
  call i32 @pthread_join(i64 %other, ptr null)
  %last = load i64, ptr %v
  call i32 @pthread_join(i64 %last, ptr null)
  ret i32 0
}
"""


def test_what_a_thread_that_has_not_ended_would_write(tune: Tune) -> None:
    """The other reader waits in vain for the writer, who waits for the first: that this unlocks is not met then."""
    tune(grow_from=0, grow_dead_ends=1 << 40)
    result = check(load_text(READERS, "readers.ll"), "rc11")
    assert (result.status, result.flags, result.consistent) == ("complete", (), 4)


ASSUMED = """; EXISTS: t0:%a = 1
@x = global i32 0
@y = global i32 0
@z = global i32 0
@w = global i32 0
@l = global i32 0
declare void @llvm.assume(i1)
define void @t0() {
  %a = load atomic i32, ptr @x monotonic, align 4
  %early = icmp eq i32 %a, 0
  br i1 %early, label %take, label %done
take:
  %pair = cmpxchg ptr @l, i32 0, i32 1 monotonic monotonic
  %taken = extractvalue { i32, i1 } %pair, 1
  call void @llvm.assume(i1 %taken)
  br label %done
done:
  store atomic i32 1, ptr @w monotonic, align 4
  ret void
}
define void @t1() {
  %c = load atomic i32, ptr @z monotonic, align 4
  %pair = cmpxchg ptr @l, i32 0, i32 2 monotonic monotonic
  %taken = extractvalue { i32, i1 } %pair, 1
  call void @llvm.assume(i1 %taken)
  %b = load atomic i32, ptr @y monotonic, align 4
  store atomic i32 1, ptr @x monotonic, align 4
  ret void
}
define void @t2() {
  %k = load atomic i32, ptr @w monotonic, align 4
  store atomic i32 1, ptr @z monotonic, align 4
  store atomic i32 1, ptr @y monotonic, align 4
  ret void
}
"""


def test_a_write_that_a_read_modify_write_has_taken_from_another(tune: Tune) -> None:
    """Only the first thread to take the lock goes on: where the first load finds 0, nobody comes to the store of 1."""
    tune(grow_from=0, grow_dead_ends=1 << 40)
    result = check(load_text(ASSUMED, "assumed.ll"), "rc11")
    assert (result.status, result.observation, result.consistent) == ("complete", "Always", 5)


def assuming_thread(chance: random.Random, name: str) -> str:
    """A thread that goes on only if some of what it reads is what it assumes, with full fences and updates."""
    lines = list[str]()
    for number in range(chance.choice([2, 3, 3, 4])):
        place, order = chance.choice("xyz"), chance.choice(["monotonic", "seq_cst", "acquire"])
        kind = chance.choice(["load", "load", "store", "store", "cas", "cas", "fence"])
        if kind == "load":
            lines.append(f"%r{number} = load atomic i32, ptr @{place} {order}, align 4")
        elif kind == "store":
            order = order.replace("acquire", "release")
            lines.append(f"store atomic i32 {chance.choice([1, 2])}, ptr @{place} {order}, align 4")
        elif kind == "cas":
            new = chance.choice([1, 2])
            lines.append(
                f"%p{number} = cmpxchg ptr @{place}, i32 {chance.choice([0, 0, 1])}, i32 {new} {order} monotonic"
            )
            lines.append(f"%r{number} = extractvalue {{ i32, i1 }} %p{number}, 0")
        else:
            lines.append("fence seq_cst")
        if kind in ("load", "cas"):
            wanted, use = chance.choice([0, 0, 1]), chance.choice(["assume", "branch", "none"])
            if use != "none":
                lines.append(f"%c{number} = icmp eq i32 %r{number}, {wanted}")
            if use == "assume":
                lines.append(f"call void @llvm.assume(i1 %c{number})")
            elif use == "branch":
                lines += [f"br i1 %c{number}, label %next{number}, label %done", f"next{number}:"]
    body = "\n".join(f"  {line}" for line in lines)
    return f"define void @{name}() {{\n{body}\n  br label %done\ndone:\n  ret void\n}}\n"


@pytest.mark.parametrize("model", ["rc11", "sc"])
def test_generated_programs_with_assumptions(model: str, tune: Tune) -> None:
    several = 0
    for seed in range(examples(60)):
        chance = random.Random(seed)
        threads = "".join(assuming_thread(chance, f"t{n}") for n in range(3))
        places = "".join(f"@{place} = global i32 0\n" for place in "xyz")
        text = f"; EXISTS: @x = 1 /\\ @y = 1\n{places}declare void @llvm.assume(i1)\n{threads}"
        tune(grow_from=0, grow_dead_ends=1 << 40)
        grown = check(load_text(text, "assumptions.ll"), model)
        tune(grow_from=-1)
        listed = check(load_text(text, "assumptions.ll"), model)
        assert grown.states == listed.states, text
        assert (grown.flags, grown.consistent) == (listed.flags, listed.consistent), text
        several += (grown.consistent or 0) > 3
    assert several > examples(60) // 4


TABLE = """; EXISTS: true
@mutexes = global [26 x [40 x i8]] zeroinitializer
@busy = global [26 x i8] zeroinitializer
@ids = global [THREADS x i32] [IDS]
declare i32 @pthread_mutex_lock(ptr)
declare i32 @pthread_mutex_unlock(ptr)
declare i32 @pthread_create(ptr, ptr, ptr, ptr)
define ptr @takes(ptr %id) {
  %first = load i32, ptr %id
  br label %look
look:
  %b = phi i32 [ %first, %0 ], [ %next, %taken ]
  %mutex = getelementptr [26 x [40 x i8]], ptr @mutexes, i64 0, i32 %b
  %cell = getelementptr [26 x i8], ptr @busy, i64 0, i32 %b
  call i32 @pthread_mutex_lock(ptr %mutex)
  %old = load i8, ptr %cell
  %free = icmp eq i8 %old, 0
  br i1 %free, label %take, label %taken
taken:
  call i32 @pthread_mutex_unlock(ptr %mutex)
  %more = add i32 %b, 1
  %next = srem i32 %more, 26
  br label %look
take:
  store i8 1, ptr %cell
  call i32 @pthread_mutex_unlock(ptr %mutex)
  ret ptr null
}
define i32 @main() {
  %t = alloca i64
  br label %start
start:
  %n = phi i64 [ 0, %0 ], [ %more, %start ]
  %id = getelementptr [THREADS x i32], ptr @ids, i64 0, i64 %n
  call i32 @pthread_create(ptr %t, ptr null, ptr @takes, ptr %id)
  %more = add i64 %n, 1
  %all = icmp eq i64 %more, THREADS
  br i1 %all, label %done, label %start
done:
  ret i32 0
}
"""


@pytest.mark.parametrize("pairs", [1, 2, 3])
def test_a_table_with_a_lock_for_each_entry(pairs: int) -> None:
    """Two threads each begin at one entry, of which one goes on to the next; any could go on to any, by its loop."""
    ids = ", ".join(f"i32 {2 * n}" for n in [*range(pairs)] * 2)
    text = TABLE.replace("THREADS", f"{2 * pairs}").replace("IDS", ids)
    result = check(load_text(text, "table.ll"), "rc11")
    assert (result.status, result.consistent) == ("complete", 2**pairs)
    assert result.explored is not None and result.explored <= 4 * 2.5**pairs
