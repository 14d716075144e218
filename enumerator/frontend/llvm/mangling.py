"""Names as C++ and OpenCL mangle them: the part of the Itanium ABI that functions of plain types use.

Source: Itanium C++ ABI, 5.1 (Mangling). Templates, member functions and function types are not read.
"""

from __future__ import annotations

import re
from dataclasses import field

from enumerator.frozen import dataclass

__all__ = ["Mangled", "ParameterType", "demangle"]

_BUILTIN = {
    "v": "void",
    "w": "wchar_t",
    "b": "bool",
    "c": "char",
    "a": "signed char",
    "h": "unsigned char",
    "s": "short",
    "t": "unsigned short",
    "i": "int",
    "j": "unsigned int",
    "l": "long",
    "m": "unsigned long",
    "x": "long long",
    "y": "unsigned long long",
    "n": "__int128",
    "o": "unsigned __int128",
    "f": "float",
    "d": "double",
    "e": "long double",
    "g": "__float128",
    "z": "...",
}
_BUILTIN_D = {"h": "half", "n": "std::nullptr_t", "i": "char32_t", "s": "char16_t", "u": "char8_t", "a": "auto"}
_QUALIFIERS = {"r": "restrict", "V": "volatile", "K": "const"}
_OPERATORS = {"nw": "operator new", "na": "operator new[]", "dl": "operator delete", "da": "operator delete[]"}
_UNSIGNED = frozenset("bool|unsigned char|unsigned short|unsigned int|unsigned long|unsigned long long".split("|"))
_ATOMIC = "U7_Atomic"
_MOST_DEPTH = 64


@dataclass(frozen=True, slots=True)
class ParameterType:
    """The type of a parameter.

    Parameters
    ----------
    name : str
        Of a builtin type or an enumeration; ``*`` of a pointer; ``vector``.
    qualifiers : tuple of str
        Outermost first: ``volatile``, ``AS1``, ``_Atomic`` …
    to : ParameterType or None
        What a pointer points to, or a vector consists of.
    """

    name: str
    qualifiers: tuple[str, ...] = ()
    to: ParameterType | None = None

    @property
    def unsigned(self) -> bool:
        """Whether it is an unsigned integer."""
        return self.name in _UNSIGNED


@dataclass(frozen=True, slots=True)
class Mangled:
    """A function: its name, without namespaces, and the types of its parameters."""

    name: str
    parameters: tuple[ParameterType, ...]


class _Unknown(Exception):
    """The name uses what is not read."""


def demangle(name: str) -> Mangled | None:
    """Read a mangled name.

    Parameters
    ----------
    name : str
        Without the sigil.

    Returns
    -------
    Mangled or None
        None if it is no such name, or uses what is not read.

    Examples
    --------
    >>> found = demangle("_Z20atomic_load_explicitPVU3AS1U7_Atomici12memory_order12memory_scope")
    >>> found.name, found.parameters[0].to.qualifiers, found.parameters[0].to.name, found.parameters[1].name
    ('atomic_load_explicit', ('volatile', 'AS1', '_Atomic'), 'int', 'memory_order')
    >>> name = "_Z39atomic_compare_exchange_strong_explicitPU3AS0VU7_AtomiciPU3AS0ii12memory_orderS4_12memory_scope"
    >>> [each.name for each in demangle(name).parameters]
    ['*', '*', 'int', 'memory_order', 'memory_order', 'memory_scope']
    >>> demangle("_ZdlPvm").name, demangle("pthread_join")
    ('operator delete', None)
    """
    if not name.startswith("_Z"):
        return None
    try:
        reader = _Reader(name, 2)
        return reader.function()
    except (_Unknown, IndexError):
        return None


