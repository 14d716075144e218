"""The threads of a test as trees of paths, and what each event waits for, as arrays for the kernel."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from enumerator.clock import check_time
from enumerator.errors import LimitReached
from enumerator.frozen import dataclass
from enumerator.program.values import Value
from enumerator.search import opcodes as op
from enumerator.search import places as at
from enumerator.search.interleaving.shape import Shape
from enumerator.search.lower import Lowered
from enumerator.unfold import Unfolded
from enumerator.unfold.paths import Node, Path, PathEvent

__all__ = ["Machine", "Tree", "lay_out", "path_tree", "waits"]

_MOST_CELLS = 1 << 26
"""Of a table over nodes and events."""


@dataclass(frozen=True)
class Machine:
    """The program of the machine that the kernels run, and how large their own tables are.

    Parameters
    ----------
    numbers : dict of int to int
        What stands in the header, by place (:mod:`enumerator.search.places`).
    tables : dict of int to array
        By place in the header.
    sizes : dict of int to int
        Of the search's own tables.
    roots : tuple of int
        For each thread the node that it begins at; the last is a node for threads that have finished.
    width : int
        Words of a state.
    """

    numbers: dict[int, int]
    tables: dict[int, NDArray[np.int64]]
    sizes: dict[int, int]
    roots: tuple[int, ...]
    width: int

    def flat(self, **changed: NDArray[np.int64]) -> NDArray[np.int64]:
        """Write the program as one array.

        Parameters
        ----------
        changed : array
            ``O_MINE=…``: tables that take the place of others.
        """
        tables = {**self.tables, **{getattr(at, name): table for name, table in changed.items()}}
        header = np.zeros(at.HEADER, dtype=np.int64)
        for place, number in self.numbers.items():
            header[place] = number
        parts, begin = [header], at.HEADER
        for place, table in tables.items():
            header[place] = begin
            parts.append(table.ravel())
            begin += table.size
        begin = 0
        for place, size in self.sizes.items():
            header[place] = begin
            begin += size
        return np.concatenate(parts)

    def work(self) -> tuple[NDArray[np.int64], dict[int, NDArray[np.int64]]]:
        """Make the search's own array, and views of its tables."""
        whole = np.zeros(sum(self.sizes.values()), dtype=np.int64)
        views, begin = {}, 0
        for place, size in self.sizes.items():
            views[place] = whole[begin : begin + size]
            begin += size
        return whole, views


@dataclass
class Tree:
    """A node of a thread's tree of paths.

    Parameters
    ----------
    first, last : int
        Its paths: numbers, from first to before last.
    length : int
        How many events they all begin with.
    conditions : int
        How many conditions they all begin with.
    children : list of Tree
        Where the paths part, in order; none at a leaf.
    """

    first: int
    last: int
    length: int
    conditions: int
    children: list[Tree]


def path_tree(paths: Sequence[Path]) -> Tree:
    """Put the paths of a thread into a tree: those that begin alike share what they begin with.

    Unfolding copies a thread where its paths part, so events and conditions are shared as objects up to there.

    Parameters
    ----------
    paths : sequence of Path
        In the order of unfolding.

    Returns
    -------
    Tree
    """
    root = _node(paths, 0, len(paths))
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.last - node.first == 1:
            continue
        start = node.first
        for number in range(node.first + 1, node.last + 1):
            if number == node.last or not _same_start(paths[start], paths[number], node.length):
                node.children.append(_node(paths, start, number))
                start = number
        waiting.extend(node.children)
    return root


def _node(paths: Sequence[Path], first: int, last: int) -> Tree:
    one, other = paths[first], paths[last - 1]
    length = min(len(one.events), len(other.events))
    conditions = min(len(one.conditions), len(other.conditions))
    if last - first > 1:
        length = next((n for n in range(length) if not _same(one.events[n], other.events[n])), length)
        conditions = next((n for n in range(conditions) if one.conditions[n] is not other.conditions[n]), conditions)
    return Tree(first, last, length, conditions, [])


def _same(a: PathEvent, b: PathEvent) -> bool:
    """Tell whether two paths share an event; a failed cmpxchg's read is the same but for its ordering."""
    return a is b or (a.kind == b.kind == "R" and a.value is b.value)


