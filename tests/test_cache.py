"""What is kept between runs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from lark import Transformer

from enumerator import cache
from enumerator.grammar import lalr_parser


@pytest.fixture
def chosen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ENUMERATOR_CACHE_DIR", str(tmp_path))
    return tmp_path


def test_what_is_stored_is_loaded(chosen: Path) -> None:
    assert cache.load("group", "name") is None
    assert cache.store("group", "name", b"data") and cache.store("group", "name", b"more")
    assert cache.load("group", "name") == b"more"
    assert [file.name for file in (chosen / "group").iterdir()] == ["name"]


def test_a_folder_that_is_a_link_is_not_used(chosen: Path) -> None:
    (chosen / "elsewhere").mkdir(mode=0o777)
    (chosen / "elsewhere").chmod(0o777)
    (chosen / "elsewhere" / "name").write_bytes(b"data")
    (chosen / "group").symlink_to(chosen / "elsewhere")
    assert cache.load("group", "name") is None
    assert not cache.store("group", "name", b"data")


def test_the_next_folder_is_used_where_one_cannot_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ENUMERATOR_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    (tmp_path / "file").write_text("in the way")
    assert cache.store("group", "name", b"data")
    assert cache.load("group", "name") == b"data"
    assert (tmp_path / f"enumerator-{os.getuid()}" / "group" / "name").is_file()


def test_what_was_not_used_for_longest_goes(chosen: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "MOST", 8)
    for number in range(8):
        assert cache.store("group", f"{number}", b"data")
        os.utime(chosen / "group" / f"{number}", (number, number))  # seconds after 1970
    (chosen / "group" / "9").mkdir()
    assert cache.load("group", "1") == b"data"  # is used again
    assert cache.store("group", "8", b"data")
    assert sorted(file.name for file in (chosen / "group").iterdir()) == ["1", "5", "6", "7", "8", "9"]


def test_many_processes_keep_no_more_than_there_may_be(chosen: Path) -> None:
    code = """
from enumerator import cache
cache.MOST = 20
for number in range(100):
    assert cache.store("group", f"{number % 37}", b"data")
    assert cache.load("group", f"{number % 41}") in (None, b"data")
"""
    running = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(4)]
    assert [each.wait() for each in running] == [0] * 4
    assert 0 < len(list((chosen / "group").iterdir())) <= 20


def test_what_only_the_administrator_can_write_is_read(chosen: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cache.store("group", "name", b"data")
    os.utime(chosen / "group" / "name", (0, 0))

    def refuse(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "utime", refuse)
    assert cache.load("group", "name") == b"data"


GRAMMAR = 'start: "a" B*\nB: "b"'


def test_a_parser_of_kept_tables_parses_alike(chosen: Path) -> None:
    made = lalr_parser(GRAMMAR, Transformer())
    (file,) = (chosen / "grammars").iterdir()
    written = file.stat().st_mtime_ns
    kept = lalr_parser(GRAMMAR, Transformer())
    assert made.parse("abb") == kept.parse("abb")
    assert file.stat().st_mtime_ns == written


@pytest.mark.parametrize("damage", [b"", b"garbage", b"\0" * 100])
def test_damaged_tables_are_made_anew(chosen: Path, damage: bytes) -> None:
    made = lalr_parser(GRAMMAR, Transformer())
    (file,) = (chosen / "grammars").iterdir()
    file.write_bytes(damage)
    assert lalr_parser(GRAMMAR, Transformer()).parse("ab") == made.parse("ab")
    assert len(file.read_bytes()) > 100
