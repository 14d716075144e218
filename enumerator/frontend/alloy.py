"""Khronos Alloy tests (``.test``): instructions line by line, and questions about the executions that they allow.

The language is described at the head of ``alloy/litmus.cpp`` in Khronos's repository Vulkan-MemoryModel. What the
front end makes of it:

- Threads are ``P0``, ``P1`` …, by their numbers; a thread's loads go to ``r0``, ``r1`` … in program order. The device
  has one instance, queue families, workgroups and subgroups those that ``NEWQF``, ``NEWWG`` and ``NEWSG`` begin.
- ``ld x = 1`` asks for executions in which the load reads 1: such values are the test's filter. A store without a
  value writes one of its own.
- Each ``SATISFIABLE`` or ``NOSOLUTION`` is an expectation under the model ``vulkan``: that there is such an execution
  (``Always``: of the condition ``true``), or none (``Never``). ``#dr=0`` selects the variant ``race-free``, ``#dr>0``
  the variant ``racy``; without either, races do not matter (``race-blind``). ``NOCHAINS`` selects ``nochains``.
  Alloy could be asked anything. Of what else is asked, as the number of edges of a relation (``#rs=2``) or
  executions that are not consistent (``#dr>0`` alone), the test says in its notes that it is not covered.
"""

from __future__ import annotations

import re
from dataclasses import field, replace
from typing import NoReturn

from enumerator.errors import InputError
from enumerator.frontend.columns.code import WORD
from enumerator.frontend.directives import Comment, Directives, read_directives
from enumerator.frontend.vulkan.code import lower_operation
from enumerator.frontend.vulkan.initial import place
from enumerator.frontend.vulkan.operations import parse_operation
from enumerator.frozen import dataclass
from enumerator.program.condition import And, Condition, Equal, Formula, Literal, Name, Quantifier, TrueFormula
from enumerator.program.instructions import (
    Block,
    Constant,
    Function,
    Instruction,
    Load,
    ReadModifyWrite,
    Return,
    Store,
)
from enumerator.program.test import Expectation, MemoryObject, Test, Thread
from enumerator.program.types import PointerType
from enumerator.program.values import Pointer

__all__ = ["load_text"]

_WORD = re.compile(r"\S+")
_OPERANDS = re.compile(
    r"(?P<name>[A-Za-z_]\w*)(?:\s*=\s*(?P<first>-?\d{1,10})(?:\s+(?P<second>-?\d{1,10}))?)?", re.ASCII
)
_NUMBER = re.compile(r"\d{1,6}", re.ASCII)
_LEGAL = re.compile(r"copyright|licen[cs]e|creativecommons", re.IGNORECASE)
_RACES = {
    **dict.fromkeys(("#dr=0", "#dr<1", "racefree[X]", "noX.dr"), "race-free"),
    **dict.fromkeys(("#dr>0", "#dr>=1", "#dr!=0", "!racefree[X]", "someX.dr"), "racy"),
}
_PARENTHESES = re.compile(r"\(([^()]*)\)")
_LIMIT = 1 << 31


@dataclass
class _Thread:
    """A thread under construction, and the instances that it runs in."""

    number: int
    instances: tuple[int, int, int]
    line: int
    body: list[Instruction] = field(default_factory=list)
    reads: int = 0


def load_text(text: str, path: str) -> Test:
    """Read a Khronos Alloy test.

    Parameters
    ----------
    text, path : str

    Returns
    -------
    Test

    Raises
    ------
    InputError
        With the place of the mistake.

    Examples
    --------
    >>> lines = ["NEWTHREAD 0", "st.sc0 x = 1", "ld.sc0 x = 1", "SATISFIABLE consistent[X] && #dr=0"]
    >>> test = load_text(chr(10).join(lines), "one.test")
    >>> test.condition.filter, test.expectations[0].variants
    (Equal(left=Name(text='P0:r0'), right=Literal(value=1)), ('race-free',))
    """
    return _Reader(text, path).run()


