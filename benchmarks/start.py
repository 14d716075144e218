"""Cold start: whole processes, what of one test's is imports, and the first compilation of the kernels."""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

TEST = """; one store
; EXISTS: @x = 1
@x = global i32 0
define void @t() {
  store i32 1, ptr @x
  ret void
}
"""


# Runs the command in this process; says what of it is this process's own, and what it has imported, in that order.
OWN = """
import sys, time
from enumerator.cli import main
file = sys.argv.pop(1)
try:
    main()
except SystemExit:
    with open(file, "w") as to:
        print(time.process_time(), *(name for name in sys.modules if name.isascii()), sep="\\n", file=to)
"""

# Only imports that, in a process that is set up alike.
IMPORTS = """
import gc, os, sys, time
from contextlib import suppress
from importlib import import_module
gc.set_threshold(500_000)
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
for name in open(sys.argv[1]).read().split()[1:]:
    with suppress(ImportError):
        import_module(name)
with open(sys.argv[2], "w") as to:
    print(time.process_time(), file=to)
"""


def measure(arguments: list[str], cache: str | None = None) -> tuple[float, float]:
    """Give the seconds of a process by the clock, and of processor time, that of processes it waited for included."""
    environment = dict(os.environ)
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # else every process would compile all modules
    if cache is not None:
        environment["ENUMERATOR_CACHE_DIR"] = cache
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run([sys.executable, *arguments], capture_output=True, check=False, env=environment)
    seconds, after = time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def median(runs: int, figure: Callable[[], float]) -> float:
    return statistics.median(figure() for _ in range(runs))


def main() -> None:
    """Print each command's time and its ratio to starting Python alone, then where one test's goes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5, help="of each command; the median counts")
    parser.add_argument("--no-compilation", action="store_true", help="leave the first compilation out")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "store.ll"
        file.write_text(TEST)
        run = ["run", str(file)]
        commands = {
            "python -c pass": ["-c", "pass"],
            "enumerator --help": ["-m", "enumerator", "--help"],
            "enumerator run --help": ["-m", "enumerator", "run", "--help"],
            "enumerator tags foo:x foo:y": ["-m", "enumerator", "tags", "foo:x", "foo:y"],
            "enumerator run store.ll": ["-m", "enumerator", *run],
        }
        alone = 0.0
        print(f"{'command':30} {'median s':>9} {'ratio':>7} {'CPU s':>7}")
        for name, arguments in commands.items():
            measure(arguments)  # warm caches
            times = [measure(arguments) for _ in range(chosen.runs)]
            middle = statistics.median(clock for clock, _ in times)
            used = statistics.median(processor for _, processor in times)
            alone = alone or middle
            print(f"{name:30} {middle:9.3f} {middle / alone:7.1f} {used:7.3f}")
        told, said = Path(folder) / "told", Path(folder) / "said"

        def own() -> float:
            measure(["-c", OWN, str(told), *run])
            return float(told.read_text().split()[0])

        def only_imports() -> float:
            measure(["-c", IMPORTS, str(told), str(said)])
            return float(said.read_text())

        mine = median(chosen.runs, own)
        imports = median(chosen.runs, only_imports)
        print(f"\nof the last, CPU s: {imports:.3f} Python and imports, {mine - imports:.3f} the rest of the process,")
        print(f"{used - mine:.3f} LLVM's process, and ending")
        if not chosen.no_compilation:
            with tempfile.TemporaryDirectory() as cache:
                clock, first = measure(["-m", "enumerator", *run], cache)
            print(f"the same with an empty cache folder: {clock:.1f} s, {first:.1f} CPU s")


if __name__ == "__main__":
    main()
