"""Loops that make the same atomic stores in each iteration, before they read: the first of them is enough."""

from __future__ import annotations

import random

import pytest

from enumerator import check
from enumerator.frontend import load_text
from enumerator.program.test import Test
from enumerator.results.result import Result
from enumerator.unfold import control
from tests.generated.amounts import examples

HEAD = """; EXISTS: @x = 0 /\\ @y = 0 /\\ @n = 0 /\\ @out0 = 0 /\\ @out1 = 0 /\\ @out2 = 0
@x = global i32 0
@y = global i32 0
@n = global i32 0
@out0 = global i32 0
@out1 = global i32 0
@out2 = global i32 0
"""
MODELS = ("rc11", "llvm", "sc", "tso")


def push(ordering: str = "monotonic", *, weak: str = "weak", inside: str = "") -> str:
    """A thread that stores what it has found in ``n``, and makes ``x`` one more than that."""
    return f"""%r = load atomic i32, ptr @x monotonic, align 4; br label %l
l:; %t = phi i32 [ %r, %0 ], [ %seen, %l ]; store atomic i32 %t, ptr @n {ordering}, align 4; {inside}
%new = add i32 %t, 1; %q = cmpxchg {weak} ptr @x, i32 %t, i32 %new release monotonic
%seen = extractvalue {{ i32, i1 }} %q, 0; %ok = extractvalue {{ i32, i1 }} %q, 1; br i1 %ok, label %e, label %l
e:; store atomic i32 1, ptr @out0 monotonic, align 4; ret void"""


def ready(ordering: str = "monotonic", *, inside: str = "", wanted: int = 1) -> str:
    """A thread that says that it is ready each time that it looks whether another one is."""
    return f"""br label %l
l:; store atomic i32 1, ptr @n {ordering}, align 4; {inside}; %y = load atomic i32, ptr @y acquire, align 4
%c = icmp eq i32 %y, {wanted}; br i1 %c, label %e, label %l
e:; store atomic i32 1, ptr @out0 monotonic, align 4; ret void"""


LOOK = "%s = load atomic i32, ptr @n acquire, align 4; store i32 %s, ptr @out1"
TWICE = (
    f"{LOOK}; %v = load atomic i32, ptr @n monotonic, align 4; store i32 %v, ptr @out2;"
    "store atomic i32 1, ptr @y release, align 4"
)
PLAINLY = "%s = load i32, ptr @n; store atomic i32 1, ptr @y release, align 4"
WRITES = f"store atomic i32 2, ptr @n monotonic, align 4; {TWICE}"
UPDATES = "%a = atomicrmw add ptr @n, i32 2 monotonic; store atomic i32 1, ptr @y release, align 4"
ANOTHER = "store atomic i32 3, ptr @n monotonic, align 4"

LEFT_OUT = {
    "a push": (push(), TWICE),
    "a push that releases": (push("release"), TWICE),
    "two pushes": (push(), push().replace("@n", "@y").replace("@out0", "@out1")),
    "a fence inside": (push(inside="fence seq_cst"), TWICE),
    "a wait": (ready(), TWICE),
    "a wait, seq_cst": (ready("seq_cst"), TWICE),
    "a wait for ever": (ready(wanted=2), TWICE),
}
COUNTS = {
    "another thread writes there": (ready(), WRITES),
    "another thread updates that": (push(), UPDATES),
    "another thread reads that plainly": (ready("release"), PLAINLY),
    "other values in between": (ready(inside=ANOTHER), TWICE),
    "a store after a read": (ready(inside="%b = load atomic i32, ptr @x monotonic, align 4; " + ANOTHER), TWICE),
}


def program(*threads: str) -> Test:
    bodies = []
    for number, each in enumerate(threads):
        lines = "\n".join(part.strip() for part in each.replace("\n", ";").split(";") if part.strip())
        bodies.append(f"define void @t{number}() {{\n{lines}\n" + ("" if "ret void" in each else "ret void\n") + "}\n")
    return load_text(HEAD + "".join(bodies), "rewritten.ll")


def outcomes(result: Result) -> set[tuple[object, ...]]:
    return {tuple(state.values.items()) for state in result.states}


def more(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let all these iterations be made, up to the bound."""
    monkeypatch.setattr(control, "made_again", lambda *given: frozenset())


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("name", LEFT_OUT)
def test_iterations_that_store_the_same_are_left_out(name: str, model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = check(program(*LEFT_OUT[name]), model)
    assert (found.status, found.cut) == ("complete", 0)
    assert ("stuck" in found.flags) == ("for ever" in name)
    more(monkeypatch)
    every = check(program(*LEFT_OUT[name]), model, unroll=3)
    assert outcomes(found) >= outcomes(every)
    assert set(found.flags) - {"stuck"} == set(every.flags)


def test_a_weak_compare_exchange_is_as_a_strong_one() -> None:
    weak, strong = (check(program(push(weak=each), TWICE), "rc11") for each in ("weak", ""))
    assert (weak.consistent, outcomes(weak)) == (strong.consistent, outcomes(strong))


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("name", COUNTS)
def test_iterations_that_count(name: str, model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another thread tells the later stores from the first one, so they are made up to the bound."""
    found = check(program(*COUNTS[name]), model, unroll=3)
    more(monkeypatch)
    every = check(program(*COUNTS[name]), model, unroll=3)
    assert (outcomes(found), found.flags) == (outcomes(every), every.flags)


def generated(seed: int) -> tuple[str, ...]:
    chance = random.Random(seed)
    ordering = chance.choice(("monotonic", "release", "seq_cst"))
    look = "%b = load atomic i32, ptr @y monotonic, align 4"
    inside = chance.choice(("", "", "fence release", "fence seq_cst", look))
    loop = chance.choice((push(ordering, inside=inside), ready(ordering, inside=inside.replace("@y", "@x"))))
    parts = [
        "store atomic i32 1, ptr @y release, align 4",
        "store atomic i32 3, ptr @x monotonic, align 4",
        "%a = load atomic i32, ptr @x acquire, align 4",
        "fence acquire",
        chance.choice((LOOK, LOOK, "%s = load i32, ptr @n; store i32 %s, ptr @out1")),
        chance.choice((ANOTHER, "%v = load atomic i32, ptr @n monotonic, align 4; store i32 %v, ptr @out2")),
    ]
    chance.shuffle(parts)
    return loop, "; ".join(parts[: chance.randint(2, 5)])


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("seed", range(examples(20)))
def test_no_outcome_of_generated_programs_is_lost(seed: int, model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    threads = generated(seed)
    found = check(program(*threads), model, unroll=3)
    more(monkeypatch)
    every = check(program(*threads), model, unroll=3)
    assert outcomes(found) >= outcomes(every)
    assert set(every.flags) <= set(found.flags)
