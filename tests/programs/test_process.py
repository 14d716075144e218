"""What C programs call besides threads and locks: attributes, data of threads, strings, large atomics, the end."""

from __future__ import annotations

import pytest

from enumerator import check
from enumerator.errors import InputError
from tests.programs.source import outcomes, program

DECLARED = """
declare i32 @pthread_mutexattr_init(ptr)
declare i32 @pthread_mutexattr_settype(ptr, i32)
declare i32 @pthread_key_create(ptr, ptr)
declare i32 @pthread_setspecific(i32, ptr)
declare ptr @pthread_getspecific(i32)
declare ptr @__errno_location()
declare i32 @sem_init(ptr, i32, i32)
declare i32 @sem_trywait(ptr)
declare i32 @sem_timedwait(ptr, ptr)
declare i32 @sem_getvalue(ptr, ptr)
declare i32 @rand()
declare void @exit(i32)
declare i32 @posix_memalign(ptr, i64, i64)
declare ptr @strncpy(ptr, ptr, i64)
declare ptr @strchr(ptr, i32)
declare ptr @memchr(ptr, i32, i64)
declare i32 @memcmp(ptr, ptr, i64)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare ptr @llvm.stacksave.p0()
declare void @llvm.stackrestore.p0(ptr)
declare void @__atomic_load(i64, ptr, ptr, i32)
declare void @__atomic_store(i64, ptr, ptr, i32)
declare void @__atomic_exchange(i64, ptr, ptr, ptr, i32)
declare zeroext i1 @__atomic_compare_exchange(i64, ptr, ptr, ptr, i32, i32)
@m = global [40 x i8] zeroinitializer
@s = global [32 x i8] zeroinitializer
@abc = global [8 x i8] c"abc\\00\\00\\00\\00\\00"
@to = global [8 x i8] c"zzzzzzzz"
@key = global i32 0
@pair = global { ptr, i64 } zeroinitializer, align 16
@cells = global [4 x i32] [i32 1, i32 2, i32 3, i32 4]
"""


def of_main(body: str, asked: str, more: str = "", *, plainly: bool = False) -> tuple[list[str], tuple[str, ...]]:
    """Give the outcomes of a program that only `main` runs; with `plainly`, of the engines that guess as well."""
    test = program(f"; EXISTS: {asked}\n{DECLARED}{more}\ndefine i32 @main() {{\n{body}\n  ret i32 0\n}}\n")
    if plainly:
        return outcomes(test)
    found = check(test, "llvm")
    assert found.status == "complete"
    return [str(state) for state in found.states], found.flags


def test_a_mutex_may_be_made_recursive_by_its_attributes() -> None:
    lock = "call i32 @pthread_mutex_lock(ptr @m)"
    body = f"""
  %a = alloca i32
  call i32 @pthread_mutexattr_init(ptr %a)
  call i32 @pthread_mutexattr_settype(ptr %a, i32 1)
  call i32 @pthread_mutex_init(ptr @m, ptr %a)
  {lock}
  %again = {lock}
  call i32 @pthread_mutex_unlock(ptr @m)
  call i32 @pthread_mutex_unlock(ptr @m)"""
    assert of_main(body, "main:again = 0", plainly=True) == (["main:%again=0;"], ())


@pytest.mark.parametrize(
    ("status", "ends"), [("0", [0, 1]), ("1", []), ("%v", [0]), ("%not", [1])], ids=["zero", "one", "read", "negated"]
)
def test_a_process_ends_with_a_status(status: str, ends: list[int]) -> None:
    body = f"""
create t @work()
  %v = load atomic i32, ptr @x monotonic, align 4
  %not = xor i32 %v, 1
  call void @exit(i32 {status})
  unreachable
dead:"""
    work = "define ptr @work() {\n  store atomic i32 1, ptr @x monotonic, align 4\n  ret ptr null\n}\n"
    states, flags = of_main(body, "main:v = 1", work, plainly=status == "0")
    assert states == [f"main:%v={value};" for value in ends]
    assert flags == (() if len(ends) == 2 else ("assert",))


