"""Theorems that the semantics, section 4, states of the AMDGPU model, on generated programs."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from enumerator.frontend import load_text
from tests.generated.engines import Answer, answer, available, covers, shipped_models
from tests.generated.programs import AV_NONE, Program, programs
from tests.generated.test_agreement import plainly
from tests.literal import all_names
from tests.literal.availability import AmdgpuCandidate
from tests.literal.enumerate import consistent_executions, thread_traces

WITHOUT_AV = frozenset({"scopes", "fences", "tags", "rmw", "branches", "spaces"})
WITH_AV = frozenset({"av", "scopes", "fences", "rmw"})


def ask(text: str, model: str, hb: str = "closure") -> Answer | None:
    test = load_text(text, "generated.ll")
    engine = "bitset" if available("bitset") and "amdgpu" in shipped_models() else "literal"
    return answer(engine, test, all_names(test, 1), model=model, hb=hb, unroll=1)


@pytest.mark.parametrize("hb", ["closure", "direct"])
def test_safe_by_default(hb: str) -> None:
    """Without av tags and intrinsics, LLVM's and AMDGPU's outcomes cover each other."""

    @plainly
    @given(programs(WITHOUT_AV))
    def safe(program: Program) -> None:
        note(program.text)
        llvm, amdgpu = ask(program.text, "llvm", hb), ask(program.text, "amdgpu", hb)
        assert covers(llvm, amdgpu) == []
        assert covers(amdgpu, llvm) == []

    safe()


@plainly
@given(programs(WITH_AV), st.sampled_from(("closure", "direct")))
def test_opting_out_only_adds(program: Program, hb: str) -> None:
    """Every LLVM outcome is covered by an AMDGPU outcome."""
    note(program.text)
    assert covers(ask(program.text, "amdgpu", hb), ask(program.text, "llvm", hb)) == []


@plainly
@given(programs(WITH_AV))
def test_taking_av_away_is_safe(program: Program) -> None:
    """Without its av:none tags, and with plain accesses in place of intrinsics, a program has no new outcome."""
    note(program.text)
    plain = without_av(program)
    note(plain)
    assert covers(ask(program.text, "amdgpu"), ask(plain, "amdgpu")) == []


def without_av(program: Program) -> str:
    text = program.with_tags(tuple(tuple(tag for tag in tags if tag != AV_NONE) for tags in program.tags))
    text = re.sub(
        r"call <4 x i32> @llvm\.amdgcn\.av\.global\.load\.b128\((.*), metadata .*\)",
        r"load <4 x i32>, \1, align 16",
        text,
    )
    return re.sub(
        r"call void @llvm\.amdgcn\.av\.global\.store\.b128\((.*), (<.*), metadata .*\)",
        r"store \2, \1, align 16",
        text,
    )


@plainly
@given(programs(WITH_AV))
def test_properties_of_the_relations(program: Program) -> None:
    """The document's informational properties, on every consistent execution."""
    note(program.text)
    test = load_text(program.text, "generated.ll")
    runs = thread_traces(test, 1, "dep")
    for candidate, _ in consistent_executions(test, runs, "amdgpu", "generic", "closure", "dep"):
        assert isinstance(candidate, AmdgpuCandidate)
        p = candidate.program
        between = candidate.lo & p.ext
        assert between <= candidate.hb  # location order between threads needs happens-before
        assert all((x, w) in p.inscope for w, x in candidate.avail if (w, x) in p.ext)
        for write, observer in candidate.visible_to_thread:
            assert (write, observer) in candidate.hb or (write, observer) in p.po
