"""The edges that each pass makes."""

from __future__ import annotations

import pytest

from enumerator.errors import InputError
from enumerator.passes.ordering import order
from tests.passes.ordering.written import function_lines, module, run, waits

STRAIGHT = """
  store i32 1, ptr @x
  %a = load i32, ptr @x
  store i32 2, ptr @y
  %b = load i32, ptr @y
  ret void
"""

DIAMOND = """
entry:
  store i32 1, ptr @x
  br i1 %c, label %then, label %else
then:
  store i32 2, ptr @x
  br label %join
else:
  %a = load i32, ptr @y
  br label %join
join:
  %b = load i32, ptr @x
  ret void
"""

LOOP = """
entry:
  store i32 1, ptr @x
  br label %loop
loop:
  %a = load i32, ptr @x
  store i32 2, ptr @y
  store i32 %a, ptr @x
  br i1 %c, label %loop, label %done
done:
  %b = load i32, ptr @y
  ret void
"""


def test_linear_chains_a_block() -> None:
    assert waits(run("linear", STRAIGHT)) == {"=1": {"entry"}, "a": {"=1"}, "=2": {"a"}, "b": {"=2"}, "ret": {"b"}}


def test_linear_writes_the_tokens_around_each_operation() -> None:
    assert function_lines(run("linear", "store i32 1, ptr @x\nret void")) == [
        "%csa.entry = call i1 @llvm.csa.mementry()",
        "call void @llvm.csa.inord(i1 %csa.entry)",
        "store i32 1, ptr @x, align 4",
        "%csa.out.0 = call i1 @llvm.csa.outord()",
        "call void @llvm.csa.inord(i1 %csa.out.0)",
        "ret void",
    ]


def test_linear_joins_by_phis() -> None:
    ordered = run("linear", DIAMOND, "i1 %c")
    assert waits(ordered) == {"=1": {"entry"}, "=2": {"=1"}, "a": {"=1"}, "b": {"=2", "a"}, "ret": {"b"}}
    assert "%csa.phi.0 = phi i1 [ %csa.out.1, %then ], [ %csa.out.2, %else ]" in function_lines(ordered)


def test_linear_has_no_trivial_phis() -> None:
    empty = DIAMOND.replace("store i32 2, ptr @x", "").replace("%a = load i32, ptr @y", "")
    lines = function_lines(run("linear", empty, "i1 %c"))
    assert not any("phi" in line for line in lines)
    loop = "br label %loop\nloop:\nbr i1 %c, label %loop, label %done\ndone:\nret void"
    assert not any("phi" in line for line in function_lines(run("linear", loop, "i1 %c")))


def test_phis_of_an_irreducible_cycle_that_choose_one_token_are_removed() -> None:
    body = """
    entry:
      store i32 1, ptr @x
      br i1 %c, label %one, label %two
    one:
      br i1 %c, label %two, label %done
    two:
      br i1 %c, label %one, label %done
    done:
      ret void
    """
    assert not any("phi" in line for line in function_lines(run("linear", body, "i1 %c")))


def test_linear_in_a_loop() -> None:
    expected = {"=1": {"entry"}, "a": {"=1", "=%a"}, "=2": {"a"}, "=%a": {"=2"}, "b": {"=%a"}, "ret": {"b"}}
    assert waits(run("linear", LOOP, "i1 %c")) == expected


def test_race_orders_nothing_and_returns_wait() -> None:
    ordered = run("race", STRAIGHT)
    assert waits(ordered) == {name: {"entry"} for name in ("=1", "a", "=2", "b")} | {
        "ret": {"entry", "=1", "a", "=2", "b"}
    }
    lines = function_lines(ordered)
    merge = "%csa.all.0 = call i1 (...) @llvm.csa.all0(i1 %csa.out.0, i1 %csa.out.1, i1 %csa.out.2, i1 %csa.out.3)"
    assert lines[-4:] == [
        merge,
        "%csa.all.1 = call i1 (...) @llvm.csa.all0(i1 %csa.entry, i1 %csa.all.0)",
        "call void @llvm.csa.inord(i1 %csa.all.1)",
        "ret void",
    ]


