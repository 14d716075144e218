"""Executions that grow are those that are listed: on generated programs with loops that wait, locks and counters."""

from __future__ import annotations

import random
from dataclasses import replace
from types import SimpleNamespace

import pytest

from enumerator import check
from enumerator.cat.typing import select
from enumerator.frontend import load_text
from enumerator.mmra import load_profile
from enumerator.request import Request
from enumerator.search import bitset, driver, growing
from enumerator.search.bitset import enumerate_test
from enumerator.search.growing import grow
from enumerator.search.session import Session
from enumerator.search.tuning import Tuning
from tests.generated.amounts import examples
from tests.search.generated import Tune

PROGRAMS = examples(16)

READS, WRITES = ("monotonic", "monotonic", "acquire", "seq_cst"), ("monotonic", "release", "release", "seq_cst")
BOTH = ("monotonic", "acquire", "release", "acq_rel", "seq_cst")


class Thread:
    """Writes a thread."""

    def __init__(self, chance: random.Random, number: int) -> None:
        self.chance, self.number, self.lines, self.known = chance, number, list[str](), list[str]()
        self.count, self.block = 0, "entry"

    def name(self) -> str:
        self.count += 1
        return f"%r{self.count}"

    def place(self) -> str:
        return "@" + self.chance.choice("xyl")

    def value(self) -> str:
        return self.chance.choice([*"12", *self.known])

    def begin(self, label: str) -> None:
        self.lines += [f"br label %{label}", f"{label}:"]
        self.block = label

    def load(self) -> None:
        name = self.name()
        self.lines.append(f"{name} = load atomic i32, ptr {self.place()} {self.chance.choice(READS)}, align 4")
        self.known.append(name)

    def store(self) -> None:
        order = self.chance.choice(WRITES)
        self.lines.append(f"store atomic i32 {self.value()}, ptr {self.place()} {order}, align 4")

    def plain(self) -> None:
        if self.chance.random() < 0.5:
            name = self.name()
            self.lines.append(f"{name} = load i32, ptr @d, align 4")
        else:
            self.lines.append(f"store i32 {self.chance.choice('12')}, ptr @d, align 4")

    def computed(self) -> None:
        """An address that rests on what was read."""
        if not self.known:
            return self.load()
        bit, index, pointer = self.name(), self.name(), self.name()
        self.lines += [
            f"{bit} = and i32 {self.chance.choice(self.known)}, 1",
            f"{index} = zext i32 {bit} to i64",
            f"{pointer} = getelementptr [2 x i32], ptr @a, i64 0, i64 {index}",
        ]
        if self.chance.random() < 0.5:
            self.lines.append(f"store atomic i32 1, ptr {pointer} {self.chance.choice(WRITES)}, align 4")
        else:
            name = self.name()
            self.lines.append(f"{name} = load atomic i32, ptr {pointer} {self.chance.choice(READS)}, align 4")
            self.known.append(name)
        return None

    def branch(self) -> None:
        if not self.known:
            return self.load()
        label, name = f"b{len(self.lines)}", self.name()
        self.lines += [
            f"{name} = icmp eq i32 {self.chance.choice(self.known)}, {self.chance.choice('012')}",
            f"br i1 {name}, label %{label}, label %{label}.end",
            f"{label}:",
            f"store atomic i32 {self.chance.choice('012')}, ptr {self.place()} monotonic, align 4",
        ]
        self.begin(f"{label}.end")
        return None

    def wait(self) -> None:
        """A loop that waits for a value."""
        label, name, left = f"w{len(self.lines)}", self.name(), self.name()
        self.begin(label)
        self.lines += [
            f"{name} = load atomic i32, ptr {self.place()} {self.chance.choice(READS)}, align 4",
            f"{left} = icmp {self.chance.choice(('eq', 'ne'))} i32 {name}, {self.chance.choice('012')}",
            f"br i1 {left}, label %{label}.end, label %{label}",
            f"{label}.end:",
        ]
        self.block = f"{label}.end"
        self.known.append(name)

    def lock(self) -> None:
        """A critical section; the lock is taken by compare-and-swap, by exchange, or by a test before an exchange."""
        label, pair, done = f"l{len(self.lines)}", self.name(), self.name()
        place = self.chance.choice(("@l", "@l", "@x"))
        kind, order = self.chance.choice("CCXT"), self.chance.choice(("acquire", "acquire", "monotonic", "acq_rel"))
        self.begin(label)
        if kind != "T" and self.chance.random() < 0.3:  # an iteration that reads more than what it waits for
            self.lines.append(f"{self.name()} = load atomic i32, ptr {place} {self.chance.choice(READS)}, align 4")
        if kind == "C":
            weak = self.chance.choice(("", " weak"))
            failure = self.chance.choice(("monotonic", "acquire"))
            self.lines += [
                f"{pair} = cmpxchg{weak} ptr {place}, i32 0, i32 1 {order} {failure}, align 4",
                f"{done} = extractvalue {{ i32, i1 }} {pair}, 1",
            ]
        else:
            if kind == "T":
                seen, free = self.name(), self.name()
                self.lines += [
                    f"{seen} = load atomic i32, ptr {place} monotonic, align 4",
                    f"{free} = icmp eq i32 {seen}, 0",
                    f"br i1 {free}, label %{label}.try, label %{label}",
                    f"{label}.try:",
                ]
            self.lines += [
                f"{pair} = atomicrmw xchg ptr {place}, i32 1 {order}, align 4",
                f"{done} = icmp eq i32 {pair}, 0",
            ]
        self.lines += [f"br i1 {done}, label %{label}.in, label %{label}", f"{label}.in:"]
        self.block = f"{label}.in"
        for _ in range(self.chance.choice((0, 1, 1))):
            self.chance.choice((self.load, self.store, self.plain))()
        if self.chance.random() < 0.85:
            self.lines.append(f"store atomic i32 0, ptr {place} {self.chance.choice(WRITES)}, align 4")

    def counter(self) -> None:
        """Adds to a location by compare-and-swap."""
        label, place = f"c{len(self.lines)}", self.place()
        first, now, new, pair, seen, done = (self.name() for _ in range(6))
        self.lines.append(f"{first} = load atomic i32, ptr {place} monotonic, align 4")
        before = self.block
        self.begin(label)
        weak = self.chance.choice(("", " weak"))
        self.lines += [
            f"{now} = phi i32 [ {first}, %{before} ], [ {seen}, %{label} ]",
            f"{new} = add i32 {now}, 1",
            f"{pair} = cmpxchg{weak} ptr {place}, i32 {now}, i32 {new} {self.chance.choice(BOTH)} monotonic, align 4",
            f"{seen} = extractvalue {{ i32, i1 }} {pair}, 0",
            f"{done} = extractvalue {{ i32, i1 }} {pair}, 1",
            f"br i1 {done}, label %{label}.end, label %{label}",
            f"{label}.end:",
        ]
        self.block = f"{label}.end"
        self.known.append(seen)

    def add(self) -> None:
        name, operator, order = self.name(), self.chance.choice(("add", "xchg", "or")), self.chance.choice(BOTH)
        self.lines.append(f"{name} = atomicrmw {operator} ptr {self.place()}, i32 1 {order}, align 4")
        self.known.append(name)

    def fence(self) -> None:
        self.lines.append(f"fence {self.chance.choice(('acquire', 'release', 'acq_rel', 'seq_cst'))}")


