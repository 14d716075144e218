"""The code of a thread as the body of an LLVM function: registers in static single assignment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from enumerator.frozen import dataclass
from enumerator.passes.translate.operations import AV_LOAD, AV_STORE, Fenced, Plan, location
from enumerator.program.instructions import (
    Annotation,
    Assign,
    Barrier,
    Block,
    Branch,
    Constant,
    Expression,
    Fence,
    Function,
    Instruction,
    Jump,
    Load,
    Operation,
    Ordering,
    ReadModifyWrite,
    Register,
    Return,
    Store,
)
from enumerator.program.types import IntType
from enumerator.program.written import S_BARRIER, instruction_text, tags_text

__all__ = ["Translated", "translate_function"]

_SPACE = "ptr addrspace(1)"


@dataclass
class Translated:
    """A function's text, and the intrinsics that it calls."""

    lines: list[str]
    intrinsics: set[str]


def translate_function(plan: Plan, function: Function, wanted: frozenset[str]) -> Translated:
    """Translate the code of a thread.

    Parameters
    ----------
    plan : Plan
    function : Function
    wanted : frozenset of str
        Registers that the condition names: each has its final value under its own name.

    Returns
    -------
    Translated
    """
    return _Function(plan, function, wanted).run()


@dataclass
class _Function:
    plan: Plan
    function: Function
    wanted: frozenset[str]
    lines: list[str] = field(default_factory=list)
    intrinsics: set[str] = field(default_factory=set)
    temporaries: int = 0
    counts: dict[str, int] = field(default_factory=dict)

    def run(self) -> Translated:
        blocks = _reachable(self.function.blocks)
        if any(isinstance(block.terminator, Branch) for block in blocks):
            self._with_branches(blocks)
        else:
            self._straight(blocks)
        return Translated(self.lines, self.intrinsics)

    # -- control flow ----------------------------------------------------------------------------------------

    def _straight(self, blocks: list[Block]) -> None:
        """Translate code in which each register's last value can have the register's name."""
        body = [instruction for block in blocks for instruction in block.body]
        last = {_target(instruction): place for place, instruction in enumerate(body) if _computes(instruction)}
        values: dict[str, str] = {}
        for place, instruction in enumerate(body):
            target = _target(instruction)
            if isinstance(instruction, Assign) and isinstance(instruction.expression, Constant):
                values[target] = _text(instruction.expression, values)
                continue
            name = target if last.get(target) == place else self._version(target)
            self._instruction(instruction, values, name)
        self._finish(values)

    def _with_branches(self, blocks: list[Block]) -> None:
        """Translate code with branches: every block has a phi for every register."""
        registers = sorted({_target(each) for block in blocks for each in block.body} - {""})
        before = _predecessors(blocks)
        leaving: dict[str, dict[str, str]] = {}
        places: list[tuple[int, Block]] = []
        entering: dict[str, dict[str, str]] = {}
        for block in blocks:
            label = _label(block.name)
            values = {}
            if before[block.name]:
                self.lines.append(f"{label}:")
                values = {register: f"%{register}.at.{label}" for register in registers}
                entering[block.name] = dict(values)
                places.append((len(self.lines), block))
            for instruction in block.body:
                target = _target(instruction)
                if isinstance(instruction, Assign) and isinstance(instruction.expression, Constant):
                    values[target] = _text(instruction.expression, values)
                else:
                    self._instruction(instruction, values, self._version(target))
            leaving[block.name] = values
            match block.terminator:
                case Jump(target):
                    self._emit(f"br label %{_label(target)}")
                case Branch(condition, then, otherwise):
                    bit = self._expression(condition, values, self._temporary())
                    self._emit(f"br i1 {bit}, label %{_label(then)}, label %{_label(otherwise)}")
                case _:
                    self._finish(values)
        for place, block in reversed(places):
            self.lines[place:place] = [
                f"  {name} = phi i32 "
                + ", ".join(
                    f"[ {leaving[source].get(register, '0')}, %{_label(source)} ]" for source in before[block.name]
                )
                for register, name in entering[block.name].items()
            ]
        self.lines.insert(0, f"{_label(blocks[0].name)}:")

    def _finish(self, values: Mapping[str, str]) -> None:
        for register in sorted(self.wanted):
            if values.get(register, "0") != f"%{register}":
                self._emit(f"%{register} = add i32 {values.get(register, '0')}, 0")
        self._emit("ret void")

    # -- instructions ----------------------------------------------------------------------------------------

    def _instruction(self, instruction: Instruction, values: dict[str, str], name: str) -> None:
        """Translate an instruction whose result, if it has one, gets a name; note it as the register's value."""
        plan = self.plan
        match instruction:
            case Assign(target, expression):
                values[target] = self._expression(expression, values, f"%{name}", copy=True)
            case Fence(annotation):
                self._fenced(plan.rules.fences(annotation))
            case Barrier(annotation=annotation):
                self.intrinsics.add(S_BARRIER)
                self._fenced(plan.rules.barrier(annotation), f"call void @{S_BARRIER}()")
            case Load(target):
                self._load(instruction, name)
                values[target] = f"%{name}"
            case Store():
                self._store(instruction, values)
            case ReadModifyWrite(target, operator, _, operand, _, annotation):
                place, value = f"{_SPACE} @{location(instruction)}", _text(operand, values)
                self._atomic(annotation, f"%{name} = atomicrmw {operator} {place}, i32 {value}")
                values[target] = f"%{name}"
            case _:
                raise AssertionError(f"no front end of Vulkan makes {type(instruction).__name__}")

    def _fenced(self, fenced: Fenced, line: str = "") -> None:
        """Write an operation between the fences that belong to it; without a line it is a fence, or nothing else."""
        if fenced.own is not None and not line:
            line = instruction_text(Fence(fenced.own))
        around = [[instruction_text(Fence(each)) for each in side] for side in (fenced.before, fenced.after)]
        for each in (*around[0], *([line] if line else []), *around[1]):
            self._emit(each)

    def _atomic(self, annotation: Annotation, operation: str) -> None:
        fenced = self.plan.rules.access(annotation)
        assert fenced.own is not None
        own = fenced.own
        how = f'syncscope("{_scope(own)}") {own.ordering.name.lower()}, align 4{_tags(own)}'
        self._fenced(fenced, f"{operation} {how}")

    def _load(self, load: Load, name: str) -> None:
        place = f"{_SPACE} @{location(load)}"
        own = self.plan.rules.access(load.annotation).own
        assert own is not None
        if own.ordering != Ordering.NA:
            self._atomic(load.annotation, f"%{name} = load atomic i32, {place}")
            return
        if location(load) not in self.plan.wide:
            self._emit(f"%{name} = load i32, {place}{_tags(own)}")
            return
        vector = self._temporary()
        if "AV" in own.labels:
            self.intrinsics.add(AV_LOAD)
            self._emit(f'{vector} = call <4 x i32> @{AV_LOAD}({place}, metadata !"{_scope(own)}"){_tags(own)}')
        else:
            self._emit(f"{vector} = load <4 x i32>, {place}{_tags(own)}")
        self._emit(f"%{name} = extractelement <4 x i32> {vector}, i32 0")

    def _store(self, store: Store, values: Mapping[str, str]) -> None:
        place, value = f"{_SPACE} @{location(store)}", _text(store.value, values)
        own = self.plan.rules.access(store.annotation).own
        assert own is not None
        if own.ordering != Ordering.NA:
            self._atomic(store.annotation, f"store atomic i32 {value}, {place}")
            return
        if location(store) not in self.plan.wide:
            self._emit(f"store i32 {value}, {place}{_tags(own)}")
            return
        vector = f"<4 x i32> <i32 {value}, i32 0, i32 0, i32 0>"
        if value.startswith("%"):
            name = self._temporary()
            self._emit(f"{name} = insertelement <4 x i32> zeroinitializer, i32 {value}, i32 0")
            vector = f"<4 x i32> {name}"
        if "AV" in own.labels:
            self.intrinsics.add(AV_STORE)
            self._emit(f'call void @{AV_STORE}({place}, {vector}, metadata !"{_scope(own)}"){_tags(own)}')
        else:
            self._emit(f"store {vector}, {place}{_tags(own)}")

    def _expression(self, expression: Expression, values: Mapping[str, str], name: str, copy: bool = False) -> str:
        """Give an expression as an operand; an operation becomes an instruction with a name."""
        match expression:
            case Operation(operator, arguments, _, operand_type):
                assert isinstance(operand_type, IntType)
                operands = ", ".join(_text(argument, values) for argument in arguments)
                self._emit(f"{name} = {operator} i{operand_type.width} {operands}")
                return name
            case Constant(int(value), IntType(1)):
                return "true" if value else "false"
            case _ if copy:
                self._emit(f"{name} = add i32 {_text(expression, values)}, 0")
                return name
            case _:
                return _text(expression, values)

    def _emit(self, line: str) -> None:
        self.lines.append(f"  {line}")

    def _version(self, register: str) -> str:
        count = self.counts[register] = self.counts.get(register, 0) + 1
        return f"{register}.{count}"

    def _temporary(self) -> str:
        self.temporaries += 1
        return f"%value.{self.temporaries}"


