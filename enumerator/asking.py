"""What an engine is asked about a test: the model and profile, and which final values make a state."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from os import fspath

from enumerator.cat.flatten import declared_options, flatten
from enumerator.cat.parser import shipped_models
from enumerator.cat.selected import SelectedModel
from enumerator.cat.syntax import Check, Model
from enumerator.cat.typing import select
from enumerator.cat.variants import chosen_options
from enumerator.clock import time_limit
from enumerator.conditions import flag_names, names
from enumerator.errors import InputError, LimitReached
from enumerator.mmra import Profile, load_profile, profile_of_test
from enumerator.options import Options
from enumerator.program.instructions import HIDDEN
from enumerator.program.test import Expectation, Test
from enumerator.program.values import Value
from enumerator.request import Request
from enumerator.results.verdict import decides, name_key
from enumerator.unfold import DEFAULT_UNROLL, all_names
from enumerator.unfold.covered import covered
from enumerator.unfold.paths import ENDS
from enumerator.unfold.rotated import unrotated

__all__ = [
    "DEFAULT_MODELS",
    "expectation_of",
    "flags_of",
    "make_request",
    "select_model",
    "knows_availability",
    "profile_named_by",
    "select_profile",
    "shown_names",
]

DEFAULT_MODELS = {
    "llvm": "llvm",
    "c": "rc11",
    "opencl": "opencl",
    "vulkan": "vulkan",
    "alloy": "vulkan",
    "ptx": "ptx-7.5",
}
"""The model that a test of each format is checked under when none is named."""

_NAMING = 2.0
"""Seconds to find all registers by the paths of the threads, which are as many as their reads have values."""

_MOST_KEPT = 256
_flags: dict[tuple[int, frozenset[str], tuple[str, ...]], tuple[Model, frozenset[str]]] = {}
"""The flags of models, which each check of a test asks for."""


def select_model(test: Test, model: str | SelectedModel | None, options: Options) -> SelectedModel:
    """Select the model that a test is checked under, with its variants.

    Parameters
    ----------
    test : Test
    model : str or SelectedModel, optional
        As for :func:`enumerator.check`.
    options : Options

    Returns
    -------
    SelectedModel

    Raises
    ------
    InputError
        If the model cannot be used or has no such variants, or none is named and there is no default.
    Timeout
        If the time is up before it is read.

    See Also
    --------
    enumerator.cat.typing.select
    """
    if model is None:
        if test.format not in DEFAULT_MODELS:
            raise InputError(f"tests of the format {test.format!r} have no default model; name one", test.path)
        model = DEFAULT_MODELS[test.format]
    if not isinstance(model, SelectedModel):
        variants = options.variants
        with time_limit(options.timeout):
            return select(
                fspath(model), options.include_dirs, options.alternatives, variants, options.includes_anywhere
            )
    if options.alternatives or options.variants:
        raise InputError(f"the variants of the model {model.name!r} are selected already")
    return model


def select_profile(test: Test, profile: str | Profile | None, model: SelectedModel | None = None) -> Profile:
    """Give the target profile that a test is checked under: the one that is named, else the test's.

    Parameters
    ----------
    test : Test
    profile : str or Profile, optional
    model : SelectedModel, optional
        Under one of the target that a program was compiled for, the default is the target's.

    Returns
    -------
    Profile

    See Also
    --------
    enumerator.mmra.load_profile, enumerator.mmra.profile_of_test
    """
    if isinstance(profile, Profile):
        return profile
    if profile is not None:
        return load_profile(profile)
    return profile_of_test(test.profile if model is None else profile_named_by(test, model), test.path)


def profile_named_by(test: Test, model: SelectedModel) -> str:
    """Give the name of the profile that a test has under a model, where nobody asks for another.

    Parameters
    ----------
    test : Test
    model : SelectedModel

    Returns
    -------
    str
    """
    return test.target_profile if test.target_profile and knows_availability(model) else test.profile


def knows_availability(model: SelectedModel) -> bool:
    """Tell whether a model looks at ``amdgcn-av:none``, as those of AMDGPU do."""
    from enumerator.cat.flatten import flatten

    return "'AV_NONE'" in repr(list(flatten(model.model, model.variants)))  # enough to see which sets it names


def shown_names(test: Test, options: Options) -> tuple[str, ...]:
    """Name what the states of a result hold: what the condition names, or all registers and locations.

    Where the paths of the threads are too many to find these by them, they are what the text of the threads' own
    functions assigns, and the elements of the objects: a search needs no paths, and may well come to its end.

    Parameters
    ----------
    test : Test
    options : Options

    Returns
    -------
    tuple of str
    """
    formula = test.condition.formula
    shown = {*names(formula), *flag_names(formula), *(name.text for name in test.locations)}
    if options.all_values:
        try:
            with time_limit(_NAMING):
                shown.update(all_names(test))
        except LimitReached:
            with suppress(LimitReached):
                shown.update(_names_in_text(test))
    return tuple(sorted(shown, key=name_key))


def _names_in_text(test: Test) -> Iterator[str]:
    """Name the registers that the functions of the threads assign, without those that they call, and the locations.

    Examples
    --------
    >>> from enumerator.frontend import load_text
    >>> text = "@x = global [2 x i32] zeroinitializer\\ndefine void @t() {\\n  %a = load i32, ptr @x\\n  ret void\\n}"
    >>> list(_names_in_text(load_text(text, "t.ll")))
    ['t:%a', '@x[0]', '@x[1]']
    """
    for thread in test.threads:
        function = test.functions[thread.function]
        if function.shown is not None:
            yield from (f"{thread.name}:{shown}" for _, shown in function.shown)
        else:
            parts = (part for block in function.blocks for part in block.parts)
            targets = (getattr(part, "target", None) for part in parts)
            registers = [*function.parameters, *(each for each in targets if isinstance(each, str))]
            yield from (f"{thread.name}:%{register}" for register in registers if not register.startswith(HIDDEN))
    yield from all_names(replace(test, threads=()))


def make_request(
    test: Test, model: SelectedModel, profile: Profile, options: Options, shown: Sequence[str] = ()
) -> Request:
    """Make the request for a check of a test: every request to an engine begins here.

    Parameters
    ----------
    test : Test
    model : SelectedModel
    profile : Profile
    options : Options
    shown : sequence of str
        What states are to hold, beside what the filter of the condition names.

    Returns
    -------
    Request

    Raises
    ------
    InputError
        If a flag is named that nothing raises, or one is expected that the model does not have.

    See Also
    --------
    enumerator.engines.search : Answers a request.
    """
    condition = test.condition
    asked, flags = tuple(shown), tuple(flag for flag in flag_names(condition.formula) if flag in shown)
    if condition.filter is not None:
        more = flag_names(condition.filter)
        asked = tuple(dict.fromkeys((*asked, *names(condition.filter), *more)))
        flags = tuple(dict.fromkeys((*flags, *more)))
    _check_flags(flags, test, model)
    _check_expected(test, model, profile)
    request = Request(
        test=unrotated(covered(test), {name.partition(":")[2] for name in asked if ":" in name}),
        model=model,
        profile=profile,
        names=tuple(name for name in asked if name not in flags),
        flags=flags,
        unroll=next(bound for bound in (options.unroll, test.unroll, DEFAULT_UNROLL) if bound is not None),
        unroll_more=options.unroll is None and test.unroll is None,
        timeout=options.timeout,
        max_executions=options.max_executions,
        outcomes_only=options.outcomes_only,
        jobs=options.jobs,
    )
    return replace(request, decided=_stops(request), undefined_decides=True) if options.first else request


def flags_of(model: SelectedModel, kinds: tuple[str, ...] = ("flag", "undefined_unless")) -> frozenset[str]:
    """Name the flags that a model may raise.

    Parameters
    ----------
    model : SelectedModel
    kinds : tuple of {'flag', 'undefined_unless'}
        By which statements.

    Returns
    -------
    frozenset of str
    """
    key = id(model.model), model.variants, kinds
    if key not in _flags:
        if len(_flags) >= _MOST_KEPT:
            _flags.clear()
        found = frozenset(
            statement.name or statement.kind
            for statement in flatten(model.model, model.variants)
            if isinstance(statement, Check) and statement.kind in kinds
        )
        _flags[key] = model.model, found  # the key holds the identity of the model, which must not be collected
    return _flags[key][1]


def _check_flags(flags: Sequence[str], test: Test, model: SelectedModel) -> None:
    """Refuse flags that nothing raises: neither an execution that ends early nor any shipped model."""
    known = {*ENDS, "ub", *flags_of(model)}
    if not known.issuperset(flags):
        known |= {flag for name in shipped_models() for flag in flags_of(select(name))}
        for flag in flags:
            if flag not in known:
                raise InputError(f"there is no flag {flag!r}; there are {', '.join(sorted(known))}", test.path)


def _check_expected(test: Test, model: SelectedModel, profile: Profile) -> None:
    """Refuse an expectation of flags that no execution can raise under this model."""
    expected = expectation_of(test, model, profile)
    known = {*ENDS, "ub", *flags_of(model)}
    if expected is not None and not known.issuperset(expected.flags):
        what = f"under {model.name} nothing raises the flag {min(expected.flags - known)!r}"
        raise InputError(f"EXPECT: {what}: it has {', '.join(sorted(known))}", test.path, expected.line)


def expectation_of(test: Test, model: SelectedModel, profile: Profile) -> Expectation | None:
    """Find what a test expects under a model, with its options, and a profile; None if nothing."""
    defaults = {option: alternatives[0] for option, alternatives in declared_options(model.model).items()}
    for expectation in test.expectations:
        if (
            expectation.model == model.name
            and (expectation.profile or profile_named_by(test, model)) == profile.name
            and {**defaults, **_chosen(expectation, model)} == dict(model.options)
        ):
            return expectation
    return None


def _chosen(expectation: Expectation, model: SelectedModel) -> dict[str, str]:
    """Give the options of an expectation; one with wrong variants is reported where they are selected."""
    try:
        return chosen_options(model.model, model.name, expectation.variants)
    except InputError:
        return {"": ""}  # matches nothing


def _stops(request: Request) -> Callable[[tuple[Value, ...]], bool]:
    condition, columns = request.test.condition, request.columns
    return lambda values: decides(condition, dict(zip(columns, values, strict=True)))
