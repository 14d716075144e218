"""Symmetric threads while executions grow: all that is found is what is found where each arrangement is grown."""

from __future__ import annotations

import re
from dataclasses import replace
from math import factorial
from random import Random

import pytest

from benchmarks.locks import LOCKS, spin_lock
from enumerator.cat.typing import select
from enumerator.frontend import load_text
from enumerator.mmra import load_profile
from enumerator.program.test import Test
from enumerator.request import Outcomes, Request
from enumerator.search.bitset import enumerate_test
from enumerator.search.grown_symmetry import find_groups
from enumerator.search.session import Session
from enumerator.search.strategies import CannotGrow
from enumerator.search.tuning import Tuning
from tests.generated.amounts import examples
from tests.generated.created import random_created
from tests.generated.programs import random_program
from tests.generated.test_agreement import AMDGPU_FEATURES, FEATURES
from tests.programs.source import program
from tests.search.generated import request_for
from tests.search.test_symmetry import with_duplicates

ONE, EACH = Tuning(grow_from=0), Tuning(grow_from=0, symmetry=False)
ENDS = 5000


def ends(request: Request) -> tuple[int, int]:
    """How many ends are explored with symmetry and without; all else is the same."""
    found = []
    for tuning in (ONE, EACH):
        try:
            found.append(enumerate_test(replace(request, max_executions=ENDS), Session(tuning)))
        except CannotGrow:
            return 0, 0
    if any(each.status != "complete" for each in found):
        return 0, 0
    symmetric, each = (replace(outcomes, explored=0) for outcomes in found)
    assert symmetric == each
    return found[0].explored, found[1].explored


def with_several(text: str, seed: int) -> str:
    """Let several threads run one of the functions, all in one wavefront, or each in a workgroup, or anywhere."""
    random = Random(seed)
    functions = re.findall(r"^define void @(t\d)\(\)", text, re.MULTILINE)
    first, other = random.choice(functions), random.choice(functions)
    threads = [f"a{number}=@{first}()" for number in range(random.choice([2, 3, 3, 4]))]
    threads += [f"b=@{other}()"] * random.choice([0, 1, 1])
    random.shuffle(threads)
    names = [thread.partition("=")[0] for thread in threads]
    groups = random.choice([[" ".join(names)], names])
    tree = " ".join(f"(workgroup (wavefront {group}))" for group in groups)
    text = re.sub(r"^; SCOPES:.*\n", "", text, flags=re.MULTILINE)
    head = f"; EXISTS: true\n; THREADS: {' '.join(threads)}\n; SCOPES: (system (agent (cluster {tree})))\n"
    return text.replace("; EXISTS: true\n", head, 1)


@pytest.mark.parametrize("model", ["rc11", "llvm", "amdgpu"])
def test_threads_that_run_the_same_code(model: str) -> None:
    fewer = 0
    for parts in (AMDGPU_FEATURES if model == "amdgpu" else FEATURES).values():
        wanted = frozenset(parts)
        for seed in range(examples(2)):
            given = random_program(wanted, seed, 3 + seed % 3, 3 + seed % 2).text
            text = with_several(given, seed) if seed % 2 == 0 else with_duplicates(given, seed)
            request = request_for(text, model, wanted, seed)
            for names in (tuple(name for name in request.names if ":" not in name), ()):
                symmetric, each = ends(replace(request, names=names))
                fewer += symmetric < each
    assert fewer > 0


@pytest.mark.parametrize("model", ["rc11", "llvm", "amdgpu"])
def test_threads_that_are_created(model: str) -> None:
    fewer = 0
    for seed in range(examples(8)):
        test = program(random_created(seed))
        for names in ((), ("@x", "@y"), ("@x", "@p")):
            symmetric, each = ends(asked(test, model, names))
            fewer += symmetric < each
    assert fewer > 0


def asked(test: Test, model: str, names: tuple[str, ...] = ()) -> Request:
    return Request(test, select(model), load_profile(test.profile), names)


def created(count: int, work: str, between: str = "", argument: str = "", after: str = "") -> Test:
    """Threads that run one function, and what their creator does between creating them, and between joining them."""
    create = f"\n{between}\n".join(f"create w{number} @work({argument})" for number in range(count))
    join = f"\n{after}\n".join(f"join w{number}" for number in range(count))
    return program(
        f"""; EXISTS: true
@m = global [40 x i8] zeroinitializer
@log = global [4 x i32] zeroinitializer
define i32 @main() {{
{create}
{join}
  ret i32 0
}}
define ptr @work(ptr %argument) {{
{work}
  ret ptr null
}}
"""
    )


