"""Models that compute their own coherence orders, and what the plain evaluator has for that."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from enumerator import check
from enumerator.cat.algebra import relation
from enumerator.cat.choices import computes_orders, digest, prepare
from enumerator.cat.collections import Collection, Element, add, classes, linearisations, partition, products, split
from enumerator.cat.interpreter import Events, evaluate
from enumerator.cat.parser import load_model, parse_expression, parse_text
from enumerator.cat.syntax import Check, Choose, Let
from enumerator.cat.typing import check_types, select
from enumerator.errors import InputError
from enumerator.frontend import load
from enumerator.results.result import Result

COW = """C cow
{ [x] = 0; [y] = 0; }
P0 (atomic_int* x, int* y) {
  *y = 1;
  atomic_store_explicit(x, 1, memory_order_release);
}
P1 (atomic_int* x, int* y) {
  *y = 2;
  int r0 = atomic_fetch_add_explicit(x, 2, memory_order_acq_rel);
}
exists (1:r0=1 /\\ [x]=3)
"""

# The products of the linear extensions of co0, a part at a time, in functions that nobody knows
BY_HAND = """
let extended(o, os) =
  let rec go xs = match xs with || {} -> {} || x ++ rest -> (o | x) ++ go rest end in go os
let rec all parts = match parts with
  || {} -> 0 ++ {}
  || part ++ rest ->
    let tails = all rest in
    let rec each os = match os with || {} -> {} || o ++ more -> extended(o, tails) | each more end in
    each (linearisations(part, co0))
  end
"""


def checked(tmp_path: Path, text: str, test: str = COW, engine: str = "bitset") -> Result:
    (tmp_path / "m.cat").write_text(text)
    (tmp_path / "t.litmus").write_text(test)
    return check(load(str(tmp_path / "t.litmus")), str(tmp_path / "m.cat"), engine=engine)


def answer(result: Result) -> tuple[object, ...]:
    return [str(state) for state in result.states], result.positive, result.negative, result.flags, result.verdict


AXIOMS = """
let fr = (rf^-1 ; mo) \\ id
let hb = (po | rf | IW * (M \\ IW))+
irreflexive hb
irreflexive hb ; mo
irreflexive rf | mo ; mo ; rf^-1 | mo ; rf
undefined_unless empty (W * M) & loc & ext \\ (A * A) \\ (hb | hb^-1) as race
"""


@pytest.mark.parametrize("members", ["W", "W & (A | IW)"])
def test_computed_orders_are_the_products_of_linearisations(tmp_path: Path, members: str) -> None:
    built_in = checked(tmp_path, f"with mo from generate_orders({members}, co0) {AXIOMS}")
    assert not built_in.notes
    assert answer(built_in) == answer(checked(tmp_path, (tmp_path / "m.cat").read_text(), engine="networkx"))
    by_hand = checked(tmp_path, f"{BY_HAND} with mo from all (classes-loc ({members})) {AXIOMS}")
    assert answer(by_hand) == answer(built_in)
    assert by_hand.notes[0].startswith(f"checked by the reference engine: {tmp_path}/m.cat:")


def test_orders_extend_what_leads_through_other_events(tmp_path: Path) -> None:
    # x = 1 comes before y = 1, and what reads y before x = 2: none of these is a pair of writes of x
    test = """C through
{}
P0 (atomic_int* x, atomic_int* y) { atomic_store(x, 1); atomic_store(y, 1); }
P1 (atomic_int* x, atomic_int* y) { int r = atomic_load(y); atomic_store(x, 2); }
exists ([x]=1 /\\ 1:r=1)
"""
    base = "co0 | po | rf"
    model = f"with co from generate_cos({base}) empty 0"
    by_hand = f"{BY_HAND.replace('part, co0', f'part, {base}')} with co from all (classes-loc W) empty 0"
    for text, engine in ((model, "bitset"), (model, "networkx"), (by_hand, "networkx")):
        result = checked(tmp_path, text, test, engine)
        assert (result.positive, result.negative) == (0, 3)


def test_plain_writes_are_in_no_order_but_one_may_be_final(tmp_path: Path) -> None:
    model = f"with mo from generate_orders(W & (A | IW), co0) {AXIOMS}"
    unobserved = checked(tmp_path, model)
    observed = checked(tmp_path, model, COW.replace("exists", "locations [y;]\nexists"))
    assert (unobserved.positive, observed.positive) == (1, 2)  # either write of y is a candidate for the last one
    assert {state.values["[y]"] for state in observed.states} == {1, 2}


def test_a_read_modify_write_is_one_event(tmp_path: Path) -> None:
    model = "with co from generate_cos(co0) flag ~empty R & W & RMW as whole flag ~empty rmw as halves"
    for engine in ("bitset", "networkx"):
        assert checked(tmp_path, model, engine=engine).flags == ("whole",)
    split_model = "with co from orders(W) flag ~empty R & W as whole flag ~empty rmw as halves"
    assert checked(tmp_path, split_model).flags == ("halves",)


def test_an_order_of_events_of_all_locations_is_chosen_by_the_search(tmp_path: Path) -> None:
    sb = """C sb
{}
P0 (atomic_int* x, atomic_int* y) { atomic_store(x, 1); int r = atomic_load(y); }
P1 (atomic_int* x, atomic_int* y) { atomic_store(y, 1); int r = atomic_load(x); }
exists (0:r=0 /\\ 1:r=0)
"""
    model = (
        "with co from generate_cos(co0) let fr = rf^-1 ; co with S from linearisations(SC, po | rf | co | fr) acyclic S"
    )
    found = checked(tmp_path, model, sb)
    assert found.verdict == "No" and not found.notes
    # 6 interleavings in all: one for each of reads of 0 and 1, four that read 1 twice
    assert (found.positive, found.negative) == (0, 6)
    relaxed = sb.replace("store(", "store_explicit(").replace("load(", "load_explicit(")
    relaxed = relaxed.replace(", 1)", ", 1, memory_order_relaxed)").replace("(y)", "(y, memory_order_relaxed)")
    relaxed = relaxed.replace("(x)", "(x, memory_order_relaxed)")
    assert checked(tmp_path, model, relaxed).positive == 1  # nothing is seq_cst: there is one order, of nothing
    chosen_by_reads = model.replace("SC, po", "SC & range(rf), po")
    assert checked(tmp_path, chosen_by_reads, sb).notes[0].startswith("checked by the reference engine")


def test_preparation() -> None:
    model = parse_text("with mo from generate_orders(W & A, co0) acyclic mo", "m.cat")
    assert computes_orders(model.statements, frozenset())
    prepared = prepare(model, frozenset())
    assert prepared.merged and [type(each) for each in prepared.statements] == [Let, Check, Check, Check, Check]
    unknown = parse_text("let generate_orders(s, r) = {} with mo from generate_orders(W, co0)", "m.cat")
    assert any(isinstance(each, Choose) for each in prepare(unknown, frozenset()).statements)
    native = parse_text("with mo from orders(W)", "m.cat")
    assert prepare(native, frozenset()) is native


def test_digest_sees_through_names_only() -> None:
    one, same, other = map(
        parse_expression,
        (
            "let rec f x = match x with || {} -> 0 || a ++ b -> a | f b end in f",
            "let rec go s = match s with || e ++ more -> e | go more || {} -> 0 end in go",
            "let rec f x = match x with || {} -> 0 || a ++ b -> a | f a end in f",
        ),
    )
    assert digest(one) == digest(same) != digest(other)


def test_digest_tells_variables_of_a_definition_from_those_around_its_use() -> None:
    texts = ("fun y -> let f = fun x -> x in fun z -> f z", "fun y -> fun z -> let f = fun x -> z in f z")
    one, other = map(parse_expression, texts)
    assert digest(one) != digest(other)


# The two functions of herd's cross.cat, with names and a layout of our own
CROSS = """
let linear (pairs, sets) = let rec go s = match s with || {} -> {}
    || one ++ more -> linearisations(one, pairs) ++ go(more) end in go(sets)
