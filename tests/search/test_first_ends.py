"""Searches that may not end: what shows where one thread runs after the other is found all the same."""

from __future__ import annotations

import pytest

from enumerator import check
from enumerator.explanation import explain
from enumerator.frontend import load_text
from enumerator.program.test import Test
from enumerator.request import Outcomes
from enumerator.search import growing

UPDATE = """define void @t{number}() {{
  br label %loop
loop:
  %old = load atomic i32, ptr @word monotonic, align 4
  %new = add i32 %old, {number}
  %pair = cmpxchg ptr @word, i32 %old, i32 %new monotonic monotonic
  %done = extractvalue {{ i32, i1 }} %pair, 1
  br i1 %done, label %next, label %other
other:
  %x = atomicrmw add ptr @failed, i32 1 monotonic
  br label %loop
next:
  %seen = load {atomic}i32, ptr @data{order}
  store {atomic}i32 1, ptr @data{order}
  ret void
}}
"""


def racing(threads: int, *, races: bool = True) -> Test:
    """Threads that try to update a word, count the attempts that fail, and access data."""
    kind = {"atomic": "", "order": ""} if races else {"atomic": "atomic ", "order": " monotonic, align 4"}
    globals_ = "; EXISTS: @failed = 0\n@word = global i32 0\n@failed = global i32 0\n@data = global i32 0\n"
    return load_text(globals_ + "".join(UPDATE.format(number=1 + n, **kind) for n in range(threads)), "racing.ll")


@pytest.mark.parametrize("model", ("llvm", "rc11"))
def test_a_search_that_stops_early_comes_to_it(model: str) -> None:
    found = check(racing(5, races=False), model, first=True)
    assert found.explored <= growing._FIRST_ENDS and [state.values for state in found.states] == [{"@failed": 0}]


def test_what_was_found_at_first_counts_where_the_rest_has_no_end() -> None:
    first = Outcomes({(0,): 2, (1,): 3}, frozenset({"race"}), undefined=True)
    ended = Outcomes({(1,): 5}, explored=9, status="timeout")
    both = growing._with_first(ended, first)
    assert (both.states, both.flags, both.undefined) == ({(0,): 2, (1,): 5}, frozenset({"race"}), True)
    assert (both.explored, both.status) == (9, "timeout")
    whole = Outcomes({(1,): 5})
    assert growing._with_first(whole, first) is whole and growing._with_first(ended, None) is ended


def test_an_execution_is_shown_where_the_rest_has_no_end() -> None:
    found = explain(racing(5), "rc11", repair=False, timeout=8)
    assert found.allowed and found.witness is not None and not found.whole
    assert "an execution that ends so; there may be smaller ones" in str(found)
