"""Cycles of program order and reads-from that close or do not: on generated programs whose threads run past reads."""

from __future__ import annotations

import random

import pytest

from enumerator import check, load_profile
from enumerator.cat.compiler import compile_model
from enumerator.cat.typing import select
from enumerator.cat.without_undef import made_of, without_undef
from enumerator.events import Kinds
from enumerator.events.kind import Kind
from enumerator.frontend import load_text
from enumerator.program.instructions import Annotation, Ordering
from enumerator.search.bitset import base_kinds, enumerate_test
from enumerator.search.closing import COHERENT, FREE, SYNCHRONIZES, Closing, happens_before
from enumerator.search.closing import RACES as RACE
from enumerator.search.session import Session
from enumerator.search.to_come import Row, Rows
from enumerator.search.tuning import Tuning
from enumerator.unfold import growing, unfold
from enumerator.unfold.later import Later, writes_in
from enumerator.unfold.paths import Location, PathEvent
from enumerator.unfold.thread import ThreadState
from tests.generated.amounts import examples
from tests.search.generated import Tune, request_for

PROGRAMS = 4 * examples(16)

READS, WRITES = ("monotonic", "monotonic", "acquire", "seq_cst"), ("monotonic", "monotonic", "release", "seq_cst")
BOTH = ("monotonic", "acquire", "release", "acq_rel", "seq_cst")


class Writer:
    """Writes a thread: reads, writes, updates and fences, some of which rest on what was read."""

    def __init__(self, chance: random.Random, locations: str) -> None:
        self.chance, self.locations, self.lines, self.known = chance, locations, list[str](), list[str]()
        self.count = 0

    def name(self) -> str:
        self.count += 1
        return f"%r{self.count}"

    def value(self) -> str:
        """A constant, or something that was read."""
        return self.chance.choice([*"12", *self.known])

    def operation(self) -> None:
        place, kind = "@" + self.chance.choice(self.locations), self.chance.choice("RRRWWWXCFB")
        if kind == "R":
            name = self.name()
            self.lines.append(f"{name} = load atomic i32, ptr {place} {self.chance.choice(READS)}, align 4")
            self.known.append(name)
        elif kind == "W":
            order = self.chance.choice(WRITES)
            self.lines.append(f"store atomic i32 {self.value()}, ptr {place} {order}, align 4")
        elif kind == "X":
            name = self.name()
            self.lines.append(f"{name} = atomicrmw xchg ptr {place}, i32 {self.value()} {self.chance.choice(BOTH)}")
            self.known.append(name)
        elif kind == "C":
            pair, name = self.name(), self.name()
            failure = self.chance.choice(("monotonic", "monotonic", "acquire"))
            expected = self.chance.choice("012")
            order = self.chance.choice(BOTH)
            self.lines.append(f"{pair} = cmpxchg ptr {place}, i32 {expected}, i32 {self.value()} {order} {failure}")
            self.lines.append(f"{name} = extractvalue {{ i32, i1 }} {pair}, 0")
            self.known.append(name)
        elif kind == "F":
            self.lines.append(f"fence {self.chance.choice(('acquire', 'release', 'acq_rel', 'seq_cst'))}")
        elif self.known:
            label, name = f"b{len(self.lines)}", self.name()
            self.lines.append(f"{name} = icmp eq i32 {self.chance.choice(self.known)}, {self.chance.choice('012')}")
            end = self.chance.choice((f"{label}.end", label))
            self.lines.append(f"br i1 {name}, label %{label}, label %{end}")
            self.lines.append(f"{label}:")
            if end != label:
                self.lines.append(f"store atomic i32 {self.chance.choice('12')}, ptr {place} monotonic, align 4")
                self.lines.append(f"br label %{end}")
                self.lines.append(f"{end}:")


def program(seed: int) -> str:
    """Give a program of two or three threads."""
    chance = random.Random(seed)
    threads = chance.choice((2, 3, 3))
    locations = "xyz"[: chance.choice((2, 3))]
    text = ["; EXISTS: true", *(f"@{name} = global i32 0" for name in locations)]
    for number in range(threads):
        writer = Writer(chance, locations)
        for _ in range(chance.choice((2, 3)) if threads == 3 else chance.choice((3, 4))):
            writer.operation()
        text += [f"define void @t{number}() {{", *(f"  {line}" for line in writer.lines), "  ret void", "}"]
    return "\n".join(text) + "\n"


