"""The command line of a campaign."""

from __future__ import annotations

import argparse
import sys

from tests.fuzz.campaign import Campaign
from tests.fuzz.inputs import KINDS


def main() -> int:
    """Run a campaign; exit with 1 if something was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--count", type=int, help="inputs (default: 1000, if no time is given)")
    parser.add_argument("--seconds", type=float, help="end after so many seconds")
    parser.add_argument("--seed", type=int, default=0, help="determines all inputs")
    parser.add_argument("--first", type=int, default=0, metavar="N", help="begin at this input")
    parser.add_argument("--step", type=int, default=1, metavar="N", help="take every N-th one, to share a campaign")
    parser.add_argument("--kind", action="append", choices=tuple(KINDS), help="mutate only these; repeatable")
    parser.add_argument("--ignore", action="append", default=[], metavar="REGEX", help="findings that are known")
    parser.add_argument("--findings", default="fuzz-findings", metavar="FOLDER", help="where findings are written")
    given = parser.parse_args()
    count = 1000 if given.count is None and given.seconds is None else given.count
    campaign = Campaign(given.seed, given.findings, tuple(given.kind or KINDS), given.ignore)
    try:
        summary = campaign.run(count, given.seconds, given.first, given.step)
    except KeyboardInterrupt:
        print(campaign.summary.text())
        return 130
    print(summary.text())
    return 1 if summary.findings or summary.unconfirmed else 0


if __name__ == "__main__":
    sys.exit(main())
