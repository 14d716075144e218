"""Bad input: one message with its place, whatever is wrong."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from pathlib import Path

import pytest

from enumerator.errors import InputError
from tests.frontend_vulkan.source import load
from tests.generated.amounts import examples
from tests.refused import assert_refused

LITMUS = Path(__file__).resolve().parents[2] / "litmus_tests" / "vulkan"
HEAD = "VULKAN t\n{ x = 0; y aliases x; }\nP0@sg 0, wg 0, qf 0 | P1@sg 0, wg 1, qf 0 ;\n"


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("VULKAN", 1, 7, "the test has no name"),
        ("VULKAN t\n(* comment", 2, 1, "this comment is not closed"),
        ("VULKAN t\n{ /* x }", 2, 3, "this comment is not closed"),
        ("VULKAN t\nno state", 2, 9, "the file ends here: expected '{' and the initial state"),
        ("VULKAN t\n{ x = 1;", 2, 9, "the file ends here: expected the '}' of the '{' in line 2"),
        ("VULKAN t\n{ x = 1; x = 2; }", 2, 10, "x is given twice (first in line 2)"),
        ("VULKAN t\n{ P0:r0 = 1; 0:r0 = 2; }", 2, 14, "P0:r0 is given twice"),
        ("VULKAN t\n{ x = ; }", 2, 7, "expected a number"),
        ("VULKAN t\n{ x = &y; }", 2, 7, "addresses are no values here"),
        ("VULKAN t\n{ x = 4294967296; }", 2, 7, "this number does not fit into 32 bits"),
        ("VULKAN t\n{ x = 12ab; }", 2, 7, "this number is malformed"),
        ("VULKAN t\n{ x 1; }", 2, 5, "expected '=' and a value, or aliases and a location"),
        ("VULKAN t\n{ x = 1 y = 2 }", 2, 9, "expected ';' or '}'"),
        ("VULKAN t\n{ r1 = 1 }", 2, 3, "r1 cannot be the name of a location"),
        ("VULKAN t\n{ P0:a = 1 }", 2, 6, "registers are r0, r1"),
        ("VULKAN t\n{ x aliases x; }", 2, 13, "x cannot refer to itself"),
        ("VULKAN t\n{ y aliases x; z aliases y; }", 2, 16, "y is a reference itself"),
        ("VULKAN t\n{ }\n{ sww 0 1; }", 3, 3, "expected 'ssw'"),
        ("VULKAN t\n{ }\n{ ssw 0 x; }", 3, 9, "expected a thread, as P0"),
        ("VULKAN t\n{ P3:r0 = 1; }\nP0@sg 0, wg 0, qf 0 ;", 2, 3, "there is no thread P3 (threads are P0)"),
        ("VULKAN t\n{ }\n{ ssw 0 1; }\nP0@sg 0, wg 0, qf 0 ;", 3, 9, "ssw: there is no thread P1"),
        ("VULKAN t\n{ }\n{ ssw 0 0; }\nP0@sg 0, wg 0, qf 0 ;", 3, 9, "not synchronized with itself"),
        ("VULKAN t\n{ }\n", 2, 4, "the file ends here: expected a thread, as P0@sg 0"),
        ("VULKAN t\n{ }\nP0 | P1 ;", 3, 4, "expected '@'"),
        ("VULKAN t\n{ }\nP0@wg 0, sg 0, qf 0 ;", 3, 4, "expected 'sg'"),
        ("VULKAN t\n{ }\nP0@sg 0, wg, qf 0 ;", 3, 12, "expected the number of an instance"),
        ("VULKAN t\n{ }\nP0@sg 0, wg 0, qf 0", 3, 20, "the file ends here: expected '|' and another thread, or ';'"),
        ("VULKAN t\n{ }\nP0@sg 0, wg 0, qf 0 | P0@sg 0, wg 0, qf 0 ;", 3, 23, "a second thread P0"),
        ("VULKAN t\n{ }\nP0@sg 0, wg 0, qf 0 ; $", 3, 23, "unexpected '$'"),
    ],
)
def test_sections(text: str, line: int, column: int, message: str) -> None:
    assert_refused(text, line, column, message)


@pytest.mark.parametrize(
    ("row", "column", "message"),
    [
        ("str.sc0 x, 1 | ;", 1, "unknown instruction 'str'; did you mean st?"),
        ("fence | ;", 1, "unknown instruction 'fence': expected one of st, ld, rmw"),
        ("st.sc0.atm x, 1 | ;", 8, "unknown attribute 'atm'; did you mean atom?"),
        ("st.sc4 x, 1 | ;", 4, "there are four storage classes"),
        ("st.dv.atom x, 1 | ;", 1, "st needs one storage class"),
        ("st.sc0.sc1 x, 1 | ;", 1, "st needs one storage class"),
        ("st.sc0.sc0 x, 1 | ;", 8, "sc0 is given twice"),
        ("st.atom.sc0 x, 1 | ;", 1, "a scope is missing: an atomic operation needs"),
        ("st.av.sc0 x, 1 | ;", 1, "a scope is missing: av and vis need"),
        ("st.atom.sg.wg.sc0 x, 1 | ;", 1, "an operation has one scope"),
        ("st.rel.dv.sc0 x, 1 | ;", 1, "rel needs atom"),
        ("st.atom.acq.dv.sc0 x, 1 | ;", 9, "st cannot have acq"),
        ("ld.av.dv.sc0 r0, x | ;", 4, "ld cannot have av"),
        ("st.atom.dv.sc0.semsc0.semav x, 1 | ;", 1, "semav needs rel or acq_rel"),
        ("membar.acq.dv.semsc0.semav | ;", 1, "semav needs rel or acq_rel"),
        ("membar.dv.semsc0 | ;", 1, "membar needs acq, rel or acq_rel"),
        ("membar.acq.semsc0 | ;", 1, "a scope is missing: membar needs"),
        ("membar.acq.dv.sc0 | ;", 15, "membar cannot have sc0"),
        ("cbar.wg | ;", 9, "expected the number of the barrier"),
        ("cbar.wg r0 | ;", 9, "expected the number of the barrier"),
        ("avdevice.dv | ;", 10, "avdevice cannot have dv"),
        ("ld.sc0 x, r0 | ;", 8, "expected a register, as r0"),
        ("st.sc0 r0, 1 | ;", 8, "expected a location"),
        ("st.sc0 x | ;", 10, "expected ','"),
        ("st.sc0 x, z | ;", 11, "expected a number or a register"),
        ("rmw.atom.dv.sc0.add.sub r0, x, 1 | ;", 1, "a read-modify-write has one operator"),
        ("ld.st.sc0 r0, x | ;", 1, "st and ld exclude each other"),
        ("goto LC00 | ;", 6, "P0 has no label LC00"),
        ("beq 1, 2 | ;", 10, "expected ','"),
        ("LC00: | ;\nLC00: | ;", 1, "a second label LC00 in P0"),
        ("st.sc0 x, 1 ;", 1, "this row has 1 cells for 2 threads"),
        ("st.sc0 x, 1 | | ;", 1, "this row has 3 cells for 2 threads"),
        ("st.sc0 x, 1", 12, "the file ends here: expected '|', or ';'"),
    ],
)
def test_code(row: str, column: int, message: str) -> None:
    line = 4 + row.count("\n")
    assert_refused(HEAD + row, line, column, message)


@pytest.mark.parametrize(
    ("question", "column", "message"),
    [
        ("exists (P0:r0 == 1)", 12, "thread P0 has no register r0"),
        ("exists (P7:r0 == 1)", 9, "there is no thread P7 (threads are P0, P1)"),
        ("exists (z == 1)", 9, "unknown location z"),
        ("exists (y == 1)", 9, "unknown location y"),
        ("exists (x == 1", 15, "expected ')'"),
        ("exists (x == 1) exists (x == 1)", 17, "expected the end of the test"),
        ("exists", 7, "expected a condition"),
        ("filter (x = 1) exist (x = 1)", 16, "expected locations, filter, exists"),
        ("exists " + "(" * 200 + "x=1" + ")" * 200, 98, "nested too deep"),
    ],
)
def test_questions(question: str, column: int, message: str) -> None:
    assert_refused(HEAD + question, 4, column, message)


@pytest.mark.parametrize(
    ("directive", "message"),
    [
        ("SCOPES: (agent P0 P1)", "the head of a thread's column says"),
        ("THREADS: a=@f", "the head of a thread's column says"),
        ("EXISTS: x = 1", "a second condition"),
        ("EXPECT: vulkan=Perhaps", "unknown observation"),
    ],
)
def test_directives(directive: str, message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)) as caught:
        load(f"VULKAN t\n// {directive}\n{{}}\nP0@sg 0, wg 0, qf 0 ;\nst.sc0 x, 1 ;\nexists (x=1)")
    assert (caught.value.path, caught.value.line) == ("t.litmus", 2)


@pytest.mark.parametrize(
    ("line", "column", "message"),
    [
        ("st.sc0", 7, "expected a variable"),
        ("st.sc0 x = 1 2", 8, "expected a variable"),
        ("st.sc0 x = 99999999999", 8, "expected a variable"),
        ("st.sc0 x = 4294967295", 8, "this number does not fit into 32 bits"),
        ("cbar.scopewg x", 14, "expected the number of the barrier"),
        ("avdevice x", 10, "unexpected 'x'"),
        ("stt.sc0 x", 1, "unknown operation 'stt'; did you mean st?"),
        ("NEWTHREAD x", 11, "expected the number of a thread, not 'x'"),
        ("NEWTHREAD 0", 1, "a second thread 0 (the first is in line 1)"),
        ("NEWSG", 1, "the file ends here: expected NEWTHREAD"),
        ("NEWSG 1", 7, "unexpected '1'"),
        ("SSW 0", 1, "SSW: expected two threads"),
        ("SSW 0 4", 1, "SSW: there is no thread 4"),
        ("SSW 0 0", 1, "not synchronized with itself"),
        ("SLOC x", 1, "SLOC: expected two names"),
        ("SATISFIABLE", 1, "SATISFIABLE: expected consistent[X]"),
        ("// EXPECT: vulkan=Perhaps", 12, "unknown observation"),
        ("// SCOPES: (agent P0)", 12, "have no place here"),
    ],
)
def test_alloy(line: str, column: int, message: str) -> None:
    assert_refused(f"NEWTHREAD 0\nst.sc0 y = 1\n{line}\n", 3, column, message, "t.test")


def test_contradicting_questions() -> None:
    text = "st.sc0 x = 1\nSATISFIABLE consistent[X]\nNOSOLUTION consistent[X]\n"
    assert_refused(text, 3, 1, "this contradicts line 2", "t.test")


def test_a_test_without_instructions() -> None:
    with pytest.raises(InputError, match="the test has no instruction"):
        load("// nothing\n", "t.test")


@pytest.mark.parametrize("path", sorted(LITMUS.glob("[AV]-*")), ids=lambda path: path.stem)
def test_truncated_and_damaged_files(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    choose = random.Random(path.stem)
    damaged = [text[:length] for length in range(0, len(text), 23)]
    for _ in range(examples(15)):
        start, end = sorted(choose.randrange(len(text)) for _ in range(2))
        damaged.append(text[:start] + text[min(end, start + 12) :])
        inserted = choose.choice(["(", "}", "|", "\x01", "r0 ", "é", ";", "..", "||", "9" * 50, " NEWSG "])
        damaged.append(text[:start] + inserted + text[start:])
    for each in damaged:
        if path.suffix == ".litmus" and not re.match(r"VULKAN\s", each) or not each.strip():
            continue
        try:
            load(each, f"t{path.suffix}")
        except InputError as error:
            assert error.path == f"t{path.suffix}" and error.line is not None
            assert error.line <= each.count("\n") + 1


def test_loading_imports_nothing_heavy() -> None:
    script = (
        "import sys; from enumerator.frontend import load; "
        f"load({str(next(LITMUS.glob('*.litmus')))!r}); load({str(next(LITMUS.glob('*.test')))!r}); "
        "print([name for name in ('numba', 'networkx', 'llvmlite', 'lark', 'numpy') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
