"""Why an outcome is allowed or forbidden: the question, and what answers it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Unpack

from enumerator.api import check
from enumerator.asking import make_request, select_model, select_profile
from enumerator.clock import now, remaining, time_limit, unlimited
from enumerator.errors import InputError, LimitReached
from enumerator.frozen import dataclass
from enumerator.options import Keywords, Options
from enumerator.program.condition import Condition, Flag, Formula, Not, Or, Quantifier, TrueFormula
from enumerator.program.formulas import flag_names, names
from enumerator.program.test import Test
from enumerator.unfold.paths import ENDS

if TYPE_CHECKING:
    from enumerator.analysis.classify import Classification
    from enumerator.analysis.witnesses import Way
    from enumerator.cat.selected import SelectedModel
    from enumerator.refinement.answers import Change, Weakest
    from enumerator.request import Request
    from enumerator.results.result import Result

__all__ = ["Explanation", "explain", "formula_of"]

_SECONDS = 20.0
"""Each part of an explanation takes at most so long, unless a time limit is given: that is one for them all."""

_OF_THE_TIME = 0.75
"""What the search for the outcome may take of the time limit: then an execution that ends so is to be found."""

_COUNTING = 2.0
"""Seconds to count the executions that end alike, where the search has not counted them."""

_MOST_REFUSED = 5_000

LATE = "the time is up before all was looked at"
"""What is noted where the time limit that was given is reached."""


@dataclass(frozen=True)
class Explanation:
    """Why an outcome is allowed or forbidden.

    Parameters
    ----------
    test : Test
    result : Result
        Of the test, with the outcome as what must exist.
    outcome : str
        In the spelling of reports.
    allowed : bool or None
        None where a limit was reached first. Where the program is undefined, everything is.
    undefined : tuple of str
        The flags that make the program undefined, if it cannot reach the outcome otherwise.
    witness : Classification or None
        If it is allowed: the smallest execution that ends so.
    witnesses : int
        How many were found that end so.
    whole : bool
        Whether all executions, or all ways, were looked at.
    missing : tuple of str
        What the program lacks there, in sentences.
    repair : Weakest or None
        What would make it unreachable; None where that was not asked.
    ways : tuple of Way
        If it is forbidden: the ways to reach it that the model refuses, the shortest reason first.
    held_up_by : tuple of Change or None
        If it is forbidden: weakenings of single annotations that let it through; None where that was not found out.
    notes : tuple of str
    status : {'complete', 'timeout'}
        Whether the time limit that was given left something out.
    seconds : float
    """

    test: Test
    result: Result
    outcome: str
    allowed: bool | None
    undefined: tuple[str, ...] = ()
    witness: Classification | None = None
    witnesses: int = 0
    whole: bool = True
    missing: tuple[str, ...] = ()
    repair: Weakest | None = None
    ways: tuple[Way, ...] = ()
    held_up_by: tuple[Change, ...] | None = None
    notes: tuple[str, ...] = ()
    status: str = "complete"
    seconds: float = 0.0

    def _repr_html_(self) -> str:
        from enumerator.report.page.explanation import fragment

        return fragment(self)

    def __str__(self) -> str:
        from enumerator.report.explanation import format_explanation

        return format_explanation(self)


def formula_of(test: Test, outcome: str | None) -> Formula:
    r"""Give the outcome that is asked about.

    Parameters
    ----------
    test : Test
    outcome : str or None
        A condition without quantifier; default: the test's own, or what it rules out if it is to hold always.

    Returns
    -------
    Formula

    Raises
    ------
    InputError
        If the condition is wrong, or names what the test does not have.
    """
    if outcome is None:
        formula = test.condition.formula
        return Not(formula) if test.condition.quantifier is Quantifier.FORALL else formula
    from enumerator.frontend.asked import asked_of

    return asked_of(test, outcome)


def explain(
    test: Test,
    model: str | SelectedModel | None = None,
    outcome: str | None = None,
    *,
    options: Options | None = None,
    repair: bool = True,
    progress: Callable[[str], None] | None = None,
    **fields: Unpack[Keywords],
) -> Explanation:
    r"""Explain why an outcome of a test is allowed or forbidden.

    Parameters
    ----------
    test : Test
    model : str or SelectedModel, optional
        As for :func:`enumerator.check`.
    outcome : str, optional
        A condition, as ``t1:%flag = 1 /\ t1:%data = 0``. Default: the body of the test's.
    options : Options, optional
        The time limit holds for the whole answer.
    repair : bool
        Find what would forbid an outcome that is allowed, and which annotations hold up one that is not.
    progress : callable, optional
        Called with what is being done.
    **fields
        Fields of :class:`~enumerator.options.Options`.

    Returns
    -------
    Explanation
        ``str`` gives it as text; notebooks show it with pictures.

    Raises
    ------
    InputError
        As for checking the test.
    Timeout
        If the time is up before the search for the outcome begins.

    Examples
    --------
    >>> from enumerator.frontend import load_text
    >>> text = '''; EXISTS: t1:%a = 1 /\\ t1:%b = 0
    ... @x = global i32 0
    ... define void @t0() {
    ...   store atomic i32 1, ptr @x monotonic, align 4
    ...   ret void
    ... }
    ... define void @t1() {
    ...   %a = load atomic i32, ptr @x monotonic, align 4
    ...   %b = load atomic i32, ptr @x monotonic, align 4
    ...   ret void
    ... }'''
    >>> found = explain(load_text(text, "corr.ll"))
    >>> found.allowed, found.ways[0].violation.axiom
    (False, 'coherence')
    """
    options = replace(options or Options(), **fields)
    begun = now()
    with time_limit(options.timeout):
        found = _explained(test, model, outcome, options, repair, progress or (lambda _: None))
        if remaining() == 0.0:
            found = replace(found, status="timeout", notes=(*found.notes, LATE))
    return replace(found, seconds=now() - begun)


def _explained(
    test: Test,
    model: str | SelectedModel | None,
    outcome: str | None,
    options: Options,
    repair: bool,
    tell: Callable[[str], None],
) -> Explanation:
    from enumerator.results.verdict import format_formula

    formula = formula_of(test, outcome)
    asked = replace(test, condition=_asking(test, formula), expectations=())
    selected = select_model(test, model, options)
    profile = select_profile(test, options.profile, selected)
    plain = replace(options, hb=None, thin_air=None, variants=(), profile=profile)
    tell("looking for the outcome")
    most = None if options.timeout is None else _OF_THE_TIME * options.timeout
    result = check(asked, selected, options=replace(plain, first=False, all_values=False, timeout=most))
    allowed = {"Never": False, "unknown": None}.get(result.observation, True)
    found = Explanation(test, result, format_formula(formula), allowed)
    if result.undefined_by and not allowed:
        found = replace(found, allowed=True, undefined=result.undefined_by)
        formula = Or(tuple(map(Flag, result.undefined_by)))
        asked = replace(asked, condition=replace(asked.condition, formula=formula, filter=None))
    elif result.undefined_by:
        too = f"the program is undefined, too ({', '.join(result.undefined_by)}): anything may happen"
        found = replace(found, notes=(too,))
    request = make_request(asked, selected, profile, replace(plain, outcomes_only=False, first=False), _names(formula))
    if found.undefined:
        found = _allowed(found, request, formula, options, tell)
        if repair:
            tell("looking for a repair")
            found = replace(found, repair=_repair(replace(test, expectations=()), selected, plain))
    elif allowed:
        found = _allowed(found, request, formula, options, tell)
        if repair and _asks(formula) and result.observation == "Sometimes":
            tell("looking for a repair")
            found = replace(found, repair=_repair(asked, selected, plain))
    elif allowed is False:
        found = _forbidden(found, request, formula, options, tell)
        if repair and _asks(formula):
            tell("weakening annotations")
            held, note = _held_up(asked, selected, plain)
            found = replace(found, held_up_by=held, notes=(*found.notes, *note))
    return found


def _asking(test: Test, formula: Formula) -> Condition:
    """Ask whether an outcome exists; what filters states stays."""
    from enumerator.results.verdict import format_formula

    return Condition(Quantifier.EXISTS, formula, format_formula(formula), test.condition.filter)


def _names(formula: Formula) -> tuple[str, ...]:
    return (*names(formula), *flag_names(formula))


def _asks(formula: Formula) -> bool:
    return not isinstance(formula, TrueFormula) and bool(_names(formula))


def _limit(options: Options) -> float | None:
    """Give the time limit of a part, inside that of all."""
    return _SECONDS if options.timeout is None else None


# Allowed ------------------------------------------------------------------------------------------------------


def _allowed(
    found: Explanation, request: Request, formula: Formula, options: Options, tell: Callable[[str], None]
) -> Explanation:
    from enumerator.analysis.diagnose import diagnose
    from enumerator.analysis.undefined import causes
    from enumerator.analysis.witnesses import consistent_endings, ending_in, ending_that_decides
    from enumerator.executions import Rerun

    tell("looking for the smallest execution")
    first: Classification | None = None
    count, whole = 0, True
    missing: tuple[str, ...] = ()
    ended = found.result.status != "timeout"
    counted = found.result.positive if ended and not found.undefined else None
    try:
        with time_limit(_limit(options)):
            if ended:
                endings, whole = consistent_endings(request, options.engine)
                ending_so = ending_in(endings, formula)
            else:  # few of them may be found in the time there is
                ending_so, whole = ending_that_decides(request, formula, options.engine), False
            for ending in ending_so:
                first = ending.classification
                # The same may be said of several pairs, as of two writes before one that is not synchronized with.
                first_of_all = causes(first) if found.undefined else ()
                missing = tuple(dict.fromkeys((*first_of_all, *(each.sentence for each in diagnose(first)))))
                break
            if counted is None:
                with time_limit(_COUNTING):
                    for count, _ in enumerate(ending_so, 2):  # noqa: B007 - how many there are
                        pass
            else:
                count = counted
    except LimitReached:
        whole = False
    if first is None:
        note = Rerun(request, options.engine).causes() if found.undefined and whole else ()
        note = note or ("no execution that ends so was found again in the time there is",)
        return replace(found, whole=False, notes=note)
    count = max(count, 1)
    return replace(found, witness=first, witnesses=count, whole=whole, missing=missing, notes=found.notes)


def _repair(test: Test, model: SelectedModel, options: Options) -> Weakest | None:
    from enumerator.refinement.weakest import repair

    limited = replace(options, timeout=_limit(options))
    try:
        return repair(test, model, options=limited)
    except (InputError, LimitReached):
        return None  # what cannot be varied has no repair


# Forbidden ----------------------------------------------------------------------------------------------------


def _forbidden(
    found: Explanation, request: Request, formula: Formula, options: Options, tell: Callable[[str], None]
) -> Explanation:
    from enumerator.analysis.witnesses import Ending, group_ways, refused_ways

    tell("looking for ways to reach it")
    refused: list[Ending] = []
    whole = True
    try:
        with time_limit(_limit(options)):
            for ending in refused_ways(request, formula):
                refused.append(ending)
                if len(refused) >= _MOST_REFUSED:
                    whole = False
                    break
    except LimitReached:
        whole = False
    notes: tuple[str, ...] = ()
    if not refused and whole and set(flag_names(formula)) - {*ENDS, "ub"}:
        notes = ("flags of the model are raised by consistent executions only: there is no forbidden one to show",)
    elif not refused and not whole:
        notes = ("no way to reach it was found in the time there is; --timeout gives more",)
    elif not refused:
        notes = ("no candidate execution ends so, not even one that the model refuses: the values cannot come about",)
    with unlimited():  # of what was found, however late it is
        ways = group_ways(refused, formula)
    return replace(found, ways=ways, whole=whole, notes=notes)


def _held_up(test: Test, model: SelectedModel, options: Options) -> tuple[tuple[Change, ...] | None, tuple[str, ...]]:
    from enumerator.refinement.holding import held_up_by

    limited = replace(options, outcomes_only=True, first=True, timeout=None)
    unknown = False

    def reachable(changed: Test) -> bool | None:
        nonlocal unknown
        result = check(changed, model, options=limited)
        if result.undefined_by or any(state.witness for state in result.states):
            return True  # where the program is undefined, it may end so, too
        unknown |= result.status != "complete"
        return None if result.status != "complete" else False

    held: list[Change] = []
    note: tuple[str, ...] = ()
    profile = select_profile(test, options.profile, model)
    try:
        with time_limit(_limit(options)):
            held.extend(held_up_by(test, model, profile, reachable))
    except InputError:
        return None, ()
    except LimitReached:
        note = ("not all annotations were weakened in the time there is",)
    if unknown:
        note = ("of some weaker annotations a limit left open whether they let it through",)
    return (tuple(held) if held or not note else None), note
