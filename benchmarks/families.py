"""Families of litmus tests that grow with a number, as LLVM IR."""

from __future__ import annotations

from collections.abc import Callable
from math import factorial

__all__ = ["COUNTS", "FAMILIES", "TOKEN_FAMILIES", "independent_reads_in_order"]


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


def writers(n: int, ordering: str = "monotonic") -> str:
    """`n` threads that each write one location."""
    threads = [[f"store atomic i32 {i + 1}, ptr @x0 {ordering}, align 4"] for i in range(n)]
    return _test(f"{n} writers", 1, threads, ["@x0"])


_TOKENS = """\
declare i1 @llvm.csa.mementry()
declare void @llvm.csa.inord(i1)
declare i1 @llvm.csa.outord()
declare i1 @llvm.csa.all0(...)
"""


def _ordered(line: str, token: str, result: str) -> list[str]:
    return [f"call void @llvm.csa.inord(i1 {token})", line, f"{result} = call i1 @llvm.csa.outord()"]


def _tokens(title: str, locations: int, threads: list[list[str]], names: list[str]) -> str:
    begun = [["%e = call i1 @llvm.csa.mementry()", *body] for body in threads]
    return _test(title, locations, begun, names) + _TOKENS


def _merge(count: int) -> list[str]:
    inputs = ", ".join(f"i1 %t{i}" for i in range(count))
    return [f"%m = call i1 (...) @llvm.csa.all0({inputs})", "call void @llvm.csa.inord(i1 %m)"]


def stores_waited_for(n: int) -> str:
    """`n` stores that nothing orders, and a return that waits for all: one outcome."""
    body = [line for i in range(n) for line in _ordered(f"store i32 1, ptr @x{i}", "%e", f"%t{i}")]
    return _tokens(f"{n} stores, all waited for", n, [body + _merge(n)], [f"@x{i}" for i in range(n)])


def stores_left_behind(n: int) -> str:
    """`n` stores that nothing orders, and a return that waits for none; two of them are looked at."""
    body = [line for i in range(n) for line in _ordered(f"store i32 1, ptr @x{i}", "%e", f"%t{i}")]
    end = ["call void @llvm.csa.inord(i1 %e)"]
    return _tokens(f"{n} stores, none waited for", n, [body + end], ["@x0", f"@x{n - 1}"])


def stores_of_one_location(n: int) -> str:
    """`n` stores of one location that nothing orders: `n` outcomes, 2^n states."""
    body = [line for i in range(n) for line in _ordered(f"store i32 {i}, ptr @x0", "%e", f"%t{i}")]
    return _tokens(f"{n} stores of one location", 1, [body + _merge(n)], ["@x0"])


def workers(n: int) -> str:
    """`n` parallel workers, each a chain of four increments of one counter."""
    threads = []
    for _ in range(n):
        body, token = [], "%e"
        for i in range(4):
            body += _ordered(f"%r{i} = atomicrmw add ptr @x0, i32 1 monotonic, align 4", token, f"%t{i}")
            token = f"%t{i}"
        threads.append([*body, f"call void @llvm.csa.inord(i1 {token})"])
    return _tokens(f"{n} workers that count", 1, threads, ["@x0"])


def independent_reads_in_order(n: int) -> int:
    """Count the executions of IRIW with `n` readers, seq_cst: no two readers see the writes in different orders."""
    # Of the four outcomes of a reader one orders the writes: not both a reader of x first and one of y first have it.
    first, second = (n + 1) // 2, n // 2
    return int(4**n - (4**first - 3**first) * (4**second - 3**second))


TOKEN_FAMILIES: dict[str, tuple[Callable[[int], str], range]] = {
    "WAIT": (stores_waited_for, range(2, 41, 2)),
    "LEAVE": (stores_left_behind, range(2, 41, 2)),
    "SAME": (stores_of_one_location, range(2, 17, 2)),
    "WORK": (workers, range(2, 8)),
}

FAMILIES: dict[str, tuple[Callable[[int], str], range]] = {
    "SB": (store_buffering, range(2, 13)),
    "IRIW": (independent_reads, range(2, 9)),
    "CHAIN": (message_chain, range(1, 11)),
    "FADD": (fetch_and_add, range(2, 8)),
    "WRITERS": (writers, range(2, 8)),
}

COUNTS: dict[str, Callable[[int], int]] = {
    "SB": lambda n: 2**n - 1,
    "IRIW": independent_reads_in_order,
    "CHAIN": lambda n: 2**n,
    "FADD": factorial,
    "WRITERS": factorial,
}
"""How many consistent executions a test of a family has under ``llvm`` and ``amdgpu``, by its size."""
