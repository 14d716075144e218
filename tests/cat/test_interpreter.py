from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from enumerator.cat.algebra import relation, shortest_cycle, shortest_path
from enumerator.cat.interpreter import Evaluation, Events, evaluate, evaluate_expression
from enumerator.cat.parser import load_model, parse_expression, parse_text
from enumerator.cat.typing import check_types, world
from enumerator.errors import InputError

Pair = tuple[int, int]


def events_of(
    size: int, sets: Mapping[str, Iterable[int]] | None = None, relations: Mapping[str, Iterable[Pair]] | None = None
) -> Events:
    pairs = {"po": (), "rf": (), "co": (), "loc": (), "int": (), **(relations or {})}
    return Events(
        tuple(range(size)),
        {name: frozenset(members) for name, members in (sets or {}).items()},
        {name: relation(range(size), edges) for name, edges in pairs.items()},
    )


def run(text: str, events: Events, *variants: str) -> Evaluation:
    model = parse_text(text, "m.cat")
    check_types(model, frozenset(variants))
    return evaluate(model, frozenset(variants), events)


def value(text: str, events: Events) -> Any:
    found = evaluate_expression(parse_expression(text), events)
    return set(found) if isinstance(found, frozenset) else set(found.edges)


# Against set algebra ----------------------------------------------------------------------------------------

SIZE = 4
ALL = range(SIZE)
SETS = {"R": {0, 2}, "W": {1, 3}, "F": set()}


def close(pairs: set[Pair]) -> set[Pair]:
    closed = set(pairs)
    while True:
        more = closed | {(a, d) for a, b in closed for c, d in closed if b == c}
        if more == closed:
            return closed
        closed = more


def reference(text: str, relations: Mapping[str, set[Pair]]) -> Any:
    """Evaluate an expression that python understands after some renaming: see `translate`."""
    names: dict[str, Any] = {**SETS, **relations}
    names |= {
        "seq": lambda a, b: {(x, z) for x, y in a for w, z in b if y == w},
        "plus": close,
        "opt": lambda a: a | {(x, x) for x in ALL},
        "star": lambda a: close(a) | {(x, x) for x in ALL},
        "inv": lambda a: {(y, x) for x, y in a},
        "notr": lambda a: {(x, y) for x in ALL for y in ALL} - a,
        "nots": lambda a: set(ALL) - a,
        "ident": lambda s: {(x, x) for x in s},
        "prod": lambda s, t: {(x, y) for x in s for y in t},
        "dom": lambda a: {x for x, _ in a},
        "ran": lambda a: {y for _, y in a},
    }
    return eval(text, {}, names)


@st.composite
def expression(draw: st.DrawFn, kind: str, depth: int = 4) -> tuple[str, str]:
    """Draw an expression: its cat text and the python text of its reference."""
    if depth == 0 or draw(st.integers(0, 4)) == 0:
        names = ["po", "rf", "co"] if kind == "relation" else ["R", "W", "F"]
        name = draw(st.sampled_from(names))
        return name, name
    sub = depth - 1
    choice = draw(st.integers(0, 9 if kind == "relation" else 5))
    if choice <= 2:
        cat, python = [("|", "|"), ("&", "&"), ("\\", "-")][choice]
        (a, pa), (b, pb) = draw(expression(kind, sub)), draw(expression(kind, sub))
        return f"({a} {cat} {b})", f"({pa} {python} {pb})"
    if kind == "set":
        if choice == 3:
            a, pa = draw(expression("set", sub))
            return f"(~{a})", f"nots({pa})"
        a, pa = draw(expression("relation", sub))
        return (f"(domain {a})", f"dom({pa})") if choice == 4 else (f"(range {a})", f"ran({pa})")
    if choice == 3:
        (a, pa), (b, pb) = draw(expression("relation", sub)), draw(expression("relation", sub))
        return f"({a} ; {b})", f"seq({pa}, {pb})"
    if choice == 4:
        (a, pa), (b, pb) = draw(expression("set", sub)), draw(expression("set", sub))
        return f"({a} * {b})", f"prod({pa}, {pb})"
    if choice == 5:
        a, pa = draw(expression("set", sub))
        return f"[{a}]", f"ident({pa})"
    a, pa = draw(expression("relation", sub))
    operator, name = [("^-1", "inv"), ("+", "plus"), ("?", "opt"), ("*", "star")][choice - 6]
    if draw(st.integers(0, 4)) == 0:
        return f"(~{a})", f"notr({pa})"
    return f"({a}{operator})", f"{name}({pa})"


