"""How often the ranges of `if_stopped` hold what full judging gives, with a part of a pool hidden.

    WORKBENCH_TEST_DATA=DATA .venv/bin/python benchmarks/if_stopped.py [robust|cranfield] [probes] [SEEDS [MEASURE...]]

The pool to depth 20 of Robust 2003 (17 runs over 100 topics, 11,235 pairs), on which the rules were made, or of
Cranfield (22 runs over 225 topics), is the truth; pairs without a judgment count as not relevant. For each seed 50 of
the topics are drawn. A share of each topic's pool is judged, by chance, by document id or in the order of a strategy;
or whole topics are; or a tenth by a strategy, in a pool of its own, and a share of the rest by chance; the others are
hidden. For each way and measure: the share of seeds in which a campaign would draw at all (draws are made here all the
same), the share of runs whose true score lies in the range of the draws, the share of seeds in which tau, tau_AP and
the number of relevant documents do; and the means of the true and of the drawn ones. Last stand the shares over all
ways that are drawn in most seeds and over all others. After them, over all topics: how well priors predict topics left
out, with the losses of priors by rank alone.

With `probes` a strategy takes a part of each topic's pool, and a probe of all of it is drawn by chance after that; all
but both is hidden. The last column is how wide the ranges of the runs' scores are, for 1 of their hard bounds.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from data import cranfield_qrels, cranfield_runs, robust_qrels, robust_runs
from numpy.typing import NDArray

from workbench.analysis.reuse import held_out
from workbench.analysis.reuse.by_chance import why_not
from workbench.analysis.reuse.held_out import best_ranks, check
from workbench.analysis.reuse.pair_features import Unjudged, features_of
from workbench.analysis.reuse.ranges import Range
from workbench.analysis.reuse.stopping import Stopped, simulated
from workbench.core.ranking import POOLED, UNJUDGED, FloatArray, IntArray, Labels
from workbench.methods.measures import over_topics, parse_measure
from workbench.methods.pooling import STRATEGIES
from workbench.methods.pooling.strategies.depth import by_best_rank
from workbench.methods.pooling.topic_table import sequence, table_of
from workbench.methods.pooling.walking import adaptive_sequence
from workbench.methods.statistics.rank_correlation import tau_ap_a, tau_b
from workbench.methods.statistics.relevance_priors import Features
from workbench.scoring.board import Scoring
from workbench.scoring.board.counted_topics import in_the_end
from workbench.scoring.board.loading import load_scoring
from workbench.storage.campaign import create_campaign

DEPTH, DRAWS, TOPICS = 20, 60, 50
SHARES = (0.1, 0.3, 0.6)
PROBED, STOPPED_AT, SIZES = ("hedge", "maxmean", "depth"), (0.15, 0.4), (0.025, 0.05, 0.1)
"""Strategies before a probe, the shares of each pool that they took, and those that the probe draws."""
COLLECTIONS: dict[str, Callable[[], tuple[Sequence[str], str]]] = {
    "robust": lambda: (robust_runs(), robust_qrels()),
    "cranfield": lambda: (cranfield_runs(), cranfield_qrels()),
}
MEASURES = ("AP", "P@10", "nDCG@10", "RBP(p=0.8)")


def main() -> None:
    """Print a line for each way of hiding and each measure."""
    given = sys.argv[1:]
    collection = COLLECTIONS[given.pop(0) if given and given[0] in COLLECTIONS else "robust"]
    probes = bool(given) and given[0] == "probes" and bool(given.pop(0))
    seeds, measures = int(given[0]) if given else 10, given[1:] or MEASURES
    most, held_out.MOST_STEPS = held_out.MOST_STEPS, 0.0  # topics are left out once, at the end
    truth, cell, topic = whole(*collection())
    features, every = features_of(truth, cell), []
    print(
        "judged                       measure     drawn  runs  tau  tau_AP  relevant   tau true/drawn    "
        "relevant true/drawn  width"
    )
    for name, hide in (probed if probes else ways)(truth, cell, topic):
        lines = np.array(
            [trial(truth, cell, topic, features, hide, measures, seed) for seed in range(1, seeds + 1)]
        )
        every.append(lines)
        for measure, mean in zip(measures, lines.mean(axis=0), strict=True):
            print(
                f"{name:<28} {measure:<12} {mean[0]:4.2f} {mean[1]:5.2f} {mean[2]:5.2f} {mean[3]:6.2f} {mean[4]:8.2f}"
                f"   {mean[5]:8.3f} {mean[6]:6.3f} {mean[7]:12.0f} {mean[8]:6.0f} {mean[9]:10.2f}",
                flush=True,
            )
    for words, drawn in (("drawn", True), ("not drawn", False)):
        ofs = [lines[..., :5].reshape(-1, 5) for lines in every if (lines[..., 0].mean() > 0.5) == drawn]
        if not ofs:
            continue
        mean = np.concatenate(ofs).mean(axis=0)
        print(
            f"{sum(map(len, ofs))} cases of ways that are {words}: runs {mean[1]:.3f} tau {mean[2]:.3f} "
            f"tau_AP {mean[3]:.3f} relevant {mean[4]:.3f}",
            flush=True,
        )
    held_out.MOST_STEPS = most
    if probes:
        return
    for name, hide in ways(truth, cell, topic):
        print(f"{name}, topics left out")
        found = hide(np.random.default_rng(1))
        print_check(*hidden(truth, cell, topic, features, found, np.arange(len(truth.topic_ids))))


class Hidden(NamedTuple):
    """Which pairs are hidden, the pool of each, and which are of a probe (None without one); all of shape (n,)."""

    waits: NDArray[np.bool_]
    pool: IntArray
    probe: NDArray[np.bool_] | None = None


Hide = Callable[[np.random.Generator], Hidden]


def probed(truth: Scoring, cell: IntArray, topic: IntArray) -> Iterator[tuple[str, Hide]]:
    """The name of each way in which a strategy stops before a probe is drawn, and a function as in `ways`."""
    for strategy in PROBED:
        turn = turns(truth, cell, strategy)
        for share in STOPPED_AT:
            for size in SIZES:
                yield (
                    f"{share:.0%} by {strategy}, probe {100 * size:g}%",
                    lambda rng, early=turn < share, size=size: with_probe(early, topic, size, rng),  # type: ignore[misc]
                )


def with_probe(early: NDArray[np.bool_], topic: IntArray, size: float, rng: np.random.Generator) -> Hidden:
    """A probe of this share of each topic's pool, judged, after the early ones."""
    drawn = np.zeros(len(topic), np.bool_)
    for number in np.unique(topic):
        at = np.flatnonzero(topic == number)
        drawn[rng.permutation(at)[: max(1, int(size * len(at) + 0.5))]] = True
    return Hidden(~early & ~drawn, np.ones(len(topic), np.int64), drawn & ~early)


