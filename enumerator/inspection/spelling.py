"""Remarks on tags: misspellings, older spellings, and annotations that have no effect."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping

from enumerator.inspection.findings import Remark, Severity
from enumerator.inspection.operations import Function, Kind, Operation
from enumerator.mmra import Profile, Tag, load_profile, profile_names

__all__ = ["Vocabulary", "tag_remarks"]

_NEAR = 0.75  # an unknown prefix with at least this similarity (difflib's ratio) to a known one counts as misspelt

# Common names of address spaces, and the suffixes of AMDGPU for them.
_SYNONYMS = {
    "lds": "local",
    "shared": "local",
    "workgroup": "local",
    "group": "local",
    "threadgroup": "local",
    "3": "local",
    "device": "global",
    "vram": "global",
    "buffer": "global",
    "1": "global",
    "non-private": "nonprivate",
    "public": "nonprivate",
}

_RELATED = 8


class Vocabulary:
    """The known tags: those of the profile, or of all shipped profiles if it has none.

    Parameters
    ----------
    profile : Profile
    """

    def __init__(self, profile: Profile) -> None:
        profiles = [profile] if profile.known else [load_profile(name) for name in profile_names()]
        self._homes = {prefix: each.name for each in profiles for prefix in each.known}
        self._known: Mapping[str, tuple[str, ...]] = {
            prefix: suffixes for each in profiles for prefix, suffixes in each.known.items()
        }
        self._aliases = {alias: prefix for each in profiles for alias, prefix in each.aliases.items()}

    def canonical(self, prefix: str) -> str:
        """Give the present spelling of a prefix."""
        return self._aliases.get(prefix, prefix)

    def older(self, tag: Tag) -> str | None:
        """Give a message if the prefix of a tag is an older spelling.

        Examples
        --------
        >>> Vocabulary(load_profile("amdgpu")).older(Tag("amdgpu-as", "local"))
        'amdgpu-as is an older spelling of amdgpu-synchronize-as'
        """
        prefix = self._aliases.get(tag.prefix)
        return f"{tag.prefix} is an older spelling of {prefix}" if prefix is not None else None

    def mistake(self, tag: Tag) -> str | None:
        """Give a message if a tag is likely misspelt; None if it is known, or not similar to a known one.

        Examples
        --------
        >>> amdgpu = Vocabulary(load_profile("amdgpu"))
        >>> amdgpu.mistake(Tag("amdgpu-synchronize-as", "lds"))
        'unknown tag amdgpu-synchronize-as:lds: did you mean amdgpu-synchronize-as:local? (known: global, local)'
        >>> amdgpu.mistake(Tag("foo", "x")) is None
        True
        """
        prefix = self.canonical(tag.prefix)
        if prefix in self._known:
            known = self._known[prefix]
            if tag.suffix in known:
                return None
            near = self._nearest(tag.suffix, known)
            wanted = f": did you mean {prefix}:{near}?" if near is not None else ""
            return f"unknown tag {tag}{wanted} (known: {', '.join(known)})"
        spelt = [*self._known, *self._aliases]
        folded = {each.casefold().replace("_", "-"): each for each in spelt}
        found = difflib.get_close_matches(tag.prefix.casefold().replace("_", "-"), folded, 1, _NEAR)
        if not found:
            return None
        prefix = self.canonical(folded[found[0]])
        return f"unknown tag {tag}: did you mean {prefix}:{tag.suffix}?"

    def _nearest(self, suffix: str, known: tuple[str, ...]) -> str | None:
        folded = suffix.casefold()
        if _SYNONYMS.get(folded) in known:
            return _SYNONYMS[folded]
        found = difflib.get_close_matches(folded, known, 1, 0.5)
        return found[0] if found else None


def tag_remarks(function: Function, vocabulary: Vocabulary) -> Iterator[Remark]:
    """Give the remarks on the annotations of a function, one for all operations with the same mistake.

    Parameters
    ----------
    function : Function
    vocabulary : Vocabulary

    Yields
    ------
    Remark
    """
    found: dict[tuple[str, Severity, str], list[Operation]] = {}
    for operation in function.operations:
        for name, severity, message in _remarks(operation, vocabulary):
            found.setdefault((name, severity, message), []).append(operation)
    for (name, severity, message), operations in found.items():
        places = tuple(dict.fromkeys(operation.place for operation in operations))
        yield Remark(name, message, function.name, places[0], severity, places[1 : _RELATED + 1])


def _remarks(operation: Operation, vocabulary: Vocabulary) -> Iterator[tuple[str, Severity, str]]:
    for tag in sorted(operation.tags):
        older, mistake = vocabulary.older(tag), vocabulary.mistake(tag)
        if mistake is not None:
            yield "unknown-tag", Severity.WARNING, mistake
        if older is not None:
            yield "older-tag", Severity.NOTE, older
    if operation.tags and operation.kind is Kind.BARRIER:
        yield (
            "ignored-tag",
            Severity.WARNING,
            "tags on a barrier mean nothing: fences around it order memory",
        )
    if operation.tags and operation.accesses and not operation.shared:
        space = operation.space.value
        yield "ignored-tag", Severity.NOTE, f"tags on an access of {space} memory mean nothing: it needs no order"
    if operation.thread_private and operation.kind in (Kind.FENCE, Kind.BARRIER):
        yield "ignored-thread-private", Severity.WARNING, f"!thread.private on a {operation.kind.value} means nothing"
    elif operation.thread_private and operation.synchronizing and not operation.scope.single_thread:
        message = "!thread.private on a synchronizing access: no other thread can synchronize through its location"
        yield "thread-private-synchronizes", Severity.WARNING, message
