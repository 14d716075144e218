"""The syntax tree of cat. Each constructor is shown with the notation it stands for."""

from __future__ import annotations

from typing import Union

from enumerator.errors import InputError
from enumerator.frozen import dataclass

__all__ = [
    "ASSERTION",
    "Apply",
    "Binary",
    "Binding",
    "CallProcedure",
    "Check",
    "Choose",
    "Compound",
    "Condition",
    "Empty",
    "Expression",
    "Final",
    "Function",
    "Identity",
    "If",
    "IfStatement",
    "Include",
    "Let",
    "LetIn",
    "Match",
    "Model",
    "Position",
    "Procedure",
    "SetOf",
    "Show",
    "Statement",
    "Try",
    "Tuple",
    "Unary",
    "Universe",
    "Unshow",
    "Variable",
    "Variant",
    "Variants",
]


@dataclass(frozen=True, slots=True)
class Position:
    """A place in a model file, both numbers from 1."""

    path: str
    line: int
    column: int

    def error(self, message: str) -> InputError:
        """Make the error that something is wrong at this place."""
        return InputError(message, self.path, self.line, self.column)


# Expressions. `position` is that of the first token, or of the operator of a binary expression. -----------


@dataclass(frozen=True, slots=True)
class Variable:
    """``name``"""

    name: str
    position: Position


@dataclass(frozen=True, slots=True)
class Empty:
    """``0``: the empty relation (usable as the empty set too)"""

    position: Position


@dataclass(frozen=True, slots=True)
class Universe:
    """``_``: the set of all events"""

    position: Position


@dataclass(frozen=True, slots=True)
class SetOf:
    """``{}``: the empty set; ``{e1, e2}``: the union of sets"""

    elements: tuple[Expression, ...]
    position: Position


@dataclass(frozen=True, slots=True)
class Identity:
    """``[S]``: the identity relation on a set"""

    body: Expression
    position: Position


@dataclass(frozen=True, slots=True)
class Unary:
    """``r^-1``  ``r?``  ``r+``  ``r*``  ``~e``: `operator` is ``^-1``, ``?``, ``+``, ``*`` or ``~``"""

    operator: str
    body: Expression
    position: Position


@dataclass(frozen=True, slots=True)
class Binary:
    """``e1 | e2``  ``r1 ; r2``  ``e1 \\ e2``  ``e1 & e2``  ``S1 * S2``  ``e ++ S``: `operator` is that token"""

    operator: str
    left: Expression
    right: Expression
    position: Position


@dataclass(frozen=True, slots=True)
class Apply:
    """``f(e1, e2)``  ``f e``: a function or a built-in (``domain``, ``range``, ``fencerel`` …) applied"""

    function: Expression
    argument: Expression  # a Tuple for several
    position: Position


@dataclass(frozen=True, slots=True)
class Tuple:
    """``(e1, e2)``"""

    elements: tuple[Expression, ...]
    position: Position


@dataclass(frozen=True, slots=True)
class Function:
    """``fun x -> e``: parameters (None for ``_``); `name` is that of the ``let`` that defines it, if any"""

    parameters: tuple[str | None, ...]
    body: Expression
    position: Position
    name: str = "fun"


@dataclass(frozen=True, slots=True)
class Binding:
    """``x = e``; ``(x, y) = e`` has several names"""

    names: tuple[str | None, ...]
    body: Expression
    position: Position


@dataclass(frozen=True, slots=True)
class LetIn:
    """``let x = e in body``, ``let rec x = e and y = e' in body``"""

    bindings: tuple[Binding, ...]
    recursive: bool
    body: Expression
    position: Position


@dataclass(frozen=True, slots=True)
class Try:
    """``try e with e'``: the second where the first uses a name that is not defined"""

    body: Expression
    fallback: Expression
    position: Position


@dataclass(frozen=True, slots=True)
class Variant:
    """``"name"`` in the condition of an ``if``: whether this variant was chosen"""

    name: str


@dataclass(frozen=True, slots=True)
class Compound:
    """``not c``, ``c && c'``, ``c || c'`` in the condition of an ``if``"""

    operator: str
    parts: tuple[Condition, ...]


