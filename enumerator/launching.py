"""Kernels checked by enumeration on a small grid, where their size allows."""

from __future__ import annotations

import re

from enumerator.api import check
from enumerator.errors import InputError
from enumerator.frontend.again import load_ir
from enumerator.frontend.llvm.process import canonical_text
from enumerator.frontend.llvm.syntax import address_space, closing, split
from enumerator.frontend.llvm.tokens import decode_name, tokenize
from enumerator.inspection.findings import Inspection, Remark, Severity
from enumerator.inspection.operations import Place
from enumerator.results.result import Result

__all__ = ["LAUNCH_SECONDS", "launch_remarks"]

LAUNCH_SECONDS = 20.0
"""How long a kernel is checked."""

_AMDGPU_MODEL, _MODEL = "amdgpu-2026", "llvm"

_DIRECTIVE = re.compile(r"^[ \t]*;[ \t]*(LAUNCH|SCOPES|THREADS)[ \t]*:", re.MULTILINE)
_ASKED = re.compile(r"^[ \t]*;[ \t]*(PROFILE|EXISTS|FORALL|NEVER|EXPECT|OBSERVE)[ \t]*:.*$", re.MULTILINE)
_DEFINITION = re.compile(r"^define [^\n]*\bamdgpu_kernel\b[^\n]*$", re.MULTILINE)
_GRID = re.compile(r"\s*(?:[a-z]+\s*=\s*\d+(?:\s+|$))*$")
_ELEMENTS = (64, 4096, 1 << 18)  # of the memory that a pointer argument points to, in words; the first that suffices
_WORDS = {"R": "the read", "W": "the write"}
_INTEGER = 2  # what an argument is that is a number
_FLOATS = ("half", "bfloat", "float", "double")
_PLACE = re.compile(r"\blines? (\d+)")


def launch_remarks(
    text: str, found: Inspection, grid: str, timeout: float = LAUNCH_SECONDS, compiled: str | None = None
) -> list[Remark]:
    """Check each kernel of a module on a grid, and remark on what is found.

    A file that says itself how its threads are started, by ``LAUNCH``, ``THREADS`` or ``SCOPES``, is checked so,
    without what it asks. Else a pointer argument points to memory of its own, of zeros, as large as the accesses ask
    for (up to 1 MiB); a number is 2.

    Parameters
    ----------
    text : str
        The module.
    found : Inspection
        What was found in it: its path, profile and target count.
    grid : str
        ``workgroups=1 waves=2 lanes=1``, as in the directive ``LAUNCH``.
    timeout : float
        Seconds for each kernel.
    compiled : str, optional
        The file that the module was compiled from, if lines are to be those of it.

    Returns
    -------
    list of Remark
        ``launch-race`` for accesses that race, ``launch-undefined`` where what a thread does is undefined, at their
        lines;
        ``launch-passed`` where nothing is; ``launch-unknown`` where the kernel cannot be checked, with the reason.

    Raises
    ------
    InputError
        If the grid is none.
    """
    if not _GRID.match(grid):
        raise InputError(f"--launch: expected a grid such as 'workgroups=1 waves=2 lanes=1', not {grid!r}")
    model = _AMDGPU_MODEL if found.target.amdgpu else _MODEL
    if _DIRECTIVE.search(text):
        return _as_it_says(text, found, model, timeout, compiled)
    remarks = []
    for match in _DEFINITION.finditer(canonical_text(text, found.path)):
        remarks += _kernel(text, match[0], found, grid, model, timeout, compiled)
    return remarks


def _as_it_says(text: str, found: Inspection, model: str, timeout: float, compiled: str | None) -> list[Remark]:
    """Check the threads that a file starts itself."""
    asked = f"{_ASKED.sub(';', text)}\n; PROFILE: {found.profile}\n; EXISTS: true\n"
    where = "with the threads that the file starts"
    try:
        test = load_ir(asked, found.path, compiled)
        result = check(test, model=model, timeout=timeout, outcomes_only=True)
    except InputError as problem:
        message = f"{where}: not checked: {problem.message}"
        return [Remark("launch-unknown", message, "", Place(problem.line), Severity.NOTE)]
    name = test.threads[0].function
    places = {each.function.name: each.function.place for each in found.functions}
    return _remarks(result, name, places.get(name, Place()), where, model, {})


