"""Which bytes the threads of a workgroup access, one by one, where addresses follow from the number of the thread."""

from __future__ import annotations

from enumerator.inspection.forms import Extent, Form, Varies
from enumerator.inspection.values import THREAD_INDEX, arithmetic

__all__ = ["bytes_by_thread", "meet"]

_LANE = "lane"
_MOST_BYTES = 1 << 16


def bytes_by_thread(extent: Extent, threads: int, wave: int) -> dict[int, set[int]] | None:
    """Give the waves that access each byte of an object.

    Parameters
    ----------
    extent : Extent
    threads, wave : int
        How many threads a workgroup, and a wave, has; they are numbered along one dimension.

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
    found: dict[int, set[int]] = {}
    for thread in range(threads):
        at = _value(Form(extent.offset.constant, extent.offset.of_thread), thread, wave)
        if at is None or extent.offset.varies is Varies.UNKNOWN:
            return None
        for byte in range(at, at + extent.size):
            found.setdefault(byte, set()).add(thread // wave)
    return found


def meet(one: Extent, other: Extent, threads: int, wave: int) -> bool:
    """Tell whether threads of two waves are known to access a common byte, one by each of two accesses."""
    if one.root != other.root or not one.root or one.offset is None or other.offset is None:
        return False
    if one.offset.uniform != other.offset.uniform:
        return False
    first, second = bytes_by_thread(one, threads, wave), bytes_by_thread(other, threads, wave)
    if first is None or second is None:
        return False
    return any(len(waves | second[byte]) > 1 for byte, waves in first.items() if byte in second)


def _value(form: Form, thread: int, wave: int) -> int | None:
    """Compute a form for one thread."""
    total = form.constant
    for symbol, factor in form.terms:
        if symbol.name == THREAD_INDEX:
            value: int | None = thread
        elif symbol.name == _LANE:
            value = thread % wave
        elif symbol.made is None:
            value = None
        else:
            opcode, width, left, right = symbol.made
            one, two = _value(left, thread, wave), _value(right, thread, wave)
            found = None if one is None or two is None else arithmetic(opcode, Form(one), Form(two), width)
            value = None if found is None else found.known
        if value is None:
            return None
        total += factor * value
    return total
