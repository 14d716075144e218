"""A skeleton as a test in LLVM IR: the records of the front end, made without text and without LLVM.

What stands for what:

- threads ``t0`` …, locations ``@x`` ``@y`` ``@z`` ``@w`` ``@a`` …, and a register ``%r0`` … for each read of a thread;
- an address dependency adds ``r ^ r`` to the address, a data dependency to the value; behind a control dependency the
  rest of the thread runs only if the read got what the condition asks for (or 0, if it asks nothing).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from functools import lru_cache

from enumerator.errors import InputError
from enumerator.frozen import dataclass
from enumerator.generation.skeleton import (
    DependencyKind,
    Event,
    Kind,
    Location,
    Mark,
    Place,
    Skeleton,
    failure_ordering,
    register_names,
)
from enumerator.program.condition import And, Condition, Equal, Formula, Literal, Name, Quantifier, TrueFormula
from enumerator.program.instructions import (
    Annotation,
    Assign,
    Barrier,
    Block,
    Branch,
    CompareExchange,
    Constant,
    Expression,
    Fence,
    Function,
    Instruction,
    Load,
    Operation,
    Ordering,
    ReadModifyWrite,
    Register,
    Return,
    Scope,
    Store,
    Terminator,
)
from enumerator.program.test import MemoryObject, Placement, Test, Thread
from enumerator.program.types import IntType, PointerType, StructType
from enumerator.program.values import Pointer
from enumerator.scopes import scope_tree_text

__all__ = ["AVAILABILITY", "asked", "llvm_annotation", "location_names", "needs_scopes", "to_test"]

_BIT = IntType(1)

AVAILABILITY = "amdgcn-av"
"""The word of loads and stores that are AMDGPU's intrinsics, which make themselves visible or available."""


@lru_cache(64)
def location_names(count: int) -> tuple[str, ...]:
    """Name locations as the literature does: x, y, z, w, a, b, …

    Examples
    --------
    >>> location_names(6)
    ('x', 'y', 'z', 'w', 'a', 'b')
    """
    letters = "xyzwabcdefghijkl"
    return tuple(letters[number] if number < len(letters) else f"v{number}" for number in range(count))


def asked(skeleton: Skeleton) -> tuple[dict[int, int], ...]:
    """Give what the condition asks each thread's events to read.

    Parameters
    ----------
    skeleton : Skeleton

    Returns
    -------
    tuple of dict
        For each thread, values by index of the event.
    """
    found: tuple[dict[int, int], ...] = tuple({} for _ in skeleton.threads)
    for number, index, value in skeleton.reads:
        found[number][index] = value
    return found


def needs_scopes(skeleton: Skeleton) -> bool:
    """Tell whether a skeleton is another test when its threads run elsewhere."""
    if any(len(set(level)) < len(skeleton.places) for level in list(zip(*skeleton.places, strict=True))[:5]):
        return True
    return any(
        event.kind == Kind.BARRIER or event.mark.scope not in (Scope.SYSTEM, Scope.SINGLETHREAD)
        for thread in skeleton.threads
        for event in thread
    )


