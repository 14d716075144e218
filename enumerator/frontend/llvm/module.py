"""Modules: the printed text of LLVM IR to objects and functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import field, replace
from functools import partial

from enumerator.errors import InputError
from enumerator.frontend.llvm.constants import ConstantParser
from enumerator.frontend.llvm.debug import DebugLocations, SourceLines
from enumerator.frontend.llvm.exceptions import Catching, catching
from enumerator.frontend.llvm.headers import Header, header_of, with_copies
from enumerator.frontend.llvm.instructions import parse_function
from enumerator.frontend.llvm.library import TYPE_TABLES, ZERO_GLOBALS, needed
from enumerator.frontend.llvm.metadata import Metadata
from enumerator.frontend.llvm.printed import split_body
from enumerator.frontend.llvm.reader import FunctionContext, Signature
from enumerator.frontend.llvm.source import PrintedBlock, Source, SourceFunction, align
from enumerator.frontend.llvm.tokens import Cursor, NotCovered, decode_name, tokenize
from enumerator.frozen import dataclass
from enumerator.program.instructions import (
    Call,
    Function,
    IndirectCall,
    Throw,
)
from enumerator.program.test import MemoryObject
from enumerator.program.types import ArrayType, StructType, Type, VectorType, size_of
from enumerator.program.values import UNDEF, Term, Undef, Value

__all__ = ["UNKNOWN_SIZE", "Module", "parse_module"]

_GLOBAL_KINDS = ("global", "constant")

UNKNOWN_SIZE = 65_536
"""Bytes of an external array without a size: as many as a workgroup's LDS has on most processors."""


@dataclass
class Module:
    """A parsed module.

    Parameters
    ----------
    objects : tuple of MemoryObject
        The global variables that threads can access.
    functions : dict of str to Function
        Those with a body, in order.
    signatures : dict of str to Signature
    registers : dict of str to dict of str to (Type or None)
        The registers and parameters of each function with their types, None where the type is not covered.
    constants : ConstantParser
        Knows the module's types, for constants in directives.
    called : set of str
        Functions with a body that another function calls, if only in a way that is not covered.
    thread_locals : tuple of MemoryObject
        The global variables of which each thread has its own.
    named : set of str
        Functions with a body whose address the text uses: an indirect call may be of any of them.
    big_endian : bool
        The data layout says so.
    compiled : bool
        It was compiled from a file in another language just now.
    notes : dict of str to None
        What users should know of how functions were read.
    generic : bool
        Whether it is not known yet where the pointers of some builtins point to.
    """

    objects: tuple[MemoryObject, ...]
    functions: dict[str, Function]
    signatures: dict[str, Signature]
    registers: dict[str, dict[str, Type | None]]
    constants: ConstantParser
    called: set[str] = field(default_factory=set)
    thread_locals: tuple[MemoryObject, ...] = ()
    named: set[str] = field(default_factory=set)
    big_endian: bool = False
    compiled: bool = False
    notes: dict[str, None] = field(default_factory=dict)
    generic: bool = False

    def callees(self, name: str) -> tuple[str, ...]:
        """Give the functions that a function calls, each once."""
        found: dict[str, None] = {}
        for block in self.functions[name].blocks:
            for part in block.body:
                if isinstance(part, Call):
                    found[part.function] = None
                elif isinstance(part, IndirectCall):
                    found.update(dict.fromkeys(sorted(self.named)))
                elif isinstance(part, Throw) and part.destructor in self.functions:
                    found[part.destructor] = None
        return tuple(found)

    def reached(self, name: str) -> tuple[str, ...]:
        """Give a function and all that it calls, directly or through others."""
        found = {name: None}
        waiting = [name]
        while waiting:
            for callee in self.callees(waiting.pop()):
                if callee not in found:
                    found[callee] = None
                    waiting.append(callee)
        return tuple(found)


class _WhenAsked(dict[str, Function]):
    """Functions of the library: each is read when it is asked for, as programs need few of them."""

    def __init__(self, unread: Mapping[str, Callable[[], Function]], made: Mapping[str, Function]) -> None:
        super().__init__()
        self._unread = unread
        self._made = made

    def __contains__(self, name: object) -> bool:
        return name in self._unread or name in self._made

    def __missing__(self, name: str) -> Function:
        function = self._made[name] if name in self._made else replace(self._unread[name](), library=True)
        self[name] = function
        return function


@dataclass
class _Printed:
    """A function with a body as LLVM printed it."""

    header: list[str]
    blocks: list[PrintedBlock] = field(default_factory=list)


