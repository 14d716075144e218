"""Symmetric threads: what one arrangement of them gives is what all arrangements give, searched one by one."""

from __future__ import annotations

import re
from dataclasses import replace
from math import factorial
from random import Random

import pytest

from benchmarks.scaling import SCALING
from enumerator import check
from enumerator.frontend import load_text
from enumerator.mmra import load_profile
from enumerator.request import Outcomes, Request
from enumerator.search import bitset
from enumerator.search.lower import lower
from enumerator.search.symmetry import find_orbits
from enumerator.unfold import unfold
from tests.generated.amounts import examples
from tests.generated.programs import random_program
from tests.generated.test_agreement import FEATURES
from tests.search.generated import Tune, request_for


def with_duplicates(text: str, seed: int) -> str:
    """Let some threads run the code of others, and sometimes put all into one wavefront."""
    random = Random(seed)
    bodies = dict(re.findall(r"^define void @(t\d)\(\) \{\n(.*?)^\}\n", text, re.MULTILINE | re.DOTALL))
    names = sorted(bodies)
    chosen = random.choice(names)
    for name in names:
        if name != chosen and random.random() < 0.7:
            text = text.replace(bodies[name], bodies[chosen])
    helpers = re.findall(r"^define [^\n]*@(h\d)\(.*?^\}\n", text, re.MULTILINE | re.DOTALL)
    for helper in helpers * 2:  # one that nothing calls would be a thread
        if text.count(f"@{helper}(") == 1:
            text = re.sub(rf"^define [^\n]*@{helper}\(.*?^\}}\n", "", text, flags=re.MULTILINE | re.DOTALL)
    if random.random() < 0.5:
        together = f"; SCOPES: (system (agent (cluster (workgroup (wavefront {' '.join(names)})))))"
        text = re.sub(r"^; SCOPES:.*$", together, text, flags=re.MULTILINE)
    return text


def found(request: Request, tune: Tune, symmetry: bool, steps: int = 1000) -> Outcomes:
    tune(symmetry=symmetry)
    tune(long=steps)
    outcomes = bitset.enumerate_test(request)
    assert outcomes.status == "complete"
    return replace(outcomes, explored=0)


@pytest.mark.parametrize("model", ["llvm", "amdgpu", "rc11"])
@pytest.mark.parametrize("features", sorted(FEATURES))
def test_generated_programs(model: str, features: str, tune: Tune) -> None:
    """States, counts, flags and cut executions are the same with symmetry and without, by steps and through lanes."""
    wanted = frozenset(FEATURES[features])
    for seed in range(examples(4)):
        text = with_duplicates(random_program(wanted, seed, reads=4, writes=4).text, seed)
        asked = request_for(text, model, wanted, seed)
        every = asked.names
        some = tuple(Random(seed).sample(every, len(every) // 2))
        for names in (every, some, ()):
            request = replace(asked, names=names)
            plain = found(request, tune, symmetry=False)
            for steps in (-1, 2):
                assert found(request, tune, True, steps) == plain, f"{model}, {features}, seed {seed}, {names}"
            few = replace(request, outcomes_only=True)
            mine = found(few, tune, symmetry=True)
            assert (set(mine.states), mine.flags) == (set(plain.states), plain.flags), f"{features}, seed {seed}"


@pytest.mark.parametrize("orders", ["rlx", "ra", "sc"])
@pytest.mark.parametrize("family", ["FADD", "SB", "LB"])
def test_families(family: str, orders: str, tune: Tune) -> None:
    """Fetch-and-add by all; rings of two threads, each there twice or three times."""
    text = SCALING[family].make(4 if family == "FADD" else 2, orders)
    if family != "FADD":
        bodies = re.findall(r"P\d (\(.*?\n\}\n)", text, re.DOTALL)
        threads = "\n".join(f"P{number} {bodies[number % 2]}" for number in range(5))
        text = f"C {family}\n{{ }}\n\n{threads}\nexists (true)\n"
    location = "x=4" if family == "FADD" else "x0=1"
    for condition in ("true", location, "P0:r0=0 /\\ P1:r0=1", "P1:r0=0 /\\ P2:r0=0 /\\ ~(P4:r0=1)"):
        if "P4" in condition and family == "FADD":
            continue
        test = load_text(text.replace("exists (true)", f"exists ({condition})"), "test.litmus")
        results = []
        for symmetry in (False, True):
            tune(symmetry=symmetry)
            result = check(test, "rc11", all_values=condition == "true")
            results.append((result.states, result.positive, result.negative, result.flags, result.consistent))
        assert results[0] == results[1], condition


def alike(text: str, names: tuple[str, ...] = ()) -> list[tuple[int, ...]]:
    unfolded = unfold(load_text(text, "test.ll"))
    lowered = lower(unfolded, load_profile("generic"), names)
    return [each.threads for each in find_orbits(lowered.arrays, lowered.kinds)]


ADD = "define void @{}() {{\n  %{} = atomicrmw add ptr @x, i32 {} monotonic\n  ret void\n}}\n"
WORLD = "; EXISTS: @x = 1\n@x = global i32 0\n"


def test_threads_are_alike_up_to_the_names_of_registers() -> None:
    assert alike(WORLD + ADD.format("a", "r", 1) + ADD.format("b", "s", 1)) == [(0, 1)]
    assert alike(WORLD + ADD.format("a", "r", 1) + ADD.format("b", "s", 2)) == []


def test_threads_in_unlike_places_are_not_alike() -> None:
    threads = "".join(ADD.format(name, "r", 1) for name in "abcd")
    scopes = "; SCOPES: (agent (workgroup a b) (workgroup c) (workgroup d))\n"
    assert alike(WORLD + threads) == [(0, 1, 2, 3)]
    assert alike(scopes + WORLD + threads) == [(0, 1), (2, 3)]


def test_what_is_searched_is_one_arrangement() -> None:
    """Twelve updates have 12! executions; for more threads than counts fit into words, in several groups."""
    for number in (12, 23):
        text = SCALING["FADD"].make(number, "rlx").replace("exists (true)", f"exists (x={number})")
        if number == 12:
            result = check(load_text(text, "add.litmus"), "rc11")
            assert (result.consistent, result.explored, result.positive) == (factorial(12), 1, factorial(12))
        else:
            result = check(load_text(text, "add.litmus"), "rc11", max_executions=3)
            assert result.status == "limit" and result.explored == 3
            assert (result.consistent or 0) > 1 << 60


def test_counts_beyond_words_are_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernels hand their counts over before they overflow."""
    from enumerator.search import opcodes as op

    text = SCALING["FADD"].make(20, "rlx").replace("exists (true)", "exists (x=20)")
    other = "P20 (atomic_int* x) {\n  int r0 = atomic_fetch_add_explicit(x, 2, memory_order_relaxed);\n}\n\nexists"
    result = check(load_text(text.replace("exists", other), "add.litmus"), "rc11")
    assert result.consistent == factorial(21) > op.MOST_COUNTED
    assert [state.executions for state in result.states] == [factorial(21)]


def test_executions_are_listed_one_by_one() -> None:
    test = load_text(SCALING["FADD"].make(3, "rlx"), "add.litmus")
    assert len(check(test, "rc11", executions=True).executions) == 6
