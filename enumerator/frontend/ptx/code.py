"""The columns of a PTX test to the blocks of its threads."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from enumerator.errors import InputError
from enumerator.frontend.c.lexer import Cursor, Token
from enumerator.frontend.columns.barriers import parse_quorum
from enumerator.frontend.columns.code import WORD, Code
from enumerator.frontend.columns.lexer import is_register, parse_constant
from enumerator.frontend.ptx.operations import KINDS, Operation, parse_operation
from enumerator.frozen import dataclass
from enumerator.program.instructions import (
    Annotation,
    Assign,
    CompareExchange,
    Constant,
    Expression,
    Fence,
    Jump,
    Load,
    Ordering,
    ReadModifyWrite,
    Register,
    Store,
    Unreachable,
)
from enumerator.program.instructions import Operation as Computation
from enumerator.program.types import IntType, PointerType, StructType
from enumerator.program.values import Pointer

__all__ = ["PtxCode"]

_ADDRESS = PointerType(0)
_BIT = IntType(1)
_PAIR = StructType((WORD, _BIT))
_BARRIERS = 16  # PTX ISA, bar: "barrier resource … with value 0 through 15"
_ACQUIRES = (Ordering.ACQUIRE, Ordering.ACQ_REL)


@dataclass
class PtxCode(Code):
    """The code of a thread under construction."""

    kinds: ClassVar[tuple[str, ...]] = KINDS

    def operation(self, cursor: Cursor, token: Token) -> None:
        """Read the operands of an instruction, and emit it."""

        def fail(message: str, offset: int) -> InputError:
            return InputError(message, cursor.path, token.line, token.column + offset)

        operation = parse_operation(token.text, fail)
        annotation, line, emit = operation.annotation, token.line, self.builder.emit
        if operation.plain:
            target = self.register(cursor)
            cursor.expect(",")
            if cursor.token.kind == "word" and not is_register(cursor.text):
                raise cursor.error("a load from memory is ld.weak, or ld.relaxed or ld.acquire with a scope", token)
            emit(Assign(target, self.value(cursor), line))
            return
        match operation.kind:
            case "ld":
                target = self.register(cursor)
                address, annotation = self._memory(cursor, annotation, ",")
                emit(Load(target, address, WORD, annotation, line))
            case "st":
                address, annotation = self._memory(cursor, annotation)
                cursor.expect(",")
                emit(Store(address, self.value(cursor), WORD, annotation, line))
            case "atom":
                target = self.register(cursor)
                address, annotation = self._memory(cursor, annotation, ",")
                self._change(cursor, operation, target, address, annotation, line)
            case "red":
                address, annotation = self._memory(cursor, annotation)
                self._change(cursor, operation, self.builder.temporary(), address, annotation, line)
            case "fence":
                emit(Fence(annotation, line))
            case _:
                self._barrier(cursor, annotation, token)

    def _memory(self, cursor: Cursor, annotation: Annotation, before: str = "") -> tuple[Expression, Annotation]:
        """Take a location: give its address, and the annotation of an access to it."""
        if before:
            cursor.expect(before)
        name = self.location(cursor)
        return Constant(Pointer(self.references[name]), _ADDRESS), replace(
            annotation, reference=self.state.virtual.get(name, name)
        )

    def _change(
        self, cursor: Cursor, operation: Operation, target: str, address: Expression, annotation: Annotation, line: int
    ) -> None:
        cursor.expect(",")
        operand = self.value(cursor)
        if operation.operator != "cas":
            self.builder.emit(ReadModifyWrite(target, operation.operator, address, operand, WORD, annotation, line))
            return
        cursor.expect(",")
        desired = self.value(cursor)
        failure = Ordering.ACQUIRE if annotation.ordering in _ACQUIRES else Ordering.MONOTONIC
        pair = self.builder.temporary()
        self.builder.emit(
            CompareExchange(pair, address, operand, desired, WORD, annotation, failure, weak=False, line=line)
        )
        old = Computation("extractvalue", (Register(pair),), WORD, _PAIR, (0,))
        self.builder.emit(Assign(target, old, line))

    def _barrier(self, cursor: Cursor, annotation: Annotation, token: Token) -> None:
        """Read a barrier. Of one whose number is in a register, all numbers are tried."""
        if not (cursor.ahead(1).text == "," and is_register(cursor.ahead(2).text)):
            self.builder.emit(self.barriers.add(cursor, annotation, token, self.number, self.workgroup))
            return
        instance = parse_constant(cursor, "the number of the barrier")
        cursor.expect(",")
        number = self.value(cursor)
        quorum = parse_quorum(cursor)
        after = self.builder.block()
        for each in range(_BARRIERS):
            here, otherwise = self.builder.block(), self.builder.block()
            same = Computation("icmp eq", (number, Constant(each, WORD)), _BIT, WORD)
            self.builder.branch(same, here, otherwise, token.line)
            self.builder.start(here)
            key = (self.workgroup, instance, each)
            self.builder.emit(
                self.barriers.met(cursor, annotation, token, self.number, key, quorum, unsure=quorum is None)
            )
            self.builder.end(Jump(after, token.line))
            self.builder.start(otherwise)
        self.builder.end(Unreachable(token.line))
        self.builder.start(after)
