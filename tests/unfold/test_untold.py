"""Objects that a thread has told nobody of: what it reads there decides on the threads that it creates."""

from __future__ import annotations

import pytest

from tests.programs.source import program

# The first thread writes wherever an address that it finds points, as to an object of main's; which one is created then
# follows from what main reads.
PROGRAM = """
@told = global ptr null
define ptr @writes(ptr %given) {
  %none = icmp eq ptr %given, null
  br i1 %none, label %look, label %write
look:
  %found = load atomic ptr, ptr @told monotonic, align 8
  %nothing = icmp eq ptr %found, null
  br i1 %nothing, label %done, label %write
write:
  %at = phi ptr [ %given, %0 ], [ %found, %look ]
  store atomic i32 2, ptr %at monotonic, align 4
  br label %done
done:
  ret ptr null
}
define ptr @one(ptr %unused) {
  ret ptr null
}
define ptr @other(ptr %unused) {
  ret ptr null
}
define i32 @main() {
  %shared = call ptr @malloc(i64 4)
  store atomic ptr %shared, ptr @told monotonic, align 8
  %own = call ptr @malloc(i64 4)
  %holds = call ptr @malloc(i64 8)
  store atomic i32 1, ptr %own monotonic, align 4
  create w @writes(ARGUMENT)
  TELLS
  %now = load atomic i32, ptr %own monotonic, align 4
  %same = icmp eq i32 %now, 1
  br i1 %same, label %yes, label %no
yes:
  create a @one()
  br label %end
no:
  create b @other()
  br label %end
end:
  ret i32 0
}
"""
HIDES = "store ptr %own, ptr %holds\n  %kept = load ptr, ptr %holds"
SHOWS = f"{HIDES}\n  store atomic ptr %holds, ptr @told monotonic, align 8"


@pytest.mark.parametrize(
    ("argument", "tells", "known"),
    [
        ("", "", False),
        ("", HIDES, False),
        ("", f"{HIDES}\n  store i32 3, ptr %kept\n  store i32 1, ptr %kept", False),
        ("", "store atomic ptr %own, ptr @told monotonic, align 8", True),
        ("", f"{HIDES}\n  store atomic ptr %kept, ptr @told monotonic, align 8", True),
        ("", SHOWS, False),  # it writes to that one only
        ("ptr %own", "", True),
    ],
    ids=["nothing", "to an own object", "and from there", "to all", "from an own object", "which is told", "given"],
)
def test_others_write_only_what_they_may_know(argument: str, tells: str, known: bool) -> None:
    test = program(PROGRAM.replace("ARGUMENT", argument).replace("TELLS", tells))
    assert [thread.name for thread in test.threads] == ["main", "writes", "one", *(["other"] if known else [])]
