"""How long leaving out teams and runs takes: .venv/bin/python benchmarks/reuse.py RUNS TOPICS LENGTH DEPTH.

With --stop N, how long it takes to say what is decided once the first N documents of a random order are judged.

Each team has about three runs that resemble each other. A topic has 100 relevant documents among 20,000, and half of a
run's documents are drawn near the top by how relevant they are.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from workbench.analysis.reuse.report import reuse
from workbench.analysis.trust import sentences
from workbench.analysis.trust.decisions import Decisions, decide
from workbench.campaign.ingest import add_qrels, add_runs
from workbench.campaign.pools.making import add_pool
from workbench.core.records import Topic
from workbench.storage.campaign import Campaign, create_campaign
from workbench.storage.campaign.collection import pools, topics

DOCUMENTS, RELEVANT, OF_A_TEAM = 20_000, 100, 3


def main() -> None:
    """Make the campaign, then leave out teams and runs by AP and P@10."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("runs", "topics", "length", "depth"):
        parser.add_argument(name, type=int)
    parser.add_argument("--stop", type=int, metavar="N", help="draw and judge N documents in a random order")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, create_campaign(Path(folder) / "made.db") as campaign:
        add_all_runs(campaign, Path(folder), asked.runs, asked.topics, asked.length)
        print(f"{asked.runs} runs, {asked.topics} topics, {asked.length} documents", flush=True)
        if asked.stop:
            stopping(campaign, Path(folder), asked.depth, asked.stop)
            return
        add_pool(campaign.by("anna"), depth=asked.depth)
        print(f"{judged(campaign, Path(folder)):,} pairs pooled to {asked.depth}", flush=True)
        for measure in ("AP", "P@10"):
            for by in ("team", "run"):
                started = time.perf_counter()
                found = reuse(campaign, measure, by=by)
                seconds = time.perf_counter() - started
                memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
                unique = f"{found.unique_relevant:,} of {found.relevant:,} relevant unique"
                notes = " ".join(found.notes)
                print(
                    f"{measure} by {by}: {seconds:.1f} s, {len(found.rows)} left out, {unique}, "
                    f"{found.verdict.level}; {memory:.2f} GB; {notes}",
                    flush=True,
                )


def stopping(campaign: Campaign, folder: Path, depth: int, budget: int) -> None:
    """Draw, judge, and say what is decided."""
    for what, work in (
        (
            "drawing",
            lambda: add_pool(campaign.by("anna"), strategy="sequential-pps", depth=depth, budget=budget),
        ),
        ("judging", lambda: judged(campaign, folder)),
        ("deciding", lambda: decide(campaign)),
    ):
        started = time.perf_counter()
        found = work()
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
        print(
            f"{what} {budget:,} to depth {depth}: {time.perf_counter() - started:.1f} s; {memory:.2f} GB",
            flush=True,
        )
        if isinstance(found, Decisions):
            print(
                sentences.decided_sentence(found),
                *sentences.notes_on_decided(found, "made"),
                sep="\n",
                flush=True,
            )


def add_all_runs(campaign: Campaign, folder: Path, n_runs: int, n_topics: int, length: int) -> None:
    """Runs of teams."""
    ids = [str(topic) for topic in range(1, n_topics + 1)]
    with campaign.write():
        topics.put(campaign.by("anna"), [Topic(topic_id, "") for topic_id in ids], files=[])
    rng = np.random.default_rng(1)
    for first in range(0, n_runs, OF_A_TEAM):
        team = rng.random((n_topics, DOCUMENTS))
        for run in range(first, min(first + OF_A_TEAM, n_runs)):
            path = folder / f"r{run}"
            path.write_text("".join(lines(f"r{run}", ids, team + 0.3 * rng.random(team.shape), length)))
            add_runs(campaign.by("anna"), [str(path)], team=f"team{first}")
            path.unlink()


def judged(campaign: Campaign, folder: Path) -> int:
    """A grade for each pooled pair; gives how many these are."""
    pooled = [pair.pooled for pair in pools.pooled_pairs(campaign)]
    grades = (
        f"{one.topic_id} 0 {one.document_id} {int(int(one.document_id[1:]) < RELEVANT)}\n" for one in pooled
    )
    (folder / "qrels").write_text("".join(grades))
    add_qrels(campaign.by("anna"), [str(folder / "qrels")])
    return len(pooled)


def lines(tag: str, ids: list[str], noise: np.ndarray, length: int) -> Iterator[str]:
    """A run whose scores are noise, and something more for documents that are relevant."""
    score = noise + 0.3 * (np.arange(DOCUMENTS) < RELEVANT)
    for topic_id, values in zip(ids, score, strict=True):
        best = np.argpartition(-values, length)[:length]
        best = best[np.argsort(-values[best])]
        for rank, document in enumerate(best.tolist(), start=1):
            yield f"{topic_id} Q0 d{document} {rank} {length - rank} {tag}\n"


if __name__ == "__main__":
    main()
