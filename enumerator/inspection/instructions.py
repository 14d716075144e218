"""From instructions to operations: what they access, their ordering, their tags."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace

from enumerator.frontend.llvm.asynchronous import MARK, MARK_WAIT, Copy, copy_of, counter_wait, stages_of_mask
from enumerator.frontend.llvm.copies import is_bytes_intrinsic
from enumerator.frontend.llvm.debug import DebugLocations
from enumerator.frontend.llvm.intrinsics import av_access
from enumerator.frontend.llvm.metadata import Metadata
from enumerator.frontend.llvm.syntax import Callee, address_space, callee_of, operand, split
from enumerator.frontend.llvm.tokens import decode_name, decode_string, tokenize
from enumerator.frozen import dataclass
from enumerator.inspection.builtins import builtin_operations
from enumerator.inspection.effects import (
    Attributes,
    assembly_accesses,
    assembly_barrier,
    barrier_object,
    barrier_part,
    pointer_effect,
    short_name,
    skipped,
)
from enumerator.inspection.forms import Extent, Form, Symbol, Varies
from enumerator.inspection.layout import read_type
from enumerator.inspection.operations import Kind, Operation, ScopeName, Space, Target, place_of
from enumerator.inspection.roots import Roots
from enumerator.inspection.values import Environment, Values
from enumerator.mmra import Profile
from enumerator.program.instructions import Ordering, Tag
from enumerator.program.types import PointerType

__all__ = ["OPCODES", "Declaration", "InstructionReader", "extent_of"]

#: The opcodes of instructions that inspection considers.
OPCODES = frozenset("load store atomicrmw cmpxchg fence call invoke callbr".split())

_BUFFER = PointerType(8)  # by its resource descriptor
_ORDERINGS = {ordering.name.lower(): ordering for ordering in Ordering if ordering is not Ordering.NA}


@dataclass(frozen=True)
class Declaration:
    """The attributes of a function and of its parameters."""

    attributes: Attributes = field(default_factory=Attributes)
    parameters: tuple[frozenset[str], ...] = ()


@dataclass
class InstructionReader:
    """Reads the instructions of a module.

    Parameters
    ----------
    path : str
    profile : Profile
    target : Target
    metadata : Metadata
    locations : DebugLocations
    compiled : str or None
        The file that the module was compiled from, if lines are to be those of it.
    groups : mapping of str to Attributes
        The attribute groups, by their names such as ``#0``.
    declarations : mapping of str to Declaration
        By printed name, with the sigil.
    global_name : callable
        Gives the name in the file for a printed name.
    """

    path: str
    profile: Profile
    target: Target
    metadata: Metadata
    locations: DebugLocations
    compiled: str | None
    groups: Mapping[str, Attributes]
    declarations: Mapping[str, Declaration]
    global_name: Callable[[str], str]
    structs: Mapping[str, Sequence[str]] = field(default_factory=dict)
    _effective: dict[tuple[object, ...], frozenset[Tag]] = field(default_factory=dict)

    def read(self, opcode: str, text: str, line: int | None, roots: Roots, values: Values) -> Iterator[Operation]:
        """Read an instruction.

        Parameters
        ----------
        opcode : str
            One of :data:`OPCODES`.
        text : str
            As LLVM prints it.
        line : int or None
            The line in the file.
        roots : Roots
            The pointers of its function.
        values : Values
            Its registers.

        Yields
        ------
        Operation
            Nothing for an instruction that has no effect on memory or order.

        Raises
        ------
        InputError
            For malformed ``!mmra``.
        """
        tokens = tokenize(text)
        tokens = tokens[tokens.index(opcode) + 1 :]
        parts = split(tokens)
        attached = {part[0]: part[1] for part in parts if len(part) == 2 and part[0].startswith("!")}
        places = self.locations.chain(attached["!dbg"]) if "!dbg" in attached else ()
        base = Operation(
            kind=Kind.ACCESS,
            what=opcode,
            place=place_of(line, places, self.compiled),
            tags=self.metadata.tags(attached["!mmra"], self.path, line) if "!mmra" in attached else frozenset(),
            thread_private="!thread.private" in attached,
            values=values,
        )
        match opcode:
            case "load":
                base = replace(base, reads=True)
                if "!invariant.load" in attached:
                    base = replace(base, space=Space.CONSTANT)
                yield self._access(base, tokens, parts, 1, roots)
            case "store":
                base = replace(base, writes=True, given=(parts[0][-1],))
                yield self._access(base, tokens, parts, 1, roots)
            case "atomicrmw":
                tokens, operator = _operator(tokens)
                base = replace(base, what=f"atomicrmw {operator}", reads=True, writes=True, given=_plain(parts[1:2]))
                yield self._access(base, tokens, parts, 0, roots)
            case "cmpxchg":
                base = replace(base, reads=True, writes=True, given=_plain(parts[1:3]))
                yield self._access(base, tokens, parts, 0, roots)
            case "fence":
                scope, orderings = _atomicity(tokens)
                yield self._tagged(replace(base, kind=Kind.FENCE, scope=scope, ordering=orderings[0]))
            case _:
                yield from self._call(base, callee_of(tokens), tokens, roots)

    def _access(
        self, base: Operation, tokens: list[str], parts: list[list[str]], pointer: int, roots: Roots
    ) -> Operation:
        start = next((place for place, token in enumerate(parts[pointer]) if token == "ptr"), 0)
        written = parts[pointer][start:]
        last = next((part for part in reversed(parts) if not part[0].startswith("!") and part[0] != "align"), [])
        scope, orderings = _atomicity(last)
        operation = replace(
            base,
            scope=scope,
            ordering=orderings[0] if orderings else Ordering.NA,
            failure=orderings[1] if len(orderings) > 1 else Ordering.NA,
            volatile="volatile" in tokens[:3],
            size=self._size(parts[0] if pointer else parts[1]),
        )
        return self._located(operation, written, roots)

    def _size(self, part: list[str]) -> int | None:
        """Give the bytes of the type that part of an instruction begins with."""
        layout = read_type([each for each in part if each not in ("volatile", "atomic")], self.structs)
        return layout.stored if layout is not None else None

    def _located(
        self,
        operation: Operation,
        written: list[str],
        roots: Roots,
        further: Form | None = None,
        *,
        cast: bool = False,
    ) -> Operation:
        """Add the memory that an access goes to, and the tags that follow.

        Parameters
        ----------
        operation : Operation
        written : list of str
            The address.
        roots : Roots
        further : Form, optional
            What is added to the address.
        cast : bool
            Whether a generic pointer only stands for one to the memory that it points to.
        """
        space_number = address_space(written) or 0
        pointer = operand(written)
        if cast and pointer and self.target.space(space_number) is Space.FLAT:
            space_number = roots.space(pointer) or space_number
        space = self.target.space(space_number)
        root = roots.of(pointer) if pointer else None
        if root is not None and space is Space.FLAT:
            space = self.target.space(root[1])
        if operation.space is Space.CONSTANT:
            space = Space.CONSTANT  # an invariant load
        return self._tagged(
            replace(
                operation,
                space=space,
                address_space=PointerType(space_number).memory_space if space is Space.BUFFER else space_number,
                root=root[0] if root is not None else None,
                pointer=tuple(written),
                further=further,
                extent=extent_of(written, operation, further) if space is Space.LOCAL else None,
            )
        )

    def _tagged(self, operation: Operation) -> Operation:
        kinds = {
            Kind.FENCE: "F",
            Kind.BARRIER: "B",
            Kind.ACCESS: "R" * operation.reads + "W" * operation.writes,
        }.get(operation.kind, "")
        if operation.asynchronous:  # the instruction and the wait order it, which belong to no address space
            return replace(operation, effective=self.profile.canonical(operation.tags))
        number = operation.address_space or 0
        ordering = max(operation.ordering, operation.failure)
        key = (operation.tags, kinds, ordering, operation.synchronizing, number)
        if key not in self._effective:
            halves = [
                self.profile.effective_tags(
                    operation.tags,
                    kind=kind,
                    ordering=ordering,
                    synchronizing=operation.synchronizing,
                    address_space=number,
                )
                for kind in kinds
            ]
            # The two events of a read-modify-write are ordered, so what orders one of them orders both.
            self._effective[key] = frozenset.intersection(*halves) if halves else self.profile.canonical(operation.tags)
        return replace(operation, effective=self._effective[key])

    # Calls

    def _call(self, base: Operation, callee: Callee, tokens: list[str], roots: Roots) -> Iterator[Operation]:
        if callee.assembly is not None:
            yield from self._assembly(base, *callee.assembly)
            return
        own = [self.groups[token] for token in tokens[callee.behind :] if token in self.groups]
        declaration = self.declarations.get(callee.name, _UNKNOWN)
        attributes = declaration.attributes.merged(own)
        if callee.name.startswith("@llvm."):
            yield from self._intrinsic(base, decode_name(callee.name), callee, declaration, attributes, roots)
            return
        effect = attributes.effect() | attributes.effect("argmem")
        if not effect and not attributes.synchronizes:
            return
        name = self.global_name(callee.name) if callee.name.startswith("@") else None
        known = builtin_operations(name, callee.arguments, base) if name is not None else None
        if known is not None:
            for operation, place in known:
                if place < 0:
                    yield self._tagged(operation)
                else:
                    yield self._located(_with_slot(operation, roots), callee.arguments[place], roots, cast=True)
            return
        yield self._tagged(
            replace(
                base,
                kind=Kind.CALL,
                what=f"call @{name}" if name is not None else "indirect call",
                reads=bool(effect & 1),
                writes=bool(effect & 2),
                opaque=attributes.synchronizes,
                callee=name,
                arguments=tuple(map(tuple, callee.arguments)),
                convergent="convergent" in attributes.words,
            )
        )

    def _assembly(self, base: Operation, text: str, constraints: str) -> Iterator[Operation]:
        part = assembly_barrier(text)
        more = assembly_accesses(text, constraints)  # next to a barrier this is usually a wait
        if part is not None:
            what = "inline assembly s_barrier"
            yield self._tagged(replace(base, kind=Kind.BARRIER, what=what, barrier=part, opaque=more))
        elif more:
            what = "inline assembly"
            yield self._tagged(replace(base, kind=Kind.CALL, what=what, reads=True, writes=True, opaque=True))

    def _intrinsic(
        self,
        base: Operation,
        name: str,
        callee: Callee,
        declaration: Declaration,
        attributes: Attributes,
        roots: Roots,
    ) -> Iterator[Operation]:
        part = barrier_part(name, callee.arguments)
        if part is not None:
            meets = barrier_object(name, callee.arguments)
            yield self._tagged(replace(base, kind=Kind.BARRIER, what=short_name(name), barrier=part, meets=meets))
            return
        if skipped(name):
            return
        base = replace(base, what=short_name(name))
        if name in (MARK, MARK_WAIT) or counter_wait(name) is not None:
            yield self._mark(base, name, callee)
            return
        if (copy := copy_of(name)) is not None:
            yield from self._copy(base, copy, callee, roots)
            return
        if av_access(name) is not None:
            last = callee.arguments[-1][-1]
            scope = self.metadata.string(last) if last.startswith("!") else _scope_in(base, last)
            base = replace(base, scope=ScopeName.read(scope or ""))
        if ".element.unordered.atomic." in name:
            base = replace(base, ordering=Ordering.UNORDERED)
        if is_bytes_intrinsic(name) and callee.arguments[2][-1] == "0":
            return  # it copies or fills nothing
        pointers = [
            (place, number)
            for place, argument in enumerate(callee.arguments)
            if (number := address_space(argument)) is not None
        ]
        for place, number in pointers:
            words = {*callee.arguments[place]}
            if place < len(declaration.parameters):
                words |= declaration.parameters[place]
            reads, writes = pointer_effect(name, attributes, words, number)
            if reads or writes:
                operation = replace(base, reads=reads, writes=writes)
                yield self._located(operation, callee.arguments[place], roots)
        if not pointers and attributes.known and attributes.effect():
            yield from self._descriptor(base, name, attributes.effect())
        elif not pointers and not attributes.known and (".buffer." in name or ".image." in name):
            effect = 1 if ".load" in name else 2 if ".store" in name else 3
            yield from self._descriptor(base, name, effect)

    def _mark(self, base: Operation, name: str, callee: Callee) -> Operation:
        """Read a mark of asynchronous operations, or a wait for marks or for a counter."""
        numbers = [_number(argument) for argument in callee.arguments]
        counted = counter_wait(name)
        if name == MARK:
            return replace(base, kind=Kind.MARK, stages=stages_of_mask(numbers[0] if numbers else 0))
        stages = stages_of_mask(numbers[1] if len(numbers) > 1 else 0) if counted is None else counted
        count = numbers[0] if numbers else 0
        return replace(base, kind=Kind.WAIT, stages=stages, count=count, counter=counted is not None)

    def _copy(self, base: Operation, copy: Copy, callee: Callee, roots: Roots) -> Iterator[Operation]:
        """Read a copy between global memory and LDS: a read, and a write."""
        arguments = callee.arguments
        size = copy.size
        if copy.size_argument is not None and copy.size_argument < len(arguments):
            size = _number(arguments[copy.size_argument])
        base = replace(base, size=size, asynchronous=copy.asynchronous, stages=frozenset({copy.stage}))
        values = base.values
        for place, reads in ((copy.source, True), (copy.target, False)):
            half = replace(base, reads=reads, writes=not reads)
            if place is None or place >= len(arguments):  # what a tensor descriptor says
                local = reads != copy.to_lds
                space, number = (Space.LOCAL, 3) if local else (Space.GLOBAL, 1)
                yield self._tagged(replace(half, space=space, address_space=number))
                continue
            if address_space(arguments[place]) is None:  # a buffer that is described by a vector
                yield self._tagged(replace(half, space=Space.BUFFER, address_space=_BUFFER.memory_space))
                continue
            further = Form()
            if copy.offset is not None and copy.offset < len(arguments) and values is not None:
                further = values.integer(arguments[copy.offset])
            if place == copy.lds and copy.lanes and values is not None:
                lane = Symbol("lane", Varies.THREAD, 0, values.wave - 1)
                further += Form.of(lane).scaled(copy.step(size or 4))
            yield self._located(half, arguments[place], roots, further)

    def _descriptor(self, base: Operation, name: str, effect: int) -> Iterator[Operation]:
        """Give an access without a pointer: on AMDGPU through a resource descriptor, else of unknown memory."""
        amdgcn = name.startswith("llvm.amdgcn.")
        yield self._tagged(
            replace(
                base,
                kind=Kind.ACCESS if amdgcn else Kind.CALL,
                reads=bool(effect & 1),
                writes=bool(effect & 2),
                space=Space.BUFFER if amdgcn else Space.ANY,
                address_space=_BUFFER.memory_space if amdgcn else None,
            )
        )


_UNKNOWN = Declaration()


def extent_of(
    written: Sequence[str], operation: Operation, further: Form | None, environment: Environment | None = None
) -> Extent | None:
    """Give the bytes that an access goes to, as far as they are known.

    Parameters
    ----------
    written : sequence of str
        Its address.
    operation : Operation
    further : Form or None
        What is added to the address.
    environment : mapping, optional
        The values of phis on a path; without it, what holds on all paths.

    Returns
    -------
    Extent or None
        None if the object is not known.
    """
    values = operation.values
    address = values.address(written, environment) if values is not None else None
    if values is None or address is None:
        return None
    offset = address.offset
    if offset is not None and further is not None:
        offset += further
    return Extent(address.root, offset, operation.size, values.module.size(address.root))


def _scope_in(operation: Operation, register: str) -> str | None:
    """Give the name of the scope that a register of a function holds; None if it is not known."""
    return operation.values.scope(register) if operation.values is not None else None


def _number(tokens: Sequence[str]) -> int:
    """Read a constant argument; LLVM demands that these are."""
    last = tokens[-1] if tokens else ""
    return int(last) if last.lstrip("-").isdigit() and len(last) < 12 else 0


def _operator(tokens: list[str]) -> tuple[list[str], str]:
    place = 1 if tokens[0] == "volatile" else 0
    return tokens, tokens[place]


def _atomicity(tokens: list[str]) -> tuple[ScopeName, list[Ordering]]:
    """Find the sync scope and the orderings of an atomic instruction."""
    scope = ScopeName("system")
    if "syncscope" in tokens:
        place = tokens.index("syncscope")
        scope = ScopeName.read(decode_string(tokens[place + 2]))
    return scope, [_ORDERINGS[token] for token in tokens if token in _ORDERINGS]


def _plain(parts: Iterable[list[str]]) -> tuple[str, ...]:
    """Give the values of operands without their types, and what is said behind the last one."""
    return tuple(part[1] for part in parts if len(part) > 1)


def _with_slot(operation: Operation, roots: Roots) -> Operation:
    """Name the object where a compare-exchange finds what it expects, if that is in memory."""
    if not operation.given or operation.given[0][:1] != "*":
        return operation
    root = roots.of(operation.given[0][1:])
    return replace(operation, given=("" if root is None else f"*{root[0]}", *operation.given[1:]))
