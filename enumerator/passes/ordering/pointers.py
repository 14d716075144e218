"""Alias analysis: plain, and sound.

What is told apart: different globals and allocas; an alloca and a parameter; a ``noalias`` parameter and all other
objects; parts of one object at distinct constant offsets. Everything else may alias. The rules are those of LangRef
(*Pointer Aliasing Rules*, *Parameter Attributes*) as far as they go.
"""

from __future__ import annotations

from enumerator.errors import InputError
from enumerator.frontend.llvm.constants import ConstantParser, element_type
from enumerator.frontend.llvm.intrinsics import is_identity
from enumerator.frontend.llvm.reader import skip_attributes
from enumerator.frontend.llvm.tokens import Cursor, NotCovered, decode_name, tokenize
from enumerator.frozen import dataclass
from enumerator.passes.ordering.flow import ControlFlow
from enumerator.passes.ordering.printed import Function, Line, Module
from enumerator.program.types import IntType, PointerType, StructType, Type, field_offset, size_of, store_size
from enumerator.program.values import Pointer

__all__ = ["Access", "Base", "Pointers", "constant_parser"]

_FLAGS = frozenset("inbounds nusw nuw nsw".split())
_INTERPOSABLE = ("weak", "linkonce", "extern_weak")


@dataclass(frozen=True)
class Base:
    """What a pointer is derived from.

    Parameters
    ----------
    kind : {'global', 'constant', 'alloca', 'parameter', 'noalias', 'value'}
        A value is a register of which nothing is known but that it stays the same while the function runs.
    name : str
    """

    kind: str
    name: str

    def may_alias(self, other: Base) -> bool:
        """Tell whether two pointers with these bases may point into one object."""
        if self == other:
            return True
        if self.is_object and other.is_object:
            return False
        kinds = {self.kind, other.kind}
        if "value" in kinds:
            return True
        # two parameters, or a parameter and an object that the caller may know
        return not ("noalias" in kinds or "alloca" in kinds)

    @property
    def is_object(self) -> bool:
        return self.kind in ("global", "constant", "alloca")


@dataclass(frozen=True)
class Access:
    """What an operation touches.

    Parameters
    ----------
    bases : frozenset of Base or None
        What its address may be derived from; None for anything at all.
    offset, size : int or None
        In bytes from its only base; None where they are not known.
    """

    bases: frozenset[Base] | None
    offset: int | None = None
    size: int | None = None

    @property
    def constant(self) -> bool:
        """Whether it only touches constant memory."""
        return bool(self.bases) and all(base.kind == "constant" for base in self.bases or ())

    def moved(self, distance: int | None) -> Access:
        """Give the access at an address this far away."""
        known = None if self.offset is None or distance is None else self.offset + distance
        return Access(self.bases, known, self.size)

    def may_alias(self, other: Access) -> bool:
        """Tell whether two accesses may touch the same location.

        Examples
        --------
        >>> x, y = frozenset((Base("global", "x"),)), frozenset((Base("global", "y"),))
        >>> Access(x, 0, 4).may_alias(Access(y, 0, 4)), Access(x, 0, 4).may_alias(Access(x, 2, 4))
        (False, True)
        >>> Access(x, 0, 4).may_alias(Access(x, 4, 4)), Access(x, 0, 4).may_alias(Access(None))
        (False, True)
        """
        if self.bases is None or other.bases is None:
            return True
        if self.bases == other.bases and len(self.bases) == 1:
            if None in (self.offset, other.offset):
                return True
            first, second = sorted((self, other), key=lambda access: access.offset or 0)
            assert first.offset is not None and second.offset is not None
            return first.size is None or first.offset + first.size > second.offset
        return any(mine.may_alias(theirs) for mine in self.bases for theirs in other.bases)


_ANYTHING = Access(None)


#: Where a pointer comes from, a register or what is known of it, and the bytes that are added to it (None: unknown).
_Source = tuple[str | Access, int | None]


