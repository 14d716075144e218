"""Explanations and drawings as pages, and as pieces of a notebook."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from enumerator.report.page.run import figure
from enumerator.report.page.shell import badge, header, page, text
from enumerator.report.picture.style import style_sheet
from enumerator.results.result import Picture

if TYPE_CHECKING:
    from enumerator.drawing import Drawing
    from enumerator.explanation import Explanation
    from enumerator.report.picture import Scene

__all__ = ["drawing_page", "explanation_page", "fragment"]

_MOST_WAYS = 8


def explanation_page(found: Explanation) -> str:
    """Give an explanation as a page: what the text says, with pictures.

    Parameters
    ----------
    found : Explanation

    Returns
    -------
    str
    """
    body, pictures = _body(found)
    top = header(found.test.name, found.test.path)
    return page(found.test.name, f"{top}{body}</main><footer></footer>", pictures=pictures)


def fragment(found: Explanation) -> str:
    """Give an explanation as a piece of a notebook, with its own style sheet for the pictures."""
    body, _ = _body(found, notebook=True)
    return f"<style>{style_sheet()}</style>{body}"


def _body(found: Explanation, *, notebook: bool = False) -> tuple[str, list[Picture]]:
    from enumerator.analysis.source import Source
    from enumerator.report.explanation import headline, repair_lines, way_lines, ways_line
    from enumerator.report.picture.contents import scene_of

    source = "" if notebook else "\n".join(Source.of(found.test).lines)
    word = {True: "allowed", False: "forbidden", None: "unknown"}[found.allowed]
    kind = {True: "good", False: "bad", None: "unsure"}[found.allowed]
    if found.undefined:
        word, kind = "undefined", "bad"
    parts = [f"<article><header><h2>{text(headline(found))}</h2>{badge(word, kind)}</header>"]
    parts += [f"<p class='muted'>{text(note)}</p>" for note in found.notes]
    pictures = []

    def show(scene: Scene) -> str:
        made = picture_of(scene)
        pictures.append(made)
        return made.svg if notebook else figure(made, source)

    if found.witness is not None:
        parts.append("<h3>What happens</h3>")
        parts.append(show(scene_of(found.witness, title=_title(found), extras=not notebook)))
        steps = "".join(f"<li>{text(step)}</li>" for step in pictures[-1].told)
        parts.append(f"<ol class='steps'>{steps}</ol>" if notebook else "")
        parts.append(_list("What is missing", found.missing))
        parts.append(_list("What would forbid it", repair_lines(found)))
    if found.ways:
        parts.append(f"<h3>{text(ways_line(found))}</h3>")
        for number, way in enumerate(found.ways[:_MOST_WAYS]):
            first, *rest = way_lines(way)
            scene = scene_of(way.classification, title=found.outcome, refused_by=way.violation, extras=not notebook)
            parts.append(
                f"<details{' open' if number == 0 else ''}><summary>{text(first)}</summary>"
                f"<pre class='lines'>{text(chr(10).join(rest))}</pre>{show(scene)}</details>"
            )
    if found.held_up_by is not None and found.allowed is False:
        held = tuple(map(str, found.held_up_by))
        parts.append(_list("Each of these alone lets it through", held))
        if not held:
            parts.append("<p>No single annotation holds it up.</p>")
    return "\n".join((*parts, "</article>")), pictures


def _title(found: Explanation) -> str:
    return f"undefined: {', '.join(found.undefined)}" if found.undefined else found.outcome


def _list(title: str, lines: Iterable[str]) -> str:
    items = "".join(f"<li>{text(line)}</li>" for line in lines)
    return f"<h3>{text(title)}</h3><ul class='plain-list'>{items}</ul>" if items else ""


def picture_of(scene: Scene) -> Picture:
    """Draw a scene for a page."""
    from enumerator.report.picture.svg import to_svg

    extra = {link.relation for link in scene.links if link.extra}
    return Picture(
        title=scene.title,
        svg=to_svg(scene, alone=False),
        relations=tuple((name, name in extra) for name in scene.relations),
        lines=scene.lines,
        told=scene.told,
    )


def drawing_page(drawing: Drawing) -> str:
    """Give pictures as a page, beside the source.

    Parameters
    ----------
    drawing : Drawing

    Returns
    -------
    str
    """
    from enumerator.analysis.source import Source

    test = drawing.test
    source = "\n".join(Source.of(test).lines)
    pictures = [picture_of(scene) for scene in drawing.scenes]
    parts = [header(test.name, test.path, drawing.notes)]
    for number, (scene, picture) in enumerate(zip(drawing.scenes, pictures, strict=True)):
        summary = f"{scene.subtitle}{''.join(f'; {reason}' for reason in scene.reasons)}"
        opened = " open" if number == 0 else ""
        parts.append(f"<details{opened}><summary>{text(summary)}</summary>{figure(picture, source)}</details>")
    return page(test.name, "\n".join((*parts, "</main><footer></footer>")), pictures=pictures)
