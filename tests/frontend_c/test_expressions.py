"""What C code computes."""

from __future__ import annotations

import pytest

from enumerator import check
from tests.frontend_c.source import body, final, states


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("1 + 2 * 3 - 4", 3),
        ("(1 + 2) * (3 - 4)", -3),
        ("7 / 2", 3),
        ("-7 / 2", -3),
        ("-7 % 4", -3),
        ("7 % -4", 3),
        ("1 << 4 | 3", 19),
        ("-16 >> 2", -4),
        ("6 & 3 ^ 1 | 8", 11),
        ("~5", -6),
        ("!5 + !0", 1),
        ("- -3 + +2", 5),
        ("3 < 4 == 1", 1),
        ("3 > 4 != 2 >= 2", 1),
        ("-1 < 1", 1),
        ("2 <= 1 || 1 && 2", 1),
        ("0 && 1 || 0", 0),
        ("0 ? 1 : 0 ? 2 : 3", 3),
        ("(1, 2, 3)", 3),
        ("0x1F + 010 + 5u + 6UL", 50),
        ("(int) (uint8_t) 7", 7),
        ("NULL == 0", 1),
        ("true + true + false", 2),
        ("9223372036854775807 + 1", -(1 << 63)),
        ("0xffffffffffffffff", -1),
        ("8 - 3 - 2", 3),
        ("100 / 10 / 5", 2),
        ("1 ? 2 : (3, 4)", 2),
    ],
)
def test_value(expression: str, value: int) -> None:
    assert final(f"int r = {expression};")["0:r"] == value


@pytest.mark.parametrize(
    ("code", "registers"),
    [
        ("int i = 5; int a = i++; int b = ++i;", {"i": 7, "a": 5, "b": 7}),
        ("int i = 5; int a = i--; int b = --i;", {"i": 3, "a": 5, "b": 3}),
        ("int a, b; a = b = 4; a += b -= 1;", {"a": 7, "b": 3}),
        ("int a = 9; a *= 2; a /= 4; a %= 3; a <<= 4; a |= 3; a ^= 1; a &= 6; a >>= 1;", {"a": 1}),
        ("int a = 0; int b = a && (a = 5); int c = a || (a = 6);", {"a": 6, "b": 0, "c": 1}),
        ("int a = 1; int b = a ? (a = 3) : (a = 4); int c = 0 ? (a = 5, 1) : 2;", {"a": 3, "b": 3, "c": 2}),
        ("int a = 1; if (a) a = 2; else a = 3;", {"a": 2}),
        ("int a = 0; if (a) a = 2; else if (a == 0) a = 4; else a = 3;", {"a": 4}),
        ("int a = 0; if (0) if (1) a = 1; else a = 2;", {"a": 0}),
        ("int s = 0; for (int i = 0; i < 5; i++) { if (i == 1) continue; if (i == 4) break; s += i; }", {"s": 5}),
        ("for (int i = 0; i < 5; i++) { if (i == 3) break; }", {"i": 3}),
        ("int i = 3, n = 0; while (i) { i--; n++; }", {"i": 0, "n": 3}),
        ("int n = 0; do n++; while (n < 0);", {"n": 1}),
        ("int n = 0; do { n++; if (n == 2) continue; } while (n < 4);", {"n": 4}),
        ("int n = 0; for (;;) { if (++n > 3) break; }", {"n": 4}),
        ("int i, j; for (i = 0, j = 9; i < j; i += 2, --j) ;", {"i": 6, "j": 6}),
        ("int n = 0; for (int i = 0; i < 2; i++) for (int j = 0; j < 3; j++) { if (j) break; n++; }", {"n": 2}),
        ("int a = 1; return; a = 2;", {"a": 1}),
        ("int a = 1; if (a) { return 3; } a = 2;", {"a": 1}),
        ("int a = 1; { int a = 2; a++; } a += 10;", {"a": 11}),
        ("int a = 1; for (int a = 0; a < 3; a++) ; ", {"a": 1}),
        ("if (1) { int t = 4; } else { int t = 5; }", {"t": 4}),
        ("int r;", {"r": 0}),
        ("int a = 3; int b = -a * a;", {"b": -9}),
    ],
)
def test_statements(code: str, registers: dict[str, int]) -> None:
    found = final(code)
    assert {name: found[f"0:{name}"] for name in registers} == registers


