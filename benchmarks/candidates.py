"""A test under many models: its candidate executions are made once, and each model is evaluated on all side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from benchmarks.mutant_forms import Changes
from enumerator.asking import make_request, shown_names
from enumerator.cat.nodes import CompiledCheck, CompiledModel, Node
from enumerator.cat.selected import SelectedModel
from enumerator.cat.syntax import Check, IfStatement, Statement
from enumerator.conditions import passes_filter
from enumerator.distinguishing.slices import ALL, Bits, Slices, packed
from enumerator.errors import LimitReached
from enumerator.executions import Rerun
from enumerator.judging import result_of
from enumerator.mmra import Profile
from enumerator.options import Options
from enumerator.program.flags import with_ub
from enumerator.program.test import Test
from enumerator.program.values import Value, sort_key
from enumerator.reference.axioms import knows_returns, knows_undef
from enumerator.reference.base import Combination, combine_paths
from enumerator.reference.outcome import early_ends, final_state, is_cut, waits_for_last
from enumerator.request import Candidate, Outcomes, Request
from enumerator.results.result import Result
from enumerator.search.bitset import enumerate_test
from enumerator.unfold import unfold

__all__ = ["OPTIONS", "Candidates"]

OPTIONS = Options(outcomes_only=True)
Key = tuple[object, ...]
NONE = np.uint64(0)
_MOST_KEPT = 1 << 28
"""Bytes of values of one test: with more, they are computed anew."""


class Memo(Slices):
    """Values of nodes, where an operation on the same values is computed once, whatever node it stands at.

    A change of a model that changes no value in a test costs the look-up of what comes after it.
    """

    def __init__(self, count: int, base: dict[str, Bits]) -> None:
        super().__init__(count, base)
        self._numbers: dict[Node, int] = {}
        self._made: dict[Key, int] = {}
        self._same: dict[tuple[tuple[int, ...], bytes], int] = {}
        self._values: list[Bits] = []
        self._violated: dict[Key, Bits] = {}
        self.size = 0

    def value(self, node: Node) -> Bits:
        """Give the value of a node; the caller may not change it."""
        return self._computed(node) if node.is_open else self._values[self.number(node)]

    def number(self, node: Node) -> int:
        """Give the number of the value of a node; equal values have the same."""
        found = self._numbers.get(node)
        if found is None:
            key = self._key(node)
            found = self._made.get(key)
            if found is None:
                found = self._made[key] = self._numbered(self._computed(node))
            self._numbers[node] = found
        return found

    def violated(self, check: CompiledCheck) -> Bits:
        """Say where the test of a check fails."""
        key = (check.check.test, check.check.negated, self.number(check.node))
        if key not in self._violated:
            self._violated[key] = super().violated(check)
        return self._violated[key]

    def forget(self) -> None:
        """Forget all values."""
        self.__init__(self._count, self._base)  # type: ignore[misc]

    def _numbered(self, value: Bits) -> int:
        content = (value.shape, value.tobytes())
        found = self._same.setdefault(content, len(self._values))
        if found == len(self._values):
            self._values.append(value)
            self.size += 2 * value.nbytes
        return found

    def _key(self, node: Node) -> Key:
        """Say what is computed: an operation on numbers of values; of a fixed point, its equations."""
        match node.operator:
            case "base" | "empty" | "full":
                return (node.operator, node.kind, node.name)
            case "fix":
                form, leaves = _equations(node)
                return (form, *map(self.number, leaves))
        return (node.operator, *map(self.number, node.arguments))


@cache
def _equations(node: Node) -> tuple[Key, tuple[Node, ...]]:
    """Give the form of a fixed point and the largest nodes in it in which no variable occurs."""
    leaves: dict[Node, int] = {}

    def form(part: Node, variables: tuple[Node, ...]) -> object:
        if part in variables:
            return variables.index(part)
        if not part.free:
            return ("leaf", leaves.setdefault(part, len(leaves)))
        inner = (*variables, *part.binders)
        return (part.operator, part.name, *(form(each, inner) for each in part.arguments))

    place = [variable.name for variable in node.binders].index(node.name)
    return ("fix", place, *(form(body, node.binders) for body in node.arguments)), tuple(leaves)


@dataclass(slots=True)
class _Found:
    """What the consistent executions of some choice of paths give."""

    states: set[tuple[Value, ...]] = field(default_factory=set)
    flags: set[str] = field(default_factory=set)
    undefined: bool = False
    cut: int = 0


class _Group:
    """The candidates of one choice of paths."""

    def __init__(self, request: Request, combination: Combination, members: Sequence[Candidate]) -> None:
        self._request = request
        self._combination = combination
        self._members = members
        self._waits = any(path.waiting for path in combination.paths)
        self._ended = early_ends(request.test, combination.paths)
        self.memo = Memo(len(combination.events), _base(combination, members))
        alike: dict[object, int] = {}
        ends = [(member.values, member.reads_from if self._waits else ()) for member in members]
        self._classes = np.array([alike.setdefault(end, len(alike)) for end in ends], dtype=np.uint64)
        self._known: dict[Key, _Found] = {}

    def forget(self) -> None:
        """Forget the values of models."""
        self.memo.forget()
        self._known.clear()

    def unchanged(self, changes: Changes) -> bool:
        """Tell whether all that differs between two models has the same value under both."""
        return all(self.memo.number(one) == self.memo.number(other) for one, other in changes)

    def chosen_from(self, compiled: CompiledModel) -> Key:
        """Say which reads may be undef, and which writes are ordered."""
        undef = None if compiled.undef_set is None else self.memo.number(compiled.undef_set)
        return undef, self.memo.number(compiled.order_set)

    def key(self, compiled: CompiledModel) -> Key:
        """Say what matters of a model: two with the same key allow the same."""
        number = self.memo.number
        axioms = [each for each in compiled.checks if each.check.kind == "axiom"]
        others = [each for each in compiled.checks if each.check.kind != "axiom"]
        return (
            frozenset((each.check.test, each.check.negated, number(each.node)) for each in axioms),
            tuple((each.check.kind, each.check.name, each.check.negated, number(each.node)) for each in others),
            number(compiled.final),
        )

    def found(self, key: Key, compiled: CompiledModel) -> _Found:
        """Give what the consistent executions under a model give."""
        if key not in self._known:
            self._known[key] = self._find(compiled)
        return self._known[key]

    def _find(self, compiled: CompiledModel) -> _Found:
        found, count = _Found(), len(self._members)
        alive = np.array([ALL])
        for each in compiled.checks:
            if each.check.kind == "axiom":
                alive = alive & ~self.memo.violated(each)
        chosen = np.flatnonzero(_unpacked(alive[None, :], count)[0])
        if not len(chosen):
            return found
        others = [each for each in compiled.checks if each.check.kind != "axiom"]
        raised = [self.memo.violated(each) ^ (ALL if each.check.kind == "flag" else NONE) for each in others]
        columns = [_unpacked(self.memo.value(compiled.final), count)]
        columns += [_unpacked(each[None, :], count) for each in raised]
        rows = np.concatenate([self._classes[None, :], *columns])[:, chosen]
        _, first = np.unique(rows, axis=1, return_index=True)
        for place in first.tolist():
            final = np.flatnonzero(columns[0][:, chosen[place]]).tolist()
            marks = rows[1 + len(columns[0]) :, place].tolist()
            fired = [each.check for each, mark in zip(others, marks, strict=True) if mark]
            self._conclude(self._members[chosen[place]], final, fired, found)
        return found

    def _conclude(self, candidate: Candidate, final: Sequence[int], fired: Sequence[Check], found: _Found) -> None:
        """Add what one consistent execution gives; as the reference engine does it."""
        request, ended = self._request, self._ended
        if self._waits and not waits_for_last(self._combination, candidate.reads_from, final):
            return
        found.flags |= ended
        flags = frozenset[str]() if "ub" in ended else with_ub({check.name or check.kind for check in fired})
        fails = "ub" not in ended and any(check.kind == "undefined_unless" for check in fired)
        if ended.isdisjoint(request.flags) and (ended or is_cut(self._combination.paths)):
            if ended:
                found.flags |= flags
                found.undefined |= fails
            else:
                found.cut += 1
            return
        values = final_state(self._combination, request.names, candidate.values, final)
        state = (*values, *(int(flag in flags | ended) for flag in request.flags))
        if passes_filter(request.test, request.columns, state):
            found.flags |= flags
            found.undefined |= fails
        found.states.add(state)


class Candidates:
    """The candidate executions of a test.

    Parameters
    ----------
    test : Test
    model : SelectedModel
        It says which reads may be undef, and which writes are ordered.
    compiled : CompiledModel
    profile : Profile
    most : int
        How many candidates there may be.

    Raises
    ------
    LimitReached
        If there are more, or the time that holds is up.
    """

    def __init__(self, test: Test, model: SelectedModel, compiled: CompiledModel, profile: Profile, most: int) -> None:
        self._shown = shown_names(test, OPTIONS)
        self._request = make_request(test, model, profile, OPTIONS, self._shown)
        unfolded = unfold(
            test,
            undef=knows_undef(model),
            unroll=self._request.unroll,
            returns=knows_returns(model),
            asked=self._request.registers,
        )
        by_paths: dict[tuple[int, ...], list[Candidate]] = {}
        for candidate in _candidates(self._request, most):
            by_paths.setdefault(candidate.paths, []).append(candidate)
        self._groups = [
            _Group(self._request, combine_paths(unfolded, paths, profile), members)
            for paths, members in by_paths.items()
        ]
        self._whole = compiled
        self._keys: list[Key] | None = None  # of the groups, under that model
        self._results: dict[Key, Result] = {}

    def result(self, compiled: CompiledModel, changes: Changes | None) -> Result | None:
        """Give what comes out under a model.

        Parameters
        ----------
        compiled : CompiledModel
        changes : tuple of (Node, Node) or None
            What may be different from the model that the candidates were made for; None if that is not known.

        Returns
        -------
        Result or None
            None where the candidates of this model are others.
        """
        if self._keys is None:
            self._keys = [group.key(self._whole) for group in self._groups]
        keys = list(self._keys)
        for place, group in enumerate(self._groups):
            if changes is None or not group.unchanged(changes):
                if group.chosen_from(compiled) != group.chosen_from(self._whole):
                    return None
                keys[place] = group.key(compiled)
        key = tuple(keys)
        result = self._results.get(key)
        if result is None:
            each = [group.found(one, compiled) for group, one in zip(self._groups, keys, strict=True)]
            result = self._results[key] = self._judged(each)
        if sum(group.memo.size for group in self._groups) > _MOST_KEPT:
            self._results.clear()
            self._keys = None
            for group in self._groups:
                group.forget()
        return result

    def _judged(self, found: Sequence[_Found]) -> Result:
        states = {state for each in found for state in each.states}
        outcomes = Outcomes(
            states=dict.fromkeys(sorted(states, key=lambda state: tuple(map(sort_key, state))), 0),
            flags=frozenset(flag for each in found for flag in each.flags),
            undefined=any(each.undefined for each in found),
            explored=0,
            consistent=0,
            cut=sum(each.cut for each in found),
            status="complete",
            stopped=False,
            notes=(),
        )
        return result_of(self._request, self._shown, outcomes, Rerun(self._request, "bitset"))


def _candidates(request: Request, most: int) -> tuple[Candidate, ...]:
    """Give all candidates: the executions of a model without axioms, which are found much faster than one by one."""
    bare = replace(request.model, model=replace(request.model.model, statements=_bare(request.model.model.statements)))
    found = enumerate_test(
        replace(request, model=bare, outcomes_only=False, decided=None, record=most, max_executions=most)
    )
    if found.status != "complete" or any(each.unfolded is not None for each in found.executions):
        raise LimitReached("too many candidates")
    return found.executions


def _bare(statements: Sequence[Statement]) -> tuple[Statement, ...]:
    """Leave out what may forbid or flag an execution."""
    return tuple(
        replace(each, then=_bare(each.then), otherwise=_bare(each.otherwise)) if isinstance(each, IfStatement) else each
        for each in statements
        if not isinstance(each, Check)
    )


def _unpacked(bits: Bits, count: int) -> NDArray[np.uint64]:
    """Give rows of truth values, a column for each candidate."""
    spread = np.unpackbits(np.ascontiguousarray(bits).view(np.uint8), axis=-1, bitorder="little")
    if spread.shape[-1] < count:  # what is the same for all candidates has one word
        spread = np.repeat(spread[..., :1], count, axis=-1)
    return spread[..., :count].astype(np.uint64)


def _base(combination: Combination, members: Sequence[Candidate]) -> dict[str, Bits]:
    """Give the predefined sets and relations: a word for what is the same in all candidates, else a bit for each."""
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
    # Bits behind the last candidate are of no execution.
    return base | {"rf": packed(reads_from), "order": packed(order), "UNDEF": packed(undef)}
