"""Rows of instructions to the blocks of threads.

A row is ``a | b ;`` with a cell for each thread. What languages have in common is read here: labels, jumps, branches
that compare, arithmetic on registers. A subclass of :class:`Code` reads the instructions that access memory.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import field
from difflib import get_close_matches
from typing import ClassVar

from enumerator.errors import InputError
from enumerator.frontend.c.builder import Builder
from enumerator.frontend.c.lexer import Cursor, Token
from enumerator.frontend.columns.barriers import Barriers
from enumerator.frontend.columns.initial import InitialState
from enumerator.frontend.columns.lexer import is_register, parse_constant
from enumerator.frozen import dataclass
from enumerator.program.instructions import Assign, Block, Constant, Expression, Jump, Register
from enumerator.program.instructions import Operation as Computation
from enumerator.program.types import IntType

__all__ = ["WORD", "Code", "parse_rows"]

WORD = IntType(32)
"""What registers and locations hold."""

_ARITHMETIC = {"add": "add", "sub": "sub", "mul": "mul", "div": "sdiv", "and": "and", "or": "or", "xor": "xor"}
_COMPARISONS = {"beq": "eq", "bne": "ne", "bge": "sge", "ble": "sle", "bgt": "sgt", "blt": "slt"}
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
    state : InitialState
        Of the test.
    barriers : Barriers
        Those of all threads.

    Attributes
    ----------
    kinds : tuple of str
        The first words of the instructions that :meth:`operation` reads.
    """

    kinds: ClassVar[tuple[str, ...]] = ()

    number: int
    references: dict[str, str]
    workgroup: int
    state: InitialState
    barriers: Barriers
    builder: Builder = field(default_factory=Builder)
    registers: dict[str, int] = field(default_factory=dict)
    labels: dict[str, Token] = field(default_factory=dict)
    jumps: dict[str, Token] = field(default_factory=dict)

    def operation(self, cursor: Cursor, token: Token) -> None:
        """Read the operands of an instruction, one of :attr:`kinds`, and emit it."""
        raise NotImplementedError

    def finish(self, cursor: Cursor, line: int) -> tuple[Block, ...]:
        """End the code, when the barriers of all threads are known: give its blocks, registers set to first values."""
        for label, token in self.jumps.items():
            if label not in self.labels:
                raise cursor.error(f"P{self.number} has no label {label}", token)
        first = [(name, Constant(value, WORD)) for name, value in self.registers.items()]
        return tuple(map(self.barriers.resolved, self.builder.finish(first, line)))

    def register(self, cursor: Cursor) -> str:
        """Take a register, which holds 0 at first if nothing else is said."""
        if not is_register(cursor.text):
            cursor.unexpected("a register, as r0")
        name = cursor.next().text
        self.registers.setdefault(name, 0)
        return name

    def location(self, cursor: Cursor) -> str:
        """Take the name of a reference to a location."""
        if is_register(cursor.text) or "." in cursor.text:
            cursor.unexpected("a location")
        name = cursor.name("a location").text
        self.references.setdefault(name, name)
        return name

    def value(self, cursor: Cursor) -> Expression:
        """Take a number or a register."""
        if is_register(cursor.text):
            return Register(self.register(cursor))
        return Constant(parse_constant(cursor, "a number or a register"), WORD)

    def unknown(self, cursor: Cursor, token: Token) -> InputError:
        """Make an error for an instruction that there is not."""
        head = token.text.partition(".")[0]
        known = (*self.kinds, *_ARITHMETIC, *_COMPARISONS, "goto")
        close = get_close_matches(head, known, 1)
        hint = f"; did you mean {close[0]}?" if close else f": expected one of {', '.join(known)}"
        return cursor.error(f"unknown instruction {head!r}{hint}", token)


def parse_rows(cursor: Cursor, codes: Sequence[Code]) -> None:
    """Parse the rows of instructions up to the condition.

    Parameters
    ----------
    cursor : Cursor
        Behind the row that places the threads.
    codes : sequence of Code
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
        left = code.value(cursor)
        cursor.expect(",")
        right = code.value(cursor)
        cursor.expect(",")
        taken, otherwise = _target(cursor, code), code.builder.block()
        condition = Computation(f"icmp {_COMPARISONS[token.text]}", (left, right), IntType(1), WORD)
        code.builder.branch(condition, taken, otherwise, token.line)
        code.builder.start(otherwise)
    elif token.text in _ARITHMETIC:
        target = code.register(cursor)
        cursor.expect(",")
        left = code.value(cursor)
        cursor.expect(",")
        right = code.value(cursor)
        computed = Computation(_ARITHMETIC[token.text], (left, right), WORD, WORD)
        code.builder.emit(Assign(target, computed, token.line))
    elif token.text.partition(".")[0] in code.kinds:
        code.operation(cursor, token)
    else:
        raise code.unknown(cursor, token)


def _target(cursor: Cursor, code: Code) -> str:
    token = cursor.name("a label")
    if not _LABEL.fullmatch(token.text):
        raise cursor.error(f"{token.text} cannot be a label", token)
    code.jumps.setdefault(token.text, token)
    return f".{token.text}"
