"""Whole tests: directives, threads, conditions, source lines, real-world modules, the reference corpus."""

from __future__ import annotations

from pathlib import Path

import pytest

from enumerator import check
from enumerator.errors import InputError
from enumerator.frontend import load, load_text
from enumerator.frontend.llvm.source import scan
from enumerator.program.condition import And, Equal, Literal, Name, Quantifier, TrueFormula
from enumerator.program.instructions import Constant, Scope, Unsupported
from enumerator.program.test import Test, Thread
from enumerator.program.types import IntType, PointerType
from enumerator.program.values import UNDEF, Pointer
from tests.reference.answers import DATA


def lines(test: Test, function: str) -> list[int | None]:
    return [
        part.line for block in test.functions[function].blocks for part in (*block.phis, *block.body, block.terminator)
    ]


def test_directives() -> None:
    test = load_text(
        """; MP through LDS: fences that synchronize LDS only
; REF: first
; REF: second
; NOTE: prose may have colons, and CHECK: lines of other tools too
; RUN: opt %s
; SCOPES: (agent (workgroup t0 t1))
; PROFILE: amdgpu
;NEVER:   t1:r = 1 /\\ @x = 0xffffffff
; EXPECT: llvm=Sometimes amdgpu=Sometimes+race+ub
; EXPECT: llvm@vulkan/direct/rc11=Never
; UNROLL: 3
@x = global i32 0
define void @t0() {
  ret void
}
define void @t1() {
  %r = load i32, ptr @x
  ret void
}
""",
        "folder/mp.ll",
    )
    assert (test.name, test.format, test.path) == ("mp", "llvm", "folder/mp.ll")
    assert test.title == "MP through LDS: fences that synchronize LDS only"
    assert test.references == ("first", "second")
    assert (test.profile, test.unroll) == ("amdgpu", 3)
    assert test.scope_tree == "(agent (workgroup t0 t1))"
    assert test.placements["t0"].instance(Scope.WORKGROUP) == test.placements["t1"].instance(Scope.WORKGROUP)
    assert test.condition.quantifier is Quantifier.NEVER
    assert test.condition.formula == And((Equal(Name("t1:%r"), Literal(1)), Equal(Name("@x"), Literal(-1))))
    assert test.condition.text == "t1:r = 1 /\\ @x = 0xffffffff"
    assert [(each.model, each.profile, each.variants, each.observation) for each in test.expectations] == [
        ("llvm", None, (), "Sometimes"),
        ("amdgpu", None, (), "Sometimes"),
        ("llvm", "vulkan", ("direct", "rc11"), "Never"),
    ]
    assert test.expectations[1].flags == {"race", "ub"}
    assert [each.line for each in test.expectations] == [9, 9, 10]


def test_defaults() -> None:
    test = load_text("define void @a() {\n  ret void\n}\ndefine void @b() {\n  ret void\n}\n", "x.ll")
    assert (test.title, test.profile, test.unroll, test.expectations) == ("", "generic", None, ())
    assert test.condition.quantifier is Quantifier.EXISTS and test.condition.formula == TrueFormula()
    assert [thread.name for thread in test.threads] == ["a", "b"]


def test_threads_are_the_functions_that_no_other_calls() -> None:
    test = load_text(
        """define void @main() {
  call void @helper(i32 1)
  ret void
}
define void @helper(i32 %n) {
  ret void
}
define void @again() {
  call void @again()
  ret void
}
define void @indirectly(i32 %n, ...) {
  ret void
}
define void @last() {
  call void (i32, ...) @indirectly(i32 1)
  ret void
}
""",
        "x.ll",
    )
    assert [thread.name for thread in test.threads] == ["main", "again", "last"]


def test_given_threads() -> None:
    test = load_text(
        """; THREADS: a=@k(i32 -1, ptr @x) b=@"k 2"( ptr addrspace(1) @g )  c=@t
; EXISTS: a:%n = -1 /\\ a:%r = undef
@x = global i32 0
@g = addrspace(1) global i32 0
define void @k(i32 %n, ptr %p) {
  %r = load i32, ptr %p
  ret void
}
define void @"k 2"(ptr addrspace(1)) {
  ret void
}
define void @t() {
  ret void
}
""",
        "x.ll",
    )
    assert test.threads == (
        Thread("a", "k", (Constant(-1, IntType(32)), Constant(Pointer("@x"), PointerType()))),
        Thread("b", "k 2", (Constant(Pointer("@g"), PointerType(1)),)),
        Thread("c", "t"),
    )
    assert test.functions["k 2"].parameters == ("0",)


