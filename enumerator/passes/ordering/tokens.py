"""Token expressions: what an operation waits for, and how a value that several paths lead to becomes phis.

A pass names *variables*: what each holds at the entry, which block assigns it, and what becomes of it along an edge.
:class:`Reader` gives the token that a variable holds at the start of a block, with as few phis as that takes
(Braun, Buchwald, Hack, Leißa, Mallon, Zwinkau: Simple and Efficient Construction of Static Single Assignment Form,
CC 2013, sections 2 and 3).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import field
from typing import Generic, Literal, TypeVar, Union

import networkx as nx

from enumerator.frozen import dataclass
from enumerator.passes.ordering.flow import ControlFlow

__all__ = ["ENTRY", "NOT_ORDERED", "SAME", "Entry", "Merge", "NotOrdered", "Output", "Phi", "Reader", "Token", "merged"]


@dataclass(frozen=True)
class Entry:
    """The token of the function's entry: ``llvm.csa.mementry``."""


@dataclass(frozen=True)
class NotOrdered:
    """A constant: whoever waits for it waits for nothing."""


@dataclass(frozen=True)
class Output:
    """The token that an operation produces, which is named by the number of its line."""

    operation: int


@dataclass(eq=False)
class Merge:
    """``llvm.csa.all0``: there when all inputs are. It stands before a line, or before the end of a block."""

    block: int
    before: int | None
    inputs: list[Token] = field(default_factory=list)


@dataclass(eq=False)
class Phi:
    """A phi at the start of a block: a token for each edge into it, by the block that the edge comes from."""

    block: int
    incoming: list[tuple[int, Token]] = field(default_factory=list)


Token = Union[Entry, NotOrdered, Output, Merge, Phi]

ENTRY = Entry()
NOT_ORDERED = NotOrdered()

SAME: Literal["same"] = "same"
"""Along an edge: what the block held when it was entered before (the edge carries nothing)."""

V = TypeVar("V", bound=Hashable)


class Reader(Generic[V]):
    """Reads variables at the start of blocks.

    Parameters
    ----------
    flow : ControlFlow
    initial : callable
        The token that a variable holds at the entry.
    assigned : callable
        The token that it holds at the end of a block that assigns it; None for other blocks.
    across : callable
        What a variable is along an edge (block, predecessor): another variable, at the predecessor's end; a token; or
        :data:`SAME`.
    """

    def __init__(
        self,
        flow: ControlFlow,
        initial: Callable[[V], Token],
        assigned: Callable[[int, V], Token | None],
        across: Callable[[int, int, V], V | Token | Literal["same"]],
    ) -> None:
        self._flow = flow
        self._initial = initial
        self._assigned = assigned
        self._across = across
        self._phis: dict[tuple[int, V], Phi] = {}
        self._waiting: list[tuple[Phi, V]] = []

    def read(self, block: int, variable: V) -> Token:
        """Give what a variable holds at the start of a block.

        Parameters
        ----------
        block : int
        variable : hashable

        Returns
        -------
        Token
            Phis in it may still be trivial; :func:`merged` tidies up.
        """
        token = self._at_start(block, variable)
        while self._waiting:
            phi, held = self._waiting.pop()
            for before in self._flow.predecessors[phi.block]:
                phi.incoming.append((before, self._along(phi, before, held)))
        return token

    def _along(self, phi: Phi, before: int, variable: V) -> Token:
        if before not in self._flow.graph:
            return self._initial(variable)  # no execution comes from there
        found = self._across(phi.block, before, variable)
        if found == SAME:
            return phi
        if isinstance(found, (Entry, NotOrdered, Output, Merge, Phi)):
            return found
        return self._at_end(before, found)

    def _at_end(self, block: int, variable: V) -> Token:
        token = self._assigned(block, variable)
        return self._at_start(block, variable) if token is None else token

    def _at_start(self, block: int, variable: V) -> Token:
        while True:
            if block == 0 or block not in self._flow.graph:
                return self._initial(variable)
            before = self._flow.predecessors[block]
            if len(before) > 1:
                phi = self._phis.get((block, variable))
                if phi is None:
                    phi = self._phis[block, variable] = Phi(block)
                    self._waiting.append((phi, variable))
                return phi
            found = self._across(block, before[0], variable)
            assert found != SAME, "a block with one predecessor is no loop's header"
            if isinstance(found, (Entry, NotOrdered, Output, Merge, Phi)):
                return found
            block, variable = before[0], found
            token = self._assigned(block, variable)
            if token is not None:
                return token


# Tidying up -------------------------------------------------------------------------------------------------


