r"""What a C litmus test asks: ``locations [x; 0:r1;]``, ``filter``, and ``exists``, ``~exists`` or ``forall``."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import field

from enumerator.conditions import comparison, names
from enumerator.frontend.c.initial import parse_register
from enumerator.frontend.c.lexer import Cursor, Token, tokenize
from enumerator.frontend.c.types import WORD_SIZE, parse_base, parse_number, parse_pointers, starts_type
from enumerator.frontend.directives import Comment
from enumerator.frozen import dataclass
from enumerator.program.condition import (
    And,
    Condition,
    Flag,
    Formula,
    Literal,
    Name,
    Not,
    Or,
    Quantifier,
    TrueFormula,
)
from enumerator.program.values import Pointer

__all__ = ["Asked", "Names", "parse_asked", "parse_formula", "parse_observed", "quantifier_here"]

_DEEPEST = 90
_QUESTIONS = ("exists", "filter", "forall", "locations")
_WORDS = {"NULL": 0, "true": 1, "false": 0}


@dataclass(frozen=True)
class Names:
    """What a condition may name.

    Parameters
    ----------
    registers : dict of int to collection of str
        By thread.
    elements : dict of str to int or None
        The locations, and the locals that are memory (as ``0:a``): for an array its number of elements, else None.
    asked : set of (int, str)
        The registers that were named, added by parsing.
    prefix : str
        What results write before the number of a thread.
    addresses : bool
        The name of a location on the right is its address; else what it holds.
    """

    registers: dict[int, Collection[str]]
    elements: dict[str, int | None]
    asked: set[tuple[int, str]] = field(default_factory=set)
    prefix: str = ""
    addresses: bool = True


@dataclass(frozen=True)
class Asked:
    """What a test asks: ``condition`` is None where the text has none."""

    condition: Condition | None
    locations: tuple[Name, ...]
    filter: Formula | None


def parse_asked(cursor: Cursor, known: Names) -> Asked:
    """Parse what stands behind the threads.

    Parameters
    ----------
    cursor : Cursor
    known : Names

    Returns
    -------
    Asked

    Raises
    ------
    InputError
        At the first token that does not fit, or a name of nothing.
    """
    parser = _Parser(cursor, known)
    if cursor.text == "regions" and cursor.ahead(1).text == ":":
        parser.regions()
    locations = tuple(parser.locations()) if cursor.accept("locations") else ()
    filter_ = parser.formula() if cursor.accept("filter") else None
    quantifier = quantifier_here(cursor)
    condition = None
    if quantifier is not None:
        start = cursor.token
        formula = parser.formula()
        condition = Condition(quantifier, formula, cursor.source_since(start), filter_)
        cursor.accept(";")
    if cursor.token.kind != "end":
        cursor.unexpected("the end of the test" if condition else "locations, filter, exists, ~exists or forall")
    return Asked(condition, locations, filter_)


def parse_formula(cursor: Cursor, known: Names) -> Formula:
    """Parse a formula that is all there is."""
    formula = _Parser(cursor, known).formula()
    if cursor.token.kind != "end":
        cursor.unexpected("the end of the condition")
    return formula


def parse_observed(written: Comment | None, known: Names, path: str) -> tuple[Name, ...] | None:
    """Parse what ``OBSERVE:`` names, spelt as in conditions; None without the directive."""
    if written is None:
        return None
    found: dict[str, None] = {}
    for match in re.finditer(r"\S+", written.text):
        tokens = tokenize(f"{match[0]} = 0", path, written.line, written.column + match.start())
        found.update(dict.fromkeys(names(parse_formula(Cursor(tokens, path, match[0]), known))))
    return tuple(map(Name, found))


def quantifier_here(cursor: Cursor) -> Quantifier | None:
    """Take a quantifier, if one stands here; a formula in parentheses without one is herd7's ``exists``."""
    if cursor.accept("exists", "final"):
        return Quantifier.EXISTS
    if cursor.accept("forall"):
        return Quantifier.FORALL
    if cursor.text in ("~", "not", "!") and cursor.ahead(1).text == "exists":
        cursor.next()
        cursor.next()
        return Quantifier.NEVER
    return Quantifier.EXISTS if cursor.text == "(" else None


