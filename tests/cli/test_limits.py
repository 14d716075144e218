"""A limit is unknown: one message, the exit code 3, no verdict, no internal error."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from enumerator import check, clock, draw, explain
from enumerator.cli import main
from enumerator.distinguishing.alphabet import make_alphabet
from enumerator.distinguishing.minimal import minimal_tests
from enumerator.distinguishing.search import distinguish
from enumerator.distinguishing.sides import parse_side
from enumerator.frontend import load_text
from enumerator.options import Options
from enumerator.passes.ordering import check_soundness
from enumerator.results.result import Result

ONE_STORE = """; NEVER: @x = 2
@x = global i32 0
define void @t() {
  store i32 1, ptr @x
  ret void
}
"""

ENDLESS = """; EXISTS: @x = 1
@x = global i32 0
define void @t0() {
entry:
  br label %again
again:
  %i = phi i32 [ 0, %entry ], [ %next, %again ]
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 1000000000
  br i1 %more, label %again, label %done
done:
  store i32 1, ptr @x
  store i32 2, ptr @x
  ret void
}
"""
"""A loop that runs to its end, which takes longer than any test may."""

BRANCHES = "\n".join(
    (
        "; EXISTS: @x = 1\n@x = global i32 0\ndefine void @t0() {",
        *(
            f"  %r{n} = load atomic i32, ptr @x monotonic, align 4\n  %c{n} = icmp eq i32 %r{n}, 1\n"
            f"  br i1 %c{n}, label %a{n}, label %b{n}\na{n}:\n  store atomic i32 {n}, ptr @x monotonic, align 4\n"
            f"  br label %b{n}\nb{n}:"
            for n in range(24)
        ),
        "  fence release\n  fence acquire\n  ret void\n}\ndefine void @t1() {",
        "  store atomic i32 1, ptr @x monotonic, align 4\n  ret void\n}\n",
    )
)
"""More paths than can be listed."""


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    out, err = capsys.readouterr()
    assert isinstance(ended.value.code, int)
    return ended.value.code, out, err


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "endless.ll").write_text(ENDLESS)
    (tmp_path / "branches.ll").write_text(BRANCHES)
    return tmp_path


@pytest.mark.parametrize("name", ["endless.ll", "branches.ll"])
@pytest.mark.parametrize("command", ["merge", "reorder"])
def test_what_takes_too_long_to_unfold_is_unknown(
    folder: Path, capsys: pytest.CaptureFixture[str], command: str, name: str
) -> None:
    code, out, err = run(capsys, command, name, "--timeout", "0.5")
    assert (code, out, err) == (3, "", "enumerator: unknown: the time is up\n")


def test_the_rules_of_many_pairs_are_within_the_limit(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stores = "".join(f"  store i32 {n}, ptr @x{n}\n" for n in range(500))
    globals_ = "".join(f"@x{n} = global i32 0\n" for n in range(500))
    (folder / "many.ll").write_text(f"{globals_}define void @t() {{\n{stores}  ret void\n}}\n")
    code, _, err = run(capsys, "reorder", "many.ll", "--timeout", "0.5")
    assert (code, err) == (3, "enumerator: unknown: the time is up\n")


@pytest.mark.parametrize(
    "command", [("infer", "thread-private"), ("order", "--mode", "alias", "--check"), ("explain",), ("repair",)]
)
def test_other_questions_are_unknown_then(
    folder: Path, capsys: pytest.CaptureFixture[str], command: tuple[str, ...]
) -> None:
    code, out, err = run(capsys, *command, "endless.ll", "--timeout", "0.5")
    assert (code, err) == (3, "") and ("unknown" in out or "limit was reached" in out)


def test_a_time_limit_holds_for_both_programs_of_a_check_of_tokens(folder: Path) -> None:
    found = check_soundness(ENDLESS.replace("@t0()", "@t0() #0"), "endless.ll", options=Options(timeout=0.0))
    assert (found.verdict, found.notes) == ("unknown", ("the time is up",))


def test_what_is_not_found_in_time_is_not_drawn(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for more in ((), ("--all",)):
        code, out, err = run(capsys, "draw", "endless.ll", "--timeout", "0.3", *more)
        assert (code, out) == (3, "") and err.startswith("enumerator: unknown: endless.ll: ")
        assert len(err.splitlines()) == 1


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the first check of an explanation take a hundred seconds."""

    def checked(*arguments: object, **options: object) -> Result:
        result = check(*arguments, **options)  # type: ignore[arg-type]
        monkeypatch.setattr(clock, "_untimed", clock._untimed - 100)
        return result

    monkeypatch.setattr("enumerator.explanation.check", checked)


@pytest.mark.usefixtures("slow")
@pytest.mark.parametrize(("outcome", "allowed"), [("@x = 1", True), ("@x = 2", False)])
def test_the_parts_of_an_explanation_have_one_limit(outcome: str, allowed: bool) -> None:
    late = "the time is up before all was looked at"
    found = explain(load_text(ONE_STORE, "a.ll"), outcome=outcome, timeout=60)
    assert (found.allowed, found.status, found.witness, found.ways) == (allowed, "timeout", None, ())
    assert found.notes[-1] == late and late in str(found)
    found = explain(load_text(ONE_STORE, "a.ll"), outcome=outcome, timeout=1000)
    assert (found.allowed, found.status, found.witness is not None) == (allowed, "complete", allowed)


