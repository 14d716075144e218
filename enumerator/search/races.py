"""Programs that are grown without undef first: most have no read that returns undef, and are searched sooner so.

Where a read may return undef because of what others may still write, each such read doubles what is to be searched, and
nearly all of that comes to nothing: that a lock keeps the writer away is seen at the end. If each read takes a value
instead (:func:`enumerator.cat.without_undef.without_undef`), it is seen at once. Should an execution have a read that
the model gives undef, the program is searched anew with undef.

That is enough. Take an execution with a read that returns undef, and in the order in which it grows the first event
with which a read is one that may see several writes that are not all atomic. What is there before is consistent with
values, too: a read that returns undef has one source there, the last write that happens before it, which nothing new
follows from. The event is added last: a read takes the newest write, a write is the newest, so that nothing comes after
it which an axiom could forbid. Threads that end at a branch on undef go on, and nothing rests on what they add. So
there is an execution with values, and this read. It may be one that an assumption refuses, further on: so these are
grown, too, with threads that end there, and do not count otherwise. It does not hold where a program goes on from undef
otherwise: ``freeze`` and compare-exchanges choose what no write wrote. Nor does an execution with values show the reads
of an attempt that is left out, of a loop that waits.
"""

from __future__ import annotations

from dataclasses import replace

from enumerator.cat.without_undef import RETURNS_UNDEF, made_of, without_undef
from enumerator.program.values import Value
from enumerator.request import Outcomes, Request
from enumerator.results.table import StateTable

__all__ = ["may_be_race_free", "race_free", "with_values"]


def with_values(request: Request) -> Request | None:
    """Ask for the executions in which each read returns a value; the search ends where one would return undef.

    Parameters
    ----------
    request : Request

    Returns
    -------
    Request or None
        Its states tell at last whether a read is one that the model gives undef. None where the model has no undef.
    """
    model = made_of(request.model, without_undef)
    if model is None:
        return None
    decided = request.decided

    def ends(state: tuple[Value, ...]) -> bool:
        return state[-1] == 1 or (decided is not None and decided(state[:-1]))

    return replace(request, model=model, flags=(*request.flags, RETURNS_UNDEF), decided=ends, undefined_decides=False)


def may_be_race_free(outcomes: Outcomes) -> bool:
    """Tell whether no execution is undefined or has a read that the model gives undef, as far as they were searched.

    Parameters
    ----------
    outcomes : Outcomes
        Of :func:`with_values`.

    Returns
    -------
    bool
    """
    return outcomes.flags.isdisjoint(("ub", RETURNS_UNDEF))


def race_free(request: Request, outcomes: Outcomes) -> Outcomes | None:
    """Give the outcomes of a request by those of :func:`with_values`, if no read of these is one that returns undef.

    Parameters
    ----------
    request : Request
    outcomes : Outcomes

    Returns
    -------
    Outcomes or None
        None also where executions were cut, as what comes later may have such a read; and where some execution is
        undefined, which has no state.
    """
    if outcomes.cut or not may_be_race_free(outcomes):
        return None
    states = StateTable.of(outcomes.states, len(request.columns) + 1)
    return replace(outcomes, states=states.columns(range(len(request.columns)))[0], undef_may_decide=False)
