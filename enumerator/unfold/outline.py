"""The outline of a test: all that unfolding looks at. What operations are annotated with, it passes on unread.

Tests that are made differ in orderings, scopes and tags more than in what their threads do. Tests with equal outlines
have the same paths, but for the annotations of the events. The paths are those of a test in which each operation is
annotated with its number, so that the annotation of an event says whose it is.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import replace
from operator import attrgetter
from typing import Any

from enumerator.frozen import dataclass
from enumerator.program.instructions import (
    Annotation,
    Assign,
    AvailabilityOperation,
    Barrier,
    Block,
    Branch,
    CompareExchange,
    Constant,
    Fence,
    Function,
    Jump,
    Load,
    Ordering,
    Phi,
    ReadModifyWrite,
    Return,
    Store,
    Switch,
    Unreachable,
)
from enumerator.program.test import Test
from enumerator.unfold.constants import numbers_of

__all__ = ["Outline", "numbered", "outline_of"]

_READ: dict[type, Callable[[Any], Hashable]] = {
    Assign: attrgetter("target", "expression"),
    Load: attrgetter("target", "address", "type"),
    Store: attrgetter("address", "value", "type"),
    ReadModifyWrite: attrgetter("target", "operator", "address", "operand", "type"),
    CompareExchange: attrgetter("target", "address", "expected", "desired", "type", "weak"),
    Fence: lambda _: None,
    AvailabilityOperation: lambda _: None,
    Barrier: attrgetter("arrives", "waits", "instance", "needed", "quorum"),
    Phi: attrgetter("target", "incoming", "type"),
    Jump: attrgetter("block"),
    Branch: attrgetter("condition", "then", "otherwise"),
    Switch: attrgetter("value", "cases", "default"),
    Return: attrgetter("value"),
    Unreachable: lambda _: None,
}
"""What unfolding reads of the instructions of which no annotation matters to it, but for lines, which errors say."""

_OF_OBJECT = attrgetter("name", "type", "address_space", "initial", "constant", "hidden", "labels")
_MOST_OPERATIONS = 64


@dataclass(frozen=True)
class Outline:
    """What a test has in common with others, and what is its own.

    Parameters
    ----------
    key : hashable
        Equal for tests with the same paths.
    annotations : list of Annotation
        Of the operations, in the order of the text.
    failures : list of Ordering or None
        The orderings of compare-exchanges that fail.
    """

    key: Hashable
    annotations: list[Annotation]
    failures: list[Ordering | None]

    def said(self, marked: Annotation) -> Annotation:
        """Give the annotation of an event of this test, from that of the event in :func:`numbered` paths."""
        if not marked.reference:  # of no operation: reads at the return
            return marked
        number = int(marked.reference)
        found = self.annotations[number]
        if marked.ordering == _SUCCEEDED:
            return found
        failure = self.failures[number]
        assert failure is not None
        return replace(found, ordering=failure)


_SUCCEEDED, _FAILED = Ordering.NA, Ordering.UNORDERED
"""How the events of numbered operations tell that they are the read of a compare-exchange that has failed."""


def outline_of(test: Test) -> Outline | None:
    """Give the outline of a test; None where annotations matter to its paths, or it is no small test.

    They do in loops, which may wait by atomic reads, in languages that leave operands unsequenced, and where
    asynchronous operations and barrier objects add to them.

    Parameters
    ----------
    test : Test

    Returns
    -------
    Outline or None
    """
    annotations: list[Annotation] = []
    failures: list[Ordering | None] = []
    functions = []
    fixed = True  # which values are written
    for function in test.functions.values():
        if function.tokens:
            return None
        blocks = []
        ahead = {block.name for block in function.blocks}
        for block in function.blocks:
            ahead.discard(block.name)
            terminator = block.terminator
            if type(terminator) not in _READ or not ahead.issuperset(_targets(terminator)):
                return None
            body = []
            for part in block.body:
                kind = type(part)
                read = _READ.get(kind)
                if read is None:
                    return None
                body.append((kind, read(part)))
                if kind is not Assign:
                    annotation: Annotation = part.annotation  # type: ignore[union-attr]
                    if annotation.operands:
                        return None
                    annotations.append(annotation)
                    failures.append(part.failure if kind is CompareExchange else None)  # type: ignore[union-attr]
                    fixed = fixed and _is_fixed(part)
            phis = tuple(map(_READ[Phi], block.phis)) if block.phis else ()
            blocks.append((block.name, phis, tuple(body), type(terminator), _READ[type(terminator)](terminator)))
        functions.append((function.name, function.parameters, function.shown, function.library, tuple(blocks)))
    if len(annotations) > _MOST_OPERATIONS or any(each.creation or each.alternatives for each in test.threads):
        return None
    key = (
        tuple(functions),
        test.threads,
        tuple(map(_OF_OBJECT, test.objects)),
        tuple(test.placements[each.name].instances for each in test.threads),
        test.big_endian,
        test.unroll,
        # Values out of thin air are constants of the test: those of the condition, too.
        None if fixed else numbers_of(test.condition.formula),
    )
    return Outline(key, annotations, failures)


def numbered(test: Test) -> Test:
    """Give a test whose operations are annotated with their numbers.

    Parameters
    ----------
    test : Test
        One that has an outline.

    Returns
    -------
    Test
    """
    count = 0

    def annotated(part: Any) -> Any:
        nonlocal count
        if type(part) is Assign:
            return part
        mark = Annotation(_SUCCEEDED, reference=str(count))
        count += 1
        if type(part) is CompareExchange:
            return replace(part, annotation=mark, failure=_FAILED)
        return replace(part, annotation=mark)

    def block(one: Block) -> Block:
        return replace(one, body=tuple(map(annotated, one.body)))

    def function(one: Function) -> Function:
        return replace(one, blocks=tuple(map(block, one.blocks)))

    return replace(test, functions={name: function(each) for name, each in test.functions.items()})


def _targets(terminator: object) -> tuple[str, ...]:
    match terminator:
        case Jump(block):
            return (block,)
        case Branch(_, then, otherwise):
            return then, otherwise
        case Switch(_, cases, default):
            return (*(block for _, block in cases), default)
    return ()


def _is_fixed(part: object) -> bool:
    """Tell whether an operation writes nothing but a constant to a constant address."""
    match part:
        case Store(address, value):
            return type(address) is Constant and type(value) is Constant
        case ReadModifyWrite() | CompareExchange():
            return False
    return True
