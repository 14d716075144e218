"""Unfolding a test: the paths of its threads, computed together with the possible values of its locations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import field, replace
from functools import cached_property, partial
from itertools import islice
from math import comb, prod
from typing import TYPE_CHECKING

from enumerator.errors import InputError, LimitReached, TooManyPaths
from enumerator.frozen import dataclass
from enumerator.program.addresses import name_objects
from enumerator.program.instructions import Annotation
from enumerator.program.memory import holds_values, initial_value
from enumerator.program.test import MemoryObject, Test, Thread
from enumerator.program.types import BytesType, Type, size_of
from enumerator.program.values import Value
from enumerator.unfold.constants import constants, freeze_choices
from enumerator.unfold.domains import Domains, longest_chain, propagate
from enumerator.unfold.layout import Layout, site_of
from enumerator.unfold.machine import paths_of
from enumerator.unfold.missed import may_miss
from enumerator.unfold.objects import leaves_halves, resolve, uses_objects
from enumerator.unfold.paths import Location, Path, PathEvent, ReadValue
from enumerator.unfold.rewritten import Rewritten, WaitsRace
from enumerator.unfold.slots import SlotEscapes
from enumerator.unfold.state import Shared, key_of
from enumerator.unfold.text import Text
from enumerator.unfold.waiting import raced_objects

if TYPE_CHECKING:
    from enumerator.unfold.sought import Found

__all__ = [
    "DEFAULT_UNROLL",
    "RETURN_LABEL",
    "Effort",
    "Unfolded",
    "combinations_of",
    "initial_of",
    "prepare",
    "seek",
    "unfold",
]

DEFAULT_UNROLL = 2
"""The loop bound, where neither the user nor the test gives one (:mod:`enumerator.unfold.loops`)."""

RETURN_LABEL = "RET"
"""The label of the reads at a return, in models that have them."""

_MOST_PATHS = 200_000
_MOST_BESIDE = 256


@dataclass(frozen=True)
class Effort:
    """How much is too much to unfold where another way is open.

    Parameters
    ----------
    combinations : int
        Of a path of each thread (:func:`combinations_of`), as far as these are known.
    waiting : int
        The same, where some thread waits in a loop.
    values : int
        Combinations of values that reads may return; so many are not too much yet.
    """

    combinations: int
    waiting: int
    values: int

    def most(self, waits: bool) -> int:
        """Give how many combinations of paths are too many."""
        return self.waiting if waits else self.combinations


@dataclass(frozen=True)
class Unfolded:
    """The paths of a test.

    Parameters
    ----------
    test : Test
    paths : tuple of tuple of Path
        For each thread in order, its paths.
    initial : dict of Location to Value
        Initial value of each location that some path accesses, sorted by location.
    types : dict of Location to Type or None
        What each of these locations holds: values of a type, or bytes (:mod:`enumerator.unfold.layout`).
    raced : frozenset of str
        Objects, by where they are made, with cells that threads wait for and that plain stores of others write.
    objects : mapping of str to MemoryObject
        By name: those of the test, and those that threads make.
    heap : frozenset of str
        Which of them are on the heap.
    """

    test: Test
    paths: tuple[tuple[Path, ...], ...]
    initial: dict[Location, Value]
    types: dict[Location, Type | None]
    raced: frozenset[str] = frozenset()
    objects: Mapping[str, MemoryObject] = field(default_factory=dict)
    heap: frozenset[str] = frozenset()

    @cached_property
    def constants(self) -> tuple[Value, ...]:
        """The constants of the test (:func:`enumerator.unfold.constants.constants`)."""
        return constants(self.test)


def unfold(
    test: Test,
    *,
    undef: bool | Set[Location] = True,
    unroll: int | None = None,
    returns: bool = False,
    waits: bool | None = None,
    asked: Set[str] | None = None,
    effort: Effort | None = None,
) -> Unfolded:
    """Unfold the threads of a test into their paths.

    Parameters
    ----------
    test : Test
    undef : bool or set of Location
        Whether reads (or for which locations they) may return undef by a rule of the model, whatever was written.
    unroll : int, optional
        The bound on loops (:mod:`enumerator.unfold.loops`) and recursion. If not given, that of the test, or 2.
    returns : bool
        Whether a return reads every location that some path accesses, by events with the label ``RET``. In such a model
        the accesses of a thread are ordered by their tokens only, so all stack slots are memory.
    waits : bool, optional
        Whether a loop that waits is one evaluation (:mod:`enumerator.unfold.waiting`). If not given: unless `returns`.
    asked : set of str, optional
        The registers whose last values are asked for (:attr:`~enumerator.request.Request.registers`); default: all. An
        iteration of a loop that waits may be what gives one its last value.
    effort : Effort, optional
        Where to stop, if the paths are asked for only if they are few.

    Returns
    -------
    Unfolded

    Raises
    ------
    InputError
        If a thread reaches an instruction that is not supported.
    LimitReached
        If there are too many paths (:class:`~enumerator.errors.TooManyPaths` where that is by `effort`), or the time
        is up.

    See Also
    --------
    enumerator.unfold.paths : What a path is.
    """
    shared = prepare(test, undef=undef, unroll=unroll, returns=returns, waits=waits, asked=asked, effort=effort)
    paths = _in_rounds(test, shared, effort)
    if uses_objects(test) or leaves_halves(paths):
        paths = resolve(test, paths)
    objects, layout = shared.objects, shared.layout
    values = _initial_values(test, paths, partial(initial_of, objects, layout, test.big_endian))
    if returns:
        paths = tuple(tuple(_with_return(path, test, values) for path in options) for options in paths)
    types = {cell: layout.type_of(cell) for cell in values}
    return Unfolded(test, paths, values, types, frozenset(shared.raced), shared.objects, frozenset(shared.heap))


def seek(test: Test, found: Found) -> None:
    """Unfold what creates threads, as far as creations are ahead.

    Parameters
    ----------
    test : Test
    found : Found
        Receives the threads.
    """
    _in_rounds(test, prepare(test, found=found), None)


def _in_rounds(test: Test, shared: Shared, effort: Effort | None) -> tuple[tuple[Path, ...], ...]:
    """Give the paths of each thread."""
    objects = shared.objects
    rounds, kept = 0, dict[tuple[str, str], tuple[Path, ...]]()
    while True:
        before, domains = len(objects), shared.domains
        shared.locks.begin()
        asked = shared.found is not None and shared.found.asks
        paths: tuple[tuple[Path, ...], ...] | None = None
        try:
            paths = _collect(test, shared, kept, effort)
        except SlotEscapes:
            pass  # which one does is noted
        except WaitsRace as race:
            shared.raced.add(site_of(race.location.object))
            shared.rewritten.begin()
        if paths is not None and shared.found is not None and shared.found.enough:
            return paths
        if paths is None or _learns(test, shared, paths):
            rounds = 0
            kept.clear()
            continue
        if not shared.guessed:
            return paths
        if shared.found is not None and shared.found.asks and not asked:
            continue  # some threads have been left out, which may write what was asked for
        # A value that passes through n reads before it is written is in the domains after n + 1 rounds. An execution
        # has a bounded number of such reads, so further rounds add nothing that is possible. A new dependency cycle may
        # bring new constants, so rounds are counted anew.
        grown, cycle = propagate(paths, domains)
        rounds = 0 if cycle else rounds + 1
        if not grown and len(objects) == before:
            return paths
        if rounds > longest_chain(paths, domains) + 1:
            return paths


def _learns(test: Test, shared: Shared, paths: tuple[tuple[Path, ...], ...]) -> bool:
    """Tell whether paths show that something is not as was supposed when they were unfolded: then all begins anew."""
    if shared.layout.changed:
        shared.layout.changed = False
        shared.domains = shared.domains.anew()
        return True
    if shared.waits and shared.found is None and (raced := raced_objects(test.threads, paths) - shared.raced):
        shared.raced |= raced
        return True
    counted = shared.found is None and not (uses_objects(test) or leaves_halves(paths))
    if counted and not shared.blocks and may_miss(test, paths):
        shared.blocks = True
        return True
    return False


def combinations_of(paths: Sequence[Sequence[Path]]) -> int:
    """Count the combinations of a path of each thread; of threads with as many paths, one order counts.

    Parameters
    ----------
    paths : sequence of sequence of Path
        Those of each thread.

    Returns
    -------
    int
    """
    counts = Counter(map(len, paths))
    return prod(comb(count + threads - 1, threads) if count else 0 for count, threads in counts.items())


def prepare(
    test: Test,
    *,
    undef: bool | Set[Location] = True,
    unroll: int | None = None,
    returns: bool = False,
    waits: bool | None = None,
    asked: Set[str] | None = None,
    effort: Effort | None = None,
    found: Found | None = None,
    races: bool = False,
    ends_tried: bool = False,
    keeps_refused: bool = False,
    blocks: bool = False,
    text: Text | None = None,
) -> Shared:
    """Give what the threads of a test share before any of them has run; see :func:`unfold`."""
    bound = unroll if unroll is not None else test.unroll if test.unroll is not None else DEFAULT_UNROLL
    told, most_values = Text(test, asked) if text is None else text, None if effort is None else effort.values
    objects: dict[str, MemoryObject] = {memory.name: memory for memory in test.objects}
    name_objects((name, size_of(memory.type)) for name, memory in objects.items())
    name_objects((f"@{name}", 0) for name in test.functions)

    def holds(location: Location, type_: Type) -> bool:
        # What most likely holds bytes does from the beginning: else all begins anew when it is seen to.
        if told.mixed.holds(location):
            return False
        return holds_values(objects[location.object], location.offset, type_, big=test.big_endian)

    layout = Layout(holds, lambda name: size_of(objects[name].type))
    initial = partial(initial_of, objects, layout, test.big_endian)
    return Shared(
        path=test.path,
        functions=test.functions,
        objects=objects,
        layout=layout,
        big=test.big_endian,
        domains=Domains(initial, lambda: told.constants, undef, most_values, lambda: told.fixed),
        freeze_choices=lambda type_: freeze_choices(told.constants, type_),
        unroll=bound,
        text=told,
        slots_in_memory=returns,
        waits=not returns if waits is None else waits,
        creations={key_of(each.creation): each for each in test.threads if each.creation is not None},
        found=found,
        races=races,
        ends_tried=ends_tried,
        keeps_refused=keeps_refused,
        blocks=blocks,
        rewritten=Rewritten(test.threads),
    )


def initial_of(objects: Mapping[str, MemoryObject], layout: Layout, big: bool, cell: Location) -> Value:
    """Give what a cell holds at the beginning.

    Parameters
    ----------
    objects : mapping of str to MemoryObject
        By name.
    layout : Layout
    big : bool
        Whether bytes of numbers are in big-endian order.
    cell : Location

    Returns
    -------
    Value
        Of the type that all accesses of the cell have, else its bytes.
    """
    return initial_value(objects[cell.object], cell.offset, layout.type_of(cell) or BytesType(cell.size), big=big)


def _ways(thread: Thread, shared: Shared, kept: dict[tuple[str, str], tuple[Path, ...]]) -> Iterable[Path]:
    """Give the paths of a thread: of the function that it runs, or of each one that it may run.

    Those of a function in which no value decides on anything are the same in each round, and `kept`.
    """
    if not thread.alternatives:
        return paths_of(thread, shared)
    found: list[Path] = []
    for name in thread.alternatives:
        key = thread.name, name
        if key not in kept:
            before, shared.guessed = shared.guessed, False
            paths = tuple(paths_of(replace(thread, function=name), shared))
            if shared.guessed:
                found += paths
                continue
            kept[key], shared.guessed = paths, before
        found += kept[key]
    return found


def _collect(
    test: Test, shared: Shared, kept: dict[tuple[str, str], tuple[Path, ...]], effort: Effort | None
) -> tuple[tuple[Path, ...], ...]:
    """Give the paths of each thread; stop where the combinations that are known are too many already."""
    found: list[tuple[Path, ...]] = []
    waits, sought = False, shared.found
    for thread in test.threads:
        paths: list[Path] = []
        ways = iter(_ways(thread, shared, kept))
        if sought is not None and not sought.may_create(thread):  # what it writes may matter: some of it will do
            ways = _beside(ways) if sought.asks else iter(())
        for path in ways:
            paths.append(path)
            waits = waits or bool(path.waiting)
            if effort is not None and len(paths) >= effort.most(waits):
                raise TooManyPaths("too many paths")
            if len(paths) > _MOST_PATHS:
                raise LimitReached(f"thread {path.thread} has more than {_MOST_PATHS} paths")
        found.append(tuple(paths))
        if effort is not None and combinations_of(found) >= effort.most(waits):
            raise TooManyPaths("too many combinations of paths")
    return tuple(found)


def _beside(ways: Iterator[Path]) -> Iterator[Path]:
    """Give some paths of a thread that creates none: what is not covered may be where it never comes to."""
    try:
        yield from islice(ways, _MOST_BESIDE)
    except InputError:
        return


def _initial_values(
    test: Test, paths: tuple[tuple[Path, ...], ...], initial: Callable[[Location], Value]
) -> dict[Location, Value]:
    """Give the initial value of each accessed location."""
    lines: dict[Location, int | None] = {}
    for options in paths:
        for path in options:
            for event in path.events:
                if event.location is not None:
                    lines.setdefault(event.location, event.line)
    ordered = sorted(lines)
    values: dict[Location, Value] = {}
    for location in ordered:
        try:
            values[location] = initial(location)
        except InputError as error:
            raise InputError(error.message, test.path, lines[location]) from None
    return values


def _with_return(path: Path, test: Test, locations: Iterable[Location]) -> Path:
    """Add reads of every location of the test's objects at the return of a path.

    Semantics, section 6: "The final state is what memory holds when ``ret`` runs, as if ``ret`` read every location."
    """
    if path.end != "return":
        return path
    spaces = {memory.name: memory.address_space for memory in test.objects}
    instruction = max((event.instruction for event in path.events), default=-1) + 1
    reads: list[PathEvent] = []
    for location in locations:
        if location.object in spaces:
            index = len(path.events) + len(reads)
            reads.append(
                PathEvent(
                    "R",
                    Annotation(address_space=spaces[location.object], labels=frozenset((RETURN_LABEL,))),
                    instruction,
                    location,
                    ReadValue(index),
                    data=path.leaving.data,
                    ctrl=path.leaving.ctrl,
                    tok=path.leaving.tok,
                    line=path.end_line,
                )
            )
    return replace(path, events=(*path.events, *reads))
