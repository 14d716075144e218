"""Checking a stream of tests that a program makes or reads: no files, one process, one result at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Unpack

from enumerator.api import check
from enumerator.asking import select_model
from enumerator.corpus.tasks import failure
from enumerator.errors import InputError, message_of
from enumerator.options import Keywords, Options
from enumerator.program.test import Test
from enumerator.results.result import Result

if TYPE_CHECKING:
    from enumerator.cat.selected import SelectedModel

__all__ = ["check_all"]


def check_all(
    tests: Iterable[Test],
    model: str | SelectedModel | None = None,
    *,
    options: Options | None = None,
    **fields: Unpack[Keywords],
) -> Iterator[Result]:
    """Check tests one after the other, each when its result is asked for.

    What tests have in common is kept from one to the next, within bounds, and nothing else: memory does not grow with
    the number of tests.

    Parameters
    ----------
    tests : iterable of Test
        Without end, if need be.
    model, options, **fields
        As for :func:`enumerator.check`.

    Yields
    ------
    Result
        In the order of the tests. A test that cannot be checked has one with the status ``error``, and the next ones
        go on. Results do not hold their tests, unless `executions` is asked for.

    Raises
    ------
    InputError
        With the first result, if there is no such model or option.
    Interrupted
        At Ctrl-C.

    See Also
    --------
    enumerator.check : One test.
    enumerator.corpus.batch.run_batch : Files, in several processes.

    Examples
    --------
    >>> from enumerator import check_all, load
    >>> text = "@x = global i32 0 define void @t() { store i32 1, ptr @x ret void }"
    >>> tests = (load(f"; NEVER: @x = {value}\\n{text}") for value in (0, 1, 2))
    >>> [result.verdict for result in check_all(tests, "llvm")]
    ['Ok', 'No', 'Ok']
    """
    asked = replace(options or Options(), **fields)
    plain = replace(asked, hb=None, thin_air=None, variants=())  # a model that is selected has its variants
    selected: dict[str, SelectedModel] = {}
    for test in tests:
        language = test.format if model is None else ""
        if language not in selected:
            selected[language] = select_model(test, model, asked)
        try:
            result = check(test, selected[language], options=plain)
        except InputError as error:
            yield failure(test.path, message_of(error), test.name)
            continue
        yield result if asked.executions else result.without_question()
