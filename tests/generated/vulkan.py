"""Random Vulkan litmus tests: small, and rich in what decides: scopes, storage classes, availability, barriers."""

from __future__ import annotations

import random

__all__ = ["random_vulkan"]

_SCOPES = ("sg", "wg", "qf", "dv")


def random_vulkan(seed: int, *, system: bool = True) -> str:
    """Give the text of a test.

    Parameters
    ----------
    seed : int
    system : bool
        With synchronization by the system, references and the device domain.
    """
    choose = random.Random(seed)
    threads = choose.choice((2, 2, 3))
    heads = [
        f"P{n}@sg {choose.randrange(2)}, wg {choose.randrange(2)}, qf {int(choose.random() < 0.1)}"
        for n in range(threads)
    ]
    synchronized = [
        f"ssw {a} {b};" for a in range(threads) for b in range(a + 1, threads) if system and choose.random() < 0.15
    ]
    alias = system and choose.random() < 0.2
    names = ["x", "y", "z"] if alias else ["x", "y"]
    columns = [_column(choose, names, 4 if threads == 2 else 3, system) for _ in range(threads)]
    if choose.random() < 0.3:
        barrier = f"cbar{_ordering(choose, 'cbar')}.{choose.choice(_SCOPES)}{_semantics(choose)} 0"
        for column in columns[:2]:
            column.insert(choose.randrange(len(column) + 1), _sensible(barrier))
    rows = max(map(len, columns))
    cells = [[column[row] if row < len(column) else "" for column in columns] for row in range(rows)]
    text = ["VULKAN generated", "{ x = 0; y = 0;" + (" z aliases x; }" if alias else " }")]
    if synchronized:
        text.append(f"{{ {' '.join(synchronized)} }}")
    text += [" | ".join(row) + " ;" for row in (heads, *cells)]
    return "\n".join(text) + "\n"


def _column(choose: random.Random, names: list[str], most: int, system: bool) -> list[str]:
    column, registers = [], 0
    for _ in range(choose.randint(1, most)):
        name = choose.choice(names)
        storage = "sc1" if name == "y" else "sc0"
        value = f"r{choose.randrange(registers)}" if registers and choose.random() < 0.2 else str(choose.randint(1, 2))
        kind = choose.choices(("st", "ld", "rmw", "membar", "device"), (8, 8, 2, 3, 1 if system else 0))[0]
        if kind == "device":
            column.append(choose.choice(("avdevice", "visdevice")))
            continue
        if kind == "membar":
            column.append(_sensible(f"membar{_ordering(choose, kind)}.{choose.choice(_SCOPES)}{_semantics(choose)}"))
            continue
        scope = choose.choice(_SCOPES)
        if kind == "rmw" or choose.random() < 0.55:
            head = f"{kind}.atom{_ordering(choose, kind)}.{scope}.{storage}{_semantics(choose)}"
        else:
            own = {"st": "av", "ld": "vis"}[kind]
            head = f"{kind}.{choose.choice((own + '.' + scope, 'nonpriv', 'nonpriv', storage))}.{storage}"
            head = head.replace(f".{storage}.{storage}", f".{storage}")
        if kind == "st":
            column.append(_sensible(f"{head} {name}, {value}"))
        else:
            operand = f", {value}" if kind == "rmw" else ""
            column.append(_sensible(f"{head} r{registers}, {name}{operand}"))
            registers += 1
    return column


def _ordering(choose: random.Random, kind: str) -> str:
    some = {"st": ("", ".rel"), "ld": ("", ".acq"), "membar": (".rel", ".acq", ".acq_rel")}
    return choose.choice(some.get(kind, ("", ".rel", ".acq", ".acq_rel")))


def _semantics(choose: random.Random) -> str:
    classes = choose.choice((".semsc0", ".semsc1", ".semsc0.semsc1", ".semsc0.semsc1"))
    return classes + choose.choice(("", ".semav.semvis", ".semav.semvis"))


def _sensible(operation: str) -> str:
    """Take off what an operation cannot have."""
    words = operation.partition(" ")[0].split(".")
    releases, acquires = {"rel", "acq_rel"} & set(words), {"acq", "acq_rel"} & set(words)
    if not releases:
        operation = operation.replace(".semav", "")
    if not acquires:
        operation = operation.replace(".semvis", "")
    return operation if releases or acquires else operation.replace(".semsc0", "").replace(".semsc1", "")
