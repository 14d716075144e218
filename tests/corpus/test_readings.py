"""Reports say where a verdict rests on the reading of happens-before, or of a target's documents."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from time import sleep

from enumerator.corpus import tasks
from enumerator.corpus.tasks import Models, check_file
from enumerator.options import BatchOptions
from enumerator.program.test import Test
from enumerator.report.text import Tally, format_run, summary
from enumerator.results.result import Result

# An untagged store between two that are incompatible: a step of the closure, and no step where it counts directly.
BRIDGE = """@x = global i32 0
@y = global i32 0
@f = global i32 0
define void @t0() {
  store i32 1, ptr @x, !mmra !0
  store i32 1, ptr @y
  store atomic i32 1, ptr @f release, align 4, !mmra !1
  ret void
}
define void @t1() {
  %f = load atomic i32, ptr @f acquire, align 4
  %x = load i32, ptr @x
  ret void
}
!0 = !{!"foo", !"x"}
!1 = !{!"foo", !"y"}
"""
CONDITION = "; EXISTS: t1:%f = 1 /\\ t1:%x = 0\n"


def results(folder: Path, text: str, options: BatchOptions) -> list[Result]:
    path = folder / "test.ll"
    path.write_text(text)
    return list(check_file(str(path), options, Models(())))


def test_what_comes_out_under_other_readings(tmp_path: Path) -> None:
    (found,) = results(tmp_path, CONDITION + BRIDGE, BatchOptions())
    assert found.outcome == "Never+race" and found.readings == {"direct": "Sometimes+race"}
    assert "\n# Under direct: Sometimes+race\n" in format_run(found)
    tally = Tally()
    list(tally.watch([found]))
    assert "llvm@generic/closure/dep  Never+race; under direct: Sometimes+race\n" in summary(tally, 0.1)


def test_who_chooses_a_reading_is_not_told_of_others(tmp_path: Path) -> None:
    (found,) = results(tmp_path, CONDITION + BRIDGE, BatchOptions(hb="closure"))
    assert not found.readings


def test_expectations_pin_readings(tmp_path: Path) -> None:
    text = f"{CONDITION}; EXPECT: llvm=Never+race llvm/direct=Sometimes+race\n{BRIDGE}"
    found = results(tmp_path, text, BatchOptions(by_expectations=True))
    assert [(each.as_expected, each.readings) for each in found] == [(True, {}), (True, {})]


def test_without_incompatible_tags_nothing_else_is_searched(tmp_path: Path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    searched: list[object] = []
    check = tasks.check
    monkeypatch.setattr(tasks, "check", lambda *args, **named: searched.append(args) or check(*args, **named))
    results(tmp_path, CONDITION + BRIDGE.replace('"y"}', '"x"}'), BatchOptions())
    assert len(searched) == 1


def test_a_profile_names_stricter_readings_of_its_target(tmp_path: Path) -> None:
    text = Path("litmus_tests/profiles/amdgpu/profile-amdgpu-strict-barrier.ll")
    test = (Path(__file__).parents[2] / text).read_text()
    (found,) = results(tmp_path, test, BatchOptions(models=("amdgpu",)))
    assert found.outcome == "Never" and found.readings == {"amdgpu-strict": "Always+race"}


def test_readings_that_were_not_finished_are_told_and_their_time_counts(tmp_path: Path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    check = tasks.check

    def slow(test: Test, model: object, **more: object) -> Result:
        found = check(test, model, **more)  # type: ignore[arg-type]
        if "profile" in more and more["profile"] is not None:  # another reading
            sleep(0.3)
            return replace(found, status="timeout", verdict="unknown", observation="unknown")
        return found

    monkeypatch.setattr(tasks, "check", slow)
    (found,) = results(tmp_path, CONDITION + BRIDGE, BatchOptions())
    assert found.outcome == "Never+race" and not found.readings
    (note,) = found.notes
    assert note.startswith("of 2 other readings, ") and note.endswith(": --hb direct, --hb filtered")
    assert found.seconds > 0.6


def test_what_an_unfinished_reading_has_found_stays_told(tmp_path: Path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    check = tasks.check

    def cut(test: Test, model: object, **more: object) -> Result:
        found = check(test, model, **more)  # type: ignore[arg-type]
        if "profile" in more and more["profile"] is not None:
            return replace(found, observation="unknown", flags=("race", "ub-undef"))
        return found

    monkeypatch.setattr(tasks, "check", cut)
    (found,) = results(tmp_path, CONDITION + BRIDGE, BatchOptions())
    assert found.readings == {"direct": "unknown+race+ub-undef", "filtered": "unknown+race+ub-undef"}
