"""Names of tests and families, as diy7 gives them (its ``normaliser.ml`` and ``namer.ml``).

A family is named by the first and last event of each thread, from the thread at which the cycle looks least: ``WW+RR``
is ``MP``. Behind it stands what each thread has between its events, ``po`` left out where all threads have just that:
``MP+fencerel+addr``; then, as diy7 does not have them, where threads meet.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b

from enumerator.generation.relaxations import Access, Edge, Item, Relation, Step, access_text, edge_text, steps_text
from enumerator.generation.skeleton import Kind

__all__ = ["FAMILIES", "family_cycle", "family_key", "test_name"]

FAMILIES = {
    "MP": "WW+RR",
    "SB": "WR+WR",
    "LB": "RW+RW",
    "S": "WW+RW",
    "R": "WW+WR",
    "2+2W": "WW+WW",
    "WRC": "W+RW+RR",
    "RWC": "W+RR+WR",
    "WWC": "W+RW+RW",
    "WRW+WR": "W+RW+WR",
    "WRR+2W": "W+RR+WW",
    "WRW+2W": "W+RW+WW",
    "ISA2": "WW+RW+RR",
    "W+RWC": "WW+RR+WR",
    "3.SB": "WR+WR+WR",
    "3.LB": "RW+RW+RW",
    "3.2W": "WW+WW+WW",
    "Z6.0": "WW+RW+WR",
    "Z6.1": "WW+WW+RW",
    "Z6.2": "WW+RW+RW",
    "Z6.3": "WW+WW+RR",
    "Z6.4": "WW+WR+WR",
    "Z6.5": "WW+WW+WR",
    "IRIW": "W+RR+W+RR",
    "IRRWIW": "W+RR+W+RW",
    "IRWIW": "W+RW+W+RW",
    "4.SB": "WR+WR+WR+WR",
    "4.LB": "RW+RW+RW+RW",
    "4.2W": "WW+WW+WW+WW",
    "CoRR": "W+RR",
    "CoWW": "WW",
    "CoRW1": "RW",
    "CoRW2": "W+RW",
    "CoWR": "W+WR",
    "CoWR0": "WR",
}
"""Families by name: the first and the last event of each thread. Those that begin with ``Co`` have one location."""

_BY_KEY = {key: name for name, key in FAMILIES.items()}
_SYNONYMS = {"CoRW": "CoRW2", "IRIW2": "IRIW"}
_ORDER = {"W": 0, "WW": 1, "RR": 2, "RW": 3, "WR": 4, "R": 5}
_LONGEST = 96
_LETTER = {Kind.READ: "R", Kind.WRITE: "W"}
_COM = {("W", "R"): "Rf", ("W", "W"): "Co", ("R", "W"): "Fr"}


def family_cycle(name: str) -> str:
    """Give the cycle of a family.

    Parameters
    ----------
    name : str
        One of :data:`FAMILIES`, or such a key as ``WW+RW+RW+RR``.

    Returns
    -------
    str

    Raises
    ------
    KeyError
        If there is no such family.

    Examples
    --------
    >>> family_cycle("MP"), family_cycle("CoRR"), family_cycle("CoWW"), family_cycle("W+RR+W+RR")
    ('PodWW Rfe PodRR Fre', 'Rfe PosRR Fre', 'PosWW Coi', 'Rfe PodRR Fre Rfe PodRR Fre')
    """
    name = _SYNONYMS.get(name, name)
    threads = FAMILIES.get(name, name).split("+")
    coherence = name.startswith("Co")
    if any(thread not in _ORDER for thread in threads):
        raise KeyError(name)
    words = []
    for number, thread in enumerate(threads):
        if len(thread) == 2:
            words.append(f"Po{'s' if coherence else 'd'}{thread}")
        com = _COM.get((thread[-1], threads[(number + 1) % len(threads)][0]))
        if com is None:
            raise KeyError(name)
        words.append(com + ("e" if len(threads) > 1 else "i"))
    return " ".join(words)


def family_key(steps: Sequence[Step]) -> tuple[str, int]:
    """Give the key of the family that a cycle belongs to, and the step at which it begins.

    Parameters
    ----------
    steps : sequence of Step
        Turned to the beginning of a thread (:func:`~enumerator.generation.cycles.rotated`).

    Returns
    -------
    tuple of (str, int)

    Examples
    --------
    >>> from enumerator.generation.grammar import parse_cycle
    >>> family_key(parse_cycle("PodRR Fre PodWW Rfe")[0])
    ('WW+RR', 2)
    """
    threads: list[tuple[int, int]] = []
    start = 0
    for place, step in enumerate(steps):
        if step.edge.external or place == len(steps) - 1:
            threads.append((start, place))
            start = place + 1
    points = []
    for first, last in threads:
        one, other = _LETTER[steps[first].edge.source], _LETTER[steps[last].edge.source]
        points.append(one if first == last else one + other)
    words = [(_rank(step.edge), edge_text(step.edge), access_text(step.access)) for step in steps]

    def looks(turn: int) -> tuple[object, ...]:
        first, last = threads[turn]
        order = [_ORDER[point] for point in points[turn:] + points[:turn]]
        return order, last - first, words[first:] + words[:first]

    turn = min(range(len(threads)), key=looks)
    key, begin = points[turn:] + points[:turn], threads[turn][0]
    return "+".join(key), begin


def _rank(edge: Edge) -> int:
    """Order relaxations as diy7 does: fences, dependencies, all others."""
    return 0 if edge.between else 1 if edge.depends is not None else 2


def test_name(steps: Sequence[Step], places: Sequence[tuple[str, tuple[int, ...]]] = ()) -> str:
    """Name the test of a cycle.

    Parameters
    ----------
    steps : sequence of Step
        Turned to the beginning of a thread.
    places : sequence of (str, tuple of int)
        Levels of the scope tree, each with the number of the instance of each thread.

    Returns
    -------
    str
        Fit for a file. Two cycles that differ in more than where they begin have different names, but for those whose
        digests are equal.

    Examples
    --------
    >>> from enumerator.generation.grammar import parse_cycle
    >>> [test_name(parse_cycle(text)[0]) for text in ("PodWW Rfe PodRR Fre", "FenceReldWW Rfe DpAddrdR Fre")]
    ['MP', 'MP+fencerel+addr']
    >>> test_name(parse_cycle("PodWWPRel Rfe@wg Acq PodRR Fre")[0])
    'MP+poprel+poacqp+wg-any'
    >>> test_name(parse_cycle("PodWWPRel(agent) Rfe Acq(agent,foo:x) PodRR Fre")[0])
    'MP+poprel.agent+poacq.agent.foo.xp+ea4bd925a6f6'
    """
    key, begin = family_key(steps)
    first = sum(step.edge.external for step in steps[:begin])
    steps = (*steps[begin:], *steps[:begin])
    one_location = all(step.edge.same for step in steps)
    base = _BY_KEY.get(key, key)
    if one_location != base.startswith("Co"):
        base = f"Co-{key}" if one_location else key
    groups: list[list[str]] = [[]]
    for place, step in enumerate(steps):
        after = steps[(place + 1) % len(steps)]
        if step.edge.external:
            groups.append([])
        elif place + 1 < len(steps) or step.edge.relation == Relation.PO:
            ambiguous = step.edge.relation == after.edge.relation == Relation.PO and after.edge.depends is None
            groups[-1].append(_between(step, after.access, named=ambiguous))
    names = ["-".join(group) for group in groups if group]
    lone = _lone(steps)
    if names and all(name == names[0] for name in names):
        ordinary = names[0] == ("pos" if one_location else "po") and (not one_location or len(names) == 1)
        names = [] if ordinary else [names[0] + "s"] if len(names) > 1 else names
    levels = [step.edge for step in steps if step.edge.external]
    if any(edge.level is not None for edge in levels):
        names.append("-".join("any" if edge.level is None else edge_text(edge).partition("@")[2] for edge in levels))
    if places:
        names.append("-".join(f"{level}{''.join(map(str, row[first:] + row[:first]))}" for level, row in places))
    name = "+".join([base, *names, *([lone] if lone else [])])
    name = name.replace("(", ".").replace(")", "").replace(",", ".")  # scopes are as clear without
    safe = re.sub(r"[^-+.\w@]", ".", name, flags=re.ASCII)
    if safe != name or len(safe) > _LONGEST:
        digest = blake2b(steps_text(tuple(steps)).encode(), digest_size=6).hexdigest()
        safe = f"{safe[: _LONGEST - 13].rstrip('.+-')}+{digest}"
    return safe


@lru_cache(4096)
def _between(step: Step, after: Access, *, named: bool) -> str:
    """Name what leads from an event to the next one of its thread, with the annotations of both."""
    edge = step.edge
    target = _LETTER[edge.target].lower() if named else ""
    return f"{_edge(edge)}{target}{_atoms(step.access, after)}"


def _edge(edge: Edge) -> str:
    place = "s" if edge.same else ""
    if edge.relation != Relation.PO:
        return edge_text(edge).lower()
    between = "-".join(map(_item, edge.between))
    if edge.depends is not None:
        return f"{edge.depends.name.lower()}{between}{place}"
    return f"{between or 'po'}{place}"


def _item(item: Item) -> str:
    if item.kind == Kind.BARRIER:
        return "barrier"
    return "fence" + access_text(Access(item.mark)).lower()


def _atoms(one: Access, other: Access) -> str:
    if one == Access() == other:
        return ""
    return "".join(access_text(each).lower().replace(" ", "") or "p" for each in (one, other))


def _lone(steps: Sequence[Step]) -> str:
    """Name the annotations of the only events of threads."""
    found = [
        access_text(step.access).lower().replace(" ", "") or "p"
        for place, step in enumerate(steps)
        if step.edge.external and steps[place - 1].edge.external
    ]
    return "" if all(each == "p" for each in found) else "".join(found)
