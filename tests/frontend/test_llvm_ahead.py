"""Modules that LLVM begins on before they are asked for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from enumerator import frontend
from enumerator.errors import InputError
from enumerator.frontend.llvm import process


def module(name: str) -> str:
    return f"define void @{name}() {{\n  ret void\n}}\n"


@pytest.fixture(autouse=True)
def _a_child_of_its_own() -> Iterator[None]:
    process.stop()
    frontend._ahead.clear()
    yield
    process.stop()
    frontend._ahead.clear()


def answer(name: str) -> str:
    text = process.canonical_text(module(name), f"{name}.ll")
    assert f"@{name}()" in text
    return text


def test_answers_belong_to_their_modules_in_any_order() -> None:
    assert process.begin([module(name) for name in "abcd"]) == 4
    answer("a")
    answer("c")  # that of b is passed over
    answer("b")  # not begun any more, nor is d afterwards
    answer("x")
    answer("d")
    assert process.begin([]) == 0


def test_equal_modules_may_be_begun_several_times() -> None:
    assert process.begin([module("a"), module("a"), module("b")]) == 3
    for name in "aab":
        answer(name)


def test_no_more_is_begun_than_can_wait_in_the_pipes() -> None:
    large = module("large") + "; comment\n" * 1000
    assert process.begin([module("a"), large, large, module("b")]) == 2
    assert process.begin([large]) == 0
    answer("a")
    assert "@large" in process.canonical_text(large, "large.ll")
    assert process.begin([large]) == 1
    huge = module("huge") + "; comment\n" * 100_000
    assert process.begin([huge]) == 0
    assert "@huge" in process.canonical_text(huge, "huge.ll")


def test_what_is_wrong_with_a_module_is_told_of_that_module() -> None:
    wrong = "define void @f() { ret i32 0 }"
    assert process.begin([module("a"), wrong, "nonsense", module("b")]) == 4
    answer("a")
    with pytest.raises(InputError, match="wrong.ll"):
        process.canonical_text(wrong, "wrong.ll")
    with pytest.raises(InputError, match="nonsense.ll"):
        process.canonical_text("nonsense", "nonsense.ll")
    answer("b")


def test_a_child_that_dies_costs_no_module() -> None:
    assert process.begin([module("a"), module("b")]) == 2
    child = process._child
    assert child is not None
    child._process.kill()
    child._process.wait()
    answer("a")
    answer("b")


def test_a_time_limit_is_that_of_the_module_at_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    assert process.begin([module("a"), module("b")]) == 2
    monkeypatch.setattr(process, "TIME_LIMIT", -1.0)
    child = process._child
    assert child is not None
    monkeypatch.setattr(child, "_receive", lambda size, deadline: (_ for _ in ()).throw(TimeoutError))
    with pytest.raises(InputError, match="did not finish"):
        process.canonical_text(module("a"), "a.ll")
    monkeypatch.undo()
    answer("b")


def test_files_that_are_read_ahead(tmp_path: Path) -> None:
    good = [tmp_path / f"t{number}.ll" for number in range(3)]
    for number, path in enumerate(good):
        path.write_text(f"; test {number}\n" + module(f"f{number}"))
    wrong = tmp_path / "wrong.ll"
    wrong.write_text("; NEVER\0")
    frontend.read_ahead(map(str, [*good, wrong, tmp_path / "behind.ll"]))  # up to one that cannot be read
    frontend.read_ahead([str(tmp_path / "t0.ll")])  # it is there already
    assert list(frontend._ahead) == list(map(str, good))
    for number, path in enumerate(good):
        assert frontend.load(path).title == f"test {number}"
    assert not frontend._ahead
    with pytest.raises(InputError, match="NUL"):
        frontend.load(wrong)


def test_no_module_is_sent_twice(tmp_path: Path) -> None:
    # The next file is among those that are read ahead: LLVM answers in the order of questions.
    paths = [tmp_path / f"t{number:02}.ll" for number in range(40)]
    for number, path in enumerate(paths):
        path.write_text(module(f"f{number}"))
    for number, path in enumerate(paths):
        frontend.read_ahead(map(str, paths[number:]))
        assert str(path) in frontend._ahead
        assert f"f{number}" in frontend.load(path).functions
    assert process._child is not None
    assert process._child.served == len(paths)


def test_what_is_not_read_ahead(tmp_path: Path) -> None:
    frontend.read_ahead([str(tmp_path / "missing.ll")])
    frontend.read_ahead([str(tmp_path / "other.litmus")])
    assert not frontend._ahead
