"""The record of options, as keywords and as options of commands."""

from __future__ import annotations

from dataclasses import fields
from typing import get_type_hints

import pytest

from enumerator import InputError, asking, check, mmra, options
from enumerator.cli.options import Checking
from enumerator.frontend import load_text
from enumerator.options import BatchOptions, Keywords, Options


def test_keywords_are_the_fields() -> None:
    names = vars(options) | {"Profile": mmra.Profile}
    hints = get_type_hints(Options, names, names)
    assert get_type_hints(Keywords, names, names) == hints
    assert list(hints) == [field.name for field in fields(Options)]


def test_commands_have_every_option() -> None:
    # a command, options of batches, the Python interface, a format
    elsewhere = {"by_expectations", "dask", "executions", "jobs", "pictures"}
    assert set(get_type_hints(Checking)) == {field.name for field in fields(BatchOptions)} - elsewhere


def test_engines_of_the_command_line() -> None:
    from enumerator.cli.options import Engine
    from enumerator.engines import ENGINES

    assert tuple(Engine) == ENGINES


def test_a_negative_bound() -> None:
    with pytest.raises(InputError, match="the bound on loops is negative: -1"):
        Options(unroll=-1)


PASSED = """@x = global i32 0
@a = global [2 x i32] zeroinitializer
define void @t0(i32 %n) {
  %old = atomicrmw add ptr @x, i32 %n monotonic
  %seen = icmp eq i32 %old, 0
  br i1 %seen, label %more, label %done
more:
  %r = load atomic i32, ptr @a monotonic, align 4
  br label %done
done:
  %s = phi i32 [ %r, %more ], [ 7, %0 ]
  ret void
}
"""


def test_all_values_without_the_paths_of_the_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    test = load_text("; THREADS: a=@t0(i32 1) b=@t0(i32 2)\n" + PASSED, "t.ll")
    by_paths = check(test, all_values=True)
    monkeypatch.setattr(asking, "_NAMING", 0.0)
    assert asking.shown_names(test, Options(all_values=True)) == tuple(by_paths.states[0].values)
    found = check(test, all_values=True)
    assert found.status == "complete" and found.states == by_paths.states
    assert [str(state.values["b:%s"]) for state in found.states] == ["7", "0"]
