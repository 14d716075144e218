"""From C statements to basic blocks."""

from __future__ import annotations

from enumerator.frontend.c.builder import Builder
from enumerator.frontend.c.expressions import Expressions
from enumerator.frontend.c.syntax import (
    Break,
    Compound,
    Continue,
    Declaration,
    ExpressionStatement,
    If,
    Loop,
    Return,
    Statement,
)
from enumerator.frontend.c.types import ArrayOf
from enumerator.frontend.c.variables import Variables
from enumerator.program.instructions import Jump
from enumerator.program.instructions import Return as Leave

__all__ = ["Statements"]


class Statements:
    """Carries out the statements of a thread.

    Parameters
    ----------
    builder : Builder
    variables : Variables
    expressions : Expressions
    """

    def __init__(self, builder: Builder, variables: Variables, expressions: Expressions) -> None:
        self._builder = builder
        self._variables = variables
        self._expressions = expressions
        self._loops: list[tuple[str, str]] = []  # for each, innermost last, where continue and break go

    def run(self, statement: Statement) -> None:
        """Carry out a statement."""
        match statement:
            case Declaration():
                self._declare(statement)
            case ExpressionStatement(expression):
                self._expressions.effect(expression)
            case Compound(body, _, scope):
                if scope:
                    self._variables.enter()
                for part in body:
                    self.run(part)
                if scope:
                    self._variables.leave()
            case If():
                self._if(statement)
            case Loop():
                self._loop(statement)
            case Break(token) | Continue(token):
                if not self._loops:
                    raise self._expressions.error(f"{token.text} outside of a loop", token)
                self._builder.end(Jump(self._loops[-1][token.text == "break"], token.line))
            case Return(value, token):
                if value is not None:
                    self._expressions.effect(value)
                self._builder.end(Leave(None, token.line))

    def _declare(self, declaration: Declaration) -> None:
        type_, name, token = declaration.type, declaration.name, declaration.token
        if isinstance(type_, ArrayOf):
            self._variables.declare(name, type_)
            for place in range(type_.count if declaration.initial else 0):
                initial = declaration.initial[place] if place < len(declaration.initial) else None
                self._expressions.initialise(name, place, initial, token)
            return
        self._variables.declare(name, type_)
        if declaration.initial:
            self._expressions.initialise(name, None, declaration.initial[0], token)

    def _if(self, statement: If) -> None:
        builder, line = self._builder, statement.token.line
        condition = self._expressions.truth(statement.condition)
        then, after = builder.block(), builder.block()
        otherwise = builder.block() if statement.otherwise is not None else after
        builder.branch(condition, then, otherwise, line)
        builder.start(then)
        self._scoped(statement.then)
        builder.end(Jump(after, line))
        if statement.otherwise is not None:
            builder.start(otherwise)
            self._scoped(statement.otherwise)
        builder.start(after)

    def _loop(self, loop: Loop) -> None:
        builder, line = self._builder, loop.token.line
        self._variables.enter()
        if loop.initial is not None:
            self.run(loop.initial)
        test, body, step, after = (builder.block() for _ in range(4))
        builder.end(Jump(body if loop.tested_last else test, line))
        builder.start(body)
        self._loops.append((step, after))
        self._scoped(loop.body)
        self._loops.pop()
        builder.start(step)
        if loop.step is not None:
            self._expressions.effect(loop.step)
        builder.start(test)
        if loop.condition is not None:
            builder.branch(self._expressions.truth(loop.condition), body, after, line)
        else:
            builder.end(Jump(body, line))
        builder.start(after)
        self._variables.leave()

    def _scoped(self, statement: Statement) -> None:
        """Carry out a statement in a block of its own."""
        self._variables.enter()
        self.run(statement)
        self._variables.leave()
