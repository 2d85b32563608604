"""Scores from a judge's labels, corrected by people's labels of what was drawn, in a campaign."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.fixture_types import WriteRun
from tests.sentences import refused, says
from workbench.analysis.models.estimates import CORRECTED, NOT_CHECKED, CorrectedScores, sentences
from workbench.campaign.ingest import add_qrels, add_runs, add_topics
from workbench.campaign.label_rules import choose_sources
from workbench.campaign.model_labels import LabelFiles, add_model_labels, judge_with
from workbench.campaign.new_campaign import new_campaign
from workbench.campaign.pools.making import add_pool
from workbench.campaign.pools.pool_job import retire_pool
from workbench.core.errors import UnknownName
from workbench.core.results import content
from workbench.scoring.board import score_campaign
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import pools
from workbench.storage.campaign.log.log import newest_seq

Pair = tuple[str, str]
TOPICS = [f"t{number:02d}" for number in range(12)]
DOCUMENTS = [f"d{number:02d}" for number in range(20)]
EVERY = [(topic, document) for topic in TOPICS for document in DOCUMENTS]
RUNS = ("alpha", "beta")


def relevant(pair: Pair) -> int:
    """What people say: every third document, another third in each topic."""
    return int((int(pair[0][1:]) + int(pair[1][1:])) % 3 == 0)


def ranking(run: str, topic: str) -> list[str]:
    """An order of the documents: by alpha with the relevant ones first."""
    rng = np.random.default_rng([RUNS.index(run), int(topic[1:])])
    order = [DOCUMENTS[place] for place in rng.permutation(20)]
    return sorted(order, key=lambda each: -relevant((topic, each))) if run == "alpha" else order


def truth(run: str, depth: int = 5) -> float:
    """P at a depth with everything judged."""
    return float(
        np.mean([relevant((topic, each)) for topic in TOPICS for each in ranking(run, topic)[:depth]])
    )


@pytest.fixture
def campaign(tmp_path: Path, written_run: WriteRun) -> Iterator[Campaign]:
    """Twelve topics of twenty documents and two runs; eight documents of each topic are drawn evenly."""
    (tmp_path / "topics.tsv").write_text("".join(f"{topic}\tabout {topic}\n" for topic in TOPICS))
    files = [
        written_run(tmp_path / f"{run}.run", run, {topic: " ".join(ranking(run, topic)) for topic in TOPICS})
        for run in RUNS
    ]
    with new_campaign(tmp_path / "drawn.db", title="Drawn", actor="Olga") as campaign:
        add_topics(campaign.by("Olga"), [str(tmp_path / "topics.tsv")])
        add_runs(campaign.by("Olga"), files)
        add_pool(campaign.by("Olga"), strategy="uniform", depth=20, percent=40.0, seed=3)
        yield campaign


@pytest.fixture
def give(tmp_path: Path) -> Callable[..., None]:
    """A function that gives grades to pairs, as a person or as a model."""

    def give_grades(campaign: Campaign, grades: dict[Pair, int], judge: str = "") -> None:
        path = tmp_path / "grades.txt"
        path.write_text("".join(f"{one} 0 {other} {grade}\n" for (one, other), grade in grades.items()))
        if judge:
            files = LabelFiles([str(path)], "qrels")
            add_model_labels(campaign.by("Olga"), files, judge_with(campaign, judge))
        else:
            add_qrels(campaign.by("Olga"), [str(path)])

    return give_grades


Give = Callable[..., None]


def pooled(campaign: Campaign, *topics: str) -> dict[Pair, int]:
    """People's grades of what was drawn, of these topics or all."""
    return {pair: relevant(pair) for pair in pools.all_pairs(campaign) if not topics or pair[0] in topics}


def corrected_scores(campaign: Campaign, judge: str | None, measure: str) -> CorrectedScores:
    found: CorrectedScores = CORRECTED.function(campaign, lambda *_: None, judge=judge, measure=measure)
    return found