def _kernel(
    text: str, header: str, found: Inspection, grid: str, model: str, timeout: float, compiled: str | None
) -> list[Remark]:
    tokens = tokenize(header)
    at = next(place for place, token in enumerate(tokens) if token.startswith("@"))
    name = decode_name(tokens[at])
    places = {each.function.name: each.function.place for each in found.functions}
    place = places[name] if compiled is not None and name in places else Place(_line_of(text, tokens[at]))

    def remark(kind: str, message: str) -> list[Remark]:
        return [Remark(kind, f"on {grid.strip()}: {message}", name, place, Severity.NOTE)]

    spaces, arguments, called = [], [], {}
    for number, part in enumerate(split(tokens[at + 2 : closing(tokens, at + 1) - 1])):
        space = address_space(part)
        if space is not None:
            spaces.append((number, space))
            called[f"launch.argument.{number}"] = f"what the argument {part[-1]} points to"
            arguments.append(f"ptr addrspace({space}) @launch.argument.{number}")
        elif part[0][:1] == "i" and part[0][1:].isdigit():
            arguments.append(f"{part[0]} {_INTEGER}")
        elif part[0] in _FLOATS:
            arguments.append(f"{part[0]} {_INTEGER}.0")
        else:
            return remark("launch-unknown", f"not checked, as nothing is known to pass for {' '.join(part[:-1])}")
    launch = f"; LAUNCH: {tokens[at]}({', '.join(arguments)}) {grid}\n; PROFILE: {found.profile}\n; EXISTS: true\n"
    kept = _ASKED.sub(";", text)
    for elements in _ELEMENTS:
        memory = [
            f"@launch.argument.{number} = addrspace({space}) global [{elements} x i32] zeroinitializer"
            for number, space in spaces
        ]
        try:
            test = load_ir("\n".join([kept, launch, *memory, ""]), found.path, compiled)
            result = check(test, model=model, timeout=timeout, outcomes_only=True)
        except InputError as problem:
            return remark("launch-unknown", f"not checked: {problem.message}")
        if "ub-address" not in result.flags:
            break
    return _remarks(result, name, place, f"on {grid.strip()}", model, called)


def _remarks(result: Result, name: str, place: Place, where: str, model: str, called: dict[str, str]) -> list[Remark]:
    """Say what came out of a check."""
    undefined = sorted(flag for flag in result.flags if flag.startswith("ub-"))
    if undefined:
        return _undefined(result, undefined, name, place, where)
    if "race" in result.flags:
        return _races(result, name, place, where, model, called)
    kind, message = "launch-passed", f"no execution races or is undefined under {model}"
    if result.status != "complete":
        kind, message = "launch-unknown", f"no race found, but not all executions were seen: {result.status}"
    return [Remark(kind, f"{where}: {message}", name, place, Severity.NOTE)]


def _undefined(result: Result, flags: list[str], name: str, kernel: Place, where: str) -> list[Remark]:
    """Give a remark for each cause of what is undefined: at its line, with the lines of what leads to it."""
    found: dict[tuple[str, ...], Remark] = {}
    for cause in result.question.causes() if result.question is not None else ():
        lines = list(dict.fromkeys(_PLACE.findall(cause)))
        place, *related = [Place(int(line)) for line in lines] or [kernel]
        message = f"{where}: some execution is undefined: {cause}"
        told = Remark("launch-undefined", message, name, place, Severity.WARNING, tuple(related))
        found.setdefault((cause.partition(":")[0], *lines), told)  # once, whichever threads do it
    message = f"{where}: some execution is undefined: {', '.join(flags)}"
    return list(found.values()) or [Remark("launch-undefined", message, name, kernel, Severity.WARNING)]


def _races(result: Result, name: str, kernel: Place, where: str, model: str, called: dict[str, str]) -> list[Remark]:
    """Give a remark for each two lines whose accesses race; objects that are `called` something else have that name."""
    found = []
    for one, other in result.question.races() if result.question is not None else ():
        if one.line is None or other.line is None or one.location is None:
            continue
        what = [f"{_WORDS[each.kind]} in line {each.line}" for each in (one, other)]
        both = f"{what[0]} in two threads" if one.line == other.line else f"{what[0]} and {what[1]}"
        what_of = called.get(one.location.object.removeprefix("@"), one.location.object)
        message = f"{where}: accesses of {what_of} race under {model}: {both}"
        related = () if one.line == other.line else (Place(other.line),)
        found.append(Remark("launch-race", message, name, Place(one.line), Severity.WARNING, related))
    message = f"{where}: accesses race under {model}"
    return found or [Remark("launch-race", message, name, kernel, Severity.WARNING)]


def _line_of(text: str, name: str) -> int | None:
    match = re.search(rf"^define\b.*{re.escape(name)}\s*\(", text, re.MULTILINE)
    return text.count("\n", 0, match.start()) + 1 if match is not None else None
