"""What C programs call of strings, characters, numbers and arrays, as clang compiles it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from enumerator import check, load
from enumerator.frontend.compiled import Compiler
from tests.programs.source import needs_clang

HEAD = """#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
"""


def never_fails(source: str, level: str, folder: Path) -> None:
    path = folder / "program.c"
    path.write_text(HEAD + source)
    result = check(load(path, compiler=Compiler(level=level)), "rc11")
    assert (result.status, result.observation, result.flags) == ("complete", "Never", ())


LEVELS = pytest.mark.parametrize("level", ["0", "1", "2"])

SORTED = """struct item { int key; const char *name; };
static int by_key(const void *a, const void *b) {
  return ((const struct item *)a)->key - ((const struct item *)b)->key;
}
static int by_number(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
struct item items[4] = {{3, "c"}, {1, "a"}, {2, "b"}, {1, "z"}};
int numbers[5] = {5, 4, 1, 2, 3}, six = 6, four = 4;
int main(void) {
  qsort(items, 4, sizeof *items, by_key);
  assert(items[0].name[0] == 'a' && items[1].name[0] == 'z' && items[2].name[0] == 'b' && items[3].name[0] == 'c');
  qsort(numbers, 5, sizeof(int), by_number);
  for (int i = 0; i < 5; i++) assert(numbers[i] == i + 1);
  qsort(numbers, 0, sizeof(int), by_number);
  assert(bsearch(&four, numbers, 5, sizeof(int), by_number) == &numbers[3]);
  assert(!bsearch(&six, numbers, 5, sizeof(int), by_number));
}
"""


@needs_clang
@LEVELS
def test_arrays_are_sorted_and_searched(level: str, tmp_path: Path) -> None:
    never_fails(SORTED, level, tmp_path)


@needs_clang
@pytest.mark.parametrize("level", ["0", "1"])
def test_what_another_thread_has_written_is_sorted(level: str, tmp_path: Path) -> None:
    source = """int numbers[3] = {2, 3, 0};
atomic_int done;
static int by_number(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static void *work(void *unused) { numbers[2] = 1; done = 1; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  while (!done);
  qsort(numbers, 3, sizeof(int), by_number);
  assert(numbers[0] == 1 && numbers[1] == 2 && numbers[2] == 3);
}
"""
    never_fails(source, level, tmp_path)


@needs_clang
@LEVELS
def test_a_program_may_have_functions_of_the_same_names(level: str, tmp_path: Path) -> None:
    source = """__attribute__((noinline)) int rand(void) { return -5; }
__attribute__((noinline)) char *strpbrk(const char *a, const char *b) { return (char *)b; }
const char *volatile one = "a", *volatile other = "b";
int main(void) { assert(rand() == -5 && strpbrk(one, other)[0] == 'b'); }
"""
    never_fails(source, level, tmp_path)


NUMBERS = """const char *volatile text = "  -0x1fz", *volatile large = "99999999999999999999", *volatile none = " +x";
volatile int seven = 7, least = INT_MIN + 1;
int main(void) {
  char *end;
  assert(strtol(text, &end, 0) == -31 && *end == 'z');
  assert(strtol(text, &end, 16) == -31 && *end == 'z');
  assert(strtol(text, &end, 10) == 0 && *end == 'x');
  assert(strtol(none, &end, 10) == 0 && end == none && errno == 0);
  assert(strtol(large, 0, 10) == LONG_MAX && errno == ERANGE);
  assert(strtol("-9223372036854775808", 0, 10) == LONG_MIN);
  assert(strtoul("18446744073709551615", 0, 10) == ULONG_MAX && strtoul("-1", 0, 10) == ULONG_MAX);
  assert(strtoul("777", 0, 8) == 511 && strtoull("zz", 0, 36) == 1295 && strtol("010", 0, 0) == 8);
  assert(strtol("0xg", &end, 0) == 0 && *end == 'x');
  assert(atoi("42x") == 42 && atol("-7") == -7 && atoi("") == 0);
  errno = 0;
  assert(strtol("1", 0, 37) == 0 && errno == EINVAL);
  assert(abs(-seven) == 7 && labs(-seven) == 7 && abs(least) == INT_MAX);
  assert(div(-seven, 2).quot == -3 && div(-seven, 2).rem == -1 && ldiv(seven, 2).rem == 1);
}
"""


@needs_clang
@LEVELS
def test_numbers_that_strings_say(level: str, tmp_path: Path) -> None:
    never_fails(NUMBERS, level, tmp_path)


CHARACTERS = """volatile int letter = 'q', capital = 'Q', digit = '5', blank = '\\t', dot = '.', end = -1, other = 200;
int main(void) {
  assert(isalpha(letter) && islower(letter) && !isupper(letter) && isalnum(letter) && !isdigit(letter));
  assert(isdigit(digit) && isxdigit(digit) && !isxdigit(letter) && isspace(blank) && isblank(blank) && iscntrl(blank));
  assert(ispunct(dot) && isgraph(dot) && isprint(dot) && !isprint(blank) && !isalnum(dot) && !isalpha(end));
  assert(toupper(letter) == capital && tolower(capital) == letter && tolower(digit) == digit && toupper(end) == end);
  assert(!isalpha(other) && toupper(other) == other && !(isalpha)(end) && (toupper)(letter) == capital);
  assert((isalpha)(letter) && (isspace)(blank) && !(isspace)(letter));
}
"""


@needs_clang
@LEVELS
def test_classes_of_characters(level: str, tmp_path: Path) -> None:
    never_fails(CHARACTERS, level, tmp_path)


STRINGS = """char buffer[20] = "ab", list[] = "a,b;;cc";
char *volatile text = "aaaaaaaaaa";
int main(void) {
  char *rest;
  strncat(buffer, "cdefgh", 3);
  assert(!strcmp(buffer, "abcde") && strlen(text) == 10);
  assert(strrchr("abcb", 'b')[1] == 0 && !strrchr(text, 'b') && *strrchr(text, 0) == 0);
  assert(strstr(buffer, "cd") == buffer + 2 && !strstr(buffer, "dc") && strstr(buffer, "") == buffer);
  char *copy = strdup(buffer), *part = strndup(buffer, 2);
  assert(strlen(copy) == 5 && !strcmp(part, "ab") && !strcasecmp("AbC", "aBc") && strncasecmp("AbC", "aBd", 3) < 0);
  free(copy);
  free(part);
  assert(strspn(buffer, "ba") == 2 && strcspn(buffer, "dc") == 2 && strpbrk(buffer, "ec") == buffer + 2);
  assert(!strcmp(strtok_r(list, ",;", &rest), "a") && !strcmp(strtok_r(0, ",;", &rest), "b"));
  assert(!strcmp(strtok_r(0, ",;", &rest), "cc") && !strtok_r(0, ",;", &rest));
}
"""


@needs_clang
@LEVELS
def test_strings(level: str, tmp_path: Path) -> None:
    never_fails(STRINGS, level, tmp_path)


@needs_clang
@LEVELS
def test_copies_of_any_length(level: str, tmp_path: Path) -> None:
    source = """struct { char byte[299]; void *pointer[2]; } from = {{0}, {&from, &from}}, to;
volatile int size = sizeof from, seven = 7;
int main(void) {
  from.byte[298] = 3;
  memcpy(&to, &from, size);
  assert(to.byte[298] == 3 && to.pointer[1] == &from);
  char *memory = malloc(seven * 43);
  memset(memory, 4, seven * 43);
  assert(memory[0] == 4 && memory[256] == 4 && memory[300] == 4);
}
"""
    never_fails(source, level, tmp_path)


@needs_clang
@LEVELS
def test_arrays_that_grow(level: str, tmp_path: Path) -> None:
    source = """struct list { int count, room; char **items; } list;
volatile int many = 3;
static void add(struct list *l, char *item) {
  if (l->count == l->room) {
    l->room = l->room ? 2 * l->room : 1;
    l->items = realloc(l->items, l->room * sizeof *l->items);
  }
  l->items[l->count++] = item;
}
int main(void) {
  add(&list, "a"); add(&list, "b"); add(&list, "c");
  assert(list.room == 4 && list.items[0][0] == 'a' && list.items[1][0] == 'b' && list.items[2][0] == 'c');
  list.items = realloc(list.items, sizeof *list.items);
  assert(list.items[0][0] == 'a');
  int *zeros = calloc(many, sizeof *zeros);
  assert(zeros[2] == 0);
  free(zeros);
  assert(!realloc(list.items, many - 3));
}
"""
    never_fails(source, level, tmp_path)


@needs_clang
@LEVELS
def test_calls_that_clang_has_no_intrinsics_for(level: str, tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    source = """char from[20] = "ab cd", to[20];
int main(void) {
  memcpy(to, from, 6);
  memmove(to + 1, to, 5);
  assert(!strcmp(to, "aab cd") && !strcmp(strtok(to, " "), "aab") && !strcmp(strtok(0, " "), "cd") && !strtok(0, " "));
  memset(to, 'x', 7);
  assert(to[6] == 'x' && !to[7] && index(from, 'b') == from + 1 && rindex(from, 'b') == from + 1);
  bzero(to, 20);
  assert(!to[0]);
}
"""
    path.write_text(HEAD + source)
    names = ("clang", *(f"clang-{version}" for version in range(30, 13, -1)))
    clang = next(name for name in names if shutil.which(name))
    result = check(load(path, compiler=Compiler(f"{clang} -fno-builtin", level=level)), "rc11")
    assert (result.status, result.observation, result.flags) == ("complete", "Never", ())
