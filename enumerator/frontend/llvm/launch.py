"""``LAUNCH``: a grid of threads that run one kernel, in place of ``THREADS`` and ``SCOPES`` (semantics, section 9)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches

from enumerator.errors import InputError
from enumerator.frontend.directives import Comment, Directives
from enumerator.frontend.llvm.mangling import demangle
from enumerator.frontend.llvm.module import UNKNOWN_SIZE, Module
from enumerator.frontend.llvm.tokens import Cursor, NotCovered, decode_name, tokenize
from enumerator.frozen import dataclass
from enumerator.program.instructions import Assign, Constant, Register
from enumerator.program.test import MemoryObject, Placement, Thread
from enumerator.program.types import ArrayType, FloatType, IntType, PointerType, StructType, Type, VectorType
from enumerator.program.values import UNDEF, Pointer, Undef, Value
from enumerator.program.written import type_text
from enumerator.scopes import parse_scopes

__all__ = ["Launch", "NoGlobal", "closing", "constant_arguments", "example_call", "launched", "without_body"]

_KERNEL = re.compile(r"""(?P<function>@(?:"[^"]*"|[-\w.$]+))""")
_SIZE = re.compile(r"\s*(?P<key>\w+)\s*=\s*(?P<number>[^\s]+)")
_KEYS = ("workgroups", "waves", "lanes", "agents")
_MOST_THREADS = 64

_KIB = UNKNOWN_SIZE >> 10

_PACKET = "@dispatch.packet"
_IMPLICIT = "@implicit.arguments"
_CONSTANT_MEMORY, _LOCAL_MEMORY = 4, 3
_PACKET_TYPE = StructType(
    (*(IntType(16),) * 6, *(IntType(32),) * 5, IntType(64), PointerType(), IntType(64), IntType(64))
)
"""hsa_kernel_dispatch_packet_t (HSA Runtime Specification, 2.6): workgroup sizes from byte 4, grid sizes from 12."""
_IMPLICIT_TYPE = StructType(
    (*(IntType(32),) * 3, *(IntType(16),) * 6, ArrayType(2, IntType(64)), *(IntType(64),) * 3, IntType(16))
)
"""Hidden kernel arguments (AMDGPUUsage, code object V5): numbers of workgroups, their sizes from byte 12, remainders
from 18, global offsets from 40, the number of dimensions at 64."""


@dataclass(frozen=True)
class Launch:
    """A grid.

    Parameters
    ----------
    threads : tuple of Thread
        Named ``w<group>.<wave>.<lane>``.
    placements : dict of str to Placement
    tree : str
        The scope tree.
    objects : tuple of MemoryObject
        What the threads can read of the dispatch, and local memory that it gives.
    notes : tuple of str
    """

    threads: tuple[Thread, ...]
    placements: dict[str, Placement]
    tree: str
    objects: tuple[MemoryObject, ...]
    notes: tuple[str, ...] = ()


class NoGlobal(NotCovered):
    """An argument names a global that there is not."""


def without_body(module: Module, written: str) -> str:
    """Say that there is no function of a name, and what one that is meant by it may be called.

    Parameters
    ----------
    module : Module
    written : str
        With the sigil.
    """
    name = decode_name(written)
    meant = [each for each in module.signatures if (read := demangle(each)) is not None and read.name == name]
    meant = meant or get_close_matches(name, module.signatures, 1)
    names = " or ".join(f"@{each}" for each in meant)
    return f"no function {written} with a body" + (f": did you mean {names}?" if meant else "")


def example_call(module: Module, name: str) -> str:
    """Give a call of a function as directives have it, with arguments of its types."""
    arguments = []
    for type_ in module.signatures[name].parameters:
        value = {PointerType: "@x", IntType: "0", FloatType: "1.0"}.get(type(type_), "zeroinitializer")
        arguments.append(f"{type_text(type_)} {value}")
    return f"@{name}({', '.join(arguments)})"


def launched(module: Module, directives: Directives, path: str, only: str | None = None) -> Launch | None:
    """Read the directive ``LAUNCH``.

    Parameters
    ----------
    module : Module
    directives : Directives
    path : str
        For error messages.
    only : str, optional
        The function that is looked at; a launch of another one does not count.

    Returns
    -------
    Launch or None
        None if there is no such directive.

    Raises
    ------
    InputError
        If the directive is wrong, stands next to ``THREADS`` or ``SCOPES``, or makes too many threads.
    """
    directive = directives.launch
    if directive is None:
        return None
    for name, other in (("THREADS", directives.threads), ("SCOPES", directives.scopes)):
        if other is not None:
            raise InputError(f"{name}: stands next to LAUNCH:, which says both threads and scopes", path, other.line)
    local = dict[str, MemoryObject]()
    name, arguments, sizes = _parse(module, directive, path, local)
    if only not in (None, name):
        return None
    shape = _Shape(**sizes)
    tree = shape.tree()
    objects = (*_objects(module, shape), *local.values())
    threads = tuple(
        Thread(f"w{group}.{wave}.{lane}", name, arguments, shape.properties(group, wave, lane))
        for group in range(shape.workgroups)
        for wave in range(shape.waves)
        for lane in range(shape.lanes)
    )
    notes = tuple(
        f"{each} is not in the program: it is local memory of {_KIB} KiB, as a launch gives" for each in local
    )
    return Launch(threads, parse_scopes(tree), tree, objects, notes)


