"""What is kept between the requests of one process: what several models, profiles and variants of a test share."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace

from enumerator.cat.compiler import without_collections
from enumerator.cat.nodes import CompiledModel
from enumerator.errors import InputError
from enumerator.events import Kinds
from enumerator.events.table import KindTable
from enumerator.mmra import Profile
from enumerator.program.test import Test
from enumerator.search.bytecode import Bytecode, assemble
from enumerator.search.flat import Flat, flatten
from enumerator.search.lower import Lowered, with_kinds
from enumerator.search.tuning import Tuning
from enumerator.unfold import Effort, Unfolded, unfold
from enumerator.unfold.outline import Outline, numbered, outline_of
from enumerator.unfold.paths import Location

__all__ = ["SESSION", "Session"]

_MOST_MODELS = 4096
_MOST_OUTLINES = 1024
_MOST_EVENTS = 1000
_MOST_FLAT = 8


class _Paths:
    """The paths of a test, and of all tests with its outline.

    Parameters
    ----------
    test : Test
        The test itself, or one whose operations are numbered (:mod:`enumerator.unfold.outline`).
    """

    def __init__(self, test: Test) -> None:
        self.test = test
        self.unfolded: dict[tuple[Hashable, ...], Unfolded] = {}
        self.flat: list[tuple[Unfolded, tuple[str, ...], Flat]] = []

    @property
    def events(self) -> int:
        """How much memory they take, counted in events."""
        return sum(len(path.events) for each in self.unfolded.values() for options in each.paths for path in options)


class Session:
    """Caches of the search, for the test at hand and for what it shares with others, and the numbers to decide by.

    What is kept beyond a test is bounded: so many outlines of small tests with so many events, kinds of events, models.

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
        self._outline: Outline | None = None
        self._paths: _Paths
        self._outlines: dict[Hashable, _Paths] = {}
        self._lowered: list[tuple[Unfolded, Profile, tuple[str, ...], Lowered]] = []
        self._kinds = KindTable()
        self._bytecode: dict[int, tuple[CompiledModel, Bytecode]] = {}  # by identity: models are large to compare

    def unfolded(
        self,
        test: Test,
        undef: bool | frozenset[Location],
        returns: bool,
        unroll: int,
        asked: frozenset[str],
        effort: Effort | None = None,
    ) -> Unfolded:
        """Give the paths of a test, or of a numbered test with its outline; see :func:`enumerator.unfold.unfold`."""
        if self._test is not test:
            self._begin(test)
        given = None if self._outline is not None else asked  # tests with an outline have no loops
        choices, paths = (undef, returns, unroll, given), self._paths
        if choices not in paths.unfolded:
            try:
                found = unfold(paths.test, undef=undef, unroll=unroll, returns=returns, asked=given, effort=effort)
            except InputError:  # which says lines: those of the test at hand
                found = unfold(test, undef=undef, unroll=unroll, returns=returns, asked=given, effort=effort)
            paths.unfolded[choices] = found
            if self._outline is not None and paths.events > _MOST_EVENTS:
                self._outlines.pop(self._outline.key, None)
        return paths.unfolded[choices]

    def _begin(self, test: Test) -> None:
        """Go on to another test."""
        self._test, self._outline = test, outline_of(test)
        self._lowered.clear()
        if self._outline is None:
            self._paths = _Paths(test)
            return
        known = self._outlines.get(self._outline.key)
        if known is None:
            if len(self._outlines) >= _MOST_OUTLINES:
                self._outlines.clear()
            known = self._outlines[self._outline.key] = _Paths(numbered(test))
        self._paths = known

    def lowered(self, unfolded: Unfolded, profile: Profile, names: tuple[str, ...]) -> Lowered:
        """Lay out the paths of the test at hand; see :func:`enumerator.search.lower.lower`."""
        for of, for_profile, for_names, lowered in self._lowered:
            if of is unfolded and for_profile is profile and for_names == names:
                return lowered
        assert self._test is not None
        flat, outline = self._flat(unfolded, names), self._outline
        kinds = Kinds(replace(unfolded, test=self._test), profile, self.kinds)
        lowered = with_kinds(flat, kinds, None if outline is None else outline.said)
        self._lowered.append((unfolded, profile, names, lowered))
        del self._lowered[:-_MOST_FLAT]
        return lowered

    @property
    def kinds(self) -> KindTable:
        """What is known of kinds from other tests; another table where there are very many."""
        if self._kinds.full:
            self._kinds = KindTable()
        return self._kinds

    def _flat(self, unfolded: Unfolded, names: tuple[str, ...]) -> Flat:
        kept = self._paths.flat
        for of, for_names, flat in kept:
            if of is unfolded and for_names == names:
                return flat
        flat = flatten(unfolded, names)
        kept.append((unfolded, names, flat))
        del kept[:-_MOST_FLAT]
        return flat

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
