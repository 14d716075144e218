"""Relations that a class of each event decides: what only some languages have, laid out for the kernels."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from enumerator.program.test import Test
from enumerator.unfold.paths import PathEvent

__all__ = ["CLASS_RELATIONS", "classify_events", "empty_classes"]

CLASS_RELATIONS = ("ssw", "vloc", "syncbar")
"""Their names, in the order of their numbers. They are defined in :mod:`enumerator.cat.predefined`."""

_INITIAL, _OTHER = 0, 1  # classes of initial writes, and of events that are in no pair


def classify_events(test: Test, events: Sequence[tuple[int, PathEvent]]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Put events into classes, for each relation, and say which classes are related.

    Parameters
    ----------
    test : Test
    events : sequence of (int, PathEvent)
        Threads by number, and their events.

    Returns
    -------
    classes : array, (relations, events)
    pairs : array, (relations, classes, classes)
        Class 0 is that of initial writes.
    """
    threads = {thread.name: number for number, thread in enumerate(test.threads)}
    references: dict[str, int] = {}
    barriers: dict[tuple[tuple[int, int], bool], int] = {}
    classes = np.full((len(CLASS_RELATIONS), max(1, len(events))), _OTHER, dtype=np.int64)
    for number, (thread, event) in enumerate(events):
        classes[0, number] = 2 + thread
        if event.location is not None:
            classes[1, number] = 2 + references.setdefault(event.annotation.reference, len(references))
        if event.barrier is not None:
            classes[2, number] = 2 + barriers.setdefault((event.barrier, event.completes), len(barriers))
    most = 2 + max(len(threads), len(references), len(barriers))
    pairs = np.zeros((len(CLASS_RELATIONS), most, most), dtype=np.bool_)
    for first, second in test.synchronized:
        pairs[0, 2 + threads[first], 2 + threads[second]] = True
    accesses = [_INITIAL, *(2 + number for number in references.values())]
    for each in accesses:
        pairs[1, each, each] = pairs[1, each, _INITIAL] = pairs[1, _INITIAL, each] = True
    for (barrier, completes), number in barriers.items():
        for completed in (False, True):
            if completes and (barrier, completed) in barriers:
                pairs[2, 2 + number, 2 + barriers[barrier, completed]] = True
    return classes, pairs


def empty_classes(pairs: NDArray[np.bool_]) -> frozenset[str]:
    """Name those of the relations that have no pair."""
    return frozenset(name for name, related in zip(CLASS_RELATIONS, pairs, strict=True) if not related.any())
