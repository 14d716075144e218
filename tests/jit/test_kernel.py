"""Kernels as machine code: what they get and give, what is kept of them, and numba's own way where no other works."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from enumerator.jit import decorators
from enumerator.jit.arguments import Plan, of_lists, packed, replaced, table_of
from enumerator.jit.compiler import kernel

ROOT = Path(__file__).resolve().parents[2]

# How kernels are called: a number, an array that is written into, and what they return.
CALLS = """
import numpy as np
from enumerator.search import kernels
from enumerator.jit import decorators
from enumerator.jit.compiler import kernel
from enumerator.search.kernels import circuit
row = np.zeros(3, dtype=np.uint64)
assert kernels.set_bit(row, 70) is None and row.tolist() == [0, 64, 0]
keys = np.array([-1, 9, -1, 5], dtype=np.int64)
probe = kernel("enumerator.search.kernels.values", "probe")
assert keys[probe(keys, 9)] == 9 and keys[probe(keys, 4)] == -1
marks, circuit = np.ones(4, dtype=bool), np.zeros((1, 4), dtype=np.int32)
number, out = np.zeros(4, dtype=np.int64), circuit.copy()
assert kernel("enumerator.search.kernels.circuit", "specialize")(circuit, 0, marks, marks, number, out) == (0, 4)
"""

NO_OPTION = """
from numba.core.cpu import CPUTargetOptions
known = CPUTargetOptions.parse_as_flags
def parse(flags, options):
    if "_nrt" in options:
        raise KeyError("Unrecognized options")
    known(flags, options)
CPUTargetOptions.parse_as_flags = parse
"""


def run_python(text: str, cache: Path, **environment: str) -> str:
    everything = {**os.environ, "PYTHONPATH": str(ROOT), "ENUMERATOR_CACHE_DIR": str(cache), **environment}
    done = subprocess.run([sys.executable, "-c", text], env=everything, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_kernels_are_compiled_as_a_whole() -> None:
    """With the version of numba that is tested, nothing falls back."""
    assert decorators.WHOLE is not None


@pytest.mark.parametrize(
    "missing",
    [
        "import numba.core.codegen as c; del c.JITCodeLibrary",
        "import numba.core.registry as r; del r.CPUTarget",
        NO_OPTION,
    ],
)
def test_without_what_numba_does_not_document(missing: str, tmp_path: Path) -> None:
    run_python(f"{missing}\n{CALLS}\nassert decorators.WHOLE is None", tmp_path)
    assert list(tmp_path.glob("kernels-*/**/*.nbi")), "numba keeps what it compiles"


def test_a_second_process_compiles_nothing(tmp_path: Path) -> None:
    loads = "import sys\nfrom enumerator.jit.compiler import kernel\nimport numpy as np\n"
    loads += "probe = kernel('enumerator.search.kernels.values', 'probe')\n"
    loads += "print(probe(np.array([-1, 9, -1, 5]), 5), 'numba' in sys.modules)"
    assert run_python(loads, tmp_path) == "3 False\n"
    no_compiler = "import enumerator.jit.compiler as compiler\ndel compiler.compile_apart\n"
    assert run_python(no_compiler + loads, tmp_path) == "3 False\n"


def test_damaged_files_are_replaced(tmp_path: Path) -> None:
    """Each file is looked at alone, so that each may be damaged in another way."""
    run_python(CALLS, tmp_path)
    files = {file: file.read_bytes() for file in tmp_path.glob("kernels-*/*")}
    assert len(files) == 3
    for damages in (("", "{}\n", "garbage"), ("half", "half", "half")):
        for (file, data), damage in zip(files.items(), damages, strict=True):
            file.write_bytes(data[: len(data) // 2] if damage == "half" else damage.encode())
        run_python(CALLS, tmp_path)
        for file, data in files.items():
            assert len(file.read_bytes()) > len(data) // 2


def test_a_folder_that_cannot_be_written_to(tmp_path: Path) -> None:
    """Neither a file in the way nor a folder of others' keeps kernels from running."""
    (tmp_path / "file").write_text("")
    run_python(CALLS, tmp_path / "file")


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="owners and modes are those of POSIX")
def test_nothing_is_run_that_others_may_have_written(tmp_path: Path) -> None:
    run_python(CALLS, tmp_path)
    (folder,) = tmp_path.glob("kernels-*")
    loads = "from enumerator.jit.cache import load_kernel\n"
    loads += f"print(sum(load_kernel(name) is not None for name in {sorted(os.listdir(folder))}))"
    assert run_python(loads, tmp_path) == "3\n"
    for mode in (0o770, 0o707, 0o722):
        folder.chmod(mode)
        assert run_python(loads, tmp_path) == "0\n"
    folder.chmod(0o700)
    next(folder.iterdir()).chmod(0o666)
    assert run_python(loads, tmp_path) == "2\n"


class Pair(NamedTuple):
    """Two arrays."""

    keys: Any
    key: Any


def test_tables_live_as_long_as_what_they_are_of() -> None:
    made = packed(Pair)
    one = made(np.zeros(2, dtype=np.int64), np.zeros((2, 3), dtype=np.uint8))
    table = table_of(one)
    assert table.layout.fields == (("keys", ("<i8", 1)), ("key", ("|u1", 2)))
    assert table.words[1] == 2 and table.words[3:] == [2, 3]
    assert table_of(one) is table
    other = one._replace(keys=np.zeros(5, dtype=np.int64))
    assert isinstance(other, made) and table_of(other).words[1] == 5


def test_arrays_in_one_block_have_the_table_that_they_would_have_alone() -> None:
    made = packed(Pair)
    plan = Plan(made, {"keys": ((3, 2), np.bool_), "key": ((2, 3), np.bool_)}, {"key": "keys"})
    planned = plan.zeros()
    planned.keys[2, 1] = True
    assert planned.key.tolist() == [[False] * 3, [False, False, True]]
    listed = of_lists(made, {"key": [4, 5, 6, 7], "keys": [1, 2, 3]}, {"key": (2, 2)})
    assert listed.keys.tolist() == [1, 2, 3] and listed.key.tolist() == [[4, 5], [6, 7]]
    longer = replaced(listed, keys=np.arange(5))
    assert longer.keys.tolist() == [0, 1, 2, 3, 4] and longer.key is listed.key
    for one in (planned, listed, longer):
        alone = table_of(made(*one))
        assert (alone.words, alone.layout) == (table_of(one).words, table_of(one).layout)


def test_arguments_must_lie_in_a_row() -> None:
    with pytest.raises(TypeError, match="contiguous"):
        kernel("enumerator.search.kernels.values", "probe")(np.zeros(8, dtype=np.int64)[::2], 1)
