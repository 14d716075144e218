"""Tests of up to, and of more than, 64 events: what an event costs."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from families import message_chain, store_buffering

from enumerator import check
from enumerator.frontend import load_text

_FIRST = "define void @t0() {\n"


def straight(events: int) -> str:
    """Two threads that write a location of their own and read it back, again and again: one execution."""
    lines = [f"; {events} events in straight lines", "; EXISTS: true", *(f"@x{t} = global i32 0" for t in range(2))]
    for thread in range(2):
        lines.append(f"define void @t{thread}() {{")
        for number in range((events - 2) // 4):
            lines.append(f"  store atomic i32 {number + 1}, ptr @x{thread} monotonic, align 4")
            lines.append(f"  %r{number} = load atomic i32, ptr @x{thread} monotonic, align 4")
        lines += ["  ret void", "}"]
    return "\n".join(lines) + "\n"


def padded(text: str, events: int, wanted: int) -> str:
    """Add stores, to a location that nothing else accesses, in the first thread: executions stay as many."""
    if wanted < events + 2:
        return text
    stores = "".join(f"  store i32 {number}, ptr @p\n" for number in range(wanted - events - 1))
    return text.replace(_FIRST, f"@p = global i32 0\n{_FIRST}{stores}")


SHAPES: dict[str, Callable[[int], str]] = {
    "straight": straight,
    "chain": lambda events: padded(message_chain(10), 33, events),  # 11 initial writes, 22 accesses
    "SB": lambda events: padded(store_buffering(10), 30, events),  # 10 initial writes, 20 accesses
}
"""Tests of so many events, initial writes included."""

SIZES = (42, 58, 62, 66, 70, 98, 126)


def main() -> None:
    """Print a row a test: events, executions, seconds, and what an event costs beside the largest test up to 64."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", action="append", help="default: llvm, amdgpu")
    parser.add_argument("--runs", type=int, default=3, help="of which the fastest counts")
    chosen = parser.parse_args()
    print(f"{'test':12} {'model':7} {'executions':>10} {'seconds':>8} {'us an event':>12} {'ratio':>6}")
    for model in chosen.model or ["llvm", "amdgpu"]:
        check(load_text(store_buffering(8), "warm.ll"), model)  # the kernels are compiled before the clock starts
        for name, make in SHAPES.items():
            below = 0.0
            for events in SIZES:
                times = []
                for _ in range(chosen.runs):
                    test = load_text(make(events), f"{name}{events}.ll")
                    begun = time.process_time()
                    result = check(test, model)
                    times.append(time.process_time() - begun)
                each = min(times) / events
                below = each if events <= 64 else below
                row = f"{f'{name} {events}':12} {model:7} {result.consistent:10} {min(times):8.4f}"
                print(f"{row} {1e6 * each:12.0f} {each / below:6.2f}", flush=True)


if __name__ == "__main__":
    main()
