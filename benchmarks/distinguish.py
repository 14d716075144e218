"""How long it takes to tell models apart, and to find all minimal tests of one.

``python -m benchmarks distinguish`` looks for the smallest tests on which two models differ: tasks like those of
Wickerson, Batty, Sorensen, Constantinides (Automatically Comparing Memory Consistency Models, POPL 2017), which compare
variants of C11 and scoped models, and pairs of this project's models. ``python -m benchmarks minimal`` counts the
minimal tests (Lustig, Wright, Papakonstantinou, Giroux, ASPLOS 2017) of each size.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from enumerator.cat.syntax import Check
from enumerator.distinguishing.alphabet import make_alphabet
from enumerator.distinguishing.minimal import minimal_tests, with_axiom
from enumerator.distinguishing.search import distinguish
from enumerator.distinguishing.sides import Language, Side, parse_side
from enumerator.generation.skeleton import DependencyKind, Kind
from enumerator.options import Options
from enumerator.program.instructions import Assign, Ordering, Scope, Tag
from enumerator.program.test import Test

ACCESSES = (Kind.READ, Kind.WRITE)
ATOMICS = (Ordering.MONOTONIC, Ordering.ACQUIRE, Ordering.RELEASE, Ordering.ACQ_REL, Ordering.SEQ_CST)
SYNCHRONIZING = (Ordering.MONOTONIC, Ordering.ACQUIRE, Ordering.RELEASE, Ordering.SEQ_CST)
TAGS = ((Tag("a", "x"),), (Tag("a", "y"),))
PLAIN_OR_NOT = (Ordering.NA, Ordering.MONOTONIC, Ordering.ACQUIRE, Ordering.RELEASE)

TASKS: dict[str, tuple[str, str, int, dict[str, Any]]] = {
    "hardware": ("tso", "sc", 4, {}),
    "C11, two readings of seq_cst": ("c11_partialSC", "c11_simp", 4, {}),
    "C11, two readings of seq_cst, atomics": ("c11_partialSC", "c11_simp", 6, {"orderings": ATOMICS}),
    "C11, two readings, atomic accesses": ("c11_partialSC", "c11_simp", 7, {"kinds": ACCESSES, "orderings": ATOMICS}),
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
    "thin air, dependencies": (
        "llvm",
        "llvm/rc11",
        4,
        {"kinds": ACCESSES, "orderings": (Ordering.MONOTONIC,), "dependencies": tuple(DependencyKind)},
    ),
    "compare-and-exchange": (
        "c11_simp",
        "rc11",
        3,
        {"orderings": SYNCHRONIZING, "operators": ("cmpxchg",), "kinds": (*ACCESSES, Kind.UPDATE)},
    ),
    "mapping: Vulkan, all operations": ("vulkan", "amdgpu", 3, {}),
    "mapping: Vulkan, accesses": ("vulkan", "amdgpu", 4, {"kinds": ACCESSES}),
    "mapping: Vulkan, workgroups": (
        "vulkan",
        "amdgpu",
        4,
        {"kinds": ACCESSES, "scopes": (Scope.WORKGROUP,), "threads": 2},
    ),
    "mapping: Vulkan, barriers": (
        "vulkan",
        "amdgpu",
        4,
        {"kinds": (*ACCESSES, Kind.BARRIER), "scopes": (Scope.WORKGROUP,), "threads": 2},
    ),
}
"""Two sides, the most events, and the alphabet. A ``mapping`` asks whether translations of Vulkan tests allow more."""


C_ORDERINGS = tuple(each for each in Ordering if each != Ordering.UNORDERED)
OF_ATOMICS = {"orderings": SYNCHRONIZING, "kinds": ACCESSES}

FROM_FOLDERS: dict[str, tuple[str, str, int, dict[str, Any]]] = {
    "herd: C11, original and simple": ("c11_orig.cat", "c11_simp.cat", 4, {"orderings": C_ORDERINGS}),
    "herd: C11, original, atomics": ("c11_orig.cat", "c11_simp.cat", 6, OF_ATOMICS),
    "herd: C11, partial and simple": ("c11_partialSC.cat", "c11_simp.cat", 6, OF_ATOMICS),
    "herd: simple C11 and RC11": ("simple-c11.cat", "rc11.cat", 4, {"orderings": C_ORDERINGS}),
    "herd: RC11 and here": ("rc11.cat", "rc11", 4, {"orderings": C_ORDERINGS}),
    "herd: RC11 and here, atomics with fences": (
        "rc11.cat",
        "rc11",
        6,
        {"orderings": ATOMICS, "kinds": (*ACCESSES, Kind.FENCE)},
    ),
    "herd: RC11 and here, atomic accesses": ("rc11.cat", "rc11", 7, OF_ATOMICS),
    "herd: SC and here": ("sc.cat", "sc", 6, {}),
    "Dat3M: PTX, two versions": ("ptx-v6.0.cat", "ptx-v7.5.cat", 3, {"scopes": (Scope.WORKGROUP,)}),
    "Dat3M: PTX, here and there": ("ptx-v7.5.cat", "ptx-7.5", 3, {"scopes": (Scope.WORKGROUP,)}),
    "Dat3M: RC11 and here": ("rc11.cat", "rc11", 4, {"orderings": C_ORDERINGS}),
    "Dat3M: C11, original and partial": ("c11-orig.cat", "c11-partialsc.cat", 4, {"orderings": C_ORDERINGS}),
    "Dat3M: C11, partial and simple": ("c11-partialsc.cat", "c11.cat", 7, OF_ATOMICS),
    "Dat3M: C11 and RC11": ("c11.cat", "rc11.cat", 4, {"orderings": C_ORDERINGS}),
}
"""The same, of files in a folder that the user gives (herd's ``herd/libdir``, Dat3M's ``cat``)."""


def run(names: list[str], seconds: float, folders: list[str]) -> None:
    """Print a row a task.

    Parameters
    ----------
    names : list of str
        Beginnings of the names of tasks; none for all.
    seconds : float
        The most for one task.
    folders : list of str
        Of cat files: tasks whose files are there are done, too, each with every folder that has them.
    """
    print(f"{'task':44} {'differences':>11} {'events':>6} {'shapes':>7} {'tests':>10} {'CPU s':>7}")
    for task, (a, b, bound, alphabet) in TASKS.items():
        if not names or task.startswith(tuple(names)):
            translated = Language.VULKAN, Language.TRANSLATED
            languages = translated if task.startswith("mapping") else (Language.LLVM, Language.LLVM)
            both = parse_side(a, language=languages[0]), parse_side(b, language=languages[1])
            _row(task, both, bound, alphabet, seconds)
    for folder in map(Path, folders):
        for task, (a, b, bound, alphabet) in FROM_FOLDERS.items():
            files = [folder / each for each in (a, b) if each.endswith(".cat")]
            if not all(file.is_file() for file in files) or (names and not task.startswith(tuple(names))):
                continue
            there = Options(include_dirs=(str(folder),))  # not for models from here, which have their own stdlib.cat
            sides = tuple(
                parse_side(str(folder / each), there) if each.endswith(".cat") else parse_side(each) for each in (a, b)
            )
            _row(f"{task} ({folder.name})", sides, bound, alphabet, seconds)


def _row(task: str, sides: Sequence[Side], bound: int, alphabet: dict[str, Any], seconds: float) -> None:
    begun = time.process_time()
    found = distinguish(sides[0], sides[1], make_alphabet(sides, **alphabet), bound, timeout=seconds)
    spent = time.process_time() - begun
    left = "" if found.status == "complete" else f"  {found.status}: unknown beyond"
    print(
        f"{task:44} {len(found.differences):11} {found.complete:6} {found.shapes:7} {found.tests:10} "
        f"{spent:7.2f}{left}",
        flush=True,
    )


MINIMAL: dict[str, dict[str, Any]] = {
    "tso": {},
    "rc11": {"orderings": C_ORDERINGS},
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
