"""What is compared: a model with its variants, under a target profile."""

from __future__ import annotations

from enum import Enum

from enumerator.cat.selected import SelectedModel
from enumerator.cat.typing import select
from enumerator.errors import InputError
from enumerator.frozen import dataclass
from enumerator.mmra import Profile, load_profile
from enumerator.options import Options

__all__ = ["Language", "Side", "parse_side"]


class Language(Enum):
    """How a side reads a test."""

    LLVM = "llvm"
    VULKAN = "vulkan"
    TRANSLATED = "translated"  # from Vulkan's language to LLVM IR


@dataclass(frozen=True)
class Side:
    """One of two models that are compared.

    Parameters
    ----------
    text : str
        As the user wrote it.
    model : SelectedModel
    profile : Profile
    language : Language
    """

    text: str
    model: SelectedModel
    profile: Profile
    language: Language = Language.LLVM


def parse_side(text: str, options: Options | None = None, language: Language = Language.LLVM) -> Side:
    """Read what a side is called: ``MODEL[@PROFILE][/VARIANT…]``, as in expectations of tests.

    Parameters
    ----------
    text : str
        A model by name or path, after ``@`` a profile by name or path, after ``/`` variants of the model.
    options : Options, optional
        What holds of both sides: a profile, variants, folders of included files.
    language : Language
        A translation has the profile ``amdgpu`` unless another one is named.

    Returns
    -------
    Side

    Raises
    ------
    InputError
        For a model, profile or variant that does not exist.

    Examples
    --------
    >>> side = parse_side("llvm@vulkan/direct")
    >>> side.model.name, side.profile.name, side.model.options["hb"]
    ('llvm', 'vulkan', 'direct')
    """
    options = options or Options()
    name, at, rest = text.partition("@")
    profile, variants = options.profile, tuple(options.variants)
    if at:
        named, *more = rest.split("/")
        if not named:
            raise InputError(f"a profile is missing behind '@' in '{text}': MODEL[@PROFILE][/VARIANT…] is expected")
        profile, name = named, "/".join((name, *more))
    if not name:
        raise InputError(f"a model is missing in '{text}': MODEL[@PROFILE][/VARIANT…] is expected")
    known = set(select(name, options.include_dirs, includes_anywhere=options.includes_anywhere).options)
    alternatives = {option: value for option, value in options.alternatives.items() if option in known}
    model = select(name, options.include_dirs, alternatives, variants, options.includes_anywhere)
    default = "amdgpu" if language is Language.TRANSLATED else "generic"
    found = profile if isinstance(profile, Profile) else load_profile(profile or default)
    return Side(text, model, found, language)
