"""Small tests a second: a stream of `Test` objects without any text, folders of files, and where the time goes.

``python -m benchmarks throughput`` prints tests a second of CPU time, LLVM's process included.
"""

from __future__ import annotations

import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from operator import sub
from pathlib import Path
from typing import Any

from benchmarks.generate import SHAPES, litmus_test, write_corpus
from benchmarks.phases import Phases
from enumerator import check, frontend, load
from enumerator.corpus.pool import look_less_for_garbage
from enumerator.corpus.tasks import Models, check_file
from enumerator.frontend import load_text
from enumerator.frontend.llvm import process
from enumerator.options import BatchOptions
from enumerator.program.instructions import Annotation, Block, Fence, Load, Ordering, ReadModifyWrite, Store
from enumerator.program.test import Test
from enumerator.report import writer
from enumerator.results.result import Result

__all__ = ["MODELS", "files", "measure_streams", "processor_seconds", "stream", "varied"]

LITMUS_TESTS = Path(__file__).parent.parent / "litmus_tests"

MODELS = {"llvm": "llvm", "amdgpu": "llvm", "rc11": "c11", "vulkan": "vulkan"}
"""The models, and what tests each is measured with."""

_ORDERINGS = {
    Load: (Ordering.MONOTONIC, Ordering.ACQUIRE, Ordering.SEQ_CST),
    Store: (Ordering.MONOTONIC, Ordering.RELEASE, Ordering.SEQ_CST),
    ReadModifyWrite: (Ordering.MONOTONIC, Ordering.ACQUIRE, Ordering.RELEASE, Ordering.ACQ_REL, Ordering.SEQ_CST),
    Fence: (Ordering.ACQUIRE, Ordering.RELEASE, Ordering.ACQ_REL, Ordering.SEQ_CST),
}
_SMALL = 12  # instructions of a test that counts as small
_FEW = 40  # of the files of a format, at most so many are varied


def stream(kind: str, count: int, seed: int = 1, distinct: int = 300) -> Iterator[Test]:
    """Give small tests that were never text: a few hundred that are read, each varied again and again.

    Parameters
    ----------
    kind : {'llvm', 'c11', 'vulkan'}
    count, seed : int
    distinct : int
        How many are read, of those that are made.

    Yields
    ------
    Test
    """
    chance = random.Random(seed)
    if kind == "llvm":
        shapes = list(SHAPES)
        texts = [litmus_test(chance.choice(shapes), chance) for _ in range(min(distinct, count))]
        read = [load_text(text, f"{number}.ll") for number, text in enumerate(texts)]
    else:
        read = [test for file in sorted((LITMUS_TESTS / kind).glob("*.litmus")) if _is_small(test := load(file))]
        read = read[:_FEW]
    for number in range(count):
        yield varied(read[number % len(read)], chance, seq_cst=kind != "vulkan")


def _is_small(test: Test) -> bool:
    return sum(len(block.body) for function in test.functions.values() for block in function.blocks) <= _SMALL


def varied(test: Test, chance: random.Random, *, seq_cst: bool = True) -> Test:
    """Give a test with other orderings at its atomic operations and fences.

    Parameters
    ----------
    test : Test
    chance : random.Random
    seq_cst : bool
        Whether these may be sequentially consistent.

    Returns
    -------
    Test
    """

    def other(part: Any) -> Any:
        annotation: Annotation | None = getattr(part, "annotation", None)
        if type(part) not in _ORDERINGS or annotation is None or annotation.ordering == Ordering.NA:
            return part
        offered = [each for each in _ORDERINGS[type(part)] if seq_cst or each != Ordering.SEQ_CST]
        return replace(part, annotation=replace(annotation, ordering=chance.choice(offered)))

    def block(one: Block) -> Block:
        return replace(one, body=tuple(map(other, one.body)))

    functions = {
        name: replace(function, blocks=tuple(map(block, function.blocks))) for name, function in test.functions.items()
    }
    return replace(test, functions=functions, expectations=())


