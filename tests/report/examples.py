"""Results made by hand."""

from __future__ import annotations

from dataclasses import replace

from enumerator.program.values import UNDEF, Pointer
from enumerator.results.result import Result, State

MP = Result(
    name="MP",
    path="litmus/mp/MP.ll",
    model="llvm",
    profile="generic",
    hb="closure",
    thin_air="dep",
    options={"hb": "closure", "thin-air": "dep"},
    quantifier="exists",
    condition="t1:%flag = 1 /\\ t1:%data = 0",
    formula="t1:%flag=1 /\\ t1:%data=0",
    verdict="Ok",
    observation="Sometimes",
    positive=1,
    negative=3,
    states=(
        State({"t1:%data": 0, "t1:%flag": 0}, 1, False),
        State({"t1:%data": 1, "t1:%flag": 0}, 2, False),
        State({"t1:%data": UNDEF, "t1:%flag": 1, "@p": Pointer("@x", 8)}, 1, True, True),
    ),
    flags=("race",),
    expected="Sometimes",
    expected_flags=("race",),
    as_expected=True,
    explored=12,
    consistent=4,
    seconds=0.0004,
    notes=("the witness rests on undef",),
)
DIFFERENT = replace(MP, name="MP2", path="litmus/mp/MP2.ll", expected="Never", as_expected=False)
UNKNOWN = replace(
    MP,
    name="SB",
    path="litmus/SB.ll",
    verdict="unknown",
    observation="unknown",
    as_expected=None,
    status="limit",
    cut=2,
    positive=None,
    negative=None,
    explored=None,
    consistent=None,
    states=(State({"t0:%a": 0}, None, False),),
)
ERROR = Result(
    "bad\x01\ud800", "litmus/bad\x01\ud800.ll", status="error", error="litmus/bad.ll:3:7: expected\n a <type>\x00"
)
PLAIN = replace(MP, name="P", path="P.litmus", expected=None, expected_flags=None, as_expected=False, verdict="No")
ALL = (MP, DIFFERENT, UNKNOWN, ERROR, PLAIN)
