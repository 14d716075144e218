from __future__ import annotations

from itertools import product

import networkx as nx
from hypothesis import given, settings
from hypothesis import strategies as st

from enumerator.mmra import load_profile
from enumerator.program.types import IntType
from enumerator.program.values import UNDEF, Value, has_undef, signed
from enumerator.reference.base import Combination, combine_paths
from enumerator.reference.values import Equations
from enumerator.unfold import Unfolded
from enumerator.unfold.arithmetic import apply, is_strict, postorder
from enumerator.unfold.paths import Computed, Known, Location, Node, Path, PathEvent, ReadValue

from .programs import annotation, make_test

I2 = IntType(2)
X = Location("@x", 0, 1)


def combination_of(*threads: tuple[int, str, tuple[int, ...], int]) -> Combination:
    """A thread is (number of reads, operator, the reads it takes, constant): it reads, then writes the result."""
    paths = []
    for place, (reads, operator, taken, constant) in enumerate(threads):
        nodes: list[Node] = [ReadValue(index, I2) for index in range(reads)]
        events = [PathEvent("R", annotation(), n, X, node) for n, node in enumerate(nodes)]
        value: Node = Known(constant)
        for index in taken:
            value = Computed(operator, (value, nodes[index]), I2, I2)
        events.append(PathEvent("W", annotation(), reads, X, value))
        paths.append((Path(f"t{place}", tuple(events), (), {}),))
    test = make_test({path.thread: [] for (path,) in paths}, ["x"])
    return combine_paths(
        Unfolded(test, tuple(paths), {X: 0}, {X: IntType(32)}), (0,) * len(paths), load_profile("generic")
    )


def brute_force(
    threads: list[tuple[int, str, tuple[int, ...], int]],
    combination: Combination,
    sources: dict[int, int],
    free: tuple[int, ...],
) -> set[tuple[Value, ...]]:
    """Try all values; keep those that satisfy the equations, each cycle of which goes through a constant."""
    reads = [event.number for event in combination.events if event.reads]
    found: set[tuple[Value, ...]] = set()
    for guess in product(range(-2, 2), repeat=len(reads)):
        values: list[Value] = [0] * len(combination.events)
        for number, value in zip(reads, guess, strict=True):
            values[number] = value
        needs = nx.DiGraph()
        for place, (size, operator, taken, constant) in enumerate(threads):
            write = combination.event_of(place, size)
            result = constant
            for index in taken:
                read = values[combination.event_of(place, index)]
                assert isinstance(read, int)
                result = signed(result + read if operator == "add" else result & read, 2)
            values[write] = result
            needs.add_edges_from((combination.event_of(place, index), write) for index in taken)
        needs.add_edges_from((write, read) for read, write in sources.items())
        needs.remove_nodes_from([read for read in reads if values[read] in free])
        if nx.is_directed_acyclic_graph(needs) and all(values[r] == values[w] for r, w in sources.items()):
            found.add(tuple(values))
    return found


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_solutions_are_those_of_brute_force(data: st.DataObject) -> None:
    threads = []
    for _ in range(data.draw(st.integers(1, 3))):
        reads = data.draw(st.integers(1, 2))
        taken = tuple(sorted(data.draw(st.sets(st.integers(0, reads - 1)))))
        constant = data.draw(st.integers(-2, 1))
        threads.append((reads, data.draw(st.sampled_from(["add", "and"])), taken, constant))
    combination = combination_of(*threads)
    writes = combination.writes_to(X)
    sources = {
        event.number: data.draw(st.sampled_from(writes), label=f"source of {event.number}")
        for event in combination.events
        if event.reads
    }
    free = tuple(sorted(data.draw(st.sets(st.integers(-2, 1)))))
    solutions, _ = Equations(combination, free).solutions(sources)
    assert len(set(solutions)) == len(solutions)
    assert set(solutions) == brute_force(threads, combination, sources, free)


def test_undef_goes_through_equations() -> None:
    combination = combination_of((1, "add", (0,), 1), (1, "add", (0,), 1))
    solutions, cyclic = Equations(combination, (0, 1)).solutions({3: 2}, {1})
    assert solutions == ((0, UNDEF, UNDEF, UNDEF, UNDEF),)
    assert not cyclic


def test_constants_take_the_width_of_the_read() -> None:
    combination = combination_of((1, "add", (0,), 0))
    solutions, cyclic = Equations(combination, (0, 5)).solutions({1: 2})
    assert cyclic
    assert {values[1] for values in solutions} == {0, 1}


def test_strict_operations_give_undef_of_undef_only() -> None:
    """Those that are not may make it of what is defined."""
    made = {}
    reads = (ReadValue(0, I2), ReadValue(1, I2))
    operators = "add,sub,mul,and,or,xor,shl,lshr,ashr,udiv,urem,sdiv,srem,icmp eq,icmp slt,rmw xchg,rmw usub_sat"
    for name in operators.split(","):
        results = [apply(name, pair, I2, I2) for pair in product(range(-2, 2), repeat=2)]
        made[name] = any(has_undef(result) for result in results)
        assert is_strict(postorder(Computed(name, reads, I2, I2))) is not made[name]
    assert made["shl"] and made["udiv"] and not made["rmw xchg"]
    assert not is_strict(postorder(Computed("add", (reads[0], Known(UNDEF)), I2, I2)))


def test_nodes_are_listed_once_after_what_they_are_computed_from() -> None:
    node: Node = ReadValue(0, I2)
    for _ in range(5000):
        node = Computed("add", (node, node), I2, I2)
    nodes = postorder(node)
    assert len(nodes) == 5001 and nodes[-1] is node
    places = {id(each): place for place, each in enumerate(nodes)}
    assert all(
        places[id(argument)] < places[id(each)]
        for each in nodes
        if isinstance(each, Computed)
        for argument in each.arguments
    )
