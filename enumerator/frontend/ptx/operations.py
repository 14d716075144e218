"""What an instruction of a PTX test says of itself: ``atom.acq_rel.gpu.add`` to an annotation.

References
----------
NVIDIA: PTX ISA, *Memory Consistency Model*, and the instructions ``ld``, ``st``, ``atom``, ``red``, ``fence``
(``membar``), ``bar``, ``suld``, ``sust``, ``sured``, ``tex``. Dat3M: ``LitmusPTX.g4``.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from difflib import get_close_matches

from enumerator.errors import InputError
from enumerator.frozen import dataclass
from enumerator.program.instructions import Annotation, Ordering, Scope

__all__ = ["KINDS", "Operation", "parse_operation"]

_ACCESSES = {
    "ld": ("ld", "GEN"),
    "suld": ("ld", "SUR"),
    "tld": ("ld", "TEX"),
    "cold": ("ld", "CON"),
    "st": ("st", "GEN"),
    "sust": ("st", "SUR"),
    "atom": ("atom", "GEN"),
    "suatom": ("atom", "SUR"),
    "red": ("red", "GEN"),
    "sured": ("red", "SUR"),
}
"""What an instruction does, and by which proxy."""

KINDS = (*_ACCESSES, "fence", "bar")

_SCOPES = {"cta": Scope.WORKGROUP, "cluster": Scope.CLUSTER, "gpu": Scope.AGENT, "sys": Scope.SYSTEM}
_ORDERINGS = {
    "weak": Ordering.NA,
    "relaxed": Ordering.MONOTONIC,
    "acquire": Ordering.ACQUIRE,
    "release": Ordering.RELEASE,
    "acq_rel": Ordering.ACQ_REL,
    "sc": Ordering.SEQ_CST,
}
_ALLOWED = {
    "ld": ("weak", "relaxed", "acquire"),
    "st": ("weak", "relaxed", "release"),
    "atom": ("relaxed", "acquire", "release", "acq_rel"),
    "red": ("relaxed", "acquire", "release", "acq_rel"),
    "fence": ("acquire", "release", "acq_rel", "sc"),
}
_OPERATORS = {
    **{"add": "add", "sub": "sub", "mul": "mul", "div": "sdiv", "and": "and", "or": "or", "xor": "xor"},
    **{"min": "min", "max": "max"},
}
_PROXIES = {"generic": "GEN", "constant": "CON", "surface": "SUR", "texture": "TEX"}

# What a half of a read-modify-write has besides the ordering of the whole: both halves are strong.
_HALVES = {
    Ordering.MONOTONIC: frozenset[str](),
    Ordering.ACQUIRE: frozenset({"RLX"}),
    Ordering.RELEASE: frozenset({"RLX"}),
    Ordering.ACQ_REL: frozenset({"ACQ", "REL"}),
}

_Fail = Callable[[str, int], InputError]


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation: its kind (``ld st atom red fence bar``), its annotation, and what an ``atom`` or ``red`` does.

    The operator is LLVM's name, or ``cas``. `plain` is a ``ld`` without any attribute, which moves a value.
    """

    kind: str
    annotation: Annotation
    operator: str = ""
    plain: bool = False


