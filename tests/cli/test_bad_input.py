"""Whatever a file is, each command answers with one message and the exit code 2."""

from __future__ import annotations

import io
import json
import os
import sys
import time
from pathlib import Path

import pytest

from enumerator.cli import main
from enumerator.errors import InputError

TEST = """; EXISTS: @x = 1
@x = global i32 0
define void @t0() {
  store i32 1, ptr @x
  ret void
}
"""
LOG = """Test MP Allowed
States 1
{state}
Ok
Witnesses
Positive: {positive} Negative: 0
Condition exists (x=1)
Observation MP Always 1 0
"""
DIGITS = "1" * 5000

COMMANDS = {
    "run": ("run", "{file}"),
    "check": ("check", "{file}"),
    "inspect": ("inspect", "{file}"),
    "infer": ("infer", "thread-private", "{file}"),
    "order": ("order", "{file}", "--mode", "race"),
    "tokens": ("tokens", "{file}"),
    "translate": ("translate", "{file}", "--to", "llvm"),
    "compare": ("compare", "{file}", "{file}"),
    "compare models": ("compare", "{file}", "--model", "sc", "--model", "tso"),
    "models": ("models", "{file}"),
    "profiles": ("profiles", "{file}"),
    "--model": ("run", "good.ll", "--model", "{file}"),
    "--profile": ("run", "good.ll", "--profile", "{file}"),
}


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    out, err = capsys.readouterr()
    assert isinstance(ended.value.code, int)
    return ended.value.code, out, err


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "good.ll").write_text(TEST)
    return tmp_path


def fifo(path: Path) -> None:
    os.mkfifo(path)


def endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


def link(path: Path) -> None:
    path.symlink_to("nowhere")


def round_about(path: Path) -> None:
    path.symlink_to(path.name)


