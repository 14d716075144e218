"""Loops that are marked parallel: no edges from round to round."""

from __future__ import annotations

import pytest

from tests.passes.ordering.written import run, waits

MARKED = """
entry:
  store i32 0, ptr @x
  {region}
  br label %loop
loop:
  {section}
  %a = load i32, ptr @x{group}
  store i32 1, ptr @x{group}
  {leave}
  {outside}
  br i1 %c, label %loop, label %done{loop}
done:
  {end}
  ret void
"""

MARKERS = {
    "region": "%r = call i32 @llvm.csa.parallel.region.entry(i32 1)",
    "section": "%s = call i32 @llvm.csa.parallel.section.entry(i32 %r)",
    "leave": "call void @llvm.csa.parallel.section.exit(i32 %s)",
    "end": "call void @llvm.csa.parallel.region.exit(i32 %r)",
}
NODES = '!0 = distinct !{}\n!1 = distinct !{!1, !2}\n!2 = !{!"llvm.loop.parallel_accesses", !0}\n'
METADATA = {"group": ", !llvm.access.group !0", "loop": ", !llvm.loop !1"}


def body(**parts: str) -> str:
    names = ("region", "section", "group", "leave", "outside", "loop", "end")
    return MARKED.format(**dict.fromkeys(names, "") | parts)


@pytest.mark.parametrize("parts", [MARKERS, METADATA, MARKERS | METADATA], ids=["markers", "metadata", "both"])
def test_rounds_do_not_wait_for_one_another(parts: dict[str, str]) -> None:
    found = waits(run("alias", body(**parts), "i1 %c", NODES))
    assert found == {"=0": {"entry"}, "a": {"=0"}, "=1": {"a"}, "ret": {"=1"}}


def test_without_marks_they_do() -> None:
    found = waits(run("alias", body(), "i1 %c", NODES))
    assert found == {"=0": {"entry"}, "a": {"=0", "=1", "entry"}, "=1": {"a"}, "ret": {"=1"}}


def test_all_accesses_have_to_be_in_the_group() -> None:
    parts = METADATA | {"outside": "%b = load i32, ptr @y"}
    assert "=1" in waits(run("alias", body(**parts), "i1 %c", NODES))["a"]


def test_operations_outside_of_sections_are_ordered() -> None:
    parts = MARKERS | {"outside": "%b = load i32, ptr @x\n  store i32 2, ptr @x"}
    found = waits(run("alias", body(**parts), "i1 %c", NODES))
    assert "=2" in found["a"] and found["b"] == {"=1"}


def test_linear_and_race_only_delete_the_markers() -> None:
    assert waits(run("linear", body(**MARKERS), "i1 %c"))["a"] == {"=0", "=1"}


NESTED = """
entry:
  br label %outer
outer:
  store i32 1, ptr @x
  br label %inner
inner:
  %a = load i32, ptr @x, !llvm.access.group !0
  store i32 2, ptr @x, !llvm.access.group !0
  br i1 %c, label %inner, label %latch, !llvm.loop !1
latch:
  br i1 %c, label %outer, label %done
done:
  ret void
"""


def test_a_loop_around_a_parallel_one_still_orders() -> None:
    found = waits(run("alias", NESTED, "i1 %c", NODES))
    assert found["a"] == {"=1"}  # not the store of an earlier round of the inner loop
    assert {"=2"} <= found["=1"]  # but the outer loop's next round waits for it
