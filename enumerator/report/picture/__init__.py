"""Pictures of executions: what is in one, where it stands, and how it is written as SVG or for Graphviz.

A picture has a column a thread inside its scope instances, rows in program order, initial writes on top. The way of
one goes from left to right, and nothing looks back:

- :mod:`enumerator.report.picture.links`: which edges of which relation matter;
- :mod:`enumerator.report.picture.contents`: boxes, links, columns and frames of an execution: a :class:`Scene`;
- :mod:`enumerator.report.picture.layout`: rows, ports and tracks: a place for everything, no line across a text;
- :mod:`enumerator.report.picture.svg`, :mod:`enumerator.report.picture.dot`: the two ways to write it.
"""

from __future__ import annotations

from enumerator.report.picture.scene import Box, Column, Frame, Link, Scene

__all__ = ["Box", "Column", "Frame", "Link", "Scene"]
