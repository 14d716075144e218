"""Barriers with a number, in tests of Vulkan, PTX and OpenCL: which are the same, and how many threads have to arrive.

``cbar INSTANCE``, ``cbar INSTANCE, NUMBER``, ``cbar INSTANCE, NUMBER, QUORUM``, and so with ``bar.cta.sync``. Their
execution scope is the workgroup: barriers of two workgroups are two, whatever they are called and whatever the scope of
their memory semantics (Dat3M, ``LitmusVulkan.g4``, ``LitmusPTX.g4`` and ``NamedBarrier``, has the same language).
Without a quorum, all threads of the workgroup whose code has the barrier have to arrive. With one, so many threads or
more: which of those that arrive complete it is any choice, and later ones go on, too, after those that did.
"""

from __future__ import annotations

from dataclasses import field, replace

from enumerator.frontend.c.lexer import Cursor, Token
from enumerator.frontend.columns.lexer import is_register, parse_constant
from enumerator.frozen import dataclass
from enumerator.program.instructions import Annotation, Barrier, Block

__all__ = ["Barriers", "parse_quorum"]

_Key = tuple[int, int, int | None]  # workgroup, instance, number


@dataclass
class Barriers:
    """The barriers that the threads of a test share.

    Parameters
    ----------
    keys : list
        What tells each barrier from the others; its place here is the barrier's identity.
    threads : list of set of int
        For each barrier, the threads whose code has it.
    quorums : list
        For each barrier, its quorum, or None.
    unsure : set of int
        Barriers that threads may or may not execute, because a register says which one it is: that all others arrive
        is not looked at.
    """

    keys: list[_Key] = field(default_factory=list)
    threads: list[set[int]] = field(default_factory=list)
    quorums: list[int | None] = field(default_factory=list)
    unsure: set[int] = field(default_factory=set)

    def add(self, cursor: Cursor, annotation: Annotation, token: Token, thread: int, workgroup: int) -> Barrier:
        """Parse the operands of a barrier, all of them constants, and give the instruction.

        Parameters
        ----------
        cursor : Cursor
        annotation : Annotation
        token : Token
            The operation's.
        thread, workgroup : int
            Where it stands.

        Returns
        -------
        Barrier
            :meth:`resolved` completes it.

        Raises
        ------
        InputError
            If a number is no constant, or the barrier has another quorum elsewhere.
        """
        instance = parse_constant(cursor, "the number of the barrier")
        number = _constant(cursor, "the number of the barrier") if cursor.accept(",") else None
        quorum = parse_quorum(cursor)
        return self.met(cursor, annotation, token, thread, (workgroup, instance, number), quorum)

    def met(
        self,
        cursor: Cursor,
        annotation: Annotation,
        token: Token,
        thread: int,
        key: _Key,
        quorum: int | None = None,
        *,
        unsure: bool = False,
    ) -> Barrier:
        """Give the instruction of a thread at a barrier.

        Parameters
        ----------
        cursor : Cursor
            For messages.
        annotation : Annotation
        token : Token
            The operation's.
        thread : int
        key : tuple
            The workgroup, the instance, and the number or None.
        quorum : int, optional
        unsure : bool
            The thread may be at another one.

        Raises
        ------
        InputError
            If the barrier has another quorum elsewhere.
        """
        if key not in self.keys:
            self.keys.append(key)
            self.threads.append(set())
            self.quorums.append(quorum)
        identity = self.keys.index(key)
        if self.quorums[identity] != quorum:
            raise cursor.error("this barrier has another quorum elsewhere in its workgroup", token)
        self.threads[identity].add(thread)
        if unsure:
            self.unsure.add(identity)
        return Barrier(False, False, annotation, token.line, identity)

    def resolved(self, block: Block) -> Block:
        """Complete the barriers of a block, when all threads are known."""
        return replace(
            block,
            body=tuple(
                self._resolved(each, each.instance) if isinstance(each, Barrier) and each.instance is not None else each
                for each in block.body
            ),
        )

    def _resolved(self, barrier: Barrier, identity: int) -> Barrier:
        quorum = self.quorums[identity]
        if quorum is None:
            return replace(barrier, needed=0 if identity in self.unsure else len(self.threads[identity]))
        return replace(barrier, needed=quorum, quorum=True)


def parse_quorum(cursor: Cursor) -> int | None:
    """Take a comma and how many threads have to arrive, if they stand here."""
    start = cursor.ahead(1)
    quorum = _constant(cursor, "how many threads have to arrive") if cursor.accept(",") else None
    if quorum is not None and quorum < 1:
        raise cursor.error("at least one thread has to arrive at a barrier", start)
    return quorum


def _constant(cursor: Cursor, what: str) -> int:
    if is_register(cursor.text):
        raise cursor.error(f"{what} is in a register: only a constant is covered")
    return parse_constant(cursor, what)
