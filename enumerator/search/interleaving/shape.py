"""Recognizes the models whose executions are interleavings, by what their files say."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from enumerator.cat.compiler import compile_model
from enumerator.cat.nodes import CompiledModel, Node
from enumerator.cat.parser import parse_text
from enumerator.cat.selected import SelectedModel
from enumerator.frozen import dataclass
from enumerator.program.instructions import AsyncCopy, Barrier, BarrierOperation, Free
from enumerator.program.test import Test
from enumerator.search.bitset import base_kinds

__all__ = ["Shape", "shape_of"]

_DEPENDENCIES = ("addr", "data", "ctrl", "rmw")

_PARTS = """
empty po as po
empty tok as tok
empty addr as addr
empty data as data
empty ctrl as ctrl
empty rmw as rmw
empty po ; bar ; po as barrier
empty rf as rf
empty co as co
empty fr as fr
empty rmw & (fr ; co) as atomic
empty rmw & (fre ; coe) as atomic-elsewhere
empty RET * RET | id as at-once
empty W as writes
empty W \\ domain(co) as last
empty domain(rf ; [RET]) as returned
"""


@dataclass(frozen=True, slots=True)
class Shape:
    """A model as a machine that runs one operation after the other.

    Parameters
    ----------
    before : frozenset of str
        The relations along which an operation waits for others: ``po``, ``tok``, ``addr``, ``data``, ``ctrl``,
        ``rmw``, and ``barrier`` for ``po ; bar ; po``.
    returns : bool
        The final state is what memory holds when the last thread returns; else, when all operations have run.
    """

    before: frozenset[str]
    returns: bool


def shape_of(model: SelectedModel, test: Test | None = None) -> Shape | str:
    """Tell whether the executions of a model are the interleavings of its operations.

    Such a model orders all writes of a location, and has exactly the axioms ``acyclic before | rf | co | fr``, with
    the relations of `Shape.before` (in a model that names ``RET``: all reads of returns taken as one event), and that
    no write comes between the halves of a read-modify-write. A linear order that extends the first is a run of a
    machine with one value a location, and each run gives such an order.

    Parameters
    ----------
    model : SelectedModel
    test : Test, optional
        Has the address spaces that the model may name.

    Returns
    -------
    Shape or str
        In a string, what the model has that is different.

    References
    ----------
    Lamport, *How to Make a Multiprocessor Computer That Correctly Executes Multiprocess Programs*, 1979.

    Examples
    --------
    >>> from enumerator.cat.typing import select
    >>> sorted(shape_of(select("sc")).before), shape_of(select("csa")).returns
    (['barrier', 'po'], True)
    >>> shape_of(select("tso"))
    "it has another axiom than acyclicity and atomicity: 'tso'"
    """
    if test is not None and any(_numbered_barriers(test)):
        return "the test has barriers with numbers"
    if test is not None and _works_elsewhere(test):
        return "the test has asynchronous operations or barrier objects"
    # What a model says of the end of objects is nothing, where there are none that end.
    ends = test is not None and _ends_objects(test)
    empty = frozenset(("parts",) if ends else ("parts", "FREE"))
    compiled = compile_model(model.model, model.variants, base_kinds(test), empty=empty)
    part = _parts()
    if compiled.undef_set is not None:
        return "reads may return undef by its own rule"
    if _form(compiled.order_set) != part["writes"]:
        return "it does not order all writes"
    order: Node | None = None
    atomic = elsewhere = False
    for check in compiled.checks:
        name = check.check.name or check.check.test
        plain = check.check.kind == "axiom" and not check.check.negated
        if plain and check.check.test == "empty" and _form(check.node) in (part["atomic"], part["atomic-elsewhere"]):
            atomic = True
            elsewhere |= _form(check.node) == part["atomic-elsewhere"]
        elif plain and check.check.test == "acyclic" and order is None:
            order = check.node
        else:
            return f"it has another axiom than acyclicity and atomicity: '{name}'"
    if order is None or not atomic:
        return "it lacks an axiom of acyclicity, or one that read-modify-writes are atomic"
    shape = _shape(compiled, order)
    if isinstance(shape, Shape) and elsewhere and "po" not in shape.before:
        return "a write of the same thread may come between the halves of a read-modify-write"
    return shape


def _numbered_barriers(test: Test) -> Iterator[Barrier]:
    for function in test.functions.values():
        for block in function.blocks:
            yield from (each for each in block.body if isinstance(each, Barrier) and each.needed)


def _works_elsewhere(test: Test) -> bool:
    blocks = (block for function in test.functions.values() for block in function.blocks)
    return any(isinstance(part, AsyncCopy | BarrierOperation) for block in blocks for part in block.body)


def _ends_objects(test: Test) -> bool:
    blocks = (block for function in test.functions.values() for block in function.blocks)
    return any(isinstance(part, Free) for block in blocks for part in block.body)


def _shape(compiled: CompiledModel, order: Node) -> Shape | str:
    part = _parts()
    final = _form(compiled.final)
    if final == part["returned"]:
        # at-once ; (…) ; at-once, however it is bracketed
        steps = list(_sequence(order))
        if len(steps) != 3 or any(_form(step) != part["at-once"] for step in (steps[0], steps[2])):
            return "its final state is what returns read, but its axiom does not take their reads as one event"
        order = steps[1]
    elif final != part["last"]:
        return "its final state is not what memory holds at the end, or at the return"
    names = {_names().get(_form(term), "") for term in _union(order)}
    if "" in names or not names >= {"rf", "co", "fr"}:
        return "the axiom of acyclicity is over more than rf, co, fr, tok, po, dependencies and barriers"
    before = frozenset(names - {"rf", "co", "fr"})
    if "po" not in before and not before.issuperset(_DEPENDENCIES):
        return "an operation may run before what it depends on"
    if "barrier" in before and "po" not in before:
        return "barriers order what program order does not"
    return Shape(before, final == part["returned"])


@cache
def _parts() -> dict[str, object]:
    """Give the forms of what a model may be made of."""
    model = parse_text(_PARTS, "<interleaving>")
    compiled = compile_model(model, frozenset(), base_kinds(), empty=frozenset())
    return {check.check.name or "": _form(check.node) for check in compiled.checks}


@cache
def _names() -> dict[object, str]:
    return {form: name for name, form in _parts().items()}


def _form(node: Node) -> object:
    """Give what a node is made of, as a value that equal expressions share; unions are sets."""
    if node.operator == "|":
        return ("|", frozenset(map(_form, _union(node))))
    return (node.operator, node.name, tuple(map(_form, node.arguments)))


def _union(node: Node) -> Iterator[Node]:
    if node.operator == "|":
        for argument in node.arguments:
            yield from _union(argument)
    else:
        yield node


def _sequence(node: Node) -> Iterator[Node]:
    if node.operator == ";":
        for argument in node.arguments:
            yield from _sequence(argument)
    else:
        yield node
