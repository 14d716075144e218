"""AMDGPU's barrier objects: their intrinsics, all but ``s.barrier``, which is the workgroup's own as a whole.

Source: LLVM, AMDGPUExecutionSynchronization.md, *s_barrier*.
"""

from __future__ import annotations

from enumerator.errors import InputError
from enumerator.frontend.llvm.reader import InstructionReader
from enumerator.frontend.llvm.tokens import NotCovered
from enumerator.program.instructions import NULL_BARRIER, BarrierOperation, Constant, Expression
from enumerator.program.values import Pointer

__all__ = ["barrier_operation", "is_barrier_operation"]

_PREFIX = "llvm.amdgcn.s."
# What each does, and what its arguments are: a place (a pointer or a number), how many threads, or nothing that counts.
_OPERATIONS = {
    "barrier.signal": ("arrive", ("place",)),
    "barrier.signal.isfirst": ("first", ("place",)),
    "barrier.signal.var": ("arrive", ("place", "count")),
    "barrier.wait": ("wait", ("place",)),
    "barrier.init": ("init", ("place", "count")),
    "barrier.join": ("join", ("place",)),
    "barrier.leave": ("drop", ("ignored",)),
    "wakeup.barrier": ("wakeup", ("place",)),
    "cluster.barrier": ("cluster", ()),
}
_OBJECTS = {-1: "workgroup", -3: "cluster", 0: NULL_BARRIER}
_NAMED = range(1, 17)


def is_barrier_operation(name: str) -> bool:
    """Tell whether an intrinsic operates on a barrier object.

    Examples
    --------
    >>> is_barrier_operation("llvm.amdgcn.s.barrier.join"), is_barrier_operation("llvm.amdgcn.s.barrier")
    (True, False)
    """
    return name.removeprefix(_PREFIX) in _OPERATIONS and name.startswith(_PREFIX)


def barrier_operation(name: str, text: InstructionReader) -> BarrierOperation:
    """Read a call of an intrinsic on a barrier object.

    Raises
    ------
    InputError
        For arguments that it does not have.
    NotCovered
        For an object that is not constant.
    """
    operation, shape = _OPERATIONS[name.removeprefix(_PREFIX)]
    arguments = text.arguments()
    if len(arguments) != len(shape):
        wanted = f"{len(shape)} argument{'s' * (len(shape) != 1)}"
        raise InputError(f"{name} takes {wanted}", text.function.path, text.line)
    place, count = "cluster" if operation == "cluster" else "", 0
    for (value, _), part in zip(arguments, shape, strict=True):
        if part == "place":
            place = _object(name, value, text)
        elif part == "count":
            if not isinstance(value, Constant) or not isinstance(value.value, int):
                raise NotCovered(f"{name} with a count that is not constant")
            count = value.value & 0x7F  # seven bits of the register
    target = text.target if operation == "first" and text.target else None
    return BarrierOperation(operation, place, count, target, text.annotation(), text.line)


def _object(name: str, value: Expression, text: InstructionReader) -> str:
    if not isinstance(value, Constant):
        raise NotCovered(f"{name} of a barrier that is not constant")
    if isinstance(value.value, Pointer):
        pointer = value.value
        return f"{pointer.object}+{pointer.offset}" if pointer.offset else pointer.object
    number = value.value
    if isinstance(number, int) and number in _OBJECTS:
        return _OBJECTS[number]
    if isinstance(number, int) and number in _NAMED:
        return f"named barrier {number}"
    raise InputError(f"{name}: there is no barrier {number} for programs", text.function.path, text.line)
