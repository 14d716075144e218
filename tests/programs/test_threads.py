"""Threads that others create: who they are, what happens before them and after them."""

from __future__ import annotations

import pytest

from enumerator import check
from enumerator.errors import InputError
from enumerator.frontend import load_text
from enumerator.frontend.llvm.library import library_text
from enumerator.frontend.llvm.process import canonical_text
from enumerator.unfold import creation, unfold
from tests.programs.source import outcomes, program

MODELS = ("llvm", "amdgpu", "rc11", "sc", "tso", "llvm/direct", "llvm/filtered", "llvm/rc11", "amdgpu-2026")

WORKER = """
define ptr @work(ptr %argument) {
  %a = load i32, ptr @x
  store i32 7, ptr @y
  ret ptr null
}
"""


def test_llvm_accepts_the_library() -> None:
    assert "define i32 @pthread_join" in canonical_text(library_text(), "threads.ll")


@pytest.mark.parametrize("model", MODELS)
def test_creation_and_join_happen_before_and_after(model: str) -> None:
    test = program(
        """; EXISTS: work:a = 1 /\\ main:b = 7
define i32 @main() {
  store i32 1, ptr @x
create t @work()
join t
  %b = load i32, ptr @y
  ret i32 0
}
"""
        + WORKER
    )
    assert [thread.name for thread in test.threads] == ["main", "work"]
    states, flags = outcomes(test, model)
    assert (states, flags) == (["main:%b=7; work:%a=1;"], ())


def test_without_a_join_nothing_comes_after() -> None:
    text = """; EXISTS: work:a = undef \\/ main:b = undef
define i32 @main() {
create t @work()
  store i32 1, ptr @x
  %b = load i32, ptr @y
  ret i32 0
}
"""
    assert outcomes(program(text + WORKER)) == (["main:%b=undef; work:%a=undef;"], ("race",))


def test_a_thread_that_waits_for_nothing_takes_no_event() -> None:
    """Where nothing comes before the creation, nothing has to be said of it."""
    test = program("define i32 @main() {\ncreate t @work()\ncreate u @work()\n  ret i32 0\n}\n" + WORKER)
    assert [thread.name for thread in test.threads] == ["main", "work.1", "work.2"]
    made = [thread.creation for thread in test.threads]
    assert [each and (each.at_once, each.certain, each.number) for each in made] == [
        None,
        (True, True, 0),
        (True, True, 1),
    ]
    main, first, second = unfold(test).paths
    assert [event.kind for event in main[0].events] == []
    assert len(first) == len(second) == 1
    assert [event.kind for event in first[0].events] == ["R", "W", "W"]  # the end is said: someone might join


def test_arguments_are_passed_and_results_given_back() -> None:
    test = program(
        """; EXISTS: main:v = 5 /\\ adder:n = 3
define ptr @adder(ptr %argument) {
  %n = load i32, ptr %argument
  %m = add i32 %n, 2
  store i32 %m, ptr %argument
  ret ptr %argument
}
define i32 @main() {
  %n = alloca i32
  %result = alloca ptr
  store i32 3, ptr %n
create t @adder(ptr %n)
  %handle = load i64, ptr %slot.t
  call i32 @pthread_join(i64 %handle, ptr %result)
  %r = load ptr, ptr %result
  %v = load i32, ptr %r
  ret i32 0
}
"""
    )
    assert outcomes(test) == (["adder:%n=3; main:%v=5;"], ())


def test_an_argument_that_is_read_goes_through_memory() -> None:
    test = program(
        """; EXISTS: main:q = null /\\ main:v = 0
define ptr @tell(ptr %p) {
  store atomic ptr @y, ptr @p release, align 8
  ret ptr null
}
define ptr @use(ptr %argument) {
  %null = icmp eq ptr %argument, null
  br i1 %null, label %done, label %write
write:
  store i32 1, ptr %argument
  br label %done
done:
  ret ptr null
}
define i32 @main() {
create t @tell()
  %q = load atomic ptr, ptr @p acquire, align 8
create u @use(ptr %q)
join u
  %v = load i32, ptr @y
  ret i32 0
}
"""
    )
    states, flags = outcomes(test)
    assert (states, flags) == (["main:%q=@y; main:%v=1;", "main:%q=null; main:%v=0;"], ())
    assert test.threads[2].creation is not None and test.threads[2].creation.argument is None


