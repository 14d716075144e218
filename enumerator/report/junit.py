"""Results as JUnit XML, which continuous integration servers show: a test suite for each folder."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from os.path import dirname
from typing import NamedTuple, TextIO
from xml.etree import ElementTree

from enumerator.printing import printable
from enumerator.report.text import format_run, observed, wanted
from enumerator.results.result import Result

__all__ = ["Case", "write_junit", "write_suites"]

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Case(NamedTuple):
    """A test case: its outcome is ``passed``, ``failure``, ``error`` or ``skipped``."""

    classname: str
    name: str
    path: str
    seconds: float
    outcome: str
    message: str = ""
    told: str = ""


def write_junit(results: Iterable[Result], stream: TextIO) -> None:
    """Write results as JUnit XML.

    Parameters
    ----------
    results : iterable of Result
    stream : text stream
    """
    folders: dict[str, list[Case]] = {}
    for result in results:
        folder = dirname(result.path) or "."
        folders.setdefault(folder, []).append(_case(folder, result))
    write_suites(folders, stream)


def write_suites(suites: Mapping[str, Sequence[Case]], stream: TextIO) -> None:
    """Write test suites as JUnit XML."""
    root = ElementTree.Element("testsuites", _numbers([case for suite in suites.values() for case in suite]))
    for name, suite in suites.items():
        element = ElementTree.SubElement(root, "testsuite", {"name": _clean(name), **_numbers(suite)})
        for each in suite:
            names = {"classname": each.classname, "name": each.name, "file": each.path}
            case = ElementTree.SubElement(element, "testcase", {key: _clean(value) for key, value in names.items()})
            case.set("time", f"{each.seconds:.6f}")
            if each.outcome != "passed":
                told = ElementTree.SubElement(case, each.outcome, {"message": _clean(each.message)})
                told.text = _clean(each.told) or None
    ElementTree.indent(root)
    stream.write('<?xml version="1.0" encoding="UTF-8"?>\n')
    stream.write(ElementTree.tostring(root, encoding="unicode"))
    stream.write("\n")


def _numbers(cases: Sequence[Case]) -> dict[str, str]:
    counts = Counter(case.outcome for case in cases)
    counted = {"failures": counts["failure"], "errors": counts["error"], "skipped": counts["skipped"]}
    seconds = sum(case.seconds for case in cases)
    return {"tests": str(len(cases)), **{key: str(count) for key, count in counted.items()}, "time": f"{seconds:.6f}"}


def _case(folder: str, result: Result) -> Case:
    name = result.name if result.model is None else f"{result.name} [{result.how}]"
    case = Case(folder, name, result.path, result.seconds, "passed")
    if result.status == "error":
        return case._replace(outcome="error", message=result.error or "")
    if result.as_expected is False:
        message = f"expected {wanted(result)}, found {observed(result)}"
        return case._replace(outcome="failure", message=message, told=format_run(result))
    if result.unknown:
        return case._replace(outcome="skipped", message="; ".join((f"unknown: {result.status}", *result.notes)))
    return case


def _clean(text: str) -> str:
    """Write control characters, and others that XML cannot hold even escaped, in Python's notation."""
    return _NOT_XML.sub(lambda match: match[0].encode("unicode_escape").decode(), printable(text))
