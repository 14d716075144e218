"""What herd7's and Dat3M's models write that ours do not need."""

from __future__ import annotations

from pathlib import Path

import pytest

from enumerator import check
from enumerator.cat.parser import parse_text
from enumerator.cat.tree import format_expression
from enumerator.cat.typing import select
from enumerator.errors import InputError
from enumerator.frontend import load_text

SB = """C SB
{}
P0 (atomic_int *x, atomic_int *y) { atomic_store(x, 1); int r0 = atomic_load(y); }
P1 (atomic_int *x, atomic_int *y) { atomic_store(y, 1); int r0 = atomic_load(x); }
exists (0:r0 = 0 /\\ 1:r0 = 0)
"""
STDLIB = "let rmw = amo | lxsx\nflag ~empty [UB] as undefined-behavior\n"


def observed(tmp_path: Path, model: str, *variants: str, engine: str = "bitset") -> str:
    path = tmp_path / "m.cat"
    path.write_text(model)
    return check(load_text(SB, "SB.litmus"), select(path, variants=variants), engine=engine).observation


@pytest.mark.parametrize(
    ("condition", "chosen", "forbidden"),
    [
        ('"a" || "b"', "b", True),
        ('"a" || "b"', "", False),
        ('"a" && "b"', "a", False),
        ('"a" && "b"', "a b", True),
        ('not "a" && "b"', "b", True),
        ('not ("a" || "b")', "", True),
        ('not ("a" || "b")', "a", False),
        ('not not "a"', "a", True),
        ('"a" || "b" && "c"', "a", True),  # && binds more tightly
        ('("a" || "b") && "c"', "a", False),
    ],
)
def test_conditions_of_variants(tmp_path: Path, condition: str, chosen: str, forbidden: bool) -> None:
    known = 'if "a" && "b" && "c" empty 0 end\n'
    statement = f"{known}if {condition} acyclic po | rf | co | fr end"
    expression = f"{known}acyclic (if {condition} then po | rf | co | fr else 0)"
    for model in (statement, expression):
        for engine in ("bitset", "networkx"):
            found = observed(tmp_path, model, *chosen.split(), engine=engine)
            assert found == ("Never" if forbidden else "Sometimes")


def test_conditions_are_written_as_they_are_read() -> None:
    text = 'if ("a" || not ("b" && "c")) then po else 0'
    (let,) = parse_text(f"let r = {text}", "m.cat").statements
    assert format_expression(let.bindings[0].body) == text  # type: ignore[union-attr]


@pytest.mark.parametrize("engine", ["bitset", "networkx"])
def test_a_recursive_definition_with_a_test(tmp_path: Path, engine: str) -> None:
    model = "let rec hb = po | rf | co | fr | hb ; hb when irreflexive hb as order\nshow hb"
    assert observed(tmp_path, model, engine=engine) == "Never"
    with pytest.raises(InputError, match=r"m\.cat:1:\d+: 'when' with a negated test is not supported"):
        observed(tmp_path, "let rec a = po | a;a when ~empty a")


@pytest.mark.parametrize("engine", ["bitset", "networkx"])
def test_assertions(tmp_path: Path, engine: str) -> None:
    assert observed(tmp_path, "assert empty R & W as halves", engine=engine) == "Sometimes"
    with pytest.raises(InputError, match=r"the model's assertion no-writes fails on SB\.litmus"):
        observed(tmp_path, "assert empty W as no-writes", engine=engine)
    with pytest.raises(InputError, match=r"the model's assertion in line 2 fails"):
        observed(tmp_path, "\nassert ~empty 0", engine=engine)


@pytest.mark.parametrize("engine", ["bitset", "networkx"])
def test_show_of_an_unknown_name_is_a_warning(tmp_path: Path, engine: str) -> None:
    path = tmp_path / "m.cat"
    path.write_text("acyclic po\nshow po, propagation")
    result = check(load_text(SB, "SB.litmus"), select(path), engine=engine)
    assert result.notes == (f"{path}:2:10: 'show' names 'propagation', which is not defined: it is not shown",)
    with pytest.raises(InputError, match="unknown name 'propagation'"):
        observed(tmp_path, "acyclic po\nshow propagation | po as p")


def test_the_standard_library_of_dat3m(tmp_path: Path) -> None:
    (tmp_path / "stdlib.cat").write_text(STDLIB)
    assert observed(tmp_path, "/* a comment\n of C */\nacyclic po | rf | co | fr\nempty rmw & (fre;coe)") == "Never"


EXCHANGE = """C exchange
{}
P0 (atomic_int *x) { int r0 = atomic_exchange(x, 1); }
P1 (atomic_int *x) { atomic_store(x, 2); int r0 = atomic_load(x); }
exists (0:r0 = 2)
"""


@pytest.mark.parametrize("engine", ["bitset", "networkx"])
def test_names_of_herds_standard_library(tmp_path: Path, engine: str) -> None:
    path = tmp_path / "m.cat"
    path.write_text(
        "let NDATA = ADDR let EX = try EX with emptyset\n"
        "let pair = [Exp & R & X]; (same-instance \\ id) & loc; [Exp & W & X] | [NExp]; iico_data & loc; [NExp]\n"
        "empty (pair \\ rmw) | (rmw \\ pair) as pairs-are-read-modify-writes\n"
        "empty NDATA | EX empty iico_data \\ rmw empty sm \\ id as whole-accesses\n"
        "acyclic po | (rf | co | fr); sm as sc"
    )
    assert check(load_text(EXCHANGE, "e.litmus"), select(path), engine=engine).observation == "Sometimes"