@dataclass
class _Reader:
    text: str
    at: int
    substitutions: list[ParameterType] = field(default_factory=list)
    depth: int = 0

    def function(self) -> Mangled:
        name = self._name()
        parameters = []
        while self.at < len(self.text) and self.text[self.at] != ".":
            parameters.append(self._type())
        if [each.name for each in parameters] == ["void"]:
            parameters = []
        return Mangled(name, tuple(parameters))

    def _name(self) -> str:
        if self._accept("N"):
            # A nested name: the namespaces are dropped, but may be substituted for.
            last = ""
            while not self._accept("E"):
                last = "std" if self._accept("St") else self._unqualified()
                if self.text[self.at] != "E":
                    self.substitutions.append(ParameterType(last))
            return last
        self._accept("St")
        return self._unqualified()

    def _unqualified(self) -> str:
        operator = self.text[self.at : self.at + 2]
        if operator in _OPERATORS:
            self.at += 2
            return _OPERATORS[operator]
        return self._source_name()

    def _source_name(self) -> str:
        match = re.compile(r"[1-9]\d{0,3}").match(self.text, self.at)
        if match is None:
            raise _Unknown
        start, end = match.end(), match.end() + int(match[0])
        if end > len(self.text):
            raise _Unknown
        self.at = end
        return self.text[start:end]

    def _accept(self, prefix: str) -> bool:
        found = self.text.startswith(prefix, self.at)
        self.at += len(prefix) if found else 0
        return found

    def _type(self) -> ParameterType:
        self.depth += 1
        if self.depth > _MOST_DEPTH:
            raise _Unknown
        try:
            return self._plain_type()
        finally:
            self.depth -= 1

    def _plain_type(self) -> ParameterType:
        letter = self.text[self.at]
        if letter in "PRO":
            self.at += 1
            return self._substitutable(ParameterType("*" if letter == "P" else "&", (), self._type()))
        if letter in "UrVK":
            # All qualifiers of a type together are one component (5.1.5.1); an atomic type is a type of its own.
            qualifiers: list[str] = []
            while self.text[self.at] in "UrVK" and not self.text.startswith(_ATOMIC, self.at):
                letter = self.text[self.at]
                self.at += 1
                qualifiers.append(self._source_name() if letter == "U" else _QUALIFIERS[letter])
            if not qualifiers:
                self.at += len(_ATOMIC)
                qualifiers = ["_Atomic"]
            inner = self._type()
            return self._substitutable(ParameterType(inner.name, (*qualifiers, *inner.qualifiers), inner.to))
        if letter == "S":
            return self._substitution()
        if letter == "D":
            return self._extended()
        if letter in _BUILTIN:
            self.at += 1
            return ParameterType(_BUILTIN[letter])
        if letter == "u":
            self.at += 1
            return self._substitutable(ParameterType(self._source_name()))
        return self._substitutable(ParameterType(self._name()))

    def _extended(self) -> ParameterType:
        kind = self.text[self.at + 1]
        self.at += 2
        if kind == "v":
            match = re.compile(r"\d{1,4}_").match(self.text, self.at)
            if match is None:
                raise _Unknown
            self.at = match.end()
            return self._substitutable(ParameterType("vector", (match[0][:-1],), self._type()))
        if kind == "F":
            match = re.compile(r"\d{1,3}_").match(self.text, self.at)
            if match is None:
                raise _Unknown
            self.at = match.end()
            return ParameterType(f"_Float{match[0][:-1]}")
        if kind not in _BUILTIN_D:
            raise _Unknown
        return ParameterType(_BUILTIN_D[kind])

    def _substitution(self) -> ParameterType:
        match = re.compile(r"S([0-9A-Z]{0,3})_").match(self.text, self.at)
        if match is None:
            if self._accept("St"):
                return self._substitutable(ParameterType(self._unqualified()))
            raise _Unknown
        self.at = match.end()
        number = int(match[1], 36) + 1 if match[1] else 0
        if number >= len(self.substitutions):
            raise _Unknown
        return self.substitutions[number]

    def _substitutable(self, found: ParameterType) -> ParameterType:
        self.substitutions.append(found)
        return found
