"""What is asked about a test in a batch: the models, profiles and variants, and the results for them all."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from enumerator.api import check, load
from enumerator.clock import now, time_limit
from enumerator.corpus.keys import Digests, Needs
from enumerator.corpus.readings import READING, other_readings
from enumerator.errors import InputError, Interrupted, Timeout, message_of
from enumerator.frontend import SOURCES, compiler_of
from enumerator.frozen import dataclass
from enumerator.mmra import Profile, profile_names, profile_of_test
from enumerator.options import BatchOptions
from enumerator.program.test import Test
from enumerator.results.result import Result
from enumerator.results.verdict import is_undefined_behaviour
from enumerator.search.helping import helped_by

if TYPE_CHECKING:
    from enumerator.cat.selected import SelectedModel
    from enumerator.request import Request
    from enumerator.search.forks import Helper

__all__ = [
    "MOST_DESCRIBED",
    "Answer",
    "Combination",
    "Models",
    "Task",
    "check_file",
    "check_keyed",
    "combinations",
    "failure",
]

MOST_DESCRIBED = 20
"""How many executions of a test are described in words."""


@dataclass(frozen=True, slots=True)
class Combination:
    """What a test is checked under; the profile None is the test's own, `line` is where the expectation stands."""

    model: str
    profile: str | None = None
    options: tuple[tuple[str, str], ...] = ()
    variants: tuple[str, ...] = ()
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Task:
    """A file to be checked.

    Parameters
    ----------
    path : str
    number : int
        Its place in the batch.
    key : str
        All that its results have in common (:func:`enumerator.corpus.keys.key_of_test`); empty where nothing is kept.
    known : frozenset of str
        The keys of results that are there already.
    """

    path: str
    number: int = 0
    key: str = ""
    known: frozenset[str] = frozenset()

    def __str__(self) -> str:
        return self.path


@dataclass(frozen=True, slots=True)
class Answer:
    """A result of a file with what it is known by.

    Parameters
    ----------
    key : str
        Empty where the same question may have another answer: an interruption, an error of the machine.
    needs : Needs
    result : Result or None
        None where the result is known already, or only written.
    record, more : str
        The result as :func:`enumerator.corpus.encoding.encode` writes it.
    """

    key: str
    needs: Needs
    result: Result | None = None
    record: str = ""
    more: str = ""


class Models:
    """The models of a batch: each is read and checked once, which takes longer than most tests.

    Attributes
    ----------
    digests : Digests
        Of what they are made of, and of profiles.
    """

    @classmethod
    def of(cls, options: BatchOptions) -> Models:
        """Give those that options speak of."""
        return cls(options.include_dirs, options.includes_anywhere, options.profile)

    def __init__(
        self, include_dirs: Sequence[str], includes_anywhere: bool = False, profile: str | None = None
    ) -> None:
        self.digests = Digests(include_dirs, includes_anywhere, profile)
        self._include_dirs = include_dirs
        self._includes_anywhere = includes_anywhere
        self._known: dict[tuple[str, tuple[tuple[str, str], ...], tuple[str, ...]], SelectedModel] = {}

    def select(
        self, name: str, options: tuple[tuple[str, str], ...] = (), variants: tuple[str, ...] = ()
    ) -> SelectedModel:
        """Give a model with its variants, as :func:`enumerator.cat.typing.select` does."""
        from enumerator.cat.typing import select

        key = name, options, variants
        if key not in self._known:
            self._known[key] = select(name, self._include_dirs, dict(options), variants, self._includes_anywhere)
        return self._known[key]


def combinations(test: Test, options: BatchOptions, models: Models) -> tuple[Combination, ...]:
    """List what a test is to be checked under.

    Parameters
    ----------
    test : Test
    options : BatchOptions
    models : Models

    Returns
    -------
    tuple of Combination
        Each once, in the order of the models or of the expectations. That a model or variant does not exist shows when
        the test is checked under it.
    """
    from enumerator.asking import DEFAULT_MODELS

    asked = tuple(options.alternatives.items())
    if options.models or not (options.by_expectations and test.expectations):
        default = DEFAULT_MODELS.get(test.format, "")
        return tuple(
            Combination(model, options.profile, asked, tuple(options.variants))
            for model in dict.fromkeys(options.models or (default,))
        )
    from enumerator.cat.variants import chosen_options, option_of

    found: dict[Combination, Combination] = {}
    for expectation in test.expectations:
        profile = options.profile if options.profile is not None else expectation.profile
        combination = Combination(expectation.model, profile, line=expectation.line)
        try:
            model = models.select(expectation.model)
            chosen = {**model.options, **chosen_options(model.model, model.name, expectation.variants)}
        except InputError:
            combination = replace(combination, variants=expectation.variants)  # reported when it is checked
        else:
            chosen |= {option: value for option, value in asked if option in chosen}
            for variant in options.variants:
                option = option_of(model.model, variant)
                if option is not None:
                    chosen[option] = variant
            combination = replace(combination, options=tuple(sorted(chosen.items())))
        found.setdefault(replace(combination, line=None), combination)
    return tuple(found.values())


