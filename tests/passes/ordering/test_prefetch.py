"""Prefetches: the five rules of section 6, and gates."""

from __future__ import annotations

import pytest

from enumerator.errors import InputError
from tests.passes.ordering.written import function_lines, run, waits

READ = "call void @llvm.prefetch.p0(ptr {}, i32 0, i32 3, i32 1)"
WRITE = "call void @llvm.prefetch.p0(ptr {}, i32 1, i32 3, i32 1)"


def test_a_prefetch_orders_nothing_after_it() -> None:
    body = f"{READ.format('@x')}\nstore i32 1, ptr @x\ncall void @g()\nret void"
    assert waits(run("alias", body)) == {"~@x:0": set(), "=1": {"entry"}, "@g": {"=1"}, "ret": {"@g"}}


def test_in_the_other_passes_it_is_an_operation_like_others() -> None:
    body = f"{READ.format('@x')}\nstore i32 1, ptr @x\nret void"
    assert waits(run("linear", body)) == {"~@x:0": {"entry"}, "=1": {"~@x:0"}, "ret": {"=1"}}
    assert waits(run("race", body))["ret"] == {"entry", "~@x:0", "=1"}


def test_a_read_prefetch_comes_after_what_may_load() -> None:
    body = f"""
      store i32 1, ptr @x
      %a = load i32, ptr @x
      %b = atomicrmw add ptr @x, i32 1 monotonic
      call void @g()
      store i32 2, ptr @x
      {READ.format("@x")}
      ret void
    """
    assert waits(run("alias", body))["~@x:0"] == {"a", "b", "@g"}


def test_a_write_prefetch_comes_after_what_may_load_or_store() -> None:
    body = f"""
      store i32 1, ptr @x
      %a = load i32, ptr @x
      call void @g()
      {READ.format("@x")}
      {WRITE.format("@x")}
      ret void
    """
    assert waits(run("alias", body))["~@x:1"] == {"=1", "a", "@g"}


def test_its_access_is_unbounded_within_the_object() -> None:
    body = f"""
      %p = getelementptr i32, ptr @a, i64 3
      %v = load i32, ptr @a
      %w = load i32, ptr @x
      {READ.format("%p")}
      ret void
    """
    assert waits(run("alias", body))["~%p:0"] == {"v"}


def test_what_aliases_nothing_is_not_ordered() -> None:
    body = f"%v = load i32, ptr @y\n{READ.format('@x')}\nret void"
    lines = function_lines(run("alias", body))
    place = next(number for number, line in enumerate(lines) if "prefetch" in line)
    assert lines[place - 1] == "call void @llvm.csa.inord(i1 false)"


LOOP = """
entry:
  %v = load i32, ptr @x
  br label %outer
outer:
  %o = load i32, ptr @x
  br label %inner
inner:
  {inner}
  call void @llvm.prefetch.p0(ptr @x, i32 0, i32 3, i32 1)
  {after}
  br i1 %c, label %inner, label %latch
latch:
  br i1 %c, label %outer, label %done
done:
  ret void
"""


def test_it_is_ordered_within_the_deepest_loop_that_holds_operations_of_its_kind() -> None:
    ordered = run("alias", LOOP.format(inner="", after=""), "i1 %c")
    assert waits(ordered)["~@x:0"] == {"o"}
    ordered = run("alias", LOOP.format(inner="%i = load i32, ptr @x", after=""), "i1 %c")
    assert waits(ordered)["~@x:0"] == {"i"}


def test_edges_around_the_loop_begin_with_a_constant() -> None:
    ordered = run("alias", LOOP.format(inner="", after="%i = load i32, ptr @x"), "i1 %c")
    assert waits(ordered)["~@x:0"] == {"i"}
    assert any("phi i1 [ false, %outer ], [ %csa.out." in line for line in function_lines(ordered))


def test_the_loop_counts_even_if_nothing_in_it_aliases() -> None:
    ordered = run("alias", LOOP.format(inner="%i = load i32, ptr @y", after=""), "i1 %c")
    assert waits(ordered)["~@x:0"] == set()
    # a store is not of the kind of a read prefetch
    ordered = run("alias", LOOP.format(inner="store i32 1, ptr @x", after=""), "i1 %c")
    assert waits(ordered)["~@x:0"] == {"o"}


def test_without_such_a_loop_it_is_ordered_within_the_function_without_the_entry() -> None:
    body = f"""
    entry:
      br i1 %c, label %then, label %join
    then:
      %v = load i32, ptr @x
      br label %join
    join:
      {READ.format("@x")}
      ret void
    """
    ordered = run("alias", body, "i1 %c")
    assert waits(ordered)["~@x:0"] == {"v"}
    assert "%csa.phi.1 = phi i1 [ false, %entry ], [ %csa.out.0, %then ]" in function_lines(ordered) or (
        "%csa.phi.0 = phi i1 [ false, %entry ], [ %csa.out.0, %then ]" in function_lines(ordered)
    )


