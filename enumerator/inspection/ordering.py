"""What each synchronizing operation of a function orders, and what it does not because of annotations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from enumerator.frozen import dataclass
from enumerator.inspection.findings import AccessClass, Finding, FunctionFindings, Group, Side, Status, Unordered
from enumerator.inspection.flight import Flight
from enumerator.inspection.flow import Numbering, Surroundings, around, bits
from enumerator.inspection.links import Between, LinkKey, linked, merged, why_not
from enumerator.inspection.operations import Function, Kind, Operation
from enumerator.mmra import format_tags
from enumerator.program.instructions import Ordering

__all__ = ["MOST_OPERATIONS", "find"]

#: How many synchronizing operations of a function are described: more would need too much memory, and help nobody.
MOST_OPERATIONS = 20_000

_PLACES = 8  # named by a group
_MOST_CALLED = 100  # functions whose calls are kept apart

_IN_FLIGHT = "asynchronous, and on some path still in flight: no wait completes it before"
_UNKNOWN_TAGS = "the tags of what is accessed in a call are not known"


@dataclass(frozen=True)
class _Classes:
    """The accesses of a function, by class."""

    sets: dict[AccessClass, int]
    numbering: Numbering

    @classmethod
    def of(cls, function: Function, numbering: Numbering) -> _Classes:
        keys = merged(LinkKey.of(each) for each in function.operations if each.kind in (Kind.ACCESS, Kind.FENCE))
        members: dict[AccessClass, list[int]] = {}
        for number, operation in enumerate(numbering.accesses):
            members.setdefault(AccessClass.of(operation, keys), []).append(number)
        size = len(numbering.accesses)
        calls = [access for access in members if access.kind is Kind.CALL]
        if len(calls) > _MOST_CALLED:
            together: dict[AccessClass, list[int]] = {}
            for access, numbers in members.items():
                known = replace(access, what="call") if access.kind is Kind.CALL else access
                together.setdefault(known, []).extend(numbers)
            members = together
        return cls({access: bits(numbers, size) for access, numbers in members.items()}, numbering)

    def group(
        self, access: AccessClass, members: int, status: Status = Status.ORDERED, reason: str = "", *, near: int = 0
    ) -> Group:
        """Make a group of some accesses.

        The places that it names begin with the access of number `near` and go forward through the text; for a negative
        number, they begin before ``~near`` and go backward.
        """
        numbers: list[int] = []
        first = members & ((1 << ~near) - 1) if near < 0 else members >> near << near
        for rest in (first, members & ~first):
            while rest and len(numbers) < _PLACES:
                number = rest.bit_length() - 1 if near < 0 else (rest & -rest).bit_length() - 1
                numbers.append(number)
                rest ^= 1 << number
        places = tuple(self.numbering.accesses[number].place for number in numbers)
        return Group(access, members.bit_count(), places, status, reason)


def find(function: Function, reading: str = "closure", flight: Flight | None = None) -> FunctionFindings:
    """Find what each synchronizing operation of a function orders.

    Parameters
    ----------
    function : Function
    reading : {'closure', 'direct', 'filtered'}
        The reading of happens-before. In the closure, operations in between may order incompatible operations. The
        other two readings agree within a thread.
    flight : Flight, optional
        What is in flight where.

    Returns
    -------
    FunctionFindings
        Without the barriers.
    """
    numbering = Numbering.of(function)
    classes = _Classes.of(function, numbering)
    found = FunctionFindings(
        function,
        accesses=tuple(classes.group(access, members) for access, members in classes.sets.items()),
        own=sum(operation.accesses and not operation.shared for operation in function.operations),
    )
    between = Between.of(function) if reading == "closure" else None
    if between is not None and not between.complete:
        found.limit = "the function is too large to follow order through operations in between"
        between = None
    numbers = [number for number, operation in enumerate(function.operations) if operation.synchronizing]
    if len(numbers) > MOST_OPERATIONS:
        found.limit = f"{len(numbers)} synchronizing operations, of which the first {MOST_OPERATIONS} are described"
    bit_of, bit = {}, 0
    for number, operation in enumerate(function.operations):
        bit_of[number] = bit
        bit += operation.shared
    for number, surroundings in zip(numbers[:MOST_OPERATIONS], around(function, numbering), strict=False):
        flying = 0
        for each in flight.at.get(number, ()) if flight is not None else ():
            flying |= 1 << bit_of[each]
        found.operations.append(_Orders(number, surroundings, classes, between, flying).finding())
    return found


@dataclass(frozen=True)
class _Orders:
    """What one operation orders."""

    number: int
    surroundings: Surroundings
    classes: _Classes
    between: Between | None
    flying: int = 0

    @property
    def operation(self) -> Operation:
        return self.surroundings.operation

    def finding(self) -> Finding:
        before = self._side("before", self.surroundings.before, self.operation.releases)
        after = self._side("after", self.surroundings.after, self.operation.acquires)
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
            if side == "before" and access.asynchronous and here & self.flying:
                groups.append(make(here & self.flying, Status.UNORDERED, _IN_FLIGHT))
                here &= ~self.flying
                if not here:
                    continue
            if access.key is None:
                groups.append(make(here, Status.UNKNOWN, _UNKNOWN_TAGS))
            elif self._linked(access.key, key, side):
                groups.append(make(here, Status.ORDERED))
            else:
                reason = why_not(access.key, key) if side == "before" else why_not(key, access.key)
                through, way = self._through(side, key, here)
                if through:
                    groups.append(make(through, Status.THROUGH, f"{reason}, but {way} in between order them"))
                if here & ~through:
                    groups.append(make(here & ~through, Status.UNORDERED, reason))
        return Side(count, "", tuple(groups))

    @staticmethod
    def _linked(access: LinkKey, key: LinkKey, side: str) -> bool:
        """Tell whether accesses with a key, on a side of the operation, are ordered with it."""
        return linked(access, key) if side == "before" else linked(key, access)

    def _maker(self, access: AccessClass, side: str) -> Callable[..., Group]:
        near = ~self.surroundings.at if side == "before" else self.surroundings.at

        def make(members: int, status: Status, reason: str = "") -> Group:
            return self.classes.group(access, members, status, reason, near=near)

        return make

    def _through(self, side: str, key: LinkKey, members: int) -> tuple[int, str]:
        """Give the accesses that operations in between order with this one, and these operations."""
        reach = None
        if self.between is not None:
            reach = (self.between.before if side == "before" else self.between.after).get(self.number)
        if reach is None:
            return 0, ""
        through = members & reach.to(key)
        ways = {format_tags(each.tags) for each in reach.touched(through) if linked(each, key)}
        named = " or ".join(f"tags {tags}" if tags else "no tags" for tags in sorted(ways))
        return through, f"operations with {named}"

    def _unordered(self, side: str, found: Side) -> list[Unordered]:
        """Give the accesses on the other side that are unordered with those that annotations exclude."""
        other_side, others = "after", self.surroundings.after
        if side == "after":
            other_side, others = "before", self.surroundings.before
        key = LinkKey.of(self.operation)
        result = []
        for group in found.with_status(Status.UNORDERED):
            if group.reason == _IN_FLIGHT:
                continue
            ordered = self._chained(side, group)
            groups = []
            for access, all_of_it in self.classes.sets.items():
                if access.key is None or group.access.key is None:
                    continue
                if self._linked(group.access.key, access.key, side) or not self._linked(access.key, key, other_side):
                    continue
                left = others & all_of_it & ~ordered
                if left:
                    groups.append(self._maker(access, other_side)(left, Status.UNORDERED))
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
    """Explain why an operation orders nothing on a side: its ordering, or that it is only a read or only a write."""
    what = "precedes" if side == "before" else "follows"
    if operation.kind is Kind.ACCESS and operation.reads != operation.writes:
        if operation.ordering in (Ordering.ACQ_REL, Ordering.SEQ_CST):
            return f"a {'load' if operation.reads else 'store'} does not order what {what}"
    return f"{operation.ordering.name.lower()} does not order what {what}"
