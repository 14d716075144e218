"""How stores of many results behave: time and memory of writing, going on, comparing and exporting; a cluster on paper.

``python -m benchmarks.store --results 1000000`` checks nothing: tests are files that are there, answers made up.
"""

from __future__ import annotations

import argparse
import json
import resource
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from enumerator.corpus.batch import run_batch
from enumerator.corpus.cluster import chunk_seconds
from enumerator.corpus.compare import compare_sorted
from enumerator.corpus.encoding import encode
from enumerator.corpus.export import export_csv, export_parquet
from enumerator.corpus.history import history
from enumerator.corpus.keys import Needs
from enumerator.corpus.records import sorted_records
from enumerator.corpus.remote import written_options
from enumerator.corpus.runs import Runs
from enumerator.corpus.store import Store
from enumerator.corpus.stored import Recorder
from enumerator.corpus.tasks import Answer, Task
from enumerator.options import BatchOptions
from enumerator.report.text import Tally
from enumerator.results.result import Result, State

STATES = tuple(State({"t0:%a": number % 2, "t1:%b": number // 2}, 1, number == 0) for number in range(4))
RESULT = Result(
    "SB", "SB.ll", "llvm", "generic", "closure", "dep", {"hb": "closure", "thin-air": "dep"}, "exists", "true", "Ok",
    "Sometimes", 1, 3, STATES, (), "Sometimes", (), True, 12, 4, seconds=0.001, formula="true",
)  # fmt: skip


class MadeUp:
    """A place that answers at once, a little out of order."""

    def run(self, items: Iterable[Task], total: int | None = None) -> Iterator[tuple[Task, Any]]:
        held: list[Task] = []
        for task in items:
            held.append(task)
            if len(held) == 8:
                yield from self.answered(reversed(held))
                held.clear()
        yield from self.answered(held)

    def answered(self, tasks: Iterable[Task]) -> Iterator[tuple[Task, Any]]:
        for task in tasks:
            result = replace(RESULT, name=Path(task.path).stem, path=task.path)
            record, more = encode(result)
            yield task, Answer(f"{task.key}.0", Needs("llvm", "generic"), result, record, more)
            yield task, None

    def at_hand(self) -> list[Task]:
        return []

    def close(self) -> None:
        pass


def batch(store: str, paths: list[str], resume: bool) -> None:
    options = BatchOptions(by_expectations=True)
    with Store(store) as opened:
        recorder = Recorder(opened, ["."], options, resume, len(paths))
        tally = Tally(whole=False)
        for _ in tally.watch(run_batch(paths, options, 1, recorder=recorder, place=MadeUp())):
            pass
        assert tally.results == len(paths)


def measured(what: str, work: Callable[[], object]) -> None:
    before, begun = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    work()
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(
        f"{what:28} {time.process_time() - begun:8.1f} s  most memory {before >> 10} -> {after >> 10} MiB", flush=True
    )


def on_paper(tests: int, workers: int, seconds: float, size: int) -> None:
    """Say what a batch asks of a scheduler, by the sizes of real messages and the rule of chunks."""
    each = min(1000, int(chunk_seconds(workers) / seconds), (4 << 20) // size) or 1
    message = {"path": "a/b/c.ll", "number": 0, "key": "0" * 32, "known": [], "text": "x" * size}
    there = len(json.dumps(message)) * each + len(json.dumps(written_options(BatchOptions())))
    back = sum(map(len, encode(RESULT))) * each
    chunks, wall = -(-tests // each), tests * seconds / workers
    print(f"{tests:,} tests of {size} bytes, {seconds * 1000:g} ms each, {workers} workers:")
    print(
        f"  {each} tests a chunk, {chunks:,} tasks, {there / 1024:.0f} KiB there and {back / 1024:.0f} KiB back a task"
    )
    print(
        f"  {wall:,.0f} s if nothing else took time: {chunks / wall:.0f} tasks and {tests / wall:,.0f} tests a second"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", type=int, default=100_000)
    count = parser.parse_args().results
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for number in range(count):
            place = Path(folder, f"{number // 1000:04d}")
            if number % 1000 == 0:
                place.mkdir()
            (place / f"{number:07d}.ll").write_text(f"; test {number}")
            paths.append(str(place / f"{number:07d}.ll"))
        store = f"{folder}/results.db"
        measured("written", lambda: batch(store, paths, False))
        measured("--resume, all there", lambda: batch(store, paths, True))
        print(f"{'size of the store':28} {Path(store).stat().st_size / count:8.0f} bytes a result")
        measured("compare", lambda: compare_sorted(sorted_records(f"{store}:1"), sorted_records(f"{store}:2")))
        with Runs(store) as runs:
            measured("history", lambda: list(history(runs)))
            with open(f"{folder}/a.csv", "w") as stream:
                measured("export, CSV", lambda: export_csv(runs, runs.chosen(), stream))
            measured("export, Parquet", lambda: export_parquet(runs, runs.chosen(), f"{folder}/a.parquet"))
    for workers, seconds in ((2, 0.005), (1000, 0.005), (1000, 0.1)):
        on_paper(10_000_000, workers, seconds, 2000)


if __name__ == "__main__":
    main()
