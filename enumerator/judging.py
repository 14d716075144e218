"""What the outcomes of a search mean for a test: its result, with verdict, comparison and remarks."""

from __future__ import annotations

from collections.abc import Iterator

from enumerator.asking import expectation_of, flags_of
from enumerator.cat.compiler import used_names
from enumerator.cat.selected import SelectedModel
from enumerator.cat.syntax import ASSERTION
from enumerator.cat.typing import world
from enumerator.errors import InputError
from enumerator.program.condition import Quantifier
from enumerator.program.instructions import Barrier, BarrierOperation, CompareExchange, Instruction, Tag
from enumerator.program.test import Test
from enumerator.request import Outcomes, Request
from enumerator.results.result import Question, Result
from enumerator.results.verdict import Verdict, compare, format_formula, is_undefined_behaviour, judge
from enumerator.unfold.paths import ENDS

__all__ = ["result_of"]


def result_of(request: Request, shown: tuple[str, ...], outcomes: Outcomes, question: Question) -> Result:
    """Give the result of a check.

    Parameters
    ----------
    request : Request
    shown : tuple of str
        What its states hold: of the names and flags of `request` those that no filter alone asks for.
    outcomes : Outcomes
        What an engine answered.
    question : Question
        Finds the executions when somebody asks for them.

    Returns
    -------
    Result

    Raises
    ------
    InputError
        If an assertion of the model fails.

    See Also
    --------
    enumerator.results.verdict.judge : The verdict.
    """
    test, model = request.test, request.model
    status = "limit" if outcomes.status == "complete" and outcomes.cut else outcomes.status
    complete = status == "complete" and not outcomes.stopped and not _contradicts_itself(request, outcomes)
    counted = outcomes.counted and not request.outcomes_only
    _check_assertions(request, outcomes.flags)
    verdict = judge(
        test.condition,
        request.columns,
        shown,
        outcomes.states,
        counted=counted,
        complete=complete,
        undefined=outcomes.undefined or any(map(is_undefined_behaviour, outcomes.flags)),
    )
    expectation = expectation_of(test, model, request.profile)
    as_expected: bool | None = None
    if expectation is not None:
        quantifier, first = test.condition.quantifier, request.decided is not None
        as_expected = compare(verdict, outcomes.flags, expectation, quantifier, complete=complete, first=first)
    elif not test.expectations and verdict.verdict != "unknown":
        as_expected = verdict.verdict == "Ok"
    return Result(
        name=test.name,
        path=test.path,
        model=model.name,
        profile=request.profile.name,
        hb=model.options.get("hb"),
        thin_air=model.options.get("thin-air"),
        options=dict(model.options),
        quantifier=test.condition.quantifier.value,
        condition=test.condition.text,
        verdict=verdict.verdict,
        observation=verdict.observation,
        positive=verdict.positive if counted else None,
        negative=verdict.negative if counted else None,
        states=verdict.states,
        flags=tuple(sorted(outcomes.flags)),
        undefined_by=tuple(sorted(_undefining(outcomes, model))),
        expected=expectation.observation if expectation is not None else None,
        expected_flags=tuple(sorted(expectation.flags)) if expectation is not None else None,
        as_expected=as_expected,
        explored=None if request.outcomes_only else outcomes.explored,
        consistent=None if request.outcomes_only else outcomes.consistent,
        cut=outcomes.cut,
        status=status,
        notes=tuple(_notes(request, outcomes, verdict)),
        formula=format_formula(test.condition.formula),
        question=question,
    )


# Expectations ---------------------------------------------------------------------------------------------


# Flags and remarks ----------------------------------------------------------------------------------------


def _undefining(outcomes: Outcomes, model: SelectedModel) -> Iterator[str]:
    """Name the flags that make a program undefined: ``ub-*``, and the checks that a model declares so."""
    yield from (flag for flag in outcomes.flags if flag != "ub" and is_undefined_behaviour(flag))
    if outcomes.undefined:
        yield from outcomes.flags & flags_of(model, ("undefined_unless",))


def _contradicts_itself(request: Request, outcomes: Outcomes) -> bool:
    """Tell whether no execution is consistent because branches on undef end those that make it undef.

    Each program has some execution, if nothing is assumed in it. Where all of them have a read that races with what
    comes after a branch on it only, a search finds neither the race nor any outcome.
    """
    if outcomes.states or outcomes.flags or outcomes.cut or outcomes.status != "complete":
        return False
    return not request.test.may_refuse_all and world(request.model.model, request.model.variants).undef is not None


