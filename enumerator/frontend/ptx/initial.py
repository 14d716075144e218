"""What stands before the threads of a PTX test: the initial state, with proxies, and where threads run."""

from __future__ import annotations

from collections.abc import Sequence

from enumerator.frontend.c.lexer import Cursor
from enumerator.frontend.columns.initial import (
    InitialState,
    numbered,
    parse_block,
    parse_instance,
    parse_item,
    parse_name,
)
from enumerator.frontend.columns.lexer import is_register
from enumerator.program.test import Placement

__all__ = ["parse_initial_state", "parse_instances", "place"]

_PROXIES = ("generic", "constant", "surface", "texture")


def parse_initial_state(cursor: Cursor) -> InitialState:
    """Parse the initial state.

    Parameters
    ----------
    cursor : Cursor

    Returns
    -------
    InitialState
        All aliases lead to a location, whatever other aliases they were given by.

    Raises
    ------
    InputError
        At the first token that does not fit, or a name that is given twice.
    """
    state = InitialState()
    parse_block(cursor, "the initial state", lambda each: _item(each, state))
    cursor.accept(";")
    return state


def _item(cursor: Cursor, state: InitialState) -> None:
    if cursor.ahead(1).text == "@":
        token = parse_name(cursor, state)
        cursor.next()
        proxy = cursor.token.text
        if proxy not in _PROXIES:
            cursor.unexpected(f"a proxy: {', '.join(_PROXIES)}")
        cursor.next()
        cursor.expect("aliases")
        target = _declared(cursor, state, "the location that it is an alias of")
        state.aliases[token.text] = state.aliases.get(target, target)
        state.virtual[token.text] = token.text if proxy == "generic" else state.virtual.get(target, target)
    elif cursor.ahead(1).text == "aliases":
        raise cursor.error("the proxy is missing: expected NAME @ PROXY aliases NAME")
    elif cursor.ahead(1).text == "=" and cursor.ahead(2).kind == "word" and not is_register(cursor.text):
        token = parse_name(cursor, state)
        cursor.next()
        source = _declared(cursor, state, "a location whose first value this is")
        state.locations[token.text] = state.locations[state.aliases.get(source, source)]
    else:
        parse_item(cursor, state)


def _declared(cursor: Cursor, state: InitialState, what: str) -> str:
    token = cursor.name(what)
    if token.text not in state.locations and token.text not in state.aliases:
        raise cursor.error(f"there is no location {token.text} yet: expected {what}", token)
    return token.text


def parse_instances(cursor: Cursor) -> tuple[int, int | None, int]:
    """Parse where a thread runs: its CTA, cluster (None if none is named) and GPU."""
    cta, cluster = parse_instance(cursor, "cta"), None
    cursor.expect(",")
    if cursor.text == "cluster":
        cluster = parse_instance(cursor, "cluster")
        cursor.expect(",")
    return cta, cluster, parse_instance(cursor, "gpu")


def place(threads: Sequence[tuple[int | None, ...]]) -> list[Placement]:
    """Place threads: a CTA belongs to its cluster, and that to its GPU.

    Parameters
    ----------
    threads : sequence of (int, int or None, int)
        The numbers of each thread's CTA, cluster and GPU.

    Returns
    -------
    list of Placement

    Examples
    --------
    >>> [each.instances for each in place([(0, None, 0), (0, None, 1), (1, None, 0)])]
    [(0, 0, 0, 0, 0, 0), (1, 1, 1, 1, 1, 0), (2, 2, 2, 2, 0, 0)]
    """
    # a CTA without a cluster is one of its own
    named = [(cta, None, device) if cluster is None else (None, cluster, device) for cta, cluster, device in threads]
    levels = zip(numbered(threads), numbered(named), numbered(each[2] for each in threads), strict=True)
    return [Placement((order, order, *instances, 0)) for order, instances in enumerate(levels)]
