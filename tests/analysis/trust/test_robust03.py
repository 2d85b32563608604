"""Decisions along random orders of Robust 2003, against what all of its judgments say."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.conftest import ROOT
from workbench.core.ranking import Names, order_run, pack_rankings
from workbench.formats.qrels import read_qrels
from workbench.formats.runs import read_run
from workbench.methods.pooling.strategies.sequential_pps import draw, weights_of
from workbench.methods.pooling.topic_table import table_of
from workbench.methods.statistics.betting import evidence

pytestmark = [pytest.mark.data, pytest.mark.slow]

DEPTH, SEEDS, ALPHA = 100, 12, 0.05


@pytest.mark.parametrize(
    ("measure", "size", "half", "three_quarters"),
    [("RBP(p=0.8)", 49528, 1350, 3900), ("P@10", 6090, 1625, 4475)],
)
def test_half_of_the_pairs_are_decided_early_and_hardly_any_wrongly(
    data_folder: Path, measure: str, size: int, half: int, three_quarters: int
) -> None:
    files = sorted((data_folder / "robust03" / "runs").iterdir())
    packed = pack_rankings(
        [order_run(read_run(file).frame) for file in files],
        read_qrels(data_folder / "robust03" / "qrels.txt").frame,
    )
    ids = packed.pairs.group_by("topic_id", maintain_order=True).all()
    document_ids = dict(zip(ids["topic_id"].to_list(), ids["document_id"].to_list(), strict=True))
    names = Names(packed.topic_ids, document_ids, [file.name for file in files])
    rankings = replace(packed.rankings, names=names)
    first = draw(rankings, depth=DEPTH, measure=measure, seed=0)
    weight, gain = np.zeros((len(files), len(first.size))), np.zeros(len(first.size))
    of_rank, start = weights_of(measure, DEPTH), 0
    for topic in range(len(packed.topic_ids)):
        table = table_of(rankings.of_topic(topic), depth=DEPTH, runs=range(len(files)))
        end = start + len(table)
        assert (np.diff(table.document.astype(np.int64)) > 0).all()
        weight[:, start:end] = of_rank[np.minimum(table.rank, len(of_rank) - 1)]
        gain[start:end] = packed.labels.of_topic(topic).label[table.document] > 0
        start = end
    truth = (weight @ gain)[:, None] - weight @ gain
    above = np.triu_indices(len(files), 1)
    shares, wrong, wrong_together = [], 0, 0
    for seed in range(SEEDS):
        order = first.with_seed(seed).sequence
        order = order[first.size[order] > 0]
        assert len(order) == size
        left = first.size[order][::-1].cumsum()[::-1]
        worst = float((np.ptp(weight, axis=0)[order] / first.size[order]).max())
        seen = []
        for number in (half, three_quarters):
            at = order[:number]
            found = evidence(
                weight[:, at],
                gain[at],
                first.size[at],
                left[:number],
                known=np.zeros(len(files)),
                worst=worst,
            )
            decided = found.decided(ALPHA)
            seen.append((decided | decided.T)[above].mean())
            together = found.decided_together(ALPHA, len(above[0]))
        shares.append(seen)
        wrong += int((decided & (truth < -1e-9)).sum())
        wrong_together += int((together & (truth < -1e-9)).sum())
    medians = np.median(np.array(shares), axis=0)
    assert abs(medians[0] - 0.5) < 0.05
    assert abs(medians[1] - 0.75) < 0.03
    assert wrong <= ALPHA * SEEDS * len(above[0]) / 10
    assert wrong_together == 0


@pytest.mark.parametrize(
    ("measure", "alone", "helped"), [("RBP(p=0.8)", 3400, 2200), ("P@10", 4250, 1950)], ids=["RBP", "P"]
)
def test_a_good_model_decides_three_quarters_of_the_pairs_much_earlier(
    data_folder: Path, monkeypatch: pytest.MonkeyPatch, measure: str, alone: int, helped: int
) -> None:
    """A judge that finds .9 of the relevant documents, and .03 of the others; four orders."""
    monkeypatch.setattr(sys, "path", [str(ROOT / "benchmarks"), *sys.path])
    monkeypatch.setenv("WORKBENCH_TEST_DATA", str(data_folder))
    import decisions_with_a_model as benchmark  # type: ignore[import-not-found]

    bed = benchmark.robust(measure)
    shares: dict[str, list[float]] = {"alone": [], "helped": []}
    wrong = 0
    for seed in range(4):
        said = benchmark.simulated(bed.gain, 0.9, 0.03, seed)
        for name, order, number in (
            ("alone", benchmark.Decided(bed, seed), alone),
            ("helped", benchmark.Decided(bed, seed, said), helped),
        ):
            share, mistakes = order.after(number)
            shares[name].append(share)
            wrong += mistakes
    assert 0.66 < np.median(shares["alone"]) < 0.80
    assert 0.70 < np.median(shares["helped"]) < 0.80
    assert wrong <= ALPHA * 8 * 136 / 10
