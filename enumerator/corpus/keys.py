"""By what results are known: the content of the test, of the model and the profile, the options, and the program."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from functools import cache
from pathlib import Path

from enumerator import __version__
from enumerator.errors import InputError
from enumerator.files import Given, current, given
from enumerator.frozen import dataclass
from enumerator.options import BatchOptions

__all__ = [
    "Digests",
    "Needs",
    "digest",
    "key_of_test",
    "model_digest",
    "options_digest",
    "profile_digest",
    "program_version",
]

_PACKAGE = Path(__file__).resolve().parent.parent
_SOURCES = (".py", ".cat", ".toml", ".lark", ".ll")
_IMMATERIAL = ("timeout", "max_executions", "jobs", "include_dirs", "executions", "dask")
"""Options that do not change what comes out (limits are compared), or that say where models are, whose text counts."""

_MOST_PROFILES = 10_000


def digest(*parts: str) -> str:
    """Give a number, in hexadecimal, that is another one for other texts.

    Parameters
    ----------
    *parts : str

    Returns
    -------
    str

    Examples
    --------
    >>> digest("a", "b") == digest("ab", "")
    False
    """
    found = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        found.update(len(data).to_bytes(8, "little"))
        found.update(data)
    return found.hexdigest()[:32]


@cache
def program_version() -> str:
    """Say which program this is: its version, its sources, shipped models and profiles, and LLVM.

    Returns
    -------
    str
        Such as ``0.1.0+3f2a…``: equal where all these are.
    """
    from importlib.metadata import version  # takes long to import

    found = hashlib.sha256(version("llvmlite").encode())
    for folder, folders, names in os.walk(_PACKAGE):
        folders.sort()
        for name in sorted(names):
            if name.endswith(_SOURCES):
                found.update(os.path.relpath(os.path.join(folder, name), _PACKAGE).encode() + b"\0")
                found.update(Path(folder, name).read_bytes())
    return f"{__version__}+{found.hexdigest()[:12]}"


def options_digest(options: BatchOptions) -> str:
    """Give the digest of what is asked of each test, limits aside.

    Parameters
    ----------
    options : BatchOptions

    Returns
    -------
    str
    """
    chosen = {field.name: getattr(options, field.name) for field in fields(options) if field.name not in _IMMATERIAL}
    return digest(json.dumps(chosen, sort_keys=True, default=str))


def key_of_test(path: str, text: str, asked: str) -> str:
    """Give the key of a test: all that its results have in common.

    Parameters
    ----------
    path : str
        Only its last part counts, which names the test and says its format.
    text : str
        What it holds.
    asked : str
        The digest of the options.

    Returns
    -------
    str
    """
    return digest(program_version(), os.path.basename(path), text, asked)


@dataclass(frozen=True, slots=True)
class Needs:
    """What a result rests on, beside the test and the options.

    Parameters
    ----------
    model : str
        Its name or path; empty where the test could not be read.
    profile : str
        As the test names it.
    variants : tuple of str
    compiled : str
        The IR that clang made of the program; empty for other tests.
    model_digest, profile_digest : str
    """

    model: str = ""
    profile: str = ""
    variants: tuple[str, ...] = ()
    compiled: str = ""
    model_digest: str = ""
    profile_digest: str = ""

    def with_digests(self, digests: Digests, test: str) -> Needs:
        """Look at the files of the model and the profile; of the IR keep the digest only."""
        if not self.model:
            return self
        return replace(
            self,
            compiled=digest(self.compiled) if self.compiled else "",
            model_digest=digests.model(self.model),
            profile_digest=digests.profile(self.profile, test),
        )

    def key(self, test: str) -> str:
        """Give the key of the result of a test, by whose key it begins."""
        return digest(
            test, self.compiled, self.model, self.model_digest, self.profile, self.profile_digest, *self.variants
        )


class Digests:
    """Digests of models and profiles, each made once in a batch.

    Parameters
    ----------
    include_dirs : sequence of str
    includes_anywhere : bool
    profile : str or None
        That of the options, which holds for all tests.
    """

    def __init__(self, include_dirs: Sequence[str], includes_anywhere: bool, profile: str | None) -> None:
        self._include_dirs, self._includes_anywhere, self._own = include_dirs, includes_anywhere, profile
        self._models: dict[str, str] = {}
        self._profiles: dict[tuple[str, str], str] = {}

    def model(self, name: str) -> str:
        """Give the digest of a model with all that it includes."""
        if name not in self._models:
            self._models[name] = model_digest(name, self._include_dirs, self._includes_anywhere)
        return self._models[name]

    def profile(self, name: str, test: str) -> str:
        """Give the digest of the profile that a test is checked under, which may lie beside it."""
        from enumerator.mmra import profile_names

        if self._own is None and name in profile_names():
            return ""
        key = ("", "") if self._own is not None else (name, os.path.dirname(test))
        if key not in self._profiles:
            if len(self._profiles) >= _MOST_PROFILES:  # one a folder, and folders may be very many
                self._profiles.clear()
            self._profiles[key] = profile_digest(name, test, self._own)
        return self._profiles[key]


def model_digest(name: str, include_dirs: Sequence[str], includes_anywhere: bool) -> str:
    """Give the digest of a model with all that it includes.

    Parameters
    ----------
    name : str
        A shipped model or a path, without or with variants.
    include_dirs : sequence of str
    includes_anywhere : bool

    Returns
    -------
    str
        Of the files that do not come with the program, which has a version. For a model that cannot be read, that of
        the message.
    """
    from enumerator.cat.parser import load_model
    from enumerator.cat.variants import split_variants

    def load() -> None:
        _, path, _ = split_variants(name, tuple(Path(folder) for folder in include_dirs))
        if not path.is_relative_to(_PACKAGE):  # else it reads what comes with the program only
            load_model(path, include_dirs, includes_anywhere)

    return _digest_of_reading(load)


def profile_digest(name: str, test: str, own: str | None) -> str:
    """Give the digest of a profile.

    Parameters
    ----------
    name : str
        What the test's expectation, or the test itself, calls it.
    test : str
        The path of the test.
    own : str or None
        What the options name, by name or path.

    Returns
    -------
    str
        As of a model.
    """
    from enumerator.mmra import load_profile, profile_of_test

    return _digest_of_reading(lambda: load_profile(own) if own is not None else profile_of_test(name, test))


def _digest_of_reading(load: Callable[[], object]) -> str:
    """Give the digest of the texts that a function reads."""
    around = current()
    with given(replace(around, read={}) if around is not None else Given()) as files:
        try:
            load()
        except InputError as error:
            return digest("error", str(error))
    texts: Mapping[str, str] = files.read
    return digest(*texts.values()) if texts else ""
