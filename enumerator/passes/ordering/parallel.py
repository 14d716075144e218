"""Loops that are marked parallel: their rounds do not wait for one another.

A loop is marked by

- the markers of a parallel region and of its sections: a loop that holds a section and not the region's entry runs
  each section's rounds in parallel;
- ``!llvm.loop`` metadata with ``llvm.loop.parallel_accesses``: all the accesses of the loop belong to the access groups
  that it names (LangRef, *llvm.loop.parallel_accesses*).
"""

from __future__ import annotations

from enumerator.frontend.llvm.metadata import Metadata
from enumerator.passes.ordering.flow import ControlFlow, Loop
from enumerator.passes.ordering.operations import MARKERS, Operation, Operations
from enumerator.passes.ordering.printed import Function, Line, Module

__all__ = ["ParallelLoops"]

_REGION_ENTRY, _, _SECTION_ENTRY, _SECTION_EXIT = MARKERS


class ParallelLoops:
    """Which pairs of operations have no order from round to round of which loops.

    Parameters
    ----------
    module : Module
    function : Function
    flow : ControlFlow
    operations : Operations
    """

    def __init__(self, module: Module, function: Function, flow: ControlFlow, operations: Operations) -> None:
        self._function = function
        self._flow = flow
        self._operations = operations
        self._metadata = Metadata()
        for line in module.outside:
            if line.startswith("!"):
                self._metadata.add(line)
        # For each operation: the headers of the loops that are parallel for it, and for what section.
        self._marked: dict[int, set[tuple[int, str]]] = {}
        self._by_metadata()
        self._by_markers()

    def shared(self, first: Operation, second: Operation) -> frozenset[int]:
        """Give the headers of the loops whose rounds run both of two operations in parallel."""
        common = self._marked.get(first.number, set()) & self._marked.get(second.number, set())
        return frozenset(header for header, _ in common)

    def _by_metadata(self) -> None:
        for loop in self._flow.loops:
            groups = self._parallel_groups(loop)
            held = [operation for operation in self._operations.ordered if operation.block in loop.blocks]
            inside = [operation for operation in held if operation.kind != "prefetch"]
            if groups and all(self._groups(operation.line) & groups for operation in inside):
                for operation in inside:
                    self._marked.setdefault(operation.number, set()).add((loop.header, ""))

    def _parallel_groups(self, loop: Loop) -> set[str]:
        """Give the access groups that all branches back to the header of a loop name."""
        found: set[str] | None = None
        for block in self._flow.predecessors[loop.header]:
            if block in loop.blocks:
                node = self._function.blocks[block].terminator.attachment("!llvm.loop")
                named: set[str] = set()
                for operand in self._metadata.operands(node):
                    parts = self._metadata.operands(operand) if operand != node else ()
                    if parts[:1] == ('!"llvm.loop.parallel_accesses"',):
                        named.update(parts[1:])
                found = named if found is None else found & named
        return found or set()

    def _groups(self, line: Line) -> set[str]:
        """Give the access groups of an instruction: one distinct node without operands, or a list of them."""
        node = line.attachment("!llvm.access.group")
        return {node, *self._metadata.operands(node)} - {""}

    def _by_markers(self) -> None:
        entries = {line.result: block for block, line in self._operations.markers if line.callee == _REGION_ENTRY}
        for block, line in self._operations.markers:
            region = self._argument(line)
            if line.callee != _SECTION_ENTRY or region not in entries:
                continue
            around = [loop for loop in self._flow.loops_around(block) if entries[region] not in loop.blocks]
            for number in self._section(block, line):
                for loop in around:
                    if self._flow_block(number) in loop.blocks:
                        self._marked.setdefault(number, set()).add((loop.header, region))

    def _argument(self, line: Line) -> str:
        """Give the last word of a marker's argument: the register that names its region or section."""
        return next((words[-1] for words in line.arguments()), "")

    def _flow_block(self, number: int) -> int:
        return next(operation.block for operation in self._operations.ordered if operation.number == number)

    def _section(self, block: int, entry: Line) -> set[int]:
        """Find the operations between a section's entry and its exits, on whatever path."""
        exits = {
            line.number
            for _, line in self._operations.markers
            if line.callee == _SECTION_EXIT and self._argument(line) == entry.result
        }
        ordered = {operation.number for operation in self._operations.ordered}
        found: set[int] = set()
        seen: set[int] = set()
        waiting = [(block, entry.number + 1)]
        while waiting:
            block, start = waiting.pop()
            for line in self._function.blocks[block].lines:
                if line.number < start:
                    continue
                if line.number in exits or line is entry:
                    break
                if line.number in ordered:
                    found.add(line.number)
            else:
                for target in self._flow.successors[block]:
                    if target not in seen:
                        seen.add(target)
                        waiting.append((target, 0))
        return found
