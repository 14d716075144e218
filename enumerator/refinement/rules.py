"""What may be done by rule, without looking at executions (semantics, section 7: Reorder, Merge)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from enumerator.cat.selected import SelectedModel
from enumerator.clock import check_time
from enumerator.events import ANY, Kind
from enumerator.events.kind import is_synchronizing
from enumerator.frozen import dataclass
from enumerator.inspection.links import LinkKey, linked, why_not
from enumerator.mmra import Profile, combine
from enumerator.program.instructions import (
    Annotation,
    Barrier,
    CompareExchange,
    Fence,
    Load,
    Ordering,
    Read,
    ReadModifyWrite,
    Scope,
    Store,
    Tag,
)
from enumerator.program.lines import line_text
from enumerator.refinement.edit import Memory, kind_of, named
from enumerator.unfold.paths import Location

__all__ = ["Allowed", "exchange_rule", "join", "merge_rule", "merged_annotation", "stronger"]

_ACQUIRES = (Ordering.ACQUIRE, Ordering.ACQ_REL, Ordering.SEQ_CST)
_RELEASES = (Ordering.RELEASE, Ordering.ACQ_REL, Ordering.SEQ_CST)


@dataclass(frozen=True)
class Allowed:
    """What a rule says.

    Parameters
    ----------
    may : bool
    why : str
        The reason, in words.
    """

    may: bool
    why: str


# Exchange -----------------------------------------------------------------------------------------------------------


def exchange_rule(
    first: Memory,
    second: Memory,
    places: tuple[frozenset[Location], frozenset[Location]],
    depends: bool,
    model: SelectedModel,
    profile: Profile,
    others: Sequence[Memory] = (),
) -> Allowed:
    """Tell whether two adjacent operations of a thread may be exchanged by rule.

    Parameters
    ----------
    first, second : Load, Store, ReadModifyWrite, CompareExchange, Fence or Barrier
        In program order.
    places : tuple of frozenset of Location
        What each may access.
    depends : bool
        The second one depends on the first.
    model : SelectedModel
        A variant that keeps the order of a read and a later write forbids to exchange these.
    profile : Profile
        Says which tags are implied.
    others : sequence of Load, Store, ReadModifyWrite, CompareExchange, Fence or Barrier
        The other operations of the thread.

    Returns
    -------
    Allowed

    References
    ----------
    Semantics, section 7, *Reorder*, and what enumeration showed to be missing there:

    - two atomic reads (monotonic or stronger) of common bytes keep their order, too: by coherence the later does not
      read an older write;
    - an atomic read and a fence that acquires after it, and a fence that releases and an atomic write after it,
      synchronize by program order, whatever their tags, unless the profile asks for compatible ones;
    - where happens-before is closed transitively, it may pass from an operation before to the first and on to the
      second, with which it is not ordered directly: then the first orders the second, though it acquires nothing.

    Examples
    --------
    >>> from enumerator.cat.typing import select
    >>> from enumerator.mmra import load_profile, parse_tags
    >>> from enumerator.program.instructions import Constant
    >>> from enumerator.program.types import IntType, PointerType
    >>> from enumerator.program.values import Pointer
    >>> fence = Fence(Annotation(Ordering.ACQ_REL, tags=parse_tags("vulkan:nonprivate")))
    >>> private = Annotation(tags=parse_tags("vulkan:private"))
    >>> load = Load("r", Constant(Pointer("@x"), PointerType()), IntType(32), private)
    >>> exchange_rule(fence, load, (frozenset(), frozenset()), False, select("llvm"), load_profile("vulkan"))
    Allowed(may=True, why='tags vulkan:nonprivate vs :private incompatible')
    """
    if depends:
        return Allowed(False, "the second depends on the first")
    if not {"hb", "thin-air"} <= set(model.options):
        return Allowed(False, "the rule is for the models of LLVM's family")
    if (_writes(first) or _writes(second)) and _overlap(*places):
        return Allowed(False, "they may access the same memory, and one of them writes")
    if _overlap(*places) and all(_strongest(each) >= Ordering.MONOTONIC for each in (first, second)):
        return Allowed(False, "they may read the same memory, and coherence orders atomic reads of a location")
    if model.options.get("thin-air") == "rc11" and _reads(first) and _writes(second):
        return Allowed(False, "the axiom against values out of thin air keeps a read before a later write")
    unlinked = _unlinked(first, second, profile)
    if (unlinked is None or profile.synchronize == "always") and _synchronizes_beside(first, second):
        return Allowed(False, "together they synchronize with another thread")
    if unlinked is not None:
        return Allowed(True, unlinked)
    reason = _ordering_reason(first, second)
    if reason is None and model.options.get("hb") != "direct":
        reason = _passing(first, second, others, profile)
    return Allowed(reason is None, "neither orders the other" if reason is None else reason)


def _synchronizes_beside(first: Memory, second: Memory) -> bool:
    """Tell whether a fence and the access beside it are what synchronizes: program order relates them in ``sw``."""
    if isinstance(second, Fence) and second.annotation.ordering in _ACQUIRES:
        return _reads(first) and _strongest(first) >= Ordering.MONOTONIC
    if isinstance(first, Fence) and first.annotation.ordering in _RELEASES:
        return _writes(second) and _strongest(second) >= Ordering.MONOTONIC
    return False


def _passing(first: Memory, second: Memory, others: Sequence[Memory], profile: Profile) -> str | None:
    """Say between which operations happens-before passes through the two, and may not pass otherwise."""
    for other in others:
        check_time()
        if isinstance(other, Barrier):
            continue
        if _linked(other, first, profile) and not _linked(other, second, profile):
            return f"happens-before may pass from {_line(other)} through the first to the second"
        if _linked(second, other, profile) and not _linked(first, other, profile):
            return f"happens-before may pass from the first through the second to {_line(other)}"
    return None


def _line(operation: Memory) -> str:
    return f"the {named(operation)}" if operation.line is None else f"line {line_text(operation.line)}"


def _linked(first: Memory, second: Memory, profile: Profile) -> bool:
    """Tell whether some part of one operation is in ``po-hb`` with one of another."""
    ones, others = ([LinkKey(kind) for kind in _kinds(each, profile)] for each in (first, second))
    return any(linked(one, other) for one in ones for other in others)


def _ordering_reason(first: Memory, second: Memory) -> str | None:
    """Say why a pair that happens-before orders must keep its order."""
    if _acquires(first):
        return f"the {kind_of(first)} orders what is after it"
    if _releases(second):
        return f"the {kind_of(second)} orders what is before it"
    if all(_strongest(each) == Ordering.SEQ_CST for each in (first, second)):
        return "both are seq_cst"
    return None


def _unlinked(first: Memory, second: Memory, profile: Profile) -> str | None:
    """Say why no part of the first is in ``po-hb`` with one of the second; None if some is.

    A barrier is no memory operation, so happens-before does not order it; but it keeps its place.
    """
    if isinstance(first, Barrier) or isinstance(second, Barrier):
        return None
    if _linked(first, second, profile):
        return None
    one, other = (LinkKey(next(_kinds(each, profile))) for each in (first, second))
    return why_not(one, other)


def _kinds(operation: Memory, profile: Profile) -> Iterator[Kind]:
    """Give the kinds of the events of an operation, as if they were all of one thread."""
    note = operation.annotation
    strong = not isinstance(operation, Fence) and any(
        is_synchronizing("RW"[letter], ordering) for letter in (0, 1) for ordering in _orderings(operation)
    )
    for letter in _letters(operation):
        for ordering in _orderings(operation):
            synchronizing = strong or letter == "F"
            tags = profile.effective_tags(
                note.tags,
                kind=letter,
                ordering=ordering,
                synchronizing=synchronizing,
                address_space=note.address_space,
            )
            yield replace(
                Kind.of(
                    letter,
                    replace(note, ordering=ordering),
                    tags=tags,
                    thread=0,
                    half=len(_letters(operation)) > 1,
                    reached=ANY if note.address_space == 0 else None,
                ),
                instances=(0,) * len(Scope),
            )


def _letters(operation: Memory) -> str:
    if isinstance(operation, Fence):
        return "F"
    return ("R" if _reads(operation) else "") + ("W" if _writes(operation) else "")


def _orderings(operation: Memory) -> tuple[Ordering, ...]:
    note = operation.annotation.ordering
    return (note, operation.failure) if isinstance(operation, CompareExchange) else (note,)


def _strongest(operation: Memory) -> Ordering:
    return max(_orderings(operation))


def _reads(operation: Memory) -> bool:
    return isinstance(operation, Read)


def _writes(operation: Memory) -> bool:
    return isinstance(operation, Store | ReadModifyWrite | CompareExchange)


def _acquires(operation: Memory) -> bool:
    if isinstance(operation, Fence | Barrier):
        return True
    return _reads(operation) and any(ordering in _ACQUIRES for ordering in _orderings(operation))


def _releases(operation: Memory) -> bool:
    if isinstance(operation, Fence | Barrier):
        return True
    return _writes(operation) and any(ordering in _RELEASES for ordering in _orderings(operation))


def _overlap(one: Iterable[Location], other: Iterable[Location]) -> bool:
    return any(a.overlaps(b) for a in one for b in other)


# Merge --------------------------------------------------------------------------------------------------------------


def join(one: Ordering, other: Ordering) -> Ordering:
    """Give the weakest ordering that is at least as strong as both.

    Examples
    --------
    >>> join(Ordering.ACQUIRE, Ordering.RELEASE).name, join(Ordering.NA, Ordering.MONOTONIC).name
    ('ACQ_REL', 'MONOTONIC')
    """
    return Ordering.ACQ_REL if {one, other} == {Ordering.ACQUIRE, Ordering.RELEASE} else max(one, other)


def merged_annotation(one: Annotation, other: Annotation, kind: str, profile: Profile) -> Annotation:
    """Give what an operation says of itself that two are merged into: the join of the two.

    Tags that the profile implies are combined, too, and written out where leaving them out would imply others.

    Parameters
    ----------
    one, other : Annotation
    kind : {'F', 'R', 'W'}
    profile : Profile

    Returns
    -------
    Annotation

    Examples
    --------
    >>> from enumerator.mmra import load_profile, parse_tags
    >>> acquire = Annotation(Ordering.ACQUIRE, Scope.AGENT, tags=parse_tags("vulkan:private"))
    >>> merged = merged_annotation(acquire, Annotation(Ordering.RELEASE), "F", load_profile("vulkan"))
    >>> merged.ordering.name, merged.scope.name, sorted(map(str, merged.tags))
    ('ACQ_REL', 'SYSTEM', ['vulkan:nonprivate', 'vulkan:private'])
    """
    ordering, scope = join(one.ordering, other.ordering), max(one.scope, other.scope)
    if Ordering.NA in (one.ordering, other.ordering) and kind != "F":
        scope = one.scope if other.ordering == Ordering.NA else other.scope
        scope = Scope.SYSTEM if ordering == Ordering.NA else scope
    effective = [_effective(note, note.ordering, kind, profile) for note in (one, other)]
    tags = combine(one.tags, other.tags)
    result = replace(
        one,
        ordering=ordering,
        scope=scope,
        one_as=one.one_as and other.one_as,
        tags=tags,
        thread_private=one.thread_private and other.thread_private,
        volatile=one.volatile or other.volatile,
    )
    wanted = combine(*effective)
    if _effective(result, ordering, kind, profile) != wanted:
        result = replace(result, tags=wanted)
    return result


def _effective(note: Annotation, ordering: Ordering, kind: str, profile: Profile) -> frozenset[Tag]:
    return profile.effective_tags(
        note.tags,
        kind=kind,
        ordering=ordering,
        synchronizing=is_synchronizing(kind, ordering),
        address_space=note.address_space,
    )


def stronger(one: Annotation, other: Annotation, kind: str, profile: Profile) -> bool:
    """Tell whether an operation with one annotation is at least as strong as with another: order, scope and tags.

    Parameters
    ----------
    one, other : Annotation
    kind : {'F', 'R', 'W'}
    profile : Profile

    Returns
    -------
    bool

    Examples
    --------
    >>> from enumerator.mmra import load_profile, parse_tags
    >>> both = Annotation(Ordering.ACQ_REL, tags=parse_tags("foo:x,foo:y"))
    >>> stronger(both, Annotation(Ordering.ACQUIRE, tags=parse_tags("foo:x")), "F", load_profile("generic"))
    True
    """
    if join(one.ordering, other.ordering) != one.ordering:
        return False
    if other.ordering != Ordering.NA and one.scope < other.scope:
        return False
    if (one.one_as and not other.one_as) or (one.thread_private and not other.thread_private):
        return False
    mine, theirs = (_effective(note, note.ordering, kind, profile) for note in (one, other))
    # A prefix restricts what is ordered: each of mine is also theirs, and with all of their suffixes.
    return all(
        any(tag.prefix == prefix for tag in theirs) and {tag for tag in theirs if tag.prefix == prefix} <= mine
        for prefix in {tag.prefix for tag in mine}
    )


def merge_rule(first: Memory, second: Memory) -> Allowed:
    """Tell whether two adjacent operations may become one by rule.

    Parameters
    ----------
    first, second : Load, Store, ReadModifyWrite, CompareExchange, Fence or Barrier

    Returns
    -------
    Allowed

    Examples
    --------
    >>> fence = Fence(Annotation(Ordering.ACQUIRE))
    >>> merge_rule(fence, fence).may
    True
    """
    if type(first) is not type(second) or not isinstance(first, Fence | Load | Store):
        return Allowed(False, "only two fences, two loads or two stores become one")
    if isinstance(first, Fence):
        return Allowed(True, "two fences")
    assert isinstance(second, Load | Store)
    if first.annotation.volatile or second.annotation.volatile:
        return Allowed(False, "a volatile access stays")
    if first.address != second.address or first.type != second.type:
        # Where one address is computed otherwise, and from a value that may be undef, that access alone is undefined.
        return Allowed(False, "they do not access the same memory by the same address and type")
    if first.annotation.labels != second.annotation.labels:
        return Allowed(False, "they are different kinds of accesses")
    return Allowed(True, f"two {kind_of(first)}s of the same memory")
