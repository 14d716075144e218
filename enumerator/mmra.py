"""Memory model relaxation annotations: tags, compatibility, combination, and target profiles.

The rules are those of the LLVM document *Memory Model Relaxation Annotations* (MMRA). What the document leaves to
the target, a :class:`Profile` says: a small TOML file (``enumerator/profiles/README.md`` describes the format).
"""

from __future__ import annotations

import re
import reprlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from enumerator.errors import InputError
from enumerator.files import contained, obstacle, read_text
from enumerator.program.instructions import Ordering, Tag

__all__ = [
    "ImpliedTags",
    "Profile",
    "Tag",
    "TagSet",
    "at_least",
    "combine",
    "compatible",
    "conflicting_prefixes",
    "drop",
    "format_tags",
    "load_profile",
    "parse_tag",
    "parse_tags",
    "profile_names",
    "profile_of_test",
]

TagSet = str | Iterable[Tag]
"""A set of tags as functions take it: ``"foo:x,bar:y"``, or :class:`Tag` objects."""

_PROFILES = Path(__file__).parent / "profiles"
_LARGEST_PROFILE = 1 << 20  # bytes; a profile is a page of text
_LARGEST_SPACE = 1 << 24  # LLVM has 24 bits for the number of an address space


# Tags -----------------------------------------------------------------------------------------------------


def parse_tag(text: str) -> Tag:
    """Read one tag, ``prefix:suffix``; the prefix ends at the first colon.

    Parameters
    ----------
    text : str

    Returns
    -------
    Tag

    Raises
    ------
    InputError
        If there is no colon, or nothing on one side of it.

    Examples
    --------
    >>> parse_tag("vulkan:private")
    Tag(prefix='vulkan', suffix='private')
    """
    prefix, _, suffix = (part.strip() for part in text.partition(":"))
    if not prefix or not suffix:
        raise InputError(f"expected a tag of the form prefix:suffix, got {text.strip()!r}")
    return Tag(prefix, suffix)


def parse_tags(text: str) -> frozenset[Tag]:
    """Read a set of tags separated by commas; an empty text is the empty set.

    Parameters
    ----------
    text : str

    Returns
    -------
    frozenset of Tag

    Raises
    ------
    InputError
        If one of them is not a tag.

    Examples
    --------
    >>> format_tags(parse_tags("foo:y, foo:x"))
    'foo:x,foo:y'
    >>> parse_tags("")
    frozenset()
    """
    return frozenset(map(parse_tag, text.split(","))) if text.strip() else frozenset()


def format_tags(tags: Iterable[Tag]) -> str:
    """Write tags, sorted, as :func:`parse_tags` reads them.

    Parameters
    ----------
    tags : iterable of Tag

    Returns
    -------
    str
    """
    return ",".join(map(str, sorted(tags)))


def _tag_set(tags: TagSet) -> frozenset[Tag]:
    return parse_tags(tags) if isinstance(tags, str) else frozenset(tags)


def _by_prefix(tags: Iterable[Tag]) -> dict[str, set[Tag]]:
    groups: dict[str, set[Tag]] = {}
    for tag in tags:
        groups.setdefault(tag.prefix, set()).add(tag)
    return groups


def conflicting_prefixes(x: TagSet, y: TagSet) -> tuple[str, ...]:
    """Give the prefixes that make two sets of tags incompatible: in both, but with no common tag.

    Parameters
    ----------
    x, y : str or iterable of Tag

    Returns
    -------
    tuple of str
        Sorted; empty iff the sets are compatible.

    Examples
    --------
    >>> conflicting_prefixes("foo:x,bar:a", "foo:y,bar:a")
    ('foo',)
    """
    groups_x, groups_y = _by_prefix(_tag_set(x)), _by_prefix(_tag_set(y))
    common = groups_x.keys() & groups_y.keys()
    return tuple(sorted(prefix for prefix in common if not groups_x[prefix] & groups_y[prefix]))


def compatible(x: TagSet, y: TagSet) -> bool:
    """Tell whether two sets of tags are compatible.

    They are iff for each prefix that occurs in both, at least one tag with that prefix is in both. The relation is
    symmetric, not transitive, and the empty set is compatible with everything.

    Parameters
    ----------
    x, y : str or iterable of Tag

    Returns
    -------
    bool

    Raises
    ------
    InputError
        If a text is not a set of tags.

    References
    ----------
    LLVM, *Memory Model Relaxation Annotations*, Definitions, "compatibility".

    Examples
    --------
    >>> compatible("foo:x,foo:y", "foo:y,foo:z"), compatible("foo:x", "foo:z"), compatible("", "foo:z")
    (True, False, True)
    """
    return not conflicting_prefixes(x, y)


