"""Operational machines that run straight-line programs, to hold axiomatic models against."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

from enumerator.program.instructions import Constant, Fence, Instruction, Load, Ordering, ReadModifyWrite, Store
from enumerator.program.test import Test
from enumerator.program.values import Pointer, Value

T = TypeVar("T")
Memory = tuple[tuple[str, int], ...]
Buffers = tuple[tuple[tuple[str, int], ...], ...]
State = tuple[tuple[int, ...], Memory, tuple[tuple[str, int], ...], Buffers]


def _place(instruction: Load | Store | ReadModifyWrite) -> str:
    assert isinstance(instruction.address, Constant) and isinstance(instruction.address.value, Pointer)
    return instruction.address.value.object


def _number(expression: object) -> int:
    assert isinstance(expression, Constant) and isinstance(expression.value, int)
    return expression.value


def final_states(test: Test, names: Sequence[str], buffered: bool) -> set[tuple[Value, ...]]:
    """All final states of a machine that interleaves; with store buffers (x86-TSO) or without (SC)."""
    code = [test.functions[thread.function].blocks[0].body for thread in test.threads]
    start = {item.name: item.initial if isinstance(item.initial, int) else 0 for item in test.objects}
    first: State = (tuple(0 for _ in code), tuple(sorted(start.items())), (), tuple(() for _ in code))
    seen, stack = {first}, [first]
    found: set[tuple[Value, ...]] = set()
    while stack:
        state = stack.pop()
        counters, memory, registers, buffers = state
        done = all(counter == len(body) for counter, body in zip(counters, code, strict=True))
        if done and not any(buffers):
            known = {**dict(memory), **dict(registers)}
            found.add(tuple(known[name] for name in names))
        for following in _steps(test, code, state, buffered):
            if following not in seen:
                seen.add(following)
                stack.append(following)
    return found


def _steps(test: Test, code: Sequence[Sequence[Instruction]], state: State, buffered: bool) -> Iterator[State]:
    counters, memory, registers, buffers = state
    for thread, body in enumerate(code):
        if buffers[thread]:
            (place, value), *rest = buffers[thread]
            yield counters, _put(memory, place, value), registers, _replace(buffers, thread, tuple(rest))
        if counters[thread] == len(body):
            continue
        instruction = body[counters[thread]]
        after = _replace(counters, thread, counters[thread] + 1)
        own: Mapping[str, int] = {**dict(memory), **dict(buffers[thread])}
        name = f"{test.threads[thread].name}:%{getattr(instruction, 'target', '')}"
        match instruction:
            case Load():
                yield after, memory, _put(registers, name, own[_place(instruction)]), buffers
            case Store():
                entry = (_place(instruction), _number(instruction.value))
                if buffered:
                    yield after, memory, registers, _replace(buffers, thread, (*buffers[thread], entry))
                else:
                    yield after, _put(memory, *entry), registers, buffers
            case ReadModifyWrite() if not buffers[thread]:
                old = own[_place(instruction)]
                operand = _number(instruction.operand)
                new = operand if instruction.operator == "xchg" else old + operand
                yield after, _put(memory, _place(instruction), new), _put(registers, name, old), buffers
            case Fence(annotation) if annotation.ordering != Ordering.SEQ_CST or not buffers[thread]:
                yield after, memory, registers, buffers


def _put(table: tuple[tuple[str, int], ...], key: str, value: int) -> tuple[tuple[str, int], ...]:
    return tuple(sorted({**dict(table), key: value}.items()))


def _replace(row: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    return (*row[:place], value, *row[place + 1 :])
