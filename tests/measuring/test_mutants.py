"""The mutation score of a corpus, on a small model."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from benchmarks.mutants import CORPUS, cases, score  # noqa: E402
from enumerator.discovery import find_tests  # noqa: E402


def test_score_of_sequential_consistency() -> None:
    folders = ("store-buffering", "two-plus-two-w", "coherence", "rmw", "heap", "bytes/tearing", "message-passing")
    tests = list(cases("sc", find_tests([str(CORPUS / folder) for folder in folders])))
    found = score("sc", tests)
    left = {f"{mutant.within}: {mutant.what}" for mutant in found.survivors}
    assert found.mutants == len(found.killed) + len(found.by_states) + len(left) + len(found.equivalent) + len(found.invalid)
    assert found.mutants == 33 and len(found.killed) >= 17
    # Barriers are in none of these folders. What is freed comes after all accesses in every test with that flag, and an
    # initial write before; the halves of a read-modify-write are ordered with a write between them either way.
    assert not [each for each in left if "bar" not in each and "ub-free" not in each and "atomicity" not in each]
