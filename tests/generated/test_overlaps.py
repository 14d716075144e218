"""Accesses that overlap partly: three engines give the same states and flags.

How many executions end in a state is not compared: that counts the orders of bytes that nobody reads.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from enumerator.errors import LimitReached
from enumerator.frontend import load_text
from enumerator.program.test import Test
from enumerator.program.types import ArrayType, FloatType, IntType, StructType, Type, VectorType, store_size
from enumerator.program.values import UNDEF, Term, Undef, Value
from tests.generated.engines import answer
from tests.generated.overlaps import random_overlap
from tests.literal import all_names, enumerate_literally
from tests.literal.contents import Content, encode
from tests.literal.memory import named_types

__all__ = ["compare"]

SEEDS = range(40)
MOST = 150
"""Of candidates: the literal enumerator gives up beyond."""

MOST_CANDIDATES = 100
"""The reference engine does."""

_PACKED = StructType((IntType(8), IntType(16)), packed=True)
_PADDED = StructType((IntType(8), IntType(32)))
_FLOATS = {2: FloatType("half", 2), 4: FloatType("float", 4), 8: FloatType("double", 8)}


def as_bytes(value: Value, declared: Type) -> Content:
    """What memory holds: where all accesses have one type, results show it so, and not as it is declared."""
    type_, size = declared, store_size(declared)
    if isinstance(value, tuple):
        match size, len(value):
            case 3, 2:
                type_ = _PACKED
            case 8, 2:
                type_ = _PADDED
            case _, count:
                type_ = VectorType(count, IntType(8 * size // count))
    elif isinstance(value, Term):
        type_ = _FLOATS[size]
    elif isinstance(value, int):
        type_ = IntType(8 * size)
    content = encode(value, type_, False)
    aggregate = isinstance(declared, VectorType | ArrayType | StructType)
    return content if aggregate or UNDEF not in content else (UNDEF,) * size


def shown(value: Value) -> Value:
    """A register; what is undef throughout is undef, and zero of ``half`` is one number however it is written."""
    if isinstance(value, tuple):
        parts = tuple(map(shown, value))
        return UNDEF if all(isinstance(part, Undef) for part in parts) else parts
    return Term("0.000000e+00") if value == Term("0xH0000") else value


def outcome(test: Test, names: Sequence[str], states: Sequence[tuple[Value, ...]]) -> set[tuple[Value | Content, ...]]:
    types = named_types(test)
    return {
        tuple(
            as_bytes(value, types[name][1]) if name in types else shown(value)
            for name, value in zip(names, state, strict=True)
        )
        for state in states
    }


def compare(seed: int, *, plain: bool, most: int = MOST, most_plain: int = MOST_CANDIDATES) -> tuple[int, int]:
    """Compare engines on the program of a seed; give how many states it has, and whether the plain engine took part."""
    model = ("llvm", "amdgpu")[seed % 2]
    scopes, tags = seed // 2 % 3 != 0, seed // 6 % 3 == 0
    profile = ("generic", "amdgpu", "strict")[seed // 4 % 3] if tags else "generic"
    hb = ("closure", "direct", "filtered")[seed // 3 % 3] if tags else "closure"
    thin_air = ("dep", "dep", "rc11")[seed // 5 % 3]
    text = random_overlap(seed, scopes=scopes, tags=tags)
    test = load_text(text, f"overlap-{seed}.ll")
    names = all_names(test, 1, thin_air)
    try:
        found = enumerate_literally(
            test, model=model, profile=profile, hb=hb, thin_air=thin_air, names=names, unroll=1, most=most
        )
    except LimitReached:
        return 0, 0
    expected = outcome(test, names, list(found.states)), found.flags
    compared = 0
    for engine in ("bitset", "networkx") if plain else ("bitset",):
        limit = most_plain if engine == "networkx" else None
        said = answer(engine, test, names, model=model, profile=profile, hb=hb, thin_air=thin_air, unroll=1, most=limit)
        if said is not None:
            states = outcome(test, names, [state for state, _ in said.states])
            options = f"{engine} over {names}, {model}@{profile}/{hb}/{thin_air}, seed {seed}"
            assert (states, said.flags) == expected, f"{options}\n{text}"
            compared += engine == "networkx"
    return len(found.states), compared


def test_engines_agree_on_states_and_flags() -> None:
    asked = states = plain = 0
    for seed in SEEDS:
        found, also = compare(seed, plain=seed % 8 == 0)
        asked += found > 0
        states += found
        plain += also
    assert asked >= len(SEEDS) // 2 and states >= asked and plain >= 3


PARTLY_UNDEF = """
; EXISTS: true
@x = global <4 x i8> <i8 1, i8 undef, i8 2, i8 3>
define void @t0() {
  %half = load atomic i16, ptr getelementptr (i8, ptr @x, i64 2) monotonic, align 2
  %pair = cmpxchg ptr @x, i32 -4, i32 7 seq_cst monotonic
  ret void
}
"""


@pytest.mark.parametrize("engine", ["literal", "networkx", "bitset"])
def test_an_update_may_read_a_cell_that_is_undef_in_part(engine: str) -> None:
    """Compared with undef, it succeeds and fails."""
    test = load_text(PARTLY_UNDEF, "undef.ll")
    found = answer(engine, test, all_names(test))
    assert found is not None and len(found.states) == 2
