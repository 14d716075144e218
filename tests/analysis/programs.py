"""Small tests built from instructions, without a front end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from enumerator.program.condition import Condition, Quantifier, TrueFormula
from enumerator.program.instructions import (
    Annotation,
    Barrier,
    Block,
    Branch,
    Constant,
    Expression,
    Fence,
    Function,
    Instruction,
    Load,
    Operation,
    Ordering,
    ReadModifyWrite,
    Register,
    Return,
    Scope,
    Store,
    Tag,
    Terminator,
)
from enumerator.program.test import MemoryObject, Placement, Test, Thread
from enumerator.program.types import IntType, PointerType
from enumerator.program.values import Pointer, Value

I32 = IntType(32)
NA, RLX, ACQ, REL, ACQ_REL, SC = (
    Ordering.NA,
    Ordering.MONOTONIC,
    Ordering.ACQUIRE,
    Ordering.RELEASE,
    Ordering.ACQ_REL,
    Ordering.SEQ_CST,
)


def annotation(
    ordering: Ordering = NA,
    scope: Scope = Scope.SYSTEM,
    tags: str = "",
    private: bool = False,
    space: int = 0,
    labels: Sequence[str] = (),
) -> Annotation:
    parsed = frozenset(Tag(*tag.split(":")) for tag in tags.split(",") if tag)
    return Annotation(ordering, scope, False, parsed, private, False, space, frozenset(labels))


def number(value: int) -> Constant:
    return Constant(value, I32)


def address(name: str) -> Constant:
    return Constant(Pointer(f"@{name}"), PointerType())


def plus(register: str, value: int) -> Operation:
    return Operation("add", (Register(register), number(value)), I32, I32)


def equals(register: str, value: int) -> Operation:
    return Operation("icmp eq", (Register(register), number(value)), IntType(1), I32)


def _operand(value: int | Expression) -> Expression:
    return number(value) if isinstance(value, int) else value


def load(target: str, location: str, ordering: Ordering = NA, line: int | None = None, **more: object) -> Load:
    return Load(target, address(location), I32, annotation(ordering, **more), line)  # type: ignore[arg-type]


def store(
    location: str, value: int | Expression, ordering: Ordering = NA, line: int | None = None, **more: object
) -> Store:
    return Store(address(location), _operand(value), I32, annotation(ordering, **more), line)  # type: ignore[arg-type]


def rmw(
    target: str, location: str, operator: str, value: int | Expression, ordering: Ordering = RLX
) -> ReadModifyWrite:
    return ReadModifyWrite(target, operator, address(location), _operand(value), I32, annotation(ordering))


def fence(ordering: Ordering, line: int | None = None, **more: object) -> Fence:
    return Fence(annotation(ordering, **more), line)  # type: ignore[arg-type]


def barrier() -> Barrier:
    return Barrier(True, True)


def branch_on(
    register: str, value: int, then: Sequence[Instruction], first: Sequence[Instruction]
) -> list[Instruction | Block]:
    """Blocks: `first`, then `then` only if a register has a value."""
    return [
        Block("entry", (), tuple(first), Branch(equals(register, value), "then", "end")),
        Block("then", (), tuple(then), _jump("end")),
        Block("end", (), (), Return()),
    ]


def _jump(block: str) -> Terminator:
    from enumerator.program.instructions import Jump

    return Jump(block)


def make_test(
    threads: Mapping[str, Sequence[Instruction | Block]],
    locations: Sequence[str] = ("x", "y"),
    groups: Mapping[str, int] | None = None,
    initial: Mapping[str, Value] | None = None,
    spaces: Mapping[str, int] | None = None,
) -> Test:
    """Make a test; `groups` gives the workgroup of each thread (by default each thread has its own)."""
    functions = {}
    for name, body in threads.items():
        blocks = tuple(part for part in body if isinstance(part, Block))
        straight = tuple(part for part in body if not isinstance(part, Block))
        functions[name] = Function(name, (), blocks or (Block("entry", (), straight, Return()),))
    placements = {}
    for place, name in enumerate(threads):
        group = place if groups is None else groups[name]
        placements[name] = Placement((place, place, group, 0, 0, 0))
    return Test(
        name="made",
        title="",
        path="made.ll",
        format="llvm",
        objects=tuple(
            MemoryObject(f"@{name}", I32, (spaces or {}).get(name, 0), (initial or {}).get(name)) for name in locations
        ),
        functions=functions,
        threads=tuple(Thread(name, name) for name in threads),
        placements=placements,
        condition=Condition(Quantifier.EXISTS, TrueFormula(), "true"),
    )
