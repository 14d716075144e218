"""Events of an execution: a kind, and where in the chosen paths it stands."""

from __future__ import annotations

from collections.abc import Sequence

from enumerator.events.kind import Kind
from enumerator.events.kinds import Kinds
from enumerator.events.relations import BaseRelation
from enumerator.frozen import dataclass
from enumerator.program.instructions import Annotation, Tag
from enumerator.unfold.paths import Location, Node, Path, PathEvent

__all__ = ["Event", "number_events", "related"]


@dataclass(frozen=True, slots=True)
class Event:
    """An event of a candidate execution.

    Parameters
    ----------
    number : int
        Its node in relations: initial writes first, sorted by location, then each thread's events in program order.
    thread, index : int or None
        Which thread, and which event of its path; None for an initial write.
    of : Kind
        All that the predefined sets see of it, and most relations.
    made : PathEvent
        The event of the path; of an initial write one of the kind ``IW``.
    synchronizing : bool
        Its instruction is a synchronizing operation (:func:`~enumerator.events.kind.is_synchronizing`).
    """

    number: int
    thread: int | None
    index: int | None
    of: Kind
    made: PathEvent
    synchronizing: bool = False

    @property
    def kind(self) -> str:
        """``IW``, ``R``, ``W``, ``F`` or ``B``: initial write, read, write, fence, barrier."""
        return self.of.letter

    @property
    def reads(self) -> bool:
        """Whether it is a read."""
        return self.of.reads

    @property
    def writes(self) -> bool:
        """Whether it is a write, initial ones included."""
        return self.of.writes

    @property
    def tags(self) -> frozenset[Tag]:
        """Effective ones: explicit and implied by the target profile."""
        return self.of.tags

    @property
    def annotation(self) -> Annotation:
        """What the text says; of an initial write: system scope and its object's address space."""
        return self.made.annotation

    @property
    def location(self) -> Location | None:
        """What it accesses."""
        return self.made.location

    @property
    def value(self) -> Node | None:
        """None for an initial write (its value is the object's initial one), fences and barriers."""
        return self.made.value

    @property
    def line(self) -> int | None:
        """Source line."""
        return self.made.line


def number_events(kinds: Kinds, paths: Sequence[Path]) -> tuple[Event, ...]:
    """Give the events of a choice of paths, numbered.

    Parameters
    ----------
    kinds : Kinds
        Of the test.
    paths : sequence of Path
        One for each thread of the test, in order.

    Returns
    -------
    tuple of Event
    """
    events: list[Event] = []
    for location in sorted({event.location for path in paths for event in path.events if event.location is not None}):
        made = kinds.initial_write(location)
        events.append(Event(len(events), None, None, kinds.known[kinds.of_initial(location)], made))
    for thread, path in enumerate(paths):
        synchronizing = kinds.synchronizing(path)
        for index, (made, kind) in enumerate(zip(path.events, kinds.of_path(thread, path), strict=True)):
            strong = made.instruction in synchronizing
            events.append(Event(len(events), thread, index, kinds.known[kind], made, strong))
    return tuple(events)


def _comes_before(a: Event, b: Event) -> bool:
    """Tell whether an event stands before another; parts of one instruction do only if one is the other's read."""
    if a.number >= b.number:
        return False
    together = a.thread == b.thread and a.made.whole is not None and a.made.whole == b.made.whole
    return not together or b.made.rmw == a.index


def related(relation: BaseRelation, a: Event, b: Event) -> bool:
    """Tell whether a predefined relation holds between two events.

    Parameters
    ----------
    relation : BaseRelation
    a, b : Event

    Returns
    -------
    bool
    """
    if not relation.of_pair(a.of, b.of, a is b):
        return False
    if relation.before and not _comes_before(a, b):
        return False
    if relation.same is not None:
        first, second = (getattr(each.made, name) for each, name in zip((a, b), relation.same, strict=True))
        return first is not None and first == second
    return not relation.listed or a.index in b.made.listed(relation.name)
