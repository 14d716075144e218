"""The command line: parses options, calls the Python interface, prints."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from typing import NoReturn

__all__ = ["main"]

_YOUNG = 500_000
"""Objects after which Python looks for garbage: numba's import makes very many, and nearly all of them stay."""


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the command line and exit.

    Parameters
    ----------
    arguments : list of str, optional
        Those of the process, if not given.

    Raises
    ------
    SystemExit
        With the exit code: 0 all as expected, 1 some verdict differs, 2 bad usage or bad input, 3 a limit was
        reached, 130 interrupted, 141 the reader of the output went away.
    """
    gc.set_threshold(_YOUNG)
    atexit.register(gc.freeze)  # what is there at the end goes with the process: to look for garbage takes long
    # numpy starts a thread a processor for linear algebra, and each spins for a while: there is none to do here.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        from enumerator.cli.app import app  # here, so that Ctrl-C is quiet from the beginning

        if "_ENUMERATOR_COMPLETE" in os.environ:  # a shell asks, by what the command completion gave it
            from typer.completion import completion_init  # type: ignore[attr-defined]

            completion_init()
        app(args=arguments, prog_name="enumerator")
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    except OSError as error:  # commands tell of their own: this is help that could not be written
        print(f"enumerator: {error.strerror}", file=sys.stderr)
        raise SystemExit(2) from None
    raise SystemExit(0)
