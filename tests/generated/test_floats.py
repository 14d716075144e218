"""Floating-point arithmetic: the literal enumerator's, by fractions, and the product's are numpy's."""

from __future__ import annotations

import struct
from random import Random

import numpy as np
import pytest

from enumerator.frontend import load_text
from enumerator.program.types import FloatType
from enumerator.program.values import Term, Value
from tests.generated.engines import answer
from tests.literal import all_names
from tests.literal.floats import convert, float_bits, float_operation, float_text

FORMATS = {
    "half": (2, np.float16, np.uint16),
    "float": (4, np.float32, np.uint32),
    "double": (8, np.float64, np.uint64),
}
OPERATIONS = {"fadd": np.add, "fsub": np.subtract, "fmul": np.multiply, "fdiv": np.divide, "frem": np.fmod}
PREDICATES = "oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno".split()


def interesting(random: Random, size: int) -> int:
    """The bits of a number: any, small, infinite, the least and greatest, or of few digits."""
    bits = 8 * size
    fraction = {2: 10, 4: 23, 8: 52}[size]
    infinity = ((1 << (bits - 1 - fraction)) - 1) << fraction
    match random.randrange(5):
        case 0:
            number = random.getrandbits(bits - 1)
        case 1:
            number = random.choice((0, 1, 2, infinity - 1, infinity, infinity + (1 << (fraction - 1)), 1 << fraction))
        case 2:
            number = random.getrandbits(fraction)
        case _:
            kind = {2: np.float16, 4: np.float32, 8: np.float64}[size]
            number = int.from_bytes(kind(random.randint(0, 40) / 8).tobytes(), "little")
    return number | random.getrandbits(1) << (bits - 1)


def text_of(bits: int, type_: FloatType) -> Term:
    found = float_text(bits, type_)
    assert found is not None
    return found


@pytest.mark.parametrize("name", FORMATS)
def test_literal_arithmetic_is_that_of_numpy(name: str) -> None:
    size, kind, unsigned = FORMATS[name]
    type_, random = FloatType(name, size), Random(name)
    with np.errstate(all="ignore"):
        for _ in range(1500):
            a, b = interesting(random, size), interesting(random, size)
            operator = random.choice(list(OPERATIONS))
            left, right = (np.array(each, dtype=unsigned).view(kind) for each in (a, b))
            expected = np.asarray(OPERATIONS[operator](left, right), dtype=kind)
            found = float_operation(operator, (text_of(a, type_), text_of(b, type_)), type_)
            assert isinstance(found, Term)
            bits = float_bits(found, type_)
            assert bits is not None
            got = np.array(bits, dtype=unsigned).view(kind)
            assert np.isnan(got) if np.isnan(expected) else got.tobytes() == expected.tobytes(), (operator, a, b)
            for target, (width, other, _) in FORMATS.items():
                if np.isnan(left) or target == name:
                    continue
                changed = convert("fpext", text_of(a, type_), FloatType(target, width), type_)
                assert isinstance(changed, Term)
                number = float_bits(changed, FloatType(target, width))
                assert number == int.from_bytes(left.astype(other).tobytes(), "little"), (a, target)


@pytest.mark.parametrize("name", [*FORMATS, "bfloat"])
def test_bits_are_as_they_were(name: str) -> None:
    size = {"bfloat": 2}.get(name) or FORMATS[name][0]
    type_, random = FloatType(name, size), Random(1)
    for _ in range(2000):
        bits = interesting(random, size)
        assert float_bits(text_of(bits, type_), type_) == bits


def constant(random: Random, name: str, size: int) -> str:
    """A number as a program has it; no NaN, for which arithmetic may give one of several."""
    while True:
        bits = interesting(random, size)
        if name == "bfloat":
            bits &= 0xFFFF
        text = text_of(bits, FloatType(name, size)).operator
        exponent = {"half": 0x7C00, "bfloat": 0x7F80, "float": 0x7F800000, "double": 0x7FF << 52}[name]
        if bits & exponent != exponent:
            if text.startswith("f0x"):  # LLVM reads the bits of the double that it is
                number = struct.unpack(">f", bits.to_bytes(4, "big"))[0]
                return "0x" + struct.pack(">d", number).hex()
            return text


def program(seed: int) -> str:
    random = Random(seed)
    lines = []
    for number in range(12):
        name = random.choice(("half", "bfloat", "float", "double"))
        size = {"half": 2, "bfloat": 2, "float": 4, "double": 8}[name]
        a, b, place = constant(random, name, size), constant(random, name, size), f"%a{number}"
        lines += [
            f"store {name} {a}, ptr %{name}, align 1",
            f"{place} = load {name}, ptr %{name}, align 1",
            f"%b{number} = {random.choice(list(OPERATIONS))} {name} {place}, {b}",
            f"%c{number} = fcmp {random.choice(PREDICATES)} {name} {place}, {b}",
            f"%d{number} = fneg {name} {place}",
            f"%e{number} = fptosi {name} {place} to i16",
            f"%f{number} = {random.choice(('sitofp', 'uitofp'))} i16 {random.randint(-300, 300)} to {name}",
            f"%g{number} = bitcast {name} {place} to i{8 * size}",
            f"%h{number} = bitcast {name} {place} to <{size} x i8>",
            f"%i{number} = load <{size} x i8>, ptr %{name}, align 1",
        ]
        if name != "double":
            lines.append(f"%j{number} = fpext {name} {place} to double")
        if name in ("float", "double"):
            lines.append(f"%k{number} = fptrunc {name} {place} to half")
            lines.append(f"%l{number} = atomicrmw fadd ptr %{name}, {name} {b} monotonic")
    body = "\n".join(f"  {line}" for line in lines)
    types = ("half", "bfloat", "float", "double")
    slots = "\n".join(f"  %{name} = alloca {name}" for name in types)
    return f"; EXISTS: true\ndefine void @t0() {{\n{slots}\n{body}\n  ret void\n}}\n"


def same_number(value: Value) -> Value:
    """A number by its bits as a double: some are written with other digits once they were computed."""
    if isinstance(value, Term) and value.operator[2:3] not in ("H", "R"):
        return float_bits(value, FloatType("double", 8)) or 0
    return value


def test_engines_compute_the_same() -> None:
    for seed in range(12):
        test = load_text(program(seed), f"floats-{seed}.ll")
        names = all_names(test)
        literal, fast = (answer(engine, test, names) for engine in ("literal", "bitset"))
        assert literal is not None and fast is not None
        ((expected, _),), ((found, _),) = literal.states, fast.states
        for name, one, other in zip(names, expected, found, strict=True):
            assert same_number(one) == same_number(other), (seed, name, one, other)
