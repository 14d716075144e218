"""Results as JUnit XML, which continuous integration servers show: a test suite for each folder."""

from __future__ import annotations

import re
from collections.abc import Iterable
from os.path import dirname
from typing import TextIO
from xml.etree import ElementTree

from enumerator.printing import printable
from enumerator.report.text import format_run, observed, wanted
from enumerator.results.result import Result

__all__ = ["write_junit"]

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write_junit(results: Iterable[Result], stream: TextIO) -> None:
    """Write results as JUnit XML.

    Parameters
    ----------
    results : iterable of Result
    stream : text stream
    """
    folders: dict[str, list[Result]] = {}
    for result in results:
        folders.setdefault(dirname(result.path) or ".", []).append(result)
    root = ElementTree.Element("testsuites", _numbers([result for suite in folders.values() for result in suite]))
    for folder, suite in folders.items():
        element = ElementTree.SubElement(root, "testsuite", {"name": _clean(folder), **_numbers(suite)})
        for result in suite:
            element.append(_case(folder, result))
    ElementTree.indent(root)
    stream.write('<?xml version="1.0" encoding="UTF-8"?>\n')
    stream.write(ElementTree.tostring(root, encoding="unicode"))
    stream.write("\n")


def _numbers(results: list[Result]) -> dict[str, str]:
    return {
        "tests": str(len(results)),
        "failures": str(sum(_outcome(result) == "failure" for result in results)),
        "errors": str(sum(_outcome(result) == "error" for result in results)),
        "skipped": str(sum(_outcome(result) == "skipped" for result in results)),
        "time": f"{sum(result.seconds for result in results):.6f}",
    }


def _outcome(result: Result) -> str:
    if result.status == "error":
        return "error"
    if result.as_expected is False:
        return "failure"
    return "skipped" if result.unknown else "passed"


def _case(folder: str, result: Result) -> ElementTree.Element:
    name = result.name if result.model is None else f"{result.name} [{result.how}]"
    case = ElementTree.Element(
        "testcase",
        {
            "classname": _clean(folder),
            "name": _clean(name),
            "file": _clean(result.path),
            "time": f"{result.seconds:.6f}",
        },
    )
    outcome = _outcome(result)
    if outcome == "error":
        ElementTree.SubElement(case, "error", {"message": _clean(result.error or "")})
    elif outcome == "failure":
        message = f"expected {wanted(result)}, found {observed(result)}"
        ElementTree.SubElement(case, "failure", {"message": _clean(message)}).text = _clean(format_run(result))
    elif outcome == "skipped":
        message = "; ".join((f"unknown: {result.status}", *result.notes))
        ElementTree.SubElement(case, "skipped", {"message": _clean(message)})
    return case


def _clean(text: str) -> str:
    """Write control characters, and others that XML cannot hold even escaped, in Python's notation."""
    return _NOT_XML.sub(lambda match: match[0].encode("unicode_escape").decode(), printable(text))