PAIRS = st.sets(st.tuples(st.integers(0, SIZE - 1), st.integers(0, SIZE - 1)), max_size=6)


@given(st.sampled_from(["set", "relation"]).flatmap(lambda kind: expression(kind)), PAIRS, PAIRS, PAIRS)
def test_set_algebra(texts: tuple[str, str], po: set[Pair], rf: set[Pair], co: set[Pair]) -> None:
    cat, python = texts
    relations = {"po": po, "rf": rf, "co": co}
    assert value(cat, events_of(SIZE, SETS, relations)) == reference(python, relations)


@given(PAIRS)
def test_cycles_and_paths(pairs: set[Pair]) -> None:
    graph = relation(ALL, sorted(pairs))
    cycle = shortest_cycle(graph)
    assert bool(cycle) == (not nx.is_directed_acyclic_graph(graph))
    assert all(edge in pairs for edge in zip(cycle, cycle[1:] + cycle[:1], strict=True))
    assert len(cycle) == min((len(other) for other in nx.simple_cycles(graph)), default=0)
    for a in ALL:
        for b in ALL:
            path = shortest_path(graph, a, b)
            assert bool(path) == ((a, b) in close(pairs))
            assert all(edge in pairs for edge in zip(path, path[1:], strict=False))
            assert not path or (path[0], path[-1]) == (a, b)


# Single constructs ------------------------------------------------------------------------------------------


def test_universe_empty_and_built_in_functions() -> None:
    events = events_of(3, {"F": {1}}, {"po": [(0, 1), (1, 2), (0, 2)], "int": [(0, 0), (1, 1), (2, 2)]})
    assert value("_", events) == {0, 1, 2}
    assert value("0", events) == set() and value("0 | F", events) == {1} and value("~0", events) == value("_*_", events)
    assert value("{F, domain po}", events) == {0, 1}
    assert value("fencerel(F)", events) == {(0, 2)}
    assert value("toid(F)", events) == {(1, 1)}
    assert value("id", events) == {(0, 0), (1, 1), (2, 2)}
    assert value("emptyset | AS3 | TP", events) == set()


def test_formulas_of_predefined_names() -> None:
    events = events_of(
        4,
        {"R": {2, 3}, "W": {0, 1}},
        {"rf": [(0, 2)], "mo": [(0, 1)], "int": [(1, 2), (2, 1)], "inscope": [(0, 1), (1, 0), (2, 3)]},
    )
    text = "with mo from orders(W) let f = fr let e = fre let i = fri let o = rfe let m = M let n = incl let x = ext"
    names = run(text, events).names
    assert set(names["f"].edges) == {(2, 1)} and set(names["i"].edges) == {(2, 1)} and not set(names["e"].edges)
    assert set(names["o"].edges) == {(0, 2)}
    assert names["m"] == {0, 1, 2, 3}
    assert set(names["n"].edges) == {(0, 1), (1, 0)}
    assert (1, 2) not in names["x"].edges and (1, 1) in names["x"].edges


def test_what_the_caller_supplies_goes_before_formulas() -> None:
    events = events_of(2, {}, {"fr": [(0, 1)]})
    assert value("fr", events) == {(0, 1)}


def test_checks() -> None:
    events = events_of(4, {"W": {1, 3}}, {"po": [(0, 1), (1, 2), (2, 0), (2, 1)], "rf": [(3, 3)]})
    text = """
    acyclic po as a
    ~acyclic po as b
    irreflexive po as c
    irreflexive rf as d
    empty W as e
    flag ~empty po as f
    undefined_unless empty 0 as g
    """
    results = {result.check.name: result for result in run(text, events).checks}
    assert {name: result.holds for name, result in results.items()} == {
        "a": False, "b": True, "c": True, "d": False, "e": False, "f": True, "g": True,
    }  # fmt: skip
    assert results["a"].cycle == (1, 2) and results["b"].cycle == (1, 2)
    assert results["d"].cycle == (3,)
    assert results["e"].elements == (1, 3)
    assert results["f"].elements == ((0, 1), (1, 2), (2, 0), (2, 1))


