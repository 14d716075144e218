"""Results and states as notebooks show them: small tables in the notebook's own style."""

from __future__ import annotations

from enumerator.printing import html_text as text
from enumerator.program.condition import SPELT
from enumerator.program.values import format_value
from enumerator.results.result import Result, State
from enumerator.results.states import States

__all__ = ["result_html", "state_html", "states_html"]

_MOST = 50


def state_html(state: State) -> str:
    """Give a state as a table with one row.

    Examples
    --------
    >>> "<code>7</code>" in state_html(State({"@x": 7}, 1, True))
    True
    """
    return _table([state], 1)


def states_html(states: States) -> str:
    """Give states as a table."""
    return _table([state for _, state in zip(range(_MOST), states, strict=False)], len(states))


def _table(states: list[State], number: int) -> str:
    if not states:
        return "<p>no final states</p>"
    names = list(states[0].values)
    counted = states[0].executions is not None
    heads = "".join(f"<th>{text(name)}</th>" for name in names)
    rows = []
    for state in states:
        mark = "?" if state.undetermined else "✓" if state.witness else ""
        cells = "".join(f"<td><code>{text(format_value(value))}</code></td>" for value in state.values.values())
        count = f"<td>{state.executions}</td>" if counted else ""
        rows.append(f"<tr><td>{mark}</td>{cells}{count}</tr>")
    more = f"<p>{number - len(states)} more states</p>" if number > len(states) else ""
    count_head = "<th>executions</th>" if counted else ""
    return (
        f"<table><thead><tr><th>condition</th>{heads}{count_head}</tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table>{more}"
    )


def result_html(result: Result) -> str:
    """Give a result: what came out under what, and its states.

    Examples
    --------
    >>> "<b>Ok</b>" in result_html(Result("MP", "mp.ll", "llvm", verdict="Ok", observation="Never"))
    True
    """
    if result.status == "error":
        return f"<p><b>{text(result.name)}</b>: {text(result.error or 'error')}</p>"
    outcome = text(result.outcome)
    lines = [f"<p><b>{text(result.name)}</b> under {text(result.how)}: <b>{text(result.verdict)}</b>, {outcome}"]
    quantifier = SPELT.get(result.quantifier or "", "")
    if quantifier:
        lines.append(f"<br><code>{quantifier} ({text(result.formula or result.condition)})</code>")
    lines.append("</p>")
    lines += [f"<p>{text(note)}</p>" for note in (*result.causes, *result.notes)]
    states = [state for _, state in zip(range(_MOST), result.states, strict=False)]
    lines.append(_table(states, len(result.states)))
    return "".join(lines)
