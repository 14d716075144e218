r"""Conditions: their text, and their three-valued value in a final state.

Connectives are ``/\`` ``\/`` ``~`` or ``&&`` ``||`` ``!``, parentheses, ``true`` and ``false``; an atom
compares values (``=`` ``==`` ``!=``), or is the name of a flag (``race``, ``assert``, ``ub-undef``), which holds of an
execution that raises it. On either side of a comparison stands one of these:

- a register ``t1:%r`` (the ``%`` may be left out);
- a location ``@x``, ``@a[2]``, ``@s+8``: what memory holds there in the end;
- a number, decimal or hexadecimal (``-1``, ``0xff``), or a floating-point one;
- ``undef``, which asks whether the other side is undef;
- an address: ``null``, ``&@x``, ``&@a[2]``, ``&@x+8``;
- a vector or struct ``<1, undef>``.

Names that are no plain words stand in double quotes: ``t1:%"my value"``, ``@"a b"``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from enumerator.errors import InputError
from enumerator.grammar import lalr_parser
from enumerator.program.condition import (
    And,
    Condition,
    Equal,
    Flag,
    Formula,
    Literal,
    Name,
    Not,
    Or,
    Quantifier,
    TrueFormula,
)
from enumerator.program.memory import parse_location
from enumerator.program.test import MemoryObject, Test
from enumerator.program.values import NULL, UNDEF, Pointer, Term, Undef, Value

if TYPE_CHECKING:
    from lark import Lark

__all__ = [
    "comparison",
    "evaluate",
    "flag_names",
    "map_atoms",
    "names",
    "observed_locations",
    "parse_condition",
    "passes_filter",
    "resolve_addresses",
]

_GRAMMAR = r"""
?start: formula
?formula: conjunction (_OR conjunction)*
?conjunction: negation (_AND negation)*
?negation: atom
    | _NOT negation                 -> negated
?atom: "(" formula ")"
    | TRUE                          -> true
    | FALSE                         -> false
    | FLAG                          -> flag
    | side _EQUAL side              -> equal
    | side _DIFFERENT side          -> different
side: REGISTER                      -> register
    | LOCATION                      -> location
    | value                         -> literal
?value: INTEGER                     -> integer
    | FLOAT                         -> floating
    | UNDEF                         -> undef
    | NULL                          -> null
    | ADDRESS                       -> address
    | "<" value ("," value)* ">"    -> vector

