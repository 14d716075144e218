"""The three engines behind one function, and what it means that outcomes cover outcomes."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

import enumerator
from enumerator.program.test import Test
from enumerator.program.values import UNDEF, Undef, Value
from tests.literal import enumerate_literally

__all__ = ["ENGINES", "Answer", "answer", "available", "covered", "covers", "shipped_models"]

ENGINES = ("literal", "networkx", "bitset")

_MODULES = {"networkx": "enumerator.reference.enumerate", "bitset": "enumerator.search.bitset"}


@dataclass(frozen=True)
class Answer:
    """What engines must agree on."""

    states: tuple[tuple[tuple[Value, ...], int], ...]
    flags: frozenset[str]
    consistent: int
    cut: int


def available(engine: str) -> bool:
    return engine == "literal" or importlib.util.find_spec(_MODULES[engine]) is not None


def shipped_models() -> set[str]:
    return {path.stem for path in (Path(enumerator.__file__).parent / "models").glob("*.cat")}


def answer(
    engine: str,
    test: Test,
    names: tuple[str, ...],
    *,
    model: str = "llvm",
    profile: str = "generic",
    hb: str = "closure",
    thin_air: str = "dep",
    unroll: int = 2,
    most: int | None = None,
) -> Answer | None:
    """Ask one engine for the states over the given names; None where it has more candidates than `most`."""
    if engine == "literal":
        found = enumerate_literally(
            test, model=model, profile=profile, hb=hb, thin_air=thin_air, names=names, unroll=unroll
        )
        return Answer(_sorted(found.states.items()), found.flags, found.consistent, found.cut)
    from enumerator.cat.typing import select
    from enumerator.mmra import load_profile
    from enumerator.request import Outcomes, Request

    selected = select(model, (), {"hb": hb, "thin-air": thin_air})
    request = Request(test, selected, load_profile(profile), names, unroll=unroll, max_executions=most)
    outcomes: Outcomes = import_module(_MODULES[engine]).enumerate_test(request)
    if most is not None and outcomes.status == "limit":
        return None
    assert outcomes.status == "complete"
    return Answer(_sorted(outcomes.states.items()), outcomes.flags, outcomes.consistent, outcomes.cut)


def _sorted(
    states: Iterable[tuple[tuple[Value, ...], int]],
) -> tuple[tuple[tuple[Value, ...], int], ...]:
    return tuple(sorted(states, key=repr))


def covered(state: tuple[Value, ...], by: tuple[Value, ...]) -> bool:
    """An outcome with ``undef`` covers any value in its place."""
    return all(_value_covered(mine, theirs) for mine, theirs in zip(state, by, strict=True))


def _value_covered(mine: Value, theirs: Value) -> bool:
    if isinstance(theirs, Undef):
        return True
    if isinstance(theirs, tuple):
        parts = mine if isinstance(mine, tuple) else (UNDEF,) * len(theirs)
        return all(map(_value_covered, parts, theirs))
    return mine == theirs


def covers(source: Answer | None, target: Answer | None) -> list[tuple[Value, ...]]:
    """The outcomes of the target that no outcome of the source covers; undefined behaviour covers everything."""
    assert source is not None and target is not None
    if "ub" in source.flags:
        return []
    known = [state for state, _ in source.states]
    return [state for state, _ in target.states if not any(covered(state, by) for by in known)]
