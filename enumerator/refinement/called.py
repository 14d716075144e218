"""A call of a builtin as text, with other annotations: it becomes the instructions that it stands for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from enumerator.errors import InputError
from enumerator.frontend.llvm.reader import skip_attributes
from enumerator.frontend.llvm.tokens import Cursor, NotCovered, tokenize
from enumerator.program.instructions import Access, Instruction, Register
from enumerator.program.written import instruction_text

__all__ = ["CALL", "written_call"]

CALL = re.compile(r"[^;]*\b(?:call|invoke)\s")
"""A line that holds a call."""

_ATTACHED = re.compile(r",\s*!dbg !\d+")
_ADDRESS = "enumerator.address"


def written_call(line: str, parts: Sequence[Instruction], path: str, number: int) -> list[str]:
    """Write the instructions that a call stands for.

    Parameters
    ----------
    line : str
        With the call.
    parts : sequence of Instruction
        What it stands for, with the annotations that it is to have.
    path : str
    number : int
        Of the line, for error messages.

    Returns
    -------
    list of str
        Lines.

    Raises
    ------
    InputError
        If one of them cannot be written as LLVM IR.

    Examples
    --------
    >>> from enumerator.frontend import load_text
    >>> from enumerator.refinement.edit import operations_of
    >>> line = "  call void @_Z9mem_fencej(i32 2), !dbg !7"
    >>> text = f"declare void @_Z9mem_fencej(i32)\\ndefine void @t() {{\\n{line.split(',')[0]}\\n  ret void\\n}}"
    >>> [fence] = operations_of(load_text(f"; SCOPES: (agent t)\\n{text}", "t.ll")).values()
    >>> written_call(line, [fence], "t.ll", 3)
    ['  fence syncscope("workgroup") acq_rel, !mmra !{!"amdgpu-synchronize-as", !"global"}, !dbg !7']
    """
    margin, attached = re.match(r"\s*", line), _ATTACHED.search(line)
    lines = []
    for part in parts:
        try:
            if isinstance(part, Access):
                text = instruction_text(replace(part, address=Register(_ADDRESS)))
                address = _first_argument(line)
                space = part.annotation.address_space
                if address.startswith("ptr ") and not address.startswith("ptr addrspace (") and space:
                    address, cast = _cast(address, space, number)
                    lines += [f"{margin[0] if margin else ''}{each}" for each in cast]
                text = re.sub(rf"ptr(?: addrspace\(\d+\))? %{re.escape(_ADDRESS)}", lambda _: address, text)  # noqa: B023
            else:
                text = instruction_text(part)
        except (AssertionError, NotCovered):
            called = re.search(r"@[\w.$\"]+", line)
            what = f"the call of {called[0]}" if called else "this call"
            raise InputError(f"{what} cannot be written with other annotations", path, number) from None
        lines.append(f"{margin[0] if margin else ''}{text}{attached[0] if attached else ''}")
    return lines


def _cast(address: str, space: int, number: int) -> tuple[str, list[str]]:
    """Give a generic pointer as one to the memory that it points to, and the lines that make it so.

    Examples
    --------
    >>> _cast("ptr %p", 3, 7)
    ('ptr addrspace(3) %enumerator.address.7', ['%enumerator.address.7 = addrspacecast ptr %p to ptr addrspace(3)'])
    >>> _cast("ptr addrspacecast ( ptr addrspace ( 1 ) @x to ptr )", 1, 7)
    ('ptr addrspace(1) addrspacecast (ptr addrspacecast ( ptr addrspace ( 1 ) @x to ptr ) to ptr addrspace(1))', [])
    """
    type_ = f"ptr addrspace({space})"
    if not address.startswith("ptr %"):
        return f"{type_} addrspacecast ({address} to {type_})", []
    name = f"%{_ADDRESS}.{number}"
    return f"{type_} {name}", [f"{name} = addrspacecast {address} to {type_}"]


def _first_argument(line: str) -> str:
    """Give the first argument of a call with its type, without attributes.

    Examples
    --------
    >>> _first_argument("%r = tail call i32 @f(ptr noundef addrspacecast (ptr addrspace(1) @x to ptr), i32 2) #1")
    'ptr addrspacecast ( ptr addrspace ( 1 ) @x to ptr )'
    """
    tokens = tokenize(line)
    cursor = Cursor(tokens, next(place for place, token in enumerate(tokens) if token[0] == "@") + 1)
    if cursor.next() != "(" or cursor.next() != "ptr":
        raise NotCovered("a call whose first argument is no pointer")
    type_ = ["ptr"]
    if cursor.token == "addrspace":
        begun = cursor.index
        cursor.next()
        cursor.skip_group()
        type_ += tokens[begun : cursor.index]
    skip_attributes(cursor)
    begun, depth = cursor.index, 0
    while depth or cursor.token not in (",", ")"):
        depth += {"(": 1, ")": -1}.get(cursor.next(), 0)
    return " ".join([*type_, *tokens[begun : cursor.index]])
