"""Other checkers, where they are on the path: the seconds that they take for a C11 litmus test."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

__all__ = ["genmc", "genmc_program", "herd7"]


def herd7(text: str, patience: float = 60.0) -> float | None:
    """Time herd7 under its model of RC11.

    Parameters
    ----------
    text : str
        A litmus test.
    patience : float
        Seconds after which it is given up.

    Returns
    -------
    float or None
        Seconds; None where it is not on the path, fails, or is not done in time.
    """
    return _timed("herd7", ["-model", "rc11.cat"], ".litmus", text, patience)


def genmc(text: str, patience: float = 60.0) -> float | None:
    """Time GenMC under RC11, counting executions as it does by default; what is given and what comes is as above."""
    return _timed("genmc", ["--rc11", "--disable-estimation"], ".c", genmc_program(text), patience)


def genmc_program(text: str) -> str:
    """Write a litmus test of this package's families as the C program that GenMC takes.

    Parameters
    ----------
    text : str
        With functions of pointers to ``atomic_int`` and of nothing else.

    Returns
    -------
    str
        Its locations are global variables, its threads functions that ``main`` starts.

    Examples
    --------
    >>> print(genmc_program("C t\\n{ }\\n\\nP0 (atomic_int* x) {\\n  int r0 = f(x);\\n}\\n\\nexists (true)\\n"))
    #include <pthread.h>
    #include <stdatomic.h>
    atomic_int x;
    void *P0(void *unused) {
      int r0 = f(&x);
      return 0;
    }
    int main(void) {
      pthread_t t0;
      pthread_create(&t0, 0, P0, 0);
      return 0;
    }
    <BLANKLINE>
    """
    threads = re.findall(r"^(P\d+) \(([^)]*)\) \{\n(.*?)^\}", text, re.MULTILINE | re.DOTALL)
    names = dict.fromkeys(name for _, parameters, _ in threads for name in re.findall(r"\* *(\w+)", parameters))
    initial = dict(re.findall(r"(\w+) = (\w+);", text.split("}", 1)[0]))
    declared = [f"atomic_int {name} = {initial[name]};" if name in initial else f"atomic_int {name};" for name in names]
    lines = ["#include <pthread.h>", "#include <stdatomic.h>", *declared]
    for thread, parameters, body in threads:
        mine = "|".join(re.findall(r"\* *(\w+)", parameters))
        lines += [f"void *{thread}(void *unused) {{", re.sub(rf"\b({mine})\b", r"&\1", body).rstrip("\n")]
        lines += ["  return 0;", "}"]
    lines.append("int main(void) {")
    lines += [f"  pthread_t t{number};" for number in range(len(threads))]
    lines += [f"  pthread_create(&t{number}, 0, {thread}, 0);" for number, (thread, _, _) in enumerate(threads)]
    return "\n".join([*lines, "  return 0;", "}", ""])


def _timed(program: str, options: list[str], suffix: str, text: str, patience: float) -> float | None:
    if shutil.which(program) is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"test{suffix}"
        file.write_text(text)
        begun = time.perf_counter()
        try:
            done = subprocess.run([program, *options, str(file)], capture_output=True, timeout=patience, check=False)
        except (subprocess.TimeoutExpired, OSError):
            return None
        return time.perf_counter() - begun if done.returncode == 0 else None
