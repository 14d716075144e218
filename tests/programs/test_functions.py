"""What ordinary programs do beside threads: strings, copies of any length, structs by value, variables of a thread."""

from __future__ import annotations

from pathlib import Path

import pytest

from enumerator import check, load
from enumerator.errors import InputError
from enumerator.frontend import load_text
from enumerator.frontend.compiled import Compiler
from enumerator.program.test import Test
from tests.programs.source import needs_clang, outcomes, program

HEAD = """#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#define START pthread_t a, b; pthread_create(&a, 0, one, 0); pthread_create(&b, 0, two, 0)
#define END pthread_join(a, 0); pthread_join(b, 0)
"""
STRINGS = """char *_Atomic p;
static void *one(void *x) { char *s = malloc(8); strcpy(s, "hi"); atomic_store(&p, s); return 0; }
static void *two(void *x) {
  char *s = atomic_load(&p);
  if (s) { char *c = strdup(s); assert(strlen(c) == 2 && !strcmp(c, "hi") && strncmp(c, "ho", 2) < 0); free(c); }
  return 0;
}
int main(void) { START; END; }
"""
COPIES = """char text[8]; atomic_int size;
static void *one(void *x) { int n = 3; memcpy(text, "abc", n); atomic_store(&size, n); return 0; }
static void *two(void *x) {
  char got[8] = {0};
  int n = atomic_load(&size);
  memcpy(got, text, n);
  assert(n == 0 || !strcmp(got, "abc"));
  memset(got, 0, n);
  assert(!got[0]);
  return 0;
}
int main(void) { START; END; }
"""
BY_VALUE = """struct big { long part[5]; } all = {{1, 2, 3, 4, 5}};
atomic_long sum;
__attribute__((noinline)) static void use(struct big b) { b.part[1]++; sum += b.part[1] + b.part[4]; }
static void *one(void *x) { use(all); return 0; }
static void *two(void *x) { use(all); return 0; }
int main(void) { START; END; assert(sum == 16 && all.part[1] == 2); }
"""
PAUSES = """atomic_int set; int data;
static void *one(void *x) { data = 1; set = 1; return 0; }
static void *two(void *x) { while (!set) __asm__ volatile("pause" ::: "memory"); assert(data == 1); return 0; }
int main(void) { START; END; }
"""
RACES = COPIES.replace("atomic_store(&size, n)", "atomic_store_explicit(&size, n, memory_order_relaxed)")


