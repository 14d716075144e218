"""Sizes of printed types, as AMDGPU lays them out: what an access covers, and where an element is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from enumerator.frozen import dataclass

__all__ = ["Layout", "read_type"]

_SCALARS = {"half": 2, "bfloat": 2, "float": 4, "double": 8, "fp128": 16, "ppc_fp128": 16}
_POINTERS = {2: 4, 3: 4, 5: 4, 6: 4, 7: 32, 8: 16, 9: 32}  # LLVM AMDGPUUsage, "Address Spaces"; all others have 8 bytes
_DEEPEST = 64


@dataclass(frozen=True, slots=True)
class Layout:
    """A type in memory.

    Parameters
    ----------
    stored : int
        The bytes that an access of this type covers.
    size : int
        The bytes from one to the next in an array.
    alignment : int
    count : int
        Of an array or vector, how many elements.
    element : Layout or None
    fields : tuple of (int, Layout)
        Of a struct: the offset and the type of each field.
    """

    stored: int
    size: int
    alignment: int
    count: int = 0
    element: Layout | None = None
    fields: tuple[tuple[int, Layout], ...] = ()


def read_type(tokens: Sequence[str], structs: Mapping[str, Sequence[str]]) -> Layout | None:
    """Read the type that tokens begin with; None for one whose size is not known.

    Parameters
    ----------
    tokens : sequence of str
    structs : mapping of str to sequence of str
        What the module's names of types stand for.

    Examples
    --------
    >>> read_type("[ 4 x < 3 x float > ]".split(), {}).size, read_type("{ i8 , i32 }".split(), {}).fields[1][0]
    (64, 4)
    >>> read_type(["%opaque"], {}) is None
    True
    """
    return _read(tokens, 0, structs, 0)[0]


def _read(
    tokens: Sequence[str], at: int, structs: Mapping[str, Sequence[str]], depth: int
) -> tuple[Layout | None, int]:
    token = tokens[at] if at < len(tokens) else ""
    if depth > _DEEPEST:
        return None, at + 1
    if token[:1] == "i" and token[1:].isdigit() and len(token) < 9:
        stored = (int(token[1:]) + 7) // 8
        size = max(1, 1 << (stored - 1).bit_length())
        return Layout(stored, size, min(size, 16)), at + 1
    if token in _SCALARS:
        return Layout(_SCALARS[token], _SCALARS[token], _SCALARS[token]), at + 1
    if token == "ptr":
        space = 0
        if list(tokens[at + 1 : at + 3]) == ["addrspace", "("] and tokens[at + 3].isdecimal():
            space, at = int(tokens[at + 3]), at + 4
        size = _POINTERS.get(space, 8)
        return Layout(size, size, size), at + 1
    if token == "<" and tokens[at + 1 : at + 2] == ["{"]:
        found, at = _struct(tokens, at + 1, structs, depth, packed=True)
        return found, at + 1
    if token == "{":
        return _struct(tokens, at, structs, depth, packed=False)
    if token in ("[", "<"):
        return _sequence(tokens, at, structs, depth)
    if token in structs:
        return _read(structs[token], 0, structs, depth + 1)[0], at + 1
    return None, at + 1


def _sequence(
    tokens: Sequence[str], at: int, structs: Mapping[str, Sequence[str]], depth: int
) -> tuple[Layout | None, int]:
    counted = tokens[at + 1] if at + 1 < len(tokens) else ""
    element, end = _read(tokens, at + 3, structs, depth + 1)
    if element is None or not counted.isdecimal() or len(counted) > 12:
        return None, end + 1
    count = int(counted)
    if tokens[at] == "[":
        size = count * element.size
        return Layout(size, size, element.alignment, count, element), end + 1
    stored = count * element.stored
    size = max(1, 1 << (stored - 1).bit_length()) if stored else 1
    return Layout(stored, size, size, count, element), end + 1


def _struct(
    tokens: Sequence[str], at: int, structs: Mapping[str, Sequence[str]], depth: int, *, packed: bool
) -> tuple[Layout | None, int]:
    fields: list[tuple[int, Layout]] = []
    offset, alignment, known = 0, 1, True
    at += 1
    while at < len(tokens) and tokens[at] != "}":
        if tokens[at] == ",":
            at += 1
            continue
        field, at = _read(tokens, at, structs, depth + 1)
        if field is None:
            known = False
            continue
        if not packed:
            offset = -(-offset // field.alignment) * field.alignment
            alignment = max(alignment, field.alignment)
        fields.append((offset, field))
        offset += field.size
    size = -(-offset // alignment) * alignment
    return (Layout(size, size, alignment, fields=tuple(fields)) if known else None), at + 1
