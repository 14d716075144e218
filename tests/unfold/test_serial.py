"""Whether it matters to which thread a barrier returns PTHREAD_BARRIER_SERIAL_THREAD."""

from __future__ import annotations

import pytest

from enumerator import check
from enumerator.unfold.serial import tells_apart
from tests.programs.source import program

MEETS = """; EXISTS: true
@b = global {{ i64, [24 x i8] }} zeroinitializer
define ptr @work(ptr %p) {{
entry:
{slot}
  %rc = call i32 @pthread_barrier_wait(ptr @b)
{asks}
bad:
  call void @abort()
  unreachable
good:
  ret ptr null
}}
define i32 @main() {{
  call i32 @pthread_barrier_init(ptr @b, ptr null, i32 2)
create t @work(ptr null)
create u @work(ptr null)
  ret i32 0
}}
"""

SLOT = "  %s = alloca i32"

TOGETHER = """
  %zero = icmp eq i32 %rc, 0
  %serial = icmp eq i32 %rc, -1
  %fine = or i1 %zero, %serial
  br i1 %fine, label %good, label %bad
"""

ONE_BY_ONE = """
  store i32 %rc, ptr %s
  %a = load i32, ptr %s
  %zero = icmp eq i32 %a, 0
  br i1 %zero, label %good, label %more
more:
  %c = load i32, ptr %s
  %serial = icmp eq i32 %c, -1
  br i1 %serial, label %good, label %bad
"""

WRITES = ONE_BY_ONE.replace("  %serial", "  store atomic i32 1, ptr @x monotonic, align 4\n  %serial")

READS = ONE_BY_ONE.replace("  %serial", "  %v = load atomic i32, ptr @x monotonic, align 4\n  %serial")

TWICE = """
  store i32 %rc, ptr %s
  %other = call i32 @pthread_barrier_wait(ptr @b)
  %a = load i32, ptr %s
  %zero = icmp eq i32 %a, 0
  br i1 %zero, label %good, label %more
more:
  %serial = icmp eq i32 %other, -1
  br i1 %serial, label %good, label %bad
"""

ONE_ONLY = ONE_BY_ONE.replace("-1", "-2")

ESCAPES = ONE_BY_ONE.replace("  %c = load", "  call i32 @pthread_mutex_lock(ptr %s)\n  %c = load")

ANOTHER = """
  store i32 %rc, ptr %s
  %other = call i32 @pthread_barrier_wait(ptr @b)
  %a = load i32, ptr %s
  %same = icmp eq i32 %a, %other
  br i1 %same, label %good, label %bad
"""

PHI = """
  store i32 %rc, ptr %s
  %a = load i32, ptr %s
  %zero = icmp eq i32 %a, 0
  br i1 %zero, label %one, label %more
more:
  br label %one
one:
  %which = phi i32 [ 1, %entry ], [ 2, %more ]
  store atomic i32 %which, ptr @x monotonic, align 4
  br label %good
"""


@pytest.mark.parametrize(
    ("asks", "expected"),
    [
        (TOGETHER, False),
        (ONE_BY_ONE, False),
        (WRITES, True),
        (READS, True),
        (TWICE, True),
        (ONE_ONLY, True),
        (ESCAPES, True),
        (ANOTHER, True),
        (PHI, True),
    ],
    ids=["together", "one by one", "writes", "reads", "twice", "one only", "escapes", "another", "phi"],
)
def test_what_programs_ask(asks: str, expected: bool) -> None:
    test = program(MEETS.format(slot=SLOT, asks=asks))
    assert tells_apart(test, frozenset()) is expected
    if not expected:
        found = check(test, "rc11")
        assert (found.status, found.flags, found.consistent) == ("complete", (), 1)
