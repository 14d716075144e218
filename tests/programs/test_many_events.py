"""Programs with more events than a word has bits: what is brought up to date is neither less nor more than before."""

from __future__ import annotations

from pathlib import Path

import pytest

from enumerator import check, load
from tests.programs.source import needs_clang

TURNS = """#include <pthread.h>
#include <stdatomic.h>
#define N 7
static pthread_mutex_t lock;
static atomic_int turn;
static int number[N];
static void *take(void *given) {
  int mine = *(int *)given, before = mine - 1;
  pthread_mutex_lock(&lock);
  if (atomic_load_explicit(&turn, memory_order_relaxed) == before)
    atomic_store_explicit(&turn, mine, memory_order_relaxed);
  pthread_mutex_unlock(&lock);
  return 0;
}
int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) {
    number[i] = i + 1;
    pthread_create(&t[i], 0, take, &number[i]);
  }
}
"""


@needs_clang
@pytest.mark.parametrize("model", ["rc11", "llvm", "amdgpu"])
def test_each_order_of_a_lock_is_found_once(model: str, tmp_path: Path) -> None:
    path = tmp_path / "turns.c"
    path.write_text(TURNS)
    found = check(load(path), model)
    assert (found.status, found.consistent) == ("complete", 5040)
