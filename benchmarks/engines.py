"""The bitset engine beside the networkx engine, on families of tests that grow."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from families import FAMILIES

from enumerator import check
from enumerator.frontend import load_text


def main() -> None:
    """Print a row a test: executions, seconds of both engines, and how many times faster the bitset engine is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=10.0, help="bound on one run of the networkx engine")
    parser.add_argument("--model", action="append", help="default: llvm, rc11")
    chosen = parser.parse_args()
    check(load_text(FAMILIES["SB"][0](2), "warm.ll"))  # the kernels are compiled before the clock starts
    print(f"{'test':10} {'model':6} {'consistent':>10} {'bitset s':>10} {'networkx s':>11} {'ratio':>9}")
    for model in chosen.model or ["llvm", "rc11"]:
        for name, (make, sizes) in FAMILIES.items():
            plain_is_done = True
            for size in sizes:
                test = load_text(make(size), f"{name}{size}.ll")
                check(test, model)
                begun = time.perf_counter()
                result = check(load_text(make(size), f"{name}{size}.ll"), model)
                fast = time.perf_counter() - begun
                plain, ratio = "-", "-"
                if plain_is_done:
                    begun = time.perf_counter()
                    other = check(test, model, engine="networkx", timeout=chosen.seconds)
                    slow = time.perf_counter() - begun
                    plain_is_done = other.status == "complete"
                    plain = f"{slow:.3f}" if plain_is_done else f"> {chosen.seconds:.0f}"
                    ratio = f"{slow / fast:.0f}" if plain_is_done else f"> {chosen.seconds / fast:.0f}"
                    if plain_is_done and (other.positive, other.negative) != (result.positive, result.negative):
                        raise SystemExit(f"{name}{size} under {model}: the engines differ")
                consistent = (result.positive or 0) + (result.negative or 0)
                row = f"{name + str(size):10} {model:6} {consistent:10} {fast:10.4f} {plain:>11} {ratio:>9}"
                print(row, flush=True)


if __name__ == "__main__":
    main()
