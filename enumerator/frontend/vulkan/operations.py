"""What an operation of a Vulkan test says of itself: ``st.atom.rel.wg.sc1.semsc0`` to an annotation.

The attributes are those of the Khronos Alloy model, where ``#acq`` … are sets of events; Dat3M's litmus tests have the
same with shorter scopes. Atomic operations make their own access available or visible, and they, ``av`` and ``vis``
are not private (Vulkan specification, *Memory Model*: "Private vs. Non-Private"; SPIR-V, *Memory Semantics*).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from difflib import get_close_matches

from enumerator.errors import InputError
from enumerator.frozen import dataclass
from enumerator.program.instructions import Annotation, Ordering, Scope

__all__ = ["KINDS", "OPERATORS", "Operation", "parse_operation"]

KINDS = ("st", "ld", "rmw", "membar", "cbar", "avdevice", "visdevice")

OPERATORS = {"add": "add", "plus": "add", "sub": "sub", "and": "and", "or": "or", "xor": "xor"}
"""What a read-modify-write may do, and LLVM's name of it; without any, it exchanges."""

_SCOPES = {
    **{"sg": Scope.WAVEFRONT, "wg": Scope.WORKGROUP, "qf": Scope.CLUSTER, "dv": Scope.AGENT},
    **{"scopesg": Scope.WAVEFRONT, "scopewg": Scope.WORKGROUP, "scopeqf": Scope.CLUSTER, "scopedev": Scope.AGENT},
}
_SEMANTICS = ("acq", "rel", "acq_rel", "semav", "semvis")
_ALLOWED = {
    "st": ("atom", "rel", "semav", "av", "nonpriv"),
    "ld": ("atom", "acq", "semvis", "vis", "nonpriv"),
    "rmw": ("atom", *_SEMANTICS, "av", "vis", "nonpriv", *OPERATORS),
    "membar": _SEMANTICS,
    "cbar": _SEMANTICS,
    "avdevice": (),
    "visdevice": (),
}
_STORAGE_CLASS = re.compile(r"(sem)?sc[0-3]")
_ORDERINGS = {
    (False, False): Ordering.MONOTONIC,
    (True, False): Ordering.ACQUIRE,
    (False, True): Ordering.RELEASE,
    (True, True): Ordering.ACQ_REL,
}


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation: its kind, its annotation, and LLVM's name of what a read-modify-write does."""

    kind: str
    annotation: Annotation
    operator: str = "xchg"


def parse_operation(text: str, fail: Callable[[str, int], InputError]) -> Operation:
    """Parse an operation with its attributes.

    Parameters
    ----------
    text : str
        Words joined by dots; the kind is one of them.
    fail : callable
        Makes an error from a message and an offset in the text.

    Returns
    -------
    Operation

    Raises
    ------
    InputError
        For a word that is unknown, given twice, or does not fit the others.

    Examples
    --------
    >>> found = parse_operation("st.atom.rel.wg.sc1.semsc0", lambda message, offset: InputError(message))
    >>> found.annotation.ordering.name, found.annotation.scope.name, sorted(found.annotation.labels)
    ('RELEASE', 'WORKGROUP', ['AV', 'NONPRIV', 'SC1', 'SEMSC0'])
    """
    offsets: dict[str, int] = {}
    offset = 0
    for word in text.split("."):
        if word in offsets:
            raise fail(f"{word} is given twice", offset)
        offsets[word] = offset
        offset += len(word) + 1
    kind = _kind(text, set(offsets), fail)
    words = set(offsets) - ({"rmw", "ld", "st"} if kind == "rmw" else {kind})
    _check_words(kind, words, offsets, fail)
    acquires, releases = bool(words & {"acq", "acq_rel"}), bool(words & {"rel", "acq_rel"})
    atomic = kind == "rmw" or "atom" in words
    scope = next((_SCOPES[word] for word in words if word in _SCOPES), None)
    _check_sense(kind, words, scope, atomic=atomic, acquires=acquires, releases=releases, fail=fail)
    ordered = atomic or acquires or releases
    annotation = Annotation(
        ordering=_ORDERINGS[acquires, releases] if ordered else Ordering.NA,
        scope=scope if scope is not None else Scope.SYSTEM,
        labels=_labels(kind, words, atomic),
    )
    operator = next((OPERATORS[word] for word in words if word in OPERATORS), "xchg")
    return Operation(kind, annotation, operator)


