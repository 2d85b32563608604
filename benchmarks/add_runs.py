"""Adding the 17 robust03 runs to a campaign, against a Python loop that reads the same files.

    WORKBENCH_TEST_DATA=FOLDER .venv/bin/python benchmarks/add_runs.py [ROUNDS]

The loop builds {topic: {document: float(score)}} and checks nothing. Both sides read the compressed files, in
turn, in this process. Prints medians, the ratio round by round, lines per second, and the campaign's size.
"""

from __future__ import annotations

import gzip
import statistics
import sys
import tempfile
import time
from pathlib import Path

from data import machine, robust_runs

from workbench.campaign.ingest import add_runs
from workbench.storage.campaign import create_campaign


def read_with_a_loop(files: list[str]) -> int:
    lines = 0
    for file in files:
        run: dict[str, dict[str, float]] = {}
        with gzip.open(file, "rt", encoding="utf-8") as stream:
            for line in stream:
                topic, _, document, _, score, _ = line.split()
                run.setdefault(topic, {})[document] = float(score)
        lines += sum(len(ranking) for ranking in run.values())
    return lines


def add_to_a_campaign(files: list[str], path: Path) -> None:
    with create_campaign(path) as campaign:
        add_runs(campaign.by("benchmark"), files)


def seconds(function, *arguments) -> float:
    start = time.perf_counter()
    function(*arguments)
    return time.perf_counter() - start


def main(rounds: int) -> None:
    files = robust_runs()
    lines = read_with_a_loop(files)
    with tempfile.TemporaryDirectory() as folder:
        add_to_a_campaign(files, Path(folder) / "warm-up.db")
        loop, added = [], []
        for number in range(rounds):
            loop.append(seconds(read_with_a_loop, files))
            added.append(seconds(add_to_a_campaign, files, Path(folder) / f"{number}.db"))
        size = (Path(folder) / "0.db").stat().st_size
    ratios = [ours / theirs for ours, theirs in zip(added, loop, strict=True)]
    print(f"{len(files)} runs, {lines:,} lines; {machine()}; median of {rounds} rounds")
    print(f"Python loop        {statistics.median(loop):6.2f} s")
    print(
        f"add runs           {statistics.median(added):6.2f} s   {lines / statistics.median(added):,.0f} lines/s"
    )
    print(f"ratio              {statistics.median(ratios):6.2f}     ({min(ratios):.2f} to {max(ratios):.2f})")
    print(f"campaign           {size / 1e6:6.1f} MB")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
