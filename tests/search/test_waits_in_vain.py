"""Waits that nobody serves: a read waits only if somebody may write what it waits for."""

from __future__ import annotations

import random
from pathlib import Path

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


def grown_as_listed(text: str, model: str, tune: Tune) -> int:
    """Compare a program's executions as they grow with those that are listed; tell how many there are."""
    tune(grow_from=0, grow_dead_ends=1 << 40)
    grown = check(load_text(text, "generated.ll"), model)
    tune(grow_from=-1)
    listed = check(load_text(text, "generated.ll"), model)
    assert grown.states == listed.states, text
    assert (grown.flags, grown.consistent) == (listed.flags, listed.consistent), text
    return grown.consistent or 0


@pytest.mark.parametrize("model", ["rc11", "sc", "llvm"])
def test_generated_programs_with_locks(model: str, tune: Tune) -> None:
    several = 0
    for seed in range(examples(6)):
        chance = random.Random(seed)
        threads = "".join(locking_thread(chance, f"t{n}") for n in range(3))
        several += grown_as_listed(f"; EXISTS: @x = 1 /\\ @y = 1\n{LOCKS}{threads}", model, tune) > 3
    assert several > examples(6) // 3


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


Part = tuple[str, str, int]
PLACES = "xyzwlk"
CAS, LOAD, STORE = "cas", "load", "store"
AGAIN = "again"  # an update that looks whether anything has changed before, and begins anew if so
ONLY_IF, ASSUME, TAKES, JOIN = "only if", "assume", "takes", "join"  # the first three of what was read last
NEAR: list[list[Part]] = [  # ASSUMED as parts
    [(LOAD, "x", 0), (ONLY_IF, "", 0), (CAS, "l", 1), (TAKES, "", 0), (JOIN, "", 0), (STORE, "w", 1)],
    [(LOAD, "z", 0), (CAS, "l", 2), (TAKES, "", 0), (LOAD, "y", 0), (STORE, "x", 1)],
    [(LOAD, "w", 0), (STORE, "z", 1), (STORE, "y", 1)],
]


def changed(chance: random.Random) -> list[list[Part]]:
    """Change some parts of that program: where they access memory, and which there are."""
    threads = [list(thread) for thread in NEAR]
    for _ in range(chance.choice([0, 1, 1, 2, 3])):
        thread = chance.choice(threads)
        at = chance.randrange(len(thread))
        kind, _, value = thread[at]
        choice = chance.random()
        if choice < 0.35 and kind in (LOAD, STORE, CAS):
            thread[at] = (kind, chance.choice(PLACES), value)
        elif choice < 0.5 and len(thread) > 1 and kind != JOIN:
            del thread[at]
        elif choice < 0.8:
            thread.insert(at, (chance.choice([LOAD, STORE, "fence"]), chance.choice(PLACES), chance.choice([1, 2])))
        elif choice < 0.9:
            thread[at:at] = [(CAS, chance.choice("lk"), chance.choice([1, 2])), (TAKES, "", 0)]
        else:
            thread[at:at] = [
                (LOAD, chance.choice(PLACES), 0),
                (chance.choice([ONLY_IF, ASSUME]), "", chance.choice([0, 1])),
            ]
    return threads


