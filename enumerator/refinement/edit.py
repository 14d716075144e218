"""Programs in memory, changed at one place: operations found, exchanged, replaced, put in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from enumerator.frozen import dataclass
from enumerator.program.instructions import (
    Access,
    Alloca,
    Assign,
    Barrier,
    CompareExchange,
    Constant,
    Fence,
    Function,
    Instruction,
    Load,
    Operation,
    ReadModifyWrite,
    Register,
    Store,
)
from enumerator.program.lines import line_text
from enumerator.program.test import Test
from enumerator.program.types import size_of
from enumerator.program.values import Pointer
from enumerator.unfold import unfold
from enumerator.unfold.members import registers_in
from enumerator.unfold.paths import Location

__all__ = [
    "Memory",
    "Place",
    "kind_of",
    "locations_of",
    "named",
    "operations_of",
    "with_body",
    "with_operations",
]

Memory = Access | Fence | Barrier

_KINDS = {Load: "load", Store: "store", ReadModifyWrite: "atomicrmw", CompareExchange: "cmpxchg", Fence: "fence"}


@dataclass(frozen=True, order=True)
class Place:
    """Where an instruction is: its function, and the numbers of its block and of itself in the body."""

    function: str
    block: int
    index: int


def kind_of(operation: Memory) -> str:
    """Give the name of an operation's instruction.

    Examples
    --------
    >>> from enumerator.program.instructions import Annotation
    >>> kind_of(Fence(Annotation()))
    'fence'
    """
    return _KINDS.get(type(operation), "barrier")


def named(operation: Memory) -> str:
    """Name an operation by its kind and line; where it has no line, as what a compiler merged, by what it accesses.

    Examples
    --------
    >>> from enumerator.program.instructions import Annotation, Constant
    >>> from enumerator.program.types import IntType, PointerType
    >>> from enumerator.program.values import Pointer
    >>> load = Load("r", Constant(Pointer("@d"), PointerType()), IntType(32), Annotation())
    >>> named(load), named(replace(load, line=7)), named(Fence(Annotation()))
    ('load of @d', 'load at line 7', 'fence')
    """
    if operation.line is not None:
        return f"{kind_of(operation)} at line {line_text(operation.line)}"
    base = _base(getattr(operation, "address", None))
    return kind_of(operation) if base is None else f"{kind_of(operation)} of {base}"


def _base(address: object) -> str | None:
    """Name the object of an address, or the register that it comes from."""
    match address:
        case Register(name):
            return f"%{name}"
        case Constant(value=Pointer(object=name)) if name:
            return name
        case Operation(arguments=operands):
            return next((base for base in map(_base, operands) if base is not None), None)
    return None


def operations_of(test: Test, names: Sequence[str] | None = None) -> dict[Place, Memory]:
    """Give the memory operations, fences and barriers of a test, in the order of its text.

    Parameters
    ----------
    test : Test
    names : sequence of str, optional
        Of functions; default: all.
    """
    return {
        Place(name, number, index): part
        for name, function in test.functions.items()
        if names is None or name in names
        for number, block in enumerate(function.blocks)
        for index, part in enumerate(block.body)
        if isinstance(part, Memory)
    }


def with_body(test: Test, function: str, block: int, body: Sequence[Instruction]) -> Test:
    """Give a test with another body of a block, which has no text."""
    old = test.functions[function]
    blocks = list(old.blocks)
    blocks[block] = replace(blocks[block], body=tuple(body))
    return replace(test, functions={**test.functions, function: replace(old, blocks=tuple(blocks))}, source="")


def with_operations(test: Test, changed: Mapping[Place, Instruction | None]) -> Test:
    """Give a test with other instructions in some places; None takes one out."""
    bodies: dict[tuple[str, int], list[Instruction | None]] = {}
    for place, instruction in changed.items():
        key = place.function, place.block
        if key not in bodies:
            bodies[key] = list(test.functions[place.function].blocks[place.block].body)
        bodies[key][place.index] = instruction
    for (function, block), body in bodies.items():
        test = with_body(test, function, block, [part for part in body if part is not None])
    return test


def locations_of(test: Test, unroll: int | None = None) -> dict[Place, frozenset[Location]]:
    """Find what each operation of a test accesses on some path of some thread.

    Parameters
    ----------
    test : Test
    unroll : int, optional
        The bound on loops.

    Returns
    -------
    dict of Place to frozenset of Location
        Empty for fences and barriers, and for what no thread reaches. Stack slots that are no events are taken whole.
    """
    places = operations_of(test)
    labels = {place: f"place-{number}" for number, place in enumerate(places)}
    marked = with_operations(test, {place: _labelled(part, labels[place]) for place, part in places.items()})
    found: dict[str, set[Location]] = {label: set() for label in labels.values()}
    for options in unfold(marked, unroll=unroll).paths:
        for path in options:
            for event in path.events:
                if event.location is not None:
                    for label in event.annotation.labels & found.keys():
                        found[label].add(event.location)
    slots: dict[str, Mapping[str, frozenset[Location]]] = {}
    for place, part in places.items():
        if not found[labels[place]] and not isinstance(part, Fence | Barrier):
            if place.function not in slots:
                slots[place.function] = _slots_in(test.functions[place.function])
            found[labels[place]].update(*(slots[place.function].get(name, ()) for name in registers_in(part.address)))
    return {place: frozenset(found[labels[place]]) for place in places}


def _slots_in(function: Function) -> Mapping[str, frozenset[Location]]:
    """Give for each register the stack slots from whose addresses it is computed."""
    taken: dict[str, list[str]] = {}
    slots: dict[str, frozenset[Location]] = {}
    for part in function.instructions:
        match part:
            case Alloca(target=name):
                slots[name] = frozenset({Location(f"%{name}", 0, size_of(part.type) * part.count)})
            case Assign(target=name):
                taken[name] = registers_in(part.expression)
    taken |= {phi.target: registers_in(phi) for block in function.blocks for phi in block.phis}
    changed = True
    while changed:
        changed = False
        for name, used in taken.items():
            found = frozenset[Location]().union(*(slots.get(each, ()) for each in used))
            changed |= found != slots.get(name, frozenset())
            slots[name] = found
    return slots


def _labelled(part: Memory, label: str) -> Memory:
    note = part.annotation
    return replace(part, annotation=replace(note, labels=note.labels | {label}))
