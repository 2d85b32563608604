"""Robust 2003 judged topic by topic: the final mean of every run lies within its bounds from the beginning on.

With the first 10, 20 and 50 of the 100 topics judged to the end, bounds over the topics judged so far had width 0, and
the final AP of some run lay .167, .138 and .114 outside of them (by the official judgments alone, documents beyond this
pool included: .157, .140 and .137).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from workbench.analysis.trust.bounds import score_in_detail
from workbench.campaign.ingest import add_qrels, add_runs
from workbench.campaign.new_campaign import new_campaign
from workbench.campaign.pools.making import add_pool
from workbench.core.records import Qrel
from workbench.scoring.board import score_campaign
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import pools
from workbench.storage.campaign.log import log

pytestmark = [pytest.mark.data, pytest.mark.slow]

FINISHED = (10, 20, 50)
MEASURES = ("AP", "nDCG@10", "P@10", "RR", "RBP(p=0.8)", "AP(mean=geometric)")

Robust = tuple[Campaign, dict[int, int]]


@pytest.fixture(scope="module")
def robust(data_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Robust]:
    """The campaign judged to its end, and the row of the log after each number of topics.

    Judged is the pool to depth 100; what the official judgments lack of it is not relevant.
    """
    folder, place = data_folder / "robust03", tmp_path_factory.mktemp("robust")
    with new_campaign(place / "robust.db", title="Robust 2003", actor="Olga") as campaign:
        add_runs(campaign.by("Olga"), sorted(map(str, (folder / "runs").iterdir())))
        add_pool(campaign.by("Olga"), depth=100)
        by_topic = judgments_by_topic(campaign, folder / "qrels.txt")
        rows, start = {0: log.newest_seq(campaign)}, 0
        for end in (*FINISHED, len(by_topic)):
            file = place / f"{end}.qrels"
            some = [qrel for topic in by_topic[start:end] for qrel in topic]
            file.write_text("".join(f"{topic} 0 {document} {grade}\n" for topic, document, grade in some))
            add_qrels(campaign.by("Olga"), [str(file)])
            rows[end], start = log.newest_seq(campaign), end
        yield campaign, rows


def judgments_by_topic(campaign: Campaign, path: Path) -> list[list[Qrel]]:
    official: dict[tuple[str, str], int] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        topic_id, _, document_id, grade = line.split()
        official[topic_id, document_id] = int(grade)
    found: dict[str, list[Qrel]] = {}
    for pair in pools.pooled_pairs(campaign):
        key = pair.pooled.topic_id, pair.pooled.document_id
        found.setdefault(key[0], []).append(Qrel(*key, official.get(key, 0)))
    return list(found.values())


def final_values(campaign: Campaign, names: Sequence[str] = MEASURES) -> np.ndarray:
    return np.array([row.values for row in score_campaign(campaign, names).rows])


@pytest.mark.parametrize("topics", [0, 10, 50, 100])
def test_the_final_mean_of_all_17_runs_lies_within_the_bounds_however_many_topics_are_judged(
    robust: Robust, topics: int
) -> None:
    campaign, rows = robust
    final = final_values(campaign)
    found = score_in_detail(campaign.at(rows[topics]), MEASURES)
    assert found.topic_counts == (topics, topics, 100)
    assert len(found.tags) == 17
    for detail, values in zip(found.measures, final.T, strict=True):
        assert detail.bounds is not None
        assert (detail.bounds.lower - 1e-12 <= values).all()
        assert (values <= detail.bounds.upper + 1e-12).all()
        if topics == 100:
            assert detail.bounds.lower.tolist() == detail.bounds.upper.tolist() == values.tolist()


def test_the_mean_over_finished_topics_alone_may_be_far_from_the_final_one(robust: Robust) -> None:
    campaign, rows = robust
    final = final_values(campaign, ["AP"])[:, 0]
    beside = []
    for topics in FINISHED:
        so_far = score_campaign(campaign.at(rows[topics]), ["AP"], only_finished=True)
        assert so_far.topics == topics
        beside.append(float(np.abs([row.values[0] for row in so_far.rows] - final).max()))
    assert [round(each, 3) for each in beside] == [0.167, 0.138, 0.114]
