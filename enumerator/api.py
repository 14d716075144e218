"""The Python interface: load a test, check it under a model."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from os import PathLike, fspath
from typing import TYPE_CHECKING

from enumerator.clock import now, time_limit
from enumerator.engines import engine as engine_of
from enumerator.errors import InputError, Interrupted, LimitReached, PlainEngineNeeded
from enumerator.executions import Rerun
from enumerator.mmra import Profile, load_profile, profile_of_test
from enumerator.program.condition import Quantifier
from enumerator.program.instructions import Tag
from enumerator.program.test import Expectation, Test
from enumerator.program.values import Value
from enumerator.results.result import Result

if TYPE_CHECKING:
    from enumerator.cat.selected import SelectedModel
    from enumerator.request import Outcomes, Request
    from enumerator.results.verdict import Verdict

__all__ = ["DEFAULT_MODELS", "check", "load"]

DEFAULT_MODELS = {"llvm": "llvm", "c": "rc11", "vulkan": "vulkan", "alloy": "vulkan"}
"""The model that a test of each format is checked under when none is named."""


def load(path: str | PathLike[str]) -> Test:
    """Read a litmus test.

    Parameters
    ----------
    path : str or path-like
        Its format follows from the extension or the first word.

    Returns
    -------
    Test

    Raises
    ------
    InputError
        If the file cannot be read or is not a test.
    """
    from enumerator.frontend import load as load_any

    return load_any(fspath(path))


def check(
    test: Test,
    model: str | SelectedModel | None = None,
    *,
    profile: str | Profile | None = None,
    hb: str | None = None,
    thin_air: str | None = None,
    variants: Sequence[str] = (),
    unroll: int | None = None,
    engine: str = "auto",
    timeout: float | None = None,
    max_executions: int | None = None,
    outcomes_only: bool = False,
    first: bool = False,
    all_values: bool = False,
    include_dirs: Sequence[str] = (),
    includes_anywhere: bool = False,
    executions: bool = False,
    jobs: int = 1,
) -> Result:
    """Check a test under a model.

    Parameters
    ----------
    test : Test
    model : str or SelectedModel, optional
        The name of a shipped model or the path of a ``.cat`` file, with variants after it (``llvm/direct``). Default:
        that of the test's format. A model that :func:`enumerator.cat.typing.select` gave has its variants already.
    profile : str or Profile, optional
        The name of a shipped target profile or the path of one. Default: the test's, which is a shipped one or lies
        beside the test.
    hb : {'closure', 'direct', 'filtered'}, optional
        The reading of happens-before, in models that have the choice.
    thin_air : {'dep', 'rc11', 'none'}, optional
        The axiom against values out of thin air, in models that have the choice.
    variants : sequence of str
        Any variants of the model, by name.
    unroll : int, optional
        Bound on loops whose trip count is not constant. Default: the test's, else 2.
    engine : {'auto', 'bitset', 'networkx', 'interleaving'}
        The fast engine, the plain one, or the one that visits states, for models in which memory is sequentially
        consistent; see :func:`enumerator.engines.engine`.
    timeout : float, optional
        Seconds.
    max_executions : int, optional
        Bound on the leaves of the search.
    outcomes_only : bool
        Leave out the counts of executions, which is faster.
    first : bool
        Stop at the first execution that decides the verdict.
    all_values : bool
        States hold all registers and locations, not only those that the condition names.
    include_dirs : sequence of str
        Where ``include`` in a model looks, beside the model's own folder.
    includes_anywhere : bool
        Whether ``include`` may name files outside of these folders.
    executions : bool
        Find the executions (``result.executions``) at once, not when they are first asked for.
    jobs : int
        How many processes the bitset engine may use for a search that takes long. They are forks of this one.

    Returns
    -------
    Result

    Raises
    ------
    InputError
        If the model, the profile or an option cannot be used, or a thread reaches what is not covered.
    Interrupted
        At Ctrl-C (it is a KeyboardInterrupt), with the result so far.

    Examples
    --------
    >>> from enumerator import check, load
    >>> result = check(load("mp.ll"), model="amdgpu")  # doctest: +SKIP
    >>> result.observation, result.flags  # doctest: +SKIP
    ('Sometimes', ('race',))
    """
    from enumerator.request import Request
    from enumerator.unfold import DEFAULT_UNROLL

    if unroll is not None and unroll < 0:
        raise InputError(f"the bound on loops is negative: {unroll}")
    selected = _selected(test, model, {"hb": hb, "thin-air": thin_air}, variants, include_dirs, includes_anywhere)
    target = _target(test, profile)
    with time_limit(timeout):
        shown = _shown_names(test, all_values)
    asked, flags = _asked(test, shown)
    _check_flags(flags, test, selected)
    request = Request(
        test=test,
        model=selected,
        profile=target,
        names=tuple(name for name in asked if name not in flags),
        flags=flags,
        unroll=next(bound for bound in (unroll, test.unroll, DEFAULT_UNROLL) if bound is not None),
        timeout=timeout,
        max_executions=max_executions,
        outcomes_only=outcomes_only,
        jobs=jobs,
    )
    if first:
        request = replace(request, decided=_stops(request))
    expectation = _matching(test, selected, target)
    result = _answer(request, engine, shown, expectation, first=first)
    if executions:
        result.executions  # noqa: B018 - found now, kept with the result
    return result


# Names ----------------------------------------------------------------------------------------------------


def _shown_names(test: Test, all_values: bool) -> tuple[str, ...]:
    from enumerator.conditions import flag_names, names
    from enumerator.results.verdict import name_key

    formula = test.condition.formula
    shown = {*names(formula), *flag_names(formula), *(name.text for name in test.locations)}
    if all_values:
        from enumerator.unfold import all_names

        with suppress(LimitReached):  # the search meets the same limit, and reports it
            shown.update(all_names(test))
    return tuple(sorted(shown, key=name_key))


def _asked(test: Test, shown: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Give all that states are to hold, that for the filter included, and which of it are flags."""
    from enumerator.conditions import flag_names, names

    flags = flag_names(test.condition.formula)
    if test.condition.filter is None:
        return shown, flags
    more = flag_names(test.condition.filter)
    asked = dict.fromkeys((*shown, *names(test.condition.filter), *more))
    return tuple(asked), tuple(dict.fromkeys((*flags, *more)))


