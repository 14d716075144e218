"""LLVM's optimizer on tests: what is right and wrong, what registers become, reduction, the user's own program."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import pytest

from enumerator import check, load
from enumerator.clock import time_limit
from enumerator.errors import InputError, Timeout
from enumerator.frontend import load_text
from enumerator.options import Options
from enumerator.refinement.batch import Asked, optimize_all
from enumerator.refinement.instrument import NotOptimized, instrument
from enumerator.refinement.llvm import assemble, check_cpu, optimized, pass_names
from enumerator.refinement.machine import machine_code
from enumerator.refinement.optimize import Optimizer, optimize

CORPUS = Path(__file__).resolve().parents[2] / "litmus_tests"

TWO = """; THREADS: a=@f(i32 1) b=@f(i32 2)
; EXISTS: a:%old = 2 /\\ b:%next = 3 /\\ @x = 3
@x = global i32 0
define void @f(i32 %by) {
entry:
  %old = atomicrmw add ptr @x, i32 %by monotonic, align 4
  %zero = icmp eq i32 %old, 0
  br i1 %zero, label %done, label %more
more:
  br label %done
done:
  %next = phi i32 [ 0, %entry ], [ %old, %more ]
  ret void
}
"""


def test_registers_are_stored_for_each_thread() -> None:
    found = instrument(load_text(TWO, "two.ll"))
    assert found.stored == {"@observed.a.old": "a:%old", "@observed.b.next": "b:%next"}
    assert [thread.function for thread in found.test.threads] == ["f.a", "f.b"]
    before = check(load_text(TWO.replace("EXISTS:", "EXISTS: b:%old = 1 /\\ "), "two.ll"))
    stored = found.text.replace("; OBSERVE:", "; EXISTS: @observed.a.old = 2 \\/ @observed.b.next = 3\n; OBSERVE:")
    assert check(load_text(stored, "two.ll")).observation == "Sometimes"
    assert before.status == "complete"


def test_optimized_threads_refine_what_they_were() -> None:
    found = optimize(load_text(TWO, "two.ll"), Optimizer("O2"))
    assert found.changed and found.refines is True


@pytest.mark.parametrize(
    ("name", "passes", "options"),
    [
        ("fences+other-tags", "instcombine", {}),
        ("unused-load", "adce", {}),
        ("false-dependency", "sccp", {}),
        ("unused-load", "adce", {"hb": "direct"}),
        ("false-dependency", "sccp", {"thin_air": "rc11"}),
    ],
)
def test_what_is_wrong_is_found(name: str, passes: str, options: dict[str, str]) -> None:
    test = load(str(CORPUS / "optimizer" / f"{name}.ll"))
    found = optimize(test, Optimizer(passes=(passes,)), options=None, reduce=False, **options)  # type: ignore[arg-type]
    assert found.changed
    assert found.refines is bool(options)


def test_a_wrong_result_is_reduced() -> None:
    test = load(str(CORPUS / "optimizer" / "fences+other-tags.ll"))
    found = optimize(test, Optimizer("O1"))
    assert found.refines is False
    assert found.passes == ("instcombine",)
    assert found.reduced.count("\n  fence") == 3 and "@observed.t1.near" in found.after
    again = load_text(found.reduced, "reduced.ll")
    body = [part for block in again.functions["t0"].blocks for part in block.body]
    assert len(body) < len(test.functions["t0"].blocks[0].body)
    assert found.refinement is not None and found.refinement.counterexample is not None
    assert any("release fence" in line for line in found.refinement.counterexample.lost)


def test_functions_are_asked_for_in_contexts() -> None:
    text = """@x = global i32 0
