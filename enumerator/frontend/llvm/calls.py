"""Calls: of functions with a body, of those that end the execution, and of intrinsics."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from enumerator.errors import InputError
from enumerator.frontend.llvm import amdgpu, dma, exceptions, intrinsics, runtime, vectors
from enumerator.frontend.llvm.asynchronous import MARK, MARK_WAIT, copy_of, counter_wait
from enumerator.frontend.llvm.buffers import buffer_of
from enumerator.frontend.llvm.copies import bytes_intrinsic, is_bytes_intrinsic
from enumerator.frontend.llvm.float_classes import CLASSES, of_class
from enumerator.frontend.llvm.objects import barrier_operation, is_barrier_operation
from enumerator.frontend.llvm.reader import InstructionReader, uncovered
from enumerator.frontend.llvm.tokens import NotCovered, decode_name
from enumerator.program.instructions import (
    HIDDEN,
    Abort,
    Assign,
    AvailabilityOperation,
    Call,
    Constant,
    Expression,
    IndirectCall,
    Instruction,
    Jump,
    Load,
    Operation,
    Register,
    Scope,
    Store,
    Unsupported,
)
from enumerator.program.types import IntType, PointerType, Type
from enumerator.program.values import NULL

__all__ = ["call", "invoke", "unsupported_call"]

_TYPE_WORDS = frozenset(
    "void ptr half bfloat float double fp128 x86_fp80 ppc_fp128 x86_amx x86_mmx label metadata token target".split()
)

_ASSEMBLY = frozenset(f'"{each}"' for each in ("", "nop", "pause", "rep; nop", "rep;nop", "yield"))
_WAITS = re.compile(r'"s_wait(?:cnt(?:_\w+)?|_\w*cnt) [\w() ,&]*"')
"""AMDGPU's ``s_waitcnt`` and its like, which as intrinsics order nothing either."""

_ONE_STEP = "__VERIFIER_atomic_"
"""In the names of functions that run in one step by the rules of SV-COMP."""


def call(text: InstructionReader) -> Instruction | list[Instruction] | None:
    """Read a ``call``; None for one that does nothing here."""
    result = _result_type(text)
    if text.token == "(":
        text.skip_group()  # the function type of a variadic callee
    callee = text.next()
    if text.target:
        text.define(result)
    if callee == "asm":
        return _assembly(text)
    if callee.startswith("%"):
        text.index -= 1
        function_address = text.operand(PointerType())
        arguments = text.arguments()
        values, types = tuple(value for value, _ in arguments), tuple(type_ for _, type_ in arguments)
        return IndirectCall(text.target or None, function_address, values, types, text.line)
    if not callee.startswith("@"):
        raise NotCovered("an indirect call")
    name = decode_name(callee)
    if name.startswith("llvm."):
        return _intrinsic(name, text, result)
    function = text.function
    callee_name = function.constants.function_name(callee)
    signature = function.signatures.get(callee_name)
    if signature is None:
        return runtime.call_of_unknown(callee_name, text, result)
    if _ONE_STEP in callee_name:
        function.notes[f"{callee_name} is a function like others here; SV-COMP runs it in one step"] = None
    function.called.add(callee_name)
    arguments = text.arguments()
    types = tuple(type_ for _, type_ in arguments)
    if signature.variadic or types != signature.parameters or result != signature.result:
        raise NotCovered(f"a call of {callee} with other parameters than it has")
    used = text.target if text.target and result is not None else None
    return Call(used, callee_name, tuple(value for value, _ in arguments), text.line)


def _assembly(text: InstructionReader) -> Instruction | None:
    """Read inline assembly that does nothing here: it keeps the compiler from moving accesses, which it has not."""
    while text.token in ("sideeffect", "alignstack", "inteldialect", "unwind"):
        text.next()
    code = text.next()
    if code not in _ASSEMBLY and not _WAITS.fullmatch(code):
        raise NotCovered("inline assembly that is neither empty nor a pause, nor waits for the thread's own accesses")
    text.expect(",")
    constraints = text.next().strip('"').split(",")
    arguments = text.arguments()
    if not text.target:
        return None
    # Of one result that stands where an operand does, that operand is the value.
    if constraints[0].startswith("=") and constraints[1:2] == ["0"] and len(arguments) == 1:
        return text.assign(*arguments[0])
    raise NotCovered("inline assembly with a result that is no operand")


