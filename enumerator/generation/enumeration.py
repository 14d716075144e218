"""All cycles of given relaxations up to a size, each once; all annotations of a cycle.

A cycle may be read from any of its events on, and is the same: of all that can be read so, the one that is least is
given (necklaces are enumerated as by Fredricksen, Kessler and Maiorana; see F. Ruskey, *Combinatorial Generation*,
section 7.2), so that nothing need be remembered. Only where relaxations are made of several may two ways lead to one
cycle; then those that were given are kept.

Cycles are *critical* (Shasha and Snir; for diy7, ``-mode critical``): nothing can be left out of them.

- One communication follows another only if it is ``Rf`` behind ``Co`` or ``Fr``: ``Co Co`` is ``Co``, as is ``Rf Fr``.
- A thread has at most `internal` relaxations (read-modify-writes not counted), and one of them leads to another
  location.
- A cycle of one location has one relaxation that is no communication.
- Two relaxations in a row within a thread are neither both plain program order to other locations, nor both in one
  location: one would do.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise, product
from typing import NamedTuple

from enumerator.generation.grammar import Chain, join
from enumerator.generation.relaxations import Access, Edge, Relation, Step, access_text, edge_text
from enumerator.generation.skeleton import Kind, refused_ordering

__all__ = ["annotated", "critical_cycles", "least"]

_COMMUNICATION = (Relation.RF, Relation.CO, Relation.FR)
_NOTHING = Access()
_INTERNAL = {
    (Kind.WRITE, Kind.READ): Relation.RF,
    (Kind.WRITE, Kind.WRITE): Relation.CO,
    (Kind.READ, Kind.WRITE): Relation.FR,
}


def critical_cycles(
    chains: Sequence[Chain], size: int, annotations: Sequence[Access] = (), *, threads: int = 0, internal: int = 1
) -> Iterator[tuple[Step, ...]]:
    """Give the critical cycles of some relaxations, smallest first, each once.

    Parameters
    ----------
    chains : sequence of Chain
        The relaxations.
    size : int
        Of the largest cycles: the number of their elementary relaxations.
    annotations : sequence of Access
        For events of which the relaxations say nothing: all of them, as far as an event can have them.
    threads : int
        The most threads; 0 for any number.
    internal : int
        The most relaxations of a thread, without read-modify-writes.

    Yields
    ------
    tuple of Step

    Examples
    --------
    >>> from enumerator.generation.grammar import parse_relaxations
    >>> from enumerator.generation.relaxations import steps_text
    >>> for cycle in critical_cycles(parse_relaxations(["PodW* PodRR Rfe Fre"]), 4):
    ...     print(steps_text(cycle))
    PodWR Fre PodWR Fre
    PodWW Rfe PodRR Fre
    """
    parts = tuple(dict.fromkeys(_annotated_chains(chains, annotations)))
    rule = _Rule(parts, threads, internal)
    if all(len(part.steps) == 1 and part.end == _NOTHING for part in parts):
        for length in range(2, size + 1):
            yield from _necklaces(rule, length)
    else:
        for length in range(2, size + 1):
            seen: set[tuple[Step, ...]] = set()
            for cycle in _sequences(rule, length):
                first = least(cycle)
                if first not in seen:
                    seen.add(first)
                    yield first


def least(cycle: Sequence[Step]) -> tuple[Step, ...]:
    """Give a cycle turned so that it is least: the same for all turns of it."""
    steps = tuple(cycle)
    words = [(access_text(step.access), edge_text(step.edge)) for step in steps]
    turn = min(range(len(steps)), key=lambda turn: words[turn:] + words[:turn])
    return steps[turn:] + steps[:turn]


def annotated(cycle: Sequence[Step], annotations: Sequence[Access]) -> Iterator[tuple[Step, ...]]:
    """Give a cycle with all annotations of the events of which it says nothing, each once.

    Parameters
    ----------
    cycle : sequence of Step
    annotations : sequence of Access
        Without any, the cycle is given as it is.

    Yields
    ------
    tuple of Step

    Examples
    --------
    >>> from enumerator.generation.grammar import parse_cycle, parse_mark
    >>> marks = [parse_mark("Rlx"), parse_mark("Rel"), parse_mark("Acq")]
    >>> len(list(annotated(parse_cycle("PodWR Fre PodWR Fre")[0], marks)))  # 16 without the symmetry
    10
    """
    steps = tuple(cycle)
    if not annotations:
        yield steps
        return
    edges = [step.edge for step in steps]
    turns = [turn for turn in range(1, len(steps)) if steps[turn:] + steps[:turn] == steps]
    choices = [_choices(steps[place], edges[place - 1], annotations) for place in range(len(steps))]
    ranks = {access: rank for rank, access in enumerate(dict.fromkeys(each for row in choices for each in row))}
    for chosen in product(*choices):
        if turns:
            order = [ranks[access] for access in chosen]
            if any(order > order[turn:] + order[:turn] for turn in turns):
                continue
        yield tuple(map(Step, chosen, edges))


# Annotations ---------------------------------------------------------------------------------------------------------


def _choices(step: Step, before: Edge, annotations: Sequence[Access]) -> list[Access]:
    """Give what the event of a step may be."""
    access, edge = step
    if access.mark is not None or before.relation == Relation.RMW:
        return [access]
    if edge.relation == Relation.RMW:
        kind = Kind.UPDATE
    else:
        kind = Kind.UPDATE if access.exchange else edge.source
    found = []
    for annotation in annotations:
        joined = join(access, annotation)
        if joined is None or annotation.mark is None or annotation.exchange and kind != Kind.WRITE:
            continue
        asked = Kind.UPDATE if joined.exchange else kind
        if refused_ordering(asked, annotation.mark.ordering) is None:
            found.append(joined)
    return list(dict.fromkeys(found)) or [access]


class _Part(NamedTuple):
    """A relaxation with the annotations of its events, and where it may stand."""

    steps: tuple[Step, ...]
    end: Access
    behind_update: bool | None = None
    """Only behind the edge of a read-modify-write, whose other half its first event is; never there; or anywhere."""


def _annotated_chains(chains: Sequence[Chain], annotations: Sequence[Access]) -> Iterator[_Part]:
    for chain in chains:
        if not annotations:
            yield _Part(*chain)
            continue
        for behind in (False, True):
            before = [Edge(Relation.RMW if behind else Relation.RF, True, True, Kind.WRITE, Kind.READ)]
            before += [step.edge for step in chain.steps]
            choices = [_choices(step, before[place], annotations) for place, step in enumerate(chain.steps)]
            for chosen in product(*choices):
                steps = tuple(step._replace(access=access) for step, access in zip(chain.steps, chosen, strict=True))
                yield _Part(steps, chain.end, behind)


# Rules ---------------------------------------------------------------------------------------------------------------


class _Rule:
    """Which relaxations may follow which, and which cycles are critical."""

    def __init__(self, parts: Sequence[_Part], threads: int, internal: int) -> None:
        self.parts = parts
        self.threads = threads
        self.internal = internal
        self.edges = {step.edge for part in parts for step in part.steps}
        self.after = [[n for n, other in enumerate(parts) if self._follows(part, other)] for part in parts]
        self.external = [sum(step.edge.external for step in part.steps) for part in parts]
        self.changing = [sum(not step.edge.same for step in part.steps) for part in parts]
        self.single = [sum(map(self._single, part.steps)) for part in parts]

    def _single(self, step: Step) -> bool:
        """Tell whether a thread has this relaxation only, and stays in one location: then so does the cycle."""
        edge = step.edge
        return self.internal == 1 and edge.same and not edge.external and edge.relation != Relation.RMW

    def _follows(self, one: _Part, other: _Part) -> bool:
        before, after = one.steps[-1].edge, other.steps[0].edge
        if other.behind_update is not None and other.behind_update != (before.relation == Relation.RMW):
            return False
        if before.target != after.source or join(one.end, other.steps[0].access) is None:
            return False
        return self._adjacent(before, after)

    def _adjacent(self, before: Edge, after: Edge) -> bool:
        """Tell whether neither of two relaxations in a row can be left out, as far as these two say it."""
        if Relation.RMW in (before.relation, after.relation):
            return True
        if before.relation in _COMMUNICATION and after.relation in _COMMUNICATION:
            return _needed(before.relation, after.relation)
        if before.external or after.external:
            return True
        if self.internal < 2 and not (before.same and after.same):  # in one location: the cycle of one thread
            return False
        return _plain(before) + _plain(after) < 2 or before.same != after.same or self.internal < 2

    def critical(self, cycle: Sequence[Step]) -> bool:
        """Tell whether a cycle is critical, each two relaxations in a row of which are."""
        edges = [step.edge for step in cycle]
        external = [edge.external for edge in edges].count(True)
        if external == 1 or (self.threads and max(external, 1) > self.threads):
            return False
        changes = [edge.same for edge in edges].count(False)
        if changes == 1:
            return False
        orders = sum(edge.relation not in _COMMUNICATION for edge in edges)
        if not external:
            return len(edges) == 2 and orders == 1 and not changes and _communicates(edges)
        if not changes and orders != 1:
            return False
        if changes:  # then plain program order in one location is communication
            read = [_communication(edge) for edge in edges]
            if not all(_needed(read[place - 1], read[place]) for place in range(len(read))):
                return False
        turn = next(place for place, edge in enumerate(edges) if edge.external) + 1
        inner: list[Edge] = []
        for edge in edges[turn:] + edges[:turn]:
            if not edge.external:
                inner.append(edge)
            else:
                if not self._thread(inner, one_location=not changes):
                    return False
                inner = []
        return True

    def _thread(self, inner: Sequence[Edge], *, one_location: bool) -> bool:
        """Tell whether the relaxations within a thread are as they are to be."""
        counted = [edge for edge in inner if edge.relation != Relation.RMW]
        if len(counted) > self.internal:
            return False
        if one_location or not counted:
            return True
        if all(edge.same for edge in counted):
            return False
        return not any(self._synonym(edge) for edge in counted)

    def _synonym(self, edge: Edge) -> bool:
        """Tell whether another relaxation that is given makes the same test: ``PosWR`` and ``Rfi``."""
        if edge.relation != Relation.PO or not edge.same or not _plain(edge):
            return False
        relation = _INTERNAL.get((edge.source, edge.target))
        return relation is not None and Edge(relation, False, True, edge.source, edge.target) in self.edges


def _communication(edge: Edge) -> Relation:
    """Give the relation of an edge; what plain program order in one location amounts to, if the row is coherent."""
    if edge.relation == Relation.PO and edge.same and _plain(edge):
        return _INTERNAL.get((edge.source, edge.target), Relation.PO)
    return edge.relation


def _needed(one: Relation, other: Relation) -> bool:
    """Tell whether two communications in a row are no single one: ``Co Co`` is ``Co``, and ``Rf Fr``, too."""
    if one not in _COMMUNICATION or other not in _COMMUNICATION:
        return True
    return one != Relation.RF and other == Relation.RF


def _plain(edge: Edge) -> bool:
    """Tell whether nothing stands between the events of a relaxation within a thread, and none depends on the other."""
    return not edge.between and edge.depends is None


def _communicates(edges: Sequence[Edge]) -> bool:
    return any(edge.relation in _COMMUNICATION for edge in edges)


# Sequences -----------------------------------------------------------------------------------------------------------


def _necklaces(rule: _Rule, length: int) -> Iterator[tuple[Step, ...]]:
    """Give the cycles of relaxations that are one edge each, each as it is least."""
    after, parts = rule.after, rule.parts
    allowed = [frozenset(row) for row in after]
    word = [0] * (length + 1)
    most = rule.threads or length
    external, changing, single = rule.external, rule.changing, rule.single

    def extend(place: int, period: int, threads: int, changes: int, alone: int) -> Iterator[tuple[Step, ...]]:
        if place > length:
            if changes != 1 and threads != 1 and length % period == 0 and word[1] in allowed[word[length]]:
                cycle = tuple(parts[symbol].steps[0] for symbol in word[1:])
                if rule.critical(cycle):
                    yield cycle
            return
        least = word[place - period]
        if place == 1:
            row: Sequence[int] = range(len(parts))
        else:
            row = after[word[place - 1]]
            row = row[bisect_left(row, least) :]
        for symbol in row:
            more = threads + external[symbol]
            other, only = changes + changing[symbol], alone + single[symbol]
            if more <= most and not (other and only):
                word[place] = symbol
                yield from extend(place + 1, period if symbol == least and place > 1 else place, more, other, only)

    yield from extend(1, 1, 0, 0, 0)


def _sequences(rule: _Rule, length: int) -> Iterator[tuple[Step, ...]]:
    """Give the cycles of relaxations some of which are made of several edges; each may come more than once."""
    parts = rule.parts
    chosen: list[int] = []

    def extend(left: int) -> Iterator[tuple[Step, ...]]:
        if not left:
            if chosen[0] in rule.after[chosen[-1]]:
                cycle = _joined([parts[number] for number in chosen])
                if all(rule._adjacent(one.edge, other.edge) for one, other in pairwise((*cycle, cycle[0]))):
                    if rule.critical(cycle):
                        yield cycle
            return
        row = rule.after[chosen[-1]] if chosen else range(len(parts))
        for number in row:
            if len(parts[number].steps) <= left and (not chosen or number >= chosen[0]):
                chosen.append(number)
                yield from extend(left - len(parts[number].steps))
                chosen.pop()

    yield from extend(length)


def _joined(parts: Sequence[_Part]) -> tuple[Step, ...]:
    """Put relaxations in a row; what one says of its end is said of the beginning of the next one."""
    steps = []
    for place, part in enumerate(parts):
        first = join(parts[place - 1].end, part.steps[0].access)
        assert first is not None  # they follow one another
        steps += [part.steps[0]._replace(access=first), *part.steps[1:]]
    return tuple(steps)
