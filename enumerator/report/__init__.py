"""Reports: results as text, JSON, CSV, JUnit XML and pages; all but the last two are written as the results come."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TextIO

from enumerator.results.result import Result

__all__ = ["FORMATS", "writer"]

FORMATS = ("text", "json", "jsonl", "csv", "junit", "html")

Writer = Callable[[Iterable[Result], TextIO], None]


def writer(name: str) -> Writer:
    """Give the function that writes results in a format.

    Parameters
    ----------
    name : {'text', 'json', 'jsonl', 'csv', 'junit', 'html'}

    Returns
    -------
    callable
        Takes results and a text stream.

    Raises
    ------
    KeyError
        If there is no such format.
    """
    if name == "text":
        from enumerator.report.text import write_runs

        return write_runs
    if name == "junit":
        from enumerator.report.junit import write_junit  # the XML library is used for this only

        return write_junit
    if name == "html":
        from enumerator.report.page.run import write_html

        return write_html
    from enumerator.report.structured import write_csv, write_json, write_jsonl

    return {"json": write_json, "jsonl": write_jsonl, "csv": write_csv}[name]
