"""Programs in C, C++, OpenCL and HIP: clang makes LLVM IR of them, and their lines are those of the source.

Directives (``// EXISTS: …``) are comments at the beginnings of lines, as in other tests.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import replace

from enumerator.clock import remaining
from enumerator.errors import InputError, Timeout
from enumerator.files import on_the_asking_machine
from enumerator.frontend.directives import DIRECTIVES, directive, may_be_directive
from enumerator.frontend.llvm.newer import without_conventions
from enumerator.frontend.unoptimized import prepared
from enumerator.frozen import dataclass
from enumerator.program.test import Test

__all__ = ["DEFAULT_COMPILER", "LANGUAGES", "Compiler", "command_of", "compile_source", "compiled_text", "load_source"]

LANGUAGES: Mapping[str, str] = {
    ".c": "c",
    ".cc": "c++",
    ".cpp": "c++",
    ".cxx": "c++",
    ".cl": "cl",
    ".hip": "hip",
}
"""By the extension of a file, what clang calls its language."""

_OPENCL_TARGET, _HIP_TARGET = "amdgcn-amd-amdhsa", "gfx90a"
_AMDGPU = re.compile(r'^target triple = "amdgcn', re.MULTILINE)
_LEVELS = ("0", "1", "2", "3", "s", "z", "g")
_TIME_LIMIT = 60.0
_VERSIONS = range(30, 13, -1)

_WITHOUT_SPINNING = ("-D__atomic_spin_count=__i",)
"""Waits for a value (``std::atomic::wait``, semaphores, latches) sleep at once: libstdc++ looks 16 times before, in
``for (auto __i = 0; __i < __atomic_spin_count; ++__i)``. More looks have no further outcome (semantics, section 9)."""

_STANDARD = "-std=gnu++20"
"""Of C++, where the command names none: what programs with threads use has come with it (latches, semaphores)."""

_ERROR = re.compile(
    r"^(?P<path>[^\n:]+):(?P<line>\d+):(?P<column>\d+): (?:fatal )?error: (?P<message>.*)$", re.MULTILINE
)


@dataclass(frozen=True)
class Compiler:
    """How sources are compiled.

    Parameters
    ----------
    clang : str, optional
        The command, with options if there are any. Default: ``clang`` on the path, or the newest ``clang-N``.
    target : str, optional
        A triple; for OpenCL and HIP also a processor, ``gfx90a``, or both, ``amdgcn-amd-amdhsa:gfx90a``. Default: the
        machine's own, ``amdgcn-amd-amdhsa`` for OpenCL, ``gfx90a`` for HIP.
    level : {'0', '1', '2', '3', 's', 'z', 'g'}
        The level of optimization.

    Raises
    ------
    InputError
        If there is no such level.
    """

    clang: str | None = None
    target: str | None = None
    level: str = "1"

    def __post_init__(self) -> None:
        if self.level not in _LEVELS:
            raise InputError(f"no level of optimization: {self.level} (there are {', '.join(_LEVELS)})", "-O")


DEFAULT_COMPILER = Compiler()


def load_source(text: str, path: str, compiler: Compiler = DEFAULT_COMPILER) -> Test:
    """Read a program.

    Parameters
    ----------
    text : str
        What the file holds.
    path : str
        The file: clang reads it, too, as what it includes may lie beside it.
    compiler : Compiler

    Returns
    -------
    Test

    Raises
    ------
    InputError
        If there is no clang, it finds a mistake, or the program is none that can be checked.
    """
    from enumerator.frontend.llvm import load_text
    from enumerator.frontend.llvm.source import scan

    whole = compiled_text(text, path, compiler)
    test = load_text(whole, path, source=path)
    if _AMDGPU.search(whole) and not directive(scan(whole).comments, "PROFILE"):
        test = replace(test, target_profile="amdgpu")
    if compiler.level == "0" or LANGUAGES[os.path.splitext(path)[1].lower()] in ("cl", "hip"):
        return test
    left_out = f"clang -O{compiler.level} may have left out accesses, and races with them: -O0 keeps all"
    return replace(test, notes=(*test.notes, left_out))


def compiled_text(text: str, path: str, compiler: Compiler = DEFAULT_COMPILER) -> str:
    """Compile a program, and give its directives with what becomes of it: they stand in the lines that they had.

    Parameters
    ----------
    text : str
        What the file holds.
    path : str
    compiler : Compiler

    Returns
    -------
    str
        LLVM IR.

    Raises
    ------
    InputError
        As :func:`compile_source`.
    """
    printed = re.sub(r"\A; ModuleID = .*\n", "", compile_source(path, compiler))  # which is no title
    lines = text.split("\n")
    head = _head(lines)
    return "\n".join((*(_as_comment(line, place, place < head) for place, line in enumerate(lines)), printed))


def _head(lines: Sequence[str]) -> int:
    """Count the lines before the first one with code."""
    for place, line in enumerate(lines):
        begun = line.lstrip()
        if begun and not begun.startswith(("//", "/*", "*", "#")):
            return place
    return len(lines)


def _as_comment(line: str, place: int, in_head: bool) -> str:
    """Keep a directive, in the head also a misspelt one, or a title as a comment of LLVM IR at the same place."""
    begun = line.lstrip()
    if not begun.startswith(("//", "/*")):
        return ""
    text = begun[2:].lstrip("/*").strip().removesuffix("*/").rstrip()
    known = text.split(":")[0].rstrip() in DIRECTIVES or (in_head and may_be_directive(text))
    if not text or (place and not known):
        return ""
    return ";" + " " * (line.index(text) - 1) + text


def compile_source(path: str, compiler: Compiler = DEFAULT_COMPILER) -> str:
    """Compile a file to LLVM IR.

    Parameters
    ----------
    path : str
    compiler : Compiler

    Returns
    -------
    str
        With names of values, and debug locations.

    Raises
    ------
    InputError
        With the place of the first mistake that clang finds.
    """
    asked = ("compiled", path, compiler.clang or "", compiler.target or "", compiler.level)
    known, answer = on_the_asking_machine(asked)
    if known and not isinstance(answer, str):
        assert isinstance(answer, tuple | list)
        raise InputError(*answer)
    if isinstance(answer, str):
        return answer
    language = LANGUAGES[os.path.splitext(path)[1].lower()]
    command = command_of(compiler, path)
    if other := [each for each in command if each.startswith("-O") and each != f"-O{compiler.level}"]:
        raise InputError(
            f"it is compiled with -O{compiler.level}: to have {other[-1]}, give the option -O of this command",
            "--clang",
        )
    if language == "c++" and not any(each.startswith(("-std", "--std")) for each in command):
        command.append(_STANDARD)
    command += [*_options(language, compiler, path), f"-O{compiler.level}"]
    command += ["-g", "-S", "-emit-llvm", "-fno-discard-value-names", "-fno-color-diagnostics", "-w", "-o", "-"]
    if language in ("cl", "hip") or compiler.level == "0":
        return without_conventions(_output([*command, path], path))
    unoptimized = _output([*command, "-Xclang", "-disable-llvm-passes", path], path)
    command[command.index("-x") + 1] = "ir"
    return without_conventions(_output([*command, "-"], path, prepared(unoptimized)))


def _output(command: list[str], path: str, given: str | None = None) -> str:
    """Give what the compiler prints; raise its first error if there is one."""
    done = _run(command, path, given)
    if done.returncode == 0:
        return done.stdout
    match = _ERROR.search(done.stderr)
    if match is not None:
        raise InputError(match["message"], match["path"], int(match["line"]), int(match["column"]))
    told = next((line for line in done.stderr.splitlines() if line.strip()), f"exit code {done.returncode}")
    raise InputError(f"clang: {told.removeprefix('clang: ')}", path)


def _run(command: list[str], path: str, given: str | None = None) -> subprocess.CompletedProcess[str]:
    """Run the compiler, for as long as there is time."""
    left = remaining()
    try:
        return subprocess.run(
            command,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_TIME_LIMIT if left is None else min(left, _TIME_LIMIT),
            input=given or "",
        )
    except subprocess.TimeoutExpired:
        raise Timeout from None
    except OSError as error:
        raise InputError(f"{command[0]} cannot be run: {error.strerror}", path) from None


def command_of(compiler: Compiler, path: str | None = None) -> list[str]:
    """Give the command that compiles, with the options that are part of it.

    Parameters
    ----------
    compiler : Compiler
    path : str, optional
        For error messages.

    Returns
    -------
    list of str

    Raises
    ------
    InputError
        If there is no such command.
    """
    if compiler.clang is not None:
        given = shlex.split(compiler.clang)
        if not given or shutil.which(given[0]) is None:
            raise InputError(f"no such compiler: {compiler.clang}", "--clang")
        return given
    for name in ("clang", *(f"clang-{version}" for version in _VERSIONS)):
        if shutil.which(name) is not None:
            return [name]
    message = "it takes clang to compile this, and there is none on the path: give one with --clang, or LLVM IR (.ll)"
    raise InputError(message, path)


def _options(language: str, compiler: Compiler, path: str) -> list[str]:
    match language:
        case "cl":
            triple, processor = _target(compiler.target)
            chosen = [f"--target={triple or _OPENCL_TARGET}", *([f"-mcpu={processor}"] if processor else [])]
            return ["-x", "cl", "-cl-std=CL2.0", *chosen, "-nogpulib"]
        case "hip":
            triple, processor = _target(compiler.target)
            if not triple.startswith("amdgcn") and triple:
                message = f"HIP is compiled for a processor of AMD, as {_HIP_TARGET}, not for {compiler.target}"
                raise InputError(f"{message}: --target", path)
            chosen = [f"--offload-arch={processor or _HIP_TARGET}"]
            return ["-x", "hip", "--cuda-device-only", *chosen, "-nogpulib", "-nogpuinc"]
        case _:
            target_option = [] if compiler.target is None else [f"--target={compiler.target}"]
            return ["-x", language, *target_option, *(_WITHOUT_SPINNING if language == "c++" else ())]


def _target(target: str | None) -> tuple[str, str]:
    """Split what GPU code is compiled for into a triple and a processor with its features; either may be empty.

    Examples
    --------
    >>> _target("amdgcn"), _target("gfx90a:xnack-"), _target("amdgcn-amd-amdhsa:gfx90a"), _target(None)
    (('amdgcn', ''), ('', 'gfx90a:xnack-'), ('amdgcn-amd-amdhsa', 'gfx90a'), ('', ''))
    """
    given = target or ""
    if given.startswith("gfx"):
        return "", given
    triple, _, processor = given.partition(":")
    return triple, processor
