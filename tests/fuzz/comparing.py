"""One test, all engines: they must give the same states, flags and numbers of executions, or refuse it alike."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any

from tests.fuzz.cases import Case, Finding

__all__ = ["compare_engines", "options", "questions"]

PATIENCE = 0.4
"""Seconds of an engine for a test; the plain ones are there for their plainness."""

MOST_EXPLORED = 400
"""Leaves of the fast search, beyond which the reference engines are not asked."""

MOST_LITERAL = 60
"""The same for the literal enumerator."""


def questions(kind: str, choose: Random) -> tuple[str, ...]:
    """Choose a model and its options, as arguments for :func:`compare_engines`."""
    if kind == "c":
        return (choose.choice(("rc11", "rc11", "c11_simp", "c11_partialSC", "sc", "tso")), "generic", "", "")
    if kind == "vulkan":
        return (choose.choice(("vulkan", "vulkan/nochains")), "generic", "", "")
    if kind == "opencl":
        return (choose.choice(("opencl", "opencl", "rc11")), "generic", "", "")
    if kind == "ptx":
        return (choose.choice(("ptx-6.0", "ptx-7.5")), "generic", "", "")
    if kind == "tokens":
        return (choose.choice(("csa", "csa", "sc")), "generic", "", "")
    model = choose.choices(("llvm", "amdgpu", "amdgpu-2026", "sc", "tso"), (8, 8, 4, 1, 1))[0]
    if model in ("sc", "tso"):
        return (model, "generic", "", "")
    profile = choose.choice(("generic", "strict", "vulkan", "amdgpu"))
    return (
        model,
        profile,
        choose.choice(("closure", "direct", "filtered")),
        choose.choice(("dep", "dep", "rc11", "none")),
    )


def compare_engines(case: Case) -> tuple[str, list[Finding]]:
    """Ask each engine that a test's model admits.

    Returns
    -------
    str
        ``equal``, ``different``, ``refused`` or ``undecided``.
    list of Finding
    """
    from enumerator.errors import InputError
    from enumerator.frontend import load

    name = case.files[0][0]
    try:
        test = load(name)
    except InputError:
        return "refused", []
    fast = _ask(case, test, "bitset")
    if fast is None:
        return "undecided", []
    explored = fast.get("explored")  # none where it refuses the test
    others = ["networkx"] if explored is None or explored <= MOST_EXPLORED else []
    if case.arguments[1] in ("sc", "csa"):
        others.append("interleaving")
    native = case.arguments[1] in ("llvm", "amdgpu", "amdgpu-2026") and test.format == "llvm"
    if native and explored is not None and explored <= MOST_LITERAL:
        others.append("literal")
    compared, findings = 0, []
    for engine in others:
        found = _ask(case, test, engine, fast)
        if found is None:
            continue
        compared += 1
        differing = [what for what in found if what != "explored" and found[what] != fast.get(what)]
        if differing:
            signature = f"engines differ: {case.arguments[1]}: bitset and {engine} in {', '.join(differing)}"
            findings.append(Finding(signature, "\n".join(_difference(fast, found, each) for each in differing)))
    return ("different" if findings else "equal" if compared else "undecided"), findings


def _difference(fast: dict[str, Any], found: dict[str, Any], what: str) -> str:
    return f"{what}\n  bitset: {fast.get(what)}\n  other:  {found[what]}"


def _ask(case: Case, test: Any, engine: str, fast: dict[str, Any] | None = None) -> dict[str, Any] | None:
    """Give an engine's answer as what must be equal; None where it takes too long or does not take the model."""
    from enumerator import check
    from enumerator.errors import InputError

    _, model, profile, hb, thin_air = case.arguments
    if engine == "literal":
        return _literal(test, model, profile, hb, thin_air, fast or {})
    model, *variants = model.split("/")
    try:
        result = check(
            test,
            model,
            profile=profile,
            hb=hb or None,
            thin_air=thin_air or None,
            variants=variants,
            unroll=1,
            engine=engine,
            timeout=PATIENCE,
            all_values=True,
        )
    except InputError as error:
        if engine == "interleaving" and ("has another axiom" in error.message or "loops that wait" in error.message):
            return None
        return {"refusal": (error.message, error.line)}
    if result.status not in ("complete", "limit") or result.status == "limit" and not result.cut:
        return None
    states = sorted((tuple(sorted(state.as_json()["values"].items())) for state in result.states), key=repr)
    answer = {"states": states, "flags": result.flags, "cut": bool(result.cut), "refusal": None}
    if engine != "interleaving":
        answer |= {"consistent": result.consistent, "verdict": result.verdict}
    if engine == "bitset":
        answer["explored"] = result.explored
    return answer


def _literal(
    test: Any, model: str, profile: str, hb: str, thin_air: str, fast: dict[str, Any]
) -> dict[str, Any] | None:
    from enumerator.errors import InputError
    from enumerator.program.values import json_value
    from tests.literal import all_names, enumerate_literally

    try:
        with _for_a_while():
            known = set(all_names(test, 1, thin_air))  # parameters of calls are no registers for it
            names = tuple(name for name, _ in fast["states"][0] if name in known) if fast["states"] else ()
            found = enumerate_literally(
                test, model=model, profile=profile, hb=hb, thin_air=thin_air, names=names, unroll=1
            )
    except (InputError, KeyError, TypeError, NotImplementedError, _Enough):
        return None  # it covers less than the product
    states = {
        tuple((name, json_value(value)) for name, value in zip(names, state, strict=True)) for state in found.states
    }
    theirs = {tuple((name, value) for name, value in state if name in known) for state in fast["states"]}
    return {
        "states": fast["states"] if states == theirs else sorted(states, key=repr),
        "flags": tuple(sorted(found.flags)),
        "cut": bool(found.cut),
        "consistent": found.consistent,
    }


class _Enough(BaseException):
    """The literal enumerator has no limit of its own."""


@contextmanager
def _for_a_while() -> Iterator[None]:
    def stop(number: int, frame: FrameType | None) -> None:
        raise _Enough

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def options(arguments: list[str]) -> Case:
    """Make a case of a command line: a file, a model, a profile, a reading and a thin-air axiom."""
    path, model, *rest = arguments
    rest += ["generic", "", ""][len(rest) :]
    return Case(0, "engines", ("engines", model, *rest), ((path, Path(path).read_bytes()),), True)


if __name__ == "__main__":
    said, differences = compare_engines(options(sys.argv[1:]))
    print(said)
    for each in differences:
        print(each.signature, each.details, sep="\n")
    sys.exit(bool(differences))
