"""The outcomes of a program under a side, for all its choices of annotations at once.

An execution is a choice of a write for each read, or of undef where the model lets reads return it, and of an order of
the writes of each location. For each the model is evaluated once; its bits are the choices of annotations under which
the execution is consistent. As all writes of a location store different values, what each read takes and what memory
holds at the end say all that can be observed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations, product

import numpy as np

from enumerator.cat.compiler import compile_model
from enumerator.cat.nodes import CompiledCheck, CompiledModel, Level, base_names
from enumerator.cat.typing import world
from enumerator.clock import check_time
from enumerator.distinguishing.alphabet import Alphabet, event_kind, predefined
from enumerator.distinguishing.programs import Program
from enumerator.distinguishing.sides import Side
from enumerator.distinguishing.slices import ALL, Bits, Slices, linear_name
from enumerator.errors import InputError, ReferenceEngineNeeded
from enumerator.events import RELATIONS
from enumerator.events.sets import names_of
from enumerator.generation.skeleton import Kind
from enumerator.search.bitset import base_kinds

__all__ = ["UNDEF", "Outcome", "Outcomes", "Prepared", "outcomes", "prepare_side"]

UNDEF = -1
"""Stands for undef where values are numbers of writes: 0 is the initial one, others count from 1."""

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
        Where one fails, the program is undefined.
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
    members = {"IW", "W", "M", "A", "Atomic", "SYSTEM", "OBS"}
    for kind, marks in alphabet.marks.items():
        for mark in marks:
            for letter in {Kind.READ: "R", Kind.WRITE: "W", Kind.UPDATE: "RW", Kind.FENCE: "F"}[kind]:
                for space in alphabet.spaces:
                    half = kind == Kind.UPDATE
                    of = event_kind(letter, mark, side.profile, half=half, thread=0, place=(0,) * 6, space=space)
                    members |= names_of(of) | {f"AS{space}"}
    empty = {name for name in names if name not in RELATIONS and name not in members}
    empty |= {name for name in names if name in RELATIONS and _is_empty(name)}
    if Kind.UPDATE not in alphabet.marks:
        empty |= names & {"rmw"}
    try:
        compiled = compile_model(model.model, model.variants, kinds, empty=frozenset(empty))
    except ReferenceEngineNeeded as reason:
        raise InputError(f"the model {model.name} cannot be searched for tests: {reason}") from None
    axioms = [check for check in compiled.checks if check.check.kind == "axiom"]
    return Prepared(
        side,
        compiled,
        tuple(check for check in axioms if check.node.level != Level.ORDER),
        tuple(check for check in axioms if check.node.level == Level.ORDER),
        tuple(check for check in compiled.checks if check.check.kind == "undefined_unless"),
        base_names(compiled) - set(_CHOSEN),
    )


def _is_empty(name: str) -> bool:
    """Tell whether a relation is empty in all tests that are made here: of parts, barriers, dependencies."""
    relation = RELATIONS[name]
    if relation.listed:
        return name != "rmw"
    return relation.same not in (None, ("location", "location"), ("instruction", "instruction")) or name == "ssw"


def outcomes(program: Program, prepared: Prepared) -> Outcomes:
    """Find the outcomes of a program under a side.

    Parameters
    ----------
    program : Program
    prepared : Prepared

    Returns
    -------
    Outcomes

    Raises
    ------
    LimitReached
        If the time that holds (:func:`enumerator.clock.time_limit`) is up.
    """
    nodes, model = program.nodes, prepared.model
    slices = Slices(len(nodes), program.base(prepared.side, prepared.names))
    reads = [number for number, node in enumerate(nodes) if node.letter == "R"]
    writes = {
        place: [number for number, node in enumerate(nodes) if node.letter == "W" and node.location == place]
        for place in range(len(program.spaces))
    }
    orders = list(_orders(len(nodes), writes, slices, model))
    every = _sources(program, reads, writes, model.undef_set is not None)
    found = Outcomes()
    if program.count <= _WORD:
        _side_by_side(program, prepared, slices, (reads, writes, orders), list(every), found)
        return found
    ordered = slices.value(model.order_set)
    mask = _mask(program.count)
    for sources in every:
        check_time()
        alive = _choose_sources(slices, prepared, reads, sources, mask)
        if not alive.any():
            continue
        taken = _taken(program, sources)
        for chosen in orders:
            order = chosen["order"] & ordered[:, None] & ordered[None, :]
            slices.choose(Level.ORDER, {**chosen, "order": order})
            here = _left(slices, prepared.late, alive)
            if not here.any():
                continue
            for check in prepared.undefined:
                found.undefined = found.undefined | here & slices.violated(check)
            for last, bits in _finals(slices.value(model.final), writes, here):
                _add(found, (taken, _taken(program, last)), bits)
    return found


_WORD = 64
_MOST_SIDE_BY_SIDE = 1 << 13


def _side_by_side(
    program: Program,
    prepared: Prepared,
    slices: Slices,
    choices: tuple[Sequence[int], Mapping[int, Sequence[int]], Sequence[Mapping[str, Bits]]],
    every: Sequence[tuple[int, ...]],
    found: Outcomes,
) -> None:
    """Evaluate executions together, a word for each, where one word holds all choices of annotations."""
    (reads, writes, orders), model = choices, prepared.model
    count = len(program.nodes)
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
        alive = np.repeat(_mask(program.count), len(some))
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
        for check in prepared.undefined:
            fails = here & slices.violated(check)
            found.undefined = found.undefined | np.bitwise_or.reduce(fails, keepdims=True)
        for last, bits in _finals(slices.value(model.final), writes, here):
            held = _taken(program, last)
            for number in np.flatnonzero(bits).tolist():
                taken_here = _taken(program, some[kept[number]].tolist())
                _add(found, (taken_here, held), bits[number : number + 1])


def _taken(program: Program, writes: Sequence[int]) -> tuple[int, ...]:
    return tuple(UNDEF if write < 0 else program.nodes[write].value for write in writes)


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


def _sources(
    program: Program, reads: Sequence[int], writes: Mapping[int, Sequence[int]], undef: bool
) -> Iterator[tuple[int, ...]]:
    """Give every choice of a write, by another instruction, for each read; -1 for undef."""
    nodes = program.nodes
    options = []
    for read in reads:
        own = nodes[read].thread, nodes[read].index
        from_ = [each for each in writes[nodes[read].location] if (nodes[each].thread, nodes[each].index) != own]
        options.append([*from_, *([-1] if undef else [])])
    return product(*options)


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
