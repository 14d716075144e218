"""A PTX litmus test from the text of its sections."""

from __future__ import annotations

from enumerator.frontend.c.lexer import Cursor
from enumerator.frontend.columns.barriers import Barriers
from enumerator.frontend.columns.lexer import scan
from enumerator.frontend.columns.test import finish_test
from enumerator.frontend.ptx.code import PtxCode
from enumerator.frontend.ptx.initial import parse_columns, parse_initial_state, place
from enumerator.program.instructions import Scope
from enumerator.program.test import Test

__all__ = ["load_text"]


def load_text(text: str, path: str) -> Test:
    """Read a PTX litmus test.

    Parameters
    ----------
    text : str
        A header ``PTX name``, the initial state in braces, columns of instructions, and a condition.
    path : str
        For error messages.

    Returns
    -------
    Test
        Registers are named ``P0:r0``, locations ``[x]``.

    Raises
    ------
    InputError
        With the place of the mistake.

    Examples
    --------
    >>> rows = ["PTX one", "{ x = 1; }", "P0@cta 0, gpu 0 ;", "ld.weak r0, x ;", "forall (P0:r0 == 1)"]
    >>> test = load_text(chr(10).join(rows), "one.litmus")
    >>> test.name, [memory.name for memory in test.objects], test.condition.formula.left.text
    ('one', ['x'], 'P0:r0')
    """
    source = scan(text, path, "PTX")
    cursor = Cursor(source.tokens, path, text)
    state = parse_initial_state(cursor)
    columns = parse_columns(cursor)
    references = {**{name: name for name in state.locations}, **state.aliases}
    places = place(columns)
    barriers = Barriers()
    codes = [
        PtxCode(
            column.number,
            references,
            places[column.number].instance(Scope.WORKGROUP),
            virtual=state.virtual,
            barriers=barriers,
        )
        for column in columns
    ]
    lines = [column.token.line for column in columns]
    return finish_test(source, cursor, state, codes, lines, places, text=text, format="ptx", language="PTX")
