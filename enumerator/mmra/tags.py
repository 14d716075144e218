"""Tags: parsing, formatting, compatibility, combination."""

from __future__ import annotations

from collections.abc import Iterable

from enumerator.errors import InputError
from enumerator.program.instructions import Tag

__all__ = [
    "TagSet",
    "combine",
    "compatible",
    "conflicting_prefixes",
    "drop",
    "format_tags",
    "parse_tag",
    "parse_tags",
]

TagSet = str | Iterable[Tag]
"""A set of tags as an argument: text such as ``"foo:x,bar:y"``, or :class:`Tag` objects."""


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
    """Give the prefixes that make two sets of tags incompatible: those in both sets for which no tag is in both.

    Parameters
    ----------
    x, y : str or iterable of Tag

    Returns
    -------
    tuple of str
        Sorted; empty iff the sets are compatible.

    See Also
    --------
    compatible

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

    They are compatible iff, for each prefix that occurs in both, at least one tag with that prefix is in both. The
    relation is symmetric but not transitive, and the empty set is compatible with every set.

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

    See Also
    --------
    conflicting_prefixes

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
    """Give the tags of an operation that replaces two operations: the prefix-wise union.

    If a prefix occurs in both sets, all tags with it are kept; the tags with any other prefix are dropped. The result
    is compatible with every set that either argument is compatible with. The first two examples of the document show
    fewer tags (``foo:x`` alone) than its rule gives; this function follows the rule.

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

    Under a profile that implies no tags this adds no outcome to any program (drop-safety). To remove only some of the
    tags with a prefix would not be safe, so this function does not.

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
