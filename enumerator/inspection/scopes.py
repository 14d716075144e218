"""Remarks on sync scopes: unknown ones, and those that are too wide (LLVM AMDGPUUsage, "Memory Scopes")."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from enumerator.inspection.findings import Remark, Severity
from enumerator.inspection.operations import SCOPES, Function, Kind, Operation, Space
from enumerator.inspection.spelling import Vocabulary

__all__ = ["scope_remarks"]

_ADDRESS_SPACES = "amdgpu-synchronize-as"
_WAVEFRONT, _WORKGROUP = 1, 2
# Of NVPTX, of SPIR-V in LLVM, and of the translator from LLVM to SPIR-V.
_OTHER_TARGETS = frozenset(
    {"block", "cta", "device", "gpu", "queuefamily", "subgroup", "sys", "workitem", "work_item", "all_svm_devices"}
)


def scope_remarks(function: Function, vocabulary: Vocabulary) -> Iterator[Remark]:
    """Give the remarks on the sync scopes of a function.

    Parameters
    ----------
    function : Function
    vocabulary : Vocabulary

    Yields
    ------
    Remark
    """
    for operation in function.operations:
        for name, severity, message in _remarks(function, operation, vocabulary):
            yield Remark(name, message, function.name, operation.place, severity)


def _remarks(function: Function, operation: Operation, vocabulary: Vocabulary) -> Iterator[tuple[str, Severity, str]]:
    spaces = {tag.suffix for tag in operation.tags if vocabulary.canonical(tag.prefix) == _ADDRESS_SPACES}
    if operation.scope.one_as and spaces:
        yield (
            "one-as-with-tags",
            Severity.WARNING,
            f"scope {operation.scope} together with the tag {_ADDRESS_SPACES}:{','.join(sorted(spaces))}: the scope"
            " restricts the order to one address space already, and with both it may order nothing;"
            f" use scope {operation.scope.name} with the tag",
        )
    rank = operation.scope.rank
    threads = function.workgroup_size[1] if function.workgroup_size is not None else None
    if operation.kind is Kind.BARRIER and operation.barrier and threads == 1:
        yield "barrier-of-one", Severity.WARNING, "a barrier, but a workgroup of this kernel has one thread only"
    if rank is None:
        yield _unknown(operation)
    if not operation.synchronizing or rank is None:
        return
    if rank > _WORKGROUP and spaces == {"local"} and operation.kind is Kind.FENCE:
        yield (
            "scope-too-wide",
            Severity.WARNING,
            f"scope {operation.scope} for local memory (LDS) only, which threads of a workgroup share and no others:"
            " scope workgroup is enough",
        )
    elif rank > _WORKGROUP and operation.space is Space.LOCAL:
        yield (
            "scope-too-wide",
            Severity.NOTE,
            f"scope {operation.scope} of an access of local memory (LDS), which is treated as workgroup",
        )
    if threads is None or rank not in (_WAVEFRONT, _WORKGROUP):
        return
    if threads == 1:
        message = f"scope {operation.scope}, but a workgroup of this kernel has one thread only"
        yield "scope-too-wide", Severity.WARNING, message
    elif rank == _WORKGROUP and threads <= function.wavefront_size:
        yield (
            "scope-too-wide",
            Severity.WARNING,
            f"scope {operation.scope}, but a workgroup of this kernel has at most {threads} threads and is one"
            f" wavefront (of {function.wavefront_size}): scope wavefront is enough",
        )


def _unknown(operation: Operation) -> tuple[str, Severity, str]:
    """Give the remark on an unknown scope: LLVM accepts any name, so it may be of another target, or misspelt."""
    name = operation.scope.name
    if name in _OTHER_TARGETS:
        return "foreign-scope", Severity.NOTE, f"scope {name} is of another target: how far it reaches is not known"
    near = difflib.get_close_matches(name.casefold(), SCOPES, 1, 0.6)
    wanted = f": did you mean {near[0]}?" if near else ""
    return "unknown-scope", Severity.WARNING, f"unknown sync scope {name}{wanted} (known: {', '.join(SCOPES)})"
