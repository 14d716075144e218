"""OpenCL's functions on integers, which clang leaves to device libraries (The OpenCL C Specification, 6.15.3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from enumerator.frontend.llvm.intrinsics import extreme, on_integers
from enumerator.frontend.llvm.mangling import ParameterType
from enumerator.frontend.llvm.vectors import lane_of
from enumerator.program.instructions import Constant, Expression, Operation
from enumerator.program.types import IntType, Type, VectorType

__all__ = ["by_lanes", "integer_function", "saturated"]

Values = Sequence[Expression]

_BIT = IntType(1)


def integer_function(
    name: str,
    parameters: Sequence[ParameterType],
    arguments: Sequence[tuple[Expression, Type]],
    result: Type | None = None,
) -> Expression | None:
    """Give the value of a function on integers, or vectors of them; None for others.

    Parameters
    ----------
    name : str
        Not mangled.
    parameters : sequence of ParameterType
        They tell signed from unsigned numbers.
    arguments : sequence of (Expression, Type)
    result : Type, optional
        Default: that of the first argument.

    Examples
    --------
    >>> i32 = IntType(32)
    >>> integer_function("popcount", [ParameterType("int")], [(Constant(3, i32), i32)]).operator
    'ctpop'
    """
    elements = [type_.element if isinstance(type_, VectorType) else type_ for _, type_ in arguments]
    known = _FUNCTIONS.get(name)
    if known is None or len(arguments) != known[0] or len(parameters) < len(arguments):
        return None
    type_, function = elements[0], known[1]
    if not isinstance(type_, IntType) or any(each != type_ for each in elements):
        return None
    first = parameters[0] if parameters[0].to is None else parameters[0].to
    signed, number = not first.unsigned, type_
    return by_lanes(arguments, result or arguments[0][1], lambda values: function(values, number, signed))


def by_lanes(
    arguments: Sequence[tuple[Expression, Type]], result: Type, function: Callable[[Values], Expression]
) -> Expression:
    """Apply a function to each element of vectors; a scalar beside them is the same for all.

    Parameters
    ----------
    arguments : sequence of (Expression, Type)
    result : Type
    function : callable
        From what the arguments are in one lane.
    """
    if not isinstance(result, VectorType):
        return function([value for value, _ in arguments])
    lanes = (
        function(
            [lane_of(value, type_, lane) if isinstance(type_, VectorType) else value for value, type_ in arguments]
        )
        for lane in range(result.count)
    )
    return Operation("tuple", tuple(lanes), result, result.element)


def saturated(value: Expression, wide: IntType, from_signed: bool, type_: IntType, signed: bool) -> Expression:
    """Give the number of a type that is next to one of a wider type.

    Parameters
    ----------
    value : Expression
    wide : IntType
        Its type.
    from_signed, signed : bool
        Whether these types are signed.
    type_ : IntType
    """
    most = (1 << (type_.width - signed)) - 1
    sign = "s" if from_signed else "u"
    value = _select(f"{sign}gt", value, Constant(most, wide), Constant(most, wide), value, wide)
    if from_signed:
        least = Constant(-most - 1 if signed else 0, wide)
        value = _select("slt", value, least, least, value, wide)
    return Operation("trunc", (value,), type_, wide)


def _operation(operator: str, type_: IntType, *values: Expression) -> Expression:
    return Operation(operator, values, type_, type_)


def _select(
    predicate: str, left: Expression, right: Expression, then: Expression, otherwise: Expression, type_: IntType
) -> Expression:
    condition = Operation(f"icmp {predicate}", (left, right), _BIT, type_)
    return Operation("select", (condition, then, otherwise), type_, _BIT)


def _wider(values: Values, type_: IntType, signed: bool) -> tuple[IntType, list[Expression]]:
    """Give numbers with twice as many bits, in which no sum and no product of two overflows."""
    wide = IntType(2 * type_.width)
    return wide, [Operation("sext" if signed else "zext", (value,), wide, type_) for value in values]


def _extreme(which: str, values: Values, type_: IntType, signed: bool) -> Expression:
    found = extreme(f"llvm.{'s' if signed else 'u'}{which}.", [(value, type_) for value in values])
    assert found is not None
    return found[0]


def _clamp(values: Values, type_: IntType, signed: bool) -> Expression:
    value, low, high = values
    return _extreme("min", (_extreme("max", (value, low), type_, signed), high), type_, signed)


def _intrinsic(name: str, *more: int) -> Callable[[Values, IntType, bool], Expression]:
    """Give what one of LLVM's intrinsics does, which may take a bit more: whether some number is poison."""

    def function(values: Values, type_: IntType, signed: bool) -> Expression:
        given = [(value, type_) for value in values]
        found = on_integers(f"llvm.{name}.x", [*given, *((Constant(bit, _BIT), _BIT) for bit in more)])
        assert found is not None
        return found

    return function


