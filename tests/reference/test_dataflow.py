"""Both fast engines, and the plain one, against the reference corpus of token programs."""

from __future__ import annotations

import pytest

from enumerator import check, load
from tests.reference.answers import DATA, answers


@pytest.mark.parametrize("engine", ["interleaving", "bitset", "networkx"])
def test_states_of_every_token_program(engine: str) -> None:
    expected = answers("dataflow")
    assert len(expected) == 90
    for name, (entry,) in expected.items():
        result = check(load(DATA / "dataflow" / f"{name}.ll"), "csa", engine=engine, all_values=True)
        assert result.status == "complete"
        found = [tuple(sorted(state.as_json()["values"].items())) for state in result.states]
        assert len(found) == len(set(found)) and set(found) == entry.states, name
