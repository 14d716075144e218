"""The corpora in ``tests/data``: where they are, and their answers; see the README there."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

__all__ = ["DATA", "Answer", "State", "answers", "table", "under"]

DATA = Path(__file__).resolve().parents[1] / "data"

State = tuple[tuple[str, int | str], ...]


@dataclass(frozen=True)
class Answer:
    """The exact set of final states of a test under a model and its options."""

    model: str
    profile: str
    hb: str
    thin_air: str
    names: tuple[str, ...]
    states: frozenset[State]

    @property
    def options(self) -> str:
        """The same as in ``EXPECT``."""
        return f"{self.model}@{self.profile}/{self.hb}/{self.thin_air}"


def table(corpus: str, file: str = "expected.json") -> dict[str, Any]:
    """Read the answers of a corpus as they are written."""
    found: dict[str, Any] = json.loads((DATA / corpus / file).read_text(encoding="utf-8"))
    assert found
    return found


def answers(corpus: str, prefix: str = "") -> dict[str, list[Answer]]:
    """Give the answers of a corpus, a test each: one for each model and choice of options."""
    return {
        name: [answer for entry in entries for answer in _each(entry)]
        for name, entries in table(corpus).items()
        if name.startswith(prefix)
    }


def _each(entry: dict[str, Any]) -> list[Answer]:
    names = tuple(entry["names"].split())
    states = frozenset(tuple(zip(names, state, strict=True)) for state in entry["states"])
    return [Answer(*under(key), names, states) for key in entry["under"].split()]


def under(key: str) -> tuple[str, str, str, str]:
    """Take ``MODEL[@PROFILE][/VARIANT...]`` apart; what it does not name is the default.

    >>> under("llvm@strict/direct/rc11"), under("csa")
    (('llvm', 'strict', 'direct', 'rc11'), ('csa', 'generic', 'closure', 'dep'))
    """
    target, *variants = key.split("/")
    model, _, profile = target.partition("@")
    found = {"hb": "closure", "thin_air": "dep"}
    for variant in variants:
        found["hb" if variant in ("closure", "direct", "filtered") else "thin_air"] = variant
    return model, profile or "generic", found["hb"], found["thin_air"]
