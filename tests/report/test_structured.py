"""JSON, CSV and JUnit reports."""

from __future__ import annotations

import csv
import io
import json
from xml.etree import ElementTree

import pytest
from examples import ALL, ERROR, MP, UNKNOWN

from enumerator.report import FORMATS, writer
from enumerator.results.result import Result


def written(name: str, results: tuple[Result, ...]) -> str:
    stream = io.StringIO()
    writer(name)(iter(results), stream)
    return stream.getvalue()


def test_json_has_the_documented_keys() -> None:
    (record,) = json.loads(written("json", (MP,)))
    assert {
        "name": "MP",
        "path": "litmus/mp/MP.ll",
        "model": "llvm",
        "profile": "generic",
        "hb": "closure",
        "thin_air": "dep",
        "quantifier": "exists",
        "verdict": "Ok",
        "observation": "Sometimes",
        "positive": 1,
        "negative": 3,
        "flags": ["race"],
        "expected": "Sometimes",
        "as_expected": True,
        "status": "complete",
        "seconds": 0.0004,
    }.items() <= record.items()
    assert record["executions"] == {"explored": 12, "consistent": 4, "cut": 0}
    assert record["states"][2] == {
        "values": {"t1:%data": "undef", "t1:%flag": 1, "@p": "@x+8"},
        "executions": 1,
        "witness": True,
        "undetermined": True,
    }
    assert "error" not in record


def test_json_without_counts_and_of_errors() -> None:
    unknown, error = json.loads(written("json", (UNKNOWN, ERROR)))
    assert unknown["positive"] is unknown["negative"] is unknown["executions"] is None
    assert unknown["as_expected"] is None and unknown["cut"] == 2
    assert error["status"] == "error" and error["error"] == ERROR.error and error["model"] is None


@pytest.mark.parametrize("count", [0, 1, 5])
def test_json_and_lines_agree(count: int) -> None:
    lines = written("jsonl", ALL[:count]).splitlines()
    assert [json.loads(line) for line in lines] == json.loads(written("json", ALL[:count]))


def test_csv() -> None:
    rows = list(csv.DictReader(io.StringIO(written("csv", ALL))))
    assert [row["name"] for row in rows] == ["MP", "MP2", "SB", "bad\\x01\\ud800", "P"]
    assert rows[0]["condition"] == MP.condition and rows[0]["states"] == "3" and rows[0]["expected"] == "Sometimes+race"
    assert [row["as_expected"] for row in rows] == ["true", "false", "", "", "false"]


def test_junit() -> None:
    root = ElementTree.fromstring(written("junit", ALL).encode("utf-8"))
    assert [suite.get("name") for suite in root] == ["litmus/mp", "litmus", "."]
    assert root.attrib["tests"] == "5" and root.attrib["failures"] == "2"
    assert root.attrib["errors"] == "1" and root.attrib["skipped"] == "1"
    cases = {case.get("name"): case for case in root.iter("testcase")}
    assert len(cases["MP [llvm@generic/closure/dep]"]) == 0
    assert cases["MP2 [llvm@generic/closure/dep]"][0].get("message") == "expected Never+race, found Sometimes+race"
    assert cases["bad\\x01\\ud800"][0].get("message") == "litmus/bad.ll:3:7: expected\n a <type>\\x00"


@pytest.mark.parametrize("name", FORMATS)
def test_reports_of_nothing(name: str) -> None:
    text = written(name, ())
    assert name in ("text", "jsonl") or text
    if name == "json":
        assert json.loads(text) == []


def test_lines_come_as_results_do() -> None:
    stream = io.StringIO()

    def results():  # type: ignore[no-untyped-def]
        for result in ALL:
            yield result
            assert stream.getvalue().endswith("\n") and f'"{result.verdict}"' in stream.getvalue().splitlines()[-1]

    writer("jsonl")(results(), stream)