class _Parser:
    def __init__(self, cursor: Cursor, known: Names) -> None:
        self._cursor = cursor
        self._known = known
        self._depth = 0

    # -- formulas, from the weakest connective to the strongest ------------------------------------------------

    def formula(self) -> Formula:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise self._cursor.error("the condition is nested too deep")
        parts = [self._conjunction()]
        while self._cursor.accept("\\/", "||"):
            parts.append(self._conjunction())
        self._depth -= 1
        return parts[0] if len(parts) == 1 else Or(tuple(parts))

    def _conjunction(self) -> Formula:
        parts = [self._implication()]
        while self._cursor.accept("/\\", "&&"):
            parts.append(self._implication())
        return parts[0] if len(parts) == 1 else And(tuple(parts))

    def _implication(self) -> Formula:
        premises = [self._negation()]
        while self._cursor.accept("=>"):
            premises.append(self._negation())
            if len(premises) > _DEEPEST:
                raise self._cursor.error("the condition is nested too deep")
        formula = premises.pop()
        while premises:
            formula = Or((Not(premises.pop()), formula))
        return formula

    def _negation(self) -> Formula:
        negated = 0
        while self._cursor.accept("~", "not", "!"):
            negated += 1
        formula = self._primary()
        return Not(formula) if negated % 2 else formula

    def _primary(self) -> Formula:
        cursor = self._cursor
        if cursor.accept("("):
            formula = self.formula()
            cursor.expect(")")
            return formula
        if cursor.accept("true"):
            return TrueFormula()
        if cursor.accept("false"):
            return Not(TrueFormula())
        return self._atom()

    def _atom(self) -> Formula:
        cursor = self._cursor
        if (flag := self._flag()) is not None:
            return flag
        constant = self._at_constant()
        names: list[Name | Literal] = [self._side()] if constant else [*self._name("a condition")]
        operator = cursor.accept("=", "==", "!=")
        if operator is None:
            cursor.unexpected("'=' and a value")
        token = cursor.token
        sides: list[Name | Literal]
        if cursor.accept("{"):
            sides = [self._side()]
            while cursor.accept(","):
                sides.append(self._side())
            cursor.expect("}")
        elif constant and not self._at_constant():  # compared with what is there, as if it stood on the left
            sides = [*self._name("a value")]
        else:
            sides = [self._side()]
        if len(sides) != len(names):
            raise cursor.error(f"{len(sides)} value{'s' * (len(sides) != 1)} for {len(names)} elements", token)
        atoms = tuple(comparison(name, side) for name, side in zip(names, sides, strict=True))
        formula = atoms[0] if len(atoms) == 1 else And(atoms)
        return Not(formula) if operator.text == "!=" else formula

    def _at_constant(self) -> bool:
        """Tell whether a number, or the null pointer, stands here; ``0:r0`` is a register."""
        cursor = self._cursor
        return cursor.text in ("-", "NULL") or (cursor.token.kind == "number" and cursor.ahead(1).text != ":")

    def _flag(self) -> Flag | None:
        """Parse the name of a flag, as ``race`` or ``ub-undef``, which is no location's."""
        cursor = self._cursor
        words, ahead = [cursor.text], 1
        if words[0] in _QUESTIONS:
            return None
        while cursor.ahead(ahead).text == "-":
            words.append(cursor.ahead(ahead + 1).text)
            ahead += 2
        if cursor.ahead(ahead).text in ("=", "==", "!=", "[", ":") or words[0] in self._known.elements:
            return None
        if not all(re.fullmatch(r"[A-Za-z]\w*", word) for word in words):
            return None
        for _ in range(ahead):
            cursor.next()
        return Flag("-".join(words))

    # -- names and values --------------------------------------------------------------------------------------

    def locations(self) -> Iterator[Name]:
        """Parse the list of ``locations``: types may stand behind the names, and say nothing."""
        cursor = self._cursor
        cursor.expect("[")
        while not cursor.accept("]"):
            yield from self._name("a register or location, or ']'")
            if starts_type(cursor.token):
                parse_pointers(cursor, parse_base(cursor))
            while cursor.accept("*"):
                pass
            if cursor.text != "]" and not cursor.accept(";", ","):
                cursor.unexpected("';' or ']'")

    def regions(self) -> None:
        """Parse ``regions: x:PROP, y:PROP``. They are for models written in herd's bell; C's know no regions."""
        cursor = self._cursor
        cursor.next()
        cursor.next()
        while True:
            self._known_location(cursor.name("a location"))
            cursor.expect(":")
            cursor.name("the name of a region")
            if not cursor.accept(","):
                return

    def _name(self, wanted: str) -> list[Name]:
        """Parse a register or location; an array stands for its elements."""
        cursor = self._cursor
        start = cursor.token
        register = parse_register(cursor)
        if register is not None:
            return self._register(*register, start)
        bracketed = cursor.accept("[")
        if not bracketed:
            cursor.accept("*")
        if bracketed and (register := parse_register(cursor)) is not None:
            names = self._register(*register, start)
        else:
            names = self._location(self._known_location(cursor.name("a location" if bracketed else wanted)))
        if bracketed:
            cursor.expect("]")
        return names

    def _register(self, thread: int, register: Token, start: Token) -> list[Name]:
        if thread not in self._known.registers:
            names = ", ".join(f"P{number}" for number in self._known.registers)
            raise self._cursor.error(f"there is no thread P{thread} (threads are {names})", start)
        local = f"{thread}:{register.text}"
        if local in self._known.elements:
            return self._location(local)
        if register.text not in self._known.registers[thread]:
            raise self._cursor.error(f"thread P{thread} has no register {register.text}", register)
        self._known.asked.add((thread, register.text))
        return [Name(self._known.prefix + local)]

    def _location(self, name: str) -> list[Name]:
        count = self._known.elements[name]
        if self._cursor.text == "[":
            place = self._cursor.token
            index = self._index()
            if count is None:
                raise self._cursor.error(f"{name} is no array", place)
            if not 0 <= index < count:
                raise self._cursor.error(f"the array {name} has {count} elements, counted from 0", place)
            return [Name(f"[{name}[{index}]]")]
        return [Name(f"[{name}]")] if count is None else [Name(f"[{name}[{index}]]") for index in range(count)]

    def _known_location(self, token: Token) -> str:
        if token.text not in self._known.elements:
            raise self._cursor.error(f"unknown location {token.text}", token)
        return token.text

    def _index(self) -> int:
        self._cursor.expect("[")
        index = parse_number(self._cursor)
        self._cursor.expect("]")
        return index

    def _side(self) -> Name | Literal:
        """Parse the right side of an atom: a value, or what a register or (in brackets) a location holds."""
        cursor = self._cursor
        token = cursor.token
        held = not self._known.addresses and token.text in self._known.elements
        if cursor.text == "[" or cursor.text == "*" or cursor.ahead(1).text == ":" or held:
            names = self._name("a value")
            if len(names) != 1:
                raise cursor.error("an array cannot stand on the right", token)
            return names[0]
        if token.kind == "number" or token.text == "-":
            return Literal(parse_number(cursor))
        if token.text in _WORDS:
            return Literal(_WORDS[cursor.next().text])
        cursor.accept("&")
        name = cursor.name("a value")
        count = self._known.elements[self._known_location(name)]
        index = self._index() if count is not None and cursor.text == "[" else 0
        return Literal(Pointer(name.text, index * WORD_SIZE))
