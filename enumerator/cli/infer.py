"""The command ``infer``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from enumerator.cli.listing import Plain, PlainFormat
from enumerator.cli.options import (
    Engine,
    EngineOption,
    HappensBefore,
    Include,
    IncludesAnywhere,
    MaxExecutions,
    ProfileOption,
    ThinAir,
    Timeout,
    Unroll,
    Variants,
    check_folders,
    check_seconds,
)

if TYPE_CHECKING:
    from enumerator.passes.infer import Access, Inference

__all__ = ["infer", "thread_private"]

infer = typer.Typer(help="Infer annotations.", no_args_is_help=True, rich_markup_mode=None)

File = Annotated[str, typer.Argument(metavar="FILE", help="A test.", show_default=False)]
Model = Annotated[str | None, typer.Option("--model", metavar="NAME|PATH", help="Memory model.", show_default=False)]


def thread_private(
    file: File,
    model: Model = None,
    include: Include = None,
    allow_includes_anywhere: IncludesAnywhere = False,
    profile: ProfileOption = None,
    hb: HappensBefore = None,
    thin_air: ThinAir = None,
    variant: Variants = None,
    unroll: Unroll = None,
    timeout: Timeout = None,
    max_executions: MaxExecutions = None,
    engine: EngineOption = Engine.AUTO,
    format: PlainFormat = Plain.TEXT,
) -> int:
    """Tell which accesses may carry !thread.private, and which carry it wrongly.

    An access may carry it if one thread only reaches its location in every consistent execution. Exit codes: 0 no
    annotation is wrong, 1 some is, 2 bad input, 3 a limit left some unknown.
    """
    from enumerator.api import DEFAULT_MODELS, load
    from enumerator.cat.typing import select
    from enumerator.engines import engine as engine_of
    from enumerator.mmra import load_profile, profile_of_test
    from enumerator.passes.infer import infer_thread_private
    from enumerator.unfold import DEFAULT_UNROLL

    test = load(file)
    options = {option: value.value for option, value in (("hb", hb), ("thin-air", thin_air)) if value is not None}
    found = infer_thread_private(
        test,
        select(
            model or DEFAULT_MODELS[test.format],
            check_folders(include),
            options,
            variant or (),
            allow_includes_anywhere,
        ),
        load_profile(profile) if profile is not None else profile_of_test(test.profile, test.path),
        engine_of(engine.value),
        unroll=next(bound for bound in (unroll, test.unroll, DEFAULT_UNROLL) if bound is not None),
        timeout=check_seconds(timeout),
        max_executions=max_executions,
    )
    if format is Plain.JSON:
        print(json.dumps(found.as_json(), indent=2))
    else:
        _print(found)
    return 1 if found.broken else 0 if found.complete else 3


def _print(found: Inference) -> None:
    print(f"Test {found.name}  {found.model}@{found.profile}")
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
