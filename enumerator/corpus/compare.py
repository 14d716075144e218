"""What differs between two sets of results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from enumerator.corpus.database import sorting_key
from enumerator.corpus.records import Record, State
from enumerator.frozen import dataclass

__all__ = ["Comparison", "Difference", "by_test", "compare_records", "compare_sorted"]


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference: the test, what differs, and what either side has ('-' for nothing)."""

    test: str
    what: str
    first: str
    second: str


@dataclass(frozen=True)
class Comparison:
    """The differences, and how many tests are equal, different, on one side only, or unknown (a limit was reached)."""

    differences: tuple[Difference, ...]
    equal: int
    different: int
    only_first: int
    only_second: int
    unknown: int = 0

    @property
    def same(self) -> bool:
        """Whether nothing differs."""
        return not self.differences


def by_test(first: Sequence[Record], second: Sequence[Record]) -> tuple[dict[str, Record], dict[str, Record]]:
    """Give the records of both sides keys under which they belong together.

    A test's name is its key. Where a side has it under several models, what it was found under is part of the key;
    where that is the same too (two files, one name), its number is.

    Parameters
    ----------
    first, second : sequence of Record

    Returns
    -------
    (dict, dict)
    """
    counts = [Counter(name for name, _ in {(each.name, each.how) for each in side}) for side in (first, second)]
    several = {name for side in counts for name, number in side.items() if number > 1}

    def keyed(records: Iterable[Record]) -> dict[str, Record]:
        found: dict[str, Record] = {}
        for record in records:
            key = record.name
            if record.name in several and record.how:
                key += f" under {record.how}"
            number, plain = 1, key
            while key in found:
                number += 1
                key = f"{plain} ({number})"
            found[key] = record
        return found

    return keyed(first), keyed(second)


def compare_records(first: Mapping[str, Record], second: Mapping[str, Record]) -> Comparison:
    """Compare results test by test.

    Parameters
    ----------
    first, second : mapping of str to Record

    Returns
    -------
    Comparison
        Differences in the order of the first side, then of what only the second has. Counts of witnesses that one side
        does not have are not compared.

    Examples
    --------
    >>> one = Record("MP", "", "exists", "Ok", "Sometimes", frozenset(), 1, 2, frozenset())
    >>> other = Record("MP", "", "exists", "No", "Never", frozenset(), 0, 2, frozenset({"race"}))
    >>> [(each.what, each.first, each.second) for each in compare_records({"MP": one}, {"MP": other}).differences]
    [('verdict', 'Ok', 'No'), ('observation', 'Sometimes', 'Never'), ('positive', '1', '0'), ('flag', '-', 'race')]
    """
    differences: list[Difference] = []
    different = 0
    for key, record in first.items():
        if key in second:
            found = _differences(key, record, second[key])
            different += bool(found)
            differences += found
        else:
            differences.append(Difference(key, "only in", "A", "-"))
    only_second = [key for key in second if key not in first]
    differences += [Difference(key, "only in", "-", "B") for key in only_second]
    shared = [key for key in first if key in second]
    unknown = sum(_is_unknown(first[key]) or _is_unknown(second[key]) for key in shared)
    alone = len(first) - len(shared)
    return Comparison(tuple(differences), len(shared) - different, different, alone, len(only_second), unknown)


def compare_sorted(
    first: Iterable[tuple[tuple[int, ...], Record]], second: Iterable[tuple[tuple[int, ...], Record]]
) -> Comparison:
    """Compare results that come sorted by the names of tests: only what differs is kept.

    Parameters
    ----------
    first, second : iterable of (tuple of int, Record)
        See :func:`enumerator.corpus.records.sorted_records`.

    Returns
    -------
    Comparison
        That of :func:`by_test` and :func:`compare_records`.
    """
    found: list[tuple[bool, tuple[int, ...], Difference]] = []
    numbers = [0] * 5
    for one, other in _side_by_side(first, second):
        sides = by_test([record for _, record in one], [record for _, record in other])
        places = [
            dict(zip(side, (place for place, _ in listed), strict=True))
            for side, listed in zip(sides, (one, other), strict=True)
        ]
        part = compare_records(*sides)
        for difference in part.differences:
            alone = difference.test not in places[0]
            found.append((alone, places[alone][difference.test], difference))
        counts = part.equal, part.different, part.only_first, part.only_second, part.unknown
        numbers = [before + more for before, more in zip(numbers, counts, strict=True)]
    found.sort(key=lambda each: each[:2])
    return Comparison(tuple(difference for _, _, difference in found), *numbers)


_Placed = tuple[tuple[int, ...], Record]


def _side_by_side(first: Iterable[_Placed], second: Iterable[_Placed]) -> Iterator[tuple[list[_Placed], list[_Placed]]]:
    """Give the records of each test of either side."""

    def grouped(records: Iterable[_Placed]) -> Iterator[tuple[tuple[bool, bytes], list[_Placed]]]:
        for key, group in groupby(records, lambda each: sorting_key(each[1].name)):
            yield key, list(group)

    ones, others = grouped(first), grouped(second)
    one, other = next(ones, None), next(others, None)
    while one is not None or other is not None:
        if other is None or (one is not None and one[0] < other[0]):
            assert one is not None
            yield one[1], []
            one = next(ones, None)
        elif one is None or other[0] < one[0]:
            yield [], other[1]
            other = next(others, None)
        else:
            yield one[1], other[1]
            one, other = next(ones, None), next(others, None)


def _is_unknown(record: Record) -> bool:
    return "unknown" in (record.verdict.lower(), record.observation.lower())


def _differences(key: str, first: Record, second: Record) -> list[Difference]:
    if first.error is not None or second.error is not None:
        return [Difference(key, "error", first.error or "-", second.error or "-")]
    found = [
        Difference(key, what, str(one), str(other))
        for what, one, other in (
            ("quantifier", first.quantifier, second.quantifier),
            ("verdict", first.verdict, second.verdict),
            ("observation", first.observation, second.observation),
            ("positive", first.positive, second.positive),
            ("negative", first.negative, second.negative),
        )
        if one != other and one is not None and other is not None
    ]
    found += [Difference(key, "flag", flag, "-") for flag in sorted(first.flags - second.flags)]
    found += [Difference(key, "flag", "-", flag) for flag in sorted(second.flags - first.flags)]
    found += [Difference(key, "state", state, "-") for state in _written(first.states - second.states)]
    found += [Difference(key, "state", "-", state) for state in _written(second.states - first.states)]
    return found


def _written(states: Iterable[State]) -> list[str]:
    return sorted(" ".join(f"{name}={value};" for name, value in sorted(state)) or "(empty)" for state in states)
