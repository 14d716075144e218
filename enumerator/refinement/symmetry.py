"""Symmetries of a source and a target: exchanges of globals and threads that change neither.

Contexts that such an exchange makes the same are alike: what one says of refinement, the other says, too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from itertools import permutations

from enumerator.frozen import dataclass
from enumerator.program.instructions import Block, Call, Register
from enumerator.program.test import RETURNED, Test
from enumerator.program.values import Pointer
from enumerator.unfold.paths import Location

__all__ = ["Symmetry", "symmetries"]

_MOST = 4
"""Of globals, and of threads, that are permuted."""


@dataclass(frozen=True)
class Symmetry:
    """An exchange that changes neither of two programs.

    Parameters
    ----------
    threads : mapping of str to str
    objects : mapping of str to str
    """

    threads: Mapping[str, str]
    objects: Mapping[str, str]

    def place(self, place: Location | None) -> Location | None:
        """Give the location that takes the place of one."""
        return None if place is None else place._replace(object=self.objects.get(place.object, place.object))


def symmetries(tests: Sequence[Test], touched: Collection[Location], observed: Collection[str]) -> tuple[Symmetry, ...]:
    """Find the symmetries of some programs, without the one that exchanges nothing.

    Parameters
    ----------
    tests : sequence of Test
        Source and target.
    touched : collection of Location
        What contexts access.
    observed : collection of str
        The names that are compared: they are exchanged with what they name.

    Returns
    -------
    tuple of Symmetry

    Examples
    --------
    >>> from enumerator.frontend import load_text
    >>> body = "define void @{}() {{\\n  store i32 1, ptr @{}\\n  ret void\\n}}\\n"
    >>> text = "@x = global i32 0\\n@y = global i32 0\\n" + body.format("t", "x") + body.format("u", "y")
    >>> test = load_text(text, "t.ll")
    >>> found = symmetries([test, test], [Location("@x", 0, 4), Location("@y", 0, 4)], ["@x", "@y"])
    >>> [(dict(each.threads), dict(each.objects)) for each in found]
    [({'t': 'u', 'u': 't'}, {'@x': '@y', '@y': '@x'})]
    """
    objects = sorted({place.object for place in touched})
    threads = [thread.name for thread in tests[0].threads]
    if any(test.has(Call) for test in tests) or len(objects) > _MOST or len(threads) > _MOST:
        return ()
    found = []
    for other in permutations(objects):
        renamed = dict(zip(objects, other, strict=True))
        if not _same_objects(tests, renamed):
            continue
        for those in permutations(threads):
            exchanged = dict(zip(threads, those, strict=True))
            moved = any(a != b for pairs in (renamed, exchanged) for a, b in pairs.items())
            if moved and all(_unchanged(test, exchanged, renamed, observed) for test in tests):
                found.append(Symmetry(exchanged, renamed))
    return tuple(found)


def _same_objects(tests: Sequence[Test], renamed: Mapping[str, str]) -> bool:
    for test in tests:
        known = {memory.name: memory for memory in test.objects}
        for name, other in renamed.items():
            one, two = known.get(name), known.get(other)
            if (one is None) != (two is None):
                return False
            if one is not None and two is not None and replace(one, name=other, line=two.line) != two:
                return False
    return True


def _unchanged(test: Test, threads: Mapping[str, str], objects: Mapping[str, str], observed: Collection[str]) -> bool:
    """Tell whether an exchange makes a test the same, but for the names of registers and blocks."""
    by_name = {thread.name: thread for thread in test.threads}
    names: dict[str, str] = {}
    for name, other in threads.items():
        mine, theirs = _Form(objects, name), _Form({}, other)
        one, two = by_name[name], by_name[other]
        if mine.of((test.functions[one.function].parameters, test.functions[one.function].blocks, one.arguments)) != (
            theirs.of((test.functions[two.function].parameters, test.functions[two.function].blocks, two.arguments))
        ):
            return False
        pairs = zip(mine.registers, theirs.registers, strict=True)
        names.update({f"{name}:%{a}": f"{other}:%{b}" for a, b in pairs})
        names[f"{name}:{RETURNED}"] = f"{other}:{RETURNED}"
    return {names.get(each) or _renamed(each, objects) for each in observed} == set(observed)


def _renamed(name: str, objects: Mapping[str, str]) -> str:
    """Rename the object of a location, as ``@a[2]``."""
    for one, other in objects.items():
        if name == one or name.startswith((f"{one}[", f"{one}+")):
            return other + name[len(one) :]
    return name


class _Form:
    """A program as plain tuples, whatever its registers, blocks and lines are called; objects are renamed."""

    def __init__(self, objects: Mapping[str, str], thread: str) -> None:
        self._objects, self._thread = objects, thread
        self.registers: dict[str, int] = {}
        self._blocks: dict[str, int] = {}

    def of(self, part: object) -> object:
        if isinstance(part, tuple):
            return tuple(map(self.of, part))
        if isinstance(part, Register):
            return "register", self._register(part.name)
        if isinstance(part, Pointer):
            return "pointer", self._objects.get(part.object, part.object), part.offset
        if is_dataclass(part):
            return (type(part).__name__, *self._fields(part))
        return part

    def _fields(self, part: object) -> Iterator[object]:
        for each in fields(part):  # type: ignore[arg-type]  # of a dataclass
            value = getattr(part, each.name)
            if each.name == "line":
                continue
            if each.name == "target" and isinstance(value, str):
                yield self._register(value)
            elif (each.name == "name" and isinstance(part, Block)) or each.name in (
                "block",
                "then",
                "otherwise",
                "default",
            ):
                yield self._block(value)
            elif each.name == "incoming":
                yield tuple((self._block(block), self.of(inner)) for block, inner in value)
            elif each.name == "cases":
                yield tuple((self.of(inner), self._block(block)) for inner, block in value)
            else:
                yield self.of(value)

    def _register(self, name: str) -> object:
        if name.startswith("%"):  # where the thread runs: no other thread is in its place
            return name, self._thread
        return self.registers.setdefault(name, len(self.registers))

    def _block(self, name: object) -> object:
        return self._blocks.setdefault(name, len(self._blocks)) if isinstance(name, str) else name
