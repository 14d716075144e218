r"""Conditions: their text, and their three-valued value in a final state.

Connectives are ``/\`` ``\/`` ``~`` or ``&&`` ``||`` ``!``, parentheses, ``true`` and ``false``; an atom
compares (``=`` ``==`` ``!=``) a register ``t1:%r`` (the ``%`` may be left out) or a location ``@x``, ``@a[2]``,
``@s+8`` on its left with one of these on its right:

- a number, decimal or hexadecimal (``-1``, ``0xff``), or a floating-point one;
- ``undef``, which asks whether the left side is undef;
- a pointer: ``null``, ``@x``, ``@x+8``. A location on the right is always its address (``&@x`` says the same),
  never what memory holds there: to compare a register with memory, write the location on the left;
- a vector or struct ``<1, undef>``;
- another register.

Names that are no plain words stand in double quotes: ``t1:%"my value"``, ``@"a b"``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from enumerator.errors import InputError
from enumerator.program.condition import (
    And,
    Condition,
    Equal,
    Formula,
    Literal,
    Name,
    Not,
    Or,
    Quantifier,
    TrueFormula,
)
from enumerator.program.memory import parse_location
from enumerator.program.test import Test
from enumerator.program.values import NULL, UNDEF, Pointer, Term, Undef, Value

__all__ = ["evaluate", "map_atoms", "names", "parse_condition", "passes_filter"]

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
    try:
        formula = _parse(text)
    except InputError as error:
        error.path, error.line, error.column = path, line, column + (error.column or 0)
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
        Gives the final value of a register or location by its name.

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


def map_atoms(formula: Formula, function: Callable[[Equal], Formula]) -> Formula:
    """Replace each atom of a formula.

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


_WORD = r"[-a-zA-Z$._0-9]+"
_GLOBAL = r'@(?:"[^"\n]*"|[a-zA-Z$._0-9]+(?:-+[a-zA-Z$._][a-zA-Z$._0-9]*)*)(?:\[[0-9]+\])*(?:[+-][0-9]+'
_REGISTER = rf'(?P<register>(?:"[^"\n]*"|{_WORD}):%?(?:"[^"\n]*"|{_WORD}))'
_LOCATION = rf"(?P<location>{_GLOBAL}(?::[0-9]+)?)?)"
_VALUE = rf"""(?P<address>&?{_GLOBAL})?)
    |(?P<floating>-?[0-9]+\.[0-9]*(?:[eE][+-]?[0-9]+)?)
    |(?P<integer>-?(?:0[xX][0-9a-fA-F]+|[0-9]+))
    |(?P<undef>undef)|(?P<null>null)|(?P<vector><)"""
_CONNECTIVE = r"(?P<and>/\\|&&)|(?P<or>\\/|\|\|)|(?P<close>\))"
_COMPARISON = r"(?P<equal>==?)|(?P<different>!=)"


def _tokens(*patterns: str) -> re.Pattern[str]:
    """Match one of some tokens behind any blanks, or (in no group) the end of the text."""
    return re.compile(rf"[ \t\r\n]*(?:{'|'.join(patterns)}|\Z)", re.VERBOSE)


_OPERAND = _tokens(_REGISTER, _LOCATION, r"(?P<true>true)|(?P<false>false)|(?P<not>[~!])|(?P<open>\()")
_BETWEEN = _tokens(_COMPARISON)
_SIDE = _tokens(_REGISTER, _VALUE)
_ELEMENT = _tokens(_VALUE)
_BEHIND_ELEMENT = _tokens("(?P<more>,)", "(?P<last>>)")
_BEHIND = _tokens(_CONNECTIVE)
_ANY = _tokens(_REGISTER, _LOCATION, _VALUE, _CONNECTIVE, _COMPARISON, "(?P<other>true|false|[~!(,>])")  # in messages


class _Group:
    """What has been read of a formula in parentheses, or of the whole."""

    def __init__(self) -> None:
        self.disjuncts: list[Formula] = []
        self.conjuncts: list[Formula] = []
        self.negations = 0

    def add(self, formula: Formula) -> None:
        """Take the next operand."""
        for _ in range(self.negations):
            formula = Not(formula)
        self.conjuncts.append(formula)
        self.negations = 0

    def end_conjunction(self) -> None:
        """Go on behind an "or"."""
        self.disjuncts.append(self.conjuncts[0] if len(self.conjuncts) == 1 else And(tuple(self.conjuncts)))
        self.conjuncts = []

    def formula(self) -> Formula:
        """Give the whole."""
        self.end_conjunction()
        return self.disjuncts[0] if len(self.disjuncts) == 1 else Or(tuple(self.disjuncts))