def invoke(text: InstructionReader) -> list[Any]:
    """Read an ``invoke``: a call, and a jump behind it. Where nothing catches exceptions none goes on from a call."""
    part = _unless_not_covered(text)
    while (text.token, text.ahead(1)) != ("to", "label"):
        if text.next() == "[" and not isinstance(part, Unsupported):
            raise NotCovered("an invoke with operand bundles")
    text.next()
    text.next()
    normal = decode_name(text.next())
    text.expect("unwind")
    text.expect("label")
    unwind = decode_name(text.next()) if text.function.catching is not None else None
    after = Jump(normal, text.line, unwind)
    return [*(part if isinstance(part, list) else [] if part is None else [part]), after]


def _load_relative(text: InstructionReader) -> list[Instruction]:
    """Read what is at an address plus an offset, and give the address that is so far from it: of tables of strings."""
    (address, pointer), (offset, _) = text.arguments()
    word, held = IntType(32), f"{HIDDEN}distance"
    place = Operation("ptradd", (address, offset), pointer, pointer)
    load = Load(held, place, word, text.annotation(pointer=pointer), text.line)
    return [load, text.assign(Operation("relative", (address, Register(held)), pointer, pointer))]


def _unless_not_covered(text: InstructionReader) -> Instruction | list[Instruction] | None:
    """Read a call; one that is not covered is an error once a thread reaches it, and the block goes on behind it."""
    try:
        return call(text)
    except NotCovered as reason:
        return uncovered(text.printed, text.line, str(reason))


def unsupported_call(text: InstructionReader) -> None:
    """Note the callee of a ``callbr``, which is not covered."""
    while text.token and not (text.token[0] == "@" and text.ahead(1) == "("):
        text.next()
    callee = text.function.constants.global_name(text.token)
    if callee in text.function.signatures:
        text.function.called.add(callee)
    raise NotCovered("a call that may continue elsewhere")


def _result_type(text: InstructionReader) -> Type | None:
    """Pass over flags, calling convention and attributes to the type of the result."""
    while True:
        token = text.token
        if text.accept("void"):
            return None
        if token == "addrspace":
            text.function.constants.address_space(text)
        elif token in ("align", "cc"):
            text.next()
            text.next()
        elif token.startswith('"') or (token.isidentifier() and not _begins_type(token)):
            text.next()
            if text.accept("="):
                text.next()
            elif text.token == "(":
                text.skip_group()
        else:
            return text.type()


def _begins_type(word: str) -> bool:
    return (word[0] == "i" and word[1:].isdigit()) or word in _TYPE_WORDS


def _intrinsic(name: str, text: InstructionReader, result: Type | None) -> Instruction | list[Instruction] | None:
    if name == "llvm.assume":
        return runtime.assume(text.arguments()[0][0], text.line)
    if intrinsics.is_ignored(name):
        return None
    if intrinsics.is_identity(name):
        return text.assign(*text.arguments()[0])
    if name.startswith("llvm.stacksave"):
        return Assign(text.target, Constant(NULL, PointerType()), text.line)
    if name in (intrinsics.TRAP, "llvm.ubsantrap"):
        return Abort(intrinsic=True, line=text.line)
    if name in intrinsics.IDENTITIES:
        text.arguments()
        return Assign(text.target, Register(intrinsics.IDENTITIES[name]), text.line)
    if name in intrinsics.LANES:
        return intrinsics.lane(name, text.arguments(), text.target, text.line)
    place = text.index
    if name in intrinsics.BARRIERS:
        arguments = text.arguments()
        if intrinsics.is_own_barrier([value for value, _ in arguments]):
            return intrinsics.barrier(name, text.annotation(), text.line)
        text.index = place
    if is_barrier_operation(name):
        return barrier_operation(name, text)
    if name in (MARK, MARK_WAIT) or counter_wait(name) is not None:
        return dma.mark(name, text)
    if (copy := copy_of(name)) is not None:
        return dma.copy(name, copy, text)
    if name.startswith(intrinsics.DESCRIPTORS) and result is not None:
        arguments = text.arguments()
        text.function.buffers[text.target] = buffer_of(arguments)
        return Assign(text.define(result), arguments[0][0], text.line)
    if name.startswith(intrinsics.SCOPE_VALUES):
        return _scope_value(name, text, result)
    if name in intrinsics.AV_OPERATIONS:
        return _availability(name, text)
    if intrinsics.av_access(name) is not None:
        return _available_access(name, text, result)
    if name in intrinsics.TOKENS or name.startswith(intrinsics.GATED_PREFETCH):
        return intrinsics.token_operation(name, text.arguments(), text.target, text.line)
    if name == "llvm.prefetch" or name.startswith("llvm.prefetch."):
        return intrinsics.prefetch(name, text.arguments(), text.line)
    if is_bytes_intrinsic(name):
        return bytes_intrinsic(name, text)
    if name.startswith("llvm.load.relative."):
        return _load_relative(text)
    if name.startswith(vectors.MASKED):
        return vectors.masked_access(name, text)
    if name.startswith(tuple(vectors.REDUCTIONS)):
        return vectors.reduction(name, text)
    if name.startswith(tuple(intrinsics.FLOATS)):
        return text.assign(intrinsics.on_floats(name, text.arguments()))
    if name.startswith(tuple(intrinsics.EXTREMES)):
        found = intrinsics.extreme(name, text.arguments())
        if found is not None:
            return text.assign(*found)
    if name.startswith(CLASSES):
        (value, type_), (mask, _) = text.arguments()
        number = mask.value if isinstance(mask, Constant) else None
        if isinstance(number, int) and (is_one := of_class(value, type_, number)) is not None:
            return Assign(text.target, is_one, text.line)
    if name.startswith(intrinsics.THREE_WAY) and result is not None:
        return text.assign(intrinsics.three_way(name, text.arguments(), result), result)
    if name.startswith("llvm.ptrmask."):
        return text.assign(_masked(text.arguments()))
    if name.startswith("llvm.is.constant."):
        return Assign(text.target, Constant(0, IntType(1)), text.line)  # as for anything that is not
    if name.startswith(intrinsics.ON_INTEGERS):
        operation = intrinsics.on_integers(name, text.arguments())
        if operation is not None:
            return text.assign(operation)
    if name.startswith(exceptions.TYPE_NUMBER):
        return exceptions.type_number(text)
    if name.startswith(amdgpu.PREFIX):
        return amdgpu.intrinsic(name, text, result)
    raise NotCovered(f"what {name} does is not covered")


