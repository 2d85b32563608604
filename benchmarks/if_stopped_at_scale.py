"""Time and memory of what the leaderboard might be if judging stopped now, with many runs and topics.

    OMP_NUM_THREADS=1 .venv/bin/python benchmarks/if_stopped_at_scale.py RUNS TOPICS

Made rankings of 1,000 documents, as in certainty.py: the pool has depth 100, and a tenth of it is judged. They are
written into arrays directly, since adding so many runs one by one takes longer than what is measured.
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable
from typing import TypeVar

import numpy as np
from certainty import made_topic
from data import machine

from workbench.analysis.reuse.pair_features import Unjudged, features_of
from workbench.analysis.reuse.stopping import DRAWS, LEAST_DRAWS, affordable, simulated
from workbench.core.ranking import POOLED, Labels, Rankings, starts_of
from workbench.methods.measures import parse_measure
from workbench.scoring.board.loading import Scoring
from workbench.storage.campaign.collection.runs import RunRecord, StoredRun
from workbench.storage.campaign.log import log

Found = TypeVar("Found")


def main() -> None:
    """Print what each part takes."""
    runs, topics = int(sys.argv[1]), int(sys.argv[2])
    print(machine())
    scoring = timed(f"{runs} runs x {topics} topics made", lambda: made(runs, topics))
    label = scoring.labels.label
    cell = np.flatnonzero(label >= POOLED)
    topic = np.searchsorted(scoring.labels.topic_start, cell, side="right") - 1
    print(f"{len(cell):,} pooled pairs, {int((label[cell] > POOLED).sum()):,} judged")
    measure = parse_measure("P@10")
    kept = timed("runs chosen", lambda: affordable(scoring, measure))
    print(f"{len(kept)} of {runs} runs")
    features = timed("what is known of each pair", lambda: features_of(scoring, cell, columns=kept))
    print(f"{features.of_runs.nnz:,} ranks, in full {8e-9 * len(cell) * len(kept):.1f} GB")
    pairs = Unjudged(cell, topic, features, label[cell] == POOLED)
    compared = scoring.of_runs(kept)
    found = timed("learned and drawn", lambda: simulated(compared, measure, pairs, draws=DRAWS))
    print(f"{found.draws} draws by {measure} (at least {LEAST_DRAWS})")


def timed(what: str, work: Callable[[], Found]) -> Found:
    """What some work gives; its time of one processor is printed, and the most memory that there was so far."""
    started = time.process_time()
    found = work()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(f"{what}: {time.process_time() - started:.1f} s; {memory:.2f} GB", flush=True)
    return found


def made(runs: int, topics: int) -> Scoring:
    """A campaign's rankings and labels."""
    documents, labels, lengths = [], [], []
    for number in range(topics):
        one = made_topic(runs, np.random.default_rng(number))
        documents.append(one.rankings.document)
        lengths.append(one.rankings.lengths)
        labels.append(one.label)
    start = starts_of(np.concatenate(lengths))
    row_run = np.tile(np.arange(runs, dtype=np.int32), topics)
    row_topic = np.repeat(np.arange(topics, dtype=np.int32), runs)
    rankings = Rankings(start, np.concatenate(documents), row_run, row_topic)
    known = Labels(starts_of(np.array([len(each) for each in labels])), np.concatenate(labels))
    ids = tuple(f"{number:04}" for number in range(topics))
    return Scoring(
        head=log.Head(1, b""),
        runs=tuple(StoredRun(run, record(run), 1) for run in range(runs)),
        topic_ids=ids,
        rankings=rankings,
        labels=known,
        num_judged=known.num_judged(),
        num_waiting=known.count(known.label == POOLED),
        without_grade=set(),
        numbers={topic_id: {} for topic_id in ids},
        relevant_from=1,
        top_of_scale=2,
        label_rule="newest",
    )


def record(run: int) -> RunRecord:
    """A run that contributes to the pools."""
    return RunRecord(f"run{run}", "", "", "", 0, 0, True, "", "")


if __name__ == "__main__":
    main()
