"""The interleaving engine on token programs that grow: cost grows with states, not with interleavings."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from families import TOKEN_FAMILIES

from enumerator import check
from enumerator.frontend import load_text


def main() -> None:
    """Print a row a test: outcomes, states visited, seconds; and seconds by the axioms as long as they keep up."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=10.0, help="bound on one run of the bitset engine")
    chosen = parser.parse_args()
    check(load_text(TOKEN_FAMILIES["WAIT"][0](2), "warm.ll"), "csa")  # the kernels are compiled before the clock starts
    check(load_text(TOKEN_FAMILIES["WAIT"][0](2), "warm.ll"), "csa", engine="bitset")
    print(f"{'test':10} {'outcomes':>9} {'states':>9} {'seconds':>9} {'bitset s':>9}")
    for name, (make, sizes) in TOKEN_FAMILIES.items():
        keeps_up = True
        for size in sizes:
            test = load_text(make(size), f"{name}{size}.ll")
            begun = time.perf_counter()
            result = check(test, "csa")
            took = time.perf_counter() - begun
            by_axioms = "-"
            if keeps_up:
                begun = time.perf_counter()
                other = check(test, "csa", engine="bitset", outcomes_only=True, timeout=chosen.seconds)
                keeps_up = other.status == "complete"
                by_axioms = f"{time.perf_counter() - begun:.3f}" if keeps_up else f"> {chosen.seconds:.0f}"
                if keeps_up and [state.values for state in other.states] != [state.values for state in result.states]:
                    raise SystemExit(f"{name}{size}: the engines differ")
            row = f"{name + str(size):10} {len(result.states):9} {result.explored:9} {took:9.4f} {by_axioms:>9}"
            print(row, flush=True)


if __name__ == "__main__":
    main()
