"""What the conditions of a path tell of values: two that these make equal to one number, or one value, are the same."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace

from enumerator.unfold.nodes import compute, read_as
from enumerator.unfold.paths import Computed, Known, Node, ReadValue
from enumerator.unfold.state import Local
from enumerator.unfold.thread import ThreadState

__all__ = ["are_same", "settled"]

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


def settled(state: ThreadState, local: Local) -> Local:
    """Give a value as it is on this path, where what the path has decided by says more of it.

    That is the operand of a ``select``, or a constant that is computed from what these tell: as in a thread that looks
    at two flags in turn, whose index changes by the bit that tells it to go on. It depends on the same reads.

    Parameters
    ----------
    state : ThreadState
    local : Local

    Returns
    -------
    Local
    """
    node = local.node
    while isinstance(node, Computed) and node.operator == "select":
        told = state.decided(node.arguments[0])
        if not isinstance(told, int):
            break
        node = node.arguments[1 if told else 2]
    if isinstance(node, Computed) and node.reads <= state.control:
        made = _made_of(node, dict(_numbers(state)), {})
        node = made if isinstance(made, Known) else node
    return local if node is local.node else replace(local, node=node)


def _numbers(state: ThreadState) -> Iterator[tuple[int, int]]:
    """Give the values that are numbers as the path has decided, by their identity, each with its number."""
    for condition, value in state.conditions:
        if isinstance(condition, Computed) and isinstance(value, int):
            yield id(condition), value
            if (condition.operator, value) in (("icmp eq", 1), ("icmp ne", 0)):
                one, other = condition.arguments
                if isinstance(other, Known) and isinstance(other.value, int):
                    yield id(one), other.value


def _made_of(node: Node, numbers: Mapping[int, int], made: dict[int, Node]) -> Node:
    """Give the constant that a value is where some values are numbers; the value itself, if it may be several."""
    if isinstance(node, Known):
        return node
    if id(node) not in made:
        made[id(node)] = node
        if (number := numbers.get(id(node))) is not None:
            made[id(node)] = Known(number)
        elif isinstance(node, Computed):
            parts = tuple(_made_of(each, numbers, made) for each in node.arguments)
            if all(isinstance(each, Known) for each in parts):
                made[id(node)] = compute(node.operator, parts, node.type, node.operand_type, node.indices)
    return made[id(node)]