@pytest.mark.parametrize("model", ["llvm", "amdgpu"])
def test_generated_programs(model: str) -> None:
    for seed in range(PROGRAMS):
        text = program(seed)
        request = request_for(text, model, frozenset(), seed)
        grown = enumerate_test(request, Session(Tuning(grow_from=0)))
        listed = enumerate_test(request, Session(Tuning(grow_from=-1)))
        assert grown.status == listed.status == "complete"
        assert (grown.consistent, grown.flags) == (listed.consistent, listed.flags), text
        assert grown.states == listed.states, text


IN_VAIN = """; EXISTS: true
@x = global i32 0
@y = global i32 0
define void @t0() {
  %r1 = atomicrmw xchg ptr @x, i32 1 monotonic
  %r2 = atomicrmw xchg ptr @y, i32 %r1 acquire
  %r3 = load atomic i32, ptr @y seq_cst, align 4
  %r4 = cmpxchg ptr @y, i32 2, i32 2 monotonic acquire
  ret void
}
define void @t1() {
  %r1 = cmpxchg ptr @y, i32 1, i32 1 release monotonic
  store atomic i32 1, ptr @y monotonic, align 4
  store atomic i32 1, ptr @y monotonic, align 4
  %r3 = atomicrmw xchg ptr @x, i32 2 monotonic
  ret void
}
"""


def test_where_threads_run_past_reads_no_wait_is_in_vain() -> None:
    """The compare-exchange of t1 reads what rests on the value that its thread writes to x afterwards."""
    request = request_for(IN_VAIN, "llvm", frozenset(), 0)
    assert enumerate_test(request, Session(Tuning(grow_from=0))).consistent == 33


TEXT = """; EXISTS: true
@x = global i32 0
@y = global i32 0
define void @t0() {
  store atomic i32 1, ptr @x release, align 4
  store atomic i32 1, ptr @y monotonic, align 4
  ret void
}
define void @t1() {
  %a = load atomic i32, ptr @x acquire, align 4
  %b = load atomic i32, ptr @x monotonic, align 4
  %c = load atomic i32, ptr @y acquire, align 4
  ret void
}
"""


def test_what_pairs_say() -> None:
    test, selected = load_text(TEXT, "pairs.ll"), select("llvm", (), {})
    kinds = Kinds(unfold(test, undef=False), load_profile("generic"))
    names = {"unsequenced", "UNDEF", "F", "SC", "B", "TP", "ONE_AS", "bar"}
    compiled = compile_model(
        selected.model, selected.variants, base_kinds(), empty=frozenset(names), full=frozenset({"mmra", "incl"})
    )
    assert happens_before(compiled) is not None
    for path in (each for options in kinds._unfolded.paths for each in options):
        kinds.of_path([thread.name for thread in test.threads].index(path.thread), path)
    acquires, plain = (
        kinds.known.index(kinds.kind_of(1, PathEvent("R", Annotation(order), 0, Location("@x", 0, 4)), False))
        for order in (Ordering.ACQUIRE, Ordering.MONOTONIC)
    )
    stores = frozenset(writes_in(test)[:2])
    rows = Rows()
    both, second, own = (rows.number(Row(*row)) for row in ((0, stores), (0, stores, frozenset()), (1, stores)))
    assert both == second
    for place in (Location("@x", 0, 4), Location("@y", 0, 4), Location("@z", 0, 4)):
        rows.add_location(place)
        rows.add_read(place, acquires)
        rows.add_read(place, plain)
    assert rows.close(Closing(test, compiled, kinds, frozenset()), kinds.known)
    assert rows.can_write[both, :3].tolist() == [1, 1, 0]
    said = rows.closing[rows.cycles[both, :2]]
    assert said[:, acquires].tolist() == [SYNCHRONIZES, COHERENT]
    assert said[:, plain].tolist() == [COHERENT, COHERENT]
    assert rows.closing[rows.cycles[own, 0], acquires] == FREE


