"""A test with other annotations, as text: the lines of its operations are written anew, all else stays."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from enumerator.errors import InputError
from enumerator.frontend import load_text
from enumerator.frontend.again import by_own_lines, is_compiled, load_again
from enumerator.program.instructions import Annotation, Call, CompareExchange, Fence, Load, Ordering, Store
from enumerator.program.test import Test
from enumerator.program.types import size_of
from enumerator.program.written import instruction_text, tags_text
from enumerator.refinement.called import CALL, written_call
from enumerator.refinement.edit import Memory, Place, operations_of
from enumerator.refinement.exchanges import caller_of, is_exchange, own_exchanges, written_exchange
from enumerator.refinement.machine import machine_code, split_comment
from enumerator.refinement.points import Gap, anchor

__all__ = ["Coded", "machine_codes", "rewritten"]

_ORDERINGS = "unordered|monotonic|acquire|release|acq_rel|seq_cst"
_METADATA = re.compile(r",\s*!mmra\s+(?:!\d+|!\{(?:[^{}]|\{[^{}]*\})*\})")
_DEBUG = re.compile(r",\s*!dbg !\d+")
_SCOPE = re.compile(r'(?<!\s)\s+syncscope\("[^"]*"\)')


def rewritten(
    test: Test,
    operations: Mapping[Place | Gap, Memory | None],
    *,
    expectations: bool = True,
    remarks: Sequence[str] = (),
    builtins: bool = True,
) -> str:
    """Write a test with other operations in some places.

    Parameters
    ----------
    test : Test
        Read from LLVM IR, or compiled to it.
    operations : mapping of (Place or Gap) to operation or None
        As :meth:`enumerator.refinement.points.Choices.operations` gives them.
    expectations : bool
        Keep its ``EXPECT`` lines.
    remarks : sequence of str
        Lines to stand as comments behind the title.
    builtins : bool
        Let calls of builtins stand that keep their annotations; else they become instructions, too.

    Returns
    -------
    str
        LLVM IR. Of a program that was compiled, with debug locations: reports on it name the program's lines, too.

    Raises
    ------
    InputError
        If an operation's line cannot be written, as one that goes over several lines.

    Examples
    --------
    >>> text = "@x = global i32 0\\ndefine void @t() {\\n  fence seq_cst ; strong\\n  ret void\\n}"
    >>> test = load_text(text, "t.ll")
    >>> place, fence = next(iter(operations_of(test).items()))
    >>> from dataclasses import replace
    >>> from enumerator.program.instructions import Scope
    >>> weaker = replace(fence, annotation=replace(fence.annotation, ordering=Ordering.RELEASE, scope=Scope.AGENT))
    >>> print(rewritten(load_text("; SCOPES: (agent t)\\n" + text, "t.ll"), {place: weaker}).splitlines()[3])
      fence syncscope("agent") release ; strong
    """
    if test.format != "llvm" or not test.source:
        raise InputError("only tests in LLVM IR can be written with other annotations", test.path)
    before = operations_of(own_exchanges(test))
    test = own_exchanges(by_own_lines(test))
    given = operations_of(test)
    lines: list[list[str]] = [[line] for line in test.source.splitlines()]
    called: dict[int, Place] = {}
    changed = {
        given[place].line
        for place, operation in operations.items()
        if isinstance(place, Place) and operation != before[place]
    }
    for place, operation in operations.items():
        at = anchor(place)
        number = given[at].line
        if number is None:
            raise InputError("the place of an operation in the text is not known", test.path)
        if isinstance(place, Gap):
            if operation is not None:
                beside = lines[number - 1][-1]
                margin, attached = re.match(r"\s*", beside), _DEBUG.search(split_comment(beside)[0])
                fence = f"{margin[0] if margin else ''}{instruction_text(operation)}{attached[0] if attached else ''}"
                lines[number - 1].insert(0, fence)
        elif isinstance(operation, CompareExchange) and is_exchange(place.function):
            was = before[place]
            if operation != was and isinstance(was, CompareExchange):
                lines[number - 1][-1] = written_exchange(lines[number - 1][-1], was, operation, test.path, number)
        elif CALL.match(lines[number - 1][-1]):
            if number in changed or not builtins:
                called[number] = place
        elif operation != before[place]:
            new = None if operation is None else _line(lines[number - 1][-1], operation, test, number)
            lines[number - 1][-1:] = [] if new is None else [new]
    for number, place in called.items():
        body = test.functions[place.function].blocks[place.block].body
        chosen = ((replace(place, index=index), part) for index, part in enumerate(body) if part.line == number)
        parts = [operations.get(each, part) for each, part in chosen]
        kept = [part for part in parts if part is not None]
        try:
            lines[number - 1][-1:] = written_call(lines[number - 1][-1], kept, test.path, number)
        except InputError:
            if number in changed:
                raise
    titled = int(bool(test.title) and test.title in test.source.split("\n", 1)[0])
    text = [line for part in lines for line in part]
    text[titled:titled] = [f"; {each}" for each in remarks]
    if not expectations:
        text = [line for line in text if not re.match(r"\s*;\s*EXPECT\s*:", line)]
    written = "\n".join(text) + "\n"
    _check(test, operations, written)
    return written


Coded = tuple[Place, int, tuple[str, ...]]
"""Where an operation is, its line, and the machine instructions that it becomes.

