"""The static check of a model: of its statements, with the types of their expressions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from enumerator.cat.choices import is_native, order_name
from enumerator.cat.declarations import Declarations
from enumerator.cat.flatten import FlatStatement, declared_options, flatten
from enumerator.cat.inference import BuiltInType, Inference, Kind, Names, SetOrRelation, Type, shown, word
from enumerator.cat.predefined import UNDEF_SET, predefined
from enumerator.cat.syntax import (
    Apply,
    Check,
    Choose,
    Expression,
    Final,
    Let,
    LetIn,
    Model,
    Position,
    Show,
    Unshow,
    Variable,
)
from enumerator.cat.tree import check_depth, start, variables
from enumerator.frozen import dataclass

__all__ = ["Declarations", "check_model"]

_ORDERS = ("generate_orders", "generate_cos", "linearisations")


def check_model(model: Model, variants: frozenset[str], labels: frozenset[str]) -> Declarations:
    """Check a model, and collect what it declares.

    Parameters
    ----------
    model : Model
        With its includes.
    variants : frozenset of str
        The variants that are selected.
    labels : frozenset of str
        Names of sets besides the predefined ones.

    Returns
    -------
    Declarations

    Raises
    ------
    InputError
        With the place of the operand, name or statement that is wrong.

    See Also
    --------
    enumerator.cat.typing.world : the same, kept for each model.
    """
    options = declared_options(model)
    statements = flatten(model, variants)
    checker = _Checker(Inference(variants, labels, order_name(statements)))
    for statement in statements:
        try:
            checker.check(statement)
        except RecursionError:
            raise statement.position.error("the model nests functions too deeply") from None
    return Declarations(
        checker.order,
        checker.undef,
        None if checker.undef is None else UNDEF_SET,
        checker.final,
        options,
        checker.inference.returns,
        tuple(checker.unshown.items()),
    )


@dataclass
class _Checker:
    """The state while the statements of a model are checked."""

    inference: Inference
    names: Names = field(default_factory=dict)
    definitions: list[Let] = field(default_factory=list)
    order: tuple[str, Expression] | None = None
    undef: Expression | None = None
    final: Expression | None = None
    unshown: dict[str, Position] = field(default_factory=dict)

    def check(self, statement: FlatStatement) -> None:
        match statement:
            case Let(bindings, recursive, _):
                self.definitions.append(statement)
                self.names.update(self.inference.bind(bindings, recursive, self.names))
            case Check(test=test, body=body):
                kinds = (Kind.SET, Kind.RELATION) if test == "empty" else (Kind.RELATION,)
                self.inference.expect(body, self.names, kinds, f"'{test}'")
            case Show(entries, _):
                for name, expression in entries:
                    if self.is_defined(name, expression):
                        self.inference.expect(expression, self.names, (Kind.SET, Kind.RELATION), "'show'")
                    else:  # as in herd7: not shown, and a note in results
                        self.unshown[name] = expression.position
            case Unshow():
                pass
            case Choose() if is_native(statement):
                self.choice(statement)
            case Choose(name, source, _):
                self.names[name] = self.computed(name, source)
            case Final(body, position):
                if self.final is not None:
                    raise position.error("a model has one 'final' at most")
                self.inference.expect(body, self.names, (Kind.SET,), "'final'")
                self.final = _closed(body, self.definitions)

    def is_defined(self, name: str, expression: Expression) -> bool:
        """Tell whether what ``show`` names is defined; ``show e as name`` defines it itself."""
        return (
            not (isinstance(expression, Variable) and expression.name == name)
            or name in self.names
            or name in self.inference.labels
            or predefined(name, self.inference.order) is not None
        )

    def choice(self, choose: Choose) -> None:
        """Check a choice of the search: the set that it chooses for has to be known before anything is chosen."""
        assert isinstance(choose.source, Apply) and isinstance(choose.source.function, Variable)
        name, function, argument = choose.name, choose.source.function.name, choose.source.argument
        if function == "orders":
            if self.order is not None:
                raise choose.position.error("a model chooses one order at most")
            self.order = (name, _closed(argument, self.definitions))
        else:
            if self.undef is not None or name != UNDEF_SET:
                raise choose.position.error(f"subsets can be chosen once, under the name '{UNDEF_SET}'")
            self.undef = _closed(argument, self.definitions)
        chosen = self.inference.expect(argument, self.names, (Kind.SET,), f"'{function}'").chosen
        if chosen:
            message = f"'{function}' needs a set that does not depend on what is chosen ({', '.join(sorted(chosen))})"
            raise start(argument).error(message)
        kind = Kind.RELATION if function == "orders" else Kind.SET
        self.names[name] = SetOrRelation(kind, frozenset((name,)))

    def computed(self, name: str, source: Expression) -> Type:
        """Give the type of what is chosen from a computed set: of what functions of orders give, a relation."""
        found = self.inference.infer(source, self.names)
        if not isinstance(found, SetOrRelation) or found.kind not in (Kind.ANY, Kind.SET):
            raise start(source).error(f"'with' chooses from a set, but {shown(source)} is {word(found)}")
        kind = Kind.ANY
        match source:
            case Apply(Variable(function), _) if function in _ORDERS:
                if isinstance(self.inference.infer(source.function, self.names), BuiltInType):
                    kind = Kind.RELATION
        return SetOrRelation(kind, frozenset((name,)))


def _closed(expression: Expression, definitions: Sequence[Let]) -> Expression:
    """Close an expression: put the definitions that it uses into it, as ``let … in``, last first."""
    needed = set(variables(expression))
    for let in reversed(definitions):
        bound = {name for binding in let.bindings for name in binding.names if name is not None}
        if bound & needed:
            expression = LetIn(let.bindings, let.recursive, expression, let.position)
            needed = (needed - bound).union(*(variables(binding.body) for binding in let.bindings))
    check_depth(expression)
    return expression
