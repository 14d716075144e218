"""Registers that an optimizer must not lose: each is stored to a global of its own, which nobody else touches."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import field

from enumerator.conditions import names
from enumerator.errors import InputError
from enumerator.frontend.again import by_own_lines, load_again
from enumerator.frontend.directives import directive
from enumerator.frontend.llvm.source import scan
from enumerator.frozen import dataclass
from enumerator.program.instructions import (
    Assign,
    CompareExchange,
    Constant,
    Freeze,
    Function,
    Load,
    Operation,
    Phi,
    ReadModifyWrite,
    Register,
    Return,
)
from enumerator.program.test import RETURNED, Test
from enumerator.program.types import IntType, StructType, Type
from enumerator.program.written import type_text

__all__ = ["Instrumented", "NotOptimized", "instrument"]

_GLOBAL = re.compile(r'@("[^"]*"|[-\w.$]+)')
_ASKED = re.compile(r"\s*;\s*(EXISTS|FORALL|NEVER|EXPECT|OBSERVE|THREADS|LAUNCH|SCOPES|PROFILE)\s*:")
_PLAIN = re.compile(r"[-a-zA-Z$._][-a-zA-Z$._0-9]*|[0-9]+")


class NotOptimized(InputError):
    """A test that LLVM's optimizer has nothing to do with."""


@dataclass(frozen=True)
class Instrumented:
    """A test whose observed registers are stored to globals.

    Parameters
    ----------
    test : Test
    text : str
        Its text, with its directives.
    directives : str
        The lines of directives, for what becomes of the test.
    stored : dict of str to str
        By global, the register that it holds: what a thread's ``%r`` is when it has ended.
    lost : tuple of str
        Observed registers that cannot be stored: those of inlined calls, and of threads that a grid or a program makes.
    """

    test: Test
    text: str
    directives: str
    stored: Mapping[str, str] = field(default_factory=dict)
    lost: tuple[str, ...] = ()


def instrument(test: Test) -> Instrumented:
    """Store each register that a test observes to a global of its own, right after the register has its value.

    A function that several threads run is copied, so that each thread has globals of its own. The globals are ``undef``
    at first, as a register is that a path does not assign.

    Parameters
    ----------
    test : Test
        Read from LLVM IR, or compiled to it.

    Returns
    -------
    Instrumented

    Raises
    ------
    NotOptimized
        If the test is not in LLVM IR, or has ordering tokens.
    InputError
        If the text of a function cannot be found.

    Examples
    --------
    >>> from enumerator.frontend import load_text
    >>> text = "; EXISTS: t:%r = 1\\n@x = global i32 0\\ndefine void @t() {\\n  %r = load i32, ptr @x\\n  ret void\\n}"
    >>> found = instrument(load_text(text, "t.ll"))
    >>> found.stored
    {'@observed.t.r': 't:%r'}
    >>> print(*(line for line in found.text.splitlines() if "observed" in line), sep="\\n")
    ; OBSERVE: @x @observed.t.r
      store i32 %r, ptr @observed.t.r
    @observed.t.r = global i32 undef
    """
    if test.format != "llvm" or not test.source:
        raise NotOptimized("only tests in LLVM IR are optimized", test.path)
    if any(function.tokens for function in test.functions.values()):
        raise NotOptimized("LLVM's passes know nothing of ordering tokens", test.path)
    wanted = [name.text for name in test.observed] if test.observed is not None else list(names(test.condition.formula))
    registers = [name for name in wanted if ":%" in name]
    as_text = by_own_lines(test)
    writer = _Writer(as_text)
    for name in registers:
        writer.store(name)
    used = _used_globals(as_text.source)
    plain = [each.name for each in test.objects if not each.constant and not each.hidden and each.name in used]
    # What a thread returns that another one created goes to who joins it, if anybody does.
    own = [thread for thread in test.threads if thread.creation is None]
    plain += [f"{thread.name}:{RETURNED}" for thread in own if _returns(test.functions[thread.function])]
    others = [name for name in wanted if ":%" not in name] if test.observed is not None else plain
    directives = writer.directives([*others, *writer.stored])
    text = "\n".join([*directives, *writer.body(), *writer.globals()]) + "\n"
    return Instrumented(load_again(test, text), text, "\n".join(directives), writer.stored, tuple(writer.lost))


def _used_globals(text: str) -> set[str]:
    """Name the globals that anything uses: a pass drops others, as what nobody accesses keeps its value."""
    lines = (line.partition(";")[0] for line in text.splitlines())
    uses = (re.sub(r"^@[^=]*=", "", line) for line in lines)
    return {f"@{_unquoted(name)}" for line in uses for name in _GLOBAL.findall(line)}


def _unquoted(name: str) -> str:
    return name[1:-1] if name.startswith('"') else name


def _returns(function: Function) -> bool:
    ends = [block.terminator for block in function.blocks]
    return any(isinstance(end, Return) and end.value is not None for end in ends)


