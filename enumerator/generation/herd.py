"""What litmus tests in herd7's manner have in common: the header with its comment, and the condition."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

__all__ = ["condition_line", "header_lines"]


def header_lines(
    language: str, name: str, title: str, remarks: Sequence[str], expectations: Iterable[str]
) -> list[str]:
    """Write the header of a test, and a comment with its title, remarks and expectations.

    Examples
    --------
    >>> header_lines("C", "MP", "Message passing", (), ["rc11=Never"])
    ['C MP', '(* Message passing', '   EXPECT: rc11=Never *)']
    """
    comment = [title or name, *remarks, *(f"EXPECT: {expectation}" for expectation in expectations)]
    rows = [" ".join(line.split()).replace("*)", "* )") for line in comment]
    rows = [f"{'   ' if number else '(* '}{row}" for number, row in enumerate(rows)]
    return [f"{language} {name}", *rows[:-1], f"{rows[-1]} *)"]


def condition_line(sides: Sequence[str]) -> str:
    r"""Write a condition.

    Examples
    --------
    >>> condition_line(["0:r0 = 1", "x = 2"])
    'exists (0:r0 = 1 /\\ x = 2)'
    """
    return f"exists ({_AND.join(sides) or 'true'})"


_AND = " /\\ "
