"""Reading profiles: the shipped ones, and files that a user or a test names."""

from __future__ import annotations

import re
import reprlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from enumerator.errors import InputError
from enumerator.files import contained, obstacle, read_text
from enumerator.frozen import dataclass
from enumerator.mmra.profile import ImpliedTags, Profile
from enumerator.mmra.tags import parse_tag
from enumerator.program.instructions import Ordering

__all__ = ["load_profile", "profile_names", "profile_of_test"]

_PROFILES = Path(__file__).parents[1] / "profiles"
_LARGEST_PROFILE = 1 << 20  # bytes; a profile is a page of text
_LARGEST_SPACE = 1 << 24  # LLVM has 24 bits for the number of an address space
_EVENTS: Mapping[str, frozenset[str]] = {
    "access": frozenset("RW"),
    "read": frozenset("R"),
    "write": frozenset("W"),
    "fence": frozenset("F"),
    "barrier": frozenset("B"),
}


@cache
def profile_names() -> tuple[str, ...]:
    """Give the names of the shipped profiles, sorted.

    Returns
    -------
    tuple of str

    Examples
    --------
    >>> profile_names()
    ('amdgpu', 'amdgpu-strict', 'generic', 'strict', 'vulkan')
    """
    return tuple(sorted(file.stem for file in _PROFILES.glob("*.toml")))


