"""The live board after one judgment, over a made-up campaign: 143 runs, 30 topics, depth 1000, 12 measures.

    .venv/bin/python benchmarks/live.py [--large] [--runs N] [--topics N] [--depth N] [--judgments N] [--file FILE]

--large is 1,000 runs over 250 topics, which takes a minute to make and 4 GB of disk; --file keeps the campaign, and
takes it from there the next time. Each judgment changes the grade of a random pooled pair of a random topic: a
person would stay with one topic, which is no slower. Timed is the whole of `Board.table` after it: asking the log,
one topic scored again on all measures, means over topics, rows. Scoring is a process of its own, so that its
memory is its own.
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
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import numpy as np
from data import machine

from workbench.campaign import (
    Campaign,
    create_campaign,
    documents,
    judgments,
    log,
    open_campaign,
    pools,
    runs,
    topics,
)
from workbench.campaign.packed import pack_documents, pack_scores
from workbench.records import Judgment, Pooled, Topic
from workbench.scoring import Board

MEASURES = "AP nDCG@10 nDCG P@10 R@100 RR Rprec Bpref RBP(p=0.8) ERR@20 infAP Judged@10".split()
SEED = 3
POOL_DEPTH = 100
JUDGED, RELEVANT = 0.9, 0.4
"""The shares of the pool that are judged, and of these that are relevant where runs agree most."""


class Maker:
    """Runs that agree at the top and less and less further down, as real ones do.

    The documents of a topic stand in stretches, one for each rank, that grow with the rank; a ranking has one of
    each, and then neighbours change places.
    """

    def __init__(self, n_runs: int, n_topics: int, depth: int) -> None:
        self.rng = np.random.default_rng(SEED)
        self.n_runs, self.n_topics, self.depth = n_runs, n_topics, depth
        self.width = 1 + np.arange(depth) // 8
        self.first = np.cumsum(self.width) - self.width
        self.n_documents = int(self.width.sum())
        self.pooled = np.zeros((n_topics, self.n_documents), np.bool_)

    def topic_ids(self) -> list[str]:
        return [f"{301 + number}" for number in range(self.n_topics)]

    def document_id(self, topic_id: str, number: int) -> str:
        return f"made{topic_id}-en00-{number:06d}"

    def rankings(self) -> np.ndarray:
        """One run's documents, uint32 (topics, depth)."""
        shape = (self.n_topics, self.depth)
        documents = self.first + (self.rng.random(shape) * self.width).astype(np.int64)
        order = np.argsort(np.arange(self.depth) * self.rng.uniform(0.7, 1.4, shape), axis=1)
        documents = np.take_along_axis(documents, order, axis=1)
        self.pooled[np.arange(self.n_topics)[:, np.newaxis], documents[:, :POOL_DEPTH]] = True
        return documents.astype(np.uint32)

    def grades(self, topic: int) -> Iterator[tuple[int, int]]:
        """Numbers and grades of a topic's judged documents."""
        chosen = np.flatnonzero(self.pooled[topic] & (self.rng.random(self.n_documents) < JUDGED))
        chance = RELEVANT / self.width[np.searchsorted(self.first, chosen, side="right") - 1]
        grades = np.where(self.rng.random(len(chosen)) < chance, self.rng.integers(1, 3, len(chosen)), 0)
        return zip(chosen.tolist(), grades.tolist(), strict=True)


def make(path: Path, maker: Maker) -> None:
    """The campaign, by the functions that store what `workbench add` and `workbench pool` have read and computed."""
    scores = pack_scores(np.arange(maker.depth, 0, -1, dtype=np.float64))
    ids = maker.topic_ids()
    with create_campaign(path) as campaign:
        with campaign.write():
            topics.put(campaign, [Topic(topic_id, "") for topic_id in ids], files=[], actor="maker")
            vocabulary = {
                topic_id: (0, [maker.document_id(topic_id, number) for number in range(maker.n_documents)])
                for topic_id in ids
            }
            runs.extend_vocabularies(campaign, vocabulary)
        for number in range(maker.n_runs):
            record = runs.RunRecord(
                f"run{number}", "team", "", "", maker.n_topics * maker.depth, maker.n_topics, True, "", ""
            )
            packed = [
                (topic_id, pack_documents(row), scores)
                for topic_id, row in zip(ids, maker.rankings(), strict=True)
            ]
            with campaign.write():
                runs.put_run(campaign, record, packed, actor="maker")
        pool_and_judge(campaign, maker)


def pool_and_judge(campaign: Campaign, maker: Maker) -> None:
    record = pools.PoolRecord("depth", {"depth": POOL_DEPTH}, "descending", (), "shuffle", 0)
    named = [
        (topic_id, [maker.document_id(topic_id, number) for number in np.flatnonzero(maker.pooled[topic])])
        for topic, topic_id in enumerate(maker.topic_ids())
    ]
    with campaign.write():
        for _, pooled in named:
            documents.put_ids(campaign, pooled)
        pairs = [Pooled(topic_id, each, 1, 1, 0, 1.0) for topic_id, pooled in named for each in pooled]
        pools.put_pool(campaign, record, pairs, actor="maker")
        judged = (
            judgment(topic_id, maker.document_id(topic_id, number), grade)
            for topic, topic_id in enumerate(maker.topic_ids())
            for number, grade in maker.grades(topic)
        )
        log.append_judgments(campaign, judged)


def judgment(topic_id: str, document_id: str, grade: int) -> Judgment:
    return Judgment(
        0, str(uuid4()), log.timestamp(), None, "ann", topic_id, document_id, None, None, None, None,
        "grade", grade, None, None, "", "benchmark",
    )  # fmt: skip


def measure(path: Path, number: int) -> None:
    """What a server does: open a board, then follow one judgment after another; prints a line of JSON."""
    with open_campaign(path) as campaign:
        chance = random.Random(SEED)
        pairs = [
            (topic_id, document_id)
            for topic_id in chance.choices(topics.topic_ids(campaign), k=number)
            for document_id in chance.sample(pools.pooled_of_topic(campaign, topic_id), 1)
        ]
        board = Board()
        start = time.perf_counter()
        board.table(campaign, MEASURES)
        opened = time.perf_counter() - start
        times = []
        for pair in pairs:
            before = judgments.label_of(campaign, *pair) or 0
            with campaign.write():
                log.append_judgments(campaign, [judgment(*pair, (before + chance.choice((1, 2))) % 3)])
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
    parser.add_argument("--file", type=Path)
    parser.add_argument("--only", choices=["make", "measure"], help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.only == "measure":
        measure(given.file, given.judgments)
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
        f"follow one judgment      {statistics.median(times):10.2f} ms  "
        f"(90 of 100 {statistics.quantiles(times, n=10)[-1]:.2f}, slowest {max(times):.2f}; {len(times)} judgments)"
    )
    print(f"peak memory              {found['peak']:10.0f} MB")


if __name__ == "__main__":
    main()
