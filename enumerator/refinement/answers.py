"""Answers to what the weakest annotations are: what changes in the test, what that costs, and how it is told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from enumerator.frozen import dataclass
from enumerator.program.instructions import Barrier, Fence, Ordering
from enumerator.program.lines import InlinedLine, line_text
from enumerator.program.test import Test
from enumerator.refinement.edit import Memory, Place, kind_of, named, operations_of
from enumerator.refinement.exchanges import caller_of
from enumerator.refinement.lattice import Point
from enumerator.refinement.points import Choices, Gap, anchor
from enumerator.refinement.witness import spelt

__all__ = ["Answer", "Change", "Weakest", "answer_at", "by_cost", "by_edits"]

Cost = tuple[int, int, int, int]


@dataclass(frozen=True)
class Change:
    """What one operation becomes.

    Parameters
    ----------
    place : Place or Gap
    before, after : Load, Store, ReadModifyWrite, CompareExchange, Fence or None
        None where there is no fence.
    line : int or None
        Of the operation; of a gap, that of the operation behind it.
    beside : Load, Store, ReadModifyWrite, CompareExchange, Fence, Barrier or None
        The operation itself, or the one behind a gap.
    copies : tuple of int
        Where it stands for the same change of all copies of a line whose function was inlined several times: the lines
        from which that is called.
    """

    place: Place | Gap
    before: Memory | None
    after: Memory | None
    line: int | None
    beside: Memory | None = None
    copies: tuple[int, ...] = ()

    @property
    def function(self) -> str:
        """Where it is."""
        return caller_of(anchor(self.place).function)

    def as_json(self) -> dict[str, Any]:
        """Give the change as JSON holds it."""
        return {
            "function": self.function,
            "line": self.line,
            **({"called_from": list(self.line.called_from)} if isinstance(self.line, InlinedLine) else {}),
            "inserted": isinstance(self.place, Gap),
            "before": None if self.before is None else f"{kind_of(self.before)} {spelt(self.before)}",
            "after": None if self.after is None else f"{kind_of(self.after)} {spelt(self.after)}",
        }

    def __str__(self) -> str:
        line = "" if self.line is None else line_text(self.line)
        if self.copies and self.line is not None:
            several = "both" if len(self.copies) == 2 else f"all {len(self.copies)}"
            line = f"{int(self.line)} ({several} copies, called from {_listed(self.copies)})"
        if isinstance(self.place, Gap):
            assert self.after is not None
            before = f"line {line}" if self.line is not None or self.beside is None else f"the {named(self.beside)}"
            return f"{self.function} before {before}: fence {spelt(self.after)}"
        assert self.before is not None
        after = "gone" if self.after is None else spelt(self.after)
        if self.line is None:
            return f"{self.function}: {named(self.before)}: {spelt(self.before)} -> {after}"
        return f"{self.function} line {line}: {kind_of(self.before)} {spelt(self.before)} -> {after}"


@dataclass(frozen=True)
class Answer:
    """One of the weakest choices of annotations.

    Parameters
    ----------
    test : Test
        With these annotations, in memory; :func:`enumerator.refinement.rewrite.rewritten` writes it.
    changes : tuple of Change
        What differs from the test that was given.
    cost : tuple of int
        Fences and synchronizing accesses; how strong their orderings are; how large their scopes; the number of tags.
    operations : dict
        What stands in each place that may vary.
    edits : tuple of Change
        The same changes as they are made in the source: one for all copies of a line whose function was inlined
        several times, where all of them change alike.
    """

    test: Test
    changes: tuple[Change, ...]
    cost: Cost
    operations: dict[Place | Gap, Memory | None]
    edits: tuple[Change, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Give the answer as JSON holds it."""
        return {"changes": [each.as_json() for each in self.changes], "cost": list(self.cost)}


