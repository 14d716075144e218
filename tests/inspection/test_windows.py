"""Windows of barriers, against the plainest definition: paths that nothing stops."""

from __future__ import annotations

import pytest

from enumerator.inspection.links import LinkKey, linked
from enumerator.inspection.operations import Kind, Operation
from enumerator.inspection.windows import Window, Windows

from .generated import generated, program_order


@pytest.mark.parametrize("seed", range(200))
def test_windows(seed: int) -> None:
    function = generated(seed)
    operations = function.operations
    windows = Windows(function)
    barriers = [number for number, each in enumerate(operations) if each.kind is Kind.BARRIER]
    accesses = [number for number, each in enumerate(operations) if each.kind is Kind.ACCESS]
    fences = [number for number, each in enumerate(operations) if each.kind is Kind.FENCE]
    assert sorted(windows.before) == sorted(windows.after) == barriers

    def is_barrier(operation: Operation) -> bool:
        return operation.kind is Kind.BARRIER

    order = program_order(function, is_barrier)

    def reaches(access: int, barrier: int, forwards: bool) -> bool:
        """Whether a path leads from the access to the barrier (or back) without a fence that covers it."""
        key = LinkKey.of(operations[access])

        def stops(operation: Operation) -> bool:
            fence = operation.kind is Kind.FENCE and operation.scope.holds_workgroup
            return is_barrier(operation) or (fence and linked(LinkKey.of(operation), key))

        pair = (access, barrier) if forwards else (barrier, access)
        return pair in program_order(function, stops)

    for barrier in barriers:
        for window, forwards in ((windows.before[barrier], True), (windows.after[barrier], False)):
            near = {each for each in accesses if ((each, barrier) if forwards else (barrier, each)) in order}
            exposed = {each for each in near if reaches(each, barrier, forwards)}
            there = {each for each in fences if ((each, barrier) if forwards else (barrier, each)) in order}
            assert window == Window(
                seen=kinds(windows, near, operations),
                exposed=kinds(windows, exposed, operations),
                fences=sum(1 << fences.index(each) for each in there if operations[each].scope.holds_workgroup),
                used=window.used,
                open=window.open,
            )


def kinds(windows: Windows, accesses: set[int], operations: list[Operation]) -> int:
    """The kinds of some accesses, as a set of bits."""
    found = 0
    for number in accesses:
        operation = operations[number]
        found |= sum(
            1 << place
            for place, kind in enumerate(windows.kinds)
            if kind.key == LinkKey.of(operation) and kind.atomic == operation.atomic
        )
    return found
