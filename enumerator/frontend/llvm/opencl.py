"""OpenCL's builtin functions, which clang leaves to device libraries: what OpenCL C says they do, in LLVM's terms.

Sources: The OpenCL C Specification, 6.15.1 (Work-Item Functions), 6.15.7 (Vector Data Load and Store Functions), 6.15.8
(Synchronization Functions), 6.15.9 (Legacy Explicit Memory Fence Functions), 6.15.12 (Atomic Functions).
``memory_order`` and ``memory_scope`` have the numbers that clang gives them (opencl-c-base.h). A fence for one kind of
memory only carries the tag that clang and the device libraries give it on AMDGPU (``amdgpu-synchronize-as``); of
images, nothing is known here. An atomic access of local memory orders no global memory, nor the reverse, unless it is
seq_cst (OpenCL, 3.3.6, Memory Ordering Rules): it has a ``-one-as`` scope, as clang gives it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol

from enumerator.frontend.llvm.generic import accessed
from enumerator.frontend.llvm.libatomic import compare_exchange_function, order_of, pair_part
from enumerator.frontend.llvm.mangling import ParameterType
from enumerator.frontend.llvm.opencl_groups import COLLECTIVES, in_sub_group, in_work_group
from enumerator.frontend.llvm.tokens import NotCovered
from enumerator.program.instructions import (
    Annotation,
    Assign,
    Barrier,
    Call,
    CompareExchange,
    Constant,
    Expression,
    Fence,
    Function,
    Instruction,
    Load,
    Operation,
    Ordering,
    ReadModifyWrite,
    Register,
    Scope,
    Store,
    Tag,
    Unsupported,
)
from enumerator.program.types import IntType, PointerType, Type, VectorType, store_size

__all__ = ["CallSite", "builtin", "is_builtin"]

Arguments = Sequence[tuple[Expression, Type]]
Lowered = Instruction | list[Instruction] | None

_BIT, _INT = IntType(1), IntType(32)

_SCOPES = {0: Scope.SINGLETHREAD, 1: Scope.WORKGROUP, 2: Scope.AGENT, 3: Scope.SYSTEM, 4: Scope.WAVEFRONT}
_LOCAL, _GLOBAL = 1, 2

_IDS = {
    "get_local_id": "%workitem.id",
    "get_group_id": "%workgroup.id",
    "get_global_id": "%global.id",
    "get_local_size": "%workgroup.size",
    "get_enqueued_local_size": "%workgroup.size",
    "get_global_size": "%grid.size",
    "get_num_groups": "%workgroup.count",
    "get_global_offset": "%grid.offset",
}
_NUMBERS = {
    "get_work_dim": "%grid.dimensions",
    "get_local_linear_id": "%workitem.id.x",
    "get_global_linear_id": "%global.id.x",
    "get_sub_group_size": "%wave.size",
    "get_max_sub_group_size": "%wave.size",
    "get_num_sub_groups": "%wave.count",
    "get_enqueued_num_sub_groups": "%wave.count",
    "get_sub_group_id": "%wave.id",
    "get_sub_group_local_id": "%lane.id",
}
"""All grids have one dimension, and workgroups of one size."""

_FENCES = {
    "mem_fence": Ordering.ACQ_REL,
    "read_mem_fence": Ordering.ACQUIRE,
    "write_mem_fence": Ordering.RELEASE,
}
_UPDATES = {
    "exchange": "xchg",
    **{f"fetch_{name}": name for name in ("add", "sub", "or", "xor", "and", "min", "max")},
}
_OLD_UPDATES = {
    **{name: name for name in ("add", "sub", "or", "xor", "and", "min", "max", "xchg")},
    "inc": "add",
    "dec": "sub",
}


class CallSite(Protocol):
    """What a builtin asks of the place where it is called.

    Attributes
    ----------
    line : int or None
    target : str
        The register of the result, empty if there is none.
    index : int
        A number that other calls in the same line do not have.
    """

    line: int | None
    target: str
    index: int

    def annotation(
        self,
        ordering: Ordering = Ordering.NA,
        scope: tuple[Scope, bool] = (Scope.SYSTEM, False),
        pointer: Type | None = None,
    ) -> Annotation:
        """Give what an access says of itself, what is attached to the call included."""

    def make(self, function: Function) -> None:
        """Take a function that the call needs."""


def is_builtin(name: str) -> bool:
    """Tell whether a function is a builtin of OpenCL that the checker knows.

    Parameters
    ----------
    name : str
        Not mangled.

    Examples
    --------
    >>> is_builtin("atomic_fetch_add_explicit"), is_builtin("get_global_id"), is_builtin("read_imagef")
    (True, True, False)
    """
    return name in _IDS or name in _NUMBERS or _reader(name) is not None


def builtin(
    name: str,
    parameters: Sequence[ParameterType],
    text: CallSite,
    arguments: Arguments,
    result: Type | None,
) -> Lowered:
    """Give the instructions that a call stands for.

    Parameters
    ----------
    name : str
        Of a builtin (:func:`is_builtin`).
    parameters : sequence of ParameterType
        From its mangled name: they tell signed from unsigned numbers. Empty if it was not mangled.
    text : CallSite
        Behind the arguments.
    arguments : sequence of (Expression, Type)
    result : Type or None

    Returns
    -------
    Instruction, list of Instruction, or None
        None for a fence that orders nothing. Where an access goes that has a generic pointer is not known yet
        (``generic.py``).

    Raises
    ------
    NotCovered
        If an order, a scope, flags or a dimension are no constants, or there are other arguments than the builtin has.
    """
    if name in _IDS:
        axis = _number(arguments, 0, name, "dimension")
        if axis not in (0, 1, 2):
            raise NotCovered(f"{name} of dimension {axis}")
        return Assign(text.target, Register(f"{_IDS[name]}.{'xyz'[axis]}"), text.line)
    if name in _NUMBERS:
        return Assign(text.target, Register(_NUMBERS[name]), text.line)
    reader = _reader(name)
    assert reader is not None
    try:
        return reader(_Call(name, tuple(parameters), text, tuple(arguments), result))
    except IndexError:
        raise NotCovered(f"a call of {name} with {len(arguments)} arguments") from None


class _Call:
    """A call of a builtin."""

    def __init__(
        self,
        name: str,
        parameters: tuple[ParameterType, ...],
        text: CallSite,
        arguments: tuple[tuple[Expression, Type], ...],
        result: Type | None,
    ) -> None:
        self.name, self.parameters, self.text, self.arguments, self.result = name, parameters, text, arguments, result
        self.explicit = name.endswith("_explicit")

    def number(self, place: int, what: str) -> int:
        return _number(self.arguments, place, self.name, what)

    def order(self, place: int) -> Ordering:
        """Give the order among the arguments; without ``_explicit`` it is seq_cst."""
        if not self.explicit:
            return Ordering.SEQ_CST
        return order_of(self.number(place, "memory order"))

    def scope(self, place: int) -> Scope:
        """Give the scope among the arguments; without one it is the device."""
        if not self.explicit or len(self.arguments) <= place:
            return Scope.AGENT
        return scope_of(self.number(place, "memory scope"))

    @property
    def unsigned(self) -> bool:
        """Whether its first argument is an unsigned number."""
        return bool(self.parameters) and self.parameters[0].unsigned

    def annotation(self, ordering: Ordering, scope: Scope) -> Annotation:
        """Give what an atomic access says of itself: one that is not seq_cst orders the memory of its object's kind."""
        one_as = ordering != Ordering.SEQ_CST
        return self.text.annotation(ordering, (scope, one_as), accessed(self.arguments[0][1]))

    @property
    def target(self) -> str:
        return self.text.target or f" {self.text.line} {self.text.index}"  # a register that no text can name

    @property
    def line(self) -> int | None:
        return self.text.line


