"""Locks and barriers that are used as POSIX and C leave undefined, and as they do not."""

from __future__ import annotations

import pytest

from enumerator import check
from enumerator.program.test import Test
from tests.programs.source import outcomes, program

OBJECTS = """
%mutex = type { i32, i32, i32, i32, i32, i16, i16, { ptr, ptr } }
%barrier = type { i64, [24 x i8] }
@m = global %mutex zeroinitializer
@other = global %mutex zeroinitializer
@again = global %mutex { i32 0, i32 0, i32 0, i32 0, i32 1, i16 0, i16 0, { ptr, ptr } zeroinitializer }
@b = global %barrier zeroinitializer
@s = global i32 0
@rw = global [7 x i64] zeroinitializer
@q = global ptr null
declare i32 @pthread_barrier_destroy(ptr)
declare i32 @pthread_spin_lock(ptr)
declare i32 @pthread_spin_trylock(ptr)
declare i32 @pthread_spin_unlock(ptr)
declare i32 @pthread_spin_destroy(ptr)
declare i32 @pthread_rwlock_rdlock(ptr)
declare i32 @pthread_rwlock_wrlock(ptr)
declare i32 @pthread_rwlock_unlock(ptr)
declare i32 @pthread_rwlock_destroy(ptr)
declare i32 @mtx_init(ptr, i32)
declare i32 @mtx_lock(ptr)
declare i32 @mtx_trylock(ptr)
declare i32 @mtx_unlock(ptr)
declare void @mtx_destroy(ptr)
declare ptr @aligned_alloc(i64, i64)
"""
LOCK, UNLOCK = (f"  call i32 @pthread_mutex_{how}lock(ptr @{{0}})\n" for how in ("", "un"))
DESTROY = "  call i32 @pthread_mutex_destroy(ptr @m)\n"
INIT = "  call i32 @pthread_barrier_init(ptr @b, ptr null, i32 {0})\n"
WAIT, END = (f"  call i32 @pthread_barrier_{how}(ptr @b)\n" for how in ("wait", "destroy"))
SPIN, UNSPIN, NO_SPIN = (f"  call i32 @pthread_spin_{how}(ptr @s)\n" for how in ("lock", "unlock", "destroy"))
READ, WRITE, LEAVE, NO_RW = (
    f"  call i32 @pthread_rwlock_{how}(ptr @rw)\n" for how in ("rdlock", "wrlock", "unlock", "destroy")
)
C_INIT = "  call i32 @mtx_init(ptr @m, i32 {0})\n"
C_LOCK, C_TRY, C_UNLOCK = (f"  call i32 @mtx_{how}(ptr @m)\n" for how in ("lock", "trylock", "unlock"))
C_DESTROY = "  call void @mtx_destroy(ptr @m)\n"
FIND = "  store ptr @m, ptr @q\n  %q = load ptr, ptr @q\n  %q2 = load ptr, ptr @q\n"
FOUND, FOUND_OTHER = "  call i32 @pthread_mutex_lock(ptr %q)\n", "  call i32 @pthread_mutex_unlock(ptr %q2)\n"

