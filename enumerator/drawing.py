"""Pictures of the executions of a test: which executions are worth a picture, and the pictures themselves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import tee
from typing import TYPE_CHECKING, Unpack

from enumerator.asking import make_request, select_model, select_profile
from enumerator.clock import remaining, time_limit, unlimited
from enumerator.errors import InputError, LimitReached
from enumerator.explanation import LATE, Explanation, explain, formula_of
from enumerator.frozen import dataclass
from enumerator.options import Keywords, Options
from enumerator.program.formulas import flag_names, names
from enumerator.program.test import Test
from enumerator.program.values import Value, format_value
from enumerator.results.result import Picture, Result, State

if TYPE_CHECKING:
    from enumerator.analysis.witnesses import Ending
    from enumerator.cat.selected import SelectedModel
    from enumerator.report.picture import Scene

__all__ = ["Drawing", "draw", "pictures_of"]

MOST_PICTURES = 24
"""How many pictures a result has on a page."""

MOST_DRAWN = 60
"""How many executions one drawing holds."""

_SECONDS = 10.0
_MOST_STATES = 2_000
_MOST_LOOKED_AT = 5_000


@dataclass(frozen=True)
class Drawing:
    """Pictures of executions of a test.

    Parameters
    ----------
    test : Test
    scenes : tuple of Scene
    notes : tuple of str
        What is left out.
    status : {'complete', 'timeout'}
        Whether the time limit that was given left something out.
    """

    test: Test
    scenes: tuple[Scene, ...]
    notes: tuple[str, ...] = ()
    status: str = "complete"

    def svg(self) -> str:
        """Give one SVG document with all pictures, one below the other."""
        from enumerator.report.picture.svg import stacked

        return stacked(self.scenes)

    def dot(self) -> str:
        """Give the pictures in Graphviz's language, a graph each."""
        from enumerator.report.picture.dot import to_dot

        return "".join(map(to_dot, self.scenes))

    def html(self) -> str:
        """Give a page with the pictures beside the source."""
        from enumerator.report.page.explanation import drawing_page

        return drawing_page(self)

    def _repr_svg_(self) -> str:
        return self.svg()


def draw(
    test: Test,
    model: str | SelectedModel | None = None,
    outcome: str | None = None,
    *,
    every: bool = False,
    show: Sequence[str] = (),
    extras: bool = False,
    options: Options | None = None,
    **fields: Unpack[Keywords],
) -> Drawing:
    r"""Draw executions of a test.

    Parameters
    ----------
    test : Test
    model : str or SelectedModel, optional
        As for :func:`enumerator.check`.
    outcome : str, optional
        A condition: draw the smallest execution that ends so; if the model forbids it, the candidate that shows why in
        the fewest steps. Default: the body of the test's condition.
    every : bool
        All consistent executions that end so (without `outcome`: all there are), the smallest first; or a candidate
        for each way that is refused.
    show : sequence of str
        Further relations whose edges are drawn.
    extras : bool
        For a page: relations that can be switched on.
    options : Options, optional
        The time limit holds for the whole answer.
    **fields
        Fields of :class:`~enumerator.options.Options`.

    Returns
    -------
    Drawing
        Notebooks show it.

    Raises
    ------
    InputError
        If there is nothing to draw, or as for checking the test.
    LimitReached
        If nothing was found within the limits.

    Examples
    --------
    >>> from enumerator.frontend import load_text
    >>> test = load_text("@x = global i32 0\ndefine void @t() {\n  store i32 1, ptr @x\n  ret void\n}", "t.ll")
    >>> [box.access for box in draw(test).scenes[0].boxes]
    ['@x = 0', '@x = 1']
    """
    options = replace(options or Options(), **fields)
    with time_limit(options.timeout):
        if every and outcome is None:
            return _all(test, model, show, extras, options)
        found = explain(test, model, outcome, options=options, repair=False)
        if found.allowed and every and not found.undefined:
            return _all(test, model, show, extras, options, outcome)
        return _explained(found, every, show, extras)


def _explained(found: Explanation, every: bool, show: Sequence[str], extras: bool) -> Drawing:
    from enumerator.report.picture.contents import scene_of

    word = {True: "allowed", False: "forbidden", None: "unknown: a limit was reached"}[found.allowed]
    subtitle = f"{found.outcome} is {word} under {found.result.model} @ {found.result.profile}"
    if found.undefined:
        subtitle = f"undefined ({', '.join(found.undefined)}) under {found.result.model} @ {found.result.profile}"
    scenes: list[Scene] = []
    with unlimited():  # of what was found, however late it is
        if found.witness is not None:
            scenes.append(scene_of(found.witness, subtitle=subtitle, show=show, extras=extras))
        for way in found.ways[: MOST_DRAWN if every else 1]:
            scenes.append(
                scene_of(way.classification, subtitle=subtitle, show=show, extras=extras, refused_by=way.violation)
            )
    if not scenes:
        said = "; ".join((f"there is nothing to draw: {found.outcome} is {word}", *found.notes))
        nothing = InputError(said, found.test.path)
        if found.allowed is None or not found.whole:
            raise LimitReached(str(nothing))
        raise nothing
    return Drawing(found.test, tuple(scenes), found.notes, found.status)


