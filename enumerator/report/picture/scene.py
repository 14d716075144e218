"""What is in a picture of an execution, without any positions."""

from __future__ import annotations

from dataclasses import field

from enumerator.frozen import dataclass

__all__ = ["Box", "Column", "Frame", "Link", "Scene"]


@dataclass(frozen=True)
class Box:
    """An instruction that was executed, with all its events, or the initial write of a location.

    Parameters
    ----------
    name : str
        Unique in the picture.
    events : tuple of int
        The events that it stands for.
    column : int or None
        The place of its thread in :attr:`Scene.columns`; None for an initial write.
    title : str
        What it is: ``store release``.
    access : str
        What it accesses, with the value: ``@flag = 1``.
    source : str
        Its line in the source, shortened.
    line : int or None
        The number of that line.
    place : str
        Where that is: ``17``, or of a debug location ``kernel.hip:17``.
    notes : tuple of str
        Scope, tags and the like, a line each.
    badges : tuple of str
        What is remarkable: ``undef``, ``race``.
    strong : bool
        It is part of the reason why the execution is forbidden.
    told : str
        All of it in a sentence.
    """

    name: str
    events: tuple[int, ...]
    column: int | None
    title: str
    access: str = ""
    source: str = ""
    line: int | None = None
    place: str = ""
    notes: tuple[str, ...] = ()
    badges: tuple[str, ...] = ()
    strong: bool = False
    told: str = ""


@dataclass(frozen=True)
class Link:
    """An edge of a relation, between two boxes.

    Parameters
    ----------
    source, target : str
        Names of boxes.
    relation : str
        The relation's name.
    style : str
        How it is drawn, by the name of a stroke in :mod:`enumerator.report.picture.style`.
    label : str
        What stands beside it.
    strong : bool
        It is an edge of the cycle that forbids the execution.
    mutual : bool
        It has no direction.
    extra : bool
        It is not part of the picture unless somebody asks for its relation.
    told : str
        The edge in a sentence.
    """

    source: str
    target: str
    relation: str
    style: str
    label: str
    strong: bool = False
    mutual: bool = False
    extra: bool = False
    told: str = ""


@dataclass(frozen=True)
class Column:
    """A thread: its name, and what it runs if that is not the same."""

    name: str
    function: str = ""


@dataclass(frozen=True)
class Frame:
    """A scope instance around neighbouring columns; `depth` counts from the outermost, 0."""

    label: str
    first: int
    last: int
    depth: int


@dataclass(frozen=True)
class Scene:
    """A picture of an execution.

    Parameters
    ----------
    title, subtitle : str
    columns : tuple of Column
    frames : tuple of Frame
    boxes : tuple of Box
        Initial writes first, then each thread's in program order.
    links : tuple of Link
    program_order : tuple of (str, str)
        Neighbours of one thread, by the names of their boxes.
    aligned : tuple of tuple of str
        Boxes that stand in one row: barriers at which threads meet.
    reasons : tuple of str
        Why it is forbidden: the axioms that refuse it.
    told : tuple of str
        The picture in sentences, for those who do not see it.
    """

    title: str
    subtitle: str
    columns: tuple[Column, ...]
    frames: tuple[Frame, ...]
    boxes: tuple[Box, ...]
    links: tuple[Link, ...]
    program_order: tuple[tuple[str, str], ...]
    aligned: tuple[tuple[str, ...], ...] = ()
    reasons: tuple[str, ...] = ()
    told: tuple[str, ...] = field(default=())

    @property
    def lines(self) -> tuple[int, ...]:
        """The source lines that it shows, in order."""
        return tuple(sorted({box.line for box in self.boxes if box.line is not None}))

    @property
    def relations(self) -> tuple[str, ...]:
        """The relations of which it has edges, those that are part of it first."""
        return tuple(dict.fromkeys(link.relation for link in sorted(self.links, key=lambda link: link.extra)))
