"""What is written, read again by the front ends, is the test that is made directly."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache

import pytest

from enumerator import check, load
from enumerator.errors import InputError
from enumerator.generation.building import to_test
from enumerator.generation.plan import Generated, Plan, generate
from enumerator.program.instructions import Function
from enumerator.program.test import Test
from enumerator.program.values import UNDEF, Value
from enumerator.results.result import Result

LLVM = (
    Plan(
        size=4,
        internal=2,
        annotate=("P Unord Rlx Acq Rel Sc",),
        relax=("Rf* Fr* Co* Pod** DpAddr** DpDatadW DpCtrl**",),
    ),
    Plan(
        size=4, annotate=("Rlx", "AR(agent,foo:x)", "Sc(wg)"), place=("wg,agent",), relax=("Rfe Fre Coe Rmw Cas Pod**",)
    ),
    Plan(size=4, relax=("Rfe Fre Coe FenceRel(wg,foo:x)+Barrier+FenceAcq(agent)*** DpCtrl+FenceAcqdR Fetch.Add",)),
    Plan(size=3, annotate=("P(0..2)", "P(1..4)", "P", "Rlx(2..4)"), relax=("Rfe Fre Coe Pos**",)),
    Plan(size=4, annotate=("P(as3)", "Rel(xchg)", "Acq", "Rlx(amdgcn-av:none)"), profile="amdgpu"),
    Plan(cycles=("Coi Coe PodWR Fre PodWW", "Fetch.Sub Rfe@wg Fetch.Xor PodWR Fre@wg PodWRRlxRlx Fre PodWW Rfe")),
)


def sample(plan: Plan, most: int, seed: int = 1) -> list[Generated]:
    made = [each for _, each in zip(range(3_000), generate(plan), strict=False)]
    return random.Random(seed).sample(made, most) if len(made) > most else made


def bare(function: Function) -> Function:
    """A function without lines, its blocks by number."""
    names = {block.name: str(number) for number, block in enumerate(function.blocks)}

    def strip(part: object) -> object:
        changes = {name: names[getattr(part, name)] for name in ("block", "then", "otherwise") if hasattr(part, name)}
        return replace(part, line=None, **changes)  # type: ignore[type-var]

    blocks = tuple(
        replace(block, name=names[block.name], body=tuple(map(strip, block.body)), terminator=strip(block.terminator))  # type: ignore[arg-type]
        for block in function.blocks
    )
    return replace(function, blocks=blocks, line=None)


@pytest.mark.parametrize("plan", LLVM)
def test_llvm_is_read_as_it_was_made(plan: Plan) -> None:
    """The records are the same, so every answer is."""
    for made in sample(plan, 25):
        direct, read = made.test(), load(made.text(), name=made.name)
        assert {name: bare(each) for name, each in read.functions.items()} == {
            name: bare(each) for name, each in direct.functions.items()
        }, made.text()
        assert read.condition == direct.condition
        assert [replace(each, line=None) for each in read.objects] == list(direct.objects)
        assert read.profile == direct.profile
        assert read.threads == direct.threads
        assert same_places(read, direct), made.text()


def same_places(one: Test, other: Test) -> bool:
    names = list(one.placements)
    return names == list(other.placements) and all(
        (one.placements[a].instances[level] == one.placements[b].instances[level])
        == (other.placements[a].instances[level] == other.placements[b].instances[level])
        for a in names
        for b in names
        for level in range(6)
    )


@pytest.mark.parametrize("plan", LLVM)
def test_llvm_gives_the_same_results(plan: Plan) -> None:
    for made in sample(plan, 5, seed=2):
        direct, read = made.test(), load(made.text(), name=made.name)
        for model in ("llvm", "amdgpu", "sc"):
            one, other = check(direct, model, all_values=True), check(read, model, all_values=True)
            assert list(one.states) == list(other.states)
            assert (one.verdict, one.flags, one.positive) == (other.verdict, other.flags, other.positive)


C = (
    Plan(
        size=4, annotate=("P Rlx Acq Rel Sc",), relax=("Rf* Fr* Co* Pod** DpAddr** DpDatadW DpCtrl** FenceRel*** Rmw",)
    ),
    Plan(size=5, internal=2, annotate=("Rlx",), relax=("Rfe Fre Coe Coi Pod** DpAddrdR DpCtrldW Fetch.Add Fetch.Xor",)),
    Plan(families=("IRIW", "3.SB"), annotate=("Rlx(xchg)", "Rlx", "Sc")),
)
VULKAN = (
    Plan(size=4, annotate=("P P(nonpriv) Rlx Acq Rel P(av,agent) P(vis,wg)",), place=("wg",)),
    Plan(
        size=4,
        annotate=("Rlx(wg)", "Rlx(sc1)", "AR"),
        relax=("Rfe Fre Coe Pod** DpDatadW DpCtrldW FenceAR*** Fetch.Add",),
    ),
    Plan(size=4, relax=("Rfe Fre Coe FenceRel+FenceAcqd** Fetch.Sub Fetch.Xor Exch",), default="Rlx"),
)
"""Models under which tests in other languages than LLVM IR come out as in it: they see values and orderings alone."""


@cache
def translated(language: str, name: str) -> str:
    """The name of a register or location of LLVM IR in another language."""
    if name.startswith("@"):
        return f"[{name[1:]}]" if language == "c" else name[1:]
    thread, _, register = name.partition(":%")
    return f"{thread[1:]}:{register}" if language == "c" else f"P{thread[1:]}:{register}"


def outcomes(result: Result, language: str = "") -> set[frozenset[tuple[str, Value]]]:
    """The states, registers that were never assigned as 0."""
    return {
        frozenset(
            (
                translated(language, name)
                if language
                else name.strip("[]")
                if result.path.endswith("V.litmus")
                else name,
                0 if value is UNDEF else value,
            )
            for name, value in state.values.items()
        )
        for state in result.states
    }


def without_words(made: Generated) -> Test:
    """The test without attributes of Vulkan, which these models do not see."""
    threads = [
        tuple(event._replace(mark=event.mark._replace(words=())) for event in thread)
        for thread in made.skeleton.threads
    ]
    return to_test(made.skeleton._replace(threads=tuple(threads)))


@pytest.mark.parametrize(("language", "plan"), [*(("c", plan) for plan in C), *(("vulkan", plan) for plan in VULKAN)])
def test_other_languages_give_the_same_results(language: str, plan: Plan) -> None:
    written = 0
    for made in sample(plan, 30):
        try:
            text = made.text(language)
        except InputError:
            continue
        written += 1
        read = replace(load(text), path="V.litmus" if language == "vulkan" else "C.litmus")
        direct = without_words(made)
        for model in ("sc", "tso", "rc11"):
            one, other = check(direct, model), check(read, model)
            assert one.observation == other.observation, f"{model}\n{text}"
            assert outcomes(one, language) == outcomes(other), f"{model}\n{text}"
    assert written > 8


@pytest.mark.parametrize("language", ["llvm", "c", "vulkan"])
def test_the_profile_is_written(language: str) -> None:
    (made,) = generate(Plan(families=("MP",), profile="amdgpu"))
    assert load(made.text(language)).profile == "amdgpu"


def test_barriers_in_vulkan() -> None:
    """They order what is around them under the model of the language; others do not know them."""
    cycle = "P(av,wg) FenceRel(wg)+Barrier+FenceAcq(wg)dWR P(vis,wg) Fre"
    (made,) = generate(Plan(cycles=(f"{cycle} {cycle}",)))
    assert check(load(made.text("vulkan")), "vulkan").outcome == "Never"
    (made,) = generate(Plan(cycles=(f"{cycle} {cycle}".replace("+Barrier", ""),)))
    assert check(load(made.text("vulkan")), "vulkan").outcome == "Sometimes+race"


@pytest.mark.parametrize(
    ("cycle", "language", "message"),
    [
        ("PodWWPRel(agent) Rfe Acq PodRR Fre", "c", "thread 0, event 1: C has no sync scopes"),
        ("PodWW Rfe Acq(foo:x) PodRR Fre", "c", "C has no annotations such as foo:x"),
        ("PodWW Rfe Unord PodRR Fre", "c", "C has no unordered accesses"),
        ("BarrierdWW Rfe PodRR Fre", "c", "C has no barriers"),
        ("PodWW Rfe P(as3) PodRR Fre", "c", "C has no address spaces"),
        ("PosWW Rfe P(0..2) PosRR Fre", "c", "C has no accesses of parts of a location"),
        ("PodWW Rfe Cas PodWR Fre", "c", "C has no compare-and-exchanges that give what they read"),
        ("PodWW Rfe@wg PodRR Fre", "c", "C has no scope tree"),
        ("PodWW Rfe P(av) PodRR Fre", "c", "C has no attributes such as av"),
        ("PodWW Rfe P(av) PodRR Fre", "llvm", "LLVM IR has no av"),
        ("PodWW Rfe Sc PodRR Fre", "vulkan", "the Vulkan language has no ordering seq_cst"),
        ("PodWW Rfe DpAddrdR Fre", "vulkan", "the Vulkan language has no addresses that are computed"),
        ("PodWW Rlx(agent) Rfe@system PodRR Fre", "vulkan", "the Vulkan language has one device"),
        ("PodWW Rfe Acq(foo:x) PodRR Fre", "vulkan", "the Vulkan language has no annotations such as foo:x"),
    ],
)
def test_what_a_language_does_not_have(cycle: str, language: str, message: str) -> None:
    (made,) = generate(Plan(cycles=(cycle,)))
    with pytest.raises(InputError, match=message):
        made.text(language)
