"""Executions of a result for people and programs: as graphs, and described in words.

The only place where results meet :mod:`enumerator.analysis`, whose networkx takes a while to import.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from enumerator.clock import time_limit
from enumerator.errors import Timeout
from enumerator.frozen import dataclass
from enumerator.request import Candidate, Request

if TYPE_CHECKING:
    import networkx

    from enumerator.analysis.classify import Classification
    from enumerator.analysis.execution import Execution
    from enumerator.unfold.paths import Path, PathEvent

__all__ = ["Rerun"]

MOST_DIAGNOSED = 1000
"""How many consistent executions of a test are diagnosed."""

_MOST_READ = 20_000
"""So many events are read, in all executions, to find what a program lacks, and which executions decide."""

_BRIEF = 2.0
"""Seconds to find executions again where nobody asked for more than the verdict."""


@dataclass(frozen=True)
class Rerun:
    """A request and an engine, to find executions when somebody asks for them.

    Implements :class:`~enumerator.results.result.Question`. A `limit` is how many consistent executions are looked at.
    """

    request: Request
    engine: str

    def candidates(self, limit: int = -1, *, forbidden: bool = False) -> Sequence[Candidate]:
        """Find the consistent executions of a test.

        Parameters
        ----------
        limit : int
            How many; -1 for all.
        forbidden : bool
            Candidates that are not consistent, too (reference engine only).

        Returns
        -------
        sequence of Candidate
        """
        from enumerator.engines import engine

        request = self.request.whole(record=limit, outcomes_only=False, forbidden=forbidden)
        return engine(self.engine)(request).executions

    def graphs(self) -> tuple[networkx.MultiDiGraph, ...]:
        """Give the consistent executions of a test as graphs.

        Returns
        -------
        tuple of networkx.MultiDiGraph
            Notebooks show them as pictures.
        """
        from enumerator.analysis.execution import rebuild_all
        from enumerator.report.picture.graph import shown_graph

        return tuple(map(shown_graph, rebuild_all(self.request, self.candidates())))

    def diagnoses(self, limit: int = MOST_DIAGNOSED) -> tuple[str, ...]:
        """Say what the program lacks where reads are undef or stale, accesses race, or memory is undef at the end.

        Parameters
        ----------
        limit : int
            How many consistent executions are looked at.

        Returns
        -------
        tuple of str
            Sentences, each once, in the order in which they are found.
        """
        from enumerator.analysis.diagnose import diagnose

        found = map(diagnose, self._classified(self.candidates(limit)))
        return tuple(dict.fromkeys(diagnosis.sentence for each in found for diagnosis in each))

    def causes(self, limit: int = MOST_DIAGNOSED) -> tuple[str, ...]:
        """Say what makes a program undefined: each cause that is found in its first consistent executions.

        Parameters
        ----------
        limit : int
            How many consistent executions are looked at.

        Returns
        -------
        tuple of str
            Sentences, each once.
        """
        from enumerator.analysis import undefined
        from enumerator.engines import engine
        from enumerator.hiding import undefined_past_branches
        from enumerator.reference.outcome import early_ends

        if self.engine in ("auto", "interleaving"):  # the latter finds states, not executions
            return replace(self, engine="bitset").causes(limit)
        request, found = self.request.whole(record=limit, outcomes_only=False), dict[str, None]()
        with suppress(Timeout), time_limit(_BRIEF):
            outcomes = engine(self.engine)(request)
            shown: Callable[[Sequence[Path]], bool] | None = None
            if outcomes.status == "complete" and outcomes.flags.isdisjoint(undefined.BY_ORDER):
                shown = lambda paths: "ub" in early_ends(request.test, paths)  # noqa: E731
            for each in self._classified(outcomes.executions, shown):
                found.update(dict.fromkeys(undefined.causes(each)))
            if not found:
                found.update(dict.fromkeys(undefined_past_branches(self.request, engine(self.engine))[0].values()))
        return tuple(found)

    def failures(self, limit: int = MOST_DIAGNOSED) -> tuple[str, ...]:
        """Say where assertions fail: in the first consistent executions, or else in the first one in which one does.

        Parameters
        ----------
        limit : int
            How many consistent executions are looked at.

        Returns
        -------
        tuple of str
            Such as ``assert: program.c:12: an assertion fails in work``, each once, as far as a short while suffices.
        """
        from enumerator.analysis.execution import rebuild_all
        from enumerator.engines import engine

        if self.engine in ("auto", "interleaving"):  # the latter finds states, not executions
            return replace(self, engine="bitset").failures(limit)
        test, found = self.request.test, dict[str, None]()

        def note(paths: Sequence[Path]) -> bool:
            for path in (each for each in paths if each.end == "assert"):
                place = test.path if path.end_line is None else f"{test.path}:{path.end_line}"
                found[f"assert: {place}: an assertion fails in {path.thread}"] = None
            return False  # more is not asked of any

        first = self.request.whole(record=limit, outcomes_only=False)
        flags = replace(first, names=(), flags=("assert",))
        for request in (first, replace(flags, record=-1, decided=lambda values: values[-1] == 1)):
            with suppress(Timeout), time_limit(_BRIEF):
                executions = engine(self.engine)(request).executions
                if request.decided is not None:
                    executions = executions[-1:]  # the last one decides, where one does
                for _ in rebuild_all(request, executions, note):
                    pass
            if found:
                break
        return tuple(found)

    def races(self, limit: int = MOST_DIAGNOSED) -> tuple[tuple[PathEvent, PathEvent], ...]:
        """Give the accesses that race in the first consistent executions, as far as a short while suffices.

        Parameters
        ----------
        limit : int
            How many consistent executions are looked at.

        Returns
        -------
        tuple of (PathEvent, PathEvent)
            Pairs, those of each two source lines once.
        """
        if self.engine in ("auto", "interleaving"):  # the latter finds states, not executions
            return replace(self, engine="bitset").races(limit)
        found: dict[object, tuple[PathEvent, PathEvent]] = {}
        with suppress(Timeout), time_limit(_BRIEF):
            for each in self._classified(self.candidates(limit)):
                for pair in each.races:
                    events = [each.execution.events[number].made for number in pair]
                    one, other = sorted(events, key=lambda event: event.line or 0)
                    found.setdefault((one.line, other.line), (one, other))
        return tuple(found.values())

    def describe(self, limit: int, show: Sequence[str] = (), *, every: bool = False) -> tuple[str, ...]:
        """Describe consistent executions in words, or, by the reference engine, every candidate.

        Parameters
        ----------
        limit : int
            How many consistent ones.
        show : sequence of str
            Relations whose edges are listed too.
        every : bool
            Not only those that decide the verdict. Where none alone does, as nothing satisfies the condition, all are
            described anyway.

        Returns
        -------
        tuple of str
            Lines: first, each once, what the program lacks; then the executions.
        """
        from enumerator.analysis.describe import describe
        from enumerator.analysis.diagnose import diagnose

        candidates = self.engine == "networkx"
        found = self.candidates(forbidden=True) if candidates else self.candidates(max(limit, MOST_DIAGNOSED))
        causes: dict[str, None] = {}
        described: list[tuple[bool, list[str]]] = []
        read = 0
        notes: list[str] = []
        try:
            for number, classification in enumerate(self._classified(found), 1):
                read += len(classification.execution.events)
                if read <= _MOST_READ:
                    causes.update(dict.fromkeys(diagnosis.sentence for diagnosis in diagnose(classification)))
                decides = candidates or every or self._decides(classification)
                if candidates or (decides and sum(deciding for deciding, _ in described) < limit) or number <= limit:
                    lines = [f"Execution {number}" + ("" if classification.consistent else ": forbidden")]
                    lines.extend(f"  {line}" for line in describe(classification))
                    lines.extend(f"  {_edges(classification.execution, name)}" for name in show)
                    described.append((decides, lines))
                elif read > _MOST_READ and len(described) >= limit:
                    break
        except Timeout:
            notes.append("The time is up: no further executions are described")
        deciding = [lines for decides, lines in described if decides] or [lines for _, lines in described]
        if len(deciding) < len(described):
            notes.append("These decide the verdict; --all describes the other executions, too")
        return (*(f"Why: {sentence}" for sentence in causes), *(line for lines in deciding for line in lines), *notes)

    def _decides(self, classification: Classification) -> bool:
        """Tell whether the verdict follows from this execution alone: it is a witness, or a counterexample."""
        from enumerator.analysis.witnesses import Ending
        from enumerator.program.condition import Quantifier
        from enumerator.program.formulas import flag_names

        execution, condition = classification.execution, self.request.test.condition
        ending = Ending(self.request, execution.candidate, execution.combination, classification)
        if not ending.has_state(flag_names(condition.formula)):
            return False
        held = ending.holds(condition.formula)
        return held is not True if condition.quantifier is Quantifier.FORALL else held is not False

    def _classified(
        self, found: Iterable[Candidate], wanted: Callable[[Sequence[Path]], bool] | None = None
    ) -> Iterator[Classification]:
        from enumerator.analysis.classify import classify
        from enumerator.analysis.execution import rebuild_all

        return map(classify, rebuild_all(self.request, found, wanted))


def _edges(execution: Execution, name: str) -> str:
    """List the edges of a relation, as pairs of events."""
    relation = execution.relation(name)
    if relation is None:
        return f"{name}: there is no such relation in the model {execution.model.name}"
    edges = sorted((str(a), str(b)) for a, b in relation.edges)
    return f"{name}: {', '.join(f'{a} -> {b}' for a, b in edges) or 'empty'}"
