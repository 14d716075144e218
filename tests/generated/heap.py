"""Random programs that make, publish, use and end an object of the heap or stack, most of them with some mistake."""

from __future__ import annotations

import random
from collections.abc import Iterator

__all__ = ["random_heap", "random_stack"]

_OWNER = (
    "  store i32 7, ptr %n",
    "  call void @free(ptr %n)",
    "  store atomic ptr %n, ptr @p release, align 8",
    "  store atomic ptr null, ptr @p monotonic, align 8",
    "  store atomic i32 1, ptr %n monotonic, align 4",
    "  %v{k} = load i32, ptr %n",
    "  %h{k} = getelementptr i8, ptr %n, i64 4\n  store i32 3, ptr %h{k}",
)
_USER = (
    "  %u{k} = load i32, ptr %n",
    "  call void @free(ptr %n)",
    "  store i32 9, ptr %n",
    "  %h{k} = getelementptr i8, ptr %n, i64 4\n  %w{k} = load i32, ptr %h{k}",
)
_STACK_OWNER = (_OWNER[0], *_OWNER[4:])
_STACK_USER = (_USER[0], *_USER[2:])
_SAY = "  store atomic i32 1, ptr @said release, align 4"
_WAIT = """  br label %loop
loop:
  %s = load atomic i32, ptr @said acquire, align 4
  %d = icmp eq i32 %s, 0
  br i1 %d, label %loop, label %out
out:
"""
_HEAD = "; EXISTS: true\n@p = global ptr null\ndeclare ptr @malloc(i64)\ndeclare void @free(ptr)\n"
_THREAD = """define void @t{number}() {{
  %n = load atomic ptr, ptr @p {ordering}, align 8
  %c = icmp eq ptr %n, null
  br i1 %c, label %done, label %use
use:
{body}
  br label %done
done:
  ret void
}}
"""


def random_heap(seed: int) -> str:
    """Give the text of a program: a thread that owns an object, and one or two that find it in a pointer."""
    rng = random.Random(seed)
    ordering = rng.choice(["acquire", "monotonic"])
    body = _body(rng, _OWNER, 2, 4)
    text = f"{_HEAD}define void @t0() {{\n  %n = call ptr @malloc(i64 8)\n{body}\n  ret void\n}}\n"
    return text + "".join(_users(rng, ordering, _USER))


def random_stack(seed: int) -> str:
    """Give the same where the object is a stack slot of a function that its thread calls, which may wait for others."""
    rng = random.Random(seed)
    ordering = rng.choice(["acquire", "monotonic"])
    operations = [rng.choice(_STACK_OWNER) for _ in range(rng.randint(0, 3))]
    operations.insert(rng.randint(0, len(operations)), _OWNER[2])
    waits = rng.random() < 0.4
    body = "\n".join(each.format(k=k) for k, each in enumerate((*operations, *(_WAIT,) * waits)))
    text = f"{_HEAD}@said = global i32 0\ndefine void @owner() {{\n  %n = alloca i64\n{body}\n  ret void\n}}\n"
    text += "define void @t0() {\n  call void @owner()\n  ret void\n}\n"
    return text + "".join(_users(rng, ordering, (*_STACK_USER, *(_SAY,) * (2 * waits))))


def _body(rng: random.Random, operations: tuple[str, ...], least: int, most: int) -> str:
    return "\n".join(rng.choice(operations).format(k=k) for k in range(rng.randint(least, most)))


def _users(rng: random.Random, ordering: str, operations: tuple[str, ...]) -> Iterator[str]:
    for number in range(1, rng.randint(2, 3)):
        yield _THREAD.format(number=number, ordering=ordering, body=_body(rng, operations, 1, 2))
