"""A folder of tests under everything that they expect: loading, the first pass, and later passes."""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from phases import Phases

from enumerator import check, load


def main() -> None:
    """Print seconds and results a second for each pass, and the ratio to the first."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", default=Path(__file__).parent.parent / "litmus_tests", type=Path)
    parser.add_argument("--runs", type=int, default=3)
    chosen = parser.parse_args()
    phases = Phases()
    begun = time.perf_counter()
    with phases.timed():
        tests = [load(path) for path in sorted(chosen.folder.rglob("*.ll"))]
    loaded = time.perf_counter() - begun
    print(f"{'pass':8} {'tests':>6} {'results':>8} {'seconds':>9} {'results/s':>10} {'ratio':>7}")
    print(f"{'load':8} {len(tests):6} {'':8} {loaded:9.2f}")
    first = 0.0
    for number in range(chosen.runs):
        begun = time.perf_counter()
        results = 0
        with phases.timed():
            for test in tests:
                for model in dict.fromkeys(each.model for each in test.expectations) or (None,):
                    check(test, model)
                    results += 1
        seconds = time.perf_counter() - begun
        first = first or seconds
        print(
            f"{number + 1:<8} {len(tests):6} {results:8} {seconds:9.2f} {results / seconds:10.0f} "
            f"{first / seconds:7.2f}"
        )
        if number == 0:
            parts = (f"{phase} {spent:.2f}" for phase, spent in phases.seconds.items())
            print(f"         CPU seconds so far: {', '.join(parts)}")


if __name__ == "__main__":
    main()
