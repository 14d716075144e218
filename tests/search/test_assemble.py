"""The base relations and sets that the kernel assembles are those of the plain analysis."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from enumerator.cat.compiler import compile_model
from enumerator.cat.typing import select
from enumerator.events import RELATIONS
from enumerator.frontend import load, load_text
from enumerator.mmra import load_profile
from enumerator.program.test import Test
from enumerator.reference.base import combine_paths
from enumerator.request import Request
from enumerator.search import opcodes as op
from enumerator.search.bitset import _KINDS, _SETS
from enumerator.search.bytecode import assemble as lay_out
from enumerator.search.kernels.candidates import assemble
from enumerator.search.lower import lower
from enumerator.search.problem import lay_out as lay_out_problem
from enumerator.search.tuning import Tuning
from enumerator.unfold import unfold
from tests.generated.programs import random_program
from tests.generated.test_agreement import FEATURES
from tests.search.test_kernels import unpack

EVERYTHING = frozenset(FEATURES["everything"] | {"one-as", "av"})


VULKAN = sorted((Path(__file__).resolve().parents[2] / "litmus_tests" / "vulkan").glob("[AV]-*"))


@pytest.mark.parametrize("profile_name", ["generic", "strict", "vulkan", "amdgpu"])
def test_base_relations_and_sets(profile_name: str) -> None:
    for seed in range(12):
        compare(load_text(random_program(EVERYTHING, seed).text, "generated.ll"), profile_name)


def test_base_relations_and_sets_of_vulkan() -> None:
    for path in VULKAN:
        compare(load(path), "generic")


def compare(test: Test, profile_name: str) -> None:
    profile, model = load_profile(profile_name), select("llvm")
    plain = lay_out(compile_model(model.model, model.variants, _KINDS))
    relations = list(RELATIONS)
    sets = sorted(_SETS - {"UNDEF"})
    program = replace(
        plain,
        base_relations=tuple((name, 4 + place) for place, name in enumerate(relations)),
        base_sets=tuple((name, 2 + place) for place, name in enumerate(sets)),
        relations=4 + len(relations),
        sets=2 + len(sets),
    )
    unfolded = unfold(test, unroll=1)
    request = Request(test, model, profile, ())
    problem = lay_out_problem(request, lower(unfolded, profile, ()), program, Tuning())
    numbers = [len(options) - 1 for options in unfolded.paths]
    problem.work.combo[:] = numbers
    assemble(problem.prog, problem.data, problem.work)
    combination = combine_paths(unfolded, numbers, profile)
    n = int(problem.work.st[op.EVENTS])
    assert n == len(combination.events)
    for place, name in enumerate(relations):
        matrix = unpack(problem.work.R[4 + place], n)
        found = {(a, b) for a in range(n) for b in range(n) if matrix[a][b]}
        assert found == set(combination.relations[name].edges), (name, test.source)
    for place, name in enumerate(sets):
        members = unpack(problem.work.S[2 + place : 3 + place], n)[0]
        assert {e for e in range(n) if members[e]} == set(combination.sets.get(name, ())), (name, test.source)
