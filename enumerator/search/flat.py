"""The paths of a test as flat arrays, but for the kinds of events: values and functions of values are numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import accumulate, chain
from operator import attrgetter

from enumerator.clock import check_time
from enumerator.events.kinds import Sketch, sketches
from enumerator.events.relations import KEYS, LISTED
from enumerator.frozen import dataclass
from enumerator.jit.arguments import of_lists
from enumerator.program.instructions import Annotation
from enumerator.program.types import IntType, PointerType
from enumerator.program.values import Pointer
from enumerator.search import opcodes as op
from enumerator.search.functions import Functions, Values
from enumerator.search.layout import Paths
from enumerator.search.observed import Observed
from enumerator.search.symmetry import may_be_symmetric
from enumerator.unfold import Unfolded
from enumerator.unfold.missed import barriers_of
from enumerator.unfold.named import Named, named_location
from enumerator.unfold.paths import Known, Location, Node, Path, PathEvent, ReadValue
from enumerator.unfold.state import BLOCKED, REFUSED, TRIED

__all__ = [
    "BARRIER_FLAG",
    "STUCK_FLAG",
    "Flat",
    "end_of",
    "flatten",
    "source_of",
    "value_class",
]

AGREEMENT = -1
"""Stands for the number of a barrier where threads of a group agree on how they meet; 2 and more are the ways."""

BARRIER_FLAG, STUCK_FLAG = "ub-barrier", "stuck"
"""The first two of the early ends, in this order."""
_NO_FLAGS = {"return": 0, "cut": 1, TRIED: op.END_TRIED, REFUSED: op.END_REFUSED, BLOCKED: op.END_BLOCKED}

_COLUMNS = ("e_kind", "e_rmw", "e_vkind", "e_vdata", "e_type")

_LETTERS = {letter: number for number, letter in enumerate("RWFB")}

_NOTHING_SAID = Annotation()

_KEYS_OF = attrgetter(*KEYS)
_LISTS_OF = attrgetter(*LISTED)


@dataclass(frozen=True)
class Flat:
    """The paths of a test as arrays, but for the kinds of events: what follows from its outline.

    Parameters
    ----------
    unfolded : Unfolded
    paths : Paths
        Without the kinds of events.
    sketches : tuple of Sketch
        What tells the kinds of events, each once.
    sketch_of : tuple of int
        For each event, which of these it is.
    values, functions, locations, listed, compared, ends, most_events, asked, joined, waits, alike
        See :class:`Lowered`.
    """

    unfolded: Unfolded
    paths: Paths
    sketches: tuple[Sketch, ...]
    sketch_of: tuple[int, ...]
    values: Values
    functions: Functions
    locations: tuple[Location, ...]
    listed: frozenset[str]
    compared: frozenset[str]
    ends: tuple[str, ...]
    most_events: int
    asked: int
    joined: tuple[tuple[int, Named], ...]
    waits: bool
    alike: bool


def flatten(unfolded: Unfolded, names: tuple[str, ...]) -> Flat:
    """Make the arrays for the paths of a test, but for the kinds of events.

    Parameters
    ----------
    unfolded : Unfolded
    names : tuple of str
        The registers and locations whose final values are wanted.

    Returns
    -------
    Flat

    Raises
    ------
    Timeout
        Where the time is up.
    """
    listed = _Listed(unfolded, names)
    for thread, options in enumerate(unfolded.paths):
        listed.add_thread(thread, options)
    locations = tuple(unfolded.initial)
    # Initial writes come behind the events, from the end: that of location l has the index -1 - l.
    made = listed.made + [PathEvent("IW", _NOTHING_SAID, 0, location) for location in reversed(locations)]
    keys, compared = _keys(made, locations)
    lists = {**listed.lists(unfolded, locations), **_of_keys(keys, len(listed.made)), "kind_of": [0] * len(made)}
    paths = of_lists(Paths, lists, {**listed.shapes(), "e_key": (len(KEYS), len(made))})
    longest = sum(max((len(path.events) for path in options), default=0) for options in unfolded.paths)
    return Flat(
        unfolded,
        paths,
        tuple(listed.sketches),
        tuple(listed.sketch_of),
        listed.values,
        listed.functions,
        locations,
        frozenset(LISTED[number] for number in {number for number, _ in listed.dependencies}),
        compared,
        tuple(listed.ends),
        max(1, longest + len(locations)),
        len(listed.observed.owners),
        tuple(listed.observed.joined),
        listed.waits,
        may_be_symmetric(paths),
    )


def _keys(made: Sequence[PathEvent], locations: tuple[Location, ...]) -> tuple[dict[str, list[int]], frozenset[str]]:
    """Number the attributes of events that relations compare; name those that some event has."""
    numbers: dict[object, int] = {location: number for number, location in enumerate(locations)}
    nothing = [-1] * len(made)
    found: dict[str, list[int]] = {}
    compared = []
    for key, column in zip(KEYS, zip(*map(_KEYS_OF, made), strict=True) if made else [()] * len(KEYS), strict=True):
        if column.count(None) == len(column):
            found[key] = nothing
        else:
            found[key] = _numbered(column, numbers)
            compared.append(key)
    return found, frozenset(compared)


def _of_keys(keys: dict[str, list[int]], events: int) -> dict[str, list[int]]:
    """Give the attributes of the events as the kernels read them, and those of all with the initial writes."""
    return {
        "e_loc": keys["location"][:events],
        "e_instr": keys["instruction"][:events],
        "e_whole": keys["whole"][:events],
        "e_arrive": keys["arrival"][:events],
        "e_wait": keys["wait"][:events],
        "e_key": list(chain.from_iterable(keys[key] for key in KEYS)),
    }


class _Listed:
    """The paths of all threads, one after the other, and their events and conditions."""

    def __init__(self, unfolded: Unfolded, names: tuple[str, ...]) -> None:
        self.values = Values()
        self.functions = Functions(self.values)
        self.ends: dict[str, int] = {BARRIER_FLAG: 0, STUCK_FLAG: 1}
        self.made: list[PathEvent] = []
        self.sketches: list[Sketch] = []
        self.sketch_of: list[int] = []
        self._sketches: dict[tuple[object, ...], int] = {}
        self.dependencies: list[tuple[int, int]] = []
        self.observed = Observed(unfolded.test, names, partial(named_location, unfolded))
        self._events: list[tuple[int, ...]] = []
        self._conditions: list[int] = []
        # Of each path, and one more: where its events, and its conditions, begin. Of each event: what it depends on.
        self._event_first, self._condition_first, self._dependency_first = [0], [0], [0]
        self._end, self._arrivals, self._waits = list[int](), list[int](), list[int]()
        self._tried = list[int]()
        self._stuck_first, self._stuck_reads = [0], list[int]()
        self._thread_first, self._thread_count = list[int](), list[int]()
        self._meetings: dict[tuple[int, int], int] = {}
        self._met: list[tuple[int, int, int, int]] = []  # path, meeting, threads needed, whether it completes it
        self._observed_kind, self._observed_data = list[list[int]](), list[list[int]]()

    def add_thread(self, thread: int, options: Sequence[Path]) -> None:
        """Add the paths of a thread."""
        self._thread_first.append(len(self._end))
        self._thread_count.append(len(options))
        for path in options:
            check_time()
            for each in sketches(thread, path.events):
                place = self._sketches.setdefault(each.key, len(self.sketches))
                self.sketch_of.append(place)
                if place == len(self.sketches):
                    self.sketches.append(each)
            for event in path.events:
                self._add_event(event)
            self._event_first.append(len(self._events))
            self._conditions += [self.functions.condition(node, wanted) for node, wanted in path.conditions]
            self._condition_first.append(len(self._conditions))
            self._end.append(end_of(path.end, self.ends))
            self._stuck_reads += sorted(path.waiting)
            self._stuck_first.append(len(self._stuck_reads))
            arrivals, waits = barriers_of(path)
            self._arrivals.append(arrivals)
            self._waits.append(waits)
            self._tried.append(int(path.tried))
            for group, way in path.agreements:
                meeting = self._meetings.setdefault((AGREEMENT, group), len(self._meetings))
                self._met.append((len(self._end) - 1, meeting, 0, way + 2))
            row = [(op.V_KNOWN, op.UNDEF_ID)] * len(self.observed.owners)
            if thread in self.observed.threads:
                registers = self.observed.registers
                row = [_observe(path, register, self.values, self.functions) for register in registers]
            self._observed_kind.append([kind for kind, _ in row])
            self._observed_data.append([data for _, data in row])

    def _add_event(self, event: PathEvent) -> None:
        vkind, vdata = op.V_NONE, 0
        if event.kind == "W" and event.value is not None:
            vkind, vdata = source_of(event.value, self.values, self.functions)
        half = -1 if event.rmw is None else event.rmw
        self._events.append((_LETTERS[event.kind], half, vkind, vdata, value_class(event)))
        self.made.append(event)
        if event.barrier is not None and event.needed:
            meeting = self._meetings.setdefault(event.barrier, len(self._meetings))
            self._met.append((len(self._end), meeting, event.needed, event.completes))
        for number, found in enumerate(_LISTS_OF(event)):
            if found or found == 0:
                self.dependencies += [(number, source) for source in sorted(event.listed(LISTED[number]))]
        self._dependency_first.append(len(self.dependencies))

    @property
    def waits(self) -> bool:
        """Whether some path ends in a loop that waits, or has an attempt that counts only for what races with it."""
        return op.END_STUCK in self._end or any(self._tried)

    def lists(self, unfolded: Unfolded, locations: tuple[Location, ...]) -> dict[str, Sequence[int]]:
        """Give the numbers in the arrays of what was listed (:class:`enumerator.search.layout.Paths`)."""
        # A name that no path accesses keeps its initial value: a location of its own behind the others.
        test, functions = unfolded.test, self.functions
        initial = [self.values.number(value) for value in unfolded.initial.values()]
        place_of = {location: number for number, location in enumerate(locations)}
        observed_location = []
        for location, value in self.observed.locations:
            observed_location.append(place_of.get(location, len(initial)))
            if location not in place_of:
                initial.append(self.values.number(value))
        paths, meetings = len(self._end), len(self._meetings)
        needed, completes = [0] * (paths * meetings), [0] * (paths * meetings)
        for path, meeting, threads, completing in self._met:
            needed[path * meetings + meeting], completes[path * meetings + meeting] = threads, int(completing)
        # Values out of thin air: only where what is written depends on what is read.
        free = unfolded.constants if any(map(_depends, self.made)) else ()
        columns: Iterable[Sequence[int]] = zip(*self._events or [(0,) * len(_COLUMNS)], strict=True)
        return {
            "thread_first": self._thread_first,
            "thread_count": self._thread_count,
            "symmetric_with": [-1] * len(test.threads),
            "inst": [each for thread in test.threads for each in test.placements[thread.name].instances],
            "p_event": self._event_first,
            "p_cond": self._condition_first,
            "cond_function": self._conditions or [0],
            "p_end": self._end,
            "stuck_first": self._stuck_first,
            "stuck_reads": self._stuck_reads or [0],
            "p_arrive": self._arrivals,
            "p_wait": self._waits,
            "p_tried": self._tried,
            "p_needed": needed,
            "p_completes": completes,
            "obs_kind": list(chain.from_iterable(self._observed_kind)),
            "obs_data": list(chain.from_iterable(self._observed_data)),
            "obs_thread": self.observed.owners,
            "obs_loc": observed_location,
            **dict(zip(_COLUMNS, columns, strict=True)),
            "dep_first": self._dependency_first,
            "dep_kind": [code for code, _ in self.dependencies] or [0],
            "dep_source": [read for _, read in self.dependencies] or [0],
            "loc_value": initial,
            "f_first": list(accumulate(map(len, functions.reads), initial=0)),
            "f_reads": list(chain.from_iterable(functions.reads)) or [0],
            "f_start": functions.starts or [0],
            "f_strict": functions.strict or [0],
            "consts": [self.values.number(value) for value in free],
            "const_type": [1 if isinstance(value, Pointer) else 0 for value in free],
        }

    def shapes(self) -> dict[str, tuple[int, int]]:
        """Give the shapes of the arrays that have two dimensions."""
        paths, names, meetings = len(self._end), len(self.observed.owners), len(self._meetings)
        return {
            "inst": (len(self._thread_first), 6),
            "p_needed": (paths, meetings),
            "p_completes": (paths, meetings),
            "obs_kind": (paths, names),
            "obs_data": (paths, names),
        }


def _depends(event: PathEvent) -> bool:
    """Tell whether an event is a write of a value that depends on a read."""
    return event.kind == "W" and event.value is not None and bool(event.value.reads)


def _observe(path: Path, register: tuple[int, str], values: Values, functions: Functions) -> tuple[int, int]:
    node = path.registers.get(register[1])
    return (op.V_KNOWN, op.UNDEF_ID) if node is None else source_of(node, values, functions)


def source_of(node: Node, values: Values, functions: Functions) -> tuple[int, int]:
    """Say where a value comes from, as the kernels read it."""
    if isinstance(node, Known):
        return op.V_KNOWN, values.number(node.value)
    if isinstance(node, ReadValue):
        return op.V_COPY, node.index
    return op.V_FUNCTION, functions.function(node)


def value_class(event: PathEvent) -> int:
    """Say what a read out of thin air may return: 0 the test's integers, 1 its addresses, 2 neither."""
    kind = event.value.type if isinstance(event.value, ReadValue) else None
    return 0 if isinstance(kind, IntType) else 1 if isinstance(kind, PointerType) else 2


def end_of(end: str, ends: dict[str, int]) -> int:
    """Number the end of a path: 0 its return, 1 cut, 2 and above the early ends; below 0 what raises no flag."""
    if end in _NO_FLAGS:
        return _NO_FLAGS[end]
    return 2 + ends.setdefault(end, len(ends))


def _numbered(values: Iterable[object], known: dict[object, int]) -> list[int]:
    """Number the values of an attribute: -1 for none, integers as they are, others as known, or in order from there."""
    return [
        -1 if value is None else value if isinstance(value, int) else known.setdefault(value, len(known))
        for value in values
    ]
