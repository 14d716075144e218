"""Reading the parts of an instruction: its operands, ordering, scope and metadata."""

from __future__ import annotations

import re
from collections.abc import Mapping, Set
from dataclasses import field
from typing import TYPE_CHECKING

from enumerator.errors import InputError
from enumerator.frontend.llvm.constants import VALUE_WORDS, ConstantParser
from enumerator.frontend.llvm.metadata import Metadata
from enumerator.frontend.llvm.tokens import Cursor, NotCovered, decode_name, decode_string, tokenize
from enumerator.frozen import dataclass
from enumerator.program.instructions import (
    Annotation,
    Assign,
    Constant,
    Expression,
    Function,
    Ordering,
    Register,
    Scope,
    Tag,
    Unsupported,
)
from enumerator.program.types import PointerType, Type

if TYPE_CHECKING:
    from enumerator.frontend.llvm.buffers import Buffer
    from enumerator.frontend.llvm.exceptions import Catching

__all__ = ["FunctionContext", "InstructionReader", "Signature", "skip_attributes", "sync_scope", "uncovered"]

_ORDERINGS = {ordering.name.lower(): ordering for ordering in Ordering if ordering is not Ordering.NA}

_SCOPES = {"": Scope.SYSTEM} | {scope.name.lower(): scope for scope in Scope}

_FLAGS = frozenset(
    "nuw nsw exact disjoint nneg samesign inbounds nusw fast nnan ninf nsz arcp contract afn reassoc".split()
)


@dataclass(frozen=True)
class Signature:
    """What callers have to know of a function with a body."""

    name: str
    parameters: tuple[Type, ...]
    result: Type | None
    variadic: bool


@dataclass
class FunctionContext:
    """What the instructions of one function share.

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
    thread_locals : set of str
        Global variables of which each thread has its own, by name with the sigil.
    catching : Catching or None
        What the functions share if the module catches exceptions.

    Attributes
    ----------
    types : dict of str to Type
        Types of the registers parsed so far.
    called : set of str
        Functions with a body that are called.
    made : dict of str to Function
        Functions that were made for calls of the text.
    scopes : dict of str to str
        Registers that hold a scope, and its name.
    buffers : dict of str to Buffer
        Registers that hold the descriptor of a buffer, and what it says.
    notes : dict of str to None
        What users should know of how the function was read.
    generic : bool
        Whether builtins are called that may take generic pointers.
    """

    constants: ConstantParser
    metadata: Metadata
    signatures: Mapping[str, Signature]
    path: str
    renamed: Mapping[str, str]
    thread_locals: Set[str] = frozenset()
    catching: Catching | None = None
    types: dict[str, Type | None] = field(default_factory=dict)
    called: set[str] = field(default_factory=set)
    made: dict[str, Function] = field(default_factory=dict)
    scopes: dict[str, str] = field(default_factory=dict)
    buffers: dict[str, Buffer] = field(default_factory=dict)
    notes: dict[str, None] = field(default_factory=dict)
    generic: bool = False


