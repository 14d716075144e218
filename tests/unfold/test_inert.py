"""What functions compute in vain, and loops that wait although something differs in each attempt."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from enumerator import check, load
from enumerator.frontend import load_text
from enumerator.unfold import unfold
from enumerator.unfold.inert import Inert, inert_of
from tests.generated.amounts import examples

LOCK = """; EXISTS: ~ @c = 2
@l = global i32 0
@c = global i32 0
@seen = global i32 0
define {returned} @count() {{
entry:
  %i = alloca i32
  br label %try
try:
  %far = phi i32 [ 1, %entry ], [ %twice, %same ]
  %taken = cmpxchg ptr @l, i32 0, i32 1 acquire monotonic
  %free = extractvalue {{ i32, i1 }} %taken, 1
  br i1 %free, label %inside, label %pause
pause:
  store i32 0, ptr %i
  br label %counting
counting:
  %n = load i32, ptr %i
  %next = add i32 %n, 1
  store i32 %next, ptr %i
  %more = icmp slt i32 %next, %far
  br i1 %more, label %counting, label %again
again:
  {event}
  %short = icmp slt i32 %far, 64
  br i1 %short, label %further, label %same
further:
  br label %same
same:
  %by = phi i32 [ 0, %again ], [ 1, %further ]
  %twice = shl i32 %far, %by
  br label %try
inside:
  %r = load i32, ptr @c
  %s = add i32 %r, 1
  store i32 %s, ptr @c
  store atomic i32 0, ptr @l {release}, align 4
  ret {result}
}}
; THREADS: a=@count() b=@count()
"""
COUNTED = {"far", "n", "next", "more", "short", "by", "twice"}


def lock(returned: str = "void", result: str = "void", event: str = "", release: str = "release") -> str:
    """Two threads that count in a lock, and back off."""
    return LOCK.format(returned=returned, result=result, event=event, release=release)


def found(text: str, shown: frozenset[str] = frozenset()) -> Inert:
    functions = load_text(text, "lock.ll").functions
    return inert_of(functions["count"], shown, functions)


def test_a_pause_is_computed_in_vain() -> None:
    inert = found(lock())
    assert inert.registers >= COUNTED and inert.slots == {"i"}
    assert inert.branches == {"counting", "again"}


@pytest.mark.parametrize(
    ("returned", "result", "event"),
    [
        ("i32", "i32 %far", ""),
        ("void", "void", "store atomic i32 %far, ptr @seen monotonic, align 4"),
        ("void", "void", "%q = udiv i32 7, %far"),
        ("void", "void", "store i32 %far, ptr getelementptr (i8, ptr @seen, i64 0)"),
    ],
)
def test_what_others_see_is_not(returned: str, result: str, event: str) -> None:
    inert = found(lock(returned, result, event))
    assert inert.registers.isdisjoint({"far", "by", "twice", "short"}) and "again" not in inert.branches
    assert "counting" in inert.branches and inert.slots == {"i"}  # how far it counts, nobody sees


def test_what_results_show_is_not() -> None:
    inert = found(lock(), frozenset({"next"}))
    assert inert.slots == set() and "next" not in inert.registers


@pytest.mark.parametrize(("body", "quiet"), [("ret i32 0", True), ("store i32 1, ptr @seen\n  ret i32 0", False)])
def test_calls_of_what_others_do_not_notice(body: str, quiet: bool) -> None:
    text = lock(event="%p = call i32 @pause()").replace("further:\n", "further:\n  %q = call i32 @pause()\n")
    inert = found(f"{text}define i32 @pause() {{\n  {body}\n}}\n")
    assert ("again" in inert.branches, "far" in inert.registers, "p" in inert.registers) == (quiet, quiet, quiet)


def test_a_branch_before_an_access_decides() -> None:
    text = lock().replace("further:\n", "further:\n  store atomic i32 1, ptr @seen monotonic, align 4\n")
    assert found(text).branches == {"counting"} and "far" not in found(text).registers


@pytest.mark.parametrize("model", ["rc11", "llvm", "amdgpu"])
@pytest.mark.parametrize("release", ["release", "monotonic"])
def test_a_lock_that_backs_off_waits(model: str, release: str) -> None:
    """Its executions are those of a lock that does not back off."""
    backs_off = lock(release=release)
    spins = backs_off.replace("label %inside, label %pause", "label %inside, label %spin")
    spins = spins.replace("pause:\n", "spin:\n  br label %try\npause:\n").replace(
        "%twice, %same ]\n  %taken", "%twice, %same ], [ 1, %spin ]\n  %taken"
    )
    results = [check(load_text(text, "lock.ll"), model) for text in (backs_off, spins)]
    assert results[0].cut == 0 and results[0].status == "complete"
    one, other = ((list(each.states), each.consistent, each.flags) for each in results)
    assert one == other
    assert results[0].observation == ("Never" if release == "release" else "Sometimes")


CAST = """; FORALL: @n = 2
; LAUNCH: @count() workgroups=2
@l = addrspace(1) global i32 0
@n = addrspace(1) global i32 0
define void @count() {
entry:
  %far = alloca i32, addrspace(5)
  %i = alloca i32, addrspace(5)
  %one = alloca i32, addrspace(5)
  %far.cast = addrspacecast ptr addrspace(5) %far to ptr
  %i.cast = addrspacecast ptr addrspace(5) %i to ptr
  %one.cast = addrspacecast ptr addrspace(5) %one to ptr
  store i32 1, ptr %far.cast
  br label %try
try:
  store i32 1, ptr %one.cast
  %taking = load i32, ptr %one.cast
  %taken = atomicrmw xchg ptr addrspace(1) @l, i32 %taking syncscope("agent") acquire
  %busy = icmp ne i32 %taken, 0
  br i1 %busy, label %pause, label %inside
pause:
  store i32 0, ptr %i.cast
  br label %counting
counting:
  %passed = load i32, ptr %i.cast
  %limit = load i32, ptr %far.cast
  %more = icmp slt i32 %passed, %limit
  br i1 %more, label %next, label %again
next:
  %following = add i32 %passed, 1
  store i32 %following, ptr %i.cast
  br label %counting
again:
  %twice = mul i32 %limit, 2
  store i32 %twice, ptr %far.cast
  br label %try
inside:
  %r = load i32, ptr addrspace(1) @n
  %s = add i32 %r, 1
  store i32 %s, ptr addrspace(1) @n
  store atomic i32 0, ptr addrspace(1) @l syncscope("agent") release, align 4
  ret void
}
"""


@pytest.mark.parametrize("model", ["rc11", "llvm", "amdgpu"])
def test_slots_in_another_address_space_are_no_memory(model: str) -> None:
    """Clang casts the address of each of AMDGPU's slots to a generic pointer, where it does not optimize."""
    result = check(load_text(CAST, "cast.ll"), model)
    assert (result.verdict, result.flags, result.cut, result.positive) == ("Ok", (), 0, 2)