def test_a_function_without_parameters_ignores_its_argument() -> None:
    """C programs write ``void *thread() { … }``."""
    text = """; EXISTS: main:v = 1
define ptr @set() {
  store atomic i32 1, ptr @x release, align 4
  ret ptr null
}
define i32 @main() {
  %argument = load atomic ptr, ptr @p monotonic, align 8
create t @set(ARGUMENT)
  %v = load atomic i32, ptr @x acquire, align 4
  ret i32 0
}
"""
    for argument in ("ptr null", "ptr %argument"):  # one that is known at once, and one that is read
        states, flags = outcomes(program(text.replace("ARGUMENT", argument)))
        assert (states, flags) == (["main:%v=0;", "main:%v=1;"], ())


@pytest.mark.parametrize("model", ("llvm", "rc11", "sc"))
def test_a_thread_that_only_some_executions_create(model: str) -> None:
    test = program(
        """; EXISTS: main:v = 1 /\\ @y = 7
define ptr @tell(ptr %p) {
  store atomic i32 1, ptr @x monotonic, align 4
  ret ptr null
}
define ptr @work(ptr %p) {
  store atomic i32 7, ptr @y monotonic, align 4
  ret ptr null
}
define i32 @main() {
create t @tell()
  %v = load atomic i32, ptr @x monotonic, align 4
  %c = icmp eq i32 %v, 1
  br i1 %c, label %then, label %done
then:
create u @work()
  br label %done
done:
  ret i32 0
}
"""
    )
    assert outcomes(test, model) == (["main:%v=0; @y=0;", "main:%v=1; @y=7;"], ())


def test_threads_create_threads_and_leave_early() -> None:
    test = program(
        """; EXISTS: main:v = 2
define ptr @inner(ptr %p) {
  store i32 2, ptr @x
  call void @pthread_exit(ptr null)
  unreachable
}
define ptr @outer(ptr %p) {
create t @inner()
join t
  call void @leave()
  store i32 9, ptr @x
  ret ptr null
}
define void @leave() {
  call void @pthread_exit(ptr null)
  ret void
}
define i32 @main() {
create t @outer()
join t
  %v = load i32, ptr @x
  ret i32 0
}
"""
    )
    assert [thread.name for thread in test.threads] == ["main", "outer", "inner"]
    assert outcomes(test) == (["main:%v=2;"], ())


def test_a_join_of_a_thread_that_waits_for_ever() -> None:
    test = program(
        """; EXISTS: stuck
define ptr @wait(ptr %p) {
  br label %loop
loop:
  %v = load atomic i32, ptr @x acquire, align 4
  %c = icmp eq i32 %v, 0
  br i1 %c, label %loop, label %done
done:
  ret ptr null
}
define i32 @main() {
create t @wait()
join t
  ret i32 0
}
"""
    )
    assert outcomes(test) == (["stuck=1;"], ("stuck",))


def test_threads_in_a_loop_that_ends() -> None:
    test = program(
        """; FORALL: @x = 3
define ptr @work(ptr %p) {
  %old = atomicrmw add ptr @x, i32 1 monotonic
  ret ptr null
}
define i32 @main() {
entry:
  %slots = alloca [3 x i64]
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %slot = getelementptr [3 x i64], ptr %slots, i64 0, i64 %i
  %r = call i32 @pthread_create(ptr %slot, ptr null, ptr @work, ptr null)
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, 3
  br i1 %more, label %loop, label %done
done:
  ret i32 0
}
"""
    )
    assert [thread.name for thread in test.threads] == ["main", "work.1", "work.2", "work.3"]
    assert check(test).observation == "Always"


