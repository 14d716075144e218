"""Three engines, one meaning: on generated programs they give the same states, flags and numbers of executions."""

from __future__ import annotations

import os
from functools import partial

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from enumerator.frontend import load_text
from tests.generated.amounts import examples
from tests.generated.engines import ENGINES, answer, available
from tests.generated.programs import Program, programs, random_program
from tests.literal import all_names

EXAMPLES = examples(6)
"""Programs a test; the nightly run sets more."""

FIRST_SEED = int(os.environ.get("ENUMERATOR_SEED", "0"))

UNROLL = 1

MOST_CANDIDATES = int(os.environ.get("ENUMERATOR_CANDIDATES", "200"))
"""The reference engine gives up beyond; by a number and not by a time, so that what is compared is always the same."""

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
    "async": {"async", "fences", "barriers"},
    "async-tags": {"async", "fences", "scopes", "tags", "branches", "calls", "loops"},
    "everything": {
        "unordered", "fences", "rmw", "cmpxchg", "branches", "loops", "addresses", "dependencies", "undef", "tags",
        "private", "scopes", "spaces", "barriers", "calls",
    },
}  # fmt: skip

AMDGPU_FEATURES = {
    "availability": {"av", "scopes", "fences"},
    "availability-tags": {"av", "scopes", "fences", "tags", "rmw"},
    "local-and-volatile": {"av", "scopes", "fences", "spaces", "volatile", "tags", "barriers"},
    "async": {"async", "fences", "scopes", "barriers", "av", "tags"},
    "everything": FEATURES["everything"] | {"av", "volatile"},
}


def check(
    program: Program, model: str, profile: str, hb: str, thin_air: str, engines: tuple[str, ...] = ENGINES[1:]
) -> int:
    """Compare engines with the literal enumerator; give how often the plain one took part."""
    test = load_text(program.text, "generated.ll")
    names = all_names(test, UNROLL, thin_air)
    options = f"{model}@{profile}/{hb}/{thin_air}"
    ask = partial(answer, test=test, names=names, model=model, profile=profile, hb=hb, thin_air=thin_air, unroll=UNROLL)
    expected = ask("literal")
    plain = 0
    for engine in engines:
        if available(engine):
            found = ask(engine, most=MOST_CANDIDATES if engine == "networkx" else None)
            if found is None:
                continue
            assert found == expected, f"{engine} over {names}, {options}\n{program.text}"
            plain += engine == "networkx"
    return plain


def enough(plain: int, asked: int) -> bool:
    """Whether the reference engine took part often enough to be a check."""
    return plain >= asked // 3


@pytest.mark.parametrize("features", sorted(FEATURES))
def test_llvm(features: str) -> None:
    """Programs of Hypothesis: when they differ, it finds a small one."""
    wanted = frozenset(FEATURES[features])

    @plainly
    @given(programs(wanted), st.integers(0, 1000))
    def agree(program: Program, choice: int) -> None:
        check(program, "llvm", *variant(wanted, choice), ("bitset",))

    agree()


@pytest.mark.parametrize("features", sorted(FEATURES))
def test_llvm_at_random(features: str) -> None:
    """Programs spread evenly."""
    wanted = frozenset(FEATURES[features])
    asked = plain = 0
    for seed in range(FIRST_SEED, FIRST_SEED + EXAMPLES):
        engines = ENGINES[1:] if seed % 4 == 0 else ("bitset",)
        asked += "networkx" in engines
        plain += check(random_program(wanted, seed), "llvm", *variant(wanted, seed), engines)
    assert enough(plain, asked)


@pytest.mark.parametrize("model", ["amdgpu", "amdgpu-2026"])
@pytest.mark.parametrize("features", sorted(AMDGPU_FEATURES))
def test_amdgpu_at_random(features: str, model: str) -> None:
    wanted = frozenset(AMDGPU_FEATURES[features])
    asked = plain = 0
    for seed in range(FIRST_SEED, FIRST_SEED + EXAMPLES):
        _, hb, _ = variant(frozenset({"tags"}), seed)
        engines = ENGINES[1:] if seed % 3 == 1 else ("bitset",)
        asked += "networkx" in engines
        plain += check(random_program(wanted, seed), model, ("generic", "amdgpu")[seed // 3 % 2], hb, "dep", engines)
    assert enough(plain, asked)


def variant(features: frozenset[str], choice: int) -> tuple[str, str, str]:
    """A profile, a reading of happens-before and a thin-air axiom."""
    profiles: tuple[str, ...] = ("generic",)
    readings = ("closure", "direct", "closure")
    if "tags" in features:
        profiles, readings = ("generic", "strict", "vulkan", "amdgpu"), ("closure", "direct", "filtered")
    choice, reading = divmod(choice, 3)
    choice, profile = divmod(choice, len(profiles))
    return profiles[profile], readings[reading], ("dep", "dep", "rc11", "none")[choice % 4]
