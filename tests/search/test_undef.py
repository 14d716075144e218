"""Locations whose reads never return undef: leaving out their paths changes nothing that is found."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from benchmarks.scaling import SCALING
from enumerator import check
from enumerator.cat.compiler import compile_model
from enumerator.cat.nodes import SET, CompiledModel, Node
from enumerator.cat.typing import select
from enumerator.frontend import load_text
from enumerator.mmra import load_profile
from enumerator.request import Outcomes, Request
from enumerator.search import bitset, undef
from enumerator.search.lower import lower
from enumerator.search.undef import Evaluation, undef_groups, undef_locations, undef_rules
from enumerator.search.universe import Universe, group_events, universe
from enumerator.unfold import unfold
from tests.generated.amounts import examples
from tests.generated.programs import random_program
from tests.generated.test_agreement import FEATURES
from tests.search import plain_extents
from tests.search.generated import Tune, request_for

HEAD = """; title: reads and what they may return
; SCOPES: (system (agent (workgroup t0 t1) (workgroup t2)))
; EXISTS: true
@x = addrspace(1) global i32 0
@y = addrspace(1) global i32 0
"""
WORKGROUP = 'syncscope("workgroup")'


def _thread(name: str, *lines: str) -> str:
    body = "".join(f"  {line}\n" for line in lines)
    return f"define void @{name}() {{\n{body}  ret void\n}}\n"


def _load(name: str, place: str, how: str = "monotonic", scope: str = "") -> str:
    if how == "na":
        return f"{name} = load i32, ptr addrspace(1) @{place}, align 4"
    return f"{name} = load atomic i32, ptr addrspace(1) @{place} {scope} {how}, align 4"


def _store(place: str, how: str = "monotonic", scope: str = "") -> str:
    if how == "na":
        return f"store i32 1, ptr addrspace(1) @{place}, align 4"
    return f"store atomic i32 1, ptr addrspace(1) @{place} {scope} {how}, align 4"


CASES = {
    "atomic": ([_load("%r", "x"), _load("%s", "y")], [_store("x"), _store("y")], [], set()),
    "racy": ([_load("%r", "x")], [_store("x", "na"), _store("y")], [_load("%r", "y")], {"@x"}),
    "plain read": ([_load("%r", "x", "na"), _load("%s", "y")], [_store("x"), _store("y")], [], {"@x"}),
    "one thread": ([_load("%r", "x", "na"), _store("x", "na"), _load("%s", "x", "na")], [_store("y")], [], set()),
    "read only": ([_load("%r", "x", "na")], [_load("%r", "x", "na")], [_load("%r", "x", "na")], set()),
    "scopes apart": ([_load("%r", "x", scope=WORKGROUP)], [], [_store("x", scope=WORKGROUP)], {"@x"}),
    "scopes together": ([_load("%r", "x", scope=WORKGROUP)], [_store("x", scope=WORKGROUP)], [], set()),
    "in one path": (
        [_load("%r", "y"), "%c = icmp eq i32 %r, 1", "br i1 %c, label %a, label %b", "a:", _store("x", "na")]
        + ["br label %b", "b:"],
        [_load("%r", "x")],
        [_store("y")],
        {"@x"},
    ),
}


@pytest.mark.parametrize("model", ["llvm", "amdgpu"])
@pytest.mark.parametrize("name", sorted(CASES))
def test_locations(name: str, model: str) -> None:
    """By hand: where a read may be undef under both models."""
    first, second, third, expected = CASES[name]
    text = HEAD + _thread("t0", *first) + _thread("t1", *second) + _thread("t2", *third)
    test = load_text(text, "t.ll")
    chosen = select(model, (), {})
    lowered = lower(unfold(test), load_profile("generic"), ())
    compiled = compile_model(chosen.model, chosen.variants, bitset.base_kinds(test))
    assert {place.object for place in undef_locations(lowered, compiled)} == expected


def found(request: Request, worth: int, tune: Tune) -> Outcomes:
    tune(undef_worth=worth, grow_asks_early=-1)
    return replace(bitset.enumerate_test(request), explored=0)


@pytest.mark.parametrize("model", ["llvm", "amdgpu", "amdgpu-2026"])
@pytest.mark.parametrize("features", sorted(FEATURES))
def test_generated_programs(model: str, features: str, tune: Tune) -> None:
    """States, counts and flags are the same whether paths on undef are left out or searched."""
    wanted = frozenset(FEATURES[features])
    for seed in range(examples(3)):
        request = request_for(random_program(wanted, seed).text, model, wanted, seed)
        every = found(request, 1 << 62, tune)
        assert every.status == "complete"
        assert found(request, 0, tune) == every, f"{model}, {features}, seed {seed}"


@pytest.mark.parametrize("model", ["llvm", "amdgpu"])
def test_rotation(model: str) -> None:
    """Failing and succeeding at compare-and-swap is all that multiplies: what is explored is what there is."""
    result = check(load_text(SCALING["CASROT"].make(9, "ra"), "a.litmus"), model)
    assert (result.consistent, result.explored) == (8597, 8597)


@pytest.mark.parametrize("model", ["llvm", "amdgpu", "amdgpu-2026"])
@pytest.mark.parametrize("features", sorted(FEATURES))
def test_extents(model: str, features: str) -> None:
    """The kernel gives what the plain twin gives, for all sets of a model, around paths and of groups alone."""
    wanted = frozenset(FEATURES[features])
    for seed in range(examples(3)):
        request = request_for(random_program(wanted, seed).text, model, wanted, seed)
        chosen = request.model
        lowered = lower(unfold(request.test, unroll=1), request.profile, ())
        compiled = compile_model(chosen.model, chosen.variants, bitset.base_kinds(request.test))
        roots = list(sets_of(compiled))
        evaluation, groups, counts = Evaluation(roots), group_events(lowered), lowered.arrays["thread_count"]
        places = [-1 - place for place in range(len(lowered.locations))]
        arounds = [universe(lowered, groups, np.minimum(number, counts - 1)) for number in (0, 3)]
        for around in (*arounds, Universe(lowered, places + groups, [], len(groups))):
            if around is None:
                continue
            plain = plain_extents.Evaluation(around)
            for node, extent in zip(roots, evaluation.on(around), strict=True):
                expected = plain.of(node)
                assert np.array_equal(extent.must, expected.must), (seed, node)
                assert np.array_equal(extent.may, expected.may), (seed, node)


def sets_of(model: CompiledModel) -> Iterator[Node]:
    """Give the sets that are computed for a model, but for those inside of loops."""
    seen: set[Node] = set()
    stack = [check.node for check in (*model.checks, *model.bounds)]
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        if node.kind == SET and not node.free:
            yield node
        stack += node.arguments


def program_on_arrays(chosen: random.Random) -> str:
    """Make a program of three threads that do the same to each of several locations, of two kinds of these."""
    places = {name: [f"{name}{number}" for number in range(chosen.choice([2, 4, 5]))] for name in "xy"}
    globals_ = "".join(f"@{place} = addrspace(1) global i32 0\n" for those in places.values() for place in those)
    scopes = ("", WORKGROUP, 'syncscope("agent")')
    bodies = []
    for thread in range(3):
        lines: list[str] = []
        for name in chosen.sample("xy", 2):
            for _ in range(chosen.randint(0, 2)):
                loads, scope = chosen.random() < 0.5, chosen.choice(scopes)
                how = chosen.choice(["na", "monotonic", "acquire" if loads else "release"])
                lines += [
                    _load(f"%r{len(lines) + number}", place, how, scope) if loads else _store(place, how, scope)
                    for number, place in enumerate(places[name])
                ]
        bodies.append(_thread(f"t{thread}", *lines))
    return HEAD.split("@x")[0] + globals_ + "".join(bodies)


@pytest.mark.parametrize("model", ["llvm", "amdgpu", "amdgpu-2026"])
def test_some_of_each_location(model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of locations that are alike a few tell what holds for all of them."""
    left_out = 0
    for seed in range(examples(40)):
        test = load_text(program_on_arrays(random.Random(seed)), "t.ll")
        chosen = select(model, (), {})
        lowered = lower(unfold(test), load_profile("generic"), ())
        evaluation = Evaluation(undef_rules(compile_model(chosen.model, chosen.variants, bitset.base_kinds(test))))
        some = undef_groups(lowered, evaluation)
        left_out += len(undef._some_of_each(lowered, group_events(lowered))[0]) < len(lowered.locations)
        with monkeypatch.context() as patched:
            patched.setattr(undef, "_OF_EACH", 1 << 30)
            assert np.array_equal(some, undef_groups(lowered, evaluation)), seed
    assert left_out > 10
