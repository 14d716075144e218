"""Finding the parts of a printed instruction by brackets and commas, without parsing its types."""

from __future__ import annotations

import re
from collections.abc import Sequence

from enumerator.frozen import dataclass

__all__ = ["CLOSING", "OPENING", "Callee", "address_space", "callee_of", "closing", "opcode_of", "operand", "split"]

_OPCODE = re.compile(r'\s*(?:(%(?:"[^"]*"|[-\w$.\\]+)) = )?(?:(?:tail|musttail|notail) )?(\w+)')
#: Brackets, as tokens.
OPENING = frozenset("([{<")
CLOSING = frozenset(")]}>")


@dataclass(frozen=True)
class Callee:
    """The callee of a call: a function (with its sigil), a register, or inline assembly (its texts); the arguments."""

    name: str
    arguments: list[list[str]]
    assembly: tuple[str, str] | None = None
    behind: int = 0


def opcode_of(text: str) -> tuple[str | None, str]:
    """Give the register that an instruction assigns, with its sigil, and the opcode.

    Examples
    --------
    >>> opcode_of("  %x = tail call i32 @f()"), opcode_of("  ret void")
    (('%x', 'call'), (None, 'ret'))
    """
    match = _OPCODE.match(text)
    return (match[1], match[2]) if match is not None else (None, "")


def split(tokens: Sequence[str]) -> list[list[str]]:
    """Split tokens at the commas outside of all brackets.

    Examples
    --------
    >>> split(["<", "2", ",", "3", ">", ",", "ptr", "%p"])
    [['<', '2', ',', '3', '>'], ['ptr', '%p']]
    """
    parts: list[list[str]] = [[]]
    depth = 0
    for token in tokens:
        if token in OPENING:
            depth += 1
        elif token in CLOSING:
            depth -= 1
        if token == "," and depth == 0:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts if len(parts) > 1 or parts[0] else []


def closing(tokens: Sequence[str], index: int) -> int:
    """Give the index after the bracketed group that opens at an index."""
    depth = 0
    while index < len(tokens):
        token = tokens[index]
        index += 1
        if token in OPENING:
            depth += 1
        elif token in CLOSING:
            depth -= 1
        if depth == 0:
            break
    return index


def address_space(tokens: Sequence[str]) -> int | None:
    """Give the address space of the pointer type (or vector of pointers) that tokens begin with; None for other types.

    Examples
    --------
    >>> address_space(["ptr", "addrspace", "(", "3", ")", "%p"]), address_space(["ptr", "%p"]), address_space(["i32"])
    (3, 0, None)
    """
    start = 0
    if tokens[:1] == ["<"]:
        words = list(tokens[:6])
        if "ptr" not in words:
            return None
        start = words.index("ptr")
    if tokens[start : start + 1] != ["ptr"]:
        return None
    if tokens[start + 1 : start + 3] == ["addrspace", "("] and tokens[start + 3].isdecimal():
        return int(tokens[start + 3])
    return 0


def operand(tokens: Sequence[str]) -> str:
    """Give the register or global variable of an operand, without its type, attributes, and constant expressions.

    Examples
    --------
    >>> operand(["ptr", "noundef", "%p"])
    '%p'
    >>> operand("ptr addrspacecast ( ptr addrspace ( 3 ) @x to ptr )".split())
    '@x'
    """
    inner = ""
    depth = 0
    for token in tokens:
        if token in OPENING:
            depth += 1
        elif token in CLOSING:
            depth -= 1
        elif token[0] in "@%":
            if depth == 0:
                return token
            if token[0] == "@" and not inner:
                inner = token
    return inner


def callee_of(tokens: Sequence[str]) -> Callee:
    """Find what a call, invoke or callbr calls.

    Parameters
    ----------
    tokens : sequence of str
        The tokens after the opcode.

    Examples
    --------
    >>> callee_of("i32 ( ptr , ... ) @f ( i32 1 ) # 3".split()).name
    '@f'
    """
    index = 0
    last: tuple[str, int] | None = None
    while index < len(tokens):
        token = tokens[index]
        if token == "asm":
            return _assembly(tokens, index + 1)
        if token in OPENING:
            end = closing(tokens, index)
            before = tokens[index - 1] if index else ""
            if token == "(" and before[:1] in ("@", "%") and tokens[end : end + 1] != ["*"]:
                last = (before, index)
                if not (tokens[end : end + 1] and tokens[end][0] in "@%"):
                    break
            elif token == "(" and before in ("inttoptr", "addrspacecast", "bitcast", "getelementptr"):
                last = ("", end)  # through a constant expression
                if tokens[end : end + 1] == ["("]:
                    break
            index = end
        else:
            index += 1
    if last is None or tokens[last[1] : last[1] + 1] != ["("]:
        return Callee("", [], behind=len(tokens))
    end = closing(tokens, last[1])
    return Callee(last[0], split(tokens[last[1] + 1 : end - 1]), behind=end)


def _assembly(tokens: Sequence[str], index: int) -> Callee:
    while index < len(tokens) and not tokens[index].startswith('"'):
        index += 1
    text = tokens[index][1:-1] if index < len(tokens) else ""
    constraints = tokens[index + 2][1:-1] if index + 2 < len(tokens) else ""
    end = closing(tokens, index + 3)
    return Callee("", split(tokens[index + 4 : end - 1]), (text, constraints), end)
