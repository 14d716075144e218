"""The fast engine: a test and a model as bitsets and bytecode, searched by compiled kernels."""

from __future__ import annotations

import math
from collections.abc import Mapping

from enumerator.cat.compiler import compile_model, used_names
from enumerator.cat.nodes import CompiledModel
from enumerator.cat.predefined import PREDEFINED
from enumerator.cat.typing import world
from enumerator.clock import deadline, time_limit
from enumerator.errors import LimitReached, PlainEngineNeeded
from enumerator.events import RELATIONS
from enumerator.mmra import Profile
from enumerator.program.test import Test
from enumerator.request import Outcomes, Request
from enumerator.search.bytecode import Bytecode, assemble
from enumerator.search.lower import Lowered, lower
from enumerator.search.search import OUT_OF_THIN_AIR
from enumerator.search.sharing import SharedSearch
from enumerator.search.undef import undef_locations
from enumerator.unfold import Unfolded, unfold
from enumerator.unfold.paths import Location

__all__ = ["OUT_OF_THIN_AIR", "base_kinds", "enumerate_test"]

_SETS = frozenset(entry.name for entry in PREDEFINED.values() if entry.kind == "set" and entry.formula is None)
_KINDS: Mapping[str, str] = {**dict.fromkeys(_SETS, "set"), **dict.fromkeys(RELATIONS, "relation"), "rf": "relation"}

_WORTH = 120_000
"""How many times longer it takes to look, around a path of each thread, where reads may return undef, than the search
takes for a combination of paths, if that took as long as the cube of its events."""


def enumerate_test(request: Request) -> Outcomes:
    """Enumerate the consistent executions of a test under a model.

    Parameters
    ----------
    request : Request

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
            search = _search(request)
        except LimitReached as limit:
            return Outcomes({}, status=limit.status, notes=(str(limit),))
        return search.run()


def _search(request: Request) -> SharedSearch:
    """Lay out a test, without the paths on which a read returns undef where that cannot be."""
    model = request.model
    declared = world(model.model, model.variants)
    try:
        plain = compile_model(model.model, model.variants, base_kinds(request.test))
        undef = plain.undef_set is not None
    except PlainEngineNeeded:  # for this test perhaps not: what it has none of folds away
        undef = declared.undef is not None
    lowered, compiled = _prepare(request, undef)
    counts = lowered.arrays["thread_count"].tolist()
    if undef and math.prod(counts) * lowered.most_events**3 > _WORTH * max(counts, default=0):
        places = undef_locations(lowered, compiled)
        if len(places) < len(lowered.locations):
            lowered, compiled = _prepare(request, places)
    return SharedSearch(request, lowered, _assemble(compiled), deadline())


def _prepare(request: Request, undef: bool | frozenset[Location]) -> tuple[Lowered, CompiledModel]:
    """Lay out a test whose reads, or reads of some locations, may return undef, and the model for such a test."""
    model = request.model
    unfolded = _unfold(request.test, undef, world(model.model, model.variants).returns, request.unroll)
    lowered = _lower(unfolded, request.profile, request.names)
    kinds = base_kinds(request.test) | dict.fromkeys(lowered.labels - _SETS, "set")
    names = used_names(model.model, model.variants, kinds)
    missing = frozenset(name for name in names if kinds.get(name) == "set" and name not in lowered.labels)
    empty, full = lowered.facts(names)
    return lowered, compile_model(model.model, model.variants, kinds, empty=missing | empty, full=full)


# What several models, profiles and variants of one test share is kept, for the test at hand. ----------------

_unfolded: list[tuple[Test, tuple[bool | frozenset[Location], bool, int], Unfolded]] = []
_lowered: list[tuple[Unfolded, Profile, tuple[str, ...], Lowered]] = []
_bytecode: dict[int, tuple[CompiledModel, Bytecode]] = {}


def _unfold(test: Test, undef: bool | frozenset[Location], returns: bool, unroll: int) -> Unfolded:
    for kept_test, kept_choices, unfolded in _unfolded:
        if kept_test is test and kept_choices == (undef, returns, unroll):
            return unfolded
    if _unfolded and _unfolded[0][0] is not test:
        _unfolded.clear()
        _lowered.clear()
    unfolded = unfold(test, undef=undef, unroll=unroll, returns=returns)
    _unfolded.append((test, (undef, returns, unroll), unfolded))
    return unfolded


def _lower(unfolded: Unfolded, profile: Profile, names: tuple[str, ...]) -> Lowered:
    for kept, kept_profile, kept_names, lowered in _lowered:
        if kept is unfolded and kept_profile is profile and kept_names == names:
            return lowered
    lowered = lower(unfolded, profile, names)
    _lowered.append((unfolded, profile, names, lowered))
    del _lowered[:-8]
    return lowered


def _assemble(compiled: CompiledModel) -> Bytecode:
    kept = _bytecode.get(id(compiled))
    if kept is None:
        if len(_bytecode) > 4096:
            _bytecode.clear()
        kept = _bytecode[id(compiled)] = (compiled, assemble(compiled))
    return kept[1]


def base_kinds(test: Test | None = None) -> dict[str, str]:
    """Say which predefined names the engines supply for a test: any address space is a set of its own."""
    spaces = {f"AS{memory.address_space}": "set" for memory in (test.objects if test is not None else ())}
    return {**_KINDS, **spaces}
