"""What a picture of an execution shows: a box an instruction, links, columns, the frames of scope instances."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from enumerator.analysis.classify import Classification, Violation
from enumerator.analysis.execution import Execution
from enumerator.analysis.graph import name_of_location
from enumerator.analysis.story import Source, sentences
from enumerator.errors import InputError
from enumerator.events import Event
from enumerator.printing import escaped
from enumerator.program.instructions import Ordering, Scope
from enumerator.program.test import Test
from enumerator.program.values import format_value
from enumerator.report.picture.links import DEPENDENCIES, Edge, cycle_edges, edges_of, extra_edges
from enumerator.report.picture.scene import Box, Column, Frame, Link, Scene
from enumerator.report.picture.style import style_of
from enumerator.scopes import scope_word

__all__ = ["scene_of", "shortest"]

_WIDEST = 46
_WIDEST_ACCESS = 40
_WIDEST_LABEL = 26
_NOISE = re.compile(r", (?:align \d+|![\w.]+ !\w+)")

_MEANING = {
    "rf": "{b} reads what {a} wrote",
    "fr": "{a} reads before {b} writes",
    "sw": "{a} synchronizes with {b}",
    "hb": "{a} happens before {b}",
    "avail": "{b} makes available what {a} wrote",
    "vis": "{b} makes visible what {a} made available",
    "bar": "{a} and {b} meet",
    "race": "{a} and {b} race",
    "removed": "{a} and {b} are not ordered",
}


def scene_of(
    classification: Classification,
    *,
    title: str = "",
    subtitle: str = "",
    show: Sequence[str] = (),
    extras: bool = False,
    refused_by: Violation | None = None,
) -> Scene:
    """Say what a picture of an execution shows.

    Parameters
    ----------
    classification : Classification
    title, subtitle : str
        Default: the test's name; the model.
    show : sequence of str
        Further relations whose edges are shown.
    extras : bool
        Also, as edges that can be switched on, dependencies and what the model's ``show`` statements name.
    refused_by : Violation, optional
        The axiom whose cycle is drawn in bold; default: the first that fails, with the shortest cycle.

    Returns
    -------
    Scene
    """
    execution = classification.execution
    violation = refused_by or shortest(classification.violations)
    source = Source.of(execution.combination.test)
    threads = _columns(execution.combination.test)
    boxes, name_of = _boxes(classification, violation, source, threads)
    links = _links(classification, violation, name_of, boxes, show, extras)
    reasons = tuple(f"forbidden by {each}" for each in ((violation,) if violation is not None else ()))
    others = len(classification.violations) - 1
    if violation is not None and others > 0:
        reasons += (f"and by {others} other axiom{'s' * (others > 1)}",)
    test = execution.combination.test
    return Scene(
        title=escaped(title or test.name),
        subtitle=escaped(subtitle or f"{execution.model.name} @ {execution.profile.name}"),
        columns=tuple(_column(test, number) for number in threads),
        frames=tuple(_frames(test, threads)),
        boxes=tuple(boxes.values()),
        links=tuple(links),
        program_order=tuple(_program_order(boxes.values())),
        aligned=tuple(_aligned(execution, name_of)),
        reasons=tuple(map(escaped, reasons)),
        told=tuple(map(escaped, (*reasons, *(step.text for step in sentences(classification, source))))),
    )


def shortest(violations: Sequence[Violation]) -> Violation | None:
    """Give the axiom that refuses an execution in the fewest steps; None if none does."""
    return min(violations, key=lambda each: each.length, default=None)


# Columns and frames -------------------------------------------------------------------------------------------


def _columns(test: Test) -> list[int]:
    """Order threads so that those of a scope instance stand side by side."""
    first: dict[tuple[Scope, int], int] = {}
    for number, thread in enumerate(test.threads):
        for scope in Scope:
            first.setdefault((scope, test.placements[thread.name].instance(scope)), number)

    def key(number: int) -> tuple[int, ...]:
        place = test.placements[test.threads[number].name]
        return (*(first[scope, place.instance(scope)] for scope in reversed(Scope)), number)

    return sorted(range(len(test.threads)), key=key)


def _column(test: Test, number: int) -> Column:
    thread = test.threads[number]
    function = thread.function if thread.function.lstrip("@") != thread.name else ""
    return Column(escaped(thread.name), escaped(function))


def _frames(test: Test, threads: Sequence[int]) -> Iterator[Frame]:
    """Draw the levels that the scope tree names, or else those that tell threads apart."""
    written = set(re.findall(r"\((\w+)", test.scope_tree))
    places = [test.placements[test.threads[number].name] for number in threads]
    if not written and len({place.instance(Scope.AGENT) for place in places}) < len(places):
        written = {"workgroup"}  # placed, as tests of other languages do it in their own words
    levels: list[tuple[Scope, list[tuple[int, int]]]] = []
    seen: set[tuple[tuple[int, int], ...]] = {tuple((n, n) for n in range(len(threads)))}
    for scope in (Scope.WAVEFRONT, Scope.WORKGROUP, Scope.CLUSTER, Scope.AGENT):
        groups = _runs([place.instance(scope) for place in places])
        told = scope.name.lower() in written if written else tuple(groups) not in seen
        if told and not (not written and len(groups) == 1 and len(threads) > 1 and scope != Scope.WORKGROUP):
            levels.append((scope, groups))
        seen.add(tuple(groups))
    for depth, (scope, groups) in enumerate(reversed(levels)):
        name = scope_word(test.format, scope)
        for number, (first, last) in enumerate(groups):
            yield Frame(name if len(groups) == 1 else f"{name} {number}", first, last, depth)


def _runs(numbers: Sequence[int]) -> list[tuple[int, int]]:
    """Give the runs of equal neighbours, each by its first and last place.

    Examples
    --------
    >>> _runs([4, 4, 7])
    [(0, 1), (2, 2)]
    """
    found: list[tuple[int, int]] = []
    for place, number in enumerate(numbers):
        if found and numbers[found[-1][0]] == number:
            found[-1] = found[-1][0], place
        else:
            found.append((place, place))
    return found


# Boxes --------------------------------------------------------------------------------------------------------


def _boxes(
    classification: Classification, violation: Violation | None, source: Source, threads: Sequence[int]
) -> tuple[dict[str, Box], dict[int, str]]:
    execution = classification.execution
    column_of = {thread: place for place, thread in enumerate(threads)}
    groups: dict[tuple[int, int], list[Event]] = {}
    for event in execution.events:
        key = (-1, event.number) if event.thread is None else (column_of[event.thread], event.made.instruction)
        groups.setdefault(key, []).append(event)
    told = {number: step.text for step in sentences(classification, source) for number in step.events}
    undef = {read.read for read in classification.undef_reads}
    racing = {number for pair in classification.races for number in pair}
    strong = set() if violation is None else _concerned(violation)
    boxes: dict[str, Box] = {}
    name_of: dict[int, str] = {}
    for (column, _), events in sorted(groups.items(), key=lambda item: (item[0][0], item[1][0].number)):
        name = f"e{events[0].number}"
        numbers = tuple(event.number for event in events)
        name_of.update(dict.fromkeys(numbers, name))
        first = events[0]
        badges = [word for word, members in (("undef", undef), ("race", racing)) if members & set(numbers)]
        boxes[name] = Box(
            name=name,
            events=numbers,
            column=None if column < 0 else column,
            title=escaped(_title(execution, events)),
            access=escaped(_short(_access(execution, events), _WIDEST_ACCESS)),
            source=escaped(_short(_NOISE.sub("", source.text(first.line, first.thread)), _WIDEST)),
            line=first.line,
            place=escaped(source.place(first.line)),
            notes=tuple(escaped(_short(note, _WIDEST)) for note in _notes(first)),
            badges=tuple(badges),
            strong=bool(strong & set(numbers)),
            told=escaped(told.get(first.number, "")),
        )
    return boxes, name_of


def _concerned(violation: Violation) -> set[int]:
    of_cycle = {number for step in violation.cycle for number in (step.source, step.target)}
    return of_cycle | set(violation.events) | {number for pair in violation.pairs for number in pair}


def _title(execution: Execution, events: Sequence[Event]) -> str:
    first = events[0]
    if first.kind == "IW":
        return ""
    if "FREE" in first.annotation.labels:
        return "free"
    if "RET" in first.annotation.labels:
        return "return"
    kinds = {event.kind for event in events}
    noun = "rmw" if kinds == {"R", "W"} else {"R": "load", "W": "store", "F": "fence", "B": "barrier"}[first.kind]
    words = [noun]
    if first.annotation.ordering != Ordering.NA:
        words.append(first.annotation.ordering.name.lower())
    if first.annotation.syncscope:
        words.append(first.annotation.syncscope)
    return " ".join(words)


def _access(execution: Execution, events: Sequence[Event]) -> str:
    """Give the locations and values: ``@x = 1``, of a read-modify-write ``@x: 0 → 1``, with parts one by one."""
    test, values = execution.combination.test, execution.candidate.values
    parts: dict[str, list[str]] = {}
    for event in events:
        if event.location is not None:
            place = name_of_location(test, event.location)
            parts.setdefault(place, []).append(format_value(values[event.number]))
    return "; ".join(
        f"{place} = {told[0]}" if len(told) == 1 else f"{place}: {' → '.join(told)}" for place, told in parts.items()
    )


def _notes(event: Event) -> Iterator[str]:
    """Give what annotations say beside ordering and scope; tags are those that are written."""
    if event.kind == "IW":
        return
    note = event.annotation
    words = []
    if note.volatile:
        words.append("volatile")
    if note.thread_private:
        words.append("thread-private")
    words += sorted(note.labels - {"FREE", "RET"})
    if words:
        yield " · ".join(words)
    yield from sorted(map(str, note.tags))


def _short(text: str, most: int) -> str:
    """Shorten a text in its middle.

    Examples
    --------
    >>> _short("abcdefgh", 5)
    'abc…h'
    """
    if len(text) <= most:
        return text
    end = (most - 1) // 3
    return f"{text[: most - 1 - end]}…{text[len(text) - end :]}"


def _program_order(boxes: Iterable[Box]) -> Iterator[tuple[str, str]]:
    last: dict[int, str] = {}
    for box in boxes:
        if box.column is not None:
            if box.column in last:
                yield last[box.column], box.name
            last[box.column] = box.name


def _aligned(execution: Execution, name_of: dict[int, str]) -> Iterator[tuple[str, ...]]:
    groups: dict[str, str] = {}
    bar = execution.world.relations["bar"]
    for a, b in sorted(bar.edges):
        if bar.has_edge(b, a) and a < b:
            groups[name_of[b]] = groups.get(name_of[a], name_of[a])
    for head in dict.fromkeys(groups.values()):
        yield (head, *(name for name, first in groups.items() if first == head))


# Links --------------------------------------------------------------------------------------------------------


def _links(
    classification: Classification,
    violation: Violation | None,
    name_of: dict[int, str],
    boxes: dict[str, Box],
    show: Sequence[str],
    extras: bool,
) -> list[Link]:
    execution = classification.execution
    found: dict[tuple[str, str, str], Link] = {}

    def add(edge: Edge, *, strong: bool = False, extra: bool = False) -> None:
        a, b = name_of[edge.source], name_of[edge.target]
        key = a, b, edge.relation
        if key in found and not strong:
            return
        style = "axiom" if edge.relation == "axiom" else _style(execution, edge.relation)
        bold = {(link.source, link.target, link.style) for link in found.values() if link.strong}
        if not strong and (a, b, style) in bold:
            return  # it is there already, by a name that the axiom has for it
        if strong and style == "other":
            style = "axiom"
        found[key] = Link(
            a,
            b,
            escaped(edge.relation),
            style,
            escaped(_short(edge.label or edge.relation, _WIDEST_LABEL)),
            strong,
            edge.mutual,
            extra,
            escaped(_told(edge, boxes[a], boxes[b])),
        )

    edges = edges_of(classification)
    between = {(edge.source, edge.target): edge for edge in edges}
    for edge in cycle_edges(execution, violation) if violation is not None else ():
        known = between.get((edge.source, edge.target))
        add(known if known is not None and edge.relation == "axiom" else edge, strong=True)
    for edge in edges:
        add(edge)
    asked = [name for name in show if name not in {link.relation for link in found.values()}]
    for name in asked:
        if execution.relation(name) is None:
            raise InputError(f"there is no relation {name!r} in the model {execution.model.name}", "--show")
    for edge in extra_edges(execution, asked):
        add(edge)
    if extras:
        shown = [name for name in execution.evaluation.shown if name not in {link.relation for link in found.values()}]
        for edge in extra_edges(execution, (*DEPENDENCIES, *sorted(shown))):
            add(edge, extra=True)
    return [link for link in found.values() if link.source != link.target or link.strong]


def _style(execution: Execution, relation: str) -> str:
    if relation == execution.choices.order_name:
        return "order"
    base = relation.split(" ")[0].removesuffix("-atomic")
    return style_of(base if base in ("rf", "fr", "mo", "co") else relation)


def _told(edge: Edge, a: Box, b: Box) -> str:
    one, other = (_name(box) for box in (a, b))
    meaning = _MEANING.get(edge.relation, "{a} is before {b}")
    return f"{edge.relation}: {meaning.format(a=one, b=other)}"


def _name(box: Box) -> str:
    what = " ".join(filter(None, (box.title or "initial", box.access)))
    return f"{what} (line {box.place})" if box.place else what