def _masked(arguments: Sequence[tuple[Expression, Type]]) -> Operation:
    """Give an address of which a mask leaves some bits (LangRef, llvm.ptrmask)."""
    (address, pointer), (mask, number) = arguments
    bits = Operation("and", (Operation("ptrtoint", (address,), number, pointer), mask), number, number)
    return Operation("inttoptr", (bits,), pointer, number)


def _scope_argument(name: str, text: InstructionReader) -> tuple[Scope, bool]:
    """Read the last argument of an intrinsic: a metadata string, or a value that another intrinsic has given."""
    function = text.function
    if text.accept("metadata"):
        scope_name = function.metadata.string(text.next())
        if scope_name is None:
            raise InputError(f"the scope operand of {name} must be a metadata string", function.path, text.line)
    else:
        text.type()
        register = text.token.removeprefix("%")
        if register not in function.scopes:
            raise NotCovered(f"{name} with a scope that is not constant")
        scope_name = function.scopes[register]
        text.next()
    return text.named_scope(scope_name)


def _scope_value(name: str, text: InstructionReader, result: Type | None) -> Assign:
    """Read an intrinsic that gives a scope: a number, which other intrinsics take."""
    text.arguments()
    scope_name = name.removeprefix(intrinsics.SCOPE_VALUES)
    scope, _ = text.named_scope("" if scope_name == "system" else scope_name)
    if result is None or not text.target:
        raise NotCovered(name)
    text.function.scopes[text.target] = "" if scope_name == "system" else scope_name
    return Assign(text.define(result), Constant(int(scope), result), text.line)


def _availability(name: str, text: InstructionReader) -> AvailabilityOperation:
    text.expect("(")
    scope = _scope_argument(name, text)
    labels = frozenset((intrinsics.AV_OPERATIONS[name],))
    return AvailabilityOperation(text.annotation(scope=scope, labels=labels), text.line)


def _available_access(name: str, text: InstructionReader, result: Type | None) -> Load | Store:
    """Read an access that makes itself available or visible; a metadata string names its scope."""
    text.expect("(")
    address, pointer = text.argument()
    text.expect(",")
    stored = None
    if intrinsics.av_access(name) == "store":
        stored = text.argument()
        text.expect(",")
    scope = _scope_argument(name, text)
    annotation = text.annotation(scope=scope, pointer=pointer, labels=frozenset(("AV",)))
    if stored is not None:
        return Store(address, stored[0], stored[1], annotation, text.line)
    if result is None:
        raise NotCovered(name)
    return Load(text.target, address, result, annotation, text.line)