_OR: "\\/" | "||"
_AND: "/\\" | "&&"
_NOT: "~" | "!"
_EQUAL: "==" | "="
_DIFFERENT: "!="
REGISTER.4: /(?:"[^"\n]*"|[-a-zA-Z$._0-9]+):%?(?:"[^"\n]*"|[-a-zA-Z$._0-9]+)/
LOCATION.3: /@(?:"[^"\n]*"|[a-zA-Z$._0-9]+(?:-+[a-zA-Z$._][a-zA-Z$._0-9]*)*)(?:\[[0-9]+\])*(?:[+-][0-9]+(?::[0-9]+)?)?/
ADDRESS.3: /&@(?:"[^"\n]*"|[a-zA-Z$._0-9]+(?:-+[a-zA-Z$._][a-zA-Z$._0-9]*)*)(?:\[[0-9]+\])*(?:[+-][0-9]+)?/
TRUE.2: /true(?![-a-zA-Z0-9_.])/
FALSE.2: /false(?![-a-zA-Z0-9_.])/
UNDEF.2: /undef(?![-a-zA-Z0-9_.])/
NULL.2: /null(?![-a-zA-Z0-9_.])/
FLAG: /[A-Za-z][-a-zA-Z0-9_.]*(?![-a-zA-Z0-9_.]|\s*!?=)/
FLOAT.2: /-?[0-9]+\.[0-9]*(?:[eE][+-]?[0-9]+)?/
INTEGER: /-?(?:0[xX][0-9a-fA-F]+|[0-9]+)/
%ignore /[ \t\r\n]+/
"""

_EXPECTED = {
    "REGISTER": "a register as t1:%r",
    "LOCATION": "a location as @x",
    "ADDRESS": "an address as &@x",
    "FLAG": "a flag as race",
    "_EQUAL": "=",
    "_DIFFERENT": "!=",
    "_AND": "/\\",
    "_OR": "\\/",
    "_NOT": "~",
    "LPAR": "(",
    "RPAR": ")",
    "INTEGER": "a value",
    "COMMA": ",",
    "MORETHAN": ">",
    "$END": "the end",
}

_DEEPEST = 100
_LONGEST_NUMBER = 2000


def parse_condition(
    text: str,
    quantifier: Quantifier = Quantifier.EXISTS,
    path: str | None = None,
    line: int | None = None,
    column: int = 1,
) -> Condition:
    r"""Parse a condition.

    Parameters
    ----------
    text : str
        The formula, without its quantifier.
    quantifier : Quantifier
    path, line, column :
        Where the text starts, for error messages.

    Returns
    -------
    Condition
        Names are spelt as results spell them: ``t1:%r``, ``@x``, ``@a[2]``.

    Raises
    ------
    InputError
        With the line and column of the first mistake.

    Examples
    --------
    >>> parse_condition(r"t1:r = 1 /\ @x != 2").formula.parts[0]
    Equal(left=Name(text='t1:%r'), right=Literal(value=1))
    """
    stripped = text.strip()
    if stripped == "true":
        return Condition(quantifier, TrueFormula(), stripped)  # by far the most frequent in generated tests
    import lark

    try:
        formula = _parse(text)
    except lark.exceptions.UnexpectedInput as error:
        raise _mistake(error, text, path, line, column) from None
    except InputError as error:
        error.path, error.line, error.column = path, line, column + (error.column or 1) - 1
        raise
    if _depth(formula) > _DEEPEST:
        raise InputError("the condition is nested too deep", path, line, column)
    return Condition(quantifier, formula, stripped)


def evaluate(formula: Formula, lookup: Callable[[str], Value]) -> bool | None:
    r"""Evaluate a formula in a final state, by Kleene's three-valued logic.

    An atom over ``undef`` may hold (semantics, section 1), and so may one over a floating-point value that is not
    interpreted: it is undetermined, unless its defined parts already
    differ. An atom with the literal ``undef`` asks whether the value is undef, and is always determined.

    Parameters
    ----------
    formula : Formula
    lookup : callable
        Gives the final value of a register or location by its name; of a flag, whether it was raised (1 or 0).

    Returns
    -------
    bool or None
        None where the formula is undetermined.

    Examples
    --------
    >>> formula = parse_condition(r"t0:%a = 1 /\ t0:%b = 2").formula
    >>> print(evaluate(formula, {"t0:%a": 1, "t0:%b": UNDEF}.__getitem__))
    None
    >>> evaluate(formula, {"t0:%a": 0, "t0:%b": UNDEF}.__getitem__)
    False
    """
    match formula:
        case TrueFormula():
            return True
        case Flag(name):
            return lookup(name) == 1
        case Equal(left, right):
            value = lookup(left.text)
            if isinstance(right, Literal):
                return _matches(value, right.value)
            return _equal(value, lookup(right.text))
        case Not(body):
            held = evaluate(body, lookup)
            return None if held is None else not held
        case And(parts):
            return _all([evaluate(part, lookup) for part in parts])
        case Or(parts):
            return _any([evaluate(part, lookup) for part in parts])


def passes_filter(test: Test, names: Sequence[str], state: Sequence[Value]) -> bool:
    """Tell whether a final state may satisfy the filter of a test; executions that do not raise no flags.

    Parameters
    ----------
    test : Test
    names : sequence of str
        What the state's values are of; all names of the filter are among them.
    state : sequence of Value

    Returns
    -------
    bool
        True where the test has no filter.
    """
    if test.condition.filter is None:
        return True
    return evaluate(test.condition.filter, dict(zip(names, state, strict=True)).__getitem__) is not False


def observed_locations(test: Test) -> Callable[[str, int, int], bool]:
    """Tell which memory a test looks at in the end: what its condition, its filter and its ``locations`` name.

    Parameters
    ----------
    test : Test

    Returns
    -------
    callable
        Of an object's name, an offset and a size in bytes: whether some of it is looked at.
    """
    asked = [*names(test.condition.formula), *(name.text for name in test.locations)]
    asked += names(test.condition.filter) if test.condition.filter is not None else ()
    threads = {thread.name for thread in test.threads}
    places = [
        parse_location(name, test.objects)
        for name in asked
        if name.startswith(("@", "[")) or name.partition(":")[0] not in threads
    ]
    return lambda name, offset, size: any(
        name == other and offset < start + length and start < offset + size for other, start, length in places
    )


def names(formula: Formula) -> tuple[str, ...]:
    """Give the registers and locations that a formula names, in order of appearance and each once.

    Examples
    --------
    >>> names(parse_condition("t0:b = 1 || t0:a = t0:b").formula)
    ('t0:%b', 't0:%a')
    """
    found: dict[str, None] = {}

    def visit(part: Formula) -> None:
        match part:
            case Equal(left, right):
                found[left.text] = None
                if isinstance(right, Name):
                    found[right.text] = None
            case Not(body):
                visit(body)
            case And(parts) | Or(parts):
                for each in parts:
                    visit(each)

    visit(formula)
    return tuple(found)


def flag_names(formula: Formula) -> tuple[str, ...]:
    """Give the flags that a formula asks for, in order of appearance and each once.

    Examples
    --------
    >>> flag_names(parse_condition("assert || ~(race && t0:b = 1)").formula)
    ('assert', 'race')
    """
    match formula:
        case Flag(name):
            return (name,)
        case Not(body):
            return flag_names(body)
        case And(parts) | Or(parts):
            return tuple(dict.fromkeys(name for part in parts for name in flag_names(part)))
        case _:
            return ()


def map_atoms(formula: Formula, function: Callable[[Equal], Formula]) -> Formula:
    """Replace each comparison of a formula.

    Examples
    --------
    >>> map_atoms(parse_condition("~ @x = 1").formula, lambda atom: TrueFormula())
    Not(body=TrueFormula())
    """
    match formula:
        case Equal():
            return function(formula)
        case Not(body):
            return Not(map_atoms(body, function))
        case And(parts):
            return And(tuple(map_atoms(part, function) for part in parts))
        case Or(parts):
            return Or(tuple(map_atoms(part, function) for part in parts))
        case _:
            return formula


def comparison(left: Name | Literal, right: Name | Literal) -> Formula:
    """Compare two sides: a name is put on the left, and two constants are compared at once.

    Examples
    --------
    >>> comparison(Literal(1), Name("@x"))
    Equal(left=Name(text='@x'), right=Literal(value=1))
    >>> comparison(Literal(0), Literal(0))
    TrueFormula()
    """
    if isinstance(left, Name):
        return Equal(left, right)
    if isinstance(right, Name):
        return Equal(right, left)
    same = type(left.value) is type(right.value) and left.value == right.value
    return TrueFormula() if same else Not(TrueFormula())


def resolve_addresses(value: Value, objects: Iterable[MemoryObject]) -> Value:
    """Give the addresses in a literal as objects and offsets: ``&@a[2]`` is some bytes into ``@a``.

    Raises
    ------
    InputError
        Where there is no such element.

    Examples
    --------
    >>> from enumerator.program.types import ArrayType, IntType
    >>> resolve_addresses(Pointer("@a[2]", 1), [MemoryObject("@a", ArrayType(4, IntType(32)))])
    Pointer(object='@a', offset=9)
    """
    if isinstance(value, tuple):
        return tuple(resolve_addresses(part, objects) for part in value)
    if isinstance(value, Pointer) and value.object.endswith("]"):
        name, offset, _ = parse_location(value.object, objects)
        return Pointer(name, offset + value.offset)
    return value


# Values -----------------------------------------------------------------------------------------------------


_DECIMAL = r"[+-]?\d\.\d+e[+-]\d+"  # as LLVM prints floating-point numbers that are exact so, and else their bits


def _all(parts: list[bool | None]) -> bool | None:
    if False in parts:
        return False
    return None if None in parts else True


def _any(parts: list[bool | None]) -> bool | None:
    if True in parts:
        return True
    return None if None in parts else False


def _matches(value: Value, wanted: Value) -> bool | None:
    """Compare a final value with a literal, whose undef asks for undef."""
    if isinstance(wanted, Undef):
        return all(map(_is_undef, value)) if isinstance(value, tuple) and value else isinstance(value, Undef)
    if isinstance(wanted, tuple):
        if isinstance(value, Undef):
            value = (UNDEF,) * len(wanted)
        if not isinstance(value, tuple) or len(value) != len(wanted):
            return False
        return _all([_matches(part, sought) for part, sought in zip(value, wanted, strict=True)])
    return _equal(value, wanted)


def _equal(left: Value, right: Value) -> bool | None:
    if isinstance(left, tuple) and isinstance(right, tuple):
        if len(left) != len(right):
            return False
        return _all([_equal(one, other) for one, other in zip(left, right, strict=True)])
    if isinstance(left, Undef) or isinstance(right, Undef):
        return None
    if left != right and (isinstance(left, Term) or isinstance(right, Term)):
        # Nothing is computed of a term: two that are written differently may be the same value, but for plain numbers.
        return False if _is_plain_number(left) and _is_plain_number(right) else None
    return left == right


def _is_plain_number(value: Value) -> bool:
    return isinstance(value, Term) and not value.arguments and re.fullmatch(_DECIMAL, value.operator) is not None


def _is_undef(value: Value) -> bool:
    return _matches(value, UNDEF) is True


# Text -------------------------------------------------------------------------------------------------------


@lru_cache(1024)  # the tests of a corpus ask few different questions
def _parse(text: str) -> Formula:
    formula: Formula = _parser().parse(text)  # type: ignore[assignment]
    return formula


@cache
def _parser() -> Lark:
    return lalr_parser(_GRAMMAR, _Build())


class _Build:
    """What the parser builds for each rule of the grammar."""

    def formula(self, parts: list[Formula]) -> Formula:
        return Or(tuple(parts))

    def conjunction(self, parts: list[Formula]) -> Formula:
        return And(tuple(parts))

    def negated(self, parts: list[Formula]) -> Formula:
        return Not(parts[0])

    def true(self, parts: list[Formula]) -> Formula:
        return TrueFormula()

    def false(self, parts: list[Formula]) -> Formula:
        return Not(TrueFormula())

    def flag(self, parts: list[Any]) -> Formula:
        return Flag(str(parts[0]))

    def equal(self, parts: list[Any]) -> Formula:
        return comparison(parts[0], parts[1])

    def different(self, parts: list[Any]) -> Formula:
        return Not(comparison(parts[0], parts[1]))

    def register(self, parts: list[Any]) -> Name:
        match = re.match(r'("[^"]*"|[^:]*):%?(.*)', parts[0], re.DOTALL)
        assert match is not None  # the terminal has this form
        return Name(f"{_bare(match[1])}:%{_bare(match[2])}")

    def location(self, parts: list[Any]) -> Name:
        return Name(str(parts[0]).replace('"', ""))

    def literal(self, parts: list[Any]) -> Literal:
        return Literal(parts[0])

    def integer(self, parts: list[Any]) -> Value:
        if len(parts[0]) > _LONGEST_NUMBER:
            raise InputError("this number is too long", column=parts[0].column)
        return int(parts[0], 16 if "x" in parts[0].lower() else 10)

    def floating(self, parts: list[Any]) -> Value:
        return Term(f"{float(parts[0]):e}")  # as LLVM prints it

    def undef(self, parts: list[Any]) -> Value:
        return UNDEF

    def null(self, parts: list[Any]) -> Value:
        return NULL

    def address(self, parts: list[Any]) -> Value:
        """Give an address, that of an element by the element's name (:func:`resolve_addresses`)."""
        name = parts[0].removeprefix("&")
        place = max(name.rfind("+"), name.rfind("-"))
        offset = name[place:] if place > 0 and name[place + 1 :].isdecimal() else ""
        if len(offset) > 18:
            raise InputError("this offset is too long", column=parts[0].column)
        return Pointer(name.removesuffix(offset).replace('"', ""), int(offset or 0))

    def vector(self, parts: list[Any]) -> Value:
        depth, inner = 0, list(parts)
        while inner:
            depth, inner = depth + 1, [each for part in inner if isinstance(part, tuple) for each in part]
            if depth > _DEEPEST:
                raise InputError("this vector is nested too deep")
        return tuple(parts)


