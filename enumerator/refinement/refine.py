"""Whether one program refines another: as they are, or in every context up to a size (semantics, section 7)."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import field, replace
from functools import partial
from itertools import islice
from typing import Any, Unpack

from enumerator.asking import profile_named_by, select_model, select_profile
from enumerator.cat.flatten import declared_options
from enumerator.cat.parser import shipped_models
from enumerator.cat.selected import SelectedModel
from enumerator.clock import check_time, now, time_limit
from enumerator.errors import InputError, LimitReached
from enumerator.frozen import dataclass
from enumerator.mmra import Profile, profile_names
from enumerator.options import DEFAULT, Keywords, Options
from enumerator.program.test import Test
from enumerator.refinement.alphabet import Alphabet, alphabet
from enumerator.refinement.contexts import Context, Family, families
from enumerator.refinement.correspondence import Correspondence, correspond
from enumerator.refinement.emit import context_lines, test_text
from enumerator.refinement.outcomes import Outcome
from enumerator.refinement.program import freezes, in_context, observed_of, thread_names, with_constants
from enumerator.refinement.search import Asker, chunks
from enumerator.refinement.symmetry import symmetries
from enumerator.refinement.witness import changes, described, forbidden_by
from enumerator.unfold.constants import constants

__all__ = ["Counterexample", "Refinement", "contexts", "refines"]

MOST_CONTEXT_OPERATIONS = 6


_SAMPLED = "the source has a freeze, which may give any value for undef: only some were tried"


@dataclass(frozen=True)
class Counterexample:
    """Why a target does not refine a source.

    Parameters
    ----------
    outcome : Outcome
        Of the target; no outcome of the source covers it.
    execution : tuple of str
        An execution of the target that ends in it, described.
    lost : tuple of str
        By which axiom the source forbids it, and what the target has lost.
    context : str or None
        The source with the context in which that is so, and the outcome as its condition: a complete test. None for
        formats that are not LLVM IR.
    context_target : str or None
        The same for the target.
    threads : tuple of str
        The context alone, a line an operation.
    """

    outcome: Outcome
    execution: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    context: str | None = None
    context_target: str | None = None
    threads: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Give it as JSON holds it."""
        return {
            "outcome": self.outcome.as_json(),
            "context": self.context,
            "context_target": self.context_target,
            "execution": list(self.execution),
            "lost": list(self.lost),
        }


