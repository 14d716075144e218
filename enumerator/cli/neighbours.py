"""The commands ``reorder`` and ``merge``."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar, Unpack

from enumerator.cli.listing import Plain, PlainFormat, print_json
from enumerator.cli.options import Asking, Contexts, File, Jobs, Model, options_of, read_test
from enumerator.cli.progress import counting

if TYPE_CHECKING:
    from enumerator.refinement.neighbours import Exchange, Merge
    from enumerator.refinement.refine import Refinement

__all__ = ["merge", "reorder"]

T = TypeVar("T", "Exchange", "Merge")


def reorder(
    file: File,
    model: Model = None,
    contexts: Contexts = None,
    jobs: Jobs = None,
    format: PlainFormat = Plain.TEXT,
    **asked: Unpack[Asking],
) -> int:
    """Tell of adjacent operations whether they may be exchanged.

    It is asked by rule, and by enumeration: next to the given threads, or with --contexts next to all.

    Exit codes: 0 all is answered, 1 an outcome contradicts the rule, 2 bad input, 3 a limit left some unknown.
    """
    from enumerator.refinement.neighbours import reorder as ask

    found = _answered(ask, _print_exchange, file, model, contexts, jobs, format, asked)
    if any(each.contradiction for each in found):
        return 1
    unknown = (each.not_asked or (each.here is not None and each.here.refines is None) for each in found)
    return 3 if any(unknown) else 0


def merge(
    file: File,
    model: Model = None,
    contexts: Contexts = None,
    jobs: Jobs = None,
    format: PlainFormat = Plain.TEXT,
    **asked: Unpack[Asking],
) -> int:
    """Tell of adjacent operations what they may be merged into.

    Fences, loads and stores are merged; it is also told whether one of the two is enough.

    Exit codes: 0 all is answered, 1 an outcome contradicts the rule, 2 bad input, 3 a limit left some unknown.
    """
    from enumerator.refinement.neighbours import merge as ask

    found = _answered(ask, _print_merge, file, model, contexts, jobs, format, asked)
    answers = [each.here for each in found if each.here is not None]
    if any(answer.refines is False for answer in answers):
        return 1
    return 3 if any(answer.refines is None for answer in answers) else 0


def _answered(
    ask: Callable[..., Sequence[T]],
    show: Callable[[T], None],
    file: str,
    model: str | None,
    contexts: int | None,
    jobs: int | None,
    format: Plain,
    asked: Asking,
) -> Sequence[T]:
    """Ask of each two operations, and print the answers."""
    test, options = read_test(file, options_of(asked, jobs=jobs or (os.cpu_count() or 1 if contexts else 1)))
    with counting("pairs") as progress:
        found = ask(test, model or None, contexts=contexts, options=options, progress=progress)
    if format is Plain.JSON:
        print_json([each.as_json() for each in found])
    else:
        for each in found:
            show(each)
        if not found:
            print("There are no two operations next to each other.")
    return found


def _print_exchange(found: Exchange) -> None:
    print(found.pair)
    print(f"  by rule: {'may be exchanged' if found.rule.may else 'may NOT be exchanged'}: {found.rule.why}")
    if found.here is not None:
        print(f"  {_told(found.here)}")
    if found.not_asked:
        print(f"  not enumerated: {found.not_asked}")
    if found.contradiction:
        print("  CONTRADICTION: the rule allows what an outcome refutes; please report this")


def _print_merge(found: Merge) -> None:
    from enumerator.refinement.edit import kind_of
    from enumerator.refinement.witness import spelt

    print(found.pair)
    if found.merged is None or found.here is None:
        print(f"  not merged: {found.rule.why}")
        return
    print(f"  become: {kind_of(found.merged)} {spelt(found.merged)}")
    print(f"  {_told(found.here)}")
    for which, (strong, kept) in zip(("first", "second"), found.keeping, strict=True):
        rule = "is at least as strong" if strong else "is NOT at least as strong as the other"
        print(f"  the {which} alone {rule}; {'' if kept is None else _told(kept)}")


def _told(found: Refinement) -> str:
    where = "here" if found.contexts == 1 else f"in {found.contexts} contexts"
    if found.refines is None:
        return f"{where}: unknown, a limit was reached"
    if found.refines:
        undefined = " (the source is undefined)" if found.undefined_source and found.contexts == 1 else ""
        return f"{where}: no new outcome{undefined}"
    example = found.counterexample
    assert example is not None
    beside = f" next to {{ {'; '.join(example.threads)} }}" if example.threads else ""
    return f"{where}: a new outcome{beside}: {example.outcome}"