def test_conditions_over_everything_that_has_a_name() -> None:
    test = load_text(
        """; EXISTS: t:%"a b" = 1 /\\ t:%f.1.q = 255 /\\ t:%f.2.1 = undef /\\ @"x y"[1][0]=7 /\\ t:%1=&@z+4 && @s+4=128
@"x y" = global [2 x [2 x i32]] zeroinitializer
@z = global i64 0
@s = global { i32, i8 } zeroinitializer
define void @t() {
  %"a b" = load i32, ptr @z
  %1 = getelementptr i8, ptr @z, i64 4
  call void @f(i8 1)
  call void @f(i8 2)
  ret void
}
define void @f(i8 %q) {
  %1 = add i8 %q, 1
  ret void
}
""",
        "x.ll",
    )
    assert isinstance(test.condition.formula, And)
    atoms = [(part.left.text, part.right.value) for part in test.condition.formula.parts]  # type: ignore[union-attr]
    assert atoms == [
        ("t:%a b", 1),
        ("t:%f.1.q", -1),
        ("t:%f.2.1", UNDEF),
        ("@x y[1][0]", 7),
        ("t:%1", Pointer("@z", 4)),
        ("@s+4", -128),
    ]


def test_source_lines() -> None:
    test = load_text(
        """; title

@x = global i32 0   ; one

@y = global i32 0
declare void @ext(
    i32)
define void @f(i32 %a,
               i32 %b) #0 {
entry: ; a label
  ; a comment with load i32, ptr @x
  %r = load i32,
         ptr @x
  store i32 add (i32 ptrtoint (ptr @y to i32), i32 1), ptr @x  store i32 2, ptr @x
  /* a block comment
     store i32 3, ptr @x */
  %c =
    icmp eq i32 %r, 1
  switch i32 %r, label %out [
    i32 1, label %more
    i32 2, label %out
  ]

more:
  %o = atomicrmw volatile add ptr @x, i32 1 monotonic
  %s = select i1 %c, i32 1, i32 2
  tail call void @g(i32
     1)
  br label %out
out: ret void
}
define void @g(i32 %n) { ret void }
attributes #0 = { "key"="define { load" nounwind }
; THREADS: f=@f(i32 1, i32 2)
""",
        "x.ll",
    )
    assert [obj.line for obj in test.objects] == [3, 5]
    assert test.functions["f"].line == 8
    assert lines(test, "f") == [12, 14, 14, 17, 19, 25, 26, 27, 29, 30]
    assert (test.functions["g"].line, lines(test, "g")) == (32, [32])


def test_carriage_returns() -> None:
    test = load_text(
        "; title\r\n; EXISTS: @x = 1\r\n@x = global i32 0\r\ndefine void @f() {\r\n  ret void\r\n}\r\n", "x.ll"
    )
    assert test.title == "title" and lines(test, "f") == [5]


def test_numbers_of_unnamed_values_are_those_of_the_text() -> None:
    test = load_text(
        """; EXISTS: f:%20 = 1 /\\ f:%21 = 1 /\\ @7 = 0
; THREADS: f=@f(i32 1, i32 2) g=@9
define void @f(i32 %5, i32) {
12:
  %20 = add i32 %5, %6
  add i32 %20, 1
  br label %30
30:
  %x = add i32 %21, 1
  ret void
}
@7 = global i32 0
define void @9() {
  ret void
}
@11 = global ptr @9
""",
        "x.ll",
    )
    assert test.functions["f"].parameters == ("5", "6")
    assert [part.target for part in test.functions["f"].blocks[0].body] == ["20", "21"]  # type: ignore[union-attr]
    assert {obj.name: obj.initial for obj in test.objects} == {"@7": 0, "@11": Pointer("@9")}


CLANG = Path(__file__).with_name("compiled.ll").read_text(encoding="utf-8")


