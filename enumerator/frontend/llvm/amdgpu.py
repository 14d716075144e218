"""AMDGPU's intrinsics: which of them `run` takes, and why it does not take the others.

Sources: LLVM, IntrinsicsAMDGPU.td; AMDGPUUsage, *LLVM IR Intrinsics*.
"""

from __future__ import annotations

import re

from enumerator.errors import InputError
from enumerator.frontend.llvm.asynchronous import MARK, MARK_WAIT, copy_of, counter_wait
from enumerator.frontend.llvm.buffers import bounded
from enumerator.frontend.llvm.intrinsics import (
    AV_OPERATIONS,
    BARRIERS,
    DESCRIPTORS,
    FLOATS,
    IDENTITIES,
    LANES,
    SCOPE_VALUES,
    av_access,
    is_ignored,
)
from enumerator.frontend.llvm.objects import is_barrier_operation
from enumerator.frontend.llvm.reader import InstructionReader
from enumerator.frontend.llvm.tokens import NotCovered
from enumerator.program.instructions import (
    Constant,
    Exit,
    Expression,
    Instruction,
    Load,
    Now,
    Operation,
    Register,
    Store,
    Unsupported,
)
from enumerator.program.types import IntType, Type

__all__ = ["PREFIX", "intrinsic", "offset_by", "refusal", "strided"]

PREFIX = "llvm.amdgcn."

_OFFSET = IntType(64)
_BUFFER = re.compile(r"(raw|struct)\.ptr\.buffer\.(load|store)(?:\.[a-z]*\d\w*)*$")

# They are about when instructions run on the hardware, or about its caches: no rule of a model speaks of them.
_NOTHING = re.compile(
    r"s\.(waitcnt|wait\.(bvh|ds|exp|km|load|sample|store)cnt|wait\.event(\.export\.ready)?|nop|sleep(\.var)?|wakeup"
    r"|setprio(\.inc\.wg)?"
    r"|prefetch\.(data|inst)(\.p\d+)?|buffer\.prefetch\.data|monitor\.sleep|ttracedata(\.imm)?|(inc|dec)perflevel"
    r"|dcache\.(inv|wb)(\.vol)?)$"
    r"|sched\.(group\.)?barrier$|iglp\.opt$|wave\.barrier$|(global|flat)\.prefetch(\.|$)|buffer\.wbinvl1"
)

# Of a wave that has one lane, these give their first argument.
_OF_ONE_LANE = re.compile(
    r"(readfirstlane|readlane|wqm|softwqm|wwm|strict\.(wqm|wwm)|permlane64)(\.|$)|wave\.reduce\.(f?min|f?max|umin|umax|f?add|and|or)(\.|$)"
)
_ENDS = re.compile(r"endpgm$")
_CLOCK = re.compile(r"s\.memtime$|s\.memrealtime$")
_BALLOT = re.compile(r"ballot(\.|$)")

# The first that fits says why an intrinsic is refused.
_REFUSED = tuple(
    (re.compile(pattern), why)
    for pattern, why in (
        (r"s\.get\.(named\.)?barrier\.state", "a count that may change at any moment"),
        (r"(raw|struct)\.(buffer|tbuffer|atomic)", "its resource is numbers and no pointer"),
        (r"(raw|struct)\.ptr\.(tbuffer|buffer\.(load|store)\.format)", "it converts what it reads or writes"),
        (r"(raw|struct)\.ptr\.(buffer\.)?atomic", "no document says its ordering and scope"),
        (r"image\.|s\.buffer\.load", "its resource is numbers and no pointer"),
        (r"ds\.(gws|ordered|bvh|append|consume)|ds\.(add|sub)\.gs", "memory that is neither LDS nor global"),
        (r"ds\.atomic\.(async\.)?barrier\.arrive", "a barrier in LDS: no document has a model of it"),
        (r"cooperative\.atomic|(global|flat)\.load\.monitor|cluster\.load|global\.atomic|flat\.atomic|ds\.f(add|min|max)"
         r"|atomic\.|global\.(load|store)\.|ds\.load|ds\.read", "an access that no document has a model of"),
        (r"mfma|smfmac|swmmac|wmma", "it computes with the values of other lanes"),
        (r"permlane|writelane|readlane|ds\.b?permute|ds\.swizzle|mov\.dpp|update\.dpp|wave\.(reduce|shuffle)|set\.inactive"
         r"|interp\.|lds\.(param|direct)|ballot|icmp|fcmp|wqm|live\.mask|inverse\.ballot|ps\.live|quadmask",
         "a value that goes between lanes"),
        (r"init\.(exec|whole\.wave)|call\.whole\.wave|cs\.chain|kill|end\.cf|(else|if|if\.break|loop|dead|unreachable)$"
         r"|s\.sendmsg|s\.sethalt|s\.setreg|s\.getreg|s\.getpc|exp(\.compr|\.row)?$|pops|lds\.|module|kernel|dynlds|sw\.lds",
         "control of the hardware"),
        (r"cluster\.|workgroup\.|dispatch|queue|kernarg|implicit|groupstaticsize|reloc|s\.get\.waveid",
         "where or when the thread runs, which a test does not say"),
        (r"is\.(shared|private)", "where the memory of a flat address is, which is not looked at"),
        (r"", "arithmetic that is not covered"),
    )
)  # fmt: skip


