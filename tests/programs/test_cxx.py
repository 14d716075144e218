"""Threads of C++: calls that may throw, tables of virtual functions, what libstdc++ has."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from enumerator import check, load
from enumerator.errors import InputError
from enumerator.frontend import load_text
from enumerator.frontend.compiled import Compiler
from enumerator.program.test import Test
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
    "what main sees of a variable that a function makes": (
        "int make() { return 3; }\nint made = make() + (x = 1);\nint main() { std::thread t([] { assert(made == 4); });"
        " t.join(); assert(x == 1); }",
        (),
    ),
    "a lock with a limit": (
        "#include <chrono>\nstd::timed_mutex l;\nint main() { std::thread t([] { l.lock(); x++; l.unlock(); });"
        " if (l.try_lock_for(std::chrono::milliseconds(1))) { x++; l.unlock(); } t.join(); assert(x >= 1); }",
        (),
    ),
    "a condition with a limit": (
        "#include <chrono>\nstd::condition_variable c; bool set;\nint main() { std::thread t([] {"
        " std::unique_lock<std::mutex> l(m); auto brief = std::chrono::milliseconds(1);"
        " if (c.wait_for(l, brief, [] { return set; })) assert(x == 1); });"
        " { std::lock_guard<std::mutex> g(m); x = 1; set = true; } c.notify_one(); t.join(); }",
        (),
    ),
    "a limit that is over before anybody wakes": (
        "#include <chrono>\nstd::condition_variable c;\nint main() { std::thread t([] {"
        " std::unique_lock<std::mutex> l(m); while (x == 0) if (c.wait_for(l, std::chrono::seconds(1))"
        " == std::cv_status::timeout) break; assert(x == 1); }); { std::lock_guard<std::mutex> g(m); x = 1; }"
        " c.notify_one(); t.join(); }",
        ("assert",),
    ),
    "beyond the end": (
        "std::atomic<int> i;\nint at() { std::vector<int> v(2, 5); return v.at(i); }\nint main() {"
        " std::thread t([] { i = 2; }); x = at(); t.join(); }",
        ("assert",),
    ),
}


def compiled(source: str, folder: Path, clang: str | None = None, level: str = "1") -> Test:
    """A program of C++; where clang has no headers for it, there is nothing to test."""
    path = folder / "program.cpp"
    path.write_text(HEAD + source)
    try:
        return load(path, compiler=Compiler(clang=clang, level=level))
    except InputError as error:
        if "file not found" in error.message:
            pytest.skip(error.message)
        raise


@needs_clang
@pytest.mark.parametrize("name", sorted(PROGRAMS))
def test_programs(name: str, tmp_path: Path) -> None:
    source, flags = PROGRAMS[name]
    test = compiled(source, tmp_path)
    for model in ("llvm", "rc11"):
        result = check(test, model)
        assert result.status == "complete"
        fails = "assert" in flags or (name == "no mutex" and model == "rc11")
        assert result.observation == ("Sometimes" if fails else "Never")
        if model == "llvm":
            assert result.flags == flags


LATCH = """#include <latch>
std::latch ready(1);
int main() { std::thread t([] { x = 1; ready.count_down(); }); ready.wait(); assert(x == 1); t.join(); }
"""
WAIT = """std::atomic<int> flag;
int main() { std::thread t([] { flag.wait(0); assert(x == 7); }); x = 7; flag.store(1); flag.notify_one(); t.join(); }
"""


MEET = """#include <latch>
std::latch both(2);
int y;
int main() { std::thread t([] { x = 1; both.arrive_and_wait(); assert(y == 1); });
  y = 1; both.arrive_and_wait(); assert(x == 1); t.join(); }
"""
POST = """#include <semaphore>
std::counting_semaphore<2> posted(0);
int main() { std::thread t([] { x = 1; posted.release(); }); posted.acquire(); assert(x == 1); t.join(); }
"""


@needs_clang
@pytest.mark.parametrize("level", ["0", "1"])
@pytest.mark.parametrize("source", [LATCH, WAIT, MEET, POST])
def test_waiting_for_a_value(source: str, level: str, tmp_path: Path) -> None:
    """A hash of an address says who waits for it. Without optimization, calls write what they read to slots."""
    clang = next(name for name in ("clang", *(f"clang-{each}" for each in range(14, 31))) if shutil.which(name))
    result = check(compiled(source, tmp_path, f"{clang} -std=c++20", level), "rc11")
    assert (result.observation, result.flags, result.status) == ("Never", (), "complete")


POOL = """#include <queue>
std::condition_variable cv; std::queue<int> q; bool stop; int sum;
void work() { for (;;) { std::unique_lock<std::mutex> l(m); cv.wait(l, [] { return stop || !q.empty(); });
  if (q.empty()) return; sum += q.front(); q.pop(); } }
