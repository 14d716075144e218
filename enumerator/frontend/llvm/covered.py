"""What of a function comes before instructions that are not covered: they end what is run, and so what is looked at.

Of C++ these are the landing pads of programs that catch nothing, with all that cleans up behind them.
"""

from __future__ import annotations

from dataclasses import replace

from enumerator.program.instructions import Block, Function, Phi, Unreachable, Unsupported, targets_of

__all__ = ["without_rest"]


def without_rest(function: Function) -> Function:
    """Leave out what only instructions lead to that are not covered.

    Parameters
    ----------
    function : Function

    Returns
    -------
    Function
        The same one where all is covered.
    """
    if not any(map(_ends, function.instructions)):
        return function
    blocks = {block.name: _cut(block) for block in function.blocks}
    first = function.blocks[0].name
    reached, stack = {first}, [first]
    while stack:
        new = set(targets_of(blocks[stack.pop()].terminator)) - reached
        reached |= new
        stack += new
    before: dict[str, set[str]] = {name: set() for name in reached}
    for name in reached:
        for target in targets_of(blocks[name].terminator):
            before[target].add(name)
    kept = [
        replace(block, phis=tuple(_only(phi, before[block.name]) for phi in block.phis))
        for block in blocks.values()
        if block.name in reached
    ]
    return replace(function, blocks=tuple(kept))


def _ends(part: object) -> bool:
    """Tell whether an instruction is not covered, in whichever thread it is."""
    return isinstance(part, Unsupported) and not part.unless


def _cut(block: Block) -> Block:
    """Leave out what follows an instruction that is not covered."""
    for place, part in enumerate(block.body):
        if _ends(part):
            return replace(block, body=block.body[: place + 1], terminator=Unreachable())
    return block


def _only(phi: Phi, before: set[str]) -> Phi:
    """Leave out what blocks give that do not lead there any more."""
    return replace(phi, incoming=tuple(each for each in phi.incoming if each[0] in before))
