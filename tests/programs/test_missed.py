"""Barriers that a wave never comes to, as it has ended: the others of its workgroup do not leave them."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from enumerator import check
from enumerator.frontend import load_text
from enumerator.program.test import Test
from tests.generated.engines import answer
from tests.literal import all_names

HEAD = """; SCOPES: (system (agent (cluster {waves})))
; {condition}
@x = global i32 0
@y = global i32 0
declare void @llvm.amdgcn.s.barrier()
declare void @llvm.amdgcn.s.barrier.signal(i32)
declare void @llvm.amdgcn.s.barrier.wait(i16)
declare void @llvm.amdgcn.s.cluster.barrier()
declare void @llvm.trap()
"""
BARRIER = "call void @llvm.amdgcn.s.barrier()"
HALVES = "call void @llvm.amdgcn.s.barrier.signal(i32 -1)\n  call void @llvm.amdgcn.s.barrier.wait(i16 -1)"
READ = "%r = load atomic i32, ptr @{of} monotonic, align 4\n  %set = icmp eq i32 %r, 1"
FAILS = f"{READ}\n  br i1 %set, label %a, label %b\na:\n  call void @llvm.trap()\n  unreachable\nb:"
ENDS = FAILS.replace("call void @llvm.trap()\n  ", "")  # undefined: the literal enumerator knows no assertions
SETS = "store atomic i32 1, ptr @{of} monotonic, align 4"
WAITS = f"br label %l\nl:\n  {READ}\n  br i1 %set, label %e, label %l\ne:"


def program(*threads: str, condition: str = "NEVER: assert", groups: bool = False) -> Test:
    """Threads in waves of one workgroup, or in workgroups of one cluster."""
    functions = [f"define void @t{n}() {{\n  {body}\n  ret void\n}}\n" for n, body in enumerate(threads)]
    waves = " ".join(f"({'workgroup' if groups else 'wavefront'} t{n})" for n in range(len(threads)))
    waves = waves if groups else f"(workgroup {waves})"
    return load_text(HEAD.format(condition=condition, waves=waves) + "".join(functions), "missed.ll")


@pytest.mark.parametrize("engine", ("bitset", "networkx", "auto"))
@pytest.mark.parametrize("barrier", (BARRIER, HALVES), ids=("whole", "halves"))
@pytest.mark.parametrize("model", ("llvm", "amdgpu"))
def test_what_is_behind_a_barrier_does_not_decide_who_comes_to_it(model: str, barrier: str, engine: str) -> None:
    sets, fails = SETS.format(of="x"), FAILS.format(of="x")
    found = check(program(f"{barrier}\n  {sets}", f"{fails}\n  {barrier}"), model, engine=engine)
    assert (found.observation, found.flags, found.consistent) == ("Never", (), 1)
    before = check(program(f"{sets}\n  {barrier}", f"{fails}\n  {barrier}"), model, engine=engine)
    assert (before.observation, before.flags) == ("Sometimes", ("assert",))


def test_what_is_behind_is_not_there() -> None:
    """The state of an execution in which an assertion fails has no store of who stays at the barrier."""
    sets, fails = SETS.format(of="x"), FAILS.format(of="y").replace("eq", "ne")
    test = program(f"{BARRIER}\n  {sets}", f"{fails}\n  {BARRIER}", condition="EXISTS: @x = 1 /\\ assert")
    found = check(test, "amdgpu")
    assert (found.observation, found.flags) == ("Never", ("assert",))


@pytest.mark.parametrize("model", ("llvm", "amdgpu"))
def test_data_that_is_read_between_two_barriers(model: str) -> None:
    """The read decides whether its thread comes to the second barrier; what is written behind it does not race."""
    gives = f"store i32 1, ptr @x\n  {BARRIER}\n  {BARRIER}\n  store i32 0, ptr @x"
    takes = f"{BARRIER}\n  %r = load i32, ptr @x\n  %set = icmp eq i32 %r, 1\n  br i1 %set, label %a, label %b\n"
    takes += f"a:\n  {SETS.format(of='y')}\n  br label %b\nb:\n  {BARRIER}"
    fences = (BARRIER, f"fence release\n  {BARRIER}\n  fence acquire")
    found = check(program(gives.replace(*fences), takes.replace(*fences)), model)
    assert (found.verdict, found.flags) == ("Ok", ())
    raced = check(program(gives.replace(*fences, 1), takes.replace(*fences, 1)), model)
    assert "race" in raced.flags or "ub-undef" in raced.flags


@pytest.mark.parametrize("engine", ("bitset", "networkx"))
def test_who_waits_for_what_is_behind_waits_for_ever(engine: str) -> None:
    waits, sets = WAITS.format(of="x"), SETS.format(of="x")
    found = check(program(f"{BARRIER}\n  {sets}", f"{waits}\n  {BARRIER}"), "amdgpu", engine=engine)
    assert (found.observation, found.flags, found.states) == ("Never", ("stuck",), ())
    third = f"{BARRIER}\n  {FAILS.format(of='y')}"
    found = check(program(f"{BARRIER}\n  {SETS.format(of='y')}", waits, third), "amdgpu", engine=engine)
    assert (found.observation, found.flags) == ("Never", ("stuck",))


RETURNS = FAILS.replace("call void @llvm.trap()\n  unreachable", "{then}ret void")


@pytest.mark.parametrize("engine", ("bitset", "networkx", "auto"))
@pytest.mark.parametrize("model", ("llvm", "amdgpu"))
def test_who_returns_is_not_told_to_by_what_is_behind_its_next_barrier(model: str, engine: str) -> None:
    """A wave would return early only by a flag that is set behind the barrier that it would not come to then."""
    sets = f"{SETS.format(of='x')}\n  store i32 1, ptr @y"
    leaves = RETURNS.format(of="x", then="%v = load i32, ptr @y\n  ")
    two = f"{BARRIER}\n  {BARRIER}"
    found = check(program(f"{two}\n  {sets}", f"{BARRIER}\n  {leaves}\n  {BARRIER}"), model, engine=engine)
    assert (found.verdict, found.flags, found.consistent) == ("Ok", (), 1)
    between = f"{BARRIER}\n  {SETS.format(of='x')}\n  {BARRIER}"
    found = check(program(between, f"{BARRIER}\n  {leaves}\n  {BARRIER}"), model, engine=engine)
    assert (found.verdict, found.flags) == ("Undef", ("ub", "ub-barrier"))


@pytest.mark.parametrize("engine", ("bitset", "networkx", "auto"))
def test_where_one_has_returned_what_is_behind_does_not_race(engine: str) -> None:
    data = "store i32 1, ptr @y"
    found = check(program(f"{BARRIER}\n  {data}", data), "amdgpu", engine=engine)
    assert (found.verdict, found.flags) == ("Undef", ("ub", "ub-barrier"))


@pytest.mark.parametrize("seed", range(30))
def test_a_barrier_of_waves_is_as_that_of_a_cluster(seed: int) -> None:
    """Waves that may return early meet as workgroups of a cluster do, each of one wave, at its barrier object."""
    random = Random(seed)
    waves = [wave(random, waits=False).replace("unreachable", "ret void") for _ in range(random.choice((2, 2, 3)))]
    plain = check(program(*waves), "llvm")
    text = [
        each.replace(HALVES, BARRIER).replace(BARRIER, "call void @llvm.amdgcn.s.cluster.barrier()") for each in waves
    ]
    objects = check(program(*text, groups=True), "llvm")
    assert plain.flags == objects.flags
    assert plain.states == objects.states or "ub" in plain.flags


PARTS = {
    "sets x": SETS.format(of="x"),
    "sets y": SETS.format(of="y"),
    "ends": ENDS.format(of="x"),
    "ends by y": ENDS.format(of="y"),
    "reads": "%v = load i32, ptr @y",
    "writes": "store i32 1, ptr @y",
    "branches": "%r = load i32, ptr @y\n  %set = icmp eq i32 %r, 1\n  br i1 %set, label %b, label %a\na:\n"
    "  br label %b\nb:",
}
PAIRS = sorted(product(sorted(PARTS), repeat=2))


@pytest.mark.parametrize("first", PAIRS, ids="-".join)
def test_engines_agree(first: tuple[str, str]) -> None:
    """Two threads, each with a part before its barrier and one behind it; the second is compared with all others."""
    for number, second in enumerate(PAIRS):
        if number % 7 != PAIRS.index(first) % 7:
            continue
        bodies = [f"{PARTS[one]}\n  {BARRIER}\n  {renamed(PARTS[two])}" for one, two in (first, second)]
        test = program(*bodies)
        names = all_names(test, 1)
        literal, plain, fast = (answer(each, test, names, model="amdgpu", unroll=1) for each in ENGINES)
        assert literal == plain == fast, (first, second)


ENGINES = ("literal", "networkx", "bitset")


def renamed(part: str) -> str:
    """A part with other registers and blocks."""
    for name in ("r", "set", "v"):
        part = part.replace(f"%{name} ", f"%{name}2 ").replace(f"%{name},", f"%{name}2,")
    for block in "abc":
        part = part.replace(f"\n{block}:", f"\n{block}2:").replace(f"label %{block}", f"label %{block}2")
    return part


def test_a_store_behind_a_barrier_that_is_never_passed() -> None:
    """Whatever the first thread reads, it does not come to the second barrier: the store behind that is not there."""
    first = f"{BARRIER}\n  {ENDS.format(of='x').replace('i32 %r, 1', 'i32 %r, 0')}"
    second = (
        f"{WAITS.format(of='y').replace('i32 %r, 1', 'i32 %r, 0')}\n  {HALVES}\n  {BARRIER}\n  {SETS.format(of='x')}"
    )
    test = program(first, second)
    names = all_names(test, 1)
    answers = [answer(each, test, names, model="llvm", unroll=1) for each in ENGINES]
    assert answers[0] == answers[1] == answers[2]
    assert answers[0] is not None and answers[0].flags == {"ub", "ub-unreachable"}


@pytest.mark.parametrize("seed", range(40))
def test_generated_waves(seed: int) -> None:
    """Two or three waves with up to two barriers, around each of which they store, wait, or may end."""
    random = Random(seed)
    waits = random.random() < 0.4
    waves = [wave(random, waits) for _ in range(random.choice((2, 2, 3)))]
    test, model = program(*waves), ("llvm", "amdgpu")[seed % 2]
    if len(waves) > 2:
        plain, fast = (check(test, model, engine=each, unroll=1) for each in ENGINES[1:])
        assert (plain.states, plain.flags, plain.consistent) == (fast.states, fast.flags, fast.consistent)
        return
    names = all_names(test, 1)
    literal, plain_answer, fast_answer = (answer(each, test, names, model=model, unroll=1) for each in ENGINES)
    assert literal == plain_answer == fast_answer


def wave(random: Random, waits: bool) -> str:
    """The code of a wave; where waves wait, nothing is stored plainly that they could wait for."""
    barriers, parts = random.randint(1, 2), list[str]()
    for number in range(barriers + 1):
        of, n = random.choice("xy"), number + 1
        part = random.choice(["reads", "sets x", "ends", "branches", "", *(["waits"] if waits else ["writes", "ends"])])
        text = WAITS.format(of=of) if part == "waits" else PARTS.get(part, "").replace("@x", f"@{of}")
        for name in ("r", "set", "v"):
            text = text.replace(f"%{name} ", f"%{name}{n} ").replace(f"%{name},", f"%{name}{n},")
        for block in "abcle":
            text = text.replace(f"\n{block}:", f"\n{block}{n}:").replace(f"label %{block}", f"label %{block}{n}")
        parts.append(text)
        if number < barriers:
            before, after = (random.random() < 0.4 for _ in range(2))
            parts += ["fence release"] * before + [random.choice((BARRIER, HALVES))] + ["fence acquire"] * after
    return "\n  ".join(filter(None, parts))
