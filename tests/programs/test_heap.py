"""Memory from the heap: fresh objects, and accesses after their end."""

from __future__ import annotations

import pytest

from enumerator import check
from enumerator.errors import InputError
from enumerator.search.tries import GrownTries
from tests.programs.source import outcomes, program

PUBLISH = """
define ptr @work(ptr %argument) {
  %n = call ptr @malloc(i64 8)
  store i32 7, ptr %n
  store atomic ptr %n, ptr @p release, align 8
  ret ptr null
}
"""


def test_a_node_that_is_published() -> None:
    test = program(
        """; EXISTS: main:v = 7
define i32 @main() {
create t @work()
  %n = load atomic ptr, ptr @p acquire, align 8
  %null = icmp eq ptr %n, null
  br i1 %null, label %done, label %read
read:
  %v = load i32, ptr %n
  br label %done
done:
  ret i32 0
}
"""
        + PUBLISH
    )
    assert outcomes(test) == (["main:%v=7;", "main:%v=undef;"], ())


@pytest.mark.parametrize("model", ("llvm", "amdgpu", "rc11", "sc", "tso", "amdgpu-2026"))
@pytest.mark.parametrize(
    ("ends", "flagged"),
    [
        ("join t\n  call void @free(ptr %n)", False),
        ("  call void @free(ptr %n)\njoin t", True),
        ("join t\n  call void @free(ptr %n)\n  call void @free(ptr %n)", True),
        ("join t\n  call void @free(ptr %n)\n  %late = load i32, ptr %n", True),
        ("join t\n  call void @free(ptr null)", False),
    ],
)
def test_memory_that_is_given_back(model: str, ends: str, flagged: bool) -> None:
    test = program(
        f"""; EXISTS: true
define ptr @use(ptr %n) {{
  %v = load i32, ptr %n
  ret ptr null
}}
define i32 @main() {{
  %n = call ptr @malloc(i64 4)
  store i32 1, ptr %n
create t @use(ptr %n)
{ends}
  ret i32 0
}}
"""
    )
    fast, plain = (check(test, model, engine=engine) for engine in ("bitset", "networkx"))
    assert fast.flags == plain.flags
    assert ("ub-free" in fast.flags) == flagged


def test_what_is_no_object_cannot_be_freed() -> None:
    text = "; EXISTS: true\ndefine void @t0() {{\n  %n = call ptr @malloc(i64 8)\n{0}\n  ret void\n}}\n"
    assert check(program(text.format("  call void @free(ptr @x)"))).flags == ("ub", "ub-free")
    inside = "  %m = getelementptr i8, ptr %n, i64 4\n  call void @free(ptr %m)"
    assert check(program(text.format(inside))).flags == ("ub", "ub-free")
    beyond = "  %m = getelementptr i8, ptr %n, i64 8\n  store i32 1, ptr %m"
    assert check(program(text.format(beyond))).flags == ("ub", "ub-address")


def test_fresh_memory_is_undef_or_zero() -> None:
    test = program(
        """; EXISTS: t0:a = undef /\\ t0:b = 0 /\\ t0:c = null
define void @t0() {
  %m = call ptr @malloc(i64 4)
  %z = call ptr @calloc(i64 2, i64 8)
  %a = load i32, ptr %m
  %b = load i64, ptr %z
  %next = getelementptr i8, ptr %z, i64 8
  %c = load ptr, ptr %next
  ret void
}
"""
    )
    assert check(test).observation == "Always"


def test_each_allocation_is_an_object_of_its_own() -> None:
    test = program(
        """; FORALL: t0:v = 1
define void @t0() {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ 1, %loop ]
  %last = phi ptr [ null, %entry ], [ %n, %loop ]
  %n = call ptr @malloc(i64 4)
  %j = add i32 %i, 1
  store i32 %j, ptr %n
  %again = icmp eq i32 %i, 0
  br i1 %again, label %loop, label %done
done:
  %v = load i32, ptr %last
  ret void
}
"""
    )
    assert check(test).observation == "Always"


