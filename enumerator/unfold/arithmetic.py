"""The results of LLVM's operations without side effects, on values with ``undef``, pointers and uninterpreted terms.

Semantics, section 1: arithmetic, comparison and selection on ``undef`` give ``undef``. Flags such as ``nuw`` are
ignored. A shift by the width or more gives ``undef`` (LangRef: poison).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from enumerator.program.addresses import FIRST, FIRST_SHORT, bits_of, combined, is_distance, located, pointer_at
from enumerator.program.bytes import cut, decode, encode, join
from enumerator.program.concat import at_distance, compared, is_concat, may_equal, resized
from enumerator.program.floats import arithmetic
from enumerator.program.instructions import Constant, Expression, Operation
from enumerator.program.integers import BINARY, INTEGER_OPERATIONS, binary, integer_operation, wide
from enumerator.program.types import (
    FloatType,
    IntType,
    PointerType,
    Type,
    VectorType,
    size_of,
    store_size,
)
from enumerator.program.values import LATE, UNDEF, Pointer, Term, Undef, Value, has_undef, signed
from enumerator.unfold.aggregates import element, expand_undef, extract_value, insert_value, select, shuffle
from enumerator.unfold.paths import Computed, Known, Node, ReadValue

__all__ = [
    "agrees",
    "apply",
    "evaluate",
    "fill",
    "is_strict",
    "may_divide_by_zero",
    "postorder",
    "read_modify_write",
    "run",
]

_DIVISIONS = ("udiv", "sdiv", "urem", "srem")


def evaluate(node: Node, read: Callable[[int], Value]) -> Value:
    """Compute a node from the values that the reads of its path return.

    Parameters
    ----------
    node : Node
    read : callable
        Gives the value that a read returns, by event index.

    Returns
    -------
    Value
    """
    return run(postorder(node), read)


def postorder(node: Node) -> tuple[Node, ...]:
    """List a node and all nodes that it is computed from, each once and after its arguments.

    Parameters
    ----------
    node : Node

    Returns
    -------
    tuple of Node
        The node itself comes last.
    """
    # An explicit stack, as loops make deep graphs.
    listed: dict[int, Node] = {}
    stack = [node]
    while stack:
        current = stack[-1]
        missing = (
            [argument for argument in current.arguments if id(argument) not in listed]
            if isinstance(current, Computed)
            else []
        )
        if missing:
            stack.extend(missing)
        else:
            listed.setdefault(id(current), current)
            stack.pop()
    return tuple(listed.values())


def run(nodes: Sequence[Node], read: Callable[[int], Value]) -> Value:
    """Compute nodes in order (:func:`postorder`), and give the value of the last one; see :func:`evaluate`."""
    done: dict[int, Value] = {}
    found: Value = UNDEF
    for node in nodes:
        if isinstance(node, Computed):
            arguments = tuple([done[id(argument)] for argument in node.arguments])
            found = apply(node.operator, arguments, node.type, node.operand_type, node.indices)
        elif isinstance(node, ReadValue):
            found = read(node.index)
        else:
            assert isinstance(node, Known)
            found = node.value
        done[id(node)] = found
    return found


def is_strict(nodes: Iterable[Node]) -> bool:
    """Tell whether a node is undef only if some read returned undef.

    Shifts by too much and divisions by zero, for instance, give undef for defined operands.

    Parameters
    ----------
    nodes : iterable of Node
        A node and all that it is computed from (:func:`postorder`).

    Returns
    -------
    bool
        False also if it is not known.
    """
    for node in nodes:
        if isinstance(node, Known) and has_undef(node.value):
            return False
        if isinstance(node, Computed) and node.operator.split(" ", 1)[0] not in _STRICT:
            return False
    return True


def agrees(found: Value, wanted: Value) -> bool:
    """Tell whether the condition of a path that a node is `wanted` may hold if its value is `found`.

    An uninterpreted value may be any defined value.

    Examples
    --------
    >>> agrees(1, 1), agrees(Term("fcmp"), 0), agrees(Term("fcmp"), UNDEF)
    (True, True, False)
    """
    if isinstance(found, Term) and isinstance(wanted, int):
        return may_equal(found, wanted)
    return found == wanted or (isinstance(found, Term) and not isinstance(wanted, Undef))


def apply(
    operator: str, arguments: tuple[Value, ...], type_: Type, operand_type: Type, indices: tuple[int, ...] = ()
) -> Value:
    """Apply one operation.

    Parameters
    ----------
    operator : str
        An LLVM opcode (``icmp`` with its predicate), ``ptradd``, ``rmw OPERATOR``, what an intrinsic does
        (:mod:`enumerator.program.integers`), ``relative``, an address so many bytes from another one, or one that
        only unfolding uses: ``tuple``, ``isundef``, ``fill``, ``outside``, ``beyond``, ``divisible``; ``encode`` and
        ``decode``, to and from bytes (:mod:`enumerator.unfold.nodes`).
    arguments : tuple of Value
    type_, operand_type : Type
        Of the result and of the first operand.
    indices : tuple of int
        Constant indices of extractvalue and insertvalue; the mask of shufflevector; not empty for a bitcast in
        big-endian order.

    Returns
    -------
    Value

    Examples
    --------
    >>> i8 = IntType(8)
    >>> apply("add", (127, 1), i8, i8), apply("icmp ult", (-1, 1), IntType(1), i8), apply("add", (UNDEF, 1), i8, i8)
    (-128, 0, undef)
    """
    if isinstance(type_, IntType) and operator in BINARY and isinstance(arguments[0], int):  # most of them
        if isinstance(arguments[1], int):
            found = binary(operator, arguments[0], arguments[1], type_.width)
            return located(found, type_.width) if isinstance(found, int) and found >= FIRST else found
    if operator == "decode":
        memory = join(zip(indices[1:], arguments, strict=True), big=bool(indices[0]))
        return decode(memory, type_, big=bool(indices[0]))
    if operator == "encode":
        first, width, big = indices
        memory = encode(arguments[0], operand_type, big=bool(big))
        return cut(memory, store_size(operand_type), first, width, big=bool(big))
    if operator == "insertvalue":
        arguments = (expand_undef(arguments[0], operand_type), arguments[1])
    if operator in _STRUCTURAL:
        return _STRUCTURAL[operator](arguments, indices)
    if operator == "divisible":
        return _divisible(arguments[0], arguments[1], operand_type)
    if operator in ("extractelement", "insertelement"):
        return element(operator, arguments, operand_type)
    if operator == "shufflevector":
        return shuffle(arguments, indices, operand_type)
    if operator == "select":
        return select(arguments)
    if operator == "bitcast" and any(isinstance(each, VectorType | FloatType) for each in (type_, operand_type)):
        # As if stored and loaded again (LangRef, bitcast).
        return decode(encode(arguments[0], operand_type, big=bool(indices)), type_, big=bool(indices))
    if isinstance(operand_type, VectorType):
        return _elementwise(operator, arguments, type_, operand_type)
    if any(isinstance(argument, Undef) for argument in arguments) and operator != "rmw xchg":
        return UNDEF
    if operator.startswith("rmw "):
        return read_modify_write(operator[4:], arguments[0], arguments[1], operand_type)
    if operator.startswith("icmp "):
        return _compare(operator[5:], arguments[0], arguments[1], operand_type)
    if operator in _CASTS:
        return _cast(operator, arguments[0], type_, operand_type)
    if operator == "ptradd":
        return _offset(arguments[0], arguments[1], _bits(type_))
    if operator == "relative":
        return at_distance(arguments[0], arguments[1])
    if isinstance(type_, IntType) and operator in BINARY:
        return combined(operator, arguments[0], arguments[1], type_.width)
    if operator in INTEGER_OPERATIONS and isinstance(type_, IntType) and isinstance(operand_type, IntType):
        return _on_integers(operator, arguments, type_, operand_type)
    if operator in ("uitofp", "sitofp") and isinstance(operand_type, IntType):
        arguments = _numbers(arguments, operand_type.width) or arguments
    return arithmetic(operator, arguments, type_, operand_type)


def fill(value: Value, choice: Value) -> Value:
    """Replace every undef part of a value by `choice`: one result of ``freeze``."""
    if isinstance(value, tuple):
        return tuple(fill(part, choice) for part in value)
    return choice if isinstance(value, Undef) else value


def read_modify_write(operator: str, old: Value, operand: Value, type_: Type) -> Value:
    """Compute what an ``atomicrmw`` writes (LangRef, *atomicrmw Instruction*).

    Examples
    --------
    >>> i8 = IntType(8)
    >>> read_modify_write("umax", -1, 1, i8), read_modify_write("uinc_wrap", 3, 3, i8)
    (-1, 0)
    """
    if operator == "xchg":
        return operand
    if isinstance(old, Undef) or isinstance(operand, Undef):
        return UNDEF
    if isinstance(type_, IntType) and operator in BINARY:
        if isinstance(old, int) and isinstance(operand, int):
            found = binary(operator, old, operand, type_.width)
            return located(found, type_.width) if isinstance(found, int) else found
        return combined(operator, old, operand, type_.width)
    if isinstance(type_, IntType) and (numbers := _numbers((old, operand), type_.width)) is not None:
        limited = _with_limits(operator, numbers[0], numbers[1], type_.width)
        if limited is not None:
            return located(limited, type_.width)
    return arithmetic(operator, (old, operand), type_, type_)


def _with_limits(operator: str, old: int, operand: int, width: int) -> int | None:
    mask = (1 << width) - 1
    left, right = old & mask, operand & mask
    match operator:
        case "nand":
            return signed(~(left & right), width)
        case "max":
            return max(old, operand)
        case "min":
            return min(old, operand)
        case "umax":
            return signed(max(left, right), width)
        case "umin":
            return signed(min(left, right), width)
        case "uinc_wrap":
            return signed(0 if left >= right else left + 1, width)
        case "udec_wrap":
            return signed(right if left == 0 or left > right else left - 1, width)
        case "usub_cond":
            return signed(left - right if left >= right else left, width)
        case "usub_sat":
            return signed(max(left - right, 0), width)
    return None


def _outside(value: Value, cases: tuple[Value, ...]) -> Value:
    """Tell whether a switch on `value` may take its default; it may if the value is uninterpreted."""
    if isinstance(value, Term):
        return value if any(isinstance(case, int) and may_equal(value, case) for case in cases) else 1
    return 0 if isinstance(value, Undef) else int(value not in cases)


def _beyond(value: Value, ends: tuple[Value, ...]) -> Value:
    """Tell whether an address is in no object: given are the last addresses of objects at which an access fits."""
    if isinstance(value, Term):
        return value
    fits = isinstance(value, Pointer) and any(
        isinstance(end, Pointer) and end.object == value.object and 0 <= value.offset <= end.offset for end in ends
    )
    return int(not fits and not isinstance(value, Undef))


# Integers ---------------------------------------------------------------------------------------------------


def _on_integers(operator: str, arguments: tuple[Value, ...], type_: IntType, operand_type: IntType) -> Value:
    numbers = _numbers(arguments, operand_type.width)
    if numbers is None:
        return Term(operator, arguments)
    found = integer_operation(operator, numbers, operand_type.width)
    return located(signed(found, type_.width), type_.width) if isinstance(found, int) else found


def _numbers(values: tuple[Value, ...], width: int) -> tuple[int, ...] | None:
    """Give integers as objects have addresses; None where one is not known."""
    found: list[int] = []
    for value in values:
        bits = value if isinstance(value, int) else bits_of(value, width)
        if bits is None:
            return None
        found.append(bits if isinstance(value, int) else signed(bits, width))
    return tuple(found)


def may_divide_by_zero(expression: Expression) -> bool:
    """Tell whether an expression is a division that may be undefined: not by a constant.

    Examples
    --------
    >>> from enumerator.program.instructions import Register
    >>> word = IntType(32)
    >>> one, other = Register("x"), Constant(7, word)
    >>> [may_divide_by_zero(Operation("urem", pair, word, word)) for pair in ((one, other), (other, one))]
    [False, True]
    """
    if type(expression) is not Operation or expression.operator not in _DIVISIONS:
        return False
    divisor = expression.arguments[1]
    return not (isinstance(divisor, Constant) and isinstance(divisor.value, int) and divisor.value != 0)


def _divisible(left: Value, right: Value, type_: Type) -> int:
    """Tell whether a division is defined: the divisor is neither undef nor zero in any element."""
    if isinstance(right, tuple):
        return min((_divisible(0, part, type_) for part in right), default=1)
    return 0 if isinstance(right, Undef) or right == 0 else 1


def _compare(predicate: str, left: Value, right: Value, type_: Type) -> Value:
    if isinstance(left, int) and isinstance(right, int):
        width = type_.width if isinstance(type_, IntType) else 64
        if predicate[0] == "s":
            mask = (1 << width) - 1
            left, right = wide(left & mask, width), wide(right & mask, width)
        elif predicate[0] == "u":
            mask = (1 << width) - 1
            left, right = left & mask, right & mask
        return int(_ORDER[predicate](left, right))
    left, right = _as_pointer(left), _as_pointer(right)
    if left == LATE != right or right == LATE != left:
        return int(_ORDER[predicate](left == LATE, right == LATE))
    if left == right:
        return int(predicate in ("eq", "uge", "ule", "sge", "sle"))
    if isinstance(left, Pointer) and isinstance(right, Pointer):
        if left.object == right.object:
            return int(_ORDER[predicate](left.offset, right.offset))
        if predicate in ("eq", "ne"):
            return int((predicate == "eq") == _is_at(left, right, _bits(type_)))
    told = any(is_concat(each) or (isinstance(each, Pointer) and not each.object) for each in (left, right))
    if told and (known := compared(predicate, left, right, _bits(type_))) is not None:
        return known
    return Term(f"icmp {predicate}", (left, right))


def _is_at(one: Pointer, other: Pointer, width: int) -> bool:
    """Tell whether an address is the number that another one is, which is in no object; see :func:`located`."""
    if width >= 64 or "" not in (one.object, other.object) or max(one.offset, other.offset) < FIRST_SHORT:
        return False
    return bits_of(one, width) == bits_of(other, width)


_ORDER: dict[str, Callable[[int, int], bool]] = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "ugt": lambda a, b: a > b,
    "uge": lambda a, b: a >= b,
    "ult": lambda a, b: a < b,
    "ule": lambda a, b: a <= b,
    "sgt": lambda a, b: a > b,
    "sge": lambda a, b: a >= b,
    "slt": lambda a, b: a < b,
    "sle": lambda a, b: a <= b,
}


# Pointers ---------------------------------------------------------------------------------------------------


def _as_pointer(value: Value) -> Value:
    return Pointer("", value) if isinstance(value, int) else value


def _offset(base: Value, offset: Value, width: int) -> Value:
    base = _as_pointer(base)
    if isinstance(base, Pointer) and isinstance(offset, int):
        new = base.offset + offset
        if base.object and abs(new) < _FAR:
            return Pointer(base.object, new)
        if not base.object:
            return pointer_at(new, width)
    first, distance = bits_of(base, width), bits_of(offset, width)
    if first is None or distance is None:
        return Term("ptradd", (base, offset))
    return pointer_at(signed(first + distance, width), width)


_FAR = 1 << 40
"""No object is as large."""
_CASTS = frozenset("trunc zext sext bitcast ptrtoint inttoptr addrspacecast".split())
_STRICT = frozenset("icmp rmw add sub mul and or xor ptradd select tuple extractvalue".split()) | _CASTS
"""Operations whose result is undef only if an operand is undef or has undef parts."""


def _cast(operator: str, value: Value, type_: Type, operand_type: Type) -> Value:
    match operator:
        case "trunc" | "zext" | "sext" if isinstance(value, int):
            assert isinstance(type_, IntType) and isinstance(operand_type, IntType)
            bits = value & ((1 << operand_type.width) - 1)
            if operator == "sext":
                bits = wide(bits, operand_type.width)
            return located(signed(bits, type_.width), type_.width)
        case "trunc" | "zext" | "sext" | "ptrtoint" | "inttoptr":
            before, after = _bits(operand_type), _bits(type_)
            found = resized(value, before, after, sign=operator == "sext")
            if isinstance(found, Term) and found.operator == "sext" and not is_distance(found):
                low = bits_of(value, before)
                found = found if low is None else located(signed(wide(low, before), after), after)
            return pointer_at(found, after) if isinstance(found, int) and operator == "inttoptr" else found
        case "addrspacecast":
            return value
        case "bitcast":
            if type_ == operand_type or (isinstance(type_, PointerType) and isinstance(operand_type, PointerType)):
                return value
            if isinstance(type_, IntType) and isinstance(operand_type, IntType):
                return value
            raise AssertionError("a bitcast of vectors or floating-point numbers goes through bytes")
    return Term(operator, (value,))


def _bits(type_: Type) -> int:
    return type_.width if isinstance(type_, IntType) else 8 * size_of(type_)


# Aggregates and vectors -------------------------------------------------------------------------------------


def _tuple(arguments: tuple[Value, ...], indices: tuple[int, ...]) -> Value:
    return arguments


_STRUCTURAL: dict[str, Callable[[tuple[Value, ...], tuple[int, ...]], Value]] = {
    "tuple": _tuple,
    "extractvalue": extract_value,
    "insertvalue": insert_value,
    "isundef": lambda arguments, _: int(has_undef(arguments[0])),
    "outside": lambda arguments, _: _outside(arguments[0], arguments[1:]),
    "beyond": lambda arguments, _: _beyond(arguments[0], arguments[1:]),
    "fill": lambda arguments, _: fill(arguments[0], arguments[1]),
}


def _elementwise(operator: str, arguments: tuple[Value, ...], type_: Type, operand_type: VectorType) -> Value:
    columns = [expand_undef(argument, operand_type) for argument in arguments]
    if not all(isinstance(column, tuple) for column in columns):
        return Term(operator, arguments)
    element = type_.element if isinstance(type_, VectorType) else type_
    rows = zip(*(column for column in columns if isinstance(column, tuple)), strict=True)
    return tuple(apply(operator, row, element, operand_type.element) for row in rows)
