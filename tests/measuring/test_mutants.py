"""The mutation score of a corpus, on a small model."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from benchmarks.model_mutants import model_mutants  # noqa: E402
from benchmarks.mutants import ARGUMENTS, CORPUS, argued, cases, score  # noqa: E402
from enumerator.cat.parser import load_model  # noqa: E402
from enumerator.discovery import find_tests  # noqa: E402


def test_score_of_sequential_consistency() -> None:
    folders = ("store-buffering", "two-plus-two-w", "coherence", "rmw", "heap", "bytes/tearing", "message-passing")
    tests = list(cases("sc", find_tests([str(CORPUS / folder) for folder in folders])))
    found = score("sc", tests)
    assert not found.disagreements  # what candidates say of a mutant, a search says too
    left = {f"{mutant.within}: {mutant.what}" for mutant in found.survivors}
    assert found.mutants == len(found.killed) + len(found.by_states) + len(left) + len(found.equivalent) + len(
        found.invalid
    )
    assert found.mutants == 33 and len(found.killed) >= 17
    # Barriers are in none of these folders. What is freed comes after all accesses in every test with that flag, and an
    # initial write before; the halves of a read-modify-write are ordered with a write between them either way.
    assert not [each for each in left if "bar" not in each and "ub-free" not in each and "atomicity" not in each]


def test_what_is_argued_to_change_nothing_is_a_mutant() -> None:
    given = sum(len(each["mutants"]) for each in tomllib.loads(ARGUMENTS.read_text())["because"])
    found = {
        f"{mutant.position.path}:{mutant.within}:{mutant.what}:{mutant.position}"
        for model in ("llvm", "amdgpu", "amdgpu-2026", "vulkan", "rc11")
        for mutant in argued(list(model_mutants(load_model(model))))
    }
    assert len(found) >= given > 0
