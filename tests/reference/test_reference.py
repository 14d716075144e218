"""The reference corpus: every combination of model, reading, profile and variant gives exactly its states."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from enumerator.frontend import load
from enumerator.program.test import Test
from enumerator.program.types import VectorType
from enumerator.program.values import json_value
from tests.generated.engines import ENGINES, answer, available, shipped_models
from tests.literal.memory import named_locations

FLAVOURS = ("llvm", "weak", "mmra", "scoped", "amdgpu", "barrier")

State = tuple[tuple[str, int | str], ...]


@pytest.mark.parametrize("flavour", FLAVOURS)
@pytest.mark.parametrize("engine", ENGINES)
def test_states(engine: str, flavour: str, corpora: Path) -> None:
    if not available(engine):
        pytest.skip(f"no engine {engine}")
    models = {"llvm", "amdgpu"} if engine == "literal" else shipped_models()
    expected = json.loads((corpora / "reference" / "expected.json").read_text())
    chosen = sorted(name for name in expected if name.startswith(f"{flavour}-"))
    if engine == "networkx":
        chosen = chosen[::8]  # the plain engine is slow; generated programs hold it equal to the others
    wrong = []
    for name in chosen:
        test = load(corpora / "reference" / f"{name}.ll")
        for entry in expected[name]:
            if entry["model"] in models and states(engine, test, entry) not in (wanted(entry), None):
                wrong.append((name, {key: entry[key] for key in ("model", "hb", "profile", "thin_air")}))
    assert chosen and wrong == []


def wanted(entry: dict[str, Any]) -> set[State]:
    return {tuple(sorted(state.items())) for state in entry["states"]}


def states(engine: str, test: Test, entry: dict[str, Any]) -> set[State] | None:
    """What an engine says; None where the plain one takes too long."""
    names = observed(test, entry)
    found = answer(
        engine,
        test,
        names,
        model=entry["model"],
        profile=entry["profile"],
        hb=entry["hb"],
        thin_air=entry["thin_air"],
        timeout=2 if engine == "networkx" else None,
    )
    if found is None:
        return None
    return {
        tuple(sorted((name, json_value(value)) for name, value in zip(names, state, strict=True)))
        for state, _ in found.states
    }


def observed(test: Test, entry: dict[str, Any]) -> tuple[str, ...]:
    """The registers that the answers name, and every location that is no vector."""
    registers = sorted({name for state in entry["states"] for name in state if not name.startswith("@")})
    vectors = {memory.name for memory in test.objects if isinstance(memory.type, VectorType)}
    return (*registers, *(name for name in named_locations(test) if name not in vectors))
