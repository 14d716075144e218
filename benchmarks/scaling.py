"""C11 litmus tests that grow with a number, with the number of executions that each must have."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import factorial

from benchmarks.families import independent_reads_in_order

__all__ = ["SCALING", "Family"]

_ORDERS = {
    "rlx": ("relaxed", "relaxed", "relaxed"),
    "ra": ("release", "acquire", "acq_rel"),
    "sc": ("seq_cst", "seq_cst", "seq_cst"),
}


@dataclass(frozen=True)
class Family:
    """Tests of one shape.

    Parameters
    ----------
    make : callable
        Gives the text of the test of a size, for ``rlx``, ``ra`` or ``sc``.
    count : callable
        Gives the number of its consistent executions under RC11.
    genmc : (int, str, float)
        A size and orders, and the seconds that GenMC takes for it (0.0 where not measured).
    """

    make: Callable[[int, str], str]
    count: Callable[[int, str], int]
    genmc: tuple[int, str, float]


def _test(name: str, threads: Sequence[tuple[Sequence[str], Sequence[str]]]) -> str:
    lines = [f"C {name}", "{ }", ""]
    for number, (locations, body) in enumerate(threads):
        lines.append(f"P{number} (" + ", ".join(f"atomic_int* {location}" for location in locations) + ") {")
        lines += [f"  {statement}" for statement in body] + ["}", ""]
    return "\n".join([*lines, "exists (true)", ""])


def _store(location: str, value: int, orders: str) -> str:
    return f"atomic_store_explicit({location}, {value}, memory_order_{_ORDERS[orders][0]});"


def _load(register: str, location: str, orders: str) -> str:
    return f"int {register} = atomic_load_explicit({location}, memory_order_{_ORDERS[orders][1]});"


def store_buffering(n: int, orders: str) -> str:
    """`n` threads in a ring, each a store and then a load of the next one's location."""
    ring = [(f"x{i}", f"x{(i + 1) % n}") for i in range(n)]
    threads = [(pair, [_store(pair[0], 1, orders), _load("r0", pair[1], orders)]) for pair in ring]
    return _test(f"SB{n}", threads)


def load_buffering(n: int, orders: str) -> str:
    """`n` threads in a ring, each a load and then a store to the next one's location."""
    ring = [(f"x{i}", f"x{(i + 1) % n}") for i in range(n)]
    threads = [(pair, [_load("r0", pair[0], orders), _store(pair[1], 1, orders)]) for pair in ring]
    return _test(f"LB{n}", threads)


def independent_reads(n: int, orders: str) -> str:
    """Two writers and `n` readers of both locations, in alternating order."""
    threads = [((name,), [_store(name, 1, orders)]) for name in "xy"]
    for i in range(n):
        first, second = "xy" if i % 2 == 0 else "yx"
        threads.append((("x", "y"), [_load("r0", first, orders), _load("r1", second, orders)]))  # type: ignore[arg-type]
    return _test(f"IRIW{n}", threads)


def message_chain(n: int, orders: str) -> str:
    """A message handed on through `n` flags."""
    plain = "sc" if orders == "sc" else "rlx"
    threads = [(("x", "y0"), [_store("x", 1, plain), _store("y0", 1, orders)])]
    for i in range(n - 1):
        threads.append(((f"y{i}", f"y{i + 1}"), [_load("r0", f"y{i}", orders), _store(f"y{i + 1}", 1, orders)]))
    threads.append(((f"y{n - 1}", "x"), [_load("r0", f"y{n - 1}", orders), _load("r1", "x", plain)]))
    return _test(f"ISA2-{n}", threads)


def fetch_and_add(n: int, orders: str) -> str:
    """`n` threads that each add one to a counter."""
    add = f"int r0 = atomic_fetch_add_explicit(x, 1, memory_order_{_ORDERS[orders][2]});"
    return _test(f"FADD{n}", [(("x",), [add])] * n)


def writers(n: int, orders: str) -> str:
    """`n` threads that each write one location."""
    return _test(f"WRITERS{n}", [(("x",), [_store("x", i + 1, orders)]) for i in range(n)])


