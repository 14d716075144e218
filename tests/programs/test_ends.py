"""How threads of C programs end: data that is destroyed, handlers that clean up, results of C11's threads."""

from __future__ import annotations

from pathlib import Path

import pytest

from enumerator import check, load
from enumerator.errors import InputError
from enumerator.frontend.compiled import Compiler
from tests.programs.source import needs_clang

KEYS = """#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
pthread_key_t key, other;
int destroyed, runs;
static void destroy(void *p) { destroyed += *(int *)p; free(p); }
static void again(void *p) { if (++runs < 3) pthread_setspecific(other, p); }
static void *work(void *x) {
  int *p = malloc(sizeof *p);
  *p = 7;
  pthread_setspecific(key, p);
  pthread_setspecific(other, x);
  if (x) pthread_exit(x);
  return x;
}
int main(void) {
  pthread_t t;
  void *result;
  pthread_key_create(&key, destroy);
  pthread_key_create(&other, again);
  pthread_create(&t, 0, work, &t);
  pthread_join(t, &result);
  assert(destroyed == 7 && runs == 3 && result == &t);
}
"""
CLEANS = """#include <assert.h>
#include <pthread.h>
#include <threads.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int cleaned;
static void unlock(void *p) { cleaned++; pthread_mutex_unlock(p); }
static void *work(void *x) {
  int old;
  assert(!pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old) && old == PTHREAD_CANCEL_ENABLE);
  assert(!pthread_setcancelstate(old, &old) && old == PTHREAD_CANCEL_DISABLE);
  pthread_mutex_lock(&m);
  pthread_cleanup_push(unlock, &m);
  pthread_testcancel();
  if (x) pthread_exit(x);
  pthread_cleanup_pop(1);
  pthread_exit(0);
}
static int other(void *x) { thrd_exit(5); }
int main(void) {
  pthread_t t, u;
  thrd_t v;
  int result;
  pthread_create(&t, 0, work, 0);
  pthread_create(&u, 0, work, GIVEN);
  thrd_create(&v, other, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  thrd_join(v, &result);
  assert(cleaned == 2 && result == 5);
}
"""


@needs_clang
@pytest.mark.parametrize("level", ["0", "1", "2"])
@pytest.mark.parametrize("source", [KEYS, CLEANS.replace("GIVEN", "0")], ids=["keys", "cleans"])
def test_ends(source: str, level: str, tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(source)
    result = check(load(path, compiler=Compiler(level=level)), "rc11")
    assert (result.status, result.observation, result.flags) == ("complete", "Never", ())


LIMITS = """#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int data, late, early;
struct timespec limit;
static void *work(void *x) {
  clock_nanosleep(CLOCK_REALTIME, 0, &limit, 0);
  int error = pthread_rwlock_timedwrlock(&lock, &limit);
  if (error) { assert(error == ETIMEDOUT); return x; }
  data++;
  pthread_rwlock_unlock(&lock);
  return 0;
}
int main(void) {
  pthread_t t;
  void *missed;
  pthread_create(&t, 0, work, &late);
  if (!pthread_rwlock_timedrdlock(&lock, &limit)) {
    assert(data == 0 || data == 1);
    pthread_rwlock_unlock(&lock);
  }
  int error = pthread_tryjoin_np(t, &missed);
  if (error) { assert(error == EBUSY); pthread_join(t, &missed); }
  assert(missed ? data == 0 : data == 1);
  assert(clock() == clock() || 1);
}
"""


@needs_clang
@pytest.mark.parametrize("level", ["0", "1"])
def test_waits_with_limits(level: str, tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(LIMITS)
    result = check(load(path, compiler=Compiler(level=level)), "rc11")
    assert (result.status, result.observation, result.flags) == ("complete", "Never", ())
    path.write_text(LIMITS.replace("missed ?", "0 ?"))
    assert check(load(path, compiler=Compiler(level=level)), "rc11").flags == ("assert",)


@needs_clang
def test_what_is_freed_twice_by_a_destructor(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(KEYS.replace("free(p); }", "free(p); free(p); }"))
    assert "ub-free" in check(load(path), "rc11").flags


@needs_clang
def test_who_ends_where_something_is_to_be_cleaned_up_is_told(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(CLEANS.replace("GIVEN", "&m"))
    with pytest.raises(InputError, match="exit.before.pthread_cleanup_pop"):
        check(load(path, compiler=Compiler(level="0")), "rc11")