@dataclass
class _Scanned:
    """The parts of a module as LLVM prints it.

    Parameters
    ----------
    types : dict of str to list of str
        The tokens of named types.
    variables : list of list of str
        Those of global variables.
    aliases : dict of str to list of str
    functions : list of str
        The names of functions, defined or declared.
    bodies : list of _Printed
        Those that are defined.
    metadata : Metadata
    big_endian : bool
    """

    types: dict[str, list[str]] = field(default_factory=dict)
    variables: list[list[str]] = field(default_factory=list)
    aliases: dict[str, list[str]] = field(default_factory=dict)
    functions: list[str] = field(default_factory=list)
    bodies: list[_Printed] = field(default_factory=list)
    metadata: Metadata = field(default_factory=Metadata)
    big_endian: bool = False


def _scanned(printed: str, debug: DebugLocations | None) -> _Scanned:
    found = _Scanned()
    lines = iter(printed.split("\n"))
    for line in lines:
        match line[:1]:
            case "@":
                tokens = tokenize(line)
                if "alias" in tokens or "ifunc" in tokens:
                    found.aliases[tokens[0]] = tokens[tokens.index("alias") + 1 :] if "alias" in tokens else []
                else:
                    found.variables.append(tokens)
            case "%":
                tokens = tokenize(line)
                found.types[tokens[0]] = tokens[3:]
            case "t" if line.startswith('target datalayout = "E'):
                found.big_endian = True
            case "!":
                found.metadata.add(line)
                if debug is not None:
                    debug.add(line)
            case "d" if line.startswith(("define ", "declare ")):
                tokens = tokenize(line)
                found.functions.append(next(token for token in tokens if token.startswith("@")))
                if line.startswith("define "):
                    function = _Printed(tokens)
                    function.blocks.extend(split_body(lines))
                    found.bodies.append(function)
    return found


def _objects(
    variables: Iterable[list[str]],
    constants: ConstantParser,
    uncovered: dict[str, str],
    global_name: Callable[[str], str],
    positions: Mapping[str, int],
    path: str,
) -> tuple[tuple[MemoryObject, ...], dict[str, MemoryObject]]:
    """Read global variables; those of threads, which have many addresses, come by the tokens that name them."""
    waiting: list[tuple[list[str], int, bool]] = []
    for tokens in variables:
        place = next(place for place, token in enumerate(tokens) if token in _GLOBAL_KINDS)
        local = "thread_local" in tokens[:place]
        if local:
            uncovered[tokens[0]] = "each thread has its own"  # for constants
        waiting.append((tokens, place, local))
    found: list[MemoryObject] = []
    own: dict[str, MemoryObject] = {}
    for tokens, place, local in waiting:
        name = global_name(tokens[0])
        try:
            known = _variable(tokens, place, name, constants, path, positions.get(name))
        except NotCovered as reason:
            uncovered[tokens[0]] = str(reason)
            continue
        if local:
            own[tokens[0]] = known
        else:
            found.append(known)
    return tuple(found), own


def parse_module(
    printed: str, source: Source, path: str, *, library: bool = False, compiled: str | None = None
) -> Module:
    """Parse a module.

    Parameters
    ----------
    printed : str
        The module as LLVM prints it.
    source : Source
        The scanned original, for positions.
    path : str
        For error messages.
    library : bool
        Whether it is the library, whose functions are not shown, and read when they are asked for.
    compiled : str, optional
        The file that it was compiled from: lines are those of it, as far as debug locations say.

    Raises
    ------
    InputError
        For what cannot be checked whatever the threads do (a sync scope that is unknown, malformed ``!mmra``).
        Instructions that are not covered become ``Unsupported``.
    """
    debug = DebugLocations() if compiled is not None else None
    text = _scanned(printed, debug)
    renamed = _renamed([tokens[0] for tokens in text.variables], list(source.variables))
    renamed |= _renamed(text.functions, source.function_names)

    def global_name(token: str) -> str:
        return decode_name(renamed.get(token, token))

    uncovered: dict[str, str] = {}
    constants = ConstantParser(text.types, text.aliases, global_name, uncovered, big_endian=text.big_endian)
    positions = {decode_name(name): line for name, line in source.variables.items()}
    objects, own = _objects(text.variables, constants, uncovered, global_name, positions, path)
    originals = {decode_name(function.name): function for function in source.functions}
    places = None if debug is None else SourceLines(debug, compiled or "", printed)
    headers = [header_of(function.header, constants, global_name, originals, path) for function in text.bodies]
    signatures = {header.signature.name: header.signature for header in headers}
    module = Module(
        objects,
        {},
        signatures,
        {},
        constants,
        thread_locals=tuple(own.values()),
        big_endian=text.big_endian,
        compiled=compiled is not None,
    )
    made: dict[str, Function] = {}
    shared = catching(printed)

    def read(function: _Printed, header: Header) -> Function:
        context, parsed = _function(
            function, header, constants, text.metadata, signatures, originals, path, own.keys(), places, shared
        )
        made.update(context.made)
        module.generic = module.generic or context.generic
        module.notes.update(context.notes)
        module.registers[parsed.name] = context.types
        module.called.update(context.called - {parsed.name})
        return parsed

    if library:
        unread = {each[1].signature.name: partial(read, *each) for each in zip(text.bodies, headers, strict=True)}
        module.functions = _WhenAsked(unread, made)
        return module
    for function, header in zip(text.bodies, headers, strict=True):
        module.functions[header.signature.name] = read(function, header)
    functions, known_objects, own_objects = needed(module.functions.values(), (*module.objects, *module.thread_locals))
    made.update(functions)
    module.objects += known_objects
    module.thread_locals += own_objects
    module.functions.update(made)
    module.registers.update({name: {} for name in made})
    module.named.update(name for name in signatures if f"@{name}" in constants.addresses)
    return module