def ways(truth: Scoring, cell: IntArray, topic: IntArray) -> Iterator[tuple[str, Hide]]:
    """The name of each way of hiding, and a function from chance to a mask of what is hidden and the pools."""
    one = np.ones(len(cell), np.int64)
    for share in (0.15, 0.3, 0.6):
        yield f"{share:.0%} by chance", lambda rng, share=share: Hidden(rng.random(len(cell)) >= share, one)  # type: ignore[misc]
    for share in (0.65, 0.8):
        yield f"{share:.0%} of topics", lambda rng, share=share: Hidden(others(truth, topic, share, rng), one)  # type: ignore[misc]
    yield (
        "70% of topics, half of each",
        lambda rng: Hidden(others(truth, topic, 0.7, rng) | (rng.random(len(cell)) >= 0.5), one),
    )
    by_id = in_byte_order(truth, cell, topic)
    yield "30% by document id", lambda rng: Hidden(by_id >= 0.3, one)
    for strategy in ("hedge", "depth"):
        early = turns(truth, cell, strategy) < 0.1
        yield (
            f"{strategy}, then 20% by chance",
            lambda rng, early=early: Hidden(~early & (rng.random(len(cell)) >= 0.2), 2 - early),  # type: ignore[misc]
        )
    yield "5% by chance", lambda rng: Hidden(rng.random(len(cell)) >= 0.05, one)
    yield "half of topics, 3 ranks", lambda rng: Hidden(half_of_topics(truth, cell, topic, rng), one)
    for strategy in ("depth", "hedge", "maxmean"):
        turn = turns(truth, cell, strategy)
        for share in SHARES:
            yield f"{share:.0%} by {strategy}", lambda rng, turn=turn, share=share: Hidden(turn >= share, one)  # type: ignore[misc]


def others(truth: Scoring, topic: IntArray, share: float, rng: np.random.Generator) -> NDArray[np.bool_]:
    """The pairs of all topics but a share of them, each topic by chance."""
    return np.asarray(rng.random(len(truth.topic_ids))[topic] >= share)


def in_byte_order(truth: Scoring, cell: IntArray, topic: IntArray) -> FloatArray:
    """The share of its topic's pool whose document ids are before that of each pair."""
    found = np.empty(len(cell))
    for number, topic_id in enumerate(truth.topic_ids):
        at = np.flatnonzero(topic == number)
        ids = {document: name for name, document in truth.numbers[topic_id].items()}
        names = np.array([ids.get(int(each), "~") for each in cell[at] - truth.labels.topic_start[number]])
        found[at[np.argsort(names, kind="stable")]] = np.arange(len(at)) / len(at)
    return found


