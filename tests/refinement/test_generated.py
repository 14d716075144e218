"""Refinement against plain sets of outcomes on generated pairs; contexts by the many against each by itself."""

from __future__ import annotations

import re
from itertools import product
from random import Random

import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st

from enumerator import check
from enumerator.asking import select_model, select_profile
from enumerator.frontend import load_text
from enumerator.options import Options
from enumerator.refinement.alphabet import alphabet
from enumerator.refinement.contexts import families
from enumerator.refinement.correspondence import correspond
from enumerator.refinement.program import in_context, observed_of, thread_names
from enumerator.refinement.refine import contexts, refines
from enumerator.refinement.search import Asker, chunks
from enumerator.unfold.constants import constants
from tests.generated.engines import answer, covers
from tests.generated.programs import programs, random_program

PLAIN = frozenset({"fences", "rmw", "tags", "scopes", "unordered"})
_WORDS = ("monotonic", "acquire", "release", "acq_rel", "seq_cst")


def changed(text: str, choose: Random) -> str:
    """Change one thing of a program: an ordering, a scope, tags, an operation that goes."""
    lines = text.splitlines()
    places = [number for number, line in enumerate(lines) if re.match(r"  (fence|store|%\w+ = (load|atomicrmw))", line)]
    number = choose.choice(places)
    line = lines[number]
    kind = choose.choice(["ordering", "scope", "tags", "gone", "again"])
    if kind == "ordering" and any(word in line for word in _WORDS):
        if "fence" in line:
            line = re.sub("|".join(_WORDS), choose.choice(["acquire", "release", "acq_rel", "seq_cst"]), line)
        elif "store" in line:
            line = re.sub("release|seq_cst|monotonic", choose.choice(["monotonic", "release", "seq_cst"]), line)
        elif "load" in line:
            line = re.sub("acquire|seq_cst|monotonic", choose.choice(["monotonic", "acquire", "seq_cst"]), line)
    elif kind == "scope":
        line = re.sub(r'syncscope\("\w+"\) ', "", line)
    elif kind == "tags":
        line = re.sub(r", !mmra !\d+$", "", line)
    elif kind == "gone" and not line.startswith("  %"):
        line = ""
    elif kind == "again" and not line.startswith("  %"):
        line = f"{line}\n{line}"
    return "\n".join([*lines[:number], line, *lines[number + 1 :], ""])


@settings(max_examples=60)
@given(programs(PLAIN), st.integers(0, 1 << 30), st.sampled_from(["llvm", "amdgpu"]))
def test_refinement_is_the_covering_of_plain_outcomes(program: object, seed: int, model: str) -> None:
    text = program.text  # type: ignore[attr-defined]
    other = changed(text, Random(seed))
    note(text)
    note(other)
    source, target = load_text(text, "s.ll"), load_text(other, "t.ll")
    found = refines(source, target, model, explain=False)
    names = correspond(source, target).observed
    mine, theirs = (answer("bitset", test, names, model=model) for test in (source, target))
    assert mine is not None and theirs is not None
    expected = not covers(mine, theirs) and ("ub" in mine.flags or "ub" not in theirs.flags)
    assert found.refines is expected
    if found.counterexample is not None:
        values = tuple(found.counterexample.outcome.values[name] for name in names)
        assert values in dict(theirs.states)


@pytest.mark.parametrize("seed", range(4))
def test_contexts_at_once_are_contexts_one_by_one(seed: int) -> None:
    program = random_program(frozenset({"fences", "tags"}), seed, reads=2, writes=2)
    text = program.text
    other = changed(text, Random(seed))
    source, target = load_text(text, "s.ll"), load_text(other, "t.ll")
    found = refines(source, target, contexts=1, explain=False)
    every = list(contexts(source, target, 1))
    refuted = None
    for place, pair in enumerate(every, 1):
        added = pair[0].threads[len(source.threads) :]
        reads = [f"{thread.name}:%r0" for thread in added if "r0" in repr(pair[0].functions[thread.function])]
        names = (*correspond(source, target).observed, *reads)
        answers = [answer("bitset", _alone(each), names) for each in pair]
        assert answers[0] is not None and answers[1] is not None
        if covers(*answers) and refuted is None:
            refuted = place
    assert found.refines is (refuted is None)
    if refuted is None:
        assert found.contexts == len(every)


