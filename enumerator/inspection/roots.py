"""Finding the object that a pointer points into, through address computations, casts, selects and phis."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from enumerator.frontend.llvm.syntax import address_space, operand, split
from enumerator.frontend.llvm.tokens import decode_name, tokenize

__all__ = ["POINTER_OPCODES", "Roots"]

#: The opcodes whose result may be a pointer derived from another pointer.
POINTER_OPCODES = frozenset("getelementptr addrspacecast bitcast freeze phi select alloca".split())

_MOST_STEPS = 256  # steps from a pointer back to its object; after more, the object counts as unknown

Root = tuple[str, int]


class Roots:
    """The pointers of one function.

    Parameters
    ----------
    variables : mapping of str to int
        The address spaces of the module's global variables, by printed name with the sigil.
    aliases : mapping of str to str
        The aliased object of each alias.
    global_name : callable
        Gives the name in the file for a printed name.

    Examples
    --------
    >>> roots = Roots({"@x": 3}, {}, lambda token: token[1:])
    >>> roots.define("%p", "  %p = getelementptr i32, ptr addrspace(3) @x, i32 1")
    >>> roots.define("%q", "  %q = addrspacecast ptr addrspace(3) %p to ptr")
    >>> roots.of("%q"), roots.of("%unknown")
    (('@x', 3), None)
    """

    def __init__(
        self, variables: Mapping[str, int], aliases: Mapping[str, str], global_name: Callable[[str], str]
    ) -> None:
        self._variables = variables
        self._aliases = aliases
        self._global_name = global_name
        self._texts: dict[str, str] = {}
        self._sources: dict[str, list[str] | Root] = {}
        self._known: dict[str, Root | None] = {}

    def define(self, register: str, text: str) -> None:
        """Add an instruction with one of the opcodes :data:`POINTER_OPCODES`."""
        self._texts[register] = text

    def of(self, token: str) -> Root | None:
        """Give the object that a pointer points into, with its address space; None if it is not known."""
        if token not in self._known:
            self._known[token] = self._search(token)
        return self._known[token]

    def space(self, token: str) -> int | None:
        """Give the address space of the memory that a pointer points to, if it is an object or what was cast; or None.

        Examples
        --------
        >>> roots = Roots({}, {}, lambda token: token[1:])
        >>> roots.define("%q", "  %q = addrspacecast ptr addrspace(3) %p to ptr")
        >>> roots.define("%r", "  %r = getelementptr i32, ptr %q, i64 1")
        >>> roots.space("%r"), roots.space("%p")
        (3, None)
        """
        root = self.of(token)
        if root is not None:
            return root[1]
        for _ in range(_MOST_STEPS):
            tokens = tokenize(self._texts.get(token, ""))
            if tokens[2:3] not in (["getelementptr"], ["addrspacecast"], ["bitcast"], ["freeze"]):
                break
            parts = split(tokens[3:])
            pointer = parts[1] if tokens[2] == "getelementptr" and len(parts) > 1 else parts[0]
            if space := address_space(pointer):
                return space
            token = operand(pointer)
        return None

    def _search(self, token: str) -> Root | None:
        found: set[Root] = set()
        seen = {token}
        waiting = [token]
        while waiting:
            at = waiting.pop()
            if len(seen) > _MOST_STEPS:
                return None
            known = self._known.get(at)
            sources = [known] if known is not None else self._sources_of(at)
            for source in sources:
                if source is None:
                    return None
                if isinstance(source, tuple):
                    found.add(source)
                    if len(found) > 1:
                        return None
                elif source not in seen:
                    seen.add(source)
                    waiting.append(source)
        return found.pop() if found else None

    def _sources_of(self, token: str) -> list[str | Root | None]:
        """Give what a pointer is derived from: tokens, an object, or None if it is not known."""
        token = self._aliases.get(token, token)
        if token.startswith("@"):
            if token not in self._variables:
                return [None]
            return [("@" + self._global_name(token), self._variables[token])]
        if token not in self._sources:
            self._sources[token] = self._read(token)  # type: ignore[assignment]
        return self._sources[token]  # type: ignore[return-value]

    def _read(self, token: str) -> list[str | Root | None]:
        text = self._texts.get(token)
        if text is None:
            return [None]
        tokens = tokenize(text)
        opcode, rest = tokens[2], tokens[3:]
        parts = split(rest)
        match opcode:
            case "alloca":
                spaces = [address_space(["ptr", *part]) for part in parts if part[:1] == ["addrspace"]]
                return [("%" + decode_name(token), (spaces or [0])[0] or 0)]
            case "getelementptr":
                pointer = parts[1] if len(parts) > 1 else []
                return [operand(pointer) or None] if pointer[:1] == ["ptr"] else [None]
            case "phi":
                start = rest.index("[") if "[" in rest else 0
                incoming = [part for part in split(["x", ",", *rest[start:]])[1:] if part[:1] == ["["]]
                values = [part[1 : part.index(",")] if "," in part else [] for part in incoming]
                return [operand(value) or None for value in values] if rest[:1] == ["ptr"] else [None]
            case "select":
                return [operand(part) or None for part in parts[1:3]] if parts[1:2] and parts[1][0] == "ptr" else [None]
            case _:
                return [operand(rest) or None] if rest[:1] == ["ptr"] else [None]
