"""Names that other tools define: formulas, and choices that a model makes by using them."""

from __future__ import annotations

from pathlib import Path

from enumerator import check
from enumerator.cat.foreign import FOREIGN, IMPLIED
from enumerator.cat.parser import parse_text
from enumerator.frontend import load_text

SB = """; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXISTS: t0:%a = 0 /\\ t1:%b = 0
@x = global i32 0
@y = global i32 0
define void @t0() {{
  store atomic i32 1, ptr @x monotonic, align 4
  fence {scope}seq_cst
  %a = load atomic i32, ptr @y monotonic, align 4
  ret void
}}
define void @t1() {{
  store atomic i32 1, ptr @y monotonic, align 4
  fence {scope}seq_cst
  %b = load atomic i32, ptr @x monotonic, align 4
  ret void
}}
"""
FENCES = "fences order what they stand between\nirreflexive fr ; (po ; sync_fence ; po)+ as causality\n"


def observe(tmp_path: Path, scope: str, text: str = FENCES) -> str:
    model = tmp_path / "m.cat"
    model.write_text(f'"{text.splitlines()[0]}"\n' + "\n".join(text.splitlines()[1:]))
    return check(load_text(SB.format(scope=scope), "sb.ll"), model=str(model)).observation


def test_formulas_are_cat() -> None:
    for entry in FOREIGN.values():
        assert entry.formula is not None
        parse_text(f"let x = {entry.formula}", "m.cat")
    for text in IMPLIED.values():
        parse_text(text, "m.cat")
    assert "sync_fence" not in FOREIGN


def test_the_order_of_fences_relates_those_with_inclusive_scopes(tmp_path: Path) -> None:
    assert observe(tmp_path, "") == "Never"
    assert observe(tmp_path, 'syncscope("workgroup") ') == "Sometimes"


def test_a_definition_of_the_name_is_the_models_own(tmp_path: Path) -> None:
    assert observe(tmp_path, "", FENCES.replace("irreflexive", "let sync_fence = 0 irreflexive")) == "Sometimes"


def test_accesses_of_different_locations_use_different_references(tmp_path: Path) -> None:
    """Also where no language of references has told them apart: ``po & vloc`` of Dat3M's PTX is of one address."""
    text = "references\nempty vloc \\ loc as one-location empty loc \\ vloc as all"
    assert observe(tmp_path, "", text) == "Sometimes"
