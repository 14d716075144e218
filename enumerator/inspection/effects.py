"""The effects of calls on memory: LLVM's ``memory`` attribute, intrinsics, inline assembly."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import field

from enumerator.frontend.llvm.intrinsics import av_access, is_ignored
from enumerator.frozen import dataclass
from enumerator.inspection.operations import CLUSTER, BarrierPart

__all__ = [
    "Attributes",
    "assembly_accesses",
    "assembly_barrier",
    "barrier_object",
    "barrier_part",
    "pointer_effect",
    "short_name",
    "skipped",
]

_IGNORED = (
    "llvm.prefetch",
    "llvm.amdgcn.s.prefetch",
    "llvm.amdgcn.global.prefetch",
    "llvm.amdgcn.flat.prefetch",
    "llvm.amdgcn.s.get.",  # states of barriers
    "llvm.csa",  # ordering tokens and gated prefetches
    "llvm.invariant.",
    "llvm.var.annotation",
    "llvm.ptr.annotation",
    "llvm.stacksave",
    "llvm.stackrestore",
    "llvm.va_",
    "llvm.trap",
    "llvm.debugtrap",
    "llvm.ubsantrap",
    "llvm.instrprof.",
)

_WORKGROUP = "-1"  # the number of the workgroup's own barrier

# LLVM AMDGPUUsage, "LLVM IR Intrinsics". Barriers that are initialized, joined or left are not the workgroup's own.
_BARRIERS = {
    "llvm.amdgcn.s.barrier": BarrierPart.BOTH,
    "llvm.amdgcn.s.barrier.signal": BarrierPart.ARRIVE,
    "llvm.amdgcn.s.barrier.signal.isfirst": BarrierPart.ARRIVE,
    "llvm.amdgcn.s.barrier.wait": BarrierPart.WAIT,
    "llvm.amdgcn.s.cluster.barrier": BarrierPart.BOTH,
    "llvm.amdgcn.s.barrier.signal.var": BarrierPart.OTHER,
    "llvm.amdgcn.s.barrier.init": BarrierPart.OTHER,
    "llvm.amdgcn.s.barrier.join": BarrierPart.OTHER,
    "llvm.amdgcn.s.barrier.leave": BarrierPart.OTHER,
    "llvm.amdgcn.s.wakeup.barrier": BarrierPart.OTHER,
    "llvm.amdgcn.wave.barrier": BarrierPart.OTHER,
    "llvm.amdgcn.ds.gws.barrier": BarrierPart.OTHER,
}

_CLUSTER = "-3"
_OBJECT_PARTS = {
    "llvm.amdgcn.s.barrier.signal": BarrierPart.ARRIVE,
    "llvm.amdgcn.s.barrier.signal.isfirst": BarrierPart.ARRIVE,
    "llvm.amdgcn.s.barrier.signal.var": BarrierPart.ARRIVE,
    "llvm.amdgcn.s.barrier.leave": BarrierPart.ARRIVE,
    "llvm.amdgcn.s.barrier.wait": BarrierPart.WAIT,
}

# Barriers of other targets, which may order memory themselves (those of PTX do). They are listed, but not judged.
_FOREIGN_BARRIERS = ("llvm.nvvm.barrier", "llvm.nvvm.bar.", "llvm.spv.group.memory.barrier")

# The name of an intrinsic ends with its types.
_TYPE = re.compile(r"\.(?:[pif]\d+|bf16|isVoid|(?:nx)?v\d+(?:[pif]\d+|bf16)|a\d\w+|sl_\w+|s_\w+)$")

_ASSEMBLY_BARRIER = re.compile(r"\bs_barrier(_signal|_wait)?\b")
_ASSEMBLY_MEMORY = re.compile(
    r"\b(?:ds|global|flat|buffer|tbuffer|scratch|image|tensor|s_load|s_store|s_atomic|s_scratch)_\w+|\bs_wait\w*"
)

_READ, _WRITE = 1, 2
_EFFECTS = {"none": 0, "read": _READ, "write": _WRITE, "readwrite": _READ | _WRITE}


@dataclass
class Attributes:
    """The attributes of a function or a call that say how it accesses memory.

    Parameters
    ----------
    memory : dict of str to int
        Effects by kind of location (the empty string for all others): bit 0 for reads, bit 1 for writes.
    known : bool
        Whether there is a ``memory`` attribute.
    words : set of str
        Other attributes without a value.
    strings : dict of str to str
        Other attributes with a value.
    """

    memory: dict[str, int] = field(default_factory=dict)
    known: bool = False
    words: set[str] = field(default_factory=set)
    strings: dict[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, tokens: Sequence[str]) -> Attributes:
        """Read the tokens between the braces of an attribute group.

        Examples
        --------
        >>> from enumerator.frontend.llvm.tokens import tokenize
        >>> Attributes.read(tokenize('nosync memory(read, argmem: write) "k"="v"'))
        Attributes(memory={'': 1, 'argmem': 2}, known=True, words={'nosync'}, strings={'k': 'v'})
        """
        found = cls()
        index = 0
        while index < len(tokens):
            token = tokens[index]
            index += 1
            if token == "memory" and tokens[index : index + 1] == ["("]:
                end = tokens.index(")", index)
                found._memory(tokens[index + 1 : end])
                index = end + 1
            elif token.startswith('"'):
                value = ""
                if tokens[index : index + 1] == ["="]:
                    value = tokens[index + 1][1:-1]
                    index += 2
                found.strings[token[1:-1]] = value
            elif token.isidentifier():
                found.words.add(token)
        return found

    def _memory(self, tokens: Sequence[str]) -> None:
        self.known = True
        kind = ""
        for place, token in enumerate(tokens):
            if tokens[place + 1 : place + 2] == [":"]:
                kind = token
            elif token in _EFFECTS:
                self.memory[kind] = _EFFECTS[token]
                kind = ""

    def merged(self, others: Iterable[Attributes]) -> Attributes:
        """Combine these attributes with others; of two known effects, the common part holds."""
        merged = Attributes(dict(self.memory), self.known, set(self.words), dict(self.strings))
        for other in others:
            merged.words |= other.words
            merged.strings |= other.strings
            if other.known:
                kinds = {"", *merged.memory, *other.memory}
                merged.memory = {kind: merged.effect(kind) & other.effect(kind) for kind in kinds}
                merged.known = True
        return merged

    def effect(self, kind: str = "") -> int:
        """Give the effect on a kind of location: ``argmem``, ``inaccessiblemem``, or another name for all others."""
        if not self.known:
            return _READ | _WRITE
        return self.memory.get(kind, self.memory.get("", 0))

    @property
    def synchronizes(self) -> bool:
        """Whether it may synchronize with other threads; true if that is not known."""
        return "nosync" not in self.words and (not self.known or bool(self.effect() | self.effect("inaccessiblemem")))


def skipped(name: str) -> bool:
    """Tell whether an intrinsic neither accesses memory that other threads see nor orders anything.

    Examples
    --------
    >>> skipped("llvm.lifetime.start.p5"), skipped("llvm.memcpy.p1.p3.i64")
    (True, False)
    """
    return is_ignored(name) or name.startswith(_IGNORED)


def barrier_part(name: str, arguments: Sequence[Sequence[str]]) -> BarrierPart | None:
    """Tell what a barrier intrinsic does; None for other intrinsics.

    Examples
    --------
    >>> barrier_part("llvm.amdgcn.s.barrier.signal", [["i32", "-1"]]).name, barrier_part("llvm.fabs.f32", [])
    ('ARRIVE', None)
    """
    if name.startswith(_FOREIGN_BARRIERS):
        return BarrierPart.OTHER
    part = _BARRIERS.get(name)
    if part is not None and arguments and arguments[0][-1:] != [_WORKGROUP]:
        return BarrierPart.OTHER
    return part


def barrier_object(name: str, arguments: Sequence[Sequence[str]]) -> tuple[str, BarrierPart] | None:
    """Tell which barrier object other than the workgroup's an intrinsic arrives at or waits for, if any.

    A leave counts as an arrival: both take part in what others wait for.

    Examples
    --------
    >>> barrier_object("llvm.amdgcn.s.barrier.wait", [["i16", "-3"]])[0], barrier_object("llvm.amdgcn.s.barrier", [])
    ('cluster', None)
    """
    if name == "llvm.amdgcn.s.cluster.barrier":
        return CLUSTER, BarrierPart.BOTH
    part = _OBJECT_PARTS.get(name)
    if part is None or not arguments:
        return None
    tokens = list(arguments[0])
    which = " ".join(tokens[tokens.index("getelementptr") :]) if "getelementptr" in tokens else tokens[-1]
    if which in (_WORKGROUP, "0"):
        return None
    return (CLUSTER if which == _CLUSTER else "" if name.endswith((".leave", ".wait")) else which), part


def pointer_effect(name: str, attributes: Attributes, words: Iterable[str], address_space: int) -> tuple[bool, bool]:
    """Tell whether an intrinsic reads and writes through one of its pointers.

    Parameters
    ----------
    name : str
    attributes : Attributes
        Those of the intrinsic.
    words : iterable of str
        The attributes of the parameter.
    address_space : int
        Of the pointer.

    Examples
    --------
    >>> pointer_effect("llvm.amdgcn.global.load.lds", Attributes(), (), 3)
    (False, True)
    """
    to_lds, from_lds = name.endswith(".lds") or ".to.lds" in name, ".from.lds" in name
    if to_lds or from_lds:
        writes = (address_space == 3) == to_lds
        return not writes, writes
    effect = {"load": _READ, "store": _WRITE}.get(av_access(name) or "") or attributes.effect("argmem")
    for word in words:
        if word == "readnone":
            effect = 0
        elif word == "readonly":
            effect &= _READ
        elif word == "writeonly":
            effect &= _WRITE
    return bool(effect & _READ), bool(effect & _WRITE)


def short_name(name: str) -> str:
    """Give the name of an intrinsic without its target and types, for reports.

    Examples
    --------
    >>> short_name("llvm.amdgcn.raw.ptr.buffer.load.v4f32"), short_name("llvm.memcpy.p1.p3.i64")
    ('raw.ptr.buffer.load', 'memcpy')
    """
    name = name.removeprefix("llvm.").removeprefix("amdgcn.")
    while match := _TYPE.search(name):
        name = name[: match.start()]
    return name


def assembly_barrier(text: str) -> BarrierPart | None:
    r"""Tell what the barrier in inline assembly does; None without a barrier.

    Examples
    --------
    >>> assembly_barrier("s_waitcnt lgkmcnt(0)\\0As_barrier").name, assembly_barrier("s_nop 0")
    ('BOTH', None)
    """
    found = set(_ASSEMBLY_BARRIER.findall(text.replace("\\0A", "\n")))
    if not found:
        return None
    if "" in found or len(found) == 2:
        return BarrierPart.BOTH
    return BarrierPart.ARRIVE if found == {"_signal"} else BarrierPart.WAIT


def assembly_accesses(text: str, constraints: str) -> bool:
    """Tell whether inline assembly may access memory: it clobbers memory, or has an instruction that accesses it.

    Examples
    --------
    >>> assembly_accesses("s_nop 0", ""), assembly_accesses("s_waitcnt 0", ""), assembly_accesses("", "~{memory}")
    (False, True, True)
    """
    return "~{memory}" in constraints or _ASSEMBLY_MEMORY.search(text.replace("\\0A", "\n")) is not None