def _rotate(values: Values, type_: IntType, signed: bool) -> Expression:
    return _operation("fshl", type_, values[0], *values)


def _abs(values: Values, type_: IntType, signed: bool) -> Expression:
    return _intrinsic("abs", 0)(values, type_, signed) if signed else values[0]


def _abs_diff(values: Values, type_: IntType, signed: bool) -> Expression:
    x, y = values
    less, more = _operation("sub", type_, x, y), _operation("sub", type_, y, x)
    return _select("sgt" if signed else "ugt", x, y, less, more, type_)


def _saturating(what: str) -> Callable[[Values, IntType, bool], Expression]:
    return lambda values, type_, signed: _operation(f"{'s' if signed else 'u'}{what}.sat", type_, *values)


def _half(values: Values, type_: IntType, signed: bool, up: int) -> Expression:
    """``(x + y) >> 1``, or with one added before, without overflow."""
    wide, (x, y) = _wider(values, type_, signed)
    total = _operation("add", wide, _operation("add", wide, x, y), Constant(up, wide))
    return Operation("trunc", (_operation("ashr", wide, total, Constant(1, wide)),), type_, wide)


def _mul_hi(values: Values, type_: IntType, signed: bool) -> Expression:
    wide, numbers = _wider(values, type_, signed)
    high = _operation("lshr", wide, _operation("mul", wide, *numbers), Constant(type_.width, wide))
    return Operation("trunc", (high,), type_, wide)


def _mad_hi(values: Values, type_: IntType, signed: bool) -> Expression:
    return _operation("add", type_, _mul_hi(values[:2], type_, signed), values[2])


def _mad_sat(values: Values, type_: IntType, signed: bool) -> Expression:
    wide, (x, y, z) = _wider(values, type_, signed)
    return saturated(_operation("add", wide, _operation("mul", wide, x, y), z), wide, signed, type_, signed)


def _mul(values: Values, type_: IntType, signed: bool) -> Expression:
    return _operation("mul", type_, *values)


def _mad(values: Values, type_: IntType, signed: bool) -> Expression:
    return _operation("add", type_, _operation("mul", type_, *values[:2]), values[2])


def _upsample(values: Values, type_: IntType, signed: bool) -> Expression:
    wide, (high, low) = _wider(values, type_, False)
    return _operation("or", wide, _operation("shl", wide, high, Constant(type_.width, wide)), low)


def _bitselect(values: Values, type_: IntType, signed: bool) -> Expression:
    first, second, mask = values
    other = _operation("xor", type_, mask, Constant(-1, type_))
    return _operation("or", type_, _operation("and", type_, first, other), _operation("and", type_, second, mask))


_FUNCTIONS: dict[str, tuple[int, Callable[[Values, IntType, bool], Expression]]] = {
    "abs": (1, _abs),
    "abs_diff": (2, _abs_diff),
    "add_sat": (2, _saturating("add")),
    "bitselect": (3, _bitselect),
    "clamp": (3, _clamp),
    "clz": (1, _intrinsic("ctlz", 0)),
    "ctz": (1, _intrinsic("cttz", 0)),
    "hadd": (2, lambda values, type_, signed: _half(values, type_, signed, 0)),
    "mad24": (3, _mad),
    "mad_hi": (3, _mad_hi),
    "mad_sat": (3, _mad_sat),
    "max": (2, lambda values, type_, signed: _extreme("max", values, type_, signed)),
    "min": (2, lambda values, type_, signed: _extreme("min", values, type_, signed)),
    "mul24": (2, _mul),
    "mul_hi": (2, _mul_hi),
    "popcount": (1, _intrinsic("ctpop")),
    "rhadd": (2, lambda values, type_, signed: _half(values, type_, signed, 1)),
    "rotate": (2, _rotate),
    "sub_sat": (2, _saturating("sub")),
    "upsample": (2, _upsample),
}
"""By name, how many arguments a function has, and its value: of these, their type, and whether that is signed."""
