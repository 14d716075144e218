"""A litmus test from the text of its sections."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from enumerator.errors import InputError
from enumerator.frontend.c.atomics import FUNCTIONS
from enumerator.frontend.c.builder import Builder
from enumerator.frontend.c.condition import Asked, Names, parse_asked, parse_formula, parse_observed
from enumerator.frontend.c.dialect import Dialect
from enumerator.frontend.c.expressions import Expressions
from enumerator.frontend.c.initial import InitialState, parse_initial_state
from enumerator.frontend.c.lexer import Cursor, Source, tokenize
from enumerator.frontend.c.parser import at_thread, parse_thread
from enumerator.frontend.c.statements import Statements
from enumerator.frontend.c.syntax import Assignment, Increment, Name, ThreadCode, walk
from enumerator.frontend.c.types import ArrayOf, CType, Integer, PointerTo, held_as
from enumerator.frontend.c.variables import Variables
from enumerator.frontend.directives import Directives, read_directives
from enumerator.program.condition import Condition, Quantifier, TrueFormula
from enumerator.program.instructions import Block, Function
from enumerator.program.test import MemoryObject, Test, Thread
from enumerator.program.types import ArrayType
from enumerator.program.values import Pointer, Value

__all__ = ["load_text"]


def load_text(text: str, path: str, dialect: Dialect | None = None) -> Test:
    """Read a C litmus test.

    Parameters
    ----------
    text : str
        A header ``C name``, the initial state in braces, threads, and a condition.
    path : str
        For error messages.
    dialect : Dialect, optional
        A new one for each test.

    Returns
    -------
    Test
        Threads are named by their numbers, so that registers are ``0:r0``; locations are ``[x]`` and ``[a[1]]``.

    Raises
    ------
    InputError
        With the place of the mistake.

    Examples
    --------
    >>> test = load_text("C one" + chr(10) + "{ } P0 (int *x) { *x = 1; int r0 = *x; } forall (0:r0 = 1)", "one.litmus")
    >>> test.name, [memory.name for memory in test.objects], test.condition.formula.left.text
    ('one', ['x'], '0:r0')
    """
    dialect = dialect if dialect is not None else Dialect()
    source = dialect.scan(text, path)
    cursor = Cursor(source.tokens, path, text)
    initial = parse_initial_state(cursor)
    first_line = cursor.token.line
    threads = _threads(cursor, dialect)
    directives = _directives(source, first_line, path)
    objects = _objects(initial, threads, cursor, dialect)
    values = {memory.name: memory.initial for memory in objects if not isinstance(memory.type, ArrayType)}
    lowered = {code.number: _lower(code, initial, values, cursor, dialect) for code in threads}
    locals_ = [memory for variables, _ in lowered.values() for memory in variables.objects()]
    known = Names(
        {number: variables.registers() for number, (variables, _) in lowered.items()},
        {memory.name: _count(memory) for memory in (*objects, *locals_)},
    )
    _check_registers(initial, known, cursor)
    asked = parse_asked(cursor, known)
    condition = _condition(asked, directives, known, cursor)
    names = [str(code.number) for code in threads]
    return Test(
        name=source.name,
        title=directives.title,
        path=path,
        format=dialect.format,
        objects=(*objects, *locals_),
        functions={
            f"P{code.number}": _function(code, variables, dialect.finish(blocks), known)
            for code in threads
            for variables, blocks in (lowered[code.number],)
        },
        threads=tuple(Thread(name, f"P{name}") for name in names),
        placements=dialect.placements(directives, names, path),
        condition=condition,
        locations=asked.locations,
        expectations=directives.expectations,
        profile=directives.profile,
        unroll=directives.unroll,
        references=tuple(directives.references),
        scope_tree=directives.scopes.text if directives.scopes is not None else "",
        observed=parse_observed(directives.observe, known, path),
        source=text,
    )


# Threads ----------------------------------------------------------------------------------------------------


def _threads(cursor: Cursor, dialect: Dialect) -> list[ThreadCode]:
    threads: dict[int, ThreadCode] = {}
    while at_thread(cursor):
        code = parse_thread(cursor, dialect)
        if code.number in threads:
            line = threads[code.number].token.line
            raise cursor.error(f"a second thread P{code.number} (the first is in line {line})", code.token)
        threads[code.number] = code
    if not threads:
        cursor.unexpected("a thread, as P0 (atomic_int *x) { … }")
    return [threads[number] for number in sorted(threads)]


def _lower(
    code: ThreadCode,
    initial: InitialState,
    locations: Mapping[str, Value | None],
    cursor: Cursor,
    dialect: Dialect,
) -> tuple[Variables, tuple[Block, ...]]:
    registers = {name: value for (thread, name), value in initial.registers.items() if thread == code.number}
    variables = Variables(code, registers, {name: value or 0 for name, value in locations.items()})
    builder = Builder()
    functions = {**FUNCTIONS, **dialect.functions(code, cursor)}
    expressions = Expressions(builder, variables, cursor.path, dialect, functions)
    Statements(builder, variables, expressions).run(replace(code.body, scope=False))
    return variables, builder.finish(variables.initial(), code.token.line)


def _function(code: ThreadCode, variables: Variables, blocks: tuple[Block, ...], known: Names) -> Function:
    changed = {
        node.target.name
        for node in walk(code.body)
        if isinstance(node, (Assignment, Increment)) and isinstance(node.target, Name)
    }
    asked = {name for thread, name in known.asked if thread == code.number}
    return Function(f"P{code.number}", (), blocks, code.token.line, variables.shown(frozenset(changed | asked)))


def _check_registers(initial: InitialState, known: Names, cursor: Cursor) -> None:
    for (thread, name), token in initial.places.items():
        if thread not in known.registers:
            threads = ", ".join(f"P{number}" for number in known.registers)
            raise cursor.error(f"{thread}:{name}: there is no thread P{thread} (threads are {threads})", token)
    for address, token in initial.addresses:
        count = known.elements.get(address.object)
        if address.offset and (count is None or not 0 <= address.offset < count * 8):
            raise cursor.error(f"{address.object} has no such element", token)


# Memory -----------------------------------------------------------------------------------------------------


def _objects(
    initial: InitialState, threads: list[ThreadCode], cursor: Cursor, dialect: Dialect
) -> tuple[MemoryObject, ...]:
    """Give the locations: of the initial state, of the parameters, and those whose address is a first value."""
    types: dict[str, CType | None] = {name: location.type for name, location in initial.locations.items()}
    lines = {name: location.token.line for name, location in initial.locations.items()}
    for code in threads:
        for parameter in code.parameters:
            if isinstance(parameter.type, PointerTo):
                if types.get(parameter.name) is None:
                    types[parameter.name] = parameter.type.target
                lines.setdefault(parameter.name, parameter.token.line)
    for address, token in initial.addresses:
        types.setdefault(address.object, None)
        lines.setdefault(address.object, token.line)
    objects = []
    for name, type_ in types.items():
        location = initial.locations.get(name)
        value: Value = location.value if location is not None else 0
        if type_ is None:
            type_ = PointerTo(Integer()) if isinstance(value, Pointer) else Integer()
        if isinstance(type_, ArrayOf) and not isinstance(value, tuple):
            value = (0,) * type_.count
        passed = [(code.number, each) for code in threads for each in code.parameters if each.name == name]
        space, labels = dialect.memory(name, passed, cursor)
        objects.append(MemoryObject(name, held_as(type_), space, value, line=lines[name], labels=labels))
    return tuple(objects)


def _count(memory: MemoryObject) -> int | None:
    return memory.type.count if isinstance(memory.type, ArrayType) else None


# Directives and condition -----------------------------------------------------------------------------------


def _directives(source: Source, first_line: int, path: str) -> Directives:
    directives = read_directives(source.comments, path)
    if directives.threads is not None:
        threads = directives.threads
        raise InputError("THREADS: in C, the threads are P0, P1, …", path, threads.line, threads.column)
    if source.title:
        directives.title = source.title
    elif source.comments and source.comments[0].line >= first_line:
        directives.title = ""  # a remark on the code
    return directives


def _condition(asked: Asked, directives: Directives, known: Names, cursor: Cursor) -> Condition:
    if directives.condition is None:
        if asked.condition is not None:
            return asked.condition
        return Condition(Quantifier.FORALL, TrueFormula(), "true", asked.filter)  # as in herd7
    quantifier, written = directives.condition
    if asked.condition is not None:
        message = "a second condition: the test has one behind its threads"
        raise InputError(message, cursor.path, written.line, written.column)
    tokens = tokenize(written.text, cursor.path, written.line, written.column)
    formula = parse_formula(Cursor(tokens, cursor.path, written.text), known)
    return Condition(quantifier, formula, written.text, asked.filter)
