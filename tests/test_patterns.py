"""Regular expressions take linear time, whatever text they meet: each of the package is tried with long runs."""

from __future__ import annotations

import ast
import re
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from enumerator import conditions

PACKAGE = Path(conditions.__file__).parent
CHARACTERS = " \n*/()[]\"';,=:@%!#-+._aZ0\0"
FUNCTIONS = ("compile", "match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer")
ANYWHERE = ("search", "sub", "subn", "split", "findall", "finditer")
LENGTHS = (200, 800, 8000)  # where time grows with the fourth, third and second power of the length, that shows
SECONDS = 0.1  # a hundred times what is usual


@dataclass(frozen=True)
class Used:
    """A regular expression, and whether it is looked for at all places of a text."""

    place: str
    pattern: re.Pattern[Any]
    anywhere: bool


def written() -> Iterator[Used]:
    """List the regular expressions that stand in the package's files."""
    for file in sorted(PACKAGE.rglob("*.py")):
        text = file.read_text()
        if "re." not in text:
            continue
        for node in ast.walk(ast.parse(text)):
            call = node.value if isinstance(node, ast.Assign) else node
            if not (isinstance(call, ast.Call) and ast.unparse(call.func).startswith("re.")):
                continue
            function = ast.unparse(call.func).removeprefix("re.")
            if function not in FUNCTIONS or (function == "compile" and not isinstance(node, ast.Assign)):
                continue
            try:
                source = ast.literal_eval(call.args[0])
            except ValueError:  # put together of parts: characters in brackets only
                continue
            flags = [*call.args[1:], *(word.value for word in call.keywords if word.arg == "flags")]
            last = ast.unparse(flags[-1]) if flags else ""
            value = eval(last, {"re": re}) if last.startswith("re.") else 0
            anywhere = function in ANYWHERE
            if isinstance(node, ast.Assign):
                name = ast.unparse(node.targets[0])
                anywhere = re.search(rf"\b{name}\.({'|'.join(ANYWHERE)})\(", text) is not None
            yield Used(f"{file.relative_to(PACKAGE)}:{call.lineno}", re.compile(source, value), anywhere)
    for number, source in enumerate(re.findall(r" /(.*)/$", conditions._GRAMMAR, re.MULTILINE)):
        yield Used(f"conditions.py, terminal {number}", re.compile(source), False)


def sample(parsed: Iterable[Any]) -> str:
    """Give a text that a part of an expression matches; each repetition once, if it may be."""
    return "".join(map(_sample, parsed))


def _sample(item: Any) -> str:
    kind, value = str(item[0]), item[1]
    match kind:
        case "LITERAL":
            return chr(value)
        case "NOT_LITERAL":
            return "a" if value != ord("a") else "b"
        case "ANY":
            return "a"
        case "IN":
            one = re.compile(_class(value))
            return next((character for character in "a0 " + CHARACTERS if one.match(character)), "a")
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
            return sample(value[2]) * max(1, value[0])
        case "SUBPATTERN":
            return sample(value[3])
        case "BRANCH":
            return sample(value[1][0])
        case "ATOMIC_GROUP":
            return sample(value)
    return ""  # what matches no character


def _class(items: Any) -> str:
    parts = []
    for kind, value in items:
        match str(kind):
            case "NEGATE":
                parts.insert(0, "^")
            case "LITERAL":
                parts.append(re.escape(chr(value)))
            case "RANGE":
                parts.append(f"{re.escape(chr(value[0]))}-{re.escape(chr(value[1]))}")
            case "CATEGORY":
                name = str(value).removeprefix("CATEGORY_")
                letter = {"DIGIT": "d", "SPACE": "s", "WORD": "w"}[name.removeprefix("NOT_").removeprefix("UNI_")]
                parts.append("\\" + (letter.upper() if "NOT" in name else letter))
    return f"[{''.join(parts)}]"


def attacks(parsed: Iterable[Any], before: str = "") -> Iterator[tuple[str, str]]:
    """Give what to repeat, and what should stand before it, for each repetition in an expression."""
    for item in parsed:
        kind, value = str(item[0]), item[1]
        if kind.endswith("_REPEAT"):
            if value[1] > 9:
                yield from ((before, character) for character in CHARACTERS)
                yield before, sample(value[2])
                yield before[: -len(before) // 2], before + sample(value[2])
            yield from attacks(value[2], before)
        elif kind == "SUBPATTERN":
            yield from attacks(value[3], before)
        elif kind == "BRANCH":
            for branch in value[1]:
                yield from attacks(branch, before)
        before += _sample(item)


def seconds(used: Used, text: str) -> float:
    subject: Any = text.encode("utf-8", "replace") if isinstance(used.pattern.pattern, bytes) else text
    start = time.process_time()
    used.pattern.match(subject)
    used.pattern.fullmatch(subject)
    if used.anywhere:
        for _ in used.pattern.finditer(subject):
            pass
    return time.process_time() - start


EXPRESSIONS = list(written())


def test_all_are_found() -> None:
    assert len(EXPRESSIONS) > 80
    assert {"frontend", "cat", "corpus", "inspection", "cli"} <= {each.place.split("/")[0] for each in EXPRESSIONS}


def test_what_is_slow_is_seen() -> None:
    for source in (r"[\s*]*(?:\*\)|\*/)?\s*\Z", r"\s*([^=;]+?)\s*=\s*([^;]*?)\s*;", r"(\w+): x"):
        with pytest.raises(AssertionError, match="slow"):
            check(Used("here", re.compile(source), True))


@pytest.mark.parametrize("used", EXPRESSIONS, ids=lambda used: used.place)
def test_linear_time(used: Used) -> None:
    check(used)


def check(used: Used) -> None:
    from re import _parser  # type: ignore[attr-defined]

    parsed = _parser.parse(used.pattern.pattern, used.pattern.flags & ~re.UNICODE)
    for before, piece in dict.fromkeys(attacks(parsed)):
        for after in ("", "\0"):
            for length in LENGTHS:
                text = before + piece * (length // max(1, len(piece))) + after
                # A machine that does something else for a moment is not what is asked about.
                assert any(seconds(used, text) < SECONDS for _ in range(5)), (
                    f"slow: {before!r}, {length} of {piece!r}, {after!r}"
                )