@pytest.mark.parametrize(
    ("code", "values"),
    [
        ("*y = 3; int r = *y;", {"0:r": 3, "[y]": 3}),
        ("*y = 3; (*y)++; ++*y; *y += 2;", {"[y]": 7}),
        ("int r = (*y = 4) + 1;", {"0:r": 5, "[y]": 4}),
        ("int r = (*y)++ + 10;", {"0:r": 10, "[y]": 1}),
        ("int *p = y; *p = 3; p[0] += 1;", {"[y]": 4, "0:p": "y"}),
        ("int *p = &*y; *&*p = 2;", {"[y]": 2}),
        ("int a = 1; int *p = &a; *p = 5; int b = a;", {"[0:a]": 5, "0:b": 5, "0:p": "0:a"}),
        ("int a = 1; { int a = 2; int *p = &a; *p = 7; }", {"[0:a]": 1}),
        ("int *p = y; int **q = &p; **q = 6;", {"[y]": 6, "[0:p]": "y"}),
        ("int b[3] = {1, 2}; int s = b[0] + b[1] * 10 + b[2]; b[2] = 4;", {"0:s": 21, "[0:b[2]]": 4}),
        ("int b[] = {1, 2, 3}; int *p = b + 1; int r = p[1] + *(p - 1) + 1[b];", {"0:r": 6}),
        ("int b[4]; int d = &b[3] - b; int e = &b[3] > &b[1]; int f = b == &b[0];", {"0:d": 3, "0:e": 1, "0:f": 1}),
        ("int b[4]; int *p = b; p++; p += 2; *p-- = 8; *--p = 9;", {"[0:b[3]]": 8, "[0:b[1]]": 9}),
        ("int r = y != 0; int s = y ? 1 : 2; int t = !y; int u = y == NULL;", {"0:r": 1, "0:s": 1, "0:t": 0, "0:u": 0}),
        ("int r = (int *) x == y;", {"0:r": 0}),
        ("int r = (y ? *y : 7) + (0 && *y);", {"0:r": 0}),
    ],
)
def test_memory(code: str, values: dict[str, object]) -> None:
    found = final(code)
    assert {name: found[name] for name in values} == values


def test_initial_state_reaches_registers_and_memory() -> None:
    found = final(
        "int r1; int b = r1 + r2; int c = *y + a[1] + z; *r3 = 8; int *d = *p;",
        "int x = 2; [y] = 3; 0:r1 = 5; 0:r2 = -1; 0:r3 = x; int *p = &x; int a[2] = {7, 9}; 0:z = 4; w = 1",
        "int *x, int *y, int *a, int **p, int z, int *w",
    )
    assert found == {
        "0:b": 4,
        "0:c": 16,
        "0:d": "x",
        "0:r1": 5,
        "0:r2": -1,
        "0:r3": "x",
        "0:z": 4,
        "[a[0]]": 7,
        "[a[1]]": 9,
        "[p]": "x",
        "[w]": 1,
        "[x]": 8,
        "[y]": 3,
    }


def test_a_parameter_by_value_is_the_location_of_its_name_unless_the_state_says_otherwise() -> None:
    assert final("int r = z;", "int z = 3;", "int z")["0:r"] == 3
    assert final("int r = z;", "int z = 3; 0:z = 4;", "int z")["0:r"] == 4
    assert final("int r = z;", "", "int z")["0:r"] == 0


def test_registers_of_paths_not_taken_are_zero() -> None:
    assert {state["0:t"] for state in states(body("if (*y) { int t = 4; }"))} == {0}


def test_a_branch_that_skips_only_computation_makes_no_control_dependency() -> None:
    test = body("int r = atomic_load(x); int s = r == 1 && r != 2 || r < 0 ? r + 1 : 5;")
    assert len(test.functions["P0"].blocks) == 2
    assert len(body("int r = *y && *y;").functions["P0"].blocks) > 2


def test_an_address_outside_of_everything_is_undefined() -> None:
    assert check(body("int *p = NULL; *p = 1;"), model="rc11").flags == ("ub", "ub-address")


def test_division_by_zero_is_undefined() -> None:
    assert "ub" in check(body("int r = 1 / *y;"), model="rc11").flags
