"""The ``atomic_`` functions of C11, section 7.17, and what becomes of their memory orders."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from enumerator.frontend.c.syntax import Call, Name
from enumerator.frontend.c.types import BIT, WORD, ArrayOf, CType, Integer, PointerTo, Typed, held_as
from enumerator.program import instructions as program
from enumerator.program.instructions import (
    Annotation,
    CompareExchange,
    Constant,
    Fence,
    Ordering,
    ReadModifyWrite,
    Register,
    Scope,
)
from enumerator.program.types import StructType

if TYPE_CHECKING:
    from enumerator.frontend.c.expressions import Expressions

__all__ = ["FUNCTIONS", "call", "order"]

_ORDERS = {
    "memory_order_relaxed": Ordering.MONOTONIC,
    "memory_order_consume": Ordering.MONOTONIC,
    "memory_order_acquire": Ordering.ACQUIRE,
    "memory_order_release": Ordering.RELEASE,
    "memory_order_acq_rel": Ordering.ACQ_REL,
    "memory_order_seq_cst": Ordering.SEQ_CST,
}
_CONSUME = frozenset({"CON"})
_LOCKS = frozenset(
    "lock unlock mtx_lock mtx_unlock mtx_trylock spin_lock spin_unlock spin_trylock pthread_mutex_lock".split()
)

_Call = Callable[["Expressions", Call], "Typed | None"]


def call(thread: Expressions, node: Call) -> Typed | None:
    """Carry out a call.

    Parameters
    ----------
    thread : Expressions
    node : Call

    Returns
    -------
    Typed or None
        What the function gives, if it gives something.

    Raises
    ------
    InputError
        If the function is unknown, or the arguments do not fit it.

    References
    ----------
    ISO/IEC 9899:2011, section 7.17.
    """
    function = node.function
    if function not in thread.functions:
        what = "locks are not covered" if function in _LOCKS else "there is no function of this name here"
        raise thread.error(f"{function}: {what}", node.token)
    wanted, run = thread.functions[function]
    scope, node = _scope(thread, node)
    if scope is not None and not function.endswith("_explicit") and function not in thread.dialect.scoped:
        raise thread.error(f"{function} takes no scope", node.token)
    if node.label is not None and function not in thread.dialect.labelled:
        raise thread.error("only a barrier has a label", node.token)
    if len(node.arguments) != wanted:
        found = len(node.arguments)
        raise thread.error(f"{function} takes {wanted} argument{'s' * (wanted != 1)}, not {found}", node.token)
    return run(thread, node)


def _scope(thread: Expressions, node: Call) -> tuple[Scope | None, Call]:
    """Take the scope off the arguments of a call, if the last is one."""
    last = node.arguments[-1] if node.arguments else None
    if not isinstance(last, Name) or last.name not in thread.dialect.scopes:
        return None, node
    scope = thread.dialect.scopes[last.name]
    return scope, replace(node, arguments=node.arguments[:-1], scope=scope)


def order(thread: Expressions, node: Call, place: int, type_: CType | None = None) -> Annotation:
    """Give the annotation of an access; seq_cst where the function has no argument for its memory order.

    Parameters
    ----------
    thread : Expressions
    node : Call
    place : int
        Of the argument.
    type_ : CType, optional
        Of the object that is accessed.

    Raises
    ------
    InputError
        If the argument is no memory order.
    """
    scope = thread.dialect.default_scope if node.scope is None else node.scope
    volatile, space = (False, 0) if type_ is None or isinstance(type_, ArrayOf) else (type_.volatile, type_.space)
    if place >= len(node.arguments):
        return Annotation(Ordering.SEQ_CST, scope, volatile=volatile, address_space=space)
    argument = node.arguments[place]
    if not isinstance(argument, Name) or argument.name not in _ORDERS:
        wanted = ", ".join(name.removeprefix("memory_order_") for name in _ORDERS)
        raise thread.error(f"expected a memory order: memory_order_ and one of {wanted}", argument.token)
    labels = _CONSUME if argument.name == "memory_order_consume" else frozenset[str]()
    return Annotation(_ORDERS[argument.name], scope, volatile=volatile, address_space=space, labels=labels)


def _place(
    thread: Expressions, node: Call, argument: int = 0, typed: Typed | None = None
) -> tuple[program.Expression, CType]:
    """Evaluate an argument that points at an object: give its address, and the type of the object."""
    typed = thread.value(node.arguments[argument]) if typed is None else typed
    type_ = typed.type.target if isinstance(typed.type, PointerTo) else Integer()
    if not isinstance(type_, (Integer, PointerTo)):
        raise thread.error(f"{node.function} of an array", node.arguments[argument].token)
    return typed.value, type_


def _load(thread: Expressions, node: Call) -> Typed:
    address, type_ = _place(thread, node)
    return thread.load(address, type_, order(thread, node, 1, type_), node.token)


def _store(thread: Expressions, node: Call) -> None:
    place, operand = thread.operands(*node.arguments[:2])
    (address, type_), value = _place(thread, node, 0, place), operand.value
    thread.store(address, value, type_, order(thread, node, 2, type_), node.token)


def _initialise(thread: Expressions, node: Call) -> None:
    place, operand = thread.operands(*node.arguments[:2])
    (address, type_), value = _place(thread, node, 0, place), operand.value
    thread.store(address, value, type_, thread.plain(type_), node.token)


def _clear(thread: Expressions, node: Call) -> None:
    address, type_ = _place(thread, node)
    annotation = order(thread, node, 1, type_)
    thread.store(address, Constant(0, WORD), type_, annotation, node.token)


def _read_modify_write(operator: str) -> _Call:
    def run(thread: Expressions, node: Call) -> Typed:
        place, operand = thread.operands(*node.arguments[:2])
        address, type_ = _place(thread, node, 0, place)
        if isinstance(type_, PointerTo) and operator != "xchg":
            raise thread.error(f"{node.function} of a pointer is not covered", node.token)
        return _change(thread, node, operator, address, operand.value, type_, order(thread, node, 2, type_))

    return run


def _change(
    thread: Expressions,
    node: Call,
    operator: str,
    address: program.Expression,
    operand: program.Expression,
    type_: CType,
    annotation: Annotation,
) -> Typed:
    target = thread.builder.temporary()
    made = ReadModifyWrite(target, operator, address, operand, held_as(type_), annotation, node.token.line)
    thread.builder.emit(made)
    return Typed(Register(target), type_)


def _test_and_set(thread: Expressions, node: Call) -> Typed:
    address, type_ = _place(thread, node)
    annotation = order(thread, node, 1, type_)
    old = _change(thread, node, "xchg", address, Constant(1, WORD), Integer(), annotation)
    line = node.token.line
    was_set = thread.builder.operation("icmp ne", (old.value, Constant(0, WORD)), BIT, WORD, line)
    return Typed(thread.builder.operation("zext", (was_set,), WORD, BIT, line), Integer())


def _compare_exchange(weak: bool) -> _Call:
    def run(thread: Expressions, node: Call) -> Typed:
        """Compare and exchange: what is expected is read before, and written on failure, both without atomicity."""
        builder, line = thread.builder, node.token.line
        arguments = thread.operands(*node.arguments[:3])
        address, type_ = _place(thread, node, 0, arguments[0])
        place, expected_type = _place(thread, node, 1, arguments[1])
        desired = arguments[2].value
        annotation = order(thread, node, 3, type_)
        failure = order(thread, node, 4).ordering
        plain = thread.plain(expected_type)
        expected = thread.load(place, expected_type, plain, node.token).value
        held = held_as(type_)
        pair = builder.temporary()
        builder.emit(CompareExchange(pair, address, expected, desired, held, annotation, failure, weak, line))
        both = StructType((held, BIT))
        old = builder.operation("extractvalue", (Register(pair),), held, both, line, (0,))
        succeeded = builder.operation("extractvalue", (Register(pair),), BIT, both, line, (1,))
        failed, after = builder.block(), builder.block()
        builder.branch(succeeded, after, failed, line)
        builder.start(failed)
        thread.store(place, old, expected_type, plain, node.token)
        builder.start(after)
        return Typed(builder.operation("zext", (succeeded,), WORD, BIT, line), Integer())

    return run


def _fence(thread: Expressions, node: Call) -> None:
    annotation = order(thread, node, 0)
    if annotation.ordering > Ordering.MONOTONIC or annotation.labels:
        thread.builder.emit(Fence(annotation, node.token.line))


def _functions() -> dict[str, tuple[int, _Call]]:
    functions: dict[str, tuple[int, _Call]] = {
        "atomic_init": (2, _initialise),
        "atomic_thread_fence": (1, _fence),
        "SCAS": (3, _compare_exchange(False)),
        "WCAS": (3, _compare_exchange(True)),
    }
    with_order: list[tuple[str, int, _Call]] = [
        ("load", 1, _load),
        ("store", 2, _store),
        ("exchange", 2, _read_modify_write("xchg")),
        *((f"fetch_{each}", 2, _read_modify_write(each)) for each in ("add", "sub", "or", "xor", "and")),
        ("flag_test_and_set", 1, _test_and_set),
        ("flag_clear", 1, _clear),
    ]
    for name, arguments, run in with_order:
        functions[f"atomic_{name}"] = (arguments, run)
        functions[f"atomic_{name}_explicit"] = (arguments + 1, run)
    for name, weak in (("strong", False), ("weak", True)):
        functions[f"atomic_compare_exchange_{name}"] = (3, _compare_exchange(weak))
        functions[f"atomic_compare_exchange_{name}_explicit"] = (5, _compare_exchange(weak))
    return functions


FUNCTIONS = _functions()
"""Every function that can be called: the number of its arguments, and what it does."""
