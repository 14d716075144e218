"""Random token programs: straight lines, branches, loops, calls, several threads."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

__all__ = ["HEAD", "program"]

HEAD = """\
@x = global i32 0
@y = global i32 0
@a = global [2 x i32] zeroinitializer
declare i1 @llvm.csa.mementry()
declare void @llvm.csa.inord(i1)
declare i1 @llvm.csa.outord()
declare i1 @llvm.csa.all0(...)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
"""

BARRIERS = (
    "void @llvm.amdgcn.s.barrier()",
    "void @llvm.amdgcn.s.barrier.signal(i32)",
    "void @llvm.amdgcn.s.barrier.wait(i16)",
)


def program(seed: int, *, barriers: bool = False) -> str:
    """Give the text of a test, if wanted with fences and barriers in it; the same seed gives the same one."""
    choose = random.Random(seed)
    between = random.Random(f"between {seed}") if barriers else None
    threads = choose.choice((1, 1, 1, 2, 2, 3))
    operations = {1: (2, 5), 2: (1, 3), 3: (1, 2)}[threads]
    called = choose.random() < 0.15
    functions = []
    if called:
        functions.append(_Writer(choose, "g", 2).function(straight=True))
    for number in range(threads):
        writer = _Writer(choose, f"f{number}", choose.randint(*operations), "g" if called else None, between)
        functions.append(writer.function(straight=threads == 3))
    scopes = declarations = ""
    if between is not None:
        names = [f"f{number}" for number in range(threads)]
        if called and "call void @g()" not in "".join(functions):
            names.append("g")  # which is a thread, too
        split = between.choice((1, len(names)))
        groups = [f"(workgroup {' '.join(group)})" for group in (names[:split], names[split:]) if group]
        scopes = f"; SCOPES: (agent {' '.join(groups)})\n"
        declarations = "".join(f"declare {kind}\n" for kind in BARRIERS)
    return f"; {seed}\n; EXISTS: true\n; UNROLL: 1\n{scopes}{HEAD}{declarations}" + "".join(functions)


@dataclass
class _Writer:
    choose: random.Random
    name: str
    operations: int
    callee: str | None = None
    between: random.Random | None = None
    barriers: int = 0
    lines: list[str] = field(default_factory=list)
    numbers: int = 0
    values: list[str] = field(default_factory=list)
    tokens: list[str] = field(default_factory=list)

    def function(self, straight: bool) -> str:
        self.lines.append(f"define void @{self.name}() {{\nentry:")
        entry = self.fresh()
        self.lines.append(f"  {entry} = call i1 @llvm.csa.mementry()")
        self.tokens = [entry, entry]
        kind = "straight" if straight else self.choose.choice(("straight", "straight", "branch", "loop", "wait"))
        if kind == "straight":
            self.several(self.operations)
        else:
            first = self.choose.randint(0, max(0, self.operations - 1))
            self.several(first)
            getattr(self, kind)(max(1, min(2, self.operations - first)))
            if self.choose.random() < 0.4:
                self.operation()
        self.meet(last=True)
        self.inord()
        self.lines.append("  ret void\n}\n")
        return "\n".join(self.lines)

    def fresh(self) -> str:
        self.numbers += 1
        return f"%v{self.numbers}"

    def several(self, count: int) -> None:
        for _ in range(count):
            self.operation()

    def token(self) -> str:
        kind = self.choose.random()
        if kind < 0.15:
            return "false"
        if kind < 0.3 and len(self.tokens) > 1:
            merged = self.fresh()
            chosen = self.choose.sample(self.tokens, 2)
            self.lines.append(f"  {merged} = call i1 (...) @llvm.csa.all0(i1 {chosen[0]}, i1 {chosen[1]})")
            return merged
        return self.choose.choice(self.tokens)

    def inord(self) -> None:
        token = self.token()
        self.lines.append(f"  call void @llvm.csa.inord(i1 {token})")

    def address(self) -> str:
        if self.values and self.choose.random() < 0.2:
            index, place = self.fresh(), self.fresh()
            self.lines.append(f"  {index} = and i32 {self.choose.choice(self.values)}, 1")
            self.lines.append(f"  {place} = getelementptr [2 x i32], ptr @a, i32 0, i32 {index}")
            return place
        return self.choose.choice(("@x", "@x", "@y", "@a"))

    def value(self) -> str:
        if self.values and self.choose.random() < 0.4:
            return self.choose.choice(self.values)
        return str(self.choose.randint(1, 2))

    def meet(self, last: bool = False) -> None:
        """Write a fence or the function's barrier here, perhaps; most functions have one barrier in the end."""
        choose = self.between
        if choose is None:
            return
        if choose.random() < 0.3:
            scope = choose.choice(("", 'syncscope("workgroup") '))
            self.lines.append(f"  fence {scope}{choose.choice(('acquire', 'release', 'acq_rel', 'seq_cst'))}")
        if self.barriers == 0 and choose.random() < (0.8 if last else 0.3):
            self.barriers = 1
            if choose.random() < 0.7:
                self.lines.append("  call void @llvm.amdgcn.s.barrier()")
            else:
                self.lines.append("  call void @llvm.amdgcn.s.barrier.signal(i32 -1)")
                self.lines.append("  call void @llvm.amdgcn.s.barrier.wait(i16 -1)")

    def operation(self) -> None:
        self.meet()
        kind = self.choose.choices(("load", "store", "rmw", "cas", "prefetch", "call"), (5, 6, 2, 1, 1, 1))[0]
        if kind == "call" and self.callee is None:
            kind = "store"
        address, value = self.address(), self.value()
        expected = self.value()
        self.inord()
        if kind == "load":
            read = self.fresh()
            self.lines.append(f"  {read} = load i32, ptr {address}")
        elif kind == "store":
            self.lines.append(f"  store i32 {value}, ptr {address}")
        elif kind == "rmw":
            read = self.fresh()
            operator = self.choose.choice(("add", "xchg"))
            self.lines.append(f"  {read} = atomicrmw {operator} ptr {address}, i32 {value} monotonic")
        elif kind == "cas":
            pair = self.fresh()
            self.lines.append(f"  {pair} = cmpxchg ptr {address}, i32 {expected}, i32 {value} monotonic monotonic")
        elif kind == "prefetch":
            self.lines.append(f"  call void @llvm.prefetch.p0(ptr {address}, i32 0, i32 3, i32 1)")
        else:
            self.lines.append(f"  call void @{self.callee}()")
        out = self.fresh()
        self.lines.append(f"  {out} = call i1 @llvm.csa.outord()")
        self.tokens.append(out)
        if kind in ("load", "rmw"):
            self.values.append(read)
        elif kind == "cas":
            old = self.fresh()
            self.lines.append(f"  {old} = extractvalue {{ i32, i1 }} {pair}, 0")
            self.values.append(old)

    def condition(self) -> str:
        if not self.values:
            self.inord()
            read, out = self.fresh(), self.fresh()
            self.lines.append(f"  {read} = load i32, ptr @x\n  {out} = call i1 @llvm.csa.outord()")
            self.values.append(read)
            self.tokens.append(out)
        test = self.fresh()
        self.lines.append(f"  {test} = icmp eq i32 {self.choose.choice(self.values)}, {self.choose.randint(0, 2)}")
        return test

    def branch(self, count: int) -> None:
        test = self.condition()
        tokens, values = list(self.tokens), list(self.values)
        self.lines.append(f"  br i1 {test}, label %then, label %else\nthen:")
        self.several(count)
        left = self.token()
        self.lines.append("  br label %join\nelse:")
        self.tokens, self.values = list(tokens), list(values)
        if self.choose.random() < 0.5:
            self.operation()
        right = self.token()
        phi = self.fresh()
        self.lines.append(f"  br label %join\njoin:\n  {phi} = phi i1 [ {left}, %then ], [ {right}, %else ]")
        self.tokens, self.values = [*tokens, phi, phi], values

    def loop(self, count: int) -> None:
        """Twice round, with a token that goes round."""
        start = self.token()
        phi, index, following, test = self.fresh(), self.fresh(), self.fresh(), self.fresh()
        self.lines.append("  br label %loop\nloop:")
        at = len(self.lines)
        self.lines.append("")
        self.tokens.append(phi)
        self.several(min(count, 1))
        back = self.token()
        self.lines[at] = (
            f"  {phi} = phi i1 [ {start}, %entry ], [ {back}, %loop ]\n"
            f"  {index} = phi i32 [ 0, %entry ], [ {following}, %loop ]"
        )
        self.lines.append(
            f"  {following} = add i32 {index}, 1\n  {test} = icmp eq i32 {following}, 2\n"
            f"  br i1 {test}, label %done, label %loop\ndone:"
        )

    def wait(self, count: int) -> None:
        """Round until a value is read; the bound may cut it."""
        start = self.token()
        phi, read, out, test = self.fresh(), self.fresh(), self.fresh(), self.fresh()
        self.lines.append("  br label %loop\nloop:")
        at = len(self.lines)
        self.lines.append("")
        self.tokens.append(phi)
        self.inord()
        self.lines.append(f"  {read} = load i32, ptr @x\n  {out} = call i1 @llvm.csa.outord()")
        self.tokens.append(out)
        back = self.token()
        self.lines[at] = f"  {phi} = phi i1 [ {start}, %entry ], [ {back}, %loop ]"
        self.lines.append(
            f"  {test} = icmp eq i32 {read}, {self.choose.randint(0, 1)}\n"
            f"  br i1 {test}, label %done, label %loop\ndone:"
        )
        self.values.append(read)
