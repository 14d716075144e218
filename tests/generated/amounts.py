"""How many programs tests generate: ENUMERATOR_EXAMPLES asks for more than they usually do."""

from __future__ import annotations

import os

__all__ = ["examples"]


def examples(usual: int) -> int:
    return max(usual, int(os.environ.get("ENUMERATOR_EXAMPLES", "0")))
