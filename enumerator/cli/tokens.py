"""The command ``tokens``."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from enumerator.cli.checking import output_stream
from enumerator.cli.options import File, Output

if TYPE_CHECKING:
    import networkx as nx

__all__ = ["tokens"]


class TokenFormat(StrEnum):
    """How a token graph is shown."""

    TEXT = "text"
    DOT = "dot"
    SVG = "svg"
    JSON = "json"


def tokens(
    file: File,
    format: Annotated[TokenFormat, typer.Option("--format", "-f", help="How to show them.")] = TokenFormat.TEXT,
    output: Output = None,
) -> int:
    """List or draw the ordering tokens of a dataflow program: which operation waits for which.

    An operation that waits for nothing but the entry, or for a constant, is not ordered. Exit codes: 0 shown, 2 bad
    input, such as an operation without its token.
    """
    from enumerator.api import load
    from enumerator.dataflow.picture import to_dot, to_svg
    from enumerator.dataflow.tokens import test_graphs
    from enumerator.errors import InputError

    graphs = test_graphs(load(file))
    if not graphs:
        raise InputError("no function uses ordering tokens (llvm.csa.mementry, inord, outord, all0)", file)
    match format:
        case TokenFormat.DOT:
            text = to_dot(graphs)
        case TokenFormat.SVG:
            text = to_svg(graphs)
        case TokenFormat.JSON:
            text = json.dumps([_record(name, graph) for name, graph in graphs.items()], indent=2) + "\n"
        case _:
            text = "\n".join(_table(name, graph) for name, graph in graphs.items())
    with output_stream(output, (file,)) as stream:
        stream.write(text)
    return 0


def _record(name: str, graph: nx.DiGraph[str]) -> dict[str, Any]:
    return {
        "function": name,
        "nodes": [{"id": node, **data} for node, data in graph.nodes(data=True)],
        "edges": [{"from": a, "to": b, "carried": carried} for a, b, carried in graph.edges(data="carried")],
    }


def _table(name: str, graph: nx.DiGraph[str]) -> str:
    from enumerator.dataflow.tokens import ordered_after
    from enumerator.report.text import aligned

    rows = []
    for node, data in graph.nodes(data=True):
        if data["kind"] in ("operation", "return"):
            place = f"line {data['line']}" if data["line"] is not None else "position unknown"
            after = [graph.nodes[source]["label"] for source in ordered_after(graph, node)]
            rows.append((place, data["label"], "after " + ", ".join(after) if after else "not ordered"))
    return "".join(f"{line}\n" for line in (f"@{name}", *(f"  {line}" for line in aligned(rows))))