def written(threads: list[list[Part]], chance: random.Random) -> str:
    order = "monotonic" if chance.random() < 0.7 else "seq_cst"
    text = "".join(f"@{place} = global i32 0\n" for place in PLACES) + "declare void @llvm.assume(i1)\n"
    for name, thread in enumerate(threads):
        lines, last, taken, joined = list[str](), "", "", False
        for n, (kind, place, value) in enumerate(thread):
            if kind == LOAD:
                lines.append(f"%r{n} = load atomic i32, ptr @{place} {order}, align 4")
                last = f"%r{n}"
            elif kind == STORE:
                lines.append(f"store atomic i32 {value}, ptr @{place} {order}, align 4")
            elif kind == CAS:
                lines.append(f"%p{n} = cmpxchg ptr @{place}, i32 0, i32 {value} {order} monotonic")
                lines.append(f"%r{n} = extractvalue {{ i32, i1 }} %p{n}, 0")
                last, taken = f"%r{n}", f"%p{n}"
            elif kind == TAKES:
                if taken:
                    lines.append(f"%o{n} = extractvalue {{ i32, i1 }} {taken}, 1")
                    lines.append(f"call void @llvm.assume(i1 %o{n})")
            elif kind == AGAIN:
                lines += [
                    f"br label %loop{n}",
                    f"loop{n}:",
                    f"%a{n} = load atomic i32, ptr @{place} {order}, align 4",
                    f"%b{n} = load atomic i32, ptr @x {order}, align 4",
                    f"%again{n} = load atomic i32, ptr @{place} {order}, align 4",
                    f"%same{n} = icmp eq i32 %a{n}, %again{n}",
                    f"br i1 %same{n}, label %update{n}, label %loop{n}",
                    f"update{n}:",
                    f"%new{n} = add i32 %b{n}, {value}",
                    f"%p{n} = cmpxchg ptr @{place}, i32 %a{n}, i32 %new{n} {order} monotonic",
                    f"%r{n} = extractvalue {{ i32, i1 }} %p{n}, 0",
                    f"%done{n} = extractvalue {{ i32, i1 }} %p{n}, 1",
                    f"br i1 %done{n}, label %past{n}, label %loop{n}",
                    f"past{n}:",
                ]
                last, taken = f"%r{n}", ""
            elif kind == "fence":
                lines.append("fence seq_cst")
            elif kind == JOIN:
                lines += ["br label %done", "done:"]
                joined = True
            elif last:
                lines.append(f"%c{n} = icmp eq i32 {last}, {value}")
                if kind == ONLY_IF and not joined:
                    lines += [f"br i1 %c{n}, label %next{n}, label %done", f"next{n}:"]
                else:
                    lines.append(f"call void @llvm.assume(i1 %c{n})")
        lines += [] if joined else ["br label %done", "done:"]
        body = "\n".join(f"  {line}" for line in lines)
        text += f"define void @t{name}() {{\n{body}\n  ret void\n}}\n"
    return text


@pytest.mark.parametrize("model", ["rc11", "sc", "llvm"])
def test_generated_programs_with_assumptions(model: str, tune: Tune) -> None:
    some = 0
    for seed in range(examples(40)):
        chance = random.Random(seed)
        text = f"; EXISTS: @x = 1 /\\ @y = 1\n{written(changed(chance), chance)}"
        some += grown_as_listed(text, model, tune) > 0
    assert some > examples(40) // 3


@pytest.mark.parametrize("model", ["rc11", "sc", "llvm"])
def test_generated_programs_that_look_again(model: str, tune: Tune) -> None:
    """Values come back: a read that looks whether anything has changed may wait for a later write of the same one."""
    some = 0
    for seed in range(examples(15)):
        chance = random.Random(seed)
        threads = [[part for part in thread if chance.random() < 0.5][:3] for thread in changed(chance)]
        chance.choice(threads[:2]).insert(0, (AGAIN, "l", chance.choice([0, 1, 1])))
        for _ in range(2):
            thread = chance.choice(threads)
            thread.insert(chance.randrange(len(thread) + 1), (STORE, chance.choice("lly"), chance.choice([0, 1])))
        some += grown_as_listed(f"; EXISTS: @x = 1 /\\ @l = 1\n{written(threads, chance)}", model, tune) > 0
    assert some > examples(15) // 3


LOOKS_AGAIN = """; EXISTS: true
@x = global i32 0
@y = global i32 0
define i32 @count() {
  br label %loop
loop:
  %a = load atomic i32, ptr @x acquire, align 4
  %b = load atomic i32, ptr @y acquire, align 4
  %again = load atomic i32, ptr @x acquire, align 4
  %same = icmp eq i32 %a, %again
  br i1 %same, label %update, label %loop
update:
  %next = add i32 %a, 1
  %p = cmpxchg ptr @x, i32 %a, i32 %next acq_rel monotonic
  %done = extractvalue { i32, i1 } %p, 1
  br i1 %done, label %end, label %loop
end:
  %c = atomicrmw add ptr @y, i32 1 acq_rel
  ret i32 %b
}
"""


@pytest.mark.parametrize(("threads", "count", "most"), [(2, 6, 10), (3, 90, 211)])
def test_who_looks_again_does_not_wait_for_values_that_do_not_come_back(threads: int, count: int, most: int) -> None:
    names = " ".join(f"t{n}=@count()" for n in range(threads))
    result = check(load_text(f"; THREADS: {names}\n{LOOKS_AGAIN}", "again.ll"), "rc11")
    assert result.consistent == count
    assert result.explored <= most