def test_the_end_of_an_object_is_explained() -> None:
    test = program(
        """; EXISTS: true
define void @t0() {
  %n = call ptr @malloc(i64 4)
  store i32 1, ptr %n
  call void @free(ptr %n)
  call void @free(ptr %n)
  ret void
}
"""
    )
    question = check(test).question
    assert question is not None
    (told,) = question.causes()
    assert told.startswith(
        "ub-free: t0 line 29: free t0:%n = undef is not ordered before the end of its object, t0 line 28"
    )


def test_a_size_that_is_read() -> None:
    """What another thread writes says whether an access is within the object."""
    text = """; EXISTS: true
define void @t0() {
  %n = load atomic i32, ptr @x monotonic, align 4
  %size = zext i32 %n to i64
  %m = call ptr @malloc(i64 %size)
  %last = getelementptr i8, ptr %m, i64 3
  store i8 1, ptr %last
  ret void
}
define void @t1() {
  store atomic i32 4, ptr @x monotonic, align 4
  ret void
}
"""
    assert check(program(text)).flags == ("ub", "ub-address")
    assert check(program(text.replace("i32 4", "i32 3"))).flags == ("ub", "ub-address")
    whole = check(program(text.replace("%m = call", "%m = call ptr @malloc(i64 4)\n  %z = call")))
    assert (whole.observation, whole.flags) == ("Always", ())


def test_a_size_that_is_too_large_is_refused() -> None:
    text = """; EXISTS: true
define void @t0() {
  %n = load i32, ptr @x
  %size = sub i32 %n, 1
  %wide = sext i32 %size to i64
  %m = call ptr @malloc(i64 %wide)
  ret void
}
"""
    with pytest.raises(InputError, match="the size of an allocation is not known, or too large"):
        check(program(text))


SLOT = """
define ptr @lend(ptr %argument) {{
  %cell = alloca i32
  store i32 7, ptr %cell
  store atomic ptr %cell, ptr @p release, align 8
{0}
}}
define ptr @use(ptr %argument) {{
  %n = load atomic ptr, ptr @p acquire, align 8
  %none = icmp eq ptr %n, null
  br i1 %none, label %done, label %read
read:
  %v = load i32, ptr %n
  br label %done
done:
  store atomic i32 1, ptr @x release, align 4
  ret ptr null
}}
"""
LEFT = """; EXISTS: true
define i32 @main() {
create t @lend()
create u @use()
  ret i32 0
}
"""
BY_MAIN = """; EXISTS: true
define i32 @main() {{
  %cell = alloca i32
  store i32 7, ptr %cell
create u @use()
  store atomic ptr %cell, ptr @p release, align 8
{0}
}}
"""
WAITS = """  br label %loop
loop:
  %said = load atomic i32, ptr @x acquire, align 4
  %not.yet = icmp eq i32 %said, 0
  br i1 %not.yet, label %loop, label %over
over:
"""
CALLS = "  %r = call ptr @lend(ptr null)\n"


@pytest.mark.parametrize(
    ("text", "flagged"),
    [
        (LEFT + SLOT.format("  ret ptr null"), True),
        (LEFT + SLOT.format(WAITS + "  ret ptr null"), False),
        (LEFT + SLOT.format("  call void @pthread_exit(ptr null)\n  unreachable"), True),
        (LEFT + SLOT.format(WAITS + "  call void @pthread_exit(ptr null)\n  unreachable"), False),
        (BY_MAIN.format("  ret i32 0") + SLOT.format("  ret ptr null"), False),
        (BY_MAIN.format("  call void @pthread_exit(ptr null)\n  unreachable") + SLOT.format("  ret ptr null"), True),
        (BY_MAIN.format(CALLS + "join u\n  ret i32 0") + SLOT.format("  ret ptr null"), True),
        (BY_MAIN.format(CALLS + "join u\n  ret i32 0") + SLOT.format(WAITS + "  ret ptr null"), False),
    ],
)
def test_stack_slots_that_others_use(text: str, flagged: bool) -> None:
    test = program(text)
    for model in ("llvm", "rc11", "sc", "tso"):
        assert ("ub-free" in outcomes(test, model)[1]) == flagged


