"""What each synchronizing operation of a function orders, and what annotations leave unordered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from enumerator.inspection.findings import AccessClass, Finding, FunctionFindings, Group, Side, Status, Unordered
from enumerator.inspection.flow import Numbering, around, bits
from enumerator.inspection.links import Between, LinkKey, linked, why_not
from enumerator.inspection.operations import Function, Kind, Operation

__all__ = ["MOST_OPERATIONS", "find"]

#: Synchronizing operations of a function that are described; more would fill the memory, and nobody reads them.
MOST_OPERATIONS = 20_000

_PLACES = 8  # that a group names

_UNKNOWN_TAGS = "the tags of what is accessed in a call are not known"


@dataclass(frozen=True)
class _Classes:
    """The accesses of a function by class."""

    sets: dict[AccessClass, int]
    numbering: Numbering

    @classmethod
    def of(cls, numbering: Numbering) -> _Classes:
        members: dict[AccessClass, list[int]] = {}
        for number, operation in enumerate(numbering.accesses):
            members.setdefault(AccessClass.of(operation), []).append(number)
        size = len(numbering.accesses)
        return cls({access: bits(numbers, size) for access, numbers in members.items()}, numbering)

    def group(self, access: AccessClass, members: int, last: bool, status: Status, reason: str = "") -> Group:
        """Make a group of some accesses; it names the first of them, or the last."""
        numbers: list[int] = []
        rest = members
        while rest and len(numbers) < _PLACES:
            number = rest.bit_length() - 1 if last else (rest & -rest).bit_length() - 1
            numbers.append(number)
            rest ^= 1 << number
        places = tuple(self.numbering.accesses[number].place for number in sorted(numbers))
        return Group(access, members.bit_count(), places, status, reason)


def find(function: Function, reading: str = "closure") -> FunctionFindings:
    """Find what the synchronizing operations of a function order.

    Parameters
    ----------
    function : Function
    reading : {'closure', 'direct', 'filtered'}
        Of happens-before: in the closure, operations in between may order what is not compatible. The other two
        agree within a thread.

    Returns
    -------
    FunctionFindings
        Without its barriers.
    """
    numbering = Numbering.of(function)
    classes = _Classes.of(numbering)
    found = FunctionFindings(
        function,
        accesses=tuple(
            classes.group(access, members, False, Status.ORDERED) for access, members in classes.sets.items()
        ),
        own=sum(operation.accesses and not operation.shared for operation in function.operations),
    )
    between = Between.of(function) if reading == "closure" else None
    if between is not None and not between.complete:
        found.limit = "the function is too large to follow order through operations in between"
        between = None
    numbers = [number for number, operation in enumerate(function.operations) if operation.synchronizing]
    if len(numbers) > MOST_OPERATIONS:
        found.limit = f"{len(numbers)} synchronizing operations, of which the first {MOST_OPERATIONS} are described"
    for number, (operation, before, after) in zip(numbers[:MOST_OPERATIONS], around(function, numbering), strict=False):
        found.operations.append(_Orders(operation, number, before, after, classes, between).finding())
    return found


@dataclass(frozen=True)
class _Orders:
    """Describes one operation."""

    operation: Operation
    number: int
    before: int
    after: int
    classes: _Classes
    between: Between | None

    def finding(self) -> Finding:
        before = self._side("before", self.before, self.operation.releases)
        after = self._side("after", self.after, self.operation.acquires)
        unordered = [*self._unordered("before", before), *self._unordered("after", after)]
        return Finding(self.operation, before, after, tuple(unordered))

    def _side(self, side: str, members: int, ordered: bool) -> Side:
        count = members.bit_count()
        if self.operation.scope.single_thread:
            return Side(count, "scope singlethread orders nothing between threads")
        if not ordered:
            return Side(count, _direction(self.operation, side))
        key = LinkKey.of(self.operation)
        groups: list[Group] = []
        for access, all_of_it in self.classes.sets.items():
            here = members & all_of_it
            if not here:
                continue
            make = self._maker(access, side)
            if access.kind is Kind.CALL:
                groups.append(make(here, Status.UNKNOWN, _UNKNOWN_TAGS))
            elif linked(LinkKey.of(access), key):
                groups.append(make(here, Status.ORDERED))
            else:
                reason = why_not(LinkKey.of(access), key)
                through = here & self._through(side, key)
                if through:
                    groups.append(make(through, Status.THROUGH, reason))
                if here & ~through:
                    groups.append(make(here & ~through, Status.UNORDERED, reason))
        return Side(count, "", tuple(groups))

    def _maker(self, access: AccessClass, side: str) -> Callable[..., Group]:
        def make(members: int, status: Status, reason: str = "") -> Group:
            return self.classes.group(access, members, side == "before", status, reason)

        return make

    def _through(self, side: str, key: LinkKey) -> int:
        """Give the accesses that operations in between order with this one."""
        if self.between is None:
            return 0
        reach = (self.between.before if side == "before" else self.between.after).get(self.number)
        return reach.to(key) if reach is not None else 0

    def _unordered(self, side: str, found: Side) -> list[Unordered]:
        """Give what stands on the other side of the operation, and is unordered with what annotations took out."""
        other_side, others = ("after", self.after) if side == "before" else ("before", self.before)
        key = LinkKey.of(self.operation)
        result = []
        for group in found.with_status(Status.UNORDERED):
            ordered = self._chained(side, group)
            groups = []
            for access, all_of_it in self.classes.sets.items():
                there = LinkKey.of(access)
                if access.kind is Kind.CALL or linked(LinkKey.of(group.access), there) or not linked(key, there):
                    continue
                left = others & all_of_it & ~ordered
                if left:
                    groups.append(self.classes.group(access, left, other_side == "before", Status.UNORDERED))
            result.append(Unordered(side, group, tuple(groups)))
        return result

    def _chained(self, side: str, group: Group) -> int:
        """Give the accesses on the other side that operations in between order with those of a group."""
        if self.between is None:
            return 0
        near, far = self.between.before.get(self.number), self.between.after.get(self.number)
        if side == "after":
            near, far = far, near
        if near is None or far is None:
            return 0
        ordered = 0
        for key in near.touched(self.classes.sets[group.access]):
            ordered |= far.to(key)
        return ordered


def _direction(operation: Operation, side: str) -> str:
    name = operation.ordering.name.lower()
    return f"{name} does not order what {'precedes' if side == 'before' else 'follows'}"
