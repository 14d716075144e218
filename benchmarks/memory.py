"""Memory of whole processes: of larger and larger tests whose states stay few, and of a long stream of small tests."""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from benchmarks.scaling import SCALING
from benchmarks.throughput import MODELS, stream
from enumerator import check_all

SIZES = [10, 16, 20, 24]
TESTS = {"SB": "rlx", "LB": "rlx"}
LIMIT = 500
"""MiB that 10^8 executions may take."""
SCALE = 2**20 if sys.platform == "darwin" else 2**10
"""Units of `ru_maxrss` in a MiB."""


def main() -> None:
    """Print executions or tests, CPU seconds and the peak of resident memory, and its ratio to the first one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--family", choices=sorted(TESTS), default="SB")
    parser.add_argument("--size", type=int, action="append", help=f"repeatable; default: {SIZES}")
    parser.add_argument("--stream", type=int, metavar="N", help="check so many small tests in one process instead")
    parser.add_argument("--model", choices=sorted(MODELS), default="amdgpu", help="of the stream")
    chosen = parser.parse_args()
    if chosen.stream:
        measure_stream(chosen.stream, chosen.model)
        return
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


def measure_stream(count: int, model: str) -> None:
    """Check small tests that are made one at a time, and print the peak at each power of ten from a thousand on."""
    print(f"{'tests':>10} {'seconds':>8} {'peak MiB':>9} {'ratio':>6}  observations")
    begun, first, found, shown = time.process_time(), 0.0, Counter[str](), 1_000
    for number, result in enumerate(check_all(stream(MODELS[model], count), model), 1):
        found[result.observation] += 1
        if number in (shown, count):
            shown *= 10
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / SCALE
            first = first or peak
            seconds = time.process_time() - begun
            print(f"{number:10} {seconds:8.1f} {peak:9.1f} {peak / first:6.2f}  {dict(found)}", flush=True)


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
    return int(words[1]) + int(words[3]), used.ru_utime + used.ru_stime, used.ru_maxrss / SCALE


if __name__ == "__main__":
    main()
