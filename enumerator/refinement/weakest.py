"""The weakest annotations that keep what a test expects, or that make its condition unreachable."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations, islice, product
from typing import Any, Unpack

from enumerator.asking import knows_availability, make_request, select_model, select_profile
from enumerator.cat.selected import SelectedModel
from enumerator.cat.typing import select
from enumerator.clock import check_time, now, time_limit
from enumerator.engines import search
from enumerator.errors import InputError, LimitReached
from enumerator.frozen import dataclass
from enumerator.judging import result_of
from enumerator.mmra import Profile
from enumerator.options import Keywords, Options
from enumerator.program.condition import Quantifier
from enumerator.program.instructions import Barrier, Fence, Ordering, Scope
from enumerator.program.lines import InlinedLine, line_text
from enumerator.program.test import Test
from enumerator.refinement.edit import Memory, Place, kind_of, named, operations_of
from enumerator.refinement.lattice import Dimension, Point, lowest, steps_down
from enumerator.refinement.points import Choices, Gap, anchor, choices_of
from enumerator.refinement.witness import spelt
from enumerator.results.result import Result

__all__ = ["Answer", "Change", "Weakest", "relax", "repair"]

MOST_POINTS = 20_000
"""Points that are looked at one by one, where what is asked is not monotone in the strength of annotations."""

MOST_NEAR = 400
"""Points that are looked at next to the given one, where a limit leaves open whether the strongest one helps."""

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
        return anchor(self.place).function

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


@dataclass(frozen=True)
class _Goal:
    """What has to hold under one model.

    Parameters
    ----------
    expectation : (str, frozenset of str) or None
        The observation and the flags; None: the condition is unreachable.
    """

    model: SelectedModel
    profile: Profile
    expectation: tuple[str, frozenset[str]] | None

    @property
    def monotone(self) -> bool:
        """Whether more guarantees cannot break it: nothing is to be reachable, and no flag raised."""
        return self.expectation is None or self.expectation == ("Never", frozenset())


class _Search:
    def __init__(self, test: Test, goals: Sequence[_Goal], choices: Choices, options: Options) -> None:
        self.goals, self.choices = goals, choices
        self.test = replace(test, expectations=())
        self.options = replace(
            options, outcomes_only=True, executions=False, all_values=False, hb=None, thin_air=None, variants=()
        )
        self.known: dict[Point, bool] = {}
        self.limited: dict[str, str] = {}  # by status, in words
        self.unknown: set[Point] = set()

    def holds(self, point: Point) -> bool:
        """Tell whether all goals hold at a point; what a limit leaves unknown does not count as holding."""
        if point not in self.known:
            check_time()
            before, self.limited = self.limited, {}
            self.known[point] = self.all_hold(self.choices.test_at(point))
            if self.limited:
                self.unknown.add(point)
            self.limited = before | self.limited
        return self.known[point]

    def all_hold(self, test: Test) -> bool:
        return all(self._holds(replace(test, expectations=()), goal) for goal in self.goals)

    def _holds(self, test: Test, goal: _Goal) -> bool:
        options = replace(self.options, profile=goal.profile, first=goal.expectation is None)
        result = _checked(test, goal, options)
        if result.status not in ("complete", "error"):
            self.limited[result.status] = _limit(result, test, self.options)
        if goal.expectation is not None:
            observation, flags = goal.expectation
            return result.status == "complete" and (result.observation, frozenset(result.flags)) == (observation, flags)
        if result.verdict == "Undef":
            return False
        wanted = "Always" if test.condition.quantifier is Quantifier.FORALL else "Never"
        return result.status == "complete" and result.observation == wanted


def _limit(result: Result, test: Test, options: Options) -> str:
    """Say which limit kept a check from its end."""
    if result.cut and result.status == "limit":
        rounds = next(each for each in (options.unroll, test.unroll, 2) if each is not None)
        return f"loops were cut at the bound of {rounds}; --unroll takes another"
    if result.status == "timeout":
        return "the time was up"
    return result.notes[0] if result.notes else "--max-executions"


def _checked(test: Test, goal: _Goal, options: Options) -> Result:
    """Check a test as :func:`enumerator.check` does, without what that does for people."""
    from enumerator.asking import shown_names
    from enumerator.executions import Rerun

    shown = shown_names(test, options)
    request = make_request(test, goal.model, goal.profile, options, shown)
    return result_of(request, shown, search(request, options.engine), Rerun(request, options.engine))


def relax(
    test: Test,
    model: str | SelectedModel | None = None,
    *,
    options: Options | None = None,
    progress: Callable[[int], None] | None = None,
    **fields: Unpack[Keywords],
) -> Weakest:
    """Find all the weakest annotations, at or below those of a test, that keep what it expects.

    Parameters
    ----------
    test : Test
        With a model, or without expectations, what is kept is that the condition is unreachable.
    model : str or SelectedModel, optional
    options : Options, optional
        The time limit holds for the whole answer.
    progress : callable, optional
        Called with the number of points that were enumerated.
    **fields
        Fields of :class:`~enumerator.options.Options`.

    Returns
    -------
    Weakest
        Without answers where the test as it is does not do what is to be kept.

    Raises
    ------
    InputError
        As for checking the test.

    References
    ----------
    Semantics, section 7, *Relax and repair*.

    Examples
    --------
    >>> from enumerator.frontend import load_text
    >>> text = '''; EXISTS: t1:%f = 1 /\\\\ t1:%d = 0
    ... @d = global i32 0
    ... @f = global i32 0
    ... define void @t0() {
    ...   store atomic i32 1, ptr @d monotonic, align 4
    ...   fence seq_cst
    ...   store atomic i32 1, ptr @f release, align 4
    ...   ret void
    ... }
    ... define void @t1() {
    ...   %f = load atomic i32, ptr @f acquire, align 4
    ...   %d = load atomic i32, ptr @d monotonic, align 4
    ...   ret void
    ... }'''
    >>> for answer in relax(load_text(text, "mp.ll")).answers:
    ...     print([str(change) for change in answer.changes if change.line in (6, 7)])
    ['t0 line 6: fence seq_cst -> gone']
    ['t0 line 6: fence seq_cst -> release', 't0 line 7: store release -> monotonic']
    """
    return _weakest(test, model, replace(options or Options(), **fields), progress, "relax")


def repair(
    test: Test,
    model: str | SelectedModel | None = None,
    *,
    options: Options | None = None,
    progress: Callable[[int], None] | None = None,
    **fields: Unpack[Keywords],
) -> Weakest:
    """Find all the weakest annotations, at or above those of a test, that make its condition unreachable.

    Parameters
    ----------
    test : Test
        Of a condition that is to hold always (``FORALL``), what is to be unreachable is that it does not.
    model : str or SelectedModel, optional
    options : Options, optional
        The time limit holds for the whole answer.
    progress : callable, optional
        Called with the number of points that were enumerated.
    **fields
        Fields of :class:`~enumerator.options.Options`.

    Returns
    -------
    Weakest
        Without answers where nothing helps.

    Raises
    ------
    InputError
        As for checking the test.

    References
    ----------
    Semantics, section 7, *Relax and repair*.

    Examples
    --------
    >>> from enumerator.frontend import load_text
    >>> text = '''; EXISTS: t1:%f = 1 /\\\\ t1:%d = 0
    ... @d = global i32 0
    ... @f = global i32 0
    ... define void @t0() {
    ...   store atomic i32 1, ptr @d monotonic, align 4
    ...   store atomic i32 1, ptr @f monotonic, align 4
    ...   ret void
    ... }
    ... define void @t1() {
    ...   %f = load atomic i32, ptr @f monotonic, align 4
    ...   %d = load atomic i32, ptr @d monotonic, align 4
    ...   ret void
    ... }'''
    >>> for answer in repair(load_text(text, "mp.ll")).answers:
    ...     print([str(change) for change in answer.changes])
    ['t0 line 6: store monotonic -> release', 't1 line 10: load monotonic -> acquire']
    ['t0 line 6: store monotonic -> release', 't1 before line 11: fence acquire']
    ['t0 before line 6: fence release', 't1 line 10: load monotonic -> acquire']
    ['t0 before line 6: fence release', 't1 before line 11: fence acquire']
    """
    return _weakest(test, model, replace(options or Options(), **fields), progress, "repair")


def _weakest(
    test: Test,
    model: str | SelectedModel | None,
    options: Options,
    progress: Callable[[int], None] | None,
    question: str,
) -> Weakest:
    up = question == "repair"
    with time_limit(options.timeout):
        goals = _goals(test, model, options, by_expectations=not up and model is None)
    profile = goals[0].profile
    # Without a model that has availability, the tag is one like any other.
    availability = any(knows_availability(goal.model) for goal in goals)
    choices = choices_of(test, profile, up=up, availability=availability)
    bounded = replace(options, timeout=None)
    asked = _Search(test, goals, choices, bounded)
    begun, status, found = now(), "complete", dict[Point, None]()
    notes: tuple[str, ...] = ()
    ended = ""
    monotone = all(goal.monotone for goal in goals)
    try:
        with time_limit(options.timeout):
            holds = asked.all_hold(test)
            if holds or up:
                tell = partial(_tell, asked, progress)
                if monotone and up and not holds:
                    _near(asked, tell, found)
                if holds and not up:
                    _descend(choices, tell, found)
                if monotone:
                    lowest(choices.dimensions, tell, found.setdefault, [not each for each in choices.tags])
                else:
                    _one_by_one(choices, tell, found)
    except LimitReached as limit:
        holds, status = bool(found) or asked.known.get(_top(choices), False), limit.status
        notes = (str(limit),) if str(limit) != limit.status else ()
        ended = "the time was up" if status == "timeout" else ""
    if asked.limited and status == "complete":
        status = min(asked.limited)
        ended = asked.limited[status]
    passed = () if status == "complete" else tuple(_answer(choices, point) for point in _passed(asked, found, up=up))
    order = _by_edits if up else _by_cost
    answers = sorted((_answer(choices, point) for point in found), key=order)
    notes += tuple(_not_tried(choices, answers, profile, up=up))
    return Weakest(
        name=test.name,
        path=test.path,
        model="+".join(dict.fromkeys(goal.model.name for goal in goals)),
        profile=profile.name,
        question=question,
        answers=tuple(answers),
        complete=status == "complete",
        tried=len(asked.known),
        holds=holds,
        status=status,
        seconds=now() - begun,
        notes=notes,
        kept_plain=bool(choices.kept_plain),
        limit=ended,
        passed=tuple(sorted(passed, key=order)),
    )


def _not_tried(choices: Choices, answers: Sequence[Answer], profile: Profile, *, up: bool) -> Iterator[str]:
    """Say of the scopes that answers choose for which others they stand, and what was left out."""
    given = operations_of(choices.test)
    chosen, accesses = set[Scope](), False
    for answer in answers:
        for place, after in answer.operations.items():
            if after is None or after.annotation.ordering == Ordering.NA:
                continue
            before = given.get(place) if isinstance(place, Place) else None
            atomic = before is not None and before.annotation.ordering != Ordering.NA
            if up and atomic and before is not None and before.annotation.scope == after.annotation.scope:
                continue  # the smaller ones are below what is given
            chosen.add(after.annotation.scope)
            accesses |= not isinstance(after, Fence)
    for scope, smaller in sorted(choices.alike.items()):
        if scope in chosen:
            others = " and ".join(each.name.lower() for each in smaller)
            yield f"{scope.name.lower()} stands for {others}, too: they are alike for these threads"
    spaces = {memory.address_space for memory in choices.test.objects}
    if accesses and len(spaces) > 1 and "amdgpu-synchronize-as" in profile.known and not choices.one_as:
        yield "-one-as scopes were not tried: the test has none"
    by_reason: dict[str, dict[str, None]] = {}
    for place, why in choices.kept_plain.items():
        by_reason.setdefault(why, {})[f"the {named(given[place])} of {place.function}"] = None
    for why, left in by_reason.items():
        more = f" and {len(left) - 1} more" if len(left) > 1 else ""
        yield f"{next(iter(left))}{more}: not tried as atomic, as {why}"


def _tell(asked: _Search, progress: Callable[[int], None] | None, point: Point) -> bool:
    held = asked.holds(point)
    if progress is not None:
        progress(len(asked.known))
    return held


def _top(choices: Choices) -> Point:
    return tuple(dimension.top for dimension in choices.dimensions)


def _goals(
    test: Test, model: str | SelectedModel | None, options: Options, *, by_expectations: bool
) -> tuple[_Goal, ...]:
    if by_expectations and test.expectations:
        found = []
        for each in test.expectations:
            selected = select(each.model, options.include_dirs, {}, each.variants, options.includes_anywhere)
            given = options.profile if options.profile is not None else each.profile
            profile = select_profile(test, given, selected)
            found.append(_Goal(selected, profile, (each.observation, each.flags)))
        return tuple(found)
    selected = select_model(test, model, options)
    if not _asks(test):
        raise InputError("the test asks nothing: give it a condition, as '; NEVER: t1:%r = 0'", test.path)
    return (_Goal(selected, select_profile(test, options.profile, selected), None),)


def _asks(test: Test) -> bool:
    from enumerator.conditions import flag_names, names

    return bool(names(test.condition.formula) or flag_names(test.condition.formula))


def _near(asked: _Search, holds: Callable[[Point], bool], found: dict[Point, None]) -> None:
    """Look at points next to the given one, which is the lowest: where the search from the top may not come to them.

    That goes through the tags choice by choice, so points that differ in the tags of one operation come first. Where a
    limit leaves open whether the highest point does, they are those that differ in one place, or else in two.
    """
    choices = asked.choices
    dimensions = choices.dimensions
    given = tuple(next(a for a, below in enumerate(each.below) if len(below) == 1) for each in dimensions)
    top = _top(choices)
    tags = [place for place, is_tags in enumerate(choices.tags) if is_tags]
    groups: list[list[tuple[int, ...]]] = [[(place,) for place in tags]]
    if dimensions and not holds(top) and top in asked.unknown:
        every = range(len(dimensions))
        groups = [[(place,) for place in every], list(combinations(every, 2))]
    for point in islice(_until_found(dimensions, given, groups, found), MOST_NEAR):
        lower = any(all(a in d.below[b] for d, a, b in zip(dimensions, each, point, strict=True)) for each in found)
        if not lower and holds(point) and not any(map(holds, steps_down(dimensions, point))):
            found[point] = None


def _descend(choices: Choices, holds: Callable[[Point], bool], found: dict[Point, None]) -> None:
    """Go down from the given point, which is the highest and does, until no single step more does.

    That is one answer, for few points: where the time does not suffice for all, there is this one. What costs most is
    weakened first: fences, which may go, then what is ordered most strongly, and tags last.
    """
    given = operations_of(choices.test)

    def gain(place: int) -> tuple[bool, bool, int]:
        operation = given.get(anchor(choices.places[place]))
        ordering = operation.annotation.ordering if operation is not None and not isinstance(operation, Barrier) else 0
        return choices.tags[place], not isinstance(operation, Fence), -ordering

    point = _top(choices)
    while True:
        before = point
        for place in sorted(range(len(point)), key=gain):
            lower: Point | None = point
            while lower is not None:
                point = lower
                steps = choices.dimensions[place].towards_bottom(point[place])
                at = ((*point[:place], each, *point[place + 1 :]) for each in steps)
                lower = next(filter(holds, at), None)
        if point == before:
            break
    found[point] = None


def _until_found(
    dimensions: Sequence[Dimension], given: Point, groups: Sequence[Sequence[tuple[int, ...]]], found: Collection[Point]
) -> Iterator[Point]:
    for places in groups:
        if not found:
            yield from _changed(dimensions, given, places)


def _changed(dimensions: Sequence[Dimension], given: Point, places: Sequence[tuple[int, ...]]) -> Iterator[Point]:
    """Give the points that differ from a given one in some of these places only, and in all of them."""
    for some in places:
        others = ([a for a in range(len(dimensions[place].choices)) if a != given[place]] for place in some)
        for chosen in product(*others):
            point = list(given)
            for place, choice in zip(some, chosen, strict=True):
                point[place] = choice
            yield tuple(point)


def _passed(asked: _Search, found: Collection[Point], *, up: bool) -> list[Point]:
    """Give the lowest of the points that were found to do what is asked, without those above an answer."""
    dimensions = asked.choices.dimensions

    def lower(one: Point, other: Point) -> bool:
        return all(a in each.below[b] for each, a, b in zip(dimensions, one, other, strict=True))

    top = _top(asked.choices)
    doing = [point for point, holds in asked.known.items() if holds and (up or point != top)]
    known = [*doing, *found]
    return [one for one in doing if not any(other != one and lower(other, one) for other in known) and one not in found]


def _one_by_one(choices: Choices, holds: Callable[[Point], bool], found: dict[Point, None]) -> None:
    """Look at every point: what is asked may hold at weaker points than those at which it does not."""
    if choices.points > MOST_POINTS:
        message = f"{choices.points} choices of annotations are too many to look at, one by one ({MOST_POINTS}): what "
        message += "the test expects may be kept by weaker ones than break it; ask for one model with --model"
        raise LimitReached(message)
    for point in product(*(range(len(dimension.choices)) for dimension in choices.dimensions)):
        if holds(point) and not any(map(holds, steps_down(choices.dimensions, point))):
            found[point] = None


# Answers --------------------------------------------------------------------------------------------------------------


def _answer(choices: Choices, point: Point) -> Answer:
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


def _by_edits(answer: Answer) -> tuple[int, Cost]:
    return len(answer.edits), answer.cost


def _by_cost(answer: Answer) -> Cost:
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
