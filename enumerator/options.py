"""What may be chosen when a test is checked: one record, from the command line through batches to the engines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

from enumerator.errors import InputError

if TYPE_CHECKING:
    from enumerator.mmra import Profile

__all__ = ["DEFAULT", "BatchOptions", "Keywords", "Options"]


@dataclass(frozen=True, kw_only=True)
class Options:
    """How a test is checked.

    Parameters
    ----------
    include_dirs : sequence of str
        Where ``include`` in a model looks, beside the model's own folder.
    includes_anywhere : bool
        Whether ``include`` may name files outside of these folders.
    profile : str or Profile, optional
        The name of a shipped target profile or the path of one. Default: the test's, which is a shipped one or lies
        beside the test.
    hb : {'closure', 'direct', 'filtered'}, optional
        The reading of happens-before, in models that have the choice.
    thin_air : {'dep', 'rc11', 'none'}, optional
        The axiom against values out of thin air, in models that have the choice.
    variants : sequence of str
        Any variants of the model, by name.
    unroll : int, optional
        Bound on loops whose trip count is not constant. Default: the test's, else 2, or 8 where no execution is
        cut then, and that takes not much longer.
    timeout : float, optional
        Seconds.
    max_executions : int, optional
        Bound on the leaves of the search.
    engine : {'auto', 'bitset', 'networkx', 'interleaving'}
        See :func:`enumerator.engines.engine`.
    all_values : bool
        States hold all registers and locations, not only those that the condition names.
    outcomes_only : bool
        Leave out the counts of executions, which is faster.
    first : bool
        Stop at the first execution that decides the verdict.
    executions : bool
        Find the executions (``result.executions``) at once, not when they are first asked for.
    jobs : int
        How many processes the bitset engine may use for a search that takes long. They are forks of this one.

    Raises
    ------
    InputError
        If the bound on loops is negative.
    """

    include_dirs: Sequence[str] = ()
    includes_anywhere: bool = False
    profile: str | Profile | None = None
    hb: str | None = None
    thin_air: str | None = None
    variants: Sequence[str] = ()
    unroll: int | None = None
    timeout: float | None = None
    max_executions: int | None = None
    engine: str = "auto"
    all_values: bool = False
    outcomes_only: bool = False
    first: bool = False
    executions: bool = False
    jobs: int = 1

    def __post_init__(self) -> None:
        if self.unroll is not None and self.unroll < 0:
            raise InputError(f"the bound on loops is negative: {self.unroll}")
        if self.max_executions is not None and self.max_executions >= 1 << 63:
            raise InputError(f"expected a number below 2^63, not {self.max_executions}", "--max-executions")

    @property
    def alternatives(self) -> dict[str, str]:
        """What is chosen of the options that models declare, by their names in the model."""
        return {name: value for name, value in (("hb", self.hb), ("thin-air", self.thin_air)) if value is not None}


DEFAULT = Options()
"""Nothing is chosen."""


class Keywords(TypedDict, total=False):
    """The fields of :class:`Options` as keywords of :func:`enumerator.check`, for editors and type checkers."""

    include_dirs: Sequence[str]
    includes_anywhere: bool
    profile: str | Profile | None
    hb: str | None
    thin_air: str | None
    variants: Sequence[str]
    unroll: int | None
    timeout: float | None
    max_executions: int | None
    engine: str
    all_values: bool
    outcomes_only: bool
    first: bool
    executions: bool
    jobs: int


@dataclass(frozen=True, kw_only=True)
class BatchOptions(Options):
    """What a batch asks of each test: how it is checked, and more.

    What the options say of variants holds, with `by_expectations`, for the models that have the option.

    Parameters
    ----------
    models : sequence of str
        If empty: what the test has expectations for, or the default model of its format.
    by_expectations : bool
        Without `models`, check each test under everything that it has expectations for.
    profile : str, optional
        By name or path only.
    verbose : bool
        Describe executions (with `by_expectations`, of results that are not as expected).
    show : sequence of str
        Relations whose edges are part of these descriptions.
    pictures : int
        How many executions are drawn, one for each final state.
    every_execution : bool
        Describe all executions, not only those that decide the verdict.
    clang : str, optional
    target : str, optional
    level : str
        How programs in C and its like are compiled (:class:`enumerator.frontend.compiled.Compiler`).
    dask : str, optional
        The address of a Dask scheduler whose workers help with searches that take long.
    """

    models: Sequence[str] = ()
    by_expectations: bool = False
    profile: str | None = None
    verbose: bool = False
    show: Sequence[str] = ()
    pictures: int = 0
    every_execution: bool = False
    clang: str | None = None
    target: str | None = None
    level: str = "1"
    dask: str | None = None
