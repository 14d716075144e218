"""Adjacent operations of a thread: may they be exchanged, may they become one? By rule, and by enumeration."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeVar, Unpack

from enumerator.asking import select_model, select_profile
from enumerator.cat.selected import SelectedModel
from enumerator.clock import time_limit
from enumerator.errors import InputError
from enumerator.frozen import dataclass
from enumerator.mmra import Profile
from enumerator.options import Keywords, Options
from enumerator.program.instructions import Alloca, Assign, Call, Fence, Freeze, Instruction, Load, Register
from enumerator.program.lines import line_text
from enumerator.program.test import Test
from enumerator.refinement.correspondence import correspond
from enumerator.refinement.edit import (
    Memory,
    Place,
    kind_of,
    locations_of,
    named,
    operations_of,
    with_body,
)
from enumerator.refinement.refine import Refinement, refines
from enumerator.refinement.rules import Allowed, exchange_rule, merge_rule, merged_annotation, stronger
from enumerator.refinement.witness import spelt
from enumerator.unfold import all_names
from enumerator.unfold.members import registers_in

__all__ = ["Exchange", "Merge", "Pair", "merge", "pairs", "reorder"]

T = TypeVar("T")


@dataclass(frozen=True)
class Pair:
    """Two adjacent operations: nothing between them accesses memory.

    Parameters
    ----------
    first, second : Place
    operations : tuple of (Load, Store, ReadModifyWrite, CompareExchange, Fence or Barrier)
    """

    first: Place
    second: Place
    operations: tuple[Memory, Memory]

    def as_json(self) -> dict[str, Any]:
        """Give the pair as JSON holds it."""
        return {
            "function": self.first.function,
            "first": _operation_json(self.operations[0]),
            "second": _operation_json(self.operations[1]),
        }

    def __str__(self) -> str:
        one, other = (
            f"{named(each) if each.line is None else f'line {line_text(each.line)}: {kind_of(each)}'} {spelt(each)}"
            for each in self.operations
        )
        return f"{self.first.function}: {one}; {other}"


@dataclass(frozen=True)
class Exchange:
    """Whether two adjacent operations may be exchanged.

    Parameters
    ----------
    pair : Pair
    rule : Allowed
    here : Refinement or None
        Whether the exchanged program refines the test, or the function in every context; None where the second depends
        on the first, or the exchanged program cannot be enumerated.
    not_asked : str
        Why it cannot be: an execution of it that is an error, as one that reads half of a pointer.
    """

    pair: Pair
    rule: Allowed
    here: Refinement | None
    not_asked: str = ""

    @property
    def contradiction(self) -> bool:
        """Whether an outcome refutes what the rule allows."""
        return self.rule.may and self.here is not None and self.here.refines is False

    def as_json(self) -> dict[str, Any]:
        """Give the answer as JSON holds it."""
        return {
            **self.pair.as_json(),
            "rule": self.rule.may,
            "why": self.rule.why,
            **_here_json(self.here),
            **({"not_asked": self.not_asked} if self.not_asked else {}),
        }


@dataclass(frozen=True)
class Merge:
    """What two adjacent operations become if they are merged.

    Parameters
    ----------
    pair : Pair
    rule : Allowed
    merged : Fence, Load, Store or None
        The one that they become.
    here : Refinement or None
        Whether the program with it refines the test, or the function in every context.
    keeping : tuple of (bool, Refinement or None)
        For each of the two, kept as it is without the other: whether it is at least as strong in ordering, scope and
        tags, and what enumeration says.
    """

    pair: Pair
    rule: Allowed
    merged: Memory | None = None
    here: Refinement | None = None
    keeping: tuple[tuple[bool, Refinement | None], ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Give the answer as JSON holds it."""
        return {
            **self.pair.as_json(),
            "rule": self.rule.may,
            "why": self.rule.why,
            "merged": None if self.merged is None else _operation_json(self.merged),
            **_here_json(self.here),
            "keeping": [{"stronger": strong, **_here_json(found)} for strong, found in self.keeping],
        }


def _here_json(found: Refinement | None) -> dict[str, Any]:
    if found is None:
        return {"refines": None, "outcome": None, "contexts": None}
    example = found.counterexample
    return {
        "refines": found.refines,
        "outcome": None if example is None else example.outcome.as_json(),
        "contexts": found.contexts,
    }


def _operation_json(operation: Memory) -> dict[str, Any]:
    note = operation.annotation
    return {
        "line": operation.line,
        "kind": kind_of(operation),
        "ordering": note.ordering.name.lower(),
        "scope": note.scope.name.lower(),
        "tags": sorted(map(str, note.tags)),
    }