def combine(x: TagSet, y: TagSet) -> frozenset[Tag]:
    """Give the tags of an operation that two operations are merged into: the prefix-wise union.

    For each prefix that occurs in both sets all tags of both with it are kept; a prefix found on one side only is
    dropped. The result is compatible with everything that either set is compatible with. The document's first two
    examples show less than its rule gives (``foo:x`` alone); the rule is what is implemented.

    Parameters
    ----------
    x, y : str or iterable of Tag

    Returns
    -------
    frozenset of Tag

    Raises
    ------
    InputError
        If a text is not a set of tags.

    References
    ----------
    LLVM, *Memory Model Relaxation Annotations*, Additional Topics, "Combining Operations".

    Examples
    --------
    >>> format_tags(combine("foo:x,foo:y,bar:x", "foo:x,bar:y"))
    'bar:x,bar:y,foo:x,foo:y'
    >>> combine("", "foo:x,bar:y")
    frozenset()
    """
    tags_x, tags_y = _tag_set(x), _tag_set(y)
    common = {tag.prefix for tag in tags_x} & {tag.prefix for tag in tags_y}
    return frozenset(tag for tag in tags_x | tags_y if tag.prefix in common)


def drop(tags: TagSet, prefix: str | None = None) -> frozenset[Tag]:
    """Remove all tags, or all tags with one prefix.

    Under a profile that implies no tags this adds no outcome to any program (drop-safety). Removing one tag of several
    with a prefix would not be safe, and is not offered.

    Parameters
    ----------
    tags : str or iterable of Tag
    prefix : str, optional

    Returns
    -------
    frozenset of Tag

    Examples
    --------
    >>> format_tags(drop("foo:x,foo:y,bar:x", "foo"))
    'bar:x'
    >>> drop("foo:x")
    frozenset()
    """
    if prefix is None:
        return frozenset()
    return frozenset(tag for tag in _tag_set(tags) if tag.prefix != prefix)


# Profiles -------------------------------------------------------------------------------------------------

_AS_STRONG: Mapping[Ordering, frozenset[Ordering]] = {
    minimum: frozenset(
        ordering
        for ordering in Ordering
        if ordering >= minimum and not (minimum == Ordering.ACQUIRE and ordering == Ordering.RELEASE)
    )
    for minimum in Ordering
}
_EVENTS: Mapping[str, frozenset[str]] = {
    "access": frozenset("RW"),
    "read": frozenset("R"),
    "write": frozenset("W"),
    "fence": frozenset("F"),
    "barrier": frozenset("B"),
}


def at_least(ordering: Ordering, minimum: Ordering) -> bool:
    """Tell whether an ordering is as strong as another; acquire and release are not comparable.

    Parameters
    ----------
    ordering, minimum : Ordering

    Returns
    -------
    bool

    Examples
    --------
    >>> at_least(Ordering.RELEASE, Ordering.ACQUIRE), at_least(Ordering.ACQ_REL, Ordering.ACQUIRE)
    (False, True)
    """
    return ordering in _AS_STRONG[minimum]


@dataclass(frozen=True, slots=True)
class ImpliedTags:
    """A rule of a profile: which events have which tags without saying so.

    Parameters
    ----------
    tags : frozenset of Tag
        What is implied, each unless the event has an explicit tag with the same prefix.
    kinds : frozenset of {'R', 'W', 'F', 'B'}
    minimum : Ordering
        The event's ordering must be as strong.
    synchronizing : bool or None
        Whether the event must (not) be a synchronizing operation; None for either.
    address_spaces : frozenset of int or None
        Where the access must be; None for anywhere.
    absent : frozenset of str
        Prefixes of which the event must have no explicit tag.
    """

    tags: frozenset[Tag]
    kinds: frozenset[str] = frozenset("RWF")
    minimum: Ordering = Ordering.NA
    synchronizing: bool | None = None
    address_spaces: frozenset[int] | None = None
    absent: frozenset[str] = frozenset()

    def applies(self, kind: str, ordering: Ordering, synchronizing: bool, address_space: int) -> bool:
        """Tell whether an event is one that the rule speaks of (its explicit tags aside)."""
        return (
            kind in self.kinds
            and at_least(ordering, self.minimum)
            and self.synchronizing in (None, synchronizing)
            and (self.address_spaces is None or (kind in "RW" and address_space in self.address_spaces))
        )


