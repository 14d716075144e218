"""Random control flow, irreducible and endless too: along every walk, what conflicts is ordered by the tokens."""

from __future__ import annotations

import random
import re

import pytest

from enumerator.passes.ordering import order

NOTHING = frozenset[int]()


def graph(seed: int) -> str:
    """A function of some blocks that branch anywhere."""
    chosen = random.Random(seed)
    count = chosen.randint(2, 6)
    lines = [f"@{name} = global i32 0" for name in "xyz"]
    lines.append("define void @f(i1 %c, ptr %p, ptr noalias %q) {\nstart:\n  br label %b0")
    number = 0
    for block in range(count):
        lines.append(f"b{block}:")
        for _ in range(chosen.randint(0, 3)):
            number += 1
            pointer = chosen.choice(["@x", "@x", "@y", "@z", "%p", "%q"])
            store = chosen.random() < 0.6
            lines.append(f"  store i32 {number}, ptr {pointer}" if store else f"  %r{number} = load i32, ptr {pointer}")
        if block == count - 1:
            lines.append("  ret void\n}")
        elif chosen.random() < 0.35:
            lines.append(f"  br label %b{chosen.randint(block + 1, count - 1)}")
        else:
            targets = chosen.randrange(count), chosen.randint(block + 1, count - 1)
            lines.append(f"  br i1 %c, label %b{targets[0]}, label %b{targets[1]}")
    return "\n".join(lines)


def conflict(first: str, second: str) -> bool:
    if "ret void" in (first, second):
        return True
    pointers = {re.findall(r"ptr (\S+?),", text)[0] for text in (first, second)}
    together = len(pointers) == 1 or ("%p" in pointers and "%q" not in pointers)
    return together and "store" in first + second


class Walk:
    """One walk through the text that a pass emits: each run of an operation, and the runs that it comes after."""

    def __init__(self, text: str, seed: int, blocks: int = 16) -> None:
        self.runs: list[tuple[str, frozenset[int]]] = []
        self._tokens: dict[str, frozenset[int]] = {}
        self._input = NOTHING
        chosen = random.Random(seed)
        body = text[text.index("define") :]
        lines = {match[1]: match[2].split("\n") for match in re.finditer(r"^(\w+):\n((?:  .*\n)*)", body, re.MULTILINE)}
        before, block = "", "start"
        for _ in range(blocks):
            self._phis(lines[block], before)
            for line in lines[block]:
                self._line(line.strip())
            targets = re.findall(r"label %(\w+)", lines[block][-2])
            if not targets:
                return
            before, block = block, chosen.choice(targets)

    def _phis(self, lines: list[str], before: str) -> None:
        found: dict[str, frozenset[int]] = {}
        for line in lines:
            if match := re.match(r"  (\S+) = phi i1 (.*)", line):
                edges = {label: token for token, label in re.findall(r"\[ (\S+), %(\w+) \]", match[2])}
                found[match[1]] = self._tokens.get(edges[before], NOTHING)
        self._tokens |= found

    def _line(self, line: str) -> None:
        if match := re.match(r"call void @llvm.csa.inord\(i1 (\S+)\)", line):
            self._input = self._tokens.get(match[1], NOTHING)
        elif match := re.match(r"(\S+) = call i1 @llvm.csa.outord", line):
            last = self.runs[-1][0]  # a channel delivers in order: earlier runs are over, too
            self._tokens[match[1]] = frozenset(place for place, (text, _) in enumerate(self.runs) if text == last)
        elif match := re.match(r"(\S+) = call i1 \(...\) @llvm.csa.all0\((.*)\)", line):
            inputs = re.findall(r"i1 ([^,]+)", match[2])
            self._tokens[match[1]] = NOTHING.union(*(self._tokens.get(token, NOTHING) for token in inputs))
        elif re.match(r"store|\S+ = load|ret void", line):
            self.runs.append((line, self._input.union(*(self.runs[place][1] for place in self._input))))


def unordered(text: str, seed: int, mode: str) -> list[tuple[str, str]]:
    """The pairs of runs on one walk that the pass should order, and does not."""
    runs = Walk(text, seed).runs
    wanted = {
        "linear": lambda first, second: True,
        "race": lambda first, second: second == "ret void",
        "alias": conflict,
    }[mode]
    return [
        (runs[first][0], text)
        for second, (text, before) in enumerate(runs)
        for first in range(second)
        if first not in before and wanted(runs[first][0], text)
    ]


@pytest.mark.parametrize("mode", ["linear", "race", "alias"])
def test_conflicts_are_ordered_on_every_walk(mode: str) -> None:
    for seed in range(150):
        text = order(graph(seed), "f.ll", mode).text
        for walk in range(8):
            assert unordered(text, walk, mode) == [], (seed, walk)
