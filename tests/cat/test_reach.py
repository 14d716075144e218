"""What a model or a test from a stranger reaches, tells and may leave out."""

from __future__ import annotations

from pathlib import Path

import pytest

from enumerator import api
from enumerator.asking import select_profile
from enumerator.cat.parser import load_model, parse_text, shipped_models
from enumerator.cat.typing import select
from enumerator.errors import InputError
from enumerator.frontend import load_text

SECRET = "root:x:0:0:secret\n"
TEST = "; {directive}\n; EXISTS: @x = 1\n@x = global i32 0\ndefine void @t0() {{\n store i32 1, ptr @x\n ret void\n}}\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "passwd").write_text(SECRET)
    (tmp_path / "out.cat").write_text("let out = po")
    (tmp_path / "own.toml").write_text('synchronize = "always"')
    (tmp_path / "here" / "below").mkdir(parents=True)
    (tmp_path / "here" / "beside.cat").write_text("let near = po")
    (tmp_path / "here" / "below" / "deep.cat").write_text('include "../beside.cat"')
    (tmp_path / "here" / "own.toml").write_text('synchronize = "compatible"')
    return tmp_path


def model(folder: Path, include: str) -> Path:
    path = folder / "here" / "m.cat"
    path.write_text(f'"M" include "{include}"\nempty 0')
    return path


def error_of(path: Path, *arguments: object) -> InputError:
    with pytest.raises(InputError) as caught:
        load_model(path, *arguments)  # type: ignore[arg-type]
    return caught.value


# Includes


@pytest.mark.parametrize("include", ["beside.cat", "below/deep.cat", "below/../beside.cat", "stdlib.cat"])
def test_includes_beside_the_model(folder: Path, include: str) -> None:
    assert len(load_model(model(folder, include)).statements) > 1


@pytest.mark.parametrize(
    "include", ["../out.cat", "below/../../out.cat", "{folder}/out.cat", "../nowhere", "/etc/passwd"]
)
def test_includes_elsewhere(folder: Path, include: str) -> None:
    path = model(folder, include.format(folder=folder))
    for directories in ((), (folder / "here" / "below",)):
        error = error_of(path, directories)
        assert (error.line, error.column) == (1, 5) and "--allow-includes-anywhere allows it" in error.message
    if "out.cat" in include:
        assert len(load_model(path, (), True).statements) == 2
        assert select(path, includes_anywhere=True).name == str(path)


def test_an_include_in_a_folder_that_is_given(folder: Path) -> None:
    assert len(load_model(model(folder, "../out.cat"), [folder]).statements) == 2


@pytest.mark.parametrize("name", ["rc11", "llvm/direct"])
def test_a_shipped_model_reads_nothing_in_a_folder_that_is_given(folder: Path, name: str) -> None:
    own = load_model(name.split("/")[0])
    for file in ("stdlib.cat", "rc11.cat", "parts/happens-before.cat", "may-see.cat"):
        path = folder / "here" / file
        path.parent.mkdir(exist_ok=True)
        path.write_text("let hb = po\nempty hb as nothing")
    assert load_model(name.split("/")[0], [folder / "here"]) == own
    assert select(name, [folder / "here"]) is select(name)


def test_links_are_resolved(folder: Path) -> None:
    path = model(folder, "link.cat")
    (folder / "here" / "link.cat").symlink_to(folder / "out.cat")
    assert "--allow-includes-anywhere" in error_of(path).message
    (folder / "here" / "link.cat").unlink()
    (folder / "here" / "link.cat").symlink_to("beside.cat")
    assert len(load_model(path).statements) == 2
    (folder / "linked.cat").symlink_to(path)  # a model that is a link itself has what is beside its file
    assert len(load_model(folder / "linked.cat").statements) == 2


def test_in_a_branch_that_is_not_selected(folder: Path) -> None:
    path = folder / "here" / "m.cat"
    path.write_text('if "v" include "missing.cat" end empty 0')
    assert load_model(path).statements
    path.write_text('if "v" include "../passwd" end empty 0')
    assert "--allow-includes-anywhere" in error_of(path).message


def test_nothing_is_told_of_what_is_no_model(folder: Path) -> None:
    path = model(folder, "../passwd")
    errors = [error_of(path), error_of(path, (), True), error_of(folder / "passwd")]
    (folder / "here" / "link.cat").symlink_to(folder / "passwd")
    errors.append(error_of(model(folder, "link.cat"), [folder]))
    for error in errors:
        assert not any(word in error.message for word in ("root", "secret", "x:"))
    assert "this is no model" in errors[1].message and (errors[1].line, errors[1].column) == (1, 5)