RACES = """; EXISTS: true
@x = global i32 0
define void @t0() {
  store atomic i32 1, ptr @x release, align 4
  store i32 1, ptr @x, align 4
  ret void
}
define void @t1() {
  %a = load atomic i32, ptr @x monotonic, align 4
  %b = load i32, ptr @x, align 4
  %c = cmpxchg ptr @x, i32 1, i32 2 acq_rel monotonic
  ret void
}
"""


@pytest.mark.parametrize("undef", [True, False])
def test_what_pairs_say_that_race_and_of_compare_exchanges(undef: bool) -> None:
    """With a read that returns undef where it races, and without; and where a number says that one succeeds."""
    test, selected = load_text(RACES, "races.ll"), select("llvm", (), {})
    chosen = selected if undef else made_of(selected, without_undef)
    assert chosen is not None
    kinds, place = Kinds(unfold(test, undef=False), load_profile("generic")), Location("@x", 0, 4)
    compiled = compile_model(
        chosen.model,
        chosen.variants,
        base_kinds(),
        empty=frozenset({"unsequenced", "F", "SC", "B", "TP", "ONE_AS", "bar"}),
        full=frozenset({"mmra", "incl"}),
    )
    closing = Closing(test, compiled, kinds, frozenset())

    def kind(thread: int, letter: str, ordering: Ordering) -> Kind:
        return kinds.kind_of(thread, PathEvent(letter, Annotation(ordering), 0, place), False)

    def says(write: Ordering, read: Ordering, number: int | None = None) -> int:
        return closing.says(frozenset({(kind(0, "W", write), number)}), kind(1, "R", read), place)

    na, relaxed, release, both = Ordering.NA, Ordering.MONOTONIC, Ordering.RELEASE, Ordering.ACQ_REL
    assert says(na, relaxed) == says(release, na) == says(na, na) == RACE
    assert says(release, relaxed) == COHERENT
    assert says(release, both) == COHERENT  # it may fail
    assert says(release, both, 2) == COHERENT
    assert says(release, both, 1) == SYNCHRONIZES


def test_rows_are_shared_out_by_what_is_written() -> None:
    text = """@x = global i32 0
define void @t0() {
  store atomic i32 1, ptr @x monotonic, align 4
  store atomic i32 0, ptr @x monotonic, align 4
  %r = load atomic i32, ptr @x monotonic, align 4
  store atomic i32 %r, ptr @x monotonic, align 4
  store atomic i32 1, ptr @x release, align 4
  ret void
}
"""
    later = frozenset(writes_in(load_text(text, "shares.ll")))
    rows, location = Rows(), Location("@x", 0, 4)
    whole = rows.number(Row(0, later, frozenset({(3, location, 1)})))
    rows.add_location(location)
    rows.share_out()
    share, found = int(rows.share[whole]), {}
    while share >= 0:
        part = int(rows.share_row[share])
        place = int(rows.constant_of[part])
        assert rows.can_write[part, 0] == 1 and rows.share[part] == -1
        found[rows.constants[place] if place >= 0 else None] = part
        share = int(rows.share_next[share])
    assert set(found) == {0, 1, None}
    rows.add_location(Location("@x", 0, 2))  # it gets a half of what these write
    assert [int(rows.constant_of[found[each]]) for each in (0, 1)] == [-1, -1]


def test_what_rows_expect_and_hold() -> None:
    text = """; THREADS: t0=@t0(i32 5)
@x = global i32 0
define void @t0(i32 %p) {
  %a = cmpxchg ptr @x, i32 0, i32 1 monotonic monotonic
  %b = cmpxchg ptr @x, i32 0, i32 2 monotonic monotonic
  %c = cmpxchg ptr @x, i32 0, i32 %p monotonic monotonic
  %d = cmpxchg ptr @x, i32 1, i32 2 monotonic monotonic
  store atomic i32 2, ptr @x monotonic, align 4
  ret void
}
"""
    a, b, c, d, store = writes_in(load_text(text, "expects.ll"))
    rows, location = Rows(exchanges=True), Location("@x", 0, 4)
    sets = [{a, b}, {a, c}, {a, d}, {a, store}]
    numbers = [rows.number(Row(0, frozenset(each))) for each in sets]
    rows.add_location(location)
    one, two, other = (1 << each for each in (*map(rows.constants.index, (1, 2)), 63))
    expected = [rows.constants.index(0)] * 2 + [-1, -1]
    assert [int(rows.expects[number, 0]) for number in numbers] == expected
    assert [int(rows.holds[number, 0]) for number in numbers] == [one | two, one | other, one | two, one | two]


