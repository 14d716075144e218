"""Which operations of a thread happens-before orders: compatible tags, and the cut of thread-private accesses.

``po-hb = (po & mmra) \\ tp-cut`` (semantics, sections 3 and 5; LLVM MMRA document, "Ordering").
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

from enumerator.inspection.findings import AccessClass
from enumerator.inspection.flow import predecessors, reverse_postorder
from enumerator.inspection.operations import Function, Kind, Operation
from enumerator.mmra import compatible, conflicting_prefixes
from enumerator.program.instructions import Tag

__all__ = ["Between", "LinkKey", "Reach", "linked", "why_not"]

#: Machine words that following chains may touch; a function that needs more is too large for it.
MOST_WORK = 2_000_000_000


@dataclass(frozen=True, slots=True)
class LinkKey:
    """All of an operation that decides with which others program order is happens-before.

    Parameters
    ----------
    tags : frozenset of Tag
        Effective ones.
    thread_private : bool
    synchronizing : bool
        Except fences of a single thread, which order thread-private accesses, too.
    """

    tags: frozenset[Tag]
    thread_private: bool = False
    synchronizing: bool = False

    @classmethod
    def of(cls, operation: Operation | AccessClass) -> LinkKey:
        """Give the key of an operation or of a class of accesses."""
        alone = operation.kind is Kind.FENCE and operation.scope.single_thread
        private = operation.thread_private and operation.kind is not Kind.FENCE
        return cls(operation.effective, private, operation.synchronizing and not alone)


_compatible = cache(compatible)


@cache
def linked(one: LinkKey, other: LinkKey) -> bool:
    """Tell whether program order between two operations is happens-before.

    Examples
    --------
    >>> from enumerator.mmra import parse_tags
    >>> x, y, none = (LinkKey(parse_tags(tags)) for tags in ("a:x", "a:y", ""))
    >>> linked(x, y), linked(none, y)
    (False, True)
    """
    return not _cut(one, other) and _compatible(one.tags, other.tags)


def _cut(one: LinkKey, other: LinkKey) -> bool:
    return (one.thread_private and other.synchronizing) or (one.synchronizing and other.thread_private)


def why_not(access: LinkKey, operation: LinkKey) -> str:
    """Say why an access is not ordered with a synchronizing operation.

    Examples
    --------
    >>> from enumerator.mmra import parse_tags
    >>> why_not(LinkKey(parse_tags("as:global")), LinkKey(parse_tags("as:local")))
    'tags as:global vs :local incompatible'
    """
    reasons = []
    if _cut(access, operation):
        reasons.append("thread-private accesses are not ordered with synchronizing operations of their thread")
    for prefix in conflicting_prefixes(access.tags, operation.tags):
        here, there = (
            ",".join(tag.suffix for tag in sorted(tags) if tag.prefix == prefix)
            for tags in (access.tags, operation.tags)
        )
        reasons.append(f"tags {prefix}:{here} vs :{there} incompatible")
    return "; ".join(reasons)


@dataclass
class Reach:
    """What is linked, by a chain of operations in between, to an operation of each key: sets of accesses."""

    keys: Sequence[LinkKey]
    sets: Sequence[int]

    def to(self, key: LinkKey) -> int:
        """Give the accesses that are linked to an operation of a key that comes next, by a chain."""
        found = 0
        for each, accesses in zip(self.keys, self.sets, strict=True):
            if linked(each, key):
                found |= accesses
        return found

    def touched(self, accesses: int) -> list[LinkKey]:
        """Give the keys of the operations that some accesses are linked to."""
        return [key for key, each in zip(self.keys, self.sets, strict=True) if each & accesses]


@dataclass
class Between:
    """Chains of operations in between, which order what is not compatible (happens-before is a closure).

    Parameters
    ----------
    before, after : dict of int to Reach
        For each synchronizing operation, by its number among all operations of the function.
    complete : bool
        False if the function is too large for it; then the others are empty.
    """

    before: dict[int, Reach] = field(default_factory=dict)
    after: dict[int, Reach] = field(default_factory=dict)
    complete: bool = True

    @classmethod
    def of(cls, function: Function) -> Between | None:
        """Follow the chains of a function.

        Returns
        -------
        Between or None
            None if chains order nothing that is not ordered directly.
        """
        operations = function.operations
        keys = list(dict.fromkeys(LinkKey.of(each) for each in operations if _links(each)))
        if not _chains_matter(keys):
            return None
        accesses = sum(operation.shared for operation in operations)
        work = len(operations) * len(keys) * (accesses // 64 + 1)
        if work > MOST_WORK:
            return cls(complete=False)
        blocks: list[list[tuple[int, int, int]]] = []  # number, key, bit of the access (or -1)
        key_numbers = {key: number for number, key in enumerate(keys)}
        number = bit = 0
        for block in function.blocks:
            events = []
            for operation in block.operations:
                key = key_numbers[LinkKey.of(operation)] if _links(operation) else -1
                events.append((number, key, bit if operation.shared else -1))
                number += 1
                bit += operation.shared
            blocks.append(events)
        wanted = {number for number, operation in enumerate(operations) if operation.synchronizing}
        links = [[other for other, there in enumerate(keys) if linked(here, there)] for here in keys]
        successors = [block.successors for block in function.blocks]
        before = predecessors(function)
        return cls(
            _follow(blocks, successors, before, keys, links, wanted),
            _follow([events[::-1] for events in blocks], before, successors, keys, links, wanted),
        )


def _links(operation: Operation) -> bool:
    """Tell whether an operation may stand in a chain; what is in a call is not known."""
    return operation.kind in (Kind.FENCE, Kind.BARRIER) or (operation.kind is Kind.ACCESS and operation.shared)


def _chains_matter(keys: Sequence[LinkKey]) -> bool:
    """Tell whether some keys are linked through others, but not themselves."""
    waiting = set(keys)
    while waiting:
        component = [waiting.pop()]
        for key in component:
            near = {other for other in waiting if linked(key, other)}
            component.extend(near)
            waiting -= near
        if any(not linked(one, other) for one in component for other in component):
            return True
    return False


def _follow(
    blocks: Sequence[Sequence[tuple[int, int, int]]],
    successors: Sequence[Sequence[int]],
    before: Sequence[Sequence[int]],
    keys: Sequence[LinkKey],
    links: Sequence[Sequence[int]],
    wanted: set[int],
) -> dict[int, Reach]:
    """Follow chains forwards over the paths: for each key, the accesses linked to an operation of it so far."""
    order = reverse_postorder(successors)
    ends: list[list[int] | None] = [None] * len(blocks)
    found: dict[int, Reach] = {}
    dirty = set(order)
    while dirty:
        for block in order:
            if block not in dirty:
                continue
            dirty.discard(block)
            state = [0] * len(keys)
            for each in before[block]:
                end = ends[each]
                if end is not None:
                    state = [one | other for one, other in zip(state, end, strict=True)]
            for number, key, bit in blocks[block]:
                if number in wanted:
                    found[number] = Reach(keys, tuple(state))
                if key < 0:
                    continue
                reached = 1 << bit if bit >= 0 else 0
                for other in links[key]:
                    reached |= state[other]
                state[key] |= reached
            if state != ends[block]:
                ends[block] = state
                dirty.update(successors[block])
    return found