ALONE = {
    "unlocked": (UNLOCK.format("m"), "ub-lock"),
    "locked, unlocked": (LOCK.format("m") + UNLOCK.format("m"), None),
    "unlocked twice": (LOCK.format("m") + 2 * UNLOCK.format("m"), "ub-lock"),
    "another": (LOCK.format("m") + UNLOCK.format("other"), "ub-lock"),
    "both": ("".join(each.format(name) for each in (LOCK, UNLOCK) for name in ("m", "other")), None),
    "again and again": (2 * LOCK.format("again") + 2 * UNLOCK.format("again"), None),
    "again, once too often": (2 * LOCK.format("again") + 3 * UNLOCK.format("again"), "ub-lock"),
    "destroyed": (LOCK.format("m") + UNLOCK.format("m") + DESTROY, None),
    "destroyed while held": (LOCK.format("m") + DESTROY, "ub-lock"),
    "found": (FIND + FOUND + FOUND_OTHER, None),
    "found, twice": (FIND + FOUND + FOUND_OTHER + FOUND_OTHER, "ub-lock"),
    "spin": (SPIN + UNSPIN + NO_SPIN, None),
    "spin, unlocked": (UNSPIN, "ub-lock"),
    "spin, destroyed": (SPIN + NO_SPIN, "ub-lock"),
    "read twice": (2 * READ + 2 * LEAVE + NO_RW, None),
    "read, left twice": (READ + 2 * LEAVE, "ub-lock"),
    "written": (WRITE + LEAVE + READ + LEAVE, None),
    "written, destroyed": (WRITE + NO_RW, "ub-lock"),
    "read, destroyed": (READ + NO_RW, "ub-lock"),
    "C": (C_INIT.format(0) + C_LOCK + C_UNLOCK + C_DESTROY, None),
    "C, again": (C_INIT.format(1) + C_LOCK + C_TRY + 2 * C_UNLOCK + C_DESTROY, None),
    "C, unlocked": (C_INIT.format(0) + C_UNLOCK, "ub-lock"),
    "C, destroyed": (C_INIT.format(1) + C_LOCK + C_DESTROY, "ub-lock"),
    "barrier": (INIT.format(1) + 2 * WAIT + END, None),
    "barrier, again": (INIT.format(1) + WAIT + END + INIT.format(1) + WAIT, None),
    "barrier, initialized twice": (2 * INIT.format(2), "ub-barrier"),
    "barrier, never initialized": (WAIT, "ub-barrier"),
    "barrier, of nobody": (INIT.format(0) + WAIT, "ub-barrier"),
    "barrier, gone": (INIT.format(1) + END + WAIT, "ub-barrier"),
    "barrier, gone twice": (INIT.format(1) + 2 * END, "ub-barrier"),
    "aligned": ("  %n = call ptr @aligned_alloc(i64 8, i64 12)\n", None),
    "not aligned": ("  %n = call ptr @aligned_alloc(i64 3, i64 9)\n", "ub-alloc"),
    "aligned at zero": ("  %n = call ptr @aligned_alloc(i64 0, i64 8)\n", "ub-alloc"),
}


def with_objects(text: str) -> Test:
    directive, _, rest = text.partition("\n")
    return program(f"{directive}\n{OBJECTS}{rest}")


@pytest.mark.parametrize("name", sorted(ALONE))
def test_one_thread(name: str) -> None:
    body, flag = ALONE[name]
    test = with_objects(f"; EXISTS: true\ndefine i32 @main() {{\n{body}  ret i32 0\n}}\n")
    for model in ("llvm", "rc11"):
        short = body.count("  call") <= 3  # of others the plain engines list too much
        # What a thread does at a barrier that is gone takes the literal enumerator very long.
        flags = outcomes(test, model, literally=name != "barrier, gone")[1] if short else check(test, model).flags
        assert flags == (() if flag is None else ("ub", flag))


def two(body: str, main: str) -> Test:
    return with_objects(
        f"; EXISTS: true\ndefine ptr @work(ptr %p) {{\n{body}  ret ptr null\n}}\n"
        f"define i32 @main() {{\n{main}  ret i32 0\n}}\n"
    )


BUSY = LOCK.format("m") + UNLOCK.format("m")
SERIAL = """  %r = call i32 @pthread_barrier_wait(ptr @b)
  %last = icmp eq i32 %r, -1
  br i1 %last, label %end, label %done
end:
  call i32 @pthread_barrier_destroy(ptr @b)
  br label %done
done:
"""


