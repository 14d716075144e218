"""Accesses that overlap partly: the states are those of an independent reference of memory by bytes."""

from __future__ import annotations

import pytest

from enumerator import check
from enumerator.errors import InputError
from enumerator.frontend import load, load_text
from tests.generated.engines import ENGINES
from tests.reference.answers import DATA, answers
from tests.reference.test_reference import states

EACH = {"networkx": (26, 20), "literal": (13, 40)}
"""Slow engines are given each of so many programs: so many answers."""


@pytest.mark.parametrize("engine", ENGINES)
def test_states(engine: str) -> None:
    compared = 0
    each, expected = EACH.get(engine, (1, 520))
    for name, entries in list(answers("parts").items())[::each]:
        test = load(DATA / "parts" / f"{name}.ll")
        for entry in entries:
            assert states(engine, test, entry) == entry.states, (name, entry.options)
            compared += 1
    assert compared == expected


HALF = """; EXISTS: t0:%h = 0
@x = global i32 5
@p = global ptr @x
define void @t0() {
  %h = load i32, ptr @p
BODY
}"""


@pytest.mark.parametrize("engine", ["bitset", "networkx"])
@pytest.mark.parametrize(
    "body",
    [
        "  ret void",
        """  %c = icmp eq i32 %h, 0
  br i1 %c, label %a, label %b
a:
  store i32 6, ptr @x
  ret void
b:
  ret void""",
    ],
)
def test_a_number_made_of_a_half_of_a_pointer_is_an_error(engine: str, body: str) -> None:
    test = load_text(HALF.replace("BODY", body), "half.ll")
    with pytest.raises(InputError, match="pointers are kept whole"):
        check(test, "llvm", engine=engine)


@pytest.mark.parametrize("engine", ["bitset", "networkx"])
def test_halves_of_a_pointer_may_be_copied(engine: str) -> None:
    """No execution reads one half of the pointer beside one of null, but candidates do."""
    text = """; FORALL: t0:%x = 5
@x = global i32 5
@p = global ptr @x
@q = global ptr null
define void @t0() {
  %p4 = getelementptr i8, ptr @p, i64 4
  %q4 = getelementptr i8, ptr @q, i64 4
  call void @llvm.memcpy.p0.p0.i64(ptr @q, ptr @p, i64 4, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %q4, ptr %p4, i64 4, i1 false)
  %r = load ptr, ptr @q
  %x = load i32, ptr %r
  ret void
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)"""
    assert check(load_text(text, "halves.ll"), "llvm", engine=engine).observation == "Always"
