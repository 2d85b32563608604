"""A pool that samples what a judge labelled, in a campaign."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb
from pathlib import Path

import pytest

from tests.conftest import write_run
from tests.labels_of_models import add_labels_of_model
from tests.sentences import refused
from workbench.analysis.models.against_people import QUALITY, JudgeQuality
from workbench.analysis.run_profiles.table import run_table
from workbench.campaign.ingest import add_qrels, add_runs
from workbench.campaign.new_campaign import new_campaign
from workbench.campaign.pools.made_again import frame_of, made_again
from workbench.campaign.pools.making import add_pool
from workbench.campaign.pools.of_files import pool_files
from workbench.campaign.pools.plan import plan_pool
from workbench.core.errors import UnknownName
from workbench.release.audit.checks import audit
from workbench.scoring.board import score_campaign
from workbench.scoring.board.past_boards import scoring_of
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import pools

DOCUMENTS = [f"d{number:02}" for number in range(20)]
TOPICS = ("1", "2")


def against_people(campaign: Campaign, judge: str | None = None) -> JudgeQuality:
    found: JudgeQuality = QUALITY.answer(campaign, {"judge": judge})
    return found


def label(campaign: Campaign, folder: Path, name: str, grades: dict[str, int], source: str = "model") -> None:
    lines = [f"{topic} 0 {document} {grade}" for topic in TOPICS for document, grade in grades.items()]
    path = folder / "labels.qrels"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    if source == "model":
        add_labels_of_model(campaign, path, name)
    else:
        add_qrels(campaign.by("Olga"), [str(path)], assessor=name)


@pytest.fixture
def ranked(tmp_path: Path) -> Iterator[Campaign]:
    with new_campaign(tmp_path / "ranked.db", title="Ranked", actor="Olga") as campaign:
        run = write_run(tmp_path / "run.run", "run", dict.fromkeys(TOPICS, " ".join(DOCUMENTS)))
        add_runs(campaign.by("Olga"), [run])
        yield campaign


ODD = {document: number % 2 for number, document in enumerate(DOCUMENTS[:16])}


def test_the_sample_is_stored_with_strata_and_made_again_from_the_labels_of_then(
    ranked: Campaign, tmp_path: Path
) -> None:
    label(ranked, tmp_path, "gpt", ODD)
    made = add_pool(ranked.by("Olga"), strategy="by-model", judge="gpt", depth=20, budget=20, floor=3)
    assert (made.pairs, made.topics) == (20, 2)
    found = [pair.pooled for pair in pools.pooled_pairs(ranked)]
    of_one = [(pair.stratum, pair.inclusion_probability) for pair in found if pair.topic_id == "1"]
    # Four unlabelled, eight zeros and eight ones, of which as many are drawn.
    assert {
        stratum: [of_one.count(each) for each in set(of_one) if each[0] == stratum] for stratum in (1, 2, 3)
    } == {1: [3], 2: [4], 3: [3]}
    label(ranked, tmp_path, "gpt", dict.fromkeys(DOCUMENTS, 1))
    (pool,) = pools.all_pools(ranked)
    again, *_ = made_again(ranked, pool)
    assert len(again.topic) == 20
    frame, _ = frame_of(ranked, pool)
    assert sorted(set(frame.pairs.stratum.tolist())) == [1, 2, 3]
    assert not [finding for finding in audit(ranked) if finding.wrong]


def test_a_plan_sees_labels_that_came_since(ranked: Campaign, tmp_path: Path) -> None:
    asked = {"strategy": "by-model", "judge": "gpt", "depth": 20, "percent": 10.0, "floor": 2}
    with refused(UnknownName, "gpt"):
        plan_pool(ranked, **asked)  # type: ignore[arg-type]
    label(ranked, tmp_path, "gpt", ODD)
    assert plan_pool(ranked, **asked).at_depth.pairs == 2 * 6  # type: ignore[arg-type]
    label(ranked, tmp_path, "gpt", dict.fromkeys(DOCUMENTS, 0))
    assert plan_pool(ranked, **asked).at_depth.pairs == 2 * 2  # type: ignore[arg-type]


def test_scores_are_estimated_by_the_recorded_probabilities(ranked: Campaign, tmp_path: Path) -> None:
    label(ranked, tmp_path, "gpt", ODD)
    add_pool(ranked.by("Olga"), strategy="by-model", judge="gpt", depth=20, budget=24, floor=3)
    label(ranked, tmp_path, "Ann", dict.fromkeys(DOCUMENTS, 1), "human")
    table = score_campaign(ranked, ["statP@10"])
    top = set(DOCUMENTS[:10])
    pairs = [pair.pooled for pair in pools.pooled_pairs(ranked)]
    expected = (
        sum(1 / pair.inclusion_probability for pair in pairs if pair.document_id in top) / 10 / len(TOPICS)
    )
    assert table.rows[0].values == pytest.approx((expected,))


def test_run_files_have_no_labels_to_go_by(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run.run", "run", {"1": "a b"})
    with refused(UnknownName, "by-model"):
        pool_files([run], strategy="by-model", parameters={"judge": "gpt", "depth": 5})


def test_a_judge_is_measured_for_all_candidates_of_the_sample(ranked: Campaign, tmp_path: Path) -> None:
    label(ranked, tmp_path, "gpt", ODD)
    add_pool(ranked.by("Olga"), strategy="by-model", judge="gpt", depth=20, budget=24, floor=3)
    drawn = {pair.pooled[:2]: pair.pooled.inclusion_probability for pair in pools.pooled_pairs(ranked)}
    path = tmp_path / "ann.qrels"
    path.write_text("".join(f"{topic} 0 {document} 1\n" for topic, document in drawn), encoding="utf-8")
    add_qrels(ranked.by("Olga"), [str(path)], assessor="Ann")
    found = against_people(ranked)
    assert found.weighted
    # Of the sixteen labels of each topic half are 1, as are all of people's: the drawn ones stand for all of them.
    assert found.table.tolist() == [[0, 0], [pytest.approx(16), pytest.approx(16)]]
    assert found.scopes("all pairs")["grading"]["graded below"].value == pytest.approx(0.5)


def test_of_what_an_earlier_pool_left_of_a_stratum_it_is_known_how_likely_some_was_drawn(
    ranked: Campaign, tmp_path: Path
) -> None:
    label(ranked, tmp_path, "gpt", ODD)
    add_pool(ranked.by("Olga"), depth=14)
    add_pool(ranked.by("Olga"), strategy="by-model", judge="gpt", depth=20, budget=20, floor=3)
    sample = scoring_of(ranked).sample
    assert sample is not None
    # Of eight zeros four are drawn and of eight ones three, and one of each is left; unlabelled ones are all new.
    left = sample.met[[14, 15, 16]]  # type: ignore[index]
    assert left == pytest.approx([1 - comb(7, 4) / comb(8, 4), 1 - comb(7, 3) / comb(8, 3), 1.0])
    assert set(sample.met[:14]) == {1.0}  # type: ignore[index]


def test_candidates_that_an_earlier_sample_left_out_do_not_count_twice(
    ranked: Campaign, tmp_path: Path
) -> None:
    label(ranked, tmp_path, "gpt", ODD)
    add_pool(ranked.by("Olga"), strategy="uniform", depth=20, percent=50.0)
    drawn = {pair.pooled[:2] for pair in pools.pooled_pairs(ranked)}
    assert len(drawn) == 20
    add_pool(ranked.by("Olga"), strategy="by-model", judge="gpt", depth=20, budget=24, floor=3)
    assert len(pools.all_pairs(ranked)) > 20
    label(ranked, tmp_path, "Ann", dict.fromkeys(DOCUMENTS, 1), "human")
    assert against_people(ranked).table.sum() == 2 * sum(document in ODD for _, document in drawn)


def test_what_each_run_brought_is_known_of_the_sample_too(ranked: Campaign, tmp_path: Path) -> None:
    label(ranked, tmp_path, "gpt", ODD)
    add_pool(ranked.by("Olga"), strategy="by-model", judge="gpt", depth=20, budget=24, floor=3)
    (row,) = run_table(ranked).runs
    assert (row.contribution.pooled, row.contribution.unique) == (24, 24)