def by_run(found: CorrectedScores) -> dict[str, float | None]:
    return {row.run: row.estimate for row in found.runs}


def test_a_right_judge_is_trusted_and_gives_the_scores_of_the_whole_pool(
    campaign: Campaign, give: Give
) -> None:
    give(campaign, {pair: relevant(pair) for pair in EVERY}, "robot")
    give(campaign, pooled(campaign))
    found = corrected_scores(campaign, "robot", "P@5")
    assert found.trust == pytest.approx(1)
    assert by_run(found) == pytest.approx({run: truth(run) for run in RUNS})
    assert (found.topics, found.waiting, found.candidates, found.unlabelled) == (12, 0, 240, 0)
    assert found.judged == len(pools.all_pairs(campaign)) == 96
    assert [row.run for row in found.runs] == ["alpha", "beta"]
    assert found.runs[1].behind == pytest.approx(truth("alpha") - truth("beta"))
    assert found.runs[0].behind == 0


def test_a_judge_the_wrong_way_round_counts_for_nothing_and_does_not_pay(
    campaign: Campaign, give: Give
) -> None:
    give(campaign, {pair: 1 - relevant(pair) for pair in EVERY}, "robot")
    give(campaign, pooled(campaign))
    found = corrected_scores(campaign, None, "P@5")
    assert (found.judge, found.trust, found.pays) == ("robot", 0, False)
    (rows,) = [score_campaign(campaign, ["statP@5"]).rows]
    assert by_run(found) == pytest.approx({row.tag: row.values[0] for row in rows})
    assert [row.people for row in found.runs] == [row.estimate for row in found.runs]
    assert says("\n".join(sentences(found)), "12 topics")


def test_a_judge_that_is_mostly_right_saves_judgments_and_has_intervals_that_say_what_holds(
    campaign: Campaign, give: Give
) -> None:
    wrong = {pair for number, pair in enumerate(EVERY) if number % 7 == 0}
    give(campaign, {pair: relevant(pair) ^ (pair in wrong) for pair in EVERY}, "robot")
    give(campaign, pooled(campaign))
    found = corrected_scores(campaign, "robot", "DCG@20")
    assert found.pays
    assert found.effective is not None
    assert found.effective > 1.3 * found.judged
    assert says(found.verdict)
    # Eight of twenty documents are drawn: most of what differs between topics is chance, so nothing is claimed.
    assert [(row.low, row.holds, row.behind_holds) for row in found.runs] == [(None, "", ""), (None, "", "")]
    assert all(row.why for row in found.runs)


def test_before_anything_is_judged_scores_are_called_not_checked_by_people(
    campaign: Campaign, give: Give
) -> None:
    give(campaign, {pair: relevant(pair) for pair in EVERY}, "robot")
    found = corrected_scores(campaign, "robot", "P@5")
    assert (found.topics, found.waiting, found.pays, found.effective) == (0, 12, None, None)
    assert NOT_CHECKED in found.verdict
    for row in found.runs:
        assert (row.estimate, row.low, row.holds, row.why) == (None, None, "", NOT_CHECKED)
        assert row.not_checked_by_people == pytest.approx(truth(row.run))
    heads = [column.head for column in CORRECTED.sheet(found).columns]
    assert any(NOT_CHECKED in head for head in heads)
    assert NOT_CHECKED.replace(" ", "_") in content(found)["runs"][0]


def test_topics_count_once_all_that_was_drawn_of_them_is_judged(campaign: Campaign, give: Give) -> None:
    give(campaign, {pair: relevant(pair) for pair in EVERY}, "robot")
    some = pooled(campaign, *TOPICS[:6])
    give(campaign, some)
    give(campaign, dict(list(pooled(campaign, TOPICS[6]).items())[:-1]))
    found = corrected_scores(campaign, "robot", "P@5")
    assert (found.topics, found.waiting, found.judged) == (6, 6, 48)


