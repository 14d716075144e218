"""Token graphs and their pictures."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import networkx as nx
import pytest
from typer.testing import CliRunner

from enumerator.cli.app import app as application
from enumerator.dataflow.picture import to_dot, to_svg
from enumerator.dataflow.tokens import ordered_after, test_graphs
from tests.dataflow.source import function, module

LOOP = """
%e = entry
br label %loop
loop:
%i = phi i32 [ 0, %0 ], [ %next, %loop ]
%t = phi i1 [ %e, %0 ], [ %s, %loop ]
in %t
%r = load i32, ptr @x
%l = out
%m = all %l, %t
in %m
store i32 1, ptr @y
%s = out
%next = add i32 %i, 1
%again = icmp ult i32 %next, 3
br i1 %again, label %loop, label %end
end:
in %s
ret void
"""


def test_nodes_and_edges() -> None:
    graph = test_graphs(function(LOOP))["f"]
    kinds = nx.get_node_attributes(graph, "kind")
    assert kinds == {
        "%e": "entry",
        "%t": "phi",
        "%m": "merge",
        "%l": "operation",
        "%s": "operation",
        "ret end": "return",
    }
    assert sorted(graph.edges(data="carried")) == [
        ("%e", "%t", False),
        ("%l", "%m", False),
        ("%m", "%s", False),
        ("%s", "%t", True),
        ("%s", "ret end", False),
        ("%t", "%l", False),
        ("%t", "%m", False),
    ]


def test_who_waits_for_whom() -> None:
    graph = test_graphs(function(LOOP))["f"]
    assert set(ordered_after(graph, "%s")) == {"%e", "%l", "%s"}
    assert ordered_after(graph, "ret end") == ("%s",)


def test_constants_and_data_values() -> None:
    graph = test_graphs(
        function("""
            in false
            %r = load i32, ptr @x
            %l = out
            %gate = trunc i32 %r to i1
            in %gate
            store i32 1, ptr @y
            %s = out
            in true
            ret void
        """)
    )["f"]
    assert list(graph.edges) == [("value %gate", "%s")]
    assert graph.nodes["value %gate"]["kind"] == "value"


def test_a_loop_whose_header_comes_last_in_the_text() -> None:
    graph = test_graphs(
        function("""
            %e = entry
            br label %header
            latch:
            in %t
            store i32 1, ptr @x
            %s = out
            br label %header
            header:
            %t = phi i1 [ %e, %0 ], [ %s, %latch ]
            in %t
            %r = load i32, ptr @x
            %l = out
            %c = icmp eq i32 %r, 0
            br i1 %c, label %latch, label %end
            end:
            in %l
            ret void
        """)
    )["f"]
    assert [edge for *edge, carried in graph.edges(data="carried") if carried] == [["%s", "%t"]]
    to_svg({"f": graph})


def test_a_loop_with_two_entries() -> None:
    graph = test_graphs(
        function("""
            %e = entry
            in %e
            %r = load i32, ptr @x
            %l = out
            %c = icmp eq i32 %r, 0
            br i1 %c, label %a, label %b
            a:
            %t = phi i1 [ %l, %0 ], [ %u, %b ]
            br label %b
            b:
            %u = phi i1 [ %l, %0 ], [ %t, %a ]
            br i1 %c, label %a, label %end
            end:
            in %u
            ret void
        """)
    )["f"]
    assert sum(carried for *_, carried in graph.edges(data="carried")) == 1
    to_svg({"f": graph})


def test_pictures() -> None:
    graphs = test_graphs(function(LOOP))
    dot = to_dot(graphs)
    assert dot.count(" -> ") == 7 and '"f %s" -> "f %t" [style=dashed];' in dot
    root = ElementTree.fromstring(to_svg(graphs))
    texts = {element.text for element in root.iter("{http://www.w3.org/2000/svg}text")}
    assert {"@f", "mementry %e", "phi %t", "all0 %m", "load %r of @x", "store to @y", "ret"} <= texts
    dashed = [path for path in root.iter("{http://www.w3.org/2000/svg}path") if path.get("stroke-dasharray")]
    assert len(dashed) == 1


def test_names_that_xml_and_dot_must_escape() -> None:
    test = module('define void @"<a>\\22&"() {\n%e = entry\nin %e\nret void\n}')
    graphs = test_graphs(test)
    ElementTree.fromstring(to_svg(graphs))
    assert 'label="@<a>\\"&"' in to_dot(graphs)


@pytest.mark.parametrize("format", ["text", "dot", "svg", "json"])
def test_command(tmp_path, format: str) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "loop.ll"
    file.write_text(function(LOOP).source)
    answer = CliRunner().invoke(application, ["tokens", str(file), "--format", format])
    assert answer.exit_code == 0
    if format == "text":
        assert "load %r of @x  after mementry %e, store to @y" in answer.output
    elif format == "json":
        (record,) = json.loads(answer.output)
        assert record["function"] == "f" and len(record["edges"]) == 7


def test_command_on_a_plain_program(tmp_path) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "plain.ll"
    file.write_text("define void @f() {\n  ret void\n}\n")
    answer = CliRunner().invoke(application, ["tokens", str(file)])
    assert answer.exit_code == 2 and "no function uses ordering tokens" in answer.output