def test_only_main_may_end_the_process() -> None:
    work = "define ptr @work() {\n  call void @exit(i32 0)\n  unreachable\n}\n"
    with pytest.raises(InputError, match="another thread than main"):
        of_main("create t @work()", "true", work)


def test_data_by_key_and_the_error_number_are_of_each_thread() -> None:
    work = """
define ptr @work() {
  %k = load i32, ptr @key
  %none = call ptr @pthread_getspecific(i32 %k)
  call i32 @pthread_setspecific(i32 %k, ptr @y)
  %e = call ptr @__errno_location()
  store i32 7, ptr %e
  ret ptr %none
}
"""
    body = """
  call i32 @pthread_key_create(ptr @key, ptr null)
  %k = load i32, ptr @key
  call i32 @pthread_setspecific(i32 %k, ptr @x)
create t @work()
join t
  %p = call ptr @pthread_getspecific(i32 %k)
  %e = call ptr @__errno_location()
  %n = load i32, ptr %e"""
    assert of_main(body, "main:p = &@x /\\ main:n = 0", work) == (["main:%n=0; main:%p=@x;"], ())


KEYS = """
define void @destroy(ptr %p) {
  %before = atomicrmw add ptr %p, i32 1 monotonic
  ret void
}
define ptr @work(ptr %p) {
  %k = load i32, ptr @key
  call i32 @pthread_setspecific(i32 %k, ptr %p)
  RETURN
}
"""
RETURNS = "ret ptr null"
EXITS = "call void @pthread_exit(ptr null)\n  unreachable"


@pytest.mark.parametrize("returns", [RETURNS, EXITS], ids=["returns", "exits"])
def test_data_is_destroyed_at_the_end_of_a_thread(returns: str) -> None:
    body = """
  call i32 @pthread_key_create(ptr @key, ptr @destroy)
  %k = load i32, ptr @key
  call i32 @pthread_setspecific(i32 %k, ptr @x)
create t @work(ptr @y)
create u @work(ptr null)
join t
join u
  %a = load i32, ptr @x
  %b = load i32, ptr @y"""
    work = KEYS.replace("RETURN", returns)
    assert of_main(body, "main:a = 0 /\\ main:b = 1", work) == (["main:%a=0; main:%b=1;"], ())


@pytest.mark.parametrize(("before", "flags"), [("", ()), ("call void @free(ptr %p)", ("ub", "ub-free"))])
def test_data_is_freed_at_the_end_of_a_thread(before: str, flags: tuple[str, ...]) -> None:
    """The address of a function of the C library is given to others to call."""
    work = f"""
define ptr @work() {{
  %p = call ptr @malloc(i64 4)
  %k = load i32, ptr @key
  call i32 @pthread_setspecific(i32 %k, ptr %p)
  {before}
  ret ptr null
}}
"""
    body = """
  call i32 @pthread_key_create(ptr @key, ptr @free)
create t @work()
join t"""
    assert of_main(body, "@x = 0", work)[1] == flags


def test_data_of_main_is_destroyed_where_that_thread_ends_before_the_process() -> None:
    body = """
  call i32 @pthread_key_create(ptr @key, ptr @destroy)
create t @wait()
  %k = load i32, ptr @key
  call i32 @pthread_setspecific(i32 %k, ptr @x)
  END
dead:"""
    wait = """
define ptr @wait() {
entry:
  br label %loop
loop:
  %v = load atomic i32, ptr @x acquire, align 4
  %none = icmp eq i32 %v, 0
  br i1 %none, label %loop, label %done
done:
  store i32 1, ptr @y
  ret ptr null
}
""" + KEYS.replace("RETURN", RETURNS)
    states, flags = of_main(body.replace("END", EXITS), "@y = 1", wait)
    assert (states, flags) == (["@y=1;"], ())
    assert of_main(body.replace("END", "ret i32 0"), "@y = 1", wait)[0] in (["@y=0;"], [])


