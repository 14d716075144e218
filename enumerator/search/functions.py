"""Values and functions of values as numbers; what a kernel has to compute is computed here and put into its table."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from enumerator.program.bytes import has_part_of_pointer
from enumerator.program.values import UNDEF, Value
from enumerator.search import opcodes as op
from enumerator.unfold.arithmetic import agrees, is_strict, postorder, run
from enumerator.unfold.paths import Computed, Known, Node, ReadValue

__all__ = ["Functions", "Values"]

_FIRST = 64
"""Entries of the first table."""

_STATES = 1 << 29
"""States of functions whose inputs are known in part are numbered from here on."""


class Values:
    """Numbers for values: undef is 0, and equal values have equal numbers."""

    def __init__(self) -> None:
        self._numbers: dict[Value, int] = {UNDEF: op.UNDEF_ID}
        self._values: list[Value] = [UNDEF]

    def number(self, value: Value) -> int:
        """Give the number of a value."""
        if value not in self._numbers:
            self._numbers[value] = len(self._values)
            self._values.append(value)
        return self._numbers[value]

    def value(self, number: int) -> Value:
        """Give the value with a number."""
        return self._values[number]

    def parts_of_pointers(self) -> set[int]:
        """Give the numbers of what no execution may hold (:func:`enumerator.unfold.named.refuse_parts`)."""
        return {number for number, value in enumerate(self._values) if has_part_of_pointer(value)}


class Functions:
    """Numbers for computed values of paths: equal expressions over equal reads share one.

    The kernel looks results up in a hash table of steps ``(state, input) -> state``; what is missing there is
    computed here, once for each combination of inputs.

    Parameters
    ----------
    values : Values
    alike : bool
        Whether expressions that are equal but for which reads they are over share their results: paths of a trie come
        to the same code after different events.

    Attributes
    ----------
    reads : list of tuple of int
        Of each function, the reads that it is over, by index.
    starts : list of int
        Of each, the state before its first input.
    met_parts : bool
        A condition was about a number that is made of some bytes of a pointer.
    """

    def __init__(self, values: Values, *, alike: bool = False) -> None:
        self._values, self._alike = values, alike
        self._known: dict[object, int] = {}
        self._keys: dict[int, int] = {}
        self._kept: list[Node] = []
        self._evaluated: list[tuple[tuple[Node, ...], Value | None]] = []  # and what a condition wants
        self.reads: list[tuple[int, ...]] = []
        self.starts: list[int] = []
        self.strict: list[int] = []
        self._conditions: set[int] = set()
        self._states = 0
        self._steps: dict[int, int] = {}
        self.keys, self.results = _NOTHING
        self.met_parts = False

    def function(self, node: Node) -> int:
        """Give the number of a computed value."""
        key = "value", self._key(node)
        known = self._known.get(key)
        if known is not None:
            return known
        nodes = postorder(node)
        return self._register(key, node, int(is_strict(nodes)), (nodes, None))

    def condition(self, node: Node, wanted: Value) -> int:
        """Give the number of the function that is 1 where a node has (or may have) the value wanted."""
        nodes = postorder(node)
        strict = 2 if wanted == UNDEF and is_strict(nodes) else 1
        number = self._register(("condition", self._key(node), wanted), node, strict, (nodes, wanted))
        self._conditions.add(number)
        return number

    def _register(self, key: object, node: Node, strict: int, evaluated: tuple[tuple[Node, ...], Value | None]) -> int:
        if key not in self._known:
            number = self._known[key] = len(self.reads)
            self.starts.append(self._known.setdefault(self._form(node, evaluated), number) if self._alike else number)
            self.strict.append(strict)
            self.reads.append(tuple(sorted(node.reads)))
            self._evaluated.append(evaluated)
        return self._known[key]

    def _form(self, node: Node, evaluated: tuple[tuple[Node, ...], Value | None]) -> object:
        """Give what a function is, whichever reads it is over."""
        places = {read: place for place, read in enumerate(sorted(node.reads))}
        forms: dict[int, object] = {}
        for part in evaluated[0]:
            if isinstance(part, Computed):
                arguments = tuple(forms[id(argument)] for argument in part.arguments)
                form: object = part.operator, arguments, part.type, part.operand_type, part.indices
            else:
                form = places[part.index] if isinstance(part, ReadValue) else (self._key(part),)
            forms[id(part)] = self._known.setdefault(("form", form), len(self._known))
        return "alike", forms[id(node)], evaluated[1]

    def _result(self, function: int, read: Callable[[int], Value]) -> Value:
        nodes, wanted = self._evaluated[function]
        found = run(nodes, read)
        if wanted is None:
            return found
        self.met_parts |= has_part_of_pointer(found)
        return int(agrees(found, wanted))

    def _key(self, node: Node) -> int:
        """Number a node by its structure, bottom up and without recursion: loops make deep nodes."""
        stack = [node]
        while stack:
            current = stack[-1]
            if id(current) in self._keys:
                stack.pop()
                continue
            if isinstance(current, Computed):
                missing = [argument for argument in current.arguments if id(argument) not in self._keys]
                if missing:
                    stack.extend(missing)
                    continue
                arguments = tuple(self._keys[id(argument)] for argument in current.arguments)
                shape: object = (current.operator, arguments, current.type, current.operand_type, current.indices)
            elif isinstance(current, ReadValue):
                shape = ("read", current.index)
            else:
                assert isinstance(current, Known)
                shape = ("known", current.value)
            self._keys[id(current)] = self._known.setdefault(("node", shape), len(self._known))
            self._kept.append(current)  # an identity is only good while its node lives
            stack.pop()
        return self._keys[id(node)]

    def compute(self, function: int, inputs: tuple[int, ...]) -> None:
        """Compute a function for the numbers of its inputs, and add the steps that lead to the result."""
        reads = self.reads[function]
        by_read = dict(zip(reads, inputs, strict=True))
        result = self._result(function, lambda index: self._values.value(by_read[index]))
        # A condition's result is used as it is; a value's by its number.
        plain = function in self._conditions and isinstance(result, int)
        number = result if plain and isinstance(result, int) else self._values.number(result)
        state = self.starts[function]
        for position, value in enumerate(inputs):
            step = (state << 32) | value
            if position == len(inputs) - 1:
                self._add(step, number)
            elif step not in self._steps:
                self._states += 1
                self._add(step, _STATES + self._states)
            state = self._steps[step]

    def _add(self, step: int, result: int) -> None:
        self._steps[step] = result
        if 2 * len(self._steps) > len(self.keys):
            self.keys, self.results = _table(self._steps, max(_FIRST, 4 * len(self.keys)))
        else:
            _put(self.keys, self.results, step, result)


def _table(steps: dict[int, int], size: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Make the hash table that the kernels search: keys (-1 where free) and results; `size` is a power of two."""
    keys = np.full(size, -1, dtype=np.int64)
    results = np.zeros(size, dtype=np.int64)
    for key, result in steps.items():
        _put(keys, results, key, result)
    return keys, results


def _put(keys: NDArray[np.int64], results: NDArray[np.int64], key: int, result: int) -> None:
    """Enter a key as the kernels look it up (:func:`enumerator.search.kernels.values.probe`)."""
    mask = len(keys) - 1
    slot = ((key * 0x9E3779B97F4A7C15 & 0xFFFFFFFFFFFFFFFF) >> 32) & mask
    while keys[slot] != -1:
        slot = (slot + 1) & mask
    keys[slot] = key
    results[slot] = result


_NOTHING = _table({}, 1)
"""The table of a test without functions, which nothing is entered into: a second step asks for a larger one."""
