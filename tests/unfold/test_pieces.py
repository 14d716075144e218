"""Words that are put together again of their pieces have the values that their operations say."""

from __future__ import annotations

import random

from enumerator.program.types import IntType
from enumerator.program.values import signed
from enumerator.unfold.arithmetic import apply, evaluate
from enumerator.unfold.nodes import compute
from enumerator.unfold.paths import Computed, Known, Node, ReadValue

WIDTHS = (8, 16, 32)
MASKS = (0xFF, 0xFF00, 0xFFFF, 0xFFFF0000, 0xFF0000FF, 0x00FFFF00, -1, 0)


def piece(chance: random.Random, word: Node, width: int, deep: int) -> tuple[Node, int]:
    """Some operations that move and mask bits of a word, and the width of what they give."""
    node, now = word, width
    for _ in range(chance.randrange(deep + 1)):
        match chance.choice(("shl", "lshr", "and", "trunc", "zext", "or")):
            case "or" if deep:
                other, its = piece(chance, word, width, deep - 1)
                if its == now:
                    node = compute("or", (node, other), IntType(now), IntType(now))
            case "trunc" | "zext" as cast:
                new = chance.choice(WIDTHS)
                if (new < now) == (cast == "trunc") and new != now:
                    node, now = compute(cast, (node,), IntType(new), IntType(now)), new
            case "and":
                node = compute("and", (node, Known(signed(chance.choice(MASKS), now))), IntType(now), IntType(now))
            case "shl" | "lshr" as moved:
                node = compute(moved, (node, Known(chance.choice((0, 8, 16)) % now)), IntType(now), IntType(now))
    return node, now


def test_the_value_is_what_the_operations_give() -> None:
    chance, whole = random.Random(1), 0
    word = ReadValue(0, IntType(32))
    for _ in range(20_000):
        (one, width), (other, its) = (piece(chance, word, 32, 4) for _ in range(2))
        if width != its:
            continue
        made = compute("or", (one, other), IntType(width), IntType(width))
        whole += made is word and not (one is word or other is word)
        assert made is word or isinstance(made, Computed | Known)
        for value in (0, -1, 0x12345678, chance.getrandbits(32) - (1 << 31)):
            parts = (evaluate(each, lambda _, value=value: value) for each in (one, other))  # type: ignore[misc]
            expected = apply("or", tuple(parts), IntType(width), IntType(width))
            assert evaluate(made, lambda _, value=value: value) == expected  # type: ignore[misc]
    assert whole > 20


def test_what_is_no_whole_word_stays() -> None:
    word, half = IntType(32), IntType(16)
    one, other = ReadValue(0, word), ReadValue(1, word)
    low = [compute("and", (each, Known(0xFFFF)), word, word) for each in (one, other)]
    high = compute("and", (one, Known(-0x10000)), word, word)
    assert compute("or", (low[0], high), word, word) is one
    assert compute("or", (low[1], high), word, word) is not one
    swapped = compute("lshr", (one, Known(16)), word, word)
    assert compute("or", (compute("shl", (one, Known(16)), word, word), swapped), word, word) is not one
    part = compute("trunc", (one,), half, word)
    assert compute("or", (part, part), half, half) is not one