def test_semaphores_that_do_not_wait_say_why() -> None:
    body = """
  %place = alloca i32
  call i32 @sem_init(ptr @s, i32 0, i32 1)
  %one = call i32 @sem_trywait(ptr @s)
  %two = call i32 @sem_trywait(ptr @s)
  %e = call ptr @__errno_location()
  %why = load i32, ptr %e
  %three = call i32 @sem_timedwait(ptr @s, ptr null)
  %then = load i32, ptr %e
  call i32 @sem_getvalue(ptr @s, ptr %place)
  %left = load i32, ptr %place"""
    states, flags = of_main(body, "main:one=0 /\\ main:two=-1 /\\ main:why=11 /\\ main:then=110 /\\ main:left=0")
    assert (states, flags) == (["main:%left=0; main:%one=0; main:%then=110; main:%two=-1; main:%why=11;"], ())


def test_arrays_of_a_length_that_is_computed() -> None:
    body = """
  %n = load i32, ptr @cells
  %two = add i32 %n, 1
  %saved = call ptr @llvm.stacksave.p0()
  %a = alloca i32, i32 %two
  %second = getelementptr i32, ptr %a, i32 1
  store i32 5, ptr %second
  %v = load i32, ptr %second
  call void @llvm.stackrestore.p0(ptr %saved)"""
    assert of_main(body, "main:v = 5") == (["main:%v=5;"], ())


def test_memory_that_is_filled_up_to_a_length_that_is_computed() -> None:
    body = """
  %n = load i64, ptr @pair
  %length = add i64 %n, 12
  call void @llvm.memset.p0.i64(ptr @cells, i8 -1, i64 %length, i1 false)
  %last = getelementptr i32, ptr @cells, i64 3
  %third = getelementptr i32, ptr @cells, i64 2
  %c = load i32, ptr %third
  %d = load i32, ptr %last"""
    assert of_main(body, "main:c = -1 /\\ main:d = 4") == (["main:%c=-1; main:%d=4;"], ())


def test_strings() -> None:
    body = """
  call ptr @strncpy(ptr @to, ptr @abc, i64 8)
  %differ = call i32 @memcmp(ptr @to, ptr @abc, i64 8)
  %b = call ptr @strchr(ptr @to, i32 98)
  %none = call ptr @memchr(ptr @to, i32 120, i64 8)"""
    asked = "main:differ = 0 /\\ main:b = &@to+1 /\\ main:none = null"
    assert of_main(body, asked) == (["main:%b=@to+1; main:%differ=0; main:%none=null;"], ())


def test_a_number_by_chance_is_not_negative() -> None:
    body = """
  %r = call i32 @rand()
  %negative = icmp slt i32 %r, 0"""
    assert of_main(body, "main:negative = 1")[0] == ["main:%negative=0;"]


PUSH = """
define ptr @push(ptr %node) {
entry:
  %known = alloca { ptr, i64 }, align 16
  %next = alloca { ptr, i64 }, align 16
  call void @__atomic_load(i64 16, ptr @pair, ptr %known, i32 0)
  br label %loop
loop:
  %top = load ptr, ptr %known
  %count.place = getelementptr i8, ptr %known, i64 8
  %count = load i64, ptr %count.place
  store ptr %top, ptr %node
  store ptr %node, ptr %next
  %more = add i64 %count, 1
  %more.place = getelementptr i8, ptr %next, i64 8
  store i64 %more, ptr %more.place
  %done = call zeroext i1 @__atomic_compare_exchange(i64 16, ptr @pair, ptr %known, ptr %next, i32 4, i32 0)
  br i1 %done, label %end, label %loop
end:
  ret ptr null
}
@one = global ptr null
@two = global ptr null
"""


