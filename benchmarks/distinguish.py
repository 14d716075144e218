"""How long it takes to tell models apart, and to find all minimal tests of one.

``python -m benchmarks distinguish`` looks for the smallest tests on which two models differ: tasks like those of
Wickerson, Batty, Sorensen, Constantinides (Automatically Comparing Memory Consistency Models, POPL 2017), which compare
variants of C11 and scoped models, and pairs of this project's models. ``python -m benchmarks minimal`` counts the
minimal tests (Lustig, Wright, Papakonstantinou, Giroux, ASPLOS 2017) of each size.
"""

from __future__ import annotations

import time
from collections import Counter
from typing import Any

from enumerator.cat.syntax import Check
from enumerator.distinguishing.alphabet import make_alphabet
from enumerator.distinguishing.minimal import minimal_tests, with_axiom
from enumerator.distinguishing.search import distinguish
from enumerator.distinguishing.sides import parse_side
from enumerator.generation.skeleton import Kind
from enumerator.program.instructions import Assign, Ordering, Scope, Tag
from enumerator.program.test import Test

ACCESSES = (Kind.READ, Kind.WRITE)
SYNCHRONIZING = (Ordering.MONOTONIC, Ordering.ACQUIRE, Ordering.RELEASE, Ordering.SEQ_CST)
TAGS = ((Tag("a", "x"),), (Tag("a", "y"),))
PLAIN_OR_NOT = (Ordering.NA, Ordering.MONOTONIC, Ordering.ACQUIRE, Ordering.RELEASE)

TASKS: dict[str, tuple[str, str, int, dict[str, Any]]] = {
    "hardware": ("tso", "sc", 4, {}),
    "C11, two readings of seq_cst": ("c11_partialSC", "c11_simp", 4, {}),
    "C11 and RC11, accesses": ("c11_simp", "rc11", 4, {"kinds": ACCESSES, "orderings": SYNCHRONIZING}),
    "thin air": ("llvm", "llvm/rc11", 4, {"kinds": ACCESSES, "orderings": SYNCHRONIZING}),
    "readings of tags: closure, direct": (
        "llvm/closure",
        "llvm/direct",
        5,
        {"kinds": ACCESSES, "orderings": PLAIN_OR_NOT, "tags": TAGS, "threads": 2, "locations": 3},
    ),
    "readings of tags: closure, filtered": (
        "llvm/closure",
        "llvm/filtered",
        5,
        {"kinds": ACCESSES, "orderings": PLAIN_OR_NOT, "tags": TAGS, "threads": 2, "locations": 3},
    ),
    "availability": ("llvm", "amdgpu", 3, {"orderings": PLAIN_OR_NOT, "scopes": (Scope.WORKGROUP,), "kinds": ACCESSES}),
    "availability, amdgcn-av:none": (
        "llvm",
        "amdgpu",
        4,
        {"orderings": PLAIN_OR_NOT, "kinds": ACCESSES, "tags": ((Tag("amdgcn-av", "none"),),)},
    ),
    "LDS in 2026": (
        "amdgpu",
        "amdgpu-2026",
        3,
        {"orderings": PLAIN_OR_NOT, "kinds": ACCESSES, "spaces": (1, 3), "scopes": (Scope.WORKGROUP,)},
    ),
}
"""Two sides, the most events, and the alphabet."""


def run(names: list[str], seconds: float) -> None:
    """Print a row a task.

    Parameters
    ----------
    names : list of str
        Beginnings of the names of tasks; none for all.
    seconds : float
        The most for one task.
    """
    print(f"{'task':36} {'differences':>11} {'events':>6} {'shapes':>7} {'tests':>10} {'CPU s':>7}")
    for task, (a, b, bound, alphabet) in TASKS.items():
        if names and not task.startswith(tuple(names)):
            continue
        sides = parse_side(a), parse_side(b)
        begun = time.process_time()
        found = distinguish(*sides, make_alphabet(sides, **alphabet), bound, timeout=seconds)
        spent = time.process_time() - begun
        left = "" if found.status == "complete" else f"  {found.status}: unknown beyond"
        print(
            f"{task:36} {len(found.differences):11} {found.complete:6} {found.shapes:7} {found.tests:10} "
            f"{spent:7.2f}{left}",
            flush=True,
        )


MINIMAL: dict[str, dict[str, Any]] = {
    "tso": {},
    "rc11": {"orderings": [each for each in Ordering if each != Ordering.UNORDERED]},
    "llvm": {},
    "amdgpu": {},
}
"""Models, and what their tests are made of; C has no unordered."""


def minimal(models: list[str], size: int, seconds: float, *, by_axiom: bool, scopes: list[str]) -> None:
    """Print how many minimal tests of each size models have.

    Parameters
    ----------
    models : list of str
    size : int
    seconds : float
        The most for one model.
    by_axiom : bool
        Each axiom alone, too.
    scopes : list of str
        Sync scopes beside ``system``.
    """
    print(f"{'model':30} {'tests of each size':36} {'CPU s':>7}")
    for name in models:
        side = parse_side(name)
        chosen = [Scope[each.upper()] for each in scopes]
        alphabet = make_alphabet([side], scopes=chosen, **MINIMAL.get(name, {}))
        axioms = [each.name for each in side.model.model.statements if isinstance(each, Check) and each.kind == "axiom"]
        for axiom in [None, *(each for each in axioms if each is not None and by_axiom)]:
            begun = time.process_time()
            alone = side if axiom is None else with_axiom(side, axiom)
            suite = minimal_tests(alone, alphabet, size, timeout=seconds)
            spent = time.process_time() - begun
            counts = sorted(Counter(map(events, suite.tests)).items())
            shown = ", ".join(f"{events}: {count}" for events, count in counts)
            left = "" if suite.status == "complete" else f"  {suite.status}: complete up to {suite.complete}"
            print(f"{name if axiom is None else f'{name}, {axiom}':30} {shown:36} {spent:7.1f}{left}", flush=True)


def events(test: Test) -> int:
    """Count the events of a test, a read-modify-write as one."""
    blocks = (block for function in test.functions.values() for block in function.blocks)
    return sum(not isinstance(part, Assign) for block in blocks for part in block.body)
