"""The sieve beside the comparison of all outcomes: no difference is lost, and little is left to compare."""

from __future__ import annotations

import random
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from enumerator.distinguishing import sieve as sieving
from enumerator.distinguishing.alphabet import Alphabet, make_alphabet
from enumerator.distinguishing.executions import Prepared, prepare_side
from enumerator.distinguishing.programs import Program, programs
from enumerator.distinguishing.search import _differing, distinguish
from enumerator.distinguishing.sides import Language, Side, parse_side
from enumerator.distinguishing.sieve import Sieve
from enumerator.generation.skeleton import DependencyKind, Kind
from enumerator.program.instructions import Ordering, Scope, Tag

ACCESSES = (Kind.READ, Kind.WRITE)
WITH_FENCES = (*ACCESSES, Kind.FENCE)
ATOMIC = (Ordering.MONOTONIC, Ordering.ACQUIRE, Ordering.RELEASE, Ordering.SEQ_CST)
PLAIN_OR_NOT = (Ordering.NA, Ordering.MONOTONIC, Ordering.ACQUIRE, Ordering.RELEASE)
WORKGROUP = (Scope.WORKGROUP,)


def agree(a: Side, b: Side, size: int, count: int, **alphabet: Any) -> int:
    """Compare programs with and without the sieve; give the differences there are."""
    made = make_alphabet([a, b], **alphabet)
    one, other = prepare_side(a, made), prepare_side(b, made)
    sieve = Sieve(one, other, made)
    every = [each for each in every_program(made, size) if each.count <= 1 << 12]
    picked = random.Random(1).sample(every, min(count, len(every)))
    return sum(same_of(program, one, other, sieve) for program in picked)


def every_program(alphabet: Alphabet, size: int) -> list[Program]:
    return [
        program
        for shape in alphabet.shapes(size)
        for where in alphabet.places(len(shape))
        for spaces in product(alphabet.spaces, repeat=1 + max(item.location for thread in shape for item in thread))
        for program in programs(shape, alphabet, where, spaces)
    ]


def same_of(program: Program, one: Prepared, other: Prepared, sieve: Sieve) -> int:
    expected = dict(_differing(program, None, one, other))
    found = {
        skeleton: told for left, where in sieve.left(program) for skeleton, told in _differing(left, where, one, other)
    }
    assert found == expected, program.shape
    return len(expected)


@pytest.mark.parametrize(
    ("a", "b", "size", "count", "alphabet"),
    [
        ("tso", "sc", 4, 80, {}),
        ("rc11", "c11_simp", 3, 300, {}),
        ("rc11", "c11_simp", 4, 20, {"orderings": ATOMIC}),
        ("c11_partialSC", "c11_simp", 5, 15, {"kinds": ACCESSES, "orderings": ATOMIC}),
        ("llvm", "llvm/rc11", 4, 100, {"kinds": ACCESSES, "orderings": ATOMIC}),
        ("llvm", "rc11", 3, 40, {}),
        ("llvm", "amdgpu", 3, 25, {"scopes": WORKGROUP, "orderings": PLAIN_OR_NOT}),
        ("amdgpu", "amdgpu-2026", 3, 25, {"scopes": WORKGROUP, "spaces": (1, 3), "orderings": PLAIN_OR_NOT}),
        ("llvm/closure", "llvm/direct", 4, 25, {"kinds": ACCESSES, "tags": ((Tag("a", "x"),), (Tag("a", "y"),))}),
        ("llvm", "llvm@vulkan", 3, 25, {"orderings": PLAIN_OR_NOT, "tags": ((Tag("amdgcn-av", "none"),),)}),
        ("ptx-7.5", "ptx-6.0", 3, 25, {"scopes": WORKGROUP}),
        ("ptx-7.5", "rc11", 3, 25, {"orderings": ATOMIC}),
        ("rc11", "sc", 3, 25, {"dependencies": tuple(DependencyKind)}),
        ("llvm", "llvm/rc11", 4, 100, {"kinds": ACCESSES, "dependencies": (DependencyKind.DATA,)}),
        (
            "llvm",
            "llvm/rc11",
            4,
            40,
            {"kinds": ACCESSES, "orderings": ATOMIC[:1], "dependencies": tuple(DependencyKind)},
        ),
        ("llvm", "amdgpu", 3, 25, {"orderings": PLAIN_OR_NOT, "dependencies": tuple(DependencyKind)}),
        ("c11_simp", "rc11", 3, 40, {"orderings": ATOMIC, "operators": ("xchg", "cmpxchg")}),
        ("llvm", "llvm/none", 3, 25, {"operators": ("cmpxchg",), "dependencies": tuple(DependencyKind)}),
        ("amdgpu", "rc11", 3, 25, {"kinds": (*ACCESSES, Kind.BARRIER), "scopes": WORKGROUP}),
    ],
)
def test_no_difference_is_lost(a: str, b: str, size: int, count: int, alphabet: dict[str, Any]) -> None:
    agree(parse_side(a), parse_side(b), size, count, **alphabet)


