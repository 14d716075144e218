"""What candidates share changes no value: evaluated with what others have left, or alone."""

from __future__ import annotations

from itertools import islice

import pytest

from enumerator.cat.interpreter import Evaluation
from enumerator.cat.reuse import Kept
from enumerator.cat.typing import select
from enumerator.frontend import load_text
from enumerator.mmra import load_profile
from enumerator.reference.axioms import choices_of, evaluate_candidate, is_consistent, knows_undef
from enumerator.reference.base import combine_paths
from enumerator.reference.enumerate import candidates
from enumerator.request import Request
from enumerator.unfold import unfold
from tests.generated.programs import random_program


def values(evaluation: Evaluation) -> object:
    named = {
        name: value if isinstance(value, frozenset) else set(value.edges) for name, value in evaluation.names.items()
    }
    return named, [(result.holds, result.elements) for result in evaluation.checks], evaluation.final


@pytest.mark.parametrize("model", ["llvm", "amdgpu", "rc11", "c11_partialSC", "ptx-7.5", "vulkan"])
def test_shared_values(model: str) -> None:
    for seed in range(3):
        test = load_text(random_program(frozenset({"fences", "rmw", "scopes"}), seed, 3, 3).text, "generated.ll")
        request = Request(test, select(model), load_profile("generic"), ())
        kept, reads = Kept(), None
        for candidate in islice(candidates(request), 12):
            combination = combine_paths(
                unfold(test, undef=knows_undef(request.model)), candidate.paths, request.profile
            )
            choices = choices_of(request.model, combination)
            undef = combination.sets["R"].difference(read for _, read in candidate.reads_from)
            if reads != (candidate.paths, candidate.reads_from):
                same_paths = reads is not None and reads[0] == candidate.paths
                kept = kept.with_other_reads() if same_paths else Kept()
                reads = candidate.paths, candidate.reads_from
            what = (
                request.model,
                combination,
                choices,
                candidate.reads_from,
                candidate.orders,
                undef,
                candidate.chosen,
            )
            alone, shared = evaluate_candidate(*what), evaluate_candidate(*what, kept)
            assert values(alone) == values(shared), test.source
            begun = evaluate_candidate(*what, kept, whole=False)
            assert is_consistent(begun) == is_consistent(alone)
            if is_consistent(alone):
                assert values(begun) == values(alone)