def test_a_module_as_compilers_write_it() -> None:
    test = load_text(CLANG, "mp.ll")
    assert test.title == "ModuleID = 'mp.hip'"
    assert [obj.name for obj in test.objects] == ["@buffer", "@__hip_cuid", "@llvm.compiler.used", "@shared"]
    unsupported = [
        part.text
        for function in test.functions.values()
        for block in function.blocks
        for part in block.body
        if isinstance(part, Unsupported)
    ]
    assert unsupported == []
    text = CLANG.split("\n")
    for name, function in test.functions.items():
        assert function.line is not None and f"@{name}(" in text[function.line - 1]
        for block in function.blocks:
            for part in (*block.body, block.terminator):
                assert part.line is not None
                target = getattr(part, "target", None)
                assert target is None or f"%{target} = " in text[part.line - 1]


@pytest.mark.parametrize(("folder", "tests"), [("reference", 745), ("dataflow", 90)])
def test_corpora(folder: str, tests: int) -> None:
    files = sorted((DATA / folder).glob("*.ll"))
    assert len(files) == tests
    for file in files:
        test = load(file)
        assert test.name == file.stem and test.threads
        for name in test.functions:
            assert None not in lines(test, name)
            if folder == "reference":
                parts = [part for block in test.functions[name].blocks for part in block.body]
                assert not any(isinstance(part, Unsupported) for part in parts)


def test_lines_of_what_stretches_over_lines() -> None:
    source = scan(
        '; title\r\n@"a;b\nc" = global i32 0 ; not at the start\r\n'
        '/* a comment\n; within it */\n@s = constant [2 x i8] c";\n"\n'
        'define void @f(ptr %"p\nq") {\n"la\nbel":\n  %x =\n    load i32, ptr @s\n  \t; last\n  ret void\n}\n'
    )
    assert [(each.text, each.line, each.column) for each in source.comments] == [("title", 1, 3), ("last", 14, 6)]
    assert source.variables == {'@"a;b\nc"': 2, "@s": 6}
    (function,) = source.functions
    assert (function.name, function.line, function.parameters) == ("@f", 8, ['"p\nq"'])
    assert [(each.opcode, each.line, each.target, each.label) for each in function.instructions] == [
        ("load", 12, "x", '"la\nbel"'),
        ("ret", 15, None, None),
    ]


@pytest.mark.parametrize(("word", "meant"), [("ASSERT", "FORALL"), ("FORBIDDEN", "NEVER"), ("ALLOWED", "EXISTS")])
def test_a_word_that_is_a_directive_elsewhere_is_noted(word: str, meant: str) -> None:
    text = f"; title\n; {word}: @x = 1\n; NOTE: prose\n; TODO: more\n"
    text += "@x = global i32 0\ndefine void @t() {\n  ret void\n}\n"
    assert load_text(text, "a.ll").notes == (
        f"line 2: {word}: is no directive, and is not looked at ({meant}: is one)",
    )


STRUCTS = """@s = global { i32, i8, [2 x i16] } { i32 6, i8 7, [2 x i16] [i16 8, i16 9] }
@a = global [2 x { i32, i64 }] zeroinitializer
@x = global i32 0
define void @t() {
  ret void
}
"""


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        ("@s.first = 6", r"unknown location @s.first: the parts of the struct are @s\+0, @s\+4, @s\+6 and @s\+8"),
        ("@s[0] = 6", r"@s\[0\]: there is no array to index: the parts of the struct are @s\+0, @s\+4"),
        ("@a[1][0] = 0", r"@a\[1\]\[0\]: there is no array to index: the parts of the struct are @a\[1\]\+0 and"),
        ("@s = 6", r"@s is a struct of 3 values, which 6 is not: the parts of the struct are @s\+0"),
        ("@s = <6, 7>", r"@s is a struct of 3 values, which <6, 7> is not"),
        ("@a = 0", r"@a is an array of 2 values, which 0 is not: an element is @a\[0\]"),
        ("@a[1] = 0", r"@a\[1\] is a struct of 2 values, which 0 is not: the parts of the struct are @a\[1\]\+0"),
        ("@s = @x", r"@s is a struct, which @x never holds"),
        ("@t.x = 0", r"unknown location @t.x$"),
    ],
)
def test_what_a_condition_cannot_say_of_a_struct(condition: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        load_text(f"; FORALL: {condition}\n{STRUCTS}", "a.ll")


def test_what_a_condition_says_of_a_struct() -> None:
    parts = "@s = <6, 7, <8, 9>> /\\ @s+0 = 6 /\\ @s+6 = 8 /\\ @a[1]+8 = 0 /\\ ~ @s = undef"
    assert check(load_text(f"; FORALL: {parts}\n{STRUCTS}", "a.ll")).verdict == "Ok"
