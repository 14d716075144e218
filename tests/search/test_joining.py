"""Threads whose ways come together again are unfolded once from there: nothing is found that is not found otherwise."""

from __future__ import annotations

import random

import pytest

from enumerator.cat.typing import select
from enumerator.frontend import load_text
from enumerator.mmra import load_profile
from enumerator.request import Outcomes, Request
from enumerator.search import tries
from enumerator.search.bitset import enumerate_test
from enumerator.search.session import Session
from enumerator.search.tuning import Tuning
from tests.generated.amounts import examples
from tests.search.test_growing import shape
from tests.search.test_growing_waits import Thread

PROGRAMS = examples(16)


class _Joining(Thread):
    """Writes a thread of parts after which most of what was read is forgotten."""

    def diamond(self) -> None:
        """A branch on a fresh read; either side may write."""
        self.load()
        label, name = f"d{len(self.lines)}", self.name()
        self.lines += [
            f"{name} = icmp eq i32 {self.known[-1]}, {self.chance.choice('012')}",
            f"br i1 {name}, label %{label}.yes, label %{label}.no",
        ]
        for side in ("yes", "no"):
            self.lines.append(f"{label}.{side}:")
            known = list(self.known)
            for _ in range(self.chance.choice((0, 1, 1, 2))):
                self.store() if self.chance.random() < 0.7 else self.load()
            self.lines.append(f"br label %{label}.end")
            self.known = known
        self.lines.append(f"{label}.end:")
        self.block = f"{label}.end"

    def attempt(self) -> None:
        """A compare-and-swap that is tried once; what it has found may stay."""
        pair, done, label = self.name(), self.name(), f"a{len(self.lines)}"
        weak = self.chance.choice(("", " weak"))
        self.lines += [
            f"{pair} = cmpxchg{weak} ptr {self.place()}, "
            f"i32 {self.chance.choice('01')}, i32 {self.chance.choice('12')} "
            f"{self.chance.choice(('monotonic', 'acq_rel', 'acquire'))} monotonic, align 4",
            f"{done} = extractvalue {{ i32, i1 }} {pair}, 1",
            f"br i1 {done}, label %{label}.in, label %{label}.end",
            f"{label}.in:",
        ]
        if self.chance.random() < 0.6:
            self.store()
        self.lines += [f"br label %{label}.end", f"{label}.end:"]
        self.block = f"{label}.end"

    def rounds(self) -> None:
        """A loop that is run twice: an attempt in each."""
        label, number, following, pair, last = f"o{len(self.lines)}", *(self.name() for _ in range(4))
        before = self.block
        operator = self.chance.choice(("xchg", "add", "or"))
        self.begin(label)
        self.lines += [
            f"{number} = phi i32 [ 0, %{before} ], [ {following}, %{label} ]",
            f"{pair} = atomicrmw {operator} ptr {self.place()}, i32 1 monotonic, align 4",
            f"{following} = add i32 {number}, 1",
            f"{last} = icmp eq i32 {following}, 2",
            f"br i1 {last}, label %{label}.end, label %{label}",
            f"{label}.end:",
        ]
        self.block = f"{label}.end"


def joining_program(seed: int) -> str:
    """Give a program of two threads whose ways part and come together."""
    chance = random.Random(seed)
    text = ["; EXISTS: true", *(f"@{name} = global i32 0" for name in "xyld"), "@a = global [2 x i32] zeroinitializer"]
    for number in range(2):
        thread = _Joining(chance, number)
        parts = (
            thread.diamond,
            thread.diamond,
            thread.attempt,
            thread.attempt,
            thread.rounds,
            thread.computed,
            thread.wait,
            thread.lock,
            thread.counter,
            thread.store,
            thread.plain,
        )
        for _ in range(chance.choice((2, 3, 4))):
            chance.choice(parts)()
            del thread.known[: -chance.choice((1, 1, 3))]
        body = (f"  {line}" for line in thread.lines)
        text += [f"define void @t{number}() {{", "entry:", *body, "  ret void", "}"]
    return "\n".join(text) + "\n"


