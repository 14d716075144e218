"""The search for outcomes alone beside the one for all executions: the same states and flags, far fewer candidates."""

from __future__ import annotations

from random import Random

import pytest

from enumerator.cat.typing import select
from enumerator.frontend import load_text
from enumerator.mmra import load_profile
from enumerator.program.test import Test
from enumerator.request import Outcomes, Request
from enumerator.search import bitset, memoized
from enumerator.search import opcodes as op
from enumerator.search.portfolio import Portfolio
from tests.generated.amounts import examples
from tests.generated.programs import random_program
from tests.generated.test_agreement import FEATURES, UNROLL, variant
from tests.literal import all_names
from tests.search.generated import Tune
from tests.search.test_symmetry import with_duplicates


@pytest.fixture
def alone(tune: Tune) -> None:
    """Let the first turn of the memoized search be as long as it takes."""
    tune(turn=1 << 60)


def outcomes(
    test: Test, model: str, names: tuple[str, ...], *, profile: str = "generic", only: bool = True, **options: str
) -> Outcomes:
    selected = select(model, (), options)
    found = bitset.enumerate_test(
        Request(test, selected, load_profile(profile), names, unroll=UNROLL, outcomes_only=only)
    )
    assert found.status == "complete"
    return found


@pytest.mark.parametrize("model", ["llvm", "amdgpu", "rc11", "c11_simp"])
@pytest.mark.parametrize("features", sorted(FEATURES))
def test_generated_programs(model: str, features: str, tune: Tune) -> None:
    """All states over all names, some, and locations only, with every combination of paths searched so."""
    wanted = frozenset(FEATURES[features])
    for seed in range(300, 300 + examples(2)):
        text = random_program(wanted, seed, reads=4, writes=4).text
        test = load_text(with_duplicates(text, seed) if seed % 2 else text, "generated.ll")
        profile, hb, thin_air = variant(wanted, seed)
        options = {"hb": hb, "thin-air": thin_air} if model in ("llvm", "amdgpu") else {}
        profile = profile if model == "llvm" else "generic"
        names = all_names(test, UNROLL, options.get("thin-air", "dep"))
        random = Random(seed)
        some = tuple(name for name in names if random.random() < 0.4)
        for chosen in {names, some, tuple(name for name in names if name.startswith("@"))}:
            tune(long=-1)
            whole = outcomes(test, model, chosen, profile=profile, only=False, **options)
            tune(long=1)
            found = outcomes(test, model, chosen, profile=profile, **options)
            what = f"{model}, {features}, seed {seed}, {chosen}"
            assert set(found.states) == set(whole.states), what
            assert found.flags == whole.flags and found.undefined == whole.undefined, what
            assert bool(found.cut) == bool(whole.cut), what


def program(threads: list[list[str]], locations: str) -> Test:
    lines = ["; EXISTS: true", *(f"@{location} = global i32 0" for location in locations)]
    for number, body in enumerate(threads):
        lines += [f"define void @t{number}() {{", *(f"  {line}" for line in body), "  ret void", "}"]
    return load_text("\n".join(lines) + "\n", "test.ll")


def stores(location: str, value: int, ordering: str = "monotonic") -> str:
    return f"store atomic i32 {value}, ptr @{location} {ordering}, align 4"


def loads(register: str, location: str) -> str:
    return f"%{register} = load atomic i32, ptr @{location} monotonic, align 4"


MODELS = ["llvm", "amdgpu", "amdgpu-2026", "rc11", "c11_simp"]


@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize("model", MODELS)
def test_writers(model: str) -> None:
    """Twelve writers, 12! executions: after a thousand steps, one more for each that may be the last."""
    found = outcomes(program([[stores("x", i + 1)] for i in range(12)], "x"), model, ("@x",))
    assert len(found.states) == 12 and found.explored <= 1012


@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize("model", MODELS)
def test_readers_that_nobody_looks_at(model: str) -> None:
    threads = [[stores("x", i + 1)] for i in range(9)] + [[loads("r", "x")] for _ in range(4)]
    found = outcomes(program(threads, "x"), model, ("@x",))
    assert len(found.states) == 9 and found.explored <= 1100


@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize("model", MODELS)
def test_readers(model: str) -> None:
    """Two readers of nine writers and the last write: ten values, ten, and nine."""
    threads = [[stores("x", i + 1)] for i in range(9)] + [[loads("r", "x")] for _ in range(2)]
    found = outcomes(program(threads, "x"), model, ("t9:%r", "t10:%r", "@x"))
    assert len(found.states) == 900 and found.explored <= 1900


