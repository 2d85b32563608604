"""The choice of the next documents of adaptive pools after one judgment, in a campaign of many runs.

    .venv/bin/python benchmarks/live_choice.py FILE [--depth 1000] [--judgments 40] [--strategy NAME]...

FILE is a campaign with runs, for instance the one of 143 runs, 30 topics and depth 1,000 that `benchmarks/proofs.py
FOLDER` makes; it is copied. Each adaptive strategy makes a pool that chooses one document at a time. In two of its
topics, as two assessors would, what it chose is judged, so that each judgment brings a choice. Printed is how long it
takes to make the pool, and to make a choice as the process beside the server does: look at the log, choose, store, and
look again, since more might be due.
Documents count as having texts, since the file of the benchmark has none; `live_choice_by_texts.py` measures `cal`.
"""

from __future__ import annotations

import argparse
import random
import shutil
import statistics
import tempfile
import time
from pathlib import Path
from uuid import uuid4

from data import machine

from workbench.campaign.pools import choosing
from workbench.campaign.pools.making import add_pool
from workbench.campaign.pools.retiring import retire_pool
from workbench.core.records import Judgment
from workbench.methods.pooling import STRATEGIES
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.collection import choices, pools
from workbench.storage.campaign.log import log

ADAPTIVE = [name for name, one in STRATEGIES.items() if one.kind == "adaptive" and not one.uses_texts]


def judgment(topic_id: str, document_id: str, grade: int) -> Judgment:
    return Judgment(
        0, str(uuid4()), log.timestamp(), None, "ann", topic_id, document_id, None, None, None, None,
        "grade", grade, None, None, "", "benchmark",
    )  # fmt: skip


def measured(
    campaign: Campaign, name: str, depth: int, judgments: int, share: float
) -> tuple[float, list[float]]:
    """Milliseconds in which the pool is made, and of each choice after a judgment."""
    chance = random.Random(1)
    start = time.perf_counter()
    made = add_pool(campaign.by("benchmark"), strategy=name, depth=depth, batch=1).pool
    first = 1000 * (time.perf_counter() - start)
    times = []
    waiting = {
        choice.topic_id: choice.pairs[0][0]
        for choice in choices.all_choices(campaign)
        if choice.pool == made.pool
    }
    topic_ids = list(waiting)[:2]
    for number in range(len(topic_ids) + judgments):
        topic_id = topic_ids[number % len(topic_ids)]
        with campaign.write():
            log.append_judgments(
                campaign, [judgment(topic_id, waiting[topic_id], int(chance.random() < share))]
            )
        start = time.perf_counter()
        (choice,) = choosing.choose_next(campaign)
        chosen_again = choosing.choose_next(campaign)  # as the server does, until nothing is due
        times.append(1000 * (time.perf_counter() - start))
        assert not chosen_again
        waiting[topic_id] = choice.pairs[0][0]
    retire_pool(campaign.by("benchmark"), made.pool, reason="the next strategy")
    return first, times[len(topic_ids) :]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path)
    parser.add_argument("--depth", type=int, default=1000)
    parser.add_argument("--judgments", type=int, default=40)
    parser.add_argument("--relevant", type=float, default=0.3, help="the share of relevant documents")
    parser.add_argument("--strategy", action="append", choices=ADAPTIVE)
    options = parser.parse_args()
    print(machine())
    print(f"{'strategy':<10} {'pool ms':>10} {'median ms':>10} {'95 % ms':>10}")
    for name in options.strategy or ADAPTIVE:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "copy.db"
            shutil.copyfile(options.file, path)
            with open_campaign(path) as campaign:
                for pool in pools.in_force(campaign):
                    retire_pool(campaign.by("benchmark"), pool.pool, reason="begin again")
                with campaign.write():
                    campaign.db.conn.execute(
                        "UPDATE document SET text = '', text_hash = '' WHERE text IS NULL"
                    )
                first, times = measured(campaign, name, options.depth, options.judgments, options.relevant)
        high = statistics.quantiles(times, n=20)[-1]
        print(f"{name:<10} {first:>10,.0f} {statistics.median(times):>10,.1f} {high:>10,.1f}", flush=True)


if __name__ == "__main__":
    main()
