"""Models folded for tests: what is kept of earlier tests makes no difference."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from enumerator import check
from enumerator.cat.bounds import Bounds
from enumerator.cat.compiler import compile_model
from enumerator.cat.nodes import Builder, CompiledModel
from enumerator.cat.parser import parse_text
from enumerator.cat.selected import SelectedModel
from enumerator.cat.typing import select
from enumerator.errors import InputError
from enumerator.frontend import load_text
from enumerator.search.bitset import base_kinds
from enumerator.search.bytecode import assemble


def program(compiled: CompiledModel) -> tuple[object, ...]:
    """What the kernels get to see of a model."""
    code = assemble(compiled)
    return code.code.tolist(), code.sections.tolist(), code.base_relations, code.base_sets, code.flags, code.final


def kinds_without(names: frozenset[str]) -> dict[str, str]:
    return base_kinds() | dict.fromkeys(("AS0", "AS1", "AS3"), "set") | dict.fromkeys(names, "set")


@pytest.mark.parametrize("name", ["llvm", "amdgpu", "rc11", "vulkan", "tso", "llvm/direct"])
def test_a_model_is_the_same_whatever_tests_came_before(name: str) -> None:
    """Twin: a copy of the model that has seen no test."""
    chance = random.Random(name)
    kept, kinds = select(name), kinds_without(frozenset())
    names = ["R", "SC", "ACQ", "REL", "ACQ_REL", "F", "RMW", "WORKGROUP", "AGENT", "TP", "addr", "data", "ctrl", "rmw"]
    for _ in range(12):
        empty = frozenset(chance.sample(names, chance.randrange(len(names))))
        full = frozenset(chance.sample(["incl", "inscope", "mmra", "same-workgroup"], chance.randrange(4)))
        fresh = parse_again(name)
        known = compile_model(kept.model, kept.variants, kinds, empty=empty, full=full)
        alone = compile_model(fresh.model, fresh.variants, kinds, empty=empty, full=full)
        assert known is compile_model(kept.model, kept.variants, kinds, empty=empty, full=full)
        assert program(known) == program(alone), (sorted(empty), sorted(full))


def parse_again(name: str) -> SelectedModel:
    """Give a model that compares equal to none before."""
    chosen = select(name)
    return replace(chosen, model=replace(chosen.model, title=f"{chosen.model.title} again"))


def test_names_that_a_model_does_not_use_make_no_other_model() -> None:
    model = parse_text("acyclic po | rf as sc", "m.cat")
    one = compile_model(model, frozenset(), kinds_without(frozenset()), empty=frozenset({"SC"}))
    other = compile_model(model, frozenset(), kinds_without(frozenset({"MINE"})), empty=frozenset({"ACQ", "MINE"}))
    assert one is other


def test_a_set_that_a_later_test_has_is_a_name_of_its_model() -> None:
    model = parse_text("empty [MINE] as none", "m.cat")
    with pytest.raises(InputError, match="MINE"):
        compile_model(model, frozenset(), kinds_without(frozenset()))
    compiled = compile_model(model, frozenset(), kinds_without(frozenset({"MINE"})))
    assert compiled.checks[0].node.operator == "[]"


def test_bounds_of_definitions_that_use_each_other_are_bounds_of_one_fixpoint() -> None:
    model = parse_text("let rec a = rf | b ; rf and b = po | a ; po\nempty a \\ b as x\nempty b \\ a as y", "m.cat")
    compiled = compile_model(model, frozenset(), kinds_without(frozenset()))
    bounds = Bounds(Builder())
    for each in compiled.checks:
        both = [bounds.bound(part, upper=True) for part in each.node.arguments]
        assert both[0].operator == both[1].operator == "fix"
        assert both[0].arguments is both[1].arguments and both[0].binders == both[1].binders
        assert not both[0].free and not both[1].free


def test_what_follows_a_relation_without_cycles_does_not_run_against_it() -> None:
    text = "let hb = (po | rf)+\nlet far = rf ; hb\nlet rec on = rf | on ; hb\nlet apart = rf ; loc\n"
    text += "empty far as a\nempty on as b\nempty apart as c\n"
    kinds = kinds_without(frozenset())
    for axiom, kept in (("irreflexive hb", True), ("acyclic hb", True), ("empty hb & loc", False)):
        model = parse_text(f"{text}{axiom} as last", "m.cat")
        compiled = compile_model(model, frozenset(), kinds)
        far, on, apart, last = (check.node for check in compiled.checks)
        forbidden = frozenset(check.node for check in compiled.checks if check.forbids_cycles)
        assert len(forbidden) == int(kept)
        bounds = Bounds(Builder(), forbidden)
        if kept:
            whole = bounds.bound(last, upper=True)
            assert (last.operator, whole.operator) == ("+", "\\")
            against = whole.arguments[1]
            assert (against.operator, against.arguments[0].operator) == ("?", "^-1")
        assert [bounds.bound(node, upper=True).operator for node in (far, on, apart)] == (
            ["&", "&", ";"] if kept else [";", "fix", ";"]
        )
        assert all(bounds.bound(node, upper=False).operator != "&" for node in (far, on, apart))


def test_a_relation_without_cycles_may_be_made_of_steps_that_another_axiom_names() -> None:
    text = (
        "let sw = rf ; [ACQ]\nlet hb = (po | sw ; po | sw)+\nacyclic hb as hb\nirreflexive hb ; (co \\ (hb ; sw)) as c"
    )
    compiled = compile_model(parse_text(text, "m.cat"), frozenset(), kinds_without(frozenset()))
    assert len(compiled.bounds) == 1


def test_predefined_names_keep_their_meaning_where_a_model_hides_what_they_are_made_of() -> None:
    text = "let rf = 0\nlet fr = 0\nlet po = 0\nempty fre as one\nempty po-loc as two\nempty rfi as three"
    plain = "empty fre as one\nempty po-loc as two\nempty rfi as three"
    one, other = (compile_model(parse_text(each, "m.cat"), frozenset(), base_kinds()) for each in (text, plain))
    assert program(one) == program(other)


def test_a_call_names_the_checks_of_a_procedure_that_have_no_name() -> None:
    text = "procedure p(r) =\n  acyclic r\n  empty r as inner\nend\ncall p(po) as outer"
    compiled = compile_model(parse_text(text, "m.cat"), frozenset(), base_kinds())
    assert [check.check.name for check in compiled.checks] == ["outer", "inner"]


@pytest.mark.parametrize(
    ("less", "is_same"),
    [
        ("loc & ((rf | x) ; po)", True),
        ("((rf | x) ; po) & ext", False),
        ("loc & ((rf & ext | x) ; [W] ; po)", False),
        ("loc & ((rf & ext | x) ; (po & ext))", True),
        ("loc & ((rf | x) ; (po | ext))", False),
        ("(loc & ((rf | x) ; po)) \\ ext", False),
        ("ext & (loc & (x ; po))", True),
    ],
)
def test_a_fixed_point_that_goes_on_by_less_than_another_is_that_one(less: str, is_same: bool) -> None:
    text = f"let rec whole = loc & ((rf | whole) ; po)\nlet rec x = whole | {less}\nempty whole as a\nempty x as b"
    compiled = compile_model(parse_text(text, "m.cat"), frozenset(), kinds_without(frozenset()))
    one, other = (check.node for check in compiled.checks)
    assert (one is other) == is_same


IRIW = """; EXISTS: t1:%a = 1 /\\ t1:%b = 0
@x = global i32 0
@y = global i32 0
define void @t0() {
  store atomic i32 1, ptr @x monotonic, align 4
  store atomic i32 1, ptr @y monotonic, align 4
  ret void
}
define void @t1() {
  %a = load atomic i32, ptr @y monotonic, align 4
  %b = load atomic i32, ptr @x monotonic, align 4
  ret void
}
"""


@pytest.mark.parametrize(
    ("first", "step", "last", "note"),
    [
        ("po | rf", "({0} ; {0}) | fr", "acyclic {0}", ""),
        ("W", "({0} \\ R) | domain([{0}] ; po)", "acyclic ([{0}] ; po) | rf | fr", ""),
        ("po | rf", "({0} ; {0}) | fr", "let rec a = {0} | (a ; {0})\nacyclic a", ""),
        ("po | rf", "({0} ; po) \\ (co ; {0})", "empty {0}", "nested too deeply"),
    ],
)
def test_definitions_build_on_each_other_in_any_number_of_steps(
    tmp_path: Path, first: str, step: str, last: str, note: str
) -> None:
    steps = [f"let r{n} = {step.format(f'r{n - 1}')}" for n in range(1, 600)]
    path = tmp_path / "long.cat"
    path.write_text("\n".join(('"long"', f"let r0 = {first}", *steps, last.format("r599"), "")))
    test = load_text(IRIW, "mp.ll")
    found, expected = (check(test, str(path), engine=engine) for engine in ("auto", "networkx"))
    assert (found.states, found.positive, found.negative) == (expected.states, expected.positive, expected.negative)
    assert any(note in each for each in found.notes) if note else not found.notes
