"""Undefined behaviour that no execution shows, as each ends at a branch before what makes its read undef."""

from __future__ import annotations

import pytest

from enumerator import check
from enumerator.engines import engine
from enumerator.frontend import load_text
from enumerator.hiding import undefined_past_branches
from enumerator.request import Outcomes, Request
from enumerator.results.result import Result
from enumerator.search.bitset import enumerate_test
from enumerator.search.session import Session
from enumerator.search.tuning import Tuning
from tests.generated.amounts import examples
from tests.generated.programs import random_program
from tests.generated.test_agreement import FEATURES

PROGRAM = """; EXISTS: true
@x = global i32 0
@y = global i32 0
@copy = global i32 0
@table = global [4 x i32] zeroinitializer
define void @t0() {{
{reads}
  br i1 %c, label %then, label %end
then:
  store atomic i32 1, ptr @y {release}, align 4
  br label %end
end:
  ret void
}}
define void @t1() {{
  %s = load atomic i32, ptr @y acquire, align 4
  %c = icmp eq i32 %s, 1
  br i1 %c, label %then, label %end
then:
  store i32 1, ptr @x
  br label %end
end:
  ret void
}}
"""
LOAD = "  %r = load i32, ptr @x"
READS = {
    "branch": f"{LOAD}\n  %c = icmp eq i32 %r, 0",
    "arithmetic": f"{LOAD}\n  %a = add i32 %r, 5\n  %b = and i32 %a, 1\n  %c = icmp eq i32 %b, 1",
    "chosen": f"{LOAD}\n  %d = icmp eq i32 %r, 0\n  %c = select i1 %d, i1 true, i1 false",
    "slot": "  %m = alloca i32\n"
    + LOAD
    + "\n  store i32 %r, ptr %m\n  %k = load i32, ptr %m\n  %c = icmp eq i32 %k, 0",
    "memory": f"{LOAD}\n  store i32 %r, ptr @copy\n  %k = load i32, ptr @copy\n  %c = icmp eq i32 %k, 0",
    "exchanged": "  %p = cmpxchg ptr @x, i32 0, i32 0 monotonic monotonic\n  %c = extractvalue { i32, i1 } %p, 1",
    "address": f"{LOAD}\n  %p = getelementptr [4 x i32], ptr @table, i32 0, i32 %r\n  %k = load i32, ptr %p\n"
    "  %c = icmp eq i32 %k, 0",
    "frozen": f"{LOAD}\n  %f = freeze i32 %r\n  %c = icmp eq i32 %f, 0",
    "written": f"{LOAD}\n  store i32 1, ptr @copy\n  %k = load i32, ptr @copy\n  %c = icmp eq i32 %k, 1",
}
DEFINED = {"frozen", "written"}


def run(reads: str, release: str = "monotonic", model: str = "llvm", **options: str) -> Result:
    return check(load_text(PROGRAM.format(reads=READS[reads], release=release), "p.ll"), model, **options)


@pytest.mark.parametrize("model", ["llvm", "amdgpu"])
@pytest.mark.parametrize("reads", sorted(READS))
def test_what_rests_on_the_read(reads: str, model: str) -> None:
    """A branch or an address is undefined, whatever the value passes through; ``freeze`` and constants are not."""
    flags = run(reads, model=model).flags
    assert ("ub-undef" in flags, "ub" in flags) == (reads not in DEFINED, reads not in DEFINED)
    assert run(reads, "release", model).flags == ()


@pytest.mark.parametrize("reads", ["branch", "address", "frozen"])
def test_by_the_reference_engine(reads: str) -> None:
    assert run(reads, engine="networkx").flags == run(reads).flags


def test_the_cause_is_told() -> None:
    """That the store is not a release, and which accesses race."""
    result = run("branch")
    assert result.question is not None
    (cause,) = result.question.causes()
    assert cause.startswith("ub-undef: t0 line 9 branches on undef because of what happens only where it goes on: ")
    assert "the load at line 7 and the store at line 21 race" in cause
    assert "the store at line 11 is monotonic, not a release" in cause


COUNTED = """; EXISTS: true
@count = global ptr null
declare ptr @malloc(i64)
declare void @free(ptr)
declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @pthread_join(i64, ptr)
define ptr @drop(ptr %unused) {
  %object = load ptr, ptr @count
  %old = atomicrmw sub ptr %object, i32 1 monotonic
  %last = icmp eq i32 %old, 1
  br i1 %last, label %end, label %done
end:
  call void @free(ptr %object)
  br label %done
done:
  ret ptr null
}
define i32 @main() {
  %t = alloca i64
  %u = alloca i64
  %object = call ptr @malloc(i64 4)
  store atomic i32 2, ptr %object seq_cst, align 4
  store ptr %object, ptr @count
  call i32 @pthread_create(ptr %t, ptr null, ptr @drop, ptr null)
  call i32 @pthread_create(ptr %u, ptr null, ptr @drop, ptr null)
  ret i32 0
}
"""


@pytest.mark.parametrize("model", ["llvm", "amdgpu"])
def test_objects_that_threads_make(model: str) -> None:
    """What another thread has made, and this one ends, is known where the thread runs again."""
    result = check(load_text(COUNTED, "counted.ll"), model)
    assert result.verdict == "Undef" and "ub-undef" in result.flags
    assert result.question is not None
    assert any("branches on undef because of what happens only where" in each for each in result.question.causes())


def test_without_time_it_is_not_known() -> None:
    """A limit in the search for it is one of the answer."""
    request = asked(run("branch"))

    def stops(each: Request) -> Outcomes:
        return Outcomes({}, status="timeout")

    assert undefined_past_branches(request, stops) == ({}, "timeout")


def asked(result: Result) -> Request:
    request = getattr(result.question, "request", None)
    assert isinstance(request, Request)
    return request


@pytest.mark.parametrize("features", [["branches"], ["updates", "branches"], ["branches", "addresses"]])
def test_generated_programs(features: list[str]) -> None:
    """Executions that grow and paths that are listed show the same; what is undefined races in C, too."""
    wanted = frozenset().union(*(FEATURES[each] for each in features))
    found = 0
    for seed in range(examples(30)):
        text = random_program(wanted, seed, 5, 6).text
        result = check(load_text(text, "p.ll"), "llvm", unroll=1)
        request = asked(result)
        listed = undefined_past_branches(request, engine("bitset"))
        grown = undefined_past_branches(request, lambda each: enumerate_test(each, Session(Tuning(grow_from=0))))
        assert listed[0].keys() == grown[0].keys(), text
        found += bool(listed[0])
        if listed[0]:
            assert "race" in check(load_text(text, "p.ll"), "rc11", unroll=1).flags, text
    assert found
