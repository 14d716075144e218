"""Objects that nobody writes: what is read of them decides nothing that is not known."""

from __future__ import annotations

import pytest

from enumerator.frontend import load_text
from enumerator.unfold import unfold
from enumerator.unfold.constants import fixed_objects

READER = """
define i32 @t0() {
  %n = load i32, ptr @n
  %more = icmp sgt i32 %n, 1
  br i1 %more, label %yes, label %no
yes:
  store i32 1, ptr @x
  br label %no
no:
  ret i32 0
}
"""


def test_only_loaded_objects_are_fixed() -> None:
    test = load_text("@n = global i32 1\n@x = global i32 0\n" + READER, "fixed.ll")
    assert fixed_objects(test) == {"@n"}
    assert len(unfold(test).paths[0]) == 1  # neither the other branch nor undef


def test_what_an_atomic_load_of_a_constant_returns_is_known() -> None:
    """It is an event, as it may order others, and what depends on it does; but it decides nothing."""
    text = "@n = constant [2 x i32] [i32 1, i32 2]\n@x = global [4 x i32] zeroinitializer\n" + READER
    text = text.replace("load i32, ptr @n", "load atomic i32, ptr getelementptr (i8, ptr @n, i64 4) seq_cst, align 4")
    text = text.replace("ptr @x\n", "ptr %a\n").replace("yes:\n", "yes:\n  %a = getelementptr i32, ptr @x, i32 %n\n")
    (path,) = unfold(load_text(text, "fixed.ll")).paths[0]
    read, write = path.events
    assert (read.kind, write.kind, write.location and write.location.offset) == ("R", "W", 8)
    assert (write.ctrl, write.addr) == ({0}, {0})


def test_variables_of_the_library_are_fixed_where_it_does_not_write_them() -> None:
    text = """@__libc_single_threaded = external global i8
define i32 @main() {
  %thread = alloca i64
  %made = call i32 @pthread_create(ptr %thread, ptr null, ptr @other, ptr null)
  %alone = load i8, ptr @__libc_single_threaded
  %result = zext i8 %alone to i32
  ret i32 %result
}
define ptr @other(ptr %unused) {
  %error = call i32 @pthread_setcancelstate(i32 0, ptr null)
  ret ptr null
}
declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @pthread_setcancelstate(i32, ptr)
"""
    test = load_text(text, "fixed.ll")
    assert len(test.threads) == 2 and fixed_objects(test) == {"@__libc_single_threaded"}


@pytest.mark.parametrize(
    "other",
    [
        "define void @t1() {\n  store i32 2, ptr @n\n  ret void\n}",
        "define void @t1() {\n  %o = atomicrmw add ptr @n, i32 1 monotonic\n  ret void\n}",
        "define void @t1() {\n  store ptr @n, ptr @p\n  ret void\n}",
        "define void @t1() {\n  %s = getelementptr i8, ptr @n, i64 0\n  store i32 2, ptr %s\n  ret void\n}",
        "define void @t1() {\n  call void @set(ptr @n)\n  ret void\n}\n"
        "define void @set(ptr %a) {\n  store i32 2, ptr %a\n  ret void\n}",
        "; THREADS: t0=@t0() t1=@set(ptr @n)\ndefine void @set(ptr %a) {\n  store i32 2, ptr %a\n  ret void\n}",
        "@q = global ptr @n\ndefine void @t1() {\n  %a = load ptr, ptr @q\n  store i32 2, ptr %a\n  ret void\n}",
    ],
)
def test_objects_that_may_be_written_are_not_fixed(other: str) -> None:
    text = "@n = global i32 1\n@x = global i32 0\n@p = global ptr null\n" + READER + other
    test = load_text(text, "fixed.ll")
    assert "@n" not in fixed_objects(test)