def _check_flags(flags: tuple[str, ...], test: Test, selected: SelectedModel) -> None:
    """Refuse flags that nothing raises: neither an execution that ends early nor any shipped model."""
    from enumerator.unfold.paths import ENDS

    wanted = [flag for flag in flags if flag not in ENDS and flag != "ub" and flag not in _flags(selected)]
    if wanted:
        from enumerator.cat.parser import shipped_models
        from enumerator.cat.typing import select

        others = {name: _flags(select(name, (), {}, ())) for name in shipped_models()}
        for flag in wanted:
            if not any(flag in known for known in others.values()):
                every = sorted({*ENDS, "ub", *_flags(selected), *(name for known in others.values() for name in known)})
                raise InputError(f"there is no flag {flag!r}; there are {', '.join(every)}", test.path)


def _stops(request: Request) -> Callable[[tuple[Value, ...]], bool]:
    from enumerator.results.verdict import decides

    condition, names = request.test.condition, request.columns
    return lambda values: decides(condition, dict(zip(names, values, strict=True)))


# The answer -----------------------------------------------------------------------------------------------


def _selected(
    test: Test,
    model: str | SelectedModel | None,
    asked: Mapping[str, str | None],
    variants: Sequence[str],
    include_dirs: Sequence[str],
    includes_anywhere: bool,
) -> SelectedModel:
    from enumerator.cat.typing import select

    options = {option: value for option, value in asked.items() if value is not None}
    if model is None:
        if test.format not in DEFAULT_MODELS:
            raise InputError(f"tests of the format {test.format!r} have no default model; name one", test.path)
        model = DEFAULT_MODELS[test.format]
    if isinstance(model, str | PathLike):
        return select(fspath(model), include_dirs, options, variants, includes_anywhere)
    if options or variants:
        raise InputError(f"the variants of the model {model.name!r} are selected already")
    return model


def _target(test: Test, profile: str | Profile | None) -> Profile:
    if isinstance(profile, Profile):
        return profile
    return load_profile(profile) if profile is not None else profile_of_test(test.profile, test.path)


def _matching(test: Test, selected: SelectedModel, profile: Profile) -> Expectation | None:
    from enumerator.cat.flatten import declared_options

    defaults = {option: alternatives[0] for option, alternatives in declared_options(selected.model).items()}
    for expectation in test.expectations:
        if (
            expectation.model == selected.name
            and (expectation.profile if expectation.profile is not None else test.profile) == profile.name
            and {**defaults, **_chosen(expectation, selected)} == dict(selected.options)
        ):
            return expectation
    return None


def _chosen(expectation: Expectation, selected: SelectedModel) -> dict[str, str]:
    """Give the options of an expectation; one with wrong variants is reported where they are selected."""
    from enumerator.cat.variants import chosen_options

    try:
        return chosen_options(selected.model, selected.name, expectation.variants)
    except InputError:
        return {"": ""}  # matches nothing


