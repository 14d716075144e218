"""Accesses that overlap partly: an answer is right, and what is not covered is an error that says so."""

from __future__ import annotations

import re

from enumerator.errors import InputError
from enumerator.frontend import load
from tests.reference.answers import DATA, answers
from tests.reference.test_reference import states

REFUSED = re.compile(r"overlap partly,? or differ in size.* not supported yet")


def test_an_answer_is_right_and_overlap_is_refused() -> None:
    answered = refused = 0
    for name, entries in answers("parts").items():
        test = load(DATA / "parts" / f"{name}.ll")
        for entry in entries:
            try:
                found = states("bitset", test, entry)
            except InputError as error:
                assert REFUSED.search(error.message), (name, error.message)
                refused += 1
            else:
                assert found == entry.states, (name, entry.options)
                answered += 1
    assert answered + refused == 520  # until bytes are the unit of memory, each of these programs is refused
