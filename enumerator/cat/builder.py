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
from enumerator.clock import check_time

__all__ = ["Builder", "ListLexer", "PlacedToken"]

_SILENT = frozenset("REC AND IN AS BEGIN END FROM THEN ELSE NOT RPAR RBRACE RSQB EQUAL COMMA ARROW WHEN".split())
"""Types of tokens that the tree needs nothing of: the grammar has them with ``_`` before them."""


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
            check_time()
            token = PlacedToken(f"_{kind}" if kind in _SILENT else kind, text, line=line, column=column)
            token.position = Position(path, line, column)
            yield token


Bindings = tuple[Binding, ...]
Formals = tuple[tuple[PlacedToken, ...], Position]
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

    def let(self, keyword: PlacedToken, bindings: Bindings) -> Let:
        return Let(bindings, False, keyword.position)

    def let_rec(self, keyword: PlacedToken, bindings: Bindings) -> Let:
        return Let(bindings, True, keyword.position)

    def let_rec_when(
        self, keyword: PlacedToken, bindings: Bindings, test: Test, body: Expression, name: PlacedToken | None = None
    ) -> tuple[Statement, ...]:
        # herd checks at each step of the iteration; a test that is not negated, once failed, fails at the end, too
        if test[1]:
            raise test[2].error("'when' with a negated test is not supported")
        return Let(bindings, True, keyword.position), self.check(test, body, name)

    def plain_test(self, test: PlacedToken) -> Test:
        return str(test), False, test.position

    def negated_test(self, complement: PlacedToken, test: PlacedToken) -> Test:
        return str(test), True, complement.position

    def check(self, test: Test, body: Expression, name: PlacedToken | None = None) -> Check:
        return _check("axiom", test, body, name, test[2])

    def special_check(self, kind: PlacedToken, test: Test, body: Expression, name: PlacedToken | None = None) -> Check:
        return _check(str(kind), test, body, name, kind.position)

    def assertion(self, keyword: PlacedToken, test: Test, body: Expression, name: PlacedToken | None = None) -> Check:
        check = _check("flag", test, body, name, keyword.position)
        label = check.name or f"in line {keyword.position.line}"
        return replace(check, negated=not check.negated, name=f"{ASSERTION}{label}")

    def show_as(self, keyword: PlacedToken, body: Expression, name: PlacedToken) -> Show:
        return Show(((str(name), body),), keyword.position)

    def show(self, keyword: PlacedToken, names: tuple[PlacedToken, ...]) -> Show:
        return Show(tuple((str(name), Variable(str(name), name.position)) for name in names), keyword.position)

    def unshow(self, keyword: PlacedToken, names: tuple[PlacedToken, ...]) -> Unshow:
        return Unshow(tuple(map(str, names)), keyword.position)

    def include(self, keyword: PlacedToken, file: PlacedToken) -> Include:
        return Include(str(file), keyword.position)

    def choose(self, keyword: PlacedToken, name: PlacedToken, source: Expression) -> Choose:
        return Choose(str(name), source, keyword.position)

    def final(self, keyword: PlacedToken, body: Expression) -> Final:
        return Final(body, keyword.position)

    def variants(self, keyword: PlacedToken, option: PlacedToken, names: tuple[PlacedToken, ...]) -> Variants:
        return Variants(str(option), tuple(map(str, names)), keyword.position)

    def procedure(
        self, keyword: PlacedToken, name: PlacedToken, parameters: Formals, body: tuple[Statement, ...]
    ) -> Procedure:
        return Procedure(str(name), _pattern(parameters), body, keyword.position)

    def call(
        self, keyword: PlacedToken, procedure: PlacedToken, argument: Expression, name: PlacedToken | None = None
    ) -> CallProcedure:
        return CallProcedure(str(procedure), argument, keyword.position, None if name is None else str(name))

    def if_statement(
        self,
        keyword: PlacedToken,
        condition: Condition,
        then: tuple[Statement, ...],
        otherwise: tuple[Statement, ...] = (),
    ) -> IfStatement:
        return IfStatement(condition, then, otherwise, keyword.position)

    # Parts of statements

    def names(self, *names: PlacedToken) -> tuple[PlacedToken, ...]:
        return names

    def alternatives(self, *tokens: PlacedToken) -> tuple[PlacedToken, ...]:
        return tokens[::2]

    def variant(self, name: PlacedToken) -> Condition:
        return Variant(str(name))

    def not_variant(self, condition: Condition) -> Condition:
        return Compound("not", (condition,))

    def compound(self, left: Condition, operator: PlacedToken, right: Condition) -> Condition:
        return Compound(str(operator), (left, right))

    # Definitions

    def bindings(self, *bindings: Binding) -> Bindings:
        return bindings

    def bind(self, names: Formals, body: Expression) -> Binding:
        return Binding(_pattern(names), body, names[1])

    def define(self, name: PlacedToken, parameters: Formals, body: Expression) -> Binding:
        function = Function(_pattern(parameters), body, name.position, str(name))
        return Binding((str(name),), function, name.position)

    def formals(self, *tokens: PlacedToken) -> Formals:
        return tokens, tokens[0].position

    def in_parentheses(self, left: PlacedToken, formals: Formals | None = None) -> Formals:
        return formals[0] if formals else (), left.position

    # Expressions

    def let_in(self, keyword: PlacedToken, bindings: Bindings, body: Expression) -> LetIn:
        return LetIn(bindings, False, body, keyword.position)

    def let_rec_in(self, keyword: PlacedToken, bindings: Bindings, body: Expression) -> LetIn:
        return LetIn(bindings, True, body, keyword.position)

    def fun(self, keyword: PlacedToken, parameters: Formals, body: Expression) -> Function:
        return Function(_pattern(parameters), body, keyword.position)

    def try_with(self, keyword: PlacedToken, body: Expression, with_: PlacedToken, fallback: Expression) -> Try:
        return Try(body, fallback, keyword.position)

    def if_then(self, keyword: PlacedToken, condition: Condition, then: Expression, otherwise: Expression) -> If:
        return If(condition, then, otherwise, keyword.position)

    def match(self, keyword: PlacedToken, body: Expression, with_: PlacedToken, clauses: tuple[Clause, ...]) -> Match:
        place = keyword.position
        if sorted(len(clause[0]) for clause in clauses) != [0, 2]:
            raise place.error("'match' needs the clauses '{} -> …' and 'x ++ xs -> …', each once")
        (_, empty), ((element, others), otherwise) = sorted(clauses, key=lambda clause: len(clause[0]))
        return Match(body, empty, element, others, otherwise, place)

    def clauses(self, *parts: Clause | PlacedToken) -> tuple[Clause, ...]:
        return tuple(part for part in parts if not isinstance(part, PlacedToken))

    def clause_empty(self, left: PlacedToken, body: Expression) -> Clause:
        return (), body

    def clause_element(self, element: PlacedToken, add: PlacedToken, others: PlacedToken, body: Expression) -> Clause:
        return _pattern(((element, others), element.position)), body

    def tuple_of(self, *elements: Expression) -> Tuple:
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

    def set_of(self, left: PlacedToken, elements: tuple[Expression, ...] = ()) -> SetOf:
        return SetOf(elements, left.position)

    def elements(self, *elements: Expression) -> tuple[Expression, ...]:
        return elements

    def identity(self, left: PlacedToken, body: Expression) -> Identity:
        return Identity(body, left.position)

    def unit(self, left: PlacedToken) -> Tuple:
        return Tuple((), left.position)

    def group(self, *parts: Any) -> Any:
        return parts[-1]


def _check(kind: str, test: Test, body: Expression, name: PlacedToken | None, position: Position) -> Check:
    word, negated, _ = test
    check_depth(body)
    text = f"{'~' if negated else ''}{word} {format_expression(body)}"
    return Check(kind, word, negated, body, None if name is None else str(name), position, text)


def _pattern(formals: Formals) -> tuple[str | None, ...]:
    """Give the names of parameters, None for ``_``; the same name twice is an error."""
    seen: set[str] = set()
    for token in formals[0]:
        if token in seen:
            raise token.position.error(f"'{token}' occurs twice")
        if token.type == "NAME":
            seen.add(str(token))
    return tuple(str(token) if token.type == "NAME" else None for token in formals[0])
