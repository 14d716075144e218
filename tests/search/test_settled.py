"""What a model says for good of reads that may return undef, while executions still grow."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from enumerator import check
from enumerator.cat.compiler import compile_model
from enumerator.cat.typing import select
from enumerator.events.kind import Kind
from enumerator.events.sets import names_of
from enumerator.frontend import load_text
from enumerator.program.instructions import Ordering
from enumerator.search.bitset import base_kinds
from enumerator.search.passive import PassiveReads
from enumerator.search.settled import lies_in_past, settled_rules
from tests.generated.amounts import examples
from tests.search.generated import Tune
from tests.search.test_cycles import mixture

MODEL = """"Rules"
include "parts/happens-before.cat"
let lo = (hb | po) & loc
include "parts/may-see.cat"
let returns-undef = {rule}
empty UNDEF \\ returns-undef as only-by-rule
empty returns-undef \\ UNDEF as by-rule
"""

# What a set says is settled by what comes before a read, and by the writes of its location; and then whether a part of
# it stays, whatever is written later.
SETTLED = {
    "sees-no-earlier | (sees-plain | sees-apart) & (sees-several | sees-none)": True,
    "sees-no-earlier": True,
    "R & range(po? ; rf ; po)": True,
    "sees-plain & sees-several": True,
    "sees-no-earlier | sees-plain & R \\ range(may-see & ext)": True,
    "R \\ range(may-see & ext)": False,
}
OPEN = [
    "R & domain(ext & R * F)",  # there may be a fence later
    "R & domain((R * (W \\ IW)) & loc & ext)",  # of which the writes of its own thread are not told apart
    "range(mo ; rf)",
    "R \\ range(ext & W * R)",
]
PASSIVE = {
    "R & range(po ; [A] ; rf ; [A] ; po)": True,
    "R & range(([A] ; rf ; [A])+ ; po)": True,
    "R & range((rf & A * A)+ ; po)": True,
    "R & range((rf \\ W * (R \\ A)) ; po)": False,  # what is taken away is not looked at
    "R & range(rf)": False,
    "R & range((rf | po)+ ; po)": False,
    "R & range([A] ; rf ; po ; [A])": False,
    "(R \\ A) & range(rf & ext)": False,
}
EMPTY = frozenset({"unsequenced", "parts", "bar", "started", "completed"})


def model_of(rule: str, folder: Path) -> str:
    path = folder / "rules.cat"
    path.write_text(MODEL.format(rule=rule))
    return str(path)


def numbers(model: str, empty: frozenset[str] = EMPTY) -> tuple[int, ...]:
    selected = select(model, (), {})
    compiled = compile_model(selected.model, selected.variants, base_kinds(), empty=empty)
    return tuple(map(len, settled_rules(compiled)))


@pytest.mark.parametrize("model", ["llvm", "amdgpu", "amdgpu-2026"])
def test_the_rules_of_models_are_settled(model: str) -> None:
    assert numbers(model) == numbers(model, EMPTY - {"parts"}) == numbers(model, EMPTY - {"bar"}) == (1, 1, 1)
    assert numbers(model, EMPTY - {"unsequenced"}) == (0, 0, 0)
    assert numbers("rc11") == (0, 0, 0)


@pytest.mark.parametrize("name", ["hb", "po | rf", "po ; bar ; po", "fr-atomic", "hb^-1"])
def test_what_lies_in_the_past(name: str, tmp_path: Path) -> None:
    """What barriers order does, as it is asked once all threads have come to those that are passed."""
    (tmp_path / "past.cat").write_text(f'"Past"\ninclude "parts/happens-before.cat"\nacyclic {name} as past')
    selected = select(str(tmp_path / "past.cat"), (), {})
    (check_,) = (
        each
        for each in compile_model(selected.model, selected.variants, base_kinds(), empty=EMPTY - {"bar"}).checks
        if each.check.name == "past"
    )
    node = check_.node.arguments[0] if check_.node.operator == "+" else check_.node
    assert lies_in_past(node) == (name not in ("fr-atomic", "hb^-1"))


@pytest.mark.parametrize("rule", [*SETTLED, *OPEN])
def test_what_is_settled(rule: str, tmp_path: Path) -> None:
    found = numbers(model_of(rule, tmp_path))
    assert found == ((1, 1, int(SETTLED[rule])) if rule in SETTLED else (0, 0, 0))


@pytest.mark.parametrize("model", ["llvm", "amdgpu", "amdgpu-2026"])
def test_plain_reads_are_passive(model: str) -> None:
    selected = select(model, (), {})
    passive = PassiveReads(
        compile_model(selected.model, selected.variants, base_kinds(), empty=EMPTY - {"parts", "bar"})
    )
    read = Kind("R", Ordering.NA)
    assert passive.include(names_of(read))
    assert passive.include(names_of(replace(read, ordering=Ordering.UNORDERED)))
    assert not passive.include(names_of(replace(read, ordering=Ordering.MONOTONIC)))
    assert not passive.include(names_of(replace(read, ordering=Ordering.ACQUIRE)))


@pytest.mark.parametrize("rule", [*SETTLED, *PASSIVE])
def test_which_reads_are_passive(rule: str, tmp_path: Path) -> None:
    """What a plain read takes makes a difference where a rule goes on from it, or asks it of the read itself."""
    selected = select(model_of(rule, tmp_path), (), {})
    passive = PassiveReads(compile_model(selected.model, selected.variants, base_kinds(), empty=EMPTY))
    wanted = PASSIVE.get(rule, "; rf" not in rule)
    assert passive.include(names_of(Kind("R", Ordering.NA))) == wanted


@pytest.mark.parametrize("rule", [*SETTLED, *OPEN, *PASSIVE])
def test_executions_are_those_that_are_listed(rule: str, tmp_path: Path, tune: Tune) -> None:
    """Nothing is refused early that the whole execution would not refuse, whatever the rule."""
    model = model_of(rule, tmp_path)
    for seed in range(examples(12)):
        text = mixture(7000 + seed)
        results = []
        for grow_from in (-1, 0):
            tune(grow_from=grow_from, grow_from_waits=grow_from, grow_dead_ends=1 << 40)
            results.append(check(load_text(text, "mixture.ll"), model, timeout=20))
        if all(each.status == "complete" for each in results):
            found = [(each.states, each.consistent, each.flags) for each in results]
            assert found[0] == found[1], text


PUSHERS = """@tail = global ptr null
@node = global { i32, ptr } zeroinitializer
define ptr @pusher(ptr %0) {
  %t = load atomic ptr, ptr @tail acquire, align 8
  %next = getelementptr i8, ptr %t, i64 8
  %q = cmpxchg ptr %next, ptr null, ptr @tail release monotonic
  %won = extractvalue { ptr, i1 } %q, 1
  br i1 %won, label %move, label %done
move:
  %s = cmpxchg ptr @tail, ptr %t, ptr @node release monotonic
  br label %done
done:
  ret ptr null
}
define i32 @main() {
  %t = alloca [2 x i64]
  %u = getelementptr i8, ptr %t, i64 8
  %next = getelementptr i8, ptr @node, i64 8
  store i32 5, ptr @node, align 8
  store ptr null, ptr %next, align 8
  store ptr @node, ptr @tail, align 8
  %c = call i32 @pthread_create(ptr %t, ptr null, ptr @pusher, ptr null)
  %d = call i32 @pthread_create(ptr %u, ptr null, ptr @pusher, ptr null)
  %h = load i64, ptr %t
  %j = call i32 @pthread_join(i64 %h, ptr null)
  %i = load i64, ptr %u
  %k = call i32 @pthread_join(i64 %i, ptr null)
  ret i32 0
}
declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @pthread_join(i64, ptr)
"""


@pytest.mark.parametrize("model", ["llvm", "amdgpu"])
def test_what_cannot_be_undef_is_refused_soon(model: str, tune: Tune) -> None:
    """Memory is set up plainly, and then updated by several threads: some reads return undef, and most do not."""
    tune(grow_from=0)
    found = check(load_text(PUSHERS, "pushers.ll"), model)
    assert (found.status, found.consistent, found.flags) == ("complete", 6, ("ub", "ub-undef"))
    assert found.explored is not None and found.explored <= 25
