"""The tables in which glibc's ``<ctype.h>`` looks up characters, in the locale "C"."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["character_tables"]

_FIRST, _BEHIND = -128, 256
"""Characters may be signed or not; -1 is the end of a file, too."""

_CLASSES = {
    0x100: str.isupper,
    0x200: str.islower,
    0x400: str.isalpha,
    0x800: str.isdigit,
    0x1000: lambda each: each in "0123456789abcdefABCDEF",
    0x2000: lambda each: each in " \t\n\v\f\r",
    0x4000: str.isprintable,
    0x8000: lambda each: each.isprintable() and each != " ",
    0x1: lambda each: each in " \t",
    0x2: lambda each: not each.isprintable(),
    0x4: lambda each: each.isprintable() and not each.isalnum() and each != " ",
    0x8: str.isalnum,
}
"""By the bit that glibc gives a class: which characters of ASCII are in it."""


def character_tables() -> str:
    """Give the tables as global variables of LLVM IR: the classes of each character, its lower and its upper case.

    Examples
    --------
    >>> character_tables().split(" = ")[0]
    '@enumerator.classes'
    """
    numbers = range(_FIRST, _BEHIND)
    classes = [_classes(chr(each)) if each in range(128) else 0 for each in numbers]
    # Cases are those of unsigned characters, but for -1.
    lower, upper = ([_case(each, upper) for each in numbers] for upper in (False, True))
    return "".join(
        (_table("classes", "i16", classes), _table("lower", "i32", lower), _table("upper", "i32", upper)),
    )


def _classes(character: str) -> int:
    found = sum(bit for bit, is_in in _CLASSES.items() if is_in(character))
    return found if found < 1 << 15 else found - (1 << 16)


def _case(number: int, upper: bool) -> int:
    if number not in range(128):
        return number if number >= -1 else number + 256
    return ord(chr(number).upper() if upper else chr(number).lower())


def _table(name: str, type_: str, values: Sequence[int]) -> str:
    cells = ", ".join(f"{type_} {value}" for value in values)
    return f"@enumerator.{name} = constant [{len(values)} x {type_}] [{cells}]\n"
