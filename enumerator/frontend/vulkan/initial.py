"""What stands before the threads: the initial state, synchronization by the system, and where threads run."""

from __future__ import annotations

from collections.abc import Sequence

from enumerator.frontend.c.lexer import Cursor
from enumerator.frontend.columns.initial import (
    InitialState,
    numbered,
    parse_block,
    parse_instance,
    parse_item,
    thread_number,
)
from enumerator.program.test import Placement

__all__ = ["parse_initial_state", "parse_instances", "place"]


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


def parse_instances(cursor: Cursor) -> tuple[int, int, int]:
    """Parse where a thread runs: its subgroup, workgroup and queue family."""
    subgroup = parse_instance(cursor, "sg")
    cursor.expect(",")
    workgroup = parse_instance(cursor, "wg")
    cursor.expect(",")
    return subgroup, workgroup, parse_instance(cursor, "qf")


def place(threads: Sequence[tuple[int | None, ...]]) -> list[Placement]:
    """Place threads: a subgroup belongs to its workgroup, and that to its queue family.

    Parameters
    ----------
    threads : sequence of (int, int, int)
        The numbers of each thread's subgroup, workgroup and queue family.

    Returns
    -------
    list of Placement

    Examples
    --------
    >>> [each.instances for each in place([(0, 0, 0), (0, 1, 0)])]
    [(0, 0, 0, 0, 0, 0), (1, 1, 1, 0, 0, 0)]
    """
    levels = (numbered(each[level:] for each in threads) for level in range(3))
    return [Placement((order, *instances, 0, 0)) for order, instances in enumerate(zip(*levels, strict=True))]


def _synchronized(cursor: Cursor, state: InitialState) -> None:
    cursor.expect("ssw")
    first = cursor.token
    source = thread_number(cursor)
    second = cursor.token
    state.synchronized.append((source, thread_number(cursor)))
    state.synchronized_places.append((first, second))