@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize("model", MODELS)
def test_several_locations(model: str) -> None:
    threads = [[stores(location, i + 1) for location in "xyz"] for i in range(6)]
    found = outcomes(program(threads, "xyz"), model, ("@x", "@y", "@z"))
    assert len(found.states) == 6**3 and found.explored <= 1300


@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize("model", ["llvm", "amdgpu"])
def test_racing_plain_writers(model: str) -> None:
    """No order of these writes is there to be enumerated: memory is undef at the end."""
    threads = [["store i32 1, ptr @x, align 4", stores("y", i + 1)] for i in range(12)]
    found = outcomes(program(threads, "xy"), model, ("@x", "@y"))
    assert len(found.states) == 12 and found.explored <= 1100 and "race" in found.flags


@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize("model", MODELS)
def test_additions(model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nine threads add different powers of two, in 9! ways, and the sum is one."""
    seen: list[memoized.Memoized | None] = []
    begin = Portfolio._begin_combination

    def spy(self: Portfolio) -> None:
        begin(self)
        seen.append(self._memoized)

    monkeypatch.setattr(Portfolio, "_begin_combination", spy)
    threads = [[f"%r = atomicrmw add ptr @x, i32 {1 << i} monotonic, align 4"] for i in range(9)]
    found = outcomes(program(threads, "x"), model, ("@x",))
    assert [int(state[0]) for state in found.states] == [511]  # type: ignore[call-overload]
    # Candidates are the same if the same writes stand and the last is the same; before it reads, the last two.
    assert seen[0] is not None and seen[0].candidates <= 9 * 8 * 2**7 + 9 * 2**8 + 1


@pytest.mark.usefixtures("alone")
def test_each_execution_its_own_outcome(tune: Tune) -> None:
    """Store buffering whose registers are all shown is not compared candidate by candidate."""
    tune(long=4)
    threads = [[stores(f"{i}", 1), loads("r", f"{(i + 1) % 5}")] for i in range(5)]
    test = program(threads, "01234")
    assert len(outcomes(test, "llvm", tuple(f"t{i}:%r" for i in range(5))).states) == 32
    # Where one register is shown, the other reads are of no concern.
    assert outcomes(test, "llvm", ("t0:%r",)).explored <= 4


@pytest.mark.parametrize("model", ["llvm", "rc11"])
def test_turns(model: str, monkeypatch: pytest.MonkeyPatch, tune: Tune) -> None:
    """Searches that take turns as often as they can find what one of them alone finds, each time in as many steps."""
    happened: set[str] = set()
    after = Portfolio._after_memoized

    def seen(self: Portfolio, stop: int) -> None:
        after(self, stop)
        if self.current is not self._memoized:
            happened.add("ended" if stop == op.DONE else "left")

    monkeypatch.setattr(Portfolio, "_after_memoized", seen)
    for features in ("calls", "loops", sorted(FEATURES)[0]):
        wanted = frozenset(FEATURES[features])
        for seed in range(400, 406):
            test = load_text(random_program(wanted, seed, reads=4, writes=4).text, "generated.ll")
            names = all_names(test, UNROLL, "dep")
            for chosen in (names[::2], tuple(name for name in names if name.startswith("@"))):
                tune(long=-1, turn=1)
                whole = outcomes(test, model, chosen, only=False)
                tune(long=5)
                found = outcomes(test, model, chosen)
                what = f"{model}, {features}, seed {seed}, {chosen}"
                assert set(found.states) == set(whole.states) and found.flags == whole.flags, what
                assert bool(found.cut) == bool(whole.cut), what
                tune(slice=1e-9)
                assert outcomes(test, model, chosen).explored == found.explored, what
                tune(slice=0.05)
    assert happened == {"ended", "left"}


def test_bit_parallel_search_is_enough() -> None:
    """Paths rest on conditions, each candidate has a future of its own, and steps go through all orders of reads.

    Neither backtracking nor the memoized search ends within seconds.
    """
    text = with_duplicates(random_program(frozenset(FEATURES["loops"]), 5073, reads=4, writes=4).text, 5073)
    test = load_text(text, "generated.ll")
    found = bitset.enumerate_test(
        Request(
            test,
            select("rc11", (), {}),
            load_profile("generic"),
            all_names(test, UNROLL, "dep")[:1],
            unroll=UNROLL,
            outcomes_only=True,
        )
    )
    assert found.status == "complete"
