"""The command ``distinguish``."""

from __future__ import annotations

import os
import sys
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from enumerator.cli.listing import print_json
from enumerator.cli.options import HappensBefore, options_of, read_in_time
from enumerator.cli.progress import counting
from enumerator.errors import InputError
from enumerator.printing import escaped

if TYPE_CHECKING:
    from enumerator.distinguishing.alphabet import Alphabet
    from enumerator.distinguishing.search import Difference, Found
    from enumerator.distinguishing.sides import Side
    from enumerator.program.instructions import Function

__all__ = ["distinguish"]


class Shown(StrEnum):
    """How tests are shown."""

    TEXT = "text"
    JSON = "json"
    LLVM = "llvm"
    VULKAN = "vulkan"


class Spoken(StrEnum):
    """Languages of tests."""

    LLVM = "llvm"
    VULKAN = "vulkan"


_COMPARE = "compare"
_Listed = str | None
_A_SIDE = "MODEL[@PROFILE][/VARIANT...], as in expectations of tests: llvm, llvm/direct, llvm@vulkan/rc11, FILE.cat."


def distinguish(
    a: Annotated[str, typer.Argument(metavar="A", help=_A_SIDE)],
    b: Annotated[str, typer.Argument(metavar="B", help="The same.")],
    bound: Annotated[int, typer.Option("--bound", metavar="N", min=1, help="Tests of at most so many events.")] = 4,
    every_size: Annotated[
        bool, typer.Option("--all", help="Go on to the bound, behind the first size with a difference.")
    ] = False,
    count: Annotated[int | None, typer.Option("--count", metavar="N", min=1, help="Stop after N tests.")] = None,
    kinds: Annotated[
        _Listed,
        typer.Option(
            "--kinds", metavar="LIST", help="Of read,write,update,fence (the default), compare (and exchange), barrier."
        ),
    ] = None,
    dependencies: Annotated[
        _Listed, typer.Option("--dependencies", metavar="LIST", help="Of addr,data,ctrl; default: none.")
    ] = None,
    availability: Annotated[
        bool, typer.Option("--availability", help="Loads and stores may be AMDGPU's llvm.amdgcn.av intrinsics.")
    ] = False,
    language: Annotated[Spoken, typer.Option("--language", help="The language of the tests.")] = Spoken.LLVM,
    translate: Annotated[
        bool,
        typer.Option(
            "--translate",
            help="Tests are Vulkan's; those whose translation to LLVM allows more under B than they do under A.",
        ),
    ] = False,
    orderings: Annotated[
        _Listed, typer.Option("--orderings", metavar="LIST", help="As na,monotonic,acquire; default: all.")
    ] = None,
    scopes: Annotated[
        _Listed, typer.Option("--scopes", metavar="LIST", help="Sync scopes beside system, as workgroup,agent.")
    ] = None,
    tags: Annotated[
        _Listed, typer.Option("--tags", metavar="LIST", help="Tags that an operation may have, one of them or none.")
    ] = None,
    spaces: Annotated[
        _Listed, typer.Option("--spaces", metavar="LIST", help="Address spaces of locations, as 1,3; default: 0.")
    ] = None,
    threads: Annotated[int, typer.Option("--threads", metavar="N", min=1, help="The most threads.")] = 4,
    locations: Annotated[int, typer.Option("--locations", metavar="N", min=1, help="The most locations.")] = 3,
    profile: Annotated[
        str | None, typer.Option("--profile", metavar="NAME|PATH", help="Target profile of a side that names none.")
    ] = None,
    hb: HappensBefore = None,
    timeout: Annotated[
        float | None, typer.Option("--timeout", metavar="SECONDS", min=0, help="Limit on the time of the whole answer.")
    ] = None,
    include_dirs: Annotated[
        list[str] | None, typer.Option("-I", metavar="DIR", help="Where 'include' in a model looks, too; repeatable.")
    ] = None,
    format: Annotated[Shown, typer.Option("--format", "-f", help="How tests are shown.")] = Shown.TEXT,
    output: Annotated[
        str | None, typer.Option("--output", "-o", metavar="FOLDER", help="Write one file a test, in LLVM IR.")
    ] = None,
) -> int:
    """Find the smallest tests on which two models differ.

    All tests of the first size at which the two differ are given, each once. Tests are threads of loads, stores,
    exchanges (update), fences and what is asked for, with every choice of annotations from the lists, and of places of
    threads; of annotations that neither model tells apart the first is tried. A fence stands between two accesses,
    every location is written, and accessed twice unless by an exchange.

    Exit codes: 0 no difference up to the bound, 1 there is one, 2 bad input, 3 a limit ended the search before.
    """
    from enumerator.distinguishing.alphabet import make_alphabet
    from enumerator.distinguishing.search import distinguish as ask
    from enumerator.distinguishing.sides import Language, parse_side

    if translate or language is Spoken.VULKAN:
        languages = Language.VULKAN, Language.TRANSLATED if translate else Language.VULKAN
    else:
        languages = Language.LLVM, Language.LLVM
        if format is Shown.VULKAN:
            raise InputError("it goes with --translate or --language vulkan", "--format vulkan")
    asked: dict[str, object] = {"profile": profile, "hb": hb, "timeout": timeout, "include_dirs": include_dirs}
    listed = {"kinds": kinds, "orderings": orderings, "scopes": scopes, "tags": tags, "spaces": spaces}
    chosen = alphabet_options({**listed, "dependencies": dependencies})
    options = options_of(asked)

    def read() -> tuple[tuple[Side, Side], Alphabet]:
        sides = parse_side(a, options, languages[0]), parse_side(b, options, languages[1])
        made = make_alphabet(sides, threads=threads, locations=locations, availability=availability, **chosen)
        return sides, made

    (sides, alphabet), left = read_in_time(read, options)
    with counting("shapes") as progress:
        found = ask(
            *sides,
            alphabet,
            bound,
            every_size=every_size,
            most=count,
            timeout=left.timeout,
            progress=progress,
        )
    if output is not None:
        _write(found.differences, output)
    if format is Shown.JSON:
        print_json([_record(each) for each in found.differences])
    elif format in (Shown.LLVM, Shown.VULKAN) and output is None and found.differences:
        sys.stdout.write("\n".join(_shown(each, format) for each in found.differences))
    else:
        _print(found, sides, alphabet)
    if found.status != "complete":
        more = "stopped" if found.status == "limit" else "timeout"
        sys.stderr.write(f"enumerator: {more}: unknown beyond tests of {found.complete} events\n")
    return 1 if found.differences else 0 if found.status == "complete" else 3


