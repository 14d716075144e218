"""The outcomes of a program, alone or in many contexts at once.

A family of contexts is one test for the engine: a context thread may run any of its codes, and a state says by a
register which one it ran. So thousands of contexts cost one search.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from enumerator.asking import make_request
from enumerator.cat.selected import SelectedModel
from enumerator.engines import search
from enumerator.errors import ReferenceEngineNeeded
from enumerator.frozen import dataclass
from enumerator.mmra import Profile
from enumerator.options import Options
from enumerator.program.instructions import Function
from enumerator.program.test import Test
from enumerator.program.values import Term, Value
from enumerator.refinement.alphabet import Alphabet
from enumerator.refinement.contexts import Family
from enumerator.refinement.outcomes import OutcomeSet, asked_flags, undefining_flags
from enumerator.refinement.program import CONTEXT, in_contexts
from enumerator.request import Outcomes, Request

__all__ = ["Answer", "Asker", "chunks"]

_MOST_AT_ONCE = 2048
"""Contexts that one search looks at."""


@dataclass(frozen=True)
class Answer:
    """The outcomes of a program.

    Parameters
    ----------
    outcomes : OutcomeSet
    complete : bool
        No limit was reached, and no execution was cut at the bound on loops.
    status : {'complete', 'timeout', 'limit'}
    notes : tuple of str
    """

    outcomes: OutcomeSet
    complete: bool
    status: str
    notes: tuple[str, ...] = ()


_MOST_KEPT = 50_000
"""Functions of contexts that are kept."""


class Asker:
    """Asks for the outcomes of programs under one model.

    Parameters
    ----------
    model : SelectedModel
    profile : Profile
    options : Options
    observed : sequence of str
        The names that an outcome has values of, beside those of contexts.
    """

    def __init__(self, model: SelectedModel, profile: Profile, options: Options, observed: Sequence[str]) -> None:
        self.model, self.profile, self.observed = model, profile, tuple(observed)
        self.options = replace(options, outcomes_only=True, first=False, all_values=False, executions=False)
        self.flags = asked_flags(model)
        self.undefining = undefining_flags(model)
        self._made_for: Alphabet | None = None
        self._made: dict[object, Function] = {}

    def _functions(self, of: Alphabet) -> dict[object, Function]:
        """Give the functions of contexts that were made before: source and target run the same, in several places."""
        if self._made_for is not of or len(self._made) > _MOST_KEPT:
            self._made_for, self._made = of, {}
        return self._made

    def request(self, test: Test, names: Sequence[str]) -> Request:
        """Make the request for the outcomes of a test."""
        request = make_request(replace(test, locations=()), self.model, self.profile, self.options)
        return replace(request, names=tuple(names), flags=self.flags)

    def _search(self, request: Request) -> Outcomes:
        try:
            return search(request, self.options.engine)
        except ReferenceEngineNeeded:
            return search(request, "networkx")

    def alone(self, test: Test, names: Sequence[str] | None = None) -> Answer:
        """Give the outcomes of a test as it is.

        Parameters
        ----------
        test : Test
        names : sequence of str, optional
            Default: what is observed.

        Returns
        -------
        Answer
        """
        names = self.observed if names is None else tuple(names)
        found = self._search(self.request(test, names))
        outcomes = OutcomeSet(names, self.flags, found.states, self.undefining)
        status = "limit" if found.status == "complete" and found.cut else found.status
        return Answer(outcomes, status == "complete", status, found.notes)

    def among(
        self, test: Test, family: Family, of: Alphabet, threads: Sequence[str], chosen: Sequence[range]
    ) -> tuple[dict[tuple[int, ...], OutcomeSet], bool, str]:
        """Give the outcomes of a program in each of some contexts of a family.

        Parameters
        ----------
        test : Test
        family : Family
        of : Alphabet
        threads : sequence of str
            Names of the context threads.
        chosen : sequence of range
            For each thread, the numbers of its codes.

        Returns
        -------
        dict of tuple of int to OutcomeSet
            By the numbers of the codes. The values of registers that a code does not have are undef throughout.
        bool
            Whether no limit was reached and nothing was cut.
        str
            The status.
        """
        reads: list[str] = []
        for thread, codes in enumerate(family.codes):
            length = len(codes[0])  # all of a family are of one length
            reads += [f"{threads[thread]}:%r{place}" for place in range(length)]
        numbers = [f"{name}:%{CONTEXT}" for name in threads[: len(chosen)]]
        names = (*self.observed, *reads)
        found = self._search(
            self.request(in_contexts(test, family, of, threads, chosen, self._functions(of)), (*names, *numbers))
        )
        width, keys = len(names), len(numbers)
        states: dict[tuple[int, ...], list[tuple[Value, ...]]] = {}
        for state in found.states:
            key = tuple(int(value.operator) for value in state[width : width + keys] if isinstance(value, Term))
            states.setdefault(key, []).append((*state[:width], *state[width + keys :]))
        outcomes = {key: OutcomeSet(names, self.flags, rows, self.undefining) for key, rows in states.items()}
        complete = found.status == "complete" and not found.cut
        return outcomes, complete, found.status


def chunks(family: Family) -> Iterator[tuple[range, ...]]:
    """Cut a family into parts that one search each looks at, without those that hold no context of it.

    Parameters
    ----------
    family : Family

    Yields
    ------
    tuple of range
        For each thread, the numbers of its codes.
    """
    sizes = [len(codes) for codes in family.codes]
    if len(sizes) < 2:
        step = _MOST_AT_ONCE // 4  # each code is unfolded anew
        yield from ((range(first, min(first + step, size)),) for size in sizes for first in range(0, size, step))
        if not sizes:
            yield ()
        return
    side = max(1, int(_MOST_AT_ONCE**0.5))
    for first in range(0, sizes[0], side):
        for second in range(0, sizes[1], side):
            part = range(first, min(first + side, sizes[0])), range(second, min(second + side, sizes[1]))
            if not family.symmetric or part[0].start <= part[1].stop - 1:
                yield part
