"""Bounds of a campaign's mean hold the mean that it ends with, however the rest of its pool is judged.

A small campaign is judged to its end in every way there is, from random states on the way. The final value of a way is
the mean over the topics that have a judgment then, as the board computes it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from tests.fixture_types import AppendJudgment
from workbench.analysis.trust.bounds import score_in_detail
from workbench.campaign.ingest import add_qrels, add_runs
from workbench.campaign.pools.making import add_pool
from workbench.core.ranking import POOLED, Labels
from workbench.core.records import Grade, Topic
from workbench.methods.measures import BoundMeasure, over_topics, parse_measure
from workbench.methods.measures.judged import FloatArray
from workbench.methods.measures.registry import BOUNDS, MEASURES
from workbench.scoring.board import Scoring, load_scoring, score_campaign
from workbench.storage.campaign import Campaign, create_campaign
from workbench.storage.campaign.collection import documents, topics
from workbench.storage.campaign.organising import settings

# Pooled to depth 2 by bm25 and dense: a b d of topic 1, a d of topic 2, c of topic 3, which bm25 lacks. The run late is
# in no pool; topic 4 has no pool and imported judgments, topic 5 is in no run and never judged.
RUNS = {
    "bm25": "1 Q0 a 1 3 bm25\n1 Q0 b 2 2 bm25\n1 Q0 c 3 1 bm25\n2 Q0 a 1 2 bm25\n2 Q0 d 2 1 bm25\n",
    "dense": "1 Q0 d 1 3 dense\n1 Q0 a 2 2 dense\n3 Q0 c 1 1 dense\n",
    "late": "1 Q0 e 1 3 late\n1 Q0 d 2 2 late\n2 Q0 d 1 2 late\n2 Q0 e 2 1 late\n4 Q0 a 1 1 late\n",
}
PAIRS = [("1", "a"), ("1", "b"), ("1", "d"), ("2", "a"), ("2", "d"), ("3", "c")]
GRADES = (-2, 0, 1, 2)

NAMES = [
    "P@1", "P@2", "P(rel=2)@2", "R@1", "R(rel=2)@2", "RR", "RR(mean=harmonic)", "AP", "AP@2", "AP(mean=geometric)",
    "Rprec", "Rprec(rel=2)",
    "AP(rel=2,mean=harmonic,floor=0.01)", "RBP(p=0.8)", "RBP(p=0.5,gains={1:0.25,2:1})", "DCG@2",
    "Success@1", "Success(rel=2)@2", "ERR", "ERR(max_grade=2)@2",
    "DCG(gains={1:3,2:1})", "nDCG", "nDCG@1", "nDCG(gains=exp)@2", "nDCG(gains={1:5,2:2},mean=geometric)",
    "DCG(gains={0:2})@2", "nDCG(gains={0:0.5,1:1,2:4})", "RBP(p=0.5,gains={0:0.6,1:1,2:0.8})",
]  # fmt: skip


@pytest.fixture
def campaign(tmp_path: Path) -> Iterator[Campaign]:
    """Three runs, five topics, six pooled pairs."""
    scale = [Grade(grade, f"grade {grade}") for grade in GRADES]
    with create_campaign(tmp_path / "small.db") as campaign:
        with campaign.write():
            settings.change(campaign.by("org"), {"grades": scale})
            topics.put(campaign.by("org"), [Topic(topic_id, "") for topic_id in "12345"], files=[])
            documents.put_ids(campaign, list("abcde"))
        for tag, text in RUNS.items():
            (tmp_path / f"{tag}.run").write_text(text)
        add_runs(campaign.by("org"), [str(tmp_path / f"{tag}.run") for tag in ("bm25", "dense")])
        add_runs(campaign.by("org"), [str(tmp_path / "late.run")], contributes=False)
        add_pool(campaign.by("org"), depth=2)
        yield campaign


def to_the_end(
    scoring: Scoring, measures: list[BoundMeasure], possible: Sequence[int]
) -> dict[BoundMeasure, FloatArray]:
    """The runs' final values in every way to give each pooled pair without a grade one: float64 (ways, runs)."""
    labels = scoring.labels
    ways = []
    for topic in range(len(labels)):
        open_places = np.flatnonzero(labels.of_topic(topic).label == POOLED)
        ways.append((open_places, list(product(possible, repeat=len(open_places)))))
    by_topic: dict[BoundMeasure, list[FloatArray]] = {measure: [] for measure in measures}
    for nth in range(max(len(grades) for _, grades in ways)):
        values = _completed(scoring, ways, nth).values_of(measures)
        for measure, rows in values.items():
            by_topic[measure].append(rows)
    # Every combination of the topics' ways; a topic without judgments even then is not counted.
    chosen = np.array(list(product(*(range(len(grades)) for _, grades in ways))))
    end = _completed(scoring, ways, 0)
    found = {}
    for measure, several in by_topic.items():
        stacked = np.array(several)
        table = stacked[chosen, np.arange(len(ways))].transpose(1, 0, 2)
        flat = table.reshape(len(ways), -1)
        found[measure] = over_topics(measure, flat, end.labels, end.judged_topics).reshape(len(chosen), -1)
    return found


