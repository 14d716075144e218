"""Arithmetic on addresses: whatever an address is, what is computed from it is a function of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from enumerator import check
from enumerator.frontend import load
from enumerator.frontend.compiled import Compiler
from tests.programs.source import needs_clang, outcomes, program

# From the numbers %u, an address, and %g, that of another object, to %u again.
THERE_AND_BACK = {
    "sums": "%a0 = sub i64 0, %u\n  %a = sub i64 0, %a0",
    "all bits turned": "%a0 = xor i64 %u, -1\n  %a = xor i64 -1, %a0",
    "key": "%a0 = xor i64 %u, 388062435930\n  %a = xor i64 388062435930, %a0",
    "short key": "%a0 = xor i64 %u, 23130\n  %a = xor i64 %a0, 23130",
    "other address": "%a0 = xor i64 %g, %u\n  %a = xor i64 %a0, %g",
    "distance": "%a0 = sub i64 %u, %g\n  %a = add i64 %g, %a0",
    "product": "%a0 = mul i64 %u, 3\n  %a1 = sub i64 %a0, %u\n  %a = sub i64 %a1, %u",
    "quotient": "%q = udiv i64 %u, 10\n  %r = urem i64 %u, 10\n  %a0 = mul i64 %q, 10\n  %a = add i64 %a0, %r",
    "halves": "%h = lshr i64 %u, 21\n  %l = and i64 %u, 2097151\n  %a0 = mul i64 %h, 2097152\n  %a = or i64 %a0, %l",
    "rotation": "%a0 = call i64 @llvm.fshl.i64(i64 %u, i64 %u, i64 13)\n"
    "  %a = call i64 @llvm.fshr.i64(i64 %a0, i64 %a0, i64 13)",
    "bytes": "%a0 = call i64 @llvm.bswap.i64(i64 %u)\n  %a = call i64 @llvm.bswap.i64(i64 %a0)",
    "sign": "%a0 = sub i64 0, %u\n  %a1 = trunc i64 %a0 to i48\n  %a2 = sext i48 %a1 to i64\n  %a = sub i64 0, %a2",
    "wide": "%w = zext i64 %u to i128\n  %w1 = mul i128 %w, 18446744073709551617\n  %w2 = lshr i128 %w1, 64\n"
    "  %a = trunc i128 %w2 to i64",
}

MADE = """; EXISTS: main:v = 7
declare i64 @llvm.fshl.i64(i64, i64, i64)
declare i64 @llvm.fshr.i64(i64, i64, i64)
declare i64 @llvm.bswap.i64(i64)
@table = global [4 x i32] zeroinitializer
define i32 @main() {{
  %m = {made}
  %u = ptrtoint ptr %m to i64
  %g = ptrtoint ptr @table to i64
  {arithmetic}
  %d = inttoptr i64 %a to ptr
  store i32 7, ptr %d
  %v = load i32, ptr %m
  ret i32 0
}}
"""


@pytest.mark.parametrize("name", THERE_AND_BACK)
@pytest.mark.parametrize("made", ("call ptr @malloc(i64 16)", "alloca [4 x i32]", "getelementptr i8, ptr @y, i64 0"))
def test_an_address_that_is_computed_back(name: str, made: str) -> None:
    test = program(MADE.format(made=made, arithmetic=THERE_AND_BACK[name]))
    assert outcomes(test, literally=False) == (["main:%v=7;"], ())
    assert check(test).consistent == 1


# Numbers below the size of what they are the index of.
INDICES = {
    "aligned up": "%n = sub i64 0, %u\n  %i = and i64 %n, 3",
    "other multiple": "%n = add i64 %u, 3\n  %r = urem i64 %n, 3\n  %i = add i64 0, %r",
    "hash": "%h = mul i64 %u, 2654435761\n  %s = lshr i64 %h, 20\n  %i = urem i64 %s, 4",
    "bits over others": "%s = lshr i64 %u, 7\n  %h = xor i64 %u, %s\n  %i = and i64 %h, 3",
    "a page": "%s = lshr i64 %u, 12\n  %i = and i64 %s, 3",
}


@pytest.mark.parametrize("name", INDICES)
def test_a_place_that_an_address_decides(name: str) -> None:
    """It is the same one each time, and in bounds."""
    twice = "\n  ".join(INDICES[name].replace("%", f"%{each}").replace(f"%{each}u", "%u") for each in "pq")
    test = program(f"""; EXISTS: main:v = 7