class InstructionReader(Cursor):
    """The tokens of one instruction, from the opcode on.

    Parameters
    ----------
    function : FunctionContext
    text : str
    line : int or None

    Attributes
    ----------
    target : str
        The register that it assigns, empty where there is none.
    printed : str
        Its text.
    """

    __slots__ = ("function", "line", "printed", "target")

    def __init__(self, function: FunctionContext, text: str, line: int | None) -> None:
        super().__init__(tokenize(text))
        self.function = function
        self.printed = text
        self.line = line
        self.target = ""
        if self.ahead(1) == "=":
            self.target = self.register()
            self.next()

    # Operands

    def type(self) -> Type:
        return self.function.constants.type(self)

    def register(self) -> str:
        name = decode_name(self.next())
        renamed = self.function.renamed
        return renamed.get(name, name) if renamed else name

    def operand(self, type_: Type) -> Expression:
        if self.token.startswith("%"):
            return Register(self.register())
        if self.token in self.function.thread_locals:
            return Register("%" + self.next())
        return Constant(self.function.constants.value(self, type_), type_)

    def pair(self, type_: Type) -> tuple[Expression, Expression]:
        left = self.operand(type_)
        self.expect(",")
        return left, self.operand(type_)

    def typed(self) -> tuple[Expression, Type]:
        type_ = self.type()
        return self.operand(type_), type_

    def then_typed(self) -> tuple[Expression, Type]:
        """Read a comma and a typed operand."""
        self.expect(",")
        return self.typed()

    def argument(self) -> tuple[Expression, Type]:
        type_ = self.type()
        skip_attributes(self)
        return self.operand(type_), type_

    def arguments(self) -> list[tuple[Expression, Type]]:
        self.expect("(")
        arguments: list[tuple[Expression, Type]] = []
        while not self.accept(")"):
            arguments.append(self.argument())
            self.accept(",")
        return arguments

    def skip_flags(self) -> None:
        while self.token in _FLAGS:
            self.next()

    # Results

    def define(self, type_: Type | None) -> str:
        """Note the type of the register that the instruction assigns; give its name."""
        self.function.types[self.target] = type_
        return self.target

    def assign(self, expression: Expression, type_: Type | None = None) -> Assign:
        return Assign(
            self.define(type_ if isinstance(expression, Register) else expression.type), expression, self.line
        )

    # Ordering, scope and metadata

    def ordering(self) -> Ordering:
        token = self.next()
        if token not in _ORDERINGS:
            raise NotCovered(f"ordering {token}")
        return _ORDERINGS[token]

    def scope(self) -> tuple[Scope, bool]:
        if not self.accept("syncscope"):
            return Scope.SYSTEM, False
        self.expect("(")
        scope = self.named_scope(decode_string(self.next()))
        self.expect(")")
        return scope

    def named_scope(self, name: str) -> tuple[Scope, bool]:
        return sync_scope(name, self.function.path, self.line)

    def access(self, pointer: Type, volatile: bool) -> Annotation:
        """Read what follows the operands of an access: scope and ordering if it is atomic, metadata."""
        scope = self.scope()
        ordering = self.ordering() if self.token in _ORDERINGS else Ordering.NA
        return self.annotation(ordering, scope, pointer, volatile)

    def annotation(
        self,
        ordering: Ordering = Ordering.NA,
        scope: tuple[Scope, bool] = (Scope.SYSTEM, False),
        pointer: Type | None = None,
        volatile: bool = False,
        labels: frozenset[str] = frozenset(),
    ) -> Annotation:
        tags, private = self._attachments()
        return Annotation(
            ordering=ordering,
            scope=scope[0],
            one_as=scope[1],
            tags=tags,
            thread_private=private,
            volatile=volatile,
            address_space=pointer.memory_space if isinstance(pointer, PointerType) else 0,
            labels=labels,
        )

    def make(self, function: Function) -> None:
        """Take a function that was made for this call."""
        self.function.made[function.name] = function

    def _attachments(self) -> tuple[frozenset[Tag], bool]:
        """Read the metadata at the end of the instruction: its tags, and whether it is thread-private."""
        tags: frozenset[Tag] = frozenset()
        private = False
        while self.token:
            token = self.next()
            if token == "!mmra":
                tags = self.function.metadata.tags(self.next(), self.function.path, self.line)
            elif token == "!thread.private":
                private = True
        return tags, private


def uncovered(printed: str, line: int | None, reason: str) -> Unsupported:
    """Give what stands for an instruction that is not covered; a reason of one word says nothing that it does not."""
    return Unsupported(" ".join(_DEBUG.sub("", printed).split()), line, reason if " " in reason else "")


_DEBUG = re.compile(r", !dbg !\d+")


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
        if token in ("inalloca", "preallocated"):
            raise NotCovered(f"a {token} parameter")
        cursor.next()
        if token == "align" and cursor.token != "(":
            cursor.next()
        elif cursor.token == "(":
            cursor.skip_group()
        elif token.startswith('"') and cursor.accept("="):
            cursor.next()
