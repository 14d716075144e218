"""The columns of a Vulkan test to the blocks of its threads."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches

from enumerator.errors import InputError
from enumerator.frontend.c.builder import Builder
from enumerator.frontend.c.lexer import Cursor, Token
from enumerator.frontend.vulkan.barriers import Barriers
from enumerator.frontend.vulkan.initial import is_register, parse_constant
from enumerator.frontend.vulkan.operations import KINDS, Operation, parse_operation
from enumerator.program.instructions import (
    Annotation,
    Assign,
    Barrier,
    Block,
    Constant,
    Expression,
    Fence,
    Instruction,
    Jump,
    Load,
    ReadModifyWrite,
    Register,
    Store,
)
from enumerator.program.instructions import Operation as Computation
from enumerator.program.types import IntType, PointerType
from enumerator.program.values import Pointer

__all__ = ["Code", "lower_operation", "parse_rows"]

WORD = IntType(32)
_ADDRESS = PointerType(0)
_ARITHMETIC = {"add": "add", "sub": "sub", "mul": "mul", "div": "sdiv", "and": "and", "or": "or", "xor": "xor"}
_COMPARISONS = {"beq": "eq", "bne": "ne", "bge": "sge", "ble": "sle", "bgt": "sgt", "blt": "slt"}
_MNEMONICS = (*KINDS, *_ARITHMETIC, *_COMPARISONS, "goto")
_LABEL = re.compile(r"[A-Za-z_]\w*", re.ASCII)


@dataclass
class Code:
    """The code of a thread under construction.

    Parameters
    ----------
    number : int
    references : dict of str to str
        The locations that the code may access, by the names of references to them; a new name is a new location.
    workgroup : int
        The instance that the thread is in.
    barriers : Barriers
        The control barriers of all threads.
    """

    number: int
    references: dict[str, str]
    workgroup: int = 0
    barriers: Barriers = field(default_factory=Barriers)
    builder: Builder = field(default_factory=Builder)
    registers: dict[str, int] = field(default_factory=dict)
    labels: dict[str, Token] = field(default_factory=dict)
    jumps: dict[str, Token] = field(default_factory=dict)

    def finish(self, cursor: Cursor, line: int) -> tuple[Block, ...]:
        """End the code: give its blocks, registers set to their first values."""
        for label, token in self.jumps.items():
            if label not in self.labels:
                raise cursor.error(f"P{self.number} has no label {label}", token)
        blocks = self.builder.finish([(name, Constant(value, WORD)) for name, value in self.registers.items()], line)
        return tuple(self.barriers.resolved(block) for block in blocks)


def parse_rows(cursor: Cursor, codes: list[Code]) -> None:
    """Parse the rows of instructions up to the condition.

    Parameters
    ----------
    cursor : Cursor
        Behind the row that places the threads.
    codes : list of Code
        One for each column.

    Raises
    ------
    InputError
        At the first token that does not fit, or where a row has not as many cells as there are threads.
    """
    while not _at_end(cursor):
        start, cell = cursor.token, 0
        while True:
            if cursor.text not in ("|", "||", ";"):
                if cell < len(codes):
                    _instruction(cursor, codes[cell])
                if cursor.text not in ("|", "||", ";"):
                    cursor.unexpected("'|', or ';' at the end of the row")
            token = cursor.next()
            if token.text == ";":
                break
            cell += len(token.text)
        if cell + 1 != len(codes):
            raise cursor.error(f"this row has {cell + 1} cells for {len(codes)} threads", start)


def _at_end(cursor: Cursor) -> bool:
    """Tell whether what comes is no row: the end, or what the test asks."""
    asked = ("locations", "filter", "exists", "forall", "final", "~", "not", "!", "(")
    return cursor.token.kind == "end" or cursor.text in asked


def _instruction(cursor: Cursor, code: Code) -> None:
    token = cursor.name("an instruction")
    if cursor.text == ":":
        cursor.next()
        if token.text in code.labels:
            raise cursor.error(f"a second label {token.text} in P{code.number}", token)
        code.labels[token.text] = token
        code.builder.start(f".{token.text}")
    elif token.text == "goto":
        code.builder.end(Jump(_target(cursor, code), token.line))
    elif token.text in _COMPARISONS:
        left = _value(cursor, code)
        cursor.expect(",")
        right = _value(cursor, code)
        cursor.expect(",")
        taken, otherwise = _target(cursor, code), code.builder.block()
        condition = Computation(f"icmp {_COMPARISONS[token.text]}", (left, right), IntType(1), WORD)
        code.builder.branch(condition, taken, otherwise, token.line)
        code.builder.start(otherwise)
    elif token.text in _ARITHMETIC:
        target = _register(cursor, code)
        cursor.expect(",")
        left = _value(cursor, code)
        cursor.expect(",")
        right = _value(cursor, code)
        computed = Computation(_ARITHMETIC[token.text], (left, right), WORD, WORD)
        code.builder.emit(Assign(target, computed, token.line))
    else:
        code.builder.emit(_operation(cursor, code, token))


def _operation(cursor: Cursor, code: Code, token: Token) -> Instruction:
    def fail(message: str, offset: int) -> InputError:
        return InputError(message, cursor.path, token.line, token.column + offset)

    head = token.text.partition(".")[0]
    if head not in KINDS:
        close = get_close_matches(head, _MNEMONICS, 1)
        hint = f"; did you mean {close[0]}?" if close else f": expected one of {', '.join(_MNEMONICS)}"
        raise fail(f"unknown instruction {head!r}{hint}", 0)
    operation = parse_operation(token.text, fail)
    match operation.kind:
        case "st":
            name = _location(cursor, code)
            cursor.expect(",")
            return lower_operation(operation, token.line, code.references, name, value=_value(cursor, code))
        case "ld":
            target = _register(cursor, code)
            cursor.expect(",")
            if cursor.token.kind != "word" or is_register(cursor.text):
                return Assign(target, _value(cursor, code), token.line)
            return lower_operation(operation, token.line, code.references, _location(cursor, code), target=target)
        case "rmw":
            target = _register(cursor, code)
            cursor.expect(",")
            name = _location(cursor, code)
            cursor.expect(",")
            value = _value(cursor, code)
            return lower_operation(operation, token.line, code.references, name, target=target, value=value)
        case "cbar":
            return code.barriers.add(cursor, operation, token, code.number, code.workgroup)
        case _:
            return lower_operation(operation, token.line)


def lower_operation(
    operation: Operation,
    line: int,
    references: Mapping[str, str] | None = None,
    name: str = "",
    *,
    target: str = "",
    value: Expression | None = None,
    instance: int = 0,
) -> Instruction:
    """Make the instruction of an operation.

    Parameters
    ----------
    operation : Operation
    line : int
    references : mapping of str to str
        The locations that references lead to.
    name : str
        The reference of an access.
    target : str
        The register that a read goes to.
    value : Expression
        What is written, or the operand of a read-modify-write.
    instance : int
        What tells a control barrier from others.

    Returns
    -------
    Instruction
    """
    annotation: Annotation = operation.annotation
    if operation.kind == "cbar":
        return Barrier(False, False, annotation, line, instance)
    if operation.kind not in ("st", "ld", "rmw"):
        return Fence(annotation, line)
    assert references is not None
    annotation = replace(annotation, reference=name)
    address = Constant(Pointer(references[name]), _ADDRESS)
    if operation.kind == "ld":
        return Load(target, address, WORD, annotation, line)
    assert value is not None
    if operation.kind == "st":
        return Store(address, value, WORD, annotation, line)
    return ReadModifyWrite(target, operation.operator, address, value, WORD, annotation, line)


def _register(cursor: Cursor, code: Code) -> str:
    if not is_register(cursor.text):
        cursor.unexpected("a register, as r0")
    return _known(cursor.next().text, code)


def _known(register: str, code: Code) -> str:
    code.registers.setdefault(register, 0)
    return register


def _location(cursor: Cursor, code: Code) -> str:
    if is_register(cursor.text) or "." in cursor.text:
        cursor.unexpected("a location")
    name = cursor.name("a location").text
    code.references.setdefault(name, name)
    return name


def _value(cursor: Cursor, code: Code) -> Expression:
    if is_register(cursor.text):
        return Register(_known(cursor.next().text, code))
    return Constant(parse_constant(cursor, "a number or a register"), WORD)


def _target(cursor: Cursor, code: Code) -> str:
    token = cursor.name("a label")
    if not _LABEL.fullmatch(token.text):
        raise cursor.error(f"{token.text} cannot be a label", token)
    code.jumps.setdefault(token.text, token)
    return f".{token.text}"