def test_no_difference_is_lost_in_vulkans_language() -> None:
    sides = [parse_side(text, language=Language.VULKAN) for text in ("vulkan", "vulkan/nochains")]
    agree(*sides, 3, 40)
    agree(*sides, 3, 40, kinds=(*WITH_FENCES, Kind.BARRIER), scopes=WORKGROUP)


def test_orders_that_models_choose(tmp_path: Path) -> None:
    text = (
        '"chosen"\nwith co from generate_cos(co0)\nwith S from linearisations(SC, po)\nlet fr = rf^-1 ; co\n'
        "acyclic po & loc | rf | co | fr as coherence\nempty rmw & (fr ; co) as atomicity\n"
    )
    weak, strong = tmp_path / "weak.cat", tmp_path / "strong.cat"
    weak.write_text(text + "irreflexive S ; rf as order")
    strong.write_text(text + "irreflexive S ; (rf | co | fr) as order")
    sides = [parse_side(str(file)) for file in (weak, strong)]
    orderings = (Ordering.MONOTONIC, Ordering.SEQ_CST)
    assert agree(*sides, 4, 100, kinds=ACCESSES, orderings=orderings)
    agree(*sides, 3, 100, orderings=orderings)


def test_annotations_are_decided_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sieving, "_MOST_WORDS", 1)
    assert agree(parse_side("rc11"), parse_side("c11_simp"), 3, 300)


@pytest.mark.parametrize(
    ("a", "b", "size", "left", "looked"),
    [("c11_partialSC", "c11_simp", 5, 8, (17486, 159)), ("c11_simp", "c11_simp", 4, 0, (0, 0))],
)
def test_little_is_left(a: str, b: str, size: int, left: int, looked: tuple[int, int]) -> None:
    sides = parse_side(a), parse_side(b)
    alphabet = make_alphabet(sides, kinds=ACCESSES, orderings=ATOMIC)
    sieve = Sieve(*(prepare_side(side, alphabet) for side in sides), alphabet)
    assert sum(1 for program in every_program(alphabet, size) for _ in sieve.left(program)) == left
    assert tuple(sieve.count[:2].tolist()) == looked


def test_differences_of_five_events() -> None:
    sides = parse_side("c11_partialSC"), parse_side("c11_simp")
    alphabet = make_alphabet(sides, kinds=WITH_FENCES, orderings=(Ordering.MONOTONIC, Ordering.SEQ_CST), threads=2)
    found = distinguish(*sides, alphabet, 6)
    assert (found.status, found.complete, found.shapes, found.tests) == ("complete", 5, 1099, 28384)
    assert len(found.differences) == 4
    assert all((each.a, each.b) == ("Sometimes", "Never") for each in found.differences)
