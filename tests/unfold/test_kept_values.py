"""Values that unfolding keeps while no domain changes: they are those that it would compute anew."""

from __future__ import annotations

import pytest

from enumerator.errors import TooManyPaths
from enumerator.program.types import IntType
from enumerator.program.values import Value
from enumerator.unfold.domains import Domains
from enumerator.unfold.paths import Computed, Known, Location, ReadValue

X, Y = Location("@x", 0, 4), Location("@y", 0, 4)
I32 = IntType(32)


def reads_x(index: int) -> tuple[Location, IntType]:
    return X, I32


def domains(most_values: int | None = None) -> Domains:
    return Domains(lambda location: 0, lambda: (0, 1, 7), False, most_values)


def test_values_follow_what_is_written() -> None:
    known = domains()
    node = Computed("add", (ReadValue(0, I32), Known(1)), I32, I32)

    def values() -> list[Value] | None:
        return known.values(node, reads_x)

    assert values() == [1] == values()
    assert known.add(Y, [5]) and values() == [1]
    assert known.add(X, [3]) and values() == [1, 4] == values()
    assert not known.add(X, [3])
    assert known.add_dependency(X, X) and values() == [1, 4, 2, 8]
    assert known.add(X, None) and values() is None


def test_what_is_kept_counts_like_what_is_computed() -> None:
    known = domains(most_values=3)
    node = ReadValue(0, I32)
    assert [known.values(node, reads_x) for _ in range(3)] == [[0]] * 3
    with pytest.raises(TooManyPaths):
        known.values(node, reads_x)
