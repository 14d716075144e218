"""Bodies of functions as LLVM prints them: blocks and the text of each instruction."""

from __future__ import annotations

import re
from collections.abc import Iterator

from enumerator.frontend.llvm.source import PrintedBlock

__all__ = ["split_body"]

_LABEL = re.compile(r'("[^"]*"|[-\w$.]+):')


def split_body(lines: Iterator[str]) -> list[PrintedBlock]:
    """Take the lines of a function's body, up to the brace that closes it.

    Instructions are indented by two, what continues them by more, and debug records by four.

    Parameters
    ----------
    lines : iterator of str
        Stands behind the line that opens the body.

    Returns
    -------
    list of PrintedBlock

    Examples
    --------
    >>> split_body(iter(["  br label %a", "", "a:    ; preds = %0", "  ret void", "}"]))[1]
    PrintedBlock(label='a', instructions=['  ret void'])
    """
    blocks: list[PrintedBlock] = []
    label: str | None = None
    parts: list[list[str]] = []

    def finish() -> None:
        blocks.append(PrintedBlock(label, [" ".join(part) for part in parts]))

    for line in lines:
        if line == "}":
            break
        if not line or line[0] == ";" or line.startswith("    #dbg_"):
            continue
        if line[0] != " ":
            match = _LABEL.match(line)
            if match is not None:
                if parts or label is not None:
                    finish()
                label, parts = match[1], []
        elif line[2:3] in (" ", "]"):
            parts[-1].append(line.strip())
        else:
            parts.append([line])
    finish()
    return blocks