def half_of_topics(
    truth: Scoring, cell: IntArray, topic: IntArray, rng: np.random.Generator
) -> NDArray[np.bool_]:
    """All but the first three ranks of half of the topics."""
    others = rng.permutation(len(truth.topic_ids))[: len(truth.topic_ids) // 2]
    return (best_ranks(features_of(truth, cell)) > 3) & np.isin(topic, others)


def turns(truth: Scoring, cell: IntArray, strategy: str) -> FloatArray:
    """The share of its topic's pool that a strategy has judged before each pair."""
    function, found = STRATEGIES.find(strategy).order, np.empty(len(cell))
    for number in range(len(truth.topic_ids)):
        table = table_of(truth.rankings.of_topic(number), depth=DEPTH)
        cells = truth.labels.topic_start[number] + table.document.astype(np.int64)
        if function is None:
            order = sequence(table, by_best_rank(table))
        else:
            order = adaptive_sequence(function, table, truth.labels.label[cells] > 0)
        found[np.searchsorted(cell, cells[order])] = np.arange(len(order)) / len(order)
    return found


def trial(
    truth: Scoring,
    cell: IntArray,
    topic: IntArray,
    features: Features,
    hide: Hide,
    measures: Sequence[str],
    seed: int,
) -> list[list[float]]:
    """A line for each measure, of one draw of topics."""
    rng = np.random.default_rng(seed)
    kept = rng.permutation(len(truth.topic_ids))[:TOPICS]
    part, pairs = hidden(truth, cell, topic, features, hide(rng), kept)
    return [compared(part, pairs, measure, seed) for measure in measures]


def hidden(
    truth: Scoring,
    cell: IntArray,
    topic: IntArray,
    features: Features,
    found: Hidden,
    kept: IntArray,
) -> tuple[Scoring, Unjudged]:
    """The truth on some of the topics, and the pairs of these."""
    there = np.isin(topic, kept)
    label = truth.labels.label.copy()
    label[cell[~there]] = UNJUDGED
    rest = (found.waits[there], found.pool[there], None if found.probe is None else found.probe[there])
    pairs = Unjudged(cell[there], topic[there], features.rows(there), *rest)
    return labelled(truth, label), pairs


def whole(run_files: Sequence[str], qrels: str) -> tuple[Scoring, IntArray, IntArray]:
    """All runs with the pool judged, the cells of its pairs, and their topics."""
    import tempfile
    from pathlib import Path

    from workbench.core.records import Topic
    from workbench.setup.ingest import add_qrels, add_runs
    from workbench.storage.campaign.collection import topics

    with tempfile.TemporaryDirectory() as folder, create_campaign(Path(folder) / "whole.db") as campaign:
        ids = sorted({line.split()[0] for line in Path(qrels).read_text().splitlines()})
        with campaign.write():
            topics.put(campaign, [Topic(topic_id, "") for topic_id in ids], files=[], actor="anna")
        add_runs(campaign, run_files, actor="anna")
        add_qrels(campaign, [qrels], actor="anna")
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
    scores = over_topics(bound, truth.values_of([bound])[bound], truth.labels, in_the_end(truth))
    place = {run.run: run for run in found.ranges}
    now = [place[tag].score for tag in truth.tags]
    ranges = [Range(place[tag].low or 0.0, 0.0, place[tag].high or 0.0) for tag in truth.tags]
    held = [inside(score, each) for each, score in zip(ranges, scores, strict=True)]
    relevant = int((truth.labels.label[pairs.cell[pairs.waits]] >= 1).sum())
    tau, tau_ap = tau_b(scores, now), tau_ap_a(scores, now)
    simulated_width = np.mean([each.high - each.low for each in ranges])
    possible = np.mean([(run.upper or 0.0) - (run.lower or 0.0) for run in found.ranges])
    return [
        float(not why_not(pairs)),
        float(np.mean(held)),
        inside(tau, found.tau),
        inside(tau_ap, found.tau_ap),
        inside(relevant, found.relevant),
        tau or 0.0,
        mean_tau(found),
        relevant,
        0.0 if found.relevant is None else found.relevant.mean,
        float(simulated_width / possible),
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
    named = [(f"ranks {band.ranks}", band) for band in found.bands]
    named += [(f"runs {band.runs}", band) for band in found.agreement]
    for where, band in [*named, *([] if found.whole is None else [("all", found.whole)])]:
        low, mean, high = band.expected
        print(
            f"  {where:<17} {band.relevant:5} of {band.pairs:6} relevant, "
            f"expected {mean:5.0f} ({low:.0f} to {high:.0f})"
        )
    if found.losses is not None:
        print("  log loss {:.4f}, Brier {:.4f}; by best rank alone {:.4f}, {:.4f}".format(*found.losses))
    print(f"  {found.beyond} pairs wait below nearly all that is judged {found.why_none}", flush=True)


def inside(value: float | None, found: Range | None) -> float:
    """1 where a range holds a value."""
    return float(value is not None and found is not None and found.low - 1e-9 <= value <= found.high + 1e-9)


def mean_tau(found: Stopped) -> float:
    """The mean of tau over the draws."""
    return 0.0 if found.tau is None else found.tau.mean


if __name__ == "__main__":
    main()