USED_UP = """; EXISTS: true
@next = global i32 0
@seen = global i32 0
define void @t0() {
entry:
  %0 = cmpxchg ptr @next, i32 0, i32 1 monotonic monotonic
  ret void
}
define void @t1() {
entry:
  %0 = cmpxchg ptr @next, i32 0, i32 2 monotonic monotonic
  ret void
}
define void @t2() {
entry:
  %0 = load atomic i32, ptr @next monotonic, align 4
  %1 = load atomic i32, ptr @next monotonic, align 4
  ret void
}
"""


UNDEF_AT_FIRST = """; EXISTS: true
@x = global i32 0
@y = global i32 undef
define void @t0() {
  %a = cmpxchg weak ptr @y, i32 0, i32 1 release acquire
  %b = load i32, ptr @x, align 4
  ret void
}
define void @t1() {
  store atomic i32 2, ptr @x release, align 4
  %a = load atomic i32, ptr @y monotonic, align 4
  %b = cmpxchg weak ptr @y, i32 0, i32 2 release monotonic
  %c = load atomic i32, ptr @x acquire, align 4
  ret void
}
"""


@pytest.mark.parametrize("model", ["rc11", "llvm"])
def test_what_is_undef_may_be_what_is_expected(model: str, tune: Tune) -> None:
    results = []
    for grow_from in (-1, 0):
        tune(grow_from=grow_from)
        results.append(check(load_text(UNDEF_AT_FIRST, "undef.ll"), model, all_values=True))
    listed, grown = results
    assert (grown.states, grown.consistent) == (listed.states, listed.consistent)


@pytest.mark.parametrize("model", ["rc11", "llvm"])
def test_what_is_written_once_is_not_waited_for(model: str, tune: Tune) -> None:
    """A location that is only changed from 0, to another value: then nobody writes it any more."""
    results = []
    for grow_from in (-1, 0):
        tune(grow_from=grow_from)
        results.append(check(load_text(USED_UP, "used-up.ll"), model))
    listed, grown = results
    assert (grown.states, grown.consistent) == (listed.states, listed.consistent)
    assert grown.explored == grown.consistent


CREATED = """
@c = global i32 0
define ptr @inc(ptr %u) {
entry:
  %first = load atomic i32, ptr @c monotonic, align 4
  br label %loop
loop:
  %e = phi i32 [ %first, %entry ], [ %seen, %loop ]
  %next = add i32 %e, 1
  %pair = cmpxchg weak ptr @c, i32 %e, i32 %next acq_rel monotonic, align 4
  %seen = extractvalue { i32, i1 } %pair, 0
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %end, label %loop
end:
  ret ptr null
}
define i32 @main() {
  %a = alloca i64
  %b = alloca i64
  %1 = call i32 @pthread_create(ptr %a, ptr null, ptr @inc, ptr null)
  %2 = call i32 @pthread_create(ptr %b, ptr null, ptr @inc, ptr null)
  ret i32 0
}
declare i32 @pthread_create(ptr, ptr, ptr, ptr)
"""


def test_what_created_threads_write(tune: Tune) -> None:
    """What a thread that others create may still write is known: nothing is run past a compare-exchange in vain."""
    test = load_text(CREATED, "weak.ll")
    tune(grow_from=0, grow_from_waits=0)
    grown = check(test, "llvm")
    tune(grow_from=-1)
    listed = check(test, "llvm")
    assert (grown.states, grown.consistent, grown.flags) == (listed.states, listed.consistent, listed.flags)
    assert grown.explored is not None and grown.consistent is not None and grown.explored <= 3 * grown.consistent


