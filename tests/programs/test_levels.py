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

PROGRAMS = {"workers": (WORKERS, 3)}


@needs_clang
@pytest.mark.parametrize("level", ("0", "1", "2"))
@pytest.mark.parametrize("name", PROGRAMS)
def test_executions_are_the_same(name: str, level: str, tmp_path: Path) -> None:
    source, executions = PROGRAMS[name]
    path = tmp_path / "program.c"
    path.write_text(HEAD + source)
    result = check(load(path, compiler=Compiler(level=level)), "rc11")
    assert (result.status, result.verdict, result.consistent, result.cut) == ("complete", "Ok", executions, 0)
