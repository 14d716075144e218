"""From a compiled model to bytecode over relation and set registers, in sections by what they depend on."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from enumerator.cat.nodes import RELATION, SET, CompiledCheck, CompiledModel, Level, Node
from enumerator.events import RELATIONS
from enumerator.events.relations import KEYS, LISTED
from enumerator.frozen import dataclass
from enumerator.search import opcodes as op
from enumerator.search.layout import Program

__all__ = ["Assembler", "Bytecode", "assemble", "flags_of"]

_RELATION_CODES = {
    "|": op.R_OR,
    "&": op.R_AND,
    "\\": op.R_MINUS,
    ";": op.R_SEQ,
    "^-1": op.R_INVERSE,
    "?": op.R_OPTION,
    "+": op.R_PLUS,
    "star": op.R_STAR,
    "~": op.R_NOT,
    "*": op.R_CROSS,
    "[]": op.R_IDENTITY,
    "full": op.R_FULL,
    "empty": op.R_EMPTY,
}
_SET_CODES = {
    "|": op.S_OR,
    "&": op.S_AND,
    "\\": op.S_MINUS,
    "~": op.S_NOT,
    "domain": op.S_DOMAIN,
    "range": op.S_RANGE,
    "full": op.S_FULL,
    "empty": op.S_EMPTY,
}
_FEW = 24
"""Operations of an axiom that are done before the order is looked at; an axiom that takes more comes after that."""

_CHOSEN = {"rf": 0, "order": 1, "rf-max": 2, "order-max": 3, "UNDEF": 0, "UNDEF-max": 1}
_CHECKS = {"acyclic": op.CHECK_ACYCLIC, "irreflexive": op.CHECK_IRREFLEXIVE, "empty": op.CHECK_EMPTY}


@dataclass(frozen=True)
class Bytecode:
    """A program for the kernels.

    Parameters
    ----------
    code : int32 array, shape (instructions, 4)
        Rows (operation, destination, left, right).
    sections : int32 array, shape (10,)
        Start of each section of :mod:`enumerator.search.opcodes`, then the end.
    relations, sets : int
        Numbers of registers. Relation register 0 is reads-from, 1 the order, 2 and 3 what these may still become;
        set register 0 is UNDEF, 1 what that may become.
    base_relations, base_sets : tuple of (str, int)
        Predefined names and the registers that must hold them before the first section runs.
    order_set, undef_set, final : int
        Set registers (``undef_set`` is -1 where the model allows no undef reads).
    linear : tuple of (int, int, int, int)
        The total orders that the model chooses besides: the number of the choice among those of the model, the set
        register of the events, the register of the order, whether it orders them a location at a time.
    flags : tuple of str
        Names of the flags in bit order; those of ``undefined_unless`` are also in `undefined`.
    undefined : frozenset of str
    final_needs_order, flags_need_order : bool
        Whether the final values, or some flag, depend on the order of writes.
    final_is_last : bool
        Whether memory holds at the end what the last write in that order wrote, whatever the rest of it.
    """

    code: NDArray[np.int32]
    sections: NDArray[np.int32]
    relations: int
    sets: int
    base_relations: tuple[tuple[str, int], ...]
    base_sets: tuple[tuple[str, int], ...]
    order_set: int
    undef_set: int
    final: int
    linear: tuple[tuple[int, int, int, int], ...]
    flags: tuple[str, ...]
    undefined: frozenset[str]
    final_needs_order: bool
    flags_need_order: bool
    final_is_last: bool

    @cached_property
    def program(self) -> Program:
        """What the kernels see of it in any test: the arrays that a test decides are empty."""
        rows: list[tuple[int, ...]] = []
        for name, register in self.base_relations:
            relation = RELATIONS[name]
            first, second = (KEYS.index(key) for key in relation.same) if relation.same else (-1, -1)
            listed = LISTED.index(name) if relation.listed else -1
            rows.append((register, first, second, int(relation.before), listed))
        return Program(
            code=self.code,
            sections=self.sections,
            base_relations=np.array(rows, dtype=np.int64).reshape(-1, 5),
            kind_pairs=np.zeros((0, 0, 0), dtype=np.bool_),
            kinds_before=np.zeros((0, 0, 0), dtype=np.uint64),
            kinds_after=np.zeros((0, 0, 0), dtype=np.uint64),
            kind_itself=np.zeros((0, 0), dtype=np.bool_),
            base_sets=np.array([register for _, register in self.base_sets], dtype=np.int64),
            kind_sets=np.zeros((0, 0), dtype=np.bool_),
            linear=np.array([row[1:] for row in self.linear], dtype=np.int64).reshape(-1, 3),
            config=np.zeros(0, dtype=np.int64),
            shown=np.zeros((0, 2), dtype=np.uint64),
            ends=np.zeros(0, dtype=np.uint64),
        )


class Assembler:
    """Places nodes in registers and emits each once, in the first section that needs it."""

    def __init__(self) -> None:
        self.rows: list[tuple[int, int, int, int]] = []
        self.registers: dict[Node, int] = {}
        self.relations = 4
        self.sets = 2
        self.base_relations: list[tuple[str, int]] = []
        self.base_sets: list[tuple[str, int]] = []
        self._loops: dict[tuple[Node, ...], bool] = {}

    def register(self, node: Node) -> int:
        known = self.registers.get(node)
        if known is None:
            chosen = node.operator == "base" and node.name in _CHOSEN
            if chosen:
                number = _CHOSEN[node.name]
            elif node.kind == RELATION:
                number, self.relations = self.relations, self.relations + 1
            else:
                number, self.sets = self.sets, self.sets + 1
            self.registers[node] = known = number
            if node.operator == "base" and not chosen:
                (self.base_relations if node.kind == RELATION else self.base_sets).append((node.name, number))
        return known

    def need(self, node: Node, done: set[Node], limit: Level) -> int:
        """Emit what a node needs and the node itself, as far as its level is at most `limit`."""
        stack = [] if node in done else [(node, False)]
        while stack:
            current, ready = stack.pop()
            operator = current.operator
            if current in done or (current.level > limit and operator != "variable"):
                continue
            if operator in ("base", "variable", "linear"):
                self.register(current)
                done.add(current)
            elif operator == "fix":
                done.add(current)
                self._fixpoint(current, done, limit)
            elif ready:
                done.add(current)
                self._emit(current)
            else:
                stack.append((current, True))
                for argument in reversed(self._operands(current)):
                    if argument not in done:
                        stack.append((argument, False))
        return self.register(node)

    def _operands(self, node: Node) -> tuple[Node, ...]:
        """Give the nodes whose registers the instruction of a node reads."""
        if node.operator == ";":
            left, right = node.arguments
            if left.operator == "[]":
                return (left.arguments[0], right)
            if right.operator == "[]":
                return (left, right.arguments[0])
        return node.arguments

    def _emit(self, node: Node) -> None:
        target = self.register(node)
        operands = self._operands(node)
        left = self.register(operands[0]) if operands else 0
        right = self.register(operands[1]) if len(operands) > 1 else 0
        if operands is node.arguments:
            code = (_RELATION_CODES if node.kind == RELATION else _SET_CODES)[node.operator]
        elif node.arguments[0].operator == "[]":
            code = op.R_FROM
        else:
            code, left, right = op.R_TO, right, left
        self.rows.append((code, target, left, right))

    def _fixpoint(self, node: Node, done: set[Node], limit: Level) -> None:
        """Emit a loop: all bodies, then each variable takes its body's value, until nothing changes."""
        binders, bodies = node.binders, node.arguments
        if binders in self._loops:
            self._alias(node, done)
            return
        self._loops[binders] = True
        for variable in binders:
            empty = op.R_EMPTY if variable.kind == RELATION else op.S_EMPTY
            self.rows.append((empty, self.register(variable), 0, 0))
            done.add(variable)
        # What does not depend on the variables is computed before the loop.
        for body in bodies:
            for free in _free_parts(body, frozenset(binders)):
                self.need(free, done, limit)
        self.rows.append((op.FIX_BEGIN, 0, 0, 0))
        start = len(self.rows)
        inside = set(done)
        for body in bodies:
            self.need(body, inside, Level.ORDER)
        for variable, body in zip(binders, bodies, strict=True):
            code = op.FIX_RELATION if variable.kind == RELATION else op.FIX_SET
            self.rows.append((code, self.register(variable), self.register(body), 0))
        self.rows.append((op.FIX_END, start, 0, 0))
        self._alias(node, done)

    def _alias(self, node: Node, done: set[Node]) -> None:
        """Let a fixpoint's node share the register of the variable that it is the value of."""
        variable = next(binder for binder in node.binders if binder.name == node.name)
        self.registers[node] = self.register(variable)
        done.add(node)

    def emitted(self, until: int) -> set[Node]:
        """Give the nodes whose registers hold their values after the first `until` instructions.

        Loops that come later are forgotten: who needs one from there on has to run it again.
        """
        written = {
            (row[0] < op.S_OR or row[0] == op.FIX_RELATION, row[1])
            for row in self.rows[:until]
            if row[0] < op.FIX_BEGIN or row[0] in (op.FIX_RELATION, op.FIX_SET)
        }

        def there(node: Node) -> bool:
            return (node.kind == RELATION, self.registers[node]) in written

        self._loops = {binders: True for binders in self._loops if there(binders[0])}
        return {node for node in self.registers if node.operator in ("base", "variable", "linear") or there(node)}

    def check(self, compiled: CompiledCheck, flag: int | None) -> None:
        """Emit the test of an axiom, or of the flag with a bit number."""
        node = compiled.node
        code = _CHECKS[compiled.check.test]
        if code == op.CHECK_EMPTY and node.kind == SET:
            code = op.CHECK_EMPTY_SET
        if flag is not None:
            code += op.FLAG_ACYCLIC - op.CHECK_ACYCLIC
        # A flag is raised where its test holds, an ``undefined_unless`` where it does not.
        negated = compiled.check.negated != (compiled.check.kind == "undefined_unless")
        self.rows.append((code, self.register(node), int(negated), flag or 0))

    def bytecode(
        self,
        model: CompiledModel,
        sections: list[int],
        order_set: int,
        undef_set: int,
        linear: tuple[tuple[int, int, int, int], ...],
        names: tuple[str, ...],
        flags: list[CompiledCheck],
    ) -> Bytecode:
        """Give what has been laid out."""
        return Bytecode(
            code=np.array(self.rows or [(op.R_EMPTY, 0, 0, 0)], dtype=np.int32).reshape(-1, 4),
            sections=np.array(sections, dtype=np.int32),
            relations=self.relations,
            sets=self.sets,
            base_relations=tuple(self.base_relations),
            base_sets=tuple(self.base_sets),
            order_set=order_set,
            undef_set=undef_set,
            final=self.register(model.final),
            linear=linear,
            flags=names,
            undefined=frozenset(
                check.check.name or check.check.kind for check in flags if check.check.kind == "undefined_unless"
            ),
            final_needs_order=model.final.level is Level.ORDER,
            flags_need_order=any(check.node.level is Level.ORDER for check in flags),
            final_is_last=_is_last(model.final),
        )


