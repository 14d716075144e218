"""Bad input: one message with its place, whatever is wrong."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from pathlib import Path

import pytest

from enumerator.errors import InputError
from tests.frontend_c.source import body, load
from tests.refused import assert_refused

LITMUS = Path(__file__).resolve().parents[2] / "litmus_tests" / "c11"


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        # header and sections
        ("C", 1, 2, "the test has no name"),
        ("C t more words\n{}", 1, 5, "unexpected 'more' behind the test's name"),
        ('C t\n"doc', 2, 1, "this text is not closed"),
        ("C t\n(* doc (* inner *)", 2, 1, "this comment is not closed"),
        ("C t\n{ /* }", 2, 3, "this comment is not closed"),
        ("C t\n", 1, 4, "the file ends here: expected '{' and the initial state"),
        ("C t\nfoo", 2, 1, "unexpected 'foo': expected '{' and the initial state"),
        ("C t\n{ x = 1;", 2, 9, "the file ends here: expected the '}' of the '{' in line 2"),
        ("C t\n{}", 2, 3, "the file ends here: expected a thread"),
        ("C t\n{}\nexists (x=1)", 3, 1, "unexpected 'exists': expected a thread"),
        ("C t\n{}\nP0 (int *x) {}\nint f(void) {}", 4, 1, "expected locations, filter, exists, ~exists or forall"),
        ("C t\n{}\nP0 () {}\nP1 () {}\nP0 () {}", 5, 1, "a second thread P0 (the first is in line 3)"),
        ("C t\n{}\nP0 (int *x) {} #", 3, 16, "unexpected '#'"),
        # initial state
        ("C t\n{ x y = 1; }", 2, 3, "unknown type 'x'"),
        ("C t\n{ struct s x; }", 2, 3, "struct: this kind of type is not covered"),
        ("C t\n{ float x; }", 2, 3, "float: this kind of type is not covered"),
        ("C t\n{ x = ; }", 2, 7, "expected a value"),
        ("C t\n{ x = 1 y = 2; }", 2, 9, "expected ';' or '}'"),
        ("C t\n{ a[2] = 3; }", 2, 4, "an element cannot be initialised alone"),
        ("C t\n{ int a[2] = {1, 2, 3}; }", 2, 8, "more values than a has elements"),
        ("C t\n{ int a[]; }", 2, 8, "the array needs a number of elements"),
        ("C t\n{ int a[0]; }", 2, 9, "an array has from 1 to"),
        ("C t\n{ x = 18446744073709551616; }", 2, 7, "this number does not fit into 64 bits"),
        ("C t\n{ x = 12ab; }", 2, 7, "this number is malformed"),
        ("C t\n{ 7:r0 = 1; }\nP0 () {}", 2, 5, "there is no thread P7 (threads are P0)"),
        ("C t\n{ int a[2]; p = a[2]; }\nP0 () {}", 2, 17, "a has no such element"),
        ("C t\n{ int a[2]; [a] = 2; }\nP0 () {}", 2, 14, "a is an array"),
        # threads
        ("C t\n{}\nP0 (int *x, int *x) {}", 3, 18, "a second parameter x"),
        ("C t\n{}\nP0 (x) {}", 3, 5, "unknown type 'x'"),
        ("C t\n{}\nP0 (int *x;", 3, 11, "expected ',' or ')' behind a parameter"),
        ("C t\n{}\nP0 (int *x)", 3, 12, "expected '{' and the code of the thread"),
        ("C t\n{}\nP0 (int *x) { *x = 1;", 3, 22, "expected the '}' of the '{' in line 3"),
    ],
)
def test_sections(text: str, line: int, column: int, message: str) -> None:
    assert_refused(text, line, column, message)


@pytest.mark.parametrize(
    ("code", "column", "message"),
    [
        ("r0 = 1;", 1, "r0 is not declared in this thread"),
        ("int r0 = z;", 10, "z is not declared in this thread"),
        ("{ int t; } t = 1;", 12, "t is not declared in this thread"),
        ("int r0 = 1 }", 12, "unexpected '}': expected ';'"),
        ("int r0 = ;", 10, "expected an expression"),
        ("int r0 = 1 +;", 13, "expected an expression"),
        ("int r0 = (1;", 12, "expected ')'"),
        ("int if = 1;", 5, "expected a name"),
        ("foo r0 = 1;", 1, "unknown type 'foo'"),
        ("double r0;", 1, "double: this kind of type is not covered"),
        ("foo(x);", 1, "foo: there is no function of this name here"),
        ("spin_lock(x);", 1, "spin_lock: locks are not covered"),
        ("int r0 = atomic_load(x, x);", 10, "atomic_load takes 1 argument, not 2"),
        ("atomic_store_explicit(x, 1);", 1, "atomic_store_explicit takes 3 arguments, not 2"),
        ("atomic_store_explicit(x, 1, 5);", 29, "expected a memory order"),
        ("atomic_store_explicit(x, 1, memory_order_strong);", 29, "expected a memory order"),
        ("int r0 = memory_order_relaxed;", 10, "memory_order_relaxed is a memory order"),
        ("int r0 = atomic_store(x, 1);", 10, "atomic_store gives no value"),
        ("atomic_fetch_add(p, 1);", 1, "atomic_fetch_add of a pointer is not covered"),
        ("1 = 2;", 1, "this is no object"),
        ("int r0; &r0 = 1;", 9, "this is no object"),
        ("int r0 = &(1 + 2);", 14, "this is no object"),
        ("int r0 = x * 2;", 12, "* of a pointer"),
        ("int r0 = -x;", 10, "- of a pointer"),
        ("int r0 = 1[2];", 11, "neither side of [] is a pointer or an array"),
        ("int a[2]; a = 1;", 13, "an array cannot be assigned to"),
        ("int a[2][2];", 9, "arrays of arrays are not covered"),
        ("int a[];", 5, "the array a needs a number of elements"),
        ("int a[1] = {1, 2};", 5, "more values than the array a has elements"),
        ("int a[99999];", 7, "an array has from 1 to"),
        ("int r0 = 08;", 10, "this number is malformed"),
        ("break;", 1, "break outside of a loop"),
        ("if (1) continue;", 8, "continue outside of a loop"),
        ("goto l;", 1, "goto: this statement is not covered"),
        ("switch (1) { }", 1, "switch: this statement is not covered"),
        ("l: x = 0;", 1, "labels are not covered"),
        ("int r0 = sizeof(int);", 10, "sizeof is not covered"),
        ("int r0 = x->y;", 11, "structs are not covered"),
        ("int (*f)(int);", 5, "pointers to functions and to arrays are not covered"),
        ("else ;", 1, "expected an expression"),
        ("int r0 = @;", 10, "unexpected '@'"),
        ('asm("nop");', 5, "unexpected '\"'"),
        ("int r0 = " + "(" * 200 + "1" + ")" * 200 + ";", None, "nested too deep"),
        ("int r0 = " + "-" * 300 + "1;", None, "nested too deep"),
        ("if (1) " * 300 + ";", None, "nested too deep"),
        ("int r0 = " + "1 + " * 5000 + "1;", None, "more than 300 operators in a row"),
        ("int r0 = (" + "1, " * 5000 + "1);", None, "more than 300 operators in a row"),
        ("int r0 = x" + "[0]" * 5000 + ";", None, "more than 300 operators in a row"),
    ],
)
def test_code(code: str, column: int | None, message: str) -> None:
    with pytest.raises(InputError) as caught:
        body(code, "", "atomic_int *x, int *y, int **p")
    error = caught.value
    assert message in error.message
    assert (error.path, error.line) == ("t.litmus", 4)
    assert error.column is not None and column in (None, error.column)


@pytest.mark.parametrize(
    ("question", "column", "message"),
    [
        ("exists (z=1)", 9, "unknown location z"),
        ("exists ([z]=1)", 10, "unknown location z"),
        ("exists (0:r9=1)", 11, "thread P0 has no register r9"),
        ("exists (0:z=1)", 11, "thread P0 has no register z"),
        ("exists (3:r0=1)", 9, "there is no thread P3 (threads are P0)"),
        ("exists (0:r0=z)", 14, "unknown location z"),
        ("exists (0:r0=0:r9)", 16, "thread P0 has no register r9"),
        ("exists (a[2]=1)", 10, "the array a has 2 elements, counted from 0"),
        ("exists (x[0]=1)", 10, "x is no array"),
        ("exists (a={1,2,3})", 11, "3 values for 2 elements"),
        ("exists (a=1)", 11, "1 value for 2 elements"),
        ("exists (0:r0=[a])", 14, "an array cannot stand on the right"),
        ("exists (x)", 10, "expected '=' and a value"),
        ("exists (x=)", 11, "expected a value"),
        ("exists (x=1", 12, "the file ends here: expected ')'"),
        ("exists (x=1 /\\ )", 16, "unexpected ')'"),
        ("exists (x=1) foo", 14, "expected the end of the test"),
        ("exists", 7, "the file ends here: expected a condition"),
        ("~ (x=1)", 1, "expected locations, filter"),
        ("locations [x; z;] exists (x=1)", 15, "unknown location z"),
        ("locations [x exists (x=1)", 14, "expected ';' or ']'"),
        ("locations x", 11, "expected '['"),
        ("filter exists (x=1)", 8, "unknown location exists"),
        ("exists " + "(" * 200 + "x=1" + ")" * 200, None, "nested too deep"),
        ("exists " + "x=1 => " * 200 + "x=1", None, "nested too deep"),
    ],
)
def test_questions(question: str, column: int | None, message: str) -> None:
    with pytest.raises(InputError) as caught:
        load(f"C t\n{{ int a[2]; }}\nP0 (int *x, int *a) {{ int r0; }}\n{question}")
    error = caught.value
    assert message in error.message
    assert (error.path, error.line) == ("t.litmus", 4)
    assert error.column is not None and column in (None, error.column)


@pytest.mark.parametrize(
    ("directive", "message"),
    [
        ("THREADS: a=@f", "in C, the threads are P0, P1"),
        ("SCOPES: (agent P0 P1)", "there is no thread P1"),
        ("SCOPES: (workgroup P5)", "there is no thread P5"),
        ("EXISTS: x = 1", "a second condition"),
        ("EXPECT: rc11=Perhaps", "unknown observation"),
        ("UNROLL: no", "expected a whole number"),
    ],
)
def test_directives(directive: str, message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)) as caught:
        load(f"C t\n// {directive}\n{{}}\nP0 (int *x) {{}}\nexists (x=1)")
    assert (caught.value.path, caught.value.line) == ("t.litmus", 2)
    assert caught.value.column is not None


def test_a_condition_in_a_comment_has_its_place() -> None:
    assert_refused("C t\n// EXISTS: x = 1 /\\ q = 2\n{}\nP0 (int *x) {}\n", 2, 21, "unknown location q")


@pytest.mark.parametrize("path", sorted(LITMUS.glob("*.litmus")), ids=lambda path: path.stem)
def test_truncated_and_damaged_files(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    choose = random.Random(path.stem)
    damaged = [text[:length] for length in range(0, len(text), 7)]
    for _ in range(60):
        start, end = sorted(choose.randrange(len(text)) for _ in range(2))
        damaged.append(text[:start] + text[min(end, start + 12) :])
        inserted = choose.choice(["(", "}", "*", "\x01", "int ", "é", "'", ":=", "&&"])
        damaged.append(text[:start] + inserted + text[start:])
    for each in damaged:
        if not re.match(r"C\s", each):
            continue
        try:
            load(each)
        except InputError as error:
            assert error.path == "t.litmus" and error.line is not None and error.column is not None
            assert error.line <= each.count("\n") + 1


def test_loading_imports_nothing_heavy() -> None:
    script = (
        "import sys; from enumerator.frontend import load; "
        f"load({str(next(LITMUS.glob('*.litmus')))!r}); "
        "print([name for name in ('numba', 'networkx', 'llvmlite', 'lark', 'numpy') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
