"""Attempts that fail after they have looked at plain data: they count only for what races with them."""

from __future__ import annotations

import random

import pytest

from enumerator import check
from enumerator.cat.typing import select
from enumerator.mmra import load_profile
from enumerator.program.test import Test
from enumerator.request import Outcomes, Request
from enumerator.search import growing
from enumerator.search.bitset import enumerate_test
from enumerator.search.session import Session
from enumerator.search.tuning import Tuning
from tests.generated.amounts import examples
from tests.unfold.test_retries import SETS, more, outcomes, program, update

LOOKS = "%b = load i32, ptr @z"
GUARDED = f"%at = icmp ugt i32 %t, 2; br i1 %at, label %i, label %m; i:; {LOOKS}; br label %m; m:"
LISTED, GROWN = Tuning(grow_from=-1), Tuning(grow_from=0, grow_dead_ends=1 << 40)
QUIET = {
    "nobody writes the data": (update(body=LOOKS), SETS),
    "written before what is read": (
        update("acquire", "acq_rel acquire", body=GUARDED)
        .replace("%seen, %l ]", "%seen, %m ]").replace("[ %t, %l ]", "[ %t, %m ]"),
        "store i32 7, ptr @z; store atomic i32 3, ptr @x release, align 4",
    ),
    "weak": (update(body=LOOKS, weak="weak"), SETS),
}  # fmt: skip
"""Threads, by what there is: no attempt races with anything."""

RACES = {
    "written at any time": (update(body=LOOKS), "store i32 7, ptr @z; " + SETS),
    "written once an attempt has failed": (
        update(body=LOOKS, guard=False),
        "store atomic i32 1, ptr @x monotonic, align 4; %v = load atomic i32, ptr @x monotonic, align 4; "
        "%done = icmp ugt i32 %v, 4; br i1 %done, label %w, label %o; w:; store i32 7, ptr @z; ret void; o:; ret void",
    ),
    "written by who waits for another one": (
        update(body=LOOKS, after="store atomic i32 1, ptr @y monotonic, align 4"),
        "store atomic i32 1, ptr @x monotonic, align 4",
        "%v = load atomic i32, ptr @y monotonic, align 4; %is = icmp eq i32 %v, 1; br i1 %is, label %w, label %o; w:; "
        "store i32 7, ptr @z; ret void; o:; ret void",
    ),
}
"""The same: some attempt that fails races, and perhaps no other."""


def found(test: Test, model: str, tuning: Tuning) -> Outcomes:
    selected = select(model, (), {})
    request = Request(test, selected, load_profile("generic"), ("@x", "@y", "@out0"), timeout=20.0, unroll=2)
    return enumerate_test(request, Session(tuning))


def agree(test: Test, model: str) -> Outcomes:
    """Compare executions as they grow with those that are listed."""
    grown, listed = found(test, model, GROWN), found(test, model, LISTED)
    if "timeout" not in (grown.status, listed.status):
        told = [(each.consistent, each.states, each.flags, each.cut) for each in (grown, listed)]
        assert told[0] == told[1]
    return grown


@pytest.mark.parametrize("model", ["rc11", "llvm"])
@pytest.mark.parametrize("name", QUIET)
def test_attempts_that_race_with_nothing_are_no_executions(name: str, model: str) -> None:
    test = program(*QUIET[name])
    grown = agree(test, model)
    assert (grown.flags, grown.cut) == (frozenset(), 0)
    if model == "rc11":  # the reference engine takes long for others
        assert grown.consistent == check(test, model, engine="networkx").consistent == (2 if "before" in name else 3)


