"""Atomic operations of C that are calls: what clang leaves to libatomic, ``__atomic_load(SIZE, ...)`` and its like.

Clang calls them for objects that the target has no instructions for, such as a pointer and a counter side by side.

References
----------
GCC, *GCC Atomic Library* (libatomic); LLVM, *LLVM Atomic Instructions and Concurrency Guide*, "Libcalls: __atomic_*";
ISO C17, 7.17.7.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from enumerator.frontend.llvm.reader import InstructionReader
from enumerator.frontend.llvm.tokens import NotCovered
from enumerator.program.instructions import (
    HIDDEN,
    Annotation,
    Assign,
    Block,
    Branch,
    Call,
    CompareExchange,
    Constant,
    Expression,
    Function,
    Instruction,
    Jump,
    Load,
    Operation,
    Ordering,
    ReadModifyWrite,
    Register,
    Return,
    Store,
)
from enumerator.program.types import BytesType, IntType, PointerType, StructType, Type

__all__ = ["CALLS", "COMPARE_EXCHANGE", "compare_exchange_function", "order_of", "pair_part"]

_BIT = IntType(1)

_ORDERS = {
    0: Ordering.MONOTONIC,
    1: Ordering.ACQUIRE,  # consume
    2: Ordering.ACQUIRE,
    3: Ordering.RELEASE,
    4: Ordering.ACQ_REL,
    5: Ordering.SEQ_CST,
}

_LARGEST = 1 << 10
"""Bytes of an object."""

COMPARE_EXCHANGE = "compare exchange "
"""With this begin the names of the functions that :func:`compare_exchange_function` makes."""

Arguments = list[tuple[Expression, Type]]


def order_of(number: int) -> Ordering:
    """Give the ordering that a number of ``memory_order`` names."""
    if number not in _ORDERS:
        raise NotCovered(f"the memory order {number}")
    return _ORDERS[number]


def pair_part(target: str, pair: str, index: int, type_: Type, line: int | None) -> Assign:
    """Give a register one of the two parts of what a compare-exchange gives."""
    whole = StructType((type_, _BIT))
    part = (type_, _BIT)[index]
    return Assign(target, Operation("extractvalue", (Register(pair),), part, whole, (index,)), line)


def compare_exchange_function(
    annotation: Annotation, failure: Ordering, type_: Type, expected: Type, *, weak: bool, result: Type | None
) -> Function:
    """Make the function that a compare-exchange of C is: it loads what is expected, and stores what it finds instead.

    Parameters
    ----------
    annotation : Annotation
        Of the access to the object.
    failure : Ordering
        Of the access if the values differ.
    type_ : Type
        Of the values.
    expected : Type
        Of the pointer to what is expected.
    weak : bool
    result : Type or None

    Returns
    -------
    Function
        Of the library, with three parameters.
    """
    space = expected.memory_space if isinstance(expected, PointerType) else 0
    plain = Annotation(address_space=space)
    wide = isinstance(result, IntType) and result.width > 1
    assert result is None or isinstance(result, IntType)
    succeeds: Expression = Register("succeeds")
    if wide and result is not None:
        succeeds = Operation("zext", (succeeds,), result, _BIT)
    body = (
        Load("known", Register("expected"), type_, plain),
        CompareExchange(
            "pair", Register("object"), Register("known"), Register("desired"), type_, annotation, failure, weak
        ),
        pair_part("found", "pair", 0, type_, None),
        pair_part("succeeds", "pair", 1, type_, None),
    )
    entry = Block("entry", (), body, Branch(Register("succeeds"), "done", "fails"))
    fails = Block("fails", (), (Store(Register("expected"), Register("found"), type_, plain),), Jump("done"))
    done = Block("done", (), (), Return(succeeds))
    tags = " ".join(sorted(map(str, annotation.tags)))
    name = f"{COMPARE_EXCHANGE}{annotation} {failure} {type_} {space} {weak} {result} {tags}"
    return Function(name, ("object", "expected", "desired"), (entry, fails, done), library=True)


def _size(given: Expression) -> int:
    size = given.value if isinstance(given, Constant) else None
    if not isinstance(size, int) or not 0 < size <= _LARGEST:
        raise NotCovered("an atomic operation on an object whose size is not constant, or too large")
    return size


def _order(given: Expression) -> Ordering:
    if not isinstance(given, Constant) or not isinstance(given.value, int):
        raise NotCovered("a memory order that is not constant")
    return order_of(given.value)


def _load(text: InstructionReader, arguments: Arguments) -> list[Instruction]:
    (size, _), (source, _), (result, _), (order, _) = arguments
    type_, held = BytesType(_size(size)), f"{HIDDEN}held"
    return [
        Load(held, source, type_, text.annotation(ordering=_order(order), pointer=PointerType()), text.line),
        Store(result, Register(held), type_, Annotation(), text.line),
    ]


def _store(text: InstructionReader, arguments: Arguments) -> list[Instruction]:
    (size, _), (target, _), (value, _), (order, _) = arguments
    type_, held = BytesType(_size(size)), f"{HIDDEN}held"
    return [
        Load(held, value, type_, Annotation(), text.line),
        Store(target, Register(held), type_, text.annotation(ordering=_order(order), pointer=PointerType()), text.line),
    ]


def _exchange(text: InstructionReader, arguments: Arguments) -> list[Instruction]:
    (size, _), (target, _), (value, _), (result, _), (order, _) = arguments
    type_, held, old = BytesType(_size(size)), f"{HIDDEN}held", f"{HIDDEN}old"
    annotation = text.annotation(ordering=_order(order), pointer=PointerType())
    return [
        Load(held, value, type_, Annotation(), text.line),
        ReadModifyWrite(old, "xchg", target, Register(held), type_, annotation, text.line),
        Store(result, Register(old), type_, Annotation(), text.line),
    ]


def _compare_exchange(text: InstructionReader, arguments: Arguments) -> list[Instruction]:
    (size, _), (target, _), (expected, _), (desired, _), (success, _), (failure, _) = arguments
    type_, held = IntType(8 * _size(size)), f"{HIDDEN}held"
    function = compare_exchange_function(
        text.annotation(ordering=_order(success), pointer=PointerType()),
        _order(failure),
        type_,
        PointerType(),
        weak=False,
        result=_BIT,
    )
    text.make(function)
    return [
        Load(held, desired, type_, Annotation(), text.line),
        Call(text.target or None, function.name, (target, expected, Register(held)), text.line, lends=True),
    ]


CALLS: Mapping[str, Callable[[InstructionReader, Arguments], list[Instruction]]] = {
    "__atomic_load": _load,
    "__atomic_store": _store,
    "__atomic_exchange": _exchange,
    "__atomic_compare_exchange": _compare_exchange,
}
"""What reads the calls of each."""
