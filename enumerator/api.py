"""The Python interface: load a test, check it under a model."""

from __future__ import annotations

import os
from dataclasses import replace
from os import PathLike, fspath
from typing import TYPE_CHECKING, Unpack

from enumerator.clock import now, time_limit
from enumerator.engines import search
from enumerator.errors import Interrupted, ReferenceEngineNeeded, Timeout
from enumerator.executions import Rerun
from enumerator.options import Keywords, Options
from enumerator.program.test import Test
from enumerator.results.result import Result

if TYPE_CHECKING:
    from enumerator.cat.selected import SelectedModel
    from enumerator.frontend.compiled import Compiler

__all__ = ["check", "load"]


def load(path: str | PathLike[str], compiler: Compiler | None = None, *, name: str = "test") -> Test:
    """Read a litmus test.

    Parameters
    ----------
    path : str or path-like
        A file, whose format follows from the extension or the first word; or the text of a test, if it has more than
        one line and is not the name of a file: a litmus test that begins with ``C`` or ``VULKAN`` and its name, or LLVM
        IR.
    compiler : Compiler, optional
        How a program in C, C++, OpenCL or HIP is compiled; default: ``clang -O1``.
    name : str
        Of a test that is given as text, if the text has none.

    Returns
    -------
    Test

    Raises
    ------
    InputError
        If the file cannot be read or is not a test.

    Examples
    --------
    >>> load('''
    ... @x = global i32 0
    ... define void @t() {
    ...   store i32 1, ptr @x
    ...   ret void
    ... }
    ... ''', name="one store").name
    'one store'
    """
    from enumerator.frontend import load as load_any
    from enumerator.frontend import load_any_text

    if isinstance(path, str) and "\n" in path and not os.path.lexists(path):
        return load_any_text(path, name)
    return load_any(fspath(path)) if compiler is None else load_any(fspath(path), compiler)


def check(
    test: Test, model: str | SelectedModel | None = None, *, options: Options | None = None, **fields: Unpack[Keywords]
) -> Result:
    """Check a test under a model.

    Parameters
    ----------
    test : Test
    model : str or SelectedModel, optional
        The name of a shipped model or the path of a ``.cat`` file, with variants after it (``llvm/direct``). Default:
        that of the test's format. A model that :func:`enumerator.cat.typing.select` gave has its variants already.
    options : Options, optional
        How the test is checked.
    **fields
        Fields of :class:`~enumerator.options.Options`, such as ``profile`` or ``timeout``, each in the place of that
        of `options`.

    Returns
    -------
    Result

    Raises
    ------
    InputError
        If the model, the profile or an option cannot be used, or a thread reaches what is not covered.
    Interrupted
        At Ctrl-C (it is a KeyboardInterrupt), with the result so far.

    See Also
    --------
    load : Reads a test.
    enumerator.corpus.batch.run_batch : Checks many files.

    Examples
    --------
    >>> from enumerator import check, load
    >>> result = check(load("mp.ll"), model="amdgpu", timeout=10)  # doctest: +SKIP
    >>> result.observation, result.flags  # doctest: +SKIP
    ('Sometimes', ('race',))
    """
    from enumerator.asking import make_request, select_model, select_profile, shown_names
    from enumerator.judging import result_of

    options = replace(options or Options(), **fields)
    begun = now()
    try:
        selected = select_model(test, model, options)
    except Timeout:
        return Result.late(test.name, test.path, "while the model was read", now() - begun, str(model or ""))
    profile = select_profile(test, options.profile, selected)
    engine, interrupted = options.engine, False
    with time_limit(options.timeout):
        shown = shown_names(test, options)
        request = make_request(test, selected, profile, options, shown)
        try:
            try:
                outcomes = search(request, engine)
            except ReferenceEngineNeeded as reason:
                engine = "networkx"
                outcomes = search(request, engine)
                outcomes = replace(outcomes, notes=(*outcomes.notes, f"checked by the reference engine: {reason}"))
        except Interrupted as stop:
            outcomes, interrupted = stop.partial, True
    result = result_of(request, shown, outcomes, Rerun(request, engine))
    result = replace(result, seconds=now() - begun)
    if interrupted:
        raise Interrupted(result)
    if options.executions:
        result.executions  # noqa: B018 - found now, kept with the result
    return result
