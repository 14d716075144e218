"""How much of what is explored is consistent, over corpora that were not written for this."""

from __future__ import annotations

import pytest

from enumerator import check, load
from tests.reference.answers import DATA


@pytest.mark.parametrize("model", ["rc11", "llvm", "amdgpu"])
@pytest.mark.parametrize("folder", ["c11", "scaling", "reference"])
def test_leaves_are_mostly_executions(folder: str, model: str, request: pytest.FixtureRequest) -> None:
    if folder == "reference" and model == "rc11":
        pytest.skip("these are LLVM IR with scopes")
    corpora = request.getfixturevalue("corpora") if folder == "c11" else DATA
    explored = consistent = 0
    for file in sorted((corpora / folder).glob("*.l*")):
        result = check(load(file), model)
        assert result.status == "complete" and result.explored is not None and result.consistent is not None
        explored += result.explored
        consistent += result.consistent
    assert explored <= 1.1 * consistent > 0
