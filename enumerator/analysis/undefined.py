"""Why an execution has undefined behaviour: where its threads end, and why the value that they depend on is undef."""

from __future__ import annotations

from collections.abc import Iterator

from enumerator.analysis.classify import Classification
from enumerator.analysis.describe import describe_event
from enumerator.analysis.diagnose import Diagnosis, diagnose_undef
from enumerator.program.instructions import Call, Constant, Free, Instruction, Load
from enumerator.program.lines import line_text
from enumerator.program.test import Test
from enumerator.program.types import PointerType
from enumerator.program.values import Pointer, Undef
from enumerator.reference.outcome import barrier_counts
from enumerator.unfold.paths import Path

__all__ = ["BY_ORDER", "causes", "words_for"]

BY_ORDER = frozenset(("ub-private", "ub-free"))
"""Flags that the order of events raises; all other undefined behaviour shows in the paths of threads."""

_BY_VALUES = ("ub-undef", "ub-division", "ub-address")
"""Ends of threads that a value may have led to."""

_ADDRESS, _BRANCH = "accesses memory at an address that is undef", "branches on undef"

_WORDS = {
    "ub-address": "accesses memory outside of every object",
    "ub-division": "divides by zero or by undef",
    "ub-alloc": "asks for memory with an alignment that is no power of two",
    "ub-barrier": "uses a barrier that is not initialized, or changes one that is",
    "ub-lock": "unlocks a lock that it does not hold, or destroys one that is held",
    "ub-free": "frees what is no object of the heap, or not its beginning",
    "ub-unreachable": "reaches `unreachable`",
}

_MISUSES = {
    "ub-lock": {
        "_destroy": "for a lock that is held",
        "_unlock": "for a lock that it does not hold",
        "wait": "for a lock that it does not hold",
    },
    "ub-barrier": {
        "barrier_init": "for a barrier that has been initialized",
        "barrier_destroy": "for a barrier at which threads wait, or that is not initialized",
        "barrier_wait": "for a barrier that is not initialized",
    },
}
"""By flag and a part of the name of a function of the library: what it must not be called for."""


def causes(classification: Classification) -> Iterator[str]:
    """Explain the undefined behaviour of a consistent execution (semantics, section 1, *Flags*).

    Parameters
    ----------
    classification : Classification

    Yields
    ------
    str
        Such as ``ub-undef: t1 line 14 branches on undef: the load at line 13 returns undef: …``; none if the execution
        raises no ``ub-*`` flag.
    """
    flags, combination = classification.flags, classification.execution.combination
    ended = [(thread, path) for thread, path in enumerate(combination.paths) if path.end in flags]
    undef = diagnose_undef(classification) if any(path.end in _BY_VALUES for _, path in ended) else ()
    for thread, path in ended:
        why = _reasons(classification, thread, undef) if path.end in _BY_VALUES else ""
        yield f"{path.end}: {words_for(combination.test, path)}{why}"
    if "ub-barrier" in flags and all(path.end != "ub-barrier" for path in combination.paths):
        yield f"ub-barrier: {_barriers(classification)}"
    if "ub-private" in flags:
        yield from (f"ub-private: {sentence}" for sentence in _shared(classification))
    if "ub-free" in flags:
        yield from (f"ub-free: {sentence}" for sentence in _freed(classification))


def words_for(test: Test, path: Path) -> str:
    """Say how a path ends with undefined behaviour.

    Parameters
    ----------
    test : Test
    path : Path

    Returns
    -------
    str
        Such as ``t1 line 14 branches on undef``.
    """
    place = path.thread if path.end_line is None else f"{path.thread} line {line_text(path.end_line)}"
    every = (each for function in test.functions.values() for each in function.instructions)
    here = [each for each in every if each.line == path.end_line and hasattr(each, "address")]
    if (misused := _misused(test, path)) is not None:
        return f"{place} {misused}"
    if path.end == "ub-free" and here and not any(isinstance(each, Free) for each in here):
        return f"{place} accesses a stack slot of a function that has returned"
    if path.end == "ub-address" and (constant := _constant_written(test, here)) is not None:
        return f"{place} {constant}"
    if path.end != "ub-undef":
        return f"{place} {_WORDS.get(path.end, 'is undefined')}"
    if path.conditions and isinstance(path.conditions[-1][1], Undef):
        type_ = getattr(path.conditions[-1][0], "type", None)
        if type_ is not None:  # several instructions may stand in one line of a source
            return f"{place} {_ADDRESS if isinstance(type_, PointerType) else _BRANCH}"
    return f"{place} {_ADDRESS if here else _BRANCH}"


def _constant_written(test: Test, here: list[Instruction]) -> str | None:
    """Say that instructions write to constant memory; None where the test has none, or they only read."""
    constants = {each.name for each in test.objects if each.constant and not each.hidden}
    addresses = [getattr(each, "address", None) for each in here if not isinstance(each, Load)]
    if not constants or not addresses:
        return None
    values = [each.value for each in addresses if isinstance(each, Constant)]
    if any(isinstance(each, Pointer) and each.object in constants for each in values):
        return "writes to constant memory"
    return f"{_WORDS['ub-address']}, or writes to constant memory"


def _misused(test: Test, path: Path) -> str | None:
    """Say which function of the library was called as it must not be, if there is only one at the place."""
    told = _MISUSES.get(path.end, {})
    every = (each for function in test.functions.values() for each in function.instructions)
    calls = (each.function for each in every if isinstance(each, Call) and each.line == path.end_line)
    names = {each for each in calls if test.functions[each].library}
    found = {f"calls @{name} {what}" for name in names for part, what in told.items() if part in name}
    return found.pop() if len(found) == 1 else None


def _reasons(classification: Classification, thread: int, found: tuple[Diagnosis, ...]) -> str:
    """Give the diagnoses of the undef reads of a thread, or else of all."""
    events = classification.execution.events
    own = [each for each in found if any(events[event].thread == thread for event in each.events)]
    return f": {'; '.join(each.sentence for each in own or found)}" if found else ""


def _barriers(classification: Classification) -> str:
    combination = classification.execution.combination
    for counts in barrier_counts(combination.test, combination.paths).values():
        if len({count for _, count in counts}) > 1:
            each = ", ".join(f"{thread} {arrivals}" for thread, (arrivals, _) in counts)
            return f"threads of one workgroup arrive at different numbers of barriers: {each}"
    return "threads of one workgroup go through different numbers of barriers"


def _shared(classification: Classification) -> Iterator[str]:
    execution = classification.execution
    loc, ext = execution.relation("loc"), execution.relation("ext")
    assert loc is not None and ext is not None  # predefined
    for claimed in sorted(execution.members("TP")):
        for other in sorted(loc.successors(claimed)):
            if execution.events[other].thread is not None and ext.has_edge(claimed, other):
                yield (
                    f"{describe_event(execution, claimed)} is claimed to be private to its thread, and "
                    f"{describe_event(execution, other)} accesses the same location"
                )
                break


def _freed(classification: Classification) -> Iterator[str]:
    """Tell which accesses are not before the end of their object, by the order that the model has for that."""
    execution = classification.execution
    loc, before = execution.relation("loc"), execution.relation("lo")
    before = execution.relation("hb") if before is None else before
    if loc is None or before is None:
        return
    for end in sorted(execution.members("FREE")):
        for other in sorted(loc.successors(end)):
            if other != end and execution.events[other].thread is not None and not before.has_edge(other, end):
                told = f"{describe_event(execution, other)} is not ordered before the end of its object"
                yield f"{told}, {describe_event(execution, end)}"
                break
