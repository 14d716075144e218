"""Complete tests as text: a program with context threads, and a condition that asks for one outcome."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from enumerator.frontend.again import ir_of
from enumerator.frontend.directives import directive
from enumerator.frontend.llvm.source import scan
from enumerator.program.instructions import Scope
from enumerator.program.test import Test
from enumerator.program.values import Pointer, Term, Value, format_value
from enumerator.program.written import instruction_text
from enumerator.refinement.alphabet import Alphabet, instruction_of
from enumerator.refinement.contexts import Context
from enumerator.refinement.outcomes import Outcome
from enumerator.scopes import quoted_name, scope_tree_text

__all__ = [
    "condition_text",
    "context_lines",
    "test_text",
]

_ASKED = ("EXISTS", "FORALL", "NEVER", "EXPECT", "OBSERVE", "SCOPES", "PROFILE", "THREADS")


def test_text(
    test: Test,
    outcome: Outcome,
    profile: str,
    context: Context | None = None,
    of: Alphabet | None = None,
    names: Sequence[str] = (),
    *,
    title: str = "",
    expect: str = "",
) -> str:
    """Write a program with a context, and an outcome as its condition, as a test that ``run`` takes.

    Parameters
    ----------
    test : Test
        Read from LLVM IR, or compiled to it: its source is kept but for what directives ask.
    outcome : Outcome
    profile : str
        The target profile, by name or path.
    context : Context, optional
    of : Alphabet, optional
        Of the context.
    names : sequence of str
        Of the threads of the context.
    title : str
        The first line; default: the test's.
    expect : str
        An expectation.

    Returns
    -------
    str
    """
    context = context or Context()
    placements = dict(test.placements)
    placements.update(zip(names, context.places, strict=False))
    lines = [f"; {title or test.title or test.name}"]
    source = ir_of(test)
    comments = scan(source).comments
    launched = directive(comments, "LAUNCH")  # it says both threads and scopes
    if not launched and (test.scope_tree or _meets_below(test, context)):
        lines.append(f"; SCOPES: {scope_tree_text(placements)}")
    threads = directive(comments, "THREADS")
    if threads:
        more = [f"{name}=@{name}" for name, _ in zip(names, context.threads, strict=False)]
        lines.append(f"; THREADS: {' '.join([threads, *more])}")
    if profile != "generic":
        lines.append(f"; PROFILE: {profile}")
    lines.append(f"; EXISTS: {condition_text(outcome)}")
    if expect:
        lines.append(f"; EXPECT: {expect}")
    lines += _body(source, test.title)
    if of is not None:
        for name, body in _bodies(context, of, names):
            lines += ["", f"define void @{name}() {{", *(f"  {line}" for line in body), "  ret void", "}"]
    return "\n".join(lines) + "\n"


def context_lines(context: Context, of: Alphabet, names: Sequence[str]) -> tuple[str, ...]:
    """Write the threads of a context: an operation a line, after the name of its thread.

    Parameters
    ----------
    context : Context
    of : Alphabet
    names : sequence of str
        Of the threads.

    Returns
    -------
    tuple of str
    """
    return tuple(f"{name}: {line}" for name, body in _bodies(context, of, names) for line in body)


def _bodies(context: Context, of: Alphabet, names: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Give the operations of each thread of a context as LLVM IR."""
    number = 0
    for name, code in zip(names, context.threads, strict=False):
        body = []
        for place, operation in enumerate(code):
            instruction = instruction_of(operation, number, f"r{place}", of)
            number += 1
            if instruction is not None:
                body.append(instruction_text(instruction))
        yield name, body


def _meets_below(test: Test, context: Context) -> bool:
    """Tell whether some context thread shares less than the system with another thread."""
    every = [*test.placements.values(), *context.places]
    return any(
        one is not other and one.instance(scope) == other.instance(scope)
        for one in context.places
        for other in every
        for scope in Scope
        if scope != Scope.SYSTEM
    )


def _body(source: str, title: str) -> Iterator[str]:
    """Give the lines of a test without what its directives ask."""
    asked = {
        comment.line
        for comment in scan(source).comments
        if re.match(rf"({'|'.join(_ASKED)})\s*:", comment.text) or comment.text == title
    }
    for number, line in enumerate(source.splitlines(), 1):
        if number not in asked:
            yield line


# Places and conditions -----------------------------------------------------------------------------------------------


def condition_text(outcome: Outcome) -> str:
    r"""Write the condition that an outcome comes out.

    Examples
    --------
    >>> from enumerator.program.values import Undef
    >>> condition_text(Outcome({"t0:%r": 1, "t1:ret": Undef(), "@p": Pointer("@x", 4)}))
    't0:%r = 1 /\\ t1:ret = undef /\\ @p = &@x+4'
    """
    if outcome.flags:
        return " /\\ ".join(outcome.flags)
    atoms = []
    for name, value in outcome.values.items():
        written = _value(value)
        if written is not None:
            thread, colon, register = name.partition(":")
            atoms.append(f"{_name(thread, colon, register) if colon and name[0] != '@' else name} = {written}")
    return " /\\ ".join(atoms) or "true"


def _name(thread: str, colon: str, register: str) -> str:
    sigil = "%" if register.startswith("%") else ""
    return f"{quoted_name(thread)}{colon}{sigil}{quoted_name(register.removeprefix('%'))}"


def _value(value: Value) -> str | None:
    """Write a value as conditions do; None for one that they cannot name."""
    match value:
        case tuple():
            parts = [_value(part) for part in value]
            return None if None in parts else f"<{', '.join(part or '' for part in parts)}>"
        case Pointer(object=""):
            return "null" if value.offset == 0 else None
        case Pointer(object=name):
            return f"&{format_value(value)}" if name.startswith("@") else None
        case Term():
            text = format_value(value)
            return text if re.fullmatch(r"-?\d+\.\d*(e[+-]?\d+)?", text) else None
        case _:
            return format_value(value)
