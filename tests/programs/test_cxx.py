"""Threads of C++: calls that may throw, tables of virtual functions, what libstdc++ has."""

from __future__ import annotations

from pathlib import Path

import pytest

from enumerator import check, load
from enumerator.errors import InputError
from enumerator.frontend import load_text
from enumerator.frontend.compiled import Compiler
from tests.programs.source import needs_clang

HEAD = """#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>
int x;
std::mutex m;
"""
PROGRAMS = {
    "arguments": (
        "void add(int *p, int n) { *p += n; }\nint main() { std::thread t(add, &x, 3); t.join(); assert(x == 3); }",
        (),
    ),
    "a vector of threads": (
        "std::atomic<int> n;\nint main() { std::vector<std::thread> all; for (int i = 1; i < 3; i++)"
        " all.emplace_back([i] { n += i; }); for (auto &t : all) t.join(); assert(n == 3); }",
        (),
    ),
    "a mutex": (
        "void work() { std::lock_guard<std::mutex> g(m); x++; }\n"
        "int main() { std::thread t(work); work(); t.join(); assert(x == 2); }",
        (),
    ),
    "no mutex": (
        "void work() { x++; }\nint main() { std::thread t(work); work(); t.join(); assert(x == 2); }",
        ("ub", "ub-undef"),
    ),
    "nobody wakes": (
        "std::condition_variable c;\nint main() { std::thread t([] { std::unique_lock<std::mutex> l(m);"
        " c.wait(l, [] { return x == 1; }); }); { std::lock_guard<std::mutex> g(m); x = 1; } t.join(); }",
        ("stuck",),
    ),
    "once": (
        "std::once_flag f;\nint main() { std::thread t([] { std::call_once(f, [] { x++; }); });"
        " std::call_once(f, [] { x++; }); t.join(); assert(x == 1); }",
        (),
    ),
    "a local that is static": (
        "int *get() { static int *p = new int(7); return p; }\n"
        "int main() { std::thread t([] { assert(*get() == 7); }); assert(*get() == 7); t.join(); }",
        (),
    ),
    "readers": (
        "std::shared_mutex s; int y;\nint main() {"
        " std::thread t([] { std::shared_lock<std::shared_mutex> l(s); assert(x == y); });"
        " { std::unique_lock<std::shared_mutex> l(s); x = y = 1; } t.join(); }",
        (),
    ),
}


@needs_clang
@pytest.mark.parametrize("name", sorted(PROGRAMS))
def test_programs(name: str, tmp_path: Path) -> None:
    source, flags = PROGRAMS[name]
    path = tmp_path / "program.cpp"
    path.write_text(HEAD + source)
    try:
        test = load(path, compiler=Compiler(level="1"))
    except InputError as error:  # a clang without headers of C++
        if "file not found" in error.message:
            pytest.skip(error.message)
        raise
    for model in ("llvm", "rc11"):
        result = check(test, model)
        assert result.observation == ("Sometimes" if name == "no mutex" and model == "rc11" else "Never")
        if model == "llvm":
            assert result.flags == flags


def test_a_call_that_may_throw_returns() -> None:
    text = """@x = global i32 0
declare i32 @__gxx_personality_v0(...)
define i32 @one() {
  ret i32 1
}
define void @t0() personality ptr @__gxx_personality_v0 {
entry:
  %r = invoke i32 @one() to label %good unwind label %bad
good:
  %s = phi i32 [ %r, %entry ]
  store i32 %s, ptr @x
  ret void
bad:
  %pad = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %pad
}
; FORALL: @x = 1
"""
    assert check(load_text(text, "invoke.ll")).observation == "Always"
