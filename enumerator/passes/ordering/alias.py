"""The pass ``alias``: an edge only where two operations may touch one location (semantics, section 6)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable, Iterable, Iterator
from functools import cache, cached_property
from typing import Literal

from enumerator.frozen import dataclass
from enumerator.passes.ordering.flow import ControlFlow, Loop
from enumerator.passes.ordering.operations import Operation, Operations
from enumerator.passes.ordering.parallel import ParallelLoops
from enumerator.passes.ordering.tokens import ENTRY, NOT_ORDERED, SAME, Output, Reader, Token, merged

__all__ = ["alias"]


@dataclass(frozen=True)
class _LastRun:
    """A variable: the token of an operation's last run.

    Parameters
    ----------
    operation : Operation
    dropped : frozenset of int
        Headers of loops around the reader whose earlier rounds do not count.
    within : Loop or None
        The loop outside of which runs do not count, for prefetches.
    initial : Token
        Before the first run that counts.
    """

    operation: Operation
    dropped: frozenset[int] = frozenset()
    within: Loop | None = None
    initial: Token = ENTRY


class _Alias:
    """Finds what each operation waits for. Sets of operations are the bits of a number, by `_places`."""

    def __init__(self, flow: ControlFlow, operations: Operations, parallel: ParallelLoops) -> None:
        self._flow = flow
        self._parallel = parallel
        self._loops = {loop.header: loop for loop in flow.loops}
        # Those that something can wait for: a prefetch orders nothing after it (rule 1), and dead code does not run.
        self._ordered = operations.ordered
        self._before = [
            each for each in self._ordered if each.produces and each.kind != "prefetch" and each.block in flow.graph
        ]
        self._places = {each.number: place for place, each in enumerate(self._before)}
        self._numbers = [each.number for each in self._before]
        self._in_block: dict[int, int] = {}
        for place, each in enumerate(self._before):
            self._in_block[each.block] = self._in_block.get(each.block, 0) | 1 << place
        self._reader = Reader[_LastRun](flow, lambda last: last.initial, self._assigned, self._across)

    def inputs(self, operation: Operation) -> Iterable[Token]:
        """Give all that an operation waits for."""
        if operation.block not in self._flow.graph:
            return [ENTRY]
        if operation.kind == "prefetch":
            return self._prefetch(operation)
        return [
            self._read(operation, _LastRun(each, self._parallel.shared(each, operation)))
            for each in self._last(operation)
        ]

    def _read(self, operation: Operation, last: _LastRun) -> Token:
        """Read a variable just before an operation."""
        if last.operation.block == operation.block and last.operation.number < operation.number:
            return Output(last.operation.number)
        return self._reader.read(operation.block, last)

    def _assigned(self, block: int, last: _LastRun) -> Token | None:
        return Output(last.operation.number) if block == last.operation.block else None

    def _across(self, block: int, before: int, last: _LastRun) -> _LastRun | Token | Literal["same"]:
        if block in last.dropped and before in self._loops[block].blocks:
            return SAME
        if last.within is not None and before not in last.within.blocks:
            return last.initial
        # Going back out of a loop that is parallel for reader and operation: earlier runs of it do count.
        left = {header for header in last.dropped if before not in self._loops[header].blocks}
        return _LastRun(last.operation, last.dropped - left, last.within, last.initial) if left else last

    def _reaches(self, first: Operation, second: Operation) -> bool:
        if first.block == second.block and first.number < second.number:
            return True
        return bool(self._flow.reached[first.block] >> second.block & 1)

    # Edges that others imply

    def _last(self, operation: Operation) -> list[Operation]:
        """Leave out the operations after which, on every way to this one, another one comes that waits for them."""
        known = self._conflicting[operation.number] & (self._earlier(operation) | self._arriving[operation.block])
        above = self._dominating[operation.number] & known
        return [
            each
            for each in self._members(known)
            if not self._above(each, above, operation) and not self._same_block(each, known, operation)
        ]

    def _above(self, first: Operation, above: int, operation: Operation) -> bool:
        """Tell whether an operation that waits for `first` comes between it and `operation` on every way.

        One that dominates `operation` does, unless it dominates `first`: a way from `first` around it would continue a
        way from the entry around it. If it does dominate `first`, ways that lead around a loop come past it if it is
        in the loop, and all do if `operation` dominates `first`, too.
        """
        later = above & self._conflicting[first.number] & ~(1 << self._places[first.number])
        if later & self._waiting_for[first.number]:
            return True
        around = 0
        if first is operation or self._comes_first(operation, first):
            around = self._in_common_loop(first, operation)
        later &= ~self._dominating[first.number] | around
        free = self._parallel.shared(first, operation) if later else frozenset()
        return any(self._parallel.shared(first, each) <= free for each in self._members(later))

    def _comes_first(self, operation: Operation, other: Operation) -> bool:
        """Tell whether an operation comes before another one on every way from the entry."""
        place = self._places.get(operation.number)
        return place is not None and bool(self._dominating[other.number] >> place & 1)

    def _in_common_loop(self, first: Operation, second: Operation) -> int:
        """Give the operations that the header of the deepest loop around two operations dominates.

        Rounds of a loop that is parallel for the two do not count.
        """
        if not self._flow.is_reducible:
            return 0  # there are cycles that are no natural loops
        free = self._parallel.shared(first, second)
        for loop in self._flow.loops:
            if first.block in loop.blocks and second.block in loop.blocks and loop.header not in free:
                return self._below(loop.header)
        return 0

    @cache  # noqa: B019 - lives as long as the pass
    def _below(self, header: int) -> int:
        blocks = self._flow.dominated[header] | 1 << header
        return sum(held for block, held in self._in_block.items() if blocks >> block & 1)

    def _members(self, bits: int) -> Iterator[Operation]:
        while bits:
            lowest = bits & -bits
            yield self._before[lowest.bit_length() - 1]
            bits ^= lowest

    @cached_property
    def _arriving(self) -> dict[int, int]:
        """The operations after which each block can run."""
        found = dict.fromkeys(self._flow.graph, 0)
        for block, held in self._in_block.items():
            for target in found:
                if self._flow.reached[block] >> target & 1:
                    found[target] |= held
        return found

    @cached_property
    def _conflicting(self) -> dict[int, int]:
        """The operations that each operation conflicts with; those that touch the same are looked at once."""
        members: dict[Hashable, int] = {}
        alike: dict[Hashable, Operation] = {}
        for place, each in enumerate(self._before):
            key = (each.touches_everything, each.writes, each.access)
            members[key] = members.get(key, 0) | 1 << place
            alike[key] = each
        known: dict[Hashable, int] = {}
        found: dict[int, int] = {}
        for each in self._ordered:
            key = (each.touches_everything, each.writes, each.access)
            if key not in known:
                known[key] = sum(members[other] for other, first in alike.items() if first.conflicts(each))
            found[each.number] = known[key]
        return found

    @cached_property
    def _dominating(self) -> dict[int, int]:
        """The operations that come before each operation on every way from the entry."""
        found: dict[int, int] = {}
        above: dict[int, int] = {}
        for block in self._flow.graph:
            above[block] = 0
            for dominator in self._flow.dominators(block)[1:]:
                above[block] |= self._in_block.get(dominator, 0)
        for each in self._ordered:
            if each.block in above:
                found[each.number] = above[each.block] | self._earlier(each)
        return found

    def _earlier(self, operation: Operation) -> int:
        """Give the operations of its block that come before an operation."""
        place = bisect_left(self._numbers, operation.number)
        return self._in_block.get(operation.block, 0) & ((1 << place) - 1)

    @cached_property
    def _waiting_for(self) -> dict[int, int]:
        """The operations that wait for each operation because it comes before them on every way."""
        found = {each.number: 0 for each in self._before}
        for place, later in enumerate(self._before):
            for each in self._members(self._dominating[later.number] & self._conflicting[later.number]):
                found[each.number] |= 1 << place
        return found

    def _same_block(self, first: Operation, known: int, operation: Operation) -> bool:
        """Tell whether a later operation of its block, which waits for it, comes before `operation` on every way."""
        later = known & self._waiting_for[first.number] & self._in_block[first.block]
        free = self._parallel.shared(first, operation)
        for each in self._members(later):
            between = operation.block == first.block and first.number < operation.number <= each.number
            if not between and self._parallel.shared(each, operation) <= free:
                return True
        return False

    # Prefetches

    def _prefetch(self, prefetch: Operation) -> Iterable[Token]:
        """Give what a prefetch waits for: section 6, prefetch rules 2 to 5."""
        counted = [each for each in self._before if each.reads or (prefetch.write_prefetch and each.writes)]
        within = next(
            (
                loop
                for loop in self._flow.loops_around(prefetch.block)
                if any(each.block in loop.blocks for each in counted)
            ),
            None,
        )
        for each in counted:
            inside = within is None or each.block in within.blocks
            if inside and each.aliases(prefetch) and self._reaches(each, prefetch):
                yield self._read(prefetch, _LastRun(each, frozenset(), within, NOT_ORDERED))


def alias(flow: ControlFlow, operations: Operations, parallel: ParallelLoops) -> dict[int, Token]:
    """Order the operations that may touch the same location, one of them writing it.

    Edges that follow from others are left out: of two operations of which one waits for the other, only the later one
    is waited for where both come on every way.

    Parameters
    ----------
    flow : ControlFlow
    operations : Operations
    parallel : ParallelLoops

    Returns
    -------
    dict of int to Token
        What each operation waits for, by the number of its line.
    """
    found = _Alias(flow, operations, parallel)
    inputs = []
    for operation in operations.ordered:
        tokens = list(found.inputs(operation))
        alone = NOT_ORDERED if operation.kind == "prefetch" else ENTRY
        inputs.append((operation.number, operation.block, tokens or [alone]))
    return merged(inputs)