@pytest.mark.parametrize(("writes", "found"), [("ptr @x, align 4", 3), ("ptr @threads, align 4", 4)])
def test_how_many_threads_there_are_may_be_read(writes: str, found: int) -> None:
    """What is read decides for certain if nobody writes it; and what new threads write may lead to further ones."""
    test = program(
        f"""; EXISTS: @x = 1
@threads = global i32 1
define i32 @main() {{
  %n = load i32, ptr @threads
  %many = icmp sgt i32 %n, 0
  br i1 %many, label %first, label %end
first:
create a @work()
create b @work()
  %m = load i32, ptr @threads
  %more = icmp sgt i32 %m, 1
  br i1 %more, label %second, label %end
second:
create c @work()
  br label %end
end:
  ret i32 0
}}
define ptr @work(ptr %argument) {{
  store atomic i32 2, {writes.replace(", align", " monotonic, align")}
  ret ptr null
}}
"""
    )
    assert len(test.threads) == found
    certain = [thread.creation.certain for thread in test.threads if thread.creation is not None]
    assert certain == ([True] * 2 if found == 3 else [False] * 3)


def test_a_thread_id_is_no_address() -> None:
    """What stands for a thread is memory of the library: a program that accesses it has undefined behaviour."""
    test = program(
        """; EXISTS: true
define ptr @work(ptr %p) {
  ret ptr null
}
define i32 @main() {
create t @work()
  %a = load i64, ptr %slot.t
  %b = inttoptr i64 %a to ptr
  %v = load i32, ptr %b
  ret i32 %v
}
"""
    )
    assert check(test).flags == ("ub", "ub-address")


def test_a_join_of_no_thread_is_undefined() -> None:
    test = program(
        """; EXISTS: true
define ptr @work(ptr %p) {
  ret ptr null
}
define i32 @main() {
create t @work()
  call i32 @pthread_join(i64 12345, ptr null)
  ret i32 0
}
"""
    )
    assert check(test).flags == ("ub", "ub-address")
    text = "define i32 @main() {\n  %s = alloca i64\n  %h = load i64, ptr %s\ncreate t @work()\n"
    undef = program(text + "  call i32 @pthread_join(i64 %h, ptr null)\n  ret i32 0\n}\n" + WORKER)
    assert check(undef).flags == ("ub", "ub-undef")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            "call i32 @pthread_create(ptr %s, ptr null, ptr @x, ptr null)",
            "a thread is created whose function is not known",
        ),
        ("call i32 @pthread_kill(i64 0, i32 9)", "instruction not covered: %2 = call i32 @pthread_kill"),
    ],
)
def test_what_is_not_covered(call: str, message: str) -> None:
    text = f"""declare i32 @pthread_kill(i64, i32)
define i32 @main() {{
create t @work()
  %s = alloca i64
  {call}
  ret i32 0
}}
"""
    with pytest.raises(InputError, match=message) as error:
        check(program(text + WORKER))
    assert error.value.line is not None


HALVES = """define ptr @sum(ptr %argument) {
entry:
  %left = alloca i32
  %n = load READ
  %last = icmp sle i32 %n, 1
  br i1 %last, label %done, label %more
more:
  %half = sdiv i32 %n, 2
  store i32 %half, ptr %left
create t @sum(ptr %left)
join t
  br label %done
done:
  ret ptr null
}
define i32 @main() {
  %n = alloca i32
  store i32 4, ptr %n
create s @sum(ptr %n)
  store atomic i32 1, ptr @x monotonic, align 4
join s
  ret i32 0
}
"""


def test_how_many_threads_there_are_may_stand_in_memory_of_their_creators() -> None:
    """Nobody writes there any more once the thread has been created that reads it."""
    test = program(HALVES.replace("READ", "i32, ptr %argument"))
    assert [thread.name for thread in test.threads] == ["main", "sum.1", "sum.2", "sum.3"]
    result = check(test, "rc11")
    assert (result.status, result.cut, result.consistent) == ("complete", 0, 1)


def test_threads_that_only_might_be_created_are_not_said_to_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(creation, "_MOST_THREADS", 4)
    with pytest.raises(InputError, match="more than 4 threads might be created: what decides on that is read"):
        program(HALVES.replace("READ", "atomic i32, ptr @x monotonic, align 4"))


def test_directives_name_created_threads() -> None:
    text = """; SCOPES: (agent (workgroup main) (workgroup work))
; EXISTS: work:a = 0
define i32 @main() {
create t @work()
  ret i32 0
}
"""
    test = program(text + WORKER.replace("ret ptr null", 'fence syncscope("agent") release\n  ret ptr null'))
    assert test.placements["main"].instance(4) == test.placements["work"].instance(4)
    assert check(test).observation == "Always"


