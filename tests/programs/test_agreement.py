"""Generated programs of threads that are created and joined: the fast engine and the literal enumerator agree."""

from __future__ import annotations

import random

import pytest

from enumerator import check
from enumerator.program.test import Test
from tests.generated.amounts import examples
from tests.literal import enumerate_literally
from tests.programs.source import program

ORDERS = ("monotonic", "acquire", "seq_cst"), ("monotonic", "release", "seq_cst")


def generated(seed: int) -> Test:
    """A ``main`` that creates two threads, and perhaps joins them, between accesses of two variables."""
    choose = random.Random(seed)
    registers = iter(f"%r{number}" for number in range(20))

    def access() -> str:
        place = choose.choice("xy")
        plain = choose.random() < 0.4
        if choose.random() < 0.5:
            value = choose.randint(1, 2)
            how = f"store i32 {value}, ptr @{place}"
            order = choose.choice(ORDERS[1])
            return f"  {how}" if plain else f"  store atomic i32 {value}, ptr @{place} {order}, align 4"
        order = choose.choice(ORDERS[0])
        register = next(registers)
        if plain:
            return f"  {register} = load i32, ptr @{place}"
        return f"  {register} = load atomic i32, ptr @{place} {order}, align 4"

    def accesses(most: int) -> str:
        return "\n".join(access() for _ in range(choose.randint(0, most)))

    create = "create u @two()"
    if choose.random() < 0.3:  # the second thread is the first one's
        main, first = "", f"{create}\n"
    else:
        main, first = f"{create}\n", ""
    joins = [f"join {name}" for name in ("t", "u") if choose.random() < 0.5 and (name == "t" or main)]
    condition = " /\\ ".join(("@x = 1", "@y = 1"))
    return program(
        f"""; EXISTS: {condition}
define ptr @one(ptr %p) {{
{first}{access()}
{accesses(1)}
  ret ptr null
}}
define ptr @two(ptr %p) {{
{access()}
  ret ptr null
}}
define i32 @main() {{
{accesses(1)}
create t @one()
{accesses(1)}
{main}{chr(10).join(joins)}
{access()}
  ret i32 0
}}
"""
    )


@pytest.mark.parametrize("seed", range(examples(12)))
@pytest.mark.parametrize("model", ("llvm", "amdgpu"))
def test_the_literal_enumerator_agrees(seed: int, model: str) -> None:
    test = generated(seed)
    found = check(test, model, all_values=True, engine="bitset")
    names = tuple(name for name in (found.states[0].values if found.states else ()) if not name.endswith("%p"))
    wanted = enumerate_literally(test, model=model, names=names)
    counted: dict[tuple[object, ...], int] = {}
    for state in found.states:
        row = tuple(state.values[name] for name in names)
        counted[row] = counted.get(row, 0) + state.executions
    assert counted == dict(wanted.states)
    assert set(found.flags) == wanted.flags


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("model", ("llvm", "rc11", "sc", "tso"))
def test_the_reference_engine_agrees(seed: int, model: str) -> None:
    test = generated(seed)
    fast, plain = (check(test, model, engine=engine, timeout=30) for engine in ("bitset", "networkx"))
    if plain.status != "complete":
        pytest.skip("the reference engine takes long")
    assert [(str(state), state.executions) for state in fast.states] == [
        (str(state), state.executions) for state in plain.states
    ]
    assert fast.flags == plain.flags
