"""``python -m benchmarks run [--output FILE]`` and ``python -m benchmarks compare A B``."""

from __future__ import annotations

import argparse
import json
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.scaling import SCALING
from enumerator import check
from enumerator.frontend import load_text


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    commands = parser.add_subparsers(required=True)
    run = commands.add_parser("run", help="measure the families of benchmarks/scaling.py on one core")
    run.add_argument("--family", action="append", choices=sorted(SCALING), help="default: all")
    run.add_argument("--size", type=int, help="default: the size that GenMC was measured with")
    run.add_argument("--model", default="rc11")
    run.add_argument("--output", type=Path, help="append one JSON object a measurement to this file")
    run.set_defaults(action=measure)
    beside = commands.add_parser("compare", help="two files of measurements side by side")
    beside.add_argument("before", type=Path)
    beside.add_argument("after", type=Path)
    beside.set_defaults(action=compare)
    chosen = parser.parse_args()
    chosen.action(chosen)


def measure(chosen: argparse.Namespace) -> None:
    """Print CPU seconds, executions a second, explored / consistent, and the ratios to GenMC and herd7."""
    print("test           consistent expl/cons  seconds     per s GenMC/ours herd7/ours")
    for name in chosen.family or SCALING:
        family = SCALING[name]
        size, orders, genmc = family.genmc
        size = chosen.size or size
        check(load_text(family.make(min(size, 8), orders), "warm.litmus"), chosen.model)  # compiled before the clock
        text = family.make(size, orders)
        begun = time.process_time()
        result = check(load_text(text, "test.litmus"), chosen.model)
        seconds = time.process_time() - begun
        consistent, explored = result.consistent or 0, result.explored or 0
        wanted = family.count(size, orders)
        if chosen.model == "rc11" and wanted not in (None, consistent):
            raise SystemExit(f"{name} {size}: {consistent} executions, not {wanted}")
        herd = herd7(text)
        known = genmc if (size, genmc > 0, chosen.model) == (family.genmc[0], True, "rc11") else None
        row = {
            "test": f"{name}_{size}_{orders}",
            "model": chosen.model,
            "consistent": consistent,
            "explored": explored,
            "seconds": round(seconds, 4),
            "machine": platform.node(),
            "python": platform.python_version(),
        }
        print(
            f"{row['test']:14} {consistent:10} {explored / max(1, consistent):9.2f} {seconds:8.3f} "
            f"{consistent / seconds:9.0f} {ratio(known, seconds):>10} {ratio(herd, seconds):>10}",
            flush=True,
        )
        if chosen.output:
            with chosen.output.open("a") as file:
                file.write(json.dumps(row) + "\n")


def herd7(text: str, patience: float = 60.0) -> float | None:
    """Give the seconds that herd7 takes; None where it is not on the path or not done in time."""
    if shutil.which("herd7") is None:
        return None
    with tempfile.NamedTemporaryFile("w", suffix=".litmus") as file:
        file.write(text)
        file.flush()
        begun = time.perf_counter()
        try:
            done = subprocess.run(
                ["herd7", "-model", "rc11.cat", file.name], capture_output=True, timeout=patience, check=False
            )
        except subprocess.TimeoutExpired:
            return None
        return time.perf_counter() - begun if done.returncode == 0 else None


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
