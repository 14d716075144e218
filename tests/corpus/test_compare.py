"""Files of results, read and compared."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from enumerator.corpus.compare import by_test, compare_records
from enumerator.corpus.records import UNDEFINED, Record, read_records
from enumerator.errors import InputError
from enumerator.report import writer
from enumerator.results.result import Result, State

HERD = """Test SB Allowed
States 2
0:r0=0x0; 1:r0=0x0; [x]=1;
0:r0=0x1; 1:r0=0x0; [x]=1;
Ok
Witnesses
Positive: 1 Negative: 3
Condition exists (0:r0=0 /\\ 1:r0=0)
Observation SB Sometimes 1 3
Time SB 0.01
Hash=0123456789abcdef

"""
RACY = """Test R Forbidden
States 1
0:r0=0;
Undef
Witnesses
Positive: 1 Negative: 0
Flag *undef*
Flag lock
Condition ~exists (0:r0=1)
Observation R Never 0 1

"""
RESULT = Result(
    "SB",
    "sb.litmus",
    "rc11",
    "generic",
    quantifier="exists",
    verdict="Ok",
    observation="Sometimes",
    positive=1,
    negative=3,
    states=(
        State({"0:r0": 0, "1:r0": 0, "[x]": 1}, 1, True),
        State({"0:r0": 1, "1:r0": 0, "[x]": 1}, 3, False),
    ),
    explored=4,
    consistent=4,
    formula="0:r0=0 /\\ 1:r0=0",
)


def written(tmp_path: Path, text: str, name: str = "a.log") -> str:
    path = tmp_path / name
    path.write_text(text)
    return str(path)


def records(tmp_path: Path, text: str) -> list[Record]:
    return read_records(written(tmp_path, text))


def test_a_log_of_herd7(tmp_path: Path) -> None:
    sb, r = records(tmp_path, f'Warning: File "sb.litmus": nothing\n{HERD}{RACY}')
    assert (sb.name, sb.quantifier, sb.verdict, sb.observation, sb.positive, sb.negative, sb.line) == (
        *("SB", "exists", "Ok", "Sometimes", 1, 3),
        2,
    )
    assert frozenset({("0:r0", "1"), ("1:r0", "0"), ("x", "1")}) in sb.states and len(sb.states) == 2
    assert (r.quantifier, r.verdict, r.flags) == ("never", "Undef", {UNDEFINED, "lock"})
    assert (r.observation, r.positive, r.negative) == ("Never", 0, 1)


def test_a_loop_that_herd7_cut(tmp_path: Path) -> None:
    assert records(tmp_path, HERD.replace("Ok\n", "Loop Ok\n"))[0].verdict == "Ok"


@pytest.mark.parametrize("missing", ["Hash=0123456789abcdef\n", "Time SB 0.01\n", "\n\n"])
def test_logs_without_hashes_and_times(tmp_path: Path, missing: str) -> None:
    text = HERD.replace(missing, "\n" if missing == "\n\n" else "")
    assert records(tmp_path, text + RACY)[1].name == "R"
    assert records(tmp_path, text.replace("Ok\n", "Warning: slow\nOk\n"))[0].verdict == "Ok"


@pytest.mark.parametrize("format_", ["text", "json", "jsonl"])
@pytest.mark.parametrize(
    ("quantifier", "kind", "verdict", "witnesses"),
    [
        ("exists", "Allowed", "Ok", "Positive: 1 Negative: 3"),
        ("never", "Forbidden", "No", "Positive: 3 Negative: 1"),
        ("forall", "Required", "No", "Positive: 1 Negative: 3"),
    ],
)
def test_what_we_write_we_read(
    tmp_path: Path, format_: str, quantifier: str, kind: str, verdict: str, witnesses: str
) -> None:
    path = tmp_path / "ours"
    with path.open("w") as stream:
        writer(format_)([replace(RESULT, quantifier=quantifier, verdict=verdict)], stream)
    log = HERD.replace("Allowed", kind).replace("Ok\n", f"{verdict}\n").replace("Positive: 1 Negative: 3", witnesses)
    found, wanted = read_records(str(path)), records(tmp_path, log)
    assert compare_records(*by_test(found, wanted)).same
    assert found[0].how == "rc11@generic"


@pytest.mark.parametrize(("lines", "line"), [(2, 2), (3, 3), (5, 5), (7, 7), (8, 8)])
def test_a_truncated_log_is_an_error_at_its_end(tmp_path: Path, lines: int, line: int) -> None:
    text = "".join(f"{each}\n" for each in HERD.splitlines()[:lines])
    with pytest.raises(InputError) as caught:
        records(tmp_path, text)
    assert (caught.value.line, caught.value.message) == (line, "the log ends within a test")


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("", 1, "expected results"),
        ("hello\n", 1, "expected 'Test NAME Allowed'"),
        ("States 2\n", 1, "expected 'Test NAME Allowed'"),
        (HERD.replace("States 2", "States 3"), 5, "expected a state"),
        (HERD.replace("States 2", "States 1"), 4, "expected 'Ok', 'No' or 'Undef'"),
        (HERD.replace("Histogram", "").replace("Positive: 1", "Positive: x"), 7, "expected 'Positive: P Negative: N'"),
        (HERD.replace("Observation SB", "Observation MP"), 9, "expected the observation of SB"),
        ('[{"name": "SB", ', 1, "the JSON is not complete, or wrong"),
        ('{"name": "SB"}', 1, "expected results as 'run --format json' writes them"),
        ("[1]", 1, "expected results as"),
    ],
)
def test_bad_files(tmp_path: Path, text: str, line: int, message: str) -> None:
    with pytest.raises(InputError) as caught:
        records(tmp_path, text)
    assert caught.value.line == line and message in caught.value.message


def test_files_that_are_no_text(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read it"):
        read_records(str(tmp_path / "missing"))
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="UTF-8"):
        read_records(str(tmp_path / "bytes"))


def test_differences(tmp_path: Path) -> None:
    first = records(tmp_path, HERD + RACY)
    changed = HERD.replace("0:r0=0x1", "0:r0=2").replace("Positive: 1", "Positive: 2")
    changed = changed.replace("Condition", "Flag f\nCondition")
    second = records(tmp_path, changed + HERD.replace("SB", "MP"))
    found = compare_records(*by_test(first, second))
    assert [(each.test, each.what, each.first, each.second) for each in found.differences] == [
        ("SB", "positive", "1", "2"),
        ("SB", "flag", "-", "f"),
        ("SB", "state", "0:r0=1; 1:r0=0; x=1;", "-"),
        ("SB", "state", "-", "0:r0=2; 1:r0=0; x=1;"),
        ("R", "only in", "A", "-"),
        ("MP", "only in", "-", "B"),
    ]
    assert (found.equal, found.different, found.only_first, found.only_second) == (0, 1, 1, 1)


def test_names_that_occur_twice(tmp_path: Path) -> None:
    twice = records(tmp_path, HERD + HERD)
    assert list(by_test(twice, twice)[0]) == ["SB", "SB (2)"]
    models = [record | {"model": model} for model in ("rc11", "sc") for record in [RESULT.as_json()]]
    both = records(tmp_path, json.dumps(models))
    assert list(by_test(both, both)[1]) == ["SB under rc11@generic", "SB under sc@generic"]
