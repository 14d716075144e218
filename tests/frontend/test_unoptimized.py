"""Programs are compiled as they are shipped; the optimizer reads nothing for them, and leaves shared variables."""

from __future__ import annotations

from pathlib import Path

import pytest

from enumerator import check, load
from enumerator.errors import InputError
from enumerator.frontend.compiled import Compiler, command_of, compile_source
from enumerator.frontend.unoptimized import prepared
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


@needs_clang
@pytest.mark.parametrize("level", ["0", "1", "2"])
def test_a_scalar_stays_in_memory_that_functions_of_the_library_access(tmp_path: Path, level: str) -> None:
    text = SPLITTER.replace("atomic_int", "std::atomic<int>").replace("atomic_", "std::atomic_")
    path = tmp_path / "statics.cpp"
    main = MAIN.replace("END", "assert(!(alone[0] && alone[1]));")
    path.write_text(HEAD.replace("stdatomic.h", "atomic") + text + main)
    result = check(load(path, Compiler(level=level)), "rc11")
    assert (result.verdict, result.consistent, result.flags) == ("Ok", 10, ())


def test_only_what_threads_write_and_read_is_seen_outside() -> None:
    """`t` reads a table, an element at a time; what it gives away may be written and read."""
    text = """@table = internal unnamed_addr global [2 x i32] zeroinitializer
@constant = internal constant i32 0
@own = internal thread_local global i32 0
@given = internal global i32 0
@slot = internal global ptr null
define ptr @t(i64 %i) #0 {
  %element = getelementptr inbounds [2 x i32], ptr @table, i64 0, i64 %i
  br label %next
next:
  %value = load i32, ptr %element
  %c = load i32, ptr @constant
  store i32 %c, ptr @own
  %o = load i32, ptr @own
  store ptr @given, ptr @slot
  ret ptr null
}
attributes #0 = { nounwind }"""
    assert [line for line in prepared(text).splitlines() if line.startswith("@") and "internal" not in line] == [
        "@given = global i32 0"
    ]
    written = prepared(text.replace("ret ptr", "store i32 1, ptr %element\n  ret ptr"))
    assert "@table = unnamed_addr global" in written


ASKS = """#include <pthread.h>
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SANITIZED
#endif
#endif
#ifdef __SANITIZE_THREAD__
#define SANITIZED
#endif
int x;
static void *work(void *a) {
#ifdef SANITIZED
  __atomic_store_n(&x, 1, __ATOMIC_RELAXED);
#else
  x = 1;
#endif
  return 0;
}
"""


@needs_clang
@pytest.mark.parametrize("level", ["0", "1", "2"])
def test_the_program_is_the_one_that_is_shipped(tmp_path: Path, level: str) -> None:
    """Many headers do something else in what a sanitizer sees."""
    path = tmp_path / "asks.c"
    path.write_text(ASKS + MAIN.replace("END", ""))
    result = check(load(path, Compiler(level=level)), "rc11")
    assert (result.verdict, result.flags) == ("Undef", ("race",))


@needs_clang
@pytest.mark.parametrize("level", ["1", "2", "3", "s"])
def test_no_load_is_moved_before_the_branch_that_decides_on_it(tmp_path: Path, level: str) -> None:
    path = tmp_path / "decides.c"
    path.write_text("int f(int *flag, int *data) { int seen = 2; if (*flag == 1) seen = *data; return seen; }\n")
    text = compile_source(str(path), Compiler(level=level))
    assert text.index(", ptr %flag") < text.index("br i1") < text.index(", ptr %data")


@needs_clang
def test_options_of_the_command_are_for_the_source(tmp_path: Path) -> None:
    (tmp_path / "given.h").write_text("#define HERE 1\n")
    path = tmp_path / "options.c"
    states = '_Static_assert(HERE && THERE == 2 && __STDC_VERSION__ == 199901, "");'
    path.write_text(f"{states}\nint f(void) {{ return 1; }}\n")
    found = command_of(Compiler())[0]
    clang = f"{found} -std=c99 -DTHERE=2 -include given.h -I {tmp_path} -fno-builtin"
    assert "define" in compile_source(str(path), Compiler(clang))
    assert "aarch64" in compile_source(str(path), Compiler(clang, "aarch64-linux-gnu"))
    with pytest.raises(InputError, match="_?[sS]tatic") as raised:
        compile_source(str(path), Compiler(clang.replace("THERE=2", "THERE=3")))
    place = (raised.value.path, raised.value.line, raised.value.column)
    assert place in ((str(path), 1, 1), (str(path), 1, 16))  # of the statement, or of what it states


LOCKS = """#include <mutex>
#include <thread>
std::mutex one;
std::recursive_mutex other;
int data;
int main() {
  std::thread first([] { std::scoped_lock both(one, other); data++; });
  std::thread second([] { std::scoped_lock both(other, one); data++; });
  first.join();
  second.join();
}
"""


@needs_clang
@pytest.mark.parametrize("model", ["llvm", "rc11"])
@pytest.mark.parametrize("level", ["0", "1", "2"])
def test_several_locks_of_a_program_in_cpp(level: str, model: str, tmp_path: Path) -> None:
    path = tmp_path / "locks.cpp"
    path.write_text(LOCKS)
    try:
        test = load(path, Compiler(level=level))
    except InputError as error:
        assert "file not found" in error.message  # there is no standard library of C++
        pytest.skip("clang compiles no C++ here")
    found = check(test, model)
    assert (found.status, found.consistent, found.flags) == ("complete", 2, ())


@needs_clang
def test_a_level_in_the_command_is_not_overridden_silently(tmp_path: Path) -> None:
    path = tmp_path / "level.c"
    path.write_text("int f(void) { return 1; }\n")
    clang = f"{command_of(Compiler())[0]} -O0"
    with pytest.raises(InputError, match="compiled with -O1: to have -O0, give the option -O"):
        compile_source(str(path), Compiler(clang))
    assert "define" in compile_source(str(path), Compiler(clang, level="0"))


BEGIN = "extern void __VERIFIER_atomic_begin(void);"
ONE_STEP = """int x;
void __VERIFIER_atomic_add(void) { x = x + 1; }
void *work(void *a) { __VERIFIER_atomic_add(); return 0; }
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, work, 0);
  __VERIFIER_atomic_add();
  pthread_join(a, 0);
  assert(x == 2);
}
"""


@needs_clang
@pytest.mark.parametrize("level", ("0", "1", "2"))
def test_what_verifiers_run_in_one_step_is_not(level: str, tmp_path: Path) -> None:
    (tmp_path / "p.c").write_text(HEAD + ONE_STEP)
    found = check(load(tmp_path / "p.c", Compiler(level=level)), "sc")
    assert any("__VERIFIER_atomic_add is a function like others here" in note for note in found.notes)
    begins = ONE_STEP.replace("{ x = x + 1; }", "{ __VERIFIER_atomic_begin(); }").replace("int x;", f"int x; {BEGIN}")
    (tmp_path / "p.c").write_text(HEAD + begins)
    with pytest.raises(InputError, match="__VERIFIER_atomic_begin"):
        check(load(tmp_path / "p.c", Compiler(level=level)), "sc")


@needs_clang
def test_an_error_that_verifiers_look_for(tmp_path: Path) -> None:
    (tmp_path / "p.c").write_text("extern void reach_error(void);\nint x;\nint main(void) { if (!x) reach_error(); }\n")
    assert check(load(tmp_path / "p.c", Compiler()), "sc").flags == ("assert",)
