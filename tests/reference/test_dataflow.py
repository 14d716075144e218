"""Both fast engines, and the plain one, against the reference corpus of token programs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from enumerator import check, load


@pytest.mark.parametrize("engine", ["interleaving", "bitset", "networkx"])
def test_states_of_every_token_program(engine: str, corpora: Path) -> None:
    folder = corpora / "dataflow"
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    assert expected
    for name, states in expected.items():
        result = check(load(folder / f"{name}.ll"), "csa", engine=engine, all_values=True)
        found = [state.as_json()["values"] for state in result.states]
        assert result.status == "complete"
        assert sorted(map(str, map(sorted, map(dict.items, found)))) == sorted(
            str(sorted(state.items())) for state in states
        ), name
