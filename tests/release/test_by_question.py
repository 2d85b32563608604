"""Results by a question about answers, from Python, as files and on team sheets: of topics by their own ids."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

import workbench as wb
from tests.asked_answers import add_answers, put_bank
from tests.judged_pairs import judge_as
from tests.made_answers import answer
from tests.sentences import refused, says
from workbench.campaign.pools.making import add_pool
from workbench.campaign.questions import USUAL, declare
from workbench.core.about import NUGGETS
from workbench.core.errors import UnknownName
from workbench.formats.answers.banks import Nugget
from workbench.release.tables import scores_of, topic_scores_csv
from workbench.release.team_sheets.rendering import content_of, render_sheet
from workbench.release.team_sheets.sheets import SHEET_MEASURES, sheets_of
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import units

SCORES = [
    *("strict_vital_score", "strict_all_score", "vital_score", "all_score"),
    *("supportive_score", "contradictory_score", "nugget_coverage", "nugget_coverage_weighted"),
]


@pytest.fixture
def judged(small: Campaign) -> Campaign:
    """Runs one and two answer topic 1 of nuggets Ice (vital) and Wind; one holds Ice, two a part of Wind."""
    campaign = small.by("Olga")
    for run in ("one", "two"):
        add_answers(campaign, answer("1", (f"Reefs of {run} recover.", [0]), run=run))
    put_bank(campaign, Nugget("Ice", importance="vital"), Nugget("Wind", importance="okay"))
    declare(campaign, USUAL[NUGGETS])
    add_pool(campaign.asking("nuggets"), depth=10)
    grades = {("Ice", 3): 2, ("Wind", 3): 0, ("Ice", 4): 0, ("Wind", 4): 1}
    for unit in units.of_topic(campaign, "1!nuggets").units:
        judge_as(campaign, "Ann", "1!nuggets", unit.unit_id, grades[unit.text, unit.run])
    return campaign


def test_the_library_reads_a_campaign_by_a_question(judged: Campaign) -> None:
    with wb.Campaign(judged.path) as campaign:
        asked = campaign.by_question("nuggets")
        found = {row["run"]: row for row in asked.scores().to_dicts()}
        # Of all nuggets one of two is held; a partial one is half there where that is not strict.
        assert [found["one"][name] for name in SCORES[:4]] == [1, 0.5, 1, 0.5]
        assert [found["two"][name] for name in SCORES[:4]] == [0, 0, 0, 0.25]
        assert set(asked.topic_scores()["topic_id"]) == {"1"}
        assert set(asked.qrels()["topic_id"]) == {"1"}
        assert [len(asked.qrels()), len(asked.pooled()), len(asked.pools())] == [4, 4, 1]
        assert "Pooled pairs" in repr(asked)
        assert asked.by_question("").scores()["run"].to_list() == campaign.scores()["run"].to_list()
        with refused(UnknownName, "colours"):
            campaign.by_question("colours")


def test_scores_by_topic_name_the_topic_as_qrels_do(judged: Campaign) -> None:
    rows = list(csv.DictReader(topic_scores_csv(scores_of(judged.asking("nuggets")))))
    assert {row["topic_id"] for row in rows} == {"1"}
    assert {row["run"]: row["strict_vital_score"] for row in rows}["one"] == "1.0"


@pytest.mark.parametrize("kind", ["html", "pdf"])
def test_a_team_sheet_by_a_question_has_its_measures_and_says_what_was_asked(
    judged: Campaign, kind: str
) -> None:
    (sheet,) = sheets_of(judged.asking("nuggets"), teams=["uni"], least_teams=1)
    assert [str(mean.measure) for mean in sheet.parts[0].means] == SCORES
    assert [line[:3] for line in sheet.parts[0].lines] == [("1", "frozen rivers", 1.0)]
    content = content_of(sheet)
    assert says(f"{content['title']}\n{content['lead']}\n{content['waiting']}")
    assert len(render_sheet(sheet, kind)) > 1000
    (plain,) = sheets_of(judged, teams=["uni"], least_teams=1)
    assert [str(mean.measure) for mean in plain.parts[0].means] == list(SHEET_MEASURES)
    assert content_of(plain)["title"] == "Small"


def test_units_without_a_grade_are_not_said_to_be_not_relevant(small: Campaign, tmp_path: Path) -> None:
    add_answers(small, answer("1", ("Reefs recover.", [0]), run="one"))
    put_bank(small, Nugget("Ice"), Nugget("Wind"))
    declare(small.by("Olga"), USUAL[NUGGETS])
    add_pool(small.asking("nuggets").by("Olga"), depth=10)
    judge_as(small, "Ann", "1!nuggets", units.of_topic(small, "1!nuggets").units[0].unit_id, 2)
    (sheet,) = sheets_of(small.asking("nuggets"), teams=["uni"])
    assert says(content_of(sheet)["waiting"])
