"""Concurrent algorithms, compiled by clang, beside GenMC: executions, what is explored for them, seconds.

The programs are those of ``tests/data/programs``: C files, the same as LLVM IR by clang 16 ``-O1``, and the number of
executions and the user seconds of GenMC 0.11 as a whole process. Where GenMC is on the path, it is run; else its
seconds are those of the folder. Ours are CPU seconds of parsing, set-up and search, with kernels compiled.
"""

from __future__ import annotations

import argparse
import json
import resource
import shutil
import statistics
import subprocess
import time
from pathlib import Path

from enumerator import check, load

DATA = Path(__file__).resolve().parent.parent / "tests" / "data" / "programs"


def main() -> None:
    """Print a row a program."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks programs", description=__doc__)
    parser.add_argument("names", nargs="*", help="programs by the beginnings of their names; default: all")
    parser.add_argument("--model", default="rc11")
    parser.add_argument("--seconds", type=float, default=60.0, help="the most for one program")
    chosen = parser.parse_args()
    run(chosen.names, chosen.model, chosen.seconds)


def run(names: list[str], model: str, seconds: float) -> None:
    """Measure programs, and print how they compare.

    Parameters
    ----------
    names : list of str
        Beginnings of the names of programs; none for all.
    model : str
    seconds : float
        The most for one program.
    """
    expected = json.loads((DATA / "expected.json").read_text())
    chosen = sorted(name for name in expected if not names or name.startswith(tuple(names)))
    check(load(DATA / "peterson-3.ll"), model)  # compiled
    print(
        f"{'program':16} {'executions':>10} {'GenMC':>8} {'expl/cons':>9} {'seconds':>8} "
        f"{'GenMC, s':>8} {'GenMC/ours':>10}"
    )
    ratios: list[float] = []
    for name in chosen:
        begun = time.process_time()
        result = check(load(DATA / f"{name}.ll"), model, timeout=seconds)
        took = time.process_time() - begun
        others = _genmc(DATA / f"{name}.c") or expected[name]["genmc_seconds"]
        found = sum(state.executions for state in result.states)
        ratio = (result.explored or 0) / max(1, result.consistent or 0)
        done = result.status != "timeout"
        ratios += [ratio] if done else []
        print(
            f"{name:16} {found if done else '-':>10} {expected[name]['executions']:>8} {ratio:9.2f} "
            f"{took if done else seconds:8.3f} {others:8.3f} {others / took:10.2f}{'' if done else '  not done'}",
            flush=True,
        )
    if ratios:
        print(f"explored / consistent: median {statistics.median(ratios):.2f}, at most {max(ratios):.2f}")


def _genmc(path: Path) -> float | None:
    """Give the CPU seconds of GenMC for a program, as a whole process; None where it is not on the path, or fails."""
    command = shutil.which("genmc")
    if command is None:
        return None
    before = _used()
    try:
        done = subprocess.run(
            [command, "--rc11", "--disable-estimation", "--", "-DGENMC", "-O1", str(path)],
            capture_output=True,
            timeout=60,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return None
    return _used() - before if done.returncode == 0 else None


def _used() -> float:
    """Give the CPU seconds of all processes that were run, those of the system included, as ours are."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
