"""A skeleton as a C litmus test in herd7's syntax."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from enumerator.errors import InputError
from enumerator.generation.building import asked, location_names
from enumerator.generation.herd import condition_line, header_lines
from enumerator.generation.skeleton import WHOLE, DependencyKind, Event, Kind, Skeleton, register_names
from enumerator.program.instructions import Ordering, Scope

__all__ = ["c_text"]

_ORDERS = {
    Ordering.MONOTONIC: "memory_order_relaxed",
    Ordering.ACQUIRE: "memory_order_acquire",
    Ordering.RELEASE: "memory_order_release",
    Ordering.ACQ_REL: "memory_order_acq_rel",
    Ordering.SEQ_CST: "memory_order_seq_cst",
}
_UPDATES = {"xchg": "exchange", "add": "fetch_add", "sub": "fetch_sub", "xor": "fetch_xor"}


def c_text(
    skeleton: Skeleton, name: str, title: str = "", remarks: Sequence[str] = (), expectations: Iterable[str] = ()
) -> str:
    r"""Write a C litmus test.

    Parameters
    ----------
    skeleton : Skeleton
    name, title : str
    remarks : sequence of str
        Lines of comment behind the title.
    expectations : iterable of str
        As ``rc11=Never``.

    Returns
    -------
    str

    Raises
    ------
    InputError
        For what C does not have: scopes, tags, barriers, address spaces, parts of locations, `unordered`; and for
        compare-and-exchanges, which do not give what they read.

    Examples
    --------
    >>> from enumerator.generation.skeleton import APART, Location, Mark
    >>> read = Event(Kind.READ, 0, mark=Mark(Ordering.ACQUIRE))
    >>> print(c_text(Skeleton(((Event(Kind.WRITE, 0, 1), read),), (APART,), (Location(),), ((0, 1, 0),)), "CoWR0"))
    C CoWR0
    (* CoWR0 *)
    {}
    <BLANKLINE>
    P0 (atomic_int *x) {
      *x = 1;
      int r0 = atomic_load_explicit(x, memory_order_acquire);
    }
    <BLANKLINE>
    exists (0:r0 = 0)
    <BLANKLINE>
    """
    _check(skeleton)
    names = location_names(len(skeleton.locations))
    atomic = {event.location for _, _, event in skeleton.events() if event.mark.ordering != Ordering.NA}
    types = ["atomic_int" if number in atomic else "int" for number in range(len(names))]
    lines = header_lines("C", name, title, remarks, expectations)
    lines.append("{}")  # all are zero; herd7 takes no types of atomics here
    wanted = asked(skeleton)
    sides = []
    for number, thread in enumerate(skeleton.threads):
        used = sorted({event.location for event in thread if event.location >= 0})
        parameters = ", ".join(f"{types[place]} *{names[place]}" for place in used)
        lines += ["", f"P{number} ({parameters}) {{", *_body(thread, names, wanted[number]), "}"]
        registers = register_names(thread)
        sides += [f"{number}:{registers[index]} = {value}" for index, value in wanted[number].items()]
    sides += [f"{names[location]} = {value}" for location, value in skeleton.finals]
    lines += ["", condition_line(sides)]
    return "\n".join(lines) + "\n"


def _check(skeleton: Skeleton) -> None:
    for number, index, event in skeleton.events():
        mark = event.mark
        what = None
        if event.kind == Kind.BARRIER:
            what = "barriers"
        elif mark.scope != Scope.SYSTEM:
            what = "sync scopes"
        elif mark.tags:
            what = "annotations such as " + str(mark.tags[0])
        elif mark.words:
            what = f"attributes such as {mark.words[0]}"
        elif mark.ordering == Ordering.UNORDERED:
            what = "unordered accesses"
        elif event.operator == "cmpxchg":
            what = "compare-and-exchanges that give what they read"
        elif event.part != WHOLE:
            what = "accesses of parts of a location"
        elif event.location >= 0 and skeleton.locations[event.location].space:
            what = "address spaces"
        if what is not None:
            raise InputError(f"thread {number}, event {index}: C has no {what}")
    if any(len(set(level)) < len(skeleton.places) for level in list(zip(*skeleton.places, strict=True))[:5]):
        raise InputError("C has no scope tree: its threads share nothing but the memory")


def _body(thread: Sequence[Event], names: Sequence[str], wanted: dict[int, int]) -> list[str]:
    registers = register_names(thread)
    lines: list[str] = []
    margin, guarded = "  ", set()
    for index, event in enumerate(thread):
        for kind, source in event.depends:
            if kind == DependencyKind.CTRL and source not in guarded:
                guarded.add(source)
                if len(guarded) == 1:  # in a block they would not be seen outside of it
                    lines += [f"  int {name};" for place, name in registers.items() if place >= index]
                lines.append(f"{margin}if ({registers[source]} == {wanted.get(source, 0)}) {{")
                margin += "  "
        text = _operation(event, names, registers)
        if index in registers:
            text = f"{'' if guarded else 'int '}{registers[index]} = {text}"
        lines.append(f"{margin}{text};")
    for _ in guarded:
        margin = margin[:-2]
        lines.append(f"{margin}}}")
    return lines


def _operation(event: Event, names: Sequence[str], registers: dict[int, str]) -> str:
    mark = event.mark
    if event.kind == Kind.FENCE:
        return f"atomic_thread_fence({_ORDERS[mark.ordering]})"
    address = names[event.location] + _zeros(event, DependencyKind.ADDR, registers)
    value = f"{event.value}{_zeros(event, DependencyKind.DATA, registers)}"
    if mark.ordering == Ordering.NA:
        place = f"*{address}" if "+" not in address else f"*({address})"
        return place if event.kind == Kind.READ else f"{place} = {value}"
    order = _ORDERS[mark.ordering]
    if event.kind == Kind.READ:
        return f"atomic_load_explicit({address}, {order})"
    function = "store" if event.kind == Kind.WRITE else _UPDATES[event.operator]
    return f"atomic_{function}_explicit({address}, {value}, {order})"


def _zeros(event: Event, kind: DependencyKind, registers: dict[int, str]) -> str:
    """Write a zero for each read that an event depends on in some way."""
    return "".join(f" + ({registers[source]} ^ {registers[source]})" for each, source in event.depends if each == kind)
