"""The code ahead of a thread, followed with the values that it has computed: what it may still write, and no less."""

from __future__ import annotations

import random

import pytest

from enumerator import check
from enumerator.frontend import load_text
from enumerator.unfold import later
from tests.generated.amounts import examples
from tests.search.test_growing_waits import Thread
from tests.search.test_joining import grown

PROGRAMS = examples(36)


class _Sweeps(Thread):
    """Writes a function of loops over the elements of an array."""

    def __init__(self, chance: random.Random, number: int, *, slots: bool = False, told: bool = False) -> None:
        super().__init__(chance, number)
        self.numbers, self.slots, self.told = ["%me"], slots, told

    def place(self) -> str:
        return self.element("%me")

    def element(self, number: str) -> str:
        """Compute an address from a number."""
        moved, index, address = self.name(), self.name(), self.name()
        if self.told and self.chance.random() < 0.5:  # by a table of constants
            self.lines += [
                f"{moved} = and i32 {number}, 3",
                f"{moved}.to = getelementptr [4 x i32], ptr @to, i32 0, i32 {moved}",
                f"{index} = load i32, ptr {moved}.to, align 4",
                f"{address} = getelementptr [4 x i32], ptr @a, i32 0, i32 {index}",
            ]
            return address
        operator, by = self.chance.choice((("add", "1"), ("mul", "2"), ("shl", "1"), ("xor", "3"), ("add", "%me")))
        self.lines += [
            f"{moved} = {operator} i32 {number}, {by}",
            f"{index} = and i32 {moved}, 3",
            f"{address} = getelementptr [4 x i32], ptr @a, i32 0, i32 {index}",
        ]
        return address

    def access(self, number: str) -> str:
        """Access an element; give what was read, if anything."""
        address, name = self.element(number), self.name()
        match self.chance.choice("lrxs"):
            case "l":
                self.lines.append(f"{name} = load atomic i32, ptr {address} acquire, align 4")
            case "r":
                self.lines.append(f"{name} = atomicrmw add ptr {address}, i32 1 monotonic, align 4")
            case "x":
                pair = self.name()
                self.lines += [
                    f"{pair} = cmpxchg ptr {address}, i32 0, i32 {number} acq_rel monotonic, align 4",
                    f"{name} = extractvalue {{ i32, i1 }} {pair}, 0",
                ]
            case _:
                self.lines.append(f"store atomic i32 {number}, ptr {address} release, align 4")
                return number
        return name

    def sweep(self) -> None:
        """A loop that counts; what it reads may end it, or say how it counts."""
        before, label = self.block, f"s{len(self.lines)}"
        number, following, last, ends = (self.name() for _ in range(4))
        start = self.chance.choice(("0", "1", *self.numbers))
        slot = f"%in.{label}"
        if self.slots:  # the count stands in a stack slot
            self.lines.insert(0, f"{slot} = alloca i32")
            self.lines.append(f"store i32 {start}, ptr {slot}")
        self.begin(label)
        place = len(self.lines)
        found = self.access(number)
        if self.chance.random() < 0.4:  # what was read ends the loop
            self.lines += [
                f"{ends} = icmp eq i32 {found}, {self.chance.choice('012')}",
                f"br i1 {ends}, label %{label}.end, label %{label}.on",
                f"{label}.on:",
            ]
            self.block = f"{label}.on"
        by = self.chance.choice(("1", "1", "1", "2", found))
        bound = self.chance.choice(("2", "2", "3"))
        counted = f"{number} = phi i32 [ {start}, %{before} ], [ {following}, %{self.block} ]"
        self.lines.insert(place, f"{number} = load i32, ptr {slot}" if self.slots else counted)
        self.lines += [
            f"{following} = add i32 {number}, {by}",
            *([f"store i32 {following}, ptr {slot}"] if self.slots else []),
            f"{last} = icmp slt i32 {following}, {bound}",
            f"br i1 {last}, label %{label}, label %{label}.end",
            f"{label}.end:",
        ]
        self.block = f"{label}.end"
        self.numbers = self.numbers[:2]

    def single(self) -> None:
        """One access, of an element that may have been read."""
        found = self.access(self.chance.choice(self.numbers))
        if found != "%me" and self.chance.random() < 0.5:
            self.numbers.append(found)

    def of_one(self) -> None:
        """An access that one of the threads has."""
        mine, label = self.name(), f"o{len(self.lines)}"
        self.lines += [
            f"{mine} = icmp eq i32 %me, {self.chance.choice('01')}",
            f"br i1 {mine}, label %{label}, label %{label}.end",
            f"{label}:",
        ]
        self.access("%me")
        self.begin(f"{label}.end")


def sweeping_program(seed: int) -> str:
    """Give a program of two threads; every other one counts in stack slots."""
    chance = random.Random(seed)
    text = ["; THREADS: P0=@t0(i32 0) P1=@t1(i32 1)", "; EXISTS: true", "@a = global [4 x i32] zeroinitializer"]
    text.append("@to = constant [4 x i32] [i32 2, i32 3, i32 1, i32 0]")
    for number in range(2):
        function = _Sweeps(chance, number, slots=seed % 2 == 1, told=seed % 3 == 1)
        parts = [function.sweep, function.sweep, function.single, function.wait]
        parts += [function.of_one] if seed % 3 == 1 else []
        for _ in range(chance.choice((2, 2, 3))):
            chance.choice(parts)()
        body = (f"  {line}" for line in function.lines)
        text += [f"define void @t{number}(i32 %me) {{", "entry:", *body, "  ret void", "}"]
    return "\n".join(text) + "\n"


