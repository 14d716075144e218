"""Minimal tests, beside the definition of minimality by whole checks."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest
from typer.testing import CliRunner

from enumerator import check
from enumerator.cli.app import app
from enumerator.distinguishing.alphabet import make_alphabet
from enumerator.distinguishing.minimal import minimal_tests, with_axiom
from enumerator.distinguishing.shapes import shapes
from enumerator.distinguishing.sides import parse_side
from enumerator.errors import InputError
from enumerator.generation import canonical, to_test
from enumerator.generation.skeleton import DependencyKind, Event, Kind, Location, Mark, Skeleton, apart
from enumerator.program.instructions import Assign, Ordering

ATOMIC = Mark(Ordering.MONOTONIC)


def every_outcome(threads: tuple[tuple[Event, ...], ...], locations: int) -> Iterator[Skeleton]:
    """Give a program with every outcome that could be asked for."""
    reads = [(number, index) for number, thread in enumerate(threads) for index, e in enumerate(thread) if e.reads]
    options = []
    for number, index in reads:
        here = threads[number][index].location
        options.append(
            [
                0,
                *(
                    e.value
                    for t, th in enumerate(threads)
                    for i, e in enumerate(th)
                    if e.writes and e.location == here and (t, i) != (number, index)
                ),
            ]
        )
    finals = [
        [e.value for thread in threads for e in thread if e.writes and e.location == at] for at in range(locations)
    ]
    asked = [(at, values) for at, values in enumerate(finals) if len(values) > 1]
    for values in product(*options):
        for last in product(*(values for _, values in asked)):
            yield Skeleton(
                threads,
                apart(len(threads)),
                (Location(),) * locations,
                tuple((*place, value) for place, value in zip(reads, values, strict=True)),
                tuple((at, value) for (at, _), value in zip(asked, last, strict=True)),
            )


def reaches(skeleton: Skeleton, model: str) -> bool:
    return check(to_test(skeleton), model).observation != "Never"


def weakened(skeleton: Skeleton) -> Iterator[Skeleton]:
    """Give what is left without an event, and with a read-modify-write in two."""
    for number, index, event in skeleton.events():
        thread = skeleton.threads[number]
        kept = (*thread[:index], *thread[index + 1 :])
        reads = tuple(
            (t, i - (t == number and i > index), value)
            for t, i, value in skeleton.reads
            if (t, i) != (number, index)
            and not (event.writes and value == event.value and skeleton.threads[t][i].location == event.location)
        )
        finals = tuple(
            (at, v) for at, v in skeleton.finals if not (event.writes and (at, v) == (event.location, event.value))
        )
        threads = (*skeleton.threads[:number], kept, *skeleton.threads[number + 1 :])
        yield skeleton._replace(threads=threads, reads=reads, finals=finals)
        if event.kind == Kind.UPDATE:
            halves = (Event(Kind.READ, event.location), Event(Kind.WRITE, event.location, event.value))
            threads = (
                *skeleton.threads[:number],
                (*thread[:index], *halves, *thread[index + 1 :]),
                *skeleton.threads[number + 1 :],
            )
            moved = tuple((t, i + (t == number and i > index), value) for t, i, value in skeleton.reads)
            yield skeleton._replace(threads=threads, reads=moved)


def by_definition(model: str, size: int) -> set[Skeleton]:
    found = set()
    for shape in shapes(size, (Kind.READ, Kind.WRITE, Kind.UPDATE), 4, 3):
        values: dict[int, int] = {}
        threads = []
        for thread in shape:
            events = []
            for kind, location, *_ in thread:
                if kind != Kind.READ:
                    values[location] = values.get(location, 0) + 1
                update = kind == Kind.UPDATE
                value = 0 if kind == Kind.READ else values[location]
                events.append(Event(kind, location, value, ATOMIC if update else Mark(), "xchg" if update else ""))
            threads.append(tuple(events))
        for skeleton in every_outcome(tuple(threads), 1 + max(at for thread in shape for _, at, *_ in thread)):
            if not reaches(skeleton, model) and all(reaches(weaker, model) for weaker in weakened(skeleton)):
                found.add(canonical(skeleton))
    return found


@pytest.mark.parametrize(("model", "size"), [("sc", 2), ("tso", 3)])
def test_minimal_tests_are_those_of_the_definition(model: str, size: int) -> None:
    side = parse_side(model)
    alphabet = make_alphabet([side], kinds=(Kind.READ, Kind.WRITE, Kind.UPDATE))
    suite = minimal_tests(side, alphabet, size)
    assert suite.status == "complete" and suite.complete == size
    wanted = sum(len(by_definition(model, each)) for each in range(1, size + 1))
    assert len(suite.tests) == wanted
    for test in suite.tests:
        assert check(test, model).observation == "Never"


def test_annotations_are_as_weak_as_can_be() -> None:
    side = parse_side("rc11")
    alphabet = make_alphabet(
        [side], kinds=(Kind.READ, Kind.WRITE), orderings=(Ordering.MONOTONIC, Ordering.ACQUIRE, Ordering.RELEASE)
    )
    suite = minimal_tests(side, alphabet, 4)
    found = [
        tuple(part.annotation.ordering.name for function in test.functions.values() for part in function.blocks[0].body)
        for test in suite.tests
        if len(test.threads) == 2 and len(test.objects) == 2
    ]
    # Message passing needs both; load buffering is forbidden without any.
    assert ("MONOTONIC", "RELEASE", "ACQUIRE", "MONOTONIC") in found or (
        "ACQUIRE",
        "MONOTONIC",
        "MONOTONIC",
        "RELEASE",
    ) in found
    assert ("MONOTONIC",) * 4 in found


def test_axioms_and_command() -> None:
    side = parse_side("tso")
    alphabet = make_alphabet([side], kinds=(Kind.READ, Kind.WRITE))
    counts = [len(minimal_tests(with_axiom(side, name), alphabet, 3).tests) for name in ("sc-per-location", "tso")]
    # As many as Lustig et al. have for the causality axiom of TSO at this bound.
    assert len(minimal_tests(with_axiom(side, "tso"), alphabet, 4).tests) == 10
    whole = len(minimal_tests(side, alphabet, 3).tests)
    assert counts[0] == whole > counts[1]  # all tests of three accesses are about coherence
    run = CliRunner()
    shown = run.invoke(app, ["generate", "--minimal", "--model", "tso", "--size", "2"])
    assert shown.exit_code == 0 and shown.stdout.count("EXISTS") == 4
    assert run.invoke(app, ["generate", "--minimal"]).exit_code == 2
    assert run.invoke(app, ["generate", "--minimal", "--model", "tso", "--axiom", "x"]).exit_code == 2
    assert run.invoke(app, ["generate", "--model", "tso"]).exit_code == 2


def test_a_dependency_that_is_not_needed_is_left_out() -> None:
    side = parse_side("llvm")
    alphabet = make_alphabet(
        [side],
        kinds=(Kind.READ, Kind.WRITE),
        orderings=(Ordering.MONOTONIC,),
        dependencies=(DependencyKind.DATA,),
        threads=2,
    )
    suite = minimal_tests(side, alphabet, 4)
    apart = [test for test in suite.tests if len(test.objects) == 2]
    # Load buffering is forbidden by two dependencies, and by no fewer.
    assert [test.condition.text for test in apart] == ["t0:%r0 = 1 /\\ t1:%r0 = 1"]
    parts = [part for function in apart[0].functions.values() for part in function.blocks[0].body]
    assert sum(isinstance(part, Assign) and part.target.startswith("v") for part in parts) == 2
    for test in suite.tests:
        assert check(test, side.model).observation == "Never"


@pytest.mark.parametrize("more", [{"kinds": (*Kind,)}, {"operators": ("cmpxchg",)}])
def test_minimal_tests_have_no_barriers_and_comparisons(more: dict[str, object]) -> None:
    side = parse_side("llvm")
    with pytest.raises(InputError, match="minimal tests are made of"):
        minimal_tests(side, make_alphabet([side], **more), 2)  # type: ignore[arg-type]
