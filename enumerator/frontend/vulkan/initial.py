"""What stands before the threads: the initial state, synchronization by the system, and where threads run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from enumerator.frontend.c.lexer import Cursor, Token
from enumerator.frontend.columns.code import parse_constant
from enumerator.frontend.columns.initial import InitialState, parse_block, parse_item, thread_number
from enumerator.program.test import Placement

__all__ = ["Column", "parse_columns", "parse_initial_state", "place"]

_LEVELS = ("sg", "wg", "qf")


@dataclass(frozen=True, slots=True)
class Column:
    """The head of a thread's column: its number, the instances it is in (subgroup first), and its place."""

    number: int
    instances: tuple[int, int, int]
    token: Token


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
    parse_block(cursor, "the initial state", lambda each: parse_item(each, state))
    if cursor.text == "{":
        parse_block(cursor, "ssw", lambda each: _synchronized(each, state))
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


def _synchronized(cursor: Cursor, state: InitialState) -> None:
    cursor.expect("ssw")
    first = cursor.token
    source = thread_number(cursor)
    second = cursor.token
    state.synchronized.append((source, thread_number(cursor)))
    state.synchronized_places.append((first, second))
