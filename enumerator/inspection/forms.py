"""Integers of a kernel as sums of symbols: what an offset is for one thread, and where it lies for all of them."""

from __future__ import annotations

from dataclasses import field
from enum import Enum, IntEnum
from functools import cached_property

from enumerator.frozen import dataclass

__all__ = ["Address", "Extent", "Form", "Overlap", "Symbol", "Varies", "compare", "same_thread_only"]

_MOST_TERMS = 16
_MOST_BITS = 256


class Varies(IntEnum):
    """How the value of a symbol may differ."""

    UNIFORM = 0  # the same in all threads of a workgroup, and each time
    THREAD = 1  # a function of where the thread runs
    UNKNOWN = 2  # it may be another one each time


@dataclass(frozen=True, slots=True)
class Symbol:
    """A value that is not computed further; equal names are equal values, but for those that are `UNKNOWN`."""

    name: str
    varies: Varies
    low: int | None = None
    high: int | None = None
    made: tuple[str, int, tuple[Form, ...]] | None = field(default=None, compare=False)
    """The opcode, the width in bits and the operands that it is computed from, if that is known."""


@dataclass(frozen=True)
class Form:
    """``constant + sum(factor * symbol)``.

    Examples
    --------
    >>> t = Symbol("t", Varies.THREAD, 0, 63)
    >>> (Form.of(t).scaled(4) + Form(8)).range
    (8, 260)
    """

    constant: int = 0
    terms: tuple[tuple[Symbol, int], ...] = ()

    @classmethod
    def of(cls, symbol: Symbol) -> Form:
        """Give the form that is one symbol."""
        return cls(0, ((symbol, 1),))

    @cached_property
    def _hash(self) -> int:
        return hash((self.constant, self.terms))

    def __hash__(self) -> int:
        return self._hash

    def __add__(self, other: Form) -> Form:
        factors = dict(self.terms)
        for symbol, factor in other.terms:
            factors[symbol] = factors.get(symbol, 0) + factor
        terms = tuple(sorted(((s, f) for s, f in factors.items() if f), key=lambda each: each[0].name))
        return Form(self.constant + other.constant, terms)

    def scaled(self, factor: int) -> Form:
        """Give the form times a number."""
        return Form(self.constant * factor, tuple((s, f * factor) for s, f in self.terms) if factor else ())

    @property
    def known(self) -> int | None:
        """The value, if there are no symbols."""
        return None if self.terms else self.constant

    @property
    def varies(self) -> Varies:
        """The most that a symbol varies."""
        return max((symbol.varies for symbol, _ in self.terms), default=Varies.UNIFORM)

    @property
    def wide(self) -> bool:
        """Whether it has too many terms, or too large a constant, to compute with."""
        return len(self.terms) > _MOST_TERMS or self.constant.bit_length() > _MOST_BITS

    @cached_property
    def range(self) -> tuple[int | None, int | None]:
        """The least and the greatest value, if they are known."""
        return _range(self.constant, self.terms)

    @cached_property
    def uniform(self) -> tuple[tuple[Symbol, int], ...]:
        """The terms that are the same in all threads."""
        return tuple(each for each in self.terms if each[0].varies is Varies.UNIFORM)

    @cached_property
    def of_thread(self) -> tuple[tuple[Symbol, int], ...]:
        """The terms that depend on the thread."""
        return tuple(each for each in self.terms if each[0].varies is Varies.THREAD)

    def __str__(self) -> str:
        parts = [str(self.constant), *(f"{factor}*{symbol.name}" for symbol, factor in self.terms)]
        return "+".join(parts)


def _range(constant: int, terms: tuple[tuple[Symbol, int], ...]) -> tuple[int | None, int | None]:
    low: int | None = constant
    high: int | None = constant
    for symbol, factor in terms:
        least, most = (symbol.low, symbol.high) if factor > 0 else (symbol.high, symbol.low)
        low = None if low is None or least is None else low + factor * least
        high = None if high is None or most is None else high + factor * most
    return low, high


@dataclass(frozen=True)
class Address:
    """A place in an object: its name, its address space, and the offset in bytes (None: not known)."""

    root: str
    space: int
    offset: Form | None


@dataclass(frozen=True)
class Extent:
    """The bytes of an access: of an object, from an offset on; what is not known is None.

    An empty name stands for some object of LDS.
    """

    root: str
    offset: Form | None = None
    size: int | None = None
    object_size: int | None = None

    @cached_property
    def span(self) -> tuple[int, int] | None:
        """The first byte that any thread accesses and the one after the last, less what is uniform; None: not known."""
        if self.offset is None or self.size is None or self.offset.varies is Varies.UNKNOWN:
            return None
        low, high = _range(self.offset.constant, self.offset.of_thread)
        if low is None or high is None:
            return None
        end = high + self.size
        if self.object_size is not None and not self.offset.uniform:
            low, end = max(low, 0), min(end, self.object_size)  # no thread goes beyond the object
        return low, end


class Overlap(Enum):
    """Whether accesses of some two threads touch a common byte."""

    NONE = "none"
    SOME = "some"
    UNKNOWN = "unknown"


def compare(one: Extent, other: Extent) -> Overlap:
    """Tell whether what threads access by two accesses overlaps.

    Parameters
    ----------
    one, other : Extent

    Returns
    -------
    Overlap
        ``SOME`` if the spans over all threads overlap, and what is added to both is the same.

    Examples
    --------
    >>> t = Form.of(Symbol("t", Varies.THREAD, 0, 63)).scaled(4)
    >>> low, high = Extent("@l", t, 4), Extent("@l", t + Form(256), 4)
    >>> compare(low, high), compare(low, Extent("@l", t + Form(252), 4)), compare(low, Extent("@l"))
    (<Overlap.NONE: 'none'>, <Overlap.SOME: 'some'>, <Overlap.UNKNOWN: 'unknown'>)
    """
    if not one.root or not other.root:
        return Overlap.UNKNOWN
    if one.root != other.root:
        return Overlap.NONE
    first, second = one.span, other.span
    if first is None or second is None or one.offset is None or other.offset is None:
        return Overlap.UNKNOWN
    if one.offset.uniform != other.offset.uniform:
        return Overlap.UNKNOWN
    return Overlap.SOME if first[0] < second[1] and second[0] < first[1] else Overlap.NONE


def same_thread_only(one: Extent, other: Extent, index: str) -> bool:
    """Tell whether two accesses meet in one thread only: each thread has elements of its own.

    Parameters
    ----------
    one, other : Extent
    index : str
        The symbol that numbers the threads of a workgroup.

    Examples
    --------
    >>> t = Form.of(Symbol("t", Varies.THREAD, 0, 63))
    >>> same_thread_only(Extent("@l", t.scaled(8), 4), Extent("@l", t.scaled(8) + Form(4), 4), "t")
    True
    >>> same_thread_only(Extent("@l", t.scaled(4), 4), Extent("@l", t.scaled(4) + Form(4), 4), "t")
    False
    """
    if one.offset is None or other.offset is None or one.size is None or other.size is None:
        return False
    if one.offset.terms != other.offset.terms or one.offset.varies is Varies.UNKNOWN:
        return False
    terms = one.offset.of_thread
    if len(terms) != 1 or terms[0][0].name != index:
        return False
    stride, apart = abs(terms[0][1]), abs(one.offset.constant - other.offset.constant)
    return stride >= apart + max(one.size, other.size)
