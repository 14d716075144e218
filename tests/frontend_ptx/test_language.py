"""What PTX tests mean: places, proxies, halves of read-modify-writes, barriers."""

from __future__ import annotations

import pytest

from enumerator import check
from enumerator.frontend import load_text
from enumerator.program.instructions import Barrier, CompareExchange, Fence, Load, ReadModifyWrite, Scope, Store
from enumerator.program.test import Test

ONE = "P0@cta 0, gpu 0"
TWO = "P0@cta 0, gpu 0 | P1@cta 0, gpu 0"


def ptx(*rows: str, head: str = ONE, initial: str = "x = 0;", question: str = "forall (true)") -> Test:
    code = "\n".join(f"{row} ;" for row in (head, *rows))
    return load_text(f"PTX t\n{{ {initial} }}\n{code}\n{question}\n", "t.litmus")


def only(row: str, initial: str = "x = 0;") -> object:
    blocks = ptx(row, initial=initial).functions["P0"].blocks
    return next(each for block in blocks for each in block.body if not hasattr(each, "expression"))


def test_places() -> None:
    test = ptx(head="P0@cta 1, gpu 0 | P1@cta 1, gpu 1 | P2@cta 1, cluster 3, gpu 0 | P3@cta 2, cluster 3, gpu 0")
    first, second, third, fourth = (test.placements[f"P{n}"] for n in range(4))
    assert first.instance(Scope.WORKGROUP) != second.instance(Scope.WORKGROUP)
    assert first.instance(Scope.AGENT) == third.instance(Scope.AGENT) != second.instance(Scope.AGENT)
    assert third.instance(Scope.CLUSTER) == fourth.instance(Scope.CLUSTER) != first.instance(Scope.CLUSTER)
    assert third.instance(Scope.WORKGROUP) != fourth.instance(Scope.WORKGROUP)


@pytest.mark.parametrize(
    ("row", "kind", "labels"),
    [
        ("ld.weak r0, x", Load, {"GEN"}),
        ("tld.weak r0, x", Load, {"TEX"}),
        ("cold.weak r0, x", Load, {"CON", "CONSTANT"}),
        ("sust.release.gpu x, 1", Store, {"SUR"}),
        ("atom.relaxed.gpu.add r0, x, 1", ReadModifyWrite, {"GEN"}),
        ("atom.acquire.gpu.exch r0, x, 1", ReadModifyWrite, {"GEN", "RLX"}),
        ("suatom.acq_rel.gpu.max r0, x, 1", ReadModifyWrite, {"SUR", "ACQ", "REL"}),
        ("red.release.sys.add x, 1", ReadModifyWrite, {"GEN", "RLX", "RED"}),
        ("atom.release.cta.cas r0, x, 0, 1", CompareExchange, {"GEN", "RLX"}),
        ("fence.sc.gpu", Fence, {"GEN"}),
        ("fence.proxy.constant", Fence, {"CON", "CONSTANT", "PROXY"}),
        ("fence.proxy.alias", Fence, {"ALIAS", "PROXY"}),
        ("bar.cta.arrive 1", Barrier, {"ARRIVE"}),
    ],
)
def test_labels(row: str, kind: type, labels: set[str]) -> None:
    found = only(row)
    assert isinstance(found, kind) and found.annotation.labels == labels  # type: ignore[attr-defined]


def test_references_are_virtual_addresses() -> None:
    initial = "x = 7; y @ generic aliases x; s @ surface aliases x; u @ surface aliases y; z = s;"
    found = {name: only(f"ld.weak r0, {name}", initial) for name in "xysuz"}
    references = {name: each.annotation.reference for name, each in found.items()}  # type: ignore[attr-defined]
    assert references == {"x": "x", "y": "y", "s": "x", "u": "y", "z": "z"}
    objects = {memory.name: memory.initial for memory in ptx(initial=initial).objects}
    assert objects == {"x": 7, "z": 7}


def test_a_failed_compare_and_swap_does_not_write() -> None:
    test = ptx("atom.acq_rel.gpu.cas r0, x, 1, 2", initial="x = 5;", question="forall (P0:r0 == 5 /\\ x == 5)")
    assert check(test).observation == "Always"


def test_arithmetic_branches_and_loops() -> None:
    rows = ("ld r0, 3", "LC0:", "add r1, r1, r0", "sub r0, r0, 1", "bgt r0, 0, LC0", "mul r1, r1, 2")
    assert check(ptx(*rows, question="forall (P0:r1 == 12)")).observation == "Always"


@pytest.mark.parametrize(("number", "together"), [("1, 4", True), ("1, 5", False), ("1, r1", True), ("1, r2", False)])
def test_numbers_of_barriers(number: str, together: bool) -> None:
    test = ptx(
        "st.weak x, 1 | bar.cta.sync 1, 4",
        f"bar.cta.sync {number} | ld.weak r0, x",
        head=TWO,
        initial="x = 0; P0:r1 = 4; P0:r2 = 6;",
        question="forall (P1:r0 == 1)",
    )
    assert (check(test).observation == "Always") == together


def test_a_register_without_a_barrier_is_undefined() -> None:
    test = ptx("bar.cta.sync 1, r1", initial="P0:r1 = 16;")
    assert "ub-unreachable" in check(test).flags


def test_weak_loops_and_strong_ones_that_wait() -> None:
    rows = ("LC0: | st.relaxed.gpu x, 1", "ld.relaxed.gpu r0, x |", "beq r0, 0, LC0 |")
    found = check(ptx(*rows, head=TWO, question="forall (P0:r0 == 1)"))
    assert (found.observation, found.status) == ("Always", "complete")
