"""Which bytes the threads of a workgroup access, one by one, where addresses follow from the number of the thread."""

from __future__ import annotations

from functools import lru_cache

from enumerator.inspection.forms import Extent, Form, Symbol, Varies
from enumerator.inspection.values import THREAD_INDEX, WAVE_INDEX, arithmetic, compared

__all__ = ["bytes_by_thread", "meet"]

_LANE = "lane"
_MOST_BYTES = 1 << 16


@lru_cache(1024)
def bytes_by_thread(extent: Extent, threads: int, wave: int, apart: int = 0) -> dict[int, set[int]] | None:
    """Give the waves that access each byte of an object.

    Parameters
    ----------
    extent : Extent
    threads, wave : int
        How many threads a workgroup, and a wave, has; they are numbered along one dimension.
    apart : int, optional
        How many threads count as one wave, where waves may be larger than that; else those of a wave.

    Returns
    -------
    dict of int to set of int
        By the offset of the byte, less what is the same in all threads. None if that is not known.

    Examples
    --------
    >>> from enumerator.inspection.forms import Symbol
    >>> t = Form.of(Symbol("workitem.id.x", Varies.THREAD, 0, 127))
    >>> bytes_by_thread(Extent("@l", t, 1), 128, 64)[64], bytes_by_thread(Extent("@l"), 128, 64)
    ({1}, None)
    """
    if extent.offset is None or extent.size is None or extent.size * threads > _MOST_BYTES:
        return None
    if extent.offset.varies is Varies.UNKNOWN:
        return None
    offset = Form(extent.offset.constant, extent.offset.of_thread)
    found: dict[int, set[int]] = {}
    for thread in range(threads):
        at = _Thread(thread, wave).value(offset)
        if at is None:
            return None
        for byte in range(at, at + extent.size):
            found.setdefault(byte, set()).add(thread // (apart or wave))
    return found


def meet(one: Extent, other: Extent, threads: int, wave: int, apart: int = 0) -> bool:
    """Tell whether threads of two waves are known to access a common byte, one by each of two accesses."""
    if one.root != other.root or not one.root or one.offset is None or other.offset is None:
        return False
    if one.offset.uniform != other.offset.uniform:
        return False
    first, second = (bytes_by_thread(each, threads, wave, apart) for each in (one, other))
    if first is None or second is None:
        return False
    return any(len(waves | second[byte]) > 1 for byte, waves in first.items() if byte in second)


class _Thread:
    """What integers are for one thread.

    Parameters
    ----------
    number, wave : int
        Its number, and how many threads a wave has.
    """

    def __init__(self, number: int, wave: int) -> None:
        self._number = number
        self._wave = wave
        self._known: dict[str, int | None] = {}
        self._first: _Thread | None = None

    def value(self, form: Form) -> int | None:
        """Compute a form; None where a part of it is not known."""
        total = form.constant
        for symbol, factor in form.terms:
            value = self._symbol(symbol)
            if value is None:
                return None
            total += factor * value
        return total

    def _symbol(self, symbol: Symbol) -> int | None:
        if symbol.name == THREAD_INDEX:
            return self._number
        if symbol.name == _LANE:
            return self._number % self._wave
        if symbol.name == WAVE_INDEX:
            return self._number // self._wave
        if symbol.made is None:
            return None
        if symbol.name not in self._known:
            self._known[symbol.name] = self._made(*symbol.made)
        return self._known[symbol.name]

    def _made(self, opcode: str, width: int, operands: tuple[Form, ...]) -> int | None:
        """Compute what is no sum."""
        if opcode == "readfirstlane":
            self._first = self._first or _Thread(self._number - self._number % self._wave, self._wave)
            return self._first.value(operands[0])
        values = [self.value(each) for each in operands]
        known = [each for each in values if each is not None]
        if opcode == "select" and values[0] is not None:
            return values[1 if values[0] & 1 else 2]
        if len(known) < len(values):
            return None
        if opcode.startswith("icmp "):
            return int(compared(opcode.removeprefix("icmp "), known[0], known[1], width))
        found = arithmetic(opcode, Form(known[0]), Form(known[1]), width)
        return None if found is None else found.known
