"""Tables of final states, and what all arrangements of threads give, beside plain twins."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from random import Random

import numpy as np

from enumerator.program.values import NULL, UNDEF, Value, sort_key
from enumerator.results.table import StateTable, as_counts, join, numbers
from enumerator.search.symmetry import Found, Orbit, expand

VALUES: tuple[Value, ...] = (UNDEF, 7, -3, NULL, (1, UNDEF), 10)


def states(random: Random, names: int, count: int) -> dict[tuple[Value, ...], int]:
    return {tuple(random.choices(VALUES, k=names)): random.randrange(9) for _ in range(count)}


def test_a_table_is_the_mapping_that_it_was_made_of() -> None:
    for seed in range(30):
        random = Random(seed)
        plain = states(random, random.randrange(4), 20)
        table = StateTable.of(plain, len(next(iter(plain))))
        assert table == plain and plain == table and len(table) == len(plain)
        assert list(table) == sorted(plain, key=lambda state: tuple(map(sort_key, state)))
        assert [table[state] for state in table] == table.counts.tolist()
        assert (99,) not in table
        assert StateTable.of(table, 0) is table


def test_columns_that_are_left_out_add_counts() -> None:
    for seed in range(30):
        random = Random(seed)
        plain = states(random, 3, 30)
        chosen = random.sample(range(3), random.randrange(4))
        table, of = StateTable.of(plain, 3).columns(chosen)
        wanted: Counter[tuple[Value, ...]] = Counter()
        for state, count in plain.items():
            wanted[tuple(state[column] for column in chosen)] += count
        assert dict(table) == dict(wanted)
        whole = list(StateTable.of(plain, 3))
        assert [tuple(whole[number][column] for column in chosen) for number in of] == list(table)


def test_numbers_of_few_and_of_many_rows() -> None:
    for count in (0, 1, 20, 400):
        rows = np.random.default_rng(count).choice([0, 3, 7, 90], (count, 3))
        assert numbers(rows) == sorted(set(rows.reshape(-1).tolist()))
    assert numbers(np.zeros((4, 0), dtype=np.int64)) == []


def test_rows_of_more_than_a_word_are_sorted() -> None:
    rows = np.random.default_rng(1).integers(0, 1000, (500, 12))
    order, starts = join(np.concatenate([rows, rows]))
    assert len(starts) == 500 and [2 * number for number in range(500)] == starts.tolist()
    assert np.concatenate([rows, rows])[order][starts].tolist() == sorted(rows.tolist())


def test_counts_beyond_words_stay_exact() -> None:
    large = {(0, 0): 1 << 63, (0, 1): 1 << 63}
    assert dict(StateTable.of(large, 2).columns([0])[0]) == {(0,): 1 << 64}
    assert as_counts([]).sum() == 0


def every_arrangement(
    found: dict[tuple[int, ...], tuple[int, int]], groups: tuple[Orbit, ...], shown: int
) -> dict[tuple[int, ...], tuple[float, int]]:
    """Each execution stands for its likes: those of all permutations of threads, each as often as any other."""
    for each in groups:
        result: dict[tuple[int, ...], tuple[float, int]] = {}
        orders = list(permutations(range(len(each.threads))))
        for row, (count, raised) in found.items():
            for order in orders:
                swapped = list(row)
                for thread, other in enumerate(order):
                    for column, source in zip(each.columns[thread], each.columns[other], strict=True):
                        swapped[column] = row[source]
                before = result.get(tuple(swapped), (0, 0))
                result[tuple(swapped)] = before[0] + count / len(orders), before[1] | raised
        found = result  # type: ignore[assignment]
    shortened: dict[tuple[int, ...], tuple[float, int]] = {}
    for row, (count, raised) in found.items():
        before = shortened.get(row[:shown], (0, 0))
        shortened[row[:shown]] = before[0] + count, before[1] | raised
    return shortened


def test_arrangements() -> None:
    """Of one group and of two, all columns shown or some; 24 executions are arranged without a remainder."""
    one = (Orbit((0, 1, 2, 3), ((0,), (1,), (2,), (3,))),)
    wide = (Orbit((0, 1, 2), ((0, 3), (1, 4), (2, 5))),)
    two = (Orbit((0, 1), ((0,), (3,))), Orbit((2, 3, 4), ((1,), (2,), (4,))))
    for seed in range(20):
        random = Random(seed)
        for groups, width in ((one, 4), (wide, 6), (two, 5)):
            plain = {
                tuple(random.choices(range(3), k=width)): (576 * random.randrange(1, 5), 1 << random.randrange(3))
                for _ in range(random.randrange(8))
            }
            for shown in (width, width - 1, 2, 0):
                rows = np.array(list(plain), dtype=np.int64).reshape(len(plain), width)
                for type_ in (np.int64, object):
                    counts = np.array([count for count, _ in plain.values()], dtype=type_)
                    raised = np.array([bits for _, bits in plain.values()], dtype=np.uint64)
                    every, whole = expand(Found(rows, counts, raised), groups, shown, lambda count: False)
                    pairs = zip(every.counts.tolist(), every.raised.tolist(), strict=True)
                    listed = dict(zip(map(tuple, every.rows.tolist()), pairs, strict=True))
                    assert whole and len(listed) == len(every.rows)
                    assert listed == every_arrangement(plain, groups, shown), (seed, shown)


def test_arrangements_end_where_the_time_is_up() -> None:
    groups = (Orbit(tuple(range(9)), tuple((column,) for column in range(9))),)
    one = Found(np.arange(9).reshape(1, 9), np.array([362880]), np.zeros(1, dtype=np.uint64))
    every, whole = expand(one, groups, 9, lambda count: False)
    assert whole and len(every.rows) == 362880 and set(every.counts.tolist()) == {1}
    some, whole = expand(one, groups, 9, lambda count: count > 1000)
    assert not whole and 0 < len(some.rows) < 362880
