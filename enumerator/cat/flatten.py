"""A model without its conditional statements and procedures, for given variants."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Union

from enumerator.cat import syntax
from enumerator.cat.kept import once_a_model
from enumerator.cat.syntax import Binding, Expression, Function, Model, Statement
from enumerator.cat.tree import check_depth, holds
from enumerator.frozen import dataclass

__all__ = ["FlatStatement", "declared_options", "flatten"]

MAX_STATEMENTS = 20_000
"""Statements of a model without its procedures: those that call each other twice grow exponentially."""

FlatStatement = Union[syntax.Let, syntax.Check, syntax.Show, syntax.Unshow, syntax.Choose, syntax.Final]


@once_a_model
def flatten(model: Model, variants: frozenset[str]) -> tuple[FlatStatement, ...]:
    """Select the branches of ``if "variant" … end`` and replace procedures by functions.

    Each check in a procedure becomes a function where the procedure is defined, under a name that no model can write,
    and a check of its result where the procedure is called. So a name in a procedure means what it means where the
    procedure is defined.

    Parameters
    ----------
    model : Model
    variants : frozenset of str
        The names for which ``if "name"`` is true.

    Returns
    -------
    tuple of Let, Check, Show, Unshow, Choose or Final

    Raises
    ------
    InputError
        For a procedure that is not defined, and a statement that may not be in a procedure.

    Examples
    --------
    >>> from enumerator.cat.parser import parse_text
    >>> model = parse_text('procedure p(x) = acyclic x as a end if "v" call p(po) end', "m.cat")
    >>> [type(statement).__name__ for statement in flatten(model, frozenset({"v"}))]
    ['Let', 'Check']
    """
    return tuple(_Flattener(variants).run(model.statements))


@once_a_model
def declared_options(model: Model) -> Mapping[str, tuple[str, ...]]:
    """Collect the ``variants`` statements: for each option its alternatives, the default first.

    Raises
    ------
    InputError
        If an option is declared twice in different ways, two options share an alternative, or a declaration
        stands inside another statement.
    """
    options: dict[str, tuple[str, ...]] = {}
    owner: dict[str, str] = {}
    for statement in _all(model.statements):
        if not isinstance(statement, syntax.Variants) or options.get(statement.option) == statement.alternatives:
            continue
        if not any(statement is top for top in model.statements):
            raise statement.position.error("'variants' must stand outside 'if' and 'procedure'")
        if statement.option in options:
            raise statement.position.error(f"'{statement.option}' has been declared with other alternatives")
        for alternative in statement.alternatives:
            if alternative in owner:
                message = f"'{alternative}' is already an alternative of '{owner[alternative]}'"
                raise statement.position.error(message)
            owner[alternative] = statement.option
        options[statement.option] = statement.alternatives
    return options


def _all(statements: Sequence[Statement]) -> Iterator[Statement]:
    for statement in statements:
        yield statement
        if isinstance(statement, syntax.IfStatement):
            yield from _all((*statement.then, *statement.otherwise))
        elif isinstance(statement, syntax.Procedure):
            yield from _all(statement.body)


@dataclass
class _Flattener:
    variants: frozenset[str]
    procedures: dict[str, tuple[syntax.Check | syntax.Show, ...]] = field(default_factory=dict)
    written: int = 0

    def run(self, statements: Sequence[Statement]) -> Iterator[FlatStatement]:
        for statement in statements:
            self.count(statement)
            match statement:
                case syntax.IfStatement(condition, then, otherwise, _):
                    yield from self.run(then if holds(condition, self.variants) else otherwise)
                case syntax.Procedure():
                    yield from self.procedure(statement)
                case syntax.CallProcedure():
                    yield from self.call(statement)
                case syntax.Variants():
                    pass
                case syntax.Include(file, position):
                    raise position.error(f"cannot find '{file}' to include")
                case _:
                    yield statement

    def count(self, statement: Statement) -> None:
        self.written += 1
        if self.written > MAX_STATEMENTS:
            raise statement.position.error(f"procedures expand to more than {MAX_STATEMENTS} statements")

    def procedure(self, procedure: syntax.Procedure) -> Iterator[syntax.Let]:
        """Define a function for each check, and keep the checks with calls of these functions."""
        local: list[syntax.Let] = []
        checks: list[syntax.Check | syntax.Show] = []
        for statement in self.run(procedure.body):
            match statement:
                case syntax.Let():
                    local.append(statement)
                case syntax.Check(body=body):
                    number = len(checks)
                    yield self.function(procedure, number, local, body)
                    checks.append(replace(statement, body=self.applied(procedure, number)))
                case syntax.Show(entries, position):
                    for name, shown in entries:
                        number = len(checks)
                        yield self.function(procedure, number, local, shown)
                        checks.append(syntax.Show(((name, self.applied(procedure, number)),), position))
                case syntax.Unshow():
                    pass
                case syntax.Choose() | syntax.Final():
                    raise statement.position.error("this statement cannot stand in a procedure")
        self.procedures[procedure.name] = tuple(checks)

    def function(
        self, procedure: syntax.Procedure, number: int, local: Sequence[syntax.Let], body: Expression
    ) -> syntax.Let:
        position = procedure.position
        for let in reversed(local):
            body = syntax.LetIn(let.bindings, let.recursive, body, let.position)
        check_depth(body)
        name = _function_name(procedure.name, number)
        function = Function(procedure.parameters, body, position, procedure.name)
        return syntax.Let((Binding((name,), function, position),), False, position)

    def applied(self, procedure: syntax.Procedure, number: int) -> syntax.Apply:
        position = procedure.position
        name = syntax.Variable(_function_name(procedure.name, number), position)
        return syntax.Apply(name, name, position)  # the argument is replaced at the call

    def call(self, call: syntax.CallProcedure) -> Iterator[syntax.Check | syntax.Show]:
        if call.name not in self.procedures:
            raise call.position.error(f"unknown procedure '{call.name}'")
        for template in self.procedures[call.name]:
            self.count(call)
            match template:
                case syntax.Check(body=syntax.Apply(function, _, _), name=name):
                    body = syntax.Apply(function, call.argument, call.position)
                    yield replace(template, body=body, name=name or call.label)
                case syntax.Show(((name, syntax.Apply(function, _, _)),), position):
                    yield syntax.Show(((name, syntax.Apply(function, call.argument, call.position)),), position)


def _function_name(procedure: str, number: int) -> str:
    return f"{procedure}#{number}"