# Profiles


def test_a_profile_beside_the_test(folder: Path) -> None:
    test = load_text(TEST.format(directive="PROFILE: own.toml"), str(folder / "here" / "a.ll"))
    assert select_profile(test, None).synchronize == "compatible"
    assert select_profile(test, None).name == "own.toml"
    assert select_profile(test, str(folder / "own.toml")).synchronize == "always"
    assert api.check(test, "sc").profile == "own.toml"


@pytest.mark.parametrize(
    "name", ["../own.toml", "{folder}/own.toml", "{folder}/here/own.toml", "/etc/passwd", "x/../../own.toml"]
)
def test_a_profile_elsewhere(folder: Path, name: str) -> None:
    text = TEST.format(directive=f"PROFILE: {name.format(folder=folder)}")
    with pytest.raises(InputError, match=r"is not in the folder of the test: give it with --profile"):
        api.check(load_text(text, str(folder / "here" / "a.ll")), "sc")


def test_a_profile_of_an_expectation(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from enumerator.corpus.tasks import Models, check_file
    from enumerator.options import BatchOptions

    monkeypatch.chdir(folder)
    (folder / "here" / "a.ll").write_text(TEST.format(directive="EXPECT: sc@own.toml=Always"))
    options = BatchOptions(by_expectations=True)
    (result,) = check_file("here/a.ll", options, Models(()))
    assert (result.profile, result.as_expected) == ("own.toml", True)
    (folder / "here" / "own.toml").unlink()  # the one in the current folder is not taken
    (result,) = check_file("here/a.ll", options, Models(()))
    assert "no such profile beside the test" in str(result.error)


def test_nothing_is_told_of_what_is_no_profile(folder: Path) -> None:
    for text in (SECRET, 'password = "secret"', "secret = [", 'description = ["secret"]'):
        (folder / "here" / "secret").write_text(text)
        test = load_text(TEST.format(directive="PROFILE: secret"), str(folder / "here" / "a.ll"))
        with pytest.raises(InputError, match="this is no profile") as caught:
            api.check(test, "sc")
        assert not any(word in caught.value.message for word in ("password", "root", "[", "="))


# Titles


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("acylic po", "m.cat:1:1: unknown statement 'acylic'; did you mean 'acyclic'?"),
        ("(* c *) acylic po\nacyclic rf", "m.cat:1:9: unknown statement 'acylic'; did you mean 'acyclic'?"),
        ("Irreflexive po", "m.cat:1:1: unknown statement 'Irreflexive'; did you mean 'irreflexive'?"),
        ("C RC11", "m.cat:1:1: expected a statement after the title 'C RC11'"),
        ("RC11", "m.cat:1:1: expected a statement after the title 'RC11'"),
    ],
)
def test_what_is_no_title(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_text(text, "m.cat")
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ('"acylic po"', "acylic po"),
        ('C "C++11"', "C C++11"),
        ("C RC11 acyclic po", "C RC11"),
        ("Empty empty po", "Empty"),
        ("ARM\nacyclic po", "ARM"),
    ],
)
def test_what_is_a_title(text: str, title: str) -> None:
    assert parse_text(text, "m.cat").title == title


# Models that check nothing


@pytest.mark.parametrize(
    "text", ["", '"T"', "let x = po", "T let x = po", "with co from generate_cos(co0)", 'if "v" let x = po end']
)
def test_a_model_that_checks_nothing(tmp_path: Path, text: str) -> None:
    (tmp_path / "m.cat").write_text(text)
    with pytest.raises(InputError, match=r"m\.cat: the model checks nothing: .* say 'empty 0'"):
        select(tmp_path / "m.cat")


@pytest.mark.parametrize(
    "text",
    [
        "empty 0",
        "flag ~empty rf as seen",
        'if "v" empty 0 end',
        "procedure p() = empty 0 end call p()",
        "~empty _",
        "show po",
    ],
)
def test_a_model_that_says_what_it_checks(tmp_path: Path, text: str) -> None:
    (tmp_path / "m.cat").write_text(text)
    select(tmp_path / "m.cat")


def test_what_is_shipped_checks_something() -> None:
    for name in shipped_models():
        assert select(name)
