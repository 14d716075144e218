"""The reference corpus: every combination of model, reading, profile and variant gives exactly its states."""

from __future__ import annotations

import pytest

from enumerator.frontend import load
from enumerator.program.test import Test
from enumerator.program.types import VectorType
from enumerator.program.values import json_value
from tests.generated.engines import ENGINES, answer, available, shipped_models
from tests.literal.memory import named_locations
from tests.reference.answers import DATA, Answer, State, answers

FLAVOURS = {"llvm": 244, "weak": 252, "mmra": 500, "scoped": 244, "amdgpu": 254, "barrier": 369}
"""And how many answers each has: where they went missing, nothing would be compared."""

EACH = {"networkx": 14, "literal": 8}
"""Slow ones are given each n-th test; generated programs hold them equal to the others."""

MOST_CANDIDATES = 100
"""The reference engine gives up beyond; by a number and not by a time, so that what is compared is always the same."""


@pytest.mark.parametrize("flavour", FLAVOURS)
@pytest.mark.parametrize("engine", ENGINES)
def test_states(engine: str, flavour: str) -> None:
    if not available(engine):
        pytest.skip(f"no engine {engine}")
    models = {"llvm", "amdgpu"} if engine == "literal" else shipped_models()
    expected = sorted(answers("reference", f"{flavour}-").items())
    expected = expected[:: EACH.get(engine, 1)]
    wrong, asked, compared = [], 0, 0
    for name, entries in expected:
        test = load(DATA / "reference" / f"{name}.ll")
        for entry in entries:
            assert entry.model in models
            found = states(engine, test, entry)
            asked += 1
            compared += found is not None
            if found not in (entry.states, None):
                wrong.append((name, entry.options))
    assert wrong == []
    if engine in EACH:
        assert asked >= FLAVOURS[flavour] // (EACH[engine] + 2) and compared >= 3 * asked // 4
    else:
        assert compared == asked == FLAVOURS[flavour]


def states(engine: str, test: Test, entry: Answer) -> frozenset[State] | None:
    """What an engine says; None where the plain one would have too much to do."""
    names = observed(test, entry)
    found = answer(
        engine,
        test,
        names,
        model=entry.model,
        profile=entry.profile,
        hb=entry.hb,
        thin_air=entry.thin_air,
        most=MOST_CANDIDATES if engine == "networkx" else None,
    )
    if found is None:
        return None
    return frozenset(
        tuple(sorted((name, json_value(value)) for name, value in zip(names, state, strict=True)))
        for state, _ in found.states
    )


def observed(test: Test, entry: Answer) -> tuple[str, ...]:
    """The registers that the answers name, and every location that is no vector."""
    registers = sorted(name for name in entry.names if not name.startswith("@"))
    vectors = {memory.name for memory in test.objects if isinstance(memory.type, VectorType)}
    return (*registers, *(name for name in named_locations(test) if name not in vectors))
