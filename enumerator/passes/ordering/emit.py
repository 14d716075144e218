"""Writing a function with the tokens that a pass has found."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from enumerator.errors import InputError
from enumerator.passes.ordering.gates import expand
from enumerator.passes.ordering.operations import MARKERS, Operation, Operations
from enumerator.passes.ordering.pointers import constant_parser
from enumerator.passes.ordering.printed import Block, Function, Line, Module
from enumerator.passes.ordering.tokens import Entry, Merge, NotOrdered, Output, Phi, Token

__all__ = ["Writer", "write_module"]

_INTRINSICS = {
    "llvm.csa.mementry": "declare i1 @llvm.csa.mementry()",
    "llvm.csa.inord": "declare void @llvm.csa.inord(i1)",
    "llvm.csa.outord": "declare i1 @llvm.csa.outord()",
    "llvm.csa.all0": "declare i1 @llvm.csa.all0(...)",
}

_PREFETCH = re.compile(r"@(llvm\.prefetch\.p(\d+))\(")


class Writer:
    """Writes one function.

    Parameters
    ----------
    module : Module
    function : Function
    operations : Operations
    waits : mapping of int to Token
        What each operation waits for, by the number of its line.

    Attributes
    ----------
    names : dict of Token to str
        The registers that hold the tokens.
    """

    def __init__(self, module: Module, function: Function, operations: Operations, waits: Mapping[int, Token]) -> None:
        self._module = module
        self._function = function
        self._operations = operations
        self._waits = waits
        self._used = set(re.findall(r'%(?:"[^"]*"|[-\w$.]+)', "\n".join(line.text for line in function.lines())))
        self._used.update(parameter.name for parameter in function.parameters)
        self._counts: dict[str, int] = {}
        self.names: dict[Token, str] = {}
        self._gates: dict[int, list[str]] = {}
        self._phis: dict[int, list[Phi]] = {}
        self._merges: dict[int | tuple[int, None], list[Merge]] = {}
        self._operation_at = {operation.number: operation for operation in operations.ordered}
        self._seen: set[Token] = set()
        self._name_all()

    def text(self) -> list[str]:
        """Give the lines of the function, with its header and braces."""
        lines = [self._function.header]
        for number, block in enumerate(self._function.blocks):
            if block.header:
                lines.extend(["", block.header] if number else [block.header])
            lines.extend(self._block(number, block))
        return [*lines, "}"]

    # Names

    def _fresh(self, word: str) -> str:
        """Give a register that the function does not use."""
        while True:
            number = self._counts.get(word, 0)
            self._counts[word] = number + 1
            name = f"%csa.{word}.{number}" if word != "entry" or number else "%csa.entry"
            if name not in self._used:
                self._used.add(name)
                return name

    def _name_all(self) -> None:
        """Name the tokens in the order in which they appear."""
        entry = self._fresh("entry")
        for token in self._waits.values():
            self._collect(token)
        for number, block in enumerate(self._function.blocks):
            for phi in self._phis.get(number, ()):
                self.names[phi] = self._fresh("phi")
            for line in block.lines:
                if line is block.terminator:
                    self._name_merges(self._merges.get((number, None), ()))
                self._name_merges(self._merges.get(line.number, ()))
                operation = self._operation_at.get(line.number)
                if operation is not None and operation.produces:
                    self.names[Output(line.number)] = self._fresh("out")
        self.names[Entry()] = entry
        self.names[NotOrdered()] = "false"
        constants = constant_parser(self._module)
        for line in self._operations.gated:
            self._gates[line.number] = expand(line, constants, self._fresh, self._error)

    def _name_merges(self, merges: list[Merge] | tuple[()]) -> None:
        for merge in merges:
            self.names[merge] = self._fresh("all")

    def _collect(self, token: Token) -> None:
        """Sort the phis and merges that a token is made of by their places, each after what it takes there."""
        waiting: list[tuple[Token, bool]] = [(token, False)]
        seen = self._seen
        while waiting:
            token, done = waiting.pop()
            if done:
                assert isinstance(token, Merge)
                place = token.before if token.before is not None else (token.block, None)
                self._merges.setdefault(place, []).append(token)
            elif token not in seen and isinstance(token, Phi):
                seen.add(token)
                self._phis.setdefault(token.block, []).append(token)
                waiting.extend((part, False) for _, part in reversed(token.incoming))
            elif token not in seen and isinstance(token, Merge):
                seen.add(token)
                waiting.append((token, True))
                waiting.extend((part, False) for part in reversed(token.inputs))

    # Lines

    def _block(self, number: int, block: Block) -> list[str]:
        lines: list[str] = []
        phis = [self._phi(phi) for phi in self._phis.get(number, ())]
        place = next((place for place, line in enumerate(block.lines) if line.opcode != "phi"), 0)
        for line in block.lines[:place]:
            lines.extend(self._plain(line))
        lines.extend(f"  {phi}" for phi in phis)
        if number == 0:
            lines.append(f"  {self.names[Entry()]} = call i1 @llvm.csa.mementry()")
        for line in block.lines[place:]:
            if line is block.terminator:
                lines.extend(f"  {self._merge(merge)}" for merge in self._merges.get((number, None), ()))
            lines.extend(self._line(line))
        return lines

    def _line(self, line: Line) -> list[str]:
        if line.number in self._gates:
            return [*line.records, *(f"  {text}" for text in self._gates[line.number])]
        if any(line is marker for _, marker in self._operations.markers):
            return list(line.records)
        operation = self._operation_at.get(line.number)
        if operation is None:
            return self._plain(line)
        return [*line.records, *self._ordered(operation)]

    def _ordered(self, operation: Operation) -> list[str]:
        number = operation.number
        lines = [f"  {self._merge(merge)}" for merge in self._merges.get(number, ())]
        lines.append(f"  call void @llvm.csa.inord(i1 {self.names[self._waits[number]]})")
        lines.append(f"  {operation.line.text}")
        if operation.produces:
            lines.append(f"  {self.names[Output(number)]} = call i1 @llvm.csa.outord()")
        return lines

    def _plain(self, line: Line) -> list[str]:
        return [*line.records, f"  {line.text}"]

    def _phi(self, phi: Phi) -> str:
        edges = ", ".join(
            f"[ {self.names[token]}, {self._function.blocks[before].label} ]" for before, token in phi.incoming
        )
        return f"{self.names[phi]} = phi i1 {edges}"

    def _merge(self, merge: Merge) -> str:
        inputs = ", ".join(f"i1 {self.names[token]}" for token in merge.inputs)
        return f"{self.names[merge]} = call i1 (...) @llvm.csa.all0({inputs})"

    def _error(self, line: Line, message: str) -> InputError:
        return InputError(f"{message}: {line}", self._module.path, line.line)


def write_module(module: Module, written: Mapping[str, list[str]], comments: Sequence[str]) -> str:
    """Write a module whose functions have been ordered.

    Parameters
    ----------
    module : Module
    written : mapping of str to list of str
        The lines of the functions that have been ordered; the others stay as they are.
    comments : sequence of str
        To stand first.

    Returns
    -------
    str
    """
    bodies: list[list[str]] = []
    for function in module.functions:
        bodies.append(written.get(function.name) or _unchanged(function))
    text = "\n".join(line for body in bodies for line in body)
    called = {f"@{name}(" for name in (*_INTRINSICS, *MARKERS)}
    unused = {call for call in called if call not in text}
    wanted = [line for name, line in _INTRINSICS.items() if f"@{name}(" not in unused and name not in module.declared]
    for name, space in dict.fromkeys(_PREFETCH.findall(text)):
        if name not in module.declared:
            pointer = "ptr" if space == "0" else f"ptr addrspace({space})"
            wanted.append(f"declare void @{name}({pointer}, i32, i32, i32)")
    lines: list[str] = [f"; {comment}".rstrip() for comment in comments]
    remaining = iter(bodies)
    started = False
    for part in module.parts:
        if isinstance(part, Function):
            if not started and wanted:
                lines.extend(["", *wanted])
            started = True
            lines.extend(["", *next(remaining)])
        elif not (part.startswith("declare ") and (_is_gone(part, text) or any(call in part for call in unused))):
            lines.append(part)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip("\n") + "\n"


def _is_gone(declaration: str, text: str) -> bool:
    """Tell whether a declaration is of a gated prefetch that is called no more."""
    match = re.search(r'@("?llvm\.csa\.gated\.prefetch\.(?:[^"]*"|[-\w$.]*))\(', declaration)
    return match is not None and match[0] not in text


def _unchanged(function: Function) -> list[str]:
    lines = [function.header]
    for number, block in enumerate(function.blocks):
        if block.header:
            lines.extend(["", block.header] if number else [block.header])
        for line in block.lines:
            lines.extend([*line.records, f"  {line.text}"])
    return [*lines, "}"]
