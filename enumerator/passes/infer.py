"""Inference of thread-private accesses (semantics, section 5).

An access may carry ``!thread.private`` if only one thread reaches its location, in every consistent execution. Each
access instruction gets a label, and the model a flag for each label: one enumeration answers for many instructions,
and keeps no execution.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from enum import Enum
from typing import TYPE_CHECKING

from enumerator.clock import time_limit
from enumerator.engines import search
from enumerator.frozen import dataclass
from enumerator.options import DEFAULT, Options
from enumerator.program.instructions import Block, CompareExchange, Function, Instruction, Load, ReadModifyWrite, Store
from enumerator.program.test import Test

if TYPE_CHECKING:
    from enumerator.cat.selected import SelectedModel
    from enumerator.request import Request

__all__ = ["Access", "Inference", "Privacy", "infer_thread_private"]

_FLAGS_A_RUN = 30
"""Instructions that one enumeration asks about: it has 64 flags, two an instruction."""


class Privacy(Enum):
    """What is known of an access."""

    PRIVATE = "private"  # one thread only reaches its locations
    SHARED = "shared"  # another thread reaches one of them in some consistent execution
    UNREACHED = "unreached"  # no consistent execution performs it
    UNKNOWN = "unknown"  # a limit was reached


@dataclass(frozen=True)
class Access:
    """An access instruction and what is inferred of it.

    Parameters
    ----------
    function : str
    line : int or None
    what : {'load', 'store', 'atomicrmw', 'cmpxchg'}
    annotated : bool
        It carries ``!thread.private``.
    privacy : Privacy
    witness : tuple of str
        For a shared access that is annotated: lines that describe an execution in which another thread reaches its
        location.
    """

    function: str
    line: int | None
    what: str
    annotated: bool
    privacy: Privacy
    witness: tuple[str, ...] = ()

    @property
    def broken(self) -> bool:
        """Whether it carries the annotation wrongly."""
        return self.annotated and self.privacy is Privacy.SHARED

    @property
    def inferable(self) -> bool:
        """Whether it could carry the annotation and does not."""
        return not self.annotated and self.privacy is Privacy.PRIVATE


@dataclass(frozen=True)
class Inference:
    """The accesses of a test, in the order of its functions.

    Parameters
    ----------
    name, path : str
        Of the test.
    model, profile : str
    accesses : tuple of Access
    complete : bool
        No limit was reached.
    """

    name: str
    path: str
    model: str
    profile: str
    accesses: tuple[Access, ...]
    complete: bool = True

    @property
    def broken(self) -> bool:
        """Whether some access carries the annotation wrongly."""
        return any(access.broken for access in self.accesses)

    def as_json(self) -> dict[str, object]:
        """Give the result as JSON holds it."""
        return {
            "name": self.name,
            "path": self.path,
            "model": self.model,
            "profile": self.profile,
            "status": "complete" if self.complete else "limit",
            "accesses": [
                {
                    "function": access.function,
                    "line": access.line,
                    "access": access.what,
                    "annotated": access.annotated,
                    "privacy": access.privacy.value,
                    "inferable": access.inferable,
                    "broken": access.broken,
                    "witness": list(access.witness),
                }
                for access in self.accesses
            ],
        }


def infer_thread_private(
    test: Test, model: str | SelectedModel | None = None, *, options: Options = DEFAULT
) -> Inference:
    """Find out which accesses may carry ``!thread.private``, and which carry it wrongly.

    Parameters
    ----------
    test : Test
    model : str or SelectedModel, optional
        As for :func:`enumerator.check`.
    options : Options
        How the executions are enumerated; a time limit holds for the few enumerations that this takes together.

    Returns
    -------
    Inference

    Raises
    ------
    InputError
        As for checking the test.

    See Also
    --------
    enumerator.check
    """
    with time_limit(options.timeout):
        return _infer(test, model, options)


def _infer(test: Test, model: str | SelectedModel | None, options: Options) -> Inference:
    from enumerator.asking import make_request, select_model, select_profile

    labelled, accesses = _label(test)
    selected = select_model(test, model, options)
    profile = select_profile(test, options.profile, selected)
    request = make_request(labelled, selected, profile, replace(options, outcomes_only=True, first=False))
    found: list[Access] = []
    complete = True
    for start in range(0, len(accesses), _FLAGS_A_RUN):
        chosen = range(start, min(start + _FLAGS_A_RUN, len(accesses)))
        outcomes = search(replace(request, model=_asking(selected, chosen)), options.engine)
        decided = outcomes.status == "complete" and not outcomes.cut
        complete &= decided
        for number in chosen:
            access = accesses[number]
            if f"shared-{number}" in outcomes.flags:
                access = replace(access, privacy=Privacy.SHARED)
                if access.annotated:
                    access = replace(access, witness=_witness(request, options.engine, number))
            elif decided:
                reached = f"reached-{number}" in outcomes.flags
                access = replace(access, privacy=Privacy.PRIVATE if reached else Privacy.UNREACHED)
            found.append(access)
    return Inference(test.name, test.path, selected.name, profile.name, tuple(found), complete)


# Labels -----------------------------------------------------------------------------------------------------


def _label(test: Test) -> tuple[Test, list[Access]]:
    """Give each access instruction of a thread's code a label of its own; not those of the library."""
    accesses: list[Access] = []
    functions = {
        name: function if function.library else replace(function, blocks=tuple(_label_blocks(function, accesses)))
        for name, function in test.functions.items()
    }
    return replace(test, functions=functions), accesses