def test_race_waits_for_other_blocks_by_phis() -> None:
    ordered = run("race", DIAMOND, "i1 %c")
    assert waits(ordered)["ret"] == {"entry", "=1", "=2", "a", "b"}
    assert "%csa.phi.0 = phi i1 [ %csa.out.1, %then ], [ %csa.out.2, %else ]" in function_lines(ordered)


def test_race_in_a_loop_needs_no_phi_where_each_round_does_the_same() -> None:
    ordered = run("race", LOOP, "i1 %c")
    assert waits(ordered)["ret"] == {"entry", "=1", "a", "=2", "=%a", "b"}
    assert not any("phi" in line for line in function_lines(ordered))


def test_race_hands_on_what_earlier_rounds_did() -> None:
    body = """
    entry:
      br label %loop
    loop:
      br i1 %c, label %then, label %latch
    then:
      store i32 1, ptr @x
      br label %latch
    latch:
      br i1 %d, label %loop, label %done
    done:
      ret void
    """
    lines = function_lines(run("race", body, "i1 %c, i1 %d"))
    assert "%csa.phi.0 = phi i1 [ %csa.entry, %entry ], [ %csa.phi.1, %latch ]" in lines
    assert "%csa.phi.1 = phi i1 [ %csa.phi.0, %loop ], [ %csa.all.0, %then ]" in lines
    assert "%csa.all.0 = call i1 (...) @llvm.csa.all0(i1 %csa.out.0, i1 %csa.phi.0)" in lines


def test_alias_orders_what_conflicts() -> None:
    expected = {"=1": {"entry"}, "a": {"=1"}, "=2": {"entry"}, "b": {"=2"}, "ret": {"a", "b"}}
    assert waits(run("alias", STRAIGHT)) == expected


def test_alias_joins_by_phis() -> None:
    expected = {"=1": {"entry"}, "=2": {"=1"}, "a": {"entry"}, "b": {"=1", "=2", "entry"}, "ret": {"a", "b", "entry"}}
    assert waits(run("alias", DIAMOND, "i1 %c")) == expected


def test_alias_carries_edges_around_loops() -> None:
    ordered = run("alias", LOOP, "i1 %c")
    expected = {
        "=1": {"entry"},
        "a": {"=1", "=%a", "entry"},
        "=2": {"=2", "entry"},
        "=%a": {"a"},
        "b": {"=2"},
        "ret": {"=%a", "b"},
    }
    assert waits(ordered) == expected


def test_calls_conflict_with_everything() -> None:
    body = "%a = load i32, ptr @x\ncall void @g()\n%b = load i32, ptr @y\nret void"
    assert waits(run("alias", body)) == {"a": {"entry"}, "@g": {"a"}, "b": {"@g"}, "ret": {"b"}}


def test_loads_do_not_conflict_and_constant_memory_is_not_ordered() -> None:
    body = "%a = load i32, ptr @x\n%b = load i32, ptr @x\n%c = load i32, ptr @table\nret void"
    for mode in ("linear", "race", "alias"):
        assert "c" not in waits(run(mode, body))
    assert waits(run("alias", body)) == {"a": {"entry"}, "b": {"entry"}, "ret": {"a", "b"}}


def test_several_returns_switch_and_unreachable() -> None:
    body = """
    entry:
      store i32 1, ptr @x
      switch i32 %n, label %one [
        i32 0, label %two
        i32 1, label %two
        i32 2, label %never
      ]
    one:
      store i32 2, ptr @x
      ret void
    two:
      ret void
    never:
      store i32 3, ptr @x
      unreachable
    """
    for mode in ("linear", "alias"):
        ordered = run(mode, body, "i32 %n")
        assert waits(ordered)["=2"] == waits(ordered)["=3"] == {"=1"}
        returns = [each for each in ordered.operations if each.text == "ret void"]
        assert [each.waits_for for each in returns] == [(2,), (0,)]
    returns = [each for each in run("race", body, "i32 %n").operations if each.text == "ret void"]
    assert [each.waits_for for each in returns] == [(0, 2), (0,)]


