"""Two models as one list of instructions, in which what they have in common is evaluated once.

Instructions come in three parts: what the program decides, what an execution decides, and what rests on an order that a
model chooses besides. In the last two come the axioms in which the models differ, then those that they share.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import field

import numpy as np
from numpy.typing import NDArray

from enumerator.cat.nodes import RELATION, SET, CompiledCheck, Level, Node, nodes_of
from enumerator.distinguishing.executions import Prepared
from enumerator.frozen import dataclass
from enumerator.search import opcodes as op

__all__ = ["Joint", "joint"]

_OPERATIONS = {
    "~": op.J_NOT,
    "^-1": op.J_INVERSE,
    "?": op.J_MAYBE,
    "+": op.J_PLUS,
    "star": op.J_STAR,
    "[]": op.J_IDENTITY,
    "domain": op.J_DOMAIN,
    "range": op.J_RANGE,
    "|": op.J_OR,
    "&": op.J_AND,
    "\\": op.J_MINUS,
    "*": op.J_CROSS,
    ";": op.J_SEQ,
    "empty": op.J_EMPTY,
    "full": op.J_FULL,
}
_PROGRAM, _EXECUTION, _CHOSEN = range(3)


@dataclass(frozen=True)
class Joint:
    """Two models as instructions.

    Parameters
    ----------
    code : int64 array, shape (instructions, 5)
        Rows (operation, destination or group of a check, left, right, whether it is of sets).
    begin : int64 array, shape (4,)
        Where each of the three parts begins, and the end.
    is_set : bool array, shape (registers,)
    members : int64 array
        For each order that is chosen besides, the register of its events.
    sets, relations : tuple of str
        Predefined names.
    """

    code: NDArray[np.int64]
    begin: NDArray[np.int64]
    is_set: NDArray[np.bool_]
    members: NDArray[np.int64]
    sets: tuple[str, ...]
    relations: tuple[str, ...]


def joint(a: Prepared, b: Prepared) -> Joint | None:
    """Join two sides.

    Parameters
    ----------
    a, b : Prepared

    Returns
    -------
    Joint or None
        None where what memory holds at the end rests on an order that a model chooses besides, or a least fixed point
        on another one: no model here has such.
    """
    if any(node.operator == "fix" and node.free for each in (a, b) for node in nodes_of(each.model)):
        return None
    joiner = _Joiner(a.side.profile is not b.side.profile, (a.model.order_set, b.model.order_set))
    checks = [_checks(joiner, prepared, side) for side, prepared in enumerate((a, b))]
    axioms, undefined = ([each[part] for each in checks] for part in (0, 1))
    finals = [joiner.register(each.model.final, side) for side, each in enumerate((a, b))]
    if any(joiner.part[each] == _CHOSEN for each in (*finals, *joiner.members)):
        return None
    common = [each for each in axioms[0] if each in axioms[1]]
    shared = [each for each in undefined[0] if each in undefined[1]]
    for group, own, other in (
        (op.J_OWN, axioms[0], common),
        (op.J_OTHER, axioms[1], common),
        (op.J_UNDEFINED, undefined[0], shared),
        (op.J_OTHER_UNDEFINED, undefined[1], shared),
    ):
        for check in own:
            if check not in other:
                joiner.check(check, group)
    if finals[0] != finals[1]:
        for final in finals:
            joiner.place(final)
        joiner.emit(_EXECUTION, op.J_UNEQUAL, op.J_FINAL, *finals, is_set=True)
    for members in joiner.members:
        joiner.place(members)
    chosen = bool(joiner.members)
    if not chosen:
        joiner.emit(_EXECUTION, op.J_SAME)
    for check in common:
        joiner.check(check, op.J_COMMON)
    if not chosen:
        joiner.emit(_EXECUTION, op.J_REFUSED)
    for check in shared:
        joiner.check(check, op.J_COMMON_UNDEFINED)
    if chosen:
        joiner.emit(_CHOSEN, op.J_SAME)
        joiner.emit(_CHOSEN, op.J_REFUSED)
    return joiner.joint()


_Check = tuple[str, bool, int]


def _checks(joiner: _Joiner, prepared: Prepared, side: int) -> tuple[list[_Check], list[_Check]]:
    """Give the axioms of a side, and what makes a program undefined where it fails."""

    def of(check: CompiledCheck) -> _Check:
        test, register = check.check.test, joiner.register(check.node, side)
        if test == "acyclic" and check.node.operator != "+":
            register = joiner.make(op.J_PLUS, register)
        return "empty" if test == "empty" else "loops", check.check.negated, register

    axioms = [of(check) for check in (*prepared.early, *prepared.late)]
    undefined = [
        (test, negated != (check.check.kind == "flag"), register)
        for check in prepared.undefined
        for test, negated, register in [of(check)]
    ]
    returned = joiner.register(Node("base", SET, (), "UNDEF", level=Level.READS_FROM), side)
    may = prepared.model.undef_set
    if may is not None:
        returned = joiner.make(op.J_MINUS, returned, joiner.register(may, side))
    axioms.append(("empty", False, returned))
    return axioms, undefined


_Row = tuple[int, int, int, int, int]


@dataclass(eq=False)
class _Block:
    """Instructions that belong together: one, or those of a loop."""

    rows: list[_Row] = field(default_factory=list)
    rests_on: list[int] = field(default_factory=list)
    own: set[int] = field(default_factory=set)
    placed: bool = False

    def add(self, row: _Row, register: int, read: Sequence[int]) -> None:
        self.rows.append(row)
        self.own.add(register)
        self.rests_on += [each for each in read if each not in self.own]


@dataclass
class _Joiner:
    """Gives equal nodes one register; instructions are put in order once all is known that checks rest on."""

    apart: bool
    order_sets: tuple[Node, Node]
    code: tuple[list[_Row], ...] = field(default_factory=lambda: ([], [], []))
    part: list[int] = field(default_factory=list)
    is_set: list[bool] = field(default_factory=list)
    members: list[int] = field(default_factory=list)
    sets: list[str] = field(default_factory=list)
    relations: list[str] = field(default_factory=list)
    _block: list[_Block] = field(default_factory=list)  # by register
    _made: dict[Hashable, int] = field(default_factory=dict)
    _known: dict[tuple[int, Node], int] = field(default_factory=dict)
    _loops: dict[Hashable, list[int]] = field(default_factory=dict)
    _open: list[_Block] = field(default_factory=list)  # of the loops at hand

    # -- Putting instructions in order -------------------------------------------------------------------------------

    def emit(self, part: int, code: int, d: int = 0, a: int = 0, b: int = 0, *, is_set: bool = False) -> None:
        """Add an instruction."""
        self.code[part].append((code, d, a, b, int(is_set)))

    def check(self, check: _Check, group: int) -> None:
        """Add a check, and what it rests on."""
        test, negated, register = check
        self.place(register)
        code = op.J_SOME if test == "empty" else op.J_LOOPS
        part = max(self.part[register], _EXECUTION)
        self.emit(part, code, group, register, int(negated), is_set=self.is_set[register])

    def place(self, register: int) -> None:
        """Add the instructions that give a register its value, and all they rest on, once."""
        block = self._block[register]
        if block.placed:
            return
        block.placed = True
        for each in block.rests_on:
            self.place(each)
        code = self.code[self.part[register]]
        begin = len(code)
        for row in block.rows:
            code.append((row[0], begin + row[1], *row[2:]) if row[0] == op.J_AGAIN else row)

    def joint(self) -> Joint:
        """Give what has been added."""
        sizes = np.cumsum([0, *map(len, self.code)])
        rows = [
            (row[0], row[1] + int(begin), *row[2:]) if row[0] == op.J_AGAIN else row
            for part, begin in zip(self.code, sizes, strict=False)
            for row in part
        ]
        return Joint(
            np.array(rows, dtype=np.int64).reshape(-1, 5),
            sizes.astype(np.int64),
            np.array(self.is_set, dtype=np.bool_),
            np.array(self.members, dtype=np.int64),
            tuple(self.sets),
            tuple(self.relations),
        )

    # -- Registers -----------------------------------------------------------------------------------------------------

    def make(self, code: int, a: int = 0, b: int = 0, *, part: int = _PROGRAM, is_set: bool | None = None) -> int:
        """Give the register of an operation on registers."""
        key = code, a, b, is_set
        if key not in self._made:
            read = [a, b] if code >= op.J_OR else [a] if code >= op.J_NOT or code in (op.J_ORDER, op.J_LINEAR) else []
            part = max([part, *(self.part[each] for each in read)])
            inside = next((each for each in reversed(self._open) if not each.own.isdisjoint(read)), None)
            kind = self.is_set[a] if is_set is None else is_set
            block = _Block() if inside is None else self._open[-1]
            register = self._made[key] = self._new(part, kind, block)
            block.add((code, register, a, b, int(kind)), register, read)
        return self._made[key]

    def _new(self, part: int, is_set: bool, block: _Block) -> int:
        self.part.append(part)
        self.is_set.append(is_set)
        self._block.append(block)
        return len(self.part) - 1

    def register(self, node: Node, side: int) -> int:
        """Give the register of a node."""
        found = self._known.get((side, node))
        if found is None:
            found = self._known[side, node] = self._registered(node, side)
        return found

    def _registered(self, node: Node, side: int) -> int:
        match node.operator:
            case "base":
                return self._base(node, side)
            case "linear":
                members, *loc = (self.register(each, side) for each in node.arguments)
                self.members.append(members)
                found = self.make(op.J_LINEAR, members, len(self.members) - 1, part=_CHOSEN, is_set=False)
                for each in loc:
                    found = self.make(op.J_AND, found, each)
                return found
            case "fix":
                place = [each.name for each in node.binders].index(node.name)
                return self._least(node, side)[place]
            case "empty" | "full":
                return self.make(_OPERATIONS[node.operator], is_set=node.kind == SET)
            case ";":
                first, second = node.arguments
                if first.operator == "[]":
                    left, right = self.register(first.arguments[0], side), self.register(second, side)
                    return self.make(op.J_ROWS, left, right, is_set=False)
                if second.operator == "[]":
                    left, right = self.register(first, side), self.register(second.arguments[0], side)
                    return self.make(op.J_COLUMNS, left, right, is_set=False)
        arguments = [self.register(each, side) for each in node.arguments]
        return self.make(_OPERATIONS[node.operator], *arguments, is_set=node.kind == SET)

    def _base(self, node: Node, side: int) -> int:
        if node.name == "rf":
            return self.make(op.J_RF, part=_EXECUTION, is_set=False)
        if node.name == "UNDEF":
            return self.make(op.J_UNDEF, part=_EXECUTION, is_set=True)
        if node.name == "order":
            return self.make(op.J_ORDER, self.register(self.order_sets[side], side), part=_EXECUTION, is_set=False)
        names = self.relations if node.kind == RELATION else self.sets
        if node.name not in names:
            names.append(node.name)
        code = op.J_RELATION if node.kind == RELATION else op.J_SET
        return self.make(code, names.index(node.name), side if self.apart else 0, is_set=node.kind == SET)

    def _least(self, node: Node, side: int) -> list[int]:
        """Give the registers of the variables of a least fixed point."""
        key = tuple(self._written(body, side, node.binders) for body in node.arguments)
        if key in self._loops:
            return self._loops[key]
        for closed in _closed_below(node):
            self.register(closed, side)
        block = _Block()
        part = max(_EXECUTION if node.level > Level.PROGRAM else _PROGRAM, self._part_below(node, side))
        variables = []
        for binder in node.binders:
            variable = self._new(part, binder.kind == SET, block)
            block.add((op.J_NOTHING, variable, 0, 0, int(binder.kind == SET)), variable, ())
            self._known[side, binder] = variable
            variables.append(variable)
        begin = len(block.rows)
        self._open.append(block)
        bodies = [self.register(body, side) for body in node.arguments]
        self._open.pop()
        for variable, body in zip(variables, bodies, strict=True):
            block.add((op.J_STEP, variable, body, 0, int(self.is_set[variable])), variable, [body])
        block.rows.append((op.J_AGAIN, begin, 0, 0, 0))
        self._loops[key] = variables
        return variables

    def _part_below(self, node: Node, side: int) -> int:
        return max((self.part[self.register(each, side)] for each in _closed_below(node)), default=_PROGRAM)

    def _written(self, node: Node, side: int, binders: Sequence[Node]) -> Hashable:
        """Write what is open in a way that does not name variables."""
        if node in binders:
            return "variable", binders.index(node)
        if not node.is_open:
            return self.register(node, side)
        return node.operator, node.name, *(self._written(each, side, binders) for each in node.arguments)


def _closed_below(node: Node) -> list[Node]:
    """Give the closed nodes that open ones below a fixed point rest on."""
    found: dict[Node, None] = {}
    seen, left = set[Node](), list(node.arguments)
    while left:
        each = left.pop()
        if each in seen:
            continue
        seen.add(each)
        if each.is_open:
            left += each.arguments
        else:
            found[each] = None
    return list(found)
