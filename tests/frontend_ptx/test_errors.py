"""Bad input: one message with its place, whatever is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from enumerator.errors import InputError
from enumerator.frontend import load_text
from tests.refused import assert_cuts_are_told, assert_refused

LITMUS = Path(__file__).resolve().parents[2] / "litmus_tests" / "ptx"
HEAD = "PTX t\n{ x = 0; s @ surface aliases x; }\nP0@cta 0, gpu 0 | P1@cta 1, gpu 0 ;\n"


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("PTX", 1, 4, "the test has no name"),
        ("PTX t\n{ y @ generic aliases x; }", 2, 23, "there is no location x yet"),
        ("PTX t\n{ x = 0; y @ local aliases x; }", 2, 14, "expected a proxy: generic, constant, surface, texture"),
        ("PTX t\n{ x = 0; y @ generic x; }", 2, 22, "expected 'aliases'"),
        ("PTX t\n{ x = 0; y aliases x; }", 2, 10, "the proxy is missing"),
        ("PTX t\n{ x = y; }", 2, 7, "there is no location y yet"),
        ("PTX t\n{ x = 0; x @ generic aliases x; }", 2, 10, "x is given twice (first in line 2)"),
        ("PTX t\n{ }\nP0 ;", 3, 4, "expected '@'"),
        ("PTX t\n{ }\nP0@gpu 0, cta 0 ;", 3, 4, "expected 'cta'"),
        ("PTX t\n{ }\nP0@cta 0 ;", 3, 10, "expected ','"),
        ("PTX t\n{ }\nP0@cta 0, cluster 0 ;", 3, 21, "expected ','"),
        ("PTX t\n{ P2:r0 = 1; }\nP0@cta 0, gpu 0 ;", 2, 3, "there is no thread P2 (threads are P0)"),
    ],
)
def test_what_stands_before_the_code(text: str, line: int, column: int, message: str) -> None:
    assert_refused(text, line, column, message)


@pytest.mark.parametrize(
    ("code", "column", "message"),
    [
        ("ldd.weak r0, x", 1, "unknown instruction 'ldd'; did you mean ld?"),
        ("frobnicate", 1, "unknown instruction 'frobnicate': expected one of ld, suld"),
        ("ld.strong r0, x", 4, "unknown attribute 'strong': ld needs weak, relaxed or acquire"),
        ("ld.release.gpu r0, x", 4, "ld cannot be release: ld needs weak, relaxed or acquire"),
        ("st.acquire.gpu x, 1", 4, "st cannot be acquire"),
        ("atom.weak.gpu.add r0, x, 1", 6, "atom cannot be weak"),
        ("ld.relaxed r0, x", 11, "ld.relaxed needs a scope: cta, cluster, gpu or sys"),
        ("ld.relaxed.gpuu r0, x", 12, "unknown attribute 'gpuu'; did you mean gpu?"),
        ("ld.weak.gpu r0, x", 9, "unexpected 'gpu': a weak access has no scope"),
        ("st.relaxed.gpu.add x, 1", 16, "unexpected 'add': st has no more attributes"),
        ("ld r0, x", 1, "a load from memory is ld.weak, or ld.relaxed or ld.acquire with a scope"),
        ("atom.relaxed.gpu r0, x, 1", 17, "atom needs an operation: add"),
        ("atom.relaxed.gpu.nand r0, x, 1", 18, "unknown attribute 'nand'"),
        ("red.relaxed.gpu.exch x, 1", 17, "unknown attribute 'exch'"),
        ("atom.relaxed.gpu.cas r0, x, 1", 31, "expected ','"),
        ("fence", 6, "fence needs acquire, release, acq_rel, sc or proxy"),
        ("fence.sc", 9, "fence.sc needs a scope"),
        ("fence.relaxed.gpu", 7, "fence cannot be relaxed"),
        ("fence.proxy", 12, "fence.proxy needs generic, constant, surface, texture or alias"),
        ("fence.proxy.surface.cta", 21, "a proxy fence has no scope"),
        ("bar.gpu.sync 1", 5, "unknown attribute 'gpu': bar needs cta"),
        ("bar.cta.wait 1", 9, "bar.cta needs sync or arrive"),
        ("bar.cta.sync r1", 14, "expected the number of the barrier"),
        ("bar.cta.sync 1, 1, r1", 20, "how many threads have to arrive is in a register"),
        ("bar.cta.sync 1, 1, 0", 20, "at least one thread has to arrive"),
        ("st.weak r1, 1", 9, "expected a location"),
        ("st.weak x, y", 12, "expected a number or a register"),
        ("goto LC7", 6, "P0 has no label LC7"),
    ],
)
def test_instructions(code: str, column: int, message: str) -> None:
    assert_refused(f"{HEAD}{code} | ;\n", 4, column, message)


def test_rows_have_a_cell_for_each_thread() -> None:
    with pytest.raises(InputError, match="this row has 1 cells for 2 threads"):
        load_text(f"{HEAD}st.weak x, 1 ;\n", "t.litmus")


def test_any_cut_gives_a_test_or_a_message() -> None:
    assert_cuts_are_told(LITMUS, 4, 3)
