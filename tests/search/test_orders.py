"""Total orders that models choose beside coherence order: the fast engine beside the reference engine."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from enumerator import check
from enumerator.executions import Rerun
from enumerator.frontend import load_text
from enumerator.program.test import Test
from enumerator.results.result import Result
from tests.generated.amounts import examples
from tests.generated.ptx import random_ptx
from tests.search.generated import Tune

HAPPENS_BEFORE = """
let sw = [W & (REL | ACQ_REL | SC)] ; rf ; [R & (ACQ | ACQ_REL | SC)]
let hb = (po | sw | IW * (M \\ IW))+
"""
MODELS = {
    # as herd's c11_simp.cat, with the order itself
    "simple": f"""
with co from generate_cos(co0)
let fr = (rf^-1 ; co) \\ id {HAPPENS_BEFORE}
irreflexive hb ; (rf | co | fr)? ; (rf | co | fr)? as coherence
with S from linearisations(SC, hb)
irreflexive S ; (co | fr | co ; rf | fr ; rf) as total
""",
    # as c11_orig.cat: an axiom over neighbours, which is not monotone; flags over the order
    "neighbours": f"""
with mo from generate_orders(W & (A | IW), co0)
let fr = (rf^-1 ; mo) \\ id {HAPPENS_BEFORE}
irreflexive hb ; (rf | mo | fr)? as coherence
with S from linearisations(SC, hb)
let next = S \\ (mo ; S)
irreflexive S ; rf^-1 ; toid(SC) ; mo
irreflexive next ; rf^-1 ; (hb & loc) ; toid(W)
irreflexive S ; fencerel(F & SC)
undefined_unless empty (W * M) & loc & ext \\ (A * A) \\ (hb | hb^-1) as race
flag ~empty S & (W * R) & ext as write-first
""",
    # two choices beside coherence order, one of them a location at a time, and of reads, too
    "two": """
with co from orders(W)
let fr = rf^-1 ; co
acyclic po & loc | rf | co | fr as coherence
with T from linearisations(F & SC | RMW, po)
with U from generate_orders(M, po & loc | rf)
acyclic T | po
irreflexive U ; fr
flag ~empty T ; U as both
flag ~empty U & (R * R) & ext as reads
""",
    # through functions and names; an order that no check uses counts all the same
    "named": """