@dataclass(frozen=True)
class Profile:
    """What a target says of tags.

    Parameters
    ----------
    name : str
        The name of a shipped profile, else the path as given.
    description : str
        One line.
    synchronize : {'always', 'compatible'}
        Whether tags affect which operations synchronize: not at all, or only compatible ones do.
    aliases : mapping of str to str
        Other spellings of prefixes.
    known : mapping of str to tuple of str
        Suffixes that the target gives a meaning to, by prefix. For diagnostics only: any other tag counts too.
    implied : tuple of ImpliedTags
    alternatives : tuple of str
        Shipped profiles for the same target that read its documents otherwise: reports say where they differ.
    path : str
        The file.
    """

    name: str
    description: str = ""
    synchronize: str = "always"
    aliases: Mapping[str, str] = field(default_factory=dict, hash=False)
    known: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)
    implied: tuple[ImpliedTags, ...] = ()
    alternatives: tuple[str, ...] = ()
    path: str = ""

    def canonical(self, tags: Iterable[Tag]) -> frozenset[Tag]:
        """Give tags with the aliases of prefixes resolved.

        Parameters
        ----------
        tags : iterable of Tag

        Returns
        -------
        frozenset of Tag
        """
        return frozenset(Tag(self.aliases.get(tag.prefix, tag.prefix), tag.suffix) for tag in tags)

    def effective_tags(
        self, tags: Iterable[Tag], *, kind: str, ordering: Ordering, synchronizing: bool, address_space: int = 0
    ) -> frozenset[Tag]:
        """Give the tags that an event has: the explicit ones and those that the target implies.

        Parameters
        ----------
        tags : iterable of Tag
            The explicit ones.
        kind : {'R', 'W', 'F', 'B', 'IW'}
            An initial write (``'IW'``) has no tags.
        ordering : Ordering
        synchronizing : bool
            Whether the event's instruction is a synchronizing operation (both halves of a read-modify-write are, if
            it is): a fence, or an access with an ordering of at least acquire or at least release.
        address_space : int
            Of an access.

        Returns
        -------
        frozenset of Tag

        Examples
        --------
        >>> amdgpu = load_profile("amdgpu")
        >>> def store(tags):
        ...     return format_tags(amdgpu.effective_tags(
        ...         parse_tags(tags), kind="W", ordering=Ordering.NA, synchronizing=False, address_space=1))
        >>> store(""), store("foo:x"), store("amdgpu-as:local")
        ('amdgpu-synchronize-as:global', 'amdgpu-synchronize-as:global,foo:x', 'amdgpu-synchronize-as:local')
        """
        explicit = self.canonical(tags)
        prefixes = {tag.prefix for tag in explicit}
        implied = {
            tag
            for rule in self.implied
            if rule.applies(kind, ordering, synchronizing, address_space) and not rule.absent & prefixes
            for tag in rule.tags
            if tag.prefix not in prefixes
        }
        return explicit | implied

    def unknown_tags(self, tags: Iterable[Tag]) -> tuple[Tag, ...]:
        """Give the tags that have a prefix the profile knows, but a suffix it does not (a likely misspelling).

        Parameters
        ----------
        tags : iterable of Tag

        Returns
        -------
        tuple of Tag
            Sorted.
        """
        return tuple(
            tag for tag in sorted(self.canonical(tags)) if tag.suffix not in self.known.get(tag.prefix, (tag.suffix,))
        )


@cache
def profile_names() -> tuple[str, ...]:
    """Name the profiles that are shipped, sorted.

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

    Examples
    --------
    >>> load_profile("strict").synchronize
    'compatible'
    """
    if name_or_path in profile_names():
        return _shipped(name_or_path)
    if (reason := obstacle(name_or_path)) is not None:
        shipped = ", ".join(profile_names())
        raise InputError(f"no such profile: {name_or_path!r}: {reason}, and it is none of {shipped}")
    return _read_profile(Path(name_or_path), name_or_path)


def profile_of_test(name: str, test: str) -> Profile:
    """Load the profile that a test names, which may come from a stranger: it reaches no file elsewhere.

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
        # whatever it is, nothing of it is told
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
    """Checks the data of a profile file; every message names the key."""

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
        """Give the profile whose keys hold where a file has none: what ``extends`` names, else one without any."""
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