def grown(text: str, model: str, record: int, names: tuple[str, ...] = ("@x", "@y", "@l")) -> Outcomes:
    test, selected = load_text(text, "joins.ll"), select(model, (), {})
    request = Request(test, selected, load_profile("generic"), names, timeout=3.0, record=record)
    return enumerate_test(request, Session(Tuning(grow_from=0, grow_dead_ends=1 << 40)))


@pytest.mark.parametrize("model", ["rc11", "llvm", "amdgpu"])
def test_generated_programs(model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether nodes have what is below them in common or not: the same is found, and less is unfolded.

    How much is explored may differ a little: what is known of a node is known of others like it, too.
    """
    expand_once, nodes, explored = tries.expand, dict[bool, int](), [0, 0]
    for seed in range(PROGRAMS):
        text, found = joining_program(seed), []
        for alike in (True, False):
            unfolded: list[int] = []

            def expand(*given: object, count: list[int] = unfolded) -> object:
                count.append(1)
                return expand_once(*given)  # type: ignore[arg-type]

            with monkeypatch.context() as patch:
                patch.setattr(tries, "expand", expand)
                if not alike:
                    patch.setattr(tries, "may_be_told", lambda test: False)
                found.append(grown(text, model, -1 if seed % 5 == 0 else 0))
            nodes[alike] = nodes.get(alike, 0) + len(unfolded)
        if "timeout" in (found[0].status, found[1].status):
            continue
        told = [(each.states, each.consistent, each.cut, each.flags) for each in found]
        assert told[0] == told[1], f"{seed}\n{text}"
        explored = [before + each.explored for before, each in zip(explored, found, strict=True)]
        shapes = [sorted(str(shape(one)) for one in each.executions) for each in found]
        assert shapes[0] == shapes[1], f"{seed}\n{text}"
    assert nodes[True] < 0.9 * nodes[False]
    assert explored[0] <= 1.01 * explored[1]


@pytest.mark.parametrize("model", ["rc11", "llvm", "amdgpu"])
def test_parts_do_not_multiply(model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A thread parts and joins ten times, with more events on one side: 1,024 paths, of 30 parts."""
    parts = list[str]()
    for n in range(10):
        parts += [
            f"%r{n} = load atomic i32, ptr @x{n} monotonic, align 4",
            f"%c{n} = icmp eq i32 %r{n}, 0",
            f"br i1 %c{n}, label %a{n}, label %b{n}",
            f"a{n}:",
            "store atomic i32 1, ptr @y monotonic, align 4",
            f"br label %b{n}",
            f"b{n}:",
        ]
    text = ["; EXISTS: true", "@y = global i32 0", *(f"@x{n} = global i32 0" for n in range(10))]
    text += ["define void @t0() {", "entry:", *parts, "ret void", "}", "define void @t1() {"]
    text += [*(f"store atomic i32 1, ptr @x{n} monotonic, align 4" for n in range(10)), "ret void", "}"]
    unfolded: list[int] = []
    expand_once = tries.expand
    monkeypatch.setattr(tries, "expand", lambda *given: unfolded.append(1) or expand_once(*given))
    found = grown("\n".join(text) + "\n", model, 0, ("@y",))
    assert (found.consistent, found.states) == (1024, {(0,): 1, (1,): 1023})
    assert len(unfolded) <= 30


ARBITRARY = """; EXISTS: true
@x = global i32 0
@y = global i32 0
define void @t0() {
  %f = freeze i32 undef
  %c = icmp eq i32 %f, 1
  %r = load atomic i32, ptr @x monotonic, align 4
  %d = icmp eq i32 %r, 1
  %e = and i1 %c, %d
  br i1 %e, label %a, label %b
a:
  store atomic i32 1, ptr @y monotonic, align 4
  br label %b
b:
  %s = load atomic i32, ptr @x monotonic, align 4
  %g = icmp eq i32 %s, 1
  br i1 %g, label %h, label %i
h:
  store atomic i32 2, ptr @y monotonic, align 4
  br label %i
i:
  ret void
}
define void @t1() {
  store atomic i32 1, ptr @x monotonic, align 4
  ret void
}
"""


@pytest.mark.parametrize("model", ["rc11", "llvm"])
def test_a_thread_that_begins_with_an_arbitrary_value(model: str) -> None:
    """Nothing comes before the node from which its ways part, and that is none of them."""
    found = grown(ARBITRARY, model, 0, ("@y",))
    assert (found.consistent, found.states) == (15, {(0,): 5, (2,): 10})


def test_a_thread_that_has_no_way_to_go() -> None:
    text = "; EXISTS: true\n@x = global i32 0\ndeclare void @llvm.assume(i1)\n"
    text += "define void @t0() {\n  call void @llvm.assume(i1 false)\n  ret void\n}\n"
    found = grown(text, "rc11", 0, ("@x",))
    assert (found.status, found.consistent, found.states) == ("complete", 0, {})


MATTERS = {
    "a part of a value that has decided": """@x = global i32 0
@y = global i32 0
@z = global i32 0
@p = global ptr @x
define void @t0() {
  %pair = cmpxchg ptr @p, ptr null, ptr null monotonic monotonic, align 8
  %a = extractvalue { ptr, i1 } %pair, 0
  %v = load atomic i32, ptr %a monotonic, align 4
  %c = load atomic i32, ptr @z monotonic, align 4
  %cc = icmp eq i32 %c, 0
  br i1 %cc, label %l, label %m
l:
  br label %m
m:
  %b = extractvalue { ptr, i1 } %pair, 0
  store atomic i32 1, ptr %b monotonic, align 4
  ret void
}
define void @t1() {
  store atomic ptr @y, ptr @p monotonic, align 8
  ret void
}
""",
    "a slot that is lent to a call": """@y = global [4 x i8] zeroinitializer
@z = global i32 0
@n = global i32 0
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define void @t0() {
  %s = alloca [4 x i8]
  %c = load atomic i32, ptr @z monotonic, align 4
  %cc = icmp eq i32 %c, 0
  br i1 %cc, label %a, label %b
a:
  store i8 1, ptr %s
  br label %join
b:
  store i8 2, ptr %s
  br label %join
join:
  %l = load atomic i32, ptr @n monotonic, align 4
  %len = zext i32 %l to i64
  call void @llvm.memcpy.p0.p0.i64(ptr @y, ptr %s, i64 %len, i1 false)
  ret void
}
define void @t1() {
  store atomic i32 1, ptr @z monotonic, align 4
  store atomic i32 1, ptr @n monotonic, align 4
  ret void
}
""",
    "where a value has been read that a loop tests": """@x = global i32 0
@y = global i32 0
@z = global i32 0
@w = global i32 0
define void @t0() {
entry:
  br label %loop
loop:
  %i = atomicrmw add ptr @w, i32 1 monotonic, align 4
  %c = load atomic i32, ptr @z monotonic, align 4
  %cc = icmp eq i32 %c, 0
  br i1 %cc, label %a, label %b
a:
  %r1 = load atomic i32, ptr @x monotonic, align 4
  br label %join
b:
  %r2 = load atomic i32, ptr @y monotonic, align 4
  br label %join
join:
  %r = phi i32 [ %r1, %a ], [ %r2, %b ]
  %d = icmp eq i32 %r, 1
  br i1 %d, label %out, label %loop
out:
  ret void
}
define void @t1() {
  store atomic i32 1, ptr @z monotonic, align 4
  ret void
}
""",
    "where it has been read before the loop": """@x = global i32 0
@y = global i32 0
@z = global i32 0
@w = global i32 0
define void @t0() {
entry:
  %c = load atomic i32, ptr @z monotonic, align 4
  %cc = icmp eq i32 %c, 0
  br i1 %cc, label %a, label %b
a:
  %r1 = load atomic i32, ptr @x monotonic, align 4
  br label %join
b:
  %r2 = load atomic i32, ptr @y monotonic, align 4
  br label %join
join:
  %r = phi i32 [ %r1, %a ], [ %r2, %b ]
  br label %loop
loop:
  %t = phi i32 [ %r, %join ], [ %n, %again ]
  %i = atomicrmw add ptr @w, i32 1 monotonic, align 4
  %d = icmp eq i32 %t, 1
  br i1 %d, label %out, label %again
again:
  %n = load atomic i32, ptr @x monotonic, align 4
  br label %loop
out:
  ret void
}
define void @t1() {
  store atomic i32 2, ptr @x monotonic, align 4
  store atomic i32 1, ptr @z monotonic, align 4
  ret void
}
""",
    "what a test is computed from": """@x = global i32 0
@z = global i32 0
@w = global i32 0
define void @t0() {
entry:
  br label %loop
loop:
  %i = atomicrmw add ptr @w, i32 1 monotonic, align 4
  %c = load atomic i32, ptr @z monotonic, align 4
  %cc = icmp eq i32 %c, 0
  br i1 %cc, label %a, label %b
a:
  br label %join
b:
  br label %join
join:
  %k = phi i32 [ 1, %a ], [ 2, %b ]
  %d = icmp eq i32 %k, 3
  %e = load atomic i32, ptr @x monotonic, align 4
  %f = icmp eq i32 %e, 0
  br i1 %f, label %l, label %m
l:
  br label %m
m:
  br i1 %d, label %out, label %loop
out:
  ret void
}
define void @t1() {
  store atomic i32 2, ptr @x monotonic, align 4
  store atomic i32 1, ptr @z monotonic, align 4
  ret void
}
""",
    "where a thread waits": """@x = global i32 0
@y = global i32 0
@z = global i32 0
define void @t0() {
entry:
  br label %loop
loop:
  %c = load atomic i32, ptr @z monotonic, align 4
  %cc = icmp eq i32 %c, 0
  br i1 %cc, label %a, label %b
a:
  %r1 = load atomic i32, ptr @x monotonic, align 4
  br label %join
b:
  %r2 = load atomic i32, ptr @y monotonic, align 4
  br label %join
join:
  %r = phi i32 [ %r1, %a ], [ %r2, %b ]
  %d = icmp eq i32 %r, 0
  br i1 %d, label %loop, label %out
out:
  ret void
}
define void @t1() {
  store i32 1, ptr @y, align 4
  store atomic i32 1, ptr @z monotonic, align 4
  ret void
}
""",
    "one value, or two that are equal": """@a = global [2 x i32] zeroinitializer
@x = global i32 0
@z = global i32 0
define void @t0() {
  %i = load atomic i32, ptr @x monotonic, align 4
  %w = zext i32 %i to i64
  %c = load atomic i32, ptr @z monotonic, align 4
  %cc = icmp eq i32 %c, 0
  br i1 %cc, label %l, label %m
l:
  %a1 = getelementptr [2 x i32], ptr @a, i64 0, i64 %w
  br label %j
m:
  %b1 = getelementptr [2 x i32], ptr @a, i64 0, i64 %w
  %b2 = getelementptr [2 x i32], ptr @a, i64 0, i64 %w
  br label %j
j:
  %r1 = phi ptr [ %a1, %l ], [ %b1, %m ]
  %r2 = phi ptr [ %a1, %l ], [ %b2, %m ]
  %v = load atomic i32, ptr %r1 monotonic, align 4
  store atomic i32 1, ptr %r2 monotonic, align 4
  ret void
}
define void @t1() {
  store atomic i32 1, ptr @x monotonic, align 4
  store atomic i32 1, ptr @z monotonic, align 4
  ret void
}
""",
    "what has been decided before a write that is left out": """@a = global [2 x i32] zeroinitializer
@x = global i32 0
@z = global i32 0
@l = global i32 0
@y = global i32 0
define void @t0() {
entry:
  %q = load atomic i32, ptr @x monotonic, align 4
  %w = zext i32 %q to i64
  %p = getelementptr [2 x i32], ptr @a, i64 0, i64 %w
  %c = load atomic i32, ptr %p monotonic, align 4
  %cc = icmp eq i32 %c, 0
  br i1 %cc, label %l, label %loop
l:
  %qq = icmp eq i32 %q, 0
  br i1 %qq, label %m, label %loop
m:
  br label %loop
loop:
  %v = atomicrmw or ptr @l, i32 0 monotonic, align 4
  %d = icmp eq i32 %v, 0
  br i1 %d, label %loop, label %out
out:
  store atomic i32 1, ptr @y monotonic, align 4
  ret void
}
define void @t1() {
  %g = load atomic i32, ptr @y monotonic, align 4
  store atomic i32 %g, ptr @x monotonic, align 4
  %h = load atomic i32, ptr @y monotonic, align 4
  %j = getelementptr i8, ptr @a, i64 4
  store atomic i32 %h, ptr %j monotonic, align 4
  store atomic i32 1, ptr @l monotonic, align 4
  ret void
}
""",
    "an address that others may know": """@p = global ptr null
@z = global i32 0
@h = global i32 0
declare ptr @malloc(i64)
define void @t0() {
entry:
  %n = call ptr @malloc(i64 8)
  %c = load atomic i32, ptr @z monotonic, align 4
  %cc = icmp eq i32 %c, 0
  br i1 %cc, label %a, label %b
a:
  store atomic ptr %n, ptr @p monotonic, align 8
  br label %join
b:
  store atomic ptr null, ptr @p monotonic, align 8
  br label %join
join:
  %r = load atomic i32, ptr @h monotonic, align 4
  br label %loop
loop:
  %o = phi i32 [ %r, %join ], [ %old, %loop ]
  store i32 %o, ptr %n, align 4
  %pair = cmpxchg ptr @h, i32 %o, i32 7 monotonic monotonic, align 4
  %old = extractvalue { i32, i1 } %pair, 0
  %d = extractvalue { i32, i1 } %pair, 1
  br i1 %d, label %out, label %loop
out:
  ret void
}
define void @t1() {
  store atomic i32 1, ptr @z monotonic, align 4
  store atomic i32 1, ptr @h monotonic, align 4
  store atomic i32 2, ptr @h monotonic, align 4
  store atomic i32 3, ptr @h monotonic, align 4
  ret void
}
define void @t2() {
  %q = load atomic ptr, ptr @p monotonic, align 8
  %c = icmp eq ptr %q, null
  br i1 %c, label %no, label %yes
yes:
  %v = load i32, ptr %q, align 4
  ret void
no:
  ret void
}
""",
}
"""Threads whose ways come to one place with something else that still matters; what it is says the name."""


@pytest.mark.parametrize("unroll", [1, 2])
@pytest.mark.parametrize("model", ["rc11", "llvm"])
@pytest.mark.parametrize("name", MATTERS)
def test_what_still_matters(name: str, model: str, unroll: int, monkeypatch: pytest.MonkeyPatch) -> None:
    test, selected = load_text("; EXISTS: true\n" + MATTERS[name], "matters.ll"), select(model, (), {})
    names = tuple(each.name for each in test.objects if each.name.startswith("@"))
    request = Request(test, selected, load_profile("generic"), names, unroll=unroll, record=-1)
    told = []
    for alike in (True, False):
        if not alike:
            monkeypatch.setattr(tries, "may_be_told", lambda test: False)
        found = enumerate_test(request, Session(Tuning(grow_from=0, grow_dead_ends=1 << 40)))
        shapes = sorted(str(shape(each)) for each in found.executions)
        told.append((found.status, found.states, found.consistent, found.cut, found.flags, shapes))
    assert told[0] == told[1]
