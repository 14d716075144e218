"""Attempts to update what was read before: those that fail add no outcome, and are left out from the first one on."""

from __future__ import annotations

import random

import pytest

from enumerator import check
from enumerator.frontend import load_text
from enumerator.program.test import Test
from enumerator.results.result import Result
from enumerator.unfold import control
from tests.generated.amounts import examples

HEAD = """; EXISTS: @x = 0 /\\ @y = 0 /\\ @out0 = 0 /\\ @out1 = 0
declare ptr @malloc(i64)
@x = global i32 0
@y = global i32 0
@z = global i32 0
@p = global ptr null
@out0 = global i32 0
@out1 = global i32 0
@cells = global [2 x i32] zeroinitializer
"""
SETS = "store atomic i32 1, ptr @x monotonic, align 4; store atomic i32 2, ptr @x release, align 4"
MODELS = ("rc11", "llvm", "amdgpu", "sc", "tso")


def update(
    first: str = "monotonic",
    orders: str = "release monotonic",
    *,
    weak: str = "",
    before: str = "",
    body: str = "",
    guard: bool = False,
    new: str = "%new = add i32 %t, 4",
    after: str = "",
    number: int = 0,
) -> str:
    """Give a thread that tries to update ``x`` until it succeeds, and stores what it has updated."""
    enter = "%no = icmp eq i32 %r, 1; br i1 %no, label %e, label %l" if guard else "br label %l"
    fails = "g:; %none = icmp eq i32 %seen, 1; br i1 %none, label %e, label %l" if guard else ""
    ends = "e:; %got = phi i32 [ %t, %l ]" + (", [ 9, %0 ], [ 8, %g ]" if guard else "")
    return "; ".join(
        part
        for part in (
            f"%n = call ptr @malloc(i64 4); %c = getelementptr [2 x i32], ptr @cells, i64 0, i64 {number}",
            f"%r = load atomic i32, ptr @x {first}, align 4",
            before,
            enter,
            "l:; %t = phi i32 [ %r, %0 ], [ %seen, " + ("%g ]" if guard else "%l ]"),
            body,
            new,
            f"%q = cmpxchg {weak} ptr @x, i32 %t, i32 %new {orders}",
            "%seen = extractvalue { i32, i1 } %q, 0; %ok = extractvalue { i32, i1 } %q, 1",
            f"br i1 %ok, label %e, label {'%g' if guard else '%l'}",
            fails,
            ends,
            f"store i32 %got, ptr @out{number}",
            after,
            "ret void",
        )
        if part
    )


def program(*threads: str) -> Test:
    bodies = []
    for number, each in enumerate(threads):
        lines = "\n".join(part.strip() for part in each.split(";") if part.strip())
        bodies.append(f"define void @t{number}() {{\n{lines}\n" + ("" if "ret void" in each else "ret void\n") + "}\n")
    return load_text(HEAD + "".join(bodies), "retries.ll")


def outcomes(result: Result) -> set[tuple[object, ...]]:
    return {tuple(state.values.items()) for state in result.states}


