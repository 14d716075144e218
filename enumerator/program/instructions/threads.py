"""What threads do with each other: barriers, creating threads; and what locks and barriers of the library ask for."""

from __future__ import annotations

from dataclasses import field

from enumerator.frozen import dataclass
from enumerator.program.instructions.annotations import Annotation
from enumerator.program.instructions.expressions import Expression

__all__ = [
    "CLUSTER_BARRIER",
    "NULL_BARRIER",
    "Barrier",
    "BarrierOperation",
    "Create",
    "Exit",
    "Hold",
    "Meet",
    "Misuse",
    "Now",
    "TimeOut",
]

CLUSTER_BARRIER = "CLUSTER_BARRIER"
"""The label of operations on the barrier of a cluster."""

NULL_BARRIER = "null"
"""The barrier object that all operations but ``join`` leave as it is."""


@dataclass(frozen=True, slots=True)
class Barrier:
    """An execution barrier: of the workgroup, with arrival, wait, or arrival then wait; or one with a number.

    One that has an `instance` is the same barrier as those of this number in other threads, each time it runs
    as often; it neither arrives nor waits at the workgroup's. At it, `needed` threads have to arrive before any goes
    on (0: that is not looked at). With a `quorum`, threads may arrive later, too: those that complete the barrier are
    any that are as many as needed, or more, and all others come after them.
    """

    arrives: bool
    waits: bool
    annotation: Annotation = field(default_factory=Annotation)
    line: int | None = None
    instance: int | None = None
    needed: int = 0
    quorum: bool = False


@dataclass(frozen=True, slots=True)
class BarrierOperation:
    """An operation on a barrier object (semantics, section 10).

    Parameters
    ----------
    operation : str
        ``init``, ``arrive``, ``first`` (an arrival that tells whether it is the first), ``drop``, ``wait``, ``join``,
        ``wakeup``, or ``cluster`` (one wave of each workgroup arrives, and all wait).
    object : str
        ``workgroup``, ``cluster``, ``null``, or the name of a named barrier.
    count : int
        Of an init; of an arrival, the new expected count if it is not 0.
    target : str or None
        What an arrival tells, as an i1.
    """

    operation: str
    object: str
    count: int = 0
    target: str | None = None
    annotation: Annotation = field(default_factory=Annotation)
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Create:
    """A thread begins to be: it will run a function with one argument (``pthread_create``, ``thrd_create``).

    The target is a struct: the address of the object that stands for the thread, whether the thread waits until its
    creator says so there, and whether it takes its argument from there. With `code`, its function returns a number.
    """

    target: str
    function: Expression
    argument: Expression
    code: bool = False
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Exit:
    """The thread ends here, whatever functions are active, as if its first one returned `value` (``pthread_exit``).

    Without a value nobody is told: it is a thread that no one has created. With `process`, the process ends (``exit``),
    which only its first thread may do.
    """

    value: Expression | None = None
    line: int | None = None
    process: bool = False


# Locks and barriers of the library, and their clocks.


@dataclass(frozen=True, slots=True)
class Hold:
    """``%target`` is how often the thread holds the lock at an address; then it does so `change` times more."""

    target: str | None
    address: Expression
    change: int
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Meet:
    """``%target`` is how many threads may come to the barrier at an address, or which of them this is (`own`).

    The number is 0 where they are not known, or where the order matters in which they come.
    """

    target: str
    address: Expression
    own: bool
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Misuse:
    """Undefined behaviour if a condition is true: `flag`. A function of the library is called as it must not be."""

    condition: Expression
    flag: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class TimeOut:
    """A wait ends with its limit: the next clock that looks for it (:class:`Now`) says that it is over."""

    line: int | None = None


@dataclass(frozen=True, slots=True)
class Now:
    """What a clock says: any number, one for each place in the code.

    If it `tells` of limits, it says the greatest one after a :class:`TimeOut`, later than any limit.
    """

    target: str
    line: int | None = None
    tells: bool = True
