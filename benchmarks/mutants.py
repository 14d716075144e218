"""Mutation score of a corpus: which parts of a model can be removed or weakened, and no test comes out differently.

``python -m benchmarks mutants MODEL…`` runs the tests of a folder that expect something of a model under each mutant
of it (:mod:`benchmarks.model_mutants`). A test *notices* a mutant if ``enumerator check`` would report it:
another observation, or other flags. Tests that come out the same but for their states are named apart.

The candidate executions of a test are made once, and all mutants that are left are evaluated on them
(:mod:`benchmarks.candidates`); each mutant that a test notices so is confirmed by a search. Small tests come first.
"""

from __future__ import annotations

import sys
import time
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from benchmarks.candidates import OPTIONS, Candidates
from benchmarks.model_mutants import Mutant, model_mutants
from benchmarks.mutant_forms import Forms
from enumerator import check, load
from enumerator.asking import select_profile
from enumerator.cat.parser import load_model
from enumerator.cat.selected import SelectedModel
from enumerator.cat.syntax import Model
from enumerator.cat.typing import select_loaded
from enumerator.clock import time_limit
from enumerator.corpus.tasks import Combination, Models, combinations
from enumerator.discovery import find_tests
from enumerator.errors import InputError, LimitReached
from enumerator.mmra import Profile, profile_of_test
from enumerator.options import BatchOptions
from enumerator.program.test import Test
from enumerator.results.result import Result

CORPUS = Path(__file__).resolve().parent.parent / "litmus_tests"
ARGUMENTS = Path(__file__).resolve().parent / "equivalent.toml"
PASSES = ((3_000, 2.0), (30_000, 6.0))
"""The most candidate executions of a test, and seconds to make them, and again to evaluate mutants on them: large tests
come last, for what is left then."""
HEADS = ("mutants", "no model", "same", "argued", "noticed", "shared", "states", "survive", "left out")
SLOWEST = 0.1
"""Seconds of a test that is searched anew for each mutant, as its candidates are too many: slower ones are left out."""


@dataclass
class Case:
    """A test and what it is checked under."""

    test: Test
    profile: Profile
    options: tuple[tuple[str, str], ...]
    size: int = 0
    """Bytes of its text."""

    def __str__(self) -> str:
        variants = "".join(f"/{alternative}" for _, alternative in self.options)
        return f"{Path(self.test.path).name} ({self.profile.name}{variants})"


@dataclass
class Score:
    """What became of the mutants of a model."""

    model: str
    mutants: int = 0
    invalid: list[Mutant] = field(default_factory=list)
    equivalent: list[Mutant] = field(default_factory=list)
    argued: dict[Mutant, str] = field(default_factory=dict)
    """Mutants that change nothing for a reason that somebody has given (``equivalent.toml``)."""
    killed: dict[Mutant, Case] = field(default_factory=dict)
    elsewhere: int = 0
    """How many of these are in a file of another model, under which a test has noticed them."""
    by_states: dict[Mutant, Case] = field(default_factory=dict)
    survivors: list[Mutant] = field(default_factory=list)
    disagreements: list[str] = field(default_factory=list)
    """Where the candidates and the search say different things, or a test and an argument: a mistake in one of them."""
    left_out: int = 0
    """Tests with too many candidates whose search takes too long, or on which not all mutants were evaluated."""
    status: str = "complete"
    seconds: float = 0.0
    places: dict[Mutant, object] = field(default_factory=dict)
    """The file of each mutant and its number there, which is the same in all models that include the file."""

    def learn(self, known: Mapping[object, Case]) -> None:
        """Count what is left as noticed where a test has noticed the same change under another model.

        Parameters
        ----------
        known : mapping of object to Case
            By place.
        """
        for mutant in (*self.survivors, *self.by_states):
            if self.places[mutant] in known:
                self.killed[mutant] = known[self.places[mutant]]
                self.elsewhere += 1
        self.survivors = [mutant for mutant in self.survivors if mutant not in self.killed]
        self.by_states = {mutant: case for mutant, case in self.by_states.items() if mutant not in self.killed}


