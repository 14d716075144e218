"""What is brought up to date while executions grow is what computing all of it anew gives, after each step."""

from __future__ import annotations

from typing import Any

import pytest

from enumerator.search import growing
from enumerator.search import opcodes as op
from enumerator.search.bitset import enumerate_test
from enumerator.search.grown_code import assemble_growing
from enumerator.search.session import Session
from enumerator.search.tuning import Tuning
from tests.generated.programs import random_program
from tests.generated.test_agreement import AMDGPU_FEATURES, FEATURES
from tests.search.generated import request_for

Value = set[Any]


def members(words: Any, n: int) -> Value:
    return {k for k in range(n) if int(words[k >> 6]) >> (k & 63) & 1}


def pairs(rows: Any, n: int) -> Value:
    return {(i, j) for i in range(n) for j in members(rows[i], n)}


def compose(a: Value, b: Value) -> Value:
    return {(i, k) for i, j in a for m, k in b if j == m}


def closure(a: Value) -> Value:
    found = set(a)
    while more := compose(found, a) - found:
        found |= more
    return found


RELATIONS = {
    op.R_OR: lambda a, b: a | b,
    op.R_AND: lambda a, b: a & b,
    op.R_MINUS: lambda a, b: a - b,
    op.R_SEQ: compose,
    op.R_INVERSE: lambda a, _: {(j, i) for i, j in a},
    op.R_PLUS: lambda a, _: closure(a),
    op.R_COPY: lambda a, _: set(a),
    op.R_EMPTY: lambda a, b: set(),
}
OF_SETS = {
    op.R_CROSS: lambda s, t: {(i, j) for i in s for j in t},
    op.R_IDENTITY: lambda s, _: {(i, i) for i in s},
}
RESTRICTED = {
    op.R_FROM: lambda s, b: {(i, j) for i, j in b if i in s},
    op.R_TO: lambda s, b: {(i, j) for i, j in b if j in s},
}
SETS = {
    op.S_OR: lambda s, t: s | t,
    op.S_AND: lambda s, t: s & t,
    op.S_MINUS: lambda s, t: s - t,
    op.S_COPY: lambda s, _: set(s),
    op.S_EMPTY: lambda s, t: set(),
}


def computed(code: Any, begin: int, end: int, R: list[Value], S: list[Value]) -> tuple[set[int], set[int]]:
    """Run all instructions in the plainest way; give the registers that are written from one of them on."""
    pc, changed = 0, False
    relations, sets = set(), set()
    while pc < end:
        what, d, a, b = map(int, code[pc])
        pc += 1
        if what in RELATIONS:
            R[d] = RELATIONS[what](R[a], R[b])
        elif what in OF_SETS:
            R[d] = OF_SETS[what](S[a], S[b])
        elif what in RESTRICTED:
            R[d] = RESTRICTED[what](S[a], R[b])
        elif what in SETS:
            S[d] = SETS[what](S[a], S[b])
        elif what == op.S_DOMAIN:
            S[d] = {i for i, _ in R[a]}
        elif what == op.S_RANGE:
            S[d] = {j for _, j in R[a]}
        elif what == op.FIX_BEGIN:
            changed = False
        elif what in (op.FIX_RELATION, op.FIX_SET):
            bank = R if what == op.FIX_RELATION else S
            changed |= bank[d] != bank[a]
            bank[d] = set(bank[a])
        elif what == op.FIX_END and changed:
            pc, changed = d, False
        if pc > begin and what < op.S_OR:
            relations.add(d)
        elif pc > begin and what < op.FIX_BEGIN:
            sets.add(d)
    return relations, sets


EACH = 8
"""Of many steps, so many are between those after which registers are compared."""


class Watched:
    """Goes on step by step, and compares the registers after them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, wide: bool) -> None:
        self.steps, self.compared, original = 0, 0, growing.Growing.advance

        def advance(strategy: growing.Growing, steps: int) -> int:
            for _ in range(steps):
                stop = original(strategy, 1)
                self.compare(strategy)
                if stop != op.PAUSED:
                    return stop
            return op.PAUSED

        monkeypatch.setattr(growing.Growing, "advance", advance)
        if wide:
            room = growing.Room
            monkeypatch.setattr(
                growing, "Room", lambda *sizes, **named: room(*sizes, **(named if sizes else {"events": 128, **named}))
            )

    def compare(self, strategy: growing.Growing) -> None:
        grown, work, prog = strategy.grown, strategy.arrays, strategy._problem.prog
        if not grown.at[op.X_FRESH] or work.st[op.PHASE] not in (op.GROW_RUN, op.GROW_CHOOSE, op.GROW_LEAF):
            return
        self.steps += 1
        if self.steps > 40 and self.steps % EACH:
            return
        n = int(work.st[op.EVENTS])
        R, S = [pairs(rows, n) for rows in work.R], [members(words, n) for words in work.S]
        end = prog.sections[op.GROW_LATE if grown.at[op.X_LATE] == op.LATE_NOW else op.GROW_CLOSED]
        relations, sets = computed(prog.code, int(prog.sections[op.GROW_AXIOMS]), int(end), R, S)
        for register in relations:
            assert pairs(work.R[register], n) == R[register], register
        for register in sets:
            assert members(work.S[register], n) == S[register], register
        self.compared += 1


CASES = [("rc11", name) for name in ("addresses", "branches", "loops", "updates")]
CASES += [("llvm", name) for name in ("everything", "loops", "one-as", "undef")]
CASES += [("amdgpu", name) for name in sorted(AMDGPU_FEATURES)]


@pytest.mark.parametrize("wide", [False, True], ids=["narrow", "wide"])
@pytest.mark.parametrize(("model", "name"), CASES)
def test_registers_after_each_step(model: str, name: str, wide: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    watched = Watched(monkeypatch, wide)
    wanted = frozenset((AMDGPU_FEATURES if model == "amdgpu" else FEATURES)[name])
    compared = 0
    for seed in range(8):
        program = random_program(wanted, 12000 + seed, 5, 3)
        request = request_for(program.text, model, wanted, seed)
        before = watched.compared
        enumerate_test(request, Session(Tuning(grow_from=0)))
        compared += watched.compared > before
        if watched.compared > 40:
            break
    assert compared


def test_models_that_are_updated(monkeypatch: pytest.MonkeyPatch) -> None:
    """All of these models are brought up to date; what an analysis refuses is computed anew, with the same results."""
    found = []

    def assembled(*arguments: Any, **named: Any) -> Any:
        laid = assemble_growing(*arguments, **named)
        found.append(laid.steps)
        assert laid.coherence
        return laid._replace(steps=False)

    text = random_program(frozenset(FEATURES[sorted(FEATURES)[0]]), 3).text
    for model in ("rc11", "llvm", "amdgpu", "amdgpu-2026"):
        wanted: frozenset[str] = frozenset()
        request = request_for(text, model, wanted, 1)
        updated = enumerate_test(request, Session(Tuning(grow_from=0)))
        with monkeypatch.context() as patch:
            patch.setattr(growing, "assemble_growing", assembled)
            whole = enumerate_test(request, Session(Tuning(grow_from=0)))
        assert (updated.states, updated.consistent) == (whole.states, whole.consistent)
    assert found and all(found)