let cross = let rec step (done, union, left) = match left with
    || {} -> union ++ done
    || orders ++ later -> let rec inner (done, orders) = match orders with
      || {} -> done
      || order ++ others -> inner (step (done, order | union, later), others) end in inner (done, orders) end in
  fun all -> step ({}, 0, all)
let generate_orders(s, r) = cross (linear (r, partition s))
let generate_cos(r) = generate_orders(W, r)
"""


def test_herds_functions_are_recognised_whatever_their_variables_are_called() -> None:
    def chooses(text: str) -> bool:
        return any(isinstance(each, Choose) for each in prepare(parse_text(text, "m.cat"), frozenset()).statements)

    choice = "with co from generate_cos(co0)"
    assert not chooses(f"{CROSS}{choice}")
    changes = {"generate_orders(W, r)": "generate_orders(R, r)", "order | union": "order", "partition": ""}
    for before, after in changes.items():
        assert chooses(CROSS.replace(before, after) + choice)
    assert chooses(f"let linearisations(s, r) = {{}} {CROSS}{choice}")


# Sets of sets and relations ---------------------------------------------------------------------------------


def test_collections() -> None:
    empty = relation(range(4))
    loc = relation(range(4), [(0, 1), (1, 0), (2, 3), (3, 2)] + [(event, event) for event in range(4)])
    parts = partition(frozenset(range(4)), loc)
    assert parts.members == (frozenset((0, 1)), frozenset((2, 3)))
    assert classes(loc).members == parts.members
    assert len(linearisations(frozenset(range(4)), empty).members) == 24
    assert linearisations(frozenset((0, 1)), relation(range(4), [(0, 1), (1, 0)])).members == ()
    assert linearisations(frozenset((0, 1)), relation(range(4), [(0, 2), (2, 0)])).members == ()
    assert len(linearisations(frozenset((0, 1)), relation(range(4), [(2, 3), (3, 2)])).members) == 2
    assert len(products(frozenset(range(4)), empty, loc).members) == 4
    first, rest = split(parts) or (None, None)
    assert first == frozenset((0, 1)) and isinstance(rest, Collection)
    assert add(Element((0, 1)), frozenset(), range(4)).has_edge(0, 1)  # type: ignore[attr-defined]
    with pytest.raises(TypeError, match="an element and a set"):
        add(parts, frozenset((1,)), range(4))


def test_functions_over_sets() -> None:
    text = """
    let rec size s = match s with || {} -> {} || x ++ xs -> x ++ size xs end
    let map f = let rec go s = match s with || {} -> {} || x ++ xs -> f x ++ go xs end in go
    let same = map (fun x -> x)
    empty size W \\ W
    empty W \\ same W
    """
    model = parse_text(text, "m.cat")
    check_types(model, frozenset())
    found = evaluate(model, frozenset(), Events((1, 2, 3), {"W": frozenset((1, 3))}, {"co": relation((1, 2, 3))}))
    assert all(result.holds for result in found.checks)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("let x = match W with || {} -> 0 end", "m.cat:1:9: 'match' needs the clauses"),
        ("with x from linearisations(W)", "m.cat:1:28: 'linearisations' takes 2 arguments"),
        ("with x from linearisations(po, po)", "'linearisations' needs sets, but 'po' is a relation"),
        ("with x from po", "m.cat:1:13: 'with' chooses from a set, but 'po' is a relation"),
        ("let x = tag2events(W)", "m.cat:1:9: tags are not supported"),
        ("let rec f x = f x and y = po", "'let rec' defines functions, or sets and relations, but not both"),
        ("enum t = 'a || 'b", "m.cat:1:1: enumerations are not supported"),
        ("instructions R[{'a}]", "m.cat:1:1: Bell declarations"),
    ],
)
def test_mistakes(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        check_types(parse_text(text, "m.cat"), frozenset())
    assert message in str(caught.value)


def test_functions_that_never_end_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"\.cat:\d+:\d+: the model nests functions too deeply$"):
        checked(tmp_path, "let rec f x = f x empty f W", engine="networkx")
    with pytest.raises(InputError, match=r"\.cat:\d+:\d+: the model nests functions too deeply$"):
        checked(tmp_path, "let rec f x = f x empty f W")


def test_functions_that_are_nested_too_deeply_for_the_search_are_evaluated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def node(*_: object) -> None:
        raise RecursionError

    monkeypatch.setattr("enumerator.cat.translator._Translator.node", node)
    result = checked(tmp_path, "let f(x) = x\nacyclic f(po)")
    assert result.status == "complete"
    assert result.notes[-1].endswith("m.cat:2:1: functions are nested too deeply")


# Files ------------------------------------------------------------------------------------------------------


def test_an_included_file_is_found_before_ours(tmp_path: Path) -> None:
    (tmp_path / "m.cat").write_text('include "cos.cat" acyclic mine')
    with pytest.raises(InputError, match="unknown name 'mine'"):
        select(tmp_path / "m.cat")
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "cos.cat").write_text("let mine = co")
    assert select(tmp_path / "m.cat", [tmp_path / "lib"]).model.statements
    (tmp_path / "cos.cat").write_text("let yours = co")
    with pytest.raises(InputError, match="unknown name 'mine'"):
        select(tmp_path / "m.cat", [tmp_path / "lib"])


def test_the_standard_library_beside_a_model_is_read_first(tmp_path: Path) -> None:
    (tmp_path / "m.cat").write_text("acyclic mine")
    (tmp_path / "stdlib.cat").write_text("let mine = po")
    assert select(tmp_path / "m.cat").model.statements[0].bindings[0].names == ("mine",)  # type: ignore[union-attr]


def test_a_file_that_only_another_variant_needs_may_be_missing(tmp_path: Path) -> None:
    (tmp_path / "m.cat").write_text('if "v" include "missing.cat" end acyclic po')
    assert load_model(tmp_path / "m.cat")
    with pytest.raises(InputError, match="m.cat:1:8: cannot find 'missing.cat' to include"):
        select(tmp_path / "m.cat", variants=["v"])


HERD = Path(os.environ.get("HERDLIB", "nowhere"))


@pytest.mark.parametrize("name", ["rc11", "c11_partialSC", "c11_simp", "c11_orig", "simple-c11"])
def test_herds_own_files_load(name: str) -> None:
    path = HERD / f"{name}.cat"
    if not path.exists():
        pytest.skip("HERDLIB does not name the folder of herd's cat files")
    computed = [each.name for each in select(path).model.statements if isinstance(each, Choose)]
    assert "co" not in computed and "mo" not in computed  # recognised: the search chooses them
