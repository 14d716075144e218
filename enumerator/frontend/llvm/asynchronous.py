"""AMDGPU's copies between global memory and LDS: the intrinsics, their arguments, the stages they belong to.

Sources: LLVM, AMDGPUDMAOperations.md and AMDGPUAsyncOperations.md (*Stages*, *Stage Masks*).
"""

from __future__ import annotations

import re

from enumerator.frozen import dataclass

__all__ = ["ALL_STAGES", "BUFFER_STAGE", "MARK", "MARK_WAIT", "Copy", "copy_of", "counter_wait", "stages_of_mask"]

MARK = "llvm.amdgcn.asyncmark"
MARK_WAIT = "llvm.amdgcn.wait.asyncmark"

_TENSOR, _LOAD, _MULTICAST, _STORE, BUFFER_STAGE = 0, 1, 2, 3, 5

#: The stages that exist or are reserved: eleven bits.
ALL_STAGES = frozenset(range(11))

# Waits for a counter of the hardware: the stages that it counts. They leave so many operations, and not marks.
_COUNTERS = {
    "llvm.amdgcn.s.wait.asynccnt": frozenset({_LOAD, _MULTICAST, _STORE}),
    "llvm.amdgcn.s.wait.tensorcnt": frozenset({_TENSOR}),
}

_TO_LDS = re.compile(r"llvm\.amdgcn\.load\.(async\.)?to\.lds\.p\d+$|llvm\.amdgcn\.global\.load\.(async\.)?lds$")
_BUFFER = re.compile(r"llvm\.amdgcn\.(raw|struct)\.(?:ptr\.)?buffer\.load\.(async\.)?lds$")
_SIZED = re.compile(
    r"llvm\.amdgcn\.(global\.load|cluster\.load|global\.store)\.async\.(?:to|from)\.lds\.b(8|32|64|128)$"
)
_TENSORS = re.compile(r"llvm\.amdgcn\.tensor\.(load\.to|store\.from)\.lds(?:\.d2)?$")


@dataclass(frozen=True, slots=True)
class Copy:
    """What an intrinsic copies: numbers of arguments are places in its list of arguments.

    Parameters
    ----------
    stage : int
    asynchronous : bool
        Whether it has to be waited for.
    to_lds : bool
        From global memory to LDS; else the other way.
    source, target : int or None
        The arguments that are the two addresses; None for what a tensor descriptor says.
    size : int or None
        In bytes; None where `size_argument` says it, or it is not known.
    size_argument : int or None
    offset : int or None
        The argument that is added to both addresses; of buffers to the LDS address.
    buffer_offsets : tuple of int
        The arguments that are added to the address of a buffer.
    lanes : bool
        The LDS address is that of the wave: lanes follow each other there.
    indexed : bool
        The place in the buffer depends on an index and the stride of the descriptor.
    """

    stage: int
    asynchronous: bool
    to_lds: bool = True
    source: int | None = 0
    target: int | None = 1
    size: int | None = None
    size_argument: int | None = None
    offset: int | None = None
    buffer_offsets: tuple[int, ...] = ()
    lanes: bool = False
    indexed: bool = False

    @property
    def lds(self) -> int | None:
        """The argument that is the LDS address."""
        return self.target if self.to_lds else self.source

    def step(self, size: int) -> int:
        """Give how far apart in LDS lanes are that copy `size` bytes each (AMDGPUDMAOperations, GFX9 DMA)."""
        return (4 if size <= 4 else 16) if self.lanes else 0


def copy_of(name: str) -> Copy | None:
    """Tell what a copying intrinsic does; None for others.

    Examples
    --------
    >>> copy_of("llvm.amdgcn.load.async.to.lds.p1").stage, copy_of("llvm.amdgcn.global.load.lds").asynchronous
    (5, False)
    >>> copy_of("llvm.amdgcn.global.store.async.from.lds.b64").size, copy_of("llvm.amdgcn.raw.buffer.load.f32")
    (8, None)
    """
    if match := _TO_LDS.match(name):
        asynchronous = bool(match[1] or match[2])
        return Copy(BUFFER_STAGE, asynchronous, size_argument=2, offset=3, lanes=True)
    if match := _BUFFER.match(name):
        first = 4 if match[1] == "struct" else 3
        return Copy(
            BUFFER_STAGE,
            bool(match[2]),
            size_argument=2,
            offset=first + 2,
            buffer_offsets=(first, first + 1, first + 2),
            lanes=True,
            indexed=match[1] == "struct",
        )
    if match := _SIZED.match(name):
        size = int(match[2]) // 8
        if match[1] == "global.store":
            return Copy(_STORE, True, to_lds=False, source=1, target=0, size=size, offset=2)
        return Copy(_LOAD if match[1] == "global.load" else _MULTICAST, True, size=size, offset=2)
    if match := _TENSORS.match(name):
        return Copy(_TENSOR, True, to_lds=match[1] == "load.to", source=None, target=None)
    return None


def stages_of_mask(mask: int) -> frozenset[int]:
    """Give the stages that a mask leaves in: a set bit leaves its stage out.

    Examples
    --------
    >>> sorted(stages_of_mask(0x7FD))
    [1]
    """
    return frozenset(stage for stage in ALL_STAGES if not mask >> stage & 1)


def counter_wait(name: str) -> frozenset[int] | None:
    """Give the stages that a wait for a counter of the hardware waits for; None for other intrinsics.

    Examples
    --------
    >>> sorted(counter_wait("llvm.amdgcn.s.wait.asynccnt")), counter_wait("llvm.amdgcn.s.sleep")
    ([1, 2, 3], None)
    """
    return _COUNTERS.get(name)