def scope_of(number: int) -> Scope:
    """Give the scope that a number of ``memory_scope`` names."""
    if number not in _SCOPES:
        raise NotCovered(f"the memory scope {number}")
    return _SCOPES[number]


def _number(arguments: Arguments, place: int, name: str, what: str) -> int:
    if place >= len(arguments):
        raise NotCovered(f"a call of {name} without its {what}")
    value = arguments[place][0]
    if not isinstance(value, Constant) or not isinstance(value.value, int):
        raise NotCovered(f"a call of {name} whose {what} is no constant")
    return value.value


# Vectors in memory --------------------------------------------------------------------------------------------


def _vector_load(call: _Call) -> Lowered:
    """``vloadN(offset, p)``: N elements from ``p + offset * N`` (6.15.7, Vector Data Load and Store Functions)."""
    offset, address = call.arguments
    if not isinstance(call.result, VectorType):
        raise NotCovered(f"a call of {call.name} without a vector as its result")
    annotation = call.text.annotation(pointer=accessed(address[1]))
    return Load(call.target, _element(address, offset, call.result), call.result, annotation, call.line)


def _vector_store(call: _Call) -> Lowered:
    (value, type_), offset, address = call.arguments
    if not isinstance(type_, VectorType):
        raise NotCovered(f"a call of {call.name} without a vector")
    annotation = call.text.annotation(pointer=accessed(address[1]))
    return Store(_element(address, offset, type_), value, type_, annotation, call.line)


