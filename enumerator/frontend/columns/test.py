"""A test in columns, put together from the text of its sections."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from enumerator.errors import InputError
from enumerator.frontend.c.condition import Asked, Names, parse_asked, parse_formula, parse_observed
from enumerator.frontend.c.lexer import Cursor, Source
from enumerator.frontend.columns.barriers import Barriers
from enumerator.frontend.columns.code import WORD, Code, parse_rows
from enumerator.frontend.columns.initial import InitialState, parse_columns
from enumerator.frontend.columns.lexer import scan, tokenize
from enumerator.frontend.directives import Directives, read_directives
from enumerator.frozen import dataclass
from enumerator.program.condition import Condition, Quantifier, TrueFormula
from enumerator.program.instructions import Function, Scope
from enumerator.program.test import MemoryObject, Placement, Test, Thread

__all__ = ["Language", "load"]


@dataclass(frozen=True, slots=True)
class Language:
    """What a language of tests in columns says for itself.

    Parameters
    ----------
    name : str
        What messages call it; in capitals, the first word of its tests.
    head : str
        The head of a thread's column, for messages.
    state : callable
        Parses the initial state, and what else stands before the columns.
    instances : callable
        Parses the instances that a thread is in.
    place : callable
        Gives the placement of each thread, from the instances.
    code : type
        Reads the instructions.
    """

    name: str
    head: str
    state: Callable[[Cursor], InitialState]
    instances: Callable[[Cursor], tuple[int | None, ...]]
    place: Callable[[Sequence[tuple[int | None, ...]]], list[Placement]]
    code: type[Code]


def load(text: str, path: str, language: Language) -> Test:
    """Read a test in columns.

    Parameters
    ----------
    text : str
        A header, the initial state in braces, columns of instructions, and a condition.
    path : str
        For error messages.
    language : Language

    Returns
    -------
    Test
        Registers are named ``P0:r0``, locations ``[x]``.

    Raises
    ------
    InputError
        With the place of the mistake.
    """
    source = scan(text, path, language.name.upper())
    cursor = Cursor(source.tokens, path, text)
    state = language.state(cursor)
    columns = parse_columns(cursor, language.instances, language.head)
    placements = language.place([column.instances for column in columns])
    references = {**{name: name for name in state.locations}, **state.aliases}
    barriers = Barriers()
    codes = [
        language.code(column.number, references, placement.instance(Scope.WORKGROUP), state, barriers)
        for column, placement in zip(columns, placements, strict=True)
    ]
    directives = _directives(source, path, language.name)
    _give_registers(state, codes, cursor)
    parse_rows(cursor, codes)
    locations = dict.fromkeys(target for code in codes for target in code.references.values())
    elements: dict[str, int | None] = dict.fromkeys({**dict.fromkeys(state.locations), **locations})
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
        format=language.name.lower(),
        objects=tuple(
            MemoryObject(name, WORD, initial=state.locations.get(name, 0), line=token.line if token else None)
            for name in elements
            for token in (state.places.get(name),)
        ),
        functions={function.name: function for function in functions},
        threads=tuple(Thread(function.name, function.name) for function in functions),
        placements={f"P{code.number}": placement for code, placement in zip(codes, placements, strict=True)},
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


def _directives(source: Source, path: str, language: str) -> Directives:
    directives = read_directives(source.comments, path)
    for name, given in (("SCOPES", directives.scopes), ("THREADS", directives.threads)):
        if given is not None:
            message = f"{name}: in {language} tests, the head of a thread's column says what it is and where it runs"
            raise InputError(message, path, given.line, given.column)
    if source.title:
        directives.title = source.title
    return directives


def _give_registers(state: InitialState, codes: Sequence[Code], cursor: Cursor) -> None:
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