def large(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(1 << 40)


def bytes_of(data: bytes):  # type: ignore[no-untyped-def]
    return lambda path: path.write_bytes(data)


FILES = {
    "fifo": (fifo, "this is no regular file"),
    "endless": (endless, "this is no regular file"),
    "folder": (Path.mkdir, ""),
    "link": (link, "a link to a file that does not exist"),
    "round about": (round_about, ""),
    "large": (large, "larger than"),
    "UTF-16": (bytes_of(TEST.encode("utf-16")), "the file is not UTF-8"),
    "Latin-1": (bytes_of(b"; caf\xe9\n"), "not valid UTF-8"),
    "NUL": (bytes_of(b"Test \0\n"), ""),
    "nothing": (bytes_of(b""), ""),
    "JSON with NaN": (bytes_of(b'[{"status": NaN}]'), ""),
    "deep JSON": (bytes_of(b"[" * 100_000), ""),
    "long JSON": (bytes_of(b'{"status": ' + DIGITS.encode() + b"}"), ""),
}


@pytest.mark.parametrize("kind", FILES)
@pytest.mark.parametrize("command", COMMANDS)
def test_one_message(folder: Path, capsys: pytest.CaptureFixture[str], command: str, kind: str) -> None:
    make, message = FILES[kind]
    if (command, kind) in (("models", "nothing"), ("profiles", "nothing"), ("--profile", "nothing")):
        return  # an empty profile says nothing, and an empty model can be shown
    if kind == "folder" and command in ("run", "check", "compare models"):
        message = "no tests in this folder"
    make(folder / "bad.ll")
    code, out, err = run(capsys, *(part.format(file="bad.ll") for part in COMMANDS[command]))
    assert code == 2, (out, err)
    told = out + err
    assert message in told and "Traceback" not in told and "internal error" not in told
    assert "bad.ll" in told and len(err.splitlines()) == (0 if command == "check" and kind != "folder" else 1)


def test_a_bad_file_in_a_folder_is_an_error_of_that_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kinds = ("fifo", "endless", "link", "large", "UTF-16", "NUL")
    for kind in kinds:
        FILES[kind][0](folder / f"{kind.replace(' ', '-')}.ll")
    code, out, _ = run(capsys, "check", ".", "--jobs", "1")
    assert code == 2 and out.splitlines()[-1].startswith(
        f"{len(kinds) + 1} tests, {len(kinds) + 1} results: 1 as expected, 0 different, 0 unknown, {len(kinds)} errors"
    )


def test_whatever_fails_there_is_no_traceback(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(name: str) -> None:
        raise KeyError("by\nhand")

    monkeypatch.setattr("enumerator.files.read_text", fail)
    code, out, err = run(capsys, "order", "good.ll", "--mode", "race")
    assert (code, out) == (2, "")
    assert err.startswith("enumerator: internal error: KeyError: 'by\\nhand' (test_bad_input.py:")


def piped(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


@pytest.mark.parametrize(
    "arguments", [("run", "-"), ("check", "-"), ("inspect", "-"), ("infer", "thread-private", "-")]
)
def test_standard_input(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    piped(monkeypatch, TEST.encode())
    code, out, err = run(capsys, *arguments)
    assert (code, err) == (0, "") and out


def test_standard_input_of_other_kinds(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "a.log").write_text(LOG.format(state="x=1;", positive=1))
    piped(monkeypatch, (folder / "a.log").read_bytes())
    assert run(capsys, "compare", "a.log", "-")[0] == 0
    piped(monkeypatch, b"C piped\n{ x=0; }\nP0(int* x) { int r0 = *x; }\nexists (0:r0=0)\n")
    assert "Test piped Allowed" in run(capsys, "run", "-")[1]
    piped(monkeypatch, b"; " * (20 << 20))
    code, _, err = run(capsys, "run", "-")
    assert code == 2 and "-: the file is larger than 32 MiB" in err


# Numbers of thousands of digits


def test_wide_integers(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wide = TEST.replace("i32 1,", "i32768 %s,").replace("i32 0", "i32768 0")
    shifted = "  %a = load i32768, ptr @x\n  %b = add i32768 %a, 1\n  %s = shl i32768 %b, 20000\n"
    wide = wide.replace("  store", f"{shifted}  store")
    (folder / "wide.ll").write_text(wide)
    code, out, err = run(capsys, "run", "wide.ll", "--all-values")
    assert (code, err) == (1, "") and f"@x={hex(1 << 20000)};" in out
    for options in (("--format", "json"), ("--format", "csv"), ("--verbose", "--engine", "networkx")):
        code, out, err = run(capsys, "run", "wide.ll", *options)
        assert (code, err) == (1, "") and out
    run(capsys, "run", "wide.ll", "--format", "json", "--output", "a.json")
    assert json.loads((folder / "a.json").read_text())[0]["states"][0]["values"]["@x"] == hex(1 << 20000)
    run(capsys, "run", "wide.ll", "--output", "a.log")
    assert run(capsys, "compare", "a.json", "a.log")[0] == 0
    assert run(capsys, "order", "wide.ll", "--mode", "race", "--check")[0] == 0
    assert run(capsys, "infer", "thread-private", "wide.ll")[0] == 0


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.toml", f'[[implied]]\ntags=["a:b"]\naddress-spaces=[{DIGITS}]'),
        ("a.toml", f'[[implied]]\ntags=["a:b"]\naddress-spaces=[-0x{DIGITS}]'),
        ("a.toml", f"description = [0x{DIGITS}]"),
        ("a.json", f'{{"status": {DIGITS}}}'),
        ("a.json", '[{"name": [], "status": "error", "error": 1e999}, {"status": [[]]}]'),
        ("a.log", LOG.format(state="x=1;", positive=DIGITS)),
        ("a.log", LOG.format(state="x=1;", positive=1).replace("States 1", f"States {DIGITS}")),
        ("a.log", LOG.format(state="x=1;", positive=1).replace("States 1", "States 999999999999999999")),
    ],
)
def test_long_numbers(folder: Path, capsys: pytest.CaptureFixture[str], name: str, text: str) -> None:
    (folder / name).write_text(text)
    code, _, err = run(capsys, *(("profiles", name) if name == "a.toml" else ("compare", name, name)))
    assert code == 2 and name in err and "internal error" not in err and len(err) < 300


def test_long_numbers_that_are_compared(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "a.log").write_text(LOG.format(state=f"x={DIGITS};", positive=1))
    (folder / "b.log").write_text(LOG.format(state=f"x=0x{DIGITS};", positive=1))
    assert run(capsys, "compare", "a.log", "a.log")[0] == 0
    assert run(capsys, "compare", "a.log", "b.log")[0] == 1


# Long runs of one character


def readers(folder: Path):  # type: ignore[no-untyped-def]
    from enumerator.cat.parser import parse_text
    from enumerator.conditions import parse_condition
    from enumerator.corpus.records import read_records
    from enumerator.frontend import load_text
    from enumerator.inspection.inspect import inspect_text
    from enumerator.mmra import load_profile, parse_tags

    def written(function, text: str) -> None:  # type: ignore[no-untyped-def]
        (folder / "file").write_text(text)
        function(str(folder / "file"))

    threads = "{ x=0; }\nP0(int* x) { int r0 = *x; }\n"
    vulkan = "VULKAN hang\n{ x=0; }\n P0@sg 0, wg 0, qf 0 ;\n ld.atom.dv.sc0 r0, x ;\n"
    return {
        "C": lambda run: load_text(f"C hang\n{threads}{run}\nexists (0:r0=0)", "a.litmus"),
        "C, header": lambda run: load_text(f"C hang\n{run}\n{threads}", "a.litmus"),
        "C, comment": lambda run: load_text(f"C hang\n{threads}// a{run}x\n(* b{run}x\n *)\nexists true", "a.litmus"),
        "Vulkan": lambda run: load_text(f"{vulkan}{run}\nexists (P0:r0 == 0)", "a.litmus"),
        "Vulkan, comment": lambda run: load_text(f"{vulkan}(* a{run}x\n*)\nexists (P0:r0 == 0)", "a.litmus"),
        "Vulkan, header": lambda run: load_text(f"VULKAN hang\n{run}\n{{ x=0; }}", "a.litmus"),
        "Alloy": lambda run: load_text(f"NEWWG\n{run}\nst x{run} = 1\nSATISFIABLE x", "a.test"),
        "directives": lambda run: load_text(f"; EXPECT {run}x\n; EXISTS: true{run}\n; SCOPES: {run}\n{TEST}", "a.ll"),
        "LLVM IR": lambda run: load_text(f"{TEST}{run}\n", "a.ll"),
        "inspection": lambda run: inspect_text(f'{TEST}; PROFILE: a{run}b\n!0 = !{{!"{run}"}}\n', "a.ll"),
        "cat": lambda run: parse_text(f"let x = po {run}", "a.cat"),
        "condition": lambda run: parse_condition(f"@x{run} = 1"),
        "profile": lambda run: written(load_profile, f"description = {run}"),
        "tags": parse_tags,
        "log": lambda run: written(read_records, LOG.format(state=run, positive=1)),
        "log, outside": lambda run: written(read_records, f"{run}x\n"),
        "JSON": lambda run: written(read_records, f"[{run}"),
    }


@pytest.mark.parametrize(
    "piece", [" ", "\t", "\n", "(", "(*", "*", "/*", '"', "[", "[0]", "{", "<", "-", "a", "0", "=", "@", ":", "{}\n"]
)
def test_linear_time(tmp_path: Path, piece: str) -> None:
    for name, reader in readers(tmp_path).items():
        start = time.process_time()
        try:
            reader(piece * (20_000 // len(piece)))
        except InputError:
            pass
        assert time.process_time() - start < 3, name


# What a terminal or a spreadsheet would run


def test_control_characters_of_names(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "escape.ll").write_text(
        '; EXISTS: t1:%"a\x1b[31mX" = 0\n@"x\x1b[2J" = global i32 0\n'
        'define void @t0() {\n store i32 1, ptr @"x\x1b[2J"\n ret void\n}\n'
        'define void @t1() {\n %"a\x1b[31mX" = load i32, ptr @"x\x1b[2J"\n ret void\n}\n'
    )
    (folder / "bad.ll").write_text(TEST.replace("i32 1,", "i32 \x1b[2J,"))
    (folder / "own.cat").write_text('"A \x1b[31mtitle" (* \x9b2J *) empty 0')
    commands = [
        *(("run", "escape.ll", "--format", each) for each in ("text", "json", "csv", "junit")),
        ("run", "escape.ll", "--verbose", "--engine", "networkx", "--all-values"),
        ("check", "escape.ll", "bad.ll"),
        ("run", "bad.ll", "\x1b[2J"),
        ("inspect", "escape.ll", "--verbose"),
        ("infer", "thread-private", "escape.ll"),
        ("order", "escape.ll", "--mode", "linear", "--check"),
        ("order", "escape.ll", "--mode", "linear", "--emit"),
        ("models", "own.cat"),
        ("tags", "a:\x1b[2J", "a:b"),
    ]
    for command in commands:
        _, out, err = run(capsys, *command)
        assert (out + err).replace("\n", "").isprintable(), command
    run(capsys, "run", "escape.ll", "--all-values", "--output", "a.log")
    run(capsys, "run", "escape.ll", "--all-values", "--output", "a.json", "--format", "json")
    text = (folder / "a.log").read_text()
    assert "t1:%a\\x1b[31mX=" in text and "@x\\x1b[2J=1;" in text and text.replace("\n", "").isprintable()
    assert run(capsys, "compare", "a.log", "a.json")[0] == 0


NAME = "a\n\tb\x1b[2J"
QUOTED = r"a\n\tb\x1b[2J"


def test_control_characters_of_files(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own, bad, model, other = f"{NAME}.ll", f"bad{NAME}.ll", f"{NAME}.cat", f"bad{NAME}.cat"
    (folder / own).write_text(TEST.replace("EXISTS: @x = 1", "EXISTS: @x = 2"))
    (folder / bad).write_text(TEST.replace("i32 1,", "i32,"))
    (folder / model).write_text('"m"\nlet x = po\nacyclic x')
    (folder / other).write_text('"m"\nacyclic (')
    for command in (
        *((each, own) for each in ("run", "check", "explain", "draw", "inspect", "repair", "optimize", "tokens")),
        *(("run", own, "--model", each) for each in (model, other)),
        *(("run", own, each, bad) for each in ("--profile", "-I", "--store")),
        *(("run", bad, "--format", each) for each in ("csv", "junit")),
        ("check", own, bad),
        ("refines", own, own),
        ("infer", "thread-private", own),
        ("translate", own, "--to", "llvm"),
        ("compare", own, own),
        ("compare", "--model", "sc", "--model", model, own),
        ("distinguish", "sc", model, "--kinds", "read,write"),
        ("models", model),
        ("models", other),
        ("profiles", bad),
        ("new", own),
        ("run", f"no{own}"),
    ):
        _, out, err = run(capsys, *command)
        said = (out + err).replace("&#10;&#09;", r"\n\t")
        assert said.replace("\n", "").isprintable(), command
        assert "\tb" not in said and (QUOTED in said or command in (("optimize", own), ("check", own))), command
        assert "\n" not in err.rstrip("\n"), command


def test_formulas_of_a_spreadsheet(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "a.litmus").write_text("C =1+1\n{ x=0; }\nP0(int* x) { int r0 = *x; }\nexists (0:r0=0)\n")
    code, out, _ = run(capsys, "run", "a.litmus", "--format", "csv")
    assert code == 0 and out.splitlines()[1].startswith("'=1+1,")