def lock(n: int, orders: str) -> str:
    """`n` threads that each try once to take a lock by compare-and-swap."""
    order = _ORDERS[orders][2]
    body = "int r0 = atomic_compare_exchange_strong_explicit(x, e{0}, {1}, "
    body += f"memory_order_{order}, memory_order_relaxed);"
    return _test(f"LOCK{n}", [(("x", f"e{i}"), [body.format(i, i + 1)]) for i in range(n)])


def counter(n: int, orders: str) -> str:
    """`n` threads that each try once to add one to a counter by compare-and-swap."""
    load, exchange = _ORDERS[orders][1], _ORDERS[orders][2]
    body = [
        f"int r0 = atomic_load_explicit(x, memory_order_{load});",
        "*e{0} = r0;",
        f"int r1 = atomic_compare_exchange_strong_explicit(x, e{{0}}, r0 + 1, memory_order_{exchange}, "
        "memory_order_relaxed);",
    ]
    text = _test(f"CASCNT{n}", [(("x", f"e{i}"), [line.format(i) for line in body]) for i in range(n)])
    return text.replace("atomic_int* e", "int* e")


def counted(n: int) -> int:
    """Count the executions of :func:`counter`: `k` threads succeed, in some order; each other one sees two values."""
    return sum(factorial(n) // factorial(n - k) * (k * (k + 1) // 2) ** (n - k) for k in range(1, n + 1))


def coherence(n: int, orders: str) -> str:
    """`n` threads that each write one location twice, and one that reads it twice."""
    threads = [(("x",), [_store("x", 2 * i + 1, orders), _store("x", 2 * i + 2, orders)]) for i in range(n)]
    return _test(f"COH{n}", [*threads, (("x",), [_load("r0", "x", orders), _load("r1", "x", orders)])])


def exchanges(n: int, orders: str) -> str:
    """`n` threads that each exchange one location's value for one of their own."""
    body = "int r0 = atomic_exchange_explicit(x, {}, memory_order_" + _ORDERS[orders][2] + ");"
    return _test(f"XCHG{n}", [(("x",), [body.format(i + 1)]) for i in range(n)])


def rotation(n: int, orders: str) -> str:
    """`n` threads that each pass a location's value on to the next by compare-and-swap, if it is theirs."""
    body = "int r0 = atomic_compare_exchange_strong_explicit(x, e{0}, {1}, "
    body += f"memory_order_{_ORDERS[orders][2]}, memory_order_relaxed);"
    text = _test(f"CASROT{n}", [(("x", f"e{i}"), [body.format(i, i + 1)]) for i in range(n)])
    return text.replace("{ }", "{ " + " ".join(f"e{i} = {i};" for i in range(n)) + " }")


SCALING: dict[str, Family] = {
    "SB": Family(store_buffering, lambda n, orders: 2**n - (orders == "sc"), (20, "rlx", 56.0)),
    "IRIW": Family(
        independent_reads, lambda n, orders: independent_reads_in_order(n) if orders == "sc" else 4**n, (9, "sc", 1.45)
    ),
    "ISA2": Family(message_chain, lambda n, orders: 2 ** (n + 1) - (orders != "rlx"), (16, "ra", 1.9)),
    "FADD": Family(fetch_and_add, lambda n, orders: factorial(n), (9, "rlx", 16.0)),
    "WRITERS": Family(writers, lambda n, orders: factorial(n), (10, "rlx", 19.8)),
    "LB": Family(load_buffering, lambda n, orders: 2**n - 1, (16, "rlx", 0.0)),
    "LOCK": Family(lock, lambda n, orders: n, (6, "ra", 0.0)),
    "CASCNT": Family(counter, lambda n, orders: counted(n), (4, "rlx", 0.0)),
    "COH": Family(coherence, lambda n, orders: factorial(2 * n) // 2**n * (n + 1) * (2 * n + 1), (4, "rlx", 0.0)),
    "XCHG": Family(exchanges, lambda n, orders: factorial(n), (9, "rlx", 0.0)),
    "CASROT": Family(
        rotation, lambda n, orders: sum((k + 1) ** (n - k) - k ** (n - k) for k in range(n)), (11, "rlx", 1.2)
    ),
}
