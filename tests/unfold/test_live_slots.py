"""Which stack slots may be read before they are written again, byte by byte."""

from __future__ import annotations

import pytest

from enumerator import check
from enumerator.frontend import load_text
from enumerator.unfold.live_slots import LiveSlots

TEXT = """; EXISTS: true
%pair = type {{ i32, i32 }}
@x = global i64 0
declare void @taken(ptr)
define void @t() {{
entry:
  %s = alloca %pair
  %a = alloca [2 x i64]
  %i = load i64, ptr @x
  br label %loop
loop:
{body}
  %c = load atomic i64, ptr @x monotonic, align 8
  %d = icmp eq i64 %c, 0
  br i1 %d, label %loop, label %end
end:
  ret void
}}
"""
FIRST, SECOND = "%f = getelementptr %pair, ptr %s, i32 0, i32 0", "%g = getelementptr %pair, ptr %s, i32 0, i32 1"
FILLED = (FIRST, "store i32 1, ptr %f", SECOND, "store i32 2, ptr %g", "%w = load i64, ptr %s")
CASES = {
    "filled": (FILLED, set(), False),
    "half": ((FIRST, "store i32 1, ptr %f", "%w = load i64, ptr %s"), {"s"}, False),
    "half read": ((FIRST, "store i32 1, ptr %f", "%w = load i32, ptr %f"), set(), False),
    "whole": (("store i64 1, ptr %s", "%w = load i64, ptr %s"), set(), True),
    "read first": (("%w = load i64, ptr %s", "store i64 1, ptr %s"), {"s"}, True),
    "beyond": (("%e = getelementptr i8, ptr %s, i64 6", "store i32 1, ptr %e"), {"s"}, False),
    "anywhere": (("%e = getelementptr i64, ptr %s, i64 %i", "store i64 1, ptr %e"), {"s"}, False),
    "stored": (("store ptr %s, ptr %a", "store i64 1, ptr %s"), {"s"}, False),
}


def source(*body: str) -> str:
    return TEXT.format(body="\n".join(body))


@pytest.mark.parametrize("name", CASES)
def test_what_may_be_read(name: str) -> None:
    body, live, tracked = CASES[name]
    slots = LiveSlots(load_text(source(*body), "slots.ll").functions["t"])
    assert slots.named(slots.before["loop"]) == live
    assert ("s" in slots.tracked) is tracked


def test_a_loop_that_fills_a_struct_anew_waits() -> None:
    """As one that holds it in registers; what is copied from it was read in the last iteration."""
    found = check(load_text(source(*FILLED), "waits.ll"), "rc11")
    assert (found.status, found.cut) == ("complete", 0)
