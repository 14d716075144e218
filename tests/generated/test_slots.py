"""Stack slots whose address stays in its thread are registers: what -O0 makes of a program is the same program."""

from __future__ import annotations

import re

import pytest

from enumerator.frontend import load_text
from tests.generated.amounts import examples
from tests.generated.engines import answer
from tests.generated.programs import random_program
from tests.literal import all_names

READ = re.compile(r"  (%\w+) = (?:load (?:atomic )?(?:volatile )?(i\d+)|atomicrmw (?:volatile )?\w+ ptr.*, (i\d+) )")

FEATURES = {
    "orderings": {"fences", "unordered"},
    "updates": {"rmw", "cmpxchg", "undef"},
    "branches": {"branches", "loops", "dependencies", "calls"},
    "tags": {"tags", "fences", "scopes", "spaces", "private"},
}


def spilled(lines: tuple[str, ...]) -> str:
    """Store each value that is read to a slot of its own at once, and use what is loaded from there."""
    text: list[str] = []
    start = 0
    slots: dict[str, str] = {}
    for line in lines:
        if line.startswith("define "):
            start, slots = len(text) + 1, {}
        for register, back in slots.items():
            line = re.sub(rf"{register}\b(?!\.)", back, line)
        text.append(line)
        found = READ.match(line)
        if found is not None and start:
            register, type_ = found[1], found[2] or found[3]
            slot = f"{register}.slot"
            text += [f"  store {type_} {register}, ptr {slot}", f"  {register}.back = load {type_}, ptr {slot}"]
            label = text[start].strip().endswith(":")
            text.insert(start + label, f"  {slot} = alloca {type_}")
            slots[register] = f"{register}.back"
    return "\n".join(text)


PROGRAMS = examples(10)


@pytest.mark.parametrize("features", sorted(FEATURES))
def test_values_that_pass_through_slots_are_the_same_program(features: str) -> None:
    spilled_reads = 0
    for seed in range(PROGRAMS):
        program = random_program(frozenset(FEATURES[features]), seed)
        whole = program.text.splitlines()
        text = spilled(tuple(whole))
        spilled_reads += text.count(".back = ")
        plain, through_slots = load_text(program.text, "plain.ll"), load_text(text, "spilled.ll")
        names = all_names(plain, 1)
        found = [answer("bitset", test, names, unroll=1) for test in (plain, through_slots)]
        assert found[0] == found[1], text
    assert spilled_reads >= PROGRAMS
