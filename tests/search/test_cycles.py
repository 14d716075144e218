"""Cycles of reads that threads run past: which ones are looked for where a model allows load buffering."""

from __future__ import annotations

import random

import pytest

from enumerator import check
from enumerator.frontend import load_text
from tests.generated.amounts import examples
from tests.search.generated import Tune
from tests.search.test_waits_in_vain import grown_as_listed

CREATES = """declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @pthread_join(i64, ptr)
"""

COUNTS = f"""{CREATES}@n = global i32 0
@m = global i32 0
define ptr @worker(ptr %0) {{
  %r = atomicrmw add ptr @n, i32 1 monotonic
  %s = cmpxchg ptr @m, i32 2, i32 3 monotonic monotonic
  ret ptr null
}}
define i32 @main() {{
  %t = alloca i64
  %r = cmpxchg ptr @n, i32 0, i32 1 monotonic monotonic
  %s = load atomic i32, ptr @m monotonic, align 4
  %u = add i32 %s, 2
  %v = cmpxchg ptr @m, i32 %s, i32 %u monotonic monotonic
  %c = call i32 @pthread_create(ptr %t, ptr null, ptr @worker, ptr null)
  %h = load i64, ptr %t
  %j = call i32 @pthread_join(i64 %h, ptr null)
  ret i32 0
}}
"""


@pytest.mark.parametrize("model", ["llvm", "amdgpu"])
def test_nothing_before_a_creation_waits_for_what_the_thread_does(model: str, tune: Tune) -> None:
    tune(grow_from=0)
    result = check(load_text(COUNTS, "counts.ll"), model)
    assert (result.status, result.consistent, result.explored) == ("complete", 1, 1)


TRIES = f"""{CREATES}@lock = global i32 0
@top = global i32 0
@stack = global [3 x i32] zeroinitializer
define ptr @worker(ptr %self) {{
  %said = cmpxchg ptr @lock, i32 0, i32 1 acquire monotonic
  %got = extractvalue {{ i32, i1 }} %said, 1
  br i1 %got, label %push, label %done
push:
  %n = load i32, ptr @top, align 4
  %more = add i32 %n, 1
  store i32 %more, ptr @top, align 4
  %place = getelementptr [3 x i32], ptr @stack, i64 0, i32 %n
  store i32 7, ptr %place, align 4
  store atomic i32 0, ptr @lock release, align 4
  br label %done
done:
  ret ptr null
}}
define i32 @main() {{
  %t = alloca i64
  %u = alloca i64
  %c = call i32 @pthread_create(ptr %t, ptr null, ptr @worker, ptr null)
  %d = call i32 @pthread_create(ptr %u, ptr null, ptr @worker, ptr null)
  %h = load i64, ptr %t
  %i = load i64, ptr %u
  %j = call i32 @pthread_join(i64 %h, ptr null)
  %k = call i32 @pthread_join(i64 %i, ptr null)
  ret i32 0
}}
"""


@pytest.mark.parametrize("model", ["llvm", "amdgpu"])
def test_a_place_that_is_read_is_in_its_object(model: str, tune: Tune) -> None:
    """Else the store to it might be one to the lock, whose reads would be undef then."""
    tune(grow_from=0, symmetry=False)
    result = check(load_text(TRIES, "tries.ll"), model)
    assert (result.status, result.consistent, result.explored, result.flags) == ("complete", 4, 4, ())


def _thread(chance: random.Random, name: str) -> str:
    """A function that tries to take a lock, by a known value or one that it has read, and writes by an index."""
    lines, count = list[str](), 0
    for number in range(chance.choice([1, 2])):
        place, ordering = chance.choice("xy"), chance.choice(["acquire", "monotonic", "acq_rel"])
        expected = str(chance.choice([0, 1]))
        if chance.random() < 0.4:
            lines.append(f"  %e{number} = load atomic i32, ptr @{place} monotonic, align 4")
            expected = f"%e{number}"
        lines += [
            f"  %s{number} = cmpxchg ptr @{place}, i32 {expected}, i32 {chance.choice([1, 2])} {ordering} monotonic",
            f"  %g{number} = extractvalue {{ i32, i1 }} %s{number}, 1",
            f"  br i1 %g{number}, label %go{number}, label %on{number}",
            f"go{number}:",
        ]
        for _ in range(chance.choice([1, 2])):
            count += 1
            kind = chance.choice(["index", "index", "constant"])
            if kind == "constant":
                lines.append(f"  store atomic i32 {chance.choice([0, 3])}, ptr @y monotonic, align 4")
                continue
            read, write = chance.choice(["", "atomic "]), chance.choice(["", "atomic "])
            lines += [
                f"  %i{count} = load {read}i32, ptr @n{' monotonic' if read else ''}, align 4",
                f"  %j{count} = and i32 %i{count}, 1",
                f"  %p{count} = getelementptr [2 x i32], ptr @a, i64 0, i32 %j{count}",
                f"  store {write}i32 1, ptr %p{count}{' monotonic' if write else ''}, align 4",
                f"  store atomic i32 1, ptr @n {chance.choice(['release', 'monotonic'])}, align 4",
            ]
        if chance.random() < 0.5:
            lines.append(f"  store atomic i32 0, ptr @{place} release, align 4")
        lines += [f"  br label %on{number}", f"on{number}:"]
    return f"define ptr @{name}(ptr %0) {{\n" + "\n".join(lines) + "\n  ret ptr null\n}\n"


