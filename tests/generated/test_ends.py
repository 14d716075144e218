"""Objects that end, on the heap and on the stack: the literal enumerator finds what the fast engine does."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from enumerator.frontend import load_text
from tests.generated.amounts import examples
from tests.generated.engines import answer
from tests.generated.heap import random_heap, random_stack
from tests.literal import all_names

PROGRAMS = examples(9)


@pytest.mark.parametrize("model", ("llvm", "amdgpu"))
@pytest.mark.parametrize("make", (random_heap, random_stack))
def test_objects_that_end(make: Callable[[int], str], model: str) -> None:
    flagged = 0
    for seed in range(PROGRAMS):
        text = make(seed)
        test = load_text(text, "ends.ll")
        names = all_names(test, 2)
        fast = answer("bitset", test, names, model=model)
        assert fast == answer("literal", test, names, model=model), text
        assert fast is not None
        flagged += "ub-free" in fast.flags
    assert PROGRAMS // 6 < flagged < PROGRAMS - PROGRAMS // 6
