"""Names in results: which ones a test has, and the value of a location from what the cells hold that it covers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

from enumerator.errors import InputError
from enumerator.frozen import dataclass
from enumerator.program.bytes import Run, cut, decode, encode, has_part_of_pointer, join
from enumerator.program.memory import initial_value, location_name, location_type, parse_location, pieces
from enumerator.program.test import RETURNED, MemoryObject, Test
from enumerator.program.types import ArrayType, BytesType, IntType, PointerType, Type, VectorType, size_of, store_size
from enumerator.program.values import Value
from enumerator.unfold.paths import Location
from enumerator.unfold.unfolder import Unfolded, unfold

__all__ = ["Named", "all_names", "named_among", "named_location", "refuse_parts"]

_MOST_ELEMENTS = 256
"""If an array has more elements than this, :func:`all_names` names only those that are accessed."""


@dataclass(frozen=True)
class Named:
    """A location that a condition or a result names.

    Parameters
    ----------
    memory : MemoryObject
        Its object.
    location : Location
    cells : tuple of Location
        The accessed cells that it overlaps, in the order of addresses.
    types : tuple of Type or None
        What each of them holds: values of a type, or bytes.
    big : bool
        Whether bytes of numbers are in big-endian order.
    """

    memory: MemoryObject
    location: Location
    cells: tuple[Location, ...]
    types: tuple[Type | None, ...]
    big: bool = False

    @cached_property
    def type(self) -> Type:
        """The type of its value: that of the element that it is; else that of the accesses if these agree."""
        declared = location_type(self.memory, self.location.offset, self.location.size)
        if declared is not None:
            return declared
        return self._accessed_as or IntType(8 * self.location.size)

    @property
    def _accessed_as(self) -> Type | None:
        return self.types[0] if self.cells == (self.location,) else None

    @cached_property
    def plain(self) -> bool:
        """Whether it is one cell that holds values of its type: what the cell holds is its value."""
        held = self._accessed_as
        return held == self.type or isinstance(held, PointerType) and isinstance(self.type, PointerType)

    def initial(self) -> Value:
        """Give its value where no execution accesses it."""
        return initial_value(self.memory, self.location.offset, self.type, big=self.big)

    def value(self, held: Sequence[Value]) -> Value:
        """Give its value.

        Parameters
        ----------
        held : sequence of Value
            What each of its cells holds; without any, it has its initial value.

        Returns
        -------
        Value
        """
        if not self.cells:
            return self.initial()
        if self.plain:
            return held[0]
        runs: list[Run] = []
        at, end = self.location.offset, self.location.offset + self.location.size
        for cell, type_, value in zip(self.cells, self.types, held, strict=True):
            low, high = max(cell.offset, at), min(cell.offset + cell.size, end)
            runs.append((low - at, self._initially(at, low - at)))
            memory = value if type_ is None else encode(value, type_, big=self.big)
            runs.append((high - low, cut(memory, cell.size, low - cell.offset, high - low, big=self.big)))
            at = high
        runs.append((end - at, self._initially(at, end - at)))
        memory = join([run for run in runs if run[0]], big=self.big)
        if self._accessed_as is not None and has_part_of_pointer(decode(memory, self.type, big=self.big)):
            return held[0]  # an array of bytes that holds a pointer
        if store_size(self.type) != self.location.size:
            return memory  # what pads a vector is asked for, too
        return decode(memory, self.type, big=self.big)

    def _initially(self, offset: int, size: int) -> Value:
        return initial_value(self.memory, offset, BytesType(size), big=self.big) if size else 0


def named_location(unfolded: Unfolded, name: str) -> Named:
    """Find what a name of a location covers.

    Parameters
    ----------
    unfolded : Unfolded
    name : str
        As :func:`~enumerator.program.memory.parse_location` takes it.

    Returns
    -------
    Named

    Raises
    ------
    InputError
        If there is no such object or element.
    """
    return named_among(unfolded.initial, unfolded.types.__getitem__, unfolded.test, name)


def named_among(
    accessed: Iterable[Location], type_of: Callable[[Location], Type | None], test: Test, name: str
) -> Named:
    """Find what a name of a location covers of some cells.

    Parameters
    ----------
    accessed : iterable of Location
        Cells, in the order of addresses.
    type_of : callable
        Gives what a cell holds: values of a type, or None for bytes.
    test : Test
    name : str

    Returns
    -------
    Named
    """
    location = Location(*parse_location(name, test.objects))
    memory = next(memory for memory in test.objects if memory.name == location.object)
    cells = tuple(filter(location.overlaps, accessed))
    return Named(memory, location, cells, tuple(map(type_of, cells)), test.big_endian)


def refuse_parts(test: Test, names: Sequence[str], values: Iterable[Value]) -> None:
    """Refuse a final state in which something is a number that is made of some bytes of a pointer.

    Parameters
    ----------
    test : Test
    names : sequence of str
        Of registers and locations.
    values : iterable of Value
        Of each of them.

    Raises
    ------
    InputError
        Semantics, section 8: "A pointer is kept whole: a read of some of its bytes is an error that says so."
    """
    for name, value in zip(names, values, strict=False):
        if has_part_of_pointer(value):
            message = (
                f"{name} is made of some bytes of a pointer without the others: pointers are kept whole; read all, "
                "and take what is wanted with ptrtoint and trunc"
            )
            raise InputError(message, test.path, _line_of(test, name))


def _line_of(test: Test, name: str) -> int | None:
    """Give the line that assigns a register of a thread's own function."""
    owner, _, register = name.partition(":%")
    function = next((test.functions[each.function] for each in test.threads if each.name == owner), None)
    for block in function.blocks if function is not None else ():
        for part in (*block.phis, *block.body):
            if getattr(part, "target", None) == register:
                return part.line
    return None


def all_names(test: Test, *, unroll: int | None = None) -> tuple[str, ...]:
    """Name every register that some path assigns and every location, as in results.

    Parameters
    ----------
    test, unroll :
        See :func:`unfold`.

    Returns
    -------
    tuple of str
        Registers by thread in order of first assignment, then locations in the order of the test's objects. What a
        thread returns is not among them: a register, or a constant, holds it.
    """
    unfolded = unfold(test, unroll=unroll)
    names: dict[str, None] = {}
    for thread, options in zip(test.threads, unfolded.paths, strict=True):
        named = test.functions[thread.function].shown is not None  # then it is a register of this name
        for path in options:
            shown = (register for register in path.registers if register != RETURNED or named)
            names.update(dict.fromkeys(f"{thread.name}:{register}" for register in shown))
    accessed: dict[str, list[Location]] = {}
    for location in unfolded.initial:
        if unfolded.types[location] is not None:  # elements are named where bytes are accessed
            accessed.setdefault(location.object, []).append(location)
    for memory in test.objects:
        if memory.hidden:
            continue
        cells = [(cell.offset, cell.size) for cell in accessed.get(memory.name, [])]
        for offset, size in pieces(cells, list(_elements(memory.type, 0))):
            names[location_name(memory, offset, size)] = None
    return tuple(names)


def _elements(type_: Type, offset: int) -> Iterable[tuple[int, int]]:
    """Give the offset and size of each element of an object; none for a large array."""
    if isinstance(type_, ArrayType) and not isinstance(type_.element, VectorType):
        if type_.count <= _MOST_ELEMENTS:
            for index in range(type_.count):
                yield from _elements(type_.element, offset + index * size_of(type_.element))
    else:
        yield offset, store_size(type_)