class Pointers:
    """What the pointers of a function are derived from.

    Parameters
    ----------
    module : Module
    function : Function
    flow : ControlFlow
    """

    def __init__(self, module: Module, function: Function, flow: ControlFlow) -> None:
        self._function = function
        self._flow = flow
        self._known: dict[str, Access] = {}
        self._sources: dict[str, list[_Source]] = {}
        self._block_of = {line.number: number for number, block in enumerate(function.blocks) for line in block.lines}
        self._parameters = {parameter.name: parameter for parameter in function.parameters}
        globals_ = [tokenize(line) for line in module.outside if line[:1] == "@"]
        self._constants = constant_parser(module)
        self._constant_globals = {"@" + decode_name(tokens[0]) for tokens in globals_ if _is_constant(tokens)}
        # Offsets of fields follow from the layout of types, which a module may change.
        self._plain_layout = not any(line.startswith("target datalayout") for line in module.outside)

    def access(self, line: Line) -> Access:
        """Give what a load, store, ``atomicrmw`` or ``cmpxchg`` touches."""
        cursor = line.operands()
        try:
            while cursor.token in ("atomic", "volatile", "weak"):
                cursor.next()
            match line.opcode:
                case "load":
                    type_ = self._constants.type(cursor)
                    cursor.expect(",")
                    address = self._address(cursor)
                case "store":
                    type_ = self._constants.type(cursor)
                    _skip_to_comma(cursor)
                    address = self._address(cursor)
                case _:
                    if line.opcode == "atomicrmw":
                        cursor.next()  # its operation
                    address = self._address(cursor)
                    cursor.expect(",")
                    type_ = self._constants.type(cursor)
            return Access(address.bases, address.offset, store_size(type_))
        except (NotCovered, ValueError, InputError):
            return _ANYTHING

    def prefetched(self, line: Line) -> Access:
        """Give what a prefetch touches: for alias queries it is unbounded within its object (section 6, rule 3)."""
        try:
            return Access(self._address(Cursor(line.arguments()[0])).bases)
        except (NotCovered, ValueError, InputError):
            return _ANYTHING

    def _address(self, cursor: Cursor) -> Access:
        """Read a pointer with its type, and give what it is derived from."""
        origin, offset = self._source(cursor, 0)
        if isinstance(origin, Access):
            return origin.moved(offset)
        return self._register(origin)

    def _source(self, cursor: Cursor, added: int | None) -> _Source:
        type_ = self._constants.type(cursor)
        if not isinstance(type_, PointerType):
            return _ANYTHING, None
        skip_attributes(cursor)
        return self._operand(cursor, type_, added)

    def _operand(self, cursor: Cursor, type_: Type, added: int | None) -> _Source:
        if cursor.token.startswith("%"):
            return cursor.next(), added
        value = self._constants.value(cursor, type_)
        if isinstance(value, Pointer) and value.object.startswith("@"):
            kind = "constant" if value.object in self._constant_globals else "global"
            return Access(frozenset((Base(kind, value.object),)), value.offset), added
        return _ANYTHING, None

    def _register(self, name: str) -> Access:
        """Find what a register is derived from, through casts, address computations, phis and selects."""
        if name in self._known:
            return self._known[name]
        waiting, way = [name], {name}
        while waiting:
            register = waiting.pop()
            if register not in self._sources:
                self._sources[register] = self._step(register)
            for origin, _ in self._sources[register]:
                if isinstance(origin, str) and origin not in way:
                    way.add(origin)
                    waiting.append(origin)
        bases: frozenset[Base] | None = frozenset()
        for register in way:
            for origin, _ in self._sources[register]:
                if isinstance(origin, Access):
                    bases = None if bases is None or origin.bases is None else bases | origin.bases
        self._known[name] = Access(bases, self._offset(name))
        return self._known[name]

    def _offset(self, name: str) -> int | None:
        """Give the offset of a register from its base, if a chain without joins leads there."""
        offset, seen = 0, {name}
        while len(self._sources[name]) == 1:
            origin, added = self._sources[name][0]
            if added is None:
                return None
            offset += added
            if isinstance(origin, Access):
                return None if origin.offset is None else origin.offset + offset
            if origin in seen:
                return None
            seen.add(origin)
            name = origin
        return None

    def _step(self, register: str) -> list[_Source]:
        """Give what a register is derived from directly."""
        if register in self._parameters:
            kind = "noalias" if "noalias" in self._parameters[register].words else "parameter"
            return [_whole(kind, register)]
        line = self._function.definitions.get(register)
        if line is None:
            return [(_ANYTHING, None)]
        cursor = line.operands()
        try:
            match line.opcode:
                case "alloca":
                    return [_whole("alloca", register)]
                case "getelementptr":
                    return [self._element_pointer(cursor)]
                case "bitcast" | "addrspacecast":
                    return [self._source(cursor, 0)]
                case "call" if is_identity(line.callee):
                    return [self._source(Cursor(line.arguments()[0]), 0)]
                case "phi":
                    return self._phi(cursor)
                case "select":
                    while cursor.token and cursor.token != ",":
                        cursor.next()
                    cursor.expect(",")
                    first = self._source(cursor, 0)
                    cursor.expect(",")
                    return [first, self._source(cursor, 0)]
        except (NotCovered, ValueError, InputError):
            return [(_ANYTHING, None)]
        if self._flow.in_cycle(self._block_of[line.number]):
            return [(_ANYTHING, None)]  # another value each time
        return [_whole("value", register)]

    def _phi(self, cursor: Cursor) -> list[_Source]:
        type_ = self._constants.type(cursor)
        found: list[_Source] = []
        while isinstance(type_, PointerType) and cursor.accept("["):
            found.append(self._operand(cursor, type_, None))
            cursor.expect(",")
            cursor.next()
            cursor.expect("]")
            if cursor.ahead(1) == "[":
                cursor.expect(",")
        return found or [(_ANYTHING, None)]

    def _element_pointer(self, cursor: Cursor) -> _Source:
        while cursor.token in _FLAGS:
            cursor.next()
        part = self._constants.type(cursor)
        cursor.expect(",")
        base, _ = self._source(cursor, None)
        offset: int | None = 0
        first = True
        while offset is not None and cursor.token == "," and not cursor.ahead(1).startswith("!"):
            cursor.next()
            type_ = self._constants.type(cursor)
            if not isinstance(type_, IntType) or cursor.token.startswith("%"):
                offset = None
                break
            index = self._constants.value(cursor, type_)
            if not isinstance(index, int):
                offset = None
                break
            index = -index if type_.width == 1 else index
            if first:
                first = False
                moved = self._stride(part, index)
            elif isinstance(part, StructType):
                moved = field_offset(part, index) if self._plain_layout else None
                part = element_type(part, index)
            else:
                part = element_type(part, index)
                moved = self._stride(part, index)
            offset = None if moved is None else offset + moved
        return base, offset

    def _stride(self, part: Type, index: int) -> int | None:
        """Give the bytes that `index` elements take."""
        plain = self._plain_layout or (isinstance(part, IntType) and part.width in (8, 16, 32, 64)) or index == 0
        return index * size_of(part) if plain else None


