"""Lines of a source: numbers, some of which also know from where the code that stands there was called."""

from __future__ import annotations

from typing import Self

__all__ = ["InlinedLine", "line_text"]


class InlinedLine(int):
    """A line of a function of which a compiler has made several copies, one a call: its number, and whose copy it is.

    Attributes
    ----------
    called_from : tuple of int
        The lines of the calls, innermost first.

    Examples
    --------
    >>> line = InlinedLine.of(9, (15,))
    >>> line == 9, line.called_from, line_text(line), line_text(9)
    (True, (15,), '9, called from line 15', '9')
    """

    called_from: tuple[int, ...] = ()

    @classmethod
    def of(cls, line: int, called_from: tuple[int, ...]) -> Self:
        """Make one.

        Parameters
        ----------
        line : int
        called_from : tuple of int
        """
        made = cls(line)
        made.called_from = called_from
        return made


def line_text(line: int) -> str:
    """Write the number of a line, with the calls that tell copies of it apart."""
    calls = line.called_from if isinstance(line, InlinedLine) else ()
    return ", called from ".join((str(int(line)), *(f"line {each}" for each in calls)))
