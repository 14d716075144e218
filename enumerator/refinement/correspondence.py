"""What source and target share: threads, places, globals; and so what is observed of both (semantics, section 7)."""

from __future__ import annotations

from collections.abc import Iterator

from enumerator.asking import DEFAULT_MODELS
from enumerator.conditions import names
from enumerator.errors import InputError
from enumerator.frozen import dataclass
from enumerator.program.instructions import Return, Scope
from enumerator.program.memory import location_name, pieces
from enumerator.program.test import RETURNED, MemoryObject, Test
from enumerator.program.types import ArrayType, IntType, StructType, Type, VectorType, field_offset, size_of, store_size
from enumerator.unfold import unfold
from enumerator.unfold.paths import Location

__all__ = ["Correspondence", "correspond", "has_location"]

_MOST_ELEMENTS = 256
"""Of a larger object, elements that neither side accesses are not observed: they keep their initial values."""


@dataclass(frozen=True)
class Correspondence:
    """What source and target share.

    Parameters
    ----------
    observed : tuple of str
        Registers, returned values and locations, as results name them.
    touched : tuple of Location
        The locations of shared globals that either accesses, sorted.
    """

    observed: tuple[str, ...]
    touched: tuple[Location, ...]


def correspond(source: Test, target: Test, *, unroll: int | None = None) -> Correspondence:
    """Find what two tests share, and so what is observed of both.

    Parameters
    ----------
    source, target : Test
    unroll : int, optional
        The bound on loops.

    Returns
    -------
    Correspondence

    Raises
    ------
    InputError
        If threads, scope trees or the globals that both have do not correspond, or what is to be observed is not there.

    Examples
    --------
    >>> from enumerator.frontend import load_text
    >>> text = "@x = global i32 0\\ndefine i32 @t() {\\n  %r = load i32, ptr @x\\n  ret i32 %r\\n}"
    >>> correspond(load_text(text, "source.ll"), load_text(text, "target.ll")).observed
    ('t:ret', '@x')
    """
    _check_threads(source, target)
    _check_places(source, target)
    shared = tuple(_shared_objects(source, target))
    sides = [_Side.of(test, unroll) for test in (source, target)]
    touched = tuple(sorted({place for side in sides for place in side.touched if place.object in shared}))
    observed = _directive(source, target)
    if observed is None:
        observed = (*_returned(source, target), *_named(source, target, sides), *_memory(source, shared, touched))
    else:
        for test, side in zip((source, target), sides, strict=True):
            _check_observed(observed, test, side)
    return Correspondence(observed, touched)


@dataclass(frozen=True)
class _Side:
    """What the paths of a test assign and access."""

    registers: frozenset[str]
    touched: frozenset[Location]

    @classmethod
    def of(cls, test: Test, unroll: int | None) -> _Side:
        unfolded = unfold(test, unroll=unroll)
        every = zip(test.threads, unfolded.paths, strict=True)
        registers = frozenset(
            f"{thread.name}:{each}" for thread, ways in every for way in ways for each in way.registers
        )
        objects = {memory.name for memory in test.objects}
        return cls(registers, frozenset(place for place in unfolded.initial if place.object in objects))


def _check_threads(source: Test, target: Test) -> None:
    if DEFAULT_MODELS.get(source.format) != DEFAULT_MODELS.get(target.format):
        raise InputError(
            f"the source is a test in the format {source.format}, this one in {target.format}", target.path
        )
    mine, theirs = ({thread.name for thread in test.threads} for test in (source, target))
    for name in sorted(mine ^ theirs):
        where = "source" if name in mine else "target"
        raise InputError(f"threads do not correspond: only the {where} has the thread {name}", target.path)


def _check_places(source: Test, target: Test) -> None:
    if source.synchronized != target.synchronized:
        raise InputError("the pairs of threads that the system synchronizes differ from the source's", target.path)
    threads = [thread.name for thread in source.threads]
    for scope in reversed(Scope):
        for first in threads:
            for second in threads:
                together = [
                    test.placements[first].instance(scope) == test.placements[second].instance(scope)
                    for test in (source, target)
                ]
                if together[0] != together[1]:
                    where = "source" if together[0] else "target"
                    message = f"scope trees do not correspond: only in the {where}, {first} and {second} share their "
                    raise InputError(message + scope.name.lower(), target.path)


