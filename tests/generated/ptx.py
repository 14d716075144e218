"""Random PTX litmus tests: small, and rich in what decides: scopes, proxies, patterns, fences, barriers."""

from __future__ import annotations

import random

__all__ = ["random_ptx"]

_SCOPES = ("cta", "gpu", "gpu", "sys")
_PROXY_FENCES = ("surface", "texture", "constant", "alias", "generic")


def random_ptx(seed: int, *, proxies: bool = True) -> str:
    """Give the text of a test.

    Parameters
    ----------
    seed : int
    proxies : bool
        With accesses by other proxies and virtual addresses.
    """
    choose = random.Random(seed)
    threads = choose.choice((2, 2, 2, 3))
    heads = [f"P{n}@cta {choose.randrange(2)}, gpu {int(choose.random() < 0.15)}" for n in range(threads)]
    other = proxies and choose.random() < 0.5
    columns = [_column(choose, 4 if threads == 2 else 3, other) for _ in range(threads)]
    if choose.random() < 0.25:
        for column in columns[:2]:
            mode = choose.choice(("sync", "sync", "arrive"))
            column.insert(choose.randrange(len(column) + 1), f"bar.cta.{mode} 1")
    rows = max(map(len, columns))
    cells = [[column[row] if row < len(column) else "" for column in columns] for row in range(rows)]
    aliases = " s @ surface aliases x; u @ texture aliases x; c @ constant aliases x; a @ generic aliases x;"
    text = ["PTX generated", "{ x = 0; y = 0;" + (aliases if other else "") + " }"]
    text += [" | ".join(row) + " ;" for row in (heads, *cells)]
    return "\n".join(text) + "\n"


def _column(choose: random.Random, most: int, other: bool) -> list[str]:
    column: list[str] = []
    registers = fences = 0
    for _ in range(choose.randint(1, most)):
        value = f"r{choose.randrange(registers)}" if registers and choose.random() < 0.2 else str(choose.randint(1, 2))
        name, scope = choose.choice(("x", "x", "y")), choose.choice(_SCOPES)
        kind = choose.choices(("st", "ld", "rmw", "fence", "proxy"), (8, 8, 2, 3, 4 if other else 0))[0]
        if kind == "fence":
            fences += 1
            column.append(f"fence.{choose.choice(('sc', 'acq_rel')) if fences == 1 else 'acq_rel'}.{scope}")
        elif kind == "rmw":
            ordering = choose.choice(("relaxed", "acquire", "release", "acq_rel"))
            if choose.random() < 0.3:
                column.append(f"red.{ordering}.{scope}.add {name}, {value}")
                continue
            operation = choose.choice(("add", "exch", "cas"))
            column.append(
                f"atom.{ordering}.{scope}.{operation} r{registers}, {name}, {value}" + ", 2" * (operation == "cas")
            )
            registers += 1
        elif kind == "proxy":
            access = choose.choice(("sust", "suld s", "tld u", "cold c", "fence", "fence", "alias"))
            if access == "fence":
                column.append(f"fence.proxy.{choose.choice(_PROXY_FENCES)}")
            elif access == "sust":
                column.append(f"sust.weak s, {value}")
            elif access == "alias":
                column.append(f"st.weak a, {value}")
            else:
                head, _, place = access.partition(" ")
                column.append(f"{head}.weak r{registers}, {place}")
                registers += 1
        else:
            strong = choose.choice(("relaxed", {"st": "release", "ld": "acquire"}[kind]))
            how = "weak" if choose.random() < 0.4 else f"{strong}.{scope}"
            column.append(f"{kind}.{how} " + (f"{name}, {value}" if kind == "st" else f"r{registers}, {name}"))
            registers += kind == "ld"
    return column
