"""Results: what the check of a test under a model gives, and how JSON holds it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

from enumerator.program.values import Value, format_value, json_value

if TYPE_CHECKING:
    import networkx

    from enumerator.request import Request
    from enumerator.unfold.paths import PathEvent

__all__ = ["Picture", "Question", "Result", "State"]


@dataclass(frozen=True, slots=True)
class State:
    """A distinct final state.

    Parameters
    ----------
    values : mapping of str to Value
        By name (``t0:%r``, ``@x``), in the order in which reports show them.
    executions : int or None
        The number of consistent executions that end in it; None where they were not counted.
    witness : bool
        Whether it satisfies the body of the condition. Over an undef value the condition may be undetermined: that
        counts as a witness for ``exists`` and ``never``, not for ``forall``.
    undetermined : bool
        The condition is undetermined, so `witness` rests on undef.
    """

    values: Mapping[str, Value]
    executions: int | None
    witness: bool
    undetermined: bool = False

    def as_json(self) -> dict[str, Any]:
        """Give the state as JSON holds it.

        Examples
        --------
        >>> State({"t1:%r": 1}, 2, True).as_json()
        {'values': {'t1:%r': 1}, 'executions': 2, 'witness': True, 'undetermined': False}
        """
        return {
            "values": {name: json_value(value) for name, value in self.values.items()},
            "executions": self.executions,
            "witness": self.witness,
            "undetermined": self.undetermined,
        }

    def __str__(self) -> str:
        return " ".join(f"{name}={format_value(value)};" for name, value in self.values.items())

    def _repr_html_(self) -> str:
        from enumerator.results.notebook import state_html  # only notebooks need it

        return state_html(self)


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawn execution.

    Parameters
    ----------
    title : str
    svg : str
        A piece of a page, without a style sheet.
    relations : tuple of (str, bool)
        Those that it has edges of, each with whether it is shown only when it is switched on.
    lines : tuple of int
        The source lines that it shows.
    told : tuple of str
        The execution in sentences.
    state : int or None
        The number of the state that it ends in.
    reading : str
        The reading of the documents under which it is possible, where that is another one than the result's.
    """

    title: str
    svg: str
    relations: tuple[tuple[str, bool], ...] = ()
    lines: tuple[int, ...] = ()
    told: tuple[str, ...] = ()
    state: int | None = None
    reading: str = ""


class Question(Protocol):
    """What was asked, kept with a result so that its executions can be found again when somebody wants them."""

    @property
    def request(self) -> Request:
        """The test, the model, the profile and the rest of what was asked."""

    def graphs(self) -> tuple[networkx.MultiDiGraph, ...]:
        """Give the consistent executions as graphs."""

    def diagnoses(self) -> tuple[str, ...]:
        """Say what the program lacks, in sentences."""

    def causes(self) -> tuple[str, ...]:
        """Say why the program is undefined, in sentences."""

    def failures(self) -> tuple[str, ...]:
        """Say where assertions fail, in sentences."""

    def races(self) -> tuple[tuple[PathEvent, PathEvent], ...]:
        """Give pairs of accesses that race."""

    def describe(self, limit: int, show: Sequence[str] = (), *, every: bool = False) -> tuple[str, ...]:
        """Describe executions in words, a line each."""


