"""The live board after one judgment, over a made-up campaign: 143 runs, 30 topics, depth 1000, 12 measures.

    .venv/bin/python benchmarks/live.py [--large] [--runs N] [--topics N] [--depth N] [--judgments N] [--at-once N]
                                        [--file FILE]

--large is 1,000 runs over 250 topics, which takes a minute to make and 4 GB of disk; --file keeps the campaign, and
takes it from there the next time. Each judgment changes the grade of a random pooled pair of a random topic: a
person would stay with one topic, which is no slower. Timed is the whole of `Board.table` after it, or after as many as
--at-once says: asking the log, their topics scored again on all measures, means over topics, rows. Scoring is a process
of its own, so that its memory is its own.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from uuid import uuid4

from data import machine
from large_campaign import SEED, Maker, make

from workbench.core.records import Judgment
from workbench.scoring.board import Board
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.collection import pools, topics
from workbench.storage.campaign.grades.labels import label_of
from workbench.storage.campaign.log import log

MEASURES = "AP nDCG@10 nDCG P@10 R@100 RR Rprec Bpref RBP(p=0.8) ERR@20 infAP Judged@10".split()


def judgment(topic_id: str, document_id: str, grade: int) -> Judgment:
    return Judgment(
        0, str(uuid4()), log.timestamp(), None, "ann", topic_id, document_id, None, None, None, None,
        "grade", grade, None, None, "", "benchmark",
    )  # fmt: skip


def measure(path: Path, number: int, at_once: int) -> None:
    """What a server does: open a board, then follow so many judgments at once; prints a line of JSON."""
    with open_campaign(path) as campaign:
        chance = random.Random(SEED)
        pairs = [
            (topic_id, document_id)
            for topic_id in chance.choices(topics.topic_ids(campaign), k=number * at_once)
            for document_id in chance.sample(pools.pooled_of_topic(campaign, topic_id), 1)
        ]
        board = Board()
        start = time.perf_counter()
        board.table(campaign, MEASURES)
        opened = time.perf_counter() - start
        times = []
        for first in range(0, len(pairs), at_once):
            grades = {pair: label_of(campaign, *pair) or 0 for pair in pairs[first : first + at_once]}
            changed = [
                judgment(*pair, (before + chance.choice((1, 2))) % 3) for pair, before in grades.items()
            ]
            with campaign.write():
                log.append_judgments(campaign, changed)
            start = time.perf_counter()
            board.table(campaign, MEASURES)
            times.append(1000 * (time.perf_counter() - start))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"opened": opened, "times": times, "peak": peak}))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--large", action="store_true", help="1,000 runs over 250 topics")
    parser.add_argument("--runs", type=int)
    parser.add_argument("--topics", type=int)
    parser.add_argument("--depth", type=int, default=1000)
    parser.add_argument("--judgments", type=int, default=200)
    parser.add_argument("--at-once", type=int, default=1)
    parser.add_argument("--file", type=Path)
    parser.add_argument("--only", choices=["make", "measure"], help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.only == "measure":
        measure(given.file, given.judgments, given.at_once)
        return
    usual = (1000, 250) if given.large else (143, 30)
    maker = Maker(given.runs or usual[0], given.topics or usual[1], given.depth)
    if given.only == "make":
        make(given.file, maker)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = given.file or Path(folder) / "made.db"
        again = [sys.executable, __file__, *sys.argv[1:], "--file", str(path), "--only"]
        if not path.exists():
            # In a process of its own too: a process begins with the peak of the one that started it.
            subprocess.run([*again, "make"], check=True)
        measured = subprocess.run([*again, "measure"], check=True, capture_output=True, text=True)
        found = json.loads(measured.stdout)
    times = found["times"]
    print(
        f"{maker.n_runs} runs x {maker.n_topics} topics x {maker.depth}, {len(MEASURES)} measures; {machine()}"
    )
    print(f"open and score everything{found['opened']:10.2f} s")
    print(
        f"follow {given.at_once:3} at once        {statistics.median(times):10.2f} ms  "
        f"(90 of 100 {statistics.quantiles(times, n=10)[-1]:.2f}, slowest {max(times):.2f}; {len(times)} times)"
    )
    print(f"peak memory              {found['peak']:10.0f} MB")


if __name__ == "__main__":
    main()
