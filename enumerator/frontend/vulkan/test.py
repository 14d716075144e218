"""A Vulkan litmus test from the text of its sections."""

from __future__ import annotations

from enumerator.errors import InputError
from enumerator.frontend.c.condition import Asked, Names, parse_asked, parse_formula, parse_observed
from enumerator.frontend.c.lexer import Cursor, Source
from enumerator.frontend.directives import Directives, read_directives
from enumerator.frontend.vulkan.barriers import Barriers
from enumerator.frontend.vulkan.code import WORD, Code, parse_rows
from enumerator.frontend.vulkan.initial import InitialState, parse_columns, parse_initial_state, place
from enumerator.frontend.vulkan.lexer import scan, tokenize
from enumerator.program.condition import Condition, Quantifier, TrueFormula
from enumerator.program.instructions import Function, Scope
from enumerator.program.test import MemoryObject, Test, Thread

__all__ = ["load_text"]


def load_text(text: str, path: str) -> Test:
    """Read a Vulkan litmus test.

    Parameters
    ----------
    text : str
        A header ``VULKAN name``, the initial state in braces, columns of instructions, and a condition.
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
    >>> rows = ["VULKAN one", "{ x = 1; }", "P0@sg 0, wg 0, qf 0 ;", "ld.sc0 r0, x ;", "forall (P0:r0 == 1)"]
    >>> test = load_text(chr(10).join(rows), "one.litmus")
    >>> test.name, [memory.name for memory in test.objects], test.condition.formula.left.text
    ('one', ['x'], 'P0:r0')
    """
    source = scan(text, path)
    cursor = Cursor(source.tokens, path, text)
    directives = _directives(source, path)
    state = parse_initial_state(cursor)
    columns = parse_columns(cursor)
    references = {**{name: name for name in state.locations}, **state.aliases}
    places = place([(column.number, column.instances) for column in columns])
    barriers = Barriers()
    codes = [
        Code(column.number, references, places[column.number].instance(Scope.WORKGROUP), barriers) for column in columns
    ]
    _give_registers(state, codes, cursor)
    parse_rows(cursor, codes)
    elements: dict[str, int | None] = dict.fromkeys(name for name, target in references.items() if name == target)
    known = Names({code.number: code.registers for code in codes}, elements, prefix="P", addresses=False)
    condition, asked = _condition(cursor, directives, known)
    functions = [
        Function(
            f"P{code.number}",
            (),
            code.finish(cursor, column.token.line),
            column.token.line,
            tuple((register, register) for register in code.registers),
        )
        for code, column in zip(codes, columns, strict=True)
    ]
    return Test(
        name=source.name,
        title=directives.title,
        path=path,
        format="vulkan",
        objects=tuple(
            MemoryObject(name, WORD, initial=state.locations.get(name, 0), line=token.line if token else None)
            for name in elements
            for token in (state.places.get(name),)
        ),
        functions={function.name: function for function in functions},
        threads=tuple(Thread(function.name, function.name) for function in functions),
        placements={f"P{number}": placement for number, placement in places.items()},
        condition=condition,
        locations=asked.locations,
        expectations=directives.expectations,
        profile=directives.profile,
        unroll=directives.unroll,
        references=tuple(directives.references),
        synchronized=tuple((f"P{first}", f"P{second}") for first, second in state.synchronized),
        observed=parse_observed(directives.observe, known, path),
        source=text,
    )


def _directives(source: Source, path: str) -> Directives:
    directives = read_directives(source.comments, path)
    for name, given in (("SCOPES", directives.scopes), ("THREADS", directives.threads)):
        if given is not None:
            message = f"{name}: in Vulkan tests, the head of a thread's column says what it is and where it runs"
            raise InputError(message, path, given.line, given.column)
    if source.title:
        directives.title = source.title
    return directives


def _give_registers(state: InitialState, codes: list[Code], cursor: Cursor) -> None:
    """Give each thread the registers that the initial state names, and check that there are these threads."""
    by_number = {code.number: code for code in codes}
    threads = ", ".join(f"P{number}" for number in by_number)
    for (number, register), value in state.registers.items():
        if number not in by_number:
            token = state.places[number, register]
            raise cursor.error(f"P{number}:{register}: there is no thread P{number} (threads are {threads})", token)
        by_number[number].registers[register] = value
    for pair, tokens in zip(state.synchronized, state.synchronized_places, strict=True):
        for number, token in zip(pair, tokens, strict=True):
            if number not in by_number:
                raise cursor.error(f"ssw: there is no thread P{number} (threads are {threads})", token)
        if pair[0] == pair[1]:
            raise cursor.error("ssw: a thread is not synchronized with itself", tokens[1])


def _condition(cursor: Cursor, directives: Directives, known: Names) -> tuple[Condition, Asked]:
    asked = parse_asked(cursor, known)
    if directives.condition is None:
        everything = Condition(Quantifier.FORALL, TrueFormula(), "true", asked.filter)
        return asked.condition if asked.condition is not None else everything, asked
    quantifier, written = directives.condition
    if asked.condition is not None:
        message = "a second condition: the test has one behind its threads"
        raise InputError(message, cursor.path, written.line, written.column)
    tokens = tokenize(written.text, cursor.path, written.line, written.column)
    formula = parse_formula(Cursor(tokens, cursor.path, written.text), known)
    return Condition(quantifier, formula, written.text, asked.filter), asked