def _element(address: tuple[Expression, Type], offset: tuple[Expression, Type], type_: VectorType) -> Expression:
    """Give the address that is `offset` vectors further, which lie one behind the other, also those of three."""
    size = Constant(store_size(type_), offset[1])
    further = Operation("mul", (offset[0], size), offset[1], offset[1])
    return Operation("ptradd", (address[0], further), address[1], address[1])


# Fences and barriers ------------------------------------------------------------------------------------------


def _fence(flags: int, ordering: Ordering, scope: Scope, line: int | None) -> list[Instruction]:
    if not flags & (_LOCAL | _GLOBAL) or ordering < Ordering.ACQUIRE:
        return []
    kinds = {_LOCAL: "local", _GLOBAL: "global"}
    named = [kinds[flag] for flag in kinds if flags & flag]
    tags = frozenset(Tag("amdgpu-synchronize-as", each) for each in named) if len(named) == 1 else frozenset()
    return [Fence(Annotation(ordering, scope, tags=tags), line)]


def _barrier(call: _Call) -> Lowered:
    """``work_group_barrier``: a release fence, the barrier, an acquire fence, for the memory that the flags name."""
    flags = call.number(0, "flags")
    if not call.parameters[0].unsigned:
        raise NotCovered(f"a call of {call.name}, which is not OpenCL's")
    before, after = _fences_around(call, flags, Scope.WORKGROUP)
    return [*before, Barrier(True, True, line=call.line), *after]


def _sub_group_barrier(call: _Call) -> Lowered:
    """``sub_group_barrier``, in waves of one lane: there is nobody to wait for, and the fences are left."""
    before, after = _fences_around(call, call.number(0, "flags"), Scope.WAVEFRONT)
    check = Unsupported(call.name, call.line, "a barrier of the lanes of a wave", unless="%only.lane")
    return [check, *before, *after]


def _fences_around(call: _Call, flags: int, scope: Scope) -> tuple[list[Instruction], list[Instruction]]:
    """Give the fences around a barrier; they have a scope of their own where the call names it."""
    scope = scope_of(call.number(1, "memory scope")) if len(call.arguments) > 1 else scope
    release, acquire = (_fence(flags, each, scope, call.line) for each in (Ordering.RELEASE, Ordering.ACQUIRE))
    return release, acquire


def _work_item_fence(call: _Call) -> Lowered:
    order = order_of(call.number(1, "memory order"))
    return _fence(call.number(0, "flags"), order, scope_of(call.number(2, "memory scope")), call.line)


def _old_fence(call: _Call) -> Lowered:
    return _fence(call.number(0, "flags"), _FENCES[call.name], Scope.WORKGROUP, call.line)


def _grouped(combine: Callable[..., list[Instruction]], call: _Call) -> Lowered:
    return combine(call.name, call.arguments, call.target, call.line, unsigned=call.unsigned)


# Atomics ------------------------------------------------------------------------------------------------------


def _init(call: _Call) -> Lowered:
    (address, pointer), (value, type_) = call.arguments
    return Store(address, value, type_, call.text.annotation(pointer=accessed(pointer)), call.line)


def _load(call: _Call) -> Lowered:
    annotation = call.annotation(call.order(1), call.scope(2))
    if call.result is None:
        raise NotCovered(f"a call of {call.name} without a result")
    return Load(call.target, call.arguments[0][0], call.result, annotation, call.line)


def _store(call: _Call) -> Lowered:
    value, type_ = call.arguments[1]
    return Store(call.arguments[0][0], value, type_, call.annotation(call.order(2), call.scope(3)), call.line)


def _update(call: _Call) -> Lowered:
    what = call.name.removeprefix("atomic_").removesuffix("_explicit")
    value, type_ = call.arguments[1]
    annotation = call.annotation(call.order(2), call.scope(3))
    return _modify(call, _UPDATES[what], value, type_, annotation)


