"""What the reference engine need not evaluate again for the next candidate: definitions whose value stays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from enum import IntEnum
from functools import lru_cache

import networkx as nx

from enumerator.cat.choices import is_native, order_name
from enumerator.cat.collections import Nothing
from enumerator.cat.environment import Undefined, Value
from enumerator.cat.flatten import flatten
from enumerator.cat.kept import once_a_model
from enumerator.cat.predefined import UNDEF_SET, formula, parsed
from enumerator.cat.syntax import Apply, Choose, Let, Model, Variable
from enumerator.cat.tree import variables
from enumerator.frozen import dataclass

__all__ = ["Depends", "Kept", "dependencies"]


class Depends(IntEnum):
    """Which choices of a candidate a value depends on."""

    PATHS = 0  # none: the paths of the threads decide
    READS = 1  # what reads read, and which of them return undef
    ALL = 2


Meanings = Mapping[str, Value | Undefined]


@dataclass(frozen=True)
class Kept:
    """Values of the definitions of one model that candidates on the same paths share.

    Parameters
    ----------
    by_paths, by_reads : dict
        By the number of a statement, what its names mean: for all candidates, and for those that read the same.
    formulas : dict
        The values of predefined names that have a formula, for all candidates.
    """

    by_paths: dict[int, Meanings] = field(default_factory=dict)
    by_reads: dict[int, Meanings] = field(default_factory=dict)
    formulas: dict[str, Value] = field(default_factory=dict)

    def with_other_reads(self) -> Kept:
        """Give what is left for candidates that read otherwise."""
        return replace(self, by_reads={})

    def find(self, number: int) -> Meanings | None:
        """Give what the names of a statement mean, if that is kept."""
        return self.by_paths.get(number) or self.by_reads.get(number)

    def keep(self, number: int, depends: Depends, meanings: Meanings) -> None:
        """Keep what the names of a statement mean; functions are not, as they see the candidate that made them."""
        if depends is not Depends.ALL and all(isinstance(each, _PLAIN) for each in meanings.values()):
            (self.by_paths if depends is Depends.PATHS else self.by_reads)[number] = meanings

    def keep_formulas(self, formulas: Mapping[str, Value], order: str) -> None:
        """Keep the values of predefined names that no choice changes."""
        for name, value in formulas.items():
            if name not in self.formulas and _of_predefined(name, order) is Depends.PATHS:
                self.formulas[name] = value


_PLAIN = (frozenset, nx.DiGraph, Nothing)


@lru_cache(maxsize=1024)
def _of_predefined(name: str, order: str) -> Depends:
    name = name.removesuffix("#")  # no model can write the mark, and so hide the name
    if name in ("rf", UNDEF_SET):
        return Depends.READS
    if name in (order, "fr"):
        return Depends.ALL
    text = formula(name, order)
    inside = () if text is None else variables(parsed(text))
    return max((_of_predefined(each, order) for each in inside), default=Depends.PATHS)


@once_a_model
def dependencies(model: Model, variants: frozenset[str]) -> tuple[Depends, ...]:
    """Tell for each statement of a model on which choices its value may depend; a function's are those of its body.

    Examples
    --------
    >>> from enumerator.cat.parser import parse_text
    >>> text = "let a = po & loc let b = a ; rf let f(x) = x | fr let c = f(po) acyclic c"
    >>> [int(each) for each in dependencies(parse_text(text, "m.cat"), frozenset())]
    [0, 1, 2, 2, 2]
    """
    statements = flatten(model, variants)
    order = order_name(statements)
    known: dict[str, Depends] = {}
    found = []
    for statement in statements:
        depends = Depends.ALL
        match statement:
            case Let(bindings, _, _):
                used = (name for binding in bindings for name in variables(binding.body))
                depends = max(
                    (known[name] if name in known else _of_predefined(name, order) for name in used),
                    default=Depends.PATHS,
                )
                known |= {name: depends for binding in bindings for name in binding.names if name is not None}
            case Choose(name, Apply(Variable("subsets"), _), _) if is_native(statement):
                known[name] = Depends.READS
            case Choose(name, _, _):
                known[name] = Depends.ALL
        found.append(depends)
    return tuple(found)
