"""A participant sees the runs of their own team, their scores once these are open, and nothing of anybody else."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.fixture_types import JudgeAs, SignIn
from tests.sentences import says
from tests.three_rounds import three_rounds
from workbench.analysis.run_profiles.one_run import TeamTable
from workbench.campaign.content_changes import withdraw_runs
from workbench.campaign.ingest import RunOptions, add_runs
from workbench.campaign.new_campaign import choose_least_teams, open_scores
from workbench.campaign.rounds import seen_by_name
from workbench.campaign.submissions.correcting import Correction, correct_run, correct_runs
from workbench.formats.run_repairs import Repairs
from workbench.scoring.board.past_boards import table_of
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.collection import runs
from workbench.storage.campaign.log import log
from workbench.storage.campaign.log.log import newest_seq
from workbench.storage.campaign.people import members
from workbench.web.release.own_team import lead


@pytest.fixture
def lakes(small: Path, tmp_path: Path, judging_as: JudgeAs) -> Path:
    """The campaign `small` with a run of team Alpha and one of team Beta beside two of nobody; d1 and d2 are judged."""
    for team, tag, documents in (("Alpha", "aa1", "d2 d1"), ("Beta", "bb1", "d1 d3")):
        path = tmp_path / f"{tag}.run"
        lines = [f"1 Q0 {name} {rank} {9 - rank} {tag}\n" for rank, name in enumerate(documents.split(), 1)]
        path.write_text("".join(lines))
        with open_campaign(small) as campaign:
            add_runs(campaign.by("Anna"), [str(path)], team=team)
    with open_campaign(small) as campaign:
        with campaign.write():
            members.put(campaign.by("Anna"), "Paul", "participant", team="Alpha")
            members.put(campaign.by("Anna"), "Olga", "observer")
        judging_as(campaign, "Ben", "1", "d1", 1)
        judging_as(campaign, "Ben", "1", "d2", 0)
    return small


@pytest.fixture
def paul(app: Flask, client_of: SignIn) -> FlaskClient:
    """A participant, of team Alpha."""
    return client_of(app, "Paul")


def opened(path: Path, is_open: bool = True) -> None:
    with open_campaign(path) as campaign:
        open_scores(campaign.by("Anna"), is_open)


def sheet_of(client: FlaskClient, more: str = "") -> str:
    with client.get(f"/c/small/own-runs/sheet?format=html{more}") as answer:
        assert (answer.status_code, answer.mimetype) == (200, "text/html")
        return answer.text


def test_the_own_runs_stand_there_without_scores_and_without_others(paul: FlaskClient, lakes: Path) -> None:
    assert paul.get("/c/small/").location == "/c/small/own-runs"
    text = paul.get("/c/small/own-runs?run=aa1").text
    assert says(text)
    assert "aa1.run" in text
    assert "0.5" not in text
    for other in ("bb1", "alpha", "beta", "Beta"):
        assert other not in text
    assert paul.get("/c/small/own-runs/sheet").status_code == 403


def test_open_scores_are_those_of_the_board_and_close_again(paul: FlaskClient, lakes: Path) -> None:
    opened(lakes)
    text = paul.get("/c/small/own-runs").text
    assert says(text)
    assert '<td class="numeric">0.5000</td>' in text  # AP: the only relevant document is second
    assert "bb1" not in text
    by_topic = paul.get("/c/small/own-runs?run=aa1&m=RR").text
    assert "RR of <bdi>aa1</bdi> by topic" in by_topic
    assert "frozen rivers" in by_topic
    opened(lakes, False)
    assert "0.5000" not in paul.get("/c/small/own-runs?run=aa1&m=RR").text


def test_a_measure_of_other_labels_than_judgments_is_not_computed(paul: FlaskClient, lakes: Path) -> None:
    opened(lakes)
    for name, measure in (("xinfAP", "AP"), ("AP_IA", "AP"), ("RR", "RR"), ("", "AP"), ("x" * 300, "AP")):
        page = paul.get(f"/c/small/own-runs?run=aa1&m={name}").text
        assert f"{measure} of <bdi>aa1</bdi> by topic" in page, name


def test_a_run_of_another_team_is_like_one_that_is_not_there(paul: FlaskClient, lakes: Path) -> None:
    opened(lakes)
    for tag in ("bb1", "alpha", "no such run"):
        page = paul.get("/c/small/own-runs", query_string={"run": tag})
        assert (page.status_code, "on every topic" in page.text) == (200, False)


def test_a_warning_that_names_another_teams_run_is_for_the_organisers(
    paul: FlaskClient, lakes: Path, tmp_path: Path
) -> None:
    path = tmp_path / "aa2.run"
    path.write_text("1 Q0 d1 1 8 aa2\n1 Q0 d3 2 7 aa2\n")  # the ranking of bb1
    with open_campaign(lakes) as campaign:
        add_runs(campaign.by("Anna"), [str(path)], team="Alpha")
        assert "bb1" in str([run.warnings for run in runs.all_runs(campaign)])
    text = paul.get("/c/small/own-runs").text
    assert "aa2" in text
    assert "bb1" not in text


def test_with_two_teams_the_best_of_all_which_is_the_others_is_not_told(
    paul: FlaskClient, lakes: Path
) -> None:
    opened(lakes)
    page = paul.get("/c/small/own-runs?run=aa1&m=RR").text.split('id="topics"')[1]
    assert "once runs of 5 teams take part" in page
    assert "0.5000" in page
    for told in ("1.0000", "Median of", "Best of", "nan"):
        assert told not in page
    sheet = sheet_of(paul)
    assert "once runs of 5 teams take part" in sheet
    for told in (">Median<", ">Best<", ">Place<", "above the median"):
        assert told not in sheet
    assert "1.0000" not in sheet.split("AP by topic")[1]
    with open_campaign(lakes) as campaign:
        choose_least_teams(campaign.by("Anna"), 2)
    assert "1.0000" in paul.get("/c/small/own-runs?run=aa1&m=RR").text.split('id="topics"')[1]
    assert ">Place<" in sheet_of(paul)


def test_the_sheet_is_the_own_teams_alone(paul: FlaskClient, lakes: Path) -> None:
    opened(lakes)
    sheet = sheet_of(paul, "&team=Beta")
    assert "aa1" in sheet
    assert "bb1" not in sheet
    assert paul.get("/c/small/own-runs/sheet?format=doc").status_code == 422


def test_a_team_gets_no_sheet_of_the_past_that_was_not_drawn_for_it(
    paul: FlaskClient, anna: FlaskClient, lakes: Path, judging_as: JudgeAs
) -> None:
    opened(lakes)
    with open_campaign(lakes) as campaign:
        before = newest_seq(campaign)
        judging_as(campaign, "Ben", "1", "d3", 1)
    with anna.get(f"/c/small/publish/sheets?team=Alpha&format=html&as_of={before}") as theirs:
        assert f"As of row {before} of" in theirs.text
    assert f"As of row {before + 1} of" in sheet_of(paul, f"&as_of={before}")


def test_a_participant_without_a_team_gets_no_sheet_of_the_runs_without_one(
    paul: FlaskClient, lakes: Path
) -> None:
    opened(lakes)
    with open_campaign(lakes) as campaign, campaign.write():
        members.put(campaign.by("Anna"), "Paul", "participant")
    assert paul.get("/c/small/own-runs/sheet?format=html").status_code == 404


def test_a_withdrawn_run_is_listed_as_such_and_has_no_scores(paul: FlaskClient, lakes: Path) -> None:
    opened(lakes)
    with open_campaign(lakes) as campaign:
        withdraw_runs(campaign.by("Anna"), ["aa1"])
    text = paul.get("/c/small/own-runs?run=aa1").text
    assert "withdrawn" in text
    assert '<td class="numeric">–</td>' in text
    assert paul.get("/c/small/own-runs/sheet").status_code == 404


def test_an_observer_reads_the_board_and_finds_no_way_further(
    app: Flask, lakes: Path, client_of: SignIn
) -> None:
    olga = client_of(app, "Olga")
    assert olga.get("/c/small/").location == "/c/small/board"
    with open_campaign(lakes) as campaign:
        newest = log.head(campaign).seq
    text = olga.get(f"/c/small/board?as-of={newest}").text
    assert "bb1" in text
    for way in ("/c/small/run?", "/c/small/compare", "/c/small/dashboard", "/c/small/judge"):
        assert way not in text
    assert olga.get("/c/small/figures/ranking-stability.json?measure=AP").status_code == 200
    assert olga.get("/c/small/figures/topics.json?measure=AP").status_code == 403


@pytest.mark.parametrize(
    "changes", [{"team": ""}, {"rows": ()}, {"scores_open": False}, {"topics": 0}, {}, {"waiting": 0}]
)
def test_a_participant_reads_what_the_team_has(changes: dict[str, Any]) -> None:
    rows: Any = ("a run", "another")
    table = TeamTable("Alpha", rows, scores_open=True, topics=3, waiting=1)
    assert says(lead(table._replace(**changes)))


def test_a_team_sees_what_the_organiser_repaired_in_its_own_runs_alone(
    paul: FlaskClient, lakes: Path, tmp_path: Path
) -> None:
    for team, tag in (("Alpha", "alpha-extra"), ("Beta", "beta-extra")):
        (path := tmp_path / f"{tag}.run").write_text(f"1 Q0 d1 1 3 {tag}\n1 Q0 d1 2 2 {tag}\n")
        with open_campaign(lakes) as campaign:
            add_runs(
                campaign.by("Anna"),
                [str(path)],
                team=team,
                options=RunOptions(repairs=Repairs(duplicates="first")),
            )
    page = paul.get("/c/small/own-runs").text
    repairs = page.partition("Repairs by the")[2].partition("</section>")[0]
    assert ("alpha-extra" in repairs, says(repairs)) == (True, True)
    assert "beta-extra" not in page


def test_a_team_sees_its_runs_and_scores_by_round_as_the_board_has_them(
    app: Flask, client_of: SignIn, instance: Path
) -> None:
    with three_rounds(instance) as campaign:
        correct_runs(
            campaign.by("Anna"), {tag: Correction(team="Alpha") for tag in ("a1", "a2", "c3")}, reason=""
        )
        with campaign.write():
            members.put(campaign.by("Anna"), "Paul", "participant", team="Alpha")
        open_scores(campaign.by("Anna"), True)
        choose_least_teams(campaign.by("Anna"), 1)
        expected = {
            part: table_of(seen_by_name(campaign, part), ["AP"]).rows for part in ("1", "2-own", "3", "all")
        }
    paul = client_of(app, "Paul")
    for part, rows in expected.items():
        text = paul.get(f"/c/covid/own-runs?round={part}").text
        own = {row.tag: f">{row.values[0]:.4f}</td>" for row in rows if row.tag in ("a1", "a2", "c3")}
        assert set(re.findall(rf"run=(\w+)&amp;round={part}#", text)) == set(own), part
        assert [cell for cell in own.values() if cell not in text] == [], part
        by_topic = paul.get(f"/c/covid/own-runs?round={part}&run={next(iter(own))}&m=AP").text
        assert f'name="round" value="{part}"' in by_topic
    assert 'aria-current="true">3</a>' in paul.get("/c/covid/own-runs").text


def test_scores_of_a_round_that_is_over_are_for_the_team_that_has_the_run_now(
    app: Flask, client_of: SignIn, instance: Path
) -> None:
    with three_rounds(instance) as campaign:  # round 2 is over, and its runs had no team
        with campaign.write():
            members.put(campaign.by("Anna"), "Paul", "participant", team="Alpha")
        open_scores(campaign.by("Anna"), True)
    paul = client_of(app, "Paul")
    for team, is_theirs in (("Alpha", True), ("Beta", False)):
        with open_campaign(instance / "covid.db") as campaign:
            correct_run(campaign.by("Anna"), "a2", Correction(team=team))
        page = paul.get("/c/covid/own-runs?round=2&run=a2").text
        assert (">a2</a>" in page) is is_theirs
        sheet = paul.get("/c/covid/own-runs/sheet?format=html&round=2")
        assert (sheet.status_code, "a2" in sheet.text) == ((200, True) if is_theirs else (404, False))
        sheet.close()
        # One team takes part in the round: what all runs have together is the secret of the others.
        assert ("once runs of" in page, ">Best of all" in page) == (is_theirs, False)
