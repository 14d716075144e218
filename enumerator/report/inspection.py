"""What inspection found, as text for people; :mod:`enumerator.report.findings` has it for programs."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence

from enumerator.inspection.findings import (
    AccessClass,
    BarrierFinding,
    Finding,
    FunctionFindings,
    Group,
    Inspection,
    Remark,
    Severity,
    Side,
    Status,
)
from enumerator.inspection.operations import CLUSTER, BarrierPart, Function, Kind, Operation, Place
from enumerator.mmra import format_tags
from enumerator.printing import escaped
from enumerator.program.instructions import Ordering, Tag

__all__ = ["format_inspection", "place_text"]

_WIDTH = 118
_FEW = 4  # places that a group names in text, unless all are asked for


def format_inspection(
    inspection: Inspection, verbose: bool = False, machine: Mapping[int, Sequence[str]] | None = None
) -> str:
    """Write what was found in a file as text.

    Operations of a function that order the same kinds of accesses are described once, unless `verbose`.

    Parameters
    ----------
    inspection : Inspection
    verbose : bool
    machine : mapping of int to sequence of str, optional
        By line, the machine instructions that an operation becomes (:mod:`enumerator.refinement.machine`).

    Returns
    -------
    str
    """
    return "".join(f"{escaped(line)}\n" for line in _Text(inspection, verbose, machine).lines())


class _Text:
    def __init__(
        self, inspection: Inspection, verbose: bool, machine: Mapping[int, Sequence[str]] | None = None
    ) -> None:
        self.inspection = inspection
        self.verbose = verbose
        self.machine = machine

    def lines(self) -> Iterator[str]:
        found = self.inspection
        target = f", target {found.target.triple}" if found.target.triple else ""
        yield f"{found.path}: profile {found.profile}{target}"
        quiet = []
        for function in found.functions:
            if function.operations or (self.verbose and function.accesses):
                yield ""
                yield from self._function(function)
            else:
                quiet.append(function)
        if quiet:
            yield ""
            names = [f"@{each.function.name}" for each in quiet]
            yield from _wrapped("without synchronizing operations or barriers: ", _listed(names))
        if found.remarks:
            yield ""
            yield from self._remarks()
        yield ""
        yield self._summary()

    def _function(self, found: FunctionFindings) -> Iterator[str]:
        function = found.function
        yield f"@{function.name}  {', '.join(_function_facts(function))}"
        if found.accesses:
            yield "  accesses of shared memory:"
            for group in found.accesses:
                tags = " ".join(_tags_text(group.access.tags, group.access.effective))
                yield f"    {group.count} {_access_text(group.access)}  {tags}".rstrip()
        if found.own:
            yield f"  accesses of private and constant memory, which need no order: {found.own}"
        if found.limit:
            yield f"  incomplete: {found.limit}"
        for first, others in self._alike(found.operations):
            yield ""
            yield f"  {place_text(first.operation.place)}  {_operation_text(first.operation)}"
            line = first.operation.place.line
            if self.machine is not None and line is not None and line in self.machine:
                code = self.machine[line]
                yield f"    becomes: {'; '.join(code) or 'nothing'}"
            yield from self._barrier(first) if isinstance(first, BarrierFinding) else self._finding(first)
            if others:
                places = _listed([_line_text(each.operation.place) for each in others], 12)
                yield from _wrapped(f"    alike, but for numbers: {len(others)} more, ", places)

    def _alike(
        self, operations: Sequence[Finding | BarrierFinding]
    ) -> list[tuple[Finding | BarrierFinding, list[Finding | BarrierFinding]]]:
        """Put operations together that are described in the same words, numbers and places aside."""
        if self.verbose:
            return [(operation, []) for operation in operations]
        found: dict[object, list[Finding | BarrierFinding]] = {}
        for operation in operations:
            found.setdefault(_likeness(operation), []).append(operation)
        return [(alike[0], alike[1:]) for alike in found.values()]

    def _barrier(self, found: BarrierFinding) -> Iterator[str]:
        part = found.operation.barrier
        if part is BarrierPart.OTHER and found.operation.meets is not None:
            name, part = found.operation.meets
            yield (
                "    at the barrier of the cluster" if name == CLUSTER else f"    at the named barrier {name}".rstrip()
            )
        if part is BarrierPart.OTHER:
            yield "    not the workgroup's barrier of AMDGPU: what it orders is not inspected"
            return
        if part & BarrierPart.ARRIVE:
            yield from _wrapped("    release fences before it: ", _fences(found.releases))
        if part & BarrierPart.WAIT:
            yield from _wrapped("    acquire fences after it:  ", _fences(found.acquires))

    def _finding(self, found: Finding) -> Iterator[str]:
        yield from self._side("before", found.before)
        yield from self._side("after", found.after)
        for unordered in found.unordered:
            if unordered.others:
                other = "after" if unordered.side == "before" else "before"
                others = ", ".join(self._group(group) for group in unordered.others)
                text = f"{self._group(unordered.group)} {unordered.side} it, and {others} {other} it"
                yield from _wrapped("    so unordered: ", text)

    def _side(self, name: str, side: Side) -> Iterator[str]:
        start = f"    {name}: ".ljust(12)
        if side.reason:
            yield f"{start}orders nothing: {side.reason}" + (f" ({_accesses(side.count)})" if side.count else "")
            return
        if not side.groups:
            yield f"{start}no accesses of shared memory"
            return
        for verb, groups, reason in _by_verdict(side.groups):
            text = f"{verb} {', '.join(self._group(group) for group in groups)}"
            yield from _wrapped(start, f"{text}{': ' if reason else ''}{reason}")
            start = " " * 12

    def _group(self, group: Group) -> str:
        """Name a group; the tags that are implied for it stand in the list of all accesses."""
        tags = f" [{format_tags(group.access.tags)}]" if group.access.tags else ""
        text = f"{group.count} {_access_text(group.access)}{tags}"
        shown = group.places if self.verbose else group.places[:_FEW]
        lines = [str(line) for line in sorted({place.line for place in shown if place.line is not None})]
        if not lines:
            return text
        more = ", ..." if group.count > len(shown) else ""
        return f"{text} ({'line' if len(lines) == 1 and not more else 'lines'} {', '.join(lines)}{more})"

    def _remarks(self) -> Iterator[str]:
        """Write remarks as compilers do, those that say the same once a function."""
        together: dict[tuple[str, str, str], list[Remark]] = {}
        for remark in self.inspection.remarks:
            together.setdefault((remark.function, remark.name, remark.message), []).append(remark)
        for (function, name, message), remarks in together.items():
            first = remarks[0]
            line = f":{first.place.line}" if first.place.line is not None else ""
            where = [each for each in (f"in @{function}" if function else "", _source_text(first.place)) if each]
            yield f"{self.inspection.path}{line}: {first.severity.value}: {message} [{name}]"
            if where:
                yield f"    {', '.join(where)}"
            related = [_line_text(place) for place in first.related]
            if related:
                yield from _wrapped("    see also ", _listed(list(dict.fromkeys(related))), indent=4)
            if len(remarks) > 1:
                others = [_line_text(each.place) for each in remarks[1:]]
                yield from _wrapped(f"    the same {_times(len(others))}: ", _listed(others, 12), indent=4)

    def _summary(self) -> str:
        operations = [each for function in self.inspection.functions for each in function.operations]
        barriers = sum(isinstance(each, BarrierFinding) for each in operations)
        severities = [remark.severity for remark in self.inspection.remarks]
        return ", ".join(
            (
                _plural(len(self.inspection.functions), "function"),
                _plural(len(operations) - barriers, "synchronizing operation"),
                _plural(barriers, "barrier"),
                _plural(severities.count(Severity.WARNING), "warning"),
                _plural(severities.count(Severity.NOTE), "note"),
            )
        )


def _function_facts(function: Function) -> Iterator[str]:
    line = "" if function.place.line is None else f" in line {function.place.line}"
    source = f" ({function.place.source})" if function.place.source is not None else ""
    kind = "kernel" if function.kernel else "thread" if function.entry else "function"
    yield f"{kind}{line}{source}"
    if function.workgroup_size is not None:
        fewest, most = function.workgroup_size
        yield f"workgroups of {most if fewest == most else f'{fewest} to {most}'} threads"


def _by_verdict(groups: Iterable[Group]) -> Iterator[tuple[str, list[Group], str]]:
    """Put groups together that the operation treats alike, those that it orders first."""
    verbs = {
        Status.ORDERED: "orders",
        Status.THROUGH: "orders indirectly",
        Status.UNORDERED: "does not order",
        Status.UNKNOWN: "may or may not order",
    }
    for status, verb in verbs.items():
        together: dict[str, list[Group]] = {}
        for group in groups:
            if group.status is status:
                together.setdefault(group.reason, []).append(group)
        for reason, alike in together.items():
            yield verb, alike, reason


def _likeness(found: Finding | BarrierFinding) -> object:
    operation = found.operation
    said = (operation.kind, _operation_text(operation))
    if isinstance(found, BarrierFinding):
        return said, tuple(map(_operation_text, found.releases)), tuple(map(_operation_text, found.acquires))
    sides = [
        (side.reason, bool(side.count), frozenset((group.access, group.status) for group in side.groups))
        for side in (found.before, found.after)
    ]
    pairs = frozenset(
        (each.side, each.group.access, frozenset(other.access for other in each.others)) for each in found.unordered
    )
    return said, tuple(sides), pairs


def _operation_text(operation: Operation) -> str:
    words = [operation.kind.value, operation.what] if operation.kind is Kind.BARRIER else [operation.what]
    if operation.kind is not Kind.BARRIER:
        words += [*_atomicity(operation.ordering, operation.failure), str(operation.scope)]
    if operation.kind is Kind.ACCESS:
        words.append(operation.space.value)
    if operation.thread_private:
        words.append("!thread.private")
    return " ".join([*words, *_tags_text(operation.tags, operation.effective)])


def _access_text(access: AccessClass) -> str:
    words = [access.what]
    if access.ordering:
        words += [*_atomicity(access.ordering), str(access.scope)]
    if access.kind is Kind.ACCESS:
        words.append(access.space.value)
    if access.thread_private:
        words.append("!thread.private")
    return " ".join(words)


def _atomicity(ordering: Ordering, failure: Ordering = Ordering.NA) -> list[str]:
    return [each.name.lower() for each in (ordering, failure) if each]


def _tags_text(tags: frozenset[Tag], effective: frozenset[Tag]) -> list[str]:
    """Write tags in brackets: explicit ones, and what else the profile implies or reads them as."""
    if not tags and not effective:
        return []
    if tags == effective:
        return [f"[{format_tags(tags)}]"]
    if tags <= effective:
        implied = format_tags(effective - tags)
        return [f"[{format_tags(tags)}{', ' if tags else ''}implied {implied}]"]
    return [f"[{format_tags(tags)}, read as {format_tags(effective)}]"]


def _fences(fences: Sequence[Operation]) -> str:
    if not fences:
        return "none"
    return _listed([f"{_operation_text(fence)} ({_line_text(fence.place)})" for fence in fences])


def place_text(place: Place) -> str:
    """Say where an operation is: its line, and what debug information says."""
    source = _source_text(place)
    return _line_text(place) + (f" ({source})" if source else "")


def _line_text(place: Place) -> str:
    if place.line is not None:
        return f"line {place.line}"
    return place.source or "position unknown"


def _source_text(place: Place) -> str:
    if place.source is None:
        return ""
    return ", inlined at ".join((place.source, *place.inlined_at))


def _listed(items: Sequence[str], most: int = 8) -> str:
    more = f", ... ({len(items) - most} more)" if len(items) > most else ""
    return ", ".join(items[:most]) + more


def _wrapped(start: str, text: str, indent: int | None = None) -> list[str]:
    margin = " " * (len(start) if indent is None else indent)
    return textwrap.wrap(
        text, _WIDTH, initial_indent=start, subsequent_indent=margin, break_long_words=False, break_on_hyphens=False
    )


def _plural(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _accesses(number: int) -> str:
    return f"{number} access{'' if number == 1 else 'es'}"


def _times(number: int) -> str:
    return "once more" if number == 1 else f"{number} times more"
