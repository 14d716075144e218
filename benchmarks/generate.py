"""A corpus of small tests: shapes of two to four threads with random orderings, scopes and tags.

``python -m benchmarks generate FOLDER --count 10000`` writes it; the same seed gives the same files.
"""

from __future__ import annotations

import random
from pathlib import Path

__all__ = ["write_corpus"]

# Each thread of a shape: what it does, (kind, location).
SHAPES: dict[str, tuple[tuple[tuple[str, str], ...], ...]] = {
    "MP": ((("W", "x"), ("W", "y")), (("R", "y"), ("R", "x"))),
    "SB": ((("W", "x"), ("R", "y")), (("W", "y"), ("R", "x"))),
    "LB": ((("R", "x"), ("W", "y")), (("R", "y"), ("W", "x"))),
    "S": ((("W", "x"), ("W", "y")), (("R", "y"), ("W", "x"))),
    "R": ((("W", "x"), ("W", "y")), (("W", "y"), ("R", "x"))),
    "2+2W": ((("W", "x"), ("W", "y")), (("W", "y"), ("W", "x"))),
    "CoRR": ((("W", "x"),), (("R", "x"), ("R", "x"))),
    "WRC": ((("W", "x"),), (("R", "x"), ("W", "y")), (("R", "y"), ("R", "x"))),
    "ISA2": ((("W", "x"), ("W", "y")), (("R", "y"), ("W", "z")), (("R", "z"), ("R", "x"))),
    "IRIW": ((("W", "x"),), (("R", "x"), ("R", "y")), (("W", "y"),), (("R", "y"), ("R", "x"))),
    "ATOM": ((("U", "x"), ("W", "y")), (("U", "x"), ("R", "y"))),
}
SCOPES = ("wavefront", "workgroup", "agent", "")
TAGS = ("", "", "", "amdgpu-synchronize-as:local", "amdgpu-synchronize-as:global")
ORDERINGS = {
    "R": ("monotonic", "acquire", "seq_cst"),
    "W": ("monotonic", "release", "seq_cst"),
    "U": ("monotonic", "acquire", "release", "acq_rel", "seq_cst"),
}
FENCES = ("acquire", "release", "acq_rel", "seq_cst")


def write_corpus(folder: Path, count: int, seed: int = 1) -> list[Path]:
    """Write `count` tests into a folder, a thousand a subfolder.

    Parameters
    ----------
    folder : Path
    count : int
    seed : int

    Returns
    -------
    list of Path
    """
    chance = random.Random(seed)
    written = []
    for number in range(count):
        shape = chance.choice(list(SHAPES))
        file = folder / f"{number // 1000:03}" / f"{shape}-{number:05}.ll"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(litmus_test(shape, chance))
        written.append(file)
    return written


def litmus_test(shape: str, chance: random.Random) -> str:
    """Give the text of a test.

    Parameters
    ----------
    shape : str
    chance : random.Random

    Returns
    -------
    str

    Examples
    --------
    >>> print(litmus_test("CoRR", random.Random(7)).splitlines()[0])
    ; CoRR with random orderings, scopes and tags
    """
    threads = SHAPES[shape]
    spaces = {name: chance.choice((1, 1, 3)) for name in "xyz"}
    tags: dict[str, int] = {}
    body: list[str] = []
    seen: list[str] = []
    for thread, operations in enumerate(threads):
        body.append(f"define void @t{thread}() {{")
        for place, (kind, location) in enumerate(operations):
            pointer = f"ptr addrspace({spaces[location]}) @{location}"
            ordering = chance.choice(("", *ORDERINGS[kind])) if kind != "U" else chance.choice(ORDERINGS[kind])
            how = f"{_scope(chance)} {ordering}, align 4" if ordering else ", align 4"
            atomic = " atomic" if ordering else ""
            value = 1 + thread
            if kind == "U":
                line = f"%r{place} = atomicrmw add {pointer}, i32 1{_scope(chance)} {ordering}, align 4"
            elif kind == "W":
                line = f"store{atomic} i32 {value}, {pointer}{how}"
            else:
                line = f"%r{place} = load{atomic} i32, {pointer}{how}"
            if kind != "W":
                seen.append(f"t{thread}:%r{place} = {chance.randint(0, len(threads))}")
            body.append(f"  {line}{_tag(chance, tags) if ordering else ''}")
            if place + 1 < len(operations) and chance.random() < 0.3:
                body.append(f"  fence{_scope(chance)} {chance.choice(FENCES)}{_tag(chance, tags)}")
        body += ["  ret void", "}"]
    wanted = seen or [f"@{name} = 1" for name in sorted({name for each in threads for _, name in each})]
    used = sorted({name for each in threads for _, name in each})
    return "\n".join(
        [
            f"; {shape} with random orderings, scopes and tags",
            f"; SCOPES: {_placement(len(threads), chance)}",
            "; PROFILE: amdgpu",
            "; EXISTS: " + " /\\ ".join(wanted),
            *(f"@{name} = addrspace({spaces[name]}) global i32 {'undef' if spaces[name] == 3 else 0}" for name in used),
            *body,
            *(f"!{number} = !{{!{_quoted(tag)}}}" for tag, number in tags.items()),
            "",
        ]
    )


def _scope(chance: random.Random) -> str:
    scope = chance.choice(SCOPES)
    return f' syncscope("{scope}")' if scope else ""


def _tag(chance: random.Random, tags: dict[str, int]) -> str:
    tag = chance.choice(TAGS)
    return f", !mmra !{tags.setdefault(tag, len(tags))}" if tag else ""


def _quoted(tag: str) -> str:
    prefix, _, suffix = tag.partition(":")
    return f'"{prefix}", !"{suffix}"'


def _placement(threads: int, chance: random.Random) -> str:
    """Place threads in one workgroup, in one each, or the first apart from the others."""
    names = [f"t{number}" for number in range(threads)]
    return chance.choice(
        (
            f"(agent (workgroup {' '.join(names)}))",
            f"(agent {' '.join(f'(workgroup {name})' for name in names)})",
            f"(agent (workgroup {names[0]}) (workgroup {' '.join(names[1:])}))",
        )
    )
