"""How often the ranges hold what full judging gives, on Robust 2003; and that nothing is drawn where they do not."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.conftest import ROOT
from tests.document_tables import tables
from workbench.analysis.reuse import held_out
from workbench.analysis.reuse.by_chance import why_not
from workbench.analysis.reuse.pair_features import Unjudged, features_of
from workbench.analysis.reuse.ranges import Range
from workbench.analysis.reuse.stopping import simulated
from workbench.core.ranking import POOLED, UNJUDGED, Labels
from workbench.methods.measures import over_topics, parse_measure
from workbench.methods.pooling import STRATEGIES
from workbench.methods.pooling.topic_table import table_of
from workbench.methods.pooling.walking import adaptive_sequence
from workbench.methods.statistics.rank_correlation import tau_ap_a, tau_b
from workbench.scoring.board import Scoring
from workbench.scoring.board.counted_topics import in_the_end
from workbench.scoring.board.loading import load_scoring
from workbench.storage.campaign import open_campaign

pytestmark = [pytest.mark.data, pytest.mark.slow]

DEPTH, TOPICS, SEEDS = 20, 50, 8


@pytest.fixture(scope="module")
def robust(robust_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Scoring:
    """All runs, with the pool to depth 20 judged: what has no judgment counts as not relevant."""
    path = shutil.copyfile(robust_file, tmp_path_factory.mktemp("robust") / "robust.db")
    with open_campaign(path) as campaign:
        scoring = load_scoring(campaign)
    near = scoring.rankings.to_depth(DEPTH)
    pooled = np.zeros(len(scoring.labels.label), np.bool_)
    pooled[np.repeat(scoring.labels.topic_start[near.topic], near.lengths) + near.document] = True
    label = np.where(pooled, np.maximum(scoring.labels.label, 0), UNJUDGED)
    return labelled(scoring, label)


def labelled(scoring: Scoring, label: NDArray[np.signedinteger]) -> Scoring:
    """The same rankings with other labels."""
    labels = Labels(scoring.labels.topic_start, label.astype(np.int16))
    waiting = labels.count(labels.label == POOLED)
    return replace(scoring, labels=labels, num_judged=labels.num_judged(), num_waiting=waiting)


def pairs_of(robust: Scoring) -> Unjudged:
    """All pooled pairs, judged."""
    cell = np.flatnonzero(robust.labels.label != UNJUDGED)
    topic = np.searchsorted(robust.labels.topic_start, cell, side="right") - 1
    return Unjudged(cell, topic, features_of(robust, cell), np.zeros(len(cell), np.bool_))


Waits = Callable[[Unjudged, np.random.Generator], NDArray[np.bool_]]
"""A function from all pairs, judged, and chance to those that wait."""


def by_chance(pairs: Unjudged, rng: np.random.Generator) -> NDArray[np.bool_]:
    """Seven of ten pairs of each topic."""
    return rng.random(len(pairs.cell)) >= 0.3


def whole_topics(pairs: Unjudged, rng: np.random.Generator) -> NDArray[np.bool_]:
    """All pairs of a quarter of the topics."""
    return rng.random(1 + int(pairs.topic.max()))[pairs.topic] >= 0.75


def trials(
    robust: Scoring, waits: Waits, name: str, early: NDArray[np.bool_] | None = None, seeds: int = SEEDS
) -> Iterator[tuple[list[bool], float]]:
    """Of each seed: which of tau and tau_AP lie in their ranges, and how many relevant are drawn for each there is.

    Pairs that are `early` were judged before chance drew others, which then are a probe.
    """
    measure, whole = parse_measure(name), pairs_of(robust)
    for seed in range(seeds):
        rng = np.random.default_rng(seed)
        there = np.isin(whole.topic, rng.permutation(len(robust.topic_ids))[:TOPICS])
        label = robust.labels.label.copy()
        label[whole.cell[~there]] = UNJUDGED
        truth = labelled(robust, label)
        waiting, probe = waits(whole, rng), None
        if early is not None:
            waiting &= ~early
            probe = (~waiting & ~early)[there]
        features = whole.features.rows(there)
        pairs = Unjudged(whole.cell[there], whole.topic[there], features, waiting[there], None, probe)
        assert why_not(pairs) == ""
        relevant = int((label[pairs.cell[pairs.waits]] >= 1).sum())
        label[pairs.cell[pairs.waits]] = POOLED
        found = simulated(labelled(robust, label), measure, pairs, draws=60, seed=seed)
        scores = over_topics(measure, truth.values_of([measure])[measure], truth.labels, in_the_end(truth))
        score_now = {run.run: run.score for run in found.ranges}
        now = np.array([score_now[tag] for tag in truth.tags])
        assert found.relevant is not None
        yield (
            [holds(found.tau, tau_b(scores, now)), holds(found.tau_ap, tau_ap_a(scores, now))],
            found.relevant.mean / relevant,
        )


def holds(range_: Range | None, value: float | None) -> bool:
    return range_ is not None and value is not None and range_.low - 1e-9 <= value <= range_.high + 1e-9


@pytest.mark.parametrize("waits", [by_chance, whole_topics])
def test_where_chance_decided_the_ranges_hold_the_order_of_the_pool_judged_whole(
    robust: Scoring, monkeypatch: pytest.MonkeyPatch, waits: Waits
) -> None:
    """Nine of ten, of ranges that hold 95 % of the draws: docs/reuse.md has more of them."""
    monkeypatch.setattr(held_out, "MOST_STEPS", 0.0)
    found = [one for name in ("AP", "P@10") for one in trials(robust, waits, name)]
    assert np.mean([held for held, _ in found]) >= 0.9
    assert 1 / 1.2 < np.median([ratio for _, ratio in found]) < 1.2


def but_a_tenth(pairs: Unjudged, rng: np.random.Generator) -> NDArray[np.bool_]:
    """Nine of ten pairs of each topic."""
    return rng.random(len(pairs.cell)) >= 0.1


def test_where_a_strategy_stopped_the_ranges_by_a_probe_hold_the_order_of_the_pool_judged_whole(
    robust: Scoring, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(held_out, "MOST_STEPS", 0.0)
    early = share_before(robust, "hedge") < 0.15
    found = [one for name in ("AP", "P@10") for one in trials(robust, but_a_tenth, name, early, seeds=4)]
    assert np.mean([held for held, _ in found]) >= 0.9
    assert 1 / 1.2 < np.median([ratio for _, ratio in found]) < 1.2


@pytest.mark.parametrize("strategy", ["depth", "hedge", "maxmean", "mtf", "thompson", "mtc", "separate"])
def test_where_a_strategy_took_the_better_ones_first_nothing_is_drawn(robust: Scoring, strategy: str) -> None:
    pairs, before = pairs_of(robust), share_before(robust, strategy)
    for share in (0.12, 0.3, 0.6, 0.9, 0.98):
        assert why_not(pairs._replace(waits=before >= share)).startswith("judged pairs have other ranks")


def share_before(robust: Scoring, strategy: str) -> NDArray[np.float64]:
    """The share of its topic's pool that a strategy has judged before each pair."""
    pairs, order = pairs_of(robust), STRATEGIES.find(strategy).order
    before = np.empty(len(pairs.cell))
    for topic in range(len(robust.topic_ids)):
        table = table_of(robust.rankings.of_topic(topic), depth=DEPTH)
        cells = robust.labels.topic_start[topic] + table.document.astype(np.int64)
        best = np.argsort(table.best_rank, kind="stable")
        places = best if order is None else adaptive_sequence(order, table, robust.labels.label[cells] > 0)
        before[np.searchsorted(pairs.cell, cells[places])] = np.arange(len(places)) / len(places)
    return before


