"""Tests that differ in annotations alone share their paths: that changes no answer."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from benchmarks.throughput import stream, varied
from enumerator.errors import InputError
from enumerator.frontend import load_text
from enumerator.request import Request
from enumerator.search import session
from enumerator.search.bitset import enumerate_test
from enumerator.search.session import Session
from enumerator.unfold.outline import outline_of
from tests.generated.amounts import examples
from tests.generated.programs import random_program
from tests.generated.test_agreement import AMDGPU_FEATURES, FEATURES
from tests.search.generated import request_for
from tests.search.test_session import told

PROGRAMS = {name: ("llvm", features) for name, features in FEATURES.items()} | {
    name: ("amdgpu", features) for name, features in AMDGPU_FEATURES.items()
}


def apart(request: Request, monkeypatch: pytest.MonkeyPatch) -> tuple[object, ...]:
    """Answer a request without any outline."""
    with monkeypatch.context() as patched:
        patched.setattr(session, "outline_of", lambda test: None)
        return told(enumerate_test(request, Session()))


@pytest.mark.parametrize("name", sorted(PROGRAMS))
def test_tests_with_one_outline_are_answered_as_alone(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    model, features = PROGRAMS[name]
    shared, chance, met = Session(), random.Random(name), 0
    for seed in range(examples(3)):
        program = random_program(features, seed)
        asked = request_for(program.text, model, features, seed)
        for test in (asked.test, varied(asked.test, chance), varied(asked.test, chance)):
            request = replace(asked, test=test)
            assert told(enumerate_test(request, shared)) == apart(request, monkeypatch)
            met += outline_of(test) is not None
    assert met or features & {"loops", "calls", "async", "barriers"}
    assert len(shared._outlines) <= met / 3


@pytest.mark.parametrize("model", ["rc11", "vulkan"])
def test_streams_are_answered_as_alone(model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from enumerator.asking import make_request, select_model, select_profile, shown_names
    from enumerator.options import Options

    shared, options = Session(), Options()
    for test in stream({"rc11": "c11"}.get(model, model), 120):
        selected, profile = select_model(test, model, options), select_profile(test, None)
        request = make_request(test, selected, profile, options, shown_names(test, options))
        assert told(enumerate_test(request, shared)) == apart(request, monkeypatch)
    assert 0 < len(shared._outlines) <= 40


HEAD = """; EXISTS: {condition}
@x = global i32 {x}
@y = global i32 0
define void @t0() {{
  %a = load atomic i32, ptr @y {order}, align 4
  store atomic i32 {stored}, ptr @x {order2}, align 4
  ret void
}}
define void @t1() {{
  %b = load atomic i32, ptr @x {order}, align 4
  store atomic i32 %b, ptr @y {order2}, align 4
  ret void
}}
"""
PLAIN = {"condition": "t0:%a = 1", "x": 0, "order": "monotonic", "order2": "monotonic", "stored": "%a"}


@pytest.mark.parametrize(
    ("other", "same"),
    [
        ({"order": "acquire", "order2": "seq_cst"}, True),
        ({"condition": "t0:%a = 0"}, True),  # 0 and 1 are constants of every test
        ({"condition": "t0:%a = 7"}, False),  # a value out of thin air may be one of the condition
        ({"x": 3}, False),
        ({"stored": "2"}, False),
    ],
)
def test_what_outlines_say(other: dict[str, object], same: bool) -> None:
    one, two = (outline_of(load_text(HEAD.format(**PLAIN | each), "t.ll")) for each in ({}, other))
    assert one is not None and two is not None
    assert (one.key == two.key) == same


def test_errors_name_the_file_and_line_of_the_test_at_hand() -> None:
    # How large a value is that is read as a whole is looked at only when threads are unfolded.
    good = "; EXISTS: true\n@x = global {0} zeroinitializer\n"
    good += "define void @t() {{\n  %r = load {0}, ptr @x\n  ret void\n}}\n"
    bad = good.format("[100000 x i8]")
    shared = Session()
    for path, shift in (("a.ll", 0), ("b.ll", 2)):
        test = load_text("\n" * shift + bad, path)
        assert outline_of(test) is not None
        request = replace(request_for(good.format("i32"), "llvm", set(), 0), test=test, names=())
        with pytest.raises(InputError) as caught:
            enumerate_test(request, shared)
        assert (caught.value.path, caught.value.line) == (path, 4 + shift)


def test_outlines_are_forgotten_when_there_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "_MOST_OUTLINES", 3)
    shared = Session()
    for seed in range(8):
        program = random_program(FEATURES["orderings"], seed)
        enumerate_test(request_for(program.text, "llvm", FEATURES["orderings"], seed), shared)
        assert len(shared._outlines) <= 3