def _parse(text: str) -> Formula:
    """Parse a formula without recursion; the columns of mistakes are offsets."""
    groups = [_Group()]
    place = 0
    while True:
        match = _OPERAND.match(text, place)
        if match is None or match.lastgroup is None:
            raise _mistake(text, place, "a register as t1:%r", "a location as @x", "~", "(")
        place = match.end()
        formula: Formula
        match match.lastgroup:
            case "open":
                groups.append(_Group())
                continue
            case "not":
                groups[-1].negations += 1
                if groups[-1].negations > _DEEPEST:
                    raise InputError("the condition is nested too deep", column=place)
                continue
            case "true":
                formula = TrueFormula()
            case "false":
                formula = Not(TrueFormula())
            case kind:
                left = _register(match[kind]) if kind == "register" else Name(match[kind].replace('"', ""))
                formula, place = _comparison(left, text, place)
        while True:
            groups[-1].add(formula)
            match = _BEHIND.match(text, place)
            kind = "" if match is None else match.lastgroup or "end"
            if match is None or kind == ("end" if len(groups) > 1 else "close"):
                raise _mistake(text, place, "/\\", "\\/", ")" if len(groups) > 1 else "the end")
            place = match.end()
            if kind == "end":
                return groups[0].formula()
            if kind != "close":
                break
            formula = groups.pop().formula()
        if kind == "or":
            groups[-1].end_conjunction()


def _comparison(left: Name, text: str, place: int) -> tuple[Formula, int]:
    match = _BETWEEN.match(text, place)
    if match is None or match.lastgroup is None:
        raise _mistake(text, place, "=", "!=")
    equal = match.lastgroup == "equal"
    place = match.end()
    match = _SIDE.match(text, place)
    if match is None or match.lastgroup is None:
        raise _mistake(text, place, "a register as t1:%r", "a value")
    right: Name | Literal
    if match.lastgroup == "register":
        right, place = _register(match["register"]), match.end()
    else:
        value, place = _value(match, text)
        right = Literal(value)
    atom = Equal(left, right)
    return atom if equal else Not(atom), place


def _value(match: re.Match[str], text: str, depth: int = 1) -> tuple[Value, int]:
    """Give the value that begins with a token, and where it ends."""
    kind = match.lastgroup or ""
    start, end = match.start(kind), match.end()
    match kind:
        case "integer":
            if end - start > _LONGEST_NUMBER:
                raise InputError("this number is too long", column=start)
            return int(match[kind], 16 if "x" in match[kind].lower() else 10), end
        case "floating":
            return Term(f"{float(match[kind]):e}"), end  # as LLVM prints it
        case "undef":
            return UNDEF, end
        case "null":
            return NULL, end
        case "address":
            return _address(match[kind], start), end
    if depth > _DEEPEST:
        raise InputError("this vector is nested too deep", column=start)
    parts: list[Value] = []
    place = end
    while True:
        element = _ELEMENT.match(text, place)
        if element is None or element.lastgroup is None:
            raise _mistake(text, place, "a value")
        part, place = _value(element, text, depth + 1)
        parts.append(part)
        behind = _BEHIND_ELEMENT.match(text, place)
        if behind is None or behind.lastgroup is None:
            raise _mistake(text, place, ",", ">")
        place = behind.end()
        if behind.lastgroup == "last":
            return tuple(parts), place


def _register(text: str) -> Name:
    match = re.match(r'("[^"]*"|[^:]*):%?(.*)', text, re.DOTALL)
    assert match is not None  # the token has this form
    return Name(f"{_bare(match[1])}:%{_bare(match[2])}")


def _address(text: str, place: int) -> Pointer:
    match = re.match(r'&?(@(?:"[^"]*"|.*?))(\[.*)?([+-]\d+)?\Z', text, re.DOTALL)
    assert match is not None
    if match[2] is not None:
        raise InputError("an element cannot stand on the right: write it on the left of the '='", column=place)
    if len(match[3] or "") > 18:
        raise InputError("this offset is too long", column=place)
    return Pointer(match[1].replace('"', ""), int(match[3] or 0))


def _bare(name: str) -> str:
    return name[1:-1] if name.startswith('"') else name


def _mistake(text: str, place: int, *expected: str) -> InputError:
    match = _ANY.match(text, place)
    kind = "" if match is None else match.lastgroup or "end"
    if kind == "end":
        place, what = len(text.rstrip()), "the condition ends here"
    elif match is not None:
        place, what = match.start(kind), f"unexpected '{match[kind]}' in the condition"
    else:
        place += len(text[place:]) - len(text[place:].lstrip(" \t\r\n"))
        what = f"unexpected '{text[place]}' in the condition"
    return InputError(f"{what}: expected {' or '.join(expected)}", column=place)


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
