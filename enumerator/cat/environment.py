"""What an expression is evaluated in: the events of one execution, and what each name means there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Union

from enumerator.cat.algebra import Relation
from enumerator.cat.collections import Collection, Element, Nothing
from enumerator.cat.syntax import Function
from enumerator.errors import InputError, LimitReached
from enumerator.frozen import dataclass

__all__ = [
    "BuiltIn",
    "Closure",
    "Environment",
    "Events",
    "TupleValue",
    "Undefined",
    "UnknownName",
    "Value",
    "World",
]

MAX_CALLS = 1_000_000
"""Applications of functions on one execution."""


@dataclass(frozen=True)
class Events:
    """The events of an execution, with the predefined sets and relations that it supplies.

    Parameters
    ----------
    events : tuple of int
        All events.
    sets : mapping of str to frozenset of int
        Predefined sets and labels. A predefined set that is missing has a formula or is empty.
    relations : mapping of str to networkx.DiGraph
        Predefined relations, the coherence order under the name that the model gives it. One that is missing has a
        formula or is unknown.
    """

    events: tuple[int, ...]
    sets: Mapping[str, frozenset[int]]
    relations: Mapping[str, Relation]


# Values ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Closure:
    """A function of the model, with the names that its body sees."""

    function: Function
    environment: Environment


@dataclass(frozen=True, slots=True)
class BuiltIn:
    """A predefined function."""

    name: str


@dataclass(frozen=True, slots=True)
class TupleValue:
    """Several values at once."""

    elements: tuple[Value, ...]


@dataclass
class UnknownName(InputError):
    """A name that is not defined: what ``try`` catches."""


@dataclass(frozen=True, slots=True)
class Undefined:
    """What stands for a name whose definition uses an unknown name: an error where it is used."""

    error: UnknownName


Value = Union[frozenset[int], Relation, Nothing, Closure, BuiltIn, TupleValue, Collection, Element]


# Names -------------------------------------------------------------------------------------------------------


@dataclass
class World:
    """One execution under one model.

    Parameters
    ----------
    events : Events
    variants : frozenset of str
        The variants that are selected.
    order : str
        The name of the coherence order.
    formulas : dict of str to Value
        The values of predefined names with a formula, as far as they have been asked for.
    calls : int
        How often functions have been applied.
    """

    events: Events
    variants: frozenset[str]
    order: str
    formulas: dict[str, Value] = field(default_factory=dict)
    calls: int = 0

    def count_call(self) -> None:
        """Count the application of a function: a recursive one may never end."""
        self.calls += 1
        if self.calls > MAX_CALLS:
            raise LimitReached(f"the functions of the model are applied more than {MAX_CALLS} times on an execution")


@dataclass(frozen=True)
class Environment:
    """The names that an expression may use: those of the model, then the predefined ones of its world.

    Parameters
    ----------
    world : World
    names : mapping of str to Value or Undefined
    known : mapping of int to Value
        By the identities of some expressions, their values, which none of these names changes.
    """

    world: World
    names: Mapping[str, Value | Undefined] = field(default_factory=dict)
    known: Mapping[int, Value] = field(default_factory=dict)

    def extended(self, names: Mapping[str, Value | Undefined]) -> Environment:
        """Give the environment with further names, which hide others of the same name."""
        return Environment(self.world, {**self.names, **names}, self.known)
