"""How long it takes to compare a campaign with its hashes, beside what is done with it.

    .venv/bin/python benchmarks/large_campaign.py FILE.db
    .venv/bin/python benchmarks/comparing_hashes.py FILE.db

Seconds of the processor, the best of three, in one process: to open the file, each comparison that is made then, to
load its rankings and labels and score them by the default measures, and to check a copy as automatic backups are
checked. With --opening the first two alone. Where the file is opened, the seconds on the clock too.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from unittest.mock import patch

from workbench.release.backups.checks import check_campaign
from workbench.scoring.board import score_campaign
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.collection import ranking_blobs
from workbench.storage.campaign.opening import damage

TIMES = 3


def seconds(work: Callable[[], object], clock: Callable[[], float] = time.process_time) -> float:
    """Seconds of the processor, or of another clock, that the work takes, the best of three."""
    took = []
    for _ in range(TIMES):
        begun = clock()
        work()
        took.append(clock() - begun)
    return min(took)


def score(path: Path, *, compare: bool) -> None:
    """Open the file and score it; with `compare` everything is compared again, as by a new process."""
    damage.forget(path)
    ranking_blobs._compared.clear()
    with open_campaign(path, compare=compare) as campaign:
        if compare:
            score_campaign(campaign)
        else:
            with patch.object(ranking_blobs, "require"):
                score_campaign(campaign)


def opened(path: Path) -> None:
    """Open the file as a new process does."""
    damage.forget(path)
    open_campaign(path).close()


def made(check: damage.Check, campaign: Campaign) -> None:
    """Make one of the comparisons."""
    assert not list(check(campaign))


def print_opening(path: Path) -> None:
    """What is compared when a file is opened, check by check."""
    on_the_clock = seconds(lambda: opened(path), time.perf_counter)
    print(f"open the file: {seconds(lambda: opened(path)):.2f} s, on the clock {on_the_clock:.2f} s")
    with open_campaign(path, compare=False) as campaign:
        for check in (*damage.NUMBERS.structure, *damage.NUMBERS.following, *damage.LABELS.structure):
            name = f"{check.__module__.rpartition('.')[2]}.{check.__name__}"
            print(f"  {name}: {seconds(partial(made, check, campaign)):.2f} s")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path)
    parser.add_argument("--opening", action="store_true")
    given = parser.parse_args()
    path = given.file
    open_campaign(path, compare=False).close()  # brought up to date
    print_opening(path)
    if given.opening:
        return
    without = seconds(lambda: score(path, compare=False))
    compared = seconds(lambda: score(path, compare=True))
    print(
        f"open and score: {without:.2f} s; compared with its hashes {compared:.2f} s ({compared / without:.2f} times)"
    )
    print(f"check of a copy: {seconds(lambda: check_campaign(path)):.2f} s")


if __name__ == "__main__":
    main()