@pytest.mark.usefixtures("slow")
def test_what_was_not_explained_in_time_is_no_success(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "a.ll").write_text(ONE_STORE.replace("NEVER: @x = 2", "EXISTS: @x = 1"))
    code, out, err = run(capsys, "explain", "a.ll", "--timeout", "60")
    assert (code, err) == (3, "") and "# the time is up before all was looked at" in out
    for more in ((), ("--all", "--outcome", "@x = 1")):
        code, out, err = run(capsys, "draw", "a.ll", "--timeout", "60", *more)
        assert (code, out) == (3, "") and err.startswith("enumerator: unknown: ") and "the time is up" in err
        assert len(err.splitlines()) == 1
    assert run(capsys, "draw", "a.ll", "--timeout", "1000")[0] == 0


def test_pictures_that_are_drawn_in_time_are_given(monkeypatch: pytest.MonkeyPatch) -> None:
    from enumerator.report.picture import contents

    scene_of = contents.scene_of

    def slowly(*arguments: object, **options: object) -> object:
        monkeypatch.setattr(clock, "_untimed", clock._untimed - 100)
        return scene_of(*arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(contents, "scene_of", slowly)
    another = ONE_STORE.partition("define")[2].replace("@t", "@u").replace("i32 1", "i32 2")
    text = f"{ONE_STORE}define{another}".replace("store", "store atomic").replace("ptr @x", "ptr @x monotonic, align 4")
    two = load_text(text, "a.ll")
    drawn = [draw(two, every=True, timeout=seconds) for seconds in (60, 1000)]
    assert [(len(each.scenes), each.status) for each in drawn] == [(1, "timeout"), (2, "complete")]


COMMANDS_WITH_A_BOUND = ("run", "check", "explain", "draw", "reorder", "merge", "relax", "repair")


@pytest.mark.parametrize("command", COMMANDS_WITH_A_BOUND)
def test_a_bound_on_executions_that_no_word_holds(
    folder: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    (folder / "a.ll").write_text(ONE_STORE)
    code, _, err = run(capsys, command, "a.ll", "--max-executions", str(1 << 63))
    assert (code, err) == (2, f"enumerator: --max-executions: expected a number below 2^63, not {1 << 63}\n")
    code, _, err = run(capsys, command, "a.ll", "--max-executions", str((1 << 63) - 1))
    assert "--max-executions" not in err and "internal error" not in err


def test_reading_a_model_takes_of_the_time(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "a.ll").write_text(ONE_STORE)
    (folder / "many.cat").write_text('"many"\n' + "".join(f"let r{n} = po | rf\n" for n in range(15_000)))
    commands = [
        f"{command} a.ll --model many.cat"
        for command in ("run", "check", "explain", "relax", "reorder", "refines a.ll", "compare --model sc")
    ]
    for command in (*commands, "distinguish sc many.cat", "generate --minimal --model many.cat"):
        code, out, err = run(capsys, *command.split(), "--timeout", "0.1")
        assert (code, out, err) == (3, "", "enumerator: unknown: the time is up\n")


def test_making_ready_to_distinguish_takes_of_the_time() -> None:
    tso, sc = parse_side("tso"), parse_side("sc")
    alphabet = make_alphabet([tso, sc])
    found = distinguish(tso, sc, alphabet, 3, timeout=0.0)
    assert (found.status, found.complete, found.differences) == ("timeout", 0, [])
    suite = minimal_tests(sc, alphabet, 3, timeout=0.0)
    assert (suite.status, suite.complete, suite.tests) == ("timeout", 0, [])


def test_a_check_in_python_is_unknown_then(folder: Path) -> None:
    (folder / "many.cat").write_text('"many"\n' + "".join(f"let r{n} = po | rf\n" for n in range(15_000)))
    result = check(load_text(ONE_STORE, "a.ll"), "many.cat", timeout=0.1)
    assert (result.status, result.verdict, result.model) == ("timeout", "unknown", "many.cat")


def test_includes_that_double_end_in_time(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "a.ll").write_text(ONE_STORE)
    (folder / "0.cat").write_text('"none"\n')
    for n in range(1, 30):
        (folder / f"{n}.cat").write_text(f'include "{n - 1}.cat"\ninclude "{n - 1}.cat"\n')
    code, out, err = run(capsys, "run", "a.ll", "--model", "29.cat", "--timeout", "0.2")
    assert (code, out, err) == (3, "", "enumerator: unknown: the time is up\n")


def test_a_test_that_is_read_too_late_is_unknown(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "a.ll").write_text(ONE_STORE)
    code, out, _ = run(capsys, "run", "a.ll", "--timeout", "0")
    assert code == 3 and "unknown" in out


def test_a_long_condition_is_read_in_time(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    long = " \\/ ".join(f"@x = {n}" for n in range(30_000))
    (folder / "long.ll").write_text(ONE_STORE.replace("NEVER: @x = 2", f"EXISTS: {long}"))
    code, out, _ = run(capsys, "run", "long.ll", "--timeout", "0.1")
    assert code == 3 and "timeout while the test was read" in out
    assert run(capsys, "merge", "long.ll", "--timeout", "0.1")[::2] == (3, "enumerator: unknown: the time is up\n")


def test_what_a_check_takes_is_all_of_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Names of registers are found by unfolding the test, before a search begins."""
    monkeypatch.setattr("enumerator.asking.all_names", lambda test: time.sleep(0.2) or ())
    assert check(load_text(ONE_STORE, "a.ll"), all_values=True).seconds >= 0.2
    assert check(load_text(ENDLESS, "endless.ll"), timeout=0.2).seconds >= 0.2
