"""Mutation score of a corpus: which parts of a model can be removed or weakened, and no test comes out differently.

``python -m benchmarks mutants MODEL…`` runs the tests of a folder that expect something of a model under each mutant
of it (:mod:`benchmarks.model_mutants`). A test *notices* a mutant if ``enumerator check`` would report it:
another observation, or other flags. Tests that come out the same but for their states are named apart.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path

import numpy as np

from benchmarks.model_mutants import Mutant, model_mutants, signature
from enumerator import check, load
from enumerator.asking import make_request, select_profile, shown_names
from enumerator.cat.flatten import declared_options
from enumerator.cat.nodes import Builder, CompiledModel, nodes_of
from enumerator.cat.parser import load_model
from enumerator.cat.primitives import Kinds
from enumerator.cat.selected import SelectedModel
from enumerator.cat.syntax import Model
from enumerator.cat.translator import translate
from enumerator.cat.typing import select_loaded
from enumerator.corpus.tasks import Combination, Models, combinations
from enumerator.discovery import find_tests
from enumerator.distinguishing.slices import ALL, Bits, Slices, packed
from enumerator.errors import InputError, LimitReached, ReferenceEngineNeeded
from enumerator.mmra import Profile, profile_of_test
from enumerator.options import BatchOptions, Options
from enumerator.program.test import Test
from enumerator.reference.axioms import knows_returns, knows_undef
from enumerator.reference.base import Combination as Events
from enumerator.reference.base import combine_paths
from enumerator.reference.enumerate import candidates
from enumerator.request import Candidate, Request
from enumerator.results.result import Result
from enumerator.search.bitset import base_kinds
from enumerator.unfold import unfold

CORPUS = Path(__file__).resolve().parent.parent / "litmus_tests"
OPTIONS = Options(outcomes_only=True)
Answer = list[Bits]
SLOWEST = 0.1
"""Seconds of a test under the model as it is: whole programs, which take longer, are left out."""
MOST_CANDIDATES = 20_000
"""Of a test with more candidate executions each mutant is checked by a search."""
TOGETHER = 512
"""How many mutants a test is checked under before the next test: what is unfolded of a test serves all of them."""


@dataclass
class Case:
    """A test and what it is checked under, with what comes out under the model as it is."""

    test: Test
    profile: Profile
    options: tuple[tuple[str, str], ...]
    outcome: tuple[object, ...] = ()
    seconds: float = 0.0
    kills: int = 0


@dataclass
class Score:
    """What became of the mutants of a model."""

    model: str
    mutants: int = 0
    invalid: int = 0
    equivalent: list[Mutant] = field(default_factory=list)
    killed: dict[Mutant, Case] = field(default_factory=dict)
    by_states: dict[Mutant, Case] = field(default_factory=dict)
    survivors: list[Mutant] = field(default_factory=list)
    seconds: float = 0.0
    checks: int = 0


def run(models: Sequence[str], folders: Sequence[str], *, most: int | None = None, verbose: bool = False) -> None:
    """Print the score of each model, and the mutants that no test notices.

    Parameters
    ----------
    models : sequence of str
    folders : sequence of str
        Where the tests are.
    most : int, optional
        Take only so many mutants, at random but the same ones each time.
    verbose : bool
        Print which test notices which mutant, too.
    """
    files = find_tests(folders or [str(CORPUS)])
    print(
        f"{'model':14} {'mutants':>7} {'no model':>8} {'same':>5} {'noticed':>7} {'states':>6} {'survive':>7} "
        f"{'CPU s':>7}"
    )
    for name in models:
        found = score(name, list(cases(name, files)), most=most)
        print(
            f"{name:14} {found.mutants:7} {found.invalid:8} {len(found.equivalent):5} {len(found.killed):7} "
            f"{len(found.by_states):6} {len(found.survivors):7} {found.seconds:7.1f}",
            flush=True,
        )
        if verbose:
            for mutant, case in found.killed.items():
                print(f"  noticed by {Path(case.test.path).name}: {mutant}")
            for mutant in found.equivalent:
                print(f"  the same model: {mutant}")
        for mutant, case in found.by_states.items():
            print(f"  only states differ ({Path(case.test.path).name}): {mutant}")
        for mutant in found.survivors:
            print(f"  nothing differs: {mutant}")


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
                    yield Case(test, _profile(test, combination), combination.options)


def _profile(test: Test, combination: Combination) -> Profile:
    if combination.profile is None:
        return select_profile(test, None)
    return profile_of_test(combination.profile, test.path)


def score(name: str, tests: Sequence[Case], *, most: int | None = None, seed: int = 1) -> Score:
    """Check the tests under all mutants of a model.

    Parameters
    ----------
    name : str
        Of a shipped model, or the path of a file.
    tests : sequence of Case
    most : int, optional
        Take only so many mutants, at random.
    seed : int

    Returns
    -------
    Score
    """
    begun = time.process_time()
    model = load_model(name)
    found = Score(name)
    ready = [case for case in tests if _prepare(case, model, name) and case.seconds <= SLOWEST]
    ready.sort(key=lambda case: case.seconds)
    mutants = list(model_mutants(model))
    if most is not None and most < len(mutants):
        chosen = set(random.Random(seed).sample(range(len(mutants)), most))
        mutants = [mutant for number, mutant in enumerate(mutants) if number in chosen]
    found.mutants = len(mutants)
    left: list[Mutant] = []
    for mutant in mutants:
        if not _is_model(mutant.model, name):
            found.invalid += 1
        elif _same(model, mutant.model, name):
            found.equivalent.append(mutant)
        else:
            left.append(mutant)
    for first in range(0, len(left), TOGETHER):
        _try(left[first : first + TOGETHER], ready, model, found)
        ready.sort(key=lambda case: (-min(case.kills, 3), case.seconds))
    found.seconds = time.process_time() - begun
    return found


def _try(mutants: Sequence[Mutant], tests: Sequence[Case], model: Model, found: Score) -> None:
    """Check tests under some mutants until each has been noticed, or no test is left."""
    alive = list(mutants)
    kept: dict[tuple[int, tuple[tuple[str, str], ...]], SelectedModel] = {}
    graphs: dict[tuple[int, tuple[tuple[str, str], ...]], CompiledModel | None] = {}
    builders: dict[tuple[tuple[str, str], ...], Builder] = {}

    def selected(each: Model, case: Case) -> SelectedModel:
        key = id(each), case.options
        if key not in kept:
            kept[key] = select_loaded(each, found.model, case.options)
        return kept[key]

    def graph(each: Model, case: Case) -> CompiledModel | None:
        """Compile a model; those of the same options share what they have in common."""
        key = id(each), case.options
        if key not in graphs:
            chosen = selected(each, case)
            builder = builders.setdefault(case.options, Builder())
            try:
                graphs[key] = translate(chosen.model, chosen.variants, Kinds(base_kinds()), builder)
            except ReferenceEngineNeeded:
                graphs[key] = None
        return graphs[key]

    for number, case in enumerate(tests):
        if not alive:
            break
        if number % 100 == 99:
            print(f"{number + 1} of {len(tests)} tests: {len(alive)} left", file=sys.stderr, flush=True)
        together = None
        with suppress(LimitReached):
            whole = graph(model, case)
            together = None if whole is None else Candidates(case, selected(model, case), whole)
        for mutant in tuple(alive):
            changed = graph(mutant.model, case)
            if together is not None and changed is not None and together.same(changed):
                continue
            found.checks += 1
            result = _checked(case, selected(mutant.model, case), timeout=2 + 10 * case.seconds)
            if result is None or result.status != "complete":
                continue
            outcome = _outcome(result)
            if outcome[0] != case.outcome[0]:
                found.killed[mutant] = case
                case.kills += 1
                alive.remove(mutant)
            elif outcome != case.outcome:
                found.by_states.setdefault(mutant, case)
    for mutant in mutants:
        if mutant in found.killed:
            found.by_states.pop(mutant, None)
    found.survivors += [mutant for mutant in alive if mutant not in found.by_states]


def _prepare(case: Case, model: Model, name: str) -> bool:
    """Find what comes out under the model as it is; tell whether that can be compared with."""
    begun = time.process_time()
    result = _checked(case, select_loaded(model, name, case.options), timeout=60)
    if result is None or result.status != "complete":
        return False
    case.outcome, case.seconds = _outcome(result), time.process_time() - begun
    return True


def _checked(case: Case, model: SelectedModel, timeout: float) -> Result | None:
    try:
        return check(case.test, model, options=OPTIONS, profile=case.profile, timeout=timeout)
    except InputError:
        return None


def _outcome(result: Result) -> tuple[object, ...]:
    states = frozenset(tuple(sorted(state.values.items())) for state in result.states)
    return (result.outcome, result.verdict), states


class Candidates:
    """The candidate executions of a case, on which models are evaluated side by side.

    Two models that find the same ones consistent, with the same flags and final writes, give the same answers.

    Parameters
    ----------
    case : Case
    model : SelectedModel
        As it is.
    compiled : CompiledModel

    Raises
    ------
    LimitReached
        If there are more than :data:`MOST_CANDIDATES`.
    """

    def __init__(self, case: Case, model: SelectedModel, compiled: CompiledModel) -> None:
        self._compiled = compiled
        self._groups: list[tuple[Slices, Answer]] = []
        self._shared = frozenset(nodes_of(compiled))
        request: Request = make_request(case.test, model, case.profile, OPTIONS, shown_names(case.test, OPTIONS))
        unfolded = unfold(case.test, undef=knows_undef(model), unroll=request.unroll, returns=knows_returns(model))
        groups: dict[tuple[int, ...], list[Candidate]] = {}
        for number, candidate in enumerate(candidates(request)):
            if number >= MOST_CANDIDATES:
                raise LimitReached("too many candidates")
            groups.setdefault(candidate.paths, []).append(candidate)
        for paths, members in groups.items():
            slices = _slices(combine_paths(unfolded, paths, case.profile), members)
            self._groups.append((slices, self._answer(slices, compiled)))

    def same(self, compiled: CompiledModel) -> bool:
        """Tell whether another model says the same of all candidates."""
        for slices, answer in self._groups:
            found = self._answer(slices, compiled)
            slices.keep(self._shared)
            if len(found) != len(answer) or any(
                not np.array_equal(*np.broadcast_arrays(one, other)) for one, other in zip(found, answer, strict=True)
            ):
                return False
        return True

    @staticmethod
    def _answer(slices: Slices, compiled: CompiledModel) -> Answer:
        alive = np.array([ALL])
        found = []
        for each in compiled.checks:
            if each.check.kind == "axiom":
                alive = alive & ~slices.violated(each)
        for each in compiled.checks:
            if each.check.kind != "axiom":
                found.append(alive & slices.violated(each))
        found += [alive, alive & slices.value(compiled.final), slices.value(compiled.order_set)]
        if compiled.undef_set is not None:
            found.append(slices.value(compiled.undef_set))
        return found


def _slices(combination: Events, members: Sequence[Candidate]) -> Slices:
    count, words = len(combination.events), -(-len(members) // 64)
    base: dict[str, Bits] = {}
    for name, numbers in combination.sets.items():
        base[name] = np.zeros((count, 1), dtype=np.uint64)
        base[name][sorted(numbers)] = ALL
    for name, edges in combination.relations.items():
        base[name] = np.zeros((count, count, 1), dtype=np.uint64)
        for first, second in edges.edges:
            base[name][first, second] = ALL
    reads_from = np.zeros((count, count, 64 * words), dtype=np.bool_)
    order = np.zeros_like(reads_from)
    undef = np.zeros((count, 64 * words), dtype=np.bool_)
    undef[[event.number for event in combination.events if event.reads]] = True
    for bit, candidate in enumerate(members):
        for write, read in candidate.reads_from:
            reads_from[write, read, bit] = True
            undef[read, bit] = False
        for writes in candidate.orders:
            for place, write in enumerate(writes):
                order[write, list(writes[place + 1 :]), bit] = True
    # Bits behind the last candidate are of no execution, and the same for every model.
    return Slices(count, base | {"rf": packed(reads_from), "order": packed(order), "UNDEF": packed(undef)})


def _is_model(model: Model, name: str) -> bool:
    try:
        select_loaded(model, name)
    except InputError:
        return False
    return True


def _same(one: Model, other: Model, name: str) -> bool:
    """Tell whether two models come to the same operations, whatever the test and the variants."""
    from enumerator.cat.compiler import compile_model

    known: dict[object, int] = {}
    try:
        for options in _choices(one):
            chosen = [select_loaded(each, name, options) for each in (one, other)]
            first, second = (
                signature(compile_model(each.model, each.variants, base_kinds()), known) for each in chosen
            )
            if first != second:
                return False
    except ReferenceEngineNeeded:
        return False
    return True


def _choices(model: Model) -> Iterator[tuple[tuple[str, str], ...]]:
    options = declared_options(model)
    for chosen in product(*options.values()):
        yield tuple(zip(options, chosen, strict=True))
