"""Which single annotations keep an outcome unreachable: weaken one alone, and it can be reached."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from enumerator.asking import knows_availability
from enumerator.cat.selected import SelectedModel
from enumerator.clock import check_time
from enumerator.mmra import Profile
from enumerator.program.test import Test
from enumerator.refinement.answers import Change
from enumerator.refinement.edit import Place, operations_of
from enumerator.refinement.points import choices_of

__all__ = ["held_up_by"]


def held_up_by(
    test: Test, model: SelectedModel, profile: Profile, reachable: Callable[[Test], bool | None]
) -> Iterator[Change]:
    """Find the annotations of which each one alone keeps an outcome unreachable.

    Parameters
    ----------
    test : Test
    model : SelectedModel
    profile : Profile
    reachable : callable
        Tells of a test whether the outcome can be reached; None where a limit kept it from an answer.

    Yields
    ------
    Change
        For each such annotation the smallest steps down that let the outcome through.

    Raises
    ------
    LimitReached
        If the time that holds is up.

    See Also
    --------
    enumerator.refinement.weakest.relax : Weakens several together.
    """
    choices = choices_of(test, profile, up=False, availability=knows_availability(model))
    given = operations_of(choices.test)
    top = tuple(dimension.top for dimension in choices.dimensions)
    for number, (place, dimension) in enumerate(zip(choices.places, choices.dimensions, strict=True)):
        assert isinstance(place, Place)  # gaps are there to put fences in only
        passing: list[int] = []
        lower = [choice for choice in range(len(dimension.choices)) if choice != dimension.top]
        # what is above many others is a smaller step down than these
        for choice in sorted(lower, key=lambda choice: -len(dimension.below[choice])):
            if any(choice in dimension.below[found] for found in passing):
                continue
            check_time()
            point = (*top[:number], choice, *top[number + 1 :])
            if reachable(choices.test_at(point)):
                passing.append(choice)
                yield Change(place, given[place], choices.operations(point)[place], given[place].line, given[place])
