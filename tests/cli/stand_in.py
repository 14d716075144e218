"""The command line over tests and outcomes made by hand: ``python stand_in.py ARGUMENTS``.

A test is a JSON object: ``quantifier``, ``condition``, ``expect`` (rows of EXPECT's parts), and what the engine is to
answer: ``states`` (rows of values and a count), ``flags``, ``status``, ``cut``, ``undefined``, or ``raise``.
"""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path

from enumerator import engines, frontend
from enumerator.cli import main
from enumerator.conditions import parse_condition
from enumerator.errors import InputError, LimitReached
from enumerator.program.condition import Quantifier
from enumerator.program.test import Expectation, Test
from enumerator.program.values import UNDEF
from enumerator.request import Outcomes, Request

ERRORS = {
    "input": InputError("made by hand", None, 3, 7),
    "internal": KeyError("by hand"),
    "limit": LimitReached("tired"),
}


def load(path: str) -> Test:
    data = json.loads(Path(path).read_text())
    if "load" in data:
        raise ERRORS[data["load"]]
    expectations = tuple(
        Expectation(model, profile, tuple(variants), observation, frozenset(flags), line=number)
        for number, (model, profile, variants, observation, flags) in enumerate(data.get("expect", ()), 1)
    )
    return Test(
        name=Path(path).stem,
        title="",
        path=path,
        format="llvm",
        objects=(),
        functions={},
        threads=(),
        placements={},
        condition=parse_condition(data["condition"], Quantifier(data.get("quantifier", "exists")), path, 1, 1),
        expectations=expectations,
        source=Path(path).read_text(),
    )


def engine(name: str):  # type: ignore[no-untyped-def]
    def enumerate_test(request: Request) -> Outcomes:
        data = json.loads(request.test.source)
        if data.get("raise") == "interrupt":
            os.kill(os.getpid(), signal.SIGINT)
        elif "raise" in data:
            raise ERRORS[data["raise"]]
        states = {
            tuple(UNDEF if value == "undef" else value for value in row[:-1]): row[-1] for row in data.get("states", ())
        }
        return Outcomes(
            states,
            flags=frozenset(data.get("flags", ())),
            undefined=data.get("undefined", False),
            explored=99,
            consistent=sum(states.values()),
            cut=data.get("cut", 0),
            status=data.get("status", "complete"),
        )

    return enumerate_test


if __name__ == "__main__":
    frontend.load = load
    engines.engine = engine
    main()