EACH_OTHER = """; EXISTS: t0:%a = 1
@x = global i32 0
@y = global i32 0
declare void @llvm.assume(i1)
define void @t0() {
  %a = load atomic i32, ptr @x monotonic, align 4
  %c = icmp eq i32 %a, 1
  call void @llvm.assume(i1 %c)
  store atomic i32 1, ptr @y monotonic, align 4
  ret void
}
define void @t1() {
  %a = load atomic i32, ptr @y monotonic, align 4
  %c = icmp eq i32 %a, 1
  call void @llvm.assume(i1 %c)
  store atomic i32 1, ptr @x monotonic, align 4
  ret void
}
"""


@pytest.mark.parametrize(("model", "count"), [("llvm", 1), ("amdgpu", 1), ("rc11", 0), ("sc", 0)])
def test_assumptions_that_make_each_other_hold(model: str, count: int, tune: Tune) -> None:
    """Nothing depends on an assumption, so that each write may come before what it makes hold."""
    tune(grow_from=0, grow_dead_ends=1 << 40)
    result = check(load_text(EACH_OTHER, "each.ll"), model)
    assert (result.status, result.consistent) == ("complete", count)


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


@pytest.mark.parametrize("model", ["rc11", "llvm", "amdgpu"])
@pytest.mark.parametrize("pairs", [1, 2, 3])
def test_a_table_with_a_lock_for_each_entry(pairs: int, model: str) -> None:
    """Two threads each begin at one entry, of which one goes on to the next; any could go on to any, by its loop."""
    ids = ", ".join(f"i32 {2 * n}" for n in [*range(pairs)] * 2)
    text = TABLE.replace("THREADS", f"{2 * pairs}").replace("IDS", ids)
    result = check(load_text(text, "table.ll"), model)
    assert (result.status, result.consistent) == ("complete", 2**pairs)
    assert result.explored == 2**pairs


TAKEN = """; EXISTS: true
; LAUNCH: @take() workgroups=3 lanes=1
@head = addrspace(1) global i32 0
@done = addrspace(1) global [ITEMS x i32] zeroinitializer
define amdgpu_kernel void @take() {
entry:
  br label %look
look:
  %h = load atomic i32, ptr addrspace(1) @head monotonic, align 4
  %all = icmp sge i32 %h, ITEMS
  br i1 %all, label %end, label %try
try:
  %next = add i32 %h, 1
  %said = cmpxchg ptr addrspace(1) @head, i32 %h, i32 %next monotonic monotonic
  %got = extractvalue { i32, i1 } %said, 1
  br i1 %got, label %count, label %look
count:
  %place = getelementptr [ITEMS x i32], ptr addrspace(1) @done, i32 0, i32 %h
  %before = atomicrmw add ptr addrspace(1) %place, i32 1 monotonic
  br label %look
end:
  ret void
}
"""


@pytest.mark.parametrize("model", ["llvm", "amdgpu"])
@pytest.mark.parametrize(("items", "explored"), [(2, 13), (3, 126), (4, 980)])
def test_what_nothing_rests_on_holds_up_no_thread(items: int, explored: int, model: str) -> None:
    """Threads run past updates whose results nobody uses: which items the others may still take is known sooner."""
    result = check(load_text(TAKEN.replace("ITEMS", str(items)), "taken.ll"), model)
    assert (result.status, result.consistent, result.explored) == ("complete", 3**items, explored)


NUMBERED = """; EXISTS: true
@next = global i32 0
@r = global [8 x i32] zeroinitializer
define void @take() {
BODY
  ret void
}
define void @t0() {
  call void @take()
  ret void
}
define void @t1() {
  call void @take()
  ret void
}
"""
AGAIN = """  br label %look
look:
  %n = atomicrmw add ptr @next, i32 1 monotonic
  %all = icmp sge i32 %n, ITEMS
  br i1 %all, label %end, label %count
count:
  %p = getelementptr [8 x i32], ptr @r, i32 0, i32 %n
  %before = atomicrmw add ptr %p, i32 1 monotonic
  br label %look
end:"""
ONCE = """  %nK = atomicrmw add ptr @next, i32 1 monotonic
  %pK = getelementptr [8 x i32], ptr @r, i32 0, i32 %nK
  %beforeK = atomicrmw add ptr %pK, i32 1 monotonic"""


@pytest.mark.parametrize("model", ["llvm", "amdgpu"])
@pytest.mark.parametrize(
    ("body", "explored", "consistent"),
    [
        (AGAIN.replace("ITEMS", "3"), 8, 16),
        (AGAIN.replace("ITEMS", "5"), 32, 64),
        ("\n".join(ONCE.replace("K", str(number)) for number in range(2)), 3, 6),
        ("\n".join(ONCE.replace("K", str(number)) for number in range(3)), 118, 20),
    ],
    ids=("loop-3", "loop-5", "twice", "thrice"),
)
def test_numbers_that_are_taken_one_after_the_other(body: str, explored: int, consistent: int, model: str) -> None:
    """What is counted with a number that one thread has taken no other one counts: to wait for that is in vain."""
    result = check(load_text(NUMBERED.replace("BODY", body), "numbered.ll"), model)
    assert (result.status, result.consistent) == ("complete", consistent)
    assert (result.explored or 0) <= explored


