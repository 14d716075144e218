"""What shows itself in notebooks, and the notebook that comes with the tests."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest

from enumerator.api import check, load
from enumerator.dataflow.tokens import test_graphs
from enumerator.scopes import scope_tree

LITMUS = Path(__file__).resolve().parents[2] / "litmus_tests"
NOTEBOOK = LITMUS / "notebook.ipynb"


def shown(value: Any) -> str:
    """Give what a notebook shows of a value."""
    for name in ("_repr_html_", "_repr_svg_"):
        found = getattr(value, name, lambda: None)()
        if found is not None:
            return str(found)
    return repr(value)


def run_cell(source: str, names: dict[str, Any]) -> str | None:
    """Run a cell as notebooks do: what its last expression gives is shown."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, str(NOTEBOOK), "exec"), names)
    if not isinstance(last, ast.Expr):
        return None
    return shown(eval(compile(ast.Expression(last.value), str(NOTEBOOK), "eval"), names))


def test_the_notebook_runs() -> None:
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    names: dict[str, Any] = {}
    found = [run_cell("".join(cell["source"]), names) for cell in cells if cell["cell_type"] == "code"]
    outputs = [output for output in found if output is not None]
    assert "<b>Ok</b>" in outputs[0] and outputs[1].startswith("<table>")
    assert "race" in outputs[2]
    assert sum("<svg" in output for output in outputs) >= 4
    assert "release" in "".join(outputs)
    assert all(cell.get("outputs", []) == [] for cell in cells)  # nothing stale is kept


def test_states_escape_names() -> None:
    text = '; EXISTS: @"<b>" = 1\n@"<b>" = global i32 0\ndefine void @t() {\n  store i32 1, ptr @"<b>"\n  ret void\n}\n'
    result = check(load(text))
    assert "<b>&" not in shown(result.states) and "&lt;b&gt;" in shown(result.states)
    assert "&lt;b&gt;" in shown(result.states[0])


def test_executions_have_readable_attributes() -> None:
    result = check(load(LITMUS / "message-passing/MP+rel+acq.ll"))
    graph = result.executions[0]
    assert graph.nodes[0]["label"] == "initial @data = 0"
    labels = {data["label"] for _, data in graph.nodes(data=True)}
    assert "t0: store release @flag = 1" in labels
    assert {data["label"] for *_, data in graph.edges(data=True)} >= {"po", "rf", "sw"}
    assert "<svg" in shown(graph)
    assert graph.copy()._repr_svg_() is None  # a copy may be changed: it is no execution any more


def test_token_graphs_and_scope_trees() -> None:
    file = sorted((LITMUS / "dataflow").glob("**/*.ll"))[0]
    graphs = test_graphs(load(file))
    assert all("<svg" in shown(graph) for graph in graphs.values()) and graphs
    assert "workgroup 1" in shown(scope_tree("(agent (workgroup a b) (workgroup c))"))


@pytest.mark.parametrize(
    ("text", "format"),
    [
        ("@x = global i32 0\ndefine void @t() {\n  ret void\n}\n", "llvm"),
        ("C named\n{}\nP0 (atomic_int *x) { int r0 = atomic_load(x); }\nexists (0:r0=0)\n", "c"),
    ],
)
def test_load_takes_text(text: str, format: str) -> None:
    test = load(text, name="given")
    assert (test.format, test.name) == (format, "given" if format == "llvm" else "named")
