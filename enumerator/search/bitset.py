"""The fast engine: a test and a model as bitsets and bytecode, searched by compiled kernels."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cache, lru_cache, partial
from types import MappingProxyType

from enumerator.cat.compiler import compile_model, used_names
from enumerator.cat.nodes import CompiledModel
from enumerator.cat.predefined import PREDEFINED
from enumerator.cat.typing import world
from enumerator.clock import deadline, time_limit
from enumerator.errors import InputError, LimitReached, ReferenceEngineNeeded, TooManyPaths
from enumerator.events import RELATIONS, SETS
from enumerator.program.instructions import BarrierOperation
from enumerator.program.test import Test
from enumerator.request import Outcomes, Request
from enumerator.search.collector import OUT_OF_THIN_AIR
from enumerator.search.driver import Driver
from enumerator.search.helping import helper_of_searches
from enumerator.search.lower import Lowered
from enumerator.search.problem import lay_out
from enumerator.search.session import SESSION, Session
from enumerator.search.strategies import CannotGrow, InVain, ListedInstead, TakesLong
from enumerator.search.tuning import Tuning
from enumerator.unfold import Effort, combinations_of
from enumerator.unfold.loops import leads_back
from enumerator.unfold.paths import Location

__all__ = ["OUT_OF_THIN_AIR", "base_kinds", "enumerate_test"]

_SETS = frozenset(entry.name for entry in PREDEFINED.values() if entry.kind == "set" and entry.formula is None)
_VARYING = frozenset({*SETS, *(name for name, each in RELATIONS.items() if each.of_kinds)})
"""What the orderings, scopes, tags and letters of events decide, which differ from test to test."""
_KINDS: Mapping[str, str] = {**dict.fromkeys(_SETS, "set"), **dict.fromkeys(RELATIONS, "relation"), "rf": "relation"}


def enumerate_test(request: Request, session: Session = SESSION) -> Outcomes:
    """Enumerate the consistent executions of a test under a model.

    Parameters
    ----------
    request : Request
    session : Session

    Returns
    -------
    Outcomes

    Raises
    ------
    InputError
        Where the test or the model cannot be used.
    Interrupted
        At Ctrl-C, with what has been found so far.
    """
    with time_limit(request.timeout):
        try:
            return _search(request, session)
        except LimitReached as limit:
            return Outcomes({}, status=limit.status, notes=(str(limit),))


def _search(request: Request, session: Session) -> Outcomes:
    """Grow executions, or list combinations of paths: in turns, each longer than the last, until one is done."""
    tuning = session.tuning
    if not _may_grow(request, tuning):
        return driver_of(request, session).run()
    few, listed = cache(partial(_few_paths, request, session)), cache(partial(driver_of, request, session))
    loops = any(map(leads_back, request.test.functions.values()))

    def instead() -> Outcomes | None:
        if few():
            with suppress(InVain):
                return listed().run(gives_way=True)
        return None  # executions grow on

    try:
        if tuning.grow_asks < 0 or not loops:
            if not few():
                return _grow(request, session)
            try:
                return listed().run(gives_way=True, briefly=min(tuning.grow_asks, tuning.grow_asks_early) >= 0)
            except TakesLong:
                return _grow(request, session, instead, tuning.grow_asks_early)
            except InVain:
                return _grow(request, session, instead, max(tuning.grow_asks, 1))
        return _grow(request, session, instead, tuning.grow_asks)
    except ListedInstead as done:
        return done.outcomes
    except (CannotGrow, ReferenceEngineNeeded):
        return listed().run()


def _grow(
    request: Request, session: Session, instead: Callable[[], Outcomes | None] | None = None, asks: int = 0
) -> Outcomes:
    from enumerator.search.growing import grow  # here, as few tests need it

    many, kinds = session.tuning.grow_from_dead_ends, base_kinds(request.test)
    tuning = replace(session.tuning, grow_asks=asks)
    return grow(request, tuning, kinds, session.kinds, lambda: _fewer(request, session, many, many), instead)


def _may_grow(request: Request, tuning: Tuning) -> bool:
    """Tell whether executions of a test may grow, as far as the test and the world of the model tell."""
    if tuning.grow_from < 0 or world(request.model.model, request.model.variants).returns:
        return False
    return not (any(thread.alternatives for thread in request.test.threads) or needs_all_paths(request.test))


def _few_paths(request: Request, session: Session) -> bool:
    """Tell whether combinations of paths are listed to begin with, as there are few."""
    least = session.tuning.grow_from
    waiting = min(least, session.tuning.grow_from_waits)
    # Most paths on undef are left out where the model is looked at more closely. What is listed whole is kept.
    if _gives_undef(request) and _fewer(request, session, least, waiting, True):
        return True
    return _fewer(request, session, least, waiting)


def _fewer(request: Request, session: Session, least: int, waiting: int, undef: bool = False) -> bool:
    """Tell whether combinations of paths are short, and fewer than so many, or than others where a thread waits."""
    tuning = session.tuning
    effort = Effort(least, waiting, tuning.most_values)
    try:
        listed = session.unfolded(request.test, undef, False, request.unroll, request.registers, effort)
    except TooManyPaths:
        return False
    except InputError:
        return False  # it may stand on a path that no execution takes: growing gets there only where one does
    if any(path.tried for options in listed.paths for path in options):
        return False  # where executions grow, attempts that race with nothing end early
    waits = any(path.waiting for options in listed.paths for path in options)
    events = sum(max((len(path.events) for path in options), default=0) for options in listed.paths)
    return combinations_of(listed.paths) < effort.most(waits) and events < tuning.grow_from_events


def needs_all_paths(test: Test) -> bool:
    """Tell whether what a thread does rests on all paths that others have.

    Operations on barrier objects are not ordered by a thread's path alone.
    """
    return test.has(BarrierOperation)


def _gives_undef(request: Request) -> bool:
    """Tell whether a model may let reads return undef whatever was written."""
    model = request.model
    try:
        return compile_model(model.model, model.variants, base_kinds(request.test)).undef_set is not None
    except ReferenceEngineNeeded:  # for this test perhaps not: what it has none of folds away
        return world(model.model, model.variants).undef is not None


def driver_of(request: Request, session: Session = SESSION) -> Driver:
    """Lay out a test, without the paths on which a read returns undef where that cannot be.

    Parameters
    ----------
    request : Request
    session : Session

    Returns
    -------
    Driver
        One whose search is shared, if other processes or machines may.
    """
    undef = _gives_undef(request)
    lowered, compiled = _prepare(request, session, undef)
    most_paths = max(lowered.arrays["thread_count"].tolist(), default=0)
    # Executions that are recorded are found again by the numbers of their paths: then all paths are there.
    if undef and request.record == 0 and _work(lowered) > session.tuning.undef_worth * most_paths:
        from enumerator.search.undef import undef_locations

        places = undef_locations(lowered, compiled)
        if len(places) < len(lowered.locations):
            lowered, compiled = _prepare(request, session, places)
    problem = lay_out(request, lowered, session.bytecode(compiled), session.tuning)
    if request.jobs < 2 and helper_of_searches() is None:
        return Driver(problem, session.tuning, deadline())
    from enumerator.search.stealing import SharedDriver

    return SharedDriver(problem, session.tuning, deadline())


def _prepare(request: Request, session: Session, undef: bool | frozenset[Location]) -> tuple[Lowered, CompiledModel]:
    """Lay out a test whose reads, or reads of some locations, may return undef, and the model for such a test.

    A model for all that is empty or full in the test makes a long search shorter. It takes longer to make than a short
    search takes, and nearly every test needs another one, as orderings, scopes and tags differ. So for a short search
    the model is for what programs are made of alone: which kinds of dependencies they have, which storage classes.
    """
    model = request.model
    returns = world(model.model, model.variants).returns
    unfolded = session.unfolded(request.test, undef, returns, request.unroll, request.registers)
    lowered = session.lowered(unfolded, request.profile, request.names)
    kinds = base_kinds(request.test)
    if not lowered.labels <= _SETS:
        kinds = {**kinds, **dict.fromkeys(lowered.labels - _SETS, "set")}
    names = used_names(model.model, model.variants, kinds)
    compiled = partial(compile_model, model.model, model.variants, kinds)
    if _work(lowered) < session.tuning.facts_worth:
        with suppress(ReferenceEngineNeeded):  # where all facts are known, perhaps it is not
            return lowered, compiled(**_facts(request.test, lowered, names - _VARYING))
    return lowered, compiled(**_facts(request.test, lowered, names))


def _work(lowered: Lowered) -> int:
    """Estimate the work of a search: the combinations of paths, each as long as the cube of its events."""
    counts: list[int] = lowered.arrays["thread_count"].tolist()
    return math.prod(counts) * lowered.most_events**3


def _facts(test: Test, lowered: Lowered, names: frozenset[str]) -> dict[str, frozenset[str]]:
    """Name those of some predefined sets and relations that are empty in a test, and those that hold everything."""
    empty, full = lowered.facts(names)
    return {"empty": empty | (names & _sets_with(_spaces(test)) - lowered.labels), "full": full}


def base_kinds(test: Test | None = None) -> Mapping[str, str]:
    """Say which predefined names the engines supply for a test: any address space is a set of its own."""
    return _kinds_with(_spaces(test) if test is not None else frozenset())


def _spaces(test: Test) -> frozenset[int]:
    return frozenset(memory.address_space for memory in test.objects)


@lru_cache(maxsize=64)
def _kinds_with(spaces: frozenset[int]) -> Mapping[str, str]:
    return MappingProxyType({**_KINDS, **dict.fromkeys(_sets_with(spaces), "set")})


@lru_cache(maxsize=64)
def _sets_with(spaces: frozenset[int]) -> frozenset[str]:
    return _SETS | {f"AS{space}" for space in spaces}
