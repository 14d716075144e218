"""The rules of pairing: what takes a token, what gives one, and the message for each way to break them."""

from __future__ import annotations

import pytest

from enumerator.dataflow.pairing import orderable_operations, pair, what_is
from enumerator.errors import InputError
from enumerator.program.instructions import Constant, Register
from tests.dataflow.source import HEAD_LINES, function, module


def test_every_operation_with_its_tokens() -> None:
    test = function("""
        %e = entry
        in %e
        store i32 1, ptr @x
        %a = out
        in false
        %r = load i32, ptr @y
        %b = out
        %m = all %a, %b
        in %m
        ret void
    """)
    store, load, ret = pair(test.functions["f"])
    assert (what_is(store.instruction), store.input, store.output) == ("store to @x", Register("e"), "a")
    assert (what_is(load.instruction), load.output) == ("load %r of @y", "b")
    assert isinstance(load.input, Constant) and load.input.value == 0
    assert (what_is(ret.instruction), ret.input, ret.output) == ("ret", Register("m"), None)


def test_what_is_orderable() -> None:
    test = module("""
        declare void @llvm.csa.gated.prefetch.i32(i32, ptr, i32, i32)
        declare void @elsewhere()
        define void @g() {
          ret void
        }
        define void @f(ptr %p) {
          %i = load i32, ptr @x
          %c = load i32, ptr getelementptr inbounds (i32, ptr @table, i64 1)
          %q = getelementptr i32, ptr @table, i32 %i
          %d = load i32, ptr %q
          %old = atomicrmw add ptr @y, i32 1 monotonic
          %pair = cmpxchg ptr @y, i32 1, i32 2 monotonic monotonic
          fence seq_cst
          call void @g()
          call void @elsewhere()
          call void @llvm.prefetch.p0(ptr @x, i32 1, i32 3, i32 1)
          call void @llvm.csa.gated.prefetch.i32(i32 %i, ptr @x, i32 0, i32 3)
          %a = atomicrmw umax ptr %p, i32 1 monotonic
          ret void
        }
        ; THREADS: f=@f(ptr @x)
    """)
    found = [what_is(each.instruction) for each in orderable_operations(test.functions["f"], {"@table"})]
    assert found == [
        "load %i of @x",
        "atomicrmw add %old of @y",
        "cmpxchg %pair of @y",
        "call of @g",
        "'call void @elsewhere()'",
        "write prefetch of @x",
        "atomicrmw umax %a of [%p]",
        "ret",
    ]


def test_a_pointer_that_may_be_elsewhere_is_not_constant_memory() -> None:
    test = function("""
        %c = load i32, ptr @x
        %b = icmp eq i32 %c, 0
        %p = select i1 %b, ptr @table, ptr @x
        %q = select i1 %b, ptr @table, ptr getelementptr inbounds (i8, ptr @table, i64 4)
        %r = load i32, ptr %p
        %s = load i32, ptr %q
        ret void
    """)
    found = [what_is(each.instruction) for each in orderable_operations(test.functions["f"], {"@table"})]
    assert found == ["load %c of @x", "load %r of [%p]", "ret"]


