"""Initial values by which a check of order notices every exchange: another one in each cell of memory."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from itertools import count as counting

from enumerator.program.memory import MOST_ELEMENTS, elements, zero_value
from enumerator.program.test import MemoryObject, Test
from enumerator.program.types import ArrayType, FloatType, IntType, StructType, Type, VectorType
from enumerator.program.values import Pointer, Term, Undef, Value
from enumerator.unfold.constants import constants

__all__ = ["Initial", "with_distinct_values"]


class Initial(StrEnum):
    """What memory holds at the start of a check."""

    DISTINCT = "distinct"
    GIVEN = "given"


def with_distinct_values(test: Test) -> tuple[Test, tuple[str, ...]]:
    """Give each cell of memory a value that no other cell has, and that the program does not name.

    Where memory holds zeros, a load that comes too early or too late may well read what it should: the operations can
    be exchanged and the outcomes stay the same. Pointers stay as they are, as control flow and addresses hang on
    them, and so do constant objects, which nothing writes.

    Parameters
    ----------
    test : Test

    Returns
    -------
    test : Test
    kept : tuple of str
        Objects that keep their values, as they have too many cells.

    Examples
    --------
    >>> from enumerator.frontend.llvm import load_text
    >>> lines = ["@a = global [2 x i32] zeroinitializer", "@p = global ptr @a", "define void @f() {", "ret void", "}"]
    >>> test, _ = with_distinct_values(load_text(chr(10).join(lines), "f.ll"))
    >>> [memory.initial for memory in test.objects]
    [(2, 3), Pointer(object='@a', offset=0)]
    """
    named = {value for value in constants(test) if isinstance(value, int)}
    fresh = _Fresh(named)
    objects: list[MemoryObject] = []
    kept: list[str] = []
    for memory in test.objects:
        if not memory.constant and elements(memory.type) > MOST_ELEMENTS:
            kept.append(memory.name)
        elif not memory.constant:
            memory = replace(memory, initial=fresh.value(memory.type, memory.initial))
        objects.append(memory)
    return replace(test, objects=tuple(objects)), tuple(kept)


class _Fresh:
    """Values that were not given yet, the least first."""

    def __init__(self, named: set[int]) -> None:
        self._wide = (number for number in counting(1) if number not in named)

    def value(self, type_: Type, given: Value | None) -> Value:
        """Give a value of a type, where memory would hold another one (None: zeros)."""
        match type_:
            case ArrayType(count, element) | VectorType(count, element):
                return tuple(self.value(element, part) for part in _parts(given, count))
            case StructType(fields):
                parts = _parts(given, len(fields))
                return tuple(self.value(field, part) for field, part in zip(fields, parts, strict=True))
            case IntType(width) if not isinstance(given, Pointer):
                return self._integer(width)
            case FloatType():
                return Term(f"{next(self._wide) + 0.5:e}")
            case _:
                return zero_value(type_) if given is None else given

    def _integer(self, width: int) -> int:
        """Give a number of so many bits; a narrow one may have been given before."""
        number = next(self._wide)
        if width == 1:
            return number & 1
        return (number + (1 << width - 1)) % (1 << width) - (1 << width - 1)


def _parts(given: Value | None, count: int) -> tuple[Value | None, ...]:
    if isinstance(given, tuple) and len(given) == count:
        return given
    return (given if isinstance(given, Undef) else None,) * count
