"""Kinds: what the program text says of an event, and nothing that depends on where in an execution it stands."""

from __future__ import annotations

from enumerator.frozen import dataclass
from enumerator.program.instructions import Annotation, Ordering, Scope, Tag

__all__ = ["ANY", "Kind", "is_synchronizing"]

ANY = -1
"""Stands for each address space: that of the memory which a flat access goes to, where nothing says it."""


@dataclass(frozen=True, slots=True)
class Kind:
    """What all events have in common that the predefined sets and most predefined relations cannot tell apart.

    A test has few kinds, however many events its executions have.

    Parameters
    ----------
    letter : {'R', 'W', 'F', 'B', 'IW'}
        Read, write, fence, barrier, initial write.
    ordering : Ordering
    scope : Scope
        The sync scope that it names.
    one_as : bool
        Written with a ``-one-as`` scope.
    tags : frozenset of Tag
        Effective ones: explicit, and implied by the target profile.
    synchronizing_tags : frozenset of Tag
        Those that have to be compatible for events to synchronize: none, unless the profile asks for it.
    thread_private, volatile : bool
    address_space : int
        Of an access; of an initial write, that of its object.
    reached : int or None
        The address space of the memory that a flat access goes to, :data:`ANY` if that may be each; None where the
        address says it.
    labels : frozenset of str
        Further sets that it is in.
    reference : str
        The name through which it accesses its location, in languages that tell such names apart.
    half : bool
        Of a read-modify-write.
    observed : bool
        It accesses memory that the test looks at in the end.
    thread : int or None
        None for an initial write.
    instances : tuple of int
        The instance of each scope, smallest first, that its thread runs in; empty for an initial write.
    followers : frozenset of int
        Threads that the system synchronizes after its thread.

    References
    ----------
    Semantics, section 1.
    """

    letter: str
    ordering: Ordering = Ordering.NA
    scope: Scope = Scope.SYSTEM
    one_as: bool = False
    tags: frozenset[Tag] = frozenset()
    synchronizing_tags: frozenset[Tag] = frozenset()
    thread_private: bool = False
    volatile: bool = False
    address_space: int = 0
    labels: frozenset[str] = frozenset()
    reference: str = ""
    half: bool = False
    observed: bool = False
    thread: int | None = None
    instances: tuple[int, ...] = ()
    followers: frozenset[int] = frozenset()
    reached: int | None = None

    def __hash__(self) -> int:
        """Give the hash of what tells most kinds apart: it is asked for all the time."""
        return hash((self.letter, self.ordering, self.half, self.thread, self.tags))

    @classmethod
    def of(
        cls,
        letter: str,
        annotation: Annotation,
        *,
        tags: frozenset[Tag] = frozenset(),
        synchronizing_tags: frozenset[Tag] = frozenset(),
        half: bool = False,
        observed: bool = False,
        thread: int | None = None,
        instances: tuple[int, ...] = (),
        followers: frozenset[int] = frozenset(),
        reached: int | None = None,
    ) -> Kind:
        """Give the kind of an event from its annotation and what that does not say.

        Examples
        --------
        >>> Kind.of("W", Annotation(Ordering.RELEASE), thread=1).atomic
        True
        """
        return cls(
            letter,
            annotation.ordering,
            annotation.scope,
            annotation.one_as,
            tags,
            synchronizing_tags,
            annotation.thread_private,
            annotation.volatile,
            annotation.address_space,
            annotation.labels,
            annotation.reference,
            half,
            observed,
            thread,
            instances,
            followers,
            reached,
        )

    @property
    def memory(self) -> int:
        """The address space of the memory that it accesses."""
        return self.address_space if self.reached is None else self.reached

    @property
    def reads(self) -> bool:
        """Whether it is a read."""
        return self.letter == "R"

    @property
    def writes(self) -> bool:
        """Whether it is a write, initial ones included."""
        return self.letter in ("W", "IW")

    @property
    def accesses(self) -> bool:
        """Whether it accesses memory."""
        return self.letter in ("R", "W", "IW")

    @property
    def atomic(self) -> bool:
        """Whether it is atomic: not ``na``, or an initial write."""
        return self.letter == "IW" or self.ordering != Ordering.NA

    @property
    def ordered(self) -> bool:
        """Whether it is in the set of its ordering: an access or a fence, or a barrier that has one, as Vulkan's may.

        Examples
        --------
        >>> Kind("W").ordered, Kind("B").ordered, Kind("B", Ordering.ACQ_REL).ordered, Kind("IW").ordered
        (True, False, True, False)
        """
        return self.letter in ("R", "W", "F") or (self.letter == "B" and self.ordering != Ordering.NA)


def is_synchronizing(letter: str, ordering: Ordering) -> bool:
    """Tell whether an event is a synchronizing operation: a fence, or an access with ordering ≥ acquire or ≥ release.

    Parameters
    ----------
    letter : {'R', 'W', 'F', 'B'}
    ordering : Ordering

    Returns
    -------
    bool

    References
    ----------
    Semantics, section 1.

    Examples
    --------
    >>> is_synchronizing("W", Ordering.RELEASE), is_synchronizing("W", Ordering.MONOTONIC)
    (True, False)
    """
    return letter == "F" or (letter in ("R", "W") and ordering >= Ordering.ACQUIRE)
