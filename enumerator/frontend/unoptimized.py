"""What clang's own IR says to LLVM's optimizer so that it leaves to a program with threads what the program does.

The program is compiled as it is shipped, and only then told apart from other programs: an option of clang, as
``-fsanitize=thread``, would also be seen by what the source includes, which then is another program.

Plain loads
    In what a sanitizer of races sees, the optimizer reads nothing that the program does not read: else it moves plain
    loads before the branches that decide on them, which source-level models call a race. Nothing is instrumented.

Static variables
    Where one function alone uses a static scalar and writes it first, ``GlobalOpt`` makes a local variable of it, as
    if no other thread could run that function meanwhile (its condition is that the function does not call itself).
    All accesses vanish, atomic ones too, and with them what the program says. An array of few elements, or a
    structure, is taken apart before that. What can be seen outside of the program stays what it is.

Taking several locks
    ``std::lock`` stays a function of its own: its name tells what it does (:mod:`enumerator.unfold.rounds`).
"""

from __future__ import annotations

import re

__all__ = ["prepared"]

_DEFINED = re.compile(r"^define .* #(\d+)\b", re.MULTILINE)
_ATTRIBUTES = re.compile(r"^attributes #(\d+) = \{", re.MULTILINE)

_CALLED = re.compile(
    r"^(define .*@(?:_Z(?:St|NSt3__1)4lockI\w*|\w*__VERIFIER_atomic_\w*)\(.*\)) (?=.*\{$)", re.MULTILINE
)

_STATIC = re.compile(r"^(@\S+) = internal (?=(?:(?:local_)?unnamed_addr )?global )", re.MULTILINE)
"""Neither a constant, nor what each thread has for itself, nor what lies in a special memory of a GPU."""

_ACCESS = re.compile(r" +(?:%\S+ = )?(load|store)\b.*, ptr (@[^\s,]+)")
_ELEMENT = re.compile(r" +(%\S+) = getelementptr\b.* ptr (@[^\s,]+)")
_LOAD = re.compile(r" +%\S+ = load\b.*, ptr (%[^\s,]+)")
_GLOBAL = re.compile(r'@(?:"[^"]*"|[^\s,()"]+)')
_LOCAL = re.compile(r'%(?:"[^"]*"|[^\s,()"]+)')


def prepared(text: str) -> str:
    """Let the optimizer neither read what the program does not read, nor take shared variables for local ones.

    Parameters
    ----------
    text : str
        LLVM IR, as clang makes it for a level of optimization, before anything is optimized.

    Returns
    -------
    str

    Examples
    --------
    >>> print(prepared('''@x = internal global i32 0
    ... define void @f() #0 {
    ...   store i32 1, ptr @x
    ...   %1 = load i32, ptr @x
    ...   ret void
    ... }
    ... attributes #0 = { nounwind }'''))
    @x = global i32 0
    define void @f() #0 {
      store i32 1, ptr @x
      %1 = load i32, ptr @x
      ret void
    }
    attributes #0 = { sanitize_thread nounwind }
    """
    of_definitions = set(_DEFINED.findall(text))
    seen = _ATTRIBUTES.sub(lambda each: f"{each[0]} sanitize_thread" if each[1] in of_definitions else each[0], text)
    seen = _CALLED.sub(r"\1 noinline ", seen)
    shared = _shared(seen, {each[1] for each in _STATIC.finditer(seen)})
    return _STATIC.sub(lambda each: f"{each[1]} = " if each[1] in shared else each[0], seen)


def _shared(text: str, statics: set[str]) -> set[str]:
    """Give the variables that functions which other threads may run, any but ``main``, both write and read.

    What is handed to another function, or is accessed in any other way than by a load or store, may be both.
    """
    uses: dict[str, set[str]] = {each: set() for each in statics}
    elements: dict[str, str] = {}
    here = ""
    for line in text.splitlines() if statics else ():
        if line.startswith("define "):
            here, elements = line.partition("@")[2].partition("(")[0], {}
        if here == "main" or not line.startswith(" "):
            continue
        element, load = _ELEMENT.match(line), _LOAD.match(line)
        if element and element[2] in statics:
            elements[element[1]] = element[2]
            continue
        access = _ACCESS.match(line)
        if elements:
            for name in _LOCAL.findall(line):
                if name in elements:
                    uses[elements[name]].add("load" if load and load[1] == name else "other")
        for name in _GLOBAL.findall(line):
            if name in statics:
                uses[name].add(access[1] if access and access[2] == name else "other")
    return {name for name, how in uses.items() if how not in (set(), {"load"}, {"store"})}
