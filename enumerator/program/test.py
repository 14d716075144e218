"""A litmus test, as every front end gives it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from enumerator.frozen import dataclass
from enumerator.program.condition import Condition, Name
from enumerator.program.instructions import Assume, Constant, Function, Scope
from enumerator.program.types import Type
from enumerator.program.values import Value

__all__ = ["RETURNED", "Creation", "Expectation", "MemoryObject", "Placement", "Test", "Thread"]

RETURNED = "ret"
"""What results call the value that a thread returns, without the thread: ``t0:ret``."""


@dataclass(frozen=True, slots=True)
class MemoryObject:
    """A global: its name with the sigil (``@x``), type, address space and initial contents.

    `initial` is a value of the type: scalars as they are, arrays, structs and vectors as tuples of values;
    ``None`` stands for zeros throughout. An ``undef`` in the place of an aggregate covers all of it.
    One that is `hidden` is not of the test's text, and results do not show it.
    `labels` are further sets that its initial write is in.
    """

    name: str
    type: Type
    address_space: int = 0
    initial: Value | None = None
    constant: bool = False
    line: int | None = None
    hidden: bool = False
    labels: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Creation:
    """How a thread comes to be, if another one creates it.

    Parameters
    ----------
    creator : str
        The name of that thread.
    number : int
        How many threads it has created before on the way there.
    function : str
    argument : Value or None
        What is passed; None if that depends on what is read: then it goes through memory.
    at_once : bool
        Nothing comes before it that the thread could tell from what comes after, so it need not wait.
    certain : bool
        Every execution comes to it.
    code : bool
        The thread's function returns a number, not an address (``thrd_create``).
    """

    creator: str
    number: int
    function: str
    argument: Value | None = None
    at_once: bool = False
    certain: bool = False
    code: bool = False


@dataclass(frozen=True, slots=True)
class Thread:
    """A thread: its name, the function it runs and the arguments it passes.

    `properties` are values of registers with a ``%``, which all its functions share. What `creation` says is None for
    a thread that is there from the beginning; `handle` is the object that stands for one that was created.

    With `alternatives`, it runs one of these functions instead, any of them: questions that are about many threads are
    asked at once. `function` is then the first of them.
    """

    name: str
    function: str
    arguments: tuple[Constant, ...] = ()
    properties: tuple[tuple[str, Value], ...] = ()
    creation: Creation | None = None
    handle: str = ""
    alternatives: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Placement:
    """Where a thread runs: for each :class:`Scope` level, smallest first, the number of its instance.

    Two threads share an instance of a scope iff the numbers at that level are equal. At level
    ``SINGLETHREAD`` the numbers of all threads differ, at ``SYSTEM`` all are equal.
    """

    instances: tuple[int, int, int, int, int, int]

    def instance(self, scope: Scope) -> int:
        """Give the number of this thread's instance of a scope."""
        return self.instances[scope]


@dataclass(frozen=True, slots=True)
class Expectation:
    """One ``EXPECT`` entry: under which model, profile and variants, and what should come out."""

    model: str
    profile: str | None
    variants: tuple[str, ...]
    observation: str
    flags: frozenset[str] = frozenset()
    text: str = ""
    line: int | None = None


@dataclass(frozen=True)
class Test:
    """A litmus test.

    Parameters
    ----------
    name : str
        The header's name, or the file's stem.
    title : str
        One line that says what the test shows.
    path : str
        The file it was read from.
    format : {'llvm', 'c', 'opencl', 'vulkan', 'alloy', 'ptx'}
        The language, which decides the default model.
    objects : tuple of MemoryObject
    functions : mapping of str to Function
    threads : tuple of Thread
    placements : mapping of str to Placement
        Scope instances of each thread, by thread name.
    condition : Condition
    locations : tuple of Name
        Further names whose final values states show (herd's ``locations``).
    expectations : tuple of Expectation
    profile : str
        Default target profile.
    target_profile : str
        Of a program that was compiled for a target and names no profile itself: the one that models of this target
        take instead. Empty if there is none.
    unroll : int or None
        The test's own bound on loops whose trip count is not constant.
    references : tuple of str
    scope_tree : str
        The scope tree as written, or the empty string.
    synchronized : tuple of (str, str)
        Pairs of threads of which the first, as a whole, is synchronized by the system before the second.
    thread_locals : tuple of MemoryObject
        Variables of which each thread has its own: those are among the `objects`, with the thread's name behind a dot.
    notes : tuple of str
        What reports have to say of the file, such as questions in it that are not covered.
    big_endian : bool
        The order of the bytes of a number in memory; little-endian else.
    observed : tuple of Name or None
        What is compared where one test is to refine another (``OBSERVE:``); None if the test does not say.
    """

    __test__ = False  # the name is the field's; it is no test class of pytest

    name: str
    title: str
    path: str
    format: str
    objects: tuple[MemoryObject, ...]
    functions: Mapping[str, Function]
    threads: tuple[Thread, ...]
    placements: Mapping[str, Placement]
    condition: Condition
    locations: tuple[Name, ...] = ()
    expectations: tuple[Expectation, ...] = ()
    profile: str = "generic"
    unroll: int | None = None
    references: tuple[str, ...] = ()
    scope_tree: str = ""
    synchronized: tuple[tuple[str, str], ...] = ()
    thread_locals: tuple[MemoryObject, ...] = ()
    notes: tuple[str, ...] = ()
    observed: tuple[Name, ...] | None = None
    big_endian: bool = False
    target_profile: str = ""
    source: str = field(default="", repr=False, compare=False)

    def has(self, *kinds: type) -> bool:
        r"""Tell whether an instruction of some kinds is in the code, terminators and phis apart.

        Parameters
        ----------
        *kinds : type

        Returns
        -------
        bool

        Examples
        --------
        >>> from enumerator.frontend import load_text
        >>> from enumerator.program.instructions import Freeze, Load
        >>> test = load_text("define void @t() {\n  %a = freeze i32 undef\n  ret void\n}", "t.ll")
        >>> test.has(Freeze, Load), test.has(Load)
        (True, False)
        """
        return any(isinstance(part, kinds) for function in self.functions.values() for part in function.instructions)

    @property
    def may_refuse_all(self) -> bool:
        """Whether it may have no execution, as something is assumed in it."""
        parts = (part for function in self.functions.values() for part in function.instructions)
        return any(isinstance(part, Assume) and part.refuses for part in parts)
