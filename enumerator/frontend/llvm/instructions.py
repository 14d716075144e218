"""Instructions of LLVM IR to those of the program."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from enumerator.clock import check_time
from enumerator.dataflow.pairing import token_registers, uses_tokens
from enumerator.errors import InputError
from enumerator.frontend.llvm import memory
from enumerator.frontend.llvm.calls import call, invoke, unsupported_call
from enumerator.frontend.llvm.exceptions import landing_pad, resume
from enumerator.frontend.llvm.nesting import with_nested_loops
from enumerator.frontend.llvm.operations import OPERATIONS
from enumerator.frontend.llvm.reader import FunctionContext, InstructionReader, uncovered
from enumerator.frontend.llvm.tensors import with_objects
from enumerator.frontend.llvm.tokens import NotCovered, decode_name
from enumerator.program.instructions import (
    AsyncCopy,
    Block,
    Branch,
    Expression,
    Function,
    Instruction,
    Jump,
    Phi,
    Resume,
    Return,
    Switch,
    Terminator,
    Unreachable,
    Unsupported,
)
from enumerator.program.values import Value

__all__ = ["parse_function"]

_Parsed = Instruction | list[Instruction] | Phi | Terminator | None


def parse_function(
    context: FunctionContext,
    name: str,
    parameters: tuple[str, ...],
    blocks: list[tuple[str, list[str]]],
    lines: list[int | None],
    line: int | None,
) -> Function:
    """Parse the body of a function.

    Parameters
    ----------
    context : FunctionContext
        Receives the types of the registers, and the functions that are called.
    name : str
    parameters : tuple of str
    blocks : list of (str, list of str)
        The label of each block, and its instructions as LLVM prints them.
    lines : list of int or None
        The source line of each instruction.
    line : int or None
        The source line of the function.

    Returns
    -------
    Function
    """
    parsed: list[Block] = []
    place = iter(lines)
    at = None
    for label, texts in blocks:
        phis: list[Phi] = []
        body: list[Instruction] = []
        terminator: Terminator | None = None
        for text in texts:
            at = next(place)
            part = _instruction(context, text, at)
            match part:
                case None:
                    continue
                case Phi():
                    phis.append(part)
                case Jump() | Branch() | Switch() | Return() | Unreachable() | Resume():
                    terminator = part
                case Unsupported() if text is texts[-1]:
                    terminator = part
                case [*_, Jump() as terminator]:
                    body.extend(part[:-1])
                case list():
                    body.extend(part)
                case _:
                    body.append(part)
        if terminator is None:
            raise InputError(f"block {label} of @{name} does not end", context.path, at)
        parsed.append(Block(label, tuple(phis), tuple(body), terminator))
    types = tuple(map(context.types.get, parameters))
    function = with_nested_loops(Function(name, parameters, tuple(parsed), line, types=types))
    if any(isinstance(part, AsyncCopy) and part.type is None for block in parsed for part in block.body):
        function = with_objects(function)
    return replace(function, tokens=token_registers(function)) if uses_tokens(function) else function


def _instruction(context: FunctionContext, printed: str, line: int | None) -> _Parsed:
    check_time()
    text = InstructionReader(context, printed, line)
    part: _Parsed
    try:
        opcode = text.next()
        if opcode not in _PARSERS:
            raise NotCovered(opcode)
        part = _PARSERS[opcode](text)
    except (NotCovered, ValueError) as reason:  # ValueError: a number where LLVM has something else to offer
        part = uncovered(printed, line, str(reason) if isinstance(reason, NotCovered) else "")
    except InputError as error:
        error.path, error.line = error.path or context.path, error.line or line
        raise
    if text.target:
        context.types.setdefault(text.target, None)
    return part


def _phi(text: InstructionReader) -> Phi:
    text.skip_flags()
    type_ = text.type()
    incoming: list[tuple[str, Expression]] = []
    while True:
        text.expect("[")
        value = text.operand(type_)
        text.expect(",")
        incoming.append((decode_name(text.next()), value))
        text.expect("]")
        if text.ahead(1) != "[" or not text.accept(","):
            break
    return Phi(text.define(type_), tuple(incoming), type_, text.line)


def _branch(text: InstructionReader) -> Jump | Branch:
    if text.token == "label":
        return Jump(_label(text), text.line)
    condition, _ = text.typed()
    text.expect(",")
    then = _label(text)
    text.expect(",")
    return Branch(condition, then, _label(text), text.line)


def _switch(text: InstructionReader) -> Switch:
    value, _ = text.typed()
    text.expect(",")
    default = _label(text)
    text.expect("[")
    cases: list[tuple[Value, str]] = []
    while not text.accept("]"):
        case = text.function.constants.typed_value(text)
        text.expect(",")
        cases.append((case, _label(text)))
    return Switch(value, tuple(cases), default, text.line)


def _label(text: InstructionReader) -> str:
    text.expect("label")
    return decode_name(text.next())


def _return(text: InstructionReader) -> Return:
    return Return(None if text.accept("void") else text.typed()[0], text.line)


def _marked_call(text: InstructionReader) -> Instruction | list[Instruction] | None:
    text.expect("call")
    return call(text)


_PARSERS: Mapping[str, Callable[[InstructionReader], _Parsed]] = {
    **OPERATIONS,
    "load": memory.load,
    "store": memory.store,
    "atomicrmw": memory.read_modify_write,
    "cmpxchg": memory.compare_exchange,
    "fence": memory.fence,
    "alloca": memory.alloca,
    "call": call,
    **dict.fromkeys(("tail", "musttail", "notail"), _marked_call),
    "invoke": invoke,
    "landingpad": landing_pad,
    "resume": resume,
    "callbr": unsupported_call,
    "phi": _phi,
    "br": _branch,
    "switch": _switch,
    "ret": _return,
    "unreachable": lambda text: Unreachable(text.line),
}
