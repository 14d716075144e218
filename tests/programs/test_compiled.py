"""Programs in C, OpenCL and HIP: clang compiles them, and what is said of them has their lines."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from enumerator import check, load
from enumerator.cli import main
from enumerator.errors import InputError
from enumerator.executions import Rerun
from enumerator.frontend.compiled import Compiler
from enumerator.frontend.llvm import load_text
from tests.programs.source import needs_clang

MP = """// Message passing between two threads
// EXPECT: llvm=Never rc11=Never
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include "order.h"
int data;
atomic_int flag;
void *writer(void *unused) {
  data = 1;
  atomic_store_explicit(&flag, 1, ORDER);
  return 0;
}
void *reader(void *unused) {
  while (!atomic_load_explicit(&flag, memory_order_acquire)) {
  }
  assert(data == 1);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, writer, 0);
  pthread_create(&b, 0, reader, 0);
  pthread_join(b, 0);
}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "order.h").write_text("#define ORDER memory_order_release\n")
    (tmp_path / "mp.c").write_text(MP)
    return tmp_path


@needs_clang
@pytest.mark.parametrize("level", ("0", "1", "2"))
def test_a_program_in_c(folder: Path, level: str) -> None:
    test = load(folder / "mp.c", Compiler(level=level))
    assert (test.title, [thread.name for thread in test.threads]) == (
        "Message passing between two threads",
        ["main", "writer", "reader"],
    )
    assert [each.text for each in test.expectations] == ["llvm=Never", "rc11=Never"]
    for model in ("llvm", "rc11", "amdgpu"):
        result = check(test, model)
        assert (result.verdict, result.observation, result.flags) == ("Ok", "Never", ())


@needs_clang
def test_lines_are_those_of_the_source(folder: Path) -> None:
    (folder / "order.h").write_text("#define ORDER memory_order_relaxed\n")
    result = check(load(folder / "mp.c"))
    assert result.flags == ("ub", "ub-undef")
    assert result.question is not None
    (told,) = [cause for cause in result.question.causes() if "reader" in cause]
    assert "reader line 17 branches on undef: the load at line 17" in told and "line 11" in told


@needs_clang
def test_a_mistake_in_the_source(folder: Path) -> None:
    (folder / "bad.c").write_text("int main(void) {\n  int x = ;\n}\n")
    with pytest.raises(InputError) as error:
        load(folder / "bad.c")
    assert (error.value.line, error.value.column) == (2, 11) and "expected expression" in error.value.message
    (folder / "bad.c").write_text('#include "nowhere.h"\n')
    with pytest.raises(InputError, match="nowhere.h"):
        load(folder / "bad.c")


@needs_clang
def test_a_mistake_in_a_directive_has_its_place(folder: Path) -> None:
    (folder / "mp.c").write_text(MP.replace("llvm=Never rc11", "llvm=Nver rc11"))
    with pytest.raises(InputError) as error:
        load(folder / "mp.c")
    assert (error.value.line, error.value.column) == (2, 12)


@needs_clang
@pytest.mark.parametrize(
    ("comment", "message"),
    [
        ("// NEVR: assert", r":1:4: unknown directive NEVR: did you mean NEVER:\?"),
        ("// EXPEC: llvm=Never", r":1:4: unknown directive EXPEC: did you mean EXPECT:\?"),
        ("/* EXPECT llvm=Never */", ":1:4: EXPECT needs a colon"),
        ("// NOTE: nothing to see", ""),
        ("int unused; // FORAL: in prose", ""),
        ("int unused;\n// FORAL: in prose", ""),
    ],
)
def test_a_misspelt_directive_of_a_source(folder: Path, comment: str, message: str) -> None:
    (folder / "mp.c").write_text(f"{comment}\n{MP}")
    if not message:
        assert load(folder / "mp.c").condition.text == "assert"
        return
    with pytest.raises(InputError) as error:
        load(folder / "mp.c")
    assert re.search(message, str(error.value))


def test_without_a_compiler(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(folder))
    with pytest.raises(InputError, match=r"mp.c: it takes clang to compile this, and there is none on the path"):
        load(folder / "mp.c")
    with pytest.raises(InputError, match=r"--clang: no such compiler: nothing-here"):
        load(folder / "mp.c", Compiler("nothing-here -O2"))
    with pytest.raises(InputError, match=r"-O: no level of optimization: 7"):
        load(folder / "mp.c", Compiler(level="7"))


