"""The reference evaluator of cat: a model on one execution, over networkx graphs.

Each construct is evaluated directly by its definition, and only the syntax tree is shared with the search. Expressions
are evaluated in :mod:`enumerator.cat.expressions`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import field
from typing import cast

import networkx as nx

from enumerator.cat import algebra, collections
from enumerator.cat.algebra import Relation
from enumerator.cat.choices import is_native, order_name
from enumerator.cat.collections import Nothing
from enumerator.cat.environment import Environment, Events, Undefined, UnknownName, Value, World
from enumerator.cat.evaluation import CheckResult, Evaluation
from enumerator.cat.expressions import as_relation, bind, predefined_value, set_of, value_of
from enumerator.cat.flatten import FlatStatement, flatten
from enumerator.cat.predefined import DEFAULT_ORDER, parsed
from enumerator.cat.reuse import Kept, dependencies
from enumerator.cat.syntax import Apply, Check, Choose, Expression, Final, Let, Model, Show, Tuple, Unshow, Variable
from enumerator.cat.tree import start
from enumerator.frozen import dataclass

__all__ = ["CheckResult", "Environment", "Evaluation", "Events", "Picks", "evaluate", "evaluate_expression"]


Picks = Sequence[int | frozenset[object]]
"""Elements of computed sets: by number, or of a relation its pairs, of a set its members."""


def evaluate(
    model: Model,
    variants: frozenset[str],
    world: Events,
    picks: Picks = (),
    kept: Kept | None = None,
    *,
    whole: bool = True,
) -> Evaluation:
    """Evaluate a model on one execution.

    Parameters
    ----------
    model : Model
        One that :func:`enumerator.cat.typing.check_types` accepts.
    variants : frozenset of str
    world : Events
    picks : sequence of int or frozenset
        For each ``with`` that chooses from a computed set, in order, which element to take: its number (0 beyond the
        end), or what it is. What is no element leaves nothing to choose.
    kept : Kept, optional
        What earlier candidates have left of this model's values; values are added to it.
    whole : bool
        Also what comes after the first axiom that fails; else there are no final writes then.

    Returns
    -------
    Evaluation

    Raises
    ------
    LimitReached
        If functions are applied too often or a set of sets grows too large.
    InputError
        If a set is used as a relation or the other way round, a name is unknown, or a recursive definition is not
        monotone.

    See Also
    --------
    evaluate_expression : further expressions on the same execution.
    enumerator.cat.compiler.compile_model : the form in which the search evaluates models.

    References
    ----------
    Alglave, Cousot, Maranget: Syntax and semantics of the weak consistency model specification language cat, 2016.

    Examples
    --------
    >>> from enumerator.cat.algebra import relation
    >>> from enumerator.cat.parser import parse_text
    >>> model = parse_text("let com = rf | fr acyclic po | com as sc", "m.cat")
    >>> pairs = {"po": [(1, 2)], "rf": [(2, 1)], "co": []}
    >>> world = Events((1, 2), {}, {name: relation((1, 2), edges) for name, edges in pairs.items()})
    >>> evaluation = evaluate(model, frozenset(), world)
    >>> evaluation.checks[0].holds, evaluation.checks[0].cycle, list(evaluation.names["com"].edges)
    (False, (1, 2), [(2, 1)])
    """
    statements = flatten(model, variants)
    order = order_name(statements)
    kept = Kept() if kept is None else kept
    run = _Run(Environment(World(world, variants, order, dict(kept.formulas))), picks)
    for number, (statement, depends) in enumerate(zip(statements, dependencies(model, variants), strict=True)):
        try:
            if isinstance(statement, Let):
                meanings = kept.find(number)
                if meanings is None:
                    meanings = bind(statement.bindings, statement.recursive, run.environment)
                    kept.keep(number, depends, meanings)
                run.define(statement, meanings)
            else:
                run.execute(statement)
        except RecursionError:
            raise statement.position.error("the model nests functions too deeply") from None
        if 0 in run.alternatives or (not whole and run.refused):
            break
    kept.keep_formulas(run.environment.world.formulas, order)
    if not whole and run.refused:
        run.final = frozenset()
    if run.final is None:
        # the predefined meaning of these names, even where the model hides it
        last = parsed(f"W \\ domain({order})")
        run.final = set_of(last, Environment(run.environment.world))
    return Evaluation(
        tuple(run.checks),
        {
            name: _plain(value, world)
            for name, value in run.environment.names.items()
            if isinstance(value, (frozenset, nx.DiGraph, Nothing)) and "#" not in name
        },
        run.shown,
        run.final,
        run.order_set,
        run.undef_set,
        run.environment,
        run.definitions,
        tuple(run.alternatives),
        tuple(run.chosen),
    )


def evaluate_expression(expression: Expression, environment: Environment | Events) -> frozenset[int] | Relation:
    """Evaluate one expression.

    Parameters
    ----------
    expression : Expression
    environment : Environment or Events
        That of an evaluation, or the events of an execution for an expression over predefined names alone. Relations
        that the expression does not use may then be missing, such as those that depend on reads-from.

    Returns
    -------
    frozenset of int or networkx.DiGraph
        For ``0``, the empty relation.

    Raises
    ------
    InputError
    """
    if isinstance(environment, Events):
        environment = Environment(World(environment, frozenset(), DEFAULT_ORDER))
    try:
        value = value_of(expression, environment)
    except RecursionError:
        raise start(expression).error("functions are nested too deeply") from None
    if not isinstance(value, (frozenset, nx.DiGraph, Nothing)):
        raise start(expression).error("expected a set or a relation")
    return _plain(value, environment.world.events)


def _plain(value: frozenset[int] | Relation | Nothing, world: Events) -> frozenset[int] | Relation:
    return algebra.relation(world.events) if isinstance(value, Nothing) else value


@dataclass
class _Run:
    """The state while the statements of a model are executed."""

    environment: Environment
    picks: Picks = ()
    alternatives: list[int] = field(default_factory=list)
    chosen: list[frozenset[object]] = field(default_factory=list)
    checks: list[CheckResult] = field(default_factory=list)
    shown: dict[str, frozenset[int] | Relation] = field(default_factory=dict)
    definitions: dict[str, tuple[Expression, Environment]] = field(default_factory=dict)
    final: frozenset[int] | None = None
    order_set: frozenset[int] | None = None
    undef_set: frozenset[int] | None = None

    @property
    def refused(self) -> bool:
        """Whether the newest check is an axiom that fails."""
        return bool(self.checks) and self.checks[-1].check.kind == "axiom" and not self.checks[-1].holds

    def define(self, let: Let, meanings: Mapping[str, Value | Undefined]) -> None:
        """Let the names of a definition have their meanings."""
        environment = self.environment
        self.environment = environment.extended(meanings)
        for binding in let.bindings:
            if len(binding.names) == 1 and binding.names[0] is not None:
                inside = self.environment if let.recursive else environment
                self.definitions[binding.names[0]] = (binding.body, inside)

    def execute(self, statement: FlatStatement) -> None:
        environment = self.environment
        match statement:
            case Check():
                self.checks.append(_check(statement, environment))
            case Show(entries, _):
                for name, expression in entries:
                    with suppress(UnknownName):  # not shown, as in herd7; the check of the model notes it
                        self.shown[name] = evaluate_expression(expression, environment)
            case Unshow(names, _):
                for name in names:
                    self.shown.pop(name, None)
            case Choose() if not is_native(statement):
                self.choose(statement)
            case Choose(name, Apply(Variable(function), argument), position):
                members = set_of(argument, environment)
                if function == "orders":
                    self.order_set = members
                else:
                    self.undef_set = members
                # the chosen name means the execution's choice from here on, whatever it meant before
                chosen = predefined_value(name, environment.world)
                if chosen is None:
                    raise position.error(f"the execution does not say what '{name}' is")
                self.environment = environment.extended({name: chosen})
            case Final(body, _):
                self.final = set_of(body, environment)

    def choose(self, choose: Choose) -> None:
        """Take an element of a computed set; where there is none, an axiom fails that says so."""
        source = choose.source
        members = collections.members(value_of(source, self.environment))
        if members is None:
            raise start(source).error("expected a set of relations or sets to choose from")
        pick = self.picks[len(self.alternatives)] if len(self.alternatives) < len(self.picks) else 0
        if isinstance(pick, frozenset):
            members = tuple(member for member in members if collections.identity(member) == pick)
            pick = 0
        self.alternatives.append(len(members))
        if members:
            self.environment = self.environment.extended({choose.name: cast(Value, members[pick])})
            self.chosen.append(collections.identity(members[pick]))
        else:
            self.checks.append(self.nothing_to_choose(choose))

    def nothing_to_choose(self, choose: Choose) -> CheckResult:
        """Fail the axiom that there is something to choose: that a relation which orders extend has no cycle."""
        source, place = choose.source, choose.position
        cycle: tuple[int, ...] = ()
        if isinstance(source, Apply) and isinstance(source.argument, Tuple) and len(source.argument.elements) == 2:
            members, base = (value_of(each, self.environment) for each in source.argument.elements)
            if isinstance(members, frozenset) and isinstance(base, nx.DiGraph):
                source = source.argument.elements[1]
                cycles = [part for part in nx.strongly_connected_components(base) if not members.isdisjoint(part)]
                cycle = algebra.shortest_cycle(base.subgraph(frozenset().union(*cycles)))
        check = Check("axiom", "acyclic", False, source, f"{choose.name} extends its base", place, choose.name)
        return CheckResult(check, False, cycle)


def _check(check: Check, environment: Environment) -> CheckResult:
    value = value_of(check.body, environment)
    if check.test == "empty":
        if isinstance(value, frozenset):
            elements: tuple[int, ...] | tuple[tuple[int, int], ...] = tuple(sorted(value))
        else:
            elements = tuple(sorted(as_relation(value, environment, check.body).edges))
        return CheckResult(check, (not elements) != check.negated, elements=elements)
    relation = as_relation(value, environment, check.body)
    if check.test == "irreflexive":
        loops = sorted(event for event in relation if relation.has_edge(event, event))
        cycle = tuple(loops[:1])
    else:
        cycle = algebra.shortest_cycle(relation)
    return CheckResult(check, (not cycle) != check.negated, cycle=cycle)
