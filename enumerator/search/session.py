"""What is kept between the requests of one process: what several models, profiles and variants of a test share."""

from __future__ import annotations

from enumerator.cat.compiler import without_collections
from enumerator.cat.nodes import CompiledModel
from enumerator.events.table import KindTable
from enumerator.mmra import Profile
from enumerator.program.test import Test
from enumerator.search.bytecode import Bytecode, assemble
from enumerator.search.lower import Lowered, lower
from enumerator.search.tuning import Tuning
from enumerator.unfold import Effort, Unfolded, unfold
from enumerator.unfold.paths import Location

__all__ = ["SESSION", "Session"]

_MOST_MODELS = 4096
_MOST_LAID_OUT = 8


class Session:
    """Caches of the search, for the test at hand, and the numbers that it decides by.

    Parameters
    ----------
    tuning : Tuning, optional

    Examples
    --------
    >>> Session(Tuning(long=1)).tuning.long
    1
    """

    def __init__(self, tuning: Tuning | None = None) -> None:
        self.tuning = tuning if tuning is not None else Tuning()
        self._test: Test | None = None
        self._unfolded: dict[tuple[bool | frozenset[Location], bool, int], Unfolded] = {}
        self._lowered: list[tuple[Unfolded, Profile, tuple[str, ...], Lowered]] = []
        self._kinds = KindTable()
        self._bytecode: dict[int, tuple[CompiledModel, Bytecode]] = {}  # by identity: models are large to compare

    def unfolded(
        self,
        test: Test,
        undef: bool | frozenset[Location],
        returns: bool,
        unroll: int,
        effort: Effort | None = None,
    ) -> Unfolded:
        """Give the paths of a test; see :func:`enumerator.unfold.unfold`."""
        if self._test is not test:
            self._test = test
            self._unfolded.clear()
            self._lowered.clear()
        choices = undef, returns, unroll
        if choices not in self._unfolded:
            self._unfolded[choices] = unfold(test, undef=undef, unroll=unroll, returns=returns, effort=effort)
        return self._unfolded[choices]

    def lowered(self, unfolded: Unfolded, profile: Profile, names: tuple[str, ...]) -> Lowered:
        """Lay out the paths of a test; see :func:`enumerator.search.lower.lower`."""
        for of, for_profile, for_names, lowered in self._lowered:
            if of is unfolded and for_profile is profile and for_names == names:
                return lowered
        if self._kinds.full:
            self._kinds = KindTable()
        lowered = lower(unfolded, profile, names, self._kinds)
        self._lowered.append((unfolded, profile, names, lowered))
        del self._lowered[:-_MOST_LAID_OUT]
        return lowered

    def bytecode(self, model: CompiledModel) -> Bytecode:
        """Give the program of a model; see :func:`enumerator.search.bytecode.assemble`."""
        kept = self._bytecode.get(id(model))
        if kept is None:
            if len(self._bytecode) > _MOST_MODELS:
                self._bytecode.clear()
            with without_collections():
                kept = self._bytecode[id(model)] = (model, assemble(model))
        return kept[1]


SESSION = Session()
"""That of this process, where no other is given."""
