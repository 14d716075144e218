"""What stands before the threads of a PTX test: the initial state, with proxies, and where threads run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from enumerator.frontend.c.lexer import Cursor, Token
from enumerator.frontend.columns.code import is_register, parse_constant
from enumerator.frontend.columns.initial import InitialState, parse_block, parse_item, parse_name, thread_number
from enumerator.program.test import Placement

__all__ = ["Column", "PtxState", "parse_columns", "parse_initial_state", "place"]

_PROXIES = ("generic", "constant", "surface", "texture")


@dataclass
class PtxState(InitialState):
    """What the initial state says.

    Parameters
    ----------
    virtual : dict of str to str
        The virtual address of each further reference: itself, if it is one by the generic proxy.
    """

    virtual: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Column:
    """The head of a thread's column: its number, its CTA, cluster (None if none is named) and GPU, and its place."""

    number: int
    instances: tuple[int, int | None, int]
    token: Token


def parse_initial_state(cursor: Cursor) -> PtxState:
    """Parse the initial state.

    Parameters
    ----------
    cursor : Cursor

    Returns
    -------
    PtxState
        All aliases lead to a location, whatever other aliases they were given by.

    Raises
    ------
    InputError
        At the first token that does not fit, or a name that is given twice.
    """
    state = PtxState()
    parse_block(cursor, "the initial state", lambda each: _item(each, state))
    cursor.accept(";")
    return state


def _item(cursor: Cursor, state: PtxState) -> None:
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


def _declared(cursor: Cursor, state: PtxState, what: str) -> str:
    token = cursor.name(what)
    if token.text not in state.locations and token.text not in state.aliases:
        raise cursor.error(f"there is no location {token.text} yet: expected {what}", token)
    return token.text


def parse_columns(cursor: Cursor) -> list[Column]:
    """Parse the row that places the threads: ``P0@cta 0, gpu 0 | P1@cta 1, gpu 0 ;``."""
    columns: list[Column] = []
    while True:
        token = cursor.token
        if token.kind != "word":
            cursor.unexpected("a thread, as P0@cta 0, gpu 0")
        number = thread_number(cursor)
        if any(column.number == number for column in columns):
            raise cursor.error(f"a second thread P{number}", token)
        cursor.expect("@")
        cta, cluster = _instance(cursor, "cta"), None
        cursor.expect(",")
        if cursor.text == "cluster":
            cluster = _instance(cursor, "cluster")
            cursor.expect(",")
        columns.append(Column(number, (cta, cluster, _instance(cursor, "gpu")), token))
        if cursor.accept(";"):
            return columns
        if not cursor.accept("|"):
            cursor.unexpected("'|' and another thread, or ';'")


def _instance(cursor: Cursor, level: str) -> int:
    cursor.expect(level)
    return parse_constant(cursor, "the number of an instance")


def place(columns: Sequence[Column]) -> dict[int, Placement]:
    """Place threads: a CTA belongs to its cluster, and that to its GPU.

    Parameters
    ----------
    columns : sequence of Column

    Returns
    -------
    dict of int to Placement

    Examples
    --------
    >>> token = Token("word", "P0", 1, 1)
    >>> places = place([Column(0, (0, None, 0), token), Column(1, (0, None, 1), token), Column(2, (1, None, 0), token)])
    >>> [each.instances for each in places.values()]
    [(0, 0, 0, 0, 0, 0), (1, 1, 1, 1, 1, 0), (2, 2, 2, 2, 0, 0)]
    """
    ctas: dict[tuple[int | None, ...], int] = {}
    clusters: dict[tuple[int | None, ...], int] = {}
    devices: dict[int, int] = {}
    placed = {}
    for order, column in enumerate(columns):
        cta, cluster, device = column.instances
        placed[column.number] = Placement(
            (
                order,
                order,
                ctas.setdefault((cta, cluster, device), len(ctas)),
                clusters.setdefault((cta, None, device) if cluster is None else (None, cluster, device), len(clusters)),
                devices.setdefault(device, len(devices)),
                0,
            )
        )
    return placed
