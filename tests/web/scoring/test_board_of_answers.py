"""Pages of results of a question about citations have the measures of these."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask.testing import FlaskClient
from lxml import html

from tests.judged_pairs import judge_as
from tests.made_answers import answer
from workbench.analysis.comparing.documents import influential_documents
from workbench.campaign.ingest import RunOptions, add_runs
from workbench.campaign.pools.making import add_pool
from workbench.campaign.questions import USUAL, declare
from workbench.campaign.rounds import open_round
from workbench.core.about import CITATIONS, DOCUMENTS
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.collection import units
from workbench.web.scoring.board_request import SHOWN

SEEN = {"question": "support"}


@pytest.fixture(autouse=True)
def judged(small: Path, tmp_path: Path) -> None:
    """Two runs answer topic 1; the first citation of the first run is judged as full support."""
    with open_campaign(small) as campaign:
        by = campaign.by("Anna")
        for run in ("one", "two"):
            path = tmp_path / "sent.jsonl"
            path.write_text(
                answer("1", (f"Only {run} says it.", [1]), ("Cooler years help.", [0, 1]), run=run)
            )
            add_runs(by, [str(path)], options=RunOptions(form=""))
        declare(by, USUAL[CITATIONS])
        add_pool(campaign.asking("support").by("Anna"), depth=10)
        first = units.of_topic(campaign, "1!support").units[0]
        judge_as(campaign, "Ben", "1!support", first.unit_id, 2)


def test_the_board_shows_the_measures_of_citations_and_those_of_documents_when_asked(
    anna: FlaskClient,
) -> None:
    board = anna.get("/c/small/api/board", query_string=SEEN).json
    assert [column["name"] for column in board["columns"]] == list(SHOWN[CITATIONS])
    assert {row["run"]: row["cells"][0]["value"] for row in board["rows"]} == {"one": 1 / 3, "two": 0}
    page = html.fromstring(anna.get("/c/small/board", query_string={**SEEN, "m": ["all_score", "RR"]}).text)
    assert page.xpath("//input[@name='m'][@checked]/@value") == ["RR"]
    offered = {*page.xpath("//input[@name='m'][@type='checkbox']/@value")}
    assert offered >= {"weighted_precision", "strict_recall", "nDCG"}
    assert not offered & {"all_score", "stat_weighted_precision"}


def test_without_what_was_judged_before_a_round_units_count_as_documents(
    anna: FlaskClient, small: Path
) -> None:
    with open_campaign(small) as campaign:
        open_round(campaign.by("Anna"), "second")
    board = anna.get("/c/small/api/board", query_string={**SEEN, "round": "second-residual"}).json
    assert [column["name"] for column in board["columns"]] == list(SHOWN[DOCUMENTS])


def test_the_intervals_have_the_bounds_of_what_is_not_judged(anna: FlaskClient) -> None:
    found = anna.get("/c/small/api/board/intervals", query_string=SEEN).json
    assert [cell["open"] and cell["open"]["high"] for cell in found["rows"]["two"]] == [1, 1, 1, 1]


@pytest.mark.parametrize("page", ["compare", "compare/pairs", "compare/boards", "topics"])
def test_what_names_no_measure_is_by_the_usual_one_of_citations(anna: FlaskClient, page: str) -> None:
    shown = anna.get(f"/c/small/{page}", query_string=SEEN)
    assert shown.status_code == 200
    assert "weighted_precision" in shown.text
    assert 'value="AP"' not in shown.text


@pytest.mark.parametrize("page", ["figures/leaderboard.csv", "board.csv", "board.tex", "download/scores"])
def test_files_have_them_too(anna: FlaskClient, page: str) -> None:
    shown = anna.get(f"/c/small/{page}", query_string=SEEN)
    assert shown.status_code == 200, shown.text
    assert "0.333" in shown.text


def test_two_answers_differ_by_the_citation_that_is_judged(small: Path) -> None:
    with open_campaign(small) as campaign:
        found = influential_documents(
            campaign.asking("support"), "one", "two", "1!support", measure="weighted_precision"
        )
    assert (found.score, found.baseline_score) == (1 / 3, 0)
    assert [(each.grade, each.effect) for each in found.judged] == [(2, 1 / 3)]
    assert [each.effect for each in found.unjudged] == pytest.approx([-1 / 6])