def test_variables_of_which_each_thread_has_one() -> None:
    test = program(
        """; EXISTS: @own.main = 1 /\\ @own.work = 6
@own = thread_local global i32 5
declare ptr @llvm.threadlocal.address.p0(ptr)
define void @step() {
  %place = call ptr @llvm.threadlocal.address.p0(ptr @own)
  %v = load i32, ptr %place
  %w = add i32 %v, 1
  store i32 %w, ptr %place
  ret void
}
define ptr @work(ptr %p) {
  call void @step()
  ret ptr null
}
define i32 @main() {
  store i32 0, ptr @own
create t @work()
  call void @step()
  ret i32 0
}
"""
    )
    assert outcomes(test) == (["@own.main=1; @own.work=6;"], ())


def test_indirect_calls_and_assumptions() -> None:
    test = program(
        """; EXISTS: main:k = 1 /\\ @y = 2
@table = global [2 x ptr] [ptr @one, ptr @two]
define void @one() {
  store i32 1, ptr @y
  ret void
}
define void @two() {
  store i32 2, ptr @y
  ret void
}
define ptr @work(ptr %p) {
  store atomic i32 1, ptr @x monotonic, align 4
  ret ptr null
}
define i32 @main() {
create t @work()
  %k = load atomic i32, ptr @x monotonic, align 4
  %place = getelementptr [2 x ptr], ptr @table, i32 0, i32 %k
  %function = load ptr, ptr %place
  call void asm sideeffect "", "~{memory}"()
  call void %function()
  ret i32 0
}
"""
    )
    states, flags = outcomes(test)
    assert (states, flags) == (["main:%k=0; @y=1;", "main:%k=1; @y=2;"], ())


@pytest.mark.parametrize("call", ("call void @__VERIFIER_assume(i32 %v)", "call void @llvm.assume(i1 %c)"))
def test_executions_in_which_an_assumption_is_false_do_not_count(call: str) -> None:
    test = program(
        f"""; FORALL: main:v = 1
define ptr @work(ptr %p) {{
  store atomic i32 1, ptr @x monotonic, align 4
  ret ptr null
}}
define i32 @main() {{
create t @work()
  %v = load atomic i32, ptr @x monotonic, align 4
  %c = icmp eq i32 %v, 1
  {call}
  ret i32 0
}}
"""
    )
    assert outcomes(test) == (["main:%v=1;"], ())


def test_an_assumption_about_what_the_thread_has_written_itself() -> None:
    """What is written before an assumption is found though no way that goes on after it is known at first."""
    test = program(
        """; EXISTS: one:v = 1 /\\ @y = 1
define void @one() {
  store atomic i32 1, ptr @x monotonic, align 4
  %v = load atomic i32, ptr @x monotonic, align 4
  %c = icmp eq i32 %v, 1
  call void @llvm.assume(i1 %c)
  store i32 %v, ptr @y
  ret void
}
"""
    )
    for model in ("llvm", "rc11"):
        assert outcomes(test, model) == (["one:%v=1; @y=1;"], ())


def test_a_program_without_a_condition_asks_for_failures() -> None:
    result = check(program("define i32 @main() {\ncreate t @work()\n  ret i32 0\n}\n" + WORKER))
    assert (result.quantifier, result.condition, result.verdict) == ("never", "assert", "Ok")


def test_what_is_done_before_creations_is_followed_once() -> None:
    """A loop of compare-exchanges before the creation takes one way only, as nobody else is there yet."""
    test = program(
        """; EXISTS: main:b = 7
define i32 @main() {
entry:
  br label %loop
loop:
  %old = phi i32 [ 0, %entry ], [ %next, %again ]
  %next = add i32 %old, 1
  %tried = cmpxchg ptr @x, i32 %old, i32 %next acq_rel monotonic
  %done = extractvalue { i32, i1 } %tried, 1
  br i1 %done, label %again, label %fail
again:
  %last = icmp eq i32 %next, 40
  br i1 %last, label %go, label %loop
fail:
  call void @abort()
  unreachable
go:
create t @work()
join t
  %b = load i32, ptr @y
  ret i32 0
}
"""
        + WORKER
    )
    assert [thread.name for thread in test.threads] == ["main", "work"]


