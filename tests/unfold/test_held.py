"""Addresses that go through memory in all ways that programs have: what is known of them leaves no execution out."""

from __future__ import annotations

import random
from collections.abc import Hashable, Iterable

import pytest

from enumerator.frontend import load_text
from enumerator.program.instructions import Function
from enumerator.program.test import MemoryObject, Thread
from enumerator.unfold import carried, stored, text
from enumerator.unfold.places import ANY, IN_MEMORY, Places, made_at
from enumerator.unfold.pointing import Pointing
from enumerator.unfold.stored import Stored, stored_in
from enumerator.unfold.watched import Watched
from tests.generated.amounts import examples
from tests.programs.source import program
from tests.search.test_joining import grown

PROGRAMS = examples(30)

HEAD = """; EXISTS: true
declare ptr @malloc(i64)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
@x = global [2 x i32] zeroinitializer
@y = global [2 x i32] zeroinitializer
@p = global ptr null
@q = global ptr {first}
@s = global {{ ptr, ptr }} zeroinitializer
@t = global {{ ptr, ptr }} {{ ptr null, ptr @x }}
@h0 = global i64 0
@h1 = global i64 0
@f = constant [2 x ptr] [ptr @put, ptr @swap]
define ptr @put(ptr %to, ptr %v) {{
  store atomic ptr %v, ptr %to release, align 8
  ret ptr %v
}}
define ptr @swap(ptr %to, ptr %v) {{
  %old = atomicrmw xchg ptr %to, ptr %v acq_rel
  ret ptr %old
}}
define ptr @get(ptr %from) {{
  %v = load atomic ptr, ptr %from acquire, align 8
  ret ptr %v
}}
"""

SECOND = "getelementptr (i8, ptr {}, i64 8)"
CELLS = ["@p", "@q", "@s", SECOND.format("@s"), "@t", SECOND.format("@t")]


def wandering_program(seed: int) -> str:
    """Give a program of two threads that hand addresses on through memory, and access memory where these lead."""
    chance = random.Random(seed)
    pick = chance.choice
    lines_of = [HEAD.format(first=pick(("null", "@y", "getelementptr (i8, ptr @x, i64 4)")))]
    for thread in range(2):
        lines = ["%n = call ptr @malloc(i64 16)", "%n.p = getelementptr i8, ptr %n, i64 8", "store i32 0, ptr %n"]
        lines.append("store ptr null, ptr %n.p")
        known = ["@x", "@y", "getelementptr (i8, ptr @y, i64 4)", "%n"]
        if chance.random() < 0.5:
            known.remove("%n")
        first = f"getelementptr (i8, ptr {pick(('@x', '@y'))}, i64 {pick('04')})"
        lines.append(f"%first = load atomic i32, ptr {first} monotonic, align 4")
        for count in range(chance.randint(2, 4)):
            v, there, other = f"%v{count}", pick(CELLS), pick(CELLS)
            match pick("ppcmfhblwwwr"):
                case "p":
                    lines.append(f"store atomic ptr {pick(known)}, ptr {there} release, align 8")
                case "c":
                    lines.append("call void @llvm.memcpy.p0.p0.i64(ptr @t, ptr @s, i64 16, i1 false)")
                case "m":
                    lines += [
                        f"{v} = call ptr @get(ptr {there})",
                        f"store atomic ptr {v}, ptr {other} release, align 8",
                    ]
                case "f":
                    lines += [
                        f"{v}.f = load ptr, ptr getelementptr ([2 x ptr], ptr @f, i64 0, i64 {pick('01')})",
                        f"{v} = call ptr {v}.f(ptr {there}, ptr {pick(known)})",
                        f"store atomic ptr {v}, ptr {other} release, align 8",
                    ]
                case "h":  # in two halves
                    lines += [
                        f"{v}.i = ptrtoint ptr {pick(known)} to i64",
                        f"{v}.a = trunc i64 {v}.i to i32",
                        f"{v}.s = lshr i64 {v}.i, 32",
                        f"{v}.b = trunc i64 {v}.s to i32",
                        f"store i32 {v}.a, ptr @h{thread}, align 8",
                        f"store i32 {v}.b, ptr getelementptr (i8, ptr @h{thread}, i64 4), align 4",
                        f"{v} = load ptr, ptr @h{thread}, align 8",
                        f"store atomic ptr {v}, ptr {there} release, align 8",
                    ]
                case "b":  # as bytes
                    lines += [f"{v} = load <8 x i8>, ptr {there}, align 8", f"store <8 x i8> {v}, ptr {other}, align 8"]
                case "l":  # into an object whose address is read
                    lines += [
                        f"{v} = load atomic i64, ptr {there} acquire, align 8",
                        f"{v}.p = inttoptr i64 {v} to ptr",
                        f"{v}.o = icmp eq ptr {v}.p, %n",
                        f"br i1 {v}.o, label %some{count}, label %none{count}",
                        f"some{count}:",
                        f"{v}.q = getelementptr i8, ptr {v}.p, i64 8",
                        f"store atomic ptr {pick(known)}, ptr {v}.q release, align 8",
                        f"{v}.r = load atomic ptr, ptr {v}.q monotonic, align 8",
                        f"store atomic ptr {v}.r, ptr {other} monotonic, align 8",
                        f"br label %none{count}",
                        f"none{count}:",
                    ]
                case kind:
                    lines += [
                        f"{v} = load atomic ptr, ptr {there} acquire, align 8",
                        f"{v}.n = icmp eq ptr {v}, null",
                        f"br i1 {v}.n, label %none{count}, label %some{count}",
                        f"some{count}:",
                        f"store atomic i32 {thread + 1}, ptr {v} monotonic, align 4"
                        if kind == "w"
                        else f"{v}.r = load atomic i32, ptr {v} monotonic, align 4",
                        f"br label %none{count}",
                        f"none{count}:",
                    ]
        element = f"getelementptr (i8, ptr {pick(('@x', '@y'))}, i64 {pick('04')})"
        lines.append(f"%last = load atomic i32, ptr {element} monotonic, align 4")
        lines_of += [f"define void @t{thread}() {{", *(f"  {line}" for line in lines), "  ret void", "}"]
    return "; THREADS: t0=@t0() t1=@t1()\n" + "\n".join(lines_of) + "\n"


