"""What a test gives under other readings of the documents: of happens-before, and of what a target says of tags.

The MMRA document can be read in three ways (semantics, section 2, *Happens-before*), and a target profile may name
others that read the target's documents more strictly. Where the answers differ, reports say that a verdict rests on
the reading.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import TYPE_CHECKING

from enumerator.events.kind import is_synchronizing
from enumerator.mmra import Profile, compatible, load_profile
from enumerator.program.instructions import CompareExchange, Fence, Load, ReadModifyWrite, Store, Tag
from enumerator.program.test import Test
from enumerator.results.result import Result

if TYPE_CHECKING:
    from enumerator.cat.selected import SelectedModel

__all__ = ["other_readings"]

READING = "hb"
"""The option of a model that selects a reading of happens-before."""

Check = Callable[[Profile, str], Result]


def other_readings(test: Test, model: SelectedModel, result: Result, check: Check, *, expected: bool) -> dict[str, str]:
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
        By the name of the reading, or of the profile, what comes out, as ``EXPECT`` lines say it. Empty, without any
        search, for a test in which no two operations have incompatible tags.
    """
    from enumerator.cat.flatten import declared_options

    readings = declared_options(model.model).get(READING, ())
    if len(readings) < 2 or result.question is None:
        return {}
    profile = result.question.request.profile
    if not _has_incompatible_tags(test, profile):
        return {}
    here = model.options[READING]
    found: dict[str, str] = {}
    pinned = set(_expected_under(test, model, readings)) if expected else set()
    if here == readings[0]:
        others = [other for other in readings[1:] if (profile.name, other) not in pinned]
        found |= {other: check(profile, other).outcome for other in others}
    if not expected:
        found |= {other: check(load_profile(other), here).outcome for other in profile.alternatives}
    return {other: outcome for other, outcome in found.items() if outcome != result.outcome}


def _expected_under(test: Test, model: SelectedModel, readings: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    for expectation in test.expectations:
        if expectation.model == model.name:
            profile = expectation.profile if expectation.profile is not None else test.profile
            yield profile, next((each for each in expectation.variants if each in readings), readings[0])


def _has_incompatible_tags(test: Test, profile: Profile) -> bool:
    return not all(compatible(a, b) for a, b in combinations(set(_tag_sets(test, profile)), 2))


def _tag_sets(test: Test, profile: Profile) -> Iterator[frozenset[Tag]]:
    """Give the tags of each memory operation and fence, implied ones included."""
    for function in test.functions.values():
        for block in function.blocks:
            for instruction in block.body:
                match instruction:
                    case Load():
                        kinds = "R"
                    case Store():
                        kinds = "W"
                    case ReadModifyWrite() | CompareExchange():
                        kinds = "RW"
                    case Fence():
                        kinds = "F"
                    case _:
                        continue
                annotation = instruction.annotation
                synchronizing = any(is_synchronizing(kind, annotation.ordering) for kind in kinds)
                for kind in kinds:
                    yield profile.effective_tags(
                        annotation.tags,
                        kind=kind,
                        ordering=annotation.ordering,
                        synchronizing=synchronizing,
                        address_space=annotation.address_space,
                    )
