"""The live board after one judgment, over a made-up campaign: 143 runs, 30 topics, depth 1000, 12 measures.

    .venv/bin/python benchmarks/live.py [--large] [--runs N] [--topics N] [--depth N] [--judgments N] [--at-once N]
                                        [--file FILE] [--answers nuggets|citations]

--large is 1,000 runs over 250 topics, which takes a minute to make and 4 GB of disk; --file keeps the campaign, and
takes it from there the next time. --answers is a board of judged answers instead: 80 runs over 120 topics with 20
nuggets each, or 20 sentences that cite two documents, all of them pooled, by the measures of these. Each judgment
changes the grade of a random pooled pair of a random topic: a person would stay with one topic, which is no slower.
Timed is the whole of `Board.table` after it, or after as many as --at-once says: asking the log, their topics scored
again on all measures, means over topics, rows. Scoring is a process of its own, so that its memory is its own.
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

from workbench.campaign.ingest import RunOptions, add_runs
from workbench.campaign.pools.making import add_pool
from workbench.campaign.questions import USUAL, declare
from workbench.core.about import ABOUT, DOCUMENTS
from workbench.core.records import Judgment, Topic
from workbench.formats.answers.banks import Bank, Nugget
from workbench.scoring.board import Board
from workbench.scoring.board.table import usual_of
from workbench.storage.campaign import create_campaign, open_campaign
from workbench.storage.campaign.collection import nuggets, pools, topics, units
from workbench.storage.campaign.grades.labels import label_of
from workbench.storage.campaign.log import log

MEASURES = "AP nDCG@10 nDCG P@10 R@100 RR Rprec Bpref RBP(p=0.8) ERR@20 infAP Judged@10".split()


def judgment(topic_id: str, document_id: str, grade: int) -> Judgment:
    return Judgment(
        0, str(uuid4()), log.timestamp(), None, "ann", topic_id, document_id, None, None, None, None,
        "grade", grade, None, None, "", "benchmark",
    )  # fmt: skip


UNITS = 20
"""Nuggets of a topic, or sentences of an answer."""


def make_answers(path: Path, n_runs: int, n_topics: int) -> None:
    """A campaign with answers of which nothing is judged: every third sentence is one that several runs say."""
    ids = [f"{301 + number}" for number in range(n_topics)]
    with create_campaign(path) as campaign, tempfile.TemporaryDirectory() as folder:
        by, chance = campaign.by("Anna"), random.Random(SEED)
        with by.write():
            topics.put(by, [Topic(each, f"what is said of {each}") for each in ids], files=[])
            for topic_id in ids:
                facts = (Nugget(f"Fact {n} of topic {topic_id}", importance="vital") for n in range(UNITS))
                nuggets.put(by, Bank(topic_id, tuple(facts), "nuggetizer"))
        files = []
        for run in range(n_runs):
            files.append(str(Path(folder) / f"run{run:03d}.jsonl"))
            Path(files[-1]).write_text("".join(answer(chance, f"run{run:03d}", each) for each in ids))
        add_runs(by, files, options=RunOptions(form=""))
        for question in USUAL.values():
            declare(by, question)
            add_pool(campaign.asking(question.name).by("Anna"), depth=1000, much_larger=True)


def answer(chance: random.Random, run: str, topic_id: str) -> str:
    cited = [f"shard_{number}_{topic_id}" for number in chance.sample(range(100), 20)]
    said = [
        {
            "text": f"What {run if place % 3 else place} says of {topic_id}: {place} is {chance.randint(1, 2)}.",
            "citations": chance.sample(range(len(cited)), 2),
        }
        for place in range(UNITS)
    ]
    named = {"team_id": "uni", "run_id": run, "narrative_id": topic_id, "narrative": "How?", "run_desc": "a"}
    return json.dumps({"metadata": named, "references": cited, "answer": said}) + "\n"


def measure(path: Path, number: int, at_once: int, kind: str) -> None:
    """What a server does: open a board, then follow so many judgments at once; prints a line of JSON."""
    measures = MEASURES if kind == DOCUMENTS else usual_of(kind)
    with open_campaign(path) as opened:
        campaign = opened if kind == DOCUMENTS else opened.asking(USUAL[kind].name)
        every = topics.topic_ids(campaign)
        if kind != DOCUMENTS:
            start = time.perf_counter()
            for topic_id in every:
                units.of_topic(campaign, topic_id)
            print(f"units of {len(every)} topics {time.perf_counter() - start:.2f} s", file=sys.stderr)
        chance = random.Random(SEED)
        pairs = [
            (topic_id, document_id)
            for topic_id in chance.choices(every, k=number * at_once)
            for document_id in chance.sample(pools.pooled_of_topic(campaign, topic_id), 1)
        ]
        board = Board()
        start = time.perf_counter()
        board.table(campaign, measures)
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
            board.table(campaign, measures)
            times.append(1000 * (time.perf_counter() - start))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"opened": opened, "times": times, "peak": peak, "measures": len(measures)}))


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
    parser.add_argument("--answers", choices=ABOUT[1:], default=DOCUMENTS, help="a board of judged answers")
    parser.add_argument("--only", choices=["make", "measure"], help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.only == "measure":
        measure(given.file, given.judgments, given.at_once, given.answers)
        return
    usual = (1000, 250) if given.large else (143, 30) if given.answers == DOCUMENTS else (80, 120)
    maker = Maker(given.runs or usual[0], given.topics or usual[1], given.depth)
    if given.only == "make":
        if given.answers == DOCUMENTS:
            make(given.file, maker)
        else:
            make_answers(given.file, maker.n_runs, maker.n_topics)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = given.file or Path(folder) / "made.db"
        again = [sys.executable, __file__, *sys.argv[1:], "--file", str(path), "--only"]
        if not path.exists():
            # In a process of its own too: a process begins with the peak of the one that started it.
            subprocess.run([*again, "make"], check=True)
        measured = subprocess.run([*again, "measure"], check=True, stdout=subprocess.PIPE, text=True)
        found = json.loads(measured.stdout)
    times, of = found["times"], maker.depth if given.answers == DOCUMENTS else f"{UNITS} ({given.answers})"
    print(f"{maker.n_runs} runs x {maker.n_topics} topics x {of}, {found['measures']} measures; {machine()}")
    print(f"open and score everything{found['opened']:10.2f} s")
    print(
        f"follow {given.at_once:3} at once        {statistics.median(times):10.2f} ms  "
        f"(90 of 100 {statistics.quantiles(times, n=10)[-1]:.2f}, slowest {max(times):.2f}; {len(times)} times)"
    )
    print(f"peak memory              {found['peak']:10.0f} MB")


if __name__ == "__main__":
    main()