@table = global [4 x i32] zeroinitializer
define i32 @main() {{
  %u = ptrtoint ptr @x to i64
  {twice}
  %one = getelementptr i32, ptr @table, i64 %pi
  %other = getelementptr i32, ptr @table, i64 %qi
  store i32 7, ptr %one
  %v = load i32, ptr %other
  ret i32 0
}}
""")
    assert outcomes(test, literally=False) == (["main:%v=7;"], ())
    assert check(test).consistent == 1


@pytest.mark.parametrize(
    ("compared", "executions"),
    [
        ("%c = icmp ult ptr @x, @y", 2),
        ("%d = sub i64 %u, %g\n  %c = icmp sgt i64 %d, 0", 2),
        ("%d = sub i64 %u, %g\n  %s = ashr i64 %d, 2\n  %c = icmp ult i64 %s, 4", 2),
        ("%d = sub i64 %u, %g\n  %s = sdiv i64 %d, 12\n  %t = add i64 %s, 1\n  %c = icmp ult i64 %t, 4", 2),
        ("%c = icmp eq i64 %u, %g", 1),
    ],
)
def test_which_of_two_objects_comes_first_is_not_said(compared: str, executions: int) -> None:
    test = program(f"""; EXISTS: true
define i32 @main() {{
  %u = ptrtoint ptr @x to i64
  %g = ptrtoint ptr @y to i64
  {compared}
  br i1 %c, label %one, label %other
one:
  store i32 1, ptr @x
  br label %other
other:
  ret i32 0
}}
""")
    assert check(test, "rc11").consistent == check(test, "rc11", engine="networkx").consistent == executions


HIDDEN = """; EXISTS: use:v = 7
@link = global i64 {initial}
define ptr @use(ptr %argument) {{
  %l = load atomic i64, ptr @link acquire, align 8
  %none = icmp eq i64 %l, 0
  br i1 %none, label %done, label %read
read:
  %a = xor i64 %l, 388062435930
  %d = inttoptr i64 %a to ptr
  %v = load i32, ptr %d
  br label %done
done:
  ret ptr null
}}
define i32 @main() {{
  %n = {made}
  store i32 3, ptr %n
create t @use()
  store i32 7, ptr %n
  %u = ptrtoint ptr %n to i64
  %l = xor i64 %u, 388062435930
  store atomic i64 %l, ptr @link release, align 8
join t
  ret i32 0
}}
"""


@pytest.mark.parametrize("made", ("call ptr @malloc(i64 4)", "alloca i32", "getelementptr i8, ptr @x, i64 0"))
def test_a_hidden_link_to_what_another_thread_made(made: str) -> None:
    """Also a stack slot is memory, of which only a number is stored that tells its address."""
    test = program(HIDDEN.format(initial=0, made=made))
    assert outcomes(test, literally=False) == (["use:%v=7;", "use:%v=undef;"], ())
    assert check(test, "rc11").consistent == 2


def test_a_hidden_link_in_a_constant() -> None:
    initial = "xor (i64 ptrtoint (ptr @x to i64), i64 388062435930)"
    test = program(HIDDEN.format(initial=initial, made="getelementptr i8, ptr @x, i64 0"))
    states, flags = outcomes(test, "rc11", literally=False)
    assert (states, "race" in flags) == (["use:%v=3;", "use:%v=7;"], True)


ALIKE = """; EXISTS: true
@won = global i32 0
@table = global [2 x i32] zeroinitializer
define ptr @work(ptr %argument) {{
  %p = call ptr @malloc(i64 16)
  %u = ptrtoint ptr %p to i64
  %h = mul i64 %u, 2654435761
  %s = lshr i64 %h, {shift}
  %i = and i64 %s, 1
  %place = getelementptr i32, ptr @table, i64 %i
  %w = atomicrmw xchg ptr @won, i32 1 seq_cst
  %first = icmp eq i32 %w, 0
  br i1 %first, label %store, label %done
store:
  store atomic i32 1, ptr %place seq_cst, align 4
  br label %done
done:
  ret ptr null
}}
define i32 @main() {{
create t0 @work()
create t1 @work()
create t2 @work()
  %v = load atomic i32, ptr @table seq_cst, align 4
  ret i32 0
}}
"""


@pytest.mark.parametrize("shift", (11, 13, 17, 20))
def test_threads_whose_objects_have_other_numbers_are_not_symmetric(shift: int) -> None:
    """How many executions there are depends on who is first."""
    outcomes(program(ALIKE.format(shift=shift)), "rc11", literally=False)


ALIGNED = """#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
int x;
static volatile uintptr_t key = 0x5a5a5a5a5a;
int main(void) {{
  char *m = malloc(16 + 64);
  uintptr_t u = (uintptr_t)m, g = (uintptr_t)&x;
  {code}
  *d = 1;
  assert(*d == 1);
}}
"""

CODE = (
    "int *d = (int *)(m + (64 - u % 64) % 64);",
    "int *d = (int *)(m + (-u & 63));",
    "int *d = (int *)(m + (~u + 1 & 63));",
    "uintptr_t p = u; while (p & 63) p++; int *d = (int *)p;",
    "int *d = (int *)((u ^ key) ^ 0x5a5a5a5a5a);",
    "int *d = (int *)~(~u | 0);",
    "int *d = (int *)m + ((u >> 4) * 2654435761u % 4);",
    "int *d = (int *)((~u & 3) == 3 ? u : 0);",
    "int *d = (int *)(u - g + (uintptr_t)&x);",
    "int st[2]; int *d = st + (-(uintptr_t)st & 3);",
    "int *d = (int *)m + (((1UL << 47) - u) & 7);",
)


@needs_clang
@pytest.mark.parametrize("level", ("0", "1"))
@pytest.mark.parametrize("code", CODE)
def test_alignment_and_hashes_in_c(code: str, level: str, tmp_path: Path) -> None:
    assert found_in(ALIGNED.format(code=code), level, tmp_path) == ("Ok", 1)


THREADS = """#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
{program}
"""

STRIPED = """static pthread_mutex_t locks[4];
static int x;
static pthread_mutex_t *lock_of(void *p) { return &locks[HASH % 4]; }
static void *t(void *a) { pthread_mutex_lock(lock_of(a)); ++*(int *)a; pthread_mutex_unlock(lock_of(a)); return 0; }
int main(void) {
  pthread_t h;
  for (int i = 0; i < 4; i++) pthread_mutex_init(&locks[i], 0);
  pthread_create(&h, 0, t, &x);
  t(&x);
  pthread_join(h, 0);
  assert(x == 2);
}"""

LINKED = """static _Atomic uintptr_t head; static int node; static uintptr_t key = 0x5a5a5a;
static void *t(void *a) {
  node = 7;
  atomic_store_explicit(&head, (uintptr_t)&node ^ key, memory_order_release);
  return 0;
}
int main(void) {
  pthread_t h;
  pthread_create(&h, 0, t, 0);
  uintptr_t v = atomic_load_explicit(&head, memory_order_acquire);
  if (v) { int *p = (int *)(v ^ key); assert(*p == 7); }
  pthread_join(h, 0);
}"""

STACK = """struct node { uintptr_t next; int value; };
static _Atomic uintptr_t top;
static const uintptr_t key = 0x5a5a5a5a5a;
static void push(struct node *n) {
  uintptr_t old = atomic_load_explicit(&top, memory_order_relaxed);
  do n->next = old ^ key;
  while (!atomic_compare_exchange_weak_explicit(&top, &old, (uintptr_t)n ^ key, memory_order_release,
                                                memory_order_relaxed));
}
static void *t(void *a) { struct node *n = malloc(sizeof *n); n->value = 1; push(n); return 0; }
int main(void) {
  pthread_t h;
  atomic_store(&top, key);
  pthread_create(&h, 0, t, 0);
  t(0);
  pthread_join(h, 0);
  int sum = 0;
  for (struct node *n = (struct node *)(top ^ key); n; n = (struct node *)(n->next ^ key ^ key)) sum += n->value;
  assert(sum == 2);
}"""


@needs_clang
@pytest.mark.parametrize("level", ("0", "1"))
@pytest.mark.parametrize(
    "program",
    [
        STRIPED.replace("HASH", "((uintptr_t)p * 2654435761u >> 20)"),
        STRIPED.replace("HASH", "((uintptr_t)p ^ (uintptr_t)p >> 7)"),
        LINKED,
    ],
)
def test_hashed_and_hidden_addresses_in_threads(program: str, level: str, tmp_path: Path) -> None:
    plainly = program == LINKED
    assert found_in(THREADS.format(program=program), level, tmp_path, plainly=plainly) == ("Ok", 2)


@needs_clang
@pytest.mark.parametrize("level", ("0", "1"))
def test_a_stack_with_hidden_links_is_like_one_with_plain_links(level: str, tmp_path: Path) -> None:
    hidden, plain = (
        found_in(THREADS.format(program=STACK.replace("0x5a5a5a5a5a", key)), level, tmp_path, plainly=False)
        for key in ("0x5a5a5a5a5a", "0")
    )
    assert hidden == plain and hidden[0] == "Ok"
    assert level == "0" or hidden[1] == 2


def found_in(source: str, level: str, folder: Path, *, plainly: bool = True) -> tuple[str | None, int]:
    path = folder / "program.c"
    path.write_text(source)
    test = load(path, compiler=Compiler(level=level))
    found = check(test, "rc11")
    if plainly:
        plain = check(test, "rc11", engine="networkx")
        assert (found.verdict, found.flags, found.consistent) == (plain.verdict, plain.flags, plain.consistent)
    return found.verdict, found.consistent


# What holds of every address in a process, and of those beside an object.
BEYOND_ALL = {
    "a mark": "icmp ugt i64 %u, 1",
    "null": "icmp sgt i64 %u, 0",
    "the first page": "icmp ult i64 4095, %u",
    "an error code": "icmp ult i64 %u, -4095",
    "a negative number": "icmp sge i64 %u, -1",
    "all bits that addresses have": "icmp ult i64 %u, 140737488355327",
    "half": "icmp ugt i64 %h, 2",
    "marked": "icmp ugt i64 %m, 7",
    "before": "icmp ugt i64 %b, 8",
}


@pytest.mark.parametrize("name", BEYOND_ALL)
def test_no_object_is_at_a_mark_or_an_error_code(name: str) -> None:
    test = program(
        f"""; EXISTS: t0:%found = 1
define void @t0() {{
  %u = ptrtoint ptr @y to i64
  %h = lshr i64 %u, 1
  %m = or i64 %u, 3
  %b = sub i64 %u, 8
  %found = {BEYOND_ALL[name]}
  ret void
}}
"""
    )
    found = check(test)
    assert (found.observation, found.consistent) == ("Always", 1)


def test_which_page_an_object_is_on_is_not_said() -> None:
    text = "; EXISTS: t0:%found = 1\ndefine void @t0() {\n  %u = ptrtoint ptr @y to i64\n"
    text += "  %above = icmp ugt i64 %u, 1099511627776\n  %found = select i1 %above, i32 1, i32 0\n  ret void\n}\n"
    assert check(program(text)).observation == "Sometimes"
