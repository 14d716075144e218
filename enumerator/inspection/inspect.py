"""Inspection of a file of LLVM IR: what it orders and what it does not, and likely mistakes."""

from __future__ import annotations

import re

from enumerator.errors import InputError
from enumerator.frontend import check_text
from enumerator.frontend.llvm.process import canonical_text
from enumerator.frontend.llvm.source import Source, scan
from enumerator.inspection.barriers import barrier_findings
from enumerator.inspection.carriers import carrier_remarks
from enumerator.inspection.copies import copy_remarks
from enumerator.inspection.fences import call_remarks, fence_remarks
from enumerator.inspection.findings import BarrierFinding, Finding, FunctionFindings, Inspection, Remark, Severity
from enumerator.inspection.flight import in_flight
from enumerator.inspection.handover import handover_remarks
from enumerator.inspection.inlining import with_calls
from enumerator.inspection.intervals import interval_remarks
from enumerator.inspection.operations import Function, InspectedModule, Place, Target
from enumerator.inspection.ordering import find
from enumerator.inspection.reader import read_module, target_of
from enumerator.inspection.redundant import redundant_remarks
from enumerator.inspection.scopes import scope_remarks
from enumerator.inspection.spelling import Vocabulary, tag_remarks
from enumerator.mmra import Profile, load_profile, profile_of_test

__all__ = ["inspect_text"]

_PROFILE = re.compile(r"PROFILE\s*:\s*(\S+)\s*$")
_TEST = re.compile(r"(?:SCOPES|EXISTS|FORALL|NEVER|EXPECT|THREADS)\s*:")


def inspect_text(
    text: str,
    path: str,
    profile: str | None = None,
    reading: str = "closure",
    *,
    wide: bool = False,
    compiled: str | None = None,
) -> Inspection:
    """Inspect LLVM IR.

    Parameters
    ----------
    text : str
    path : str
        For messages.
    profile : str, optional
        The name or path of a target profile. By default that of the ``PROFILE`` directive of the file, else that of the
        target that the file names (``amdgpu``), else ``generic``.
    reading : {'closure', 'direct', 'filtered'}
        The reading of happens-before.
    wide : bool
        Whether there are remarks on scopes that are wider than needed.
    compiled : str, optional
        The file that it was compiled from, if lines are to be those of it.

    Raises
    ------
    InputError
        If LLVM does not accept it, or there is no such profile.

    See Also
    --------
    enumerator.inspection.findings : The results.

    Examples
    --------
    >>> found = inspect_text("define void @f(ptr %p) { store i32 1, ptr %p fence release ret void }", "f.ll")
    >>> [(each.operation.what, each.before.count) for each in found.functions[0].operations]
    [('fence', 1)]
    """
    check_text(text, path)
    printed = canonical_text(text, path)
    source = scan(text)
    chosen = _profile(source, profile, path, target_of(printed))
    threads = any(_TEST.match(comment.text) for comment in source.comments)
    module = read_module(printed, source, chosen, path, threads, compiled)
    inspection = Inspection(path, chosen.name, reading, module.target)
    vocabulary = Vocabulary(chosen)
    by_name = {function.name: function for function in module.functions}
    entered: list[Function] = []
    for each in module.functions:
        function = with_calls(each, by_name, module.target) if each.entry else each
        entered += [function] if each.entry else []
        found, remarks = _function(function, reading, vocabulary)
        inspection.functions.append(found)
        inspection.remarks += sorted(remarks, key=_position)
    inspection.remarks += handover_remarks(entered)
    inspection.remarks = _once(inspection.remarks, wide)
    inspection.remarks += _target_remark(module, chosen, vocabulary)
    return inspection


def _function(function: Function, reading: str, vocabulary: Vocabulary) -> tuple[FunctionFindings, list[Remark]]:
    flight = in_flight(function)
    found = find(function, reading, flight)
    barriers, remarks = barrier_findings(function, flight)
    copies, complete = copy_remarks(function)
    intervals, all_followed = interval_remarks(function)
    remarks += [
        *tag_remarks(function, vocabulary),
        *scope_remarks(function, vocabulary),
        *fence_remarks(found),
        *carrier_remarks(function),
        *redundant_remarks(function),
        *call_remarks(function),
        *intervals,
        *copies,
    ]
    if not (complete and all_followed) and not found.limit:
        what = "accesses of LDS between barriers" if complete else "asynchronous copies"
        found.limit = f"{what} are not followed on all paths, as these are too many"
    _merge(found, barriers)
    return found, remarks


def _once(remarks: list[Remark], wide: bool) -> list[Remark]:
    """Leave out what is not asked for, and what is said of a function and again of one that calls it."""
    found: dict[object, Remark] = {}
    for remark in remarks:
        if wide or remark.name != "scope-too-wide":
            key = (remark.name, remark.message, remark.place) if remark.place.line is not None else id(remark)
            found.setdefault(key, remark)
    return list(found.values())


def _profile(source: Source, given: str | None, path: str, target: Target) -> Profile:
    if given is not None:
        return load_profile(given)
    for comment in source.comments:
        if match := _PROFILE.match(comment.text):
            try:
                return profile_of_test(match[1], path)
            except InputError as error:
                raise InputError(error.message, path, comment.line, comment.column + match.start(1)) from None
    return load_profile("amdgpu" if target.amdgpu else "generic")


def _merge(found: FunctionFindings, barriers: list[BarrierFinding]) -> None:
    """Merge the synchronizing operations and the barriers of a function, in order."""
    if barriers:
        order = {id(operation): number for number, operation in enumerate(found.function.operations)}
        merged: list[Finding | BarrierFinding] = [*found.operations, *barriers]
        found.operations = sorted(merged, key=lambda each: order[id(each.operation)])


def _position(remark: Remark) -> int:
    return remark.place.line or 0


def _target_remark(module: InspectedModule, profile: Profile, vocabulary: Vocabulary) -> list[Remark]:
    """Give a remark if tags have a meaning for the target that the profile does not know."""
    if not module.target.amdgpu or profile.implied or profile.known or not _uses_tags(module.functions, vocabulary):
        return []
    message = (
        f"the target is AMDGPU, but under the profile {profile.name} accesses do not belong to address spaces:"
        " --profile amdgpu says what the tags mean there"
    )
    return [Remark("target-profile", message, "", Place(), Severity.NOTE)]


def _uses_tags(functions: list[Function], vocabulary: Vocabulary) -> bool:
    return any(
        vocabulary.canonical(tag.prefix).startswith("amdgpu-")
        for function in functions
        for operation in function.operations
        for tag in operation.tags
    )