def test_recursion() -> None:
    events = events_of(5, {"R": {0}}, {"po": [(0, 1), (1, 2), (3, 4)], "rf": [(2, 3)]})
    text = """
    let rec path = step | path ; step and step = po | rf
    let rec reached = R | range([reached] ; (po | rf))
    let rec none = none & po
    let rec even = id | odd ; po and odd = even ; po
    """
    names = run(text, events).names
    assert set(names["path"].edges) == set(nx.transitive_closure(relation(range(5), names["step"].edges)).edges)
    assert names["reached"] == {0, 1, 2, 3, 4}
    assert not names["none"].edges
    assert (0, 2) in names["even"].edges and (0, 1) in names["odd"].edges


@pytest.mark.parametrize("body", ["~x", "po \\ x", "(po \\ x) | (rf \\ ~x)"])
def test_recursion_without_a_least_solution_ends(body: str) -> None:
    with pytest.raises(InputError, match="does not only grow"):
        run(f"let rec x = {body}", events_of(2, {}, {"po": [(0, 1)], "rf": [(1, 0)]}))


def test_functions() -> None:
    events = events_of(3, {"W": {1}}, {"po": [(0, 1), (1, 2)], "rf": [(2, 0)]})
    text = """
    let r = po
    let f(x, y) = x ; r ; y
    let r = rf
    let a = f(id, id)
    let twice g = fun x -> g (g x)
    let b = twice (fun x -> x ; po) id
    let (c, d) = (po ; po, W)
    let g () = rf
    let e = g ()
    let h(x, _) = let y = x | rf in y+
    let k = h(po, 0)
    """
    names = run(text, events).names
    assert set(names["a"].edges) == {(0, 1), (1, 2)}  # r as it was where f is defined
    assert set(names["b"].edges) == set(names["c"].edges) == {(0, 2)}
    assert names["d"] == {1}
    assert set(names["e"].edges) == {(2, 0)}
    assert len(names["k"].edges) == 9
    assert "f" not in names


def test_try_and_variants() -> None:
    text = """
    let a = try Label with emptyset
    let b = try [Label] ; po with 0
    let c = if "v" then po else rf
    if not "v" acyclic po as no else acyclic rf as yes end
    """
    events = events_of(2, {}, {"po": [(0, 1)]})
    evaluation = run(text, events)
    assert evaluation.names["a"] == set() and not evaluation.names["b"].edges and not evaluation.names["c"].edges
    assert [result.check.name for result in evaluation.checks] == ["no"]
    labelled = events_of(2, {"Label": {0}}, {"po": [(0, 1)]})
    evaluation = run(text, labelled, "v")
    assert evaluation.names["a"] == {0} and set(evaluation.names["b"].edges) == set(evaluation.names["c"].edges)
    assert [result.check.name for result in evaluation.checks] == ["yes"]


def test_procedures() -> None:
    text = """
    let r = po
    procedure p(x, S) =
      let y = [S] ; x | r
      acyclic y as own
      empty y
    end
    let r = 0
    call p(rf, W) as given
    """
    events = events_of(3, {"W": {2}}, {"po": [(0, 2)], "rf": [(2, 0), (1, 0)]})
    results = run(text, events).checks
    assert [(result.check.name, result.holds) for result in results] == [("own", False), ("given", False)]
    assert results[0].cycle == (0, 2)
    assert results[1].elements == ((0, 2), (2, 0))


def test_show() -> None:
    events = events_of(2, {"W": {0}}, {"po": [(0, 1)]})
    shown = run("let a = po show a, W show a^-1 as b let a = 0 show rf unshow rf", events).shown
    assert list(shown) == ["a", "W", "b"]
    assert set(shown["a"].edges) == {(0, 1)} and shown["W"] == {0} and set(shown["b"].edges) == {(1, 0)}


