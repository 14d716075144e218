"""Static variables that clang takes for local ones: it must not, where several threads run the function.

Where one function alone uses a static scalar and writes it first, LLVM's ``GlobalOpt`` makes a local variable of it, as
if no other thread could run that function meanwhile (its condition is that the function does not call itself). All
accesses vanish, atomic ones too, and with them what the program says. An array of few elements, or a structure, is
taken apart before that. Debug information still names such a variable.
"""

from __future__ import annotations

import re

__all__ = ["kept_in_memory", "vanished"]

_Place = tuple[str, str]
"""The name and the line of a variable."""

_VARIABLE = re.compile(r'^!(\d+) = .*!DIGlobalVariable\(name: "([^"]+)",.* line: (\d+),', re.MULTILINE)
_EXPRESSION = re.compile(r"^!(\d+) = .*!DIGlobalVariableExpression\(var: !(\d+),", re.MULTILINE)
_GLOBAL = re.compile(r"^(@\S+ = )internal (.*)$", re.MULTILINE)
_ATTACHED = re.compile(r"!dbg !(\d+)")
_ACCESS = re.compile(r" +(?:%\S+ = )?(load|store|atomicrmw|cmpxchg|getelementptr)\b.*? ptr (@[^\s,]+)")


def _places(text: str) -> dict[str, _Place]:
    """Give the variables that debug information names, by the numbers of their expressions."""
    variables = {number: (name, line) for number, name, line in _VARIABLE.findall(text)}
    return {number: variables[each] for number, each in _EXPRESSION.findall(text) if each in variables}


def vanished(text: str) -> frozenset[tuple[str, str]]:
    """Give the variables of which only debug information is left, or that have been taken apart.

    Parameters
    ----------
    text : str
        LLVM IR, with debug information.

    Returns
    -------
    frozenset of (str, str)
        Their names and lines.

    Examples
    --------
    >>> sorted(vanished('''@y = internal global i32 0, align 4, !dbg !2
    ... !0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
    ... !1 = distinct !DIGlobalVariable(name: "x", scope: !9, file: !8, line: 5, type: !7)
    ... !2 = !DIGlobalVariableExpression(var: !3, expr: !DIExpression())
    ... !3 = distinct !DIGlobalVariable(name: "y", scope: !9, file: !8, line: 6, type: !7)'''))
    [('x', '5')]
    """
    there = {number for line in text.splitlines() if line.startswith("@") for number in _ATTACHED.findall(line)}
    return frozenset(place for number, place in _places(text).items() if number not in there)


def kept_in_memory(text: str, gone: frozenset[tuple[str, str]]) -> str | None:
    """Let variables be seen outside of the program, so that they stay what they are.

    Parameters
    ----------
    text : str
        The program before it is optimized.
    gone : frozenset of (str, str)
        Those that vanish, by name and line.

    Returns
    -------
    str or None
        None where none of them is written and read by a function that other threads may run: any but ``main``.
    """
    places, accesses = _places(text), _accesses(text)

    def is_kept(line: re.Match[str]) -> bool:
        place = next((places[each] for each in _ATTACHED.findall(line[2]) if each in places), None)
        how = accesses.get(line[1].split()[0], set())
        return place in gone and how != {"load"} and how != {"store"} and bool(how)

    found = _GLOBAL.sub(lambda line: line[1] + line[2] if is_kept(line) else line[0], text)
    return None if found == text else found


def _accesses(text: str) -> dict[str, set[str]]:
    """Give how functions other than ``main`` access each variable."""
    found: dict[str, set[str]] = {}
    here = ""
    for line in text.splitlines():
        if line.startswith("define "):
            here = line.partition("@")[2].partition("(")[0]
        elif here != "main" and (access := _ACCESS.match(line)):
            found.setdefault(access[2], set()).add(access[1])
    return found
