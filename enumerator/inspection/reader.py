"""Reading modules of any size: one pass over the printed text that keeps only what inspection needs."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import field, replace

from enumerator.frontend.llvm.debug import DebugLocations
from enumerator.frontend.llvm.metadata import Metadata
from enumerator.frontend.llvm.printed import split_body
from enumerator.frontend.llvm.source import PrintedBlock, Source, align
from enumerator.frontend.llvm.syntax import closing, opcode_of, split
from enumerator.frontend.llvm.tokens import decode_name, tokenize
from enumerator.frozen import dataclass
from enumerator.inspection.effects import Attributes
from enumerator.inspection.instructions import OPCODES, Declaration, InstructionReader
from enumerator.inspection.operations import Block, Function, InspectedModule, Kind, Operation, Target, place_of
from enumerator.inspection.roots import POINTER_OPCODES, Roots
from enumerator.inspection.values import INTEGER_OPCODES, Globals, Values
from enumerator.mmra import Profile

__all__ = ["read_module", "target_of"]

# The calling conventions of functions that the hardware starts.
_KERNELS = frozenset(
    """amdgpu_kernel spir_kernel ptx_kernel amdgpu_cs amdgpu_vs amdgpu_ps amdgpu_gs amdgpu_hs amdgpu_es amdgpu_ls
    """.split()
)
_TERMINATORS = frozenset(
    "ret br switch indirectbr invoke callbr resume unreachable cleanupret catchret catchswitch".split()
)
_LEAVING = frozenset("ret resume cleanupret".split())  # the last one may unwind to the caller
_LABEL = re.compile(r'label %("[^"]*"|[-\w$.\\]+)')
_CONDITION = re.compile(r"\s*br i1 (\S+),")
_TRIPLE = re.compile(r'^target triple = "([^"]*)"', re.MULTILINE)
_WAVE64_ONLY = re.compile(r"(?:gfx|amdgpu)[6-9]")


@dataclass
class _Printed:
    """The parts of the printed text of a module."""

    triple: str = ""
    functions: list[tuple[list[str], list[PrintedBlock]]] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    declarations: list[list[str]] = field(default_factory=list)
    groups: dict[str, Attributes] = field(default_factory=dict)
    variables: dict[str, int] = field(default_factory=dict)
    types: dict[str, list[str]] = field(default_factory=dict)
    structs: dict[str, list[str]] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    metadata: Metadata = field(default_factory=Metadata)
    locations: DebugLocations = field(default_factory=DebugLocations)


def read_module(
    printed: str, source: Source, profile: Profile, path: str, threads: bool = False, compiled: str | None = None
) -> InspectedModule:
    """Read a module.

    Parameters
    ----------
    printed : str
        The module as LLVM prints it.
    source : Source
        The scanned original, for lines.
    profile : Profile
        Determines the tags of operations.
    path : str
        For error messages.
    threads : bool
        Whether the file is a litmus test: functions that nothing calls are then threads.
    compiled : str, optional
        The file that it was compiled from, if lines are to be those of it.

    Returns
    -------
    InspectedModule

    Raises
    ------
    InputError
        For malformed ``!mmra``.
    """
    text = _sections(printed)
    numbers = [name for name in text.names if name[1:].isdigit()]
    originals = [name for name in source.function_names if name[1:].isdigit()]
    renamed = dict(zip(numbers, originals, strict=True)) if len(numbers) == len(originals) else {}

    def global_name(token: str) -> str:
        return decode_name(renamed.get(token, token))

    headers = [_Header.read(tokens, text.groups) for tokens, _ in text.functions]
    declared = [_Header.read(tokens, text.groups) for tokens in text.declarations]
    reader = InstructionReader(
        path=path,
        profile=profile,
        target=Target(text.triple),
        metadata=text.metadata,
        locations=text.locations,
        compiled=compiled,
        groups=text.groups,
        declarations={header.name: header.declaration for header in (*headers, *declared)},
        global_name=global_name,
        structs=text.structs,
    )
    known = Globals(text.variables, text.types, text.aliases, text.structs, global_name)
    lines = {decode_name(function.name): function for function in source.functions}
    functions = []
    for header, (_, blocks) in zip(headers, text.functions, strict=True):
        name = global_name(header.name)
        original = lines.get(name)
        positions, _renamed = align(blocks, header.parameters, original)
        function = Function(
            name=name,
            place=place_of(
                original.line if original is not None else None,
                tuple(filter(None, (_source_of(header, text.locations),))),
                compiled,
            ),
            kernel=header.kernel,
            entry=header.kernel,
            workgroup_size=_workgroup_size(header, text.metadata),
            wavefront_size=_wavefront_size(header.declaration.attributes, text.triple),
            parameters=header.registers,
        )
        most = function.workgroup_size[1] if function.workgroup_size is not None else None
        values = Values(known, most, function.wavefront_size, kernel=header.kernel)
        roots = Roots(text.variables, text.aliases, global_name)
        function.blocks = _blocks(blocks, positions, reader, roots, values, header.first_label)
        functions.append(function)
    _known_calls(functions)
    if threads:
        called = {operation.callee for function in functions for operation in function.operations}
        for function in functions:
            function.entry |= function.name not in called
    return InspectedModule(reader.target, functions)


def target_of(printed: str) -> Target:
    """Give the target that a printed module names.

    Examples
    --------
    >>> target_of('target triple = "amdgcn-amd-amdhsa"').amdgpu
    True
    """
    match = _TRIPLE.search(printed)
    return Target(match[1] if match is not None else "")


# The parts of the text ----------------------------------------------------------------------------------------


def _sections(printed: str) -> _Printed:
    text = _Printed()
    lines = iter(printed.split("\n"))
    for line in lines:
        match line[:1]:
            case "@":
                _variable(tokenize(line), text)
            case "!":
                text.metadata.add(line)
                text.locations.add(line)
            case "a" if line.startswith("attributes #"):
                tokens = tokenize(line)
                text.groups[tokens[1]] = Attributes.read(tokens[4:-1])
            case "d" if line.startswith(("define ", "declare ")):
                tokens = tokenize(line)
                text.names.append(next(token for token in tokens if token.startswith("@")))
                if line.startswith("define "):
                    text.functions.append((tokens, split_body(lines)))
                else:
                    text.declarations.append(tokens)
            case "t" if match := _TRIPLE.match(line):
                text.triple = match[1]
            case "%" if " = type " in line:
                tokens = tokenize(line)
                text.structs[tokens[0]] = tokens[3:]
    return text


def _variable(tokens: list[str], text: _Printed) -> None:
    head = tokens[: next((place for place, token in enumerate(tokens) if token in ("global", "constant")), 12)]
    if "alias" in head:
        behind = [token for token in tokens[1:] if token.startswith("@")]
        if len(behind) == 1:
            text.aliases[tokens[0]] = behind[0]
        return
    text.types[tokens[0]] = tokens[len(head) + 1 :]
    place = head.index("addrspace") if "addrspace" in head else -1
    text.variables[tokens[0]] = int(head[place + 2]) if place >= 0 and head[place + 2].isdecimal() else 0


@dataclass(frozen=True)
class _Header:
    """The header of a function."""

    name: str
    parameters: tuple[str, ...]
    registers: tuple[str, ...]
    declaration: Declaration
    kernel: bool
    attached: Mapping[str, str]
    first_label: str

    @classmethod
    def read(cls, tokens: list[str], groups: Mapping[str, Attributes]) -> _Header:
        """Read the tokens of a ``define`` or ``declare``."""
        place = next(index for index, token in enumerate(tokens) if token.startswith("@"))
        end = closing(tokens, place + 1)
        names: list[str] = []
        registers: list[str] = []
        words: list[frozenset[str]] = []
        unnamed = 0
        for part in split(tokens[place + 2 : end - 1]):
            if part == ["..."]:
                continue
            named = part[-1].startswith("%") and len(part) > 1
            names.append(decode_name(part[-1]) if named else str(unnamed))
            registers.append(part[-1] if named else f"%{unnamed}")
            unnamed += names[-1].isdigit()
            words.append(frozenset(part))
        behind = tokens[end:]
        attributes = Attributes().merged(groups[token] for token in behind if token in groups)
        attached = dict(zip(behind, behind[1:], strict=False))
        return cls(
            name=tokens[place],
            parameters=tuple(names),
            registers=tuple(registers),
            declaration=Declaration(attributes, tuple(words)),
            kernel=not _KERNELS.isdisjoint(tokens[:place]),
            attached={key: value for key, value in attached.items() if key.startswith("!")},
            first_label=str(unnamed),
        )


def _source_of(header: _Header, locations: DebugLocations) -> str | None:
    node = header.attached.get("!dbg")
    return locations.subprogram(node) if node is not None else None


def _workgroup_size(header: _Header, metadata: Metadata) -> tuple[int, int] | None:
    """Find the minimum and maximum number of threads of a workgroup (LLVM AMDGPUUsage, "LLVM IR Attributes")."""
    node = header.attached.get("!reqd_work_group_size")
    if node is not None:
        sizes = [int(token) for token in metadata.operands(node) if token.isdecimal() and len(token) < 10]
        if sizes and all(sizes):
            threads = 1
            for size in sizes:
                threads *= size
            return threads, threads
    written = header.declaration.attributes.strings.get("amdgpu-flat-work-group-size", "")
    match = re.fullmatch(r"\s*(\d{1,9})\s*,\s*(\d{1,9})\s*", written)
    return (int(match[1]), int(match[2])) if match is not None else None


def _wavefront_size(attributes: Attributes, triple: str) -> int:
    """Find the size of wavefronts: 64 by a target feature, or for a processor without wavefronts of 32; else 32."""
    features = attributes.strings.get("target-features", "")
    if "+wavefrontsize64" in features:
        return 64
    if "+wavefrontsize32" in features:
        return 32
    return 64 if _WAVE64_ONLY.match(attributes.strings.get("target-cpu", "") or triple) else 32


# Bodies ---------------------------------------------------------------------------------------------------------


def _blocks(
    printed: list[PrintedBlock],
    lines: list[int | None],
    reader: InstructionReader,
    roots: Roots,
    values: Values,
    first_label: str,
) -> list[Block]:
    numbers = {block.label if block.label is not None else first_label: n for n, block in enumerate(printed)}
    opcodes = [[opcode_of(text) for text in block.instructions] for block in printed]
    for block, known in zip(printed, opcodes, strict=True):
        for (register, opcode), text in zip(known, block.instructions, strict=True):
            if register is not None and opcode in POINTER_OPCODES:
                roots.define(register, text)
            if register is not None and opcode in INTEGER_OPCODES:
                values.define(register, text)
    positions = iter(lines)
    blocks = []
    for block, known in zip(printed, opcodes, strict=True):
        read = Block(label=block.label if block.label is not None else first_label, values=values)
        for (register, opcode), text in zip(known, block.instructions, strict=True):
            line = next(positions)
            if opcode == "phi" and register is not None:
                read.phis.append((register, text))
            if opcode in OPCODES:
                read.operations.extend(reader.read(opcode, text, line, roots, values))
            if opcode in _TERMINATORS:
                targets = [numbers[label] for label in _LABEL.findall(text) if label in numbers]
                read.successors = tuple(dict.fromkeys(targets))
                if match := _CONDITION.match(text):
                    read.condition = match[1]
                    made = (each for (name, _), each in zip(known, block.instructions, strict=True) if name == match[1])
                    read.decided_by = next(made, "")
                read.leaves = opcode in _LEAVING and not targets
        blocks.append(read)
    return blocks


def _known_calls(functions: list[Function]) -> None:
    """Set the effects of calls of the module's own functions; calls without effect are removed."""
    by_name = {function.name: function for function in functions}
    effects: dict[str, tuple[bool, bool, bool]] = {}
    for function in functions:
        effects[function.name] = (False, False, False)

    def of(operation: Operation) -> tuple[bool, bool, bool]:
        if operation.kind is Kind.CALL and operation.callee in by_name:
            known = effects[operation.callee]
            return operation.reads and known[0], operation.writes and known[1], operation.opaque and known[2]
        synchronizes = operation.kind in (Kind.FENCE, Kind.BARRIER) or operation.atomic or operation.opaque
        shared = operation.shared
        return shared and operation.reads, shared and operation.writes, synchronizes

    _propagate(functions, by_name, effects, of)
    for function in functions:
        for block in function.blocks:
            if any(operation.callee in by_name for operation in block.operations):
                block.operations = [
                    replace(operation, reads=known[0], writes=known[1], opaque=known[2])
                    if operation.callee in by_name
                    else operation
                    for operation in block.operations
                    if any(known := of(operation)) or operation.callee not in by_name
                ]


def _propagate(
    functions: list[Function],
    by_name: Mapping[str, Function],
    effects: dict[str, tuple[bool, bool, bool]],
    of: Callable[[Operation], tuple[bool, bool, bool]],
) -> None:
    """Find the effects of each function, those of the functions that it calls included: a least fixpoint."""
    callers: dict[str, set[str]] = {name: set() for name in by_name}
    calls: dict[str, list[Operation]] = {}
    for function in functions:
        calls[function.name] = []
        for operation in function.operations:
            if operation.callee is not None and operation.callee in by_name:
                callers[operation.callee].add(function.name)
                calls[function.name].append(operation)
            else:
                effects[function.name] = _either(effects[function.name], of(operation))
    waiting = list(by_name)
    while waiting:
        name = waiting.pop()
        total = effects[name]
        for operation in calls[name]:
            total = _either(total, of(operation))
        if total != effects[name]:
            effects[name] = total
            waiting.extend(callers[name])


def _either(one: tuple[bool, bool, bool], other: tuple[bool, bool, bool]) -> tuple[bool, bool, bool]:
    return one[0] or other[0], one[1] or other[1], one[2] or other[2]
