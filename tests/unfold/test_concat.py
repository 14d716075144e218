"""Integers that are computed from addresses: equal to what they are once objects have addresses."""

from __future__ import annotations

import random

import pytest

from enumerator.program.addresses import bits_of, is_distance
from enumerator.program.concat import bitwise, compared, concatenated, may_equal, moved, resized, sliced
from enumerator.program.types import IntType
from enumerator.program.values import Pointer, Term, Value
from enumerator.unfold.arithmetic import apply

OBJECTS = ("@x", "@y", "@z")
OPERATORS = "and or xor add sub shl lshr ashr mul udiv urem".split()
PREDICATES = "eq ne ult ule ugt uge slt sle sgt sge".split()


def number(value: Value, width: int) -> int:
    """Give the bits of a number once each object has its address."""
    bits = bits_of(value, width)
    assert bits is not None, value
    return bits


def any_number(chance: random.Random, width: int) -> Value:
    kind = chance.randrange(4)
    if kind == 0 and width == 64:
        return Pointer(chance.choice([*OBJECTS]), chance.choice((0, 1, 8, 4095, 4096, 70000)))
    if kind == 1:
        return signed(
            chance.choice((0, 1, -1, 3, 7, -8, 0xFFF, 1 << width // 2, (1 << 48) - 1, -(1 << 48), 5 << 48)), width
        )
    if kind == 2 and width == 64:
        return concatenated([(48, Pointer("@x", 16)), (16, chance.randrange(4))])
    return signed(chance.randrange(1 << width), width)


def signed(bits: int, width: int) -> int:
    bits &= (1 << width) - 1
    return bits - (1 << width) if bits >> (width - 1) else bits


@pytest.mark.parametrize("seed", range(400))
def test_operations_say_what_they_do_once_objects_have_addresses(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(25):
        value, width = any_number(chance, 64), 64
        for _ in range(4):
            if chance.random() < 0.25:
                after, sign = chance.choice([32, 64, 128]), chance.random() < 0.3
                bits = number(value, width)
                new = resized(value, width, after, sign=sign)
                if isinstance(new, Term) and new.operator == "sext":
                    new = apply("sext", (value,), IntType(after), IntType(width))
                if isinstance(new, Term) and new.operator == "sext":
                    assert is_distance(new)
                    break
                assert number(new, after) == (signed(bits, width) if sign else bits) & (1 << after) - 1
                value, width = new, after
                continue
            operator, other = chance.choice(OPERATORS), any_number(chance, width)
            if operator in ("shl", "lshr", "ashr"):
                other = chance.randrange(width)
            if operator in ("udiv", "urem") and number(other, width) == 0:
                continue
            type_ = IntType(width)
            found = apply(operator, (value, other), type_, type_)
            assert not isinstance(found, Term) or found.operator == "concat" or is_distance(found)
            plain = apply(
                operator, (signed(number(value, width), width), signed(number(other, width), width)), type_, type_
            )
            assert number(found, width) == number(plain, width), (operator, value, other, width)
            value = found
        predicate, other = chance.choice(PREDICATES), any_number(chance, width)
        known = compared(predicate, value, other, width)
        sides = signed(number(value, width), width), signed(number(other, width), width)
        assert known in (None, apply(f"icmp {predicate}", sides, IntType(1), IntType(width))), (predicate, value, other)


def test_what_is_put_together_comes_apart_again() -> None:
    word = bitwise("or", Pointer("@x", 8), 5 << 48, 64)
    assert word is not None
    assert bitwise("lshr", word, 48, 64) == 5
    assert bitwise("and", word, (1 << 48) - 1, 64) == Pointer("@x", 8)
    assert bitwise("ashr", bitwise("shl", word, 16, 64) or 0, 16, 64) == Pointer("@x", 8)
    pair = concatenated([(64, Pointer("@x")), (64, 7)])
    assert (sliced(pair, 128, 0, 64), sliced(pair, 128, 64, 64)) == (Pointer("@x"), 7)
    assert bitwise("add", pair, 1 << 64, 128) == concatenated([(64, Pointer("@x")), (64, 8)])


def test_marks_in_low_bits_are_part_of_the_offset() -> None:
    assert bitwise("or", Pointer("@x"), 1, 64) == Pointer("@x", 1)
    assert bitwise("and", Pointer("@x", 1), -2, 64) == Pointer("@x")
    assert bitwise("and", Pointer("@x", 13), 7, 64) == 5
    assert bitwise("xor", Pointer("@x", 1), 1, 64) == Pointer("@x")


def test_what_is_no_place_of_an_object_is_a_field() -> None:
    assert moved(Pointer("@x"), 3 << 48) is None
    word = apply("add", (Pointer("@x"), 3 << 48), IntType(64), IntType(64))
    assert word == bitwise("or", Pointer("@x"), 3 << 48, 64)


def test_numbers_that_were_not_computed_are_parts_as_well() -> None:
    printed = Term("printed")
    word = concatenated([(32, printed), (32, 5)])
    assert sliced(word, 64, 0, 32) == printed
    assert sliced(word, 64, 32, 32) == 5
    assert compared("eq", word, 6 << 32, 64) == 0
    assert compared("eq", word, 5 << 32, 64) is None
    assert may_equal(word, 5 << 32) and not may_equal(word, 0)
