"""The initial state of a test in columns: locations, registers, and further references to locations."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable
from dataclasses import field

from enumerator.frontend.c.lexer import Cursor, Token
from enumerator.frontend.columns.lexer import is_register, parse_constant
from enumerator.frozen import dataclass

__all__ = [
    "Column",
    "InitialState",
    "numbered",
    "parse_block",
    "parse_columns",
    "parse_instance",
    "parse_item",
    "parse_name",
    "thread_number",
]

_THREAD = re.compile(r"P?(0|[1-9][0-9]{0,5})")


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
    virtual : dict of str to str
        Where accesses name proxies: the virtual address of each further reference, itself if it is a generic one.
    """

    locations: dict[str, int] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    registers: dict[tuple[int, str], int] = field(default_factory=dict)
    places: dict[str | tuple[int, str], Token] = field(default_factory=dict)
    synchronized: list[tuple[int, int]] = field(default_factory=list)
    synchronized_places: list[tuple[Token, Token]] = field(default_factory=list)
    virtual: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Column:
    """The head of a thread's column: its number, the instances that it is in (smallest first), and its place.

    None stands for an instance that is not named.
    """

    number: int
    instances: tuple[int | None, ...]
    token: Token


def parse_columns(cursor: Cursor, instances: Callable[[Cursor], tuple[int | None, ...]], example: str) -> list[Column]:
    """Parse the row that places the threads: ``P0@sg 0, wg 0, qf 0 | P1@sg 1, wg 0, qf 0 ;``.

    Parameters
    ----------
    cursor : Cursor
    instances : callable
        Parses what stands behind ``@``.
    example : str
        The head of a thread, for messages.

    Returns
    -------
    list of Column

    Raises
    ------
    InputError
        At the first token that does not fit, or a thread that is there twice.
    """
    columns: list[Column] = []
    while True:
        token = cursor.token
        if token.kind != "word":
            cursor.unexpected(f"a thread, as {example}")
        number = thread_number(cursor)
        if any(column.number == number for column in columns):
            raise cursor.error(f"a second thread P{number}", token)
        cursor.expect("@")
        columns.append(Column(number, instances(cursor), token))
        if cursor.accept(";"):
            return columns
        if not cursor.accept("|"):
            cursor.unexpected("'|' and another thread, or ';'")


def parse_instance(cursor: Cursor, level: str) -> int:
    """Parse the name of a level, and the number of an instance."""
    cursor.expect(level)
    return parse_constant(cursor, "the number of an instance")


def numbered(items: Iterable[Hashable]) -> list[int]:
    """Number things: those that are equal have one number, in the order in which they first come."""
    numbers: dict[Hashable, int] = {}
    return [numbers.setdefault(item, len(numbers)) for item in items]


def thread_number(cursor: Cursor) -> int:
    """Take a thread: ``P0`` or ``0``."""
    match = _THREAD.fullmatch(cursor.text)
    if match is None:
        cursor.unexpected("a thread, as P0")
    cursor.next()
    return int(match[1])


def parse_block(cursor: Cursor, what: str, item: Callable[[Cursor], None]) -> None:
    """Parse items between braces, with semicolons behind them."""
    if cursor.text != "{":
        cursor.unexpected(f"'{{' and {what}")
    opening = cursor.next()
    while not cursor.accept("}"):
        if cursor.token.kind == "end":
            cursor.unexpected(f"the '}}' of the '{{' in line {opening.line}")
        if not cursor.accept(";"):
            item(cursor)
            if cursor.text not in (";", "}"):
                cursor.unexpected("';' or '}'")


def parse_item(cursor: Cursor, state: InitialState) -> None:
    """Parse what a location or a register holds first, or ``y aliases x``."""
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
    token = parse_name(cursor, state)
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


def parse_name(cursor: Cursor, state: InitialState) -> Token:
    """Take the name of a location or of a reference to one, which is given here."""
    bracketed = cursor.accept("[")
    token = cursor.name("a location or a register")
    if bracketed:
        cursor.expect("]")
    if "." in token.text or is_register(token.text):
        raise cursor.error(f"{token.text} cannot be the name of a location", token)
    _once(cursor, state, token.text, token.text, token)
    return token


def _once(cursor: Cursor, state: InitialState, key: str | tuple[int, str], name: str, token: Token) -> None:
    """Note where a name is given, which may be said once."""
    if key in state.places:
        raise cursor.error(f"{name} is given twice (first in line {state.places[key].line})", token)
    state.places[key] = token
