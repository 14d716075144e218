"""At which locations a read may return undef by the rule of a model, whatever paths the threads take.

Each branch on a value that is read has a path for undef, too, and these multiply over the threads, while most tests
have locations whose reads are never undef: all accesses are atomic, say, or one thread alone accesses them. To see
that, the model is evaluated for a path of each thread together with all that the other threads may do instead: over the
events of these paths, and over groups of events, those of one kind with the same attributes. Of each node of the model
we keep what must be in it in every candidate, and what may be in it in some.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from enumerator.cat.nodes import SET, CompiledCheck, CompiledModel, Node
from enumerator.cat.predefined import UNDEF_SET
from enumerator.clock import check_time
from enumerator.search import entries as kernels
from enumerator.search import opcodes as op
from enumerator.search.lower import Lowered
from enumerator.search.universe import COMPARED, LOCATION, Bits, Extent, Told, Universe, group_events, grouped, universe
from enumerator.unfold.paths import Location

__all__ = ["Evaluation", "undef_groups", "undef_locations", "undef_rules"]


def undef_locations(lowered: Lowered, model: CompiledModel) -> frozenset[Location]:
    """Find the locations of which some read may return undef by the rule of the model.

    Parameters
    ----------
    lowered : Lowered
    model : CompiledModel
        Its rule are the axioms ``empty UNDEF \\ allowed``.

    Returns
    -------
    frozenset of Location

    Raises
    ------
    Timeout
        Where the time is up.
    """
    evaluation = Evaluation(undef_rules(model))
    found: set[int] = set()
    counts = lowered.arrays["thread_count"]
    groups = group_events(lowered)
    for number in range(int(counts.max(initial=0)) if counts.all() else 0):
        check_time()
        around = universe(lowered, groups, np.minimum(number, counts - 1))
        if around is None:
            return frozenset(lowered.locations)
        possible = around.reads & around.on_path
        for extent in evaluation.on(around):
            possible &= extent.may
        found.update(around.location[possible].tolist())
    return frozenset(lowered.locations[place] for place in found)


_MOST_ITEMS = 4096
"""For how many groups and locations a model is evaluated, which takes the square of that; of more, any read may be."""


def undef_groups(told: Told, evaluation: Evaluation) -> NDArray[np.bool_]:
    """Tell which reads may return undef by the rule of a model, whatever threads do; all events are taken in groups.

    Parameters
    ----------
    told : Told
        The events.
    evaluation : Evaluation
        Of :func:`undef_rules` of the model.

    Returns
    -------
    bool array, shape (events,)
    """
    examples, group_of = grouped(told)
    places, kept, stands_for = _some_of_each(told, examples)
    if len(kept) + len(places) > _MOST_ITEMS:
        return np.array([told.kinds.known[each].reads for each in told.arrays["kind_of"][: len(group_of)].tolist()])
    around = Universe(told, [-1 - place for place in places] + [examples[each] for each in kept], [], len(kept))
    possible = around.reads & ~around.on_path
    for extent in evaluation.on(around):
        possible = possible & extent.may
    found: NDArray[np.bool_] = possible[len(places) :][stands_for][group_of]
    return found


_OF_EACH = 3
"""How many of several locations that are alike are looked at: what is said with the operations of a model speaks of
three events at a time (Tarski and Givant, *A Formalization of Set Theory without Variables*, chapter 3), so of three
locations."""


def _some_of_each(told: Told, examples: list[int]) -> tuple[list[int], list[int], list[int]]:
    """Choose among the locations that have groups of the same kinds, and leave out the others with their groups.

    Returns
    -------
    places, kept : list of int
        The locations, and which groups, given by an event of each.
    stands_for : list of int
        For each group which of those that are kept is like it.
    """
    arrays = told.arrays
    rows = np.concatenate([arrays["kind_of"][None, examples], arrays["e_key"][COMPARED][:, examples]]).T.tolist()
    column = 1 + COMPARED.index(LOCATION)
    groups_at: dict[int, dict[tuple[int, ...], int]] = {place: {} for place in range(-1, len(told.locations))}
    for group, row in enumerate(rows):
        groups_at[row[column]][(*row[:column], *row[column + 1 :])] = group
    alike: dict[tuple[int, frozenset[tuple[int, ...]]], list[int]] = {}
    for place in range(len(told.locations)):
        alike.setdefault((int(arrays["kind_of"][-1 - place]), frozenset(groups_at[place])), []).append(place)
    places = sorted(place for those in alike.values() for place in those[:_OF_EACH])
    kept = sorted(group for place in (-1, *places) for group in groups_at[place].values())
    number = {group: item for item, group in enumerate(kept)}
    first = {place: those[0] for those in alike.values() for place in those}
    stands_for = [0] * len(examples)
    for place, groups in groups_at.items():
        like = groups_at[first.get(place, place)]
        for key, group in groups.items():
            stands_for[group] = number[like[key]]
    return places, kept, stands_for


def undef_rules(model: CompiledModel) -> list[Node]:
    """Give the sets that all reads which return undef must be in, by the axioms of a model.

    Parameters
    ----------
    model : CompiledModel

    Returns
    -------
    list of Node
    """
    return [node for compiled in (*model.checks, *model.bounds) for node in _rule(compiled)]


def _rule(compiled: CompiledCheck) -> list[Node]:
    """Give the sets that reads which return undef must be in, by an axiom."""
    if compiled.contained is not None:
        undef, allowed = compiled.contained
        if (undef.operator, undef.name) == ("base", UNDEF_SET):
            return [allowed]
    return []


# Evaluation -------------------------------------------------------------------------------------------------

_THERE, _IS_THERE, _TOGETHER, _SELF, _ONE = range(5)
"""Relations: the second one is there where the first is, and the other way round; both may be in one candidate; what
is equal, and that of single events."""
_SINGLE = 0
"""A set: single events."""
_Pair = tuple[int, int]
"""The registers of what must be in a value, and of what may be."""


class Evaluation:
    """What must be, and what may be, in the values of some nodes of a model: a program for the kernels.

    What several events make up together must be there only by way of events that are there with one of them.

    Parameters
    ----------
    roots : list of Node
        Sets.
    """

    def __init__(self, roots: list[Node]) -> None:
        self._rows: list[tuple[int, int, int, int]] = []
        self._relations, self._sets = _ONE + 1, _SINGLE + 1
        self._known: dict[Node, _Pair] = {}
        self._bases: list[tuple[Node, _Pair]] = []
        self._depth = 0
        self._loops = 1
        self._roots = [self._of(root) for root in roots]
        self._code = np.array(self._rows, dtype=np.int32).reshape(-1, 4)

    def on(self, around: Universe) -> list[Extent]:
        """Give the extents of the nodes.

        Parameters
        ----------
        around : Universe

        Returns
        -------
        list of Extent
        """
        size = len(around.location)
        words = max(1, -(-size // 64))
        relations = np.zeros((self._relations, size, words), dtype=np.uint64)
        sets = np.zeros((self._sets, words), dtype=np.uint64)
        same = np.eye(size, dtype=np.bool_)
        given = (around.there, around.there.T, around.together, same, same & around.single)
        for register, bits in enumerate(given):
            relations[register] = _words(bits, words)
        sets[_SINGLE] = _words(np.atleast_2d(around.single), words)
        for node, (must, may) in self._bases:
            bank, extent = sets if node.kind == SET else relations, around.base(node.name, node.kind)
            bank[must], bank[may] = (_words(np.atleast_2d(bits), words) for bits in (extent.must, extent.may))
        kernels.run_extents(
            self._code,
            relations,
            relations.reshape(self._relations, -1),
            sets,
            np.zeros(words, dtype=np.uint64),
            np.zeros(self._loops, dtype=np.int64),
            np.zeros((5, 2 << size.bit_length()), dtype=np.int64),
            np.zeros((size, words), dtype=np.uint64),
            size,
        )
        check_time()
        return [Extent(_bits(sets[must], size), _bits(sets[may], size)) for must, may in self._roots]

    # Registers are given to nodes in the order in which these are computed.

    def _new(self, kind: str) -> int:
        if kind == SET:
            self._sets += 1
            return self._sets - 1
        self._relations += 1
        return self._relations - 1

    def _emit(self, code: int, left: int, right: int = 0) -> int:
        """Emit an operation, and give the register of its result."""
        target = self._new(SET if op.S_OR <= code < op.FIX_BEGIN else "relation")
        self._rows.append((code, target, left, right))
        return target

    def _of(self, root: Node) -> _Pair:
        stack = [root]
        while stack:
            node = stack[-1]
            parts = () if node.operator == "fix" else node.arguments
            missing = [part for part in parts if part not in self._known]
            if node not in self._known and missing:
                stack += missing
                continue
            if node not in self._known:
                self._known[node] = self._fixpoint(node) if node.operator == "fix" else self._one_node(node)
            stack.pop()
        return self._known[root]

    def _one_node(self, node: Node) -> _Pair:
        if node.operator == "base":
            pair = self._new(node.kind), self._new(node.kind)
            self._bases.append((node, pair))
            return pair
        must, may = self._operation(node)
        return (must, may) if node.kind == SET else (must, self._emit(op.R_AND, may, _TOGETHER))

    def _operation(self, node: Node) -> _Pair:
        values = [self._known[argument] for argument in node.arguments]
        is_set = node.kind == SET
        match node.operator, values:
            case "empty", _:
                return self._constant(node.kind, False)
            case "full", _:
                return self._constant(node.kind, True)
            case "|", ((sure, maybe), (other, others)):
                code = op.S_OR if is_set else op.R_OR
                return self._emit(code, sure, other), self._emit(code, maybe, others)
            case "&", ((sure, maybe), (other, others)):
                code = op.S_AND if is_set else op.R_AND
                return self._emit(code, sure, other), self._emit(code, maybe, others)
            case "\\", ((sure, maybe), (other, others)):
                code = op.S_MINUS if is_set else op.R_MINUS
                return self._emit(code, sure, others), self._emit(code, maybe, other)
            case "~", ((sure, maybe),):
                code = op.S_NOT if is_set else op.R_NOT
                return self._emit(code, maybe), self._emit(code, sure)
            case "^-1", ((sure, maybe),):
                return self._emit(op.R_INVERSE, sure), self._emit(op.R_INVERSE, maybe)
            case "*", ((sure, maybe), (other, others)):
                return self._emit(op.R_CROSS, sure, other), self._emit(op.R_CROSS, maybe, others)
            case "[]", ((sure, maybe),):
                single = self._emit(op.S_AND, sure, _SINGLE)
                return self._emit(op.R_IDENTITY, single), self._emit(op.R_IDENTITY, maybe)
            case "domain", ((sure, maybe),):
                return self._emit(op.S_DOMAIN, self._emit(op.R_AND, sure, _THERE)), self._emit(op.S_DOMAIN, maybe)
            case "range", ((sure, maybe),):
                return self._emit(op.S_RANGE, self._emit(op.R_AND, sure, _IS_THERE)), self._emit(op.S_RANGE, maybe)
            case ";", ((sure, maybe), (other, others)):
                left, right = node.arguments
                if left.operator == "[]":  # also of kinds that are several events
                    sure, maybe = self._known[left.arguments[0]]
                    return self._emit(op.R_FROM, sure, other), self._emit(op.R_FROM, maybe, others)
                if right.operator == "[]":
                    other, others = self._known[right.arguments[0]]
                    return self._emit(op.R_TO, other, sure), self._emit(op.R_TO, others, maybe)
                return self._follow(sure, other), self._emit(op.R_SEQ, maybe, others)
            case "?", ((sure, maybe),):
                return self._emit(op.R_OR, sure, _ONE), self._emit(op.R_OR, maybe, _SELF)
            case "+", ((sure, maybe),):
                return self._closed(sure), self._emit(op.R_PLUS, maybe)
            case "star", ((sure, maybe),):
                sure, maybe = self._emit(op.R_OR, sure, _ONE), self._emit(op.R_OR, maybe, _SELF)
                return self._closed(sure), self._emit(op.R_PLUS, maybe)
        # An operation that is not known here: nothing is known of its value.
        return self._constant(node.kind, False)[0], self._constant(node.kind, True)[0]

    def _constant(self, kind: str, value: bool) -> _Pair:
        empty, full = (op.S_EMPTY, op.S_FULL) if kind == SET else (op.R_EMPTY, op.R_FULL)
        register = self._emit(full if value else empty, 0)
        return register, register

    def _follow(self, left: int, right: int) -> int:
        """Emit the composition of what must be: by way of an event that is there with the first, or with the last."""
        first = self._emit(op.R_SEQ, self._emit(op.R_AND, left, _THERE), right)
        last = self._emit(op.R_SEQ, left, self._emit(op.R_AND, right, _IS_THERE))
        return self._emit(op.R_OR, first, last)

    def _closed(self, relation: int) -> int:
        """Emit the closure under :meth:`_follow`."""
        found = self._emit(op.R_COPY, relation)
        begin = self._begin()
        longer = self._emit(op.R_OR, found, self._follow(found, found))
        self._rows.append((op.FIX_RELATION, found, longer, self._depth))
        self._end(begin)
        return found

    def _begin(self) -> int:
        """Begin a loop, and give the place where it begins."""
        self._rows.append((op.FIX_BEGIN, 0, 0, self._depth))
        self._depth += 1
        self._loops = max(self._loops, self._depth + 1)
        return len(self._rows)

    def _end(self, begin: int) -> None:
        self._depth -= 1
        self._rows.append((op.FIX_END, begin, 0, self._depth))

    def _fixpoint(self, node: Node) -> _Pair:
        """Compute the variables from nothing on until they stay."""
        for binder in node.binders:
            first, second = self._constant(binder.kind, False)[0], self._constant(binder.kind, False)[0]
            self._known[binder] = first, second
        begin, before = self._begin(), set(self._known)
        found = [self._of(body) for body in node.arguments]
        for binder, values in zip(node.binders, found, strict=True):
            for variable, value in zip(self._known[binder], values, strict=True):
                union = self._emit(op.S_OR if binder.kind == SET else op.R_OR, variable, value)
                self._rows.append((op.FIX_SET if binder.kind == SET else op.FIX_RELATION, variable, union, self._depth))
        self._end(begin)
        chosen = next(self._known[binder] for binder in node.binders if binder.name == node.name)
        # What is computed in the loop of what is free there is of no use elsewhere.
        self._known = {each: value for each, value in self._known.items() if each in before or not each.free}
        return chosen


def _words(rows: Bits, words: int) -> NDArray[np.uint64]:
    """Write each row as bits of words."""
    packed = np.packbits(rows, axis=1, bitorder="little")
    found = np.zeros((len(rows), 8 * words), dtype=np.uint8)
    found[:, : packed.shape[1]] = packed
    return found.view(np.uint64)


def _bits(words: NDArray[np.uint64], size: int) -> Bits:
    """Read a set that is written as bits of words."""
    return np.unpackbits(words.view(np.uint8), count=size, bitorder="little").astype(np.bool_)
