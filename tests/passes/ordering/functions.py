"""Generated functions: straight lines, branches, loops with a constant number of rounds."""

from __future__ import annotations

import random

_HEAD = """@x = global i32 0
@y = global i32 0
@a = global [2 x i32] zeroinitializer
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
define void @f() {
"""


class _Generator:
    def __init__(self, seed: int, operations: int) -> None:
        self._random = random.Random(seed)
        self._left = operations
        self._count = 0
        self._values = ["1", "2"]
        self._lines: list[str] = []
        self.block = "entry"

    def text(self) -> str:
        self._lines.append("entry:")
        self._sequence(0)
        return _HEAD + "\n".join([*self._lines, "  ret void", "}", ""])

    def _name(self, word: str) -> str:
        self._count += 1
        return f"{word}{self._count}"

    def _add(self, line: str) -> None:
        self._lines.append(f"  {line}")

    def _start(self, label: str) -> None:
        self._lines.append(f"{label}:")
        self.block = label

    def _pointer(self) -> str:
        kind = self._random.randrange(6)
        if kind < 4:
            return ["@x", "@x", "@y", "@a"][kind]
        name = "%" + self._name("p")
        index = self._random.choice(["1", "1", self._bit()])
        self._add(f"{name} = getelementptr [2 x i32], ptr @a, i32 0, i32 {index}")
        return name

    def _bit(self) -> str:
        name = "%" + self._name("b")
        self._add(f"{name} = and i32 {self._random.choice(self._values)}, 1")
        return name

    def _operation(self) -> None:
        pointer = self._pointer()
        self._left -= 1
        match self._random.randrange(9):
            case 0 | 1 | 2:
                name = "%" + self._name("r")
                self._add(f"{name} = load i32, ptr {pointer}, align 4")
                self._values.append(name)
            case 3 | 4 | 5 | 6:
                self._add(f"store i32 {self._random.choice([*self._values, '3', '4'])}, ptr {pointer}, align 4")
            case 7:
                name = "%" + self._name("r")
                self._add(f"{name} = atomicrmw add ptr {pointer}, i32 1 monotonic, align 4")
                self._values.append(name)
            case _:
                self._add(f"call void @llvm.prefetch.p0(ptr {pointer}, i32 {self._random.randrange(2)}, i32 3, i32 1)")

    def _sequence(self, depth: int) -> None:
        for _ in range(self._random.randint(1, 4)):
            if self._left <= 0:
                return
            kind = self._random.randrange(10) if depth < 2 else 0
            if kind == 7 or kind == 8:
                self._branch(depth)
            elif kind == 9 and self._left > 1:
                self._loop(depth)
            else:
                self._operation()

    def _branch(self, depth: int) -> None:
        condition = "%" + self._name("c")
        then, other, join = (self._name(word) for word in ("then", "else", "join"))
        self._add(f"{condition} = icmp ne i32 {self._random.choice(self._values)}, {self._random.randrange(3)}")
        single = self._random.random() < 0.5
        self._add(f"br i1 {condition}, label %{then}, label %{join if single else other}")
        known = list(self._values)
        for label in [then] if single else [then, other]:
            self._start(label)
            self._sequence(depth + 1)
            self._values = list(known)
            self._add(f"br label %{join}")
        self._start(join)

    def _loop(self, depth: int) -> None:
        head, leave = self._name("loop"), self._name("done")
        counter, following, test = (f"%{self._name(word)}" for word in ("i", "n", "t"))
        before = self.block
        self._add(f"br label %{head}")
        self._start(head)
        place = len(self._lines)
        self._values.append(counter)
        known = list(self._values)
        self._left -= 1  # each of its operations runs twice
        self._sequence(depth + 1)
        self._values = known
        self._add(f"{following} = add i32 {counter}, 1")
        self._add(f"{test} = icmp eq i32 {following}, 2")
        self._lines.insert(place, f"  {counter} = phi i32 [ 0, %{before} ], [ {following}, %{self.block} ]")
        self._add(f"br i1 {test}, label %{leave}, label %{head}")
        self._start(leave)


def generate(seed: int, operations: int = 6) -> str:
    """A function `f` of some memory operations over ``@x``, ``@y`` and the two elements of ``@a``."""
    return _Generator(seed, operations).text()
