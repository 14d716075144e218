"""A skeleton as a Vulkan litmus test, as Dat3M's."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import zip_longest

from enumerator.errors import InputError
from enumerator.generation.building import asked, location_names, needs_scopes
from enumerator.generation.herd import condition_line, header_lines
from enumerator.generation.skeleton import WHOLE, DependencyKind, Event, Kind, Skeleton, register_names
from enumerator.program.instructions import Ordering, Scope

__all__ = ["operation_words", "vulkan_text"]

_SCOPES = {Scope.WAVEFRONT: "sg", Scope.WORKGROUP: "wg", Scope.CLUSTER: "qf", Scope.AGENT: "dv", Scope.SYSTEM: "dv"}
_ORDERS = {
    Ordering.MONOTONIC: (),
    Ordering.ACQUIRE: ("acq",),
    Ordering.RELEASE: ("rel",),
    Ordering.ACQ_REL: ("acq_rel",),
}
_UPDATES = {"xchg": (), "add": ("add",), "sub": ("sub",), "xor": ("xor",)}


def vulkan_text(
    skeleton: Skeleton,
    name: str,
    title: str = "",
    remarks: Sequence[str] = (),
    expectations: Iterable[str] = (),
    *,
    joined: bool = False,
) -> str:
    r"""Write a Vulkan litmus test.

    Scopes are the subgroup, workgroup, queue family and device; the system is the device, of which there is one. An
    operation has storage class ``sc0`` unless its attributes name one, and one that acquires or releases the semantics
    of all classes of the test. Threads that nothing places are in workgroups of their own.

    Parameters
    ----------
    skeleton : Skeleton
    name, title : str
    remarks : sequence of str
        Lines of comment behind the title.
    expectations : iterable of str
        As ``vulkan=Never``.
    joined : bool
        Behind a control dependency the rest of the thread runs whatever the read got.

    Returns
    -------
    str

    Raises
    ------
    InputError
        For what the language does not have: `seq_cst` and `unordered`, tags, address spaces, address dependencies,
        compare-and-exchanges, parts of locations, several agents, attributes that do not fit the operation.

    Examples
    --------
    >>> from enumerator.generation.skeleton import Location, Mark, apart
    >>> write = Event(Kind.WRITE, 0, 1, Mark(Ordering.RELEASE))
    >>> read = Event(Kind.READ, 0, mark=Mark(words=("nonpriv",)))
    >>> print(vulkan_text(Skeleton(((write,), (read,)), apart(2), (Location(),), ((1, 0, 1),)), "RF"))
    VULKAN RF
    (* RF *)
    { x = 0; }
     P0@sg 0, wg 0, qf 0            | P1@sg 1, wg 1, qf 0  ;
     st.atom.rel.dv.sc0.semsc0 x, 1 | ld.nonpriv.sc0 r0, x ;
    exists (P1:r0 == 1)
    <BLANKLINE>
    """
    _check(skeleton)
    names = location_names(len(skeleton.locations))
    classes = {word for _, _, event in skeleton.events() for word in event.mark.words if word.startswith("sc")}
    semantics = tuple(f"sem{word}" for word in sorted(classes | {"sc0"}))
    wanted = asked(skeleton)
    columns = []
    sides = []
    for number, thread in enumerate(skeleton.threads):
        place = skeleton.places[number]
        if needs_scopes(skeleton):
            where = (place[Scope.WAVEFRONT], place[Scope.WORKGROUP], place[Scope.CLUSTER])
        else:
            where = (number, number, 0)
        head = "P{}@sg {}, wg {}, qf {}".format(number, *where)
        columns.append([head, *_body(thread, names, wanted[number], semantics, joined)])
        registers = register_names(thread)
        sides += [f"P{number}:{registers[index]} == {value}" for index, value in wanted[number].items()]
    sides += [f"{names[location]} == {value}" for location, value in skeleton.finals]
    lines = header_lines("VULKAN", name, title, remarks, expectations)
    lines.append("{ " + " ".join(f"{each} = 0;" for each in names) + " }")
    widths = [max(map(len, column)) for column in columns]
    for row in zip_longest(*columns, fillvalue=""):
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
        lines.append(f" {' | '.join(cells)} ;")
    lines.append(condition_line(sides))
    return "\n".join(lines) + "\n"


def _check(skeleton: Skeleton) -> None:
    for number, index, event in skeleton.events():
        mark = event.mark
        what = None
        if mark.ordering in (Ordering.SEQ_CST, Ordering.UNORDERED):
            what = f"ordering {mark.ordering.name.lower()}"
        elif mark.scope == Scope.SINGLETHREAD:
            what = "scope of one thread"
        elif mark.tags:
            what = "annotations such as " + str(mark.tags[0])
        elif event.operator == "cmpxchg":
            what = "compare-and-exchange"
        elif event.part != WHOLE:
            what = "accesses of parts of a location"
        elif event.location >= 0 and skeleton.locations[event.location].space:
            what = "address spaces"
        elif any(kind == DependencyKind.ADDR for kind, _ in event.depends):
            what = "addresses that are computed"
        if what is not None:
            raise InputError(f"thread {number}, event {index}: the Vulkan language has no {what}")
    if needs_scopes(skeleton) and len({place[Scope.AGENT] for place in skeleton.places}) > 1:
        raise InputError("the Vulkan language has one device, and these threads run in several agents")


def _body(
    thread: Sequence[Event], names: Sequence[str], wanted: dict[int, int], semantics: Sequence[str], joined: bool
) -> list[str]:
    registers = register_names(thread)
    lines: list[str] = []
    guarded: set[int] = set()
    barriers, spare = 0, 100
    for index, event in enumerate(thread):
        zeros = []
        for kind, source in event.depends:
            if kind == DependencyKind.CTRL and source not in guarded:
                guarded.add(source)
                label = f"LC{source:02}" if joined else "LC00"
                lines.append(f"bne {registers[source]}, {wanted.get(source, 0)}, {label}")
                lines += [f"{label}:"] if joined else []
            elif kind == DependencyKind.DATA:
                lines.append(f"xor r{spare}, {registers[source]}, {registers[source]}")
                zeros.append(f"r{spare}")
                spare += 1
        value = str(event.value)
        for zero in zeros:
            lines.append(f"add r{spare}, {zero}, {value}")
            value, spare = f"r{spare}", spare + 1
        words = operation_words(event, semantics)
        why = _refused(words)
        if why is not None:
            raise InputError(f"event {index}: in the Vulkan language, {why}")
        match event.kind:
            case Kind.FENCE:
                lines.append(words)
            case Kind.BARRIER:
                lines.append(f"{words} {barriers}")
                barriers += 1
            case Kind.READ:
                lines.append(f"{words} {registers[index]}, {names[event.location]}")
            case Kind.WRITE:
                lines.append(f"{words} {names[event.location]}, {value}")
            case Kind.UPDATE:
                lines.append(f"{words} {registers[index]}, {names[event.location]}, {value}")
    if guarded and not joined:
        lines.append("LC00:")
    return lines


@lru_cache(1024)
def _refused(operation: str) -> str | None:
    """Say why an operation cannot have some attribute; None if it can have all of them."""
    from enumerator.frontend.vulkan.operations import parse_operation

    try:
        parse_operation(operation, lambda message, _: InputError(message))
    except InputError as error:
        return error.message
    return None


def operation_words(event: Event, semantics: Sequence[str]) -> str:
    """Give the operation of an event with its attributes.

    Parameters
    ----------
    event : Event
    semantics : sequence of str
        What it orders if it synchronizes and does not say: ``semsc0`` …

    Returns
    -------
    str
    """
    mark, given = event.mark, event.mark.words
    attributes = [word for word in given if not word.startswith(("sc", "semsc"))]
    classes = [word for word in given if word.startswith("sc")] or ["sc0"]
    chosen = [word for word in given if word.startswith("semsc")] or list(semantics)
    scope = _SCOPES[mark.scope] if mark.ordering != Ordering.NA or {"av", "vis"} & set(given) else ""
    if event.kind == Kind.BARRIER:
        where = _SCOPES[Scope.WORKGROUP if mark.scope == Scope.SYSTEM else mark.scope]
        rest = given if mark.ordering == Ordering.NA else (*_ORDERS[mark.ordering], *attributes, *chosen)
        return ".".join(["cbar", where, *rest])
    if event.kind == Kind.FENCE:
        return ".".join(["membar", *_ORDERS[mark.ordering], scope, *attributes, *chosen])
    kind = {Kind.READ: "ld", Kind.WRITE: "st", Kind.UPDATE: "rmw"}[event.kind]
    words = [kind]
    if mark.ordering != Ordering.NA:
        words += ["atom", *_ORDERS[mark.ordering]]
    words += [scope] if scope else []
    words += [*attributes, *classes]
    if mark.ordering > Ordering.MONOTONIC:
        words += chosen
    words += _UPDATES[event.operator] if event.operator else ()
    return ".".join(words)