_WRONG = [
    ("%e = entry\nstore i32 1, ptr @x\n%t = out\nin %t\nret void", 3, "store to @x in @f has no llvm.csa.inord"),
    ("%e = entry\nin %e\nstore i32 1, ptr @x\nin %e\nret void", 4, "store to @x in @f has no llvm.csa.outord"),
    ("%e = entry\nret void", 3, "ret in @f has no llvm.csa.inord"),
    (
        "%e = entry\nin %e\n%a = add i32 1, 2\nin %e\nret void",
        3,
        "llvm.csa.inord in @f is left over: %a, which follows it, takes no token",
    ),
    (
        "%e = entry\nin %e\nbr label %end\nend:\nin %e\nret void",
        3,
        "llvm.csa.inord in @f is left over: br, which follows it, takes no token",
    ),
    (
        "%e = entry\n%t = out\nin %e\nret void",
        3,
        "llvm.csa.outord (%t) in @f is left over: llvm.csa.mementry %e, which precedes it, produces no token",
    ),
    (
        "%t = out\nin %t\nret void",
        2,
        "llvm.csa.outord (%t) in @f is left over: it is the first instruction of its block",
    ),
    (
        "%e = entry\nbr i1 true, label %a, label %b\na:\nin %e\nret void\nb:\n%t = out\nin %t\nret void",
        8,
        "llvm.csa.outord (%t) in @f is left over: it is the first instruction of its block, and what ends a block",
    ),
    (
        "in 0\n%r = load i32, ptr @x\n%t = out\n%u = out\nin %u\nret void",
        5,
        "llvm.csa.outord (%u) in @f is left over: llvm.csa.outord %t, which precedes it, produces no token",
    ),
    ("%e = entry\nin %e\nin %e\nret void", 4, "two llvm.csa.inord in @f before ret: expected one"),
    (
        "%e = entry\n%z = zext i1 %e to i32\nin %e\nret void",
        3,
        "%z in @f uses the ordering token %e as a value",
    ),
    (
        "%e = entry\nbr i1 %e, label %a, label %a\na:\nin %e\nret void",
        3,
        "br in @f uses the ordering token %e as a value",
    ),
    (
        "%e = entry\nin %e\n%r = load i32, ptr @table\n%t = out\nin %t\nret void",
        3,
        "llvm.csa.inord in @f is left over: load %r of @table, which follows it, takes no token",
    ),
    ("%e = entry\nfence seq_cst\n%t = out\nin %t\nret void", 4, "llvm.csa.outord (%t) in @f is left over: fence"),
]


@pytest.mark.parametrize(("body", "line", "message"), _WRONG)
def test_what_breaks_the_rules(body: str, line: int, message: str) -> None:
    with pytest.raises(InputError) as caught:
        function(body)
    assert message in caught.value.message
    assert (caught.value.path, caught.value.line) == ("t.ll", HEAD_LINES + line)


def test_ret_with_an_outord() -> None:
    # LLVM itself: nothing stands behind a terminator
    with pytest.raises(InputError, match="t.ll"):
        function("%e = entry\nin %e\nret void\n%t = out")


def test_an_output_in_the_next_block_is_left_over() -> None:
    with pytest.raises(InputError, match=r"load %r of @x in @f has no llvm.csa.outord"):
        function("%e = entry\nin %e\n%r = load i32, ptr @x\nbr label %b\nb:\n%t = out\nin %t\nret void")


def test_one_function_with_tokens_asks_them_of_all() -> None:
    with pytest.raises(InputError, match=r"store to @x in @g has no llvm.csa.inord"):
        module("""
            define void @f() {
              %e = entry
              in %e
              ret void
            }
            define void @g() {
              store i32 1, ptr @x
              ret void
            }
        """)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("call void @llvm.csa.inord()", "llvm.csa.inord takes 1 argument"),
        ("%t = call i1 @llvm.csa.all0(i32 1)", "llvm.csa.all0 takes arguments of the type i1"),
        ("call void @llvm.csa.gated.prefetch.i32(i32 1)", "llvm.csa.gated.prefetch.i32 takes a gate, a pointer"),
    ],
)
def test_intrinsics_with_other_arguments(call: str, message: str) -> None:
    from enumerator.frontend import load_text

    name, arguments = call.split("@")[1].rstrip(")").split("(")
    result = "i1" if "i1 @" in call else "void"
    types = ", ".join(word.split()[0] for word in arguments.split(",") if word)
    text = f"declare {result} @{name}({types})\ndefine void @f() {{\n  {call}\n  ret void\n}}\n"
    with pytest.raises(InputError, match=message) as caught:
        load_text(text, "t.ll")
    assert caught.value.line == 3


def test_a_condition_over_a_token() -> None:
    with pytest.raises(InputError, match="%e is an ordering token, which has no value"):
        module("; EXISTS: f:%e = 1\ndefine void @f() {\n%e = entry\nin %e\nret void\n}")
