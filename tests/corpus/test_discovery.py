"""Finding tests."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from enumerator.discovery import find_tests
from enumerator.errors import InputError
from enumerator.frontend import load


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("b/z.ll", "b/a.litmus", "a.ll", "b-c/x.test", "b/README.md", ".hidden/x.ll", "b/.x.ll", "c.cat"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.touch()
    return tmp_path


def test_folders_are_searched_in_order(folder: Path) -> None:
    found = [os.path.relpath(path, folder) for path in find_tests([str(folder)])]
    assert found == ["a.ll", "b/a.litmus", "b/z.ll", "b-c/x.test"]


def test_files_are_taken_as_they_are_and_once(folder: Path) -> None:
    readme, test = str(folder / "b/README.md"), str(folder / "b/z.ll")
    assert find_tests([test, readme, str(folder / "b"), test]) == [test, readme, str(folder / "b/a.litmus")]


def test_links_to_folders_do_not_make_it_hang(folder: Path) -> None:
    (folder / "b/loop").symlink_to(folder)
    assert len(find_tests([str(folder)])) == 4


def test_what_cannot_be_read_is_not_left_out(folder: Path) -> None:
    os.mkfifo(folder / "b/pipe.ll")
    (folder / "b/nothing.ll").symlink_to("nowhere")
    found = [os.path.basename(path) for path in find_tests([str(folder)])]
    assert len(found) == 6 and {"pipe.ll", "nothing.ll"} < set(found)
    assert find_tests([str(folder / "b/pipe.ll")]) == [str(folder / "b/pipe.ll")]


def test_standard_input_is_checked_alone(folder: Path) -> None:
    assert find_tests(["-"]) == ["-"]
    with pytest.raises(InputError, match="checked alone"):
        find_tests(["-", str(folder)])


@pytest.mark.parametrize(
    ("name", "message"), [("nope", "no such file or folder"), ("a\0b", "no such file"), (".hidden/..x", "no such file")]
)
def test_what_does_not_exist(folder: Path, name: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        find_tests([f"{folder}/{name}"])


def test_folder_without_tests(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no tests in this folder"):
        find_tests([str(tmp_path)])


def test_what_is_missing_does_not_stop_the_others(folder: Path) -> None:
    (folder / "empty").mkdir()
    named = [f"{folder}/{name}" for name in ("nope.ll", "a.ll", "empty")]
    assert find_tests(named) == named


def test_a_folder_without_tests_beside_others_is_said_to_have_none(folder: Path) -> None:
    (folder / "empty").mkdir()
    with pytest.raises(InputError, match="no tests in this folder"):
        load(str(folder / "empty"))
    with pytest.raises(InputError, match="a folder, not a file"):
        load(str(folder))
