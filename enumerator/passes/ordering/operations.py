"""What dataflow ordering is about: the memory operations of a function, its tokens and its markers.

Semantics, section 6: loads (except from constant memory), stores, atomics, ``ret``, calls other than intrinsics, and
prefetches are ordered; a gated prefetch is not, it expands after ordering. Neither is a fence: the order of memory
operations is that of their tokens.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property

from enumerator.errors import InputError
from enumerator.frontend.llvm.intrinsics import is_identity, is_ignored
from enumerator.frozen import dataclass
from enumerator.passes.ordering.flow import ControlFlow
from enumerator.passes.ordering.pointers import Access, Pointers
from enumerator.passes.ordering.printed import Function, Line, Module

__all__ = ["MARKERS", "TOKENS", "Operation", "Operations", "is_gated_prefetch", "prefetch_operands"]

#: The intrinsics that make, merge and take tokens.
TOKENS = ("llvm.csa.mementry", "llvm.csa.inord", "llvm.csa.outord", "llvm.csa.all0")

#: Those that mark parallel regions and their sections; ordering deletes them.
MARKERS = tuple(f"llvm.csa.parallel.{what}.{end}" for what in ("region", "section") for end in ("entry", "exit"))

_GATED = "llvm.csa.gated.prefetch."

_WRITES = frozenset(("store", "atomicrmw", "cmpxchg"))
_READS = frozenset(("load", "atomicrmw", "cmpxchg"))
_NOT_COVERED = frozenset(
    "invoke callbr resume cleanupret catchret catchswitch catchpad cleanuppad landingpad va_arg".split()
)


@dataclass(frozen=True, eq=False)
class Operation:
    """An operation that is ordered.

    Parameters
    ----------
    number : int
        Of its line in the function.
    block : int
    line : Line
    kind : {'load', 'store', 'atomicrmw', 'cmpxchg', 'call', 'prefetch', 'ret'}
    access : Access or None
        What it touches; None for what may touch everything.
    write_prefetch : bool
    """

    number: int
    block: int
    line: Line
    kind: str
    access: Access | None
    write_prefetch: bool = False

    @property
    def reads(self) -> bool:
        """Whether it may load; a call may."""
        return self.kind in _READS or self.kind == "call"

    @property
    def writes(self) -> bool:
        """Whether it may store; a call may."""
        return self.kind in _WRITES or self.kind == "call"

    @property
    def touches_everything(self) -> bool:
        """Whether it conflicts with every other operation: calls and ``ret`` do."""
        return self.kind in ("call", "ret")

    @property
    def produces(self) -> bool:
        """Whether it has an output; all but ``ret`` do."""
        return self.kind != "ret"

    def conflicts(self, other: Operation) -> bool:
        """Tell whether two operations may touch the same location, one of them writing it."""
        if self.touches_everything or other.touches_everything:
            return True
        return (self.writes or other.writes) and self.aliases(other)

    def aliases(self, other: Operation) -> bool:
        """Tell whether two operations may touch the same location."""
        return self.access is None or other.access is None or self.access.may_alias(other.access)


class Operations:
    """The operations of a function that are ordered, and the calls that concern ordering.

    Parameters
    ----------
    module : Module
    function : Function
    flow : ControlFlow

    Attributes
    ----------
    ordered : list of Operation
        In the order of the text.
    gated : list of Line
        Gated prefetches.
    markers : list of (int, Line)
        Markers of parallel regions and sections, with their blocks.
    tokens : list of Line
        Calls of the token intrinsics.

    Raises
    ------
    InputError
        For an instruction that touches memory and that ordering does not cover.
    """

    def __init__(self, module: Module, function: Function, flow: ControlFlow) -> None:
        self._module = module
        self._pointers = Pointers(module, function, flow)
        self.ordered: list[Operation] = []
        self.gated: list[Line] = []
        self.markers: list[tuple[int, Line]] = []
        self.tokens: list[Line] = []
        for number, block in enumerate(function.blocks):
            for line in block.lines:
                self._classify(number, line)

    @cached_property
    def by_block(self) -> dict[int, list[Operation]]:
        """The operations of each block that has some, in order."""
        found: dict[int, list[Operation]] = {}
        for operation in self.ordered:
            found.setdefault(operation.block, []).append(operation)
        return found

    def _classify(self, block: int, line: Line) -> None:
        opcode = line.opcode
        if opcode in _NOT_COVERED:
            raise self._error(line, f"{opcode} is not covered by ordering")
        if opcode == "call":
            self._call(block, line)
        elif opcode in _READS or opcode in _WRITES:
            access = self._pointers.access(line)
            if not (opcode == "load" and access is not None and access.constant):
                self._add(block, line, opcode, access)
        elif opcode == "ret":
            self._add(block, line, opcode, None)

    def _call(self, block: int, line: Line) -> None:
        name = line.callee
        if "musttail" in line.tokens:
            raise self._error(line, "nothing may stand between a musttail call and its ret, so it cannot be ordered")
        if not name.startswith("llvm."):
            self._add(block, line, "call", None)
        elif name in TOKENS:
            self.tokens.append(line)
        elif name in MARKERS:
            self.markers.append((block, line))
        elif is_gated_prefetch(line):
            self.gated.append(line)
        elif name == "llvm.prefetch" or name.startswith("llvm.prefetch."):
            write = prefetch_operands(line, 0, self._error)[1] == "1"
            self._add(block, line, "prefetch", self._pointers.prefetched(line), write)
        elif not (is_ignored(name) or is_identity(name) or self._touches_nothing(line)):
            raise self._error(line, f"@{name} may access memory, and ordering does not cover it")

    def _add(self, block: int, line: Line, kind: str, access: Access | None, write_prefetch: bool = False) -> None:
        self.ordered.append(Operation(line.number, block, line, kind, access, write_prefetch))

    def _touches_nothing(self, line: Line) -> bool:
        """Tell whether an intrinsic is declared not to access memory."""
        declared = self._module.declared.get(line.callee, "")
        texts = [declared, line.text]
        for group in re.findall(r"#\d+", declared + " " + line.text):
            texts.extend(text for text in self._module.outside if text.startswith(f"attributes {group} = "))
        return any("memory(none)" in text for text in texts)

    def _error(self, line: Line, message: str) -> InputError:
        return InputError(f"{message}: {line}", self._module.path, line.line)


def is_gated_prefetch(line: Line) -> bool:
    """Tell whether an instruction is a gated prefetch."""
    return line.callee.startswith(_GATED)


def prefetch_operands(line: Line, skipped: int, error: Callable[[Line, str], InputError]) -> tuple[str, str, str]:
    """Give the operands of a prefetch: the address with its type, and the constants rw and locality.

    Parameters
    ----------
    line : Line
    skipped : int
        The number of operands before the address.
    error : callable
        Makes an error of the instruction and a message.

    Raises
    ------
    InputError
        If there are others.
    """
    operands = line.arguments()[skipped:]
    if len(operands) >= 3 and operands[0][0] == "ptr":
        rw, locality = operands[1], operands[2]
        if rw in (["i32", "0"], ["i32", "1"]) and len(locality) == 2 and locality[0] == "i32" and locality[1] in "0123":
            return " ".join(operands[0]), rw[1], locality[1]
    raise error(line, "a prefetch takes a pointer, a constant i32 rw (0 or 1) and a constant i32 locality (0 to 3)")
