"""The page of a run: verdicts, states with a picture each, readings side by side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TextIO

from enumerator.program.condition import SPELT
from enumerator.program.values import format_value
from enumerator.report.page.shell import badge, header, page, source_lines, switches, table, text
from enumerator.report.text import wanted
from enumerator.results.result import Picture, Result, State

__all__ = ["article", "figure", "run_page", "states_table", "write_html"]

_MOST_ROWS = 500


def write_html(results: Iterable[Result], stream: TextIO) -> None:
    """Write results as a page, when all are there.

    Parameters
    ----------
    results : iterable of Result
    stream : text stream
    """
    stream.write(run_page(list(results)))


def run_page(results: Sequence[Result]) -> str:
    """Give the page of some results.

    Parameters
    ----------
    results : sequence of Result
        With pictures, if there are to be any.

    Returns
    -------
    str

    Examples
    --------
    >>> "MP &lt;b&gt;" in run_page([Result("MP <b>", "mp.ll", "llvm", verdict="Ok", observation="Never")])
    True
    """
    title = results[0].name if len(results) == 1 else f"{len(results)} results"
    pictures = [picture for result in _with_readings(results) for picture in result.pictures]
    body = [header(title, results[0].path if len(results) == 1 else "")]
    if len(results) > 1:
        body.append(_overview(results))
    body += [article(result, f"r{number}", alone=len(results) == 1) for number, result in enumerate(results, 1)]
    body.append("</main><footer>A picture shows the smallest execution that was found to end so.</footer>")
    return page(title, "\n".join(body), pictures=pictures)


def _with_readings(results: Iterable[Result]) -> Iterator[Result]:
    for result in results:
        yield result
        yield from result.under.values()


def _overview(results: Sequence[Result]) -> str:
    rows = []
    for number, result in enumerate(results, 1):
        verdict = "error" if result.status == "error" else result.verdict
        kind = "bad" if verdict == "error" or result.as_expected is False else "good" if result.as_expected else "plain"
        rows.append(
            f'<tr><td><a href="#r{number}">{text(result.name)}</a></td><td>{text(result.how)}</td>'
            f"<td>{badge(verdict, kind)}</td><td>{text(result.outcome) if verdict != 'error' else ''}</td>"
            f'<td class="number">{result.seconds:.3f}</td></tr>'
        )
    return table("All results", ("test", "under", "verdict", "found", "seconds"), rows)


def article(result: Result, name: str, *, alone: bool = False) -> str:
    """Give the part of a page that is about one result.

    Parameters
    ----------
    result : Result
    name : str
        Unique on the page.
    alone : bool
        The page is about nothing else.

    Returns
    -------
    str
    """
    if result.status == "error":
        return (
            f'<article id="{name}"><header><h2>{text(result.name)}</h2>{badge("error", "bad")}</header>'
            f"<p>{text(result.error or '')}</p></article>"
        )
    parts = [f'<article id="{name}"><header><h2>{text(result.how if alone else result.name)}</h2>']
    parts.append(badge(result.verdict.capitalize(), {"Ok": "good", "unknown": "unsure"}.get(result.verdict, "bad")))
    parts.append(badge(result.observation.capitalize(), "plain"))
    if result.as_expected is not None and result.expected is not None:
        good = result.as_expected
        parts.append(badge("as expected" if good else f"expected {wanted(result)}", "good" if good else "bad"))
    parts.append("</header>")
    parts.append(_facts(result, alone))
    if result.states:
        parts.append(states_table(result, name))
    first = _worth_most(result)
    for number, picture in enumerate(result.pictures):
        parts.append(_details(result, picture, f"{name}-p{number}", opened=number == first))
    if result.under:
        parts.append(_readings(result, name))
    if result.details:
        parts.append(
            "<details><summary>Executions in words</summary>"
            f"<pre class='lines'>{text(chr(10).join(result.details))}</pre></details>"
        )
    return "\n".join((*parts, "</article>"))


def _worth_most(result: Result) -> int:
    """Give the number of the picture that answers the question: of a witness, if there is one."""
    for number, picture in enumerate(result.pictures):
        if picture.state is not None and result.states[picture.state].witness:
            return number
    return 0


def _facts(result: Result, alone: bool) -> str:
    facts = [] if alone else [("Under", text(result.how))]
    quantifier = SPELT.get(result.quantifier or "exists", "exists")
    facts.append(("Condition", f"<code>{quantifier} ({text(result.formula or result.condition)})</code>"))
    if result.positive is not None:
        counts = f"{result.positive} satisfy it, {result.negative} do not"
        facts.append(("Executions", text(counts)))
    if result.flags:
        facts.append(("Flags", " ".join(badge(flag, "bad") for flag in result.flags)))
    facts += [("Cause", text(cause)) for cause in result.causes]
    for reading, outcome in result.readings.items():
        facts.append(("Rests on a reading", f"under {text(reading)}: {text(outcome)}"))
    if result.status != "complete":
        facts.append(("Status", f"{text(result.status)}: what more search could change is unknown"))
    facts += [("Note", text(note)) for note in result.notes]
    facts.append(("Time", f"{result.seconds:.3f} s"))
    return f'<dl class="facts">{"".join(f"<dt>{term}</dt><dd>{told}</dd>" for term, told in facts)}</dl>'


# States and pictures ------------------------------------------------------------------------------------------


def states_table(result: Result, name: str) -> str:
    """Give the final states as a table, each with a link to its picture.

    Parameters
    ----------
    result : Result
    name : str
        Of the part of the page.

    Returns
    -------
    str
    """
    shown: list[State] = [state for _, state in zip(range(_MOST_ROWS), result.states, strict=False)]
    columns = list(shown[0].values)
    links = {picture.state: f"{name}-p{n}" for n, picture in enumerate(result.pictures) if picture.state is not None}
    counted = shown[0].executions is not None
    heads = ["", *columns, *(["executions"] if counted else []), *(["picture"] if links else [])]
    rows = []
    for number, state in enumerate(shown):
        mark = "?" if state.undetermined else "*" if state.witness else ""
        meaning = "may satisfy the condition" if state.undetermined else "satisfies the condition"
        cells = [f'<td title="{meaning}">{mark}</td>' if mark else "<td></td>"]
        cells += [f'<td class="mono">{text(format_value(value))}</td>' for value in state.values.values()]
        if counted:
            cells.append(f'<td class="number">{state.executions}</td>')
        if links:
            link = links.get(number)
            to = f'<a href="#{link}" data-opens="{link}">show</a>' if link else ""
            cells.append(f"<td>{to}</td>")
        marked = ' class="witness"' if state.witness else ""
        rows.append(f"<tr{marked}>{''.join(cells)}</tr>")
    left = len(result.states) - len(shown)
    more = f"; {left} more are not shown" if left > 0 else ""
    number = len(result.states)
    caption = f"{number} final state{'s' * (number != 1)}{more}. * satisfies the condition, ? may do so"
    return table("Final states", heads, rows, caption=caption)


def _details(result: Result, picture: Picture, name: str, *, opened: bool) -> str:
    return (
        f'<details id="{name}"{" open" if opened else ""}><summary class="mono">{text(picture.title)}</summary>'
        f"{figure(picture, result.source)}</details>"
    )


def figure(picture: Picture, source: str) -> str:
    """Give a picture with its switches, the source beside it, and the execution in words.

    Parameters
    ----------
    picture : Picture
    source : str
        Empty for none.

    Returns
    -------
    str
    """
    beside = source_lines(source, picture.lines, "Source") if source else ""
    steps = "".join(f"<li>{text(step)}</li>" for step in picture.told)
    drawn = '<div class="picture scroll" tabindex="0" role="region" aria-label="Picture">' + picture.svg + "</div>"
    return (
        f"<figure>{switches(picture.relations)}"
        f'<div class="{"beside" if source else "alone"}">{drawn}{beside}</div>'
        "<figcaption><details><summary>In words</summary>"
        f"<ol class='steps'>{steps}</ol></details></figcaption></figure>"
    )


# Readings -----------------------------------------------------------------------------------------------------


def _readings(result: Result, name: str) -> str:
    """Show what differs under other readings: states beside one another, and a picture each."""
    here = result.hb or "as asked"
    results = {here: result, **result.under}
    spelt = {
        reading: {str(state): state for _, state in zip(range(_MOST_ROWS), each.states, strict=False)}
        for reading, each in results.items()
    }
    every = list(dict.fromkeys(state for states in spelt.values() for state in states))
    rows = []
    for state in every:
        cells = []
        for states in spelt.values():
            found = states.get(state)
            mark = "" if found is None else "✓ *" if found.witness else "✓"
            cells.append(f"<td>{mark}</td>")
        differs = len({state in states for states in spelt.values()}) > 1
        marked = ' class="witness"' if differs else ""
        rows.append(f"<tr{marked}><td class='mono'>{text(state)}</td>{''.join(cells)}</tr>")
    outcome = "".join(f"<td>{text(each.outcome)}</td>" for each in results.values())
    rows.append(f"<tr><td>outcome</td>{outcome}</tr>")
    figures: list[str] = []
    for reading, each in result.under.items():
        for number, picture in enumerate(each.pictures[:1]):
            figures.append(
                f'<section id="{name}-{number}-{len(figures)}"><h3>{text(reading)}: {text(each.outcome)}</h3>'
                f"{figure(picture, '')}</section>"
            )
    if result.pictures:
        first = result.pictures[_worth_most(result)]
        own = f"<section><h3>{text(here)}: {text(result.outcome)}</h3>{figure(first, '')}</section>"
        figures.insert(0, own)
    beside = table("Readings", ("state", *results), rows)
    return f"<h3>Readings side by side</h3>{beside}<div class='side-by-side'>{''.join(figures)}</div>"
