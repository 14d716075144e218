"""Updates that a loop takes back: a lock that is taken by an addition, and given back where that found it taken.

A thread adds to a counter, sees that it may not go on, subtracts as much again, and tries once more. An iteration that
ends so may be left out as if it had only read (:mod:`.waiting`), although others may have met the counter in between.
Leave all such iterations of an execution out at once. What else updates the counter adds to it, too, so that its order
stays, and each value that is read there is another one by what was added at that time and taken back later. Less
happens before than did, and the rest is an execution if each other access goes on as it did.

So all values that are read there are asked for, and the thread must do the same with them as with those that it might
have read instead: whatever the other threads may have added at one time. Or it may wait with the latter ones, as the
iteration is left out then. Where it does something else, or something else than an addition writes there, all begins
anew, and that is not left out (:class:`NotUndone`).

Until it is known what becomes of an addition, the thread goes both ways, as in :mod:`.unchanged`: with the write it may
do anything but take it back (``state.undoing``), and without it nothing else.
"""

from __future__ import annotations

from collections.abc import Callable

from enumerator.program.instructions import Ordering, ReadModifyWrite
from enumerator.program.types import IntType, Type
from enumerator.unfold.paths import Known, Location, Node, PathEvent

__all__ = ["NotUndone", "Place", "Undone", "WouldBeUndone", "added_by", "cancels", "ends_open"]

Place = tuple[str, str, int]
"""An instruction: its function and block, and its number in that."""


class WouldBeUndone(Exception):
    """A loop may take back what it adds at a location that was not looked at so far.

    Parameters
    ----------
    location : Location
    """

    def __init__(self, location: Location) -> None:
        super().__init__(location)
        self.location = location


class NotUndone(Exception):
    """An iteration was left out, or would be, without which something else would be done.

    Parameters
    ----------
    what : Location or Place
        The location where others would see that; or what adds there, if something else is done when it is taken back.
    """

    def __init__(self, what: Location | Place) -> None:
        super().__init__(what)
        self.what = what


def added_by(instruction: ReadModifyWrite, operand: Node) -> int | None:
    """Give what a read-modify-write adds to a number; None where it does something else, or that is not known.

    Parameters
    ----------
    instruction : ReadModifyWrite
    operand : Node

    Returns
    -------
    int or None
        Without the sign, in the range of the type.

    Examples
    --------
    >>> from enumerator.program.instructions import Annotation, Constant, Ordering
    >>> one = Constant(1, IntType(8))
    >>> down = ReadModifyWrite("old", "sub", one, one, IntType(8), Annotation(Ordering.MONOTONIC))
    >>> added_by(down, Known(1))
    255
    """
    if instruction.operator not in ("add", "sub") or not isinstance(instruction.type, IntType):
        return None
    if not isinstance(operand, Known) or not isinstance(operand.value, int):
        return None
    number = operand.value if instruction.operator == "add" else -operand.value
    return number % (1 << instruction.type.width) or None


def cancels(added: int, then: int, type_: Type) -> bool:
    """Tell whether a number that is added takes back one that was."""
    return isinstance(type_, IntType) and (added + then) % (1 << type_.width) == 0


def ends_open(event: PathEvent) -> bool:
    """Tell whether an event comes between what adds and what takes that back if neither is left out."""
    return event.kind not in "RF" or (event.kind == "R" and event.annotation.ordering is Ordering.NA)


class Undone:
    """Where loops take back what they add, and how much.

    Attributes
    ----------
    locations : set of Location
        Those where some loop may do so.
    changes : int
        How often something new was noted.
    """

    def __init__(self) -> None:
        self.locations: set[Location] = set()
        self._objects: set[str] = set()
        self._refused: set[Location | Place] = set()
        self._added: dict[Location, dict[str, set[int]]] = {}
        self.changes = 0

    def begin(self) -> None:
        """Begin anew: nothing has been left out."""
        self._added.clear()

    def add(self, location: Location) -> None:
        """Note that a loop may take back what it adds at a location."""
        self.locations.add(location)
        self._objects.add(location.object)

    def refuse(self, what: Location | Place) -> None:
        """Leave nothing out any more of what adds at a location, or of one that adds."""
        self._refused.add(what)
        if isinstance(what, Location):
            self.locations.discard(what)

    def may_be(self, location: Location, place: Place) -> bool:
        """Tell whether what an instruction adds at a location may be left out if it is taken back."""
        return self._refused.isdisjoint((location, place))

    def look_at(self, event: PathEvent) -> Location | None:
        """Give where loops take back what they add, if an event of another thread would tell whether they do.

        Atomic reads of all of it are asked for what they read; of other accesses than these, and updates, it is not
        known what they would tell.
        """
        location = event.location
        if location is None or location.object not in self._objects:
            return None
        if location in self.locations and (event.rmw is not None or not ends_open(event)):
            return None
        return next((each for each in self.locations if location.overlaps(each)), None)

    def adds(self, location: Location, thread: str, added: int) -> None:
        """Note that a thread has added a number at a location, and may take it back."""
        known = self._added.setdefault(location, {}).setdefault(thread, set())
        self.changes += added not in known
        known.add(added)

    def shifts(self, location: Location, threads: Callable[[str], bool]) -> set[int]:
        """Give what threads may have added at a location at one time that they take back later.

        Parameters
        ----------
        location : Location
        threads : callable
            Tells of the name of a thread whether it counts.

        Returns
        -------
        set of int
            Sums of at most one number of each thread.
        """
        modulus, found = 1 << 8 * location.size, {0}
        for thread, numbers in self._added.get(location, {}).items():
            if threads(thread):
                found |= {(before + number) % modulus for before in found for number in numbers}
        return found - {0}