def _kind(text: str, words: set[str], fail: Callable[[str, int], InputError]) -> str:
    kinds = [kind for kind in KINDS if kind in words]
    if not kinds:
        first = text.partition(".")[0]
        close = get_close_matches(first, KINDS, 1)
        hint = f"; did you mean {close[0]}?" if close else f": expected one of {', '.join(KINDS)}"
        raise fail(f"unknown operation {first!r}{hint}", 0)
    if "rmw" in kinds or (set(kinds) == {"ld", "st"} and "atom" in words):
        return "rmw"
    if len(kinds) > 1:
        raise fail(f"{kinds[0]} and {kinds[1]} exclude each other", 0)
    return kinds[0]


def _check_words(kind: str, words: set[str], offsets: dict[str, int], fail: Callable[[str, int], InputError]) -> None:
    for word in sorted(words, key=offsets.__getitem__):
        place = offsets[word]
        if word in _SCOPES:
            fits = kind not in ("avdevice", "visdevice")
        elif match := _STORAGE_CLASS.fullmatch(word):
            fits = kind in ("st", "ld", "rmw") or (match[1] is not None and kind in ("membar", "cbar"))
        else:
            fits = word in _ALLOWED[kind]
        if fits:
            continue
        known = {*_SCOPES, *_SEMANTICS, *OPERATORS, "atom", "av", "vis", "nonpriv"}
        if word in known or _STORAGE_CLASS.fullmatch(word):
            raise fail(f"{kind} cannot have {word}", place)
        if re.fullmatch(r"(sem)?sc[0-9]+", word):
            raise fail(f"{word}: there are four storage classes, sc0 to sc3", place)
        close = get_close_matches(word, known, 1)
        raise fail(f"unknown attribute {word!r}" + (f"; did you mean {close[0]}?" if close else ""), place)


def _check_sense(
    kind: str,
    words: set[str],
    scope: Scope | None,
    *,
    atomic: bool,
    acquires: bool,
    releases: bool,
    fail: Callable[[str, int], InputError],
) -> None:
    if len(words & set(_SCOPES)) > 1:
        raise fail("an operation has one scope", 0)
    if len(words & set(OPERATORS)) > 1:
        raise fail("a read-modify-write has one operator", 0)
    classes = [word for word in words if re.fullmatch("sc[0-3]", word)]
    if kind in ("st", "ld", "rmw") and len(classes) != 1:
        raise fail(f"{kind} needs one storage class, sc0 to sc3", 0)
    if kind in ("st", "ld") and (acquires or releases) and not atomic:
        raise fail(f"{'acq' if acquires else 'rel'} needs atom", 0)
    if kind == "membar" and not (acquires or releases):
        raise fail("membar needs acq, rel or acq_rel", 0)
    if "semav" in words and not releases:
        raise fail("semav needs rel or acq_rel", 0)
    if "semvis" in words and not acquires:
        raise fail("semvis needs acq or acq_rel", 0)
    if scope is None and (atomic or kind in ("membar", "cbar") or words & {"av", "vis"}):
        what = "an atomic operation" if atomic else kind if kind in ("membar", "cbar") else "av and vis"
        raise fail(f"a scope is missing: {what} need{'s' if what != 'av and vis' else ''} sg, wg, qf or dv", 0)


def _labels(kind: str, words: set[str], atomic: bool) -> frozenset[str]:
    labels = {word.upper() for word in words if _STORAGE_CLASS.fullmatch(word)}
    labels |= {word.upper() for word in words & {"semav", "semvis", "av", "vis", "nonpriv"}}
    if kind in ("avdevice", "visdevice"):
        labels.add(kind.upper())
    if atomic and kind in ("st", "rmw"):
        labels.add("AV")
    if atomic and kind in ("ld", "rmw"):
        labels.add("VIS")
    if labels & {"AV", "VIS"}:
        labels.add("NONPRIV")
    if "acq_rel" in words:  # here it is both, where other languages have it as an ordering of its own
        labels |= {"ACQ", "REL"}
    return frozenset(labels)
