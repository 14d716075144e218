"""The command ``generate``."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from enumerator.cli.options import options_of, read_in_time
from enumerator.errors import InputError

if TYPE_CHECKING:
    from enumerator.generation.plan import Generated

__all__ = ["generate"]


class TestFormat(StrEnum):
    """Languages that tests are written in."""

    __test__ = False

    LLVM = "llvm"
    C = "c"
    VULKAN = "vulkan"


_Texts = list[str] | None


def generate(
    cycles: Annotated[
        _Texts,
        typer.Option("--cycle", metavar="CYCLE", help="The test of a cycle, as 'PodWW Rfe PodRR Fre'; repeatable."),
    ] = None,
    families: Annotated[
        _Texts, typer.Option("--family", metavar="NAME", help="The test of a family, as MP; repeatable.")
    ] = None,
    size: Annotated[
        int, typer.Option("--size", metavar="N", min=0, help="All critical cycles with up to N relaxations.")
    ] = 0,
    relax: Annotated[
        _Texts,
        typer.Option(
            "--relax",
            metavar="LIST",
            help="What those are made of (default: Rfe Fre Coe Pod**); in cycles and families, what stands for Pod**.",
        ),
    ] = None,
    annotate: Annotated[
        _Texts,
        typer.Option("--annotate", metavar="LIST", help="All of these annotations, as P,Rlx,Acq,Rel(agent),Sc."),
    ] = None,
    default: Annotated[
        str, typer.Option("--default", metavar="ANNOTATION", help="Of events of which nothing is said.")
    ] = "P",
    place: Annotated[
        _Texts,
        typer.Option("--place", metavar="LEVELS", help="All ways to place threads at these levels, as wg,agent."),
    ] = None,
    threads: Annotated[
        int, typer.Option("--threads", metavar="N", min=0, help="With --size: the most threads; 0 for any number.")
    ] = 0,
    internal: Annotated[
        int, typer.Option("--internal", metavar="N", min=1, help="With --size: the most relaxations of a thread.")
    ] = 1,
    profile: Annotated[str, typer.Option("--profile", metavar="NAME", help="Target profile of the tests.")] = "generic",
    expect: Annotated[
        _Texts,
        typer.Option("--expect", metavar="MODEL", help="Fill in what comes out under MODEL[@PROFILE][/VARIANT...]."),
    ] = None,
    count: Annotated[int | None, typer.Option("--count", metavar="N", min=1, help="Stop after N tests.")] = None,
    format: Annotated[TestFormat, typer.Option("--format", "-f", help="The language of the tests.")] = TestFormat.LLVM,
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="FOLDER", help="One file a test; default: the standard output."),
    ] = None,
    jsonl: Annotated[bool, typer.Option("--jsonl", help="A JSON object a line: name, cycle, text.")] = False,
    timeout: Annotated[
        float | None,
        typer.Option("--timeout", metavar="SECONDS", min=0, help="Limit for a model, of --minimal for all."),
    ] = None,
    minimal: Annotated[
        bool,
        typer.Option(
            "--minimal", help="All tests of up to --size events that --model forbids, and any weakening lets through."
        ),
    ] = False,
    model: Annotated[
        str | None, typer.Option("--model", metavar="MODEL", help="With --minimal: MODEL[@PROFILE][/VARIANT...].")
    ] = None,
    axiom: Annotated[
        str | None, typer.Option("--axiom", metavar="NAME", help="With --minimal: of the model's axioms this one only.")
    ] = None,
    kinds: Annotated[
        str | None, typer.Option("--kinds", metavar="LIST", help="With --minimal: of read,write,update,fence.")
    ] = None,
    orderings: Annotated[
        str | None, typer.Option("--orderings", metavar="LIST", help="With --minimal: as na,monotonic; default: all.")
    ] = None,
    scopes: Annotated[
        str | None, typer.Option("--scopes", metavar="LIST", help="With --minimal: sync scopes beside system.")
    ] = None,
    dependencies: Annotated[
        str | None, typer.Option("--dependencies", metavar="LIST", help="With --minimal: of addr,data,ctrl.")
    ] = None,
    list_names: Annotated[
        bool, typer.Option("--list", help="List relaxations, annotations and families, with what they mean.")
    ] = False,
) -> int:
    """Make tests: of cycles as diy7 has them, of families, and all up to a size, each once.

    A cycle is a list of relaxations, each an edge from one event to the next: Rfe Fre Coe (to another thread), Rfi Fri
    Coi, PodWR PosRR (program order to a different or the same location), DpAddrdR DpDatadW DpCtrldW, FenceReldWW
    BarrierdWR, Rmw Cas Fetch.Add; with annotations of events between them: P Unord Rlx Acq Rel AR Sc, also with scopes
    and tags, as Rel(agent,foo:x). --list says all of them. What a format does not have is an error of a single test; of
    many, those are left out and counted.

    Exit codes: 0 generated, 2 bad usage or input, 3 a limit left some expectations out.
    """
    if list_names:
        return _list()
    writer = _Writer(format.value, output, jsonl)
    listed = {"kinds": kinds, "orderings": orderings, "scopes": scopes, "dependencies": dependencies}
    if minimal:
        if cycles or families or relax or annotate or place or expect or format is not TestFormat.LLVM:
            raise InputError(
                "it goes with --model, --axiom, --size, --threads, --kinds, --orderings, --scopes, --dependencies, "
                "--count, --output",
                "--minimal",
            )
        return _minimal(model, axiom, size or 4, threads or 4, listed, count, timeout, writer)
    _without_minimal({**listed, "model": model, "axiom": axiom})
    if not (cycles or families or size):
        raise InputError("nothing to generate: give --cycle, --family or --size (--list names what there is)")
    from enumerator.generation.plan import Plan
    from enumerator.generation.plan import generate as generated

    plan = Plan(
        tuple(cycles or ()),
        tuple(families or ()),
        size,
        tuple(relax or ()),
        tuple(annotate or ()),
        default,
        tuple(place or ()),
        threads,
        internal,
        profile,
    )
    return _write_all(generated(plan), count, tuple(expect or ()), timeout, writer)


def _without_minimal(given: Mapping[str, str | None]) -> None:
    for option, text in given.items():
        if text is not None:
            raise InputError("it goes with --minimal", f"--{option}")


def _minimal(
    model: str | None,
    axiom: str | None,
    size: int,
    threads: int,
    listed: dict[str, str | None],
    count: int | None,
    timeout: float | None,
    writer: _Writer,
) -> int:
    """Write the minimal tests of a model."""
    from enumerator.cli.distinguish import alphabet_options
    from enumerator.distinguishing.alphabet import Alphabet, make_alphabet
    from enumerator.distinguishing.minimal import minimal_tests, with_axiom
    from enumerator.distinguishing.sides import Side, parse_side
    from enumerator.generation.llvm import llvm_text

    if model is None:
        raise InputError("expected --model: that of which the tests are minimal", "--minimal")
    chosen = alphabet_options(listed)

    def read() -> tuple[Side, Alphabet]:
        side = parse_side(model)
        alphabet = make_alphabet([side], threads=threads, **chosen)
        return side if axiom is None else with_axiom(side, axiom), alphabet

    (side, alphabet), options = read_in_time(read, options_of({"timeout": timeout}))
    suite = minimal_tests(side, alphabet, size, timeout=options.timeout)
    writer.begin()
    for test in suite.tests[:count]:
        writer.write(test.name, llvm_text(test))
    said = f"{len(suite.tests)} minimal test{'s' * (len(suite.tests) != 1)} of up to {suite.complete} events"
    if suite.status != "complete":
        said += f"; {suite.status}: unknown beyond"
    sys.stderr.write(f"enumerator: {said}\n")
    return 0 if suite.status == "complete" else 3


class _Writer:
    """Writes tests to files or to the standard output, and counts them."""

    def __init__(self, format: str, output: str | None, jsonl: bool) -> None:
        if jsonl and output is not None:
            raise InputError("--jsonl is for the standard output, and --output names a folder", "--jsonl")
        self.format, self.output, self.jsonl = format, output, jsonl
        self.written = 0

    def begin(self) -> None:
        """Make the folder that tests are written to."""
        if self.output is not None:
            os.makedirs(self.output, exist_ok=True)

    def write(self, name: str, text: str, cycle: str = "", expected: Sequence[str] = ()) -> None:
        """Write a test."""
        from enumerator.generation.plan import EXTENSIONS

        if self.output is not None:
            path = os.path.join(self.output, name + EXTENSIONS[self.format])
            with open(path, "w", encoding="utf-8", newline="\n") as stream:
                stream.write(text)
        elif self.jsonl:
            row = {"name": name, "cycle": cycle, "expect": list(expected), "text": text}
            sys.stdout.write(json.dumps(row) + "\n")
        else:
            sys.stdout.write(("\n" if self.written else "") + text)
        self.written += 1


def _write_all(
    tests: Iterator[Generated], count: int | None, models: tuple[str, ...], timeout: float | None, writer: _Writer
) -> int:
    """Write tests up to a number of them, with what comes out under some models; give the exit code."""
    from enumerator.generation.expecting import expectations

    unknown, left_out = 0, list[InputError]()
    writer.begin()
    for made in tests:
        try:
            expected: tuple[str, ...] = ()
            text = made.text(writer.format)
        except InputError as error:
            left_out.append(error)
            continue
        if models:
            expected = expectations(made, models, writer.format, timeout)
            unknown += len(models) - len(expected)
            text = made.text(writer.format, expected)
        writer.write(made.name, text, made.cycle, expected)
        if count is not None and writer.written >= count:
            break
    if not writer.written and left_out:
        raise left_out[0]
    if left_out:
        note = f"left out {len(left_out)} that {writer.format} does not have, the first: {left_out[0]}"
        sys.stderr.write(f"enumerator: {note}\n")
    if unknown:
        sys.stderr.write(f"enumerator: {unknown} expectations left out, which a limit left unknown\n")
    if writer.output is not None:
        sys.stdout.write(f"{writer.written} test{'s' * (writer.written != 1)} in {writer.output}\n")
    elif not writer.written:
        sys.stderr.write("enumerator: no such test\n")
    return 3 if unknown else 0


def _list() -> int:
    from enumerator.generation import grammar
    from enumerator.generation.naming import FAMILIES, family_cycle

    sys.stdout.write(f"{(grammar.__doc__ or '').replace('``', '')}\nAll relaxations:\n")
    line = ""
    for name in grammar.relaxation_names():
        if len(line) + len(name) > 110:
            sys.stdout.write(f"  {line.strip()}\n")
            line = ""
        line += f" {name}"
    sys.stdout.write(f"  {line.strip()}\n\nFamilies:\n")
    for name in FAMILIES:
        sys.stdout.write(f"  {name:8} {family_cycle(name)}\n")
    return 0
