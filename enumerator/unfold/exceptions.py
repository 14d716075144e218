"""Symbolic execution of exceptions: where a throw leads to, through the functions that are active.

As the Itanium C++ ABI has it (Exception Handling, 1.3), a handler is sought first. Where there is none the program
ends, as if an assertion had failed. Else the functions in between are left one by one, and clean up.
"""

from __future__ import annotations

from collections.abc import Iterator

from enumerator.program.instructions import BeginCatch, Call, Constant, EndCatch, Jump, LandingPad, Resume, Throw
from enumerator.program.types import IntType, PointerType, StructType
from enumerator.program.values import Pointer
from enumerator.unfold.control import call, jump
from enumerator.unfold.heap import end_slots
from enumerator.unfold.nodes import compute
from enumerator.unfold.paths import Known
from enumerator.unfold.state import NONE, Local, Thrown
from enumerator.unfold.thread import ThreadState

__all__ = ["begin_catch", "end_catch", "land", "resume", "throw"]

_LANDED = StructType((PointerType(), IntType(32)))
_TYPE, _POINTER_TYPE = "@_ZTI", "@_ZTIP"


def throw(state: ThreadState, instruction: Throw) -> None:
    """Throw an exception, or that which is being handled once more; the path ends where nothing catches it.

    Raises
    ------
    InputError
        If it is not known what catches it.
    """
    line = instruction.line
    if instruction.object is None:
        if not state.caught:
            state.finish("assert", line)  # ISO C++20, 7.6.18: std::terminate
            return
        name = state.caught[-1]
        state.exceptions = {**state.exceptions, name: state.exceptions[name].again(True)}
    else:
        name = _name(state, state.value(instruction.object), line)
        state.exceptions = {**state.exceptions, name: Thrown(instruction.type, instruction.destructor)}
    if any(number is not None for _, _, number in _ways(state, name, line)):
        _unwind(state, name, line)
    else:
        state.finish("assert", line)


def resume(state: ThreadState, instruction: Resume) -> None:
    """Let an exception go on, from where a function has been cleaned up."""
    name = _name(state, state.value(instruction.exception), instruction.line)
    _unwind(state, name, instruction.line)


def land(state: ThreadState, instruction: LandingPad) -> None:
    """Say which exception has led to a landing pad, and which of its types it is of."""
    assert state.landed is not None
    name, number = state.landed
    parts = (Known(Pointer(name)), Known(number))
    state.assign(instruction.target, compute("tuple", parts, _LANDED, _LANDED), NONE)


def begin_catch(state: ThreadState, instruction: BeginCatch) -> None:
    """Begin to handle an exception."""
    name = _name(state, state.value(instruction.exception), instruction.line)
    state.exceptions = {**state.exceptions, name: state.exceptions[name].again(False)}
    state.caught += (name,)
    if instruction.target is not None:
        state.assign(instruction.target, Known(Pointer(name)), NONE)


def end_catch(state: ThreadState, instruction: EndCatch) -> None:
    """End the handling of an exception: it is destroyed, unless it has been thrown again or is handled once more."""
    if not state.caught:
        raise state.error("the handling of an exception ends where none is handled", instruction.line)
    *others, name = state.caught
    state.caught = tuple(others)
    thrown = state.exceptions[name]
    if not thrown.flies and name not in others and thrown.destructor:
        if thrown.destructor not in state.shared.functions:
            raise state.error(f"an exception is destroyed by {thrown.destructor}, which has no body", instruction.line)
        call(state, Call(None, thrown.destructor, (Constant(Pointer(name), PointerType()),), instruction.line))


def _name(state: ThreadState, exception: Local, line: int | None) -> str:
    """Give the object of an exception by name."""
    node = exception.node
    if isinstance(node, Known) and isinstance(node.value, Pointer):
        return node.value.object
    raise state.error("an exception that is not known", line)


