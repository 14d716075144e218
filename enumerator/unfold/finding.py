"""Which threads a test has: those that are there from the beginning, and those that these create."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from enumerator.program.test import Test, Thread
from enumerator.unfold.covered import covered
from enumerator.unfold.creation import created_threads
from enumerator.unfold.later import writes_to_come
from enumerator.unfold.machine import begin
from enumerator.unfold.sought import Found
from enumerator.unfold.state import key_of
from enumerator.unfold.unfolder import prepare, seek

__all__ = ["find_threads"]


def find_threads(test: Test) -> Test:
    """Find the threads that others create.

    Parameters
    ----------
    test : Test
        With those that are there from the beginning.

    Returns
    -------
    Test
        With all, as far as the test's own loop bound leads (:func:`enumerator.unfold.creation.created_threads`).

    Raises
    ------
    InputError
        If there are too many, or it is not known what one runs.
    """
    whole, test = test, covered(test)
    tired: set[str] = set()
    while True:
        found = Found(test, tired)
        seek(test, found)
        tired |= found.enough
        more = created_threads(test, found.threads, found.named)
        known = {key_of(each.creation) for each in test.threads if each.creation is not None}
        new = [each for each in more.threads if each.creation is not None and key_of(each.creation) not in known]
        if not new or not (any(map(found.may_create, new)) or _may_lead_elsewhere(more, new, found)):
            return replace(more, functions=whole.functions)
        test = more


def _may_lead_elsewhere(test: Test, new: Iterable[Thread], found: Found) -> bool:
    """Tell whether what new threads write may decide on further creations by others."""
    if not found.deciding and not found.more and all(certain for _, certain in found.threads.values()):
        return False
    shared = prepare(test)
    for thread in new:
        later = writes_to_come(begin(thread, shared))
        if later is None or any(each.objects is None or each.objects & found.deciding for each in later):
            return True
    return False
