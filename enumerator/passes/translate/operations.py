"""Vulkan operations as LLVM instructions: orderings, scopes, availability and visibility, annotations.

References
----------
AMDGPU Memory Model, "The Vulkan Memory Model": the table of equivalent instructions. LLVM, "Memory Model Relaxation
Annotations". What the table leaves open is stated in ``README.md`` beside this file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import NoReturn

from enumerator.errors import InputError
from enumerator.program.instructions import (
    Annotation,
    Barrier,
    Constant,
    Expression,
    Fence,
    Instruction,
    Load,
    Ordering,
    ReadModifyWrite,
    Scope,
    Store,
    Tag,
)
from enumerator.program.test import Test
from enumerator.program.values import Pointer

__all__ = ["AV_LOAD", "AV_STORE", "Atomic", "Plan", "S_BARRIER", "metadata", "plan_translation"]

AV_LOAD = "llvm.amdgcn.av.global.load.b128"
AV_STORE = "llvm.amdgcn.av.global.store.b128"
S_BARRIER = "llvm.amdgcn.s.barrier"

_NO_AVAILABILITY = Tag("amdgcn-av", "none")
_STORAGE_CLASS = "vulkan-storage-class"
_SCOPES = {Scope.WAVEFRONT: "wavefront", Scope.WORKGROUP: "workgroup", Scope.CLUSTER: "agent", Scope.AGENT: "agent"}
_RELEASES = (Ordering.RELEASE, Ordering.ACQ_REL)
_ACQUIRES = (Ordering.ACQUIRE, Ordering.ACQ_REL)
_SYNCHRONIZED = re.compile(r"^[^\w\n]*ssw\b", re.IGNORECASE | re.MULTILINE)

Access = Load | Store | ReadModifyWrite


@dataclass(frozen=True, slots=True)
class Atomic:
    """An atomic operation: what stands behind its operands, and the fences around it."""

    how: str
    before: list[str] = field(default_factory=list)
    after: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Plan:
    """How the operations of a test are translated.

    Parameters
    ----------
    test : Test
    wide : frozenset of str
        Locations that the 128-bit intrinsics access, so that all accesses are that wide.
    by_class : bool
        Storage classes matter: some operation does not order all that the test accesses.
    by_privacy : bool
        The test has private accesses.
    """

    test: Test
    wide: frozenset[str]
    by_class: bool
    by_privacy: bool

    def fail(self, message: str, line: int | None) -> NoReturn:
        """Raise: something in a line of the test has no counterpart."""
        raise InputError(message, self.test.path, line)

    def syncscope(self, annotation: Annotation) -> str:
        """Give the sync scope of an operation."""
        return _SCOPES[annotation.scope]

    def tags(self, annotation: Annotation, *, fence: bool = False, available: bool | None = None) -> str:
        """Give the metadata of an operation, with a comma before it; empty where it has none.

        Parameters
        ----------
        annotation : Annotation
            The Vulkan operation's.
        fence : bool
            It is a fence, and not an access.
        available : bool or None
            Whether it makes available or visible what its own access does not; None where no operation of its kind
            does.
        """
        labels = annotation.labels
        tags = {_NO_AVAILABILITY} if available is False else set[Tag]()
        if self.by_privacy:
            tags.add(Tag("vulkan", "nonprivate" if fence or "NONPRIV" in labels else "private"))
        if self.by_class:
            classes = _semantics(annotation) if fence else _own_class(annotation)
            if not fence and annotation.ordering > Ordering.MONOTONIC:
                classes = classes | _semantics(annotation)
            tags |= {Tag(_STORAGE_CLASS, name) for name in classes}
        return metadata(tags)

    def atomic(self, annotation: Annotation) -> Atomic:
        """Give what an atomic operation becomes.

        One that orders not its own storage class, or makes available and not visible or the other way round, becomes
        a relaxed one between fences.
        """
        if annotation.ordering <= Ordering.MONOTONIC:
            return Atomic(self._how(annotation, "monotonic", self.tags(annotation)))
        apart = self.by_class and not _own_class(annotation) <= _semantics(annotation)
        wanted = set()
        if annotation.ordering in _RELEASES:
            wanted.add("SEMAV" in annotation.labels)
        if annotation.ordering in _ACQUIRES:
            wanted.add("SEMVIS" in annotation.labels)
        if apart or len(wanted) > 1:
            relaxed = replace(annotation, ordering=Ordering.MONOTONIC)
            how = self._how(annotation, "monotonic", self.tags(relaxed))
            return Atomic(how, self.release_fence(annotation), self.acquire_fence(annotation))
        ordering = annotation.ordering.name.lower()
        return Atomic(self._how(annotation, ordering, self.tags(annotation, available=wanted.pop())))

    def _how(self, annotation: Annotation, ordering: str, tags: str) -> str:
        return f'syncscope("{self.syncscope(annotation)}") {ordering}, align 4{tags}'

    def fences(self, annotation: Annotation) -> list[str]:
        """Give the fences that a memory barrier is: two where only one of its sides makes available or visible."""
        labels = annotation.labels
        if annotation.ordering == Ordering.ACQ_REL and ("SEMAV" in labels) == ("SEMVIS" in labels):
            return [self._fence(annotation, "acq_rel", "SEMAV" in labels)]
        return [*self.acquire_fence(annotation), *self.release_fence(annotation)]

    def release_fence(self, annotation: Annotation) -> list[str]:
        """Give the fence of the release side, if there is one."""
        if annotation.ordering not in _RELEASES:
            return []
        return [self._fence(annotation, "release", "SEMAV" in annotation.labels)]

    def acquire_fence(self, annotation: Annotation) -> list[str]:
        """Give the fence of the acquire side, if there is one."""
        if annotation.ordering not in _ACQUIRES:
            return []
        return [self._fence(annotation, "acquire", "SEMVIS" in annotation.labels)]

    def _fence(self, annotation: Annotation, ordering: str, available: bool) -> str:
        scope = self.syncscope(annotation)
        return f'fence syncscope("{scope}") {ordering}{self.tags(annotation, fence=True, available=available)}'


def metadata(tags: Iterable[Tag]) -> str:
    """Write memory model relaxation annotations behind an instruction.

    Examples
    --------
    >>> metadata([]), metadata([Tag("amdgcn-av", "none")])
    ('', ', !mmra !{!"amdgcn-av", !"none"}')
    """
    nodes = [f'!{{!"{tag.prefix}", !"{tag.suffix}"}}' for tag in sorted(tags)]
    if not nodes:
        return ""
    return f", !mmra {nodes[0] if len(nodes) == 1 else '!{' + ', '.join(nodes) + '}'}"


def plan_translation(test: Test) -> Plan:
    """Look at all operations of a test, and refuse those that have no counterpart.

    Parameters
    ----------
    test : Test
        In one of the Vulkan languages.

    Returns
    -------
    Plan

    Raises
    ------
    InputError
        With the line of what cannot be translated.
    """
    if test.format not in ("vulkan", "alloy"):
        raise InputError(f"only Vulkan tests are translated, and this is one in {test.format}", test.path)
    everything = [
        instruction for thread in test.threads for instruction in test.functions[thread.function].instructions
    ]
    accesses = [each for each in everything if isinstance(each, Access)]
    synchronizing = [
        each.annotation
        for each in everything
        if isinstance(each, Access | Fence | Barrier) and each.annotation.ordering > Ordering.MONOTONIC
    ]
    classes = set[str]().union(*(_own_class(each.annotation) for each in accesses))
    plan = Plan(
        test,
        wide=frozenset(location(each) for each in accesses if _by_intrinsic(each)),
        by_class=any(not classes <= _semantics(each) for each in synchronizing),
        by_privacy=any("NONPRIV" not in each.annotation.labels for each in accesses),
    )
    if test.synchronized:
        found = _SYNCHRONIZED.search(test.source)
        line = test.source.count("\n", 0, found.end()) + 1 if found else None
        plan.fail("ssw has no counterpart in LLVM: synchronization by the system is outside of kernels", line)
    for instruction in everything:
        _check(plan, instruction)
    _check_barriers(plan)
    return plan


def location(access: Access) -> str:
    """Give the name of the location that an instruction accesses."""
    assert isinstance(access.address, Constant) and isinstance(access.address.value, Pointer)
    return access.address.value.object


def _own_class(annotation: Annotation) -> set[str]:
    return {label.lower() for label in annotation.labels if re.fullmatch("SC[0-3]", label)}


def _semantics(annotation: Annotation) -> set[str]:
    return {label[3:].lower() for label in annotation.labels if re.fullmatch("SEMSC[0-3]", label)}


def _by_intrinsic(access: Access) -> bool:
    labels = access.annotation.labels
    return access.annotation.ordering == Ordering.NA and bool(labels & {"AV", "VIS"})


def _check(plan: Plan, instruction: Instruction) -> None:
    if isinstance(instruction, Fence) and instruction.annotation.ordering == Ordering.NA:
        name = "avdevice" if "AVDEVICE" in instruction.annotation.labels else "visdevice"
        plan.fail(f"{name} has no counterpart in LLVM: the device domain is outside of kernels", instruction.line)
    if not isinstance(instruction, Access | Fence | Barrier):
        return
    annotation = instruction.annotation
    families = {placement.instance(Scope.CLUSTER) for placement in plan.test.placements.values()}
    if annotation.scope == Scope.CLUSTER and len(families) > 1:
        plan.fail("the scope qf has no counterpart in LLVM where there are several queue families", instruction.line)
    if isinstance(instruction, Barrier) and annotation.scope != Scope.WORKGROUP:
        plan.fail("a control barrier has no counterpart in LLVM but for the scope wg", instruction.line)
    if isinstance(instruction, Barrier) and instruction.quorum:
        plan.fail("a control barrier with a quorum has no counterpart in LLVM", instruction.line)
    if not isinstance(instruction, Access):
        return
    name = location(instruction)
    if annotation.reference != name:
        message = f"{annotation.reference} is another reference to {name}: references have no counterpart in LLVM"
        plan.fail(message, instruction.line)
    if name in plan.wide and annotation.ordering != Ordering.NA:
        message = f"{name} is accessed with av or vis, which are 128 bits wide in LLVM, and atomics are not"
        plan.fail(message, instruction.line)


def _check_barriers(plan: Plan) -> None:
    """Refuse barriers that the threads of a workgroup do not run in the same order, one after the other."""
    by_workgroup: dict[int, tuple[str, list[int]]] = {}
    for thread in plan.test.threads:
        function = plan.test.functions[thread.function]
        barriers = [
            (each.instance, each.line)
            for each in function.instructions
            if isinstance(each, Barrier) and each.instance is not None
        ]
        if barriers and any(len(_targets(block.terminator)) > 1 for block in function.blocks):
            plan.fail(f"{thread.name} has a control barrier in code with branches: not translated", barriers[0][1])
        numbers = [number for number, _ in barriers]
        workgroup = plan.test.placements[thread.name].instance(Scope.WORKGROUP)
        name, others = by_workgroup.setdefault(workgroup, (thread.name, numbers))
        if others != numbers:
            line = barriers[0][1] if barriers else function.line
            message = f"{thread.name} and {name} of one workgroup do not run the same control barriers in this order"
            plan.fail(f"{message}: this has no counterpart in LLVM", line)


def _targets(terminator: object) -> list[Expression | str]:
    return [getattr(terminator, name) for name in ("then", "otherwise") if hasattr(terminator, name)]