def test_what_others_write_may_lead_to_a_creation() -> None:
    """What is assumed before a creation is read from a thread that creates none itself."""
    text = """; EXISTS: true
define ptr @say(ptr %argument) {
  store atomic i32 42, ptr @x release, align 4
  ret ptr null
}
define ptr @nest(ptr %argument) {
  %seen = load atomic i32, ptr @x acquire, align 4
  %is = icmp eq i32 %seen, 42
  call void @llvm.assume(i1 %is)
create n @work()
  ret ptr null
}
define i32 @main() {
create s @say()
create t @nest()
  ret i32 0
}
"""
    assert [thread.name for thread in program(text + WORKER).threads] == ["main", "say", "nest", "work"]


def test_printing_and_sleeping_do_nothing() -> None:
    test = program(
        """; EXISTS: main:b = 7
declare i32 @printf(ptr, ...)
declare i32 @puts(ptr)
declare i32 @usleep(i32)
@text = constant [3 x i8] c"%d\\00"
define i32 @main() {
create t @work()
  %slept = call i32 @usleep(i32 10)
join t
  %b = load i32, ptr @y
  %n = call i32 (ptr, ...) @printf(ptr @text, i32 %b)
  %m = call i32 @puts(ptr @text)
  ret i32 0
}
"""
        + WORKER
    )
    result = check(test, "rc11")
    assert (result.observation, result.consistent, result.flags) == ("Always", 1, ())


PAUSES = """declare i32 @poll(ptr, i64, i32)
declare i32 @select(i32, ptr, ptr, ptr, ptr)
define i32 @main() {
create t @work()
  %polled = call i32 @poll(ptr null, i64 0, i32 10)
  %selected = call i32 @select(i32 0, ptr null, ptr null, ptr null, ptr @x)
join t
  %sum = add i32 %polled, %selected
  ret i32 0
}
"""


def test_to_look_at_no_files_is_to_sleep() -> None:
    result = check(program("; EXISTS: main:sum = 0\n" + PAUSES + WORKER), "rc11")
    assert (result.observation, result.consistent, result.flags) == ("Always", 1, ())


