"""Local memory (LDS) of a grid: each workgroup has its own of every variable."""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import fields, is_dataclass, replace
from operator import is_
from typing import Any

from enumerator.errors import InputError
from enumerator.program.instructions import Annotation, Constant, Register
from enumerator.program.test import MemoryObject, Test, Thread
from enumerator.program.values import Pointer, Value

__all__ = ["pointers_in", "with_local_memory"]

_LOCAL = 3  # the address space, of AMDGPU and of NVPTX


def with_local_memory(test: Test) -> Test:
    """Give each workgroup of a grid its own of the variables in local memory.

    Parameters
    ----------
    test : Test
        A launch.

    Returns
    -------
    Test
        The same, if there is only one workgroup. Else the variables have the workgroup's name behind a dot
        (``@tile.w0``), and code names them by properties of the thread. Barrier objects stay, as they are told apart
        by workgroups already.

    Raises
    ------
    InputError
        If code has an address of such a variable as a part of a larger constant.
    """
    groups = {thread.name: thread.name.partition(".")[0] for thread in test.threads}
    local = {memory.name for memory in test.objects if memory.address_space == _LOCAL}
    if not local or len(set(groups.values())) == 1:
        return test
    names = _Names(local, test.path)
    functions = {name: names.in_code(each) for name, each in test.functions.items()}
    threads = tuple(names.given(thread, groups[thread.name]) for thread in test.threads)
    objects: list[MemoryObject] = []
    for memory in test.objects:
        if memory.name in local:
            objects += (replace(memory, name=f"{memory.name}.{group}") for group in dict.fromkeys(groups.values()))
        else:
            objects.append(memory)
    return replace(test, objects=tuple(objects), functions=functions, threads=threads)


class _Names:
    """The addresses of local variables in code, which become properties of threads."""

    def __init__(self, local: Set[str], path: str) -> None:
        self.local, self.path = local, path
        self.used: dict[str, Pointer] = {}

    def in_code(self, part: Any, line: int | None = None) -> Any:
        """Rewrite a piece of code; what names no such variable stays the same object."""
        if isinstance(part, Constant):
            return self._constant(part, line)
        if isinstance(part, tuple):
            parts = tuple(self.in_code(each, line) for each in part)
            return part if all(map(is_, parts, part)) else parts
        if not is_dataclass(part) or isinstance(part, (Annotation, Register, type)):
            return part
        line = getattr(part, "line", line)
        old = {each.name: getattr(part, each.name) for each in fields(part)}
        new = {name: self.in_code(value, line) for name, value in old.items()}
        changed = {name: value for name, value in new.items() if value is not old[name]}
        return replace(part, **changed) if changed else part

    def _constant(self, part: Constant, line: int | None) -> Constant | Register:
        value = part.value
        if isinstance(value, Pointer) and value.object in self.local:
            name = f"%{value.object}" + (f"+{value.offset}" if value.offset else "")
            self.used[name] = value
            return Register(name)
        if any(pointer.object in self.local for pointer in pointers_in(value)):
            raise InputError("an address of local memory as a part of a constant", self.path, line)
        return part

    def given(self, thread: Thread, group: str) -> Thread:
        """Give a thread the variables of its workgroup."""
        arguments = tuple(replace(each, value=self._own(each.value, group)) for each in thread.arguments)
        properties = tuple((name, self._own(value, group)) for name, value in self.used.items())
        return replace(thread, arguments=arguments, properties=(*thread.properties, *properties))

    def _own(self, value: Value, group: str) -> Value:
        if isinstance(value, Pointer) and value.object in self.local:
            return replace(value, object=f"{value.object}.{group}")
        return value


def pointers_in(value: Value) -> Iterator[Pointer]:
    """Give the addresses that a value holds."""
    if isinstance(value, Pointer):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from pointers_in(part)
