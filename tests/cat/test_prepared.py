"""Shipped models that are kept between runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from enumerator.cat import compiler, parser, prepared, typing
from enumerator.cat.parser import shipped_models
from enumerator.errors import ReferenceEngineNeeded
from enumerator.search.bitset import base_kinds
from enumerator.search.bytecode import assemble


@pytest.fixture(autouse=True)
def chosen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ENUMERATOR_CACHE_DIR", str(tmp_path))
    return tmp_path


def as_new_process(monkeypatch: pytest.MonkeyPatch) -> None:
    typing._shipped.cache_clear()
    typing._shipped_by_name.cache_clear()
    monkeypatch.setattr(prepared, "_registered", {})


def meaning(name: str) -> tuple[object, ...]:
    """What a model means to those who use it, in a form that can be compared."""
    selected = typing.select(name)
    declared = typing.world(selected.model, selected.variants)
    try:
        code = assemble(compiler.compile_model(selected.model, selected.variants, base_kinds()))
    except ReferenceEngineNeeded as reason:
        return selected, declared, str(reason)
    return (
        selected,
        declared,
        code.code.tolist(),
        code.sections.tolist(),
        code.base_relations,
        code.base_sets,
        code.flags,
    )


@pytest.mark.parametrize("name", [*shipped_models(), "llvm/direct", "amdgpu/filtered/rc11"])
def test_kept_models_mean_the_same(name: str, chosen: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    as_new_process(monkeypatch)
    first = meaning(name)
    if isinstance(first[2], str):
        assert not (chosen / "models").exists()
        return
    assert len(list((chosen / "models").iterdir())) == 1
    as_new_process(monkeypatch)
    monkeypatch.setattr(parser, "parse_text", None)  # is not needed any more
    assert meaning(name) == first


@pytest.mark.parametrize("damage", [b"", b"garbage", b"\0" * 40])
def test_damaged_models_are_read_anew(damage: bytes, chosen: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    as_new_process(monkeypatch)
    first = meaning("sc")
    (file,) = (chosen / "models").iterdir()
    file.write_bytes(damage + file.read_bytes()[len(damage) :] if damage else b"")
    as_new_process(monkeypatch)
    assert meaning("sc") == first


def test_models_that_others_can_write_are_not_read(chosen: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    as_new_process(monkeypatch)
    first = meaning("sc")
    (chosen / "models").chmod(0o777)
    monkeypatch.setattr(prepared.pickle, "loads", None)
    as_new_process(monkeypatch)
    assert meaning("sc") == first


def test_variants_and_sources_tell_kept_models_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    as_new_process(monkeypatch)
    names = {prepared._name(("m.cat", (), ())), prepared._name(("m.cat", (), ("direct",)))}
    monkeypatch.setattr(prepared, "_fingerprint", lambda: "of other sources")
    names.add(prepared._name(("m.cat", (), ())))
    assert len(names) == 3


def test_models_of_users_are_not_kept(chosen: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (chosen / "mine.cat").write_text('"mine" acyclic po | rf as sc')
    as_new_process(monkeypatch)
    meaning(str(chosen / "mine.cat"))
    assert not (chosen / "models").exists()
