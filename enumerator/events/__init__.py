"""What an event is, and every predefined set and relation that the paths of a test decide, said once (README.md)."""

from __future__ import annotations

from enumerator.events.event import Event, number_events, related
from enumerator.events.kind import ANY, Kind, is_synchronizing
from enumerator.events.kinds import Kinds
from enumerator.events.relations import RELATIONS, BaseRelation
from enumerator.events.sets import SETS, names_of

__all__ = [
    "ANY",
    "RELATIONS",
    "SETS",
    "BaseRelation",
    "Event",
    "Kind",
    "Kinds",
    "is_synchronizing",
    "names_of",
    "number_events",
    "related",
]
