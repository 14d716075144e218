"""Cold start: whole processes, each command several times."""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TEST = """; one store
; EXISTS: @x = 1
@x = global i32 0
define void @t() {
  store i32 1, ptr @x
  ret void
}
"""


def main() -> None:
    """Print the median of each command, and its ratio to starting Python alone."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "store.ll"
        file.write_text(TEST)
        commands = {
            "python -c pass": ["-c", "pass"],
            "enumerator --help": ["-m", "enumerator", "--help"],
            "enumerator tags foo:x foo:y": ["-m", "enumerator", "tags", "foo:x", "foo:y"],
            "enumerator run store.ll": ["-m", "enumerator", "run", str(file)],
        }
        alone = 0.0
        print(f"{'command':30} {'median s':>9} {'ratio':>7}")
        for name, arguments in commands.items():
            subprocess.run([sys.executable, *arguments], capture_output=True, check=False)  # warm caches
            times = []
            for _ in range(5):
                begun = time.perf_counter()
                subprocess.run([sys.executable, *arguments], capture_output=True, check=False)
                times.append(time.perf_counter() - begun)
            middle = statistics.median(times)
            alone = alone or middle
            print(f"{name:30} {middle:9.3f} {middle / alone:7.1f}")


if __name__ == "__main__":
    main()