def _whole(kind: str, name: str) -> _Source:
    return Access(frozenset((Base(kind, name),)), 0), 0


def _skip_to_comma(cursor: Cursor) -> None:
    """Pass over a value, which need not be one that the checker covers, and the comma behind it."""
    depth = 0
    while cursor.token and (depth or cursor.token != ","):
        token = cursor.next()
        depth += (token in ("(", "[", "{", "<")) - (token in (")", "]", "}", ">"))
    cursor.expect(",")


def _is_constant(tokens: list[str]) -> bool:
    """Tell whether a global is constant memory. Of a thread-local one, the checker knows nothing."""
    kind = next((token for token in tokens if token in ("global", "constant", "alias", "ifunc")), "")
    return kind == "constant" and "thread_local" not in tokens


def constant_parser(module: Module) -> ConstantParser:
    """Give a parser of the module's types and constants; what the linker may still choose is not covered."""
    globals_ = [tokenize(line) for line in module.outside if line[:1] == "@"]
    types = [tokenize(line) for line in module.outside if line[:1] == "%"]
    aliases: dict[str, list[str]] = {}
    unknown: dict[str, str] = {}
    for tokens in globals_:
        if "ifunc" in tokens:
            unknown[tokens[0]] = "the linker decides what it is"
        elif "alias" in tokens:
            words = tokens[: tokens.index("alias")]
            if any(word.startswith(_INTERPOSABLE) for word in words):
                unknown[tokens[0]] = "the linker may choose another object"
            else:
                aliases[tokens[0]] = tokens[tokens.index("alias") + 1 :]
    return ConstantParser({tokens[0]: tokens[3:] for tokens in types}, aliases, decode_name, unknown)
