from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest

from enumerator.events import Event
from enumerator.mmra import compatible, load_profile
from enumerator.program.instructions import Annotation, Ordering, Scope
from enumerator.program.test import Placement, Test
from enumerator.program.types import IntType
from enumerator.program.values import Value
from enumerator.reference.base import Combination, candidate_world, combine_paths
from enumerator.unfold import Unfolded
from enumerator.unfold.paths import Known, Location, Path, PathEvent, ReadValue

from .programs import ACQ, ACQ_REL, NA, REL, RLX, SC, annotation, make_test

X, Y = Location("@x", 0, 4), Location("@y", 0, 4)
NONE: frozenset[int] = frozenset()


def read(index: int, location: Location, note: Annotation, instruction: int | None = None) -> PathEvent:
    number = index if instruction is None else instruction
    return PathEvent("R", note, number, location, ReadValue(index, IntType(32)))


def write(index: int, location: Location, note: Annotation, value: Value = 1, **more: object) -> PathEvent:
    more.setdefault("instruction", index)
    return PathEvent("W", note, location=location, value=Known(value), **more)  # type: ignore[arg-type]


def path(thread: str, *events: PathEvent) -> Path:
    return Path(thread, events, (), {})


@pytest.fixture(scope="module")
def combination() -> Combination:
    """Initial x 0, y 1; t0: 2 to 5; t1: 6 to 9; t2: 10 to 12."""
    test = make_test({"t0": [], "t1": [], "t2": []}, spaces={"x": 1})
    placements = {
        "t0": Placement((0, 0, 0, 0, 0, 0)),
        "t1": Placement((1, 0, 0, 0, 0, 0)),
        "t2": Placement((2, 1, 1, 0, 0, 0)),
    }
    test = Test(**{**{name: getattr(test, name) for name in test.__dataclass_fields__}, "placements": placements})
    paths = (
        path(
            "t0",
            write(0, X, annotation(NA, tags="foo:x", private=True, space=1)),
            PathEvent("F", annotation(REL, Scope.WORKGROUP, "foo:y"), 1),
            write(2, Y, annotation(RLX, Scope.WORKGROUP)),
            PathEvent("B", Annotation(), 3, arrival=0, wait=0),
        ),
        path(
            "t1",
            read(0, Y, annotation(ACQ_REL, Scope.AGENT, "amdgcn-av:none"), 7),
            write(1, Y, annotation(ACQ_REL, Scope.AGENT), rmw=0, data=frozenset((0,)), instruction=7),
            read(2, X, annotation(NA, space=1, labels=["AV"])),
            PathEvent("B", Annotation(), 9, arrival=0, wait=0, ctrl=frozenset((0,))),
        ),
        path(
            "t2",
            read(0, X, annotation(Ordering.UNORDERED, space=1)),
            read(1, Y, annotation(SC, Scope.WAVEFRONT)),
            PathEvent("B", Annotation(), 2, arrival=0, wait=0),
        ),
    )
    unfolded = Unfolded(test, tuple((option,) for option in paths), {X: 5, Y: 6}, dict.fromkeys((X, Y), IntType(32)))
    return combine_paths(unfolded, (0, 0, 0), load_profile("generic"))


def test_numbers(combination: Combination) -> None:
    assert [event.number for event in combination.events] == list(range(13))
    assert [event.kind for event in combination.events] == ["IW", "IW", *"WFWB", *"RWRB", *"RRB"]
    assert combination.locations == (X, Y)
    assert combination.initial == (5, 6)
    assert combination.event_of(1, 2) == 8
    assert combination.writes_to(Y) == (1, 4, 7)


@pytest.mark.parametrize(
    ("name", "members"),
    [
        ("R", {6, 8, 10, 11}),
        ("W", {0, 1, 2, 4, 7}),
        ("F", {3}),
        ("B", {5, 9, 12}),
        ("IW", {0, 1}),
        ("RMW", {6, 7}),
        ("NA", {2, 8}),
        ("UNORDERED", {10}),
        ("RLX", {4}),
        ("ACQ", set()),
        ("REL", {3}),
        ("ACQ_REL", {6, 7}),
        ("SC", {11}),
        ("A", {0, 1, 3, 4, 6, 7, 11}),
        ("Atomic", {0, 1, 3, 4, 6, 7, 10, 11}),
        ("SINGLETHREAD", set()),
        ("WAVEFRONT", {11}),
        ("WORKGROUP", {3, 4}),
        ("CLUSTER", set()),
        ("AGENT", {6, 7}),
        ("SYSTEM", {0, 1, 2, 5, 8, 9, 10, 12}),
        ("AS0", {1, 4, 6, 7, 11}),
        ("AS1", {0, 2, 8, 10}),
        ("AS5", set()),
        ("TP", {2}),
        ("VOLATILE", set()),
        ("AV", {8}),
        ("AV_NONE", {6}),
    ],
)
def test_sets(combination: Combination, name: str, members: set[int]) -> None:
    assert combination.sets.get(name, frozenset()) == members


