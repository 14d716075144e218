"""What is observed of a test, and when an outcome of one test is covered by those of another.

Semantics, section 7: an outcome is one value for each observed name, and the flags of its executions. It is covered by
one that has, name by name, the same value or ``undef``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from enumerator.asking import flags_of
from enumerator.cat.selected import SelectedModel
from enumerator.frozen import dataclass
from enumerator.program.flags import ENDS, is_undefined_behaviour
from enumerator.program.values import Undef, Value, format_value, has_undef, json_value

__all__ = ["Outcome", "OutcomeSet", "asked_flags", "covers", "undefining_flags"]


def covers(source: Value, target: Value) -> bool:
    """Tell whether a value of the source covers one of the target: it is the same, or ``undef``, part by part.

    Examples
    --------
    >>> from enumerator.program.values import UNDEF
    >>> covers(UNDEF, 3), covers((1, UNDEF), (1, 2)), covers((UNDEF, UNDEF), UNDEF), covers(3, UNDEF)
    (True, True, True, False)
    """
    if isinstance(source, Undef):
        return True
    if isinstance(source, tuple):
        if isinstance(target, tuple):
            return len(source) == len(target) and all(map(covers, source, target))
        return bool(source) and isinstance(target, Undef) and all(covers(part, target) for part in source)
    if isinstance(target, tuple):
        return False
    return source == target


def undefining_flags(model: SelectedModel) -> frozenset[str]:
    """Name the flags that make a test undefined under a model, so that it covers everything.

    Parameters
    ----------
    model : SelectedModel

    Returns
    -------
    frozenset of str
        ``ub-*``, and those of the model's ``undefined_unless``.
    """
    every = {*ENDS, *flags_of(model)}
    return frozenset(filter(is_undefined_behaviour, every)) | flags_of(model, ("undefined_unless",))


def asked_flags(model: SelectedModel) -> tuple[str, ...]:
    """Name the flags that outcomes are compared by: those that make a test undefined, ``assert`` and ``stuck``.

    An execution that fails an assertion, or waits for ever, does something that can be observed, and comes to no final
    state. A race is no such flag: what it changes is seen in the values.

    Parameters
    ----------
    model : SelectedModel

    Returns
    -------
    tuple of str
    """
    return tuple(sorted({*ENDS, *undefining_flags(model)}))


@dataclass(frozen=True)
class Outcome:
    """An outcome: a value for each name, or how the execution ends before it has one.

    Parameters
    ----------
    values : mapping of str to Value
    flags : tuple of str
        Of those that outcomes are compared by.
    """

    values: Mapping[str, Value]
    flags: tuple[str, ...] = ()

    def as_json(self) -> dict[str, int | str]:
        """Give the outcome as JSON holds it: flags are names with the value 1.

        Examples
        --------
        >>> Outcome({"t1:%a": 0}, ("stuck",)).as_json()
        {'t1:%a': 0, 'stuck': 1}
        """
        return {**{name: json_value(value) for name, value in self.values.items()}, **dict.fromkeys(self.flags, 1)}

    def __str__(self) -> str:
        values = (f"{name}={format_value(value)};" for name, value in self.values.items())
        return " ".join((*values, *self.flags)) or "(nothing is observed)"


class OutcomeSet:
    """The outcomes of a test.

    Parameters
    ----------
    names, flags : sequence of str
        What the values of a state belong to: first the names, then the flags (:func:`asked_flags`).
    states : iterable of tuple of Value
    undefining : collection of str
        The flags that make a test undefined.

    Examples
    --------
    >>> from enumerator.program.values import UNDEF
    >>> source = OutcomeSet(["@x"], ["stuck", "ub-undef"], [(1, 0, 0), (UNDEF, 0, 0)], {"ub-undef"})
    >>> target = OutcomeSet(["@x"], ["stuck", "ub-undef"], [(7, 0, 0), (7, 1, 0)], {"ub-undef"})
    >>> print(*target.uncovered(source))
    @x=7; stuck
    """

    def __init__(
        self,
        names: Sequence[str],
        flags: Sequence[str],
        states: Iterable[tuple[Value, ...]],
        undefining: Collection[str],
    ) -> None:
        self.names, self.flags = tuple(names), tuple(flags)
        self._undefining = frozenset(undefining)
        self.values: set[tuple[Value, ...]] = set()
        self.ends: dict[str, tuple[Value, ...]] = {}
        width = len(self.names)
        for state in states:
            raised = [flag for flag, value in zip(self.flags, state[width:], strict=True) if value == 1]
            for flag in raised:
                self.ends.setdefault(flag, state)
            if not raised:
                self.values.add(state[:width])

    @property
    def undefined(self) -> bool:
        """Whether the test is undefined, so that it covers everything."""
        return not self._undefining.isdisjoint(self.ends)

    @cached_property
    def _with_undef(self) -> list[tuple[Value, ...]]:
        return [values for values in self.values if any(map(has_undef, values))]

    def covers(self, values: tuple[Value, ...]) -> bool:
        """Tell whether some outcome covers these values."""
        return values in self.values or any(all(map(covers, mine, values)) for mine in self._with_undef)

    def uncovered(self, source: OutcomeSet) -> Iterator[Outcome]:
        """Give the outcomes that no outcome of a source covers, undefined behaviour first.

        Parameters
        ----------
        source : OutcomeSet
            Of the same names and flags.

        Yields
        ------
        Outcome
        """
        if source.undefined:
            return
        for flag in sorted(self.ends, key=lambda each: (each not in self._undefining, each)):
            if flag not in source.ends:
                values = self.ends[flag][: len(self.names)]
                yield Outcome(dict(zip(self.names, values, strict=True)), (flag,))
        left = [values for values in self.values - source.values if not source.covers(values)]
        for values in sorted(left, key=lambda each: tuple(map(format_value, each))):
            yield Outcome(dict(zip(self.names, values, strict=True)))