def _scope(annotation: Annotation) -> str:
    return annotation.scope.name.lower()


def _tags(annotation: Annotation) -> str:
    return f", !mmra {tags_text(annotation.tags)}" if annotation.tags else ""


def _text(expression: Expression, values: Mapping[str, str]) -> str:
    match expression:
        case Constant(int(value)):
            return str(value)
        case Register(name):
            return values.get(name, "0")
    raise AssertionError("operands are constants and registers")


def _computes(instruction: Instruction) -> bool:
    """Tell whether an instruction has a result that is no constant."""
    if isinstance(instruction, Assign):
        return not isinstance(instruction.expression, Constant)
    return isinstance(instruction, Load | ReadModifyWrite)


def _target(instruction: Instruction) -> str:
    return instruction.target if isinstance(instruction, Assign | Load | ReadModifyWrite) else ""


def _label(block: str) -> str:
    return block.removeprefix(".") if block.startswith(".") else f"at.{block}"


def _next(block: Block) -> list[str]:
    match block.terminator:
        case Jump(target):
            return [target]
        case Branch(_, then, otherwise):
            return list(dict.fromkeys((then, otherwise)))
        case Return():
            return []
    raise AssertionError(f"no front end of Vulkan makes {type(block.terminator).__name__}")


def _reachable(blocks: tuple[Block, ...]) -> list[Block]:
    by_name = {block.name: block for block in blocks}
    found, stack = {blocks[0].name}, [blocks[0].name]
    while stack:
        for name in _next(by_name[stack.pop()]):
            if name not in found:
                found.add(name)
                stack.append(name)
    return [block for block in blocks if block.name in found]


def _predecessors(blocks: list[Block]) -> dict[str, list[str]]:
    before: dict[str, list[str]] = {block.name: [] for block in blocks}
    for block in blocks:
        for name in _next(block):
            before[name].append(block.name)
    return before