def program(seed: int) -> str:
    """A program whose main function updates something, and creates two threads in between."""
    chance = random.Random(seed)
    before = "  %b = cmpxchg ptr @x, i32 0, i32 1 monotonic monotonic\n" if chance.random() < 0.5 else ""
    after = "  %a = atomicrmw add ptr @y, i32 1 monotonic\n" if chance.random() < 0.4 else ""
    create = "  %{0} = alloca i64\n  %c{0} = call i32 @pthread_create(ptr %{0}, ptr null, ptr @{0}, ptr null)\n"
    join = "  %h{0} = load i64, ptr %{0}\n  %j{0} = call i32 @pthread_join(i64 %h{0}, ptr null)\n"
    joins = "".join(join.format(name) for name in ("one", "two")) if chance.random() < 0.5 else ""
    body = before + create.format("one") + after + create.format("two") + joins
    return (
        f"{CREATES}@x = global i32 0\n@y = global i32 0\n@n = global i32 0\n@a = global [2 x i32] zeroinitializer\n"
        + "".join(_thread(chance, name) for name in ("one", "two"))
        + f"define i32 @main() {{\n{body}  ret i32 0\n}}\n"
    )


@pytest.mark.parametrize("model", ["llvm", "amdgpu", "c11_partialSC"])
def test_generated_programs_that_create_threads(model: str, tune: Tune) -> None:
    assert sum(grown_as_listed(program(seed), model, tune) for seed in range(examples(6))) > 0


KNOWN_LATER = """; EXISTS: true
@x = global i32 0
@y = global i32 0
define void @t0() {
  store atomic i32 1, ptr @x monotonic, align 4
  ret void
}
define void @t1() {
  %q = cmpxchg ptr @y, i32 0, i32 2 monotonic monotonic
  %r = extractvalue { i32, i1 } %q, 0
  %c = icmp eq i32 %r, 2
  br i1 %c, label %on, label %on
on:
  store atomic i32 1, ptr @x monotonic, align 4
  ret void
}
define void @t2() {
  %r = load atomic i32, ptr @x monotonic, align 4
  %q = cmpxchg ptr @x, i32 %r, i32 2 monotonic monotonic
  %s = extractvalue { i32, i1 } %q, 0
  store atomic i32 %s, ptr @y monotonic, align 4
  ret void
}
"""


@pytest.mark.parametrize("model", ["llvm", "amdgpu"])
def test_what_follows_a_compare_exchange_does_not_depend_on_what_that_expects(model: str, tune: Tune) -> None:
    """The thread runs past the load; the compare-exchange reads what is there, and what it has read is stored."""
    assert grown_as_listed(KNOWN_LATER, model, tune) == 19


def mixture(seed: int) -> str:
    """Two or three threads with plain and atomic accesses to three locations."""
    chance = random.Random(seed)
    text = "; EXISTS: true\n" + "".join(f"@{place} = global i32 0\n" for place in "xyz")
    return text + "".join(_mixture(chance, f"t{number}") for number in range(chance.choice([2, 2, 3])))


def _mixture(chance: random.Random, name: str) -> str:
    """A function of a few accesses, plain and atomic ones, with branches on what has been read, and stores of it."""
    lines, values = list[str](), list[str]()

    def branch(condition: str, number: int, store: str) -> list[str]:
        return [
            f"  br i1 {condition}, label %a{number}, label %b{number}",
            f"a{number}:",
            store,
            f"  br label %b{number}",
            f"b{number}:",
        ]

    for number in range(chance.choice([2, 2, 3, 3, 4])):
        place, atomic, kind = chance.choice("xyz"), chance.random() < 0.6, chance.random()
        if kind < 0.45:
            ordering = f" {chance.choice(['monotonic', 'monotonic', 'acquire'])}" if atomic else ""
            lines.append(f"  %r{number} = load {'atomic ' * atomic}i32, ptr @{place}{ordering}, align 4")
            values.append(f"%r{number}")
        elif kind < 0.55:
            expected = chance.choice(["0", "1", *values[-1:]])
            ordering = chance.choice(["monotonic", "acquire", "release"])
            new = chance.choice([1, 2, 3])
            lines.append(f"  %q{number} = cmpxchg ptr @{place}, i32 {expected}, i32 {new} {ordering} monotonic")
            lines.append(f"  %r{number} = extractvalue {{ i32, i1 }} %q{number}, 0")
            values.append(f"%r{number}")
            if chance.random() < 0.5:
                lines.append(f"  %o{number} = extractvalue {{ i32, i1 }} %q{number}, 1")
                store = f"  store atomic i32 {chance.choice([1, 2])}, ptr @{chance.choice('xyz')} monotonic, align 4"
                lines += branch(f"%o{number}", number, store)
        else:
            ordering = f" {chance.choice(['monotonic', 'monotonic', 'release'])}" if atomic else ""
            value = chance.choice([*values[-1:], "1", "2", "1"])
            store = f"  store {'atomic ' * atomic}i32 {value}, ptr @{place}{ordering}, align 4"
            if values and chance.random() < 0.5:
                lines.append(f"  %c{number} = icmp eq i32 {values[-1]}, {chance.choice([0, 1, 1, 2])}")
                lines += branch(f"%c{number}", number, store)
            else:
                lines.append(store)
    return f"define void @{name}() {{\n" + "\n".join(lines) + "\n  ret void\n}\n"


@pytest.mark.parametrize("model", ["llvm", "amdgpu", "c11_partialSC"])
def test_generated_mixtures(model: str, tune: Tune) -> None:
    for seed in range(examples(25)):
        grown_as_listed(mixture(seed), model, tune)