def parse_operation(text: str, fail: _Fail) -> Operation:
    """Parse an operation with its attributes.

    Parameters
    ----------
    text : str
        Words joined by dots; the first is one of :data:`KINDS`.
    fail : callable
        Makes an error from a message and an offset in the text.

    Returns
    -------
    Operation

    Raises
    ------
    InputError
        For a word that does not fit where it stands.

    Examples
    --------
    >>> found = parse_operation("sust.release.gpu", lambda message, offset: InputError(message))
    >>> found.kind, found.annotation.ordering.name, found.annotation.scope.name, sorted(found.annotation.labels)
    ('st', 'RELEASE', 'AGENT', ['SUR'])
    """
    words = _Words(text, fail)
    head = words.next("")
    if head == "bar":
        return _barrier(words)
    if head == "fence":
        return _fence(words)
    kind, proxy = _ACCESSES[head]
    labels = frozenset({proxy, "CONSTANT"}) if proxy == "CON" else frozenset({proxy})
    if kind == "ld" and head == "ld" and words.done:
        return Operation("ld", Annotation(), plain=True)
    ordering = words.one_of(_ALLOWED[kind], f"{head} needs", _ORDERINGS)
    if ordering == "weak":
        words.end("a weak access has no scope")
        return Operation(kind, Annotation(labels=labels))
    scope = words.one_of(_SCOPES, f"{head}.{ordering} needs a scope:")
    annotation = Annotation(_ORDERINGS[ordering], _SCOPES[scope], labels=labels)
    if kind in ("ld", "st"):
        words.end(f"{head} has no more attributes")
        return Operation(kind, annotation)
    exchanges = ("cas", "exch") if kind == "atom" else ()
    operator = words.one_of((*_OPERATORS, *exchanges), f"{head} needs an operation:")
    words.end(f"{head} has no more attributes")
    labels |= _HALVES[annotation.ordering] | (frozenset({"RED"}) if kind == "red" else frozenset())
    annotation = Annotation(annotation.ordering, annotation.scope, labels=labels)
    return Operation(kind, annotation, "xchg" if operator == "exch" else _OPERATORS.get(operator, operator))


def _fence(words: _Words) -> Operation:
    what = words.one_of((*_ALLOWED["fence"], "proxy"), "fence needs", _ORDERINGS)
    if what == "proxy":
        proxy = words.one_of((*_PROXIES, "alias"), "fence.proxy needs")
        words.end("a proxy fence has no scope")
        if proxy == "alias":
            labels = frozenset({"ALIAS"})
        else:
            labels = frozenset({_PROXIES[proxy], "CONSTANT"} if proxy == "constant" else {_PROXIES[proxy]})
        return Operation("fence", Annotation(Ordering.NA, Scope.WORKGROUP, labels=labels | {"PROXY"}))
    scope = words.one_of(_SCOPES, f"fence.{what} needs a scope:")
    words.end("fence has no more attributes")
    return Operation("fence", Annotation(_ORDERINGS[what], _SCOPES[scope], labels=frozenset({"GEN"})))


def _barrier(words: _Words) -> Operation:
    words.one_of(("cta",), "bar needs")
    mode = words.one_of(("sync", "arrive"), "bar.cta needs")
    words.end("bar has no more attributes")
    labels = frozenset({"ARRIVE"}) if mode == "arrive" else frozenset[str]()
    return Operation("bar", Annotation(Ordering.NA, Scope.WORKGROUP, labels=labels))


class _Words:
    """The words of an instruction, and how many have been read."""

    def __init__(self, text: str, fail: _Fail) -> None:
        self._words = text.split(".")
        self._fail = fail
        self._read = 0

    @property
    def done(self) -> bool:
        return self._read >= len(self._words)

    @property
    def _offset(self) -> int:
        return sum(len(word) + 1 for word in self._words[: self._read])

    def next(self, wanted: str) -> str:
        if self.done:
            raise self._fail(wanted, self._offset - 1)
        self._read += 1
        return self._words[self._read - 1]

    def one_of(self, allowed: Iterable[str], what: str, known: Container[str] = ()) -> str:
        wanted = f"{what} {_listed(tuple(allowed))}"
        offset = self._offset
        word = self.next(wanted)
        if word in allowed:
            return word
        if word in known:
            raise self._fail(f"{self._words[0]} cannot be {word}: {wanted}", offset)
        close = get_close_matches(word, tuple(allowed), 1)
        hint = f"; did you mean {close[0]}?" if close else f": {wanted}"
        raise self._fail(f"unknown attribute {word!r}{hint}", offset)

    def end(self, message: str) -> None:
        if not self.done:
            raise self._fail(f"unexpected {self._words[self._read]!r}: {message}", self._offset)


def _listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