def to_test(
    skeleton: Skeleton,
    name: str = "test",
    title: str = "",
    profile: str = "generic",
    path: str = "",
    source: str = "",
    *,
    joined: bool = False,
) -> Test:
    r"""Make a test in LLVM IR of a skeleton.

    Parameters
    ----------
    skeleton : Skeleton
        One that :func:`~enumerator.generation.skeleton.check_skeleton` does not refuse.
    name, title, profile, path, source : str
        Of the test.
    joined : bool
        Behind a control dependency the rest of the thread runs whatever the read got: both ways of the branch go on.

    Returns
    -------
    Test

    Raises
    ------
    InputError
        If an event has attributes that LLVM IR does not have.

    Examples
    --------
    >>> from enumerator.generation.skeleton import Location, apart
    >>> threads = ((Event(Kind.WRITE, 0, 1), Event(Kind.READ, 1)), (Event(Kind.WRITE, 1, 1), Event(Kind.READ, 0)))
    >>> test = to_test(Skeleton(threads, apart(2), (Location(), Location()), ((0, 1, 0), (1, 1, 0))), "SB")
    >>> test.condition.text
    't0:%r0 = 0 /\\ t1:%r0 = 0'
    """
    for number, index, event in skeleton.events():
        words = set(event.mark.words)
        if event.kind in (Kind.READ, Kind.WRITE) and event.mark.ordering == Ordering.NA:
            words.discard(AVAILABILITY)
        if words:
            raise InputError(f"thread {number}, event {index}: LLVM IR has no {', '.join(sorted(words))}")
    names = [f"@{each}" for each in location_names(len(skeleton.locations))]
    wanted = asked(skeleton)
    threads = tuple(f"t{number}" for number in range(len(skeleton.threads)))
    placements = {thread: _placement(place) for thread, place in zip(threads, skeleton.places, strict=True)}
    return Test(
        name=name,
        title=title,
        path=path or f"{name}.ll",
        format="llvm",
        objects=tuple(
            MemoryObject(each, IntType(8 * location.size), location.space, 0)
            for each, location in zip(names, skeleton.locations, strict=True)
        ),
        functions={
            thread: _function(
                thread, skeleton.threads[number], skeleton.locations, tuple(wanted[number].items()), joined
            )
            for number, thread in enumerate(threads)
        },
        threads=tuple(Thread(thread, thread) for thread in threads),
        placements=placements,
        condition=_condition(skeleton, names),
        profile=profile,
        scope_tree=scope_tree_text(placements) if needs_scopes(skeleton) else "",
        source=source,
    )


@lru_cache(1024)
def _placement(place: Place) -> Placement:
    return Placement(place)


@lru_cache(4096)
def llvm_annotation(mark: Mark, space: int) -> Annotation:
    """Give the annotation of an operation in LLVM IR: with the word :data:`AVAILABILITY`, of an intrinsic."""
    labels = frozenset(("AV",) if AVAILABILITY in mark.words else ())
    return Annotation(mark.ordering, mark.scope, tags=frozenset(mark.tags), address_space=space, labels=labels)


def _condition(skeleton: Skeleton, names: Sequence[str]) -> Condition:
    registers = [register_names(thread) for thread in skeleton.threads]
    sides = [(f"t{number}:%{registers[number][index]}", value) for number, index, value in skeleton.reads]
    sides += [(names[location], value) for location, value in skeleton.finals]
    atoms = tuple(Equal(Name(name), Literal(value)) for name, value in sides)
    formula: Formula = TrueFormula() if not atoms else atoms[0] if len(atoms) == 1 else And(atoms)
    text = " /\\ ".join(f"{name} = {value}" for name, value in sides) or "true"
    return Condition(Quantifier.EXISTS, formula, text)


@lru_cache(1 << 14)  # generated tests have many threads in common
def _function(
    name: str,
    thread: tuple[Event, ...],
    locations: tuple[Location, ...],
    wanted: tuple[tuple[int, int], ...],
    joined: bool,
) -> Function:
    """Give the function of a thread, whose reads are to get what `wanted` says by the index of the event."""
    return Function(name, (), _Code(locations, dict(wanted), joined).blocks(thread))