def run(
    models: Sequence[str],
    folders: Sequence[str],
    *,
    matching: str = "",
    seconds: float | None = None,
    verbose: bool = False,
) -> None:
    """Print the score of each model, and the mutants that no test notices.

    Parameters
    ----------
    models : sequence of str
    folders : sequence of str
        Where the tests are.
    matching : str, optional
        Take only mutants in whose description this occurs.
    seconds : float, optional
        The most CPU time for each model; the mutants that are left then are printed.
    verbose : bool
        Print which test notices which mutant, too, as soon as it is known.

    Notes
    -----
    A change of a file that several of the models include counts as noticed for all of them once a test notices it under
    one: what the corpus holds fixed is the text of that file.
    """
    files = find_tests(folders or [str(CORPUS)])
    known: dict[object, Case] = {}
    scores = []
    for name in models:
        found = score(name, list(cases(name, files)), matching=matching, seconds=seconds, verbose=verbose, known=known)
        scores.append(found)
    for found in scores:
        found.learn(known)
        for mutant in found.invalid if verbose else ():
            print(f"  no model: {mutant}")
        for mutant in found.equivalent:
            print(f"  the same model: {mutant}")
        for mutant, case in found.by_states.items():
            print(f"  only states differ ({case}): {mutant}")
        for mutant in found.survivors:
            print(f"  nothing differs: {mutant}")
        for mutant, reason in found.argued.items() if verbose else ():
            print(f"  argued equivalent: {mutant}: {reason}")
        for disagreement in found.disagreements:
            print(f"  MISTAKE: {disagreement}")
        groups = (found.invalid, found.equivalent, found.argued, found.killed, found.by_states, found.survivors)
        counts = list(map(len, groups))
        numbers = (found.mutants, *counts[:4], found.elsewhere, *counts[4:], found.left_out)
        print(" ".join([f"{'model':14}", *(f"{head:>8}" for head in HEADS), f"{'CPU s':>7}"]))
        print(
            " ".join(
                [f"{found.model:14}", *(f"{number:8}" for number in numbers), f"{found.seconds:7.1f}", found.status]
            )
        )
        sys.stdout.flush()


def cases(model: str, files: Iterable[str]) -> Iterator[Case]:
    """Give the tests that expect something of a model, once for each profile and choice of its options."""
    models = Models(())
    options = BatchOptions(by_expectations=True)
    for path in files:
        try:
            test = load(path)
        except InputError:
            continue  # a test that is to be refused has nothing to say of models
        if any(expectation.model == model for expectation in test.expectations):
            for combination in combinations(test, options, models):
                if combination.model == model:
                    yield Case(test, _profile(test, combination), combination.options, Path(path).stat().st_size)


def _profile(test: Test, combination: Combination) -> Profile:
    if combination.profile is None:
        return select_profile(test, None)
    return profile_of_test(combination.profile, test.path)


