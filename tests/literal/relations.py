"""Relations as plain sets of pairs, with the operators of the notation."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["Pairs", "acyclic", "closure", "compose", "identity", "inverse", "irreflexive", "optional", "product"]

Pairs = frozenset[tuple[int, int]]


def compose(*relations: Pairs) -> Pairs:
    """``r ; s ; ...``"""
    result = relations[0]
    for relation in relations[1:]:
        successors = _successors(relation)
        result = frozenset((a, c) for a, b in result for c in successors.get(b, ()))
    return result


def closure(relation: Pairs) -> Pairs:
    """``r+``"""
    successors = _successors(relation)
    pairs: set[tuple[int, int]] = set()
    for start in successors:
        todo = list(successors[start])
        seen = set(todo)
        while todo:
            for after in successors.get(todo.pop(), ()):
                if after not in seen:
                    seen.add(after)
                    todo.append(after)
        pairs.update((start, end) for end in seen)
    return frozenset(pairs)


def optional(relation: Pairs, events: Iterable[int]) -> Pairs:
    """``r?``"""
    return relation | identity(events)


def identity(events: Iterable[int]) -> Pairs:
    """``[S]``"""
    return frozenset((event, event) for event in events)


def inverse(relation: Pairs) -> Pairs:
    """``r^-1``"""
    return frozenset((b, a) for a, b in relation)


def product(left: Iterable[int], right: Iterable[int]) -> Pairs:
    """``S * T``"""
    second = tuple(right)
    return frozenset((a, b) for a in left for b in second)


def irreflexive(relation: Pairs) -> bool:
    return all(a != b for a, b in relation)


def acyclic(relation: Pairs) -> bool:
    return irreflexive(closure(relation))


def _successors(relation: Pairs) -> dict[int, list[int]]:
    successors: dict[int, list[int]] = {}
    for a, b in relation:
        successors.setdefault(a, []).append(b)
    return successors
