"""The command line with a profile of all its threads: `profiled.py FILE WORDS...`, for load.py --profile.

Each thread has a profile of its own by the standard library's cProfile; at the end they are added up, and the 60
functions that took longest by themselves are written to FILE.
"""

from __future__ import annotations

import cProfile
import pstats
import sys
import threading
from pathlib import Path
from typing import Any

from workbench.cli import main

found: list[cProfile.Profile] = []


def profiled(run: Any) -> Any:
    """A thread's `run` that keeps its profile."""

    def run_profiled(self: threading.Thread) -> None:
        profile = cProfile.Profile()
        found.append(profile)
        profile.runcall(run, self)

    return run_profiled


def write(file: Path) -> None:
    """Add up the profiles and write them as a table."""
    with file.open("w") as stream:
        sums = pstats.Stats(found[0], stream=stream)
        for profile in found[1:]:
            sums.add(profile)
        sums.sort_stats("tottime").print_stats(60)
        sums.sort_stats("cumulative").print_stats(120)


if __name__ == "__main__":
    target = Path(sys.argv.pop(1))
    threading.Thread.run = profiled(threading.Thread.run)  # type: ignore[method-assign]
    try:
        main()
    finally:
        write(target)
