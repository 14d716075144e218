"""What came out of the runs of a store, one after the other, and what changed between them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import field

from enumerator.corpus.runs import Outline, Run, Runs
from enumerator.frozen import dataclass

__all__ = ["Change", "Chapter", "history"]


@dataclass(frozen=True, slots=True)
class Change:
    """A result that is another one than before; None where a run has none."""

    path: str
    under: str
    before: str | None
    now: str | None


@dataclass(frozen=True, slots=True)
class Chapter:
    """A run, and what changed since the one before it.

    Parameters
    ----------
    run : Run
    before : int or None
        The number of the last run of the same paths before it.
    states : mapping of str to int
        How many results are as expected, different and so on.
    changes : tuple of Change
    """

    run: Run
    before: int | None
    states: Counter[str] = field(default_factory=Counter)
    changes: tuple[Change, ...] = ()


def history(store: Runs, last: int | None = None) -> Iterator[Chapter]:
    """Tell what came out of each run.

    Parameters
    ----------
    store : Runs
    last : int, optional
        Only the last so many.

    Yields
    ------
    Chapter
        The oldest first; runs that were not done, and that another one went on with, aside. Only what changed is kept
        in memory.
    """
    runs = store.runs()
    continued = {run.continues for run in runs}
    runs = [run for run in runs if run.id not in continued and (run.results or run.ended is not None)]
    before: dict[tuple[str, ...], int] = {}
    chapters: list[tuple[Run, int | None]] = []
    for run in runs:
        chapters.append((run, before.get(run.paths)))
        before[run.paths] = run.id
    for run, earlier in chapters[-last:] if last is not None else chapters:
        states: Counter[str] = Counter()
        changes = tuple(_changes(store, earlier, run.id, states))
        yield Chapter(run, earlier, states, changes)


def _changes(store: Runs, before: int | None, now: int, states: Counter[str]) -> Iterator[Change]:
    """Go through two runs side by side, and count the states of the second."""
    old = store.outlines(before) if before is not None else iter(())
    one = next(old, None)
    for each in store.outlines(now):
        states[each.state] += 1
        while one is not None and one.key < each.key:
            yield Change(one.path, one.under, one.outcome, None)
            one = next(old, None)
        if one is not None and one.key == each.key:
            if _said(one) != _said(each):
                yield Change(each.path, each.under, _said(one), _said(each))
            one = next(old, None)
        elif before is not None:
            yield Change(each.path, each.under, None, each.outcome)
    while one is not None:
        yield Change(one.path, one.under, one.outcome, None)
        one = next(old, None)


def _said(outline: Outline) -> str:
    return "unknown" if outline.state == "unknown" else outline.outcome
