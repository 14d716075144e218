"""What parts of the code hold: registers, and the members of their classes."""

from __future__ import annotations

from dataclasses import fields, is_dataclass

from enumerator.program.instructions import Constant, Operation, Register

__all__ = ["members_of", "registers_in"]

_MEMBERS: dict[type, tuple[str, ...]] = {}
_TAKERS: dict[type, tuple[str, ...]] = {}
_HOLDERS = "Expression", "Phi", "Instruction", "Terminator", "Block"


def registers_in(part: object) -> list[str]:
    """Name the registers that an instruction, or a part of one, takes.

    Parameters
    ----------
    part : object

    Returns
    -------
    list of str
    """
    found: list[str] = []
    stack = [part]
    while stack:
        each = stack.pop()
        kind = type(each)
        if kind is Register:
            found.append(each.name)  # type: ignore[attr-defined]
        elif kind is Operation:
            stack += each.arguments  # type: ignore[attr-defined]
        elif kind is tuple:
            stack += each  # type: ignore[arg-type]
        else:
            names = _TAKERS.get(kind)
            stack += [getattr(each, name) for name in (_takers(kind) if names is None else names)]
    return found


def _takers(kind: type) -> tuple[str, ...]:
    """Name the fields of a dataclass that may hold expressions."""
    members = fields(kind) if is_dataclass(kind) and kind is not Constant else ()
    names = tuple(each.name for each in members if any(part in str(each.type) for part in _HOLDERS))
    _TAKERS[kind] = names
    return names


def members_of(kind: type) -> tuple[str, ...]:
    """Name the fields of a dataclass; of another type none.

    Parameters
    ----------
    kind : type

    Returns
    -------
    tuple of str
    """
    found = _MEMBERS.get(kind)
    if found is None:
        found = _MEMBERS[kind] = tuple(each.name for each in fields(kind)) if is_dataclass(kind) else ()
    return found
