"""Many tests optimized, over several processes."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from enumerator.clock import now, time_limit
from enumerator.discovery import find_tests
from enumerator.errors import InputError, LimitReached, message_of
from enumerator.frozen import dataclass
from enumerator.options import BatchOptions
from enumerator.refinement.instrument import NotOptimized
from enumerator.refinement.optimize import Optimization, Optimizer, optimize
from enumerator.refinement.refine import Refinement

__all__ = ["Asked", "optimize_all", "optimize_file"]


@dataclass(frozen=True)
class Asked:
    """What is asked of each test of a batch.

    Parameters
    ----------
    optimizer : Optimizer
    models : tuple of str
        Default: that of the format.
    contexts : int or None
    reduce : bool
    options : BatchOptions
    """

    optimizer: Optimizer
    models: tuple[str, ...] = ()
    contexts: int | None = None
    reduce: bool = True
    options: BatchOptions = BatchOptions()


def optimize_file(path: str, asked: Asked) -> tuple[Optimization, ...]:
    """Optimize the test of a file, under each model; what goes wrong is a result, too.

    Parameters
    ----------
    path : str
    asked : Asked

    Returns
    -------
    tuple of Optimization
    """
    from enumerator.api import load
    from enumerator.frontend import compiler_of

    found = []
    for model in asked.models or (None,):
        begun = now()
        try:
            with time_limit(asked.options.timeout):
                test = load(path, compiler_of(path, asked.options))
                found.append(
                    optimize(
                        test,
                        asked.optimizer,
                        model,
                        contexts=asked.contexts,
                        reduce=asked.reduce,
                        options=asked.options,
                    )
                )
        except LimitReached as limit:
            unknown = Refinement(path, "", model or "", "", None, contexts=0, status=limit.status)
            found.append(Optimization(path, asked.optimizer, refinement=unknown, seconds=now() - begun))
        except NotOptimized as reason:
            found.append(Optimization(path, asked.optimizer, error=reason.message, skipped=True))
        except Exception as error:  # noqa: BLE001 - a batch goes on whatever a file does
            told = message_of(error)
            if isinstance(error, InputError) and not error.path:
                told = f"{path}: {told}"
            found.append(Optimization(path, asked.optimizer, error=told, seconds=now() - begun))
    return tuple(found)


def optimize_all(
    paths: Sequence[str], asked: Asked, jobs: int = 1, advance: Callable[[], None] | None = None
) -> Iterator[Optimization]:
    """Optimize the tests of files and folders.

    Parameters
    ----------
    paths : sequence of str
    asked : Asked
    jobs : int
        Processes.
    advance : callable, optional
        Called after each file.

    Yields
    ------
    Optimization
        In the order of the files.

    Raises
    ------
    InputError
        If a path does not exist or a folder holds no tests.
    """
    files = find_tests(list(paths))
    ask = partial(optimize_file, asked=asked)
    if jobs < 2 or len(files) < 2:
        for path in files:
            yield from ask(path)
            if advance is not None:
                advance()
        return
    quiet = signal.signal, (signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that waits for these
    with multiprocessing.get_context("fork").Pool(min(jobs, len(files)), *quiet) as pool:
        for found in pool.imap(ask, files):
            yield from found
            if advance is not None:
                advance()