def with_updates(chance: random.Random) -> str:
    """Threads that update, mostly without a use of the result, read and write, and may wait in a ring."""
    text = "; EXISTS: @x = 0 /\\ @y = 0\n@x = global i32 0\n@y = global i32 0\n@z = global i32 0\n"
    for thread in range(chance.choice((2, 2, 3))):
        lines, last = list[str](), ""
        for n in range(chance.randint(2, 4)):
            place, order = chance.choice("xyz"), chance.choice(("monotonic", "monotonic", "monotonic", "acq_rel"))
            value = chance.choice(("1", "2"))
            if last and chance.random() < 0.4:
                lines.append(f"%d{n} = and i32 {last}, {chance.choice('013')}")
                value = f"%d{n}"
            kind = chance.random()
            if kind < 0.55:
                lines.append(f"%u{n} = atomicrmw {chance.choice(('add', 'xchg'))} ptr @{place}, i32 {value} {order}")
                last = f"%u{n}" if chance.random() < 0.3 else last
            elif kind < 0.8:
                lines.append(f"%v{n} = load atomic i32, ptr @{place} monotonic, align 4")
                last = f"%v{n}"
            else:
                lines.append(f"store atomic i32 {value}, ptr @{place} monotonic, align 4")
        body = "\n".join(f"  {line}" for line in lines)
        text += f"define void @t{thread}() {{\n{body}\n  ret void\n}}\n"
    return text


@pytest.mark.parametrize("model", ["llvm", "amdgpu"])
def test_generated_programs_with_updates(model: str, tune: Tune) -> None:
    for seed in range(examples(40)):
        grown_as_listed(with_updates(random.Random(seed)), model, tune)


OWN_LOCKS = """; EXISTS: true
@mutexes = global [16 x [40 x i8]] zeroinitializer
declare i32 @pthread_mutex_lock(ptr)
declare i32 @pthread_mutex_unlock(ptr)
define void @take(i32 %me) {
entry:
  br label %next
next:
  %k = phi i32 [ 0, %entry ], [ %more, %next ]
  %first = mul i32 %me, 4
  %n = add i32 %first, %k
  %m = getelementptr [16 x [40 x i8]], ptr @mutexes, i64 0, i32 %n
  %locked = call i32 @pthread_mutex_lock(ptr %m)
  %unlocked = call i32 @pthread_mutex_unlock(ptr %m)
  %more = add i32 %k, 1
  %all = icmp eq i32 %more, 4
  br i1 %all, label %end, label %next
end:
  ret void
}
"""


@pytest.mark.parametrize("model", ["sc", "tso", "rc11", "llvm"])
def test_locks_that_each_thread_has_for_itself(model: str) -> None:
    """That an unlock comes after its lock in coherence order is known: no other place is tried, and refused."""
    threads = [f"define void @t{n}() {{\n  call void @take(i32 {n})\n  ret void\n}}\n" for n in range(4)]
    result = check(load_text(OWN_LOCKS + "".join(threads), "locks.ll"), model)
    assert (result.status, result.consistent, result.explored) == ("complete", 1, 1)


RELAXED = """"program order of relaxed accesses orders nothing"
with co from orders(W)
let hb = (rmw | (po \\ (RLX * RLX)) | IW * (_ \\ IW))+
irreflexive hb as hb
irreflexive hb ; (rf | co | fr)+? as coherence
empty rmw & (fr ; co) as atomicity
acyclic addr | data | ctrl | rmw | rf as no-thin-air
irreflexive (po & loc) ; rf as nothing-from-later
final W \\ domain(co)
"""
UPDATED_THEN_WRITTEN = """; EXISTS: @x = 1
@x = global i32 0
define void @t0() {
  %a = atomicrmw add ptr @x, i32 4 monotonic
  store atomic i32 1, ptr @x monotonic, align 4
  ret void
}
define void @t1() {
  %a = atomicrmw add ptr @x, i32 8 monotonic
  store atomic i32 2, ptr @x monotonic, align 4
  ret void
}
"""


