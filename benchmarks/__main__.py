"""``python -m benchmarks COMMAND``; README.md says what each command prints."""

from __future__ import annotations

import argparse
import json
import platform
import sys
import time
from dataclasses import replace
from pathlib import Path

from benchmarks import distinguish as telling
from benchmarks import mutants, programs
from benchmarks.families import COUNTS, FAMILIES
from benchmarks.generate import write_corpus
from benchmarks.others import genmc, herd7
from benchmarks.plot import plot
from benchmarks.scaling import SCALING
from benchmarks.throughput import MODELS, files, measure_streams
from enumerator import check
from enumerator.frontend import load_text
from enumerator.results.result import Result
from enumerator.search.session import SESSION

IR_MODELS = ("llvm", "amdgpu")
IR_SIZES = {"SB": 18, "IRIW": 9, "CHAIN": 16, "FADD": 9, "WRITERS": 10}
EXCHANGES = ("CASCNT", "CASROT")
"""Families of C that are measured under these models, too."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    commands = parser.add_subparsers(required=True)
    run = commands.add_parser("run", help="measure families of tests on one core")
    run.add_argument("--family", action="append", choices=sorted({*SCALING, *FAMILIES}), help="default: all")
    run.add_argument("--size", type=int, action="append", help="repeatable; default: one a family")
    run.add_argument("--jobs", type=int, default=1, help="processes for one search; then by the clock")
    run.add_argument("--model", default="rc11", help="under llvm and amdgpu, families.py comes first")
    run.add_argument("--one-by-one", action="store_true", help="search all arrangements of symmetric threads")
    run.add_argument("--output", type=Path, help="append one JSON object a measurement to this file")
    run.set_defaults(action=measure)
    algorithms = commands.add_parser("programs", help="concurrent algorithms beside GenMC")
    algorithms.add_argument("names", nargs="*", help="by the beginnings of their names; default: all")
    algorithms.add_argument("--model", default="rc11")
    algorithms.add_argument("--seconds", type=float, default=60.0, help="the most for one program")
    algorithms.set_defaults(action=lambda chosen: programs.run(chosen.names, chosen.model, chosen.seconds))
    beside = commands.add_parser("compare", help="two files of measurements side by side")
    beside.add_argument("before", type=Path)
    beside.add_argument("after", type=Path)
    beside.set_defaults(action=compare)
    curves = commands.add_parser("plot", help="draw cost against size, from files that 'run --output' wrote, as SVG")
    curves.add_argument("files", type=Path, nargs="+")
    curves.add_argument("--output", type=Path, required=True)
    curves.add_argument("--cost", choices=("seconds", "explored", "consistent"), default="seconds")
    curves.set_defaults(action=draw)
    corpus = commands.add_parser("generate", help="write a corpus of small random tests")
    corpus.add_argument("folder", type=Path)
    corpus.add_argument("--count", type=int, default=10_000)
    corpus.add_argument("--seed", type=int, default=1)
    corpus.set_defaults(action=lambda given: write_corpus(given.folder, given.count, given.seed))
    score = commands.add_parser("mutants", help="which parts of models no test of a folder notices when they are gone")
    score.add_argument("models", nargs="*", default=["rc11", "vulkan", "llvm", "amdgpu", "amdgpu-2026"])
    score.add_argument("--folder", action="append", help="repeatable; default: litmus_tests")
    score.add_argument("--matching", default="", help="only mutants in whose description this occurs")
    score.add_argument("--seconds", type=float, help="the most CPU time for a model: what is left then is printed")
    score.add_argument("--verbose", action="store_true", help="say which test notices which, as soon as it is known")
    score.set_defaults(
        action=lambda given: mutants.run(
            given.models,
            given.folder or [],
            matching=given.matching,
            seconds=given.seconds,
            verbose=given.verbose,
        )
    )
    apart = commands.add_parser("distinguish", help="the smallest tests on which models differ")
    apart.add_argument("names", nargs="*", help="tasks by the beginnings of their names; default: all")
    apart.add_argument("--seconds", type=float, default=600.0, help="the most for one task")
    apart.add_argument(
        "--models", action="append", default=[], metavar="FOLDER", help="cat files of herd or Dat3M, too"
    )
    apart.set_defaults(action=lambda given: telling.run(given.names, given.seconds, given.models))
    least = commands.add_parser("minimal", help="how many minimal tests models have")
    least.add_argument("models", nargs="*", default=["tso", "rc11", "llvm", "amdgpu"])
    least.add_argument("--size", type=int, default=4)
    least.add_argument("--seconds", type=float, default=600.0, help="the most for one model")
    least.add_argument("--by-axiom", action="store_true", help="each axiom alone, too")
    least.add_argument("--scope", action="append", default=[], help="a sync scope beside system; repeatable")
    least.set_defaults(
        action=lambda given: telling.minimal(
            given.models, given.size, given.seconds, by_axiom=given.by_axiom, scopes=given.scope
        )
    )
    through = commands.add_parser("throughput", help="small tests a second: a stream of them, and files")
    through.add_argument("--count", type=int, default=10_000)
    through.add_argument("--model", action="append", choices=sorted(MODELS), help="repeatable; default: all")
    through.add_argument("--no-files", action="store_true", help="only streams, without text")
    through.set_defaults(action=throughput)
    chosen = parser.parse_args()
    chosen.action(chosen)


def measure(chosen: argparse.Namespace) -> None:
    """Print seconds, executions a second, explored / consistent, and the ratios to GenMC and herd7."""
    SESSION.tuning = replace(SESSION.tuning, symmetry=not chosen.one_by_one)
    print("test           consistent expl/cons  seconds     per s GenMC/ours herd7/ours")
    if chosen.model in IR_MODELS:
        measure_ir(chosen)
        return
    for name in chosen.family or SCALING:
        if name not in SCALING:
            raise SystemExit(f"{name} is a family of LLVM IR: --model {' or '.join(IR_MODELS)}")
        measure_c(chosen, name)


def measure_c(chosen: argparse.Namespace, name: str) -> None:
    """Measure a family of C."""
    family = SCALING[name]
    check(load_text(family.make(min(family.genmc[0], 8), family.genmc[1]), "warm.litmus"), chosen.model)  # compiled
    for size in chosen.size or [family.genmc[0]]:
        measure_one(chosen, name, size)


def measure_ir(chosen: argparse.Namespace) -> None:
    """Measure the families of LLVM IR, whose conditions name what the threads read."""
    for name in chosen.family or [*FAMILIES, *EXCHANGES]:
        if name not in FAMILIES:
            measure_c(chosen, name)
            continue
        make = FAMILIES[name][0]
        check(load_text(make(8), "warm.ll"), chosen.model)  # compiled
        for size in chosen.size or [IR_SIZES[name]]:
            result, seconds = timed(make(size), "test.ll", chosen)
            if result.consistent != COUNTS[name](size):
                raise SystemExit(f"{name} {size}: {result.consistent} executions, not {COUNTS[name](size)}")
            record(chosen, f"{name}_{size}_ir", result, seconds, "-", "-")


def timed(text: str, path: str, chosen: argparse.Namespace) -> tuple[Result, float]:
    """Check a test that is read already, as if it were the first; give also the seconds."""
    test = load_text(text, path)
    clock = time.process_time if chosen.jobs == 1 else time.perf_counter
    begun = clock()
    result = check(test, chosen.model, jobs=chosen.jobs)
    return result, clock() - begun


def measure_one(chosen: argparse.Namespace, name: str, size: int) -> None:
    family = SCALING[name]
    known_size, orders, known = family.genmc
    text = family.make(size, orders)
    result, seconds = timed(text, "test.litmus", chosen)
    wanted = family.count(size, orders)
    if chosen.model == "rc11" and wanted != result.consistent:
        raise SystemExit(f"{name} {size}: {result.consistent} executions, not {wanted}")
    times = genmc(text) if chosen.model == "rc11" else None
    if times is None and known and (size, chosen.model) == (known_size, "rc11"):
        times = known
    other = ratio(herd7(text) if chosen.model == "rc11" else None, seconds)
    record(chosen, f"{name}_{size}_{orders}", result, seconds, ratio(times, seconds), other)


def record(
    chosen: argparse.Namespace, test: str, result: Result, seconds: float, genmc_ratio: str, herd7_ratio: str
) -> None:
    """Print the row of a measurement, and append it to the output file."""
    consistent, explored = result.consistent or 0, result.explored or 0
    row = {
        "test": test,
        "model": chosen.model,
        "consistent": consistent,
        "explored": explored,
        "seconds": round(seconds, 6),
        "jobs": chosen.jobs,
        "machine": platform.node(),
        "python": platform.python_version(),
    }
    print(
        f"{row['test']:14} {consistent:10} {explored / max(1, consistent):9.2f} {seconds:8.3f} "
        f"{consistent / seconds:9.0f} {genmc_ratio:>10} {herd7_ratio:>10}",
        flush=True,
    )
    if chosen.output:
        with chosen.output.open("a") as file:
            file.write(json.dumps(row) + "\n")


def throughput(chosen: argparse.Namespace) -> None:
    """Print how many small tests are checked in a second: a stream of them, files, and by phase."""
    models = chosen.model or list(MODELS)
    measure_streams(chosen.count, models)
    if not chosen.no_files:
        files(chosen.count, models)


def draw(chosen: argparse.Namespace) -> None:
    """Write a plot of the last measurement of each test in the files."""
    rows = {key: row for file in chosen.files for key, row in read(file).items()}
    curves: dict[str, list[tuple[float, float]]] = {}
    for (test, model), row in sorted(rows.items()):
        family, size, orders = test.split("_")
        if row[chosen.cost] > 0:
            curves.setdefault(f"{family} {orders} {model}", []).append((int(size), row[chosen.cost]))
    if not curves:
        raise SystemExit("no measurements in these files")
    up = {"seconds": "CPU seconds", "explored": "explored executions", "consistent": "consistent executions"}
    chosen.output.write_text(plot("Cost against size", "size of the test", up[chosen.cost], curves))


def ratio(other: float | None, seconds: float) -> str:
    return "-" if other is None else f"{other / seconds:.1f}"


def compare(chosen: argparse.Namespace) -> None:
    """Print the last measurement of each test in both files, and how many times faster the second is."""
    before, after = read(chosen.before), read(chosen.after)
    print(f"{'test':14} {'model':7} {'before s':>9} {'after s':>9} {'faster':>7} {'explored':>21}")
    for key in sorted(before.keys() & after.keys()):
        old, new = before[key], after[key]
        faster = old["seconds"] / max(new["seconds"], 1e-9)
        explored = f"{old['explored']} -> {new['explored']}"
        print(f"{key[0]:14} {key[1]:7} {old['seconds']:9.3f} {new['seconds']:9.3f} {faster:7.2f} {explored:>21}")
    for key in sorted(before.keys() ^ after.keys()):
        print(f"{key[0]} under {key[1]} is in one file only", file=sys.stderr)


def read(path: Path) -> dict[tuple[str, str], dict]:  # type: ignore[type-arg]
    rows = [json.loads(line) for line in path.read_text().splitlines() if line.strip()]
    return {(row["test"], row["model"]): row for row in rows}


if __name__ == "__main__":
    main()
