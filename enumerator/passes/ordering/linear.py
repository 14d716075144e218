"""The pass ``linear``: each operation after the previous one (semantics, section 6)."""

from __future__ import annotations

from enumerator.passes.ordering.flow import ControlFlow
from enumerator.passes.ordering.operations import Operations
from enumerator.passes.ordering.tokens import ENTRY, Output, Reader, Token, merged

__all__ = ["linear"]


def linear(flow: ControlFlow, operations: Operations) -> dict[int, Token]:
    """Chain the operations of each block, and the chains of blocks by phis.

    Parameters
    ----------
    flow : ControlFlow
    operations : Operations

    Returns
    -------
    dict of int to Token
        What each operation waits for, by the number of its line.
    """
    last = {
        block: Output(made[-1].number)
        for block, ordered in operations.by_block.items()
        if (made := [operation for operation in ordered if operation.produces])
    }
    reader = Reader[str](flow, lambda _: ENTRY, lambda block, _: last.get(block), lambda _, before, chain: chain)
    inputs: list[tuple[int, int, list[Token]]] = []
    for block, ordered in operations.by_block.items():
        token = reader.read(block, "chain")
        for operation in ordered:
            inputs.append((operation.number, block, [token]))
            token = Output(operation.number)
    return merged(inputs)
