"""The names that the code of a thread declares: registers, and locals that are memory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from enumerator.frontend.c.syntax import AddressOf, Declaration, Name, Parameter, ThreadCode, walk
from enumerator.frontend.c.types import ArrayOf, CType, Integer, PointerTo, held_as
from enumerator.frozen import dataclass
from enumerator.program.instructions import Constant
from enumerator.program.test import MemoryObject
from enumerator.program.values import Pointer, Value

__all__ = ["Variable", "Variables"]


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable: its type, and its register or, where it is memory, the name of its object."""

    type: CType
    register: str = ""
    memory: str = ""


class Variables:
    """The variables of a thread in view at a place in its code, and all there were so far.

    Names of disjoint blocks are one register, as in herd7, which results show under the name. One that hides
    another, as C has it, is a variable of its own that results do not show.

    Parameters
    ----------
    code : ThreadCode
    initial : mapping of str to Value
        First values of registers, from the initial state.
    locations : mapping of str to Value
        Initial values of the locations that the initial state declares.
    """

    def __init__(self, code: ThreadCode, initial: Mapping[str, Value], locations: Mapping[str, Value]) -> None:
        self._thread = str(code.number)
        self._initial = dict(initial)
        self._in_memory = frozenset(_in_memory(code))
        self._scopes: list[dict[str, Variable]] = [{}]
        self._registers: dict[str, CType] = {}
        self._objects: dict[str, CType] = {}
        declared = {parameter.name for parameter in code.parameters}
        for name, value in initial.items():
            if name not in declared:
                self.declare(name, PointerTo(Integer()) if isinstance(value, Pointer) else Integer())
        for parameter in code.parameters:
            self._initial.setdefault(parameter.name, _argument(parameter, locations))
            self.declare(parameter.name, parameter.type)
        self._parameters = frozenset(declared - set(initial))
        self.enter()

    def enter(self) -> None:
        """Enter a block."""
        self._scopes.append({})

    def leave(self) -> None:
        """Leave a block."""
        self._scopes.pop()

    def find(self, name: str) -> Variable | None:
        """Give the variable of a name that is in view here."""
        for scope in reversed(self._scopes):
            if name in scope:
                return scope[name]
        return None

    def declare(self, name: str, type_: CType) -> Variable:
        """Declare a name in the current block. Declared again in the same block, it is the same variable."""
        inner = self._scopes[-1]
        hidden = any(name in scope for scope in self._scopes[1:-1])
        internal = f"{name}.{len(self._registers) + len(self._objects)}" if hidden else name
        if name in inner:
            internal = inner[name].register or inner[name].memory.partition(":")[2]
        if name in self._in_memory or isinstance(type_, ArrayOf):
            memory = f"{self._thread}:{internal}"
            self._objects.setdefault(memory, type_)
            inner[name] = Variable(type_, memory=memory)
        else:
            self._registers.setdefault(internal, type_)
            inner[name] = Variable(type_, register=internal)
        return inner[name]

    def initial(self) -> list[tuple[str, Constant]]:
        """Give the first value of each register."""
        return [
            (register, Constant(self._initial.get(register, 0), held_as(type_)))
            for register, type_ in self._registers.items()
        ]

    def objects(self) -> Iterable[MemoryObject]:
        """Give the locals that are memory."""
        for name, type_ in self._objects.items():
            first = None if isinstance(type_, ArrayOf) else self._initial.get(name.partition(":")[2], 0)
            yield MemoryObject(name, held_as(type_), initial=first)

    def shown(self, assigned: frozenset[str]) -> tuple[tuple[str, str], ...]:
        """Give the registers that results show, each with its name there.

        Parameters
        ----------
        assigned : frozenset of str
            A parameter that is an address is only shown where it is among these.
        """
        return tuple(
            (register, register)
            for register, type_ in self._registers.items()
            if "." not in register
            and (register in assigned or register not in self._parameters or not isinstance(type_, PointerTo))
        )

    def registers(self) -> tuple[str, ...]:
        """Give the names of the registers, those that are addresses passed in among them."""
        return tuple(register for register in self._registers if "." not in register)


def _argument(parameter: Parameter, locations: Mapping[str, Value]) -> Value:
    if isinstance(parameter.type, PointerTo):
        return Pointer(parameter.name)
    return locations.get(parameter.name, 0)


def _in_memory(code: ThreadCode) -> Iterable[str]:
    """Give the names whose address is taken, and those of arrays."""
    for node in walk(code.body):
        match node:
            case AddressOf(Name(name)):
                yield name
            case Declaration(ArrayOf(), name):
                yield name