def test_a_pointer_and_a_counter_side_by_side() -> None:
    body = """
create t @push(ptr @one)
create u @push(ptr @two)
join t
join u
  %last = alloca { ptr, i64 }, align 16
  call void @__atomic_load(i64 16, ptr @pair, ptr %last, i32 5)
  %top = load ptr, ptr %last
  %place = getelementptr i8, ptr %last, i64 8
  %count = load i64, ptr %place
  %below = load ptr, ptr %top"""
    states = ["main:%below=@one; main:%count=2; main:%top=@two;", "main:%below=@two; main:%count=2; main:%top=@one;"]
    assert of_main(body, "main:count = 2 /\\ ~main:top = main:below", PUSH) == (states, ())


def test_a_large_object_is_stored_and_exchanged_at_once() -> None:
    body = """
  %a = alloca { ptr, i64 }, align 16
  store ptr @x, ptr %a
  %place = getelementptr i8, ptr %a, i64 8
  store i64 3, ptr %place
  call void @__atomic_store(i64 16, ptr @pair, ptr %a, i32 3)
  store i64 4, ptr %place
  %old = alloca { ptr, i64 }, align 16
  call void @__atomic_exchange(i64 16, ptr @pair, ptr %a, ptr %old, i32 5)
  %before.place = getelementptr i8, ptr %old, i64 8
  %before = load i64, ptr %before.place
  %p = load ptr, ptr @pair"""
    assert of_main(body, "main:before = 3 /\\ main:p = &@x") == (["main:%before=3; main:%p=@x;"], ())


PACKED = """
define ptr @push(ptr %node) {
entry:
  %first = load atomic i64, ptr @word monotonic, align 8
  br label %loop
loop:
  %known = phi i64 [ %first, %entry ], [ %found, %loop ]
  %address = and i64 %known, 281474976710655
  %top = inttoptr i64 %address to ptr
  store ptr %top, ptr %node
  %count = lshr i64 %known, 48
  %more = add i64 %count, 1
  %high = shl i64 %more, 48
  %low = ptrtoint ptr %node to i64
  %next = or i64 %high, %low
  %tried = cmpxchg ptr @word, i64 %known, i64 %next release monotonic
  %found = extractvalue { i64, i1 } %tried, 0
  %done = extractvalue { i64, i1 } %tried, 1
  br i1 %done, label %end, label %loop
end:
  ret ptr null
}
@word = global i64 0
@one = global ptr null
@two = global ptr null
"""


def test_a_pointer_and_a_counter_in_one_word() -> None:
    body = """
create t @push(ptr @one)
create u @push(ptr @two)
join t
join u
  %w = load atomic i64, ptr @word monotonic, align 8
  %count = lshr i64 %w, 48
  %address = and i64 %w, 281474976710655
  %top = inttoptr i64 %address to ptr
  %below = load ptr, ptr %top"""
    states = ["main:%below=@one; main:%count=2; main:%top=@two;", "main:%below=@two; main:%count=2; main:%top=@one;"]
    assert of_main(body, "main:count = 2 /\\ ~main:top = main:below", PACKED) == (states, ())


TABLE = """
declare ptr @llvm.load.relative.i64(ptr, i64)
@one = private constant [2 x i8] c"a\\00"
@two = private constant [2 x i8] c"b\\00"
@table = private constant [2 x i32] [
  i32 trunc (i64 sub (i64 ptrtoint (ptr @one to i64), i64 ptrtoint (ptr @table to i64)) to i32),
  i32 trunc (i64 sub (i64 ptrtoint (ptr @two to i64), i64 ptrtoint (ptr @table to i64)) to i32)]
"""


def test_a_table_of_strings_that_clang_makes_relative() -> None:
    body = """
  %text = call ptr @llvm.load.relative.i64(ptr @table, i64 4)
  %byte = load i8, ptr %text"""
    assert of_main(body, "main:byte = 98", TABLE) == (["main:%byte=98;"], ())