def _old_update(call: _Call) -> Lowered:
    """``atomic_add`` and its like: relaxed, for the device (6.15.12.8, legacy atomics)."""
    what = call.name.split("_", 1)[1]
    type_ = call.result if call.result is not None else call.arguments[1][1]
    value = Constant(1, type_) if what in ("inc", "dec") else call.arguments[1][0]
    annotation = call.annotation(Ordering.MONOTONIC, Scope.AGENT)
    return _modify(call, _OLD_UPDATES[what], value, type_, annotation)


def _modify(call: _Call, operator: str, value: Expression, type_: Type, annotation: Annotation) -> Lowered:
    unsigned = bool(call.parameters) and call.parameters[0].to is not None and call.parameters[0].to.unsigned
    if operator in ("min", "max") and unsigned:
        operator = f"u{operator}"
    elif not isinstance(type_, IntType | PointerType) and operator != "xchg":
        operator = f"f{operator}"
    return ReadModifyWrite(call.target, operator, call.arguments[0][0], value, type_, annotation, call.line)


def _old_compare(call: _Call) -> Lowered:
    (address, _), (expected, type_), (desired, _) = call.arguments
    annotation = call.annotation(Ordering.MONOTONIC, Scope.AGENT)
    pair = f"{call.target} pair"
    return [
        CompareExchange(pair, address, expected, desired, type_, annotation, Ordering.MONOTONIC, False, call.line),
        pair_part(call.target, pair, 0, type_, call.line),
    ]


def _compare(call: _Call) -> Lowered:
    """``atomic_compare_exchange_*``: if it fails, what it read is written to where its second argument points."""
    address, expected, (desired, type_) = call.arguments[0], call.arguments[1], call.arguments[2]
    success = call.order(3)
    failure = call.order(4)
    annotation = call.annotation(success, call.scope(5))
    function = compare_exchange_function(
        annotation, failure, type_, accessed(expected[1]), weak="weak" in call.name, result=call.result
    )
    call.text.make(function)
    return Call(call.text.target or None, function.name, (address[0], expected[0], desired), call.line, lends=True)


def _test_and_set(call: _Call) -> Lowered:
    annotation = call.annotation(call.order(1), call.scope(2))
    old = f"{call.target} flag"
    update = ReadModifyWrite(old, "xchg", call.arguments[0][0], Constant(1, _INT), _INT, annotation, call.line)
    was_set: Expression = Operation("icmp ne", (Register(old), Constant(0, _INT)), _BIT, _INT)
    if isinstance(call.result, IntType) and call.result.width > 1:
        was_set = Operation("zext", (was_set,), call.result, _BIT)
    return [update, Assign(call.target, was_set, call.line)]


def _clear(call: _Call) -> Lowered:
    annotation = call.annotation(call.order(1), call.scope(2))
    return Store(call.arguments[0][0], Constant(0, _INT), _INT, annotation, call.line)


def _reader(name: str) -> Callable[[_Call], Lowered] | None:
    """Find what reads the calls of a builtin."""
    if name in _READERS:
        return _READERS[name]
    prefix, _, what = name.partition("_")
    if prefix not in ("atomic", "atom"):
        return None
    if what in _OLD_UPDATES:
        return _old_update
    if what == "cmpxchg":
        return _old_compare
    if prefix == "atom":
        return None
    what = what.removesuffix("_explicit")
    if what in _UPDATES:
        return _update
    return _ATOMIC.get(what)


_READERS: dict[str, Callable[[_Call], Lowered]] = {
    "barrier": _barrier,
    "work_group_barrier": _barrier,
    "sub_group_barrier": _sub_group_barrier,
    **{f"sub_group_{what}": partial(_grouped, in_sub_group) for what in COLLECTIVES},
    **{f"work_group_{what}": partial(_grouped, in_work_group) for what in COLLECTIVES},
    "prefetch": lambda _: None,  # no rule speaks of it
    "atomic_work_item_fence": _work_item_fence,
    **dict.fromkeys(_FENCES, _old_fence),
    "atomic_init": _init,
    **{f"vload{count}": _vector_load for count in (2, 3, 4, 8, 16)},
    **{f"vstore{count}": _vector_store for count in (2, 3, 4, 8, 16)},
}

_ATOMIC: dict[str, Callable[[_Call], Lowered]] = {
    "load": _load,
    "store": _store,
    "compare_exchange_strong": _compare,
    "compare_exchange_weak": _compare,
    "flag_test_and_set": _test_and_set,
    "flag_clear": _clear,
}