@y = global i32 0
define void @t() {
  store i32 1, ptr @x
  store i32 2, ptr @x
  store atomic i32 1, ptr @y release, align 4
  ret void
}
"""
    found = optimize(load_text(text, "t.ll"), Optimizer(passes=("dse",)), contexts=2)
    assert found.changed and found.refines is True
    assert found.refinement is not None and found.refinement.contexts > 200
    program = (
        "import sys; text = sys.stdin.read(); "
        "print(text.replace('store atomic i32 1, ptr @y release', 'store atomic i32 1, ptr @y monotonic'))"
    )
    broken = optimize(load_text(text, "t.ll"), Optimizer(command=f'{sys.executable} -c "{program}"'), contexts=2)
    assert broken.refines is False
    assert broken.refinement is not None and broken.refinement.counterexample is not None
    assert len(broken.refinement.counterexample.threads) == 2


def test_a_program_that_fails_is_told() -> None:
    test = load_text("@x = global i32 0\ndefine void @t() {\n  ret void\n}\n", "t.ll")
    with pytest.raises(InputError, match="cannot run nowhere"):
        optimize(test, Optimizer(command="nowhere -S"))
    with pytest.raises(InputError, match="failed with the code 3: no luck"):
        optimize(
            test,
            Optimizer(command=f"{sys.executable} -c \"import sys; sys.exit(print('no luck', file=sys.stderr) or 3)\""),
        )
    with pytest.raises(InputError, match="not a command"):
        optimize(test, Optimizer(command="'"))
    with pytest.raises(InputError, match="has no pass 'licm'"):
        optimize(test, Optimizer(passes=("licm",)))


def test_levels_and_processors() -> None:
    test = load(str(CORPUS / "optimizer" / "unused-load.ll"))
    for level in ("O1", "O2", "O3", "Os"):
        assert optimize(test, Optimizer(level), hb="direct", reduce=False).refines is True
    assert "amdgcn" in optimized("define void @f() {\n  ret void\n}", "f.ll", cpu="gfx942")
    with pytest.raises(InputError, match="builds no pipeline O7"):
        optimized("define void @f() {\n  ret void\n}", "f.ll", level="O7")


def test_what_has_no_use_for_llvm_is_not_asked() -> None:
    for name in ("c11", "dataflow"):
        path = next(path for path in sorted((CORPUS / name).rglob("*")) if path.suffix in (".ll", ".litmus"))
        if name == "c11" and path.suffix == ".ll":
            continue
        with pytest.raises(NotOptimized):
            optimize(load(str(path)))


def test_batches_tell_errors_as_results(tmp_path: Path) -> None:
    (tmp_path / "bad.ll").write_text("define\n")
    (tmp_path / "good.ll").write_text("@x = global i32 0\ndefine void @t() {\n  store i32 1, ptr @x\n  ret void\n}\n")
    for jobs in (1, 2):
        found = list(optimize_all([str(tmp_path)], Asked(Optimizer()), jobs))
        assert [(each.error is None, each.refines) for each in found] == [(False, None), (True, True)]
        json.dumps([each.as_json() for each in found])


def test_machine_code_is_that_of_the_line() -> None:
    text = """@x = addrspace(1) global i32 0 ; not in a function
define amdgpu_kernel void @k(ptr addrspace(1) %p) {
  %old = atomicrmw add ptr addrspace(1) %p, i32 1 syncscope("agent") acq_rel, align 4 ; a remark
  store i32 %old, ptr addrspace(1) %p
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  ret void
}
declare void @llvm.amdgcn.s.barrier()
"""
    found = machine_code(text, "k.ll", "gfx942")
    assert sorted(found) == [3, 5, 6]
    assert any(line.startswith("global_atomic_add") for line in found[3])
    assert "buffer_wbl2 sc1" in found[3] and "buffer_inv sc1" in found[3]
    assert found[6] == ("s_barrier",)
    other = machine_code(text, "k.ll", "gfx1100")
    assert any("buffer_gl0_inv" in line for line in other[3])


def test_processors_are_checked() -> None:
    for wrong in ("i386", "gfx", "gfx942;", "GFX942"):
        with pytest.raises(InputError, match="expected an AMDGPU processor"):
            check_cpu(wrong)
    with pytest.raises(InputError, match="LLVM"):
        assemble("define", "t.ll", "gfx942")
    assert "instcombine" in pass_names()


def test_halves_of_barriers_on_processors_without() -> None:
    text = "define void @f() {\n\n  call void @llvm.amdgcn.s.barrier.signal(i32 -1)\n  ret void\n}\n"
    assert "s_barrier_signal" in assemble(text, "f.ll", "gfx1200")
    with pytest.raises(InputError, match=r"gfx942 has no s\.barrier\.signal \(line 3\): .* need gfx12 or later$"):
        assemble(text, "f.ll", "gfx942")
    memory = "@x = addrspace(3) global i32 0\n"
    with pytest.raises(InputError, match="cannot compile this module for gfx1200: unsupported initializer"):
        assemble(memory + text.replace("ret", "store i32 1, ptr addrspace(3) @x\n  ret"), "f.ll", "gfx1200")


def test_a_global_that_nobody_uses_is_not_observed() -> None:
    """A pass drops it, and an array without elements has no place: Triton declares one for local memory."""
    text = """; EXISTS: @o = 1
