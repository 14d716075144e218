"""Requests for generated programs, as the tests of the fast engine make them."""

from __future__ import annotations

from collections.abc import Callable, Set

from enumerator.cat.typing import select
from enumerator.frontend import load_text
from enumerator.mmra import load_profile
from enumerator.request import Request
from tests.generated.test_agreement import UNROLL, variant
from tests.literal import all_names

__all__ = ["Tune", "request_for"]

Tune = Callable[..., None]
"""The fixture ``tune``."""


def request_for(text: str, model: str, features: Set[str], seed: int) -> Request:
    """Ask for all that a program may end with, under a variant of `llvm` that the seed chooses, or another model."""
    test = load_text(text, "generated.ll")
    wanted = frozenset(features)
    profile, hb, thin_air = variant(wanted, seed) if model == "llvm" else ("generic", "closure", "dep")
    options = {} if model in ("rc11", "sc", "tso") else {"hb": hb, "thin-air": thin_air}
    names = all_names(test, UNROLL, thin_air)
    return Request(test, select(model, (), options), load_profile(profile), names, unroll=UNROLL)
