"""Streams of tests: each result when it is asked for, and caches that stay within their bounds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

import pytest

from enumerator import InputError, check, check_all, load
from enumerator.program.test import Test

MP = """
; EXISTS: t1:%a = 1 /\\ t1:%b = 0
@x = global i32 0
@y = global i32 0
define void @t0() {{
  store {0} i32 1, ptr @x{1}
  store atomic i32 1, ptr @y release, align 4
  ret void
}}
define void @t1() {{
  %a = load atomic i32, ptr @y {2}, align 4
  %b = load {0} i32, ptr @x{1}
  ret void
}}
"""


def messages(orders: tuple[str, ...] = ("monotonic", "acquire", "seq_cst")) -> Iterator[Test]:
    for plain in (("", ""), ("atomic", " monotonic, align 4")):
        for order in orders:
            yield load(MP.format(*plain, order))


def test_results_are_those_of_single_checks() -> None:
    for model in ("llvm", "amdgpu", None):
        found = list(check_all(messages(), model))
        for test, result in zip(messages(), found, strict=True):
            single = check(test, model)
            assert replace(result, seconds=0.0) == replace(single.without_question(), seconds=0.0)


def test_nothing_is_checked_before_it_is_asked_for() -> None:
    made = 0

    def endless() -> Iterator[Test]:
        nonlocal made
        while True:
            made += 1
            yield load(MP.format("", "", "acquire"))

    results = check_all(endless(), "llvm")
    assert made == 0
    assert [result.verdict for result in islice(results, 3)] == ["No"] * 3
    assert made == 3


def test_a_test_that_cannot_be_checked_does_not_end_the_stream() -> None:
    good = load(MP.format("", "", "acquire"))
    wrong = replace(good, profile="no-such-profile")
    found = list(check_all([good, wrong, good], "llvm"))
    assert [result.status for result in found] == ["complete", "error", "complete"]
    assert "no-such-profile" in (found[1].error or "")


def test_a_model_that_is_not_there_does() -> None:
    with pytest.raises(InputError, match="no model"):
        next(check_all(messages(), "lvm"))


def test_results_hold_their_tests_only_if_executions_are_asked_for() -> None:
    assert next(check_all(messages(), "llvm")).question is None
    assert len(next(check_all(messages(), "llvm", executions=True)).executions) > 0


def test_options_select_variants() -> None:
    found = next(check_all(messages(), "llvm", hb="direct", variants=["none"]))
    assert (found.hb, found.thin_air) == ("direct", "none")
