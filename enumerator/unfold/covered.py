"""What of a test comes before instructions that are not covered: they end what is run, and so what is looked at.

Of C++ these are the landing pads of programs that catch nothing, with all that cleans up behind them: nothing is known
of what registers hold there, so that each store was one to any object that threads might still make.
"""

from __future__ import annotations

from dataclasses import replace
from operator import is_

from enumerator.program.instructions import Block, Function, Phi, Unreachable, Unsupported, targets_of
from enumerator.program.test import Test

__all__ = ["covered"]

_Functions = tuple[Function, ...]
_LAST: list[tuple[_Functions, _Functions]] = []
"""What was left of functions last: threads are sought in a program before it is checked; much is known of the same."""


def covered(test: Test) -> Test:
    """Leave out what only instructions lead to that are not covered.

    Parameters
    ----------
    test : Test

    Returns
    -------
    Test
        The test itself where all is covered. A thread that comes to what is not covered is an error in both.
    """
    functions = tuple(test.functions.values())
    if not _LAST or len(_LAST[0][0]) != len(functions) or not all(map(is_, _LAST[0][0], functions)):
        _LAST[:] = [(functions, tuple(map(_cut, functions)))]
    found = _LAST[0][1]
    if all(map(is_, functions, found)):
        return test
    return replace(test, functions=dict(zip(test.functions, found, strict=True)))


def _cut(function: Function) -> Function:
    """Leave out what only instructions of a function lead to that are not covered."""
    blocks = {block.name: _ended(block) for block in function.blocks}
    if all(blocks[block.name] is block for block in function.blocks):
        return function
    first = function.blocks[0].name
    before: dict[str, set[str]] = {first: set()}
    stack = [first]
    while stack:
        name = stack.pop()
        for target in targets_of(blocks[name].terminator):
            if target not in before:
                before[target] = set()
                stack.append(target)
            before[target].add(name)
    kept = [block for name, block in blocks.items() if name in before]
    kept = [replace(each, phis=tuple(_only(phi, before[each.name]) for phi in each.phis)) for each in kept]
    return replace(function, blocks=tuple(kept))


def _ends(part: object) -> bool:
    """Tell whether an instruction is not covered, in whichever thread it is."""
    return isinstance(part, Unsupported) and not part.unless


def _ended(block: Block) -> Block:
    """Leave out what follows an instruction that is not covered."""
    for place, part in enumerate(block.body):
        if _ends(part) and (block.body[place + 1 :] or not isinstance(block.terminator, Unreachable)):
            return replace(block, body=block.body[: place + 1], terminator=Unreachable())
    return block


def _only(phi: Phi, before: set[str]) -> Phi:
    """Leave out what blocks give that do not lead there any more."""
    return replace(phi, incoming=tuple(each for each in phi.incoming if each[0] in before))
