"""What inspection found, as text for people and as JSON and SARIF for programs.

This file is long because the three say the same and should change together.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.metadata import version
from typing import Any
from urllib.parse import quote

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
    Unordered,
)
from enumerator.inspection.operations import CLUSTER, BarrierPart, Function, Kind, Operation, Place
from enumerator.mmra import format_tags
from enumerator.program.instructions import Ordering, Tag

__all__ = ["as_json", "as_sarif", "format_inspection"]

_WIDTH = 118
_FEW = 4  # places that a group names in text, unless all are asked for


# Text ---------------------------------------------------------------------------------------------------------


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
    return "".join(f"{line}\n" for line in _Text(inspection, verbose, machine).lines())


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
            yield f"  {_place_text(first.operation.place)}  {_operation_text(first.operation)}"
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


def _place_text(place: Place) -> str:
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


# JSON ---------------------------------------------------------------------------------------------------------


def as_json(inspection: Inspection) -> dict[str, Any]:
    """Give what was found in a file as an object for JSON.

    Parameters
    ----------
    inspection : Inspection

    Returns
    -------
    dict
        Places of groups are the nearest few; counts are of all.
    """
    return {
        "path": inspection.path,
        "status": "limit" if any(function.limit for function in inspection.functions) else "complete",
        "profile": inspection.profile,
        "hb": inspection.reading,
        "target": inspection.target.triple or None,
        "functions": [_function_json(function) for function in inspection.functions],
        "warnings": [_remark_json(remark) for remark in inspection.remarks],
    }


_SARIF_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def as_sarif(inspections: Sequence[Inspection]) -> dict[str, Any]:
    """Give the remarks on files as a log of SARIF 2.1.0, which tools that review code show at the lines concerned.

    Parameters
    ----------
    inspections : sequence of Inspection

    Returns
    -------
    dict

    References
    ----------
    OASIS, Static Analysis Results Interchange Format (SARIF) 2.1.0, sections 3.13, 3.14 and 3.27.

    Examples
    --------
    >>> from enumerator.inspection import inspect_text
    >>> log = as_sarif([inspect_text("define amdgpu_kernel void @k() { fence release ret void }", "k.ll")])
    >>> log["runs"][0]["results"][0]["ruleId"]
    'fence-orders-nothing'
    """
    remarks = [(found.path, remark) for found in inspections for remark in found.remarks]
    rules = sorted({remark.name for _, remark in remarks})
    return {
        "$schema": _SARIF_SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "enumerator inspect",
                        "version": version("enumerator"),
                        "rules": [{"id": rule} for rule in rules],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "results": [_sarif_result(path, remark, rules.index(remark.name)) for path, remark in remarks],
            }
        ],
    }


def _sarif_result(path: str, remark: Remark, rule: int) -> dict[str, Any]:
    place: dict[str, Any] = _sarif_place(path, remark.place)
    if remark.function:
        place["logicalLocations"] = [{"name": remark.function, "kind": "function"}]
    return {
        "ruleId": remark.name,
        "ruleIndex": rule,
        "level": remark.severity.value,
        "message": {"text": remark.message},
        "locations": [place],
        "relatedLocations": [
            {"id": number, **_sarif_place(path, each), "message": {"text": _place_text(each)}}
            for number, each in enumerate(remark.related)
        ],
    }


def _sarif_place(path: str, place: Place) -> dict[str, Any]:
    region = {"region": {"startLine": place.line}} if place.line is not None else {}
    return {"physicalLocation": {"artifactLocation": {"uri": quote(path)}, **region}}


def _function_json(found: FunctionFindings) -> dict[str, Any]:
    function = found.function
    return {
        "name": function.name,
        **_place_json(function.place),
        "kernel": function.kernel,
        "entry": function.entry,
        "workgroup_size": None if function.workgroup_size is None else list(function.workgroup_size),
        "accesses": [_group_json(group, verdict=False) for group in found.accesses],
        "private_or_constant": found.own,
        "limit": found.limit or None,
        "operations": [
            _barrier_json(each) if isinstance(each, BarrierFinding) else _finding_json(each)
            for each in found.operations
        ],
    }


def _finding_json(found: Finding) -> dict[str, Any]:
    operation = found.operation
    return {
        **_operation_json(operation),
        "releases": operation.releases,
        "acquires": operation.acquires,
        "before": _side_json(found.before),
        "after": _side_json(found.after),
        "unordered": [_unordered_json(each) for each in found.unordered],
    }


def _barrier_json(found: BarrierFinding) -> dict[str, Any]:
    part = found.operation.barrier
    return {
        **_operation_json(found.operation),
        "arrives": bool(part & BarrierPart.ARRIVE),
        "waits": bool(part & BarrierPart.WAIT),
        "release_fences": [_place_json(fence.place) for fence in found.releases],
        "acquire_fences": [_place_json(fence.place) for fence in found.acquires],
    }


def _operation_json(operation: Operation) -> dict[str, Any]:
    barrier = operation.kind is Kind.BARRIER
    return {
        "kind": operation.kind.value,
        "operation": operation.what,
        **_place_json(operation.place),
        "ordering": None if barrier else operation.ordering.name.lower(),
        "scope": None if barrier else str(operation.scope),
        "space": operation.space.value if operation.kind is Kind.ACCESS else None,
        "tags": _tags_json(operation.tags),
        "effective_tags": _tags_json(operation.effective),
        "thread_private": operation.thread_private,
    }


def _side_json(side: Side) -> dict[str, Any]:
    return {
        "count": side.count,
        "orders_nothing": side.reason or None,
        "groups": [_group_json(group) for group in side.groups],
    }


def _unordered_json(found: Unordered) -> dict[str, Any]:
    return {
        "side": found.side,
        "accesses": _group_json(found.group),
        "with": [_group_json(group, verdict=False) for group in found.others],
    }


def _group_json(group: Group, verdict: bool = True) -> dict[str, Any]:
    access = group.access
    data: dict[str, Any] = {
        "kind": access.kind.value,
        "operation": access.what,
        "reads": access.reads,
        "writes": access.writes,
        "ordering": access.ordering.name.lower(),
        "scope": str(access.scope) if access.ordering else None,
        "space": access.space.value,
        "tags": _tags_json(access.tags),
        "effective_tags": _tags_json(access.effective) if access.kind is Kind.ACCESS else None,
        "thread_private": access.thread_private,
        "count": group.count,
        "places": [_place_json(place) for place in group.places],
    }
    if verdict:
        data |= {"status": group.status.value, "reason": group.reason or None}
    return data


def _remark_json(remark: Remark) -> dict[str, Any]:
    return {
        "name": remark.name,
        "severity": remark.severity.value,
        "message": remark.message,
        "function": remark.function or None,
        **_place_json(remark.place),
        "related": [_place_json(place) for place in remark.related],
    }


def _place_json(place: Place) -> dict[str, Any]:
    data: dict[str, Any] = {"line": place.line, "source": place.source}
    if place.inlined_at:
        data["inlined_at"] = list(place.inlined_at)
    return data


def _tags_json(tags: Iterable[Tag]) -> list[str]:
    return [str(tag) for tag in sorted(tags)]
