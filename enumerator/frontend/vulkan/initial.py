"""What stands before the threads: the initial state, synchronization by the system, and where threads run."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from enumerator.frontend.c.lexer import Cursor, Token
from enumerator.program.test import Placement

__all__ = ["Column", "InitialState", "parse_columns", "parse_constant", "parse_initial_state", "place", "thread_number"]

_THREAD = re.compile(r"P?(0|[1-9][0-9]{0,5})")
_REGISTER = re.compile(r"r[0-9]{1,6}")
_LEVELS = ("sg", "wg", "qf")


@dataclass
class InitialState:
    """What the initial state says.

    Parameters
    ----------
    locations : dict of str to int
        First values.
    aliases : dict of str to str
        Further references, each with the location that it leads to.
    registers : dict of (int, str) to int
        First values, by thread and name.
    places : dict
        Where each name is first given: a name, or a thread's number and a register.
    synchronized : list of (int, int)
        Threads that the system synchronizes, first to second.
    synchronized_places : list of (Token, Token)
        Where these are named.
    """

    locations: dict[str, int] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    registers: dict[tuple[int, str], int] = field(default_factory=dict)
    places: dict[str | tuple[int, str], Token] = field(default_factory=dict)
    synchronized: list[tuple[int, int]] = field(default_factory=list)
    synchronized_places: list[tuple[Token, Token]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Column:
    """The head of a thread's column: its number, the instances it is in (subgroup first), and its place."""

    number: int
    instances: tuple[int, int, int]
    token: Token


def is_register(text: str) -> bool:
    """Tell whether a word names a register."""
    return _REGISTER.fullmatch(text) is not None


def parse_initial_state(cursor: Cursor) -> InitialState:
    """Parse the initial state and, where there is one, the list of synchronized threads.

    Parameters
    ----------
    cursor : Cursor

    Returns
    -------
    InitialState

    Raises
    ------
    InputError
        At the first token that does not fit, or a name that is given twice.
    """
    state = InitialState()
    _block(cursor, state, "the initial state", _item)
    if cursor.text == "{":
        _block(cursor, state, "ssw", _synchronized)
    cursor.accept(";")
    for name, target in state.aliases.items():
        if target in state.aliases:
            raise cursor.error(f"{target} is a reference itself: name the location", state.places[name])
        state.locations.setdefault(target, 0)
    return state


def parse_columns(cursor: Cursor) -> list[Column]:
    """Parse the row that places the threads: ``P0@sg 0, wg 0, qf 0 | P1@sg 1, wg 0, qf 0 ;``."""
    columns: list[Column] = []
    while True:
        token = cursor.token
        if token.kind != "word":
            cursor.unexpected("a thread, as P0@sg 0, wg 0, qf 0")
        number = thread_number(cursor)
        if any(column.number == number for column in columns):
            raise cursor.error(f"a second thread P{number}", token)
        cursor.expect("@")
        instances: list[int] = []
        for level in _LEVELS:
            if instances:
                cursor.expect(",")
            cursor.expect(level)
            instances.append(parse_constant(cursor, "the number of an instance"))
        columns.append(Column(number, (instances[0], instances[1], instances[2]), token))
        if cursor.accept(";"):
            return columns
        if not cursor.accept("|"):
            cursor.unexpected("'|' and another thread, or ';'")


def place(columns: Sequence[tuple[int, tuple[int, int, int]]]) -> dict[int, Placement]:
    """Place threads: a subgroup belongs to its workgroup, and that to its queue family.

    Parameters
    ----------
    columns : sequence of (int, (int, int, int))
        Each thread's number, and the numbers of its subgroup, workgroup and queue family.

    Returns
    -------
    dict of int to Placement

    Examples
    --------
    >>> places = place([(0, (0, 0, 0)), (1, (0, 1, 0))])
    >>> places[0].instances, places[1].instances
    ((0, 0, 0, 0, 0, 0), (1, 1, 1, 0, 0, 0))
    """
    subgroups: dict[tuple[int, ...], int] = {}
    workgroups: dict[tuple[int, ...], int] = {}
    families: dict[int, int] = {}
    placed = {}
    for order, (number, (subgroup, workgroup, family)) in enumerate(columns):
        placed[number] = Placement(
            (
                order,
                subgroups.setdefault((subgroup, workgroup, family), len(subgroups)),
                workgroups.setdefault((workgroup, family), len(workgroups)),
                families.setdefault(family, len(families)),
                0,
                0,
            )
        )
    return placed


