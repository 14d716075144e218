"""Mutants of models: which there are, that each is one change, and when two models are the same."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from benchmarks.model_mutants import model_mutants  # noqa: E402
from benchmarks.mutant_forms import Forms  # noqa: E402
from enumerator.cat.parser import load_model, parse_text  # noqa: E402


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


def test_what_is_the_same_model() -> None:
    for name in ("tso", "sc"):
        forms = Forms(name, load_model(name))
        different = [mutant for mutant in model_mutants(forms.model) if not forms.same(mutant.model)]
        assert len(different) >= len(list(model_mutants(forms.model))) - 1  # `final W \\ domain(co)` is implied
    forms = Forms("amdgpu", load_model("amdgpu"))  # one with fixed points, whose variables are new each time
    assert forms.same(replace(forms.model, title="another"))
    whole = forms.compiled(forms.model, ())
    assert whole is not None
    for mutant in list(model_mutants(forms.model))[::20]:
        changed = forms.compiled(mutant.model, ())
        assert changed is not None and (changed[1] is None or all(one is not other for one, other in changed[1]))
        assert not any(node.free for pair in changed[1] or () for node in pair)
