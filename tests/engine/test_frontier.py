"""The search for outcomes alone beside the one for all executions: the same states and flags, and far fewer candidates."""

from __future__ import annotations

from random import Random

import pytest

from enumerator.cat.typing import select
from enumerator.engine import bitset
from enumerator.engine.interface import Outcomes, Request
from enumerator.frontend import load_text
from enumerator.mmra import load_profile
from enumerator.program.test import Test
from tests.engine.test_symmetry import with_duplicates
from tests.generated.programs import random_program
from tests.generated.test_agreement import FEATURES, UNROLL, variant
from tests.literal import all_names


def outcomes(
    test: Test, model: str, names: tuple[str, ...], *, profile: str = "generic", only: bool = True, **options: str
) -> Outcomes:
    selected = select(model, (), options)
    found = bitset.enumerate_test(
        Request(test, selected, load_profile(profile), names, unroll=UNROLL, outcomes_only=only)
    )
    assert found.status == "complete"
    return found


@pytest.mark.parametrize("model", ["llvm", "amdgpu", "rc11", "c11_simp"])
@pytest.mark.parametrize("features", sorted(FEATURES))
def test_generated_programs(model: str, features: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """All states over all names, some, and locations only; every combination of paths is searched for outcomes alone."""
    wanted = frozenset(FEATURES[features])
    for seed in range(300, 306):
        text = random_program(wanted, seed, reads=4, writes=4).text
        test = load_text(with_duplicates(text, seed) if seed % 2 else text, "generated.ll")
        profile, hb, thin_air = variant(wanted, seed)
        options = {"hb": hb, "thin-air": thin_air} if model in ("llvm", "amdgpu") else {}
        profile = profile if model == "llvm" else "generic"
        names = all_names(test, UNROLL, options.get("thin-air", "dep"))
        random = Random(seed)
        some = tuple(name for name in names if random.random() < 0.4)
        for chosen in {names, some, tuple(name for name in names if name.startswith("@"))}:
            monkeypatch.setattr(bitset, "_LONG", -1)
            whole = outcomes(test, model, chosen, profile=profile, only=False, **options)
            monkeypatch.setattr(bitset, "_LONG", 1)
            found = outcomes(test, model, chosen, profile=profile, **options)
            what = f"{model}, {features}, seed {seed}, {chosen}"
            assert set(found.states) == set(whole.states), what
            assert found.flags == whole.flags and found.undefined == whole.undefined, what
            assert bool(found.cut) == bool(whole.cut), what
