from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from math import factorial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from enumerator.cat.parser import parse_text
from enumerator.cat.selected import SelectedModel
from enumerator.cat.typing import select
from enumerator.errors import InputError
from enumerator.mmra import load_profile
from enumerator.program.instructions import Block, Branch, Instruction, Return, Unreachable
from enumerator.program.test import Test
from enumerator.program.values import UNDEF
from enumerator.reference.enumerate import THIN_AIR_NOTE, enumerate_test
from enumerator.request import Outcomes, Request

from .machines import final_states
from .programs import (
    ACQ,
    REL,
    RLX,
    SC,
    barrier,
    branch_on,
    equals,
    fence,
    load,
    make_test,
    plus,
    rmw,
    store,
)

FREE = "free\nempty 0\n"
Threads = dict[str, Sequence[Instruction | Block]]


def model_of(text: str, *variants: str) -> SelectedModel:
    return SelectedModel("made", parse_text(text, "made.cat"), frozenset(variants))


def run(test: Test, model: SelectedModel | str, names: Sequence[str] = (), **more: object) -> Outcomes:
    selected = model if isinstance(model, SelectedModel) else model_of(model)
    return enumerate_test(Request(test, selected, load_profile("generic"), tuple(names), **more))  # type: ignore[arg-type]


MP: Threads = {
    "t0": [store("x", 1), store("y", 1)],
    "t1": [load("a", "y"), load("b", "x")],
}


def test_counts_all_candidates_without_axioms() -> None:
    outcomes = run(make_test(MP), FREE, ["t1:%a", "t1:%b", "@x"])
    assert outcomes.consistent == outcomes.explored == 4
    assert outcomes.states == {(a, b, 1): 1 for a in (0, 1) for b in (0, 1)}
    assert list(outcomes.states) == sorted(outcomes.states)


def test_counts_orders() -> None:
    threads: Threads = {f"t{n}": [store("x", n), store("x", n + 10)] for n in range(2)}
    assert run(make_test(threads), FREE).consistent == factorial(4)
    model = '"m"\nwith mo from orders(W & A)\nfinal W & IW\n'
    assert run(make_test(threads), model).consistent == 1
    atomic: Threads = {"t0": [store("x", 1, RLX), store("x", 2)], "t1": [store("x", 3, RLX)]}
    assert run(make_test(atomic), model).consistent == 2


def test_undef_only_where_declared() -> None:
    names = ["t1:%a", "t1:%b"]
    with_undef = '"m"\nwith UNDEF from subsets(R & A)\n'
    threads: Threads = {"t0": [store("x", 1)], "t1": [load("a", "x", RLX), load("b", "x")]}
    outcomes = run(make_test(threads), with_undef, names)
    assert set(outcomes.states) == {(a, b) for a in (0, 1, UNDEF) for b in (0, 1)}
    assert outcomes.consistent == 6
    assert "undef" not in str(run(make_test(threads), FREE, names).states)


def test_read_never_reads_its_own_instruction() -> None:
    outcomes = run(make_test({"t0": [rmw("a", "x", "add", 1)]}), FREE, ["t0:%a", "@x"])
    assert outcomes.states == {(0, 1): 1}


@pytest.mark.parametrize("buffered", [False, True])
@settings(max_examples=40, deadline=None)
@given(st.data())
def test_agrees_with_a_machine(buffered: bool, data: st.DataObject) -> None:
    registers, values = count(), count(1)
    instruction = st.sampled_from(["load", "store", "store", "rmw", "fence"])
    location = st.sampled_from(["x", "y"])

    def make() -> Instruction:
        match data.draw(instruction):
            case "load":
                return load(f"r{next(registers)}", data.draw(location))
            case "store":
                return store(data.draw(location), next(values))
            case "rmw":
                operator = data.draw(st.sampled_from(["xchg", "add"]))
                return rmw(f"r{next(registers)}", data.draw(location), operator, next(values), SC)
        return fence(SC)

    sizes = data.draw(st.lists(st.integers(0, 2), min_size=1, max_size=3))
    test = make_test({f"t{n}": [make() for _ in range(size)] for n, size in enumerate(sizes)})
    names = ["@x", "@y"]
    for thread in test.threads:
        body = test.functions[thread.function].blocks[0].body
        names += [f"{thread.name}:%{part.target}" for part in body if hasattr(part, "target")]
    selected = select("tso" if buffered else "sc", (), {})
    assert set(run(test, selected, names).states) == final_states(test, names, buffered)


