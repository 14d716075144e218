"""Programs of the tests, in LLVM IR as clang gives it, and how all engines answer."""

from __future__ import annotations

import shutil

import pytest

from enumerator import check
from enumerator.frontend import load_text
from enumerator.program.test import Test
from tests.literal import enumerate_literally

HEAD = """
declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @pthread_join(i64, ptr)
declare void @pthread_exit(ptr)
declare i32 @pthread_mutex_lock(ptr)
declare i32 @pthread_mutex_trylock(ptr)
declare i32 @pthread_mutex_unlock(ptr)
declare i32 @pthread_mutex_init(ptr, ptr)
declare i32 @pthread_mutex_destroy(ptr)
declare i32 @pthread_barrier_init(ptr, ptr, i32)
declare i32 @pthread_barrier_wait(ptr)
declare i32 @thrd_create(ptr, ptr, ptr)
declare i32 @thrd_join(i64, ptr)
declare ptr @malloc(i64)
declare ptr @calloc(i64, i64)
declare void @free(ptr)
declare void @abort()
declare void @__VERIFIER_assume(i32)
declare void @llvm.assume(i1)
@x = global i32 0
@y = global i32 0
@p = global ptr null
"""

needs_clang = pytest.mark.skipif(
    not any(shutil.which(name) for name in ("clang", *(f"clang-{version}" for version in range(14, 31)))),
    reason="there is no clang",
)


def program(text: str, path: str = "program.ll") -> Test:
    """A test from directives and functions; ``create THREAD @f(ptr ARG)`` and ``join THREAD`` are written short."""
    lines = []
    for line in text.splitlines():
        words = line.split(maxsplit=2)
        if words[:1] == ["create"]:
            function, argument = words[2].removesuffix(")").split("(")
            slot = f"%slot.{words[1]}"
            lines.append(f"  {slot} = alloca i64")
            lines.append(f"  call i32 @pthread_create(ptr {slot}, ptr null, ptr {function}, {argument or 'ptr null'})")
        elif words[:1] == ["join"]:
            lines.append(f"  %handle.{words[1]} = load i64, ptr %slot.{words[1]}")
            lines.append(f"  call i32 @pthread_join(i64 %handle.{words[1]}, ptr null)")
        else:
            lines.append(line)
    directives = [line for line in lines if line.startswith(";")]
    others = [line for line in lines if not line.startswith(";")]
    return load_text("\n".join([*directives, HEAD, *others]) + "\n", path)


def outcomes(test: Test, model: str = "llvm", *, literally: bool = True) -> tuple[list[str], tuple[str, ...]]:
    """States and flags, on which the fast engine, the reference engine and the literal enumerator agree."""
    fast = check(test, model, engine="bitset")
    plain = check(test, model, engine="networkx")
    assert fast.status == plain.status == "complete"
    states = {str(state): state.executions for state in fast.states}
    assert states == {str(state): state.executions for state in plain.states}
    assert fast.flags == plain.flags
    if literally and model in ("llvm", "amdgpu"):
        names = tuple(name for name in fast.states[0].values if name[0] == "@" or ":" in name) if fast.states else ()
        found = enumerate_literally(test, model=model, names=names)
        if all(set(state.values) == set(names) for state in fast.states):
            values = {tuple(state.values.values()): state.executions for state in fast.states}
            assert values == {tuple(state): count for state, count in found.states.items()}
        assert found.flags == set(fast.flags)
    return list(states), fast.flags
