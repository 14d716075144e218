"""The points of a test: for each operation, and each gap between two, what it may be instead."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import combinations, product
from math import prod

from enumerator.frontend.again import by_own_lines
from enumerator.frozen import dataclass
from enumerator.mmra import Profile
from enumerator.program.instructions import (
    Annotation,
    Barrier,
    CompareExchange,
    Fence,
    Instruction,
    Load,
    Ordering,
    Read,
    Scope,
    Store,
    Tag,
)
from enumerator.program.test import Test
from enumerator.program.written import type_text
from enumerator.refinement.alphabet import FENCES, READS, UPDATES, WRITES, may_be_atomic
from enumerator.refinement.called import CALL
from enumerator.refinement.edit import Memory, Place, operations_of
from enumerator.refinement.exchanges import is_exchange, own_exchanges
from enumerator.refinement.lattice import Dimension, Point
from enumerator.refinement.rules import join, stronger
from enumerator.refinement.unwritten import of_unwritten

__all__ = ["Choices", "Gap", "Strength", "anchor", "choices_of"]

_FAILURES = (Ordering.MONOTONIC, Ordering.ACQUIRE, Ordering.SEQ_CST)


@dataclass(frozen=True)
class Strength:
    """Ordering and scope of an operation; of a fence that is absent the ordering is ``na``.

    Parameters
    ----------
    ordering : Ordering
    scope : Scope
    failure : Ordering
        Of a cmpxchg; of all others ``na``.
    one_as : bool
        Of an access: its scope is the ``-one-as`` one, which lacks the order with other address spaces.
    """

    ordering: Ordering
    scope: Scope = Scope.SYSTEM
    failure: Ordering = Ordering.NA
    one_as: bool = False

    def lower(self, other: Strength) -> bool:
        """Tell whether this guarantees no more than another.

        Examples
        --------
        >>> Strength(Ordering.ACQUIRE, Scope.AGENT).lower(Strength(Ordering.ACQ_REL, Scope.SYSTEM))
        True
        >>> Strength(Ordering.ACQUIRE).lower(Strength(Ordering.RELEASE))
        False
        >>> plain, one_as = (Strength(Ordering.ACQUIRE, Scope.AGENT, one_as=each) for each in (False, True))
        >>> one_as.lower(plain), plain.lower(one_as)
        (True, False)
        """
        if join(self.ordering, other.ordering) != other.ordering or self.failure > other.failure:
            return False
        if self.ordering == Ordering.NA:
            return True
        return self.scope <= other.scope and (self.one_as or not other.one_as)


@dataclass(frozen=True, order=True)
class Gap:
    """A gap between two operations, before the instruction at a place, where a fence may be put in."""

    before: Place


@dataclass(frozen=True)
class Choices:
    """What each operation of a test, and each gap, may be.

    Parameters
    ----------
    test : Test
        In it each call of a compare-exchange builtin has a function of its own.
    places : tuple of Place or Gap
        For each dimension.
    tags : tuple of bool
        For each dimension, whether it is the tags of the operation, and not its ordering and scope.
    dimensions : tuple of Dimension
        Of :class:`Strength`, or of sets of tags.
    alike : dict of Scope to tuple of Scope
        For a scope, smaller ones that hold the same of the threads, and are not tried.
    one_as : bool
        Whether ``-one-as`` scopes are tried.
    kept_plain : dict of Place to str
        The accesses that are not atomic and stay so, and why.
    """

    test: Test
    places: tuple[Place | Gap, ...]
    tags: tuple[bool, ...]
    dimensions: tuple[Dimension, ...]
    alike: Mapping[Scope, tuple[Scope, ...]] = field(default_factory=dict)
    one_as: bool = False
    kept_plain: Mapping[Place, str] = field(default_factory=dict)

    @property
    def points(self) -> int:
        """The number of points."""
        return prod(len(dimension.choices) for dimension in self.dimensions)

    def operations(self, point: Point) -> dict[Place | Gap, Memory | None]:
        """Give the operations at a point; None for a fence that is absent.

        Parameters
        ----------
        point : tuple of int

        Returns
        -------
        dict
        """
        given = operations_of(self.test)
        found: dict[Place | Gap, Memory | None] = {}
        for place, tags, dimension, number in zip(self.places, self.tags, self.dimensions, point, strict=True):
            old = found[place] if place in found else given.get(place) if isinstance(place, Place) else None
            choice = dimension.choices[number]
            if isinstance(place, Gap) and old is None:
                old = Fence(Annotation())
            if old is None:
                continue
            if tags:
                assert isinstance(choice, frozenset)
                found[place] = replace(old, annotation=replace(old.annotation, tags=choice))
            else:
                assert isinstance(choice, Strength)
                found[place] = _with_strength(old, choice)
        return found

    def test_at(self, point: Point) -> Test:
        """Give the test at a point, in memory."""
        bodies: dict[tuple[str, int], list[list[Instruction]]] = {}
        chosen = self.operations(point)
        for place in chosen:
            key = anchor(place).function, anchor(place).block
            if key not in bodies:
                bodies[key] = [[part] for part in self.test.functions[key[0]].blocks[key[1]].body] + [[]]
        for place, operation in chosen.items():
            body = bodies[anchor(place).function, anchor(place).block]
            if isinstance(place, Place):
                body[place.index] = [*body[place.index][:-1], *([] if operation is None else [operation])]
            elif operation is not None:
                body[place.before.index].insert(0, operation)
        functions = dict(self.test.functions)
        for (name, number), parts in bodies.items():
            blocks = list(functions[name].blocks)
            blocks[number] = replace(blocks[number], body=tuple(part for some in parts for part in some))
            functions[name] = replace(functions[name], blocks=tuple(blocks))
        return replace(self.test, functions=functions, source="")


def anchor(place: Place | Gap) -> Place:
    """Give the place of an operation, or of the one behind a gap."""
    return place.before if isinstance(place, Gap) else place


def _with_strength(old: Memory, choice: Strength) -> Memory | None:
    if isinstance(old, Fence) and choice.ordering == Ordering.NA:
        return None
    scope = choice.scope if choice.ordering != Ordering.NA else Scope.SYSTEM
    one_as = choice.one_as
    if isinstance(old, Fence):  # it counts as one of the plain scope: it is left as it is written
        one_as = old.annotation.one_as and scope == old.annotation.scope
    note = replace(old.annotation, ordering=choice.ordering, scope=scope, one_as=one_as)
    if isinstance(old, CompareExchange):
        return replace(old, annotation=note, failure=choice.failure)
    return replace(old, annotation=note)


# Which choices there are ----------------------------------------------------------------------------------------------


def choices_of(test: Test, profile: Profile, *, up: bool, availability: bool) -> Choices:
    """Say what each operation of the threads of a test may be.

    Parameters
    ----------
    test : Test
    profile : Profile
        Says which tags have a meaning.
    up : bool
        At or above what is given, with fences in gaps; else at or below.
    availability : bool
        Whether the model looks at ``amdgcn-av:none``.

    Returns
    -------
    Choices

    Examples
    --------
    >>> from enumerator.frontend import load_text
    >>> from enumerator.mmra import load_profile
    >>> text = "@x = global i32 0\\ndefine void @t() {\\n  fence seq_cst\\n  fence release\\n  ret void\\n}"
    >>> found = choices_of(load_text(text, "t.ll"), load_profile("generic"), up=False, availability=False)
    >>> [len(dimension.choices) for dimension in found.dimensions], found.points
    ([5, 2], 10)
    """
    test = own_exchanges(test)
    scopes = _scopes(test)
    spaces = _spaces(test)
    places: list[Place | Gap] = []
    tags: list[bool] = []
    dimensions: list[Dimension] = []
    kept_plain: dict[Place, str] = {}
    calls = _calls(test)
    unwritten = of_unwritten(test) if up and test.format == "llvm" else frozenset[Place]()
    for place, operation in _varied(test):
        if is_exchange(place.function) and not isinstance(operation, CompareExchange):
            continue  # what is expected is passed by address, which is the thread's own
        for gap in _gaps(test, place, unwritten) if up else ():
            fences = [Strength(Ordering.NA), *(Strength(o, s) for o in FENCES for s in scopes)]
            places.append(gap)
            tags.append(False)
            dimensions.append(_strengths(fences))
        if isinstance(operation, Barrier):
            continue
        plain = up and operation.annotation.ordering == Ordering.NA and not isinstance(operation, Fence)
        if plain and (why := _stays_plain(test, operation, place in calls, place in unwritten)):
            kept_plain[place] = why
        if "AV" in operation.annotation.labels:
            continue
        strengths = [each for each in _possible(operation, scopes, spaces) if _on_side(each, _given(operation), up)]
        if place in kept_plain:
            strengths = [each for each in strengths if each.ordering == Ordering.NA]
        if test.format != "llvm":  # there, what is atomic is a matter of the type, and nothing is unordered
            kept = (Ordering.NA,) if operation.annotation.ordering == Ordering.NA else tuple(Ordering)[2:]
            strengths = [each for each in strengths if each.ordering in kept or isinstance(operation, Fence)]
        if len(strengths) > 1:
            places.append(place)
            tags.append(False)
            dimensions.append(_strengths(strengths))
        sets = _tag_sets(operation, profile, up, availability)
        if len(sets) > 1:
            places.append(place)
            tags.append(True)
            dimensions.append(_tag_dimension(operation, sets, profile, up))
    alike = _alike(test, scopes)
    return Choices(test, tuple(places), tuple(tags), tuple(dimensions), alike, True in spaces, kept_plain)


def _stays_plain(test: Test, operation: Memory, called: bool, unwritten: bool) -> str:
    """Say why an access that is not atomic cannot be made so; empty if it can."""
    if test.format != "llvm":
        return "what is atomic is a matter of its type"
    if "AV" in operation.annotation.labels or called:
        return "it is a call"
    if isinstance(operation, Load | Store) and not may_be_atomic(operation.type):
        return f"{type_text(operation.type)} is no type of 8, 16, 32 or 64 bits"
    if unwritten:
        return "nothing writes to that memory"
    return ""


def _calls(test: Test) -> frozenset[Place]:
    """Find what stands for calls: that is no load or store that could be written anew."""
    if test.format != "llvm" or not test.source:
        return frozenset()
    own = by_own_lines(test)
    calls = {number for number, line in enumerate(own.source.splitlines(), 1) if CALL.match(line)}
    return frozenset(place for place, operation in operations_of(own).items() if operation.line in calls)


def _varied(test: Test) -> Iterator[tuple[Place, Memory]]:
    reached = {thread.function for thread in test.threads}
    waiting = list(reached)
    while waiting:
        for block in test.functions[waiting.pop()].blocks:
            for part in block.body:
                callee = getattr(part, "function", None)
                if isinstance(callee, str) and callee in test.functions and callee not in reached:
                    reached.add(callee)
                    waiting.append(callee)
    yield from operations_of(test, sorted(reached)).items()


def _gaps(test: Test, place: Place, unwritten: Collection[Place]) -> Iterator[Gap]:
    """Give the gap before an operation: none before the first of a function, and none beside a fence.

    Of the gaps before and behind a plain load from memory that nobody writes there is one: that behind it, if an
    operation follows.
    """
    body = test.functions[place.function].blocks[place.block].body
    operation = body[place.index]
    before = [part for part in body[: place.index] if isinstance(part, Memory)]
    if isinstance(operation, Fence) or (before and isinstance(before[-1], Fence)):
        return
    if place in unwritten and isinstance(operation, Load) and operation.annotation.ordering == Ordering.NA:
        behind = next((part for part in body[place.index + 1 :] if isinstance(part, Memory)), None)
        if behind is not None and not isinstance(behind, Fence):
            return
    if before or place.block > 0:
        yield Gap(place)


def _scopes(test: Test) -> tuple[Scope, ...]:
    """Give the scopes that differ for the threads of a test.

    Of those that hold the same of them, the smallest that the scope tree names, or else the smallest; singlethread
    only where none else does.
    """
    used = {each.annotation.scope for each in operations_of(test).values()}
    if not test.scope_tree:
        return tuple(sorted(used | {Scope.SYSTEM}))
    found: dict[object, Scope] = {}
    for key, scope in _kinds_of_scopes(test):
        if found.get(key, Scope.SINGLETHREAD) == Scope.SINGLETHREAD or (
            _names(test, scope) and not _names(test, found[key])
        ):
            found[key] = scope
    return tuple(sorted({*found.values(), *used, Scope.SYSTEM}))


def _kinds_of_scopes(test: Test) -> Iterator[tuple[object, Scope]]:
    """Give each scope with which threads it holds together: scopes with the same are alike for the test."""
    threads = [test.placements[thread.name] for thread in test.threads]
    private = any(each.annotation.thread_private for each in operations_of(test).values())
    for scope in Scope:
        if scope == Scope.SINGLETHREAD and (private or test.format != "llvm"):
            continue  # a fence of this scope is special where accesses are thread-private
        first: dict[int, int] = {}
        yield tuple(first.setdefault(place.instance(scope), len(first)) for place in threads), scope


def _alike(test: Test, tried: Sequence[Scope]) -> dict[Scope, tuple[Scope, ...]]:
    """Give for each scope that is tried the smaller ones for which it stands."""
    if not test.scope_tree:
        return {}
    groups: dict[object, list[Scope]] = {}
    for key, scope in _kinds_of_scopes(test):
        groups.setdefault(key, []).append(scope)
    found: dict[Scope, tuple[Scope, ...]] = {}
    for scopes in groups.values():
        least = min((scope for scope in scopes if scope in tried), default=Scope.SINGLETHREAD)
        smaller = tuple(scope for scope in scopes if scope < least)
        if smaller:
            found[least] = smaller
    return found


def _spaces(test: Test) -> tuple[bool, ...]:
    """Say whether ``-one-as`` scopes are among the choices: in a test that has one, as other targets know none."""
    every = operations_of(test).values()
    return (False, True) if any(each.annotation.one_as and not isinstance(each, Fence) for each in every) else (False,)


def _names(test: Test, scope: Scope) -> bool:
    return re.search(rf"\b{scope.name.lower()}\b", test.scope_tree) is not None


def _given(operation: Memory) -> Strength:
    note = operation.annotation
    failure = operation.failure if isinstance(operation, CompareExchange) else Ordering.NA
    if note.ordering == Ordering.NA:
        return Strength(note.ordering, failure=failure)
    return Strength(note.ordering, note.scope, failure, note.one_as and not isinstance(operation, Fence))


def _possible(operation: Memory, scopes: Sequence[Scope], spaces: Sequence[bool]) -> Iterator[Strength]:
    match operation:
        case Fence():
            orderings: tuple[Ordering, ...] = (Ordering.NA, *FENCES)
        case Load(type=type_):
            orderings = READS if may_be_atomic(type_) else (Ordering.NA,)
        case Store(type=type_):
            orderings = WRITES if may_be_atomic(type_) else (Ordering.NA,)
        case _:
            orderings = UPDATES
    failures = _FAILURES if isinstance(operation, CompareExchange) else (Ordering.NA,)
    if isinstance(operation, Fence):
        spaces = (False,)
    for ordering in orderings:
        atomic = ordering != Ordering.NA
        for scope, one_as in product(scopes, spaces) if atomic else ((Scope.SYSTEM, False),):
            for failure in failures:
                yield Strength(ordering, scope, failure, one_as)


def _on_side(choice: Strength, given: Strength, up: bool) -> bool:
    return given.lower(choice) if up else choice.lower(given)


def _strengths(choices: Sequence[Strength]) -> Dimension:
    ordered = sorted(choices, key=lambda each: (each.ordering, each.failure, each.scope, not each.one_as))
    return Dimension.of(ordered, lambda one, other: one.lower(other))  # type: ignore[attr-defined]


def _tag_sets(operation: Memory, profile: Profile, up: bool, availability: bool) -> list[frozenset[Tag]]:
    """Give the sets of tags that an operation may have: for each prefix that has a meaning some of its suffixes."""
    given = profile.canonical(operation.annotation.tags)
    synchronizes = isinstance(operation, Fence) or operation.annotation.ordering >= Ordering.ACQUIRE
    sets: list[frozenset[Tag]] = [frozenset(tag for tag in given if tag.prefix not in profile.known)]
    for prefix, suffixes in profile.known.items():
        mine = frozenset(tag for tag in given if tag.prefix == prefix)
        options = {mine, frozenset[Tag]()} if up else {mine}
        if (
            (availability and synchronizes)
            if prefix == "amdgcn-av"
            else (synchronizes or not _implied(profile, prefix))
        ):
            for size in range(0, len(suffixes) + 1):
                options |= {frozenset(Tag(prefix, each) for each in some) for some in combinations(suffixes, size)}
        sets = [one | other for one in sets for other in sorted(options, key=_by_tags)]
    kept: dict[object, frozenset[Tag]] = {}
    for each in sorted(sets, key=_by_tags):
        one, other = (operation.annotation, replace(operation.annotation, tags=each))
        weaker, stronger_ = (other, one) if not up else (one, other)
        if each == given or stronger(stronger_, weaker, _letter(operation), profile):
            effective = _effective(operation, each, profile)
            same = effective == _effective(operation, given, profile)
            kept.setdefault(effective, given if same else each)
    return list(kept.values())


def _implied(profile: Profile, prefix: str) -> bool:
    """Tell whether accesses have a tag with this prefix anyway, as AMDGPU's of an address space."""
    return any(
        rule.synchronizing is False and any(tag.prefix == prefix for tag in rule.tags) for rule in profile.implied
    )


def _by_tags(tags: frozenset[Tag]) -> tuple[int, list[str]]:
    return len(tags), sorted(map(str, tags))


def _letter(operation: Memory) -> str:
    if isinstance(operation, Fence):
        return "F"
    return "R" if isinstance(operation, Read) else "W"


def _effective(operation: Memory, tags: frozenset[Tag], profile: Profile) -> frozenset[Tag]:
    note = operation.annotation
    return profile.effective_tags(
        tags,
        kind=_letter(operation),
        ordering=note.ordering,
        synchronizing=isinstance(operation, Fence) or note.ordering >= Ordering.ACQUIRE,
        address_space=note.address_space,
    )


def _tag_dimension(operation: Memory, sets: Sequence[frozenset[Tag]], profile: Profile, up: bool) -> Dimension:
    def lower(one: object, other: object) -> bool:
        notes = [replace(operation.annotation, tags=tags) for tags in (one, other)]  # type: ignore[arg-type]
        return stronger(notes[1], notes[0], _letter(operation), profile)

    given = profile.canonical(operation.annotation.tags)
    ordered = sorted(sets, key=lambda each: (sum(lower(other, each) for other in sets), (each == given) is not up))
    return Dimension.of(ordered, lower)