def test_how_far_a_pause_goes_is_not_asked() -> None:
    """A loop in which nothing happens is left at once where its end rests on what was read."""
    path = Path(__file__).parents[2] / "litmus_tests" / "waiting" / "ticket-lock+backoff.ll"
    paths = unfold(load(path), undef=False, asked=frozenset()).paths[0]
    assert {(path.end, len(path.events)) for path in paths} == {("return", 6), ("stuck", 3)}


def test_a_variable_that_a_loop_changes_is_seen_after_it() -> None:
    """C's variables are assigned again and again, without a phi that says which assignment counts."""
    text = "C counts\n{ atomic_int flag; }\nP0 (atomic_int *flag) {\n  int i = 0;\n"
    text += "  while (i < 2 && !atomic_load_explicit(flag, memory_order_relaxed)) i++;\n  int r = i;\n}\n"
    text += "P1 (atomic_int *flag) { atomic_store_explicit(flag, 1, memory_order_relaxed); }\nexists (0:r=2)\n"
    assert check(load_text(text, "counts.litmus"), "rc11").observation == "Sometimes"


REPEATED = """; FORALL: @x = 3
@x = global i32 0
define void @count() {
entry:
  br label %loop
loop:
  %old = atomicrmw add ptr @x, i32 1 monotonic
  %i = load atomic i32, ptr @x monotonic, align 4
  %more = icmp slt i32 %i, 3
  br i1 %more, label %cleanup, label %ret
cleanup:
  br i1 %more, label %loop, label %ret
ret:
  ret void
}
"""


