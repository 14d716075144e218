"""What machines that help do: they check tests that came as text, and ask for files that they do not have.

A message is JSON. Tests are checked in a process of their own, so that one that brings it down costs nothing else.
"""

from __future__ import annotations

import importlib
import json
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, fields, replace
from typing import Any

from enumerator import cache
from enumerator.corpus.encoding import encode
from enumerator.corpus.keys import Needs, program_version
from enumerator.corpus.pool import Lost, Pool, Waiting
from enumerator.corpus.tasks import Answer, Models, Task, check_keyed
from enumerator.files import Given, Question, Unanswered, given
from enumerator.frozen import dataclass
from enumerator.options import BatchOptions

__all__ = ["GivenTask", "ask_for", "check_chunk", "check_given", "read_options", "written_options"]

_ATTEMPTS = 2
"""Processes that a test may cost."""

_SLOW = 10.0
"""Seconds after which a test is put off that others of its chunk wait with: it becomes a chunk of its own."""


@dataclass(frozen=True, eq=False)
class GivenTask:
    """A test that came as text, with what is known of the files that it names.

    Parameters
    ----------
    task : Task
    answers : dict
        See :class:`enumerator.files.Given`.
    folder : str
        Where the machine that asks works.
    """

    task: Task
    answers: Mapping[Question, object]
    folder: str

    def __str__(self) -> str:
        return self.task.path


_waiting = Waiting[GivenTask]()


def check_given(task: GivenTask, options: BatchOptions, models: Models) -> Iterator[Answer | Question]:
    """Check a test that came as text; where a file is needed that is not there, give the question about it.

    Parameters
    ----------
    task : GivenTask
    options : BatchOptions
    models : Models

    Yields
    ------
    Answer or tuple of str
        Results only as they are written.
    """
    here = cache.folder("elsewhere")
    if here is not None:
        os.chdir(here)  # a path below it is one of the other machine's folder
    try:
        with given(Given(task.answers, elsewhere=task.folder)):
            for answer in check_keyed(task.task, options, models):
                record = answer.record.replace(json.dumps(f"{here}/")[1:-1], json.dumps(f"{task.folder}/")[1:-1])
                yield replace(answer, result=None, record=record)
    except Unanswered as missing:
        yield missing.question


def check_chunk(message: str) -> str:
    """Check some tests: what a scheduler calls on the machines that help.

    Parameters
    ----------
    message : str
        JSON: ``version`` of the program; ``batch``, another one for each; ``options``; ``folder``; ``answers``, pairs
        of questions and answers that hold for all tests; ``tests``, each with ``path``, ``number``, ``key``, ``known``
        and ``text`` (null where the machine that asks cannot read it); ``work``, the function that checks one.

    Returns
    -------
    str
        JSON: ``version``, where it is another one; else ``tests``, each with ``number`` and either ``answers`` or
        ``asks``, a question about a file, or ``slow``: it is to be sent alone; and ``seconds``.
    """
    begun = time.monotonic()
    asked = json.loads(message)
    if asked["version"] != program_version():
        return json.dumps({"version": program_version()})
    options = read_options(asked["options"])
    common = {tuple(question): answer for question, answer in asked["answers"]}
    tasks = [_task(each, common, asked["folder"]) for each in asked["tests"]]
    found: dict[int, dict[str, Any]] = {task.task.number: {"number": task.task.number, "answers": []} for task in tasks}
    module, _, name = asked["work"].partition(":")
    work = getattr(importlib.import_module(module), name)
    with _waiting.pool(asked["batch"], lambda: Pool(options, 1, work, attempts=_ATTEMPTS, stays=True)) as pool:
        pool.lingers = _SLOW if len(tasks) > 1 else None
        for task, each in pool.run(tasks, len(tasks)):
            entry = found[task.task.number]
            match each:
                case Lost(status="slow"):
                    entry["slow"] = True
                case Lost():
                    entry["answers"].append(_written(Answer("", Needs(), each.result())))
                case Answer():
                    entry["answers"].append(_written(each))
                case tuple():
                    entry["asks"] = each
    return json.dumps({"tests": list(found.values()), "seconds": time.monotonic() - begun})


def _task(written: Mapping[str, Any], common: Mapping[Question, object], folder: str) -> GivenTask:
    task = Task(written["path"], written["number"], written["key"], frozenset(written["known"]))
    answers: dict[Question, object] = dict(common)
    if written["text"] is not None:
        answers["text", task.path] = written["text"]
    return GivenTask(task, answers, folder)


def _written(answer: Answer) -> dict[str, Any]:
    record, more = encode(answer.result) if answer.result is not None else (answer.record, answer.more)
    return {"key": answer.key, "needs": asdict(answer.needs), "record": record, "more": more}


def written_options(options: BatchOptions) -> dict[str, Any]:
    """Give options as JSON holds them.

    Parameters
    ----------
    options : BatchOptions

    Returns
    -------
    dict

    Examples
    --------
    >>> read_options(written_options(BatchOptions(timeout=1.0, models=("llvm",)))).models
    ('llvm',)
    """
    return {field.name: getattr(options, field.name) for field in fields(options)}


def read_options(written: Mapping[str, Any]) -> BatchOptions:
    """Read what :func:`written_options` gives."""
    chosen: dict[str, Any] = {name: tuple(v) if isinstance(v, list) else v for name, v in written.items()}
    return BatchOptions(**chosen)


def ask_for(question: Sequence[str]) -> object:
    """Answer a question about a file, on the machine that has it.

    Parameters
    ----------
    question : sequence of str
        See :data:`enumerator.files.Question`.

    Returns
    -------
    object
        As JSON holds it: a text that cannot be read is a list of the message and where it is.

    Examples
    --------
    >>> ask_for(("obstacle", "/no/such"))
    'No such file or directory'
    """
    from pathlib import Path

    from enumerator.errors import InputError
    from enumerator.files import contained, obstacle, read_text
    from enumerator.frontend.compiled import Compiler, compile_source

    try:
        match tuple(question):
            case ("text", path, largest):
                return read_text(path, int(largest))
            case ("obstacle", path):
                return obstacle(path)
            case ("contained", path, *folders):
                return contained(Path(path), map(Path, folders))
            case ("compiled", path, clang, target, level):
                return compile_source(path, Compiler(clang or None, target or None, level))
    except InputError as error:
        return [error.message, error.path, error.line, error.column]
    raise ValueError(f"no question about a file: {question!r}")
