"""Barriers: which fences synchronize across them, and remarks on fences that do not."""

from __future__ import annotations

from collections.abc import Iterator

from enumerator.inspection.findings import BarrierFinding, Remark
from enumerator.inspection.flight import Flight
from enumerator.inspection.named import named_findings
from enumerator.inspection.operations import BarrierPart, Function, Kind, Operation, Place
from enumerator.inspection.windows import AccessKind, Window, Windows
from enumerator.mmra import compatible, conflicting_prefixes, format_tags

__all__ = ["barrier_findings"]


def barrier_findings(function: Function, flight: Flight) -> tuple[list[BarrierFinding], list[Remark]]:
    """Describe the barriers of a function.

    Parameters
    ----------
    function : Function
    flight : Flight
        What is in flight where.

    Returns
    -------
    findings : list of BarrierFinding
        One for each barrier, in order.
    remarks : list of Remark
        On fences around barriers without a partner, and on accesses of local memory that no fence orders.
    """
    if not any(operation.kind is Kind.BARRIER for operation in function.operations):
        return [], []
    windows = Windows(function, flight)
    findings: list[BarrierFinding] = []
    unpaired: dict[int, Remark] = {}  # by the identity of the fence
    paired: set[int] = set()
    remarks: list[Remark] = []
    split = any(operation.barrier is BarrierPart.ARRIVE for operation in function.operations)
    one_thread = function.workgroup_size is not None and function.workgroup_size[1] == 1
    for number, operation in enumerate(function.operations):
        if operation.kind is not Kind.BARRIER:
            continue
        before, after = windows.before.get(number, Window()), windows.after.get(number, Window())
        findings.append(BarrierFinding(operation, windows.fences_of(before.fences), windows.fences_of(after.fences)))
        if operation.barrier & BarrierPart.WAIT and not one_thread:
            for fence, remark in _partners(windows, operation, before, after):
                if remark is None:
                    paired.add(id(fence))
                else:
                    unpaired.setdefault(id(fence), remark)
            if not operation.opaque:
                remarks += _local(windows, operation, before, after)
            if number in windows.between and split:
                remarks += _between(windows, operation, windows.between[number], before, after)
    named, more = named_findings(function, flight)
    remarks += more
    numbers = [number for number, operation in enumerate(function.operations) if operation.kind is Kind.BARRIER]
    for place, number in enumerate(numbers):
        if number in named and findings[place].operation.barrier is BarrierPart.OTHER:
            findings[place] = named[number]
    # A fence that both acquires and releases may be needed for one of the two only.
    remarks += [remark for fence, remark in unpaired.items() if fence not in paired]
    return findings, remarks


def _partners(
    windows: Windows, barrier: Operation, before: Window, after: Window
) -> Iterator[tuple[Operation, Remark | None]]:
    """Give the release fences before a barrier and the acquire fences after it, and remarks on those without partner.

    There is no remark if the partner may be elsewhere, or if a partner would have nothing to order.
    """
    releases, acquires = windows.fences_of(before.fences), windows.fences_of(after.fences)
    for sides, side, partners, beyond in (
        (("release", "before", "acquire", "after"), before, acquires, after),
        (("acquire", "after", "release", "before"), after, releases, before),
    ):
        tags = {partner.effective for partner in partners}
        for fence in windows.fences_of(side.fences & ~side.used):
            paired = any(compatible(fence.effective, each) for each in tags)
            if paired or beyond.open:
                yield fence, None
            elif windows.covered(fence) & beyond.seen:
                message = _unpaired(fence, partners, *sides)
                related = (barrier.place, *(partner.place for partner in partners))
                yield fence, Remark("unpaired-fence", message, windows.function.name, fence.place, related=related)


def _unpaired(fence: Operation, partners: tuple[Operation, ...], name: str, here: str, wanted: str, there: str) -> str:
    reason = ""
    if partners:
        prefix = conflicting_prefixes(fence.effective, partners[0].effective)[0]
        tags, others = (
            format_tags({tag for each in fences for tag in each.effective if tag.prefix == prefix})
            for fences in ((fence,), partners)
        )
        reason = f" with compatible tags ({tags} here, {others} there)"
    message = (
        f"{name} fence {here} a barrier, but no {wanted} fence{reason} is {there} it:"
        f" what is {here} the barrier is not ordered with what is {there} it"
    )
    return f"{message} (profile amdgpu-strict; under amdgpu such fences synchronize)" if reason else message


def _between(windows: Windows, wait: Operation, between: Window, before: Window, after: Window) -> Iterator[Remark]:
    """Give a remark on accesses of local memory between the halves of a barrier that conflict with those around it.

    An arrival says that what precedes it is done, a wait that the others have arrived: what is between is ordered with
    nothing of other threads.
    """
    for one in _numbers(between.seen & windows.local):
        for where, window in (("after the wait", after), ("before the arrival", before)):
            for other in _numbers(window.seen & windows.local):
                first, second = windows.kinds[one], windows.kinds[other]
                if not first.conflicts(second):
                    continue
                places = (
                    windows.nearest(wait, one, True),
                    windows.nearest(wait, other, where == "before the arrival"),
                )
                yield Remark(
                    "between-arrive-and-wait",
                    f"{_named(first)} between the arrival at a barrier and the wait is not ordered with"
                    f" {_named(second)} {where} in another thread, whatever fences there are",
                    windows.function.name,
                    wait.place,
                    related=tuple(place for place in places if place is not None),
                )
                return


def _local(windows: Windows, barrier: Operation, before: Window, after: Window) -> Iterator[Remark]:
    """Give remarks on conflicting accesses of local memory on both sides, if a fence is missing on some path."""
    unreleased = unacquired = False
    pair: tuple[AccessKind, AccessKind] | None = None
    for one in _numbers(before.seen & windows.local):
        exposed = bool(before.exposed >> one & 1)
        for other in _numbers((after.seen if exposed else after.exposed) & windows.local):
            first, second = windows.kinds[one], windows.kinds[other]
            if first.conflicts(second):
                unreleased |= exposed
                unacquired |= bool(after.exposed >> other & 1)
                pair = pair or (first, second)
    if pair is None:
        return
    missing = [
        text
        for text, is_missing in (
            ("no release fence of scope workgroup or larger covers those before it", unreleased),
            ("no acquire fence of scope workgroup or larger covers those after it", unacquired),
        )
        if is_missing
    ]
    what = [_named(kind) for kind in pair]
    yield Remark(
        "local-memory-unordered",
        f"a barrier between accesses of local memory (LDS) that conflict ({what[0]} before it, {what[1]} after it)"
        f" does not order them: on some path {', and '.join(missing)}",
        windows.function.name,
        barrier.place,
        related=tuple(
            place
            for place in (
                _nearest(windows, barrier, pair[0], backwards=True),
                _nearest(windows, barrier, pair[1], backwards=False),
            )
            if place is not None
        ),
    )


def _numbers(kinds: int) -> Iterator[int]:
    while kinds:
        yield (kinds & -kinds).bit_length() - 1
        kinds &= kinds - 1


def _named(kind: AccessKind) -> str:
    what = "an update" if kind.reads and kind.writes else "a read" if kind.reads else "a write"
    return f"{what} of {kind.root}" if kind.root is not None else what


def _nearest(windows: Windows, barrier: Operation, kind: AccessKind, backwards: bool) -> Place | None:
    """Find the place of an access of a kind near a barrier."""
    return windows.nearest(barrier, windows.kinds.index(kind), backwards)
