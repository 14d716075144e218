"""Target profiles: which tags events have without saying so, and what tags mean for synchronization."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field

from enumerator.frozen import dataclass
from enumerator.program.instructions import Ordering, Tag

__all__ = ["ImpliedTags", "Profile", "at_least"]

_AS_STRONG: Mapping[Ordering, frozenset[Ordering]] = {
    minimum: frozenset(
        ordering
        for ordering in Ordering
        if ordering >= minimum and not (minimum == Ordering.ACQUIRE and ordering == Ordering.RELEASE)
    )
    for minimum in Ordering
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
    """A rule of a profile: tags that some events have without saying so.

    Parameters
    ----------
    tags : frozenset of Tag
        The implied tags. An event does not get one if it has an explicit tag with the same prefix.
    kinds : frozenset of {'R', 'W', 'F', 'B'}
        The kinds of events that the rule applies to.
    minimum : Ordering
        It applies to events whose ordering is at least this strong.
    synchronizing : bool or None
        If not None, it applies to synchronizing operations only (True), or to all other events only (False).
    address_spaces : frozenset of int or None
        If not None, it applies to accesses of these address spaces only.
    absent : frozenset of str
        It does not apply to an event with an explicit tag that has one of these prefixes.
    """

    tags: frozenset[Tag]
    kinds: frozenset[str] = frozenset("RWF")
    minimum: Ordering = Ordering.NA
    synchronizing: bool | None = None
    address_spaces: frozenset[int] | None = None
    absent: frozenset[str] = frozenset()

    def applies(self, kind: str, ordering: Ordering, synchronizing: bool, address_space: int) -> bool:
        """Tell whether the rule applies to an event, apart from its explicit tags."""
        return (
            kind in self.kinds
            and at_least(ordering, self.minimum)
            and self.synchronizing in (None, synchronizing)
            and (self.address_spaces is None or (kind in "RW" and address_space in self.address_spaces))
        )


@dataclass(frozen=True)
class Profile:
    """The rules of a target for tags.

    Parameters
    ----------
    name : str
        The name of a shipped profile, else the path as given.
    description : str
        One line.
    synchronize : {'always', 'compatible'}
        Which operations synchronize: all (tags play no part), or only those with compatible tags.
    aliases : mapping of str to str
        Other spellings of prefixes.
    known : mapping of str to tuple of str
        By prefix, the suffixes that have a meaning for the target. For diagnostics only: other tags have effect, too.
    implied : tuple of ImpliedTags
    alternatives : tuple of str
        Shipped profiles that interpret the documents of the same target differently. Reports say where results differ.
    path : str
        The file.

    See Also
    --------
    enumerator.mmra.load_profile
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
        """Replace aliases of prefixes.

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
        """Give all tags of an event: the explicit ones, and those that the target implies.

        Parameters
        ----------
        tags : iterable of Tag
            The explicit ones.
        kind : {'R', 'W', 'F', 'B', 'IW'}
            An initial write (``'IW'``) has no tags.
        ordering : Ordering
        synchronizing : bool
            Whether the instruction is a synchronizing operation: a fence, or an access with an ordering of at least
            acquire or at least release. This holds for both events of a read-modify-write.
        address_space : int
            Of an access.

        Returns
        -------
        frozenset of Tag

        Examples
        --------
        >>> from enumerator.mmra import format_tags, load_profile, parse_tags
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
        """Give the tags with a known prefix but an unknown suffix: most likely they are misspelt.

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