def test_labels_that_came_after_people_began_with_a_topic_are_left_out(
    campaign: Campaign, give: Give
) -> None:
    early = {pair: relevant(pair) for pair in EVERY if pair[0] != "t00"}
    give(campaign, early, "robot")
    give(campaign, pooled(campaign))
    before = campaign.at(newest_seq(campaign))
    give(
        campaign,
        {pair: relevant(pair) for pair in EVERY} | {("t01", "d00"): 1 - relevant(("t01", "d00"))},
        "robot",
    )
    found = corrected_scores(campaign, "robot", "P@5")
    assert (found.left_out, found.unlabelled) == (20, 20)
    assert says("\n".join(sentences(found)), "20 of 240")
    # As of the row before, the late labels are not there, and nothing else differs.
    assert by_run(corrected_scores(before, "robot", "P@5")) == by_run(found)


def test_labels_of_the_judge_that_count_on_the_board_are_not_people_s_here(
    campaign: Campaign, give: Give
) -> None:
    give(campaign, {pair: relevant(pair) for pair in EVERY}, "robot")
    before = corrected_scores(campaign, "robot", "P@5")
    choose_sources(campaign.by("Olga"), model_labels="gaps")
    assert corrected_scores(campaign, "robot", "P@5").topics == before.topics == 0


def test_without_a_sample_or_a_judge_nothing_is_corrected(
    tmp_path: Path, written_run: WriteRun, give: Give, campaign: Campaign
) -> None:
    assert corrected_scores(campaign, None, "P@5").judge == ""
    with refused(UnknownName, "robot"):
        corrected_scores(campaign, "robot", "P@5")
    give(campaign, {("t00", "d00"): 1}, "robot")
    with refused(UnknownName, "RR"):
        corrected_scores(campaign, None, "RR")
    with new_campaign(tmp_path / "whole.db", title="Whole", actor="Olga") as whole:
        add_topics(whole.by("Olga"), [str(tmp_path / "topics.tsv")])
        add_runs(whole.by("Olga"), [str(tmp_path / "alpha.run")])
        add_pool(whole.by("Olga"), depth=3)
        give(whole, {("t00", "d00"): 1}, "robot")
        found = corrected_scores(whole, None, "P@5")
        assert (found.judge, found.runs) == ("robot", ())
        assert says("\n".join(sentences(found)), "--strategy pps")


@pytest.mark.parametrize("measure", ["RBP(p=0.8)", "DCG@10", "nDCG@10", "AP"])
def test_other_measures_are_near_what_the_whole_pool_gives(
    campaign: Campaign, give: Give, measure: str
) -> None:
    wrong = {pair for number, pair in enumerate(EVERY) if number % 7 == 0}
    give(campaign, {pair: relevant(pair) ^ (pair in wrong) for pair in EVERY}, "robot")
    give(campaign, pooled(campaign))
    found = corrected_scores(campaign, "robot", measure)
    assert found.unbiased == (measure in ("RBP(p=0.8)", "DCG@10"))
    give(campaign, {pair: relevant(pair) for pair in EVERY})
    whole = {row.tag: row.values[0] for row in score_campaign(campaign, [measure]).rows}
    assert by_run(found) == pytest.approx(whole, abs=0.15 * max(1, whole["alpha"]))


def test_where_most_of_the_pool_is_drawn_intervals_are_called_95_percent(
    campaign: Campaign, give: Give
) -> None:
    retire_pool(campaign.by("Olga"), 1, reason="")
    add_pool(campaign.by("Olga"), strategy="uniform", depth=20, percent=90.0, seed=3)
    give(campaign, {pair: relevant(pair) for pair in EVERY if int(pair[1][1:]) % 5}, "robot")
    give(campaign, pooled(campaign))
    (beta,) = [row for row in corrected_scores(campaign, "robot", "DCG@20").runs if row.run == "beta"]
    assert (beta.holds, beta.why) == ("95 %", "")
    assert beta.low is not None
    assert beta.high is not None
    assert beta.low < beta.estimate < beta.high  # type: ignore[operator]
