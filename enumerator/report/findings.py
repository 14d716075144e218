"""What inspection found, as JSON and SARIF, for programs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib.metadata import version
from typing import Any
from urllib.parse import quote

from enumerator.inspection.findings import (
    BarrierFinding,
    Finding,
    FunctionFindings,
    Group,
    Inspection,
    Remark,
    Side,
    Unordered,
)
from enumerator.inspection.operations import BarrierPart, Kind, Operation, Place
from enumerator.program.instructions import Tag
from enumerator.report.inspection import place_text

__all__ = ["as_json", "as_sarif"]


def as_json(inspection: Inspection) -> dict[str, Any]:
    """Give what was found in a file as an object for JSON.

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
            {"id": number, **_sarif_place(path, each), "message": {"text": place_text(each)}}
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
