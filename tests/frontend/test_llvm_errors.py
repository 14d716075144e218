"""Bad input: each kind gives one clear message with its place."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from enumerator.errors import InputError
from enumerator.frontend import load, load_text
from enumerator.frontend.llvm import process

TWO = """@x = global i32 0
define void @t0() {
  store i32 1, ptr @x
  ret void
}
define void @t1() {
  %r = load i32, ptr @x
  ret void
}
"""

SCOPED = TWO.replace("store i32 1, ptr @x", 'store atomic i32 1, ptr @x syncscope("agent") release, align 4')

KERNEL = """define void @k(i32 %n, ptr addrspace(1) %p) {
  ret void
}
@g = addrspace(1) global i32 0
"""


def error_of(text: str, path: str = "test.ll") -> InputError:
    with pytest.raises(InputError) as caught:
        load_text(text, path)
    assert caught.value.path == path
    return caught.value


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        # LLVM's own complaints
        ("define void @f() {\n  foo\n}", 2, "expected instruction opcode"),
        ("define void @f() {\n  %a = load atomic i32, ptr null release, align 4\n  ret void\n}", 2, "Release"),
        ("define void @f() {\n  fence acq_rel, !mmra !0\n  ret void\n}\n!0 = !{!0}", 2, "not an MMRA tag"),
        ("define void @f() {\n  %a = add i32 %b, 1\n  %b = add i32 %a, 1\n  ret void\n}", 3, "dominate"),
        ("@x = global i32 0\n\nint main() {}", 3, "expected top-level entity"),
        # what LLVM accepts and the checker does not
        ('define void @f() {\n  fence syncscope("galaxy") release\n  ret void\n}', 2, 'unknown sync scope "galaxy"'),
        ("define <vscale x 2 x i32> @f() {\n  ret <vscale x 2 x i32> zeroinitializer\n}", 1, "not supported"),
        # directives
        ("; EXPECTS: llvm=Never\n" + TWO, 1, "did you mean EXPECT:"),
        ("; SCOPE: (agent t0 t1)\n" + TWO, 1, "did you mean SCOPES:"),
        ("; EXSITS: t1:%r = 1\n" + TWO, 1, "did you mean EXISTS:"),
        ("; EXPECT llvm=Never\n" + TWO, 1, "needs a colon"),
        ("; EXISTS:\n" + TWO, 1, "nothing follows"),
        ("; EXISTS: true\n; NEVER: true\n" + TWO, 2, "a second condition (the first is in line 1)"),
        ("; PROFILE: amdgpu\n; PROFILE: amdgpu\n" + TWO, 2, "a second PROFILE:"),
        ("; PROFILE: amdgpu vulkan\n" + TWO, 1, "one name"),
        ("; UNROLL: many\n" + TWO, 1, "whole number"),
        ("; UNROLL: -1\n" + TWO, 1, "whole number from 0"),
        ("; EXPECT: llvm\n" + TWO, 1, "is not MODEL"),
        ("; EXPECT: llvm=never\n" + TWO, 1, "unknown observation 'never'"),
        ("; EXPECT: llvm=Never+2x\n" + TWO, 1, "expected the name of a flag, not '2x'"),
        ("; EXPECT: llvm/=Never\n" + TWO, 1, "the name of a variant after '/'"),
        ("; EXPECT: llvm/direct/direct=Never\n" + TWO, 1, "the variant 'direct' is given twice"),
        ("; EXPECT: llvm=Never\n; EXPECT: llvm=Always\n" + TWO, 2, "given twice (first in line 1)"),
        ("; EXPECT: llvm=Never llvm@generic=Never\n" + TWO, 1, "given twice"),
        # threads
        ("@x = global i32 0\n", None, "no thread"),
        ("declare void @f()\n", None, "no thread"),
        (
            "define void @f() {\n call void @g()\n ret void }\ndefine void @g() {\n call void @f()\n ret void }",
            None,
            "no thr",
        ),
        (KERNEL, 1, "@k has parameters: give them in THREADS:, as a=@k("),
        ("; THREADS: a=@nope()\n" + KERNEL, 1, "no function @nope"),
        ("; THREADS: a=@k(i32 1)\n" + KERNEL, 1, "do not fit the 2 parameters"),
        ("; THREADS: a=@k(i64 1, ptr addrspace(1) @g)\n" + KERNEL, 1, "do not fit"),
        ("; THREADS: a=@k(i32 1, ptr @g)\n" + KERNEL, 1, "do not fit"),
        ("; THREADS: a=@k(i32 1, ptr addrspace(1) @h)\n" + KERNEL, 1, "there is no global @h"),
        ("; THREADS: a=@k(i32 %x, ptr addrspace(1) @g)\n" + KERNEL, 1, "no LLVM constants"),
        ("; THREADS: a=@k(i32 99999999999, ptr addrspace(1) @g)\n" + KERNEL, 1, "no LLVM constants"),
        ("; THREADS: a=@k(i32 1, ptr addrspace(1) @g\n" + KERNEL, 1, "')' is missing"),
        ("; THREADS: a=@t0 a=@t1\n" + TWO, 1, "thread a is given twice"),
        ("; THREADS: a:@t0\n" + TWO, 1, "expected name=@function"),
        # scopes
        (SCOPED, 3, "the scope agent needs a SCOPES: directive"),
        ("; SCOPES: (agent t0)\n" + SCOPED, 4, "not named: t1"),
        ("; SCOPES: (agent t0 t1 t2)\n" + SCOPED, 1, "there is no thread t2"),
        ("; SCOPES: (agent t0 t1 t0)\n" + SCOPED, 1, "t0 occurs twice"),
        (
            "define void @f() {\n  call void @llvm.amdgcn.s.barrier()\n  ret void\n}\n"
            "declare void @llvm.amdgcn.s.barrier()",
            2,
            "a barrier needs a SCOPES:",
        ),
        # conditions
        ("; EXISTS: t2:%r = 1\n" + TWO, 1, "there is no thread t2"),
        ("; EXISTS: t1:%s = 1\n" + TWO, 1, "thread t1 has no register %s"),
        ("; EXISTS: @y = 1\n" + TWO, 1, "unknown location @y"),
        ("; EXISTS: t1:%r = @y\n" + TWO, 1, "unknown location @y"),
        ("; EXISTS: t1:%r = &@y\n" + TWO, 1, "unknown location @y"),
        ("; EXISTS: t1:%r = &@x[1]\n" + TWO, 1, "no array"),
        ("; EXISTS: @x[0] = 1\n" + TWO, 1, "no array"),
        ("; EXISTS: t1:%r = 1 /\\\n" + TWO, 1, "the condition ends here"),
        ("; EXISTS: t1:%f.1.r = 1\n" + TWO, 1, "no register"),
        (
            "define void @f() {\n  call void @llvm.amdgcn.s.barrier.signal(i64 1)\n  ret void\n}\n"
            "declare void @llvm.amdgcn.s.barrier.signal(i64)",
            5,
            "incorrect argument type",
        ),
    ],
)
def test_message_and_line(text: str, line: int | None, message: str) -> None:
    error = error_of(text)
    assert message in error.message
    assert error.line == line


VECTOR = """; EXISTS: CONDITION
@v = global <2 x i32> zeroinitializer
@long = global <100000 x i32> zeroinitializer
@own = thread_local global i32 0
define void @t() {
  %p = load <2 x i32>, ptr @v
  %e = extractelement <2 x i32> %p, i32 0
  ret void
}
"""


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        ("t:%p = 1", "t:%p is a vector of 2 values, which 1 is not: expected <0, 0>, or undef"),
        ("@v = <1, 2, 3>", "@v is a vector of 2 values, which <1, 2, 3> is not: expected <0, 0>, or undef"),
        ("t:%p = t:%e", "t:%p is a vector, which t:%e never holds"),
        ("t:%e = @v", "@v is a vector, which t:%e never holds"),
        ("t:%p[0] = 1", "unexpected '[' in the condition: a vector is compared as a whole, as t0:%v = <1, 2>"),
        ("@v[0] = 1", "@v[0]: there is no array to index: a vector is compared as a whole, as <1, 2>"),
        ("@long = 1", "@long cannot be asked about: a vector this long"),
        ("@own = 1", "@own cannot be asked about: each thread has its own"),
    ],
)
def test_conditions_over_vectors(condition: str, message: str) -> None:
    error = error_of(VECTOR.replace("CONDITION", condition))
    assert (error.message, error.line) == (message, 1)


@pytest.mark.parametrize("condition", ["t:%p = <0, undef>", "t:%p = undef", "t:%p = @v", "@v = <0, 1>"])
def test_vectors_are_compared_as_a_whole(condition: str) -> None:
    assert load_text(VECTOR.replace("CONDITION", condition), "t.ll").condition.text == condition


def test_columns() -> None:
    assert error_of("; EXISTS: t1:%r = 1 /\\ t9:%r = 2\n" + TWO).column == 24
    assert error_of("; EXPECT: llvm=Never amdgpu=Nie\n" + TWO).column == 22
    assert error_of(";  SCOPES: (agent (t0))\n" + TWO).column == 20


def test_the_text_itself() -> None:
    assert "empty" in error_of("  \n").message
    error = error_of("; a\n\0" + TWO)
    assert "NUL" in error.message and (error.line, error.column) == (2, 1)
    assert "Unicode" in error_of("; \udc80\n" + TWO).message


@pytest.mark.parametrize(
    ("path", "text", "message"),
    [
        ("a.txt", "hello\n", "unknown format"),
    ],
)
def test_formats(path: str, text: str, message: str) -> None:
    assert message in error_of(text, path).message


def test_files(tmp_path: Path) -> None:
    def message(path: object) -> str:
        with pytest.raises(InputError) as caught:
            load(str(path))
        return str(caught.value)

    assert "cannot read" in message(tmp_path / "missing.ll")
    assert "folder" in message(tmp_path)
    assert "file name" in message("a\0b.ll")
    (tmp_path / "bad.ll").write_bytes(b"; fine\n; \xff\n")
    assert "bad.ll:2:3: the file is not valid UTF-8" in message(tmp_path / "bad.ll")
    os.mkfifo(tmp_path / "pipe.ll")
    assert "no regular file" in message(tmp_path / "pipe.ll")


@pytest.mark.parametrize(
    "text",
    [
        "@x = global " + "{" * 100_000,
        "@x = global " + "[1 x " * 3000 + "i8" + "]" * 3000 + " zeroinitializer\ndefine void @f() { ret void }",
        "!0 = !DILocation(line: 1, scope: !1)\n!1 = !{}\n!llvm.dbg.cu = !{!0}\n",
        "define void @f() { ret void }\n@v = global <vscale x 2 x i32> zeroinitializer\n!llvm.dbg.cu = !{!0}\n!0 = !{}",
        "".join(f"%t{n + 1} = type {{ %t{n}, %t{n} }}\n" for n in range(60))
        + "%t0 = type { i32 }\n@x = global %t60 zeroinitializer\ndefine void @f() { ret void }",
        "; EXISTS: " + "(" * 50_000 + "\n" + TWO,
        "; EXISTS: " + "~" * 50_000 + "true\n" + TWO,
        "; SCOPES: " + "(" * 50_000 + "\n" + TWO,
        "; THREADS: a=@k(i32 " + "add (i32 " * 5000 + "\n" + KERNEL,
    ],
)
def test_hostile_text_is_an_error_and_no_crash(text: str) -> None:
    error_of(text)
    assert load_text(TWO, "next.ll").name == "next"  # a worker that died is replaced


def test_huge_objects_cost_nothing() -> None:
    test = load_text("@a = global [1000000000 x i32] zeroinitializer\n" + TWO, "huge.ll")
    assert test.objects[0].initial is None


def test_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    process.stop()
    monkeypatch.setattr(process, "TIME_LIMIT", 0.0)
    assert "did not finish" in error_of(TWO).message
    monkeypatch.undo()
    assert load_text(TWO, "again.ll").name == "again"


def test_lost_workers_are_replaced() -> None:
    load_text(TWO, "a.ll")
    child = process._child
    assert child is not None
    child._process.kill()
    child._process.wait()
    assert load_text(TWO, "b.ll").name == "b"


def test_forked_processes_start_their_own_worker() -> None:
    load_text(TWO, "parent.ll")
    pid = os.fork()
    if pid == 0:
        try:
            load_text(TWO, "child.ll")
            process.stop()
            os._exit(0)
        finally:
            os._exit(1)
    _, status = os.waitpid(pid, 0)
    assert status == 0
    assert load_text(TWO, "parent.ll").name == "parent"
