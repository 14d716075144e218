"""Which sets of a model are settled early while an execution grows: nothing that is added later changes them.

What comes before two events in ``po | rf | bar`` tells whether ``hb`` holds of them: an event that is added later is
before none that is there, once all threads have come to the barriers that are passed. Where an operation asks for a
third event, as a composition does, that has to come before one of the two; or it is a write of their location, and no
more of these are to come. So it is known of a read whether it returns undef as soon as nothing before it, or before the
writes of its location, is open, and no other thread may write there.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from enumerator.cat.nodes import Builder, CompiledModel, Node
from enumerator.cat.predefined import UNDEF_SET
from enumerator.events import RELATIONS
from enumerator.search.deduced import Deduced

__all__ = ["Rules", "has_no_later_writes", "lies_in_past", "settled_rules"]


class _Says:
    """What is known of the pairs (x, y) of a relation, or of the members of a set: bits."""

    # What is in it depends only on what comes before that in ``po | rf | bar``. Or, of the read at hand and the pairs
    # that begin with it, also on the writes of its location.
    SETTLED, AT_READ = 1 << 0, 1 << 1
    # Of all pairs: x is y, or comes before it; the other way round; they are of one location; which of them write.
    COMES_BEFORE, COMES_AFTER, SAME_PLACE, FIRST_WRITES, SECOND_WRITES = (1 << bit for bit in range(2, 7))
    # y is not before x in program order, if that is a write and y a read of its location; the same turned; x is y.
    FIRST_NOT_LATER, SECOND_NOT_LATER, IS_ONE = (1 << bit for bit in range(7, 10))
    # It has all pairs of a read and a write of its location that follows in program order; all such pairs turned.
    HAS_LATER, HAS_EARLIER = 1 << 10, 1 << 11
    # Of a set: its members are initial writes, or writes; it has all reads, or all writes.
    INITIAL, WRITES, HAS_READS, HAS_WRITES = (1 << bit for bit in range(12, 16))


_KNOWN = _Says.SETTLED | _Says.AT_READ
_HAS = _Says.HAS_LATER | _Says.HAS_EARLIER | _Says.HAS_READS | _Says.HAS_WRITES
_OF_ALL = ((1 << 16) - 1) & ~(_KNOWN | _HAS)
"""What holds of a part of a relation, or set, if it holds of all."""
_LOCAL_FIRST = _Says.SAME_PLACE | _Says.FIRST_WRITES | _Says.FIRST_NOT_LATER
_LOCAL_SECOND = _Says.SAME_PLACE | _Says.SECOND_WRITES | _Says.SECOND_NOT_LATER
_TURNED = (
    (_Says.COMES_BEFORE, _Says.COMES_AFTER),
    (_Says.FIRST_WRITES, _Says.SECOND_WRITES),
    (_Says.FIRST_NOT_LATER, _Says.SECOND_NOT_LATER),
    (_Says.HAS_LATER, _Says.HAS_EARLIER),
)
_BASE = {
    "W": _Says.WRITES | _Says.HAS_WRITES,
    "IW": _Says.INITIAL | _Says.WRITES,
    "R": _Says.HAS_READS,
    "M": _Says.HAS_READS | _Says.HAS_WRITES,
    "po": _Says.COMES_BEFORE | _Says.FIRST_NOT_LATER | _Says.HAS_LATER,
    "rf": _Says.COMES_BEFORE | _Says.SAME_PLACE | _Says.FIRST_WRITES,
    "loc": _Says.SAME_PLACE | _Says.HAS_LATER | _Says.HAS_EARLIER,
    "bar": _Says.COMES_BEFORE,
    "parts": _Says.COMES_BEFORE | _Says.COMES_AFTER,  # of one access: what comes before a part comes before all
    **dict.fromkeys(("rmw", "addr", "data", "ctrl"), _Says.COMES_BEFORE | _Says.FIRST_NOT_LATER),
}
_NOTHING = 0


class Rules(NamedTuple):
    r"""The sets of a model that are settled early, of those that tell which reads return undef.

    Parameters
    ----------
    allowed : list of Node
        All reads that return undef are in them, by axioms ``empty UNDEF \ a``.
    forced : list of Node
        All their members return undef, by ``empty a \ UNDEF``.
    stay : list of Node
        The same of parts of these: a read stays in them, whatever is written later.
    """

    allowed: list[Node]
    forced: list[Node]
    stay: list[Node]


def settled_rules(model: CompiledModel) -> Rules:
    """Give the sets of a model that are settled early.

    Parameters
    ----------
    model : CompiledModel

    Returns
    -------
    Rules
    """
    known = _deduced()
    found, builder = Rules([], [], []), Builder()
    for contained in (check.contained for check in model.checks):
        if contained is not None:
            first, second = contained
            for undef, rule, rules in ((first, second, found.allowed), (second, first, found.forced)):
                if (undef.operator, undef.name) == ("base", UNDEF_SET) and known(rule) & _KNOWN:
                    rules.append(rule)
    for rule in found.forced:
        least = _least(rule, known, builder)
        if least is not None:
            found.stay.append(least)
    return found


@lru_cache(maxsize=64)  # models are compiled once for many tests
def has_no_later_writes(node: Node) -> bool:
    """Tell whether a relation has no write beside a read of its location that comes before it in program order.

    Parameters
    ----------
    node : Node

    Returns
    -------
    bool
    """
    return bool(_deduced()(node) & _Says.FIRST_NOT_LATER)


@lru_cache(maxsize=64)
def lies_in_past(node: Node) -> bool:
    """Tell whether each pair of a relation is in ``(po | rf | bar)+``, and depends only on what comes before it there.

    Parameters
    ----------
    node : Node

    Returns
    -------
    bool
    """
    wanted = _Says.SETTLED | _Says.COMES_BEFORE
    return _deduced()(node) & wanted == wanted


def _deduced() -> Deduced:
    return Deduced(_one, _Says.SETTLED | _OF_ALL, _Says.SETTLED)


def _least(node: Node, known: Deduced, builder: Builder) -> Node | None:
    """Give a part of a set that only gains as more is written; None where that may be empty."""
    if _gains(node, known):
        return node
    if node.operator not in ("|", "&"):
        return None
    parts = [_least(each, known, builder) for each in node.arguments]
    left = [each for each in parts if each is not None]
    if not left or (node.operator == "&" and len(left) < len(parts)):
        return None
    return left[0] if len(left) == 1 else builder.make(node.operator, *left)


def _gains(node: Node, known: Deduced) -> bool:
    """Tell whether a set or relation that is settled, but for writes of the location at hand, only gains by these."""
    says = known(node)
    if says & _Says.SETTLED:
        return True
    if not says & _Says.AT_READ:
        return False
    if node.operator == "\\":
        first, second = node.arguments
        return _gains(first, known) and bool(known(second) & _Says.SETTLED)
    return node.operator in ("|", "&", ";", "[]", "domain", "range", "?") and all(
        _gains(each, known) for each in node.arguments
    )


def _one(node: Node, says: list[int]) -> int:
    match node.operator, says:
        case "base", _ if node.kind == "set" or node.name == "rf" or node.name in RELATIONS:
            return _Says.SETTLED | _BASE.get(node.name, _NOTHING)
        case "empty", _:
            return _Says.SETTLED | _OF_ALL
        case "full", _:
            return _Says.SETTLED | _HAS
        case "|", (first, second):
            return _both(first, second) | first & second & _OF_ALL | (first | second) & _HAS
        case "&", (first, second):
            return _both(first, second) | (first | second) & _OF_ALL | first & second & _HAS
        case "\\", (first, second):
            return _both(first, second) | first & _OF_ALL | _less(second)
        case "~", (first,):
            return first & _KNOWN
        case "^-1", (first,):
            return _turned(first)
        case "*", (first, second):
            return _product(first, second)
        case "[]", (first,):
            writes = _Says.FIRST_WRITES | _Says.SECOND_WRITES if first & _Says.WRITES else _NOTHING
            one = _Says.IS_ONE | _Says.SAME_PLACE | _Says.COMES_BEFORE | _Says.COMES_AFTER
            return first & _KNOWN | writes | one | _Says.FIRST_NOT_LATER | _Says.SECOND_NOT_LATER
        case "domain", (first,):
            return _projected(first, _Says.COMES_AFTER, _LOCAL_SECOND)
        case "range", (first,) if first & _Says.SETTLED:
            return _projected(first, _Says.COMES_BEFORE, _LOCAL_FIRST)
        case ";", (first, second):
            return _composed(first, second)
        case "?", (first,):
            return first & ~(_Says.FIRST_WRITES | _Says.SECOND_WRITES | _Says.IS_ONE)
        case (("+" | "star"), (first,)):
            ordered = first & (_Says.COMES_BEFORE | _Says.COMES_AFTER)
            return first & _Says.SETTLED | ordered | first & (_Says.SAME_PLACE | _HAS) if ordered else _NOTHING
    return _NOTHING


def _both(first: int, second: int) -> int:
    """Tell how what is in two things is known, or in one and not in the other."""
    if first & second & _Says.SETTLED:
        return _Says.SETTLED
    return _Says.AT_READ if first & _KNOWN and second & _KNOWN else _NOTHING


def _less(removed: int) -> int:
    """Tell of the pairs that are left where others are taken away."""
    found = _Says.FIRST_NOT_LATER if removed & _Says.HAS_EARLIER else _NOTHING
    return found | (_Says.SECOND_NOT_LATER if removed & _Says.HAS_LATER else _NOTHING)


def _turned(says: int) -> int:
    found = says & (_Says.SETTLED | _Says.SAME_PLACE | _Says.IS_ONE)
    for one, other in _TURNED:
        found |= (other if says & one else _NOTHING) | (one if says & other else _NOTHING)
    return found


def _product(first: int, second: int) -> int:
    found = _NOTHING
    if second & _Says.SETTLED:
        found = _both(first, second)
    for says, told in (
        (first & _Says.INITIAL, _Says.COMES_BEFORE),
        (second & _Says.INITIAL, _Says.COMES_AFTER),
        (first & _Says.WRITES, _Says.FIRST_WRITES),
        (second & _Says.WRITES, _Says.SECOND_WRITES),
        (first & _Says.HAS_READS and second & _Says.HAS_WRITES, _Says.HAS_LATER),
        (first & _Says.HAS_WRITES and second & _Says.HAS_READS, _Says.HAS_EARLIER),
    ):
        found |= told if says else _NOTHING
    return found


def _projected(says: int, ordered: int, local: int) -> int:
    """Tell of the events that have a partner: that comes before them, or is a write of their location."""
    if says & ordered:
        return says & _KNOWN
    return _Says.AT_READ if says & _KNOWN and says & local == local else _NOTHING


def _composed(first: int, second: int) -> int:
    found = first & second & (_Says.COMES_BEFORE | _Says.COMES_AFTER | _Says.SAME_PLACE | _Says.IS_ONE)
    found |= first & _Says.FIRST_WRITES | second & _Says.SECOND_WRITES
    if first & _Says.IS_ONE:
        found |= second & _OF_ALL
    if second & _Says.IS_ONE:
        found |= first & _OF_ALL
    between = first & _Says.COMES_AFTER or second & _Says.COMES_BEFORE
    if between and first & second & _Says.SETTLED:
        return found | _Says.SETTLED
    if (between or first & _LOCAL_SECOND == _LOCAL_SECOND) and first & _KNOWN and second & _Says.SETTLED:
        return found | _Says.AT_READ
    return found