def measure_streams(count: int, models: Sequence[str]) -> None:
    """Print how many tests of a stream are checked in a second, and where the time goes."""
    print(f"{'stream':8} {'tests':>7} {'first 10th':>10} {'ms a test':>9} {'a second':>8} {'peak MiB':>8}")
    phases = {}
    for model in models:
        phases[model] = Phases()
        warm = list(stream(MODELS[model], 3, seed=0))
        for test in warm:
            check(test, model)
        tests = list(stream(MODELS[model], count))
        begun, tenth = time.process_time(), 0.0
        with phases[model].timed():
            for number, test in enumerate(tests):
                check(test, model)
                if number == count // 10:
                    tenth = time.process_time() - begun
        seconds = time.process_time() - begun
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        each, first = 1000 * seconds / count, 1000 * tenth / (count // 10)
        print(f"{model:8} {count:7} {first:10.3f} {each:9.3f} {count / seconds:8.0f} {peak:8.0f}", flush=True)
    for model, spent in phases.items():
        print(f"\n{model}", *spent.lines(count), sep="\n")


def files(count: int, models: Sequence[str]) -> None:
    """Print how many files a second are read, checked and reported: by CPU time in one process, and whole batches."""
    print(f"\n{'files':8} {'tests':>7} {'ms of CPU':>9} {'LLVM':>6} {'a second':>8} {'batch, s':>9} {'a second':>8}")
    shares = {}
    with tempfile.TemporaryDirectory() as folder:
        corpus, report = Path(folder) / "corpus", Path(folder) / "report.jsonl"
        generated = list(map(str, write_corpus(corpus, count)))
        for model in models:
            is_ir = MODELS[model] == "llvm"
            where = corpus if is_ir else LITMUS_TESTS / MODELS[model]
            paths = generated if is_ir else _repeated(sorted(map(str, where.glob("*.litmus"))), count)
            shares[model] = Phases()
            own, llvm = processor_seconds(paths, model, report, shares[model])
            seconds = batch(where, model, report)
            results = len(report.read_text().splitlines())
            each, tests = (own + llvm) / len(paths), len(paths)
            print(
                f"{model:8} {tests:7} {1000 * each:9.2f} {1000 * llvm / tests:6.2f} {1 / each:8.0f} "
                f"{seconds:9.1f} {results / seconds:8.0f}",
                flush=True,
            )
    for model, spent in shares.items():
        print(f"\n{model}, files", *spent.lines(count), sep="\n")


def _repeated(paths: list[str], count: int) -> list[str]:
    """Give so many paths, of few files again and again."""
    return [paths[number % len(paths)] for number in range(count)]


def batch(folder: Path, model: str, report: Path) -> float:
    """Check a folder by the command line in one process; give the seconds by the clock, start included."""
    command = [sys.executable, "-m", "enumerator", "check", "--model", model, "--jobs", "1", "--format", "jsonl"]
    begun = time.perf_counter()
    done = subprocess.run([*command, "--output", str(report), str(folder)], check=False, stdout=subprocess.DEVNULL)
    if done.returncode not in (0, 1):  # 1: conditions that do not hold
        raise SystemExit(f"exit code {done.returncode}")
    return time.perf_counter() - begun


def processor_seconds(paths: Sequence[str], model: str, report: Path, phases: Phases) -> tuple[float, float]:
    """Check files and write their results as a process of a batch does; give its CPU seconds and those of LLVM's."""
    options, models = BatchOptions(models=(model,), by_expectations=True), Models(())
    list(check_file(paths[0], options, models))  # compiled before the clock starts
    process.stop()
    look_less_for_garbage()

    def results() -> Iterator[Result]:
        for number, path in enumerate(paths):
            frontend.read_ahead(islice(paths, number, None))
            yield from check_file(path, options, models)

    before = os.times()
    with report.open("w") as file, phases.timed():
        writer("jsonl")(results(), file)
    process.stop()
    user, system, child_user, child_system, _ = map(sub, os.times(), before)
    return user + system, child_user + child_system
