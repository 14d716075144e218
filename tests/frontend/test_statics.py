"""Static variables that one function uses stay in memory, where several threads may run that function."""

from __future__ import annotations

from pathlib import Path

import pytest

from enumerator import check, load
from enumerator.frontend.compiled import Compiler, compile_source
from tests.programs.source import needs_clang

HEAD = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n"
MAIN = """int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, (void *)0);
  pthread_create(&b, 0, work, (void *)1);
  pthread_join(a, 0);
  pthread_join(b, 0);
  END
  return 0;
}
"""
SPLITTER = """static atomic_int last, closed;
static int alone[2];
static void *work(void *a) {
  int me = 1 + (int)(long)a;
  atomic_store(&last, me);
  if (atomic_load(&closed)) return 0;
  atomic_store(&closed, 1);
  alone[me - 1] = atomic_load(&last) == me;
  return 0;
}
"""
FILTER = """static atomic_int level[2], victim[2];
static void *work(void *a) {
  int me = (int)(long)a;
  atomic_store(&level[me], 1);
  atomic_store(&victim[1], me);
  while (atomic_load(&level[1 - me]) >= 1 && atomic_load(&victim[1]) == me);
  atomic_store(&level[me], 0);
  return 0;
}
"""
COUNTS = """static int rounds;
static void *work(void *a) { return 0; }
int main(void) { for (rounds = 0; rounds < 3; rounds++) work(0); return rounds; }
"""


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "statics.c"
    path.write_text(HEAD + text)
    return path


@needs_clang
@pytest.mark.parametrize("level", ["0", "1", "2"])
def test_a_scalar_stays_in_memory(tmp_path: Path, level: str) -> None:
    """Only the last one that has written reads its own number: of two that read `closed` as 0, one at most is alone."""
    path = written(tmp_path, SPLITTER + MAIN.replace("END", "assert(!(alone[0] && alone[1]));"))
    result = check(load(path, Compiler(level=level)), "rc11")
    assert (result.verdict, result.consistent, result.flags) == ("Ok", 10, ())


@needs_clang
@pytest.mark.parametrize("level", ["0", "1", "2"])
def test_an_element_stays_in_memory(tmp_path: Path, level: str) -> None:
    result = check(load(written(tmp_path, FILTER + MAIN.replace("END", "")), Compiler(level=level)), "rc11")
    assert (result.verdict, result.consistent, result.flags) == ("Ok", 4, ())


@needs_clang
def test_what_main_alone_uses_is_its_own(tmp_path: Path) -> None:
    assert "@rounds" not in compile_source(str(written(tmp_path, COUNTS)))
