"""Mutants of models: which there are, that each is one change, and when two models are the same."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from benchmarks.model_mutants import model_mutants, signature  # noqa: E402
from enumerator.cat.compiler import compile_model  # noqa: E402
from enumerator.cat.parser import load_model, parse_text  # noqa: E402
from enumerator.cat.syntax import Model  # noqa: E402
from enumerator.cat.typing import select_loaded  # noqa: E402
from enumerator.search.bitset import base_kinds  # noqa: E402


def changes(text: str) -> list[str]:
    return [mutant.what for mutant in model_mutants(parse_text(text, "m.cat"))]


def test_every_operator_is_weakened() -> None:
    assert changes("empty po & rf & co") == [
        "removed",
        "po & rf & co  ->  rf & co",
        "rf & co  ->  co",
        "rf & co  ->  rf",
    ]
    assert changes("empty [W] ; po") == ["removed", "[W] ; po  ->  po", "[W] ; po  ->  [W]"]
    assert changes("empty [W]") == ["removed", "[W]  ->  [_]"]
    assert changes("empty rf \\ po") == ["removed", "rf \\ po  ->  rf"]
    assert changes("empty W * R") == ["removed", "W * R  ->  _ * R", "W * R  ->  W * _"]
    assert changes("empty rf*") == ["removed", "rf*  ->  rf?", "rf*  ->  rf+"]
    assert changes("empty rf^-1") == ["removed", "rf^-1  ->  rf"]
    assert changes("empty ~rf") == ["removed", "~rf  ->  ~0"]
    assert changes("acyclic f(po | rf)") == [
        "removed",
        "acyclic  ->  irreflexive",
        "po | rf  ->  rf",
        "po | rf  ->  po",
    ]


def test_parts_of_conditional_statements_and_functions_are_changed() -> None:
    text = 'let f(x) = x+ if "v" acyclic f(po) as a else empty po | rf as b end'
    found = [(mutant.within, mutant.what) for mutant in model_mutants(parse_text(text, "m.cat"))]
    assert found == [
        ("f", "x+  ->  x"),
        ("a", "removed"),
        ("a", "acyclic  ->  irreflexive"),
        ("b", "removed"),
        ("b", "po | rf  ->  rf"),
        ("b", "po | rf  ->  po"),
    ]


def of(model: Model, known: dict[object, int]) -> tuple[object, ...]:
    selected = select_loaded(model, "m")
    return signature(compile_model(selected.model, selected.variants, base_kinds()), known)


def test_equal_models_have_equal_signatures() -> None:
    known: dict[object, int] = {}
    for name in ("amdgpu", "rc11"):  # one with fixed points, which are numbered anew each time
        assert of(load_model(name), known) == of(load_model(name), known)
    for name in ("tso", "sc"):
        whole = of(load_model(name), known)
        different = [mutant for mutant in model_mutants(load_model(name)) if of(mutant.model, known) != whole]
        assert len(different) >= len(list(model_mutants(load_model(name)))) - 1  # `final W \\ domain(co)` is implied