def _parse(
    module: Module, directive: Comment, path: str, local: dict[str, MemoryObject]
) -> tuple[str, tuple[Constant, ...], dict[str, int]]:
    text = directive.text

    def fail(message: str, at: int) -> InputError:
        return InputError(f"LAUNCH: {message}", path, directive.line, directive.column + at)

    match = _KERNEL.match(text)
    if match is None:
        raise fail("expected @kernel(arguments) workgroups=N waves=N lanes=N", 0)
    name = decode_name(match["function"])
    if name not in module.signatures:
        raise fail(without_body(module, match["function"]), 0)
    end = closing(text, match.end())
    if end is None:
        raise fail("')' is missing", len(text))
    try:
        arguments = constant_arguments(module, text[match.end() : end], local)
    except NoGlobal as reason:
        raise fail(str(reason), match.end()) from None
    except (NotCovered, ValueError, IndexError):
        written = text[match.end() : end].strip()
        raise fail(f"{written} are no LLVM constants with their types", match.end()) from None
    wanted = module.signatures[name].parameters
    if tuple(argument.type for argument in arguments) != wanted:
        types = ", ".join(map(type_text, wanted))
        message = f"the arguments do not fit the {len(wanted)} parameters of {match['function']} ({types})"
        raise fail(message, match.end())
    sizes: dict[str, int] = {}
    position = end
    while text[position:].strip():
        size = _SIZE.match(text, position)
        if size is None or size["key"] not in _KEYS:
            start = len(text) - len(text[position:].lstrip())
            raise fail(f"expected one of {', '.join(f'{key}=N' for key in _KEYS)}", start)
        if size["key"] in sizes:
            raise fail(f"{size['key']} is given twice", size.start("key"))
        if not re.fullmatch(r"[1-9][0-9]{0,3}", size["number"]):
            raise fail(f"{size['key']}: expected a whole number from 1 to 9999", size.start("number"))
        sizes[size["key"]] = int(size["number"])
        position = size.end()
    groups, agents = sizes.get("workgroups", 1), sizes.get("agents", 1)
    if groups % agents:
        raise fail(f"{groups} workgroups cannot be shared out evenly to {agents} agents", end)
    threads = groups * sizes.get("waves", 1) * sizes.get("lanes", 1)
    if threads > _MOST_THREADS:
        raise fail(f"{threads} threads are more than the {_MOST_THREADS} that a test may have", end)
    return name, arguments, sizes


@dataclass(frozen=True)
class _Shape:
    """How many of what a grid has: workgroups in all, waves of each, lanes of each wave."""

    workgroups: int = 1
    waves: int = 1
    lanes: int = 1
    agents: int = 1

    @property
    def size(self) -> int:
        """Threads of a workgroup."""
        return self.waves * self.lanes

    def tree(self) -> str:
        """Write the scope tree: each agent has its share of the workgroups, in order."""
        share = self.workgroups // self.agents
        agents = (
            " ".join(self._group(agent * share + number) for number in range(share)) for agent in range(self.agents)
        )
        return " ".join(f"(agent {groups})" for groups in agents)

    def _group(self, group: int) -> str:
        waves = (" ".join(f"w{group}.{wave}.{lane}" for lane in range(self.lanes)) for wave in range(self.waves))
        return f"(workgroup {' '.join(f'(wavefront {lanes})' for lanes in waves)})"

    def properties(self, group: int, wave: int, lane: int) -> tuple[tuple[str, Value], ...]:
        """Give what a thread can ask of its place in the grid."""
        item = wave * self.lanes + lane
        first = {
            "%workitem.id": item,
            "%workgroup.id": group,
            "%global.id": group * self.size + item,
            "%workgroup.size": self.size,
            "%workgroup.count": self.workgroups,
            "%grid.size": self.workgroups * self.size,
            "%grid.offset": 0,
        }
        found: dict[str, Value] = {f"{name}.x": value for name, value in first.items()}
        for name in first:
            others = 1 if name in ("%workgroup.size", "%workgroup.count", "%grid.size") else 0
            found |= {f"{name}.y": others, f"{name}.z": others}
        found |= {
            "%grid.dimensions": 1,
            "%wave.id": wave,
            "%wave.count": self.waves,
            "%wave.size": self.lanes,
            "%lane.id": lane,
            "%lane.id.low": min(lane, 32),
            "%lane.id.high": max(lane - 32, 0),
            "%dispatch": Pointer(_PACKET),
            "%implicit.arguments": Pointer(_IMPLICIT),
        }
        return tuple(found.items())