def pairs(test: Test) -> Iterator[Pair]:
    """Give the adjacent operations of a test, in the order of its text.

    Parameters
    ----------
    test : Test

    Yields
    ------
    Pair

    Examples
    --------
    >>> from enumerator.frontend import load_text
    >>> text = "@x = global i32 0\\ndefine void @t() {\\n  store i32 1, ptr @x\\n  fence release\\n  ret void\\n}"
    >>> print(*pairs(load_text(text, "t.ll")))
    t: line 3: store not atomic; line 4: fence release
    """
    before: tuple[Place, Memory] | None = None
    for place, operation in operations_of(test).items():
        if before is not None and _adjacent(test, before[0], place):
            yield Pair(before[0], place, (before[1], operation))
        before = place, operation


def _adjacent(test: Test, one: Place, other: Place) -> bool:
    """Tell whether nothing between two operations accesses memory or may order something, as a call does."""
    if (one.function, one.block) != (other.function, other.block):
        return False
    between = test.functions[one.function].blocks[one.block].body[one.index + 1 : other.index]
    return all(isinstance(part, Assign | Freeze | Alloca) for part in between)


class _Asked:
    """What the questions about one test share."""

    def __init__(self, test: Test, model: str | SelectedModel | None, contexts: int | None, options: Options) -> None:
        self.test, self.contexts = test, contexts
        self.model = select_model(test, model, options)
        self.profile: Profile = select_profile(test, options.profile, self.model)
        self.options = replace(options, hb=None, thin_air=None, variants=(), profile=self.profile, timeout=None)
        self.locations = locations_of(test, options.unroll)
        shared = correspond(test, test, unroll=options.unroll).observed
        # What follows in a thread may use each of its registers.
        more = () if test.observed is not None else all_names(test, unroll=options.unroll)
        self.observed = tuple(dict.fromkeys((*shared, *(name for name in more if ":" in name))))

    def refinement(self, target: Test) -> Refinement:
        return refines(
            self.test,
            target,
            self.model,
            contexts=self.contexts,
            options=self.options,
            observed=self.observed,
            explain=False,
        )


def reorder(
    test: Test,
    model: str | SelectedModel | None = None,
    *,
    contexts: int | None = None,
    options: Options | None = None,
    progress: Callable[[int], None] | None = None,
    **fields: Unpack[Keywords],
) -> tuple[Exchange, ...]:
    """Tell of each two adjacent operations of a test whether they may be exchanged.

    Parameters
    ----------
    test : Test
    model : str or SelectedModel, optional
        As for :func:`enumerator.check`.
    contexts : int, optional
        Ask it of the functions in all contexts of so many operations, not next to the given threads.
    options : Options, optional
        The time limit holds for all pairs together.
    progress : callable, optional
        Called with the number of pairs that were looked at.
    **fields
        Fields of :class:`~enumerator.options.Options`.

    Returns
    -------
    tuple of Exchange

    Raises
    ------
    InputError
        As for checking the test.
    LimitReached
        If the test takes too long to unfold, or has too many paths.

    References
    ----------
    Semantics, section 7, *Reorder*.

    Examples
    --------
    >>> from enumerator.frontend import load_text
    >>> text = "@x = global i32 0\\ndefine void @t() {\\n  store i32 1, ptr @x\\n  fence release\\n  ret void\\n}"
    >>> [(each.rule.may, each.here.refines) for each in reorder(load_text(text, "t.ll"))]
    [(False, True)]
    """
    options = replace(options or Options(), **fields)
    with time_limit(options.timeout):
        asked = _Asked(test, model, contexts, options)
        exchanges = [_by_rule(asked, pair) for pair in pairs(test)]  # first, as time may end what takes longer
        return tuple(_here(asked, *each) for each in _told(exchanges, progress))


def _told(found: Iterable[T], progress: Callable[[int], None] | None) -> Iterator[T]:
    """Give pairs, and tell how many have been looked at."""
    for number, each in enumerate(found, 1):
        yield each
        if progress is not None:
            progress(number)


def _by_rule(asked: _Asked, pair: Pair) -> tuple[Exchange, Test | None]:
    """Give the answer of the rules, and the exchanged program."""
    target = exchanged(asked.test, pair)
    places = asked.locations[pair.first], asked.locations[pair.second]
    beside = _beside(asked.test, pair)
    rule = exchange_rule(*pair.operations, places, target is None, asked.model, asked.profile, beside)
    return Exchange(pair, rule, None), target


def _here(asked: _Asked, found: Exchange, target: Test | None) -> Exchange:
    """Add what enumeration says."""
    try:
        return found if target is None else replace(found, here=asked.refinement(target))
    except InputError as error:
        return replace(found, not_asked=error.message)


