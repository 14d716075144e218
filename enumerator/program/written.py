"""Instructions and types as LLVM IR: what tools write that make or change tests."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from enumerator.program.floats import constant_text
from enumerator.program.instructions import (
    Annotation,
    Assign,
    Barrier,
    Branch,
    CompareExchange,
    Constant,
    Expression,
    Fence,
    Instruction,
    Jump,
    Load,
    Operation,
    Ordering,
    ReadModifyWrite,
    Register,
    Return,
    Scope,
    Store,
    Terminator,
)
from enumerator.program.types import ArrayType, FloatType, IntType, PointerType, StructType, Type, VectorType, size_of
from enumerator.program.values import Pointer, Term, Undef, Value, format_value

__all__ = ["S_BARRIER", "av_name", "instruction_text", "tags_text", "terminator_text", "type_text"]

S_BARRIER = "llvm.amdgcn.s.barrier"

_PLAIN = re.compile(r"[-a-zA-Z$._0-9]+")


def instruction_text(instruction: Instruction) -> str:
    """Write a memory operation, fence or barrier as LLVM IR, or a computation on integers and addresses.

    Parameters
    ----------
    instruction : Instruction

    Returns
    -------
    str

    Examples
    --------
    >>> note = Annotation(Ordering.ACQUIRE, Scope.AGENT, address_space=1)
    >>> instruction_text(Load("r", Constant(Pointer("@x"), PointerType(1)), IntType(32), note))
    '%r = load atomic i32, ptr addrspace(1) @x syncscope("agent") acquire, align 4'
    """
    match instruction:
        case Load(target, address, type_, note) if "AV" in note.labels:
            place, name = _place(address, note), av_name(type_, note, "load")
            return f"%{target} = call {type_text(type_)} @{name}({place}, {_level(note)}"
        case Store(address, value, type_, note) if "AV" in note.labels:
            place, name = _place(address, note), av_name(type_, note, "store")
            return f"call void @{name}({place}, {_typed(value, type_)}, {_level(note)}"
        case Load(target, address, type_, note):
            atomic = "atomic " if note.ordering else ""
            where = f"{_place(address, note)}{_order(note)}{_rest(address, type_, note)}"
            return f"%{target} = load {atomic}{type_text(type_)}, {where}"
        case Store(address, value, type_, note):
            atomic = "atomic " if note.ordering else ""
            where = f"{_place(address, note)}{_order(note)}{_rest(address, type_, note)}"
            return f"store {atomic}{_typed(value, type_)}, {where}"
        case ReadModifyWrite(target, operator, address, value, type_, note):
            where = f"{_place(address, note)}, {_typed(value, type_)}{_order(note)}"
            return f"%{target} = atomicrmw {operator} {where}{_rest(address, type_, note)}"
        case CompareExchange(target, address, expected, desired, type_, note, failure, weak):
            kind = "cmpxchg weak" if weak else "cmpxchg"
            values = f"{_typed(expected, type_)}, {_typed(desired, type_)}"
            where = f"{_place(address, note)}, {values}{_order(note)} {failure.name.lower()}"
            return f"%{target} = {kind} {where}{_rest(address, type_, note)}"
        case Fence(note):
            return f"fence{_order(note)}{_tags(note)}"
        case Barrier(arrives=True, waits=True, instance=None):
            return f"call void @{S_BARRIER}()"
        case Assign(target, Operation() as operation):
            return f"%{target} = {_operation(operation)}"
    raise AssertionError(f"no {type(instruction).__name__} is written as LLVM IR")


def terminator_text(terminator: Terminator) -> str:
    """Write the end of a block as LLVM IR.

    Examples
    --------
    >>> terminator_text(Branch(Register("c"), "then", "end"))
    'br i1 %c, label %then, label %end'
    """
    match terminator:
        case Jump(block):
            return f"br label %{block}"
        case Branch(condition, then, otherwise):
            return f"br {_typed(condition, IntType(1))}, label %{then}, label %{otherwise}"
        case Return(None):
            return "ret void"
    raise AssertionError(f"no {type(terminator).__name__} is written as LLVM IR")


def _operation(operation: Operation) -> str:
    arguments, of = operation.arguments, operation.operand_type
    match operation.operator:
        case "ptradd":
            return f"getelementptr i8, {_typed(arguments[0], of)}, {_typed(arguments[1], IntType(64))}"
        case "extractvalue":
            return f"extractvalue {_typed(arguments[0], of)}, {', '.join(map(str, operation.indices))}"
        case "sext" | "zext" | "trunc" as convert:
            return f"{convert} {_typed(arguments[0], of)} to {type_text(operation.type)}"
        case operator:
            operands = ", ".join(_operand(argument, of) for argument in arguments)
            return f"{operator} {type_text(of)} {operands}"


def _place(address: Expression, note: Annotation) -> str:
    return _typed(address, PointerType(note.address_space))


def _typed(expression: Expression, type_: Type) -> str:
    if isinstance(expression, Constant):
        type_ = expression.type
    return f"{type_text(type_)} {_operand(expression, type_)}"


def _operand(expression: Expression, type_: Type) -> str:
    match expression:
        case Constant(value):
            return _constant(value, type_)
        case Register(name):
            return f"%{name}"
    raise AssertionError("an operand is a constant or a register")


def av_name(type_: Type, note: Annotation, what: str) -> str:
    """Name the intrinsic of an access that makes itself available or visible.

    Examples
    --------
    >>> av_name(IntType(32), Annotation(address_space=1), "load")
    'llvm.amdgcn.av.load.b32.p1'
    """
    return f"llvm.amdgcn.av.{what}.b{8 * size_of(type_)}.p{note.address_space}"


def _level(note: Annotation) -> str:
    scope = "" if note.scope == Scope.SYSTEM else note.scope.name.lower()
    return f'metadata !"{scope}"){_tags(note)}'


@lru_cache(1024)
def _order(note: Annotation) -> str:
    if note.ordering == Ordering.NA:
        return ""
    scope = f' syncscope("{note.syncscope}")' if note.syncscope else ""
    return f"{scope} {note.ordering.name.lower()}"


def _rest(address: Expression, type_: Type, note: Annotation) -> str:
    align = size_of(type_)
    if isinstance(address, Constant) and isinstance(address.value, Pointer) and address.value.offset % align:
        align = address.value.offset & -address.value.offset
    return f", align {align}{_tags(note)}"


@lru_cache(1024)
def _tags(note: Annotation) -> str:
    if not note.tags:
        return ""
    return f", !mmra {tags_text(note.tags)}"


def tags_text(tags: Iterable[object]) -> str:
    """Write tags as the metadata ``!mmra`` takes them.

    Examples
    --------
    >>> tags_text(["foo:x"]), tags_text(["foo:x", "bar:y"])
    ('!{!"foo", !"x"}', '!{!{!"bar", !"y"}, !{!"foo", !"x"}}')
    """
    nodes = []
    for tag in sorted(map(str, tags)):
        prefix, _, suffix = tag.partition(":")
        nodes.append(f'!{{!"{prefix}", !"{suffix}"}}')
    return nodes[0] if len(nodes) == 1 else f"!{{{', '.join(nodes)}}}"


def _constant(value: Value, type_: Type) -> str:
    match value, type_:
        case Pointer(object=""), _:
            return "null"
        case Pointer(object=name, offset=0), _:
            return _global(name)
        case Pointer(object=name, offset=offset), _:
            return f"getelementptr (i8, {type_text(type_)} {_global(name)}, i64 {offset})"
        case tuple(), VectorType(_, element):
            parts = ", ".join(f"{type_text(element)} {_constant(part, element)}" for part in value)
            return f"<{parts}>"
        case Undef(), _:
            return "undef"
        case Term(), FloatType():
            return constant_text(value, type_)
        case _:
            return format_value(value)


def _global(name: str) -> str:
    plain = name.removeprefix("@")
    return name if _PLAIN.fullmatch(plain) else f'@"{plain}"'


@lru_cache(1024)
def type_text(type_: Type) -> str:
    """Write a type as LLVM IR.

    Examples
    --------
    >>> type_text(VectorType(4, IntType(32))), type_text(PointerType(3))
    ('<4 x i32>', 'ptr addrspace(3)')
    """
    match type_:
        case IntType(width):
            return f"i{width}"
        case PointerType(space):
            return f"ptr addrspace({space})" if space else "ptr"
        case FloatType(name):
            return name
        case VectorType(count, element):
            return f"<{count} x {type_text(element)}>"
        case ArrayType(count, element):
            return f"[{count} x {type_text(element)}]"
        case StructType(fields, packed):
            inner = f"{{ {', '.join(map(type_text, fields))} }}"
            return f"<{inner}>" if packed else inner
    raise AssertionError(type_)