def score(
    name: str,
    tests: Iterable[Case],
    *,
    matching: str = "",
    seconds: float | None = None,
    verbose: bool = False,
    known: dict[object, Case] | None = None,
) -> Score:
    """Check tests under all mutants of a model.

    Parameters
    ----------
    name : str
        Of a shipped model, or the path of a file.
    tests : iterable of Case
    matching, seconds, verbose :
        As :func:`run`.
    known : dict, optional
        Which changes of which files tests notice under other models; those of this one are added.

    Returns
    -------
    Score
    """
    known = {} if known is None else known
    begun = time.process_time()
    model = load_model(name)
    found, forms = Score(name), Forms(name, model)
    alive: list[Mutant] = []
    mutants = list(model_mutants(model))
    reasons, places = argued(mutants), _places(mutants)
    found.places = places
    for mutant in mutants:
        if matching in str(mutant) and places[mutant] in known:
            found.killed[mutant] = known[places[mutant]]
        elif matching in str(mutant) and not _is_model(mutant.model, name):
            found.invalid.append(mutant)
        elif matching in str(mutant):
            (found.equivalent if forms.same(mutant.model) else alive).append(mutant)
    found.elsewhere = len(found.killed)
    found.mutants = len(alive) + len(found.invalid) + len(found.equivalent) + found.elsewhere
    ready = list(tests)
    common = Counter(case.options for case in ready)  # to compile a mutant for other options takes long
    ready.sort(key=lambda case: (-common[case.options], case.size))
    try:
        alive = _tried(forms, ready, alive, found, partial(_over, begun, seconds), reasons, verbose=verbose)
    except KeyboardInterrupt:
        found.status = "interrupted"
        alive = [mutant for mutant in alive if mutant not in found.killed]
    for mutant in found.killed:
        known[places[mutant]] = found.killed[mutant]
        if mutant in reasons:
            found.disagreements.append(f"argued equivalent, but noticed by {found.killed[mutant]}: {mutant}")
    for mutant in alive:
        if mutant in reasons:
            found.argued[mutant] = reasons[mutant]
        elif mutant not in found.by_states:
            found.survivors.append(mutant)
    for mutant in (*found.killed, *found.argued):
        found.by_states.pop(mutant, None)
    found.seconds = time.process_time() - begun
    return found


def _places(mutants: Iterable[Mutant]) -> dict[Mutant, object]:
    """Say where each mutant is."""
    seen = Counter[str]()
    found: dict[Mutant, object] = {}
    for mutant in mutants:
        seen[mutant.position.path] += 1
        found[mutant] = mutant.position.path, seen[mutant.position.path]
    return found


def argued(mutants: Iterable[Mutant], arguments: Path = ARGUMENTS) -> dict[Mutant, str]:
    """Give the mutants that are said to change nothing, with the reasons.

    Parameters
    ----------
    mutants : iterable of Mutant
        All of a model.
    arguments : Path
        The file of reasons.

    Returns
    -------
    dict of Mutant to str
    """
    reasons = {
        (each["file"], mutant): each["reason"]
        for each in tomllib.loads(arguments.read_text()).get("because", [])
        for mutant in each["mutants"]
    }
    found, seen = {}, Counter[tuple[str, str]]()
    for mutant in mutants:
        named = Path(str(mutant.position.path)).name, f"{mutant.within}: {mutant.what}"
        seen[named] += 1
        numbered = named[0], f"{named[1]} ({seen[named]})"
        reason = reasons.get(numbered, reasons.get(named))
        if reason is not None:
            found[mutant] = reason
    return found