def _label_blocks(function: Function, accesses: list[Access]) -> Iterator[Block]:
    for block in function.blocks:
        body = []
        for instruction in block.body:
            name = _access_name(instruction)
            if name is None or not isinstance(instruction, Load | Store | ReadModifyWrite | CompareExchange):
                body.append(instruction)
                continue
            annotation = instruction.annotation
            label = f"access-{len(accesses)}"
            accesses.append(Access(function.name, instruction.line, name, annotation.thread_private, Privacy.UNKNOWN))
            body.append(replace(instruction, annotation=replace(annotation, labels=annotation.labels | {label})))
        yield replace(block, body=tuple(body))


def _access_name(instruction: Instruction) -> str | None:
    match instruction:
        case Load():
            return "load"
        case Store():
            return "store"
        case ReadModifyWrite():
            return "atomicrmw"
        case CompareExchange():
            return "cmpxchg"
    return None


# Questions --------------------------------------------------------------------------------------------------


def _meeting(number: int) -> str:
    """Write, in cat, the pairs of an access and one of another thread to its location."""
    return f"[try access-{number} with emptyset] ; (loc & ext) ; [M \\ IW]"


def _asking(model: SelectedModel, numbers: Sequence[int]) -> SelectedModel:
    """Let a model raise flags for the accesses that it performs, and for those that meet another thread's."""
    lines = []
    for number in numbers:
        lines.append(f"flag ~empty try access-{number} with emptyset as reached-{number}")
        lines.append(f"flag ~empty {_meeting(number)} as shared-{number}")
    return _extended(model, lines)


def _extended(model: SelectedModel, lines: list[str]) -> SelectedModel:
    from enumerator.cat.parser import parse_text
    from enumerator.cat.syntax import Check

    axioms = tuple(
        statement
        for statement in model.model.statements
        if not (isinstance(statement, Check) and statement.kind == "flag")
    )
    added = parse_text("\n".join(lines), "<thread-private>").statements
    return replace(model, model=replace(model.model, statements=axioms + added))


def _witness(request: Request, engine: str, number: int) -> tuple[str, ...]:
    """Describe an execution in which another thread reaches the location of an access."""
    from enumerator.analysis.describe import describe_event
    from enumerator.analysis.execution import rebuild

    only = _extended(request.model, [f"~empty {_meeting(number)} as shared"])
    outcomes = search(replace(request, model=only, record=1, decided=lambda _: True), engine)
    if not outcomes.executions:
        return ()
    execution = rebuild(request, outcomes.executions[0])
    events = execution.combination.events
    label = f"access-{number}"
    meeting = [
        (mine.number, other.number)
        for mine in events
        for other in events
        if label in mine.annotation.labels
        and other.location == mine.location
        and other.thread is not None
        and other.thread != mine.thread
    ]
    lines = [f"reached by another thread: {describe_event(execution, other)}" for _, other in meeting]
    others = [event.number for event in events if event.thread is not None]
    return (*dict.fromkeys(lines), "in the execution", *(f"  {describe_event(execution, each)}" for each in others))
