"""A spatial dataflow machine in plain Python: every order in which the operations of one small function can run.

Written from section 6 of the semantics and sharing nothing with the checker: it reads the text that a pass emits. An
operation runs when its token, its address, its data and the branches before it are there; memory is one dictionary; the
final memory is what it holds when ``ret`` runs, and every operation runs in the end.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

Outcome = tuple[tuple[str, int], ...]

_NAME = r"%[\w.]+"


@dataclass
class Program:
    """A function of the module: blocks of lines, and the initial memory."""

    blocks: dict[str, list[str]] = field(default_factory=dict)
    memory: dict[tuple[str, int], int] = field(default_factory=dict)


def parse(text: str) -> Program:
    program = Program()
    block = "0"
    inside = False
    for line in text.splitlines():
        line = line.split(" ;")[0].strip()
        if match := re.match(r"@(\w+) = global i32 (-?\d+)", line):
            program.memory[match[1], 0] = int(match[2])
        elif match := re.match(r"@(\w+) = global \[(\d+) x i32\] zeroinitializer", line):
            program.memory |= {(match[1], index): 0 for index in range(int(match[2]))}
        elif line.startswith("define"):
            inside = True
            program.blocks[block] = []
        elif line == "}":
            inside = False
        elif inside and (match := re.match(r"([\w.]+):$", line)):
            if not program.blocks[block]:
                del program.blocks[block]  # the entry has a label
            block = match[1]
            program.blocks[block] = []
        elif inside and line:
            program.blocks[block].append(line)
    return program


@dataclass
class Instance:
    """One run of an operation: what it waits for, and what it does (None where that is not known yet)."""

    static: str
    waits: frozenset[int]
    kind: str
    location: tuple[str, int] | None
    value: int | None


class Fetch:
    """Follows the control flow as far as the values that are known lead."""

    def __init__(self, program: Program, results: dict[int, int]) -> None:
        self.results = results
        self.instances: list[Instance] = []
        self.values: dict[str, int | None] = {}
        self.reads: dict[str, frozenset[int]] = {}
        self.tokens: dict[str, frozenset[int]] = {}
        self.pointers: dict[str, tuple[str, int] | None] = {}
        self.returned: frozenset[int] | None = None
        self.branches: frozenset[int] = frozenset()
        self._input: frozenset[int] | None = None
        self._last = -1
        previous, block = "", next(iter(program.blocks))
        for _ in range(200):
            following = self._block(program.blocks[block], previous)
            if following is None:
                return
            previous, block = block, following
        raise AssertionError("no end")

    def _value(self, word: str) -> tuple[int | None, frozenset[int]]:
        if word.startswith("%"):
            return self.values[word], self.reads[word]
        return {"true": 1, "false": 0}.get(word) if word in ("true", "false") else int(word), frozenset()

    def _token(self, word: str) -> frozenset[int]:
        """The runs that a token says are over; a channel delivers in order, so earlier runs are too."""
        held = self.tokens.get(word, frozenset()) | (self.reads.get(word) or frozenset())
        names = {self.instances[number].static: number for number in sorted(held)}
        return frozenset(
            number
            for number, instance in enumerate(self.instances)
            if instance.static in names and number <= names[instance.static]
        )

    def _location(self, word: str) -> tuple[tuple[str, int] | None, frozenset[int]]:
        if word.startswith("@"):
            return (word[1:], 0), frozenset()
        return self.pointers[word], self.reads[word]

    def _run(self, line: str, kind: str, pointer: str, operand: str | None, target: str | None) -> None:
        location, waits = self._location(pointer)
        value, needed = self._value(operand) if operand is not None else (None, frozenset[int]())
        assert self._input is not None, f"no inord before {line}"
        waits = waits | needed | self.branches | self._input
        self._input = None
        number = len(self.instances)
        self.instances.append(Instance(line, waits, kind, location, value))
        self._last = number
        if target is not None:
            self.values[target] = self.results.get(number)
            self.reads[target] = frozenset((number,))

    def _block(self, lines: list[str], previous: str) -> str | None:
        phis: list[tuple[str, str]] = []
        for line in lines:
            if match := re.match(rf"({_NAME}) = phi (i1|i32) (.*)$", line):
                edges = {label: value for value, label in re.findall(r"\[ (\S+), %([\w.]+) \]", match[3])}
                phis.append((match[1], edges[previous]))
        new = []
        for target, word in phis:
            if word in self.values or not word.startswith("%"):
                value, reads = self._value(word)
                new.append((target, value, reads, self._token(word)))
            else:
                new.append((target, None, frozenset(), self._token(word)))
        for target, value, reads, token in new:
            self.values[target], self.reads[target], self.tokens[target] = value, reads, token
        for line in lines:
            if " = phi " in line:
                continue
            if line.startswith("br label"):
                return line.split("%")[1]
            if match := re.match(r"br i1 (\S+), label %([\w.]+), label %([\w.]+)", line):
                value, reads = self._value(match[1])
                self.branches |= reads
                return None if value is None else match[2] if value else match[3]
            if line == "ret void":
                assert self._input is not None, "no inord before ret"
                self.returned = self._input | self.branches
                return None
            self._instruction(line)
        raise AssertionError("no terminator")

    def _instruction(self, line: str) -> None:
        if match := re.match(r"call void @llvm.csa.inord\(i1 (\S+)\)", line):
            self._input = self._token(match[1])
        elif match := re.match(rf"({_NAME}) = call i1 @llvm.csa.(mementry|outord)\(\)", line):
            self.tokens[match[1]] = frozenset((self._last,)) if match[2] == "outord" else frozenset()
        elif match := re.match(rf"({_NAME}) = call i1 \(...\) @llvm.csa.all0\((.*)\)", line):
            parts = [self._token(word) for word in re.findall(r"i1 ([^,]+)", match[2])]
            self.tokens[match[1]] = frozenset[int]().union(*parts)
        elif match := re.match(rf"({_NAME}) = load i32, ptr (\S+), align 4", line):
            self._run(line, "load", match[2], None, match[1])
        elif match := re.match(r"store i32 (\S+), ptr (\S+), align 4", line):
            self._run(line, "store", match[2], match[1], None)
        elif match := re.match(rf"({_NAME}) = atomicrmw add ptr (\S+), i32 (\S+) monotonic", line):
            self._run(line, "add", match[2], match[3], match[1])
        elif match := re.match(r"call void @llvm.prefetch.p0\(ptr (\S+),", line):
            self._run(line, "prefetch", match[1], None, None)
        elif match := re.match(rf"({_NAME}) = (add|and|icmp \w+) i32 (\S+), (\S+)$", line):
            (left, first), (right, second) = self._value(match[3]), self._value(match[4])
            known = None if left is None or right is None else _compute(match[2], left, right)
            self.values[match[1]], self.reads[match[1]] = known, first | second
        elif match := re.match(rf"({_NAME}) = getelementptr \[2 x i32\], ptr @(\w+), i32 0, i32 (\S+)", line):
            index, reads = self._value(match[3])
            self.pointers[match[1]] = None if index is None else (match[2], index)
            self.reads[match[1]] = reads
        else:
            raise AssertionError(f"unknown instruction {line}")


def _compute(operator: str, left: int, right: int) -> int:
    match operator:
        case "add":
            return left + right
        case "and":
            return left & right
        case "icmp eq":
            return int(left == right)
        case "icmp ne":
            return int(left != right)
    raise AssertionError(operator)


def outcomes(text: str) -> set[Outcome]:
    """Every (memory when ``ret`` runs, final registers) of a function with tokens."""
    program = parse(text)
    found: set[Outcome] = set()
    seen: set[object] = set()
    start = tuple(sorted(program.memory.items()))
    waiting: list[tuple[dict[int, int], tuple[tuple[tuple[str, int], int], ...], object]] = [({}, start, None)]
    while waiting:
        results, memory, final = waiting.pop()
        key = (tuple(sorted(results.items())), memory, final)
        if key in seen:
            continue
        seen.add(key)
        fetch = Fetch(program, results)
        ready = [
            number
            for number, instance in enumerate(fetch.instances)
            if number not in results and instance.waits <= results.keys()
        ]
        if final is None and fetch.returned is not None and fetch.returned <= results.keys():
            waiting.append((results, memory, memory))
        if not ready and final is not None:
            assert len(results) == len(fetch.instances), "stuck"
            found.add(_outcome(fetch, final))
        for number in ready:
            held = dict(memory)
            instance = fetch.instances[number]
            assert instance.location is not None
            old = held[instance.location]
            if instance.kind in ("store", "add"):
                assert instance.value is not None
                held[instance.location] = instance.value + (old if instance.kind == "add" else 0)
            waiting.append(({**results, number: old}, tuple(sorted(held.items())), final))
    return found


def _outcome(fetch: Fetch, final: object) -> Outcome:
    assert isinstance(final, tuple)
    locations = [(f"@{name}[{index}]", value) for (name, index), value in final]
    data = fetch.values.keys() - fetch.tokens.keys()
    registers = [(name, value) for name, value in fetch.values.items() if name in data and value is not None]
    return tuple(sorted([*locations, *registers]))


def in_program_order(text: str) -> set[Outcome]:
    """The outcome when each operation waits for all before it, and ``ret`` for all."""
    program = parse(text)
    results: dict[int, int] = {}
    memory = dict(program.memory)
    while True:
        fetch = Fetch(program, results)
        number = len(results)
        if number == len(fetch.instances):
            return {_outcome(fetch, tuple(sorted(memory.items())))}
        instance = fetch.instances[number]
        assert instance.location is not None
        results[number] = memory[instance.location]
        if instance.kind in ("store", "add"):
            assert instance.value is not None
            memory[instance.location] = instance.value + (results[number] if instance.kind == "add" else 0)
