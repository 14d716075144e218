"""Running cases quickly: forks of a process that has imported everything, each for a batch of cases, under limits.

A fork takes about as long as a case, so one fork serves several. When it dies or hangs, the case that it was at is to
blame, and the next fork goes on behind it. Whether a case does the same in a process of its own is asked of
:func:`run_alone`.
"""

from __future__ import annotations

import contextlib
import faulthandler
import gc
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NoReturn

from enumerator.frontend.llvm.process import stop as stop_llvm
from tests.fuzz.cases import Case, Finding
from tests.fuzz.comparing import compare_engines
from tests.fuzz.judging import Ending, judge

__all__ = ["Done", "Limits", "Server", "prepare", "run_alone"]

BATCH = 400


@dataclass(frozen=True)
class Limits:
    """What a case may take.

    Parameters
    ----------
    cpu : float
        Seconds of the processor: the commands' own time limit, and slack.
    wall : float
        Seconds until a case that says nothing is given up, on a busy machine.
    memory : int
        Bytes of address space beyond what the process has before the case.
    """

    cpu: float = 4.0
    wall: float = 120.0
    memory: int = 3 << 30


@dataclass(frozen=True)
class Done:
    """A case that was run: what it said (an exit code, or what came of comparing engines), and what is wrong."""

    case: Case
    said: str
    findings: tuple[Finding, ...]


class Server:
    """A process that forks; :func:`prepare` has imported everything before.

    Parameters
    ----------
    folder : path
        Where files are written.
    examples : sequence of Case
        Harmless ones, run in this process once: what commands import or compile when they first need it, forks have.
    limits : Limits
    """

    def __init__(self, folder: str | Path, examples: Sequence[Case] = (), limits: Limits | None = None) -> None:
        self.folder = str(folder)
        self.limits = limits or Limits()
        self.out = os.memfd_create("out")
        self.err = os.memfd_create("err")
        self._rehearse(examples)
        gc.collect()
        gc.freeze()

    def run(self, cases: Sequence[Case]) -> Iterator[Done]:
        """Run cases in order."""
        waiting = list(cases)
        while waiting:
            for done in self._fork(waiting[:BATCH]):
                waiting.pop(0)
                yield done

    def _rehearse(self, examples: Sequence[Case]) -> None:
        sys.stdout.flush()
        sys.stderr.flush()
        kept = [os.dup(stream) for stream in (1, 2)]
        streams, folder = (sys.stdout, sys.stderr), os.getcwd()
        os.chdir(self.folder)
        try:
            os.dup2(self.out, 1)
            os.dup2(self.err, 2)
            for case in examples:
                _run(case, self)
        finally:
            stop_llvm()
            os.chdir(folder)
            sys.stdout, sys.stderr = streams
            for stream, copy in enumerate(kept, 1):
                os.dup2(copy, stream)
                os.close(copy)

    def _fork(self, cases: list[Case]) -> Iterator[Done]:
        answers, speaker = Pipe(duplex=False)
        sys.stdout.flush()
        sys.stderr.flush()
        process = os.fork()
        if process == 0:
            os.setpgid(0, 0)
            answers.close()
            _serve(cases, self, speaker)
        with contextlib.suppress(OSError):
            os.setpgid(process, process)  # whoever comes first: it may have to be killed at once
        speaker.close()
        served = 0
        try:
            while served < len(cases):
                if not answers.poll(self.limits.wall):
                    os.killpg(process, signal.SIGKILL)
                    break
                said, findings = answers.recv()
                yield Done(cases[served], said, findings)
                served += 1
        except EOFError:
            pass  # it died
        except GeneratorExit:  # enough was seen
            os.killpg(process, signal.SIGKILL)
            raise
        finally:
            answers.close()
            _, status = os.waitpid(process, 0)
        if served < len(cases):
            yield Done(cases[served], "died", (self._death(cases[served], status),))

    def _death(self, case: Case, status: int) -> Finding:
        err = _content(self.err)
        if os.WIFSIGNALED(status):
            number = os.WTERMSIG(status)
            name = {
                signal.SIGPROF: f"more than {self.limits.cpu:g} s",
                signal.SIGKILL: f"silent for {self.limits.wall:g} s",
            }
            (finding,) = judge(case, Ending(None, "", err, name.get(number, signal.Signals(number).name)))
            return finding
        return Finding(f"the process ended itself: {case.command}", f"{os.waitstatus_to_exitcode(status)}\n{err}")


