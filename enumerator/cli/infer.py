"""The command ``infer``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

import typer

from enumerator.cli.guard import guarded
from enumerator.cli.listing import Plain, PlainFormat, print_json
from enumerator.cli.options import Asking, File, Model, options_of, read_test, spread
from enumerator.cli.quick import PlainCommand
from enumerator.printing import escaped

if TYPE_CHECKING:
    from enumerator.passes.infer import Access, Inference

__all__ = ["infer", "thread_private"]

infer = typer.Typer(help="Infer annotations.", no_args_is_help=True, rich_markup_mode=None)


def thread_private(file: File, model: Model = None, format: PlainFormat = Plain.TEXT, **asked: Unpack[Asking]) -> int:
    """Tell which accesses may carry !thread.private, and which carry it wrongly.

    An access may carry it if one thread only reaches its location in every consistent execution. Exit codes: 0 no
    annotation is wrong, 1 some is, 2 bad input, 3 a limit left some unknown.
    """
    from enumerator.passes.infer import infer_thread_private

    test, options = read_test(file, options_of(asked))
    found = infer_thread_private(test, model or None, options=options)
    if format is Plain.JSON:
        print_json(found.as_json())
    else:
        _print(found)
    return 1 if found.broken else 0 if found.complete else 3


infer.command("thread-private", cls=PlainCommand)(guarded(spread(thread_private)))


def _print(found: Inference) -> None:
    print(escaped(f"Test {found.name}  {found.model}@{found.profile}"))
    for access in found.accesses:
        place = f"line {access.line}" if access.line is not None else "position unknown"
        print(f"  {place:9} {access.function}: {access.what:10} {_verdict(access)}")
        for line in access.witness:
            print(f"      {line}")
    if not found.complete:
        print("A limit was reached: what more search could change is unknown.")


def _verdict(access: Access) -> str:
    from enumerator.passes.infer import Privacy

    match access.privacy:
        case Privacy.PRIVATE:
            return "thread-private, as annotated" if access.annotated else "could carry !thread.private"
        case Privacy.SHARED:
            return "carries !thread.private WRONGLY" if access.annotated else "shared"
        case Privacy.UNREACHED:
            return "never performed"
        case Privacy.UNKNOWN:
            return "unknown"
