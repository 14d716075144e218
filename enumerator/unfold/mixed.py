"""Where the text of a test accesses memory as several types."""

from __future__ import annotations

from collections.abc import Iterable

from enumerator.program.instructions import Access, Function
from enumerator.program.types import PointerType, Type, store_size
from enumerator.unfold.paths import Location
from enumerator.unfold.places import MADE, is_marker, places_of
from enumerator.unfold.pointing import Pointing, accesses_of

__all__ = ["Mixed"]


class Mixed:
    """Where the text accesses memory as several types, as clang does which reads an atomic pointer as a number.

    Parameters
    ----------
    functions : iterable of Function
    """

    def __init__(self, functions: Iterable[Function]) -> None:
        functions = list(functions)
        every = [each for function in functions for each in accesses_of(function, ())]
        types: dict[tuple[str, int, int], set[Type]] = {}
        if len(set(map(_type_of, every))) > 1:
            for function in functions:
                look = Pointing(function)
                for each in accesses_of(function, ()):
                    if each.type is not None:
                        for name, offset in places_of(each.address, look.register) or ():
                            if offset is not None:
                                place = MADE if is_marker(name) else name, offset, store_size(each.type)
                                types.setdefault(place, set()).add(_type_of(each))
        self._places = {place for place, found in types.items() if len(found) > 1}

    def holds(self, location: Location) -> bool:
        """Tell whether a location of an object of the test, or of one that a thread makes, is most likely one.

        Parameters
        ----------
        location : Location

        Returns
        -------
        bool
        """
        name = MADE if MADE in location.object else location.object
        return (name, location.offset, location.size) in self._places


def _type_of(access: Access) -> Type:
    """Give the type of an access; of pointers one, in whichever address space."""
    return PointerType() if isinstance(access.type, PointerType) else access.type
