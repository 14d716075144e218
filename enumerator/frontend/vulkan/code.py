"""The columns of a Vulkan test to the blocks of its threads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

from enumerator.errors import InputError
from enumerator.frontend.c.lexer import Cursor, Token
from enumerator.frontend.columns.code import WORD, Code
from enumerator.frontend.columns.lexer import is_register
from enumerator.frontend.vulkan.operations import KINDS, Operation, parse_operation
from enumerator.frozen import dataclass
from enumerator.program.instructions import (
    Annotation,
    Assign,
    Barrier,
    Constant,
    Expression,
    Fence,
    Instruction,
    Load,
    ReadModifyWrite,
    Store,
)
from enumerator.program.types import PointerType
from enumerator.program.values import Pointer

__all__ = ["VulkanCode", "lower_operation"]

_ADDRESS = PointerType(0)


@dataclass
class VulkanCode(Code):
    """The code of a thread under construction."""

    kinds: ClassVar[tuple[str, ...]] = KINDS

    def operation(self, cursor: Cursor, token: Token) -> None:
        """Read the operands of an instruction, and emit it."""
        self.builder.emit(self._operation(cursor, token))

    def _operation(self, cursor: Cursor, token: Token) -> Instruction:
        def fail(message: str, offset: int) -> InputError:
            return InputError(message, cursor.path, token.line, token.column + offset)

        operation = parse_operation(token.text, fail)
        match operation.kind:
            case "st":
                name = self.location(cursor)
                cursor.expect(",")
                return lower_operation(operation, token.line, self.references, name, value=self.value(cursor))
            case "ld":
                target = self.register(cursor)
                cursor.expect(",")
                if cursor.token.kind != "word" or is_register(cursor.text):
                    return Assign(target, self.value(cursor), token.line)
                return lower_operation(operation, token.line, self.references, self.location(cursor), target=target)
            case "rmw":
                target = self.register(cursor)
                cursor.expect(",")
                name = self.location(cursor)
                cursor.expect(",")
                value = self.value(cursor)
                return lower_operation(operation, token.line, self.references, name, target=target, value=value)
            case "cbar":
                return self.barriers.add(cursor, operation.annotation, token, self.number, self.workgroup)
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
