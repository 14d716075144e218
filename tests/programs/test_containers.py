"""Containers of C++: lists, trees and tables, whose links and sizes libstdc++ has in its library."""

from __future__ import annotations

from pathlib import Path

import pytest

from enumerator import check, load
from enumerator.errors import InputError
from enumerator.frontend.compiled import Compiler
from enumerator.results.result import Result
from tests.programs.source import needs_clang

HEAD = """#include <cassert>
#include <list>
#include <map>
#include <mutex>
#include <set>
#include <thread>
#include <unordered_map>
std::mutex m;
"""
TREES = """template <class T> void goes(const T &keys, std::initializer_list<int> wanted) {
  auto at = keys.begin();
  for (int each : wanted) assert(*at++ == each);
  assert(at == keys.end() && keys.size() == wanted.size());
  auto back = keys.end();
  for (auto last = wanted.end(); last != wanted.begin();) assert(*--back == *--last);
  assert(back == keys.begin());
}
std::set<int> s;
int main() {
  for (int each : {5, 2, 8, 1, 9, 3, 7, 4, 6, 0}) assert(s.insert(each).second);
  assert(!s.insert(7).second && s.count(7) && !s.count(11));
  goes(s, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  for (int each : {5, 0, 9, 2}) assert(s.erase(each) == 1);
  goes(s, {1, 3, 4, 6, 7, 8});
  for (int each : {1, 3, 4, 6, 7}) s.erase(s.find(each));
  goes(s, {8});
  s.erase(8);
  goes(s, {});
  std::map<int, int> squares;
  for (int i = 6; i; i--) squares[i] = i * i;
  assert(squares.lower_bound(3)->second == 9 && squares.rbegin()->second == 36 && squares.begin()->second == 1);
}
"""
LISTS = """int number(const std::list<int> &all) { int n = 0; for (int each : all) n = 10 * n + each; return n; }
std::list<int> a{3, 1, 2}, b{4}, c;
int main() {
  a.push_back(5); a.push_front(6);
  assert(number(a) == 63125 && a.size() == 5);
  a.reverse(); assert(number(a) == 52136);
  a.erase(++a.begin()); assert(number(a) == 5136);
  a.splice(++a.begin(), b); assert(number(a) == 54136 && b.empty());
  a.sort(); assert(number(a) == 13456);
  a.swap(c); assert(number(c) == 13456 && a.empty());
  a.push_back(7); a.swap(c); assert(number(c) == 7 && number(a) == 13456);
  a.clear(); assert(a.empty() && !number(a));
}
"""
TABLES = """std::unordered_map<int, int> all;
int main() {
  for (int i = 0; i < 20; i++) all[i * 7] = i;
  assert(all.size() == 20 && all.bucket_count() == 29);
  for (int i = 0; i < 20; i++) assert(all.at(i * 7) == i);
  for (int i = 0; i < 20; i += 2) assert(all.erase(i * 7) == 1);
  int sum = 0;
  for (auto &[key, value] : all) sum += value;
  assert(sum == 100 && all.find(0) == all.end() && all.find(7)->second == 1);
}
"""
STRINGS = """#include <string>
int main() {
  std::string s("hi");
  s += "yo";
  std::string t = s + "!", u(t);
  assert(t == "hiyo!" && t[0] == 'h' && t.size() == 5);
  u.push_back('x');
  std::string m = std::move(u);
  assert(m.back() == 'x' && m.substr(0, 2) == "hi" && m.find("yo") == 2 && m.c_str()[6] == 0);
}
"""
SHARED = """CONTAINER;
void add(int k) { LOCK ADD; }
int main() {
  std::thread a(add, 1), b(add, 2); a.join(); b.join();
  assert(all.size() == 2);
  int sum = 0;
  for (auto &each : all) sum = 10 * sum + NUMBER;
  assert(sum == 12 || UNORDERED && sum == 21);
}
"""
CONTAINERS = {
    "list": ("std::list<int> all", "all.push_back(k)", "each", "true"),
    "set": ("std::set<int> all", "all.insert(k)", "each", "false"),
    "map": ("std::map<int, int> all", "all[k] = k", "each.second", "false"),
    "unordered map": ("std::unordered_map<int, int> all", "all[k] = k", "each.second", "true"),
}


def checked(source: str, level: str, folder: Path) -> Result:
    """What comes of a program under RC11; where clang has no headers for C++, there is nothing to test."""
    path = folder / "program.cpp"
    path.write_text(HEAD + source)
    try:
        return check(load(path, compiler=Compiler(level=level)), "rc11")
    except InputError as error:
        if "file not found" in error.message:
            pytest.skip(error.message)
        raise


@needs_clang
@pytest.mark.parametrize("level", ["0", "1", "2"])
@pytest.mark.parametrize("source", [TREES, LISTS, TABLES, STRINGS], ids=["trees", "lists", "tables", "strings"])
def test_containers_hold_what_is_put_into_them(source: str, level: str, tmp_path: Path) -> None:
    result = checked(source, level, tmp_path)
    assert (result.status, result.observation, result.flags) == ("complete", "Never", ())


def shared(name: str, lock: str) -> str:
    container, add, number, unordered = CONTAINERS[name]
    text = SHARED.replace("CONTAINER", container).replace("ADD", add).replace("LOCK", lock)
    return text.replace("NUMBER", number).replace("UNORDERED", unordered)


@needs_clang
@pytest.mark.parametrize("level", ["0", "1"])
@pytest.mark.parametrize("name", CONTAINERS)
def test_threads_put_into_containers_one_after_the_other(name: str, level: str, tmp_path: Path) -> None:
    result = checked(shared(name, "std::lock_guard<std::mutex> l(m);"), level, tmp_path)
    assert (result.status, result.observation, result.flags) == ("complete", "Never", ())
    assert result.consistent == 2
