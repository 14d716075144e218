"""Which operations of a thread happens-before orders: compatible tags, and the cut of thread-private accesses.

``po-hb = (po & mmra) \\ tp-cut`` (semantics, sections 3 and 5; LLVM MMRA document, "Ordering").
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

from enumerator.inspection.findings import AccessClass
from enumerator.inspection.flow import bits, components, predecessors
from enumerator.inspection.operations import Function, Kind, Operation
from enumerator.mmra import compatible, conflicting_prefixes
from enumerator.program.instructions import Tag

__all__ = ["Between", "LinkKey", "Reach", "linked", "why_not"]

#: Machine words that following chains may touch; a function that needs more is too large for it.
MOST_WORK = 2_000_000_000

_Event = tuple[int, int, int, bool]
"""Of an operation: its number, its key, its number as an access (-1 for neither), and whether it synchronizes."""


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
        blocks: list[list[_Event]] = []
        key_numbers = {key: number for number, key in enumerate(keys)}
        number = bit = 0
        for block in function.blocks:
            events = []
            for operation in block.operations:
                key = key_numbers[LinkKey.of(operation)] if _links(operation) else -1
                events.append((number, key, bit if operation.shared else -1, operation.synchronizing))
                number += 1
                bit += operation.shared
            blocks.append(events)
        successors = [block.successors for block in function.blocks]
        chains = _Chains(keys, [[other for other, to in enumerate(keys) if linked(key, to)] for key in keys])
        return cls(
            chains.follow(blocks, successors),
            chains.follow([events[::-1] for events in blocks], predecessors(function)),
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


@dataclass(frozen=True)
class _Chains:
    """Follows chains along the paths: for each key, the accesses that are linked to an operation of it so far."""

    keys: Sequence[LinkKey]
    links: Sequence[Sequence[int]]

    def follow(self, blocks: Sequence[Sequence[_Event]], successors: Sequence[Sequence[int]]) -> dict[int, Reach]:
        """Give what is linked before each synchronizing operation, by its number."""
        found: dict[int, Reach] = {}
        found_in = components(successors)[::-1]
        of_block = {block: number for number, part in enumerate(found_in) for block in part}
        starts: dict[int, list[int]] = {}
        for number, part in enumerate(found_in):
            state = starts.pop(number, [0] * len(self.keys))
            if len(part) > 1 or part[0] in successors[part[0]]:
                state = self._loop([event for block in part for event in blocks[block]], state, found)
            else:
                state = self._straight(blocks[part[0]], state, found)
            for near in {of_block[successor] for block in part for successor in successors[block]} - {number}:
                there = starts.get(near)
                starts[near] = state if there is None else [a | b for a, b in zip(there, state, strict=True)]
        return found

    def _straight(self, events: Sequence[_Event], state: Sequence[int], found: dict[int, Reach]) -> list[int]:
        state = list(state)
        for number, key, bit, wanted in events:
            if wanted:
                found[number] = Reach(self.keys, tuple(state))
            if key < 0:
                continue
            reached = 1 << bit if bit >= 0 else 0
            for other in self.links[key]:
                reached |= state[other]
            state[key] |= reached
        return state

    def _loop(self, events: Sequence[_Event], state: Sequence[int], found: dict[int, Reach]) -> list[int]:
        """All of a loop reaches all of it, as often as it takes: what is linked is the same everywhere in it."""
        state = list(state)
        size = max((bit for _, _, bit, _ in events), default=-1) + 1
        present = {key for _, key, _, _ in events if key >= 0}
        for key in present:
            state[key] |= bits([bit for _, each, bit, _ in events if each == key and bit >= 0], size)
        changed = True
        while changed:
            changed = False
            for key in present:
                reached = state[key]
                for other in self.links[key]:
                    reached |= state[other]
                changed |= reached != state[key]
                state[key] = reached
        reach = Reach(self.keys, tuple(state))
        found.update((number, reach) for number, _, _, wanted in events if wanted)
        return state