def more(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let all attempts be made, up to the bound."""
    monkeypatch.setattr(control, "_may_be_left_out", lambda *given: None)
    monkeypatch.setattr(control, "needless", lambda *given: None)


LEFT_OUT = {
    "plain": update(),
    "acquire": update("acquire", "acq_rel acquire"),
    "weak": update(weak="weak"),
    "guarded": update(guard=True),
    "fence inside": update(body="fence acquire"),
    "plain data inside": update(body="%b = load i32, ptr @z"),
    "reads inside": update(body="%b = load atomic i32, ptr @y acquire, align 4"),
    "private": update(body="store i32 %t, ptr %n", after="store atomic ptr %n, ptr @p release, align 8"),
    "own cell of an array": update(body="store i32 %t, ptr %c"),
    "private before": update(before="store i32 7, ptr %n"),
    "data read before": update(new="%sum = add i32 %t, %k; %new = add i32 %sum, 4").replace(
        "%r = load", "%k = load i32, ptr @z; %r = load"
    ),
    "other types": update(new="%f = bitcast i32 %t to float; %g = bitcast float %f to i32; %new = add i32 %g, 4")
    .replace("[ %seen, %l ]", "[ %back, %l ]")
    .replace("%seen = ", "%found = ")
    .replace("%ok = ", "%as = bitcast i32 %found to float; %back = bitcast float %as to i32; %ok = "),
    "rests on what is read inside": update(
        body="%b = load atomic i32, ptr @y monotonic, align 4", new="%sum = add i32 %t, 4; %new = add i32 %sum, %b"
    ),
}
NOT_AT_ONCE = {
    "orders more than what stands for it": update("acquire", "acq_rel monotonic"),
    "another event between": update(before="store atomic i32 1, ptr @y monotonic, align 4"),
    "a read between": update(before="%b = load atomic i32, ptr @y monotonic, align 4; store i32 %b, ptr @out1"),
    "a fence between": update(before="fence acquire"),
    "what was read before is kept": update(after="store i32 %r, ptr @out1"),
    "what was read before is written": update(before="store i32 %r, ptr %n"),
    "an atomic store inside": update(body="store atomic i32 %t, ptr %n monotonic, align 4"),
    "a store that stays": update(body="%b = icmp eq i32 %t, 0; %d = select i1 %b, ptr %n, ptr %c; store i32 1, ptr %d"),
}


@pytest.mark.parametrize("name", LEFT_OUT)
def test_attempts_that_fail_are_left_out(name: str) -> None:
    """Under rc11 the thread that updates reads one of the values of ``x``, so there is an execution for each."""
    result = check(program(LEFT_OUT[name], SETS), "rc11")
    values = 3 if "guard" not in name else 4
    assert (result.status, result.consistent, result.cut) == ("complete", values, 0)


@pytest.mark.parametrize("name", NOT_AT_ONCE)
def test_attempts_that_count(name: str) -> None:
    assert (check(program(NOT_AT_ONCE[name], SETS), "rc11").consistent or 0) > 3


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("name", LEFT_OUT | NOT_AT_ONCE)
def test_no_outcome_is_lost(name: str, model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    threads = (LEFT_OUT | NOT_AT_ONCE)[name], SETS
    found = check(program(*threads), model)
    more(monkeypatch)
    every = check(program(*threads), model, unroll=4)
    assert (outcomes(found), found.flags) == (outcomes(every), every.flags)


def generated(seed: int) -> tuple[str, ...]:
    """Give threads of which one or two update ``x``, and one that writes here and there."""
    chance = random.Random(seed)
    loads, failures = ("monotonic", "acquire", "seq_cst"), ("monotonic", "acquire", "seq_cst")
    pick = chance.choice

    def some(number: int) -> str:
        body = [
            pick(("", "", "fence acquire", "fence seq_cst")),
            pick(("", "", f"%b = load atomic i32, ptr @y {pick(loads)}, align 4")),
            pick(("", "", "%d = load i32, ptr @z", "%d = load i32, ptr %n")),
            pick(
                ("", "store i32 %t, ptr %n", "store i32 %t, ptr %c", "store atomic i32 %t, ptr %n monotonic, align 4")
            ),
        ]
        guard = chance.random() < 0.3
        text = update(
            pick(loads),
            f"{pick(('monotonic', 'release', 'acquire', 'acq_rel', 'seq_cst'))} {pick(failures)}",
            weak=pick(("", "", "weak")),
            before="" if guard else pick(("", "", "", "store i32 7, ptr %n", "fence acquire", "store i32 %r, ptr %n")),
            body="; ".join(filter(None, body)),
            guard=guard,
            new=pick(("%new = add i32 %t, 4", f"%new = add i32 {4 + number}, 0", "%new = xor i32 %t, 3")),
            after=pick(
                (
                    "",
                    "store atomic ptr %n, ptr @p release, align 8",
                    "store atomic i32 1, ptr @y release, align 4",
                    "store i32 3, ptr @z",
                    f"%w = load atomic i32, ptr @y monotonic, align 4; store i32 %w, ptr @out{number}",
                )
            ),
            number=number,
        )
        if "%n," not in text and chance.random() < 0.5:
            text = text.replace("%r = load atomic", "store i32 5, ptr %n; %r = load atomic")
        return text

    writes = (
        "store atomic i32 1, ptr @x monotonic, align 4",
        "store atomic i32 1, ptr @x release, align 4",
        "store atomic i32 0, ptr @x release, align 4",
        "store atomic i32 1, ptr @y release, align 4",
        "store i32 1, ptr @z",
        "fence release",
        "%i = load atomic i32, ptr @x acquire, align 4",
        "%k = load atomic ptr, ptr @p acquire, align 8",
    )
    other = "; ".join(chance.sample(writes, chance.randint(1, 3)))
    return (some(0), some(1)) if chance.random() < 0.3 else (some(0), other)


@pytest.mark.parametrize("model", ["rc11", "llvm", "amdgpu"])
@pytest.mark.parametrize("seed", range(examples(30)))
def test_generated_programs(seed: int, model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    threads = generated(seed)
    found = check(program(*threads), model, timeout=60.0)
    more(monkeypatch)
    every = check(program(*threads), model, unroll=3, timeout=60.0)
    assert outcomes(every) <= outcomes(found), "an outcome is lost"
    assert set(every.flags) <= set(found.flags)
    if every.status == "complete" or found.cut == 0:
        assert outcomes(found) - outcomes(every) == set() or every.cut, "an outcome is new"


IN_SLOTS = """; EXISTS: true
@top = global ptr null
@node = global ptr null
define void @t0() {
  %x = alloca ptr
  %h = alloca ptr
  store ptr @node, ptr %x
  %first = load atomic i64, ptr @top monotonic, align 8
  store i64 %first, ptr %h
  br label %l
l:
  %last = load ptr, ptr %h
  %to = load ptr, ptr %x
  store ptr %last, ptr %to
  %want = load i64, ptr %h
  %new = load i64, ptr %x
  %p = cmpxchg weak ptr @top, i64 %want, i64 %new release monotonic, align 8
  %seen = extractvalue { i64, i1 } %p, 0
  %ok = extractvalue { i64, i1 } %p, 1
  br i1 %ok, label %e, label %f
f:
  store i64 %seen, ptr %h
  br label %l
e:
  ret void
}
"""


@pytest.mark.parametrize("model", ["rc11", "llvm"])
def test_what_was_read_may_stand_in_a_stack_slot(model: str) -> None:
    """As clang prints an attempt at -O0: one that fails for no reason is none, and leaves no write to the node."""
    found = check(load_text(IN_SLOTS, "slots.ll"), model)
    assert (found.consistent, found.cut) == (1, 0)
