"""The original text of a module: its comments, and where things stand.

LLVM prints a module in its own words: it renumbers unnamed values and drops comments and layout. The original is
therefore scanned for the beginnings of functions and instructions, which correspond one to one, in order, to
those that were printed. Where they do not, positions are unknown.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from enumerator.frontend.directives import Comment

__all__ = ["PrintedBlock", "Source", "SourceFunction", "align", "scan"]

_OPCODES = frozenset(
    """ret br switch indirectbr invoke callbr resume unreachable cleanupret catchret catchswitch catchpad cleanuppad
    landingpad fneg add fadd sub fsub mul fmul udiv sdiv fdiv urem srem frem shl lshr ashr and or xor
    extractelement insertelement shufflevector extractvalue insertvalue alloca load store fence cmpxchg atomicrmw
    getelementptr trunc zext sext fptrunc fpext fptoui fptosi uitofp sitofp ptrtoint ptrtoaddr inttoptr bitcast
    addrspacecast icmp fcmp phi select freeze call va_arg""".split()
)

# Between the opcode of a constant expression and its parenthesis.
_FLAGS = frozenset("inbounds nusw nuw nsw exact disjoint inrange".split())

_TOKEN = re.compile(
    r"""(?P<comment>;[^\n\r]*|/\*(?:.*?\*/|.*))
    |(?P<label>(?:"[^"]*"|(?<![-a-zA-Z$._0-9])[-a-zA-Z$._0-9]+):)
    |(?P<name>[%@](?:"[^"]*"|[-a-zA-Z$._0-9]+))
    |(?P<word>[a-zA-Z_][\w.]*)
    |(?P<other>[!$c]?"[^"]*"|[!#][-\w$.\\]+|-?\d[\w.+]*)
    |(?P<mark>[(){}\[\]<>=,])""",
    re.VERBOSE | re.ASCII | re.DOTALL,
)

_PRINTED_OPCODE = re.compile(r'\s*(?:%(?:"[^"]*"|\S+) = )?(?:(?:tail|musttail|notail) )?(\w+)')

_OPENING = frozenset("([{<")
_CLOSING = frozenset(")]}>")


@dataclass(frozen=True)
class SourceInstruction:
    """An instruction: its opcode, line, the name it assigns, and the label before it (None where there is none)."""

    opcode: str
    line: int
    target: str | None
    label: str | None


@dataclass
class SourceFunction:
    """A function with a body: its name, line, the names of its parameters (None for unnamed), instructions."""

    name: str
    line: int
    parameters: list[str | None] = field(default_factory=list)
    instructions: list[SourceInstruction] = field(default_factory=list)


@dataclass
class Source:
    """A scanned module.

    Parameters
    ----------
    comments : list of Comment
        Those that stand at the start of a line.
    functions : list of SourceFunction
    variables : dict of str to int
        Lines of the global variables, by name with the sigil.
    function_names : list of str
        Names of all functions, declared ones included, in order.
    """

    comments: list[Comment] = field(default_factory=list)
    functions: list[SourceFunction] = field(default_factory=list)
    variables: dict[str, int] = field(default_factory=dict)
    function_names: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class PrintedBlock:
    """A block as LLVM printed it: its label (None for an entry without one) and the text of each instruction."""

    label: str | None
    instructions: list[str]


_Token = tuple[str, str, int]  # kind, text, position
_LineOf = Callable[[int], int]


def scan(text: str) -> Source:
    r"""Scan the text of a module that LLVM accepts.

    Examples
    --------
    >>> source = scan("; title\n@x = global i32 0\ndefine void @f() {\n  store i32 1, ptr @x\n  ret void }")
    >>> source.comments[0].text, source.variables, [each.line for each in source.functions[0].instructions]
    ('title', {'@x': 2}, [4, 5])
    """
    source = Source()
    starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def line_of(position: int) -> int:
        return bisect_right(starts, position)

    tokens: list[_Token] = []
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or ""
        if kind != "comment":
            tokens.append((kind, match[0], match.start()))
        elif match[0][0] == ";":
            line = line_of(match.start())
            if not text[starts[line - 1] : match.start()].rpartition("\r")[2].strip():
                inner = match[0].lstrip(";")
                told = inner.strip()
                column = match.end() - len(inner.lstrip()) - starts[line - 1] + 1
                source.comments.append(Comment(told, line, column))
    index = 0
    depth = 0
    while index < len(tokens):
        kind, token, position = tokens[index]
        index += 1
        if token in _OPENING:
            depth += 1
        elif token in _CLOSING:
            depth -= 1
        elif depth == 0 and token in ("define", "declare"):
            index = _function(tokens, index, token == "define", position, line_of, source)
        elif depth == 0 and kind == "name" and token[0] == "@" and tokens[index : index + 1]:
            follows = tokens[index : index + 12]
            words = [each for each_kind, each, _ in follows if each_kind == "word"]
            if follows[0][1] == "=" and not {"alias", "ifunc"} & set(words[:8]):
                source.variables[token] = line_of(position)
    return source


def align(
    blocks: Sequence[PrintedBlock], parameters: Sequence[str], source: SourceFunction | None
) -> tuple[list[int | None], dict[str, str]]:
    """Find where the printed instructions of a function stand in the original, and how they were numbered there.

    Parameters
    ----------
    blocks : sequence of PrintedBlock
    parameters : sequence of str
        Printed names of the parameters.
    source : SourceFunction or None

    Returns
    -------
    lines : list of (int or None)
        For each instruction in order; all None if the two do not correspond.
    renamed : dict of str to str
        Original numbers of the unnamed values whose printed number differs.
    """
    printed = [text for block in blocks for text in block.instructions]
    unknown: list[int | None] = [None] * len(printed)
    if source is None or len(printed) != len(source.instructions) or len(parameters) != len(source.parameters):
        return unknown, {}
    if any(_opcode(text) != part.opcode for text, part in zip(printed, source.instructions, strict=True)):
        return unknown, {}
    counter = _Counter()
    for name, original in zip(parameters, source.parameters, strict=True):
        counter.meet(name, original)
    parts = iter(source.instructions)
    for block in blocks:
        for position, text in enumerate(block.instructions):
            part = next(parts)
            if position == 0 and (block.label is None or block.label.isdigit()):
                counter.meet(block.label or str(counter.printed), part.label, register=False)
            target = re.match(r"\s*%(\d+) =", text)
            if target is not None:
                counter.meet(target[1], part.target)
    return [part.line for part in source.instructions], counter.renamed


class _Counter:
    """Follows the numbers of unnamed values in the printed text and in the original, which may leave gaps."""

    def __init__(self) -> None:
        self.printed = 0
        self._original = 0
        self.renamed: dict[str, str] = {}

    def meet(self, printed: str, original: str | None, *, register: bool = True) -> None:
        if not printed.isdigit():
            return
        if original is not None and original.isdigit() and len(original) < 10:
            self._original = int(original)
        if register and str(self._original) != printed:
            self.renamed[printed] = str(self._original)
        self.printed = int(printed) + 1
        self._original += 1


def _opcode(text: str) -> str:
    match = _PRINTED_OPCODE.match(text)
    return match[1] if match is not None else ""


def _function(tokens: list[_Token], index: int, body: bool, position: int, line_of: _LineOf, source: Source) -> int:
    """Scan a function from behind its ``define`` or ``declare``; gives the index behind it."""
    while index < len(tokens) and not (tokens[index][0] == "name" and tokens[index][1][0] == "@"):
        index += 1
    if index >= len(tokens):
        return index
    name = tokens[index][1]
    source.function_names.append(name)
    function = SourceFunction(name, line_of(position))
    index += 1
    if index < len(tokens) and tokens[index][1] == "(":
        index = _parameters(tokens, index + 1, function)
    if not body:
        return index
    source.functions.append(function)
    while index < len(tokens) and tokens[index][1] != "{":
        index += 1
    return _body(tokens, index + 1, line_of, function)


def _parameters(tokens: list[_Token], index: int, function: SourceFunction) -> int:
    depth, seen, name = 1, 0, None
    while index < len(tokens) and depth:
        kind, token, _ = tokens[index]
        index += 1
        if depth == 1 and (token == "," or token == ")"):
            if seen:
                function.parameters.append(name)
            seen, name = 0, None
        elif depth == 1 and kind == "name" and seen:
            name = token[1:]
        if token in _OPENING:
            depth += 1
        elif token in _CLOSING:
            depth -= 1
        if token != ",":
            seen += 1
    return index


def _body(tokens: list[_Token], index: int, line_of: _LineOf, function: SourceFunction) -> int:
    depth = 0
    label: str | None = None
    target: tuple[str, int] | None = None
    debug = False
    while index < len(tokens):
        kind, token, position = tokens[index]
        index += 1
        if token in _OPENING:
            depth += 1
        elif token in _CLOSING:
            depth -= 1
            if depth < 0:
                return index
        elif depth:
            continue
        elif kind == "label":
            label = token[:-1]
        elif kind == "name" and index < len(tokens) and tokens[index][1] == "=":
            target = (token[1:], position)
        elif kind == "name" and token.startswith("@llvm.dbg.") and function.instructions:
            debug = function.instructions[-1].opcode == "call"
            if debug:  # LLVM turns calls of debug intrinsics into records, which are no instructions
                label = function.instructions.pop().label
        elif kind == "word" and token in _OPCODES and _is_instruction(tokens, index - 1):
            name, start = target if target is not None else (None, position)
            function.instructions.append(SourceInstruction(token, line_of(start), name, label))
            label = target = None
    return index


def _is_instruction(tokens: list[_Token], index: int) -> bool:
    """Tell an instruction's opcode from that of a constant expression and from the operation of an atomicrmw."""
    before = [tokens[place][1] for place in (index - 1, index - 2) if place >= 0]
    if before[:1] == ["atomicrmw"] or before == ["volatile", "atomicrmw"]:
        return False
    index += 1
    while index < len(tokens) and tokens[index][1] in _FLAGS:
        index += 1
    return index < len(tokens) and tokens[index][1] != "("
