"""From C expressions to operations and memory accesses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Union

from enumerator.errors import InputError
from enumerator.frontend.c import atomics
from enumerator.frontend.c.builder import Builder
from enumerator.frontend.c.dialect import Dialect, Run
from enumerator.frontend.c.lexer import Token
from enumerator.frontend.c.syntax import (
    AddressOf,
    Assignment,
    Binary,
    Call,
    Cast,
    Comma,
    Conditional,
    Dereference,
    Expression,
    Increment,
    Index,
    Logical,
    Name,
    Number,
    Unary,
    walk,
)
from enumerator.frontend.c.types import BIT, WORD, ArrayOf, CType, Integer, PointerTo, Typed, decayed, held_as, size
from enumerator.frontend.c.variables import Variables
from enumerator.frozen import dataclass
from enumerator.program import instructions as program
from enumerator.program.instructions import Annotation, Assign, Constant, Load, Operation, Register, Store
from enumerator.program.values import Pointer, signed

__all__ = ["Expressions"]

_ARITHMETIC = {
    "+": "add",
    "-": "sub",
    "*": "mul",
    "/": "sdiv",
    "%": "srem",
    "&": "and",
    "|": "or",
    "^": "xor",
    "<<": "shl",
    ">>": "ashr",
}
_COMPARISONS = {"==": "eq", "!=": "ne", "<": "slt", "<=": "sle", ">": "sgt", ">=": "sge"}


@dataclass(frozen=True, slots=True)
class _InRegister:
    """An object that is a register."""

    register: str
    type: CType


@dataclass(frozen=True, slots=True)
class _InMemory:
    """An object in memory, at an address."""

    address: program.Expression
    type: CType


_Object = Union[_InRegister, _InMemory]


class Expressions:
    """Evaluates the expressions of a thread: instructions go to a builder, values come back.

    Operands are evaluated from left to right, the target of an assignment before its value: C leaves that open, and the
    accesses of different operands are in no program order.

    Parameters
    ----------
    builder : Builder
    variables : Variables
    path : str
        For error messages.
    dialect : Dialect
    functions : mapping of str to (int, Run)
        What the thread may call: the number of arguments, and what the function does.
    """

    def __init__(
        self,
        builder: Builder,
        variables: Variables,
        path: str,
        dialect: Dialect,
        functions: Mapping[str, tuple[int, Run]],
    ) -> None:
        self.builder = builder
        self.dialect = dialect
        self.functions = functions
        self._variables = variables
        self._path = path

    def error(self, message: str, token: Token) -> InputError:
        """Make an error at a token."""
        return InputError(message, self._path, token.line, token.column)

    # -- values ----------------------------------------------------------------------------------------------

    def effect(self, node: Expression) -> None:
        """Evaluate an expression whose value nobody uses."""
        match node:
            case Call():
                atomics.call(self, node)
            case Comma(left, right):
                self.effect(left)
                self.effect(right)
            case Cast(_, operand):
                self.effect(operand)
            case Conditional(condition, then, otherwise, token) if not self._is_pure(node):
                truth = self.truth(condition)
                yes, no, after = (self.builder.block() for _ in range(3))
                self.builder.branch(truth, yes, no, token.line)
                for block, branch in ((yes, then), (no, otherwise)):
                    self.builder.start(block)
                    self.effect(branch)
                    self.builder.end(program.Jump(after, token.line))
                self.builder.start(after)
            case _:
                self.value(node)

    def value(self, node: Expression) -> Typed:
        """Evaluate an expression."""
        match node:
            case Number(value):
                return Typed(Constant(value, WORD), Integer())
            case Name() | Index() | Dereference():
                return self._read(self._object(node), node.token)
            case AddressOf(operand, token):
                return self._address(operand, token)
            case Unary(operator, operand, token):
                return self._unary(operator, operand, token)
            case Binary(operator, left, right, token):
                first, second = self.operands(left, right)
                return self.binary(operator, first, second, token)
            case Logical() | Conditional():
                return self._choice(node)
            case Assignment(operator, target, right, token):
                return self._assignment(operator, target, right, token)
            case Increment(operator, target, postfix, token):
                return self._increment(operator, target, postfix, token)
            case Cast(type_, operand, _):
                return Typed(self.value(operand).value, type_)
            case Comma(left, right):
                self.effect(left)
                return self.value(right)
            case Call(function, _, token):
                made = atomics.call(self, node)
                if made is None:
                    raise self.error(f"{function} gives no value", token)
                return made

    def operands(self, *nodes: Expression) -> list[Typed]:
        """Evaluate expressions that C leaves unsequenced: operands of an operator, arguments of a call.

        References
        ----------
        ISO/IEC 9899:2011, 6.5, 3.
        """
        operator, values = self.builder.operator(), []
        for number, node in enumerate(nodes):
            with self.builder.operand(operator, number):
                values.append(self.value(node))
        return values

    def truth(self, node: Expression) -> program.Expression:
        """Evaluate a condition to a bit."""
        return self._bit(self.value(node), node.token)

    def _bit(self, typed: Typed, token: Token) -> program.Expression:
        value = typed.value
        if isinstance(value, Operation) and value.operator == "zext":
            return value.arguments[0]
        if isinstance(value, Constant) and isinstance(value.value, int):
            return Constant(int(value.value != 0), BIT)
        return self._compare("ne", typed, Typed(Constant(0, WORD), Integer()), token)

    def _compare(self, predicate: str, left: Typed, right: Typed, token: Token) -> program.Expression:
        arguments = (left.value, right.value)
        return self.builder.operation(f"icmp {predicate}", arguments, BIT, held_as(left.type), token.line)

    def _word(self, bit: program.Expression, token: Token) -> Typed:
        return Typed(self.builder.operation("zext", (bit,), WORD, BIT, token.line), Integer())

    def _unary(self, operator: str, operand: Expression, token: Token) -> Typed:
        typed = self.value(operand)
        if operator == "!":
            bit = self._bit(typed, token)
            return self._word(self.builder.operation("xor", (bit, Constant(1, BIT)), BIT, BIT, token.line), token)
        if isinstance(typed.type, PointerTo):
            raise self.error(f"{operator} of a pointer", token)
        if operator == "-":
            if isinstance(typed.value, Constant) and isinstance(typed.value.value, int):
                return Typed(Constant(signed(-typed.value.value, WORD.width), WORD), Integer())
            return self._arithmetic("sub", Constant(0, WORD), typed.value, token)
        return typed if operator == "+" else self._arithmetic("xor", typed.value, Constant(-1, WORD), token)

    def binary(self, operator: str, left: Typed, right: Typed, token: Token) -> Typed:
        """Apply a binary operator to two values: pointers count in elements."""
        if operator in _COMPARISONS:
            return self._word(self._compare(_COMPARISONS[operator], left, right, token), token)
        pointers = [isinstance(each.type, PointerTo) for each in (left, right)]
        if not any(pointers):
            return self._arithmetic(_ARITHMETIC[operator], left.value, right.value, token)
        if operator == "+" and not all(pointers):
            pointer, count = (left, right) if pointers[0] else (right, left)
            return self._moved(pointer, count.value, token)
        if operator == "-" and pointers == [True, False]:
            count = self._arithmetic("sub", Constant(0, WORD), right.value, token)
            return self._moved(left, count.value, token)
        if operator == "-" and all(pointers):
            bytes_ = self._arithmetic("sub", left.value, right.value, token)
            return self._arithmetic("sdiv", bytes_.value, Constant(_step(left.type), WORD), token)
        if operator in ("^", "&", "|"):  # of addresses with themselves, in tests of dependencies
            return self._arithmetic(_ARITHMETIC[operator], left.value, right.value, token)
        raise self.error(f"{operator} of a pointer", token)

    def _arithmetic(self, operator: str, left: program.Expression, right: program.Expression, token: Token) -> Typed:
        return Typed(self.builder.operation(operator, (left, right), WORD, WORD, token.line), Integer())

    def _moved(self, pointer: Typed, count: program.Expression, token: Token) -> Typed:
        offset = self._arithmetic("mul", count, Constant(_step(pointer.type), WORD), token).value
        held = held_as(pointer.type)
        moved = self.builder.operation("ptradd", (pointer.value, offset), held, held, token.line)
        return Typed(moved, pointer.type)

    def _choice(self, node: Logical | Conditional) -> Typed:
        """Evaluate ``&&``, ``||`` and ``?:``: a branch only where what it skips does more than compute."""
        builder, line = self.builder, node.token.line
        if isinstance(node, Conditional):
            condition, left, right = self.truth(node.condition), node.then, node.otherwise
        else:
            condition = self.truth(node.left)
            left, right = (node.right, _ZERO) if node.operator == "&&" else (_ONE, node.right)
        bits = isinstance(node, Logical)
        if self._is_pure(left) and self._is_pure(right):
            values = [self._branch_value(side, bits) for side in (left, right)]
            type_ = _common(values[0].type, values[1].type)
            held = held_as(type_)
            chosen = builder.operation("select", (condition, values[0].value, values[1].value), held, BIT, line)
            return Typed(chosen, type_)
        target = builder.temporary()
        yes, no, after = (builder.block() for _ in range(3))
        builder.branch(condition, yes, no, line)
        types = []
        for block, side in ((yes, left), (no, right)):
            builder.start(block)
            typed = self._branch_value(side, bits)
            types.append(typed.type)
            builder.emit(Assign(target, typed.value, line))
            builder.end(program.Jump(after, line))
        builder.start(after)
        return Typed(Register(target), _common(types[0], types[1]))

    def _is_pure(self, node: Expression) -> bool:
        """Tell whether an expression only computes on registers, and is always defined."""
        for part in walk(node):
            match part:
                case Name(name):
                    variable = self._variables.find(name)
                    if variable is not None and variable.memory:
                        return False
                case Dereference() | Index() | Assignment() | Increment() | Call() | Binary("/" | "%"):
                    return False
        return True

    def _branch_value(self, node: Expression, as_truth: bool) -> Typed:
        return self._word(self.truth(node), node.token) if as_truth else self.value(node)

    # -- objects ---------------------------------------------------------------------------------------------

    def _object(self, node: Expression) -> _Object:
        """Find the object that an expression names."""
        match node:
            case Name(name, token):
                variable = self._variables.find(name)
                if variable is None:
                    what = "not declared in this thread"
                    if name.startswith("memory_order_") or name in self.dialect.scopes:
                        what = "a scope" if name in self.dialect.scopes else "a memory order"
                    raise self.error(f"{name} is {what}", token)
                if variable.memory:
                    return _InMemory(Constant(Pointer(variable.memory), held_as(PointerTo(_VOID))), variable.type)
                return _InRegister(variable.register, variable.type)
            case Dereference(operand):
                pointer = self.value(operand)
                return _InMemory(pointer.value, target(pointer.type))
            case Index(base, index, token):
                first, second = self.operands(base, index)
                if isinstance(second.type, PointerTo):
                    first, second = second, first
                if not isinstance(first.type, PointerTo):
                    raise self.error("neither side of [] is a pointer or an array", token)
                pointer = self._moved(first, second.value, token)
                return _InMemory(pointer.value, target(pointer.type))
            case _:
                raise self.error("this is no object that could be assigned to, or have an address", node.token)

    def _address(self, operand: Expression, token: Token) -> Typed:
        place = self._object(operand)
        if isinstance(place, _InRegister):
            raise self.error("this has no address", token)
        return Typed(place.address, PointerTo(place.type))

    def _read(self, place: _Object, token: Token) -> Typed:
        if isinstance(place, _InRegister):
            return Typed(Register(place.register), place.type)
        if isinstance(place.type, ArrayOf):
            return Typed(place.address, decayed(place.type))
        return self.load(place.address, place.type, self.plain(place.type), token)

    def _write(self, place: _Object, value: program.Expression, token: Token) -> Typed:
        if isinstance(place, _InRegister):
            self.builder.emit(Assign(place.register, value, token.line))
            return Typed(Register(place.register), place.type)
        if isinstance(place.type, ArrayOf):
            raise self.error("an array cannot be assigned to", token)
        self.store(place.address, value, place.type, self.plain(place.type), token)
        return Typed(value, place.type)

    def plain(self, type_: CType) -> Annotation:
        """Give the annotation of an access that is not atomic."""
        if isinstance(type_, ArrayOf):
            return Annotation(scope=self.dialect.plain_scope)
        return Annotation(scope=self.dialect.plain_scope, volatile=type_.volatile, address_space=type_.space)

    def load(self, address: program.Expression, type_: CType, annotation: Annotation, token: Token) -> Typed:
        """Read memory."""
        target_ = self.builder.temporary()
        self.builder.emit(Load(target_, address, held_as(type_), annotation, token.line))
        return Typed(Register(target_), type_)

    def store(
        self,
        address: program.Expression,
        value: program.Expression,
        type_: CType,
        annotation: Annotation,
        token: Token,
    ) -> None:
        """Write memory."""
        self.builder.emit(Store(address, value, held_as(type_), annotation, token.line))

    def initialise(self, name: str, element: int | None, initial: Expression | None, token: Token) -> None:
        """Give a variable that was just declared, or an element of it, its value (none given: 0)."""
        place = self._object(Name(name, token))
        value = self.value(initial).value if initial is not None else Constant(0, WORD)
        if element is not None:
            assert isinstance(place, _InMemory) and isinstance(place.type, ArrayOf)
            address = Typed(place.address, decayed(place.type))
            place = _InMemory(self._moved(address, Constant(element, WORD), token).value, place.type.element)
        self._write(place, value, token)

    def _assignment(self, operator: str, node: Expression, right: Expression, token: Token) -> Typed:
        place = self._object(node)
        if not operator:
            return self._write(place, self.value(right).value, token)
        old = self._read(place, token)
        return self._write(place, self.binary(operator, old, self.value(right), token).value, token)

    def _increment(self, operator: str, node: Expression, postfix: bool, token: Token) -> Typed:
        place = self._object(node)
        old = self._read(place, token)
        if postfix:
            old = Typed(self.builder.keep(old.value, token.line), old.type)
        new = self._write(place, self.binary(operator, old, Typed(Constant(1, WORD), Integer()), token).value, token)
        return old if postfix else new


_VOID = Integer()
_NOWHERE = Token("end", "", 0, 0)
_ZERO = Number(0, _NOWHERE)
_ONE = Number(1, _NOWHERE)


def target(type_: CType) -> CType:
    """Give the type that a pointer points at; an integer that is used as an address, as in herd7, is untyped."""
    return type_.target if isinstance(type_, PointerTo) else Integer()


def _step(type_: CType) -> int:
    return size(target(type_))


def _common(left: CType, right: CType) -> CType:
    return right if isinstance(right, PointerTo) else left