@dataclass(frozen=True)
class Refinement:
    """The answer whether a target refines a source.

    Parameters
    ----------
    source, target : str
        Their files.
    model, profile : str
    refines : bool or None
        None where a limit left it unknown.
    contexts : int
        In how many contexts that was asked; 1 for the programs as they are.
    undefined_source : bool
        The source is undefined, and so covers everything (of contexts: in some).
    undefined_contexts : int
        In how many contexts.
    counterexample : Counterexample or None
    status : {'complete', 'timeout', 'limit'}
    seconds : float
    notes : tuple of str
    """

    source: str
    target: str
    model: str
    profile: str
    refines: bool | None
    contexts: int = 1
    undefined_source: bool = False
    undefined_contexts: int = 0
    counterexample: Counterexample | None = None
    status: str = "complete"
    seconds: float = 0.0
    notes: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Give the answer as JSON holds it.

        Examples
        --------
        >>> Refinement("a.ll", "b.ll", "llvm", "generic", True).as_json()["refines"]
        True
        """
        return {
            "source": self.source,
            "target": self.target,
            "model": self.model,
            "profile": self.profile,
            "refines": self.refines,
            "contexts": self.contexts,
            "undefined_source": self.undefined_source,
            "undefined_contexts": self.undefined_contexts,
            "counterexample": None if self.counterexample is None else self.counterexample.as_json(),
            "status": self.status,
            "seconds": round(self.seconds, 6),
            "notes": list(self.notes),
        }


def refines(
    source: Test,
    target: Test,
    model: str | SelectedModel | None = None,
    *,
    contexts: int | None = None,
    options: Options | None = None,
    progress: Callable[[int], None] | None = None,
    explain: bool = True,
    observed: Sequence[str] | None = None,
    untouched: Collection[str] = (),
    **fields: Unpack[Keywords],
) -> Refinement:
    """Tell whether a target refines a source: whether each of its outcomes is covered by one of the source.

    Parameters
    ----------
    source, target : Test
    model : str or SelectedModel, optional
        As for :func:`enumerator.check`.
    contexts : int, optional
        Ask it in all contexts of so many operations: next to every other one or two threads. Without it, of the two
        programs as they are.
    options : Options, optional
        How outcomes are found. The time limit holds for the whole answer.
    progress : callable, optional
        Called with the number of contexts that were tried, now and then.
    explain : bool
        Describe the counterexample; without, only its outcome and tests are given.
    observed : sequence of str, optional
        The names to compare, instead of what the tests say.
    untouched : collection of str
        Globals that no context accesses.
    **fields
        Fields of :class:`~enumerator.options.Options`.

    Returns
    -------
    Refinement

    Raises
    ------
    InputError
        If threads, scope trees or shared globals do not correspond, or as for checking the tests.

    See Also
    --------
    enumerator.refinement.optimize.optimize : Asks this of what LLVM makes of a test.

    References
    ----------
    J. Lee et al., "AliveInLean: A Verified LLVM Peephole Optimization Verifier", 2019: refinement with undef.

    Examples
    --------
    >>> from enumerator.frontend import load_text
    >>> text = "@x = global i32 0\\ndefine void @t() {{\\n  store atomic i32 1, ptr @x {}, align 4\\n  ret void\\n}}"
    >>> strong, weak = (load_text(text.format(each), f"{each}.ll") for each in ("release", "monotonic"))
    >>> refines(weak, strong, contexts=2).refines, refines(strong, weak, contexts=1).refines
    (True, True)
    """
    options = replace(options or Options(), **fields)
    if contexts is not None and not 0 <= contexts <= MOST_CONTEXT_OPERATIONS:
        raise InputError(
            f"expected 0 to {MOST_CONTEXT_OPERATIONS} operations of contexts, not {contexts}", "--contexts"
        )
    selected = select_model(source, model, options)
    profile = select_profile(source, options.profile, selected)
    begun = now()
    try:
        with time_limit(options.timeout):
            question = _Question(
                source, target, selected, profile, replace(options, timeout=None), explain, observed, untouched
            )
            answer = question.alone() if contexts is None else question.among(contexts, progress or (lambda _: None))
    except LimitReached as limit:
        told = (str(limit),) if str(limit) != limit.status else ()
        answer = Refinement(
            source.path, target.path, selected.name, profile.name, None, contexts=0, status=limit.status, notes=told
        )
    notes = dict.fromkeys((*source.notes, *target.notes, *answer.notes))
    return replace(answer, seconds=now() - begun, notes=tuple(notes))


def contexts(
    source: Test,
    target: Test,
    size: int,
    model: str | SelectedModel | None = None,
    *,
    options: Options = DEFAULT,
) -> Iterator[tuple[Test, Test]]:
    """Give both programs in each context of up to a size, smallest first.

    Parameters
    ----------
    source, target : Test
    size : int
        Operations of a context in all.
    model : str or SelectedModel, optional
        Makes no difference: the contexts are the same under all models.
    options : Options

    Yields
    ------
    tuple of (Test, Test)
        Tests without condition.

    Examples
    --------
    >>> from enumerator.frontend import load_text
    >>> text = "@x = global i32 0\\ndefine void @t() {\\n  store i32 1, ptr @x\\n  ret void\\n}"
    >>> test = load_text(text, "t.ll")
    >>> len(list(contexts(test, test, 1)))
    6
    """
    shared = correspond(source, target, unroll=options.unroll)
    letters = _alphabet(source, target, shared)
    names = thread_names((source, target))
    for family in families(source, letters, size, symmetries((source, target), shared.touched, shared.observed)):
        for chosen in chunks(family):
            for numbers in _numbers(chosen):
                if family.holds(numbers):
                    context = family.context(numbers)
                    yield in_context(source, context, letters, names), in_context(target, context, letters, names)


def _alphabet(source: Test, target: Test, shared: Correspondence) -> Alphabet:
    known = [value for test in (source, target) for value in constants(test)]
    return alphabet((source, target), shared.touched, known)


def _numbers(chosen: tuple[range, ...]) -> Iterable[tuple[int, ...]]:
    if len(chosen) < 2:
        return [()] if not chosen else [(number,) for number in chosen[0]]
    return [(first, second) for first in chosen[0] for second in chosen[1]]


@dataclass
class _Tried:
    """What one search says of some contexts."""

    count: int
    undefined: int
    suspects: list[tuple[int, ...]]
    status: str
    complete: bool


@dataclass
class _Question:
    source: Test
    target: Test
    model: SelectedModel
    profile: Profile
    options: Options
    explain: bool
    observed: Sequence[str] | None = None
    untouched: Collection[str] = ()
    shared: Correspondence = field(init=False)
    asker: Asker = field(init=False)

    def __post_init__(self) -> None:
        self.shared = correspond(self.source, self.target, unroll=self.options.unroll)
        touched = tuple(place for place in self.shared.touched if place.object not in self.untouched)
        self.shared = replace(self.shared, touched=touched)
        if self.observed is not None:
            self.shared = replace(self.shared, observed=tuple(self.observed))
        self.asker = Asker(self.model, self.profile, self.options, self.shared.observed)
        self.names = thread_names((self.source, self.target))
        self.samples = freezes(self.source)
        mine, theirs = constants(self.source), constants(self.target)
        self.source, self.target = with_constants(self.source, theirs), with_constants(self.target, mine)

    def _answer(self, verdict: bool | None, **more: Any) -> Refinement:
        return Refinement(self.source.path, self.target.path, self.model.name, self.profile.name, verdict, **more)

    # The programs as they are -----------------------------------------------------------------------------------

    def alone(self) -> Refinement:
        """Answer for the programs as they are."""
        verdict, outcome, status, undefined, notes = self._decide(self.source, self.target, self.shared.observed)
        example = self._example(outcome, self.source, self.target) if outcome is not None and verdict is False else None
        more = (f"not covered as far as was searched: {outcome}",) if outcome is not None and verdict is None else ()
        return self._answer(
            verdict,
            undefined_source=undefined,
            undefined_contexts=int(undefined),
            counterexample=example,
            status=status,
            notes=(*notes, *more),
        )

    def _decide(
        self, source: Test, target: Test, names: tuple[str, ...]
    ) -> tuple[bool | None, Outcome | None, str, bool, tuple[str, ...]]:
        """Compare two tests: verdict, an outcome that is not covered, status, whether the source is undefined."""
        mine = self.asker.alone(source, names)
        if mine.outcomes.undefined:
            return True, None, "complete", True, mine.notes
        theirs = self.asker.alone(target, names)
        outcome = next(theirs.outcomes.uncovered(mine.outcomes), None)
        status = mine.status if mine.status != "complete" else theirs.status
        notes = tuple(dict.fromkeys((*mine.notes, *theirs.notes)))
        if outcome is not None and mine.complete and self.samples:
            return None, outcome, "limit", False, (*notes, _SAMPLED)
        if outcome is not None:
            return (False if mine.complete else None), outcome, "complete" if mine.complete else status, False, notes
        # Without the executions of the source that are missing, all of the target is covered all the same.
        return (True if theirs.complete else None), None, theirs.status, False, notes

    # In contexts --------------------------------------------------------------------------------------------------

    def among(self, most: int, progress: Callable[[int], None]) -> Refinement:
        """Answer for all contexts of up to so many operations."""
        self.letters = _alphabet(self.source, self.target, self.shared)
        tried = undefined = 0
        status, unknown = "complete", False
        notes = list(self.letters.notes)
        alike = symmetries((self.source, self.target), self.shared.touched, self.shared.observed)
        every = families(self.source, self.letters, most, alike)
        tasks = ((family, chosen) for family in every for chosen in chunks(family))
        try:
            for (family, _), found in self._run(tasks):
                for numbers in found.suspects:
                    context = family.context(numbers)
                    verdict, outcome, why = self._confirm(context)
                    unknown |= verdict is None
                    status = why if verdict is None else status
                    if outcome is not None and verdict is False:
                        example = self._example(outcome, *self._both(context), context)
                        at = tried + found.count
                        return self._answer(
                            False,
                            contexts=at,
                            undefined_source=undefined > 0,
                            undefined_contexts=undefined,
                            counterexample=example,
                            notes=tuple(notes),
                        )
                tried, undefined = tried + found.count, undefined + found.undefined
                if not found.complete:
                    unknown, status = True, found.status if found.status != "complete" else "limit"
                progress(tried)
                check_time()
        except LimitReached as limit:
            unknown, status = True, limit.status
        if undefined:
            notes.append(f"in {undefined} of {tried} contexts the source is undefined, and covers everything")
        return self._answer(
            None if unknown else True,
            contexts=tried,
            undefined_source=undefined > 0,
            undefined_contexts=undefined,
            status=status,
            notes=tuple(notes),
        )

    def _run(
        self, tasks: Iterator[tuple[Family, tuple[range, ...]]]
    ) -> Iterator[tuple[tuple[Family, tuple[range, ...]], _Tried]]:
        """Try contexts, in order; with several processes, some families ahead."""
        jobs = min(self.options.jobs, os.cpu_count() or 1)
        if jobs < 2:
            yield from ((task, self.attempt(task)) for task in tasks)
            return
        global _shared
        _shared = self
        with multiprocessing.get_context("fork").Pool(jobs, signal.signal, (signal.SIGINT, signal.SIG_IGN)) as pool:
            while batch := list(islice(tasks, 8 * jobs)):
                yield from zip(batch, pool.imap(_attempt, batch), strict=True)

    def attempt(self, task: tuple[Family, tuple[range, ...]]) -> _Tried:
        """Try some contexts of a family by one search for the source and one for the target."""
        family, chosen = task
        ask = self.asker.among
        mine, complete, status = ask(self.source, family, self.letters, self.names, chosen)
        theirs, also, other = ask(self.target, family, self.letters, self.names, chosen)
        found = _Tried(0, 0, [], status if status != "complete" else other, complete and also)
        for numbers in _numbers(chosen):
            if not family.holds(numbers):
                continue
            found.count += 1
            source, target = mine.get(numbers), theirs.get(numbers)
            if source is not None and source.undefined:
                found.undefined += 1
            elif target is not None and (source is None or next(target.uncovered(source), None) is not None):
                found.suspects.append(numbers)
        if not found.complete and found.status == "complete":
            # Something was cut at the bound on loops: which contexts that concerns, each one tells.
            found.suspects = [numbers for numbers in _numbers(chosen) if family.holds(numbers)]
            found.complete = True
        return found

    def _both(self, context: Context) -> tuple[Test, Test]:
        return (
            in_context(self.source, context, self.letters, self.names),
            in_context(self.target, context, self.letters, self.names),
        )

    def _confirm(self, context: Context) -> tuple[bool | None, Outcome | None, str]:
        names = (*self.shared.observed, *observed_of(self.names, context))
        verdict, outcome, status, _, _ = self._decide(*self._both(context), names)
        return verdict, outcome, status

    # Counterexamples ----------------------------------------------------------------------------------------------

    def _example(self, outcome: Outcome, source: Test, target: Test, context: Context | None = None) -> Counterexample:
        names = tuple(outcome.values)
        execution: tuple[str, ...] = ()
        lost: list[str] = []
        if self.explain:
            asked = self.asker.request(target, names)
            execution = described(asked, outcome)
            lost = [*forbidden_by(self.asker.request(source, names), outcome), *changes(self.source, self.target)]
            lost += [f"in the target {line.removeprefix('why: ')}" for line in execution if line.startswith("why: ")]
        texts: list[str | None] = [None, None]
        letters = self.letters if context is not None else None
        for place, test in enumerate((self.source, self.target)):
            if test.format == "llvm" and test.source:
                title = f"{test.title or test.name}: the {'target' if place else 'source, which never ends so'}"
                write = partial(test_text, test, outcome, self._profile(), context, letters, self.names, title=title)
                texts[place] = write(expect=self._expectation(write(), test) if self.explain else "")
        threads = () if context is None or letters is None else context_lines(context, letters, self.names)
        return Counterexample(outcome, execution, tuple(lost), texts[0], texts[1], threads)

    def _expectation(self, text: str, test: Test) -> str:
        """Say what comes out of a test, as an ``EXPECT`` line does; nothing for models and profiles of the user's."""
        from enumerator.api import check
        from enumerator.frontend.again import load_again

        if self.model.name not in shipped_models():
            return ""
        result = check(load_again(test, text), self.model, options=self._bare())
        if result.observation == "unknown" or self._profile() not in profile_names():
            return ""
        defaults = declared_options(self.model.model)
        chosen = [value for name, value in self.model.options.items() if value != defaults[name][0]]
        return f"{'/'.join((f'{self.model.name}@{self._profile()}', *chosen))}={result.outcome}"

    def _bare(self) -> Options:
        """Give the options of a check under the model, whose variants are selected."""
        return replace(self.options, profile=self.profile, hb=None, thin_air=None, variants=())

    def _profile(self) -> str:
        given = self.options.profile
        return given if isinstance(given, str) else profile_named_by(self.source, self.model)


_shared: _Question | None = None
"""What the processes of a pool work on: they are forks."""


def _attempt(task: tuple[Family, tuple[range, ...]]) -> _Tried:
    assert _shared is not None
    return _shared.attempt(task)