def test_markers_and_parallel_loops_do_not_concern_it() -> None:
    body = """
    entry:
      %r = call i32 @llvm.csa.parallel.region.entry(i32 1)
      br label %loop
    loop:
      %s = call i32 @llvm.csa.parallel.section.entry(i32 %r)
      call void @llvm.prefetch.p0(ptr @x, i32 1, i32 3, i32 1)
      store i32 1, ptr @x
      call void @llvm.csa.parallel.section.exit(i32 %s)
      br i1 %c, label %loop, label %done
    done:
      call void @llvm.csa.parallel.region.exit(i32 %r)
      ret void
    """
    assert waits(run("alias", body, "i1 %c")) == {"~@x:1": {"=1"}, "=1": {"entry"}, "ret": {"=1"}}


# Gates


def gated(type_: str, value: str = "%g", mode: str = "alias") -> list[str]:
    body = f"call void @llvm.csa.gated.prefetch.t({type_} {value}, ptr @x, i32 1, i32 2)\nret void"
    more = f"%T = type {{ i8, {{ i1, [2 x i16] }} }}\ndeclare void @llvm.csa.gated.prefetch.t({type_}, ptr, i32, i32)\n"
    ordered = run(mode, body, f"{type_} %g", more)
    assert "gated" not in ordered.text and len(ordered.operations) == 1
    return function_lines(ordered)[1:-2]


def prefetch(token: str) -> list[str]:
    return [
        f"call void @llvm.csa.inord(i1 {token})",
        "call void @llvm.prefetch.p0(ptr @x, i32 1, i32 2, i32 1)",
        "%csa.out.0 = call i1 @llvm.csa.outord()",
    ]


@pytest.mark.parametrize("mode", ["linear", "race", "alias"])
def test_a_gate_of_one_bit_is_the_token(mode: str) -> None:
    assert gated("i1", mode=mode) == prefetch("%g")


@pytest.mark.parametrize(
    ("type_", "casts"),
    [
        ("i32", ["%csa.gate.0 = trunc i32 %g to i1"]),
        ("float", ["%csa.gate.0 = bitcast float %g to i32", "%csa.gate.1 = trunc i32 %csa.gate.0 to i1"]),
        ("ptr", ["%csa.gate.0 = ptrtoint ptr %g to i64", "%csa.gate.1 = trunc i64 %csa.gate.0 to i1"]),
        (
            "<2 x float>",
            ["%csa.gate.0 = bitcast < 2 x float > %g to i64", "%csa.gate.1 = trunc i64 %csa.gate.0 to i1"],
        ),
        (
            "<2 x ptr>",
            [
                "%csa.gate.0 = ptrtoint < 2 x ptr > %g to <2 x i64>",
                "%csa.gate.1 = bitcast <2 x i64> %csa.gate.0 to i128",
                "%csa.gate.2 = trunc i128 %csa.gate.1 to i1",
            ],
        ),
    ],
)
def test_a_gate_is_cast(type_: str, casts: list[str]) -> None:
    assert gated(type_) == [*casts, *prefetch(casts[-1].split(" ")[0])]


def test_an_aggregate_is_taken_apart() -> None:
    assert gated("%T") == [
        "%csa.gate.0 = extractvalue %T %g, 0",
        "%csa.gate.1 = trunc i8 %csa.gate.0 to i1",
        "%csa.gate.2 = extractvalue %T %g, 1, 0",
        "%csa.gate.3 = extractvalue %T %g, 1, 1, 0",
        "%csa.gate.4 = trunc i16 %csa.gate.3 to i1",
        "%csa.gate.5 = extractvalue %T %g, 1, 1, 1",
        "%csa.gate.6 = trunc i16 %csa.gate.5 to i1",
        "%csa.gate.7 = call i1 (...) @llvm.csa.all0(i1 %csa.gate.1, i1 %csa.gate.2, i1 %csa.gate.4, i1 %csa.gate.6)",
        *prefetch("%csa.gate.7"),
    ]


def test_an_aggregate_without_parts_gates_nothing() -> None:
    assert gated("{}", "zeroinitializer") == prefetch("false")


def test_operands_have_to_be_constants() -> None:
    body = "call void @llvm.csa.gated.prefetch.t(i1 true, ptr @x, i32 %n, i32 2)\nret void"
    with pytest.raises(InputError, match="f.ll:13: a prefetch takes a pointer, a constant i32 rw"):
        run("alias", body, "i32 %n", "declare void @llvm.csa.gated.prefetch.t(i1, ptr, i32, i32)")
