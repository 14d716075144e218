"""Three engines, one meaning: on generated programs they give the same states, flags and numbers of executions."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from enumerator.frontend import load_text
from tests.generated.engines import ENGINES, answer, available, shipped_models
from tests.generated.programs import Program, programs
from tests.literal import all_names

EXAMPLES = int(os.environ.get("ENUMERATOR_EXAMPLES", "40"))
"""Programs a test; the nightly run sets more."""

UNROLL = 1

plainly = settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)

FEATURES = {
    "orderings": {"fences"},
    "unordered": {"fences", "unordered"},
    "updates": {"rmw", "cmpxchg"},
    "undef": {"undef", "rmw", "cmpxchg", "branches", "dependencies"},
    "branches": {"branches", "dependencies", "fences"},
    "loops": {"loops", "branches"},
    "addresses": {"addresses", "dependencies", "rmw", "unordered"},
    "calls": {"calls", "branches", "loops"},
    "tags": {"tags", "fences", "spaces"},
    "private": {"private", "fences", "tags"},
    "scopes": {"scopes", "fences", "rmw"},
    "one-as": {"scopes", "one-as", "spaces", "fences"},
    "barriers": {"barriers", "scopes", "fences", "branches"},
    "everything": {
        "unordered", "fences", "rmw", "cmpxchg", "branches", "loops", "addresses", "dependencies", "undef", "tags",
        "private", "scopes", "spaces", "barriers", "calls",
    },
}  # fmt: skip

AMDGPU_FEATURES = {
    "availability": {"av", "scopes", "fences"},
    "availability-tags": {"av", "scopes", "fences", "tags", "rmw"},
    "everything": FEATURES["everything"] | {"av"},
}


def check(program: Program, model: str, profile: str, hb: str, thin_air: str) -> None:
    note(program.text)
    note(f"{model}@{profile}/{hb}/{thin_air}")
    test = load_text(program.text, "generated.ll")
    names = all_names(test, UNROLL, thin_air)
    options = {"model": model, "profile": profile, "hb": hb, "thin_air": thin_air}
    expected = answer("literal", test, names, unroll=UNROLL, **options)
    for engine in ENGINES[1:]:
        if available(engine):
            found = answer(engine, test, names, unroll=UNROLL, **options)
            assert found == expected, f"{engine} over {names}"


@pytest.mark.parametrize("features", sorted(FEATURES))
def test_llvm(features: str) -> None:
    tagged = "tags" in FEATURES[features]

    @plainly
    @given(
        programs(frozenset(FEATURES[features])),
        st.sampled_from(("generic", "strict", "vulkan", "amdgpu") if tagged else ("generic",)),
        st.sampled_from(("closure", "direct", "filtered") if tagged else ("closure", "direct")),
        st.sampled_from(("dep", "dep", "rc11", "none")),
    )
    def agree(program: Program, profile: str, hb: str, thin_air: str) -> None:
        check(program, "llvm", profile, hb, thin_air)

    agree()


@pytest.mark.parametrize("features", sorted(AMDGPU_FEATURES))
def test_amdgpu(features: str) -> None:
    if "amdgpu" not in shipped_models():
        pytest.skip("no model amdgpu")

    @plainly
    @given(
        programs(frozenset(AMDGPU_FEATURES[features])),
        st.sampled_from(("generic", "amdgpu")),
        st.sampled_from(("closure", "direct", "filtered")),
    )
    def agree(program: Program, profile: str, hb: str) -> None:
        check(program, "amdgpu", profile, hb, "dep")

    agree()
