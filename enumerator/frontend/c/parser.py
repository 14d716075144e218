"""From tokens to the syntax tree of threads: the grammar of C's statements and expressions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from enumerator.frontend.c.lexer import Cursor, Token
from enumerator.frontend.c.syntax import (
    AddressOf,
    Assignment,
    Binary,
    Break,
    Call,
    Cast,
    Comma,
    Compound,
    Conditional,
    Continue,
    Declaration,
    Dereference,
    Expression,
    ExpressionStatement,
    If,
    Increment,
    Index,
    Logical,
    Loop,
    Name,
    Number,
    Parameter,
    Return,
    Statement,
    ThreadCode,
    Unary,
)
from enumerator.frontend.c.types import (
    ArrayOf,
    CType,
    PointerTo,
    parse_array_size,
    parse_base,
    parse_number,
    parse_pointers,
    starts_type,
)

if TYPE_CHECKING:
    from enumerator.frontend.c.dialect import Dialect

__all__ = ["at_thread", "parse_thread"]

_THREAD = re.compile(r"P(?:0|[1-9][0-9]{0,5})")
_DEEPEST = 100
"""Nesting of statements and expressions."""

_LONGEST = 300
"""Operators in a row."""

_LEVELS = (
    ("||",),
    ("&&",),
    ("|",),
    ("^",),
    ("&",),
    ("==", "!="),
    ("<", ">", "<=", ">="),
    ("<<", ">>"),
    ("+", "-"),
    ("*", "/", "%"),
)
"""Binary operators, from the weakest to the one that binds most tightly."""

_PRECEDENCE = {operator: level for level, operators in enumerate(_LEVELS) for operator in operators}
_ASSIGNMENTS = frozenset("= += -= *= /= %= &= |= ^= <<= >>=".split())
_RESERVED = frozenset(
    "if else while do for break continue return switch case default goto sizeof typedef struct union enum".split()
)
_CONSTANTS = {"NULL": 0, "true": 1, "false": 0}


def at_thread(cursor: Cursor) -> bool:
    """Tell whether a thread starts here: ``P0 (``, or ``void P0 (``."""
    name = cursor.ahead(1) if cursor.text == "void" else cursor.token
    return _THREAD.fullmatch(name.text) is not None


def parse_thread(cursor: Cursor, dialect: Dialect) -> ThreadCode:
    """Parse a thread.

    Parameters
    ----------
    cursor : Cursor
        At the thread's name.
    dialect : Dialect

    Returns
    -------
    ThreadCode

    Raises
    ------
    InputError
        At the first token that fits into no C that is covered.
    """
    return _Parser(cursor, dialect).thread()


class _Parser:
    """Reads statements and expressions; each ``with self`` is a level deeper."""

    def __init__(self, cursor: Cursor, dialect: Dialect) -> None:
        self._cursor = cursor
        self._dialect = dialect
        self._depth = 0

    def __enter__(self) -> None:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise self._cursor.error(f"nested too deep: statements and expressions nest to {_DEEPEST} levels")

    def __exit__(self, *_: object) -> None:
        self._depth -= 1

    def _repeated(self) -> Iterator[None]:
        """Give something for each operator in a row, as long as these are not too many."""
        for _ in range(_LONGEST):
            yield
        raise self._cursor.error(f"more than {_LONGEST} operators in a row")

    # -- threads ---------------------------------------------------------------------------------------------

    def thread(self) -> ThreadCode:
        cursor = self._cursor
        cursor.accept("void")
        token = cursor.name("a thread")
        self._dialect.head(cursor, token)
        cursor.expect("(")
        parameters: list[Parameter] = []
        if cursor.text == "void" and cursor.ahead(1).text == ")":
            cursor.next()
        while not cursor.accept(")"):
            if parameters:
                cursor.expect(",")
            parameter = self._parameter()
            if any(parameter.name == other.name for other in parameters):
                raise cursor.error(f"a second parameter {parameter.name}", parameter.token)
            parameters.append(parameter)
        if cursor.text != "{":
            cursor.unexpected("'{' and the code of the thread")
        return ThreadCode(int(token.text[1:]), tuple(parameters), self._compound(), token)

    def _parameter(self) -> Parameter:
        cursor = self._cursor
        type_ = parse_pointers(cursor, parse_base(cursor))
        token = self._declared_name()
        if parse_array_size(cursor) is not None:
            type_ = PointerTo(type_)
        if cursor.text not in (",", ")"):
            cursor.unexpected("',' or ')' behind a parameter")
        return Parameter(type_, token.text, token)

    def _declared_name(self) -> Token:
        cursor = self._cursor
        if cursor.text == "(":
            raise cursor.error("pointers to functions and to arrays are not covered")
        token = cursor.token
        if token.text in _RESERVED or token.text in _CONSTANTS or starts_type(token):
            cursor.unexpected("a name")
        return cursor.name("a name")

    # -- statements ------------------------------------------------------------------------------------------

    def _compound(self) -> Compound:
        cursor = self._cursor
        token = cursor.expect("{")
        body: list[Statement] = []
        while not cursor.accept("}"):
            if cursor.token.kind == "end":
                cursor.unexpected(f"the '}}' of the '{{' in line {token.line}")
            body.append(self._statement())
        return Compound(tuple(body), token)

    def _statement(self) -> Statement:
        with self:
            return self._any_statement()

    def _any_statement(self) -> Statement:
        cursor = self._cursor
        token = cursor.token
        match token.text:
            case "{":
                return self._compound()
            case ";":
                return Compound((), cursor.next())
            case "if":
                return self._if()
            case "while" | "do" | "for":
                return self._loop()
            case "break" | "continue":
                cursor.next()
                cursor.expect(";")
                return Break(token) if token.text == "break" else Continue(token)
            case "return":
                cursor.next()
                value = None if cursor.text == ";" else self._expression()
                cursor.expect(";")
                return Return(value, token)
            case "switch" | "goto" | "case" | "default":
                raise cursor.error(f"{token.text}: this statement is not covered")
        if token.kind == "word" and cursor.ahead(1).text == ":":
            return self._labelled()
        if starts_type(token):
            return self._declaration()
        if token.kind == "word" and cursor.ahead(1).kind == "word":
            raise cursor.error(f"unknown type {token.text!r}")
        statement = ExpressionStatement(self._expression(), token)
        cursor.expect(";")
        return statement

    def _labelled(self) -> Statement:
        """Parse a call whose label says something to the function."""
        cursor = self._cursor
        label = self._dialect.label(cursor.token)
        if label is None:
            raise cursor.error("labels are not covered")
        cursor.next()
        cursor.next()
        token = cursor.token
        called = self._expression()
        cursor.expect(";")
        if not isinstance(called, Call):
            raise cursor.error("expected a call of a barrier behind its label", token)
        return ExpressionStatement(replace(called, label=label), token)

    def _if(self) -> If:
        cursor = self._cursor
        token = cursor.next()
        condition = self._parenthesised()
        then = self._statement()
        otherwise = self._statement() if cursor.accept("else") else None
        return If(condition, then, otherwise, token)

    def _loop(self) -> Loop:
        cursor = self._cursor
        token = cursor.next()
        if token.text == "while":
            condition = self._parenthesised()
            return Loop(None, condition, None, self._statement(), False, token)
        if token.text == "do":
            body = self._statement()
            cursor.expect("while")
            condition = self._parenthesised()
            cursor.expect(";")
            return Loop(None, condition, None, body, True, token)
        cursor.expect("(")
        initial: Statement | None = None
        if starts_type(cursor.token):
            initial = self._declaration()
        elif not cursor.accept(";"):
            initial = ExpressionStatement(self._expression(), cursor.token)
            cursor.expect(";")
        test = None if cursor.text == ";" else self._expression()
        cursor.expect(";")
        step = None if cursor.text == ")" else self._expression()
        cursor.expect(")")
        return Loop(initial, test, step, self._statement(), False, token)

    def _parenthesised(self) -> Expression:
        self._cursor.expect("(")
        expression = self._expression()
        self._cursor.expect(")")
        return expression

    def _declaration(self) -> Statement:
        cursor = self._cursor
        start = cursor.token
        base = parse_base(cursor)
        declared = [self._declared(base)]
        while cursor.accept(","):
            declared.append(self._declared(base))
        cursor.expect(";")
        return declared[0] if len(declared) == 1 else Compound(tuple(declared), start, scope=False)

    def _declared(self, base: CType) -> Declaration:
        cursor = self._cursor
        type_ = parse_pointers(cursor, base)
        token = self._declared_name()
        count = parse_array_size(cursor)
        initial: list[Expression] = []
        if cursor.accept("="):
            if count is None:
                initial.append(self._assignment())
            else:
                initial = self._initial_elements()
        if count is not None:
            if count == 0 and not initial:
                raise cursor.error(f"the array {token.text} needs a number of elements", token)
            if len(initial) > (count or len(initial)):
                raise cursor.error(f"more values than the array {token.text} has elements", token)
            type_ = ArrayOf(type_, count or len(initial))
        return Declaration(type_, token.text, tuple(initial), token)

    def _initial_elements(self) -> list[Expression]:
        cursor = self._cursor
        cursor.expect("{")
        initial = [self._assignment()]
        while cursor.accept(",") and cursor.text != "}":
            initial.append(self._assignment())
        cursor.expect("}")
        return initial

    # -- expressions -----------------------------------------------------------------------------------------

    def _expression(self) -> Expression:
        left = self._assignment()
        row = self._repeated()
        while token := self._cursor.accept(","):
            next(row)
            left = Comma(left, self._assignment(), token)
        return left

    def _assignment(self) -> Expression:
        with self:
            left = self._conditional()
            if self._cursor.text not in _ASSIGNMENTS:
                return left
            token = self._cursor.next()
            return Assignment(token.text[:-1], left, self._assignment(), token)

    def _conditional(self) -> Expression:
        condition = self._binary(0)
        token = self._cursor.accept("?")
        if token is None:
            return condition
        then = self._expression()
        self._cursor.expect(":")
        return Conditional(condition, then, self._assignment(), token)

    def _binary(self, weakest: int) -> Expression:
        left = self._unary()
        row = self._repeated()
        while (level := _PRECEDENCE.get(self._cursor.text, -1)) >= weakest:
            next(row)
            token = self._cursor.next()
            right = self._binary(level + 1)
            kind = Logical if token.text in ("&&", "||") else Binary
            left = kind(token.text, left, right, token)
        return left

    def _unary(self) -> Expression:
        with self:
            return self._any_unary()

    def _any_unary(self) -> Expression:
        cursor = self._cursor
        token = cursor.token
        match token.text:
            case "-" | "+" | "~" | "!":
                cursor.next()
                return Unary(token.text, self._unary(), token)
            case "*":
                cursor.next()
                return Dereference(self._unary(), token)
            case "&":
                cursor.next()
                return AddressOf(self._unary(), token)
            case "++" | "--":
                cursor.next()
                return Increment(token.text[0], self._unary(), False, token)
            case "(" if starts_type(cursor.ahead(1)):
                cursor.next()
                type_ = parse_pointers(cursor, parse_base(cursor))
                cursor.expect(")")
                return Cast(type_, self._unary(), token)
            case "sizeof":
                raise cursor.error("sizeof is not covered: all integers have one size here")
        return self._postfix()

    def _postfix(self) -> Expression:
        cursor = self._cursor
        expression = self._primary()
        for _ in self._repeated():
            token = cursor.token
            match token.text:
                case "[":
                    cursor.next()
                    expression = Index(expression, self._expression(), token)
                    cursor.expect("]")
                case "++" | "--":
                    cursor.next()
                    expression = Increment(token.text[0], expression, True, token)
                case "." | "->":
                    raise cursor.error("structs are not covered")
                case _:
                    break
        return expression

    def _primary(self) -> Expression:
        cursor = self._cursor
        token = cursor.token
        if cursor.accept("("):
            expression = self._expression()
            cursor.expect(")")
            return expression
        if token.kind == "number":
            return Number(parse_number(cursor), token)
        if token.kind != "word" or token.text in _RESERVED or starts_type(token):
            cursor.unexpected("an expression")
        cursor.next()
        if token.text in _CONSTANTS:
            return Number(_CONSTANTS[token.text], token)
        if not cursor.accept("("):
            return Name(token.text, token)
        arguments: list[Expression] = []
        while not cursor.accept(")"):
            if arguments:
                cursor.expect(",")
            arguments.append(self._assignment())
        return Call(token.text, tuple(arguments), token)