def test_a_litmus_test_may_be_called_c(tmp_path: Path) -> None:
    path = tmp_path / "sb.c"
    path.write_text("C sb\n{}\nP0(atomic_int* x) { atomic_store(x, 1); }\nexists (x=1)\n")
    assert load(path).format == "c"


@needs_clang
def test_a_kernel_in_opencl(tmp_path: Path) -> None:
    path = tmp_path / "mp.cl"
    text = """// LAUNCH: @mp(i32 0) workgroups=2
// FORALL: @seen = 0 \\/ @seen = 1
global int data, seen;
global atomic_int flag;
kernel void mp(int unused) {
  if (get_global_id(0) == 0) {
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_release, SCOPE);
  } else if (atomic_load_explicit(&flag, memory_order_acquire, SCOPE)) {
    seen = data;
  }
}
"""
    path.write_text(text.replace("SCOPE", "memory_scope_device"))
    for model in ("llvm", "amdgpu"):
        result = check(load(path), model)
        assert (result.observation, result.flags, len(result.states)) == ("Always", (), 2)
    path.write_text(text.replace("SCOPE", "memory_scope_work_group"))
    assert check(load(path)).flags == ("ub", "ub-undef")


@needs_clang
def test_a_kernel_in_hip(tmp_path: Path) -> None:
    path = tmp_path / "count.hip"
    path.write_text(
        """// LAUNCH: @count(ptr addrspace(1) @total) workgroups=2 lanes=2
// FORALL: @total = 6
__attribute__((device)) int total;
extern "C" __attribute__((global)) void count(int *at) {
  int id = __builtin_amdgcn_workgroup_id_x() * __builtin_amdgcn_workgroup_size_x() + __builtin_amdgcn_workitem_id_x();
  __hip_atomic_fetch_add(at, id, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
"""
    )
    result = check(load(path))
    assert (result.observation, result.positive) == ("Always", 24)