@pytest.mark.parametrize("model", ["rc11", "llvm", "amdgpu"])
def test_generated_programs(model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether code is followed or not: the same is found, and with no more dead ends in all."""
    explored, told, followed_once = [0, 0], 0, later.follow
    for seed in range(PROGRAMS):
        text, found = sweeping_program(seed), []
        for followed in (True, False):
            results = list[object]()

            def follow(
                *given: object, to_barriers: bool, yes: bool = followed, results: list[object] = results
            ) -> object:
                results.append(followed_once(*given, to_barriers=to_barriers) if yes else None)  # type: ignore[arg-type]
                return results[-1]

            monkeypatch.setattr(later, "follow", follow)
            found.append(grown(text, model, 0, ("@a[0]", "@a[1]", "@a[2]", "@a[3]")))
            told += sum(each is not None for each in results)
        if "timeout" in (found[0].status, found[1].status):
            continue
        said = [(each.states, each.consistent, each.cut, each.flags) for each in found]
        assert said[0] == said[1], f"{seed}\n{text}"
        explored = [before + each.explored for before, each in zip(explored, found, strict=True)]
    assert told > PROGRAMS
    assert explored[0] <= explored[1]


BARRIER = """; THREADS: {threads}
; EXISTS: true
@f = global [2 x [4 x i32]] zeroinitializer
define void @arrive(i32 %me) {{
entry:
  br label %round
round:
  %r = phi i32 [ 0, %entry ], [ %r.next, %rounded ]
  br label %step
step:
  %k = phi i32 [ 0, %round ], [ %k.next, %stepped ]
  %d = shl i32 1, %k
  %to = add i32 %me, %d
  %other = urem i32 %to, 4
  %theirs = getelementptr [2 x [4 x i32]], ptr @f, i32 0, i32 %k, i32 %other
  %mine = getelementptr [2 x [4 x i32]], ptr @f, i32 0, i32 %k, i32 %me
  %t = atomicrmw add ptr %theirs, i32 1 release, align 4
  br label %wait
wait:
  %v = load atomic i32, ptr %mine acquire, align 4
  %on = icmp sgt i32 %v, %r
  br i1 %on, label %stepped, label %wait
stepped:
  %k.next = add i32 %k, 1
  %more = icmp slt i32 %k.next, 2
  br i1 %more, label %step, label %rounded
rounded:
  %r.next = add i32 %r, 1
  %again = icmp slt i32 %r.next, 2
  br i1 %again, label %round, label %done
done:
  ret void
}}
"""


@pytest.mark.parametrize("model", ["rc11", "llvm", "amdgpu"])
def test_a_dissemination_barrier(model: str) -> None:
    """In each step a thread tells another one: it waits for nobody who has told it already, nor writes elsewhere."""
    text = BARRIER.format(threads=" ".join(f"P{n}=@arrive(i32 {n})" for n in range(4)))
    found = grown(text, model, 0, ("@f[0]",))
    assert (found.status, found.consistent, found.flags) == ("complete", 39, frozenset())
    assert found.explored <= 45


CALLS = """; EXISTS: true
@a = global [4 x i32] zeroinitializer
@b = global [4 x i32] zeroinitializer
@x = global i32 0
define i32 @following(i32 %i) {
  %v = load atomic i32, ptr @x monotonic, align 4
  %c = icmp eq i32 %v, 1
  br i1 %c, label %seen, label %done
seen:
  store atomic i32 2, ptr @x monotonic, align 4
  br label %done
done:
  %r = add i32 %i, 1
  ret i32 %r
}
define void @t0() {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %loop ]
  %q = getelementptr [4 x i32], ptr @b, i32 0, i32 %i
  store atomic i32 1, ptr %q monotonic, align 4
  %k = call i32 @following(i32 %i)
  %p = getelementptr [4 x i32], ptr @a, i32 0, i32 %k
  store atomic i32 1, ptr %p monotonic, align 4
  %n = add i32 %i, 1
  %more = icmp slt i32 %n, 2
  br i1 %more, label %loop, label %end
end:
  ret void
}
define void @t1() {
  %r = load atomic i32, ptr getelementptr ([4 x i32], ptr @a, i32 0, i32 2) monotonic, align 4
  store atomic i32 1, ptr @x monotonic, align 4
  ret void
}
"""


@pytest.mark.parametrize("model", ["rc11", "llvm", "amdgpu"])
def test_a_call_that_has_not_returned(model: str) -> None:
    """What it gave in the iteration before does not tell where this one writes."""
    test = load_text(CALLS, "calls.ll")
    found, plain = grown(CALLS, model, 0, ("t1:%r",)), check(test, model, engine="networkx")
    assert found.consistent == plain.consistent
    assert len(found.states) == 2
