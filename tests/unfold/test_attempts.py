"""Attempts that are left out beyond the bound: more of them add no outcome, and nothing is cut."""

from __future__ import annotations

from itertools import product

import pytest

from enumerator import check
from enumerator.frontend import load_text
from enumerator.program.test import Test
from enumerator.unfold import attempts, control, unfold
from enumerator.unfold.loops import LoopEntry
from tests.generated.engines import answer
from tests.literal import all_names
from tests.unfold import written

HEAD = """; EXISTS: true
@top = global ptr null
@one = global ptr null
@two = global ptr null
@out = global i32 0
"""
FAILS = (
    "%seen = extractvalue { ptr, i1 } %p, 0; %ok = extractvalue { ptr, i1 } %p, 1; "
    "br i1 %ok, label %e, label %l; e:; ret void"
)
PUSH = (
    "%n = alloca ptr; %first = load atomic ptr, ptr @top monotonic, align 8; br label %l; "
    "l:; %last = phi ptr [ %first, %0 ], [ %seen, %l ]; store ptr %last, ptr %n; "
    f"%p = cmpxchg ptr @top, ptr %last, ptr %n release monotonic; {FAILS}"
)
PUSHES = {
    "carries": PUSH,
    "weak": PUSH.replace("cmpxchg ptr", "cmpxchg weak ptr"),
    "reads anew": (
        "%n = alloca ptr; br label %l; l:; %last = load atomic ptr, ptr @top monotonic, align 8; "
        f"store ptr %last, ptr %n; %p = cmpxchg ptr @top, ptr %last, ptr %n release monotonic; {FAILS}"
    ),
    "in memory": (
        "%n = alloca ptr; %first = load atomic ptr, ptr @top monotonic, align 8; store ptr %first, ptr %n; "
        "br label %l; l:; %last = load ptr, ptr %n; %p = cmpxchg ptr @top, ptr %last, ptr %n release monotonic; "
        "%seen = extractvalue { ptr, i1 } %p, 0; %ok = extractvalue { ptr, i1 } %p, 1; "
        "br i1 %ok, label %e, label %f; f:; store ptr %seen, ptr %n; br label %l; e:; ret void"
    ),
    "in slots": (
        "%n = alloca ptr; %x = alloca ptr; %h = alloca ptr; store ptr %n, ptr %x; "
        "%first = load atomic i64, ptr @top monotonic, align 8; store i64 %first, ptr %h; br label %l; "
        "l:; %last = load ptr, ptr %h; %to = load ptr, ptr %x; store ptr %last, ptr %to; "
        "%want = load i64, ptr %h; %new = load i64, ptr %x; "
        "%p = cmpxchg weak ptr @top, i64 %want, i64 %new release monotonic; "
        "%seen = extractvalue { i64, i1 } %p, 0; %ok = extractvalue { i64, i1 } %p, 1; "
        "br i1 %ok, label %e, label %f; f:; store i64 %seen, ptr %h; br label %l; e:; ret void"
    ),
    "no memory": PUSH.replace("store ptr %last, ptr %n; ", ""),
}
COUNTS = PUSH.replace("; e:; ret void", "; e:; store i32 %k, ptr @out; ret void").replace(
    "store ptr %last", "%k = phi i32 [ 0, %0 ], [ %k1, %l ]; %k1 = add i32 %k, 1; store ptr %last"
)
SHOWS = PUSH.replace("br label %l; l:", "store atomic ptr %n, ptr @two monotonic, align 8; br label %l; l:", 1)
ATOMIC = PUSH.replace("store ptr %last, ptr %n", "store atomic ptr %last, ptr %n monotonic, align 8")
KEEPS = PUSH.replace("e:; ret void", "e:; store ptr %kept, ptr @two; ret void").replace(
    "store ptr %last", "%kept = phi ptr [ null, %0 ], [ %last, %l ]; store ptr %last"
)
WAITS = (
    "%n = alloca ptr; br label %l; l:; %last = load atomic ptr, ptr @top acquire, align 8; store ptr %last, ptr %n; "
    "%unset = icmp eq ptr %last, null; br i1 %unset, label %l, label %e; e:; "
    "store atomic ptr %n, ptr @two release, align 8; ret void"
)
SETS = "; ".join(f"store atomic ptr {each}, ptr @top monotonic, align 8" for each in ("@one", "null", "@one", "@two"))
SET, SET_TWICE = ("; ".join(SETS.split("; ")[:number]) for number in (1, 2))
POP = (
    "%t = load atomic ptr, ptr @top acquire, align 8; %none = icmp eq ptr %t, null; br i1 %none, label %e, label %r; "
    "r:; %next = load ptr, ptr %t; br label %e; e:; ret void"
)