def _beside(test: Test, pair: Pair) -> tuple[Memory, ...]:
    """Give the other operations that a thread may run with these two: of the function, or of all if some are called."""
    every = operations_of(test, None if test.has(Call) else [pair.first.function])
    return tuple(part for place, part in every.items() if place not in (pair.first, pair.second))


def exchanged(test: Test, pair: Pair) -> Test | None:
    """Exchange two adjacent operations, with what the second one needs of what is between them.

    Parameters
    ----------
    test : Test
    pair : Pair

    Returns
    -------
    Test or None
        None where the second depends on the first.
    """
    body = test.functions[pair.first.function].blocks[pair.first.block].body
    first, second = pair.first.index, pair.second.index
    needed = set(registers_in(body[second]))
    before: list[Instruction] = []
    after: list[Instruction] = []
    for part in reversed(body[first + 1 : second]):
        if _assigned(part) & needed:
            needed.update(registers_in(part))
            before.insert(0, part)
        else:
            after.insert(0, part)
    if _assigned(body[first]) & needed:
        return None
    changed = (*body[:first], *before, body[second], body[first], *after, *body[second + 1 :])
    return with_body(test, pair.first.function, pair.first.block, changed)


def _assigned(part: Instruction) -> set[str]:
    target = getattr(part, "target", None)
    return {target} if isinstance(target, str) else set()


def merge(
    test: Test,
    model: str | SelectedModel | None = None,
    *,
    contexts: int | None = None,
    options: Options | None = None,
    progress: Callable[[int], None] | None = None,
    **fields: Unpack[Keywords],
) -> tuple[Merge, ...]:
    """Tell of each two adjacent operations of a test what they may be merged into.

    Parameters
    ----------
    test : Test
    model : str or SelectedModel, optional
        As for :func:`enumerator.check`.
    contexts : int, optional
        Ask it of the functions in all contexts of so many operations, not next to the given threads.
    options : Options, optional
        The time limit holds for all pairs together.
    progress : callable, optional
        Called with the number of pairs that were looked at.
    **fields
        Fields of :class:`~enumerator.options.Options`.

    Returns
    -------
    tuple of Merge

    Raises
    ------
    InputError
        As for checking the test.
    LimitReached
        If the test takes too long to unfold, or has too many paths.

    References
    ----------
    Semantics, section 7, *Merge*.

    Examples
    --------
    >>> from enumerator.frontend import load_text
    >>> text = "@x = global i32 0\\ndefine void @t() {\\n  fence acquire\\n  fence release\\n  ret void\\n}"
    >>> [(each.merged.annotation.ordering.name, each.here.refines) for each in merge(load_text(text, "t.ll"))]
    [('ACQ_REL', True)]
    """
    options = replace(options or Options(), **fields)
    with time_limit(options.timeout):
        asked = _Asked(test, model, contexts, options)
        return tuple(_merged(asked, pair) for pair in _told(pairs(test), progress))


def _merged(asked: _Asked, pair: Pair) -> Merge:
    one, other = pair.operations
    rule = merge_rule(one, other)
    if not rule.may:
        return Merge(pair, rule)
    letter = "F" if isinstance(one, Fence) else "R" if isinstance(one, Load) else "W"
    note = merged_annotation(one.annotation, other.annotation, letter, asked.profile)
    merged = replace(other, annotation=note)
    keeping = []
    for mine, theirs in ((one, other), (other, one)):
        strong = stronger(mine.annotation, theirs.annotation, letter, asked.profile)
        kept = asked.refinement(as_one(asked.test, pair, replace(other, annotation=mine.annotation)))
        keeping.append((strong, kept))
    return Merge(pair, rule, merged, asked.refinement(as_one(asked.test, pair, merged)), tuple(keeping))


def as_one(test: Test, pair: Pair, operation: Memory) -> Test:
    """Put one operation in the place of two; of two loads the register of the second becomes a copy.

    Parameters
    ----------
    test : Test
    pair : Pair
    operation : Fence, Load or Store
        Like the second, with another annotation.

    Returns
    -------
    Test
    """
    body = test.functions[pair.first.function].blocks[pair.first.block].body
    first, second = pair.first.index, pair.second.index
    one, other = pair.operations
    between: Sequence[Instruction] = body[first + 1 : second]
    if isinstance(operation, Load):
        assert isinstance(one, Load) and isinstance(other, Load)
        loaded = replace(operation, target=one.target, address=one.address)
        changed = (*body[:first], loaded, *between, Assign(other.target, Register(one.target), other.line))
    else:
        changed = (*body[:first], *between, operation)
    return with_body(test, pair.first.function, pair.first.block, (*changed, *body[second + 1 :]))
