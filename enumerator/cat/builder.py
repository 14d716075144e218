"""How the syntax tree is built: one method for each rule of ``grammar.lark``, of the same name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from typing import Any, cast

from lark import Token, Transformer, v_args
from lark.lexer import Lexer, LexerState

from enumerator.cat.lexer import Lexeme
from enumerator.cat.syntax import (
    ASSERTION,
    Apply,
    Binary,
    Binding,
    CallProcedure,
    Check,
    Choose,
    Compound,
    Condition,
    Empty,
    Expression,
    Final,
    Function,
    Identity,
    If,
    IfStatement,
    Include,
    Let,
    LetIn,
    Match,
    Position,
    Procedure,
    SetOf,
    Show,
    Statement,
    Try,
    Tuple,
    Unary,
    Universe,
    Unshow,
    Variable,
    Variant,
    Variants,
)
from enumerator.cat.tree import check_depth, format_expression, start

__all__ = ["Builder", "ListLexer", "PlacedToken"]


class PlacedToken(Token):
    """A token with its position in a file."""

    position: Position


class ListLexer(Lexer):
    """Passes the tokens of :func:`enumerator.cat.lexer.tokenize` to lark; its input is (tokens, path)."""

    __future_interface__ = 2

    def __init__(self, lexer_conf: object) -> None:
        pass

    def lex(self, lexer_state: LexerState, parser_state: object) -> Iterator[Token]:
        lexemes, path = cast(tuple[list[Lexeme], str], lexer_state.text)
        for kind, text, line, column in lexemes:
            token = PlacedToken(kind, text, line=line, column=column)
            token.position = Position(path, line, column)
            yield token


Bindings = tuple[Binding, ...]
Formals = tuple[PlacedToken, ...]
Test = tuple[str, bool, Position]
Clause = tuple[tuple[str | None, ...], Expression]


@v_args(inline=True)
class Builder(Transformer[Token, Any]):
    """Builds the tree while parsing; the arguments of a method are the tokens and results of its rule, in order."""

    def start(self, title: str, statements: tuple[Statement, ...]) -> tuple[str, tuple[Statement, ...]]:
        return title, statements

    def no_title(self) -> str:
        return ""

    def title(self, *words: PlacedToken) -> str:
        return " ".join(words)

    def statements(self, *statements: Statement | tuple[Statement, ...]) -> tuple[Statement, ...]:
        return tuple(chain.from_iterable(each if isinstance(each, tuple) else (each,) for each in statements))

    # Statements

    def let(self, keyword: PlacedToken, bindings: Bindings, in_: PlacedToken | None = None) -> Let:
        return Let(bindings, False, keyword.position)

    def let_rec(
        self, keyword: PlacedToken, rec: PlacedToken, bindings: Bindings, in_: PlacedToken | None = None
    ) -> Let:
        return Let(bindings, True, keyword.position)

    def let_rec_when(
        self,
        keyword: PlacedToken,
        rec: PlacedToken,
        bindings: Bindings,
        when: PlacedToken,
        test: Test,
        body: Expression,
        *rest: PlacedToken,
    ) -> tuple[Statement, ...]:
        # herd checks at each step of the iteration; a test that is not negated, once failed, fails at the end, too
        if test[1]:
            place = test[2]
            message = "'when' with a negated test is not supported"
            raise place.error(message)
        name = rest[1] if len(rest) > 1 else None
        return Let(bindings, True, keyword.position), _check("axiom", test, body, name, test[2])

    def plain_test(self, test: PlacedToken) -> Test:
        return str(test), False, test.position

    def negated_test(self, complement: PlacedToken, test: PlacedToken) -> Test:
        return str(test), True, complement.position

    def predicate(self, token: PlacedToken) -> PlacedToken:
        return token

    def check(
        self, test: Test, body: Expression, as_: PlacedToken | None = None, name: PlacedToken | None = None
    ) -> Check:
        return _check("axiom", test, body, name, test[2])

    def special_check(
        self,
        kind: PlacedToken,
        test: Test,
        body: Expression,
        as_: PlacedToken | None = None,
        name: PlacedToken | None = None,
    ) -> Check:
        return _check(str(kind), test, body, name, kind.position)

    def assertion(
        self,
        keyword: PlacedToken,
        test: Test,
        body: Expression,
        as_: PlacedToken | None = None,
        name: PlacedToken | None = None,
    ) -> Check:
        check = _check("flag", test, body, name, keyword.position)
        label = check.name or f"in line {keyword.position.line}"
        return replace(check, negated=not check.negated, name=f"{ASSERTION}{label}")

    def show_as(self, keyword: PlacedToken, body: Expression, as_: PlacedToken, name: PlacedToken) -> Show:
        return Show(((str(name), body),), keyword.position)

    def show(self, keyword: PlacedToken, names: tuple[PlacedToken, ...]) -> Show:
        return Show(tuple((str(name), Variable(str(name), name.position)) for name in names), keyword.position)

    def unshow(self, keyword: PlacedToken, names: tuple[PlacedToken, ...]) -> Unshow:
        return Unshow(tuple(map(str, names)), keyword.position)

    def include(self, keyword: PlacedToken, file: PlacedToken) -> Include:
        return Include(str(file), keyword.position)

    def choose(self, keyword: PlacedToken, name: PlacedToken, from_: PlacedToken, source: Expression) -> Choose:
        return Choose(str(name), source, keyword.position)

    def final(self, keyword: PlacedToken, body: Expression) -> Final:
        return Final(body, keyword.position)

    def variants(
        self, keyword: PlacedToken, option: PlacedToken, equal: PlacedToken, names: tuple[PlacedToken, ...]
    ) -> Variants:
        return Variants(str(option), tuple(map(str, names)), keyword.position)

    def procedure(
        self,
        keyword: PlacedToken,
        name: PlacedToken,
        left: PlacedToken,
        parameters: Formals,
        right: PlacedToken,
        equal: PlacedToken,
        body: tuple[Statement, ...],
        end: PlacedToken,
    ) -> Procedure:
        return Procedure(str(name), _pattern(parameters), body, keyword.position)

    def procedure_of_none(
        self,
        keyword: PlacedToken,
        name: PlacedToken,
        left: PlacedToken,
        right: PlacedToken,
        equal: PlacedToken,
        body: tuple[Statement, ...],
        end: PlacedToken,
    ) -> Procedure:
        return Procedure(str(name), (), body, keyword.position)

    def procedure_of_one(
        self,
        keyword: PlacedToken,
        name: PlacedToken,
        parameter: PlacedToken,
        equal: PlacedToken,
        body: tuple[Statement, ...],
        end: PlacedToken,
    ) -> Procedure:
        return Procedure(str(name), _pattern((parameter,)), body, keyword.position)

    def call(
        self,
        keyword: PlacedToken,
        procedure: PlacedToken,
        argument: Expression,
        as_: PlacedToken | None = None,
        name: PlacedToken | None = None,
    ) -> CallProcedure:
        label = None if name is None else str(name)
        return CallProcedure(str(procedure), argument, keyword.position, label)

    def if_statement(
        self,
        keyword: PlacedToken,
        condition: Condition,
        then: tuple[Statement, ...],
        else_or_end: PlacedToken,
        otherwise: tuple[Statement, ...] = (),
        end: PlacedToken | None = None,
    ) -> IfStatement:
        return IfStatement(condition, then, otherwise, keyword.position)

    # Parts of statements

    def names(self, *tokens: PlacedToken) -> tuple[PlacedToken, ...]:
        return tokens[::2]

    def alternatives(self, *tokens: PlacedToken) -> tuple[PlacedToken, ...]:
        return tokens[::2]

    def variant(self, name: PlacedToken) -> Condition:
        return Variant(str(name))

    def not_variant(self, keyword: PlacedToken, condition: Condition) -> Condition:
        return Compound("not", (condition,))

    def compound(self, left: Condition, operator: PlacedToken, right: Condition) -> Condition:
        return Compound(str(operator), (left, right))

    def bindings(self, *parts: Binding | PlacedToken) -> Bindings:
        return tuple(part for part in parts if isinstance(part, Binding))

    def formal(self, token: PlacedToken) -> PlacedToken:
        return token

    def formals(self, *tokens: PlacedToken) -> Formals:
        return tokens[::2]

    # Definitions

    def bind(self, names: Formals, equal: PlacedToken, body: Expression) -> Binding:
        return Binding(_pattern(names), body, names[0].position)

    def bind_tuple(
        self, left: PlacedToken, names: Formals, right: PlacedToken, equal: PlacedToken, body: Expression
    ) -> Binding:
        return Binding(_pattern(names), body, left.position)

    def bind_nothing(self, left: PlacedToken, right: PlacedToken, equal: PlacedToken, body: Expression) -> Binding:
        return Binding((), body, left.position)

    def define(self, name: PlacedToken, parameter: PlacedToken, equal: PlacedToken, body: Expression) -> Binding:
        return _definition(name, (parameter,), body)

    def define_tuple(
        self,
        name: PlacedToken,
        left: PlacedToken,
        parameters: Formals,
        right: PlacedToken,
        equal: PlacedToken,
        body: Expression,
    ) -> Binding:
        return _definition(name, parameters, body)

    def define_nothing(
        self, name: PlacedToken, left: PlacedToken, right: PlacedToken, equal: PlacedToken, body: Expression
    ) -> Binding:
        return _definition(name, (), body)

    # Expressions

    def let_in(self, keyword: PlacedToken, bindings: Bindings, in_: PlacedToken, body: Expression) -> LetIn:
        return LetIn(bindings, False, body, keyword.position)

    def let_rec_in(
        self, keyword: PlacedToken, rec: PlacedToken, bindings: Bindings, in_: PlacedToken, body: Expression
    ) -> LetIn:
        return LetIn(bindings, True, body, keyword.position)

    def fun(self, keyword: PlacedToken, parameter: PlacedToken, arrow: PlacedToken, body: Expression) -> Function:
        return Function(_pattern((parameter,)), body, keyword.position)

    def fun_tuple(
        self,
        keyword: PlacedToken,
        left: PlacedToken,
        parameters: Formals,
        right: PlacedToken,
        arrow: PlacedToken,
        body: Expression,
    ) -> Function:
        return Function(_pattern(parameters), body, keyword.position)

    def fun_nothing(
        self, keyword: PlacedToken, left: PlacedToken, right: PlacedToken, arrow: PlacedToken, body: Expression
    ) -> Function:
        return Function((), body, keyword.position)

    def try_with(self, keyword: PlacedToken, body: Expression, with_: PlacedToken, fallback: Expression) -> Try:
        return Try(body, fallback, keyword.position)

    def if_then(
        self,
        keyword: PlacedToken,
        condition: Condition,
        then_: PlacedToken,
        then: Expression,
        else_: PlacedToken,
        otherwise: Expression,
    ) -> If:
        return If(condition, then, otherwise, keyword.position)

    def match(
        self,
        keyword: PlacedToken,
        body: Expression,
        with_: PlacedToken,
        clauses: tuple[Clause, ...],
        end: PlacedToken,
    ) -> Match:
        place = keyword.position
        if sorted(len(clause[0]) for clause in clauses) != [0, 2]:
            message = "'match' needs the clauses '{} -> …' and 'x ++ xs -> …', each once"
            raise place.error(message)
        (_, empty), ((element, others), otherwise) = sorted(clauses, key=lambda clause: len(clause[0]))
        return Match(body, empty, element, others, otherwise, place)

    def clauses(self, *parts: Clause | PlacedToken) -> tuple[Clause, ...]:
        return tuple(part for part in parts if not isinstance(part, PlacedToken))

    def clause_empty(self, left: PlacedToken, right: PlacedToken, arrow: PlacedToken, body: Expression) -> Clause:
        return (), body

    def clause_element(
        self, element: PlacedToken, add: PlacedToken, others: PlacedToken, arrow: PlacedToken, body: Expression
    ) -> Clause:
        return _pattern((element, others)), body

    def tuple_of(self, *parts: Expression | PlacedToken) -> Tuple:
        elements = tuple(part for part in parts if not isinstance(part, PlacedToken))
        return Tuple(elements, start(elements[0]))

    def binary(self, left: Expression, operator: PlacedToken, right: Expression) -> Binary:
        return Binary(str(operator), left, right, operator.position)

    def complement(self, operator: PlacedToken, body: Expression) -> Unary:
        return Unary("~", body, operator.position)

    def closure(self, body: Expression, operator: PlacedToken) -> Unary:
        return Unary(str(operator), body, start(body))

    def apply(self, function: Expression, argument: Expression) -> Apply:
        return Apply(function, argument, start(function))

    def variable(self, name: PlacedToken) -> Variable:
        return Variable(str(name), name.position)

    def zero(self, token: PlacedToken) -> Empty:
        return Empty(token.position)

    def universe(self, token: PlacedToken) -> Universe:
        return Universe(token.position)

    def empty_set(self, left: PlacedToken, right: PlacedToken) -> SetOf:
        return SetOf((), left.position)

    def set_of(self, left: PlacedToken, elements: tuple[Expression, ...], right: PlacedToken) -> SetOf:
        return SetOf(elements, left.position)

    def elements(self, *parts: Expression | PlacedToken) -> tuple[Expression, ...]:
        return tuple(part for part in parts if not isinstance(part, PlacedToken))

    def identity(self, left: PlacedToken, body: Expression, right: PlacedToken) -> Identity:
        return Identity(body, left.position)

    def unit(self, left: PlacedToken, right: PlacedToken) -> Tuple:
        return Tuple((), left.position)

    def group(self, left: PlacedToken, body: Expression, right: PlacedToken) -> Expression:
        return body


def _check(kind: str, test: Test, body: Expression, name: PlacedToken | None, position: Position) -> Check:
    word, negated, _ = test
    check_depth(body)
    text = f"{'~' if negated else ''}{word} {format_expression(body)}"
    return Check(kind, word, negated, body, None if name is None else str(name), position, text)


def _definition(name: PlacedToken, parameters: Formals, body: Expression) -> Binding:
    function = Function(_pattern(parameters), body, name.position, str(name))
    return Binding((str(name),), function, name.position)


def _pattern(tokens: Formals) -> tuple[str | None, ...]:
    """Give the names of parameters, None for ``_``; the same name twice is an error."""
    seen: set[str] = set()
    for token in tokens:
        if token in seen:
            raise token.position.error(f"'{token}' occurs twice")
        if token.type == "NAME":
            seen.add(str(token))
    return tuple(str(token) if token.type == "NAME" else None for token in tokens)