def test_world() -> None:
    text = """
    let AW = W & A
    with UNDEF from subsets(R)
    with mo from orders(AW)
    empty UNDEF as undef
    final AW \\ domain(mo)
    """
    sets = {"R": {0}, "W": {1, 2, 3}, "A": {1, 2}, "UNDEF": {0}}
    evaluation = run(text, events_of(4, sets, {"mo": [(1, 2)]}))
    assert evaluation.final == {2}
    assert evaluation.order_set == {1, 2} and evaluation.undef_set == {0}
    assert evaluation.checks[0].elements == (0,)
    with pytest.raises(InputError, match="does not say what 'mo' is"):
        run(text, events_of(4, sets))


def test_world_of_a_model_that_says_nothing() -> None:
    evaluation = run("", events_of(3, {"W": {0, 1, 2}}, {"co": [(0, 1)]}))
    assert evaluation.final == {1, 2}
    assert evaluation.order_set is None and evaluation.undef_set is None


def test_sets_of_choices_need_static_relations_only() -> None:
    text = "let hb = rf ; po let AW = W & range po with mo from orders(AW) acyclic hb"
    order = world(parse_text(text, "m.cat"), frozenset()).order
    assert order is not None
    static = Events((0, 1), {"W": frozenset((0, 1))}, {"po": relation((0, 1), [(0, 1)])})
    assert evaluate_expression(order[1], static) == {1}


@pytest.mark.parametrize(
    "text",
    [
        "zzz",
        "po ; W",
        "[po]",
        "W | po",
        "W po",
        "domain(po, po)",
        "(po, po)",
        "fun x -> x",
        "domain",
        "orders(W)",
        "let (a, b) = po in a",
    ],
)
def test_wrong_expressions_are_input_errors(text: str) -> None:
    with pytest.raises(InputError):
        value(text, events_of(2, {"W": {0}}))


def test_functions_that_nest_deeply_are_input_errors() -> None:
    text = (
        "let f0(x) = x " + " ".join(f"let f{n}(x) = [domain (f{n - 1}(x))]" for n in range(1, 800)) + " empty f799(po)"
    )
    with pytest.raises(InputError, match="nest"):
        evaluate(parse_text(text, "m.cat"), frozenset(), events_of(1))


# A model in herd's style ------------------------------------------------------------------------------------

RELEASE_ACQUIRE = """
C "release and acquire"
include "cos.cat"
let sb = po
let mo = co
let rb = rf^-1 ; mo
let release = (W | F) & (REL | ACQ_REL | SC)
let acquire = (R | F) & (ACQ | ACQ_REL | SC)
let sw = [release] ; ([F] ; sb)? ; [W] ; (rf ; rmw)* ; rf ; [R] ; (sb ; [F])? ; [acquire]
let hb = (sb | sw | IW * ~IW)+
let conflict = (W * M | M * W) & loc
let race = conflict & ext \\ (hb | hb^-1) \\ A * A
irreflexive hb ; (rf | mo | rb)+ ? as coherence
empty rmw & (rb ; mo) as atomicity
undefined_unless empty race as race
show hb, sw
"""


@pytest.mark.parametrize(("ordered", "allowed"), [(True, False), (False, True)])
def test_message_passing(tmp_path: Path, ordered: bool, allowed: bool) -> None:
    """IW x, IW y; W x, W y (release); R y = 1 (acquire), R x = 0."""
    (tmp_path / "ra.cat").write_text(RELEASE_ACQUIRE)
    model = load_model(tmp_path / "ra.cat")
    x, y = {0, 2, 5}, {1, 3, 4}
    everything = set(range(6))
    threads = [{0}, {1}, {2, 3}, {4, 5}]
    events = events_of(
        6,
        {
            "R": {4, 5}, "W": {0, 1, 2, 3}, "IW": {0, 1}, "A": everything,
            "REL": {3} if ordered else set(), "ACQ": {4} if ordered else set(),
        },
        {
            "po": [(2, 3), (4, 5)],
            "loc": [(a, b) for place in (x, y) for a in place for b in place],
            "int": [(a, b) for thread in threads for a in thread for b in thread],
            "rmw": [],
            "rf": [(3, 4), (0, 5)],
            "co": [(0, 2), (1, 3)],
        },
    )  # fmt: skip
    check_types(model, frozenset())
    evaluation = evaluate(model, frozenset(), events)
    assert all(result.holds for result in evaluation.checks) == allowed
    if ordered:
        coherence = evaluation.checks[0]
        assert coherence.check.name == "coherence" and coherence.cycle
