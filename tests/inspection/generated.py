"""Functions made at random, and the plainest definition of what is before what in them."""

from __future__ import annotations

import random
from collections.abc import Callable

from enumerator.inspection.operations import BarrierPart, Block, Function, Kind, Operation, Place, ScopeName, Space
from enumerator.mmra import parse_tags
from enumerator.program.instructions import Ordering

TAGS = ["", "a:x", "a:y", "a:x,a:y", "b:x", "a:x,b:y"]


def generated(seed: int) -> Function:
    chance = random.Random(seed)
    count = chance.randint(1, 6)
    function = Function("f", Place())
    for _ in range(count):
        block = Block(successors=tuple({chance.randrange(count) for _ in range(chance.randint(0, 2))}))
        for _ in range(chance.randint(0, 4)):
            tags = parse_tags(chance.choice(TAGS))
            kind = chance.choice([Kind.ACCESS, Kind.ACCESS, Kind.FENCE, Kind.BARRIER, Kind.CALL])
            ordering = Ordering.ACQ_REL if kind is Kind.FENCE else chance.choice([Ordering.NA, Ordering.RELEASE])
            block.operations.append(
                Operation(
                    kind,
                    "x",
                    Place(),
                    effective=tags,
                    ordering=ordering if kind in (Kind.ACCESS, Kind.FENCE) else Ordering.NA,
                    scope=ScopeName(chance.choice(["system", "system", "singlethread"])),
                    barrier=BarrierPart.BOTH if kind is Kind.BARRIER else BarrierPart.OTHER,
                    space=Space.LOCAL if kind is Kind.ACCESS else Space.ANY,
                    reads=kind in (Kind.ACCESS, Kind.CALL),
                    writes=kind in (Kind.ACCESS, Kind.CALL),
                    thread_private=kind is Kind.ACCESS and chance.random() < 0.3,
                )
            )
        function.blocks.append(block)
    return function


def program_order(function: Function, stops: Callable[[Operation], bool] = lambda _: False) -> set[tuple[int, int]]:
    """Pairs of operations, by number, such that a path leads from the one to the other, on which nothing stops."""
    operations = function.operations
    nodes: list[tuple[int, int]] = []
    starts = {}
    number = 0
    for index, block in enumerate(function.blocks):
        starts[index] = len(nodes)
        for _ in block.operations:
            nodes.append((index, number))
            number += 1
        nodes.append((index, -1))  # the block's end
    steps = {}
    for place, (index, each) in enumerate(nodes):
        ends = each == -1
        steps[place] = [starts[successor] for successor in function.blocks[index].successors] if ends else [place + 1]
    pairs = set()
    for place, (_, each) in enumerate(nodes):
        seen: set[int] = set()
        waiting = list(steps[place])
        while waiting:
            at = waiting.pop()
            if at not in seen:
                seen.add(at)
                if nodes[at][1] < 0 or not stops(operations[nodes[at][1]]):
                    waiting.extend(steps[at])
        pairs |= {(each, nodes[at][1]) for at in seen if each >= 0 and nodes[at][1] >= 0}
    return pairs