def test_a_stack_slot_that_its_thread_uses_after_its_function_has_returned() -> None:
    test = program(
        """; EXISTS: true
define ptr @lend() {
  %cell = alloca i32
  store i32 1, ptr %cell
  ret ptr %cell
}
define void @t0() {
  %cell = call ptr @lend()
  %v = load i32, ptr %cell
  ret void
}
"""
    )
    assert outcomes(test)[1] == ("ub", "ub-free")
    question = check(test).question
    assert question is not None
    (told,) = question.causes()
    assert told == "ub-free: t0 line 32 accesses a stack slot of a function that has returned"


def test_elements_of_a_long_array_are_found_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each element that a thread comes to divides what is set as a whole: the test is not unfolded anew for all."""
    unfolded = []
    unfold = GrownTries.__init__
    monkeypatch.setattr(GrownTries, "__init__", lambda *given, **named: unfolded.append(unfold(*given, **named)))
    creates = "\n".join(
        f"  %p{n} = getelementptr [100 x i32], ptr @table, i64 0, i64 {7 * n}\ncreate t{n} @take(ptr %p{n})"
        for n in range(9)
    )
    joins = "\n".join(f"join t{n}" for n in range(9))
    test = program(
        f"""@table = global [100 x i32] zeroinitializer
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
define ptr @take(ptr %place) {{
  %p = cmpxchg ptr %place, i32 0, i32 1 monotonic monotonic
  ret ptr null
}}
define i32 @main() {{
  call void @llvm.memset.p0.i64(ptr @table, i8 0, i64 400, i1 false)
{creates}
{joins}
  ret i32 0
}}
"""
    )
    assert check(test, "rc11").consistent == 1
    assert len(unfolded) == 5


GROWS = """
declare ptr @realloc(ptr, i64)
define ptr @work(ptr %argument) {
  %n = call ptr @malloc(i64 8)
  store i32 7, ptr %n
  store atomic ptr %n, ptr @p release, align 8
  ret ptr null
}
define i32 @main() {
create t @work()
  %n = load atomic ptr, ptr @p acquire, align 8
  %null = icmp eq ptr %n, null
  br i1 %null, label %done, label %read
read:
  %m = call ptr @realloc(ptr %n, i64 SIZE)
AFTER
  %v = load i32, ptr FROM
  br label %done
done:
  ret i32 0
}
"""


@pytest.mark.parametrize(
    ("size", "from_", "after", "flags"),
    [
        ("4", "%m", "", ()),
        ("24", "%m", "", ()),
        ("24", "%n", "", ("ub", "ub-free")),
        ("2", "%m", "", ("ub", "ub-address")),
        ("0", "@x", "  call ptr @realloc(ptr %n, i64 1)", ("ub", "ub-free")),
        ("8", "%m", "  call void @free(ptr %n)", ("ub", "ub-free")),
    ],
)
def test_memory_that_gets_another_size(size: str, from_: str, after: str, flags: tuple[str, ...]) -> None:
    text = GROWS.replace("SIZE", size).replace("FROM", from_).replace("AFTER", after)
    states, found = outcomes(program(f"; EXISTS: main:v = 7\n{text}"), literally=False)
    assert found == flags
    if not flags:
        assert states == ["main:%v=7;", "main:%v=undef;"]


def test_a_size_of_what_is_no_object_of_the_heap() -> None:
    text = GROWS.replace("SIZE", "4").replace("FROM", "%m").replace("AFTER", "").replace("ptr %n,", "ptr @y,")
    assert outcomes(program(f"; EXISTS: main:v = 7\n{text}"), literally=False)[1] == ("ub", "ub-free")
