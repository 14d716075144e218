"""Where a search ends before it is done: at its deadline, whatever it is at, and at Ctrl-C; what it found is kept."""

from __future__ import annotations

import gc
import time
from pathlib import Path

import pytest

from enumerator import check
from enumerator.api import load
from enumerator.cat.typing import select
from enumerator.clock import check_time, now, time_limit, untimed
from enumerator.corpus.tasks import Models, check_file
from enumerator.errors import Interrupted, Timeout
from enumerator.frontend import load_text
from enumerator.mmra import load_profile
from enumerator.options import BatchOptions
from enumerator.program.test import Test
from enumerator.request import Outcomes, Request
from enumerator.results.result import Result
from enumerator.search import bitset, driver, to_come
from enumerator.search.lower import lower
from enumerator.unfold import unfold
from tests.search.generated import Tune


def ladder(relays: int) -> Test:
    """A message handed on by relays; the values differ, so that no two threads are alike."""
    lines = [f"; EXISTS: t{relays}:%r = 1 /\\ t{relays}:%d = 0", "@x = global i32 0"]
    lines += [f"@y{i} = global i32 0" for i in range(relays)]
    lines += ["define void @t0() {", "  store i32 1, ptr @x", "  store atomic i32 1, ptr @y0 release, align 4"]
    for i in range(1, relays):
        lines += ["  ret void", "}", f"define void @t{i}() {{"]
        lines += [f"  %r = load atomic i32, ptr @y{i - 1} acquire, align 4"]
        lines += [f"  store atomic i32 1, ptr @y{i} release, align 4"]
    lines += ["  ret void", "}", f"define void @t{relays}() {{"]
    lines += [f"  %r = load atomic i32, ptr @y{relays - 1} acquire, align 4", "  %d = load i32, ptr @x"]
    return load_text("\n".join([*lines, "  ret void", "}", ""]), "ladder.ll")


def request(test: Test, timeout: float | None = None) -> Request:
    names = tuple(f"t{len(test.threads) - 1}:%{register}" for register in "rd")
    return Request(test, select("amdgpu"), load_profile("amdgpu"), names, timeout=timeout)


class Clock:
    """Every look at it takes a second."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def now(self) -> float:
        self.seconds += 1.0
        return self.seconds


@pytest.mark.parametrize("seconds", [1, 3, 6, 9, 14, 20, 27, 40])
def test_the_deadline_is_noticed_in_every_phase(seconds: int, monkeypatch: pytest.MonkeyPatch, tune: Tune) -> None:
    """Unfolding, lowering, the search step by step, each part of grounding, lanes: all look at the clock."""
    test = ladder(6)
    whole = bitset.enumerate_test(request(test))
    tune(long=4)
    clock = Clock()
    monkeypatch.setattr(driver, "clock", clock)
    monkeypatch.setattr(bitset, "deadline", lambda: float(seconds))
    found = bitset.enumerate_test(request(test))
    assert whole.status == "complete"
    assert set(found.states) <= set(whole.states) and found.consistent <= whole.consistent
    assert found.status == "timeout" or found == whole
    assert clock.seconds <= seconds + 3 or found == whole, "the clock was looked at after the deadline"


def test_lowering_notices_the_deadline() -> None:
    unfolded = unfold(ladder(3))
    with time_limit(0.0), pytest.raises(Timeout):
        lower(unfolded, load_profile("amdgpu"), ())


def test_limits_around_each_other() -> None:
    with time_limit(None):
        check_time()
        with time_limit(1000.0), time_limit(0.0), time_limit(1000.0), pytest.raises(Timeout):
            check_time()
        check_time()


def test_the_clock_stands_still_for_what_is_kept() -> None:
    """Compiling is no part of the time that a test may take."""
    with time_limit(0.05):
        before = now()
        with untimed():
            time.sleep(0.2)
        assert now() - before < 0.1
    with time_limit(0.05):
        time.sleep(0.1)
        with pytest.raises(Timeout):
            check_time()


def blocks(count: int) -> str:
    """A thread of many blocks, each with a store: the more there are the longer every step takes."""
    lines = ["; EXISTS: @x = 3", "@x = global i32 0", "define void @t0() {", "  br label %b0"]
    for number in range(count):
        lines += [f"b{number}:", f"  store i32 {number}, ptr @x", f"  br label %b{number + 1}"]
    return "\n".join([*lines, f"b{count}:", "  ret void", "}", ""])


@pytest.mark.parametrize("engine", ["auto", "networkx"])
@pytest.mark.parametrize("model", ["llvm", "amdgpu", "csa", "rc11"])
def test_large_tests_end_in_time(model: str, engine: str) -> None:
    """No step of an engine takes longer than a look at the clock is worth: by processor time, not by that of others."""
    test = load_text(blocks(1000), "blocks.ll")
    check(test, model, engine=engine, timeout=0.0)  # what is compiled or imported is not counted
    gc.collect()  # nor is a look through all that other tests have left in this process
    begun = time.process_time()
    result = check(test, model, engine=engine, timeout=0.5)
    assert result.status == "timeout" or (result.status, result.verdict) == ("complete", "No")
    assert time.process_time() - begun < 1.5


def test_reading_ends_in_time(tmp_path: Path) -> None:
    """LLVM, and the reading of what it prints, end at the time limit of the test."""
    file = tmp_path / "long.ll"
    file.write_text(blocks(30_000))
    begun = time.monotonic()
    (result,) = check_file(str(file), BatchOptions(timeout=0.5), Models(()))
    assert (result.status, result.verdict) == ("timeout", "unknown") and result.error is None
    assert time.monotonic() - begun < 8.0  # it takes more than that in all


@pytest.mark.parametrize("looks", [1, 2, 5, 12, 20])
def test_interruption_keeps_what_there_is(looks: int, monkeypatch: pytest.MonkeyPatch, tune: Tune) -> None:
    """Ctrl-C in the search, in grounding or in lanes raises what has been found so far."""
    test = ladder(8)
    whole = bitset.enumerate_test(request(test))
    left = looks

    def pressed(search: object) -> bool:
        nonlocal left
        left -= 1
        if left <= 0:
            raise KeyboardInterrupt
        return False

    tune(long=4)
    monkeypatch.setattr(driver.Driver, "_late", pressed)
    with pytest.raises(Interrupted) as stop:
        bitset.enumerate_test(request(test))
    partial = stop.value.partial
    assert isinstance(partial, Outcomes) and partial.status == "limit" and "interrupted" in partial.notes
    assert set(partial.states) <= set(whole.states) and partial.consistent <= whole.consistent
    left = looks
    with pytest.raises(Interrupted) as stop:
        check(test, "amdgpu")
    assert isinstance(stop.value.partial, Result) and stop.value.partial.status == "limit"


def test_an_interrupted_search_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tune: Tune) -> None:
    """A batch gives the partial result, and begins nothing more."""
    file = tmp_path / "sb.ll"
    file.write_text("; EXISTS: @x = 1\n@x = global i32 0\ndefine void @t0() {\n  store i32 1, ptr @x\n  ret void\n}\n")
    load(file)

    def pressed(search: object) -> bool:
        raise KeyboardInterrupt

    monkeypatch.setattr(driver.Driver, "_late", pressed)
    tune(first_steps=1)
    results = []
    with pytest.raises(KeyboardInterrupt):
        for result in check_file(str(file), BatchOptions(models=("llvm", "amdgpu")), Models(())):
            results.append(result)
    assert [result.status for result in results] == ["limit"] and "interrupted" in results[0].notes


def test_no_names_without_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time that it takes to find the names of a test is a part of its time: no complete result lacks some."""

    def slowly(test: Test) -> frozenset[str]:
        time.sleep(0.3)
        check_time()
        raise AssertionError

    monkeypatch.setattr("enumerator.asking.all_names", slowly)
    result = check(ladder(1), "llvm", all_values=True, timeout=0.2)
    assert (result.status, result.verdict) == ("timeout", "unknown")