def _objects(module: Module, shape: _Shape) -> tuple[MemoryObject, ...]:
    """Give what the functions of a module can read of a dispatch, if one asks for it."""
    used = {
        part.expression.name
        for function in module.functions.values()
        for block in function.blocks
        for part in block.body
        if isinstance(part, Assign) and isinstance(part.expression, Register)
    }
    size, grid = shape.size, shape.workgroups * shape.size
    packet: tuple[Value, ...] = (0, 1, size, 1, 1, 0, grid, 1, 1, 0, 0, 0, Pointer(""), 0, 0)
    implicit: tuple[Value, ...] = (shape.workgroups, 1, 1, size, 1, 1, 0, 0, 0, (0, 0), 0, 0, 0, 1)
    found = []
    if "%dispatch" in used:
        found.append(MemoryObject(_PACKET, _PACKET_TYPE, _CONSTANT_MEMORY, packet, constant=True, hidden=True))
    if "%implicit.arguments" in used:
        found.append(MemoryObject(_IMPLICIT, _IMPLICIT_TYPE, _CONSTANT_MEMORY, implicit, constant=True, hidden=True))
    return tuple(found)


# Arguments ------------------------------------------------------------------------------------------------------


def closing(text: str, start: int) -> int | None:
    """Find the end of the parenthesis that opens here (at once if none does)."""
    if not text[start:].lstrip().startswith("("):
        return start
    depth, quoted = 0, False
    for place in range(start, len(text)):
        letter = text[place]
        if letter == '"':
            quoted = not quoted
        elif not quoted and letter in "()":
            depth += 1 if letter == "(" else -1
            if depth == 0:
                return place + 1
    return None


def constant_arguments(module: Module, text: str, local: dict[str, MemoryObject] | None = None) -> tuple[Constant, ...]:
    """Read the arguments of a thread: constants with their types, in parentheses.

    Parameters
    ----------
    module : Module
    text : str
    local : dict of str to MemoryObject, optional
        Receives local memory that the module does not have, where arguments name such: whoever launches a kernel of
        OpenCL gives memory to its parameters that point to local memory.

    Returns
    -------
    tuple of Constant

    Raises
    ------
    NoGlobal
        If another global that is named does not exist.
    NotCovered
        If they are no such constants.
    """
    cursor = Cursor(tokenize(text))
    arguments: list[Constant] = []
    if not cursor.accept("("):
        return ()
    while not cursor.accept(")"):
        type_ = module.constants.type(cursor)
        token = cursor.token
        value = module.constants.value(cursor, type_)
        if not _fits(value, type_, token):
            raise NotCovered("a value that is not of its type")
        known = {obj.name for obj in module.objects} | {f"@{name}" for name in module.signatures}
        if isinstance(value, Pointer) and value.object and value.object not in known:
            if local is None or type_ != PointerType(_LOCAL_MEMORY):
                raise NoGlobal(f"there is no global {value.object}{_nearest(value.object, known)}")
            memory = ArrayType(UNKNOWN_SIZE, IntType(8))
            local[value.object] = MemoryObject(value.object, memory, _LOCAL_MEMORY, UNDEF)
        arguments.append(Constant(value, type_))
        if cursor.token != ")":
            cursor.expect(",")
    if cursor.token:
        raise NotCovered("text behind the arguments")
    return tuple(arguments)


def _nearest(name: str, known: Iterable[str]) -> str:
    close = get_close_matches(name, known, 1)
    return f": did you mean {close[0]}?" if close else ""


def _fits(value: Value, type_: Type, token: str) -> bool:
    match type_:
        case IntType(width):
            if isinstance(value, int) and token.lstrip("-").isdecimal():
                return -(1 << (width - 1)) <= int(token) < (1 << width)
            return isinstance(value, (int, Pointer, Undef))
        case ArrayType(count) | VectorType(count):
            return isinstance(value, Undef) or (isinstance(value, tuple) and len(value) == count)
        case StructType(fields):
            return isinstance(value, Undef) or (isinstance(value, tuple) and len(value) == len(fields))
        case _:
            return not isinstance(value, (int, tuple))
