"""Dataclasses of our own are those of the standard library, but for what is said in :mod:`enumerator.frozen`."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from dataclasses import field, fields, replace
from typing import Any

import pytest

from enumerator.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """A place."""

    line: int
    column: int = 1
    notes: list[str] = field(default_factory=list, compare=False, repr=False)


@dataclass(frozen=True)
class Named(Place):
    """A place with a name."""

    name: str = ""
    given: str = field(init=False, default="nobody")


@dataclass
class Count:
    """Something that changes."""

    number: int = 0

    def __post_init__(self) -> None:
        self.doubled = 2 * self.number


@dataclass(frozen=True, kw_only=True)
class Options:
    """Options."""

    first: int
    second: int = 2


@dataclass(frozen=True, order=True)
class Ranked:
    """What has an order."""

    rank: int


@dataclass(frozen=True, eq=False)
class Single:
    """What is equal to nothing else."""

    value: int


@dataclass(frozen=True)
class Own:
    """What says itself when it is equal."""

    value: int

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Own)

    def __hash__(self) -> int:
        return 7


def test_made_and_shown() -> None:
    assert repr(Place(3)) == "Place(line=3, column=1)"
    assert repr(Named(3, name="x")) == "Named(line=3, column=1, name='x', given='nobody')"
    assert (Place(1, column=2).column, Options(first=1).second, Count(4).doubled) == (2, 2, 8)
    assert Place(1).notes is not Place(1).notes
    assert [each.name for each in fields(Named)] == ["line", "column", "notes", "name", "given"]
    assert replace(Place(3), column=5) == Place(3, 5)


@pytest.mark.parametrize(
    "make", [lambda: Place(), lambda: Place(1, 2, [], 4), lambda: Options(1), lambda: Place(row=1)]
)  # type: ignore[call-arg, misc]
def test_made_wrongly(make: Any) -> None:
    with pytest.raises(TypeError):
        make()


def test_compared() -> None:
    assert {Place(1), Place(1, 1, ["a"])} == {Place(1)}
    assert Place(1) != Place(2) != Named(2)
    assert Ranked(1) < Ranked(2)
    assert Single(1) != Single(1)
    assert (Own(1), hash(Own(1))) == (Own(2), 7)
    assert Count(1) == Count(1)
    with pytest.raises(TypeError):
        hash(Count(1))


@pytest.mark.parametrize("made", [Place(1, 2, ["a"]), Named(1, name="x"), Options(first=3), Count(2)])
def test_copied_and_sent(made: Any) -> None:
    assert pickle.loads(pickle.dumps(made)) == copy.deepcopy(made) == made
    assert dataclasses.asdict(made) == dataclasses.asdict(copy.copy(made))