@o = global i32 0
@smem = external addrspace(3) global [0 x i8], align 16
@other = internal global i32 0
define void @k() {
  store i32 1, ptr @o
  ret void
}
"""
    assert "; OBSERVE: @o\n" in instrument(load_text(text, "k.ll")).text


SPLIT = """{}; EXISTS: {}
@buf = internal global [2 x i32] zeroinitializer
@o = global i32 0
define void @k() {{
  store i32 1, ptr @buf
  store i32 2, ptr getelementptr (i32, ptr @buf, i32 1)
  %a = load i32, ptr @buf
  %b = load i32, ptr getelementptr (i32, ptr @buf, i32 1)
  %c = add i32 %a, %b
  store i32 %c, ptr @o
  ret void
}}
"""


@pytest.mark.parametrize(
    ("observe", "condition", "removed"),
    [
        ("", "@o = 3", ()),
        ("", "@buf[1] = 2", ("@buf[1]",)),
        ("; OBSERVE: @o @buf\n", "@o = 3", ("@buf",)),
        ("; OBSERVE: @buf[0] @o\n", "@o = 3", ("@buf[0]",)),
        ("; OBSERVE: @buf\n", "@o = 3", ("@buf",)),
    ],
)
def test_a_global_that_the_optimizer_removes_is_not_compared(
    observe: str, condition: str, removed: tuple[str, ...]
) -> None:
    """Only globals that both have are; where the test asks for one that is gone, the answer says so."""
    found = optimize(load_text(SPLIT.format(observe, condition), "k.ll"), Optimizer(passes=["globalopt"]))
    assert found.refines is True and found.changed and "@buf = " not in found.after
    assert found.removed == removed
    assert any(note.endswith("is not compared: the optimizer removed it") for note in found.refinement.notes)


def test_what_remains_is_compared_where_a_global_is_removed() -> None:
    test = load_text(SPLIT.format("", "@o = 3"), "k.ll")

    class Wrong(Optimizer):
        def __call__(self, text: str, path: str) -> str:
            return Optimizer(passes=["globalopt"])(text, path).replace("store i32 %c", "store i32 7")

    assert optimize(test, Wrong(), reduce=False).refines is False


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("yes", "yes wrote more than 32 MiB"),
        ("head -c 100 /dev/urandom", "what head wrote is not UTF-8"),
        ("''", "cannot run : Permission denied"),
        ("", "not a command: it is empty"),
        ("false", "false failed with the code 1"),
        ("cat /dev/null", "^t.ll: cat /dev/null leaves no function of it: it is empty$"),
    ],
)
def test_what_a_program_writes_may_be_anything(command: str, message: str) -> None:
    test = load_text("define i32 @f() {\n  ret i32 1\n}", "t.ll")
    with pytest.raises(InputError, match=message):
        optimize(test, Optimizer(command=command))


@pytest.mark.parametrize("command", ["sleep 1000", "sh -c 'cat; yes >&2'", "sh -c 'sleep 1000 & cat'"])
def test_a_program_ends_with_the_time_of_the_test(tmp_path: Path, command: str) -> None:
    (tmp_path / "a.ll").write_text("define i32 @f() {\n  ret i32 1\n}")
    asked = Asked(Optimizer(command=command), options=Options(timeout=0.5))
    (found,) = optimize_all([str(tmp_path / "a.ll")], asked)
    assert found.refinement is not None and (found.refines, found.refinement.status) == (None, "timeout")


def test_what_a_program_started_ends_with_it(tmp_path: Path) -> None:
    number = tmp_path / "number"
    command = f"sh -c 'sleep 1000 & echo $! > {number}; wait'"
    with pytest.raises(Timeout), time_limit(0.5):
        optimized("define i32 @f() {\n  ret i32 1\n}", "t.ll", command=command)
    for _ in range(100):  # whoever inherits it takes a moment to bury it
        status = Path(f"/proc/{int(number.read_text())}/stat")
        if not status.exists() or status.read_text().split()[2] == "Z":
            return
        time.sleep(0.05)
    pytest.fail("it runs on")
