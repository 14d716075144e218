"""The predefined relations of the cat language that the paths of a test decide.

Each is what the kinds of two events say (a predicate), and for some also where the events stand: that the first comes
before the second, that both have the same location or barrier, or that the path lists the first beside the second. What
the relations are for is said in :mod:`enumerator.cat.predefined`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from types import MappingProxyType

from enumerator.events.kind import ANY, Kind
from enumerator.frozen import dataclass
from enumerator.mmra import compatible
from enumerator.program.instructions import CLUSTER_BARRIER, Scope

__all__ = ["KEYS", "LISTED", "PATH_KEYS", "RELATIONS", "BaseRelation"]


def _any(a: Kind, b: Kind) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class BaseRelation:
    """A predefined relation: (a, b) is in it if all that is said here holds.

    Parameters
    ----------
    name : str
    kinds : callable
        What must hold of the kinds of a and b; of an event and itself it is asked with the same kind twice.
    itself : bool, optional
        Whether an event is related to itself, where that is another matter than whether events of its kind are.
    same : (str, str), optional
        Names of attributes of :class:`~enumerator.unfold.paths.PathEvent`: a has the first, and b's second is equal.
    before : bool
        a comes before b when the threads are read one after the other, initial writes first. Parts of one instruction
        have no order, but that a read-modify-write reads a cell before it writes it.
    listed : bool
        The path lists a, as an event or one of several, in b's attribute of the relation's name.

    References
    ----------
    Semantics, section 1.
    """

    name: str
    kinds: Callable[[Kind, Kind], bool] = _any
    itself: bool | None = None
    same: tuple[str, str] | None = None
    before: bool = False
    listed: bool = False

    @property
    def of_kinds(self) -> bool:
        """Whether kinds alone decide."""
        return self.same is None and not self.before and not self.listed

    @property
    def of_paths(self) -> bool:
        """Whether it is decided by where events stand in the paths that are taken."""
        return self.before or self.listed or (self.same is not None and not PATH_KEYS.isdisjoint(self.same))

    def of_pair(self, a: Kind, b: Kind, one_event: bool) -> bool:
        """Tell whether the kinds of two events, or of an event and itself, allow it."""
        return self.itself if one_event and self.itself is not None else self.kinds(a, b)


# What kinds decide -------------------------------------------------------------------------------------------


def _same_thread(a: Kind, b: Kind) -> bool:
    return a.thread is not None and a.thread == b.thread


def _different_threads(a: Kind, b: Kind) -> bool:
    return not _same_thread(a, b)


def _same_half(a: Kind, b: Kind) -> bool:
    """Both are reads, or both writes, of one thread."""
    return _same_thread(a, b) and (a.reads, a.writes) == (b.reads, b.writes)


def _both_access(a: Kind, b: Kind) -> bool:
    return a.accesses and b.accesses


def _same_space(a: Kind, b: Kind) -> bool:
    return a.accesses and b.accesses and (a.memory == b.memory or ANY in (a.memory, b.memory))


def _same_instance(scope: Scope, a: Kind, b: Kind) -> bool:
    """An initial write belongs to every instance of every scope."""
    return a.thread is None or b.thread is None or a.instances[scope] == b.instances[scope]


def _inscope(a: Kind, b: Kind) -> bool:
    return _same_instance(a.scope, a, b)


def _inclusive(a: Kind, b: Kind) -> bool:
    return _inscope(a, b) and _inscope(b, a)


_compatible = cache(compatible)


def _compatible_tags(a: Kind, b: Kind) -> bool:
    """Semantics, section 2."""
    return _compatible(a.tags, b.tags)


def _may_synchronize(a: Kind, b: Kind) -> bool:
    """Semantics, section 2, *Synchronization of tagged operations*."""
    return _compatible(a.synchronizing_tags, b.synchronizing_tags)


def _meet(a: Kind, b: Kind) -> bool:
    """Barriers are of workgroups, or of clusters; a thread does not wait for itself."""
    scope = Scope.CLUSTER if CLUSTER_BARRIER in a.labels & b.labels else Scope.WORKGROUP
    return a.letter == b.letter == "B" and a.thread != b.thread and _same_instance(scope, a, b)


def _waits_at(a: Kind, b: Kind) -> bool:
    """Both are at a barrier; the second is no mere arrival."""
    return a.letter == b.letter == "B" and "ARRIVE" not in b.labels


def _synchronized(a: Kind, b: Kind) -> bool:
    return b.thread is not None and b.thread in a.followers


def _same_reference(a: Kind, b: Kind) -> bool:
    return _both_access(a, b) and ("IW" in (a.letter, b.letter) or a.reference == b.reference)


# The relations -----------------------------------------------------------------------------------------------

_RELATIONS = (
    BaseRelation("po", _same_thread, before=True),  # where an expression leaves events unsequenced, less those
    BaseRelation("int", _same_thread, itself=True),
    BaseRelation("ext", _different_threads, itself=False),
    BaseRelation("loc", _both_access, same=("location", "location")),
    BaseRelation("si", _same_thread, itself=True, same=("instruction", "instruction")),
    BaseRelation("parts", _same_half, itself=False, same=("whole", "whole")),
    BaseRelation("same-as", _same_space),
    BaseRelation("text-order", before=True),
    BaseRelation("rmw", _same_thread, listed=True),
    BaseRelation("addr", _same_thread, listed=True),
    BaseRelation("data", _same_thread, listed=True),
    BaseRelation("ctrl", _same_thread, listed=True),
    BaseRelation("tok", _same_thread, listed=True),
    BaseRelation("unsequenced", _same_thread, listed=True),
    BaseRelation("started", _same_thread, listed=True),
    BaseRelation("completed", _same_thread, listed=True),
    BaseRelation("mmra", _compatible_tags),
    BaseRelation("mmra-sync", _may_synchronize),
    BaseRelation("inscope", _inscope),
    BaseRelation("incl", _inclusive),
    *(BaseRelation(f"same-{scope.name.lower()}", partial(_same_instance, scope)) for scope in Scope),
    BaseRelation("bar", _meet, same=("arrival", "wait")),
    BaseRelation("syncbar", _waits_at, same=("completing", "barrier")),
    BaseRelation("ssw", _synchronized),
    BaseRelation("vloc", _same_reference, same=("location", "location")),
)

RELATIONS: Mapping[str, BaseRelation] = MappingProxyType({each.name: each for each in _RELATIONS})
"""By name."""

KEYS = tuple(dict.fromkeys(key for each in _RELATIONS for key in each.same or ()))
"""The attributes of events that relations compare."""

PATH_KEYS = frozenset({"instruction", "whole"})
"""Those that mean something inside one path only."""

LISTED = tuple(each.name for each in _RELATIONS if each.listed)
"""The relations that paths list."""