TAGGED = """; EXISTS: true
@g = addrspace(1) global i32 0
@l = addrspace(3) global i32 0
define void @t0() {
  %a = load i32, ptr addrspace(1) @g
  store i32 1, ptr addrspace(1) @g
  %b = load i32, ptr addrspace(3) @l
  store i32 1, ptr addrspace(3) @l
  %c = load atomic i32, ptr addrspace(1) @g acquire, align 4
  ret void
}
"""


def test_which_events_of_a_thread_are_ordered() -> None:
    """Under the profile ``amdgpu``: accesses of one memory are, and both with what synchronizes."""
    test, selected, ordered = load_text(TAGGED, "tagged.ll"), select("amdgpu", (), {}), {}
    paths = unfold(test, undef=False)
    for profile in ("generic", "amdgpu"):
        kinds = Kinds(paths, load_profile(profile))
        full = frozenset({"incl"} | ({"mmra"} if profile == "generic" else set()))
        empty = frozenset({"unsequenced", "B", "TP", "ONE_AS", "bar", "started", "completed", "ASYNC_START"})
        closing = Closing(
            test,
            compile_model(selected.model, selected.variants, base_kinds(), empty=empty, full=full),
            kinds,
            frozenset(),
        )
        (path,) = paths.paths[0]
        reads = [event for event in path.events if event.kind == "R"]
        writes = [event for event in path.events if event.kind == "W"]
        ordered[profile] = [
            [
                closing.keeps_order(kinds.kind_of(0, read, False), frozenset({(kinds.kind_of(0, write, False), 1)}))
                for write in writes
            ]
            for read in reads
        ]
        assert closing.ordered is (profile == "generic")
    assert ordered["generic"] == [[True, True]] * 3
    assert ordered["amdgpu"] == [[True, False], [False, True], [True, True]]


LOCK = """entry:
  br label %lock
lock:
  %c = cmpxchg ptr @m, i32 0, i32 1 acquire monotonic
  %ok = extractvalue { i32, i1 } %c, 1
  br i1 %ok, label %held, label %lock
held:
"""

TABLE = """; NEVER: assert
; THREADS: t0=@t0() t1=@t1()
@m = global i32 0
@op = global i32 0
@out = global i32 0
@table = constant [2 x ptr] [ptr @twice, ptr @square]
define i32 @twice(i32 %x) {
  %r = shl i32 %x, 1
  ret i32 %r
}
define i32 @square(i32 %x) {
  %r = mul i32 %x, %x
  ret i32 %r
}
define void @t0() {
LOCK
  %i = load i32, ptr @op
  store atomic i32 0, ptr @m release, align 4
  %p = getelementptr [2 x ptr], ptr @table, i32 0, i32 %i
  %f = load ptr, ptr %p
  %r = call i32 %f(i32 3)
  store i32 %r, ptr @out
  ret void
}
define void @t1() {
LOCK
  store i32 1, ptr @op
  store atomic i32 0, ptr @m release, align 4
  ret void
}
""".replace("LOCK\n", LOCK)


@pytest.mark.parametrize("model", ["rc11", "llvm", "amdgpu"])
def test_a_function_whose_address_was_read(model: str, tune: Tune) -> None:
    """It is one whose address is used: what it may write is known, and threads run past no read for it."""
    tune(grow_from=0)
    found = check(load_text(TABLE, "table.ll"), model)
    assert (found.verdict, found.consistent, found.explored) == ("Ok", 2, 2)


CLAIMS = """; EXISTS: true
@a = global i32 1
@b = global i32 1
define void @t0() {{
  {first}
}}
define void @t1() {{
  {second}
}}
"""


def claims(one: str, other: str) -> str:
    """Claim one of two cells, the second where the first is taken; whether it is, a phi tells."""
    return f"""entry:
  %v = load atomic i32, ptr @{one} monotonic, align 4
  %there = icmp ne i32 %v, 0
  br i1 %there, label %try, label %join
try:
  %c = cmpxchg ptr @{one}, i32 %v, i32 0 acq_rel monotonic
  %ok = extractvalue {{ i32, i1 }} %c, 1
  %failed = xor i1 %ok, true
  br label %join
join:
  %more = phi i1 [ true, %entry ], [ %failed, %try ]
  br i1 %more, label %next, label %end
next:
  %d = cmpxchg ptr @{other}, i32 1, i32 0 acq_rel monotonic
  br label %end
end:
  ret void"""


