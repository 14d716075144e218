"""What OpenCL C says differently from C: places, scopes, address spaces, fences and barriers of memory regions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from enumerator.errors import InputError
from enumerator.frontend.c.atomics import order
from enumerator.frontend.c.dialect import Dialect, Run
from enumerator.frontend.c.lexer import Cursor, Source, Token, scan
from enumerator.frontend.c.syntax import Binary, Call, Expression, Name, Number, Parameter, ThreadCode
from enumerator.frontend.c.types import Integer, PointerTo
from enumerator.frontend.columns.barriers import Barriers
from enumerator.frontend.columns.initial import numbered
from enumerator.frontend.directives import Directives
from enumerator.program.instructions import Annotation, Block, Fence, Ordering, Scope
from enumerator.program.test import Placement

if TYPE_CHECKING:
    from enumerator.frontend.c.expressions import Expressions

__all__ = ["OpenCL"]

_WORDS = {"global": "__global", "local": "__local"}
_LEVELS = {"sg": "sub-group", "wg": "work-group", "dev": "device"}
_FLAGS = {"CLK_GLOBAL_MEM_FENCE": "GLOBAL", "CLK_LOCAL_MEM_FENCE": "LOCAL"}
_FENCE = "atomic_work_item_fence"
_BARRIERS = ("barrier", "work_group_barrier")
_LABEL = re.compile(r"B([0-9]{1,6})")
_GENERIC = 4


class OpenCL(Dialect):
    """OpenCL C, with the places of the work-items of a test."""

    format: ClassVar[str] = "opencl"
    plain_scope: ClassVar[Scope] = Scope.SINGLETHREAD
    default_scope: ClassVar[Scope] = Scope.AGENT
    scopes: ClassVar[Mapping[str, Scope]] = {
        "memory_scope_work_item": Scope.SINGLETHREAD,
        "memory_scope_sub_group": Scope.WAVEFRONT,
        "memory_scope_work_group": Scope.WORKGROUP,
        "memory_scope_device": Scope.AGENT,
        "memory_scope_all_svm_devices": Scope.SYSTEM,
    }

    scoped: ClassVar[frozenset[str]] = frozenset((_FENCE, *_BARRIERS))
    labelled: ClassVar[frozenset[str]] = frozenset(_BARRIERS)

    def __init__(self) -> None:
        self._places: dict[str, Mapping[str, int]] = {}
        self._barriers = Barriers()

    def scan(self, text: str, path: str) -> Source:
        """Give the tokens of a test; the names of address spaces are those that no C program may give to anything."""
        source = scan(text, path, "OPENCL")
        source.tokens = [replace(token, text=_WORDS.get(token.text, token.text)) for token in source.tokens]
        return source

    def head(self, cursor: Cursor, thread: Token) -> None:
        """Take the place of a work-item."""
        name = thread.text[1:]
        if cursor.text == "(" and not self._places:
            cursor.unexpected("'@' and where the work-item runs, as P0@wg 0, dev 0")
        cursor.expect("@")
        place: dict[str, int] = {}
        for level, word in _LEVELS.items():
            if level == "sg" and cursor.text != "sg":
                continue
            if place:
                cursor.expect(",")
            cursor.expect(level)
            if cursor.token.kind != "number" or not cursor.text.isdecimal() or len(cursor.text) > 9:
                cursor.unexpected(f"the number of the {word}")
            place[level] = int(cursor.next().text)
        self._places[name] = place

    def label(self, token: Token) -> Expression | None:
        """Give the number in the label of a barrier."""
        match = _LABEL.fullmatch(token.text)
        return Number(int(match[1]), token) if match is not None else None

    def functions(self, code: ThreadCode, cursor: Cursor) -> Mapping[str, tuple[int, Run]]:
        """Give the fences and barriers."""
        workgroup = self._instances(str(code.number))[Scope.WORKGROUP]

        def barrier(thread: Expressions, node: Call) -> None:
            if not isinstance(node.label, Number):
                message = "a barrier has a label, which barriers that are the same share: B1: barrier(…)"
                raise thread.error(message, node.token)
            scope = Scope.WORKGROUP if node.scope is None else node.scope
            annotation = Annotation(Ordering.ACQ_REL, scope, labels=_regions(thread, node.arguments[0]))
            key = (workgroup, node.label.value, None)
            thread.builder.emit(self._barriers.met(cursor, annotation, node.token, code.number, key))

        return {
            _FENCE: (2, _fence),
            **dict.fromkeys(_BARRIERS, (1, barrier)),
        }

    def finish(self, blocks: tuple[Block, ...]) -> tuple[Block, ...]:
        """Complete the barriers, when all threads are known."""
        return tuple(map(self._barriers.resolved, blocks))

    def memory(
        self, name: str, parameters: Sequence[tuple[int, Parameter]], cursor: Cursor
    ) -> tuple[int, frozenset[str]]:
        """Give the address space of a location, and whether it is declared atomic."""
        targets = [each.type.target for _, each in parameters if isinstance(each.type, PointerTo)]
        pointed = [each for each in targets if isinstance(each, Integer | PointerTo)]
        spaces = sorted({each.space for each in pointed} - {0})
        if not pointed:
            return 1, frozenset()
        labels = {"DECLARED"} if all(each.atomic for each in pointed) else {"DECLARED", "NONATOMIC"}
        if len(spaces) > 1:
            labels |= {"GLOBAL", "LOCAL"}
        return spaces[0] if spaces else _GENERIC, frozenset(labels)

    def placements(self, directives: Directives, names: list[str], path: str) -> dict[str, Placement]:
        """Say where work-items run."""
        if directives.scopes is not None:
            message = "SCOPES: in OpenCL tests, the head of a thread says where it runs"
            raise InputError(message, path, directives.scopes.line, directives.scopes.column)
        return {name: Placement(self._instances(name)) for name in names}

    def _instances(self, name: str) -> tuple[int, int, int, int, int, int]:
        """Number the instances of a work-item, smallest scope first."""
        order_, places = list(self._places).index(name), self._places.values()
        subgroups = numbered((each["dev"], each["wg"], each.get("sg", -1 - at)) for at, each in enumerate(places))
        groups = numbered((each["dev"], each["wg"]) for each in places)
        device = self._places[name]["dev"]
        return (order_, subgroups[order_], groups[order_], device, device, 0)


def _fence(thread: Expressions, node: Call) -> None:
    annotation = order(thread, node, 1)
    labels = annotation.labels | _regions(thread, node.arguments[0])
    if node.scope is None:
        raise thread.error("atomic_work_item_fence takes a scope: memory_scope_device or another one", node.token)
    if annotation.ordering > Ordering.MONOTONIC or annotation.labels:
        thread.builder.emit(Fence(replace(annotation, labels=labels), node.token.line))


def _regions(thread: Expressions, flags: Expression) -> frozenset[str]:
    """Give the regions of memory that flags name."""
    return frozenset(_flags(thread, flags))


def _flags(thread: Expressions, node: Expression) -> Iterator[str]:
    match node:
        case Name(name) if name in _FLAGS:
            yield _FLAGS[name]
        case Binary("|", left, right):
            yield from _flags(thread, left)
            yield from _flags(thread, right)
        case _:
            raise thread.error(f"expected {' or '.join(_FLAGS)}, or both with | between them", node.token)