HANDS_OUT = """; EXISTS: @total = {total}
@next = global i32 0
@total = global i32 0
define void @t0() {{
  br label %l
l:
  %i = atomicrmw add ptr @next, i32 1 monotonic, align 4
  %more = icmp slt i32 %i, 4
  br i1 %more, label %b, label %e
b:
  %t = atomicrmw add ptr @total, i32 %i monotonic, align 4
  br label %l
e:
  ret void
}}
define void @t1() {{
  br label %l
l:
  %i = atomicrmw add ptr @next, i32 1 monotonic, align 4
  %more = icmp slt i32 %i, {end}
  br i1 %more, label %b, label %e
b:
  %t = atomicrmw add ptr @total, i32 %i monotonic, align 4
  br label %l
e:
  ret void
}}
"""


def test_a_higher_bound_where_then_nothing_is_cut() -> None:
    """Only where nobody has given one."""
    text = HANDS_OUT.format(total=6, end=4)
    found = check(load_text(text, "hands-out.ll"), "rc11")
    assert (found.status, found.observation, found.cut) == ("complete", "Always", 0)
    bounded = check(load_text(text, "hands-out.ll"), "rc11", unroll=2)
    assert bounded.status == "limit" and bounded.cut
    given = check(load_text("; UNROLL: 2\n" + text, "hands-out.ll"), "rc11")
    assert (given.status, given.cut) == ("limit", bounded.cut)


def test_a_loop_without_end_keeps_its_bound() -> None:
    text = HANDS_OUT.format(total=6, end=1000000)
    found, bounded = (check(load_text(text, "hands-out.ll"), "rc11", unroll=each) for each in (None, 2))
    assert (found.status, found.cut, found.states) == ("limit", bounded.cut, bounded.states)


def test_what_may_be_written_takes_too_much_memory(monkeypatch: pytest.MonkeyPatch, tune: Tune) -> None:
    tune(grow_from=0)
    monkeypatch.setattr(to_come, "MOST_TOLD", 0)
    result = check(ladder(2), "llvm")
    assert (result.status, result.verdict) == ("limit", "unknown")
    assert any("too much memory" in note for note in result.notes)