def alphabet_options(listed: dict[str, str | None]) -> dict[str, Any]:
    """Read the options that list what tests are made of.

    Parameters
    ----------
    listed : dict of str to (str or None)
        What stands behind ``--kinds``, ``--orderings``, ``--scopes``, ``--dependencies``, ``--tags``, ``--spaces``.

    Returns
    -------
    dict
        Arguments of :func:`enumerator.distinguishing.alphabet.make_alphabet`.
    """
    from enumerator.generation.skeleton import DependencyKind, Kind
    from enumerator.mmra import parse_tags
    from enumerator.program.instructions import Ordering, Scope

    fields: dict[str, Any] = {}
    known: dict[str, dict[str, Any]] = {
        "kinds": {**{each.name.lower(): each for each in Kind}, _COMPARE: _COMPARE},
        "orderings": {each.name.lower(): each for each in Ordering},
        "scopes": {each.name.lower(): each for each in Scope},
        "dependencies": {each.name.lower(): each for each in DependencyKind},
    }
    for option, names in known.items():
        text = listed.get(option)
        if text is not None:
            fields[option] = _chosen(text, names, f"--{option}")
    if _COMPARE in fields.get("kinds", ()):
        fields["operators"] = (*(("xchg",) if Kind.UPDATE in fields["kinds"] else ()), "cmpxchg")
        fields["kinds"] = tuple(sorted({Kind.UPDATE if each == _COMPARE else each for each in fields["kinds"]}))
    tags, spaces = listed.get("tags"), listed.get("spaces")
    if tags is not None:
        fields["tags"] = tuple((tag,) for tag in sorted(parse_tags(tags)))
    if spaces is not None:
        if not all(each.isdecimal() and len(each) < 8 for each in spaces.split(",")):
            raise InputError(f"expected numbers of address spaces, as 1,3, but found '{spaces}'", "--spaces")
        fields["spaces"] = tuple(dict.fromkeys(map(int, spaces.split(","))))
    return fields


def _chosen(text: str, known: dict[str, Any], option: str) -> tuple[Any, ...]:
    for name in text.split(","):
        if name not in known:
            raise InputError(f"there is no '{name}'; there are {', '.join(known)}", option)
    return tuple(dict.fromkeys(known[name] for name in text.split(",")))


# Answers ------------------------------------------------------------------------------------------------------


def _remarks(found: Difference) -> list[str]:
    return [f"a: {found.a}, b: {found.b}"]


def _shown(found: Difference, format: Shown) -> str:
    """Give the text of a test, or that of its translation where it has one and LLVM IR is asked for."""
    if found.written.translated is not None and format is Shown.LLVM:
        return found.written.translation()
    return found.written.text(_remarks(found))


def _record(found: Difference) -> dict[str, Any]:
    from enumerator.program.values import json_value

    outcome = {name: json_value(value) for name, value in found.written.outcome.items()}
    record = {"test": found.written.text(_remarks(found)), "outcome": outcome, "a": found.a, "b": found.b}
    return record if found.written.translated is None else {**record, "translation": found.written.translation()}


def _write(found: list[Difference], folder: str) -> None:
    os.makedirs(folder, exist_ok=True)
    for each in found:
        texts = {each.written.suffix: each.written.text(_remarks(each))}
        if each.written.translated is not None:
            texts[".ll"] = each.written.translation()
        for suffix, text in texts.items():
            path = os.path.join(folder, f"{each.written.test.name}{suffix}")
            with open(path, "w", encoding="utf-8", newline="\n") as stream:
                stream.write(text)


def _body(function: Function) -> str:
    from enumerator.program.instructions import Branch
    from enumerator.program.written import instruction_text, terminator_text

    parts: list[str] = []
    for block in function.blocks:
        parts += map(instruction_text, block.body)
        parts += [terminator_text(block.terminator)] if isinstance(block.terminator, Branch) else []
    return "; ".join(parts)


def _print(found: Found, sides: tuple[Side, Side], alphabet: Alphabet) -> None:
    a, b = (escaped(side.text) for side in sides)
    for number, each in enumerate(found.differences, 1):
        test = each.written.test
        print(f"{number}. {test.condition.text}   {a}: {each.a}   {b}: {each.b}")
        if test.format != "llvm":
            rows = each.written.text(()).splitlines()
            print(*(f"   {row}" for row in rows if row.endswith(" ;")), sep="\n")
            continue
        if test.scope_tree:
            print(f"   {test.scope_tree}")
        for name, function in test.functions.items():
            print(f"   {name}: {_body(function)}")
    print("Tests are made of" if not found.differences else "\nTests were made of")
    for line in alphabet.lines():
        print(f"  {line}")
    several = "difference" + "s" * (len(found.differences) != 1)
    print(
        f"{len(found.differences) or 'No'} {several}; all tests of up to {found.complete} events were looked at: "
        f"{found.shapes} shapes, {found.tests} with annotations"
    )