class _Reader:
    def __init__(self, text: str, path: str) -> None:
        self._lines = text.removeprefix("\ufeff").splitlines()
        self._path = path
        self._line = 0
        self._threads: list[_Thread] = []
        self._begun = [-1, -1, -1]  # subgroups, workgroups, queue families so far
        self._waiting = False  # for the thread of a new instance
        self._references: dict[str, str] = {}
        self._lines_of: dict[str, int] = {}
        self._values: list[Formula] = []
        self._questions: list[Expectation] = []
        self._notes: list[str] = []
        self._synchronized: list[tuple[int, int, int]] = []
        self._comments: list[Comment] = []
        self._used = {int(number) for number in re.findall(r"\d{1,9}", text)}

    def run(self) -> Test:
        """Read all lines."""
        for number, line in enumerate(self._lines, 1):
            self._line = number
            if line.startswith("//"):
                content = line.lstrip("/ \t")
                if content.strip():
                    self._comments.append(Comment(content.strip(), number, line.index(content) + 1))
            elif line.strip():
                self._read(line)
        self._line = len(self._lines)
        if not self._threads:
            self._fail("the test has no instruction")
        if self._waiting:
            self._fail("the file ends here: expected NEWTHREAD and its instructions")
        return self._test()

    def _fail(self, message: str, column: int = 1) -> NoReturn:
        raise InputError(message, self._path, self._line, column)

    # -- lines -----------------------------------------------------------------------------------------------

    def _read(self, line: str) -> None:
        words = [(match[0], match.start() + 1) for match in _WORD.finditer(line)]
        match words[0][0]:
            case "NEWQF" | "NEWWG" | "NEWSG" as level:
                self._arguments(words, 0)
                self._begin(("NEWSG", "NEWWG", "NEWQF").index(level))
            case "NEWTHREAD":
                if len(words) > 2:
                    self._fail(f"unexpected {words[2][0]!r} behind the number of the thread", words[2][1])
                self._thread(self._number(words[1]) if len(words) > 1 else self._next_number())
            case "SSW":
                self._arguments(words, 2, "two threads")
                self._synchronized.append((self._number(words[1]), self._number(words[2]), self._line))
            case "SLOC":
                self._arguments(words, 2, "two names")
                self._alias(words[1][0], words[2][0])
            case "SATISFIABLE" | "NOSOLUTION":
                self._question(line, words)
            case _:
                self._instruction(line, *words[0])

    def _arguments(self, words: list[tuple[str, int]], count: int, what: str = "") -> None:
        if len(words) > count + 1:
            self._fail(f"unexpected {words[count + 1][0]!r}", words[count + 1][1])
        if len(words) < count + 1:
            self._fail(f"{words[0][0]}: expected {what}", words[0][1])

    def _number(self, word: tuple[str, int]) -> int:
        if not _NUMBER.fullmatch(word[0]):
            self._fail(f"expected the number of a thread, not {word[0]!r}", word[1])
        return int(word[0])

    def _begin(self, level: int) -> None:
        """Begin an instance, and with it one of each smaller level."""
        for smaller in range(level + 1):
            self._begun[smaller] += 1
        self._waiting = True

    def _next_number(self) -> int:
        return self._threads[-1].number + 1 if self._threads else 0

    def _thread(self, number: int) -> None:
        for thread in self._threads:
            if thread.number == number:
                self._fail(f"a second thread {number} (the first is in line {thread.line})")
        if not self._threads:
            self._begun = [max(count, 0) for count in self._begun]
        subgroup, workgroup, family = (max(count, 0) for count in self._begun)
        self._threads.append(_Thread(number, (subgroup, workgroup, family), self._line))
        self._waiting = False

    def _alias(self, first: str, second: str) -> None:
        one, other = (self._references.setdefault(name, name) for name in (first, second))
        for name, target in self._references.items():
            if target == other:
                self._references[name] = one

    # -- instructions ----------------------------------------------------------------------------------------

    def _instruction(self, line: str, word: str, column: int) -> None:
        if self._waiting:
            self._fail("expected NEWTHREAD before the first instruction of a new instance", column)
        if not self._threads:
            self._thread(0)
        thread = self._threads[-1]

        def error(message: str, offset: int) -> InputError:
            return InputError(message, self._path, self._line, column + offset)

        operation = parse_operation(word, error)
        rest = line[column - 1 + len(word) :]
        place_of_rest = column + len(word) + len(rest) - len(rest.lstrip())
        rest = rest.strip()
        if operation.kind == "cbar":
            if not _NUMBER.fullmatch(rest):
                self._fail("expected the number of the barrier", place_of_rest)
            thread.body.append(lower_operation(operation, self._line, instance=int(rest)))
            return
        if operation.kind not in ("st", "ld", "rmw"):
            if rest:
                self._fail(f"unexpected {rest.split()[0]!r}", place_of_rest)
            thread.body.append(lower_operation(operation, self._line))
            return
        match = _OPERANDS.fullmatch(rest)
        if match is None or (match["second"] is not None and operation.kind != "rmw"):
            wanted = "x = 1 2, read and written" if operation.kind == "rmw" else "x = 1"
            self._fail(f"expected a variable and, if it matters, its value: {wanted}", place_of_rest)
        values = [int(value) if value is not None else None for value in (match["first"], match["second"])]
        if any(value is not None and not -_LIMIT <= value < _LIMIT for value in values):
            self._fail("this number does not fit into 32 bits", place_of_rest)
        self._references.setdefault(match["name"], match["name"])
        self._lines_of.setdefault(match["name"], self._line)
        target = f"r{thread.reads}"
        written = values[0] if operation.kind == "st" else values[1]
        if operation.kind != "st":
            thread.reads += 1
            if values[0] is not None:
                self._values.append(Equal(Name(f"P{thread.number}:{target}"), Literal(values[0])))
        thread.body.append(
            lower_operation(
                operation,
                self._line,
                {match["name"]: match["name"]},  # what it leads to is known at the end
                match["name"],
                target=target,
                value=Constant(self._fresh() if written is None else written, WORD),
            )
        )

    def _fresh(self) -> int:
        value = 1
        while value in self._used:
            value += 1
        self._used.add(value)
        return value

    # -- questions -------------------------------------------------------------------------------------------

    def _question(self, line: str, words: list[tuple[str, int]]) -> None:
        chains = len(words) > 1 and words[1][0] == "NOCHAINS"
        first = words[2 if chains else 1] if len(words) > (2 if chains else 1) else None
        if first is None:
            self._fail(f"{words[0][0]}: expected consistent[X]", words[0][1])
        terms = [_PARENTHESES.sub(r"\1", "".join(term.split())) for term in line[first[1] - 1 :].split("&&")]
        races = {_RACES[term] for term in terms if term in _RACES}
        if "consistent[X]" not in terms or len(races) > 1 or not set(terms) <= {"consistent[X]", *_RACES}:
            wanted = "covered are consistent[X], alone or with #dr=0 or #dr>0"
            self._notes.append(f"{self._path}:{self._line}:{first[1]}: this question is not covered ({wanted})")
            return
        about = races.pop() if races else "race-blind"
        found = words[0][0] == "SATISFIABLE"
        expectation = Expectation(
            "vulkan",
            None,
            (about, "nochains") if chains else (about,),
            "Always" if found else "Never",
            frozenset({"race"}) if found and about == "racy" else frozenset(),
            line.strip(),
            self._line,
        )
        for other in self._questions:
            if other.variants == expectation.variants and other.observation != expectation.observation:
                self._fail(f"this contradicts line {other.line}")
            if other.variants == expectation.variants:
                return
        self._questions.append(expectation)

    # -- the test --------------------------------------------------------------------------------------------

    def _test(self) -> Test:
        directives = self._directives()
        threads = {thread.number: thread for thread in self._threads}
        for first, second, line in self._synchronized:
            self._line = line
            for number in (first, second):
                if number not in threads:
                    self._fail(f"SSW: there is no thread {number}")
            if first == second:
                self._fail("SSW: a thread is not synchronized with itself")
        functions = [self._function(thread) for thread in self._threads]
        values = tuple(self._values)
        locations = dict.fromkeys(self._references[name] for name in self._lines_of)
        places = place([thread.instances for thread in self._threads])
        return Test(
            name=re.sub(r"\.test\Z", "", self._path.replace("\\", "/").rpartition("/")[2]),
            title=directives.title,
            path=self._path,
            format="alloy",
            objects=tuple(MemoryObject(name, WORD, initial=0, line=self._lines_of.get(name)) for name in locations),
            functions={function.name: function for function in functions},
            threads=tuple(Thread(function.name, function.name) for function in functions),
            placements={thread.name: placement for thread, placement in zip(functions, places, strict=True)},
            condition=Condition(
                Quantifier.EXISTS,
                TrueFormula(),
                "true",
                None if not values else values[0] if len(values) == 1 else And(values),
            ),
            locations=tuple(
                Name(f"P{thread.number}:r{number}") for thread in self._threads for number in range(thread.reads)
            ),
            expectations=(*directives.expectations, *self._questions),
            profile=directives.profile,
            unroll=directives.unroll,
            references=tuple(directives.references),
            synchronized=tuple((f"P{first}", f"P{second}") for first, second, _ in self._synchronized),
            notes=tuple(self._notes),
            source="\n".join(self._lines),
        )

    def _directives(self) -> Directives:
        comments = [comment for comment in self._comments if not _LEGAL.search(comment.text)]
        directives = read_directives(comments, self._path)
        given = [directives.scopes, directives.threads, directives.condition and directives.condition[1]]
        for comment in given:
            if comment is not None:
                message = "SCOPES, THREADS and conditions have no place here: NEWTHREAD and its like say it all"
                raise InputError(message, self._path, comment.line, comment.column)
        return directives

    def _function(self, thread: _Thread) -> Function:
        name = f"P{thread.number}"
        body = tuple(self._resolved(instruction) for instruction in thread.body)
        registers = tuple((f"r{number}", f"r{number}") for number in range(thread.reads))
        return Function(name, (), (Block("entry", (), body, Return(None, thread.line)),), thread.line, registers)

    def _resolved(self, instruction: Instruction) -> Instruction:
        """Let an access go to the location that its reference leads to: SLOC may stand behind it."""
        if not isinstance(instruction, Load | Store | ReadModifyWrite):
            return instruction
        target = self._references[instruction.annotation.reference]
        return replace(instruction, address=Constant(Pointer(target), PointerType(0)))