class Ignorant(Stored):
    """Knows which addresses memory may hold, but not where."""

    def __init__(self, stored: Stored) -> None:
        self.__dict__.update(stored.__dict__)
        self.given, self.returned = {}, {}

    def loaded_from(self, places: Places, size: int = 8, function: str = "") -> Places:
        return IN_MEMORY

    def returned_through(self, callee: Places, types: object) -> Places:
        return IN_MEMORY

    def narrowed(self, places: Places, function: str, register: str) -> Places:
        return places


def ignorant(functions: Iterable[Function], objects: Iterable[MemoryObject], threads: Iterable[Thread]) -> Stored:
    return Ignorant(stored_in(functions, objects, threads))


@pytest.mark.parametrize("model", ["rc11", "llvm", "amdgpu"])
def test_nothing_is_left_out(model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether it is known where addresses lead or not, the same is found."""
    explored, compared = [0, 0], 0
    for seed in range(PROGRAMS):
        program, found = wandering_program(seed), []
        for finds in (stored_in, ignorant):
            with monkeypatch.context() as patch:
                patch.setattr(text, "stored_in", finds)
                found.append(grown(program, model, 0, ("t0:%first", "t1:%first", "t0:%last", "t1:%last")))
        if "timeout" in (found[0].status, found[1].status):
            continue
        compared += 1
        said = [(each.states, each.consistent, each.cut, each.flags) for each in found]
        assert said[0] == said[1], f"{seed}\n{program}"
        explored = [before + each.explored for before, each in zip(explored, found, strict=True)]
    assert explored[0] <= explored[1] and compared > PROGRAMS // 2


HALVES = """; THREADS: t0=@t0() t1=@t1()
; EXISTS: true
@x = global i32 0
@h = global i64 0
@p = global ptr null
define void @t0() {
  %r = load atomic i32, ptr @x monotonic, align 4
  ret void
}
define void @t1() {
  %i = ptrtoint ptr @x to i64
  %a = trunc i64 %i to i32
  %s = lshr i64 %i, 32
  %b = trunc i64 %s to i32
  store i32 %a, ptr @h, align 8
  store i32 %b, ptr getelementptr (i8, ptr @h, i64 4), align 4
  %j = load ptr, ptr @h, align 8
  store atomic ptr %j, ptr @p release, align 8
  %k = load atomic ptr, ptr @p acquire, align 8
  store atomic i32 1, ptr %k monotonic, align 4
  ret void
}
"""


def test_an_address_that_was_stored_in_halves() -> None:
    """It is found again, and where it leads: what is written there may be seen by the other thread, or not."""
    found = grown(HALVES, "rc11", 0, ("t0:%r",))
    assert (found.status, found.consistent) == ("complete", 2)


QUEUE = """; THREADS: t0=@t0() t1=@t1() t2=@t2()
; EXISTS: true
@q = global ptr null
declare ptr @malloc(i64)
define void @t0() {
  %q = call ptr @malloc(i64 16)
  %s = call ptr @malloc(i64 8)
  store ptr %s, ptr %q
  %c = getelementptr i8, ptr %q, i64 8
  store i64 0, ptr %c
  store i32 0, ptr %s
  %s1 = getelementptr i8, ptr %s, i64 4
  store i32 0, ptr %s1
  store atomic ptr %q, ptr @q release, align 8
  %r = load atomic i32, ptr %s acquire, align 4
  %r1 = load atomic i32, ptr %s1 acquire, align 4
  ret void
}
""" + "".join(
    f"""define void @t{number}() {{
  %q = load atomic ptr, ptr @q acquire, align 8
  %none = icmp eq ptr %q, null
  br i1 %none, label %done, label %go
go:
  %s = load ptr, ptr %q
  %c = getelementptr i8, ptr %q, i64 8
  %n = atomicrmw add ptr %c, i64 1 acq_rel
  %e = getelementptr i32, ptr %s, i64 %n
  store atomic i32 1, ptr %e release, align 4
  br label %done
done:
  ret void
}}
"""
    for number in (1, 2)
)


@pytest.mark.parametrize(("model", "explored", "consistent"), [("rc11", 8, 13), ("llvm", 14, 15), ("amdgpu", 14, 15)])
def test_a_queue_with_a_counter_beside_the_address_of_its_slots(model: str, explored: int, consistent: int) -> None:
    """What counts is no address, though one is beside it; and what is written to slots is written to no counter."""
    found = grown(QUEUE, model, 0, ("t0:%r",))
    assert (found.status, found.consistent) == ("complete", consistent)
    assert found.explored <= explored


def test_a_field_that_is_read_points_to_what_is_stored_in_it() -> None:
    test = load_text(QUEUE, "queue.ll")
    found = stored_in(test.functions.values(), test.objects, test.threads)
    queue, slots = made_at("t0", "q", ANY), made_at("t0", "s", ANY)
    assert found.loaded_from(frozenset({("@q", 0)})) == {(queue, 0)}
    for place, size in (((queue, 0), 8), ((queue, 4), 8), (("t0:%q", 7), 1)):
        assert found.loaded_from(frozenset({place}), size) == {(slots, 0)}
    assert found.loaded_from(frozenset({(queue, 8)})) == frozenset() == found.loaded_from(frozenset({(slots, None)}))
    assert found.loaded_from(frozenset({(queue, None)})) == {(slots, 0)}, "anywhere in it"


PASSED = """
define ptr @worker(ptr %given) {
  %first = load ptr, ptr %given
  %second = getelementptr i8, ptr %given, i64 8
  %there = load ptr, ptr %second
  store ptr %first, ptr %there
  ret ptr @y
}
define i32 @main() {
  %pair = call ptr @malloc(i64 16)
  %place = call ptr @malloc(i64 8)
  %second = getelementptr i8, ptr %pair, i64 8
  store ptr @x, ptr %pair
  store ptr %place, ptr %second
  create w @worker(ptr %pair)
  join w
  %found = load ptr, ptr %place
  ret i32 0
}
"""


def test_what_a_created_thread_is_given_and_returns() -> None:
    test = program(PASSED)
    found = stored_in(test.functions.values(), test.objects, test.threads)
    assert found.given["worker", "given"] == {(made_at("main", "pair", ANY), 0)}
    assert found.returned["worker"] == {("@y", 0)}
    assert found.loaded_from(frozenset({("main:%place", 0)})) == {("@x", 0)}
    handle = next(iter(found.handles))
    assert {("@y", 0), (made_at("main", "pair", ANY), 0)} == found.loaded_from(frozenset({(handle, 8)}))


def test_all_that_may_change_is_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same is found as where everything is looked at again whenever anything has changed."""

    class Everyone(Watched):
        names: frozenset[str] = frozenset()

        def change(self, fact: Hashable) -> None:
            self.due |= self.names

    def update(look: Pointing) -> None:
        look._update(set(look._origins))

    tests = [load_text(wandering_program(seed), "wandering.ll") for seed in range(PROGRAMS)]
    for test in [*tests, load_text(QUEUE, "queue.ll"), program(PASSED)]:
        found = []
        for watched, updated in ((Watched, Pointing.update), (Everyone, update)):
            Everyone.names = frozenset(function.name for function in test.functions.values())
            with monkeypatch.context() as patch:
                patch.setattr(carried, "Watched", watched)
                patch.setattr(Pointing, "update", updated)
                stored._LAST.clear()
                one = stored_in(test.functions.values(), test.objects, test.threads)
            loaded = [one.loaded_from(frozenset({(name, None)})) for name in sorted(one.starts)]
            registers = {name: look._known for name, look in one._looks.items()}
            found.append((one.starts, one.anything, one.given, one.returned, loaded, registers))
        assert found[0] == found[1]


def test_what_was_found_last_is_given_again() -> None:
    test = program(PASSED)
    found = stored_in(test.functions.values(), test.objects, test.threads)
    assert stored_in(test.functions.values(), test.objects, test.threads) is found
    assert stored_in(test.functions.values(), test.objects, test.threads[:1]) is not found
    other = program(PASSED.replace("ret ptr @y", "ret ptr @x"))
    assert stored_in(other.functions.values(), test.objects, test.threads).returned["worker"] == {("@x", 0)}
