"""How often the ranges of `if_stopped` hold what full judging gives, on Robust 2003 with a part of its pool hidden.

    WORKBENCH_TEST_DATA=DATA .venv/bin/python benchmarks/if_stopped.py [SEEDS]

The pool to depth 20 of 17 runs over 100 topics (11,235 pairs; those without a judgment count as not relevant) is the
truth. Hidden are half of the pairs by chance; all but the first three ranks of half of the topics; or what lies below a
depth. For each way and measure: the share of runs whose true score lies in the range of the draws, the share of seeds
in which tau, tau_AP and the number of relevant documents do; and the means of the true and of the drawn ones. Above
them, for the first seed: how many judged pairs of topics left out the priors expect to be relevant, by rank, and how
many pairs wait below nearly all that is judged.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from data import robust_qrels, robust_runs
from numpy.typing import NDArray

from workbench.analysis.reuse.held_out import best_ranks, check
from workbench.analysis.reuse.pair_features import Unjudged, features_of
from workbench.analysis.reuse.ranges import Range
from workbench.analysis.reuse.stopping import Stopped, simulated
from workbench.core.ranking import POOLED, UNJUDGED, IntArray, Labels
from workbench.methods.measures import parse_measure
from workbench.methods.statistics.rank_correlation import tau_ap_a, tau_b
from workbench.scoring.board import Scoring
from workbench.scoring.board.loading import load_scoring
from workbench.storage.campaign import create_campaign

DEPTH, DRAWS = 20, 60
MEASURES = ("AP", "P@10", "nDCG@10", "RBP(p=0.8)")


def main() -> None:
    """Print a line for each way of hiding and each measure."""
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    truth, cell, topic = whole()
    features = features_of(truth, cell)
    rank = np.rint(np.exp(features.own[:, 1])).astype(np.int64)
    print(
        "hidden              measure       runs  tau  tau_AP  relevant   tau true/drawn    relevant true/drawn"
    )
    for name, by_chance, hide in ways(rank, topic):
        waits = hide(np.random.default_rng(1))
        print_check(truth, Unjudged(cell, topic, features, waits))
        for measure in MEASURES:
            lines = []
            for seed in range(1, 1 + (seeds if by_chance else 1)):
                waits = hide(np.random.default_rng(seed))
                pairs = Unjudged(cell, topic, features, waits)
                lines.append(compared(truth, pairs, measure, seed))
            mean = np.array(lines).mean(axis=0)
            print(
                f"{name:<19} {measure:<12} {mean[0]:5.2f} {mean[1]:5.2f} {mean[2]:6.2f} {mean[3]:8.2f}"
                f"   {mean[4]:8.3f} {mean[5]:6.3f} {mean[6]:12.0f} {mean[7]:6.0f}",
                flush=True,
            )


def ways(rank: IntArray, topic: IntArray) -> Iterator[tuple[str, bool, object]]:
    """The name of each way of hiding, whether it goes by chance, and a function from chance to a mask."""
    yield "half, by chance", True, lambda rng: rng.random(len(rank)) < 0.5
    yield (
        "half of the topics",
        True,
        lambda rng: (rank > 3) & np.isin(topic, rng.permutation(topic.max() + 1)[: (topic.max() + 1) // 2]),
    )
    for depth in (10, 5):
        yield f"below depth {depth}", False, lambda rng, depth=depth: rank > depth


def whole() -> tuple[Scoring, IntArray, IntArray]:
    """All runs with the pool judged, the cells of its pairs, and their topics."""
    import tempfile
    from pathlib import Path

    from workbench.core.records import Topic
    from workbench.setup.ingest import add_qrels, add_runs
    from workbench.storage.campaign.collection import topics

    with tempfile.TemporaryDirectory() as folder, create_campaign(Path(folder) / "robust.db") as campaign:
        ids = sorted({line.split()[0] for line in Path(robust_qrels()).read_text().splitlines()})
        with campaign.write():
            topics.put(campaign, [Topic(topic_id, "") for topic_id in ids], files=[], actor="anna")
        add_runs(campaign, robust_runs(), actor="anna")
        add_qrels(campaign, [robust_qrels()], actor="anna")
        scoring = load_scoring(campaign)
    near = scoring.rankings.to_depth(DEPTH)
    pooled = np.zeros(len(scoring.labels.label), np.bool_)
    pooled[np.repeat(scoring.labels.topic_start[near.topic], near.lengths) + near.document] = True
    cell = np.flatnonzero(pooled)
    label = np.where(pooled, np.maximum(scoring.labels.label, 0), UNJUDGED).astype(np.int16)
    topic = np.searchsorted(scoring.labels.topic_start, cell, side="right") - 1
    return labelled(scoring, label), cell, topic


def labelled(scoring: Scoring, label: NDArray[np.int16]) -> Scoring:
    """The same rankings with other labels."""
    labels = Labels(scoring.labels.topic_start, label)
    waiting = labels.count(label == POOLED)
    return replace(scoring, labels=labels, num_judged=labels.num_judged(), num_waiting=waiting)


def compared(truth: Scoring, pairs: Unjudged, measure: str, seed: int) -> list[float]:
    """What is hidden, simulated: what the ranges hold, and means."""
    label = truth.labels.label.copy()
    label[pairs.cell[pairs.waits]] = POOLED
    bound = parse_measure(measure)
    found = simulated(labelled(truth, label), bound, pairs, draws=DRAWS, seed=seed)
    scores = truth.values_of([bound])[bound].mean(axis=0)
    place = {run.run: run for run in found.ranges}
    now = [place[tag].score for tag in truth.tags]
    held = [place[tag].low <= score <= place[tag].high for tag, score in zip(truth.tags, scores, strict=True)]
    relevant = int((truth.labels.label[pairs.cell[pairs.waits]] >= 1).sum())
    tau, tau_ap = tau_b(scores, now), tau_ap_a(scores, now)
    return [
        float(np.mean(held)),
        inside(tau, found.tau),
        inside(tau_ap, found.tau_ap),
        inside(relevant, found.relevant),
        tau or 0.0,
        mean_tau(found),
        relevant,
        found.relevant.mean,
    ]


def print_check(truth: Scoring, pairs: Unjudged) -> None:
    """What priors expect of judged pairs of topics left out."""
    known = ~pairs.waits
    relevant = truth.labels.label[pairs.cell[known]] >= 1
    found = check(
        pairs.features.rows(known),
        pairs.topic[known],
        relevant,
        best_ranks(pairs.features.rows(pairs.waits)),
        len(truth.topic_ids),
        1,
    )
    for band in [*found.bands, found.whole]:
        if band is not None:
            low, mean, high = band.expected
            where = "all" if band is found.whole else band.ranks
            print(
                f"  ranks {where:<9} {band.relevant:5} of {band.pairs:6} relevant, "
                f"expected {mean:5.0f} ({low:.0f} to {high:.0f})"
            )
    print(f"  {found.beyond} pairs wait below nearly all that is judged {found.why_none}", flush=True)


def inside(value: float | None, found: Range | None) -> float:
    """1 where a range holds a value."""
    return float(value is not None and found is not None and found.low - 1e-9 <= value <= found.high + 1e-9)


def mean_tau(found: Stopped) -> float:
    """The mean of tau over the draws."""
    return 0.0 if found.tau is None else found.tau.mean


if __name__ == "__main__":
    main()