int main() { std::vector<std::thread> t; for (int i = 0; i < 2; i++) t.emplace_back(work);
  { std::lock_guard<std::mutex> l(m); q.push(1); q.push(2); } cv.notify_all();
  { std::lock_guard<std::mutex> l(m); stop = true; } cv.notify_all(); for (auto &x : t) x.join(); assert(sum == 3); }
"""


@needs_clang
@pytest.mark.parametrize("level", ["0", "1"])
def test_a_pool_of_threads(level: str, tmp_path: Path) -> None:
    """Pointers that no execution reads would lead to copies of a length that is not covered: they are no error."""
    result = check(compiled(POOL, tmp_path, level=level), "rc11")
    assert (result.observation, result.flags, result.status) == ("Never", (), "complete")


EXCEPTIONS = """#include <stdexcept>
struct Mine : std::runtime_error { int n; Mine(int n) : std::runtime_error("mine"), n(n) {} };
std::atomic<int> a; int out, cleaned;
void f(int i) { if (i == 1) throw Mine(3); if (i == 2) throw 5; if (i == 3) throw 'c'; if (i == 4) throw 1.5; }
struct Cleans { ~Cleans() { cleaned++; } };
int main() {
  std::thread t([] { a = 1; a = 2; a = LAST; });
  int i = a;
  try {
    try { Cleans c; f(i); } catch (const std::exception &e) { out = e.what()[0]; }
    catch (int n) { out = n; } catch (...) { throw; }
  } catch (char c) { out = c; }
  assert(cleaned == 1);
  assert(out == (i == 1 ? 'm' : i == 2 ? 5 : i == 3 ? 'c' : 0));
  t.join();
}
"""


@needs_clang
def test_exceptions_are_caught_by_their_types(tmp_path: Path) -> None:
    """By a base, exactly, and after they have been thrown again; one that nothing catches ends the program."""
    assert check(compiled(EXCEPTIONS.replace("LAST", "3"), tmp_path), "rc11").observation == "Never"
    found = check(compiled(EXCEPTIONS.replace("LAST", "4"), tmp_path), "rc11")
    assert (found.observation, found.flags) == ("Sometimes", ("assert",))


UNCAUGHT = """#include <exception>
std::atomic<int> a; int sum;
void say() { sum = sum * 10 + std::uncaught_exceptions(); }
struct Inner { ~Inner() { say(); } };
struct Outer { ~Outer() { say(); try { Inner i; throw 2; } catch (int) { say(); } } };
int main() {
  std::thread t([] { a = 1; });
  int i = a;
  assert(std::uncaught_exceptions() == 0);
  try {
    try { Outer o; if (i) throw 1; } catch (int) { assert(std::uncaught_exceptions() == 0); Inner j; throw; }
  } catch (...) { assert(std::uncaught_exceptions() == 0); }
  assert(sum == (i ? 1211 : 10));
  t.join();
}
"""
ANY = """std::condition_variable_any cv; bool go;
int main() {
  std::thread a([] { std::unique_lock<std::mutex> l(m); while (!go) cv.wait(l); x++; });
  { std::lock_guard<std::mutex> l(m); go = GO; }
  cv.notify_all(); a.join(); assert(x == 1);
}
"""


@needs_clang
@pytest.mark.parametrize("level", ["0", "1"])
@pytest.mark.parametrize("model", ["rc11", "llvm"])
def test_exceptions_that_nothing_handles_yet_are_counted(model: str, level: str, tmp_path: Path) -> None:
    """While functions are left, while a destructor throws and catches, and after one has been thrown again."""
    result = check(compiled(UNCAUGHT, tmp_path, level=level), model)
    assert (result.observation, result.status, result.flags, result.consistent) == ("Never", "complete", (), 2)


@needs_clang
@pytest.mark.parametrize("level", ["0", "1"])
def test_a_condition_variable_takes_any_lock(level: str, tmp_path: Path) -> None:
    """It gives the lock back, and takes it again when it is left, unless an exception flies."""
    result = check(compiled(ANY.replace("GO", "true"), tmp_path, level=level), "rc11")
    assert (result.observation, result.status, result.flags, result.consistent) == ("Never", "complete", (), 2)
    assert "stuck" in check(compiled(ANY.replace("GO", "false"), tmp_path, level=level), "rc11").flags


FUTURES = {
    "promise": "std::promise<int> p; auto f = p.get_future(); std::thread t([&] { x = 1; p.set_value(3); });"
    " assert(f.get() == 3 && x == 1); t.join();",
    "async": "auto f = std::async(std::launch::async, [] { x = 1; return 4; }); assert(f.get() == 4 && x == 1);",
    "task": "std::packaged_task<int(int)> p([](int a) { return a + 1; }); auto f = p.get_future();"
    " std::thread t(std::move(p), 4); assert(f.get() == 5); t.join();",
    "both": "auto f = std::async(std::launch::async, [] { return 3; }); std::promise<int> p; auto g = p.get_future();"
    " std::thread t([&] { p.set_value(2); }); assert(g.get() + f.get() == 5); t.join();",
    "limit": "std::promise<int> p; auto f = p.get_future(); std::thread t([&] { p.set_value(3); });"
    " if (f.wait_for(std::chrono::seconds(1)) == std::future_status::ready) assert(f.get() == 3); t.join();",
}


@needs_clang
@pytest.mark.parametrize("name", FUTURES)
def test_futures(name: str, tmp_path: Path) -> None:
    """A future has what the other thread has done before it gave the value."""
    result = check(compiled(f"#include <future>\nint main() {{ {FUTURES[name]} }}", tmp_path), "rc11")
    assert (result.observation, result.status) == ("Never", "complete")
    assert {"assert", "ub", "stuck"}.isdisjoint(result.flags)


@needs_clang
def test_landing_pads_of_what_catches_nothing_write_nowhere(tmp_path: Path) -> None:
    """Nothing comes to them: that they might write anywhere would leave no end to the search."""
    result = check(compiled(f"#include <future>\nint main() {{ {FUTURES['promise']} }}", tmp_path), "llvm", timeout=100)
    assert (result.status, result.consistent) == ("complete", 2)


TASKS = """#include <future>
int main() {
  auto f = std::async(std::launch::async, [] { x++; return 3; });
  std::packaged_task<int(int)> p([](int a) { return a + 1; }); auto g = p.get_future();
  std::thread t(std::move(p), 41);
  x++;
  int a = f.get(), b = g.get(); t.join();
  assert(a == 3 && b == 42 && x == 2);
}
"""


@needs_clang
@pytest.mark.parametrize("level", ["0", "1", "2"])
def test_futures_of_several_threads(level: str, tmp_path: Path) -> None:
    """What is not covered is in code that no thread comes to, as where a promise is broken: it is no error."""
    test = compiled(TASKS, tmp_path, level=level)
    assert [thread.name for thread in test.threads] == ["main", "main.lambda", "packaged_task"]
    result = check(test, "rc11")
    assert (result.observation, result.status) == ("Sometimes", "complete")
    assert {"assert", "race"} & set(result.flags)


STARTED = """#include <thread>
struct counter { int n; void operator()() { n++; } void add(int more) { n += more; } };
namespace other { void work(int, void (*)()) {} }
void idle() {}
int main() {
  counter c{3};
  std::thread a(other::work, 1, idle), b(idle), d(counter{4}), e(&counter::add, &c, 1), f([] {}), g([] {});
  a.join(); b.join(); d.join(); e.join(); f.join(); g.join();
}
"""


@needs_clang
@pytest.mark.parametrize("level", ["0", "1"])
def test_threads_are_named_by_what_the_program_gives_them(level: str, tmp_path: Path) -> None:
    names = [thread.name for thread in compiled(STARTED, tmp_path, level=level).threads]
    members = {"0": ["counter.1", "counter.2"], "1": ["counter", "counter.add"]}  # where it is not read, its class
    assert names == ["main", "other.work", "idle", *members[level], "main.lambda.1", "main.lambda.2"]


THROWS = """#include <stdexcept>
int a[2];
int at(unsigned i) { if (i >= 2) std::__throw_out_of_range("at"); return a[i]; }
void ends() noexcept { at(x); }
int main() { std::thread t([] { x = 1; }); t.join(); CALL; ends(); }
"""


@needs_clang
def test_what_libstdcxx_throws(tmp_path: Path) -> None:
    """Where nothing catches it, an assertion fails."""
    assert check(compiled(THROWS.replace("CALL", "at(x + 1)"), tmp_path), "rc11").flags == ("assert",)
    caught = compiled(THROWS.replace("CALL", "try { at(x + 1); } catch (...) {}"), tmp_path)
    assert check(caught, "rc11").flags == ()


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


PUSH = """struct Node { int value; Node *next; };
std::atomic<Node *> top{nullptr};
void push(int value) {
  Node *node = new Node{value, nullptr}, *head = top.load(std::memory_order_relaxed);
  do
    node->next = head;
  while (!top.compare_exchange_weak(head, node, std::memory_order_release, std::memory_order_relaxed));
}
int main() {
  std::thread a([] { push(1); }), b([] { push(2); });
  a.join();
  b.join();
  int sum = 0;
  for (Node *node = top.load(); node; node = node->next)
    sum += node->value;
  assert(sum == 3);
}
"""


@needs_clang
@pytest.mark.parametrize("level", ("0", "1"))
def test_attempts_whose_node_was_lent_to_a_call(tmp_path: Path, level: str) -> None:
    """At -O0 the node's address stands in slots of calls that have returned: nobody reads these any more."""
    (tmp_path / "push.cpp").write_text(HEAD + PUSH)
    found = check(load(tmp_path / "push.cpp", Compiler(level=level)), "rc11")
    assert (found.verdict, found.flags, found.consistent, found.cut) == ("Ok", (), 2, 0)
