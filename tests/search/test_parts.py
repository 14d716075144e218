"""Models that take an access of several cells as one: executions grow under them, too, and are those of the lists."""

from __future__ import annotations

import pytest

from enumerator.search import bitset
from enumerator.search.bitset import enumerate_test
from enumerator.search.session import Session
from enumerator.search.tuning import Tuning
from tests.generated.amounts import examples
from tests.generated.overlaps import random_overlap
from tests.search.generated import request_for

TWO_CELLS = """; EXISTS: t0:%r = 1
@x = global <2 x i16> zeroinitializer
define void @t0() {
  %r = load atomic i32, ptr @x monotonic, align 4
  br label %l
l:
  %s = load atomic i16, ptr @x monotonic, align 2
  %c = icmp eq i16 %s, 0
  br i1 %c, label %l, label %e
e:
  ret void
}
define void @t1() {
  store atomic i32 65537, ptr @x monotonic, align 4
  ret void
}
"""


@pytest.mark.parametrize("model", ["sc", "tso"])
def test_paths_are_not_listed(model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bitset, "driver_of", lambda *given: pytest.fail("its paths are listed"))
    found = enumerate_test(request_for(TWO_CELLS, model, frozenset(), 0), Session(Tuning(grow_from=0)))
    assert (found.status, found.cut, found.consistent) == ("complete", 0, 2)


@pytest.mark.parametrize("model", ["sc", "tso"])
@pytest.mark.parametrize("seed", range(examples(25)))
def test_generated_overlaps(seed: int, model: str) -> None:
    text = random_overlap(seed)
    request = request_for(text, model, frozenset(), seed)
    grown, listed = (enumerate_test(request, Session(Tuning(grow_from=each))) for each in (0, -1))
    assert (grown.states, grown.flags, grown.consistent) == (listed.states, listed.flags, listed.consistent), text