def test_two_edges_of_a_switch_into_one_block_get_one_value_each() -> None:
    body = """
    entry:
      store i32 1, ptr @x
      switch i32 %n, label %one [
        i32 0, label %two
        i32 1, label %two
      ]
    one:
      store i32 2, ptr @x
      br label %two
    two:
      ret void
    """
    for mode in ("linear", "alias", "race"):
        assert any(line.count("%entry ]") == 2 for line in function_lines(run(mode, body, "i32 %n")) if "phi" in line)


def test_dead_blocks_have_their_tokens() -> None:
    body = "ret void\ndead:\nstore i32 1, ptr @x\nbr label %more\nmore:\n%a = load i32, ptr @x\nret void"
    for mode in ("linear", "race", "alias"):
        assert run(mode, body).text.count("@llvm.csa.inord(i1 %") == 4


@pytest.mark.parametrize("mode", ["linear", "race", "alias"])
def test_markers_are_deleted(mode: str) -> None:
    body = """
      %r = call i32 @llvm.csa.parallel.region.entry(i32 1)
      %s = call i32 @llvm.csa.parallel.section.entry(i32 %r)
      store i32 1, ptr @x
      call void @llvm.csa.parallel.section.exit(i32 %s)
      call void @llvm.csa.parallel.region.exit(i32 %r)
      ret void
    """
    assert "parallel" not in run(mode, body).text


def test_names_in_use_are_avoided_and_unnamed_values_stay() -> None:
    body = "%csa.entry = load i32, ptr @x\n%1 = load i32, ptr @y\nstore i32 %1, ptr @x\nret void"
    lines = function_lines(run("linear", body))
    assert lines[0] == "%csa.entry.1 = call i1 @llvm.csa.mementry()" and "store i32 %1, ptr @x, align 4" in lines


def test_one_function_of_several() -> None:
    text = module("ret void") + "define void @other() {\n  store i32 1, ptr @x\n  ret void\n}\n"
    ordered = order(text, "f.ll", "linear", "other")
    assert {each.function for each in ordered.operations} == {"other"}
    assert "define void @f() {\n  ret void\n}" in ordered.text


def test_the_title_and_directives_stay_but_for_expectations() -> None:
    text = "; a title\n; EXISTS: @x = 1\n; EXPECT: llvm=Always\n; a remark\n" + module("ret void")
    assert order(text, "f.ll", "linear").text.startswith("; a title\n; EXISTS: @x = 1\n\n@x")


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("%e = call i1 @llvm.csa.mementry()\nret void", "f.ll:15: @f has ordering tokens already"),
        ("call void @llvm.memset.p0.i64(ptr @x, i8 0, i64 4, i1 false)\nret void", "f.ll:15: @llvm.memset.p0.i64 may"),
        ("musttail call void @f()\nret void", "f.ll:15: nothing may stand between a musttail call and its ret"),
        ("%v = va_arg ptr @x, i32\nret void", "f.ll:15: va_arg is not covered by ordering"),
        (
            "%r = call i32 @llvm.csa.parallel.region.entry(i32 1)\nstore i32 %r, ptr @x\nret void",
            "f.ll:16: %r is the result of a marker, which ordering deletes",
        ),
    ],
)
def test_what_cannot_be_ordered(body: str, message: str) -> None:
    more = "declare i1 @llvm.csa.mementry()\ndeclare void @llvm.memset.p0.i64(ptr, i8, i64, i1)\n"
    with pytest.raises(InputError) as error:
        run("linear", body, more=more)
    assert str(error.value).startswith(message)


def test_an_unknown_function() -> None:
    with pytest.raises(InputError, match="f.ll: no function @h has a body \\(there are: @f\\)"):
        order(module("ret void"), "f.ll", "linear", "@h")