def _shared_objects(source: Test, target: Test) -> Iterator[str]:
    """Name the globals that both have, or raise InputError where these differ.

    What stands for threads that are created is no global, and variables that LLVM reserves are no memory: lists of
    what runs before ``main``, and of what must be kept.
    """
    theirs = {memory.name: memory for memory in target.objects}
    for memory in source.objects:
        other = theirs.get(memory.name)
        if other is None or "%" in memory.name or memory.hidden or memory.name.startswith("@llvm."):
            continue
        for what in ("type", "address_space", "initial"):
            one, two = getattr(memory, what), getattr(other, what)
            if one != two and not (what == "initial" and _zeros(memory) == _zeros(other) is True):
                label = {"address_space": "address space", "initial": "initial value"}.get(what, what)
                message = f"globals do not correspond: {memory.name} has another {label} than in the source"
                raise InputError(message, target.path, other.line)
        yield memory.name


def _zeros(memory: MemoryObject) -> bool:
    """Tell whether an object is zero throughout, however that is written."""
    stack = [memory.initial]
    while stack:
        value = stack.pop()
        if isinstance(value, tuple):
            stack.extend(value)
        elif value is not None and value != 0:
            return False
    return True


# What is observed -------------------------------------------------------------------------------------------------


def _directive(source: Test, target: Test) -> tuple[str, ...] | None:
    given = [None if test.observed is None else tuple(name.text for name in test.observed) for test in (source, target)]
    if None not in given and set(given[0] or ()) != set(given[1] or ()):
        raise InputError("OBSERVE: names something else than in the source", target.path)
    return given[0] if given[0] is not None else given[1]


def has_location(test: Test, name: str) -> bool:
    """Tell whether a test has the object that a location is in.

    Parameters
    ----------
    test : Test
    name : str
        As results name it.

    Returns
    -------
    bool

    Examples
    --------
    >>> from enumerator.frontend import load_text
    >>> test = load_text("@a = global [2 x i32] zeroinitializer\\ndefine void @t() {\\n  ret void\\n}", "t.ll")
    >>> has_location(test, "@a[1]"), has_location(test, "@b")
    (True, False)
    """
    plain = name.strip("[]") if name.startswith("[") else name
    return any(
        plain == memory.name or plain.startswith((f"{memory.name}[", f"{memory.name}+")) for memory in test.objects
    )


def _check_observed(observed: tuple[str, ...], test: Test, side: _Side) -> None:
    for name in observed:
        if name.startswith(("@", "[")):
            if not has_location(test, name):
                raise InputError(f"OBSERVE: there is no {name} here", test.path)
        elif name not in side.registers:
            raise InputError(f"OBSERVE: {name} is assigned nowhere here", test.path)


def _returned(source: Test, target: Test) -> Iterator[str]:
    for thread in source.threads:
        mine, theirs = (_returns(test, thread.name) for test in (source, target))
        if mine and theirs and mine != theirs:
            where = "source" if True in mine else "target"
            message = f"threads do not correspond: only in the {where}, {thread.name} returns a value"
            raise InputError(message, target.path)
        if True in mine | theirs:
            yield f"{thread.name}:{RETURNED}"


def _returns(test: Test, name: str) -> set[bool]:
    """Say of each return of a thread whether it gives a value; one that never returns has none."""
    function = test.functions[next(thread.function for thread in test.threads if thread.name == name)]
    return {block.terminator.value is not None for block in function.blocks if isinstance(block.terminator, Return)}


def _named(source: Test, target: Test, sides: list[_Side]) -> Iterator[str]:
    """Name the registers of the condition: of both conditions, or of the one that there is."""
    asked = [dict.fromkeys(each for each in names(test.condition.formula) if ":" in each) for test in (source, target)]
    some = [each for each in asked if each]
    for name in some[0] if some else ():
        if all(name in each for each in some) and all(name in side.registers for side in sides):
            if not name.endswith(f":{RETURNED}"):
                yield name


def _memory(test: Test, shared: tuple[str, ...], touched: tuple[Location, ...]) -> Iterator[str]:
    """Name the locations of the shared globals: those that are accessed, and all other elements of small ones."""
    for memory in test.objects:
        if memory.name not in shared or memory.constant:
            continue
        elements = list(_elements(memory.type, 0)) if _count(memory.type) <= _MOST_ELEMENTS else []
        accessed = [(place.offset, place.size) for place in touched if place.object == memory.name]
        for offset, size in pieces(accessed, elements):
            yield location_name(memory, offset, size)


def _count(type_: Type) -> int:
    match type_:
        case ArrayType(count, element):
            return count * _count(element)
        case StructType(fields):
            return sum(map(_count, fields))
        case _:
            return 1


def _elements(type_: Type, offset: int) -> Iterator[tuple[int, int]]:
    """Give the offset and size of each scalar or vector of an object."""
    match type_:
        case ArrayType(count, element) if not isinstance(element, VectorType) or element.element != IntType(1):
            for index in range(count):
                yield from _elements(element, offset + index * size_of(element))
        case StructType(fields):
            for position, each in enumerate(fields):
                yield from _elements(each, offset + field_offset(type_, position))
        case _:
            yield offset, store_size(type_)
