"""The record of options, as keywords and as options of commands."""

from __future__ import annotations

from dataclasses import fields
from typing import get_type_hints

import pytest

from enumerator import InputError, mmra, options
from enumerator.cli.options import Checking
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