def load_profile(name_or_path: str) -> Profile:
    """Load a target profile.

    Parameters
    ----------
    name_or_path : str
        The name of a shipped profile (:func:`profile_names`), or the path of a file.

    Returns
    -------
    Profile

    Raises
    ------
    InputError
        If there is no such profile, or the file is not a valid one.

    See Also
    --------
    profile_of_test : For a name that a test gives.

    Examples
    --------
    >>> load_profile("strict").synchronize
    'compatible'
    """
    if name_or_path in profile_names():
        return _shipped(name_or_path)
    if (reason := obstacle(name_or_path)) is not None:
        shipped = ", ".join(profile_names())
        from difflib import get_close_matches  # only here: profiles are read at every start

        near = get_close_matches(name_or_path, profile_names(), 1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise InputError(f"no such profile: {name_or_path!r}: {reason}, and it is none of {shipped}{hint}")
    return _read_profile(Path(name_or_path), name_or_path)


def profile_of_test(name: str, test: str) -> Profile:
    """Load the profile that a test names. Tests are not trusted: a test cannot name a file outside of its folder.

    Parameters
    ----------
    name : str
        Of a shipped profile, or of a file in the folder of the test.
    test : str
        The path of the test.

    Returns
    -------
    Profile
        Of the name that the test gives.

    Raises
    ------
    InputError
        If there is no such profile there, or the file is not a valid one.

    Examples
    --------
    >>> profile_of_test("strict", "tests/mp.ll").name
    'strict'
    >>> profile_of_test("../own.toml", "tests/mp.ll")
    Traceback (most recent call last):
    ...
    enumerator.errors.InputError: tests/mp.ll: the profile '../own.toml' is not in the folder of the test: give it \
with --profile
    """
    if name in profile_names():
        return _shipped(name)
    folder = Path(test).parent
    if Path(name).is_absolute() or not contained(folder / name, [folder]):
        raise InputError(f"the profile {name!r} is not in the folder of the test: give it with --profile", test)
    if (reason := obstacle(folder / name)) is not None:
        shipped = ", ".join(profile_names())
        raise InputError(f"no such profile beside the test: {name!r}: {reason}, and it is none of {shipped}", test)
    return _read_profile(folder / name, name)


@cache
def _shipped(name: str) -> Profile:
    return _read_profile(_PROFILES / f"{name}.toml", name)


def _read_profile(path: Path, name: str) -> Profile:
    text = read_text(path, _LARGEST_PROFILE, piped=False)
    try:
        return _ProfileReader(str(path)).profile(_table(text, str(path)), name)
    except InputError as error:
        if path.resolve().suffix == ".toml":
            raise
        # the message must not reveal anything of a file that is no profile
        message = "this is no profile: expected TOML as the README of the profiles says, in a file named *.toml"
        raise InputError(message, str(path), error.line, error.column) from None


def _table(text: str, path: str) -> Mapping[str, Any]:
    import tomllib

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message, line, column = str(error), None, None
        if place := re.search(r" \(at line (\d+), column (\d+)\)$", message):
            message, line, column = message[: place.start()], int(place[1]), int(place[2])
        raise InputError(f"not valid TOML: {message}", path, line, column) from None
    except ValueError:  # Python converts no integer of so many digits
        raise InputError("not valid TOML: a number is too long", path) from None
    except RecursionError:
        raise InputError("not valid TOML: nested too deeply", path) from None


@dataclass(frozen=True, slots=True)
class _ProfileReader:
    """Converts the data of a profile file and checks it; every error message names the key."""

    path: str

    def profile(self, table: Mapping[str, Any], name: str) -> Profile:
        readers: dict[str, Callable[[object], Any]] = {
            "description": lambda value: self.string(value, "description"),
            "synchronize": self.synchronize,
            "aliases": self.aliases,
            "known": self.known,
            "implied": self.implied,
            "alternatives": self.alternatives,
        }
        self.keys(table, (*readers, "extends"), "")
        given = {key: read(table[key]) for key, read in readers.items() if key in table}
        return replace(self.extended(table.get("extends")), name=name, path=self.path, **given)

    def extended(self, value: object) -> Profile:
        """Give the profile that supplies the keys that a file does not have: the one that ``extends`` names, if any."""
        if value is None:
            return Profile("")
        return _shipped(self.shipped_name(value, "extends"))

    def alternatives(self, value: object) -> tuple[str, ...]:
        return tuple(self.shipped_name(entry, "alternatives") for entry in self.list_(value, "alternatives"))

    def shipped_name(self, value: object, key: str) -> str:
        name = self.string(value, key)
        if name not in profile_names():
            raise self.error(key, f"a shipped profile ({', '.join(profile_names())})", name)
        return name

    def synchronize(self, value: object) -> str:
        synchronize = self.string(value, "synchronize")
        if synchronize not in ("always", "compatible"):
            raise self.error("synchronize", "'always' or 'compatible'", synchronize)
        return synchronize

    def aliases(self, value: object) -> dict[str, str]:
        table = self.table(value, "aliases")
        aliases = {alias: self.string(prefix, f"aliases.{alias}") for alias, prefix in table.items()}
        for alias, prefix in aliases.items():
            if prefix in aliases:
                raise InputError(f"aliases.{alias}: {prefix!r} is itself an alias", self.path)
        return aliases

    def known(self, value: object) -> dict[str, tuple[str, ...]]:
        table = self.table(value, "known")
        return {prefix: tuple(sorted(self.strings(suffixes, f"known.{prefix}"))) for prefix, suffixes in table.items()}

    def implied(self, value: object) -> tuple[ImpliedTags, ...]:
        rules = self.list_(value, "implied")
        return tuple(self.rule(rule, f"implied[{number}]") for number, rule in enumerate(rules, 1))

    def rule(self, value: object, key: str) -> ImpliedTags:
        rule = self.table(value, key)
        self.keys(rule, ("tags", "events", "at-least", "synchronizing", "address-spaces", "absent"), f"{key}.")
        try:
            tags = frozenset(map(parse_tag, self.strings(rule.get("tags", []), f"{key}.tags")))
        except InputError as error:
            raise InputError(f"{key}.tags: {error.message}", self.path) from None
        if not tags:
            raise InputError(f"{key}: tags says which tags are implied, and is missing", self.path)
        events = self.strings(rule.get("events", ["access", "fence"]), f"{key}.events")
        for event in events:
            if event not in _EVENTS:
                raise self.error(f"{key}.events", f"some of {', '.join(_EVENTS)}", event)
        minimum = self.string(rule.get("at-least", "na"), f"{key}.at-least")
        if minimum not in (ordering.name.lower() for ordering in Ordering):
            raise self.error(f"{key}.at-least", "an ordering (monotonic, acquire …)", minimum)
        synchronizing = rule.get("synchronizing")
        if not isinstance(synchronizing, bool | None):
            raise self.error(f"{key}.synchronizing", "true or false", synchronizing)
        spaces = self.list_(rule["address-spaces"], f"{key}.address-spaces") if "address-spaces" in rule else None
        for space in spaces or ():
            if isinstance(space, bool) or not isinstance(space, int) or not 0 <= space < _LARGEST_SPACE:
                raise self.error(f"{key}.address-spaces", "numbers of address spaces", space)
        return ImpliedTags(
            tags=tags,
            kinds=frozenset().union(*(_EVENTS[event] for event in events)),
            minimum=Ordering[minimum.upper()],
            synchronizing=synchronizing,
            address_spaces=None if spaces is None else frozenset(spaces),
            absent=frozenset(self.strings(rule.get("absent", []), f"{key}.absent")),
        )

    def keys(self, table: Mapping[str, Any], allowed: tuple[str, ...], prefix: str) -> None:
        for key in table:
            if key not in allowed:
                raise InputError(f"unknown key {prefix}{key}; expected some of {', '.join(allowed)}", self.path)

    def string(self, value: object, key: str) -> str:
        if not isinstance(value, str):
            raise self.error(key, "a string", value)
        return value

    def list_(self, value: object, key: str) -> list[Any]:
        if not isinstance(value, list):
            raise self.error(key, "an array", value)
        return value

    def strings(self, value: object, key: str) -> list[str]:
        return [self.string(entry, key) for entry in self.list_(value, key)]

    def table(self, value: object, key: str) -> Mapping[str, Any]:
        if not isinstance(value, dict):
            raise self.error(key, "a table", value)
        return value

    def error(self, key: str, expected: str, value: object) -> InputError:
        try:
            shown = reprlib.repr(value)
        except ValueError:  # Python writes no integer of so many digits
            shown = "a number that is too long"
        return InputError(f"{key}: expected {expected}, got {shown}", self.path)
