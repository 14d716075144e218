r"""Conditions: the language that they are written in, and what a test asks.

The connectives are ``/\`` ``\/`` ``~`` or ``&&`` ``||`` ``!``, parentheses, ``true`` and ``false``. An atom
compares two values (``=`` ``==`` ``!=``), or is the name of a flag (``race``, ``assert``, ``ub-undef``): it holds in an
execution that raises the flag. Each side of a comparison is one of these:

- a register ``t1:%r`` (the ``%`` may be left out);
- what a thread returns, ``t1:ret`` (a register, where the thread returns nothing);
- a location ``@x``, ``@a[2]``, ``@s+8``, bytes of one ``@x[2..4)``: its value in the final memory;
- a number: decimal, hexadecimal (``-1``, ``0xff``) or floating-point;
- ``undef``: the comparison asks whether the other side is undef;
- an address: ``null``, ``&@x``, ``&@a[2]``, ``&@x+8``;
- a vector or struct ``<1, undef>``.

Names with other characters are quoted: ``t1:%"my value"``, ``@"a b"``.

See Also
--------
enumerator.program.condition : The formulas that conditions are parsed to.
enumerator.program.formulas : Their value in a final state.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from enumerator.clock import check_time
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
from enumerator.program.formulas import comparison, evaluate, flag_names, map_atoms, names
from enumerator.program.memory import parse_location
from enumerator.program.test import RETURNED, MemoryObject, Test
from enumerator.program.values import NULL, UNDEF, Pointer, Term, Value

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
    "parse_names",
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
LOCATION.3: /@(?:"[^"\n]*"|[a-zA-Z$._\d]+(?:-+[a-zA-Z$._][a-zA-Z$._\d]*)*)(?:\[\d+\])*(?:[+-]\d+|\[\d+\.\.\d+\))?/
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

_REGISTER = re.compile(r":%?[-\w.$]+\s*$")
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
        Names are spelt as in results: ``t1:%r``, ``@x``, ``@a[2]``.

    Raises
    ------
    InputError
        With the line and column of the first mistake.

    See Also
    --------
    evaluate

    Examples
    --------
    >>> parse_condition(r"t1:r = 1 /\ @x != 2").formula.parts[0]
    Equal(left=Name(text='t1:%r'), right=Literal(value=1))
    """
    stripped = text.strip()
    if stripped == "true":
        return Condition(quantifier, TrueFormula(), stripped)  # by far the most frequent condition of generated tests
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


def parse_names(text: str, path: str | None = None, line: int | None = None, column: int = 1) -> tuple[Name, ...]:
    """Parse names of registers, returned values and locations, as conditions spell them, with blanks between them.

    Parameters
    ----------
    text : str
    path, line, column :
        Where the text starts, for error messages.

    Returns
    -------
    tuple of Name
        Each once.

    Raises
    ------
    InputError
        With the column of what is no name.

    Examples
    --------
    >>> [name.text for name in parse_names("t0:r0 t0:ret @x")]
    ['t0:%r0', 't0:ret', '@x']
    """
    found: dict[Name, None] = {}
    for match in _WORD.finditer(text):
        try:
            side = _parse(f"{match[0]} = 0")
            name = side.left if isinstance(side, Equal) else None
        except Exception:  # noqa: BLE001 - of the parser: it is no name
            name = None
        if name is None or not isinstance(name, Name):
            message = f"expected a register as t1:%r, a returned value as t1:ret or a location as @x, not {match[0]}"
            raise InputError(message, path, line, column + match.start())
        found[name] = None
    return tuple(found)


_WORD = re.compile(r'(?:"[^"]*"|[^\s"])+')


def passes_filter(test: Test, names: Sequence[str], state: Sequence[Value]) -> bool:
    """Tell whether a final state may satisfy the filter of a test. Executions that do not satisfy it raise no flags.

    Parameters
    ----------
    test : Test
    names : sequence of str
        The registers and locations that the values belong to, among them all that the filter names.
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
    """Tell which final memory a test observes: what its condition, its filter and its ``locations`` name.

    Parameters
    ----------
    test : Test

    Returns
    -------
    callable
        Takes the name of an object, an offset and a size in bytes; tells whether any of these bytes is observed.
    """
    asked = [*names(test.condition.formula), *(name.text for name in test.locations)]
    asked += names(test.condition.filter) if test.condition.filter is not None else ()
    threads = {thread.name for thread in test.threads}
    places = [
        parse_location(name, test.objects)
        for name in asked
        if name.startswith(("@", "[")) or name.partition(":")[0] not in threads
    ]
    if not places:
        return lambda name, offset, size: False
    return lambda name, offset, size: any(
        name == other and offset < start + length and start < offset + size for other, start, length in places
    )


def resolve_addresses(value: Value, objects: Iterable[MemoryObject]) -> Value:
    """Resolve the addresses of elements in a literal: ``&@a[2]`` becomes an object and an offset in bytes.

    Parameters
    ----------
    value : Value
    objects : iterable of MemoryObject

    Returns
    -------
    Value

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


@lru_cache(1024)  # the tests of a corpus have few different conditions
def _parse(text: str) -> Formula:
    formula: Formula = _parser().parse(text)  # type: ignore[assignment]
    return formula


@cache
def _parser() -> Lark:
    return lalr_parser(_GRAMMAR, _Build())


class _Build:
    """The formula or value that each rule of the grammar stands for."""

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
        check_time()
        return comparison(parts[0], parts[1])

    def different(self, parts: list[Any]) -> Formula:
        return Not(self.equal(parts))

    def register(self, parts: list[Any]) -> Name:
        match = re.match(r'("[^"]*"|[^:]*):%?(.*)', parts[0], re.DOTALL)
        assert match is not None  # the terminal has this form
        if match[2] == RETURNED and "%" not in parts[0]:
            return Name(f"{_bare(match[1])}:{RETURNED}")
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
        number = float(parts[0])
        text = f"{number:e}"  # as LLVM prints it, if that is exact
        return Term(text if float(text) == number else repr(number))

    def undef(self, parts: list[Any]) -> Value:
        return UNDEF

    def null(self, parts: list[Any]) -> Value:
        return NULL

    def address(self, parts: list[Any]) -> Value:
        """Make an address; that of an element is resolved later (:func:`resolve_addresses`)."""
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
    if text[position : position + 1] == "[" and _REGISTER.search(text[:position]):
        hint = ": a vector is compared as a whole, as t0:%v = <1, 2>"
    return InputError(what + hint, path, line, column + position)


def _depth(formula: Formula) -> int:
    """Give how deeply a formula is nested, without recursion."""
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
