"""What tests are made of: the annotations that events may have, and where threads may run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from enumerator.cat.compiler import compile_model, used_names
from enumerator.cat.nodes import SET, Level, Node
from enumerator.distinguishing.events import kinds_of
from enumerator.distinguishing.shapes import Shape, shapes
from enumerator.distinguishing.sides import Language, Side
from enumerator.errors import InputError, ReferenceEngineNeeded
from enumerator.events.kind import Kind as EventKind
from enumerator.events.sets import names_of
from enumerator.frozen import dataclass
from enumerator.generation.building import AVAILABILITY
from enumerator.generation.skeleton import DependencyKind, Kind, Mark, Place, refused_ordering
from enumerator.program.instructions import Ordering, Scope, Tag
from enumerator.search.bitset import base_kinds

__all__ = ["Alphabet", "make_alphabet", "places", "predefined"]

_ORDERINGS = {
    Kind.READ: (Ordering.NA, Ordering.UNORDERED, Ordering.MONOTONIC, Ordering.ACQUIRE, Ordering.SEQ_CST),
    Kind.WRITE: (Ordering.NA, Ordering.UNORDERED, Ordering.MONOTONIC, Ordering.RELEASE, Ordering.SEQ_CST),
    Kind.UPDATE: (Ordering.MONOTONIC, Ordering.ACQUIRE, Ordering.RELEASE, Ordering.ACQ_REL, Ordering.SEQ_CST),
    Kind.FENCE: (Ordering.ACQUIRE, Ordering.RELEASE, Ordering.ACQ_REL, Ordering.SEQ_CST),
    Kind.BARRIER: (Ordering.NA,),
}
_SCOPED = frozenset(
    {"inscope", "incl", *(scope.name for scope in Scope), *(f"same-{each.name.lower()}" for each in Scope)}
)
_TAGGED = frozenset({"mmra", "mmra-sync", "AV_NONE"})


@dataclass(frozen=True)
class Alphabet:
    """What tests are made of.

    Parameters
    ----------
    marks : mapping of Kind to tuple of Mark
        For each kind of event that tests may have, its annotations, the weakest orderings first.
    levels : tuple of Scope
        The levels of the scope tree at which threads may be together or apart, smallest first.
    spaces : tuple of int
        The address spaces of locations.
    threads, locations : int
        At most so many.
    operators : tuple of str
        What updates do: ``xchg``, ``cmpxchg``.
    dependencies : tuple of DependencyKind
        Through what events may depend on reads.
    one_device : bool
        All threads run on one agent, as in Vulkan's language.
    """

    marks: dict[Kind, tuple[Mark, ...]]
    levels: tuple[Scope, ...] = ()
    spaces: tuple[int, ...] = (0,)
    threads: int = 4
    locations: int = 3
    operators: tuple[str, ...] = ("xchg",)
    dependencies: tuple[DependencyKind, ...] = ()
    one_device: bool = False

    def shapes(self, size: int) -> Iterator[Shape]:
        """Give every shape of a size, once."""
        return shapes(
            size,
            tuple(self.marks),
            self.threads,
            self.locations,
            operators=self.operators,
            dependencies=self.dependencies,
        )

    def places(self, threads: int) -> Iterator[tuple[Place, ...]]:
        """Give every way to place threads."""
        return places(threads, self.levels, together=Scope.AGENT if self.one_device else Scope.SYSTEM)

    def lines(self) -> Iterator[str]:
        """Say what it holds, a line for each kind of event."""
        for kind, marks in self.marks.items():
            yield f"{kind.name.lower()}: {', '.join(map(mark_text, marks))}"
        if "cmpxchg" in self.operators:
            yield "updates: " + " or ".join(
                "exchange" if each == "xchg" else "compare-exchange" for each in self.operators
            )
        if self.dependencies:
            yield f"dependencies: {', '.join(each.name.lower() for each in self.dependencies)}"
        if self.levels:
            yield f"threads together or apart in: {', '.join(level.name.lower() for level in self.levels)}"
        if self.spaces != (0,):
            yield f"address spaces: {', '.join(map(str, self.spaces))}"
        yield f"at most {self.threads} threads, {self.locations} locations"


def mark_text(mark: Mark) -> str:
    """Write an annotation.

    Examples
    --------
    >>> mark_text(Mark(Ordering.RELEASE, Scope.WORKGROUP, (Tag("a", "b"),)))
    'release@workgroup{a:b}'
    """
    scope = "" if mark.scope == Scope.SYSTEM else f"@{mark.scope.name.lower()}"
    tags = "{" + ", ".join(map(str, mark.tags)) + "}" if mark.tags else ""
    words = "".join(f".{word}" for word in mark.words)
    return f"{mark.ordering.name.lower()}{words}{scope}{tags}"


def make_alphabet(
    sides: Sequence[Side],
    *,
    kinds: Iterable[Kind] = (Kind.READ, Kind.WRITE, Kind.UPDATE, Kind.FENCE),
    orderings: Iterable[Ordering] | None = None,
    scopes: Sequence[Scope] = (),
    tags: Sequence[tuple[Tag, ...]] = (),
    spaces: Sequence[int] = (0,),
    threads: int = 4,
    locations: int = 3,
    operators: Sequence[str] = ("xchg",),
    dependencies: Sequence[DependencyKind] = (),
    availability: bool = False,
) -> Alphabet:
    """Choose annotations, without those that no side can tell from others.

    Parameters
    ----------
    sides : sequence of Side
        What is to be told apart.
    kinds : iterable of Kind
        Reads, writes, updates, fences, barriers.
    orderings : iterable of Ordering, optional
        Default: all.
    scopes : sequence of Scope
        Sync scopes beside ``system`` (in Vulkan's language, ``agent``); those below it are the levels at which threads
        are together or apart. With barriers the workgroup is such a level.
    tags : sequence of tuple of Tag
        Sets of tags that an operation may have, beside none.
    spaces : sequence of int
        Address spaces.
    threads, locations : int
        At most so many.
    operators : sequence of str
        What updates do: ``xchg``, ``cmpxchg``.
    dependencies : sequence of DependencyKind
        Those that no model names are left out.
    availability : bool
        Loads and stores may be AMDGPU's intrinsics that make themselves visible or available.

    Returns
    -------
    Alphabet
        Of annotations that mean the same to both sides the first is in it.

    Raises
    ------
    InputError
        If no event is left.

    Examples
    --------
    >>> from enumerator.distinguishing.sides import parse_side
    >>> for line in make_alphabet([parse_side("tso"), parse_side("sc")]).lines():
    ...     print(line)
    read: na
    write: na
    update: monotonic
    fence: seq_cst
    at most 4 threads, 3 locations
    """
    vulkan = sides[0].language is not Language.LLVM
    _check(sides, scopes, tags, spaces, operators, dependencies, availability)
    allowed = frozenset(Ordering if orderings is None else orderings)
    widest = Scope.AGENT if vulkan else Scope.SYSTEM
    named = tuple(sorted({each for each in scopes if each < widest} | {widest}, reverse=True))
    levels = tuple(sorted(each for each in scopes if Scope.SINGLETHREAD < each < widest))
    marks: dict[Kind, tuple[Mark, ...]] = {}
    seen = [_Seen(side, spaces, "cmpxchg" in operators) for side in sides]
    for kind in kinds:
        found: dict[object, Mark] = {}
        every = _vulkan_marks(kind, named) if vulkan else _llvm_marks(kind, named, tags, availability)
        for mark in every:
            if mark.ordering in allowed or kind == Kind.BARRIER:
                if not (kind == Kind.FENCE and all(side.ignores(mark) for side in seen)):
                    found.setdefault(tuple(side.of(kind, mark) for side in seen), mark)
        if found:
            marks[kind] = tuple(found.values())
    if not marks.get(Kind.WRITE) and not marks.get(Kind.UPDATE):
        raise InputError("no writes are left to make tests of: choose other kinds of events or orderings")
    if not any(side.scoped for side in seen):
        levels = ()
    if Kind.BARRIER in marks:
        levels = tuple(sorted({*levels, Scope.WORKGROUP}))
    used = tuple(each for each in dependencies if any(each.name.lower() in side.names for side in seen))
    return Alphabet(marks, levels, tuple(spaces), threads, locations, tuple(operators), used, vulkan)


def _check(
    sides: Sequence[Side],
    scopes: Sequence[Scope],
    tags: Sequence[tuple[Tag, ...]],
    spaces: Sequence[int],
    operators: Sequence[str],
    dependencies: Sequence[DependencyKind],
    availability: bool,
) -> None:
    """Refuse what the language of tests does not have."""
    if sides[0].language is Language.LLVM:
        return
    for what, asked in (
        ("tags", bool(tags)),
        ("address spaces", tuple(spaces) != (0,)),
        ("compare-and-exchanges", "cmpxchg" in operators),
        ("addresses that are computed", DependencyKind.ADDR in dependencies),
        ("intrinsics", availability),
        ("a scope of one thread", Scope.SINGLETHREAD in scopes),
    ):
        if asked:
            raise InputError(f"the Vulkan language has no {what}")
    if Scope.CLUSTER in scopes and any(side.language is Language.TRANSLATED for side in sides):
        raise InputError("several queue families (cluster) are not translated")


def _llvm_marks(
    kind: Kind, scopes: Sequence[Scope], tags: Sequence[tuple[Tag, ...]], availability: bool
) -> Iterator[Mark]:
    for ordering in _ORDERINGS[kind]:
        atomic = ordering != Ordering.NA
        for scope in scopes if atomic else (Scope.SYSTEM,):
            for own in ((), *tags) if kind != Kind.BARRIER else ((),):
                yield Mark(ordering, scope, tuple(sorted(own)))
        if availability and ordering == Ordering.NA and kind in (Kind.READ, Kind.WRITE):
            for scope in scopes:
                for own in ((), *tags):
                    yield Mark(ordering, scope, tuple(sorted(own)), (AVAILABILITY,))


def _vulkan_marks(kind: Kind, scopes: Sequence[Scope]) -> Iterator[Mark]:
    if kind in (Kind.READ, Kind.WRITE):
        yield Mark()
        yield Mark(words=("nonpriv",))
        yield from (Mark(scope=scope, words=("vis" if kind == Kind.READ else "av",)) for scope in scopes)
    if kind == Kind.BARRIER:
        scopes = (Scope.WORKGROUP,)
        yield Mark(scope=Scope.WORKGROUP)
    if kind not in (Kind.FENCE, Kind.BARRIER):
        yield from (Mark(Ordering.MONOTONIC, scope) for scope in scopes)
    for ordering, words in (
        (Ordering.ACQUIRE, ("semvis",)),
        (Ordering.RELEASE, ("semav",)),
        (Ordering.ACQ_REL, ("semav", "semvis")),
    ):
        if refused_ordering(kind, ordering) is None:
            for scope in scopes:
                for count in range(len(words) + 1):
                    yield from (Mark(ordering, scope, words=some) for some in combinations(words, count))


def predefined(side: Side) -> frozenset[str]:
    """Name the predefined sets and relations that a model depends on."""
    return used_names(side.model.model, side.model.variants, base_kinds())


class _Seen:
    """What a side sees of an event: the sets of the model that a relation or check is made of.

    A set counts as a whole. So where fences alone are asked whether they are seq_cst, accesses are not.
    """

    def __init__(self, side: Side, spaces: Sequence[int], compares: bool) -> None:
        self.side, self.spaces, self.compares = side, spaces, compares
        model = side.model
        try:
            compiled = compile_model(model.model, model.variants, base_kinds())
        except ReferenceEngineNeeded as reason:
            raise InputError(f"the model {model.name} cannot be searched for tests: {reason}") from None
        roots = [check.node for check in compiled.checks] + [compiled.final, compiled.order_set, *compiled.linear]
        roots += [] if compiled.undef_set is None else [compiled.undef_set]
        self._sets = {node for node in roots if _is_of_one_event(node)}
        names, left, known = set(), list(roots), set(roots)
        while left:
            node = left.pop()
            names |= {node.name} if node.operator == "base" else set()
            if not _is_of_one_event(node):
                self._sets.update(filter(_is_of_one_event, node.arguments))
            fresh = [each for each in node.arguments if each not in known]
            known.update(fresh)
            left += fresh
        self.names = names
        self.scoped, self.tagged = bool(names & _SCOPED), bool(names & _TAGGED)
        self._order = [node for node in self._sets if node.operator not in ("empty", "full")]

    def sets(self, kind: EventKind) -> tuple[bool, ...]:
        """Tell of each set whether events of a kind are in it."""
        members = names_of(kind)
        return tuple(_holds(node, members) for node in self._order)

    def of(self, kind: Kind, mark: Mark) -> object:
        """Say what of an annotation the side sees."""
        found: list[object] = []
        for space in self.spaces:
            for where, of in kinds_of(self.side, kind, mark, space, compares=self.compares):
                found += [where, self.sets(of), of.scope if self.scoped else None]
                found.append((of.tags, of.synchronizing_tags) if self.tagged else None)
        return tuple(found)

    def ignores(self, mark: Mark) -> bool:
        """Tell whether a fence is in no set of the model."""
        kinds = kinds_of(self.side, Kind.FENCE, mark, 0, compares=False)
        return not any(any(self.sets(of)) for _, of in kinds)


def _is_of_one_event(node: Node) -> bool:
    """Tell whether a node is a set that an event is in or not whatever the others are."""
    if node.kind != SET or node.level is not Level.PROGRAM:
        return False
    return node.operator in ("base", "empty", "full") or (
        node.operator in ("|", "&", "\\", "~") and all(map(_is_of_one_event, node.arguments))
    )


def _holds(node: Node, members: frozenset[str]) -> bool:
    match node.operator:
        case "base":
            return node.name in members
        case "empty" | "full":
            return node.operator == "full"
        case "~":
            return not _holds(node.arguments[0], members)
    first, second = (_holds(each, members) for each in node.arguments)
    return {"|": first or second, "&": first and second, "\\": first and not second}[node.operator]


def places(threads: int, levels: Sequence[Scope], together: Scope = Scope.SYSTEM) -> Iterator[tuple[Place, ...]]:
    """Give every way to place threads in a scope tree that has some levels.

    Parameters
    ----------
    threads : int
    levels : sequence of Scope
        Smallest first. A level that is left out has one instance for each instance of what is below it; a cluster
        that is left out is as large as its agent.
    together : Scope
        The smallest that all share.

    Yields
    ------
    tuple of Place

    Examples
    --------
    >>> [[place[Scope.WORKGROUP] for place in each] for each in places(3, [Scope.WORKGROUP])]
    [[0, 0, 0], [0, 0, 1], [0, 1, 0], [0, 1, 1], [0, 1, 2]]
    """
    for chain in _chains(tuple(range(threads)), len(levels)):
        known = dict(zip(levels, chain, strict=True))
        numbers: list[tuple[int, ...]] = []
        below = tuple(range(threads))
        for scope in Scope:
            below = (0,) * threads if scope >= together else known.get(scope, below)
            numbers.append(below)
        if Scope.CLUSTER not in known:
            numbers[Scope.CLUSTER] = numbers[Scope.AGENT]
        yield tuple((each[0], each[1], each[2], each[3], each[4], each[5]) for each in zip(*numbers, strict=True))


def _chains(finer: tuple[int, ...], count: int) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Give chains of partitions, each coarser than the one before or equal."""
    if not count:
        yield ()
        return
    for blocks in _partitions(max(finer, default=-1) + 1):
        coarser = tuple(blocks[number] for number in finer)
        for rest in _chains(coarser, count - 1):
            yield (coarser, *rest)


def _partitions(count: int) -> Iterator[tuple[int, ...]]:
    def grow(done: tuple[int, ...], used: int) -> Iterator[tuple[int, ...]]:
        if len(done) == count:
            yield done
            return
        for block in range(used + 1):
            yield from grow((*done, block), max(used, block + 1))

    return grow((), 0)