@pytest.mark.parametrize("model", ["rc11", "llvm", "amdgpu"])
@pytest.mark.parametrize("name", RACES)
def test_races_of_attempts_that_fail_are_found(name: str, model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    threads = RACES[name]
    grown = agree(program(*threads), model)
    assert "race" in grown.flags
    if model == "rc11":
        reference = check(program(*threads), model, engine="networkx")
        assert (reference.flags, reference.consistent) == (tuple(sorted(grown.flags)), grown.consistent)
    more(monkeypatch)
    assert set(check(program(*threads), model, unroll=3).flags) == grown.flags


def test_a_thread_that_waits_and_looks_at_data_may_be_stuck() -> None:
    """The attempt that waits for ever is an execution, whatever its data races with."""
    waits = "br label %l; l:; " + LOOKS + "; %q = cmpxchg ptr @x, i32 1, i32 2 acquire monotonic; "
    waits += "%ok = extractvalue { i32, i1 } %q, 1; br i1 %ok, label %e, label %l; e:"
    result = check(program(waits, "store atomic i32 1, ptr @y monotonic, align 4"), "rc11")
    assert (result.consistent, result.status) == (1, "complete")
    assert "stuck" in result.flags


def test_a_search_ends_threads_at_attempts_unless_something_comes_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two threads that look at data both want do not multiply; where it races, the search begins anew."""
    begun: list[bool] = []
    prepare = growing.prepare

    def noted(*given, **options):  # type: ignore[no-untyped-def]
        begun.append(options["ends_tried"])
        return prepare(*given, **options)

    monkeypatch.setattr(growing, "prepare", noted)
    quiet = found(program(update(body=LOOKS), update(body=LOOKS, number=1), SETS), "rc11", GROWN)
    assert (set(begun), quiet.explored <= 2 * quiet.consistent) == ({True}, True)
    begun.clear()
    found(program(*RACES["written at any time"]), "rc11", GROWN)
    assert begun == [True, False]


def racing(seed: int) -> tuple[str, ...]:
    """Give threads of which one or two update ``x`` and look at ``z``, and others that may write that."""
    chance = random.Random(seed)
    pick = chance.choice
    orders = ("monotonic", "acquire", "seq_cst")

    def updates(number: int) -> str:
        guard = chance.random() < 0.3
        return update(
            pick(orders),
            f"{pick(('monotonic', 'release', 'acquire', 'acq_rel', 'seq_cst'))} {pick(orders)}",
            weak=pick(("", "", "weak")),
            before="" if guard else pick(("", "", "store i32 3, ptr @z", "fence acquire")),
            body=pick((LOOKS, LOOKS, LOOKS + "; fence acquire", "fence seq_cst; " + LOOKS, "%b = load i32, ptr %n")),
            guard=guard,
            new=pick(("%new = add i32 %t, 4", f"%new = add i32 {4 + number}, 0")),
            after=pick(
                (
                    "",
                    f"store atomic i32 1, ptr @y {pick(('monotonic', 'release'))}, align 4",
                    "store i32 3, ptr @z",
                    f"%w = load atomic i32, ptr @y monotonic, align 4; store i32 %w, ptr @out{number}",
                )
            ),
            number=number,
        )

    def other(number: int) -> str:
        place, value = pick("xy"), chance.randint(0, 5)
        reads = f"%v = load atomic i32, ptr @{place} {pick(('monotonic', 'acquire'))}, align 4; "
        parts = (
            "store i32 1, ptr @z",
            f"store atomic i32 1, ptr @x {pick(('monotonic', 'release'))}, align 4",
            f"{reads}%is = icmp ugt i32 %v, {value}; br i1 %is, label %w, label %o; w:; store i32 7, ptr @z; "
            "br label %o; o:",
            "%k = atomicrmw add ptr @x, i32 8 acq_rel",
            "fence seq_cst",
        )
        return "; ".join(chance.sample(parts, chance.randint(1, 3)))

    others = [other(number) for number in range(chance.choice((1, 1, 2)))]
    return (updates(0), updates(1), *others[:1]) if chance.random() < 0.3 else (updates(0), *others)


@pytest.mark.parametrize("model", ["rc11", "llvm", "amdgpu"])
@pytest.mark.parametrize("seed", range(examples(5)))
def test_generated_programs(seed: int, model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Growing, listing and the reference engine agree, and nothing is lost of what all attempts show."""
    threads = racing(seed)
    grown = agree(program(*threads), model)
    if len(threads) == 2 and seed % 4 == 0 and model == "rc11":
        reference = check(program(*threads), model, engine="networkx", timeout=20.0)
        if reference.status == "complete":
            assert (reference.consistent, reference.flags) == (grown.consistent, tuple(sorted(grown.flags)))
    result = check(program(*threads), model, timeout=20.0)
    more(monkeypatch)
    every = check(program(*threads), model, unroll=3, timeout=20.0)
    assert outcomes(every) <= outcomes(result), "an outcome is lost"
    assert set(every.flags) <= set(result.flags), "a flag is lost"
    assert every.cut or every.status != "complete" or outcomes(result) <= outcomes(every), "an outcome is new"
