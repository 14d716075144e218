"""Strategies for small litmus programs, as the LLVM IR text that a user would write."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TypeVar

from hypothesis import strategies as st

__all__ = ["ALL_FEATURES", "AV_NONE", "Function", "Program", "Writer", "programs", "random_program"]

_T = TypeVar("_T")

ALL_FEATURES = (
    "unordered",
    "fences",
    "rmw",
    "cmpxchg",
    "branches",
    "loops",
    "addresses",
    "dependencies",
    "undef",
    "tags",
    "private",
    "scopes",
    "one-as",
    "spaces",
    "volatile",
    "barriers",
    "calls",
    "av",
    "async",
)
"""What a strategy may be asked for; loads, stores and their orderings are always there."""

_TAGS = (
    '!"foo", !"x"',
    '!"foo", !"y"',
    '!"bar", !"x"',
    '!"bar", !"y"',
    '!"vulkan", !"nonprivate"',
    '!"vulkan", !"private"',
    '!"amdgpu-synchronize-as", !"global"',
    '!"amdgpu-synchronize-as", !"local"',
    '!"amdgpu-as", !"local"',
)
AV_NONE = '!"amdgcn-av", !"none"'
_SCOPES = ("", "singlethread", "wavefront", "workgroup", "cluster", "agent")
_LEVELS = ("agent", "cluster", "workgroup", "wavefront")
_LOADS = ("monotonic", "monotonic", "acquire", "acquire", "seq_cst")
_STORES = ("monotonic", "monotonic", "release", "release", "seq_cst")
_UPDATES = ("monotonic", "acquire", "release", "acq_rel", "seq_cst")
_OPERATORS = ("add", "add", "xchg", "xchg", "sub", "and", "or", "xor", "umax", "min", "nand", "uinc_wrap")


@dataclass(frozen=True)
class Program:
    """A generated program: its text, and its tagged operations for those who rewrite tags.

    `text` has a marker ``!mmra !N`` for each tagged operation, where node N of `tags` lists its tags; each
    operation has a node of its own.
    """

    lines: tuple[str, ...]
    tags: tuple[tuple[str, ...], ...] = ()

    @property
    def text(self) -> str:
        return self.with_tags(self.tags)

    def with_tags(self, tags: tuple[tuple[str, ...], ...]) -> str:
        """The text with other tags on the tagged operations; an operation without any loses its attachment."""
        lines = list(self.lines)
        nodes = []
        number = 100
        for index, operation in enumerate(tags):
            mark = f", !mmra !{index}"
            if not operation:
                lines = [line.removesuffix(mark) for line in lines]
                continue
            members = []
            for tag in operation:
                nodes.append(f"!{number} = !{{{tag}}}")
                members.append(f"!{number}")
                number += 1
            if len(operation) == 1:
                only = f", !mmra {members[0]}"
                lines = [line.removesuffix(mark) + only if line.endswith(mark) else line for line in lines]
            else:
                nodes.append(f"!{index} = !{{{', '.join(members)}}}")
        return "\n".join([*lines, "!99 = !{}", *nodes, ""])


@dataclass
class Function:
    """A function that is being written."""

    name: str
    result: str = "void"
    lines: list[str] = field(default_factory=list)
    registers: int = 0
    labels: int = 0
    block: str = "entry"
    integers: list[str] = field(default_factory=list)
    maybe_undef: bool = False

    def emit(self, line: str) -> None:
        self.lines.append(f"  {line}")

    def assign(self, expression: str, prefix: str = "v") -> str:
        name = f"%{prefix}{self.registers}"
        self.registers += 1
        self.emit(f"{name} = {expression}")
        return name

    def label(self) -> str:
        self.labels += 1
        return f"b{self.labels}"

    def open(self, label: str) -> None:
        self.lines.append(f"{label}:")
        self.block = label


class Writer:
    """Draws a program piece by piece, within a budget of reads and writes."""

    def __init__(self, choose: Callable[[int, int], int], features: frozenset[str], reads: int, writes: int) -> None:
        self.choose = choose
        self.features = features
        self.reads = reads
        self.writes = writes
        self.locations: list[tuple[str, str]] = []
        self.array: tuple[str, str] | None = None
        self.helpers: list[Function] = []
        self.declarations: set[str] = set()
        self.tags: list[tuple[str, ...]] = []
        self.barrier_count = 0
        self.plain = self.one("never", "sometimes", "often")
        self.private_to = self.number(0, 1) == 1

    def one(self, *options: str) -> str:
        return self.pick(options)

    def pick(self, options: Sequence[_T]) -> _T:
        return options[self.number(0, len(options) - 1)]

    def number(self, low: int, high: int) -> int:
        return self.choose(low, high)

    def has(self, feature: str) -> bool:
        return feature in self.features

    def chance(self, feature: str, percent: int = 50) -> bool:
        return self.has(feature) and self.number(1, 100) <= percent

    # Pieces of an instruction -------------------------------------------------------------------------------

    def ordering(self, *strong: str) -> str:
        """One of the given orderings, or a weaker one; programs differ in how many plain accesses they have."""
        if self.plain != "never" and self.number(0, 9) < (2 if self.plain == "sometimes" else 6):
            return ""
        return "unordered" if self.chance("unordered", 30) else self.one(*strong)

    def suffix(self, access: bool, address: str = "") -> str:
        """Metadata that stands behind an operation."""
        text = ""
        if access and address.startswith("@p"):
            text += ", !thread.private !99"
        elif access and self.chance("private", 25) and not self.private_to:
            text += ", !thread.private !99"
        av = self.chance("av", 30) and not access
        if self.chance("tags", 60) or av:
            several = self.number(1, 3)
            chosen = [AV_NONE] if av else []
            if self.has("tags"):
                chosen += [self.one(*_TAGS) for _ in range(several)]
            self.tags.append(tuple(dict.fromkeys(chosen)))
            text += f", !mmra !{len(self.tags) - 1}"
        return text

    def scope(self) -> str:
        names = list(_SCOPES) if self.has("scopes") else ["", "singlethread"]
        name = self.one(*names) if self.chance("scopes", 60) else ""
        if self.chance("one-as", 25):
            name = f"{name}-one-as" if name else "one-as"
        return f'syncscope("{name}") ' if name else ""

    def place(self, function: Function) -> tuple[str, str]:
        """The type and the text of an address, sometimes computed from something that was read."""
        if self.array is not None and function.integers and self.number(0, 1):
            name, space = self.array
            index = function.assign(f"and i32 {self.one(*function.integers)}, 1", "i")
            wide = function.assign(f"zext i32 {index} to i64", "w")
            pointer = f"getelementptr [2 x i32], {space} {name}, i64 0, i64 {wide}"
            return space, function.assign(pointer, "p")
        if self.array is not None and not self.number(0, 3):
            name, space = self.array
            return space, name  # its first element
        if self.private_to and function.result == "void" and self.chance("private", 35):
            return "ptr", f"@p{function.name}"
        name, space = self.one_location()
        if self.chance("dependencies", 15) and function.integers:
            zero = function.assign(f"and i32 {self.one(*function.integers)}, 0", "z")
            wide = function.assign(f"sext i32 {zero} to i64", "w")
            return space, function.assign(f"getelementptr i32, {space} {name}, i64 {wide}", "p")
        return space, name

    def one_location(self) -> tuple[str, str]:
        return self.pick(self.locations)

    def value(self, function: Function) -> str:
        """A constant, or something computed from what was read."""
        constant = str(self.number(1, 2))
        if not function.integers or not self.has("dependencies") or self.number(0, 1):
            return constant
        register = self.one(*function.integers)
        match self.number(0, 6):
            case 0 | 1:
                return register
            case 2:
                return function.assign(f"add i32 {register}, {constant}")
            case 3:
                return function.assign(f"or i32 {function.assign(f'and i32 {register}, 0')}, {constant}")
            case 4:
                return function.assign(f"xor i32 {register}, {register}")
            case 5:
                test = function.assign(f"icmp eq i32 {register}, {constant}", "c")
                return function.assign(f"select i1 {test}, i32 {constant}, i32 {self.one('3', register)}")
            case _:
                return function.assign(f"freeze i32 {register}") if self.has("undef") else register

    # Instructions -------------------------------------------------------------------------------------------

    def volatile(self) -> str:
        return "volatile " if self.chance("volatile", 50) else ""

    def load(self, function: Function) -> None:
        self.reads -= 1
        space, address = self.place(function)
        ordering = self.ordering(*_LOADS)
        if ordering:
            text = f"load atomic i32, {space} {address} {self.scope()}{ordering}, align 4"
        else:
            text = f"load {self.volatile()}i32, {space} {address}, align 4"
        function.integers.append(function.assign(text + self.suffix(True, address), "r"))

    def store(self, function: Function) -> None:
        self.writes -= 1
        value = self.value(function)
        space, address = self.place(function)
        ordering = self.ordering(*_STORES)
        if ordering:
            text = f"store atomic i32 {value}, {space} {address} {self.scope()}{ordering}, align 4"
        else:
            text = f"store {self.volatile()}i32 {value}, {space} {address}, align 4"
        function.emit(text + self.suffix(True, address))

    def update(self, function: Function) -> None:
        self.reads -= 1
        self.writes -= 1
        value = self.value(function)
        space, address = self.place(function)
        text = f"atomicrmw {self.one(*_OPERATORS)} {space} {address}, i32 {value} {self.scope()}{self.one(*_UPDATES)}"
        function.integers.append(function.assign(text + self.suffix(True, address), "r"))

    def compare_exchange(self, function: Function) -> None:
        self.reads -= 1
        self.writes -= 1
        desired = self.value(function)
        expected = self.one("0", "0", "1", *function.integers[-1:])
        space, address = self.place(function)
        weak = self.one("", "", "weak ")
        orderings = f"{self.scope()}{self.one(*_UPDATES)} {self.one('monotonic', 'acquire', 'seq_cst')}"
        text = f"cmpxchg {weak}{space} {address}, i32 {expected}, i32 {desired} {orderings}"
        pair = function.assign(text + self.suffix(True, address), "x")
        if self.number(0, 1):
            function.integers.append(function.assign(f"extractvalue {{ i32, i1 }} {pair}, 0", "r"))
        if self.number(0, 1):
            success = function.assign(f"extractvalue {{ i32, i1 }} {pair}, 1", "s")
            function.integers.append(function.assign(f"zext i1 {success} to i32", "v"))

    def fence(self, function: Function) -> None:
        ordering = self.one("acquire", "release", "acq_rel", "seq_cst")
        function.emit(f"fence {self.scope()}{ordering}" + self.suffix(False))

    def barrier(self, function: Function) -> None:
        self.barrier_count += 1
        match self.number(0, 7):
            case 0:
                self.declarations.add("declare void @llvm.amdgcn.s.barrier.signal(i32)")
                self.declarations.add("declare void @llvm.amdgcn.s.barrier.wait(i16)")
                function.emit("call void @llvm.amdgcn.s.barrier.signal(i32 -1)")
                if self.writes > 0 and self.number(0, 1):
                    self.store(function)
                function.emit("call void @llvm.amdgcn.s.barrier.wait(i16 -1)")
            case _:
                self.declarations.add("declare void @llvm.amdgcn.s.barrier()")
                function.emit("call void @llvm.amdgcn.s.barrier()")

    def branch(self, function: Function) -> None:
        """A branch or switch on something that was read, with one or two accesses below it, and a phi."""
        register = self.one(*function.integers)
        then, otherwise, after = function.label(), function.label(), function.label()
        if self.number(0, 4):
            test = function.assign(f"icmp {self.one('eq', 'ne', 'sgt')} i32 {register}, {self.number(0, 2)}", "c")
            function.emit(f"br i1 {test}, label %{then}, label %{otherwise}")
        else:
            function.emit(f"switch i32 {register}, label %{otherwise} [ i32 {self.number(0, 2)}, label %{then} ]")
        before = list(function.integers)
        incoming = []
        for label in (then, otherwise):
            function.open(label)
            function.integers = list(before)
            for _ in range(self.number(1, 1) if label == then else self.number(0, 1)):
                self.simple(function)
            incoming.append((function.integers[-1], function.block))
            if label == otherwise and not self.number(0, 15):
                function.emit("unreachable")
                incoming.pop()
                continue
            function.emit(f"br label %{after}")
        function.open(after)
        function.integers = before
        if self.number(0, 1):
            pairs = ", ".join(f"[ {value}, %{block} ]" for value, block in incoming)
            function.integers.append(function.assign(f"phi i32 {pairs}", "v"))

    def await_loop(self, function: Function) -> None:
        """A loop that reads until it finds a value: the number of its rounds is bounded."""
        self.reads -= 1
        head, after = function.label(), function.label()
        function.emit(f"br label %{head}")
        function.open(head)
        self.load(function)
        register = function.integers[-1]
        test = function.assign(f"icmp {self.one('eq', 'ne')} i32 {register}, {self.number(0, 1)}", "c")
        if self.writes > 1 and not self.number(0, 2):
            self.writes -= 1
            self.store(function)
        function.emit(f"br i1 {test}, label %{after}, label %{head}")
        function.open(after)

    def counted_loop(self, function: Function) -> None:
        """A loop of two or three rounds that writes, or reads and adds up."""
        head, after = function.label(), function.label()
        entry = function.block
        rounds = self.number(2, 3)
        function.emit(f"br label %{head}")
        function.open(head)
        counter = f"%n{function.registers}"
        following = f"%m{function.registers}"
        function.registers += 1
        function.emit(f"{counter} = phi i32 [ 0, %{entry} ], [ {following}, %{head} ]")
        before = list(function.integers)
        if self.writes >= rounds:
            self.writes -= rounds - 1
            function.integers = [counter]
            self.store(function)
        elif self.reads >= rounds:
            self.reads -= rounds - 1
            self.load(function)
        function.integers = before
        function.emit(f"{following} = add i32 {counter}, 1")
        test = function.assign(f"icmp ult i32 {following}, {rounds}", "c")
        function.emit(f"br i1 {test}, label %{head}, label %{after}")
        function.open(after)

    def call(self, function: Function) -> None:
        """A call of a helper that loads or stores: an existing one again, or a new one."""
        if self.helpers and self.number(0, 1):
            helper = self.pick(self.helpers)
            self.reads -= 1
            self.writes -= 1
        else:
            helper = Function(f"h{len(self.helpers)}", "i32")
            helper.integers.append("%p")
            self.simple(helper)
            helper.emit(f"ret i32 {self.one(*helper.integers)}")
            self.helpers.append(helper)
        argument = self.one("1", *function.integers[-2:])
        function.integers.append(function.assign(f"call i32 @{helper.name}(i32 {argument})", "r"))

    def simple(self, function: Function) -> None:
        """One access without control flow, as far as the budget allows."""
        kinds = []
        if self.reads > 0:
            kinds += [self.load] * 3
        if self.writes > 0:
            kinds += [self.store] * 3
        if self.reads > 0 and self.writes > 0:
            kinds += [self.update] * self.has("rmw") + [self.compare_exchange] * self.has("cmpxchg")
        if not kinds:
            return
        self.pick(kinds)(function)

    def statement(self, function: Function) -> None:
        kinds = [self.simple] * 5
        if self.has("fences"):
            kinds += [self.fence] * 2
        if self.has("branches") and function.integers:
            kinds += [self.branch] * 2
        if self.has("loops"):
            kinds += [self.counted_loop]
            if self.reads > 1:
                kinds += [self.await_loop] * 2
        if self.has("calls") and self.reads > 0 and self.writes > 0:
            kinds += [self.call] * 2
        if self.has("barriers") and self.barrier_count < 4:
            kinds += [self.barrier] * 3
        if self.has("av") and self.reads > 0 and self.writes > 0:
            kinds += [self.av_access] * 2
        if self.has("async"):
            kinds += [self.copy] * 5 * (self.reads > 0 and self.writes > 0) + [self.mark, self.wait]
        self.pick(kinds)(function)

    def copy(self, function: Function) -> None:
        """An asynchronous copy between LDS and global memory, most often with a mark and a wait, now or later."""
        self.reads -= 1
        self.writes -= 1
        local = self.one(*(name for name, space in self.locations if space == "ptr addrspace(3)"))
        far = self.one(*(name for name, space in self.locations if space == "ptr addrspace(1)"))
        name = self.one("load.async.to", "load.async.to", "store.async.from")
        self.declarations.add(
            f"declare void @llvm.amdgcn.global.{name}.lds.b32(ptr addrspace(1), ptr addrspace(3), i32, i32)"
        )
        arguments = f"ptr addrspace(1) {far}, ptr addrspace(3) {local}, i32 0, i32 0"
        function.emit(f"call void @llvm.amdgcn.global.{name}.lds.b32({arguments})" + self.suffix(False))
        if self.number(0, 4):
            self.mark(function)
            if self.number(0, 2):
                if not self.number(0, 3):
                    self.simple(function)
                self.wait(function)
                if self.number(0, 1):
                    self.simple(function)

    def mark(self, function: Function) -> None:
        self.declarations.add("declare void @llvm.amdgcn.asyncmark(i32)")
        function.emit(f"call void @llvm.amdgcn.asyncmark(i32 {self.one('0', '0', '0', '2', '8', '2045')})")

    def wait(self, function: Function) -> None:
        self.declarations.add("declare void @llvm.amdgcn.wait.asyncmark(i16, i32)")
        left, mask = self.one("0", "0", "0", "1"), self.one("0", "0", "0", "2", "8", "2045")
        function.emit(f"call void @llvm.amdgcn.wait.asyncmark(i16 {left}, i32 {mask})" + self.suffix(False))

    def av_access(self, function: Function) -> None:
        """One of the availability and visibility intrinsics, on a vector of its own."""
        scope = self.one(*_SCOPES) if self.has("scopes") else ""
        if self.number(0, 1):
            self.writes -= 1
            number = self.number(1, 2)
            if self.number(0, 2):
                name = "llvm.amdgcn.av.global.store.b128"
                self.declarations.add(f"declare void @{name}(ptr addrspace(1), <4 x i32>, metadata)")
                vector = f"<4 x i32> splat (i32 {number})"
                function.emit(f'call void @{name}(ptr addrspace(1) @v, {vector}, metadata !"{scope}")')
            else:
                function.emit(f"store <4 x i32> splat (i32 {number}), ptr addrspace(1) @v, align 16")
            return
        self.reads -= 1
        if self.number(0, 2):
            name = "llvm.amdgcn.av.global.load.b128"
            self.declarations.add(f"declare <4 x i32> @{name}(ptr addrspace(1), metadata)")
            vector = function.assign(f'call <4 x i32> @{name}(ptr addrspace(1) @v, metadata !"{scope}")', "q")
        else:
            vector = function.assign("load <4 x i32>, ptr addrspace(1) @v, align 16", "q")
        function.integers.append(function.assign(f"extractelement <4 x i32> {vector}, i64 0", "r"))

    # Whole programs -----------------------------------------------------------------------------------------

    def passes_message(self, function: Function, sends: bool) -> None:
        """One side of message passing: data, then a flag, with or without fences between."""
        fenced = self.has("fences") and self.number(0, 1)
        (data, data_space), (flag, flag_space) = self.locations[0], self.locations[-1]
        before = len(function.integers)
        if sends:
            function.emit(f"store {self.volatile()}i32 1, {data_space} {data}, align 4" + self.suffix(True, data))
            if fenced:
                self.fence(function)
            ordering = f"{self.scope()}{self.one('release', 'release', 'monotonic')}"
            text = f"store atomic i32 2, {flag_space} {flag} {ordering}, align 4"
            function.emit(text + self.suffix(True, flag))
            self.writes -= 2
            return
        ordering = f"{self.scope()}{self.one('acquire', 'acquire', 'monotonic')}"
        text = f"load atomic i32, {flag_space} {flag} {ordering}, align 4" + self.suffix(True, flag)
        function.integers.append(function.assign(text, "r"))
        if fenced:
            self.fence(function)
        after = ""
        if self.has("branches") and self.number(0, 1):
            then, after = function.label(), function.label()
            test = function.assign(f"icmp eq i32 {function.integers[-1]}, 2", "c")
            function.emit(f"br i1 {test}, label %{then}, label %{after}")
            function.open(then)
        text = f"load {self.volatile()}i32, {data_space} {data}, align 4" + self.suffix(True, data)
        function.integers.append(function.assign(text, "r"))
        if after:
            function.emit(f"br label %{after}")
            function.open(after)
            function.integers = function.integers[: before + 1]
        self.reads -= 2

    def meets(self, function: Function) -> None:
        """Half of an exchange around a barrier: an access, fence, barrier, fence, and another access."""
        self.simple(function)
        self.fence(function)
        self.barrier(function)
        self.fence(function)
        self.simple(function)

    def thread(self, index: int, count: int, shape: str) -> Function:
        function = Function(f"t{index}")
        accesses = self.number(1, 4 if count == 2 else 3)
        if shape == "message" and index < 2:
            self.passes_message(function, index == 0)
            accesses -= 2
        elif shape == "barrier" and index < 2:
            self.meets(function)
            accesses -= 2
        for _ in range(accesses):
            self.statement(function)
        function.emit("ret void")
        return function

    def scope_tree(self, threads: list[str]) -> str:
        """A random tree: each thread is put with the one before down to some level."""
        tree = f"(agent (cluster (workgroup (wavefront {threads[0]}"
        for thread in threads[1:]:
            shared = self.number(0, 4)
            if shared == 4:
                tree += f" {thread}"
            else:
                tree += ")" * (4 - shared) + " " + " ".join(f"({level}" for level in _LEVELS[shared:]) + f" {thread}"
        return f"(system {tree}))))" + ")"

    def program(self) -> Program:
        count = self.number(2, 3)
        names = [f"t{n}" for n in range(count)]
        spaces = ("ptr", "ptr addrspace(1)", "ptr addrspace(3)") if self.has("spaces") else ("ptr addrspace(1)",)
        data = self.one("2", "3") if self.has("async") else self.one("1", "2", "2", "3")
        if data == "1":  # everything conflicts with everything
            self.reads, self.writes = min(self.reads, 4), min(self.writes, 4)
        header = ["; generated"]
        if self.features & {"scopes", "barriers", "av", "async"}:
            header.append(f"; SCOPES: {self.scope_tree(names)}")
        header.append("; EXISTS: true")
        for name in ("@x", "@y", "@z")[: int(data)]:
            space = self.one(*spaces)
            if self.has("async") and name != "@z":
                space = {"@x": "ptr addrspace(1)", "@y": "ptr addrspace(3)"}[name]
            initial = "undef" if self.chance("undef", 40) else self.one("0", "0", "0", "1")
            self.locations.append((name, space))
            header.append(f"{name} = {space[4:]}{' ' if space != 'ptr' else ''}global i32 {initial}")
        if self.chance("addresses", 80):
            self.array = ("@a", "ptr addrspace(1)")
            header.append("@a = addrspace(1) global [2 x i32] [i32 0, i32 1]")
        if self.has("av"):
            header.append("@v = addrspace(1) global <4 x i32> zeroinitializer")
        if self.has("private") and self.private_to:
            header += [f"@p{name} = global i32 0" for name in names]
        shapes = ["any", "message"] + ["barrier"] * (self.has("barriers") and self.has("fences"))
        shape = self.one(*shapes)
        functions = [self.thread(index, count, shape) for index in range(count)]
        lines = header
        for function in self.helpers + functions:
            parameters = "i32 %p" if function in self.helpers else ""
            lines += [f"define {function.result} @{function.name}({parameters}) {{", "entry:", *function.lines, "}"]
        lines += sorted(self.declarations)
        return Program(tuple(lines), tuple(self.tags))


@st.composite
def programs(draw: st.DrawFn, features: frozenset[str], reads: int = 5, writes: int = 5) -> Program:
    """Small programs of two or three threads.

    Parameters
    ----------
    features : frozenset of str
        What may occur besides plain and atomic loads and stores; see :data:`ALL_FEATURES`.
    reads, writes : int
        About how many there may be in all; they bound what a literal enumeration takes.
    """
    _check(features)
    return Writer(lambda low, high: draw(st.integers(low, high)), features, reads, writes).program()


def random_program(features: frozenset[str], seed: int, reads: int = 5, writes: int = 5) -> Program:
    """The program of a seed: unlike Hypothesis', these are spread evenly, and are never made smaller."""
    _check(features)
    return Writer(Random(seed).randint, features, reads, writes).program()


def _check(features: frozenset[str]) -> None:
    unknown = features - set(ALL_FEATURES)
    if unknown:
        raise ValueError(f"unknown features {sorted(unknown)}")