def _answer(
    request: Request, engine_name: str, shown: tuple[str, ...], expectation: Expectation | None, *, first: bool
) -> Result:
    from enumerator.request import Outcomes
    from enumerator.results.verdict import compare, format_formula, is_undefined_behaviour, judge

    test, selected = request.test, request.model
    run = engine_of(engine_name)
    start = now()
    interrupted = False
    try:
        try:
            outcomes = run(request)
        except PlainEngineNeeded as reason:
            engine_name = "networkx"
            outcomes = engine_of(engine_name)(request)
            note = f"checked by the plain engine: {reason}"
            outcomes = replace(outcomes, notes=(*outcomes.notes, note))
    except LimitReached as limit:
        outcomes = Outcomes({}, status=limit.status, notes=(str(limit),) if str(limit) else ())
    except Interrupted as stop:
        outcomes, interrupted = stop.partial, True
    except MemoryError:
        outcomes = Outcomes({}, status="limit", notes=("out of memory",))
    seconds = now() - start

    status = "limit" if outcomes.status == "complete" and outcomes.cut else outcomes.status
    complete = status == "complete" and not outcomes.stopped
    counted = outcomes.counted and not request.outcomes_only
    _check_assertions(request, outcomes.flags)
    verdict = judge(
        test.condition,
        request.columns,
        shown,
        outcomes.states,
        counted=counted,
        complete=complete,
        undefined=outcomes.undefined or any(map(is_undefined_behaviour, outcomes.flags)),
    )
    as_expected: bool | None = None
    if expectation is not None:
        as_expected = compare(
            verdict, outcomes.flags, expectation, test.condition.quantifier, complete=complete, first=first
        )
    elif not test.expectations and verdict.verdict != "unknown":
        as_expected = verdict.verdict == "Ok"
    result = Result(
        name=test.name,
        path=test.path,
        model=selected.name,
        profile=request.profile.name,
        hb=selected.options.get("hb"),
        thin_air=selected.options.get("thin-air"),
        options=dict(selected.options),
        quantifier=test.condition.quantifier.value,
        condition=test.condition.text,
        verdict=verdict.verdict,
        observation=verdict.observation,
        positive=verdict.positive if counted else None,
        negative=verdict.negative if counted else None,
        states=verdict.states,
        flags=tuple(sorted(outcomes.flags)),
        undefined_by=tuple(sorted(_undefining(outcomes, selected))),
        expected=expectation.observation if expectation is not None else None,
        expected_flags=tuple(sorted(expectation.flags)) if expectation is not None else None,
        as_expected=as_expected,
        explored=None if request.outcomes_only else outcomes.explored,
        consistent=None if request.outcomes_only else outcomes.consistent,
        cut=outcomes.cut,
        status=status,
        seconds=seconds,
        notes=tuple(_notes(request, outcomes, verdict)),
        formula=format_formula(test.condition.formula),
        question=Rerun(request, engine_name),
    )
    if interrupted:
        raise Interrupted(result)
    return result


def _undefining(outcomes: Outcomes, selected: SelectedModel) -> Iterator[str]:
    """Name the flags that make a program undefined: ``ub-*``, and the checks that a model declares so."""
    from enumerator.results.verdict import is_undefined_behaviour

    yield from (flag for flag in outcomes.flags if flag != "ub" and is_undefined_behaviour(flag))
    if outcomes.undefined:
        yield from outcomes.flags & _flags(selected, ("undefined_unless",))


def _flags(selected: SelectedModel, kinds: tuple[str, ...] = ("flag", "undefined_unless")) -> frozenset[str]:
    """Name the flags that a model may raise."""
    from enumerator.cat.flatten import flatten
    from enumerator.cat.syntax import Check

    return frozenset(
        statement.name or statement.kind
        for statement in flatten(selected.model, selected.variants)
        if isinstance(statement, Check) and statement.kind in kinds
    )


def _check_assertions(request: Request, flags: frozenset[str]) -> None:
    """Refuse the test where an ``assert`` of the model does not hold, as herd7 does."""
    from enumerator.cat.syntax import ASSERTION

    for flag in sorted(flags):
        if flag.startswith(ASSERTION):
            message = f"the model's {ASSERTION}{flag.removeprefix(ASSERTION)} fails on {request.test.path}"
            raise InputError(message, request.model.model.path)


def _notes(request: Request, outcomes: Outcomes, verdict: Verdict) -> Iterator[str]:
    from enumerator.cat.typing import world
    from enumerator.unfold.paths import ENDS

    states = verdict.states
    if states.undetermined.any():
        what = "undef" if states.rests_on_undef else "values that are not interpreted"
        if request.test.condition.quantifier is Quantifier.FORALL:
            yield f"a state over {what}, which may fail the condition, counts against it"
        elif states.undetermined.sum() == states.witnesses.sum():
            yield f"the witness rests on {what}"
        else:
            yield f"some witnesses rest on {what}"
    if outcomes.cut:
        bound = f"the bound on loops ({request.unroll})"
        yield f"{outcomes.cut} execution{'s were' if outcomes.cut != 1 else ' was'} cut at {bound}"
    if outcomes.stopped:
        yield "stopped at the first execution that decides the verdict: flags are not decided"
    elif request.decided is not None:
        yield "only the verdict was asked for: flags are not decided"
    yield from outcomes.notes
    for flag in request.flags:
        if flag not in (*ENDS, "ub", *_flags(request.model)):
            yield f"the model {request.model.name} has no flag {flag}: no execution raises it"
    yield from request.test.notes
    for name, place in world(request.model.model, request.model.variants).unshown:
        yield f"{place.path}:{place.line}:{place.column}: 'show' names '{name}', which is not defined: it is not shown"
    for tag in request.profile.unknown_tags(_tags(request.test)):
        yield f"the profile {request.profile.name} does not know the tag {tag} (it counts all the same)"


def _tags(test: Test) -> set[Tag]:
    return {
        tag
        for function in test.functions.values()
        for block in function.blocks
        for instruction in block.body
        if (annotation := getattr(instruction, "annotation", None)) is not None
        for tag in annotation.tags
    }
