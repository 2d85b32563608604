"""The choice of the next documents of a pool that goes by texts (`cal`), in a campaign that is made for it.

    .venv/bin/python benchmarks/live_choice_by_texts.py [--topics 5] [--candidates 1000] [--words 400] [--judged 300]

Texts are words of a Zipf distribution, a fifth of them of 50 words of their own where a document is relevant. One topic
is judged as it is chosen for. Printed is how long it takes to make the pool, with the vectors of all topics, and to
make a choice as the process beside the server does: look at the log, choose, store; and the memory of the process.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import tempfile
import time
from pathlib import Path
from uuid import uuid4

import numpy as np
from data import machine

from workbench.campaign.ingest import add_documents, add_runs, add_topics
from workbench.campaign.new_campaign import new_campaign
from workbench.campaign.pools import choosing
from workbench.campaign.pools.making import add_pool
from workbench.core.records import Grade, Judgment
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.collection import choices
from workbench.storage.campaign.log import log

VOCABULARY = 50_000
GRADES = (Grade(0, "Not relevant"), Grade(1, "Relevant"))


def make(path: Path, topics: int, candidates: int, words: int) -> None:
    """A campaign of one run, each topic with candidates of its own, one in ten relevant."""
    chance = np.random.default_rng(1)
    likely = 1 / np.arange(1, VOCABULARY + 1)
    drawn = chance.choice(VOCABULARY, (topics * candidates, words), p=likely / likely.sum())
    relevant = chance.random(topics * candidates) < 0.1
    drawn[:, : words // 5] = np.where(
        relevant[:, None],
        VOCABULARY + chance.integers(0, 50, (topics * candidates, words // 5)),
        drawn[:, : words // 5],
    )
    documents, topic_file, run = (
        path.with_suffix(".jsonl"),
        path.with_suffix(".tsv"),
        path.with_suffix(".run"),
    )
    with documents.open("w") as file:
        for number, row in enumerate(drawn.tolist()):
            text = " ".join(f"w{word}" for word in row)
            file.write(json.dumps({"id": f"d{number}", "text": text}) + "\n")
    topic_file.write_text("".join(f"{topic}\tw{VOCABULARY} w{VOCABULARY + 1}\n" for topic in range(topics)))
    with run.open("w") as file:
        for topic in range(topics):
            for rank in range(candidates):
                file.write(f"{topic} Q0 d{topic * candidates + rank} {rank + 1} {candidates - rank} run\n")
    with new_campaign(path, title="Texts", grades=GRADES, actor="benchmark") as campaign:
        add_topics(campaign.by("benchmark"), [str(topic_file)])
        add_runs(campaign.by("benchmark"), [str(run)])
        add_documents(campaign.by("benchmark"), [str(documents)], keep_all=True)
    np.save(path.with_suffix(".npy"), relevant)


def judge(campaign: Campaign, topic_id: str, document_id: str, grade: int) -> None:
    row = Judgment(
        0, str(uuid4()), log.timestamp(), None, "ann", topic_id, document_id, None, None, None, None,
        "grade", grade, None, None, "", "benchmark",
    )  # fmt: skip
    with campaign.write():
        log.append_judgments(campaign, [row])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--topics", type=int, default=5)
    parser.add_argument("--candidates", type=int, default=1000)
    parser.add_argument("--words", type=int, default=400)
    parser.add_argument("--judged", type=int, default=300)
    options = parser.parse_args()
    print(machine())
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "texts.db"
        make(path, options.topics, options.candidates, options.words)
        relevant = np.load(path.with_suffix(".npy"))
        with open_campaign(path) as campaign:
            start = time.perf_counter()
            add_pool(campaign.by("benchmark"), strategy="cal", depth=options.candidates)
            print(f"pool: {time.perf_counter() - start:.1f} s for {options.topics} topics")
            done, times, found = 0, list[tuple[int, float]](), 0
            waiting = [
                pair[0] for one in choices.all_choices(campaign) if one.topic_id == "0" for pair in one.pairs
            ]
            while done < options.judged and waiting:
                document_id = waiting.pop(0)
                grade = int(relevant[int(document_id[1:])])
                judge(campaign, "0", document_id, grade)
                done, found = done + 1, found + grade
                start = time.perf_counter()
                chosen = choosing.choose_next(campaign)
                if chosen:
                    times.append((done, 1000 * (time.perf_counter() - start)))
                    waiting += [pair[0] for pair in chosen[0].pairs]
    print(
        f"found {found} of {int(relevant[: options.candidates].sum())} relevant documents with {done} judgments"
    )
    print("judged: ms of the choice  " + "  ".join(f"{number}: {each:.0f}" for number, each in times))
    print(f"median {statistics.median(each for _, each in times):.0f} ms of {len(times)} choices")
    print(f"memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB")


if __name__ == "__main__":
    main()
