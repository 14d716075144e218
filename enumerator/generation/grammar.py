r"""How cycles are written: relaxations and annotations with blanks between them.

A **relaxation** is an edge from one event to the next:

``Rfe`` ``Fre`` ``Coe``, ``Rfi`` ``Fri`` ``Coi``
    reads-from, from-reads, coherence, to another thread (``e``) or within one (``i``); ``Wse``, ``Wsi`` for ``Coe``,
    ``Coi``. Behind an external one may stand where the threads meet: ``Rfe@wg``.
``PodWR``, ``PosRR`` …
    program order: to a different or the same location, from a write or read to a read or write.
``DpAddrdR``, ``DpDatadW``, ``DpCtrldW`` …
    program order from a read, with a dependency; also ``DpdR`` (``DpAddrdR``), ``DpdW`` (``DpDatadW``), ``CtrldR``.
``FencedWR``, ``FenceReldWW``, ``FenceAcq(agent)sRR``, ``BarrierdWR``,
``FenceRel+Barrier+FenceAcqdWR``, ``DpAddr+FenceAcqdR``
    program order with fences and barriers between the events; ``Fence`` alone is seq_cst.
``Rmw``, ``Exch``, ``Fetch.Add``, ``Fetch.Sub``, ``Fetch.Xor``, ``Cas``
    the read and the write of one read-modify-write (``Rmw`` is ``Exch``).

``*`` stands for both letters: ``PodR*``, ``Po**W``, ``Rf*``; all cycles that fit together are meant.

An **annotation** says what the event between two relaxations is: ``P`` (also ``Pln``, ``Na``) plain, ``Unord``,
``Rlx``, ``Acq``, ``Rel``, ``AR``, ``Sc``; ``Any`` leaves the ordering open. In parentheses, with commas, it may have:

- a sync scope: ``thread``, ``wave``, ``wg``, ``cluster``, ``agent``, ``system``;
- tags: ``foo:x``;
- the address space of the location (``as1``, ``as3``), and the bytes of it that are accessed (``0..2``);
- ``xchg``: the write is done by an atomicrmw;
- attributes of Vulkan: ``av``, ``vis``, ``nonpriv``, ``semav``, ``semvis``, ``sc1``, ``semsc1``.

Two annotations behind a relaxation without a blank are those of its ends: ``PodWWRlxRel``. A fence or barrier that
stands alone comes before the event: ``Rfe FenceAcq PodRR``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from difflib import get_close_matches
from itertools import product
from typing import NamedTuple

from enumerator.errors import InputError
from enumerator.frozen import dataclass
from enumerator.generation.relaxations import (
    ORDERINGS,
    SCOPES,
    SPACES,
    UPDATES,
    VULKAN_WORDS,
    Access,
    Edge,
    Item,
    Relation,
    Step,
    access_text,
)
from enumerator.generation.skeleton import WHOLE, DependencyKind, Kind, Mark
from enumerator.program.instructions import Ordering, Scope, Tag

__all__ = ["Chain", "join", "parse_cycle", "parse_mark", "parse_relaxations", "relaxation_names"]

_MODS = r"(?:\([^()]*\))?"
_NAMES = {**ORDERINGS, "Pln": Ordering.NA, "Na": Ordering.NA}
_ORDER = "(?:" + "|".join(sorted([*_NAMES, "Any"], key=len, reverse=True)) + ")"
_ANNOTATION = re.compile(rf"({_ORDER})(\([^()]*\))?")
_ITEM = rf"(?:Fence(?:AR|Acq|Rel|Sc)?{_MODS}|Barrier)"
_COM = re.compile(r"(Rf|Fr|Co|Ws)([ei*])(?:@(\w+))?")
_PO = re.compile(rf"(?:Po|({_ITEM}(?:\+{_ITEM})*))([sd*])([RW*])([RW*])")
_DP = re.compile(rf"(?:Dp(Addr|Data|Ctrl|)|(Ctrl))((?:\+{_ITEM})*)([sd*])([RW*])")
_RMW = re.compile("|".join(map(re.escape, ["Rmw", "LxSx", *UPDATES])))
_INSERT = re.compile(_ITEM)
_WORD = re.compile(r"(?:[^\s(),\[\]]|\([^()]*\))+|[()\[\]]")
_LETTERS = {"R": (Kind.READ,), "W": (Kind.WRITE,), "*": (Kind.READ, Kind.WRITE)}
_SAME = {"s": (True,), "d": (False,), "*": (True, False)}
_FENCES = {"": Ordering.SEQ_CST, "Sc": Ordering.SEQ_CST, "AR": Ordering.ACQ_REL}
_FENCES |= {"Acq": Ordering.ACQUIRE, "Rel": Ordering.RELEASE}
_RELATIONS = {"Rf": Relation.RF, "Fr": Relation.FR, "Co": Relation.CO, "Ws": Relation.CO}
_ENDS = {
    Relation.RF: (Kind.WRITE, Kind.READ),
    Relation.FR: (Kind.READ, Kind.WRITE),
    Relation.CO: (Kind.WRITE, Kind.WRITE),
}
_MOST_WAYS = 1 << 12
_SCOPE_SYNONYMS = {**SCOPES, "wavefront": Scope.WAVEFRONT, "workgroup": Scope.WORKGROUP, "singlethread": Scope(0)}
_NOTHING = Access()
_SCOPE_SYNONYMS |= {"sg": Scope.WAVEFRONT, "qf": Scope.CLUSTER, "dv": Scope.AGENT, "sys": Scope.SYSTEM}


@dataclass(frozen=True)
class _Element:
    """A word of a cycle: a relaxation in each way to read it, or what is said of an event; and its place."""

    text: str
    column: int
    edges: tuple[Edge, ...] = ()
    access: Access = Access()
    after: Access = Access()


class Chain(NamedTuple):
    """A relaxation, or several in a row that are used as one: its steps, and what is said of the event at its end."""

    steps: tuple[Step, ...]
    end: Access = Access()


Fail = Callable[[str, int], InputError]


def parse_cycle(text: str, path: str = "cycle") -> tuple[tuple[Step, ...], ...]:
    """Read a cycle.

    Parameters
    ----------
    text : str
    path : str
        For errors.

    Returns
    -------
    tuple of tuple of Step
        One cycle, or several if wildcards leave several that fit.

    Raises
    ------
    InputError
        With the column of a word that is unknown, or that does not fit its neighbours.

    Examples
    --------
    >>> (mp,) = parse_cycle("PodWWPRel Rfe Acq PodRR Fre")
    >>> [step.access.mark.ordering.name if step.access.mark else "" for step in mp]
    ['NA', 'RELEASE', 'ACQUIRE', '']
    >>> parse_cycle("PodWW Fre")
    Traceback (most recent call last):
    ...
    enumerator.errors.InputError: cycle:1:7: PodWW ends in a write, Fre begins at a read
    """

    def fail(message: str, column: int) -> InputError:
        return InputError(message, path, 1, column + 1)

    elements = [_element(word, column, fail) for word, column in _words(text, fail)]
    return _cycles(elements, fail)


def parse_relaxations(texts: Sequence[str], path: str = "--relax") -> tuple[Chain, ...]:
    """Read relaxations that cycles are to be made of, each with annotations of its ends if it has some.

    Parameters
    ----------
    texts : sequence of str
        Each of relaxations with blanks or commas between them; ``[Rfe PodRR]`` is one that is made of two.

    Returns
    -------
    tuple of Chain

    Raises
    ------
    InputError

    Examples
    --------
    >>> [len(chain.steps) for chain in parse_relaxations(["Rfe PodR* [Fre Rfe]"])]
    [1, 1, 1, 2]
    """
    found: dict[Chain, None] = {}
    for text in texts:

        def fail(message: str, column: int) -> InputError:
            return InputError(message, path, 1, column + 1)

        for group in _groups(text, fail):
            for chain in _chains(group, fail):
                found[chain] = None
    return tuple(found)


def parse_mark(text: str, path: str = "annotation") -> Access:
    """Read one annotation.

    Examples
    --------
    >>> parse_mark("Rel(agent,foo:x)").mark.scope.name
    'AGENT'
    """

    def fail(message: str, column: int) -> InputError:
        return InputError(message, path, 1, column + 1)

    match = _ANNOTATION.fullmatch(text.strip())
    if match is None:
        raise fail(f"expected an annotation ({', '.join(ORDERINGS)}), not {text!r}", 0)
    return _access(match, 0, fail)


def relaxation_names() -> tuple[str, ...]:
    """List the names of relaxations without modifiers."""
    names = [f"{com}{where}" for com in ("Rf", "Fr", "Co") for where in "ei"]
    ends = [f"{place}{one}{other}" for place in "sd" for one in "RW" for other in "RW"]
    names += [f"Po{end}" for end in ends]
    names += [f"DpAddr{place}{end}" for place in "sd" for end in "RW"]
    names += [f"DpData{place}W" for place in "sd"]
    names += [f"DpCtrl{place}{end}" for place in "sd" for end in "RW"]
    for item in ("FenceSc", "FenceAR", "FenceAcq", "FenceRel", "Barrier"):
        names += [f"{item}{end}" for end in ends]
    return (*names, "Rmw", *UPDATES)


# Words ---------------------------------------------------------------------------------------------------------------


def _words(text: str, fail: Fail) -> Iterator[tuple[str, int]]:
    """Split a text at blanks and commas outside of parentheses."""
    position = 0
    while position < len(text):
        if text[position].isspace() or text[position] == ",":
            position += 1
            continue
        match = _WORD.match(text, position)
        if match is None or match[0] in "()":
            raise fail("unbalanced parentheses", position)
        yield match[0], position
        position = match.end()


def _element(word: str, column: int, fail: Fail) -> _Element:
    if word in "[]":
        raise fail("brackets group relaxations in --relax only", column)
    for pattern, read in ((_COM, _communication), (_PO, _program_order), (_DP, _dependency), (_RMW, _update)):
        match = pattern.match(word)
        if match is None:
            continue
        rest = word[match.end() :]
        first = _ANNOTATION.match(rest)
        second = _ANNOTATION.fullmatch(rest, first.end()) if first is not None else None
        if rest and (first is None or second is None):
            continue
        edges = tuple(read(match, column, fail))
        if first is None or second is None:
            return _Element(word, column, edges)
        place = column + match.end()
        return _Element(word, column, edges, _access(first, place, fail), _access(second, place, fail))
    match = _ANNOTATION.fullmatch(word)
    if match is not None:
        return _Element(word, column, access=_access(match, column, fail))
    match = _INSERT.fullmatch(word)
    if match is not None:
        return _Element(word, column, access=Access(before=_items(word, column, fail)))
    raise fail(_unknown(word), column)


def _unknown(word: str) -> str:
    if word == "Con" or word.startswith("FenceCon"):
        return f"{word}: there is no consume here; Acq is what compilers make of it"
    if word.startswith("FenceRlx"):
        return f"{word}: a relaxed fence does nothing; expected FenceAcq, FenceRel, FenceAR or FenceSc"
    close = get_close_matches(word, [*relaxation_names(), *_NAMES, "Wse", "Wsi"], 1)
    hint = f"did you mean {close[0]}?" if close else "expected one as Rfe, PodWR, DpAddrdR, FenceReldWW, Rmw or Acq"
    return f"unknown relaxation or annotation {word}: {hint}"


def _communication(match: re.Match[str], column: int, fail: Fail) -> Iterator[Edge]:
    relation = _RELATIONS[match[1]]
    source, target = _ENDS[relation]
    level = None
    if match[3] is not None:
        if match[2] != "e":
            raise fail(f"{match[0]}: only an external relaxation says where two threads meet", column)
        level = _SCOPE_SYNONYMS.get(match[3])
        if level is None or level == Scope.SINGLETHREAD:
            raise fail(f"{match[0]}: threads meet in one of {', '.join(list(SCOPES)[1:])}", column)
    for external in {"e": (True,), "i": (False,), "*": (True, False)}[match[2]]:
        yield Edge(relation, external, True, source, target, level=level)


def _program_order(match: re.Match[str], column: int, fail: Fail) -> Iterator[Edge]:
    between = _items(match[1], column, fail) if match[1] else ()
    for source, target, same in product(_LETTERS[match[3]], _LETTERS[match[4]], _SAME[match[2]]):
        yield Edge(Relation.PO, False, same, source, target, between)


def _dependency(match: re.Match[str], column: int, fail: Fail) -> Iterator[Edge]:
    named = match[1] or match[2]
    between = _items(match[3][1:], column, fail) if match[3] else ()
    if named == "Data" and match[5] == "R":
        raise fail(f"{match[0]}: a data dependency ends in a write", column)
    targets = (Kind.WRITE,) if named == "Data" else _LETTERS[match[5]]
    for target, same in product(targets, _SAME[match[4]]):
        usual = "Addr" if target == Kind.READ else "Data"
        yield Edge(Relation.PO, False, same, Kind.READ, target, between, DependencyKind[(named or usual).upper()])


def _update(match: re.Match[str], column: int, fail: Fail) -> Iterator[Edge]:
    operator = UPDATES.get(match[0], "xchg")
    yield Edge(Relation.RMW, False, True, Kind.READ, Kind.WRITE, operator=operator)


def _items(text: str, column: int, fail: Fail) -> tuple[Item, ...]:
    found = []
    for match in re.finditer(rf"Fence(AR|Acq|Rel|Sc)?({_MODS})|Barrier", text):
        if match[0] == "Barrier":
            found.append(Item(Kind.BARRIER))
            continue
        access = _modified(_FENCES[match[1] or ""], match[2] or "", column, fail)
        if access._replace(mark=None) != Access():
            raise fail(f"{match[0]}: a fence has a scope, tags and attributes of Vulkan only", column)
        assert access.mark is not None
        found.append(Item(Kind.FENCE, access.mark))
    return tuple(found)


def _access(match: re.Match[str], column: int, fail: Fail) -> Access:
    found = _modified(_NAMES.get(match[1], Ordering.NA), match[2] or "", column, fail)
    assert found.mark is not None
    if match[1] == "Any":
        if found.mark != Mark():
            raise fail(f"{match[0]}: Any has an address space, bytes and xchg only", column)
        return found._replace(mark=None)
    if found.mark.ordering == Ordering.NA and found.mark.scope != Scope.SYSTEM:
        if not {"av", "vis"} & set(found.mark.words):
            raise fail(f"{match[0]}: a plain access has no scope", column)
    return found


def _modified(ordering: Ordering, text: str, column: int, fail: Fail) -> Access:
    """Read what stands in the parentheses of an annotation."""
    scope, tags, words, found = Scope.SYSTEM, [], [], Access()
    for part in text.strip("()").split(",") if text else ():
        word = part.strip()
        extent = re.fullmatch(r"(\d{1,2})\.\.(\d{1,2})", word)
        if word in _SCOPE_SYNONYMS:
            scope = _SCOPE_SYNONYMS[word]
        elif word in VULKAN_WORDS:
            words.append(word)
        elif word in SPACES:
            found = found._replace(space=SPACES[word])
        elif word == "xchg":
            found = found._replace(exchange=True)
        elif extent is not None and int(extent[1]) < int(extent[2]) <= 16:
            found = found._replace(part=(int(extent[1]), int(extent[2]) - int(extent[1])))
        elif re.fullmatch(r"[^\s:\"\\]+:[^\s:\"\\]+", word):
            prefix, _, suffix = word.partition(":")
            tags.append(Tag(prefix, suffix))
        else:
            known = f"a scope ({', '.join(SCOPES)}), a tag as foo:x, as1, bytes as 0..2, xchg or a word of Vulkan"
            raise fail(f"{word or '()'}: expected {known}", column)
    return found._replace(mark=Mark(ordering, scope, tuple(sorted(set(tags))), tuple(sorted(set(words)))))


# Cycles --------------------------------------------------------------------------------------------------------------


def _cycles(elements: Sequence[_Element], fail: Fail) -> tuple[tuple[Step, ...], ...]:
    """Give the cycles that some words stand for."""
    joints = _joints(elements, fail)
    relaxations = [element for element in elements if element.edges]
    ways = 1
    for element in relaxations:
        ways *= len(element.edges)
        if ways > _MOST_WAYS:
            raise fail(f"wildcards leave more than {_MOST_WAYS} cycles", element.column)
    found = []
    for edges in product(*(element.edges for element in relaxations)):
        if all(edge.target == edges[(place + 1) % len(edges)].source for place, edge in enumerate(edges)):
            found.append(tuple(map(Step, joints, edges)))
    if not found:
        raise _misfit(relaxations, fail)
    return tuple(found)


def _misfit(relaxations: Sequence[_Element], fail: Fail) -> InputError:
    """Say which two relaxations do not fit."""
    letters = {Kind.READ: "a read", Kind.WRITE: "a write"}
    for place, element in enumerate(relaxations):
        after = relaxations[(place + 1) % len(relaxations)]
        ends, begins = {edge.target for edge in element.edges}, {edge.source for edge in after.edges}
        if not ends & begins:
            (end,), (begin,) = ends, begins
            last = "; the last relaxation leads to the first" if place + 1 == len(relaxations) else ""
            message = f"{element.text} ends in {letters[end]}, {after.text} begins at {letters[begin]}{last}"
            return fail(message, after.column)
    return fail("in no way do these relaxations fit together", 0)


def _joints(elements: Sequence[_Element], fail: Fail) -> list[Access]:
    """Give what is said of the event at the beginning of each relaxation."""
    relaxations = [place for place, element in enumerate(elements) if element.edges]
    if not relaxations:
        raise fail("a cycle needs relaxations, as PodWW Rfe PodRR Fre", 0)
    joints = [elements[place].access for place in relaxations]
    last = -1  # the annotations in front of the first relaxation are of the end of the last one: the same event
    for element in elements:
        if element.edges:
            last += 1
            where = (last + 1) % len(joints)
            joints[where] = _merged(joints[where], element.after, element, fail)
        else:
            where = (last + 1) % len(joints)
            joints[where] = _merged(joints[where], element.access, element, fail)
    return joints


def _merged(one: Access, other: Access, element: _Element, fail: Fail) -> Access:
    """Join what two words say of an event."""
    joined = join(one, other)
    if joined is None:
        raise fail(f"{element.text}: the event is {access_text(one)} already", element.column)
    return joined


def join(one: Access, other: Access) -> Access | None:
    """Join what is said of an event twice; None if both cannot be.

    Examples
    --------
    >>> join(Access(space=3), Access(Mark(Ordering.RELEASE))) == Access(Mark(Ordering.RELEASE), 3)
    True
    >>> join(Access(space=3), Access(space=1))
    """
    if one == other or other == _NOTHING:
        return one
    if one == _NOTHING:
        return other
    if one.mark is not None and other.mark is not None and one.mark != other.mark:
        return None
    if one.space is not None and other.space is not None and one.space != other.space:
        return None
    if WHOLE != one.part != other.part != WHOLE:
        return None
    return Access(
        other.mark if one.mark is None else one.mark,
        other.space if one.space is None else one.space,
        max(one.part, other.part),
        one.exchange or other.exchange,
        one.before + other.before,
    )


def _groups(text: str, fail: Fail) -> Iterator[list[_Element]]:
    """Give the relaxations of a list: each a word with what is said of its ends, or several in brackets."""
    group: list[_Element] | None = None
    for word, column in _words(text, fail):
        if word == "[":
            if group is not None:
                raise fail("brackets in brackets", column)
            group = []
        elif word == "]":
            if not group:
                raise fail("nothing stands in these brackets", column)
            yield group
            group = None
        elif group is not None:
            group.append(_element(word, column, fail))
        else:
            element = _element(word, column, fail)
            if not element.edges:
                raise fail(f"{word} is no relaxation: annotations stand in --annotate, or in brackets with one", column)
            yield [element]
    if group is not None:
        raise fail("']' is missing", len(text))


def _chains(group: Sequence[_Element], fail: Fail) -> Iterator[Chain]:
    """Give each way to read a relaxation that is made of several."""
    relaxations = [element for element in group if element.edges]
    if not relaxations:
        raise fail("no relaxation stands in these brackets", group[0].column)
    joints = [Access() for _ in range(len(relaxations) + 1)]
    last = 0
    for element in group:
        if element.edges:
            joints[last] = _merged(joints[last], element.access, element, fail)
            last += 1
            joints[last] = _merged(joints[last], element.after, element, fail)
        else:
            joints[last] = _merged(joints[last], element.access, element, fail)
    for edges in product(*(element.edges for element in relaxations)):
        if all(one.target == other.source for one, other in zip(edges, edges[1:], strict=False)):
            yield Chain(tuple(map(Step, joints, edges)), joints[-1])
