"""Vulkan operations as LLVM instructions: orderings, scopes, availability and visibility, annotations.

References
----------
AMDGPU Memory Model, "The Vulkan Memory Model": the table of equivalent instructions. LLVM, "Memory Model Relaxation
Annotations". What the table leaves open is stated in ``README.md`` beside this file.
"""

from __future__ import annotations

import re
from typing import NamedTuple, NoReturn

from enumerator.errors import InputError
from enumerator.frozen import dataclass
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

__all__ = [
    "AV_LOAD",
    "AV_STORE",
    "Fenced",
    "Plan",
    "Rules",
    "by_intrinsic",
    "location",
    "own_class",
    "plan_translation",
    "semantics",
]

AV_LOAD = "llvm.amdgcn.av.global.load.b128"
AV_STORE = "llvm.amdgcn.av.global.store.b128"

_NO_AVAILABILITY = Tag("amdgcn-av", "none")
_STORAGE_CLASS = "vulkan-storage-class"
_SCOPES = {each: Scope.AGENT if each == Scope.CLUSTER else each for each in Scope}
_RELEASES = (Ordering.RELEASE, Ordering.ACQ_REL)
_ACQUIRES = (Ordering.ACQUIRE, Ordering.ACQ_REL)
_SYNCHRONIZED = re.compile(r"^[^\w\n]*ssw\b", re.IGNORECASE | re.MULTILINE)

Access = Load | Store | ReadModifyWrite


class Fenced(NamedTuple):
    """What an operation becomes: itself, unless it is nothing but fences, and the fences around it."""

    before: tuple[Annotation, ...] = ()
    own: Annotation | None = None
    after: tuple[Annotation, ...] = ()


@dataclass(frozen=True)
class Rules:
    """What operations become, one at a time, given what a test has.

    Parameters
    ----------
    by_class : bool
        Storage classes matter: some operation does not order all that the test accesses.
    by_privacy : bool
        The test has private accesses.

    Examples
    --------
    >>> note = Annotation(Ordering.RELEASE, Scope.WORKGROUP, labels=frozenset(("AV", "NONPRIV", "SC0", "SEMSC0")))
    >>> own = Rules(by_class=False, by_privacy=False).access(note).own
    >>> own.ordering.name, own.scope.name, [str(tag) for tag in own.tags]
    ('RELEASE', 'WORKGROUP', ['amdgcn-av:none'])
    """

    by_class: bool
    by_privacy: bool

    def access(self, annotation: Annotation) -> Fenced:
        """Give what an access becomes.

        An atomic one that orders not its own storage class, or makes available and not visible or the other way round,
        becomes a relaxed one between fences.
        """
        if annotation.ordering <= Ordering.MONOTONIC:
            return Fenced(own=self._access(annotation, annotation.ordering))
        apart = self.by_class and not own_class(annotation) <= semantics(annotation)
        wanted = set()
        if annotation.ordering in _RELEASES:
            wanted.add("SEMAV" in annotation.labels)
        if annotation.ordering in _ACQUIRES:
            wanted.add("SEMVIS" in annotation.labels)
        if apart or len(wanted) > 1:
            own = self._access(annotation, Ordering.MONOTONIC)
            return Fenced(self._release_fence(annotation), own, self._acquire_fence(annotation))
        return Fenced(own=self._access(annotation, annotation.ordering, available=wanted.pop()))

    def fences(self, annotation: Annotation) -> Fenced:
        """Give the fences that a memory barrier is: two where only one of its sides makes available or visible."""
        labels = annotation.labels
        if annotation.ordering == Ordering.ACQ_REL and ("SEMAV" in labels) == ("SEMVIS" in labels):
            return Fenced(own=self._fence(annotation, Ordering.ACQ_REL, "SEMAV" in labels))
        return Fenced(self._acquire_fence(annotation), None, self._release_fence(annotation))

    def barrier(self, annotation: Annotation) -> Fenced:
        """Give the fences around a control barrier."""
        return Fenced(self._release_fence(annotation), Annotation(), self._acquire_fence(annotation))

    def _access(self, annotation: Annotation, ordering: Ordering, *, available: bool = True) -> Annotation:
        labels = annotation.labels
        tags = self._tags("NONPRIV" in labels, available)
        if self.by_class:
            classes = own_class(annotation) | (semantics(annotation) if ordering > Ordering.MONOTONIC else set())
            tags |= {Tag(_STORAGE_CLASS, name) for name in classes}
        alone = by_intrinsic(annotation)
        scoped = alone or ordering != Ordering.NA
        return Annotation(
            ordering,
            _SCOPES[annotation.scope] if scoped else Scope.SYSTEM,
            tags=tags,
            address_space=1,
            labels=frozenset(("AV",) if alone else ()),
        )

    def _release_fence(self, annotation: Annotation) -> tuple[Annotation, ...]:
        if annotation.ordering not in _RELEASES:
            return ()
        return (self._fence(annotation, Ordering.RELEASE, "SEMAV" in annotation.labels),)

    def _acquire_fence(self, annotation: Annotation) -> tuple[Annotation, ...]:
        if annotation.ordering not in _ACQUIRES:
            return ()
        return (self._fence(annotation, Ordering.ACQUIRE, "SEMVIS" in annotation.labels),)

    def _fence(self, annotation: Annotation, ordering: Ordering, available: bool) -> Annotation:
        tags = self._tags(True, available)
        if self.by_class:
            tags |= {Tag(_STORAGE_CLASS, name) for name in semantics(annotation)}
        return Annotation(ordering, _SCOPES[annotation.scope], tags=tags)

    def _tags(self, public: bool, available: bool) -> frozenset[Tag]:
        """Give the tags that say whether an operation is private, and that it makes nothing available or visible."""
        tags = frozenset[Tag]() if available else frozenset((_NO_AVAILABILITY,))
        return tags | {Tag("vulkan", "nonprivate" if public else "private")} if self.by_privacy else tags


@dataclass(frozen=True)
class Plan:
    """How the operations of a test are translated.

    Parameters
    ----------
    test : Test
    wide : frozenset of str
        Locations that the 128-bit intrinsics access, so that all accesses are that wide.
    rules : Rules
    """

    test: Test
    wide: frozenset[str]
    rules: Rules

    def fail(self, message: str, line: int | None) -> NoReturn:
        """Raise: something in a line of the test has no counterpart."""
        raise InputError(message, self.test.path, line)


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
    classes = set[str]().union(*(own_class(each.annotation) for each in accesses))
    plan = Plan(
        test,
        wide=frozenset(location(each) for each in accesses if by_intrinsic(each.annotation)),
        rules=Rules(
            by_class=any(not classes <= semantics(each) for each in synchronizing),
            by_privacy=any("NONPRIV" not in each.annotation.labels for each in accesses),
        ),
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


def own_class(annotation: Annotation) -> set[str]:
    """Give the storage class of an access, as a set."""
    return {label.lower() for label in annotation.labels if re.fullmatch("SC[0-3]", label)}


def semantics(annotation: Annotation) -> set[str]:
    """Give the storage classes in the memory semantics of an operation."""
    return {label[3:].lower() for label in annotation.labels if re.fullmatch("SEMSC[0-3]", label)}


def by_intrinsic(annotation: Annotation) -> bool:
    """Tell whether an access becomes one of the intrinsics that make their own access available or visible."""
    return annotation.ordering == Ordering.NA and not annotation.labels.isdisjoint(("AV", "VIS"))


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
