"""What a test gives under other readings of the documents: of happens-before, and of what a target says of tags.

The MMRA document can be read in three ways (semantics, section 2, *Happens-before*), and a target profile may name
others that read the target's documents more strictly. Where the answers differ, reports say that a verdict rests on
the reading.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from enumerator.asking import profile_named_by
from enumerator.corpus.synchronization import may_read_otherwise, may_synchronize_otherwise
from enumerator.mmra import Profile, load_profile
from enumerator.program.test import Test
from enumerator.results.result import Result

if TYPE_CHECKING:
    from enumerator.cat.selected import SelectedModel

__all__ = ["other_readings"]

READING = "hb"
"""The option of a model that selects a reading of happens-before."""

Check = Callable[[Profile, str], Result]


def other_readings(
    test: Test, model: SelectedModel, result: Result, check: Check, *, expected: bool
) -> tuple[dict[str, str], tuple[str, ...]]:
    """Find the other readings under which the result would be another one.

    Parameters
    ----------
    test : Test
    model : SelectedModel
    result : Result
        What came out under it.
    check : callable
        Checks the test under the same model with a profile and a reading of happens-before.
    expected : bool
        The test is checked under all that it has expectations for: leave out those readings, and other profiles.

    Returns
    -------
    dict
        By the name of the reading, or of the profile, what comes out, as ``EXPECT`` lines say it. Nothing is searched
        where the text of the test shows that a reading makes no difference.
    tuple of str
        The readings and profiles of which a limit left open whether anything else comes out.

    See Also
    --------
    enumerator.corpus.synchronization : What the text of a test shows.
    """
    from enumerator.cat.flatten import declared_options

    readings = declared_options(model.model).get(READING, ())
    if len(readings) < 2 or result.question is None:
        return {}, ()
    profile = result.question.request.profile
    here = model.options[READING]
    found: dict[str, Result] = {}
    pinned = set(_expected_under(test, model, readings)) if expected else set()
    if here == readings[0] and may_read_otherwise(test, profile):
        others = [other for other in readings[1:] if (profile.name, other) not in pinned]
        found |= {other: check(profile, other) for other in others}
    if not expected:
        others = [
            other for other in profile.alternatives if may_synchronize_otherwise(test, profile, load_profile(other))
        ]
        found |= {other: check(load_profile(other), here) for other in others}
    open_ = [other for other, each in found.items() if each.observation == "unknown" and not _more_flags(each, result)]
    differ = {other: each.outcome for other, each in found.items() if each.outcome != result.outcome}
    return {other: outcome for other, outcome in differ.items() if other not in open_}, tuple(open_)


def _more_flags(result: Result, than: Result) -> bool:
    """Tell whether a result has a flag that another one lacks: what was found stays found, whatever a limit cut off."""
    return not set(result.flags) <= set(than.flags)


def _expected_under(test: Test, model: SelectedModel, readings: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    for expectation in test.expectations:
        if expectation.model == model.name:
            profile = expectation.profile or profile_named_by(test, model)
            yield profile, next((each for each in expectation.variants if each in readings), readings[0])