with co from generate_cos(co0)
let all(s) = linearisations(s, 0)
let fences = all(F)
with T from fences
with U from linearisations(R & SC, po)
acyclic po & loc | rf | co | rf^-1 ; co \\ id
flag ~empty T ; [SC] ; po as fence-first
""",
}
MOST = 20
"""Candidates beyond which the reference engine gives up."""


def random_c(seed: int) -> str:
    """Give a C test of seq_cst accesses, fences and read-modify-writes, and some others."""
    choose = random.Random(seed)
    threads = choose.choice((2, 2, 3))
    registers: list[str] = []
    lines = [f"C generated{seed}", "{}"]
    for thread in range(threads):
        body: list[str] = []
        for number in range(choose.randint(1, 3 if threads == 2 else 2)):
            kind = choose.choices(("store", "load", "add", "fence", "plain", "cas"), (6, 6, 2, 3, 1, 1))[0]
            place, value, register = choose.choice("xy"), choose.randint(1, 2), f"r{number}"
            weak = {"store": "release", "load": "acquire"}.get(kind, "acq_rel")
            order = "memory_order_" + choose.choice(
                (weak, "relaxed" if kind != "fence" else weak, "seq_cst", "seq_cst")
            )
            if kind in ("load", "add", "cas"):
                registers.append(f"{thread}:{register}")
            body.append(
                {
                    "store": f"atomic_store_explicit({place}, {value}, {order});",
                    "load": f"int {register} = atomic_load_explicit({place}, {order});",
                    "add": f"int {register} = atomic_fetch_add_explicit({place}, 1, {order});",
                    "fence": f"atomic_thread_fence({order});",
                    "plain": f"*z = {value};",
                    "cas": f"int e{number} = 0; int {register} = atomic_compare_exchange_strong_explicit("
                    f"{place}, &e{number}, 2, {order}, memory_order_relaxed);",
                }[kind]
            )
        lines.append(f"P{thread} (atomic_int* x, atomic_int* y, int* z) {{ {' '.join(body)} }}")
    if choose.random() < 0.5:
        lines.append("locations [x; y; z;]")
    lines.append("exists (" + (" /\\ ".join(f"{name} = 1" for name in registers) or "[x] = 1") + ")")
    return "\n".join(lines) + "\n"


@pytest.fixture
def model(tmp_path: Path, request: pytest.FixtureRequest) -> str:
    path = tmp_path / f"{request.param}.cat"
    path.write_text(MODELS[request.param])
    return str(path)


def answer(result: Result) -> object:
    return result.states, result.flags, result.consistent, result.verdict


def outcomes(result: Result) -> object:
    return {str(sorted(state.values.items())) for state in result.states}, result.flags, result.verdict


def agree(test: Test, model: str, tune: Tune) -> bool:
    """Compare all ways to search a test with the reference engine; False where that would take long."""
    plain = check(test, model, engine="networkx", all_values=True, max_executions=MOST, timeout=3)
    if plain.status != "complete":
        return False
    for steps in (-1, 1):  # step by step; bit-parallel, and the memoized search, from the first step on
        tune(long=steps, turn=1 << 60)
        fast = check(test, model, all_values=True)
        assert answer(fast) == answer(plain), test.source
        assert fast.notes == plain.notes
        assert outcomes(check(test, model, all_values=True, outcomes_only=True)) == outcomes(plain), test.source
    return True


PROGRAMS = examples(6)


@pytest.mark.parametrize("model", sorted(MODELS), indirect=True)
def test_generated_c_tests(model: str, tune: Tune) -> None:
    compared = sum(
        agree(load_text(random_c(seed), f"g{seed}.litmus"), model, tune) for seed in range(100, 100 + PROGRAMS)
    )
    assert compared > PROGRAMS // 2


@pytest.mark.parametrize("model", ["ptx-6.0", "ptx-7.5"])
def test_generated_ptx_tests(model: str, tune: Tune) -> None:
    """Most fences are fence.sc, of several scopes."""
    texts = (random_ptx(seed).replace("fence.acq_rel", "fence.sc") for seed in range(1000, 1016))
    assert sum(agree(load_text(text, "generated.litmus"), model, tune) for text in texts) > 4


INDEPENDENT = """C independent
{}
P0 (atomic_int* x, atomic_int* y) { atomic_store(x, 1); int r0 = atomic_load(y); }
P1 (atomic_int* x, atomic_int* y) { atomic_store(x, 1); int r0 = atomic_load(y); }
P2 (atomic_int* x, atomic_int* y) { atomic_store(x, 1); int r0 = atomic_load(y); }
exists (0:r0 = 0 /\\ [x] = 1)
"""


@pytest.mark.parametrize("model", ["simple"], indirect=True)
def test_symmetric_threads(model: str, tune: Tune) -> None:
    """Three threads alike: all arrangements count; three stores in 6 orders, each read between: 6 * 5 * 3."""
    tune(symmetry=False)
    whole = check(load_text(INDEPENDENT, "i.litmus"), model, all_values=True)
    tune(symmetry=True)
    found = check(load_text(INDEPENDENT, "i.litmus"), model, all_values=True)
    assert answer(found) == answer(whole)
    assert found.consistent == 6 * 15
    assert found.explored < whole.explored


@pytest.mark.parametrize("model", ["simple", "two", "named"], indirect=True)
def test_recorded_executions_have_the_orders_that_were_chosen(model: str) -> None:
    for seed in range(200, 206):
        test = load_text(random_c(seed), f"g{seed}.litmus")
        plain = check(test, model, engine="networkx", max_executions=MOST, timeout=3)
        if plain.status != "complete":
            continue
        question = plain.question
        assert isinstance(question, Rerun)
        both = [replace(question, engine=engine).candidates() for engine in ("networkx", "bitset")]
        shapes = [
            {(each.paths, frozenset(each.reads_from), each.orders, each.chosen) for each in found} for found in both
        ]
        assert len(shapes[0]) == len(both[0]) == plain.consistent
        assert shapes[0] == shapes[1], test.source


@pytest.mark.parametrize("model", ["simple"], indirect=True)
def test_many_events_are_no_burden(model: str) -> None:
    """Ten seq_cst events, whose 10! orders the reference engine would list: an order that fails is left early."""
    chain = "int r{0} = atomic_load(x); atomic_store(x, r{0} + 1);"
    bodies = [" ".join(chain.format(n) for n in range(count)) for count in (3, 2)]
    text = "C chain\n{}\n" + "".join(f"P{number} (atomic_int* x) {{ {body} }}\n" for number, body in enumerate(bodies))
    found = check(load_text(text + "exists ([x] = 5)\n", "chain.litmus"), model)
    assert found.status == "complete" and found.observation == "Sometimes"
    assert found.consistent == 210  # S is an interleaving of 6 and 4 operations, 10! / 6! / 4!, and decides the rest