class _Writer:
    """The lines of a test, with stores put in behind some."""

    def __init__(self, test: Test) -> None:
        self._test = test
        self._lines = test.source.splitlines()
        self._source = scan(test.source)
        self.stored: dict[str, str] = {}
        self.lost: list[str] = []
        self._types: dict[str, Type] = {}
        # Threads of a grid run one kernel, and threads that are created have no directive: neither have copies.
        self._launch = directive(self._source.comments, "LAUNCH")
        self._made = bool(self._launch) or any(thread.creation is not None for thread in test.threads)
        # By thread, what comes behind a line of its function (or before it, where that begins a block).
        self._behind: dict[str, dict[int, list[str]]] = {thread.name: {} for thread in test.threads}
        self._before: dict[str, dict[int, list[str]]] = {thread.name: {} for thread in test.threads}

    def store(self, name: str) -> None:
        """Store a register of a thread, where it is assigned."""
        thread, _, register = name.partition(":%")
        function = self._test.functions[next(each.function for each in self._test.threads if each.name == thread)]
        found = _assignment(function, register)
        type_ = _type_of(function, register)
        if found is None or type_ is None or self._made:
            self.lost.append(name)
            return
        number, phi = found
        memory = f"@observed.{thread}.{register}"
        written, spelt = f"@{_quoted(memory[1:])}", f"%{_quoted(register)}"
        line = f"  store {type_text(type_)} {spelt}, ptr {written}"
        (self._before if phi else self._behind)[thread].setdefault(number, []).append(line)
        self.stored[memory] = name
        self._types[written] = type_

    def globals(self) -> Iterator[str]:
        """Give the globals that registers are stored to."""
        for name, type_ in self._types.items():
            yield f"{name} = global {type_text(type_)} undef"

    def directives(self, observed: list[str]) -> list[str]:
        """Give the directives of the test: what it asks is what it observes."""
        test = self._test
        lines = [f"; {test.title or test.name}"]
        if self._launch:
            lines.append(f"; LAUNCH: {self._launch}")
        elif test.scope_tree:
            lines.append(f"; SCOPES: {test.scope_tree}")
        if test.profile != "generic":
            lines.append(f"; PROFILE: {test.profile}")
        if test.unroll is not None:
            lines.append(f"; UNROLL: {test.unroll}")
        if observed:
            lines.append("; OBSERVE: " + " ".join(map(_name, observed)))
        if self._made:
            return lines
        # What is inlined everywhere is called by nobody any more, and is no thread for all that.
        threads = directive(self._source.comments, "THREADS") or " ".join(
            f"{thread.name}=@{_quoted(thread.function)}" for thread in test.threads
        )
        for thread, function in self._copies():
            pattern = rf'(\b{re.escape(thread)}\s*=\s*@)(?:"{re.escape(function)}"|{re.escape(function)})(?![-\w.$])'
            threads = re.sub(pattern, lambda match, to=f"{function}.{thread}": f"{match[1]}{to}", threads)  # type: ignore[misc]
        return [*lines, f"; THREADS: {threads}"]

    def _copies(self) -> Iterator[tuple[str, str]]:
        """Give the threads with stores of their own that share a function with other threads, and that function."""
        for thread in self._test.threads:
            sharing = sum(each.function == thread.function for each in self._test.threads)
            if sharing > 1 and (self._behind[thread.name] or self._before[thread.name]):
                yield thread.name, thread.function

    def body(self) -> Iterator[str]:
        """Give the lines of the test, with the stores, and the copies of functions."""
        copied = dict(self._copies())
        alone = {each.function: each.name for each in self._test.threads if each.name not in copied}
        asked = {comment.line for comment in self._source.comments if _ASKED.match(f"; {comment.text}")}
        spans = {name: self._span(name) for name in {*copied.values(), *alone}}
        inside = {number: name for name, span in spans.items() for number in span}
        for number, line in enumerate(self._lines, 1):
            if number in asked or re.match(r"\s*;\s*UNROLL\s*:", line):
                continue
            yield from self._line(number, line, alone.get(inside.get(number, "")))
        for thread, function in copied.items():
            for number in spans[function]:
                line = self._lines[number - 1]
                if number == spans[function].start:
                    pattern = rf'@(?:"{re.escape(function)}"|{re.escape(function)})(?=\s*\()'
                    line = re.sub(pattern, f"@{function}.{thread}", line, count=1)
                yield from self._line(number, line, thread)

    def _line(self, number: int, line: str, thread: str | None) -> Iterator[str]:
        if thread is None:
            yield line
            return
        yield from self._before[thread].get(number, ())
        yield line
        yield from self._behind[thread].get(number, ())

    def _span(self, name: str) -> range:
        first = self._test.functions[name].line or len(self._lines)
        for number in range(first, len(self._lines) + 1):
            if self._lines[number - 1].startswith("}"):
                return range(first, number + 1)
        raise InputError(
            f"the end of @{name} was not found: expected '}}' at the start of a line", self._test.path, first
        )


def _quoted(name: str) -> str:
    return name if _PLAIN.fullmatch(name) else f'"{name}"'


def _name(name: str) -> str:
    if name.startswith("@") and not re.fullmatch(r"@[-a-zA-Z$._0-9]+", name):
        return f'@"{name[1:]}"'
    return name


def _assignment(function: Function, register: str) -> tuple[int, bool] | None:
    """Find the line at which a register is assigned, or, for a phi, that of the first instruction behind the phis."""
    for block in function.blocks:
        for phi in block.phis:
            if phi.target == register:
                line = (*block.body, block.terminator)[0].line
                return None if line is None else (line, True)
        for part in block.body:
            if getattr(part, "target", None) == register and part.line is not None:
                return part.line, False
    return None


def _type_of(function: Function, register: str, depth: int = 0) -> Type | None:
    """Give the type of a register, from the instruction that assigns it."""
    for block in function.blocks:
        for part in (*block.phis, *block.body):
            if getattr(part, "target", None) != register:
                continue
            match part:
                case Load(type=type_) | ReadModifyWrite(type=type_) | Phi(type=type_) | Freeze(type=type_):
                    return type_
                case CompareExchange(type=type_):
                    return StructType((type_, IntType(1)))
                case Assign(expression=Operation(type=type_)) | Assign(expression=Constant(type=type_)):
                    return type_
                case Assign(expression=Register(name)) if depth < 8:
                    return _type_of(function, name, depth + 1)
    return None