def refusal(name: str) -> str | None:
    """Say why an intrinsic is refused; None if it is taken (perhaps not with all arguments).

    Examples
    --------
    >>> refusal("llvm.amdgcn.s.waitcnt"), refusal("llvm.amdgcn.s.get.barrier.state")
    (None, 'a count that may change at any moment')
    """
    short = name.removeprefix(PREFIX)
    if copy_of(name) is not None or copy_of(f"{name}.p1") is not None:
        return None if ".ptr." in name or "buffer" not in name else "its resource is numbers and no pointer"
    taken = (
        is_ignored(name)
        or name in (MARK, MARK_WAIT, *BARRIERS, *LANES, *IDENTITIES, *AV_OPERATIONS)
        or av_access(name) is not None
        or name.startswith((DESCRIPTORS.removesuffix("."), SCOPE_VALUES))
        or counter_wait(name) is not None
        or is_barrier_operation(name)
        or name.startswith(tuple(FLOATS))
        or f"{name}.".startswith(tuple(FLOATS))
        or any(pattern.match(short) for pattern in (_NOTHING, _CLOCK, _ENDS, _OF_ONE_LANE, _BALLOT, _BUFFER))
    )
    return None if taken else next(why for pattern, why in _REFUSED if pattern.match(short))


def intrinsic(name: str, text: InstructionReader, result: Type | None) -> Instruction | list[Instruction] | None:
    """Read a call of one that neither synchronizes nor copies.

    Raises
    ------
    NotCovered
        For one that is refused.
    """
    short = name.removeprefix(PREFIX)
    if _NOTHING.match(short):
        return None
    if _CLOCK.match(short):
        return Now(text.target, text.line)
    if _ENDS.match(short):
        return [Unsupported(name, text.line, "it ends all lanes of a wave", unless="%only.lane"), Exit(None, text.line)]
    if _OF_ONE_LANE.match(short) or _BALLOT.match(short):
        return _of_one_lane(name, text, result)
    if match := _BUFFER.match(short):
        return _buffer_access(name, text, result, loads=match[2] == "load", indexed=match[1] == "struct")
    raise NotCovered(f"{name}: {refusal(name)}")


def _of_one_lane(name: str, text: InstructionReader, result: Type | None) -> list[Instruction]:
    (value, type_), *rest = text.arguments()
    if "readlane" in name and not (isinstance(rest[0][0], Constant) and rest[0][0].value == 0):
        raise NotCovered(f"{name} of a lane other than the first")
    if _BALLOT.match(name.removeprefix(PREFIX)):
        assert result is not None
        value, type_ = Operation("zext", (value,), result, type_), result
    check = Unsupported(name, text.line, "a value that goes between the lanes of a wave", unless="%only.lane")
    return [check, text.assign(value, type_)]


def _buffer_access(
    name: str, text: InstructionReader, result: Type | None, *, loads: bool, indexed: bool
) -> Instruction:
    """Read a plain access of a buffer: its place is the descriptor's, plus what the other arguments say."""
    arguments = text.arguments()
    stored = None if loads else arguments.pop(0)
    (address, pointer), *places, (policy, _) = arguments
    if len(places) != 2 + indexed:
        raise InputError(f"{name} takes {4 + indexed + (not loads)} arguments", text.function.path, text.line)
    if not isinstance(policy, Constant) or not isinstance(policy.value, int):
        raise NotCovered(f"{name}: a constant is expected")
    index = places[0][0] if indexed else None
    if indexed:
        places = [strided(name, address, places[0][0], text), *places[1:]]
    # AMDGPUUsage, "Buffer cache policy": bit 31 stands for volatile.
    annotation = text.annotation(pointer=pointer, volatile=bool(policy.value >> 31 & 1))
    place = offset_by(address, pointer, places)
    if stored is not None:
        store = Store(place, stored[0], stored[1], annotation, text.line)
        return bounded(store, address, index, places[-2:], name, text)
    if result is None:
        raise NotCovered(name)
    text.define(result)
    load = Load(text.target, place, result, annotation, text.line)
    return bounded(load, address, index, places[-2:], name, text)


def strided(name: str, resource: Expression, index: Expression, text: InstructionReader) -> tuple[Expression, Type]:
    """Give how far from the start of a buffer an element is.

    Raises
    ------
    NotCovered
        If the descriptor does not come from a call that says how large elements are, or swizzles.
    """
    buffer = text.function.buffers.get(resource.name) if isinstance(resource, Register) else None
    known = buffer.stride if buffer is not None else None
    if known is None:
        raise NotCovered(f"{name}: the place in the buffer depends on its descriptor, of which no stride is known here")
    if known >> 14:
        raise NotCovered(f"{name}: the place in the buffer is swizzled")
    wide = Operation("sext", (index,), _OFFSET, IntType(32))
    return Operation("mul", (wide, Constant(known, _OFFSET)), _OFFSET, _OFFSET), _OFFSET


def offset_by(address: Expression, pointer: Type, further: list[tuple[Expression, Type]]) -> Expression:
    """Give an address that is some offsets away from another one."""
    for value, type_ in further:
        if isinstance(value, Constant) and value.value == 0:
            continue
        wide = value if type_ == _OFFSET else Operation("sext", (value,), _OFFSET, type_)
        address = Operation("ptradd", (address, wide), pointer, pointer)
    return address
