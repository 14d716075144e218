"""Stack slots whose address does not leave their thread: they are like registers, and their accesses make no events.

A slot becomes memory if some path writes its address, or something computed from it, to memory that other threads may
access (semantics, section 1), or makes a number of its address in which nobody sees it.
"""

from __future__ import annotations

from collections.abc import Iterator

from enumerator.program.types import BytesType, Type
from enumerator.program.values import UNDEF, Bytes, Pointer, Term, Value
from enumerator.unfold.arithmetic import postorder
from enumerator.unfold.nodes import decoded, encoded
from enumerator.unfold.paths import Known, Location, Node
from enumerator.unfold.state import NONE, Local, Shared

__all__ = ["Slots", "SlotEscapes", "keep_in_memory", "pointed_to"]

_Held = dict[Location, tuple[Local, Type]]
_NOTHING: _Held = {}


class SlotEscapes(Exception):
    """A path shows that an object is not what it was taken for: the test is unfolded again, as is noted in `Shared`.

    The address of a stack slot leaves its thread, or may (:func:`keep_in_memory`); or the library finds a lock
    where there has been a plain store, or one that it only tries to take (`locks`).
    """


class Slots:
    """The values in the stack slots of a thread, by location.

    Examples
    --------
    >>> from enumerator.program.types import IntType
    >>> slots, word = Slots(), Location("t0:%x", 0, 4)
    >>> slots.write(word, IntType(32), Local(Known(0x10007), NONE), False)
    >>> [slots.read(Location("t0:%x", 0, size), IntType(8 * size), False).node.value for size in (4, 2)]
    [65543, 7]
    """

    def __init__(self, held: dict[str, _Held] | None = None) -> None:
        self._held = held or {}  # by object; what one holds is replaced, never changed, as copies share it

    def copy(self) -> Slots:
        """Copy the slots."""
        return Slots(dict(self._held))

    def read(self, location: Location, type_: Type, big: bool) -> Local:
        """Give the value of a type at a location: undef where nothing has been written."""
        mine = self._held.get(location.object, _NOTHING)
        found = mine.get(location)
        if found is not None and found[1] == type_:
            return found[0]
        nodes: list[Node] = []
        sizes: list[int] = []
        reads = NONE
        at, end = location.offset, location.offset + location.size
        for other in sorted(filter(location.overlaps, mine)):
            local, written = mine[other]
            low, high = max(other.offset, at), min(other.offset + other.size, end)
            if low > at:
                nodes.append(Known(UNDEF))
                sizes.append(low - at)
            nodes.append(encoded(local.node, written, low - other.offset, high - low, big))
            sizes.append(high - low)
            reads |= local.reads
            at = high
        if at < end:
            nodes.append(Known(UNDEF))
            sizes.append(end - at)
        return Local(decoded(tuple(nodes), tuple(sizes), type_, big), reads)

    def write(self, location: Location, type_: Type, local: Local, big: bool) -> None:
        """Write a value of a type; of earlier values what lies outside of the location is left."""
        mine = {**self._held.get(location.object, _NOTHING)}
        if location not in mine:
            end = location.offset + location.size
            for other in tuple(filter(location.overlaps, mine)):
                held, written = mine.pop(other)
                last = other.offset + other.size
                for low, high in ((other.offset, location.offset), (end, last)):
                    if low < high:
                        rest = encoded(held.node, written, low - other.offset, high - low, big)
                        place = Location(other.object, low, high - low)
                        mine[place] = Local(rest, held.reads), BytesType(high - low)
        mine[location] = local, type_
        self._held[location.object] = mine

    def differences(self, later: Slots) -> Iterator[tuple[Location, Local | None, Local | None]]:
        """Give the locations that hold something else later, with what they hold before and then."""
        nothing = None, None
        for name in {**self._held, **later._held}:
            mine, others = self._held.get(name, _NOTHING), later._held.get(name, _NOTHING)
            if mine is others:
                continue
            for location in {**mine, **others}:
                (before, type_), (after, other) = mine.get(location, nothing), others.get(location, nothing)
                if before is not after or type_ != other:
                    yield location, before, after

    def addresses_in(self, name: str) -> Iterator[str]:
        """Name the objects whose addresses a slot holds, or what is computed from them."""
        for local, _ in self._held.get(name, _NOTHING).values():
            yield from pointed_to(local.node)

    def held(self) -> Iterator[tuple[Location, Local, Type]]:
        """Give the locations that hold something, with what it is, and its type."""
        for mine in self._held.values():
            for location, (local, type_) in mine.items():
                yield location, local, type_


def keep_in_memory(shared: Shared, slots: Slots, node: Node) -> None:
    """Let a stack slot be memory if a node is computed from its address; and what it holds the addresses of, too.

    Raises
    ------
    SlotEscapes
        If it has not been memory until now.
    """
    escaping = list(filter(shared.is_register, pointed_to(node))) if shared.slots else []
    if not escaping:
        return
    while escaping:
        name = escaping.pop()
        shared.escaped.add(name.partition("#")[0])
        escaping += filter(shared.is_register, slots.addresses_in(name))  # these would be found one by one
    raise SlotEscapes


def pointed_to(node: Node) -> Iterator[str]:
    """Name the objects whose addresses a node is computed from.

    Parameters
    ----------
    node : Node

    Yields
    ------
    str
    """
    for part in postorder(node):
        if isinstance(part, Known):
            yield from _objects(part.value)


def _objects(value: Value) -> Iterator[str]:
    if isinstance(value, Pointer):
        yield value.object
    elif isinstance(value, tuple):
        for part in value:
            yield from _objects(part)
    elif isinstance(value, Term):
        for argument in value.arguments:
            yield from _objects(argument)
    elif isinstance(value, Bytes):
        for _, held in value.runs:
            yield from _objects(held)
