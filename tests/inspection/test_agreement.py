"""Inspection reads the same of a litmus test as the front end does."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from enumerator.analysis.execution import rebuild
from enumerator.cat.typing import select
from enumerator.frontend import load
from enumerator.inspection import inspect_text
from enumerator.inspection.links import LinkKey, linked
from enumerator.inspection.operations import Kind, Operation
from enumerator.mmra import load_profile
from enumerator.program.instructions import (
    Annotation,
    AsyncCopy,
    AsyncMark,
    AsyncWait,
    Barrier,
    BarrierOperation,
    Call,
    CompareExchange,
    Fence,
    Instruction,
    Load,
    ReadModifyWrite,
    Store,
)
from enumerator.program.test import Test
from enumerator.request import Request
from enumerator.search.bitset import enumerate_test

ROOT = Path(__file__).resolve().parent.parent.parent / "litmus_tests"
FOLDERS = sorted(
    folder.name
    for folder in ROOT.iterdir()
    if folder.is_dir() and folder.name != "kernels" and any(folder.rglob("*.ll"))
)

KINDS = {Load: "load", Store: "store", ReadModifyWrite: "atomicrmw", CompareExchange: "cmpxchg", Fence: "fence"}


def is_av(what: str) -> bool:
    return what.startswith("av.") or what in ("global.store.available.b128", "global.load.visible.b128")


def annotated(annotation: Annotation, av: bool) -> tuple[object, ...]:
    scope = annotation.scope.name.lower() + ("-one-as" if annotation.one_as else "")
    return (annotation.ordering, scope, annotation.tags, annotation.thread_private, annotation.address_space, av)


def inspected(operation: Operation) -> tuple[object, ...]:
    return (
        operation.ordering,
        str(operation.scope),
        operation.tags,
        operation.thread_private,
        operation.address_space or 0,
        is_av(operation.what),
    )


def inside(test: Test, part: Instruction) -> Instruction:
    """The access that the function made for a compare-exchange of OpenCL, or for an access of a buffer, makes."""
    if isinstance(part, Call) and part.function.startswith(("compare exchange", "llvm.amdgcn.")):
        for block in test.functions[part.function].blocks:
            for each in block.body:
                if isinstance(each, CompareExchange) or (isinstance(each, Load | Store) and "buffer" in part.function):
                    return replace(each, line=part.line)
    return part


def kind_of(operation: Operation) -> str:
    what = operation.what.split()[0]
    if operation.kind is Kind.FENCE:
        return "fence"
    if (
        is_av(what)
        or what.endswith((".to.lds", "buffer.load.lds", "ptr.buffer.load", "ptr.buffer.store"))
        or (what.startswith("atomic_") and not (operation.reads and operation.writes))
    ):
        return "load" if operation.reads else "store"
    if what.startswith("atomic_"):
        return "cmpxchg" if "compare" in what else "atomicrmw"
    if what.startswith(("memcpy", "memmove", "memset", "masked.")):  # loads and stores, to the front end
        return "load" if operation.reads else "store"
    return what


@pytest.mark.parametrize("folder", FOLDERS)
def test_annotations(folder: str) -> None:
    for path in sorted((ROOT / folder).rglob("*.ll")):
        test = load(str(path))
        inspection = inspect_text(path.read_text(encoding="utf-8"), str(path))
        assert inspection.profile == test.profile
        every: dict[int | None, set[tuple[object, ...]]] = {}
        own: dict[str, set[int | None]] = {}
        for found in inspection.functions:
            name = found.function.name
            wanted: dict[int | None, set[tuple[object, ...]]] = {}
            for block in test.functions[name].blocks:
                for part in map(partial(inside, test), block.body):
                    told: tuple[object, ...]
                    if type(part) in KINDS:
                        told = (KINDS[type(part)], *annotated(part.annotation, bool(part.annotation.labels)))
                    elif isinstance(part, Barrier):
                        told = ("barrier", part.arrives, part.waits)
                    elif isinstance(part, BarrierOperation):
                        arrives = part.object == "workgroup" and part.operation in ("arrive", "first")
                        whole = part.operation == "cluster"
                        told = ("barrier", arrives or whole, whole)
                    elif isinstance(part, AsyncCopy):
                        told = ("copy", part.stage, part.write.address_space)
                    elif isinstance(part, AsyncMark):
                        told = ("mark", part.stages)
                    elif isinstance(part, AsyncWait):
                        told = ("wait", part.stages, part.count)
                    else:
                        continue
                    wanted.setdefault(part.line, set()).add(told)
            every |= wanted
            own[name] = set(wanted)
        for found in inspection.functions:
            got: dict[int | None, set[tuple[object, ...]]] = {}
            for operation in found.function.operations:
                line = operation.place.line
                if operation.asynchronous:
                    got[line] = {("copy", min(operation.stages), operation.address_space)}  # of its write, the last
                elif operation.what == "wave.barrier":
                    continue  # no thread of another wave is concerned
                elif operation.kind is Kind.BARRIER:
                    part_of = int(operation.barrier)
                    got.setdefault(line, set()).add(("barrier", bool(part_of & 1), bool(part_of & 2)))
                elif operation.kind is Kind.MARK:
                    got.setdefault(line, set()).add(("mark", operation.stages))
                elif operation.kind is Kind.WAIT:
                    got.setdefault(line, set()).add(("wait", operation.stages, operation.count))
                elif operation.kind is not Kind.CALL:
                    got.setdefault(line, set()).add((kind_of(operation), *inspected(operation)))
            # What calls do is there, too.
            assert own[found.function.name] <= got.keys() and got.items() <= every.items(), path


SAMPLE = sorted((ROOT / "amdgpu" / "one-as").rglob("*.ll")) + sorted((ROOT / "mmra").rglob("*.ll"))[::12]
SAMPLE += sorted((ROOT / "private").rglob("*.ll"))[::2] + sorted((ROOT / "amdgpu" / "fences").rglob("*.ll"))[::6]


@pytest.mark.parametrize("path", SAMPLE, ids=lambda path: path.stem)
def test_what_is_linked_is_po_hb(path: Path) -> None:
    """Of the operations of a thread, inspection links those that the model's ``po-hb`` relates in an execution."""
    test, model = load(path), select("llvm")
    profile = load_profile(test.profile)
    request = Request(test, model, profile, (), record=1)
    candidates = enumerate_test(request).executions
    if not candidates:
        pytest.skip("no consistent execution")
    execution = rebuild(request, candidates[0])
    keys = {
        operation.place.line: LinkKey.of(operation)
        for found in inspect_text(path.read_text(encoding="utf-8"), str(path)).functions
        for operation in found.function.operations
        if operation.kind in (Kind.ACCESS, Kind.FENCE)
    }
    events = [event for event in execution.events if event.thread is not None and event.line in keys]
    found: dict[tuple[int, int, int], bool] = {}
    for a in events:
        for b in events:
            if execution.related("po", a.number, b.number) and a.line != b.line:
                place = (a.thread, a.line, b.line)  # the halves of a read-modify-write are one operation
                found[place] = found.get(place, False) or execution.related("po-hb", a.number, b.number)
    for (_, first, second), related in found.items():
        assert linked(keys[first], keys[second]) == related, (first, second)
