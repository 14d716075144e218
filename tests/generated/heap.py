"""Random programs that allocate, publish, use and free an object of the heap, most of them with some mistake."""

from __future__ import annotations

import random

__all__ = ["random_heap"]

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

    def body(operations: tuple[str, ...], least: int, most: int) -> str:
        return "\n".join(rng.choice(operations).format(k=k) for k in range(rng.randint(least, most)))

    ordering = rng.choice(["acquire", "monotonic"])
    text = "; EXISTS: true\n@p = global ptr null\ndeclare ptr @malloc(i64)\ndeclare void @free(ptr)\n"
    text += f"define void @t0() {{\n  %n = call ptr @malloc(i64 8)\n{body(_OWNER, 2, 4)}\n  ret void\n}}\n"
    for number in range(1, rng.randint(2, 3)):
        text += _THREAD.format(number=number, ordering=ordering, body=body(_USER, 1, 2))
    return text
