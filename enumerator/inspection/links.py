"""Which operations of a thread are ordered by happens-before: the models' relation ``po-hb``, for two operations.

The definition in ``models/parts/happens-before.cat`` is evaluated on the two operations (semantics, sections 3 and 5;
LLVM MMRA document, "Ordering").
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field, replace
from functools import cache

from enumerator.cat.algebra import relation
from enumerator.cat.evaluation import Events
from enumerator.cat.flatten import flatten
from enumerator.cat.interpreter import evaluate
from enumerator.cat.parser import parse_expression
from enumerator.cat.predefined import formula
from enumerator.cat.syntax import Let, Model
from enumerator.cat.tree import variables
from enumerator.cat.typing import select
from enumerator.events import ANY, RELATIONS, Event, names_of, related
from enumerator.events import Kind as EventKind
from enumerator.frozen import dataclass
from enumerator.graphs import components
from enumerator.inspection.flow import bits, predecessors
from enumerator.inspection.operations import Function, Kind, Operation, Space
from enumerator.mmra import conflicting_prefixes
from enumerator.program.instructions import Annotation, Ordering, Scope, Tag
from enumerator.unfold.paths import PathEvent

__all__ = ["Between", "LinkKey", "Reach", "linked", "merged", "why_not"]

#: How many machine words the search for chains may touch; a function that needs more is too large.
MOST_WORK = 2_000_000_000

_Event = tuple[int, int, int, bool]
"""For an operation: its number, its key, its number as an access (-1 for none), and whether it synchronizes."""

_REASONS = {
    "tp-cut": "thread-private accesses are not ordered with synchronizing operations of their thread",
    "one-as-cut": "an atomic access with a -one-as scope is not ordered with accesses of other address spaces",
}
"""Why a pair of events with compatible tags is not in ``po-hb``, by the definition that excludes it."""


@dataclass(frozen=True, eq=False, slots=True)
class LinkKey:
    """What a model sees of an operation. Equal keys are one object.

    Parameters
    ----------
    event : enumerator.events.Kind
    """

    event: EventKind

    @classmethod
    def of(cls, operation: Operation) -> LinkKey:
        """Give the key of an access, fence or barrier; that of a read-modify-write is the key of its write."""
        return _key(
            operation.kind,
            operation.writes,
            max(operation.ordering, operation.failure),
            operation.scope.rank,
            operation.scope.one_as,
            operation.effective,
            operation.thread_private,
            operation.address_space or 0,
            None if operation.address_space else _REACHED.get(operation.space),
        )

    @property
    def tags(self) -> frozenset[Tag]:
        """The effective tags."""
        return self.event.tags


_REACHED = {Space.FLAT: ANY, Space.ANY: ANY, Space.GLOBAL: 1, Space.LOCAL: 3, Space.PRIVATE: 5}
"""The address space of the memory that an access by a flat address goes to, where that is seen."""


@cache
def _key(
    kind: Kind,
    writes: bool,
    ordering: Ordering,
    rank: int | None,
    one_as: bool,
    tags: frozenset[Tag],
    thread_private: bool,
    address_space: int,
    reached: int | None,
) -> LinkKey:
    return LinkKey(
        EventKind(
            {Kind.FENCE: "F", Kind.BARRIER: "B"}.get(kind, "W" if writes else "R"),
            ordering,
            Scope.SYSTEM if rank is None else Scope(rank),
            one_as,
            tags,
            thread_private=thread_private,
            address_space=address_space,
            reached=reached,
            thread=0,
            instances=(0,) * len(Scope),
        )
    )


@cache
def linked(one: LinkKey, other: LinkKey) -> bool:
    """Tell whether ``po-hb`` holds between two operations in program order.

    Examples
    --------
    >>> from enumerator.mmra import parse_tags
    >>> x, y, none = (LinkKey(EventKind("W", tags=parse_tags(tags), thread=0)) for tags in ("a:x", "a:y", ""))
    >>> linked(x, y), linked(none, y)
    (False, True)
    """
    return "po-hb" in _relations_of(one, other)


def merged(keys: Iterable[LinkKey]) -> dict[LinkKey, LinkKey]:
    """Give for each key its representative: the first key with the same tags and the same links to all keys."""
    every = list(dict.fromkeys(keys))
    first: dict[object, LinkKey] = {}
    found = {}
    for key in every:
        near = tuple((linked(key, other), linked(other, key)) for other in every)
        found[key] = first.setdefault((key.tags, near), key)
    return found


def why_not(access: LinkKey, operation: LinkKey) -> str:
    """Explain why an access is not ordered with a synchronizing operation.

    Examples
    --------
    >>> from enumerator.mmra import parse_tags
    >>> one, other = (LinkKey(EventKind("W", tags=parse_tags(tags), thread=0)) for tags in ("as:global", "as:local"))
    >>> why_not(one, other)
    'tags as:global vs :local incompatible'
    """
    cuts = _relations_of(access, operation)
    reasons = [reason for name, reason in _REASONS.items() if name in cuts]
    for prefix in conflicting_prefixes(access.tags, operation.tags):
        here, there = (
            ",".join(tag.suffix for tag in sorted(tags) if tag.prefix == prefix)
            for tags in (access.tags, operation.tags)
        )
        reasons.append(f"tags {prefix}:{here} vs :{there} incompatible")
    return "; ".join(reasons) or "the model's po-hb leaves them out"


# The definition in the models -----------------------------------------------------------------------------------


@cache
def _definition() -> tuple[Model, frozenset[str], frozenset[str]]:
    """Give a model that defines only ``po-hb``, the names that it defines, and the predefined names that it uses."""
    model = select("llvm").model
    bindings = {
        binding.names[0]: (binding, statement)
        for statement in flatten(model, frozenset())
        if isinstance(statement, Let)
        for binding in statement.bindings
    }
    waiting, names = ["po-hb"], set[str]()
    while waiting:
        name = waiting.pop()
        if name not in names:
            names.add(name)
            if name in bindings:
                waiting += variables(bindings[name][0].body)
            elif (text := formula(name)) is not None:
                waiting += variables(parse_expression(text, "<predefined>"))
    needed = dict.fromkeys(id(statement) for name, (_, statement) in bindings.items() if name in names)
    statements = tuple(each for each in flatten(model, frozenset()) if id(each) in needed)
    defined = frozenset(name for name in names if name in bindings)
    return replace(model, statements=statements), defined, frozenset(names) - defined


def _relations_of(one: LinkKey, other: LinkKey) -> frozenset[str]:
    """Name the relations of the definition that hold from the first operation to the second."""
    events = [
        Event(number, 0, number, key.event, PathEvent(key.event.letter, Annotation(), number))
        for number, key in enumerate((one, other))
    ]
    _, _, predefined = _definition()
    return _evaluated(
        tuple(names_of(event.of) & predefined for event in events),
        tuple(
            (name, tuple((a.number, b.number) for a in events for b in events if related(RELATIONS[name], a, b)))
            for name in sorted(predefined & RELATIONS.keys())
        ),
    )


@cache
def _evaluated(
    sets: tuple[frozenset[str], ...], relations: tuple[tuple[str, tuple[tuple[int, int], ...]], ...]
) -> frozenset[str]:
    """Evaluate the definition on two events."""
    model, defined, _ = _definition()
    members = {
        name: frozenset(number for number, held in enumerate(sets) if name in held) for name in frozenset().union(*sets)
    }
    pairs = {"co": (), **dict(relations)}
    world = Events((0, 1), members, {name: relation((0, 1), edges) for name, edges in pairs.items()})
    names = evaluate(model, frozenset(), world).names
    return frozenset(
        name for name in defined if not isinstance(value := names[name], frozenset) and value.has_edge(0, 1)
    )


# Chains ---------------------------------------------------------------------------------------------------------


@dataclass
class Reach:
    """For each key, the set of accesses that are linked, by a chain of operations, to an operation with that key."""

    keys: Sequence[LinkKey]
    sets: Sequence[int]

    def to(self, key: LinkKey) -> int:
        """Give the accesses that are linked by a chain to a next operation with a key."""
        found = 0
        for each, accesses in zip(self.keys, self.sets, strict=True):
            if linked(each, key):
                found |= accesses
        return found

    def touched(self, accesses: int) -> list[LinkKey]:
        """Give the keys of the operations that any of some accesses is linked to."""
        return [key for key, each in zip(self.keys, self.sets, strict=True) if each & accesses]


@dataclass
class Between:
    """Chains of operations: as happens-before is transitive, they may order accesses with incompatible tags.

    Parameters
    ----------
    before, after : dict of int to Reach
        For each synchronizing operation, by its number among all operations of the function.
    complete : bool
        False if the function is too large; the other members are then empty.
    """

    before: dict[int, Reach] = field(default_factory=dict)
    after: dict[int, Reach] = field(default_factory=dict)
    complete: bool = True

    @classmethod
    def of(cls, function: Function) -> Between | None:
        """Find the chains of a function.

        Returns
        -------
        Between or None
            None if chains order nothing that is not ordered directly.
        """
        operations = function.operations
        representative = merged(LinkKey.of(each) for each in operations if each.in_order)
        keys = list(dict.fromkeys(representative[LinkKey.of(each)] for each in operations if _links(each)))
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
                key = key_numbers[representative[LinkKey.of(operation)]] if _links(operation) else -1
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
    """Tell whether an operation may be part of a chain: no call (its accesses are unknown), no asynchronous one."""
    return operation.in_order and (operation.kind is not Kind.ACCESS or operation.shared)


def _chains_matter(keys: Sequence[LinkKey]) -> bool:
    """Tell whether some keys are linked through others, but not directly."""
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
    """A dataflow analysis: for each key, the accesses that are linked to an operation with that key so far."""

    keys: Sequence[LinkKey]
    links: Sequence[Sequence[int]]

    def follow(self, blocks: Sequence[Sequence[_Event]], successors: Sequence[Sequence[int]]) -> dict[int, Reach]:
        """Give the links before each synchronizing operation, by its number."""
        found: dict[int, Reach] = {}
        found_in = components(dict(enumerate(successors)))[::-1]
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
        """Handle a loop: each operation in it reaches all others, so the links are the same everywhere in the loop."""
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
