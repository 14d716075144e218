"""Loops that a compiler has rotated, turned back: what is tested before the loop and at its end is in one place again.

From ``while (f(load(x))) body;`` a compiler makes ``if (f(load(x))) do body; while (f(load(x)));``. A thread that waits
in this loop reads once before it, and then at the end of each iteration. That these are evaluations of one condition
does not show, unless both go to one block that has the code which they have in common. So it is with the store by which
each attempt to enter begins.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import fields, replace
from typing import Any

from enumerator.frozen import dataclass
from enumerator.program.instructions import (
    Assign,
    Block,
    Branch,
    Call,
    CompareExchange,
    Constant,
    Expression,
    Function,
    Instruction,
    Jump,
    Operation,
    Phi,
    Read,
    Register,
    Store,
    Terminator,
    targets_of,
)
from enumerator.program.test import Test
from enumerator.program.types import PointerType
from enumerator.unfold.arithmetic import may_divide_by_zero
from enumerator.unfold.liveness import is_asked
from enumerator.unfold.loops import Loop, leads_back, loops_of
from enumerator.unfold.members import registers_in

__all__ = ["turned_back", "unrotated"]

_Entered = Mapping[str, tuple[Loop, ...]]
"""By block, the loops that it is a header of."""

_NOT_COMPARED = ("target", "line")


def unrotated(test: Test, asked: Set[str]) -> Test:
    """Turn the loops of a test back that a compiler has rotated.

    Parameters
    ----------
    test : Test
    asked : set of str
        The registers whose last values are asked for, as results name them without their threads: loops stay in whose
        conditions one is set.

    Returns
    -------
    Test
        The test itself, if there are no such loops.
    """
    functions = {name: turned_back(function, asked) for name, function in test.functions.items()}
    if all(functions[name] is function for name, function in test.functions.items()):
        return test
    return replace(test, functions=functions)


def turned_back(function: Function, asked: Set[str]) -> Function:
    """Turn the loops of a function back that a compiler has rotated.

    Parameters
    ----------
    function : Function
    asked : set of str
        See :func:`unrotated`.

    Returns
    -------
    Function
        The function itself, if there are no such loops.
    """
    if not leads_back(function) or function.library or function.shown is not None:
        return function
    entered = loops_of(function)
    direct = _without_relays(function, entered, asked)
    entered = entered if direct is function else loops_of(direct)
    given = _computed_early(direct, entered, asked)  # that changes no loops
    for accesses in (True, False):  # what is accessed again comes first: that is the outer one of two loops
        again = True
        while again:
            again = False
            for ends in _ends(given, entered):
                found = _joined(given, ends, asked, accesses)
                if found is not None:
                    function = given = found
                    entered, again = loops_of(given), True
                    break
    return function


def _without_relays(function: Function, entered: _Entered, asked: Set[str]) -> Function:
    """Leave out blocks that do nothing but choose what the phis of the next one take: these choose then themselves.

    A compiler puts them where several blocks lead back to the header of a loop. One that is the header of a loop stays.
    """
    blocks = {block.name: block for block in function.blocks}
    for relay in map(blocks.__getitem__, [block.name for block in function.blocks if block.phis and not block.body]):
        if not isinstance(relay.terminator, Jump) or relay.name in entered:
            continue
        if not any(relay.name in loop.blocks for loop in entered.get(relay.terminator.block, ())):
            continue
        uses = Counter(name for block in blocks.values() for part in block.parts for name in registers_in(part))
        chosen = {phi.target: dict(phi.incoming) for phi in relay.phis}
        following = blocks[relay.terminator.block]
        passed = [dict(phi.incoming)[relay.name] for phi in following.phis]
        taken = Counter(each.name for each in passed if isinstance(each, Register))
        origins = [each for each in blocks.values() if relay.name in targets_of(each.terminator)]
        if (
            following.name == relay.name
            or any(uses[name] != taken[name] or is_asked(f"%{name}", asked) for name in chosen)
            or any(following.name in targets_of(each.terminator) for each in origins)
            or not all(isinstance(each.terminator, Jump | Branch) for each in origins)
            or any(isinstance(each, Operation) for each in passed)
        ):
            continue
        phis = []
        for phi, value in zip(following.phis, passed, strict=True):
            known = chosen.get(value.name, {}) if isinstance(value, Register) else {}
            kept = [each for each in phi.incoming if each[0] != relay.name]
            phis.append(replace(phi, incoming=(*kept, *((each.name, known.get(each.name, value)) for each in origins))))
        del blocks[relay.name]
        for each in origins:
            blocks[each.name] = replace(each, terminator=_led(each.terminator, relay.name, following.name))
        blocks[following.name] = replace(blocks[following.name], phis=tuple(phis))
    return _with_blocks(function, blocks)


def _with_blocks(function: Function, blocks: Mapping[str, Block]) -> Function:
    """Give a function other blocks; the function itself, of which more is known, where they are the same."""
    if len(blocks) == len(function.blocks) and all(blocks[each.name] is each for each in function.blocks):
        return function
    return replace(function, blocks=tuple(blocks.values()))


def _led(end: Terminator, old: str, new: str) -> Terminator:
    """Give a jump or a branch that leads to another block than it did."""
    now = {old: new}
    if isinstance(end, Jump):
        return Jump(now.get(end.block, end.block), end.line, end.unwind and now.get(end.unwind, end.unwind))
    assert isinstance(end, Branch)
    return replace(end, then=now.get(end.then, end.then), otherwise=now.get(end.otherwise, end.otherwise))


def _computed_early(function: Function, entered: _Entered, asked: Set[str]) -> Function:
    """Compute what is only computed on the way into a loop before the branch to it, where nobody can tell.

    That is what each iteration has in common, as an address; it stands between the branch and the loop.
    """
    blocks = {block.name: block for block in function.blocks}
    for loop in (loop for found in entered.values() for loop in found):
        for block in map(blocks.__getitem__, list(blocks)):
            if block.name in loop.blocks or not loop.headers.issuperset(targets_of(block.terminator)):
                continue
            origins = [each for each in blocks.values() if block.name in targets_of(each.terminator)]
            if len(origins) != 1 or not isinstance(origins[0].terminator, Branch) or origins[0] is block:
                continue
            if block.phis or not block.body or not _is_computed(function, block.body, asked):
                continue
            body = list(origins[0].body)
            for each in block.body:
                taken = set(registers_in(each))
                set_at = [place for place, part in enumerate(body, 1) if getattr(part, "target", None) in taken]
                body.insert(max(set_at, default=0), each)
            blocks[origins[0].name] = replace(origins[0], body=tuple(body))
            blocks[block.name] = replace(block, body=())
    return _with_blocks(function, blocks)


def _is_computed(function: Function, body: Sequence[Instruction], asked: Set[str]) -> bool:
    """Tell whether instructions only compute values, which results do not show, of registers assigned once."""
    parts = (part for block in function.blocks for part in block.parts)
    assigned = Counter(getattr(part, "target", None) for part in parts)
    return all(
        isinstance(part, Assign)
        and not may_divide_by_zero(part.expression)
        and not is_asked(f"%{part.target}", asked)
        and all(assigned[name] <= 1 for name in (part.target, *registers_in(part.expression)))  # no variable, in C
        for part in body
    )


@dataclass(frozen=True, slots=True)
class _Ends:
    """Two blocks that decide whether a loop is entered, and whether it goes on.

    Parameters
    ----------
    before, last : Block
        They end alike, with branches.
    inside, outside : str
        Where both lead.
    origins : tuple
        Where the two come from as the phis of these see it: of `before` into the loop and past it, of `last` likewise.
    attempts : bool
        Whether the loop has a compare-exchange: what that finds may be tested, and nothing that is read again.
    """

    before: Block
    last: Block
    inside: str
    outside: str
    origins: tuple[tuple[str, str], tuple[str, str]]
    attempts: bool


def _ends(function: Function, headers: _Entered) -> Iterator[_Ends]:
    blocks = {block.name: block for block in function.blocks}
    loops = {loop for found in headers.values() for loop in found if len(loop.headers) == 1}
    for loop in sorted(loops, key=lambda each: each.number):
        (header,), entered = loop.headers, _entered_from(function, loop)
        attempts = any(isinstance(part, CompareExchange) for name in loop.blocks for part in blocks[name].body)
        for last in (blocks[name] for name in sorted(loop.blocks)):
            if entered is None or not isinstance(last.terminator, Branch):
                continue
            ways = [_ways(blocks, blocks[entered]), _ways(blocks, last)]
            places = [[name for name, _ in each] for each in ways]
            if places[0] == places[1] and len(set(places[0])) == 2 and header in places[0]:
                inside = places[0].index(header)
                if places[0][1 - inside] not in loop.blocks:
                    one, other = ((each[inside][1], each[1 - inside][1]) for each in ways)
                    yield _Ends(blocks[entered], last, header, places[0][1 - inside], (one, other), attempts)


def _ways(blocks: Mapping[str, Block], block: Block) -> list[tuple[str, str]]:
    """Give where a block leads, if it ends with a branch; see :func:`_behind`."""
    branch = block.terminator
    targets = (branch.then, branch.otherwise) if isinstance(branch, Branch) else ()
    return [_behind(blocks, block.name, target) for target in targets]


def _entered_from(function: Function, loop: Loop) -> str | None:
    """Name the only block from which a loop is entered, past blocks that only lead on; None if there are several."""
    inside, (target,) = loop.blocks, loop.headers
    while True:
        before = [each for each in function.blocks if target in targets_of(each.terminator) and each.name not in inside]
        if len(before) != 1:
            return None
        if before[0].phis or before[0].body or len(targets_of(before[0].terminator)) > 1:
            return before[0].name
        target = before[0].name


def _behind(blocks: Mapping[str, Block], origin: str, name: str) -> tuple[str, str]:
    """Give where a block leads, past blocks that only lead on, and where that is entered from."""
    seen = {origin}
    while name not in seen:
        block = blocks[name]
        if block.phis or block.body or not isinstance(block.terminator, Jump) or block.terminator.unwind is not None:
            break
        seen.add(name)
        origin, name = name, block.terminator.block
    return name, origin


def _joined(function: Function, ends: _Ends, asked: Set[str], accesses: bool) -> Function | None:
    """Let both ends go to a block that has the code which they have in common; None where that cannot be.

    That code accesses memory or calls functions, if `accesses` is true; else it may test what an attempt has found.
    """
    before, last = ends.before, ends.last
    one, other = before.terminator, last.terminator
    assert isinstance(one, Branch) and isinstance(other, Branch)
    count = _alike_at_end(before.body, last.body)
    code = last.body[len(last.body) - count :]
    does = any(isinstance(each, Read | Store | Call) for each in code)
    if not code or (not does and (accesses or not ends.attempts)):
        return None
    join = _Join(f"{last.name}.tests", before, last, count)
    if any(is_asked(f"%{name}", asked) for pair in join.twins.items() for name in pair):
        return None
    body = tuple(map(join.instruction, before.body[len(before.body) - count :], code))
    test = replace(other, condition=join.expression(one.condition, other.condition))
    blocks = {block.name: block for block in function.blocks}
    then, otherwise = (_behind(blocks, last.name, each)[0] for each in (other.then, other.otherwise))
    test = replace(test, then=then, otherwise=otherwise)
    for place, name in enumerate((ends.inside, ends.outside)):
        block, (entered, again) = blocks[name], (origins[place] for origins in ends.origins)
        phis = []
        for phi in block.phis:
            known = dict(phi.incoming)
            value = join.expression(known[entered], known[again])
            phis.append(replace(phi, incoming=(*phi.incoming, (join.name, value))))
        blocks[name] = replace(block, phis=tuple(phis))
    if join.fails:
        return None
    for block in (before, last):
        rest = block.body[: len(block.body) - count]
        blocks[block.name] = replace(blocks[block.name], body=rest, terminator=Jump(join.name, block.terminator.line))
    made = Block(join.name, join.phis, body, test)
    order = [name for block in function.blocks for name in (block.name, *([made.name] if block is before else []))]
    found = replace(function, blocks=_reached({**blocks, made.name: made}, order))
    parts = (part for block in found.blocks for part in block.parts)
    return None if any(name in join.twins for part in parts for name in registers_in(part)) else found


def _alike_at_end(one: tuple[Instruction, ...], other: tuple[Instruction, ...]) -> int:
    """Count the last instructions that do the same, but for the registers that they take and set."""
    count = 0
    for a, b in zip(reversed(one), reversed(other), strict=False):
        if type(a) is not type(b) or not all(_are_alike(getattr(a, name), getattr(b, name)) for name in _parts(a)):
            break
        count += 1
    return count


def _parts(part: object) -> list[str]:
    return [each.name for each in fields(part) if each.name not in _NOT_COMPARED]  # type: ignore[arg-type]


def _are_alike(one: object, other: object) -> bool:
    """Tell whether parts of instructions are the same, but for registers and constants."""
    if isinstance(one, Register | Constant) and isinstance(other, Register | Constant):
        return True
    if isinstance(one, Operation) and isinstance(other, Operation):
        said = [(each.operator, each.type, each.operand_type, each.indices) for each in (one, other)]
        return said[0] == said[1] and _are_alike(one.arguments, other.arguments)
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(_are_alike, one, other))
    return one == other


class _Join:
    """The block in which the ends of two others are one.

    Parameters
    ----------
    name : str
    before, last : Block
        The others.
    count : int
        So many instructions of theirs are alike.

    Attributes
    ----------
    twins : dict of str to str
        The registers that these set: in `before`, and in `last` and here.
    fails : bool
        Whether one of the values that were asked for is set in one of the two alone.
    """

    def __init__(self, name: str, before: Block, last: Block, count: int) -> None:
        self.name, self._origins, self.fails = name, (before.name, last.name), False
        pairs = zip(before.body[len(before.body) - count :], last.body[len(last.body) - count :], strict=True)
        targets = [(getattr(one, "target", None), getattr(other, "target", None)) for one, other in pairs]
        self.twins = {one: other for one, other in targets if one is not None and other is not None}
        self._set = frozenset(self.twins.values())
        self._chosen: dict[tuple[Expression, Expression], str] = {}

    def instruction(self, one: Instruction, other: Instruction) -> Instruction:
        """Give an instruction that does what two do that are alike."""
        parts: dict[str, Any] = {name: self._part(getattr(one, name), getattr(other, name)) for name in _parts(other)}
        return replace(other, **parts)

    def _part(self, one: object, other: object) -> object:
        if isinstance(one, Register | Constant | Operation) and isinstance(other, Register | Constant | Operation):
            return self.expression(one, other)
        if isinstance(one, tuple) and isinstance(other, tuple):
            return tuple(map(self._part, one, other))
        return other

    def expression(self, one: Expression, other: Expression) -> Expression:
        """Give what has the value of one expression if one comes from `before`, else that of the other one."""
        if isinstance(one, Operation) and isinstance(other, Operation) and _are_alike(one, other):
            return replace(other, arguments=tuple(map(self.expression, one.arguments, other.arguments)))
        if isinstance(one, Register) and self.twins.get(one.name) is not None:
            self.fails |= not isinstance(other, Register) or other.name != self.twins[one.name]
            return other
        if not isinstance(other, Operation) and one == other:
            return other
        simple = isinstance(one, Register | Constant) and isinstance(other, Register | Constant)
        self.fails |= not simple or (isinstance(other, Register) and other.name in self._set)
        return Register(self._chosen.setdefault((one, other), f"{self.name}.{len(self._chosen)}"))

    @property
    def phis(self) -> tuple[Phi, ...]:
        """Those by which the block takes what differs."""
        return tuple(
            Phi(name, tuple(zip(self._origins, pair, strict=True)), PointerType())
            for pair, name in self._chosen.items()
        )


def _reached(blocks: Mapping[str, Block], order: list[str]) -> tuple[Block, ...]:
    """Give the blocks that may be reached, in order, with phis for the ways that there are."""
    entered: dict[str, set[str]] = {order[0]: set()}
    stack = [order[0]]
    while stack:
        name = stack.pop()
        for target in targets_of(blocks[name].terminator):
            if target not in entered:
                stack.append(target)
            entered.setdefault(target, set()).add(name)
    found = []
    for name in order:
        if name in entered:
            phis = (
                replace(phi, incoming=tuple(each for each in phi.incoming if each[0] in entered[name]))
                for phi in blocks[name].phis
            )
            found.append(replace(blocks[name], phis=tuple(phis)))
    return tuple(found)
