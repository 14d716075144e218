"""A program with context threads, as a test in memory: nothing is parsed for a context."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from enumerator.program.condition import Condition, Quantifier, TrueFormula
from enumerator.program.instructions import Assign, Block, Constant, Freeze, Function, Instruction, Return
from enumerator.program.test import Test, Thread
from enumerator.program.types import IntType
from enumerator.program.values import Term, Value
from enumerator.refinement.alphabet import Alphabet, instruction_of
from enumerator.refinement.contexts import Code, Context, Family

__all__ = ["CONTEXT", "freezes", "in_context", "in_contexts", "observed_of", "thread_names", "with_constants"]

CONTEXT = "context"
"""The register of a context thread that says which of its codes it runs."""

_EVERYTHING = Condition(Quantifier.EXISTS, TrueFormula(), "true")


def thread_names(tests: Iterable[Test]) -> tuple[str, str]:
    """Name two threads as none of the tests does.

    Examples
    --------
    >>> thread_names([])
    ('c0', 'c1')
    """
    taken = {name for test in tests for name in (*test.functions, *(thread.name for thread in test.threads))}
    taken |= {memory.name.removeprefix("@") for test in tests for memory in test.objects}
    prefix = "c"
    while {f"{prefix}0", f"{prefix}1"} & taken:
        prefix += "c"
    return f"{prefix}0", f"{prefix}1"


def observed_of(names: Sequence[str], context: Context) -> tuple[str, ...]:
    """Name what the threads of a context observe: what their loads and read-modify-writes read."""
    return tuple(
        f"{name}:%r{place}"
        for name, code in zip(names, context.threads, strict=False)
        for place, operation in enumerate(code)
        if operation.kind in ("load", "atomicrmw")
    )


def in_context(test: Test, context: Context, of: Alphabet, names: Sequence[str]) -> Test:
    """Put threads beside a program.

    Parameters
    ----------
    test : Test
    context : Context
    of : Alphabet
    names : sequence of str
        Of the threads.

    Returns
    -------
    Test
        Without condition and expectations.
    """
    family = Family(tuple((code,) for code in context.threads), context.places)
    return in_contexts(test, family, of, names, [range(1)] * len(context.threads))


def in_contexts(
    test: Test,
    family: Family,
    of: Alphabet,
    names: Sequence[str],
    chosen: Sequence[range],
    known: dict[object, Function] | None = None,
) -> Test:
    """Put threads beside a program, each of which runs any of some codes.

    Parameters
    ----------
    test : Test
    family : Family
    of : Alphabet
    names : sequence of str
    chosen : sequence of range
        For each thread, the numbers of its codes.
    known : dict, optional
        Functions that were made for this alphabet before.

    Returns
    -------
    Test
        The register ``context`` of a context thread holds the number of its code; ``r<place>`` is what the operation
        at that place reads.
    """
    functions, threads, placements = dict(test.functions), list(test.threads), dict(test.placements)
    for thread, numbers in enumerate(chosen):
        name = names[thread]
        made = []
        before = 0 if thread == 0 else len(family.codes[0][0])  # all of a family are of one length
        for number in numbers:
            code = family.codes[thread][number]
            key = name, code, number, before
            function = None if known is None else known.get(key)
            if function is None:
                function = _function(f"{name}.{number}", code, number, before, of)
                if known is not None:
                    known[key] = function
            functions[function.name] = function
            made.append(function.name)
        threads.append(Thread(name, made[0], alternatives=tuple(made)))
        placements[name] = family.places[thread]
    return replace(
        test,
        functions=functions,
        threads=tuple(threads),
        placements=placements,
        condition=_EVERYTHING,
        expectations=(),
        locations=(),
    )


def _function(name: str, code: Code, number: int, before: int, of: Alphabet) -> Function:
    """Make the function of a code; `before` operations of other threads come first where fresh values are counted."""
    # A term, and no number, which would be one of the constants that freeze is tried with.
    body: list[Instruction] = [Assign(CONTEXT, Constant(Term(str(number)), IntType(32)))]
    for place, operation in enumerate(code):
        instruction = instruction_of(operation, before + place, f"r{place}", of)
        if instruction is not None:
            body.append(instruction)
    return Function(name, (), (Block("0", (), tuple(body), Return()),))


def with_constants(test: Test, values: Iterable[Value]) -> Test:
    """Give a test that has more constants: values that ``freeze`` of undef is tried with, or that come out of thin air.

    Parameters
    ----------
    test : Test
    values : iterable of Value
        The constants of another test, which this one is compared with.

    Returns
    -------
    Test
        With a function more, which no thread runs.

    Examples
    --------
    >>> from enumerator.frontend import load_text
    >>> from enumerator.unfold.constants import constants
    >>> test = load_text("define void @t() {\\n  ret void\\n}", "t.ll")
    >>> constants(with_constants(test, [7]))
    (0, 1, 7)
    """
    body = tuple(
        Assign(f"c{place}", Constant(value, IntType(64)))
        for place, value in enumerate(values)
        if isinstance(value, int)
    )
    function = Function("%constants", (), (Block("0", (), body, Return()),))
    return replace(test, functions={**test.functions, function.name: function})


def freezes(test: Test) -> bool:
    """Tell whether a test has a ``freeze``: of undef, only some of the values that it may give are tried.

    Examples
    --------
    >>> from enumerator.frontend import load_text
    >>> freezes(load_text("define void @t() {\\n  %a = freeze i32 undef\\n  ret void\\n}", "t.ll"))
    True
    """
    return test.has(Freeze)
