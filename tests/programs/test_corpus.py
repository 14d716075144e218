"""Programs of which another checker has counted the executions (tests/data/README.md)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from enumerator import check, load
from enumerator.frontend.compiled import Compiler
from tests.programs.source import needs_clang

PROGRAMS = Path(__file__).resolve().parent.parent / "data" / "programs"
SMALL = "barr-3 caslock-3 casctr2-3 fib-3 lastzero-5 msq-1 peterson-1 peterson_ra-1 seqlock-2 szymanski-1".split()


@needs_clang
@pytest.mark.parametrize("name", SMALL)
def test_a_main_that_creates_the_threads(name: str) -> None:
    """With their ``main``, which creates the threads, they have as many executions as GenMC counts."""
    source = PROGRAMS / f"{name}.c"
    if not source.exists():
        pytest.skip("the sources are not here")
    expected = json.loads((PROGRAMS / "expected.json").read_text())[name]["executions"]
    clang = next(each for each in ("clang", *(f"clang-{n}" for n in range(30, 13, -1))) if _there(each))
    result = check(load(source, Compiler(f"{clang} -DGENMC")), "rc11")
    assert result.status == "complete" and result.consistent == expected


@pytest.mark.parametrize("model", ["sc", "tso"])
@pytest.mark.parametrize(
    ("name", "consistent", "explored"),
    [("caslock-4", 24, 24), ("chaselev-2", 18, 19), ("indexer-12", 8, 8), ("msq-2", 58, 67), ("treiber-3", 831, 844)],
)
def test_other_models_are_grown_as_well(name: str, consistent: int, explored: int, model: str) -> None:
    """Two models that let no write come between the halves of an update, where only writes of others are named."""
    result = check(load(PROGRAMS / f"{name}.ll"), model)
    assert (result.status, result.consistent, result.explored) == ("complete", consistent, explored)


def _there(name: str) -> bool:
    import shutil

    return shutil.which(name) is not None
