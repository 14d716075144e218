"""Undefined behaviour that no execution shows: a read is undef because of what comes after a branch on it.

A thread that branches on undef, or accesses memory there, ends the execution (semantics, section 1). So an execution
in which a read is undef has no write that the read would race with and that is there only because the thread goes on
past that branch: neither the race nor the undefined behaviour is found. Here is the execution in which it is seen: each
read returns what some write wrote, and the model's rule still says which of them return undef. If the thread, run again
with undef for these, ends with undefined behaviour where it went on (:mod:`enumerator.analysis.past_branches`), then
the program has it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from enumerator.cat.without_undef import decided_by_undef, made_of, undef_rule
from enumerator.program.instructions import Branch, Constant, IndirectCall, Switch
from enumerator.program.types import PointerType
from enumerator.program.values import NULL

if TYPE_CHECKING:
    from enumerator.request import Outcomes, Request

__all__ = ["may_hide", "undefined_past_branches"]

_MOST = 256
"""So many executions are looked at: nearly always the first one shows it."""

_NO_ADDRESS = Constant(NULL, PointerType())


def may_hide(request: Request) -> bool:
    """Tell whether a read may be undef, and something in the test depend on it but what is written.

    Parameters
    ----------
    request : Request

    Returns
    -------
    bool
    """
    if undef_rule(request.model.model) is None:
        return False
    blocks = (block for function in request.test.functions.values() for block in function.blocks)
    return any(
        isinstance(block.terminator, Branch | Switch)
        or not all(isinstance(_address(part), Constant) for part in block.body)
        for block in blocks
    )


def _address(part: object) -> object:
    return part.callee if isinstance(part, IndirectCall) else getattr(part, "address", _NO_ADDRESS)


def undefined_past_branches(request: Request, engine: Callable[[Request], Outcomes]) -> tuple[dict[str, str], str]:
    """Find undefined behaviour that the executions of a request do not show.

    Parameters
    ----------
    request : Request
        Under a model with undef.
    engine : callable

    Returns
    -------
    found : dict of str to str
        By flag, how it comes about.
    status : {'complete', 'timeout', 'limit'}
        Of the search for it.
    """
    model = made_of(request.model, decided_by_undef)
    if model is None:
        return {}, "complete"
    asked = request.whole(model=model, outcomes_only=False, record=_MOST, forbidden=False)
    found: dict[str, str] = {}
    for one in (replace(asked, decided=lambda state: True, record=1), asked):
        outcomes = engine(one)
        if outcomes.executions:
            from enumerator.analysis.past_branches import shown_by  # networkx takes a while to import

            found = shown_by(request, one, outcomes.executions)
        if found or not outcomes.executions:
            break
    return found, "complete" if found else outcomes.status
