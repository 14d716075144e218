"""Metadata: memory model relaxation annotations (LLVM MMRA document) and the nodes that hold them."""

from __future__ import annotations

import re

from enumerator.errors import InputError
from enumerator.frontend.llvm.tokens import decode_string, tokenize
from enumerator.program.instructions import Tag

__all__ = ["Metadata"]

_NODE = re.compile(r"!(\d+) = (?:distinct )?!\{(.*)\}")


class Metadata:
    """The numbered nodes of a module."""

    def __init__(self) -> None:
        self._nodes: dict[str, str] = {}
        self._tags: dict[str, frozenset[Tag]] = {}

    def add(self, line: str) -> None:
        """Take a printed line ``!0 = !{…}``; nodes of other forms are of no interest."""
        match = _NODE.match(line)
        if match is not None:
            self._nodes["!" + match[1]] = match[2]

    def operands(self, node: str) -> tuple[str, ...]:
        """Give the operands of a node as tokens."""
        return tuple(token for token in tokenize(self._nodes.get(node, "")) if token != ",")

    def tags(self, node: str, path: str, line: int | None) -> frozenset[Tag]:
        """Give the tags of an ``!mmra`` node: one pair of strings, or a list of such pairs.

        Raises
        ------
        InputError
            If it is neither.
        """
        if node not in self._tags:
            own = self._pair(node)
            pairs = [own] if own is not None else [self._pair(operand) for operand in self.operands(node)]
            if any(pair is None for pair in pairs) or node not in self._nodes:
                raise InputError("!mmra must be a pair of strings, or a list of such pairs", path, line)
            self._tags[node] = frozenset(pair for pair in pairs if pair is not None)
        return self._tags[node]

    def string(self, token: str) -> str | None:
        """Give the text of a metadata string, or of a node that holds just one."""
        if token.startswith('!"'):
            return decode_string(token[1:])
        held = self.operands(token)
        return decode_string(held[0][1:]) if len(held) == 1 and held[0].startswith('!"') else None

    def _pair(self, node: str) -> Tag | None:
        operands = self.operands(node)
        if len(operands) != 2 or not all(operand.startswith('!"') for operand in operands):
            return None
        return Tag(decode_string(operands[0][1:]), decode_string(operands[1][1:]))
