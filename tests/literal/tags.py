"""Tags of operations and what the target profiles make of them (semantics, section 2)."""

from __future__ import annotations

from enumerator.program.instructions import Ordering, Tag
from tests.literal.events import Event

__all__ = ["PROFILES", "compatible", "effective_tags"]

PROFILES = ("generic", "strict", "vulkan", "amdgpu")

_AMDGPU = "amdgpu-synchronize-as"
_OLDER_SPELLINGS = ("amdgpu-as", "opencl-fence-mem")


def compatible(left: frozenset[Tag], right: frozenset[Tag]) -> bool:
    """For every prefix that occurs in both, at least one tag with that prefix is in both."""
    prefixes = {tag.prefix for tag in left} & {tag.prefix for tag in right}
    return all(any(tag.prefix == prefix for tag in left & right) for prefix in prefixes)


def effective_tags(event: Event, profile: str) -> frozenset[Tag]:
    """The tags of an event: its own, and those that the profile implies where it has none of that prefix."""
    tags = event.annotation.tags
    if profile == "vulkan":
        strong = event.kind in "RWF" and event.ordering >= Ordering.MONOTONIC
        if strong and not any(tag.prefix == "vulkan" for tag in tags):
            tags |= {Tag("vulkan", "nonprivate")}
    if profile == "amdgpu":
        tags = frozenset(Tag(_AMDGPU, t.suffix) if t.prefix in _OLDER_SPELLINGS else t for t in tags)
        space = {1: "global", 3: "local"}.get(event.annotation.address_space)
        plain = event.kind in "RW" and not event.synchronizing
        if plain and space is not None and not any(tag.prefix == _AMDGPU for tag in tags):
            tags |= {Tag(_AMDGPU, space)}
    return tags
