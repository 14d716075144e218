"""Inspection reads the same of a litmus test as the front end does."""

from __future__ import annotations

from pathlib import Path

import pytest

from enumerator.frontend import load
from enumerator.inspection import inspect_file
from enumerator.inspection.operations import Kind, Operation
from enumerator.program.instructions import Annotation, Barrier, CompareExchange, Fence, Load, ReadModifyWrite, Store

ROOT = Path(__file__).resolve().parent.parent.parent / "litmus_tests"
FOLDERS = sorted(folder.name for folder in ROOT.iterdir() if folder.is_dir() and any(folder.rglob("*.ll")))

KINDS = {Load: "load", Store: "store", ReadModifyWrite: "atomicrmw", CompareExchange: "cmpxchg", Fence: "fence"}


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
        operation.what.startswith("av."),
    )


@pytest.mark.parametrize("folder", FOLDERS)
def test_annotations(folder: str) -> None:
    for path in sorted((ROOT / folder).rglob("*.ll")):
        test = load(str(path))
        inspection = inspect_file(str(path))
        assert inspection.profile == test.profile
        for found in inspection.functions:
            wanted = {}
            for block in test.functions[found.function.name].blocks:
                for part in block.body:
                    if type(part) in KINDS:
                        wanted[part.line] = (
                            KINDS[type(part)],
                            *annotated(part.annotation, bool(part.annotation.labels)),
                        )
                    elif isinstance(part, Barrier):
                        wanted[part.line] = ("barrier", part.arrives, part.waits)
            got = {}
            for operation in found.function.operations:
                if operation.kind is Kind.BARRIER:
                    part_of = int(operation.barrier)
                    got[operation.place.line] = ("barrier", bool(part_of & 1), bool(part_of & 2))
                elif operation.kind is not Kind.CALL:
                    what = operation.what.split()[0]
                    if what.startswith("av."):
                        what = "load" if "load" in what else "store"
                    got[operation.place.line] = (what, *inspected(operation))
            assert got == wanted, path