def _alone(test: object) -> object:
    """Run the one function that a context thread may run."""
    from dataclasses import replace

    threads = tuple(replace(thread, alternatives=()) for thread in test.threads)  # type: ignore[attr-defined]
    return replace(test, threads=threads)  # type: ignore[type-var]


FUNCTION = """
; SCOPES: (system (agent (workgroup f)))
@x = global i32 0
@y = global i32 0
define void @f() {{
  store i32 1, ptr @x
  {fence}
  store atomic i32 1, ptr @y {scope}{ordering}, align 4
  ret void
}}
"""


def test_contexts_are_as_many_as_they_should_be() -> None:
    test = load_text(FUNCTION.format(fence="", scope="", ordering="release"), "f.ll")
    # One location each: loads na, seq_cst; stores na, release, seq_cst; one exchange release, seq_cst. One place.
    found = refines(test, test, contexts=1)
    assert found.refines is True
    assert found.contexts == 1 + 2 * (2 + 3 + 2)
    pairs = 10 * 11 // 2  # unordered, of two threads without an exchange
    chains = 10 * 10 + 2 * 10 * 4
    assert refines(test, test, contexts=2).contexts == found.contexts + chains + pairs + 10 * 4


def test_a_fence_that_goes_is_missed_by_some_context() -> None:
    strong = load_text(FUNCTION.format(fence="fence release", scope="", ordering="monotonic"), "s.ll")
    weak = load_text(FUNCTION.format(fence="", scope="", ordering="monotonic"), "t.ll")
    assert refines(strong, weak).refines is True  # nobody looks
    found = refines(strong, weak, contexts=2)
    assert found.refines is False
    example = found.counterexample
    assert example is not None and example.context is not None and example.context_target is not None
    assert [line.partition(" = ")[2].partition(",")[0] for line in example.threads] == [
        "load atomic i32",
        "load i32",
    ]
    for text, expected in ((example.context, "Never"), (example.context_target, "Sometimes")):
        result = check(load_text(text, "c.ll"))
        assert result.observation == expected and result.as_expected
    assert refines(weak, strong, contexts=2).refines is True


def test_scopes_are_told_apart_by_places() -> None:
    wide, narrow = (
        load_text(FUNCTION.format(fence="", scope=scope, ordering="release"), "f.ll")
        for scope in ("", 'syncscope("workgroup") ')
    )
    assert refines(narrow, wide, contexts=2).refines is True
    found = refines(wide, narrow, contexts=2)
    assert found.refines is False
    assert found.counterexample is not None
    assert check(load_text(found.counterexample.context_target or "", "c.ll")).observation != "Never"


def test_processes_give_the_same_answer() -> None:
    strong = load_text(FUNCTION.format(fence="fence release", scope="", ordering="monotonic"), "s.ll")
    weak = load_text(FUNCTION.format(fence="", scope="", ordering="monotonic"), "t.ll")
    for pair in ((strong, weak), (weak, strong)):
        one, two = (refines(*pair, contexts=2, options=Options(jobs=jobs), explain=False) for jobs in (1, 2))
        assert (one.refines, one.contexts) == (two.refines, two.contexts)
        assert one.counterexample == two.counterexample


@pytest.mark.parametrize(("model", "size", "step"), [("llvm", 2, 5), ("amdgpu", 2, 11), ("llvm", 3, 331)])
def test_families_give_the_outcomes_of_each_context(model: str, size: int, step: int) -> None:
    """One search for a family of contexts gives, for each of them, the outcomes of a search of its own."""
    test = load_text(FUNCTION.format(fence="fence release", scope="", ordering="monotonic"), "f.ll")
    shared = correspond(test, test)
    letters = alphabet([test], shared.touched, constants(test))
    options = Options()
    asker = Asker(select_model(test, model, options), select_profile(test, None), options, shared.observed)
    names = thread_names([test])
    compared = 0
    for family in families(test, letters, size):
        for chosen in chunks(family):
            found, complete, _ = asker.among(test, family, letters, names, chosen)
            assert complete
            for place, numbers in enumerate(product(*chosen)):
                if place % step or not family.holds(numbers):
                    continue
                context = family.context(numbers)
                observed = (*shared.observed, *observed_of(names, context))
                alone = asker.alone(in_context(test, context, letters, names), observed).outcomes
                columns = [found[numbers].names.index(name) for name in alone.names]
                mine = {tuple(values[column] for column in columns) for values in found[numbers].values}
                assert mine == alone.values, context
                assert set(found[numbers].ends) == set(alone.ends)
                compared += 1
    assert compared > 30