_PATIENCE = 5.0
"""Seconds that other readings of a test may take together, or as many as its own has taken, if these are more."""


def check_file(path: str, options: BatchOptions, models: Models) -> Iterator[Result]:
    """Check a file under all that it is to be checked under; an error is a result, too.

    Parameters
    ----------
    path : str
    options : BatchOptions
    models : Models

    Yields
    ------
    Result

    See Also
    --------
    check_keyed : Leaves out what is known already.
    combinations : What it is checked under.
    enumerator.check : One of these checks.
    """
    for _, do in _checks(path, options, models):
        try:
            yield do()
        except Interrupted as stop:  # what there is gets reported, and nothing more is begun
            yield stop.partial
            raise


def check_keyed(task: Task, options: BatchOptions, models: Models) -> Iterator[Answer]:
    """Check a file as :func:`check_file` does, but for the results that are known; and say by what they are known.

    Parameters
    ----------
    task : Task
    options : BatchOptions
    models : Models

    Yields
    ------
    Answer
    """
    from enumerator.corpus.encoding import encode  # one test that nobody keeps needs none of it

    for asked, do in _checks(task.path, options, models):
        needs = asked.with_digests(models.digests, task.path)
        key = needs.key(task.key)
        if key in task.known:
            yield Answer(key, needs)
            continue
        try:
            result = do()
        except Interrupted as stop:
            yield Answer("", needs, stop.partial)
            raise
        record, more = encode(result)
        yield Answer(key if _repeats(result) else "", needs, result, record, more)


def _repeats(result: Result) -> bool:
    """Tell whether the same input gives the same: no error that the machine, or its compiler, may be the cause of."""
    if result.status != "error":
        return "interrupted" not in result.notes
    blames_the_machine = "internal error: " in (result.error or "") or (result.error or "").endswith("out of memory")
    return not (blames_the_machine or result.path.lower().endswith(SOURCES))


_Check = tuple[Needs, Callable[[], Result]]


def _checks(path: str, options: BatchOptions, models: Models) -> Iterator[_Check]:
    """List the checks of a file, each with what its result rests on; they are done when they are called."""
    begun = now()
    try:
        with time_limit(options.timeout):
            test = load(path, compiler_of(path, options))
            asked = combinations(test, options, models)
    except Timeout:
        late = Result.late(Path(path).stem, path, "while the test was read", now() - begun)
        yield Needs(), lambda: late
        return
    except Exception as error:  # noqa: BLE001 - a batch goes on whatever a file does
        failed = failure(path, _message(error, path))
        yield Needs(), lambda: failed
        return
    if options.timeout is not None:  # reading the test is part of what each of its checks takes
        options = replace(options, timeout=max(0.0, options.timeout - (now() - begun)))
    for combination in asked:
        yield _needs(test, combination), partial(_checked, test, combination, options, models)


def _needs(test: Test, combination: Combination) -> Needs:
    profile = combination.profile if combination.profile is not None else test.target_profile or test.profile
    compiled = test.source if test.path.lower().endswith(SOURCES) else ""
    chosen = (*(f"{name}={value}" for name, value in combination.options), *combination.variants)
    return Needs(combination.model, profile, chosen, compiled)


def _checked(test: Test, combination: Combination, options: BatchOptions, models: Models) -> Result:
    begun = now()
    try:
        return _check(test, combination, options, models)
    except Interrupted as stop:
        raise Interrupted(stop.partial.without_question()) from None
    except Timeout:
        model, profile = combination.model, combination.profile
        return Result.late(test.name, test.path, "before the search began", now() - begun, model, profile)
    except Exception as error:  # noqa: BLE001
        message = _message(error, test.path, combination.line)
        failed = failure(test.path, message, test.name)
        return replace(failed, model=combination.model, profile=combination.profile)


