"""Slots that threads claim: a compare-exchange lets one thread only go on, if nobody writes again what it expects.

A thread that inserts into a hash table exchanges the key of an empty slot, and fills the slot if that succeeds. No
other thread succeeds there, so what the two write behind it does not meet, whether the exchange acquires or not.
"""

from __future__ import annotations

from collections.abc import Iterator

from enumerator.inspection.flow import Numbering
from enumerator.inspection.operations import Block, Function, Operation, Space

__all__ = ["Claim", "claims_of", "may_write"]

Claim = tuple[str, str, int]
"""The object of a compare-exchange, what it expects, and the operations that come behind its success only."""


def claims_of(function: Function, numbering: Numbering, names: dict[int, str]) -> Iterator[Claim]:
    """Find the claims of a function.

    Parameters
    ----------
    function : Function
    numbering : Numbering
    names : dict of int to str
        By the identity of each atomic access, the object that it accesses.

    Yields
    ------
    Claim
        Where a branch at the end of its block depends on whether the exchange succeeds.
    """
    for number, block in enumerate(function.blocks):
        exchange = next((each for each in reversed(block.operations) if each.reads and each.writes), None)
        if exchange is None or id(exchange) not in names or len(exchange.given) != 2 or len(block.successors) != 2:
            continue
        expected, succeeds = _expected(exchange, block), _succeeds(exchange, block)
        if expected is None or succeeds is None:
            continue
        then, otherwise = block.successors if succeeds else block.successors[::-1]
        reached = _reached(function, then, number) - _reached(function, otherwise, number)
        behind = 0
        for each in reached:
            behind |= numbering.block(each)
        yield names[id(exchange)], expected, behind


def may_write(operation: Operation, expected: str) -> bool:
    """Tell whether an access may write what a claim expects, so that another thread may claim the same again.

    A value that is not known is taken for another one: what is empty, or free, is a constant.
    """
    if not operation.writes:
        return False
    exchanges = len(operation.given) == 2 or "xchg" in operation.what or "exchange" in operation.what
    if operation.reads and not exchanges:
        return True  # it computes what it writes
    return not operation.given or operation.given[-1] == expected


def _expected(exchange: Operation, block: Block) -> str | None:
    """Give the constant that an exchange expects; what is in a slot was stored there in the same block."""
    expected = exchange.given[0]
    if expected.startswith("*"):
        before = block.operations[: block.operations.index(exchange)]
        stored = (each for each in reversed(before) if each.space is Space.PRIVATE and each.writes)
        last = next((each for each in stored if each.root == expected[1:]), None)
        expected = last.given[0] if last is not None and last.given else ""
    return expected if expected.lstrip("-").isdigit() or expected in ("null", "zeroinitializer") else None


def _succeeds(exchange: Operation, block: Block) -> bool | None:
    """Tell whether the branch at the end of a block goes to its first successor if an exchange there succeeds."""
    text = block.decided_by
    if "extractvalue" in text or "compare_exchange" in text:
        return True
    if "icmp eq " in text and text.split()[-1] == exchange.given[0]:
        return True
    if "icmp ne " in text and text.split()[-1] == exchange.given[0]:
        return False
    return None


def _reached(function: Function, start: int, without: int) -> set[int]:
    """Give the blocks that one leads to, itself included, on paths that do not pass another one."""
    found, waiting = {start} - {without}, [start]
    while waiting:
        for each in function.blocks[waiting.pop()].successors:
            if each not in found and each != without:
                found.add(each)
                waiting.append(each)
    return found
