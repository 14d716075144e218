"""What a function computes in vain: registers, stack slots and branches that nothing rests on which others can see.

The pause of a lock that backs off is such: a counter that grows with each attempt, and an empty loop that runs so
often. It differs from attempt to attempt, but no access, call, result or end of the thread does because of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set

from enumerator.frozen import dataclass
from enumerator.program.instructions import (
    Alloca,
    Assign,
    Block,
    Branch,
    Call,
    Function,
    Instruction,
    Jump,
    Load,
    ReadModifyWrite,
    Register,
    Return,
    Store,
    Switch,
    targets_of,
)
from enumerator.unfold.arithmetic import may_divide_by_zero
from enumerator.unfold.live_slots import slot_addresses
from enumerator.unfold.members import registers_in

__all__ = ["Inert", "inert_of"]


@dataclass(frozen=True, slots=True)
class Inert:
    """What nothing rests on.

    Parameters
    ----------
    registers : frozenset of str
        What read-modify-writes have read is among them.
    slots : frozenset of str
        The registers that hold their addresses.
    branches : frozenset of str
        The blocks that end with them.
    """

    registers: frozenset[str] = frozenset()
    slots: frozenset[str] = frozenset()
    branches: frozenset[str] = frozenset()


def inert_of(function: Function, shown: Set[str], functions: Mapping[str, Function]) -> Inert:
    """Find what a function computes in vain.

    Loops in which nothing happens are taken to end (C11, 6.8.5 p6).

    Parameters
    ----------
    function : Function
    shown : set of str
        The registers that results show.
    functions : mapping of str to Function
        Those that it may call, by name.

    Returns
    -------
    Inert
    """
    control = _control(function)
    return Inert() if control is None else _Search(function, shown, functions, control).found()


class _Search:
    """Goes from what others can see to what that rests on."""

    def __init__(
        self,
        function: Function,
        shown: Set[str],
        functions: Mapping[str, Function],
        control: Mapping[str, frozenset[str]],
    ) -> None:
        self._blocks, self._control = function.blocks, control
        self._functions, self._quiet = functions, dict[str, bool]()
        self._slot_of = slot_addresses(function)
        blocks = self._blocks if self._slot_of else ()
        parts = (part for block in blocks for part in block.parts)
        escaping = {name for part in parts if not self._is_plain(part) for name in registers_in(part)}
        escaped = {self._slot_of[name] for name in escaping & self._slot_of.keys()}
        self._slot_of = {name: slot for name, slot in self._slot_of.items() if slot not in escaped}
        self._needed, self._slots, self._decides = set(shown), set[str](), set[str]()
        self._seen: set[str] = set()  # blocks of which it makes a difference whether they run
        assigned = Counter(getattr(part, "target", None) for part in function.instructions)
        self._several = {name for name, count in assigned.items() if count > 1}  # variables, in C: no phi says which

    def _is_plain(self, part: object) -> bool:
        """Tell whether a part of the function uses the address of a slot only to load from it, or to store there."""
        match part:
            case Load(address=Register(name)):
                return name in self._slot_of
            case Store(address=Register(name), value=value):
                return name in self._slot_of and self._slot_of.keys().isdisjoint(registers_in(value))
            case Assign(target=target):
                return target in self._slot_of
        return isinstance(part, Alloca)

    def found(self) -> Inert:
        before = (-1, -1, -1, -1)
        while before != (now := (len(self._needed), len(self._slots), len(self._decides), len(self._seen))):
            before = now
            for block in reversed(self._blocks):  # what is needed is mostly said later than it is computed
                self._look_at(block)
        computed = {name for block in self._blocks for name in self._computed(block)}
        branches = {each.name for each in self._blocks if isinstance(each.terminator, Branch | Switch)}
        return Inert(
            frozenset(computed - self._needed),
            frozenset(self._slot_of.values()) - self._slots,
            frozenset(branches - self._decides),
        )

    def _computed(self, block: Block) -> Iterator[str]:
        """Name the registers of a block that are computed without anybody noticing."""
        yield from (phi.target for phi in block.phis)
        for each in block.body:
            if isinstance(each, ReadModifyWrite):
                yield each.target
            elif isinstance(each, Assign | Load | Call) and each.target is not None and not self._is_seen(each):
                yield each.target

    def _is_seen(self, part: Instruction) -> bool:
        """Tell whether others can see that an instruction runs."""
        match part:
            case Alloca():
                return False
            case Assign(expression=expression):
                return may_divide_by_zero(expression)
            case Load(address=Register(name)) | Store(address=Register(name)):
                return name not in self._slot_of
            case Call(function=name):
                return not self._is_quiet(name)
        return True

    def _is_quiet(self, name: str) -> bool:
        """Tell whether a function only computes something, as those do that give way to other threads."""
        if name not in self._quiet:
            self._quiet[name] = False  # where it calls itself
            blocks = self._functions[name].blocks if name in self._functions else ()
            self._quiet[name] = bool(blocks) and all(
                isinstance(each.terminator, Branch | Switch | Jump | Return)
                and all(isinstance(part, Assign | Call) and not self._is_seen(part) for part in each.body)
                for each in blocks
            )
        return self._quiet[name]

    def _look_at(self, block: Block) -> None:
        if not isinstance(block.terminator, Branch | Switch | Jump):
            self._needed.update(registers_in(block.terminator))
            self._run(block.name)
        elif block.name in self._decides:
            self._needed.update(registers_in(block.terminator))
            self._run(block.name)  # it decides only if it runs
        for each in reversed(block.body):
            if self._is_seen(each):
                self._needed.update(registers_in(each))
                self._run(block.name)
            elif isinstance(each, Assign | Call) and each.target in self._needed:
                self._needed.update(registers_in(each))
                if each.target in self._several:
                    self._run(block.name)
            elif isinstance(each, Load) and each.target in self._needed:
                if each.target in self._several:
                    self._run(block.name)
                self._slots.update(self._slot_of[name] for name in registers_in(each.address))
            elif isinstance(each, Store) and any(
                self._slot_of[name] in self._slots for name in registers_in(each.address)
            ):
                self._needed.update(registers_in(each.value))
                self._run(block.name)
        for phi in block.phis:
            if phi.target in self._needed:
                for origin, value in phi.incoming:
                    self._needed.update(registers_in(value))
                    self._run(origin)
                    self._decides.add(origin)  # so does where it goes from there

    def _run(self, block: str) -> None:
        """Note that it makes a difference whether a block runs."""
        if block not in self._seen:
            self._seen.add(block)
            self._decides |= self._control[block]


def _control(function: Function) -> Mapping[str, frozenset[str]] | None:
    """Give for each block those at whose ends it is decided whether it runs; None where some loop has no exit."""
    following = {block.name: tuple(dict.fromkeys(targets_of(block.terminator))) for block in function.blocks}
    after = _always_after(following)
    if after is None:
        return None
    return {
        name: frozenset(
            block
            for block, targets in following.items()
            if len(targets) > 1
            and any(name in after[target] for target in targets)
            and (name == block or name not in after[block])
        )
        for name in following
    }


def _always_after(following: Mapping[str, Iterable[str]]) -> dict[str, frozenset[str]] | None:
    """Give for each block those that every way from it to an end goes through, itself included."""
    every = frozenset(following)
    found = {name: every if targets else frozenset({name}) for name, targets in following.items()}
    changed = True
    while changed:
        changed = False
        for name in reversed(list(following)):
            if following[name]:
                common = frozenset.intersection(*(found[target] for target in following[name]))
                now = common | {name}
                changed |= now != found[name]
                found[name] = now
    reaching: set[str] = set()
    while more := {name for name, to in following.items() if not to or not reaching.isdisjoint(to)} - reaching:
        reaching |= more
    return found if reaching == every else None
