"""What comes behind instructions that are not covered is left out, and nothing else."""

from __future__ import annotations

from enumerator.frontend import load_text
from enumerator.program.instructions import Unreachable, Unsupported

CLEANS = """; EXISTS: true
; THREADS: t0=@leaves(i1 0)
@x = global i32 0
declare i32 @__gxx_personality_v0(...)
declare void @unknown()
define void @leaves(i1 %throws) personality ptr @__gxx_personality_v0 {
entry:
  br i1 %throws, label %pad, label %go
go:
  br label %after
pad:
  %l = va_arg ptr @x, ptr
  store i32 1, ptr %l
  br label %clean
clean:
  %k = phi ptr [ %l, %pad ]
  store i32 2, ptr %k
  br label %after
after:
  %n = phi i32 [ 0, %go ], [ 1, %clean ]
  store i32 %n, ptr @x
  ret void
}
"""


def test_what_only_comes_behind_what_is_not_covered() -> None:
    function = load_text(CLEANS, "cleans.ll").functions["leaves"]
    blocks = {block.name: block for block in function.blocks}
    assert blocks.keys() == {"entry", "go", "pad", "after"}
    (part,) = blocks["pad"].body
    assert isinstance(part, Unsupported) and isinstance(blocks["pad"].terminator, Unreachable)
    assert [name for name, _ in blocks["after"].phis[0].incoming] == ["go"]


def test_a_function_that_is_covered_stays_as_it_is() -> None:
    text = CLEANS.replace("%l = va_arg ptr @x, ptr", "%l = getelementptr i8, ptr @x, i64 0")
    assert len(load_text(text, "cleans.ll").functions["leaves"].blocks) == 5
