"""A test in LLVM IR as text, from the records that :func:`~enumerator.generation.building.to_test` makes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from enumerator.program.condition import Quantifier
from enumerator.program.instructions import Annotation, Barrier, Function, Instruction, Load, Store
from enumerator.program.test import Test
from enumerator.program.types import PointerType
from enumerator.program.values import format_value
from enumerator.program.written import S_BARRIER, av_name, instruction_text, terminator_text, type_text

__all__ = ["llvm_text"]

_QUANTIFIERS = {Quantifier.EXISTS: "EXISTS", Quantifier.NEVER: "NEVER", Quantifier.FORALL: "FORALL"}


def llvm_text(test: Test, remarks: Sequence[str] = (), expectations: Iterable[str] = ()) -> str:
    r"""Write a test as the front end reads it.

    Parameters
    ----------
    test : Test
        Of loads, stores, read-modify-writes, fences, barriers, branches, and what computes addresses and values.
    remarks : sequence of str
        Lines of comment behind the title.
    expectations : iterable of str
        As ``llvm=Never``.

    Returns
    -------
    str

    Examples
    --------
    >>> from enumerator.generation.building import to_test
    >>> from enumerator.generation.skeleton import APART, Event, Kind, Location, Skeleton
    >>> one = Skeleton(((Event(Kind.WRITE, 0, 1), Event(Kind.READ, 0)),), (APART,), (Location(),), ((0, 1, 0),))
    >>> print(llvm_text(to_test(one, "CoWR", "A thread sees its own writes"), expectations=["llvm=Never"]))
    ; A thread sees its own writes
    ; EXISTS: t0:%r0 = 0
    ; EXPECT: llvm=Never
    @x = global i32 0
    <BLANKLINE>
    define void @t0() {
      store i32 1, ptr @x, align 4
      %r0 = load i32, ptr @x, align 4
      ret void
    }
    <BLANKLINE>
    """
    lines = [f"; {' '.join((test.title or test.name).split())}"]
    lines += [f"; {' '.join(remark.split())}" for remark in remarks]
    if test.scope_tree:
        lines.append(f"; SCOPES: {test.scope_tree}")
    if test.profile != "generic":
        lines.append(f"; PROFILE: {test.profile}")
    lines.append(f"; {_QUANTIFIERS[test.condition.quantifier]}: {test.condition.text}")
    lines += [f"; EXPECT: {expectation}" for expectation in expectations]
    for memory in test.objects:
        space = f"addrspace({memory.address_space}) " if memory.address_space else ""
        lines.append(f"{memory.name} = {space}global {type_text(memory.type)} {format_value(memory.initial or 0)}")
    for function in test.functions.values():
        lines += ["", f"define void @{function.name}() {{", *_body(function), "}"]
    blocks = [block for function in test.functions.values() for block in function.blocks]
    declared = dict.fromkeys(filter(None, (_declaration(part) for block in blocks for part in block.body)))
    return "\n".join([*lines, *([""] if declared else []), *declared]) + "\n"


def _declaration(part: Instruction) -> str:
    """Declare the intrinsic that an instruction calls, if it is one."""
    match part:
        case Barrier():
            return f"declare void @{S_BARRIER}()"
        case Load(annotation=note, type=type_) if "AV" in note.labels:
            return f"declare {type_text(type_)} @{av_name(type_, note, 'load')}({_pointer(note)}, metadata)"
        case Store(annotation=note, type=type_) if "AV" in note.labels:
            return f"declare void @{av_name(type_, note, 'store')}({_pointer(note)}, {type_text(type_)}, metadata)"
    return ""


def _pointer(note: Annotation) -> str:
    return type_text(PointerType(note.address_space))


@lru_cache(1 << 14)  # generated tests have many threads in common
def _body(function: Function) -> tuple[str, ...]:
    return tuple(_lines(function))


def _lines(function: Function) -> Iterator[str]:
    for number, block in enumerate(function.blocks):
        if number:
            yield f"{block.name}:"
        for part in block.body:
            yield f"  {instruction_text(part)}"
        yield f"  {terminator_text(block.terminator)}"