def _same_instance(level: int) -> Callable[[Event, Event], bool]:
    instances = [(0, 0, 0, 0, 0, 0), (1, 0, 0, 0, 0, 0), (2, 1, 1, 0, 0, 0)]

    def holds(a: Event, b: Event) -> bool:
        return a.thread is None or b.thread is None or instances[a.thread][level] == instances[b.thread][level]

    return holds


def _inscope(a: Event, b: Event) -> bool:
    return _same_instance(a.annotation.scope)(a, b)


PREDICATES: dict[str, Callable[[Event, Event], bool]] = {
    "po": lambda a, b: a.thread is not None and a.thread == b.thread and a.number < b.number,
    "loc": lambda a, b: a.location is not None and a.location == b.location,
    "int": lambda a, b: a.number == b.number or (a.thread is not None and a.thread == b.thread),
    "ext": lambda a, b: not (a.number == b.number or (a.thread is not None and a.thread == b.thread)),
    "rmw": lambda a, b: (a.number, b.number) == (6, 7),
    "data": lambda a, b: (a.number, b.number) == (6, 7),
    "ctrl": lambda a, b: (a.number, b.number) == (6, 9),
    "addr": lambda a, b: False,
    "bar": lambda a, b: (a.number, b.number) in {(5, 9), (9, 5)},
    "mmra": lambda a, b: compatible(a.tags, b.tags),
    "mmra-sync": lambda a, b: True,
    "inscope": _inscope,
    "incl": lambda a, b: _inscope(a, b) and _inscope(b, a),
    "same-singlethread": _same_instance(0),
    "same-wavefront": _same_instance(1),
    "same-workgroup": _same_instance(2),
    "same-cluster": _same_instance(3),
    "same-agent": _same_instance(4),
    "same-system": _same_instance(5),
}


@pytest.mark.parametrize("name", sorted(PREDICATES))
def test_relations(combination: Combination, name: str) -> None:
    holds = PREDICATES[name]
    expected = {(a.number, b.number) for a, b in product(combination.events, repeat=2) if holds(a, b)}
    relation = combination.relations[name]
    assert set(relation.edges) == expected
    assert set(relation) == set(range(13))


def test_what_a_candidate_chooses(combination: Combination) -> None:
    world = candidate_world(combination, "mo", [(1, 6), (2, 8), (7, 11)], [(0, 2), (1, 4, 7)], {10})
    expected = {
        "rf": {(1, 6), (2, 8), (7, 11)},
        "mo": {(0, 2), (1, 4), (1, 7), (4, 7)},
        "fr": {(6, 4), (6, 7)},
    }
    for name, edges in expected.items():
        assert set(world.relations[name].edges) == edges, name
    assert world.sets["UNDEF"] == {10}
    assert "UNDEF" not in candidate_world(combination, "mo", [], []).sets


def test_tags_of_both_halves_follow_their_instruction() -> None:
    """Under `amdgpu` an access that does not synchronize implies a tag; a release exchange's read is no such access."""
    test = make_test({"t0": []}, spaces={"x": 1})
    exchange = path(
        "t0",
        read(0, X, annotation(REL, space=1), 0),
        write(1, X, annotation(REL, space=1), rmw=0, instruction=0),
        read(2, X, annotation(RLX, space=1), 1),
        read(3, X, annotation(ACQ, space=1), 2),
    )
    unfolded = Unfolded(test, ((exchange,),), {X: 0}, {X: IntType(32)})
    events = combine_paths(unfolded, (0,), load_profile("amdgpu")).events
    assert [sorted(map(str, event.tags)) for event in events] == [[], [], [], ["amdgpu-synchronize-as:global"], []]


def test_strict_profile_asks_for_compatible_tags(combination: Combination) -> None:
    unfolded = Unfolded(
        combination.test,
        tuple((option,) for option in combination.paths),
        {X: 5, Y: 6},
        dict.fromkeys((X, Y), IntType(32)),
    )
    strict = combine_paths(unfolded, (0, 0, 0), load_profile("strict"))
    assert strict.relations["mmra-sync"].edges == strict.relations["mmra"].edges
    assert not strict.relations["mmra"].has_edge(2, 3)
