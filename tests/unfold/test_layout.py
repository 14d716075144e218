"""How memory is divided where objects are taken to be accessed as others that are made at the same place."""

from __future__ import annotations

from enumerator.program.types import BytesType, IntType
from enumerator.unfold.layout import Layout
from enumerator.unfold.paths import Location

HALVES = ((0, 8), (8, 8))


def accessed(layout: Layout, name: str, *places: tuple[int, int]) -> None:
    for offset, size in places:
        layout.cells(Location(name, offset, size), IntType(64) if size == 8 else BytesType(size))


def guessing() -> Layout:
    """Begin anew where an object has been accessed as a whole and in halves: another one will be, it is taken."""
    layout = Layout(size=lambda name: 16)
    accessed(layout, "work.0:%m", *HALVES, (0, 16))
    return layout.of(layout)


def test_a_guess_that_divides_nothing_is_none() -> None:
    layout = guessing()
    accessed(layout, "work.1:%m", (0, 16), (8, 8))
    assert layout.guessed() == set()
    accessed(layout, "work.2:%m", (0, 16))
    assert {cell for cell in layout.guessed() if cell.object == "work.1:%m"} == set()


def test_a_guess_that_divides_is_told() -> None:
    layout = guessing()
    accessed(layout, "work.2:%m", (0, 16))
    assert layout.guessed() == {Location("work.2:%m", *half) for half in HALVES}
