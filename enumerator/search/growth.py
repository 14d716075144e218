"""What a model says of executions that grow: in which order they can be built, and what events that are added change.

While an execution grows, events are added as well as choices. A relation between events that are there may then gain
pairs, as ``po ; po`` does by an event in between; lose pairs, as what is subtracted gains some; or neither, as ``po``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum
from functools import lru_cache

from enumerator.cat.nodes import CompiledCheck, CompiledModel, Growth, Node, is_reads_from
from enumerator.search.bytecode import flags_of
from enumerator.search.coherence import chain_of
from enumerator.search.settled import has_no_later_writes

__all__ = [
    "Order",
    "construction_order",
    "grows_with_events",
    "is_atomic",
    "only_loses_flags",
    "parts_of_union",
    "waits_at_barriers",
]


class Order(Enum):
    """In which order each execution that a model allows can be built."""

    PROGRAM_ORDER = 0  # program order and reads-from have no cycle
    DEPENDENCY = 1  # dependencies and reads-from have none
    LOOSE = 2  # nor these, and a read may take what its thread writes later
    NONE = 3  # values may come out of thin air


def construction_order(model: CompiledModel, empty: frozenset[str]) -> Order:
    """Tell in which order executions can be built, as the axioms on cycles say.

    Parameters
    ----------
    model : CompiledModel
    empty : frozenset of str
        Predefined relations without pairs in the test at hand.

    Returns
    -------
    Order
    """
    found = Order.NONE
    for parts in _without_cycles(model):
        names = {part.name for part in parts if part.operator == "base"} | empty
        if "rf" in names and "po" in names:
            return Order.PROGRAM_ORDER
        if {"rf", "addr", "data", "ctrl", "rmw"} <= names:
            found = Order.DEPENDENCY if _is_coherent(model) else Order.LOOSE
    return found


def is_atomic(model: CompiledModel, empty: frozenset[str]) -> bool:
    """Tell whether the model lets no write come between the halves of a read-modify-write, in coherence order.

    Parameters
    ----------
    model : CompiledModel
    empty : frozenset of str
        Predefined relations without pairs in the test at hand.

    Returns
    -------
    bool
        Whether an axiom says ``empty rmw & (rf^-1 ; order ; order)``, for reads-from between ordered writes. It may
        leave out writes of the same thread, as ``fre ; coe`` does, where none of these can come between.
    """
    if "rmw" in empty:
        return True
    for check in model.checks:
        node = check.node
        if check.check.kind == "axiom" and check.check.test == "empty" and node.operator == "&":
            names = {part.name for part in node.arguments if part.operator == "base"}
            others = [part for part in node.arguments if part.operator == ";"]
            if names == {"rmw"} and len(others) == 1 and not check.check.negated:
                steps = chain_of(others[0])
                if _orders_own_writes(model):
                    steps = [part for step in steps for part in chain_of(_with_own(step))]
                return _goes_on_from_reads(steps, 2)
    return False


def _goes_on_from_reads(steps: Sequence[Node], times: int) -> bool:
    """Tell whether a composition leads from a read to what it reads, and so often on in coherence order."""
    first, *orders = steps
    back = first.operator == "^-1" and is_reads_from(first.arguments[0])
    return back and [(each.operator, each.name) for each in orders] == [("base", "order")] * times


def _with_own(node: Node) -> Node:
    """Give a relation that is taken between threads, as it is within them, too."""
    if node.operator == "&":
        others = [part for part in node.arguments if (part.operator, part.name) != ("base", "ext")]
        if len(others) == 1:
            return others[0]
    return node


def _orders_own_writes(model: CompiledModel) -> bool:
    """Tell whether an axiom forbids cycles of program order at a location, coherence order, and from-reads."""
    for parts in _without_cycles(model):
        names = {_order_or_name(part) for part in parts if part.operator in ("base", "\\")}
        by_location = any(
            part.operator == "&" and set(map(_order_or_name, part.arguments)) == {"po", "loc"} for part in parts
        )
        before = any(_goes_on_from_reads(chain_of(part), 1) for part in parts)
        if "order" in names and before and ("po" in names or by_location):
            return True
    return False


def waits_at_barriers(model: CompiledModel) -> bool:
    """Tell whether a model lets no read see what needs its thread's arrival at a barrier after the read.

    Parameters
    ----------
    model : CompiledModel

    Returns
    -------
    bool
        Whether an axiom forbids cycles of reads-from and ``po ; bar ; po``.
    """
    for parts in _without_cycles(model):
        chains = [[(each.operator, each.name) for each in chain_of(part)] for part in parts]
        if [("base", "rf")] in chains and [("base", name) for name in ("po", "bar", "po")] in chains:
            return True
    return False


def _without_cycles(model: CompiledModel) -> Iterator[list[Node]]:
    """Give the parts of each union of which a model forbids cycles."""
    for check in model.checks:
        if check.forbids_cycles:
            yield list(_contained(check.node))


def _contained(node: Node) -> Iterator[Node]:
    """Give relations whose pairs are all in one: parts of a union, and what is before an optional part, or after."""
    if node.operator in ("|", "+", "?", "*"):
        for argument in node.arguments:
            yield from _contained(argument)
        return
    if node.operator == ";":
        first, second = node.arguments
        if first.operator in ("?", "*"):
            yield from _contained(second)
        if second.operator in ("?", "*"):
            yield from _contained(first)
    yield node


def _is_coherent(model: CompiledModel) -> bool:
    """Tell whether an axiom keeps reads from writes of their location that follow in program order."""
    return any(map(_keeps_from_later, model.checks))


def _keeps_from_later(check: CompiledCheck) -> bool:
    """Tell whether an axiom does, by what it has all of reads-from in, or as a cycle of that and ``po & loc``."""
    if check.contained is not None:
        first, second = check.contained
        return (first.operator, first.name) == ("base", "rf") and has_no_later_writes(second)
    if (check.check.kind, check.check.test, check.node.operator) != ("axiom", "irreflexive", ";"):
        return False
    first, second = check.node.arguments
    return any(part.name == "rf" for part in parts_of_union(second)) and any(
        part.operator == "&" and set(map(_order_or_name, part.arguments)) == {"po", "loc"}
        for part in parts_of_union(first)
    )


def _order_or_name(node: Node) -> str:
    """Name a predefined relation; program order may leave out what is unsequenced."""
    if node.operator == "\\" and node.arguments[1].name == "unsequenced":
        node = node.arguments[0]
    return node.name


def parts_of_union(node: Node) -> Iterator[Node]:
    """Give what a union consists of; of a closure, what is closed."""
    if node.operator == "|":
        for argument in node.arguments:
            yield from parts_of_union(argument)
    elif node.operator == "+":
        yield from parts_of_union(node.arguments[0])
    else:
        yield node


_FLIP = {Growth.GROWS: Growth.SHRINKS, Growth.SHRINKS: Growth.GROWS}
_GAINS = frozenset({";", "+", "star", "domain", "range"})
"""Operations whose result between two events may gain from a third one."""


def grows_with_events(node: Node, known: dict[Node, Growth]) -> Growth:
    """Tell how the value of a node between given events changes while choices are made and events are added.

    Parameters
    ----------
    node : Node
    known : dict of Node to Growth
        Filled with what has been found.

    Returns
    -------
    Growth
    """
    stack = [node]
    while stack:
        current = stack[-1]
        if current in known:
            stack.pop()
            continue
        if current.operator == "fix":
            known.update(dict.fromkeys(current.binders, Growth.GROWS))
        missing = [each for each in current.arguments if each not in known]
        if missing:
            stack += missing
            continue
        known[current] = _growth(current, known)
        stack.pop()
    return known[node]


def _growth(node: Node, known: dict[Node, Growth]) -> Growth:
    operands = [known[each] for each in node.arguments]
    if node.operator == "base":
        return node.growth
    if node.operator == "variable":
        return Growth.GROWS
    if node.operator == "fix":
        return Growth.GROWS if all(each in (Growth.CONSTANT, Growth.GROWS) for each in operands) else Growth.EITHER
    if node.operator == "~" or node.operator == "\\":
        operands[-1] = _FLIP.get(operands[-1], operands[-1])
    joined = 0
    for each in operands:
        joined |= each
    restricts = node.operator == ";" and any(each.operator == "[]" for each in node.arguments)
    if node.operator in _GAINS and not restricts:
        joined |= Growth.GROWS
    return Growth(joined)


@lru_cache(maxsize=256)  # models are compiled once for many tests
def only_loses_flags(model: CompiledModel) -> bool:
    """Tell whether what raises a flag between given events does so the less, the more events there are.

    Parameters
    ----------
    model : CompiledModel

    Returns
    -------
    bool
    """
    known: dict[Node, Growth] = {}
    flags, _ = flags_of(model)
    wanted = ("flag", "empty", True), ("undefined_unless", "empty", False)
    return all(
        (each.check.kind, each.check.test, each.check.negated) in wanted
        and grows_with_events(each.node, known) in (Growth.CONSTANT, Growth.SHRINKS)
        for each in flags
    )
