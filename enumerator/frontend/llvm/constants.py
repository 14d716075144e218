"""Types and constants of LLVM IR."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache

from enumerator.errors import InputError
from enumerator.frontend.llvm.tokens import Cursor, NotCovered, decode_bytes, decode_name
from enumerator.program.addresses import combined
from enumerator.program.bytes import decode, encode
from enumerator.program.concat import resized
from enumerator.program.floats import bits_of, number_of
from enumerator.program.memory import zero_value
from enumerator.program.types import (
    ArrayType,
    FloatType,
    IntType,
    PointerType,
    StructType,
    Type,
    VectorType,
    field_offset,
    size_of,
)
from enumerator.program.values import NULL, UNDEF, Pointer, Term, Undef, Value, signed

__all__ = ["VALUE_WORDS", "ConstantParser", "element_type", "fold_offset"]

_FLOATS = {"half": 2, "bfloat": 2, "float": 4, "double": 8, "fp128": 16, "x86_fp80": 16, "ppc_fp128": 16}

_RESIZED = frozenset("trunc zext sext ptrtoint ptrtoaddr inttoptr".split())
_CASTS = _RESIZED | {"bitcast", "addrspacecast"}
_ARITHMETIC = frozenset("add sub xor mul and or shl lshr ashr".split())
_FLAGS = frozenset("inbounds nusw nuw nsw exact disjoint".split())
_NOT_COVERED = frozenset("blockaddress dso_local_equivalent no_cfi ptrauth asm none".split())

#: Words with which a value may begin (all others before a value are attributes).
VALUE_WORDS = (
    frozenset("true false null undef poison zeroinitializer splat getelementptr".split())
    | _CASTS
    | _ARITHMETIC
    | _NOT_COVERED
)

# A named type may stand for exponentially many parts, and a vector for billions of elements.
_LARGEST_TYPE = 1 << 14
_MOST_ELEMENTS = 1 << 16
_LONGEST_NUMBER = 4000

_FLOAT_NUMBER = re.compile(r"-?\d")


@lru_cache(maxsize=256)
def _integer_type(width: int) -> IntType:
    return IntType(width)


# As large as LLVM lays them out; programs do not look into them.
_TARGET_TYPES: dict[str, Type] = {
    '"amdgcn.named.barrier"': VectorType(4, IntType(32)),
    '"amdgcn.scope"': IntType(32),
}


class ConstantParser:
    """Parses types and values, given what the module says of named types, globals and aliases.

    Parameters
    ----------
    named_types : dict of str to list of str
        The tokens of each named type's body.
    aliases : dict of str to list of str
        The tokens of each alias from its type on, by printed name.
    global_name : callable
        Gives the original name of a global from the one that LLVM printed.
    uncovered : mapping of str to str
        By printed name why globals cannot be used: ``thread_local`` ones, and types that are not covered.
    big_endian : bool
        The order of the bytes of numbers in memory.

    Attributes
    ----------
    addresses : set of str
        The globals whose addresses the constants parsed so far name.
    """

    def __init__(
        self,
        named_types: dict[str, list[str]],
        aliases: dict[str, list[str]] | None = None,
        global_name: Callable[[str], str] = decode_name,
        uncovered: Mapping[str, str] | None = None,
        *,
        big_endian: bool = False,
    ) -> None:
        self.big_endian = big_endian
        self._bodies = named_types
        self._named: dict[str, tuple[Type, int]] = {}
        self._aliases = aliases or {}
        self.global_name = global_name
        self.uncovered = {} if uncovered is None else uncovered
        self.addresses: set[str] = set()
        self._parts = 0  # how many parts the types parsed so far have, with repetitions

    # Types

    def type(self, cursor: Cursor) -> Type:
        """Parse a type that values can have.

        Raises
        ------
        NotCovered
            For scalable vectors, target types, labels, tokens, metadata.
        """
        self._parts += 1
        token = cursor.next()
        if token[0:1] == "i" and token[1:].isdigit():
            return _integer_type(int(token[1:]))
        if token == "ptr":
            if cursor.token == "addrspace":
                return PointerType(self.address_space(cursor))
            return PointerType()
        if token in _FLOATS:
            return FloatType(token, _FLOATS[token])
        if token == "[":
            count, element = self._sequence(cursor, "]")
            return ArrayType(count, element)
        if token == "{":
            return StructType(self._fields(cursor))
        if token == "<" and cursor.token == "{":
            cursor.next()
            fields = self._fields(cursor)
            cursor.expect(">")
            return StructType(fields, packed=True)
        if token == "<":
            count, element = self._sequence(cursor, ">")
            if count > _MOST_ELEMENTS:
                raise NotCovered("a vector this long")
            return VectorType(count, element)
        if token.startswith("%"):
            return self._named_type(token)
        if token == "target" and cursor.token == "(" and cursor.ahead(1) in _TARGET_TYPES:
            known = _TARGET_TYPES[cursor.ahead(1)]
            cursor.skip_group()
            return known
        raise NotCovered(f"type {token}")

    def address_space(self, cursor: Cursor) -> int:
        """Parse ``addrspace(n)``."""
        cursor.expect("addrspace")
        cursor.expect("(")
        space = int(cursor.next())
        cursor.expect(")")
        return space

    def _sequence(self, cursor: Cursor, end: str) -> tuple[int, Type]:
        if cursor.token == "vscale":
            raise NotCovered("scalable vectors")
        count = int(cursor.next())
        cursor.expect("x")
        element = self.type(cursor)
        cursor.expect(end)
        return count, element

    def _fields(self, cursor: Cursor) -> tuple[Type, ...]:
        fields: list[Type] = []
        while not cursor.accept("}"):
            fields.append(self.type(cursor))
            cursor.accept(",")
        return tuple(fields)

    def _named_type(self, token: str) -> Type:
        if token not in self._named:
            body = self._bodies.get(token, ["opaque"])
            before = self._parts
            type_ = StructType(()) if body == ["opaque"] else self.type(Cursor(body))
            self._named[token] = (type_, self._parts - before)
            return type_
        type_, parts = self._named[token]
        self._parts += parts
        if parts > _LARGEST_TYPE:
            raise InputError(f"type {token} has more than {_LARGEST_TYPE} parts")
        return type_

    # Values

    def value(self, cursor: Cursor, type_: Type) -> Value:
        """Parse a constant of a type, with constant expressions computed.

        Raises
        ------
        NotCovered
            For constants that the checker has no value for.
        """
        token = cursor.next()
        if token == "<" and cursor.token == "{":
            cursor.next()
            parts = self._list(cursor, "}")
            cursor.expect(">")
            return parts
        if token in ("<", "[", "{"):
            return self._list(cursor, {"<": ">", "[": "]", "{": "}"}[token])
        if token.startswith("@"):
            return self._address(token)
        if token.startswith('c"'):
            return tuple(signed(byte, 8) for byte in decode_bytes(token[1:]))
        if isinstance(type_, FloatType) and _FLOAT_NUMBER.match(token):
            bits = bits_of(Term(token), type_)
            return Term(token) if bits is None else number_of(bits, type_)
        match token:
            case "true" | "false":
                return int(token == "true")
            case "null":
                return NULL
            case "undef" | "poison":
                return UNDEF
            case "zeroinitializer":
                try:
                    return zero_value(type_)
                except InputError as error:
                    raise NotCovered(error.message) from None
            case "splat" if isinstance(type_, VectorType):
                cursor.expect("(")
                element = self.typed_value(cursor)
                cursor.expect(")")
                return (element,) * type_.count
        if token in _CASTS:
            return self._cast(token, cursor)
        if token in _ARITHMETIC:
            return self._arithmetic(token, cursor)
        if token == "getelementptr":
            return self._element_pointer(cursor)
        digits = token.removeprefix("-")
        if isinstance(type_, IntType) and digits.isdecimal():
            if len(digits) > _LONGEST_NUMBER:
                raise NotCovered("an integer this long")
            return signed(int(token), type_.width)
        raise NotCovered(f"constant {token}")

    def typed_value(self, cursor: Cursor) -> Value:
        """Parse a type and a constant of it."""
        return self.value(cursor, self.type(cursor))

    def _list(self, cursor: Cursor, end: str) -> tuple[Value, ...]:
        parts: list[Value] = []
        while not cursor.accept(end):
            parts.append(self.typed_value(cursor))
            cursor.accept(",")
        return tuple(parts)

    def function_name(self, token: str) -> str:
        """Give the name of a function that is called, maybe by another one that it has."""
        aliasee = self._aliases.get(token, [])
        if aliasee and aliasee[-1].startswith("@"):
            return self.function_name(aliasee[-1])
        return self.global_name(token)

    def _address(self, token: str) -> Value:
        if token in self._aliases:
            tokens = self._aliases[token]
            if tokens and tokens[-1].startswith("@"):  # as it is, and of a function: its type is that of no value
                return self._address(tokens[-1])
            aliasee = Cursor(tokens)
            self.type(aliasee)
            aliasee.expect(",")
            if aliasee.token in VALUE_WORDS:  # a constant expression stands there without its type
                return self.value(aliasee, PointerType())
            return self.typed_value(aliasee)
        if token in self.uncovered:
            raise NotCovered(f"global {token}")
        name = "@" + self.global_name(token)
        self.addresses.add(name)
        return Pointer(name)

    def _cast(self, operator: str, cursor: Cursor) -> Value:
        cursor.expect("(")
        source = self.type(cursor)
        value = self.value(cursor, source)
        cursor.expect("to")
        to = self.type(cursor)
        cursor.expect(")")
        if operator == "bitcast" and any(isinstance(each, VectorType | FloatType) for each in (source, to)):
            return decode(encode(value, source, big=self.big_endian), to, big=self.big_endian)
        if isinstance(value, Undef):
            return UNDEF
        if operator not in _RESIZED:
            return value if isinstance(value, Pointer) else Term(operator, (value,))
        before, after = (each.width if isinstance(each, IntType) else 8 * size_of(each) for each in (source, to))
        found = resized(value, before, after, sign=operator == "sext")
        if isinstance(found, int):
            return signed(found, after) if isinstance(to, IntType) else Pointer("", found)
        return found

    def _arithmetic(self, operator: str, cursor: Cursor) -> Value:
        while cursor.token in _FLAGS:
            cursor.next()
        cursor.expect("(")
        type_ = self.type(cursor)
        left = self.value(cursor, type_)
        cursor.expect(",")
        right = self.typed_value(cursor)
        cursor.expect(")")
        match operator, left, right:
            case "add", int(), int():
                return _wrap(left + right, type_)
            case "sub", int(), int():
                return _wrap(left - right, type_)
            case "mul", int(), int():
                return _wrap(left * right, type_)
            case "xor", int(), int():
                return _wrap(left ^ right, type_)
            case "sub", Pointer(name, offset), Pointer(other, start) if name == other:
                return _wrap(offset - start, type_)
        if isinstance(left, Undef) or isinstance(right, Undef):
            return UNDEF
        assert isinstance(type_, IntType)
        return combined(operator, left, right, type_.width)

    def _element_pointer(self, cursor: Cursor) -> Value:
        while cursor.token in _FLAGS:
            cursor.next()
        if cursor.accept("inrange"):
            cursor.skip_group()
        cursor.expect("(")
        source = self.type(cursor)
        cursor.expect(",")
        base_type = self.type(cursor)
        base = self.value(cursor, base_type)
        if not isinstance(base_type, PointerType):
            raise NotCovered("vectors of pointers")
        indices: list[Value] = []
        while cursor.accept(","):
            cursor.accept("inrange")
            type_ = self.type(cursor)
            index = self.value(cursor, type_)
            indices.append(-index if isinstance(index, int) and type_ == IntType(1) else index)
        cursor.expect(")")
        if isinstance(base, Undef) or any(isinstance(index, Undef) for index in indices):
            return UNDEF
        if not isinstance(base, Pointer) or not all(isinstance(index, int) for index in indices):
            return Term("getelementptr", (base, *indices))
        offset = fold_offset(source, [index for index in indices if isinstance(index, int)])
        return Pointer(base.object, base.offset + offset)


def _wrap(value: int, type_: Type) -> int:
    return signed(value, type_.width) if isinstance(type_, IntType) else value


def element_type(type_: Type, index: int) -> Type:
    """Give the type of a part of an aggregate or vector.

    Raises
    ------
    NotCovered
        If the type has no such part.
    """
    match type_:
        case ArrayType(_, element) | VectorType(_, element):
            return element
        case StructType(fields) if 0 <= index < len(fields):
            return fields[index]
        case _:
            raise NotCovered("an index into a type without parts")


def fold_offset(source: Type, indices: list[int]) -> int:
    """Give the byte offset of a getelementptr whose indices are all constant.

    Examples
    --------
    >>> fold_offset(StructType((IntType(32), ArrayType(2, IntType(64)))), [1, 1, 1])
    40
    """
    if not indices:
        return 0
    offset = indices[0] * size_of(source)
    for index in indices[1:]:
        part = element_type(source, index)
        offset += field_offset(source, index) if isinstance(source, StructType) else index * size_of(part)
        source = part
    return offset
