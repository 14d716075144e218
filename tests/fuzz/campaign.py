"""A campaign: cases are run, what is found is told apart, made small, confirmed and written to a folder."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from tests.fuzz.cases import Case, Finding
from tests.fuzz.inputs import KINDS, Inputs
from tests.fuzz.minimizing import minimize
from tests.fuzz.running import Limits, Server, prepare, run_alone

__all__ = ["Campaign", "Summary"]

_CHUNK = 400


@dataclass
class Summary:
    """What came of a campaign.

    Parameters
    ----------
    cases : int
    said : Counter of (command, what it said)
    findings : dict of str to int
        How often each signature was found; of confirmed ones.
    unconfirmed : dict of str to int
        Those that a process of its own does not show.
    """

    cases: int = 0
    said: Counter[tuple[str, str]] = field(default_factory=Counter)
    findings: Counter[str] = field(default_factory=Counter)
    unconfirmed: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0

    def text(self) -> str:
        lines = [f"{self.cases} inputs in {self.seconds:.0f} s, {self.cases / max(self.seconds, 1e-9):.0f} a second"]
        for command in sorted({command for command, _ in self.said}):
            counts = {said: count for (name, said), count in self.said.items() if name == command}
            lines.append(f"  {command}: " + ", ".join(f"{count} {said}" for said, count in sorted(counts.items())))
        for title, found in (("findings", self.findings), ("not confirmed by a process of its own", self.unconfirmed)):
            lines.append(f"{len(found)} {title}")
            lines += [f"  {count:5} {signature}" for signature, count in found.most_common()]
        return "\n".join(lines)


class Campaign:
    """Cases of a seed, one after the other.

    Parameters
    ----------
    seed : int
    folder : path
        Where findings are written, each in a folder of its own.
    kinds : sequence of str
    ignore : sequence of str
        Regular expressions of signatures that are known.
    limits : Limits, optional
    """

    def __init__(
        self,
        seed: int,
        folder: str | Path,
        kinds: Sequence[str] = tuple(KINDS),
        ignore: Sequence[str] = (),
        limits: Limits | None = None,
    ) -> None:
        self.inputs = Inputs(seed, kinds)
        self.inputs.words  # noqa: B018 - read before processes are forked
        self.inputs.small  # noqa: B018
        self.folder = Path(folder)
        self.ignore = [re.compile(pattern) for pattern in ignore]
        self.limits = limits or Limits()
        self.summary = Summary()
        self.work = tempfile.mkdtemp(prefix="fuzz-")
        prepare()
        self.server = Server(self.work, self.inputs.examples(), self.limits)

    def run(self, count: int | None, seconds: float | None = None, first: int = 0, step: int = 1) -> Summary:
        """Run cases ``first``, ``first + step``, ... below ``count``, or until the seconds are over."""
        start = time.monotonic()
        number = first
        try:
            while (count is None or number < count) and (seconds is None or time.monotonic() - start < seconds):
                numbers = range(number, number + _CHUNK * step, step)
                chosen = [self.inputs.case(each) for each in numbers if count is None or each < count]
                for done in list(self.server.run(chosen)):  # what is found is run again when the forks are done
                    self.summary.cases += 1
                    self.summary.said[done.case.command, done.said] += 1
                    for finding in done.findings:
                        self._found(done.case, finding)
                    self.summary.seconds = time.monotonic() - start
                number += _CHUNK * step
                self._tell()
        finally:
            shutil.rmtree(self.work, ignore_errors=True)
        return self.summary

    def _tell(self) -> None:
        found = len(self.summary.findings) + len(self.summary.unconfirmed)
        print(
            f"{self.summary.cases} inputs, {self.summary.seconds:.0f} s, {found} findings", file=sys.stderr, flush=True
        )

    def _found(self, case: Case, finding: Finding) -> None:
        signature = finding.signature
        if any(pattern.search(signature) for pattern in self.ignore):
            return
        for known in (self.summary.findings, self.summary.unconfirmed):
            if signature in known:
                known[signature] += 1
                return
        alone = run_alone(case, self.limits)
        confirmed = any(_alike(each.signature, signature) for each in alone)
        (self.summary.findings if confirmed else self.summary.unconfirmed)[signature] += 1
        self._write(self._smaller(case, finding) if confirmed else case, case, finding, confirmed)

    def _smaller(self, case: Case, finding: Finding) -> Case:
        if not case.files:
            return case  # a command line is short

        def changed(data: bytes) -> Case:
            return replace(case, files=((case.files[0][0], data), *case.files[1:]))

        def first(candidates: list[bytes]) -> int | None:
            for place, done in enumerate(self.server.run([changed(data) for data in candidates])):
                if any(_alike(each.signature, finding.signature) for each in done.findings):
                    return place
            return None

        slow = finding.signature.startswith(("more than", "silent"))
        return changed(minimize(case.files[0][1], first, 24 if slow else 300 if case.engines else 2000))

    def _write(self, small: Case, case: Case, finding: Finding, confirmed: bool) -> None:
        name = re.sub(r"[^A-Za-z0-9]+", "-", finding.signature)[:60].strip("-")
        folder = self.folder / f"{name}-{hashlib.sha256(finding.signature.encode()).hexdigest()[:6]}"
        folder.mkdir(parents=True, exist_ok=True)
        for file, data in small.files:
            (folder / file).write_bytes(data)
        for file, data in case.files[:1]:
            (folder / f"whole-{file}").write_bytes(data)
        record = {
            "signature": finding.signature,
            "command": small.shell(),
            "number": case.number,
            "seed": self.inputs.seed,
            "confirmed": confirmed,
            "details": finding.details,
        }
        (folder / "finding.json").write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")


def _alike(a: str, b: str) -> bool:
    """Whether two signatures are of one finding; the stack of what takes too long is that of a moment."""
    if a.startswith(("more than", "silent")):
        return b.startswith(("more than", "silent"))
    return a == b
