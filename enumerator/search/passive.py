"""Passive reads: what they return makes no difference to which reads return undef, by the rule of a model.

What happens before what is told by the atomic reads that read from each other. So the sets that tell which reads
return undef stay the same, whatever a plain read takes.
"""

from __future__ import annotations

from collections.abc import Container
from functools import partial

from enumerator.cat.nodes import RELATION, CompiledModel, Node
from enumerator.cat.predefined import UNDEF_SET
from enumerator.events import RELATIONS
from enumerator.search.deduced import Deduced
from enumerator.search.settled import settled_rules

__all__ = ["PassiveReads"]

_SAME, _SAME_ELSEWHERE, _NOT_FIRST, _NOT_SECOND, _OF_ONE_ACCESS = (1 << bit for bit in range(5))
"""What is told of a relation, or set, as a read, with the other parts of its access, takes something else.

It stays the same; it does so, but for pairs that end with the read, or the read as a member; no pair begins, or ends,
with the read, or it is no member; each pair is of one access.
"""
_STEADY = _SAME | _SAME_ELSEWHERE
_NO_MEMBER = _NOT_FIRST | _NOT_SECOND
_ALL = _STEADY | _NO_MEMBER | _OF_ONE_ACCESS


class PassiveReads:
    """The reads whose values make no difference to the sets of a model that are settled early, if there are such sets.

    Parameters
    ----------
    model : CompiledModel

    Examples
    --------
    >>> from enumerator.cat.compiler import compile_model
    >>> from enumerator.cat.typing import select
    >>> from enumerator.search.bitset import base_kinds
    >>> amdgpu = select("amdgpu", (), {})
    >>> empty = frozenset({"unsequenced", "started", "completed"})
    >>> passive = PassiveReads(compile_model(amdgpu.model, amdgpu.variants, base_kinds(), empty=empty))
    >>> passive.include(frozenset({"R", "M"})), passive.include(frozenset({"R", "M", "A", "Atomic"}))
    (True, False)
    """

    def __init__(self, model: CompiledModel) -> None:
        rules = settled_rules(model)
        self._rules = *rules.allowed, *rules.forced, *rules.stay
        self._known: dict[frozenset[str], bool] = {}

    def include(self, names: frozenset[str]) -> bool:
        """Tell whether a read is one of them.

        Parameters
        ----------
        names : frozenset of str
            The predefined sets that it is in. It is no part of a read-modify-write.

        Returns
        -------
        bool
        """
        if names not in self._known:
            deduced = Deduced(partial(_told, names), _ALL, _SAME_ELSEWHERE)
            self._known[names] = bool(self._rules) and all(deduced(rule) & _SAME for rule in self._rules)
        return self._known[names]


def _told(names: Container[str], node: Node, says: list[int]) -> int:
    found = _of_one(node, says, names)
    if found & _SAME_ELSEWHERE and found & _NOT_SECOND:  # only pairs that it does not have could be others
        found |= _SAME
    return found


def _of_one(node: Node, says: list[int], names: Container[str]) -> int:
    match node.operator, says:
        case "base", _:
            return _of_base(node, names)
        case "empty", _:
            return _ALL
        case "full", _:
            return _STEADY
        case "|", (first, second):
            return first & second
        case "&", (first, second):
            return first & second & _STEADY | (first | second) & ~_STEADY
        case "\\", (first, second):
            return first & second & _STEADY | first & ~_STEADY
        case "~", (first,):
            return first & _STEADY
        case "^-1", (first,):
            steady = _STEADY if first & _SAME else 0
            return steady | _turned(first) | first & _OF_ONE_ACCESS
        case "*", (first, second):
            steady = second & _STEADY if first & _SAME else 0
            return steady | first & _NOT_FIRST | second & _NOT_SECOND
        case "[]", (first,):
            return first | _OF_ONE_ACCESS
        case "domain", (first,):
            return (_STEADY if first & _SAME else 0) | (_NO_MEMBER if first & _NOT_FIRST else 0)
        case "range", (first,):
            return first & _STEADY | (_NO_MEMBER if first & _NOT_SECOND else 0)
        case "?", (first,):
            return first & ~_NO_MEMBER
        case "+", (first,):
            return _closed(first)
        case "star", (first,):
            return _closed(first) & ~_NO_MEMBER
        case ";", (first, second):
            said = first & _NOT_FIRST | second & _NOT_SECOND | first & second & _OF_ONE_ACCESS
            return said | _composed(first, second)
    return 0


def _of_base(node: Node, names: Container[str]) -> int:
    if node.kind != RELATION:
        if node.name == UNDEF_SET:
            return _SAME_ELSEWHERE
        return _STEADY if node.name in names else _STEADY | _NO_MEMBER
    match node.name:
        case "rf":
            return _SAME_ELSEWHERE | _NOT_FIRST
        case "rmw":
            return _STEADY | _NO_MEMBER
        case "parts":
            return _STEADY | _OF_ONE_ACCESS
    return _STEADY if node.name in RELATIONS else 0


def _turned(says: int) -> int:
    return (_NOT_SECOND if says & _NOT_FIRST else 0) | (_NOT_FIRST if says & _NOT_SECOND else 0)


def _closed(says: int) -> int:
    # A pair that ends with the read is the last step where none begins with it.
    steady = says & _STEADY if says & (_SAME | _NOT_FIRST) else 0
    return steady | says & ~_STEADY


def _composed(first: int, second: int) -> int:
    """Tell how steady a composition is."""
    if first & _SAME or (first & _SAME_ELSEWHERE and second & _NOT_FIRST):
        return second & _STEADY
    if first & _SAME_ELSEWHERE and second & _SAME and second & _OF_ONE_ACCESS:
        return _SAME_ELSEWHERE
    return 0