@needs_clang
def test_the_command(folder: Path) -> None:
    command = [sys.executable, "-m", "enumerator", "check", "mp.c"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "") and "2 results: 2 as expected" in done.stdout
    command = [sys.executable, "-m", "enumerator", "run", "mp.c", "-O2", "--clang", "no-such-clang"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (2, "enumerator: --clang: no such compiler: no-such-clang\n")
    command = [sys.executable, "-m", "enumerator", "inspect", "mp.c"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert (
        done.returncode == 0
        and "@writer  thread in line 9" in done.stdout
        and "  line 11  store release" in done.stdout
    )
    done = subprocess.run([*command, "--cpu", "gfx942"], cwd=folder, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (2, "enumerator: mp.c: only LLVM IR is compiled for a processor\n")


@needs_clang
@pytest.mark.parametrize(
    "command",
    ["explain", "draw", "repair", "relax", "reorder", "merge", "infer thread-private", "refines k.hip", "compare"],
)
def test_a_program_is_compiled_for_each_question_as_it_is_run(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    kernel = "// LAUNCH: @k() workgroups=1 waves=1 lanes=1\n// PROFILE: amdgpu\n// EXISTS: @o = 1\n"
    kernel += "__attribute__((device)) int o;\n#if defined(__gfx1100__) && !defined(__OPTIMIZE__)\n"
    (tmp_path / "k.hip").write_text(f'{kernel}extern "C" __attribute__((global)) void k() {{ o = 1; }}\n#endif\n')
    monkeypatch.chdir(tmp_path)
    models = ["--model", "amdgpu", *(["--model", "llvm"] if command == "compare" else [])]
    asked = [*command.split(), "k.hip", *models]
    codes = []
    for more in (["--target", "gfx1100", "-O0"], ["--target", "gfx1100"], ["--clang", "no-such-clang"]):
        with pytest.raises(SystemExit) as ended:
            main([*asked, *more])
        codes.append(ended.value.code)
    assert codes in ([0, 2, 2], [1, 2, 2]), capsys.readouterr().err
    assert "--clang: no such compiler: no-such-clang" in capsys.readouterr().err


@needs_clang
def test_the_optimizer_of_a_kernel(tmp_path: Path) -> None:
    kernel = "// LAUNCH: @k(ptr addrspace(1) @out) workgroups=1 waves=1 lanes=1\nglobal int out;\n"
    (tmp_path / "k.cl").write_text(kernel + "kernel void k(global int *o) { *o = 1; }\n")
    command = [sys.executable, "-m", "enumerator", "optimize", "k.cl", "--model", "amdgpu"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0 and "1 test: 1 unchanged" in done.stdout + done.stderr


SEQUENTIAL = """define i32 @twice(i32 %value) {
  %double = mul i32 %value, 2
  ret i32 %double
}
@x = global i32 0
define void @reset() {
  store i32 0, ptr @x
  ret void
}
define i32 @main() {
  store i32 1, ptr @x
  %value = load i32, ptr @x
  %wrong = icmp ne i32 %value, 1
  br i1 %wrong, label %fails, label %done
fails:
  call void @abort()
  unreachable
done:
  ret i32 0
}
declare void @abort()
"""


def test_a_program_without_threads() -> None:
    """What `main` calls and has been inlined is no thread of its own, whether it has parameters or not."""
    test = load_text(SEQUENTIAL, "sequential.c", source="sequential.c")
    assert [thread.name for thread in test.threads] == ["main"]
    result = check(test, "rc11")
    assert (result.verdict, result.observation, result.consistent) == ("Ok", "Never", 1)
    with pytest.raises(InputError, match="@twice has parameters"):
        load_text(SEQUENTIAL, "sequential.ll")


@needs_clang
@pytest.mark.parametrize("level", ("0", "1", "2"))
def test_nothing_is_read_that_the_program_does_not_read(tmp_path: Path, level: str) -> None:
    """An optimizer would read the data before the branch that decides on it: C calls that a race."""
    (tmp_path / "once.c").write_text(MP.replace("while (!", "if (!").replace(") {\n  }", ")\n    return 0;"))
    (tmp_path / "order.h").write_text("#define ORDER memory_order_release\n")
    test = load(tmp_path / "once.c", Compiler(level=level))
    found = check(test, "rc11")
    assert (found.verdict, found.flags, found.consistent) == ("Ok", (), 2)
    assert [each for each in test.notes if "left out" in each] == [
        f"clang -O{level} may have left out accesses, and races with them: -O0 keeps all"
    ] * (level != "0")


FENCED = """// a fence for local memory after a flag for global data
// LAUNCH: @k() workgroups=2 lanes=1
// FORALL: @seen = 1
global int data, seen;
global atomic_int flag;
kernel void k() {
  if (get_group_id(0) == 0) {
    data = 1;
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_device);
    atomic_store_explicit(&flag, 1, memory_order_relaxed, memory_scope_device);
  } else {
    while (atomic_load_explicit(&flag, memory_order_relaxed, memory_scope_device) == 0)
      ;
    atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_acquire, memory_scope_device);
    seen = data;
  }
}
"""


@needs_clang
def test_what_is_compiled_for_a_gpu_of_amd_has_its_profile_under_its_models(tmp_path: Path) -> None:
    path = tmp_path / "fenced.cl"
    path.write_text(FENCED)
    test = load(path)
    result = check(test, "amdgpu")
    assert (result.profile, result.verdict, result.flags) == ("amdgpu", "No", ("race",))
    assert check(test, "amdgpu-2026").profile == "amdgpu" and check(test, "llvm").profile == "generic"
    assert check(test, "amdgpu", profile="generic").verdict == "Ok"
    path.write_text(FENCED.replace("// FORALL", "// PROFILE: generic\n// FORALL"))
    assert check(load(path), "amdgpu").profile == "generic"
    path.write_text(FENCED.replace("// FORALL", "// EXPECT: amdgpu=Sometimes+race llvm=Always\n// FORALL"))
    assert all(check(load(path), model).as_expected for model in ("amdgpu", "llvm"))
    assert check(load(path, Compiler(target="spirv64")), "amdgpu").profile == "generic"


@needs_clang
@pytest.mark.parametrize("target", ["gfx90a", "amdgcn-amd-amdhsa:gfx90a", "amdgcn"])
def test_a_processor_or_a_triple_for_a_kernel(tmp_path: Path, target: str) -> None:
    path = tmp_path / "fenced.cl"
    path.write_text(FENCED)
    assert check(load(path, Compiler(target=target)), "llvm").verdict == "Ok"
    if "gfx" in target:
        path.write_text(FENCED.replace("seen = data", "__builtin_amdgcn_ballot_w64(true), seen = data"))
        assert check(load(path, Compiler(target=target)), "llvm").verdict == "Ok"  # a builtin of wide waves
    kernel = tmp_path / "k.hip"
    kernel.write_text("// LAUNCH: @_Z1kv() workgroups=1 lanes=1\n__attribute__((global)) void k() {}\n")
    assert check(load(kernel, Compiler(target=target)), "llvm").verdict == "Ok"


@needs_clang
def test_hip_is_compiled_for_no_other_target(tmp_path: Path) -> None:
    kernel = tmp_path / "k.hip"
    kernel.write_text("// LAUNCH: @_Z1kv() workgroups=1 lanes=1\n__attribute__((global)) void k() {}\n")
    with pytest.raises(InputError, match="HIP is compiled for a processor of AMD, as gfx90a, not for x86_64"):
        load(kernel, Compiler(target="x86_64"))


@needs_clang
def test_a_kernel_is_inspected_with_its_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "fenced.cl"
    path.write_text(FENCED.replace("LOCAL_MEM", "GLOBAL_MEM").replace("memory_order_release", "memory_order_acquire"))
    with pytest.raises(SystemExit) as ended:
        main(["inspect", str(path), "--launch", "workgroups=2 waves=1 lanes=1", "--target", "gfx90a"])
    told = capsys.readouterr().out
    assert ended.value.code == 0 and "@k  kernel in line 6" in told
    assert f"{path}:10: warning: @flag is written by atomic_store_explicit monotonic without release: the write" in told
    assert f"{path}:8: warning: with the threads that the file starts: accesses of @data race under" in told


@needs_clang
def test_a_program_is_optimized(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "fenced.cl").write_text(FENCED.replace("LOCAL_MEM", "GLOBAL_MEM"))
    weaker = folder / "weaker.py"
    weaker.write_text(
        "import sys\nprint(sys.stdin.read().replace('i32 noundef 3, i32 noundef 2', 'i32 noundef 2, i32 noundef 2'))\n"
    )
    with pytest.raises(SystemExit) as ended:
        main(["optimize", str(folder / "mp.c"), str(folder / "fenced.cl"), "--model", "amdgpu", "--jobs", "1"])
    assert ended.value.code == 0 and "2 tests: " in capsys.readouterr().out
    with pytest.raises(SystemExit) as ended:
        main(["optimize", str(folder / "mp.c"), "-O", "9", "--jobs", "1"])
    assert ended.value.code == 2 and "no level of optimization: 9" in "".join(capsys.readouterr())
    with pytest.raises(SystemExit) as ended:
        command = f"{sys.executable} {weaker}"
        main(
            ["optimize", str(folder / "fenced.cl"), "--model", "amdgpu", "--opt", command, "--no-reduce", "--jobs", "1"]
        )
    told = capsys.readouterr().out
    assert ended.value.code == 1 and "under amdgpu@amdgpu" in told and "the fence at line 9 is release" in told


ASSERTS = """#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static void look(int value) {
  assert(value == 0);
}
static void *work(void *unused) {
  atomic_store(&x, 1);
  look(atomic_load(&y));
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  atomic_store(&y, 1);
  assert(atomic_load(&x) == 0);
  pthread_join(t, 0);
}
"""


@needs_clang
@pytest.mark.parametrize("level", ("0", "1"))
def test_it_is_told_where_an_assertion_fails(
    tmp_path: Path, level: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "fails.c").write_text(ASSERTS)
    with pytest.raises(SystemExit):
        main(["run", "fails.c", "-O", level])
    told = ["assert: fails.c:17: an assertion fails in main", "assert: fails.c:6: an assertion fails in work"]
    assert [line for line in capsys.readouterr().out.splitlines() if "Cause" in line] == [
        f"# Cause {at}" for at in told
    ]
    with pytest.raises(SystemExit):
        main(["run", "fails.c", "-O", level, "--format", "json"])
    assert json.loads(capsys.readouterr().out)[0]["causes"] == told
    question = check(load("fails.c", Compiler(level=level)), "rc11").question
    assert question is not None
    found = Rerun(question.request, "bitset").failures(0)  # none of the first ones is looked at
    assert found and set(found) <= set(told)