@dataclass
class _Tidy:
    """Tokens that have been replaced by simpler ones."""

    replaced: dict[Token, Token] = field(default_factory=dict)

    def now(self, token: Token) -> Token:
        """Give what has become of a token."""
        way = []
        while token in self.replaced:
            way.append(token)
            token = self.replaced[token]
        for passed in way:
            self.replaced[passed] = token
        return token

    def inputs(self, tokens: Iterable[Token]) -> list[Token]:
        """Give what has become of the inputs of a merge, each once and without those that say nothing."""
        now = dict.fromkeys(map(self.now, tokens))
        return [token for token in now if not isinstance(token, (Entry, NotOrdered))] or list(now)[:1]

    def merge(self, merge: Merge) -> bool:
        """Replace a merge that has one input."""
        merge.inputs = [token for token in self.inputs(merge.inputs) if token is not merge]
        if len(merge.inputs) > 1:
            return False
        self.replaced[merge] = merge.inputs[0] if merge.inputs else ENTRY
        return True

    def phis(self, phis: Iterable[Phi]) -> bool:
        """Replace sets of phis that only choose between themselves and one other token."""
        members = set(phis)
        graph: nx.DiGraph[Phi] = nx.DiGraph()
        graph.add_nodes_from(members)
        for phi in members:
            graph.add_edges_from((phi, token) for _, token in phi.incoming if token in members)
        changed = False
        for component in list(nx.strongly_connected_components(graph)):  # operands come first
            outer: set[Token] = set()
            inner: list[Phi] = []
            for phi in component:
                others = {self.now(token) for _, token in phi.incoming} - component
                outer |= others
                if not others:
                    inner.append(phi)
            if len(outer) == 1:
                changed = True
                self.replaced.update(dict.fromkeys(component, outer.pop()))
            elif inner:
                changed |= self.phis(inner)
        return changed

    def congruent(self, phis: Iterable[Phi]) -> bool:
        """Replace a phi by another one of its block that chooses between the same tokens."""
        first: dict[tuple[object, ...], Phi] = {}
        changed = False
        for phi in phis:
            now = [(block, self.now(token)) for block, token in phi.incoming]
            key = (phi.block, *((block, None if token is phi else token) for block, token in now))
            other = first.setdefault(key, phi)
            if other is not phi:
                self.replaced[phi] = other
                changed = True
        return changed


def merged(inputs: Iterable[tuple[int, int, Iterable[Token]]], keep_entry: bool = False) -> dict[int, Token]:
    """Merge what each operation waits for, and remove the phis and merges that are not needed.

    Parameters
    ----------
    inputs : iterable of (int, int, iterable of Token)
        For each operation the number of its line, its block, and all that it waits for.
    keep_entry : bool
        A merge for an operation names the entry's token, too, if it is among its inputs.

    Returns
    -------
    dict of int to Token
        What each operation waits for; the entry, if nothing was given.

    Examples
    --------
    >>> loop = Phi(1)
    >>> loop.incoming = [(0, Output(0)), (1, loop)]
    >>> merged([(3, 1, [ENTRY, loop])])
    {3: Output(operation=0)}
    """
    wanted = [(operation, block, list(tokens)) for operation, block, tokens in inputs]
    tidy = _Tidy()
    changed = True
    while changed:
        nodes = _reachable((tidy.now(token) for _, _, tokens in wanted for token in tokens), tidy)
        phis = [node for node in nodes if isinstance(node, Phi)]
        changed = False
        for node in nodes:
            if isinstance(node, Merge):
                changed |= tidy.merge(node)
        changed |= tidy.phis(phis)
        changed |= tidy.congruent(phi for phi in phis if phi not in tidy.replaced)
        for phi in phis:
            phi.incoming = [(block, tidy.now(token)) for block, token in phi.incoming]
    found: dict[int, Token] = {}
    for operation, block, tokens in wanted:
        held = list(dict.fromkeys(map(tidy.now, tokens))) if keep_entry else tidy.inputs(tokens)
        found[operation] = Merge(block, operation, held) if len(held) > 1 else held[0] if held else ENTRY
    return found


def _reachable(tokens: Iterable[Token], tidy: _Tidy) -> list[Token]:
    """Find the merges and phis that tokens are made of, in the order in which they are met."""
    found: dict[Token, None] = {}
    waiting = list(tokens)
    while waiting:
        token = tidy.now(waiting.pop())
        if token in found or not isinstance(token, (Merge, Phi)):
            continue
        found[token] = None
        parts = token.inputs if isinstance(token, Merge) else [part for _, part in token.incoming]
        waiting.extend(parts)
    return list(found)
