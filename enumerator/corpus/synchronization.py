"""Whether readings of the documents can differ on a test at all, as its text shows, without any search.

The readings of happens-before (semantics, section 2) say what becomes of program order between operations whose tags
are incompatible. They agree where happens-before relates no such operations of one thread: neither by steps of program
order between compatible ones, nor by synchronization that leaves the thread and comes back. Profiles that differ in
whether tags must be compatible to synchronize agree where nothing incompatible could.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from enumerator.events.kind import is_synchronizing
from enumerator.frozen import dataclass
from enumerator.mmra import Profile, compatible
from enumerator.program.instructions import (
    Alloca,
    Assign,
    Assume,
    CompareExchange,
    Constant,
    Fence,
    Freeze,
    Function,
    Instruction,
    Load,
    Ordering,
    ReadModifyWrite,
    Store,
    Tag,
)
from enumerator.program.test import Test
from enumerator.program.values import Pointer

__all__ = ["may_read_otherwise", "may_synchronize_otherwise"]

_RELEASES = frozenset({Ordering.RELEASE, Ordering.ACQ_REL, Ordering.SEQ_CST})
_ACQUIRES = frozenset({Ordering.ACQUIRE, Ordering.ACQ_REL, Ordering.SEQ_CST})


@dataclass(frozen=True, slots=True)
class _Event:
    """An event that an instruction may have: a compare-exchange that fails has another one than one that succeeds.

    Events of one instruction have one number, in the order of the text; `place` is the object that is accessed, if the
    address names it.
    """

    number: int
    letter: str
    ordering: Ordering
    tags: frozenset[Tag]
    place: str | None

    @property
    def acquires(self) -> bool:
        """Whether it may be the end of a synchronization."""
        return self.letter != "W" and self.ordering in _ACQUIRES

    @property
    def releases(self) -> bool:
        """Whether it may be the beginning of one."""
        return self.letter != "R" and self.ordering in _RELEASES

    @property
    def atomic(self) -> bool:
        """Whether it is an atomic access that others synchronize through."""
        return self.letter != "F" and self.ordering >= Ordering.MONOTONIC


@dataclass(frozen=True, slots=True)
class _Thread:
    """The events of a thread; `ordered` where their numbers say which comes first."""

    events: tuple[_Event, ...]
    ordered: bool

    def passes_on(self) -> bool:
        """Tell whether what the thread acquires may come before what it releases."""
        return any(
            not self.ordered or first.number <= last.number
            for first in self.events
            if first.acquires
            for last in self.events
            if last.releases
        )


def may_read_otherwise(test: Test, profile: Profile) -> bool:
    """Tell whether the readings of happens-before may give different results for a test.

    Parameters
    ----------
    test : Test
    profile : Profile

    Returns
    -------
    bool
        True also where that is not clear: where functions are called, threads created, barriers passed, or where other
        reasons than tags keep operations of one thread apart.

    References
    ----------
    Semantics, section 2, *Happens-before*.

    Examples
    --------
    >>> from enumerator import load_profile
    >>> from enumerator.frontend import load_text
    >>> def differ(between):
    ...     lines = ["@x = global i32 0", "define void @t() {", "store i32 1, ptr @x, !mmra !0", between]
    ...     lines += ["store i32 2, ptr @x, !mmra !1", "ret void", "}", '!0 = !{!"foo", !"x"}', '!1 = !{!"foo", !"y"}']
    ...     return may_read_otherwise(load_text(chr(10).join(lines), "t.ll"), load_profile("generic"))
    >>> differ(""), differ("store i32 3, ptr @x")
    (False, True)
    """
    threads = _threads(test, profile)
    if threads is None:
        return not _all_compatible(test, profile)
    passing = sum(thread.passes_on() for thread in threads)
    return any(_steps_apart(thread) or _returns_apart(thread, passing) for thread in threads)


def may_synchronize_otherwise(test: Test, profile: Profile, other: Profile) -> bool:
    """Tell whether a test may give different results under two profiles of one target.

    Parameters
    ----------
    test : Test
    profile, other : Profile

    Returns
    -------
    bool
        True also where that is not clear.
    """
    if other.implied != profile.implied or other.aliases != profile.aliases:
        return True
    threads = _threads(test, profile)
    if threads is None:
        return not _all_compatible(test, profile)
    strong = [event for thread in threads for event in thread.events if event.ordering is Ordering.SEQ_CST]
    if not all(compatible(first.tags, second.tags) for first, second in combinations(strong, 2)):
        return True
    acquires = {number for number, thread in enumerate(threads) if any(event.acquires for event in thread.events)}
    releases = {number for number, thread in enumerate(threads) if any(event.releases for event in thread.events)}
    if not acquires or not releases or len(acquires | releases) < 2:
        return False
    for thread in threads:
        fences = [event for event in thread.events if event.letter == "F"]
        if any(_apart(fence, event) for fence in fences for event in thread.events if event.atomic):
            return True
    return any(
        (_may_meet(write, read) or (write.releases and read.acquires)) and not compatible(write.tags, read.tags)
        for first in threads
        for second in threads
        if first is not second
        for write in first.events
        for read in second.events
    )


def _may_meet(write: _Event, read: _Event) -> bool:
    """Tell whether an atomic read may read an atomic write, as their addresses say."""
    if (write.letter, read.letter) != ("W", "R") or not (write.atomic and read.atomic):
        return False
    return write.place is None or read.place is None or write.place == read.place


def _apart(first: _Event, second: _Event) -> bool:
    """Tell whether events of one thread are of different instructions, and incompatible."""
    return first.number != second.number and not compatible(first.tags, second.tags)


def _steps_apart(thread: _Thread) -> bool:
    """Tell whether two steps between compatible operations may lead from one to an incompatible one."""
    for first, last in combinations(thread.events, 2):
        if _apart(first, last):
            for between in thread.events:
                if between is first or between is last:
                    continue
                if thread.ordered and not first.number <= between.number <= last.number:
                    continue
                if not _apart(first, between) and not _apart(between, last):
                    return True
    return False


def _returns_apart(thread: _Thread, passing: int) -> bool:
    """Tell whether synchronization may lead from an operation through another thread to an incompatible one."""
    if passing - thread.passes_on() == 0:
        return False
    for first, last in combinations(thread.events, 2):
        if _apart(first, last):
            leaves = any(event.releases and event.number >= first.number for event in thread.events)
            comes = any(event.acquires and event.number <= last.number for event in thread.events)
            if not thread.ordered or (leaves and comes):
                return True
    return False


def _all_compatible(test: Test, profile: Profile) -> bool:
    tags = {
        event.tags
        for function in test.functions.values()
        for block in function.blocks
        for number, instruction in enumerate(block.body)
        for event in _events(instruction, number, profile)
    }
    return all(compatible(first, second) for first, second in combinations(tags, 2))


# The events of a text ---------------------------------------------------------------------------------------


def _threads(test: Test, profile: Profile) -> list[_Thread] | None:
    """Give the events of each thread; None where the text of its function does not show what these are."""
    known: dict[str, _Thread | None] = {}
    found: list[_Thread] = []
    for each in test.threads:
        if each.creation is not None or each.alternatives:
            return None
        if each.function not in known:
            known[each.function] = _thread(test.functions[each.function], profile)
        thread = known[each.function]
        if thread is None:
            return None
        found.append(thread)
    return found


def _thread(function: Function, profile: Profile) -> _Thread | None:
    events: list[_Event] = []
    for block in function.blocks:
        for instruction in block.body:
            match instruction:
                case Assign() | Assume() | Freeze() | Alloca():
                    continue
                case Load() | Store() | ReadModifyWrite() | CompareExchange() | Fence():
                    annotation = instruction.annotation
                    if annotation.one_as or annotation.thread_private:
                        return None  # these are kept apart whatever their tags
                    events.extend(_events(instruction, len(events), profile))
                case _:
                    return None
    return _Thread(tuple(events), len(function.blocks) == 1)


def _events(instruction: Instruction, number: int, profile: Profile) -> Iterator[_Event]:
    """Give the events that an instruction may have; those of others than accesses and fences have no tags."""
    match instruction:
        case Load():
            letters = "R"
        case Store():
            letters = "W"
        case ReadModifyWrite() | CompareExchange():
            letters = "RW"
        case Fence():
            letters = "F"
        case _:
            return
    annotation = instruction.annotation
    orderings = {annotation.ordering}
    if isinstance(instruction, CompareExchange):
        orderings.add(instruction.failure)
    place = None if isinstance(instruction, Fence) else _place(instruction)
    for ordering in sorted(orderings):
        synchronizing = any(is_synchronizing(letter, ordering) for letter in letters)
        for letter in letters:
            tags = profile.effective_tags(
                annotation.tags,
                kind=letter,
                ordering=ordering,
                synchronizing=synchronizing,
                address_space=annotation.address_space,
            )
            yield _Event(number, letter, ordering, tags, place)


def _place(instruction: Load | Store | ReadModifyWrite | CompareExchange) -> str | None:
    match instruction.address:
        case Constant(Pointer(name, _), _):
            return name
    return None
