"""What the threads of a context are made of: the operations that two programs can tell apart (semantics, section 7)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from enumerator.frozen import dataclass
from enumerator.program.instructions import (
    Access,
    Annotation,
    CompareExchange,
    Constant,
    Fence,
    Function,
    Instruction,
    Load,
    Ordering,
    ReadModifyWrite,
    Scope,
    Store,
    Tag,
)
from enumerator.program.memory import location_type
from enumerator.program.test import Test
from enumerator.program.types import FloatType, IntType, PointerType, Type, VectorType, size_of
from enumerator.program.values import Pointer, Value
from enumerator.unfold.paths import Location

__all__ = [
    "Alphabet",
    "ContextOperation",
    "FENCES",
    "READS",
    "UPDATES",
    "WRITES",
    "alphabet",
    "instruction_of",
    "may_be_atomic",
]

READS = (Ordering.NA, Ordering.UNORDERED, Ordering.MONOTONIC, Ordering.ACQUIRE, Ordering.SEQ_CST)
WRITES = (Ordering.NA, Ordering.UNORDERED, Ordering.MONOTONIC, Ordering.RELEASE, Ordering.SEQ_CST)
UPDATES = (Ordering.MONOTONIC, Ordering.ACQUIRE, Ordering.RELEASE, Ordering.ACQ_REL, Ordering.SEQ_CST)
FENCES = (Ordering.ACQUIRE, Ordering.RELEASE, Ordering.ACQ_REL, Ordering.SEQ_CST)


@dataclass(frozen=True, order=True)
class ContextOperation:
    """An operation of a context.

    Parameters
    ----------
    kind : {'load', 'store', 'atomicrmw', 'fence'}
    place : Location or None
        None for a fence.
    ordering : Ordering
    scope : Scope
    tags : tuple of Tag
        Sorted.
    """

    kind: str
    place: Location | None
    ordering: Ordering
    scope: Scope
    tags: tuple[Tag, ...] = ()


@dataclass(frozen=True)
class Alphabet:
    """The operations of contexts, and where their threads may run.

    Parameters
    ----------
    operations : tuple of ContextOperation
    levels : tuple of Scope
        The levels of the scope tree at which a thread may meet another one, smallest first; the last is the system.
    types : dict of Location to Type
        Of the accesses.
    spaces : dict of str to int
        The address space of each object.
    used : frozenset of int
        The integers of the two programs: what a context stores is none of them.
    notes : tuple of str
        What contexts do not do.
    """

    operations: tuple[ContextOperation, ...]
    levels: tuple[Scope, ...]
    types: dict[Location, Type]
    spaces: dict[str, int]
    used: frozenset[int]
    notes: tuple[str, ...] = ()

    def fresh(self, number: int, type_: Type) -> Value | None:
        """Give the value of a store: one that the programs do not have, another one for each number.

        Parameters
        ----------
        number : int
            Counts the operations of a context, from 0.
        type_ : Type

        Returns
        -------
        Value or None
            None where such a type has no value to tell apart.
        """
        if isinstance(type_, VectorType):
            part = self.fresh(number, type_.element)
            return None if part is None else (part,) * type_.count
        if not isinstance(type_, IntType) or type_.width < 4:
            return None
        most = (1 << min(type_.width - 1, 31)) - 1
        free = (value for value in range(min(90, most), most + 1) if value not in self.used)
        for _ in range(number):
            next(free, None)
        return next(free, None)


def alphabet(tests: Sequence[Test], places: Iterable[Location], used: Iterable[Value]) -> Alphabet:
    """Say what the contexts of some programs are made of.

    Orderings, scopes and tags are those that occur in them, their absence, and the strongest: ``seq_cst``, ``system``.

    Parameters
    ----------
    tests : sequence of Test
        Source and target.
    places : iterable of Location
        What contexts access.
    used : iterable of Value
        The constants of the programs.

    Returns
    -------
    Alphabet
    """
    functions = [function for test in tests for function in test.functions.values()]
    annotations = [each for function in functions for each in _annotations(function)]
    orderings = {each.ordering for each in annotations} | {Ordering.NA, Ordering.SEQ_CST}
    scopes = {each.scope for each in annotations if each.ordering != Ordering.NA or "AV" in each.labels}
    scopes = (scopes - {Scope.SINGLETHREAD}) | {Scope.SYSTEM}
    tag_sets = {each.tags for each in annotations} | {frozenset[Tag]()}
    fence_sets = {each.tags for each in annotations if each.ordering >= Ordering.ACQUIRE} | {frozenset[Tag]()}
    objects = {memory.name: memory for test in tests for memory in test.objects}
    types: dict[Location, Type] = {}
    notes: list[str] = []
    operations: list[ContextOperation] = []
    for place in sorted(places):
        memory = objects[place.object]
        type_ = types[place] = location_type(memory, place.offset, place.size) or IntType(8 * place.size)
        kinds = [("load", READS)]
        if memory.constant:
            pass
        elif isinstance(type_, IntType | VectorType):
            kinds += [("store", WRITES), ("atomicrmw", UPDATES)]
        else:
            notes.append(f"contexts only load {memory.name}: there are no fresh values of its type")
        for kind, possible in kinds:
            for ordering in possible:
                if kind == "atomicrmw" and not isinstance(type_, IntType):
                    continue
                if ordering in orderings and (ordering == Ordering.NA or may_be_atomic(type_)):
                    operations += _operations(kind, place, ordering, scopes, tag_sets)
    for ordering in FENCES:
        if ordering in orderings:
            operations += _operations("fence", None, ordering, scopes, fence_sets)
    return Alphabet(
        operations=tuple(operations),
        levels=tuple(sorted(scopes)),
        types=types,
        spaces={name: memory.address_space for name, memory in objects.items()},
        used=frozenset(value for value in used if isinstance(value, int)),
        notes=tuple(dict.fromkeys(notes)),
    )


def _operations(
    kind: str,
    place: Location | None,
    ordering: Ordering,
    scopes: Iterable[Scope],
    tag_sets: Iterable[frozenset[Tag]],
) -> Iterator[ContextOperation]:
    for scope in sorted(scopes, reverse=True) if ordering != Ordering.NA else (Scope.SYSTEM,):
        for tags in sorted(tuple(sorted(each)) for each in tag_sets):
            yield ContextOperation(kind, place, ordering, scope, tags)


def may_be_atomic(type_: Type) -> bool:
    """Tell whether loads and stores of a type may be atomic: in LLVM, and in one instruction of a processor.

    Examples
    --------
    >>> from enumerator.program.types import FloatType
    >>> may_be_atomic(FloatType("half", 2)), may_be_atomic(VectorType(2, IntType(32)))
    (True, True)
    >>> may_be_atomic(VectorType(3, IntType(8))), may_be_atomic(VectorType(4, IntType(32)))
    (False, False)
    """
    match type_:
        case PointerType():
            return True
        case IntType(width):
            return width in _ATOMIC_WIDTHS
        case FloatType(_, size):
            return 8 * size in _ATOMIC_WIDTHS
        case VectorType(count, element):
            return may_be_atomic(element) and 8 * count * size_of(element) in _ATOMIC_WIDTHS
    return False


_ATOMIC_WIDTHS = (8, 16, 32, 64)


def _annotations(function: Function) -> Iterator[Annotation]:
    """Give the annotations of the memory operations and fences of a function."""
    for part in function.instructions:
        if isinstance(part, Access | Fence):
            yield part.annotation
            if isinstance(part, CompareExchange):
                yield Annotation(part.failure, part.annotation.scope, tags=part.annotation.tags)


def instruction_of(operation: ContextOperation, number: int, target: str, of: Alphabet) -> Instruction | None:
    """Make the instruction of an operation.

    Parameters
    ----------
    operation : ContextOperation
    number : int
        Of the operation in its context: it decides on the fresh value.
    target : str
        The register that gets what is read.
    of : Alphabet

    Returns
    -------
    Instruction or None
        None where no fresh value is left for the type.
    """
    place = operation.place
    note = Annotation(
        ordering=operation.ordering,
        scope=operation.scope,
        tags=frozenset(operation.tags),
        address_space=0 if place is None else of.spaces[place.object],
    )
    if place is None:
        return Fence(note)
    type_ = of.types[place]
    address = Constant(Pointer(place.object, place.offset), PointerType(note.address_space))
    if operation.kind == "load":
        return Load(target, address, type_, note)
    value = of.fresh(number, type_)
    if value is None:
        return None
    if operation.kind == "store":
        return Store(address, Constant(value, type_), type_, note)
    return ReadModifyWrite(target, "xchg", address, Constant(value, type_), type_, note)
