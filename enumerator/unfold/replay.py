"""A thread is run again with given values for its reads."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import replace

from enumerator.program.types import BytesType
from enumerator.program.values import Value
from enumerator.unfold.machine import paths_of
from enumerator.unfold.paths import Path
from enumerator.unfold.slots import SlotEscapes
from enumerator.unfold.unfolder import Unfolded, prepare

__all__ = ["replayed"]


def replayed(
    unfolded: Unfolded,
    thread: int,
    path: Path,
    returned: Mapping[int, Value],
    *,
    unroll: int | None,
    asked: Set[str] | None,
) -> list[Path]:
    """Run a thread again where its reads return other values than those of a path, as far as it does the same.

    Parameters
    ----------
    unfolded : Unfolded
        Which the path is one of.
    thread : int
        Its number.
    path : Path
    returned : mapping of int to Value
        What the reads of the path return now, by event index.
    unroll, asked :
        With which the test was unfolded.

    Returns
    -------
    list of Path
        Those that do not begin otherwise than the path, and do not go on beyond it. There may be several, as ``freeze``
        and compare-exchanges go on from undef in several ways.
    """
    test = unfolded.test
    shared = prepare(test, unroll=unroll, asked=asked)
    shared.raced |= unfolded.raced
    shared.objects.update(unfolded.objects)
    shared.heap |= unfolded.heap
    for cell, type_ in unfolded.types.items():
        shared.layout.cells(cell, type_ or BytesType(cell.size))
    made = test.threads[thread]
    ways = [replace(made, function=name) for name in made.alternatives] or [made]
    while True:
        shared.locks.begin()
        try:
            found = [each for way in ways for each in paths_of(way, shared, returned)]
        except SlotEscapes:
            continue
        return [each for each in found if _begins(path, each)]


def _begins(path: Path, other: Path) -> bool:
    """Tell whether a path does what another one does first."""
    if len(other.events) > len(path.events):
        return False
    pairs = zip(path.events, other.events, strict=False)
    return all((one.kind, one.location) == (two.kind, two.location) for one, two in pairs)
