"""The search bit-parallel beside the search step by step, and its kernels beside plain twins."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from enumerator.frontend import load_text
from enumerator.search import bitset
from enumerator.search import opcodes as op
from enumerator.search.circuit import without_branches
from enumerator.search.kernels import bit_parallel as kernels
from tests.generated.amounts import examples
from tests.generated.engines import answer
from tests.generated.programs import random_program
from tests.generated.test_agreement import FEATURES, UNROLL, variant
from tests.literal import all_names
from tests.search.generated import Tune


@pytest.mark.parametrize("model", ["llvm", "amdgpu", "rc11", "c11_simp"])
@pytest.mark.parametrize("features", sorted(FEATURES))
def test_generated_programs(model: str, features: str, tune: Tune) -> None:
    """Searched bit-parallel from the first steps on, every program has the states, flags and numbers as without."""
    wanted = frozenset(FEATURES[features])
    for seed in range(100, 100 + examples(2)):
        test = load_text(random_program(wanted, seed).text, "generated.ll")
        profile, hb, thin_air = variant(wanted, seed) if model == "llvm" else ("generic", "closure", "dep")
        names = all_names(test, UNROLL, thin_air)
        answers = []
        for steps in (-1, 1, 4):
            tune(long=steps)
            options = {"hb": hb, "thin_air": thin_air} if model in ("llvm", "amdgpu") else {}
            answers.append(answer_of(model, test, names, profile, options))
        assert answers[0] == answers[1] == answers[2], f"{model}, {features}, seed {seed}"


@pytest.mark.parametrize("thin_air", ["dep", "rc11", "none"])
@pytest.mark.parametrize("features", sorted(FEATURES))
def test_nothing_observed(thin_air: str, features: str, tune: Tune) -> None:
    """Where all executions end alike they are only counted; values that depend on themselves are still told apart."""
    for seed in range(200, 200 + examples(3)):
        test = load_text(random_program(frozenset(FEATURES[features]), seed).text, "generated.ll")
        answers = []
        for steps in (-1, 1):
            tune(long=steps)
            answers.append(answer("bitset", test, (), unroll=UNROLL, thin_air=thin_air))
        assert answers[0] == answers[1], f"{features}, seed {seed}"


def test_values_out_of_thin_air_are_counted_one_by_one(tune: Tune) -> None:
    lines = ["; each thread hands on what it reads", "; EXISTS: true", "@x = global i32 0", "@y = global i32 1"]
    for name, source, target in (("a", "x", "y"), ("b", "y", "x")):
        lines.append(f"define void @{name}() {{\n  %r = load atomic i32, ptr @{source} monotonic, align 4")
        lines.append(f"  store atomic i32 %r, ptr @{target} monotonic, align 4\n  ret void\n}}")
    test = load_text("\n".join(lines) + "\n", "circle.ll")
    counts = []
    for steps in (-1, 1):
        tune(long=steps)
        found = [answer("bitset", test, (), thin_air=thin_air) for thin_air in ("none", "dep")]
        counts.append([each.consistent for each in found if each is not None])
    assert counts == [[5, 3]] * 2  # in a circle, both constants


def answer_of(model: str, test: object, names: tuple[str, ...], profile: str, options: dict[str, str]) -> object:
    if model in ("llvm", "amdgpu"):
        return answer("bitset", test, names, model=model, profile=profile, unroll=UNROLL, **options)  # type: ignore[arg-type]
    from enumerator.cat.typing import select
    from enumerator.mmra import load_profile
    from enumerator.request import Request

    request = Request(test, select(model), load_profile(profile), names, unroll=UNROLL)  # type: ignore[arg-type]
    found = bitset.enumerate_test(request)
    return found.states, found.flags, found.consistent, found.cut


def plain(circuit: NDArray[np.int32], signals: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """What the operations compute of rows of truth values, one operation at a time."""
    result = signals.copy()
    operations = {
        op.G_AND: lambda d, a, b: a & b,
        op.G_AND_NOT: lambda d, a, b: a & ~b,
        op.G_NOT: lambda d, a, b: ~a,
        op.G_COPY: lambda d, a, b: a,
        op.G_OR_IN: lambda d, a, b: d | a,
        op.G_OR_AND: lambda d, a, b: d | a & b,
        op.G_ZERO: lambda d, a, b: d & False,
    }
    for what, d, a, b in circuit:
        result[d] = operations[what](result[d], result[a], result[b])
    return result


def test_gates() -> None:
    rng = np.random.default_rng(3)
    signals = rng.random((30, kernels.BATCH)) < 0.5
    signals[0], signals[1] = False, True
    columns = [rng.integers(0, 7, 200), rng.integers(2, 30, 200), *(rng.integers(0, 30, 200) for _ in range(2))]
    circuit = np.stack(columns, axis=1).astype(np.int32)
    packed = np.packbits(signals, axis=1, bitorder="little").view(np.uint64)
    kernels.evaluate(without_branches(circuit), 0, len(circuit), packed)
    found = np.unpackbits(packed.view(np.uint8), axis=1, bitorder="little").astype(bool)
    assert (found == plain(circuit, signals)).all()


def test_a_loop_of_gates_runs_until_nothing_changes() -> None:
    """Signals 0 to 4 in a row, each taking over the one before: all are true in the end where the first is."""
    rows = [(op.G_LOOP, 0, 0, 0), *((op.G_ASSIGN, d, d - 1, 0) for d in (4, 3, 2, 1)), (op.G_REPEAT, 0, 0, 0)]
    packed = np.zeros((5, kernels.WORDS), dtype=np.uint64)
    packed[0] = np.arange(kernels.WORDS, dtype=np.uint64)
    kernels.evaluate(without_branches(np.array(rows, dtype=np.int32)), 0, len(rows), packed)
    assert (packed == packed[0]).all()
