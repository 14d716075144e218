"""Text reports."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from examples import ALL, DIFFERENT, ERROR, MP, PLAIN, UNKNOWN

from enumerator.program.values import Pointer
from enumerator.report.text import Tally, difference_table, format_run, summary, write_runs
from enumerator.results.result import State


def test_herd_layout() -> None:
    assert format_run(MP).splitlines() == [
        "Test MP Allowed",
        "States 3",
        "t1:%data=0; t1:%flag=0;",
        "t1:%data=1; t1:%flag=0;",
        "t1:%data=undef; t1:%flag=1; @p=@x+8;",
        "Ok",
        "Witnesses",
        "Positive: 1 Negative: 3",
        "Flag race",
        "Condition exists (t1:%flag=1 /\\ t1:%data=0)",
        "Observation MP Sometimes 1 3",
        "Time MP 0.00",
        "# Model llvm@generic/closure/dep",
        "# Note the witness rests on undef",
        "",
    ]


def test_without_counts() -> None:
    lines = format_run(UNKNOWN).splitlines()
    assert lines[3] == "Unknown"
    assert "Witnesses" not in lines
    assert "Observation SB Unknown" in lines
    assert "# Status limit: what more search could change is unknown" in lines


def test_a_test_that_was_not_read_has_no_condition() -> None:
    lines = format_run(replace(UNKNOWN, condition="", formula="")).splitlines()
    assert not any(line.startswith("Condition") for line in lines)


@pytest.mark.parametrize(
    ("quantifier", "kind", "written", "witnesses"),
    [
        ("exists", "Allowed", "exists", "Positive: 1 Negative: 3"),
        ("never", "Forbidden", "~exists", "Positive: 3 Negative: 1"),
        ("forall", "Required", "forall", "Positive: 1 Negative: 3"),
    ],
)
def test_quantifiers(quantifier: str, kind: str, written: str, witnesses: str) -> None:
    lines = format_run(replace(MP, quantifier=quantifier)).splitlines()
    assert lines[0] == f"Test MP {kind}"
    assert witnesses in lines and "Observation MP Sometimes 1 3" in lines  # as in herd7: of the condition, of its body
    assert f"Condition {written} (t1:%flag=1 /\\ t1:%data=0)" in lines


def test_names_cannot_forge_lines() -> None:
    lines = format_run(replace(MP, name="a\nOk")).splitlines()
    assert lines[0] == r"Test a\nOk Allowed"
    assert lines.count("Ok") == 1


def test_control_characters_are_escaped() -> None:
    state = State({"t0:%a\x1b[31m\nOk": Pointer("@x\x9b\u202e", 8)}, 1, True)
    text = format_run(replace(MP, name="a\x1b]0;b\x07", states=(state,), notes=("c\x1b[2J",), details=("d\te\nOk",)))
    assert [line for line in text.splitlines() if "\\" in line and not line.startswith("Condition")] == [
        "Test a\\x1b]0;b\\x07 Allowed",
        "t0:%a\\x1b[31m\\nOk=@x\\x9b\\u202e+8;",
        "Observation a\\x1b]0;b\\x07 Sometimes 1 3",
        "Time a\\x1b]0;b\\x07 0.00",
        "# Note c\\x1b[2J",
        "# d\\te\\nOk",
    ]
    assert text.replace("\n", "").isprintable()


def test_errors_have_no_run() -> None:
    stream = io.StringIO()
    write_runs([ERROR, MP], stream)
    assert stream.getvalue() == format_run(MP)


def test_difference_table() -> None:
    assert difference_table([DIFFERENT, PLAIN]).splitlines() == [
        "test              under                     expected    found",
        "litmus/mp/MP2.ll  llvm@generic/closure/dep  Never+race  Sometimes+race",
        "P.litmus          llvm@generic/closure/dep  Ok          No",
    ]


def test_summary() -> None:
    tally = Tally()
    assert len(list(tally.watch(ALL))) == 5
    assert tally.exit_code == 2
    text = summary(tally, 1.25)
    assert "  litmus/bad.ll:3:7: expected a <type>\\x00\n" in text
    assert text.splitlines()[-1] == ("5 tests, 5 results: 1 as expected, 2 different, 1 unknown, 1 error in 1.2 s")


@pytest.mark.parametrize(
    ("results", "code"),
    [
        ([MP], 0),
        ([MP, UNKNOWN], 3),
        ([UNKNOWN, DIFFERENT], 1),
        ([DIFFERENT, ERROR], 2),
        ([], 0),
        ([replace(MP, expected=None, as_expected=None)], 0),  # nothing is expected, and nothing unknown
        ([replace(UNKNOWN, expected=None)], 3),
        ([replace(UNKNOWN, as_expected=False, verdict="Ok")], 1),
        ([replace(MP, status="limit")], 0),  # the witness that was found decides
    ],
)
def test_exit_codes(results: list, code: int) -> None:  # type: ignore[type-arg]
    tally = Tally()
    list(tally.watch(results))
    assert tally.exit_code == code


def test_interruption_keeps_what_there_is() -> None:
    def results():  # type: ignore[no-untyped-def]
        yield MP
        raise KeyboardInterrupt

    tally = Tally()
    assert list(tally.watch(results())) == [MP]
    assert tally.interrupted and tally.exit_code == 130
    assert summary(tally, 0).endswith("(interrupted)\n")
