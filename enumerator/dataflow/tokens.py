"""The graph of a function's ordering tokens: for each operation, the ones whose tokens it waits for."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

import networkx as nx

from enumerator.dataflow.pairing import constant_objects, pair, uses_tokens, what_is
from enumerator.program.instructions import (
    Branch,
    Constant,
    Expression,
    Function,
    Jump,
    MemoryEntry,
    MergeOrder,
    Phi,
    Register,
    Return,
    Switch,
)
from enumerator.program.test import Test

__all__ = ["TokenGraph", "ordered_after", "test_graphs", "token_graph"]


class TokenGraph(nx.DiGraph):  # type: ignore[misc]  # its nodes are texts
    """The ordering tokens of a function (:func:`token_graph`); notebooks show them as a picture."""

    def _repr_svg_(self) -> str | None:
        from enumerator.dataflow.picture import to_svg

        if not all("label" in data for _, data in self.nodes(data=True)):
            return None  # not all of it is there yet, or it is a part of another graph
        return to_svg({str(self.graph.get("name", "")): self})


def token_graph(function: Function, constant: Collection[str] = (), path: str = "") -> nx.DiGraph[str]:
    """Give the graph of a function's tokens.

    Parameters
    ----------
    function : Function
    constant : collection of str
        The objects that are constant memory (:func:`enumerator.dataflow.pairing.constant_objects`).
    path : str
        Of the file, for messages.

    Returns
    -------
    networkx.DiGraph
        Nodes have the attributes `kind` (``entry``, ``operation``, ``merge``, ``phi``, ``value`` for a data value that
        is used as a token, ``return``), `label`, `block`, `line`, and `token`, the register that they produce. An edge
        goes from the producer of a token to a node that waits for it. Its attribute `carried` tells whether the token
        comes from an earlier iteration of a loop. Constants order nothing and have no nodes.

    Raises
    ------
    InputError
        Where tokens and operations are not paired (:func:`enumerator.dataflow.pairing.pair`).

    See Also
    --------
    ordered_after : the operations that a node waits for.
    enumerator.dataflow.picture.to_svg : a picture of the graph.

    References
    ----------
    Semantics, section 6.

    Examples
    --------
    >>> from enumerator.program.instructions import Block, OrderInput
    >>> body = (MemoryEntry("e"), OrderInput(Register("e")))
    >>> sorted(token_graph(Function("f", (), (Block("0", (), body, Return()),))).edges)
    [('%e', 'ret 0')]
    """
    graph = TokenGraph(name=function.name)
    paired = pair(function, constant, path)
    producers: dict[str, str] = {}
    waiting: list[tuple[str, Expression, bool]] = []
    above = _dominators(function)
    by_block: dict[str, list[Any]] = {}
    for each in paired:
        by_block.setdefault(each.block, []).append(each)
    for block in function.blocks:
        for phi in block.phis:
            if phi.target in function.tokens:
                node = _add(graph, f"%{phi.target}", "phi", f"phi %{phi.target}", block.name, phi.line, phi.target)
                producers[phi.target] = node
                waiting.extend((node, value, carried) for value, carried in _incoming(phi, above, block.name))
        for part in block.body:
            if isinstance(part, MemoryEntry):
                label = f"mementry %{part.target}"
                producers[part.target] = _add(
                    graph, f"%{part.target}", "entry", label, block.name, part.line, part.target
                )
            elif isinstance(part, MergeOrder):
                node = _add(
                    graph, f"%{part.target}", "merge", f"all0 %{part.target}", block.name, part.line, part.target
                )
                producers[part.target] = node
                waiting.extend((node, value, False) for value in part.inputs)
        for each in by_block.get(block.name, ()):
            kind = "return" if isinstance(each.instruction, Return) else "operation"
            name = f"ret {block.name}" if kind == "return" else f"%{each.output}"
            node = _add(
                graph, name, kind, what_is(each.instruction), block.name, each.instruction.line, each.output or ""
            )
            if each.output is not None:
                producers[each.output] = node
            if each.input is not None:
                waiting.append((node, each.input, False))
    for node, token, carried in waiting:
        if isinstance(token, Constant):
            continue
        name = token.name if isinstance(token, Register) else "?"
        if name not in producers:
            producers[name] = _add(graph, f"value %{name}", "value", f"%{name}", "", None, name)
        source = producers[name]
        before = graph.has_edge(source, node) and not graph.edges[source, node]["carried"]
        graph.add_edge(source, node, carried=carried and not before)
    _mark_cycles(graph)
    return graph


def test_graphs(test: Test) -> dict[str, nx.DiGraph[str]]:
    """Give the graph of each function of a test that uses tokens, by name.

    Parameters
    ----------
    test : Test

    Returns
    -------
    dict of str to networkx.DiGraph
    """
    constant = constant_objects(test.objects)
    return {
        name: token_graph(function, constant, test.path)
        for name, function in test.functions.items()
        if not function.library and uses_tokens(function)
    }


test_graphs.__test__ = False  # type: ignore[attr-defined]  # it is no test of pytest


def ordered_after(graph: nx.DiGraph[str], node: str) -> tuple[str, ...]:
    """Give the operations whose tokens a node waits for, through merges and phis.

    Parameters
    ----------
    graph : networkx.DiGraph
        As :func:`token_graph` makes it.
    node : str

    Returns
    -------
    tuple of str
        Nodes, in the order of the graph: entries, operations and data values.
    """
    kinds: Mapping[str, str] = nx.get_node_attributes(graph, "kind")
    found: set[str] = set()
    seen: set[str] = set()
    waiting = list(graph.predecessors(node))
    while waiting:
        source = waiting.pop()
        if source in seen:
            continue
        seen.add(source)
        if kinds[source] in ("merge", "phi"):
            waiting.extend(graph.predecessors(source))
        else:
            found.add(source)
    return tuple(each for each in graph if each in found)


def _add(graph: nx.DiGraph[str], name: str, kind: str, label: str, block: str, line: int | None, token: str) -> str:
    graph.add_node(name, kind=kind, label=label, block=block, line=line, token=token)
    return name


def _dominators(function: Function) -> dict[str, set[str]]:
    """Give the dominators of each block, itself included."""
    flow: nx.DiGraph[str] = nx.DiGraph()
    flow.add_node(function.blocks[0].name)
    for block in function.blocks:
        match block.terminator:
            case Jump(target):
                flow.add_edge(block.name, target)
            case Branch(_, then, otherwise):
                flow.add_edges_from(((block.name, then), (block.name, otherwise)))
            case Switch(_, cases, default):
                flow.add_edges_from((block.name, target) for target in (default, *(target for _, target in cases)))
    entry = function.blocks[0].name
    parents: Mapping[str, str] = nx.immediate_dominators(flow, entry)
    above: dict[str, set[str]] = {block.name: {block.name} for block in function.blocks}
    for name in parents:
        current: str | None = name
        while current is not None:
            above[name].add(current)
            parent = parents.get(current)
            current = None if parent == current else parent
    return above


def _incoming(phi: Phi, above: Mapping[str, set[str]], block: str) -> Iterator[tuple[Expression, bool]]:
    """Give the tokens of a phi, and whether each comes along a back edge: from a block that this one dominates."""
    for source, value in phi.incoming:
        yield value, block in above[source]


def _mark_cycles(graph: nx.DiGraph[str]) -> None:
    """Mark an edge of each remaining cycle as carried: irreducible loops have cycles without a back edge."""
    forward: nx.DiGraph[str] = nx.DiGraph((a, b) for a, b, carried in graph.edges(data="carried") if not carried)
    while not nx.is_directed_acyclic_graph(forward):
        cycle = nx.find_cycle(forward)
        a, b = next(((a, b) for a, b, *_ in cycle if graph.nodes[b]["kind"] == "phi"), cycle[0][:2])
        forward.remove_edge(a, b)
        graph.edges[a, b]["carried"] = True
