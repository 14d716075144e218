"""Compiled kernels are kept by a hash of everything that they are compiled from."""

from __future__ import annotations

import ast
from pathlib import Path

import enumerator
from enumerator.jit.cache import SOURCES

PACKAGE = Path(enumerator.__file__).parent


def test_kernels_import_only_what_the_hash_covers() -> None:
    covered = {file for pattern in SOURCES for file in PACKAGE.glob(pattern)}
    kernels = set(PACKAGE.glob("search/kernels/*.py"))
    assert kernels and kernels <= covered
    for file in covered:
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("enumerator"):
                place = PACKAGE.parent.joinpath(*node.module.split("."))  # type: ignore[union-attr]
                sources = (
                    [place / f"{each.name}.py" for each in node.names] if place.is_dir() else [place.with_suffix(".py")]
                )
                for source in sources:
                    assert source in covered, f"{file.name} imports {node.module}"
