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
                source = PACKAGE.parent.joinpath(*node.module.split(".")).with_suffix(".py")  # type: ignore[union-attr]
                assert source in covered, f"{file.name} imports {node.module}"
