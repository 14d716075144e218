"""Loops that LLVM has merged into one, taken apart again."""

from __future__ import annotations

from random import Random

import pytest

from enumerator import check
from enumerator.frontend import load_text
from enumerator.frontend.llvm import instructions
from enumerator.program.instructions import Function
from enumerator.results.result import Result
from enumerator.unfold.loops import flow_of
from tests.generated.amounts import examples

SCAN = """; EXISTS: @sum = 3
@r = global [4 x i32] zeroinitializer
@sum = global i32 0
define void @write() {
  store atomic i32 1, ptr @r monotonic, align 4
  %p = getelementptr [4 x i32], ptr @r, i64 0, i64 2
  store atomic i32 1, ptr %p monotonic, align 4
  ret void
}
define void @scan() {
entry:
  br label %loop
again:
  %next = phi i64 [ %more, %free ], [ 0, %busy ]
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %again ]
  %p = getelementptr [4 x i32], ptr @r, i64 0, i64 %i
  %v = load atomic i32, ptr %p monotonic, align 4
  %set = icmp eq i32 %v, 1
  br i1 %set, label %busy, label %free
busy:
  store atomic i32 0, ptr %p monotonic, align 4
  %old = atomicrmw add ptr @sum, i32 1 monotonic
  br label %again
free:
  %more = add nuw nsw i64 %i, 1
  %end = icmp eq i64 %more, 4
  br i1 %end, label %done, label %again
done:
  ret void
}
"""


def scan(text: str) -> Function:
    return load_text(text, "scan.ll").functions["scan"]


def test_a_counter_that_starts_anew_gets_a_loop_of_its_own() -> None:
    function = scan(SCAN)
    loops = {loop for each in flow_of(function).entered.values() for loop in each}
    inner, outer = sorted(loops, key=lambda loop: len(loop.blocks))
    assert inner.blocks == {"loop", "free", "again"}
    assert inner.headers == {"loop"} and inner.blocks < outer.blocks and "busy" in outer.blocks
    assert all(not name.endswith("outer") for state in run(SCAN).states for name in state.values)


def test_where_ways_to_start_anew_are_joined() -> None:
    """The block that joins them does nothing else, and is left out."""
    joined = SCAN.replace(
        "%next = phi i64 [ %more, %free ], [ 0, %busy ]", "%next = phi i64 [ 0, %busy ], [ 0, %even ]"
    )
    joined = joined.replace("[ %next, %again ]", "[ %next, %again ], [ %more, %free ]")
    joined = joined.replace("%done, label %again", "%done, label %loop")
    joined = joined.replace(
        """monotonic
  br label %again
free""",
        """monotonic
  %odd = and i32 %old, 1
  %is = icmp eq i32 %odd, 0
  br i1 %is, label %even, label %again
even:
  br label %again
free""",
    )
    before, after = joined.index("again:"), joined.index("loop:\n")
    joined = joined[:before] + joined[after:].replace("done:", joined[before:after] + "done:")
    names = [block.name for block in scan(joined).blocks]
    assert "again" not in names and len(names) == 7
    assert run(joined).states == run(SCAN).states


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("[ 0, %busy ]", "[ %i, %busy ]"),  # goes on where it was
        ("[ 0, %busy ]", "[ 1, %busy ]"),  # starts otherwise than it began
        ("%more = add nuw nsw i64 %i, 1", "%more = shl i64 %i, 1"),  # does not count
        ("[ 0, %busy ]", "[ %more.b, %busy ]"),  # counts on all ways
    ],
)
def test_other_loops_stay(old: str, new: str) -> None:
    text = SCAN.replace(old, new).replace("busy:", "busy:\n  %more.b = add i64 %i, 1")
    assert [block.name for block in scan(text).blocks] == ["entry", "again", "loop", "busy", "free", "done"]


def run(text: str, unroll: int | None = None) -> Result:
    return check(load_text(text, "scan.ll"), "rc11", unroll=unroll)


def test_passes_of_the_inner_loop_do_not_count() -> None:
    """At the bound of two, as each scan ends by itself."""
    found = run(SCAN, unroll=2)
    assert (found.status, found.cut) == ("complete", 0)


def test_nothing_else_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a high bound the results are those of the loop as it stands in the text."""
    for seed in range(examples(12)):
        chance = Random(seed)
        text = SCAN.replace("i64 0, i64 2", f"i64 0, i64 {chance.randint(0, 3)}").replace(
            "%set = icmp eq", f"%set = icmp {chance.choice(['eq', 'sgt', 'ne'])}"
        )
        text = text.replace("i32 %v, 1\n", f"i32 %v, {chance.choice([1, 0])}\n") if "icmp sgt" in text else text
        found = run(text, unroll=12)
        with monkeypatch.context() as patch:
            patch.setattr(instructions, "with_nested_loops", lambda function: function)
            other = run(text, unroll=12)
        assert (found.states, found.flags, found.status) == (other.states, other.flags, other.status)


TABLE = """; FORALL: @count = 6
@count = global i32 0
define void @scan() {
entry:
  br label %row
row:
  %i = phi i64 [ 0, %entry ], [ %next.i, %end ]
  br label %cell
cell:
  %j = phi i64 [ 0, %row ], [ %next.j, %cell ]
  %old = atomicrmw add ptr @count, i32 1 monotonic
  %next.j = add i64 %j, 1
  %more.j = icmp slt i64 %next.j, 3
  br i1 %more.j, label %cell, label %end
end:
  %next.i = add i64 %i, 1
  %more.i = icmp slt i64 %next.i, 2
  br i1 %more.i, label %row, label %done
done:
  ret void
}
"""


def test_loops_in_each_other_stay() -> None:
    """The header of the outer one joins two ways, too, but not back to the inner one."""
    assert [block.name for block in scan(TABLE).blocks] == ["entry", "row", "cell", "end", "done"]
    assert run(TABLE).verdict == "Ok"
