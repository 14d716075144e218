"""Programs whose accesses overlap: one, two, four and eight bytes, vectors and structs at any offset."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

__all__ = ["random_overlap"]

_OBJECTS = (
    ("i32", ("0", "305419896")),
    ("i32", ("-1", "undef")),
    ("i64", ("0", "1311768467463790320")),
    ("[2 x i32]", ("zeroinitializer", "[i32 1, i32 513]")),
    ("[4 x i8]", ("zeroinitializer", "[i8 1, i8 2, i8 3, i8 4]")),
    ("<4 x i8>", ("zeroinitializer", "<i8 1, i8 2, i8 3, i8 4>")),
    ("<2 x i16>", ("zeroinitializer", "<i16 1, i16 2>")),
    ("{ i16, i16 }", ("zeroinitializer", "{ i16 1, i16 2 }")),
    ("{ i8, i32 }", ("zeroinitializer", "{ i8 1, i32 2 }")),
    ("float", ("1.0", "0.0")),
)
"""Types of shared memory, with initial contents."""

_SIZES = {
    "i8": 1, "i16": 2, "i32": 4, "i64": 8, "float": 4, "half": 2, "i24": 3,
    "[2 x i32]": 8, "[4 x i8]": 4, "[2 x i8]": 2, "<4 x i8>": 4, "<2 x i8>": 2, "<3 x i8>": 3, "<2 x i16>": 4,
    "<{ i8, i16 }>": 3, "{ i16, i16 }": 4, "{ i8, i32 }": 8,
}  # fmt: skip
_CONSTANTS = {
    "i8": ("1", "2", "-1"),
    "i16": ("257", "2", "-2"),
    "i24": ("66051", "-3"),
    "i32": ("1", "16909060", "-4"),
    "i64": ("1", "72623859790382856"),
    "float": ("1.0", "2.0"),
    "half": ("1.0", "0xH7C00"),
    "[2 x i8]": ("[i8 5, i8 6]",),
    "<2 x i8>": ("<i8 5, i8 6>", "<i8 7, i8 undef>"),
    "<3 x i8>": ("<i8 7, i8 8, i8 9>",),
    "<4 x i8>": ("<i8 9, i8 8, i8 7, i8 6>", "<i8 1, i8 undef, i8 undef, i8 2>"),
    "<2 x i16>": ("<i16 771, i16 772>",),
    "<{ i8, i16 }>": ("<{ i8 3, i16 4 }>",),
    "{ i16, i16 }": ("{ i16 3, i16 4 }", "{ i16 undef, i16 4 }"),
    "{ i8, i32 }": ("{ i8 3, i32 4 }",),
}
_PLAIN = tuple(_CONSTANTS)
_WORDS = ("i8", "i16", "i32")
_SCOPES = ("", "", "workgroup", "agent", "wavefront", "singlethread")
_TREES = {
    2: (
        "(system (agent (workgroup (wavefront t0) (wavefront t1))))",
        "(system (agent (workgroup (wavefront t0)) (workgroup (wavefront t1))))",
        "(system (agent (workgroup (wavefront t0))) (agent (workgroup (wavefront t1))))",
    ),
    3: (
        "(system (agent (workgroup (wavefront t0) (wavefront t1) (wavefront t2))))",
        "(system (agent (workgroup (wavefront t0)) (workgroup (wavefront t1) (wavefront t2))))",
        "(system (agent (workgroup (wavefront t0 t1)) (workgroup (wavefront t2))))",
        "(system (agent (workgroup (wavefront t0))) (agent (workgroup (wavefront t1) (wavefront t2))))",
    ),
}
_OPERATORS = ("add", "sub", "xchg", "and", "or", "xor", "umax", "min", "nand")


class _Writer:
    def __init__(self, random: Random, scopes: bool, tags: bool) -> None:
        self.random = random
        self.scopes, self.tags = scopes, tags
        self.objects: list[tuple[str, int]] = []
        self.declarations: set[str] = set()
        self.lines: list[str] = []
        self.held: list[tuple[str, str]] = []
        self.registers = 0
        self.reads, self.writes = 4, 4
        self.strong = random.choice((20, 50, 90))

    def one(self, options: Sequence[str]) -> str:
        return self.random.choice(options)

    def chance(self, percent: int) -> bool:
        return self.random.randrange(100) < percent

    def assign(self, text: str) -> str:
        name = f"%r{self.registers}"
        self.registers += 1
        self.lines.append(f"  {name} = {text}")
        return name

    # Pieces -------------------------------------------------------------------------------------------------

    def place(self, size: int, step: int = 1) -> str | None:
        """An address of so many bytes in some object; None if it has no room."""
        name, room = self.random.choice(self.objects)
        if size > room:
            return None
        offset = self.random.randrange((room - size) // step + 1) * step
        return f"getelementptr (i8, ptr {name}, i64 {offset})" if offset else name

    def scope(self) -> str:
        name = self.one(_SCOPES) if self.scopes else ""
        return f'syncscope("{name}") ' if name else ""

    def tag(self) -> str:
        return f", !mmra !{self.random.randrange(2)}" if self.tags and self.chance(40) else ""

    def value(self, type_: str) -> str:
        """A constant, or what was read, with its lowest bytes."""
        if self.held and self.chance(40) and type_ in _WORDS:
            register, held = self.held[-1]
            if held == type_:
                return register
            if held in _WORDS:
                operator = "trunc" if _SIZES[held] > _SIZES[type_] else "zext"
                return self.assign(f"{operator} {held} {register} to {type_}")
        return self.one(_CONSTANTS[type_])

    def read(self, type_: str, register: str) -> None:
        if type_ in _WORDS:
            self.held.append((register, type_))

    # Instructions -------------------------------------------------------------------------------------------

    def load(self) -> None:
        self.reads -= 1
        if self.chance(self.strong):
            type_ = self.one((*_WORDS, "i64", "float"))
            size = _SIZES[type_]
            step = 1 if self.chance(15) else size
            ordering = f"{self.scope()}{self.one(('monotonic', 'acquire', 'seq_cst', 'unordered'))}"
            text, align = f"load atomic {type_}, ptr ", f" {ordering}, align {step}"
        else:
            type_ = self.one(_PLAIN)
            size, step = _SIZES[type_], 1
            text, align = f"load {type_}, ptr ", ", align 1"
        place = self.place(size, step)
        if place is not None:
            self.read(type_, self.assign(text + place + align + self.tag()))

    def store(self) -> None:
        self.writes -= 1
        if self.chance(self.strong):
            type_ = self.one((*_WORDS, "i64", "float"))
            size = _SIZES[type_]
            step = 1 if self.chance(15) else size
            ordering = f"{self.scope()}{self.one(('monotonic', 'release', 'seq_cst', 'unordered'))}"
            text, align = f"store atomic {type_} ", f" {ordering}, align {step}"
        else:
            type_ = self.one(_PLAIN)
            size, step = _SIZES[type_], 1
            text, align = f"store {type_} ", ", align 1"
        place = self.place(size, step)
        if place is not None:
            value = self.value(type_)
            self.lines.append(f"  {text}{value}, ptr {place}{align}{self.tag()}")

    def update(self) -> None:
        self.reads, self.writes = self.reads - 1, self.writes - 1
        type_ = self.one((*_WORDS, *_WORDS, "float"))
        place = self.place(_SIZES[type_], _SIZES[type_])
        if place is None:
            return
        operator = self.one(("fadd", "xchg")) if type_ == "float" else self.one(_OPERATORS)
        ordering = f"{self.scope()}{self.one(('monotonic', 'acq_rel', 'release', 'acquire', 'seq_cst'))}"
        value = self.value(type_)
        text = f"atomicrmw {operator} ptr {place}, {type_} {value} {ordering}"
        self.read(type_, self.assign(text + self.tag()))

    def exchange(self) -> None:
        self.reads, self.writes = self.reads - 1, self.writes - 1
        type_ = self.one(_WORDS)
        place = self.place(_SIZES[type_], _SIZES[type_])
        if place is None:
            return
        orderings = f"{self.scope()}{self.one(('monotonic', 'acq_rel', 'release', 'seq_cst'))}"
        expected = self.one(("0", *_CONSTANTS[type_]))
        value = self.value(type_)
        text = f"cmpxchg ptr {place}, {type_} {expected}, {type_} {value} {orderings} monotonic"
        pair = self.assign(text + self.tag())
        self.read(type_, self.assign(f"extractvalue {{ {type_}, i1 }} {pair}, 0"))

    def fence(self) -> None:
        ordering = self.one(("acquire", "release", "acq_rel", "seq_cst"))
        self.lines.append(f"  fence {self.scope()}{ordering}{self.tag()}")

    def fill(self) -> None:
        self.writes -= 1
        size = self.random.choice((1, 2, 3, 4))
        place = self.place(size)
        if place is None:
            return
        name = "llvm.memset.p0.i64"
        self.declarations.add(f"declare void @{name}(ptr, i8, i64, i1)")
        byte = self.value("i8")
        self.lines.append(f"  call void @{name}(ptr {place}, i8 {byte}, i64 {size}, i1 false)")

    def copy(self) -> None:
        """Of bytes, of elements, or of a struct as a whole."""
        self.reads, self.writes = self.reads - 1, self.writes - 1
        size = self.random.choice((1, 2, 4, 8))
        to, source = self.place(size, size), self.place(size, size)
        if to is None or source is None:
            return
        match self.random.randrange(4):
            case 0 if size > 2:
                type_ = "{ i8, i32 }" if size == 8 else "{ i16, i16 }"
                value = self.assign(f"load {type_}, ptr {source}, align 1")
                self.lines.append(f"  store {type_} {value}, ptr {to}, align 1")
            case 1:
                name = "llvm.memcpy.element.unordered.atomic.p0.p0.i64"
                self.declarations.add(f"declare void @{name}(ptr, ptr, i64, i32)")
                step = max(size // 2, 1)
                arguments = f"ptr align {step} {to}, ptr align {step} {source}, i64 {size}, i32 {step}"
                self.lines.append(f"  call void @{name}({arguments})")
            case _:
                name = self.one(("llvm.memcpy.p0.p0.i64", "llvm.memmove.p0.p0.i64"))
                self.declarations.add(f"declare void @{name}(ptr, ptr, i64, i1)")
                self.lines.append(f"  call void @{name}(ptr {to}, ptr {source}, i64 {size}, i1 false)")

    def statement(self) -> None:
        kinds = [self.fence]
        if self.reads > 0:
            kinds += [self.load] * 4
        if self.writes > 0:
            kinds += [self.store] * 4 + [self.fill]
        if self.reads > 0 and self.writes > 0:
            kinds += [self.update, self.update, self.exchange, self.copy]
        self.random.choice(kinds)()

    def thread(self, index: int, count: int) -> list[str]:
        self.lines, self.held, self.registers = [], [], 0
        for _ in range(self.random.randint(1, 3 if count == 2 else 2)):
            self.statement()
        return [f"define void @t{index}() {{", *self.lines, "  ret void", "}"]

    def program(self) -> str:
        count = self.random.choice((2, 2, 3))
        lines = ["; generated"]
        if self.scopes:
            lines.append(f"; SCOPES: {self.one(_TREES[count])}")
        lines.append("; EXISTS: true")
        for name in ("@x", "@y")[: self.random.choice((1, 1, 2))]:
            type_, contents = self.random.choice(_OBJECTS)
            self.objects.append((name, _SIZES[type_]))
            lines.append(f"{name} = global {type_} {self.one(contents)}")
        for index in range(count):
            lines += self.thread(index, count)
        lines += sorted(self.declarations)
        if self.tags:
            lines += ['!0 = !{!"foo", !"x"}', '!1 = !{!"foo", !"y"}']
        return "\n".join([*lines, ""])


def random_overlap(seed: int, *, scopes: bool = False, tags: bool = False) -> str:
    """The program of a seed."""
    return _Writer(Random(seed), scopes, tags).program()
