"""The initial state of a C litmus test: ``{ int x = 1; [y] = 0; int *p = &x; int a[2] = {1, 2}; 0:r1 = 5; }``."""

from __future__ import annotations

import re
from dataclasses import field

from enumerator.frontend.c.lexer import Cursor, Token
from enumerator.frontend.c.types import (
    WORD_SIZE,
    ArrayOf,
    CType,
    Integer,
    parse_array_size,
    parse_base,
    parse_number,
    parse_pointers,
    starts_type,
)
from enumerator.frozen import dataclass
from enumerator.program.values import Pointer, Value

__all__ = ["InitialState", "Location", "parse_initial_state", "parse_register"]

_THREAD = re.compile(r"P?(0|[1-9][0-9]{0,5})")
_WORDS = {"NULL": 0, "true": 1, "false": 0}


@dataclass(frozen=True, slots=True)
class Location:
    """A location: its type (None where nothing says it), first value, and the token that names it."""

    type: CType | None
    value: Value
    token: Token


@dataclass
class InitialState:
    """What the initial state says.

    Parameters
    ----------
    locations : dict of str to Location
    registers : dict of (int, str) to Value
        By thread and name.
    places : dict of (int, str) to Token
        Where registers are named.
    addresses : list of (Pointer, Token)
        The addresses among the values.
    """

    locations: dict[str, Location] = field(default_factory=dict)
    registers: dict[tuple[int, str], Value] = field(default_factory=dict)
    places: dict[tuple[int, str], Token] = field(default_factory=dict)
    addresses: list[tuple[Pointer, Token]] = field(default_factory=list)


def parse_initial_state(cursor: Cursor) -> InitialState:
    """Parse the initial state, in braces. What is said later replaces what was said before.

    Parameters
    ----------
    cursor : Cursor

    Returns
    -------
    InitialState

    Raises
    ------
    InputError
        At the first token that does not fit.
    """
    state = InitialState()
    if cursor.text != "{":
        cursor.unexpected("'{' and the initial state")
    opening = cursor.next()
    while not cursor.accept("}"):
        if cursor.token.kind == "end":
            cursor.unexpected(f"the '}}' of the '{{' in line {opening.line}")
        if not cursor.accept(";"):
            _item(cursor, state)
            if cursor.text not in (";", "}"):
                cursor.unexpected("';' or '}'")
    return state


def parse_register(cursor: Cursor) -> tuple[int, Token] | None:
    """Parse ``0:r1`` or ``P0:r1``, if that is what stands here: give the thread's number and the register."""
    match = _THREAD.fullmatch(cursor.text)
    if match is None or cursor.ahead(1).text != ":":
        return None
    cursor.next()
    cursor.next()
    return int(match[1]), cursor.name("a register")


def _item(cursor: Cursor, state: InitialState) -> None:
    base = parse_base(cursor) if starts_type(cursor.token) else None
    if base is None and cursor.token.kind == "word" and cursor.ahead(1).kind == "word":
        raise cursor.error(f"unknown type {cursor.text!r}")
    if base is None and cursor.text == "*":
        base = Integer()  # herd7's way to say that a location holds an address
    type_ = parse_pointers(cursor, base) if base is not None else None
    register = parse_register(cursor)
    if register is not None:
        number, token = register
        state.registers[number, token.text] = _value(cursor, state) if cursor.accept("=") else 0
        state.places[number, token.text] = token
        return
    bracketed = cursor.accept("[")
    token = cursor.name("a location or a register")
    if bracketed:
        cursor.expect("]")
    place = cursor.token
    count = None if bracketed else parse_array_size(cursor)
    if count is None:
        value = _value(cursor, state) if cursor.accept("=") else 0
    elif type_ is None:
        raise cursor.error("an element cannot be initialised alone: write int a[2] = {1, 2}", place)
    else:
        values = _values(cursor, state) if cursor.accept("=") else ()
        count = count or len(values)
        if not count:
            raise cursor.error("the array needs a number of elements", place)
        if len(values) > count:
            raise cursor.error(f"more values than {token.text} has elements", place)
        type_, value = ArrayOf(type_, count), (*values, *(0,) * (count - len(values)))
    before = state.locations.get(token.text)
    if type_ is None and before is not None:
        type_ = before.type
        if isinstance(type_, ArrayOf):
            raise cursor.error(f"{token.text} is an array", token)
    state.locations[token.text] = Location(type_, value, token)


def _values(cursor: Cursor, state: InitialState) -> tuple[Value, ...]:
    cursor.expect("{")
    values = [_value(cursor, state)]
    while cursor.accept(","):
        values.append(_value(cursor, state))
    cursor.expect("}")
    return tuple(values)


def _value(cursor: Cursor, state: InitialState) -> Value:
    if cursor.text == "ATOMIC_INIT" or cursor.text == "ATOMIC_VAR_INIT":
        cursor.next()
        cursor.expect("(")
        value = _value(cursor, state)
        cursor.expect(")")
        return value
    if cursor.token.kind == "number" or cursor.text == "-":
        return parse_number(cursor)
    if cursor.text in _WORDS:
        return _WORDS[cursor.next().text]
    cursor.accept("&")
    token = cursor.name("a value: a number, or the address of a location")
    index = parse_number(cursor) if cursor.accept("[") else None
    if index is not None:
        cursor.expect("]")
    address = Pointer(token.text, index * WORD_SIZE if index is not None else 0)  # there are no arrays of arrays
    state.addresses.append((address, token))
    return address
