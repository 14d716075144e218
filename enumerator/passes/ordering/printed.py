"""A module of LLVM IR as text that can be taken apart and written again.

LLVM prints one instruction a line, in an order and layout of its own. Ordering passes only put calls between
instructions, so they work on these lines: whatever a function holds besides memory operations is carried along as it
stands, covered by the checker or not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import field
from functools import cached_property

from enumerator.frontend.llvm.process import canonical_text
from enumerator.frontend.llvm.source import PrintedBlock, Source, align, scan
from enumerator.frontend.llvm.syntax import closing, split
from enumerator.frontend.llvm.tokens import Cursor, decode_name, tokenize
from enumerator.frozen import dataclass

__all__ = ["Block", "Function", "Line", "Module", "Parameter", "read_module"]

_LABEL = re.compile(r'("[^"]*"|[-\w$.]+):')
_CALL_MARKERS = frozenset(("tail", "musttail", "notail"))


@dataclass(frozen=True)
class Line:
    """An instruction.

    Parameters
    ----------
    number : int
        Counted from 0 within the function.
    text : str
        As LLVM prints it, without the indentation of its first line.
    line : int or None
        Where it stands in the original text.
    records : tuple of str
        The debug records that LLVM prints before it.
    """

    number: int
    text: str
    line: int | None = None
    records: tuple[str, ...] = ()

    @cached_property
    def tokens(self) -> list[str]:
        """The tokens of the text."""
        return tokenize(self.text)

    @cached_property
    def result(self) -> str:
        """The register that it assigns, with the ``%``; empty if there is none."""
        return self.tokens[0] if self.tokens[1:2] == ["="] else ""

    @cached_property
    def opcode(self) -> str:
        """Its opcode; ``call`` for tail calls, too."""
        word = self.tokens[2 if self.result else 0]
        return "call" if word in _CALL_MARKERS else word

    @cached_property
    def callee(self) -> str:
        """The name of the function that a call names, without the ``@``; empty for indirect calls and assembly."""
        if self.opcode != "call":
            return ""
        depth = 0
        for place, token in enumerate(self.tokens):
            if depth == 0 and token.startswith("@") and self.tokens[place + 1 : place + 2] == ["("]:
                return decode_name(token)
            depth += (token in ("(", "[", "{", "<")) - (token in (")", "]", "}", ">"))
        return ""

    def operands(self) -> Cursor:
        """Give the tokens behind the opcode."""
        place = 2 if self.result else 0
        return Cursor(self.tokens, place + (2 if self.tokens[place] in _CALL_MARKERS else 1))

    def arguments(self) -> list[list[str]]:
        """Give the tokens of each argument of a direct call."""
        pairs = zip(self.tokens, self.tokens[1:], strict=False)
        start = next(place for place, (token, after) in enumerate(pairs) if token.startswith("@") and after == "(") + 1
        return split(self.tokens[start + 1 : closing(self.tokens, start) - 1])

    def attachment(self, kind: str) -> str:
        """Give the metadata node that is attached as `kind` (``!llvm.loop``); empty if there is none."""
        return next((self.tokens[place + 1] for place, token in enumerate(self.tokens[:-1]) if token == kind), "")

    def __str__(self) -> str:
        return " ".join(self.text.split())


@dataclass
class Block:
    """A block: its label as ``phi`` and ``br`` write it, the line that LLVM prints for it, and its instructions."""

    label: str
    header: str
    lines: list[Line] = field(default_factory=list)

    @property
    def terminator(self) -> Line:
        return self.lines[-1]

    def successors(self) -> list[str]:
        """Give the labels that the terminator names, each as often as it does."""
        tokens = self.terminator.tokens
        return [tokens[place + 1] for place, token in enumerate(tokens[:-1]) if token == "label"]


@dataclass(frozen=True)
class Parameter:
    """A parameter: its name with the ``%``, and the words of its type and attributes."""

    name: str
    words: tuple[str, ...]


@dataclass
class Function:
    """A function with a body."""

    name: str
    header: str
    parameters: tuple[Parameter, ...]
    blocks: list[Block]
    line: int | None = None

    def lines(self) -> Iterable[Line]:
        """Give all instructions in order."""
        return (line for block in self.blocks for line in block.lines)

    @cached_property
    def definitions(self) -> dict[str, Line]:
        """The instruction that assigns each register."""
        return {line.result: line for line in self.lines() if line.result}


@dataclass
class Module:
    """A module: lines of text and functions, in the order of the text.

    Parameters
    ----------
    parts : list of (str or Function)
        What stands outside functions is kept line by line.
    source : Source
        The scanned original.
    path : str
    renumbered : bool
        LLVM has given other numbers to unnamed values than the original.
    """

    parts: list[str | Function]
    source: Source
    path: str
    renumbered: bool = False

    @property
    def functions(self) -> list[Function]:
        return [part for part in self.parts if isinstance(part, Function)]

    @property
    def outside(self) -> list[str]:
        """The lines outside functions."""
        return [part for part in self.parts if isinstance(part, str)]

    @cached_property
    def declared(self) -> dict[str, str]:
        """The lines that declare functions, by name."""
        lines = [line for line in self.outside if line.startswith("declare ")]
        return {decode_name(next(token for token in tokenize(line) if token[0] == "@")): line for line in lines}


def read_module(text: str, path: str) -> Module:
    r"""Let LLVM read a module, and take apart what it prints.

    Parameters
    ----------
    text : str
        LLVM IR.
    path : str
        For error messages.

    Returns
    -------
    Module

    Raises
    ------
    InputError
        If LLVM rejects it.

    Examples
    --------
    >>> module = read_module("define void @f(ptr %p) {\n  store i32 1, ptr %p\n  ret void\n}", "f.ll")
    >>> [str(line) for line in module.functions[0].lines()]
    ['store i32 1, ptr %p, align 4', 'ret void']
    """
    printed = canonical_text(text, path).split("\n")
    source = scan(text)
    originals = {function.name: function for function in source.functions}
    parts: list[str | Function] = []
    renumbered = False
    place = 0
    while place < len(printed):
        line = printed[place]
        place += 1
        if not line.startswith("define "):
            if not line.startswith(("; ModuleID", "; Unknown intrinsic", "source_filename")):
                parts.append(line)
            continue
        end = printed.index("}", place)
        function = _function(line, printed[place:end])
        place = end + 1
        original = originals.get("@" + function.name) or originals.get(f'@"{function.name}"')
        blocks = [
            PrintedBlock(block.header and block.label[1:], [f"  {line.text}" for line in block.lines])
            for block in function.blocks
        ]
        lines, renamed = align(blocks, [parameter.name[1:] for parameter in function.parameters], original)
        for block in function.blocks:
            block.lines = [Line(each.number, each.text, lines[each.number], each.records) for each in block.lines]
        renumbered |= bool(renamed)
        function.line = original.line if original is not None else None
        parts.append(function)
    return Module(parts, source, path, renumbered)


def _function(header: str, body: list[str]) -> Function:
    tokens = tokenize(header)
    place = next(index for index, token in enumerate(tokens) if token.startswith("@"))
    parameters = _parameters(tokens, place + 1)
    entry = "%" + str(sum(parameter.name[1:].isdigit() for parameter in parameters))
    blocks = [Block(entry, "")]
    texts: list[str] = []
    records: list[str] = []
    number = 0

    def finish() -> None:
        nonlocal number
        if texts:
            blocks[-1].lines.append(Line(number, "\n".join(texts), None, tuple(records)))
            number += 1
            texts.clear()
            records.clear()

    waiting: list[str] = []  # records of the instruction that comes next
    for line in body:
        if not line or line[0] == ";":
            continue
        if line[0] != " ":
            match = _LABEL.match(line)
            assert match is not None, line
            finish()
            block = Block("%" + match[1], f"{match[1]}:")
            if blocks[-1].lines:
                blocks.append(block)
            else:
                blocks[-1] = block
        elif line.startswith("    #dbg_"):
            waiting.append(line)
        elif line[2:3] in (" ", "]"):
            texts.append(line)
        else:
            finish()
            texts.append(line[2:])
            records.extend(waiting)
            waiting.clear()
    finish()
    return Function(decode_name(tokens[place]), header, parameters, blocks)


def _parameters(tokens: list[str], place: int) -> tuple[Parameter, ...]:
    """Read the parameters of a function that is defined: each has a name, which stands last."""
    parts = split(tokens[place + 1 : closing(tokens, place) - 1])
    return tuple(Parameter(words[-1], tuple(words[:-1])) for words in parts if words != ["..."] and words[0] != ".")
