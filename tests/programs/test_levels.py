"""What a program does is the same at each level of optimization, and so is which failed attempts are left out."""

from __future__ import annotations

from pathlib import Path

import pytest

from enumerator import check, load
from enumerator.frontend.compiled import Compiler
from tests.programs.source import needs_clang

HEAD = "#include <pthread.h>\n#include <stdatomic.h>\n#include <stdint.h>\n"
PAIR = """int main(void) {{
  pthread_t a, b;
  {first}
  pthread_create(&a, 0, {one}, (void *)0);
  pthread_create(&b, 0, {other}, (void *)1);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}}
"""

# An idle round of a worker carries on what it has done so far, unchanged.
WORKERS = """static atomic_int left = 2, box[2];
static void *work(void *number) {
  int me = (int)(long)number, spawned = 0;
  while (atomic_load(&left)) {
    int found = atomic_exchange(&box[me], 0);
    if (!found) continue;
    if (!spawned && found > 1) {
      spawned = 1;
      atomic_store(&box[1], 1);
    }
    atomic_fetch_sub(&left, 1);
  }
  return 0;
}
""" + PAIR.format(first="box[0] = 2;", one="work", other="work")

# Half a word is looked at, and the whole one is exchanged.
RANGE = """struct range { int low, high; };
static _Atomic struct range r;
static int take(void) {
  struct range old = atomic_load(&r);
  while (old.low < old.high) {
    struct range new = {old.low + 1, old.high};
    if (atomic_compare_exchange_weak(&r, &old, new)) return 1;
  }
  return 0;
}
static void *takes(void *unused) {
  while (take());
  return 0;
}
""" + PAIR.format(first="struct range whole = {0, 3}; r = whole;", one="takes", other="takes")

# Of three parts, the one in the middle is taken apart by itself.
PACKED = """struct ends { uint16_t head, tail; uint32_t epoch; };
static _Atomic struct ends s;
static void *get(void *unused) {
  struct ends old = atomic_load(&s), new;
  do {
    if (old.head == old.tail) return 0;
    new = old;
    new.head++;
  } while (!atomic_compare_exchange_weak(&s, &old, new));
  return 0;
}
static void *put(void *unused) {
  for (int i = 0; i < 2; i++) {
    struct ends old = atomic_load(&s), new;
    do {
      new = old;
      new.tail++;
      new.epoch++;
    } while (!atomic_compare_exchange_weak(&s, &old, new));
  }
  return 0;
}
""" + PAIR.format(first="", one="put", other="get")

# Who finds that another one wants to enter takes back that it wants to, and begins anew with a store.
BURNS = """static atomic_int flag[2];
static int inside;
static void *enters(void *number) {
  int me = (int)(long)number;
again:
  atomic_store(&flag[me], 0);
  for (int i = 0; i < me; i++)
    if (atomic_load(&flag[i])) goto again;
  atomic_store(&flag[me], 1);
  for (int i = 0; i < me; i++)
    if (atomic_load(&flag[i])) goto again;
  for (int i = me + 1; i < 2; i++)
    while (atomic_load(&flag[i]));
  inside++;
  atomic_store_explicit(&flag[me], 0, memory_order_release);
  return 0;
}
""" + PAIR.format(first="", one="enters", other="enters")

# Both arrays are filled anew before they are compared; the place that is written is computed.
SNAPSHOT = """static atomic_int r[2];
static void *sets(void *unused) {
  for (int i = 1; i <= 4; i++) atomic_store(&r[0], i);
  return 0;
}
static void *looks(void *unused) {
  int one[2], other[2];
  do {
    for (int i = 0; i < 2; i++) one[i] = atomic_load(&r[i]);
    for (int i = 0; i < 2; i++) other[i] = atomic_load(&r[i]);
  } while (one[0] != other[0] || one[1] != other[1]);
  return 0;
}
""" + PAIR.format(first="", one="sets", other="looks")

# Here each round compares with what the last one has found.
STABLE = """static atomic_int r[2];
static void *sets(void *unused) {
  for (int i = 1; i <= 2; i++) atomic_store(&r[0], i);
  return 0;
}
static void *looks(void *unused) {
  int last[2] = {0, 0}, other;
  do {
    other = 0;
    for (int i = 0; i < 2; i++) {
      int now = atomic_load(&r[i]);
      other |= now != last[i];
      last[i] = now;
    }
  } while (other);
  return 0;
}
""" + PAIR.format(first="", one="sets", other="looks")

