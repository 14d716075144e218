"""From instructions to operations: what they access, their ordering, their tags."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from enumerator.frontend.llvm.debug import DebugLocations
from enumerator.frontend.llvm.intrinsics import AV_LOADS, AV_STORES
from enumerator.frontend.llvm.metadata import Metadata
from enumerator.frontend.llvm.tokens import decode_name, decode_string, tokenize
from enumerator.inspection.builtins import builtin_operations
from enumerator.inspection.effects import (
    Attributes,
    assembly_accesses,
    assembly_barrier,
    barrier_part,
    pointer_effect,
    short_name,
    skipped,
)
from enumerator.inspection.operations import Kind, Operation, Place, ScopeName, Space, Target
from enumerator.inspection.roots import Roots
from enumerator.inspection.syntax import Callee, address_space, callee_of, operand, split
from enumerator.mmra import Profile
from enumerator.program.instructions import Ordering, Tag

__all__ = ["OPCODES", "Declaration", "InstructionReader"]

#: The opcodes of instructions that inspection considers.
OPCODES = frozenset("load store atomicrmw cmpxchg fence call invoke callbr".split())

_ORDERINGS = {ordering.name.lower(): ordering for ordering in Ordering if ordering is not Ordering.NA}
_BUFFER_TAG_SPACE = 1


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
    groups: Mapping[str, Attributes]
    declarations: Mapping[str, Declaration]
    global_name: Callable[[str], str]
    _effective: dict[tuple[object, ...], frozenset[Tag]] = field(default_factory=dict)

    def read(self, opcode: str, text: str, line: int | None, roots: Roots) -> Iterator[Operation]:
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
            place=Place(line, places[0] if places else None, places[1:]),
            tags=self.metadata.tags(attached["!mmra"], self.path, line) if "!mmra" in attached else frozenset(),
            thread_private="!thread.private" in attached,
        )
        match opcode:
            case "load":
                base = replace(base, reads=True)
                if "!invariant.load" in attached:
                    base = replace(base, space=Space.CONSTANT)
                yield self._access(base, tokens, parts, 1, roots)
            case "store":
                yield self._access(replace(base, writes=True), tokens, parts, 1, roots)
            case "atomicrmw":
                tokens, operator = _operator(tokens)
                base = replace(base, what=f"atomicrmw {operator}", reads=True, writes=True)
                yield self._access(base, tokens, parts, 0, roots)
            case "cmpxchg":
                base = replace(base, reads=True, writes=True)
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
        )
        return self._located(operation, address_space(written) or 0, operand(written), roots)

    def _located(self, operation: Operation, space_number: int, pointer: str, roots: Roots) -> Operation:
        """Add the memory that an access goes to, and the tags that follow."""
        space = self.target.space(space_number)
        root = roots.of(pointer) if pointer else None
        if root is not None and space is Space.FLAT:
            space = self.target.space(root[1])
        if operation.space is Space.CONSTANT:
            space = Space.CONSTANT  # an invariant load
        return self._tagged(
            replace(operation, space=space, address_space=space_number, root=root[0] if root is not None else None)
        )

    def _tagged(self, operation: Operation) -> Operation:
        kinds = {
            Kind.FENCE: "F",
            Kind.BARRIER: "B",
            Kind.ACCESS: "R" * operation.reads + "W" * operation.writes,
            Kind.CALL: "",
        }[operation.kind]
        # Buffers are in global memory, which profiles know as address space 1.
        number = _BUFFER_TAG_SPACE if operation.space is Space.BUFFER else operation.address_space or 0
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
                    pointer = callee.arguments[place]
                    yield self._located(operation, address_space(pointer) or 0, operand(pointer), roots)
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
            yield self._tagged(replace(base, kind=Kind.BARRIER, what=short_name(name), barrier=part))
            return
        if skipped(name):
            return
        base = replace(base, what=short_name(name))
        if name in AV_LOADS or name in AV_STORES:
            scope = self.metadata.string(callee.arguments[-1][-1])
            base = replace(base, scope=ScopeName.read(scope or ""))
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
                yield self._located(operation, number, operand(callee.arguments[place]), roots)
        if not pointers and attributes.known and attributes.effect():
            yield from self._descriptor(base, name, attributes.effect())
        elif not pointers and not attributes.known and (".buffer." in name or ".image." in name):
            effect = 1 if ".load" in name else 2 if ".store" in name else 3
            yield from self._descriptor(base, name, effect)

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
            )
        )


_UNKNOWN = Declaration()


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