def waiting_program(seed: int) -> str:
    """Give a program of two or three threads, most of which wait for each other."""
    chance = random.Random(seed)
    threads = chance.choice((2, 2, 3))
    text = ["; EXISTS: true", *(f"@{name} = global i32 0" for name in "xyld"), "@a = global [2 x i32] zeroinitializer"]
    for number in range(threads):
        thread = Thread(chance, number)
        simple = (thread.load, thread.store, thread.store, thread.add, thread.fence, thread.plain, thread.computed)
        long = (thread.wait, thread.wait, thread.lock, thread.lock, thread.counter, thread.branch)
        for part in range(chance.choice((2, 3)) if threads == 2 else chance.choice((1, 2))):
            (chance.choice(long) if chance.random() < (0.6 if part else 0.4) else chance.choice(simple))()
        body = (f"  {line}" for line in thread.lines)
        text += [f"define void @t{number}() {{", "entry:", *body, "  ret void", "}"]
    return "\n".join(text) + "\n"


def agree(seed: int, model: str) -> bool:
    """Compare a program's executions as they grow with those that are listed; tell whether both ended in time."""
    text = waiting_program(seed)
    selected, test = select(model, (), {}), load_text(text, "waits.ll")
    names = ("@x", "@y", "@l")
    request = Request(test, selected, load_profile("generic"), names, unroll=1, timeout=3.0)
    listed = enumerate_test(request, Session(Tuning(grow_from=-1)))
    if listed.status != "complete":
        return False
    grown = enumerate_test(request, Session(Tuning(grow_from=0, grow_dead_ends=1 << 40)))
    if grown.status == "timeout":
        return False
    assert grown.status == "complete"
    told = (grown.consistent, grown.flags, grown.cut), (listed.consistent, listed.flags, listed.cut)
    assert told[0] == told[1], f"{seed} {model} {told}\n{text}"
    assert grown.states == listed.states, f"{seed} {model}\n{text}"
    return True


