"""The interleaving engine against the model's axioms and against a plain search, on generated token programs."""

from __future__ import annotations

import pytest

from enumerator.api import check
from enumerator.cat.typing import select
from enumerator.errors import InputError
from enumerator.frontend import load_text
from enumerator.program.test import Test
from enumerator.results.result import Result
from enumerator.search.interleaving import Shape, shape_of
from enumerator.unfold import all_names, unfold
from tests.dataflow.interleavings import outcomes
from tests.dataflow.programs import program
from tests.dataflow.source import function, module
from tests.generated.amounts import examples
from tests.generated.programs import random_program


def answer(result: Result) -> tuple[list[dict[str, object]], tuple[str, ...], bool]:
    states = sorted((state.as_json()["values"] for state in result.states), key=str)
    return states, result.flags, result.cut > 0


def generated(seed: int, *, barriers: bool = False) -> Test:
    return load_text(program(seed, barriers=barriers), f"generated-{seed}.ll")


@pytest.mark.parametrize("model", ["csa", "sc"])
@pytest.mark.parametrize("block", range(6))
def test_the_axioms_and_the_states_give_the_same(model: str, block: int) -> None:
    for seed in range(20 * block, 20 * block + examples(10)):
        test = generated(seed)
        by_states = check(test, model, engine="interleaving", all_values=True)
        by_axioms = check(test, model, engine="bitset", all_values=True)
        assert answer(by_states) == answer(by_axioms), seed
        assert by_states.positive is None and by_states.explored is not None


@pytest.mark.parametrize("model", ["csa", "sc"])
@pytest.mark.parametrize("block", range(4))
def test_the_three_engines_with_barriers_and_fences(model: str, block: int) -> None:
    plain = 0
    for seed in range(25 * block, 25 * block + examples(15)):
        test = generated(seed, barriers=True)
        by_states = check(test, model, engine="interleaving", all_values=True)
        by_axioms = check(test, model, engine="bitset", all_values=True)
        assert by_states.status != "timeout" and answer(by_states) == answer(by_axioms), seed
        if plain < 4 and (by_axioms.consistent or 0) <= 40:
            plainly = check(test, model, engine="networkx", all_values=True, timeout=4)
            if plainly.status != "timeout":
                assert answer(plainly) == answer(by_axioms), seed
                plain += 1
    assert plain >= 4, "the reference engine was given too little time to compare anything"


@pytest.mark.parametrize("model", ["csa", "sc"])
@pytest.mark.parametrize(
    "features",
    [
        ("barriers", "fences", "scopes"),
        ("barriers", "fences", "scopes", "branches", "rmw"),
        ("barriers", "fences", "dependencies", "addresses", "cmpxchg", "loops"),
    ],
)
def test_the_three_engines_on_programs_without_tokens(features: tuple[str, ...], model: str) -> None:
    plain = 0
    for seed in range(examples(20)):
        test = load_text(random_program(frozenset(features), seed, 3, 3).text, f"generated-{seed}.ll")
        if model == "sc" and any(path.end == "stuck" for paths in unfold(test).paths for path in paths):
            with pytest.raises(InputError, match="loops that wait"):
                check(test, model, engine="interleaving", all_values=True, unroll=1)
            continue
        by_states = check(test, model, engine="interleaving", all_values=True, unroll=1)
        by_axioms = check(test, model, engine="bitset", all_values=True, unroll=1)
        assert answer(by_states) == answer(by_axioms), seed
        if plain < 3 and (by_axioms.consistent or 0) <= 40:
            plainly = check(test, model, engine="networkx", all_values=True, unroll=1, timeout=4)
            if plainly.status != "timeout":
                assert answer(plainly) == answer(by_axioms), seed
                plain += 1
    assert plain >= 3, "the reference engine was given too little time to compare anything"


def test_parts_of_a_thread_beside_its_barrier() -> None:
    """What has nothing to do with the barrier is a part of its own, in which the other threads have no barrier."""
    test = load_text(
        """; SCOPES: (agent (workgroup t0 t1))
@x = addrspace(1) global i32 0
declare void @llvm.amdgcn.s.barrier()
define void @t0() {
  store i32 1, ptr addrspace(1) @x
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  ret void
}
define void @t1() {
  call void @llvm.amdgcn.s.barrier()
  ret void
}
""",
        "barrier.ll",
    )
    for engine in ("bitset", "networkx", "interleaving"):
        result = check(test, "csa", engine=engine, all_values=True)
        assert (len(result.states), result.flags) == (2, ()), engine


MOST_EXPLORED = 200


