"""What tests of several rooms share."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parent.parent

# Test modules import one another as ``tests.…``, from whatever folder pytest is started.
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))


# Jobs in the background of a shell ignore Ctrl-C, and so would what they start; some tests press it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Tests assert facts, not times: a busy machine must not fail them.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


@pytest.fixture(scope="session")
def corpora() -> Path:
    """The folder of corpora that others wrote; a test that needs it skips where it is missing, or its corpus is."""
    given = os.environ.get("ENUMERATOR_CORPORA")
    folder = Path(given) if given else ROOT.parent / "shared" / "corpora"
    if not folder.is_dir():
        pytest.skip("no corpora: set ENUMERATOR_CORPORA")
    return folder
