"""What tests of the search share."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from enumerator.search.session import SESSION
from tests.search.generated import Tune


@pytest.fixture
def tune(monkeypatch: pytest.MonkeyPatch) -> Tune:
    """Set numbers that the search decides by, for the rest of the test; what is said to be long is listed on."""

    def choose(**numbers: Any) -> None:
        numbers = {"grow_asks_early": -1, **numbers} if "long" in numbers else numbers
        monkeypatch.setattr(SESSION, "tuning", replace(SESSION.tuning, **numbers))

    return choose
