"""Debug locations: the source lines of instructions (LangRef, DILocation)."""

from __future__ import annotations

import re
from pathlib import PurePath

from enumerator.frontend.llvm.tokens import decode_string
from enumerator.program.lines import InlinedLine

__all__ = ["DebugLocations", "SourceLines"]

_NODE = re.compile(r"(!\d+) = (?:distinct )?!(DI[A-Za-z]+)\(")
_WANTED = frozenset(
    "DILocation DISubprogram DIFile DILexicalBlock DILexicalBlockFile DICommonBlock DINamespace".split()
)
_FIELD = re.compile(r'\b(\w+): ("(?:[^"]*)"|[^,()]+)')
_OF_INSTRUCTION = re.compile(r"!dbg (!\d+)")
_DEEPEST = 64  # of nested scopes, and of inlined calls


class DebugLocations:
    """The debug metadata of a module that is needed to find the source lines of instructions.

    Examples
    --------
    >>> locations = DebugLocations()
    >>> locations.add('!1 = !DIFile(filename: "k.hip", directory: "/src")')
    >>> locations.add('!2 = distinct !DISubprogram(name: "k", scope: !1, file: !1, line: 3)')
    >>> locations.add("!3 = !DILocation(line: 7, column: 3, scope: !2)")
    >>> locations.chain("!3"), locations.subprogram("!2")
    (('k.hip:7',), 'k.hip:3')
    >>> locations.add("!4 = !DILocation(line: 0, scope: !2)")
    >>> locations.chain("!4"), locations.subprogram("!4")
    ((), None)
    """

    def __init__(self) -> None:
        self._lines: dict[str, str] = {}
        self._fields: dict[str, dict[str, str]] = {}
        self._chains: dict[str, tuple[str, ...]] = {}

    def add(self, line: str) -> None:
        """Add a printed line of metadata; other kinds of nodes are ignored."""
        match = _NODE.match(line)
        if match is not None and match[2] in _WANTED:
            self._lines[match[1]] = line[match.end() :]

    def chain(self, node: str) -> tuple[str, ...]:
        """Give the place of a ``DILocation`` as ``file:line``, then the calls that it was inlined at, innermost first.

        Parameters
        ----------
        node : str
            The node, such as ``!7`` of ``!dbg !7``.

        Returns
        -------
        tuple of str
            Empty if there is no place: compilers give line 0 to code that comes from no source line.
        """
        known = self._chains.get(node)
        if known is None:
            places: list[str] = []
            at = node
            for _ in range(_DEEPEST):
                fields = self._of(at)
                if not fields:
                    break
                line = fields.get("line", "0")
                file = self._file(fields.get("scope", ""))
                if file and line != "0":
                    places.append(f"{file}:{line}")
                at = fields.get("inlinedAt", "")
            known = self._chains[node] = tuple(places)
        return known

    def subprogram(self, node: str) -> str | None:
        """Give the place where a function is defined, as ``file:line``; None for one that a compiler has made."""
        fields = self._of(node)
        file, line = self._file(node), fields.get("line", "0")
        return f"{file}:{line}" if file and line != "0" else None

    def _file(self, scope: str) -> str | None:
        for _ in range(_DEEPEST):
            fields = self._of(scope)
            file = self._of(fields.get("file", ""))
            if "filename" in file:
                return decode_string(file["filename"])
            scope = fields.get("scope", "")
            if not scope:
                break
        return None

    def _of(self, node: str) -> dict[str, str]:
        fields = self._fields.get(node)
        if fields is None:
            text = self._lines.get(node, "")
            fields = self._fields[node] = {name: value.strip() for name, value in _FIELD.findall(text)}
        return fields


class SourceLines:
    """The lines of a file that instructions of a module come from.

    Parameters
    ----------
    debug : DebugLocations
    file : str
    printed : str
        The module as LLVM prints it.

    Examples
    --------
    >>> locations = DebugLocations()
    >>> locations.add('!1 = !DIFile(filename: "k.c", directory: "/src")')
    >>> locations.add('!2 = distinct !DISubprogram(name: "k", scope: !1, file: !1, line: 3)')
    >>> locations.add("!3 = !DILocation(line: 7, column: 3, scope: !2)")
    >>> lines = SourceLines(locations, "k.c", "")
    >>> lines("fence seq_cst, !dbg !3"), lines("fence seq_cst")
    (7, None)
    """

    def __init__(self, debug: DebugLocations, file: str, printed: str) -> None:
        self._debug, self._file = debug, PurePath(file).name
        self._of: dict[str, tuple[int, ...]] = {}
        ways: dict[int, set[tuple[int, ...]]] = {}
        for node in dict.fromkeys(re.findall(r"^  .*!dbg (!\d+)", printed, re.MULTILINE)):
            found = self._lines(node)
            if found:
                ways.setdefault(found[0], set()).add(found)
        self._copied = {line for line, some in ways.items() if len(some) > 1}

    def __call__(self, text: str) -> int | None:
        """Give the line that printed text says it comes from: the innermost of the calls that were inlined."""
        match = _OF_INSTRUCTION.search(text)
        lines = self._lines(match[1]) if match is not None else ()
        if not lines:
            return None
        return InlinedLine.of(lines[0], lines[1:]) if lines[0] in self._copied and lines[1:] else lines[0]

    def _lines(self, node: str) -> tuple[int, ...]:
        """Give the line of a node, and those of the calls that were inlined, innermost first."""
        if node not in self._of:
            places = self._debug.chain(node) or tuple(filter(None, (self._debug.subprogram(node),)))
            split = (place.rpartition(":") for place in places)
            self._of[node] = tuple(int(line) for name, _, line in split if PurePath(name).name == self._file)
        return self._of[node]
