"""What is run: one mutated file or argument and a command on it, or a mutated test for the engines to agree on."""

from __future__ import annotations

import shlex
from dataclasses import dataclass

__all__ = ["Case", "Finding"]


@dataclass(frozen=True)
class Case:
    """An input of the campaign.

    Parameters
    ----------
    number : int
        With the campaign's seed it determines all else.
    kind : str
        What is mutated.
    arguments : tuple of str
        Those of ``enumerator``; of cases for the engines, the model and its options.
    files : tuple of (str, bytes)
        Written to the current folder; the first is the mutated one.
    engines : bool
        Whether engines are compared, not a command run.
    """

    number: int
    kind: str
    arguments: tuple[str, ...]
    files: tuple[tuple[str, bytes], ...] = ()
    engines: bool = False

    @property
    def command(self) -> str:
        return self.arguments[0] if not self.engines else "engines"

    def shell(self) -> str:
        """The command line, from a folder that has the files."""
        program = ["python", "-m", "tests.fuzz.comparing"] if self.engines else ["enumerator"]
        return shlex.join([*program, *self.arguments])


@dataclass(frozen=True)
class Finding:
    """Something that must not happen.

    Parameters
    ----------
    signature : str
        Says what happened and where; alike findings have the same one.
    details : str
        For whoever reads the report.
    """

    signature: str
    details: str = ""
