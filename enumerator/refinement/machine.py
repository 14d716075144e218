"""What a processor is told for each fence, atomic access and barrier: the machine instructions that LLVM makes of them.

LLVM keeps the source line of what it lowers. Each operation gets one of its own, and the assembly is read by it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from enumerator.refinement.llvm import assemble

__all__ = ["format_code", "machine_code", "machine_code_of_lines", "split_comment"]

_OPERATION = re.compile(
    r"\s*(?:%(?:\"[^\"]*\"|[-\w$.]+)\s*=\s*)?(?:tail\s+|musttail\s+|notail\s+)?"
    r"(?:fence\b|atomicrmw\b|cmpxchg\b|load\s+atomic\b|store\s+atomic\b|call\b[^\n]*@llvm\.amdgcn\.s\.(?:barrier|wait)"
    r"|call\b[^\n]*@llvm\.amdgcn\.av\.)"
)
_MEMORY = re.compile(
    r"(?:global|flat|ds|buffer|scratch|s_buffer|s_dcache|s_barrier|s_wait|s_cbranch|s_sleep|s_icache|s_gl1|tbuffer)\w*"
)
_ATTACHED = re.compile(r"(?:,|(?<!\s))\s*(?:!dbg\s+(?:!\d+|!\w+\([^)]*\))|!llvm\.loop\s+!\d+)")
"""Places, also those that loops hold: a module with some that belong to no function of its own is taken without any."""


def machine_code(text: str, path: str, cpu: str) -> dict[int, tuple[str, ...]]:
    """Compile a module, and give the machine instructions of its fences, atomic accesses and barriers.

    Parameters
    ----------
    text : str
        LLVM IR.
    path : str
        For error messages.
    cpu : str
        An AMDGPU processor, as ``gfx942``.

    Returns
    -------
    dict of int to tuple of str
        By the line of the operation. Only what accesses memory, waits, or writes back or invalidates caches; not the
        computation of addresses. Empty where nothing is left to do.

    Raises
    ------
    InputError
        If LLVM cannot compile it.

    References
    ----------
    LLVM, *User Guide for AMDGPU Backend*, memory model: the tables of code sequences.

    Examples
    --------
    >>> text = '''define void @f(ptr addrspace(1) %p) {
    ...   store i32 1, ptr addrspace(1) %p
    ...   fence syncscope("agent") acq_rel
    ...   ret void
    ... }'''
    >>> machine_code(text, "f.ll", "gfx942")
    {3: ('buffer_wbl2 sc1', 's_waitcnt vmcnt(0)', 'buffer_inv sc1')}
    """
    lines = text.splitlines()
    return machine_code_of_lines(
        text, path, cpu, [number for number, line in enumerate(lines, 1) if _OPERATION.match(line)]
    )


def machine_code_of_lines(text: str, path: str, cpu: str, numbers: Iterable[int]) -> dict[int, tuple[str, ...]]:
    """Compile a module, and give the machine instructions of what stands at some lines; see :func:`machine_code`."""
    wanted = set(numbers)
    made = assemble(_with_places(text, wanted), path, cpu)
    found: dict[int, list[str]] = {number: [] for number in wanted}
    at = 0
    for line in made.splitlines():
        place = re.match(r"\s*\.loc\s+\d+\s+(\d+)", line)
        if place is not None:
            at = int(place[1])
        code = line.split(";")[0].strip()
        if at in found and line.startswith("\t") and not code.startswith(".") and _MEMORY.match(code):
            found[at].append(" ".join(code.split()))
    return {number: tuple(code) for number, code in sorted(found.items())}


def _with_places(text: str, wanted: set[int]) -> str:
    """Give a module whose instructions at some lines have these lines as their places; its own are left out."""
    lines, numbers = text.splitlines(), [int(each) for each in re.findall(r"!(\d+)\b", text)]
    first = max(numbers, default=-1) + 1
    unit, file, version, dwarf, kind = range(first, first + 5)
    nodes = [
        f"!{unit} = distinct !DICompileUnit(language: DW_LANG_C99, file: !{file}, emissionKind: LineTablesOnly)",
        f'!{file} = !DIFile(filename: "test.ll", directory: "/")',
        f'!{version} = !{{i32 2, !"Debug Info Version", i32 3}}',
        f'!{dwarf} = !{{i32 7, !"Dwarf Version", i32 5}}',
        f"!{kind} = !DISubroutineType(types: !{{}})",
        f"!llvm.dbg.cu = !{{!{unit}}}",
    ]
    following, scope, result = first + 5, 0, []
    flags = f"!llvm.module.flags = !{{!{version}, !{dwarf}}}"
    for number, line in enumerate(lines, 1):
        if re.match(r"\s*(?:!llvm\.dbg\.cu\b|!llvm\.module\.flags\b|#dbg_)", line) or "@llvm.dbg." in line:
            result.append("")
            continue
        line = _ATTACHED.sub("", line)
        code, comment = split_comment(line)
        if re.match(r"define\b", code) and code.rstrip().endswith("{"):
            scope, following = following, following + 1
            nodes.append(
                f'!{scope} = distinct !DISubprogram(name: "f{scope}", scope: !{file}, file: !{file}, line: {number}, '
                f"type: !{kind}, unit: !{unit}, spFlags: DISPFlagDefinition)"
            )
            code = f"{code.rstrip()[:-1].rstrip()} !dbg !{scope} {{"
        elif scope and re.match(r"\s+(?:%|fence|store|call|tail|musttail|notail|ret|br|switch|unreachable)", code):
            if number in wanted or "call" in code or _is_whole(code, lines, number):
                place = following
                following += 1
                nodes.append(f"!{place} = !DILocation(line: {number if number in wanted else 0}, scope: !{scope})")
                code = f"{code.rstrip()}, !dbg !{place} "
        result.append(code + comment)
    return "\n".join([*result, *nodes, flags]) + "\n"


def _is_whole(code: str, lines: list[str], number: int) -> bool:
    """Tell whether an instruction ends with its line: what goes on (a switch, a long call) is left without a place."""
    after = lines[number].strip() if number < len(lines) else ""
    opened = code.count("(") + code.count("[") + code.count("{") - code.count(")") - code.count("]") - code.count("}")
    return opened == 0 and not code.rstrip().endswith(",") and not after.startswith((",", ")", "]"))


def split_comment(line: str) -> tuple[str, str]:
    """Separate a line of LLVM IR from the comment at its end.

    Examples
    --------
    >>> split_comment('fence release ; "why"')
    ('fence release ', '; "why"')
    """
    quoted = False
    for place, letter in enumerate(line):
        quoted ^= letter == '"'
        if letter == ";" and not quoted:
            return line[:place], line[place:]
    return line, ""


def format_code(code: Iterable[str]) -> str:
    """Write machine instructions in a line.

    Examples
    --------
    >>> format_code(["buffer_wbl2 sc1", "s_waitcnt vmcnt(0)"]), format_code([])
    ('buffer_wbl2 sc1; s_waitcnt vmcnt(0)', 'nothing')
    """
    return "; ".join(code) or "nothing"
