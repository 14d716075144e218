"""Constant expressions of an older LLVM than the one at hand: what it no longer computes becomes instructions.

They stand in the entry block of their function, in the line where it begins, so that lines stay as they are.
"""

from __future__ import annotations

import re

__all__ = ["without_removed"]

_OPERATORS = "and|or|shl|lshr|ashr|mul|[us]div|[us]rem|zext|sext"
_FLAGS = r"(?: (?:nuw|nsw|exact|inbounds|eq|ne|[us][gl][te]|[ou][a-z]{2}))*"
_REMOVED = re.compile(rf"(?<![%@\w.$-])(?:{_OPERATORS}|icmp|fcmp|select){_FLAGS} *\(")
_EXPRESSION = re.compile(
    rf"(?<![%@\w.$-])(?P<operator>{_OPERATORS}|icmp|fcmp|select|xor|add|sub|getelementptr|trunc|ptrtoint|inttoptr|bitcast"
    rf"|addrspacecast)(?P<how>{_FLAGS}) *\("
)
_CASTS = frozenset("trunc zext sext ptrtoint inttoptr bitcast addrspacecast".split())
_BRACKETS = {"(": 1, "[": 1, "{": 1, "<": 1, ")": -1, "]": -1, "}": -1, ">": -1}
_PARTS = re.compile(r'"[^"]*"|[()\[\]{}<>,]')


def without_removed(text: str) -> str:
    """Write constant expressions that LLVM has removed as instructions.

    Parameters
    ----------
    text : str
        A module.

    Returns
    -------
    str
        The same module if there are none in its functions.

    Examples
    --------
    >>> print(without_removed("define i64 @f() {\\nret i64 and (i64 ptrtoint (ptr @x to i64), i64 7)\\n}"))
    define i64 @f() { %enumerator.constant.1 = and i64 ptrtoint (ptr @x to i64), 7
    ret i64 %enumerator.constant.1
    }
    """
    lines, begin, known = text.split("\n"), -1, dict[str, str]()
    for number, line in enumerate(lines):
        if line.startswith("define "):
            begin, known = number, {}
        elif line == "}" and begin >= 0:
            _begin_with(lines, begin, known)
            begin = -1
        elif begin >= 0 and _REMOVED.search(line):
            lines[number] = _hoisted(line, known)
    return "\n".join(lines)


def _begin_with(lines: list[str], begin: int, known: dict[str, str]) -> None:
    """Put instructions, each by what it computes, in front of those of a function."""
    if not known:
        return
    while not lines[begin].split(";")[0].rstrip().endswith("{"):
        begin += 1
    first = next(number for number in range(begin + 1, len(lines)) if lines[number].split(";")[0].strip())
    label = re.match(r'(?:[-\w.$]+|"[^"]*"):', lines[first])
    made = "".join(f" {name} = {how}" for how, name in known.items())
    if label is None:
        lines[begin] = lines[begin].split(";")[0].rstrip() + made
    else:
        lines[first] = lines[first][: label.end()] + made + lines[first][label.end() :]


def _hoisted(text: str, known: dict[str, str]) -> str:
    """Replace expressions in which there is something that LLVM has removed by registers."""
    done, at = [], 0
    while (match := _EXPRESSION.search(text, at)) is not None:
        arguments, end = _arguments(text, match.end())
        done.append(text[at : match.start()])
        if _REMOVED.search(text[match.start() : end]):
            how = _instruction(match["operator"], match["how"], [_hoisted(each, known) for each in arguments])
            done.append(known.setdefault(how, f"%enumerator.constant.{len(known) + 1}"))
        else:
            done.append(text[match.start() : end])
        at = end
    return "".join(done) + text[at:]


def _instruction(operator: str, how: str, arguments: list[str]) -> str:
    """Write an expression as an instruction: of operands of one type, that stands there once."""
    if operator not in _CASTS and operator not in ("select", "getelementptr"):
        arguments[1] = arguments[1].split(" ", 1)[1]  # integers and pointers only have a type of one word
    return f"{operator}{how} {', '.join(arguments)}"


def _arguments(text: str, at: int) -> tuple[list[str], int]:
    """Give what stands between parentheses, the first of which is just before a place, and the place behind them."""
    found, depth, begin = list[str](), 1, at
    for match in _PARTS.finditer(text, at):
        depth += _BRACKETS.get(match[0], 0)
        if depth == 0 or (depth == 1 and match[0] == ","):
            found.append(text[begin : match.start()].strip())
            begin = match.end()
        if depth == 0:
            break
    return found, begin