def _check_assertions(request: Request, flags: frozenset[str]) -> None:
    """Refuse the test where an ``assert`` of the model does not hold, as herd7 does."""
    for flag in sorted(flags):
        if flag.startswith(ASSERTION):
            message = f"the model's {ASSERTION}{flag.removeprefix(ASSERTION)} fails on {request.test.path}"
            raise InputError(message, request.model.model.path)


_OF_BARRIERS = frozenset({"B", "bar", "syncbar"})
_OF_REGIONS = frozenset({"GLOBAL", "LOCAL"})


def _speaks_of(names: frozenset[str], request: Request) -> bool:
    """Tell whether the model uses some of these names."""
    from enumerator.search.bitset import base_kinds  # here, as few tests ask

    return not names.isdisjoint(used_names(request.model.model, request.model.variants, base_kinds(request.test)))


def _notes(request: Request, outcomes: Outcomes, verdict: Verdict) -> Iterator[str]:
    states = verdict.states
    if states.undetermined.any():
        what = "undef" if states.rests_on_undef else "values that are not interpreted"
        if request.test.condition.quantifier is Quantifier.FORALL:
            yield f"a state over {what}, which may fail the condition, counts against it"
        elif states.undetermined.sum() == states.witnesses.sum():
            yield f"the witness rests on {what}"
        else:
            yield f"some witnesses rest on {what}"
    if outcomes.cut:
        bound = f"the bound on loops ({request.unroll})"
        yield f"{outcomes.cut} execution{'s were' if outcomes.cut != 1 else ' was'} cut at {bound}"
        if any(isinstance(part, CompareExchange) and part.weak for part in _instructions(request.test)):
            yield "a weak compare-exchange may fail for no reason, again and again: with a strong one fewer may be cut"
    if not outcomes.states and "stuck" in outcomes.flags and outcomes.status == "complete":
        yield "in each execution some thread waits for ever: the condition, which is about ends, is vacuous"
    nothing = not outcomes.states and not outcomes.flags and not outcomes.cut and outcomes.status == "complete"
    if nothing and request.test.may_refuse_all:
        yield "in no execution all assumptions hold (llvm.assume, __VERIFIER_assume): the condition is vacuous"
    if _contradicts_itself(request, outcomes):
        yield (
            "no execution is consistent: a branch rests on a read that is undef because of what comes after it, so the "
            "program most likely has a race that makes it undefined"
        )
    if outcomes.stopped:
        yield "stopped at the first execution that decides the verdict: flags are not decided"
    elif request.decided is not None:
        yield "only the verdict was asked for: flags are not decided"
    yield from outcomes.notes
    for flag in request.flags:
        if flag not in (*ENDS, "ub", *flags_of(request.model)):
            yield f"the model {request.model.name} has no flag {flag}: no execution raises it"
    yield from request.test.notes
    if request.test.has(Barrier, BarrierOperation) and not _speaks_of(_OF_BARRIERS, request):
        yield f"the model {request.model.name} says nothing of barriers: they order nothing"
    for name, place in world(request.model.model, request.model.variants).unshown:
        yield f"{place.path}:{place.line}:{place.column}: 'show' names '{name}', which is not defined: it is not shown"
    tags = _tags(request.test)
    ignored = request.profile.name == "generic" and any(tag.prefix == _OF_MEMORY for tag in tags)
    if ignored and not _speaks_of(_OF_REGIONS, request):
        yield "which memory a fence is for is not held against what is accessed: the profile amdgpu does that"
    for tag in request.profile.unknown_tags(tags):
        yield f"the profile {request.profile.name} does not know the tag {tag} (it counts all the same)"


_OF_MEMORY = "amdgpu-synchronize-as"
"""Tags that say which kinds of memory a fence of AMDGPU orders."""


def _instructions(test: Test) -> Iterator[Instruction]:
    return (part for function in test.functions.values() if not function.library for part in function.instructions)


def _tags(test: Test) -> set[Tag]:
    return {
        tag
        for function in test.functions.values()
        for instruction in function.instructions
        if (annotation := getattr(instruction, "annotation", None)) is not None
        for tag in annotation.tags
    }
