"""Each kernel beside a plain twin that says in a few lines what it computes."""

from __future__ import annotations

import sys

import networkx as nx
import numpy as np
import pytest
from numba.core.dispatcher import Dispatcher
from numpy.typing import NDArray

from enumerator.search import kernels
from enumerator.search import opcodes as op
from enumerator.search.layout import Findings

SIZES = (1, 5, 64, 65, 130)


def pack(matrix: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """Rows of booleans as rows of 64-bit words."""
    n = matrix.shape[-1]
    words = (n + 63) // 64
    rows = np.zeros((*matrix.shape[:-1], words), dtype=np.uint64)
    for index in np.argwhere(matrix):
        rows[(*index[:-1], index[-1] // 64)] |= np.uint64(1) << np.uint64(index[-1] % 64)
    return rows


def flat(relations: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The same memory, with all words of a relation in a row."""
    return relations.reshape(len(relations), -1)


def unpack(rows: NDArray[np.uint64], n: int) -> NDArray[np.bool_]:
    """The inverse of `pack`."""
    return np.array([[bool(int(row[j // 64]) >> (j % 64) & 1) for j in range(n)] for row in rows])


def random_relation(seed: int, n: int, density: float = 0.1) -> NDArray[np.bool_]:
    return np.random.default_rng(seed).random((n, n)) < density


def random_set(seed: int, n: int) -> NDArray[np.bool_]:
    return np.random.default_rng(seed).random(n) < 0.5


def closure(a: NDArray[np.bool_]) -> NDArray[np.bool_]:
    graph = nx.transitive_closure(nx.from_numpy_array(a, create_using=nx.DiGraph))
    return nx.to_numpy_array(graph, nodelist=range(len(a))).astype(bool)


IDENTITY = np.eye
RELATION_TWINS = {
    op.R_OR: lambda a, b, s, t: a | b,
    op.R_AND: lambda a, b, s, t: a & b,
    op.R_MINUS: lambda a, b, s, t: a & ~b,
    op.R_SEQ: lambda a, b, s, t: (a.astype(int) @ b.astype(int)) > 0,
    op.R_INVERSE: lambda a, b, s, t: a.T,
    op.R_MINUS_INVERSE: lambda a, b, s, t: a & ~b.T,
    op.R_OPTION: lambda a, b, s, t: a | IDENTITY(len(a), dtype=bool),
    op.R_PLUS: lambda a, b, s, t: closure(a),
    op.R_STAR: lambda a, b, s, t: closure(a) | IDENTITY(len(a), dtype=bool),
    op.R_NOT: lambda a, b, s, t: ~a,
    op.R_COPY: lambda a, b, s, t: a,
    op.R_CROSS: lambda a, b, s, t: np.outer(s, t),
    op.R_IDENTITY: lambda a, b, s, t: np.diag(s),
    op.R_FROM: lambda a, b, s, t: a & s[:, None],
    op.R_TO: lambda a, b, s, t: a & s[None, :],
    op.R_FULL: lambda a, b, s, t: np.ones_like(a),
    op.R_EMPTY: lambda a, b, s, t: np.zeros_like(a),
}
SET_TWINS = {
    op.S_OR: lambda a, s, t: s | t,
    op.S_AND: lambda a, s, t: s & t,
    op.S_MINUS: lambda a, s, t: s & ~t,
    op.S_NOT: lambda a, s, t: ~s,
    op.S_DOMAIN: lambda a, s, t: a.any(axis=1),
    op.S_RANGE: lambda a, s, t: a.any(axis=0),
    op.S_FULL: lambda a, s, t: np.ones_like(s),
    op.S_EMPTY: lambda a, s, t: np.zeros_like(s),
    op.S_COPY: lambda a, s, t: s,
}


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("code", RELATION_TWINS)
def test_relation_operation(code: int, n: int) -> None:
    a, b, s, t = random_relation(code, n), random_relation(code + 50, n), random_set(1, n), random_set(2, n)
    relations = np.concatenate([np.full((1, n, (n + 63) // 64), 7, dtype=np.uint64), pack(np.stack([a, b]))])
    sets = pack(np.stack([s, t]))
    left, right = (0, 1) if code in (op.R_CROSS, op.R_IDENTITY) else (0, 1) if code in (op.R_FROM, op.R_TO) else (1, 2)
    room = np.zeros(relations.shape[2], dtype=np.uint64)
    kernels.relation_operation(code, relations, flat(relations), sets, room, 0, left, right, n, relations.shape[2])
    assert (unpack(relations[0], n) == RELATION_TWINS[code](a, b, s, t)).all()
    assert (relations[0] == pack(unpack(relations[0], n))).all(), "no bits beyond the last event"


@pytest.mark.parametrize("n", [n for n in SIZES if n <= 64])
@pytest.mark.parametrize("code", RELATION_TWINS)
def test_narrow_operation(code: int, n: int) -> None:
    """Relations of at most 64 events have kernels of their own."""
    for seed in range(4):
        density = (0.02, 0.1, 0.3, 0.6)[seed]
        a, b = random_relation(code + seed, n, density), random_relation(code + 50 + seed, n, density)
        s, t = random_set(seed, n), random_set(seed + 9, n)
        relations = np.concatenate([np.full((1, n, 1), 7, dtype=np.uint64), pack(np.stack([a, b]))])
        left, right = (0, 1) if code in (op.R_CROSS, op.R_IDENTITY, op.R_FROM, op.R_TO) else (1, 2)
        kernels.narrow_operation(code, flat(relations), pack(np.stack([s, t])), 0, left, right, n)
        assert (unpack(relations[0], n) == RELATION_TWINS[code](a, b, s, t)).all(), seed
        assert (relations[0] == pack(unpack(relations[0], n))).all(), "no bits beyond the last event"


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("shape", ["up", "down", "mixed", "one cycle", "sparse"])
def test_closure(shape: str, n: int) -> None:
    """Orders that go with the numbers of events, against them, or neither way; and cycles."""
    for seed in range(8):
        density = 2.0 / n
        a = random_relation(seed, n, density)
        if shape != "sparse":
            a = np.triu(a, 1)
        if shape == "down":
            a = a.T
        if shape in ("mixed", "one cycle"):
            order = np.random.default_rng(seed).permutation(n)
            a = a[order][:, order]
        if shape == "one cycle":
            around = np.random.default_rng(seed + 50).permutation(n)[:4]
            a[around, np.roll(around, 1)] = True
        relations = np.concatenate([np.full((1, n, (n + 63) // 64), 7, dtype=np.uint64), pack(a[None])])
        room, sets = np.zeros(relations.shape[2], dtype=np.uint64), np.zeros((1, relations.shape[2]), dtype=np.uint64)
        kernels.relation_operation(op.R_PLUS, relations, flat(relations), sets, room, 0, 1, 1, n, relations.shape[2])
        assert (unpack(relations[0], n) == closure(a)).all(), seed


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("code", SET_TWINS)
def test_set_operation(code: int, n: int) -> None:
    a, s, t = random_relation(code, n, 0.02), random_set(1, n), random_set(2, n)
    relations = pack(a[None])
    sets = np.concatenate([np.full((1, (n + 63) // 64), 7, dtype=np.uint64), pack(np.stack([s, t]))])
    left = 0 if code in (op.S_DOMAIN, op.S_RANGE) else 1
    kernels.set_operation(code, relations, sets, 0, left, 2, n, relations.shape[2])
    expected = SET_TWINS[code](a, s, t)
    assert (sets[0] == pack(expected[None])[0]).all()


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("density", [0.0, 0.5 / 130, 0.02, 0.2])
def test_holds(n: int, density: float) -> None:
    for seed in range(20):
        a = random_relation(seed, n, density)
        if seed % 2:
            a = np.triu(a, 1)[np.ix_(order := np.random.default_rng(seed).permutation(n), order)]
        relations, sets, alive = pack(a[None]), pack(a[:1]), np.zeros((n + 63) // 64, dtype=np.uint64)
        twins = (
            nx.is_directed_acyclic_graph(nx.from_numpy_array(a, create_using=nx.DiGraph)),
            not a.diagonal().any(),
            not a.any(),
            not a[0].any(),
        )
        for test, expected in enumerate(twins):
            for negated in (0, 1):
                found = kernels.holds(test, relations, sets, 0, negated, alive, n, relations.shape[2])
                assert found == (expected != bool(negated))


def test_fixpoint_loop() -> None:
    """``let rec r = a | r ; r`` is the transitive closure."""
    n = 70
    a = random_relation(3, n, 0.02)
    relations = np.zeros((4, n, 2), dtype=np.uint64)
    relations[1] = pack(a)
    code = np.array(
        [
            (op.R_EMPTY, 0, 0, 0),
            (op.FIX_BEGIN, 0, 0, 0),
            (op.R_SEQ, 2, 0, 0),
            (op.R_OR, 3, 1, 2),
            (op.FIX_RELATION, 0, 3, 0),
            (op.FIX_END, 2, 0, 0),
        ],
        dtype=np.int32,
    )
    flags = np.zeros(2, dtype=np.uint64)
    sets = np.zeros((1, 2), dtype=np.uint64)
    assert kernels.run(code, 0, len(code), relations, flat(relations), sets, np.zeros(2, dtype=np.uint64), n, 2, flags)
    assert (unpack(relations[0], n) == closure(a)).all()


def test_run_stops_at_a_failed_axiom_and_raises_flags() -> None:
    relations = pack(np.stack([IDENTITY(3, dtype=bool), np.zeros((3, 3), dtype=bool)]))
    sets = np.zeros((1, 1), dtype=np.uint64)
    alive, flags = np.zeros(1, dtype=np.uint64), np.zeros(2, dtype=np.uint64)
    code = np.array(
        [
            (op.FLAG_EMPTY, 0, 1, 0),
            (op.FLAG_EMPTY, 1, 1, 1),
            (op.CHECK_ACYCLIC, 1, 0, 0),
            (op.CHECK_ACYCLIC, 0, 0, 0),
            (op.FLAG_EMPTY, 1, 0, 2),
        ],
        dtype=np.int32,
    )
    assert not kernels.run(code, 0, 5, relations, flat(relations), sets, alive, 3, 1, flags)
    assert flags[0] == 0b001, "the first flag is raised, the second is not, the last was never reached"


def test_order_insertion_and_removal() -> None:
    """The order relation is that of the sequence, with the initial write before every write, placed or not."""
    rng = np.random.default_rng(5)
    n, writes = 70, [66, 3, 20, 41]
    relations = np.zeros((2, n, 2), dtype=np.uint64)
    for write in writes:
        kernels.set_bit(relations[1, 0], write)
    sequence = np.zeros((1, n), dtype=np.int64)
    length = np.ones(1, dtype=np.int64)
    plain = [0]
    for _ in range(200):
        missing = [write for write in writes if write not in plain]
        if missing and rng.random() < 0.6:
            place = int(rng.integers(1, len(plain) + 1))
            plain.insert(place, missing[0])
            kernels.insert(0, place, missing[0], 1, sequence, length, relations[1], 2)
        elif len(plain) > 1:
            place = int(rng.integers(1, len(plain)))
            del plain[place]
            kernels.remove(0, place, 1, sequence, length, relations[1], 2)
        expected = np.zeros((n, n), dtype=bool)
        expected[0, writes] = True
        for position, write in enumerate(plain):
            expected[write, plain[position + 1 :]] = True
        assert (unpack(relations[1], n) == expected).all()


def test_probe_finds_what_was_entered() -> None:
    from enumerator.search.functions import _table

    steps = {(state << 32) | value: state * 7 + value for state in range(60) for value in range(9)}
    keys, results = _table(steps, 2048)
    for key, result in steps.items():
        slot = kernels.probe(keys, key)
        assert (keys[slot], results[slot]) == (key, result)
    assert keys[kernels.probe(keys, 1 << 50)] == -1


def test_states_are_counted_once_each() -> None:
    rng = np.random.default_rng(1)
    rows = rng.integers(0, 4, (500, 3))
    findings = Findings(
        keys=np.zeros(1, dtype=np.int64),
        results=np.zeros(1, dtype=np.int64),
        states=np.zeros((64, 3), dtype=np.int32),
        counts=np.zeros(64, dtype=np.int64),
        raised=np.zeros(64, dtype=np.uint64),
        index=np.full(256, -1, dtype=np.int32),
        row=np.zeros(3, dtype=np.int64),
    )
    state = np.zeros(op.STATE_SIZE, dtype=np.int64)
    state[op.WEIGHT] = 1
    raised = np.uint64(1) << rng.integers(0, 8, 500).astype(np.uint64)
    new = 0
    for row, bit in zip(rows, raised, strict=True):
        findings.row[:] = row
        new += kernels.count_state(state, findings, bit)
    expected: dict[tuple[int, ...], int] = {}
    for row in rows:
        expected[tuple(map(int, row))] = expected.get(tuple(map(int, row)), 0) + 1
    found = {tuple(map(int, findings.states[s])): int(findings.counts[s]) for s in range(state[op.STATES])}
    assert found == expected and new == len(expected)
    for s in range(state[op.STATES]):
        assert findings.raised[s] == np.bitwise_or.reduce(raised[(rows == findings.states[s]).all(axis=1)])
    again = findings._replace(index=np.full(1024, -1, dtype=np.int32))
    kernels.index_states(len(expected), again)
    assert sorted(int(s) for s in again.index if s >= 0) == list(range(len(expected)))


def test_find_cycle() -> None:
    """Reads 1 and 3 read writes that copy each other; read 5 only depends on them."""
    n = 6
    g_event = np.arange(n)
    g_base = np.zeros(n, dtype=np.int64)
    val = np.full(n, op.UNKNOWN_ID)
    source = np.array([-1, 2, -1, 4, -1, 2])
    e_vkind = np.array([0, 0, op.V_COPY, 0, op.V_COPY, 0])
    e_vdata = np.array([0, 0, 3, 0, 1, 0])
    empty = np.zeros(1, dtype=np.int64)
    reach, members = np.zeros((n, n), dtype=bool), np.zeros(n, dtype=np.int64)
    found = kernels.find_cycle(n, g_event, g_base, val, source, e_vkind, e_vdata, empty, empty, reach, members)
    assert list(members[:found]) == [1, 3]
    val[1] = val[3] = val[5] = 4
    assert kernels.find_cycle(n, g_event, g_base, val, source, e_vkind, e_vdata, empty, empty, reach, members) == 0


def test_kernels_count_no_references() -> None:
    """They own no arrays; counting who looks at their caller's took most of the time of a search."""
    dispatchers = {
        id(each): each
        for name, module in sys.modules.items()
        if name.startswith("enumerator.search.kernels")
        for each in vars(module).values()
        if isinstance(each, Dispatcher)
    }
    assert len(dispatchers) > 20
    assert all(each.targetoptions["_nrt"] is False for each in dispatchers.values())