The line is the one that it has when it is written; of a program that was compiled, the program's."""


def machine_codes(test: Test, operations: Mapping[Place | Gap, Memory | None], cpu: str) -> tuple[Coded, ...]:
    """Give the machine instructions of the fences, atomic accesses and barriers of a test with other operations.

    Parameters
    ----------
    test : Test
        Read from LLVM IR.
    operations : mapping of (Place or Gap) to operation or None
    cpu : str
        An AMDGPU processor.

    Returns
    -------
    tuple of (Place, int, tuple of str)

    Raises
    ------
    InputError
        As :func:`rewritten` and :func:`enumerator.refinement.machine.machine_code`.

    Examples
    --------
    >>> text = "@x = global i32 0\\ndefine void @t() {\\n  store i32 1, ptr @x\\n  fence release\\n  ret void\\n}"
    >>> [(line, code[0]) for _, line, code in machine_codes(load_text(text, "t.ll"), {}, "gfx942")]
    [(4, 'buffer_wbl2 sc0 sc1')]
    """
    text = rewritten(test, operations, builtins=False)
    places = {operation.line: place for place, operation in operations_of(_read(test, text)).items()}
    shown = {place: operation.line for place, operation in operations_of(load_again(test, text)).items()}
    found = machine_code(text, test.path, cpu)
    return tuple((places[line], shown[places[line]] or line, code) for line, code in found.items() if line in places)


def _read(test: Test, text: str) -> Test:
    """Read what was written, by its own lines."""
    return load_text(text, f"{test.path}.ll" if is_compiled(test) else test.path)


def _line(line: str, operation: Memory, test: Test, number: int) -> str:
    """Write the line of an operation with other annotations."""
    code, comment = split_comment(line)
    note = operation.annotation
    keyword = {Load: "load", Store: "store", Fence: "fence"}.get(type(operation))
    code = _SCOPE.sub("", _METADATA.sub("", code))
    code = re.sub(rf"\s+(?:{_ORDERINGS})(?=\s|,|$)", "", code)
    if keyword in ("load", "store"):
        code = re.sub(
            rf"\b{keyword}\s+(?:atomic\s+)?", f"{keyword} {'atomic ' if note.ordering else ''}", code, count=1
        )
    scope = f' syncscope("{note.syncscope}")' if note.syncscope else ""
    order = f"{scope} {note.ordering.name.lower()}" if note.ordering else ""
    if isinstance(operation, CompareExchange):
        order += f" {operation.failure.name.lower()}"
    place = re.search(r",\s*align\s|,\s*!", code)
    end = place.start() if place is not None else len(code.rstrip())
    code = code[:end] + order + code[end:]
    if isinstance(operation, Load | Store) and note.ordering != Ordering.NA and not re.search(r",\s*align\s", code):
        at = end + len(order)
        code = f"{code[:at]}, align {size_of(operation.type)}{code[at:]}"
    if note.tags:
        code = f"{code.rstrip()}, !mmra {tags_text(note.tags)}{' ' * bool(comment)}"
    return code + comment


def _check(test: Test, operations: Mapping[Place | Gap, Memory | None], text: str) -> None:
    """Read what was written, and compare: a line that was not understood is told, never given."""
    wanted = list(_annotations(test, operations))
    try:
        found = list(_annotations(own_exchanges(_read(test, text)), {}))
    except InputError as error:
        raise InputError(f"the annotations cannot be written: {error.message}", test.path, error.line) from None
    for one, other in zip(wanted, found, strict=False):
        if one != other:
            raise InputError("the annotations cannot be written: an operation goes over several lines", test.path)
    if len(wanted) != len(found):
        raise InputError("the annotations cannot be written: an operation goes over several lines", test.path)


def _annotations(test: Test, operations: Mapping[Place | Gap, Memory | None]) -> Iterator[tuple[str, Annotation]]:
    """Give the annotations of a test's operations with their functions, in the order of its text."""

    def of_function(name: str) -> Iterator[tuple[str, Annotation]]:
        for number, block in enumerate(test.functions[name].blocks):
            for index, part in enumerate(block.body):
                place = Place(name, number, index)
                if isinstance(part, Call) and is_exchange(part.function):
                    yield from of_function(part.function)
                elif isinstance(part, Memory if not is_exchange(name) else CompareExchange):
                    for each in operations.get(Gap(place)), operations.get(place, part):
                        if each is not None:
                            yield caller_of(name), each.annotation

    for name in test.functions:
        if not is_exchange(name):
            yield from of_function(name)