LOCKED = """  call i32 @pthread_mutex_lock(ptr @m)
  %a = load i32, ptr @x
  %b = add i32 %a, 1
  store i32 %b, ptr @x
  call i32 @pthread_mutex_unlock(ptr @m)"""
UPDATE = "  %a = atomicrmw add ptr @x, i32 1 monotonic"
STORE = "  store atomic i32 1, ptr @x monotonic, align 4"
TWO = "\n".join([STORE, STORE.replace("@x", "@y")])


@pytest.mark.parametrize(("work", "count"), [(LOCKED, 5), (UPDATE, 6), (STORE, 6), (TWO, 4)])
@pytest.mark.parametrize("model", ["rc11", "llvm", "amdgpu"])
def test_counts_are_those_of_all_arrangements(work: str, count: int, model: str) -> None:
    """The threads come in any order; of two stores each, the orders of both locations are independent."""
    found = enumerate_test(asked(created(count, work), model), Session(ONE))
    assert found.consistent == factorial(count) * (factorial(count) if work is TWO else 1)
    assert found.explored <= (count if work is not TWO else factorial(count))


@pytest.mark.parametrize("model", ["rc11", "llvm", "amdgpu"])
@pytest.mark.parametrize("kind", sorted(LOCKS))
def test_functions_that_differ_in_names(kind: str, model: str) -> None:
    """Threads of a litmus test, each with its own text; one kind of lock keeps in memory what it expects."""
    test = load_text(spin_lock(kind, 3), "lock.litmus")
    assert find_groups(test, ()).group == (0, 0, 0)
    assert find_groups(test, ("0:r",)).group == (-1, 0, 0)
    symmetric, each = ends(asked(test, model))
    assert symmetric < each


def explored(test: Test, names: tuple[str, ...] = ()) -> tuple[int, int]:
    return ends(asked(test, "rc11", names))


def test_what_tells_threads_apart() -> None:
    """What the creator does between two of them, what it is told by one of them; a register that is shown."""
    store, both = TWO.splitlines()[1], "\n".join([UPDATE, "  %b = load atomic i32, ptr @y monotonic, align 4"])
    for test in (created(3, both), created(3, UPDATE, between=store)):  # what only the creator accesses tells nothing
        symmetric, each = explored(test)
        assert symmetric < each
    for test in (created(3, both, between=store), created(3, both, after=store)):
        symmetric, each = explored(test)
        assert symmetric == each
    groups = [find_groups(created(3, UPDATE), names).group for names in ((), ("@x",), ("work.1:%a",))]
    assert groups == [(-1, 0, 0, 0), (-1, 0, 0, 0), (-1, -1, 0, 0)]


def test_the_creator_takes_what_only_one_of_them_wrote() -> None:
    """What a worker returns tells which one it is; so does an address of its own in memory."""
    own = """  %node = call ptr @malloc(i64 4)
  store i32 5, ptr %node
  store atomic ptr %node, ptr @p monotonic, align 8"""
    found: list[Outcomes] = []
    for tuning in (ONE, EACH):
        found.append(enumerate_test(asked(created(2, own), "rc11", ("@p",)), Session(tuning)))
    assert found[0].states == found[1].states
    assert len(found[0].states) == 2


def test_threads_of_a_grid() -> None:
    """Work items that do not ask for their numbers."""
    text = """; EXISTS: true
; LAUNCH: @kernel() workgroups=WORKGROUPS waves=2 lanes=1
@x = addrspace(1) global i32 0
declare i32 @llvm.amdgcn.workgroup.id.x()
define amdgpu_kernel void @kernel() {
  %a = atomicrmw add ptr addrspace(1) @x, i32 1 monotonic
  ret void
}
"""
    grid = load_text(text.replace("WORKGROUPS", "2"), "grid.ll")
    assert find_groups(grid, ()).group == (0, 0, 1, 1)  # two of a workgroup may change places
    symmetric, each = ends(asked(grid, "amdgpu"))
    assert symmetric < each == factorial(4)
    number = (
        "  %n = call i32 @llvm.amdgcn.workgroup.id.x()\n  store atomic i32 %n, ptr addrspace(1) @x monotonic, align 4\n"
    )
    numbered = text.replace("WORKGROUPS", "2").replace("  ret void", number + "  ret void")
    assert find_groups(load_text(numbered, "grid.ll"), ()).group == (0, 0, 1, 1)
    alone = text.replace("WORKGROUPS", "4").replace("waves=2", "waves=1")
    assert find_groups(load_text(alone, "grid.ll"), ()).group == (0, 0, 0, 0)
    numbered = alone.replace("  ret void", number + "  ret void")
    assert find_groups(load_text(numbered, "grid.ll"), ()).group == (-1, -1, -1, -1)