# Values -----------------------------------------------------------------------------------------------------

LB: Threads = {
    "t0": [load("a", "x"), store("y", plus("a", 0))],
    "t1": [load("b", "y"), store("x", plus("b", 0))],
}


def test_values_out_of_thin_air_range_over_constants() -> None:
    test = make_test(LB, initial={"x": 7})
    outcomes = run(test, FREE, ["t0:%a", "t1:%b"])
    free = {(n, n) for n in (0, 1, 7)}
    assert set(outcomes.states) == free | {(7, 7), (7, 0), (0, 0)}
    assert outcomes.notes == (THIN_AIR_NOTE,)
    assert outcomes.consistent == 3 + 3
    acyclic = run(test, '"m"\nacyclic rf | data\n', ["t0:%a", "t1:%b"])
    assert set(acyclic.states) == {(7, 7), (7, 0), (0, 0)}
    assert acyclic.notes == ()


def test_cyclic_equations_without_solution() -> None:
    threads: Threads = {
        "t0": [load("a", "x"), store("y", plus("a", 1))],
        "t1": [load("b", "y"), store("x", plus("b", 0))],
    }
    outcomes = run(make_test(threads), FREE, ["t0:%a", "t1:%b"])
    assert set(outcomes.states) == {(0, 1), (0, 0)}


def test_path_conditions() -> None:
    blocks = branch_on("a", 1, [store("y", 1)], [load("a", "x")])
    outcomes = run(make_test({"t0": [store("x", 1)], "t1": blocks}), FREE, ["t1:%a", "@y"])
    assert set(outcomes.states) == {(0, 0), (1, 1)}
    assert outcomes.explored > outcomes.consistent


# Ends -------------------------------------------------------------------------------------------------------


def test_undefined_behaviour_yields_only_its_flag() -> None:
    blocks = branch_on("a", 1, [], [load("a", "x")])
    blocks[1] = Block("then", (), (), Unreachable())
    model = '"m"\nflag ~empty W as written\n'
    outcomes = run(make_test({"t0": [store("x", 1)], "t1": blocks}), model, ["t1:%a"])
    assert outcomes.states == {(0,): 1}
    assert outcomes.flags == {"ub", "ub-unreachable", "written"}
    assert outcomes.consistent == 2
    only = run(make_test({"t1": [Block("entry", (), (store("x", 1),), Unreachable())]}), model, ["@x"])
    assert not only.states
    assert only.flags == {"ub", "ub-unreachable"}


def test_undefined_behaviour_of_inconsistent_executions_does_not_count() -> None:
    test = make_test({"t1": [Block("entry", (), (store("x", 1),), Unreachable())]})
    assert run(test, '"m"\nempty W\n').flags == frozenset()


def test_cut_executions_have_no_state() -> None:
    loop: list[Instruction | Block] = [
        Block("entry", (), (load("a", "x"),), Branch(equals("a", 0), "entry", "end")),
        Block("end", (), (), Return()),
    ]
    test = make_test({"t0": [store("x", 1)], "t1": loop})
    outcomes = run(test, '"m"\nflag ~empty (R & NA) as read\n', ["t1:%a"], unroll=1)
    assert outcomes.states == {(1,): 2}
    assert outcomes.cut == 2  # the third load, whatever it reads
    assert outcomes.consistent == 4


def test_different_numbers_of_barriers() -> None:
    threads: Threads = {"t0": [barrier(), barrier()], "t1": [barrier()]}
    assert run(make_test(threads, groups={"t0": 0, "t1": 0}), FREE).flags == {"ub", "ub-barrier"}
    assert run(make_test(threads, groups={"t0": 0, "t1": 1}), FREE).flags == frozenset()


