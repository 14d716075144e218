"""The engines by name, and the search by one of them. Each is imported when it is asked for, as that takes a while."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from enumerator.errors import InputError, LimitReached
from enumerator.hiding import may_hide, undefined_past_branches
from enumerator.program.flags import with_ub
from enumerator.request import Outcomes

if TYPE_CHECKING:
    from enumerator.request import Request

__all__ = ["ENGINES", "engine", "search"]

ENGINES = ("auto", "bitset", "networkx", "interleaving")

_YOUNG = 100_000
"""Objects after which Python looks for garbage meanwhile: what unfolding makes and drops is mostly in no cycle."""


def engine(name: str) -> Callable[[Request], Outcomes]:
    """Give an engine by name.

    Parameters
    ----------
    name : {'auto', 'bitset', 'networkx', 'interleaving'}
        The bitset engine is the fast one. The reference engine, on networkx, makes every candidate execution in the
        plainest way. The interleaving engine visits states, for models in which memory is sequentially consistent.
        ``auto`` is the interleaving engine for models whose final state is that at the return, if it takes them, and
        the bitset engine for all others.

    Returns
    -------
    callable

    Raises
    ------
    InputError
        If there is no such engine.
    """
    if name == "auto":
        return _suitable
    if name == "bitset":
        from enumerator.search.bitset import enumerate_test as by_bitset

        return by_bitset
    if name == "interleaving":
        from enumerator.search.interleaving import enumerate_test as by_interleaving

        return by_interleaving
    if name == "networkx":
        from enumerator.reference.enumerate import enumerate_test as by_networkx

        return by_networkx
    raise InputError(f"unknown engine {name!r}; there are {', '.join(ENGINES)}")


def search(request: Request, name: str = "auto") -> Outcomes:
    """Answer a request by an engine; where a limit keeps it from any answer, that is the outcome.

    Parameters
    ----------
    request : Request
    name : {'auto', 'bitset', 'networkx', 'interleaving'}

    Returns
    -------
    Outcomes

    Raises
    ------
    InputError
        If there is no such engine, or it cannot answer.
    Interrupted
        At Ctrl-C, with the outcomes so far.

    See Also
    --------
    enumerator.asking.make_request
    """
    run = engine(name)
    try:
        with _few_collections():
            outcomes = run(request)
            if outcomes.met_parts:  # in an execution that is consistent, a register holds it: then that is an error
                from enumerator.unfold import all_names

                registers = tuple(each for each in all_names(request.test, unroll=request.unroll) if ":" in each)
                run(request.whole(names=registers, flags=(), record=0, forbidden=False))
            return _with_what_branches_hide(request, outcomes, run)
    except LimitReached as limit:
        return Outcomes({}, status=limit.status, notes=(str(limit),) if str(limit) else ())
    except MemoryError:
        return Outcomes({}, status="limit", notes=("out of memory",))


def _with_what_branches_hide(request: Request, outcomes: Outcomes, run: Callable[[Request], Outcomes]) -> Outcomes:
    """Add undefined behaviour that executions do not show, as they end before what it rests on."""
    answered = outcomes.status != "complete" or outcomes.stopped or "ub" in outcomes.flags
    if answered or not outcomes.undef_may_decide or not may_hide(request):
        return outcomes
    try:
        found, status = undefined_past_branches(request, run)
    except LimitReached as limit:
        return replace(outcomes, status=limit.status)
    return replace(outcomes, flags=with_ub(outcomes.flags | found.keys()), status=status)


@contextmanager
def _few_collections() -> Iterator[None]:
    """Look for garbage seldom: a search would do so hundreds of times, at times among all that was imported, too."""
    before = gc.get_threshold()
    if 0 < before[0] < _YOUNG:
        gc.set_threshold(_YOUNG)
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _suitable(request: Request) -> Outcomes:
    """Answer a request by the engine that suits its model."""
    from enumerator.cat.typing import world

    if world(request.model.model, request.model.variants).returns:
        from enumerator.search.interleaving import Shape, shape_of

        if isinstance(shape_of(request.model, request.test), Shape):
            return engine("interleaving")(request)
    return engine("bitset")(request)