def test_a_write_that_need_not_come_after_an_update_before_it(tmp_path: Path, tune: Tune) -> None:
    """Where a model lets a thread's later write come first, updates that wait for such writes are served."""
    (tmp_path / "relaxed.cat").write_text(RELAXED)
    assert grown_as_listed(UPDATED_THEN_WRITTEN, str(tmp_path / "relaxed.cat"), tune) == 14


WAVES = """; SCOPES: (agent (workgroup (wavefront t0) (wavefront t1) (wavefront t2)))
; EXISTS: true
@x = global i32 0
@y = global i32 0
declare void @llvm.amdgcn.s.barrier()
declare void @llvm.amdgcn.s.barrier.signal(i32)
declare void @llvm.amdgcn.s.barrier.wait(i16)
"""
BARRIER = "call void @llvm.amdgcn.s.barrier()"
HANDED_ON = (
    f"%a = load atomic i32, ptr @y monotonic, align 4\n  %c = icmp ne i32 %a, 1\n  {BARRIER}",
    "%a = load atomic i32, ptr @x monotonic, align 4\n  store atomic i32 %a, ptr @y monotonic, align 4",
    "%a = load atomic i32, ptr @y monotonic, align 4\n  store atomic i32 %a, ptr @x monotonic, align 4\n  " + BARRIER,
)
ARRIVES_TWICE = (
    "%a = load atomic i32, ptr @y monotonic, align 4\n  %c = icmp ne i32 %a, 1\n  br i1 %c, label %n, label %m\nn:\n"
    "  call void @llvm.amdgcn.s.barrier.signal(i32 -1)\n  br label %m\nm:\n"
    "  call void @llvm.amdgcn.s.barrier.signal(i32 -1)\n  call void @llvm.amdgcn.s.barrier.wait(i16 -1)",
    "br label %end\nend:",
    f"{BARRIER}\n  store atomic i32 1, ptr @y release, align 4",
)
FROM_BEHIND = (
    f"{BARRIER}\n  {BARRIER}",
    f"{BARRIER}\n  store atomic i32 1, ptr @x release, align 4",
    f"%a = load atomic i32, ptr @x monotonic, align 4\n  {BARRIER}",
)


@pytest.mark.parametrize(
    ("waves", "model", "executions"),
    [
        (HANDED_ON, "llvm", 6),
        (HANDED_ON, "sc", 6),
        (ARRIVES_TWICE, "llvm", 1),
        (FROM_BEHIND, "llvm", 1),
        (FROM_BEHIND, "rc11", 2),
    ],
    ids=("handed-on", "handed-on-sc", "arrives-twice", "from-behind", "from-behind-rc11"),
)
def test_waves_of_which_one_returns_before_a_barrier(
    waves: tuple[str, ...], model: str, executions: int, tune: Tune
) -> None:
    """A write before a barrier is awaited whatever else is; rc11 lets a read take what comes behind a later barrier."""
    bodies = [f"define void @t{n}() {{\n  {body}\n  ret void\n}}\n" for n, body in enumerate(waves)]
    assert grown_as_listed(WAVES + "".join(bodies), model, tune) == executions


def wave(chance: random.Random) -> str:
    """A thread that stores, reads and meets others, and may return before it does."""
    lines = list[str]()
    for n in range(chance.randint(2, 5)):
        place = chance.choice("xy")
        kind = chance.choice(("store", "store", "read", "barrier", "barrier", "return"))
        if kind == "store":
            lines.append(f"store atomic i32 {chance.choice('12')}, ptr @{place} monotonic, align 4")
        elif kind == "barrier":
            lines += (
                ["fence release"] * (chance.random() < 0.3) + [BARRIER] + ["fence acquire"] * (chance.random() < 0.3)
            )
        else:
            lines.append(f"%v{n} = load atomic i32, ptr @{place} monotonic, align 4")
            if kind == "return":
                lines += [f"%c{n} = icmp eq i32 %v{n}, {chance.choice('01')}", f"br i1 %c{n}, label %out, label %b{n}"]
                lines.append(f"b{n}:")
    return "\n  ".join([*lines, "br label %out\nout:"])


@pytest.mark.parametrize("model", ["llvm", "amdgpu", "sc", "rc11"])
def test_generated_waves(model: str, tune: Tune) -> None:
    for seed in range(examples(40)):
        chance = random.Random(seed)
        waves = [wave(chance) for _ in range(3)]
        bodies = [f"define void @t{n}() {{\n  {body}\n  ret void\n}}\n" for n, body in enumerate(waves)]
        grown_as_listed(WAVES + "".join(bodies), model, tune)