def test_flags() -> None:
    model = '"m"\nflag ~empty (W * R) & loc & ext as racing\nflag empty W as idle\nundefined_unless empty R as reads\n'
    outcomes = run(make_test(MP), model)
    assert outcomes.flags == {"racing", "reads"}
    assert outcomes.undefined
    quiet = run(make_test({"t0": [store("x", 1)]}), model)
    assert (quiet.flags, quiet.undefined) == (frozenset(), False)
    assert run(make_test(MP), '"m"\nflag ~empty W as ub-private\n').flags == {"ub", "ub-private"}


# Limits -----------------------------------------------------------------------------------------------------


def test_limits() -> None:
    test = make_test(MP)
    assert run(test, FREE, max_executions=4).status == "complete"
    limited = run(test, FREE, max_executions=3)
    assert (limited.status, limited.explored) == ("limit", 3)
    assert run(test, FREE, timeout=0.0).status == "timeout"


def test_stops_once_decided() -> None:
    outcomes = run(make_test(MP), FREE, ["t1:%a", "t1:%b"], decided=lambda state: state == (1, 0))
    assert outcomes.stopped
    assert (1, 0) in outcomes.states and len(outcomes.states) < 4


def test_outcomes_only_has_no_counts() -> None:
    outcomes = run(make_test(MP), FREE, ["t1:%a"], outcomes_only=True)
    assert outcomes.states == {(0,): 0, (1,): 0}


def test_records_candidates() -> None:
    outcomes = run(make_test(MP), FREE, ["t1:%a"], record=2)
    assert len(outcomes.executions) == 2
    everything = run(make_test(MP), FREE, ["t1:%a"], record=-1).executions
    assert len(set(map(repr, everything))) == 4
    first = everything[0]
    assert first.paths == (0, 0)
    assert first.orders == ((0, 2), (1, 3))
    assert first.reads_from == ((0, 5), (1, 4))
    assert first.values == (0, 0, 1, 1, 0, 0)


def test_deterministic() -> None:
    first, second = (run(make_test(LB), FREE, ["t0:%a"], record=-1) for _ in range(2))
    assert first == second


# The LLVM model ---------------------------------------------------------------------------------------------


def llvm(hb: str = "closure", thin_air: str = "dep") -> SelectedModel:
    return select("llvm", (), {"hb": hb, "thin-air": thin_air})


def test_message_passing_in_llvm() -> None:
    names = ["t1:%a", "t1:%b"]
    threads: Threads = {
        "t0": [store("x", 1), store("y", 1, REL)],
        "t1": [load("a", "y", ACQ), load("b", "x")],
    }
    outcomes = run(make_test(threads), llvm(), names)
    assert set(outcomes.states) == {(0, UNDEF), (1, 1)}
    assert outcomes.flags == {"race"}
    guarded: Threads = {
        "t0": threads["t0"],
        "t1": branch_on("a", 1, [load("b", "x")], [load("a", "y", ACQ)]),
    }
    outcomes = run(make_test(guarded), llvm(), names)
    assert set(outcomes.states) == {(0, UNDEF), (1, 1)}
    assert outcomes.flags == frozenset()


def test_a_profile_decides_which_tags_there_are() -> None:
    threads: Threads = {
        "t0": [store("x", 1, tags="vulkan:private"), fence(REL), store("y", 1, RLX)],
        "t1": branch_on("a", 1, [load("b", "x")], [load("a", "y", RLX), fence(ACQ)]),
    }
    names = ("t1:%a", "t1:%b")
    generic, vulkan = (
        enumerate_test(Request(make_test(threads), llvm(), load_profile(name), names)) for name in ("generic", "vulkan")
    )
    assert set(generic.states) == {(0, UNDEF), (1, 1)}
    assert set(vulkan.states) == {(0, UNDEF), (1, UNDEF)}


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(InputError, match="nothing"):
        run(make_test(MP), FREE, ["@nothing"])
