"""The leaderboard by battles beside that of a measure: the analysis, its page, its figure and its command."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from flask.testing import FlaskClient

from tests.asked_answers import add_answers, add_texts
from tests.fixture_types import JudgeAs, MakeCampaign
from tests.judged_pairs import judge_as
from tests.made_answers import REEFS, answer
from tests.sentences import refused, says
from workbench.analysis.battles.board import BATTLES, NO_QUESTION, measures_of
from workbench.analysis.battles.coded import coded
from workbench.analysis.battles.strengths import strengths
from workbench.analysis.costs.declared import COSTS
from workbench.analysis.figures import draw
from workbench.analysis.online.agreement import ONLINE
from workbench.campaign.assessing import show
from workbench.campaign.battles import battles
from workbench.campaign.pools.making import add_pool
from workbench.campaign.questions import USUAL, declare
from workbench.cli import main
from workbench.core.about import CITATIONS, LIST_PAIRS
from workbench.core.battles import FIRST
from workbench.core.errors import UnknownName
from workbench.core.records import Document, Topic
from workbench.scoring.board.table import usual_measures
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.collection import pairs, pools, runs, units, user_outcomes
from workbench.storage.campaign.collection.user_outcomes import UserOutcomes

LISTS = USUAL[LIST_PAIRS]
TOPICS = [str(topic) for topic in range(1, 7)]
RUNS = {"good": list("abcd"), "fair": list("bacd"), "poor": list("dcba")}
"""The documents of each run; a is relevant on every topic."""


@pytest.fixture
def fought(make_campaign: MakeCampaign, judging_as: JudgeAs) -> Path:
    """Lists compared on six topics; the assessor prefers the poorer one on topic 1, else the better one."""
    documents = [Document(each, "", f"Text {each}.") for each in "abcd"]
    rankings = {tag: dict.fromkeys(TOPICS, ranking) for tag, ranking in RUNS.items()}
    path = make_campaign("fought", [Topic(each, each) for each in TOPICS], documents, rankings)
    with open_campaign(path) as campaign:
        for topic in TOPICS:
            judging_as(campaign, "Ben", topic, "a", 1)
        declare(campaign.by("Olga"), LISTS)
        asking = campaign.asking(LISTS.name)
        add_pool(asking.by("Olga"), strategy="all-pairs")
        for topic_id in units.topics(asking):
            for pair in pools.pooled_of_topic(campaign, topic_id):
                is_left_better = left_comes_first(campaign, topic_id, pair) != topic_id.startswith("1")
                judge_as(campaign, "Ben", topic_id, pair, 1 if is_left_better else 2)
    return path


def left_comes_first(campaign: Campaign, topic_id: str, pair: str) -> bool:
    """Whether the list on the left is of the better run."""
    found = pairs.by_id(campaign, topic_id)[pair]
    sides = [pairs.thing_of(campaign, topic_id, each) for each in (found.first, found.second)]
    tops = [each.documents[0] for each in sides if each is not None]
    return (tops[0] < tops[1]) == (show(campaign, topic_id, pair, "Ben").left == FIRST)


def test_a_board_has_strengths_scores_and_how_far_they_agree(fought: Path) -> None:
    with open_campaign(fought) as campaign:
        found = BATTLES.answer(campaign, {"measure": "RR"})
        assert found.battles is not None
        assert found.battles.strengths.runs == strengths(coded(battles(campaign, LISTS.name))).runs
        assert [each.by_battles.run for each in found.runs] == ["good", "fair", "poor"]
        assert [(each.score, each.score_rank, each.moved) for each in found.runs] == [
            (1.0, 1, 0), (0.5, 2, 0), (0.25, 3, 0),
        ]  # fmt: skip
        both = found.agreement
        assert both is not None
        assert (both.runs, both.tau_b, both.tau_ap_b) == (3, 1.0, 1.0)
        assert both.tau_b_draws is not None
        assert both.tau_b_draws.low <= both.tau_b_draws.high <= 1
        alike = BATTLES.answer(campaign, {"measure": "NumRelRet"}).agreement
        assert alike is not None
        assert alike.tau_b is None  # all runs find as many
        rows = draw(campaign, "battles", {}).rows
        assert [row["strength"] for row in rows] == [each.by_battles.strength for each in found.runs]
        with refused(UnknownName, "other"):
            BATTLES.answer(campaign, {"pairs": "other"})


def test_the_usual_measure_is_of_a_leaderboard_that_has_judgments(small: Path) -> None:
    with open_campaign(small) as campaign:
        add_answers(campaign, answer("1", ("Deep.", [0])))
        declare(campaign.by("Olga"), USUAL[CITATIONS])
        asking, topic_id = campaign.asking(USUAL[CITATIONS].name), f"1!{USUAL[CITATIONS].name}"
        add_pool(asking.by("Olga"), depth=5)
        add_texts(campaign, {REEFS: "Reefs recover."})
        assert (measures_of(campaign), BATTLES.question(campaign, {})["measure"]) == ([], "AP")
        for unit in pools.pooled_of_topic(campaign, topic_id):
            judge_as(campaign, "Ann", topic_id, unit, 1)
        usual = usual_measures(asking)
        assert (measures_of(campaign), BATTLES.question(campaign, {})["measure"]) == ([*usual], usual[0])
        assert BATTLES.answer(campaign, {"measure": usual[0]}).measure.measure.of == CITATIONS
        costs = COSTS.answer(campaign, {})
        assert (str(costs.measure), max(each.score for each in costs.runs)) == (usual[0], 0.5)
        clicks = tuple((run.run, "CTR@10", 5, 0.5, 0.1) for run in runs.in_force(campaign))
        with campaign.by("Olga").write():
            user_outcomes.put(campaign.by("Olga"), UserOutcomes("topic", (), metrics=clicks))
        assert {each.measure for each in ONLINE.answer(campaign, {}).measures} == set(usual)
        judge_as(campaign, "Ann", "1", "d1", 1)
        assert [each.question(campaign, {})["measure"] for each in (BATTLES, COSTS)] == ["AP", "AP"]
        assert "AP" in {each.measure for each in ONLINE.answer(campaign, {}).measures}
        assert COSTS.question(asking, {})["measure"] == usual[0]


def test_topics_that_are_left_out_are_steps_of_a_job(fought: Path) -> None:
    heard = []
    with open_campaign(fought) as campaign:
        BATTLES.function(campaign, lambda *step: heard.append(step[:2]), **BATTLES.question(campaign, {}))
    assert heard == [(done, len(TOPICS)) for done in range(len(TOPICS) + 1)]


def test_without_a_question_or_battles_it_says_so(small: Path) -> None:
    with open_campaign(small) as campaign:
        assert BATTLES.answer(campaign, {}).reason == NO_QUESTION
        assert says(draw(campaign, "battles", {}).title)
        declare(campaign.by("Olga"), LISTS)
        assert says(BATTLES.answer(campaign, {}).reason)


@pytest.mark.usefixtures("fought")
def test_the_page_has_the_lead_the_runs_and_their_files(anna: FlaskClient) -> None:
    page = anna.get("/c/fought/battles?measure=RR")
    assert page.status_code == 200
    assert says(page.text, "tau 1.000")
    assert says(anna.get("/c/fought/battles?precision=0.5").text, "± 0.5")
    assert anna.get("/c/fought/battles?precision=0").status_code == 422
    assert says(anna.get("/c/fought/battles?measure=NumRelRet").text, "NumRelRet")
    rows = anna.get("/c/fought/battles?measure=RR&format=csv").text.splitlines()
    assert [row.split(",")[0] for row in rows] == ["run", "good", "fair", "poor"]
    assert anna.get("/c/fought/api/battles").json["runs"][0]["run"] == "good"  # type: ignore[index]
    assert says(anna.get("/c/robust/battles").text, "no question")


@pytest.mark.usefixtures("fought")
def test_no_leaderboard_is_by_a_question_about_pairs_and_no_menu_leads_to_one(anna: FlaskClient) -> None:
    asked = f"?question={LISTS.name}"
    assert f"/c/fought/board{asked}" not in anna.get(f"/c/fought/agreement{asked}").text
    for page in ("board", "topics", "runs"):
        answer = anna.get(f"/c/fought/{page}{asked}")
        assert answer.status_code == 404
        assert says(answer.text, LISTS.name)


def test_pages_of_preferences_have_no_distance_of_grades_and_no_effect_on_runs(
    fought: Path, anna: FlaskClient
) -> None:
    with open_campaign(fought) as campaign:
        topic_id = units.topics(campaign.asking(LISTS.name))[0]
        for pair in pools.pooled_of_topic(campaign, topic_id):
            judge_as(campaign, "Bea", topic_id, pair, 3)
    asked = f"?question={LISTS.name}"
    conflicts = anna.get(f"/c/fought/adjudication{asked}").text
    sorted_by = [f"open-sort={word}" in conflicts for word in ("-assessors", "-apart", "swaps")]
    assert sorted_by == [True, False, False]
    agreement = anna.get(f"/c/fought/agreement{asked}").text
    assert says(agreement, "3 pairs", "which is better")
    assert "agreement/effect" not in agreement


def test_the_command_reads_the_battles_of_a_campaign(fought: Path) -> None:
    words = ["battles", "--campaign", str(fought), "--format", "csv"]
    with open_campaign(fought) as campaign:
        expected = strengths(coded(battles(campaign, LISTS.name)))
    printed = CliRunner().invoke(main, words).stdout
    lines = [line.split(",")[:2] for line in printed.splitlines()[1:]]
    assert lines == [[each.run, repr(each.strength)] for each in expected.runs]
    assert CliRunner().invoke(main, [*words, "--question", LISTS.name]).stdout == printed
    assert CliRunner().invoke(main, [*words, "battles.jsonl"]).exit_code == 2