def test_a_phi_depends_on_what_its_value_there_does(tune: Tune, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is written where a compare-exchange has failed depends on it, though a phi stands between."""
    found, free = [], growing.free_writes

    def noted(state: ThreadState) -> tuple[frozenset[Later] | None, frozenset[Later] | None]:
        found.append(free(state))
        return found[-1]

    monkeypatch.setattr(growing, "free_writes", noted)
    tune(grow_from=0)
    check(load_text(CLAIMS.format(first=claims("a", "b"), second=claims("b", "a")), "claims.ll"), "llvm")
    assert {of_read for _, of_read in found} == {frozenset()}


EXCHANGES = """; THREADS: P0=@pass() P1=@pass() P2=@pass()
; FORALL: true
@head = global i32 1
@next = global i32 0
define void @pass() {
entry:
  %n = load atomic i32, ptr @next monotonic, align 4
  %a = cmpxchg ptr @head, i32 1, i32 %n monotonic monotonic, align 4
  %b = extractvalue { i32, i1 } %a, 1
  br i1 %b, label %push, label %end
push:
  %h = load atomic i32, ptr @head monotonic, align 4
  br label %try
try:
  %e = phi i32 [ %h, %push ], [ %f, %try ]
  store atomic i32 %e, ptr @next monotonic, align 4
  %c = cmpxchg ptr @head, i32 %e, i32 1 monotonic monotonic, align 4
  %f = extractvalue { i32, i1 } %c, 0
  %d = extractvalue { i32, i1 } %c, 1
  br i1 %d, label %end, label %try
end:
  ret void
}
"""


@pytest.mark.parametrize("model", ["llvm", "amdgpu"])
def test_what_is_exchanged_is_taken_before_it_is_known_for_what(model: str) -> None:
    """A successful compare-exchange whose new value rests on an open read leaves its source to nobody else."""
    found = check(load_text(EXCHANGES, "exchanges.ll"), model)
    assert found.status == "complete" and found.explored is not None and found.consistent is not None
    assert found.explored <= found.consistent


HELPING = """; THREADS: P0=@own(i32 0) P1=@own(i32 1)
; FORALL: true
@words = global [2 x i32] zeroinitializer
define void @own(i32 %me) {
entry:
  %mine = getelementptr [2 x i32], ptr @words, i32 0, i32 %me
  %you = sub i32 1, %me
  %other = getelementptr [2 x i32], ptr @words, i32 0, i32 %you
  %mark = add i32 %me, 100
  br label %take
take:
  %t = phi ptr [ %mine, %entry ], [ %other, %taken ]
  br label %try
try:
  %a = cmpxchg ptr %t, i32 0, i32 %mark seq_cst seq_cst, align 4
  %v = extractvalue { i32, i1 } %a, 0
  %s = extractvalue { i32, i1 } %a, 1
  br i1 %s, label %taken, label %help
help:
  %held = icmp sge i32 %v, 100
  br i1 %held, label %free, label %taken
free:
  %x = cmpxchg ptr @words, i32 %v, i32 0 acq_rel monotonic, align 4
  %second = getelementptr [2 x i32], ptr @words, i32 0, i32 1
  %y = cmpxchg ptr %second, i32 %v, i32 0 acq_rel monotonic, align 4
  br label %try
taken:
  %first = icmp eq ptr %t, %mine
  br i1 %first, label %take, label %end
end:
  ret void
}
"""


@pytest.mark.parametrize("model", ["llvm", "amdgpu"])
def test_a_read_goes_beyond_what_an_open_one_before_it_has_passed_over(model: str) -> None:
    found = check(load_text(HELPING, "helping.ll"), model)
    assert found.status == "complete" and found.explored is not None and found.consistent is not None
    assert found.explored <= 10 * found.consistent