@pytest.mark.parametrize("model", ("llvm", "rc11", "sc", "tso"))
@pytest.mark.parametrize(
    ("test", "flags"),
    [
        (two(UNLOCK.format("m"), LOCK.format("m") + "create t @work()\n"), {"ub", "ub-lock"}),
        (two(BUSY, "create t @work()\n" + BUSY + "join t\n" + DESTROY), set()),
        (two(BUSY, "create t @work()\n" + DESTROY), {"ub", "ub-lock", "ub-undef"}),
        (two(SERIAL, INIT.format(2) + "create t @work()\n" + SERIAL), set()),
        (two(WAIT, INIT.format(2) + "create t @work()\n" + END), {"ub", "ub-barrier"}),
        (two(WAIT, INIT.format(1) + "create t @work()\njoin t\n" + END), set()),
        (two(INIT.format(1), INIT.format(1) + "create t @work()\n"), {"ub", "ub-barrier"}),
    ],
)
def test_two_threads(test: Test, flags: set[str], model: str) -> None:
    assert set(check(test, model).flags) == flags


def test_a_recursive_mutex_excludes() -> None:
    text = "".join(each.format("again") for each in (LOCK, LOCK, UNLOCK))
    text += "  %v = load i32, ptr @x\n  %w = add i32 %v, 1\n  store i32 %w, ptr @x\n" + UNLOCK.format("again")
    test = with_objects(
        f"; FORALL: @x = 2\ndefine ptr @work(ptr %p) {{\n{text}  ret ptr null\n}}\n"
        f"define i32 @main() {{\ncreate t @work()\n{text}join t\n  ret i32 0\n}}\n"
    )
    result = check(test)
    assert (result.observation, result.flags, result.positive) == ("Always", (), 2)


def test_a_mutex_that_tells_of_mistakes() -> None:
    """It returns EDEADLK to its holder, and EPERM to others that unlock it, in place of what is undefined."""
    body = "".join(
        f"  %r{place} = call i32 @pthread_mutex_{how}lock(ptr @checked)\n  store i32 %r{place}, ptr @r{place}\n"
        for place, how in enumerate(("un", "", "", "un", "un"))
    )
    globals_ = "".join(f"@r{place} = global i32 9\n" for place in range(5))
    checked = "{ i32 0, i32 0, i32 0, i32 0, i32 2, i16 0, i16 0, { ptr, ptr } zeroinitializer }"
    told = " /\\ ".join(f"@r{place} = {value}" for place, value in enumerate((1, 0, 35, 0, 1)))
    test = with_objects(
        f"; FORALL: {told}\n{globals_}@checked = global %mutex {checked}\n"
        f"define i32 @main() {{\n{body}  ret i32 0\n}}\n"
    )
    result = check(test)
    assert (result.observation, result.flags) == ("Always", ())


def test_the_function_is_named() -> None:
    for name, told in (
        ("unlocked", "calls @pthread_mutex_unlock for a lock that it does not hold"),
        ("destroyed while held", "calls @pthread_mutex_destroy for a lock that is held"),
        ("barrier, never initialized", "calls @pthread_barrier_wait for a barrier that is not initialized"),
        ("not aligned", "asks for memory with an alignment that is no power of two"),
    ):
        question = check(
            with_objects(f"; EXISTS: true\ndefine i32 @main() {{\n{ALONE[name][0]}  ret i32 0\n}}\n")
        ).question
        assert question is not None
        (cause,) = question.causes()
        assert cause.endswith(told)


def met(count: int, *bodies: str) -> Test:
    """Threads at a barrier for so many that is there from the start: its first word says so."""
    test = "".join(f"define void @t{n}() {{\n{body}  ret void\n}}\n" for n, body in enumerate(bodies))
    there = OBJECTS.replace("%barrier zeroinitializer", f"%barrier {{ i64 {count}, [24 x i8] zeroinitializer }}")
    return program(f"; EXISTS: true\n{there}{test}")


def test_a_barrier_and_its_end_agree_in_all_engines() -> None:
    assert outcomes(met(2, WAIT, WAIT))[1] == ()
    assert outcomes(met(1, WAIT, END))[1] == ("ub", "ub-barrier")
    assert outcomes(met(2, WAIT, END))[1] == ("ub", "ub-barrier")