@needs_clang
@pytest.mark.parametrize("level", ["0", "1"])
@pytest.mark.parametrize("source", [STRINGS, COPIES, BY_VALUE, PAUSES], ids=["strings", "copies", "by value", "pauses"])
def test_functions(source: str, level: str, tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(HEAD + source)
    result = check(load(path, compiler=Compiler(level=level)), "rc11")
    assert (result.observation, result.status, result.flags) == ("Never", "complete", ())


@needs_clang
def test_a_copy_of_a_length_races(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(HEAD + RACES)
    assert check(load(path), "rc11").undefined_by


@needs_clang
def test_a_length_that_is_too_large(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(
        HEAD + COPIES.replace("text[8]", "text[5000]").replace("n = 3", "n = 4000").replace("memcpy", "memmove")
    )
    with pytest.raises(InputError, match="length"):
        check(load(path, compiler=Compiler(level="0")), "rc11")


THREAD_LOCAL = """#include <atomic>
#include <cassert>
#include <semaphore>
#include <thread>
std::atomic<int> n;
int draw() { return n++; }
thread_local int number = draw();
int main() {
  int a = 0, b = 0;
  std::thread t([&] { a = number; a = number; }), u([&] { b = number; });
  t.join(); u.join();
  assert(a != b && n == 2);
}
"""


# The last object that a thread has made goes first, then what is made meanwhile.
DESTROYED = """#include <atomic>
#include <cassert>
#include <thread>
std::atomic<int> order;
struct Late { int n = 3; ~Late() { order = order * 10 + n; } };
struct Second { int n = 2; ~Second(); };
struct First { int n = 1; ~First() { order = order * 10 + n; } };
thread_local First first;
thread_local Second second;
int main() { std::thread t([] { first.n = 1; second.n = 2; }); t.join(); assert(order == 231); }
Second::~Second() { order = order * 10 + n; static thread_local Late late; late.n = 3; }
"""
STRIPES = """#include <atomic>
#include <cassert>
#include <thread>
std::atomic<int> total;
struct Stripe { int n = 0; ~Stripe() { ADD; } };
thread_local Stripe stripe;
int main() {
  auto work = [] { stripe.n++; stripe.n++; };
  std::thread a(work), b(work);
  a.join(); b.join(); assert(total == 4);
}
"""


def compiled(text: str, folder: Path, level: str) -> Test:
    path = folder / "program.cpp"
    path.write_text(text)
    try:
        return load(path, compiler=Compiler(level=level))
    except InputError as error:
        if "file not found" in error.message:
            pytest.skip(error.message)
        raise


@needs_clang
@pytest.mark.parametrize("level", ["0", "1"])
def test_variables_of_a_thread_that_a_function_makes(level: str, tmp_path: Path) -> None:
    result = check(compiled(THREAD_LOCAL, tmp_path, level), "rc11")
    assert (result.observation, result.status, result.flags) == ("Never", "complete", ())


@needs_clang
@pytest.mark.parametrize("level", ["0", "1"])
@pytest.mark.parametrize("model", ["rc11", "llvm"])
def test_variables_of_a_thread_are_destroyed_at_its_end(model: str, level: str, tmp_path: Path) -> None:
    """A destructor may be known by another name of it, as without optimization."""
    result = check(compiled(DESTROYED, tmp_path, level), model)
    assert (result.observation, result.status, result.flags) == ("Never", "complete", ())
    result = check(compiled(STRIPES.replace("ADD", "total += n"), tmp_path, level), model)
    assert (result.observation, result.status, result.flags, result.consistent) == ("Never", "complete", (), 2)
    result = check(compiled(STRIPES.replace("ADD", "total = total + n"), tmp_path, level), model)
    assert (result.observation, result.status, result.flags) == ("Sometimes", "complete", ("assert",))


def test_functions_of_verifiers() -> None:
    """Any value is one value: what is compared with it twice comes out the same. Which ones are tried differs."""
    test = program(
        """; EXISTS: @x = 1
declare i32 @__VERIFIER_nondet_int()
declare void @__VERIFIER_assert(i32)
declare zeroext i1 @__VERIFIER_nondet_bool()
declare void @__VERIFIER_loop_bound(i32)
define ptr @work(ptr %p) {
  %any = call i32 @__VERIFIER_nondet_int()
  call void @__VERIFIER_loop_bound(i32 3)
  %large = icmp sgt i32 %any, 7
  %small = icmp slt i32 %any, 8
  %one = xor i1 %large, %small
  %holds = zext i1 %one to i32
  call void @__VERIFIER_assert(i32 %holds)
  %either = call zeroext i1 @__VERIFIER_nondet_bool()
  %both = and i1 %either, %large
  %value = zext i1 %both to i32
  store atomic i32 %value, ptr @x monotonic, align 4
  ret ptr null
}
define i32 @main() {
create t @work()
join t
  ret i32 0
}
"""
    )
    states, flags = outcomes(test, literally=False)
    assert ({state.split()[-1] for state in states}, flags) == ({"@x=0;", "@x=1;"}, ())


def test_an_assertion_of_verifiers_fails() -> None:
    test = program(
        """declare i32 @__VERIFIER_nondet_int()
declare void @__VERIFIER_assert(i32)
define ptr @work(ptr %p) {
  %any = call i32 @__VERIFIER_nondet_int()
  %other = icmp ne i32 %any, 42
  %holds = zext i1 %other to i32
  call void @__VERIFIER_assert(i32 %holds)
  ret ptr null
}
define i32 @main() {
create t @work()
  ret i32 0
}
"""
    )
    assert outcomes(test, literally=False)[1] == ("assert",)


def test_a_loop_that_asks_for_very_many_values() -> None:
    """It has no end that values tell in time: that is a limit, and no error."""
    test = program(
        """declare i32 @__VERIFIER_nondet_int()
define i32 @main() {
entry:
  br label %loop
loop:
  %sum = phi i32 [ 0, %entry ], [ %next, %loop ]
  %any = call i32 @__VERIFIER_nondet_int()
  %is = icmp eq i32 %any, 0
  %step = select i1 %is, i32 2, i32 3
  %next = add i32 %sum, %step
  %ends = icmp eq i32 %next, 1
  br i1 %ends, label %done, label %loop
done:
  ret i32 0
}
"""
    )
    assert check(test, "rc11", timeout=1.0).status in ("timeout", "limit")


TASKS = """; EXISTS: true
; THREADS: t0=@t0 t1=@t1
@task = global ptr @{task}
@started = global ptr @other
@x = global i32 0
define i32 @twice(i32 %n) {{
  %r = mul i32 %n, 2
  ret i32 %r
}}
define ptr @other(ptr %n) {{
  store i32 1, ptr @x
  ret ptr null
}}
define void @t0() {{
  %f = load atomic ptr, ptr @task monotonic, align 8
  %r = call i32 %f(i32 3)
  ret void
}}
define void @t1() {{
  %r = load i32, ptr @x
  ret void
}}
"""


@pytest.mark.parametrize(("task", "flags"), [("twice", ()), ("other", ("ub", "ub-address"))])
@pytest.mark.parametrize("engine", ["bitset", "networkx"])
def test_a_call_is_of_functions_with_its_types(task: str, flags: tuple[str, ...], engine: str) -> None:
    """LangRef, *call Instruction*: another function is undefined, so what it would write is never written."""
    result = check(load_text(TASKS.format(task=task), "tasks.ll"), "llvm", engine=engine)
    assert (result.status, result.flags) == ("complete", flags)


STEALS = """
#define SIZE 4
typedef int (*task)(int);
static int twice(int x) { return 2 * x; }
static int more(int x) { return x + 1; }
static struct { atomic_long top, bottom; _Atomic(task) tasks[SIZE]; } d;
static atomic_int runs[2];
static void push(task t) {
  long b = atomic_load_explicit(&d.bottom, memory_order_relaxed);
  atomic_store_explicit(&d.tasks[b % SIZE], t, memory_order_relaxed);
  atomic_store_explicit(&d.bottom, b + 1, memory_order_release);
}
static task steal(void) {
  long t = atomic_load_explicit(&d.top, memory_order_acquire);
  long b = atomic_load_explicit(&d.bottom, memory_order_acquire);
  task r = 0;
  if (t < b) {
    r = atomic_load_explicit(&d.tasks[t % SIZE], memory_order_relaxed);
    if (!atomic_compare_exchange_strong(&d.top, &t, t + 1)) return 0;
  }
  return r;
}
static void go(task f) { if (f) { atomic_fetch_add_explicit(&runs[f != twice], 1, memory_order_relaxed); f(10); } }
static void *one(void *x) { push(twice); push(more); go(steal()); return 0; }
static void *two(void *x) { go(steal()); return 0; }
int main(void) { START; END; assert(runs[0] <= 1 && runs[1] <= 1); }
"""


@needs_clang
def test_tasks_write_only_what_they_may(tmp_path: Path) -> None:
    """What threads may still write tells which reads wait in vain: the functions of threads are no tasks."""
    source = tmp_path / "steals.c"
    source.write_text(HEAD + STEALS)
    result = check(load(source, Compiler()), "llvm")
    assert (result.status, result.verdict, result.consistent, result.explored) == ("complete", "Ok", 8, 8)


TAKES = (
    STEALS.split("static task steal", maxsplit=1)[0].replace("memory_order_release", "memory_order_relaxed")
    + """
static void with(task t) { push(t); atomic_thread_fence(memory_order_release); }
static task take(void) {
  long b = atomic_load_explicit(&d.bottom, memory_order_relaxed) - 1;
  atomic_store_explicit(&d.bottom, b, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  long t = atomic_load_explicit(&d.top, memory_order_relaxed);
  task r = t <= b ? atomic_load_explicit(&d.tasks[b % SIZE], memory_order_relaxed) : 0;
  if (t == b && !atomic_compare_exchange_strong_explicit(
      &d.top, &t, t + 1, memory_order_seq_cst, memory_order_relaxed)) r = 0;
  if (t >= b) atomic_store_explicit(&d.bottom, b + 1, memory_order_relaxed);
  return r;
}
static task steal(void) {
  long t = atomic_load_explicit(&d.top, memory_order_acquire);
  atomic_thread_fence(memory_order_seq_cst);
  long b = atomic_load_explicit(&d.bottom, memory_order_acquire);
  if (t >= b) return 0;
  task r = atomic_load_explicit(&d.tasks[t % SIZE], memory_order_relaxed);
  return atomic_compare_exchange_strong_explicit(
      &d.top, &t, t + 1, memory_order_seq_cst, memory_order_relaxed) ? r : 0;
}
static void go(task f) { if (f) { atomic_fetch_add_explicit(&runs[f != twice], 1, memory_order_relaxed); f(10); } }
static void *one(void *x) { with(twice); with(more); go(take()); with(twice); go(take()); go(take()); return 0; }
static void *two(void *x) { go(steal()); return 0; }
int main(void) { START; END; }
"""
)


@needs_clang
def test_who_joins_threads_does_not_multiply_what_they_do(tmp_path: Path) -> None:
    """Whether main waits for ever is decided once the threads have gone on, past reads, too."""
    source = tmp_path / "takes.c"
    source.write_text(HEAD + TAKES)
    result = check(load(source, Compiler()), "llvm")
    assert (result.status, result.consistent) == ("complete", 51)
    assert result.explored is not None and result.explored <= 100


WAKES = """
static struct { atomic_int go; int next; } waiters[3];
static int first;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int pop(void) {
  pthread_mutex_lock(&mutex);
  int x = first;
  if (x) first = waiters[x - 1].next;
  pthread_mutex_unlock(&mutex);
  if (x) atomic_store_explicit(&waiters[x - 1].go, 1, memory_order_release);
  return x;
}
static void *push(void *a) {
  int me = (int)(long)a;
  pthread_mutex_lock(&mutex);
  waiters[me].next = 0;
  first = me + 1;
  pthread_mutex_unlock(&mutex);
  while (!atomic_load_explicit(&waiters[me].go, memory_order_acquire));
  pop();
  return 0;
}
static void *one(void *a) { if (!pop()) abort(); return 0; }
int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, one, 0);
  for (long i = 1; i < 3; i++) pthread_create(&t[i], 0, push, (void *)i);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  return 0;
}
"""


@needs_clang
@pytest.mark.parametrize("model", ["rc11", "llvm", "llvm/rc11", "amdgpu"])
def test_who_waits_for_ever_may_do_so_while_others_read(tmp_path: Path, model: str) -> None:
    """A thread that waits for ever does so beside a read that nothing serves, and that its thread cannot run past."""
    source = tmp_path / "wakes.c"
    source.write_text(HEAD + WAKES)
    result = check(load(source, Compiler()), model)
    assert (result.status, result.consistent) == ("complete", 8)
    assert {"assert", "stuck"} <= set(result.flags)
    assert result.explored is not None and result.explored <= 10, "no read of `go` may be undef"


RACES = """
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int seen[3], kept, data;
atomic_int at, done[2];
static void *reads(void *a) {
  int r = 0;
  for (int i = 0; i < 2; i++) {
    pthread_rwlock_rdlock(&lock);
    r = r * 2 + data;
    pthread_rwlock_unlock(&lock);
  }
  seen[0] = r;
  return 0;
}
static void *keeps(void *a) {
  int r = 0;
  if (!pthread_rwlock_tryrdlock(&lock)) { r += data; pthread_rwlock_unlock(&lock); }
  pthread_mutex_lock(&mutex);
  if (kept) r++; else kept = 2;
  pthread_mutex_unlock(&mutex);
  seen[1] = r;
  return 0;
}
static void *races(void *a) {
  int r = 0;
  if (!pthread_mutex_trylock(&mutex)) pthread_mutex_unlock(&mutex);
  if (data) r++; else data = r;
  while (!atomic_load_explicit(&done[atomic_load_explicit(&at, memory_order_acquire) & 1], memory_order_acquire));
  if (!pthread_rwlock_tryrdlock(&lock)) { r += data; pthread_rwlock_unlock(&lock); }
  seen[2] = r;
  return 0;
}
int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, reads, 0);
  pthread_create(&t[1], 0, keeps, 0);
  pthread_create(&t[2], 0, races, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  assert(seen[0] + seen[1] != 2);
  return 0;
}
"""


@needs_clang
def test_what_a_thread_does_not_wait_for_is_decided_last(tmp_path: Path) -> None:
    """Which plain reads return undef is known once all is there that they may race with."""
    source = tmp_path / "races.c"
    source.write_text(HEAD + RACES)
    result = check(load(source, Compiler()), "llvm")
    assert (result.status, result.consistent) == ("complete", 75) and "race" in result.flags
    assert result.explored is not None and result.explored <= 713
