"""The outcomes of a program under a side, for all its choices of annotations at once.

An execution is a choice of a write for each read, or of undef where the model lets reads return it, and of an order of
the writes of each location. For each the model is evaluated once; its bits are the choices of annotations under which
the execution is consistent. As all writes of a location store different values, what each read takes and what memory
holds at the end say all that can be observed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from itertools import permutations, product

import numpy as np

from enumerator.cat.compiler import compile_model
from enumerator.cat.nodes import CompiledCheck, CompiledModel, Level, base_names
from enumerator.cat.typing import world
from enumerator.clock import check_time
from enumerator.distinguishing.alphabet import Alphabet, predefined
from enumerator.distinguishing.events import kinds_of
from enumerator.distinguishing.paths import UNDEF, Paths, paths_of
from enumerator.distinguishing.programs import Program
from enumerator.distinguishing.sides import Language, Side
from enumerator.distinguishing.slices import ALL, Bits, Slices, linear_name
from enumerator.errors import InputError, ReferenceEngineNeeded
from enumerator.events import RELATIONS
from enumerator.events.kind import Kind as EventKind
from enumerator.events.sets import names_of
from enumerator.frozen import dataclass
from enumerator.generation.skeleton import Kind
from enumerator.search.bitset import base_kinds

__all__ = ["UNDEF", "Outcome", "Outcomes", "Prepared", "outcomes", "prepare_side"]

Outcome = tuple[tuple[int, ...], tuple[int, ...]]
"""What each read takes, in the order of the program, and what each location holds at the end."""

_CHOSEN = ("rf", "order", "UNDEF")


@dataclass(frozen=True)
class Prepared:
    """A side, compiled for tests of an alphabet.

    Parameters
    ----------
    side : Side
    model : CompiledModel
    early, late : tuple of CompiledCheck
        Axioms that reads-from decides, and those that need the order of writes too.
    undefined : tuple of CompiledCheck
        Where one fails, the program is undefined; in Vulkan's language also where the flag of a race is raised.
    names : frozenset of str
        The predefined sets and relations that it needs.
    """

    side: Side
    model: CompiledModel
    early: tuple[CompiledCheck, ...]
    late: tuple[CompiledCheck, ...]
    undefined: tuple[CompiledCheck, ...]
    names: frozenset[str]


@dataclass
class Outcomes:
    """What is possible, in bits: one for each choice of annotations.

    Parameters
    ----------
    allowed : dict of Outcome to array
        Where a consistent execution ends so.
    undefined : array
        Where the program is undefined.
    """

    allowed: dict[Outcome, Bits] = field(default_factory=dict)
    undefined: Bits = field(default_factory=lambda: np.zeros(1, dtype=np.uint64))


def prepare_side(side: Side, alphabet: Alphabet) -> Prepared:
    """Compile a side for tests of an alphabet: what these tests have none of is simplified away.

    Parameters
    ----------
    side : Side
    alphabet : Alphabet

    Returns
    -------
    Prepared

    Raises
    ------
    InputError
        If the model cannot be evaluated here: it chooses from sets that it computes, or names returns.
    """
    model = side.model
    if world(model.model, model.variants).returns:
        raise InputError(f"the model {model.name} is about returns that read memory: no tests are made for it here")
    kinds = base_kinds()
    names = predefined(side) - set(_CHOSEN)
    members = {"W", "M", "A", "Atomic", "SYSTEM", "OBS"}
    for space in {*alphabet.spaces, *((1,) if side.language is Language.TRANSLATED else ())}:
        members |= names_of(EventKind("IW", address_space=space, observed=True))
    for kind, marks in alphabet.marks.items():
        for mark in marks:
            for space in alphabet.spaces:
                for _, of in kinds_of(side, kind, mark, space, compares="cmpxchg" in alphabet.operators):
                    members |= names_of(of)
    present = {"rmw"} if Kind.UPDATE in alphabet.marks else set()
    present |= {each.name.lower() for each in alphabet.dependencies}
    present |= {"bar", "syncbar"} if Kind.BARRIER in alphabet.marks else set()
    empty = {name for name in names if name not in RELATIONS and name not in members}
    empty |= {name for name in names if name in RELATIONS and name not in present and _may_be_empty(name)}
    try:
        compiled = compile_model(model.model, model.variants, kinds, empty=frozenset(empty))
    except ReferenceEngineNeeded as reason:
        raise InputError(f"the model {model.name} cannot be searched for tests: {reason}") from None
    axioms = [check for check in compiled.checks if check.check.kind == "axiom"]
    undefined = tuple(
        check
        for check in compiled.checks
        if check.check.kind == "undefined_unless"
        or (side.language is Language.VULKAN and check.check.kind == "flag" and check.check.name == "race")
    )
    return Prepared(
        side,
        compiled,
        tuple(check for check in axioms if check.node.level != Level.ORDER),
        tuple(check for check in axioms if check.node.level == Level.ORDER),
        undefined,
        base_names(compiled) - set(_CHOSEN),
    )


def _may_be_empty(name: str) -> bool:
    """Tell whether a relation has pairs only in tests that have something besides accesses and fences."""
    relation = RELATIONS[name]
    if relation.listed:
        return True
    return relation.same not in (None, ("location", "location"), ("instruction", "instruction")) or name == "ssw"


def outcomes(program: Program, prepared: Prepared, where: Bits | None = None) -> Outcomes:
    """Find the outcomes of a program under a side.

    Parameters
    ----------
    program : Program
    prepared : Prepared
    where : array, optional
        The choices of annotations to look at. Default: all.

    Returns
    -------
    Outcomes

    Raises
    ------
    LimitReached
        If the time that holds (:func:`enumerator.clock.time_limit`) is up.
    """
    found = Outcomes()
    for paths in paths_of(program, prepared.side, prepared.model.undef_set is not None):
        _explore(paths, prepared, _mask(program.count) if where is None else where, found)
    return found


def _explore(paths: Paths, prepared: Prepared, mask: Bits, found: Outcomes) -> None:
    """Find the outcomes of one path of each thread."""
    program, model = paths.program, prepared.model
    every = list(_sources(paths, model.undef_set is not None))
    if not every:
        return
    slices = Slices(len(paths.nodes), paths.base(prepared.names), paths.exists)
    orders = list(_orders(len(paths.nodes), paths.writes, slices, model))
    if program.count <= _WORD:
        _side_by_side(paths, prepared, slices, orders, every, mask, found)
        return
    ordered = slices.value(model.order_set)
    for sources in every:
        check_time()
        alive = _choose_sources(slices, prepared, paths.reads, sources, mask)
        if not alive.any():
            continue
        values = paths.values(sources)
        for chosen in orders:
            order = chosen["order"] & ordered[:, None] & ordered[None, :]
            slices.choose(Level.ORDER, {**chosen, "order": order})
            here = _left(slices, prepared.late, alive)
            if not here.any():
                continue
            if paths.ends_undefined:
                found.undefined = found.undefined | here
                continue
            for check in prepared.undefined:
                found.undefined = found.undefined | here & _undefined(slices, check)
            for last, bits in _finals(slices.value(model.final), paths.writes, here):
                _add(found, _outcome(paths, values, last), bits)


def _undefined(slices: Slices, check: CompiledCheck) -> Bits:
    fails = slices.violated(check)
    return ~fails if check.check.kind == "flag" else fails


def _outcome(paths: Paths, values: Sequence[int], last: Sequence[int]) -> Outcome:
    held = tuple(UNDEF if write < 0 else values[write] for write in last)
    return tuple(values[read] for read in paths.reads), held


_WORD = 64
_MOST_SIDE_BY_SIDE = 1 << 13


def _side_by_side(
    paths: Paths,
    prepared: Prepared,
    slices: Slices,
    orders: Sequence[Mapping[str, Bits]],
    every: Sequence[tuple[int, ...]],
    mask: Bits,
    found: Outcomes,
) -> None:
    """Evaluate executions together, a word for each, where one word holds all choices of annotations."""
    model, reads = prepared.model, paths.reads
    count = len(paths.nodes)
    ordered = slices.value(model.order_set)
    each = {name: np.concatenate([chosen[name] for chosen in orders], axis=2) for name in orders[0]}
    each["order"] = each["order"] & ordered[:, None] & ordered[None, :]
    together = max(1, _MOST_SIDE_BY_SIDE // len(orders))
    for first in range(0, len(every), together):
        check_time()
        chosen = every[first : first + together]
        some = np.array(chosen, dtype=np.int64).reshape(len(chosen), len(reads))
        reads_from = np.zeros((count, count, len(some)), dtype=np.uint64)
        undef = np.zeros((count, len(some)), dtype=np.uint64)
        alive = np.repeat(mask, len(some))
        for place, read in enumerate(reads):
            sources = some[:, place]
            taken = np.flatnonzero(sources >= 0)
            reads_from[sources[taken], read, taken] = ALL
            undef[read, sources < 0] = ALL
            if model.undef_set is not None:
                may = slices.value(model.undef_set)[read]
                alive = np.where(sources < 0, alive & may, alive)
        slices.choose(Level.READS_FROM, {"rf": reads_from, "UNDEF": undef})
        kept = np.repeat(np.flatnonzero(_left(slices, prepared.early, alive)), len(orders))
        if not len(kept):
            continue
        slices.choose(Level.READS_FROM, {"rf": reads_from[..., kept], "UNDEF": undef[..., kept]})
        tiles = 1, 1, len(kept) // len(orders)
        slices.choose(Level.ORDER, {name: np.tile(orders_of, tiles) for name, orders_of in each.items()})
        here = _left(slices, (*prepared.early, *prepared.late), alive[kept])
        if paths.ends_undefined:
            found.undefined = found.undefined | np.bitwise_or.reduce(here, keepdims=True)
            continue
        for check in prepared.undefined:
            fails = here & _undefined(slices, check)
            found.undefined = found.undefined | np.bitwise_or.reduce(fails, keepdims=True)
        for last, bits in _finals(slices.value(model.final), paths.writes, here):
            for number in np.flatnonzero(bits).tolist():
                values = paths.values(chosen[kept[number]])
                _add(found, _outcome(paths, values, last), bits[number : number + 1])


def _add(found: Outcomes, outcome: Outcome, bits: Bits) -> None:
    before = found.allowed.get(outcome)
    found.allowed[outcome] = bits if before is None else before | bits


def _mask(count: int) -> Bits:
    words = np.full(-(-count // 64), ALL, dtype=np.uint64)
    if count % 64:
        words[-1] = np.uint64((1 << count % 64) - 1)
    return words


def _left(slices: Slices, axioms: Sequence[CompiledCheck], alive: Bits) -> Bits:
    for check in axioms:
        alive = alive & ~slices.violated(check)
        if not alive.any():
            break
    return alive


def _sources(paths: Paths, undef: bool) -> Iterator[tuple[int, ...]]:
    """Give every choice of a write, by another instruction, for each read, so that threads take these paths.

    -1 stands for undef.
    """
    nodes, options = paths.nodes, []
    for read in paths.reads:
        own = nodes[read].thread, nodes[read].index
        from_ = [each for each in paths.writes[nodes[read].location] if (nodes[each].thread, nodes[each].index) != own]
        options.append([*from_, *([-1] if undef else [])])
    return (sources for sources in product(*options) if paths.fits(paths.values(sources)))


def _choose_sources(
    slices: Slices, prepared: Prepared, reads: Sequence[int], sources: Sequence[int], mask: Bits
) -> Bits:
    """Choose reads-from; give the choices of annotations that are left."""
    model, alive = prepared.model, mask
    count = len(slices.value(model.order_set))
    reads_from = np.zeros((count, count, 1), dtype=np.uint64)
    undef = np.zeros((count, 1), dtype=np.uint64)
    for read, source in zip(reads, sources, strict=True):
        if source >= 0:
            reads_from[source, read] = ALL
        else:
            undef[read] = ALL
            assert model.undef_set is not None
            alive = alive & slices.value(model.undef_set)[read]
    slices.choose(Level.READS_FROM, {"rf": reads_from, "UNDEF": undef})
    return _left(slices, prepared.early, alive)


def _orders(
    count: int, writes: Mapping[int, Sequence[int]], slices: Slices, model: CompiledModel
) -> Iterator[Mapping[str, Bits]]:
    """Give every order of the writes, and with it every one of those that the model chooses besides."""
    names = [linear_name(order) for order in model.linear]
    # What annotations leave out of the set of an order is left out of the order later: here it may stand anywhere.
    members = (np.flatnonzero(slices.value(order.arguments[0]).any(axis=1)).tolist() for order in model.linear)
    linear = [list(_linear(count, those)) for those in members]
    for order in _write_orders(count, writes):
        for chosen in product(*linear):
            check_time()
            yield {"order": order, **dict(zip(names, chosen, strict=True))}


def _linear(count: int, events: Sequence[int]) -> Iterator[Bits]:
    """Give every total order of some events."""
    for order in permutations(events):
        relation = np.zeros((count, count, 1), dtype=np.uint64)
        for place, event in enumerate(order):
            relation[event, list(order[place + 1 :])] = ALL
        yield relation


def _write_orders(count: int, writes: Mapping[int, Sequence[int]]) -> Iterator[Bits]:
    """Give every order of the writes of each location, the initial one first."""
    for arranged in product(*(permutations(those[1:]) for those in writes.values())):
        relation = np.zeros((count, count, 1), dtype=np.uint64)
        for (initial, *_), others in zip(writes.values(), arranged, strict=True):
            order = (initial, *others)
            for place, write in enumerate(order):
                relation[write, list(order[place + 1 :])] = ALL
        yield relation


def _finals(last: Bits, writes: Mapping[int, Sequence[int]], alive: Bits) -> Iterator[tuple[tuple[int, ...], Bits]]:
    """Give what each location may hold at the end: the one write that is last, or undef (-1)."""
    places = list(writes)

    def each(number: int, left: Bits) -> Iterator[tuple[tuple[int, ...], Bits]]:
        if number == len(places):
            yield (), left
            return
        those = writes[places[number]]
        alone = left
        for write in those:
            only = left & last[write]
            for other in those:
                if other != write:
                    only = only & ~last[other]
            alone = alone & ~only
            if only.any():
                for rest, bits in each(number + 1, only):
                    yield (write, *rest), bits
        if alone.any():
            for rest, bits in each(number + 1, alone):
                yield (-1, *rest), bits

    return each(0, alive)