# A ring whose ends keep the last index that they have seen of the other end's: an idle round stores it once more.
RING = """#include <assert.h>
static int slot[2], got[3];
static atomic_uint head, tail;
static unsigned seen_tail, seen_head;
static void *produce(void *number) {
  unsigned h = 0;
  for (int i = 0; i < 3;) {
    if (h - seen_tail == 2) {
      seen_tail = atomic_load_explicit(&tail, memory_order_acquire);
      if (h - seen_tail == 2) continue;
    }
    slot[h & 1] = ++i;
    atomic_store_explicit(&head, ++h, memory_order_release);
  }
  return 0;
}
static void *consume(void *number) {
  unsigned t = 0;
  for (int i = 0; i < 3;) {
    if (t == seen_head) {
      seen_head = atomic_load_explicit(&head, memory_order_acquire);
      if (t == seen_head) continue;
    }
    got[i++] = slot[t & 1];
    atomic_store_explicit(&tail, ++t, memory_order_release);
  }
  return 0;
}
""" + PAIR.format(first="", one="produce", other="consume").replace(
    "  return 0;\n}", "  assert(got[0] == 1 && got[1] == 2 && got[2] == 3);\n  return 0;\n}"
)
# A load that is linked, and a store on condition, as functions: one is given the address of a variable.
LINKED = """static atomic_int w;
static int linked(int *old) { return *old = atomic_load(&w); }
static int store_if(int old, int new) { return atomic_compare_exchange_strong(&w, &old, new); }
static void *add(void *number) {
  int old, value;
  do value = linked(&old); while (!store_if(old, value + 1));
  return 0;
}
""" + PAIR.format(first="", one="add", other="add")
# What has been read is kept in a variable that is looked at first: beside a number, and beside what was read elsewhere.
KEPT = """static atomic_int head;
static int kept;
static void *sets(void *number) { atomic_store(&head, 1); return 0; }
static void *looks(void *number) { while (kept == 0) kept = atomic_load(&head); return 0; }
""" + PAIR.format(first="", one="sets", other="looks")
BESIDE = """static atomic_int head, tail;
static int seen, data;
static void *sets(void *number) {
  data = 1;
  atomic_store_explicit(&head, 1, memory_order_release);
  return 0;
}
static int ready(void) {
  int t = atomic_load_explicit(&tail, memory_order_relaxed);
  if (t == seen) { seen = atomic_load_explicit(&head, memory_order_acquire); if (seen == t) return 0; }
  return data;
}
static void *looks(void *number) { while (!ready()); atomic_store(&tail, 1); return 0; }
""" + PAIR.format(first="", one="sets", other="looks")
PROGRAMS = {
    "kept": (KEPT, 1),
    "beside": (BESIDE, 1),
    "linked": (LINKED, 2),
    "ring": (RING, 5),
    "snapshot": (SNAPSHOT, 5),
    "stable": (STABLE, 4),
    "lock": (BURNS, 11),
    "workers": (WORKERS, 3),
    "range": (RANGE, 8),
    "packed": (PACKED, 3),
}

# The calls that begin a thread hold what they have read while it tries.
CXX = """#include <atomic>
#include <thread>
struct range { int low, high; };
std::atomic<range> r{range{0, 3}};
static bool take() {
  range old = r.load();
  while (old.low < old.high)
    if (r.compare_exchange_weak(old, range{old.low + 1, old.high})) return true;
  return false;
}
int main() {
  std::thread a([] { while (take()); }), b([] { while (take()); });
  a.join();
  b.join();
}
"""


@needs_clang
@pytest.mark.parametrize("level", ("0", "1", "2"))
@pytest.mark.parametrize("name", PROGRAMS)
def test_executions_are_the_same(name: str, level: str, tmp_path: Path) -> None:
    source, executions = PROGRAMS[name]
    assert counted(HEAD + source, "program.c", level, tmp_path) == ("complete", "Ok", executions, 0)


@needs_clang
def test_what_an_idle_round_stores_again_may_be_seen(tmp_path: Path) -> None:
    """Another thread reads the index that the consumer has seen: each store of it counts."""
    looks = "static void *produce(void *number) {\n  if (__atomic_load_n(&seen_head, __ATOMIC_RELAXED) > 3) return 0;"
    path = tmp_path / "seen.c"
    path.write_text(HEAD + RING.replace("static void *produce(void *number) {", looks))
    result = check(load(path, compiler=Compiler(level="1")), "rc11")
    assert "race" in result.flags and (result.verdict, result.cut > 0) == ("Undef", True)


@needs_clang
@pytest.mark.parametrize("level", ("0", "1", "2"))
def test_failed_attempts_of_threads_in_cxx(level: str, tmp_path: Path) -> None:
    assert counted(CXX, "program.cpp", level, tmp_path) == ("complete", "Ok", 8, 0)


def counted(source: str, name: str, level: str, folder: Path) -> tuple[object, ...]:
    path = folder / name
    path.write_text(source)
    result = check(load(path, compiler=Compiler(level=level)), "rc11")
    return result.status, result.verdict, result.consistent, result.cut
