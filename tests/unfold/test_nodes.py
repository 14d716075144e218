"""Values that are chosen by a condition that has chosen before."""

from __future__ import annotations

import pytest

from enumerator.program.types import IntType
from enumerator.unfold.nodes import compute
from enumerator.unfold.paths import Known, Node, ReadValue

BIT, WORD = IntType(1), IntType(32)
READ, OTHER = ReadValue(0, WORD), ReadValue(1, WORD)
IS_FOUR = compute("icmp eq", (READ, Known(4)), BIT, WORD)
IS_NOT = compute("xor", (IS_FOUR, Known(1)), BIT, BIT)


def select(condition: Node, one: Node, other: Node, type_: IntType = WORD) -> Node:
    return compute("select", (condition, one, other), type_, type_)


@pytest.mark.parametrize("which", [0, 1])
def test_what_is_chosen_again_is_known(which: int) -> None:
    inner = select(IS_FOUR, Known(0), OTHER)
    tested = compute("icmp eq", (inner, Known(0)), BIT, WORD)
    outer = select(IS_FOUR, *((tested, Known(0)) if which == 0 else (Known(1), tested)), BIT)
    if which == 0:
        assert outer is IS_FOUR  # 0 is 0 where the read is four, and else it is not asked
    else:
        assert outer.arguments[2].arguments[0] is OTHER


def test_a_negated_condition_chooses_the_other_way() -> None:
    chosen = select(IS_NOT, OTHER, Known(0))
    assert (chosen.arguments[0], chosen.arguments[2]) == (IS_FOUR, OTHER)
    assert select(select(IS_NOT, Known(0), Known(1), BIT), OTHER, READ).arguments[0] is IS_FOUR


def test_another_condition_says_nothing() -> None:
    inner = select(compute("icmp eq", (READ, Known(5)), BIT, WORD), Known(0), OTHER)
    assert select(IS_FOUR, inner, Known(7)).arguments[1] is inner