def program(*threads: str) -> Test:
    return written.program(HEAD, *threads)


def ends(test: Test) -> set[str]:
    return {path.end for options in unfold(test, undef=False).paths for path in options}


@pytest.mark.parametrize("name", PUSHES)
def test_no_bound(name: str) -> None:
    assert "cut" in ends(program(SETS, COUNTS)), "the bound is reached"
    assert "cut" not in ends(program(SETS, PUSHES[name]))


@pytest.mark.parametrize("body", [COUNTS, SHOWS, ATOMIC, KEEPS])
def test_what_something_rests_on(body: str) -> None:
    """A number of attempts, a node that others have seen, or may see as it was before, what was found earlier."""
    assert "cut" in ends(program(SETS, body))


@pytest.mark.parametrize("model", ["rc11", "llvm", "amdgpu", "sc", "tso"])
@pytest.mark.parametrize("name", PUSHES)
def test_further_attempts_add_no_outcome(name: str, model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    threads = PUSHES[name], SETS, POP
    found = check(program(*threads), model, all_values=True)
    monkeypatch.setattr(control, "needless", lambda *given: None)
    more = check(program(*threads), model, all_values=True, unroll=4)
    mine, theirs = ({tuple(state.values.items()) for state in result.states} for result in (found, more))
    assert (found.status, mine, found.flags) == ("complete", theirs, more.flags)


OTHERS = {"pops": (POP, POP), "sets": (SET_TWICE,), "sets and pops": (SET, POP)}


# Of those that set twice, "no memory" alone: it takes the others long.
@pytest.mark.parametrize(
    ("name", "rest"),
    [*product(("carries", "weak", "no memory"), ("pops", "sets and pops")), ("no memory", "sets")],
)
def test_the_literal_enumerator_finds_no_more(name: str, rest: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where attempts are left out as soon as there are two of them."""
    monkeypatch.setattr(attempts, "_FEWEST", 2)
    monkeypatch.setattr(LoopEntry, "is_nearly_cut", lambda *given: True)
    test = program(PUSHES[name], *OTHERS[rest])
    unroll = 2 if rest == "sets" else 1  # so many attempts may fail
    names = all_names(test, unroll)
    literal, fast = (answer(engine, test, names, unroll=unroll) for engine in ("literal", "bitset"))
    assert literal is not None and fast is not None and fast.cut == 0
    assert {state for state, _ in literal.states} == {state for state, _ in fast.states}
    assert literal.flags == fast.flags


def test_a_thread_that_waits_may_write_what_is_private() -> None:
    sets = "store atomic ptr @one, ptr @top release, align 8"
    clears = "store atomic ptr null, ptr @top monotonic, align 8"
    assert "stuck" in check(program(WAITS, f"{sets}; {clears}"), "rc11").flags
    result = check(program(WAITS, sets), "rc11")
    assert (result.status, result.flags) == ("complete", ())


GIVEN = """declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare ptr @malloc(i64)
@top = global i32 1
define ptr @work(ptr %p) {
  %seen = load i32, ptr %p
  store atomic i32 0, ptr @top monotonic, align 4
  ret ptr null
}
define i32 @main() {
  %t = alloca i64
  %p = call ptr @malloc(i64 4)
  store i32 0, ptr %p
  %made = call i32 @pthread_create(ptr %t, ptr null, ptr @work, ptr GIVEN)
  br label %l
l:
  %v = load atomic i32, ptr @top monotonic, align 4
  store i32 %v, ptr %p
  %again = icmp ne i32 %v, 0
  br i1 %again, label %l, label %e
e:
  ret i32 0
}
"""


@pytest.mark.parametrize(
    ("given", "model", "status"),
    [("%p", "sc", "limit"), ("%p", "llvm", "complete"), ("@top", "sc", "complete"), ("@top", "llvm", "complete")],
)
def test_what_a_created_thread_is_given_is_not_private(given: str, model: str, status: str) -> None:
    """Where races are nothing special; else who looks at it races with each of the attempts."""
    assert check(load_text(GIVEN.replace("GIVEN", given), "given.ll"), model).status == status


SHARED = {
    name: text.replace("%n = alloca ptr;", "%n = select i1 true, ptr @mine, ptr @two;") for name, text in PUSHES.items()
}
RACES = (
    "%t = load atomic ptr, ptr @top monotonic, align 8; %none = icmp eq ptr %t, null; br i1 %none, label %e, label %r; "
    "r:; %next = load ptr, ptr @mine; br label %e; e:; ret void"
)


@pytest.mark.parametrize("other", [POP, RACES], ids=["pops", "races"])
@pytest.mark.parametrize("model", ["rc11", "llvm", "amdgpu"])
@pytest.mark.parametrize("name", ["carries", "weak", "reads anew", "in memory"])
def test_a_node_that_is_not_the_thread_s_own(
    name: str, model: str, other: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody sees what plain stores write before it is pushed, or there is a race in any case."""
    test = written.program(HEAD + "@mine = global ptr null\n", SHARED[name], SET_TWICE, other)
    found = check(test, model, all_values=True)
    monkeypatch.setattr(control, "needless", lambda *given: None)
    more = check(test, model, all_values=True, unroll=4)
    mine, theirs = ({tuple(state.values.items()) for state in result.states} for result in (found, more))
    assert (found.status, mine, found.flags) == ("complete", theirs, more.flags)
    assert ("race" in found.flags) == (other is RACES)


BIT = """; EXISTS: @w = 0 /\\ @d = 0
@w = global i32 0
@d = global i32 0
""" + "\n".join(
    f"""define void @t{thread}() {{
  %r = load atomic i32, ptr @w monotonic, align 4
  %free = and i32 %r, CLEAR
  br label %l
l:
  %c = phi i32 [ %free, %0 ], [ %again, %l ]
  %set = or i32 %c, 1
  %q = cmpxchg ptr @w, i32 %c, i32 %set acquire monotonic
  %seen = extractvalue {{ i32, i1 }} %q, 0
  %ok = extractvalue {{ i32, i1 }} %q, 1
  %again = and i32 %seen, CLEAR
  br i1 %ok, label %e, label %l
e:
  %v = load i32, ptr @d
  %n = add i32 %v, 1
  store i32 %n, ptr @d
  %next = add i32 %c, 2
  store atomic i32 %next, ptr @w release, align 4
  ret void
}}"""
    for thread in range(2)
)
"""A lock is a bit of a word, which attempts to take it clear in what they expect."""


@pytest.mark.parametrize("model", ["rc11", "llvm", "sc"])
def test_a_lock_that_is_a_bit(model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = check(load_text(BIT.replace("CLEAR", "-2"), "bit.ll"), model)
    assert (found.status, found.flags) == ("complete", ())
    assert {tuple(state.values.values()) for state in found.states} == {(2, 4)}
    monkeypatch.setattr(control, "needless", lambda *given: None)
    every = check(load_text(BIT.replace("CLEAR", "-2"), "bit.ll"), model, unroll=4)
    assert {state.values["@w"] for state in every.states} == {4}


def test_other_bits_are_not_cleared_for_good() -> None:
    """An attempt whose bits are shifted does not expect what the one before did."""
    shifted = BIT.replace("%again = and i32 %seen, CLEAR", "%again = lshr i32 %seen, 1").replace("CLEAR", "-2")
    assert check(load_text(shifted, "shifted.ll"), "rc11").status == "limit"
