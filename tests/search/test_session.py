"""What a process keeps from test to test: it changes no answer, and it stays within its bounds."""

from __future__ import annotations

import gc
import random

import pytest

from benchmarks.generate import SHAPES, litmus_test
from enumerator.asking import make_request, select_model, select_profile, shown_names
from enumerator.cat import compiler
from enumerator.cat.selected import SelectedModel
from enumerator.events import RELATIONS, table
from enumerator.events.table import PREDICATES, KindTable
from enumerator.frontend import load_text
from enumerator.options import Options
from enumerator.request import Outcomes, Request
from enumerator.search.bitset import enumerate_test
from enumerator.search.lower import lower
from enumerator.search.session import Session
from enumerator.unfold import unfold


def requests(count: int, model: str = "amdgpu", seed: int = 1) -> list[Request]:
    chance = random.Random(seed)
    made = []
    for number in range(count):
        test = load_text(litmus_test(chance.choice(list(SHAPES)), chance), f"{number}.ll")
        options = Options()
        selected: SelectedModel = select_model(test, model, options)
        made.append(
            make_request(test, selected, select_profile(test, None), options, shown_names(test, options)),
        )
    return made


def told(outcomes: Outcomes) -> tuple[object, ...]:
    return dict(outcomes.states), outcomes.flags, outcomes.explored, outcomes.consistent, outcomes.notes


def test_one_session_answers_as_one_for_each_test() -> None:
    shared = Session()
    for request in requests(40):
        assert told(enumerate_test(request, shared)) == told(enumerate_test(request, Session()))


def test_kinds_are_forgotten_when_there_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = requests(12)
    alone = [told(enumerate_test(request, Session())) for request in asked]
    monkeypatch.setattr(table, "_MOST_KINDS", 8)
    shared, tables = Session(), []
    for request, expected in zip(asked, alone, strict=True):
        assert told(enumerate_test(request, shared)) == expected
        tables.append(shared._kinds)
        assert len(shared._kinds._kinds) <= 8 + 40  # those of one test more
    assert len(set(map(id, tables))) > 1


def test_names_are_forgotten_when_there_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiler, "_MOST_NAMED", 2)
    compiler._by_kinds.clear()
    for model in ("llvm", "amdgpu", "rc11", "llvm"):
        for request in requests(2, model):
            enumerate_test(request, Session())
            assert 1 <= len(compiler._by_kinds) <= 2


def test_masks_are_what_the_predicates_say() -> None:
    known = KindTable()
    for request in requests(8):
        lowered = lower(unfold(request.test), request.profile, request.names, known)
        kinds = lowered.kinds.known
        masks = iter(known.masks([known.number(kind) for kind in kinds]))
        for a in kinds:
            for b in kinds:
                mask = next(masks)
                for relation in RELATIONS.values():
                    assert bool(mask >> PREDICATES.index(relation.kinds) & 1) == relation.kinds(a, b)


@pytest.mark.parametrize("model", ["llvm", "amdgpu"])
def test_a_search_leaves_nothing_that_only_the_garbage_collector_frees(model: str) -> None:
    # Arrays that wait for the collector are replaced by new memory in each test, which no cache of the processor has.
    asked, session = requests(20, model), Session()
    for request in asked:
        enumerate_test(request, session)
    gc.collect()
    gc.disable()
    try:
        for request in asked:
            enumerate_test(request, session)
        assert gc.collect() == 0
    finally:
        gc.enable()