def _free_parts(node: Node, binders: frozenset[Node]) -> list[Node]:
    """Give the largest parts of a body that do not depend on the variables of its fixpoint."""

    def depends(part: Node) -> bool:
        return part in binders or not binders.isdisjoint(part.free)

    if not depends(node):
        return [node]
    parts: dict[Node, None] = {}
    seen: set[Node] = set()
    stack = [node]
    while stack:
        current = stack.pop()
        if current in seen:
            continue
        seen.add(current)
        for argument in current.arguments:
            if depends(argument):
                stack.append(argument)
            elif not (current.operator == ";" and argument.operator == "[]"):
                parts[argument] = None
            else:
                parts[argument.arguments[0]] = None
    return list(parts)


def flags_of(model: CompiledModel) -> tuple[list[CompiledCheck], tuple[str, ...]]:
    """Give the checks that raise flags, and the flags in bit order."""
    flags = [check for check in model.checks if check.check.kind != "axiom"]
    return flags, tuple(dict.fromkeys(check.check.name or check.check.kind for check in flags))


def assemble(model: CompiledModel) -> Bytecode:
    """Lay a compiled model out as bytecode.

    Axioms that a violation of which stays are tested on partial candidates, the others once reads-from, or the
    order as well, is complete; flags and final values come last, for consistent executions only.

    Parameters
    ----------
    model : CompiledModel

    Returns
    -------
    Bytecode
    """
    machine = Assembler()
    done: set[Node] = set()
    sections = [0]
    axioms = [check for check in model.checks if check.check.kind == "axiom"]
    flags, names = flags_of(model)
    last = Level.ORDER

    def close() -> None:
        sections.append(len(machine.rows))

    def emit(chosen: list[CompiledCheck], level: Level) -> None:
        for check in chosen:
            machine.need(check.node, done, level)
            machine.check(check, None)

    # STATIC: everything that only the program decides.
    order_set = machine.need(model.order_set, done, last)
    undef_set = -1 if model.undef_set is None else machine.need(model.undef_set, done, last)
    linear = tuple(
        (
            int(order.name),
            machine.need(order.arguments[0], done, last),
            machine.register(order),
            len(order.arguments) - 1,
        )
        for order in model.linear
    )
    seen: dict[Level, set[Node]] = {Level.PROGRAM: set(), Level.READS_FROM: set()}

    def parts(node: Node, level: Level) -> None:
        _need_level(machine, node, done, level, seen[level])

    for check in model.checks:
        parts(check.node, Level.PROGRAM)
    parts(model.final, Level.PROGRAM)
    emit([check for check in axioms if check.node.level is Level.PROGRAM], last)
    close()
    dynamic = [check for check in axioms if check.node.level is not Level.PROGRAM]
    growing = [check for check in dynamic if check.grows]
    others = [check for check in dynamic if not check.grows]
    # PARTIAL_RF, PARTIAL_ORDER, PARTIAL_REST: what takes long comes last.
    ordered = [check for check in growing if check.node.level is Level.ORDER]
    rest: list[CompiledCheck] = []
    for check in growing:
        if check.node.level is Level.READS_FROM:
            if _missing(check.node, done) <= _FEW:
                emit([check], last)
            else:
                rest.append(check)
    for check in ordered:
        parts(check.node, Level.READS_FROM)
    close()
    emit(ordered, last)
    close()
    emit(rest, last)
    close()
    # WHOLE_RF, WHOLE_ORDER
    for check in others:
        parts(check.node, Level.READS_FROM)
    emit([check for check in others if check.node.level is Level.READS_FROM], last)
    close()
    emit([check for check in others if check.node.level is Level.ORDER], last)
    close()
    # RESULT_RF, RESULT_ORDER
    for check in flags:
        parts(check.node, Level.READS_FROM)
    parts(model.final, Level.READS_FROM)
    for level in (Level.READS_FROM, Level.ORDER):
        for check in flags:
            if (check.node.level is Level.ORDER) == (level is Level.ORDER):
                machine.need(check.node, done, last)
                machine.check(check, names.index(check.check.name or check.check.kind))
        if level is Level.ORDER:
            machine.need(model.final, done, last)
        close()
    # PROBE: comes last, but runs on partial candidates, after PARTIAL_RF and PARTIAL_ORDER; what the other sections
    # compute of whole candidates only is not there yet.
    available = machine.emitted(sections[op.WHOLE_RF])
    for check in model.bounds:
        machine.need(check.node, available, last)
        machine.check(check, None)
    close()
    return machine.bytecode(model, sections, order_set, undef_set, linear, names, flags)


def _missing(root: Node, done: set[Node]) -> int:
    """Count the operations of a node, and of those that it is made from, that have not been done."""
    seen = {root}
    stack = [root]
    while stack:
        for argument in stack.pop().arguments:
            if argument not in seen and argument not in done:
                seen.add(argument)
                stack.append(argument)
    return len(seen)


def _is_last(final: Node) -> bool:
    r"""Tell whether a set is ``writes \\ domain(order)``, where only the program decides `writes`."""
    if final.operator != "\\" or final.arguments[0].level is not Level.PROGRAM:
        return False
    before = final.arguments[1]
    return before.operator == "domain" and (before.arguments[0].operator, before.arguments[0].name) == ("base", "order")


def _need_level(machine: Assembler, node: Node, done: set[Node], level: Level, seen: set[Node]) -> None:
    """Emit the parts of a node that are known at a level, wherever they stand in it, but for those seen before."""
    stack = [node]
    while stack:
        current = stack.pop()
        if current in seen:
            continue
        seen.add(current)
        if current.operator == "variable":
            continue
        if current.level <= level and not current.free:
            machine.need(current, done, level)
            continue
        stack.extend(reversed(current.arguments))
