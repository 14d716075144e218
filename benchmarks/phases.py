"""Where the CPU time of a corpus goes: functions that stand for phases are timed while they run."""

from __future__ import annotations

import importlib
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest.mock import patch

__all__ = ["Phases"]

# A phase is what runs in these functions, but for what runs in those of another phase.
FUNCTIONS = {
    "read": ("enumerator.frontend.read_text", "enumerator.frontend.read_ahead"),
    "ask LLVM": ("enumerator.frontend.llvm.test.canonical_text",),
    "parse": ("enumerator.frontend.load_text",),
    "model": ("enumerator.search.bitset.compile_model", "enumerator.search.session.Session.bytecode"),
    "unfold": ("enumerator.search.session.Session.unfolded",),
    "lower": ("enumerator.search.session.Session.lowered", "enumerator.search.bitset.lay_out"),
    "search": ("enumerator.search.driver.Driver.run", "enumerator.search.interleaving.enumerate_test"),
    "states": ("enumerator.search.driver.Driver._outcomes", "enumerator.results.verdict.judge"),
}
REST = "report, rest"


class Phases:
    """CPU seconds by phase, while :meth:`timed` holds."""

    def __init__(self) -> None:
        self.seconds: Counter[str] = Counter(dict.fromkeys((*FUNCTIONS, REST), 0.0))
        self._running = [REST]
        self._since = 0.0

    @contextmanager
    def timed(self) -> Iterator[None]:
        """Time the functions of the phases, and all else as the rest."""
        with ExitStack() as stack:
            for phase, functions in FUNCTIONS.items():
                for function in functions:
                    module, _, name = function.rpartition(".")
                    place = _place(module)
                    stack.enter_context(patch.object(place, name, self._timed(getattr(place, name), phase)))
            self._since = time.process_time()
            try:
                yield
            finally:
                self._switch()

    def lines(self, tests: int) -> Iterator[str]:
        """Give a table: milliseconds a test, and the share of all."""
        total = sum(self.seconds.values())
        yield f"{'phase':14} {'ms a test':>9} {'share':>6}"
        for phase, seconds in self.seconds.items():
            yield f"{phase:14} {1000 * seconds / tests:9.3f} {seconds / total:6.0%}"

    def _switch(self) -> None:
        now = time.process_time()
        self.seconds[self._running[-1]] += now - self._since
        self._since = now

    def _timed(self, function: Callable[..., Any], phase: str) -> Callable[..., Any]:
        def run(*arguments: Any, **named: Any) -> Any:
            self._switch()
            self._running.append(phase)
            try:
                return function(*arguments, **named)
            finally:
                self._switch()
                self._running.pop()

        return run


def _place(name: str) -> Any:
    """Give a module, or a class in one."""
    module, _, kind = name.rpartition(".")
    is_class = kind.lstrip("_")[:1].isupper()
    return getattr(importlib.import_module(module), kind) if is_class else importlib.import_module(name)
