"""What an operation with an annotation is under a side: the events that it becomes, and their kinds.

A side reads a test in LLVM IR, in Vulkan's language, or as the translation of one in Vulkan's language to LLVM IR. In
the first two an operation is itself; in a translation it may have fences around it, or be nothing but these.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import product

from enumerator.distinguishing.sides import Language, Side
from enumerator.errors import InputError
from enumerator.events.kind import Kind as EventKind
from enumerator.events.kind import is_synchronizing
from enumerator.frontend.vulkan.operations import parse_operation
from enumerator.generation.building import llvm_annotation
from enumerator.generation.skeleton import APART, Event, Kind, Mark, Place, failure_ordering
from enumerator.generation.vulkan import operation_words
from enumerator.mmra import Profile
from enumerator.passes.translate.operations import Fenced, Rules
from enumerator.program.instructions import Annotation, Ordering, Tag

__all__ = ["CIRCUMSTANCES", "becomes", "event_kind", "kinds_of", "letters", "vulkan_annotation"]

CIRCUMSTANCES = 4
"""What a translation depends on besides the operation: whether the test has private accesses (1), and whether storage
classes matter (2)."""

_SEMANTICS = ("semsc0",)
"""The storage classes that a synchronizing operation of a Vulkan test orders, where it names none."""

_LETTERS = {Kind.READ: "R", Kind.WRITE: "W", Kind.UPDATE: "RW", Kind.FENCE: "F", Kind.BARRIER: "B"}


def letters(kind: Kind, *, failed: bool = False) -> str:
    """Give the letters of the events that an operation is; a compare-and-exchange that fails is a read."""
    return "R" if failed else _LETTERS[kind]


@cache
def vulkan_annotation(kind: Kind, mark: Mark) -> Annotation:
    """Give the annotation of an operation in Vulkan's language."""
    event = Event(kind, mark=mark, operator="xchg" if kind == Kind.UPDATE else "")
    return parse_operation(operation_words(event, _SEMANTICS), lambda message, _: InputError(message)).annotation


@cache
def becomes(
    language: Language, kind: Kind, mark: Mark, space: int, location: int, circumstance: int, failed: bool = False
) -> Fenced:
    """Give what an operation becomes.

    Parameters
    ----------
    language : Language
    kind : Kind
    mark : Mark
    space, location : int
        What it accesses; 0 and -1 of fences and barriers.
    circumstance : int
        Below :data:`CIRCUMSTANCES`.
    failed : bool
        It is a compare-and-exchange that fails.

    Returns
    -------
    Fenced
    """
    if language is Language.LLVM:
        mark = mark._replace(ordering=failure_ordering(mark.ordering)) if failed else mark
        return Fenced(own=llvm_annotation(mark, space))
    vulkan = vulkan_annotation(kind, mark)
    if language is Language.VULKAN:
        return Fenced(own=replace(vulkan, reference=str(location)) if location >= 0 else vulkan)
    rules = Rules(by_class=bool(circumstance & 2), by_privacy=bool(circumstance & 1))
    match kind:
        case Kind.FENCE:
            return rules.fences(vulkan)
        case Kind.BARRIER:
            return rules.barrier(vulkan)
    return rules.access(vulkan)


@cache
def _effective(
    profile: Profile, tags: frozenset[Tag], letter: str, ordering: Ordering, synchronizing: bool, space: int
) -> frozenset[Tag]:
    return profile.effective_tags(
        tags, kind=letter, ordering=ordering, synchronizing=synchronizing, address_space=space
    )


def event_kind(
    profile: Profile, letter: str, annotation: Annotation, *, half: bool = False, thread: int = 0, place: Place = APART
) -> EventKind:
    """Give the kind of an event as the predefined sets and relations see it.

    Parameters
    ----------
    profile : Profile
    letter : {'R', 'W', 'F', 'B'}
    annotation : Annotation
    half : bool
        Of a read-modify-write.
    thread : int
    place : Place

    Returns
    -------
    enumerator.events.kind.Kind
    """
    halves = ("R", "W") if half else (letter,)
    synchronizing = any(is_synchronizing(each, annotation.ordering) for each in halves)
    ordering, space = annotation.ordering, annotation.address_space
    tags = _effective(profile, annotation.tags, letter, ordering, synchronizing, space)
    return EventKind.of(
        letter,
        annotation,
        tags=tags,
        synchronizing_tags=tags if profile.synchronize == "compatible" else frozenset(),
        half=half,
        observed=letter in "RW",
        thread=thread,
        instances=place,
    )


def kinds_of(
    side: Side, kind: Kind, mark: Mark, space: int, *, compares: bool
) -> Iterator[tuple[tuple[int, int, bool], EventKind]]:
    """Give the kinds of all events that an operation may become, each with where it stands.

    Parameters
    ----------
    side : Side
    kind : Kind
    mark : Mark
    space : int
        The address space of what it accesses.
    compares : bool
        It may be a compare-and-exchange, and fail.

    Yields
    ------
    tuple
    """
    location = -1 if kind in (Kind.FENCE, Kind.BARRIER) else 0
    space = 0 if location < 0 else space
    translated = side.language is Language.TRANSLATED
    for circumstance, failed in product(range(CIRCUMSTANCES if translated else 1), (False, True)):
        if failed and not (compares and kind == Kind.UPDATE):
            continue
        fenced = becomes(side.language, kind, mark, space, location, circumstance, failed)
        own = letters(kind, failed=failed)
        for place, notes in ((-1, fenced.before), (1, fenced.after)):
            for note in notes:
                yield (circumstance, place, failed), event_kind(side.profile, "F", note)
        if fenced.own is not None:
            for letter in own:
                yield (circumstance, 0, failed), event_kind(side.profile, letter, fenced.own, half=len(own) > 1)
