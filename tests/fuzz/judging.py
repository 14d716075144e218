"""What must not happen, told from how a command ended and what it wrote."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree import ElementTree

from tests.fuzz.cases import Case, Finding

__all__ = ["CODES", "Ending", "judge", "stack_signature"]

CODES = (0, 1, 2, 3, 130, 141)

_FRAME = re.compile(r'^\s*File "([^"]+)", line (\d+),? in (\S+)', re.MULTILINE)
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_USAGE = ("Usage:", "Try ", "Error:", "enumerator:", "warning:", " ")


@dataclass(frozen=True)
class Ending:
    """How a command ended.

    Parameters
    ----------
    code : int or None
        None of what a signal ended.
    signal : str
        Its name, if one did.
    out, err : str
    """

    code: int | None
    out: str
    err: str
    signal: str = ""


def judge(case: Case, ending: Ending) -> list[Finding]:
    """Find what must not happen.

    Examples
    --------
    >>> judge(Case(1, "tags", ("tags", "a", "b")), Ending(2, "", ""))
    [Finding(signature='exit code 2 without a message: tags', details='')]
    """
    return list(_wrong(case, ending))


def _wrong(case: Case, ending: Ending) -> Iterator[Finding]:
    if ending.signal:
        yield Finding(f"{ending.signal}: {case.command}: {stack_signature(ending.err)}", ending.err[-3000:])
        return
    both = ending.out + ending.err
    for stream in (ending.err, ending.out):
        if "Traceback (most recent call last)" in stream:
            last = stream.rstrip().rsplit("\n", 1)[-1]
            kind = re.match(r"[\w.]+", last)
            yield Finding(f"traceback: {kind[0] if kind else '?'} in {stack_signature(stream)}", stream[-4000:])
            return
    if ending.code not in CODES:
        yield Finding(f"exit code {ending.code}: {case.command}", both[-2000:])
    if ending.code == 2 and not ending.err.strip() and not ending.out.strip():
        yield Finding(f"exit code 2 without a message: {case.command}")
    if "out of memory" in both:
        yield Finding(f"out of memory: {case.command}", both[-2000:])
    if _CONTROL.search(ending.err):
        yield Finding(f"raw control characters in a message: {case.command}", repr(ending.err[-2000:]))
    if case.command in ("run", "check", "compare", "infer", "inspect", "tags", "tokens") and _CONTROL.search(
        ending.out
    ):
        yield Finding(f"raw control characters in the output: {case.command}", repr(ending.out[-2000:]))
    for line in ending.err.splitlines():
        if line.strip() and not line.startswith(_USAGE):
            yield Finding(f"a message that is not the command's: {re.sub(r'[^A-Za-z]+', ' ', line)[:60]}", ending.err)
            break
    if ending.code in (0, 1, 3):
        yield from _malformed(case, ending.out)


def stack_signature(text: str) -> str:
    """Name the innermost function of the product that a stack shows, which faulthandler prints the other way round."""
    frames = _FRAME.findall(text)
    ours = [(path, function) for path, _, function in frames if "/enumerator/" in path and "site-packages" not in path]
    if not ours:
        return "?"
    path, function = ours[0] if "most recent call first" in text else ours[-1]
    return f"{path.rsplit('/enumerator/', 1)[-1]}:{function}"


def _malformed(case: Case, out: str) -> Iterator[Finding]:
    """A report for programs that no program can read."""
    name = next((b for a, b in zip(case.arguments, case.arguments[1:], strict=False) if a == "--format"), "text")
    if not out and case.command == "check":
        return
    try:
        if name == "json":
            json.loads(out, parse_constant=_refuse)
        elif name == "jsonl":
            for line in out.split("\n"):
                if line:
                    json.loads(line, parse_constant=_refuse)
        elif name in ("junit", "svg"):
            ElementTree.fromstring(out)
        elif name == "csv":
            rows = list(csv.reader(io.StringIO(out, newline=""), strict=True))
            if len({len(row) for row in rows if row}) > 1:
                raise ValueError("rows differ in length")
    except (ValueError, ElementTree.ParseError, csv.Error, RecursionError) as error:
        yield Finding(f"output is no {name}: {case.command}", f"{error}\n{out[:2000]}")


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON")