def _all(
    test: Test,
    model: str | SelectedModel | None,
    show: Sequence[str],
    extras: bool,
    options: Options,
    outcome: str | None = None,
) -> Drawing:
    from enumerator.analysis.witnesses import consistent_endings, ending_in
    from enumerator.report.picture.contents import scene_of

    selected = select_model(test, model, options)
    plain = replace(options, hb=None, thin_air=None, variants=(), outcomes_only=False, first=False)
    formula = formula_of(test, outcome)
    asked = (*names(formula), *flag_names(formula))
    request = make_request(test, selected, select_profile(test, options.profile, selected), plain, asked)
    endings, whole = consistent_endings(request, options.engine)
    chosen = list(endings if outcome is None else ending_in(endings, formula))
    if not chosen:
        if not whole:
            raise LimitReached(f"{test.path}: no consistent execution was found")
        raise InputError("there is no consistent execution to draw", test.path)
    under = f"{selected.name} @ {request.profile.name}"
    scenes: list[Scene] = []
    for number, ending in enumerate(chosen[:MOST_DRAWN], 1):
        subtitle = f"execution {number} of {len(chosen)}{'' if whole else ' that were found'}, {under}"
        with unlimited():  # each takes a moment
            scenes.append(scene_of(ending.classification, subtitle=subtitle, show=show, extras=extras))
        if remaining() == 0.0:
            break
    left = len(chosen) - len(scenes)
    notes = (f"{left} more executions are not drawn",) if left else ()
    if remaining() != 0.0:
        return Drawing(test, tuple(scenes), notes)
    return Drawing(test, tuple(scenes), (*notes, LATE), "timeout")


# Results ------------------------------------------------------------------------------------------------------


def pictures_of(result: Result, most: int = MOST_PICTURES, reading: str = "") -> tuple[Picture, ...]:
    """Draw an execution for each final state of a result, those that satisfy the condition first.

    Parameters
    ----------
    result : Result
        One that holds the test it comes from.
    most : int
        How many pictures.
    reading : str
        The reading under which it was found, for the titles.

    Returns
    -------
    tuple of Picture
        Of each state the smallest execution, as far as they are found soon enough; and one for each flag that none of
        these raises.

    Raises
    ------
    ValueError
        If the result does not hold its test.
    """
    if result.question is None:
        raise ValueError("this result does not hold the test it comes from")
    from enumerator.analysis.witnesses import consistent_endings, is_register

    request = replace(result.question.request, timeout=_SECONDS, max_executions=None)
    found: dict[int | str, Ending] = {}
    states = [state for _, state in zip(range(_MOST_STATES), result.states, strict=False)]
    places = {tuple(state.values.values()): number for number, state in enumerate(states)}
    wanted = sorted(places.values(), key=lambda number: (not states[number].witness, number))[:most]
    columns = tuple(states[0].values) if states else ()
    registers = [place for place, name in enumerate(columns) if is_register(name)]
    try:
        with time_limit(_SECONDS):
            endings, again = tee(consistent_endings(request, most=_MOST_LOOKED_AT)[0])
            open_ = {number: tuple(states[number].values.values()) for number in wanted}
            for ending in endings:
                if not open_:
                    break
                if not ending.has_state(request.flags):
                    continue
                part = tuple(ending.value(columns[place]) for place in registers)
                if all(tuple(values[place] for place in registers) != part for values in open_.values()):
                    continue
                number = places.get(tuple(map(ending.value, columns)))
                if number in open_:
                    found[number] = ending
                    del open_[number]
            _for_flags(result, again, found)
    except LimitReached:
        pass  # what there is
    return tuple(_pictures(result, states, found, reading))


def _for_flags(result: Result, endings: Iterable[Ending], found: dict[int | str, Ending]) -> None:
    from enumerator.reference.outcome import early_ends

    missing = [flag for flag in result.flags if flag != "ub"]
    for ending in found.values():
        missing = [flag for flag in missing if flag not in ending.classification.flags]
    for ending in endings if missing else ():
        raised = early_ends(ending.request.test, ending.combination.paths) or ending.classification.flags
        for flag in [flag for flag in missing if flag in raised]:
            found[flag] = ending
            missing.remove(flag)
        if not missing:
            break


def _pictures(
    result: Result, states: Sequence[State], found: dict[int | str, Ending], reading: str
) -> Iterator[Picture]:
    from enumerator.report.page.explanation import picture_of
    from enumerator.report.picture.contents import scene_of

    for key in sorted(found, key=lambda key: (isinstance(key, str), key if isinstance(key, int) else 0, str(key))):
        title = _spelt(states[key].values) if isinstance(key, int) else f"an execution that raises {key}"
        title = title or "the only final state"
        under = f"{result.model} @ {result.profile}{f', read as {reading}' if reading else ''}"
        scene = scene_of(found[key].classification, title=title, subtitle=f"{result.name} under {under}", extras=True)
        number = key if isinstance(key, int) else None
        yield replace(picture_of(scene), title=title, state=number, reading=reading)


def _spelt(values: Mapping[str, Value]) -> str:
    return " ".join(f"{name}={format_value(value)};" for name, value in values.items())
