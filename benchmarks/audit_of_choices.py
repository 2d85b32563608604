"""How long the audit of a campaign takes whose adaptive pool has made thousands of choices.

    .venv/bin/python benchmarks/audit_of_choices.py [--choices 5000] [--topics 50] [--runs 20] [--depth 200]

Runs of random documents are made, each with low numbers near its top. A pool of `hedge` chooses one document at a time;
all topics are judged in turn. Printed are the choices and the time in which they were made, and the time of the whole
audit, which chooses each again. Texts and judgments are put there past the checks, which the audit finds.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path
from uuid import uuid4

import numpy as np
from data import machine

from workbench.campaign.ingest import add_runs
from workbench.campaign.pools import choosing
from workbench.campaign.pools.making import add_pool
from workbench.core.records import Judgment
from workbench.release.audit.checks import audit
from workbench.storage.campaign import Campaign, create_campaign
from workbench.storage.campaign.collection import choices
from workbench.storage.campaign.log import log


def judgment(topic_id: str, document_id: str) -> Judgment:
    grade = int(int(document_id.removeprefix("d")) % 7 == 0)
    return Judgment(
        0, str(uuid4()), log.timestamp(), None, "ann", topic_id, document_id, None, None, None, None,
        "grade", grade, None, None, "", "benchmark",
    )  # fmt: skip


def with_runs(folder: Path, runs: int, topics: int, depth: int) -> Campaign:
    chance = np.random.default_rng(1)
    files = []
    for run in range(runs):
        lines = []
        for topic in range(1, topics + 1):
            order = np.argsort(np.arange(4 * depth) + chance.normal(scale=depth, size=4 * depth))[:depth]
            lines += [
                f"{topic} Q0 d{number} {rank} {depth - rank} r{run}\n" for rank, number in enumerate(order)
            ]
        files.append(str(folder / f"r{run}.run"))
        Path(files[-1]).write_text("".join(lines))
    campaign = create_campaign(folder / "choices.db")
    add_runs(campaign.by("benchmark"), files)
    return campaign


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--choices", type=int, default=5000)
    parser.add_argument("--topics", type=int, default=50)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--depth", type=int, default=200)
    options = parser.parse_args()
    print(machine())
    with tempfile.TemporaryDirectory() as name:
        campaign = with_runs(Path(name), options.runs, options.topics, options.depth)
        start = time.perf_counter()
        add_pool(campaign.by("benchmark"), strategy="hedge", depth=options.depth, batch=1)
        waiting = list(choices.all_choices(campaign))
        made = len(waiting)
        while made < options.choices and waiting:
            with campaign.write():
                # The benchmark has no texts; documents count as having them, else no more would be chosen.
                campaign.db.conn.execute("UPDATE document SET text = '', text_hash = '' WHERE text IS NULL")
                log.append_judgments(
                    campaign, [judgment(choice.topic_id, choice.pairs[0][0]) for choice in waiting]
                )
            waiting = choosing.choose_next(campaign)
            made += len(waiting)
        print(f"{made:,} choices made in {time.perf_counter() - start:,.1f} s")
        start = time.perf_counter()
        found = list(audit(campaign))
        taken = time.perf_counter() - start
        wrong = [each.question for each in found if each.wrong]
        print(f"audit in {taken:,.1f} s; findings: {', '.join(wrong) or 'none'}")
        campaign.close()


if __name__ == "__main__":
    main()