@dataclass(frozen=True)
class Weakest:
    """All the weakest choices of annotations of a test.

    Parameters
    ----------
    name, path : str
        Of the test.
    model, profile : str
    question : {'relax', 'repair'}
    answers : tuple of Answer
        Of a repair those with the fewest edits first; then the cheapest. Each was confirmed by enumeration, and that
        each single step down breaks it.
    complete : bool
        No limit was reached: there are no others.
    tried : int
        Points that were enumerated.
    holds : bool
        Whether what is asked holds of the test as it is.
    status : {'complete', 'timeout', 'limit'}
    seconds : float
    notes : tuple of str
    kept_plain : bool
        Some accesses that are not atomic were left so, as notes say: making them atomic might help.
    limit : str
        Which limit was reached, in words; empty if none was, or a note says it.
    passed : tuple of Answer
        Where one was: the lowest of the other choices that were found to do, in the same order. Lower ones may do.
    """

    name: str
    path: str
    model: str
    profile: str
    question: str
    answers: tuple[Answer, ...]
    complete: bool
    tried: int
    holds: bool
    status: str = "complete"
    seconds: float = 0.0
    notes: tuple[str, ...] = ()
    kept_plain: bool = False
    limit: str = ""
    passed: tuple[Answer, ...] = ()

    @property
    def strongest(self) -> str:
        """What the strongest choice is, in words."""
        which = "every operation that may be atomic" if self.kept_plain else "every operation"
        return f"with {which} seq_cst, and fences between all"

    def as_json(self) -> dict[str, Any]:
        """Give the result as JSON holds it."""
        return {
            "name": self.name,
            "path": self.path,
            "model": self.model,
            "profile": self.profile,
            "question": self.question,
            "holds": self.holds,
            "answers": [each.as_json() for each in self.answers],
            "tried": self.tried,
            "complete": self.complete,
            "status": self.status,
            "seconds": round(self.seconds, 6),
            "notes": list(self.notes),
            "kept_plain": self.kept_plain,
            "limit": self.limit,
            "passed": [each.as_json() for each in self.passed],
        }


def answer_at(choices: Choices, point: Point) -> Answer:
    """Say what the choice of annotations at a point changes.

    Parameters
    ----------
    choices : Choices
    point : Point

    Returns
    -------
    Answer
    """
    operations = choices.operations(point)
    given = operations_of(choices.test)
    changes = []
    for place, after in operations.items():
        before = given.get(place) if isinstance(place, Place) else None
        if after != before:
            at = given.get(anchor(place))
            changes.append(Change(place, before, after, None if at is None else at.line, at))
    test = choices.test_at(point)
    ordered = sorted(changes, key=lambda each: (each.line or 0, anchor(each.place), isinstance(each.place, Place)))
    return Answer(test, tuple(ordered), _cost(test), operations, tuple(_edits(ordered, given)))


def by_edits(answer: Answer) -> tuple[int, Cost]:
    """Give what answers to a repair are ordered by: those with the fewest edits come first."""
    return len(answer.edits), answer.cost


def by_cost(answer: Answer) -> Cost:
    """Give what answers are ordered by otherwise: the cheapest come first."""
    return answer.cost


def _edits(changes: Sequence[Change], given: Mapping[Place, Memory]) -> Iterator[Change]:
    """Give one change for those that are the same in all copies of a line whose function was inlined several times."""
    copies: dict[object, list[Place]] = {}
    copy_of: dict[Place, object] = {}
    seen = Counter[object]()
    for place, operation in given.items():
        if isinstance(operation.line, InlinedLine):
            copy = int(operation.line), kind_of(operation)
            call = place.function, operation.line.called_from, copy
            seen[call] += 1
            copy_of[place] = *copy, seen[call]
            copies.setdefault(copy_of[place], []).append(place)
    alike: dict[object, list[Change]] = {}
    for change in changes:
        key: object = anchor(change.place)
        if anchor(change.place) in copy_of:
            what = (spelt(each) if each is not None else None for each in (change.before, change.after))
            key = copy_of[anchor(change.place)], isinstance(change.place, Gap), *what
        else:
            key = key, isinstance(change.place, Gap)
        alike.setdefault(key, []).append(change)
    for some in alike.values():
        places = copies.get(copy_of.get(anchor(some[0].place)), [])
        if len(places) > 1 and {anchor(each.place) for each in some} == set(places):
            lines = (given[place].line for place in places)
            calls = dict.fromkeys(line.called_from[0] for line in lines if isinstance(line, InlinedLine))
            yield replace(some[0], copies=tuple(calls))
        else:
            yield from some


def _listed(numbers: Sequence[int]) -> str:
    """Write line numbers in words.

    Examples
    --------
    >>> _listed([4]), _listed([4, 9, 15])
    ('line 4', 'lines 4, 9 and 15')
    """
    *others, last = map(str, numbers)
    return f"lines {', '.join(others)} and {last}" if others else f"line {last}"


def _cost(test: Test) -> Cost:
    """Say what the annotations of a test cost: fewer, weaker, smaller scopes, fewer tags."""
    notes = [part.annotation for part in operations_of(test).values() if not isinstance(part, Barrier)]
    fences = sum(isinstance(part, Fence) for part in operations_of(test).values())
    strong = [note for note in notes if note.ordering >= Ordering.ACQUIRE]
    return (
        len(strong) + fences,
        sum(note.ordering for note in notes),
        sum(note.scope for note in notes if note.ordering != Ordering.NA),
        sum(len(note.tags) for note in notes),
    )
