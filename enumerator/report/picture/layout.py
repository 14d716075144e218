"""Where everything in a picture stands: rows, columns, ports on boxes, tracks between columns, lanes between rows.

Nothing is searched for: rows follow from program order and from who reads from whom, columns are threads, and every
edge has a track of its own, as wires have on a board. A line between two columns runs in the space between them; one
that has to pass a column does so between two rows. Labels stand on their own tracks, where no other line crosses.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import field

from enumerator.frozen import dataclass
from enumerator.report.picture.scene import Box, Link, Scene
from enumerator.report.picture.sizes import LETTER, PAD, SMALL, height_of, rows_of, width_of

__all__ = ["Layout", "Placed", "Route", "arrange"]

MARGIN = 24.0
_LABEL = 6.8  # of labels, at 11 px
_NARROW, _WIDE = 148.0, 560.0
_GAP = 30.0  # between rows, without lanes
_LANE = 11.0
_PORT = 12.0
_FRAME = 11.0  # between a frame and what is inside
_HEADER = 20.0  # a frame's label
_THREAD = 34.0  # a thread's name above its column
_BETWEEN = 22.0  # between columns, without tracks
_CHIP_GAP = 14.0


@dataclass
class Placed:
    """A box on the page: its left upper corner and its size."""

    box: Box
    x: float
    y: float
    width: float
    height: float
    row: int

    @property
    def middle(self) -> float:
        """The middle from left to right."""
        return self.x + self.width / 2


@dataclass
class Route:
    """A link on the page: the corners of its line, and where its label stands."""

    link: Link
    points: list[tuple[float, float]]
    label: tuple[float, float]
    width: float


@dataclass
class Layout:
    """A picture with all positions.

    Parameters
    ----------
    scene : Scene
    width, height : float
    boxes : dict of str to Placed
    routes : list of Route
    order : list of (Placed, Placed)
    lanes : list of (float, float, float, float)
        Behind each thread: x, y, width, height.
    names : list of (float, float)
        Where the name of each thread stands.
    frames : list of tuple
        For each frame of the scene x, y, width, height.
    """

    scene: Scene
    width: float = 0.0
    height: float = 0.0
    boxes: dict[str, Placed] = field(default_factory=dict)
    routes: list[Route] = field(default_factory=list)
    order: list[tuple[Placed, Placed]] = field(default_factory=list)
    lanes: list[tuple[float, float, float, float]] = field(default_factory=list)
    names: list[tuple[float, float]] = field(default_factory=list)
    frames: list[tuple[float, float, float, float]] = field(default_factory=list)


def arrange(scene: Scene, top: float = MARGIN) -> Layout:
    """Find a place for everything in a picture.

    Parameters
    ----------
    scene : Scene
    top : float
        Room above, for a title.

    Returns
    -------
    Layout
    """
    return _Arranging(scene, top).layout


@dataclass
class _Track:
    """A vertical piece of a link between two columns."""

    link: Link
    gutter: tuple[str, int]  # ('between', n): left of column n; ('beside', n): in column n, right of its boxes
    low: float
    high: float
    width: float
    place: int = 0
    x: float = 0.0


@dataclass
class _Wire:
    """A link on its way to become a route."""

    link: Link
    kind: str  # 'beside', 'adjacent', 'far', 'initial'
    tracks: list[_Track] = field(default_factory=list)
    sides: tuple[str, str] = ("right", "left")
    ports: list[float] = field(default_factory=list)
    corridor: int | None = None
    lane: int = 0


def _fit(span: tuple[float, float], places: list[list[tuple[float, float]]], apart: float = 0.0) -> int:
    """Put a span into the first of some places where it is apart from all others; give its number."""
    for number, taken in enumerate(places):
        if all(span[1] + apart < low or high + apart < span[0] for low, high in taken):
            taken.append(span)
            return number
    places.append([span])
    return len(places) - 1


class _Arranging:
    """One picture being arranged, step by step in the order of the methods."""

    def __init__(self, scene: Scene, top: float) -> None:
        self.scene = scene
        self.top = top
        self.layout = Layout(scene)
        self.initial = [box for box in scene.boxes if box.column is None]
        self.inner = [box for box in scene.boxes if box.column is not None]
        self.column_of = {box.name: box.column for box in self.inner}
        self.rows = rows_of(scene, self.inner)
        self.count = 1 + max(self.rows.values(), default=-1)
        self.neighbours = set(scene.program_order)
        self.wires = [self._wire(link) for link in scene.links if not self._upright(link)]
        self._lanes()
        self._heights()
        self._place_rows()
        self._ports()
        self._tracks()
        self._place_columns()
        self._place_initial()
        self._route()
        self._frames()

    # Links ----------------------------------------------------------------------------------------------------

    def _upright(self, link: Link) -> bool:
        """Tell whether a link runs where program order runs: between two neighbours of one thread."""
        return (link.source, link.target) in self.neighbours and link.relation in ("removed", "po", "po-hb", "ppo")

    def _wire(self, link: Link) -> _Wire:
        a, b = self.column_of.get(link.source), self.column_of.get(link.target)
        if a is None or b is None:
            wire = _Wire(link, "initial")
            wire.corridor = 0
            return wire
        if a == b:
            return _Wire(link, "beside", sides=("right", "right"))
        sides = ("right", "left") if a < b else ("left", "right")
        if abs(a - b) == 1:
            return _Wire(link, "adjacent", sides=sides)
        wire = _Wire(link, "far", sides=sides)
        start, end = self.rows[link.source], self.rows[link.target]
        wire.corridor = end if end > start else end + 1
        return wire

    # Rows -----------------------------------------------------------------------------------------------------

    def _lanes(self) -> None:
        """Give each link that passes columns, or comes from initial writes, a lane between two rows."""
        self.lanes = [0] * (self.count + 1)
        free: dict[int, list[list[tuple[float, float]]]] = {}
        crossing = [wire for wire in self.wires if wire.corridor is not None]
        for wire in crossing:
            assert wire.corridor is not None
            a, b = self.column_of.get(wire.link.source), self.column_of.get(wire.link.target)
            if a is None or b is None:
                span = (-1.0, float(self.count + len(self.scene.columns)))
            else:
                span = (min(a, b) + 0.5, max(a, b) - 0.5)
            wire.lane = _fit(span, free.setdefault(wire.corridor, []))
            self.lanes[wire.corridor] = len(free[wire.corridor])

    def _heights(self) -> None:
        need: dict[tuple[int, int], int] = {}
        for wire in self.wires:
            if wire.link.extra:
                continue  # what is hidden at first makes no box taller
            ends = zip((wire.link.source, wire.link.target), wire.sides, strict=True)
            for key in [self._facing(name, side) for name, side in ends if name in self.column_of]:
                need[key] = need.get(key, 0) + 1
        self.row_heights = [0.0] * self.count
        for box in self.inner:
            row = self.rows[box.name]
            ports = max(need.get(self._facing(box.name, side), 0) for side in ("left", "right"))
            self.row_heights[row] = max(self.row_heights[row], height_of(box), _PORT * ports + 12)

    def _facing(self, name: str, side: str) -> tuple[int, int]:
        """Name the space beside a box: lines that enter boxes on either side of it must not lie on one another."""
        column = self.column_of[name]
        assert column is not None
        return column + (side == "right"), self.rows[name]

    def _place_rows(self) -> None:
        labelled = {self.rows[link.source] + 1 for link in self.scene.links if self._upright(link) and link.label}
        depth = 1 + max((frame.depth for frame in self.scene.frames), default=-1)
        self.init_height = max((height_of(box) for box in self.initial), default=0.0)
        y = self.top + self.init_height
        self.corridors: list[float] = []
        self.header = 0.0
        self.row_y: list[float] = []
        for row in range(self.count + 1):
            gap = _GAP + (16 if row in labelled else 0) + _LANE * self.lanes[row]
            if row == 0:
                gap = (14 + _LANE * self.lanes[0]) if self.initial else 0
                self.corridors.append(y + 12)
                y += gap
                self.header = y
                y += depth * (_HEADER + 4) + _THREAD
            else:
                self.corridors.append(y + gap - 10 - _LANE * (self.lanes[row] - 1))
                y += gap if row < self.count else (_LANE * self.lanes[row] + 6)
            if row < self.count:
                self.row_y.append(y)
                y += self.row_heights[row]
        self.bottom = y + 6

    # Ports ----------------------------------------------------------------------------------------------------

    def _slots(self, name: str) -> list[float]:
        row = self.rows[name]
        number = max(1, int((self.row_heights[row] - 8) // _PORT))
        first = self.row_y[row] + self.row_heights[row] / 2 - _PORT * (number - 1) / 2
        return [first + _PORT * place for place in range(number)]

    def _ports(self) -> None:
        taken: dict[tuple[int, int], set[int]] = {}

        def take(name: str, side: str, wanted: Sequence[int]) -> float:
            used = taken.setdefault(self._facing(name, side), set())
            for slot in wanted:
                if slot not in used:
                    used.add(slot)
                    return self._slots(name)[slot]
            return self._slots(name)[wanted[0]]

        waiting = []
        for wire in sorted(self.wires, key=lambda wire: wire.link.extra):
            a, b = wire.link.source, wire.link.target
            if wire.kind == "adjacent" and self.rows[a] == self.rows[b]:
                middle = len(self._slots(a)) // 2
                wire.ports = [take(a, wire.sides[0], sorted(range(len(self._slots(a))), key=lambda s: abs(s - middle)))]
                wire.ports *= 2
            else:
                waiting.append(wire)
        for wire in waiting:
            a, b = wire.link.source, wire.link.target
            if wire.kind == "initial":
                ends = [name for name in (a, b) if name in self.column_of]
                wire.ports = [take(name, "left", range(len(self._slots(name)))) for name in ends]
                wire.sides = ("left", "left")
                continue
            down = self.rows[a] < self.rows[b] or (self.rows[a] == self.rows[b] and wire.kind == "far")
            first, last = range(len(self._slots(a))), range(len(self._slots(b)))
            if wire.kind == "beside" and a == b:
                wire.ports = [take(a, "right", first), take(b, "right", list(reversed(last)))]
                continue
            start = take(a, wire.sides[0], list(reversed(first)) if down else list(first))
            up = wire.kind == "far" and self.rows[a] >= self.rows[b]
            end = take(b, wire.sides[1], list(reversed(last)) if (up or not down) else list(last))
            wire.ports = [start, end]

    # Tracks ---------------------------------------------------------------------------------------------------

    def _corridor_y(self, wire: _Wire) -> float:
        assert wire.corridor is not None
        return self.corridors[wire.corridor] + _LANE * wire.lane

    def _tracks(self) -> None:
        for wire in self.wires:
            width = _LABEL * len(wire.link.label) + 12
            a, b = self.column_of.get(wire.link.source), self.column_of.get(wire.link.target)
            if wire.kind == "initial":
                column = a if a is not None else b
                if column is not None:
                    y = self._corridor_y(wire)
                    wire.tracks = [self._track(wire, ("between", column), y, wire.ports[0], width)]
                continue
            assert a is not None and b is not None
            start, end = wire.ports
            if wire.kind == "beside":
                wire.tracks = [self._track(wire, ("beside", a), start, end, width)]
            elif wire.kind == "adjacent":
                wire.tracks = [self._track(wire, ("between", max(a, b)), start, end, width)]
            else:
                y = self._corridor_y(wire)
                out = ("between", a + 1 if a < b else a)
                into = ("between", b if a < b else b + 1)
                wire.tracks = [self._track(wire, out, start, y, 8.0), self._track(wire, into, y, end, 8.0)]
                longer = max(wire.tracks, key=lambda track: track.high - track.low)
                longer.width = width
        self.gutters: dict[tuple[str, int], list[float]] = {}
        self.of_gutter: dict[tuple[str, int], list[_Track]] = {}
        for wire in self.wires:
            for track in wire.tracks:
                self.of_gutter.setdefault(track.gutter, []).append(track)
        for gutter, tracks in self.of_gutter.items():
            places: list[list[tuple[float, float]]] = []
            for track in sorted(tracks, key=lambda track: (track.link.extra, track.high - track.low)):
                track.place = _fit((track.low, track.high), places, apart=7)
            self.gutters[gutter] = [
                max(track.width for track in tracks if track.place == number) for number in range(len(places))
            ]

    def _track(self, wire: _Wire, gutter: tuple[str, int], a: float, b: float, width: float) -> _Track:
        low, high = min(a, b), max(a, b)
        if high - low < 18 and width > 10:  # room for the label
            middle = (low + high) / 2
            low, high = min(low, middle - 9), max(high, middle + 9)
        return _Track(wire.link, gutter, low, high, width)

    # Columns --------------------------------------------------------------------------------------------------

    def _place_columns(self) -> None:
        columns = len(self.scene.columns)
        widths = []
        for number, column in enumerate(self.scene.columns):
            inside = [width_of(box) for box in self.inner if box.column == number]
            upright = [
                SMALL * len(link.label) * 2 + 24
                for link in self.scene.links
                if self._upright(link) and self.column_of.get(link.source) == number
            ]
            named = [LETTER * max(len(column.name), 0.9 * len(column.function)) + 20]
            widths.append(min(_WIDE, max(_NARROW, *inside, *upright, *named)))
        opened = [sum(frame.first == number for frame in self.scene.frames) for number in range(columns)]
        closed = [sum(frame.last == number for frame in self.scene.frames) for number in range(columns)]
        self.column_x: list[float] = []
        self.column_end: list[float] = []
        self.box_width = widths
        x = MARGIN
        for number in range(columns):
            x = self._open(("between", number), x, first=number == 0) + _FRAME * opened[number]
            self.column_x.append(x)
            x += widths[number]
            beside = self.gutters.get(("beside", number), [])
            at = x + 14
            for place, width in enumerate(beside):
                self._set_track(("beside", number), place, at + width / 2)
                at += width + 6
            x = at if beside else x
            self.column_end.append(x)
            x += _FRAME * closed[number]
        self.layout.width = self._open(("between", columns), x, first=True) + MARGIN

    def _open(self, gutter: tuple[str, int], x: float, *, first: bool) -> float:
        """Make room for the tracks between two columns; give where the next one may begin."""
        tracks = self.gutters.get(gutter, [])
        at = x + (12 if tracks else 0)
        for place, width in enumerate(tracks):
            self._set_track(gutter, place, at + width / 2)
            at += width + 6
        room = at + (12 if tracks else 0) - x
        return x + (room if first else max(_BETWEEN, room))

    def _set_track(self, gutter: tuple[str, int], place: int, x: float) -> None:
        for track in self.of_gutter[gutter]:
            if track.place == place:
                track.x = x

    # Initial writes -------------------------------------------------------------------------------------------

    def _place_initial(self) -> None:
        layout = self.layout
        for box in self.inner:
            row, column = self.rows[box.name], self.column_of[box.name]
            assert column is not None
            layout.boxes[box.name] = Placed(
                box, self.column_x[column], self.row_y[row], self.box_width[column], self.row_heights[row], row
            )
        widths = [max(60.0, LETTER * len(box.access) + 2 * PAD) for box in self.initial]
        total = sum(widths) + _CHIP_GAP * (len(widths) - 1)
        layout.width = max(layout.width, total + 2 * MARGIN)
        x = (layout.width - total) / 2
        for box, width in zip(self.initial, widths, strict=True):
            layout.boxes[box.name] = Placed(box, x, self.top, width, self.init_height, -1)
            x += width + _CHIP_GAP

    # Lines ----------------------------------------------------------------------------------------------------

    def _route(self) -> None:
        layout = self.layout
        used: dict[str, int] = {}
        initial = [wire.link for wire in self.wires if wire.kind == "initial"]
        ends = [name for link in initial for name in (link.source, link.target)]
        count = Counter(name for name in ends if name not in self.column_of)
        drawn: list[tuple[_Wire, list[tuple[float, float]]]] = []
        for wire in self.wires:
            a, b = layout.boxes[wire.link.source], layout.boxes[wire.link.target]
            if wire.kind == "initial":
                points = self._from_initial(wire, a, b, used, count)
            else:
                start = (a.x + a.width if wire.sides[0] == "right" else a.x, wire.ports[0])
                end = (b.x + b.width if wire.sides[1] == "right" else b.x, wire.ports[1])
                if wire.kind == "far":
                    y = self._corridor_y(wire)
                    one, other = wire.tracks
                    points = [start, (one.x, start[1]), (one.x, y), (other.x, y), (other.x, end[1]), end]
                else:
                    x = wire.tracks[0].x
                    points = [start, (x, start[1]), (x, end[1]), end]
            drawn.append((wire, points))
        self._label(drawn)
        for a_name, b_name in self.scene.program_order:
            layout.order.append((layout.boxes[a_name], layout.boxes[b_name]))
        layout.height = self.bottom

    def _from_initial(
        self, wire: _Wire, a: Placed, b: Placed, used: dict[str, int], count: dict[str, int]
    ) -> list[tuple[float, float]]:
        chip, box = (a, b) if wire.link.source not in self.column_of else (b, a)
        place = used[chip.box.name] = used.get(chip.box.name, 0) + 1
        x = chip.x + chip.width * place / (count[chip.box.name] + 1)
        y = self._corridor_y(wire)
        if not wire.tracks:  # between two initial writes
            return [(x, chip.y + chip.height), (x, y), (box.middle, y), (box.middle, box.y + box.height)]
        track = wire.tracks[0].x
        points = [(x, chip.y + chip.height), (x, y), (track, y), (track, wire.ports[0]), (box.x, wire.ports[0])]
        return points if chip is a else points[::-1]

    def _label(self, drawn: Iterable[tuple[_Wire, list[tuple[float, float]]]]) -> None:
        """Put each label on its own track, as near to its middle as no other line crosses."""
        wires = list(drawn)
        across = [
            (wire, min(x0, x1), max(x0, x1), y0)
            for wire, points in wires
            for (x0, y0), (x1, y1) in zip(points, points[1:], strict=False)
            if y0 == y1 and x0 != x1
        ]
        for wire, points in wires:
            width = _LABEL * len(wire.link.label) + 8
            if not wire.tracks:
                self.layout.routes.append(Route(wire.link, points, (points[1][0], points[1][1]), width))
                continue
            track = max(wire.tracks, key=lambda track: (track.width, track.high - track.low))
            left, right = track.x - width / 2, track.x + width / 2
            others = [y for other, x0, x1, y in across if other is not wire and x0 < right and left < x1]
            if track.high - track.low > 40:  # then its own corners can be kept clear, too
                others += [y for other, x0, x1, y in across if other is wire and x0 < right and left < x1]
            middle = (track.low + track.high) / 2
            low, high = track.low + 8, track.high - 8
            places = sorted(
                (low + 3 * step for step in range(1 + max(0, int((high - low) // 3)))), key=lambda y: abs(y - middle)
            ) or [middle]
            best = min(places, key=lambda y: (sum(abs(y - other) < 9 for other in others), abs(y - middle)))
            self.layout.routes.append(Route(wire.link, points, (track.x, best), width))

    # Frames ---------------------------------------------------------------------------------------------------

    def _frames(self) -> None:
        layout = self.layout
        depth = 1 + max((frame.depth for frame in self.scene.frames), default=-1)
        top = self.header + depth * (_HEADER + 4)
        for number in range(len(self.scene.columns)):
            x, end = self.column_x[number], self.column_end[number]
            layout.lanes.append((x - 7, top, end - x + 14, self.bottom - top - 2))
            layout.names.append((x, top + 17))
        for frame in self.scene.frames:
            # frames inside it that begin or end at the same columns take their part of the room
            left = sum(f.first == frame.first and f.depth > frame.depth for f in self.scene.frames)
            right = sum(f.last == frame.last and f.depth > frame.depth for f in self.scene.frames)
            x = self.column_x[frame.first] - 7 - _FRAME * (left + 0.4)
            end = self.column_end[frame.last] + 7 + _FRAME * (right + 0.4)
            y = self.header + frame.depth * (_HEADER + 4)
            layout.frames.append((x, y, end - x, self.bottom - y + 5 * (depth - frame.depth)))
        if self.scene.frames:
            layout.height += 5 * depth + 4
