"""What a model's axioms say of coherence: which sources and places they certainly refuse, without testing them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from enumerator.cat.nodes import SET, CompiledModel, Node

__all__ = ["chain_of", "coherence_of", "contains_program_order", "hides_in_threads", "hiding_of", "united"]

_Step = tuple[str, bool]
_READ, _WRITE = ("rf", False), ("order", False)
_FLIPPED = ("rf", True)
_CHAINS: tuple[tuple[_Step, ...], ...] = ((_WRITE,), (_WRITE, _READ), (_FLIPPED, _WRITE), (_FLIPPED, _WRITE, _READ))
"""Order, from-read, and these with a read of the last write: what a relation has to hold."""


@lru_cache(maxsize=256)  # models are compiled once for many tests
def coherence_of(model: CompiledModel) -> tuple[Node, frozenset[Node], bool] | None:
    """Find an axiom that keeps what comes before an event from coming after it in coherence order.

    Parameters
    ----------
    model : CompiledModel

    Returns
    -------
    (Node, frozenset of Node, bool) or None
        A relation, sets, and whether the relation is a closure that contains program order of accesses. Where it goes
        from an event to another one of its location, the second is not before the first by order, by reads-from and
        order (from-read), nor by these and reads-from, if all events between that are in these sets. None where no
        axiom says so.

    Notes
    -----
    The axiom is ``irreflexive before ; communication`` (RC11's COHERENCE: Lahav et al., PLDI 2017), where the second
    relation contains these chains, as unions, compositions and options of the model's text show; or ``acyclic`` of a
    union that has order, reads-from, from-read, and more (SC-per-location, in all of program order: Alglave, Maranget,
    Tautschnig, TOPLAS 2014, section 4).

    Examples
    --------
    >>> from enumerator.cat.compiler import compile_model
    >>> from enumerator.cat.typing import select
    >>> from enumerator.search.bitset import base_kinds
    >>> rc11 = select("rc11")
    >>> compiled = compile_model(rc11.model, rc11.variants, base_kinds(), empty=frozenset({"unsequenced"}))
    >>> before, sets, closed = coherence_of(compiled)
    >>> before.operator, sets, closed
    ('+', frozenset(), True)
    """
    axioms = [each for each in model.checks if each.check.kind == "axiom" and not each.check.negated]
    for check in axioms:
        if check.check.test != "irreflexive":
            continue
        if check.node.operator != ";" or check.node.arguments[0].operator == "[]":
            continue
        before, communication = check.node.arguments
        closures = [
            each for each in united(before) if each.operator == "+" and contains_program_order(each.arguments[0])
        ]
        found = [_within(communication, chain) for chain in _CHAINS]
        if all(each is not None for each in found):
            sets = frozenset[Node]().union(*(each for each in found if each is not None))
            return (closures[0], sets, True) if closures else (before, sets, False)
    unions = (_without_cycles(each.node) for each in axioms if each.check.test == "acyclic")
    return next((each for each in unions if each is not None), None)


def _without_cycles(node: Node) -> tuple[Node, frozenset[Node], bool] | None:
    """Give what :func:`coherence_of` does by an axiom that a relation has no cycles."""
    while node.operator == ";" and node.arguments[0].operator == "?":
        node = node.arguments[1]
    found = [_within(node, chain) for chain in ((_READ,), (_WRITE,), (_FLIPPED, _WRITE))]
    if node.operator != "|" or any(each is None for each in found):
        return None
    return node, frozenset[Node]().union(*(each for each in found if each is not None)), False


def hiding_of(model: CompiledModel) -> Node | None:
    """Find an axiom by which a write hides others from a read.

    Parameters
    ----------
    model : CompiledModel

    Returns
    -------
    Node or None
        A relation. A read does not read from a write if there is another write between them in it. None where no axiom
        says so.

    Notes
    -----
    The axiom is ``empty rf \\ (… \\ (relation ; [W] ; relation))``: a write may be seen unless "there is a write
    between" (LLVM, "Memory Model for Concurrent Operations").

    Examples
    --------
    >>> from enumerator.cat.compiler import compile_model
    >>> from enumerator.cat.typing import select
    >>> from enumerator.search.bitset import base_kinds
    >>> for name in "llvm", "rc11":
    ...     model = select(name)
    ...     compiled = compile_model(model.model, model.variants, base_kinds(), empty=frozenset({"unsequenced"}))
    ...     found = hiding_of(compiled)
    ...     found and (found.operator, found.arguments[1].name)
    ('&', 'loc')
    """
    for check in model.checks:
        node = check.node
        if (check.check.kind, check.check.test, check.check.negated) != ("axiom", "empty", False):
            continue
        if node.operator != "\\" or (node.arguments[0].operator, node.arguments[0].name) != ("base", "rf"):
            continue
        seen = node.arguments[1]
        while seen.operator == "\\":
            seen, without = seen.arguments
            for part in united(without):
                first, *rest = chain_of(part)
                if len(rest) == 2 and rest[1] is first and _is_writes(rest[0]):
                    return first
    return None


def hides_in_threads(relation: Node) -> bool:
    """Tell whether a relation has all of program order in one location, and all initial writes before others there.

    Parameters
    ----------
    relation : Node

    Returns
    -------
    bool
    """
    return _holds_at_locations(relation, _is_program_order) and _holds_at_locations(relation, _is_from_initial)


def _holds_at_locations(node: Node, is_part: Callable[[Node], bool]) -> bool:
    """Tell whether a relation has all pairs of one location of some part of it."""
    match node.operator:
        case "|":
            return any(_holds_at_locations(each, is_part) for each in node.arguments)
        case "&":
            return all(each.name == "loc" or _holds_at_locations(each, is_part) for each in node.arguments)
        case "+":
            return _holds_at_locations(node.arguments[0], is_part)
    return is_part(node)


def _is_from_initial(node: Node) -> bool:
    """Tell whether a relation has all pairs of initial writes and others."""
    if node.operator != "*":
        return False
    first, second = node.arguments
    if second.operator == "\\" and second.arguments[1] == first:
        second = second.arguments[0]
    return (first.operator, first.name, second.operator) == ("base", "IW", "full")


def chain_of(node: Node) -> list[Node]:
    """Give the relations that a composition is made of, in order."""
    if node.operator != ";":
        return [node]
    return [part for argument in node.arguments for part in chain_of(argument)]


def _is_writes(node: Node) -> bool:
    return node.operator == "[]" and (node.arguments[0].operator, node.arguments[0].name) == ("base", "W")


def united(node: Node) -> list[Node]:
    """Give the relations that a union consists of."""
    return [part for each in node.arguments for part in united(each)] if node.operator == "|" else [node]


def contains_program_order(relation: Node) -> bool:
    """Tell whether a relation has all pairs of program order, but for those of barriers that are no fences.

    Parameters
    ----------
    relation : Node
        A union.

    Returns
    -------
    bool
    """
    return any(map(_is_program_order, united(relation)))


def _is_program_order(node: Node) -> bool:
    if node.operator == "\\":
        node, cut = node.arguments
        if not all(each.operator == "*" and any(map(_is_of_barriers, each.arguments)) for each in united(cut)):
            return False
    return (node.operator, node.name) == ("base", "po")


def _is_of_barriers(node: Node) -> bool:
    if node.operator == "\\":
        return _is_of_barriers(node.arguments[0])
    return (node.operator, node.name) == ("base", "B")


def _within(node: Node, chain: Sequence[_Step]) -> frozenset[Node] | None:
    """Tell in which sets the events of a chain have to be for a relation to contain it; None where it may not."""
    match node.operator:
        case "base":
            return frozenset() if tuple(chain) == ((node.name, False),) else None
        case "[]" if node.arguments[0].kind == SET and not chain:
            return frozenset() if node.arguments[0].operator == "full" else frozenset(node.arguments)
        case "?" | "star" if not chain:
            return frozenset()
        case "?" | "star" | "+":
            return _within(node.arguments[0], chain)
        case "^-1":
            return _within(node.arguments[0], [(name, not inverted) for name, inverted in reversed(chain)])
        case "|":
            found = [sets for each in node.arguments if (sets := _within(each, chain)) is not None]
            return min(found, key=len) if found else None
        case ";":
            left, right = node.arguments
            for cut in range(len(chain) + 1):
                first, second = _within(left, chain[:cut]), _within(right, chain[cut:])
                if first is not None and second is not None:
                    return first | second
    return None