@pytest.mark.parametrize("model", ["rc11", "llvm", "amdgpu"])
def test_generated_programs_that_wait(model: str) -> None:
    assert sum(agree(seed, model) for seed in range(PROGRAMS)) > PROGRAMS // 2


@pytest.mark.parametrize("grow_dead_ends", [0, 500])
@pytest.mark.parametrize("model", ["rc11", "llvm"])
def test_listing_gives_way(model: str, grow_dead_ends: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """It does at its first slice; growing never, or at its first dead end, and listing goes on where it stood."""
    monkeypatch.setattr(driver, "op", SimpleNamespace(**{**vars(driver.op), "MOST_EXPLORED": 0}))
    grown: list[Request] = []

    def noted(request, *rest):  # type: ignore[no-untyped-def]
        grown.append(request)
        return grow(request, *rest)

    monkeypatch.setattr(growing, "grow", noted)
    for seed in range(PROGRAMS):
        selected, test = select(model, (), {}), load_text(waiting_program(seed), "waits.ll")
        request = Request(test, selected, load_profile("generic"), ("@x", "@y", "@l"), unroll=1, timeout=3.0)
        few = 1 << 20  # paths, so that executions are listed to begin with
        tuning = Tuning(grow_from=few, grow_from_waits=few, grow_from_dead_ends=few, grow_dead_ends=grow_dead_ends)
        tuning = replace(tuning, first_steps=20, grow_asks=-1)
        listed = enumerate_test(request, Session(replace(tuning, list_dead_ends=-1)))
        both = enumerate_test(request, Session(replace(tuning, list_dead_ends=0)))
        if "timeout" in (listed.status, both.status):
            continue
        assert (both.consistent, both.states, both.flags) == (listed.consistent, listed.states, listed.flags), seed
    assert len(grown) > PROGRAMS // 4


READS_TWICE = """; EXISTS: true
@x = global i32 0
define void @t0() {{
  br label %first
first:
  %r = load atomic i32, ptr @x acquire, align 4
  %c = icmp eq i32 %r, {awaited}
  br i1 %c, label %done, label %second
second:
  %s = load atomic i32, ptr @x monotonic, align 4
  %d = icmp eq i32 %s, 0
  br i1 %d, label %done, label %first
done:
  ret void
}}
define void @t1() {{
{stores}
  ret void
}}
"""


def test_many_values_of_few_paths(tune: Tune) -> None:
    """Most pairs of values let the loop go on: listed, they are dead ends; growing looks ahead."""
    stores = "\n".join(f"  store atomic i32 {value}, ptr @x monotonic, align 4" for value in range(1, 31))
    test = load_text(READS_TWICE.format(awaited=30, stores=stores), "twice.ll")
    result = check(test, "rc11")
    assert (result.consistent, result.explored) == (2, 2)
    tune(list_dead_ends=-1, list_costs=1 << 60, grow_asks=-1)
    listed = check(test, "rc11")
    assert (listed.consistent, listed.states) == (2, result.states)
    assert listed.explored > 500


TRIES_TWO = """; EXISTS: true
@x = global i32 0
@y = global i32 0
define void @t0() {{
  br label %first
first:
  %p = cmpxchg ptr @x, i32 {last}, i32 99 seq_cst seq_cst
  %c = extractvalue {{ i32, i1 }} %p, 1
  br i1 %c, label %done, label %second
second:
  %q = cmpxchg ptr @y, i32 {last}, i32 99 seq_cst seq_cst
  %d = extractvalue {{ i32, i1 }} %q, 1
  br i1 %d, label %done, label %first
done:
  ret void
}}
define void @t1() {{
{stores}
  ret void
}}
"""


def test_few_ends_that_take_much_work(tune: Tune) -> None:
    """Beside so many stores, each end takes long where paths are listed."""
    numbers = range(1, 21)
    stores = "\n".join(f"  store atomic i32 {n}, ptr @{at} seq_cst, align 4" for n in numbers for at in "xy")
    test = load_text(TRIES_TWO.format(last=20, stores=stores), "two.ll")
    tune(list_work=1 << 60, list_dead_ends=1 << 30, list_costs=1 << 60, grow_asks=-1)
    listed = check(test, "rc11")
    tune(list_work=1, list_dead_ends=1 << 30)
    grown = check(test, "rc11")
    assert (grown.consistent, grown.states, grown.flags) == (listed.consistent, listed.states, listed.flags)
    assert grown.explored == grown.consistent < (listed.explored or 0)


ADDS = """; EXISTS: true
@x = global i32 0
@y = global i32 0
define void @t0() {{
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %a = load atomic i32, ptr @{mine} monotonic, align 4
  %b = load atomic i32, ptr @{other} monotonic, align 4
  %sum = add i32 %a, %b
  store atomic i32 %sum, ptr @{mine} monotonic, align 4
  %next = add i32 %i, 1
  %last = icmp eq i32 %next, 4
  br i1 %last, label %done, label %loop
done:
  ret void
}}
"""


def test_few_paths_are_listed_where_there_are_many_executions(tune: Tune, monkeypatch: pytest.MonkeyPatch) -> None:
    """A loop that runs four times is one path; it is unfolded before anything is found only where that is wanted."""
    first, second = (ADDS.format(mine=mine, other=other) for mine, other in ("xy", "yx"))
    code = second[second.index("define") :].replace("@t0", "@t1")
    test, found, used = load_text(first + code, "adds.ll"), [], list[int]()
    driver_of = bitset.driver_of

    def noted(*given):  # type: ignore[no-untyped-def]
        used.append(asks)
        return driver_of(*given)

    monkeypatch.setattr(bitset, "driver_of", noted)
    for asks in (-1, 10, 1 << 40):
        tune(grow_asks=asks)
        found.append(check(test, "rc11"))
    assert [each.consistent for each in found] == [1764] * 3
    assert found[0].states == found[1].states == found[2].states
    assert used == [-1, 10]


CREATED = """; EXISTS: true
@flag = global i32 7
define ptr @sets(ptr %u) {{
  store atomic i32 1, ptr @flag release, align 4
  ret ptr null
}}
define ptr @waits(ptr %u) {{
  {mine}
  br label %loop
loop:
  %seen = load atomic i32, ptr @flag acquire, align 4
  %still = icmp eq i32 %seen, 0
  br i1 %still, label %loop, label %done
done:
  ret ptr null
}}
define i32 @main() {{
  %a = alloca i64
  %b = alloca i64
  {before}
  %1 = call i32 @pthread_create(ptr %a, ptr null, ptr @sets, ptr null)
  %2 = call i32 @pthread_create(ptr %b, ptr null, ptr @waits, ptr null)
  {after}
  ret i32 0
}}
declare i32 @pthread_create(ptr, ptr, ptr, ptr)
"""


@pytest.mark.parametrize("grow_from", [-1, 0])
@pytest.mark.parametrize("place, races", [("before", False), ("mine", True), ("after", True)])
def test_what_is_stored_before_a_thread_is_created_races_with_no_wait(
    place: str, races: bool, grow_from: int, tune: Tune
) -> None:
    """Nor does what the thread stores itself, but with others; no iteration is counted up to a bound."""
    lines = {"before": "", "mine": "", "after": ""} | {place: "store i32 0, ptr @flag"}
    tune(grow_from=grow_from, grow_from_waits=grow_from)
    result = check(load_text(CREATED.format(**lines), "created.ll"), "rc11")
    assert (result.cut, "race" in result.flags) == (0, races)


OWN_PLAIN_STORE = """
; EXISTS: true
@x = global i32 0
@z = global i32 1
define void @t0() {
  store atomic i32 1, ptr @x monotonic, align 4
  ret void
}
define void @t1() {
entry:
  store i32 2, ptr @z, align 4
  br label %wait
wait:
  %r = load atomic i32, ptr @z seq_cst, align 4
  %c = icmp eq i32 %r, 1
  br i1 %c, label %end, label %wait
end:
  ret void
}
"""


@pytest.mark.parametrize("model", ["llvm", "amdgpu", "rc11"])
def test_a_wait_for_what_a_plain_store_has_hidden(model: str, tune: Tune) -> None:
    """What is read last is in no order under llvm: the thread waits for ever all the same."""
    found = []
    for grow_from in (-1, 0):
        tune(grow_from=grow_from, grow_from_waits=grow_from)
        result = check(load_text(OWN_PLAIN_STORE, "wait.ll"), model)
        found.append((result.consistent, result.flags))
    assert found[0] == found[1]
    assert found[0][0] == 1
    assert "stuck" in found[0][1]


NOBODY_WRITES = """; EXISTS: @y = 1
@y = global i32 0
define void @t0() {
  br label %wait
wait:
  %r = load atomic i32, ptr @y monotonic, align 4
  %zero = icmp eq i32 %r, 0
  br i1 %zero, label %wait, label %write
write:
  store i32 1, ptr @y
  ret void
}
define void @t1() {
  br label %wait
wait:
  %r = load atomic i32, ptr @y monotonic, align 4
  %zero = icmp eq i32 %r, 0
  br i1 %zero, label %done, label %wait
done:
  ret void
}
"""


@pytest.mark.parametrize("model", ["llvm", "amdgpu", "rc11"])
def test_what_would_race_with_a_wait_is_never_reached(model: str) -> None:
    """Listed paths race with a wait, so that loops would be cut at their bound; no execution that grows gets there."""
    result = check(load_text(NOBODY_WRITES, "wait.ll"), model)
    assert (result.observation, result.flags, result.cut) == ("Never", ("stuck",), 0)


POP = """; EXISTS: {asked}
@top = global i32 1
@next = global i32 7
define void @t0() {{
  br label %look
look:
  %r = load atomic i32, ptr @top acquire, align 4
  %none = icmp eq i32 %r, 0
  br i1 %none, label %done, label %try
try:
  %s = load atomic i32, ptr @next monotonic, align 4
  %x = cmpxchg ptr @top, i32 %r, i32 %s acquire monotonic
  %taken = extractvalue {{ i32, i1 }} %x, 1
  br i1 %taken, label %done, label %look
done:
  ret void
}}
define void @t1() {{
  store atomic i32 0, ptr @top release, align 4
  ret void
}}
"""


@pytest.mark.parametrize("engine", ["bitset", "networkx"])
def test_an_iteration_counts_where_its_registers_are_asked_for(engine: str) -> None:
    """What fails is left out, unless a register that is asked for keeps what it held; without a value it is undef."""
    plain = check(load_text(POP.format(asked="t0:%r = 0"), "pop.ll"), "rc11", engine=engine)
    asked = check(load_text(POP.format(asked="t0:%r = 0 /\\ t0:%s = 7"), "pop.ll"), "rc11", engine=engine)
    assert (plain.observation, plain.positive, plain.negative) == ("Sometimes", 1, 1)
    assert (asked.observation, asked.positive, asked.negative) == ("Sometimes", 2, 1)


def test_ways_that_go_nowhere_are_not_taken(tune: Tune) -> None:
    """An iteration of a wait that is left out is known before a read of it takes a write: there is no dead end."""
    stores = "".join(f"  store atomic i32 {n}, ptr @x monotonic, align 4\n" for n in range(1, 43))
    text = READS_TWICE.format(awaited=42, stores=stores)
    tune(grow_from=0)
    result = check(load_text(text, "wait.ll"), "rc11")
    assert (result.consistent, result.explored, result.cut) == (2, 2, 0)


READS_BEFORE = """; THREADS: p=@take() q=@take()
@l = global i32 0
@d = global i32 0
define void @take() {{
entry:
  br label %again
again:
  %seen = load atomic i32, ptr @l monotonic, align 4
  {attempt}
  br i1 %taken, label %in, label %again
in:
  %v = load i32, ptr @d
  store i32 7, ptr @d
  store atomic i32 0, ptr @l release, align 4
  ret void
}}
"""
ATTEMPTS = (
    "%pair = cmpxchg ptr @l, i32 0, i32 1 acquire monotonic\n  %taken = extractvalue { i32, i1 } %pair, 1",
    "%held = atomicrmw xchg ptr @l, i32 1 acquire\n  %taken = icmp eq i32 %held, 0",
)


@pytest.mark.parametrize("attempt", ATTEMPTS)
@pytest.mark.parametrize("model", ["rc11", "llvm", "amdgpu"])
def test_an_iteration_that_is_not_the_last(model: str, attempt: str, tune: Tune) -> None:
    """Who fails does not wait for ever, as it has read another write before: so another write may still serve it."""
    tune(grow_from=0)
    result = check(load_text(READS_BEFORE.format(attempt=attempt), "lock.ll"), model)
    assert (result.consistent, result.cut) == (6, 0)  # whoever is second first reads any of three writes


EXCHANGED = """; THREADS: a=@t() b=@t() c=@t() d=@t()
; EXISTS: true
@l = global i32 0
@x = global i32 0
define void @t() {
entry:
  br label %lock
lock:
  %old = atomicrmw xchg ptr @l, i32 1 acquire
  %free = icmp eq i32 %old, 0
  br i1 %free, label %in, label %lock
in:
  %r = load i32, ptr @x
  %n = add i32 %r, 1
  store i32 %n, ptr @x
  store atomic i32 0, ptr @l release, align 4
  ret void
}
"""


@pytest.mark.parametrize("model", ["rc11", "llvm", "amdgpu"])
def test_an_exchange_writes_its_operand(model: str, tune: Tune) -> None:
    """So who has read what it writes waits on: none that is in the lock waits for what such a thread does later."""
    tune(symmetry=False)
    result = check(load_text(EXCHANGED, "lock.ll"), model)
    assert (result.consistent, result.explored, result.flags) == (24, 24, ())
