"""Memory model relaxation annotations: tags, compatibility, combination, and target profiles.

The rules are those of the LLVM document *Memory Model Relaxation Annotations* (MMRA). A :class:`Profile` says what the
document leaves to the target; it is a small TOML file (``enumerator/profiles/README.md`` describes the format).

References
----------
https://llvm.org/docs/MemoryModelRelaxationAnnotations.html
"""

from enumerator.mmra.files import load_profile, profile_names, profile_of_test
from enumerator.mmra.profile import ImpliedTags, Profile, at_least
from enumerator.mmra.tags import (
    TagSet,
    combine,
    compatible,
    conflicting_prefixes,
    drop,
    format_tags,
    parse_tag,
    parse_tags,
)
from enumerator.program.instructions import Tag

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
