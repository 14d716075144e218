"""Conditions that are asked of a test from outside, in the words of its language."""

from __future__ import annotations

import re
from difflib import get_close_matches

from enumerator.errors import InputError
from enumerator.program.condition import Equal, Formula, Literal, Name
from enumerator.program.formulas import map_atoms, names
from enumerator.program.test import Test
from enumerator.program.values import Pointer, Value

__all__ = ["asked_of"]

_CONDITION = re.compile(r"^[ \t]*;+[ \t]*(?:EXISTS|FORALL|NEVER)[ \t]*:.*$", re.MULTILINE)


def asked_of(test: Test, text: str) -> Formula:
    r"""Parse a condition over the names of a test.

    Parameters
    ----------
    test : Test
    text : str
        Without quantifier. Names are those of results: ``t1:%r``, ``@x``; ``0:r0``, ``[x]`` or ``x``.

    Returns
    -------
    Formula

    Raises
    ------
    InputError
        If it is no condition, or names what the test does not have.

    Examples
    --------
    >>> from enumerator.frontend import load_text
    >>> test = load_text("@x = global i32 0\ndefine void @t() {\n  store i32 1, ptr @x\n  ret void\n}", "t.ll")
    >>> asked_of(test, "@x = 0xffffffff").right
    Literal(value=-1)
    """
    asked = " ".join(text.split())
    if not asked:
        raise InputError("expected a condition, as 't1:%r = 1'", "--outcome")
    try:
        return _of_module(test, asked) if test.format == "llvm" and test.source else _of_names(test, asked)
    except InputError as error:
        raise InputError(error.message, "--outcome") from None


def _of_module(test: Test, asked: str) -> Formula:
    """Let the front end read the test with the condition in the place of its own: it knows the types."""
    from enumerator.frontend.again import load_again

    directive = f"; EXISTS: {asked}"
    found = [0]

    def exchanged(match: re.Match[str]) -> str:
        found[0] += 1
        return directive if found[0] == 1 else ";"

    changed = _CONDITION.sub(exchanged, test.source)
    if not found[0]:
        changed = f"{changed}\n{directive}\n"
    return load_again(test, changed).condition.formula


def _of_names(test: Test, asked: str) -> Formula:
    from enumerator.conditions import parse_condition
    from enumerator.unfold import all_names

    formula = parse_condition(re.sub(r"\[(\w+(?:\[\d+\])?)\]", r"@\1", asked)).formula
    formula = map_atoms(formula, lambda atom: Equal(_plain(atom.left), _plain_side(atom.right)))
    known = all_names(test)
    for name in names(formula):
        if name not in known:
            near = get_close_matches(name, known, 1)
            hint = f": did you mean {near[0]}?" if near else f": there are {', '.join(known[:20])}"
            raise InputError(f"the test has no {name}{hint}")
    return formula


def _plain(name: Name) -> Name:
    """Spell a name as the results of other languages do: ``0:r0``, ``[x]``."""
    if name.text.startswith("@"):
        return Name(f"[{name.text[1:]}]")
    return Name(name.text.replace(":%", ":", 1))


def _plain_side(side: Name | Literal) -> Name | Literal:
    return _plain(side) if isinstance(side, Name) else Literal(_plain_value(side.value))


def _plain_value(value: Value) -> Value:
    if isinstance(value, Pointer):
        return Pointer(value.object.removeprefix("@"), value.offset)
    return tuple(map(_plain_value, value)) if isinstance(value, tuple) else value
