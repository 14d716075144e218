"""Numbers that are put together again of their pieces: programs take a word apart to look at one half of it.

Where the pieces are all there, each in its place, the value is the word: what a compare-exchange expects is then what
has been read, not something that is computed from it.
"""

from __future__ import annotations

from enumerator.frozen import dataclass
from enumerator.program.types import IntType, Type
from enumerator.unfold.paths import Computed, Known, Node, ReadValue

__all__ = ["put_together"]

_MOVE = frozenset(("and", "lshr", "or", "shl", "trunc", "zext"))
_DEEPEST = 12
"""Operations on the way to a piece: a word has few pieces."""


def put_together(left: Node, right: Node, type_: Type) -> Node | None:
    """Give the number of whose pieces an ``or`` is that has all of them, each in its place.

    Parameters
    ----------
    left, right : Node
        What the ``or`` takes.
    type_ : Type
        Its type.

    Returns
    -------
    Node or None
        None where it is none, or does not have all.

    Examples
    --------
    >>> word, half = IntType(32), IntType(16)
    >>> read = ReadValue(0, word)
    >>> low = Computed("zext", (Computed("trunc", (read,), half, word),), word, half)
    >>> high = Computed("and", (read, Known(0xFFFF0000)), word, word)
    >>> put_together(high, low, word) is read
    True
    >>> put_together(low, low, word)
    """
    if not (isinstance(left, Computed) and isinstance(right, Computed) and isinstance(type_, IntType)):
        return None
    found = _together(_piece(left, _DEEPEST), _piece(right, _DEEPEST))
    if found is None or found.by or found.mask != _ones(type_.width):
        return None
    return found.of if _width(found.of) == type_.width else None


@dataclass(frozen=True, slots=True)
class _Piece:
    """A number that is some bits of another one, moved together, and zero besides.

    Parameters
    ----------
    of : Node
        The other one.
    by : int
        How far they are moved, to higher places; to lower ones, if it is negative.
    mask : int
        The places at which they are now.
    """

    of: Node
    by: int
    mask: int


def _together(one: _Piece | None, other: _Piece | None) -> _Piece | None:
    if one is None or other is None or one.by != other.by or not _is_same(one.of, other.of):
        return None
    return _Piece(one.of, one.by, one.mask | other.mask)


def _is_same(one: Node, other: Node) -> bool:
    return one is other or (isinstance(one, ReadValue) and isinstance(other, ReadValue) and one.index == other.index)


def _ones(width: int) -> int:
    return (1 << width) - 1


def _width(node: Node) -> int | None:
    type_ = node.type if isinstance(node, Computed | ReadValue) else None
    return type_.width if isinstance(type_, IntType) else None


def _piece(node: Node, deep: int) -> _Piece | None:
    """Give of what a value is a piece: maybe of itself."""
    width = _width(node)
    if width is None or deep == 0:
        return None
    if not isinstance(node, Computed) or node.operator not in _MOVE:
        return _Piece(node, 0, _ones(width))
    found = _piece(node.arguments[0], deep - 1)
    match node.operator, node.arguments[1:]:
        case "or", (other,):
            return _together(found, _piece(other, deep - 1))
        case "zext" | "trunc", () if found is not None:
            return _Piece(found.of, found.by, found.mask & _ones(width))
        case "and", (Known(value=int(mask)),) if found is not None:
            return _Piece(found.of, found.by, found.mask & mask)
        case "shl", (Known(value=int(by)),) if found is not None and 0 <= by < width:
            return _Piece(found.of, found.by + by, found.mask << by & _ones(width))
        case "lshr", (Known(value=int(by)),) if found is not None and 0 <= by < width:
            return _Piece(found.of, found.by - by, found.mask >> by)
    return None
