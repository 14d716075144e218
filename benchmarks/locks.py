"""Locks that threads wait for in loops: seconds for all executions, and for outcomes alone.

The condition asks for a count that no execution reaches without the lock. The loop of ``compare`` writes to memory,
what it expects, so that it is cut at its bound; the others wait.
"""

from __future__ import annotations

import argparse
import time

from enumerator import check
from enumerator.frontend import load_text
from enumerator.results.result import Result

LOCKS = {
    "exchange": "while (atomic_exchange_explicit(l, 1, memory_order_acquire) == 1) {}",
    "compare": (
        "int e = 0; while (atomic_compare_exchange_strong_explicit(l, &e, 1, memory_order_acquire, "
        "memory_order_relaxed) == 0) { e = 0; }"
    ),
    "test": (
        "while (1) { while (atomic_load_explicit(l, memory_order_relaxed) == 1) {} "
        "if (atomic_exchange_explicit(l, 1, memory_order_acquire) == 0) break; }"
    ),
    "ticket": (
        "int m = atomic_fetch_add_explicit(t, 1, memory_order_relaxed); "
        "while (atomic_load_explicit(l, memory_order_acquire) != m) {}"
    ),
}
"""How a thread waits for the lock."""


def spin_lock(kind: str, n: int) -> str:
    """`n` threads that add one to a location under a lock which they wait for in a loop."""
    free = "m + 1" if kind == "ticket" else "0"
    body = f"{LOCKS[kind]} int r = *d; *d = r + 1; atomic_store_explicit(l, {free}, memory_order_release);"
    threads = "".join(f"P{i} (atomic_int* l, int* d, atomic_int* t) {{ {body} }}\n" for i in range(n))
    return f"C {kind}\n{{ }}\n{threads}exists (d={n})\n"


def main() -> None:
    """Print a row a lock and model."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, action="append", help="repeatable; default: 3")
    parser.add_argument("--model", action="append", help="repeatable; default: rc11, llvm, amdgpu")
    parser.add_argument("--lock", action="append", choices=sorted(LOCKS), help="repeatable; default: all")
    parser.add_argument("--seconds", type=float, default=60.0, help="the most for one search")
    chosen = parser.parse_args()
    print(f"{'lock':12} {'model':8} {'executions':>10} {'expl/cons':>9} {'seconds':>8} {'outcomes only':>13}")
    for count in chosen.threads or [3]:
        for kind in chosen.lock or LOCKS:
            test = load_text(spin_lock(kind, count), "lock.litmus")
            for model in chosen.model or ("rc11", "llvm", "amdgpu"):
                check(load_text(spin_lock(kind, 2), "warm.litmus"), model)  # compiled
                row: list[str] = []
                for outcomes_only in (False, True):
                    begun = time.process_time()
                    result = check(test, model, timeout=chosen.seconds, outcomes_only=outcomes_only)
                    took = f"{time.process_time() - begun:.2f}"
                    row += [] if outcomes_only else _counts(result)
                    row.append("timeout" if result.status == "timeout" else took)
                print(
                    f"{kind + ' ' + str(count):12} {model:8} {row[0]:>10} {row[1]:>9} {row[2]:>8} {row[3]:>13}",
                    flush=True,
                )


def _counts(result: Result) -> list[str]:
    consistent, explored = result.consistent or 0, result.explored or 0
    return [str(consistent), f"{explored / max(1, consistent):.2f}"]


if __name__ == "__main__":
    main()