Condition = Union[Variant, Compound]


@dataclass(frozen=True, slots=True)
class If:
    """``if "variant" then e else e'``"""

    condition: Condition
    then: Expression
    otherwise: Expression
    position: Position


@dataclass(frozen=True, slots=True)
class Match:
    """``match e with || {} -> e1 || x ++ xs -> e2 end``: e1 if e is empty, else e2 of an element and the rest"""

    body: Expression
    empty: Expression
    element: str | None
    others: str | None
    otherwise: Expression
    position: Position


Expression = Union[
    Variable, Empty, Universe, SetOf, Identity, Unary, Binary, Apply, Tuple, Function, LetIn, Try, If, Match
]


# Statements -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Let:
    """``let x = e``, ``let rec x = e and y = e'``, ``let f(x) = e`` (the body is then a :class:`Function`)"""

    bindings: tuple[Binding, ...]
    recursive: bool
    position: Position


ASSERTION = "assertion "
"""Prefix of the name of the flag that a failed ``assert`` raises; no flag of a model has a blank in its name."""


@dataclass(frozen=True, slots=True)
class Check:
    """``acyclic e as name``, with ``~`` before the test, and ``flag`` or ``undefined_unless`` before all

    `test` is ``acyclic``, ``irreflexive`` or ``empty``; `kind` is ``axiom``, ``flag`` or ``undefined_unless``.
    ``assert acyclic e as name`` is ``flag ~acyclic e``, with :data:`ASSERTION` before the name.
    Without ``as``, `name` is None.
    """

    kind: str
    test: str
    negated: bool
    body: Expression
    name: str | None
    position: Position
    text: str = ""


@dataclass(frozen=True, slots=True)
class Show:
    """``show r, s``; ``show e as name`` (one entry with an expression)"""

    entries: tuple[tuple[str, Expression], ...]
    position: Position


@dataclass(frozen=True, slots=True)
class Unshow:
    """``unshow r, s``"""

    names: tuple[str, ...]
    position: Position


@dataclass(frozen=True, slots=True)
class Include:
    """``include "file.cat"``"""

    file: str
    position: Position


@dataclass(frozen=True, slots=True)
class Choose:
    """``with x from e``: `name` is chosen from a set

    ``with mo from orders(S)``: one total order a location over the writes in S, the initial write first.
    ``with UNDEF from subsets(S)``: reads in S may return undef; such a read has no reads-from.
    """

    name: str
    source: Expression
    position: Position


@dataclass(frozen=True, slots=True)
class Final:
    """``final e``: the writes whose value memory holds at the end; a location with none, or several, is undef"""

    body: Expression
    position: Position


@dataclass(frozen=True, slots=True)
class Variants:
    """``variants hb = closure | direct | filtered``: the alternatives of an option, the default first

    Each alternative is the name of a variant, for ``if "name" then … else …``.
    """

    option: str
    alternatives: tuple[str, ...]
    position: Position


@dataclass(frozen=True, slots=True)
class Procedure:
    """``procedure p(x) = statements end``"""

    name: str
    parameters: tuple[str | None, ...]
    body: tuple[Statement, ...]
    position: Position


@dataclass(frozen=True, slots=True)
class CallProcedure:
    """``call p(e) as name``: `label` is the name after ``as``, for checks that have none of their own"""

    name: str
    argument: Expression
    position: Position
    label: str | None = None


@dataclass(frozen=True, slots=True)
class IfStatement:
    """``if "variant" statements else statements end``"""

    condition: Condition
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...]
    position: Position


Statement = Union[Let, Check, Show, Unshow, Include, Choose, Final, Variants, Procedure, CallProcedure, IfStatement]


@dataclass(frozen=True, slots=True)
class Model:
    """A model file: its title (the string or words at the top) and statements, includes already spliced in

    `merged`: a read-modify-write is one event, in R and in W, as in herd (see ``choices.py``).
    """

    title: str
    path: str
    statements: tuple[Statement, ...]
    merged: bool = False
