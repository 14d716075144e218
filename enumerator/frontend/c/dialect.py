"""What languages that are mostly C say differently: a subclass says it, as OpenCL's does; this one is C itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from enumerator.errors import InputError
from enumerator.frontend.c.lexer import Cursor, Source, Token, scan
from enumerator.frontend.c.syntax import Call, Expression, Parameter, ThreadCode
from enumerator.frontend.c.types import Typed
from enumerator.frontend.directives import Directives
from enumerator.program.instructions import Block, Scope
from enumerator.program.test import Placement
from enumerator.scopes import default_placements, parse_scopes

if TYPE_CHECKING:
    from enumerator.frontend.c.expressions import Expressions

__all__ = ["Dialect", "Run"]

Run = Callable[["Expressions", Call], "Typed | None"]
"""Carries out a call: gives what the function gives, if it gives something."""


class Dialect:
    """C11, as herd7 reads it.

    Attributes
    ----------
    format : str
        Of the tests.
    plain_scope, default_scope : Scope
        Of accesses that are not atomic, and of atomic operations that name no scope.
    scopes : mapping of str to Scope
        Names that may stand as the last argument of the functions whose name ends with ``_explicit``, and of `scoped`.
    scoped, labelled : frozenset of str
        Functions that take a scope, too, and those whose calls may have a label.
    """

    format: ClassVar[str] = "c"
    plain_scope: ClassVar[Scope] = Scope.SYSTEM
    default_scope: ClassVar[Scope] = Scope.SYSTEM
    scopes: ClassVar[Mapping[str, Scope]] = {}
    scoped: ClassVar[frozenset[str]] = frozenset()
    labelled: ClassVar[frozenset[str]] = frozenset()

    def scan(self, text: str, path: str) -> Source:
        """Give the tokens of a test."""
        return scan(text, path)

    def head(self, cursor: Cursor, thread: Token) -> None:
        """Take what stands between a thread's name and its parameters."""

    def label(self, token: Token) -> Expression | None:
        """Give what a label says to the function that is called behind it; None: there is no such label."""
        return None

    def functions(self, code: ThreadCode, cursor: Cursor) -> Mapping[str, tuple[int, Run]]:
        """Give the functions that a thread may call besides C's: the number of arguments, and what each does."""
        return {}

    def finish(self, blocks: tuple[Block, ...]) -> tuple[Block, ...]:
        """Complete the code of a thread, when all threads are known."""
        return blocks

    def memory(
        self, name: str, parameters: Sequence[tuple[int, Parameter]], cursor: Cursor
    ) -> tuple[int, frozenset[str]]:
        """Give the address space of a location, and the sets that its initial write is in.

        Parameters
        ----------
        name : str
        parameters : sequence of (int, Parameter)
            The threads, and their parameters that are its address.
        cursor : Cursor
            For messages.
        """
        return 0, frozenset()

    def placements(self, directives: Directives, names: list[str], path: str) -> dict[str, Placement]:
        """Say where threads run."""
        tree = directives.scopes
        if tree is None:
            return default_placements(names)
        placed = {
            re.sub(r"\AP(?=\d)", "", name): placement
            for name, placement in parse_scopes(tree.text, path, tree.line, tree.column).items()
        }
        for name in placed:
            if name not in names:
                raise InputError(f"SCOPES: there is no thread P{name}", path, tree.line, tree.column)
        missing = [f"P{name}" for name in names if name not in placed]
        if missing:
            message = f"SCOPES: not all threads are named: {', '.join(missing)} missing"
            raise InputError(message, path, tree.line, tree.column)
        return {name: placed[name] for name in names}
