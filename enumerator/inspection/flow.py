"""Control flow: the accesses that may come before and after an operation, as sets (the bits of an integer)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from enumerator.frozen import dataclass
from enumerator.graphs import components
from enumerator.inspection.operations import Function, Operation

__all__ = ["Numbering", "Surroundings", "around", "bits", "postdominators", "predecessors", "reverse_postorder"]


@dataclass(frozen=True)
class Numbering:
    """The accesses of a function that other threads may see, or other operations, numbered in order.

    Parameters
    ----------
    accesses : list of Operation
    starts : list of int
        For each block the number of its first access; at the end, the number of accesses.
    counts : callable
        Tells which operations are numbered.
    """

    accesses: list[Operation]
    starts: list[int]
    counts: Callable[[Operation], bool]

    @classmethod
    def of(cls, function: Function, counts: Callable[[Operation], bool] = lambda each: each.shared) -> Numbering:
        """Number the accesses of a function."""
        accesses: list[Operation] = []
        starts = []
        for block in function.blocks:
            starts.append(len(accesses))
            accesses.extend(filter(counts, block.operations))
        return cls(accesses, [*starts, len(accesses)], counts)

    def block(self, number: int) -> int:
        """Give the set of a block's accesses."""
        return (1 << self.starts[number + 1]) - (1 << self.starts[number])


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The sets of accesses before and after an operation.

    Parameters
    ----------
    operation : Operation
    at : int
        The number of accesses before it in the text of the function.
    before, after : int
    """

    operation: Operation
    at: int
    before: int
    after: int


def bits(numbers: Sequence[int], size: int) -> int:
    """Make a set from numbers below a size, in linear time.

    Examples
    --------
    >>> bin(bits([0, 2], 4))
    '0b101'
    """
    data = bytearray(size // 8 + 1)
    for number in numbers:
        data[number >> 3] |= 1 << (number & 7)
    return int.from_bytes(data, "little")


def predecessors(function: Function) -> list[list[int]]:
    """Give the predecessors of each block."""
    found: list[list[int]] = [[] for _ in function.blocks]
    for number, block in enumerate(function.blocks):
        for successor in block.successors:
            found[successor].append(number)
    return found


def reverse_postorder(successors: Sequence[Sequence[int]]) -> list[int]:
    """Order blocks so that, apart from loops, each block comes after its predecessors.

    Examples
    --------
    >>> reverse_postorder([[2], [], [1]]), reverse_postorder([[], [0], [1]])
    ([0, 2, 1], [2, 1, 0])
    """
    seen = [False] * len(successors)
    order: list[int] = []
    for start in range(len(successors)):
        if seen[start]:
            continue
        seen[start] = True
        stack = [(start, iter(successors[start]))]
        while stack:
            block, rest = stack[-1]
            for successor in rest:
                if not seen[successor]:
                    seen[successor] = True
                    stack.append((successor, iter(successors[successor])))
                    break
            else:
                order.append(block)
                stack.pop()
    return order[::-1]


def postdominators(function: Function) -> list[int]:
    """Give for each block the first one that every path from it to the end of the function comes to.

    Parameters
    ----------
    function : Function

    Returns
    -------
    list of int
        Block numbers; the number of blocks stands for the end of the function itself.
    """
    import networkx  # here, as few functions need it

    end = len(function.blocks)
    backwards: networkx.DiGraph[int] = networkx.DiGraph()
    backwards.add_node(end)
    for number, block in enumerate(function.blocks):
        backwards.add_edges_from((target, number) for target in block.successors)
        if block.leaves or not block.successors:
            backwards.add_edge(end, number)
    nearest = networkx.immediate_dominators(backwards, end)
    return [nearest.get(number, end) for number in range(end)]


def around(
    function: Function, numbering: Numbering, asked: Callable[[Operation], bool] = lambda each: each.synchronizing
) -> Iterator[Surroundings]:
    """Give each synchronizing operation, with the accesses that may come before it and after it.

    An operation in a loop has the accesses of the loop on both sides, except for itself.

    Parameters
    ----------
    function : Function
    numbering : Numbering
    asked : callable
        Tells which operations are asked about.

    Yields
    ------
    Surroundings
    """
    wanted = {number for number, block in enumerate(function.blocks) if any(map(asked, block.operations))}
    if not wanted:
        return
    successors = [block.successors for block in function.blocks]
    after = _reached(successors, numbering, wanted)
    before = _reached(predecessors(function), numbering, wanted)
    for number in sorted(wanted):
        start, end = numbering.starts[number], numbering.starts[number + 1]
        at = start
        for operation in function.blocks[number].operations:
            own = numbering.counts(operation)
            if asked(operation):
                without = ~(1 << at) if own else -1
                follows = (1 << end) - (1 << (at + own))
                precedes = (1 << at) - (1 << start)
                yield Surroundings(
                    operation, at, (before[number] | precedes) & without, (after[number] | follows) & without
                )
            at += own


def _reached(edges: Sequence[Sequence[int]], numbering: Numbering, wanted: set[int]) -> dict[int, int]:
    """Give for each wanted block the accesses of all blocks that it reaches by at least one edge."""
    parts = components(dict(enumerate(edges)))
    of_block = {block: number for number, blocks in enumerate(parts) for block in blocks}
    waiting = [0] * len(parts)  # for each component, how many components with an edge to it are still to come
    targets: list[set[int]] = []
    for number, blocks in enumerate(parts):
        leads = {of_block[successor] for block in blocks for successor in edges[block]} - {number}
        targets.append(leads)
        for each in leads:
            waiting[each] += 1
    sets: dict[int, int] = {}
    found: dict[int, int] = {}
    for number, blocks in enumerate(parts):  # a component comes after those that it reaches
        beyond = 0
        for each in targets[number]:
            beyond |= sets[each]
            waiting[each] -= 1
            if not waiting[each]:
                del sets[each]
        own = 0
        for block in blocks:
            own |= numbering.block(block)
        loops = len(blocks) > 1 or blocks[0] in edges[blocks[0]]
        for block in wanted.intersection(blocks):
            found[block] = beyond | own if loops else beyond
        if waiting[number]:
            sets[number] = beyond | own
    return found
