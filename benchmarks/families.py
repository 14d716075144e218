"""Families of litmus tests that grow with a number, as LLVM IR."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["FAMILIES"]


def _test(title: str, locations: int, threads: list[list[str]], names: list[str]) -> str:
    lines = [f"; {title}", "; EXISTS: " + (" /\\ ".join(f"{name} = 0" for name in names) or "true")]
    lines += [f"@x{index} = global i32 0" for index in range(locations)]
    for number, body in enumerate(threads):
        lines += [f"define void @t{number}() {{", *(f"  {line}" for line in body), "  ret void", "}"]
    return "\n".join(lines) + "\n"


def store_buffering(n: int, ordering: str = "seq_cst") -> str:
    """`n` threads in a ring, each a store and then a load of the next one's location."""
    threads = [
        [
            f"store atomic i32 1, ptr @x{i} {ordering}, align 4",
            f"%r = load atomic i32, ptr @x{(i + 1) % n} {ordering}, align 4",
        ]
        for i in range(n)
    ]
    return _test(f"SB of {n} threads", n, threads, [f"t{i}:%r" for i in range(n)])


def independent_reads(n: int, ordering: str = "seq_cst") -> str:
    """Two writers and `n` readers of both locations, in alternating order."""
    writers = [[f"store atomic i32 1, ptr @x{i} {ordering}, align 4"] for i in range(2)]
    readers = [
        [
            f"%a = load atomic i32, ptr @x{i % 2} {ordering}, align 4",
            f"%b = load atomic i32, ptr @x{1 - i % 2} {ordering}, align 4",
        ]
        for i in range(n)
    ]
    return _test(f"IRIW with {n} readers", 2, writers + readers, [f"t{i + 2}:%b" for i in range(n)])


def message_chain(n: int, ordering: str = "acq_rel") -> str:
    """A message handed on through `n` flags."""
    release, acquire = ("release", "acquire") if ordering == "acq_rel" else (ordering, ordering)
    threads = [["store i32 1, ptr @x0", f"store atomic i32 1, ptr @x1 {release}, align 4"]]
    for i in range(1, n):
        threads.append(
            [
                f"%r = load atomic i32, ptr @x{i} {acquire}, align 4",
                f"store atomic i32 %r, ptr @x{i + 1} {release}, align 4",
            ]
        )
    threads.append([f"%r = load atomic i32, ptr @x{n} {acquire}, align 4", "%d = load i32, ptr @x0"])
    return _test(f"a chain of {n} flags", n + 1, threads, [f"t{n}:%d"])


def fetch_and_add(n: int, ordering: str = "monotonic") -> str:
    """`n` threads that each add one to a counter."""
    threads = [[f"%r = atomicrmw add ptr @x0, i32 1 {ordering}, align 4"] for _ in range(n)]
    return _test(f"{n} fetch-and-adds", 1, threads, [f"t{i}:%r" for i in range(n)])


FAMILIES: dict[str, tuple[Callable[[int], str], range]] = {
    "SB": (store_buffering, range(2, 13)),
    "IRIW": (independent_reads, range(2, 9)),
    "CHAIN": (message_chain, range(1, 11)),
    "FADD": (fetch_and_add, range(2, 8)),
}
