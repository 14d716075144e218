"""Frozen dataclasses that are quick to make.

A frozen dataclass sets each of its fields by a call, which takes five times as long as an assignment; the events and
instructions of a small test have hundreds of fields. Here it is the type checker that sees to it that nobody changes
one: to it this is :func:`dataclasses.dataclass`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

__all__ = ["dataclass"]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:
    import dataclasses

    def dataclass(*, frozen: bool = False, eq: bool = True, **options: bool):
        """Make a dataclass, as :func:`dataclasses.dataclass` does; a frozen one has its hash and is not guarded.

        Parameters
        ----------
        frozen, eq, **options : bool

        Returns
        -------
        callable
            A decorator of classes.

        Examples
        --------
        >>> @dataclass(frozen=True)
        ... class Place:
        ...     line: int
        >>> {Place(1), Place(1)}
        {Place(line=1)}
        """
        return dataclasses.dataclass(eq=eq, unsafe_hash=frozen and eq, **options)