def _same_start(one: Path, other: Path, length: int) -> bool:
    """Tell whether two paths, which begin with the same events, go on with the same one."""
    if len(one.events) == length or len(other.events) == length:
        return False
    return _same(one.events[length], other.events[length])


def waits(path: Path, before: Iterable[str]) -> list[int]:
    """Give the events that each event of a path waits for, and after those of the events, what its return waits for.

    Parameters
    ----------
    path : Path
    before : iterable of str
        Relations, as in :class:`~enumerator.search.interleaving.shape.Shape`.

    Returns
    -------
    list of int
        Sets of event indices, as bits.

    Examples
    --------
    >>> waits(Path("t", (), (), {}), ["tok"])
    [0]
    """
    names = sorted(set(before) & {"tok", "addr", "data", "ctrl"})
    rows = []
    for index, event in enumerate(path.events):
        check_time()
        bits = (1 << index) - 1 if "po" in before else 0
        for name in names:
            for source in getattr(event, name):
                bits |= 1 << source
        if "rmw" in before and event.rmw is not None:
            bits |= 1 << event.rmw
        rows.append(bits)
    bits = (1 << len(path.events)) - 1 if "po" in before else 0
    for name in names:
        for source in getattr(path.leaving, name, ()):
            bits |= 1 << source
    return [*rows, bits]


def lay_out(unfolded: Unfolded, lowered: Lowered, shape: Shape) -> Machine:
    """Make the arrays of a test.

    Parameters
    ----------
    unfolded : Unfolded
    lowered : Lowered
    shape : Shape

    Returns
    -------
    Machine
    """
    return _Layout(unfolded, lowered, shape).machine()


