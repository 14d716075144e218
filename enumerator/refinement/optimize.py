"""Is LLVM's optimizer right? What it makes of a test must refine the test (semantics, section 7)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, Unpack

from enumerator.asking import select_model, select_profile
from enumerator.cat.selected import SelectedModel
from enumerator.clock import check_time, now, time_limit
from enumerator.conditions import names
from enumerator.errors import InputError, LimitReached
from enumerator.frontend.again import load_again
from enumerator.frozen import dataclass
from enumerator.options import Keywords, Options
from enumerator.program.test import Test
from enumerator.refinement.correspondence import has_location
from enumerator.refinement.instrument import Instrumented, instrument
from enumerator.refinement.llvm import LEVELS, optimized, pass_names
from enumerator.refinement.refine import Refinement, refines

__all__ = ["Optimization", "Optimizer", "optimize"]

_NOT_FOR_THREADS = frozenset({"lower-atomic"})
"""Passes that nobody would blame: they are for programs of one thread."""

MOST_REDUCTIONS = 200
"""Programs that reducing a test tries at most."""


@dataclass(frozen=True)
class Optimizer:
    """What optimizes.

    Parameters
    ----------
    level : {'O1', 'O2', 'O3', 'Os'}
        The pipeline of LLVM.
    passes : sequence of str
        These passes instead.
    command : str, optional
        A program that reads IR and writes IR, instead of the LLVM of llvmlite.
    cpu : str, optional
        The AMDGPU processor to optimize for.

    Examples
    --------
    >>> str(Optimizer()), str(Optimizer(passes=("dse", "newgvn"), cpu="gfx942"))
    ('O2', 'dse,newgvn for gfx942')
    """

    level: str = "O2"
    passes: Sequence[str] = ()
    command: str | None = None
    cpu: str | None = None

    def __call__(self, text: str, path: str) -> str:
        """Optimize a module; see :func:`enumerator.refinement.llvm.optimized`."""
        if self.level == "Os" and not self.passes and self.command is None and "optnone" not in text:
            # What makes the pipeline one for size is, beside its thresholds, this attribute of functions.
            text = re.sub(r"(?m)^define\b[^\n]*$", lambda match: _for_size(match[0]), text)
        level = "O2" if self.level == "Os" else self.level
        return optimized(text, path, level=level, passes=self.passes, cpu=self.cpu, command=self.command)

    def __str__(self) -> str:
        what = self.command if self.command is not None else ",".join(self.passes) or self.level
        return what + (f" for {self.cpu}" if self.cpu else "")


@dataclass(frozen=True)
class Optimization:
    """What an optimizer makes of a test, and whether that refines it.

    Parameters
    ----------
    path : str
        Of the test.
    optimizer : Optimizer
    changed : bool
        The optimizer changed something in a function that a thread runs.
    refinement : Refinement or None
        None for an error.
    after : str
        What the optimizer made of it.
    passes : tuple of str
        If it is wrong: the passes that are wrong by themselves.
    reduced : str
        If it is wrong: the smallest program found on which it is.
    error : str or None
        Why it cannot be asked: what the optimizer made is not covered, say.
    seconds : float
    skipped : bool
        There is nothing to ask of such a test, for the reason that `error` gives.
    removed : tuple of str
        What is not compared though the test asks for it: it is in globals that the optimizer removed.
    """

    path: str
    optimizer: Optimizer
    changed: bool = False
    refinement: Refinement | None = None
    after: str = ""
    passes: tuple[str, ...] = ()
    reduced: str = ""
    error: str | None = None
    seconds: float = 0.0
    skipped: bool = False
    removed: tuple[str, ...] = ()

    @property
    def refines(self) -> bool | None:
        """Whether the result refines the test; None where that is unknown, or for an error."""
        return self.refinement.refines if self.refinement is not None else None

    def as_json(self) -> dict[str, Any]:
        """Give the answer as JSON holds it."""
        found = self.refinement
        nothing = Refinement(self.path, "", "", "", None, contexts=0, status="error")
        record: dict[str, Any] = (found if found is not None else nothing).as_json()
        record |= {"source": self.path, "target": f"{self.path} after {self.optimizer}"}
        record |= {"optimizer": str(self.optimizer), "changed": self.changed, "seconds": round(self.seconds, 6)}
        if self.error is not None:
            record |= {"status": "skipped" if self.skipped else "error", "error": self.error}
        if self.refines is False:
            record |= {"passes": list(self.passes), "reduced": self.reduced, "after": self.after}
        return record


def optimize(
    test: Test,
    optimizer: Optimizer | None = None,
    model: str | SelectedModel | None = None,
    *,
    contexts: int | None = None,
    reduce: bool = True,
    options: Options | None = None,
    **fields: Unpack[Keywords],
) -> Optimization:
    """Optimize a test, and tell whether the result refines it: next to its own threads, and in contexts.

    The registers that the test observes are stored to globals that nobody else touches, so that the optimizer cannot
    lose them, and that a value which it derives otherwise is compared all the same.

    Parameters
    ----------
    test : Test
        Read from LLVM IR.
    optimizer : Optimizer, optional
        Default: ``O2`` of the LLVM that llvmlite has.
    model : str or SelectedModel, optional
        As for :func:`enumerator.check`.
    contexts : int, optional
        Ask it, too, of each function that was changed, in all contexts of so many operations.
    reduce : bool
        If the result does not refine the test, find out which pass by itself is wrong, and on how small a program.
    options : Options, optional
        The time limit holds for the whole answer.
    **fields
        Fields of :class:`~enumerator.options.Options`.

    Returns
    -------
    Optimization

    Raises
    ------
    InputError
        If the test cannot be optimized, or what became of it is not covered.

    See Also
    --------
    enumerator.refinement.refine.refines

    Examples
    --------
    >>> text = "@x = global i32 0\\ndefine i32 @t() {\\n  %r = add i32 1, 1\\n  ret i32 %r\\n}"
    >>> from enumerator.frontend import load_text
    >>> found = optimize(load_text(text, "t.ll"), Optimizer(passes=["instcombine"]))
    >>> found.changed, found.refines
    (True, True)
    """
    options = replace(options or Options(), **fields)
    optimizer = optimizer or Optimizer()
    begun = now()
    asked = _Question(optimizer, model, contexts, replace(options, timeout=None))
    try:
        with time_limit(options.timeout):
            before = instrument(test)
            found = asked.ask(before, test.path)
            if found.refines is False and reduce:
                found = asked.reduced(found, before, test.path)
    except LimitReached as limit:
        unknown = Refinement(test.path, "", str(model), test.profile, None, contexts=0, status=limit.status)
        found = Optimization(test.path, optimizer, refinement=unknown)
    return replace(found, seconds=now() - begun, removed=_asked_for(test, found.removed))


@dataclass
class _Question:
    optimizer: Optimizer
    model: str | SelectedModel | None
    contexts: int | None
    options: Options

    def ask(self, before: Instrumented, path: str, *, explain: bool = True) -> Optimization:
        """Optimize a test, and compare."""
        made = self.optimizer(before.text, path)
        # What is observed is the source's to say: the optimizer may have removed or split a global.
        directives = re.sub(r"(?m)^; OBSERVE:.*$", ";", before.directives)
        after = self._read(before.test, directives, _without_comments(made))
        before, gone = _without_gone(before, after)
        changed = _changed(before.test, after)
        notes = tuple(f"{name} is not observed: it is a register of an inlined call" for name in before.lost)
        notes += tuple(f"{name} is not compared: the optimizer removed it" for name in gone)
        found = Optimization(path, self.optimizer, bool(changed), after=after.source, removed=gone)
        if not changed:
            model = select_model(before.test, self.model, self.options)
            profile = select_profile(before.test, self.options.profile, model)
            same = Refinement(path, path, model.name, profile.name, True, contexts=0)
            return replace(found, refinement=replace(same, notes=("nothing that a thread runs has changed", *notes)))
        answer = refines(before.test, after, self.model, options=self.options, explain=explain)
        tried = answer.contexts
        for thread in changed if self.contexts is not None and answer.refines is not False else ():
            pair = [_alone(each, thread, before) for each in (before.test, after)]
            # Nobody but the thread touches the globals that its registers are stored to.
            inside = refines(
                pair[0],
                pair[1],
                self.model,
                contexts=self.contexts,
                options=self.options,
                explain=explain,
                untouched=before.stored,
            )
            tried += inside.contexts
            if inside.refines is not True:
                answer = inside
            if inside.refines is False:
                break
        return replace(found, refinement=replace(answer, contexts=tried, notes=(*answer.notes, *notes)))

    def _read(self, test: Test, directives: str, made: str) -> Test:
        """Read what the optimizer made; a place in that is none of the file that was given."""
        try:
            return load_again(test, f"{directives}\n{made}")
        except InputError as error:
            error.message = f"what {self.optimizer} makes of it: {error.message}"
            if re.search(r"^define\b", made, re.MULTILINE) is None:
                error.message = f"{self.optimizer} leaves no function of it" + ("" if made.strip() else ": it is empty")
            error.line = error.column = None
            raise

    def reduced(self, found: Optimization, before: Instrumented, path: str) -> Optimization:
        """Find out which passes are wrong by themselves, and a small program on which the optimizer is."""
        wrong = []
        if self.optimizer.command is None and not self.optimizer.passes:
            for name in pass_names():
                if name in _NOT_FOR_THREADS:
                    continue
                check_time()
                alone = replace(self, optimizer=replace(self.optimizer, passes=(name,)))
                if alone.wrong(before, path):
                    wrong.append(name)
        text = before.text
        for _ in range(MOST_REDUCTIONS):
            smaller = next(filter(self._still_wrong(before, path), _smaller(text)), None)
            if smaller is None:
                break
            text = smaller
        if text != before.text:
            last = self.ask(self._again(text, before), path)
            found = replace(found, refinement=last.refinement, after=last.after)
        return replace(found, passes=tuple(wrong), reduced=text)

    def _still_wrong(self, before: Instrumented, path: str) -> Callable[[str], bool]:
        def wrong(text: str) -> bool:
            check_time()
            try:
                return self.wrong(self._again(text, before), path)
            except InputError:
                return False

        return wrong

    @staticmethod
    def _again(text: str, before: Instrumented) -> Instrumented:
        return replace(before, test=load_again(before.test, text), text=text)

    def wrong(self, before: Instrumented, path: str) -> bool:
        """Tell whether the optimizer is wrong about a program."""
        try:
            return self.ask(before, path, explain=False).refines is False
        except InputError:
            return False


def _without_gone(before: Instrumented, after: Test) -> tuple[Instrumented, tuple[str, ...]]:
    """Observe no global that the optimizer removed; name those that were to be observed."""
    observed = before.test.observed
    gone = tuple(
        name.text for name in observed or () if name.text.startswith("@") and not has_location(after, name.text)
    )
    if observed is None or not gone:
        return before, ()
    kept = tuple(name for name in observed if name.text not in gone)
    return replace(before, test=replace(before.test, observed=kept)), gone


def _asked_for(test: Test, gone: tuple[str, ...]) -> tuple[str, ...]:
    """Name what a test asks for, by OBSERVE or else by its condition, that is in one of some globals."""
    asked = names(test.condition.formula) if test.observed is None else [name.text for name in test.observed]
    return tuple(name for name in asked if name in gone or name.partition("[")[0] in gone)


def _alone(test: Test, thread: str, before: Instrumented) -> Test:
    """Give a test with one of its threads."""
    observed = None
    if test.observed is not None:
        mine = {memory for memory, register in before.stored.items() if register.startswith(f"{thread}:")}
        observed = tuple(
            name
            for name in test.observed
            if name.text in mine
            or (name.text.startswith("@") and name.text not in before.stored)
            or name.text.startswith(f"{thread}:")
        )
    return replace(
        test,
        threads=tuple(each for each in test.threads if each.name == thread),
        placements={thread: test.placements[thread]},
        observed=observed,
    )


def _for_size(line: str) -> str:
    """Give the head of a function the attribute ``optsize``, behind its parameters and before what is no attribute."""
    depth, start = 0, re.match(r'define\b[^(]*@(?:"[^"]*"|[-\w.$]+)', line)
    for place in range(start.end() if start is not None else len(line), len(line)):
        depth += (line[place] == "(") - (line[place] == ")")
        if depth == 0:
            after = re.search(r"\s(?:section|partition|comdat|align|gc|prefix|prologue|personality|!|\{)", line[place:])
            return line if after is None else f"{line[: place + after.start()]} optsize{line[place + after.start() :]}"
    return line


def _without_comments(text: str) -> str:
    """Leave out the comments that LLVM writes: they are no directives."""
    return "\n".join(line for line in text.splitlines() if not line.lstrip().startswith(";"))


def _changed(before: Test, after: Test) -> tuple[str, ...]:
    """Name the threads whose code is not the same."""
    functions = {each.name: each.function for each in after.threads}
    found = []
    for thread in before.threads:
        names = [thread.function, *before.functions]
        same = functions.get(thread.name) == thread.function and all(
            _plain(before.functions[name]) == _plain(after.functions.get(name)) for name in names
        )
        if not same:
            found.append(thread.name)
    return tuple(found)


def _plain(part: object) -> object:
    """Give a program without the lines that it stands at."""
    if isinstance(part, tuple):
        return tuple(map(_plain, part))
    if is_dataclass(part):
        inner = ((each.name, _plain(getattr(part, each.name))) for each in fields(part) if each.name != "line")
        return (type(part).__name__, *inner)
    return part


def _smaller(text: str) -> Iterator[str]:
    """Give the programs that lack one instruction: what no other one uses, so that LLVM still reads it."""
    lines = text.splitlines()
    inside = False
    for number, line in enumerate(lines):
        if line.startswith("define"):
            inside = True
            continue
        inside = inside and not line.startswith("}")
        code = line.strip()
        if not inside or not code or code.startswith(";") or code.endswith(":"):
            continue
        if re.match(r"(ret|br|switch|unreachable)\b", code):
            continue
        target = re.match(r'(%(?:"[^"]*"|[-a-zA-Z$._0-9]+))\s*=', code)
        rest = "\n".join([*lines[:number], *lines[number + 1 :]])
        if target is None or not re.search(re.escape(target[1]) + r"(?![-a-zA-Z$._0-9])", rest):
            yield rest + "\n"


def check_level(level: str) -> str:
    """Refuse a level that there is not.

    Examples
    --------
    >>> check_level("O3")
    'O3'
    """
    if level not in (*LEVELS, "Os"):
        raise InputError(f"expected {', '.join((*LEVELS, 'Os'))}, not {level}", "--level")
    return level
