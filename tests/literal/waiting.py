"""Loops that wait, in the plainest way: an iteration that only reads atomically and leaves nothing that is used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, is_dataclass, replace

from enumerator.program.instructions import (
    Alloca,
    Assign,
    Function,
    Instruction,
    Load,
    Operation,
    Ordering,
    Register,
    Return,
    Store,
)
from enumerator.program.values import Value
from tests.literal.events import Event, Location, Reads, Trace
from tests.literal.loops import targets

__all__ = ["Begun", "may_be_read", "only_reads", "plainly_written", "register_may_be_read", "without"]

Held = tuple[Value, Reads]


@dataclass(frozen=True)
class Begun:
    """A thread when a round of a loop begins."""

    events: int
    phis: tuple[Held, ...]
    registers: dict[str, Held]
    slots: dict[Location, Held]


def without(events: Sequence[Event], left_out: Reads) -> list[Event]:
    """The events but for some writes, with their numbers as they are then."""
    numbers = {old: new for new, old in enumerate(old for old in range(len(events)) if old not in left_out)}

    def renumbered(value: object) -> object:
        if isinstance(value, frozenset):
            return frozenset(numbers[each] for each in value)
        return value if value is None else numbers[value]  # type: ignore[index]

    names = ("addr", "data", "ctrl", "inputs", "rmw", "started", "copied", "completed")
    kept = [event for number, event in enumerate(events) if number not in left_out]
    return [replace(event, **{name: renumbered(getattr(event, name)) for name in names}) for event in kept]


def only_reads(events: Sequence[Event]) -> bool:
    """Whether a round has read something, and has done nothing but that and fences."""
    reads = [event.kind == "R" and event.ordering >= Ordering.MONOTONIC for event in events]
    return any(reads) and all(read or event.kind == "F" for read, event in zip(reads, events, strict=True))


def may_be_read(function: Function, start: str, slot: str) -> bool:
    """Whether, from the beginning of a block on, a slot may be read before it is written, or used otherwise."""
    blocks = {block.name: block for block in function.blocks}
    (made,) = [i for block in function.blocks for i in block.body if isinstance(i, Alloca) and i.target == slot]
    casts = {_cast(i, slot) for block in function.blocks for i in block.body}
    names = {slot, *(name for name in casts if name is not None)}
    for block in function.blocks:
        parts: list[object] = [block.phis, block.terminator]
        for instruction in block.body:
            match instruction:
                case Load(address=Register(name), type=type_) if name in names and type_ == made.type:
                    pass
                case Store(address=Register(name), type=type_) if name in names and type_ == made.type:
                    parts.append(instruction.value)
                case Assign(name) if name in casts:
                    pass
                case _:
                    parts.append(instruction)
        if any(_mentions(part, name) for part in parts for name in names):
            return True
    seen: set[str] = set()
    todo = [start]
    while todo:
        block = blocks[todo.pop()]
        if block.name in seen:
            continue
        seen.add(block.name)
        for instruction in block.body:
            if isinstance(instruction, Load | Store) and instruction.address in map(Register, names):
                if isinstance(instruction, Load):
                    return True
                break
        else:
            todo += targets(block.terminator)
    return False


def _cast(instruction: Instruction, slot: str) -> str | None:
    """The register in which an instruction gives the address of a slot another type."""
    match instruction:
        case Assign(target, Operation("addrspacecast" | "bitcast", (Register(name),))) if name == slot:
            return target
    return None


def register_may_be_read(function: Function, start: str, register: str) -> bool:
    """Whether, from the beginning of a block on, a register may be read before it is assigned; a return reads all."""
    blocks = {block.name: block for block in function.blocks}
    seen: set[str] = set()
    todo = [start]
    while todo:
        block = blocks[todo.pop()]
        if block.name in seen:
            continue
        seen.add(block.name)
        if any(phi.target == register for phi in block.phis):
            continue
        for instruction in block.body:
            if _mentions(instruction, register):
                return True
            if getattr(instruction, "target", None) == register:
                break
        else:
            after = [blocks[name] for name in targets(block.terminator)]
            passed = [
                value for each in after for phi in each.phis for name, value in phi.incoming if name == block.name
            ]
            if isinstance(block.terminator, Return) or _mentions((block.terminator, *passed), register):
                return True
            todo += [each.name for each in after]
    return False


def _mentions(part: object, register: str) -> bool:
    if isinstance(part, Register):
        return part.name == register
    if isinstance(part, tuple):
        return any(_mentions(each, register) for each in part)
    if is_dataclass(part):
        return any(_mentions(getattr(part, field.name), register) for field in fields(part))
    return False


def plainly_written(runs: Sequence[Sequence[Trace]]) -> bool:
    """Whether a plain store, or an unordered one, writes what some thread waits for."""
    every = [trace for traces in runs for trace in traces]
    written = {
        event.location
        for trace in every
        for event in trace.events
        if event.kind == "W" and event.ordering < Ordering.MONOTONIC
    }
    return any(trace.events[read].location in written for trace in every for read in trace.waiting)
