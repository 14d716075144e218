"""Memory against executions: whole processes, each with a larger test whose states stay few."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.scaling import SCALING

SIZES = [10, 16, 20, 24]
TESTS = {"SB": "rlx", "LB": "rlx"}
LIMIT = 500
"""MiB that 10^8 executions may take."""


def main() -> None:
    """Print executions, CPU seconds and the peak of resident memory, and its ratio to that of the smallest test."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--family", choices=sorted(TESTS), default="SB")
    parser.add_argument("--size", type=int, action="append", help=f"repeatable; default: {SIZES}")
    chosen = parser.parse_args()
    family, orders = SCALING[chosen.family], TESTS[chosen.family]
    print(f"{'test':10} {'executions':>12} {'seconds':>8} {'peak MiB':>9} {'ratio':>6}")
    first = 0.0
    with tempfile.TemporaryDirectory() as folder:
        for size in chosen.size or SIZES:
            file = Path(folder) / "test.litmus"
            file.write_text(family.make(size, orders))
            executions, seconds, peak = measure(file)
            if executions != family.count(size, orders):
                raise SystemExit(f"{chosen.family} {size}: {executions} executions")
            first = first or peak
            print(f"{chosen.family:3}{size:7} {executions:12} {seconds:8.1f} {peak:9.0f} {peak / first:6.2f}")
            if peak > LIMIT:
                raise SystemExit(f"more than {LIMIT} MiB")


def measure(file: Path) -> tuple[int, float, float]:
    """Run one test in a process of its own; give its executions, CPU seconds and peak of resident memory in MiB."""
    command = [sys.executable, "-m", "enumerator", "run", "--model", "rc11", str(file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        printed = process.stdout.read()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"exit code {process.returncode}")
    words = next(line for line in printed.splitlines() if line.startswith("Positive:")).split()
    scale = 2**20 if sys.platform == "darwin" else 2**10  # ru_maxrss is in bytes there
    return int(words[1]) + int(words[3]), used.ru_utime + used.ru_stime, used.ru_maxrss / scale


if __name__ == "__main__":
    main()
