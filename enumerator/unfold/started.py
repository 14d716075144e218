"""What threads of C++ are named by: the function, the lambda or the class that the user has given to ``std::thread``.

All of them run one function of the library. It is given an object whose table of virtual functions has the type of what
is called in its name; where that is a pointer to a function, the object holds that.

Sources: the Itanium C++ ABI, 5.1 (Mangling); GCC's <bits/std_thread.h>, and <tuple>, which puts the first member last.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from enumerator.program.values import Pointer
from enumerator.unfold.arithmetic import evaluate
from enumerator.unfold.thread import ThreadState

__all__ = ["source_name", "started"]

_CALLED = re.compile(r"@_ZTVNSt6thread11_State_implINS_8_InvokerISt5tupleIJ(.*)$")
_LAMBDA = re.compile(r"IJ?(Z.*)\$_")
_NUMBER = re.compile(r"\d+")


def started(state: ThreadState, function: str, argument: object) -> str:
    """Name what a thread runs that is created.

    Parameters
    ----------
    state : ThreadState
        The thread that creates it.
    function : str
        What the new thread begins with.
    argument : object
        What that is given, as far as it is known.

    Returns
    -------
    str
        The function itself, where the program has given it, or nothing else is known.
    """
    if not state.shared.functions[function].library or not isinstance(argument, Pointer):
        return function
    held = dict(_addresses(state, argument))
    found = _CALLED.match(held.get(0, ""))
    if found is None:
        return function
    called = found.group(1)
    if called[:1] in ("P", "M"):
        functions = [held[offset][1:] for offset in sorted(held) if held[offset][1:] in state.shared.functions]
        if functions:
            return _lambda_in(functions[-1]) or source_name(functions[-1])
        called = called.removeprefix("M")
    return _lambda_in(called) or _named(called) or function


def _addresses(state: ThreadState, place: Pointer) -> Iterator[tuple[int, str]]:
    """Give which objects' addresses a thread has written from a place on, each with how far from it."""
    for event in state.events:
        if event.kind == "W" and event.location is not None and event.location.object == place.object:
            if event.value is not None and event.value.reads <= state.certain.keys():
                value = evaluate(event.value, state.certain.__getitem__)
                if isinstance(value, Pointer):
                    yield event.location.offset - place.offset, value.object


def source_name(function: str) -> str:
    """Give the name of a function as in the source, without its parameters; names of scopes end with dots.

    Parameters
    ----------
    function : str

    Returns
    -------
    str
        The name itself, where it is not seen to be made by C++.

    Examples
    --------
    >>> [source_name(each) for each in ("_ZN1n4workEii", "_Z4workv", "work", "_ZNK1WclEv")]
    ['n.work', 'work', 'work', 'W']
    """
    return (_named(function[2:]) if function.startswith("_Z") else None) or function


def _lambda_in(mangled: str) -> str | None:
    """Name the lambda that a template is made for, such as one that is called later."""
    found = _LAMBDA.search(mangled)
    return found and _named(found.group(1))


def _named(mangled: str) -> str | None:
    """Read a name at the beginning of what is mangled; None where that is of another form."""
    if mangled.startswith("Z"):  # a lambda, or a class in a function
        outer = _named(mangled[1:])
        return outer and f"{outer}.lambda"
    names = list(_parts(re.sub("^N?[rVKRO]*(?:St)?", "", mangled), nested=mangled.startswith("N")))
    return ".".join(names) or None


def _parts(mangled: str, *, nested: bool) -> Iterator[str]:
    while (length := _NUMBER.match(mangled)) is not None:
        end = length.end() + int(length.group())
        yield mangled[length.end() : end].replace("$_", "lambda")
        mangled = mangled[end:]
        if not nested:
            return