def test_a_branch_that_decides_whether_another_one_runs_decides() -> None:
    assert found(REPEATED).branches == frozenset()
    assert check(load_text(REPEATED, "repeated.ll"), "sc", unroll=4).verdict == "Ok"


def written(chance: Random) -> tuple[str, dict[str, tuple[str, str, list[str]]]]:
    """Write a loop whose blocks branch on what its first block has computed; give also what each block does."""
    names = [f"b{n}" for n in range(chance.randint(2, 5))]
    blocks = dict[str, tuple[str, str, list[str]]]()
    lines = []
    for number, name in enumerate(["loop", *names]):
        after = [*names[number:], *names[number:]]
        does = chance.choice(["", "", "y", "slot"]) if number else "count"
        condition = chance.choice(["", "c0", "c1", "c2", "c2", "kept"])
        targets = [chance.choice([*after, "loop"])]
        targets += [chance.choice([each for each in (*after, "ret") if each not in targets])] if condition else []
        blocks[name] = does, condition, targets
        lines.append(f"{name}:")
        if not number:
            lines += ["%old = atomicrmw add ptr @x, i32 1 monotonic", "%i = load atomic i32, ptr @x monotonic, align 4"]
            lines += [f"%c{most} = icmp slt i32 %i, {most + 2}" for most in range(3)]
        if does == "y":
            lines.append(f"%o{number} = atomicrmw add ptr @y, i32 1 monotonic")
        elif does == "slot":
            lines.append("store i32 %i, ptr %slot")
        if condition == "kept":
            lines += [f"%k{number} = load i32, ptr %slot", f"%t{number} = icmp slt i32 %k{number}, 2"]
        taken = f"t{number}" if condition == "kept" else condition
        to = [f"label %{each}" for each in targets]
        lines.append(f"br i1 %{taken}, {', '.join(to)}" if condition else f"br {to[0]}")
    body = "\n".join(f"  {line}" for line in lines)
    return START.format(body=body), blocks


START = """; EXISTS: @x = 0 /\\ @y = 0
@x = global i32 0
@y = global i32 0
define void @count() {{
  %slot = alloca i32
  store i32 0, ptr %slot
  br label %loop
{body}
ret:
  ret void
}}
"""


def ran(blocks: dict[str, tuple[str, str, list[str]]], most: int) -> tuple[int, int] | None:
    """Run it: what x and y hold at the end; None if it does not end soon."""
    x = y = slot = 0
    name = "loop"
    while name != "ret":
        does, condition, targets = blocks[name]
        x, y, slot = x + (does == "count"), y + (does == "y"), x if does == "slot" else slot
        if x > most:
            return None
        holds = slot < 2 if condition == "kept" else not condition or x < int(condition[1]) + 2
        name = targets[0 if holds else 1]
    return x, y


def test_generated_loops_do_what_they_say() -> None:
    some = 0
    for seed in range(examples(150)):
        text, blocks = written(Random(seed))
        expected = ran(blocks, 5)
        if expected is not None:
            some += 1
            result = check(load_text(text, "loop.ll"), "sc", unroll=8)
            held = [(state.values["@x"], state.values["@y"]) for state in result.states]
            assert held == [expected], text
    assert some > 50