def _ways(state: ThreadState, name: str, line: int | None) -> Iterator[tuple[int, str, int | None]]:
    """Give the places that an exception passes: how deep, the block, and its number where it is caught there."""
    for depth in reversed(range(len(state.frames))):
        frame = state.frames[depth]
        end = frame.block.terminator
        if not isinstance(end, Jump) or end.unwind is None or frame.position != len(frame.block.body):
            continue
        pad = next(part for part in frame.blocks[end.unwind].body if isinstance(part, LandingPad))
        number = next((each for type_, each in pad.catches if _catches(state, name, type_, line)), None)
        if number is not None or pad.cleanup:
            yield depth, end.unwind, number
        if number is not None:
            return


def _unwind(state: ThreadState, name: str, line: int | None) -> None:
    """Go to the first place that an exception passes."""
    depth, block, number = next(_ways(state, name, line))
    for frame in state.frames[depth + 1 :]:
        if frame.function.library:
            raise state.error("an exception leaves a function of the library that calls others", line)
    end_slots(state, depth + 1, line)
    del state.frames[depth + 1 :]
    state.landed = name, number or 0
    jump(state, block)


def _catches(state: ThreadState, name: str, catching: str, line: int | None) -> bool:
    """Tell whether a handler of a type catches an exception: one of its type, or of a base of that."""
    type_ = state.exceptions[name].type
    if catching in ("", type_) and not (catching and type_.startswith(_POINTER_TYPE)):
        return True
    if type_.startswith(_POINTER_TYPE):
        raise state.error("an exception that is a pointer, caught by its type", line)
    return any(base == catching for base in _bases(state, type_, line))


def _bases(state: ThreadState, type_: str, line: int | None) -> Iterator[str]:
    """Give the direct and indirect bases of a type."""
    while type_ not in _WITHOUT_BASES:
        base = _OF_LIBRARY.get(type_)
        if base is None:
            base = _base(state, type_, line)
        if not base:
            return
        yield base
        type_ = base


def _base(state: ThreadState, type_: str, line: int | None) -> str:
    """Give the base of a class as the object says that describes it (Itanium C++ ABI, 2.9.5); empty if it has none."""
    memory = state.shared.objects.get(type_)
    described = memory.initial if memory is not None else None
    if isinstance(described, tuple):
        first, *others = (part for part in described if isinstance(part, Pointer))
        found = [part.object for part in others if part.object.startswith(_TYPE)]
        if first.object.startswith(_CLASS) and len(found) == int(first.object.startswith(_DERIVED)):
            return found[0] if found else ""
    raise state.error(f"an exception of a type whose bases are not known: {type_.removeprefix('@')}", line)


_DERIVED = "@_ZTVN10__cxxabiv120__si_"
_CLASS = ("@_ZTVN10__cxxabiv117__class_", _DERIVED)
"""How tables begin of what describes a class: of one without bases, and of one with one base at its beginning."""

_WITHOUT_BASES = frozenset(f"{_TYPE}{letter}" for letter in "vbcahstijlmxynofdegw")
"""Numbers (Itanium C++ ABI, 5.1.5.2)."""


def _standard(name: str) -> str:
    return f"{_TYPE}St{len(name)}{name}"


_OF_LIBRARY = {
    _standard(name): _standard(base) if base else ""
    for base, names in {
        "": "exception",
        "exception": "logic_error runtime_error bad_alloc bad_cast bad_typeid bad_exception bad_function_call "
        "bad_weak_ptr bad_optional_access bad_variant_access",
        "logic_error": "domain_error invalid_argument length_error out_of_range future_error",
        "runtime_error": "range_error overflow_error underflow_error system_error",
        "bad_alloc": "bad_array_new_length",
        "bad_cast": "bad_any_cast",
    }.items()
    for name in names.split()
}
"""The bases of exceptions of the library (ISO C++20, 17.9, 19.2): it has what describes them."""
