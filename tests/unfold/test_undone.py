"""Loops that take back what they add: such an iteration is left out, unless somebody would see that."""

from __future__ import annotations

import random

import pytest

from enumerator import check
from enumerator.program.test import Test
from enumerator.results.result import Result
from enumerator.unfold.undone import Undone
from tests.generated.amounts import examples
from tests.unfold.written import program

HEAD = """; EXISTS: @l = 9 /\\ @x = 9 /\\ @out0 = 9 /\\ @out1 = 9 /\\ @out2 = 9
@l = global i32 1
@w = global i32 0
@x = global i32 0
@out0 = global i32 0
@out1 = global i32 0
@out2 = global i32 0
"""
MODELS = ("rc11", "llvm", "amdgpu", "tso")


def update(name: str, operator: str, number: int, ordering: str = "monotonic", place: str = "l") -> str:
    return f"%{name} = atomicrmw {operator} ptr @{place}, i32 {number} {ordering}"


def load(name: str, place: str, ordering: str = "acquire") -> str:
    return f"%{name} = load atomic i32, ptr @{place} {ordering}, align 4"


def store(value: object, place: str, ordering: str = "release") -> str:
    return f"store atomic i32 {value}, ptr @{place} {ordering}, align 4"


def lock(
    *, fails: str = "ne i32 %a, 1", down: str = "sub", number: int = 1, pause: str = "", order: str = "acquire"
) -> str:
    """Take a lock by an addition, which is taken back as long as it finds the lock taken."""
    up = "add" if down == "sub" else "sub"
    return f"""br label %h; h:; {update("a", down, number, order)}; %f = icmp {fails}
br i1 %f, label %b, label %e; b:; {update("u", up, number)}; {pause or "br label %h"}; e:"""


def wait(fails: str) -> str:
    """Read the lock until it looks free, before the next attempt."""
    return f"br label %p; p:; {load('v', 'l', 'monotonic')}; %g = icmp {fails}; br i1 %g, label %p, label %h"


FREE = update("z", "add", 1, "release")
SAYS = store(1, "x", "monotonic")
COUNT = "; ".join((update("n", "add", 1, place="x"), "store i32 %n, ptr @out{}"))

ANNOUNCES = f"""br label %h; h:; {update("a", "add", 1, "seq_cst")}; {load("s", "w", "seq_cst")}; %f = icmp ne i32 %s, 0
br i1 %f, label %b, label %e; b:; {update("u", "sub", 1, "release")}; br label %p; p:; {load("v", "w")}
%g = icmp ne i32 %v, 0; br i1 %g, label %p, label %h; e:; {load("d", "x", "monotonic")}
{store("%d", "out0", "monotonic")}; {update("z", "sub", 1, "release")}"""
WRITES = f"""{store(1, "w", "seq_cst")}; br label %h; h:; {load("s", "l", "seq_cst")}; %f = icmp ne i32 %s, 1
br i1 %f, label %h, label %e; e:; {SAYS}; {store(0, "w")}"""

LEFT_OUT = {
    # name: threads, executions under rc11
    "a lock": ([f"{lock()}; {COUNT.format(number)}; {FREE}" for number in range(2)], 2),
    "a lock of three": ([f"{lock()}; {COUNT.format(number)}; {FREE}" for number in range(3)], 6),
    "a lock that waits": (
        [f"{lock(pause=wait('slt i32 %v, 1'))}; {COUNT.format(number)}; {FREE}" for number in range(2)],
        2,
    ),
    "a lock that is kept": ([f"{lock()}; {COUNT.format(number)}" for number in range(2)], 2),
    "a semaphore": (
        [f"{lock(fails='sgt i32 %a, 2', down='add')}; {SAYS}; {update('z', 'sub', 1, 'release')}" for _ in range(3)],
        None,
    ),
    "what is read decides, and is kept": (
        [f"{lock(fails='slt i32 %a, 1')}; {store('%a', 'out0', 'monotonic')}", FREE],
        2,
    ),
    "a flag decides": ([ANNOUNCES, WRITES], 2),
    "a compare-exchange waits": (
        [
            f"{lock()}; {COUNT.format(0)}; {FREE}",
            f"""br label %h; h:; %q = cmpxchg ptr @l, i32 1, i32 0 acquire monotonic
%k = extractvalue {{ i32, i1 }} %q, 1; br i1 %k, label %e, label %h; e:; {COUNT.format(1)}; {FREE}""",
        ],
        2,
    ),
}
SEEN = {
    "a thread looks": [f"{lock()}; {FREE}"] * 2 + [f"{load('s', 'l', 'monotonic')}; {store('%s', 'out0')}"],
    "a thread tries once": [
        f"{lock()}; {FREE}",
        f"""{update("t", "sub", 1)}; %k = icmp eq i32 %t, 1; br i1 %k, label %i, label %j; i:; {SAYS}; br label %j
j:; {update("y", "add", 1)}""",
    ],
    "a thread sets it": [f"{lock()}; {FREE}", store(1, "l")],
    "a thread exchanges it": [
        f"{lock()}; {FREE}",
        "%t = atomicrmw xchg ptr @l, i32 1 monotonic; store i32 %t, ptr @out0",
    ],
    "what others add for a time lets one in": [
        f"{lock(fails='eq i32 %a, 1', down='add')}; {SAYS}",
        f"{lock(fails='ne i32 %a, 1', down='add')}; {store(2, 'out0')}",
    ],
    "what is read is kept, and others add to it": [
        f"{lock(fails='slt i32 %a, 1')}; {store('%a', 'out0', 'monotonic')}",
        f"{lock(fails='slt i32 %a, 2')}",
        update("y", "add", 2),
    ],
    "the thread reads what it has added": [
        f"""br label %h; h:; {update("a", "add", 1)}; {load("s", "l")}; %f = icmp ne i32 %s, 2
br i1 %f, label %b, label %e; b:; {update("u", "sub", 1)}; br label %h; e:; {SAYS}"""
    ]
    * 2,
    "it is left after that": [
        f"""br label %h; h:; {update("a", "sub", 1)}; %f = icmp ne i32 %a, 1; br i1 %f, label %b, label %e
b:; {update("u", "add", 1)}; {load("s", "w")}; %g = icmp eq i32 %s, 0; br i1 %g, label %h, label %i
i:; {SAYS}; br label %j; e:; {FREE}; br label %j; j:""",
        f"{update('t', 'sub', 1)}; {store(1, 'w')}; {update('y', 'add', 1)}",
    ],
}