@dataclass
class _Code:
    """The code of a thread under construction."""

    locations: Sequence[Location]
    wanted: dict[int, int]
    joined: bool
    body: list[Instruction] = field(default_factory=list)
    done: list[Block] = field(default_factory=list)
    label: str = "entry"

    def blocks(self, thread: Sequence[Event]) -> tuple[Block, ...]:
        registers = register_names(thread)
        guarded: set[int] = set()
        for index, event in enumerate(thread):
            for kind, source in event.depends:
                if kind == DependencyKind.CTRL and source not in guarded:
                    guarded.add(source)
                    self._guard(thread[source], registers[source], self.wanted.get(source, 0))
            self._event(thread, index, registers)
        self._end(Return())
        if guarded and not self.joined:
            self.label = "end"
            self._end(Return())
        return tuple(self.done)

    def _end(self, terminator: Terminator) -> None:
        self.done.append(Block(self.label, (), tuple(self.body), terminator))
        self.body = []

    def _guard(self, source: Event, register: str, value: int) -> None:
        type_ = self._type(source)
        seen, then = f"c{register[1:]}", f"then{register[1:]}"
        compared = Operation("icmp eq", (Register(register), Constant(value, type_)), _BIT, type_)
        self.body.append(Assign(seen, compared))
        self._end(Branch(Register(seen), then, then if self.joined else "end"))
        self.label = then

    def _type(self, event: Event) -> IntType:
        return IntType(8 * (event.part[1] or self.locations[event.location].size))

    def _zeros(
        self, thread: Sequence[Event], index: int, kind: DependencyKind, type_: IntType, registers: dict[int, str]
    ) -> Expression | None:
        """Compute a zero of all reads that an event depends on in some way; None if there are none."""
        found: Expression | None = None
        for each, source in thread[index].depends:
            if each != kind:
                continue
            name = f"{kind.name[0].lower()}{index}.{source}"
            read, of = Register(registers[source]), self._type(thread[source])
            zero: Expression = self._assign(name, Operation("xor", (read, read), of, of))
            if of.width != type_.width:
                how = "sext" if of.width < type_.width else "trunc"
                zero = self._assign(f"{name}.{how}", Operation(how, (zero,), type_, of))
            if found is not None:
                zero = self._assign(f"{name}.or", Operation("or", (found, zero), type_, type_))
            found = zero
        return found

    def _assign(self, name: str, operation: Operation) -> Register:
        self.body.append(Assign(name, operation))
        return Register(name)

    def _event(self, thread: Sequence[Event], index: int, registers: dict[int, str]) -> None:
        event = thread[index]
        if event.kind == Kind.BARRIER:
            self.body.append(Barrier(True, True))
            return
        if event.kind == Kind.FENCE:
            self.body.append(Fence(llvm_annotation(event.mark, 0)))
            return
        space = self.locations[event.location].space
        note, type_ = llvm_annotation(event.mark, space), self._type(event)
        pointer = PointerType(space)
        address: Expression = Constant(
            Pointer(f"@{location_names(len(self.locations))[event.location]}", event.part[0]), pointer
        )
        offset = self._zeros(thread, index, DependencyKind.ADDR, IntType(64), registers)
        if offset is not None:
            address = self._assign(f"p{index}", Operation("ptradd", (address, offset), pointer, pointer))
        if event.kind == Kind.READ:
            self.body.append(Load(registers[index], address, type_, note))
            return
        value: Expression = Constant(event.value, type_)
        zero = self._zeros(thread, index, DependencyKind.DATA, type_, registers)
        if zero is not None:
            value = self._assign(f"v{index}", Operation("add", (zero, value), type_, type_))
        if event.kind == Kind.WRITE:
            self.body.append(Store(address, value, type_, note))
        elif event.operator == "cmpxchg":
            self._exchange(event, registers[index], address, value, type_, note)
        else:
            self.body.append(ReadModifyWrite(registers[index], event.operator, address, value, type_, note))

    def _exchange(
        self, event: Event, register: str, address: Expression, value: Expression, type_: IntType, note: Annotation
    ) -> None:
        pair, both = f"s{register[1:]}", StructType((type_, _BIT))
        expected = Constant(event.expected, type_)
        failure = failure_ordering(event.mark.ordering)
        self.body.append(CompareExchange(pair, address, expected, value, type_, note, failure))
        self.body.append(Assign(register, Operation("extractvalue", (Register(pair),), type_, both, (0,))))
