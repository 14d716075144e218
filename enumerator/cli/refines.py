"""The command ``refines``."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated, Unpack

import typer

from enumerator.cli.listing import Plain, PlainFormat, print_json
from enumerator.cli.options import Asking, Contexts, Jobs, Model, options_of, read_in_time
from enumerator.cli.progress import counting
from enumerator.errors import InputError, LimitReached
from enumerator.printing import escaped

if TYPE_CHECKING:
    from enumerator.options import Options
    from enumerator.refinement.refine import Counterexample, Refinement

__all__ = ["print_counterexample", "refines", "verdict_code"]

Cpu = Annotated[
    str | None, typer.Option("--cpu", metavar="NAME", help="Show what the operations of both become on it: gfx942.")
]
Folder = Annotated[
    str | None,
    typer.Option(
        "--output", "-o", metavar="FOLDER", help="Write the two tests of a counterexample there, with pictures."
    ),
]


def refines(
    source: Annotated[str, typer.Argument(metavar="SOURCE", help="The program as it was.")],
    after: Annotated[str, typer.Argument(metavar="TARGET", help="What became of it.")],
    model: Model = None,
    contexts: Contexts = None,
    jobs: Jobs = None,
    format: PlainFormat = Plain.TEXT,
    output: Folder = None,
    cpu: Cpu = None,
    **asked: Unpack[Asking],
) -> int:
    """Tell whether a program may become another one.

    It may if each outcome of the target is one of the source, or the source's is less defined.

    Exit codes: 0 it may, 1 it may not (with an outcome, an execution and tests that show it), 2 bad input, 3 unknown.
    """
    from enumerator.cli.checking import keep_inputs
    from enumerator.refinement.llvm import check_processor
    from enumerator.refinement.pair import load_pair
    from enumerator.refinement.refine import refines as ask

    check_processor(cpu)
    for name in ("source.ll", "target.ll") if output is not None else ():
        keep_inputs(os.path.join(output or "", name), (source, after))
    options = options_of(asked, jobs=jobs or (os.cpu_count() or 1 if contexts else 1))
    (before, changed), options = read_in_time(lambda: load_pair(source, after, options), options)
    with counting("contexts") as progress:
        answer = ask(before, changed, model or None, contexts=contexts, options=options, progress=progress)
    if output is not None and answer.counterexample is not None:
        _write(answer.counterexample, output, model or None, options)
    machine = _machine_code(source, after, cpu) if cpu is not None else None
    if format is Plain.JSON:
        record = answer.as_json()
        if machine is not None:
            record["machine"] = {
                side: [{"line": line, "code": list(code)} for line, _, code in lines] for side, lines in machine.items()
            }
        print_json(record)
    else:
        _print(answer, contexts, shown=output is None)
        for side, lines in (machine or {}).items():
            print(f"\nThe {side} on {cpu}: {sum(len(code) for _, _, code in lines)} instructions")
            for line, text, code in lines:
                print(f"  line {line}: {text}\n    becomes: {'; '.join(code) or 'nothing'}")
    return verdict_code(answer.refines)


def _machine_code(source: str, target: str, cpu: str) -> dict[str, list[tuple[int, str, tuple[str, ...]]]]:
    """Give the fences, atomic accesses and barriers of both, each with its line and machine instructions."""
    from enumerator.files import read_text
    from enumerator.refinement.machine import machine_code

    found = {}
    for side, path in (("source", source), ("target", target)):
        if not path.endswith(".ll"):
            raise InputError("only LLVM IR is compiled for a processor", path)
        text = read_text(path)
        lines = text.splitlines()
        code = machine_code(text, path, cpu)
        found[side] = [(line, lines[line - 1].strip(), made) for line, made in code.items()]
    return found


def verdict_code(verdict: bool | None) -> int:
    """Give the exit code of an answer: 0 yes, 1 no, 3 unknown."""
    return {True: 0, False: 1, None: 3}[verdict]


def _print(answer: Refinement, contexts: int | None, *, shown: bool) -> None:
    words = {True: "refines", False: "does NOT refine", None: "may or may not refine"}[answer.refines]
    tried = "" if contexts is None else f", {answer.contexts} contexts tried"
    print(escaped(f"{answer.target} {words} {answer.source}"))
    print(escaped(f"  under {answer.model}@{answer.profile}{tried}"))
    if answer.refines and contexts is None and answer.undefined_source:
        print("  the source has undefined behaviour, which covers everything")
    if answer.refines is None:
        print(f"  unknown: {'the time is up' if answer.status == 'timeout' else 'a limit was reached'}")
    for note in answer.notes:
        print(f"  # {note}")
    if answer.counterexample is not None:
        print_counterexample(answer.counterexample, texts=shown)


def print_counterexample(example: Counterexample, *, texts: bool = True, indent: str = "") -> None:
    """Print why a target does not refine its source.

    Parameters
    ----------
    example : Counterexample
    texts : bool
        The two tests, too.
    indent : str
        Before each line.
    """
    lines = ["", f"Outcome of the target that the source does not have: {example.outcome}"]
    if example.threads:
        lines += ["Next to", *(f"  {line}" for line in example.threads)]
    if example.execution:
        lines += ["Execution of the target", *(f"  {line}" for line in example.execution)]
    if example.lost:
        lines += ["What is lost", *(f"  {line}" for line in example.lost)]
    if texts and example.context is not None and example.context_target is not None:
        lines += ["", "; --- source.ll ---", *example.context.splitlines()]
        lines += ["", "; --- target.ll ---", *example.context_target.splitlines()]
    for line in lines:
        print(f"{indent}{line}".rstrip())


def _write(example: Counterexample, folder: str, model: str | None, options: Options) -> None:
    """Write the tests; beside the target an execution that ends so, beside the source why it has none."""
    from enumerator.drawing import draw
    from enumerator.frontend import load_text

    if example.context is None or example.context_target is None:
        raise InputError("only counterexamples in LLVM IR are written as tests", folder)
    os.makedirs(folder, exist_ok=True)
    for name, text in (("source", example.context), ("target", example.context_target)):
        path = os.path.join(folder, name)
        files = {f"{path}.ll": text}
        with suppress(InputError, LimitReached):  # no candidate execution may end so, or none is found in time
            files[f"{path}.svg"] = draw(load_text(text, f"{path}.ll"), model, options=options).svg()
        for each, content in files.items():
            with open(each, "w", encoding="utf-8") as file:
                file.write(content)
