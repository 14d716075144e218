"""IR of another LLVM than the one at hand, mostly a newer one: what it would not read is written as it knows it.

Nothing is changed before LLVM has refused a module. Places in the text stay as they are, but for columns behind a
number of floating point.
"""

from __future__ import annotations

import re
import struct

from enumerator.frontend.llvm.asynchronous import MARK, MARK_WAIT, copy_of, counter_wait
from enumerator.frontend.llvm.older import without_removed
from enumerator.frontend.llvm.syntax import closing, split
from enumerator.frontend.llvm.tokens import tokenize

__all__ = ["as_written", "for_older", "without_conventions"]

# An intrinsic whose types have changed gets a name that LLVM does not know, of which it then asks no more.
_NAME, _OTHER_NAME = "@llvm.amdgcn.", "@llvm.amdgcN."

_CHANGED = re.compile(r"Intrinsic has incorrect (?:argument|return) type!; ptr @llvm\.amdgcn\.([\w.]+)")
_UNKNOWN = re.compile(r"unknown intrinsic '(llvm\.amdgcn\.[\w.]+)'$")
_TYPE = re.compile(r"(void|i\d+|half|bfloat|float|double|ptr(?: addrspace\(\d+\))?)\s*$")

# Texts and comments, in which no number stands; numbers as LLVM 23 writes them.
_NUMBER = re.compile(
    r'"[^"]*"|;[^\n]*|(?<![-\w.$%@!+])(?:(?P<word>[+-](?:inf|nan|qnan))|f0x(?P<bits>[0-9A-Fa-f]{4}(?:[0-9A-Fa-f]{4}){0,3}))(?![\w.(])'
)
# What clang up to 18 says of the address of a table of virtual functions.
_IN_RANGE = re.compile(r"\binrange (?=i\d)")

_WORDS = {"+inf": "0x7FF0000000000000", "-inf": "0xFFF0000000000000"}
_WORDS |= {"+nan": "0x7FF8000000000000", "-nan": "0xFFF8000000000000"}
_WORDS |= {"+qnan": "0x7FF8000000000000", "-qnan": "0xFFF8000000000000"}

_CONVENTION = re.compile(r"\bcc: DW_CC_\w+(?:, )?")


def without_conventions(text: str) -> str:
    """Leave out the names of calling conventions in debug information: LLVM's own are other ones in each version.

    Examples
    --------
    >>> without_conventions("!8 = !DISubroutineType(cc: DW_CC_LLVM_OpenCLKernel, types: !9)")
    '!8 = !DISubroutineType(types: !9)'
    """
    return _CONVENTION.sub("", text)


def for_older(text: str, message: str, line: int | None) -> str | None:
    """Write what LLVM has refused as it knows it.

    Parameters
    ----------
    text : str
        The module.
    message : str
        Why it was refused.
    line : int or None
        Where.

    Returns
    -------
    str or None
        None where nothing in it is known to be newer.

    Examples
    --------
    >>> for_older("define float @f() {\\n ret float -inf\\n}", "expected value token", 2)
    'define float @f() {\\n ret float 0xFFF0000000000000\\n}'
    >>> for_older("call void @llvm.amdgcn.asyncmark(i32 1)", "unknown intrinsic 'llvm.amdgcn.asyncmark'", 1)
    'call void @llvm.amdgcn.asyncmark(i32 1)\\ndeclare void @llvm.amdgcn.asyncmark(i32)\\n'
    """
    if changed := [name for name in _CHANGED.findall(message) if _may_have_changed(name, text)]:
        return _renamed(text, changed)
    if (unknown := _UNKNOWN.match(message)) and line is not None:
        name = unknown[1]
        known = copy_of(name) is not None or counter_wait(name) is not None or name in (MARK, MARK_WAIT)
        return _declared(text, f"@{name}", line) if known else None
    if message == "invalid intrinsic signature" and line is not None:  # a call of what is not declared
        calls = re.findall(rf"{re.escape(_NAME)}([\w.]+)", text.split("\n")[line - 1])
        if len(calls) == 1 and _may_have_changed(calls[0], text):
            return _declared(_renamed(text, calls), _OTHER_NAME + calls[0], line)
    if message.startswith("invalid DWARF calling convention"):
        return without_conventions(text)
    if message.endswith("constexprs are no longer supported"):
        return without_removed(text)
    if message.startswith("expected "):
        written = _IN_RANGE.sub(" " * 8, _NUMBER.sub(_number, text))
        return written if written != text else None
    return None


def as_written(printed: str) -> str:
    """Give the names back that :func:`for_older` has changed.

    Examples
    --------
    >>> as_written("declare void @llvm.amdgcN.s.barrier.join(ptr addrspace(15))")
    'declare void @llvm.amdgcn.s.barrier.join(ptr addrspace(15))'
    """
    return printed.replace(_OTHER_NAME, _NAME)


def _number(match: re.Match[str]) -> str:
    """Give a number as the bits of a double, which stand for a constant of any type that has it."""
    if match["word"]:
        return _WORDS[match["word"]]
    bits = match["bits"]
    if bits is None:
        return match[0]
    if len(bits) == 4:
        types = re.findall(r"\b(half|bfloat)\b", match.string[max(match.start() - 2000, 0) : match.start()])
        return ("0xR" if types[-1:] == ["bfloat"] else "0xH") + bits
    if len(bits) == 8:
        (value,) = struct.unpack(">f", bytes.fromhex(bits))
        return "0x" + struct.pack(">d", value).hex().upper()
    return f"0x{bits}" if len(bits) == 16 else match[0]


def _may_have_changed(name: str, text: str) -> bool:
    """Tell whether other types than LLVM knows are no mistake; of barriers, only an address space of their own."""
    return not name.startswith("s.") or re.search(rf"{re.escape(_NAME + name)}\(ptr addrspace\(15\)", text) is not None


def _renamed(text: str, names: list[str]) -> str:
    several = "|".join(re.escape(name) for name in names)
    return re.sub(rf"{re.escape(_NAME)}({several})(?![\w.])", rf"{_OTHER_NAME}\1", text)


def _declared(text: str, name: str, line: int) -> str | None:
    """Declare an intrinsic as it is called in a line."""
    before, _, behind = "\n".join(text.split("\n")[line - 1 : line + 9]).partition(name)
    result = _TYPE.search(before)
    if result is None:
        return None
    tokens = tokenize(behind)
    arguments = split(tokens[1 : closing(tokens, 0) - 1])
    types = ", ".join(" ".join(each[: _end_of_type(each)]) for each in arguments)
    return f"{text.rstrip()}\ndeclare {result[1]} {name}({types})\n"


def _end_of_type(tokens: list[str]) -> int:
    if tokens[0] in ("<", "[", "{"):
        return closing(tokens, 0)
    return closing(tokens, 2) if tokens[1:3] == ["addrspace", "("] else 1