def _bare(name: str) -> str:
    return name[1:-1] if name.startswith('"') else name


def _mistake(error: Any, text: str, path: str | None, line: int | None, column: int) -> InputError:
    from lark.exceptions import UnexpectedCharacters

    position = error.pos_in_stream
    token = getattr(error, "token", None)
    if token is not None and token.type == "$END":
        position, what = len(text.rstrip()), "the condition ends here"
    elif isinstance(error, UnexpectedCharacters):
        word = re.match(r"[-\w.]+|.", text[position:], re.DOTALL)
        what = f"unexpected '{word[0] if word else ''}' in the condition"
    else:
        what = f"unexpected '{token}' in the condition"
    accepted = getattr(error, "accepts", None) or getattr(error, "allowed", None) or getattr(error, "expected", None)
    expected = [words for terminal, words in _EXPECTED.items() if terminal in (accepted or ())]
    hint = f": expected {' or '.join(expected)}" if expected else ""
    return InputError(what + hint, path, line, column + position)


def _depth(formula: Formula) -> int:
    """Nesting of a formula, found without recursion."""
    deepest, layer = 0, [formula]
    while layer:
        deepest += 1
        below: list[Formula] = []
        for part in layer:
            match part:
                case Not(body):
                    below.append(body)
                case And(parts) | Or(parts):
                    below.extend(parts)
        layer = below
    return deepest