def _check(test: Test, combination: Combination, options: BatchOptions, models: Models) -> Result:
    with time_limit(options.timeout):
        model = models.select(combination.model, combination.options, combination.variants)

    profile: str | Profile | None = combination.profile
    if combination.profile is not None and options.profile is None:  # the test's own expectation names it
        profile = profile_of_test(combination.profile, test.path)

    plain = replace(options, hb=None, thin_air=None, variants=())  # the model has its variants

    asked: dict[str, Result] = {}

    def under(other: Profile, reading: str) -> Result:
        chosen = {**model.options, READING: reading}
        read_so = models.select(combination.model, tuple(sorted(chosen.items())))
        brief = not options.pictures
        found = Result.late(test.name, test.path, "before the search began", 0.0, model.name, other.name)
        with time_limit(max(0.0, until - now())), suppress(Timeout):
            found = check(test, read_so, options=plain, profile=other, outcomes_only=brief, all_values=False)
        if not brief:
            asked[reading if reading != model.options[READING] else other.name] = found
        return found

    with time_limit(options.timeout), helped_by(_helper(options)):
        result = check(test, model, options=plain, profile=profile)
        searched = now()
        question, unexpected = result.question, not options.by_expectations or result.as_expected is False
        with suppress(Timeout):
            if unexpected and question is not None:
                if any(map(is_undefined_behaviour, result.undefined_by)):
                    result = replace(result, causes=question.causes())
                elif "assert" in result.flags:
                    result = replace(result, causes=question.failures() or result.causes)
            if options.verbose and unexpected and question is not None:
                result = replace(
                    result, details=question.describe(MOST_DESCRIBED, options.show, every=options.every_execution)
                )
            if options.hb is None and result.verdict != "unknown":
                begun = now()
                until = begun + max(_PATIENCE, result.seconds)
                readings, late = other_readings(test, model, result, under, expected=options.by_expectations)
                notes = tuple(_of_readings(late, profile_names(), now() - begun))
                result = replace(result, readings=readings, notes=(*result.notes, *notes))
        result = replace(result, seconds=result.seconds + now() - searched)
    if options.pictures:
        result = _with_pictures(result, {name: asked[name] for name in result.readings}, options.pictures)
    return result.without_question()


def _of_readings(late: Sequence[str], profiles: Collection[str], seconds: float) -> Iterator[str]:
    """Say which other readings were not searched to their ends, and what asks for one."""
    if late:
        asks = ", ".join(f"--{'profile' if name in profiles else 'hb'} {name}" for name in late)
        which = "another reading" if len(late) == 1 else f"{len(late)} other readings"
        yield f"of {which}, {seconds:.1f} s left open whether anything else comes out: {asks}"


def _helper(options: BatchOptions) -> Callable[[Request], Helper] | None:
    """Give what lets other machines help with a search."""
    if options.dask is None:
        return None
    from enumerator.corpus.helpers import helper

    return partial(helper, options.dask)


def _with_pictures(result: Result, under: Mapping[str, Result], most: int) -> Result:
    """Add pictures of executions, also of the results under other readings, and the source."""
    from enumerator.analysis.source import Source
    from enumerator.drawing import pictures_of

    assert result.question is not None
    others = {
        name: replace(other, pictures=pictures_of(other, 1, name)).without_question() for name, other in under.items()
    }
    source = "\n".join(Source.of(result.question.request.test).lines)
    return replace(result, source=source, pictures=pictures_of(result, most), under=others)


def failure(path: str, message: str, name: str | None = None) -> Result:
    """Give the result of a test that could not be checked.

    Parameters
    ----------
    path, message : str
    name : str, optional
        The test's, where it is known; else the file's stem.

    Returns
    -------
    Result

    Examples
    --------
    >>> failure("a/mp.ll", "a/mp.ll:3: expected a type").status
    'error'
    """
    return Result(name=name if name is not None else Path(path).stem, path=path, status="error", error=message)


def _message(error: Exception, path: str, line: int | None = None) -> str:
    if isinstance(error, InputError):
        # a model or profile that an expectation names has its own place, if it exists
        elsewhere = error.path not in (None, path) and not str(error.path).startswith("--")
        if line is not None and error.line is None and not elsewhere:
            return str(InputError(error.message, path, line))
        return str(error if error.path is not None else InputError(error.message, path, error.line, error.column))
    return f"{path}: {message_of(error)}"
