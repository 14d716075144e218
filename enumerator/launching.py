"""Kernels checked by enumeration on a small grid, where their size allows."""

from __future__ import annotations

import re

from enumerator.api import check
from enumerator.errors import InputError
from enumerator.frontend import load_text
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


def launch_remarks(text: str, found: Inspection, grid: str, timeout: float = LAUNCH_SECONDS) -> list[Remark]:
    """Check each kernel of a module on a grid, and remark on what is found.

    A pointer argument points to memory of its own, of zeros, as large as the accesses ask for (up to 1 MiB); a
    number is 2.

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
    if _DIRECTIVE.search(text):
        message = "the file says itself how its threads are started"
        return [Remark("launch-unknown", message, "", Place(), Severity.NOTE)]
    model = _AMDGPU_MODEL if found.target.amdgpu else _MODEL
    remarks = []
    for match in _DEFINITION.finditer(canonical_text(text, found.path)):
        remarks += _kernel(text, match[0], found.path, grid, model, found.profile, timeout)
    return remarks


def _kernel(text: str, header: str, path: str, grid: str, model: str, profile: str, timeout: float) -> list[Remark]:
    tokens = tokenize(header)
    at = next(place for place, token in enumerate(tokens) if token.startswith("@"))
    name = decode_name(tokens[at])
    place = Place(_line_of(text, tokens[at]))

    def remark(kind: str, message: str, severity: Severity = Severity.NOTE) -> list[Remark]:
        return [Remark(kind, f"on {grid.strip()}: {message}", name, place, severity)]

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
    launch = f"; LAUNCH: {tokens[at]}({', '.join(arguments)}) {grid}\n; PROFILE: {profile}\n; EXISTS: true\n"
    kept = _ASKED.sub(";", text)
    for elements in _ELEMENTS:
        memory = [
            f"@launch.argument.{number} = addrspace({space}) global [{elements} x i32] zeroinitializer"
            for number, space in spaces
        ]
        try:
            test = load_text("\n".join([kept, launch, *memory, ""]), path)
            result = check(test, model=model, timeout=timeout, outcomes_only=True)
        except InputError as problem:
            return remark("launch-unknown", f"not checked: {problem.message}")
        if "ub-address" not in result.flags:
            break
    undefined = sorted(flag for flag in result.flags if flag.startswith("ub-"))
    if undefined:
        return _undefined(result, undefined, name, place, f"on {grid.strip()}")
    if "race" in result.flags:
        return _races(result, name, place, f"on {grid.strip()}", model, called)
    if result.status != "complete":
        return remark("launch-unknown", f"no race found, but not all executions were seen: {result.status}")
    return remark("launch-passed", f"no execution races or is undefined under {model}")


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
