"""Stack slots whose address does not leave their thread: they are like registers, and their accesses make no events.

A slot becomes memory if some path writes its address, or something computed from it, to memory that other threads may
access (semantics, section 1).
"""

from __future__ import annotations

from collections.abc import Iterator

from enumerator.errors import InputError
from enumerator.program.values import UNDEF, Pointer, Term, Value
from enumerator.unfold.arithmetic import postorder
from enumerator.unfold.paths import Known, Location, Node
from enumerator.unfold.state import NONE, Local

__all__ = ["Slots", "SlotEscapes", "overlap", "pointed_to"]


class SlotEscapes(Exception):
    """A path writes the address of a stack slot to memory: the test is unfolded again, with this slot in memory."""


class Slots:
    """The values in the stack slots of a thread, by location.

    Examples
    --------
    >>> slots = Slots()
    >>> slots.write(Location("t0:%x", 0, 4), Local(Known(7), NONE))
    >>> slots.read(Location("t0:%x", 0, 4)).node.value, slots.read(Location("t0:%x", 4, 4)).node.value
    (7, undef)
    """

    def __init__(self, held: dict[Location, Local] | None = None) -> None:
        self._held = held or {}

    def copy(self) -> Slots:
        """Copy the slots."""
        return Slots(dict(self._held))

    def read(self, location: Location) -> Local:
        """Give the value last written to a location; undef if there is none.

        Raises
        ------
        InputError
            If an earlier write overlaps the location without being to the same location.
        """
        found = self._held.get(location)
        if found is not None:
            return found
        for other in self._met(location):
            raise overlap(other, location)
        return Local(Known(UNDEF), NONE)

    def write(self, location: Location, local: Local) -> None:
        """Write a value; earlier values that lie within the location are overwritten.

        Raises
        ------
        InputError
            If an earlier value is overwritten in part only.
        """
        if location not in self._held:
            for other in tuple(self._met(location)):
                if other.offset < location.offset or other.offset + other.size > location.offset + location.size:
                    raise overlap(other, location)
                del self._held[other]
        self._held[location] = local

    def differences(self, later: Slots) -> Iterator[tuple[Location, Local | None, Local | None]]:
        """Give the locations that hold something else later, with what they hold before and then."""
        for location in {**self._held, **later._held}:
            before, after = self._held.get(location), later._held.get(location)
            if before is not after:
                yield location, before, after

    def _met(self, location: Location) -> Iterator[Location]:
        for other in self._held:
            if other.object == location.object and other.offset < location.offset + location.size:
                if location.offset < other.offset + other.size:
                    yield other


def overlap(first: Location, second: Location) -> InputError:
    """Give the error for two accesses that overlap but are not of the same location.

    Parameters
    ----------
    first, second : Location

    Returns
    -------
    InputError
    """
    return InputError(
        f"accesses of {first.size} bytes at {first.object}+{first.offset} and of {second.size} "
        f"bytes at {second.object}+{second.offset} overlap: bytes are the unit of memory (LangRef), and "
        "accesses that overlap partly or differ in size are not supported yet"
    )


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