def _renamed(printed: list[str], original: list[str]) -> dict[str, str]:
    """Map the numbers that LLVM gave to unnamed globals back to those of the original."""
    numbers = [name for name in printed if name[1:].isdigit()]
    before = [name for name in original if name[1:].isdigit()]
    if len(numbers) != len(before):
        return {}
    return {now: then for now, then in zip(numbers, before, strict=True) if now != then}


def _variable(
    tokens: list[str], place: int, name: str, constants: ConstantParser, path: str, line: int | None
) -> MemoryObject:
    """Parse a global variable."""
    try:
        cursor = Cursor(tokens)
        space = 0
        for index in range(2, place):
            if tokens[index] == "addrspace":
                space = constants.address_space(Cursor(tokens, index))
        cursor.index = place + 1
        type_ = constants.type(cursor)
    except InputError as error:
        raise InputError(error.message, path, line) from None
    external = not {"external", "extern_weak"}.isdisjoint(tokens[2:place])
    constant = tokens[place] == "constant"
    initial: Value | None
    if external:
        initial = None if name in ZERO_GLOBALS else UNDEF  # another module decides
        if isinstance(type_, ArrayType) and type_.count == 0 and size_of(type_.element):
            # Dynamic LDS and the like: the launch, or another module, says how large it is.
            size = 0 if name.startswith(TYPE_TABLES) else UNKNOWN_SIZE
            type_ = replace(type_, count=size // size_of(type_.element))
    elif cursor.token == "zeroinitializer" and isinstance(type_, (ArrayType, StructType, VectorType)):
        initial = None
    else:
        try:
            initial = constants.value(cursor, type_)
        except NotCovered:
            initial = Term("initializer of @" + name)
        if isinstance(initial, Undef):
            initial = UNDEF
    return MemoryObject("@" + name, type_, space, initial, constant, line)


def _function(
    printed: _Printed,
    header: Header,
    constants: ConstantParser,
    metadata: Metadata,
    signatures: Mapping[str, Signature],
    originals: Mapping[str, SourceFunction],
    path: str,
    thread_locals: Set[str],
    places: Callable[[str], int | None] | None,
    catching: Catching | None,
) -> tuple[FunctionContext, Function]:
    name = header.signature.name
    original = originals.get(name)
    lines, renamed = align(printed.blocks, header.parameters, original)
    line = original.line if original is not None else None
    if places is not None:
        lines = [places(text) for block in printed.blocks for text in block.instructions]
        line = places(" ".join(printed.header))
    context = FunctionContext(constants, metadata, signatures, path, renamed, thread_locals, catching)
    parameters = tuple(renamed.get(each, each) for each in header.parameters)
    context.types.update(zip(parameters, header.signature.parameters, strict=True))
    entry = str(sum(each.isdigit() for each in header.parameters))
    blocks = [
        (entry if block.label is None else decode_name("%" + block.label), block.instructions)
        for block in printed.blocks
    ]
    copied = {renamed.get(each, each): type_ for each, type_ in header.copied.items()}
    return context, with_copies(parse_function(context, name, parameters, blocks, lines, line), copied)