@dataclass(frozen=True)
class Result:
    """The result of a test under a model.

    Parameters
    ----------
    name, path : str
        Of the test.
    model, profile : str or None
        None where an error came first.
    hb, thin_air : str or None
        The variants of the model; None if it has no such option.
    options : mapping of str to str
        All the options of the model, as selected.
    quantifier : {'exists', 'never', 'forall'} or None
    condition : str
        As the user wrote it, without the quantifier.
    verdict : {'Ok', 'No', 'Undef', 'unknown'}
    observation : {'Never', 'Sometimes', 'Always', 'unknown'}
        Of the condition's body, whatever the quantifier: no state may satisfy it, each one does, or neither.
    positive, negative : int or None
        Executions that satisfy the condition's body and those that do not, whatever the quantifier, as behind the
        observation in reports; None where they were not counted. An undetermined body counts as in :class:`State`.
        (Under ``Witnesses``, text reports count those that satisfy the condition: for ``~exists``, `negative`.)
    states : sequence of State
        In the order of reports. Where a search found them, they are made as they are looked at
        (:class:`enumerator.results.states.States`).
    flags : tuple of str
        Sorted.
    expected : {'Never', 'Sometimes', 'Always'} or None
        The observation that the test expects.
    expected_flags : tuple of str or None
        The flags that the test expects, which must match exactly; None if it expects nothing.
    as_expected : bool or None
        None where nothing is expected, or where only more search could tell. Of a test without any expectation the
        verdict ``Ok`` is expected.
    explored, consistent : int or None
        Leaves of the search, and those that satisfy the model.
    cut : int
        Consistent executions that reached the bound on loops.
    status : {'complete', 'timeout', 'limit', 'error'}
    error : str or None
    seconds : float
        What the check took: to read the model, unfold the test, search, and judge, and to find the causes that are
        given.
    notes : tuple of str
        Remarks for the reader.
    details : tuple of str
        Descriptions of executions, where they were asked for.
    formula : str
        The condition in the spelling of herd7's reports.
    undefined_by : tuple of str
        Those of `flags` that make the program undefined.
    causes : tuple of str
        Why they are raised, or else where assertions fail, in sentences with source lines, where that was looked for.
    readings : mapping of str to str
        What comes out under other readings of the same text (``{"direct": "Sometimes+race"}``), where it differs and
        they were looked at.
    under : mapping of str to Result
        The results under these other readings, where pictures were asked for.
    source : str
        The text of the test, where pictures were asked for.
    pictures : tuple of Picture
        Executions, where they were asked for.
    question : Question or None
        What finds the executions again when they are asked for; None in results of batches.

    Examples
    --------
    >>> result = Result("MP", "mp.ll", "llvm", verdict="Ok", observation="Sometimes", flags=("race",))
    >>> result.outcome, result.unknown
    ('Sometimes+race', False)
    """

    name: str
    path: str
    model: str | None = None
    profile: str | None = None
    hb: str | None = None
    thin_air: str | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    quantifier: str | None = None
    condition: str = ""
    verdict: str = "unknown"
    observation: str = "unknown"
    positive: int | None = None
    negative: int | None = None
    states: Sequence[State] = ()
    flags: tuple[str, ...] = ()
    expected: str | None = None
    expected_flags: tuple[str, ...] | None = None
    as_expected: bool | None = None
    explored: int | None = None
    consistent: int | None = None
    cut: int = 0
    status: str = "complete"
    error: str | None = None
    seconds: float = 0.0
    notes: tuple[str, ...] = ()
    details: tuple[str, ...] = ()
    formula: str = ""
    undefined_by: tuple[str, ...] = ()
    causes: tuple[str, ...] = ()
    readings: Mapping[str, str] = field(default_factory=dict)
    under: Mapping[str, Result] = field(default_factory=dict, repr=False, compare=False)
    source: str = field(default="", repr=False, compare=False)
    pictures: tuple[Picture, ...] = field(default=(), repr=False, compare=False)
    question: Question | None = field(default=None, repr=False, compare=False)

    @classmethod
    def late(
        cls, name: str, path: str, when: str, seconds: float, model: str | None = None, profile: str | None = None
    ) -> Result:
        """Give the result of a check whose time was up before its search began.

        Parameters
        ----------
        name, path : str
        when : str
            What was being done.
        seconds : float
        model, profile : str, optional
            As far as they are known.

        Returns
        -------
        Result

        Examples
        --------
        >>> found = Result.late("MP", "mp.ll", "while the test was read", 2.0)
        >>> found.status, found.unknown, found.notes
        ('timeout', True, ('timeout while the test was read',))
        """
        return cls(name, path, model, profile, status="timeout", seconds=seconds, notes=(f"timeout {when}",))

    @property
    def unknown(self) -> bool:
        """Whether a limit left the verdict, or the comparison with what is expected, open."""
        if self.status == "error":
            return False
        return self.verdict == "unknown" or (self.expected is not None and self.as_expected is None)

    @property
    def outcome(self) -> str:
        """What came out, as an ``EXPECT`` line says it.

        Examples
        --------
        >>> Result("MP", "mp.ll", observation="Sometimes", flags=("race",)).outcome
        'Sometimes+race'
        """
        return "+".join((self.observation, *self.flags))

    @property
    def how(self) -> str:
        """What the result was found under, as in an ``EXPECT`` line.

        Examples
        --------
        >>> Result("MP", "mp.ll", "llvm", "generic", options={"hb": "direct", "thin-air": "dep"}).how
        'llvm@generic/direct/dep'
        """
        model = f"{self.model or '?'}{f'@{self.profile}' if self.profile else ''}"
        return "/".join((model, *self.options.values()))

    @cached_property
    def executions(self) -> tuple[networkx.MultiDiGraph, ...]:
        """The consistent executions as graphs, found again when they are first asked for.

        Returns
        -------
        tuple of networkx.MultiDiGraph
            As :func:`enumerator.analysis.graph.graph_of` makes them.

        Raises
        ------
        ValueError
            If the result does not hold the test it comes from (an error, or a result of a batch).
        """
        return self._asked().graphs()

    @cached_property
    def diagnoses(self) -> tuple[str, ...]:
        """What the program lacks where reads are undef or stale, or accesses race, in sentences with source lines.

        Returns
        -------
        tuple of str
            Such as ``the load at line 25 returns undef: the release fence at line 14 has scope workgroup, and …``.

        Raises
        ------
        ValueError
            If the result does not hold the test it comes from (an error, or a result of a batch).
        """
        return self._asked().diagnoses()

    def _asked(self) -> Question:
        if self.question is None:
            raise ValueError("this result does not hold the test it comes from")
        return self.question

    def _repr_html_(self) -> str:
        from enumerator.results.notebook import result_html  # only notebooks need it

        return result_html(self)

    def without_question(self) -> Result:
        """Give the same result without the test it comes from, small enough to send to another process."""
        return replace(self, question=None)

    def as_json(self, *, states: bool = True) -> dict[str, Any]:
        """Give the result as JSON holds it.

        Parameters
        ----------
        states : bool
            Put the states in; without, their list is empty.

        Returns
        -------
        dict

        Examples
        --------
        >>> sorted(Result("MP", "mp.ll", status="error", error="mp.ll: no").as_json().items())[:4]
        [('as_expected', None), ('condition', ''), ('cut', 0), ('error', 'mp.ll: no')]
        """
        counted = self.explored is not None and self.consistent is not None
        record = {
            "name": self.name,
            "path": self.path,
            "model": self.model,
            "profile": self.profile,
            "hb": self.hb,
            "thin_air": self.thin_air,
            "options": dict(self.options),
            "quantifier": self.quantifier,
            "condition": self.condition,
            "verdict": self.verdict,
            "observation": self.observation,
            "positive": self.positive,
            "negative": self.negative,
            "states": [state.as_json() for state in self.states] if states else [],
            "flags": list(self.flags),
            "undefined_by": list(self.undefined_by),
            "expected": self.expected,
            "expected_flags": None if self.expected_flags is None else list(self.expected_flags),
            "as_expected": self.as_expected,
            "executions": {"explored": self.explored, "consistent": self.consistent, "cut": self.cut}
            if counted
            else None,
            "cut": self.cut,
            "status": self.status,
            "seconds": round(self.seconds, 6),
        }
        if self.error is not None:
            record["error"] = self.error
        if self.causes:
            record["causes"] = list(self.causes)
        if self.readings:
            record["readings"] = dict(self.readings)
        if self.notes:
            record["notes"] = list(self.notes)
        if self.details:
            record["details"] = list(self.details)
        return record
