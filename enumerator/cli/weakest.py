"""The commands ``relax`` and ``repair``."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Annotated, Unpack

import typer

from enumerator.cli.listing import Plain, PlainFormat, print_json
from enumerator.cli.options import Asking, File, Model, options_of, read_test
from enumerator.cli.progress import telling
from enumerator.errors import InputError
from enumerator.printing import counted, escaped

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from enumerator.program.test import Test
    from enumerator.refinement.rewrite import Coded
    from enumerator.refinement.weakest import Answer, Weakest

__all__ = ["relax", "repair"]

_MOST_PASSED = 3

Cpu = Annotated[
    str | None,
    typer.Option("--cpu", metavar="NAME", help="Show what the operations of each answer become on it: gfx942."),
]
Emit = Annotated[
    int | None, typer.Option("--emit", metavar="N", min=1, help="Print the N-th answer, as a test, and nothing else.")
]


def relax(
    file: File,
    model: Model = None,
    emit: Emit = None,
    cpu: Cpu = None,
    format: PlainFormat = Plain.TEXT,
    **asked: Unpack[Asking],
) -> int:
    """Find all weakest annotations that keep what a test expects.

    With --model, or where it expects nothing, what is kept is that the condition is unreachable.

    Exit codes: 0 found, 1 the test as it is does not do what is to be kept, 2 bad input, 3 a limit was reached.
    """
    from enumerator.refinement.weakest import relax as ask

    return _report(ask, file, model, asked, emit, format, cpu)


def repair(
    file: File,
    model: Model = None,
    emit: Emit = None,
    cpu: Cpu = None,
    format: PlainFormat = Plain.TEXT,
    **asked: Unpack[Asking],
) -> int:
    """Find all weakest annotations that make a condition unreachable.

    Orderings, scopes and tags at or above the given ones, and fences between operations.

    Exit codes: 0 found, 1 nothing helps, 2 bad input, 3 a limit was reached.
    """
    from enumerator.refinement.weakest import repair as ask

    return _report(ask, file, model, asked, emit, format, cpu)


class _SoFar:
    """Says on a terminal how many choices there were, how many answers, and what the last of these changes."""

    def __init__(self, tell: Callable[[object], None]) -> None:
        self._tell, self._choices, self._answers = tell, "", ""
        self._number = 0

    def choice(self, number: int) -> None:
        self._choices = counted(number, "choice")
        self._tell(self._choices + self._answers)

    def answer(self, answer: Answer) -> None:
        self._number += 1
        first, *others = map(str, answer.edits or ["as it is"])
        more = f" and {len(others)} more" if others else ""
        self._answers = f", {counted(self._number, 'answer')}, the last: {first}{more}"
        self._tell(self._choices + self._answers)


def _report(
    ask: Callable[..., Weakest],
    file: str,
    model: str | None,
    asked: Asking,
    emit: int | None,
    format: Plain,
    cpu: str | None,
) -> int:
    from enumerator.refinement.llvm import check_processor

    check_processor(cpu)
    test, options = read_test(file, options_of(asked))
    with telling() as tell:
        tell("checking the test as it is")
        so_far = _SoFar(tell)
        found = ask(test, model or None, options=options, progress=so_far.choice, answered=so_far.answer)
    code = 3 if not found.complete else 0 if found.answers else 1
    if emit is not None:
        from enumerator.refinement.rewrite import rewritten

        if emit > len(found.answers):
            told = "" if found.complete else f"; {_ended(found)}"
            answers = counted(len(found.answers), "answer")
            raise InputError(f"there {'is' if len(found.answers) == 1 else 'are'} {answers}{told}", "--emit")
        chosen = found.answers[emit - 1]
        remarks = _remarks(test, chosen, found.profile)
        sys.stdout.write(rewritten(test, chosen.operations, expectations=found.question == "relax", remarks=remarks))
        return code
    costs = None
    if cpu is not None:
        from enumerator.refinement.rewrite import machine_codes

        costs = [machine_codes(test, answer.operations, cpu) for answer in found.answers]
    if format is Plain.JSON:
        record = found.as_json()
        for answer, code_of in zip(record["answers"], costs or (), strict=False):
            answer["machine"] = [
                {"function": place.function, "line": line, "code": list(text)} for place, line, text in code_of
            ]
        print_json(record)
    else:
        _print(found, cpu, costs)
    return code


def _remarks(test: Test, answer: Answer, profile: str) -> list[str]:
    """Say in a test that was compiled which lines of the program change: what is written is no program any more."""
    from enumerator.frontend.again import is_compiled

    if not is_compiled(test):
        return []
    changes = [f"changed in {os.path.basename(test.path)}: {change}" for change in answer.edits]
    named = [f"PROFILE: {profile}"] if test.target_profile and profile != test.profile else []
    return [f"what clang makes of {test.path}, with other annotations", *changes, *named]


def _ended(found: Weakest) -> str:
    """Say whether there may be other answers, and why."""
    told = f" ({found.limit})" if found.limit else ""
    return "these are all" if found.complete else f"a limit was reached{told}: there may be others"


def _print(found: Weakest, cpu: str | None, costs: Sequence[Sequence[Coded]] | None) -> None:
    from enumerator.refinement.machine import format_code

    print(escaped(f"Test {found.name}  {found.model}@{found.profile}"))
    if found.question == "relax" and not found.holds and found.complete:
        print("  The test as it is does not do what is to be kept.")
    elif not found.answers and found.complete:
        print(f"  Nothing helps: {found.strongest}, it is still reachable.")
    for number, answer in enumerate(found.answers, 1):
        fences, strength, _, tags = answer.cost
        told = f"{fences} synchronizing operation{'s' * (fences != 1)}" + (f", {tags} tags" if tags else "")
        print(f"  {number}: {told} (strength {strength})" + ("" if answer.changes else ": as it is"))
        for change in answer.edits:
            print(f"     {change}")
        if costs is not None:
            total = sum(len(code) for _, _, code in costs[number - 1])
            print(f"     on {cpu}: {total} instructions")
            for place, line, code in costs[number - 1]:
                print(f"       {place.function} line {line}: {format_code(code)}")
    for passed in found.passed[:_MOST_PASSED]:
        print("  This does, too, but perhaps less would:")
        for change in passed.edits:
            print(f"     {change}")
    for note in found.notes:
        print(f"  # {note}")
    ends = _ended(found)
    if found.complete and found.kept_plain:
        ends = "there are no others while those accesses stay as they are"
    print(f"  {counted(len(found.answers), 'answer')}, {counted(found.tried, 'choice')} enumerated; {ends}")
