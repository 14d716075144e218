"""The weakest annotations that keep what a test expects, or that make its condition unreachable."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations, islice, product
from typing import Unpack

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
from enumerator.program.test import Test
from enumerator.refinement.answers import Answer, Change, Weakest, answer_at, by_cost, by_edits
from enumerator.refinement.edit import Place, named, operations_of
from enumerator.refinement.exchanges import caller_of
from enumerator.refinement.lattice import Dimension, Point, lowest, steps_down
from enumerator.refinement.points import Choices, anchor, choices_of
from enumerator.results.result import Result

__all__ = ["Answer", "Change", "Weakest", "relax", "repair"]

MOST_POINTS = 20_000
"""Points that are looked at one by one, where what is asked is not monotone in the strength of annotations."""

MOST_NEAR = 400
"""Points that are looked at next to the given one, where a limit leaves open whether the strongest one helps."""


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


class _Found(dict[Point, None]):
    """The points that are answers, in the order in which they are found, each of which is told."""

    def __init__(self, tell: Callable[[Point], None]) -> None:
        super().__init__()
        self._tell = tell

    def add(self, point: Point) -> None:
        if point not in self:
            self[point] = None
            self._tell(point)


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
    answered: Callable[[Answer], None] | None = None,
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
    answered : callable, optional
        Called with each answer when it is found.
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
    return _weakest(test, model, replace(options or Options(), **fields), progress, answered, "relax")


def repair(
    test: Test,
    model: str | SelectedModel | None = None,
    *,
    options: Options | None = None,
    progress: Callable[[int], None] | None = None,
    answered: Callable[[Answer], None] | None = None,
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
    answered : callable, optional
        Called with each answer when it is found.
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
    return _weakest(test, model, replace(options or Options(), **fields), progress, answered, "repair")


def _weakest(
    test: Test,
    model: str | SelectedModel | None,
    options: Options,
    progress: Callable[[int], None] | None,
    answered: Callable[[Answer], None] | None,
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
    begun, status = now(), "complete"
    found = _Found(lambda point: answered(answer_at(choices, point)) if answered is not None else None)
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
                    lowest(choices.dimensions, tell, found.add, [not each for each in choices.tags], tuple(found))
                else:
                    _one_by_one(choices, tell, found)
    except LimitReached as limit:
        holds, status = bool(found) or asked.known.get(_top(choices), False), limit.status
        notes = (str(limit),) if str(limit) != limit.status else ()
        ended = "the time was up" if status == "timeout" else ""
    if asked.limited and status == "complete":
        status = min(asked.limited)
        ended = asked.limited[status]
    passed = () if status == "complete" else tuple(answer_at(choices, point) for point in _passed(asked, found, up=up))
    order = by_edits if up else by_cost
    answers = sorted((answer_at(choices, point) for point in found), key=order)
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
        by_reason.setdefault(why, {})[f"the {named(given[place])} of {caller_of(place.function)}"] = None
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


def _near(asked: _Search, holds: Callable[[Point], bool], found: _Found) -> None:
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
            found.add(point)


def _descend(choices: Choices, holds: Callable[[Point], bool], found: _Found) -> None:
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
    found.add(point)


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


def _one_by_one(choices: Choices, holds: Callable[[Point], bool], found: _Found) -> None:
    """Look at every point: what is asked may hold at weaker points than those at which it does not."""
    if choices.points > MOST_POINTS:
        message = f"{choices.points} choices of annotations are too many to look at, one by one ({MOST_POINTS}): what "
        message += "the test expects may be kept by weaker ones than break it; ask for one model with --model"
        raise LimitReached(message)
    for point in product(*(range(len(dimension.choices)) for dimension in choices.dimensions)):
        if holds(point) and not any(map(holds, steps_down(choices.dimensions, point))):
            found.add(point)
