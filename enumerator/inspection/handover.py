"""What a flag hands over from one thread to another, and accesses that no release or acquire includes in it.

A thread writes data, then a flag; another reads the flag, then the data. That is ordered if a release covers the first
access and comes before the write of the flag, and an acquire covers the second and comes after its read (semantics,
section 3: ``sw`` and ``hb``). One side without the other orders nothing, and a fence with tags covers some memory only.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import field

from enumerator.frozen import dataclass
from enumerator.graphs import components
from enumerator.inspection.claims import Claim, claims_of, may_write
from enumerator.inspection.findings import Remark, Severity
from enumerator.inspection.flow import Numbering, Surroundings, around
from enumerator.inspection.forms import Extent, Overlap, compare, same_thread_only
from enumerator.inspection.instructions import extent_of
from enumerator.inspection.links import Between, LinkKey, linked, why_not
from enumerator.inspection.operations import Function, Kind, Operation, Space
from enumerator.inspection.values import THREAD_INDEX
from enumerator.mmra import compatible, format_tags

__all__ = ["handover_remarks"]

_MOST_OPERATIONS = 2_000  # of a function; a larger one is not looked at
_MOST_STRONG = 200  # of these that release or acquire
_MOST_PAIRS = 100_000  # of accesses of one object
_GROUP = "workgroup.id."


@dataclass(frozen=True, eq=False)
class _Data:
    """An access of an object that is known, neither atomic nor volatile.

    Parameters
    ----------
    operation : Operation
    extent : Extent
    number : int
        Among the operations that matter here.
    bit : int
        Among the accesses.
    """

    operation: Operation
    extent: Extent
    number: int
    bit: int

    def meets(self, other: _Data) -> bool:
        """Tell whether two threads may access common bytes, one by each, and one of them writes."""
        if not (self.operation.writes or other.operation.writes):
            return False
        if _by_group(self.extent) or _by_group(other.extent):
            return not _same_group_only(self.extent, other.extent)
        if compare(self.extent, other.extent) is Overlap.NONE:
            return False
        return not same_thread_only(self.extent, other.extent, THREAD_INDEX)


def _by_group(extent: Extent) -> bool:
    """Tell whether an address differs from workgroup to workgroup."""
    return extent.offset is not None and any(symbol.name.startswith(_GROUP) for symbol, _ in extent.offset.terms)


def _same_group_only(one: Extent, other: Extent) -> bool:
    """Tell whether two accesses meet in one workgroup only: each has elements of its own."""
    if one.offset is None or other.offset is None or one.size is None or other.size is None:
        return False
    strides = [abs(factor) for symbol, factor in one.offset.terms if symbol.name.startswith(_GROUP)]
    apart = abs(one.offset.constant - other.offset.constant)
    return one.offset.terms == other.offset.terms and max(strides, default=0) >= apart + max(one.size, other.size)


@dataclass(eq=False)
class _Strong:
    """An operation as a release, or as an acquire.

    Parameters
    ----------
    at : Surroundings
    releases : bool
        Which of the two.
    carriers : set of str
        The objects of the flags behind it (before it, for an acquire), and the barriers.
    covers : set of int
        The data that it orders, by number.
    """

    at: Surroundings
    releases: bool
    carriers: set[str] = field(default_factory=set)
    covers: set[int] = field(default_factory=set)

    @property
    def operation(self) -> Operation:
        return self.at.operation

    @property
    def near(self) -> int:
        """What it may order: the operations before a release, or behind an acquire."""
        return self.at.before if self.releases else self.at.after

    @property
    def beyond(self) -> int:
        """Where the flags are: behind a release, or before an acquire."""
        return self.at.after if self.releases else self.at.before

    def serves(self, flag: Operation, number: int) -> bool:
        """Tell whether it releases to the write of a flag, or acquires from its read: a fence, or the access itself."""
        return bool(self.beyond >> number & 1) if self.operation.kind is Kind.FENCE else self.operation is flag


class _Thread:
    """What a function does with flags.

    Parameters
    ----------
    function : Function
        With calls followed.
    """

    def __init__(self, function: Function) -> None:
        self.function = function
        self.data: dict[str, list[_Data]] = defaultdict(list)
        self.releases: list[_Strong] = []
        self.acquires: list[_Strong] = []
        self.writes: dict[str, list[Surroundings]] = defaultdict(list)
        self.reads: dict[str, list[Surroundings]] = defaultdict(list)
        self._serving: dict[tuple[bool, int], list[_Strong]] = defaultdict(list)
        self._carriers: dict[tuple[bool, int], frozenset[str]] = {}
        self.claims: list[Claim] = []
        self.left_out = ""  # why it is not looked at
        numbering = Numbering.of(function, _matters)
        if any(each.opaque for each in function.operations):
            return
        if len(numbering.accesses) > _MOST_OPERATIONS:
            if any(each.atomic and each.space is not Space.PRIVATE for each in numbering.accesses):
                self.left_out = f"it has more than {_MOST_OPERATIONS} accesses, fences and barriers"
            return
        self._repeated = _in_loops(function, numbering)
        self._numbers = {id(operation): number for number, operation in enumerate(numbering.accesses)}
        names = self._read(numbering)
        self.claims = list(claims_of(function, numbering, names))
        if not names or not self.data:
            return
        for each in around(function, numbering, lambda one: one.synchronizing or id(one) in names):
            if (name := names.get(id(each.operation))) is not None:
                self.writes[name] += [each] if each.operation.writes else []
                self.reads[name] += [each] if each.operation.reads else []
            if not each.operation.scope.single_thread:
                self.releases += [_Strong(each, True)] if each.operation.releases else []
                self.acquires += [_Strong(each, False)] if each.operation.acquires else []
        if max(len(self.releases), len(self.acquires)) > _MOST_STRONG:
            self.left_out = f"it has more than {_MOST_STRONG} operations that release, or that acquire"
            self.data.clear()
            return
        self._carry(numbering)
        self._cover()

    def _read(self, numbering: Numbering) -> dict[int, str]:
        """Find the data; give the name of the object of each atomic access."""
        names, bit = {}, -1
        for number, operation in enumerate(numbering.accesses):
            bit += operation.shared
            if operation.kind is not Kind.ACCESS or operation.asynchronous or not operation.pointer:
                continue
            extent = extent_of(operation.pointer, operation, operation.further)
            if extent is None or not extent.root:
                continue
            if operation.atomic or "atomic" in operation.what:
                names[id(operation)] = extent.root
            elif not operation.volatile and not operation.thread_private:
                self.data[extent.root].append(_Data(operation, extent, number, bit))
        return names

    def number(self, operation: Operation) -> int:
        """Give the number of an operation."""
        return self._numbers[id(operation)]

    def claims_for(self, data: _Data) -> set[tuple[str, str]]:
        """Give the claims behind which an access comes: objects, and what is expected of them."""
        return {(name, expected) for name, expected, behind in self.claims if behind >> data.number & 1}

    def repeats(self, data: _Data) -> bool:
        """Tell whether an access may run more than once."""
        return bool(self._repeated >> data.number & 1)

    def _carry(self, numbering: Numbering) -> None:
        barriers = [
            (number, f"barrier {each.meets[0] if each.meets is not None else ''}")
            for number, each in enumerate(numbering.accesses)
            if each.kind is Kind.BARRIER and not each.within_wave
        ]
        for strongs, flags in ((self.releases, self.writes), (self.acquires, self.reads)):
            for strong in strongs:
                strong.carriers.update(name for number, name in barriers if strong.beyond >> number & 1)
            for name, flag in ((name, each.operation) for name, all_of_it in flags.items() for each in all_of_it):
                number = self.number(flag)
                for strong in strongs:
                    if strong.serves(flag, number):
                        strong.carriers.add(name)
                        self._serving[strong.releases, number].append(strong)

    def serving(self, flag: Surroundings, releases: bool) -> list[_Strong]:
        """Give what releases to the write of a flag, or acquires from its read."""
        return self._serving.get((releases, self.number(flag.operation)), [])

    def carriers_of(self, data: _Data, releases: bool) -> frozenset[str]:
        """Give the flags and barriers through which data are released, or acquired."""
        return self._carriers.get((releases, data.number), frozenset())

    def _cover(self) -> None:
        between = Between.of(self.function)
        order = {id(operation): place for place, operation in enumerate(self.function.operations)}
        carriers: dict[tuple[bool, int], set[str]] = defaultdict(set)
        data = [each for group in self.data.values() for each in group]
        for strong in (*self.releases, *self.acquires):
            releases = strong.releases
            key, place = LinkKey.of(strong.operation), order[id(strong.operation)]
            reach = (between.before if releases else between.after).get(place) if between is not None else None
            through = reach.to(key) if reach is not None else 0
            for each in data:
                if strong.near >> each.number & 1:
                    own = LinkKey.of(each.operation)
                    if through >> each.bit & 1 or (linked(own, key) if releases else linked(key, own)):
                        strong.covers.add(each.number)
                        carriers[releases, each.number] |= strong.carriers
        self._carriers = {number: frozenset(names) for number, names in carriers.items()}


def _in_loops(function: Function, numbering: Numbering) -> int:
    """Give the set of the operations in loops."""
    edges = dict(enumerate(block.successors for block in function.blocks))
    found = 0
    for blocks in components(edges):
        if len(blocks) > 1 or blocks[0] in edges[blocks[0]]:
            for block in blocks:
                found |= numbering.block(block)
    return found


def _matters(operation: Operation) -> bool:
    return operation.shared or operation.kind in (Kind.FENCE, Kind.BARRIER)


def handover_remarks(functions: Sequence[Function]) -> Iterator[Remark]:
    """Give the remarks on flags that hand over less than what threads access on both sides of them.

    Threads of one kernel run the same function; those of a litmus test run one each. There is no remark where nothing
    on either side releases or acquires through the flag (it may count something else), where another flag or a barrier
    may order the accesses, nor in functions with calls or barriers of unknown effect.

    Parameters
    ----------
    functions : sequence of Function
        Those in which threads start, with calls followed.

    Yields
    ------
    Remark
    """
    threads = [_Thread(each) for each in functions]
    for each in threads:
        if each.left_out:
            yield _not_followed(each.function, each.left_out)
    for part in ([each] for each in threads if each.function.kernel):
        yield from _Flags(part, [(each, each) for each in part]).remarks()
    rest = [each for each in threads if not each.function.kernel]
    yield from _Flags(rest, [(one, other) for one in rest for other in rest if one is not other]).remarks()


def _not_followed(function: Function, why: str) -> Remark:
    message = f"what flags hand over is not followed here: {why}"
    return Remark("flags-not-followed", message, function.name, function.place, Severity.NOTE)


class _Flags:
    """The flags of threads that run together.

    Parameters
    ----------
    threads : list of _Thread
    pairs : list of (_Thread, _Thread)
        Which functions two threads may run.
    """

    def __init__(self, threads: list[_Thread], pairs: list[tuple[_Thread, _Thread]]) -> None:
        self._pairs = pairs
        self._threads = threads
        self._further: dict[str, set[str]] = defaultdict(set)  # what may be handed on by each carrier's acquires
        self._known: dict[frozenset[str], frozenset[str]] = {}
        self.too_many: set[tuple[str, str]] = set()  # functions and objects with too many pairs of accesses
        for thread in threads:
            for acquire in thread.acquires:
                for release in thread.releases:
                    number = thread.number(release.operation)
                    if release.operation is acquire.operation or acquire.near >> number & 1:
                        for carrier in acquire.carriers:
                            self._further[carrier] |= release.carriers

    def remarks(self) -> Iterator[Remark]:
        """Give a remark for each flag and each access that should be ordered there."""
        told: set[tuple[str, int]] = set()
        for writer, reader in self._pairs:
            names = sorted(writer.writes.keys() & reader.reads.keys())
            for before, conflicting in self._unordered(writer, reader) if names else ():
                for name in names:
                    found = self._of_flag(name, writer, reader, before, conflicting)
                    if found is not None and (name, id(found[1])) not in told:
                        told.add((name, id(found[1])))
                        yield found[0]
            less = {name for name, _ in told}
            yield from self._incompatible([name for name in names if name not in less], writer, reader)
        for function, root in sorted(self.too_many):
            place = next(each.function for pair in self._pairs for each in pair if each.function.name == function)
            yield _not_followed(place, f"{root} has more than {_MOST_PAIRS} pairs of accesses")

    def _incompatible(self, names: list[str], writer: _Thread, reader: _Thread) -> Iterator[Remark]:
        """Give a remark on fences at a flag that do not synchronize where tags decide on that (`amdgpu-strict`)."""
        for name in names:
            releases = [each for flag in writer.writes[name] for each in writer.serving(flag, True)]
            acquires = [each for flag in reader.reads[name] for each in reader.serving(flag, False)]
            if not releases or not acquires:
                continue
            sides = [[each.operation.effective for each in side] for side in (releases, acquires)]
            if any(compatible(one, two) for one in sides[0] for two in sides[1]):
                continue
            tags = [{tag for each in side for tag in each} for side in sides]
            release, acquire = releases[-1].operation, acquires[0].operation
            message = (
                f"the release by {release.what} at the flag {name} ({format_tags(tags[0])}) and what acquires from it"
                f" ({format_tags(tags[1])}) have no compatible tags: they do not synchronize"
                " (profile amdgpu-strict; under amdgpu they do)"
            )
            yield Remark("unpaired-fence", message, writer.function.name, release.place, related=(acquire.place,))

    def _unordered(self, writer: _Thread, reader: _Thread) -> Iterator[tuple[_Data, dict[int, _Data]]]:
        """Give the data that conflict with data of another thread though nothing orders the two, with these."""
        for root, group in writer.data.items():
            others = reader.data.get(root, [])
            if len(group) * len(others) > _MOST_PAIRS:
                self.too_many.add((writer.function.name, root))
                continue
            for before in reversed(group):
                through = self._handed(writer.carriers_of(before, True))
                found = {
                    after.number: after
                    for after in others
                    if before.meets(after)
                    and through.isdisjoint(reader.carriers_of(after, False))
                    and not self._other_way_round(writer, before, reader, after)
                    and not self._claimed(writer, before, reader, after)
                }
                if found:
                    yield before, found

    def _claimed(self, writer: _Thread, before: _Data, reader: _Thread, after: _Data) -> bool:
        """Tell whether two accesses come behind the same claim, which one thread only can make."""
        common = writer.claims_for(before) & reader.claims_for(after)
        return any(
            not any(may_write(flag.operation, expected) for thread in self._threads for flag in thread.writes[name])
            for name, expected in common
        )

    def _other_way_round(self, writer: _Thread, before: _Data, reader: _Thread, after: _Data) -> bool:
        """Tell whether two accesses that run once each are ordered by what hands on from the second to the first.

        So neither follows the other again, as in the rounds of a loop or in further threads of a kernel.
        """
        if writer is reader or writer.repeats(before) or reader.repeats(after):
            return False
        through = self._handed(reader.carriers_of(after, True))
        return not through.isdisjoint(writer.carriers_of(before, False))

    def _handed(self, carriers: frozenset[str]) -> frozenset[str]:
        """Give the flags and barriers that some lead to, as threads acquire there and release behind."""
        if carriers not in self._known:
            waiting, seen = set(carriers), set(carriers)
            while waiting:
                waiting = set().union(*(self._further[name] for name in waiting)) - seen
                seen |= waiting
            self._known[carriers] = frozenset(seen)
        return self._known[carriers]

    def _of_flag(
        self, name: str, writer: _Thread, reader: _Thread, before: _Data, conflicting: dict[int, _Data]
    ) -> tuple[Remark, _Data] | None:
        """Give the remark on data that a flag should hand over, at its next write and the first read that fits."""
        afters = sum(1 << number for number in conflicting)
        writes = [each for each in writer.writes[name] if each.before >> before.number & 1]
        for write in sorted(writes, key=lambda each: (each.at < before.number, each.at)):
            releases = writer.serving(write, True)
            for read in reader.reads[name]:
                acquires = reader.serving(read, False)
                if not (read.after & afters and (releases or acquires)):
                    continue
                after = conflicting[min(number for number in conflicting if read.after >> number & 1)]
                if not any(before.number in each.covers for each in releases):
                    flag, strongs, own, other, thread, to = write, releases, before, after, writer, True
                else:
                    flag, strongs, own, other, thread, to = read, acquires, after, before, reader, False
                partners = [each for each in strongs if each.near >> own.number & 1]
                place, message = _message(name, flag.operation, partners, own, other, to)
                around_it = (before.operation, write.operation, read.operation, after.operation)
                related = tuple(dict.fromkeys(each.place for each in around_it))
                return Remark("flag-hands-over-less", message, thread.function.name, place.place, related=related), own
        return None


def _message(
    name: str, flag: Operation, partners: list[_Strong], own: _Data, other: _Data, releases: bool
) -> tuple[Operation, str]:
    """Say what is missing, and at which operation."""
    where, word = ("before", "release") if releases else ("after", "acquire")
    here, there = ("written", "read") if releases else ("read", "written")
    data = f"the {_named(own)}"
    rest = f"is not ordered with the {_named(other)} of a thread by which {name} is {there}"
    if not partners:
        what = f"{flag.what} {flag.ordering.name.lower()}"
        return flag, f"{name} is {here} by {what} without {word}: {data}, which is {where} it, {rest}"
    strong = (partners[-1] if releases else partners[0]).operation
    keys = LinkKey.of(own.operation), LinkKey.of(strong)
    why = why_not(*(keys if releases else keys[::-1]))
    return strong, f"the {word} by {strong.what} at the flag {name} does not cover {data} ({why}): it {rest}"


def _named(data: _Data) -> str:
    line = f" in line {data.operation.place.line}" if data.operation.place.line is not None else ""
    return f"{'write' if data.operation.writes else 'read'} of {data.extent.root}{line}"