class _Layout:
    def __init__(self, unfolded: Unfolded, lowered: Lowered, shape: Shape) -> None:
        self.unfolded, self.lowered, self.shape = unfolded, lowered, shape
        self.most = max((len(path.events) for options in unfolded.paths for path in options), default=0) or 1
        self.words = (self.most + 63) // 64
        self.locations = len(lowered.arrays["loc_value"])
        self.rows: list[tuple[int, ...]] = []
        self.needs: list[int] = []
        self.reads: list[int] = []
        self.writes: list[int] = []
        self.must_run: list[int] = []
        self.returns: list[int] = []
        self.conditions: list[list[int]] = []
        self.deciding: list[list[int]] = []
        self.children: list[list[int]] = []
        self.before: list[int] = []
        self.ancestors: list[int] = []
        self.half: list[int] = []
        self.used: set[int] = set()

    def machine(self) -> Machine:
        roots = [self.thread(thread, options) for thread, options in enumerate(self.unfolded.paths)]
        roots.append(self.add(0, 0, -1, 0, 0, 0, 0, 0, 0, 0, 0))
        arrays = self.lowered.arrays
        threads, names = len(self.unfolded.paths), len(arrays["obs_thread"])
        observed = np.zeros(self.locations, dtype=np.int64)
        for owner, location in zip(arrays["obs_thread"], arrays["obs_loc"], strict=True):
            if owner < 0:
                observed[location] = 1
        columns = np.array(self.rows, dtype=np.int64).reshape(-1, 6).T
        slots = np.array(sorted(self.used), dtype=np.int64)
        c_first, c_function = _lists(self.conditions)
        d_first, d_read = _lists(self.deciding)
        k_first, k_node = _lists(self.children)
        copied = (
            "e_kind e_loc e_vkind e_vdata e_arrive e_wait e_rmw f_first f_reads inst "
            "obs_kind obs_data obs_thread obs_loc"
        )
        tables = {
            **{getattr(at, name.upper()): arrays[name].astype(np.int64) for name in copied.split()},
            at.E_HALF: np.array(self.half, dtype=np.int64),
            at.E_BEFORE: _words(self.before, self.words),
            at.E_ANCESTORS: _words(self.ancestors, self.words),
            **dict(zip(range(at.N_EVENT, at.N_NEEDS), columns, strict=True)),
            at.N_NEEDS: self.flags(self.needs, self.most),
            at.N_READS: self.flags(self.reads, self.locations),
            at.N_WRITES: self.flags(self.writes, self.locations),
            at.N_MUST_RUN: _words(self.must_run, self.words),
            at.N_RETURN: _words(self.returns, self.words),
            at.C_FIRST: c_first,
            at.C_FUNCTION: c_function,
            at.D_FIRST: d_first,
            at.D_READ: d_read,
            at.K_FIRST: k_first,
            at.K_NODE: k_node,
            at.O_MINE: np.ones(names, dtype=np.int64),
            at.OBSERVED: observed,
            at.SLOTS: slots,
        }
        steps = threads * self.most + 1
        return Machine(
            numbers={
                at.THREADS: threads,
                at.MOST: self.most,
                at.WORDS: self.words,
                at.LOCATIONS: self.locations,
                at.NAMES: names,
                at.SLOT_COUNT: len(slots),
                at.RETURNS: int(self.shape.returns),
                at.BARRIERS: int("barrier" in self.shape.before),
                at.IN_ORDER: int("po" in self.shape.before),
            },
            tables=tables,
            sizes={
                at.W_NODE: threads,
                at.W_DONE: threads * self.words,
                at.W_VAL: steps,
                at.W_MEM: self.locations,
                at.W_RETURNED: 1,
                at.W_SNAP: names,
                at.W_NEED: steps,
                at.W_SEEN: self.locations,
                at.W_LOCK: self.locations,
                at.W_CHOSEN: steps,
                at.W_WORK: steps,
                at.W_CAN: steps,
            },
            roots=tuple(roots),
            width=threads + 2 * threads * self.words + len(slots) + self.locations + 1 + names,
        )

    def flags(self, rows: list[int], width: int) -> NDArray[np.int64]:
        """Spread sets of small numbers, as bits, over a table."""
        if len(rows) * width > _MOST_CELLS:
            raise LimitReached("the threads have too many paths for the interleaving engine")
        table = np.zeros((len(rows), width), dtype=np.int64)
        for number, bits in enumerate(rows):
            for place in _members(bits):
                table[number, place] = 1
        return table

    def add(
        self,
        event: int,
        length: int,
        path: int,
        end: int,
        arrive: int,
        wait: int,
        needs: int,
        reads: int,
        writes: int,
        must_run: int,
        returns: int,
    ) -> int:
        """Add a node without conditions and children."""
        self.rows.append((event, length, path, end, arrive, wait))
        self.needs.append(needs)
        self.reads.append(reads)
        self.writes.append(writes)
        self.must_run.append(must_run)
        self.returns.append(returns)
        self.conditions.append([])
        self.deciding.append([])
        self.children.append([])
        return len(self.rows) - 1

    def thread(self, thread: int, paths: Sequence[Path]) -> int:
        """Add the events of a thread's paths and the nodes of their tree; give its root."""
        arrays = self.lowered.arrays
        first = int(arrays["thread_first"][thread])
        rows: list[list[int]] = []
        for path in paths:
            row = waits(path, self.shape.before)
            closed: list[int] = []
            for bits in row:
                for place in _members(bits):
                    bits |= closed[place]
                closed.append(bits)
            halves = {event.rmw: index for index, event in enumerate(path.events) if event.rmw is not None}
            self.before.extend(row[:-1])
            self.ancestors.extend(closed[:-1])
            self.half.extend(halves.get(index, -1) for index in range(len(path.events)))
            rows.append([row[-1], closed[-1]])
        order = [path_tree(paths)] if paths else []
        for node in order:
            order.extend(node.children)
        numbers: dict[int, int] = {}
        for node in reversed(order):  # children first
            numbers[id(node)] = self.node(thread, first, paths, node, rows, numbers)
        return numbers[id(order[0])] if order else self.add(0, 0, -1, 0, 0, 0, 0, 0, 0, 0, 0)

    def node(
        self,
        thread: int,
        first: int,
        paths: Sequence[Path],
        node: Tree,
        rows: list[list[int]],
        numbers: dict[int, int],
    ) -> int:
        arrays = self.lowered.arrays
        number = first + node.first
        start = int(arrays["p_event"][number])
        kept = (1 << node.length) - 1
        conditions = [int(function) for function in self.functions(number)]
        if not node.children:
            needs = self.inputs(
                (int(arrays["obs_kind"][number, k]), int(arrays["obs_data"][number, k]))
                for k, owner in enumerate(arrays["obs_thread"])
                if owner == thread
            )
            index = self.add(
                start,
                node.length,
                number,
                int(arrays["p_end"][number]),
                int(arrays["p_arrive"][number]),
                int(arrays["p_wait"][number]),
                needs,
                0,
                0,
                rows[node.first][1] if paths[node.first].end == "return" else (1 << self.most) - 1,
                rows[node.first][0],
            )
            self.conditions[index] = conditions
        else:
            children = [numbers[id(child)] for child in node.children]
            needs = reads = writes = 0
            must_run = kept
            for child, child_number in zip(node.children, children, strict=True):
                needs |= self.needs[child_number]
                reads |= self.reads[child_number]
                writes |= self.writes[child_number]
                must_run &= self.must_run[child_number]
                begin = int(arrays["p_event"][first + child.first])
                for event in range(begin + node.length, begin + child.length):
                    place = int(arrays["e_loc"][event])
                    if arrays["e_kind"][event] == 0:
                        reads |= 1 << place
                        if self.half[event] >= 0:
                            writes |= 1 << place
                    elif arrays["e_kind"][event] == 1:
                        writes |= 1 << place
                    needs |= self.inputs([(int(arrays["e_vkind"][event]), int(arrays["e_vdata"][event]))])
                for function in self.conditions[child_number][node.conditions :]:
                    needs |= self.function_inputs(function)
            index = self.add(start, node.length, -1, 0, 0, 0, needs, reads, writes, must_run, 0)
            self.conditions[index] = conditions[: node.conditions]
            self.children[index] = children
            self.deciding[index] = self.decided_by(paths, node)
        base = thread * self.most
        self.used.update(base + place for place in _members(self.needs[index] & kept))
        for event in range(start, start + node.length):
            found = self.inputs([(int(arrays["e_vkind"][event]), int(arrays["e_vdata"][event]))])
            self.used.update(base + place for place in _members(found))
        for function in self.conditions[index]:
            self.used.update(base + place for place in _members(self.function_inputs(function)))
        return index

    def functions(self, path: int) -> NDArray[np.generic]:
        arrays = self.lowered.arrays
        found: NDArray[np.generic] = arrays["cond_function"][
            int(arrays["p_cond"][path]) : int(arrays["p_cond"][path + 1])
        ]
        return found

    def inputs(self, sources: Iterable[tuple[int, int]]) -> int:
        """Give the reads that values come from."""
        bits = 0
        for kind, data in sources:
            if kind == op.V_COPY:
                bits |= 1 << data
            elif kind == op.V_FUNCTION:
                bits |= self.function_inputs(data)
        return bits

    def function_inputs(self, function: int) -> int:
        bits = 0
        for read in self.lowered.functions.reads[function]:
            bits |= 1 << read
        return bits

    def decided_by(self, paths: Sequence[Path], node: Tree) -> list[int]:
        """Give the reads that decide where the paths of a node part; none where the way on must be guessed.

        Where an event behind may run before such a read (an address that is not known yet does not hold up what comes
        after it), every way is tried from the start, and the wrong ones end once the read has run.
        """
        reads: set[int] = set()
        for child in node.children:
            held: Sequence[tuple[Node, Value]] = paths[child.first].conditions
            if child.conditions > node.conditions:
                reads |= held[node.conditions][0].reads
        if "po" in self.shape.before:
            return sorted(reads)
        for path in paths[node.first : node.last]:
            if any(not reads <= event.ctrl for event in path.events[node.length :]):
                return []
            if path.end == "return" and not reads <= path.leaving.ctrl:
                return []
        return sorted(reads)


def _members(bits: int) -> Iterable[int]:
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def _words(rows: Sequence[int], words: int) -> NDArray[np.int64]:
    """Write sets of small numbers, given as bits, as rows of words."""
    table = np.zeros((len(rows), words), dtype=np.uint64)
    for number, bits in enumerate(rows):
        for word in range(words):
            table[number, word] = np.uint64(bits >> (64 * word) & 0xFFFFFFFFFFFFFFFF)
    return table.view(np.int64)


def _lists(rows: Sequence[Sequence[int]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    first = np.cumsum([0, *map(len, rows)]).astype(np.int64)
    return first, np.array([item for row in rows for item in row] or [0], dtype=np.int64)
