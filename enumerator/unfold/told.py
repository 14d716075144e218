"""What the conditions of a path tell of values: two that these make equal to one number, or one value, are the same."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from enumerator.unfold.nodes import read_as
from enumerator.unfold.paths import Computed, Known, Node, ReadValue
from enumerator.unfold.thread import ThreadState

__all__ = ["are_same"]

_ONE_TO_ONE = ("zext", "sext", "add", "sub", "xor")
_Told = tuple[tuple[object, ...], Hashable]


def are_same(state: ThreadState, before: Sequence[Node], after: Sequence[Node]) -> bool:
    """Tell whether two values are the same on a path.

    Parameters
    ----------
    state : ThreadState
    before, after : sequence of Node
        What each of them is: several nodes may have one value.

    Returns
    -------
    bool
    """
    if any(one is other for one in before for other in after):
        return True
    told = {each for node in before for each in _told(state, node)}
    return any(not told.isdisjoint(_told(state, node)) for node in after)


def _told(state: ThreadState, node: Node) -> set[_Told]:
    """Give what a value is by itself and by conditions of the path, or what something one-to-one in it is."""
    found: set[_Told] = {((), _identity(node))}
    for condition, value in state.conditions:
        if isinstance(condition, Computed) and (condition.operator, value) in (("icmp eq", 1), ("icmp ne", 0)):
            for one, other in (condition.arguments, condition.arguments[::-1]):
                if not isinstance(other, Known) and (made := _made(other, node)) is not None:
                    found.add((made, _identity(one)))
    return found


def _identity(node: Node) -> Hashable:
    """Give what tells a constant, a read or a computed value from others."""
    node = read_as(node)
    if isinstance(node, Known):
        return node.value
    return ("read", node.index) if isinstance(node, ReadValue) else ("computed", id(node))


def _made(node: Node, of: Node) -> tuple[object, ...] | None:
    """Give the operations that make one value of another one; None where they may make it of several."""
    made: list[object] = []
    while isinstance(node, Computed) and node.operator.split()[0] in _ONE_TO_ONE:
        known = tuple(each.value if isinstance(each, Known) else None for each in node.arguments)
        left = [each for each in node.arguments if not isinstance(each, Known)]
        if len(left) != 1:
            return None
        made += node.operator, known
        node = left[0]
    one, other = read_as(node), read_as(of)
    same = one is other or (isinstance(one, ReadValue) and isinstance(other, ReadValue) and one.index == other.index)
    return tuple(made) if same else None