def _progress(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _over(begun: float, seconds: float | None) -> bool:
    return seconds is not None and time.process_time() - begun > seconds


def _tried(
    forms: Forms,
    ready: Sequence[Case],
    alive: list[Mutant],
    found: Score,
    over: Callable[[], bool],
    reasons: Mapping[Mutant, str],
    *,
    verbose: bool,
) -> list[Mutant]:
    """Check tests under mutants, those with few candidates first; give the mutants that none notices.

    Those with a reason are held against the tests with few candidates only.
    """
    argued: list[Mutant] = []
    for place, (most, limit) in enumerate(PASSES):
        later = []
        for number, case in enumerate(ready):
            if not alive:
                return argued
            if over():
                found.status = f"stopped in pass {place + 1} after {number} of {len(ready)} tests"
                return [*argued, *alive]
            if number % 100 == 0:
                _progress(f"{found.model}, pass {place + 1}, {number} of {len(ready)} tests: {len(alive)} left")
            together = _candidates(case, forms, most, limit)
            if together is None:
                later.append(case)
            else:
                alive = _noticed(case, forms, alive, together, found, limit, verbose=verbose)
        ready = later
        argued += [mutant for mutant in alive if mutant in reasons]
        alive = [mutant for mutant in alive if mutant not in reasons]
    return [*argued, *_searched(ready, forms, alive, found, over, verbose=verbose)]


def _candidates(case: Case, forms: Forms, most: int, limit: float) -> Candidates | None:
    whole = forms.compiled(forms.model, case.options)
    if whole is None:
        return None
    try:
        with time_limit(limit):
            return Candidates(case.test, forms.selected(forms.model, case.options), whole[0], case.profile, most)
    except (LimitReached, InputError):  # some candidates have a value that is refused
        return None


def _noticed(
    case: Case,
    forms: Forms,
    alive: Sequence[Mutant],
    together: Candidates,
    found: Score,
    limit: float,
    *,
    verbose: bool,
) -> list[Mutant]:
    """Evaluate mutants on the candidates of a test; give those that it does not notice."""
    whole = forms.compiled(forms.model, case.options)
    assert whole is not None
    before = together.result(*whole)
    assert before is not None
    confirmed: Result | None = None
    left = []
    begun = time.process_time()
    for number, mutant in enumerate(alive):
        if time.process_time() - begun > limit:
            found.left_out += 1
            return [*left, *alive[number:]]
        changed = forms.compiled(mutant.model, case.options)
        after = None if changed is None else together.result(*changed)
        if after is before or (after is not None and _outcome(after) == _outcome(before)):
            left.append(mutant)
            continue
        if confirmed is None:
            confirmed = _checked(case, forms.selected(forms.model, case.options), timeout=20)
            if confirmed is None or confirmed.status != "complete":
                return list(alive)
            if _outcome(confirmed) != _outcome(before):
                found.disagreements.append(f"{case}: {_outcome(before)[0]}, {_outcome(confirmed)[0]}")
        searched = _checked(case, forms.selected(mutant.model, case.options), timeout=20)
        if searched is None or searched.status != "complete":
            left.append(mutant)
            continue
        if after is not None and _outcome(searched) != _outcome(after):
            found.disagreements.append(f"{case}: {_outcome(after)[0]}, {_outcome(searched)[0]}: {mutant}")
        if _compared(mutant, case, confirmed, searched, found, verbose=verbose):
            left.append(mutant)
    return left


def _searched(
    tests: Sequence[Case],
    forms: Forms,
    alive: Sequence[Mutant],
    found: Score,
    over: Callable[[], bool],
    *,
    verbose: bool,
) -> list[Mutant]:
    """Check tests with too many candidates under each mutant that is left, where that does not take long."""
    for number, case in enumerate(tests):
        if not alive:
            break
        if over():
            found.status = f"stopped after {number} of {len(tests)} tests with many candidates"
            break
        begun = time.process_time()
        before = _checked(case, forms.selected(forms.model, case.options), timeout=2)
        if before is None or before.status != "complete" or time.process_time() - begun > SLOWEST:
            found.left_out += 1
            continue
        left = []
        for mutant in alive:
            after = _checked(case, forms.selected(mutant.model, case.options), timeout=2)
            usable = after is not None and after.status == "complete"
            if not usable or _compared(mutant, case, before, after, found, verbose=verbose):
                left.append(mutant)
        alive = left
    return list(alive)


def _compared(mutant: Mutant, case: Case, before: Result, after: Result | None, found: Score, *, verbose: bool) -> bool:
    """Tell whether a mutant is left, and keep what was found."""
    assert after is not None
    (outcome, states), (earlier, those) = _outcome(after), _outcome(before)
    if outcome != earlier:
        found.killed[mutant] = case
        if verbose:
            print(f"  noticed by {case}: {mutant}", flush=True)
        return False
    if states != those:
        found.by_states.setdefault(mutant, case)
    return True


def _checked(case: Case, model: SelectedModel, timeout: float) -> Result | None:
    test = replace(case.test, expectations=())  # a mutant may lack a flag that is expected of the model
    try:
        return check(test, model, options=OPTIONS, profile=case.profile, timeout=timeout)
    except InputError:
        return None


def _outcome(result: Result) -> tuple[tuple[str, str], frozenset[object]]:
    states = frozenset(tuple(sorted(state.values.items())) for state in result.states)
    return (result.outcome, result.verdict), states


def _is_model(model: Model, name: str) -> bool:
    try:
        select_loaded(model, name)
    except InputError:
        return False
    return True
