"""How fast tests are generated: ``python -m benchmarks.generation [--count N] [--format F] [--files N]``.

All critical cycles of up to six relaxations over fences, dependencies and five orderings are several millions, each
once. Each row is a run of its own from the first one on: tests a second of CPU time, and by how much the memory grew
between the first tenth and the end.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

from enumerator.generation import Generated, Plan, generate
from enumerator.generation.plan import EXTENSIONS

__all__ = ["measure"]

PLAN = Plan(
    size=6,
    relax=("Rfe Fre Coe Pod** FenceSc*** FenceAR*** DpAddr** DpDatadW DpCtrl**",),
    annotate=("P Rlx Acq Rel Sc",),
)
VULKAN = Plan(size=6, relax=("Rfe Fre Coe Pod** FenceAR*** DpDatadW DpCtrl**",), annotate=("P Rlx Acq Rel Rlx(wg)",))


def measure(what: str, tests: Iterator[Generated], count: int, use: Callable[[Generated], object]) -> None:
    """Print a row."""
    begun = time.process_time()
    early = 0
    made = 0
    for made, each in enumerate(islice(tests, count), 1):
        use(each)
        if made == max(count // 10, 1):
            early = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    seconds = time.process_time() - begun
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - early) / 1024
    print(f"{what:24} {made:9} {seconds:8.1f} {made / seconds:9.0f} {grown:9.1f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.generation", description=__doc__)
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--format", choices=tuple(EXTENSIONS), action="append", help="repeatable; default: all")
    parser.add_argument("--files", type=int, default=20_000, help="how many are written to files, too")
    chosen = parser.parse_args()
    print(f"{'what':24} {'tests':>9} {'seconds':>8} {'a second':>9} {'MiB more':>9}")
    measure("abstract", generate(PLAN), chosen.count, lambda made: made.skeleton)
    measure("in memory, LLVM IR", generate(PLAN), chosen.count, lambda made: made.test())
    for format in chosen.format or EXTENSIONS:
        plan = VULKAN if format == "vulkan" else PLAN
        measure(f"text, {format}", generate(plan), chosen.count, lambda made, to=format: made.text(to))
    with tempfile.TemporaryDirectory() as folder:
        measure(
            "files, llvm",
            generate(PLAN),
            chosen.files,
            lambda made: Path(folder, f"{made.name}.ll").write_text(made.text()),
        )


if __name__ == "__main__":
    main()