def thread_number(cursor: Cursor) -> int:
    """Take a thread: ``P0`` or ``0``."""
    match = _THREAD.fullmatch(cursor.text)
    if match is None:
        cursor.unexpected("a thread, as P0")
    cursor.next()
    return int(match[1])


def parse_constant(cursor: Cursor, wanted: str) -> int:
    """Take a number that fits into 32 bits, signed or not: give it signed."""
    start = cursor.token
    negative = cursor.accept("-") is not None
    if cursor.token.kind != "number":
        cursor.unexpected(wanted)
    text = cursor.next().text
    if len(text) > 40:
        raise cursor.error("this number does not fit into 32 bits", start)
    value = int(text, 16) if text[:2] in ("0x", "0X") else int(text)
    value = -value if negative else value
    if not -(1 << 31) <= value < 1 << 32:
        raise cursor.error("this number does not fit into 32 bits", start)
    return value - (1 << 32) if value >= 1 << 31 else value


def _block(cursor: Cursor, state: InitialState, what: str, item: object) -> None:
    if cursor.text != "{":
        cursor.unexpected(f"'{{' and {what}")
    opening = cursor.next()
    while not cursor.accept("}"):
        if cursor.token.kind == "end":
            cursor.unexpected(f"the '}}' of the '{{' in line {opening.line}")
        if not cursor.accept(";"):
            item(cursor, state)  # type: ignore[operator]
            if cursor.text not in (";", "}"):
                cursor.unexpected("';' or '}'")


def _item(cursor: Cursor, state: InitialState) -> None:
    start = cursor.token
    if cursor.ahead(1).text == ":" and _THREAD.fullmatch(cursor.text):
        number = thread_number(cursor)
        cursor.next()
        token = cursor.name("a register")
        if not is_register(token.text):
            raise cursor.error(f"{token.text}: registers are r0, r1 …", token)
        _once(cursor, state, (number, token.text), f"P{number}:{token.text}", start)
        cursor.expect("=")
        state.registers[number, token.text] = parse_constant(cursor, "a number: addresses are no values here")
        return
    bracketed = cursor.accept("[")
    token = cursor.name("a location or a register")
    if bracketed:
        cursor.expect("]")
    if "." in token.text or is_register(token.text):
        raise cursor.error(f"{token.text} cannot be the name of a location", token)
    _once(cursor, state, token.text, token.text, token)
    if cursor.accept("aliases"):
        target = cursor.name("the location that it refers to")
        if target.text == token.text:
            raise cursor.error(f"{token.text} cannot refer to itself", target)
        state.aliases[token.text] = target.text
        return
    if cursor.text != "=":
        cursor.unexpected("'=' and a value, or aliases and a location")
    cursor.next()
    state.locations[token.text] = parse_constant(cursor, "a number: addresses are no values here")


def _once(cursor: Cursor, state: InitialState, key: str | tuple[int, str], name: str, token: Token) -> None:
    if key in state.places:
        raise cursor.error(f"{name} is given twice (first in line {state.places[key].line})", token)
    state.places[key] = token


def _synchronized(cursor: Cursor, state: InitialState) -> None:
    cursor.expect("ssw")
    first = cursor.token
    source = thread_number(cursor)
    second = cursor.token
    state.synchronized.append((source, thread_number(cursor)))
    state.synchronized_places.append((first, second))