@pytest.mark.parametrize(
    ("given", "instead", "message"),
    [
        ("i64 0, i32 10", "i64 1, i32 10", "poll.of.files.or.without.an.end"),
        ("i64 0, i32 10", "i64 0, i32 -1", "poll.of.files.or.without.an.end"),
        ("i32 0, ptr null, ptr null", "i32 1, ptr null, ptr @y", "select.of.files.or.without.an.end"),
        ("ptr @x)", "ptr null)", "select.of.files.or.without.an.end"),
    ],
)
def test_to_look_at_files_or_to_sleep_for_ever_is_not_covered(given: str, instead: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        check(program(PAUSES.replace(given, instead) + WORKER), "rc11")


@pytest.mark.parametrize("model", ["rc11", "llvm"])
def test_a_thread_may_return_what_is_undef(model: str) -> None:
    text = """; EXISTS: main:b = 7
define ptr @nothing(ptr %argument) {
  store i32 7, ptr @y
  ret ptr undef
}
define i32 @main() {
create t @nothing()
join t
  %b = load i32, ptr @y
  ret i32 0
}
"""
    result = check(program(text), model)
    assert (result.observation, result.consistent, result.flags) == ("Always", 1, ())


def test_waiting_for_a_futex() -> None:
    """The loop around it waits; the call itself may end at any time."""
    text = """; EXISTS: main:b = 7
declare i64 @syscall(i64, ...)
@flag = global i32 0
define ptr @send(ptr %argument) {
  store i32 7, ptr @y
  store atomic i32 1, ptr @flag release, align 4
  %woken = call i64 (i64, ...) @syscall(i64 202, ptr @flag, i32 129, i32 1)
  ret ptr null
}
define i32 @main() {
create t @send()
  br label %look
look:
  %f = load atomic i32, ptr @flag acquire, align 4
  %set = icmp eq i32 %f, 1
  br i1 %set, label %go, label %wait
wait:
  %waited = call i64 (i64, ...) @syscall(i64 202, ptr @flag, i32 128, i32 0, ptr null)
  br label %look
go:
  %b = load i32, ptr @y
  ret i32 0
}
"""
    result = check(program(text), "rc11")
    assert (result.observation, result.consistent, result.flags) == ("Always", 1, ())
    assert any("a wake-up that is missing is not shown" in note for note in result.notes)


def test_other_system_calls_are_refused() -> None:
    text = """; EXISTS: true
declare i64 @syscall(i64, ...)
define i32 @main() {
  %n = call i64 (i64, ...) @syscall(i64 39)
  ret i32 0
}
"""
    with pytest.raises(InputError, match="futex"):
        check(program(text), "rc11")


NUMBERED = """; EXISTS: true
@count = global i32 2
@x = global i32 0
@ids = global [2 x i32] [i32 1, i32 2]
@slots = global [4 x i32] zeroinitializer
@own = thread_local global i32 0
declare i32 @pthread_create(ptr, ptr, ptr, ptr)
define ptr @f(ptr %arg) {
entry:
  %t = load i32, ptr %arg
  store i32 %t, ptr @own
  br label %try
try:
  %old = load atomic i32, ptr @x monotonic, align 4
  %mine = load i32, ptr @own
  %slot = getelementptr [4 x i32], ptr @slots, i32 0, i32 %mine
  store i32 %old, ptr %slot
  %new = add i32 %old, %mine
  %p = cmpxchg ptr @x, i32 %old, i32 %new acq_rel monotonic
  %ok = extractvalue { i32, i1 } %p, 1
  br i1 %ok, label %done, label %try
done:
  ret ptr null
}
define i32 @main() {
entry:
  %t = alloca i64
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %create ]
  %n = load i32, ptr @count
  %more = icmp slt i32 %i, %n
  br i1 %more, label %create, label %done
create:
  %id = getelementptr [2 x i32], ptr @ids, i32 0, i32 %i
  call i32 @pthread_create(ptr %t, ptr null, ptr @f, ptr %id)
  %next = add i32 %i, 1
  br label %loop
done:
  ret i32 0
}
"""


@pytest.mark.parametrize("model", ["rc11", "llvm"])
def test_thread_local_indices_while_threads_are_sought(model: str) -> None:
    """Where threads are still to be found, it is not known yet where their variables are."""
    result = check(load_text(NUMBERED, "numbered.ll"), model)
    assert (result.verdict, result.status, result.flags) == ("Ok", "complete", ())


CAPTURED = """; EXISTS: main:v = 1 /\\ main:w = 2
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define ptr @work(ptr %p) {
  %next = getelementptr ptr, ptr %p, i64 1
  %a = load ptr, ptr %p
  %b = load ptr, ptr %next
  store i32 1, ptr %a
  store i32 2, ptr %b
  ret ptr null
}
define i32 @main() {
  %a = alloca i32
  %b = alloca i32
  %pair = alloca { ptr, ptr }
  %second = getelementptr { ptr, ptr }, ptr %pair, i32 0, i32 1
  store ptr %a, ptr %pair
  store ptr %b, ptr %second
  %copy = call ptr @malloc(i64 16)
  call void @llvm.memcpy.p0.p0.i64(ptr %copy, ptr %pair, i64 16, i1 false)
create t @work(ptr %copy)
join t
  %v = load i32, ptr %a
  %w = load i32, ptr %b
  ret i32 0
}
"""


@pytest.mark.parametrize("model", MODELS)
def test_addresses_that_are_copied_together(model: str) -> None:
    """As a lambda's that captures two variables is."""
    found = check(program(CAPTURED), model)
    assert ([str(state) for state in found.states], found.flags) == (["main:%v=1; main:%w=2;"], ())


COUNTED = """; EXISTS: true
@n = global i32 5
@cells = global [8 x i32] zeroinitializer
@threads = global [8 x i64] zeroinitializer
define ptr @work(ptr %p) {{
  %before = atomicrmw add ptr @x, i32 1 monotonic
  ret ptr null
}}
define i32 @main() {{
entry:
  {first}
  br label %fill
fill:
  %i = phi i32 [ 0, %entry ], [ %next, %fill ]
  %cell = getelementptr i32, ptr @cells, i32 %i
  store i32 %i, ptr %cell
  %next = add i32 %i, 1
  %n = load i32, ptr @n
  %more = icmp slt i32 %next, %n
  br i1 %more, label %fill, label %begin
begin:
  %j = phi i32 [ 0, %fill ], [ %after, %begin ]
  %place = getelementptr i64, ptr @threads, i32 %j
  call i32 @pthread_create(ptr %place, ptr null, ptr @work, ptr null)
  %after = add i32 %j, 1
  %m = load i32, ptr @n
  {some}
  %others = icmp slt i32 %after, %some
  br i1 %others, label %begin, label %done
done:
  ret i32 0
}}
"""


@pytest.mark.parametrize("model", ("rc11", "llvm"))
@pytest.mark.parametrize(
    ("first", "some", "threads"),
    [("", "%some = sub i32 %m, 1", 4), ("store i32 6, ptr @n", "%some = add i32 0, 2", 2)],
    ids=["nobody writes it", "main writes it before"],
)
def test_loops_up_to_a_number_that_is_read(first: str, some: str, threads: int, model: str) -> None:
    """They are not cut at the bound before others are created, nor where nobody writes the number."""
    test = program(COUNTED.format(first=first, some=some))
    assert len(test.threads) == threads + 1
    found = check(test, model, unroll=2)
    assert (found.status, found.cut, found.flags) == ("complete", 0, ())


HALVED_WORK = """; EXISTS: @total = HIGH
@total = global i32 0
define ptr @sum(ptr %job) {
  %low = load i32, ptr %job
  %place = getelementptr i32, ptr %job, i64 1
  %high = load i32, ptr %place
  %many = sub i32 %high, %low
  %one = icmp eq i32 %many, 1
  br i1 %one, label %leaf, label %split
leaf:
  %old = atomicrmw add ptr @total, i32 1 monotonic
  ret ptr null
split:
  %left = alloca [2 x i32]
  %right = alloca [2 x i32]
  %both = add i32 %low, %high
  %middle = udiv i32 %both, 2
  store i32 %low, ptr %left
  %left.high = getelementptr i32, ptr %left, i64 1
  store i32 %middle, ptr %left.high
  store i32 %middle, ptr %right
  %right.high = getelementptr i32, ptr %right, i64 1
  store i32 %high, ptr %right.high
  create half @sum(ptr %left)
  %own = call ptr @sum(ptr %right)
  join half
  ret ptr null
}
define i32 @main() {
  %job = alloca [2 x i32]
  store i32 0, ptr %job
  %high = getelementptr i32, ptr %job, i64 1
  store i32 HIGH, ptr %high
  %done = call ptr @sum(ptr %job)
  ret i32 0
}
"""


@pytest.mark.parametrize(("high", "threads", "executions"), [(2, 2, 2), (4, 4, 24)])
def test_threads_that_a_function_creates_for_halves_of_its_work(high: int, threads: int, executions: int) -> None:
    """What each call has on its stack is its own: no other thread says how often the work is halved."""
    test = program(HALVED_WORK.replace("HIGH", str(high)))
    assert len(test.threads) == threads
    found = check(test, "rc11")
    assert (found.status, found.consistent, found.observation) == ("complete", executions, "Always")


AS_MANY = """; NEVER: assert
@total = global i32 0
define ptr @work(ptr %argument) {
  ret ptr null
}
define i32 @main() {
entry:
  store atomic i32 TOTAL, ptr @total seq_cst, align 4
  br label %test
test:
  %i = phi i32 [ 0, %entry ], [ %next, %more ]
  %all = load atomic i32, ptr @total seq_cst, align 4
  %left = icmp slt i32 %i, %all
  br i1 %left, label %more, label %end
more:
  create t @work()
  %next = add i32 %i, 1
  br label %test
end:
  ret i32 0
}
"""


@pytest.mark.parametrize("total", (3, 5, 8))
def test_as_many_threads_as_a_variable_says(total: int) -> None:
    """The loop looks at the variable again each time; nobody else writes there."""
    test = program(AS_MANY.replace("TOTAL", str(total)))
    assert len(test.threads) == 1 + total
    found = check(test, "rc11")
    assert (found.status, found.consistent, found.observation) == ("complete", 1, "Never")
