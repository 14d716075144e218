"""The kernel that composes relations by their distinct rows, and its plain twin."""

from __future__ import annotations

import numpy as np
import pytest

from enumerator.search import entries as kernels
from enumerator.search import opcodes as op
from tests.generated.amounts import examples


def composed(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Compose two relations with the kernel."""
    size = len(left)
    words = -(-size // 64)
    registers = np.zeros((3, size, words), dtype=np.uint64)
    for register, bits in enumerate((left, right)):
        for row, column in np.argwhere(bits):
            registers[register, row, column >> 6] |= np.uint64(1) << np.uint64(column & 63)
    kernels.run_extents(
        np.array([[op.R_SEQ, 2, 0, 1]], dtype=np.int32),
        registers,
        registers.reshape(3, -1),
        np.zeros((1, words), dtype=np.uint64),
        np.zeros(words, dtype=np.uint64),
        np.zeros(1, dtype=np.int64),
        np.zeros((5, 2 << size.bit_length()), dtype=np.int64),
        np.zeros((size, words), dtype=np.uint64),
        size,
    )
    columns = np.arange(size)
    return (registers[2][:, columns >> 6] >> (columns & 63).astype(np.uint64) & np.uint64(1)).astype(bool)


@pytest.mark.parametrize("kinds", [1, 3, 200])
@pytest.mark.parametrize("size", [20, 70, 300])
def test_compositions(size: int, kinds: int) -> None:
    """Rows of some kinds: few that are alike, or many; and of no pairs, or nearly all."""
    chance = np.random.default_rng(size + kinds)
    for _ in range(examples(5)):
        left, right = (
            (chance.random((kinds, size)) < chance.choice([0, 0.02, 0.5, 1]))[chance.integers(kinds, size=size)]
            for _ in range(2)
        )
        assert (composed(left, right) == (left.astype(int) @ right.astype(int) > 0)).all()
