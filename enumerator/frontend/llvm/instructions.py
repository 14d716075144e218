"""Instructions of LLVM IR to those of the program."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from enumerator.clock import check_time
from enumerator.dataflow.pairing import token_registers, uses_tokens
from enumerator.errors import InputError
from enumerator.frontend.llvm import intrinsics
from enumerator.frontend.llvm.constants import (
    VALUE_WORDS,
    ConstantParser,
    element_type,
    integer_value,
)
from enumerator.frontend.llvm.metadata import Metadata
from enumerator.frontend.llvm.tokens import Cursor, NotCovered, decode_name, decode_string, tokenize
from enumerator.program.instructions import (
    Abort,
    Alloca,
    Annotation,
    Assign,
    Block,
    Branch,
    Call,
    CompareExchange,
    Constant,
    Expression,
    Fence,
    Freeze,
    Function,
    Instruction,
    Jump,
    Load,
    Operation,
    Ordering,
    Phi,
    ReadModifyWrite,
    Register,
    Return,
    Scope,
    Store,
    Switch,
    Tag,
    Terminator,
    Unreachable,
    Unsupported,
)
from enumerator.program.types import IntType, PointerType, StructType, Type, VectorType, field_offset, size_of
from enumerator.program.values import Pointer, Value

__all__ = ["FunctionParser", "Signature", "sync_scope"]

_ORDERINGS = {ordering.name.lower(): ordering for ordering in Ordering if ordering is not Ordering.NA}

_SCOPES = {"": Scope.SYSTEM} | {scope.name.lower(): scope for scope in Scope}

_BINARY = frozenset("add sub mul udiv sdiv urem srem shl lshr ashr and or xor fadd fsub fmul fdiv frem".split())
_CASTS = frozenset(
    "trunc zext sext fptrunc fpext fptoui fptosi uitofp sitofp ptrtoint inttoptr bitcast addrspacecast".split()
)
_FLAGS = frozenset(
    "nuw nsw exact disjoint nneg samesign inbounds nusw fast nnan ninf nsz arcp contract afn reassoc".split()
)
_TERMINATORS = frozenset(
    "br switch ret unreachable invoke callbr resume indirectbr cleanupret catchret catchswitch".split()
)

_OFFSET = IntType(64)


@dataclass(frozen=True)
class Signature:
    """What callers have to know of a function with a body."""

    name: str
    parameters: tuple[Type, ...]
    result: Type | None
    variadic: bool


@dataclass
class FunctionParser:
    """Parses the instructions of one function.

    Parameters
    ----------
    constants : ConstantParser
    metadata : Metadata
    signatures : mapping of str to Signature
        The functions with a body, by name without the sigil.
    path : str
        For error messages.
    renamed : mapping of str to str
        Original numbers of unnamed values that LLVM's printing renumbered.

    Attributes
    ----------
    types : dict of str to Type
        Types of the registers parsed so far.
    called : set of str
        Functions with a body that are called.
    """

    constants: ConstantParser
    metadata: Metadata
    signatures: Mapping[str, Signature]
    path: str
    renamed: Mapping[str, str]
    types: dict[str, Type | None] = field(default_factory=dict)
    called: set[str] = field(default_factory=set)
    _line: int | None = None

    def function(
        self,
        name: str,
        parameters: tuple[str, ...],
        blocks: list[tuple[str, list[str]]],
        lines: list[int | None],
        line: int | None,
    ) -> Function:
        """Parse the body of a function from the printed text of its instructions, block by block."""
        parsed: list[Block] = []
        position = 0
        for label, texts in blocks:
            phis: list[Phi] = []
            body: list[Instruction] = []
            terminator: Terminator | None = None
            for text in texts:
                self._line = lines[position]
                position += 1
                part = self._instruction(text)
                match part:
                    case None:
                        continue
                    case Phi():
                        phis.append(part)
                    case Jump() | Branch() | Switch() | Return() | Unreachable():
                        terminator = part
                    case Unsupported() if text is texts[-1]:
                        terminator = part
                    case _:
                        body.append(part)
            if terminator is None:
                raise InputError(f"block {label} of @{name} does not end", self.path, self._line)
            parsed.append(Block(label, tuple(phis), tuple(body), terminator))
        function = Function(name, parameters, tuple(parsed), line)
        return replace(function, tokens=token_registers(function)) if uses_tokens(function) else function

    def _instruction(self, text: str) -> Instruction | Phi | Terminator | None:
        check_time()
        cursor = Cursor(tokenize(text))
        target = ""
        if cursor.ahead(1) == "=":
            target = self._register(cursor.next())
            cursor.next()
        try:
            part = self._parse(cursor, target)
        except (NotCovered, ValueError):  # ValueError: a number where LLVM has something else to offer
            part = Unsupported(" ".join(text.split()), self._line)
        except InputError as error:
            error.path, error.line = error.path or self.path, error.line or self._line
            raise
        if target:
            self.types.setdefault(target, None)
        return part

    def _parse(self, cursor: Cursor, target: str) -> Instruction | Phi | Terminator | None:
        opcode = cursor.next()
        if opcode in _BINARY:
            self._skip_flags(cursor)
            type_ = self.constants.type(cursor)
            left, right = self._pair(cursor, type_)
            return self._assign(target, Operation(opcode, (left, right), type_, type_))
        if opcode in _CASTS:
            self._skip_flags(cursor)
            value, source = self._typed(cursor)
            cursor.expect("to")
            type_ = self.constants.type(cursor)
            return self._assign(target, Operation(opcode, (value,), type_, source))
        match opcode:
            case "load":
                return self._load(cursor, target)
            case "store":
                return self._store(cursor)
            case "atomicrmw":
                return self._read_modify_write(cursor, target)
            case "cmpxchg":
                return self._compare_exchange(cursor, target)
            case "fence":
                scope = self._scope(cursor)
                return Fence(self._annotation(cursor, _ordering(cursor), scope), self._line)
            case "icmp" | "fcmp":
                self._skip_flags(cursor)
                predicate = cursor.next()
                self._skip_flags(cursor)
                type_ = self.constants.type(cursor)
                left, right = self._pair(cursor, type_)
                result: Type = IntType(1)
                if isinstance(type_, VectorType):
                    result = VectorType(type_.count, result)
                return self._assign(target, Operation(f"{opcode} {predicate}", (left, right), result, type_))
            case "select":
                self._skip_flags(cursor)
                condition, condition_type = self._typed(cursor)
                cursor.expect(",")
                then, type_ = self._typed(cursor)
                cursor.expect(",")
                otherwise, _ = self._typed(cursor)
                return self._assign(target, Operation("select", (condition, then, otherwise), type_, condition_type))
            case "fneg":
                self._skip_flags(cursor)
                value, type_ = self._typed(cursor)
                return self._assign(target, Operation("fneg", (value,), type_, type_))
            case "freeze":
                value, type_ = self._typed(cursor)
                self.types[target] = type_
                return Freeze(target, value, type_, self._line)
            case "getelementptr":
                return self._element_pointer(cursor, target)
            case "extractvalue":
                return self._extract_value(cursor, target)
            case "insertvalue":
                return self._insert_value(cursor, target)
            case "extractelement":
                vector, type_ = self._typed(cursor)
                cursor.expect(",")
                index, _ = self._typed(cursor)
                return self._assign(target, Operation("extractelement", (vector, index), element_type(type_, 0), type_))
            case "insertelement":
                vector, type_ = self._typed(cursor)
                cursor.expect(",")
                value, _ = self._typed(cursor)
                cursor.expect(",")
                index, _ = self._typed(cursor)
                return self._assign(target, Operation("insertelement", (vector, value, index), type_, type_))
            case "alloca":
                return self._alloca(cursor, target)
            case "phi":
                return self._phi(cursor, target)
            case "call" | "tail" | "musttail" | "notail":
                if opcode != "call":
                    cursor.expect("call")
                return self._call(cursor, target)
            case "br":
                return self._branch(cursor)
            case "switch":
                return self._switch(cursor)
            case "ret":
                if cursor.accept("void"):
                    return Return(None, self._line)
                return Return(self._typed(cursor)[0], self._line)
            case "unreachable":
                return Unreachable(self._line)
            case "invoke" | "callbr":
                while cursor.token and not (cursor.token[0] == "@" and cursor.ahead(1) == "("):
                    cursor.next()
                if self.constants.global_name(cursor.token) in self.signatures:
                    self.called.add(self.constants.global_name(cursor.token))
        raise NotCovered(opcode)

    # Memory

    def _load(self, cursor: Cursor, target: str) -> Load:
        cursor.accept("atomic")
        volatile = cursor.accept("volatile")
        type_ = self.constants.type(cursor)
        cursor.expect(",")
        address, pointer = self._typed(cursor)
        annotation = self._access(cursor, pointer, volatile)
        self.types[target] = type_
        return Load(target, address, type_, annotation, self._line)

    def _store(self, cursor: Cursor) -> Store:
        cursor.accept("atomic")
        volatile = cursor.accept("volatile")
        value, type_ = self._typed(cursor)
        cursor.expect(",")
        address, pointer = self._typed(cursor)
        return Store(address, value, type_, self._access(cursor, pointer, volatile), self._line)

    def _read_modify_write(self, cursor: Cursor, target: str) -> ReadModifyWrite:
        volatile = cursor.accept("volatile")
        operator = cursor.next()
        address, pointer = self._typed(cursor)
        cursor.expect(",")
        operand, type_ = self._typed(cursor)
        annotation = self._access(cursor, pointer, volatile)
        self.types[target] = type_
        return ReadModifyWrite(target, operator, address, operand, type_, annotation, self._line)

    def _compare_exchange(self, cursor: Cursor, target: str) -> CompareExchange:
        weak = cursor.accept("weak")
        volatile = cursor.accept("volatile")
        address, pointer = self._typed(cursor)
        cursor.expect(",")
        expected, type_ = self._typed(cursor)
        cursor.expect(",")
        desired, _ = self._typed(cursor)
        scope = self._scope(cursor)
        success, failure = _ordering(cursor), _ordering(cursor)
        annotation = self._annotation(cursor, success, scope, pointer, volatile)
        self.types[target] = StructType((type_, IntType(1)))
        return CompareExchange(target, address, expected, desired, type_, annotation, failure, weak, self._line)

    def _access(self, cursor: Cursor, pointer: Type, volatile: bool) -> Annotation:
        scope = self._scope(cursor)
        ordering = _ORDERINGS.get(cursor.token)
        if ordering is not None:
            cursor.next()
        return self._annotation(cursor, ordering or Ordering.NA, scope, pointer, volatile)

    def _scope(self, cursor: Cursor) -> tuple[Scope, bool]:
        if not cursor.accept("syncscope"):
            return Scope.SYSTEM, False
        cursor.expect("(")
        scope = sync_scope(decode_string(cursor.next()), self.path, self._line)
        cursor.expect(")")
        return scope

    def _annotation(
        self,
        cursor: Cursor,
        ordering: Ordering = Ordering.NA,
        scope: tuple[Scope, bool] = (Scope.SYSTEM, False),
        pointer: Type | None = None,
        volatile: bool = False,
        labels: frozenset[str] = frozenset(),
    ) -> Annotation:
        tags, private = self.attachments(cursor)
        return Annotation(
            ordering=ordering,
            scope=scope[0],
            one_as=scope[1],
            tags=tags,
            thread_private=private,
            volatile=volatile,
            address_space=pointer.address_space if isinstance(pointer, PointerType) else 0,
            labels=labels,
        )

    def attachments(self, cursor: Cursor) -> tuple[frozenset[Tag], bool]:
        """Read the metadata that stands at the end of the instruction."""
        tags: frozenset[Tag] = frozenset()
        private = False
        while cursor.token:
            token = cursor.next()
            if token == "!mmra":
                tags = self.metadata.tags(cursor.next(), self.path, self._line)
            elif token == "!thread.private":
                private = True
        return tags, private

    def _alloca(self, cursor: Cursor, target: str) -> Alloca:
        cursor.accept("inalloca")
        cursor.accept("swifterror")
        type_ = self.constants.type(cursor)
        count, space = 1, 0
        while cursor.accept(","):
            if cursor.accept("align"):
                cursor.next()
            elif cursor.token == "addrspace":
                space = self.constants.address_space(cursor)
            elif cursor.token.startswith("!"):
                break
            else:
                number, _ = self._typed(cursor)
                if not isinstance(number, Constant) or not isinstance(number.value, int) or number.value < 0:
                    raise NotCovered("a number of elements that is not constant")
                count = number.value
        self.types[target] = PointerType(space)
        return Alloca(target, type_, count, space, self._line)

    def _element_pointer(self, cursor: Cursor, target: str) -> Assign:
        self._skip_flags(cursor)
        source = self.constants.type(cursor)
        cursor.expect(",")
        base, pointer = self._typed(cursor)
        if not isinstance(pointer, PointerType):
            raise NotCovered("vectors of pointers")
        constant = 0
        terms: list[Expression] = []
        first = True
        while cursor.accept(","):
            if cursor.token.startswith("!"):
                break
            index, index_type = self._typed(cursor)
            if not isinstance(index_type, IntType):
                raise NotCovered("vectors of pointers")
            known = index.value if isinstance(index, Constant) and isinstance(index.value, int) else None
            if known is not None and index_type.width == 1:
                known = -known
            if first:
                part, first = source, False
            else:
                part = element_type(source, known or 0)
                if isinstance(source, StructType):
                    if known is None:
                        raise NotCovered("a field that is not constant")
                    constant += field_offset(source, known)
                    source = part
                    continue
                source = part
            if known is not None:
                constant += known * size_of(part)
            else:
                terms.append(_scaled(index, index_type, size_of(part)))
        if constant or not terms:
            terms.append(Constant(integer_value(constant, 64), _OFFSET))
        offset = terms[0]
        for term in terms[1:]:
            offset = Operation("add", (offset, term), _OFFSET, _OFFSET)
        if isinstance(base, Constant) and isinstance(base.value, Pointer) and isinstance(offset, Constant):
            assert isinstance(offset.value, int)
            moved = Pointer(base.value.object, base.value.offset + offset.value)
            return self._assign(target, Constant(moved, pointer), pointer)
        return self._assign(target, Operation("ptradd", (base, offset), pointer, pointer))

    # Aggregates

    def _extract_value(self, cursor: Cursor, target: str) -> Assign:
        whole, type_ = self._typed(cursor)
        indices = self._indices(cursor)
        part = type_
        for index in indices:
            part = element_type(part, index)
        return self._assign(target, Operation("extractvalue", (whole,), part, type_, indices))

    def _insert_value(self, cursor: Cursor, target: str) -> Assign:
        whole, type_ = self._typed(cursor)
        cursor.expect(",")
        value, _ = self._typed(cursor)
        return self._assign(target, Operation("insertvalue", (whole, value), type_, type_, self._indices(cursor)))

    def _indices(self, cursor: Cursor) -> tuple[int, ...]:
        indices: list[int] = []
        while cursor.token == "," and cursor.ahead(1).isdecimal():
            cursor.next()
            indices.append(int(cursor.next()))
        return tuple(indices)

    # Control flow

    def _phi(self, cursor: Cursor, target: str) -> Phi:
        self._skip_flags(cursor)
        type_ = self.constants.type(cursor)
        incoming: list[tuple[str, Expression]] = []
        while True:
            cursor.expect("[")
            value = self._operand(cursor, type_)
            cursor.expect(",")
            incoming.append((decode_name(cursor.next()), value))
            cursor.expect("]")
            if cursor.ahead(1) != "[" or not cursor.accept(","):
                break
        self.types[target] = type_
        return Phi(target, tuple(incoming), type_, self._line)

    def _branch(self, cursor: Cursor) -> Jump | Branch:
        if cursor.token == "label":
            return Jump(self._label(cursor), self._line)
        condition, _ = self._typed(cursor)
        cursor.expect(",")
        then = self._label(cursor)
        cursor.expect(",")
        return Branch(condition, then, self._label(cursor), self._line)

    def _switch(self, cursor: Cursor) -> Switch:
        value, _ = self._typed(cursor)
        cursor.expect(",")
        default = self._label(cursor)
        cursor.expect("[")
        cases: list[tuple[Value, str]] = []
        while not cursor.accept("]"):
            case = self.constants.typed_value(cursor)
            cursor.expect(",")
            cases.append((case, self._label(cursor)))
        return Switch(value, tuple(cases), default, self._line)

    def _label(self, cursor: Cursor) -> str:
        cursor.expect("label")
        return decode_name(cursor.next())

    def _call(self, cursor: Cursor, target: str) -> Instruction | None:
        result = self._call_type(cursor)
        if cursor.token == "(":
            cursor.skip_group()  # the function type of a variadic callee
        callee = cursor.next()
        if target:
            self.types[target] = result
        if not callee.startswith("@"):
            raise NotCovered("an indirect call, or inline assembly")
        name = decode_name(callee)
        if name.startswith("llvm."):
            return self._intrinsic(name, cursor, target, result)
        callee_name = self.constants.global_name(callee)
        signature = self.signatures.get(callee_name)
        if signature is None and name in intrinsics.ABORTS:
            return Abort(line=self._line)
        if signature is None and name == "exit":
            match self._arguments(cursor):
                case [(Constant(int(status)), _)] if status != 0:
                    return Abort(line=self._line)
            raise NotCovered("a call of @exit with another argument than a constant that is not 0")
        if signature is None:
            raise NotCovered(f"a call of {callee}, which has no body")
        self.called.add(callee_name)
        arguments = self._arguments(cursor)
        types = tuple(type_ for _, type_ in arguments)
        if signature.variadic or types != signature.parameters or result != signature.result:
            raise NotCovered(f"a call of {callee} with other parameters than it has")
        used = target if target and result is not None else None
        return Call(used, callee_name, tuple(value for value, _ in arguments), self._line)

    def _call_type(self, cursor: Cursor) -> Type | None:
        """Pass over flags, calling convention and attributes to the type of the result."""
        while True:
            token = cursor.token
            if cursor.accept("void"):
                return None
            if token == "addrspace":
                self.constants.address_space(cursor)
            elif token in ("align", "cc"):
                cursor.next()
                cursor.next()
            elif token.startswith('"') or (token.isidentifier() and not _begins_type(token)):
                cursor.next()
                if cursor.accept("="):
                    cursor.next()
                elif cursor.token == "(":
                    cursor.skip_group()
            else:
                return self.constants.type(cursor)

    def _arguments(self, cursor: Cursor) -> list[tuple[Expression, Type]]:
        cursor.expect("(")
        arguments: list[tuple[Expression, Type]] = []
        while not cursor.accept(")"):
            arguments.append(self._attributed(cursor))
            cursor.accept(",")
        return arguments

    def _intrinsic(self, name: str, cursor: Cursor, target: str, result: Type | None) -> Instruction | None:
        if intrinsics.is_ignored(name):
            return None
        if intrinsics.is_identity(name):
            value, type_ = self._arguments(cursor)[0]
            return self._assign(target, value, type_)
        if name == intrinsics.TRAP:
            return Abort(intrinsic=True, line=self._line)
        if name in intrinsics.IDENTITIES:
            self._arguments(cursor)
            return Assign(target, Register(intrinsics.IDENTITIES[name]), self._line)
        if name in intrinsics.BARRIERS:
            arguments = self._arguments(cursor)
            annotation = self._annotation(cursor)
            barrier = intrinsics.barrier(name, [value for value, _ in arguments], annotation, self._line)
            if barrier is None:
                raise NotCovered(name)
            return barrier
        if name in intrinsics.AV_LOADS or name in intrinsics.AV_STORES:
            cursor.expect("(")
            address, pointer = self._attributed(cursor)
            cursor.expect(",")
            stored: tuple[Expression, Type] | None = None
            if name in intrinsics.AV_STORES:
                stored = self._attributed(cursor)
                cursor.expect(",")
            cursor.expect("metadata")
            scope_name = self.metadata.string(cursor.next())
            if scope_name is None:
                raise InputError(f"the scope operand of {name} must be a metadata string", self.path, self._line)
            scope = sync_scope(scope_name, self.path, self._line)
            annotation = self._annotation(cursor, scope=scope, pointer=pointer, labels=frozenset(("AV",)))
            if stored is not None:
                return Store(address, stored[0], stored[1], annotation, self._line)
            if result is None:
                raise NotCovered(name)
            return Load(target, address, result, annotation, self._line)
        if name in intrinsics.TOKENS or name.startswith(intrinsics.GATED_PREFETCH):
            return intrinsics.token_operation(name, self._arguments(cursor), target, self._line)
        if name == "llvm.prefetch" or name.startswith("llvm.prefetch."):
            return intrinsics.prefetch(name, self._arguments(cursor), self._line)
        raise NotCovered(name)

    # Operands

    def _attributed(self, cursor: Cursor) -> tuple[Expression, Type]:
        type_ = self.constants.type(cursor)
        skip_attributes(cursor)
        return self._operand(cursor, type_), type_

    def _typed(self, cursor: Cursor) -> tuple[Expression, Type]:
        type_ = self.constants.type(cursor)
        return self._operand(cursor, type_), type_

    def _operand(self, cursor: Cursor, type_: Type) -> Expression:
        if cursor.token.startswith("%"):
            return Register(self._register(cursor.next()))
        return Constant(self.constants.value(cursor, type_), type_)

    def _pair(self, cursor: Cursor, type_: Type) -> tuple[Expression, Expression]:
        left = self._operand(cursor, type_)
        cursor.expect(",")
        return left, self._operand(cursor, type_)

    def _register(self, token: str) -> str:
        name = decode_name(token)
        return self.renamed.get(name, name) if self.renamed else name

    def _assign(self, target: str, expression: Expression, type_: Type | None = None) -> Assign:
        self.types[target] = expression.type if isinstance(expression, (Operation, Constant)) else type_
        return Assign(target, expression, self._line)

    def _skip_flags(self, cursor: Cursor) -> None:
        while cursor.token in _FLAGS:
            cursor.next()


def sync_scope(name: str, path: str, line: int | None) -> tuple[Scope, bool]:
    """Read the name of a sync scope: the scope, and whether it is a ``-one-as`` form.

    Raises
    ------
    InputError
        For a scope that is not of the AMDGPU memory model.

    Examples
    --------
    >>> sync_scope("workgroup-one-as", "x.ll", 1), sync_scope("one-as", "x.ll", 1)
    ((<Scope.WORKGROUP: 2>, True), (<Scope.SYSTEM: 5>, True))
    """
    plain = "" if name == "one-as" else name.removesuffix("-one-as")
    if plain not in _SCOPES or name == "-one-as":
        known = ", ".join(f'"{scope}"' for scope in _SCOPES if scope)
        raise InputError(f'unknown sync scope "{name}" (known are {known}, each with -one-as)', path, line)
    return _SCOPES[plain], name != plain


def skip_attributes(cursor: Cursor) -> None:
    """Pass over the attributes of a parameter or argument."""
    while token := cursor.token:
        if token in VALUE_WORDS or token[0] in "%@<[{-,)" or token[0].isdigit() or token.startswith('c"'):
            return
        if token in ("byval", "inalloca", "preallocated"):
            raise NotCovered(f"a {token} parameter")
        cursor.next()
        if token == "align" and cursor.token != "(":
            cursor.next()
        elif cursor.token == "(":
            cursor.skip_group()
        elif token.startswith('"') and cursor.accept("="):
            cursor.next()


def _ordering(cursor: Cursor) -> Ordering:
    token = cursor.next()
    if token not in _ORDERINGS:
        raise NotCovered(f"ordering {token}")
    return _ORDERINGS[token]


def _begins_type(word: str) -> bool:
    return (word[0] == "i" and word[1:].isdigit()) or word in _TYPE_WORDS


_TYPE_WORDS = frozenset(
    "void ptr half bfloat float double fp128 x86_fp80 ppc_fp128 x86_amx x86_mmx label metadata token target".split()
)


def _scaled(index: Expression, type_: IntType, size: int) -> Expression:
    """Give an index, sign-extended to the width of offsets, times the size of what it counts."""
    if type_.width != _OFFSET.width:
        operator = "sext" if type_.width < _OFFSET.width else "trunc"
        index = Operation(operator, (index,), _OFFSET, type_)
    if size == 1:
        return index
    return Operation("mul", (index, Constant(integer_value(size, 64), _OFFSET)), _OFFSET, _OFFSET)
