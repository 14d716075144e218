"""Where the threads of a cycle run: as its relaxations say, or in all ways."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from enumerator.generation.canonical import numbered
from enumerator.generation.relaxations import Edge, NoCycle, Step, edge_text
from enumerator.generation.skeleton import Place
from enumerator.program.instructions import Scope

__all__ = ["meeting_places", "places_of", "with_observers"]


def meeting_places(edges: Sequence[Edge], observers: int, narrow: Scope, path: str) -> tuple[Place, ...]:
    """Place the threads: as close as external relaxations say, those that none of them joins in one agent.

    Where a barrier, or scope, of a workgroup stands, these are in one workgroup; where nothing asks for scopes, they
    share the system only.

    Parameters
    ----------
    edges : sequence of Edge
        Of the cycle, from the beginning of a thread on.
    observers : int
        How many threads there are besides those of the cycle.
    narrow : Scope
        The narrowest scope that events name, a barrier as a workgroup: the workgroup, the agent or the system.
    path : str
        For errors.

    Raises
    ------
    NoCycle
        If threads meet below where a relaxation says that they do.

    Examples
    --------
    >>> from enumerator.generation.grammar import parse_cycle
    >>> edges = [step.edge for step in parse_cycle("PodWW Rfe@wg PodRR Fre")[0]]
    >>> meeting_places(edges, 0, Scope.AGENT, "cycle")
    ((0, 0, 0, 0, 0, 0), (1, 1, 0, 0, 0, 0))
    """
    external = [edge for edge in edges if edge.external]
    count = max(len(external), 1)
    if narrow == Scope.SYSTEM and all(edge.level is None for edge in external):
        return tuple((number, number, number, number, number, 0) for number in range(count + observers))
    rest: int = narrow if narrow != Scope.SYSTEM else Scope.AGENT
    rest = max([rest, *(int(edge.level) for edge in external if edge.level is not None)])
    rows = [tuple(range(count + observers))]
    for level in (Scope.WAVEFRONT, Scope.WORKGROUP, Scope.CLUSTER, Scope.AGENT):
        groups = list(range(count + observers))
        for number, edge in enumerate(external):
            if edge.level is not None and edge.level <= level:
                _unite(groups, number, (number + 1) % count)
        if rest <= level:
            groups = [0] * len(groups)
        rows.append(tuple(groups))
    for number, edge in enumerate(external):
        if edge.level is not None and edge.level > Scope.WAVEFRONT:
            below = rows[edge.level - 1]
            if below[number] == below[(number + 1) % count]:
                message = f"{edge_text(edge)}: by the other relaxations, these threads meet below that"
                raise NoCycle(message, path)
    rows.append((0,) * (count + observers))
    return tuple(zip(*rows, strict=True))


def with_observers(places: Sequence[Place], count: int) -> tuple[Place, ...]:
    """Add threads that share with the others what all of these share, and nothing else.

    Examples
    --------
    >>> with_observers(((0, 0, 0, 0, 0, 0), (1, 1, 0, 0, 0, 0)), 1)[2]
    (2, 2, 0, 0, 0, 0)
    """
    fresh = 1 + max(number for place in places for number in place)
    new: list[Place] = []
    for number in range(fresh, fresh + count):
        above = (row[0] if len(set(row)) == 1 else number for row in list(zip(*places, strict=True))[1:])
        new.append((number, *above))  # type: ignore[arg-type]
    return (*places, *new)


def _unite(groups: list[int], one: int, other: int) -> None:
    low, high = sorted((groups[one], groups[other]))
    for place, group in enumerate(groups):
        if group == high:
            groups[place] = low


def places_of(cycle: Sequence[Step], levels: Sequence[Scope]) -> Iterator[tuple[Place, ...]]:
    """Give the ways in which the threads of a cycle may be placed, each once: who shares which instance of some levels.

    Parameters
    ----------
    cycle : sequence of Step
        Turned to the beginning of a thread.
    levels : sequence of Scope
        Those at which threads may meet, besides the system.

    Yields
    ------
    tuple of Place

    Examples
    --------
    >>> from enumerator.generation.grammar import parse_cycle
    >>> [len(list(places_of(parse_cycle(text)[0], [Scope.WORKGROUP, Scope.AGENT])))
    ...  for text in ("PodWW Rfe PodRR Fre", "Rfe PodRR Fre Rfe PodRR Fre")]
    [3, 40]
    """
    steps = tuple(cycle)
    ends = [place for place, step in enumerate(steps) if step.edge.external]
    count = max(len(ends), 1)
    turns = [
        number + 1 for number, end in enumerate(ends[:-1]) if steps[end + 1 :] + steps[: end + 1] == steps
    ]  # how many threads a turn that changes nothing goes on
    wanted = sorted(set(levels) - {Scope.SYSTEM, Scope.SINGLETHREAD}, reverse=True)
    for rows in _nested(tuple([0] * count), wanted):
        places = numbered(_filled(rows, count))
        if all(places <= numbered(places[turn:] + places[:turn]) for turn in turns):
            yield places


def _nested(above: tuple[int, ...], levels: Sequence[Scope]) -> Iterator[dict[Scope, tuple[int, ...]]]:
    """Give all ways to divide threads at each level, the largest first, within the instances of the level above."""
    if not levels:
        yield {}
        return
    for row in _divisions(above):
        for rest in _nested(row, levels[1:]):
            yield {levels[0]: row, **rest}


def _divisions(above: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Give the ways to divide threads into instances that lie within those given: numbers in the order they come."""

    def extend(row: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if len(row) == len(above):
            yield row
            return
        for number in range(max(row, default=-1) + 2):
            if all(above[place] == above[len(row)] for place, other in enumerate(row) if other == number):
                yield from extend((*row, number))

    yield from extend(())


def _filled(rows: dict[Scope, tuple[int, ...]], count: int) -> list[Place]:
    """Give places from the rows of some levels: below the smallest nothing is shared, others are as the one above."""
    full = [tuple(range(count))] * 6
    full[Scope.SYSTEM] = (0,) * count
    above = full[Scope.SYSTEM]
    smallest = min(rows, default=Scope.SYSTEM)
    for level in reversed(Scope):
        if level < smallest or level == Scope.SINGLETHREAD:
            break
        above = full[level] = rows.get(level, above)
    return list(zip(*full, strict=True))