def threads(each: list[str]) -> Test:
    return program(HEAD, *(part.replace("\n", ";") for part in each))


def outcomes(result: Result) -> set[tuple[object, ...]]:
    return {tuple(state.values.items()) for state in result.states}


def every(test: Test, model: str, monkeypatch: pytest.MonkeyPatch, unroll: int = 2) -> Result:
    """Let all iterations be made, up to the bound; some thousand executions at most."""
    with monkeypatch.context() as patch:
        patch.setattr(Undone, "may_be", lambda *given: False)
        return check(test, model, unroll=unroll, max_executions=3000)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("name", LEFT_OUT)
def test_iterations_are_left_out(name: str, model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    given, executions = LEFT_OUT[name]
    found = check(threads(given), model)
    assert (found.status, found.cut) == ("complete", 0)
    assert executions is None or model != "rc11" or found.consistent == executions
    assert ("stuck" in found.flags) == (name == "a lock that is kept")
    made = every(threads(given), model, monkeypatch)
    assert outcomes(found) >= outcomes(made)
    assert set(found.flags) - {"stuck"} == set(made.flags) - {"stuck"}


@pytest.mark.parametrize("name", SEEN)
def test_iterations_count_that_others_see(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is seen of them is found, as if they were always made."""
    given = SEEN[name]
    found = check(threads(given), "rc11", unroll=2, max_executions=3000)
    made = every(threads(given), "rc11", monkeypatch)
    assert outcomes(found) == outcomes(made)
    assert (found.status, found.consistent, set(found.flags)) == (made.status, made.consistent, set(made.flags))


def generated(seed: int) -> Test:
    """Threads that take a counter and give it back, wait for it, or look at it."""
    choose = random.Random(seed)
    down, number, pick = choose.choice(("sub", "add")), choose.choice((1, 1, 2)), choose.choice
    up = "add" if down == "sub" else "sub"

    def fails(register: str) -> str:
        if down == "sub":
            return pick((f"ne i32 {register}, 1", f"slt i32 {register}, {pick((0, 1))}"))
        return pick((f"sgt i32 {register}, {pick((1, 2))}", f"ne i32 {register}, 1"))

    def does(thread: int) -> str:
        return pick((SAYS, COUNT.format(thread), f"{load('d', 'x')}; store i32 %d, ptr @out{thread}", store(1, "w")))

    def takes(thread: int) -> str:
        order, pause = pick(("monotonic", "acquire", "acq_rel", "seq_cst")), pick(("", wait(fails("%v"))))
        text = lock(fails=fails("%a"), down=down, number=number, pause=pause, order=order)
        gives = update("z", up, number, pick(("monotonic", "release", "seq_cst")))
        return f"{text}; {does(thread)}" + (f"; {gives}" if choose.random() < 0.8 else "")

    def other(thread: int) -> str:
        waits = f"br label %h; h:; {load('s', 'l')}; %f = icmp {fails('%s')}; br i1 %f, label %h, label %e; e:"
        changes = update("z", pick((up, down)), number, pick(("monotonic", "acq_rel")))
        looks = f"{load('s', 'l')}; store i32 %s, ptr @out{thread}"
        return pick((f"{waits}; {does(thread)}", f"{changes}; {does(thread)}", looks))

    bodies = [takes(0), *(pick((takes, other))(each) for each in range(1, pick((2, 2, 3))))]
    return threads(bodies)


@pytest.mark.parametrize("seed", range(examples(16)))
@pytest.mark.parametrize("model", ("rc11", "amdgpu"))
def test_no_outcome_is_lost(seed: int, model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = check(generated(seed), model, timeout=10)
    made = every(generated(seed), model, monkeypatch)
    if found.status == "complete" and not found.cut:
        assert outcomes(found) >= outcomes(made)
        assert set(found.flags) >= set(made.flags) - {"stuck"}