def prepare() -> None:
    """Import what commands import when they need it, ready the kernels, and read the shipped models.

    This changes the process: what is done in it afterwards is right, but nobody else should rely on it.
    """
    import networkx  # noqa: F401
    import typer.main

    import enumerator.cli.app
    import enumerator.corpus.compare
    import enumerator.frontend.alloy
    import enumerator.frontend.c
    import enumerator.frontend.llvm
    import enumerator.frontend.opencl
    import enumerator.frontend.ptx
    import enumerator.frontend.vulkan
    import enumerator.inspection
    import enumerator.passes.infer
    import enumerator.passes.ordering
    import enumerator.passes.translate
    import enumerator.reference.enumerate
    import enumerator.report.findings
    import enumerator.report.inspection
    import enumerator.report.junit  # noqa: F401
    import enumerator.search.warm
    import tests.literal  # noqa: F401
    from enumerator.cat import parser as cat
    from enumerator.cat.typing import select

    cat.parse_text = lru_cache(maxsize=128)(cat.parse_text)
    for model in cat.shipped_models():
        select(model)
    for model in ("llvm", "amdgpu", "amdgpu-2026"):
        for hb in ("closure", "direct", "filtered"):
            for thin_air in ("dep", "rc11", "none"):
                select(model, (), {"hb": hb, "thin-air": thin_air})
    # every call would build the commands anew, which takes longer than most cases
    enumerator.cli.app.app = typer.main.get_command(enumerator.cli.app.app)  # type: ignore[assignment]


# In the fork --------------------------------------------------------------------------------------------------


def _serve(cases: list[Case], server: Server, speaker: Connection) -> NoReturn:
    """Run cases, tell the server what came of each, and end."""
    os.chdir(server.folder)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    _limit(resource.RLIMIT_AS, _address_space() + server.limits.memory)
    _limit(resource.RLIMIT_FSIZE, 64 << 20)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(server.out, 1)
    os.dup2(server.err, 2)
    faulthandler.enable(2)
    faulthandler.register(signal.SIGPROF, file=2, all_threads=False, chain=True)
    code = 0
    try:
        for case in cases:
            speaker.send(_run(case, server, server.limits.cpu))
    except BaseException:
        import traceback

        traceback.print_exc()
        sys.stderr.flush()
        code = 70
    finally:
        stop_llvm()
        os._exit(code)


def _run(case: Case, server: Server, cpu: float = 0) -> tuple[str, tuple[Finding, ...]]:
    for stream in (server.out, server.err):
        os.ftruncate(stream, 0)
        os.lseek(stream, 0, os.SEEK_SET)
    for name, data in case.files:
        Path(name).write_bytes(data)
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", errors="backslashreplace", closefd=False)  # noqa: SIM115
    signal.setitimer(signal.ITIMER_PROF, cpu)
    try:
        if case.engines:
            said, findings = _compared(case)
        else:
            code = _command(case)
            signal.setitimer(signal.ITIMER_PROF, 0)
            said = str(code)
            findings = judge(case, Ending(code, _content(server.out), _content(server.err)))
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        for name, _ in case.files:
            os.unlink(name)
    return said, tuple(findings)


def _command(case: Case) -> int:
    """Run a command as its own process would, and give its exit code."""
    from enumerator.cli import main

    try:
        main(list(case.arguments))
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1 if end.code else 0
    except BaseException:
        import traceback

        traceback.print_exc()
        code = 1
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    return code


def _compared(case: Case) -> tuple[str, list[Finding]]:
    try:
        return compare_engines(case)
    except Exception:
        import traceback

        text = traceback.format_exc()
        return "traceback", judge(case, Ending(1, "", text))


def _limit(what: int, value: int) -> None:
    _, hard = resource.getrlimit(what)
    resource.setrlimit(what, (value if hard == resource.RLIM_INFINITY else min(value, hard), hard))


def _address_space() -> int:
    return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()


def _content(stream: int) -> str:
    return os.pread(stream, 8 << 20, 0).decode("utf-8", "replace")


# A process of its own -----------------------------------------------------------------------------------------


def run_alone(case: Case, limits: Limits | None = None) -> tuple[Finding, ...]:
    """Run a case as a user would, in a new process.

    The time that it takes to start is allowed for.
    """
    limits = limits or Limits()
    program = ["tests.fuzz.comparing"] if case.engines else ["enumerator"]
    start = 3.0
    with tempfile.TemporaryDirectory() as folder:
        for name, data in case.files:
            (Path(folder) / name).write_bytes(data)
        arguments = [case.files[0][0], *case.arguments[1:]] if case.engines else list(case.arguments)
        before = time.monotonic()
        process = subprocess.Popen(
            [sys.executable, "-m", *program, *arguments],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            preexec_fn=lambda: _limit_alone(limits, start),
        )
        try:
            out, err = process.communicate(timeout=limits.wall + 20)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return (Finding(f"silent for {time.monotonic() - before:.0f} s: {case.command}"),)
    text, complaint = out.decode("utf-8", "replace"), err.decode("utf-8", "replace")
    if case.engines and process.returncode in (0, 1) and "Traceback" not in complaint:
        return tuple(Finding(line) for line in text.splitlines() if line.startswith("engines differ"))
    if process.returncode < 0:
        number = -process.returncode
        name = f"more than {limits.cpu:g} s" if number == signal.SIGXCPU else signal.Signals(number).name
        return tuple(judge(case, Ending(None, "", complaint, name)))
    return tuple(judge(case, Ending(process.returncode, text, complaint)))


def _limit_alone(limits: Limits, start: float) -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    _limit(resource.RLIMIT_CPU, round(limits.cpu + start))
    _limit(resource.RLIMIT_AS, limits.memory + (1 << 30))
