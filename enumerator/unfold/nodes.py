"""Making the values of a path: what does not depend on a read is computed at once."""

from __future__ import annotations

from operator import is_

from enumerator.program.types import BytesType, IntType, Type, store_size
from enumerator.program.values import Value
from enumerator.unfold.arithmetic import agrees, apply
from enumerator.unfold.paths import Computed, Known, Node
from enumerator.unfold.pieces import put_together

__all__ = ["compute", "decoded", "encoded", "excluded", "read_as"]


def compute(
    operator: str, nodes: tuple[Node, ...], type_: Type, operand_type: Type, indices: tuple[int, ...] = ()
) -> Node:
    """Apply an operation to nodes.

    See Also
    --------
    enumerator.unfold.arithmetic.apply : The operations, on values.

    Examples
    --------
    >>> i32 = IntType(32)
    >>> compute("add", (Known(1), Known(2)), i32, i32).value
    3
    """
    values = [node.value for node in nodes if isinstance(node, Known)]
    if len(values) == len(nodes):
        return Known(apply(operator, tuple(values), type_, operand_type, indices))
    if operator == "rmw xchg":
        return nodes[1]
    if operator == "select":
        if isinstance(nodes[0], Known) and isinstance(nodes[0].value, int):
            return nodes[1] if nodes[0].value else nodes[2]
        if (negated := _negated(nodes[0])) is not None:
            return compute(operator, (negated, nodes[2], nodes[1]), type_, operand_type, indices)
        nodes = nodes[0], _chosen(nodes[1], nodes[0], 1), _chosen(nodes[2], nodes[0], 2)
        if type_ == IntType(1) and [getattr(each, "value", None) for each in nodes[1:]] == [1, 0]:
            return nodes[0]
    if operator == "extractvalue" and isinstance(nodes[0], Computed) and nodes[0].operator == "tuple":
        part = nodes[0].arguments[indices[0]]
        if len(indices) == 1:
            return part
        return compute("extractvalue", (part,), type_, operand_type, indices[1:])
    if operator == "or" and (whole := put_together(nodes[0], nodes[1], type_)) is not None:
        return whole
    return Computed(operator, nodes, type_, operand_type, indices)


def _negated(node: Node) -> Node | None:
    """Give the bit that a value negates, if it does that."""
    if isinstance(node, Computed) and (node.operator, node.type) == ("xor", IntType(1)):
        for one, other in (node.arguments, node.arguments[::-1]):
            if isinstance(one, Known) and one.value == 1:
                return other
    return None


def _chosen(node: Node, condition: Node, which: int, depth: int = 2) -> Node:
    """Give a value where a condition holds, or does not: what is chosen by it in the value is known then."""
    if not isinstance(node, Computed) or condition.reads.isdisjoint(node.reads):
        return node
    if node.operator == "select" and node.arguments[0] is condition:
        return node.arguments[which]
    if depth == 0:
        return node
    arguments = tuple([_chosen(each, condition, which, depth - 1) for each in node.arguments])
    if all(map(is_, arguments, node.arguments)):
        return node
    return compute(node.operator, arguments, node.type, node.operand_type, node.indices)


def encoded(node: Node, type_: Type, first: int, width: int, big: bool) -> Node:
    """Give what some bytes of memory hold after a store of a value.

    Parameters
    ----------
    node : Node
        The value.
    type_ : Type
        Of the value.
    first, width : int
        The first of these bytes, counted from that of the value, and how many they are.
    big : bool
        Whether bytes of numbers are in big-endian order.

    Returns
    -------
    Node
    """
    whole = first == 0 and width == store_size(type_)
    if whole and isinstance(type_, IntType) and type_.width == 8 * width:
        return node
    return compute("encode", (node,), BytesType(width), type_, (first, width, int(big)))


def decoded(nodes: tuple[Node, ...], sizes: tuple[int, ...], type_: Type, big: bool) -> Node:
    """Give the value of a type that consecutive bytes of memory hold.

    Parameters
    ----------
    nodes : tuple of Node
        What the bytes hold, run by run.
    sizes : tuple of int
        Of each run, in bytes.
    type_ : Type
    big : bool
        Whether bytes of numbers are in big-endian order.

    Returns
    -------
    Node
    """
    return compute("decode", nodes, type_, BytesType(sum(sizes)), (int(big), *sizes))


def excluded(node: Node, value: Value) -> bool:
    """Tell whether a bit cannot have a value, whatever is read.

    The value is not undef. One known operand decides an ``and`` or ``or``; a ``select`` has the value of an arm.
    """
    if isinstance(node, Known):
        return not agrees(node.value, value)
    if not isinstance(node, Computed) or node.type != IntType(1):
        return False
    if node.operator == "select":
        return all(excluded(arm, value) for arm in node.arguments[1:])
    if node.operator not in ("and", "or"):
        return False
    decisive = int(node.operator == "or")
    return value != decisive and any(excluded(each, 1 - decisive) for each in node.arguments)


def read_as(node: Node) -> Node:
    """Give a value as it was before it was taken for one of another type: an address for a number, maybe in a slot.

    Parameters
    ----------
    node : Node

    Returns
    -------
    Node
        Of as many bytes.
    """
    while isinstance(node, Computed) and (_casts(node) or _is_whole(node)):
        node = node.arguments[0]
    return node


def _casts(node: Computed) -> bool:
    """Tell whether a value is an address taken for a number, or its like, or the other way round, and no part of it."""
    casts = node.operator in ("inttoptr", "ptrtoint", "bitcast")
    return casts and store_size(node.type) >= store_size(node.operand_type)


def _is_whole(node: Computed) -> bool:
    """Tell whether a value is what the bytes of another one are in another type, or these bytes."""
    if node.operator == "decode":
        return len(node.arguments) == 1 and node.indices[1:] == (store_size(node.type),)
    return node.operator == "encode" and node.indices[:2] == (0, store_size(node.operand_type))
