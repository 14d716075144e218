"""Ctrl-C while results are written."""

from __future__ import annotations

import io
import json
import signal
from collections.abc import Iterator

import pytest

from enumerator.cli.guard import written_whole
from enumerator.report import writer
from enumerator.report.text import Tally
from enumerator.results.result import Result


class Interrupting(io.StringIO):
    """A stream in whose `when`-th and following writes Ctrl-C comes, `times` times in all."""

    def __init__(self, when: int, times: int = 1) -> None:
        super().__init__()
        self.when, self.times = when, times

    def write(self, text: str) -> int:
        self.when -= 1
        if self.when < 0 and self.times:
            self.times -= 1
            signal.raise_signal(signal.SIGINT)
        return super().write(text)

    def writelines(self, lines: Iterator[str]) -> None:  # type: ignore[override]
        for line in lines:
            self.write(line)


def results() -> Iterator[Result]:
    try:
        for number in range(3):
            yield Result(f"t{number}", "t.ll", "llvm", "generic", verdict="Ok")
    except KeyboardInterrupt:
        yield Result("last", "t.ll", status="limit", notes=("interrupted",))
        raise


@pytest.mark.parametrize("when", range(9))
@pytest.mark.parametrize("format_", ["json", "jsonl"])
def test_a_result_is_written_whole(format_: str, when: int) -> None:
    stream, tally = Interrupting(when), Tally()
    try:
        with written_whole(results()) as given:  # type: ignore[arg-type]
            writer(format_)(tally.watch(given), stream)
    except KeyboardInterrupt:
        tally.interrupted = True
    text = stream.getvalue()
    names = [each["name"] for each in json.loads(text if format_ == "json" else f"[{','.join(text.splitlines())}]")]
    assert tally.interrupted
    assert names[: len(names) - 1] == ["t0", "t1", "t2"][: len(names) - 1] and names[-1] == "last"
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_second_time_does_not_wait() -> None:
    stream = Interrupting(1, times=2)
    with pytest.raises(KeyboardInterrupt), written_whole(results()) as given:  # type: ignore[arg-type]
        writer("jsonl")(given, stream)
    assert not stream.getvalue().endswith("\n")


def test_what_ignores_interrupts_goes_on_to() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        stream = Interrupting(1)
        with written_whole(results()) as given:  # type: ignore[arg-type]
            writer("jsonl")(given, stream)
        assert len(stream.getvalue().splitlines()) == 3
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
