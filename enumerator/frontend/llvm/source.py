"""The original text of a module: its comments, and where things stand.

LLVM prints a module in its own words: it renumbers unnamed values and drops comments and layout. The original is
therefore scanned for the beginnings of functions and instructions, which correspond one to one, in order, to
those that were printed. Where they do not, positions are unknown.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import field

from enumerator.frontend.directives import Comment
from enumerator.frontend.llvm.syntax import CLOSING, OPENING, opcode_of
from enumerator.frozen import dataclass

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
    r"""\n
    |;[^\n\r]*|/\*(?:.*?\*/|.*)                                             # comments
    |(?:"[^"]*"|(?<![-a-zA-Z$._0-9])[-a-zA-Z$._0-9]+):                      # labels
    |[%@](?:"[^"]*"|[-a-zA-Z$._0-9]+)                                       # names
    |[a-zA-Z_][\w.]*                                                        # words
    |[!$]?"[^"]*"|[!#][-\w$.\\]+|-?\d[\w.+]*                                # texts, metadata, numbers
    |[(){}\[\]<>=,]""",
    re.VERBOSE | re.ASCII | re.DOTALL,
)

_COMMENT = re.compile(r'"[^"]*"|;[^\n\r]*|/\*(?:.*?\*/|.*)', re.DOTALL)
"""Comments, and texts, in which there are none."""


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


@dataclass
class _Tokens:
    """The tokens of a module without comments, each with its line."""

    texts: list[str]
    lines: list[int]


def scan(text: str) -> Source:
    r"""Scan the text of a module that LLVM accepts.

    Examples
    --------
    >>> source = scan("; title\n@x = global i32 0\ndefine void @f() {\n  store i32 1, ptr @x\n  ret void }")
    >>> source.comments[0].text, source.variables, [each.line for each in source.functions[0].instructions]
    ('title', {'@x': 2}, [4, 5])
    """
    source = Source(comments=_comments(text))
    tokens = _tokens(text)
    texts, lines = tokens.texts, tokens.lines
    index = 0
    depth = 0
    while index < len(texts):
        token = texts[index]
        index += 1
        if token in OPENING:
            depth += 1
        elif token in CLOSING:
            depth -= 1
        elif depth:
            continue
        elif token == "define" or token == "declare":
            index = _function(tokens, index, token == "define", lines[index - 1], source)
        elif token[0] == "@" and texts[index : index + 1] == ["="]:
            words = [each for each in texts[index : index + 12] if _is_word(each)]
            if not {"alias", "ifunc"} & set(words[:8]):
                source.variables[token] = lines[index - 1]
    return source


def _tokens(text: str) -> _Tokens:
    texts: list[str] = []
    lines: list[int] = []
    line = 1
    for token in _TOKEN.findall(text):
        if token == "\n":
            line += 1
            continue
        if token[0] != ";" and token[0] != "/":
            texts.append(token)
            lines.append(line)
        if "\n" in token:
            line += token.count("\n")
    return _Tokens(texts, lines)


def _comments(text: str) -> list[Comment]:
    """Give the comments that stand at the start of a line."""
    found: list[Comment] = []
    line, counted = 1, 0
    for match in _COMMENT.finditer(text):
        if match[0][0] == ";":
            start = text.rfind("\n", 0, match.start()) + 1
            if not text[start : match.start()].rpartition("\r")[2].strip():
                line, counted = line + text.count("\n", counted, start), start
                inner = match[0].lstrip(";")
                found.append(Comment(inner.strip(), line, match.end() - len(inner.lstrip()) - start + 1))
    return found


def _is_word(token: str) -> bool:
    return (token[0].isalpha() or token[0] == "_") and token[-1] != ":"


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
    if any(opcode_of(text)[1] != part.opcode for text, part in zip(printed, source.instructions, strict=True)):
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


def _function(tokens: _Tokens, index: int, body: bool, line: int, source: Source) -> int:
    """Scan a function from behind its ``define`` or ``declare``; gives the index behind it."""
    texts = tokens.texts
    while index < len(texts) and texts[index][0] != "@":
        index += 1
    if index >= len(texts):
        return index
    name = texts[index]
    source.function_names.append(name)
    function = SourceFunction(name, line)
    index += 1
    if index < len(texts) and texts[index] == "(":
        index = _parameters(texts, index + 1, function)
    if not body:
        return index
    source.functions.append(function)
    while index < len(texts) and texts[index] != "{":
        index += 1
    return _body(tokens, index + 1, function)


def _parameters(texts: list[str], index: int, function: SourceFunction) -> int:
    depth, seen, name = 1, 0, None
    while index < len(texts) and depth:
        token = texts[index]
        index += 1
        if depth == 1 and (token == "," or token == ")"):
            if seen:
                function.parameters.append(name)
            seen, name = 0, None
        elif depth == 1 and seen and token[0] in "%@" and token[-1] != ":":
            name = token[1:]
        if token in OPENING:
            depth += 1
        elif token in CLOSING:
            depth -= 1
        if token != ",":
            seen += 1
    return index


def _body(tokens: _Tokens, index: int, function: SourceFunction) -> int:
    texts, lines = tokens.texts, tokens.lines
    depth = 0
    label: str | None = None
    target: tuple[str, int] | None = None
    while index < len(texts):
        token = texts[index]
        index += 1
        if token in OPENING:
            depth += 1
        elif token in CLOSING:
            depth -= 1
            if depth < 0:
                return index
        elif depth:
            continue
        elif token[-1] == ":":
            label = token[:-1]
        elif token in _OPCODES:
            if _is_instruction(texts, index - 1):
                name, line = target if target is not None else (None, lines[index - 1])
                function.instructions.append(SourceInstruction(token, line, name, label))
                label = target = None
        elif token[0] in "%@":
            if index < len(texts) and texts[index] == "=":
                target = (token[1:], lines[index - 1])
            elif token.startswith("@llvm.dbg.") and function.instructions:
                if function.instructions[-1].opcode == "call":
                    # LLVM turns calls of debug intrinsics into records, which are no instructions
                    label = function.instructions.pop().label
    return index


def _is_instruction(texts: list[str], index: int) -> bool:
    """Tell an instruction's opcode from that of a constant expression and from the operation of an atomicrmw."""
    if index and texts[index - 1] in ("atomicrmw", "volatile"):
        if texts[index - 1] == "atomicrmw" or texts[index - 2 : index - 1] == ["atomicrmw"]:
            return False
    index += 1
    while index < len(texts) and texts[index] in _FLAGS:
        index += 1
    return index < len(texts) and texts[index] != "("
