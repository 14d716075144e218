"""Each predefined name that paths decide is said once, and kinds see what they are meant to see."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from enumerator import check
from enumerator.cat.predefined import PREDEFINED, UNDEF_SET
from enumerator.events import RELATIONS, SETS, Kind, Kinds, number_events, related
from enumerator.events.relations import KEYS, LISTED
from enumerator.frontend import load, load_text
from enumerator.mmra import load_profile
from enumerator.program.instructions import Scope
from enumerator.unfold import unfold
from enumerator.unfold.paths import PathEvent
from tests.generated.programs import random_program
from tests.generated.test_agreement import FEATURES

LITMUS = Path(__file__).resolve().parents[2] / "litmus_tests"
LABELS = {"CON", "FREE", "AV", "VIS", "SEMAV", "SEMVIS", "AVDEVICE", "VISDEVICE", "NONPRIV", "RET"}
LABELS |= {"ASYNC", "ASYNC_START", "ASYNC_WAIT", "FLAT_LDS", "MAKE_AVAILABLE", "MAKE_VISIBLE"}
LABELS |= {"SUR", "TEX", "ALIAS", "PROXY", "RED", "ARRIVE", "DECLARED", "NONATOMIC"}
LABELS |= {f"{name}{number}" for name in ("SC", "SEMSC") for number in range(4)}


def test_every_predefined_name_is_said_once() -> None:
    supplied = {each.name: each for each in PREDEFINED.values() if each.kind != "function" and not each.chosen}
    sets = {name for name, each in supplied.items() if each.kind == "set" and each.formula is None}
    assert {name for name in sets if not re.fullmatch(r"AS\d+", name)} - {UNDEF_SET} == SETS.keys() | LABELS
    relations = {name for name, each in supplied.items() if each.kind == "relation"}
    assert {name for name in relations if supplied[name].formula is None} <= RELATIONS.keys() <= relations


def test_what_is_compared_and_listed_is_an_attribute_of_events() -> None:
    assert all(hasattr(PathEvent, name) for name in (*KEYS, *LISTED))


@pytest.mark.parametrize("profile", ["generic", "strict", "amdgpu"])
def test_matrices_are_the_predicates(profile: str) -> None:
    """What the matrices of kinds allow is what the predicate says of two events, but for where these stand."""
    wanted = frozenset(FEATURES["everything"] | {"one-as", "av"})
    tests = [load_text(random_program(wanted, seed).text, "t.ll") for seed in range(3)]
    for test in [*tests, *map(load, sorted((LITMUS / "vulkan").glob("[AV]-*"))[:4])]:
        unfolded = unfold(test, unroll=1)
        kinds = Kinds(unfolded, load_profile(profile))
        events = number_events(kinds, [options[-1] for options in unfolded.paths])
        numbers = [kinds.known.index(event.of) for event in events]
        for name, relation in RELATIONS.items():
            pairs, itself = kinds.pairs(name)
            for a, b in product(events, repeat=2):
                allowed = itself[numbers[a.number]] if a is b else pairs[numbers[a.number], numbers[b.number]]
                assert allowed or not related(relation, a, b)
                assert not (allowed and relation.of_kinds) or related(relation, a, b)
            some, every = kinds.facts()
            assert (name in some) == (pairs.any() or itself.any())
            assert (name in every) == (pairs.all() and itself.all())


def test_swapping_threads_preserves_what_their_places_do() -> None:
    def kinds_of(*threads: Kind) -> Kinds:
        text = "; EXISTS: @x = 1\n@x = global i32 0\ndefine void @t() {\n  ret void\n}\n"
        kinds = Kinds(unfold(load_text(text, "t.ll")), load_profile("generic"))
        kinds.known += threads
        return kinds

    first, second, third = (
        Kind("W", scope=Scope.WORKGROUP, thread=number, instances=(number, *(group,) * 5))
        for number, group in enumerate((0, 0, 1))
    )
    assert kinds_of(first, second, third).preserved([1, 0, 2], tuple(RELATIONS))
    assert not kinds_of(first, second, third).preserved([0, 2, 1], tuple(RELATIONS))
    assert not kinds_of(replace(first, followers=frozenset({2})), second, third).preserved([1, 0, 2], tuple(RELATIONS))


def test_initial_writes_are_in_every_instance() -> None:
    initial, other = Kind("IW"), Kind("R", scope=Scope.SINGLETHREAD, thread=0, instances=(0,) * 6)
    for name in ("incl", "inscope", *(f"same-{scope.name.lower()}" for scope in Scope)):
        assert RELATIONS[name].kinds(initial, other) and RELATIONS[name].kinds(other, initial)
    assert [RELATIONS["ext"].of_pair(initial, initial, same) for same in (False, True)] == [True, False]


SI = """; EXISTS: @x = 1
; SCOPES: (workgroup t)
@x = global i32 0
declare void @llvm.amdgcn.s.barrier()
define void @t() {
  %old = atomicrmw add ptr @x, i32 1 monotonic
  %pair = cmpxchg ptr @x, i32 1, i32 2 monotonic monotonic
  fence release
  call void @llvm.amdgcn.s.barrier()
  ret void
}
"""


def test_events_of_an_instruction() -> None:
    """``si`` links the halves of a read-modify-write, and each event with itself."""
    unfolded = unfold(load_text(SI, "t.ll"))
    for path in unfolded.paths[0]:
        events = number_events(Kinds(unfolded, load_profile("generic")), [path])
        found = {(a.number, b.number) for a, b in product(events, repeat=2) if related(RELATIONS["si"], a, b)}
        halves = {(a.number, b.number) for a, b in product(events, repeat=2) if related(RELATIONS["rmw"], a, b)}
        assert found == halves | {(b, a) for a, b in halves} | {(event.number, event.number) for event in events}


def test_models_may_name_it(tmp_path: Path) -> None:
    """Both engines know it: a read never reads its own instruction's write, or the flag would be raised."""
    model = tmp_path / "m.cat"
    checks = ("acyclic po | rf | co | fr", "flag ~empty si & (po | rf) as inside", "flag ~empty rf & si as own")
    model.write_text("\n".join(('"m"', *checks)))
    for engine in ("bitset", "networkx"):
        result = check(load_text(SI, "t.ll"), str(model), engine=engine)
        assert (result.flags, result.consistent) == (("inside",), 1), engine