@pytest.mark.parametrize("barriers", [False, True])
@pytest.mark.parametrize("model", ["csa", "sc"])
@pytest.mark.parametrize("block", range(4))
def test_a_plain_search_gives_the_same(model: str, block: int, barriers: bool) -> None:
    shape = shape_of(select(model))
    assert isinstance(shape, Shape)
    for seed in range(15 * block, 15 * block + examples(6)):
        test = generated(seed, barriers=barriers)
        names = tuple(sorted(all_names(test)))
        found = check(test, model, engine="interleaving", all_values=True)
        if found.explored > MOST_EXPLORED:
            continue  # the plain search takes minutes
        states, ends = outcomes(test, shape.before, names, at_return=shape.returns)
        assert {tuple(state.values[name] for name in names) for state in found.states} == states, seed
        assert ("cut" in ends) == (found.cut > 0)
        assert {end for end in ends if end != "cut"} == set(found.flags) - {"ub"}


def test_what_is_asked_for_does_not_change_the_answer() -> None:
    for seed in range(120, 120 + examples(16)):
        test = generated(seed)
        whole = check(test, "csa", all_values=True)
        for name in ("@x", "@y"):
            one = load_text(program(seed).replace("EXISTS: true", f"EXISTS: {name} = 1"), "one.ll")
            assert {state.values[name] for state in check(one, "csa").states} == {
                state.values[name] for state in whole.states
            }


# Cost: states, and not interleavings ----------------------------------------------------------------------------


def stores(count: int, *, wait: bool, condition: str = "true") -> Test:
    lines = ["%e = entry"]
    for number in range(count):
        lines += ["in %e", f"store i32 1, ptr @s{number}", f"%t{number} = out"]
    lines += [f"%m = all {', '.join(f'%t{number}' for number in range(count))}", f"in {'%m' if wait else '%e'}"]
    body = "\n".join([*lines, "ret void"])
    text = "".join(f"@s{number} = global i32 0\n" for number in range(count))
    return module(f"; EXISTS: {condition}\n{text}define void @f() {{\n{body}\n}}")


def test_independent_stores_that_the_return_waits_for() -> None:
    result = check(stores(20, wait=True), "csa", all_values=True)
    assert len(result.states) == 1
    assert set(result.states[0].values.values()) >= {1}
    assert result.explored is not None and result.explored <= 3 * 20


def test_independent_stores_that_the_return_does_not_wait_for() -> None:
    result = check(stores(20, wait=False, condition="@s0 = 1 /\\ @s19 = 0"), "csa")
    assert result.observation == "Sometimes" and len(result.states) == 4
    assert result.explored is not None and result.explored <= 4 * 20
    assert len(check(stores(10, wait=False), "csa", all_values=True).states) == 2**10


def test_threads_that_share_nothing_are_searched_one_by_one() -> None:
    threads = "".join(
        f"@g{n} = global i32 0\ndefine void @t{n}() {{\n%e = entry\nin %e\nstore i32 1, ptr @g{n}\n%s = out\n"
        f"in %s\n%r = load i32, ptr @g{n}\n%l = out\nin %l\nret void\n}}\n"
        for n in range(8)
    )
    for model in ("csa", "sc"):
        result = check(module(threads), model, engine="interleaving", all_values=True)
        assert len(result.states) == 1
        assert result.explored is not None and result.explored <= 8 * 4


# Choice of engine -----------------------------------------------------------------------------------------------


def test_a_model_of_another_shape() -> None:
    with pytest.raises(InputError, match="memory is sequentially consistent; of 'tso': it has another axiom"):
        check(stores(1, wait=True), "tso", engine="interleaving")


def test_csa_is_searched_by_states_and_sc_by_executions() -> None:
    assert check(stores(3, wait=True), "csa").positive is None
    assert check(stores(3, wait=True), "sc").positive == 1


def test_executions_come_from_the_axioms() -> None:
    graphs = check(stores(1, wait=False), "csa").executions
    assert len(graphs) == 2


def test_limits() -> None:
    many = function(
        "%e = entry\n"
        + "".join(f"in %e\n%a{n} = atomicrmw xchg ptr @x, i32 {n} monotonic\n%t{n} = out\n" for n in range(12))
        + "in %e\nret void"
    )
    result = check(many, "csa", all_values=True, max_executions=1000)
    assert (result.status, result.verdict) == ("limit", "Ok")
    result = check(many, "csa", all_values=True, timeout=0.2)
    assert result.status == "timeout"
    first = check(load_text(many.source.replace("@x = ", "; EXISTS: @x = 3\n@x = "), "m.ll"), "csa", first=True)
    assert first.observation == "Sometimes"
