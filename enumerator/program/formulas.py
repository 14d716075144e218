"""Formulas over final states: their three-valued value, the names in them, and building them."""

from __future__ import annotations

from collections.abc import Callable

from enumerator.program.condition import And, Equal, Flag, Formula, Literal, Name, Not, Or, TrueFormula
from enumerator.program.floats import same_number
from enumerator.program.values import UNDEF, Term, Undef, Value

__all__ = ["comparison", "evaluate", "flag_names", "map_atoms", "names"]


def evaluate(formula: Formula, lookup: Callable[[str], Value]) -> bool | None:
    r"""Evaluate a formula in a final state, by Kleene's three-valued logic.

    A comparison with a value that is ``undef`` is undetermined (semantics, section 1), and so is one with a
    floating-point value that was not computed, unless the defined parts of the two values differ. A comparison with
    the literal ``undef`` asks whether the value is undef; it is always determined.

    Parameters
    ----------
    formula : Formula
    lookup : callable
        Gives the final value of a register or location by its name; of a flag, whether it was raised (1 or 0).

    Returns
    -------
    bool or None
        None where the formula is undetermined.

    See Also
    --------
    enumerator.results.truth.truth : The same for many final states at once.

    References
    ----------
    S. C. Kleene, *Introduction to Metamathematics*, 1952, section 64: the strong three-valued connectives.

    Examples
    --------
    >>> from enumerator.conditions import parse_condition
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


def names(formula: Formula) -> tuple[str, ...]:
    """Give the registers and locations that a formula names, in order of appearance and each once.

    Examples
    --------
    >>> from enumerator.conditions import parse_condition
    >>> names(parse_condition("t0:b = 1 || t0:a = t0:b").formula)
    ('t0:%b', 't0:%a')
    """
    found: dict[str, None] = {}
    waiting = [formula]
    while waiting:
        match waiting.pop():
            case Equal(left, right):
                found[left.text] = None
                if isinstance(right, Name):
                    found[right.text] = None
            case Not(body):
                waiting.append(body)
            case And(parts) | Or(parts):
                waiting += reversed(parts)
    return tuple(found)


def flag_names(formula: Formula) -> tuple[str, ...]:
    """Give the flags that a formula asks for, in order of appearance and each once.

    Examples
    --------
    >>> from enumerator.conditions import parse_condition
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
    >>> from enumerator.conditions import parse_condition
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
    """Make the formula that two sides are equal: a name comes first, and two constants are compared at once.

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


def _all(parts: list[bool | None]) -> bool | None:
    if False in parts:
        return False
    return None if None in parts else True


def _any(parts: list[bool | None]) -> bool | None:
    if True in parts:
        return True
    return None if None in parts else False


def _matches(value: Value, wanted: Value) -> bool | None:
    """Compare a final value with a literal; the literal ``undef`` asks whether the value is undef."""
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
        return same_number(left, right)  # terms that were not computed may have the same value
    return left == right


def _is_undef(value: Value) -> bool:
    return _matches(value, UNDEF) is True