@pytest.mark.parametrize(
    ("kind", "judged", "probe", "seeds"),
    [
        ("ways", "15 % by chance", None, 10),
        ("ways", "10 % by depth", None, 5),
        ("probed", "15 % by hedge", "2.5 %", 4),
    ],
)
def test_lines_of_the_tables_of_ranges_are_those_of_the_command(
    data_folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
    judged: str,
    probe: str | None,
    seeds: int,
) -> None:
    """One way of each table, by both measures; the others are made by the same function."""
    monkeypatch.setattr(sys, "path", [str(ROOT / "benchmarks"), *sys.path])
    monkeypatch.setenv("WORKBENCH_TEST_DATA", str(data_folder))
    monkeypatch.setattr(held_out, "MOST_STEPS", 0.0)
    import if_stopped  # type: ignore[import-not-found]

    pool = if_stopped.whole(*if_stopped.COLLECTIONS["robust"]())
    name = judged.replace(" %", "%") + (f", probe {probe.replace(' %', '%')}" if probe else "")
    hide = next(hide for each, hide in getattr(if_stopped, kind)(*pool) if each == name)
    features, measures = features_of(*pool[:2]), ("AP", "P@10")
    lines = [if_stopped.trial(*pool, features, hide, measures, seed) for seed in range(1, seeds + 1)]
    for measure, mean in zip(measures, np.mean(lines, axis=0), strict=True):
        shares = [f"{share:.2f}" for share in mean[1:5]]
        pairs = [f"{mean[5]:.3f} and {mean[6]:.3f}", f"{mean[7]:,.0f} and {mean[8]:,.0f}"]
        width = [f"{mean[9]:.2f}"] if probe else []
        named = [judged, *([probe] if probe else []), measure]
        documented = [row for table in tables("docs/reuse.md") for row in table if row[: len(named)] == named]
        assert documented == [[*named, *shares, *pairs, *width]]