def _completed(scoring: Scoring, ways: list[tuple[np.ndarray, list[tuple[int, ...]]]], nth: int) -> Scoring:
    labels = Labels(scoring.labels.topic_start, scoring.labels.label.copy())
    for topic, (places, grades) in enumerate(ways):
        labels.of_topic(topic).label[places] = grades[nth % len(grades)]
    return replace(scoring, labels=labels, num_judged=labels.num_judged())


def test_every_measure_that_has_bounds_is_tried() -> None:
    of_documents = {name for name in BOUNDS if not MEASURES[name].of_answers}
    assert {parse_measure(name).name for name in NAMES} == of_documents


@pytest.mark.parametrize("seed", range(16))
def test_whatever_is_judged_the_final_mean_lies_within_the_bounds_which_are_both_reached(
    campaign: Campaign, judge: AppendJudgment, tmp_path: Path, seed: int
) -> None:
    chance = random.Random(seed)
    if seed % 2:
        (tmp_path / "some.qrels").write_text("4 0 a 1\n1 0 e 2\n")
        add_qrels(campaign.by("org"), [str(tmp_path / "some.qrels")])
    for pair in chance.sample(PAIRS, chance.randint(0, len(PAIRS))):
        grade = chance.choice([None, *GRADES])
        judge(campaign, *pair, grade, kind="can't tell" if grade is None else "grade")
    finals = to_the_end(load_scoring(campaign), [parse_measure(name) for name in NAMES], GRADES)
    for detail in score_in_detail(campaign, NAMES).measures:
        final = finals[detail.measure]
        assert detail.bounds is not None
        np.testing.assert_allclose(detail.bounds.lower, final.min(axis=0), atol=1e-12)
        np.testing.assert_allclose(detail.bounds.upper, final.max(axis=0), atol=1e-12)


def test_three_documents_of_an_untouched_topic_do_not_lead_out_of_the_bounds(
    campaign: Campaign, judge: AppendJudgment
) -> None:
    # Once AP was 1 with bounds .8333 to 1, and .5 after three pooled documents of another topic were judged 0.
    judge(campaign, "2", "a", 1)
    (before,) = score_in_detail(campaign, ["AP"]).measures
    for document_id in "abd":
        judge(campaign, "1", document_id, 0)
    after = score_campaign(campaign, ["AP"]).rows[0].values[0]
    assert (before.summary[0], after) == (1.0, 0.5)
    assert before.bounds is not None
    for pair in PAIRS[4:]:
        judge(campaign, *pair, 0)
    (end,) = score_in_detail(campaign, ["AP"]).measures
    assert end.bounds is not None
    assert before.bounds.lower[0] <= end.summary[0] == end.bounds.lower[0] == end.bounds.upper[0]
    assert end.summary[0] <= before.bounds.upper[0]
